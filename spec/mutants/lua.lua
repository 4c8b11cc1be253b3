-- Faults in lua/ndbuf.
return {
  -- element access; head.lua makes its code from templates
  {"lua/ndbuf/head.lua", "copy(h.p1 + $AT, scratch, $BYTES)", "copy(h.p1 + $AT, scratch, 1)", "lua/jit_spec.lua"},
  {"lua/ndbuf/head.lua", "if h.is_punned == 0 then h.p1[$AT] = x else", "if true then h.p1[$AT] = x else", "lua/jit_spec.lua"},
  {"lua/ndbuf/head.lua", "and v <= 0x7fffffffffffffffULL)", "and true)", "lua/jit_spec.lua bind/numbers_spec.lua"},
  {"lua/ndbuf/head.lua", "istype(int64, v) and v >= 0)", "istype(int64, v))", "lua/jit_spec.lua bind/numbers_spec.lua"},
  {"lua/ndbuf/head.lua", "u16 = { \"uint16_t\", \"x\", within(\"0\", \"65535\") },", "u16 = { \"uint16_t\", \"x\", within(\"0\", \"65536\") },", "lua/jit_spec.lua bind/numbers_spec.lua"},
  {"lua/ndbuf/head.lua", "MAGNITUDE < 0x7fc80000)", "MAGNITUDE < 0x7ff80000)", "lua/jit_spec.lua"},
  {"lua/ndbuf/head.lua", "\"halves[e + e].high\", \"halves[e + e + 1].high\"", "\"halves[e + e].high\", \"halves[e + e].high\"", "lua/jit_spec.lua"},

  -- cdata
  {"lua/ndbuf/box.lua", " or tostring(x):find(\"^ctype<\") ~= nil", "", "lua/limits_spec.lua"},
  {"lua/ndbuf/box.lua", "if tostring(ffi.typeof(x)):find \"[%[(]\" then return 0 end\n", "", "lua/limits_spec.lua"},
  {"lua/ndbuf/box.lua", "and not ctype:find \"[*&]\" then", "then", "lua/limits_spec.lua"},
  {"lua/ndbuf/init.lua", "if shape[1] == false or dims:find \"%?\" then", "if shape[1] == false then", "lua/limits_spec.lua"},
  {"lua/ndbuf/init.lua", "{ owner = values, readonly = true }):clone()", "{ owner = values, readonly = true })", "bind/making_spec.lua"},
  {"lua/ndbuf/init.lua", "if n > 7000 then", "if n > 70000 then", "lua/limits_spec.lua"},
  {"lua/ndbuf/init.lua", "if i <= a:dim(1) then return i, a[i] end", "if i < a:dim(1) then return i, a[i] end", "bind/looking_spec.lua"},

  -- records
  {"lua/ndbuf/records.lua", "math.floor((total - offset - packed) / stride) + 1)", "math.floor((total - offset) / stride))", "bind/records_spec.lua"},
  {"lua/ndbuf/records.lua", "swap = swap and dtype.itemsize > 1,", "swap = swap,", "bind/records_spec.lua",
   equal = "a copy of swapped bytes of one byte each; the reference leaves open which is a view"},
  {"lua/ndbuf/records.lua", "if stride < packed then", "if stride < packed - 1 then", "bind/records_spec.lua"},
  {"lua/ndbuf/records.lua", "if rows[key] then fail", "if false then fail", "bind/records_spec.lua"},
  {"lua/ndbuf/records.lua", "if offset > total then", "if offset > total + 1 then", "bind/records_spec.lua"},

  -- printing
  {"lua/ndbuf/print.lua", "if edge and n > 2 * edge then", "if edge and n >= 2 * edge then", "lua/limits_spec.lua"},
  {"lua/ndbuf/print.lua", "add(n - edge + 1, n)", "add(n - edge, n)", "bind/looking_spec.lua"},
  {"lua/ndbuf/print.lua", "return plain and #plain <= #text and plain or text", "return text", "bind/looking_spec.lua"},
  {"lua/ndbuf/print.lua", "c64 = 9, f16 = 5,", "c64 = 9, f16 = 3,", "bind/looking_spec.lua"},
  {"lua/ndbuf/print.lua", "(im:find \"^%-\" and \"\" or \"+\")", "\"+\"", "bind/looking_spec.lua"},
  {"lua/ndbuf/print.lua", "if a.size <= options.threshold then return nil end", "if a.size < options.threshold then return nil end", "bind/looking_spec.lua"},
  {"lua/ndbuf/print.lua", "edge > 1 and (2 * edge) ^ a.ndim > most do", "edge > 1 and false do", "bind/looking_spec.lua"},
  {"lua/ndbuf/print.lua", "options[key] = value or nil end", "options[key] = value end", "bind/looking_spec.lua"},

  -- the prompt
  {"lua/ndbuf/repl.lua", "print_results(text:find \";%s*$\" ~= nil,", "print_results(text:find \";$\" ~= nil,", "lua/limits_spec.lua"},
  {"lua/ndbuf/repl.lua", "if calls < 2 or message", "if calls < 3 or message", "repl/repl_spec.lua"},
  {"lua/ndbuf/repl.lua", "if not (fine and result) and not input.is_terminal then return 1 end", "", "repl/repl_spec.lua repl/command_spec.lua"},
  {"lua/ndbuf/repl.lua", "(\"\\n\"):rep(line_number)", "(\"\\n\"):rep(0 * line_number)", "repl/repl_spec.lua repl/command_spec.lua"},
  {"lua/ndbuf/input.lua", "or line == latest then return end", "then return end", "repl/repl_spec.lua"},
  {"lua/ndbuf/input.lua", "if #list > 2 * MOST_LINES then write_lines", "if #list > 4 * MOST_LINES then write_lines", "repl/repl_spec.lua"},
  {"lua/ndbuf/input.lua", "if state and state:find \"^/\" then", "if state then", "repl/repl_spec.lua"},
  {"lua/ndbuf/complete.lua", "(start ~= \"\" or name:sub(1, 1) ~= \"_\")", "true", "repl/repl_spec.lua repl/show_spec.lua"},
  {"lua/ndbuf/complete.lua", "separator == \".\" or type(entry) == \"function\"", "true", "lua/limits_spec.lua"},
  {"lua/ndbuf/complete.lua", "return { separator == \".\" and array.properties or array.methods }", "return { array.properties, array.methods }", "repl/repl_spec.lua repl/show_spec.lua"},
  {"lua/ndbuf/show.lua", "for i = 1, math.min(count, MOST_ENTRIES) do", "for i = 1, math.min(count, MOST_ENTRIES - 1) do", "repl/show_spec.lua"},
  {"lua/ndbuf/show.lua", "if line ~= \"\" and #line + #part + 2 > WIDTH then", "if line ~= \"\" and #line + #part > WIDTH then", "lua/limits_spec.lua"},
  {"lua/ndbuf/show.lua", "and key >= 1 and key <= n and key == math.floor(key)", "and key >= 1 and key <= n", "lua/limits_spec.lua repl/show_spec.lua"},
  {"lua/ndbuf/help.lua", "if not found and not OWNERS[owner] then found", "if not found then found", "lua/help_spec.lua"},
  {"lua/ndbuf/help.lua", "if not seen[entry.text] then out", "if true then out", "lua/help_spec.lua"},
  {"lua/ndbuf/help.lua", "if #line + 2 + #key > COLUMNS then", "if #line + #key > COLUMNS + 14 then", "lua/help_spec.lua"},
  {"lua/ndbuf/names.lua", "a[2] == b[2] and a[1] < b[1]", "a[2] == b[2] and a[1] > b[1]", "bind/looking_spec.lua bind/errors_spec.lua lua/help_spec.lua"},
  {"lua/ndbuf/names.lua", "row[j] + 1, row[j - 1] + 1, diagonal + cost)", "row[j] + 1, diagonal + cost)", "bind/looking_spec.lua bind/errors_spec.lua lua/help_spec.lua"},
}
