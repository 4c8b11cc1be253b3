-- Sums and products in a dtype that is asked for: those of the converted array, in that dtype.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local FRACTIONS = {f16 = 1, bf16 = 1, f32 = 1, f64 = 1, f8e4m3 = 1, f8e5m2 = 1, c64 = 2, c128 = 2}

local function converted(a, dtype)
  return a:astype(dtype, {mode = dtype == "bool" and "saturate" or "wrap"})
end

-- As bytes; but each NaN is like any other, and its bits tell how it came about.
local function same(a, b)
  return a.dtype == b.dtype and a:clone():copyout() == b:clone():copyout()
    or a:eq(b):logical_or(a:ne(a):logical_and(b:ne(b))):all()
end

local function check(a, op, axis, dtype)
  local name = ("%s of %s (%s) along %s in %s"):format(op, a.dtype, common.shape_text(a.shape),
    tostring(axis), dtype)
  local has, wants = FRACTIONS[a.dtype] or 0, FRACTIONS[dtype] or 0
  if has > wants then
    H.raises_like("type_mismatch", op .. ": " .. a.dtype .. " cannot be added up in " .. dtype,
      a[op], a, {axis = axis, dtype = dtype})
    return
  end
  local source = converted(a, dtype)
  local wanted = converted(source[op](source, axis), dtype)
  local got = a[op](a, {axis = axis, dtype = nd[dtype]})
  assert.equal(dtype, got.dtype, name)
  assert.is_true(same(got, wanted), name)
  local out = nd.zeros(wanted.shape, "f32")
  if not dtype:find "^c" then
    assert.equal(out, nd[op](a, axis, {out = out, dtype = dtype}))
    assert.is_true(same(out, wanted:astype "f32"), name)
  end
end

describe("a sum or a product in a dtype", function()
  it("is that of the converted array, of every dtype and layout", function()
    local rng = H.rng "totals"
    for _ = 1, H.cases(400) do
      local from, to = common.NAMES[rng(#common.NAMES)], common.NAMES[rng(#common.NAMES)]
      local shape
      repeat shape = arrays.shape(rng, 4) until #shape > 0
      local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
      local a = arrays.make(rng, layout, shape, from, rng(3) > 1)
      local op = ({"sum", "prod", "cumsum", "cumprod"})[rng(4)]
      check(a, op, rng(#shape), to)
    end
  end)

  it("is a value over all elements, small or large", function()
    for _, n in ipairs {3, 3000} do
      local a = nd.full({n}, 100, "i8")
      assert.equal(100 * n, a:sum {dtype = "i32"})
      assert.equal((100 * n + 128) % 256 - 128, a:sum {dtype = "i8"})
      assert.equal(100 * n, a:sum {dtype = "f32"})
      assert.equal(100 * n, a:sum({dtype = "c128"}).re)
      assert.equal(true, a:sum {dtype = "bool"})
    end
    assert.equal(2 ^ 24 + 1, nd.f32 {2 ^ 24, 1}:sum {dtype = "f64"})
    assert.equal(2 ^ 24, nd.f32 {2 ^ 24, 1}:sum())
    assert.equal(3 * 2 ^ 62, nd.full({3}, 2 ^ 62, "i64"):sum {dtype = "f64"})
    assert.equal(48, nd.i8 {100, 100, 3}:prod {dtype = "u8"})
    assert.equal(true, nd.u8 {16, 16}:prod {dtype = "bool"})
    assert.equal(true, nd.full({256}, 2 ^ 56, "i64"):sum {dtype = "bool"})
  end)

  it("overlaps with out, and is converted to it afterwards", function()
    local a = nd.i8 {100, 100, 3}
    assert.same({100, 0, 0}, a:cumsum {dtype = "i8", out = nd.zeros({3}, "u8")}:totable())
    local long = nd.i8 {100, 100} -- sums of them are of this dtype by default
    assert.same({100, -56}, long:cumsum {dtype = "i8", out = nd.zeros({2}, "i64")}:totable())
    assert.same({100, -56, -53}, a:cumsum {dtype = "i8", out = a}:totable())
    assert.equal(0, a:sum {dtype = "i8", out = nd.full({}, 7, "u8")}:item())
    assert.equal(-56, tonumber(long:sum {dtype = "i8", out = nd.zeros({}, "i64")}:item()))
    local b = nd.f32 {1.5, 2}
    assert.same({1.5, 3.5}, b:cumsum {dtype = "f32", out = b}:totable())
  end)

  it("is refused elsewhere", function()
    local a = nd.ones(2, 3)
    H.raises("invalid_argument", a.max, a, {dtype = "f32"})
    H.raises("invalid_argument", a.cummax, a, {dtype = "f32"})
    H.raises("invalid_argument", a.cumsum_, a, {dtype = "f32"})
    H.raises("invalid_argument", a.sum, a, {dtype = "f33"})
    H.raises("type_mismatch", a.sum, a, {dtype = 3})
    H.raises("shape_mismatch", a.sum, a, 1, {dtype = "f32", out = nd.zeros(2)})
    H.raises("shape_mismatch", a.cumsum, a, 1, {dtype = "f32", out = nd.zeros(2)})
  end)
end)
