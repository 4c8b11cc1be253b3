-- Reductions: NumPy says what they give, math.fsum what sums should be.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local operations = require "spec.operations"
local arrays = require "spec.ops.arrays"

local NAMES = operations.reductions()
local SUMS = {sum = true, prod = true, mean = true, var = true, std = true}
local ORDERED = {min = true, max = true, ptp = true, argmin = true, argmax = true}
local KIND = {} -- of each dtype: b i u f c
for _, name in ipairs(common.NAMES) do KIND[name] = name == "bf16" and "f" or name:sub(1, 1) end

-- What the manual's table says.
local function result_dtype(op, dtype)
  local kind = KIND[dtype]
  local is_whole = kind == "b" or kind == "i" or kind == "u"
  if op == "sum" or op == "prod" then
    return kind == "u" and "u64" or is_whole and "i64" or dtype
  elseif op == "mean" or op == "var" or op == "std" then
    if is_whole then return "f64" end
    if op ~= "mean" and kind == "c" then return dtype == "c64" and "f32" or "f64" end
    return dtype
  elseif op == "any" or op == "all" then return "bool"
  elseif op == "min" or op == "max" or op == "ptp" then return dtype end
  return "i64"
end

-- ---- cases ----

local function some_axes(rng, ndim)
  if ndim == 0 or rng(3) == 1 then return end
  local axes = {}
  for i = 1, ndim do
    if rng(2) == 1 then axes[#axes + 1] = rng(2) == 1 and i or i - ndim - 1 end
  end
  return #axes > 0 and axes or {ndim}
end

local function case_of(rng, op, a, layout)
  local axes = some_axes(rng, a.ndim)
  local case = {op = op, a = a, layout = layout, axes = axes, keepdims = rng(3) == 1,
                ddof = (op == "var" or op == "std") and rng(4) == 1 and 1 or 0}
  local positive = {}
  for i, axis in ipairs(axes or {}) do positive[i] = axis < 0 and axis + a.ndim + 1 or axis end
  case.line = table.concat({op, a.dtype, common.shape_text(a.shape), common.hex(a:copyout()),
    axes and table.concat(positive, ",") or "-", case.ddof, case.keepdims and 1 or 0}, "\t")
  return case
end

local function options_of(case)
  return {axis = case.axes, keepdims = case.keepdims or nil,
          ddof = case.ddof ~= 0 and case.ddof or nil}
end

local function name_of(case)
  return ("%s of %s (%s, %s) {axis = %s, keepdims = %s}"):format(case.op, case.a.dtype,
    common.shape_text(case.a.shape), case.layout,
    case.axes and table.concat(case.axes, ",") or "all", tostring(case.keepdims))
end

-- ---- comparing ----

-- 'got' lies between the dtype's values for the ends of what is allowed.
local function is_near(got, wanted, error_bound, dtype)
  if wanted ~= wanted then return got ~= got end
  if got == wanted then return true end
  local ends = nd.array({wanted - error_bound, wanted, wanted + error_bound}, dtype)
  return got == ends[2] or got >= ends[1] and got <= ends[3]
end

-- How far a sum of 'n' terms may be off, in f64.
local function bound_of(case, wanted, size)
  local terms = case.a.size / math.max(arrays.product(case.wanted_shape), 1)
  if case.op == "sum" then return 64 * 2 ^ -53 * size end
  if case.op == "mean" then return 64 * 2 ^ -53 * size / math.max(terms, 1) end
  if case.op == "prod" then return (16 + 4 * terms) * 2 ^ -52 * size end
  local mean = 2 ^ -50 * size -- NumPy's may be off by this
  return (64 + terms) * 2 ^ -52 * math.abs(wanted) + (case.op == "var" and mean ^ 2 or mean)
end

local function parts_of(a)
  if a.dtype == "c64" then return a:contiguous():flatten():bitcast "f32" end
  if a.dtype == "c128" then return a:contiguous():flatten():bitcast "f64" end
  return a:contiguous():flatten()
end

local function compare(case, got, answer)
  local kind, text, sizes = answer[1], arrays.unhex(answer[3]), nd.frombytes(
    arrays.unhex(answer[4]), "f64")
  local wide = ({b = "u8", i = "i64", u = "u64", f = "f64", c = "f64"})[kind]
  local wanted = nd.frombytes(text, wide)
  local flat = parts_of(got)
  if wide ~= "f64" then
    local same = flat:astype(wide)
    return same:equal(wanted), same, wanted
  end
  for i = 1, wanted.size do
    local size = sizes[kind == "c" and math.floor((i + 1) / 2) or i]
    -- what passes the largest value on the way depends on the order; so do products of infinite
    -- parts
    if size < 1e300 or kind ~= "c" and size ~= size or not SUMS[case.op] then
      local bound = SUMS[case.op] and bound_of(case, wanted[i], size) or 0
      if not is_near(flat[i], wanted[i], bound, flat.dtype) then return false, flat, wanted end
    end
  end
  return true
end

local function check(case, answer)
  local a, name = case.a, name_of(case)
  if answer[1] == "error" then
    local is_undefined = KIND[a.dtype] == "c" or case.op == "ptp" and a.dtype == "bool"
    local code = is_undefined and "type_mismatch" or "invalid_argument"
    return H.raises_like(code, case.op, a[case.op], a, options_of(case))
  end
  case.wanted_shape = {}
  for n in answer[2]:gmatch "%d+" do table.insert(case.wanted_shape, tonumber(n)) end
  local dtype = result_dtype(case.op, a.dtype)
  local got = a[case.op](a, options_of(case))
  if not case.axes and not case.keepdims then
    local is_index = dtype == "i64" and case.op ~= "sum" and case.op ~= "prod"
        and not ORDERED[case.op] or case.op:find "^arg"
    if is_index then assert.equal("number", type(got), name) end
    if KIND[dtype] == "b" then assert.equal("boolean", type(got), name) end
    got = nd.array(got, dtype)
  end
  assert.equal(dtype, got.dtype, name)
  assert.same(case.wanted_shape, got.shape, name)
  local fine, left, right = compare(case, got, answer)
  if not fine then
    error(("%s:\n%s\ngot %s\nwanted %s"):format(name, tostring(a):sub(1, 2000), tostring(left),
      tostring(right)))
  end
  return got
end

local function ask(cases)
  local lines = {}
  for i, case in ipairs(cases) do lines[i] = case.line end
  return common.ask("spec/ops/reduce_oracle.py", lines)
end

local function run(cases)
  for i, answer in ipairs(ask(cases)) do check(cases[i], answer) end
end

-- ---- specs ----

describe("a reduction", function()
  it("gives what NumPy gives, of every dtype and layout", function()
    local rng, kinds = H.rng "reduce", {}
    for _, dtype in ipairs(common.NAMES) do
      for _, op in ipairs(NAMES) do
        for _, layout in ipairs(arrays.LAYOUTS) do kinds[#kinds + 1] = {dtype, op, layout} end
      end
    end
    for _ = 1, H.cases(12) do -- in batches, as lines are long
      local cases = {}
      for i, kind in ipairs(H.some(kinds, 200)) do
        local dtype, op, layout = unpack(kind)
        local tame = SUMS[op] and KIND[dtype] ~= "i" and KIND[dtype] ~= "u" or rng(3) == 1
        local a = arrays.make(rng, layout, arrays.shape(rng, 4), dtype, tame)
        cases[i] = case_of(rng, op, a, layout)
      end
      run(cases)
    end
  end)

  it("of long sequences, along them and beside them #slow", function()
    local rng, cases = H.rng "long", {}
    local shapes = {{70001}, {2, 70001}, {70001, 2}, {300, 301}, {5, 2000, 7}, {1500, 40},
      {3, 4099}}
    for _ = 1, H.cases(1) do
      for _, dtype in ipairs {"bool", "i8", "u16", "i64", "f16", "f32", "f64", "c64", "f8e4m3"} do
        for _, op in ipairs(H.some(NAMES)) do
          local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
          local shape = shapes[rng(#shapes)]
          local tame = op ~= "prod" or KIND[dtype] == "i"
          local a = arrays.make(rng, layout, shape, dtype, tame)
          if op == "prod" and (KIND[dtype] == "f" or KIND[dtype] == "c") then
            a = nd.ones(shape, dtype) -- the order of products shows when they leave the range
          end
          cases[#cases + 1] = case_of(rng, op, a, layout)
        end
      end
    end
    run(cases)
  end)

  it("of a negative zero finds nothing that is true", function()
    for _, dtype in ipairs {"f16", "bf16", "f8e4m3", "f8e5m2", "f32", "f64", "c64", "c128"} do
      local zeros = nd.full({40}, -1 / math.huge, dtype)
      assert.equal(0, zeros:count_nonzero(), dtype)
      assert.is_false(zeros:any(), dtype)
      assert.is_false(zeros:all(), dtype)
      assert.is_false(zeros:reshape(8, 5):any(1)[5], dtype)
    end
  end)

  it("settles one truth without the others", function()
    local n = 20000 -- of several blocks of 1024 and of 8192
    local a = nd.zeros({2, n}, "bool")
    a[1][1], a[2][n] = true, true
    for _, each in ipairs {a, a.T:clone().T} do
      assert.same({true, true}, each:any{axis = 2}:totable())
      assert.same({false, false}, each:logical_not():all{axis = 2}:totable())
    end
    local many = nd.zeros({n, 12}, "bool") -- the rows of which are taken whole
    for i = 1, 12 do many[i * 99][i] = true end
    assert.is_true(many:any{axis = 1}:all())
    assert.is_false(many:logical_not():all{axis = 1}:any())
  end)

  it("finds the first of the smallest and of the largest, in whichever block they are", function()
    local n = 20000 -- of several blocks of 1024 and of 8192
    local strided = nd.zeros({2, n, 2}, "i16"):select(3, 2)
    for _, a in ipairs {nd.zeros({2, n}, "f32"), nd.zeros({2, n}, "u8"), nd.zeros(n, 2).T,
                        strided} do
      for _, places in ipairs {{1, 1025}, {1024, 1}, {8193, 2100}, {9000, 18000}, {n, 15000}} do
        a:fill(5)
        for row, at in ipairs(places) do
          local low, high = at, n + 1 - at
          a[row][low], a[row][high] = 1, 9
          for later = math.max(low, high) + 1, n, 7 do a[row][later] = later % 2 == 0 and 1 or 9 end
          assert.equal(low, a[row]:argmin())
          assert.equal(high, a[row]:argmax())
        end
        local low, high = places, {n + 1 - places[1], n + 1 - places[2]}
        assert.same(low, a:argmin{axis = 2}:totable())
        assert.same(high, a:argmax{axis = 2}:totable())
      end
    end
  end)

  it("counts positions in the order of the axes, whatever the memory's", function()
    for _, shape in ipairs {{3, 4}, {2, 3, 5}, {40, 70}} do
      local a = nd.zeros(shape, "i32")
      for _, view in ipairs {a.T, a:flip(1), a:flip(a.ndim).T} do
        for _, at in ipairs {2, 5, view.size - 2} do
          local flat = nd.zeros(view.size, "i32")
          flat[at], flat[at + 1], flat[view.size] = -1, -1, 1
          view:copy_from(flat:reshape(view.shape))
          assert.equal(at, view:argmin())
          assert.equal(view.size, view:argmax())
        end
      end
    end
  end)

  it("gives the first NaN where there is one, along rows and columns", function()
    local nan, n = 0 / 0, 1200 -- more than a block
    for _, dtype in ipairs {"f16", "bf16", "f32", "f64"} do
      local firsts = {1, 2, 33, 64, 65, 130, 257, 500, 640, 700, 1024, 1025, 1100, n}
      local a = nd.ones({#firsts, n}, dtype)
      for row, first in ipairs(firsts) do
        a[row][first], a[row][math.min(first + 3, n)] = nan, nan
        a[row][first % n + 1] = 0 -- beside it
      end
      for _, each in ipairs {a, a.T:clone().T, nd.stack({a, a}, 3):select(3, 2)} do
        for _, op in ipairs {"argmin", "argmax"} do
          assert.same(firsts, each[op](each, {axis = 2}):totable(), op .. " " .. dtype)
        end
        for _, op in ipairs {"min", "max", "ptp"} do
          assert.is_true(each[op](each, {axis = 2}):isnan():all(), op .. " " .. dtype)
        end
        assert.equal(1, each:argmax())
      end
    end
  end)

  it("writes into out, converted, and returns it", function()
    local rng = H.rng "out"
    for _ = 1, H.cases(500) do
      local op, dtype = NAMES[rng(#NAMES)], common.NAMES[rng(#common.NAMES)]
      if not (ORDERED[op] and KIND[dtype] == "c" or op == "ptp" and dtype == "bool") then
        local a = arrays.make(rng, arrays.LAYOUTS[rng(6)], {rng(4), rng(4), rng(4)}, dtype, true)
        local options = {axis = some_axes(rng, 3) or {1}, keepdims = rng(2) == 1}
        local wanted = a[op](a, options)
        local to = KIND[wanted.dtype] == "c" and "c128" or common.NAMES[rng(13)]
        for _, out_dtype in ipairs {wanted.dtype, to} do
          local out = arrays.make(rng, rng(2) == 1 and "strided" or "transposed", wanted.shape,
            out_dtype, true)
          options.out = out
          local loses = KIND[dtype]:find "[iu]" and nd[dtype].itemsize == 8
            and KIND[wanted.dtype] == "f" and KIND[out_dtype] ~= "f"
          if loses then -- digits, and an integer would not show it
            H.raises_like("type_mismatch", op .. ": .* in f64, .* use :astype", nd[op], a, options)
          else
            assert.equal(out, nd[op](a, options))
            assert.same(wanted:astype(out_dtype):copyout(), out:copyout())
          end
        end
      end
    end
  end)

  it("writes into an array that it reads", function()
    local a = nd.array {{1, 2}, {3, 4}}
    a:sum{axis = 1, out = a[2]}
    assert.same({{1, 2}, {4, 6}}, a:totable())
    a:sum{axis = {}, out = a.T}
    assert.same({{1, 4}, {2, 6}}, a:totable())
  end)

  it("has the same bits for other strides", function()
    local rng = H.rng "bits"
    for _ = 1, H.cases(100) do
      local dtype = ({"f64", "f32", "c128"})[rng(3)]
      local shape = {rng(1, 60), rng(1, 60)}
      if rng(4) == 1 then shape = {rng(2000, 9000), rng(1, 12)} end
      for _, layout in ipairs {"strided", "reversed", "misaligned", "broadcast"} do
        local a = arrays.make(rng, layout, shape, dtype, true)
        for _, op in ipairs {"sum", "mean", "var", "prod"} do
          for _, axis in ipairs {1, 2, {1, 2}} do
            local b = a:clone()
            assert.same(b[op](b, {axis = axis}):copyout(), a[op](a, {axis = axis}):copyout(),
              op .. layout)
          end
        end
      end
    end
  end)

  it("has the same bits for rows as for columns", function() -- which other loops add up
    for _, dtype in ipairs {"f16", "f32", "f64", "c64", "c128"} do
      local part = ({c64 = "f32", c128 = "f64"})[dtype]
      local a = nd.normal({77, 11, part and 2 or 1}, part or dtype, {seed = H.seed})
        :bitcast(dtype):squeeze(3)
      local b = a.T:clone().T
      for _, op in ipairs {"sum", "mean", "var", "std", "prod"} do
        for axis = 1, 2 do
          local options = {axis = axis}
          assert.same(a[op](a, options):copyout(), b[op](b, options):copyout(), dtype .. op)
        end
      end
    end
  end)

  it("keeps a complex number times ones to the bit, in any loop", function()
    -- 1 * 0 - 0 * infinity is NaN, 0 - 0 is 0
    local numbers = nd.f64 {{0, -1 / 0}, {1, -0.0}, {-0.0, 5}}
    for which = 1, 3 do
      for _, dtype in ipairs {"c64", "c128"} do
        for _, rows in ipairs {1, 2, 3, 9, 40, 1500} do
          for _, at in ipairs {1, rows} do
            local a = nd.ones({rows, 3}, dtype)
            a[at]:copy_from(numbers[which]:bitcast "c128")
            for _, each in ipairs {a, a.T:clone().T, a:reshape(rows, 1, 3)} do
              local wanted, out = a[at]:copyout(), nd.empty(3, dtype)
              each:reshape(rows, 3):prod{axis = 1, out = out}
              assert.equal(wanted, out:copyout())
              assert.equal(wanted, each:prod{axis = 1}:copyout())
              local all = each:reshape(rows, 3):select(2, 2):prod{axis = 1, keepdims = true}
              assert.equal(wanted, nd.concat({all, all, all}, 1):copyout())
            end
          end
        end
      end
    end
  end)

  it("multiplies a complex number of real part 1", function()
    local a = nd.f64 {1, 2, 0, 3} -- 1+2i, 3i
    assert.same({-6, 3}, a:bitcast "c128":prod{axis = 1, keepdims = true}:bitcast "f64":totable())
  end)

  it("adds up all blocks of long columns, narrow and wide", function()
    for _, columns in ipairs {3, 64, 300} do
      for _, rows in ipairs {1024, 1025, 2500, 5000} do
        local a = nd.arange(1, rows, 1, "f64"):reshape(rows, 1) * nd.arange(1, columns)
        local sums = a:sum {axis = 1}
        for i = 1, columns do assert.equal(rows * (rows + 1) / 2 * i, sums[i]) end
      end
    end
  end)

  it("takes an axis, some or all, from either end", function()
    local a = nd.array {{1, 2, 3}, {4, 5, 6}}
    assert.equal(21, a:sum())
    assert.equal(21, nd.sum(a, {}))
    assert.same({5, 7, 9}, a:sum{axis = 1}:totable())
    assert.same({6, 15}, a:sum{axis = -1}:totable())
    assert.same({21}, {a:sum{axis = {2, 1}}:item()})
    assert.same({{21}}, a:sum{keepdims = true}:totable())
    assert.same({{1, 2, 3}, {4, 5, 6}}, a:sum{axis = {}}:totable())
    H.raises_like("index_out_of_range", "sum: axis 3", a.sum, a, {axis = 3})
    H.raises_like("index_out_of_range", "max: axis %-3", a.max, a, {axis = -3})
    H.raises_like("index_out_of_range", "sum: axis 0", a.sum, a, {axis = 0})
    H.raises_like("invalid_argument", "axis 2 is named twice", a.sum, a, {axis = {2, -1}})
    H.raises_like("invalid_argument", "no option", a.sum, a, {ddof = 1})
    H.raises_like("invalid_argument", "no option", a.sum, a, {dim = 1})
    local known = "got a number; known are axis, dtype, keepdims, out"
    H.raises_like("invalid_argument", known, a.sum, a, {1})
    H.raises_like("type_mismatch", "an axis or a table with .* out, got a boolean", a.sum, a, true)
    H.raises_like("invalid_argument", "list of integers", a.sum, a, {axis = {1, nil, 2}})
    H.raises_like("invalid_argument", "list of integers", a.sum, a, {axis = {1, x = 2}})
    H.raises_like("invalid_argument", "%-1 is not 0 or more", a.var, a, {ddof = -1})
    H.raises("invalid_argument", a.var, a, {ddof = 0 / 0})
    H.raises("type_mismatch", a.sum, a, {keepdims = 1})
    H.raises("type_mismatch", nd.sum, 1)
    H.raises_like("shape_mismatch", "%(2x3%) has shape %(3%), but out has %(2%)", a.sum, a,
      {axis = 1, out = nd.zeros(2)})
    H.raises("read_only", a.sum, a, {axis = 1, out = nd.zeros(3):readonly_view()})
    H.raises("type_mismatch", nd.c64{1}.sum, nd.c64{1}, {axis = 1, out = nd.array(1)})
    a:free()
    H.raises("freed", a.sum, a)
  end)

  it("of nothing gives what adds nothing, or is refused", function()
    local none = nd.zeros(0, 3)
    assert.same({0, 0, 0}, none:sum{axis = 1}:totable())
    assert.same({1, 1, 1}, none:prod{axis = 1}:totable())
    assert.same({false, false, false}, none:any{axis = 1}:totable())
    assert.same({true, true, true}, none:all{axis = 1}:totable())
    assert.equal(0, none:count_nonzero())
    for _, op in ipairs {"mean", "var", "std"} do
      local x = none[op](none)
      assert.is_true(x ~= x, op)
    end
    assert.equal(1 / 0, nd.array{1, 2}:var{ddof = 3}) -- as of no elements, not of -1
    for _, op in ipairs {"min", "max", "ptp", "argmin", "argmax"} do
      assert.same({0}, none[op](none, {axis = 2}).shape)
      assert.same({0}, nd.zeros(0, 0)[op](nd.zeros(0, 0), {axis = 1}).shape) -- no results either
      local e = H.raises_like("invalid_argument", op .. ": axis 1 of the array %(0x3%)", none[op],
        none, {axis = 1})
      assert.equal(1, e.axis)
    end
  end)

  it("sums f32 and f16 in f64: what is lost is the last rounding", function()
    local a = nd.full({2 ^ 20}, 0.1, "f32")
    assert.equal(nd.array(a[1] * 2 ^ 20, "f32"):item(), a:sum())
    local b = nd.ones({4096}, "f16")
    assert.equal(4096, b:sum())
    assert.equal(1, b:mean())
    local c = nd.array({1e8, 1, -1e8}, "f32")
    assert.equal(1, c:sum())
  end)

  it("wraps integers modulo 2^64 and takes bools as 0 and 1", function()
    assert.equal(-2LL ^ 63, nd.array({2 ^ 62, 2 ^ 62}, "i64"):sum())
    assert.equal(0ULL, nd.full({2}, 2 ^ 63, "u64"):sum())
    assert.equal(2LL, nd.array({true, false, true}, "bool"):sum())
    assert.equal(-300LL, nd.array({-100, -100, -100}, "i8"):sum())
  end)
end)
