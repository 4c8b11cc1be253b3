-- Compiles the bodies of the elementwise operations by NVRTC, as CUDA C++, which takes no card:
-- kernels for a GPU are to be made of the same bodies as the host's, with the same words
-- (kern/words.h). Starts in the checkout.
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

-- Without "static" there is code of all functions. The dtypes are counted by the host's compiler.
local SOURCE = [[
#define static
#define _Static_assert(...)
#include "kern/made/%s.c"
]]

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
  assert(nvrtc.nvrtcCreateProgram(at, SOURCE:format(family), family, 0, nil, nil) == 0)
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
local file = assert(io.open "src/kern/family.h")
local text = file:read "*a"
file:close()
for family in assert(text:match "#define ND_FAMILIES%(X%)([^\n]+)"):gmatch "X%((%w+)%)" do
  local count, log = compile(family)
  local fine = count ~= nil and count > 0
  if fine then passed = passed + 1 else failed = failed + 1 end
  print(family .. ": " .. (fine and count .. " functions" or log or "no code"))
end
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
