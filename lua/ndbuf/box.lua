--- cdata that the C side cannot make or read by itself: 64-bit and complex elements, pointers.
local ffi = require "ffi"
local cast, istype, tostring = ffi.cast, ffi.istype, tostring

local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local complex64, complex128 = ffi.typeof "complex float", ffi.typeof "complex double"
local int64_ptr, uint64_ptr = ffi.typeof "const int64_t *", ffi.typeof "const uint64_t *"
local complex64_ptr, complex128_ptr = ffi.typeof "const complex float *", ffi.typeof "const complex double *"
local void_ptr = ffi.typeof "const void *"

local box = {}

-- By dtype: the element at an address, as the value that scripts get.
box.boxes = {
  i64 = function(at) return cast(int64_ptr, at)[0] end,
  u64 = function(at) return cast(uint64_ptr, at)[0] end,
  c64 = function(at) return cast(complex64_ptr, at)[0] end,
  c128 = function(at) return cast(complex128_ptr, at)[0] end,
}

-- ORDER CDATA in src/bind/element.c: 0 is none of these.
function box.classify(x)
  return istype(int64, x) and 1 or istype(uint64, x) and 2 or istype(complex64, x) and 3
    or istype(complex128, x) and 4 or 0
end

--- The C type of cdata as text, such as "float [10]" or "float *".
function box.ctype_of(x)
  local ctype = ffi.typeof(x)
  return istype(ctype, x) and tostring(ctype):match "^ctype<(.*)>$" or "a C type"
end

--- Address of a cdata pointer or array, nil for any other cdata; an array's size in bytes.
function box.to_pointer(x)
  local ctype = box.ctype_of(x)
  if ctype:find "%]$" and not ctype:find "[*&]" then return cast(void_ptr, x), ffi.sizeof(x) end
  if ctype:find "[%*%]&]$" or ctype:find "%(%*%)" then return cast(void_ptr, x) end
end

return box
