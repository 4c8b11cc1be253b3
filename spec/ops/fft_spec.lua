-- Fourier transforms against sums in long double: every length up to 200, primes and powers beyond,
-- axes, lengths that cut or fill up, norms, dtypes, layouts; what holds of all of them; threads.
local nd = require "ndbuf"
local H = require "spec.helper"
local any = require "spec.ops.arrays"
local cases = require "spec.ops.cases"
local common = require "spec.bind.common"

local ORACLE = "spec/ops/fft_oracle.py"
local LINES = {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft"}
local PLAIN = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64",
               "c64", "c128"}
local NARROW = {f16 = true, bf16 = true, f8e4m3 = true, f8e5m2 = true, f32 = true, c64 = true}

local function is_from_real(name) return name:find "^rfft" or name == "ihfft" end
local function is_to_real(name) return name:find "^irfft" or name == "hfft" end

local function result_dtype(name, dtype)
  if is_to_real(name) then return NARROW[dtype] and "f32" or "f64" end
  return NARROW[dtype] and "c64" or "c128"
end

-- {=== against the oracle ===}

local function list_text(list, by)
  local out = {}
  for i, x in ipairs(list or {}) do out[i] = x + by end
  return #out == 0 and "-" or table.concat(out, ",")
end

local function line_of(c)
  local axes = {}
  for i, axis in ipairs(c.axes) do axes[i] = axis < 0 and axis + c.a.ndim or axis - 1 end
  return table.concat({c.name, list_text(c.lengths, 0), list_text(axes, 0), c.norm or "backward",
    c.a.dtype, common.shape_text(c.a.shape), common.hex(c.a:copyout())}, "\t")
end

local function norm_of(x) return math.sqrt((x:abs() ^ 2):sum()) end

-- The error of 'got' in units of the rounding of its dtype, of the norm and a pass over the data.
local function error_of(got, wanted, points)
  local unit = NARROW[got.dtype] and 2 ^ -24 or 2 ^ -53
  local norm = norm_of(wanted)
  local apart = norm_of(got:astype(wanted.dtype) - wanted)
  return apart == 0 and 0 or apart / norm / unit / (1 + math.log(points) / math.log(2))
end

local function points_of(c)
  local n = 1
  for i, axis in ipairs(c.axes) do
    n = n * (c.lengths and c.lengths[i] or 2 * c.a:dim(axis))
  end
  return math.max(n, 1)
end

local function check(c, answer)
  local what = ("seed %d: %s %s %s %s"):format(H.seed, c.name, table.concat(c.a.shape, "x"),
    list_text(c.lengths, 0), c.a.dtype)
  local got = c.call()
  assert.equal(result_dtype(c.name, c.a.dtype), got.dtype, what)
  assert.equal(answer[1], common.shape_text(got.shape), what)
  if got.size == 0 then return end
  local wanted = nd.frombytes(any.unhex(answer[2]), is_to_real(c.name) and "f64" or "c128")
  local e = error_of(got, wanted:reshape(got.shape), points_of(c))
  assert(e < 1.5, ("%s: an error of %g"):format(what, e))
end

-- Each case: name, a, axes, lengths (or nil), norm (or nil), and the call.
local function ask(list)
  local lines = {}
  for i, c in ipairs(list) do lines[i] = line_of(c) end
  for i, answer in ipairs(common.ask(ORACLE, lines)) do check(list[i], answer) end
end

local function random(rng, shape, dtype)
  local a = nd.normal(shape, "f64", {seed = rng(1e6)})
  if dtype == "bool" then return a:gt(0) end
  if not dtype:find "^[fc]" then return (a * 30):astype(dtype) end
  local out = a:astype(dtype)
  if dtype:find "^c" then out.imag:copy_from(nd.normal(shape, "f64", {seed = rng(1e6)})) end
  return out
end

local function line_case(rng, name, n, dtype)
  local len = is_to_real(name) and math.floor(n / 2) + 1 or n
  local a = random(rng, {len}, dtype)
  return {name = name, a = a, axes = {1}, lengths = is_to_real(name) and {n} or nil,
    call = function() return is_to_real(name) and nd.fft[name](a, n) or nd.fft[name](a) end}
end

local function dtype_for(rng, name)
  if is_from_real(name) then return ({"f32", "f64"})[rng(2)] end
  return ({"f32", "f64", "c64", "c128", "c64", "c128"})[rng(6)]
end

describe("transforms of lines", function()
  it("of every length up to 200 are right", function()
    local rng, list = H.rng "lengths", {}
    for n = 1, 200 do
      for _, name in ipairs(LINES) do
        list[#list + 1] = line_case(rng, name, n, dtype_for(rng, name))
      end
    end
    ask(H.some(list, 100))
  end)

  it("of primes, powers, and twice a prime are right", function()
    local rng, list = H.rng "primes", {}
    for _, n in ipairs {211, 251, 256, 257, 343, 512, 625, 729, 1000, 1009, 1024, 1331, 2 * 1009,
                        2048, 2187, 2197, 2401, 3 * 1024, 3125, 61 * 61, 61 * 59, 67 * 32, 4096,
                        4 * 1021, 2 * 4099, 5040, 15 * 1024, 16384} do
      local name = LINES[rng(#LINES)]
      list[#list + 1] = line_case(rng, name, n, dtype_for(rng, name))
      list[#list + 1] = line_case(rng, "fft", n, rng(2) == 1 and "c64" or "c128")
    end
    ask(H.some(list, 10))
  end)
end)

local NORMS = {"backward", "ortho", "forward"}

-- A transform along one axis, of any dtype and layout.
local function any_line(rng)
  local name = LINES[rng(#LINES)]
  local dtype = PLAIN[rng(is_from_real(name) and #PLAIN - 2 or #PLAIN)]
  local shape = {}
  for i = 1, rng(3) do shape[i] = rng(3) == 1 and rng(20) or rng(6) end
  if rng(10) == 1 then shape[rng(#shape)] = 0 end
  local axis = rng(2) == 1 and rng(#shape) or -rng(#shape)
  local len = shape[axis < 0 and axis + #shape + 1 or axis]
  local needs_length = len == 0 or is_to_real(name) and len < 2
  local n = (needs_length or rng(2) == 1) and rng(14) or nil
  local a = cases.layouts[cases.LAYOUTS[rng(5)]](random(rng, shape, dtype))
  if rng(4) == 1 and a.size > 0 then -- one line in the place of all
    for i = 1, #shape do
      if i ~= (axis < 0 and axis + #shape + 1 or axis) then a = a:narrow(i, 1, 1) end
    end
    a = a:expand(shape)
  end
  local norm = rng(2) == 1 and NORMS[rng(3)] or nil
  local call = function()
    if rng(2) == 1 then return nd.fft[name](a, {n = n, axis = axis, norm = norm}) end
    return nd.fft[name](a, n, axis, norm and {norm = norm})
  end
  return {name = name, a = a, axes = {axis}, lengths = n and {n}, norm = norm, call = call}
end

local function shuffled(rng, n)
  local out = {}
  for i = 1, n do table.insert(out, rng(i), i) end
  return out
end

-- Of both axes, or of several.
local function any_axes(rng)
  local base = ({"fft", "ifft", "rfft", "irfft"})[rng(4)]
  local shape = {}
  for i = 1, rng(2, 4) do shape[i] = rng(5) + 1 end
  local dtype = PLAIN[rng(is_from_real(base) and #PLAIN - 2 or #PLAIN)]
  local a = cases.layouts[cases.LAYOUTS[rng(5)]](random(rng, shape, dtype))
  local name = base .. (rng(3) == 1 and "2" or "n")
  local count = name:find "2$" and 2 or rng(#shape)
  local axes, lengths = shuffled(rng, #shape), rng(2) == 1 and {} or nil
  for i = count + 1, #axes do axes[i] = nil end
  if lengths then
    for i = 1, count do lengths[i] = rng(7) end
  end
  local given, way = axes, rng(4)
  if way == 1 then -- the last ones
    axes, given = {}, nil
    local n = lengths and count or name:find "2$" and 2 or #shape
    for i = 1, n do axes[i] = #shape - n + i end
  end
  local norm = rng(2) == 1 and NORMS[rng(3)] or nil
  local call = function()
    if way == 2 then return nd.fft[name](a, {s = lengths, axes = given, norm = norm}) end
    if given == nil then return nd.fft[name](a, lengths, nil, {norm = norm}) end
    return nd.fft[name](a, lengths, given, norm and {norm = norm})
  end
  return {name = name, a = a, axes = axes, lengths = lengths, norm = norm, call = call}
end

describe("transforms of arrays", function()
  it("are right along any axis, of any dtype, cut or filled up, in any layout", function()
    local rng, list = H.rng "axis", {}
    for i = 1, H.cases(600) do list[i] = any_line(rng) end
    ask(list)
  end)

  it("are right along several axes", function()
    local rng, list = H.rng "axes", {}
    for i = 1, H.cases(200) do list[i] = any_axes(rng) end
    ask(list)
  end)

  it("are right where lines are long and far apart", function()
    local rng, list = H.rng "far", {}
    for _, shape in ipairs {{600, 37}, {37, 600}, {4, 700, 9}, {3000, 5}, {130, 3, 11}} do
      for axis = 1, #shape do
        local name = LINES[rng(#LINES)]
        local a = random(rng, shape, dtype_for(rng, name))
        list[#list + 1] = {name = name, a = a, axes = {axis},
          call = function() return nd.fft[name](a, nil, axis) end}
      end
    end
    ask(H.some(list, 2))
  end)

  it("of small floats are those of f32", function()
    for _, dtype in ipairs {"f16", "bf16", "f8e4m3", "f8e5m2"} do
      local a = nd.normal({3, 20}, "f32", {seed = 1}):astype(dtype)
      for _, name in ipairs(LINES) do
        local got = nd.fft[name](a)
        assert.equal(result_dtype(name, dtype), got.dtype)
        assert.is_true(got:equal(nd.fft[name](a:astype "f32")))
      end
    end
  end)
end)

-- {=== what holds of all ===}

local function close(a, b, bound)
  return norm_of(a - b) <= bound * math.max(norm_of(a), norm_of(b))
end

describe("transforms", function()
  it("and their inverses give what was there", function()
    local rng = H.rng "back"
    for _ = 1, H.cases(60) do
      local n = rng(4) == 1 and rng(5000) or rng(300)
      local norm = NORMS[rng(3)]
      local x = nd.normal({2, n}, "f64", {seed = rng(1e6)})
      local z = random(rng, {2, n}, "c128")
      assert.is_true(close(z, nd.fft.ifft(nd.fft.fft(z, {norm = norm}), {norm = norm}), 1e-14))
      assert.is_true(close(z, nd.fft.fft(nd.fft.ifft(z, {norm = norm}), {norm = norm}), 1e-14))
      local half = nd.fft.rfft(x, {norm = norm})
      assert.is_true(close(x, nd.fft.irfft(half, n, {norm = norm}), 1e-14))
      assert.is_true(close(x, nd.fft.hfft(nd.fft.ihfft(x, {norm = norm}), n, {norm = norm}), 1e-14))
      -- the transform of real numbers is symmetric
      local whole = nd.fft.fft(x, {norm = norm})
      assert.is_true(whole:narrow(2, 1, math.floor(n / 2) + 1):equal(half))
      for k = 2, n, math.ceil(n / 20) do
        local a, b = whole(1, k), whole(1, n + 2 - k)
        assert.is_true(a.re == b.re and a.im == -b.im)
      end
    end
    local m = nd.normal {6, 7, 8}
    assert.is_true(close(m, nd.fft.ifftn(nd.fft.fftn(m)).real, 1e-14))
    assert.is_true(close(m, nd.fft.irfftn(nd.fft.rfftn(m)), 1e-14))
    assert.is_true(close(m, nd.fft.irfft2(nd.fft.rfft2(m), {norm = "backward"}), 1e-14))
    assert.is_true(close(m, nd.fft.irfftn(nd.fft.rfftn(m, {-1, 7}, {1, 2}), {6, 7}, {1, 2}), 1e-14))
  end)

  it("keep energy (Parseval), and shifts are factors", function()
    local rng = H.rng "energy"
    for _ = 1, H.cases(30) do
      local n = rng(2000)
      local z = random(rng, {n}, "c128")
      local f = nd.fft.fft(z, {norm = "ortho"})
      assert.is_true(math.abs(norm_of(f) - norm_of(z)) < 1e-14 * norm_of(z))
      local k = nd.arange(0, n - 1)
      local shifted = nd.fft.fft(z:roll(1, 1), {norm = "ortho"})
      local angle = (k * (-2 * math.pi / n)):astype "c128"
      local factor = nd.zeros({n}, "c128")
      factor.real:copy_from(angle.real:cos())
      factor.imag:copy_from(angle.real:sin())
      assert.is_true(close(shifted, f * factor, 1e-12))
    end
  end)

  it("of an impulse are exact, of a constant a spike", function()
    for _, n in ipairs {1, 2, 3, 4, 5, 7, 8, 64, 101, 1024} do
      local impulse = nd.zeros(n)
      impulse[1] = 1
      local f = nd.fft.fft(impulse)
      if n ~= 101 then assert.is_true(f:equal(nd.ones({n}, "c128"))) end -- that is a convolution
      assert.is_true(close(f, nd.ones({n}, "c128"), 1e-15))
      local spike = nd.fft.rfft(nd.ones(n))
      assert.is_true(math.abs(spike(1).re - n) < 1e-12)
      assert.is_true(n < 3 or spike:narrow(1, 2, -1 + spike.size):abs():max() < 1e-12)
    end
  end)

  it("have NaN and infinities where sums have them", function()
    for _, n in ipairs {5, 8, 64, 1009} do
      local x = nd.ones(n)
      x[2] = 0 / 0
      assert.is_true(nd.fft.fft(x):isnan():all())
      x[2] = 1 / 0
      assert.is_false(nd.fft.rfft(x):isfinite():any())
    end
  end)

  it("of nothing are of zeros, or none", function()
    assert.is_true(nd.fft.fft(nd.empty {3, 0}, 4):equal(nd.zeros({3, 4}, "c128")))
    assert.is_true(nd.fft.irfft(nd.empty({0, 2}, "c64"), 5, 1):equal(nd.zeros({5, 2}, "f32")))
    assert.same({0, 4}, nd.fft.fft(nd.empty {0, 4}).shape)
    assert.same({0, 3}, nd.fft.rfft(nd.empty {0, 4}).shape)
    assert.same({0, 5, 3}, nd.fft.rfftn(nd.empty {0, 5, 4}, nil, {2, 3}).shape)
    for _, name in ipairs(LINES) do
      local fine, e = pcall(nd.fft[name], nd.empty {3, 0})
      assert.is_false(fine)
      assert.equal("invalid_argument", e.code)
      assert.truthy(e.message:find "the length of the transform along axis 2 is 0")
    end
    assert.is_false((pcall(nd.fft.irfft, nd.ones(1))))
    assert.is_true(nd.fft.irfft(nd.ones(1), 1):equal(nd.ones(1)))
  end)

  it("take tables", function()
    assert.is_true(nd.fft.fft({1, 2}):equal(nd.array {3, -1}:astype "c128"))
    assert.is_true(nd.fft.fft2({{1, 2}, {3, 4}})
      :equal(nd.array {{10, -2}, {-4, 0}}:astype "c128"))
  end)

  it("leave what they read alone", function()
    for _, name in ipairs(LINES) do
      local a = random(H.rng "alone", {5, 8}, is_from_real(name) and "f64" or "c128")
      for _, x in ipairs {a, a.T, a:readonly_view(), a[1]:expand(3, 8)} do
        local before = x:clone()
        nd.fft[name](x, nil, 1)
        nd.fft[name](x, 4, 2)
        nd.fft[name](x)
        assert.is_true(x:equal(before))
      end
    end
  end)
end)

-- {=== bits ===}

describe("bits of transforms", function()
  local before = nd.info().threads
  after_each(function() nd.set_threads(before) end)

  local SHAPES = {{300, 1024}, {1024, 300}, {5, 300, 300}, {2, 131072}, {131072, 3}, {90, 4099}}

  it("do not depend on the number of threads", function()
    local rng = H.rng "threads"
    for _, shape in ipairs(H.some(SHAPES, 2)) do
      local name = LINES[rng(#LINES)]
      local a = random(rng, shape, dtype_for(rng, name))
      local axis = rng(#shape)
      nd.set_threads(1)
      local one = nd.fft[name](a, {axis = axis}):copyout()
      for _, count in ipairs {2, 3, 7} do
        nd.set_threads(count)
        assert(one == nd.fft[name](a, {axis = axis}):copyout(), name .. " " .. count)
      end
    end
  end)

  it("do not depend on the layout, nor on how many lines there are", function()
    local rng = H.rng "layout"
    for _ = 1, H.cases(100) do
      local name = LINES[rng(#LINES)]
      local n, lines = rng(150) + 1, rng(30)
      local a = random(rng, {lines, n}, dtype_for(rng, name))
      local all, line = nd.fft[name](a), rng(lines)
      local alone = nd.fft[name](a[line]:clone())
      local across = nd.fft[name](a.T:clone(), nil, 1)
      local other = nd.fft[name](cases.layouts[cases.LAYOUTS[rng(5)]](a))
      local out = cases.layouts[cases.LAYOUTS[rng(5)]](nd.zeros(all.shape, all.dtype))
      nd.fft[name](a, {out = out})
      assert.equal(all[line]:copyout(), alone:copyout())
      assert.equal(all:copyout(), across.T:copyout())
      assert.equal(all:copyout(), other:copyout())
      assert.equal(all:copyout(), out:copyout())
    end
  end)

  it("are those of the first call after many other transforms", function()
    local x = random(H.rng "again", {1000}, "c128")
    local first = nd.fft.fft(x):copyout()
    for n = 1, 100 do nd.fft.fft(nd.ones(n)) end
    assert.equal(first, nd.fft.fft(x):copyout())
  end)
end)

-- {=== out ===}

describe("a transform", function()
  it("may be written to its operand, to what overlaps it, and to another dtype", function()
    local z = random(H.rng "out", {6, 40}, "c128")
    for axis = 1, 2 do
      local wanted = nd.fft.fft(z, nil, axis)
      local same = z:clone()
      assert.equal(same, nd.fft.fft(same, {axis = axis, out = same}))
      assert.is_true(same:equal(wanted))
      local room = nd.zeros({7, 40}, "c128")
      local first, second = room:narrow(1, 1, 6), room:narrow(1, 2, 6)
      first:copy_from(z)
      nd.fft.fft(first, nil, axis, {out = second})
      assert.is_true(second:equal(wanted))
      local narrow = nd.fft.fft(z, nil, axis, {out = nd.empty({6, 40}, "c64")})
      assert.is_true(narrow:equal(wanted:astype "c64"))
      local turned = z:clone()
      nd.fft.fft(turned, nil, axis, {out = turned:flip(1, 2)})
      assert.is_true(turned:flip(1, 2):equal(wanted))
    end
    for n = 2, 40 do
      local room = nd.zeros({n + 1}, "c128")
      for k = 1, 2 do
        local from, to = room:narrow(1, k, n), room:narrow(1, 3 - k, n)
        from:copy_from(z[1]:narrow(1, 1, n))
        assert.is_true(nd.fft.fft(from, n + 3):equal(nd.fft.fft(nd.concat {from, {0, 0, 0}})))
        assert.is_true(nd.fft.fft(from:clone()):equal(nd.fft.fft(from, {out = to})))
      end
    end
    local both = nd.fft.fft2(z)
    assert.is_true(nd.fft.fft2(z, {out = z}):equal(both))
    local whole = nd.fft.irfft(nd.array {24, 0, 0, 0, 0}, {out = nd.empty({8}, "i16")})
    assert.same({3, 3, 3, 3, 3, 3, 3, 3}, whole:totable())
    local m = nd.normal {4, 6}
    local half = nd.empty({4, 4}, "c128")
    assert.is_true(nd.fft.rfftn(m, {out = half}):equal(nd.fft.rfftn(m)))
    assert.is_true(nd.fft.irfftn(half, {out = m}):equal(nd.fft.irfftn(half)))
  end)

  it("is new where it has to be, packed and of its own", function()
    local z = random(H.rng "new", {6, 8}, "c128")
    for _, made in ipairs {nd.fft.fft(z), nd.fft.fftn(z, {3, 4}), nd.fft.fftn(z, {6, 4}),
                           nd.fft.fftn(z, {3, 8}), nd.fft.irfftn(z, {3, 4}), nd.fft.fft(z, 8, 2)} do
      common.is_made(made, made.dtype, made.shape)
      assert.not_equal(z.storage_id, made.storage_id)
    end
  end)

  it("is refused with what is wrong", function()
    local refused, fft = H.raises_saying, nd.fft
    local m = nd.ones(4, 6)
    refused("shape_mismatch", "fft: a scalar (0-d) has no axis", fft.fft, nd.ones {})
    refused("shape_mismatch", "fftn: a scalar (0-d) has no axis", fft.fftn, nd.ones {})
    refused("invalid_argument", "fftn: a transform is along one axis", fft.fftn, m, nil, {}, {})
    refused("invalid_argument", "n: 0 is no length", fft.fft, m, 0)
    refused("invalid_argument", "n: -3 is no length", fft.rfft, m, {n = -3})
    refused("invalid_argument", "s: 0 is no length", fft.fftn, m, {3, 0})
    refused("invalid_argument", "s: 1 lengths for 2 axes", fft.fftn, m, {3}, {1, 2})
    refused("index_out_of_range", "fft: axis 3 is out of range", fft.fft, m, nil, 3)
    refused("index_out_of_range", "fft: axis 0 is out of range", fft.fft, m, {axis = 0})
    refused("index_out_of_range", "axis 3", fft.fftn, m, nil, {1, 3})
    refused("index_out_of_range", "fft2: the transform is along 2 axes", fft.fft2, m[1])
    refused("index_out_of_range", "along 3 axes, the array has 2", fft.fftn, m, {1, 2, 3})
    refused("type_mismatch", "rfft: c64 is not a dtype of reals", fft.rfft, nd.ones({3}, "c64"))
    refused("type_mismatch", "ihfft: c128 is not", fft.ihfft, nd.ones({3}, "c128"))
    refused("invalid_argument", "norm", fft.fft, m, {norm = "none"})
    refused("shape_mismatch", "the result of (4x6) has shape (4x4), but out has (4x6)", fft.rfft, m,
      {out = m})
    refused("type_mismatch", "", fft.fft, m, {out = nd.empty(4, 6)})
    refused("read_only", "read-only", fft.irfft, m, 6, {out = m:readonly_view()})
    refused("read_only", "read-only", fft.fft, m[1],
      {out = nd.zeros({6}, "c128"):readonly_view()})
    refused("overlap", "overlap", fft.irfft, nd.ones(2), 3, {out = nd.zeros(4):unfold(1, 3, 1)[1]
      :unfold(1, 2, 1)})
    refused("invalid_argument", "there is no option", fft.fft, m, {axes = {1}})
    refused("invalid_argument", 'no option "n"', fft.fft, m, 4, {n = 3})
    refused("invalid_argument", 'no option "s"', fft.fftn, m, {4, 4}, nil, {s = {4, 4}})
    refused("invalid_argument", 'no option "axes"', fft.fftn, m, nil, {1}, {axes = {2}})
    refused("invalid_argument", "unexpected extra argument", fft.fft, m, 4, 1, {}, 5)
    refused("type_mismatch", "n: expected", fft.fft, m, "x")
    refused("overflow", "", fft.fft, nd.ones(1), 2 ^ 60)
  end)
end)

-- {=== frequencies and shifts ===}

describe("frequencies", function()
  it("are those of NumPy", function()
    assert.is_true(nd.fft.fftfreq(8, 0.1):equal(nd.array {0, 1, 2, 3, -4, -3, -2, -1} * (1 / 0.8)))
    assert.is_true(nd.fft.fftfreq(5):equal(nd.array {0, 1, 2, -2, -1} * (1 / 5)))
    assert.is_true(nd.fft.rfftfreq(8, {d = 0.5}):equal(nd.array {0, 1, 2, 3, 4} / 4))
    assert.is_true(nd.fft.rfftfreq(5):equal(nd.array {0, 1, 2} * (1 / 5)))
    assert.same({{0}, {0}}, {nd.fft.fftfreq(1):totable(), nd.fft.rfftfreq(1):totable()})
    assert.equal("f32", nd.fft.fftfreq(4, 1, {dtype = "f32", device = "cpu"}).dtype)
    assert.is_false((pcall(nd.fft.fftfreq, 0)) or (pcall(nd.fft.rfftfreq, 4, "x")))
    H.raises_like("invalid_argument", 'no option "d"', nd.fft.fftfreq, 4, 1, {d = 2})
  end)

  it("move to the middle and back", function()
    local v = nd.arange(5)
    assert.same({4, 5, 1, 2, 3}, nd.fft.fftshift(v):totable())
    assert.same({3, 4, 5, 1, 2}, nd.fft.ifftshift(v):totable())
    local rng = H.rng "shift"
    for _ = 1, H.cases(50) do
      local shape = any.shape(rng, 3)
      local a = any.make(rng, any.LAYOUTS[rng(6)], shape, PLAIN[rng(#PLAIN)], true)
      local axes = #shape > 0 and rng(2) == 1 and {rng(#shape)} or nil
      local there = nd.fft.fftshift(a, axes)
      assert.not_equal(a.storage_id, there.storage_id)
      local back = nd.fft.ifftshift(there, {axes = axes, out = nd.empty(shape, a.dtype)})
      assert.equal(a:copyout(), back:copyout())
    end
    local m = nd.arange(6):reshape(2, 3)
    H.raises_like("invalid_argument", 'no option "axes"', nd.fft.fftshift, m, 1, {axes = 2})
    assert.same({{4, 5, 6}, {1, 2, 3}}, nd.fft.fftshift(m, 1):totable())
    assert.same({{3, 1, 2}, {6, 4, 5}}, nd.fft.fftshift(m, {2}):totable())
    assert.same({{6, 4, 5}, {3, 1, 2}}, nd.fft.fftshift(m, {axes = {1, 2}}):totable())
  end)
end)
