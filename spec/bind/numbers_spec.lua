-- Makers of ranges and of random numbers.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES, is_made = common.NAMES, common.is_made

describe("ranges", function()
  -- As the manual says; spec/ops/ranges_spec.lua asks decimal fractions.
  local function count(first, last, step)
    local steps = (last - first) / step
    local apart = (math.abs(first) + math.abs(last)) / math.abs(step)
    local slack = (apart + 2 * math.abs(steps)) * 2 ^ -52
    return math.max(0, math.floor(steps + math.min(1 / 2, slack)) + 1)
  end

  it("arange counts from first to last by step, both included", function()
    is_made(nd.arange(1, 10), "f64", {10})
    assert.same({1, 2, 3, 4}, nd.arange(1, 4):totable())
    assert.same({0, 0.25, 0.5, 0.75, 1}, nd.arange(0, 1, 0.25, "f32"):totable())
    assert.same({5, 3, 1}, nd.arange(5, 1, -2):totable())
    assert.same({1, 4, 7}, nd.arange(1, 9, 3):totable())
    assert.same({1, 2, 3}, nd.arange(3):totable())
    assert.same({}, nd.arange(2, 1):totable())
    assert.same({2}, nd.arange(2, 2):totable())
    assert.same({1, 2, 3}, nd.arange(1, 3, "i8"):totable())
    assert.same({1, 2, 3}, nd.arange(1, 3, 1, {dtype = "i8"}):totable())
    local wide = nd.arange(2 ^ 53 - 2, 2 ^ 53 - 1, 1, "i64")
    assert.is_true(wide[2] == 9007199254740991LL)
  end)

  it("arange has the promised count and does not accumulate errors", function()
    local rng = H.rng "arange"
    for _ = 1, H.cases(1000) do
      local first, step = rng(-50, 50) / 10, rng(1, 40) / rng(1, 30)
      if rng() < 0.5 then step = -step end
      local last = first + step * rng(-3, 40) + (rng() < 0.3 and step * rng() or 0)
      local a = nd.arange(first, last, step)
      local n = count(first, last, step)
      local where = ("seed %d: %.17g %.17g %.17g"):format(H.seed, first, last, step)
      assert.equal(n, a.size, where)
      for i = 1, n do
        assert.is_true(math.abs(a[i] - (first + (i - 1) * step)) <= 1e-14 * 100, where)
      end
    end
    assert.equal(11, nd.arange(0, 1, 0.1).size)
    assert.equal(1001, nd.arange(0, 100, 0.1).size)
    assert.equal(4, nd.arange(0, 0.3, 0.1).size)
  end)

  it("arange refuses a step of 0, infinities and NaN", function()
    H.raises("invalid_argument", nd.arange, 1, 2, 0)
    H.raises("invalid_argument", nd.arange, 1, 1 / 0)
    H.raises("invalid_argument", nd.arange, 0 / 0, 1)
    H.raises("invalid_argument", nd.arange, 1, 2, 1 / 0)
    H.raises("overflow", nd.arange, 0, 1e300, 1e-300)
    H.raises("type_mismatch", nd.arange)
    H.raises("type_mismatch", nd.arange, "1")
  end)

  it("linspace has n numbers, both ends exactly", function()
    assert.same({0, 0.25, 0.5, 0.75, 1}, nd.linspace(0, 1, 5):totable())
    assert.same({3}, nd.linspace(3, 7, 1):totable())
    assert.same({}, nd.linspace(3, 7, 0):totable())
    assert.same({2, 1}, nd.linspace(2, 1, 2):totable())
    is_made(nd.linspace(0, 1, 5, "f32"), "f32", {5})
    local rng = H.rng "linspace"
    for _ = 1, 200 do
      local first, last, n = rng() * 100 - 50, rng() * 1e6, rng(2, 300)
      local a = nd.linspace(first, last, n)
      assert.equal(first, a[1])
      assert.equal(last, a[n])
      assert.equal(n, a.size)
      local middle = rng(1, n)
      local wanted = first + (last - first) * (middle - 1) / (n - 1)
      assert.is_true(math.abs(a[middle] - wanted) <= 1e-9, "seed " .. H.seed)
    end
    H.raises("invalid_argument", nd.linspace, 0, 1, -1)
    H.raises("invalid_argument", nd.linspace, 0, 1 / 0, 3)
    H.raises("type_mismatch", nd.linspace, 0, 1)
  end)

  it("are made in every dtype", function()
    for _, dtype in ipairs(DTYPES) do
      assert.is_true(nd.arange(0, 4, 1, dtype):equal(nd.array({0, 1, 2, 3, 4}, dtype)), dtype)
      assert.is_true(nd.linspace(0, 4, 3, dtype):equal(nd.array({0, 2, 4}, dtype)), dtype)
    end
  end)
end)

describe("random numbers", function()
  it("are uniform in [0, 1), normal, or integers with both ends", function()
    local a = nd.random({20000}, {seed = 3})
    local sum, least, most = 0, 1, 0
    for _, x in ipairs(a:totable()) do
      sum, least, most = sum + x, math.min(least, x), math.max(most, x)
    end
    assert.is_true(least >= 0 and most < 1 and least < 0.001 and most > 0.999)
    assert.is_true(math.abs(sum / 20000 - 0.5) < 0.01)
    for _, dtype in ipairs {"f16", "bf16", "f32"} do
      for _, x in ipairs(nd.random({5000}, dtype, {seed = 4}):totable()) do
        assert.is_true(x >= 0 and x < 1, dtype)
      end
    end
    local mean, square = 0, 0
    for _, x in ipairs(nd.normal({20000}, {seed = 5}):totable()) do
      mean, square = mean + x / 20000, square + x * x / 20000
    end
    assert.is_true(math.abs(mean) < 0.03 and math.abs(square - 1) < 0.05)
    local counts = {}
    for _, x in ipairs(nd.randint(-2, 3, {6000}, "i8", {seed = 6}):totable()) do
      counts[x] = (counts[x] or 0) + 1
    end
    for x = -2, 3 do
      assert.is_true(counts[x] > 800 and counts[x] < 1200)
      counts[x] = nil
    end
    assert.is_nil(next(counts))
    is_made(nd.randint(1, 6, {2, 3}), "i64", {2, 3})
    assert.is_true(nd.randint(5, 5, {1})[1] == 5)
  end)

  it("a permutation has each number from 1 to n once", function()
    for _, n in ipairs {0, 1, 2, 10, 1000} do
      local p = nd.permutation(n)
      is_made(p, "i64", {n})
      local seen = {}
      for i = 1, n do seen[tonumber(p[i])] = true end
      for i = 1, n do assert.is_true(seen[i]) end
    end
    assert.is_false(nd.permutation(1000):equal(nd.permutation(1000)))
  end)

  it("are the same by seed, for any shape, and go on otherwise", function()
    local a = nd.random({2, 3}, "f32", {seed = 1})
    assert.is_true(a:equal(nd.random({2, 3}, "f32", {seed = 1})))
    assert.is_true(a:flatten():equal(nd.random({6}, "f32", {seed = 1})))
    assert.is_true(a:flatten():equal(nd.random({100}, "f32", {seed = 1})["1:6"]))
    assert.is_false(a:equal(nd.random({2, 3}, "f32", {seed = 2})))
    nd.seed(42)
    local x, y = nd.random(5), nd.normal(5)
    assert.is_false(x:equal(nd.random(5)))
    nd.seed(42)
    assert.is_true(x:equal(nd.random(5)))
    assert.is_true(y:equal(nd.normal(5)))
    nd.seed(43)
    assert.is_false(x:equal(nd.random(5)))
    for _, make in ipairs {nd.random, nd.normal} do
      assert.is_true(make({4}, {seed = 9}):equal(make({4}, {seed = 9})))
    end
    assert.is_true(nd.permutation(50, {seed = 9}):equal(nd.permutation(50, {seed = 9})))
    assert.is_true(nd.randint(1, 9, {50}, {seed = 9}):equal(nd.randint(1, 9, {50}, {seed = 9})))
    nd.seed(ffi.new("uint64_t", 7))
    H.raises("type_mismatch", nd.seed, "1")
  end)

  it("are refused for dtypes and bounds that do not go", function()
    H.raises("type_mismatch", nd.random, {2}, "i32")
    H.raises("type_mismatch", nd.normal, {2}, "c64")
    H.raises("type_mismatch", nd.randint, 1, 2, {2}, "f32")
    H.raises("invalid_argument", nd.randint, 2, 1, {2})
    H.raises("invalid_argument", nd.randint, 0, 256, {2}, "u8")
    H.raises("invalid_argument", nd.randint, -1, 2, {2}, "u8")
    H.raises("invalid_argument", nd.randint, 0.5, 2, {2})
    H.raises("invalid_argument", nd.randint, 0, 2 ^ 64, {2}, "u64")
    H.raises("invalid_argument", nd.randint, 0, 2 ^ 63, {2}, "i64")
    H.raises_like("invalid_argument", "lo 18446744073709551615 is above hi 1", nd.randint,
      0xffffffffffffffffULL, 1, {2}, "u64")
    H.raises_like("invalid_argument", "hi 9223372036854775808 does not fit i64", nd.randint, 0,
      0x8000000000000000ULL, {2}, "i64")
    H.raises("invalid_argument", nd.permutation, -1)
    H.raises("invalid_argument", nd.random, {2}, {sed = 1})
  end)
end)
