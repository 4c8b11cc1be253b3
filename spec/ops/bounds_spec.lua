-- Values that functions do not leave, by whatever vector function they are computed.
local nd = require "ndbuf"
local H = require "spec.helper"

-- The f32 within 'around' last places of k pi / 2, k = 1 … n, in both signs.
local function near_quarters(n, around)
  local centres = (nd.arange(n) * (math.pi / 2)):astype "f32":bitcast "i32"
  local codes = centres:unsqueeze(2):add(nd.arange(-around, around, 1, "i32"):unsqueeze(1))
  local x = codes:contiguous():flatten():bitcast "f32"
  return nd.concat {x, -x}
end

-- f64 near the same, at random distances down to their last places.
local function near_wide(n)
  local turns = nd.randint(-20000, 20000, {n}, "i64", {seed = H.seed}):astype "f64" * (math.pi / 2)
  return turns + nd.normal({n}, {seed = H.seed}) * 1e-7
end

-- Packed, and at a step, which takes another way through the kernels; tails of all lengths.
local function each_layout(x, check)
  check(x)
  local wide = nd.zeros({x.size, 2}, x.dtype)":, 1"
  wide:copy_from(x)
  check(wide)
  for n = 1, math.min(40, x.size) do check(x[{{1, n}}]) end
end

describe("bounds", function()
  it("of sin, cos and tanh are -1 and 1", function()
    local n = H.cases(300000)
    local inputs = {near_quarters(H.cases(2000), 60), near_wide(H.cases(2e6)),
                    nd.f32 {1.570681, -1.570681}, nd.linspace(-100, 100, n, "f32"),
                    nd.linspace(-40, 40, n)}
    for _, x in ipairs(inputs) do
      for _, op in ipairs {"sin", "cos", "tanh"} do
        each_layout(x, function(v)
          local y = v[op](v)
          assert.is_true(y:max() <= 1 and y:min() >= -1, ("%s, seed %d"):format(op, H.seed))
        end)
      end
    end
    local s = inputs[1]:sin()
    assert.is_false((1 - s * s):sqrt():isnan():any())
  end)

  it("hold for the floats of 16 bits, all of them", function()
    for _, dtype in ipairs {"f16", "bf16"} do
      local x = nd.arange(0, 65535, 1, "u16"):bitcast(dtype)
      local finite = x[x:isfinite()]
      for _, op in ipairs {"sin", "cos", "tanh"} do
        local y = finite[op](finite)
        assert.is_true(y:max() <= 1 and y:min() >= -1, op .. " " .. dtype)
      end
      assert.is_true(finite:exp():min() >= 0)
    end
  end)

  it("of angles are those of C at zeros and infinities", function()
    local edges = {0, -0.0, 1, -1, 1 / 0, -1 / 0, 1e-320, 1e308}
    for _, dtype in ipairs {"f32", "f64"} do
      for _, y in ipairs(edges) do
        for _, x in ipairs(edges) do
          local a, b = nd.array({y}, dtype), nd.array({x}, dtype)
          local want, got = nd.array({math.atan2(a[1], b[1])}, dtype), a:atan2(b)
          assert.is_true(1 / want[1] == 1 / got[1] or math.abs(want[1] - got[1]) < 1e-15,
            ("%s: atan2(%g, %g) is %.17g"):format(dtype, y, x, got[1]))
        end
      end
    end
  end)

  it("of logarithms are those of the smallest numbers and of zeros with signs", function()
    for dtype, least in pairs {f32 = 149, f64 = 1074} do
      local small = nd.array({2 ^ -least, 2 ^ (1 - least), 2 ^ (20 - least)}, dtype)
      assert.same({-least, 1 - least, 20 - least}, small:log2():totable())
      local want = nd.array({-least, 1 - least, 20 - least}, "f64") * math.log(2)
      assert.is_true((small:log() / want - 1):abs():max() < (dtype == "f32" and 1e-6 or 1e-15))
      assert.equal(-1 / 0, 1 / nd.array({-0.0}, dtype):log1p()[1])
    end
  end)

  it("of exp are 0 and infinity", function()
    local n = H.cases(1e6)
    for _, x in ipairs {nd.linspace(-110, -80, n, "f32"), nd.linspace(-760, -700, n)} do
      each_layout(x, function(v) assert.is_true(v:exp():min() >= 0) end)
    end
  end)

  it("outside of a function's domain are NaN, however far", function()
    local far = {asin = {1.0001, -1.0001, 1e30, -1e30}, atanh = {1.0001, -1.0001, 1e30, -1e30},
                 acosh = {0.9999, 0, -1, -1.0001, -1e9, -1e30, -1 / 0},
                 log = {-1e-30, -1, -1e30, -1 / 0}, log1p = {-1.0001, -1e30, -1 / 0}}
    far.acos, far.log2, far.log10 = far.asin, far.log, far.log
    for op, values in pairs(far) do
      for _, dtype in ipairs {"f32", "f64"} do
        local y = nd.array(values, dtype)[op](nd.array(values, dtype))
        assert.is_true(y:isnan():all(), op .. " " .. dtype)
      end
    end
  end)

  it("of lengths are met to the last place, however short or long they are", function()
    local n = H.cases(100000)
    local a = nd.randint(1, 2^26, {n}, "i64", {seed = H.seed}):to "f64"
    local b = nd.randint(1, 2^26, {n}, "i64", {seed = H.seed + 1}):to "f64"
    local length = (a * a + b * b):sqrt() -- squares and sum are exact, so it is the nearest number
    for _, scale in ipairs {1, 0x1p-600, 0x1p+900} do
      local got = (a * scale):hypot(b * scale) / scale
      assert.is_true((got - length):abs():le(length * 0x1p-52):all(), "seed " .. H.seed)
      assert.is_true(got:ne(length):sum() <= n / 40, "seed " .. H.seed)
    end
  end)

  it("of zeros have a sign, and NaN has none", function()
    for _, dtype in ipairs {"f16", "bf16", "f32", "f64"} do
      local x = nd.array({0, -0.0, 1, -1, -1 / 0}, dtype)
      assert.same({false, true, false, true, true}, x:signbit():totable())
      assert.same({0, 0, 1, -1, -1}, x:sign():totable())
      assert.is_true(nd.array({0 / 0}, dtype):sign():isnan():all())
    end
  end)

  it("of products and sums in one are rounded once", function()
    for dtype, little in pairs {f32 = 2 ^ -15, f64 = 2 ^ -30} do
      local one = nd.ones({40}, dtype)
      each_layout(one + little, function(x)
        assert.is_true(x:fma(one[{{1, x.size}}] - little, -1):eq(-little * little):all())
      end)
    end
  end)

  it("let NaN and what is within them through", function()
    for _, dtype in ipairs {"f32", "f64"} do
      local x = nd.array({0 / 0, 1 / 0, -1 / 0, 0, -0.0, 1, -1}, dtype)
      for _, op in ipairs {"sin", "cos"} do
        local y = x[op](x):totable()
        assert.is_true(y[1] ~= y[1] and y[2] ~= y[2] and y[3] ~= y[3])
        assert.is_true(math.abs(y[6] - math[op](1)) < 1e-6 and math.abs(y[7] - math[op](-1)) < 1e-6)
      end
      assert.equal(-1 / 0, 1 / x:sin()[5])
      assert.equal(1, x:cos()[4])
    end
  end)
end)
