-- Runs scripts in processes of their own whose CUDA driver is the simulated one.
--   local C = require "spec.dev.cuda"
--   C.run({mode = "lazy", devices = 2}, [[ … ]])
-- A script has nd, H (spec.helper), driver, sim: the functions of spec/cudasim/cusim.h, and enter,
-- which gives the thread a context as another library would. It fails when it raises, when it ends
-- with another context than that, and when the driver has something to report at its end.
--
-- With NDBUF_REQUIRE_CUDA=n (make gpu-check) the driver is NDBUF_CUDA_DRIVER or the system's, which
-- must have n GPUs. There settings are the card's own, and sim is nil; specs that need either are
-- tagged #sim.
local H = require "spec.helper"

local C = {}

C.is_card = os.getenv "NDBUF_REQUIRE_CUDA" ~= nil
C.driver = C.is_card and (os.getenv "NDBUF_CUDA_DRIVER" or "libcuda.so.1") or
  H.build .. "/cudasim/libcuda.so.1"
C.modes = C.is_card and {"as it is"} or {"eager", "lazy", "shuffle"}

local PRELUDE = [[
local ffi = require "ffi"
local nd = require "ndbuf"
local H = dofile "spec/helper.lua"
local files = 0
function H.path(name)
  files = files + 1
  return ("%s/%d-%s"):format(DIR, files, name)
end
ffi.cdef "bool cusim_fail(const char *function, uint64_t n, const char *name);"
ffi.cdef "bool cusim_set(const char *name, const char *value); uint64_t cusim_fail_none(void);"
ffi.cdef "uint64_t cusim_calls(const char *function);"
ffi.cdef "uint64_t cusim_live_count(const char *kind); uint64_t cusim_live_bytes(const char *kind);"
ffi.cdef "uint64_t cusim_forgive(const char *kind); uint64_t cusim_stalls(void);"
ffi.cdef "void cusim_keep_context(void); bool cusim_check_context(void);"
ffi.cdef "bool cusim_capture(uint64_t stream, bool is_on);"
ffi.cdef "uint64_t cusim_pending(void); bool cusim_hold(uint64_t stream, bool is_on);"
ffi.cdef "void cusim_begin_time(void); uint64_t cusim_end_time(void);"
ffi.cdef "int cuDevicePrimaryCtxRetain(void **, int); int cuInit(unsigned);"
ffi.cdef "int cuCtxSetCurrent(void *); int cuCtxGetCurrent(void **);"
local driver = ffi.load(os.getenv "NDBUF_CUDA_DRIVER")
local sim = not os.getenv "NDBUF_REQUIRE_CUDA" and driver or nil
local function set_context(context)
  local hook, mask, count = debug.gethook()
  debug.sethook()
  assert(driver.cuCtxSetCurrent(context) == 0)
  if sim then sim.cusim_keep_context() end
  if hook then debug.sethook(hook, mask, count) end
end
-- As another library would: make the primary context of a device this thread's, or none by nil, for
-- the time of f if there is one.
local function enter(ordinal, f)
  local context, before = ffi.new "void *[1]", ffi.new "void *[1]"
  assert(driver.cuInit(0) == 0 and driver.cuCtxGetCurrent(before) == 0)
  if ordinal then assert(driver.cuDevicePrimaryCtxRetain(context, ordinal) == 0) end
  set_context(context[0])
  if not f then return end
  f()
  set_context(before[0])
end
if sim then sim.cusim_keep_context() end
]]

-- The script's exit status and what it wrote. 'settings' become CUSIM_…, but env, a string of more,
-- and keep: without it there is no pool by default, as most specs are about the driver's calls.
function C.try(settings, script)
  local words = {("NDBUF_CUDA_DRIVER=%s NDBUF_SEED=%d"):format(H.quote(C.driver), H.seed)}
  words[#words + 1] = "NDBUF_KEEP=" .. (settings.keep or "0")
  for name, value in pairs(settings) do
    if name == "env" then words[#words + 1] = value
    elseif name == "keep" then assert(value)
    elseif not C.is_card then
      words[#words + 1] = ("CUSIM_%s=%s"):format(name:upper(), H.quote(tostring(value)))
    end
  end
  local text = ("local DIR = %q\n%slocal rng = H.rng %q\ndo\n%s\nend\n%s"):format(H.dir(), PRELUDE,
    script:match "%w+", script, "if sim then sim.cusim_check_context() end")
  local path = H.write(H.path "cuda.lua", text)
  local paths = ("LUA_PATH=%s LUA_CPATH=%s "):format(H.quote(package.path), H.quote(package.cpath))
  local lua = (os.getenv "LUAJIT" or "luajit") .. (jit.status() and " " or " -joff ")
  return H.run("env " .. table.concat(words, " ") .. " " .. paths .. lua .. path)
end

-- What the script wrote; an error unless it ended well.
function C.run(settings, script)
  local status, out, err = C.try(settings, script)
  if status ~= 0 then
    local text = "seed %d, mode %s: status %d\n%s%s"
    error(text:format(H.seed, settings.mode or "eager", status, out, err), 2)
  end
  H.survives() -- the assertions are the script's
  return out
end

return C
