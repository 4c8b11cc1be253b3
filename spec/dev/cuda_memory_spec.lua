-- Memory of a device: who frees it and when, what an error says, pinned, managed, locked, foreign.
local C = require "spec.dev.cuda"
local MiB = 2 ^ 20

describe("memory of a GPU", function()
  for _, mode in ipairs(C.modes) do
    it("of temporaries is freed by the collector, which is told: " .. mode, function()
      C.run({mode = mode, memory = 256 * MiB}, [[
        local d, most = nd.device "cuda", 0
        for i = 1, 300 do
          local a = nd.zeros({16 * 2 ^ 20}, "f32", "cuda")
          a[i] = i
          local m = d:memory_info()
          most = math.max(most, m.live + m.pending + m.cached)
        end
        assert(most <= 256 * 2 ^ 20, most)
      ]])
    end)

    it("is freed behind the work that uses it: " .. mode, function()
      C.run({mode = mode}, [[
        for _, async in ipairs {true, false} do
          nd.memory.use(nd.memory.device(0, {async = async}), function()
            for i = 1, 50 do
              local a = nd.full({1000 + i}, i, "f32", "cuda")
              local b = a:clone()
              a:free()
              local c = b"::2":clone()
              b = nil
              if i % 7 == 0 then collectgarbage() end
              assert(c[3] == i)
            end
          end)
        end
        collectgarbage()
        collectgarbage()
        nd.device "cuda":synchronize()
        assert(nd.device "cuda":memory_info().live == 0)
        assert(not sim or
          sim.cusim_live_bytes "pool" == 0 and sim.cusim_live_bytes "device" == 0)
      ]])
    end)
  end

  it("is counted as it is taken and given", function()
    C.run({mode = "lazy"}, [[
      local d = nd.device "cuda"
      local a, b = nd.zeros({1000}, "u8", "cuda"), nd.empty({500}, "u8", "cuda")
      assert(d:memory_info().live == 1000 and d:memory_info().count == 1) -- b is lazy
      b:allocate()
      local none = nd.zeros({0, 5}, "cuda")
      local m = d:memory_info()
      assert(m.live == 1500 and m.count == 3 and m.peak == 1500 and none.is_allocated)
      a:free()
      m = d:memory_info()
      assert(m.live == 500 and m.pending == 0 and m.cached > 0)
      d:synchronize()
      m = d:memory_info() -- kept all the same
      assert(m.cached == 1024 or not sim and m.cached > 0, m.cached)
      nd.scope(function() nd.zeros({100}, "u8", "cuda") end)
      assert(d:memory_info().live == 500)
      assert(d.total_memory == m.total and d.free_memory <= m.total)
      local p, both = nd.zeros({32}, "u8", "pinned"), nd.zeros({64}, "u8", "managed")
      assert(d:memory_info().managed == 64 and p.device == "pinned" and both.device == "managed:0")
      m = nd.device "managed":memory_info()
      assert(m.live == 64 and m.peak == 64 and m.count == 1 and m.total == d.total_memory)
      m = nd.device "pinned":memory_info()
      assert(m.live == 32 and m.count == 1 and m.total == nd.device "cpu".total_memory)
      p = nd.zeros({1100}, "u8", "pinned")
      assert(nd.device "pinned":memory_info().peak == 32 + 1100 and p[1100] == 0)
    ]])
  end)

  it("is freed also where a finalizer asks for it at the very end", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode}, [[
        local a, last = nd.ones(10, "cuda"), newproxy(true)
        getmetatable(last).__gc = function()
          a:fill(3)
          nd.ones(10, "cuda"):to "cpu"
        end
        package.loaded.last = last
      ]])
    end
  end)

  it("is not taken for the host's where another library opened the driver", function()
    C.run({devices = 3}, [[
      ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
      ffi.cdef "int cuMemAllocManaged(uint64_t *, size_t, unsigned);"
      local last, at, managed = #nd.devices() - 2, ffi.new "uint64_t[1]", ffi.new "uint64_t[1]"
      enter(last, function()
        assert(driver.cuMemAlloc_v2(at, 64) == 0 and driver.cuMemAllocManaged(managed, 64, 1) == 0)
      end)
      local pointer, a = ffi.cast("float *", at[0]), nd.zeros(4, "f32")
      local function check()
        H.raises_like("invalid_argument", "source: .* GPU", function() a:copyin(pointer, 16) end)
        H.raises_like("invalid_argument", "target: .* GPU", function() a:copyout(pointer, 16) end)
        H.raises_like("invalid_argument", "one of a GPU", nd.wrap, pointer, "f32", {4})
        local m = nd.wrap(ffi.cast("float *", managed[0]), "f32", {16})
        m:fill(3)
        assert(a:copyin(ffi.cast("float *", managed[0]), 16)[4] == 3 and m[16] == 3)
      end
      enter(last, check)
      enter(nil, check) -- without a context the driver itself says nothing
      if last > 0 then enter(0, check) end
      enter(last, function()
        assert(driver.cuMemFree_v2(at[0]) == 0 and driver.cuMemFree_v2(managed[0]) == 0)
      end)
    ]])
    C.run({}, [[ -- what is the host's makes no context
      assert(nd.cuda.available() and nd.wrap(ffi.new "float[3]", "f32", {3})[3] == 0)
      assert(not sim or sim.cusim_live_count "context" == 0)
    ]])
  end)

  it("waits for its own device's work only #sim", function()
    for _, place in ipairs {"cuda:0", "cuda:1", "cpu"} do
      C.run({mode = "lazy", devices = 2}, ([[
        local asked = nd.device %q
        assert(asked.total_memory > 0)
        nd.memory.set("cuda:0", nd.memory.device(0, {async = false})) -- which waits
        local a, b = nd.ones({1000}, "u8", "cuda:0"), nd.ones({1000}, "u8", "cuda:0")
        b:copy_from(a)
        a:free()
        local pending = asked:memory_info().pending
        assert(pending == (asked.name == "cuda:0" and 1000 or 0), pending)
      ]]):format(place))
    end
  end)

  it("says what is kept, not in use, when there is no more of anything else #sim", function()
    C.run({memory = 100 * MiB, keep = ""}, [[
      local gpu, held = nd.device "cuda", nd.zeros({5 * 2 ^ 20}, "u8", "cuda")
      local places = {"cuda", nd.memory.pool(nd.memory.managed(0))}
      for _, place in ipairs(places) do
        nd.zeros({10 * 2 ^ 20}, "u8", place):free()
      end
      gpu:synchronize()
      nd.transfers()
      local s = gpu:stream() -- held: the next one is another
      s:synchronize()
      for call, f in pairs {cuStreamCreate = function() gpu:stream():synchronize() end,
                            cuEventCreate = function() s:record() end} do
        assert(sim.cusim_fail(call, 1, "CUDA_ERROR_OUT_OF_MEMORY"))
        local e = H.raises("out_of_memory", f)
        sim.cusim_fail_none()
        local i = gpu:memory_info()
        assert(e.live == 5 * 2 ^ 20 and e.largest == 5 * 2 ^ 20, tostring(e))
        assert(e.cached == 20 * 2 ^ 20 and i.live == e.live and held[1] == 0, tostring(e))
        assert(#places == 2)
      end
    ]])
  end)

  it("says when there is no more what it is used for #sim", function()
    C.run({memory = 100 * MiB}, [[
      local none = H.raises("out_of_memory", nd.zeros, {101 * 2 ^ 20}, "u8", "cuda")
      assert(none.message:find "largest live arrays: none$" and none.largest == 0)
      local held = {}
      for i = 1, 4 do held[i] = nd.zeros({i * 5 * 2 ^ 20}, "u8", "cuda") end
      local e = H.raises("out_of_memory", nd.zeros, {100 * 2 ^ 20}, "u8", "cuda")
      assert(e.requested == 100 * 2 ^ 20 and e.live == 50 * 2 ^ 20 and e.total == 100 * 2 ^ 20)
      assert(e.pending == 0 and e.cached == 0 and e.free == 50 * 2 ^ 20)
      assert(e.message:find "largest live arrays: 20971520, 15728640, 10485760, 5242880 B$")
      assert(e.largest == 20 * 2 ^ 20)
      assert(sim.cusim_fail("cuMemHostAlloc", 1, "CUDA_ERROR_OUT_OF_MEMORY")) -- staging buffers
      assert(sim.cusim_fail("cuMemHostAlloc", 2, "CUDA_ERROR_OUT_OF_MEMORY"))
      local big = nd.ones({2 ^ 20}, "u8")
      local staging = H.raises_like("out_of_memory", "on pinned: requested %d+ B, in use 0 B, " ..
        ".* free of %d+ B; largest live arrays: 1048576 B", big.to, big, "cuda")
      assert(staging.total > 0 and staging.largest == 2 ^ 20)
      sim.cusim_fail_none()
      assert(sim.cusim_fail("cuEventCreate", 1, "CUDA_ERROR_OUT_OF_MEMORY"))
      H.raises_like("out_of_memory", "on cuda:0: cuEventCreate failed: CUDA_%S+ %(2%), in use " ..
        "52428800 B, .* largest live arrays: 20971520, ", function()
          nd.device "cuda":stream():record()
        end)
      sim.cusim_fail_none()
      nd.memory.use(nd.memory.device(0, {async = false}), function() -- shares the device
        local plain = H.raises("out_of_memory", nd.zeros, {100 * 2 ^ 20}, "u8", "cuda")
        assert(plain.live == 50 * 2 ^ 20 and plain.largest == 20 * 2 ^ 20, tostring(plain))
      end)
      for _, place in ipairs {"cuda", "managed"} do -- what was made room for
        held[1], held[2] = nil, nil
        assert(nd.zeros({60 * 2 ^ 20}, "u8", place)[1] == 0)
      end
      collectgarbage "stop" -- memory that failed is collected all the same
      held[3], held[4] = nil, nil
      for _ = 1, 5 do nd.zeros({60 * 2 ^ 20}, "u8", "cuda") end
      assert(not collectgarbage "isrunning")
    ]])
  end)

  it("comes from a pool, or by cuMemAlloc, as each Lua state has it #sim", function()
    C.run({}, [[
      local plain, pool = nd.memory.device(0, {async = false}), nd.memory.device()
      assert(tostring(plain) == "device memory of cuda:0, by cuMemAlloc")
      assert(tostring(pool) == "device memory of cuda:0, from a pool" and pool.device == "cuda:0")
      nd.memory.set("gpu", plain)
      assert(rawequal(nd.memory.get "cuda:0", plain))
      local a = nd.ones(10, "cuda")
      assert(sim.cusim_live_count "device" == 1 and sim.cusim_live_count "pool" == 0)
      assert(a:clone().device == "cuda:0" and sim.cusim_live_count "device" == 2)
      local inside = nd.memory.use(pool, function(n) return nd.ones(n, "cuda") end, 3)
      assert(inside.size == 3 and sim.cusim_live_count "pool" == 1)
      assert(not pcall(nd.memory.use, pool, error))
      assert(rawequal(nd.memory.get "cuda:0", plain))
      nd.memory.set("cuda:0", nil)
      assert(tostring(nd.memory.get "cuda:0"):find "pool")
      H.raises_like("invalid_argument", "expected memory of cpu, got memory of cuda:0",
        nd.memory.set, "cpu", pool)
      H.raises("invalid_argument", nd.memory.set, "managed:0", pool)
      H.raises("device_not_found", nd.memory.device, 1)
      H.raises_like("device_not_found", "cuda:4294967296 was", nd.memory.device, 2 ^ 32)
      H.raises_like("device_not_found", "cuda:%-1 was", nd.memory.device, -1)
      H.raises("device_not_found", nd.memory.set, "cuda:1", nil)
      H.raises("device_not_found", nd.memory.set, "managed:1", nil)
      H.raises("type_mismatch", nd.memory.set, "cuda:0", nd.ones(3))
    ]])
    C.run({hide = "cuMemPoolCreate"}, [[
      H.raises_like("unsupported", "async = false", nd.memory.device, 0, {async = true})
      assert(tostring(nd.memory.device(0)):find "cuMemAlloc")
      assert(nd.info().missing["pools of cuda:0"])
      assert(nd.ones(3, "cuda")(2) == 1)
    ]])
    C.run({attribute = "MEMORY_POOLS_SUPPORTED:0"}, [[
      assert(nd.ones(3, "cuda")(2) == 1 and sim.cusim_live_count "device" == 1)
    ]])
  end)

  it("that cannot be zeroed goes back, also where the driver refuses it at first #sim", function()
    C.run({}, [[
      local kinds = {{nd.memory.device(0), "cuMemFreeAsync", "pool"},
        {nd.memory.device(0, {async = false}), "cuMemFree_v2", "device"},
        {nd.memory.managed(0), "cuMemFree_v2", "managed"}}
      local held = nd.zeros({8}, "u8", "cuda") -- opens the device
      for _, kind in ipairs(kinds) do
        local mem, free, name = unpack(kind)
        local before, live = sim.cusim_live_count(name), mem:stats().live.bytes.current
        assert(sim.cusim_fail("cuMemsetD8Async", 1, "CUDA_ERROR_INVALID_VALUE"))
        assert(sim.cusim_fail(free, 1, "CUDA_ERROR_INVALID_VALUE"))
        H.raises_like("driver", "cuMemsetD8Async", function()
          nd.zeros({1000}, "u8", {device = mem}):fill(1)
        end)
        assert(sim.cusim_fail_none() == 0 and sim.cusim_live_count(name) == before, name)
        assert(mem:stats().live.bytes.current == live)
      end
      held:free()
    ]])
  end)

  it("may be locked in place #sim", function()
    C.run({mode = "lazy"}, [[
      local path = H.write(H.path "x", ("abcd"):rep(1000))
      for i, a in ipairs {nd.arange(1, 1000, 1, "i32"), nd.mmap(path, "i32", {1000}),
                          nd.mmap(path, "i32", {1000}, {mode = "r+"}),
                          nd.wrap(ffi.new "int[1000]", "i32", {1000})} do
        local device, calls = a.device, sim.cusim_calls "cuMemcpyHtoDAsync_v2"
        assert(a:pin():pin() == a and a.device == device)
        assert(sim.cusim_live_count "registered" == 1)
        assert(a:to "cuda":to "cpu":equal(a"1:1000":clone()))
        assert(sim.cusim_calls "cuMemcpyHtoDAsync_v2" == calls + 1)
        if i % 2 == 0 then assert(a:unpin():unpin() == a) else a:free() end
        assert(sim.cusim_live_count "registered" == (i % 2 == 0 and 0 or 1))
        nd.device "cuda":synchronize() -- what was freed waits for an idle device
        assert(sim.cusim_live_count "registered" == 0)
      end
      local dropped = nd.ones(5):pin()
      dropped = nil
      collectgarbage()
      collectgarbage()
      nd.device "cuda":synchronize()
      assert(sim.cusim_live_count "registered" == 0)
      assert(nd.ones(3, "pinned"):pin():unpin().device == "pinned")
      H.raises("invalid_argument", function() nd.ones(3, "cuda"):pin() end)
      H.raises("invalid_argument", function() nd.ones(3, "managed"):pin() end)
      assert(sim.cusim_fail("cuMemHostRegister_v2", 1, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"))
      H.raises_like("driver", "ALREADY_REGISTERED %(712%)", function() nd.ones(3):pin() end)
    ]])
    C.run({hide = "cuMemHostRegister_v2"}, [[
      H.raises("unsupported", function() nd.ones(3):pin() end)
    ]])
  end)

  it("that cannot be locked is ordinary memory, and says so #sim", function()
    C.run({}, [[
      for i = 1, 5 do assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_OUT_OF_MEMORY")) end
      local a, b = nd.ones(3, "pinned"), nd.ones(3, "pinned")
      assert(sim.cusim_fail_none() == 0)
      assert(a.device == "cpu" and b.device == "pinned" and a[1] == 1)
      assert(nd.info().pinned_fallbacks == 1)
      assert(a:to "cuda":to "pinned".device == "pinned")
      a:free()
      assert(sim.cusim_live_bytes "pinned" > 24)
    ]])
  end)

  it("that is managed is where the hints say #sim", function()
    local older = {hide = "cuMemPrefetchAsync_v2,cuMemAdvise_v2"}
    for _, settings in ipairs {{}, {driver = 11040}, older} do
      settings.mode = "lazy"
      C.run(settings, [[
        local a = nd.arange(1, 1000, 1, "f32", "managed")
        assert(a:prefetch "cuda:0" == a and a:prefetch "cpu":advise("read_mostly", "cuda"))
        a:advise("preferred", "cpu"):advise("accessed_by", "cuda:0")
        for i = 1, 1000 do a[i] = a[i] + 1 end
        assert(a[1000] == 1001)
        H.raises("invalid_argument", function() a:advise("fast", "cpu") end)
        H.raises("invalid_argument", function() a:prefetch "pinned" end)
        H.raises("device_not_found", function() a:prefetch "cuda:7" end)
        H.raises("invalid_argument", function() nd.ones(3):prefetch "cpu" end)
        assert(sim.cusim_calls "cuMemPrefetchAsync_v2" + sim.cusim_calls "cuMemPrefetchAsync" == 2)
      ]])
    end
    C.run({managed = "exclusive", mode = "lazy"}, [[
      local a = nd.zeros(1000, "f32", "managed")
      H.raises("unsupported", function() a:prefetch "cuda:0" end)
      local d = nd.ones(1000, "f32", "cuda")
      for i = 1, 100 do
        local e = d:clone()
        a[i] = i
        a:copy_from(e)
      end
      assert(a[7] == 1)
    ]])
    C.run({attribute = "MANAGED_MEMORY:0"}, [[
      H.raises("unsupported", nd.zeros, 3, "managed")
    ]])
  end)

  it("of others is wrapped where the driver knows it", function()
    C.run({mode = "lazy", devices = 2}, [[
      ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
      enter(0)
      local p = ffi.new "uint64_t[1]"
      assert(driver.cuMemAlloc_v2(p, 4000) == 0)
      local at = ffi.cast("float *", p[0])
      local a = nd.wrap(at, "f32", {1000}, {device = "cuda:0"})
      a:copy_from(nd.arange(1, 1000, 1, "f32"))
      assert(a.device == "cuda:0" and a[1000] == 1000 and a"::2":clone()[2] == 3)
      assert(a:astype "i32".device == "cuda:0")
      H.raises("out_of_bounds", nd.wrap, at, "f32", {1001}, {device = "cuda:0"})
      H.raises("out_of_bounds", nd.wrap, at + 1, "f32", {1000}, {device = "cuda:0"})
      assert(nd.wrap(at + 1, "f32", {999}, {device = "cuda:0"})[999] == 1000)
      if nd.devices()[3] then
        H.raises_like("invalid_argument", "of cuda:0, not of cuda:1", nd.wrap, at, "f32", {1},
          {device = "cuda:1"})
      end
      H.raises_like("invalid_argument", "one of a GPU", nd.wrap, at, "f32", {1})
      for _, x in ipairs {nd.zeros(1000, "f32"), a} do
        H.raises_like("invalid_argument", "source: .* GPU", function() x:copyin(at, 4000) end)
        H.raises_like("invalid_argument", "target: .* GPU", function() x:copyout(at, 4000) end)
      end
      for _, place in ipairs {"pinned", "managed:0"} do
        H.raises("unsupported", nd.wrap, ffi.new "float[3]", "f32", {3}, {device = place})
      end
      H.raises_like("invalid_argument", "does not know", nd.wrap, ffi.new "float[3]", "f32", {3},
        {device = "cuda:0"})
      local pinned = nd.ones(3, "f32", "pinned")
      H.raises_like("invalid_argument", "it is the host's", nd.wrap, pinned:ptr(), "f32", {3},
        {device = "cuda:0"})
      local none = ("cuda:%d"):format(#nd.devices() - 1)
      H.raises("device_not_found", nd.wrap, at, "f32", {1}, {device = none})
      a:free()
      assert(driver.cuMemFree_v2(p[0]) == 0)
    ]])
  end)
end)
