-- What the tests of RMM are about, by their names, on the host. What is about streams and devices
-- (DeletedStream, MultidevicePool) is in spec/dev/cuda_checklist_spec.lua.
local nd = require "ndbuf"
local H = require "spec.helper"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

local function live(mem)
  local s = mem:stats().live
  return {s.bytes.current, s.bytes.peak, s.bytes.total, s.count.current}
end

describe("of RMM's tests", function()
  it("ThrowMaxLessThanInitial: no more can be reserved than the limit is", function()
    -- A pool has no size to begin with; who wants memory to be there reserves it in a budget.
    local budget = nd.memory.budget(nd.memory.host(), 1000)
    local pool = nd.memory.pool(budget)
    for _, mem in ipairs {budget, pool} do
      local e = H.raises("budget_exceeded", mem.reserve, mem, 1001)
      assert.same({1001, 1000, 0}, {e.requested, e.limit, e.reserved})
      assert.equal(0, mem:stats().reserved.bytes.current)
    end
    local r = pool:reserve(1000)
    assert.equal(0, pool:stats().remaining)
    budget:set_limit(999) -- below what is promised already: that stays, and nothing more is
    H.raises("budget_exceeded", make, 1, pool)
    local a = r:use(make, 1, pool)
    assert.equal(512, pool:stats().live.bytes.current)
    a:free()
    r:release()
  end)

  it("ForceGrowth: a pool grows to what its upstream has, and no further", function()
    local budget = nd.memory.budget(nd.memory.host(), 1024 + 4096 + 512)
    local pool = nd.memory.pool(budget)
    local a, b, c = make(1000, pool), make(4000, pool), make(500, pool)
    assert.equal(0, budget:stats().remaining)
    H.raises("budget_exceeded", make, 2000, pool)
    b:free()
    local d = make(2000, pool) -- where the block of 4096 is given up
    assert.equal(4096 - 2048, budget:stats().remaining)
    for _, array in ipairs {a, c, d} do array:free() end
    a = make(5600, pool) -- all of it
    assert.equal(0, budget:stats().remaining)
    a:free()
  end)

  it("NonAlignedPoolSize: limits and caps need not be multiples of anything", function()
    -- RMM refuses such a size. Here blocks are rounded, the limit of their sum is not.
    local budget = nd.memory.budget(nd.memory.host(), 1031)
    local a = make(1024, budget)
    assert.equal(7, budget:stats().remaining)
    H.raises("budget_exceeded", make, 1, budget)
    a:free()
    local pool = nd.memory.pool(budget, {cap = 1031})
    a = make(513, pool)
    assert.equal(576, pool:stats().live.bytes.current)
    a:free()
    make(100, pool):free() -- 512 B more would be over the cap: the older block goes
    assert.equal(512, budget:stats().live.bytes.current)
    H.raises("budget_exceeded", make, 1025, pool)
  end)

  it("Nested, NegativeInnerTracking: scopes of counters begin at 0, and add up", function()
    local low = nd.memory.stats(nd.memory.host())
    for _, mem in ipairs {low, nd.memory.budget(low, 2 ^ 20), nd.memory.pool(nd.memory.host())} do
      local before = make(1024, mem)
      mem:push_stats()
      assert.same({0, 0, 0, 0}, live(mem))
      local a = make(2048, mem)
      mem:push_stats()
      before:free()
      assert.same({-1024, 0, 0, -1}, live(mem)) -- of an outer scope: negative
      local b = make(512, mem)
      assert.same({-512, 0, 512, 0}, live(mem))
      assert.equal(-512, mem:pop_stats().live.bytes.current)
      assert.same({1536, 2048, 2560, 1}, live(mem))
      a:free()
      b:free()
      assert.equal(-1024, mem:pop_stats().live.bytes.current)
      assert.same({0, 3072, 3584, 0}, live(mem))
      H.raises("invalid_argument", mem.pop_stats, mem)
    end
  end)

  it("DeallocWrongBytes: a block goes back once, with the bytes that it was taken with", function()
    -- A free has no size: an array has a ticket, of a generation that ends with the first free.
    local mem = nd.memory.stats(nd.memory.track(nd.memory.host()))
    for _, n in ipairs {5, 1000, 100000} do
      local a, other = make(n, mem), make(64, mem)
      local part = a:narrow(1, 2, 3) -- of which the memory is that of all
      assert.equal(n, mem:outstanding()[1].bytes)
      part:free()
      for _ = 1, 2 do -- nothing is left to free
        a:free()
        part:free()
      end
      H.raises("freed", function() return part[1] end)
      local again = make(n, mem) -- perhaps at the same address
      a:free()
      local list = mem:outstanding()
      assert.same({2, 64, n}, {#list, list[1].bytes, list[2].bytes})
      assert(list[2].generation > list[1].generation and list[2].tag == again.storage_id)
      again:free()
      other:free()
      assert.same({0, 0}, {mem:stats().live.bytes.current, mem:stats().live.count.current})
    end
  end)

  it("UpstreamFailure, UnderLimitDueToFrees: what is not taken is not charged", function()
    local budget = nd.memory.budget(nd.memory.host(), 2 ^ 48)
    local before = live(budget)
    H.raises("out_of_memory", make, 2 ^ 47, budget) -- within the limit, but nobody has it
    assert.same(before, live(budget))
    assert.equal(2 ^ 48, budget:stats().remaining)
    budget:set_limit(2 ^ 20)
    for _ = 1, 10 do make(2 ^ 19 + 64, budget):free() end -- more than the limit, one by one
    assert.equal(2 ^ 20, budget:stats().remaining)
    local a = make(2 ^ 20, budget)
    H.raises("budget_exceeded", make, 1, budget)
    a:free()
  end)

  it("RetryAllocationOnce: a function is asked until it says no", function()
    for _, case in ipairs {{2 ^ 47, "out_of_memory"}, {1000, "budget_exceeded"}} do
      local budget, calls = nd.memory.budget(nd.memory.host(), 2 ^ 48), {}
      local mem = nd.memory.retry(budget, function(bytes, why)
        calls[#calls + 1] = {bytes, why}
        return #calls == 1
      end)
      local a = case[1] == 1000 and make(64, mem)
      if a then budget:set_limit(1024) end
      H.raises(case[2], make, case[1], mem)
      assert.same({2, case[1], case[1]}, {#calls, calls[1][1], calls[2][1]})
      assert(calls[1][2]:find((case[2]:gsub("_", " ")), 1, true), calls[1][2])
    end
  end)

  it("DumpLogOnFailure: the error has the figures, and a log the tries", function()
    -- No file is written unasked. What RMM's dump has is in the error, nd.memory.report and logs.
    local path = H.path "tries.csv"
    local held = nd.zeros({3000}, "u8", nd.memory.host())
    local mem = nd.memory.log(nd.memory.budget(nd.memory.host(), 2 ^ 48), path)
    local a = make(1000, mem)
    local e = H.raises_like("out_of_memory", "requested %d+ B, in use %d+ B, pending free %d+ " ..
      "B, cached %d+ B; there are %d+ B free of %d+ B; largest live arrays: %d+", make, 2 ^ 47, mem)
    assert(e.requested == 2 ^ 47 and e.live >= 4032 and e.largest >= 3008 and held.size == 3000)
    a:free()
    local text = H.read(path)
    local _, failures = text:gsub(",allocate failure,[^,]+,140737488355328,", "")
    assert(failures >= 2, text)
    assert.equal("cpu", nd.memory.report()[1].device)
  end)
end)
