-- The library of linear algebra: which one is used, for what, on how many threads, and what is
-- refused. Most runs are with a stub that is built here, which checks how it is called.
local H = require "spec.helper"

local function exists(name)
  return (pcall(require "ffi".load, name))
end

-- Build the stub as DIR/NAME, by compiler flags that say what it is; the path.
local function build(name, flags, dir)
  local path = (dir or H.dir()) .. "/" .. name
  local command = "env -u LD_PRELOAD %s -w -O1 -shared -fPIC %s spec/dev/blas_stub.c -o %s"
  command = command:format(os.getenv "CC" or "cc", flags, H.quote(path))
  assert.equal(0, (H.run(command)))
  return path
end

local OPENBLAS = [[-DOPENBLAS='"SkylakeX"' -DPARALLEL=]]
local stubs = {}
local function stub(flags)
  stubs[flags] = stubs[flags] or build("stub.so", flags)
  return stubs[flags]
end

-- What a script prints in a process of its own, to which the stub has been given by NDBUF_BLAS. It
-- begins with the module, the stub, and operands of whole numbers.
local PROLOGUE = [[
local ffi = require "ffi"
local nd = require "ndbuf"
ffi.cdef "int stub_calls, stub_most_inside, stub_threads, stub_least_threads, stub_pause;"
local stub = ... ~= "none" and ffi.load((...))
local function whole(shape, dtype, seed)
  local x = nd.randint(-3, 3, shape, "i64", {seed = seed})
  if dtype == "bool" then return x:gt(0) end
  local out = x:astype(dtype)
  if dtype:find "^c" then out.imag:copy_from((x * 5 + 1) % 4) end
  return out
end
-- Is the product that of small matrices, which no library computes?
local function check(a, b)
  local c = a:matmul(b)
  for i = 1, a:dim(1), 20 do
    for j = 1, b:dim(2), 20 do
      local row, column = a:narrow(1, i, 1), b:narrow(2, j, 1)
      assert(c:narrow(1, i, 1):narrow(2, j, 1):equal(row:matmul(column)))
    end
  end
  return c
end
]]

local function run(variables, script, path)
  local status, out, err = H.luajit_with(variables, PROLOGUE .. script, path or "none")
  assert.equal("", err)
  assert.equal(0, status)
  return out
end

local function run_stub(flags, script, variables)
  local path = stub(flags)
  return run(("NDBUF_BLAS=%s %s"):format(H.quote(path), variables or ""), script, path)
end

describe("a library of linear algebra #cc", function()
  it("multiplies large matrices of floats, in every form, and nothing else", function()
    local out = run_stub(OPENBLAS .. 1, [[
      for _, dtype in ipairs {"f32", "f64", "c64", "c128", "f16", "bf16"} do
        local a, b = whole({41, 60}, dtype, 1), whole({60, 50}, dtype, 2)
        local before = stub.stub_calls
        check(a, b)
        check(a.T:clone().T, b)
        check(a, b.T:clone().T)
        check(a.T:clone().T, b.T:clone().T)
        check(a"::-1", b":, ::-1")                       -- packed first
        check(nd.concat({a, a}, 2)":, :60", nd.concat({b, b}, 2)":, :50")
        check(a"1:1":expand(41, 60), b)
        local bytes = nd.zeros(a.nbytes + 1, "u8"):narrow(1, 2, a.nbytes)
        check(bytes:bitcast(dtype):reshape(41, 60):copy_from(a), b) -- computed here
        io.write(dtype, " ", stub.stub_calls - before, "\n")
      end
      local before = stub.stub_calls
      check(whole({32, 32}, "f32", 1), whole({32, 32}, "f32", 2))
      check(whole({100, 100}, "i32", 1), whole({100, 100}, "i32", 2))
      check(whole({100, 100}, "bool", 1), whole({100, 100}, "bool", 2))
      whole({1000, 1000}, "f32", 1):matmul(whole({1000}, "f32", 2))
      whole({500, 8, 8}, "f32", 1):matmul(whole({500, 8, 8}, "f32", 2))
      io.write(stub.stub_calls - before, "\n")]], "NDBUF_THREADS=1")
    assert.equal("f32 7\nf64 7\nc64 7\nc128 7\nf16 8\nbf16 8\n0\n", out)
  end)

  it("gets matrices one by one, or as one where they lie side by side", function()
    local out = run_stub(OPENBLAS .. 1, [[
      local a, b = whole({6, 40, 50}, "f64", 1), whole({50, 60}, "f64", 2)
      local c = a:matmul(b)
      io.write(stub.stub_calls, " ")
      for i = 1, 6 do assert(check(a[i], b):equal(c[i])) end
      stub.stub_calls = 0
      c = b.T:matmul(a:permute(1, 3, 2))
      io.write(stub.stub_calls, " ")
      for i = 1, 6 do assert(check(b.T, a[i].T):equal(c[i])) end]], "NDBUF_THREADS=1")
    assert.equal("1 6 ", out)
  end)

  it("works on a thread for each of ours, and has its own threads back afterwards", function()
    local script = [[
      stub.stub_pause = 20000
      nd.set_threads(%d)
      check(whole({200, 200}, "f64", 1), whole({200, 200}, "f64", 2))
      io.write(stub.stub_most_inside, " ", stub.stub_least_threads, " ", stub.stub_threads, "\n")]]
    assert.equal("1 1 5\n", run_stub(OPENBLAS .. 1, script:format(1)))
    local most, least, after = run_stub(OPENBLAS .. 1, script:format(3)):match "(%d) (%d) (%d)"
    assert.is_true(tonumber(most) >= 1 and tonumber(most) <= 3)
    assert.same({"1", "5"}, {least, after})
    assert.equal("1 5\n", run_stub("-DMKL", script:format(3)):sub(3))
  end)

  it("has as many threads as nd.set_threads says where one thread at a time may call it", function()
    for _, flags in ipairs {OPENBLAS .. 0, OPENBLAS .. 2} do
      assert.equal("1 3 5\n", run_stub(flags, [[
        stub.stub_pause = 20000
        nd.set_threads(3)
        check(whole({200, 200}, "f64", 1), whole({200, 200}, "f64", 2))
        io.write(stub.stub_most_inside, " ", stub.stub_least_threads, " ", stub.stub_threads)
        print()]]))
    end
    assert.equal("1\n", run_stub("-DOTHER", [[
      nd.set_threads(3)
      check(whole({200, 200}, "f64", 1), whole({200, 200}, "f64", 2))
      io.write(stub.stub_most_inside, "\n")]]))
  end)

  it("is shared by the Lua states of a process, and opened once", function()
    assert.equal("2 5\n", run_stub(OPENBLAS .. 1, [[
      ffi.cdef "void *luaL_newstate(void); void luaL_openlibs(void *); void lua_close(void *);\
        int luaL_loadstring(void *, const char *); int lua_pcall(void *, int, int, int);"
      nd.set_threads(1)
      check(whole({40, 50}, "f64", 1), whole({50, 40}, "f64", 2))
      local L = ffi.C.luaL_newstate()
      ffi.C.luaL_openlibs(L)
      local setup = ("package.path, package.cpath = %q, %q;"):format(package.path, package.cpath)
      local product = "local nd = require 'ndbuf'; nd.ones{40, 50}:matmul(nd.ones{50, 40})"
      assert(ffi.C.luaL_loadstring(L, setup .. product) == 0)
      assert(ffi.C.lua_pcall(L, 0, 0, 0) == 0)
      ffi.C.lua_close(L)
      io.write(stub.stub_calls, " ", stub.stub_threads, "\n")]]))
  end)

  it("is not given distances of more than 32 bits", function()
    local out = run_stub(OPENBLAS .. 1, ([[
      local path = %q
      local wide = nd.empty({40, 2^31 + 8}, "f32", "disk:" .. path):narrow(2, 5, 40)
      local a = whole({40, 40}, "f32", 1)
      wide:copy_from(a)
      assert(wide:matmul(a):equal(a:matmul(a)))
      io.write(stub.stub_calls, "\n")]]):format(H.path "wide"))
    assert.equal("1\n", out)
  end)

  it("goes on in a forked child", function()
    local names = {stub(OPENBLAS .. 1)}
    if exists "libopenblas.so.0" then names[2] = "libopenblas.so.0" end
    for _, name in ipairs(names) do
      assert.equal("child parent ", run("NDBUF_BLAS=" .. H.quote(name), [[
        ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
        local a, b = whole({150, 150}, "f64", 1), whole({150, 150}, "f64", 2)
        local c = check(a, b)
        io.stdout:setvbuf "no"
        local child = ffi.C.fork()
        assert(check(a, b):equal(c))
        if child == 0 then
          io.write "child "
          ffi.C._exit(0)
        end
        local status = ffi.new "int[1]"
        assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0)
        io.write "parent "]]))
    end
  end)
end)

-- ---- which one ----

local SHOW = [[
  local info = nd.info()
  check(whole({41, 60}, "f64", 1), whole({60, 50}, "f64", 2))
  io.write(info.blas, "|", tostring(info.missing.BLAS))
  assert(tostring(info):find("products of matrices by " .. info.blas, 1, true))]]

local function show(variables) return run(variables, SHOW) end

-- A folder in which the libraries of these names are stubs; the others are none.
local function folder(libraries)
  local dir = H.dir()
  for _, name in ipairs {"libopenblas.so.0", "libmkl_rt.so", "libblas.so.3"} do
    if libraries[name] then build(name, libraries[name], dir)
    else H.write(dir .. "/" .. name, "no library") end
  end
  return "LD_LIBRARY_PATH=" .. H.quote(dir)
end

describe("the library of linear algebra #cc", function()
  it("is the one that NDBUF_BLAS names, whatever it is", function()
    local path = stub(OPENBLAS .. 1)
    assert.equal(("OpenBLAS 9.8.7 (%s) for SkylakeX|nil"):format(path),
      show("NDBUF_BLAS=" .. H.quote(path)))
    path = stub [[-DOPENBLAS='"Prescott"' -DPARALLEL=1]]
    local said = show("NDBUF_BLAS=" .. H.quote(path))
    assert.truthy(said:find "^OpenBLAS 9.8.7 .*Prescott|nil$")
    path = stub "-DOTHER"
    assert.equal(("BLAS (%s)|nil"):format(path), show("NDBUF_BLAS=" .. H.quote(path)))
  end)

  it("is none where NDBUF_BLAS says so", function()
    assert.equal("ndbuf|NDBUF_BLAS is none; a library, with LAPACK, is in Debian's package "
      .. "libopenblas0-pthread", show "NDBUF_BLAS=none")
  end)

  it("is the first that is found: OpenBLAS, MKL, any", function()
    local all = {["libopenblas.so.0"] = OPENBLAS .. 1, ["libmkl_rt.so"] = "-DMKL",
      ["libblas.so.3"] = "-DOTHER"}
    assert.truthy(show(folder(all)):find "^OpenBLAS 9.8.7 %(libopenblas.so.0%) for")
    all["libopenblas.so.0"] = nil
    assert.equal("MKL (libmkl_rt.so)|nil", show(folder(all)))
    all["libmkl_rt.so"] = nil
    -- nothing is known of its speed: it is there for other things
    local other = show(folder(all))
    assert.truthy(other:find "^ndbuf; there is BLAS %(libblas.so.3%), which may be .*|nil$")
    assert.truthy(show(folder {}):find "^ndbuf|this needs OpenBLAS: .*libopenblas0%-pthread$")
  end)

  it("leaves products to ndbuf where it takes the processor for an old one", function()
    local old = folder {["libopenblas.so.0"] = [[-DOPENBLAS='"Prescott"' -DPARALLEL=1]]}
    local flags = io.open "/proc/cpuinfo"
    local has_avx2 = flags and flags:read "*a":find "avx2"
    local wanted = has_avx2
      and "^ndbuf; there is OpenBLAS .* is slower, as it takes .* Prescott|nil$" or "^OpenBLAS"
    assert.truthy(show(old):find(wanted))
  end)

  it("is refused where it is half there, with 64-bit integers, or none at all", function()
    local path = stub(OPENBLAS .. "1 -DHALF")
    local said = show("NDBUF_BLAS=" .. H.quote(path))
    assert.truthy(said:find "^ndbuf|this needs a BLAS: .*undefined symbol: cblas_zgemm")
    path = stub(OPENBLAS .. "1 -DILP64")
    said = show("NDBUF_BLAS=" .. H.quote(path))
    assert.truthy(said:find("^ndbuf|.*has 64%-bit integers %(ILP64%)"), said)
    path = stub(OPENBLAS .. "1 -DWRONG")
    said = show("NDBUF_BLAS=" .. H.quote(path))
    assert.truthy(said:find "is no BLAS: 1 %* 3 %+ 2 %* 4 is 12 by cblas_ddot", said)
    said = show "NDBUF_BLAS=/none/libblas.so"
    assert.truthy(said:find "^ndbuf|this needs a BLAS: /none/libblas.so: cannot open", said)
    -- one that is there but refused is named before those that are missing
    said = show(folder {["libmkl_rt.so"] = "-DMKL -DILP64"})
    assert.truthy(said:find "^ndbuf|libmkl_rt.so has 64%-bit integers", said)
  end)
end)

-- ---- the specs of products once more ----

describe("the specs of products #cc", function()
  local function run_again(variables)
    H.run_specs(variables, "spec/ops/products_spec.lua", "spec/ops/norms_spec.lua")
  end

  it("pass without a library", function() run_again "NDBUF_BLAS=none" end)

  it("pass with one that checks what it gets", function()
    run_again("NDBUF_BLAS=" .. H.quote(stub(OPENBLAS .. 1)))
  end)

  it("pass with OpenBLAS", function()
    if not exists "libopenblas.so.0" then return pending "there is no libopenblas.so.0" end
    run_again "NDBUF_BLAS=libopenblas.so.0"
  end)
end)
