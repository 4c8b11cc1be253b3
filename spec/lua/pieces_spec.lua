-- moveaxis, unstack, repeats with a count for each entry, and tables among arrays, against NumPy.
local nd = require "ndbuf"
local H = require "spec.helper"
local compare = require "spec.lua.compare"

local function random_order(rng, n)
  local order = {}
  for i = 1, n do table.insert(order, rng(1, i), i) end
  return order
end

local makers = {}

function makers.moveaxis(rng)
  local a = compare.any(rng, 1, 4)
  local n, from, to = rng(a.ndim), random_order(rng, a.ndim), random_order(rng, a.ndim)
  for i = a.ndim, n + 1, -1 do from[i], to[i] = nil, nil end
  for i = 1, n do
    if rng(3) == 1 then from[i] = from[i] - a.ndim - 1 end
    if rng(3) == 1 then to[i] = to[i] - a.ndim - 1 end
  end
  local c = {words = {}, arrays = {a}}
  for i = 1, n do c.words[i], c.words[n + i] = from[i], to[i] end
  function c.call()
    local out
    if n == 1 and rng(2) == 1 then out = a:moveaxis(from[1], to[1])
    else out = nd.moveaxis(a, from, to) end
    assert.equal(a.storage_id, out.storage_id)
    return out
  end
  return c
end

function makers.unstack(rng)
  local a = compare.any(rng, 1, 4)
  local axis = rng(2) == 1 and rng(a.ndim) or -rng(a.ndim)
  local c = {words = {axis}, arrays = {a}}
  function c.call()
    if rng(2) == 1 then return a:unstack {axis = axis} end
    return nd.unstack(a, axis)
  end
  return c
end

function makers.repeat_interleave(rng)
  local a = compare.any(rng, 1, 4)
  local axis = rng(2) == 1 and rng(a.ndim) or -rng(a.ndim)
  local counts = {}
  for i = 1, a:dim(axis) do counts[i] = rng(0, 3) end
  local n = nd.array(counts, compare.PLAIN[rng(2, 9)])
  local c = {words = {axis}, arrays = {a, n}}
  function c.call()
    if rng(2) == 1 then return a:repeat_interleave(counts, axis) end
    return nd.repeat_interleave(a, n, {axis = axis})
  end
  return c
end

function makers.concat(rng)
  local shape = compare.shape(rng, 1, 3)
  local axis, c = rng(#shape), {words = {}, arrays = {}}
  local dtype = compare.PLAIN[rng(#compare.PLAIN)]
  c.words[1] = axis
  for i = 1, rng(2, 4) do
    local own = {unpack(shape)}
    own[axis] = rng(1, 3)
    c.arrays[i] = compare.array(rng, dtype, own)
  end
  function c.call()
    local list = {}
    for i, a in ipairs(c.arrays) do
      local is_table = i > 1 and a.size > 0 and rng(2) == 1
      list[i] = is_table and a:totable() or a
    end
    return nd.concat(list, axis)
  end
  return c
end

describe("pieces", function()
  it("are those of NumPy", function() compare.run(makers, H.rng "pieces", 2000) end)
end)

describe("moveaxis", function()
  it("takes axes once, and as many destinations", function()
    local a = nd.zeros(2, 3, 4)
    assert.same({3, 4, 2}, nd.moveaxis(a, 1LL, -1).shape)
    assert.same({}, nd.moveaxis(nd.ones {}, {}, {}).shape)
    assert.same({3, 2}, nd.moveaxis({{1, 2, 3}, {4, 5, 6}}, 1, 2).shape)
    assert.is_false(nd.moveaxis(nd.ones {}, {}, {}).readonly)
    H.raises_like("invalid_argument", "source: axis 1 is named twice", a.moveaxis, a, {1, -3},
      {1, 2})
    H.raises_like("invalid_argument", "2 axes to move, 1 dest", a.moveaxis, a, {1, 2}, 1)
    H.raises_like("index_out_of_range", "destination: axis 4", a.moveaxis, a, 1, 4)
    H.raises_like("index_out_of_range", "source: axis 0", a.moveaxis, a, 0, 1)
    H.raises_like("type_mismatch", "source: expected an integer, got nil", a.moveaxis, a)
    H.raises("invalid_argument", a.moveaxis, a, 1, 2, 3)
  end)
end)

describe("unstack", function()
  it("gives views of axis 1 unless told, at most 7000", function()
    local a = nd.zeros(3, 2)
    local _, y = a:unstack()
    y:fill(1)
    assert.same({{0, 0}, {1, 1}, {0, 0}}, a:totable())
    assert.equal(7000, select("#", nd.zeros(7000):unstack()))
    assert.equal(0, select("#", nd.zeros(0, 2):unstack()))
    H.raises_like("capacity", "7001 values; the limit is 7000", nd.unstack, nd.zeros(7001))
    H.raises_like("shape_mismatch", "0%-d", nd.unstack, nd.zeros {})
    H.raises_like("index_out_of_range", "axis 3", a.unstack, a, 3)
    H.raises("index_out_of_range", a.unstack, a, 0)
    H.raises("type_mismatch", a.unstack, a, 1.5 .. "")
    H.raises("invalid_argument", a.unstack, a, {axes = 1})
  end)
end)

describe("repeats with a count for each entry", function()
  it("refuse other numbers of counts, negative ones and fractions", function()
    local a = nd.ones(2, 3)
    assert.is_true(a:repeat_interleave({2}, 2):equal(a:repeat_interleave(2, 2)))
    assert.is_true(a:repeat_interleave(nd.i8 {0}, 1):equal(a:narrow(1, 1, 0)))
    H.raises_like("shape_mismatch", "a list of 3 counts", a.repeat_interleave, a, {1, 2}, 2)
    H.raises("shape_mismatch", a.repeat_interleave, a, {{1, 2}}, 1)
    H.raises_like("invalid_argument", "n: %-1 is outside", a.repeat_interleave, a, {1, -1}, 1)
    H.raises_like("invalid_argument", "0.5 is not an integer", a.repeat_interleave, a, {1, 0.5}, 1)
    H.raises_like("type_mismatch", "expected integers, got f64", a.repeat_interleave, a, a[1], 2)
    H.raises_like("type_mismatch", "axis", a.repeat_interleave, a, {1, 2})
    H.raises("overflow", a.repeat_interleave, a, {2 ^ 53, 2 ^ 53}, 1)
    H.raises("out_of_memory", a.repeat_interleave, a, {2 ^ 50, 1}, 1)
    assert.same({2, 0}, nd.repeat_interleave(a, {0, 0, 0}, 2).shape)
  end)

  it("take one count as before", function()
    assert.same({1, 1, 2, 2}, nd.u8 {1, 2}:repeat_interleave(2):totable())
    H.raises("type_mismatch", nd.ones(1).repeat_interleave, 1, 2)
    H.raises("type_mismatch", nd.ones(1).repeat_interleave, 1, {2})
    assert.same({1, 1, 2, 2}, nd.repeat_interleave({1, 2}, 2):totable())
    assert.same({1, 2, 1, 2}, nd.tile({1, 2}, 2):totable())
    assert.same({2, 3}, nd.split({1, 2, 3}, 1, {1, 2})[2]:totable())
  end)
end)

describe("tables among arrays", function()
  it("take the dtype that the arrays are promoted to", function()
    assert.equal("f32", nd.concat({{0.5}, nd.f32 {1}, nd.i8 {1}}).dtype)
    assert.equal("i16", nd.stack({nd.u8 {1}, {1}, nd.i8 {1}}).dtype)
    assert.equal("f64", nd.concat {{1}, {2}}.dtype)
    assert.same({{1, 2}, {3, 4}}, nd.stack {{1, 2}, {3, 4}}:totable())
    H.raises("type_mismatch", nd.concat, {nd.i64 {1}, nd.u64 {1}, {1}})
    H.raises("type_mismatch", nd.concat, {{1}, 2})
    H.raises("shape_mismatch", nd.concat, {{{1}, {1, 2}}, nd.ones(2)})
  end)
end)
