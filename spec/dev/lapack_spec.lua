-- LAPACK: which one is used, on how many threads, and what is refused. Most runs are with a stub
-- that is built here.
local H = require "spec.helper"

local function exists(name) return (pcall(require "ffi".load, name)) end

-- Build the stub as DIR/NAME, by compiler flags that say what it is; the path.
local function build(name, flags, dir)
  local path = (dir or H.dir()) .. "/" .. name
  local command = "env -u LD_PRELOAD %s -w -O1 -shared -fPIC %s spec/dev/lapack_stub.c -o %s"
  command = command:format(os.getenv "CC" or "cc", flags, H.quote(path))
  assert.equal(0, (H.run(command)))
  return path
end

local OPENBLAS = [[-DOPENBLAS='"SkylakeX"' -DPARALLEL=]]

-- What a script prints in a process of its own, where libraries are looked for in 'dir' first: the
-- BLAS is 'blas', liblapack what lies there. It begins with the module, and with the stub of 'dir'
-- that 'counts'.
local PROLOGUE = [[
local ffi = require "ffi"
local nd = require "ndbuf"
ffi.cdef "int stub_calls, stub_most_inside, stub_threads, stub_least_threads, stub_pause;"
local stub = ... ~= "none" and ffi.load((...))
local info = nd.info()
]]

local function run(blas, dir, counts, script)
  local variables = ("NDBUF_BLAS=%s LD_LIBRARY_PATH=%s"):format(H.quote(blas), H.quote(dir))
  local status, out, err = H.luajit_with(variables, PROLOGUE .. script, counts or "none")
  assert.equal("", err)
  assert.equal(0, status)
  return out
end

local SHOW = [[
  local fine, e = pcall(nd.solve, nd.array {{4}}, nd.array {8})
  io.write(info.lapack or "none", "|", tostring(info.missing.LAPACK), "|",
    fine and e[1] == 2 and "solved" or e.message)]]

-- A folder without a liblapack, or with a stub of it, and a BLAS by flags; what SHOW prints.
local function show(flags, lapack_flags)
  local dir = H.dir()
  if lapack_flags then build("liblapack.so.3", lapack_flags, dir)
  else H.write(dir .. "/liblapack.so.3", "no library") end
  local blas = build("blas.so", flags, dir)
  return run(blas, dir, nil, SHOW), blas
end

-- Calls of a batch by three of our threads: the most at a time, the library's threads, and those
-- that it has afterwards.
local BATCH = [[
  nd.set_threads(3)
  stub.stub_pause = 20
  local a = nd.arange(1, 2000):reshape(2000, 1, 1)
  assert(a:solve(a * 3):eq(3):all())
  assert(stub.stub_calls >= 2000)
  io.write(stub.stub_most_inside, " ", stub.stub_least_threads, " ", stub.stub_threads)]]

describe("LAPACK #cc", function()
  it("is that of the BLAS, with its version", function()
    local said, blas = show(OPENBLAS .. 1)
    assert.equal(("LAPACK 3.99.7 (%s)|nil|solved"):format(blas), said)
    local old, path = show [[-DOPENBLAS='"Prescott"' -DPARALLEL=1]]
    assert.equal(("LAPACK 3.99.7 (%s)|nil|solved"):format(path), old)
  end)

  it("is liblapack where the BLAS has none", function()
    assert.equal("LAPACK 3.99.7 (liblapack.so.3)|nil|solved",
      (show(OPENBLAS .. "1 -DNO_LAPACK", "")))
    assert.equal("LAPACK 3.99.7 (liblapack.so.3)|nil|solved", (show(OPENBLAS .. "1 -DHALF_LAPACK",
      "")))
  end)

  it("is refused where it is half there, with 64-bit integers, or none at all", function()
    local said = show(OPENBLAS .. "1 -DHALF_LAPACK")
    assert.truthy(said:find("^none|this needs LAPACK: .*undefined symbol: zgelsd_; it is in "
      .. "Debian's package libopenblas0%-pthread|solve: this needs LAPACK"), said)
    said = show(OPENBLAS .. "1 -DWIDE")
    assert.truthy(said:find "^none|.*64%-bit integers %(ILP64%); ndbuf needs a LAPACK with", said)
    said = show(OPENBLAS .. "1 -DNO_LAPACK")
    assert.truthy(said:find "undefined symbol: ilaver_", said)
    said = show(OPENBLAS .. "1 -DNO_LAPACK", "-DWIDE")
    assert.truthy(said:find "^none|.*undefined symbol: ilaver_", said)
    said = run("none", "/none", nil, SHOW)
    local why = "NDBUF_BLAS is none; a library, with LAPACK, is in Debian's package "
      .. "libopenblas0-pthread"
    assert.equal(("none|%s|solve: %s"):format(why, why), said)
    said = run("/none/libblas.so", "/none", nil, SHOW)
    assert.truthy(said:find "^none|this needs a BLAS: /none/libblas.so: cannot open", said)
  end)

  it("shares the matrices of a batch among our threads where that is safe", function()
    local dir = H.dir()
    local blas = build("blas.so", OPENBLAS .. 1, dir)
    local most, rest = run(blas, dir, blas, BATCH):match "^(%d) (.*)$"
    assert.equal("1 5", rest)
    assert.is_true(tonumber(most) >= 1 and tonumber(most) <= 3)
    blas = build("openmp.so", OPENBLAS .. 2, dir) -- of which one thread may be in it
    assert.equal("1 3 5", run(blas, dir, blas, BATCH))
  end)

  it("is called by one thread at a time where its BLAS is not known", function()
    local dir = H.dir()
    local blas = build("blas.so", OPENBLAS .. "1 -DNO_LAPACK", dir)
    local lapack = build("liblapack.so.3", OPENBLAS .. 1, dir)
    assert.equal("1 5 5", run(blas, dir, lapack, BATCH))
  end)

  it("goes on in a forked child", function()
    local dir = H.dir()
    local blas = build("blas.so", OPENBLAS .. 1, dir)
    assert.equal("solved child solved parent ", run(blas, dir, blas, [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      local function solve() return nd.solve({{4}}, {8})[1] == 2 and "solved " end
      io.stdout:setvbuf "no"
      assert(solve())
      local child = ffi.C.fork()
      if child == 0 then
        io.write(solve(), "child ")
        ffi.C._exit(0)
      end
      local status = ffi.new "int[1]"
      assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0)
      io.write(solve(), "parent ")]]))
  end)
end)

describe("the specs of factorisations #cc", function()
  local function run_again(blas)
    local words = {"env NDBUF_BLAS=" .. blas, ("NDBUF_SEED=%d"):format(H.seed),
      ("NDBUF_CASES=%g"):format(H.cases(1000) / 1000 * 0.2),
      ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath)),
      os.getenv "LUAJIT" or "luajit", jit.status() and "" or "-joff",
      "tools/busted.lua --helper=spec/helper.lua -o TAP spec/ops/factors_spec.lua"}
    local status, out, err = H.run(table.concat(words, " "))
    assert(status == 0, out .. err)
    assert.truthy(("\n" .. out):find "\nok ")
  end

  it("pass without a library", function() run_again "none" end)

  it("pass with liblapack", function()
    if not exists "libblas.so.3" or not exists "liblapack.so.3" then
      return pending "there is no libblas.so.3 and liblapack.so.3"
    end
    run_again "libblas.so.3"
  end)
end)
