-- Searching and counting: what NumPy gives, of every dtype and layout, by seed.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local INTEGERS = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}
local REALS = {"u8", "i16", "i32", "i64", "f32", "f64"}

local function fields_of(a)
  return table.concat({a.dtype, common.shape_text(a.shape), common.hex(a:copyout())}, "\t")
end

-- A case: operation, numbers for the oracle, arrays, what ndbuf gives as a list of results.
local function case_of(op, numbers, list, call)
  local fields = {op, #numbers == 0 and "-" or table.concat(numbers, ",")}
  for i, a in ipairs(list) do fields[i + 2] = fields_of(a) end
  return {line = table.concat(fields, "\t"), call = call, list = list}
end

local KINDS = {i8 = "i64", u8 = "u64", b1 = "bool", f8 = "f64", c16 = "c128"}

-- The results of an answer as arrays.
local function read_answer(fields)
  local list = {}
  for i = 1, #fields, 3 do
    local a = nd.frombytes(arrays.unhex(fields[i + 2]), KINDS[fields[i]])
    local shape = {}
    for n in fields[i + 1]:gmatch "%d+" do shape[#shape + 1] = tonumber(n) end
    list[#list + 1] = a:reshape(shape)
  end
  return list
end

-- The same values; NaNs are all equal, and zeros.
local function is_same(got, wanted)
  got = got:astype(wanted.dtype)
  if table.concat(got.shape, ",") ~= table.concat(wanted.shape, ",") then return false end
  local both = got:isnan():logical_and(wanted:isnan())
  return got:eq(wanted):logical_or(both):all()
end

local function check(case, answer)
  local results, wanted = case.call(unpack(case.list)), read_answer(answer)
  assert.equal(#wanted, #results, case.line)
  for i, got in ipairs(results) do
    if type(got) ~= "userdata" then got = nd.array(got, wanted[i].dtype) end
    assert(is_same(got, wanted[i]), ("result %d of %s: %s, wanted %s"):format(i, case.line,
      tostring(got), tostring(wanted[i])))
  end
end

local function run(make)
  local rng, cases, lines = H.rng "count", {}, {}
  for _ = 1, H.cases(60) do
    for _, layout in ipairs(arrays.LAYOUTS) do cases[#cases + 1] = make(rng, layout) end
  end
  for i, case in ipairs(cases) do lines[i] = case.line end
  for i, answer in ipairs(common.ask("spec/ops/count_oracle.py", lines)) do
    check(cases[i], answer)
  end
end

local function any_of(rng, list) return list[rng(#list)] end

local function of(rng, layout, dtype, tame)
  return arrays.make(rng, layout, arrays.shape(rng, 3), dtype, tame)
end

-- Positive ones of few values.
local function few(rng, layout, dtype, shape)
  local a = arrays.make(rng, layout, shape, "u8", false)
  return dtype == "bool" and a:mod(2):to "bool" or a:mod(rng(1, 60)):to(dtype)
end

describe("searching", function()
  it("searchsorted finds the places that NumPy finds", function()
    run(function(rng, layout)
      local dtype = any_of(rng, common.NAMES)
      local v = arrays.make(rng, layout, {rng(0, 200)}, dtype, rng(3) > 1):sort()
      local x = of(rng, layout, dtype, rng(3) > 1)
      if rng(3) == 1 and #x.shape > 0 then x = x:sort() end
      return case_of("searchsorted", {}, {v, x}, function()
        return {v:searchsorted(x), nd.searchsorted(v, x, {side = "right"})}
      end)
    end)
  end)

  it("searchsorted puts NaN before the NaNs, or behind them", function()
    for _, dtype in ipairs {"f16", "f32", "f64"} do
      local v, x = nd.array({1, 0 / 0, 0 / 0}, dtype), nd.array({0 / 0, 1}, dtype)
      assert.same({2, 1}, v:searchsorted(x):to("f64"):totable())
      assert.same({4, 2}, v:searchsorted(x, {side = "right"}):to("f64"):totable())
    end
    local v = nd.f64 {{1, 0}, {0 / 0, 1}, {0 / 0, 3}, {0 / 0, 3}}:bitcast("c128"):flatten()
    assert.same({1, 2, 3, 3}, v:searchsorted(v):to("f64"):totable())
  end)

  it("searchsorted of two dtypes, by a sorter, of one value", function()
    run(function(rng, layout)
      local v = arrays.make(rng, layout, {rng(1, 50)}, any_of(rng, {"f64", "f32", "i32"}), true)
      local x = of(rng, layout, any_of(rng, {"i16", "f32", "f64"}), true)
      return case_of("sorter", {}, {v, x}, function()
        local found = v:searchsorted(x, {sorter = v:argsort()})
        if x.size > 0 then
          local one = x:contiguous():flatten():to("f64")[1]
          assert.equal(one == one and tonumber(found:flatten()[1]),
            one == one and v:sort():searchsorted(one))
        end
        return {found}
      end)
    end)
  end)

  it("digitize numbers bins as NumPy does, ascending and descending", function()
    run(function(rng, layout)
      local x, right = of(rng, layout, any_of(rng, REALS), true), rng(0, 1)
      local bins = nd.randint(-3, 3, {rng(1, 9)}, "i16", {seed = rng(1e6)}):to "f64"
      bins = bins:sort{descending = rng(2) == 1}
      if x.dtype == "i64" then bins = bins:to "i64" end
      return case_of("digitize", {right}, {x, bins}, function()
        return {x:digitize(bins, {right = right == 1})}
      end)
    end)
  end)

  it("isin of any two dtypes, by exact comparison", function()
    local rng = H.rng "isin"
    for _, first in ipairs(common.NAMES) do
      for _, second in ipairs(common.NAMES) do
        local a = of(rng, arrays.LAYOUTS[1], first, true)
        local values = of(rng, arrays.LAYOUTS[1], second, true)
        local flat = values:contiguous():flatten()
        local wanted = flat.size > 0 and a:unsqueeze(-1):eq(flat):any(-1) or a:isin {}
        assert.is_true(a:isin(values):equal(wanted), first .. " in " .. second)
      end
    end
    assert.same({true, false}, nd.u64 {1, -1ULL}:isin(nd.i64 {1, -1}):totable())
  end)

  it("isin, nonzero and flatnonzero", function()
    run(function(rng, layout)
      local dtype = any_of(rng, common.NAMES)
      local a, values = of(rng, layout, dtype, true), of(rng, layout, dtype, true)
      return case_of("isin", {}, {a, values}, function()
        return {a:isin(values), nd.isin(a, values, {invert = true})}
      end)
    end)
    run(function(rng, layout)
      local shape = arrays.shape(rng, 3)
      if #shape == 0 then shape = {3} end
      local a = arrays.make(rng, layout, shape, any_of(rng, common.NAMES), true)
      return case_of("nonzero", {}, {a}, function()
        local list = {a:nonzero()}
        list[#list + 1] = a:flatnonzero()
        return list
      end)
    end)
  end)

  it("interp goes through the points", function()
    run(function(rng, layout)
      local n, nan = rng(2, 12), "nan"
      local x = of(rng, layout, any_of(rng, REALS), true)
      local xp = nd.normal({n}, "f64", {seed = rng(1e6)}):mul_(3)
      local fp = arrays.make(rng, layout, {n}, "f64", true)
      local left, right = rng(2) == 1 and -7 or nan, rng(2) == 1 and 9.5 or nan
      local period = rng(4) == 1 and 2.5 or nan
      if period == nan then xp = xp:sort() end
      if period == nan and rng(2) == 1 then xp[2] = xp[1] end
      local options = {left = tonumber(left), right = tonumber(right), period = tonumber(period)}
      for name, value in pairs(options) do
        if value ~= value then options[name] = nil end
      end
      return case_of("interp", {left, right, period}, {x, xp, fp}, function()
        return {x:interp(xp, fp, options)}
      end)
    end)
    assert.equal(15, nd.interp(1.5, {1, 2}, {10, 20}))
    assert.same({1, 1 / 0}, nd.interp({0, 0.5}, {0, 1}, {1, 1 / 0}):totable())
    assert.same({4, 4, 4}, nd.array({0, 1, 2}):interp({1}, {4}):totable())
  end)
end)

describe("counting", function()
  it("bincount counts, and adds up weights", function()
    run(function(rng, layout)
      local base, least = rng(0, 1), rng(0, 80)
      local a = few(rng, layout, any_of(rng, INTEGERS), arrays.shape(rng, 3))
      if base == 1 then a = a:to(a.dtype == "bool" and "u8" or a.dtype) + 1 end
      local list = {a}
      if rng(2) == 1 then list[2] = arrays.make(rng, layout, a.shape, any_of(rng, REALS), true) end
      return case_of("bincount", {base, least}, list, function()
        return {a:bincount {base = base, minlength = least, weights = list[2]}}
      end)
    end)
  end)

  it("histogram counts into bins of equal width with NumPy's edges", function()
    run(function(rng, layout)
      local a = of(rng, layout, any_of(rng, REALS), true)
      local bins, lo, hi = rng(1, 40), 1, 0
      local density, weighted = rng(0, 1), rng(0, 1)
      if rng(2) == 1 or not a:isfinite():all() then
        lo = rng(-3, 0)
        hi = lo + rng(0, 4)
      end
      local list = {a}
      if weighted == 1 then list[2] = arrays.make(rng, layout, a.shape, "i16", true) end
      return case_of("histogram", {bins, lo, hi, density, weighted}, list, function()
        return {nd.histogram(a, {bins = bins, range = lo <= hi and {lo, hi} or nil,
          density = density == 1, weights = list[2]})}
      end)
    end)
  end)

  it("histogram counts what is on an edge in the bin to its right, the last in the last", function()
    for bins = 1, 200 do
      local options = {bins = bins, range = {0.1, 0.9}}
      local _, edges = nd.histogram(nd.zeros {1}, options)
      local counts = nd.histogram(edges, options)
      assert.equal(2, tonumber(counts[-1]))
      assert.is_true(counts[{{1, bins}}]:eq(1):sum() == bins - 1, bins .. " bins")
    end
  end)

  it("histogram counts between any edges", function()
    run(function(rng, layout)
      local a = of(rng, layout, any_of(rng, REALS), true)
      local edges = nd.randint(-3, 3, {rng(2, 9)}, "i16", {seed = rng(1e6)}):sort()
      if a.dtype ~= "i64" and rng(2) == 1 then edges = edges / 2 end
      local density, weighted = rng(0, 1), rng(0, 1)
      local list = {a, edges}
      if weighted == 1 then list[3] = arrays.make(rng, layout, a.shape, "i16", true) end
      return case_of("histogram", {0, 1, 0, density, weighted}, list, function()
        return {a:histogram {bins = edges, density = density == 1, weights = list[3]}}
      end)
    end)
  end)

  it("histogram2d counts into a grid", function()
    run(function(rng, layout)
      local shape = arrays.shape(rng, 2)
      local x = arrays.make(rng, layout, shape, "f64", true)
      local y = arrays.make(rng, layout, shape, "f64", true)
      local rows, columns, lo, hi = rng(1, 7), rng(1, 7), 1, 0
      if rng(2) == 1 or not x:isfinite():all() or not y:isfinite():all() then lo, hi = -3, 3 end
      return case_of("histogram2d", {rows, columns, lo, hi}, {x, y}, function()
        local range = lo <= hi and {{lo, hi}, {lo, hi}} or nil
        return {nd.histogram2d(x, y, {bins = {rows, columns}, range = range})}
      end)
    end)
    local x, y = nd.array {0, 1, 4}, nd.array {0, 3, 4}
    local counts = x:histogram2d(y, {bins = {{0, 2, 4}, 2}, weights = {1, 2, 4}, density = true})
    assert.same({{1 / 28, 2 / 28}, {0, 4 / 28}}, counts:totable())
    local outside = nd.histogram2d(nd.array {0, 0, 9}, nd.array {0, 9, 0},
      {bins = 2, range = {{0, 2}, {0, 2}}})
    assert.same({{1, 0}, {0, 0}}, outside:totable())
  end)

  it("unique finds each value, where it is, and how often", function()
    run(function(rng, layout)
      local dtype = any_of(rng, common.NAMES)
      local a = rng(2) == 1 and of(rng, layout, dtype, true) or
                few(rng, layout, dtype, arrays.shape(rng, 3))
      return case_of("unique", {}, {a}, function()
        local all = {index = true, inverse = true, counts = true}
        local values, index, inverse, counts = a:unique(all)
        local again, far, often = nd.unique(a, {inverse = true, counts = true})
        assert.equal(a.dtype, values.dtype)
        assert.is_true(is_same(again, values) and far:equal(inverse) and often:equal(counts))
        return {values, index, inverse, counts}
      end)
    end)
    local values, counts = nd.array({0 / 0, 1, 0 / 0, -(0 / 0)}):unique {counts = true}
    assert.same({1, 1, 3}, {values[1], counts:unpack()})
    assert.equal(2, values.size)
  end)
end)

describe("searching and counting", function()
  local function on_threads(call)
    local before, first = nd.set_threads(1), nil
    local fine, e = pcall(function()
      for _, threads in ipairs {1, 2, 3, 7} do
        nd.set_threads(threads)
        local bytes = {}
        for i, a in ipairs {call()} do bytes[i] = a:copyout() end
        first = first or bytes
        assert.is_true(#first > 0)
        for i, one in ipairs(bytes) do assert(one == first[i], threads .. " threads") end
      end
    end)
    nd.set_threads(before)
    if not fine then error(e, 0) end
  end

  it("give the same bits for any number of threads", function()
    local n = 2 ^ 18 + 77
    local x = nd.normal({n}, "f64", {seed = 5})
    local whole = nd.randint(1, 300, {n}, "i32", {seed = 6})
    local wide = nd.randint(1, 50000, {n}, "i64", {seed = 7})
    local sorted = x:narrow(1, 1, 1000):sort()
    on_threads(function() return sorted:searchsorted(x), sorted:searchsorted(x:sort()) end)
    on_threads(function() return whole:bincount(), wide:bincount() end)
    on_threads(function() return whole:bincount {weights = x}, wide:bincount {weights = x} end)
    on_threads(function() return x:histogram {bins = 100}, x:histogram {bins = sorted} end)
    on_threads(function() return x:histogram {bins = 100, weights = x} end)
    on_threads(function() return whole:unique {counts = true, inverse = true} end)
  end)

  it("add up as a loop does, to within rounding", function()
    local n = 2 ^ 18
    local x = nd.randint(1, 7, {n}, "u8", {seed = 8})
    local sums, counts = x:bincount {weights = x:to "f64" * 0.5}, x:bincount()
    for k = 1, 7 do assert.equal(tonumber(counts[k]) * k / 2, sums[k]) end
    assert.equal(n, tonumber(counts:sum()))
  end)

  it("name the position of a value that is below the base", function()
    local e = H.raises_like("index_out_of_range", "value %-2 %(position 3%) is below the first, 1",
      nd.bincount, nd.i32 {{4, 5}, {-2, 0}})
    assert.same({3, -2, 1}, {e.position, e.value, e.limit})
    H.raises_like("index_out_of_range", "value 0 %(position 1%)", nd.bincount, nd.u64 {0})
    H.raises("overflow", nd.bincount, nd.array({2 ^ 63}, "u64"))
  end)

  it("refuse a value below the base before they ask for memory for the others", function()
    for _, huge in ipairs {2 ^ 40, 2 ^ 61} do
      H.raises_like("index_out_of_range", "value %-1 %(position 2%) is below the first, 1",
        nd.bincount, nd.i64 {huge, -1})
    end
  end)

  it("notice a value below the base wherever it is, on any number of threads", function()
    local n = 2 ^ 20 + 1
    local weights = nd.zeros {n}
    for _, at in ipairs {1, 65536, n} do
      local a = nd.ones({n}, "i64")
      a[at] = 0
      local text = ("value 0 %%(position %d%%) is below the first, 1"):format(at)
      on_threads(function()
        H.raises_like("index_out_of_range", text, a.bincount, a)
        H.raises_like("index_out_of_range", text, a.bincount, a, {weights = weights})
        return a:bincount {base = 0}
      end)
    end
  end)

  it("digitize real values, and bools", function()
    assert.equal(nd.digitize(1, {0, 1}), nd.digitize(true, {0, 1}))
    H.raises_like("type_mismatch", "a: expected real numbers, got c64", nd.digitize, nd.c64 {1},
      {0})
    H.raises_like("type_mismatch", "bins: expected real numbers, got c128", nd.digitize, {1},
      nd.c128 {0})
  end)

  it("put and index_add count from 0 where they are told to", function()
    local a = nd.zeros({4}, "i32")
    assert.equal(a, a:put({0, 2, -1}, {5, 6, 7}, {base = 0}))
    assert.same({5, 0, 6, 7}, a:totable())
    assert.same({6, 0, 8, 8}, a:index_add(1, nd.u8 {0, 2, 2, 3}, 1, {base = 0}):totable())
    assert.same({7, 0, 8, 8}, a:index_add(1, {1}, 1, {base = 1}):totable())
    local e = H.raises_like("index_out_of_range", "index 4 %(position 2%), counted from 0",
      a.put, a, {0, 4}, 1, {base = 0})
    assert.same({2, 4, 3}, {e.position, e.value, e.limit})
    H.raises_like("index_out_of_range", "index %-5 %(position 1%)", a.index_add, a, 1,
      nd.i64 {-5}, 1, {base = 0})
    H.raises("index_out_of_range", a.put, a, nd.array({2 ^ 63}, "u64"), 1, {base = 0})
    H.raises("type_mismatch", a.put, a, nd.ones(1), 1, {base = 0})
    H.raises("invalid_argument", a.put, a, {1}, 1, {base = 2})
    assert.same({7, 0, 8, 8}, a:totable())
  end)

  it("refuse what has no order, no shape that fits, or no sense", function()
    local a = nd.ones(2, 2)
    H.raises_like("shape_mismatch", "weights", nd.bincount, nd.i32 {1}, {weights = a})
    H.raises_like("type_mismatch", "weights", nd.bincount, nd.i32 {1}, {weights = nd.c64 {1}})
    H.raises_like("invalid_argument", "neither 0 nor 1", nd.bincount, nd.i32 {1}, {base = -1})
    H.raises_like("shape_mismatch", "sorter", nd.searchsorted, nd.ones(2), 1,
      {sorter = nd.i64 {1}})
    H.raises_like("invalid_argument", "descend: nan at position 2 follows 1", nd.digitize, a,
      {1, 0 / 0, 2})
    H.raises_like("invalid_argument", "descend: 2 at position 3 follows 1", nd.digitize, a,
      nd.u8 {3, 1, 2, 4})
    H.raises_like("invalid_argument", "ascend: 2 at position 2 follows 3", nd.histogram, a,
      {bins = {3, 2}})
    H.raises_like("invalid_argument", "xp: .* ascend: 1 at position 2 follows 2", nd.interp, a,
      {2, 1}, {0, 1})
    H.raises_like("type_mismatch", "fp: expected real numbers, got c128", nd.interp, a, {1, 2},
      nd.c128 {1, 2})
    H.raises_like("invalid_argument", "already", nd.histogram, a, {bins = {1, 2}, range = {1, 2}})
    H.raises_like("invalid_argument", "finite", nd.histogram, nd.array {1, 1 / 0})
    H.raises_like("invalid_argument", "finite", nd.histogram, a, {range = {-1e308, 1e308}})
    H.raises_like("invalid_argument", "number of bins", nd.histogram, a, {bins = 1.5})
    H.raises_like("type_mismatch", "range", nd.histogram, a, {range = 3})
    H.raises_like("invalid_argument", "period", nd.interp, a, {1}, {1}, {period = 0})
    H.raises_like("invalid_argument", "no option", nd.unique, a, {count = true})
    H.raises_like("type_mismatch", "boolean", nd.unique, a, {counts = 1})
    H.raises_like("invalid_argument", "extra", nd.unique, a, {}, 1)
  end)
end)
