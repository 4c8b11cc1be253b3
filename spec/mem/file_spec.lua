-- Mapped files: modes, offsets, shapes, what is refused, and files that shrink under their mapping.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"

ffi.cdef [[
  int truncate(const char *path, long length);
  unsigned getuid(void);
]]

local function truncate(path, bytes) assert(ffi.C.truncate(path, bytes) == 0) end

-- A file of the f32 numbers 1 to n.
local function numbers(n)
  local path = H.path "numbers.bin"
  return H.write(path, nd.arange(1, n, 1, "f32"):copyout())
end

-- Run a script in a process of its own: one that dies is a failure. What it prints.
local function child(script, ...)
  local flags = jit.status() and "" or "-joff"
  local status, out, err = H.luajit(flags, 'local nd = require "ndbuf"\n' .. script, ...)
  assert(status == 0, ("status %d:\n%s%s"):format(status, out, err))
  return out
end

describe("nd.mmap", function()
  it("views a file as NumPy wrote it", function()
    local path = H.path "numpy.bin"
    H.python([[
import sys, numpy as np
np.arange(24, dtype='<i4').reshape(2, 3, 4).tofile(sys.argv[1])]] .. "\n", path)
    local a = nd.mmap(path, "i32", {2, 3, 4})
    assert.are.same({2, 3, 4}, a.shape)
    assert.are.equal(23, a(2, 3, 4))
    assert.are.equal(5, a(1, 2, 2))
    assert.are.equal("disk:" .. path, a.device)
    assert.is_true(a.readonly and a.is_allocated)
  end)

  it("takes all that is there when the shape is left out", function()
    local path = numbers(10)
    assert.are.same({10}, nd.mmap(path, "f32").shape)
    assert.are.same({40}, nd.mmap(path).shape)
    assert.are.same({8}, nd.mmap(path, "f32", {offset = 8}).shape)
    assert.are.same({8}, nd.mmap(path, "f32", nil, {offset = 8}).shape)
    assert.are.same({32}, nd.mmap(path, nil, nil, {offset = 8}).shape)
    assert.are.same({2, 4}, nd.mmap(path, nil, {2, 4}).shape)
    assert.are.same({0}, nd.mmap(path, "f32", {offset = 40}).shape)
    H.raises_like("size_mismatch", "39.*f32.*4", nd.mmap, path, "f32", {offset = 1})
    H.raises("out_of_bounds", nd.mmap, path, "f32", {offset = 44})
  end)

  it("starts anywhere, aligned or not, also past a page", function()
    local path = H.path "odd.bin"
    H.write(path, ("\0"):rep(4099) .. nd.array({1, 2, 3}, "f64"):copyout())
    local a = nd.mmap(path, "f64", {3}, {offset = 4099})
    assert.are.same({1, 2, 3}, a:totable())
    assert.are.equal(2, a[2])
    H.raises("invalid_view", a.ptr, a)
    H.raises("out_of_bounds", nd.mmap, path, "f64", {3}, {offset = 4100})
    H.raises("out_of_bounds", nd.mmap, path, "u8", {1}, {offset = 2 ^ 62})
  end)

  it("reads only, writes through, or writes to itself alone", function()
    local path = numbers(4)
    local r, w = nd.mmap(path, "f32"), nd.mmap(path, "f32", {mode = "r+"})
    local c = nd.mmap(path, "f32", {mode = "c"})
    H.raises("read_only", function() r[1] = 9 end)
    H.raises("read_only", r.fill, r, 9)
    c[1] = 7
    assert.are.equal(1, r[1])
    w[2] = 9
    assert.are.equal(9, r[2])
    w:narrow(1, 3, 2):fill(5)
    assert.are.same({1, 9, 5, 5}, nd.frombytes(H.read(path), "f32"):totable())
    assert.are.equal(7, c[1])
    local out = H.python([[
import sys, numpy as np
print(np.fromfile(sys.argv[1], '<f4').tolist())]] .. "\n", path)
    assert.are.equal("[1.0, 9.0, 5.0, 5.0]\n", out)
  end)

  it("that is one of two mappings of a file knows that they overlap", function()
    local path = H.write(H.path "twice", ("\0"):rep(3000 * 8 + 24))
    local function map(first, n, mode)
      return nd.mmap(path, "f64", {n}, {offset = first * 8, mode = mode})
    end
    for _, mode in ipairs {"r+", "r"} do
      local a = map(0, 3000, "r+")
      a:copy_from(nd.arange(3000))
      a:copy_from(map(0, 3000, mode):flip())
      assert.is_true(a:equal(nd.arange(3000, 1, -1)), mode)
      a:narrow(1, 4, 2997):copy_from(map(1, 2999, mode):narrow(1, 1, 2997)) -- moves by 2
      assert.same({3000, 2999, 2998, 2999, 2998, 2997}, a:narrow(1, 1, 6):totable())
      assert.same({4, 3}, a:narrow(1, 2999, 2):totable())
      a[{{1, 3}}] = map(0, 3000, mode)["3:1:-1"]
      assert.same({2998, 2999, 3000, 2999}, a:narrow(1, 1, 4):totable())
    end
    local private, rest = map(0, 10, "c"), map(10, 10, "r+")
    private:copy_from(map(0, 10, "r"):flip())
    rest:copy_from(map(0, 10, "r+"):flip())
    assert.is_true(private:equal(rest))
  end)

  it("takes every advice, and no other", function()
    local path = numbers(4)
    for _, advice in ipairs {"normal", "sequential", "random", "willneed", "huge"} do
      assert.are.equal(4, nd.mmap(path, "f32", {advice = advice})[4])
    end
    H.raises_like("invalid_argument", "advice", nd.mmap, path, "f32", {advice = "fast"})
    H.raises_like("invalid_argument", "mode", nd.mmap, path, "f32", {mode = "w"})
  end)

  it("refuses what is no regular file, without waiting for it", function()
    local dir = H.dir()
    assert(os.execute("mkfifo " .. H.quote(dir .. "/fifo")) == 0)
    for _, path in ipairs {dir, dir .. "/fifo", "/dev/zero", "/dev/null"} do
      local e = H.raises("io", nd.mmap, path)
      assert.are.equal(path, e.path)
      H.raises("io", nd.mmap, path, "u8", {1}, {mode = "c"})
    end
    local e = H.raises_like("io", "No such file", nd.mmap, dir .. "/nothing")
    assert.are.equal(2, e.errno)
    H.raises_like("invalid_argument", "path", nd.mmap, "")
    H.raises_like("invalid_argument", "NUL byte", nd.mmap, dir .. "/x\0y")
  end)

  it("maps an empty file as no elements", function()
    local path = H.write(H.path "empty", "")
    assert.are.same({0}, nd.mmap(path, "f64").shape)
    assert.are.same({0, 3}, nd.mmap(path, "f64", {0, 3}).shape)
    assert.are.same({}, nd.mmap(path, "f64"):totable())
    H.raises("out_of_bounds", nd.mmap, path, "u8", {1})
  end)

  it("respects permissions", function()
    local path = numbers(4)
    assert(os.execute("chmod 444 " .. H.quote(path)) == 0)
    local out = child([[
      local ffi = require "ffi"
      ffi.cdef "int setuid(unsigned); unsigned getuid(void); int chmod(const char *, unsigned);"
      if ffi.C.getuid() == 0 then
        local dir = arg[1]:match "^(.*)/"
        ffi.C.chmod(dir, 493)
        assert(ffi.C.setuid(65534) == 0)
      end
      print(nd.mmap(arg[1], "f32")[4], nd.mmap(arg[1], "f32", {mode = "c"})[4])
      local fine, e = pcall(nd.mmap, arg[1], "f32", {mode = "r+"})
      print(fine, e.code, e.message:find "ermission" ~= nil)
    ]], path)
    assert.are.equal("4\t4\nfalse\tio\ttrue\n", out)
  end)

  it("holds files of more than 4 GiB", function()
    local path = H.path "sparse.bin"
    local bytes = 5 * 2 ^ 30
    H.write(path, "")
    truncate(path, bytes)
    local w = nd.mmap(path, "u8", {mode = "r+"})
    assert.are.same({bytes}, w.shape)
    w[bytes] = 7
    w[2 ^ 32 + 1] = 9
    assert.are.equal(7, w[-1])
    assert.are.equal(9, nd.mmap(path, "u8", {1}, {offset = 2 ^ 32})[1])
    assert.are.equal(9, w[("%d:%d"):format(2 ^ 32, 2 ^ 32 + 2)][2])
    assert.are.same({0, 9, 0}, w:narrow(1, 2 ^ 32, 3):clone():totable())
    local rows = nd.mmap(path, "u8", {5, 2 ^ 30})
    assert.are.equal(9, rows(5, 1))
    assert.are.equal(7, rows(5, 2 ^ 30))
    assert.are.equal(7, rows:flip()(1, 1))
    assert.is_truthy(tostring(rows):find "5x1073741824")
    H.raises("index_out_of_range", function() return w[bytes + 1] end)
    w:free()
  end)

  it("outlives the file's name, and lets go of the mapping", function()
    local path = numbers(100000)
    local a = nd.mmap(path, "f32")
    local row = a:narrow(1, 100000, 1)
    os.remove(path)
    assert.are.equal(100000, row[1])
    assert.is_truthy(H.read "/proc/self/maps":find(path, 1, true))
    a:free()
    assert.is_falsy(H.read "/proc/self/maps":find(path, 1, true))
    H.raises("freed", function() return row[1] end)
    H.raises("freed", row.clone, row)
  end)
end)

describe("an array on disk:", function()
  it("makes the file, and refuses one that is there", function()
    local path = H.path "made.bin"
    local a = nd.full({2, 3}, 5, "i16", "disk:" .. path)
    a:set(2, 3, 6)
    assert.are.same({5, 5, 5, 5, 5, 6}, nd.frombytes(H.read(path), "i16"):totable())
    H.raises_like("io", "exists", nd.zeros, {2}, "i16", "disk:" .. path)
    nd.zeros({2}, "i16", {device = "disk:" .. path, overwrite = true})
    assert.are.equal(4, #H.read(path))
    H.raises("io", nd.zeros, {2}, "i16", "disk:/nowhere/at/all")
  end)

  it("may have the longest name, beside what killed processes left", function()
    local folder = H.dir()
    local path = folder .. "/" .. ("x"):rep(255)
    child([[
      local ffi = require "ffi"
      ffi.cdef "int getpid(void);"
      for i = 0, 9 do
        assert(io.open(("%s/.nd%x-%x"):format(arg[1], ffi.C.getpid(), i), "wb")):close()
      end
      nd.ones({4}, "u8", "disk:" .. arg[2])
      nd.save(arg[1] .. "/a.npy", nd.ones(4))
    ]], folder, path)
    assert.are.equal("\1\1\1\1", H.read(path))
    local _, count = H.run("ls -A " .. H.quote(folder) .. " | wc -l")
    assert.are.equal(12, tonumber(count))
  end)
end)

describe("a file on a full disk", function()
  it("raises io where its page has no room, and says so", function()
    local folder, script = H.dir(), H.write(H.path "full.lua", [[
      local nd = require "ndbuf"
      local a = nd.zeros({2 ^ 40}, "u8", "disk:" .. arg[1] .. "/sparse.bin") -- 1 TiB of nothing
      a[1], a[2 ^ 39], a[2 ^ 40] = 1, 2, 3
      assert(a[1] + a[2 ^ 39] + a[2 ^ 40] == 6)
      local function fill() for i = 1, 2 ^ 22, 4096 do a[i] = 1 end return a[1] end
      local fine, e = pcall(fill) -- a compiled loop ends first
      assert(not fine and e.code == "io" and e.path == arg[1] .. "/sparse.bin", tostring(e))
      assert(e.message:find "full" and not e.message:find "truncated", e.message)
      assert(not pcall(a.fill, a, 1))
      a:free()
      fine, e = pcall(nd.save, arg[1] .. "/a.npy", nd.zeros(2 ^ 20))
      assert(not fine and e.errno == 28, tostring(e))
      local ls = io.popen("ls -A " .. arg[1])
      assert(ls:read "*a" == "sparse.bin\n")
      print "done"
    ]])
    local paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path),
      H.quote(package.cpath))
    local mount = "mount -t tmpfs -o size=1m none " .. H.quote(folder)
    if H.run("unshare -rm sh -c " .. H.quote(mount)) ~= 0 then
      return pending("no small file system can be mounted here")
    end
    local command = ("%s && %s %s %s %s %s"):format(mount, paths, os.getenv "LUAJIT" or "luajit",
      jit.status() and "" or "-joff", script, H.quote(folder))
    local status, out, err = H.run("unshare -rm sh -c " .. H.quote(command))
    assert.are.equal("done\n", out, err)
    assert.are.equal(0, status)
  end)
end)

describe("a file that shrinks under its mapping", function()
  local body = [[
    local ffi = require "ffi"
    ffi.cdef "int truncate(const char *path, long length);"
    local path, n = os.tmpname(), 100000
    local function make(mode)
      local file = assert(io.open(path, "wb"))
      file:write(nd.ones({n}, "f32"):copyout())
      file:close()
      return nd.mmap(path, "f32", {mode = mode})
    end
    local function cut(bytes) assert(ffi.C.truncate(path, bytes or 0) == 0) end
    local function expect(fn, ...)
      local fine, e = pcall(fn, ...)
      assert(not fine and type(e) == "table" and e.code == "io" and e.path == path, tostring(e))
      assert(e.message:find "truncated" and e.where ~= "")
    end
    local function sum(a) local s = 0 for i = 1, n do s = s + a[i] end return s end
  ]]

  it("raises io at the next access, and everywhere from then on", function()
    child(body .. [[
      for _, mode in ipairs {"r", "r+", "c"} do
        local a = make(mode)
        local row = a:narrow(1, 50000, 10)
        assert(a[n] == 1)
        cut(8)
        local fine, e = pcall(function() return a[n] end)
        assert(fine and e == 0 or not fine and e.code == "io", tostring(e))
        expect(function() return a[n] end)
        expect(function() return a[1] end)
        expect(function() return row[1] end)
        expect(a.clone, a)
        expect(a.totable, row)
        expect(a.copyout, a)
        expect(nd.zeros(n).copy_from, nd.zeros(n), a)
        if mode ~= "r" then expect(function() a[1] = 1 end) expect(a.fill, a, 0) end
        assert(a.size == n and tostring(a):find "io")
      end
      os.remove(path)
    ]])
  end)

  it("raises io from what C does with it, when C is the first to see it", function()
    child(body .. [[
      local calls = {
        function(a) return a:clone() end, function(a) return a:astype "f64" end,
        function(a) return a:copyout() end, function(a) return a:totable() end,
        function(a) return nd.zeros(n, "f32"):copy_from(a) end,
        function(a) return a:equal(nd.ones(n, "f32")) end,
        function(a) return nd.concat({a, a}, 1) end, function(a) return a:flip():clone() end,
        function(a) return a:take({n, n}) end, function(a) return a:roll(3) end,
        function(a) return a:byteswap() end, function(a) return a[a:astype "bool"] end,
        function(a) return a[tostring(n)] end,
      }
      for i, call in ipairs(calls) do
        local a = make "r"
        cut(4096)
        local fine, e = pcall(call, a)
        assert(not fine and e.code == "io", i .. ": " .. tostring(e))
      end
      for i, write in ipairs {function(a) a:fill(2) end, function(a) a:copy_from(nd.ones(n)) end} do
        local a = make "r+"
        cut(4096)
        local fine, e = pcall(write, a)
        assert(not fine and e.code == "io", i .. ": " .. tostring(e))
      end
      os.remove(path)
    ]])
  end)

  it("lets a compiled loop finish on zeros, then raises io", function()
    child(body .. [[
      local a = make "r"
      local function loop(cut_at)
        local s = 0
        for i = 1, n do
          s = s + a[i]
          if i == cut_at then cut(0) end
        end
        return s
      end
      assert(loop(0) == n and loop(0) == n)
      local fine, e = pcall(loop, 2000)
      assert(fine and e < n or not fine and e.code == "io", tostring(e))
      expect(function() return a[1] end)
      a = make "r+"
      local function store(cut_at)
        for i = 1, n do
          a[i] = 2
          if i == cut_at then cut(0) end
        end
      end
      store(0) store(0)
      fine, e = pcall(store, 2000)
      assert(fine or e.code == "io", tostring(e))
      expect(function() a[1] = 1 end)
      expect(sum, a)
      os.remove(path)
    ]])
  end)

  it("keeps what still lies in the file", function()
    child(body .. [[
      local a = make "r"
      cut(n * 4 - 8192)
      local head = a:narrow(1, 1, 1000):clone()
      assert(head[1000] == 1)
      expect(function() sum(a) return a[1] end)
      local b = make "r"
      assert(sum(b) == n)
      os.remove(path)
    ]])
  end)

  it("leaves the signals of others to their handlers", function()
    local out = child(body .. [[
      ffi.cdef [=[
        typedef struct {
          void (*handler)(int);
          unsigned long mask[16];
          int flags;
          void *restorer;
        } action;
        int sigaction(int, const action *, action *);
        int raise(int);
      ]=]
      local seen = 0
      local handler = ffi.cast("void (*)(int)", function() seen = seen + 1 end)
      local ours = ffi.new "action"
      ours.handler = handler
      assert(ffi.C.sigaction(7, ours, nil) == 0)
      jit.off()
      local a = make "r" -- our handler goes in front of theirs
      cut(0)
      local fine, e = pcall(function() return a[n] end)
      assert(fine and e == 0 or not fine and e.code == "io", tostring(e))
      expect(function() return a[n] end)
      assert(seen == 0)
      ffi.C.raise(7)
      print(seen)
      os.remove(path)
    ]])
    assert.are.equal("1\n", out)
  end)

  it("dies of a SIGBUS that is nobody's", function()
    local status = H.luajit("-joff", 'local nd = require "ndbuf"\n' .. body .. [[
      ffi.cdef "void *mmap(void *, size_t, int, int, int, long); int open(const char *, int, ...);"
      local a = make "r"
      local fd = ffi.C.open(path, 0)
      local p = ffi.cast("volatile char *", ffi.C.mmap(nil, 4096, 1, 1, fd, 0))
      assert(a[1] == 1)
      cut(0)
      os.remove(path)
      print(p[0])
    ]])
    assert.are.equal(H.is_sanitized and 1 or 128 + 7, status)
  end)
end)

-- Where it is not compiled: a trace may finish on zeros, and the next access raises.
describe("the access that finds a file shrunk", function()
  local had_jit = jit.status()
  setup(function()
    jit.off()
    jit.flush()
  end)
  teardown(function() if had_jit then jit.on() end end)
  local accesses = {
    ["a[1]"] = function(a) return a[1] end,
    ["a(1)"] = function(a) return a(1) end,
    ["a:get(1)"] = function(a) return a:get(1) end,
    ["a[1] = v"] = function(a) a[1] = 5 end,
    ["a:set(1, v)"] = function(a) a:set(1, 5) end,
    -- these are left to C
    ["a[-1]"] = function(a) return a[-1] end,
    ["a:get(-1)"] = function(a) return a:get(-1) end,
    ["a(i, j, k)"] = function(a) return a:reshape(2, 2, 2048)(2, 1, 7) end,
    ["a[-1] = v"] = function(a) a[-1] = 5 end,
    ["a:set(i, j, k, v)"] = function(a) a:reshape(2, 2, 2048):set(2, 1, 7, 5) end,
    ["a:clone()"] = function(a) return a:clone() end,
  }
  for name, access in pairs(accesses) do
    it(name .. " raises itself", function()
      local path = H.path "shrunk.bin"
      H.write(path, ("x"):rep(8192))
      local a = nd.mmap(path, "u8", {mode = "r+"})
      H.write(path, "")
      H.raises("io", access, a)
      H.raises("io", access, a)
    end)
  end

  it("says when the file is gone as well", function()
    local path = H.path "gone.bin"
    H.write(path, ("x"):rep(8192))
    local a = nd.mmap(path, "u8", {mode = "r"})
    H.write(path, "")
    os.remove(path)
    local e = H.raises("io", function() return a[1] end)
    assert.truthy(tostring(e):find("the path no longer leads to that file", 1, true), tostring(e))
  end)
end)

describe("a maker on disk", function()
  it("leaves nothing behind when it fails", function()
    local path = H.path "huge.bin"
    H.raises("io", nd.zeros, {2 ^ 50}, "u8", "disk:" .. path)
    assert.is_nil(io.open(path))
    H.write(path, "kept")
    H.raises("io", nd.zeros, {2 ^ 50}, "u8", "disk:" .. path, {overwrite = true})
    assert.equal("kept", H.read(path))
    H.raises("io", nd.zeros, {4}, "u8", "disk:" .. path)
    assert.equal("kept", H.read(path))
  end)

  it("that overwrites leaves the mappings of the old file alone", function()
    local path = H.path "twice.bin"
    local old = nd.full({4}, 7, "u8", "disk:" .. path)
    local new = nd.zeros({2}, "u8", "disk:" .. path, {overwrite = true})
    assert.same({7, 7, 7, 7}, old:totable())
    assert.same({0, 0}, new:totable())
    assert.equal(2, nd.mmap(path).size)
  end)

  it("is what a:to gives, which is itself for its own place", function()
    local path = H.path "own.bin"
    local a = nd.full({4}, 7, "u8", "disk:" .. path)
    assert.equal(a, a:to(a.device))
    assert.equal(a, a:to(a.device, {overwrite = true}))
    assert.same({7, 7, 7, 7}, nd.mmap(path):totable())
  end)
end)
