-- Pinned memory: by the driver's calls alone, and with the pool that it has by default.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

local CALLS = [[
local gpu, pinned = nd.device "cuda", nd.device "pinned"
local function count(name) return tonumber(sim["cusim_" .. name] "pinned") end
local function locks() return tonumber(sim.cusim_calls "cuMemHostAlloc") end
local function unlocks() return tonumber(sim.cusim_calls "cuMemFreeHost") end
local function make(n, mem) return nd.empty({n}, "u8", mem or "pinned"):allocate() end
local function free(...)
  for _, a in ipairs {...} do a:free() end
  nd.transfers() -- which gives back what is finished
end
]]

describe("pinned memory #sim", function()
  it("is locked for each array and unlocked again where there is no pool", function()
    C.run({keep = "0"}, CALLS .. [[
      assert(tostring(nd.memory.get "pinned"):find "^pinned memory")
      for _, mem in ipairs {"pinned", nd.memory.pinned()} do
        local a, b, before = make(100, mem), make(2 ^ 20 + 1, mem), locks()
        local m = pinned:memory_info()
        assert(m.live == 2 ^ 20 + 101 and m.count == 2 and m.cached == 0)
        a:fill(7)
        free(a, b)
        m = pinned:memory_info()
        assert(m.live == 0 and m.cached == 0 and count "live_count" == 0)
        local c = nd.zeros({100}, "u8", mem)
        assert(c[1] == 0 and c[100] == 0 and locks() == before + 1)
        free(c)
      end
    ]])
  end)

  it("is unlocked when all devices are idle, as all may use it", function()
    C.run({mode = "lazy", lag = 20, devices = 2}, CALLS .. [[
      for _, place in ipairs {"cuda:0", "cuda:1"} do
        local a, b, p = nd.ones({1000}, "u8", place), nd.ones({1000}, "u8", place), make(1000)
        nd.device(place):synchronize()
        local before = unlocks()
        for _ = 1, 30 do a:copy_from(b) end
        free(p)
        assert(unlocks() == before, place)
        nd.device(place):synchronize()
        nd.transfers()
        assert(unlocks() == before + 1, place)
      end
    ]])
  end)

  it("is unlocked when the device is idle, as that may wait for it", function()
    C.run({mode = "lazy", lag = 20}, CALLS .. [[
      local a, b, p = nd.ones({1000}, "u8", "cuda"), nd.ones({1000}, "u8", "cuda"), make(1000)
      gpu:synchronize()
      local before = unlocks()
      a:copy_from(b)
      free(p)
      for _ = 1, 20 do nd.zeros(3) end
      assert(pinned:memory_info().pending == 1000 and pinned:memory_info().live == 0)
      assert(unlocks() == before)
      gpu:synchronize()
      assert(pinned:memory_info().pending == 0 and unlocks() == before + 1)
    ]])
  end)

  it("that the driver refuses to unlock is in use until it does", function()
    C.run({}, CALLS .. [[
      local a = make(1000)
      assert(sim.cusim_fail("cuMemFreeHost", 1, "CUDA_ERROR_INVALID_VALUE"))
      free(a)
      local m = pinned:memory_info()
      assert(m.pending == 1000 and count "live_count" == 1)
      assert(nd.memory.pinned():stats().failed_frees == 1)
      gpu:synchronize()
      assert(pinned:memory_info().pending == 0 and count "live_count" == 0)
    ]])
  end)

  it("climbs the ladder before it is ordinary memory", function()
    for _, keep in ipairs {"0", ""} do
      C.run({keep = keep}, [[
        collectgarbage "stop"
        nd.ones({100}, "u8", "pinned") -- garbage that the ladder finds
        for i = 1, 3 do
          assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_OUT_OF_MEMORY"))
        end
        local a = nd.ones({10000}, "u8", "pinned")
        assert(a.device == "pinned" and nd.info().pinned_fallbacks == 0)
        assert(sim.cusim_fail_none() == 0 and nd.device "pinned":memory_info().count == 1)
        for i = 1, 5 do
          assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_NOT_SUPPORTED"))
        end
        local b = nd.ones({20000}, "u8", "pinned")
        assert(b.device == "cpu" and nd.info().pinned_fallbacks == 1)
        assert(sim.cusim_fail_none() == 4) -- which more room does not help
        assert(b:pin():unpin():pin():to "cuda":to "cpu":equal(b)) -- its block is the host's
        b:free()
        nd.device "cuda":synchronize()
        assert(sim.cusim_live_count "registered" == 0)
        assert(nd.device "pinned":memory_info().cached < 20000) -- nor is it kept
      ]])
    end
  end)
end)

describe("the pool of pinned memory #sim", function()
  local function kept(name, check)
    it(name, function()
      if H.is_sanitized then return pending "checkers of memory see blocks come and go" end
      check()
    end)
  end

  kept("is there by default; what it keeps is cached", function()
    C.run({keep = ""}, CALLS .. [[
      local mem = nd.memory.get "pinned"
      assert(tostring(mem):find "^pool of pinned memory", tostring(mem))
      assert(tostring(nd.memory.pinned()):find "^pinned memory")
      local a, b = make(1000), make(2 ^ 20)
      local m = pinned:memory_info()
      assert(m.live == 2 ^ 20 + 1024 and m.count == 2 and m.cached == 0)
      free(b)
      m = pinned:memory_info()
      assert(m.live == 1024 and m.count == 1 and m.cached == 2 ^ 20 and m.pending == 0)
      local row = nd.memory.report()[2]
      assert(row.device == "pinned" and row.live == 1024 and row.cached == 2 ^ 20)
      local s = mem:stats()
      assert(s.live.bytes.current == 1024 and s.cached.bytes.current == 2 ^ 20)
      assert(s.cached.count.current == 1 and count "live_bytes" == 2 ^ 20 + 1024)
      local before = locks()
      b = make(2 ^ 20 - 4095)
      assert(locks() == before and mem:stats().cached.bytes.current == 0)
      free(a, b)
      assert(nd.memory.trim("pinned", 2 ^ 20) == 1024 and mem:stats().cached.count.current == 1)
      assert(mem:trim() == 2 ^ 20 and count "live_count" == 0)
      local t = nd.arange(10):to "cuda" -- through staging buffers, which are trimmed with it
      free(make(2 ^ 20))
      gpu:synchronize()
      assert(nd.memory.trim("pinned", 2 ^ 20) == 0 and gpu:memory_info().staging > 0) -- they stay
      local words = count "live_bytes" - 17 * 2 ^ 20
      assert(mem:trim() == 17 * 2 ^ 20 and count "live_bytes" == words and t[1] == 1)
    ]])
  end)

  kept("serves the next array of a size, without the driver", function()
    C.run({mode = "lazy", lag = 20, keep = ""}, CALLS .. [[
      local busy = nd.ones(1000, "f32", "cuda"):clone()
      for round = 1, 100 do
        for _, n in ipairs {3, 1000, 5000, 2 ^ 20 + 1, 3 * 2 ^ 20} do
          local a = nd.full({n}, round, "u8", "pinned")
          assert(a.device == "pinned" and a[n] == round and nd.zeros({n}, "u8", "pinned")[n] == 0)
        end
        collectgarbage()
        collectgarbage()
      end
      assert(locks() <= 10 and unlocks() == 0)
      nd.transfers()
      local m = pinned:memory_info()
      assert(m.live == 0 and m.pending == 0 and m.cached >= 4 * 2 ^ 20)
      assert(m.cached == count "live_bytes" and busy.size == 1000)
      for _, pages in ipairs {40, 39, 40, 38, 41} do -- sizes that one list holds
        free(nd.ones({2 ^ 20 + pages * 4096}, "u8", "pinned"))
      end
      m = pinned:memory_info()
      assert(m.cached == count "live_bytes")
      assert(nd.memory.trim("pinned", m.cached) == 0)
      assert(nd.memory.trim("pinned", m.cached - 1) < m.cached)
      m = pinned:memory_info()
      assert(m.cached == count "live_bytes" and m.cached > 0)
      assert(nd.memory.trim "pinned" == m.cached)
      assert(pinned:memory_info().cached == 0 and count "live_count" == 0)
    ]])
  end)

  kept("wastes an eighth at most, of 1 MiB and more not even a page", function()
    C.run({keep = ""}, CALLS .. ([[
      local mem, rng = nd.memory.get "pinned", H.rng "pinned sizes"
      for i = 1, %d do
        local n = i %% 2 == 0 and math.floor(512 * 2 ^ (rng(0, 1100) / 100)) or
          2 ^ 20 + rng(-3, 3 * 2 ^ 20)
        local a = make(n)
        local granted = mem:stats().live.bytes.current
        assert(granted >= n and granted <= n * 9 / 8, n)
        if n >= 2 ^ 20 then assert(granted == math.ceil(n / 4096) * 4096, n) end
        a:fill(255)
        free(a)
        a = nd.zeros({rng(math.ceil(n * 7 / 8), n)}, "u8", "pinned")
        assert(a:sum() == 0)
        free(a)
      end
    ]]):format(H.cases(100)))
  end)

  kept("never hands out what was written as zeros", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, keep = "", protect = 1}, CALLS .. [[
        local source = nd.full({3 * 2 ^ 20}, 9, "u8", "cuda")
        for _, n in ipairs {1, 600, 1100, 5000, 2 ^ 20, 3 * 2 ^ 20} do
          local before
          for i = 1, 4 do
            local a = nd.zeros({n}, "u8", "pinned")
            assert(a:sum() == 0, n)
            if i % 2 == 0 then a:fill(255) else a:copy_from(source("1:" .. n)) end
            free(a)
            gpu:synchronize()
            assert(not before or locks() == before, n)
            before = locks()
          end
        end
      ]])
    end
  end)

  kept("keeps as much as NDBUF_KEEP says; what was used longest ago goes first", function()
    C.run({keep = "3MiB"}, CALLS .. [[
      local MiB, mem = 2 ^ 20, nd.memory.get "pinned"
      local a, b, c, d = make(MiB), make(MiB + 4096), make(MiB - 4096), make(MiB / 2)
      free(b)
      free(a)
      b = make(MiB + 4096) -- used again
      free(b)
      free(c) -- of 1 MiB, as classes are: a's block goes
      assert(mem:stats().cached.bytes.current == 2 * MiB + 4096)
      assert(count "live_bytes" == 2 * MiB + 4096 + MiB / 2)
      local before = locks()
      a, b = make(MiB), make(MiB + 4096)
      assert(locks() == before) -- c's block serves as well
      free(a)
      free(b)
      free(d)
      assert(mem:stats().cached.bytes.current == 2 * MiB + 4096 + MiB / 2)
      a = make(2 * MiB)
      before = unlocks()
      free(a)
      assert(unlocks() == before + 2 and mem:stats().cached.bytes.current <= 3 * MiB)
      free(make(3 * MiB + 4096)) -- more than is kept
      assert(mem:stats().cached.bytes.current <= 3 * MiB)
      assert(mem:stats().live.bytes.current == 0)
      assert(count "live_bytes" == mem:stats().cached.bytes.current)
    ]])
  end)

  kept("keeps up to a limit where nothing says", function()
    C.run({keep = ""}, CALLS .. [[
      local held = {}
      for i = 1, 4 do held[i] = make(300 * 2 ^ 20 + i * 4096) end
      free(unpack(held))
      local m = pinned:memory_info()
      assert(m.live == 0 and m.cached <= 2 ^ 30, m.cached)
      assert(m.cached == count "live_bytes" and m.cached > 0)
      local before = locks()
      make(300 * 2 ^ 20 + 4 * 4096)
      assert(locks() == before)
      if m.cached < 900 * 2 ^ 20 then return end
      make(300 * 2 ^ 20 + 4096) -- which came first
      assert(locks() == before + 1)
    ]])
  end)

  kept("takes back at once what it has room for, the rest when the device is idle", function()
    C.run({mode = "lazy", lag = 20, keep = "3MiB"}, CALLS .. [[
      local MiB, mem = 2 ^ 20, nd.memory.get "pinned"
      local a, b = nd.ones({1000}, "u8", "cuda"), nd.ones({1000}, "u8", "cuda")
      local p = {make(MiB), make(MiB), make(MiB), make(MiB)}
      gpu:synchronize()
      local before = unlocks()
      a:copy_from(b)
      free(p[1], p[2], p[3])
      assert(mem:stats().cached.bytes.current == 3 * MiB and mem:stats().pending.count.current == 0)
      free(p[4]) -- for which another one would be unlocked
      for _ = 1, 5 do nd.zeros(3) end
      assert(unlocks() == before and mem:stats().pending.bytes.current == MiB)
      gpu:synchronize()
      assert(mem:stats().cached.bytes.current == 3 * MiB and unlocks() == before + 1)
    ]])
  end)

  kept("hands out first what came back last, also after work of a device", function()
    C.run({mode = "lazy", keep = ""}, CALLS .. [[
      local source, s = nd.ones({1000}, "u8", "cuda"), gpu:stream()
      local a, b = make(1000), make(1000)
      local before = b:address()
      for _, p in ipairs {a, b} do
        p:copy_from(source, {stream = s})
        p:free()
      end
      gpu:synchronize()
      nd.transfers()
      assert(pinned:memory_info().cached == 2048 and make(1000):address() == before)
    ]])
  end)

  kept("keeps what the driver refuses to unlock, and has it unlocked at the end", function()
    C.run({keep = ""}, CALLS .. [[
      free(make(100))
      assert(sim.cusim_fail("cuMemFreeHost", 1, "CUDA_ERROR_INVALID_VALUE"))
      assert(nd.memory.trim() == 0 and pinned:memory_info().cached == 512)
      assert(nd.memory.trim() == 512 and count "live_count" == 0)
      free(make(100), make(1000), make(10000))
      assert(sim.cusim_fail("cuMemFreeHost", 1, "CUDA_ERROR_INVALID_VALUE"))
    ]])
  end)

  kept("makes room for staging buffers, which are counted", function()
    C.run({devices = 2, keep = ""}, [[
      local d = nd.device "cuda:1"
      assert(d:memory_info().staging == 0)
      nd.ones({100}, "u8", "pinned"):free()
      nd.transfers()
      assert(sim.cusim_fail("cuMemHostAlloc", 1, "CUDA_ERROR_OUT_OF_MEMORY"))
      assert(nd.arange(1, 100, 1, "u8"):to "cuda:1"[100] == 100)
      assert(d:memory_info().staging == 16 * 2 ^ 20)
      assert(nd.device "cuda:0":memory_info().staging == 0)
      -- the other block made room; streams have words
      assert(sim.cusim_live_bytes "pinned" == 16 * 2 ^ 20 + 4096)
    ]])
  end)

  kept("says where memory is short what it keeps, not that it is in use", function()
    C.run({keep = ""}, CALLS .. [[
      local held, big = make(1000), nd.ones({2 ^ 20}, "u8")
      free(make(5000))
      for i = 1, 2 do
        assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_OUT_OF_MEMORY"))
        assert(sim.cusim_fail("cuMemFreeHost", i, "CUDA_ERROR_INVALID_VALUE"))
      end
      local e = H.raises("out_of_memory", big.to, big, "cuda")
      assert(e.live == 1024 and e.cached == 5120, tostring(e))
      sim.cusim_fail_none()
      assert(#held == 1000)
    ]])
  end)

  kept("hands out nothing where the context is lost, and counts it as lost", function()
    C.run({keep = ""}, CALLS .. [[
      free(make(1000), make(5000))
      local a = nd.ones({10}, "u8", "cuda")
      assert(sim.cusim_fail("cuMemsetD8Async", 1, "CUDA_ERROR_ILLEGAL_ADDRESS"))
      H.raises("driver", a.fill, a, 0)
      H.raises_like("driver", "context of cuda:0 was lost", make, 1000)
      assert(nd.memory.trim "pinned" == 1024 + 5120)
      assert(gpu:memory_info().lost_count == 2 and pinned:memory_info().cached == 0)
      ffi.cdef "void _exit(int);"
      ffi.C._exit(0)
    ]])
  end)

  kept("is of no use in a forked child, and untouched by it", function()
    C.run({keep = ""}, CALLS .. [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int);"
      free(make(1000))
      local mem, held, before = nd.memory.get "pinned", make(5000), locks()
      io.stdout:flush()
      local child = ffi.C.fork()
      if child == 0 then
        H.raises_like("driver", "forked", make, 1000, mem)
        H.raises_like("driver", "forked", function() return held[1] end)
        free(held)
        os.exit(0, true)
      end
      local status = ffi.new "int[1]"
      assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0, status[0])
      assert(make(1000):fill(1)[1000] == 1 and locks() == before and #held == 5000)
    ]])
  end)

  kept("is under guards, logs and above a budget by the environment", function()
    local log = H.path "log.csv"
    C.run({keep = "", env = "NDBUF_GUARD=1 NDBUF_BUDGET=64MiB NDBUF_LOG=" .. log}, CALLS .. [[
      local mem = nd.memory.get "pinned"
      assert(tostring(mem):find "^guard of log of pool of budget of pinned memory", tostring(mem))
      local a = nd.ones({1000}, "u8", "pinned")
      assert(a:sum() == 1000 and #mem:verify() == 0)
      free(a)
      nd.memory.trim "pinned" -- what the guard kept, and the pool then
      nd.memory.trim "pinned"
      assert(mem:stats().remaining == 64 * 2 ^ 20 and count "live_count" == 0)
      H.raises("budget_exceeded", make, 65 * 2 ^ 20)
      local big = make(40 * 2 ^ 20)
      free(big)
      assert(make(50 * 2 ^ 20).device == "pinned") -- what is kept makes room
    ]])
  end)
end)
