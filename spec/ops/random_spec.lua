-- Random numbers: how they are spread, by seed, and that 16-bit floats are rounded.
local nd = require "ndbuf"
local H = require "spec.helper"
local ffi = require "ffi"

-- Chi-square of counts that should be equal, less its mean, in standard deviations. The seeds are
-- fixed, so that a result beyond 5 is a fault and not chance.
local few = H.cases(1000) < 1000 -- in slow runs

local function deviation(counts, n)
  local chi, cells = 0, #counts
  for _, count in ipairs(counts) do chi = chi + (count - n / cells) ^ 2 / (n / cells) end
  return (chi - (cells - 1)) / math.sqrt(2 * (cells - 1))
end

-- How often x, uniform over 'span' values of 64 bits above 'lo', lies in each of 'cells' parts.
local function by_part(x, lo, span, cells)
  local counts = {}
  for i = 1, cells do counts[i] = 0 end
  for i = 1, x.size do
    local above = ffi.cast("uint64_t", x[i]) - ffi.cast("uint64_t", lo)
    local cell = tonumber(above / (span / cells)) + 1
    counts[math.min(cell, cells)] = counts[math.min(cell, cells)] + 1
  end
  return counts
end

describe("randint", function()
  local N = few and 3000 or 30000

  it("is uniform over narrow spans, in every dtype", function()
    for seed, dtype in ipairs {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"} do
      for _, span in ipairs {2, 3, 7, 10, 100, 128} do
        local x, counts = nd.randint(0, span - 1, {N}, dtype, {seed = seed * 1000 + span}), {}
        for i = 1, span do counts[i] = 0 end
        for _, value in ipairs(x:astype "f64":totable()) do
          counts[value + 1] = counts[value + 1] + 1
        end
        assert.is_true(math.abs(deviation(counts, N)) < 5, dtype .. " " .. span)
      end
    end
  end)

  it("is uniform over the whole of a dtype", function()
    for seed, dtype in ipairs {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"} do
      local bits = nd[dtype].itemsize * 8
      local signed = dtype:sub(1, 1) == "i"
      local lo = signed and -(2LL ^ (bits - 1)) or 0LL
      local hi = signed and -1LL - lo or bits == 64 and -1ULL or 2 ^ bits - 1
      local x = nd.randint(lo, hi, {N}, dtype, {seed = seed})
      local top = x:bitcast("u" .. bits):shr(bits - 4):astype "f64":totable() -- its upper 4 bits
      local counts = {}
      for i = 1, 16 do counts[i] = 0 end
      for _, value in ipairs(top) do counts[value + 1] = counts[value + 1] + 1 end
      assert.is_true(math.abs(deviation(counts, N)) < 5, dtype)
    end
  end)

  -- Where a span does not divide 2^64 by far, a product of 64 bits alone favours some: of
  -- span 3 * 2^62 each third value comes twice as often.
  it("is uniform over spans of nearly all of 64 bits", function()
    for seed, case in ipairs {
      {0ULL, 3ULL * 2ULL ^ 62}, {0ULL, 2ULL ^ 63 + 1}, {7ULL, 5ULL * 2ULL ^ 61},
      {2ULL ^ 63, 2ULL ^ 62 + 2ULL ^ 61}, {2ULL ^ 64 - 10, 10ULL},
    } do
      local lo, span = case[1], case[2]
      local x = nd.randint(lo, lo + (span - 1), {N}, "u64", {seed = seed})
      for i = 1, N do
        assert.is_true(ffi.cast("uint64_t", x[i]) - lo < span)
      end
      assert.is_true(math.abs(deviation(by_part(x, lo, span, 10), N)) < 5, "parts of case " .. seed)
      local counts = {0, 0, 0}
      for i = 1, N do
        local k = tonumber((ffi.cast("uint64_t", x[i]) - lo) % 3) + 1
        counts[k] = counts[k] + 1
      end
      if span % 3 == 0 or span > 2ULL ^ 32 then
        assert.is_true(math.abs(deviation(counts, N)) < 5, "remainders of case " .. seed)
      end
    end
  end)

  it("takes both ends, as numbers and as cdata, of either sign", function()
    assert.equal("18446744073709551615ULL", tostring(nd.randint(-1ULL, -1ULL, {1}, "u64")[1]))
    assert.is_true(nd.randint(2 ^ 63, 2 ^ 63, {1}, "u64")[1] == 2ULL ^ 63)
    local least = -0x7fffffffffffffffLL - 1
    assert.is_true(nd.randint(least, least, {1})[1] == least)
    local seen = {}
    for _, v in ipairs(nd.randint(-1, 1LL, {200}, "i8", {seed = 3}):totable()) do seen[v] = true end
    assert.same({[-1] = true, [0] = true, [1] = true}, seen)
  end)
end)

describe("random floats", function()
  -- Of n numbers in [0, 1) the mean is within 5 of its deviations, 1 / sqrt(12 n).
  it("have the mean and the limits of [0, 1)", function()
    local n = few and 4e5 or 4e6
    for _, dtype in ipairs {"f16", "bf16", "f32", "f64"} do
      local x = nd.random({n}, dtype, {seed = 11})
      local mean = x:astype "f64":mean()
      assert.is_true(math.abs(mean - 0.5) < 5 / math.sqrt(12 * n), dtype .. " " .. mean)
      assert.is_true(x:min() >= 0 and x:max() < 1)
    end
    assert.equal(1 - 2 ^ -8, nd.random({n}, "bf16", {seed = 11}):max()) -- even among few
    assert.equal(1 - 2 ^ -11, nd.random({n}, "f16", {seed = 11}):max())
  end)

  it("of 16 bits are f64's of the same seed, rounded", function()
    for _, dtype in ipairs {"f16", "bf16"} do
      local below_one = dtype == "f16" and 1 - 2 ^ -11 or 1 - 2 ^ -8
      local exact = nd.random({50000}, {seed = 5})
      local rounded = exact:minimum(below_one):astype(dtype)
      assert.is_true(nd.random({50000}, dtype, {seed = 5}):equal(rounded))
      local normal = nd.normal({50000}, {seed = 5})
      assert.is_true(nd.normal({50000}, dtype, {seed = 5}):equal(normal:astype(dtype)))
    end
  end)
end)
