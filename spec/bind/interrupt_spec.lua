-- Ctrl-C while C works: SIGINT to a process of its own, in calls that would take hours.
local nd = require "ndbuf"
local H = require "spec.helper"

-- What the script prints that a SIGINT reaches once it has said that it is ready.
local function interrupted(call)
  local ready = H.path "ready"
  local script = H.write(H.path "script.lua", ([[
    local nd = require "ndbuf"
    local core = require "ndbuf.core"
    local n = 2 ^ 45
    local ones, more = nd.ones({1}, "u8"):expand(n), nd.ones({1}, "u8"):expand(n)
    local none = nd.zeros({1}, "bool"):expand(n)
    local before = core.stats().live
    local function call() %s end
    io.open(%q, "w"):close()
    local fine, e = pcall(call)
    collectgarbage()
    print(fine, type(e) == "table" and e.code or e, core.stats().live - before)
    assert(nd.ones(3):equal(nd.ones(3)))
    print "goes on"
  ]]):format(call, ready))
  local lua = ("LUA_PATH=%s LUA_CPATH=%s %s %s"):format(H.quote(package.path),
    H.quote(package.cpath), os.getenv "LUAJIT" or "luajit", jit.status() and "" or "-joff")
  local status, out, err = H.run(([[
    %s %s & pid=$!
    for i in $(seq 600); do [ -e %s ] && break; sleep 0.05; done
    sleep 0.2
    kill -INT $pid
    (sleep 60; kill -KILL $pid) 2>/dev/null & watch=$!
    wait $pid; status=$?
    kill $watch
    exit $status
  ]]):format(lua, H.quote(script), H.quote(ready)))
  if status ~= 0 then error(("status %d\n%s%s"):format(status, out, err), 2) end
  return out
end

describe("SIGINT", function()
  local calls = {
    ["a comparison"] = "return ones:equal(more)",
    ["allclose"] = "return nd.allclose(ones, more)",
    ["a mask"] = "return ones[none]",
    ["a convolution"] = [[local a = nd.ones({2e6}, "i64") return a:convolve(a)]],
  }
  if nd.info().lapack then
    calls["a factorisation of many matrices"] = "return nd.eye(99):expand(2 ^ 24, 99, 99):det()"
  end
  for name, call in pairs(calls) do
    it("ends " .. name .. " with an error object, and the script goes on", function()
      assert.are.equal("false\tinterrupted\t0\ngoes on\n", interrupted(call))
    end)
  end
end)
