-- The pages of the manual as lua/ndbuf/meta.lua, for lua-language-server.
local parse = require "tools.manual.parse"
local plain = require "tools.manual.plain"

local meta = {}

local CLASSES = {nd = "ndbuf", a = "ndbuf.array", dtype = "ndbuf.dtype", dev = "ndbuf.device",
                 e = "ndbuf.error", mem = "ndbuf.resource", stream = "ndbuf.stream",
                 event = "ndbuf.event", timeline = "ndbuf.timeline", ["nd.cuda"] = "ndbuf.cuda",
                 reservation = "ndbuf.reservation", ["nd.memory"] = "ndbuf.memory",
                 ["nd.linalg"] = "ndbuf.linalg", ["nd.fft"] = "ndbuf.fft",
                 ["nd.transfers"] = "ndbuf.transfers", column = "ndbuf.column"}
local VARIABLES = {nd = "nd", a = "array", dtype = "dtype", dev = "device", e = "error_object",
                   mem = "resource", stream = "stream", event = "event",
                   reservation = "reservation",
                   timeline = "timeline", ["nd.cuda"] = "cuda", ["nd.memory"] = "memory",
                   ["nd.linalg"] = "linalg", ["nd.fft"] = "fft",
                   ["nd.transfers"] = "transfers", column = "column"}
local ORDER = {"e", "dev", "mem", "reservation", "stream", "event", "timeline", "dtype", "column",
               "a", "nd.cuda", "nd.fft", "nd.linalg", "nd.memory", "nd.transfers", "nd"}

-- ---- types ----

-- What the pages call types, as arguments and as results.
local TAKEN = {
  ["nil"] = "nil",
  integer = "ndbuf.integer", number = "ndbuf.number", shape = "integer[]|ndbuf.integer",
  integers = "integer[]|ndbuf.integer", dtype = "ndbuf.dtypelike", device = "ndbuf.devicelike",
  value = "ndbuf.value", values = "ndbuf.values", index = "ndbuf.index", cdata = "ffi.cdata*",
  array = "ndbuf.array", ["array[]"] = "ndbuf.array[]", ["integer[]"] = "integer[]",
  string = "string", boolean = "boolean", table = "table", any = "any", userdata = "userdata",
  ["function"] = "fun(...): ...", memory = "ndbuf.resource", stream = "ndbuf.stream",
  event = "ndbuf.event", column = "ndbuf.column",
}
local GIVEN = {
  integer = "integer", ["integer or nil"] = "integer?", ["integer[]"] = "integer[]",
  ["number[]"] = "number[]", string = "string",
  boolean = "boolean", table = "table", any = "any", value = "any", cdata = "any",
  ["any …"] = "any ...", ["array …"] = "ndbuf.array ...",
  ["function"] = "fun(a: ndbuf.array, i: integer): integer, any", array = "ndbuf.array",
  ["array[]"] = "ndbuf.array[]", ["table<string, array>"] = "table<string, ndbuf.array>",
  ["dtype object"] = "ndbuf.dtype", ["device object"] = "ndbuf.device",
  ["dtype name"] = "ndbuf.dtypename", ["device object[]"] = "ndbuf.device[]",
  ["string or nil"] = "string?", ["integer[] or nil"] = "integer[]?", number = "number",
  memory = "ndbuf.resource",
  column = "ndbuf.column", stream = "ndbuf.stream", ["stream or nil"] = "ndbuf.stream?",
  event = "ndbuf.event",
  timeline = "ndbuf.timeline", reservation = "ndbuf.reservation", ["table or nil"] = "table?",
}
meta.TYPES = {taken = TAKEN, given = GIVEN}

local function type_of(names, text)
  local list = {}
  for name in (text .. " | "):gmatch "(.-) | " do
    local is_literal = name:find '^".*"$'
    list[#list + 1] = is_literal and name or names[name] or error("no type is called " .. name)
  end
  return table.concat(list, "|")
end

-- ---- arguments ----

-- Entries with no options of their own share the class of their page.
local function options_class(entry)
  local class
  for _, argument in ipairs(entry.described) do
    if entry.arguments[argument.name] and argument.name:find "^opts%." then
      return "ndbuf.opts." .. (entry.items[1].member or entry.section)
    end
    if argument.name:find "^opts%." then class = "ndbuf.opts." .. entry.section end
  end
  return class
end

local function own_type(entry, argument)
  if argument.name == "opts" then return options_class(entry) end
  for _, described in ipairs(entry.described) do
    if described.name == argument.name then return type_of(TAKEN, described.type), described end
  end
end

-- Does leaving out 'argument' leave 'later' in its place? Not if it is inside of its brackets.
local function may_replace(argument, later)
  if not argument.is_optional then return false end
  for _, bracket in ipairs(later.inside) do
    if bracket == argument.inside[#argument.inside] then return false end
  end
  return true
end

local function full_type(entry, arguments, at)
  local kind, described = own_type(entry, arguments[at])
  local all = {kind}
  for i = at + 1, #arguments do
    if may_replace(arguments[at], arguments[i]) then
      all[#all + 1] = (own_type(entry, arguments[i]))
    end
  end
  local seen, list = {}, {}
  for part in (table.concat(all, "|") .. "|"):gmatch "([^|]+)|" do
    if not seen[part] then list[#list + 1] = part end
    seen[part] = true
  end
  return table.concat(list, "|"), described
end

-- Lua's names for what the pages call so.
local function lua_name(name) return name == "…" and "..." or name == "end" and "last" or name end

-- {name, type, is_optional, text} of an item; what follows "…" is part of it.
local function parameters(entry, item)
  local list = {}
  for at, argument in ipairs(item.arguments or {}) do
    local kind, described = full_type(entry, item.arguments, at)
    list[at] = {name = lua_name(argument.name), type = kind ~= "" and kind or "any",
                is_optional = argument.is_optional,
                text = described and described.text or argument.name == "opts" and "by name"}
    if argument.name == "…" then break end
  end
  return list
end

local function is_list(entry, name)
  for _, described in ipairs(entry.described) do
    if described.name == name and (described.type == "shape" or described.type == "integers") then
      return true
    end
  end
end

-- ---- functions ----

local function results(entry)
  local list = {}
  for i, name in ipairs(entry.returns.types) do list[i] = type_of(GIVEN, name) end
  return list
end

local function function_type(entry, is_method, list)
  local out = is_method and {"self: ndbuf.array"} or {}
  for _, parameter in ipairs(list) do
    local mark = parameter.is_optional and "?" or ""
    out[#out + 1] = parameter.name == "..." and "...: " .. parameter.type
      or ("%s%s: %s"):format(parameter.name, mark, parameter.type)
  end
  local given = table.concat(results(entry), ", ")
  return ("fun(%s)%s"):format(table.concat(out, ", "), given ~= "" and ": " .. given or "")
end

-- A shape or list of integers may be 2 to 4 plain ones.
local function plain_overloads(entry, item, is_method, add)
  local list = parameters(entry, item)
  for at, argument in ipairs(item.arguments or {}) do
    if is_list(entry, argument.name) then
      for count = 2, 4 do
        local spread = {}
        for i = 1, at - 1 do spread[i] = list[i] end
        for i = 1, count do
          spread[#spread + 1] = {name = ("%s%d"):format(argument.name:sub(1, 1), i),
                                 type = "ndbuf.integer"}
        end
        for i = at + 1, #list do spread[#spread + 1] = list[i] end
        add("---@overload " .. function_type(entry, is_method, spread))
      end
    end
  end
end

local function add_comment(add, text)
  for _, line in ipairs(plain.wrap(plain.unmark(text), 96, "")) do add("---" .. line) end
end

local function add_text(add, entry)
  for block in (entry.prose .. "\n\n"):gmatch "(.-)\n\n+" do
    add_comment(add, block)
    add "---"
  end
  add "---```lua"
  for line in (entry.examples[1].text .. "\n"):gmatch "(.-)\n" do add("---" .. line) end
  add "---```"
end

local function raises_text(entry)
  local list, seen = {}, {}
  for _, raised in ipairs(entry.all_raises) do
    if not seen[raised.code] then list[#list + 1] = raised.code end
    seen[raised.code] = true
  end
  return #list > 0 and "Raises " .. table.concat(list, ", ") .. "."
end

local function add_options(add, entry, done)
  local class = options_class(entry)
  if not class or done[class] then return end
  done[class] = true
  add("---@class (exact) " .. class)
  for _, argument in ipairs(entry.described) do
    local name = argument.name:match "^opts%.(.*)$"
    if name then
      local default = argument.default and (" (%s)"):format(argument.default) or ""
      add(("---@field %s? %s %s"):format(name, type_of(TAKEN, argument.type),
        plain.unmark((argument.text or "") .. default)))
    end
  end
  add ""
end

local function add_function(add, entry, items)
  local item = items[1]
  local is_method = item.name:find ":" ~= nil
  add_text(add, entry)
  local raised = raises_text(entry)
  if raised then
    add "---"
    add_comment(add, raised)
  end
  local names = {}
  for _, parameter in ipairs(parameters(entry, item)) do
    local mark = parameter.is_optional and parameter.name ~= "..." and "?" or ""
    add(("---@param %s%s %s%s"):format(parameter.name, mark, parameter.type,
      parameter.text and " " .. plain.unmark(parameter.text) or ""))
    names[#names + 1] = parameter.name
  end
  for i, kind in ipairs(results(entry)) do
    local is_last = i == #entry.returns.types and entry.returns.text
    add("---@return " .. kind .. (is_last and " # " .. plain.unmark(entry.returns.text) or ""))
  end
  plain_overloads(entry, item, is_method, add)
  for i = 2, #items do
    add("---@overload " .. function_type(entry, is_method, parameters(entry, items[i])))
  end
  local target = VARIABLES[item.owner] .. (is_method and ":" or ".") .. item.member
  add(("function %s(%s) end"):format(target, table.concat(names, ", ")))
  add ""
end

-- ---- classes ----

-- The fields, with the first sentence about each, and operators of a class.
local function add_fields(add, pages, owner)
  parse.each(pages, function(entry, item)
    local given = entry.returns and entry.returns.types[1] and results(entry)[1]
    local text = plain.unmark(entry.prose):gsub("\n", " "):gsub("(%.) .*", "%1")
    local signature = item.signature
    if item.owner == owner and not item.arguments then
      local mark = owner == "e" and not item.member:find "^[cmw]" and "?" or ""
      add(("---@field %s%s %s %s"):format(item.member, mark, given, text))
    elseif owner == "a" and signature == "#a" then
      add("---@operator len: " .. given)
    elseif owner == "a" and signature == "a[index]" then
      add("---@field [integer|table|ndbuf.array] " .. given)
    elseif signature:match "^([%a.]+)%(" == owner and item.arguments then -- it can be called
      add("---@overload " .. function_type(entry, false, parameters(entry, item)))
    end
  end)
end

-- Items of an entry with the same name are overloads of one function.
local function add_functions(add, pages, owner)
  parse.each(pages, function(entry, item)
    if item.owner ~= owner or not item.arguments or CLASSES[item.name] then return end
    local same = {}
    for _, other in ipairs(entry.items) do
      if other.name == item.name then same[#same + 1] = other end
    end
    if same[1] == item then add_function(add, entry, same) end
  end)
end

local HEAD = [[
-- Made by 'make docs' from docs/reference/; 'make lint-names' sees that it is.
-- luacheck: ignore
---@meta ndbuf

---A whole number; i64 and u64 cdata will do too.
---@alias ndbuf.integer integer|ffi.cdata*
---@alias ndbuf.number number|ffi.cdata*

---An element as it is in Lua.
---@alias ndbuf.value number|boolean|ffi.cdata*
---@alias ndbuf.values number|boolean|ffi.cdata*|table|ndbuf.array
---@alias ndbuf.index integer|string|table|ffi.cdata*|ndbuf.array
]]

local DEVICES = {"cpu", "pinned", "cuda", "cuda:0", "managed", "disk:"}

local function add_aliases(add, pages)
  add "---@alias ndbuf.dtypename"
  parse.each(pages, function(entry, item)
    if item.owner == "nd" and not item.arguments and entry.returns.types[1] == "dtype object" then
      add(('---|"%s"'):format(item.member))
    end
  end)
  add ""
  add "---@alias ndbuf.dtypelike ndbuf.dtypename|ndbuf.dtype"
  add ""
  add "---@alias ndbuf.devicelike"
  for _, name in ipairs(DEVICES) do add(('---|"%s"'):format(name)) end
  add "---|string"
  add "---|ndbuf.device"
  add ""
end

--- The text of lua/ndbuf/meta.lua.
function meta.render(pages)
  local lines, done = {HEAD}, {}
  local function add(line) lines[#lines + 1] = line end
  add_aliases(add, pages)
  parse.each(pages, function(entry) add_options(add, entry, done) end)
  for _, owner in ipairs(ORDER) do
    add("---@class " .. CLASSES[owner])
    add_fields(add, pages, owner)
    for _, inner in ipairs(ORDER) do -- nd.cuda is a field of nd
      local member = inner:match "^(%a+)%." == owner and inner:match "%.(%a+)$"
      if member then add(("---@field %s %s"):format(member, CLASSES[inner])) end
    end
    add(("local %s = {}"):format(VARIABLES[owner]))
    add ""
    add_functions(add, pages, owner)
  end
  add "return nd"
  return table.concat(lines, "\n") .. "\n"
end

return meta
