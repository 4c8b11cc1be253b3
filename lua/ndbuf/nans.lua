--- Reductions that leave out NaN: nansum and its like, of other reductions and masks. As functions
-- of nd, and as methods.
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local nans = {}

local nd, fail -- set by nans.open

local function has_nan(a) return a.dtype:find "^[fc]" or a.dtype == "bf16" end

-- {=== arguments ===}

-- The arguments after the array, an axis, then options, as one table of options.
local function read_options(known, axis, options, ...)
  read.finish(...)
  if type(options) == "nil" and type(axis) == "table" then axis, options = nil, axis end
  local out = {}
  for key, value in pairs(read.options(options, known)) do out[key] = value end
  if type(axis) == "nil" then return out end
  if type(out.axis) ~= "nil" then
    fail("invalid_argument", "options", "the axis is named twice")
  end
  out.axis = axis
  return out
end
jit.off(read_options) -- as in names.lua

-- The reduced axes as a set, all by default.
local function axes_of(a, axis)
  local set = {}
  if type(axis) == "nil" then
    for i = 1, a.ndim do set[i] = true end
  end
  for _, each in ipairs(type(axis) == "table" and axis or { axis }) do
    each = read.axis(each, "axis", a.ndim)
    if set[each] then fail("invalid_argument", "axis", ("axis %d is named twice"):format(each)) end
    set[each] = true
  end
  return set
end

-- The shape without the reduced axes, or with extents of 1.
local function reduced_shape(a, set, keepdims)
  local shape = {}
  for i, extent in ipairs(a.shape) do
    if not set[i] then shape[#shape + 1] = extent
    elseif keepdims then shape[#shape + 1] = 1 end
  end
  return shape
end

-- 'result', in whatever shape, as the options want it.
local function finish(a, result, options)
  local keepdims, out = read.boolean(options, "keepdims"), options.out
  result = result:reshape(reduced_shape(a, axes_of(a, options.axis), keepdims))
  if type(out) == "nil" then
    local is_value = type(options.axis) == "nil" and not keepdims
    return is_value and result:item() or result
  end
  if not read.is_array(out) then
    fail("type_mismatch", "out", "expected an array, got " .. names.kind(out))
  elseif table.concat(out.shape, " ") ~= table.concat(result.shape, " ") then
    fail("shape_mismatch", "out", ("the result has shape (%s), but out has (%s)"):format(
      table.concat(result.shape, ", "), table.concat(out.shape, ", ")))
  end
  return out:copy_from(result)
end

-- {=== sums and extremes ===}

local functions = {}

-- Reduce an array in which 'value' stands for each NaN.
local function replace(reduction, value)
  return function(a, ...)
    a = read.array(a, "a")
    if not has_nan(a) then return a[reduction](a, ...) end
    local others = nd.where(a:isnan(), value, a)
    return others[reduction](others, ...)
  end
end

functions.nansum, functions.nanprod = replace("sum", 0), replace("prod", 1)

-- Where there are only NaNs, the result is one.
local function extreme(reduction, value)
  return function(a, ...)
    a = read.array(a, "a")
    if not has_nan(a) then return a[reduction](a, ...) end
    local options = read_options({ "axis", "keepdims", "out" }, ...)
    local valid = a:isnan():logical_not()
    local kept = { axis = options.axis, keepdims = true }
    local others = nd.where(valid, a, value)
    local found = others[reduction](others, kept)
    return finish(a, nd.where(valid:any(kept), found, 0 / 0), options)
  end
end

functions.nanmin, functions.nanmax = extreme("min", 1 / 0), extreme("max", -1 / 0)

-- topk puts NaN last, also behind infinities. Complex numbers have no order here, as in argmin.
local function place_of(name, reduction, is_largest)
  return function(a, ...)
    a = read.array(a, "a")
    if not has_nan(a) or a.dtype:find "^c" or a.size == 0 then
      return a[reduction](a, ...)
    end
    local options = read_options({ "axis", "keepdims", "out" }, ...)
    local set, order, last = axes_of(a, options.axis), {}, {}
    for i = 1, a.ndim do
      local list = set[i] and last or order
      list[#list + 1] = i
    end
    for _, axis in ipairs(last) do order[#order + 1] = axis end
    local shape = reduced_shape(a, set)
    shape[#shape + 1] = -1
    local lines = (a.ndim > 0 and a:permute(order) or a):contiguous():reshape(shape)
    local values, places = lines:topk(1, -1, { largest = is_largest })
    if values:isnan():any() then
      fail("invalid_argument", name, "all elements are NaN, or all along the axis")
    end
    local place = finish(a, places, options)
    return type(place) == "cdata" and tonumber(place) or place
  end
end

functions.nanargmin = place_of("nanargmin", "argmin", false)
functions.nanargmax = place_of("nanargmax", "argmax", true)

-- {=== means and variances ===} in f64 or c128, rounded once, as those with NaN are

-- The elements, 0 for NaN; which are not NaN; how many these are.
local function wide_of(a, kept)
  local valid = a:isnan():logical_not()
  local wide = a:to(a.dtype:find "^c" and "c128" or "f64")
  return wide, valid, valid:count_nonzero(kept)
end

local function mean_of(wide, valid, count, kept)
  return nd.where(valid, wide, 0):sum(kept) / count
end

function functions.nanmean(a, ...)
  a = read.array(a, "a")
  if not has_nan(a) then return a:mean(...) end
  local options = read_options({ "axis", "keepdims", "out" }, ...)
  local kept = { axis = options.axis, keepdims = true }
  local wide, valid, count = wide_of(a, kept)
  return finish(a, mean_of(wide, valid, count, kept):to(a.dtype), options)
end

local PARTS = { c64 = "f32", c128 = "f64" }

local function variance(reduction, is_root)
  return function(a, ...)
    a = read.array(a, "a")
    if not has_nan(a) then return a[reduction](a, ...) end
    local options = read_options({ "axis", "keepdims", "out", "ddof" }, ...)
    local ddof = read.number(options.ddof)
    if type(options.ddof) == "nil" then ddof = 0 end
    if not ddof then
      fail("type_mismatch", "ddof", "expected a number, got " .. names.kind(options.ddof))
    elseif ddof ~= ddof or ddof < 0 then
      fail("invalid_argument", "ddof", ("%.17g is not 0 or more"):format(ddof))
    end
    local kept = { axis = options.axis, keepdims = true }
    local wide, valid, count = wide_of(a, kept)
    local apart = nd.where(valid, wide - mean_of(wide, valid, count, kept), 0)
    local squares = PARTS[a.dtype] and apart.real:square() + apart.imag:square() or apart:square()
    local left = count:to "f64" - ddof
    local found = nd.where(left:gt(0), squares:sum(kept) / left, 0 / 0)
    if is_root then found = found:sqrt() end
    return finish(a, found:to(PARTS[a.dtype] or a.dtype), options)
  end
end

functions.nanvar, functions.nanstd = variance("var", false), variance("std", true)

--- Put the functions into 'module'; the methods, by name.
function nans.open(core, module)
  nd, fail = module, core.fail
  for name, fn in pairs(functions) do nd[name] = fn end
  return functions
end

return nans
