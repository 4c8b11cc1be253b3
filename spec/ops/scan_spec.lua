-- cumsum, cumprod, cummax, cummin: NumPy says what they give.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local NAMES = {"cumsum", "cumprod", "cummax", "cummin"}
local TOTAL = {cumsum = true, cumprod = true}

local function kind_of(dtype) return dtype == "bf16" and "f" or dtype:sub(1, 1) end

local function result_dtype(op, dtype)
  local kind = kind_of(dtype)
  if not TOTAL[op] or kind == "f" or kind == "c" then return dtype end
  return kind == "u" and "u64" or "i64"
end

-- ---- cases ----

local function case_of(rng, op, a, layout)
  local axis = a.ndim > 0 and rng(4) > 1 and rng(a.ndim) or nil
  return {op = op, a = a, layout = layout, axis = axis, line = table.concat({op, a.dtype,
    common.shape_text(a.shape), common.hex(a:copyout()), axis or "-"}, "\t")}
end

local function name_of(case)
  return ("%s of %s (%s, %s) along %s"):format(case.op, case.a.dtype,
    common.shape_text(case.a.shape), case.layout, tostring(case.axis))
end

local function parts_of(a)
  local flat = a:contiguous():flatten()
  return flat.dtype == "c64" and flat:bitcast "f32" or flat.dtype == "c128" and flat:bitcast "f64"
    or flat
end

-- Each element of 'got' is one of those from 'least' to 'greatest', as its dtype has them.
local function is_within(got, least, greatest)
  local flat = parts_of(got)
  local low, high = least:astype(flat.dtype), greatest:astype(flat.dtype)
  local is_same = flat:eq(low):logical_or(flat:isnan():logical_and(low:isnan()))
  local is_between = flat:ge(low):logical_and(flat:le(high))
  local is_free = least:eq(-1 / 0):logical_and(greatest:eq(1 / 0))
  return is_same:logical_or(is_between):logical_or(is_free):all()
end

local function check(case, answer)
  local a, name = case.a, name_of(case)
  if kind_of(a.dtype) == "c" and not TOTAL[case.op] then
    H.raises_like("type_mismatch", case.op .. ": " .. a.dtype .. " has no order", a[case.op], a,
      case.axis)
    return
  end
  local got = a[case.op](a, case.axis)
  local dtype, shape = result_dtype(case.op, a.dtype), case.axis and a.shape or {a.size}
  assert.equal(dtype, got.dtype, name)
  assert.same(shape, got.shape, name)
  common.is_made(got, dtype, shape)
  local kind = kind_of(dtype)
  if kind == "f" or kind == "c" then
    local least, greatest = nd.frombytes(arrays.unhex(answer[2]), "f64"), nd.frombytes(
      arrays.unhex(answer[3]), "f64")
    if not is_within(got, least, greatest) then
      error(("%s\n%s\ngot %s\nfrom %s\nto %s"):format(name, tostring(a):sub(1, 2000),
        tostring(parts_of(got)), tostring(least), tostring(greatest)))
    end
  else
    local wide = kind_of(a.dtype) == "u" and "u64" or "i64"
    local wanted = nd.frombytes(arrays.unhex(answer[2]), wide)
    assert.is_true(got:astype(wide):flatten():equal(wanted), name)
  end
end

local function run(cases)
  local lines, asked = {}, {}
  for _, case in ipairs(cases) do
    local is_refused = kind_of(case.a.dtype) == "c" and not TOTAL[case.op]
    if is_refused then check(case) else lines[#lines + 1], asked[#asked + 1] = case.line, case end
  end
  local answers = common.ask("spec/ops/scan_oracle.py", lines)
  for i, answer in ipairs(answers) do check(asked[i], answer) end
end

local function kinds(rng)
  local list = {}
  for _, dtype in ipairs(common.NAMES) do
    for _, op in ipairs(NAMES) do
      local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
      list[#list + 1] = {dtype, op, layout}
    end
  end
  return list
end

-- Call f with 1, 2, 3 and 7 threads, whatever comes.
local function with_threads(f)
  local before = nd.set_threads(1)
  local fine, e = pcall(function()
    for _, threads in ipairs {1, 2, 3, 7} do
      nd.set_threads(threads)
      f(threads)
    end
  end)
  nd.set_threads(before)
  if not fine then error(e, 0) end
end

-- ---- specs ----

describe("a scan", function()
  it("gives what NumPy gives, of every dtype and layout", function()
    local rng = H.rng "scan"
    for _ = 1, H.cases(12) do
      local cases = {}
      for i, kind in ipairs(H.some(kinds(rng), 20)) do
        local dtype, op, layout = unpack(kind)
        local a = arrays.make(rng, layout, arrays.shape(rng, 4), dtype, rng(3) > 1)
        cases[i] = case_of(rng, op, a, layout)
      end
      run(cases)
    end
  end)

  it("of every second element, and of complex numbers, is that of packed elements", function()
    local rng = H.rng "second"
    for _, dtype in ipairs {"i32", "i64", "f32", "f64"} do
      local a = nd.randint(-1000, 1000, 201, {seed = rng(1e6)}):astype(dtype)
      local second, packed = a"::2", a"::2":clone()
      for _, op in ipairs {"cumsum", "cummax", "cummin"} do
        local wanted = packed[op](packed, 1)
        local apart = nd.zeros({2 * 101}, wanted.dtype)
        assert.is_true(second[op](second, 1):equal(wanted), op .. " of " .. dtype)
        second[op](second, 1, {out = apart"::2"})
        assert.is_true(apart"::2":equal(wanted), op .. " of " .. dtype .. " into every second")
        assert.equal(0, apart"2::2":count_nonzero())
      end
    end
    for part, dtype in pairs {f32 = "c64", f64 = "c128"} do
      local a = nd.normal({1000, 2}, part, {seed = rng(1e6)})
      local wanted = nd.stack({a":, 1":cumsum(1), a":, 2":cumsum(1)}, 2)
      assert.is_true(a:bitcast(dtype):flatten():cumsum(1):bitcast(part):equal(wanted:flatten()))
    end
  end)

  it("of long lines, along them and beside them #slow", function()
    local rng, cases = H.rng "long", {}
    local shapes = {{70001}, {2, 40001}, {40001, 2}, {300, 301}, {5, 500, 7}, {33000, 9},
      {9, 4099}, {500, 150}, {150, 17}}
    for _ = 1, H.cases(1) do
      local dtypes = {"bool", "i8", "i64", "f16", "f32", "f64", "c64", "c128"}
      for _, dtype in ipairs(H.some(dtypes, 3)) do
        for _, op in ipairs(NAMES) do
          local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
          local a = arrays.make(rng, layout, shapes[rng(#shapes)], dtype, true)
          cases[#cases + 1] = case_of(rng, op, a, layout)
        end
      end
    end
    run(cases)
  end)

  it("has the same bits for any number of threads, and beside other lines #slow", function()
    for _, dtype in ipairs(H.some({"f64", "f32", "i64", "c128", "f16"}, 2)) do
      local a = nd.normal(300001, dtype == "c128" and "f64" or dtype == "i64" and "f64" or dtype)
      a = dtype == "i64" and (a * 1e18):astype "i64" or dtype == "c128"
        and nd.stack({a, a}, 2):bitcast("c128"):flatten() or a
      local few = nd.stack({a, a:flip(), a}, 2)
      for _, op in ipairs(NAMES) do
        local wanted
        if kind_of(dtype) ~= "c" or TOTAL[op] then
          with_threads(function(threads)
            local line, lines = a[op](a), few[op](few, 1)
            wanted = wanted or line:copyout()
            local name = ("%s of %s, %d threads"):format(op, dtype, threads)
            assert.is_true(line:copyout() == wanted, name)
            assert.is_true(lines:select(2, 1):copyout() == wanted, name)
            local many = nd.stack({a, a, a, a, a, a, a, a, a}, 2)
            assert.is_true(many[op](many, 1):select(2, 9):copyout() == wanted, name)
          end)
        end
      end
    end
  end)

  it("has the same bits in results of any layout, in place, and in lines of any number", function()
    local rng = H.rng "results"
    for i = 1, 100 do
      local shape = {rng(40), rng(90)}
      local dtype = ({"bool", "u8", "i16", "i64", "bf16", "f32", "f64"})[rng(7)]
      local op, axis = NAMES[i % #NAMES + 1], rng(2)
      local a = arrays.make(rng, arrays.LAYOUTS[rng(#arrays.LAYOUTS)], shape, dtype, true)
      a = rng(2) == 1 and a or a:clone()
      local packed = a[op](a, axis)
      local out = nd.zeros({shape[1] * 2, shape[2] * 2}, packed.dtype)
      local name = ("%s of %s %s, axis %d"):format(op, dtype, common.shape_text(shape), axis)
      for _, part in ipairs {out[{"1::2", {1, shape[2]}}], out[{{1, shape[1]}, "1::2"}],
                             out[{"1::2", "1::2"}]} do
        assert.equal(packed:copyout(), a[op](a, axis, {out = part}):copyout(), name)
      end
      for k = 1, shape[3 - axis] do
        local line = a:select(3 - axis, k)
        assert.equal(packed:select(3 - axis, k):copyout(), line[op](line):copyout(), name)
      end
      if packed.dtype == dtype then
        local same = a:clone()
        assert.equal(packed:copyout(), same[op](same, axis, {out = same}):copyout(), name)
      end
    end
  end)

  it("keeps what rounding takes from sums of f64", function()
    local n = 2 ^ 18
    local a = nd.full({n}, 0.1, "f64")
    assert.is_true(math.abs(a:cumsum()[n] - 26214.4) <= 26214.4 * 2 ^ -52)
    local b = nd.zeros({n}, "f64")
    b["17:"] = 1
    b[1], b[n] = 2 ^ 53, -2 ^ 53
    assert.equal(n - 17, b:cumsum()[n])
    assert.equal(2 ^ 53 + 2, b:cumsum()[18])
  end)

  it("goes on after infinity and NaN as sums do", function()
    local inf, nan = 1 / 0, 0 / 0
    local a = nd.zeros({100}, "f64")
    a[20], a[60] = inf, -inf
    local sums = a:cumsum()
    assert.equal(0, sums[19])
    assert.is_true(sums["20:59"]:eq(inf):all())
    assert.is_true(sums["60:"]:isnan():all())
    a:fill(1)
    a[40] = nan
    for _, op in ipairs(NAMES) do
      local out = a[op](a)
      assert.is_false(out[":39"]:isnan():any(), op)
      assert.is_true(out["40:"]:isnan():all(), op)
    end
    a[40], a[1] = 2, 1e308
    a["2:20"] = 1e308
    assert.is_true(a:cumsum()["2:"]:eq(inf):all())
  end)

  it("multiplies one after another, so that only what overflows does", function()
    local a = nd.ones({40000}, "f64")
    a[1], a[2], a[39000], a[39001] = 1e-200, 1e-100, 1e250, 1e200
    local out = a:cumprod()
    assert.equal(1e-200 * 1e-100, out[38999])
    assert.equal(1e-200 * 1e-100 * 1e250 * 1e200, out[40000])
  end)

  it("writes to 'out' and in place, also where these overlap what is read", function()
    local a = nd.array {{1, 2, 3}, {4, 5, 6}}
    local out = nd.zeros(2, 3)
    assert.equal(out, a:cumsum(1, {out = out}))
    assert.same({{1, 2, 3}, {5, 7, 9}}, out:totable())
    assert.same({{1, 3, 6}, {4, 9, 15}}, nd.cumsum(a, {axis = -1, out = out}):totable())
    local narrow = nd.zeros({6}, "i8")
    nd.cumprod(nd.i64 {100, 2, -1, 1, 1, 1}, {out = narrow})
    assert.same({100, 127, -128, -128, -128, -128}, narrow:totable())
    local line = nd.array {1, 2, 3, 4, 5, 6}
    line["1:5"]:cumsum {out = line["2:6"]}
    assert.same({1, 1, 3, 6, 10, 15}, line:totable())
    line:cumsum {out = line:flip()}
    assert.same({36, 21, 11, 5, 2, 1}, line:totable())
    assert.same({1, 3, 6, 10, 15, 21}, a:cumsum {out = nd.zeros(6)}:totable())
    local n = 100000 -- more than is read before something is written
    local long, counts = nd.ones(n + 1), nd.arange(1, n)
    long:narrow(1, 1, n):cumsum {out = long:narrow(1, 2, n)}
    assert.is_true(long:narrow(1, 2, n):equal(counts))
    long:fill(1):narrow(1, 1, n):cumsum {out = long:narrow(1, 1, n):flip()}
    assert.is_true(long:narrow(1, 1, n):flip():equal(counts))
    assert.equal(a, a:cumsum_(2))
    assert.same({{1, 3, 6}, {4, 9, 15}}, a:totable())
    assert.same({{1, 3, 6}, {1, 3, 6}}, a:cummin_(1):totable())
    assert.same({{1, 3, 18}, {1, 3, 18}}, a:cumprod_{axis = 2}:totable())
    assert.same({{18, 3, 1}, {18, 3, 1}}, a:copy_from(a:flip(2)):cummin_(1):totable())
    local bytes = nd.u8 {200, 100, 3}
    assert.same({200, 255, 255}, bytes:cumsum_():totable())
    local large = nd.ones({70000}, "f64")
    with_threads(function()
      assert.is_true(large:clone():cumsum_():equal(nd.arange(70000)))
    end)
  end)

  it("takes a flat copy where no axis is named", function()
    local a = nd.array {{1, 2}, {3, 4}}
    assert.same({1, 4, 6, 10}, a.T:cumsum():totable())
    assert.same({5}, nd.f32(5):cumsum():totable())
    assert.same({}, nd.zeros(0, 3):cumsum():totable())
    assert.same({0, 3}, nd.zeros(0, 3):cumsum(1).shape)
  end)

  it("refuses what it cannot write, and no axis", function()
    local a = nd.ones(2, 3)
    H.raises_like("shape_mismatch", "cumsum: the result of %(2x3%) has shape %(6%), but",
      a.cumsum, a, {out = nd.zeros(2, 3)})
    H.raises_like("shape_mismatch", "cumprod: ", a.cumprod_, a)
    H.raises_like("shape_mismatch", "cummax: ", a.cummax, a, 1, {out = nd.zeros(6)})
    H.raises("read_only", a.cumsum, a, 1, {out = nd.zeros(2, 3):readonly_view()})
    H.raises("read_only", a:readonly_view().cumsum_, a:readonly_view(), 1)
    H.raises("overlap", a.cumsum, a, 1, {out = nd.zeros(4):unfold(1, 3, 1)})
    H.raises_like("index_out_of_range", "cummin: axis 3", a.cummin, a, 3)
    H.raises_like("index_out_of_range", "cumsum: axis 0", nd.cumsum, a, 0)
    H.raises("type_mismatch", a.cumsum, a, 1, {out = 3})
    H.raises("invalid_argument", a.cumsum_, a, {out = a})
    H.raises("type_mismatch", nd.cumsum, 1)
    assert.same({{1, 1, 1}, {1, 1, 1}}, a:totable())
  end)
end)
