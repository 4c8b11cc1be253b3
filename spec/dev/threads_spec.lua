-- Threads: how many there are, that results do not depend on them, forks, and what serves from the
-- cache of host memory.
local H = require "spec.helper"
local core = require "ndbuf.core"
local nd = require "ndbuf"

local rng = H.rng "threads"

-- Copies of every path of the planner, long enough for several threads.
local function copies(seed)
  local a = nd.random({3, 400, 500}, "f32", {seed = seed})
  local u = nd.randint(-100, 100, {1000, 999}, "i16", {seed = seed})
  return {
    whole = a:clone(), converted = a:astype "f64", narrowed = u:astype "u8",
    turned = u.T:clone(), turned_and_converted = a:permute(3, 1, 2):astype "f16",
    every_second = u":, ::2":clone(), reversed = u"::-1, ::-1":clone(),
    broadcast = a"1:1":expand(5, 400, 500):clone(), filled = nd.full({1000, 1000}, 7, "i32"),
  }
end

describe("threads", function()
  local before = core.stats().threads
  after_each(function() nd.set_threads(before) end)

  it("are set, and the former count is returned", function()
    assert.equal(before, nd.set_threads(3))
    assert.equal(3, nd.set_threads(1))
    assert.equal(1, nd.info().threads)
    for _, n in ipairs {0, -1, 257, 1.5, 2 ^ 40} do
      assert.equal("invalid_argument", select(2, pcall(nd.set_threads, n)).code)
    end
    assert.equal(1, core.stats().threads)
  end)

  it("give the same bytes, however many", function()
    local seed = rng(1e6)
    nd.set_threads(1)
    local alone = copies(seed)
    for _, n in ipairs {2, 3, 7, 256} do
      nd.set_threads(n)
      for name, array in pairs(copies(seed)) do
        assert.is_true(array:bitcast "u8":equal(alone[name]:bitcast "u8"), name .. " on " .. n)
      end
    end
  end)

  -- Rows are cut; equal indices, so that the order within each place shows.
  it("write rows by an index as one does, however many", function()
    local seed = rng(1e6)
    local index = nd.randint(1, 40, {500}, "i64", {seed = seed})
    local values = nd.random({500, 1201}, "f32", {seed = seed})
    local blocks = nd.random({500, 5, 300}, "f32", {seed = seed})
    local function written()
      local cut = nd.zeros({40, 7, 302}, "f32")":, 2:6, 2:301" -- of rows that do not run on
      return {
        put = nd.zeros({40, 1201}, "f32"):put(index, values),
        added = nd.zeros({40, 1201}, "f32"):index_add(1, index, values),
        columns = nd.zeros({1201, 40}, "f32"):index_add(2, index, values.T),
        converted = nd.zeros({40, 1201}, "i16"):put(index, values * 1000),
        one = nd.zeros({40, 1201}, "f32"):put(index, values"1"),
        cut = (cut:put(index, blocks)), cut_added = cut:clone():index_add(1, index, blocks),
      }
    end
    nd.set_threads(1)
    local alone = written()
    local last = {}
    for k = 1, 500 do last[tonumber(index[k])] = k end
    for at, k in pairs(last) do
      assert.is_true(alone.put[at]:equal(values[k]) and alone.cut[at]:equal(blocks[k]))
    end
    for _, n in ipairs {2, 3, 7, 256} do
      nd.set_threads(n)
      for name, array in pairs(written()) do assert.is_true(array:equal(alone[name]), name) end
    end
  end)

  it("are one in a forked child, which does not wait for the others", function()
    local status, out, err = H.luajit(nil, [[
      local ffi, nd = require "ffi", require "ndbuf"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      nd.set_threads(4)
      local a = nd.ones({4096, 1024}, "f32")
      local b, lines = a.T:clone(), nd.fft.fft(a)
      local pid = ffi.C.fork()
      if pid == 0 then
        local c = a.T:clone()
        local is_same = c:equal(b) and nd.fft.fft(a):equal(lines)
        ffi.C._exit(is_same and nd.info().threads == 1 and 7 or 1)
      end
      local status = ffi.new "int[1]"
      ffi.C.waitpid(pid, status, 0)
      print(status[0], nd.info().threads)]])
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal(("%d\t%d\n"):format(7 * 256, 4), out)
  end)

  it("are not needed: with room for few of their stacks few do the work", function()
    if H.is_sanitized then return pending "a sanitizer's own memory is without limit" end
    local program = [[
      local ffi, nd = require "ffi", require "ndbuf"
      ffi.cdef "int setrlimit(int, const uint64_t *);"
      nd.set_threads(1) -- none is made before the limit
      local a = nd.ones({2 ^ 20}, "f64")
      a:sum()
      collectgarbage() -- what is given back later would be room for one more
      collectgarbage "stop"
      local pages = io.open "/proc/self/statm":read "*n"
      local stacks = tonumber((...))
      if stacks then
        local most = pages * 4096 + (stacks + 0.9) * nd.MiB -- of address space
        assert(ffi.C.setrlimit(9, ffi.new("uint64_t[2]", most, most)) == 0)
      end
      nd.set_threads(4)
      local sum, max, text = a:sum(), a:max(), io.open "/proc/self/status":read "*a"
      print(sum, max, nd.info().threads, text:match "Threads:%s*(%d+)")]]
    for how, made in pairs {["0"] = 1, ["1"] = 2, all = 4} do
      local status, out, err = H.luajit(nil, program, how)
      assert.equal("", err)
      assert.equal(0, status)
      assert.equal(("1048576\t1\t4\t%d\n"):format(made), out)
    end
  end)

  -- The program's handlers run on its own threads; but a thread's own faults must reach ours.
  it("that help block all signals but those of their own faults", function()
    local status, out, err = H.luajit(nil, [[
      local nd, bit = require "ndbuf", require "bit"
      nd.set_threads(3)
      nd.ones({2 ^ 20}, "f64"):sum()
      for task in io.popen("ls /proc/$PPID/task"):lines() do
        local text
        repeat -- one that has not begun yet has no name of its own
          text = io.open("/proc/self/task/" .. task .. "/status"):read "*a"
        until text:find "Name:%s*ndbuf" or text:match "Pid:%s*(%d+)" == text:match "Tgid:%s*(%d+)"
        local low = tonumber(text:match "SigBlk:%s*%x*(%x%x%x%x%x%x%x%x)\n", 16)
        local function is_blocked(signal) return bit.band(bit.rshift(low, signal - 1), 1) end
        local own = 0
        for _, signal in ipairs {4, 5, 7, 8, 11, 31} do own = own + is_blocked(signal) end
        print(text:match "Name:%s*(%S+)", is_blocked(2) + is_blocked(14) + is_blocked(17), own)
      end]])
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal("luajit\t0\t0\nndbuf\t3\t0\nndbuf\t3\t0\n", out)
  end)

  it("that help notice that a mapped file shrank", function()
    local path = H.path "mapped"
    local status, out, err = H.luajit(nil, [[
      local ffi, nd = require "ffi", require "ndbuf"
      ffi.cdef "int truncate(const char *path, long length);"
      local path = ...
      nd.set_threads(2)
      local to, codes = nd.empty({2 ^ 21}, "u8"), {}
      for i = 1, 50 do
        local file = assert(io.open(path, "wb"))
        file:write(("x"):rep(2 ^ 21))
        file:close()
        local mapped = nd.mmap(path, "u8")
        assert(ffi.C.truncate(path, 2 ^ 20) == 0) -- helpers begin at the end
        local fine, e = pcall(to.copy_from, to, mapped)
        codes[i] = not fine and e.code
      end
      for i = 1, 50 do assert(codes[i] == "io", i) end
      print "noticed"]], path)
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal("noticed\n", out)
  end)

  it("that help end before a library that contains them is unloaded #cc", function()
    local library, source = H.path "used.so", H.write(H.path "used.c", [[
      #include "dev/threads.h"
      static bool nothing(void *context, size_t part, size_t parts, size_t thread) {
        return context == NULL && part < parts && thread < parts;
      }
      void share(void) { ndi_run_parts((ndi_split){8, 4}, nothing, NULL); }]])
    local sanitizers = H.is_sanitized and "-fsanitize=address,undefined" or ""
    local archive, cc = H.quote(H.build .. "/libndbuf.a"), os.getenv "CC" or "cc"
    local command = "env -u LD_PRELOAD %s -std=gnu11 -fPIC -shared -Isrc %s %s %s -o %s"
    local status, _, err = H.run(command:format(cc, sanitizers, source, archive, library))
    assert.equal(0, status, err)
    local out
    status, out, err = H.luajit(nil, [[
      local ffi = require "ffi"
      ffi.cdef "void share(void);"
      local function count()
        return io.open "/proc/self/status":read "*a":match "Threads:%s*(%d+)"
      end
      for _ = 1, 5 do
        local used = ffi.load(...)
        used.share()
        assert(count() == "4", count())
        used = nil
        collectgarbage()
        collectgarbage()
        while count() ~= "1" do end
        assert(not io.open "/proc/self/maps":read "*a":find((...), 1, true))
      end
      print "unloaded"]], library)
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal("unloaded\n", out)
  end)

  it("take their number from the environment", function()
    local program = [[
      local ffi = require "ffi"
      ffi.cdef "int setenv(const char *, const char *, int);"
      ffi.C.setenv("NDBUF_THREADS", ..., 1)
      print(require "ndbuf".info().threads)]]
    local _, out = H.luajit(nil, program, "3")
    assert.equal("3\n", out)
    for _, value in ipairs {"0", "x", "2x", "257"} do
      local status, _, err = H.luajit(nil, program, value)
      assert.equal(1, status)
      assert.truthy(err:find('NDBUF_THREADS is "' .. value .. '"; it takes 1 to 256', 1, true), err)
    end
  end)
end)

describe("the cache of host memory", function()
  local function fresh(bytes) return nd.empty({bytes}, "u8"):allocate() end

  it("serves the next block of about the size, and is counted", function()
    local a = fresh(8 * nd.MiB)
    collectgarbage() -- else what others dropped is counted as well
    local address, live = a:address(), core.stats().live
    a:free()
    local stats = core.stats()
    assert.equal(live - 8 * nd.MiB, stats.live)
    if stats.cached == 0 then return pending "checkers of memory see blocks come and go" end
    assert.is_true(stats.cached >= 8 * nd.MiB)
    local b = fresh(7 * nd.MiB)
    assert.equal(address, b:address())
    assert.equal(live - nd.MiB, core.stats().live)
    b:free()
  end)

  it("never serves zeroed memory", function()
    for _ = 1, 5 do
      local a = fresh(4 * nd.MiB)
      a:fill(255)
      a:free()
      local b = nd.zeros({4 * nd.MiB}, "u8")
      assert.is_true(b:equal(nd.zeros({1}, "u8"):expand(4 * nd.MiB)))
      b:free()
    end
  end)

  it("is of 64 blocks at most", function()
    local many = {}
    for i = 1, 90 do many[i] = fresh((i % 3 + 1) * nd.MiB) end
    for i = 1, 90 do many[i]:free() end
    assert.is_true(core.stats().cached <= 64 * 3 * nd.MiB)
  end)

  it("is of 1 GiB, or a sixteenth of the memory, at most", function()
    local most = math.min(nd.GiB, nd.device("cpu").total_memory / 16)
    local many = {}
    for i = 1, 9 do many[i] = fresh(math.floor(most / 5)) end -- never touched
    for i = 1, 9 do many[i]:free() end
    assert.is_true(core.stats().cached <= most)
    fresh(most + nd.MiB):free()
    assert.is_true(core.stats().cached <= most)
  end)
end)
