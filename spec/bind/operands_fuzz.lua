-- Calls whose operands a finalizer takes away, by __gc or free, at a random allocation:
--   luajit spec/bind/operands_fuzz.lua SEED CALLS
-- Right after that the finalizer makes arrays of the same size, 'victims': the allocator gives them
-- the memory that was freed, so a store through a stale address shows in them. Under
-- AddressSanitizer any such access ends the process. Prints how many calls lost an operand.
local nd = require "ndbuf"
local core = require "ndbuf.core"

local seed, most = tonumber(arg[1]), tonumber(arg[2])
local state = seed % 2147483646 + 1
local function random(n)
  state = state * 16807 % 2147483647
  return state % n + 1
end
local function pick(list) return list[random(#list)] end

local finalize = core.metatables.f64.__gc -- the same for all dtypes

-- ---- calls ----

-- What is called: by name, with 'o', the operands, all of 'o.n' elements but for the index.
local calls = {
  slice_is_table = function(o) o.a[o.part] = o.list end,
  slice_is_array = function(o) o.a[o.part] = o.b[o.part] end,
  slice_is_number = function(o) o.a[o.part] = 7 end,
  range_is_table = function(o) o.a[{{2, 1 + #o.list}}] = o.list end,
  element = function(o) return o.a[2] end,
  element_is_number = function(o) o.a[2] = 7 end,
  element_is_array = function(o) o.a[2] = nd.full(7, {}) end,
  mask = function(o) return o.a[o.mask] end,
  mask_is_number = function(o) o.a[o.mask] = 7 end,
  mask_is_array = function(o) o.a[o.mask] = o.b[o.mask] end,
  index = function(o) return o.a[o.index] end,
  index_is_table = function(o) o.a[o.index] = {7, 8, 9} end,
  slice = function(o) return o.a[o.part] end,
  call = function(o) return o.a(2), o.a(o.part) end,
  set = function(o) o.a:set(2, 7) end,
  copy_from_table = function(o) o.a[o.part]:copy_from(o.list) end,
  put_table = function(o) return o.a:put({1, 3, 2}, {7, 8, 9}) end,
  index_add_table = function(o) return o.a:index_add(1, {1, 3, 2}, {7, 8, 9}) end,
  index_add_number = function(o) return o.a:index_add(1, o.index, 1) end,
  plus = function(o) return o.a + o.b end,
  minus_number = function(o) return 2 - o.a end,
  text = function(o) return tostring(o.a) end,
  rows = function(o)
    for _, row in o.a:reshape(-1, 2):rows() do row[1] = 7 end
  end,
  scope = function(o)
    return nd.scope(function() return o.a:clone() end)
  end,
  where = function(o) return nd.where(o.mask, o.a, o.b) end,
  concat = function(o) return nd.concat({o.a, o.b}, 1) end,
  stack = function(o) return nd.stack {o.a, o.b} end,
  out = function(o) return nd.add(o.a, 1, {out = o.b}) end,
  sum_out = function(o) return o.a:reshape(2, -1):sum(1, {out = nd.zeros(o.n / 2, o.a.dtype)}) end,
}
local named = {}
for name in pairs(calls) do named[#named + 1] = name end
table.sort(named)

local methods = {}
for name in pairs(core.metatables.f64.methods) do methods[#methods + 1] = name end
table.sort(methods)

local function call_method(o)
  local name = pick(methods)
  local lists = {
    {}, {o.b}, {2}, {o.index}, {o.list}, {o.mask}, {o.mask, o.b}, {1, o.index, o.b}, {1}, {1, 2},
    {o.b, {out = o.a}}, {"f32"}, {2, -1}, {1, 1, 3}, {{out = o.b}},
  }
  return name, pcall(function() return o.a[name](o.a, unpack(pick(lists))) end)
end

local function call(o)
  if random(2) == 1 then return call_method(o) end
  local name = pick(named)
  return name, pcall(calls[name], o)
end

-- ---- operands ----

local makers = {
  function(n, dtype) return nd.ones(n, dtype) end,
  function(n, dtype) return nd.empty(n, dtype, {lazy = true}) end,
  function(n, dtype) return nd.zeros(2, n, dtype)[2] end, -- a view; the array goes
  function(n, dtype) return nd.ones(2 * n, dtype):reshape(n, 2):select(2, 1) end,
}

local function operands()
  local n = pick {8, 40, 2000}
  local dtype = pick {"f64", "f32", "i64", "u8", "c128", "f16"}
  local half, list = n / 2, {}
  for i = 1, half do list[i] = i % 100 end
  local mask = nd.zeros(n, "bool")
  mask[{{1, half, 2}}] = true
  return {n = n, dtype = dtype, part = ("2:%d"):format(half + 1), list = list, mask = mask,
    index = nd.array({1, 3, 2}, "i64"), a = pick(makers)(n, dtype), b = pick(makers)(n, dtype)}
end

local function take_away(o)
  local name = pick {"a", "a", "a", "b", "mask", "index"}
  if random(5) > 1 then finalize(o[name])
  else pcall(function() o[name]:free() end) end -- it may be finalized
end

-- ---- finalizers ----

local current -- the operands of the call in progress
local victims, delay = {}, 0

local arm

local function on_collection()
  if not current then return end
  delay = delay - 1
  if delay >= 0 then return arm() end -- at a later allocation
  if current.is_hit then return end
  current.is_hit = true
  for _ = 1, random(2) do take_away(current) end
  for i = 1, 4 do victims[i] = nd.zeros(current.n, current.dtype) end
end
function arm() getmetatable(newproxy(true)).__gc = on_collection end

-- ---- the run ----

local function check_error(name, e)
  if getmetatable(e) == "ndbuf.error" then return end
  error(("seed %d: %s raised %s"):format(seed, name, tostring(e)), 0)
end

-- What was made, or what is left of it, can be read.
local function read(x)
  if type(x) ~= "userdata" then return end
  local fine, e = pcall(function() return x:clone() end)
  if not fine then check_error("clone", e) end
end

local function step()
  local o = operands()
  for _ = 1, 8 do arm() end
  victims, delay = {}, random(5) - 2
  current = o
  local name, fine, result = call(o)
  current = nil
  if not fine then check_error(name, result) else read(result) end
  for _, v in ipairs(victims) do
    local is_there, count = pcall(v.count_nonzero, v) -- not where it was made in nd.scope
    if is_there and count ~= 0 then
      error(("seed %d: %s wrote to memory that was freed"):format(seed, name), 0)
    end
  end
  return o.is_hit, fine
end

collectgarbage("setpause", 0)
collectgarbage("setstepmul", 5000)
local hits, done = 0, 0
for _ = 1, most do
  local is_hit, fine = step()
  if is_hit then hits = hits + 1 end
  if is_hit and fine then done = done + 1 end
end
victims = {}
jit.flush() -- traces keep what they were recorded on
for _ = 1, 4 do collectgarbage() core.stats() end
print(hits, done, core.stats().live, core.stats().count)
