-- Copies with a pattern, concat to byteswap: against NumPy where it has an answer.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES, hex = common.DTYPES, common.hex
local shape_text = common.shape_text

local PLAIN = {"bool", "i8", "u16", "i32", "u64", "f16", "f32", "f64", "c64", "c128"}

local function product(shape)
  local n = 1
  for _, extent in ipairs(shape) do n = n * extent end
  return n
end

local function build(dtype, shape, order)
  local t = {}
  for k = 1, product(shape) do t[k] = (k - 1) % 8 end
  local a = nd.array(t, dtype):reshape(shape)
  return #shape == 0 and a or a:permute(order)
end

local function random_order(rng, n)
  local order = {}
  for i = 1, n do table.insert(order, rng(1, i), i) end
  return order
end

-- A shape and order that give 'shape' after the permutation.
local function disguise(rng, shape)
  local order, before = random_order(rng, #shape), {}
  for i, axis in ipairs(order) do before[axis] = shape[i] end
  return {shape = before, order = order}
end

local function array_text(d)
  return shape_text(d.shape) .. "/" .. shape_text(d.order, ",")
end

local function random_copy_case(rng)
  local ops = {"concat", "stack", "tile", "repeat", "roll", "pad", "byteswap"}
  local c = {op = ops[rng(#ops)], dtype = PLAIN[rng(#PLAIN)], values = {}, arrays = {}}
  local shape = {}
  local least = (c.op == "concat" or c.op == "repeat" or c.op == "roll") and 1 or 0
  for i = 1, rng(least, 4) do shape[i] = rng() < 0.1 and 0 or rng(1, 4) end
  local n = #shape
  c.arrays[1] = disguise(rng, shape)
  if c.op == "concat" or c.op == "stack" then
    local axes = c.op == "stack" and n + 1 or n
    c.axis = rng(1, axes)
    for i = 2, rng(1, 4) do
      local own = {unpack(shape)}
      if c.op == "concat" then own[c.axis] = rng(0, 4) end
      c.arrays[i] = disguise(rng, own)
    end
    if rng() < 0.3 then c.axis = c.axis - axes - 1 end
  elseif c.op == "tile" then
    for i = 1, rng(1, 5) do c.values[i] = rng(0, 3) end
  elseif c.op == "repeat" then
    c.axis, c.values = rng(1, n), {rng(0, 4)}
  elseif c.op == "roll" then
    c.axis, c.values = rng(1, n), {rng(-9, 9)}
  elseif c.op == "pad" then
    c.values[1] = rng(0, 7)
    for i = 1, n do
      c.values[2 * i], c.values[2 * i + 1] = rng(0, 3), rng(0, 3)
    end
  end
  return c
end

local function line_of(c)
  local fields = {c.op, c.dtype, tostring(c.axis or "-"), shape_text(c.values, ",")}
  for _, d in ipairs(c.arrays) do fields[#fields + 1] = array_text(d) end
  return table.concat(fields, "\t")
end

local function run_copy_case(c)
  local parts = {}
  for i, d in ipairs(c.arrays) do parts[i] = build(c.dtype, d.shape, d.order) end
  local a = parts[1]
  if c.op == "concat" then return nd.concat(parts, c.axis) end
  if c.op == "stack" then return nd.stack(parts, c.axis) end
  if c.op == "tile" then return a:tile(c.values) end
  if c.op == "repeat" then return a:repeat_interleave(c.values[1], c.axis) end
  if c.op == "roll" then return a:roll(c.values[1], c.axis) end
  if c.op == "byteswap" then return a:byteswap() end
  local widths = {}
  for i = 1, a.ndim do widths[i] = {c.values[2 * i], c.values[2 * i + 1]} end
  return a:pad(widths, c.values[1])
end

describe("copies with a pattern", function()
  it("are what NumPy makes, for random shapes, layouts and dtypes", function()
    local rng = H.rng "copies"
    local cases, lines = {}, {}
    for i = 1, H.cases(2500) do
      cases[i] = random_copy_case(rng)
      lines[i] = line_of(cases[i])
    end
    local answers = common.ask("spec/bind/copies_oracle.py", lines)
    for i, c in ipairs(cases) do
      local fine, got = pcall(run_copy_case, c)
      local where = ("seed %d: %s: %s"):format(H.seed, lines[i], fine and "" or tostring(got))
      assert.is_true(fine, where)
      assert.equal(answers[i][1], shape_text(got.shape), where)
      assert.equal(answers[i][2], hex(got:copyout()), where)
      assert.equal(c.dtype, got.dtype, where)
      assert.is_true(got.is_contiguous, where)
    end
  end)

  it("keep the items of the dtypes that NumPy lacks", function()
    for _, dtype in ipairs {"bf16", "f8e4m3", "f8e5m2"} do
      local a = nd.array({1, 2, 3}, dtype)
      local function same(t, b) assert.is_true(nd.array(t, dtype):equal(b)) end
      same({1, 2, 3, 3, 2, 1}, nd.concat {a, a["::-1"]})
      same({{1, 1}, {2, 2}, {3, 3}}, nd.stack({a, a}, 2))
      same({1, 2, 3, 1, 2, 3}, a:tile(2))
      same({1, 1, 2, 2, 3, 3}, a:repeat_interleave(2))
      same({3, 1, 2}, a:roll(1))
      same({4, 1, 2, 3, 4}, a:pad(1, 4))
    end
  end)

  it("work with as many axes as there may be", function()
    local shape, twice = {}, {}
    for i = 1, 16 do shape[i], twice[i] = i > 12 and 2 or 1, i > 6 and 2 or 1 end
    local a = nd.arange(1, 16, 1, "i32"):reshape(shape)
    local tiled, repeated = a:tile(twice), a
    local steps = a -- the same, an axis at a time
    for i = 1, 16 do
      if twice[i] == 2 then steps = nd.concat({steps, steps}, i) end
    end
    assert.is_true(tiled:equal(steps))
    for i = 16, 13, -1 do repeated = repeated:repeat_interleave(2, i) end
    local flat = repeated:flatten():totable()
    local wanted = a:reshape(2, 2, 2, 2)
    for k, x in ipairs(flat) do
      local at, rest = {}, k - 1
      for i = 4, 1, -1 do
        at[i] = math.floor(rest % 4 / 2) + 1
        rest = math.floor(rest / 4)
      end
      assert.equal(wanted(unpack(at)), x)
    end
    shape[1], shape[13], shape[14], shape[15] = 2, 1, 1, 1
    local ends = nd.arange(1, 4):reshape(shape):repeat_interleave(2, 1)
    assert.same({1, 2, 1, 2, 3, 4, 3, 4}, ends:flatten():totable())
    H.raises("invalid_argument", function() return nd.stack {a, a} end)
    H.raises("invalid_argument", function() return a:unsqueeze(1) end)
  end)

  it("never share storage with their source", function()
    local a = nd.arange(1, 3)
    for _, b in ipairs {nd.concat {a}, nd.stack {a}, a:tile(1), a:repeat_interleave(1), a:roll(0),
                        a:pad(0), a:byteswap()} do
      assert.not_equal(a.storage_id, b.storage_id)
    end
  end)

  it("have defaults: axis 1, for 1-D arrays, and a padding of 0", function()
    local a = nd.arange(1, 3)
    assert.same({{1, 2, 3}, {1, 2, 3}}, nd.stack({a, a}):totable())
    assert.same({1, 2, 3, 1, 2, 3}, nd.concat({a, a}):totable())
    assert.same({3, 1, 2}, a:roll(1):totable())
    assert.same({2, 3, 1}, a:roll(-1):totable())
    assert.same({0, 1, 2, 3, 0}, a:pad(1):totable())
    assert.same({1, 2, 3, 1, 2, 3}, a:tile({2}):totable())
    assert.same({{1, 2, 3}, {1, 2, 3}}, a:tile(2, 1):totable())
    assert.same({1, 2, 3}, a:roll(ffi.new("int64_t", 2 ^ 53) * 3):totable())
  end)

  it("refuse shapes that do not fit, naming part and axis", function()
    local a, b = nd.zeros(2, 3), nd.zeros(2, 4)
    local e = H.raises_like("shape_mismatch", "part 2 %(2x4%)",
      function() return nd.concat({a, b}, 1) end)
    assert.same({2, 2, 3, 4}, {e.part, e.axis, e.expected, e.actual})
    assert.same({2, 7}, nd.concat({a, b}, 2).shape)
    H.raises("shape_mismatch", function() return nd.stack({a, b}, 1) end)
    H.raises("shape_mismatch", function() return nd.concat({a, nd.zeros(2)}, 1) end)
    H.raises("index_out_of_range", function() return nd.concat({a, a}, 3) end)
    H.raises("index_out_of_range", function() return nd.concat({a, a}, 0) end)
    H.raises("index_out_of_range", function() return nd.stack({a, a}, 4) end)
    H.raises("invalid_argument", function() return nd.concat {} end)
    H.raises("type_mismatch", function() return nd.concat(a, a) end)
    H.raises("type_mismatch", function() return nd.concat {a, 1} end)
    H.raises("shape_mismatch", function() return a:pad({{1, 1}}) end)
    H.raises("invalid_argument", function() return a:pad(-1) end)
    H.raises("invalid_argument", function() return a:tile(-1) end)
    H.raises("invalid_argument", function() return a:repeat_interleave(-1, 1) end)
    H.raises("index_out_of_range", function() return a:roll(1, 3) end)
  end)

  it("concat promotes by NumPy's table; pairs without a common dtype are refused", function()
    local text = H.python([[
import numpy as np
names = 'bool i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 c64 c128'.split()
codes = '? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16'.split()
for n, c in zip(names, codes):
    for m, d in zip(names, codes):
        print(n, m, names[codes.index({'|b1': '?'}.get(np.promote_types(c, d).str,
                                       np.promote_types(c, d).str[1:]))])
]])
    local refused = {["i64 u64"] = true, ["i64 f32"] = true, ["u64 f32"] = true}
    local count = 0
    for x, y, wanted in text:gmatch "(%S+) (%S+) (%S+)" do
      local a, b = nd.ones(1, x), nd.ones(1, y)
      count = count + 1
      if refused[x .. " " .. y] or refused[y .. " " .. x] then
        H.raises_like("type_mismatch", "astype", function() return nd.concat {a, b} end)
      else
        assert.equal(wanted, nd.concat({a, b}).dtype, x .. " with " .. y)
        assert.equal(wanted, nd.stack({a, b}).dtype)
      end
    end
    assert.equal(14 * 14, count)
    assert.equal("f32", nd.concat({nd.f16 {1}, nd.bf16 {1}}).dtype)
    assert.equal("bf16", nd.concat({nd.bool {1}, nd.bf16 {1}}).dtype)
    assert.equal("f64", nd.concat({nd.f64 {1}, nd.bf16 {1}}).dtype)
  end)

  it("byteswap turns the bytes of each item round, of each part of a complex one", function()
    assert.equal("\1\2\3\4", nd.frombytes("\4\3\2\1", "u32"):byteswap():copyout())
    assert.equal("\1\2\3\4", nd.frombytes("\1\2\3\4", "u8"):byteswap():copyout())
    assert.equal("dcbahgfe", nd.frombytes("abcdefgh", "c64"):byteswap():copyout())
    assert.equal("ba", nd.frombytes("ab", "bf16"):byteswap():copyout())
    for _, row in ipairs(DTYPES) do
      local a = nd.array({1, 0, 1}, row[1])
      assert.is_true(a:byteswap():byteswap():copyout() == a:copyout())
    end
  end)
end)
