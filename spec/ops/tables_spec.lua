-- A nested table stands for the array that nd.array makes of it wherever an operand may be one, and
-- a table of options is never an operand.
local nd = require "ndbuf"
local H = require "spec.helper"
local operations = require "spec.operations"

local function pack(...) return {n = select("#", ...), ...} end

local function is_array(value) return type(value) == "userdata" end

-- The same values and arrays of the same dtype, shape and bytes; or the same error.
local function same(want, got, what)
  assert.equal(want.n, got.n, what)
  for i = 1, want.n do
    local a, b = want[i], got[i]
    if is_array(a) and is_array(b) then
      assert.equal(a.dtype, b.dtype, what)
      assert.same(a.shape, b.shape, what)
      assert.equal(a:copyout(), b:copyout(), what)
    else
      assert.equal(tostring(a), tostring(b), what)
    end
  end
end

local function outcome(fn, ...)
  local list = pack(pcall(fn, ...))
  if not list[1] then list = {n = 2, false, list[2].code .. ": " .. list[2].message} end
  return list
end

local lists = {{3, 1, 2}, {{1, 0.5}, {0.25, 2}}, {}}

-- nd[name] of tables, of those in the places of 'tables', and of the arrays that they stand for.
local function compare(name, tables, ...)
  local with, without = pack(...), pack(...)
  for _, at in ipairs(tables) do without[at] = nd.array(without[at]) end
  local what = ("%s, tables at %s"):format(name, table.concat(tables, ", "))
  same(outcome(nd[name], unpack(without, 1, without.n)),
    outcome(nd[name], unpack(with, 1, with.n)), what)
end

describe("a table as an operand", function()
  it("of one array is that array, for every element-wise operation", function()
    for _, name in ipairs(operations.elementwise(1)) do
      for _, list in ipairs(lists) do compare(name, {1}, list) end
    end
  end)

  it("of two operands is either, or both", function()
    for _, name in ipairs(operations.elementwise(2)) do
      for _, list in ipairs(lists) do
        for _, other in ipairs {nd.array(list), nd.ones({1, 1}, "f32"), 2} do
          compare(name, {1}, list, other)
          compare(name, {2}, other, list)
        end
        compare(name, {1, 2}, list, list)
        compare(name, {2}, nd.ones({1, 1}, "i32"), list, {out = nd.zeros {}})
      end
    end
  end)

  it("is one of Lua's operators, and of the methods in place", function()
    local v = nd.f32 {1, 2, 3}
    for name, got in pairs {add = v + {3, 1, 2}, sub = v - {3, 1, 2}, mul = v * {3, 1, 2},
        div = v / {3, 1, 2}, mod = v % {3, 1, 2}, pow = v ^ {3, 1, 2}} do
      assert.is_true(got:equal(nd[name](v, nd.array {3, 1, 2})), name)
    end
    assert.same({2, -1, -1}, ({3, 1, 2} - v):totable())
    assert.same({4, 3, 5}, v:add_ {3, 1, 2}:totable())
    assert.equal("f32", v.dtype)
  end)

  it("stands beside the options of clamp, where and fma", function()
    local v = nd.array {1, 5, 9}
    local out = nd.zeros(3)
    assert.same({2, 5, 7}, v:clamp({2, 2, 2}, {8, 8, 7}):totable())
    assert.same({2, 5, 9}, v:clamp {2, 2, 2}:totable())
    assert.same({1, 3, 4}, v:clamp(0, {2, 3, 4}):totable())
    assert.equal(out, v:clamp(2, {out = out}))
    assert.same({2, 5, 9}, out:totable())
    assert.same({2, 5, 9}, v:clamp(2, {}):totable())
    assert.equal(out, v:clamp(2, {3, 4, 5}, {out = out}))
    assert.same({2, 4, 5}, out:totable())
    assert.same({3, 12, 21}, v:fma(2, {1, 2, 3}):totable())
    assert.same({1, 0, 3}, nd.where({1, 0, 2}, {1, 2, 3}, 0):totable())
    assert.same({1, 3}, nd.where {1, 0, 2}:totable())
  end)

  it("is the first operand of reductions, scans, sorts and order statistics", function()
    for _, name in ipairs {"sum", "prod", "min", "max", "mean", "var", "std", "argmin", "argmax",
        "any", "all", "count_nonzero", "cumsum", "cumprod", "cummin", "cummax", "sort", "argsort",
        "median", "nanmedian", "mode", "unique", "nonzero", "flatnonzero", "histogram", "nansum",
        "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin",
        "nanargmax"} do
      for _, list in ipairs(lists) do
        compare(name, {1}, list)
        compare(name, {1}, list, {axis = 1})
      end
    end
    for _, name in ipairs {"topk", "partition", "argpartition", "quantile", "percentile",
        "nanquantile", "nanpercentile"} do
      for _, list in ipairs(lists) do compare(name, {1}, list, 1) end
    end
  end)

  it("is that of searching, picking and comparing", function()
    compare("searchsorted", {1, 2}, {1, 2, 5}, {2, 9})
    compare("isin", {1, 2}, {1, 2, 5}, {2, 9})
    compare("isclose", {1, 2}, {1, 2, 5}, {1, 2, 3})
    compare("nextafter", {1, 2}, {1, 2, 5}, {9, 0, 5})
    compare("allclose", {1, 2}, {1, 2}, {1, 2})
    compare("histogram2d", {1, 2}, {1, 2, 5}, {1, 3, 3})
    compare("gather", {1}, {{1, 2}, {3, 4}}, 2, {{2}, {1}})
    compare("take_along", {1}, {{1, 2}, {3, 4}}, {{2}, {1}})
    compare("scatter", {1}, {{1, 2}, {3, 4}}, 2, {{2}, {1}}, {{8}, {9}})
    compare("scatter_add", {1}, {{1, 2}, {3, 4}}, 2, {{2}, {1}}, {{8}, {9}})
    assert.same({1, 2}, nd.bincount {1, 2, 2}:totable())
    assert.same({2, 4}, nd.f64 {5, 1, 3}:searchsorted({2, 9}, {sorter = {2, 3, 1}}):totable())
    assert.is_true(nd.f64 {1, 2}:equal {1, 2})
    assert.is_false(nd.f32 {1, 2}:equal {1, 2})
  end)

  it("is refused where it is ragged or one of options", function()
    local v = nd.array {1, 2}
    H.raises_like("shape_mismatch", "ragged", nd.exp, {{1}, {2, 3}})
    H.raises_like("shape_mismatch", "ragged", v.add, v, {{1, 2}, 3})
    H.raises_like("shape_mismatch", "another key", nd.sum, {1, 2, axis = 1})
    H.raises_like("shape_mismatch", "do not broadcast", v.add, v, {})
    H.raises_like("type_mismatch", "b: expected an array or a list", v.add, v, {out = v})
    H.raises_like("type_mismatch", "a: expected an array or a list", nd.sum, {axis = 1})
    H.raises_like("type_mismatch", "a: expected an array or a list", nd.unique, {counts = true})
    H.raises_like("type_mismatch", "lo: expected an array or a list", v.clamp, v, {out = v})
    H.raises_like("type_mismatch", "a: expected an array, got a number", nd.sum, 1)
    H.raises_like("not_representable", "1.5", nd.bincount, {1.5})
  end)
end)

describe("a number as an operand", function()
  it("is an array without axes", function()
    assert.same({false, true}, nd.isin({1, 2}, 2):totable())
    assert.same({true, false}, nd.isin({1, 2}, 2, {invert = true}):totable())
    assert.is_true(nd.isin(2, {1, 2}):item())
    assert.same({false, true}, nd.i64 {2 ^ 53, 2 ^ 53 + 2}:isin(2LL ^ 53 + 2):totable())
    assert.same({{2}, {4}}, nd.outer({1, 2}, 2):totable())
    assert.equal("i64", nd.i64 {1}:outer(2LL).dtype)
    assert.equal("c128", nd.outer({1}, 2i).dtype)
    assert.same({2, 4}, nd.kron(2, {1, 2}):totable())
    assert.same({{{2}, {2}}, {{1}, {2}}},
      {nd.meshgrid(2, {1, 2}):totable(), (select(2, nd.meshgrid(2, {1, 2}))):totable()})
    local a, b = nd.broadcast_arrays({1, 2}, 3)
    assert.same({{1, 2}, {3, 3}}, {a:totable(), b:totable()})
    H.raises_like("type_mismatch", "b: expected an array, got a boolean", nd.outer, {1}, true)
  end)
end)
