-- isclose, nextafter, cov and corrcoef against NumPy, for random shapes, layouts and dtypes.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local compare = require "spec.lua.compare"

local hex, shape_text = common.hex, common.shape_text

local function fields_of(a)
  if not a then return "-\t-\t-" end
  return table.concat({a.dtype, shape_text(a.shape), hex(a:copyout())}, "\t")
end

-- Runs 'count' cases make(rng) = {words =, a =, b =, call =}, and judges(result, answer, what).
local function run(name, count, make, judge)
  local rng, list, lines = H.rng(name), {}, {}
  for i = 1, H.cases(count) do
    local c = make(rng)
    list[i] = c
    lines[i] = table.concat({name, table.concat(c.words, ","), fields_of(c.a), fields_of(c.b)},
      "\t")
  end
  for i, answer in ipairs(common.ask("spec/lua/nearness_oracle.py", lines)) do
    local what = ("seed %d: %s"):format(H.seed, lines[i])
    local out = list[i].call()
    assert.equal(answer[1], shape_text(out.shape), what)
    judge(out, answer[2], what)
  end
end

local EDGES = {0, -0, 1, -1, 1 + 2 ^ -20, 1 / 0, -1 / 0, 0 / 0, 2.5, 1e-9, -1e-9, 5e-324, 65504,
               3.4028234663852886e38, 1.7976931348623157e308}

local function edges(rng, dtype, shape)
  local a = compare.array(rng, dtype, shape):clone()
  if not dtype:find "^[fc]" then return a end
  local list = {}
  for i = 1, a.size do list[i] = EDGES[rng(#EDGES)] end
  return nd.array(list, dtype):reshape(shape)
end

local function same_bits(out, answer, what)
  if out.dtype == "bool" then return assert.equal(answer, hex(out:copyout()), what) end
  local bytes = answer:gsub("-", ""):gsub("..", function(d) return string.char(tonumber(d, 16)) end)
  local wanted = nd.frombytes(bytes, out.dtype, out.shape)
  local both = out:isnan():logical_and(wanted:isnan())
  local bits = ({f16 = "u16", f32 = "u32", f64 = "u64"})[out.dtype]
  assert.is_true(both:logical_or(out:bitcast(bits):eq(wanted:bitcast(bits))):all(), what)
end

describe("isclose", function()
  it("is that of NumPy", function()
    run("isclose", 800, function(rng)
      local shape = compare.shape(rng, 1, 3)
      local other = {unpack(shape)}
      if rng(2) == 1 then other[rng(#other)] = 1 end
      local rtol, atol = rng(0, 3) / 10, rng(0, 2) * 1e-8
      local is_equal = rng(2) == 1
      local PLAIN = compare.PLAIN
      local a = edges(rng, PLAIN[rng(#PLAIN)], shape)
      local b = edges(rng, PLAIN[rng(#PLAIN)], other)
      return {words = {rtol, atol, tostring(is_equal)}, a = a, b = b, call = function()
        return nd.isclose(a, b, {rtol = rtol, atol = atol, equal_nan = is_equal})
      end}
    end, same_bits)
  end)

  it("takes values and tables, and refuses tolerances below 0", function()
    local a = nd.f32 {1, 1.000001, 2, 0 / 0}
    assert.same({true, true, false, false}, a:isclose(1):totable())
    assert.same({true, true, false, false}, nd.isclose(1, a):totable())
    assert.same({false, false, false, true}, a:isclose(0 / 0, {equal_nan = true}):totable())
    assert.same({true, false}, nd.isclose({1, 2}, {1, 3}):totable())
    assert.same({true}, nd.c64 {1}:isclose(ffi.new("complex", 1, 1e-12)):totable())
    assert.same({true, false}, nd.bool {true, false}:isclose(true):totable())
    local infinite = nd.array {1, math.huge, math.huge, -math.huge}
    assert.same({false, true, false, false},
      infinite:isclose({math.huge, math.huge, 1, math.huge}):totable())
    H.raises_like("invalid_argument", "rtol: %-1 is not", a.isclose, a, 1, {rtol = -1})
    H.raises("invalid_argument", a.isclose, a, 1, {atol = 0 / 0})
    H.raises_like("type_mismatch", "atol: expected a number", a.isclose, a, 1, {atol = "1"})
    H.raises("shape_mismatch", a.isclose, a, {1, 2})
    H.raises("type_mismatch", nd.isclose, 1, 2)
  end)
end)

describe("nextafter", function()
  it("is that of NumPy", function()
    run("nextafter", 600, function(rng)
      local dtype = ({"f16", "f32", "f64"})[rng(3)]
      local shape = compare.shape(rng, 1, 3)
      local a, b = edges(rng, dtype, shape), edges(rng, dtype, shape)
      return {words = {"-"}, a = a, b = b, call = function()
        local out = nd.nextafter(a, b)
        local in_place = nd.zeros(shape, dtype):copy_from(a)
        assert.equal(in_place, in_place:nextafter_(b))
        same_bits(in_place, hex(out:copyout()))
        return out
      end}
    end, same_bits)
  end)

  it("goes through all numbers of the small floats, in order", function()
    for dtype, count in pairs {f16 = 31744, bf16 = 32640, f8e4m3 = 127, f8e5m2 = 124} do
      local bits = nd[dtype].itemsize == 2 and "i16" or "i8"
      local up = nd.arange(0, count - 2, 1, bits):bitcast(dtype)
      local most = nd.array({count - 1}, bits):bitcast(dtype)
      assert.is_true(up:nextafter(most):bitcast(bits):equal(nd.arange(1, count - 1, 1, bits)))
      assert.is_true((-up):nextafter(-most):equal(-up:nextafter(most)))
      assert.is_true(nd.nextafter(up:nextafter(most), 0):equal(up))
    end
  end)

  it("computes in f64 for integers, writes to out, and refuses complex numbers", function()
    assert.same({1 + 2 ^ -52}, nd.i32 {1}:nextafter(2):totable())
    local out = nd.zeros(2, "f32")
    assert.equal(out, nd.nextafter(nd.f32 {1, 2}, 1e30, {out = out}))
    assert.same({1 + 2 ^ -23, 2 + 2 ^ -22}, out:totable())
    H.raises_like("type_mismatch", "nextafter is not defined for c64", nd.nextafter, nd.c64 {1}, 1)
    H.raises("shape_mismatch", out.nextafter_, out, nd.zeros(3, 2))
    H.raises("read_only", nd.nextafter, out, 1, {out = out:readonly_view()})
    H.raises("invalid_argument", nd.nextafter, out, 1, {into = out})
  end)
end)

local function near(out, answer, what)
  local got = (out.dtype == "c128" and out:contiguous():reshape(out.size):bitcast "f64"
    or out:contiguous():reshape(out.size)):totable()
  local k = 0
  for text in answer:gmatch "%S+" do
    k = k + (text == "-" and 0 or 1)
    local wanted = tonumber(text)
    if text:find "nan" then assert.is_true(got[k] ~= got[k] or math.abs(got[k]) == 1 / 0, what)
    elseif wanted then assert.is_true(math.abs(got[k] - wanted) <= 1e-12 * (1 + math.abs(wanted))
      or got[k] == wanted or math.abs(wanted) == 1 / 0, what) end
  end
  assert.equal(out.size * (out.dtype == "c128" and 2 or 1), k, what)
end

local function random_pair(rng)
  local PLAIN = compare.PLAIN
  local rows, n = rng(1, 5), rng(2, 9)
  local shape = rng(4) == 1 and {n} or {rows, n}
  local a = compare.array(rng, PLAIN[rng(2, #PLAIN)], shape)
  local b
  if a.dtype:find "^c" then a.imag:copy_from(compare.array(rng, "f64", shape)) end
  if rng(2) == 1 then b = compare.array(rng, PLAIN[rng(2, #PLAIN)], {rng(1, 3), n}) end
  local is_by_row = b ~= nil or rng(2) == 1
  return a, b, is_by_row
end

describe("cov", function()
  it("is that of NumPy", function()
    run("cov", 400, function(rng)
      local a, b, is_by_row = random_pair(rng)
      local bias, ddof = rng(2) == 1, rng(3) == 1 and rng(0, 1) or nil
      return {words = {tostring(is_by_row), tostring(bias), ddof or "-"}, a = a, b = b,
              call = function()
        return nd.cov(a, b, {rowvar = is_by_row, bias = bias, ddof = ddof})
      end}
    end, near)
  end)

  it("is exactly symmetric, and the same for every number of threads", function()
    local x = nd.normal({20, 30000}, "f64", {seed = H.seed})
    local bytes, before = {}, nd.info().threads
    for i, threads in ipairs {1, 2, 3, 7} do
      nd.set_threads(threads)
      local c = x:cov()
      assert.is_true(c:equal(c.T))
      bytes[i] = c:copyout()
    end
    nd.set_threads(before)
    for i = 2, 4 do assert.is_true(bytes[1] == bytes[i]) end
  end)

  it("names both numbers of observations, and takes tables", function()
    assert.same({{1, -1}, {-1, 1}}, nd.cov({{1, 2, 3}, {3, 2, 1}}):totable())
    assert.equal(1, nd.cov {1, 2, 3}:item())
    assert.equal(1 / 0, nd.cov({1, 2, 3}, {ddof = 5}):item())
    assert.same({0, 0}, nd.cov(nd.zeros(0, 3)).shape)
    assert.is_true(nd.cov {{1}, {2}}:isnan():all())
    H.raises_like("shape_mismatch", "x has 3 observations, y has 2", nd.cov, {1, 2, 3}, {1, 2})
    H.raises_like("shape_mismatch", "at most 2 axes", nd.cov, nd.zeros(2, 2, 2))
    H.raises("invalid_argument", nd.cov, {1, 2}, {ddof = 0.5})
    H.raises("invalid_argument", nd.corrcoef, {1, 2}, {ddof = 1})
    H.raises("type_mismatch", nd.cov, {1, 2}, {bias = 1})
  end)
end)

describe("corrcoef", function()
  it("is that of NumPy, never past -1 and 1", function()
    run("corrcoef", 400, function(rng)
      local a, b, is_by_row = random_pair(rng)
      return {words = {tostring(is_by_row)}, a = a, b = b, call = function()
        local out = nd.corrcoef(a, b, {rowvar = is_by_row})
        local real = out.dtype == "c128" and out.real or out
        assert.is_true(real:isnan():logical_or(real:abs():le(1)):all())
        return out
      end}
    end, near)
  end)
end)
