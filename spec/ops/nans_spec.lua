-- nansum and its like: NumPy, of lines without their NaNs, says what they give.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local NAMES = {"sum", "prod", "min", "max", "mean", "var", "std", "argmin", "argmax"}
local DTYPES = {"f16", "bf16", "f32", "f64", "c64", "c128", "i32", "f8e5m2"}

local function is_complex(dtype) return dtype:sub(1, 1) == "c" end

local function draw_axes(rng, a)
  local list = {}
  for i = 1, a.ndim do
    if rng(2) == 1 then list[#list + 1] = i end
  end
  if #list == 0 or rng(4) == 1 then return nil, "-" end
  return #list == 1 and rng(2) == 1 and list[1] or list, table.concat(list, ",")
end

local function make(rng, dtype, shape)
  local a = arrays.make(rng, arrays.LAYOUTS[rng(#arrays.LAYOUTS)], shape, dtype, true)
  if dtype == "i32" or a.readonly or a.size == 0 then return a end
  a[nd.random(a.shape, "f32", {seed = rng(1e6)}):lt(rng(4) / 4 - 0.2)] = 0 / 0
  return a
end

local function case_of(rng, name, dtype)
  local a = make(rng, dtype, arrays.shape(rng, 3))
  local axis, text = draw_axes(rng, a)
  local ddof = (name == "var" or name == "std") and rng(2) - 1 or nil
  return {name = name, a = a, options = {axis = axis, ddof = ddof, keepdims = rng(2) == 1 or nil},
    line = table.concat({name, dtype, common.shape_text(a.shape), common.hex(a:copyout()), text,
      ddof or 0}, "\t")}
end

-- Within the rounding of sums and products of a few tame elements.
local is_near
function is_near(got, wanted)
  if is_complex(got.dtype) then
    local parts = got.dtype == "c64" and "f32" or "f64"
    return is_near(got:reshape(got.size):bitcast(parts), wanted:reshape(got.size):bitcast "f64")
  end
  local bits = ({f16 = 11, bf16 = 8, f32 = 24, f8e5m2 = 3})[got.dtype] or 45
  local a, b = got:to "f64":reshape(got.size), wanted:to(got.dtype):to "f64":reshape(got.size)
  local close = nd.isclose(a, b, {rtol = 2 ^ (2 - bits), atol = 1e-5, equal_nan = true})
  return close:all()
end

local function check(case, answer)
  local a, options, name = case.a, case.options, "nan" .. case.name
  local what = ("%s of %s (%s)"):format(name, a.dtype, case.line:match "[^\t]*\t[^\t]*$")
  local is_position = case.name:find "^arg"
  -- those without 'nan' say the shape and dtype
  local fine, like = pcall(a[case.name], a, options)
  if not fine then
    H.raises(like.code, a[name], a, options)
    return
  end
  local dtype = is_position and "i64" or is_complex(a.dtype)
    and not (case.name == "var" or case.name == "std") and "c128" or "f64"
  local wanted = nd.frombytes(arrays.unhex(answer[1]), dtype)
  if is_position and wanted:eq(0):any() then
    H.raises_like("invalid_argument", "NaN", a[name], a, options)
    return
  end
  local got = a[name](a, options)
  -- what a product of infinities is depends on the order
  if is_complex(dtype) and not wanted:isfinite():all() then wanted = nil end
  if type(like) ~= "userdata" then
    assert.equal(type(like), type(got), what)
    local is_wide = a.dtype == "i32" or dtype == "f64" and is_complex(a.dtype)
    got = nd.array(got, is_position and "i64" or is_wide and "f64" or a.dtype)
    assert.is_true(not wanted or is_near(got, wanted), what)
    return
  end
  common.is_made(got, like.dtype, like.shape)
  assert.is_true(not wanted or is_near(got, wanted), what)
  local out = nd.zeros(got.shape, got.dtype)
  options.out = out
  assert.is_true(a[name](a, options) == out, what)
  assert.is_true(out:copyout() == got:copyout(), what)
end

describe("a reduction that leaves out NaN", function()
  it("gives what NumPy gives of the others", function()
    local rng = H.rng "nans"
    for _ = 1, H.cases(12) do
      local cases, lines = {}, {}
      for _, dtype in ipairs(H.some(DTYPES, 2)) do
        for _, name in ipairs(NAMES) do
          cases[#cases + 1] = case_of(rng, name, dtype)
          lines[#lines + 1] = cases[#cases].line
        end
      end
      for i, answer in ipairs(common.ask("spec/ops/nans_oracle.py", lines)) do
        check(cases[i], answer)
      end
    end
  end)

  it("takes the axis as a number, or as an option", function()
    local a = nd.array {{1, 0 / 0, 3}, {4, 5, 0 / 0}}
    for _, name in ipairs(NAMES) do
      name = "nan" .. name
      assert.same(a[name](a, 2):totable(), nd[name](a, {axis = -1}):totable(), name)
      assert.same({2, 1}, a[name](a, 2, {keepdims = true}).shape, name)
      H.raises("index_out_of_range", a[name], a, 3)
      H.raises("invalid_argument", a[name], a, {axis = {1, 1}})
      H.raises("invalid_argument", a[name], a, 1, {axis = 1})
      H.raises("shape_mismatch", a[name], a, 1, {out = nd.zeros(2)})
      H.raises("type_mismatch", a[name], a, {out = 1})
      H.raises("invalid_argument", a[name], a, {order = 1})
      H.raises("type_mismatch", a[name], 1)
      H.raises("type_mismatch", nd[name], 1)
    end
    H.raises("invalid_argument", a.nanvar, a, {ddof = -1})
    H.raises("type_mismatch", a.nanstd, a, {ddof = "1"})
  end)

  it("tells an infinity from NaN", function()
    assert.equal(2, nd.array({0 / 0, 1 / 0}):nanargmin())
    assert.equal(2, nd.array({0 / 0, -1 / 0}):nanargmax())
    assert.equal(1 / 0, nd.array({0 / 0, 1 / 0}):nanmin())
    assert.equal(6, nd.array({2, 0 / 0, 3}):nanprod())
    local few = nd.array({0 / 0, 1}):nanvar {ddof = 2}
    assert.is_true(few ~= few)
    H.raises("invalid_argument", nd.nanargmin, nd.array {{1, 0 / 0}, {0 / 0, 0 / 0}}, 2)
    local none = nd.array({0 / 0, 0 / 0})
    assert.is_true(none:nanmin() ~= none:nanmin() and none:nanmax() ~= none:nanmax())
    assert.equal(448, nd.f8e4m3({0 / 0, 448}):nanmin())
  end)
end)

describe("NaN", function()
  it("is one value among those that mode counts", function()
    for _, dtype in ipairs {"f16", "f32", "f64", "c64"} do
      local value, count = nd.array({1, 0 / 0, 2, -(0 / 0)}, dtype):mode()
      assert.equal(2, count)
      assert.truthy(tostring(value):find "nan")
    end
  end)
end)
