--- Linear algebra: what is composed of matmul, vecdot, products of elements and reductions. The
-- functions are in nd and in nd.linalg; norms are in norm.lua, einsum is in einsum.lua.
local read = require "ndbuf.arguments"

local linalg = {}

local core, nd -- set by linalg.open

local function fail(code, name, text, ...) core.fail(code, name, text:format(...)) end

-- The extents of a shape or an array for messages.
local function shape_text(shape)
  if read.is_array(shape) then shape = shape.shape end
  return #shape == 0 and "scalar" or table.concat(shape, "x")
end

-- 'a' in another shape, copied where its strides do not allow that.
local function shaped(a, shape) return a:reshape(shape, { copy = true }) end

local function flat(a) return a.ndim == 1 and a or shaped(a, { a.size }) end

--- What a function returns that made 'a': the value of an array without axes.
function linalg.value(a)
  if a.ndim == 0 then return a:item() end
  return a
end

--- The option 'out' of the function 'name', whose result has 'shape'; nil where there is none.
function linalg.out(name, options, shape)
  local out = rawget(options, "out")
  if type(out) == "nil" then return end
  out = read.array(out, "out")
  if shape_text(out) ~= shape_text(shape) then
    fail("shape_mismatch", "out", "%s: the result has shape (%s), but out has (%s)", name,
      shape_text(shape), shape_text(out))
  end
  return out
end

-- The arguments (…, x, options), where a table without entries in the place of x is the options.
local function split(x, options)
  if type(x) == "table" and rawget(x, 1) == nil and type(options) == "nil" then return nil, x end
  return x, options
end
linalg.split = split

-- {=== outer and Kronecker products ===}

local functions = {}

--- nd.outer(a, b [, {out =}]): each element of a times each of b.
function functions.outer(a, b, options, ...)
  read.finish(...)
  options = read.options(options, { "out" })
  a, b = flat(read.operand(a, "a")), flat(read.operand(b, "b"))
  local out = linalg.out("outer", options, { a.size, b.size })
  return nd.mul(a:unsqueeze(2), b, out and { out = out })
end

-- Extents of a, of b, and of their product, in which each axis is two, but for those of 1; and the
-- shape of the result.
local function interleave(a, b)
  local left, right, both, whole = {}, {}, {}, {}
  local function add(x, y)
    left[#left + 1], right[#right + 1], both[#both + 1] = x, y, x * y
  end
  local n = math.max(a.ndim, b.ndim)
  for i = 1, n do
    local x = i > n - a.ndim and a:dim(i - n + a.ndim) or 1
    local y = i > n - b.ndim and b:dim(i - n + b.ndim) or 1
    whole[i] = x * y
    if x ~= 1 then add(x, 1) end
    if y ~= 1 then add(1, y) end
  end
  return left, right, both, whole
end

--- nd.kron(a, b [, {out =}]): b as a block, times each element of a.
function functions.kron(a, b, options, ...)
  read.finish(...)
  options = read.options(options, { "out" })
  a, b = read.operand(a, "a"), read.operand(b, "b")
  local left, right, both, whole = interleave(a, b)
  if #both > 16 then
    fail("invalid_argument", "b", "kron: (%s) and (%s) have more than 8 axes that are longer "
      .. "than 1", shape_text(a), shape_text(b))
  end
  local out = linalg.out("kron", options, whole)
  a, b = shaped(a, left), shaped(b, right)
  if out then
    nd.mul(a, b, { out = out:reshape(both) })
    return out
  end
  return linalg.value(nd.mul(a, b):reshape(whole))
end

-- {=== sums over several axes ===}

-- A list of axes of 'a', from 1, none of them twice.
local function read_axes(name, list, a)
  local out, seen = {}, {}
  for i = 1, #list do
    out[i] = read.axis(rawget(list, i), name, a.ndim)
    if seen[out[i]] then fail("invalid_argument", name, "axis %d is named twice", out[i]) end
    seen[out[i]] = true
  end
  return out
end
linalg.axes = read_axes

-- The axes of tensordot: as many as a number says, the last of a and the first of b; or a list for
-- each of both, or an axis.
local function read_pairs(axes, a, b)
  if type(axes) == "nil" then axes = 2 end
  local first, second = {}, {}
  if type(axes) ~= "table" then
    local count = read.integer(axes, "axes", 0, math.min(a.ndim, b.ndim))
    for i = 1, count do first[i], second[i] = a.ndim - count + i, i end
    return first, second
  end
  first, second = rawget(axes, 1), rawget(axes, 2)
  first = read_axes("axes[1]", type(first) == "table" and first or { first }, a)
  second = read_axes("axes[2]", type(second) == "table" and second or { second }, b)
  if #first ~= #second then
    fail("invalid_argument", "axes", "%d axes of a, but %d of b", #first, #second)
  end
  return first, second
end

-- The axes of 'a' that are not in 'list', and their extents.
local function other_axes(a, list)
  local is_in, axes, extents = {}, {}, {}
  for _, axis in ipairs(list) do is_in[axis] = true end
  for axis = 1, a.ndim do
    if not is_in[axis] then axes[#axes + 1], extents[#extents + 1] = axis, a:dim(axis) end
  end
  return axes, extents
end

local function append(list, more)
  local out = { unpack(list) }
  for _, value in ipairs(more) do out[#out + 1] = value end
  return out
end

local function product(list)
  local n = 1
  for _, value in ipairs(list) do n = n * value end
  return n
end

local function permuted(a, order) return #order == 0 and a or a:permute(order) end

--- nd.tensordot(a, b [, axes] [, {axes =, out =}])
function functions.tensordot(a, b, axes, options, ...)
  read.finish(...)
  axes, options = split(axes, options)
  axes, options = read.options_after(axes, "axes", options, { "out" })
  a, b = read.array(a, "a"), read.array(b, "b")
  local first, second = read_pairs(axes, a, b)
  local common = {}
  for i, axis in ipairs(first) do
    common[i] = a:dim(axis)
    if b:dim(second[i]) ~= common[i] then
      fail("shape_mismatch", "b", "tensordot: (%s) and (%s) do not fit: axis %d has %d elements, "
        .. "axis %d has %d", shape_text(a), shape_text(b), axis, common[i], second[i],
        b:dim(second[i]))
    end
  end
  local rows, left = other_axes(a, first)
  local columns, right = other_axes(b, second)
  local shape, k = append(left, right), product(common)
  local out = linalg.out("tensordot", options, shape)
  a = shaped(permuted(a, append(rows, first)), { product(left), k })
  b = shaped(permuted(b, append(second, columns)), { k, product(right) })
  if out then return out:copy_from(nd.matmul(a, b):reshape(shape)) end
  return linalg.value(nd.matmul(a, b):reshape(shape))
end

--- nd.trace(a [, k] [, {axes =, out =}]): the sum of diagonal k of two axes, by default the first.
function functions.trace(a, k, options, ...)
  read.finish(...)
  k, options = split(k, options)
  options = read.options(options, { "axes", "out" })
  a = read.array(a, "a")
  local axes = rawget(options, "axes")
  if type(axes) == "nil" then axes = { 1, 2 } end
  if type(axes) ~= "table" or #axes ~= 2 then
    fail("invalid_argument", "axes", "two axes are needed, in a list")
  end
  if a.ndim < 2 then
    fail("shape_mismatch", "a", "trace: at least 2 axes are needed; the array is (%s)",
      shape_text(a))
  end
  axes = read_axes("axes", axes, a)
  k = read.diagonal(k, "k", a:dim(axes[1]), a:dim(axes[2]))
  local others, shape = other_axes(a, axes)
  local out = linalg.out("trace", options, shape)
  local diagonal = a:permute(append(others, axes)):diagonal(k)
  if out then return diagonal:sum { axis = -1, out = out } end
  return #shape == 0 and diagonal:sum() or diagonal:sum(-1)
end

--- Put the functions into 'nd' and nd.linalg, with those of 'others'; the methods, by name.
function linalg.open(core_, nd_, others)
  core, nd = core_, nd_
  nd.linalg = {}
  for name, fn in pairs(others) do functions[name] = fn end
  for name, fn in pairs(functions) do nd[name], nd.linalg[name] = fn, fn end
  for _, name in ipairs { "matmul", "dot", "vecdot" } do nd.linalg[name] = nd[name] end
  local methods = {}
  for name, fn in pairs(functions) do
    if name ~= "einsum" then methods[name] = fn end
  end
  return methods
end

return linalg
