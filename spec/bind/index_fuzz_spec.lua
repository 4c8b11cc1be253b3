-- Index expressions against NumPy: random shapes, every form, reading and writing, refusals.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES = common.NAMES
local LARGEST = 5 ^ 6

local rng = H.rng "index fuzz"
local function chance(p) return rng() < p end
local function pick(list) return list[rng(#list)] end

-- ---- expressions: lists of entries {at =}, {lo =, hi =, step =}, {dots = true}, {new = true} ----

local function negated(i, n)
  if i >= 1 and i <= n and chance(0.3) then return i - n - 1 end
  return i
end

local function random_range(n)
  local step = pick {1, 1, 1, 2, 3, 5, 9, -1, -1, -2, -3, -8}
  local lo, hi
  if n == 0 or chance(0.15) then
    lo = step > 0 and rng(1, n + 1) or rng(0, n)
    hi = step > 0 and lo - 1 or lo + 1
  else
    lo = rng(1, n)
    hi = rng(lo, n)
    if step < 0 then lo, hi = hi, lo end
  end
  local first, last = 1, n
  if step < 0 then first, last = n, 1 end
  local item = {step = step}
  if lo ~= first or chance(0.6) then item.lo = negated(lo, n) end
  if hi ~= last or chance(0.6) then item.hi = negated(hi, n) end
  if step == 1 and chance(0.7) then item.step = nil end
  return item
end

local function random_entry(n)
  if n > 0 and chance(0.4) then return {at = negated(rng(1, n), n), n = n} end
  if chance(0.15) then return {n = n} end
  local item = random_range(n)
  item.n = n
  return item
end

local function random_expression(shape)
  local used = rng(0, #shape)
  if chance(0.3) then used = #shape end
  local has_dots = chance(0.3)
  local front = has_dots and rng(0, used) or used
  local items = {}
  for i = 1, front do items[#items + 1] = random_entry(shape[i]) end
  if has_dots then items[#items + 1] = {dots = true} end
  for i = #shape - (used - front) + 1, #shape do items[#items + 1] = random_entry(shape[i]) end
  while chance(0.12) do table.insert(items, rng(#items + 1), {new = true}) end
  return items
end

-- The extents that a valid expression leaves.
local function shape_after(shape, items)
  local out, axis, used = {}, 0, 0
  for _, e in ipairs(items) do if not e.dots and not e.new then used = used + 1 end end
  for _, e in ipairs(items) do
    if e.dots then
      for _ = 1, #shape - used do
        axis = axis + 1
        out[#out + 1] = shape[axis]
      end
    elseif e.new then
      out[#out + 1] = 1
    else
      axis = axis + 1
      if not e.at then
        local n, step = shape[axis], e.step or 1
        local lo = e.lo or (step > 0 and 1 or n)
        local hi = e.hi or (step > 0 and n or 1)
        if lo < 0 then lo = lo + n + 1 end
        if hi < 0 then hi = hi + n + 1 end
        out[#out + 1] = math.max(0, math.floor((hi - lo) / step) + 1)
      end
    end
  end
  for i = axis + 1, #shape do out[#out + 1] = shape[i] end
  return out
end

-- ---- expressions that are wrong ----

local BREAKS = {
  function(e) e.at = chance(0.5) and e.n + rng(3) or -e.n - rng(3) end,
  function(e) e.at = 0 end,
  function(e) e.at = pick {2 ^ 31, 2 ^ 53, -2 ^ 53, 2 ^ 62} end,
  function(e) e.at = pick {1.5, -0.25, 0 / 0, 1e300, 1 / 0} end,
  function(e) e.at, e.step, e.lo, e.hi = nil, 0, nil, nil end,
  function(e) e.at, e.lo, e.hi, e.step = nil, rng(1, math.max(1, e.n)), e.n + rng(3), nil end,
  function(e) e.at, e.lo, e.hi, e.step = nil, pick {0, e.n + 2, -e.n - 2}, e.n, pick {1, 2} end,
  function(e) e.at, e.lo, e.hi, e.step = nil, rng(1, 6), rng(1, 6), pick {1, -1, 2, -2} end,
  function(e) e.at, e.lo, e.hi, e.step = nil, -rng(1, 7), -rng(1, 7), pick {1, -1, 3} end,
  function(e) e.at, e.lo, e.hi, e.step = nil, pick {1.5, 0 / 0}, 2, nil end,
}

local function break_expression(shape, items)
  local entries = {}
  for _, e in ipairs(items) do if e.n then entries[#entries + 1] = e end end
  local kind = rng()
  if kind < 0.15 or #entries == 0 then
    for _ = #entries, #shape do table.insert(items, rng(#items + 1), {at = 1}) end
  elseif kind < 0.25 then
    table.insert(items, rng(#items + 1), {dots = true})
    table.insert(items, rng(#items + 1), {dots = true})
  else
    pick(BREAKS)(pick(entries))
  end
end

-- ---- expressions as text, as tables, as arguments ----

local function number_text(x) return x == math.floor(x) and math.abs(x) < 2 ^ 63 and
  ("%d"):format(x) or ("%g"):format(x) end

local function entry_text(e)
  if e.dots then return "..." end
  if e.new then return "_" end
  if e.at then return number_text(e.at) end
  local text = (e.lo and number_text(e.lo) or "") .. ":" .. (e.hi and number_text(e.hi) or "")
  return text .. (e.step and ":" .. number_text(e.step) or "")
end

local function text_of(items)
  local parts = {}
  for i, e in ipairs(items) do parts[i] = entry_text(e) end
  return table.concat(parts, ",")
end

local function with_blanks(text)
  return (text:gsub("[:,]", function(c) return chance(0.2) and " " .. c .. " " or c end))
end

-- Only what the slice grammar's characters can say.
local function is_plain(text) return text ~= "" and not text:find "[^0-9:.,_+-]" end

local function as_integer(x)
  local is_integer = x == math.floor(x) and math.abs(x) < 2 ^ 63
  return is_integer and chance(0.2) and ffi.new("int64_t", x) or x
end

local function entry_value(e, alone)
  local text = entry_text(e)
  if e.dots or e.new then return text end
  if e.at then return as_integer(e.at) end
  local is_open = e.lo == nil or e.hi == nil
  if is_open and (e.lo or e.hi or e.step) or alone or is_plain(text) and chance(0.3) then
    return text
  end
  if is_open then return {} end
  return {as_integer(e.lo), as_integer(e.hi), e.step}
end

local function values_of(items, alone)
  local out = {}
  for i, e in ipairs(items) do out[i] = entry_value(e, alone) end
  return out
end

-- Ways to say it. fits: can it? key: made of a case. is_view: gives a view of an element too.
local FORMS = {
  {name = "string", fits = function(c) return is_plain(c.text) end,
    key = function(c) return with_blanks(c.text) end,
    read = function(a, key) return a[key] end,
    write = function(a, key, value) a[key] = value end},
  {name = "string call", fits = function(c) return is_plain(c.text) end,
    key = function(c) return with_blanks(c.text) end,
    read = function(a, key) return a(key) end,
    write = function(a, key, value) a:set(key, value) end},
  {name = "table", fits = function() return true end,
    key = function(c) return values_of(c.items) end,
    read = function(a, key) return a[key] end,
    write = function(a, key, value) a[key] = value end},
  {name = "call", fits = function(c) return #c.items ~= 1 or is_plain(c.text) or c.items[1].at end,
    key = function(c) return values_of(c.items, #c.items == 1) end,
    read = function(a, key) return a(unpack(key)) end,
    write = function(a, key, value)
      key[#key + 1] = value
      a:set(unpack(key))
    end},
  {name = "get", fits = function(c) return #c.items ~= 1 or is_plain(c.text) or c.items[1].at end,
    key = function(c) return values_of(c.items, #c.items == 1) end,
    read = function(a, key) return a:get(unpack(key)) end,
    write = function(a, key, value)
      key[#key + 1] = value
      a:set(unpack(key))
    end},
  {name = "number", fits = function(c) return #c.items == 1 and c.items[1].at end,
    key = function(c) return as_integer(c.items[1].at) end,
    read = function(a, key) return a[key] end,
    write = function(a, key, value) a[key] = value end},
  {name = "slice", fits = function() return true end, is_view = true,
    key = function(c) return is_plain(c.text) and chance(0.5) and c.text or values_of(c.items) end,
    read = function(a, key) return a:slice(key) end,
    write = function(a, key, value) a:slice(key):copy_from(value) end},
}

-- ---- cases ----

local function shape_text(shape) return #shape == 0 and "-" or table.concat(shape, "x") end

local function random_shape()
  local shape = {}
  for i = 1, rng(0, 6) do shape[i] = chance(0.08) and 0 or rng(1, 5) end
  return shape
end

local function value_shape(shape)
  local out = {}
  for i = rng(1, math.max(1, #shape)), #shape do
    out[#out + 1] = chance(0.25) and 1 or shape[i]
  end
  if #out > 0 and chance(0.05) then out[rng(#out)] = 7 end
  while #out < 8 and chance(0.1) do table.insert(out, 1, 1) end
  return out
end

local function is_writable_as_table(shape)
  for i = 1, #shape - 1 do if shape[i] == 0 then return false end end
  return #shape > 0
end

local function random_value(shape)
  local kind = pick {"scalar", "table", "array", "array"}
  if kind == "scalar" then return {kind = kind, number = rng(0, 7)} end
  local own = value_shape(shape)
  if kind == "table" and not is_writable_as_table(own) then kind = "array" end
  return {kind = kind, shape = own}
end

local function new_case(action)
  local c = {dtype = pick(DTYPES), shape = random_shape(), action = action, chain = {}}
  local shape = c.shape
  if chance(0.3) then
    local first = random_expression(shape)
    c.first = text_of(first)
    if not is_plain(c.first) then c.first = "..." else shape = shape_after(shape, first) end
    c.chain[1] = c.first
  end
  c.items = random_expression(shape)
  local after = shape_after(shape, c.items)
  if action == "refuse" then break_expression(shape, c.items) end
  c.text = text_of(c.items)
  c.chain[#c.chain + 1] = c.text
  repeat c.form = pick(FORMS) until c.form.fits(c)
  if action == "set" or action == "refuse" and chance(0.3) then c.value = random_value(after) end
  return c
end

local function line_of(c)
  local action = "get"
  if c.value then
    action = c.value.kind == "scalar" and "set:s:" .. c.value.number
      or "set:v:" .. shape_text(c.value.shape)
  end
  return table.concat({c.dtype, shape_text(c.shape), table.concat(c.chain, "|"), action}, "\t")
end

-- ---- arrays and values ----

local pools = {}

-- Element k (from 0) is 7k % 8.
local function new_array(dtype, shape)
  if not pools[dtype] then
    local t = {}
    for k = 0, LARGEST - 1 do t[k + 1] = k * 7 % 8 end
    pools[dtype] = nd.array(t, dtype)
  end
  local n = 1
  for _, extent in ipairs(shape) do n = n * extent end
  return pools[dtype]:narrow(1, 1, n):clone():reshape(shape)
end

local function nested(shape, depth, k)
  local out = {}
  for i = 1, shape[depth] do
    if depth == #shape then
      out[i], k = (3 * k + 1) % 8, k + 1
    else
      out[i], k = nested(shape, depth + 1, k)
    end
  end
  return out, k
end

local function value_array(shape)
  local n = 1
  for _, extent in ipairs(shape) do n = n * extent end
  local flat = nested({n}, 1, 0)
  local a = nd.array(flat, pick {"f64", "i32", "u8", "i64", "f32", "u16"}):reshape(shape)
  if chance(0.4) then -- the same elements, laid out the other way round
    local back = {}
    for i = 1, #shape do back[i] = shape[#shape - i + 1] end
    a = nd.empty(back, a.dtype).T:copy_from(a)
  end
  return a
end

local function make_value(v)
  if v.kind == "scalar" then return v.number end
  if v.kind == "table" then return (nested(v.shape, 1, 0)) end
  return value_array(v.shape)
end

local function hex(text)
  if text == "" then return "-" end
  return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function element_text(x)
  if type(x) == "boolean" then return tostring(x) end
  if type(x) == "number" then return ("%.17g"):format(x) end
  if type(x) ~= "cdata" then return "?" .. type(x) end
  if ffi.istype("int64_t", x) or ffi.istype("uint64_t", x) then
    return (tostring(x):gsub("U?LL$", ""))
  end
  return ("%.17g,%.17g"):format(tonumber(x.re), tonumber(x.im))
end

-- ---- comparing ----

-- nil, or what is wrong with 'got'.
local function compare_view(base, got, is_view, answer)
  local _, is_element, shape, strides, offset, element, bytes = unpack(answer)
  if is_element == "1" and not is_view then
    local text = element_text(got)
    return text ~= element and ("element %s, NumPy has %s"):format(text, element) or nil
  end
  if type(got) ~= "userdata" then return "no view but " .. tostring(got) end
  if shape_text(got.shape) ~= shape then
    return ("shape %s, NumPy has %s"):format(shape_text(got.shape), shape)
  end
  local own, i = got.byte_strides, 0
  for stride in strides:gmatch "%S+" do
    i = i + 1
    if stride ~= "*" and stride ~= "-" and tonumber(stride) ~= own[i] then
      return ("byte strides %s, NumPy has %s"):format(table.concat(own, " "), strides)
    end
  end
  if offset ~= "*" and tonumber(offset) ~= got.offset then
    return ("offset %d, NumPy has %s"):format(got.offset, offset)
  end
  if got.storage_id ~= base.storage_id then return "not a view of the array" end
  if hex(got:copyout()) ~= bytes then return "the elements differ" end
end

local function run(c, base)
  local target = c.first and base:slice(c.first) or base
  local key = c.form.key(c)
  if c.value then return c.form.write(target, key, make_value(c.value)) end
  return c.form.read(target, key)
end

local function check(c, answer)
  local base = new_array(c.dtype, c.shape)
  local before = base:copyout()
  local fine, got = pcall(run, c, base)
  if answer[1] == "E" then
    if fine then return "not refused; expected " .. answer[2] end
    if type(got) ~= "table" or got.code ~= answer[2] then
      return ("expected %s, got %s"):format(answer[2], type(got) == "table" and
        got.code .. ": " .. got.message or tostring(got))
    end
    if type(got.message) ~= "string" or #got.message < 10 then return "no message" end
    return base:copyout() ~= before and "refused, but the array changed" or nil
  end
  if not fine then return "raised " .. tostring(got) end
  if answer[1] == "V" then return compare_view(base, got, c.form.is_view, answer) end
  return hex(base:copyout()) ~= answer[2] and "the array differs after the assignment" or nil
end

-- All cases go through NumPy in one process; made by the first test that asks.
local cases, answers = {}, nil
local function prepare()
  if #cases > 0 then return end
  for _, kind in ipairs {{"get", 5000}, {"set", 3000}, {"refuse", 2000}} do
    for _ = 1, H.cases(kind[2]) do cases[#cases + 1] = new_case(kind[1]) end
  end
  local lines = {}
  for i, c in ipairs(cases) do lines[i] = line_of(c) end
  answers = common.ask("spec/bind/index_oracle.py", lines)
end

-- Run the cases of one kind; the counts of NumPy's answers.
local function check_all(action)
  prepare()
  local wrong, counts = {}, {V = 0, W = 0, E = 0}
  for i, c in ipairs(cases) do
    if c.action == action then
      counts[answers[i][1]] = counts[answers[i][1]] + 1
      local what = check(c, answers[i])
      if what and #wrong < 8 then
        wrong[#wrong + 1] = ("seed %d: %s (%s): %s"):format(H.seed, line_of(c), c.form.name, what)
      end
    end
  end
  assert.equal("", table.concat(wrong, "\n"))
  return counts
end

describe("indexing at random", function()
  it("reads what NumPy reads, and views share the storage", function()
    assert.is_true(H.is_share(0.99, check_all("get").V, H.cases(5000)))
  end)

  it("writes what NumPy writes", function()
    assert.is_true(H.is_share(0.8, check_all("set").W, H.cases(3000)))
  end)

  it("refuses what is no index, and changes nothing then", function()
    assert.is_true(H.is_share(0.7, check_all("refuse").E, H.cases(2000)))
  end)
end)
