-- Grids, triangles and diagonals against NumPy, for random shapes, layouts and dtypes.
local nd = require "ndbuf"
local H = require "spec.helper"
local cases = require "spec.ops.cases"
local common = require "spec.bind.common"
local compare = require "spec.lua.compare"

local hex, PLAIN = common.hex, compare.PLAIN

-- Random cases by operation: {words =, arrays =, call =}.
local makers = {}

function makers.meshgrid(rng)
  local c = {words = {rng(2) == 1 and "xy" or "ij", tostring(rng(2) == 1)}, arrays = {}}
  for i = 1, rng(4) do
    c.arrays[i] = compare.any(rng, 0, 1)
  end
  function c.call()
    local list = {unpack(c.arrays)}
    list[#list + 1] = {indexing = c.words[1], sparse = c.words[2] == "true"}
    return nd.meshgrid(unpack(list))
  end
  return c
end

function makers.broadcast_arrays(rng)
  local whole, c = compare.shape(rng, 1, 4), {words = {"-"}, arrays = {}}
  for i = 1, rng(3) do
    local shape = {}
    for k = rng(#whole + 1), #whole do shape[#shape + 1] = rng(3) == 1 and 1 or whole[k] end
    c.arrays[i] = compare.array(rng, PLAIN[rng(#PLAIN)], shape)
  end
  function c.call() return nd.broadcast_arrays(unpack(c.arrays)) end
  return c
end

local function triangle(name)
  makers[name] = function(rng)
    local shape = compare.shape(rng, 2, 4)
    local c = {words = {rng(-7, 7)}, arrays = {compare.array(rng, PLAIN[rng(#PLAIN)], shape)}}
    function c.call()
      local a = c.arrays[1]
      local in_place = cases.layouts[cases.LAYOUTS[rng(5)]](a)
      assert.equal(in_place, in_place[name .. "_"](in_place, c.words[1]))
      assert.equal(hex(a[name](a, c.words[1]):copyout()), hex(in_place:copyout()))
      return nd[name](a, c.words[1])
    end
    return c
  end
end
triangle "tril"
triangle "triu"

function makers.diag(rng)
  local shape = compare.shape(rng, 1, 2)
  local k = rng(-6, 6)
  if #shape == 2 then k = math.max(-shape[1], math.min(shape[2], k)) end
  local c = {words = {k}, arrays = {compare.array(rng, PLAIN[rng(#PLAIN)], shape)}}
  function c.call() return nd.diag(c.arrays[1], k) end
  return c
end

function makers.identity(rng)
  local c = {words = {rng(0, 5), PLAIN[rng(#PLAIN)]}, arrays = {}}
  function c.call() return nd.identity(unpack(c.words)) end
  return c
end

function makers.vander(rng)
  local x = compare.any(rng, 1, 1)
  local c = {words = {rng(0, 5), tostring(rng(2) == 1)}, arrays = {x}}
  function c.call() return nd.vander(x, c.words[1], {increasing = c.words[2] == "true"}) end
  return c
end

describe("grids and triangles", function()
  it("are those of NumPy", function()
    compare.run(makers, H.rng "grids", 3000)
  end)

  it("are there for the dtypes that NumPy lacks", function()
    for _, dtype in ipairs {"bf16", "f8e4m3", "f8e5m2"} do
      local function same(t, a) assert.is_true(nd.array(t, dtype):equal(a)) end
      same({{1, 0}, {3, 4}}, nd.tril(nd.array({{1, 2}, {3, 4}}, dtype)))
      same({{0, 2}, {0, 0}}, nd.array({{1, 2}, {3, 4}}, dtype):triu(1))
      same({{1, 0}, {0, 2}}, nd.diag(nd.array({1, 2}, dtype)))
      same({{1, 1}, {4, 2}}, nd.vander(nd.array({1, 2}, dtype), 3):narrow(2, 1, 2))
      local x = nd.array({1.3, 0.7, 1.1}, dtype) -- powers are rounded once
      assert.is_true(nd.vander(x, 9):equal(nd.vander(x:astype "f32", 9):astype(dtype)))
    end
  end)

  it("take no time where there are no elements", function()
    assert.same({0, 2 ^ 53}, nd.vander(nd.zeros(0), 2 ^ 53).shape)
  end)

  it("keep NaN and the sign of 0 where nothing is cut", function()
    local a = nd.array {{-0, 0 / 0}, {0 / 0, -0}}
    assert.equal(-1 / 0, 1 / a:tril()(1, 1))
    assert.same({1 / 0, true}, {1 / a:tril()(1, 2), a:tril():isnan()(2, 1)})
  end)
end)

describe("meshgrid", function()
  it("takes tables for coordinates, and an empty one in the last place for options", function()
    local x, y = nd.meshgrid({1, 2, 3}, {4, 5}, {})
    assert.same({{1, 2, 3}, {1, 2, 3}}, x:totable())
    assert.same({{4, 4, 4}, {5, 5, 5}}, y:totable())
    assert.equal(2, select("#", nd.meshgrid({1}, {2})))
    assert.same({0, 2}, (nd.meshgrid(nd.zeros(2), nd.zeros(0))).shape)
  end)

  it("makes arrays of its own, which can be written to", function()
    local v = nd.array {1, 2}
    for _, options in ipairs {{}, {sparse = true}, {indexing = "ij"}} do
      local x = nd.meshgrid(v, options)
      x:fill(7)
    end
    assert.same({1, 2}, v:totable())
  end)

  it("refuses what is no coordinate and no option", function()
    H.raises_like("shape_mismatch", "array 2 is %(1x2%)", nd.meshgrid, {1}, {{1, 2}})
    H.raises_like("type_mismatch", "expected an array, got a string", nd.meshgrid, {1}, "2")
    H.raises_like("invalid_argument", "0 arrays", nd.meshgrid)
    H.raises_like("invalid_argument", "0 arrays", nd.meshgrid, {sparse = true})
    H.raises_like("invalid_argument", "17 arrays", nd.meshgrid,
      unpack(nd.ones(17, 1):split(1, 17)))
    H.raises_like("invalid_argument", 'no option "sprase"', nd.meshgrid, {1}, {sprase = true})
    H.raises_like("invalid_argument", 'expected one of xy, ij, got "yx"', nd.meshgrid, {1},
      {indexing = "yx"})
    H.raises_like("type_mismatch", "sparse: expected a boolean", nd.meshgrid, {1}, {sparse = 1})
  end)
end)

describe("triangles", function()
  it("allow diagonals far outside", function()
    local a = nd.ones({2, 3}, "i8")
    for _, k in ipairs {2 ^ 53, 10LL, 3} do
      assert.is_true(a:tril(k):equal(a))
      assert.is_true(a:triu(-k):equal(a))
      assert.equal(0, a:triu(k):sum())
      assert.equal(0, a:tril(-k):sum())
    end
  end)

  it("refuse vectors, fractions and what cannot be written to", function()
    local a = nd.ones(2, 2)
    H.raises_like("shape_mismatch", "tril: at least 2 axes .* %(2%)", nd.tril, {1, 2})
    H.raises_like("invalid_argument", "0.5 is not an integer", a.triu, a, 0.5)
    H.raises("type_mismatch", nd.tril, 1)
    H.raises("type_mismatch", a.tril_, {{1, 2}, {3, 4}})
    local fixed = a:readonly_view()
    H.raises("read_only", fixed.tril_, fixed)
    local windows = nd.arange(3):unfold(1, 2)
    H.raises("overlap", windows.triu_, windows)
    H.raises("out_of_memory", nd.tril, nd.ones(1):expand(2 ^ 20, 2 ^ 20))
    assert.same({1, 2, 3}, nd.arange(3):totable())
  end)
end)

describe("diag", function()
  it("of a matrix is a view, of a vector a copy", function()
    local m, v = nd.zeros(3, 3), nd.array {1, 2}
    nd.diag(m, 1):fill(5)
    assert.same({{0, 5, 0}, {0, 0, 5}, {0, 0, 0}}, m:totable())
    nd.diag(v):fill(0)
    assert.same({1, 2}, v:totable())
    H.raises("index_out_of_range", nd.diag, m, 4)
    H.raises_like("shape_mismatch", "1 or 2 axes .* %(1x1x1%)", nd.diag, nd.zeros(1, 1, 1))
    H.raises_like("shape_mismatch", "%(%)", nd.diag, nd.zeros {})
  end)
end)

describe("broadcast_arrays", function()
  it("gives views, and names the array that does not fit", function()
    local a = nd.zeros(2, 1)
    local x, y = nd.broadcast_arrays(a, {1, 2, 3})
    assert.equal(a.storage_id, x.storage_id)
    assert.is_true(x.readonly)
    assert.is_true(y:equal(nd.array {{1, 2, 3}, {1, 2, 3}}))
    assert.is_false((nd.broadcast_arrays(a)).readonly)
    H.raises_like("shape_mismatch", "array 3 is %(4x1%)", nd.broadcast_arrays, a, {1},
      nd.ones(4, 1))
  end)
end)
