-- gather, scatter, take_along and put_along against NumPy, and what they refuse.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local ADDABLE = {"i8", "u8", "i16", "i32", "i64", "u64", "f32", "f64", "c128"}
local NAMES = {"gather", "take_along", "put_along", "scatter", "scatter_add"}

local rng = H.rng "along"
local function chance(p) return rng() < p end
local function pick(list) return list[rng(#list)] end

local function product(shape)
  local n = 1
  for _, len in ipairs(shape) do n = n * len end
  return n
end

local function sequence(shape, factor, first, dtype)
  local list = {}
  for i = 1, product(shape) do list[i] = (factor * (i - 1) + first) % 8 end
  return nd.array(list, dtype):reshape(shape)
end

-- A shape that broadcasts to 'shape'.
local function part_of(shape)
  local out = {}
  for i = rng(1, #shape), #shape do out[#out + 1] = chance(0.25) and 1 or shape[i] end
  return out
end

-- The extents of an index: those of the array, of a part, or such that they broadcast.
local function index_shape(case, n)
  local out, broadcasts = {}, case.name == "take_along" or case.name == "put_along"
  for i, len in ipairs(case.shape) do
    if i == case.axis then out[i] = len == 0 and 0 or n
    elseif broadcasts then out[i] = chance(0.3) and 1 or len == 1 and rng(0, 3) or len
    else out[i] = chance(0.3) and rng(0, len) or len end
  end
  return out
end

local function new_case()
  local case = {name = pick(NAMES), shape = {}, list = {}}
  case.dtype = pick(case.name == "scatter_add" and ADDABLE or common.NAMES)
  for i = 1, rng(1, 4) do case.shape[i] = chance(0.05) and 0 or rng(1, 5) end
  case.axis = rng(#case.shape)
  case.index_shape = index_shape(case, chance(0.05) and 0 or rng(1, 5))
  local len = case.shape[case.axis]
  for i = 1, product(case.index_shape) do
    case.list[i] = chance(0.3) and -rng(len) or rng(len)
  end
  -- the values broadcast to the shape of the index, and so to the result's
  case.values = part_of(case.index_shape)
  return case
end

local function text_of(case)
  return table.concat({case.dtype, common.shape_text(case.shape), case.axis,
    common.shape_text(case.index_shape), table.concat(case.list, " "), case.name,
    common.shape_text(case.values)}, "\t")
end

-- The array, sometimes with its axes in another order in memory.
local function make_array(case)
  local a = sequence(case.shape, 7, 0, case.dtype)
  if chance(0.5) or #case.shape < 2 then return a end
  return a.T:clone().T
end

local function run(case)
  local a = make_array(case)
  local index = nd.array(case.list, pick {"i8", "i32", "i64"}):reshape(case.index_shape)
  local values = sequence(case.values, 3, 1, case.dtype)
  local axis = chance(0.5) and case.axis or case.axis - #case.shape - 1
  if case.name == "gather" then
    return chance(0.5) and a:gather(axis, index) or nd.gather(a, axis, index)
  elseif case.name == "take_along" then
    if chance(0.5) then return a:take_along(index, axis) end
    local out = nd.zeros(a:take_along(index, {axis = axis}).shape, case.dtype)
    assert.equal(out, nd.take_along(a, index, {axis = axis, out = out}))
    return out
  elseif case.name == "put_along" then
    assert.equal(a, a:put_along(index, values, axis))
    return a
  end
  if chance(0.5) then
    assert.equal(a, a[case.name .. "_"](a, axis, index, values))
    return a
  end
  local before = a:clone()
  local got = a[case.name](a, axis, index, values)
  assert.is_true(before:equal(a))
  return got
end

describe("along an axis", function()
  it("elements are taken and put as NumPy does", function()
    local cases, texts = {}, {}
    for i = 1, H.cases(3000) do
      cases[i] = new_case()
      texts[i] = text_of(cases[i])
    end
    for i, answer in ipairs(common.ask("spec/bind/along_oracle.py", texts)) do
      local got = run(cases[i])
      local text = ("seed %d: %s"):format(H.seed, texts[i])
      assert.equal(answer[1], common.shape_text(got.shape), text)
      assert.equal(answer[2], common.hex(got:copyout()), text)
    end
  end)

  it("an index of argsort sorts, and the default axis is the last", function()
    local a = nd.random({5, 6, 7}, "f32", {seed = rng(1e6)})
    assert.is_true(a:take_along(a:argsort()):equal(a:sort()))
    assert.is_true(a:take_along(a:argsort(1), 1):equal(a:sort(1)))
    local b = nd.zeros(2, 3):put_along({{3}, {1}}, 7)
    assert.same({{0, 0, 7}, {7, 0, 0}}, b:totable())
  end)

  it("adds what is equal, and refuses a value that the dtype does not hold", function()
    local a = nd.zeros({2, 2}, "i32")
    assert.same({{3, 0}, {0, 3}}, a:scatter_add(2, {{1, 1, 1}, {2, 2, 2}}, 1):totable())
    H.raises("not_representable", function() a:scatter_add_(2, {{1}, {1}}, 0.5) end)
    H.raises("type_mismatch", function() a:scatter_(2, {{1}, {1}}, nd.c64(1)) end)
    assert.equal(0, a:count_nonzero())
  end)

  it("the index and the values may be parts of the array", function()
    local a = nd.array({{2, 1}, {1, 2}}, "i64")
    local b = a:clone()
    a:scatter_(1, a, a.T)
    b:scatter_(1, b:clone(), b:clone().T)
    assert.is_true(a:equal(b))
    a:put_along(a"1:1", a"2:2", 1)
    b:put_along(b"1:1":clone(), b"2:2":clone(), 1)
    assert.is_true(a:equal(b))
  end)

  it("refuses what does not fit; nothing is written", function()
    local a = nd.arange(1, 6):reshape(2, 3)
    local before = a:clone()
    local e = H.raises_like("index_out_of_range", "scatter: index 4 %(position 2%)", function()
      a:scatter_(2, {{1, 4}, {1, 1}}, 0)
    end)
    assert.same({4, 2, 2, 3}, {e.value, e.position, e.axis, e.limit})
    for _, call in ipairs {
      function() a:scatter_(2, {{1, 1}, {2, 2}}, {{1}, {2}, {3}}) end,
      function() a:scatter_(2, {{1, 1, 1}, {2, 2, 2}}, {{1, 2}, {1, 2}}) end,
      function() a:scatter_(2, {{1}, {1}, {1}}, 0) end,
      function() a:scatter_(2, {1, 2}, 0) end,
      function() return a:gather(1, {{1, 1, 1, 1}}) end,
      function() a:put_along({{1}, {1}, {1}}, 0) end,
      function() return a:take_along {1} end,
      function() return a:gather(2, {{1}, {1}}, {out = nd.zeros(2)}) end,
      function() return a:take({1, 2}, 2, {out = nd.zeros(2, 3)}) end,
      function() return a:take({1}, {out = nd.zeros(2, 3)}) end, -- although the result broadcasts
    } do H.raises("shape_mismatch", call) end
    H.raises("type_mismatch", function() return a:gather(2, nd.ones({2, 3}, "bool")) end)
    H.raises("type_mismatch", function() a:put_along(nd.ones({2, 3}, "bool"), 0) end)
    H.raises("index_out_of_range", function() return a:gather(3, {{1}}) end)
    H.raises("index_out_of_range", function() return nd.zeros(0, 2):gather(1, {{1, 1}}) end)
    H.raises("invalid_argument", function() return nd.f64(1):take_along(nd.i64(1)) end)
    H.raises("read_only", function() a:readonly_view():scatter_(1, {{1}}, 0) end)
    H.raises("read_only", function() nd.zeros(1, 3):expand(2, 3):put_along({{1}, {1}}, 0) end)
    assert.is_true(a:equal(before))
  end)

  it("take writes to out, converted, which may be what it takes from", function()
    local a = nd.arange(1, 6):reshape(2, 3)
    local out = nd.zeros({2, 2}, "u8")
    assert.equal(out, a:take({3, 1}, 2, {out = out}))
    assert.same({{3, 1}, {6, 4}}, out:totable())
    a:take({2, 1}, {out = a})
    assert.same({{4, 5, 6}, {1, 2, 3}}, a:totable())
  end)
end)
