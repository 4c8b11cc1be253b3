-- Compiles the bodies of the elementwise operations by NVRTC, as CUDA C++, which takes no card:
-- kernels for a GPU are to be made of the same bodies as the host's. Starts in the checkout.
--   luajit spec/gpu/nvrtc_check.lua LIBRARY     NVRTC's, libnvrtc.so
local ffi = require "ffi"
ffi.cdef [[
typedef struct nvrtc_program *nvrtcProgram;
const char *nvrtcGetErrorString(int);
int nvrtcCreateProgram(nvrtcProgram *, const char *source, const char *name, int,
                       const char *const *headers, const char *const *names);
int nvrtcCompileProgram(nvrtcProgram, int, const char *const *options);
int nvrtcGetProgramLogSize(nvrtcProgram, size_t *);
int nvrtcGetProgramLog(nvrtcProgram, char *);
int nvrtcGetPTXSize(nvrtcProgram, size_t *);
int nvrtcGetPTX(nvrtcProgram, char *);
int nvrtcDestroyProgram(nvrtcProgram *);
]]
local nvrtc = ffi.load((assert(arg[1], "usage: nvrtc_check.lua LIBRARY")))

-- What kern/words.h, family.h and complex.h give the host's compiler.
local WORDS = [[
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned uint32_t;
typedef long long int64_t; typedef unsigned long long uint64_t;
typedef long ptrdiff_t;
#define INFINITY __int_as_float(0x7f800000)
#define static // so that there is code of all functions
#define ND_ALWAYS_INLINE inline
#define ND_APART
#define ND_SIMD
#define _Alignas alignas
#define ND_CAT_(a, b) a##b
#define ND_CAT(a, b) ND_CAT_(a, b)
#define FN(op) ND_CAT(op, DTYPE)
#define T ND_CAT(type, DTYPE)
#define CT ND_CAT(compute, DTYPE)
#define VALUE(p) ND_CAT(value, DTYPE)(p)
#define WIDE(p) ND_CAT(get, DTYPE)(p)
#define PT ND_CAT(part, DTYPE)
#define PART_DTYPE ND_CAT(suffix, DTYPE)
#define suffix_c64 _f32
#define suffix_c128 _f64
#define REAL(v) (v).re
#define IMAG(v) (v).im
#define JOIN(re, im) T{re, im}
template <class P> struct pair { P re, im; };
typedef pair<double> wide_complex;
template <class P> pair<P> operator+(pair<P> a, pair<P> b) { return {a.re + b.re, a.im + b.im}; }
template <class P> pair<P> operator-(pair<P> a, pair<P> b) { return {a.re - b.re, a.im - b.im}; }
template <class P> pair<P> operator-(pair<P> a) { return {-a.re, -a.im}; }
template <class P> bool operator==(pair<P> a, pair<P> b) { return a.re == b.re && a.im == b.im; }
template <class P> bool operator!=(pair<P> a, pair<P> b) { return !(a == b); }
]]

local TYPES = {
  {"bool", "bool", "uint32_t"}, {"i8", "int8_t", "uint32_t"}, {"u8", "uint8_t", "uint32_t"},
  {"i16", "int16_t", "uint32_t"}, {"u16", "uint16_t", "uint32_t"}, {"i32", "int32_t", "uint32_t"},
  {"u32", "uint32_t", "uint32_t"}, {"i64", "int64_t", "uint64_t"}, {"u64", "uint64_t", "uint64_t"},
  {"f32", "float", "float"}, {"f64", "double", "double"}, {"c64", "pair<float>", "pair<float>"},
  {"c128", "pair<double>", "pair<double>"},
}

local TYPE = [[
typedef TYPE type_NAME; typedef COMPUTE compute_NAME;
inline TYPE value_NAME(const char *p) { return *(const TYPE *)p; }
inline void set_NAME(char *p, TYPE v) { *(TYPE *)p = v; }
]]

local PARTS = [[
typedef PART part_NAME;
inline wide_complex get_NAME(const char *p) { return {value_NAME(p).re, value_NAME(p).im}; }
]]

-- The source of a family: what its .c file includes.
local function source_of(family)
  local parts = {WORDS}
  for _, row in ipairs(TYPES) do
    local values = {NAME = row[1], TYPE = row[2], COMPUTE = row[3], PART = row[2]:match "<(%a+)>"}
    parts[#parts + 1] = (TYPE .. (values.PART and PARTS or "")):gsub("%u%u%u+", values)
  end
  local file = assert(io.open("src/kern/" .. family .. ".c"))
  for line in file:lines() do
    if line:find "^#define BODY" or line:find '^#include "kern/each_' then
      parts[#parts + 1] = line .. "\n"
    end
  end
  file:close()
  return table.concat(parts)
end

local function text_of(program, size_of, copy)
  local size = ffi.new "size_t[1]"
  assert(size_of(program, size) == 0)
  local text = ffi.new("char[?]", size[0])
  assert(copy(program, text) == 0)
  return ffi.string(text)
end

-- How many functions there are in the code; nil and the compiler's messages.
local function compile(family)
  local at = ffi.new "nvrtcProgram[1]"
  local no_words = ffi.new("const char *[1]", {"kern/words.h"})
  local empty = ffi.new("const char *[1]", {""})
  assert(nvrtc.nvrtcCreateProgram(at, source_of(family), family, 1, empty, no_words) == 0)
  local words = {"-Isrc", "-default-device", "-rdc=true", "-arch=compute_75"}
  local options = ffi.new("const char *[?]", #words, words)
  local status = nvrtc.nvrtcCompileProgram(at[0], #words, options)
  local log = text_of(at[0], nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
  if status ~= 0 then return nil, log end
  local code = text_of(at[0], nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
  nvrtc.nvrtcDestroyProgram(at)
  return select(2, code:gsub("%.visible %.func", ""))
end

local passed, failed = 0, 0
for _, family in ipairs {"arith", "bits", "order", "whole", "math", "where"} do
  local count, log = compile(family)
  local fine = count ~= nil and count > 0
  if fine then passed = passed + 1 else failed = failed + 1 end
  print(family .. ": " .. (fine and count .. " functions" or log or "no code"))
end
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
