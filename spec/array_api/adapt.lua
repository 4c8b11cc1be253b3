-- What the Array API asks for that Python cannot say by itself, in the terms of ndbuf: for
-- spec/array_api/ndbuf_array_api.py. Positions and axes come counted from 1.
local ffi = require "ffi"
local nd = require "ndbuf"

local layout = os.getenv "NDBUF_LAYOUT" or "packed"
local adapt = {nd = nd}

-- ---- layouts: the same elements, so that they lie as the run asks for ----

local layouts = {}
function layouts.packed(a) return a end

function layouts.strided(a)
  local shape = a.shape
  if #shape == 0 then return nd.zeros({3}, a.dtype):copy_from(a):select(1, 2) end
  shape[#shape] = shape[#shape] * 2 + 1
  return nd.zeros(shape, a.dtype)["..., ::2"]:narrow(-1, 1, a:dim(-1)):copy_from(a)
end

function layouts.unaligned(a)
  local bytes = nd.zeros(a.nbytes + 1, "u8"):narrow(1, 2, a.nbytes)
  return bytes:bitcast(a.dtype):reshape(a.shape):copy_from(a)
end

-- An axis along which all elements are the same has a step of 0; it is read-only in any case.
function layouts.expanded(a)
  local shape = a.shape
  for axis = 1, a.ndim do
    if a.size > 0 and a:dim(axis) > 1 then
      local first = a:narrow(axis, 1, 1)
      if first:expand(shape):contiguous():copyout() == a:copyout() then a = first:expand(shape) end
    end
  end
  return a.readonly and a or a:readonly_view()
end

local made = 0
function layouts.mapped(a)
  if a.size == 0 then return a end
  made = made + 1
  local path = ("%s/%d"):format(assert(os.getenv "NDBUF_MAPPED"), made)
  local file = assert(io.open(path, "wb"))
  file:write(a:copyout())
  file:close()
  local mapped = nd.mmap(path, a.dtype, a.shape, {mode = "c"})
  os.remove(path)
  return mapped
end

local function lay(a) return assert(layouts[layout], layout)(a) end

-- ---- calls ----

-- Errors as their text, which is all that Python gets; arrays as the layout has them.
local function finish(fine, ...)
  if not fine then error(tostring((...)), 0) end
  local results = {...}
  for i = 1, select("#", ...) do
    local value = results[i]
    local is_array = type(value) == "userdata" and pcall(function() return value.dtype end)
    if is_array then results[i] = lay(value) end
  end
  return unpack(results, 1, select("#", ...))
end
local function checked(f) return function(...) return finish(pcall(f, ...)) end end

-- nd.name(…)
adapt.call = checked(function(name, ...)
  local place = nd
  for part in name:gmatch "[%w_]+" do place = place[part] end
  return place(...)
end)

-- The same of two arrays, with an array of no axes where it gives a number.
adapt.call_for_array = checked(function(name, a, b, ...)
  local result = nd[name](a, b, ...)
  if type(result) == "userdata" then return result end
  return nd.full({}, result, nd.concat({nd.empty({0}, a.dtype), nd.empty({0}, b.dtype)}).dtype)
end)

-- nd.name(a, …), whose results may be numbers: of the dtype.
adapt.for_array = checked(function(name, a, dtype, ...)
  local place = nd
  for part in name:gmatch "[%w_]+" do place = place[part] end
  local results = {place(a, ...)}
  for i, v in ipairs(results) do
    local is_real = dtype:find "^c" and type(v) == "number"
    local own = is_real and (dtype == "c64" and "f32" or "f64") or dtype
    if type(v) ~= "userdata" then results[i] = nd.full({}, v, own) end
  end
  return unpack(results)
end)

-- a:name(…)
adapt.method = checked(function(a, name, ...) return a[name](a, ...) end)
adapt.field = checked(function(a, name) return a[name] end)
function adapt.is_there(name)
  local fine, f = pcall(function()
    local place = nd
    for part in name:gmatch "[%w_]+" do place = place[part] end
    return place
  end)
  return fine and f ~= nil
end

-- ---- values ----

function adapt.whole(text) return ffi.cast(text:find "^-" and "int64_t" or "uint64_t",
  assert(loadstring("return " .. text .. (text:find "^-" and "LL" or "ULL")))()) end
function adapt.complex(re, im) return ffi.new("complex", re, im) end

adapt.make = checked(function(bytes, dtype, shape)
  if bytes == "" then return nd.empty(shape, dtype) end
  return nd.frombytes(bytes, dtype):reshape(shape)
end)
function adapt.bytes(a) return a:copyout() end
function adapt.shape(a) return unpack(a.shape) end

-- ---- what takes more than a call ----

local function all_axes(a)
  local axes = {}
  for i = 1, a.ndim do axes[i] = i end
  return axes
end

-- Over the axes, or all of them: an array in any case.
adapt.reduce = checked(function(name, a, axes, keepdims, options)
  options = options or {}
  if a.ndim == 0 then return a:reshape(1)[name](a:reshape(1), {axis = 1, dtype = options.dtype,
    ddof = options.ddof}) end
  options.axis, options.keepdims = axes or all_axes(a), keepdims
  if #options.axis == 0 then -- over none: each element by itself
    local one = a:unsqueeze(1)
    return one[name](one, {axis = 1, dtype = options.dtype, ddof = options.ddof})
  end
  return a[name](a, options)
end)

-- The position of an extreme; without an axis in the flattened array.
adapt.position = checked(function(name, a, axis, keepdims)
  if axis then return nd[name](a, {axis = axis, keepdims = keepdims}) - 1 end
  local shape = {}
  for i = 1, keepdims and a.ndim or 0 do shape[i] = 1 end
  local flat = a:reshape({a.size}, {copy = true})
  return nd[name](flat, {axis = 1}):reshape(shape) - 1
end)

-- Entries: numbers, {lo, hi, step}, strings, arrays of positions from 0.
local function key_of(entries)
  local key, is_plain = {}, true
  for i, entry in ipairs(entries) do
    if type(entry) == "userdata" and entry.dtype ~= "bool" then
      key[i] = nd.where(entry:lt(0), entry:to "i64", entry:to "i64" + 1)
    else key[i] = entry end
    is_plain = is_plain and type(entry) ~= "userdata"
  end
  return key, is_plain
end

-- A mask of no axes selects from an axis that is put before the others.
local function is_flag(entries)
  local mask = entries[1]
  return #entries == 1 and type(mask) == "userdata" and mask.dtype == "bool" and mask.ndim == 0
end

local function as_array(value, a)
  if type(value) == "userdata" then return value end
  return nd.full({}, value, a.dtype)
end

adapt.get = checked(function(a, entries)
  if is_flag(entries) then return a:unsqueeze(1)[entries[1]:reshape(1)] end
  if #entries == 0 then return a end
  local key = key_of(entries)
  if #key == 1 and type(key[1]) == "userdata" then return a[key[1]] end
  return as_array(a[key], a)
end)

adapt.set = checked(function(a, entries, value)
  if a.readonly then a = a:clone() end
  if is_flag(entries) then a:unsqueeze(1)[entries[1]:reshape(1)] = value return a end
  if #entries == 0 then return a:copy_from(value) end
  local key = key_of(entries)
  if #key == 1 and type(key[1]) == "userdata" then a[key[1]] = value else a[key] = value end
  return a
end)

return adapt
