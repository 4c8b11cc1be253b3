-- Replays of logs of memory: what they tell, what they refuse, the command.
local nd = require "ndbuf"
local H = require "spec.helper"
local replay = require "ndbuf.replay"

local HEADER = "Thread,Time,Action,Pointer,Size,Stream"

describe("replay", function()
  local function log(text) return H.write(H.path "log.csv", text) end

  it("reads RMM's own logs, with columns in any order", function()
    local r = replay.run(log(HEADER .. "\n" ..
      "7,10:00:00:000001,allocate,0x7f0000000000,1000,0\n" ..
      "8,10:00:00:000002,allocate,0x7F0000000400,2000,1\n" ..
      "7,10:00:00:000003,allocate,(nil),0,0\n" ..
      "7,10:00:00:000004,allocate failure,(nil),99,0\n" ..
      "8,10:00:00:000005,free,0x007f0000000000,1000,0x2\n" ..
      "7,10:00:00:000006,free,(nil),0,0\n"))
    assert.same({3, 2, 1, 0, 1, 3000}, {r.allocations, r.frees, r.failures, r.refused, r.left,
      r.peak})
    assert.equal(1024 + 2048, r.live_peak)
    assert(r.seconds > 0 and r.seconds < 5)
    assert(r.held_peak >= r.live_peak)
    assert.equal(1 - r.live_peak / r.held_peak, r.fragmentation)
    r = replay.run(log "Size,More,Stream,Pointer,Action,Thread\r\n5,x y,0,1f,allocate,1\r\n")
    assert.same({1, 0, 5}, {r.allocations, r.frees, r.peak})
  end)

  it("tells the peak and what a stack keeps", function()
    local rows = {HEADER}
    for round = 1, 4 do
      for i = 1, 8 do
        rows[#rows + 1] = ("1,0:0:0:0,allocate,0x%x,%d,0"):format(i, 1000 * round)
      end
      for i = 1, 8 do rows[#rows + 1] = ("1,0:0:0:0,free,0x%x,%d,0"):format(i, 1000 * round) end
    end
    local path = log(table.concat(rows, "\n"))
    local r = replay.run(path, nd.memory.pool(nd.memory.host()))
    assert.equal(32000, r.peak)
    assert.equal(8 * 4096, r.live_peak)
    assert(r.held_peak >= 8 * (1024 + 2048 + 3072 + 4096) and r.fragmentation > 0.5)
    r = replay.run(path, nd.memory.budget(nd.memory.host(), 9000))
    assert(r.refused > 0 and r.live_peak <= 9000 and r.left == 0 and r.peak == 32000)
  end)

  it("names the line and the value of what is no log", function()
    local row = "\n1,0:0:0:0,%s,%s,%s,%s\n1,0:0:0:0,allocate,0x99,1,0\n"
    local function check(pattern, ...)
      H.raises_like("invalid_argument", pattern, replay.run, log(HEADER .. row:format(...)))
    end
    check('csv:2: Action: "reap"', "reap", "0x1", "1", "0")
    check('csv:2: Action: "Allocate"', "Allocate", "0x1", "1", "0")
    check('csv:2: Pointer: "0xg"', "allocate", "0xg", "1", "0")
    check('csv:2: Size: "%-1"', "allocate", "0x1", "-1", "0")
    check('csv:2: Size: "1e3"', "allocate", "0x1", "1e3", "0")
    check('csv:2: Size: "99999999999999999"', "allocate", "0x1", "99999999999999999", "0")
    check('csv:2: Stream: "x"', "allocate", "0x1", "1", "x")
    check("csv:2: 7 fields, expected 6", "allocate", "0x1", "1", "0,0")
    check("csv:2: 0x1 is freed, but not allocated", "free", "0x1", "1", "0")
    check("csv:2: %(nil%) is freed", "free", "(nil)", "0", "0")
    check("csv:3: 0x99 is allocated twice", "allocate", "0x99", "1", "0")
    H.raises_like("invalid_argument", 'csv:2: Thread: "x"', replay.run,
      log(HEADER .. "\nx,0:0:0:0,free,0x1,1,0"))
    H.raises_like("invalid_argument", "csv:1: there is no column Pointer", replay.run,
      log "Thread,Action,Size,Stream\n")
    H.raises_like("invalid_argument", "there is no column Thread", replay.run, log "")
    H.raises_like("io", "cannot open /none/x", replay.run, "/none/x")
    local r = replay.run(log(HEADER .. row:format("allocate", "0x1", "1", "0") .. "1,0:0:0:0,fre"))
    assert.same({2, 2}, {r.allocations, r.left})
  end)

  it("is a command", function()
    local path = log(HEADER .. "\n1,0:0:0:0,allocate,0x1,1000,0\n")
    local status, out = H.run("bin/ndbuf --replay " .. path)
    assert.equal(0, status)
    assert.truthy(out:find("1 allocations, 0 frees, 0 failures", 1, true), out)
    assert.truthy(out:find("1000 B requested, 1024 B in use", 1, true), out)
    status, out = H.run("bin/ndbuf --replay " .. path .. " 'nd.memory.pool(nd.memory.host())'")
    assert.equal(0, status)
    assert.truthy(out:find("on pool of host memory of cpu", 1, true), out)
    local _, err
    status, _, err = H.run "bin/ndbuf --replay /none/x.csv"
    assert.equal(1, status)
    assert.equal("ndbuf: replay: cannot open /none/x.csv: No such file or directory\n", err)
    assert.equal(1, (H.run("bin/ndbuf --replay " .. path .. " 'nd.x('")))
    assert.equal(2, (H.run "bin/ndbuf --replay"))
    for code, what in pairs {typo = "nil", ["nd.zeros"] = "function", ["'cpu'"] = "cpu"} do
      status, out, err = H.run(("bin/ndbuf --replay %s %s"):format(path, H.quote(code)))
      assert.same({1, ""}, {status, out})
      assert.truthy(err:find(("ndbuf: %q is %s"):format(code, what), 1, true), err)
    end
    status, _, err = H.run("bin/ndbuf --replay " .. H.dir())
    assert.equal(1, status)
    assert.truthy(err:find("cannot read /.*: Is a directory"), err)
  end)

  it("reads a log that the memory replaces, or writes to", function()
    local rows = "\n1,0:0:0:0,allocate,0x1,1000,0\n1,0:0:0:0,free,0x1,1000,0"
    local path = log(HEADER .. rows:rep(3) .. "\n")
    local status, out = H.run(("bin/ndbuf --replay %s %s"):format(path,
      H.quote(("nd.memory.log(nd.memory.host(), %q)"):format(path))))
    assert.equal(0, status)
    assert.truthy(out:find("3 allocations, 3 frees, 0 failures", 1, true), out)
    path = log ""
    local mem = nd.memory.log(nd.memory.host(), {path = path, cap = 2 ^ 16})
    nd.zeros({10}, "u8", mem):free()
    for n = 0, 2 do assert.equal(2 ^ n, replay.run(path, mem).allocations) end
  end)
end)
