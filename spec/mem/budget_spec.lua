-- Budgets and reservations: on the host, against a model of our own.
local nd = require "ndbuf"
local H = require "spec.helper"

local function granted(bytes) return math.ceil(bytes / 64) * 64 end

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

local function full_collect()
  collectgarbage()
  collectgarbage()
end

describe("a budget", function()
  it("refuses what would exceed its limit, with the figures", function()
    local mem = nd.memory.budget(nd.memory.host(), 1000000)
    local a, b = make(500000, mem), make(100000, mem)
    local err = H.raises("budget_exceeded", make, 500000, mem)
    assert.equal("budget_exceeded", err.code)
    assert.truthy(tostring(err):find("budget exceeded on cpu: requested 500,000 B (500,032 B " ..
      "with rounding), in use 600,064 B (of which 0 B pending free), limit 1,000,000 B, " ..
      "cached 0 B, peak 600,064 B", 1, true), tostring(err))
    assert.same({500000, 600064, 399936, 1000000, 0, 0, 600064}, {err.requested, err.live,
      err.remaining, err.limit, err.pending, err.reserved, err.peak})
    local s = mem:stats()
    assert.same({600064, 2, 399936, 1000000, 3, 1}, {s.live.bytes.current, s.live.count.current,
      s.remaining, s.limit, s.requests, s.failed_takes})
    a:free()
    make(500000, mem)
    b:free()
  end)

  it("lets as many bytes pass as its limit says, and not one more", function()
    for _, n in ipairs {64, 640, 1024, 4096, 2 ^ 20, 3 * 2 ^ 20} do
      local mem = nd.memory.budget(nd.memory.host(), n)
      local a = make(n, mem)
      assert.equal(0, mem:stats().remaining)
      H.raises("budget_exceeded", make, 1, mem)
      a:free()
      H.raises("budget_exceeded", make, n + 1, mem)
      assert.equal(0, mem:stats().live.bytes.current)
      make(n, mem):free()
      assert.equal(n, mem:stats().live.bytes.peak)
    end
  end)

  it("collects garbage to make room, but not for what can never fit", function()
    local mem = nd.memory.budget(nd.memory.host(), 10000)
    local above = nd.memory.budget(mem, 20000)
    full_collect()
    collectgarbage "stop"
    local gone = setmetatable({}, {__mode = "k"})
    gone[make(8000, mem)] = true
    H.raises("budget_exceeded", make, 10001, mem)
    assert.truthy(next(gone)) -- not collected
    H.raises("budget_exceeded", mem.reserve, mem, 10001)
    H.raises("budget_exceeded", above.reserve, above, 10001)
    assert.truthy(next(gone) or os.getenv "NDBUF_GC_STRESS") -- which collects before each object
    make(8000, mem)
    collectgarbage "restart"
    assert.is_nil(next(gone))
  end)

  it("of 0 bytes takes arrays of 0 bytes only", function()
    local mem = nd.memory.budget(nd.memory.host(), 0)
    local a = make(0, mem)
    assert.same({0, 1}, {mem:stats().live.bytes.current, mem:stats().live.count.current})
    H.raises("budget_exceeded", make, 1, mem)
    a:free()
    assert.equal(0, mem:stats().live.count.current)
  end)

  it("refuses with the figures of the limit inside a scope of its counters, too", function()
    local mem = nd.memory.budget(nd.memory.host(), 6400)
    local a = make(3200, mem)
    make(3200, mem):free()
    for _ = 1, 2 do
      mem:push_stats()
      a:free()
      a = make(1600, mem)
    end
    local err = H.raises("budget_exceeded", make, 6400, mem)
    assert.same({1600, 4800, 6400, 6400}, {err.live, err.remaining, err.limit, err.peak})
    mem:reset_peak()
    assert.equal(0, mem:pop_stats().live.bytes.peak)
    mem:pop_stats()
    a:free()
  end)

  it("may get another limit while in use", function()
    local mem = nd.memory.budget(nd.memory.host(), 6400)
    local a = make(6400, mem)
    mem:set_limit(3200)
    assert.same({3200, 0}, {mem:stats().limit, mem:stats().remaining})
    H.raises("budget_exceeded", make, 1, mem)
    mem:set_limit "8000 B"
    local b = make(1600, mem)
    mem:set_limit(1600)
    a:free()
    H.raises("budget_exceeded", make, 1, mem)
    b:free()
    make(1600, mem):free()
    H.raises("unsupported", function() nd.memory.host():set_limit(1) end)
  end)

  it("is a number, a text with a unit, or a part of all memory", function()
    local host = nd.memory.host()
    local function limit(x) return nd.memory.budget(host, x):stats().limit end
    assert.same({1000, 1000, 1024, 1.5 * 2 ^ 20, 2 ^ 32, 2 ^ 41}, {limit(1000), limit "1000",
      limit "1KiB", limit "1.5 MiB", limit "4GiB", limit "2TiB"})
    assert.equal(limit "100%", 4 * limit "25%")
    assert.equal(math.floor(limit "100%" / 8), limit "12.5%")
    local kib = tonumber(io.open "/proc/meminfo":read "*a":match "MemTotal:%s+(%d+)")
    assert.equal(kib * 1024, limit "100%")
    assert.same({109951162, 536870, 1049600, 1e13, 123456789012345}, {limit "0.0001TiB",
      limit "0.0005GiB", limit "1.0009765625MiB", limit "10000000000000", limit "123456789012345"})
    assert.equal(math.floor(limit "100%" * 4 / 1e6), limit "0.0004%")
    for _, bad in ipairs {"", "%", "GiB", "4.GiB", ".5GiB", "1.2.3", "1234567890.1234567",
      "4 gigabytes", "101%", "-1", "1e9", "4GB", "0x10", "1..2B", "99999999999999999999",
      "9000000TiB"} do
      H.raises_like("invalid_argument", "limit", nd.memory.budget, host, bad)
    end
    H.raises_like("invalid_argument", 'limit: "100.5%%": the most is "100%%"', nd.memory.budget,
      host, "100.5%")
    H.raises_like("invalid_argument", 'limit: "9000000TiB": the most is 2%^63 %- 1 bytes',
      nd.memory.budget, host, "9000000TiB")
    H.raises("invalid_argument", nd.memory.budget, host, -1)
    H.raises("invalid_argument", nd.memory.budget, host, 1.5)
    H.raises("type_mismatch", nd.memory.budget, host)
    H.raises("type_mismatch", nd.memory.budget, "cpu", 1)
    local path = os.tmpname()
    local file = nd.memory.file(path, {overwrite = true})
    H.raises_like("invalid_argument", "unknown", nd.memory.budget, file, "50%")
    local mem = nd.memory.budget(file, 100)
    H.raises("budget_exceeded", make, 101, mem)
    local a = make(100, mem)
    assert.same({"disk:" .. path, 100}, {a.device, mem:stats().live.bytes.current})
    H.raises("budget_exceeded", make, 1, mem)
    mem:set_limit(1000)
    H.raises("capacity", make, 1, mem) -- a file is one array
    a:free()
    os.remove(path)
  end)

  it("is over what the host keeps for later arrays, too", function()
    local host, MiB = nd.memory.host(), 2 ^ 20
    local mem = nd.memory.budget(host, 8 * MiB)
    local function held()
      local s = mem:stats()
      return s.live.bytes.current + s.cached.bytes.current
    end
    full_collect() -- else what others dropped comes to the cache meanwhile
    host:trim()
    for round = 1, 3 do
      local all = {}
      for i = 1, 4 do all[i] = make((1 + i % round) * MiB, mem) end
      assert(held() <= 8 * MiB, held())
      for i = 1, 4 do all[i]:free() end
      local a = make(7 * MiB - round, mem)
      assert(held() <= 8 * MiB, held())
      a:free()
    end
    assert.equal(mem:stats().cached.bytes.current, host:stats().cached.bytes.current)
    mem:set_limit(MiB)
    assert(held() <= MiB, held())
    local two = nd.memory.budget(host, 2 * (MiB + 64)) -- whose pages are more
    local a, b = make(MiB + 64, two), make(MiB + 64, two)
    a:free()
    b:free()
    local s = two:stats()
    assert(s.live.bytes.current + s.cached.bytes.current <= s.limit)
  end)

  it("leaves alone what others left in the host's cache, and what it can use again", function()
    if H.is_sanitized then return pending "checkers of memory see blocks come and go" end
    local host, MiB = nd.memory.host(), 2 ^ 20
    full_collect() -- else what others dropped comes to the cache meanwhile
    host:trim()
    make(60 * MiB, host):free()
    local small = nd.memory.budget(host, MiB)
    for _ = 1, 100 do make(64, small):free() end
    make(MiB - 64, small):free()
    assert.equal(60 * MiB, host:stats().cached.bytes.current)
    local mem = nd.memory.budget(host, 100 * MiB)
    local a = make(60 * MiB, mem)
    local first = a:address()
    for _ = 1, 5 do
      a:free()
      a = make(60 * MiB, mem)
      assert.equal(first, a:address())
    end
    a:free()
    host:trim()
  end)

  it("says the whole path of a file, and counts requests where arrays asked", function()
    local path = H.path(("d"):rep(60))
    local mem = nd.memory.stats(nd.memory.budget(nd.memory.file(path), 10))
    local err = H.raises("budget_exceeded", make, 11, mem)
    assert.truthy(tostring(err):find("on disk:" .. path .. ":", 1, true))
    assert.same({1, 1}, {mem:stats().requests, mem:stats().failed_takes})
  end)

  it("above another: a refusal of one leaves the other as it was", function()
    local inner = nd.memory.budget(nd.memory.host(), 5120)
    local outer = nd.memory.budget(inner, 10240)
    local other = nd.memory.budget(inner, 2560)
    local a = make(2560, other)
    H.raises("budget_exceeded", make, 64, other)
    H.raises("budget_exceeded", make, 5120, outer)
    local err = H.raises("budget_exceeded", make, 2561, outer)
    assert.equal(5120, err.limit)
    assert.same({0, 0, 10240}, {outer:stats().live.bytes.current, outer:stats().live.bytes.peak,
      outer:stats().remaining})
    local b = make(2560, outer)
    assert.same({true}, {outer:check(0)})
    local fits, why = outer:check(1)
    assert.is_false(fits)
    assert.truthy(why:find("limit 5,120 B", 1, true))
    a:free()
    b:free()
    assert.same({0, 0, 0}, {inner:stats().live.bytes.current, outer:stats().live.bytes.current,
      other:stats().live.bytes.current})
  end)

  it("counts as an independent model does", function()
    local rng = H.rng "budget"
    local limit = 200000
    local mem = nd.memory.stats(nd.memory.budget(nd.memory.stats(nd.memory.host()), limit))
    local live, sum, peak, total, requests, failed, count = {}, 0, 0, 0, 0, 0, 0
    collectgarbage "stop"
    for step = 1, H.cases(100000) do
      if rng(1, 2) == 1 or #live == 0 then
        local n = rng(1, 4) == 1 and rng(0, 60000) or rng(0, 2000)
        requests = requests + 1
        if sum + granted(n) <= limit then
          live[#live + 1] = make(n, mem)
          sum, total, count = sum + granted(n), total + granted(n), count + 1
          peak = math.max(peak, sum)
        else
          failed = failed + 1
          assert(not pcall(make, n, mem))
        end
      else
        local i = rng(1, #live)
        sum = sum - granted(live[i].nbytes)
        live[i]:free()
        live[i] = live[#live]
        live[#live] = nil
      end
      if step % 97 == 0 or step < 200 then
        local s = mem:stats()
        local bytes, blocks = s.live.bytes, s.live.count
        assert(bytes.current == sum and bytes.peak == peak and bytes.total == total
          and blocks.current == #live and blocks.total == count and s.requests == requests
          and s.failed_takes == failed and s.remaining == limit - sum, "seed " .. H.seed)
      end
    end
    collectgarbage "restart"
  end)
end)

describe("a reservation", function()
  it("promises bytes, which others cannot take, and returns the rest once", function()
    local mem = nd.memory.budget(nd.memory.host(), 6400)
    local r = mem:reserve(4000)
    assert.same({4000, 2400, 4000, 1}, {r.remaining, mem:stats().remaining,
      mem:stats().reserved.bytes.current, mem:stats().reserved.count.current})
    local err = H.raises("budget_exceeded", make, 2401, mem)
    assert.truthy(tostring(err):find("reserved 4,000 B", 1, true))
    local a, b = r:use(function(...) return make(3200, mem), ... end, 7)
    assert.equal(7, b)
    assert.same({800, 2400, 3200}, {r.remaining, mem:stats().remaining,
      mem:stats().live.bytes.current})
    local c = r:use(make, 1600, mem) -- half of it is promised
    assert.same({0, 1600}, {r.remaining, mem:stats().remaining})
    a:free() -- is anybody's now
    assert.same({0, 4800}, {r.remaining, mem:stats().remaining})
    r:release()
    r:release()
    c:free()
    assert.same({0, 6400}, {r.remaining, mem:stats().remaining})
    local d = r:use(make, 6400, mem)
    assert.equal(0, mem:stats().remaining)
    d:free()
    assert.equal(6400, mem:stats().remaining)
    H.raises("budget_exceeded", mem.reserve, mem, 6401)
  end)

  it("is returned by the collector, by errors not at all, in any order", function()
    local mem = nd.memory.budget(nd.memory.host(), 6400)
    local kept, s = {mem:reserve(3200)}, mem:reserve(3200)
    H.raises("budget_exceeded", mem.reserve, mem, 1)
    assert.is_false((pcall(kept[1].use, kept[1], error, "no")))
    H.raises("budget_exceeded", make, 1, mem) -- no use is in progress
    assert.equal(3200, kept[1].remaining)
    kept[1] = nil
    full_collect()
    assert.equal(3200, mem:stats().remaining)
    local t = mem:reserve(3200)
    s:release()
    t:release()
    assert.equal(6400, mem:stats().remaining)
    local u = mem:reserve(6400)
    full_collect()
    mem:reserve(0)
    H.raises("budget_exceeded", mem.reserve, mem, 1)
    assert.equal(6400, u.remaining)
  end)

  it("makes room as an array does, and lives longer than its budget's object", function()
    local kept = {nd.memory.budget(nd.memory.host(), 6400)}
    collectgarbage "stop"
    make(6400, kept[1])
    local r = kept[1]:reserve(6400)
    collectgarbage "restart"
    kept[1] = nil
    full_collect()
    r:release()
    H.raises("unsupported", function() nd.memory.host():reserve(1) end)
    H.raises_like("invalid_argument", "remaining, release, use", function() return r.left end)
    H.raises("type_mismatch", r.use, r, 1)
    assert.truthy(tostring(r):find "reservation of 0 B")
  end)

  it("is found in any order of uses, and counted once", function()
    local host = nd.memory.host()
    local one, other = nd.memory.budget(host, 6400), nd.memory.budget(host, 6400)
    local r, t = one:reserve(6400), other:reserve(6400)
    r:use(function()
      t:use(function()
        local a, b = make(64, one), make(64, other)
        H.raises("budget_exceeded", make, 6400, one)
        assert.equal(128, a.nbytes + b.nbytes)
      end)
      assert.same({6336, 6336}, {r.remaining, t.remaining})
    end)
    assert.equal(6400, one:stats().reserved.bytes.total)
    assert.equal(6400, one:stats().reserved.bytes.peak)
  end)

  it("promises bytes of all budgets below, too, or of none", function()
    local low = nd.memory.budget(nd.memory.host(), 10048)
    local high = nd.memory.budget(nd.memory.stats(low), 8000)
    local function counts(mem)
      local s = mem:stats()
      return {s.remaining, s.reserved.bytes.current, s.reserved.count.current}
    end
    local r = high:reserve(8000)
    assert.same({{0, 8000, 1}, {2048, 8000, 1}}, {counts(high), counts(low)})
    H.raises("budget_exceeded", make, 2112, low)
    local kept = make(2048, low)
    local a = r:use(make, 6400, high)
    assert.same({1600, {0, 1600, 1}, {0, 1600, 1}}, {r.remaining, counts(high), counts(low)})
    local b = r:use(make, 640, low) -- below the layer that was reserved from
    assert.same({1600, {0, 1600, 1}, {0, 960, 1}}, {r.remaining, counts(high), counts(low)})
    r:release()
    r:release()
    assert.same({{1600, 0, 0}, {960, 0, 0}}, {counts(high), counts(low)})
    for _, array in ipairs {kept, a, b} do array:free() end
    assert.same({8000, 10048}, {high:stats().remaining, low:stats().remaining})
    for _, limit in ipairs {4000, 7999} do -- can never be; others hold too much
      if limit == 4000 then low:set_limit(limit) else kept = make(3008, low) end
      local e = H.raises("budget_exceeded", high.reserve, high, 8000)
      assert.same({8000, low:stats().limit}, {e.requested, e.limit})
      assert.same({8000, 0, 0}, counts(high))
      low:set_limit(10048)
    end
    kept:free()
  end)

  it("is kept where the limit falls below it", function()
    local mem = nd.memory.budget(nd.memory.host(), 1024)
    local r = mem:reserve(832)
    mem:set_limit(500)
    H.raises("budget_exceeded", make, 512, mem)
    assert.equal(512, r:use(make, 512, mem).size)
    H.raises("budget_exceeded", r.use, r, make, 512, mem)
    assert.equal(320, r.remaining)
  end)

  it("serves what is taken from its own budget only", function()
    local host = nd.memory.host()
    local mem, other = nd.memory.budget(host, 6400), nd.memory.budget(host, 64)
    local r = mem:reserve(640)
    r:use(function()
      make(64, other)
      H.raises("budget_exceeded", make, 65, other)
      local inner = mem:reserve(64)
      inner:use(make, 64, mem)
      assert.same({640, 0}, {r.remaining, inner.remaining})
      make(64, mem)
      assert.equal(576, r.remaining)
    end)
  end)
end)
