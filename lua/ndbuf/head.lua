--- The element fast path: for each dtype the struct that its accessors (accessors.lua) read, how
-- values are loaded and stored, and its functions, made when they are first used. Whatever those do
-- not handle goes to C by a tail call, which applies every rule and raises with the caller's line.
-- The struct is ndb_head of src/bind/bind.h.
local ffi = require "ffi"
local accessors = require "ndbuf.accessors"
local leaf = require "ndbuf.leaf"

local head = {}

-- The epoch is 64 bits wide, a type whose loads make cdata. Lua reads it as another type, which
-- also must not alias the elements stored through this head, or every iteration of a loop would
-- load it again: the low 32 bits, or a double over all 64 where the elements are 32-bit (see
-- ND_EPOCH_FIRST).
local half, whole = "uint32_t epoch, epoch_high;", "double epoch;"
local struct = [[struct {
  struct { EPOCH uint32_t puns; } *storage;
  union {
    TYPE *p1;
    const BITS *bits;
  };
  EPOCH
  int32_t ndim;
  union {
    struct { int32_t step0, step1, step2, step3; };
    int32_t step[4];
  };
  int32_t unit_read_n, unit_write_n, read_n, write_n;
  union {
    struct { int32_t rows, planes, blocks; };
    int32_t first[3];
  };
  union {
    struct { int32_t n1, n2; };
    int32_t inner[2];
  };
  int32_t unit_read_last, unit_write_last, read_last, write_last, is_punned, is_mapped, is_packed;
  const void *magic;
  uint64_t id;
  struct {
    void *storage;
    size_t offset;
    uint8_t dtype, ndim;
    bool is_read_only;
    size_t size;
    struct { size_t len; ptrdiff_t step; } axis[16];
  } view;
}]]

-- LuaJIT stores its values in NaN payloads, and FFI loads do not check for them: a float from a
-- hostile file could come out as any object. (Compiled type checks ignore even the sign.) So the
-- top bits of an element are read as an integer first; a NaN with a payload that the processor
-- itself does not produce is left to C, which replaces it by the default NaN. LuaJIT may forward a
-- stale value of these bits after an inline store; that costs time only.
local function safe_f64(w) return "band(" .. w .. ", 0x7fffffff) < 0x7ff90000" end
local function safe_f32(w) -- up to infinity, or 0x7fc00000 to 0x7fc7ffff
  local code = "(MAGNITUDE <= 0x7f800000 or MAGNITUDE >= 0x7fc00000 and MAGNITUDE < 0x7fc80000)"
  return (code:gsub("MAGNITUDE", "band(" .. w .. ", 0x7fffffff)"))
end

-- By dtype:
-- 1. the C type of an element;
-- 2. the expression for the script's value of a loaded x;
-- 3. a list of {test, expression}: if the test of value v holds, the expression is stored inline;
-- 4. for floats, how to recognise a safe bit pattern: a function that makes the test, the C type by
--    which the bits are read, and the fields of it that are tested;
-- 'exact': the test that n, a 64-bit x as a number, equals x (else the script gets x itself).
local number = "type(v) == 'number'"
-- istype takes a C type for a value of it; typeof returns a C type as it is.
local is_value = " and typeof(v) ~= v"
local function within(lo, hi)
  return { { number .. " and v >= " .. lo .. " and v <= " .. hi, "v" } }
end
local function encoded() return { { number, "encode(v)" } } end
local function complex()
  return {
    { number, "v" },
    -- not istype, which takes float[2] and vectors of two for complex numbers
    { "type(v) == 'cdata' and (typeof(v) == complex128 or typeof(v) == complex64)"
      .. is_value, "v" },
  }
end
local rows = {
  bool = { "uint8_t", "x ~= 0", {
    { "type(v) == 'boolean'", "v and 1 or 0" },
    { number, "v ~= 0 and 1 or 0" } } },
  i8 = { "int8_t", "x", within("-128", "127") },
  u8 = { "uint8_t", "x", within("0", "255") },
  i16 = { "int16_t", "x", within("-32768", "32767") },
  u16 = { "uint16_t", "x", within("0", "65535") },
  i32 = { "int32_t", "x", within("-2147483648", "2147483647") },
  u32 = { "uint32_t", "x", within("0", "4294967295") },
  i64 = { "int64_t", "x", {
    { number .. " and v >= -0x1p63 and v < 0x1p63", "v" },
    { "type(v) == 'cdata' and (istype(int64, v) or istype(uint64, v)"
      .. " and v <= 0x7fffffffffffffffULL)" .. is_value, "v" } },
    exact = "n > -0x1p53 and n < 0x1p53 or x == 0x20000000000000LL or x == -0x20000000000000LL" },
  u64 = { "uint64_t", "x", {
    { number .. " and v >= 0 and v < 0x1p63", "v" },
    { "type(v) == 'cdata' and (istype(uint64, v) or istype(int64, v) and v >= 0)"
      .. is_value, "v" } },
    exact = "n < 0x1p53 or x == 0x20000000000000ULL" },
  f16 = { "uint16_t", "values[x]", encoded() },
  bf16 = { "uint16_t", "values[x]", encoded() },
  f32 = { "float", "x", { { number, "v" } }, { safe_f32, "int32_t bits;", "bits" } },
  f64 = { "double", "x", { { number, "v" } },
    { safe_f64, "struct { int32_t low, high; };", "high" } },
  c64 = { "complex float", "x", complex(),
    { safe_f32, "struct { int32_t re, im; };", "re", "im" } },
  c128 = { "complex double", "x", complex(),
    { safe_f64, "struct { int32_t re_low, re_high, im_low, im_high; };", "re_high", "im_high" } },
  f8e4m3 = { "uint8_t", "values[x]", encoded() },
  f8e5m2 = { "uint8_t", "values[x]", encoded() },
}

local function handle_type(row, epoch)
  local bits = row[4] and ("union { TYPE x; %s }"):format(row[4][2]) or "TYPE"
  return (struct:gsub("EPOCH", epoch):gsub("BITS", bits):gsub("TYPE", row[1]))
end

--- The FFI type of a handle of 'dtype', for the spec that compares the layouts.
function head.ctype(dtype) return ffi.typeof(handle_type(rows[dtype], whole)) end

-- Make the fast functions of a dtype: they replace C's in its metatable. Returns the function that
-- stores lists of numbers.
local function make(core, shared, dtype, source)
  local index, install = leaf.compile(core, shared, dtype, source)
  local row, mt = rows[dtype], core.metatables[dtype]
  local values = core.values[dtype] and ffi.cast("const float *", core.values[dtype])
  local encode = core.encoders[dtype]
    and ffi.cast(row[1] == "uint8_t" and "uint8_t (*)(double)" or "uint16_t (*)(double)",
      core.encoders[dtype])
  local fill = accessors.compile(dtype, row, source)(ffi,
    ffi.typeof(handle_type(row, half) .. " *"),
    ffi.typeof(handle_type(row, ffi.sizeof(row[1]) == 4 and whole or half) .. " *"),
    ffi.typeof(row[1] .. " *"), mt, values, encode, ffi.new(row[1] .. "[1]"), index)
  install()
  return fill
end

--- Without the JIT C's element access is faster than interpreted FFI code. Only a:ptr() is
-- replaced, with the JIT at once as well, since C cannot make typed pointers.
function head.install_pointers(core)
  local pointers, constants = {}, {}
  for dtype, row in pairs(rows) do
    pointers[dtype] = ffi.typeof(row[1] .. " *")
    constants[dtype] = ffi.typeof("const " .. row[1] .. " *")
  end
  local slow_ptr = core.metatables.f64.methods.ptr
  local function ptr(self, ...)
    local at, is_const = slow_ptr(self, ...)
    return ffi.cast((is_const and constants or pointers)[self.dtype], at)
  end
  for dtype in pairs(rows) do core.metatables[dtype].methods.ptr = ptr end
  return {}
end

local metamethods = { "__index", "__newindex", "__call", "__len",
  "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm" }
local replaced = { "get", "set", "dim" }

-- Put C's functions back into a metatable: what the returned function does.
local function restorer(mt)
  local slow, slow_methods, properties = {}, {}, mt.properties
  for _, name in ipairs(metamethods) do slow[name] = mt[name] end
  for _, name in ipairs(replaced) do slow_methods[name] = mt.methods[name] end
  return function()
    for _, name in ipairs(metamethods) do mt[name] = slow[name] end
    for _, name in ipairs(replaced) do mt.methods[name] = slow_methods[name] end
    mt.properties = properties
  end
end

--- Let the first access to an element of each dtype replace the metamethods and methods for
-- elements, which C set, by the fast ones; these call C's for what they do not handle. 'shared' is
-- what leaf.open gives. 'source' is
-- the prefix of our chunk names, by which C skips our frames in error positions. Returns, by dtype,
-- functions that store lists of numbers.
function head.install(core, shared, source)
  head.install_pointers(core)
  local fills, install_stubs = {}, accessors.stubs(source)
  for dtype, mt in pairs(core.metatables) do
    if not rows[dtype] then error("head.lua has no row for " .. dtype) end
    local restore, fill, is_making = restorer(mt), nil, false
    local function ready()
      if fill or is_making then return end -- a finalizer that runs meanwhile has C's functions
      is_making = true
      restore()
      local fine, made = pcall(make, core, shared, dtype, source)
      is_making = false
      if fine then
        fill = made
      else -- no memory: the next access tries again
        restore()
        install_stubs(mt, ready)
        error(made, 0)
      end
    end
    install_stubs(mt, ready)
    fills[dtype] = function(at, t, first, n)
      ready()
      return fill and fill(at, t, first, n) or first
    end
  end
  return fills
end

return head
