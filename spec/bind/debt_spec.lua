-- When the debt of allocated bytes makes the collector run; each case in a process of its own.
local H = require "spec.helper"

local function child(script)
  local status, out, err = H.luajit(jit.status() and "" or "-joff", [[
    local nd, core = require "ndbuf", require "ndbuf.core"
    local function take(mib) return nd.empty(mib * nd.MiB, "u8"):allocate() end
    local function collections() return core.stats().collections end
  ]] .. script)
  if status ~= 0 then error(("status %d:\n%s%s"):format(status, out, err), 2) end
  return out
end

describe("the debt", function()
  it("may be half of what was alive after the last collection", function()
    local ran = tonumber(child [[
      local kept = {}
      for i = 1, 4 do kept[i] = take(100) end -- never touched
      local before = collections()
      for _ = 1, 8 do take(40) end
      print(collections() - before)
      assert(#kept == 4)
    ]])
    assert.truthy(ran >= 1 and ran <= 3, ran .. " collections for 320 MiB beside 400")
  end)

  it("is taken back by a free, and is never less than nothing", function()
    local out = child [[
      local a, b, c = take(60), take(60), take(60)
      a:free() b:free() c:free()
      local before = collections()
      for _ = 1, 20 do take(60):free() end
      print(collections() - before)
    ]]
    assert.equal("0\n", out)
  end)
end)
