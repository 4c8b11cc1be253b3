-- What fails in the driver: contexts that are lost, frees. cuda_faults_spec.lua fails each call.
local C = require "spec.dev.cuda"

describe("failures of the driver #sim", function()
  it("that lose the context are told by every later call; frees count as lost", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, devices = 2}, [[
        local a, b = nd.ones({1000}, "u8", "cuda:0"), nd.ones({500}, "u8", "cuda:0")
        local other, m = nd.ones(3, "cuda:1"), nd.ones({30}, "u8", "managed:0")
        assert(sim.cusim_fail("cuMemcpyDtoHAsync_v2", 1, "CUDA_ERROR_ILLEGAL_ADDRESS"))
        H.raises_like("driver", "cuMemcpyDtoHAsync failed: CUDA_ERROR_ILLEGAL_ADDRESS %(700%)",
          function() return a[1] end)
        for _, later in ipairs {
          function() return a[1] end, function() a[1] = 2 end, function() return a:clone() end,
          function() return nd.ones(3, "cuda") end, function() return a:to "cuda:1" end,
          function() return nd.zeros(3, "managed") end, function() return b:fill(1) end,
          function() nd.device "cuda":synchronize() end, function() return m:to "cuda" end,
          function() return m:to "cpu" end, function() return m:fill(1) end,
          function() return nd.save(H.path "lost.npy", m) end,
        } do
          local e = H.raises_like("driver", "context of cuda:0 was lost %d+ s ago, when "
            .. "cuMemcpyDtoHAsync failed: CUDA_ERROR_ILLEGAL_ADDRESS %(700%)", later)
          assert(e.number == 700)
        end
        assert(other(2) == 1 and nd.ones(3, "cuda:1")(1) == 1)
        a:free()
        b = nil
        collectgarbage()
        collectgarbage()
        local info = nd.device "cuda":memory_info()
        assert(info.lost == 1500 and info.lost_count == 2 and info.live == 0 and info.pending == 0)
        m:free()
        assert(nd.device "cuda":memory_info().lost_count == 3)
        ffi.cdef "void _exit(int);" -- without a report: of a lost context nothing can be given back
        ffi.C._exit(0)
      ]])
    end
  end)

  it("that lose the context with work in flight are told to who looks, and no block stays for ever",
    function()
      C.run({mode = "lazy", devices = 2}, [[
        local s = nd.device "cuda:0":stream()
        local a, p = nd.ones({20, 20}, "cuda:0"), nd.zeros({20, 20}, "pinned")
        local q, b = nd.zeros({9}, "pinned"), nd.zeros({20, 10}, "cuda:1")
        nd.device "cuda:0":synchronize()
        p:copy_from(a, {stream = s})
        q:copy_from(a"1, 1:9", {stream = s})
        b:copy_from(a":, ::2", {stream = s}) -- through a buffer
        assert(sim.cusim_fail("cuMemsetD8Async", 1, "CUDA_ERROR_ILLEGAL_ADDRESS"))
        H.raises("driver", function() a:fill(0, {stream = s}) end)
        H.raises_like("driver", "context of cuda:0 was lost", function() return p(1, 1) end)
        H.raises_like("driver", "context of cuda:0 was lost", function() p:set(1, 1, 3) end)
        assert(nd.ones(3, "cuda:1")[1] == 1)
        for _ = 1, 3 do assert(nd.ones({100}, "cuda:1"):to("cpu"):sum() == 100) end
        p:free()
        q:free()
        a:free()
        nd.zeros(3)
        assert(nd.device "pinned":memory_info().pending == 0)
        assert(nd.device "cuda:0":memory_info().pending == 0)
        ffi.cdef "void _exit(int);"
        ffi.C._exit(0)
      ]])
    end)

  it("of a wait leave no buffer in use by another device", function()
    C.run({mode = "lazy", devices = 2}, [[
      local a = nd.arange(1, 4000, 1, "f32", "cuda:0")
      local b = nd.zeros({4000}, "f64", "cuda:1")
      b:copy_from(a)
      assert(sim.cusim_fail("cuEventSynchronize", 1, "CUDA_ERROR_UNKNOWN"))
      H.raises_like("driver", "CUDA_ERROR_UNKNOWN", function() b:copy_from(a) end)
      local path = H.path "twice.npy" -- read into the buffers as it is
      nd.save(path, nd.ones(4000))
      for _ = 1, 2 do b:copy_from(nd.load(path, {mmap = true})) end
      assert(b[4000] == 1)
    ]])
  end)

  it("of a fill give back what was taken for it #sim", function()
    C.run({}, [[
      for _, async in ipairs {true, false} do
        nd.memory.set("cuda:0", nd.memory.device(0, {async = async}))
        nd.zeros(3, "cuda"):free()
        assert(sim.cusim_fail("cuMemsetD8Async", 1, "CUDA_ERROR_UNKNOWN"))
        H.raises("driver", nd.zeros, 10, "cuda")
        nd.device "cuda":synchronize()
        assert(sim.cusim_live_bytes "pool" == 0 and sim.cusim_live_bytes "device" == 0)
      end
    ]])
  end)

  it("half-way leave no work behind that the CPU does not wait for #sim", function()
    C.run({mode = "lazy", hide = "cuMemcpy2DAsync_v2,cuMemcpy3DAsync_v2"}, [[
      local p, d = nd.full({4, 100}, 7, "u8", "pinned"), nd.zeros({4, 200}, "u8", "cuda")
      local part = d":, 1:100"
      assert(sim.cusim_fail("cuMemcpyHtoDAsync_v2", 2, "CUDA_ERROR_UNKNOWN"))
      H.raises("driver", function() part:copy_from(p) end)
      p:set(1, 1, 8) -- when the row that was enqueued has been read
      assert(part(1, 1) == 7 and part(2, 1) == 0)
      p:fill(9)
      assert(sim.cusim_fail("cuMemcpyDtoHAsync_v2", 2, "CUDA_ERROR_UNKNOWN"))
      H.raises("driver", function() p:copy_from(part) end)
      assert(p"1, 1" == 7 and p(2, 1) == 9) -- when it has been written
      assert(sim.cusim_fail("cuMemcpyDtoHAsync_v2", 2, "CUDA_ERROR_UNKNOWN"))
      H.raises("driver", function() p:copy_from(part) end)
      p:fill(5)
      nd.device "cuda":synchronize()
      assert(p(1, 1) == 5)
    ]])
  end)

  it("of a free leave it pending, and tried again, though not by every call", function()
    C.run({}, [[
      local a, d = nd.ones({100}, "u8", "cuda"), nd.device "cuda"
      for i = 1, 12 do assert(sim.cusim_fail("cuMemFreeAsync", i, "CUDA_ERROR_INVALID_VALUE")) end
      a:free()
      local calls = sim.cusim_calls "*"
      for _ = 1, 40 do nd.zeros(3) end
      assert(sim.cusim_calls "*" - calls <= 20) -- of 80 and more
      local m = d:memory_info()
      assert(m.live == 0 and m.count == 0 and m.pending == 100)
      for _ = 1, 12 do d:synchronize() end
      assert(sim.cusim_fail_none() == 0)
      m = d:memory_info()
      assert(m.live == 0 and m.pending == 0 and sim.cusim_live_count "pool" == 0)
    ]])
  end)
end)
