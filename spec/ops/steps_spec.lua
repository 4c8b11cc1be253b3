-- Differences of neighbours and slopes: NumPy says what they give.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local function wide_of(dtype)
  if dtype == "bool" or dtype:find "^i" then return "i64" end
  return dtype:find "^u" and "u64" or dtype:find "^c" and "c128" or "f64"
end

-- ---- cases ----

local function start_of(rng, op, n)
  local layout, dtype = arrays.LAYOUTS[rng(#arrays.LAYOUTS)], common.NAMES[rng(#common.NAMES)]
  local shape
  repeat shape = arrays.shape(rng, 4) until #shape > 0
  local axis = rng(#shape)
  if n then shape[axis] = n end
  local a = arrays.make(rng, layout, shape, dtype, op == "gradient" or rng(3) > 1)
  local line = {op, dtype, common.shape_text(shape), common.hex(a:copyout()), axis}
  return {a = a, axis = axis, name = ("%s of %s (%s, %s) along %d"):format(op, dtype,
    common.shape_text(shape), layout, axis), line = line}
end

local function edge_of(rng, dtype)
  if rng(2) == 1 then return end
  return arrays.elements(rng, 1, dtype, true):reshape {}
end

local function diff_case(rng)
  local case = start_of(rng, "diff")
  local dtype = case.a.dtype
  local is_narrow = dtype == "bf16" or dtype:find "^f8" -- NumPy's are wider, and round once
  case.opts = {axis = case.axis, n = rng(0, is_narrow and 1 or 3)}
  case.opts.prepend, case.opts.append = edge_of(rng, dtype), edge_of(rng, dtype)
  table.insert(case.line, case.opts.n)
  for _, name in ipairs {"prepend", "append"} do
    local edge = case.opts[name]
    table.insert(case.line, edge and common.hex(edge:copyout()) or "-")
  end
  return case
end

local function gradient_case(rng)
  local n = rng(3, 9)
  local case = start_of(rng, "gradient", n)
  local spacing, texts = (rng() + 0.1) * (rng(2) == 1 and -2 or 2), {}
  if rng(2) == 1 then
    local at = rng() * 8
    for i = 1, n do texts[i], at = at, at + rng() + 0.01 end
    spacing = nd.array(texts)
    for i = 1, n do texts[i] = ("%.17g"):format(texts[i]) end
  end
  case.opts = {axis = case.axis, spacing = spacing, edge_order = rng(2)}
  table.insert(case.line, case.opts.edge_order)
  table.insert(case.line, texts[1] and table.concat(texts, " ") or ("%.17g"):format(spacing))
  return case
end

local function parts_of(a) return a.dtype == "c128" and a:bitcast "f64" or a end

-- NaN beside NaN, and numbers within 'bound'.
local function is_close(got, wanted, bound)
  got, wanted = parts_of(got), parts_of(wanted)
  local same = got:eq(wanted):logical_or(got:isnan():logical_and(wanted:isnan()))
  return same:logical_or((got - wanted):abs():le(bound)):all()
end

local UNITS = {f16 = 2 ^ -10, bf16 = 2 ^ -7, f32 = 2 ^ -23, c64 = 2 ^ -23}

-- Some roundings of the largest element over the shortest distance; slopes of second order at the
-- ends take four of them.
local function bound_of(case, dtype)
  local spacing, parts = case.opts.spacing, parts_of(case.a:contiguous():astype(wide_of(dtype)))
  local size = nd.where(parts:isfinite(), parts:abs(), 0)
  local least = type(spacing) == "number" and math.abs(spacing) or spacing:diff():min()
  return 24 * (UNITS[dtype] or 2 ^ -52) * (size.size > 0 and size:max() or 0) / least
end

local function check(op, cases)
  local lines = {}
  for i, case in ipairs(cases) do lines[i] = table.concat(case.line, "\t") end
  for i, answer in ipairs(common.ask("spec/ops/steps_oracle.py", lines)) do
    local case = cases[i]
    local got = nd[op](case.a, case.opts)
    assert.equal(answer[1], common.shape_text(got.shape), case.name)
    local wide = wide_of(got.dtype)
    local wanted = nd.frombytes(arrays.unhex(answer[2]), wide):reshape(got.shape)
    if op == "diff" then wanted = wanted:astype(got.dtype, {mode = "wrap"}):astype(wide) end
    local bound = op == "diff" and 0 or bound_of(case, got.dtype)
    if not is_close(got:contiguous():astype(wide):flatten(), wanted:flatten(), bound) then
      error(("%s\n%s\ngot %s\nwanted %s"):format(case.name, tostring(case.a):sub(1, 2000),
        tostring(got), tostring(wanted)))
    end
  end
end

local function run(op, make)
  local rng, cases = H.rng(op), {}
  for i = 1, H.cases(200) do cases[i] = make(rng) end
  check(op, cases)
end

-- ---- specs ----

describe("diff", function()
  it("gives what NumPy gives", function() run("diff", diff_case) end)

  it("subtracts neighbours along an axis, again and again", function()
    local a = nd.array {{1, 4, 9, 16}, {0, -1, 5, 5}}
    assert.same({{3, 5, 7}, {-1, 6, 0}}, a:diff():totable())
    assert.same({{-1, -5, -4, -11}}, nd.diff(a, 1):totable())
    assert.same({{2, 2}, {7, -6}}, a:diff {axis = -1, n = 2}:totable())
    assert.same({{0}, {-13}}, a:diff(2, {n = 3}):totable())
    assert.same({2, 0}, a:diff {n = 9}.shape)
    assert.same({0, 4}, a:diff(1, {n = 3}).shape)
    assert.same({0}, nd.zeros(0):diff().shape)
    local same = a:diff {n = 0}
    assert.is_true(same:equal(a) and same.storage_id ~= a.storage_id)
    assert.same({true, false, true}, nd.bool {true, false, false, true}:diff():totable())
    assert.same({254, 1}, nd.u8 {2, 0, 1}:diff():totable())
    assert.same({3, 1}, nd.array({{1, 0}, {4, 0}, {5, 0}}).T[1]:diff():totable())
  end)

  it("puts numbers, tables and arrays before and behind", function()
    local a = nd.array {{1, 4}, {0, 3}}
    assert.same({{1, 3}, {0, 3}}, a:diff {prepend = 0}:totable())
    assert.same({{1, 4}, {-1, -1}, {0, -3}}, a:diff {axis = 1, prepend = 0, append = 0}:totable())
    assert.same({{1, 1, 3, -1}, {1, -2, 3, 5}},
      a:diff {prepend = {{-1, 0}, {1, 2}}, append = nd.array {{3}, {8}}}:totable())
    assert.equal("f64", nd.i32 {1, 2}:diff {append = nd.array {0.5}}.dtype)
  end)

  it("refuses a number before or behind that the dtype does not hold", function()
    local function refuses(text, a, options)
      H.raises_like("not_representable", text, a.diff, a, options)
    end
    refuses("prepend: 0.5 cannot be represented as i64", nd.i64 {1, 2, 4}, {prepend = 0.5})
    refuses("append: 300 cannot be represented as u8", nd.u8 {1, 2}, {append = 300})
    refuses("append: nan cannot", nd.i32 {1, 2}, {append = 0 / 0})
    refuses("prepend: %-1 cannot", nd.u8 {1, 2}, {prepend = -1})
    refuses("prepend: %-1 cannot", nd.u64 {1, 2}, {prepend = -1LL})
    refuses("append: 18446744073709551615 cannot", nd.i64 {1, 2}, {append = -1ULL})
    refuses("append: 2 cannot be represented as bool", nd.bool {true}, {append = 2})
    refuses("append: 0%+2i cannot be represented as f64", nd.f64 {1}, {append = 2i})
    assert.same({-1LL}, nd.i64 {2 ^ 62}:diff {prepend = 2LL ^ 62 + 1}:totable())
    assert.same({false, true}, nd.bool {true}:diff {prepend = true, append = 0}:totable())
    assert.is_true(nd.f32 {1}:diff {prepend = 0.1}:equal(nd.f32 {1} - 0.1))
    assert.is_true(nd.c64 {2i}:diff {append = 3i}:equal(nd.c64 {1i}))
  end)

  it("writes to 'out', also where it overlaps", function()
    local a = nd.array {1, 4, 9, 16}
    local out = nd.zeros({3}, "i8")
    assert.equal(out, a:diff {out = out})
    assert.same({3, 5, 7}, out:totable())
    assert.equal(out, a:narrow(1, 1, 3):diff {n = 0, out = out})
    assert.same({1, 4, 9}, out:totable())
    a:diff {out = a["2:4"]}
    assert.same({1, 3, 5, 7}, a:totable())
  end)

  it("refuses axes and counts that are none", function()
    local a = nd.ones(2, 3)
    H.raises("index_out_of_range", a.diff, a, 3)
    H.raises("invalid_argument", nd.diff, nd.f32(1))
    H.raises("invalid_argument", a.diff, a, 1, {axis = 1})
    H.raises("invalid_argument", a.diff, a, {n = -1})
    H.raises("invalid_argument", a.diff, a, {n = 1.5})
    H.raises("invalid_argument", a.diff, a, {m = 1})
    H.raises("invalid_argument", a.diff, a, 1, {}, 1)
    H.raises("type_mismatch", a.diff, a, {n = "1"})
    H.raises("type_mismatch", a.diff, a, {prepend = "1"})
    H.raises("type_mismatch", a.diff, a, {prepend = require "ffi".new "int[1]"})
    H.raises("shape_mismatch", a.diff, a, {append = nd.ones(3, 1)})
    H.raises("shape_mismatch", a.diff, a, {out = nd.ones(3)})
    H.raises("type_mismatch", a.diff, a, {n = 0, out = 3})
    H.raises("shape_mismatch", a.diff, a, {n = 0, out = nd.ones(3)})
    H.raises("type_mismatch", nd.diff, 3)
  end)
end)

describe("gradient", function()
  it("gives what NumPy gives", function() run("gradient", gradient_case) end)

  it("gives the slopes along each axis that is asked for", function()
    local a = nd.array {{1, 2, 6}, {3, 4, 5}}
    local rows, columns = a:gradient()
    assert.same({{2, 2, -1}, {2, 2, -1}}, rows:totable())
    assert.same({{1, 2.5, 4}, {1, 1, 1}}, columns:totable())
    local first, second = nd.gradient(a, {axis = {-1, 1}, spacing = {2, nd.array {0, 4}}})
    assert.same({{0.5, 1.25, 2}, {0.5, 0.5, 0.5}}, first:totable())
    assert.same({{0.5, 0.5, -0.25}, {0.5, 0.5, -0.25}}, second:totable())
    assert.equal(1, select("#", a:gradient(2)))
    assert.equal(2, select("#", a:gradient {spacing = 0.5}))
    assert.equal("f64", nd.u8 {3, 1}:gradient().dtype)
    assert.same({-2, -2}, nd.u8 {3, 1}:gradient():totable())
    assert.equal("f32", nd.f32 {3, 1}:gradient {spacing = nd.f64 {0, 1}}.dtype)
    assert.same({-1, -1}, nd.array {3, 1}:gradient {spacing = nd.array(2)}:totable())
  end)

  it("writes to 'out', also where it is what is read", function()
    local a = nd.array {1, 4, 9, 16}
    assert.equal(a, a:gradient {out = a})
    assert.same({3, 4, 6, 7}, a:totable())
  end)

  it("refuses too few points, and distances that are none", function()
    local a = nd.ones(2, 3)
    H.raises_like("shape_mismatch", "axis 1 has 2 elements; slopes need 3", a.gradient, a,
      {edge_order = 2})
    H.raises("shape_mismatch", nd.gradient, nd.zeros(0))
    H.raises("invalid_argument", nd.gradient, nd.f32(1))
    H.raises("index_out_of_range", a.gradient, a, 3)
    H.raises("index_out_of_range", a.gradient, a, {axis = {1, 0}})
    H.raises("invalid_argument", a.gradient, a, {axis = {1, -2}})
    H.raises("type_mismatch", a.gradient, a, {axis = {"1"}})
    H.raises("invalid_argument", a.gradient, a, {edge_order = 3})
    H.raises("invalid_argument", a.gradient, a, {spacing = {1}})
    H.raises("invalid_argument", a.gradient, a, {spacing = nd.zeros(3)})
    H.raises("shape_mismatch", a.gradient, a, {axis = 2, spacing = nd.zeros(2)})
    H.raises("shape_mismatch", a.gradient, a, {axis = 2, spacing = nd.zeros(3, 1)})
    H.raises("type_mismatch", a.gradient, a, {spacing = "1"})
    H.raises("invalid_argument", a.gradient, a, {out = a})
    H.raises("shape_mismatch", a.gradient, a, {axis = 1, out = nd.zeros(6)})
    H.raises("invalid_argument", a.gradient, a, {step = 1})
    H.raises("invalid_argument", a.gradient, a, 1, {}, 1)
    assert.same({1, 1.5, 2}, nd.gradient({1, 2, 4}):totable())
    H.raises("type_mismatch", nd.gradient, "1")
  end)
end)
