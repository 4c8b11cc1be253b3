--- Calls of the CUDA driver by FFI, beside ndbuf's: what a block costs there, and how many calls
-- are made.
local ffi = require "ffi"

local driver = {}

ffi.cdef [[
  int cuInit(unsigned flags);
  int cuDevicePrimaryCtxRetain(void **context, int device);
  int cuCtxSetCurrent(void *context);
  int cuMemAlloc_v2(uint64_t *at, size_t bytes);
  int cuMemFree_v2(uint64_t at);
  int cuMemAllocAsync(uint64_t *at, size_t bytes, void *stream);
  int cuMemFreeAsync(uint64_t at, void *stream);
  bool cusim_set(const char *name, const char *value);
]]

-- A card with as much as RMM's random allocations need: 16000 MiB, and what a pool keeps as well.
local SIMULATED = 24 * 2 ^ 30

local function done(code)
  if code ~= 0 then error("the driver says " .. code, 0) end
end

--- Call first: the simulated driver, where the path leads to that, gets a card of 24 GiB.
function driver.prepare(path)
  pcall(function()
    local library = ffi.load(path)
    assert(library.cusim_set("MEMORY", ("%.0f"):format(SIMULATED)))
    driver.simulated = library
  end)
end

--- Open the driver that ndbuf has opened, with the context of the first GPU. Then there are 'plain'
-- and 'async': {name, malloc, free}.
function driver.open(path)
  local library, context, out = ffi.load(path), ffi.new "void *[1]", ffi.new "uint64_t[1]"
  done(library.cuInit(0))
  done(library.cuDevicePrimaryCtxRetain(context, 0))
  done(library.cuCtxSetCurrent(context[0]))
  local function address(at) return ffi.cast("uint64_t", at) end
  driver.plain = {name = "cuMemAlloc",
    malloc = function(bytes)
      done(library.cuMemAlloc_v2(out, bytes))
      return ffi.cast("void *", out[0])
    end,
    free = function(at) done(library.cuMemFree_v2(address(at))) end}
  driver.async = {name = "cuMemAllocAsync",
    malloc = function(bytes)
      done(library.cuMemAllocAsync(out, bytes, nil))
      return ffi.cast("void *", out[0])
    end,
    free = function(at) done(library.cuMemFreeAsync(address(at), nil)) end}
end

--- How many calls of the driver a pair of the loop makes; nil on a card, where nobody counts.
function driver.count(loop)
  if not driver.simulated then return end
  collectgarbage()
  collectgarbage() -- pools that nobody has any more free their blocks
  loop(100)
  local before = driver.simulated.cusim_calls "*"
  loop(100)
  return tonumber(driver.simulated.cusim_calls "*" - before) / 100
end

return driver
