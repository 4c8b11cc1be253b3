--- Random numbers by distributions with parameters, choices and shuffles. Parameters without a
-- default come before the shape, the others are options. They are numbers, arrays or lists, which
-- broadcast to the shape.
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local draws = {}

local core, nd, fail -- set by draws.open

-- {=== parameters ===}

local MOST = 1e300 -- keeps sums and products of parameters finite

-- Bounds of each parameter, both included: a real number, or a whole one.
local UNBOUNDED, POSITIVE = { -MOST, MOST }, { 1e-300, MOST }
local NOT_NEGATIVE, SHARE = { 0, MOST }, { 0, 1 }
local MEAN, COUNT = { 0, 2 ^ 62 }, { 0, 2 ^ 53, is_whole = true }

local function fail_value(name, value, where, bounds)
  if bounds.is_whole and value == value and value ~= math.floor(value) then
    fail("invalid_argument", name, ("%.17g%s is not whole"):format(value, where))
  end
  fail("invalid_argument", name,
    ("%.17g%s is outside of %.17g … %.17g"):format(value, where, bounds[1], bounds[2]))
end

local function check_array(a, name, bounds)
  local is_fine = a:ge(bounds[1]):logical_and_(a:le(bounds[2]))
  if bounds.is_whole then is_fine:logical_and_(a:eq(a:floor())) end
  if is_fine:all() then return end
  local at = tonumber(nd.flatnonzero(is_fine:logical_not())[1])
  fail_value(name, a:flatten()[at], (" at position %d"):format(at), bounds)
end

-- A number, or an f64 array.
local function to_parameter(value, name, bounds)
  local number = read.number(value)
  if number then
    if not (number >= bounds[1] and number <= bounds[2]) or
      bounds.is_whole and number ~= math.floor(number) then
      fail_value(name, number, "", bounds)
    end
    return number
  end
  if type(value) ~= "table" and not read.is_array(value) then
    fail("type_mismatch", name, "expected a number or an array, got " .. names.kind(value))
  end
  local array = read.array(value, name)
  if array.dtype:find "^c" then
    fail("type_mismatch", name, "expected real numbers, got " .. array.dtype)
  end
  if read.place(array) ~= "cpu" then
    fail("unsupported", name, "parameters on " .. array.device .. " are not supported")
  end
  array = array:astype "f64"
  check_array(array, name, bounds)
  return array
end

-- {=== filling ===}

-- The new array of the common end of the arguments, 'count' of them in 'rest'; 'otherwise' is its
-- dtype where they name none.
local function make(shape, otherwise, rest, count)
  if read.dtype(unpack(rest, 1, count)) then return core.empty(shape, unpack(rest, 1, count)) end
  return core.empty(shape, otherwise, unpack(rest, 1, count))
end

-- Fill 'out' by a distribution. 'number' tells apart calls with one seed.
local function fill(op, out, seed, a, b, number)
  b = b or 0
  if type(a) == "number" and type(b) == "number" then
    return core.draw(op, out, seed, a, b, number or 0)
  end
  if type(a) == "number" then a = nd.full({}, a) end
  if type(b) == "number" then b = nd.full({}, b) end
  return core.draw(op, out, seed, a:expand(out.shape), b:expand(out.shape), number or 0)
end

-- The shape that is asked for; for nil that of the parameters.
local function shape_for(shape, a, b)
  if type(shape) ~= "nil" then return shape end
  local is_array, is_other = type(a) ~= "number", type(b or 0) ~= "number"
  if is_array and is_other then return nd.broadcast_arrays(a, b).shape end
  return is_array and a.shape or is_other and b.shape or {}
end

-- The shape, which begins at argument 'at' and may be several numbers; what follows it, and how
-- many that is.
local function read_shape(at, ...)
  local shape = (select(at, ...))
  if read.number(shape) then
    shape = { shape }
    while read.number((select(at + 1, ...))) do
      at = at + 1
      shape[#shape + 1] = (select(at, ...))
    end
  end
  return shape, { select(at + 1, ...) }, math.max(select("#", ...) - at, 0)
end

-- A distribution by its parameters: lists of {name, bounds} for those that come first, and of
-- {name, bounds, default} for options. 'check' sees both.
local function distribution(op, dtype, first, options, check)
  local own = { "seed" }
  for _, option in ipairs(options) do own[#own + 1] = option[1] end
  return function(...)
    local shape, rest, count = read_shape(#first + 1, ...)
    local mine, of = read.own_options(rest, count, own), {}
    for i, parameter in ipairs(first) do
      of[i] = to_parameter((select(i, ...)), parameter[1], parameter[2])
    end
    for _, option in ipairs(options) do
      local value = mine[option[1]]
      if type(value) == "nil" then value = option[3] end
      of[#of + 1] = to_parameter(value, option[1], option[2])
    end
    if check then check(of[1], of[2]) end
    shape = shape_for(shape, of[1], of[2])
    return fill(op, make(shape, dtype, rest, count), mine.seed, of[1], of[2])
  end
end

-- {=== choices ===}

-- As NumPy: within the rounding of a sum of shares that are given to eight digits.
local function check_sum(p, name)
  local sum = p:sum()
  if math.abs(sum - 1) > 1.5e-8 then
    fail("invalid_argument", name, ("the shares add up to %.15g, not to 1"):format(sum))
  end
end

local function to_shares(value, name, count)
  local p = to_parameter(value, name, SHARE)
  if type(p) == "number" or p.ndim ~= 1 or count and p.size ~= count then
    local shape = type(p) == "number" and "a number" or "(" .. table.concat(p.shape, ", ") .. ")"
    fail("shape_mismatch", name,
      ("expected a list of %s shares, got %s"):format(count or "all", shape))
  end
  check_sum(p, name)
  return p
end

-- Numbers in [0, 1) that belong to the seed.
local function uniform(shape, seed, number)
  return fill("uniform", core.empty(shape, "f64"), seed, 0, 1, number)
end

-- 'k' different numbers of 1 … n, without an array of n elements: the next number of the range that
-- grows, or its end where that is taken (R. Floyd, in: J. Bentley, Programming Pearls: A Sample of
-- Brilliance, 1987), in random order.
local function pick_few(n, k, seed)
  local u, taken, list = uniform({ k }, seed, 0), {}, {}
  for i = 1, k do
    local last = n - k + i
    local at = math.floor(u[i] * last) + 1
    if taken[at] then at = last end
    taken[at], list[i] = true, at
  end
  return nd.array(list, "i64"):take(uniform({ k }, seed, 1):argsort())
end

local function pick_different(n, k, p, seed)
  if p then
    -- the shares as rates: who comes first of waiting times (Efraimidis and Spirakis, Weighted
    -- Random Sampling with a Reservoir, 2006)
    local waits = fill("exponential", core.empty({ n }, "f64"), seed, 1) / p
    return waits:argsort():narrow(1, 1, k)
  end
  if k * 16 < n then return pick_few(n, k, seed) end
  return core.permutation(n, { seed = seed }):narrow(1, 1, k)
end

local function check_different(n, k, p)
  local most = p and p:count_nonzero() or n
  if k <= most then return end
  fail("invalid_argument", "shape",
    ("%d different ones of %d%s cannot be drawn"):format(k, most, p and " with a share" or ""))
end

-- {=== functions ===}

local function check_ends(lo, hi)
  if type(lo) == "number" and type(hi) == "number" then
    if lo <= hi then return end
    fail("invalid_argument", "lo", ("%.17g is above hi, %.17g"):format(lo, hi))
  elseif not nd.le(lo, hi):all() then
    fail("invalid_argument", "lo", "there are numbers above those of hi")
  end
end

local functions = {
  uniform = distribution("uniform", "f64", {}, { { "lo", UNBOUNDED, 0 }, { "hi", UNBOUNDED, 1 } },
    check_ends),
  exponential = distribution("exponential", "f64", {}, { { "scale", NOT_NEGATIVE, 1 } }),
  gamma = distribution("gamma", "f64", { { "k", NOT_NEGATIVE } }, { { "scale", NOT_NEGATIVE, 1 } }),
  beta = distribution("beta", "f64", { { "a", POSITIVE }, { "b", POSITIVE } }, {}),
  poisson = distribution("poisson", "i64", { { "mean", MEAN } }, {}),
  binomial = distribution("binomial", "i64", { { "n", COUNT }, { "p", SHARE } }, {}),
}

local normal = distribution("normal", "f64", {},
  { { "mean", UNBOUNDED, 0 }, { "std", NOT_NEGATIVE, 1 } })

--- nd.normal([shape] …, {mean =, std =}): the function in C where neither is given.
function functions.normal(...)
  local options = select(select("#", ...) + 1, nil, ...)
  local has_own = type(options) == "table" and
    (type(rawget(options, "mean")) ~= "nil" or type(rawget(options, "std")) ~= "nil")
  return (has_own and normal or core.normal)(...)
end

--- nd.multinomial(n, p [, shape] [, {seed =}]): how often each of the outcomes comes, along the
-- last axis: of what is left, the next one has a binomial number.
function functions.multinomial(n, p, shape, options, ...)
  read.finish(...)
  local seed = rawget(read.options(options, { "seed" }), "seed")
  n, p = to_parameter(n, "n", COUNT), to_shares(p, "p")
  local left = make(shape_for(shape, n), "f64", {}, 0)
  left:copy_from(n)
  local size = left.shape
  size[#size + 1] = p.size
  local out, rest = nd.empty(size, "i64"), 1
  for i = 1, p.size - 1 do
    local share = rest > 0 and math.min(p[i] / rest, 1) or 0
    local counts = fill("binomial", nd.empty(left.shape, "i64"), seed, left, share, i)
    out:select(-1, i):copy_from(counts)
    left:sub_(counts)
    rest = rest - p[i]
  end
  if p.size > 0 then out:select(-1, p.size):copy_from(left) end
  return out
end

-- The axis that is asked for, 1 for nil.
local function to_axis(axis, ndim)
  return read.axis(type(axis) == "nil" and 1 or axis, "axis", ndim)
end

--- nd.choice(a [, shape] [, axis] [, {replace =, p =, axis =, seed =}]): elements of an array along
-- an axis, or of 1 … a. Numbers right behind 'a' are the shape.
function functions.choice(a, ...)
  local shape, rest, count = read_shape(1, ...)
  local wanted, options = read.axis_and_options(rest[1], rest[2],
    { "replace", "p", "axis", "seed" }, unpack(rest, 3, count))
  local seed, shares = rawget(options, "seed"), rawget(options, "p")
  local is_again = type(rawget(options, "replace")) == "nil" or read.boolean(options, "replace")
  local n = read.number(a)
  if n then n = read.integer(a, "a", 1) else a = read.array(a, "a") end
  local axis = to_axis(wanted, n and 1 or a.ndim)
  n = n or a.shape[axis]
  local p = type(shares) ~= "nil" and to_shares(shares, "p", n) or nil
  local index = nd.empty(type(shape) == "nil" and {} or shape, "i64")
  if index.size > 0 and n == 0 then
    fail("invalid_argument", "a", "there is nothing to choose from")
  end
  if not is_again then
    check_different(n, index.size, p)
    index:copy_from(pick_different(n, index.size, p, seed):reshape(index.shape))
  elseif p then
    -- rounding may leave the last sum below the largest number; no share ends the search before it
    local sums = p:cumsum()
    local u = uniform(index.shape, seed, 0)
    index:copy_from((sums / sums[-1]):searchsorted(u, { side = "right" }))
  elseif index.size > 0 then
    index = core.randint(1, n, index.shape, { seed = seed })
  end
  return read.is_array(a) and a:take(index, axis) or index
end

--- nd.shuffle(a [, axis] [, {axis =, seed =}]): a itself, whose entries along the axis are in
-- random order.
function functions.shuffle(a, axis, options, ...)
  axis, options = read.axis_and_options(axis, options, { "axis", "seed" }, ...)
  if not read.is_array(a) then
    fail("type_mismatch", "a", "expected an array, got " .. names.kind(a))
  end
  axis = to_axis(axis, a.ndim)
  local order = core.permutation(a.shape[axis], { seed = rawget(options, "seed") })
  return a:copy_from(a:take(order, axis))
end

--- Add them to nd.
function draws.open(modules_core, module)
  core, nd, fail = modules_core, module, modules_core.fail
  for name, fn in pairs(functions) do nd[name] = fn end
end

return draws
