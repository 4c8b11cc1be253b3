--- Searching and counting: what is composed of searchsorted, bincount, sort and masks. As functions
-- of nd, and as methods of their first argument.
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local counting = {}

local core, nd, fail -- set by counting.open

-- {=== arguments ===}

local function fail_kind(name, wanted, value)
  fail("type_mismatch", name, ("expected %s, got %s"):format(wanted, names.kind(value)))
end

-- The elements in row-major order.
local function flat_of(array) return array:contiguous():flatten() end

-- A 1-D array of at least 'least' elements.
local function to_line(value, name, least)
  local line = read.array(value, name)
  if line.ndim ~= 1 or line.size < least then
    fail("shape_mismatch", name, ("expected a 1-D array of %d elements or more, got (%s)"):format(
      least, table.concat(line.shape, ", ")))
  end
  return line
end

local function check_number(value, name)
  local number = read.number(value)
  if not number then fail_kind(name, "a number", value) end
  return number
end

local function check_real(a, name)
  if a.dtype:sub(1, 1) == "c" then
    fail("type_mismatch", name, "expected real numbers, got " .. a.dtype)
  end
end

-- Bools are counted as numbers.
local function to_real(a, name)
  a = read.array(a, name)
  check_real(a, name)
  return a.dtype == "bool" and a:to "u8" or a
end

-- {=== searching ===}

-- Are the elements in this order? NaN is in none. 'order' is "le" or "ge".
local function is_ordered(line, order)
  local n = line.size
  return n < 2 or nd[order](line:narrow(1, 1, n - 1), line:narrow(1, 2, n - 1)):all()
end

-- Raise for an element that follows another in none of the orders.
local function fail_order(name, what, line, orders)
  local n, at = line.size, 1
  for _, order in ipairs(orders) do
    local follows = nd[order](line:narrow(1, 1, n - 1), line:narrow(1, 2, n - 1))
    at = math.max(at, tonumber(nd.flatnonzero(follows:logical_not_())[1]))
  end
  fail("invalid_argument", name, ("%s: %s at position %d follows %s"):format(what,
    names.value(line[at + 1]), at + 1, names.value(line[at])))
end

local functions = {}

function functions.digitize(x, bins, options, ...)
  read.finish(...)
  options = read.options(options, { "right", "out" })
  local is_right = read.boolean(options, "right")
  local edges = to_line(bins, "bins", 0)
  check_real(edges, "bins")
  if type(x) == "table" then x = read.array(x, "a") end
  if read.is_array(x) then check_real(x, "a") end
  local side = { side = is_right and "left" or "right" }
  if is_ordered(edges, "le") then return read.store(edges:searchsorted(x, side) - 1, options) end
  if not is_ordered(edges, "ge") then
    fail_order("bins", "the edges neither ascend nor descend", edges, { "le", "ge" })
  end
  return read.store(edges.size + 1 - edges:flip(1):searchsorted(x, side), options)
end

function functions.isin(a, values, options, ...)
  read.finish(...)
  options = read.options(options, { "invert", "out" })
  local invert = read.boolean(options, "invert")
  local sorted = flat_of(read.operand(values, "values")):sort()
  a = read.operand(a, "a")
  if sorted.size == 0 then
    return read.store(nd.full_like(a, invert, { dtype = "bool" }), options)
  end
  -- what is among real values is the same number in their dtype; comparisons are exact
  local wanted = a.dtype:find "^c" and a or a:to(sorted.dtype)
  local nearest = sorted:take(sorted:searchsorted(wanted):minimum_(sorted.size))
  return read.store(invert and nearest:ne(a) or not invert and nearest:eq(a), options)
end

function functions.nonzero(a, ...)
  read.finish(...)
  return nd.where(read.array(a, "a"))
end

function functions.flatnonzero(a, options, ...)
  read.finish(...)
  options = read.options(options, { "out" })
  return read.store(nd.where(flat_of(read.array(a, "a"))), options)
end

-- {=== different values ===}

-- Of sorted elements: is each the first of its value? All NaNs count as one.
local function mark_first(sorted)
  local n = sorted.size
  local first = nd.ones({ n }, "bool")
  if n < 2 then return first end
  nd.ne(sorted:narrow(1, 2, n - 1), sorted:narrow(1, 1, n - 1), { out = first:narrow(1, 2, n - 1) })
  if nd.isnan(sorted:narrow(1, n, 1))[1] then
    local at = nd.isnan(sorted):searchsorted(true)
    first:narrow(1, at + 1, n - at):fill(false)
  end
  return first
end

-- Integers that lie close together are counted, not sorted: their values and counts. nil for
-- others: a table of counts is at most as large as the array, or fits into a cache.
local function count_close(flat)
  local class = flat.dtype:sub(1, 1)
  if class ~= "i" and class ~= "u" then return end
  local least, most = tonumber(flat:min()), tonumber(flat:max())
  if most - least >= math.max(flat.size / 2, 4096) or math.abs(least) > 2 ^ 52 then return end
  local counts = core.bincount_from(flat, least)
  local found = functions.flatnonzero(counts)
  return (found + (least - 1)):to(flat.dtype), counts:take(found)
end

-- The values of 'flat', and, where they are wanted, the first position and the count of each.
local function find_values(flat, wants_index)
  if flat.size == 0 then
    return flat:clone(), nd.empty({ 0 }, "i64"), nd.empty({ 0 }, "i64")
  end
  if not wants_index then
    local values, counts = count_close(flat)
    if values then return values, nil, counts end
  end
  local order = wants_index and flat:argsort()
  local sorted = order and flat:take(order) or flat:sort()
  local first = mark_first(sorted)
  return sorted[first], order and order[first], nil, first
end

-- How many elements follow each that is marked, itself included.
local function count_marked(first)
  local starts = functions.flatnonzero(first)
  local n = starts.size
  local ends = nd.concat { starts:narrow(1, 2, n - 1), nd.full({ 1 }, first.size + 1, "i64") }
  return ends - starts
end

function functions.unique(a, options, ...)
  read.finish(...)
  options = read.options(options, { "counts", "inverse", "index", "out" })
  local wants_counts = read.boolean(options, "counts")
  local wants_inverse = read.boolean(options, "inverse")
  local wants_index = read.boolean(options, "index")
  a = read.array(a, "a")
  local flat = flat_of(a)
  local values, index, counts, first = find_values(flat, wants_index)
  local results = { values }
  if wants_index then results[#results + 1] = index end
  if wants_inverse then
    -- complex NaNs are ordered, and all stand for the last value
    results[#results + 1] = values:searchsorted(a):minimum_(math.max(values.size, 1))
  end
  if wants_counts then results[#results + 1] = counts or count_marked(first) end
  return read.store_all(options, unpack(results))
end

-- {=== histograms ===}

local FLOATS = { f16 = true, bf16 = true, f32 = true, f64 = true, f8e4m3 = true, f8e5m2 = true }

local function is_finite(x) return x - x == 0 end

-- The ends of the range {lo, hi}, or of the elements.
local function ends_of(a, range)
  local lo, hi = 0, 1
  if type(range) ~= "nil" then
    if type(range) ~= "table" then fail_kind("range", "a table of two numbers", range) end
    lo = check_number(rawget(range, 1), "range[1]")
    hi = check_number(rawget(range, 2), "range[2]")
    if not (lo <= hi and is_finite(hi - lo)) then
      fail("invalid_argument", "range", ("%.17g … %.17g is no finite range"):format(lo, hi))
    end
  elseif a.size > 0 then
    lo, hi = tonumber(a:min()), tonumber(a:max())
    if not is_finite(hi - lo) then
      fail("invalid_argument", "range",
        ("the elements lie within %.17g … %.17g: name a finite range"):format(lo, hi))
    end
  end
  if lo == hi then lo, hi = lo - 0.5, hi + 0.5 end
  return lo, hi
end

-- The edges of 'bins' bins of equal width, by the sums and products that NumPy's linspace makes.
local function even_edges(bins, lo, hi, dtype)
  local edges, step = nd.arange(0, bins, 1, "f64"), (hi - lo) / bins
  if step == 0 then edges:div_(bins):mul_(hi - lo) -- it underflowed
  else edges:mul_(step) end
  edges:add_(lo)
  edges[bins + 1] = hi
  return edges:to(dtype)
end

-- The edges that 'bins' stands for, and whether they are of equal width.
local function edges_of(a, bins, range, dtype)
  if type(bins) == "nil" then bins = 10 end
  local count = read.number(bins)
  if count then
    if count < 1 or count ~= math.floor(count) or count > 2 ^ 53 then
      fail("invalid_argument", "bins", ("%.17g is no number of bins"):format(count))
    end
    local lo, hi = ends_of(a, range)
    return even_edges(count, lo, hi, dtype), true
  end
  if type(range) ~= "nil" then
    fail("invalid_argument", "range", "the edges in bins are the range already")
  end
  local edges = to_line(bins, "bins", 2)
  if not is_ordered(edges, "le") then
    fail_order("bins", "the edges do not ascend", edges, { "le" })
  end
  return edges:clone(), false
end

local function widths_of(edges)
  local n = edges.size - 1
  return (edges:narrow(1, 2, n) - edges:narrow(1, 1, n)):to "f64"
end

function functions.histogram(a, options, ...)
  read.finish(...)
  options = read.options(options, { "bins", "range", "weights", "density", "out" })
  local is_density = read.boolean(options, "density")
  a = to_real(a, "a")
  local edges, is_uniform = edges_of(a, rawget(options, "bins"), rawget(options, "range"),
    FLOATS[a.dtype] and a.dtype or "f64")
  local counts = core.histogram_counts(a, edges, is_uniform, rawget(options, "weights"))
  if is_density then counts = counts / widths_of(edges) / counts:sum() end
  return read.store(counts, options), edges
end

-- What 'value', one for both axes or a list of two, says for an axis.
local function of_axis(value, axis)
  if type(value) == "table" and #value == 2 then return value[axis] end
  return value
end

-- The bin of each element, from 1; 0 for those outside.
local function bins_of(x, edges)
  local n = edges.size
  local at = functions.digitize(x, edges):sub_(x:eq(edges[n]))
  return at:mul_(at:lt(n))
end

function functions.histogram2d(x, y, options, ...)
  read.finish(...)
  options = read.options(options, { "bins", "range", "weights", "density", "out" })
  local is_density = read.boolean(options, "density")
  local bins, range = rawget(options, "bins"), rawget(options, "range")
  x, y = to_real(x, "a"), to_real(y, "b")
  if table.concat(x.shape, " ") ~= table.concat(y.shape, " ") then
    fail("shape_mismatch", "b", ("(%s) is not the shape of a (%s)"):format(
      table.concat(y.shape, ", "), table.concat(x.shape, ", ")))
  end
  local rows = edges_of(x, of_axis(bins, 1), of_axis(range, 1), "f64")
  local columns = edges_of(y, of_axis(bins, 2), of_axis(range, 2), "f64")
  local height, width = rows.size - 1, columns.size - 1
  local row, column = bins_of(x, rows), bins_of(y, columns)
  local place = ((row - 1) * width + column):mul_(row:gt(0)):mul_(column:gt(0))
  local counts = nd.bincount(place,
    { base = 0, minlength = height * width + 1, weights = rawget(options, "weights") })
  counts = counts:narrow(1, 2, height * width):reshape(height, width):clone()
  if is_density then
    local total = counts:sum()
    counts = counts / widths_of(rows):unsqueeze(2) / widths_of(columns) / total
  end
  return read.store(counts, options), rows, columns
end

-- {=== interpolation ===}

-- The points within one period, with one more on each side.
local function wrap_points(x, xp, fp, period)
  xp = xp % period
  local order = xp:argsort()
  xp, fp = xp:take(order), fp:take(order)
  local n = xp.size
  xp = nd.concat { xp:narrow(1, n, 1) - period, xp, xp:narrow(1, 1, 1) + period }
  return x % period, xp, nd.concat { fp:narrow(1, n, 1), fp, fp:narrow(1, 1, 1) }
end

-- Between points 'at' and at + 1. Where that is NaN, as beside infinities, it is tried from the
-- other end, and between equal values it is their value.
local function between(x, xp, fp, at)
  local behind = at + 1
  local x0, x1, y0, y1 = xp:take(at), xp:take(behind), fp:take(at), fp:take(behind)
  local slope = (y1 - y0) / (x1 - x0)
  local out = slope * (x - x0) + y0
  if out:isnan():any() then
    out = nd.where(out:isnan(), slope * (x - x1) + y1, out)
    out = nd.where(out:isnan():logical_and(y0:eq(y1)), y0, out)
  end
  return nd.where(x:eq(x0), y0, out)
end

local function interpolate(x, xp, fp, left, right)
  local n = xp.size
  local at = functions.digitize(x, xp)
  local out = n > 1 and between(x, xp, fp, at:clamp(1, n - 1)) or nd.full_like(x, fp[1])
  out = nd.where(x:ge(xp[n]), nd.where(x:gt(xp[n]), right, fp[n]), out)
  return nd.where(x:isnan(), x, nd.where(at:eq(0), left, out))
end

-- The option 'name' as a number, 'otherwise' where it is absent.
local function read_number(options, name, otherwise)
  local value = rawget(options, name)
  if type(value) == "nil" then return otherwise end
  return check_number(value, name)
end

function functions.interp(x, xp, fp, options, ...)
  read.finish(...)
  options = read.options(options, { "left", "right", "period", "out" })
  local is_value = read.number(x) and type(rawget(options, "out")) == "nil"
  local at = to_real(read.operand(x, "a"), "a"):to "f64"
  local points = to_real(to_line(xp, "xp", 1), "xp"):to "f64"
  local values = to_real(to_line(fp, "fp", 1), "fp"):to "f64"
  if points.size ~= values.size then
    fail("shape_mismatch", "fp", ("%d values for %d points"):format(values.size, points.size))
  end
  local left = read_number(options, "left", values[1])
  local right = read_number(options, "right", values[-1])
  local period = read_number(options, "period")
  if period then
    period = math.abs(period)
    if not (period > 0 and is_finite(period)) then
      fail("invalid_argument", "period", ("%.17g is no period"):format(period))
    end
    at, points, values = wrap_points(at, points, values, period)
    left, right = values[1], values[-1]
  end
  if not is_ordered(points, "le") then
    fail_order("xp", "the points do not ascend", points, { "le" })
  end
  local out = interpolate(at, points, values, left, right)
  return is_value and out:item() or read.store(out, options)
end

-- {=== all of them ===}

--- Put the functions into 'module'; the methods, by name.
function counting.open(modules_core, module)
  core, nd, fail = modules_core, module, modules_core.fail
  for name, fn in pairs(functions) do nd[name] = fn end
  return functions
end

return counting
