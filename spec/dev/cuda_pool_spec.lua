-- Pools on memory of GPUs, pinned and managed memory.
local C = require "spec.dev.cuda"
local H = require "spec.helper"

local LOAD = [[local programs = loadfile "spec/dev/cuda_programs.lua" (nd, H, sim)
]]

describe("a pool", function()
  for _, mode in ipairs(C.modes) do
    it("under random programs on three streams gives what they give in order, " .. mode, function()
      C.run({mode = mode, devices = 2, handles = "reuse", protect = 1}, LOAD .. ([[
        for i = 0, nd.devices()[3] and 1 or 0 do
          nd.memory.set("cuda:" .. i, nd.memory.pool(nd.memory.device(i)))
        end
        nd.memory.set("pinned", nd.memory.pool(nd.memory.pinned()))
        nd.memory.set("managed:0", nd.memory.pool(nd.memory.managed(0)))
        for i = 1, %d do
          programs.run(H.seed + i, 3)
          assert(not sim or sim.cusim_forgive "race" == 0, "a race, seed " .. H.seed + i)
        end
        collectgarbage()
        nd.device "cuda":synchronize()
        local s, up = nd.memory.get "cuda:0":stats(), nd.memory.device(0):stats()
        assert(s.live.count.current == 0, s.live.count.current)
        assert(up.live.count.current == s.cached.count.current)
      ]]):format(H.cases(60)))
    end)
  end

  it("serves its own stream at once, another one where nothing else is left #sim", function()
    C.run({mode = "lazy"}, [[
      local gpu = nd.device "cuda:0"
      local s, t = gpu:stream(), gpu:stream()
      local low = nd.memory.budget(nd.memory.device(0), 150000)
      local mem = nd.memory.pool(low)
      local pinned = nd.zeros({60000}, "u8", "pinned")
      local function calls() return tonumber(sim.cusim_calls "cuMemAllocFromPoolAsync") end
      local function make(stream)
        return nd.empty({60000}, "u8", {device = mem, stream = stream, lazy = false})
      end
      local a = make(s)
      a:fill(7, {stream = s})
      pinned:copy_from(a, {stream = s})
      assert(sim.cusim_hold(s.handle, true)) -- until somebody waits
      a:free()
      nd.transfers()
      assert(calls() == 1 and mem:stats().live.bytes.current == 0)
      local b = make(s) -- of its own stream
      assert(calls() == 1 and not s:query())
      b:fill(8, {stream = s})
      b:free()
      nd.transfers()
      local c = make(t) -- busy on the other one: fresh memory
      assert(calls() == 2 and not s:query())
      local d = make(t) -- there is none: behind the work on s
      assert(calls() == 2 and low:stats().remaining < 60000)
      d:fill(9, {stream = t})
      assert(not s:query() and not t:query())
      s:synchronize()
      assert(pinned[1] == 7 and pinned[60000] == 7 and d[60000] == 9)
      d:free()
      c:free()
      gpu:synchronize()
      local e = make(s) -- done: anybody's
      assert(calls() == 2)
      e:free()
      nd.transfers()
      mem:trim()
      gpu:synchronize()
      assert(low:stats().remaining == 150000 and sim.cusim_live_count "pool" == 0)
    ]])
  end)

  it("has peaks and sums of what the driver keeps below, as far as it was seen #sim", function()
    C.run({}, [[
      local low = nd.memory.device(0)
      for _, mem in ipairs {low, nd.memory.pool(low)} do
        local a = nd.empty({2 ^ 20}, "u8", {device = mem, lazy = false})
        a:free()
        nd.device "cuda:0":synchronize()
        local kept = mem:stats().cached.bytes
        assert(kept.current > 0 and kept.peak >= kept.current and kept.total >= kept.peak)
        mem:trim()
        nd.device "cuda:0":synchronize()
        mem:trim()
        local now = mem:stats().cached.bytes
        assert(now.current == 0 and now.peak == kept.peak and now.total == kept.total)
      end
    ]])
  end)

  it("finds each of many sizes of a class again #sim", function()
    C.run({}, [[
      local low = nd.memory.budget(nd.memory.pinned(), 2 ^ 40)
      local mem = nd.memory.pool(low)
      for round = 1, 10 do
        for i = 1, 128 do
          local a = nd.empty({4 * 2 ^ 20 + rng(0, 127) * 4096}, "u8", {device = mem, lazy = false})
          a:free()
        end
        assert(low:stats().live.count.total <= 128, low:stats().live.count.total)
      end
      assert(mem:stats().cached.count.current == low:stats().live.count.current)
    ]])
  end)

  -- Arrays of one size on streams of a pool; 'fresh' is the number of calls for memory.
  local BUSY = [[
    local gpu = nd.device "cuda:0"
    local low = nd.memory.budget(nd.memory.device(0), 2 ^ 30)
    local mem = nd.memory.pool(low)
    local targets = {} -- one for each stream, so that copies wait for nothing else
    local function fresh() return tonumber(sim.cusim_calls "cuMemAllocFromPoolAsync") end
    local function make(stream, n)
      local a = nd.empty({n or 60000}, "u8", {device = mem, stream = stream, lazy = false})
      return a:fill(1, {stream = stream})
    end
    local function read(a, stream)
      targets[stream] = targets[stream] or nd.zeros({60000}, "u8", "pinned")
      targets[stream]:copy_from(a, {stream = stream})
    end
    local function free(...)
      for _, a in ipairs {...} do a:free() end
      nd.transfers()
    end
    local function hold(stream, is_on) assert(sim.cusim_hold(stream.handle, is_on)) end
  ]]

  it("uses what two streams are done with, though a third has the oldest block #sim", function()
    C.run({mode = "lazy"}, BUSY .. [[
      local a, b, busy = gpu:stream(), gpu:stream(), gpu:stream()
      local held = {}
      for i = 1, 10 do held[i] = make(busy) end
      gpu:synchronize()
      hold(busy, true)
      for i = 1, 10 do
        read(held[i], busy)
        if i > 4 then read(held[i], a) end
      end
      a:synchronize()
      free(unpack(held))
      local before = fresh()
      for round = 1, 200 do
        local x = make(a)
        read(x, b)
        free(x)
        a:synchronize()
        b:synchronize()
      end
      assert(not busy:query() and fresh() - before <= 4, fresh() - before)
      hold(busy, false)
    ]])
  end)

  it("keeps a stream's own blocks for it, whatever others gave back since #sim", function()
    C.run({mode = "lazy"}, BUSY .. [[
      local a, b = gpu:stream(), gpu:stream()
      local own, others = {}, {}
      for i = 1, 3 do own[i] = make(a) end
      for i = 1, 40 do others[i] = make(b) end
      hold(a, true)
      hold(b, true)
      for i = 1, 3 do own[i]:fill(2, {stream = a}) end
      for i = 1, 40 do others[i]:fill(2, {stream = b}) end
      free(unpack(own))
      free(unpack(others))
      local before = fresh()
      for i = 1, 3 do own[i] = make(a) end
      assert(fresh() == before and not a:query() and not b:query())
      make(a)
      assert(fresh() == before + 1)
      hold(a, false)
      hold(b, false)
    ]])
  end)

  it("finds a finished block behind a busy one, in whichever order they came #sim", function()
    C.run({mode = "lazy"}, BUSY .. [[
      local s, t = gpu:stream(), gpu:stream()
      for _, is_reversed in ipairs {false, true} do
        local x, y = make(s), make(s)
        s:synchronize()
        hold(s, true)
        y:fill(2, {stream = s})
        if is_reversed then free(y, x) else free(x, y) end
        local before = fresh()
        local z = make(t)
        t:synchronize()
        assert(fresh() == before and not s:query(), tostring(is_reversed))
        hold(s, false)
        gpu:synchronize()
        free(z)
        mem:trim()
      end
    ]])
  end)

  it("gives up in the order of the frees also what a take has looked at #sim", function()
    C.run({mode = "lazy"}, BUSY .. [[
      local s, t = gpu:stream(), gpu:stream()
      local first, second, third = make(s, 10000), make(s), make(s)
      hold(s, true)
      for _, x in ipairs {first, second, third} do x:fill(2, {stream = s}) end
      free(first, second, third)
      make(t) -- looks at the other two
      mem:trim(2 * 61440)
      local before = fresh()
      second, third = make(s), make(s)
      assert(fresh() == before and not s:query())
      make(s, 10000)
      assert(fresh() == before + 1)
      hold(s, false)
    ]])
  end)

  it("where nothing else is left, uses what is busy on several streams, after all #sim", function()
    for _, maker in ipairs {[[nd.zeros({60000}, "u8", {device = mem, stream = u})]],
                            [[make(u)]]} do
      C.run({mode = "lazy"}, BUSY .. [[
        local s, t, u = gpu:stream(), gpu:stream(), gpu:stream()
        mem = nd.memory.pool(nd.memory.budget(nd.memory.device(0), 70000))
        local x = make(s)
        x:synchronize()
        hold(s, true)
        hold(t, true)
        read(x, s)
        read(x, t)
        free(x)
        local before = fresh()
        local y = ]] .. maker .. [[

        assert(fresh() == before)
        y:fill(9, {stream = u})
        assert(not s:query() and not t:query() and not u:query())
        gpu:synchronize()
        for _, p in pairs(targets) do assert(p[1] == 1 and p[60000] == 1) end
        assert(y[1] == 9 and y[60000] == 9)
      ]])
    end
  end)

  for _, mode in ipairs(C.modes) do
    it("calls no driver once it is warm, and gives zeros where they are asked: " .. mode, function()
      C.run({mode = mode, protect = 1}, [[
        local function calls(...)
          local sum = 0
          for _, name in ipairs {...} do
            sum = sum + (sim and tonumber(sim.cusim_calls(name)) or 0)
          end
          return sum
        end
        for _, up in ipairs {nd.memory.device(0), nd.memory.device(0, {async = false}),
                             nd.memory.pinned(), nd.memory.managed(0)} do
          local mem = nd.memory.pool(up)
          local function work()
            for _, n in ipairs {100, 5000, 3 * 2 ^ 20} do
              local a, b = nd.full({n}, 255, "u8", mem), nd.zeros({n}, "u8", mem)
              assert(a:copyout() == ("\255"):rep(n) and b:copyout() == ("\0"):rep(n))
              assert(a.device == up.device)
              a:free()
              b:free()
            end
            nd.device "cuda":synchronize()
          end
          work()
          local names = {"cuMemAllocFromPoolAsync", "cuMemAlloc_v2", "cuMemHostAlloc",
                         "cuMemAllocManaged", "cuMemFreeAsync", "cuMemFree_v2", "cuMemFreeHost"}
          local before = calls(unpack(names))
          for i = 1, 5 do work() end
          assert(calls(unpack(names)) == before)
          local s = mem:stats()
          assert(s.live.bytes.current == 0 and s.cached.count.current >= 6)
          mem:trim()
          assert(mem:stats().cached.count.current == 0)
        end
      ]])
    end)
  end

  it("rounds large pinned blocks to pages, others to eighths", function()
    C.run({}, [[
      local pinned, device = nd.memory.pool(nd.memory.pinned()), nd.memory.pool(nd.memory.device(0))
      local function granted(n, mem)
        local a = nd.empty({n}, "u8", {device = mem, lazy = false})
        local bytes = mem:stats().live.bytes.current
        a:free()
        nd.device "cuda":synchronize()
        return bytes
      end
      for _, n in ipairs {2 ^ 20, 2 ^ 20 + 1, 3 * 2 ^ 20 + 5000, 2 ^ 24 - 1} do
        assert(granted(n, pinned) == math.ceil(n / 4096) * 4096)
        assert(granted(n, device) >= n and granted(n, device) <= n * 9 / 8)
      end
      assert(granted(1025, pinned) == 1152 and granted(1025, device) == 1152)
    ]])
  end)

  it("frees what it keeps when its object is collected, later and in order", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, protect = 1}, [[
        local device = nd.memory.device(0)
        local kept = {nd.memory.pool(device)}
        for i = 1, 5 do nd.ones({1000 * i}, "f32", kept[1]):fill(i):free() end
        local a = nd.ones({3}, "f32", kept[1])
        nd.transfers()
        assert(device:stats().live.count.current > 1)
        kept[1] = nil
        collectgarbage()
        collectgarbage()
        assert(a[3] == 1)
        a:free()
        a = nil
        collectgarbage()
        collectgarbage()
        nd.device "cuda":synchronize()
        local s = device:stats()
        assert(s.live.count.current == 0 and s.pending.count.current == 0)
      ]])
    end
  end)

  it("does not hand out what a failed fill is still written to #sim", function()
    C.run({mode = "lazy"}, [[
      local d = nd.device "cuda:0"
      local mem = nd.memory.pool(nd.memory.device(0))
      local s1, s2 = d:stream(), d:stream()
      local x = nd.full({4096}, 1, "u8", {device = mem, stream = s1})
      nd.ones({8}, "u8", {device = "cuda:0", stream = s2})
      d:synchronize()
      x:free()
      d:synchronize()
      sim.cusim_hold(s1.handle, true)
      sim.cusim_fail("cuEventRecord", 1, "CUDA_ERROR_INVALID_VALUE")
      sim.cusim_fail("cuStreamSynchronize", 1, "CUDA_ERROR_INVALID_VALUE")
      pcall(nd.zeros, {4096}, "u8", {device = mem, stream = s1})
      sim.cusim_fail_none()
      sim.cusim_hold(s1.handle, true)
      local y = nd.full({4096}, 9, "u8", {device = mem, stream = s2})
      s2:synchronize()
      sim.cusim_hold(s1.handle, false)
      s1:synchronize()
      assert(y:to "cpu"[1] == 9)
    ]])
  end)

  it("keeps blocks of plain memory while other streams work #sim", function()
    C.run({mode = "lazy"}, [[
      local d = nd.device "cuda:0"
      local s, busy = d:stream(), d:stream()
      local pinned, big = nd.zeros({100}, "u8", "pinned"), nd.ones({100}, "u8", "cuda")
      pinned:copy_from(big, {stream = busy})
      assert(sim.cusim_hold(busy.handle, true))
      for _, up in ipairs {nd.memory.device(0, {async = false}), nd.memory.managed(0)} do
        local mem = nd.memory.pool(up)
        local function calls()
          return tonumber(sim.cusim_calls "cuMemAlloc_v2" + sim.cusim_calls "cuMemAllocManaged")
        end
        local before = calls()
        for i = 1, 40 do
          local x = nd.empty({4096}, "u8", {device = mem, lazy = false, stream = s})
          x:fill(2, {stream = s})
          x:free()
          s:synchronize()
        end
        assert(calls() - before <= 3, calls() - before)
      end
      assert(not busy:query())
    ]])
  end)

  it("gives up what it keeps where its device is short of memory; it is cached", function()
    C.run({memory = 2 ^ 26}, [[
      local mem = nd.memory.pool(nd.memory.device(0))
      local size = math.floor(nd.device "cuda".free_memory * 3 / 4)
      local a = nd.ones({size}, "u8", mem)
      a:free()
      nd.device "cuda":synchronize()
      local m = nd.device "cuda":memory_info()
      assert(m.live == 0 and m.count == 0 and m.cached >= size)
      assert(nd.zeros({size}, "u8", nd.memory.device(0, {async = false}))[1] == 0)
      local host = nd.memory.pool(nd.memory.host())
      local before = nd.device "cpu":memory_info()
      nd.ones({3 * 2 ^ 20}, "u8", host):free()
      m = nd.device "cpu":memory_info()
      assert(m.live == before.live and m.cached >= before.cached + 3 * 2 ^ 20)
      nd.memory.trim "cpu"
      assert(host:stats().cached.bytes.current == 0)
    ]])
  end)
end)
