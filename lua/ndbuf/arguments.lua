--- Reads arguments of the functions that are written in Lua, in the words of src/bind/args.c and
-- src/bind/options.c. What is wrong is raised for the caller of the function that reads them. No
-- metamethod of the script runs here.
local ffi = require "ffi"
local core = require "ndbuf.core"
local names = require "ndbuf.names"

local fail = core.fail
local read, is_metatable = {}, {}
for _, mt in pairs(core.metatables) do is_metatable[mt] = true end

local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local complex = ffi.typeof "complex"
local metatable = require "debug".getmetatable -- the table itself, as in accessors.lua

--- A value as a Lua number; nil for what is neither a number nor a 64-bit integer.
function read.number(value)
  if type(value) == "number" then return value end
  if type(value) ~= "cdata" or value == nil or tostring(value):find "^ctype<" then return end
  if ffi.istype(int64, value) or ffi.istype(uint64, value) then return tonumber(value) end
end

local complex_types = { ffi.typeof "complex double", ffi.typeof "complex float" }

--- Is it a complex number? Not their C types, which are cdata as well.
function read.is_complex(value)
  if type(value) ~= "cdata" or tostring(value):find "^ctype<" then return false end
  return ffi.istype(complex_types[1], value) or ffi.istype(complex_types[2], value)
end

-- The keys of an options table, checked against the list of those that are known.
local function check_keys(options, known)
  for key in pairs(options) do
    local is_known = false
    for _, name in ipairs(known) do is_known = is_known or key == name end
    if not is_known then
      local text = #known > 0 and table.concat(known, ", ") or "none"
      if type(key) ~= "string" then
        fail("invalid_argument", "options",
          ("expected names as keys, got %s; known are %s"):format(names.kind(key), text))
      end
      fail("invalid_argument", "options",
        ("there is no option %q; known are %s"):format(key:sub(1, 40), text))
    end
  end
end

jit.off(check_keys) -- as in names.lua

function read.is_array(value)
  return type(value) == "userdata" and is_metatable[metatable(value)] == true
end

--- An array, or a table, of which one is made.
function read.array(value, name)
  if read.is_array(value) then return value end
  if type(value) ~= "table" then
    fail("type_mismatch", name, "expected an array, got " .. names.kind(value))
  elseif type(rawget(value, 1)) == "nil" and next(value) ~= nil then
    fail("type_mismatch", name, "expected an array or a list, got a table with other keys")
  end
  return core.array(value)
end

--- The same, or a number as an array without axes.
function read.operand(value, name)
  if type(value) == "number" then return core.array(value) end
  if type(value) == "cdata" and value ~= nil then
    if ffi.istype(int64, value) then return core.array(value, "i64") end
    if ffi.istype(uint64, value) then return core.array(value, "u64") end
    if ffi.istype(complex, value) then return core.array(value, "c128") end
  end
  return read.array(value, name)
end

--- 'fn', whose first argument may be a table, as a method: of arrays only.
function read.method(fn)
  return function(self, ...)
    if not read.is_array(self) then
      fail("type_mismatch", "self", "expected an array, got " .. names.kind(self))
    end
    return fn(self, ...)
  end
end

--- An integer from 'least' to 'most', each of which may be nil; 'otherwise' for nil.
function read.integer(value, name, least, most, otherwise)
  if type(value) == "nil" and otherwise then return otherwise end
  local number = read.number(value)
  if not number then
    fail("type_mismatch", name, "expected an integer, got " .. names.kind(value))
  elseif number ~= math.floor(number) or math.abs(number) > 2 ^ 53 then
    fail("invalid_argument", name, ("%.17g is not an integer up to 2^53"):format(number))
  elseif least and number < least or most and number > most then
    fail("invalid_argument", name,
      ("%.17g is outside of %s … %s"):format(number, least or "-2^53", most or "2^53"))
  end
  return number
end

--- The option 'name' as a boolean; false where it is not given.
function read.boolean(options, name)
  local value = rawget(options, name)
  if type(value) ~= "nil" and type(value) ~= "boolean" then
    fail("type_mismatch", name, "expected a boolean, got " .. names.kind(value))
  end
  return value == true
end

--- The option 'name' as one of the words in 'choices', of which the first is the default.
function read.choice(options, name, choices)
  local value = rawget(options, name)
  if type(value) == "nil" then return choices[1] end
  for _, choice in ipairs(choices) do
    if value == choice then return choice end
  end
  local code = type(value) == "string" and "invalid_argument" or "type_mismatch"
  local got = type(value) == "string" and ("%q"):format(value:sub(1, 40)) or names.kind(value)
  fail(code, name, ("expected one of %s, got %s"):format(table.concat(choices, ", "), got))
end

--- A table with options, empty for nil; 'known' lists their names.
function read.options(value, known)
  if type(value) == "nil" then return {} end
  if type(value) ~= "table" then
    fail("type_mismatch", "options", ("expected a table with any of %s, got %s"):format(
      table.concat(known, ", "), names.kind(value)))
  end
  check_keys(value, known)
  return value
end

--- The same where the option 'name' may be an argument, too, which is 'given': it is either of
-- both. Returns its value, then the options.
function read.options_after(given, name, value, known)
  if type(given) == "nil" then
    local options = read.options(value, { name, unpack(known) })
    return rawget(options, name), options
  end
  if #known == 0 and type(value) ~= "table" then read.finish(value) end
  return given, read.options(value, known)
end

--- An axis, 1 to 'ndim' or negative, as a positive number.
function read.axis(value, name, ndim)
  local axis = read.integer(value, name)
  if axis == 0 or axis > ndim or axis < -ndim then
    fail("index_out_of_range", name,
      ("axis %d is out of range for an array with %d axes"):format(axis, ndim))
  end
  return axis < 0 and axis + ndim + 1 or axis
end

--- The number of a diagonal of a matrix, 0 for nil: from -rows to columns.
function read.diagonal(value, name, rows, columns)
  local k = read.integer(value, name, nil, nil, 0)
  if k < -rows or k > columns then
    fail("index_out_of_range", name,
      ("diagonal %d lies outside of %d rows and %d columns"):format(k, rows, columns))
  end
  return k
end

--- 'axis', by itself or in the options behind it, which are the last argument; and the options.
function read.axis_and_options(axis, options, known, ...)
  if type(axis) == "table" then
    read.finish(options)
    axis, options = nil, axis
  end
  read.finish(...)
  options = read.options(options, known)
  if type(axis) == "nil" then return rawget(options, "axis"), options end
  if type(rawget(options, "axis")) ~= "nil" then
    fail("invalid_argument", "options", "there is an axis already, before the options")
  end
  return axis, options
end

--- The dtype that the common end of a maker's arguments names, as a string; nil where none does.
function read.dtype(...)
  for i = 1, math.min(3, select("#", ...)) do
    local value = select(i, ...)
    if type(value) == "table" then value = rawget(value, "dtype") end
    if getmetatable(value) == "ndbuf.dtype" then value = tostring(value) end
    if type(value) == "string" and core.dtypes[value] then return value end
  end
end

--- The options among those arguments, which are the last if there are any, in two tables: what is
-- named in 'own', and the rest, which takes their place.
function read.own_options(arguments, count, own)
  local options, mine = arguments[count], {}
  if type(options) ~= "table" then return mine end
  local rest = {}
  for key, value in pairs(options) do rest[key] = value end
  for _, name in ipairs(own) do mine[name], rest[name] = rest[name], nil end
  arguments[count] = rest
  return mine
end
jit.off(read.own_options) -- as in names.lua

--- The result, an array or a number, or 'out' of the options with its elements, converted as in a
-- store.
function read.store(result, options)
  local out = rawget(options, "out")
  if type(out) == "nil" then return result end
  if not read.is_array(out) then
    fail("type_mismatch", "out", "expected an array, got " .. names.kind(out))
  end
  if not read.is_array(result) then result = core.array(result) end
  local shape, wanted = table.concat(out.shape, ", "), table.concat(result.shape, ", ")
  if shape ~= wanted then
    fail("shape_mismatch", "out",
      ("(%s) is not the shape of the result (%s)"):format(shape, wanted))
  end
  return out:copy_from(result)
end

--- The results, arrays, or those of 'out', a table of as many arrays, with their elements; for one
-- result it is the array.
function read.store_all(options, ...)
  local out = rawget(options, "out")
  if type(out) == "nil" then return ... end
  if select("#", ...) == 1 then return read.store((...), options) end
  return core.return_outs(out, ...)
end

--- Refuse what follows the last argument.
function read.finish(...)
  for i = 1, select("#", ...) do
    local extra = type((select(i, ...)))
    if extra ~= "nil" then
      fail("invalid_argument", "arguments", ("unexpected extra argument (%s)"):format(extra))
    end
  end
end

--- Where results of 'a' are made: its device; those of a mapped file on the cpu.
function read.place(a)
  local device = a.device
  return device:find "^disk" and "cpu" or device
end

return read
