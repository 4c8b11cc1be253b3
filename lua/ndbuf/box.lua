--- cdata for the C side: 64-bit and complex elements, pointers. The C API of Lua can neither make
-- cdata nor tell its C type, so src/bind/element.c and args.c call these functions.
local ffi = require "ffi"
local cast, istype, tostring = ffi.cast, ffi.istype, tostring

local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local complex64, complex128 = ffi.typeof "complex float", ffi.typeof "complex double"
local int64_ptr, uint64_ptr = ffi.typeof "const int64_t *", ffi.typeof "const uint64_t *"
local complex64_ptr = ffi.typeof "const complex float *"
local complex128_ptr = ffi.typeof "const complex double *"
local void_ptr = ffi.typeof "const void *"

local box = {}

-- By dtype: the element at an address (light userdata) as the cdata that scripts get.
box.boxes = {
  i64 = function(at) return int64(cast(int64_ptr, at)[0]) end, -- not const
  u64 = function(at) return uint64(cast(uint64_ptr, at)[0]) end,
  c64 = function(at) return complex64(cast(complex64_ptr, at)[0]) end,
  c128 = function(at) return complex128(cast(complex128_ptr, at)[0]) end,
}

-- cdata of none of the four types. istype takes a C type ("ctype<int64_t>") for a value of it, so
-- its text decides.
local function is_other(x)
  return not (istype(int64, x) or istype(uint64, x) or istype(complex64, x)
    or istype(complex128, x)) or tostring(x):find("^ctype<") ~= nil
end

-- The class of cdata by number (ORDER CDATA in src/bind/element.c; 0 is none of these), then a
-- copy of the value: x may be a reference, whose address C would take for the value's.
function box.classify(x)
  if is_other(x) then return 0 end
  if istype(int64, x) then return 1, int64(x) end
  if istype(uint64, x) then return 2, uint64(x) end
  -- istype takes float[2] and vectors of two for complex numbers
  if tostring(ffi.typeof(x)):find "[%[(]" then return 0 end
  if istype(complex64, x) then return 3, complex64(x) end
  return 4, complex128(x)
end

--- The C type of cdata as text, such as "float [10]" or "float *".
function box.ctype_of(x) return tostring(ffi.typeof(x)):match "^ctype<(.*)>$" end

--- The address of a cdata pointer or array, nil for any other cdata; then an array's size in bytes.
-- "float [4]" is an array; "float (*)[4]" and "float (&)[4]" are a pointer and a reference to one.
function box.to_pointer(x)
  local ctype = box.ctype_of(x)
  if ctype:find "%]$" and not ctype:find "[*&]" then return cast(void_ptr, x), ffi.sizeof(x) end
  if ctype:find "[%*%]&]$" or ctype:find "%(%*%)" then return cast(void_ptr, x) end
end

return box
