--- Factorisations of matrices, by core.factor (src/bind/factors.c), and what is composed of them:
-- pseudo-inverses, ranks, condition numbers, powers and the exponential of a matrix.
local linalg = require "ndbuf.linalg"
local names = require "ndbuf.names"
local norms = require "ndbuf.norm"
local read = require "ndbuf.arguments"

local factors = {}

local core, nd -- set by factors.open

local function fail(code, name, text, ...) core.fail(code, name, text:format(...)) end

local functions = {}

-- {=== one matrix ===}

-- A result as a value if it is a number, unless 'out' receives it.
local function value_of(options, result)
  return type(rawget(options, "out")) == "nil" and linalg.value(result) or result
end

-- What a function returns of its results, arrays, of which some may be numbers.
local function number(options, result) return read.store(value_of(options, result), options) end
local function numbers(options, first, second)
  return read.store_all(options, value_of(options, first), value_of(options, second))
end

-- A boolean option that is true where it is not given.
local function is_not_false(options, name)
  return type(rawget(options, name)) == "nil" or read.boolean(options, name)
end

-- What 'full' of core.factor is by the options.
local function form_of_qr(options)
  local mode = read.choice(options, "mode", { "reduced", "complete", "r" })
  return ({ complete = true, r = false })[mode]
end
local function form_of_svd(options)
  local is_full, has_vectors = is_not_false(options, "full_matrices"),
    is_not_false(options, "compute_uv")
  if not has_vectors then return false end
  return is_full or nil
end

-- The functions of one matrix: what they return, the names of their options if they have any, and
-- the form.
for name, row in pairs {
  inv = { read.store_all, { "out" } },
  det = { number, { "out" } },
  slogdet = { numbers, { "out" } },
  cholesky = { read.store_all, { "upper", "out" } },
  lu = { read.store_all, { "out" } },
  qr = { read.store_all, { "mode", "out" }, form_of_qr },
  svd = { read.store_all, { "full_matrices", "compute_uv", "out" }, form_of_svd },
  svdvals = { read.store_all, { "out" } },
  eigh = { read.store_all, { "upper", "out" } },
  eigvalsh = { read.store_all, { "upper", "out" } },
  eig = { read.store_all, { "out" } },
  eigvals = { read.store_all, { "out" } },
} do
  local finish, known, form_of = row[1], row[2], row[3]
  functions[name] = function(a, options, ...)
    read.finish(...)
    options = read.options(options, known)
    a = read.array(a, "a")
    local form
    if form_of then form = form_of(options) end
    return finish(options, core.factor(name, a, nil, form, read.boolean(options, "upper")))
  end
end

-- {=== linear systems ===}

--- nd.solve(a, b [, {out =}])
function functions.solve(a, b, options, ...)
  read.finish(...)
  options = read.options(options, { "out" })
  a, b = read.array(a, "a"), read.array(b, "b")
  return read.store(core.factor("solve", a, b), options)
end

-- A number that is not negative, or nil.
local function read_tolerance(value, name)
  if type(value) == "nil" then return end
  local tolerance = read.number(value)
  if not tolerance then
    fail("type_mismatch", name, "expected a number, got %s", names.kind(value))
  elseif tolerance >= 0 then
    return tolerance
  end
  fail("invalid_argument", name, "%.17g is not 0 or more", tolerance)
end

--- nd.lstsq(a, b [, rcond] [, {rcond =, out =}])
function functions.lstsq(a, b, rcond, options, ...)
  read.finish(...)
  rcond, options = linalg.split(rcond, options)
  rcond, options = read.options_after(rcond, "rcond", options, { "out" })
  rcond = read_tolerance(rcond, "rcond")
  a, b = read.array(a, "a"), read.array(b, "b")
  local x, residuals, rank, s = core.factor("lstsq", a, b, nil, nil, nil, rcond)
  local n = a:dim(-1)
  if a:dim(-2) <= n or not rank:eq(n):all() then residuals = nd.empty({ 0 }, residuals.dtype) end
  return read.store_all(options, x, residuals, value_of(options, rank), s)
end

-- The results of core.factor(routine, a, b) for the function 'name', which errors name.
local function factor_for(name, routine, a, b, gives_nan)
  return core.factor(routine, a, b, nil, nil, gives_nan, nil, name)
end

-- {=== by singular values ===}

local EPSILON = { f32 = 2 ^ -23, f64 = 2 ^ -52 }

-- Which singular values 's' of 'a' count: by a factor of the greatest, by default the precision
-- times the greater side.
local function is_counted(a, s, rtol)
  rtol = rtol or EPSILON[s.dtype] * math.max(a:dim(-2), a:dim(-1))
  return s:gt(s:narrow(-1, 1, math.min(1, s:dim(-1))) * rtol)
end

local function conjugate(x)
  if not x.dtype:find "^c" then return x end
  local out = x:clone()
  out.imag:neg_()
  return out
end

local function transposed(x) return conjugate(x):swapaxes(-1, -2) end

--- nd.pinv(a [, rtol] [, {rtol =, out =}])
function functions.pinv(a, rtol, options, ...)
  read.finish(...)
  rtol, options = linalg.split(rtol, options)
  rtol, options = read.options_after(rtol, "rtol", options, { "out" })
  rtol = read_tolerance(rtol, "rtol")
  a = read.array(a, "a")
  local u, s, v = factor_for("pinv", "svd", a)
  local inverse = nd.where(is_counted(a, s, rtol), s:reciprocal(), 0)
  local result = (transposed(v) * inverse:unsqueeze(s.ndim)):matmul(transposed(u))
  return read.store(result, options)
end

--- nd.matrix_rank(a [, tol] [, {tol =, rtol =, out =}])
function functions.matrix_rank(a, tol, options, ...)
  read.finish(...)
  tol, options = linalg.split(tol, options)
  tol, options = read.options_after(tol, "tol", options, { "rtol", "out" })
  tol = read_tolerance(tol, "tol")
  local rtol = read_tolerance(rawget(options, "rtol"), "rtol")
  a = read.array(a, "a")
  if a.ndim < 2 then return read.store(a:any() and 1 or 0, options) end
  local s = factor_for("matrix_rank", "svdvals", a)
  local counted = tol and s:gt(tol) or is_counted(a, s, rtol)
  return number(options, counted:count_nonzero(-1))
end

-- The product of the norms of a matrix and its inverse; infinite for singular ones.
local function by_inverse(a, p)
  local inverse = factor_for("cond", "inv", a, nil, true)
  local known = norms.of_matrices(a:astype(inverse.dtype), p)
  return known * norms.of_matrices(inverse, p), known
end

--- nd.cond(a [, p] [, {p =, out =}])
function functions.cond(a, p, options, ...)
  read.finish(...)
  p, options = linalg.split(p, options)
  p, options = read.options_after(p, "p", options, { "out" })
  p = norms.read_order(p, "p")
  a = read.array(a, "a")
  if a.ndim >= 2 and (a:dim(-1) == 0 or a:dim(-2) == 0) then
    fail("invalid_argument", "a", "cond: a matrix without elements has no condition number")
  end
  local result, known
  if type(p) == "nil" or p == 2 or p == -2 then
    local s = factor_for("cond", "svdvals", a)
    local first, last = s:select(-1, 1), s:select(-1, -1)
    result, known = p == -2 and last / first or first / last, first
  else
    result, known = by_inverse(a, p)
  end
  -- 0 / 0, and the inverses that there are not
  return number(options, nd.where(result:isnan():logical_and(known:isnan():logical_not()),
    math.huge, result))
end

-- {=== powers and the exponential ===}

local function check_square(name, a)
  if a.ndim < 2 or a:dim(-1) ~= a:dim(-2) then
    fail("shape_mismatch", "a", "%s: square matrices are needed; a has shape (%s)", name,
      a.ndim == 0 and "scalar" or table.concat(a.shape, "x"))
  end
end

local function identity(a)
  return nd.eye(a:dim(-1), a.dtype):expand(a.shape)
end

--- nd.matrix_power(a, n [, {out =}]): by repeated squaring.
function functions.matrix_power(a, n, options, ...)
  read.finish(...)
  options = read.options(options, { "out" })
  a = read.array(a, "a")
  n = read.integer(n, "n")
  check_square("matrix_power", a)
  if n < 0 then a, n = factor_for("matrix_power", "inv", a), -n end
  local result
  while n > 0 do
    if n % 2 == 1 then result = result and result:matmul(a) or a end
    n = math.floor(n / 2)
    if n > 0 then a = a:matmul(a) end
  end
  if not result then result = identity(a) end
  return read.store(result == a and a:clone() or result:contiguous(), options)
end

-- By scaling and squaring: the Padé approximants of degree m, each up to a norm at which its
-- backward error is within the precision of f64 (Higham, The Scaling and Squaring Method for the
-- Matrix Exponential Revisited, 2005, table 2.3). Matrices of a greater norm are halved; how many
-- times, the norms of powers tell, which of other than normal matrices are much less than powers of
-- the norm (Al-Mohy & Higham, A New Scaling and Squaring Algorithm for the Matrix Exponential,
-- 2009).
local DEGREES = { 3, 5, 7, 9, 13 }
local MOST = {
  [3] = 1.495585217958292e-2, [5] = 2.539398330063230e-1, [7] = 9.504178996162932e-1,
  [9] = 2.097847961257068, [13] = 5.371920351148152,
}

-- Coefficients 0 … m of the numerator.
local function coefficients(m)
  local c = { [0] = 1 }
  for j = 1, m do c[j] = c[j - 1] * (m - j + 1) / ((2 * m - j + 1) * j) end
  return c
end

-- The sum of every second coefficient from 'first' on times a power of x^2; those from x^8 on have
-- the factor x^6 in common. 'powers' has x^0, x^2, x^4 and x^6 at 0 … 3.
local function polynomial(c, first, powers)
  local low, high
  for j = first, #c, 2 do
    local i = (j - first) / 2
    if i <= 3 then
      local term = powers[i] * c[j]
      low = low and low:add_(term) or term
    else
      local term = powers[i - 3] * c[j]
      high = high and high:add_(term) or term
    end
  end
  return high and low:add_(powers[3]:matmul(high)) or low
end

-- The first 'count' even powers of x behind x^0.
local function even_powers(x, count)
  local powers = { [0] = identity(x), x:matmul(x) }
  for k = 2, count do powers[k] = powers[k - 1]:matmul(powers[1]) end
  return powers
end

-- Rows of matrices of a large norm may be of very different sizes: pivots are chosen where these
-- are even, by powers of two.
local function approximant(x, m, powers)
  local c = coefficients(m)
  local odd, even = x:matmul(polynomial(c, 1, powers)), polynomial(c, 0, powers)
  local left, right = even - odd, even + odd
  if m == 13 then
    local scale = nd.pow(2, -left:abs():max(2):log2():floor()):unsqueeze(2)
    left, right = left * scale, right * scale
  end
  return factor_for("expm", "solve", left, right, true)
end

-- How many times to halve 'size' so that it is not greater than 'most'.
local function halvings(size, most)
  return size > most and math.ceil(math.log(size / most) / math.log(2)) or 0
end

-- How many times to halve x, of 1-norm 'norm', so that rounding errors in its powers do not matter:
-- the leading term of the backward error, of |x|^27, is within the precision (ell of the paper).
local function halvings_for_rounding(x, norm)
  local leading = 113250775606021113483283660800000000
  local steps, v = x:abs().T, nd.ones({ x:dim(1) })
  local logarithm = -math.log(norm)
  for _ = 1, 27 do
    v = steps:matmul(v)
    local most = v:max()
    if most == 0 then return 0 end
    logarithm = logarithm + math.log(most)
    v:div_(most)
  end
  return math.max(0, math.ceil((logarithm - math.log(leading * 2 ^ -53)) / (26 * math.log(2))))
end

-- How many times to halve x, for degree 13; false where its powers overflow.
local function count_halvings(x, norm, powers)
  local d6 = nd.norm(powers[3], 1) ^ (1 / 6)
  local d8 = nd.norm(powers[2]:matmul(powers[2]), 1) ^ (1 / 8)
  local d10 = nd.norm(powers[2]:matmul(powers[3]), 1) ^ (1 / 10)
  if not (d6 < math.huge and d8 < math.huge and d10 < math.huge) then return false end
  local count = halvings(math.max(d8, math.min(d6, d10)), 4.25)
  local scale = 2 ^ -count
  if norm * scale <= MOST[13] then return count end
  return count + halvings_for_rounding(x * scale, norm * scale)
end

-- The exponential of a matrix of a large norm. That of a triangular one has exponentials on its
-- diagonal, which squares would lose; and it is an upper one, in which pivots stay where they are.
local function exponential_by_squares(x, norm)
  local is_triangular = nd.tril(x, -1):eq(0):all()
  if not is_triangular and nd.triu(x, 1):eq(0):all() then
    x = x.T:clone()
    return exponential_by_squares(x, nd.norm(x, 1)).T
  end
  local powers = even_powers(x, 3)
  if powers[2]:eq(0):all() then -- the series ends
    return powers[0] + x + powers[1] * 0.5 + x:matmul(powers[1]) * (1 / 6)
  end
  local counted = count_halvings(x, norm, powers)
  local squarings = counted or halvings(norm, MOST[13])
  x = x * 2 ^ -squarings
  if not counted then powers = even_powers(x, 3) end
  for k = 1, counted and 3 or 0 do powers[k]:mul_(4 ^ (-k * squarings)) end
  local result, diagonal = approximant(x, 13, powers), x:diagonal()
  for i = 0, squarings do
    if i > 0 then result = result:matmul(result) end
    if is_triangular then result:diagonal():copy_from((diagonal * 2 ^ i):exp()) end
  end
  return result
end

-- The exponential of one matrix, in f64 or c128.
local function exponential(x)
  local norm = nd.norm(x, 1)
  if norm == math.huge or norm ~= norm then return nd.full_like(x, 0 / 0) end
  if norm > MOST[13] then return exponential_by_squares(x, norm) end
  local m = 13
  for i = #DEGREES, 1, -1 do
    if norm <= MOST[DEGREES[i]] then m = DEGREES[i] end
  end
  return approximant(x, m, even_powers(x, math.min(3, (m - 1) / 2)))
end

--- nd.expm(a [, {out =}])
function functions.expm(a, options, ...)
  read.finish(...)
  options = read.options(options, { "out" })
  a = read.array(a, "a")
  check_square("expm", a)
  local is_complex = a.dtype:find "^c" ~= nil
  local wide, n = a:astype(is_complex and "c128" or "f64"), a:dim(-1)
  local result = nd.empty_like(wide)
  if result.size > 0 then
    local from, to = wide:reshape({ -1, n, n }, { copy = true }), result:reshape(-1, n, n)
    for i = 1, to:dim(1) do to[i]:copy_from(exponential(from[i])) end
  end
  local is_narrow = a.dtype == "c64" or a.dtype:find "f" and a.dtype ~= "f64"
  if is_narrow then result = result:astype(is_complex and "c64" or "f32") end
  return read.store(result, options)
end

--- The functions, for linalg.open, with those of 'others'.
function factors.open(core_, nd_, others)
  core, nd = core_, nd_
  for name, fn in pairs(others) do functions[name] = fn end
  return functions
end

return factors
