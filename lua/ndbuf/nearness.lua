--- Elementwise functions that are made of others: isclose, nextafter; other names of round and mod.
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local nearness = {}

-- {=== isclose ===}

local function tolerance(core, options, name, otherwise)
  local value = rawget(options, name)
  if type(value) == "nil" then return otherwise end
  local number = read.number(value)
  if not number then
    core.fail("type_mismatch", name, "expected a number, got " .. names.kind(value))
  elseif number < 0 or number ~= number then
    core.fail("invalid_argument", name, ("%.17g is not a number of 0 or more"):format(number))
  end
  return number
end

-- An operand: a table as an array, all else as it is.
local function of_table(value, name)
  return type(value) == "table" and read.array(value, name) or value
end

-- An operand, which may be a value, in f64 or c128, in which differences are computed.
local function widened(nd, x, place)
  if not read.is_array(x) then x = nd.where(nd.full({}, true, "bool", place), x, x) end
  return x:astype(x.dtype:find "^c" and "c128" or "f64")
end

local function open_isclose(core, nd)
  return function(a, b, options, ...)
    read.finish(...)
    options = read.options(options, { "rtol", "atol", "equal_nan", "out" })
    local rtol = tolerance(core, options, "rtol", 1e-5)
    local atol = tolerance(core, options, "atol", 1e-8)
    local are_nan_equal = read.boolean(options, "equal_nan")
    a, b = of_table(a, "a"), of_table(b, "b")
    local close = nd.eq(a, b) -- infinities are close to themselves alone
    local place = read.place(close)
    local x, y = widened(nd, a, place), widened(nd, b, place)
    local limit = y:abs():mul(rtol):add_(atol)
    close:logical_or_((x - y):abs():le(limit):logical_and(y:isfinite()))
    if are_nan_equal then close:logical_or_(x:isnan():logical_and(y:isnan())) end
    return read.store(close, options)
  end
end

-- {=== nextafter ===}

-- Integers of the same bytes.
local BITS = { f16 = "i16", bf16 = "i16", f8e4m3 = "i8", f8e5m2 = "i8", f32 = "i32", f64 = "i64" }

-- An operand as an array of 'like's shape, dtype and device.
local function broadcast(nd, x, like)
  if not read.is_array(x) then return nd.full({}, x, like.dtype, like.device):expand(like.shape) end
  return x:astype(like.dtype):expand(like.shape)
end

-- 'x' where 'mask' says so, else 'y'; 'y' itself where it says so nowhere.
local function where_any(nd, mask, x, y)
  if not mask:any() then return y end
  return nd.where(mask, x(), y)
end

-- One step in the order of the bits, which is that of the magnitudes.
local function step(nd, x, y)
  local bits, place = BITS[x.dtype], read.place(x)
  local is_away = x:lt(y):eq(x:gt(0))
  local moved = nd.where(is_away, nd.full({}, 1, bits, place), nd.full({}, -1, bits, place))
  moved = moved:add_(x:bitcast(bits)):bitcast(x.dtype)
  return where_any(nd, x:eq(0), function()
    return nd.copysign(nd.full({}, 1, bits, place):bitcast(x.dtype), y)
  end, moved)
end

local function open_nextafter(core, nd)
  return function(a, b, options, ...)
    read.finish(...)
    options = read.options(options, { "out" })
    a, b = of_table(a, "a"), of_table(b, "b")
    for _, operand in ipairs { a, b } do
      if read.is_array(operand) and operand.dtype:find "^c" then
        core.fail("type_mismatch", "a",
          ("nextafter is not defined for %s; use .real or .imag"):format(operand.dtype))
      end
    end
    local like = nd.copysign(a, b) -- has the dtype and shape of the result
    local x, y = broadcast(nd, a, like), broadcast(nd, b, like)
    local moved = where_any(nd, x:eq(y), function() return y end, step(nd, x, y))
    local is_nan = x:isnan():logical_or_(y:isnan())
    return read.store(where_any(nd, is_nan, function() return x + y end, moved), options)
  end
end

-- {=== other names ===}

local function add_alias(core, nd, alias, name)
  nd[alias] = nd[name]
  for _, mt in pairs(core.metatables) do
    mt.methods[alias], mt.methods[alias .. "_"] = mt.methods[name], mt.methods[name .. "_"]
  end
end

--- Put the functions into 'nd'; the methods, by name.
function nearness.open(core, nd)
  nd.isclose, nd.nextafter = open_isclose(core, nd), open_nextafter(core, nd)
  add_alias(core, nd, "rint", "round")
  add_alias(core, nd, "remainder", "mod")
  return {
    isclose = nd.isclose,
    nextafter = nd.nextafter,
    nextafter_ = function(a, b, ...)
      read.finish(...)
      return nd.nextafter(a, b, { out = a })
    end,
  }
end

return nearness
