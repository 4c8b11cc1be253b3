-- Factorisations by what they promise: residuals and orthogonality within the bounds of LAPACK's
-- own tests, for random matrices of all sizes, layouts and dtypes; the same bits for any number of
-- threads. factors_values_spec.lua compares with NumPy.
local nd = require "ndbuf"
local H = require "spec.helper"
local cases = require "spec.ops.cases"

local BOUND = 30 -- of LAPACK's tests, in units of the precision times the size
local EPSILON = {f32 = 2 ^ -23, c64 = 2 ^ -23, f64 = 2 ^ -52, c128 = 2 ^ -52}
local DTYPES = {"f32", "f64", "c64", "c128"}

if not nd.info().lapack then
  describe("factorisations", function()
    it("are unsupported without LAPACK", function()
      local e = H.raises("unsupported", nd.inv, nd.eye(2))
      assert.truthy(e.message:find "libopenblas0%-pthread")
    end)
  end)
  return
end

-- ---- matrices ----

local function normal(rng, shape, dtype)
  local a = nd.normal(shape, "f64", {seed = rng(1e6)})
  if not dtype:find "^c" then return a:astype(dtype) end
  local out = a:astype(dtype)
  out.imag:copy_from(nd.normal(shape, "f64", {seed = rng(1e6)}))
  return out
end

-- The same numbers in another layout.
local function laid_out(rng, a) return cases.layouts[cases.LAYOUTS[rng(5)]](a) end

local function wide(x) return x:astype(x.dtype:find "^c" and "c128" or "f64") end

local function conjugate(x)
  if not x.dtype:find "^c" then return x end
  local out = x:clone()
  out.imag:neg_()
  return out
end

local function mirrored(x) return conjugate(x):swapaxes(-1, -2) end

local function side(rng)
  local kind = rng(6)
  return kind == 1 and 1 or kind == 2 and rng(60, 120) or rng(2, 12)
end

-- The leading axes: none, one or two.
local function lead(rng, ...)
  local shape = {}
  for i = 1, math.max(0, rng(4) - 2) do shape[i] = rng(3) end
  for _, n in ipairs {...} do shape[#shape + 1] = n end
  return shape
end

-- ---- residuals ----

local function norm(x) return nd.norm(wide(x)) end

-- Is the norm of 'x', in units of the precision and of 'scale', within the bound?
local function assert_small(x, scale, n, dtype, what)
  local ratio = norm(x) / math.max(1e-300, scale * math.max(1, n) * EPSILON[dtype])
  assert(ratio < BOUND, ("%s: the residual is %g units"):format(what, ratio))
end

local function unit(q) return nd.eye(q:dim(-1), q.dtype) end

local function assert_orthogonal(q, dtype, what)
  q = wide(q)
  local count = q.size / math.max(1, q:dim(-1) * q:dim(-2))
  assert_small(mirrored(q):matmul(q) - unit(q), 1, q:dim(-2) * math.max(1, count), dtype, what)
end

local function assert_triangle(x, is_upper)
  local rest = is_upper and nd.tril(x, -1) or nd.triu(x, 1)
  assert.is_true(rest:eq(0):all())
end

local makers = {}

function makers.solve(rng, dtype)
  local n, rhs = side(rng), rng(4)
  local shape = lead(rng, n, n)
  local a, b = normal(rng, shape, dtype), normal(rng, {n, rhs}, dtype)
  if rng(2) == 1 then b = normal(rng, {n}, dtype) end
  local x = nd.solve(laid_out(rng, a), laid_out(rng, b))
  assert.equal(dtype, x.dtype)
  if b.ndim == 1 then
    assert.equal(#shape - 1, x.ndim)
    x, b = x:unsqueeze(x.ndim + 1), b:unsqueeze(2)
  end
  assert_small(wide(a):matmul(wide(x)) - wide(b), norm(a) * norm(x), n, dtype, "solve")
end

function makers.inv(rng, dtype)
  local n = side(rng)
  local a = normal(rng, lead(rng, n, n), dtype)
  local x = laid_out(rng, a):inv()
  assert_small(wide(a):matmul(wide(x)) - unit(wide(a)), norm(a) * norm(x), n, dtype, "inv")
end

function makers.lu(rng, dtype, m, n)
  local a = normal(rng, lead(rng, m, n), dtype)
  local p, l, u = laid_out(rng, a):lu()
  local k = math.min(m, n)
  assert.same({"i64", m, k, k, n}, {p.dtype, l:dim(-2), l:dim(-1), u:dim(-2), u:dim(-1)})
  assert.is_true(l:diagonal():eq(1):all())
  assert.is_true(l:abs():le(1.5):all()) -- pivots are the greatest
  assert_triangle(l, false)
  assert_triangle(u, true)
  local product = wide(l):matmul(wide(u))
  local rows = nd.take_along(product, p:unsqueeze(p.ndim + 1):expand(product.shape), -2)
  assert_small(rows - wide(a), norm(a), math.max(m, n), dtype, "lu")
end

function makers.cholesky(rng, dtype)
  local n, is_upper = side(rng), rng(2) == 1
  local x = normal(rng, lead(rng, n, n + 2), dtype)
  local a = x:matmul(mirrored(x))
  -- of the other triangle nothing is read
  local part = is_upper and nd.triu(a) or nd.tril(a)
  local l = laid_out(rng, part):cholesky {upper = is_upper}
  assert_triangle(l, is_upper)
  l = wide(l)
  local product = is_upper and mirrored(l):matmul(l) or l:matmul(mirrored(l))
  assert_small(product - wide(a), norm(a), n, dtype, "cholesky")
end

function makers.qr(rng, dtype, m, n)
  local a = normal(rng, lead(rng, m, n), dtype)
  for mode, columns in pairs {reduced = math.min(m, n), complete = m} do
    local q, r = laid_out(rng, a):qr {mode = mode}
    assert.equal(columns, q:dim(-1))
    assert_triangle(r, true)
    assert_orthogonal(q, dtype, "qr")
    assert_small(wide(q):matmul(wide(r)) - wide(a), norm(a), m, dtype, "qr")
  end
  local r, none = a:qr {mode = "r"}
  assert.is_nil(none)
  assert.is_true(r:equal((select(2, a:qr()))))
end

function makers.svd(rng, dtype, m, n)
  local k, is_full = math.min(m, n), rng(2) == 1
  local a = normal(rng, lead(rng, m, n), dtype)
  local u, s, v = laid_out(rng, a):svd {full_matrices = is_full}
  assert.same(is_full and {m, n} or {k, k}, {u:dim(-1), v:dim(-2)})
  assert_orthogonal(u, dtype, "u")
  assert_orthogonal(mirrored(v), dtype, "v")
  assert.is_true(s:ge(0):all() and nd.diff(s):le(0):all())
  local left = wide(u):narrow(-1, 1, k) * wide(s):unsqueeze(s.ndim)
  assert_small(left:matmul(wide(v):narrow(-2, 1, k)) - wide(a), norm(a), math.max(m, n), dtype,
    "svd")
  local alone = rng(2) == 1 and a:svdvals() or a:svd {compute_uv = false}
  assert_small(wide(alone - s), norm(a), math.max(m, n), dtype, "svdvals")
end

function makers.eigh(rng, dtype)
  local n, is_upper = side(rng), rng(2) == 1
  local x = normal(rng, lead(rng, n, n), dtype)
  local a = x + mirrored(x)
  local part = is_upper and nd.triu(a) or nd.tril(a)
  local w, v = laid_out(rng, part):eigh {upper = is_upper}
  assert_orthogonal(v, dtype, "eigh")
  assert.is_true(nd.diff(w):ge(0):all())
  local residual = wide(a):matmul(wide(v)) - wide(v) * wide(w):unsqueeze(w.ndim)
  assert_small(residual, norm(a), n, dtype, "eigh")
  assert_small(wide(part:eigvalsh {upper = is_upper} - w), norm(a), n, dtype, "eigvalsh")
end

function makers.eig(rng, dtype)
  local n = side(rng)
  local a = normal(rng, lead(rng, n, n), dtype)
  local w, v = laid_out(rng, a):eig()
  local is_wide = dtype == "f64" or dtype == "c128"
  assert.same(is_wide and {"c128", "c128"} or {"c64", "c64"}, {w.dtype, v.dtype})
  local x, y = a:astype "c128", v:astype "c128"
  assert_small(x:matmul(y) - y * w:astype "c128":unsqueeze(w.ndim), norm(a), n, dtype, "eig")
  local lengths = nd.norm(y, 2, -2)
  assert.is_true((lengths - 1):abs():le(BOUND * n * EPSILON[dtype]):all())
  -- as many values as in the trace
  local trace = x:diagonal():sum(-1)
  assert_small(w:astype "c128":sum(-1) - trace, norm(a), n, dtype, "trace")
  assert_small(a:eigvals():astype "c128":sum(-1) - trace, norm(a), n, dtype, "eigvals")
end

function makers.lstsq(rng, dtype, m, n)
  local rhs = rng(3)
  local shape = lead(rng, m, n)
  local a, b = normal(rng, shape, dtype), normal(rng, {m, rhs}, dtype)
  local x, residuals, rank, s = laid_out(rng, a):lstsq(laid_out(rng, b))
  local left = wide(b) - wide(a):matmul(wide(x))
  -- what is left is orthogonal to the columns of a
  assert_small(mirrored(wide(a)):matmul(left), norm(a) * (norm(a) * norm(x) + norm(b)),
    math.max(m, n), dtype, "lstsq")
  if m > n then
    assert_small(wide(residuals) - left:abs():square():sum(-2), norm(b) ^ 2 + 1, m, dtype,
      "residuals")
  else
    assert.same({0}, residuals.shape)
    local shortest = nd.pinv(wide(a)):matmul(wide(b))
    local condition = nd.cond(wide(a))
    if #shape > 2 then condition = condition:sum() end
    assert_small(wide(x) - shortest, norm(x) * condition, math.max(m, n), dtype, "shortest")
  end
  local all = type(rank) == "number" and nd.full({1}, rank) or rank
  assert.is_true(all:eq(math.min(m, n)):all())
  assert_small(wide(s - a:svdvals()), norm(a), math.max(m, n), dtype, "s")
end

function makers.pinv(rng, dtype, m, n)
  local a = normal(rng, lead(rng, m, n), dtype)
  local x = laid_out(rng, a):pinv()
  assert.same({n, m}, {x:dim(-2), x:dim(-1)})
  local w, y = wide(a), wide(x)
  assert_small(w:matmul(y):matmul(w) - w, norm(a) ^ 2 * norm(x), math.max(m, n), dtype, "pinv")
end

function makers.expm(rng, dtype)
  local n = math.min(side(rng), 20)
  local a = normal(rng, lead(rng, n, n), dtype) * 2 ^ rng(-6, 2)
  local x, y = wide(laid_out(rng, a):expm()), wide((-a):expm())
  assert_small(x:matmul(y) - unit(x), norm(x) * norm(y), n, dtype, "expm")
end

local NAMES = {}
for name in pairs(makers) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

describe("factorisations", function()
  for _, name in ipairs(NAMES) do
    it("are exact within rounding: " .. name, function()
      local rng = H.rng(name)
      for i = 1, math.max(8, H.cases(60)) do -- each dtype with long and with wide matrices
        local m, n = side(rng), side(rng)
        m, n = math.min(m, n), math.max(m, n)
        if i % 8 < 4 then m, n = n + 1, m end
        makers[name](rng, DTYPES[i % 4 + 1], m, n)
      end
    end)
  end
end)

-- ---- threads ----

-- All results of one function as bytes.
local function bytes_of(...)
  local list = {}
  for i = 1, select("#", ...) do
    local x = select(i, ...)
    list[i] = type(x) == "userdata" and x:copyout() or tostring(x)
  end
  return table.concat(list, "|")
end

describe("bits of factorisations", function()
  local before = nd.info().threads
  after_each(function() nd.set_threads(before) end)

  it("do not depend on the number of threads", function()
    local rng = H.rng "threads"
    local one_operand = {"inv", "det", "slogdet", "lu", "qr", "svd", "eig", "eigvals", "pinv"}
    for _, dtype in ipairs(H.some(DTYPES, 2)) do
      local a, b = normal(rng, {150, 20, 20}, dtype), normal(rng, {20, 3}, dtype)
      local positive = a:matmul(mirrored(a)) + nd.eye(20, dtype)
      local function all()
        local list = {bytes_of(a:solve(b)), bytes_of(a:lstsq(b)), bytes_of(positive:cholesky()),
          bytes_of(positive:eigh())}
        for _, name in ipairs(one_operand) do list[#list + 1] = bytes_of(a[name](a)) end
        return list
      end
      nd.set_threads(1)
      local wanted = all()
      for _, count in ipairs {2, 3, 7} do
        nd.set_threads(count)
        assert.same(wanted, all())
      end
    end
  end)

  it("are those of each matrix alone", function()
    local rng = H.rng "alone"
    for _, dtype in ipairs(DTYPES) do
      local a = normal(rng, {7, 9, 9}, dtype)
      local inverse, w = a:inv(), a:svdvals()
      for i = 1, 7 do
        assert(inverse[i]:copyout() == laid_out(rng, a[i]):inv():copyout())
        assert(w[i]:copyout() == laid_out(rng, a[i]):svdvals():copyout())
      end
    end
  end)
end)
