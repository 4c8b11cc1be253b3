-- Pools on the host: sizes, cap, order, zeros, trims, budgets above and below.
local nd = require "ndbuf"
local H = require "spec.helper"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

-- What a pool on 'low' keeps, which is in use for that.
local function kept(mem, low)
  return low:stats().live.bytes.current - mem:stats().live.bytes.current
end

describe("a pool", function()
  it("is seen by trims and figures, however many there are", function()
    local cpu, pools = nd.device "cpu", {}
    collectgarbage()
    collectgarbage()
    nd.memory.trim "cpu"
    local before = cpu:memory_info()
    for i = 1, 600 do
      pools[i] = nd.memory.pool(nd.memory.host())
      make(2 ^ 20, pools[i]):free()
    end
    local info = cpu:memory_info()
    assert.same({600 * 2 ^ 20, before.live}, {info.cached - before.cached, info.live})
    assert(nd.memory.trim "cpu" >= 600 * 2 ^ 20)
    assert.equal(0, cpu:memory_info().cached)
  end)

  it("wastes at most an eighth, and hands a block out again", function()
    local rng = H.rng "pool"
    for _ = 1, H.cases(2000) do
      local low = nd.memory.budget(nd.memory.host(), "1GiB")
      local mem = nd.memory.pool(low)
      local n = math.floor(2 ^ (rng(0, 2400) / 100))
      local a = make(n, mem)
      local granted = mem:stats().live.bytes.current
      assert(granted >= n and granted <= math.max(512, n * 9 / 8 + 64), n)
      local first = a:address()
      a:free()
      assert.same({0, granted}, {mem:stats().live.bytes.current, kept(mem, low)})
      local b = make(math.max(1, n - rng(0, math.floor(n / 100))), mem)
      if mem:stats().live.bytes.current == granted then assert.equal(first, b:address()) end
      b:free()
    end
  end)

  it("never gives dirty bytes as zeros", function()
    local low = nd.memory.budget(nd.memory.host(), "1GiB")
    local mem = nd.memory.pool(low)
    for _, n in ipairs {1, 600, 1100, 5000, 3 * 2 ^ 20} do
      for _ = 1, 3 do
        local a = nd.zeros({n}, "u8", mem)
        assert.equal(0, a:sum())
        a:fill(255)
        a:free()
      end
    end
    assert.equal(5, low:stats().live.count.total)
  end)

  it("keeps no more than its cap; what was given back longest ago goes first", function()
    local low = nd.memory.budget(nd.memory.host(), "1GiB")
    local mem = nd.memory.pool(low, {cap = 10240})
    local arrays = {}
    for i, n in ipairs {1024, 2048, 4096, 8192} do arrays[i] = make(n, mem) end
    arrays[2]:free()
    arrays[1]:free()
    arrays[3]:free()
    assert.equal(8192, mem:stats().live.bytes.current)
    assert.equal(15360, low:stats().live.bytes.current)
    arrays[4]:free() -- 2048, 1024 and 4096 go
    assert.same({8192, 0}, {low:stats().live.bytes.current, mem:stats().live.bytes.current})
    local a = make(2048, mem)
    a:free()
    assert.same({10240, 2}, {low:stats().live.bytes.current, low:stats().live.count.current})
    make(16384, mem):free() -- larger than the cap
    assert.equal(10240, low:stats().live.bytes.current)
    mem:trim(2048)
    assert.equal(2048, low:stats().live.bytes.current)
    assert(mem:trim() >= 2048)
    assert.equal(0, low:stats().live.bytes.current)
    local none = nd.memory.pool(low, {cap = 0})
    make(100, none):free()
    assert.equal(0, low:stats().live.bytes.current)
    assert.equal(0, none:stats().live.count.current)
  end)

  it("counts what is kept as cached, not as in use", function()
    local host = nd.memory.host()
    host:trim()
    local low = nd.memory.budget(host, "1GiB")
    local mem = nd.memory.pool(low)
    local a, b = make(1000, mem), make(1000, mem)
    a:free()
    local s = mem:stats()
    assert(s.cached.bytes.current >= 1024 and s.cached.count.current >= 1)
    assert.same({1024, 1, 2048, 2}, {s.live.bytes.current, s.live.count.current,
      s.live.bytes.peak, s.live.count.total})
    assert.equal(1024, kept(mem, low))
    mem:push_stats()
    b:free()
    assert.equal(-1024, mem:pop_stats().live.bytes.current)
    assert.equal(2048, kept(mem, low))
    assert.equal("pool of budget of host memory of cpu", tostring(mem))
  end)

  it("says that it rounds up, where that is missing as well", function()
    local mem = nd.memory.pool(nd.memory.budget(nd.memory.host(), 9000))
    H.raises_like("budget_exceeded", "requested 9,216 B, .*, rounded up by a pool$", nd.zeros,
      {9001}, "u8", mem)
    H.raises_like("budget_exceeded",
      "requested 10,240 B, .*, rounded up by a pool, with the bytes that a guard adds$", nd.zeros,
      {9001}, "u8", nd.memory.guard(mem))
    H.raises_like("budget_exceeded", "requested 10,240 B, .*, peak 0 B$", nd.zeros, {10240}, "u8",
      mem)
    local held = nd.zeros({6144}, "u8", mem)
    H.raises_like("budget_exceeded", "requested 3,072 B, .*, rounded up by a pool$", nd.zeros,
      {3000}, "u8", mem)
    assert.equal(6144, held.size)
  end)

  it("asks nobody for room where it is its rounding that can never fit", function()
    local calls = 0
    local low = nd.memory.budget(nd.memory.host(), 10000)
    local mem = nd.memory.pool(nd.memory.retry(low, function() calls = calls + 1 end))
    H.raises("budget_exceeded", make, 9900, mem)
    assert.equal(0, calls)
  end)

  it("above a budget gives up no more than it has to, the oldest first", function()
    local low = nd.memory.budget(nd.memory.host(), 2 ^ 20)
    local mem, all = nd.memory.pool(low), {}
    for i = 1, 8 do all[i] = make(2 ^ 17 - 8192 * i, mem) end
    local sizes = {}
    for i = 1, 8 do
      local before = mem:stats().live.bytes.current
      all[i]:free()
      sizes[i] = before - mem:stats().live.bytes.current
    end
    local before = kept(mem, low)
    local a = make(2 ^ 19, mem)
    local gone, at = before - kept(mem, low), 0
    while gone > 0 do
      at = at + 1
      gone = gone - sizes[at]
    end
    assert.same({0, 5}, {gone, at})
    a:free()
  end)

  it("above a budget gives up what it keeps to make room", function()
    local low = nd.memory.budget(nd.memory.host(), 65536)
    local mem = nd.memory.pool(low)
    local a, b = make(32768, mem), make(16384, mem)
    a:free()
    assert.same({49152, 16384}, {low:stats().live.bytes.current, low:stats().remaining})
    local c = make(20480, mem)
    assert.equal(36864, low:stats().live.bytes.current)
    H.raises("budget_exceeded", make, 40960, mem)
    c:free()
    low:reserve(32768):release() -- what the pool on it keeps makes room
    b:free()
    local r = mem:reserve(65536)
    assert.equal(0, low:stats().live.bytes.current)
    H.raises("budget_exceeded", make, 1, mem)
    r:use(make, 1, mem):free()
  end)

  it("below a budget is held to what is used", function()
    local low = nd.memory.budget(nd.memory.host(), "1GiB")
    local mem = nd.memory.budget(nd.memory.pool(low), 8192)
    local first, second = make(4096, mem), make(1024, mem)
    first:free()
    second:free()
    make(8192, mem):free()
    assert.equal(4096 + 1024 + 8192, low:stats().live.bytes.current) -- nothing is trimmed
    for _ = 1, 3 do
      local a, b = make(4096, mem), make(1024, mem)
      H.raises("budget_exceeded", make, 4096, mem)
      a:free()
      b:free()
      local c = make(8192, mem)
      H.raises("budget_exceeded", make, 1, mem)
      c:free()
    end
    assert.equal(8192, low:stats().live.bytes.current) -- the refusal above gave up the rest
    local err = H.raises("budget_exceeded", make, 8193, mem)
    assert.equal(0, err.live)
    mem:trim()
    assert.equal(0, low:stats().live.bytes.current)
  end)

  it("is refused where it makes no sense, with the reason", function()
    local host, path = nd.memory.host(), os.tmpname()
    local pool = nd.memory.pool(host)
    H.raises_like("invalid_argument", "a pool over pool: the one below", nd.memory.pool, pool)
    H.raises_like("invalid_argument", "over pool", nd.memory.pool, nd.memory.budget(pool, 1))
    H.raises_like("invalid_argument", "a pool over stats: .* put it on the pool", nd.memory.pool,
      nd.memory.stats(host))
    H.raises_like("invalid_argument", "one array", nd.memory.pool,
      nd.memory.file(path, {overwrite = true}))
    H.raises_like("invalid_argument", "cap", nd.memory.pool, host, {cap = "much"})
    H.raises_like("invalid_argument", "cap", nd.memory.pool, host, {cap = -1})
    os.remove(path)
  end)

  it("may be dropped before its arrays, and gives back what it kept", function()
    local low = nd.memory.budget(nd.memory.host(), "1GiB")
    local mem = {nd.memory.pool(low)}
    local a = make(1000, mem[1])
    make(5000, mem[1]):free()
    assert.equal(1024 + 5120, low:stats().live.bytes.current)
    mem[1] = nil
    collectgarbage()
    collectgarbage()
    assert.equal(1000, a.size)
    a:free()
    a = nil
    collectgarbage()
    collectgarbage()
    low:reap()
    assert.same({0, 0}, {low:stats().live.bytes.current, low:stats().live.count.current})
    assert.is_nil(a)
  end)

  it("serves small and large sizes at random, as a model says", function()
    local rng, limit = H.rng "pool model", 2 ^ 20
    local low = nd.memory.budget(nd.memory.host(), limit)
    local mem = nd.memory.pool(low, {cap = 2 ^ 18})
    local live = {}
    collectgarbage "stop"
    for _ = 1, H.cases(20000) do
      if #live > 0 and rng(1, 2) == 1 then
        local i = rng(1, #live)
        local x = live[i]
        assert(x.array[1] == x.value and x.array[x.n] == x.value, "seed " .. H.seed)
        x.array:free()
        live[i] = live[#live]
        live[#live] = nil
      else
        local n = rng(1, 4) == 1 and rng(1, 100000) or rng(1, 3000)
        local fine, a = pcall(make, n, mem)
        local value = rng(0, 255)
        if fine then
          a:fill(value)
          live[#live + 1] = {array = a, n = n, value = value}
        end
      end
      local s, held = mem:stats(), low:stats().live.bytes.current
      assert(held <= limit and held - s.live.bytes.current <= 2 ^ 18, "seed " .. H.seed)
      assert(s.live.count.current == #live, "seed " .. H.seed)
    end
    collectgarbage "restart"
  end)
end)
