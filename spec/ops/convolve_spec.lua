-- Convolution and correlation against NumPy: exact where numbers are small and whole, and of
-- integers; within rounding where lines are long enough for Fourier transforms.
local nd = require "ndbuf"
local H = require "spec.helper"
local any = require "spec.ops.arrays"
local cases = require "spec.ops.cases"
local compare = require "spec.lua.compare"

local ORACLE = "spec/ops/convolve_oracle.py"
local PLAIN, MODES = compare.PLAIN, {"full", "same", "valid"}
local DEFAULT = {convolve = "full", correlate = "valid"}

-- ---- what NumPy gives ----

local function two_dtypes(rng)
  local a, b = PLAIN[rng(#PLAIN)], PLAIN[rng(#PLAIN)]
  if rng(3) > 1 or not pcall(nd.mul, nd.empty({0}, a), nd.empty({0}, b)) then b = a end
  return a, b
end

-- So few that no transform is less work: their sums are exact.
local function extents(rng)
  local n, m = rng(3) == 1 and rng(150) or rng(9), rng(15)
  if rng(2) == 1 then n, m = m, n end
  return n, m
end

local function call(rng, name, mode, a, b)
  local given = rng(3) > 1 and mode == DEFAULT[name] and nil or {mode = mode}
  local result = rng(2) == 1 and nd[name](a, b, given) or a[name](a, b, given)
  if rng(3) == 1 then
    local out = cases.layouts[cases.LAYOUTS[rng(5)]](nd.zeros(result.shape, result.dtype))
    assert.equal(out, nd[name](a, b, {mode = mode, out = out}))
    assert.is_true(out:equal(result))
    result = out
  end
  return result.dtype:find "[fc]" and result + 0 or result
end

local makers = {}
for name in pairs(DEFAULT) do
  makers[name] = function(rng)
    local da, db = two_dtypes(rng)
    local mode = MODES[rng(3)]
    local n, m = extents(rng)
    local a, b = compare.array(rng, da, {n}), compare.array(rng, db, {m})
    if rng(12) == 1 then b = compare.array(rng, da, {}) end
    return {words = {mode}, arrays = {a, b},
      call = function() return call(rng, name, mode, a, b) end}
  end
end

describe("convolutions", function()
  it("give what NumPy gives", function()
    compare.run(makers, H.rng "convolve", 800, ORACLE)
  end)

  it("of integers wrap around, also of long lines", function()
    local wrapping = {}
    for name in pairs(DEFAULT) do
      wrapping[name] = function(rng)
        local dtype = ({"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"})[rng(8)]
        local n, m, mode = rng(3) == 1 and rng(3000) or rng(300), rng(300), MODES[rng(3)]
        local a = any.make(rng, any.LAYOUTS[rng(6)], {n}, dtype)
        local b = any.make(rng, any.LAYOUTS[rng(6)], {m}, dtype)
        return {words = {mode}, arrays = {a, b},
          call = function() return nd[name](a, b, {mode = mode}) end}
      end
    end
    compare.run(wrapping, H.rng "wrapping", 100, ORACLE)
  end)
end)

-- ---- long lines ----

local function random(rng, n, dtype)
  local a = nd.normal({n}, "f64", {seed = rng(1e6)}):astype(dtype)
  if dtype:find "^c" then a.imag:copy_from(nd.normal({n}, "f64", {seed = rng(1e6)})) end
  return a
end

-- All elements of the convolution, in f64 or c128, by sums of the shorter line's elements.
local function plain(a, b)
  if a.size < b.size then a, b = b, a end
  local wide = a.dtype:find "^c" and "c128" or "f64"
  local out = nd.zeros({a.size + b.size - 1}, wide)
  a, b = a:astype(wide), b:astype(wide)
  for i = 1, b.size do out:narrow(1, i, a.size):add_(a * b:narrow(1, i, 1)) end
  return out
end

local function part(full, mode, n, m)
  if n < m then n, m = m, n end
  if mode == "full" then return full end
  if mode == "same" then return full:narrow(1, math.floor((m - 1) / 2) + 1, n) end
  return full:narrow(1, m, n - m + 1)
end

local function conjugate(a)
  local out = a:clone()
  if a.dtype:find "^c" then out.imag:neg_() end
  return out
end

describe("convolutions of long lines", function()
  local SIZES = {{5000, 300}, {300, 5000}, {3000, 3000}, {20000, 70}, {9000, 1200}, {1000, 999},
                 {100000, 40}, {64, 64}, {4096, 2048}}

  it("have an error of a few units of both lines' size, in every dtype and mode", function()
    local rng = H.rng "long"
    for _, sizes in ipairs(H.some(SIZES, 2)) do
      local dtype, mode = ({"f32", "f64", "c64", "c128"})[rng(4)], MODES[rng(3)]
      local a, b = random(rng, sizes[1], dtype), random(rng, sizes[2], dtype)
      local unit = (dtype == "f32" or dtype == "c64") and 2 ^ -24 or 2 ^ -53
      local bound = unit * 30 * a:astype "c128":abs():square():sum() ^ 0.5
        * b:astype "c128":abs():square():sum() ^ 0.5
      local wanted = part(plain(a, b), mode, a.size, b.size)
      local got = a:convolve(b, {mode = mode})
      assert.equal(dtype, got.dtype)
      assert.is_true((got:astype(wanted.dtype) - wanted):abs():max() <= bound)
      -- a correlation is a convolution with the conjugate, backwards
      got = a:correlate(conjugate(b):flip(1), {mode = "full"})
      assert.is_true((got:astype(wanted.dtype) - plain(a, b)):abs():max() <= bound)
    end
  end)

  it("keep NaN and infinities where they are", function()
    for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
      local a, b = nd.ones({20000}, dtype), nd.ones({500}, dtype)
      a[7000] = 0 / 0
      local got = a:convolve(b)
      assert.equal(500, got:isnan():sum())
      assert.is_true(got:narrow(1, 7000, 500):isnan():all())
      if not dtype:find "c" then
        a[7000] = 1 / 0
        got = a:convolve(b)
        assert.equal(0, got:isnan():sum())
        assert.is_true(got:narrow(1, 7000, 500):isinf():all())
        assert.equal(500, got:isinf():sum())
      end
    end
    local large = nd.full({5000}, 1e300):convolve(nd.full({500}, 1e8)) -- too large in a transform
    assert.is_true((large:narrow(1, 500, 10) / 5e310):isinf():all() or large:isfinite():any())
  end)

  -- The errors of convolutions and the direct sum, in units of both lines' size.
  -- They are scaled, so that no square is subnormal.
  local function error_of(a, b, scale_a, scale_b)
    local unit = (a.dtype == "f32" or a.dtype == "c64") and 2 ^ -24 or 2 ^ -53
    local wanted, got = plain(a, b), a:convolve(b)
    local function size(x, scale)
      return (x:astype(wanted.dtype):abs() / scale):square():sum() ^ 0.5
    end
    local worst = (got:astype(wanted.dtype) - wanted):abs():max() / scale_a / scale_b
    return worst / (unit * size(a, scale_a) * size(b, scale_b))
  end

  it("are as exact where one of the lines is near the subnormal numbers", function()
    local rng = H.rng "tiny"
    for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
      local is_narrow = dtype == "f32" or dtype == "c64"
      local large, tiny = is_narrow and 2 ^ 66 or 2 ^ 500, is_narrow and 2 ^ -135 or 2 ^ -1055
      for _, scales in ipairs {{large, tiny}, {tiny, large}} do
        local a, b = random(rng, 5000, dtype) * scales[1], random(rng, 500, dtype) * scales[2]
        local units = error_of(a, b, unpack(scales))
        assert(units < 10, ("%s: %g units"):format(dtype, units))
      end
      local x, y = random(rng, 5000, dtype) * tiny, random(rng, 500, dtype) * tiny
      assert.is_true(x:convolve(y):eq(0):all())
    end
  end)

  it("have few elements of the shorter line that are not finite where direct sums have them",
    function()
      local rng = H.rng "odd"
      for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
        for _, count in ipairs {1, 3, 40} do -- the last one is done directly
          local a, b = random(rng, 3000, dtype), random(rng, 700, dtype)
          for _ = 1, count do b[rng(700)] = ({0 / 0, 1 / 0, -1 / 0})[rng(3)] end
          a[rng(3000)] = 0
          local mode = MODES[rng(3)]
          local got, wanted = a:convolve(b, {mode = mode}), part(plain(a, b), mode, 3000, 700)
          for _, name in ipairs(dtype:find "c" and {"real", "imag"} or {"real"}) do
            local x = name == "real" and not dtype:find "c" and got or got[name]
            local y = name == "real" and not dtype:find "c" and wanted or wanted[name]
            x = x:astype "f64"
            assert.is_true(x:isnan():equal(y:isnan()))
            assert.is_true((x - y):abs():lt(1e-3):logical_or(x:eq(y)):logical_or(x:isnan()):all())
          end
        end
      end
    end)

  it("have the same bits for any number of threads", function()
    local before = nd.info().threads
    local rng = H.rng "threads"
    for _, c in ipairs(H.some({{"f64", 300000, 700}, {"c64", 200000, 50}, {"i32", 400000, 30},
                               {"f32", 500000, 9}, {"f64", 100000, 100000}}, 2)) do
      local a, b = random(rng, c[2], "f64"), random(rng, c[3], "f64")
      a, b = (a * 9):astype(c[1]), (b * 9):astype(c[1])
      nd.set_threads(1)
      local one = a:convolve(b):copyout()
      for _, count in ipairs {2, 3, 7} do
        nd.set_threads(count)
        assert(one == a:convolve(b):copyout(), c[1] .. " " .. count)
      end
    end
    nd.set_threads(before)
  end)
end)

-- ---- dtypes, operands, errors ----

describe("convolutions and transforms of arrays on a GPU", function()
  it("are refused, and say so", function()
    local driver = H.quote(H.build .. "/cudasim/libcuda.so.1")
    local status, out, err = H.luajit_with("NDBUF_CUDA=1 NDBUF_CUDA_DRIVER=" .. driver, [[
      local nd = require "ndbuf"
      local a = nd.ones({4, 8}):to "cuda"
      for name, call in pairs {
        fft = function() return nd.fft.fft(a) end,
        rfftn = function() return nd.fft.rfftn(a, {4, 4}) end,
        convolve = function() return a[1]:convolve(a[2]) end,
      } do
        local fine, e = pcall(call)
        assert(not fine and e.code == "unsupported", tostring(e))
        assert(e.message:find(name .. " is not supported on cuda:0", 1, true), e.message)
      end
      local fine, e = pcall(nd.convolve, {1, 2}, a[1])
      assert(not fine and e.code == "unsupported")
      fine, e = pcall(nd.fft.fft, {1, 2}, {out = nd.zeros({2}, "c128", "cuda")})
      assert(not fine and e.code == "unsupported")
      assert(nd.fft.fftshift(a).device == "cuda:0")]])
    assert.equal("", out .. err)
    assert.equal(0, status)
  end)
end)

describe("a convolution", function()
  it("of small floats is computed in f32", function()
    for _, dtype in ipairs {"f16", "bf16", "f8e4m3", "f8e5m2"} do
      local a = nd.normal({40}, "f32", {seed = 1}):astype(dtype)
      local b = nd.normal({7}, "f32", {seed = 2}):astype(dtype)
      assert.is_true(a:convolve(b):equal(a:astype "f32":convolve(b:astype "f32"):astype(dtype)))
    end
  end)

  it("takes tables and values", function()
    assert.same({3, 10, 8}, nd.convolve({1, 2}, {3, 4}):totable())
    assert.same({2, 4}, nd.convolve(nd.f64(2), {1, 2}):totable())
    assert.same({11}, nd.correlate({1, 2}, {3, 4}):totable())
    assert.equal("i16", nd.i8 {1, 2}:convolve(nd.u8 {1}).dtype)
  end)

  it("may be written to an operand and to another dtype", function()
    local a = nd.arange(1, 5)
    local wanted = a:convolve({1, 2}, {mode = "same"})
    assert.equal(a, a:convolve({1, 2}, {mode = "same", out = a}))
    assert.is_true(a:equal(wanted))
    local room = nd.normal({9040}, "f64", {seed = 3})
    for from = 1, 40 do
      local weights, all = nd.normal({9}, "f64", {seed = from}), room:clone()
      local line, out = all:narrow(1, 20, 9000), all:narrow(1, from, 9000)
      local clean = line:convolve(weights, {mode = "same"})
      assert.is_true(line:convolve(weights, {mode = "same", out = out}):equal(clean))
    end
    local whole = nd.empty({6}, "i8")
    nd.convolve(nd.arange(1, 5) * 100, {1, 1}, {out = whole})
    assert.same({100, 127, 127, 127, 127, 127}, whole:totable())
  end)

  it("of complex numbers has the conjugate of the second one, whichever is longer", function()
    local a, b = nd.c128 {1, 2, 3}, nd.c128 {4, 5, 6, 7, 8}
    a.imag:copy_from {3, -1, 2}
    b.imag:copy_from {1, 0, 2, -3, 5}
    local other = b:correlate(a, {mode = "full"}):conj():flip()
    assert.is_true(a:correlate(b, {mode = "full"}):equal(other))
    assert.is_true(a:conj():convolve(b, {mode = "full"}):equal(b:convolve(a:conj())))
    assert.is_true(a:correlate(b, {mode = "full"}):equal(a:convolve(b:conj():flip())))
  end)

  it("leaves its operands alone", function()
    for _, dtype in ipairs {"f64", "c64", "i16"} do
      local a, b = nd.ones({300}, dtype), nd.ones({100}, dtype)
      if dtype == "c64" then b.imag:fill(2) end
      local x, y = a:clone(), b:clone()
      a:convolve(b)
      a:correlate(b)
      b:correlate(a)
      assert.is_true(a:equal(x) and b:equal(y))
    end
  end)

  it("is refused with what is wrong", function()
    local refused = H.raises_saying
    local a = nd.ones(3)
    refused("shape_mismatch", "convolve: operand 1 (2x3) is not 1-D", nd.convolve, nd.ones(2, 3), a)
    refused("shape_mismatch", "correlate: operand 2 (1x3)", nd.correlate, a, nd.ones(1, 3))
    refused("invalid_argument", "convolve: operand 2 is empty", nd.convolve, a, {})
    refused("invalid_argument", "correlate: operand 1 is empty", nd.correlate, nd.empty {0}, a)
    refused("invalid_argument", "none of full, same, valid", nd.convolve, a, a, {mode = "none"})
    refused("shape_mismatch", "the result of (3) and (2) has 4 elements, but out has shape (3)",
      nd.convolve, a, {1, 2}, {out = a})
    refused("type_mismatch", "no common dtype", nd.convolve, nd.ones({2}, "i64"),
      nd.ones({2}, "u64"))
    refused("type_mismatch", "", nd.convolve, nd.ones({2}, "c64"), a, {out = nd.zeros(4)})
    refused("type_mismatch", "cannot be written to i32", nd.convolve, nd.ones({2}, "i64"), a,
      {out = nd.zeros({4}, "i32")})
    refused("read_only", "read-only", nd.convolve, a, {1}, {out = a:readonly_view()})
    refused("invalid_argument", "no option", nd.convolve, a, a, {axis = 1})
    refused("type_mismatch", "a: expected an array", nd.convolve, 1, a)
  end)
end)
