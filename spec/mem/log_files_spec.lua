-- Whose the files of logs are: several logs, processes and forks, and files of others.
local nd = require "ndbuf"
local H = require "spec.helper"
local replay = require "ndbuf.replay"

local host = nd.memory.host()
local LUA = os.getenv "LUAJIT" or "luajit"
local EVENTS = "Thread,Time,Event,Pointer,Size,Stream,Device,Kind,Granted\n"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

-- One event of a log on a pool; how many records that lost.
local function trim(mem)
  make(3 * 2 ^ 20, mem):free()
  assert(mem:trim() >= 3 * 2 ^ 20)
  return mem:stats().lost_records
end

local function pool_log(path) return nd.memory.log(nd.memory.pool(host), path) end

local function list(dir)
  local _, out = H.run("ls " .. H.quote(dir))
  return out
end

describe("what no log wrote", function()
  it("is left alone where the log cannot be opened, or its events have that name", function()
    local dir = H.dir()
    os.execute("mkdir " .. H.quote(dir .. "/dd"))
    local precious = H.write(dir .. "/dd.events", "precious")
    H.raises("io", nd.memory.log, host, dir .. "/dd")
    assert.equal("precious", H.read(precious))
    for _, text in ipairs {"precious", EVENTS:gsub("Event", "Action"), EVENTS:sub(2)} do
      local path, events = dir .. "/x.csv", H.write(dir .. "/x.events.csv", text)
      assert.equal(1, trim(pool_log(path)))
      assert.equal(text, H.read(events))
      assert.equal(2, replay.run(path).allocations + replay.run(path).frees)
    end
  end)

  it("but for a file of events, or what a full disk left of one", function()
    for _, text in ipairs {"", EVENTS:sub(1, 9), EVENTS, EVENTS .. "of an earlier run\n"} do
      local path = H.path "x.csv"
      local events = H.write(path:gsub("csv$", "events.csv"), text)
      local mem = pool_log(path)
      assert.is_false(H.exists(events))
      assert.equal(0, trim(mem))
      assert.equal(1, select(2, H.read(events):gsub(",trim,", "")))
    end
  end)
end)

describe("what never fits", function()
  it("is one failure in the log on each side of a guard or pool", function()
    local budget = nd.memory.budget(host, 100000)
    for _, up in ipairs {budget, nd.memory.pool(budget), nd.memory.guard(budget),
      nd.memory.log(budget, {ring = 10})} do
      local mem = nd.memory.log(up, {ring = 10})
      H.raises("budget_exceeded", make, 200000, mem)
      local records = mem:records()
      assert.same({1, "allocate failure", 200000}, {#records, records[1].action, records[1].bytes})
    end
    local low = nd.memory.log(budget, {ring = 10})
    H.raises("budget_exceeded", make, 200000, nd.memory.guard(low))
    assert.same({1, "allocate failure"}, {#low:records(), low:records()[1].action})
  end)
end)

describe("a file of a log", function()
  it("is no other's as long as that is open", function()
    local path = H.path "x.csv"
    local link = path .. ".link"
    os.execute(("ln -s %s %s"):format(H.quote(path), H.quote(link)))
    local kept = {nd.memory.log(host, path)}
    local function use() make(10, kept[1]):free() end
    use()
    for _, name in ipairs {path, link} do
      local err = H.raises_like("io", "x%.csv.*: another log", nd.memory.log, host, name)
      assert.same({name, 11}, {err.path, err.errno})
    end
    assert.equal(1, replay.run(path).allocations)
    use()
    assert.equal(2, replay.run(path).allocations)
    kept[1] = nil -- is collected by the next
    make(10, nd.memory.log(host, path)):free()
    assert.equal(1, replay.run(path).allocations)
  end)

  it("stays the log's where it is renamed or removed", function()
    local dir = H.dir()
    local path, moved = dir .. "/x.csv", dir .. "/moved.csv"
    local mem = pool_log(path)
    assert.equal(0, trim(mem))
    assert(os.rename(path, moved))
    local second = nd.memory.log(host, path)
    make(10, second):free()
    make(10, mem):free()
    assert.equal(0, mem:stats().lost_records)
    assert.same({1, 2}, {replay.run(path).allocations, replay.run(moved).allocations})
    H.raises_like("io", "another log", nd.memory.log, host, moved)
    assert(os.remove(moved))
    make(10, mem):free()
    local third = nd.memory.log(host, moved)
    make(10, third):free()
    assert.same({0, 0, 0}, {mem:stats().lost_records, second:stats().lost_records,
      third:stats().lost_records})
    assert.equal(1, replay.run(moved).allocations)
    assert.equal(1, select(2, H.read(dir .. "/x.events.csv"):gsub(",trim,", "")))
  end)

  it("is no other's file of events, nor the other way round", function()
    local dir = H.dir()
    local path, events = dir .. "/run.csv", dir .. "/run.events.csv"
    local other = nd.memory.log(host, events)
    local mem = pool_log(path)
    make(10, other):free()
    assert.equal(1, trim(mem))
    assert.same({1, 0}, {replay.run(events).allocations, other:stats().lost_records})
    path, events = dir .. "/next.csv", dir .. "/next.events.csv"
    mem = pool_log(path)
    trim(mem)
    H.raises_like("io", "another log", nd.memory.log, host, events)
    assert.equal(0, trim(mem))
    assert.equal(2, select(2, H.read(events):gsub(",trim,", "")))
  end)

  it("of logs that are garbage is closed where descriptors are short", function()
    local status, out, err = H.run(("ulimit -n 64; LUA_PATH=%s LUA_CPATH=%s %s -e %s"):format(
      H.quote(package.path), H.quote(package.cpath), LUA, H.quote(([[
        collectgarbage "stop"
        local nd = require "ndbuf"
        for i = 1, 200 do
          nd.zeros({10}, nd.memory.log(nd.memory.host(), %q .. i .. ".csv"))
        end
        local kept, fine, why = {}
        repeat
          fine, why = pcall(nd.memory.log, nd.memory.host(), %q .. #kept .. ".csv")
          kept[#kept + 1] = why
        until not fine
        io.write(why.code, " ", why.errno)
      ]]):format(H.path "a", H.path "b"))))
    assert.same({0, "io 24", ""}, {status, out, err})
  end)

  it("is whole, or the old one, where a system call of its opening fails", function()
    local script = [[
      local ffi, nd = require "ffi", require "ndbuf"
      ffi.cdef "void files_fault_arm(int, int, bool); int files_fault_disarm(void);"
      ffi.cdef "const char *files_fault_where(void);"
      local path, seen = arg[1], {}
      local function read(name)
        local file = assert(io.open(name))
        local text = file:read "*a"
        file:close()
        return text
      end
      local function write(name, text)
        local file = assert(io.open(name, "w"))
        file:write(text)
        file:close()
      end
      local function try(kind, n)
        write(path, "old")
        write(path .. ".events", "")
        ffi.C.files_fault_arm(kind, n, false)
        local fine, mem = pcall(nd.memory.log, nd.memory.host(), path)
        local hits = ffi.C.files_fault_disarm()
        local where = hits > 0 and ffi.string(ffi.C.files_fault_where()) or ""
        seen[kind .. where] = true
        if fine then
          nd.zeros({10}, "u8", mem):free()
          local lost, text = mem:stats().lost_records, read(path)
          local is_whole = lost == 0 and text:find "\n.*,free,.*\n$"
          assert(is_whole or kind ~= 4 and lost == 2 and text == "")
        else
          assert(kind ~= 4 and where ~= "flock")
          assert(mem.code == "io" and mem.path == path and read(path) == "old")
        end
        mem = nil
        collectgarbage()
        collectgarbage()
        return hits > 0
      end
      for _, kind in ipairs {4, 5} do
        local n = 1
        while try(kind, n) do n = n + 1 end
      end
      for _, name in ipairs {"4open", "4flock", "4ftruncate", "4write", "5open", "5fstat",
        "5flock", "5ftruncate", "5write", "5pread", "5unlink"} do
        assert(seen[name], name)
      end
    ]]
    local preload = H.quote(H.build .. "/spec/faults/files_preload.so")
    local status, _, err = H.run(([[
      LUA_PATH=%s LUA_CPATH=%s LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$(pwd)"/%s %s %s %s %s
    ]]):format(H.quote(package.path), H.quote(package.cpath), preload, LUA,
      jit.status() and "" or "-joff", H.write(H.path "faults.lua", script), H.path "log"))
    assert.same({0, ""}, {status, err})
  end)
end)

describe("NDBUF_LOG", function()
  it("has a file for each process that is there at a time", function()
    local dir = H.dir()
    local child = H.write(H.path "child.lua", [[
      local nd = require "ndbuf"
      nd.zeros({2000}, "u8"):free()
      io.write(io.open "/proc/self/stat":read "*n")
    ]])
    local paths = ("NDBUF_LOG=%s/x.csv LUA_PATH=%s LUA_CPATH=%s "):format(H.quote(dir),
      H.quote(package.path), H.quote(package.cpath))
    local function run()
      return H.run(("%s %s %s %q"):format(paths, LUA, H.write(H.path "parent.lua", [[
        local nd = require "ndbuf"
        nd.zeros({1000}, "u8"):free()
        os.execute(arg[1])
        nd.zeros({1000}, "u8"):free()
      ]]), LUA .. " " .. child))
    end
    for _ = 1, 2 do
      local status, pid, err = run()
      assert.same({0, ""}, {status, err})
      assert.equal(("x.%d.csv\nx.csv\n"):format(pid), list(dir))
      for name, rows in pairs {["/x.csv"] = {2, 1000}, [("/x.%d.csv"):format(pid)] = {1, 2000}} do
        local r = replay.run(dir .. name)
        assert.same({rows[1], rows[1], 0, rows[2]}, {r.allocations, r.frees, r.left, r.peak})
      end
      os.remove(("%s/x.%d.csv"):format(dir, pid))
    end
  end)
end)

-- Children of a script, which run a function, and pipes to hold them with.
local FORKS = [[
  local ffi, nd = require "ffi", require "ndbuf"
  ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int); int pipe(int *);"
  ffi.cdef "int read(int, void *, size_t); int close(int);"
  local function child(f)
    local pid = ffi.C.fork()
    if pid == 0 then
      local fine, why = pcall(f)
      if not fine then io.stderr:write(tostring(why), "\n") end
      ffi.C._exit(fine and 0 or 1)
    end
    return pid
  end
  local function wait(pid)
    local status = ffi.new "int[1]"
    assert(ffi.C.waitpid(pid, status, 0) == pid and status[0] == 0)
  end
]]

describe("a fork", function()
  it("has nothing of its own in the file, and leaves the lock to its parent", function()
    local status, out, err = H.luajit(nil, FORKS .. [[
      local path = arg[1]
      local kept = {nd.memory.log(nd.memory.host(), path)}
      local function close()
        kept[1] = nil
        collectgarbage()
        collectgarbage()
        nd.zeros(1)
      end
      nd.zeros({10}, "u8", kept[1]):free()
      wait(child(function()
        nd.zeros({10}, "u8", kept[1]):free()
        assert(kept[1]:stats().lost_records == 2)
        close()
      end))
      assert(not pcall(nd.memory.log, nd.memory.host(), path)) -- by the lock that the parent has
      nd.zeros({10}, "u8", kept[1]):free()
      assert(kept[1]:stats().lost_records == 0)
      local text = io.open(path):read "*a"
      assert(select(2, text:gsub("allocate", "")) == 2)
      local ends, byte = ffi.new "int[2]", ffi.new "char[1]"
      assert(ffi.C.pipe(ends) == 0)
      local waits = child(function()
        ffi.C.close(ends[1])
        ffi.C.read(ends[0], byte, 1)
      end)
      close()
      local mem = nd.memory.log(nd.memory.host(), path) -- while the child has the descriptor
      ffi.C.close(ends[1])
      wait(waits)
      io.write(mem:stats().lost_records)
    ]], H.path "fork.csv")
    assert.same({0, "0", ""}, {status, out, err})
  end)

  it("has files of its own, which are no other child's, beside those of its parent", function()
    local status, out, err = H.luajit(nil, FORKS .. [[
      ffi.cdef "int write(int, const void *, size_t);"
      local host, path, own = nd.memory.host(), arg[1], arg[1] .. ".own"
      local log = nd.memory.log(host, path)
      local function use(mem) nd.zeros({10}, "u8", mem):free() return mem:stats().lost_records end
      local said, ends, byte = ffi.new "int[2]", ffi.new "int[2]", ffi.new "char[1]"
      assert(ffi.C.pipe(said) == 0 and ffi.C.pipe(ends) == 0)
      local first = child(function()
        ffi.C.close(ends[1])
        local mem = nd.memory.log(host, own)
        assert(use(mem) == 0 and use(log) == 2)
        assert(ffi.C.write(said[1], byte, 1) == 1)
        ffi.C.read(ends[0], byte, 1) -- until the parent closes the other end
        assert(use(mem) == 0)
      end)
      assert(ffi.C.read(said[0], byte, 1) == 1)
      wait(child(function()
        for _, name in ipairs {own, path} do assert(not pcall(nd.memory.log, host, name)) end
        local mem = nd.memory.log(host, own .. "2")
        assert(use(mem) == 0 and use(log) == 2)
      end))
      assert(not pcall(nd.memory.log, host, own) and use(log) == 0)
      ffi.C.close(ends[1])
      wait(first)
      for _, name in ipairs {path, own, own .. "2"} do
        io.write(select(2, io.open(name):read "*a":gsub("allocate", "")), " ")
      end
      io.write(use(nd.memory.log(host, own)))
    ]], H.path "children.csv")
    assert.same({0, "1 2 1 0", ""}, {status, out, err})
  end)
end)
