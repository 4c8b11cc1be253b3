-- What waits to be freed, what is kept, and how memory that runs short is made room for.
local C = require "spec.dev.cuda"
local MiB = 2 ^ 20

local PLAIN = [[nd.memory.set("cuda:0", nd.memory.device(0, {async = false}))
]]

describe("memory that was freed", function()
  it("does not pile up on a stream that is never idle, for few questions #sim", function()
    for _, hidden in ipairs {"", "cuStreamWaitValue64_v2"} do -- by milestones, by events
      C.run({mode = "lazy", lag = 20, hide = hidden}, PLAIN .. [[
        local source, d, most = nd.ones({10000}, "u8", "cuda"), nd.device "cuda", 0
        for _ = 1, 3000 do
          local a = nd.empty({10000}, "u8", "cuda")
          a:copy_from(source)
          a:free()
          most = math.max(most, d:memory_info().pending)
        end
        local questions = sim.cusim_calls "cuStreamQuery" + sim.cusim_calls "cuEventQuery"
        assert(most <= 2 * 2 ^ 20, most)
        assert(questions < 20 * 3000, tostring(questions))
        assert(sim.cusim_pending() > 0)
        local by_events = os.getenv "CUSIM_HIDE" ~= ""
        assert((sim.cusim_calls "cuEventCreate" > 0) == by_events)
        -- the state is closed while a milestone is looked for
        local waits = sim.cusim_calls "cuStreamWaitValue64_v2"
        nd.zeros({2 ^ 21}, "u8", "cuda"):free()
        for _ = 1, 1000 do
          if by_events or sim.cusim_calls "cuStreamWaitValue64_v2" > waits then return end
          source:fill(1)
        end
        error "no milestone was looked for"
      ]])
    end
  end)

  it("is pending and no longer live, until the driver need not wait #sim", function()
    C.run({mode = "lazy", lag = 20}, PLAIN .. [[
      local a, b, d = nd.ones({1000}, "u8", "cuda"), nd.ones({1000}, "u8", "cuda"), nd.device "cuda"
      b:copy_from(a)
      a:free()
      for _ = 1, 50 do nd.zeros(3) end
      local m = d:memory_info()
      assert(m.live == 1000 and m.count == 1 and m.pending == 1000 and m.peak == 2000)
      assert(sim.cusim_calls "cuMemFree_v2" == 0 and m.cached == 0)
      d:synchronize()
      m = d:memory_info()
      assert(m.live == 1000 and m.pending == 0 and sim.cusim_calls "cuMemFree_v2" == 1)
    ]])
  end)

  it("waits for an idle device also where no work uses it #sim", function()
    C.run({mode = "lazy", lag = 20}, PLAIN .. [[
      local a, b, d = nd.ones({1000}, "u8", "cuda"), nd.ones({1000}, "u8", "cuda"), nd.device "cuda"
      local m, p = nd.ones({1000}, "u8", "managed"), nd.ones({1000}, "u8"):pin()
      d:synchronize()
      local c = b:clone()
      a:free()
      m:free()
      p:free()
      for _ = 1, 50 do nd.zeros(3) end
      assert(d:memory_info().pending == 1000 and nd.device "managed":memory_info().pending == 1000)
      assert(sim.cusim_calls "cuMemFree_v2" == 0 and sim.cusim_calls "cuMemHostUnregister" == 0)
      assert(c[1] == 1) -- waits, so that the device is idle
      nd.zeros(3)
      assert(sim.cusim_calls "cuMemFree_v2" == 2 and sim.cusim_calls "cuMemHostUnregister" == 1)
    ]])
  end)

  it("of the managed kind waits for its prefetch #sim", function()
    C.run({mode = "lazy", lag = 20}, [[
      local a = nd.ones(1000, "f32", "managed")
      a:prefetch "cuda:0"
      a:free()
      nd.memory.trim() -- which frees what is done
      assert(nd.device "managed":memory_info().pending == 4000)
      nd.device "cuda":synchronize()
      assert(nd.device "managed":memory_info().pending == 0)
    ]])
  end)

  it("of others is done with when a copy returns #sim", function()
    C.run({mode = "lazy", lag = 20}, [[
      ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
      ffi.cdef "uint64_t cusim_pending(void);"
      local own, p = nd.ones(1000, "f32", "cuda"), ffi.new "uint64_t[1]"
      local busy = nd.ones(1000, "f32", "cuda")
      enter(0)
      assert(driver.cuMemAlloc_v2(p, 4000) == 0)
      local a = nd.wrap(ffi.cast("float *", p[0]), "f32", {1000}, {device = "cuda:0"})
      for _, copy in ipairs {
        function() a:copy_from(own) end, function() own:copy_from(a) end,
        function() a:copy_from(nd.ones(1000, "f32")) end, function() a:fill(3) end,
      } do
        busy:copy_from(own)
        assert(sim.cusim_pending() > 0)
        copy()
        assert(sim.cusim_pending() == 0)
      end
      a:free()
      assert(driver.cuMemFree_v2(p[0]) == 0)
    ]])
  end)
end)

describe("managed memory that the CPU may not touch while a device works #sim", function()
  it("is taken when all devices are idle", function()
    C.run({mode = "lazy", lag = 20, managed = "exclusive", devices = 2}, [[
      ffi.cdef "uint64_t cusim_pending(void);"
      for first = 0, 1 do
        local a = nd.ones(1000, "f32", "cuda:" .. first)
        local b = a:clone()
        assert(sim.cusim_pending() > 0)
        local m = nd.empty(1000, "f32", "managed:" .. 1 - first):allocate()
        assert(sim.cusim_pending() == 0)
        m[1] = 3
        m:free()
        nd.device("cuda:" .. 1 - first):synchronize()
      end
    ]])
  end)
end)

describe("room for more memory of a GPU #sim", function()
  it("is made by what another kind of its memory keeps", function()
    for _, managed in ipairs {"exclusive", "concurrent"} do
      C.run({memory = 100 * MiB, managed = managed}, [[
        local d, plain = nd.device "cuda", nd.memory.device(0, {async = false})
        for _, take in ipairs {
          function() return nd.memory.use(plain, nd.zeros, {60 * 2 ^ 20}, "u8", "cuda") end,
          function() return nd.zeros({60 * 2 ^ 20}, "u8", "managed") end,
          function() return nd.zeros({60 * 2 ^ 20}, "u8", "cuda") end,
        } do
          nd.zeros({80 * 2 ^ 20}, "u8", "cuda"):free()
          nd.transfers()
          assert(d:memory_info().cached >= 80 * 2 ^ 20 and d:memory_info().live == 0)
          local a = take()
          assert(a[1] == 0)
          a:free()
          d:synchronize()
        end
      ]])
    end
  end)

  it("is made by a wait for frees that are in the stream, and for those of plain memory", function()
    C.run({memory = 100 * MiB, mode = "lazy", lag = 50}, [[
      local plain = nd.memory.device(0, {async = false})
      local function take_plain()
        return nd.memory.use(plain, nd.zeros, {60 * 2 ^ 20}, "u8", "cuda")
      end
      local function take_pooled() return nd.zeros({60 * 2 ^ 20}, "u8", "cuda") end
      local source = nd.ones({10}, "u8", "cuda")
      for _ = 1, 3 do
        for _, take in ipairs {take_plain, take_pooled, take_plain} do
          local a = take()
          a"1:10":copy_from(source)
          a:free()
        end
      end
    ]])
  end)

  it("is asked for by scripts, too", function()
    C.run({devices = 2}, [[
      local d = nd.device "cuda:1"
      nd.zeros({2 ^ 20}, "u8", "cuda:1"):free()
      d:synchronize()
      assert(d:memory_info().cached >= 2 ^ 20)
      assert(nd.memory.trim "cuda:0" == 0 and nd.memory.trim("cuda:1", 2 ^ 30) == 0)
      assert(nd.memory.trim "managed:1" >= 2 ^ 20 and d:memory_info().cached == 0)
      H.raises("device_not_found", nd.memory.trim, "cuda:2")
      H.raises("invalid_argument", nd.memory.trim, "cuda:1", -1)
    ]])
  end)
end)

describe("what the driver keeps of a GPU's memory #sim", function()
  it("is as much as trim says, beside what is in use", function()
    C.run({}, [[
      local MiB, d = 2 ^ 20, nd.device "cuda:0"
      local live = nd.zeros({64 * MiB}, "u8", "cuda:0")
      for i = 1, 3 do nd.zeros({32 * MiB}, "u8", "cuda:0"):free() end
      d:synchronize()
      nd.memory.trim("cuda:0", 40 * MiB)
      local cached = d:memory_info().cached
      assert(cached > 0 and cached <= 40 * MiB, cached)
      nd.memory.trim "cuda:0"
      assert(d:memory_info().cached == 0 and live[1] == 0)
    ]])
  end)
end)
