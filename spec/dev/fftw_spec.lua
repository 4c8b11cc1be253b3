-- The library of Fourier transforms: which one is used, how it is called, and what is refused. Most
-- runs are with a stub that is built here, which checks how it is called.
local H = require "spec.helper"

local function exists(name)
  return (pcall(require "ffi".load, name))
end

-- Build the stub as DIR/NAME, by compiler flags that say what it is; the path.
local function build(name, flags, dir)
  local path = (dir or H.dir()) .. "/" .. name
  local command = "env -u LD_PRELOAD %s -w -O1 -shared -fPIC %s spec/dev/fftw_stub.c -o %s -lm"
  command = command:format(os.getenv "CC" or "cc", flags, H.quote(path))
  assert.equal(0, (H.run(command)))
  return path
end

local stubs = {}
local function stub(flags)
  stubs[flags] = stubs[flags] or build("stub.so", flags)
  return stubs[flags]
end

local BOTH = "-DWIDE -DNARROW"

local PROLOGUE = [[
local ffi = require "ffi"
local nd = require "ndbuf"
ffi.cdef "int stub_plans, stub_made, stub_calls, stub_most_inside, stub_pause;"
local stub = ... ~= "none" and ffi.load((...))
local NAMES = {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft"}
local function random(name, shape, dtype)
  local a = nd.normal(shape, dtype, {seed = 1})
  if name:find "^ir" or name:find "^h" or name:find "^i?fft" then
    local z = nd.zeros(shape, dtype == "f32" and "c64" or "c128")
    z.real:copy_from(a)
    z.imag:copy_from(a:flip(1))
    return z
  end
  return a
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
  return run(("NDBUF_FFTW=%s %s"):format(H.quote(path), variables or ""), script, path)
end

describe("a library of Fourier transforms #cc", function()
  it("transforms lines of both precisions, aligned ones where they lie, and gives plans back",
    function()
      local out = run_stub(BOTH, [[
        nd.info() -- opens it, which tries it
        for _, dtype in ipairs {"f64", "f32"} do
          for _, name in ipairs(NAMES) do
            local a = random(name, {6, 8}, dtype)
            local before = stub.stub_calls
            local all = nd.fft[name](a)
            assert(stub.stub_calls - before == 6)
            for i = 1, 6 do assert(nd.fft[name](a[i]):equal(all[i])) end
            for axis = 1, 2 do
              local b = axis == 1 and a.T:clone() or a
              assert(nd.fft[name](b, nil, axis):equal(axis == 1 and all.T or all))
            end
            local odd = nd.fft[name](a, 7)
            assert(nd.fft[name](a"::-1", 7):equal(odd"::-1"))
            -- lines of which some are aligned, and the others not
            local b = random(name, {2, 25}, dtype):narrow(2, 1, 24):reshape(2, 3, 8)
            assert(nd.fft[name](b):equal(nd.fft[name](b:clone())))
          end
        end
        io.write(stub.stub_plans, " ", stub.stub_made - stub.stub_plans, "\n")]])
      -- 2 of each of 2 forms and 2 directions and 2 precisions; 2 that were only tried
      assert.equal("16 2\n", out)
    end)

  it("is called by as many threads as there are, and plans for one at a time", function()
    local out = run_stub(BOTH, [[
      nd.set_threads(3)
      stub.stub_pause = 300
      local a = random("fft", {4000, 32}, "f64")
      local one = nd.fft.fft(a)
      assert(stub.stub_most_inside <= 3)
      nd.set_threads(1)
      stub.stub_pause = 0
      assert(nd.fft.fft(a):equal(one))
      print(stub.stub_calls)]])
    assert.equal("8001\n", out) -- and that of the check
  end)

  it("keeps 32 plans at most, and none at the end", function()
    local path = stub(BOTH)
    local out = run("NDBUF_FFTW=" .. H.quote(path), [[
      for n = 1, 60 do nd.fft.fft(nd.ones(n)) end
      io.write(stub.stub_plans, " ")
      local made = stub.stub_made
      for n = 60, 40, -1 do nd.fft.fft(nd.ones(n)) end
      io.write(stub.stub_made - made, "\n")]], path)
    assert.equal("32 0\n", out)
  end)

  it("is not needed for a plan that it does not have", function()
    assert.equal("0\n", run_stub(BOTH .. " -DPLANLESS", [[
      local x = nd.array {1, 2, 3}
      assert((nd.fft.irfft(nd.fft.rfft(x), 3) - x):abs():max() < 1e-15)
      print(stub.stub_plans)]]))
  end)
end)

-- ---- which one ----

local SHOW = [[
  local info = nd.info()
  for _, dtype in ipairs {"f64", "f32"} do
    local x = nd.normal({12}, dtype)
    assert((nd.fft.irfft(nd.fft.rfft(x)) - x):abs():max() < 1e-5)
  end
  io.write(info.fft, "|", tostring(info.missing.FFTW))
  assert(tostring(info):find("Fourier transforms by " .. info.fft, 1, true))]]

local function show(variables) return run(variables, SHOW) end

-- A folder in which the libraries of these names are stubs; the others are none.
local function folder(libraries)
  local dir = H.dir()
  for _, name in ipairs {"libfftw3.so.3", "libfftw3f.so.3"} do
    if libraries[name] then build(name, libraries[name], dir)
    else H.write(dir .. "/" .. name, "no library") end
  end
  return "LD_LIBRARY_PATH=" .. H.quote(dir)
end

describe("the library of Fourier transforms #cc", function()
  it("is the one that NDBUF_FFTW names, or the two", function()
    local both, wide, narrow = stub(BOTH), stub "-DWIDE", stub "-DNARROW"
    assert.equal(("FFTW 9.8.7 (%s) and FFTW (%s)|nil"):format(both, both),
      show("NDBUF_FFTW=" .. H.quote(both)))
    local wanted = ("FFTW 9.8.7 (%s) and FFTW (%s)|nil"):format(wide, narrow)
    assert.equal(wanted, show("NDBUF_FFTW=" .. H.quote(wide .. ":" .. narrow)))
    assert.equal(wanted, show("NDBUF_FFTW=" .. H.quote(narrow .. ":" .. wide)))
  end)

  it("is none where NDBUF_FFTW says so, or nothing", function()
    assert.equal("ndbuf|NDBUF_FFTW is none", show "NDBUF_FFTW=none")
    assert.equal("ndbuf|NDBUF_FFTW is none", show "NDBUF_FFTW=")
  end)

  it("is FFTW where it is, for either precision", function()
    local all = {["libfftw3.so.3"] = "-DWIDE", ["libfftw3f.so.3"] = "-DNARROW"}
    assert.equal("FFTW 9.8.7 (libfftw3.so.3) and FFTW (libfftw3f.so.3)|nil", show(folder(all)))
    all["libfftw3f.so.3"] = nil
    local said = show(folder(all))
    assert(said:find "^FFTW 9.8.7 %(libfftw3.so.3%) in f64, ndbuf in f32|this needs FFTW: .*"
      and said:find "libfftw3%-single3$", said)
    all = {["libfftw3f.so.3"] = "-DNARROW"}
    said = show(folder(all))
    assert(said:find "^FFTW %(libfftw3f.so.3%) in f32, ndbuf in f64|this needs FFTW: .*"
      and said:find "libfftw3%-double3$", said)
    said = show(folder {})
    assert(said:find "^ndbuf|this needs FFTW: .*libfftw3%-double3$", said)
  end)

  it("is refused where it is half there, wrong, or none at all", function()
    local path = stub "-DWIDE -DHALF"
    local said = show("NDBUF_FFTW=" .. H.quote(path))
    assert(said:find "^ndbuf|this needs FFTW: .*undefined symbol: fftw_execute_dft_c2r", said)
    path = stub(BOTH .. " -DWRONG")
    said = show("NDBUF_FFTW=" .. H.quote(path))
    assert(said:find "is no FFTW: the transform of 1, 2 is not 3, %-1$", said)
    said = show "NDBUF_FFTW=/none/libfftw3.so"
    assert(said:find "^ndbuf|this needs FFTW: /none/libfftw3.so: cannot open", said)
  end)
end)

-- ---- the specs of transforms once more ----

describe("a library of Fourier transforms beside another #cc", function()
  it("calls its own functions, not those that the other lends to all", function()
    if H.is_sanitized then return pending "the sanitizer does not let libraries call their own" end
    local other = build("other.so", BOTH .. " -DWRONG")
    assert.equal("3 -1 3 -1 FFTW 9.8.7", run("NDBUF_FFTW=" .. H.quote(stub(BOTH)), [[
      ffi.load((...), true)
      for _, dtype in ipairs {"f64", "f32"} do
        local z = nd.fft.fft(nd.array({1, 2}, dtype)).real
        io.write(("%g %g "):format(z[1], z[2]))
      end
      io.write(nd.info().fft:match "^%S+ %S+")]], other))
  end)
end)

describe("the specs of transforms #cc", function()
  local function run_again(variables)
    H.run_specs(variables, "spec/ops/fft_spec.lua", "spec/ops/convolve_spec.lua")
  end

  it("pass without a library", function() run_again "NDBUF_FFTW=none" end)

  it("pass with FFTW", function()
    if not exists "libfftw3.so.3" then return pending "there is no libfftw3.so.3" end
    if not exists "libfftw3f.so.3" then return pending "there is no libfftw3f.so.3" end
    run_again "NDBUF_FFTW=libfftw3.so.3:libfftw3f.so.3"
  end)
end)
