-- Budgets and counters on memory of a GPU, pinned and managed memory; bytes of a stream.
local C = require "spec.dev.cuda"
local H = require "spec.helper"

-- An array that was freed while work on it is held back on stream s.
local FLIGHT = [[
  local gpu = nd.device "cuda:0"
  local s, t = gpu:stream(), gpu:stream()
  local mem = nd.memory.budget(nd.memory.device(0), 100000)
  local pinned = nd.zeros({100000}, "u8", "pinned")
  local function make(n, stream) return nd.zeros({n}, "u8", {device = mem, stream = stream}) end
  local function fly(n)
    local a = make(n, s)
    pinned("1:" .. n):copy_from(a, {stream = s})
    assert(sim.cusim_hold(s.handle, true)) -- until somebody waits
    a:free()
    nd.transfers()
  end
]]

describe("a budget on a GPU", function()
  for _, mode in ipairs(C.modes) do
    it("counts, refuses and gives back on every kind of memory: " .. mode, function()
      C.run({mode = mode, protect = 1, devices = 2}, [[
        local async, plain = nd.memory.device(0), nd.memory.device(0, {async = false})
        for _, up in ipairs {async, plain, nd.memory.pinned(), nd.memory.managed(0)} do
          local mem = nd.memory.stats(nd.memory.budget(up, 330000))
          nd.memory.use(mem, function()
            local a = nd.zeros({100000}, "u8", up.device)
            assert(a.device == up.device)
            local live = mem:stats().live.bytes.current
            assert(live >= 100000 and live < 113000, live)
            assert(mem:stats().remaining == 330000 - live)
            local b = nd.ones({100000}, "u8", up.device)
            local e = H.raises("budget_exceeded", nd.zeros, {130001}, "u8", up.device)
            assert(e.limit == 330000 and tostring(e):find("on " .. up.device, 1, true))
            for i = 1, 50 do
              local c = b:clone()
              c:fill(i)
              assert(c[7] == i and c.device == up.device)
            end
            a:free()
            local c = b:clone() -- of a's bytes
            assert(c[1] == 1)
          end)
          collectgarbage()
          collectgarbage()
          nd.device "cuda":synchronize()
          mem:reap()
          local s = mem:stats()
          assert(s.live.bytes.current == 0 and s.live.count.current == 0 and s.remaining == 330000)
          assert(s.pending.bytes.current == 0 and s.live.bytes.peak <= 330000)
        end
      ]])
    end)
  end

  it("leaves the frees of finalizers to later calls, as its memory does #sim", function()
    C.run({}, [[
      for _, async in ipairs {true, false} do
        local device = nd.memory.device(0, {async = async})
        local mem = nd.memory.stats(nd.memory.budget(device, 2 ^ 20))
        local kept = {}
        for i = 1, 10 do kept[i] = nd.zeros({1000}, "u8", mem) end
        local function frees()
          return tonumber(sim.cusim_calls "cuMemFree_v2" + sim.cusim_calls "cuMemFreeAsync")
        end
        local before = frees()
        kept = nil
        collectgarbage()
        collectgarbage()
        assert(frees() == before)
        mem:reap()
        assert(frees() == before + 10 and mem:stats().live.count.current == 0)
      end
    ]])
  end)

  it("keeps bytes charged until the work on them is done, but for their own stream #sim", function()
    C.run({mode = "lazy"}, [[
      local gpu = nd.device "cuda:0"
      local s, t = gpu:stream(), gpu:stream()
      local mem = nd.memory.budget(nd.memory.device(0), 100000)
      local pinned = nd.zeros({60000}, "u8", "pinned")
      local function make(n, stream) return nd.zeros({n}, "u8", {device = mem, stream = stream}) end
      local a = make(60000, s)
      pinned:copy_from(a, {stream = s})
      assert(sim.cusim_hold(s.handle, true)) -- until somebody waits
      a:free()
      nd.transfers()
      local m = mem:stats()
      assert(m.live.bytes.current == 0 and m.pending.bytes.current == 60000)
      assert(m.remaining == 40000 and not s:query())
      local b = make(60000, s) -- comes after it on the stream
      assert(not s:query())
      assert(mem:stats().remaining == 0 and mem:stats().pending.bytes.current == 40000)
      b:free()
      nd.transfers()
      assert(mem:stats().pending.bytes.current == 100000)
      local c = make(60000, t) -- has to wait
      assert(s:query() and c[1] == 0)
      assert(mem:stats().remaining == 40000 and mem:stats().pending.bytes.current == 0)
      mem:push_stats()
      pinned:copy_from(c, {stream = t})
      assert(sim.cusim_hold(t.handle, true))
      c:free()
      nd.transfers()
      assert(mem:stats().live.bytes.current == -60000, mem:stats().live.bytes.current)
      gpu:synchronize()
      mem:reap()
      assert(mem:stats().remaining == 100000)
      assert(mem:pop_stats().live.bytes.current == -60000)
    ]])
  end)

  it("counts in scopes what is in flight, and shows it in the peak #sim", function()
    C.run({mode = "lazy"}, FLIGHT .. [[
      fly(60000)
      mem:push_stats()
      assert(mem:stats().live.bytes.current == 0 and mem:stats().pending.bytes.current == 60000)
      gpu:synchronize()
      assert(mem:stats().pending.bytes.current == 0 and mem:stats().remaining == 100000)
      assert(mem:pop_stats().live.bytes.current == 0)
      local a = make(60000, s)
      pinned"1:60000":copy_from(a, {stream = s})
      assert(sim.cusim_hold(s.handle, true))
      mem:push_stats()
      a:free()
      nd.transfers()
      assert(mem:stats().live.bytes.current == -60000 and mem:stats().pending.count.current == 1)
      assert(mem:pop_stats().live.bytes.current == -60000)
      local b = make(40000, t)
      local m = mem:stats()
      assert(m.live.bytes.current == 40000 and m.live.bytes.peak == 100000 and m.remaining == 0)
      local fits, why = mem:check(1)
      assert(not fits and why:find("in use 100,000 B (of which 60,000 B pending free)", 1, true)
        and why:find("peak 100,000 B", 1, true), why)
      gpu:synchronize()
      assert(mem:check(60000) and not mem:check(60001))
      b:free()
    ]])
  end)

  it("has peaks and sums of what is in flight #sim", function()
    C.run({mode = "lazy"}, FLIGHT .. [[
      fly(60000)
      fly(30000)
      local p = mem:stats().pending
      assert(p.bytes.current == 90000 and p.bytes.peak == 90000 and p.count.peak == 2)
      gpu:synchronize()
      p = mem:stats().pending
      assert(p.bytes.current == 0 and p.count.current == 0)
      assert(p.bytes.peak == 90000 and p.bytes.total >= 90000 and p.count.total >= 2)
    ]])
  end)

  it("promises no bytes in flight, and keeps those whose taker fails #sim", function()
    C.run({mode = "lazy"}, FLIGHT .. [[
      fly(60000)
      local r = nd.with_stream(s, mem.reserve, mem, 40000)
      assert(not s:query() and mem:stats().remaining == 0)
      r:release()
      assert(mem:stats().remaining == 40000 and mem:stats().pending.bytes.current == 60000)
      r = nd.with_stream(s, mem.reserve, mem, 100000) -- waits
      assert(s:query() and mem:stats().pending.bytes.current == 0)
      r:use(make, 100000, t):free()
      r:release()
      gpu:synchronize()
      fly(60000)
      sim.cusim_fail("cuMemAllocFromPoolAsync", 1, "CUDA_ERROR_UNKNOWN")
      H.raises("driver", make, 90000, s)
      sim.cusim_fail_none()
      local m = mem:stats()
      assert(not s:query() and m.pending.bytes.current == 60000 and m.remaining == 40000)
      assert(m.live.bytes.total == 220000)
      local a = make(90000, s)
      assert(not s:query() and mem:stats().live.bytes.current == 90000)
      a:free()
      gpu:synchronize()
      assert(mem:stats().remaining == 100000 and mem:stats().pending.count.current == 0)
    ]])
  end)

  it("of plain memory counts what waits for a free as pending #sim", function()
    C.run({mode = "lazy", lag = 20}, [[
      local mem = nd.memory.stats(nd.memory.device(0, {async = false}))
      local d = nd.device "cuda"
      local a, b = nd.zeros({1000}, "u8", mem), nd.zeros({1000}, "u8", mem)
      d:synchronize()
      b:copy_from(a)
      mem:push_stats()
      a:free()
      local s = mem:stats()
      assert(s.live.bytes.current == -1000 and s.pending.bytes.current == 1000)
      d:synchronize()
      s = mem:pop_stats()
      assert(s.live.bytes.current == -1000 and s.pending.bytes.current == 0)
      assert(mem:stats().live.bytes.current == 1000 and sim.cusim_calls "cuMemFree_v2" == 1)
      local c = nd.zeros({500}, "u8", mem)
      b"1:500":copy_from(c)
      c:free()
      assert(mem:stats().pending.bytes.current == 500)
      mem:push_stats()
      d:synchronize()
      assert(mem:pop_stats().live.bytes.current == 0)
    ]])
  end)

  it("holds for ordinary memory that stands for pinned memory #sim", function()
    C.run({}, [[
      local mem = nd.memory.budget(nd.memory.pinned(), 100000)
      for i = 1, 9 do assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_NOT_SUPPORTED")) end
      local a = nd.ones({50000}, "u8", mem)
      sim.cusim_fail_none()
      assert(a.device == "cpu" and mem:stats().live.bytes.current >= 50000)
      assert(mem:stats().requests == 1 and mem:stats().failed_takes == 0)
      H.raises("budget_exceeded", nd.ones, {51000}, "u8", mem)
      assert(a:pin():unpin():pin():to "cuda":to "cpu":equal(a))
      a:free()
      for i = 1, 9 do assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_NOT_SUPPORTED")) end
      local r = mem:reserve(1024)
      r:use(nd.ones, {64}, "u8", mem):free()
      assert(r.remaining == 960)
      r:release()
      nd.transfers()
      assert(mem:stats().remaining == 100000 and sim.cusim_live_count "registered" == 0)
    ]])
  end)

  it("has back what a retry function freed before it is asked again", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode}, [[
        for _, up in ipairs {nd.memory.device(0), nd.memory.device(0, {async = false}),
                             nd.memory.managed(0), nd.memory.pinned()} do
          local kept, calls = {}, 0
          local mem = nd.memory.retry(nd.memory.budget(up, 4096), function()
            calls = calls + 1
            table.remove(kept):free()
            return true
          end)
          local function make() return nd.empty({1024}, "u8", {device = mem, lazy = false}) end
          for i = 1, 4 do kept[i] = make() end
          assert(make().size == 1024 and #kept == 3 and calls == 1, calls)
        end
      ]])
    end
  end)

  it("is counted as an independent model does", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, protect = 1}, ([[
        local rng, LIMIT = H.rng "gpu", 1000000
        local mem = nd.memory.budget(nd.memory.stats(nd.memory.device(0)), LIMIT)
        local gpu = nd.device "cuda:0"
        local streams, live, sum, peak = {gpu:stream(), gpu:stream()}, {}, 0, 0
        for step = 1, %d do
          local s = streams[rng(1, 2)]
          if rng(1, 5) < 3 or #live == 0 then
            local n = rng(0, 150000)
            if sum + n <= LIMIT then
              local a = nd.zeros({n}, "u8", {device = mem, stream = s})
              live[#live + 1], sum = a, sum + n
              peak = math.max(peak, sum)
              if n > 0 and rng(1, 2) == 1 then a:fill(7, {stream = streams[rng(1, 2)]}) end
            else
              H.raises("budget_exceeded", nd.zeros, {n}, "u8", {device = mem, stream = s})
            end
          else
            local i = rng(1, #live)
            sum = sum - live[i].nbytes
            live[i]:free()
            live[i] = live[#live]
            live[#live] = nil
          end
          local m = mem:stats()
          assert(m.live.bytes.current == sum and m.live.count.current == #live
            and m.live.bytes.peak <= LIMIT, "seed " .. H.seed)
        end
        for _, a in ipairs(live) do a:free() end
        gpu:synchronize()
        mem:reap()
        assert(mem:stats().remaining == LIMIT)
      ]]):format(H.cases(600)))
    end
  end)
end)

local MEBI = "local KiB, MiB, gpu = 2 ^ 10, 2 ^ 20, nd.device 'cuda:0'\n"

describe("staging buffers", function()
  it("are under the budget of pinned memory while nothing else needs it", function()
    C.run({devices = 2}, MEBI .. [[
      local below = nd.memory.budget(nd.memory.pinned(), 25 * MiB)
      local mem = nd.memory.budget(below, 24 * MiB)
      local a, gpu1 = nd.arange(1000), nd.devices()[3] and nd.device "cuda:1"
      local function promised(bytes)
        for _, m in ipairs {mem, below} do
          local s = m:stats()
          assert(s.reserved.bytes.current == bytes, s.reserved.bytes.current)
          assert(s.remaining == s.limit - bytes - s.live.bytes.current)
        end
      end
      nd.memory.set("pinned", mem)
      local b = a:to "cuda:0"
      gpu:synchronize()
      assert(gpu:memory_info().staging == 16 * MiB)
      promised(16 * MiB)
      local p = nd.zeros({6 * MiB}, "u8", "pinned") -- there is room for both
      promised(16 * MiB)
      local q = nd.zeros({6 * MiB}, "u8", "pinned")
      promised(0)
      assert(gpu:memory_info().staging == 0)
      b:copy_from(a) -- 12 MiB are left
      assert(b:to "cpu":equal(a) and gpu:memory_info().staging == 8 * MiB)
      promised(8 * MiB)
      if not gpu1 then return end
      local c = a:to "cuda:1" -- the other GPU's make room
      assert(c:to "cpu":equal(a) and gpu1:memory_info().staging == 8 * MiB)
      assert(gpu:memory_info().staging == 0)
      promised(8 * MiB)
      gpu1:synchronize()
      assert(nd.memory.trim "pinned" == 8 * MiB and gpu1:memory_info().staging == 0)
      promised(0)
      assert(#p == #q)
    ]])
  end)

  it("are as small as the budget asks for, and copy the same", function()
    C.run({}, MEBI .. [[
      nd.memory.set("pinned", nd.memory.budget(nd.memory.pinned(), 200 * KiB))
      local rng = H.rng "small staging"
      for _, from in ipairs {"u8", "i32", "f64", "c64"} do
        for _, to in ipairs {from, from == "c64" and "c128" or "f32"} do
          local a = nd.zeros({rng(200, 400), rng(200, 400), rng(2, 9)}, from)
          for i = 1, 100 do
            a[rng(1, a.shape[1])][rng(1, a.shape[2])][rng(1, a.shape[3])] = rng(0, 255)
          end
          for _, view in ipairs {a, a:transpose(), a("::-2", ":", "2:"), a(":", "3::7", "1")} do
            local there = nd.zeros(view.shape, to, "cuda:0")
            there:copy_from(view)
            assert(there:to "cpu":equal(view:astype(to)))
            local back = nd.zeros(view.shape, from)
            back:copy_from(there)
            assert(back:equal(view))
          end
        end
      end
      assert(gpu:memory_info().staging == 128 * KiB)
    ]])
  end)

  it("leave room for those that a copy takes besides", function()
    C.run({devices = 2}, MEBI .. [[
      local a = nd.arange(1, 1e6, 1, "f32", "cuda:0")
      for _, limit in ipairs {16 * MiB, 8 * MiB, MiB, 512 * KiB, 400 * KiB, 384 * KiB} do
        nd.memory.set("pinned", nd.memory.budget(nd.memory.pinned(), limit))
        local b = a:astype "f64" -- by the CPU
        assert(b[1e6] == 1e6)
        for _, gpu in ipairs(nd.devices()) do
          if gpu.name:find "cuda" then
            local c = nd.zeros({1e6}, "i32", gpu.name)
            c:copy_from(a)
            assert(c[1e6] == 1e6)
          end
        end
        nd.memory.trim "pinned"
      end
    ]])
  end)

  it("are refused by a budget that not even small ones are under", function()
    C.run({}, MEBI .. [[
      local below = nd.memory.budget(nd.memory.pinned(), 128 * KiB - 1)
      local mem = nd.memory.budget(below, 100 * MiB)
      local a = nd.zeros(10)
      nd.memory.use(mem, function()
        local e = H.raises_like("budget_exceeded", "requested 131,072 B, .* for staging$", a.to, a,
          "cuda")
        assert(e.requested == 128 * KiB and e.limit == 128 * KiB - 1)
      end)
      local function is_free() return mem:stats().remaining == 100 * MiB end
      assert(mem:stats().reserved.bytes.current == 0 and is_free())
      local half = nd.memory.budget(nd.memory.pinned(), 200 * KiB) -- enough, were it not used
      local used = nd.zeros({100 * KiB}, "u8", half)
      mem = nd.memory.budget(half, 100 * MiB)
      H.raises("budget_exceeded", nd.memory.use, mem, a.to, a, "cuda")
      assert(is_free() and #used == 100 * KiB)
      assert(gpu:memory_info().staging == 0)
      assert(a:to "cuda":to "cpu":equal(a)) -- beside it
    ]])
  end)

  it("stay while a copy is in flight #sim", function()
    C.run({mode = "lazy"}, MEBI .. [[
      local a = nd.arange(1000)
      local b = a:to "cuda:0"
      assert(nd.memory.trim "pinned" == 0 and gpu:memory_info().staging == 16 * MiB)
      gpu:synchronize()
      assert(nd.memory.trim "pinned" == 16 * MiB and gpu:memory_info().staging == 0)
      assert(b:to "cpu":equal(a))
    ]])
  end)

  it("are given back where making them fails #sim", function()
    C.run({}, MEBI .. [[
      local mem = nd.memory.budget(nd.memory.pinned(), 17 * MiB)
      local a = nd.zeros(10)
      nd.memory.set("pinned", mem)
      for _, nth in ipairs {1, 2} do
        sim.cusim_fail("cuMemHostAlloc", nth, "CUDA_ERROR_INVALID_VALUE")
        H.raises("driver", a.to, a, "cuda")
        sim.cusim_fail_none()
        assert(mem:stats().remaining == 17 * MiB and gpu:memory_info().staging == 0)
      end
      assert(a:to "cuda":to "cpu":equal(a))
    ]])
  end)

  it("are under what the environment says of all memory", function()
    C.run({env = "NDBUF_BUDGET=9MiB"}, MEBI .. [[
      local a = nd.zeros(10)
      assert(a:to "cuda":to "cpu":equal(a) and gpu:memory_info().staging == 8 * MiB)
      local stats = nd.memory.get "pinned":stats()
      assert(stats.reserved.bytes.current == 8 * MiB and stats.limit == 9 * MiB)
    ]])
  end)
end)
