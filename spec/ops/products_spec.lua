-- Products of matrices and vectors against NumPy: exact where numbers are small and whole, for
-- random shapes, layouts and dtypes; within rounding for others, around the sizes of blocks.
local nd = require "ndbuf"
local H = require "spec.helper"
local any = require "spec.ops.arrays"
local cases = require "spec.ops.cases"
local common = require "spec.bind.common"
local compare = require "spec.lua.compare"

local ORACLE = "spec/ops/products_oracle.py"
local PLAIN = compare.PLAIN

-- {=== small whole numbers ===}

-- Two dtypes that promote; mostly the same.
local function two_dtypes(rng)
  local a, b = PLAIN[rng(#PLAIN)], PLAIN[rng(#PLAIN)]
  if rng(3) > 1 or not pcall(nd.mul, nd.empty({0}, a), nd.empty({0}, b)) then b = a end
  return a, b
end

-- An extent: 0 at times.
local function extent(rng) return rng(12) == 1 and 0 or rng(6) end

local function lead(rng, most)
  local shape = {}
  for i = 1, rng(0, most) do shape[i] = extent(rng) end
  return shape
end

-- A shape that broadcasts to the leading axes 'shape', then 'more' axes.
local function under(rng, shape, ...)
  local out = {}
  for i = rng(#shape + 1), #shape do out[#out + 1] = rng(3) == 1 and 1 or shape[i] end
  for _, n in ipairs {...} do out[#out + 1] = n end
  return out
end

-- What the function 'name' gives, as an array without negative zeros; sometimes through 'out'.
local function call(rng, name, arrays, ...)
  local list, n = {unpack(arrays)}, #arrays
  local more = {...}
  for i = 1, select("#", ...) do list[n + i] = more[i] end
  n = n + select("#", ...)
  local result = nd[name](unpack(list, 1, n))
  local dtype = nd.mul(nd.empty({0}, arrays[1].dtype),
    nd.empty({0}, (arrays[2] or arrays[1]).dtype)).dtype
  if type(result) ~= "userdata" then result = nd.full({}, result, dtype) end
  if rng(3) == 1 then
    local out = cases.layouts[cases.LAYOUTS[rng(5)]](nd.zeros(result.shape, result.dtype))
    list[n + 1] = {out = out}
    assert.equal(out, nd[name](unpack(list, 1, n + 1)))
    assert.is_true(out:equal(result) or result:isnan():any())
    result = out
  end
  return result.dtype:find "[fc]" and result + 0 or result
end

local makers = {}

local function case(rng, name, words, arrays, ...)
  local more, n = {...}, select("#", ...)
  return {words = words, arrays = arrays,
    call = function() return call(rng, name, arrays, unpack(more, 1, n)) end}
end

function makers.matmul(rng)
  local da, db = two_dtypes(rng)
  local shape, m, n, k = lead(rng, 2), extent(rng), extent(rng), extent(rng)
  local a = rng(5) == 1 and {k} or under(rng, shape, m, k)
  local b = rng(5) == 1 and {k} or under(rng, shape, k, n)
  return case(rng, "matmul", {"-"}, {compare.array(rng, da, a), compare.array(rng, db, b)})
end

function makers.dot(rng)
  local da, db = two_dtypes(rng)
  local k = extent(rng)
  local a, b = lead(rng, 2), lead(rng, 2)
  a[#a + 1] = k
  if rng(3) == 1 then b = {k} else b[#b + 1], b[#b + 2] = k, extent(rng) end
  if rng(8) == 1 then a, db = {}, da end -- NumPy looks at the values of scalars
  return case(rng, "dot", {"-"}, {compare.array(rng, da, a), compare.array(rng, db, b)})
end

function makers.vecdot(rng)
  local da, db = two_dtypes(rng)
  local shape, k, axis = lead(rng, 2), extent(rng), rng(3) == 1 and -1 or nil
  local a, b = under(rng, shape, k), under(rng, shape, k)
  if rng(3) == 1 then
    axis = 1
    a = {k, unpack(shape)}
    b = rng(2) == 1 and {k} or {k, unpack(shape)}
  end
  local arrays = {compare.array(rng, da, a), compare.array(rng, db, b)}
  if axis then return case(rng, "vecdot", {axis}, arrays, axis) end
  return case(rng, "vecdot", {"-"}, arrays)
end

for _, name in ipairs {"outer", "kron"} do
  makers[name] = function(rng)
    local da, db = two_dtypes(rng)
    local a, b = compare.shape(rng, 0, 3), compare.shape(rng, 0, 3)
    if #a == 0 or #b == 0 then db = da end -- NumPy looks at the values of scalars
    return case(rng, name, {"-"}, {compare.array(rng, da, a), compare.array(rng, db, b)})
  end
end

local function shuffled(rng, list)
  local out = {unpack(list)}
  for i = #out, 2, -1 do
    local k = rng(i)
    out[i], out[k] = out[k], out[i]
  end
  return out
end

function makers.tensordot(rng)
  local da, db = two_dtypes(rng)
  local common_axes, words = lead(rng, 2), {}
  local a, b = lead(rng, 2), lead(rng, 2)
  local n, m = #common_axes, #a
  if rng(2) == 1 then -- the last axes with the first ones
    for i = 1, n do a[m + i] = common_axes[i] end
    for i, len in ipairs(b) do common_axes[n + i] = len end
    return case(rng, "tensordot", {n}, {compare.array(rng, da, a),
      compare.array(rng, db, common_axes)}, n)
  end
  n = math.max(n, 1)
  local first = {}
  for i = 1, n do first[i] = i end
  for i = 1, n do common_axes[i] = common_axes[i] or extent(rng) end
  local left, right = {unpack(common_axes, 1, n)}, {unpack(common_axes, 1, n)}
  for _, len in ipairs(a) do left[#left + 1] = len end
  for _, len in ipairs(b) do right[#right + 1] = len end
  -- the same axes of both in another order, the first array transposed
  local order = shuffled(rng, first)
  for i, axis in ipairs(order) do words[i], words[n + i] = #left + 1 - axis, axis end
  local x = compare.array(rng, da, left)
  local axes = {{unpack(words, 1, n)}, {unpack(words, n + 1, 2 * n)}}
  return case(rng, "tensordot", words, {x.T, compare.array(rng, db, right)}, axes)
end

function makers.trace(rng)
  local a = compare.any(rng, 2, 4)
  local axes = shuffled(rng, a.ndim == 2 and {1, 2} or a.ndim == 3 and {1, 2, 3} or {1, 2, 3, 4})
  local k = rng(-2, 2)
  k = math.max(-a:dim(axes[1]), math.min(a:dim(axes[2]), k))
  return {words = {k, axes[1], axes[2]}, arrays = {a}, call = function()
    local result = nd.trace(a, k, {axes = {axes[1], axes[2]}})
    local dtype = nd.sum(nd.empty({0}, a.dtype), {axis = 1}).dtype
    if type(result) ~= "userdata" then result = nd.full({}, result, dtype) end
    return result.dtype:find "[fc]" and result + 0 or result
  end}
end

-- Subscripts of random terms over few labels, whose extents are by label.
local function subscripts(rng, extents)
  local terms, seen, shapes = {}, {}, {}
  local has_dots = rng(4) == 1
  for i = 1, rng(4) do
    local labels, shape = "", {}
    for _ = 1, rng(0, 3) do
      local label = ("abcde"):sub(rng(5)):sub(1, 1)
      labels, seen[label] = labels .. label, true
      shape[#shape + 1] = rng(8) == 1 and not labels:find(label .. ".*" .. label) and 1
        or extents[label]
    end
    for label in labels:gmatch "%a" do
      if labels:find(label .. ".*" .. label) then -- a diagonal: no extent of 1 that broadcasts
        for at = 1, #labels do
          if labels:sub(at, at) == label then shape[at] = extents[label] end
        end
      end
    end
    if has_dots and rng(2) == 1 then
      labels = "..." .. labels
      table.insert(shape, 1, rng(2) == 1 and 1 or extents.dots)
    end
    terms[i], shapes[i] = labels, shape
  end
  local text = table.concat(terms, ";")
  if rng(4) > 1 then
    local result = {}
    for label in ("abcde"):gmatch "." do
      if seen[label] and rng(2) == 1 then result[#result + 1] = label end
    end
    text = text .. "->" .. (text:find "%.%.%." and "..." or "")
      .. table.concat(shuffled(rng, result))
  end
  return text, shapes
end

function makers.einsum(rng)
  local extents = {dots = rng(3)}
  for label in ("abcde"):gmatch "." do extents[label] = rng(15) == 1 and 0 or rng(4) end
  local text, shapes = subscripts(rng, extents)
  local dtype, arrays = PLAIN[rng(#PLAIN)], {}
  for i, shape in ipairs(shapes) do arrays[i] = compare.array(rng, dtype, shape) end
  return {words = {text}, arrays = arrays, call = function()
    local result = nd.einsum(text:gsub(";", ","), unpack(arrays))
    if type(result) ~= "userdata" then result = nd.full({}, result, dtype) end
    return result.dtype:find "[fc]" and result + 0 or result
  end}
end

describe("products of small whole numbers", function()
  for name in ("matmul dot vecdot outer kron tensordot trace einsum"):gmatch "%a+" do
    it(name .. " gives what NumPy gives", function()
      compare.run({[name] = makers[name]}, H.rng(name), 300, ORACLE)
    end)
  end

  it("of integers wrap around", function()
    local wrapping = {}
    function wrapping.matmul(rng)
      local dtype = ({"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"})[rng(8)]
      local m, n, k, all = rng(40), rng(40), rng(40), rng(2) == 1 and rng(3) or nil
      local a = any.make(rng, any.LAYOUTS[rng(6)], all and {all, m, k} or {m, k}, dtype)
      local b = any.make(rng, any.LAYOUTS[rng(6)], {k, n}, dtype)
      return {words = {"-"}, arrays = {a, b}, call = function() return a:matmul(b) end}
    end
    function wrapping.dot(rng)
      local dtype, k = ({"i8", "u16", "i32", "u64"})[rng(4)], rng(0, 3000)
      local a = any.make(rng, any.LAYOUTS[rng(6)], {k}, dtype)
      local b = any.make(rng, any.LAYOUTS[rng(6)], {k}, dtype)
      return {words = {"-"}, arrays = {a, b},
        call = function() return nd.dot(a, b, {out = nd.empty({}, dtype)}) end}
    end
    compare.run(wrapping, H.rng "wrapping", 100, ORACLE)
  end)
end)

-- {=== sizes of blocks ===}

-- Whole numbers from -3 to 3 that NumPy makes by the same formula; parts of complex ones differ.
local PATTERN = [[
import sys, numpy as np
def pattern(shape, seed, dtype):
    at = np.arange(int(np.prod(shape)))
    x = (at * at % 1009 + at // 5 * 3 + seed) % 7 - 3
    if dtype == 'bool': return (x > 0).reshape(shape)
    if dtype[0] == 'c': return (x + 1j * ((x * 5 + 3) % 7 - 3)).astype(dtype[0] +
        str(int(dtype[1:]) // 8)).reshape(shape)
    return x.astype(dtype[0] + str(int(dtype[1:]) // 8)).reshape(shape)
for line in open(sys.argv[1]):
    dtype, m, k, n, forms, path = line.split()
    m, k, n = int(m), int(k), int(n)
    a = pattern((k, m), 1, dtype).T if forms[0] == 't' else pattern((m, k), 1, dtype)
    b = pattern((n, k), 2, dtype).T if forms[1] == 't' else pattern((k, n), 2, dtype)
    if dtype == 'bool': c = (a.astype('f4') @ b.astype('f4')) > 0
    elif dtype[0] in 'iu': c = (a.astype('f8') @ b.astype('f8')).astype('i8').astype(a.dtype)
    else: c = a @ b
    np.save(path, np.ascontiguousarray(c))
]]

local function pattern(shape, seed, dtype)
  local at = nd.arange(0, shape[1] * shape[2] - 1, 1, "i64")
  local x = ((at * at % 1009 + at:idiv(5) * 3 + seed) % 7 - 3):reshape(shape)
  if dtype == "bool" then return x:gt(0) end
  local out = x:astype(dtype, {mode = "wrap"})
  if dtype:find "^c" then out.imag:copy_from((x * 5 + 3) % 7 - 3) end
  return out
end

local function transposed(shape, seed, dtype, is)
  if is == "t" then return pattern({shape[2], shape[1]}, seed, dtype).T end
  return pattern(shape, seed, dtype)
end

describe("products of large matrices", function()
  local SIDES = {1, 2, 33, 47, 95, 96, 97, 128, 190, 255, 256, 257, 511, 513, 600}
  local DTYPES = {"f32", "f64", "c64", "c128", "bool", "i8", "u16", "i32", "i64"}

  it("give what NumPy gives, around the sizes of blocks, in all forms", function()
    local rng, list, lines = H.rng "large", {}, {}
    for i = 1, H.cases(60) do
      local function side() return SIDES[rng(#SIDES)] end
      local c = {dtype = DTYPES[rng(#DTYPES)], m = side(), k = side(), n = side(),
        forms = ({"nn", "nt", "tn", "tt"})[rng(4)], path = H.path(i .. ".npy")}
      if i == 1 then c.n, c.k, c.m = 4100, 300, 40 end -- several panels
      list[i] = c
      lines[i] = table.concat({c.dtype, c.m, c.k, c.n, c.forms, c.path}, " ")
    end
    H.python(PATTERN, H.write(H.path "sizes", table.concat(lines, "\n") .. "\n"))
    for i, c in ipairs(list) do
      local a = transposed({c.m, c.k}, 1, c.dtype, c.forms:sub(1, 1))
      local b = transposed({c.k, c.n}, 2, c.dtype, c.forms:sub(2, 2))
      assert(a:matmul(b):equal(nd.load(c.path)), lines[i])
    end
  end)

  it("add up within rounding", function()
    assert.equal(150000, nd.ones({150000}):dot(nd.ones({150000}))) -- 3 chunks of kern/dot.h
    for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
      for _, sides in ipairs {{40, 700, 50}, {3, 5000, 3}, {1, 200000, 1}, {200, 1000, 1},
                              {1, 1000, 200}} do
        local rng = H.rng(dtype)
        local a = nd.normal({sides[1], sides[2]}, "f64", {seed = rng(1e6)}):astype(dtype)
        local b = nd.normal({sides[2], sides[3]}, "f64", {seed = rng(1e6)}):astype(dtype)
        if dtype:find "^c" then a.imag:copy_from(a.real:flip(2)) end
        local c, is_wide = a:matmul(b), dtype == "f64" or dtype == "c128"
        local eps, wide = is_wide and 2 ^ -53 or 2 ^ -24, dtype:find "^c" and "c128" or "f64"
        -- pieces of 256 are added up one by one; sums of products of elements are pairwise
        local exact = nd.zeros(c.shape, wide)
        for j = 1, sides[3] do
          exact:select(2, j):copy_from((a:astype(wide) * b:select(2, j):astype(wide)):sum(2))
        end
        local bound = a:abs():astype "f64":matmul(b:abs():astype "f64") * (eps * 2 * 256)
        assert.is_true((c:astype(wide) - exact):abs():le(bound):all(), dtype)
      end
    end
  end)
end)

-- {=== the same bits ===}

-- Bits are ndbuf's where no library multiplies.
local is_own = nd.info().blas:find "^ndbuf" ~= nil

local function bits(a) return a:copyout() end

describe("bits of products", function()
  local before = nd.info().threads
  after_each(function() nd.set_threads(before) end)

  local function with_threads(count, fn, ...)
    nd.set_threads(count)
    return bits(fn(...))
  end

  it("do not depend on the number of threads", function()
    local rng = H.rng "threads"
    for _, dtype in ipairs {"f32", "f64", "c64", "c128", "f16"} do
      for _, sides in ipairs {{1, 300, 300, 300}, {1, 1, 400000, 1}, {1, 500, 3000, 1},
                              {1, 1, 3000, 500}, {200, 20, 20, 20}, {1, 130, 600, 1000}} do
        local a = nd.normal({sides[1], sides[2], sides[3]}, "f64", {seed = rng(1e6)}):astype(dtype)
        local b = nd.normal({sides[3], sides[4]}, "f64", {seed = rng(1e6)}):astype(dtype)
        local is_of_vectors = sides[2] == 1 or sides[4] == 1
        if is_own or is_of_vectors or sides[1] > 1 then
          local one = with_threads(1, nd.matmul, a, b)
          for _, count in ipairs {2, 3, 8} do
            assert(one == with_threads(count, nd.matmul, a, b), dtype .. " " .. count)
          end
        end
      end
    end
  end)

  it("do not depend on the layout, nor on how many matrices there are", function()
    if not is_own then return H.survives() end
    local rng = H.rng "layout"
    for _ = 1, H.cases(40) do
      local dtype = ({"f32", "f64", "c64", "c128"})[rng(4)]
      local m, k, n = rng(70), rng(2) == 1 and rng(40) or rng(400), rng(70)
      if rng(4) == 1 then n = 1 end
      if rng(4) == 1 then m = 1 end
      local a = nd.normal({3, m, k}, "f64", {seed = rng(1e6)}):astype(dtype)
      local b = nd.normal({3, k, n}, "f64", {seed = rng(1e6)}):astype(dtype)
      local all = a:matmul(b)
      for i = 1, 3 do
        local x = cases.layouts[cases.LAYOUTS[rng(5)]](a[i])
        local y = cases.layouts[cases.LAYOUTS[rng(5)]](b[i])
        assert(bits(all[i]) == bits(x:matmul(y)), ("%s %dx%dx%d"):format(dtype, m, k, n))
      end
    end
    local a = nd.arange(1, 24):reshape(3, 2, 2, 2):permute(2, 1, 3, 4)
    local b, some = a:contiguous(), nd.arange(1, 24):reshape(6, 2, 2)["::2"]
    for _, c in ipairs {a:matmul(a), a:matmul(b), b:matmul(a)} do assert(c:equal(b:matmul(b))) end
    assert.is_true(some:matmul(b[{1, 1}]):equal(some:contiguous():matmul(b[{1, 1}])))
  end)

  it("of rows are those of the whole", function()
    if not is_own then return H.survives() end
    local a, b = nd.normal({200, 300}, {seed = 1}), nd.normal({300, 90}, {seed = 2})
    local whole = a:matmul(b)
    assert.equal(bits(whole:narrow(1, 3, 5)), bits(a:narrow(1, 3, 5):matmul(b)))
    local c = b:narrow(2, 11, 20)
    assert.equal(bits(whole:narrow(2, 11, 20)), bits(a:matmul(c)))
    local part = a:narrow(1, 3, 5):matmul(c:narrow(2, 1, 5)) -- small, but deep
    assert.equal(bits(whole:narrow(1, 3, 5):narrow(2, 11, 5)), bits(part))
  end)
end)

-- {=== dtypes, special values, empty arrays ===}

describe("products", function()
  it("of small floats are computed in f32", function()
    for _, dtype in ipairs {"f16", "bf16", "f8e4m3", "f8e5m2"} do
      local a = nd.normal({20, 300}, "f32", {seed = 1}):astype(dtype)
      local b = nd.normal({300, 30}, "f32", {seed = 2}):astype(dtype)
      local wide = a:astype "f32":matmul(b:astype "f32")
      assert.is_true(a:matmul(b):equal(wide:astype(dtype)))
      assert.is_true(nd.matmul(a, b, {out = nd.empty({20, 30}, "f64")})
        :equal(wide:astype(dtype):astype "f64"))
      local line = nd.vecdot(a[1], a[2], {out = nd.empty({}, dtype)})
      assert.is_true(line:equal(nd.vecdot(a[1]:astype "f32", a[2]:astype "f32",
        {out = nd.empty({}, "f32")}):astype(dtype)))
    end
  end)

  it("have NaN and infinities where sums have them", function()
    local nan, inf = 0 / 0, math.huge
    for _, side in ipairs {2, 40} do
      local a, b = nd.ones({side, side}), nd.ones({side, side})
      a[{1, 1}], a[{2, 2}], b[{1, 2}] = nan, inf, -inf
      local c = a:matmul(b)
      assert.is_true(c[1]:isnan():all())
      assert.equal(inf, c(2, 1))
      assert.is_true(nd.isnan(c)(2, 2)) -- inf - inf
      assert.is_true(nd.dot(a[1], b[1]) ~= nd.dot(a[1], b[1]))
      a[{2, 2}], b[{1, 2}] = 0, 1
      b[{2, 2}] = inf
      assert.is_true(nd.isnan(a:matmul(b))(2, 2)) -- 0 * inf
    end
  end)

  it("of nothing are zeros", function()
    for _, dtype in ipairs(common.NAMES) do
      local a, b = nd.empty({3, 0}, dtype), nd.empty({0, 4}, dtype)
      assert.is_true(a:matmul(b):equal(nd.zeros({3, 4}, dtype)))
      assert.is_true(b:matmul(nd.empty({4, 0}, dtype)):equal(nd.empty({0, 0}, dtype)))
      local out = nd.full({3, 4}, 1, dtype)
      assert.is_true(nd.matmul(a, b, {out = out}):equal(nd.zeros({3, 4}, dtype)))
      assert.same({0, 5, 2}, nd.empty({0, 5, 3}, dtype):matmul(nd.empty({3, 2}, dtype)).shape)
      assert.is_true(nd.vecdot(nd.empty({2, 0}, dtype), nd.empty({2, 0}, dtype))
        :equal(nd.zeros({2}, dtype)))
    end
    assert.equal(0, nd.dot(nd.empty {0}, nd.empty {0}))
    assert.equal(false, nd.dot(nd.empty({0}, "bool"), nd.empty({0}, "bool")))
    assert.equal(0, nd.norm(nd.empty {0}))
    assert.equal(0, nd.einsum("ij->", nd.empty {0, 3}))
  end)

  it("give values where there are no axes, of each kind", function()
    assert.equal(32, nd.dot({1, 2, 3}, {4, 5, 6}))
    assert.equal(true, nd.bool {true, false}:dot(nd.bool {true, true}))
    assert.equal(false, nd.bool {true, false}:dot(nd.bool {false, true}))
    assert.equal(2 ^ 53, nd.i64 {2 ^ 53}:dot(nd.i64 {1}))
    assert.equal(2LL ^ 60, nd.i64 {2LL ^ 60}:dot(nd.i64 {1}))
    local z = nd.c64 {1i, 2}:vecdot(nd.c64 {1i, 1i})
    assert.same({1, 2}, {z.re, z.im})
    assert.equal(6, nd.f32(2):dot(nd.f32(3)))
    assert.same({2, 4}, nd.f32(2):dot(nd.f32 {1, 2}):totable())
    assert.same({2, 4}, nd.f32 {1, 2}:dot(nd.f32(2)):totable())
    assert.equal(6, nd.kron(nd.f64(2), nd.f64(3)))
    assert.equal(5, nd.array {{1, 2}, {3, 4}}:trace())
    assert.equal(11, nd.tensordot({1, 2}, {3, 4}, 1))
  end)

  it("may be written to an operand, to what overlaps one, and to another dtype", function()
    local a = nd.array {{1, 2}, {3, 4}}
    local square = a:matmul(a)
    local b = a:clone()
    assert.equal(b, nd.matmul(b, b, {out = b}))
    assert.is_true(b:equal(square))
    b = a:clone()
    nd.matmul(b, b, {out = b.T})
    assert.is_true(b:equal(square.T))
    for _, n in ipairs {20, 50} do
      local x = nd.normal({n, n}, {seed = n})
      local wanted = x:matmul(x)
      assert.is_true(nd.matmul(x, x, {out = x}):equal(wanted))
    end
    local line = nd.arange(1, 9)
    nd.matmul(line:narrow(1, 1, 4):reshape(2, 2), a, {out = line:narrow(1, 3, 4):reshape(2, 2)})
    assert.same({1, 2, 7, 10, 15, 22, 7, 8, 9}, line:totable())
    local whole = nd.empty({2, 2}, "i8")
    nd.matmul(a * 100, a, {out = whole})
    assert.same({{127, 127}, {127, 127}}, whole:totable())
    local wide = nd.zeros(2, 4)["..., ::2"]
    assert.equal(wide, nd.matmul(a, a, {out = wide}))
    assert.is_true(wide:equal(square))
  end)

  it("of einsum are new arrays, computed in f32 where floats are small", function()
    local a = nd.array {{1, 2}, {3, 4}}
    for _, each in ipairs {"ij->ij", "ij->ji", "ii->i", "...->..."} do
      local out = nd.einsum(each, a)
      assert.is_false(out.is_view)
      assert.not_equal(a.storage_id, out.storage_id)
    end
    local x = nd.f16 {300} -- whose square is too large
    assert.equal(nd.f16(90000 / 1024):item(), nd.einsum("i,i,i->", x, x, nd.f16 {1 / 1024}))
  end)

  it("leave the operands alone", function()
    local a, b = nd.normal {50, 60}, nd.normal {60, 70}
    local x, y = a:clone(), b:clone()
    a:matmul(b)
    a:matmul(b.T:clone().T)
    nd.einsum("ij,jk->ki", a, b)
    assert.is_true(a:equal(x) and b:equal(y))
  end)

  it("take more columns than are packed at a time", function()
    local a, b = nd.ones({64, 64}, "i32"), nd.arange(1, 5000, 1, "i32"):expand(64, 5000)
    assert.is_true(a:matmul(b):equal(b * 64))
  end)
end)
