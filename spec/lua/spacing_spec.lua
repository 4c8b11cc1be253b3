-- logspace, geomspace and linspace of complex numbers.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local complex = ffi.typeof "complex"

-- A positive double of any exponent, some subnormal, some near the one given.
local function random_end(rng, near)
  if near and rng(4) == 1 then return near * (1 + rng(-9, 9) * 2 ^ -50) end
  if rng(4) == 1 then return rng(1, 1000) end
  return math.ldexp(0.5 + rng() / 2, rng(-1073, 1023))
end

local function parts(z) return {z.re, z.im} end

describe("geomspace", function()
  it("is within 5 units in the last place of the exact numbers, whatever the ends", function()
    local rng, lines = H.rng "geomspace", {}
    for i = 1, H.cases(1000) do
      local first = random_end(rng)
      local last = random_end(rng, first)
      if i == 1 then first, last = 1e-320, 1e-300 end
      if rng(2) == 1 then first, last = -first, -last end
      local n = rng(6, 12)
      local out = nd.geomspace(first, last, n)
      assert.equal(n, out.size)
      assert.equal(first, out[1])
      assert.equal(last, out[n])
      local words = {("%a"):format(first), ("%a"):format(last), n}
      for k = 1, n do words[k + 3] = ("%a"):format(out[k]) end
      lines[i] = table.concat(words, " ")
    end
    for i, answer in ipairs(common.ask("spec/lua/spacing_oracle.py", lines)) do
      assert.is_true(tonumber(answer[1]) <= 5, answer[1] .. " units: " .. lines[i])
    end
  end)

  it("never leaves its ends, nor goes back", function()
    local rng = H.rng "monotonic"
    for _ = 1, H.cases(500) do
      local first = rng(2) == 1 and random_end(rng) or 1 + rng(-3, 3) * 2 ^ -53 -- around 2^0
      local last = first * (1 + rng(-40, 40) * 2 ^ -52)
      local out = nd.geomspace(first, last, rng(2, 20))
      local low, high = math.min(first, last), math.max(first, last)
      assert.is_true(out:ge(low):all() and out:le(high):all())
    end
    local up = nd.geomspace(0x1.ffffffffffffep-1, 1, 10)
    assert.is_true(up:le(1):all())
    assert.is_true(nd.geomspace(1, 0x1.ffffffffffffep-1, 10):ge(0x1.ffffffffffffep-1):all())
    for _, ends in ipairs {{1, 1e6}, {7, 3}, {5e-324, 1.7e308}} do
      local out = nd.geomspace(ends[1], ends[2], 1000)
      local steps = out"2:" - out":-2"
      assert.is_true((ends[1] < ends[2] and steps:gt(0) or steps:lt(0)):all())
    end
  end)

  it("has exact powers of ten and two", function()
    assert.same({1, 10, 100, 1000}, nd.geomspace(1, 1000, 4):totable())
    assert.same({1e300, 1, 1e-300}, nd.geomspace(1e300, 1e-300, 3):totable())
    assert.same({1, 2, 4, 8, 16}, nd.geomspace(1, 16, 5):totable())
    assert.same({3, 12, 48}, nd.geomspace(3, 48, 3):totable())
    local out = nd.geomspace(1e-307, 1e308, 616)
    for i = 1, 616 do assert.equal(tonumber("1e" .. i - 308), out[i]) end
  end)

  it("of complex ends goes along a ray or a spiral", function()
    local out = nd.geomspace(1i, 16i, 5)
    assert.equal("c128", out.dtype)
    assert.same({0, 0, 0, 0, 0}, out.real:totable())
    assert.same({1, 2, 4, 8, 16}, out.imag:totable())
    out = nd.geomspace(complex(-1, 0), complex(-16, 0), 5, "c64")
    assert.equal("c64", out.dtype)
    assert.same({-1, -2, -4, -8, -16}, out.real:totable())
    assert.same({0, 0, 0, 0, 0}, out.imag:totable())
    local wanted = common.lines_of(H.write(H.path "spiral", H.python [[
import numpy as np
for a, b in ((1+1j, -3+2j), (-1+0j, 1+0j), (1e300+1e300j, 1e-300-1e-300j), (2-2j, 5)):
    for z in np.geomspace(a, b, 7): print(z.real.hex(), z.imag.hex(), sep='\t')
]]))
    local at = 0
    for _, ends in ipairs {{complex(1, 1), complex(-3, 2)}, {complex(-1, 0), complex(1, 0)},
                           {complex(1e300, 1e300), complex(1e-300, -1e-300)},
                           {complex(2, -2), 5}} do
      out = nd.geomspace(ends[1], ends[2], 7)
      for k = 1, 7 do
        local re, im = tonumber(wanted[at + k][1]), tonumber(wanted[at + k][2])
        local size = math.max(math.abs(re), math.abs(im))
        assert.is_true(math.abs(out[k].re - re) <= 1e-12 * size, tostring(out[k]))
        assert.is_true(math.abs(out[k].im - im) <= 1e-12 * size, tostring(out[k]))
      end
      assert.same(parts(complex(ends[1])), parts(out[1]))
      assert.same(parts(complex(ends[2])), parts(out[7]))
      at = at + 7
    end
  end)

  it("converts, rounding to integers, and takes any n", function()
    assert.same({1, 3, 10}, nd.geomspace(1, 10, 3, "i32"):totable())
    assert.same({"f32", 3}, {nd.geomspace(1, 10, 3, {dtype = "f32"}).dtype, 3})
    assert.same({5}, nd.geomspace(5, 10, 1):totable())
    assert.equal(0, nd.geomspace(5, 10, 0).size)
    assert.same({2, 3}, parts(nd.geomspace(complex(2, 3), 1, 1)[1]))
    assert.equal(nd.ones(1).device, nd.geomspace(1, 2, 3, "cpu").device)
    assert.same({4, 8}, nd.geomspace(4LL, 8ULL, 2):totable())
  end)

  it("refuses ends that are 0, infinite or of different signs", function()
    H.raises_like("invalid_argument", "first: geomspace: 0 is not", nd.geomspace, 0, 1, 3)
    H.raises_like("invalid_argument", "last: geomspace: 0 is not", nd.geomspace, 1, 0, 3)
    H.raises_like("invalid_argument", "%-1 and 1 have different signs", nd.geomspace, -1, 1, 3)
    H.raises_like("invalid_argument", "last: geomspace: inf is not", nd.geomspace, 1, 1 / 0, 3)
    H.raises_like("invalid_argument", "first: geomspace: 1%+?nani", nd.geomspace,
      complex(1, 0 / 0), 1, 3)
    H.raises("invalid_argument", nd.geomspace, 1, 2, -1)
    H.raises_like("type_mismatch", "i32 holds no complex", nd.geomspace, 1, 2i, 3, "i32")
    H.raises_like("type_mismatch", "first: expected a number", nd.geomspace, "1", 2, 3)
    H.raises("invalid_argument", nd.geomspace, 1, 2, 3, {base = 2})
  end)
end)

describe("logspace", function()
  it("has a base of 10 unless told", function()
    assert.same({1, 10, 100, 1000}, nd.logspace(0, 3, 4):totable())
    assert.same({0.25, 1, 4}, nd.logspace(-2, 2, 3, {base = 2}):totable())
    assert.same({1, 2, 4, 8}, nd.logspace(0, 3, 4, "i32", {base = 2}):totable())
    assert.equal("f32", nd.logspace(0, 3, 4, "f32").dtype)
    assert.same({1, 3, 9}, nd.logspace(0, 2, 3, {base = 3ULL, dtype = "u8"}):totable())
    assert.equal(1 / 0, nd.logspace(0, 400, 2)[2])
    assert.equal(0, nd.logspace(0, 400, 0).size)
  end)

  it("is within 4 units of the power, and refuses bases of 0 and below", function()
    local out, exponents = nd.logspace(-5, 5, 1000, {base = 1.7}), nd.linspace(-5, 5, 1000)
    for i = 1, 1000 do
      assert.is_true(math.abs(out[i] / 1.7 ^ exponents[i] - 1) <= 2 ^ -50)
    end
    for _, base in ipairs {0, -1, 1 / 0, 0 / 0} do
      H.raises_like("invalid_argument", "base: ", nd.logspace, 0, 1, 3, {base = base})
    end
    H.raises_like("type_mismatch", "base: expected a number", nd.logspace, 0, 1, 3, {base = "2"})
    H.raises("invalid_argument", nd.logspace, 0, 1, 3, {bsae = 2})
    H.raises_like("invalid_argument", "last: logspace: inf is not finite", nd.logspace, 0, 1 / 0, 3)
    H.raises_like("invalid_argument", "first: logspace: nan is", nd.logspace, 0 / 0, 1, 3)
  end)
end)

describe("linspace", function()
  it("refuses ends that are not finite", function()
    H.raises_like("invalid_argument", "last: linspace: nan is not finite", nd.linspace, 0, 0 / 0, 3)
    H.raises_like("invalid_argument", "first: linspace: %-inf is not", nd.linspace, -1 / 0, 0, 3)
    H.raises_like("invalid_argument", "last: linspace: inf", nd.linspace, 0, complex(0, 1 / 0), 3)
  end)
end)

describe("linspace of complex ends", function()
  it("spaces the parts as those of reals", function()
    local rng = H.rng "complex"
    for _ = 1, H.cases(200) do
      local a, b = complex(rng(-9, 9), rng() * 1e300), complex(rng(), -1e300)
      local n = rng(0, 20)
      local out = nd.linspace(a, b, n)
      assert.equal("c128", out.dtype)
      assert.is_true(out.real:equal(nd.linspace(a.re, b.re, n)))
      assert.is_true(out.imag:equal(nd.linspace(a.im, b.im, n)))
    end
    assert.equal("c64", nd.linspace(1, 2i, 3, "c64").dtype)
    assert.equal("c64", nd.linspace(1, 2i, 3, {dtype = nd.c64, device = "cpu"}).dtype)
    assert.same({0.5, 1}, parts(nd.linspace(1, 2i, 3, "cpu")[2]))
  end)

  it("refuses real dtypes and ends that are not finite", function()
    H.raises_like("type_mismatch", "f32 holds no complex", nd.linspace, 1, 2i, 3, "f32")
    H.raises("invalid_argument", nd.linspace, 1, complex(0, 1 / 0), 3)
    H.raises("invalid_argument", nd.linspace, 1i, 2, -1)
    H.raises_like("type_mismatch", "expected a number", nd.linspace, 1i, "x", 3)
    H.raises("invalid_argument", nd.linspace, 1i, 2, 3, "c64", "cpu", {}, 1)
  end)
end)
