-- partition, topk, median, quantile, mode: NumPy, and NumPy's stable argsort, say what they give.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local METHODS = {"linear", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
  "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased", "lower",
  "higher", "nearest", "midpoint"}
local FLOATS = {f16 = true, bf16 = true, f32 = true, f64 = true, f8e4m3 = true, f8e5m2 = true}

local function is_complex(dtype) return dtype:sub(1, 1) == "c" end

-- The dtype of a mean.
local function mean_dtype(dtype) return FLOATS[dtype] and dtype or "f64" end

-- ---- comparing ----

local function same_parts(a, b)
  return a:eq(b):logical_or(a:isnan():logical_and(b:isnan())):all()
end

-- The same values; all NaNs are one.
local function is_same(a, b)
  if a.dtype ~= b.dtype or table.concat(a.shape, " ") ~= table.concat(b.shape, " ") then
    return false
  end
  if not is_complex(a.dtype) then return same_parts(a, b) end
  return same_parts(a.real, b.real) and same_parts(a.imag, b.imag)
end

local function read(field, dtype, shape)
  return nd.frombytes(arrays.unhex(field), dtype):reshape(shape)
end

-- ---- cases ---- each has what is called, what the oracle is asked, and a check of its answer

local function line_of(op, a, axes, args)
  return table.concat({op, a.dtype, common.shape_text(a.shape), common.hex(a:copyout()), axes,
    args}, "\t")
end

local function name_of(case)
  return ("%s of %s (%s, %s): %s"):format(case.op, case.a.dtype, common.shape_text(case.a.shape),
    case.layout, case.line:sub(-60):match "[^\t]*\t[^\t]*$" or "")
end

-- Call with the options; now and then with an array for the result, which comes back.
local function call(rng, case, ...)
  local a, args, options = case.a, {...}, case.options
  args[#args + 1] = options
  local made = {a[case.op](a, unpack(args))}
  if rng(4) > 1 or type(made[1]) ~= "userdata" then return unpack(made) end
  local out = {}
  for i, result in ipairs(made) do out[i] = nd.zeros(result.shape, result.dtype) end
  local wanted = {}
  for key, value in pairs(options) do wanted[key] = value end
  wanted.out = #out == 1 and out[1] or out
  args[#args] = wanted
  local got = {a[case.op](a, unpack(args))}
  for i, result in ipairs(got) do
    assert.is_true(result == out[i], "out comes back: " .. name_of(case))
    assert.is_true(is_same(result, made[i]), "out: " .. name_of(case))
  end
  return unpack(made)
end

local cases_of = {}

-- A partition is what the positions of argpartition pick.
function cases_of.partition(rng, a)
  if a.ndim == 0 then return end
  local axis = rng(a.ndim)
  local n = a:dim(axis)
  if n == 0 then return end
  local places = {}
  for i = 1, rng(3) == 1 and rng(4) or 1 do places[i] = rng(2) == 1 and rng(n) or -rng(n) end
  local case = {op = "argpartition", a = a, options = {axis = axis - a.ndim - 1},
    line = line_of("argpartition", a, axis, table.concat(places, ","))}
  function case.check(answer)
    local wanted = read(answer[1], "i64", a.shape)
    local given = #places == 1 and rng(2) == 1 and places[1] or places
    local positions = call(rng, case, given)
    common.is_made(positions, "i64", a.shape)
    assert.is_true(positions:equal(wanted), name_of(case))
    case.op = "partition"
    local parts = call(rng, case, given)
    common.is_made(parts, a.dtype, a.shape)
    local picked = a.size == 0 and a:clone() or a:take_along(wanted, axis)
    assert.is_true(parts:copyout() == picked:copyout(), name_of(case))
  end
  return case
end

function cases_of.topk(rng, a)
  if a.ndim == 0 then return end
  local axis = rng(a.ndim)
  local k, largest, sorted = rng(0, a:dim(axis)), rng(2) == 1, rng(3) > 1
  local case = {op = "topk", a = a, options = {axis = axis, largest = largest, sorted = sorted},
    line = line_of("topk", a, axis, ("%d,%d,%d"):format(k, largest and 1 or 0, sorted and 1 or 0))}
  function case.check(answer)
    local shape = a.shape
    shape[axis] = k
    local wanted = read(answer[1], "i64", shape)
    local values, positions = call(rng, case, k)
    common.is_made(positions, "i64", shape)
    common.is_made(values, a.dtype, shape)
    assert.is_true(positions:equal(wanted), name_of(case))
    local picked = values.size == 0 and values or a:take_along(wanted, axis)
    assert.is_true(values:copyout() == picked:copyout(), name_of(case))
  end
  return case
end

-- No axis, one, or several, and the shape of the result; nil where no axis is named.
local function draw_axes(rng, a)
  local options = {keepdims = rng(3) == 1 or nil}
  if a.ndim == 0 or rng(4) == 1 then
    local ones = {}
    for i = 1, a.ndim do ones[i] = 1 end
    return options, "-", options.keepdims and ones or nil
  end
  local axes, goes, shape = {}, {}, {}
  for i = 1, a.ndim do
    if rng(3) == 1 or (i == a.ndim and #axes == 0) then axes[#axes + 1], goes[i] = i, true end
  end
  for i, n in ipairs(a.shape) do
    if not goes[i] then shape[#shape + 1] = n
    elseif options.keepdims then shape[#shape + 1] = 1 end
  end
  options.axis = #axes == 1 and axes[1] or axes
  return options, table.concat(axes, ","), shape
end

-- The line of elements that are NaN is longer.
local function with_nans(rng, a)
  if not FLOATS[a.dtype] or a.readonly or rng(2) == 1 or a.size == 0 then return a end
  a[nd.random(a.shape, "f32", {seed = rng(1e6)}):lt(rng(3) == 1 and 0.9 or 0.2)] = 0 / 0
  return a
end

local function check_numbers(rng, case, shape, answer, ...)
  local got = call(rng, case, ...)
  local dtype = mean_dtype(case.a.dtype)
  local wanted = read(answer[1], "f64", shape or {}):to(dtype)
  if type(got) == "number" then got = nd.array(got, dtype)
  else common.is_made(got, dtype, shape) end
  if is_same(got, wanted) then return end
  error(("%s\n%s\ngot %s\nwanted %s"):format(name_of(case), tostring(case.a):sub(1, 2000),
    tostring(got), tostring(wanted)))
end

function cases_of.median(rng, a)
  local op = rng(2) == 1 and "median" or "nanmedian"
  a = with_nans(rng, a)
  local options, axes, shape = draw_axes(rng, a)
  local case = {op = op, a = a, options = options, line = line_of(op, a, axes, "-")}
  function case.check(answer) check_numbers(rng, case, shape, answer) end
  return case
end

function cases_of.quantile(rng, a)
  local skips, is_percent = rng(2) == 1 and "nan" or "", rng(3) == 1
  a = with_nans(rng, a)
  local options, axes, shape = draw_axes(rng, a)
  local method = METHODS[rng(#METHODS)]
  if method ~= "linear" or rng(2) == 1 then options.method = method end
  local is_list = rng(2) == 1
  local qs, asked = {}, {method}
  for i = 1, is_list and rng(0, 5) or 1 do
    -- eighths, so that some are exactly at an element
    qs[i] = rng(2) == 1 and rng(0, 8) / 8 or rng()
    if is_percent then qs[i] = qs[i] * 100 end
    asked[i + 1] = ("%.17g"):format(is_percent and qs[i] / 100 or qs[i])
  end
  local whole = is_list and {#qs, unpack(shape or {})} or shape
  local case = {op = skips .. (is_percent and "percentile" or "quantile"), a = a,
    options = options,
    line = line_of(skips .. "quantile", a, axes, table.concat(asked, ","))}
  function case.check(answer)
    local q = not is_list and qs[1] or rng(2) == 1 and nd.array(qs) or qs
    check_numbers(rng, case, whole, answer, q)
  end
  return case
end

function cases_of.mode(rng, a)
  a = with_nans(rng, a)
  local options, axes, shape = draw_axes(rng, a)
  local case = {op = "mode", a = a, options = options, line = line_of("mode", a, axes, "-")}
  if a.size == 0 then
    local results = 1
    for _, n in ipairs(shape or {}) do results = results * n end
    if results == 0 then return end
    H.raises_like("invalid_argument", "mode: of no elements", a.mode, a, options)
    return
  end
  function case.check(answer)
    local at, count = read(answer[1], "i64", shape or {}), read(answer[2], "i64", shape or {})
    local wanted = a:contiguous():flatten():take(at)
    local value, found = call(rng, case)
    if not shape then
      assert.equal("number", type(found))
      value, found = nd.array(value, a.dtype), nd.array(found, "i64")
    end
    assert.is_true(found:equal(count), name_of(case))
    -- complex numbers with NaN are one value
    local is_nan = value:isnan():logical_and(wanted:isnan())
    assert.is_true(value:eq(wanted):logical_or(is_nan):all(), name_of(case))
  end
  return case
end

local KINDS = {"partition", "topk", "median", "quantile", "mode"}

local function is_refused(kind, dtype)
  return is_complex(dtype) and (kind == "median" or kind == "quantile")
end

local function run(cases)
  local lines = {}
  for i, case in ipairs(cases) do lines[i] = case.line end
  for i, answer in ipairs(common.ask("spec/ops/order_oracle.py", lines)) do
    cases[i].check(answer)
  end
end

local function case_of(rng, kind, layout, shape, dtype)
  if is_refused(kind, dtype) then return end
  local case = cases_of[kind](rng, arrays.make(rng, layout, shape, dtype, rng(4) > 1))
  if case then case.layout = layout end
  return case
end

-- Call f with 1, 2, 3 and 7 threads, whatever comes.
local function with_threads(f)
  local before = nd.set_threads(1)
  local fine, e = pcall(function()
    for _, threads in ipairs {1, 2, 3, 7} do
      nd.set_threads(threads)
      f(threads)
    end
  end)
  nd.set_threads(before)
  if not fine then error(e, 0) end
end

-- ---- specs ----

describe("an order statistic", function()
  it("is what NumPy gives, of every dtype and layout", function()
    local rng = H.rng "order"
    for _ = 1, H.cases(12) do
      local cases = {}
      for _, dtype in ipairs(common.NAMES) do
        for _, kind in ipairs(KINDS) do
          local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
          cases[#cases + 1] = case_of(rng, kind, layout, arrays.shape(rng, 4), dtype)
        end
      end
      run(cases)
    end
  end)

  it("of long lines, which are sampled #slow", function()
    local rng, cases = H.rng "long", {}
    for _ = 1, H.cases(3) do
      for _, dtype in ipairs(H.some(common.NAMES, 3)) do
        for _, kind in ipairs(KINDS) do
          for _, shape in ipairs {{1500}, {3, 2100}, {9001}, {130, 3}} do
            local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
            cases[#cases + 1] = case_of(rng, kind, layout, shape, dtype)
          end
        end
      end
    end
    run(cases)
  end)

  it("of lines that threads share #slow", function()
    local rng = H.rng "shared"
    local before = nd.set_threads(2)
    local fine, e = pcall(function()
      for _, dtype in ipairs(H.some({"u8", "f16", "f32", "i64", "c64"}, 2)) do
        local n, cases = math.floor(1.1 * nd.MiB / nd[dtype].itemsize) + rng(99), {}
        for _, kind in ipairs(KINDS) do
          cases[#cases + 1] = case_of(rng, kind, arrays.LAYOUTS[1], {n}, dtype)
        end
        run(cases)
      end
    end)
    nd.set_threads(before)
    if not fine then error(e, 0) end
  end)

  it("is the same for any number of threads #slow", function()
    local rng = H.rng "threads"
    local n = 2 ^ 19 + rng(99)
    local values = nd.normal({n}, "f64", {seed = rng(1e6)})
    local few = (values * 2):round()
    for _, a in ipairs(H.some({values, few, values:to "f32", few:to "i32", values:to "i8",
        nd.stack({values, few}, 2):bitcast("c128"):flatten(), nd.arange(n), nd.full({n}, 3),
        nd.where(few:gt(1), 0 / 0, values), few:reshape(1, n):expand(2, n)}, 4)) do
      local wanted = {}
      local calls = {partition = {n / 2 - n / 2 % 1}, argpartition = {{7, -7, 1}},
        topk = {rng(300)}, mode = {-1}}
      if not is_complex(a.dtype) then
        calls.median, calls.nanquantile = {-1}, {{0.1, 0.5, 0.999}, -1}
      end
      with_threads(function(threads)
        for name, args in pairs(calls) do
          local one, other = a[name](a, unpack(args))
          local text = one:copyout() .. (other and other:copyout() or "")
          wanted[name] = wanted[name] or text
          assert.is_true(text == wanted[name],
            ("%s of %s, %d threads"):format(name, a.dtype, threads))
        end
      end)
    end
  end)

  it("of more quantiles than are looked for at once", function()
    local a = nd.random({2, 3001}, "f64", {seed = H.seed})
    local q = nd.linspace(0, 1, 101)
    local sorted = a:sort()
    assert.is_true(a:quantile(q, 2, {method = "lower"}):equal(
      sorted:take((q * 3000):floor():to "i64" + 1, 2).T))
    local places = nd.arange(5, 3000, 70):to "i64"
    assert.is_true(a:partition(places):take(places, 2):equal(sorted:take(places, 2)))
  end)

  it("of data that a sample says nothing of", function()
    -- the greatest and least elements lie where few are looked at
    local n = 20000
    local a = nd.full({n}, 5, "i32")
    a["100:140"], a["19000:19004"] = 1, 9
    for _, k in ipairs {1, 41, 42, 19995, 19996, 20000} do
      assert.equal(a:sort()[k], a:partition(k)[k])
    end
    assert.same({9, 9, 9, 9, 9, 5}, (a:topk(6)):totable())
    assert.equal(5, a:median())
    assert.same({1, 5, 5, 9}, a:quantile({0, 0.1, 0.9, 1}):totable())
    local ascending = nd.arange(1, n, 1, "f32")
    assert.same({1, n / 2 + 0.5, n}, ascending:quantile({0, 0.5, 1}):totable())
    assert.equal(n / 2 + 0.5, ascending:flip():median())
  end)
end)

describe("the order", function()
  it("is that of argsort, of complex numbers with NaN, too", function()
    local nan = 0 / 0
    local parts = {{nan, 3}, {2, nan}, {nan, nan}, {5, 5}, {nan, 1}, {1, nan}, {5, -1}, {nan, 1},
      {-0, 7}, {0, 7}}
    for _, dtype in ipairs {"c64", "c128"} do
      local a = nd.array(parts, dtype == "c64" and "f32" or "f64"):bitcast(dtype):flatten()
      local up, down = a:argsort(), a:argsort {descending = true}
      assert.same(up:totable(), a:argpartition(nd.arange(10):to "i64"):totable())
      assert.same(up:totable(), select(2, a:topk(10, {largest = false})):totable())
      assert.same(down:totable(), select(2, a:topk(10)):totable())
    end
  end)

  it("has zeros of both signs as one, of which the mode is the negative one", function()
    local value, count = nd.array({1, 0, -0, 0}):mode()
    assert.equal(3, count)
    assert.equal(-1 / 0, 1 / value)
  end)
end)

describe("infinities", function()
  local inf = 1 / 0

  it("are the median and the quantile between themselves", function()
    assert.equal(inf, nd.array({inf, inf}):median())
    assert.equal(-inf, nd.array({-inf, -inf, -inf, 0}):quantile(0.25))
    assert.equal(inf, nd.array({1, inf}):quantile(0.5))
    assert.equal(1, nd.array({1, inf}):quantile(0))
    local between = nd.array({-inf, inf}):median()
    assert.is_true(between ~= between)
  end)

  it("do not come of numbers that are too large to be added or subtracted", function()
    assert.equal(1.5e308, nd.array({1.4e308, 1.6e308}):median())
    assert.equal(0, nd.array({-1.5e308, 1.5e308}):quantile(0.5))
  end)
end)

describe("partition", function()
  it("keeps the order of what lies on one side", function()
    local a = nd.array {5, 1, 4, 3, 2, 3}
    assert.same({1, 2, 3, 3, 5, 4}, a:partition(3):totable())
    assert.same({2LL, 5LL, 4LL, 6LL, 1LL, 3LL}, nd.argpartition(a, -3):totable())
    assert.same({5, 1, 4, 3, 2, 3}, a:totable())
  end)

  it("refuses what has no place", function()
    local a = nd.ones(2, 3)
    H.raises_like("index_out_of_range", "4", a.partition, a, 4)
    H.raises_like("index_out_of_range", "0", a.argpartition, a, {1, 0})
    H.raises_like("invalid_argument", "no position", a.partition, a, {})
    H.raises_like("invalid_argument", "a scalar", nd.partition, nd.f32(1), 1)
    H.raises_like("index_out_of_range", "axis 3", a.partition, a, 1, 3)
    H.raises("type_mismatch", a.partition, a, "1")
    H.raises("type_mismatch", a.partition, a, nd.array {1})
    H.raises("not_representable", a.partition, a, 1.5)
    H.raises("shape_mismatch", a.partition, a, 1, {out = nd.ones(3, 2)})
  end)
end)

describe("topk", function()
  it("counts NaN as the last of all, and takes the first of equal ones", function()
    local a = nd.array {0 / 0, 2, 7, 2, 7, -0, 0}
    local values, positions = a:topk(3)
    assert.same({7, 7, 2}, values:totable())
    assert.same({3LL, 5LL, 2LL}, positions:totable())
    local least, where = a:topk(2, {largest = false})
    assert.same({6LL, 7LL}, where:totable())
    assert.equal("-inf", tostring(1 / least[1]))
    local all = select(2, a:topk(7, {sorted = false}))
    assert.same({1LL, 2LL, 3LL, 4LL, 5LL, 6LL, 7LL}, all:totable())
  end)

  it("refuses more than there are", function()
    local a = nd.ones(2, 3)
    H.raises_like("invalid_argument", "k is 4, but axis 2 has 3", a.topk, a, 4)
    H.raises("invalid_argument", a.topk, a, -1)
    H.raises("type_mismatch", a.topk, a, 1, {out = nd.ones(2)})
    H.raises("type_mismatch", a.topk, a, 1, {out = {nd.ones(2, 1)}})
    H.raises("shape_mismatch", a.topk, a, 1, {out = {nd.ones(2, 1), nd.ones(1, 2)}})
    H.raises_like("invalid_argument", "a scalar", nd.topk, nd.f32(1), 1)
  end)
end)

describe("quantile", function()
  it("takes the axis as a number or an option, and q as a number, a table or an array", function()
    local a = nd.array {{1, 2, 3}, {4, 5, 6}}
    assert.equal(3.5, a:median())
    assert.same({2.5, 3.5, 4.5}, a:median(1):totable())
    assert.same({{2}, {5}}, a:median {axis = -1, keepdims = true}:totable())
    assert.equal(3.5, nd.quantile(a, 0.5))
    assert.same({3.5}, a:quantile({0.5}):totable())
    assert.same({{1, 4}, {3, 6}}, a:percentile(nd.array {0, 100}, 2):totable())
    assert.same({{{1}, {4}}}, a:percentile({0}, 2, {keepdims = true}):totable())
    assert.equal(0, a:quantile(nd.empty {0}).size)
    local out = nd.zeros {}
    assert.is_true(a:median {out = out} == out)
    assert.equal(3.5, out:item())
  end)

  it("is what each method says", function()
    -- of 4 elements, at q = 1/4, 3/8 and 0.6, by Hyndman and Fan's formulas
    local wanted = {linear = {17.5, 22.5, 36}, inverted_cdf = {10, 20, 40},
      averaged_inverted_cdf = {15, 20, 40}, closest_observation = {10, 20, 20},
      interpolated_inverted_cdf = {10, 15, 28}, hazen = {15, 20, 38}, weibull = {12.5, 18.75, 40},
      lower = {10, 20, 20}, higher = {20, 40, 40}, nearest = {20, 20, 40}, midpoint = {15, 30, 30},
      median_unbiased = {85 / 6, 235 / 12, 116 / 3}, normal_unbiased = {14.375, 19.6875, 38.5}}
    local a = nd.array {40, 10, 80, 20}
    for method, values in pairs(wanted) do
      local got = a:quantile({0.25, 0.375, 0.6}, {method = method})
      assert.is_true(nd.allclose(got, nd.array(values)), method .. tostring(got))
    end
    assert.same({38, 15}, a:quantile({0.6, 0.25}, {method = "hazen"}):totable())
    -- at 1/6 halfway between the first two, at 1/3 the second one
    assert.equal(10, a:quantile(1 / 6, {method = "nearest"}))
    assert.equal(20, a:quantile(1 / 3, {method = "midpoint"}))
  end)

  it("leaves out NaN, or is NaN", function()
    local a = nd.array {{0 / 0, 3, 1, 2}, {0 / 0, 0 / 0, 0 / 0, 5}}
    assert.same({2, 5}, a:nanquantile(0.5, 2):totable())
    assert.is_true(a:quantile(0, 2):isnan():all() and a:median(2):isnan():all())
  end)

  it("refuses what is none", function()
    local a = nd.ones(2, 3)
    H.raises_like("invalid_argument", "1.5 is not within 0 … 1", a.quantile, a, 1.5)
    H.raises_like("invalid_argument", "-1 is not within 0 … 100", a.percentile, a, {50, -1})
    H.raises_like("invalid_argument", "nan", a.quantile, a, 0 / 0)
    H.raises_like("invalid_argument", "\"best\" is none of linear", a.quantile, a, 1,
      {method = "best"})
    H.raises_like("shape_mismatch", "more than one axis", a.quantile, a, {{1}})
    H.raises_like("type_mismatch", "nanquantile: c64 has no order", nd.nanquantile, nd.c64 {1}, 0)
    H.raises_like("type_mismatch", "median: c128 has no order", nd.median, nd.c128 {1})
    H.raises_like("invalid_argument", "16", nd.ones({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1}).quantile, nd.ones {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0}, {axis = 1,
      keepdims = true})
  end)

  it("of nothing is NaN", function()
    local a = nd.zeros(0, 2)
    for _, name in ipairs {"median", "nanmedian"} do
      local value = a[name](a)
      assert.is_true(value ~= value)
      assert.is_true(a[name](a, 1):isnan():all())
      assert.same({0}, a[name](a, 2).shape)
    end
    assert.is_true(a:quantile({0.5, 1}, 1):isnan():all())
  end)
end)
