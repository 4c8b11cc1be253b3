-- Drivers that lack functions: each is hidden once, and all kinds of work are done without it.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

-- What cannot be done without; all else is done another way.
local NO_PEER, NO_LOCK = "ask unsupported", "dropped unsupported, locked unsupported"
local REFUSED = {
  cuDeviceCanAccessPeer = NO_PEER, cuCtxEnablePeerAccess = NO_PEER, cuMemPoolSetAccess = NO_PEER,
  cuMemcpyPeerAsync = NO_PEER, cuMemHostRegister_v2 = NO_LOCK, cuMemHostUnregister = NO_LOCK,
  cuMemAllocManaged = "dropped unsupported, make unsupported, managed unsupported, "
    .. "program unsupported",
  cuPointerGetAttribute = "foreign invalid_argument",
  ["cuMemPrefetchAsync_v2,cuMemPrefetchAsync"] = "managed unsupported",
  ["cuMemAdvise_v2,cuMemAdvise"] = "managed unsupported",
}

local function symbols(need)
  local list = {}
  for symbol, how in H.read "src/dev/cuda/symbols.h":gmatch "X%(%w+, ([%w_]+), %d+, (%l+)" do
    if how == need then list[#list + 1] = symbol end
  end
  return list
end

describe("a driver that lacks a function #sim", function()
  local function check(settings, expected)
    settings.mode, settings.devices = "lazy", 2
    local refused = C.run(settings, [[
      local faults = loadfile "spec/dev/cuda_faults.lua" (nd, H, sim, enter)
      io.write(faults.refused())
      faults.finish()
    ]])
    assert.equal(expected, refused, settings.hide or settings.driver)
  end

  it("that can be done without is used all the same", function()
    local list = symbols "optional"
    assert(#list > 20, #list)
    for _, both in ipairs {"cuMemPrefetchAsync_v2,cuMemPrefetchAsync", "cuMemAdvise_v2,cuMemAdvise",
      "cuMemcpy2DAsync_v2,cuMemcpy3DAsync_v2", "cuMemsetD16Async,cuMemsetD32Async"} do
      list[#list + 1] = both
    end
    for _, hidden in ipairs(H.some(list, 6)) do check({hide = hidden}, REFUSED[hidden] or "") end
  end)

  it("that is needed is no GPU, and says so", function()
    local list = symbols "required"
    assert(#list > 25, #list)
    for _, hidden in ipairs(H.some(list, 4)) do
      local why = C.run({hide = hidden}, "io.write(select(2, nd.cuda.available()))")
      assert.truthy(why:find("^there is no GPU: .*" .. hidden), why)
    end
  end)

  it("as older ones do is used all the same", function()
    for _, version in ipairs {11040, 11060, 11080, 12000, 12020, 12040, 12080, 12090, 13000} do
      check({driver = version}, "")
    end
  end)
end)
