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

-- nil, a number, "fro" or "nuc".
local function read_ord(ord)
  if type(ord) == "nil" or ord == "fro" or ord == "nuc" then return ord end
  local number = read.number(ord)
  if number and number == number then return number end
  if number or type(ord) == "string" then
    fail("invalid_argument", "ord", "%s is none of a number, \"fro\", \"nuc\"",
      number and "NaN" or ("%q"):format(ord:sub(1, 40)))
  end
  fail("type_mismatch", "ord", "expected a number, \"fro\" or \"nuc\", got %s", names.kind(ord))
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

local vectors = {
  [0] = function(x) return x:count_nonzero(-1) end,
  [1] = function(x) return x:abs():sum(-1) end,
  [2] = function(x)
    local squares = nd.vecdot(x, x)
    return (squares.dtype:find "^c" and squares.real or squares):sqrt()
  end,
  [1 / 0] = function(x) return x:abs():max(-1) end,
  [-1 / 0] = function(x) return x:abs():min(-1) end,
}

local function of_vectors(x, ord)
  if type(ord) == "string" then
    fail("invalid_argument", "ord", "norm %q is one of matrices, along two axes", ord)
  end
  if vectors[ord] then return vectors[ord](x) end
  return x:abs():pow_(ord):sum(-1):pow_(1 / ord)
end

local function singular_values(x) return (core.factor("svdvals", x)) end

local matrices = {
  [1] = function(x) return x:abs():sum(-2):max(-1) end,
  [-1] = function(x) return x:abs():sum(-2):min(-1) end,
  [1 / 0] = function(x) return x:abs():sum(-1):max(-1) end,
  [-1 / 0] = function(x) return x:abs():sum(-1):min(-1) end,
  [2] = function(x) return singular_values(x):max(-1) end,
  [-2] = function(x) return singular_values(x):min(-1) end,
  nuc = function(x) return singular_values(x):sum(-1) end,
}

local function of_matrices(x, ord)
  if matrices[ord] then return matrices[ord](x) end
  fail("invalid_argument", "ord", "%s is no norm of matrices; there are \"fro\", \"nuc\", 1, -1, "
    .. "2, -2, inf, -inf", tostring(ord))
end

-- 'a' as floats, its 'axes' behind the others, with an axis of 1 in front.
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
  return a:unsqueeze(1), others
end

-- The same with its last axes as one.
local function joined(x, others)
  local shape, n = { 1 }, 1
  for axis = 1, others do shape[axis + 1] = x:dim(axis + 1) end
  for axis = others + 2, x.ndim do n = n * x:dim(axis) end
  shape[others + 2] = n
  return x:reshape(shape, { copy = true })
end

local function compute(a, ord, axes)
  local x, others = arrange(a, axes)
  local is_all = type(ord) == "nil" or ord == "fro" and #axes == 2
  if is_all then return of_vectors(joined(x, others), 2) end
  if #axes == 2 then return of_matrices(x, ord) end
  return of_vectors(x, ord)
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
  options = read.options(options, { "ord", "axis", "keepdims", "out" })
  if type(ord) == "nil" then ord = rawget(options, "ord") end
  if type(axis) == "nil" then axis = rawget(options, "axis") end
  a, ord = read.array(a, "a"), read_ord(ord)
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

--- The function, for linalg.open.
function norm.open(nd_)
  nd = nd_
  return compute_norm
end

return norm
