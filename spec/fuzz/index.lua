--- What may stand in brackets, made from the input: read and assigned through every form, against a
-- model that counts elements. Returns a function of the input.
local ffi = require "ffi"
local nd = require "ndbuf"
local input = require "spec.fuzz.input"

-- ---- an array and its model: the shape, and for each element the number that it holds ----

local function size_of(shape)
  local n = 1
  for _, extent in ipairs(shape) do n = n * extent end
  return n
end

-- Element numbers of a sub-box of a row-major array, the axes in this order.
local function elements_of(shape, places)
  local list = {}
  local function visit(axis, at)
    if axis > #shape then
      list[#list + 1] = at
      return
    end
    for _, place in ipairs(places[axis]) do visit(axis + 1, at * shape[axis] + place - 1) end
  end
  visit(1, 0)
  return list
end

local function make_array(from)
  local shape = {}
  for i = 1, from:between(0, 4) do shape[i] = from:between(0, 4) end
  local n = size_of(shape)
  local a = nd.arange(0, n - 1, 1, from:pick {"f64", "i32", "u16"}):narrow(1, 1, n):reshape(shape)
  if from:byte() % 3 == 0 and #shape > 1 then -- the same elements at other strides
    a = a.T:clone().T
  end
  return a, shape
end

-- ---- keys: a value for the brackets, and the model's entry; entry nil: must be refused ----

local WRONG = {
  true, 0.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 63, 1e300, ffi.new "float[2]", ffi.cast("uint64_t", -1),
  ffi.cast("void *", 0), ffi.new("complex", 1, 2), print, coroutine.create(print), io.stdout,
}

-- Numbers near what an axis has, now and then far out; as cdata too.
local function integer(from)
  local how = from:byte()
  local n = how < 220 and from:between(-6, 6)
    or from:pick {2 ^ 31, 2 ^ 32 + 1, 2 ^ 53, -2 ^ 53, 2 ^ 62, -2 ^ 63, 2 ^ 63 - 1024}
  if how % 5 == 0 then return ffi.cast("int64_t", n), n end
  if how % 5 == 1 and n > 0 then return ffi.cast("uint64_t", n), n end
  return n, n
end

local function range(from)
  local how, key, entry = from:byte(), {}, {step = 1}
  if how % 2 == 1 then
    key[1], entry.lo = integer(from)
    key[2], entry.hi = integer(from)
    if how % 4 == 3 then key[3], entry.step = integer(from) end
    if how > 250 then key[2] = nil return key end
  elseif how % 8 == 2 then
    key[2], entry.hi = integer(from)
  elseif how % 8 == 4 then
    key[3], entry.step = integer(from)
  elseif how > 250 then
    key[from:pick {0, 4, "step", 1.5}] = 1
    return key
  end
  return key, entry
end

local function text(from)
  local how = from:byte() % 6
  if how == 0 then return "...", {dots = true} end
  if how == 1 then return " _", {new = true} end
  local _, lo = integer(from)
  if math.abs(lo) > 2 ^ 53 then return ":", {step = 1} end
  if how == 2 then return ("%.0f"):format(lo), {at = lo} end
  local _, hi = integer(from)
  if math.abs(hi) > 2 ^ 53 then return "::", {step = 1} end
  if how == 3 then return ("%.0f:%.0f"):format(lo, hi), {lo = lo, hi = hi, step = 1} end
  if how == 4 then return ("%.0f :"):format(lo), {lo = lo, step = 1} end
  return (":%.0f:%.0f"):format(hi, lo), {hi = hi, step = lo}
end

local function entry(from)
  local how = from:byte()
  if how < 110 then
    local key, at = integer(from)
    return key, {at = at}
  elseif how < 190 then
    return range(from)
  elseif how < 245 then
    return text(from)
  end
  return from:pick(WRONG), nil
end

-- Up to six entries, now and then too many; nil as the second result: one of them is wrong.
local function entries(from)
  local keys, model = {}, {}
  local how = from:byte()
  for i = 1, how > 250 and from:between(30, 40) or how % 7 do
    local item
    keys[i], item = entry(from)
    if model then model[i] = item end
    if not item then model = nil end
  end
  return keys, model
end

-- ---- the model's answer ----

local function resolve(at, n)
  if at == 0 or at > n or at < -n then return end
  return at > 0 and at or at + n + 1
end

-- The places that a range takes, nil when it is refused.
local function places_of(item, n)
  local step = item.step
  if step == 0 or step == -2 ^ 63 then return end
  local lo, hi = item.lo or (step > 0 and 1 or n), item.hi or (step > 0 and n or 1)
  if not item.lo and not item.hi and n == 0 then return {} end
  if item.lo and lo < 0 then lo = lo + n + 1 end
  if item.hi and hi < 0 then hi = hi + n + 1 end
  local way = step > 0 and 1 or -1
  local first = step > 0 and 1 or 0
  if hi == lo - way and lo >= first and lo <= first + n then return {} end
  if lo < 1 or lo > n or hi < 1 or hi > n or (hi - lo) * way < 0 then return end
  local list = {}
  for i = lo, hi, step do list[#list + 1] = i end
  return list
end

-- Shape, element numbers, and whether it is one element; nil when it is refused.
local function answer(shape, items)
  local used, dots, most = 0, 0, #shape -- the new axes are there before others are dropped
  for _, item in ipairs(items) do
    if item.dots then dots = dots + 1 elseif item.new then most = most + 1 else used = used + 1 end
  end
  if dots > 1 or used > #shape or #items > 33 or most > 16 then return end
  local out, places, is_element = {}, {}, used == #shape
  local function whole()
    local list = places_of({step = 1}, shape[#places + 1])
    places[#places + 1] = list
    out[#out + 1] = #list
  end
  for _, item in ipairs(items) do
    if item.dots then
      for _ = 1, #shape - used do whole() end
    elseif item.new then
      out[#out + 1], is_element = 1, false
    elseif item.at then
      local at = resolve(item.at, shape[#places + 1])
      if not at then return end
      places[#places + 1] = {at}
    else
      local list = places_of(item, shape[#places + 1])
      if not list then return end
      places[#places + 1] = list
      out[#out + 1], is_element = #list, false
    end
  end
  while #places < #shape do whole() end
  return out, elements_of(shape, places), is_element
end

-- ---- the checks ----

local function flat(a)
  return a.size > 0 and a:contiguous():reshape(-1):totable() or {}
end

local function is_same(x, y)
  if #x ~= #y then return false end
  for i = 1, #x do if x[i] ~= y[i] then return false end end
  return true
end

local function check_error(e)
  assert(type(e) == "table" and type(e.code) == "string" and e.message ~= "", tostring(e))
end

local function check_read(fine, got, shape, elements, is_element)
  if not shape then
    assert(not fine, "taken, but wrong")
    return check_error(got)
  end
  assert(fine, fine or tostring(got))
  if is_element then
    assert(got == elements[1], "element")
    return
  end
  assert(is_sound(got), "unsound") -- luacheck: ignore is_sound
  assert(is_same(got.shape, shape), "shape")
  assert(is_same(flat(got), elements), "elements")
end

local FORMS = {
  function(a, keys) return a[keys] end,
  function(a, keys, n) return a(unpack(keys, 1, n)) end,
  function(a, keys, n) return a:get(unpack(keys, 1, n)) end,
  function(a, keys) return a:slice(keys) end,
}

-- 99 as a number, an array, a table of the right shape.
local function value_for(shape, from)
  local how = from:byte() % 3
  if how == 0 or not shape then return 99 end
  local value = nd.full(shape, 99)
  if how == 1 or #shape == 0 or value.size == 0 then return value end -- {} is 1-D
  return value:totable()
end

local WRITES = {
  function(a, keys, _, value) a[keys] = value end,
  function(a, keys, n, value)
    keys[n + 1] = value
    a:set(unpack(keys, 1, n + 1))
  end,
}

-- Whatever was not meant keeps its number.
local function check_write(a, fine, e, elements)
  local all = {}
  for i = 1, a.size do all[i] = i - 1 end
  if elements then
    assert(fine, fine or tostring(e))
    for _, at in ipairs(elements) do all[at + 1] = 99 end
  else
    assert(not fine, "assigned, but wrong")
    check_error(e)
  end
  assert(is_same(flat(a), all), "elements after assigning")
end

-- A table with more in it than a list. A single table in a call means what it means in brackets.
local function check_forms(a, shape, from)
  local keys, model = entries(from)
  local n = #keys
  local form, write = from:between(1, #FORMS), from:between(1, #WRITES)
  local is_odd = from:byte() > 240
  if is_odd then keys[from:pick {0, -1, n + 2, 0.5, "x"}], model = 1, nil end
  if is_odd or n == 1 and type(keys[1]) == "table" then form, write = form == 4 and 4 or 1, 1 end
  local out, elements, is_element
  if model then out, elements, is_element = answer(shape, model) end
  local fine, got = pcall(FORMS[form], a, keys, n)
  check_read(fine, got, out, elements, is_element and form ~= 4)
  fine, got = pcall(WRITES[write], a, keys, n, value_for(out, from))
  check_write(a, fine, got, out and elements)
end

-- ---- other keys ----

local function check_mask(a, shape, from)
  local depth = from:between(0, #shape)
  local lead = {}
  for i = 1, depth do lead[i] = shape[i] end
  local mask, chosen = nd.zeros(lead, "bool"), 0
  local flags = mask:reshape(-1)
  for i = 1, flags.size do
    flags[i] = from:byte() % 2 == 1
    if flags[i] then chosen = chosen + 1 end
  end
  local fine, got = pcall(function() return a[mask] end)
  assert(fine, fine or tostring(got))
  assert(is_sound(got) and got:dim(1) == chosen, "mask") -- luacheck: ignore is_sound
  a[mask] = 7
  for _, v in ipairs(flat(a[mask])) do assert(v == 7, "assigned by mask") end
end

local function check_picks(a, shape, from)
  local picks, wrong = {}, #shape == 0
  for i = 1, from:between(0, 5) do
    picks[i] = from:between(-5, 5)
    wrong = wrong or not resolve(picks[i], shape[1])
  end
  local index = nd.array(picks, from:pick {"i8", "i32", "i64"})
  local fine, got = pcall(function() return a[index] end)
  assert(fine == not wrong, tostring(got))
  if wrong then
    check_error(got)
    return check_error(select(2, pcall(function() a[index] = 1 end)))
  end
  assert(got:dim(1) == #picks, "picks")
  for i, at in ipairs(picks) do assert(got:select(1, i):equal(a:select(1, at)), "picked") end
  a[index] = got
end

-- Any text: an error object or a value, no more is known here.
local function check_text(a, from)
  local key = from:rest()
  local fine, got = pcall(function() return a[key] end)
  if not fine then check_error(got) end
  fine, got = pcall(a, key)
  if not fine then check_error(got) end
  fine, got = pcall(function() a[key] = 3 end)
  if not fine then check_error(got) end
end

return function(data)
  nd.scope(function()
    local from = input(data)
    local a, shape = make_array(from)
    local how = from:byte()
    if how < 200 then check_forms(a, shape, from)
    elseif how < 220 then check_mask(a, shape, from)
    elseif how < 240 then check_picks(a, shape, from)
    else check_text(a, from) end
  end)
end
