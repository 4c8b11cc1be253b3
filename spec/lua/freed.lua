-- Frees arrays, or calls their __gc, from finalizers in the middle of element accesses.
-- freed_spec.lua runs it with a malloc that unmaps what is freed, so that an access to it crashes,
-- or under valgrind:
--   freed.lua off|on|record TRIALS SEED
-- off: jit.off(); on: traces are there before the trials, and no more are recorded; record: they
-- are recorded meanwhile. Raises when an access gives anything but the element, or "freed"; prints
-- how many frees came while accesses ran.
package.path = "./?.lua;" .. package.path
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"

local mode, trials, seed = arg[1], tonumber(arg[2]), tonumber(arg[3])
if mode == "off" then jit.off() end
-- a test that fails in compiled code goes back to the interpreter each time
jit.opt.start("hotloop=5", mode == "record" and "hotexit=5" or "hotexit=200")
math.randomseed(seed)

local N = 8192
local dtypes = {}
for name in pairs(core.dtypes) do dtypes[#dtypes + 1] = name end
table.sort(dtypes)

-- By dtype: what all elements are, and what is stored. Big 64-bit integers are read as cdata.
local plain = { 3, 2 }
local values = {
  bool = { true, false }, i64 = { 2LL ^ 60, 5 }, u64 = { 2ULL ^ 60, 7ULL },
  c64 = { ffi.new("complex float", 3, 1), 2 },
  c128 = { ffi.new("complex", 3, 1), ffi.new("complex", 2, 5) },
}

local layouts = {
  unit = function(a) return a end,
  strided = function(a) return a "::2" end,
  punned = function(a)
    local _ = a:bitcast(a.itemsize == 2 and "u8" or "u16")
    return a
  end,
  ["punned, strided"] = function(a)
    local _ = a:bitcast(a.itemsize == 2 and "u8" or "u16")
    return a "-1:1:-1"
  end,
  matrix = function(a) return a:reshape(N / 8, 8) end,
  transposed = function(a) return a:reshape(8, N / 8).T end,
}

-- Each on array a, at index i <= 8; x is what was read.
local forms = {
  ["a[i]"] = "x = a[i]", ["a(i)"] = "x = a(i)", ["a:get(i)"] = "x = a:get(i)",
  ["a[i] = v"] = "a[i] = v", ["a:set(i, v)"] = "a:set(i, v)",
  ["a(i, j)"] = "x = a(i, 2)", ["a:get(i, j)"] = "x = a:get(i, 3)",
  ["a:set(i, j, v)"] = "a:set(i, 2, v)",
  ["row[j] of a:rows()"] = "for k, row in a:rows() do x = row[i] if k == 6 then break end end",
  ["row[j] = v of a:rows()"] = "for k, row in a:rows() do row[i] = v if k == 6 then break end end",
}

local function fits(layout, form)
  local is_matrix = layout == "matrix" or layout == "transposed"
  return (form:find "j" ~= nil) == is_matrix
end

-- {=== the collector ===}

local target, hits, pending = nil, 0, 0
local successor -- may get the memory and the record of a dropped storage, with the same epoch

local function finalize()
  pending = pending - 1
  local a = target
  if not a then return end
  target, hits = nil, hits + 1
  if hits % 2 == 0 then return a:free() end
  local dtype = a.dtype
  core.metatables.f64.__gc(a)
  assert(not successor or successor:count_nonzero() == 0, "a store reached another array")
  successor = nd.full({N}, 0, dtype)
end

-- From now on each step of the collector, one for a KiB of garbage, runs one finalizer.
local function arm()
  local count = 100
  target = nil
  collectgarbage()
  pending = count
  for _ = 1, count do getmetatable(newproxy(true)).__gc = finalize end
  collectgarbage("setstepmul", 200)
  while pending == count do collectgarbage("step", 0) end
  collectgarbage("setstepmul", 1)
end

-- {=== one trial ===}

local function is_complex(x) return type(x) == "cdata" and tostring(x):find "i$" end
local function same(x, y)
  if is_complex(x) then return x.re == y.re and x.im == y.im end
  return x == y
end

-- Access until it raises, as the memory is freed: all that was read before has to be right.
local function try(name, access, a, pair)
  for i = 1, 40 do
    local fine, e = pcall(access, a, i % 8 + 1, pair[2])
    if not fine then return assert(e.code == "freed", name .. ": " .. tostring(e)) end
    if e ~= nil and not same(e, pair[1]) and not same(e, pair[3]) then
      error(name .. ": read " .. tostring(e))
    end
  end
end

-- Only the accesses are to be compiled.
jit.off(arm)
jit.off(try)
jit.off(finalize)

-- {=== what the traces that are there were recorded on ===}

local function full(value, dtype) return nd.full({ N }, value, dtype) end
local nan = { f32 = 0x7fffffff, f64 = 2LL ^ 63 - 1 } -- more payload than the processor's own
local function can_be_nan(dtype, form)
  return (nan[dtype] or dtype == "c64" or dtype == "c128") and forms[form]:find "x ="
end

local warms = {
  sound = full, -- unlike the next in some test
  freed = full, -- the epochs differ
  -- the tests of the bits fail
  ["NaN"] = function(_, dtype)
    local part = dtype == "c64" and "f32" or dtype == "c128" and "f64" or dtype
    local n = part == dtype and N or 2 * N
    return nd.full({ n }, nan[part], part == "f32" and "u32" or "u64"):bitcast(dtype)
  end,
}

local function warm_up(kind, access, dtype, layout, pair)
  jit.flush()
  jit.opt.start "maxrecord=4000"
  for i = 1, 30 do
    local base = warms[kind](pair[1], dtype)
    local a = layouts[layout](base)
    if kind == "freed" then base:free() end
    pcall(access, a, i % 8 + 1, pair[2])
  end
  jit.opt.start "maxrecord=1" -- only what is compiled by now
end

local function run(kind, dtype, layout, form)
  local name = ("%s %s %s, after %s"):format(dtype, layout, form, kind)
  io.stderr:write(name, "\n") -- should it crash
  local pair = values[dtype] or plain
  pair = { pair[1], pair[2], nd.full({ 1 }, pair[2], dtype)[1] }
  local access = assert(loadstring("local a, i, v = ... local x " .. forms[form] .. " return x"))
  target = nil
  if mode == "on" then warm_up(kind, access, dtype, layout, pair) end
  for _ = 1, trials do
    if pending < 10 then arm() end
    local base = full(pair[1], dtype)
    local a = layouts[layout](base)
    for _ = 1, math.random(0, 60) do local _ = ffi.new "int32_t" end -- moves the collector's steps
    target = base
    try(name, access, a, pair)
    target = nil
  end
end

jit.off(warm_up)
jit.off(run)

for kind in pairs(mode == "on" and warms or { sound = full }) do
  for _, dtype in ipairs(dtypes) do
    for layout in pairs(layouts) do
      for form in pairs(forms) do
        if fits(layout, form) and (kind ~= "NaN" or can_be_nan(dtype, form)) then
          run(kind, dtype, layout, form)
        end
      end
    end
  end
end
print(hits)
