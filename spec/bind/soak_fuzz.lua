-- Random calls on random values, with finalizers that call back at any moment:
--   luajit spec/bind/soak_fuzz.lua [seed] [seconds] [calls]
-- Run it under AddressSanitizer with -joff, for hours if you like. It ends with the number of
-- calls; anything that raises what is no error object, or is not sound, ends it with the seed.
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"

local seed, seconds = tonumber(arg[1]) or os.time(), tonumber(arg[2]) or 10
local most = tonumber(arg[3]) or math.huge
local LARGEST = 50000 -- elements of an array that is kept

local state = seed % 2147483646 + 1
local function random(n)
  state = state * 16807 % 2147483647
  return state % n + 1
end
local function pick(list) return list[random(#list)] end

local function sorted(list)
  local names = {}
  for name, value in pairs(list) do
    if type(value) == "function" then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

local dtypes = {}
for dtype in pairs(core.metatables) do dtypes[#dtypes + 1] = dtype end
table.sort(dtypes)
local methods, properties = sorted(core.metatables.f64.methods), sorted(core.properties)
local metamethods = sorted(core.metatables.f64)
local skipped = {info = true, save = true, load = true, printoptions = true, seed = true}
local functions = {}
for _, name in ipairs(sorted(nd)) do
  if not skipped[name] then functions[#functions + 1] = name end
end

-- ---- values ----

local pool, calls, in_finalizer = {}, 0, 0

local function keep(a)
  local fine, n = pcall(function() return a.size end)
  if fine and n <= LARGEST then pool[#pool < 60 and #pool + 1 or random(#pool)] = a end
end

local function shape()
  local out = {}
  for i = 1, random(4) - 1 do out[i] = random(6) - (random(8) == 1 and 1 or 0) end
  return out
end

local junk = {
  0, -1, 1, 2, 3, 4, 5, -2, 0.5, 0 / 0, 1 / 0, 2 ^ 53, 2 ^ 63, -2 ^ 63, 1e308, true, false, "",
  "x", ":", "1", "-1:1:-1", "2:", "...", "_,1", "1:2,...", "::0", "wrap", "check", "cpu", "a\0b",
  "dtype", ffi.new("int64_t", 2), ffi.new("int64_t", -1), ffi.new("uint64_t", -1),
  ffi.new("complex", 1, 2),
  ffi.cast("float *", 0), ffi.new("float[8]"), ffi.new("char[3]"), ffi.typeof "int",
  function(...) return ... end, io.stdout, newproxy(), 0x7fffffffffffffffLL,
}

local options = {"dtype", "copy", "mode", "seed", "owner", "device"}
local makers
local function value(depth)
  local kind = random(12)
  if kind <= 3 and #pool > 0 then return pick(pool) end
  if kind <= 6 then return random(6) - 2 end
  if kind == 7 then return pick(dtypes) end
  if kind == 8 then return shape() end
  if kind == 9 and depth < 3 then
    local t = {}
    for i = 1, random(4) - 1 do t[i] = value(depth + 1) end
    if random(4) == 1 then t[pick(options)] = value(depth + 1) end
    return t
  end
  if kind == 10 then return makers[random(#makers)]() end
  return pick(junk)
end

makers = {
  function() return nd.ones(shape(), pick(dtypes)) end,
  function() return nd.empty(shape(), pick(dtypes), {lazy = random(2) == 1}) end,
  function() return nd.random(shape(), "f32"):astype(pick(dtypes)) end,
  function() return nd.arange(1, random(9), 1, pick {"i8", "u16", "f64", "i64"}) end,
  function() return nd.randint(0, 1, shape(), "i32"):astype "bool" end,
  function()
    return nd.wrap(ffi.new("double[24]"), "f64", {2, 3, 4}, {readonly = random(2) == 1})
  end,
  function()
    return setmetatable({}, {__index = function(_, k)
      if type(k) == "number" and random(3) == 1 then error {} end
      return pick(pool)
    end, __tostring = function() return nd.zeros(2):totable() end})
  end,
}

local function arguments(first)
  local list, n = {first}, random(4) - 1 + (first ~= nil and 1 or 0)
  for i = first ~= nil and 2 or 1, n do list[i] = value(0) end
  return list, n
end

-- ---- calls ----

-- These trust the addresses that they get, as pointers or as numbers.
local trusting = {from_dlpack = true, from_arrow = true, from_arrow_device = true,
                  from_arrow_stream = true}

local function has_address(list, n)
  for i = 1, n do
    if type(list[i]) == "cdata" or type(list[i]) == "number" then return true end
  end
  return false
end

local function judge(name, fine, ...)
  if not fine then
    local e = ...
    if getmetatable(e) == "ndbuf.error" and e.message ~= "" then return end
    if type(e) == "table" then return end -- of one of our metamethods
    error(("seed %d, call %d: %s raised %s"):format(seed, calls, name, tostring(e)), 0)
  end
  for i = 1, math.min(select("#", ...), 4) do
    local result = select(i, ...)
    -- The caller's to consume, as no collector releases it.
    if name == "to_dlpack" then result = nd.from_dlpack(result) end
    if type(result) == "userdata" and tostring(getmetatable(result)):find "^ndbuf%.[^d]" then
      keep(result)
    end
  end
end

local function step()
  calls = calls + 1
  local kind = random(10)
  if kind == 1 or #pool < 5 then return judge("make", pcall(makers[random(#makers - 1)])) end
  if kind == 2 then
    local name = pick(functions)
    local list, n = arguments()
    if trusting[name] and has_address(list, n) then return end
    return judge(name, pcall(nd[name], unpack(list, 1, n)))
  end
  local a = pick(pool)
  local is_there, dtype = pcall(function() return a.dtype end)
  if not is_there then return end -- a finalizer called its __gc
  local mt = core.metatables[random(20) == 1 and pick(dtypes) or dtype]
  local list, n = arguments(a)
  if kind == 3 then
    local name = pick(properties)
    return judge(name, pcall(mt.properties[name], a))
  elseif kind == 4 then
    local name = pick(metamethods)
    if name == "__gc" and random(4) > 1 then return end
    return judge(name, pcall(mt[name], unpack(list, 1, n)))
  end
  local name = pick(methods)
  if name == "free" and random(4) > 1 then return end
  judge(name, pcall(mt.methods[name], unpack(list, 1, n)))
end

-- Handles that __gc was called on by hand are only in the way.
local function weed()
  for i = #pool, 1, -1 do
    if not pcall(function() return pool[i].dtype end) then table.remove(pool, i) end
  end
end

local function arm()
  getmetatable(newproxy(true)).__gc = function()
    in_finalizer = in_finalizer + 1
    local fine, e = pcall(function()
      for _ = 1, random(3) do weed() step() end
    end)
    in_finalizer = in_finalizer - 1
    if not fine then io.stderr:write(tostring(e), "\n") os.exit(3) end
  end
end

local function check_some()
  local a = pick(pool)
  local fine, e = pcall(function()
    local t = a:clone()
    assert(a.T.T:equal(t) or a:astype("f64"):flatten():equal(a:astype "f64") == false or a.size > 0)
    assert(t.size == a.size and t.dtype == a.dtype and not t.readonly)
    return tostring(a)
  end)
  if not fine and getmetatable(e) ~= "ndbuf.error" then
    error(("seed %d, call %d: %s"):format(seed, calls, tostring(e)), 0)
  end
end

collectgarbage("setpause", 60)
local stop = os.time() + seconds
while calls < most and os.time() < stop do
  for _ = 1, 50 do
    weed()
    step()
    if random(20) == 1 then arm() end
  end
  if #pool > 0 then check_some() end
  if random(10) == 1 then nd.scope(function() for _ = 1, 5 do weed() step() end end) weed() end
end
pool = {}
print(("seed %d: %d calls"):format(seed, calls))
