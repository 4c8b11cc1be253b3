-- A short run of spec/bind/soak_fuzz.lua: random calls, with finalizers that call back.
local H = require "spec.helper"

describe("random calls", function()
  for i, flags in ipairs {"", "-joff"} do
    it("never crash, and raise error objects only " .. flags, function()
      local seed = H.seed % 100000 * 2 + i
      local calls = H.cases(20000)
      local limit = H.is_sanitized and "" or "ulimit -v 3000000\n"
      local script = ("spec/bind/soak_fuzz.lua %d 60 %d"):format(seed, calls)
      local command = "%sLUA_PATH=%s LUA_CPATH=%s timeout 300 %s %s %s"
      local status, out, err = H.run(command:format(limit, H.quote(package.path),
        H.quote(package.cpath), os.getenv "LUAJIT" or "luajit",
        H.is_sanitized and "-joff" or flags, script))
      if status ~= 0 then
        error(("luajit %s %s: status %d\n%s%s"):format(flags, script, status, out, err), 0)
      end
      assert.is_truthy(out:find(("seed %d: %%d+ calls"):format(seed)))
    end)
  end
end)

describe("many small arrays and views of them", function()
  for i, flags in ipairs {"", "-joff"} do
    it("leave nothing behind " .. flags .. " #slow", function()
      local seed, objects = H.seed % 100000 * 2 + i, H.cases(i == 1 and 1e6 or 2e5)
      -- a sanitizer keeps what was freed for a while
      local status, out, err = H.luajit(H.is_sanitized and "-joff" or flags,
        "spec/bind/soak_small.lua", seed, objects, H.is_sanitized and "counters" or "")
      assert.equal("", err)
      assert.equal(0, status)
      assert.truthy(out:find(("seed %d\n%d objects"):format(seed, objects), 1, true), out)
    end)
  end
end)
