--- nd.norm: norms of vectors and matrices.
local core = require "ndbuf.core"
local linalg = require "ndbuf.linalg"
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local norm = {}

local nd -- set by norm.open

local SMALL = { f16 = true, bf16 = true, f8e4m3 = true, f8e5m2 = true }

local function fail(code, name, text, ...) core.fail(code, name, text:format(...)) end

-- {=== arguments ===}

-- nil, a number, "fro" or "nuc": the argument 'what'.
local function read_order(ord, what)
  if type(ord) == "nil" or ord == "fro" or ord == "nuc" then return ord end
  local number = read.number(ord)
  if number and number == number then return number end
  if number or type(ord) == "string" then
    fail("invalid_argument", what, "%s is none of a number, \"fro\", \"nuc\"",
      number and "NaN" or ("%q"):format(ord:sub(1, 40)))
  end
  fail("type_mismatch", what, "expected a number, \"fro\" or \"nuc\", got %s", names.kind(ord))
end

-- The axes that are named, one or two; nil where none are.
local function read_axes(axis, a)
  if type(axis) == "nil" then return end
  local axes = linalg.axes("axis", type(axis) == "table" and axis or { axis }, a)
  if #axes == 1 or #axes == 2 then return axes end
  fail("invalid_argument", "axis", "%d axes; norms are along one axis or two", #axes)
end

-- The axes of the vectors or matrices: all of a vector or a matrix where an order is given.
local function all_axes(a, ord)
  local axes = {}
  for axis = 1, a.ndim do axes[axis] = axis end
  if type(ord) ~= "nil" and (a.ndim < 1 or a.ndim > 2) then
    fail("shape_mismatch", "a", "norm: an array of %d axes is neither a vector nor a matrix: name "
      .. "one axis or two", a.ndim)
  end
  return axes
end

-- {=== computing ===} Of x, whose vectors or matrices are its last axes; it has others in front.
-- What the caller gave is 'a'.

-- Absolute values of nothing are at most 0.
local function greatest(x) return x:dim(-1) > 0 and x:max(-1) or x:sum(-1) end

local function least(x, a)
  if x:dim(-1) > 0 then return x:min(-1) end
  fail("invalid_argument", "a", "norm: there is no least value of nothing; a has shape (%s)",
    table.concat(a.shape, "x"))
end

local vectors = {
  [0] = function(x) return x:count_nonzero(-1) end,
  [1] = function(x) return x:abs():sum(-1) end,
  [2] = function(x)
    local squares = nd.vecdot(x, x)
    return (squares.dtype:find "^c" and squares.real or squares):sqrt()
  end,
  [1 / 0] = function(x) return greatest(x:abs()) end,
  [-1 / 0] = function(x, a) return least(x:abs(), a) end,
}

local function of_vectors(x, ord, a)
  if type(ord) == "string" then
    fail("invalid_argument", "ord", "norm %q is one of matrices, along two axes", ord)
  end
  if vectors[ord] then return vectors[ord](x, a) end
  return x:abs():pow_(ord):sum(-1):pow_(1 / ord)
end

local function singular_values(x)
  return (core.factor("svdvals", x, nil, nil, nil, nil, nil, "norm"))
end

local matrices = {
  [1] = function(x) return greatest(x:abs():sum(-2)) end,
  [-1] = function(x, a) return least(x:abs():sum(-2), a) end,
  [1 / 0] = function(x) return greatest(x:abs():sum(-1)) end,
  [-1 / 0] = function(x, a) return least(x:abs():sum(-1), a) end,
  [2] = function(x) return greatest(singular_values(x)) end,
  [-2] = function(x, a) return least(singular_values(x), a) end,
  nuc = function(x) return singular_values(x):sum(-1) end,
}

local function check_order_of_matrices(ord, what)
  if ord == "fro" or matrices[ord] then return end
  fail("invalid_argument", what, "%s is no norm of matrices; there are \"fro\", \"nuc\", 1, -1, "
    .. "2, -2, inf, -inf", tostring(ord))
end

-- 'a' as floats, its 'axes' behind the others.
local function arrange(a, axes)
  local order, is_last = {}, {}
  for _, axis in ipairs(axes) do is_last[axis] = true end
  for axis = 1, a.ndim do
    if not is_last[axis] then order[#order + 1] = axis end
  end
  local others = #order
  for _, axis in ipairs(axes) do order[#order + 1] = axis end
  if #order > 0 then a = a:permute(order) end
  if SMALL[a.dtype] then a = a:astype "f32"
  elseif not a.dtype:find "^[fc]" then a = a:astype "f64" end
  return a, others
end

-- The same with its last axes as one.
local function joined(x, others)
  local shape, n = {}, 1
  for axis = 1, others do shape[axis] = x:dim(axis) end
  for axis = others + 1, x.ndim do n = n * x:dim(axis) end
  shape[others + 1] = n
  return x:reshape(shape, { copy = true })
end

-- The same with its first two axes as one: vecdot needs an axis for itself.
local MOST_AXES = 16
local function with_room(x)
  local shape = x.shape
  shape[2] = shape[1] * shape[2]
  table.remove(shape, 1)
  return x:reshape(shape, { copy = true })
end

local function compute(a, ord, axes)
  local x, others = arrange(a, axes)
  local is_all = type(ord) == "nil" or ord == "fro" and #axes == 2
  if is_all then x = joined(x, others) end
  if x.ndim == MOST_AXES then x = with_room(x) end
  -- an axis in front where there is none: what is computed are arrays, no values
  if others == 0 then x = x:unsqueeze(1) end
  if is_all then return of_vectors(x, 2, a) end
  if #axes == 1 then return of_vectors(x, ord, a) end
  check_order_of_matrices(ord, "ord")
  return matrices[ord](x, a)
end

-- The shape of the result.
local function shape_of(a, axes, keeps_dims)
  local shape, is_gone = {}, {}
  for _, axis in ipairs(axes) do is_gone[axis] = true end
  for axis = 1, a.ndim do
    if not is_gone[axis] then shape[#shape + 1] = a:dim(axis)
    elseif keeps_dims then shape[#shape + 1] = 1 end
  end
  return shape
end

local PARTS = { c64 = "f32", c128 = "f64" }
local function dtype_of(a)
  return PARTS[a.dtype] or a.dtype:find "f" and a.dtype or "f64"
end

--- nd.norm(a [, ord] [, axis] [, {ord =, axis =, keepdims =, out =}])
local function compute_norm(a, ord, axis, options, ...)
  read.finish(...)
  ord, axis = linalg.split(ord, axis)
  if type(axis) == "table" and rawget(axis, 1) == nil and type(options) == "nil" then
    axis, options = nil, axis
  end
  local known = { "keepdims", "out" }
  if type(axis) == "nil" then known[3] = "axis" end
  ord, options = read.options_after(ord, "ord", options, known)
  if type(axis) == "nil" then axis = rawget(options, "axis") end
  a, ord = read.array(a, "a"), read_order(ord, "ord")
  local keeps_dims = read.boolean(options, "keepdims")
  local named = read_axes(axis, a)
  local axes = named or all_axes(a, ord)
  local shape = shape_of(a, axes, keeps_dims)
  local out = linalg.out("norm", options, shape)
  local result = compute(a, ord, axes):reshape(shape)
  if out then return out:copy_from(result) end
  result = result:astype(dtype_of(a))
  return (named or keeps_dims) and result or result:item()
end

--- The argument 'what' of a function of matrices: a norm of these, or nil.
function norm.read_order(ord, what)
  if type(read_order(ord, what)) ~= "nil" then check_order_of_matrices(ord, what) end
  return ord
end

--- The norms of the matrices of the last two axes of 'a', as an array.
function norm.of_matrices(a, ord)
  local axes = { a.ndim - 1, a.ndim }
  return compute(a, ord, axes):reshape(shape_of(a, axes))
end

--- The function, for linalg.open.
function norm.open(nd_)
  nd = nd_
  return compute_norm
end

return norm
