--- Arrays that are made of coordinates and diagonals: meshgrid, broadcast_arrays, tril, triu, diag,
-- identity, vander.
local read = require "ndbuf.arguments"

local grids = {}

local function shape_text(a)
  return a.ndim == 0 and "()" or "(" .. table.concat(a.shape, "x") .. ")"
end

-- The arguments of a function with a list of arrays, and its options: a table in the last place
-- that is no list.
local function split_options(known, ...)
  local list, count = { ... }, select("#", ...)
  local last = count > 0 and list[count] or nil
  local options
  if type(last) == "table" and rawget(last, 1) == nil then
    options, count = read.options(last, known), count - 1
  end
  return list, count, options or {}
end

-- {=== coordinates ===}

-- The 1-D coordinates 'list' as a dense or sparse grid; 'axes' has the axis of each.
local function spread(list, axes, is_sparse)
  local shape, out = {}, {}
  for i, axis in ipairs(axes) do shape[axis] = list[i].size end
  for i, x in ipairs(list) do
    local own = {}
    for axis = 1, #list do own[axis] = axis == axes[i] and shape[axis] or 1 end
    local view = x:reshape(own, { copy = true })
    out[i] = is_sparse and view:clone() or view:expand(shape):clone()
  end
  return unpack(out, 1, #list)
end

local function open_meshgrid(core, nd)
  local known = { "indexing", "sparse" }
  --- nd.meshgrid(x, y, … [, {indexing =, sparse =}])
  function nd.meshgrid(...)
    local list, count, options = split_options(known, ...)
    local indexing = read.choice(options, "indexing", { "xy", "ij" })
    local is_sparse = read.boolean(options, "sparse")
    if count < 1 or count > 16 then
      core.fail("invalid_argument", "arrays", ("%d arrays; the limits are 1 and 16"):format(count))
    end
    local axes = {}
    for i = 1, count do
      list[i], axes[i] = read.operand(list[i], "arrays"), i
      if list[i].ndim > 1 then
        core.fail("shape_mismatch", "arrays",
          ("meshgrid: coordinates have 1 axis; array %d is %s"):format(i, shape_text(list[i])))
      end
    end
    for i = count + 1, select("#", ...) do list[i] = nil end
    if indexing == "xy" and count > 1 then axes[1], axes[2] = 2, 1 end
    return spread(list, axes, is_sparse)
  end
end

-- The shape that the arrays broadcast to.
local function common_shape(fail, list, count)
  local shape, ndim = {}, 0
  for i = 1, count do ndim = math.max(ndim, list[i].ndim) end
  for axis = 1, ndim do shape[axis] = 1 end
  for i = 1, count do
    local own = list[i].shape
    for k = 1, #own do
      local axis = ndim - #own + k
      if shape[axis] == 1 then
        shape[axis] = own[k]
      elseif own[k] ~= 1 and own[k] ~= shape[axis] then
        fail("shape_mismatch", "arrays",
          ("broadcast_arrays: array %d is %s and does not broadcast with those before it: axis %d"
            .. " is %d, theirs %d"):format(i, shape_text(list[i]), k, own[k], shape[axis]))
      end
    end
  end
  return shape
end

local function open_broadcast(core, nd)
  --- nd.broadcast_arrays(a, b, …): views of one shape.
  function nd.broadcast_arrays(...)
    local list, count = { ... }, select("#", ...)
    if count < 1 or count > 1000 then
      core.fail("invalid_argument", "arrays",
        ("%d arrays; the limits are 1 and 1000"):format(count))
    end
    for i = 1, count do list[i] = read.operand(list[i], "arrays") end
    local shape = common_shape(core.fail, list, count)
    for i = 1, count do list[i] = list[i]:expand(shape) end
    return unpack(list, 1, count)
  end
end

-- {=== triangles ===}

local function check_matrix(core, name, a)
  if a.ndim < 2 then
    core.fail("shape_mismatch", "a",
      ("%s: at least 2 axes are needed; the array is %s"):format(name, shape_text(a)))
  end
end

-- A mask of the last two axes of 'a' that is true where column - row <= k.
local function below(nd, a, k)
  local rows, columns, place = a:dim(-2), a:dim(-1), read.place(a)
  k = math.max(-rows, math.min(columns, k))
  local dtype = rows + columns < 2 ^ 31 and "i32" or "i64"
  local row = nd.arange(1 + k, rows + k, 1, dtype, place):unsqueeze(2)
  return nd.arange(1, columns, 1, dtype, place):le(row)
end

local function open_triangles(core, nd)
  local triangles = {}
  local function define(name, keep)
    triangles[name] = function(a, k, options, ...)
      if type(k) == "table" and type(options) == "nil" then k, options = nil, k end
      read.finish(...)
      options = read.options(options, { "out" })
      a = read.array(a, "a")
      k = read.integer(k, "k", nil, nil, 0)
      check_matrix(core, name, a)
      -- before the mask, whose size is that of one matrix of an expanded array's
      local out = nd.empty_like(a, { lazy = false })
      return read.store(keep(a, k, { out = out }), options)
    end
    triangles[name .. "_"] = function(a, k, ...)
      read.finish(...)
      k = read.integer(k, "k", nil, nil, 0)
      check_matrix(core, name, a)
      if a.readonly then a:fill(0) end -- raises
      return keep(a, k, { out = a })
    end
  end
  define("tril", function(a, k, out) return nd.where(below(nd, a, k), a, 0, out) end)
  define("triu", function(a, k, out) return nd.where(below(nd, a, k - 1), 0, a, out) end)
  nd.tril, nd.triu = triangles.tril, triangles.triu
  return triangles
end

-- {=== matrices ===}

local function open_matrices(core, nd)
  --- nd.diag(v [, k]): a matrix with v on a diagonal; of a matrix its diagonal, a view.
  function nd.diag(v, k, ...)
    read.finish(...)
    v = read.array(v, "v")
    k = read.integer(k, "k", nil, nil, 0)
    if v.ndim == 2 then return v:diagonal(k) end
    if v.ndim ~= 1 then
      core.fail("shape_mismatch", "v",
        "diag: 1 or 2 axes are needed; the array is " .. shape_text(v))
    end
    local n = v.size + math.abs(k)
    local out = nd.zeros({ n, n }, v.dtype, read.place(v))
    if v.size > 0 then out:diagonal(k):copy_from(v) end
    return out
  end

  --- nd.identity(n [, dtype] [, device] [, opts])
  function nd.identity(n, ...) return core.eye(n, n, ...) end

  --- nd.vander(x [, n] [, {increasing =, out =}]): the powers of x, column by column.
  function nd.vander(x, n, options, ...)
    if type(n) == "table" and type(options) == "nil" then n, options = nil, n end
    read.finish(...)
    options = read.options(options, { "increasing", "out" })
    x = read.array(x, "x")
    if x.ndim ~= 1 then
      core.fail("shape_mismatch", "x",
        "vander: 1 axis is needed; the array is " .. shape_text(x))
    end
    n = read.integer(n, "n", 0, nil, x.size)
    local is_increasing = read.boolean(options, "increasing")
    local dtype = grids.accumulated(x.dtype)
    local out = nd.ones({ x.size, n }, dtype, read.place(x))
    local powers, last = is_increasing and out or out:flip(2), nil
    for i = 2, out.size > 0 and n or 0 do
      local column = powers:select(2, i)
      if last then nd.mul(last, x:astype(dtype), { out = column }) else column:copy_from(x) end
      last = column
    end
    return read.store(grids.is_small[x.dtype] and out:astype(x.dtype) or out, options)
  end
end

--- Floats that are computed in f32.
grids.is_small = { f16 = true, bf16 = true, f8e4m3 = true, f8e5m2 = true }

--- The dtype that products of many elements are computed in: integers of 64 bits, f32 for those in
-- 'is_small'.
function grids.accumulated(dtype)
  if dtype == "bool" or dtype:find "^i" then return "i64" end
  if dtype:find "^u" then return "u64" end
  return grids.is_small[dtype] and "f32" or dtype
end

--- Put the functions into 'nd'; the methods, by name.
function grids.open(core, nd)
  open_meshgrid(core, nd)
  open_broadcast(core, nd)
  open_matrices(core, nd)
  return open_triangles(core, nd)
end

return grids
