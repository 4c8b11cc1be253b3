-- sort and argsort: NumPy's stable argsort says where everything goes.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local function case_of(rng, a)
  local axis, descending = rng(a.ndim), rng(3) == 1
  return {a = a, axis = axis, descending = descending, line = table.concat({a.dtype,
    common.shape_text(a.shape), common.hex(a:copyout()), axis, descending and 1 or 0}, "\t")}
end

-- Along 'axis' the elements of 'a' at 1-based positions, which are of a's shape.
local function pick(a, positions, axis)
  local moved, index = a:swapaxes(axis, a.ndim):contiguous(),
    positions:swapaxes(axis, a.ndim):contiguous()
  local n, lines = a:dim(axis), a.size / math.max(a:dim(axis), 1)
  if a.size == 0 then return a:clone() end
  local flat, picked = moved:reshape(lines, n), {}
  index = index:reshape(lines, n)
  for i = 1, lines do picked[i] = flat[i]:take(index[i]) end
  return nd.stack(picked, 1):reshape(moved.shape):swapaxes(axis, a.ndim):contiguous()
end

-- The same elements; NaNs may differ in their bits, zeros in their sign.
local function is_same(a, b)
  if a:equal(b) then return true end
  local is_complex = a.dtype:sub(1, 1) == "c"
  for _, part in ipairs(is_complex and {"real", "imag"} or {"real"}) do
    local x, y = a[part]:clone():flatten(), b[part]:clone():flatten()
    for k = 1, x.size do
      if x[k] ~= y[k] and (x[k] == x[k] or y[k] == y[k]) then return false end
    end
  end
  return true
end

local function check(case, answer)
  local a, axis, options = case.a, case.axis, {descending = case.descending or nil}
  local name = ("%s %s axis %d %s"):format(a.dtype, common.shape_text(a.shape), axis,
    case.descending and "descending" or "")
  local wanted = nd.frombytes(arrays.unhex(answer[1]), "i64"):reshape(a.shape)
  local positions = a:argsort(axis, options)
  assert.is_true(positions:equal(wanted), name)
  common.is_made(positions, "i64", a.shape)
  local sorted = a:sort(axis - a.ndim - 1, options)
  common.is_made(sorted, a.dtype, a.shape)
  assert.is_true(is_same(sorted, pick(a, wanted, axis)), name)
end

local function run(cases)
  local lines = {}
  for i, case in ipairs(cases) do lines[i] = case.line end
  local answers = common.ask("spec/ops/sort_oracle.py", lines)
  for i, answer in ipairs(answers) do check(cases[i], answer) end
end

describe("sort", function()
  it("orders complex numbers whose real part is NaN by the imaginary one", function()
    for _, dtype in ipairs {"c64", "c128"} do
      local pairs_of = nd.array({{0 / 0, 3}, {0 / 0, 1}, {2, 5}, {0 / 0, 2}},
        dtype == "c64" and "f32" or "f64")
      local order = pairs_of:bitcast(dtype):flatten():argsort()
      assert.same({3, 2, 4, 1}, order:to("f64"):totable(), dtype)
    end
  end)

  it("and argsort order as NumPy's stable ones do, of every dtype and layout", function()
    local rng, cases = H.rng "sort", {}
    for _ = 1, H.cases(20) do
      for _, dtype in ipairs(common.NAMES) do
        for _, layout in ipairs(arrays.LAYOUTS) do
          local shape = arrays.shape(rng, 3)
          if #shape == 0 then shape = {rng(200)} end
          cases[#cases + 1] = case_of(rng, arrays.make(rng, layout, shape, dtype, rng(2) == 1))
        end
      end
    end
    run(cases)
  end)

  it("and argsort order long lines #slow", function()
    local rng, cases = H.rng "long lines", {}
    for _ = 1, H.cases(1) do
      for _, dtype in ipairs(H.some(common.NAMES, 3)) do
        for _, shape in ipairs {{65}, {1000}, {70000}, {3, 300}, {300, 3}} do
          local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
          cases[#cases + 1] = case_of(rng, arrays.make(rng, layout, shape, dtype, rng(2) == 1))
        end
      end
    end
    run(cases)
  end)

  it("and argsort order lines that threads share #slow", function()
    local rng, cases = H.rng "shared lines", {}
    local before = nd.set_threads(2)
    for _, dtype in ipairs(H.some {"u8", "f16", "f32", "i64", "c64"}) do
      local n = math.floor(1.1 * nd.MiB / nd[dtype].itemsize) + rng(99)
      cases[#cases + 1] = case_of(rng, arrays.make(rng, arrays.LAYOUTS[1], {n}, dtype, false))
    end
    local fine, e = pcall(run, cases)
    nd.set_threads(before)
    if not fine then error(e, 0) end
  end)

  -- argsort is another sort, by radix, and take does not sort.
  it("of a long line is what argsort says, for any number of threads #slow", function()
    local n, rng = 2 ^ 20 + 1, H.rng "long lines"
    local before, lines = nd.set_threads(1), {}
    for _, dtype in ipairs {"f32", "u32", "i32", "f64", "i64", "u64"} do
      local values = nd.randint(1, 2 ^ 30, {n}, "i64"):to(dtype)
      local few = nd.zeros({n}, dtype)
      few["1:100"] = 1
      lines[#lines + 1] = {values, values:sort(1, {descending = true}), few,
        nd.full({n}, rng(9), dtype), nd.arange(n):to(dtype)}
    end
    local fine, e = pcall(function()
      for _, kinds in ipairs(H.some(lines, 2)) do
        for k, a in ipairs(kinds) do
          local wanted = a:take(a:argsort())
          for _, threads in ipairs {1, 2, 3, 8} do
            nd.set_threads(threads)
            assert(a:sort():equal(wanted), ("%s, line %d, %d threads"):format(a.dtype, k, threads))
          end
          nd.set_threads(1)
        end
      end
    end)
    nd.set_threads(before)
    if not fine then error(e, 0) end
  end)

  it("and all that takes an axis takes it as a number or as an option", function()
    local a = nd.array {{3, 1, 2}, {0, 5, 4}}
    local index = nd.i64 {2, 1}
    local calls = {
      sort = {}, argsort = {}, sum = {}, argmax = {}, take = {index}, roll = {1},
      repeat_interleave = {2},
    }
    for name, before in pairs(calls) do
      for axis = -2, 2 do
        local number, option = {unpack(before)}, {unpack(before)}
        number[#number + 1], option[#option + 1] = axis, {axis = axis}
        if axis == 0 then
          H.raises("index_out_of_range", a[name], a, unpack(number))
          H.raises("index_out_of_range", a[name], a, unpack(option))
        else
          assert.same(a[name](a, unpack(number)):totable(), a[name](a, unpack(option)):totable())
        end
      end
      local text = {unpack(before)}
      text[#text + 1] = "1"
      H.raises("type_mismatch", a[name], a, unpack(text))
    end
    assert.same(nd.concat({a, a}, 2):totable(), nd.concat({a, a}, {axis = 2}):totable())
    assert.same(nd.stack({a, a}, 3):totable(), nd.stack({a, a}, {axis = -1}):totable())
    assert.same({{6}, {9}}, a:sum(2, {keepdims = true}):totable())
    assert.same({{3, 2, 1}, {5, 4, 0}}, a:sort(2, {descending = true}):totable())
    assert.same({{3, 2, 1}, {5, 4, 0}}, a:sort(nil, {descending = true}):totable())
    H.raises("invalid_argument", a.sum, a, 1, {axis = 1})
    H.raises("invalid_argument", a.take, a, index, 1, {axis = 1})
  end)

  it("takes the last axis unless another is named", function()
    local a = nd.array {{3, 1, 2}, {0, 5, 4}}
    assert.same({{1, 2, 3}, {0, 4, 5}}, a:sort():totable())
    assert.same({{0, 1, 2}, {3, 5, 4}}, nd.sort(a, 1):totable())
    assert.same({{3, 2, 1}, {5, 4, 0}}, a:sort{descending = true}:totable())
    assert.same({{3, 5, 4}, {0, 1, 2}}, a:sort(-2, {descending = true}):totable())
    assert.same({{3, 1, 2}, {0, 5, 4}}, a:totable())
    assert.same({2LL, 3LL, 1LL}, nd.argsort(a[1]):totable())
  end)

  it("puts NaN last, either way", function()
    local a = nd.array {2, 0 / 0, -1, 1 / 0, -1 / 0, -(0 / 0)}
    for _, dtype in ipairs {"f16", "bf16", "f32", "f64", "f8e5m2"} do
      local b = a:astype(dtype)
      assert.equal("[-inf,-1,2,inf,nan,nan]",
        (tostring(b:sort()):gsub("^[^\n]*\n", ""):gsub("%s", "")))
      assert.equal("[inf,2,-1,-inf,nan,nan]",
        (tostring(b:sort{descending = true}):gsub("^[^\n]*\n", ""):gsub("%s", "")))
      assert.same({5LL, 3LL, 1LL, 4LL, 2LL, 6LL}, b:argsort():totable())
    end
  end)

  it("keeps every bit of what it orders", function()
    for dtype, bits in pairs {f16 = "u16", bf16 = "u16", f32 = "u32", f64 = "u64", f8e5m2 = "u8",
        f8e4m3 = "u8"} do
      local a = nd.randint(0, 255, {777 * nd[bits].itemsize}, "u8"):bitcast(bits)
      a["1:2"] = nd[bits].itemsize == 8 and 0x7ff0000000000001ULL or 0x7f
      for _, descending in ipairs {false, true} do
        local sorted = a:bitcast(dtype):sort {descending = descending}
        assert.is_true(sorted:bitcast(bits):sort():equal(a:sort()), dtype)
      end
    end
  end)

  it("keeps equal elements in their order", function()
    assert.same({1LL, 2LL, 3LL, 4LL}, nd.array({0, -0, 0, -0}):argsort():totable())
    assert.same({1LL, 2LL, 3LL}, nd.ones(3):argsort{descending = true}:totable())
    local a = nd.array {1, 0, 1, 0}
    assert.same({1LL, 3LL, 2LL, 4LL}, a:argsort{descending = true}:totable())
  end)

  it("refuses what has no axis", function()
    local a = nd.ones(2, 2)
    H.raises_like("invalid_argument", "sort: a scalar", nd.sort, nd.f32(1))
    H.raises_like("index_out_of_range", "argsort: axis 3", nd.argsort, a, 3)
    H.raises_like("invalid_argument", "no option", a.sort, a, {order = 1})
    H.raises("type_mismatch", a.sort, a, "last")
    H.raises("type_mismatch", a.sort, a, 1, {descending = 1})
    a:free()
    H.raises("freed", a.sort, a)
  end)
end)

describe("sort into an array", function()
  it("is the same as sort", function()
    local rng = H.rng "into"
    for _ = 1, H.cases(60) do
      local dtype = common.NAMES[rng(#common.NAMES)]
      local shape = arrays.shape(rng, 3)
      if #shape == 0 then shape = {rng(200)} end
      local a = arrays.make(rng, arrays.LAYOUTS[rng(#arrays.LAYOUTS)], shape, dtype, true)
      local axis, descending = rng(#shape), rng(2) == 1
      for _, name in ipairs {"sort", "argsort"} do
        local own = name == "sort" and dtype or "i64"
        local wanted = a[name](a, axis, {descending = descending})
        local layout = arrays.LAYOUTS[rng(2) == 1 and 1 or rng(#arrays.LAYOUTS)]
        local out = layout ~= "broadcast" and arrays.make(rng, layout, shape, own, true)
          or nd.zeros(shape, own)
        assert.is_true(a[name](a, axis, {descending = descending, out = out}) == out)
        assert.is_true(out:copyout() == wanted:copyout(), name .. " of " .. dtype)
      end
    end
  end)

  it("may be the array itself, or overlap it", function()
    local a = nd.array {3, 1, 2, 0}
    assert.is_true(a:sort {out = a} == a)
    assert.same({0, 1, 2, 3}, a:totable())
    local b = nd.array {9, 3, 1, 2}
    b "2:4":sort {out = b "1:3"}
    assert.same({1, 2, 3, 2}, b:totable())
    local c = nd.i64 {30, 10, 20}
    c:argsort {out = c}
    assert.same({2LL, 3LL, 1LL}, c:totable())
    local room = nd.zeros(8)
    nd.array({3, 1, 2, 0}):sort {out = room "2:8:2"}
    assert.same({0, 0, 0, 1, 0, 2, 0, 3}, room:totable())
    local m = nd.array {{3, 1}, {2, 4}}
    m:sort(1, {out = m})
    assert.same({{2, 1}, {3, 4}}, m:totable())
    assert.same({2, 3, 1}, nd.array({3, 1, 2}):argsort({out = nd.zeros {3}}):totable())
  end)

  it("refuses what it cannot write", function()
    local a = nd.ones(2, 3)
    H.raises_like("shape_mismatch", "but out has", a.sort, a, {out = nd.ones(3, 2)})
    H.raises("read_only", a.sort, a, {out = a:readonly_view()})
    H.raises("type_mismatch", a.argsort, a, {out = 1})
    H.raises("type_mismatch", nd.c64({1}).sort, nd.c64 {1}, {out = nd.ones(1)})
  end)
end)
