-- Functions of complex numbers: NumPy's complex long double says how far off they are, and where
-- zeros, infinities and NaN belong.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local ORACLE = "spec/ops/complex_oracle.py"
local NAMES = {"sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
               "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sign"}
local complex = ffi.typeof "complex"

-- ---- operands ----

local INF, NAN = 1 / 0, 0 / 0
local EDGES = {0, -0, 1, -1, 0.5, -0.5, 2, -2, 1e-5, 3e5, 1e-30, -1e30, 100, -700.5, 2e6, INF, -INF,
               NAN}
local WIDE = {1e-300, 1e300, 5e-324, 1.7e308, 2 ^ -500, 710, -745.5, 1e-160, -1e155}

-- Each part one of those.
local function grid(dtype)
  local list = {unpack(EDGES)}
  if dtype == "c128" then
    for _, v in ipairs(WIDE) do list[#list + 1] = v end
  end
  local n = #list
  local z = nd.zeros({n, n}, dtype)
  z.real:copy_from(nd.f64(list):reshape(n, 1):expand(n, n))
  z.imag:copy_from(nd.f64(list):reshape(1, n):expand(n, n))
  return z:reshape(n * n)
end

local function join(dtype, re, im)
  local z = nd.zeros(re.shape, dtype)
  z.real:copy_from(re)
  z.imag:copy_from(im)
  return z
end

-- Of all sizes; near the places where terms cancel or branches end: the unit circle, 0, 1 and i.
local function random(rng, dtype, n)
  local function draw(lo, hi) return nd.uniform({n}, {lo = lo, hi = hi, seed = rng(1e9)}) end
  local function signs() return draw(-1, 1):sign() end
  local most = dtype == "c64" and 30 or 300
  local function sizes(lo, hi) return signs() * (draw(lo, hi) * math.log(10)):exp() end
  local angle = draw(-math.pi, math.pi)
  local near = 1 + sizes(-17, 0)
  return nd.concat {
    join(dtype, draw(-4, 4), draw(-4, 4)), join(dtype, draw(-20, 20), draw(-1e3, 1e3)),
    join(dtype, sizes(-most, most), sizes(-most, most)), join(dtype, sizes(-3, 3), sizes(-3, 3)),
    join(dtype, near * angle:cos(), near * angle:sin()),
    join(dtype, signs() + sizes(-18, 0), sizes(-18, 0)),
    join(dtype, sizes(-18, 0), signs() + sizes(-18, 0)), join(dtype, sizes(-18, 0), sizes(-18, 0)),
    join(dtype, draw(-300, 720), sizes(-5, 8)),
  }
end

local function fields(...)
  local out = {...}
  for i, v in ipairs(out) do
    if type(v) == "userdata" then out[i] = common.hex(v:copyout()) end
  end
  return table.concat(out, "\t")
end

local function ask(lines)
  local out = H.python(ORACLE, H.write(H.path "complex", table.concat(lines, "\n") .. "\n"))
  assert.is_nil(out:find "\n.", out)
end

local function elements(a) return (tostring(a):match("%[.*%]"):gsub(" +", " "):gsub("%[ ", "[")) end

describe("functions of complex numbers", function()
  for _, dtype in ipairs {"c64", "c128"} do
    it("are those of NumPy's long double: " .. dtype, function()
      local rng, lines = H.rng("complex" .. dtype), {}
      local z = nd.concat {grid(dtype), random(rng, dtype, H.cases(1000))}
      for i, name in ipairs(NAMES) do lines[i] = fields(name, dtype, z[name](z), z) end
      ask(lines)
    end)

    it("pow, too, as far as its logarithm allows: " .. dtype, function()
      local rng = H.rng("pow" .. dtype)
      local n = H.cases(2000)
      local function draw(most)
        local function part() return nd.uniform({n}, {lo = -most, hi = most, seed = rng(1e9)}) end
        return join(dtype, part(), part())
      end
      local lines = {}
      for i, of in ipairs {draw(3), draw(100)} do
        local z, w = of, draw(5)
        w[nd.random({n}, "f32", {seed = rng(1e9)}):lt(0.5)] = rng(-100, 100)
        lines[i] = fields("pow", dtype, z ^ w, z, w)
      end
      ask(lines)
    end)

    it("whole powers, too, of all sizes: " .. dtype, function()
      local rng, lines = H.rng("whole powers" .. dtype), {}
      local z = nd.concat {random(rng, dtype, H.cases(200)), grid(dtype)}
      z = z[z:isfinite()]
      for i, n in ipairs {1, 2, 3, -1, -2, 7, rng(-12, 12)} do
        local w = nd.full(z.shape, n, dtype)
        lines[i] = fields("pow", dtype, z ^ w, z, w)
      end
      ask(lines)
    end)
  end

  it("are the same however the elements lie, in place, and of an expanded array", function()
    local z = grid "c128"
    local function bits(a) -- of NaN any: compilers may exchange what is added
      local parts = nd.stack({a.real, a.imag}, 1)
      return nd.where(parts:isnan(), nd.full({}, 0 / 0), parts):copyout()
    end
    for _, name in ipairs(NAMES) do
      local whole = z[name](z)
      local apart = nd.zeros({z.size, 3}, "c128")
      apart[{{}, 2}] = z
      assert.is_true(bits(apart[{{}, 2}][name](apart[{{}, 2}])) == bits(whole), name)
      local out = apart[{{}, 3}]
      z[name](z, {out = out})
      assert.is_true(bits(out) == bits(whole), name)
      local own = z:clone()
      own[name .. "_"](own)
      assert.is_true(bits(own) == bits(whole), name)
    end
  end)

  it("have whole powers that are exact where products are", function()
    local z = nd.c64 {complex(1, 1), complex(0, 1), complex(-2, 0), complex(3, -4)}
    assert.equal("[0+2i, -1+0i, 4-0i, -7-24i]", elements(z ^ 2))
    assert.is_true((z ^ 4):eq(nd.c64 {-4, 1, 16, complex(-527, 336)}):all())
    assert.equal(0.5, (z ^ -2).imag[1] * -1)
    assert.equal("[1+0i, 1+0i, 1+0i, 1+0i]", elements(z ^ 0))
  end)

  it("have powers of 0 that are 0, 1 or NaN", function()
    local zero, w = nd.c128 {0}, {complex(2, 3), complex(0, 0), complex(-1, 0), complex(0, 1)}
    local got = nd.zeros({4}, "c128")
    for i = 1, 4 do got[{{i, i}}] = zero ^ w[i] end
    assert.equal("[0, 1, nan, nan]", elements(got.real))
  end)

  it("have powers of infinity on the axis where they belong", function()
    for _, dtype in ipairs {"c64", "c128"} do
      local list = {complex(INF, 0), complex(-INF, 0), complex(0, INF), complex(INF, -0)}
      local z = nd.array(list, dtype)
      assert.equal("[inf+0i, -inf+0i, 0+infi, inf-0i]", elements(z ^ 1))
      assert.equal("[inf+0i, inf-0i, -inf+0i, inf-0i]", elements(z ^ 2))
      assert.equal("[inf+0i, -inf+0i, -0-infi, inf-0i]", elements(z ^ 3))
      assert.equal("[0, 0, 0, 0]", elements((z ^ -1):abs()))
      assert.equal("[0, 0, 0, 0]", elements((z ^ -2.5):abs()))
      assert.equal("[inf+0i]", elements((z ^ 0.5)[{{1, 1}}]))
      assert.equal("nan+nani", elements(nd.array({complex(NAN, 0)}, dtype) ^ 2):sub(2, -2))
      assert.equal("[inf+0i, 0+0i]", elements(nd.array({2, 0.5}, dtype) ^ INF))
      assert.equal("[0-0i, inf-0i]", elements(nd.array({2, 0.5}, dtype) ^ -INF))
    end
  end)

  it("have a smaller part of full precision beside a large one", function()
    for _, case in ipairs {
      {"sqrt", {1e121, 1e-200}, {3.1622776601683795e60, 1.5811388300841898e-261}},
      {"sqrt", {-1e-200, 1e-321}, {4.990063e-222, 1e-100}},
      {"exp", {745.5, 5e-324}, {INF, 2.886163}},
      {"sinh", {745.5, 5e-324}, {INF, 1.443082}}, {"cosh", {-745.5, 5e-324}, {INF, -1.443082}},
      {"sin", {5e-324, 745.5}, {1.443082, INF}}, {"cos", {5e-324, 745.5}, {INF, -1.443082}},
      {"atan", {1.797e308, 1.797e308}, {math.pi / 2, 2.782415e-309}},
      {"atanh", {1.797e308, 1.797e308}, {2.782415e-309, math.pi / 2}},
      {"atanh", {1e-200, 1e100}, {0, math.pi / 2}},
      {"asin", {0.5, 1e-200}, {math.pi / 6, 1.154700538e-200}},
      {"acos", {1, 1e-200}, {1e-100, -1e-100}}, {"pow", {1e-150, 1e-172}, {1e300, -2e278}, -2},
      {"log", {1, 1e-160}, {5e-321, 1e-160}}, {"log1p", {0, 1e-160}, {5e-321, 1e-160}},
      {"sign", {1e-160, 1e160}, {1e-320, 1}}, {"sign", {-1e160, 1e-160}, {-1, 1e-320}},
    } do
      local got = nd[case[1]](nd.c128 {complex(unpack(case[2]))}, case[4])
      for i, part in ipairs {got.real, got.imag} do
        local want = case[3][i]
        assert.is_true(part[1] == want or math.abs(part[1] - want) <= 3e-4 * math.abs(want),
          ("%s: part %d is %.17g, not %.17g"):format(case[1], i, part[1], want))
      end
    end
  end)

  it("are what C says at edges: infinite parts, 1, and large imaginary parts", function()
    local function at(name, re, im)
      local z = nd.c128 {re}
      z.imag:fill(im)
      local out = z[name](z)
      return {out.real[1], 1 / out.imag[1]}
    end
    local huge = math.huge
    assert.same({huge, huge}, at("sqrt", huge, 2))
    assert.same({huge, -huge}, at("sqrt", huge, -2))
    assert.same({0, 0}, at("sqrt", -huge, 2))
    assert.same({huge, huge}, at("atanh", 1, 0))
    assert.same({huge, -huge}, at("atanh", 1, -0.0))
    assert.equal(0.5 / 1e200, at("asin", 0.5, 1e200)[1])
  end)

  it("have a sign where one part is infinite, as NumPy", function()
    local z = nd.c128 {complex(INF, 0), complex(INF, 1), complex(-INF, -0), complex(0, INF),
                       complex(3, -INF), complex(INF, NAN), complex(INF, -INF), complex(NAN, 1)}
    local wanted = "[1+0i, 1+0i, -1+0i, 0+1i, 0-1i, 1+0i, nan+nani, nan+nani]"
    assert.equal(wanted, elements(z:sign()))
    assert.equal(wanted, elements(z:astype "c64":sign()))
  end)

  it("conjugate, and leave real numbers as they are", function()
    local z = nd.c64 {complex(1, 2), complex(-0.5, -0)}
    assert.is_true(z:conj():copyout() == nd.c64({complex(1, -2), complex(-0.5, 0)}):copyout())
    for _, dtype in ipairs {"i8", "u16", "i64", "f16", "f32", "f64"} do
      local a = nd.array({1, 2, 100}, dtype)
      assert.is_true(a:conj():equal(a), dtype)
      assert.equal(dtype, a:conj().dtype)
    end
    H.raises("type_mismatch", nd.conj, nd.bool {true})
  end)

  it("leave out what complex numbers have no function for", function()
    local z = nd.c64 {1}
    for _, name in ipairs {"cbrt", "erf", "erfc", "lgamma", "floor", "trunc"} do
      H.raises("type_mismatch", z[name], z)
    end
    for _, name in ipairs {"hypot", "atan2", "logaddexp", "fmod", "mod", "idiv", "copysign"} do
      H.raises("type_mismatch", nd[name], z, 1)
    end
  end)
end)
