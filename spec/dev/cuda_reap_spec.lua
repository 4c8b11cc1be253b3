-- What waits to be freed, what is kept, and how memory that runs short is made room for.
local H = require "spec.helper"
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

describe("pinned memory #sim", function()
  local function kept(name, check)
    it(name, function()
      if H.is_sanitized then return pending "checkers of memory see blocks come and go" end
      check()
    end)
  end

  kept("that was freed serves the next array of its size, without the driver", function()
    C.run({mode = "lazy", lag = 20}, [[
      local d, pinned = nd.device "cuda", nd.device "pinned"
      local busy = nd.ones(1000, "f32", "cuda"):clone()
      for round = 1, 100 do
        for _, n in ipairs {3, 1000, 5000, 2 ^ 20 + 1, 3 * 2 ^ 20} do
          local a = nd.full({n}, round, "u8", "pinned")
          assert(a.device == "pinned" and a[n] == round and nd.zeros({n}, "u8", "pinned")[n] == 0)
        end
        collectgarbage()
        collectgarbage()
      end
      assert(sim.cusim_calls "cuMemHostAlloc" <= 10 and sim.cusim_calls "cuMemFreeHost" == 0)
      nd.transfers()
      local m = pinned:memory_info()
      assert(m.live == 0 and m.pending == 0 and m.cached >= 4 * 2 ^ 20)
      assert(m.cached == tonumber(sim.cusim_live_bytes "pinned"))
      local addresses = {}
      for i = 1, 2 do
        local a = nd.empty({2 ^ 20 + 1}, "u8", "pinned"):allocate()
        addresses[i] = a:address()
        a:free()
      end
      assert(addresses[1] == addresses[2])
      for _, pages in ipairs {40, 39, 40, 38, 41} do -- sizes that one list holds
        nd.ones({2 ^ 20 + pages * 4096}, "u8", "pinned"):free()
      end
      nd.transfers()
      m = pinned:memory_info()
      assert(m.cached == tonumber(sim.cusim_live_bytes "pinned"))
      assert(nd.memory.trim("pinned", m.cached) == 0)
      assert(nd.memory.trim("pinned", m.cached - 1) < m.cached)
      m = pinned:memory_info()
      assert(m.cached == tonumber(sim.cusim_live_bytes "pinned") and m.cached > 0)
      assert(nd.memory.trim "pinned" >= m.cached)
      assert(pinned:memory_info().cached == 0 and sim.cusim_live_count "pinned" == 0)
    ]])
  end)

  it("climbs the ladder before it is ordinary memory", function()
    C.run({}, [[
      collectgarbage "stop"
      nd.ones({100}, "u8", "pinned") -- garbage that the ladder finds
      for i = 1, 3 do assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_OUT_OF_MEMORY")) end
      local a = nd.ones({10000}, "u8", "pinned")
      assert(a.device == "pinned" and nd.info().pinned_fallbacks == 0)
      assert(sim.cusim_fail_none() == 0 and nd.device "pinned":memory_info().count == 1)
      for i = 1, 5 do assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_NOT_SUPPORTED")) end
      local b = nd.ones({20000}, "u8", "pinned")
      assert(b.device == "cpu" and nd.info().pinned_fallbacks == 1)
      assert(sim.cusim_fail_none() == 4) -- which more room does not help
      assert(b:pin():unpin():pin():to "cuda":to "cpu":equal(b)) -- its block is the host's
      b:free()
      nd.device "cuda":synchronize()
      assert(sim.cusim_live_count "registered" == 0)
    ]])
  end)

  kept("that was freed is kept up to a limit", function()
    C.run({}, [[
      local held = {}
      for i = 1, 4 do
        held[i] = nd.empty({300 * 2 ^ 20 + i * 4096}, "u8", "pinned"):allocate()
      end
      for i = 1, 4 do held[i]:free() end
      nd.transfers()
      local m = nd.device "pinned":memory_info()
      assert(m.live == 0 and m.cached <= 2 ^ 30, m.cached)
      assert(m.cached == tonumber(sim.cusim_live_bytes "pinned"))
    ]])
  end)

  kept("that is refused by a free stays kept", function()
    C.run({}, [[
      nd.ones({100}, "u8", "pinned"):free()
      nd.transfers()
      assert(sim.cusim_fail("cuMemFreeHost", 1, "CUDA_ERROR_INVALID_VALUE"))
      assert(nd.memory.trim() == 0 and nd.device "pinned":memory_info().cached == 512)
      assert(nd.memory.trim() == 512 and sim.cusim_live_count "pinned" == 0)
    ]])
  end)

  it("of a pool of the driver is kept as far as trim says, beside what is in use", function()
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

  kept("of copies is counted, and makes use of what is kept", function()
    C.run({devices = 2}, [[
      local d = nd.device "cuda:1"
      assert(d:memory_info().staging == 0)
      nd.ones({100}, "u8", "pinned"):free()
      assert(sim.cusim_fail("cuMemHostAlloc", 1, "CUDA_ERROR_OUT_OF_MEMORY"))
      assert(nd.arange(1, 100, 1, "u8"):to "cuda:1"[100] == 100)
      assert(d:memory_info().staging == 16 * 2 ^ 20)
      assert(nd.device "cuda:0":memory_info().staging == 0)
      -- the other block made room; streams have words
      assert(sim.cusim_live_bytes "pinned" == 16 * 2 ^ 20 + 4096)
    ]])
  end)
end)
