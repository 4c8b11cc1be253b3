-- Ranges against decimal fractions and Python's integers (spec/ops/ranges_oracle.py).
local nd = require "ndbuf"
local H = require "spec.helper"

-- Arguments of a call as source, and what comes of them, for each case of a kind.
local function cases(kind, count)
  local text = H.python("spec/ops/ranges_oracle.py", kind, H.seed, H.cases(count))
  local left = H.cases(count)
  return coroutine.wrap(function()
    for arguments, wanted in text:gmatch "([^;\n]+);([^\n]*)\n" do
      coroutine.yield(arguments, wanted)
      left = left - 1
    end
    assert.equal(0, left)
  end)
end

local function call(make, arguments) return make(assert(loadstring("return " .. arguments))()) end
local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

describe("arange", function()
  it("has as many elements as the decimal numbers have", function()
    for arguments, wanted in cases("decimals", 20000) do
      assert.equal(tonumber(wanted), call(nd.arange, arguments).size, arguments)
    end
    assert.same({100, 100.1, 100.2, 100.3}, nd.arange(100, 100.3, 0.1):totable())
    assert.same({9, 9.2}, nd.arange(9, 9.2, 0.2):totable())
    assert.equal(10001, nd.arange(-5e-7, 5e-7, 1e-10).size)
  end)

  it("of integers is exact beyond 2^53, in every dtype", function()
    for arguments, wanted in cases("integers", 2000) do
      assert.equal(wanted, hex(call(nd.arange, arguments):copyout()), arguments)
    end
    H.raises("invalid_argument", nd.arange, 1LL, 2LL, 0LL)
    H.raises("overflow", nd.arange, -0x7fffffffffffffffLL, 0xffffffffffffffffULL, 1)
    H.raises("not_representable", nd.arange, 0.5, 9007199254740993LL)
    assert.same({0, 0.5, 1}, nd.arange(0LL, 1LL, 0.5):totable())
  end)

  it("does not overflow on the way", function()
    assert.same({1.7e308}, nd.arange(1.7e308, 1.7e308, 5e-324):totable())
    assert.same({-1e308, 0, 1e308}, nd.arange(-1e308, 1e308, 1e308):totable())
    local a = nd.arange(-1.6e308, 1.6e308, 0.8e308)
    assert.is_true(nd.allclose(a, nd.array {-1.6e308, -0.8e308, 0, 0.8e308, 1.6e308}, 1e-15))
    assert.same({1.7e308, 0, -1.7e308}, nd.arange(1.7e308, -1.7e308, -1.7e308):totable())
    assert.equal(2, nd.arange(1.5e308, 1.7e308, 1e307 * 2).size)
  end)

  it("has no more elements than its ends allow, whose last place is above the step", function()
    assert.equal(5, nd.arange(1e16, 1e16 + 2, 0.5).size)
    assert.equal(1, nd.arange(1e20, 1e20, 1e-5).size)
    assert.equal(0, nd.arange(1e16 + 2, 1e16, 0.5).size)
  end)
end)

describe("linspace", function()
  it("has both ends exactly, never goes back, and is near the exact numbers", function()
    for arguments, wanted in cases("spaced", 1000) do
      local a = call(nd.linspace, arguments)
      local bytes = wanted:gsub("..", function(c) return string.char(tonumber(c, 16)) end)
      local exact = nd.frombytes(bytes, "f64")
      local n = a.size
      assert.equal(exact.size, n)
      assert.is_true(a[1] == exact[1] and a[n] == exact[n], arguments)
      local allowed = math.max(math.abs(exact[1]), math.abs(exact[n])) * 2 ^ -50 + 2 ^ -1073
      for i = 1, n do
        assert.is_true(math.abs(a[i] - exact[i]) <= allowed, arguments)
        local step = i == 1 and 0 or a[i] - a[i - 1]
        local goes_on = step == 0 or (step > 0) == (a[n] > a[1])
        assert.is_true(goes_on, arguments)
      end
    end
    assert.same({-1e308, 0, 1e308}, nd.linspace(-1e308, 1e308, 3):totable())
    assert.same({1, 1 + 2 ^ -52}, nd.linspace(1, 1 + 2 ^ -52, 5)["1:-1:4"]:totable())
  end)

  it("of integers is rounded, to even ones from the middle, and exact beyond 2^53", function()
    for arguments, wanted in cases("spaced_integers", 2000) do
      assert.equal(wanted, hex(call(nd.linspace, arguments):copyout()), arguments)
    end
    assert.same({0, 0, 1, 2, 2}, nd.linspace(0, 2, 5, "i32"):totable())
    H.raises("not_representable", nd.linspace, 0, 9007199254740993LL, 3)
  end)

  it("into integers is rounded between other ends too", function()
    local rng = H.rng "linspace into integers"
    for _ = 1, H.cases(300) do
      local first, last, n = rng(-5000, 5000) / 100, rng(-5000, 5000) / 100, rng(2, 200)
      local wide = nd.linspace(first, last, n)
      for _, dtype in ipairs {"i8", "i16", "i32", "i64"} do
        assert.is_true(nd.linspace(first, last, n, dtype):equal(wide:round():astype(dtype)))
      end
    end
    assert.same({0, 3}, nd.linspace(-0.4, 2.5001, 2, "u8"):totable())
  end)
end)
