-- A finalizer may free an array at any step of the collector: no access touches it after that.
local H = require "spec.helper"

-- Blocks of a page and more are mappings of their own: freed, they are gone.
local UNMAP = "env MALLOC_MMAP_THRESHOLD_=4096 MALLOC_PERTURB_=165 "

local function run(before, flags, mode, trials)
  local lua = os.getenv "LUAJIT" or "luajit"
  local paths = ("LUA_PATH=%s LUA_CPATH=%s "):format(H.quote(package.path), H.quote(package.cpath))
  -- full collections before each handle would run all finalizers too early
  local unstressed = "env -u NDBUF_GC_STRESS " .. before
  local status, out, err = H.run(("%s %s%s %s spec/lua/freed.lua %s %d %d"):format(
    paths, unstressed, lua, flags, mode, trials, H.seed % 2 ^ 31))
  assert(status == 0, ("status %d, seed %d: %s"):format(status, H.seed, err:sub(-300)))
  assert.is_true(tonumber(out) > 40 * trials, "too few frees came in the middle of an access")
end

describe("an array that a finalizer frees in the middle of an access", function()
  it("is not touched by code that is interpreted", function() run(UNMAP, "", "off", 6) end)
  it("is not touched without the JIT", function() run(UNMAP, "-joff", "on", 6) end)
  it("is not touched behind a test that leaves compiled code", function()
    run(UNMAP, "", "on", 3)
  end)
  it("is not touched while traces are recorded", function() run(UNMAP, "", "record", 12) end)

  it("is not touched, as valgrind sees it #slow", function()
    if H.run "command -v valgrind" ~= 0 then pending "needs valgrind" end
    if H.is_sanitized then pending "not under AddressSanitizer" end
    run("valgrind -q --error-exitcode=9 --suppressions=spec/valgrind.supp ", "", "off", 1)
  end)
end)
