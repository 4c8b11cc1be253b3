--- Differences of neighbours and slopes along axes, of operations that there are.
local core = require "ndbuf.core"
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local steps = {}

local fail, nd = core.fail, nil -- nd is set by steps.open

local function check_axes(a, name)
  if a.ndim == 0 then fail("invalid_argument", name, "a scalar (0-d) array has no axis") end
end

-- {=== differences ===}

-- 'value' as a scalar of 'a's dtype. As in operations, floats round it, others must hold it.
local function read_scalar(value, name, a)
  local is_complex = read.is_complex(value)
  if not (is_complex or type(value) == "boolean" or read.number(value)) then
    fail("type_mismatch", name,
      "expected a number, an array or a table, got " .. names.kind(value))
  end
  if not is_complex or a.dtype:find "^c" then
    local held = nd.full({}, value, a.dtype)
    local is_rounded = a.dtype ~= "bool" and not a.dtype:find "^[iu]"
    if is_rounded or held:eq(value):item() then return held end
  end
  fail("not_representable", name,
    ("%s cannot be represented as %s"):format(names.value(value), a.dtype))
end

-- 'value', an array or one number, as what is put before or behind 'a' along 'axis'.
local function read_edge(options, name, a, axis)
  local value = rawget(options, name)
  if type(value) == "nil" then return end
  if type(value) == "table" then value = core.array(value) end
  if not read.is_array(value) then value = read_scalar(value, name, a) end
  if value.ndim > 0 then return value end
  local shape = a.shape
  shape[axis] = 1
  return value:expand(shape)
end

local function with_edges(a, axis, options)
  local before = read_edge(options, "prepend", a, axis)
  local behind = read_edge(options, "append", a, axis)
  local parts = { before or a, before and a or behind, before and behind }
  return parts[2] and core.concat(parts, axis) or a
end

-- Each element less the one before it; of bools, whether they differ.
local function subtract(a, axis, options)
  local left = math.max(a:dim(axis) - 1, 0)
  local before = a:narrow(axis, 1, left)
  local after = a:narrow(axis, math.min(2, a:dim(axis) + 1), left)
  return nd[a.dtype == "bool" and "ne" or "sub"](after, before, options)
end

local function diff(a, axis, options, ...)
  axis, options = read.axis_and_options(axis, options,
    { "axis", "n", "prepend", "append", "out" }, ...)
  check_axes(a, "diff")
  axis = type(axis) == "nil" and a.ndim or read.axis(axis, "axis", a.ndim)
  local n = read.integer(rawget(options, "n"), "n", 0, nil, 1)
  if n == 0 then return read.store(a:clone(), options) end
  a = with_edges(a, axis, options)
  n = math.min(n, a:dim(axis) + 1) -- then nothing is left
  for _ = 2, n do a = subtract(a, axis) end
  return subtract(a, axis, { out = rawget(options, "out") })
end

-- {=== slopes ===}

-- The axes in the order in which they are asked for; all of them by default.
local function read_axes(axis, ndim)
  local axes, seen = {}, {}
  if type(axis) == "nil" then
    for i = 1, ndim do axes[i] = i end
    return axes
  end
  if type(axis) ~= "table" then return { read.axis(axis, "axis", ndim) } end
  for i = 1, #axis do
    axes[i] = read.axis(rawget(axis, i), "axis", ndim)
    if seen[axes[i]] then
      fail("invalid_argument", "axis", ("axis %d is there twice"):format(axes[i]))
    end
    seen[axes[i]] = true
  end
  return axes
end

-- What lies between the points along an axis of 'n' of them: a number, or an array of n - 1.
local function read_distance(value, name, n)
  if type(value) == "nil" then return 1 end
  if read.is_array(value) and value.ndim == 0 then value = value:item() end
  local number = read.number(value)
  if number then return number end
  local points = read.array(value, name)
  if points.ndim ~= 1 or points.size ~= n then
    fail("shape_mismatch", name, ("(%s) is not the shape of %d points"):format(
      table.concat(points.shape, ", "), n))
  end
  local between = diff(points:to(points.dtype == "f32" and "f32" or "f64"))
  local first = n > 1 and between[1]
  return first and between:eq(first):all() and first or between
end

-- The distances along each of the axes: one number for all, or a list with an entry for each.
local function read_distances(options, a, axes)
  local spacing, distances = rawget(options, "spacing"), {}
  local is_list = type(spacing) == "table"
  if is_list and #spacing ~= #axes then
    fail("invalid_argument", "spacing", ("%d entries for %d axes"):format(#spacing, #axes))
  elseif read.is_array(spacing) and spacing.ndim > 0 and #axes ~= 1 then
    fail("invalid_argument", "spacing", ("one array for %d axes: expected a list"):format(#axes))
  end
  for i, axis in ipairs(axes) do
    local value, name = spacing, "spacing"
    if is_list then value, name = rawget(spacing, i), ("spacing[%d]"):format(i) end
    distances[i] = read_distance(value, name, a:dim(axis))
  end
  return distances
end

-- The first of three points, or the last where they are read from the end: the slope there of a
-- parabola through them; of a line through two where 'order' is 1.
local function slope_at_end(f, d1, d2, order)
  if order == 1 then return (f(2) - f(1)) / d1 end
  local both = d1 + d2
  return f(1) * (-(both + d1) / (d1 * both)) + f(2) * (both / (d1 * d2)) - f(3) * (d1 / (d2 * both))
end

-- The slope along the first axis of 'a', whose points are 'distance' apart.
local function slopes(a, distance, order, out)
  local n = a:dim(1)
  local inner = out:narrow(1, 2, n - 2)
  local is_even = type(distance) == "number"
  local function between(i) return is_even and distance or tonumber(distance[i]) end
  local before, behind = a:narrow(1, 1, n - 2), a:narrow(1, 3, n - 2)
  if is_even then
    nd.sub(behind, before, { out = inner }):div_(2 * distance)
  else
    local shape = { n - 2 }
    for i = 2, a.ndim do shape[i] = 1 end
    local d1 = distance:narrow(1, 1, n - 2):reshape(shape)
    local d2 = distance:narrow(1, 2, n - 2):reshape(shape)
    local both = d1 + d2
    nd.mul(before, -d2 / (d1 * both), { out = inner })
    inner:add_(a:narrow(1, 2, n - 2) * ((d2 - d1) / (d1 * d2))):add_(behind * (d1 / (d2 * both)))
  end
  local function first(i) return a:select(1, i) end
  local function last(i) return a:select(1, -i) end
  out:select(1, 1):copy_from(slope_at_end(first, between(1), n > 2 and between(2), order))
  out:select(1, n):copy_from(slope_at_end(last, -between(n - 1), n > 2 and -between(n - 2), order))
end

local FLOATS = { f16 = true, bf16 = true, f32 = true, f64 = true, c64 = true, c128 = true }

local function gradient(a, axis, options, ...)
  axis, options = read.axis_and_options(axis, options,
    { "axis", "spacing", "edge_order", "out" }, ...)
  check_axes(a, "gradient")
  local axes = read_axes(axis, a.ndim)
  local order = read.integer(rawget(options, "edge_order"), "edge_order", 1, 2, 1)
  local distances = read_distances(options, a, axes)
  local results = {}
  if type(rawget(options, "out")) ~= "nil" and #axes ~= 1 then
    fail("invalid_argument", "out", ("one array for the slopes along %d axes"):format(#axes))
  end
  if not FLOATS[a.dtype] then a = a:to "f64" end
  for i, along in ipairs(axes) do
    if a:dim(along) <= order then
      fail("shape_mismatch", "a", ("axis %d has %d elements; slopes need %d"):format(
        along, a:dim(along), order + 1))
    end
    results[i] = nd.empty_like(a)
    slopes(a:moveaxis(along, 1), distances[i], order, results[i]:moveaxis(along, 1))
  end
  return read.store(results[1], options), unpack(results, 2)
end

-- {=== all of them ===}

--- nd.diff and nd.gradient, which are methods, too.
function steps.open(module)
  nd = module
  for name, fn in pairs { diff = diff, gradient = gradient } do
    nd[name] = function(a, ...) return fn(read.array(a, "a"), ...) end
    for _, mt in pairs(core.metatables) do mt.methods[name] = nd[name] end
  end
end

return steps
