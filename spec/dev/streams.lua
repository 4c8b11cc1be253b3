-- What the specs of streams share.
local C = require "spec.dev.cuda"

local streams = {}

-- Two streams, and what is in flight: on a card nothing stays so for long enough to be looked at.
-- 'far' is another GPU; nil where there is one alone.
streams.TWO = [[
  local gpu = nd.device "cuda:0"
  local s, t = gpu:stream(), gpu:stream()
  local far = nd.devices()[3] and nd.device "cuda:1"
  local function hold(stream, is_on)
    if sim then assert(sim.cusim_hold(stream.handle, is_on)) end
  end
  local function array(value, place, n) return nd.full({n or 1000}, value, "f32", place) end
]]

-- A stream that is not ours, to be destroyed by theirs.
streams.THEIRS = [[
  ffi.cdef "int cuStreamCreate(void **, unsigned); int cuStreamDestroy_v2(void *);"
  enter(0)
  local function make_stream()
    local out = ffi.new "void *[1]"
    assert(driver.cuStreamCreate(out, 1) == 0)
    return out[0]
  end
  local function id(stream) return tonumber(ffi.cast("uintptr_t", stream)) end
]]

--- The script, after TWO, in each mode of the simulator, which looks at all accesses of the CPU.
-- 'it' is busted's.
function streams.each_mode(it, name, script, settings)
  for _, mode in ipairs(C.modes) do
    it(name .. ", " .. mode, function()
      local all = {mode = mode, devices = 2, protect = 1}
      for key, value in pairs(settings or {}) do all[key] = value end
      C.run(all, streams.TWO .. script)
    end)
  end
end

return streams
