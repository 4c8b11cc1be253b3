--- Arrays put together and taken apart: moveaxis, unstack, repeat_interleave with a count for each
-- entry; concat, stack, split and tile of tables.
local read = require "ndbuf.arguments"

local pieces = {}

-- {=== axes ===}

-- An axis, or a list of them, as a list of positive numbers.
local function read_axes(core, value, name, ndim)
  if type(value) ~= "table" then return { read.axis(value, name, ndim) } end
  local axes, is_taken = {}, {}
  for i = 1, #value do
    local axis = read.axis(rawget(value, i), name, ndim)
    if is_taken[axis] then
      core.fail("invalid_argument", name, ("axis %d is named twice"):format(axis))
    end
    axes[i], is_taken[axis] = axis, true
  end
  return axes
end

-- moveaxis(a, source, destination): the other axes stay in their order.
local function open_moveaxis(core)
  return function(a, source, destination, ...)
    read.finish(...)
    a = read.array(a, "a")
    local ndim = a.ndim
    local from = read_axes(core, source, "source", ndim)
    local to = read_axes(core, destination, "destination", ndim)
    if #from ~= #to then
      core.fail("invalid_argument", "destination",
        ("moveaxis: %d axes to move, %d destinations"):format(#from, #to))
    end
    local order, is_moved = {}, {}
    for i, axis in ipairs(from) do order[to[i]], is_moved[axis] = axis, true end
    local at = 1
    for axis = 1, ndim do
      if not is_moved[axis] then
        while order[at] do at = at + 1 end
        order[at] = axis
      end
    end
    return ndim == 0 and a:reshape {} or a:permute(order)
  end
end

-- unstack(a [, axis]): the entries of an axis as several values.
local function open_unstack(core)
  return function(a, axis, ...)
    if type(axis) == "table" then axis = rawget(read.options(axis, { "axis" }), "axis") end
    read.finish(...)
    a = read.array(a, "a")
    if a.ndim == 0 then core.fail("shape_mismatch", "a", "unstack: a 0-d array has no axes") end
    axis = type(axis) == "nil" and 1 or read.axis(axis, "axis", a.ndim)
    local n, list = a:dim(axis), {}
    if n > 7000 then
      core.fail("capacity", "axis", ("unstack: %d values; the limit is 7000"):format(n))
    end
    for i = 1, n do list[i] = a:select(axis, i) end
    return unpack(list, 1, n)
  end
end

-- {=== repeats ===}

-- The positions that repeat position i 'counts[i]' times.
local function positions(core, nd, counts)
  local total, n = 0, counts.size
  for i = 1, n do total = total + read.integer(counts[i], "n", 0) end
  if total > 2 ^ 53 then core.fail("overflow", "n", "the sum of the counts exceeds 2^53") end
  local index, at = nd.empty({ total }, "i64", { lazy = false }), 1
  for i = 1, n do
    for k = at, at + counts[i] - 1 do index[k] = i end
    at = at + tonumber(counts[i])
  end
  return index
end

-- With one count, in a list or not, it is the method in C of the dtype.
local function open_repeat(core, nd)
  local own = {}
  for dtype, mt in pairs(core.metatables) do own[dtype] = mt.methods.repeat_interleave end
  return function(a, n, axis, options, ...)
    if type(n) ~= "table" and not read.is_array(n) then
      return own[a.dtype](a, n, axis, options, ...)
    end
    if type(axis) == "table" then
      read.finish(options)
      axis, options = nil, axis
    end
    read.finish(...)
    options = read.options(options, type(axis) == "nil" and { "axis", "out" } or { "out" })
    if type(axis) == "nil" then axis = rawget(options, "axis") end
    axis = type(axis) == "nil" and a.ndim == 1 and 1 or read.axis(axis, "axis", a.ndim)
    local counts = read.array(n, "n"):to "cpu"
    if type(n) ~= "table" and not counts.dtype:find "^[iu]" then
      core.fail("type_mismatch", "n", "expected integers, got " .. counts.dtype)
    end
    if counts.ndim == 1 and counts.size == 1 then
      return own[a.dtype](a, counts[1], axis, { out = rawget(options, "out") })
    end
    if counts.ndim ~= 1 or counts.size ~= a:dim(axis) then
      core.fail("shape_mismatch", "n",
        ("repeat_interleave: a list of %d counts is needed, one for each entry of axis %d"):format(
          a:dim(axis), axis))
    end
    return read.store(a:take(positions(core, nd, counts):to(read.place(a)), axis), options)
  end
end

-- {=== tables for arrays ===}

-- The dtype that tables among arrays take: what the arrays are promoted to; nil without arrays.
local function common_dtype(core, nd, list)
  local found, empty = nil, {}
  for i = 1, #list do
    local value = rawget(list, i)
    if read.is_array(value) and not empty[value.dtype] then
      found = nd.zeros(0, value.dtype)
      empty[value.dtype], empty[#empty + 1] = true, found
    end
  end
  if #empty > 1 then found = core.concat(empty) end
  return found and found.dtype
end

-- 'join' of a list with arrays in the place of its tables.
local function of_tables(core, nd, join)
  return function(list, ...)
    local has_table = false
    if type(list) == "table" then
      for i = 1, #list do has_table = has_table or type(rawget(list, i)) == "table" end
    end
    if not has_table then return join(list, ...) end
    local arrays, dtype = {}, common_dtype(core, nd, list)
    for i = 1, #list do
      local value = rawget(list, i)
      arrays[i] = type(value) == "table" and nd.array(value, dtype) or value
    end
    return join(arrays, ...)
  end
end

-- The method 'name' as a function of an array or a table.
local function of_first(name)
  return function(a, ...)
    a = read.array(a, "a")
    return a[name](a, ...)
  end
end

--- Put the functions into 'nd'; the methods, by name.
function pieces.open(core, nd)
  nd.moveaxis, nd.unstack = open_moveaxis(core), open_unstack(core)
  nd.concat, nd.stack = of_tables(core, nd, core.concat), of_tables(core, nd, core.stack)
  for _, name in ipairs { "split", "tile", "repeat_interleave" } do nd[name] = of_first(name) end
  return { moveaxis = nd.moveaxis, unstack = nd.unstack,
           repeat_interleave = open_repeat(core, nd) }
end

return pieces
