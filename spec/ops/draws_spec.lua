-- Distributions, choices and shuffles: what the numbers are, by fixed seeds, so that a number
-- beyond its bound is a fault and not chance.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local is_slow = H.cases(1000) < 1000
local N, CALLS = is_slow and 20000 or 200000, is_slow and 600 or 6000

-- name, its two parameters for the oracle, options or positional parameters
local CONTINUOUS = {
  {"uniform", -3, 5, {}, {lo = -3, hi = 5}}, {"normal", 2, 3, {}, {mean = 2, std = 3}},
  {"normal", 0, 1, {}, {}}, {"exponential", 1, 0, {}, {}}, {"exponential", 7, 0, {}, {scale = 7}},
  {"gamma", 0.05, 1, {0.05}, {}}, {"gamma", 0.5, 2, {0.5}, {scale = 2}}, {"gamma", 1, 1, {1}, {}},
  {"gamma", 1.5, 1, {1.5}, {}}, {"gamma", 9, 0.1, {9}, {scale = 0.1}},
  {"gamma", 1000, 1, {1000}, {}},
  {"beta", 0.3, 0.4, {0.3, 0.4}, {}}, {"beta", 1, 1, {1, 1}, {}}, {"beta", 2, 5, {2, 5}, {}},
  {"beta", 0.5, 3, {0.5, 3}, {}}, {"beta", 200, 300, {200, 300}, {}},
}
local DISCRETE = {
  {"poisson", 0.1}, {"poisson", 3}, {"poisson", 9.99}, {"poisson", 10}, {"poisson", 11.5},
  {"poisson", 50}, {"poisson", 1000}, {"poisson", 1e6}, {"binomial", 1, 0.5},
  {"binomial", 10, 0.3}, {"binomial", 100, 0.05}, {"binomial", 40, 0.5}, {"binomial", 21, 0.49},
  {"binomial", 1000, 0.97}, {"binomial", 1e6, 0.4}, {"binomial", 1e6, 1e-6}, {"binomial", 30, 0.9},
}

-- Call nd[name] with positional parameters, a shape, a dtype, and options.
local function draw(name, positional, shape, dtype, options)
  local list = {unpack(positional)}
  list[#list + 1] = shape
  list[#list + 1] = dtype
  list[#list + 1] = options
  return nd[name](unpack(list))
end

local function with_seed(options, seed)
  local all = {seed = seed}
  for k, v in pairs(options) do all[k] = v end
  return all
end

local function ask(cases)
  local lines = {}
  for i, case in ipairs(cases) do
    local path = H.path("draws" .. i .. ".npy")
    nd.save(path, case.numbers)
    lines[i] = ("%s\t%.17g\t%.17g\t%s"):format(case.name, case.a, case.b, path)
  end
  local answers = {}
  for i, fields in ipairs(common.ask("spec/ops/draws_oracle.py", lines)) do
    answers[i] = tonumber(fields[1])
  end
  return answers
end

describe("distributions", function()
  it("are those of their densities", function()
    local cases = {}
    for seed, row in ipairs(CONTINUOUS) do
      cases[seed] = {name = row[1], a = row[2], b = row[3],
        numbers = draw(row[1], row[4], {N}, "f64", with_seed(row[5], seed))}
    end
    for i, answer in ipairs(ask(cases)) do
      -- beyond 2.4 once in 50000 draws
      assert.is_true(answer < 2.4, ("%s %g %g: %s"):format(cases[i].name, cases[i].a,
        cases[i].b, answer))
    end
  end)

  it("of counts are those of their probabilities", function()
    local cases = {}
    for seed, row in ipairs(DISCRETE) do
      cases[seed] = {name = row[1], a = row[2], b = row[3] or 0,
        numbers = draw(row[1], {row[2], row[3]}, {N}, "i64", {seed = seed})}
    end
    for i, answer in ipairs(ask(cases)) do
      assert.is_true(math.abs(answer) < 5, ("%s %g %g: %s"):format(cases[i].name,
        cases[i].a, cases[i].b, answer))
    end
  end)

  it("have the moments that very large parameters give", function()
    local n = 20000
    for _, mean in ipairs {1e9, 1e15, 2 ^ 62} do
      local x = (nd.poisson(mean, {n}, {seed = 5}):to "f64" - mean) / math.sqrt(mean)
      assert.is_true(math.abs(x:mean()) < 5 / math.sqrt(n), "mean of " .. mean)
      assert.is_true(math.abs(x:std() - 1) < 5 / math.sqrt(2 * n), "deviation of " .. mean)
    end
    for _, p in ipairs {1e-3, 0.3, 0.999} do
      local of = 2 ^ 53
      local x = nd.binomial(of, p, {n}, {seed = 6}):to "f64" - of * p
      x = x / math.sqrt(of * p * (1 - p))
      assert.is_true(math.abs(x:mean()) < 5 / math.sqrt(n), "mean of " .. p)
      assert.is_true(math.abs(x:std() - 1) < 5 / math.sqrt(2 * n), "deviation of " .. p)
    end
  end)

  it("of parameters that leave no choice are these", function()
    assert.same({0, 0}, nd.poisson(0, {2}):to("f64"):totable())
    assert.same({0, 7, 0}, nd.binomial({7, 7, 0}, {0, 1, 0.5}):to("f64"):totable())
    assert.same({0, 0}, nd.gamma(0, {2}):totable())
    assert.same({3, 3}, nd.normal({2}, {mean = 3, std = 0}):totable())
    assert.same({3, 3}, nd.uniform({2}, {lo = 3, hi = 3}):totable())
    assert.same({0, 0}, nd.exponential({2}, {scale = 0}):totable())
  end)

  it("take parameters for each element, which broadcast", function()
    for _, name in ipairs {"gamma", "poisson"} do
      local k = nd.f64 {{0.5}, {3}, {40}}
      local x = nd[name](k, {3, 50}, {seed = 9})
      for i = 1, 3 do
        -- an element depends on its place and its own parameter
        local same = nd[name](k[i][1], {3, 50}, {seed = 9})
        assert.is_true(x[i]:equal(same[i]), name)
      end
    end
    -- another one for each, in one run
    local means = nd.tile(nd.f64 {0.5, 3, 40, 11}, 60)
    for _, name in ipairs {"gamma", "poisson"} do
      local x = nd[name](means, nil, {seed = 9})
      for i, mean in ipairs {0.5, 3, 40, 11} do
        local every = ("%d::4"):format(i)
        assert.is_true(x[every]:equal(nd[name](mean, {240}, {seed = 9})[every]), name)
      end
    end
    local tries = nd.binomial(100, nd.tile({0.05, 0.4, 0.8}, 60), nil, {seed = 9})
    for i, share in ipairs {0.05, 0.4, 0.8} do
      local every = ("%d::3"):format(i)
      assert.is_true(tries[every]:equal(nd.binomial(100, share, {180}, {seed = 9})[every]))
    end
    local n, p = nd.i32 {{10}, {1000}}, nd.f32 {0.25, 0.5, 0.75}
    local x = nd.binomial(n, p, nil, {seed = 3})
    assert.same({2, 3}, x.shape)
    assert.equal(x[2][3], nd.binomial(1000, 0.75, {2, 3}, {seed = 3})[2][3])
    assert.same({3}, nd.normal(nil, "f32", {mean = {1, 2, 3}, std = 0}).shape)
    assert.same({2, 3}, nd.normal(2, 3, "f32", {mean = {1, 2, 3}, std = 0}).shape)
    assert.same({2, 3}, nd.poisson({1, 2, 3}, 2, 3, {seed = 1}).shape)
    assert.same({1, 2, 3}, nd.normal(nil, "f32", {mean = {1, 2, 3}, std = 0}):totable())
  end)

  it("give the same numbers for any number of threads, and in any dtype", function()
    local before = nd.info().threads
    local function all(dtype)
      local list = {nd.poisson(20, {70001}, {seed = 1}), nd.binomial(90, 0.4, {70001}, {seed = 1})}
      list[3] = nd.poisson({{0.5}, {3}, {40}}, {3, 40001}, {seed = 2})
      for _, name in ipairs {"uniform", "normal", "exponential"} do
        list[#list + 1] = nd[name]({3, 70001}, dtype, {seed = 1})
      end
      list[#list + 1] = nd.gamma(0.7, {3, 70001}, dtype, {seed = 1})
      list[#list + 1] = nd.beta(0.7, 2, {3, 70001}, dtype, {seed = 1})
      return list
    end
    nd.set_threads(1)
    local alone = {f64 = all "f64", f32 = all "f32"}
    for _, threads in ipairs {2, 3, 7} do
      nd.set_threads(threads)
      for dtype, list in pairs(alone) do
        for i, x in ipairs(all(dtype)) do
          assert.is_true(x:equal(list[i]), ("%s, %d threads"):format(dtype, threads))
        end
      end
    end
    nd.set_threads(before)
    for i = 5, #alone.f64 do
      assert.is_true(alone.f64[i]:astype("f32"):equal(alone.f32[i]))
      assert.is_true(all("f16")[i]:equal(alone.f64[i]:astype "f16"))
    end
  end)

  it("follow nd.seed, and go on from call to call", function()
    nd.seed(11)
    local a, b = nd.gamma(2, {5}), nd.gamma(2, {5})
    nd.seed(11)
    assert.is_true(nd.gamma(2, {5}):equal(a) and nd.gamma(2, {5}):equal(b))
    assert.is_false(a:equal(b))
  end)
end)

describe("multinomial", function()
  it("adds up to n, with the shares that are given", function()
    local p = {0.1, 0.2, 0, 0.3, 0.4}
    local x = nd.multinomial(100, p, {4000}, {seed = 2})
    assert.same({4000, 5}, x.shape)
    assert.is_true(x:sum(2):eq(100):all())
    for i, share in ipairs(p) do
      local mean, deviation = x[{{}, i}]:to("f64"):mean(), math.sqrt(100 * share * (1 - share))
      assert.is_true(math.abs(mean - 100 * share) <= 5 * deviation / math.sqrt(4000), "share " .. i)
    end
    -- of two, the more of one, the less of the other
    local m = x[{{}, {4, 5}}]:to "f64"
    local r = nd.corrcoef(m:transpose())[1][2]
    assert.is_true(math.abs(r + math.sqrt(0.3 * 0.4 / (0.7 * 0.6))) < 5 / math.sqrt(4000), r)
    assert.same({3, 2}, nd.multinomial({1, 5, 0}, {0.5, 0.5}).shape)
    assert.same({1, 5, 0}, nd.multinomial({1, 5, 0}, {0.5, 0.5}):sum(2):to("f64"):totable())
  end)
end)

-- How often each of 1 … n is in x.
local function counts_of(x, n)
  local counts = nd.bincount(x:flatten(), {minlength = n, base = 1})
  assert.equal(n, counts.size)
  return counts:to "f64"
end

local function chi_square(counts, wanted)
  local degrees = counts.size - 1
  return (((counts - wanted) ^ 2 / wanted):sum() - degrees) / math.sqrt(2 * degrees)
end

describe("choice", function()
  it("draws each as often, or by the shares", function()
    local x = nd.choice(7, {100, 70}, {seed = 1})
    assert.same({100, 70}, x.shape)
    assert.is_true(chi_square(counts_of(x, 7), 1000) < 5)
    local p = nd.f64 {0.1, 0.2, 0.3, 0.4}
    x = nd.choice(4, {10000}, {p = p, seed = 2})
    assert.is_true(chi_square(counts_of(x, 4), p * 10000) < 5)
    assert.is_true(nd.choice(3, {1000}, {p = {0, 1, 0}}):eq(2):all())
    assert.is_true(nd.choice(3, {1000}, {p = {0.5, 0.5, 0}}):le(2):all())
  end)

  it("draws different ones where it is told to", function()
    for _, case in ipairs {{10, 10}, {10, 3}, {1000, 20}, {1, 1}, {5, 0}} do
      local n, k = unpack(case)
      for seed = 1, 20 do
        local x = nd.choice(n, {k}, {replace = false, seed = seed})
        assert.equal(k, x:unique().size)
        assert.is_true(k == 0 or x:min() >= 1 and x:max() <= n)
      end
    end
    local few, some, by_share = {}, {}, {}
    for seed = 1, CALLS do
      few[seed] = nd.choice(34, {2}, {replace = false, seed = seed})
      some[seed] = nd.choice(5, {2}, {replace = false, seed = seed})
      by_share[seed] = nd.choice(3, {2}, {replace = false, p = {0.5, 0.3, 0.2}, seed = seed})
    end
    few, some, by_share = nd.stack(few), nd.stack(some), nd.stack(by_share)
    for i = 1, 2 do -- in each place
      assert.is_true(chi_square(counts_of(few[{{}, i}], 34), CALLS / 34) < 5)
      assert.is_true(chi_square(counts_of(some[{{}, i}], 5), CALLS / 5) < 5)
    end
    local first = nd.f64 {0.5, 0.3, 0.2}
    assert.is_true(chi_square(counts_of(by_share[{{}, 1}], 3), first * CALLS) < 5)
    -- the second by the shares of those that are left
    local second = nd.f64 {0.3 * 0.5 / 0.7 + 0.2 * 0.5 / 0.8, 0.5 * 0.3 / 0.5 + 0.2 * 0.3 / 0.8,
      0.5 * 0.2 / 0.5 + 0.3 * 0.2 / 0.7}
    assert.is_true(chi_square(counts_of(by_share[{{}, 2}], 3), second * CALLS) < 5)
  end)

  it("takes entries of an array along an axis, of any dtype", function()
    local a = nd.arange(1, 12, 1, "i32"):reshape(3, 4)
    assert.same({5, 4}, nd.choice(a, {5}).shape)
    assert.same({3, 2}, nd.choice(a, {2}, {axis = -1}).shape)
    assert.is_true(nd.choice(a, {2}, 2, {seed = 7}):equal(nd.choice(a, {2}, {axis = 2, seed = 7})))
    assert.same({3}, nd.choice(a, nil, -1).shape)
    assert.same({2, 5, 4}, nd.choice(a, 2, 5).shape)
    assert.same({2, 3}, nd.choice(9, 2, 3, {replace = true}).shape)
    assert.equal("i32", nd.choice(a, {2}).dtype)
    local x = nd.choice(a, {2}, {axis = 2, replace = false, seed = 4})
    assert.is_true((x - a[{{}, {1, 1}}]):eq((x - a[{{}, {1, 1}}])[{{1, 1}}]):all()) -- whole columns
    assert.same({}, nd.choice(9).shape)
    assert.equal(20, nd.choice({20}):item())
  end)
end)

describe("permutation", function()
  it("has each number once, of any length", function()
    for _, n in ipairs {1, 63, 64, 65, 65536, 65537, 200000} do
      assert.is_true(nd.permutation(n, {seed = n}):sort():equal(nd.arange(1, n, 1, "i64")), n)
    end
  end)
end)

describe("shuffle", function()
  it("moves entries along an axis, in place", function()
    local a = nd.arange(1, 24):reshape(2, 3, 4)
    local kept = a:clone()
    assert.equal(a, nd.shuffle(a, {axis = 3, seed = 3}))
    assert.is_true(a:equal(nd.shuffle(kept:clone(), 3, {seed = 3})))
    assert.is_false(a:equal(kept))
    assert.is_true(a:sort(3):equal(kept))
    assert.is_true((a - a[{{1, 1}, {1, 1}}]):eq((a - a[{{1, 1}, {1, 1}}])[{{}, {}, {1, 1}}]):all())
    local orders = nd.zeros {6}
    for seed = 1, CALLS do
      local s = nd.shuffle(nd.arange(1, 3), {seed = seed})
      local at = (s[1] - 1) * 2 + (s[2] > s[3] and 2 or 1)
      orders[at] = orders[at] + 1
    end
    assert.is_true(chi_square(orders, CALLS / 6) < 5)
    local column = nd.arange(1, 20):reshape(10, 2)[{{}, 1}]
    nd.shuffle(column)
    assert.is_true(column:sort():equal(nd.arange(1, 19, 2)))
  end)
end)

describe("wrong parameters", function()
  it("are named, with their value and the limit", function()
    local raises = H.raises_like
    raises("invalid_argument", "mean: %-1 is outside of 0", nd.poisson, -1)
    raises("invalid_argument", "mean: nan is outside", nd.poisson, 0 / 0)
    raises("invalid_argument", "mean: %-2 at position 3 is outside of 0", nd.poisson, {1, 2, -2})
    raises("invalid_argument", "n: 2.5 is not whole", nd.binomial, 2.5, 0.5)
    raises("invalid_argument", "n: 2.5 at position 2 is not whole", nd.binomial, {1, 2.5}, 0.5)
    raises("invalid_argument", "p: 1.5 is outside of 0 … 1", nd.binomial, 2, 1.5)
    raises("invalid_argument", "a: 0 is outside of 1e%-300", nd.beta, 0, 1)
    raises("invalid_argument", "std: %-1 is outside", nd.normal, {2}, {std = -1})
    raises("invalid_argument", "lo: 2 is above hi, 1", nd.uniform, {2}, {lo = 2})
    raises("invalid_argument", "lo: there are numbers above", nd.uniform, nil, {lo = {0, 2}})
    raises("type_mismatch", "k: expected a number or an array, got a string", nd.gamma, "1")
    raises("type_mismatch", "k: expected real numbers, got c128", nd.gamma, nd.zeros({1}, "c128"))
    raises("type_mismatch", "poisson: expected dtype i64, got f64", nd.poisson, 1, {2}, "f64")
    raises("type_mismatch", "gamma: expected dtype f16, bf16, f32 or f64, got i32", nd.gamma, 1,
      {2}, "i32")
    raises("type_mismatch", "random: expected dtype f16", nd.random, {2}, "u8")
    raises("shape_mismatch", "does not broadcast", nd.gamma, {1, 2, 3}, {2})
    raises("invalid_argument", "there is no option \"mean\"", nd.gamma, 1, {2}, {mean = 1})
    raises("invalid_argument", "p: the shares add up to 0.9", nd.choice, 3, {2},
      {p = {0.5, 0.2, 0.2}})
    raises("invalid_argument", "p: %-0.5 at position 1", nd.choice, 2, {2}, {p = {-0.5, 1.5}})
    raises("shape_mismatch", "p: expected a list of 3 shares, got %(2%)", nd.choice, 3, {2},
      {p = {0.5, 0.5}})
    raises("invalid_argument", "shape: 4 different ones of 3 cannot", nd.choice, 3, {4},
      {replace = false})
    raises("invalid_argument", "shape: 2 different ones of 1 with a share", nd.choice, 2, {2},
      {replace = false, p = {1, 0}})
    raises("invalid_argument", "a: 0 is outside of 1", nd.choice, 0)
    raises("invalid_argument", "nothing to choose from", nd.choice, nd.zeros {0}, {1})
    raises("index_out_of_range", "axis 3", nd.shuffle, nd.zeros {2, 2}, {axis = 3})
    raises("index_out_of_range", "axis 3", nd.shuffle, nd.zeros {2, 2}, 3)
    raises("index_out_of_range", "axis 2", nd.choice, 3, {1}, 2)
    raises("type_mismatch", "axis: expected an integer", nd.choice, 3, {1}, "1")
    raises("invalid_argument", "there is an axis already", nd.shuffle, nd.zeros(2), 1, {axis = 1})
    raises("type_mismatch", "a: expected an array", nd.shuffle, {1, 2})
    raises("read_only", "", nd.shuffle, nd.arange(1, 9):readonly_view())
  end)
end)
