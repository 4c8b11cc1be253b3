-- busted's helper for the array specs on another device (spec/dev/suite_spec.lua): makers that are
-- given no device make on NDBUF_DEVICE. What a device cannot do, comparing, is done by the host.
local H = dofile "spec/helper.lua"
local nd = require "ndbuf"
local core = require "ndbuf.core"

H.device = assert(os.getenv "NDBUF_DEVICE", "NDBUF_DEVICE is not set")

local function is_dtype(name) return rawget(core.dtypes, name:lower()) ~= nil end

-- Does this argument say where? Values, which come first, do not.
local function names_device(x)
  if type(x) == "table" then return x.device ~= nil end
  return type(x) == "string" and not is_dtype(x) or getmetatable(x) == "ndbuf.device"
end

local function is_options(x) return type(x) == "table" and type(next(x)) == "string" end

local function with_device(make, first)
  return function(...)
    local n, arguments = select("#", ...), {...}
    if n < first - 1 then return make(...) end
    for i = first, n do
      if names_device(arguments[i]) then return make(...) end
    end
    if n >= first and is_options(arguments[n]) then
      local options = {device = H.device}
      for name, value in pairs(arguments[n]) do options[name] = value end
      arguments[n] = options
    else
      n = n + 1
      arguments[n] = H.device
    end
    return make(unpack(arguments, 1, n))
  end
end

for name, first in pairs {
  array = 2, asarray = 2, zeros = 1, ones = 1, empty = 1, full = 3, arange = 1, linspace = 3,
  eye = 1, random = 1, normal = 1, randint = 3, permutation = 2, frombytes = 2,
  zeros_like = 2, ones_like = 2, empty_like = 2, full_like = 3,
} do
  nd[name] = with_device(nd[name], first)
end
core.dtype_metatable.__call = with_device(core.dtype_metatable.__call, 3)

local function on_host(x)
  return type(x) == "userdata" and core.metatables[x.dtype] and x:to "cpu" or x
end

for _, mt in pairs(core.metatables) do
  local equal = mt.methods.equal
  function mt.methods.equal(a, b, ...) return equal(on_host(a), on_host(b), ...) end
end
local allclose = nd.allclose
function nd.allclose(a, b, ...) return allclose(on_host(a), on_host(b), ...) end

-- With NDBUF_NEIGHBOUR=1 another library has a context on this thread, and each call has to leave
-- it there: looked at between the steps of the interpreter.
if os.getenv "NDBUF_NEIGHBOUR" then
  local ffi = require "ffi"
  ffi.cdef [[
  int cuInit(unsigned); int cuDevicePrimaryCtxRetain(void **, int); int cuCtxSetCurrent(void *);
  void cusim_keep_context(void); bool cusim_check_context(void);
  ]]
  local sim, context = ffi.load(os.getenv "NDBUF_CUDA_DRIVER"), ffi.new "void *[1]"
  assert(sim.cuInit(0) == 0 and sim.cuDevicePrimaryCtxRetain(context, 1) == 0)
  assert(sim.cuCtxSetCurrent(context[0]) == 0)
  sim.cusim_keep_context()
  debug.sethook(function()
    if not sim.cusim_check_context() then error("the thread's context was changed", 2) end
  end, "", 50)
end

return H
