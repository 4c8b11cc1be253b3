--- The element fast path: per dtype, metamethods that LuaJIT compiles next to a raw FFI pointer, bounds checks included.
-- Whatever they do not cover goes to C by a tail call, which applies every rule and raises with the caller's line.
-- Sources: the head is ndb_head in src/bind/bind.h; why stores of punned storages go through ffi.copy: the design's notes
-- on aliasing in docs/internals.md.
local ffi = require "ffi"

local head = {}

local struct = [[struct {
  struct { uint32_t epoch, puns; } *storage;
  %s *p1;
  int64_t step0, step1;
  uint32_t epoch;
  int32_t is_unit, read_n, write_n, read_rows, write_rows, columns, is_punned, ndim;
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

-- By dtype: C type; what a loaded x becomes; tests that let value v be stored inline, each with what is stored.
local number = "type(v) == 'number'"
local function within(lo, hi) return { { number .. " and v >= " .. lo .. " and v <= " .. hi, "v" } } end
local function encoded() return { { number, "encode(v)" } } end
local function complex()
  return { { number, "v" }, { "type(v) == 'cdata' and (istype(complex128, v) or istype(complex64, v))", "v" } }
end
local rows = {
  bool = { "uint8_t", "x ~= 0", { { "type(v) == 'boolean'", "v and 1 or 0" }, { number, "v ~= 0 and 1 or 0" } } },
  i8 = { "int8_t", "x", within("-128", "127") },
  u8 = { "uint8_t", "x", within("0", "255") },
  i16 = { "int16_t", "x", within("-32768", "32767") },
  u16 = { "uint16_t", "x", within("0", "65535") },
  i32 = { "int32_t", "x", within("-2147483648", "2147483647") },
  u32 = { "uint32_t", "x", within("0", "4294967295") },
  i64 = { "int64_t", "x", {
    { number .. " and v >= -0x1p63 and v < 0x1p63", "v" },
    { "type(v) == 'cdata' and (istype(int64, v) or istype(uint64, v) and v <= 0x7fffffffffffffffULL)", "v" } } },
  u64 = { "uint64_t", "x", {
    { number .. " and v >= 0 and v < 0x1p63", "v" },
    { "type(v) == 'cdata' and (istype(uint64, v) or istype(int64, v) and v >= 0)", "v" } } },
  f16 = { "uint16_t", "values[x]", encoded() },
  bf16 = { "uint16_t", "values[x]", encoded() },
  f32 = { "float", "x", { { number, "v" } } },
  f64 = { "double", "x", { { number, "v" } } },
  c64 = { "complex float", "x", complex() },
  c128 = { "complex double", "x", complex() },
  f8e4m3 = { "uint8_t", "values[x]", encoded() },
  f8e5m2 = { "uint8_t", "values[x]", encoded() },
}

-- One chunk for each dtype: LuaJIT stops specialising a function that too many closures share.
local template = [[
local ffi, H, P, core, mt, values, encode, scratch, token = ...
local cast, copy, istype, floor, type, select = ffi.cast, ffi.copy, ffi.istype, math.floor, type, select
local tonumber, getmetatable = tonumber, getmetatable
local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local complex64, complex128 = ffi.typeof "complex float", ffi.typeof "complex double"
local slow_index, slow_newindex, slow_call = mt.__index, mt.__newindex, mt.__call
local methods, properties = mt.methods, mt.properties
local slow_get, slow_set, slow_dim, slow_length = methods.get, methods.set, methods.dim, mt.__len
local slow_ptr = methods.ptr

function mt.__index(self, k)
  if type(k) == "number" then
    if getmetatable(self) == token then
      local h = cast(H, self)
      if h.epoch == h.storage.epoch and k >= 1 and k <= h.read_n and floor(k) == k then
        if h.is_unit ~= 0 then return $LOAD(h.p1[k]) end
        return $LOAD(h.p1[k * h.step0])
      end
    end
    return slow_index(self, k)
  end
  if type(k) == "string" then
    local property = properties[k]
    if property then return property(self) end
    local method = methods[k]
    if method then return method end
  end
  return slow_index(self, k)
end

function mt.__newindex(self, k, v)
  if type(k) == "number" and getmetatable(self) == token then
    $STORE(slow_newindex(self, k, v))
    local h = cast(H, self)
    if h.epoch == h.storage.epoch and k >= 1 and k <= h.write_n and floor(k) == k then
      if h.is_punned == 0 then
        if h.is_unit ~= 0 then h.p1[k] = x else h.p1[k * h.step0] = x end
      else
        scratch[0] = x
        copy(h.p1 + k * h.step0, scratch, $BYTES)
      end
      return
    end
  end
  return slow_newindex(self, k, v)
end

local function get(self, slow, ...)
  local n = select("#", ...)
  local i, j = ...
  if n == 2 and type(i) == "number" and type(j) == "number" and getmetatable(self) == token then
    local h = cast(H, self)
    if h.epoch == h.storage.epoch and i >= 1 and i <= h.read_rows and j >= 1 and j <= h.columns
        and floor(i) == i and floor(j) == j then
      if h.is_unit ~= 0 then return $LOAD(h.p1[i * h.step0 + j]) end
      return $LOAD(h.p1[i * h.step0 + j * h.step1])
    end
  elseif n == 1 and type(i) == "number" and getmetatable(self) == token then
    local h = cast(H, self)
    if h.epoch == h.storage.epoch and i >= 1 and i <= h.read_n and floor(i) == i then
      return $LOAD(h.p1[i * h.step0])
    end
  end
  return slow(self, ...)
end

function mt.__call(self, ...) return get(self, slow_call, ...) end
function methods.get(self, ...) return get(self, slow_get, ...) end

function methods.set(self, ...)
  local n = select("#", ...)
  local i, j, v = ...
  if n == 3 and type(i) == "number" and type(j) == "number" and getmetatable(self) == token then
    $STORE(slow_set(self, ...))
    local h = cast(H, self)
    if h.epoch == h.storage.epoch and i >= 1 and i <= h.write_rows and j >= 1 and j <= h.columns
        and floor(i) == i and floor(j) == j then
      if h.is_punned == 0 then
        if h.is_unit ~= 0 then h.p1[i * h.step0 + j] = x else h.p1[i * h.step0 + j * h.step1] = x end
      else
        scratch[0] = x
        copy(h.p1 + (i * h.step0 + j * h.step1), scratch, $BYTES)
      end
      return
    end
  elseif n == 2 and type(i) == "number" and getmetatable(self) == token then
    v = j
    $STORE(slow_set(self, ...))
    local h = cast(H, self)
    if h.epoch == h.storage.epoch and i >= 1 and i <= h.write_n and floor(i) == i then
      if h.is_punned == 0 then
        h.p1[i * h.step0] = x
      else
        scratch[0] = x
        copy(h.p1 + i * h.step0, scratch, $BYTES)
      end
      return
    end
  end
  return slow_set(self, ...)
end

function mt.__len(self)
  if getmetatable(self) == token then
    local h = cast(H, self)
    if h.ndim > 0 then return tonumber(h.view.axis[0].len) end
  end
  return slow_length(self)
end

function methods.dim(self, i)
  if type(i) == "number" and getmetatable(self) == token then
    local h = cast(H, self)
    if i >= 1 and i <= h.ndim and floor(i) == i then return tonumber(h.view.axis[i - 1].len) end
  end
  return slow_dim(self, i)
end

function methods.ptr(self) return cast(P, slow_ptr(self)) end
]]

-- Statements that leave what is to be stored in x, or tail-call 'slow'.
local function store_code(tests, slow)
  local lines = { "local x" }
  for i, test in ipairs(tests) do
    lines[#lines + 1] = ("%s %s then x = %s"):format(i == 1 and "if" or "elseif", test[1], test[2])
  end
  lines[#lines + 1] = "else return " .. slow .. " end"
  return table.concat(lines, " ")
end

-- x(expression) by the row's own text.
local function load_code(text, expression)
  return (text == "x" and "%s" or text:gsub("%f[%w]x%f[%W]", "%%s")):format(expression)
end

local function compile(dtype, row, source)
  local code = template:gsub("%$STORE(%b())", function(call) return store_code(row[3], call:sub(2, -2)) end)
    :gsub("%$LOAD(%b())", function(expression) return load_code(row[2], expression:sub(2, -2)) end)
    :gsub("%$BYTES", tostring(ffi.sizeof(row[1])))
  return assert(loadstring(code, source .. "head.lua:" .. dtype))
end

--- The FFI type of a handle of 'dtype', for the spec that compares the layouts.
function head.ctype(dtype) return ffi.typeof(struct:format(rows[dtype][1])) end

--- Put the fast metamethods and methods over those of C. 'source' begins the names of our chunks.
function head.install(core, source)
  for dtype, row in pairs(rows) do
    local values = core.values[dtype] and ffi.cast("const float *", core.values[dtype])
    local encode = core.encoders[dtype]
      and ffi.cast(row[1] == "uint8_t" and "uint8_t (*)(double)" or "uint16_t (*)(double)", core.encoders[dtype])
    compile(dtype, row, source)(ffi, ffi.typeof(struct:format(row[1]) .. " *"), ffi.typeof(row[1] .. " *"), core,
      core.metatables[dtype], values, encode, ffi.new(row[1] .. "[1]"), "ndbuf." .. dtype)
  end
end

--- Without the JIT only what C cannot do itself: typed pointers.
function head.install_pointers(core)
  for dtype, row in pairs(rows) do
    local methods, pointer = core.metatables[dtype].methods, ffi.typeof(row[1] .. " *")
    local slow_ptr = methods.ptr
    function methods.ptr(self) return ffi.cast(pointer, slow_ptr(self)) end
  end
end

return head
