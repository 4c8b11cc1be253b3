-- Beside other libraries that use CUDA in the same process: their contexts, streams and captures.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

local MEMORY = [[
  ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
  ffi.cdef "int cuMemsetD8Async(uint64_t, unsigned char, size_t, void *);"
  ffi.cdef "int cuStreamCreate(void **, unsigned); int cuStreamDestroy_v2(void *);"
  local BYTES = 1000
  local function make_stream(flags)
    local s = ffi.new "void *[1]"
    assert(driver.cuStreamCreate(s, flags or 1) == 0)
    return s[0]
  end
  local function take()
    local p = ffi.new "uint64_t[1]"
    assert(driver.cuMemAlloc_v2(p, BYTES) == 0)
    return p[0], ffi.cast("uint8_t *", p[0])
  end
]]

describe("another library's context", function()
  for _, mode in ipairs {"eager", "lazy", "shuffle"} do
    it("is the thread's again after whatever we do: #sim " .. mode, function()
      for _, theirs in ipairs {"nil", "0", "1", "2"} do
        C.run({mode = mode, seed = H.seed, devices = 3}, ([[
          enter(%s)
          local changed
          debug.sethook(function()
            if not sim.cusim_check_context() then changed = changed or debug.traceback() end
          end, "", 10)
          local faults = loadfile "spec/dev/cuda_faults.lua" (nd, H, sim, enter)
          local devices = nd.devices
          function nd.devices() return {1, 2, 3} end -- as faults.lua counts them
          for _ = 1, 2 do
            local refused = faults.refused()
            assert(refused == "", refused)
            nd.zeros(3) -- of the host, which frees what was dropped
            nd.memory.use(nd.memory.device(0, {async = false}), function()
              nd.zeros(300, "cuda")
            end)
            collectgarbage()
            nd.zeros(3)
          end
          faults.finish()
          H.raises("device_not_found", nd.ones, 3, "cuda:7")
          H.raises("out_of_memory", nd.zeros, {2 ^ 40}, "u8", "cuda")
          sim.cusim_fail("cuMemcpyDtoHAsync_v2", 1, "CUDA_ERROR_UNKNOWN")
          H.raises("driver", function() return nd.ones(3, "cuda")(1) end)
          collectgarbage()
          nd.device "cuda":synchronize()
          debug.sethook()
          assert(not changed, changed)
        ]]):format(theirs))
      end
    end)
  end

  it("and a lost one of ours leave each other alone #sim", function()
    C.run({devices = 2}, [[
      local a = nd.ones(3, "cuda:0")
      enter(1)
      sim.cusim_fail("cuMemcpyDtoHAsync_v2", 1, "CUDA_ERROR_ILLEGAL_ADDRESS")
      H.raises("driver", function() return a[1] end)
      H.raises_like("driver", "was lost", function() return a[1] end)
      assert(sim.cusim_check_context() and nd.ones(3, "cuda:1")[2] == 1)
    ]])
  end)

  it("is left after a thread of its own ends a state, too", function()
    C.run({devices = 2}, [[
      ffi.cdef "void *luaL_newstate(void); void luaL_openlibs(void *); void lua_close(void *);"
      ffi.cdef "int luaL_loadstring(void *, const char *); int lua_pcall(void *, int, int, int);"
      enter(#nd.devices() - 2)
      local L = ffi.C.luaL_newstate()
      ffi.C.luaL_openlibs(L)
      local code = ("package.path = %q package.cpath = %q "):format(package.path, package.cpath)
      code = code .. 'kept = require "ndbuf".ones(3, "cuda") garbage = kept:clone()'
      assert(ffi.C.luaL_loadstring(L, code) == 0 and ffi.C.lua_pcall(L, 0, 0, 0) == 0)
      assert(not sim or sim.cusim_check_context())
      ffi.C.lua_close(L)
      assert(not sim or sim.cusim_check_context())
    ]])
  end)
end)

describe("memory of another library", function()
  for _, mode in ipairs(C.modes) do
    it("is ours once the default stream is through with it: " .. mode, function()
      C.run({mode = mode, seed = H.seed}, MEMORY .. [[
        enter(0)
        local p, at = take()
        for i = 1, 5 do
          assert(driver.cuMemsetD8Async(p, i, BYTES, nil) == 0) -- the legacy stream
          local a = nd.wrap(at, "u8", {BYTES}, {device = "cuda:0"})
          assert(a[1] == i and a:clone()(BYTES) == i and a"::3"[2] == i)
          a:fill(77)
          a:free()
          assert(driver.cuMemsetD8Async(p, 9, BYTES, nil) == 0) -- what we did is over
          a = nd.wrap(at, "u8", {BYTES}, {device = "cuda:0", readonly = true})
          local b = nd.zeros({BYTES}, "u8", "cuda:0"):copy_from(a)
          assert(b[BYTES] == 9)
        end
        assert(driver.cuMemFree_v2(p) == 0)
      ]])
    end)

    it("is ours once the stream that was named is through with it: " .. mode, function()
      C.run({mode = mode, seed = H.seed}, MEMORY .. [[
        enter(0)
        ffi.cdef "typedef struct CUstream_st *CUstream;"
        local p, at = take()
        local s = make_stream()
        for i, stream in ipairs {s, ffi.cast("CUstream", s), tonumber(ffi.cast("uintptr_t", s)),
                                 ffi.cast("uint64_t", s), ffi.cast("int64_t", s)} do
          assert(driver.cuMemsetD8Async(p, i, BYTES, s) == 0)
          local a = nd.wrap(at, "u8", {BYTES}, {device = "cuda:0", stream = stream})
          assert(a[1] == i and a[BYTES] == i)
          a:fill(8) -- complete on return
        end
        for i, stream in ipairs {0, 1, 2, ffi.cast("CUstream", 2), ffi.cast("void *", 0), 1LL} do
          local is_own = stream == 2 or i == 4 -- CU_STREAM_PER_THREAD
          local theirs = ffi.cast("void *", is_own and 2 or 0)
          assert(driver.cuMemsetD8Async(p, i, BYTES, theirs) == 0)
          local a = nd.wrap(at, "u8", {BYTES}, {device = "cuda:0", stream = stream})
          assert(a[1] == i and a[BYTES] == i)
        end
        for _, wrong in ipairs {3, 4095, ffi.cast("void *", 77)} do
          H.raises("invalid_argument", nd.wrap, at, "u8", {1}, {device = "cuda", stream = wrong})
        end
        H.raises("invalid_argument", nd.wrap, at, "u8", {1}, {device = "cuda", stream = -1})
        H.raises("type_mismatch", nd.wrap, at, "u8", {1}, {device = "cuda", stream = "s"})
        H.raises("invalid_argument", nd.wrap, at, "u8", {1}, {device = "cuda", stream = 0.5})
        H.raises("invalid_argument", nd.wrap, ffi.new "char[3]", "u8", {3}, {stream = 0})
        nd.device "cuda":synchronize()
        assert(driver.cuStreamDestroy_v2(s) == 0 and driver.cuMemFree_v2(p) == 0)
      ]])
    end)
  end

  it("is not taken over from a stream that cannot be waited for #sim", function()
    C.run({devices = 2}, MEMORY .. [[
      local function id(s) return ffi.cast("uintptr_t", s) end
      local elsewhere
      enter(1, function() elsewhere = make_stream() end)
      enter(0)
      local p, at = take()
      local s, blocking = make_stream(), make_stream(0)
      local function wrap(stream)
        return nd.wrap(at, "u8", {BYTES}, {device = "cuda:0", stream = stream})
      end
      sim.cusim_capture(id(s), true)
      H.raises_like("stream_misuse", "captured", wrap, s)
      assert(sim.cusim_capture(id(s), false), "the capture has been ended")
      sim.cusim_capture(id(blocking), true)
      H.raises_like("stream_misuse", "captured", wrap, nil) -- the legacy stream orders with it
      assert(sim.cusim_capture(id(blocking), false), "the capture has been ended")
      H.raises_like("stream_misuse", "primary context", wrap, elsewhere)
      assert(sim.cusim_live_count "event" == 0)
      assert(wrap(s):fill(1)(BYTES) == 1)
      for _, x in ipairs {s, blocking} do assert(driver.cuStreamDestroy_v2(x) == 0) end
      assert(driver.cuMemFree_v2(p) == 0)
      enter(1, function() assert(driver.cuStreamDestroy_v2(elsewhere) == 0) end)
    ]])
  end)
end)

describe("another library's capture", function()
  it("goes on whatever we do meanwhile #sim", function()
    C.run({mode = "lazy", devices = 2}, MEMORY .. [[
      ffi.cdef "int cuThreadExchangeStreamCaptureMode(int *);"
      local function exchange(new) -- of this thread; what it was
        local mode = ffi.new("int[1]", new)
        assert(driver.cuThreadExchangeStreamCaptureMode(mode) == 0)
        return mode[0]
      end
      enter(1)
      local s = make_stream()
      exchange(1)
      sim.cusim_capture(ffi.cast("uintptr_t", s), true)
      nd.memory.use(nd.memory.device(0, {async = false}), function()
        local d = nd.ones(1000, "cuda:0")
        assert(d:to "cpu"[7] == 1 and d:to "pinned"[7] == 1 and d:to "cuda:1"[7] == 1)
        local m = nd.ones(100, "managed")
        d":100":copy_from(m)
        nd.ones(1000):pin():copy_from(d)
      end)
      for _ = 1, 2 do collectgarbage() end
      nd.device "cuda:0":synchronize()
      nd.zeros(3)
      assert(nd.device "cuda:0":memory_info().live == 0)
      assert(exchange(0) == 1, "the thread has another mode")
      assert(sim.cusim_capture(ffi.cast("uintptr_t", s), false), "the capture has been ended")
      assert(driver.cuStreamDestroy_v2(s) == 0)
    ]])
  end)
end)

describe("two GPUs", function()
  it("read each other's pools, whichever reads first #sim", function()
    for first = 0, 1 do
      C.run({devices = 2, mode = "lazy"}, ([[
        local one, other = "cuda:%d", "cuda:%d"
        local a = nd.arange(1, 1000, 1, "f32", one)
        local b = a:to(other)
        a:copy_from(b:flip(1):clone())
        assert(a[1] == 1000 and b[1] == 1 and nd.transfers().p2p.calls == 2)
      ]]):format(first, 1 - first))
    end
  end)

  it("read each other's plain memory as well, where they may #sim", function()
    for _, how in ipairs {"", "cuCtxEnablePeerAccess:1:CUDA_ERROR_TOO_MANY_PEERS",
      "cuCtxEnablePeerAccess:2:CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
      "cuCtxEnablePeerAccess:1:CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"} do
      C.run({devices = 2, mode = "lazy", fail = how}, [[
        for i = 0, 1 do nd.memory.set("cuda:" .. i, nd.memory.device(i, {async = false})) end
        local a = nd.arange(1, 1000, 1, "f32", "cuda:0")
        local b = a:to "cuda:1"
        assert(b[1000] == 1000 and nd.transfers().p2p.calls == 1)
        assert(sim.cusim_calls "cuCtxEnablePeerAccess" == 2) -- each the other's
        a:copy_from(b:flip(1):clone())
        assert(a[1] == 1000 and sim.cusim_calls "cuCtxEnablePeerAccess" == 2)
        nd.device "cuda:0":enable_peer "cuda:1"
      ]])
    end
  end)
end)

describe("mapped files that the kernel does not let a driver lock #sim", function()
  it("are refused with what can be done", function()
    C.run({register = "no-files"}, [[
      local path = H.path "map"
      H.write(path, ("x"):rep(10000))
      local a = nd.mmap(path, "u8", {mode = "r+"})
      H.raises_like("unsupported", 'written.*"r" or "c".*pinned', function() a:pin() end)
      assert(a:to "cuda"[7] == 120 and a:to "pinned"[7] == 120)
      local kept = {nd.ones(1000):pin()}
      for _, mode in ipairs {"r", "c"} do
        kept[#kept + 1] = nd.mmap(path, "u8", {mode = mode}):pin()
        assert(kept[#kept]:to "cuda"[7] == 120)
      end
      assert(kept[1][3] == 1 and sim.cusim_live_count "registered" == #kept)
      a[7] = 65
      assert(a:to "cuda"[7] == 65)
    ]])
    C.run({}, [[
      local path = H.path "map"
      H.write(path, ("x"):rep(10000))
      assert(nd.mmap(path, "u8", {mode = "r+"}):pin():to "cuda"[7] == 120)
    ]])
  end)
end)
