-- A half-added operation or dtype does not build: each thing that may be forgotten is named, by the
-- compiler or by 'make lint'. In copies of src/, whose kernels are compiled, not run.
local H = require "spec.helper"

local CC = os.getenv "CC" or "cc"

-- For programs: sanitizers that are preloaded stay out of them.
local CLEAN = "env -u LD_PRELOAD -u ASAN_OPTIONS LC_ALL=C "

local function copy()
  local dir = H.dir()
  local command = "sh -c 'cp -r src %s && mkdir %s/tools && cp tools/kern*.lua %s/tools'"
  assert.equal(0, (H.run(CLEAN .. command:format(dir, dir, dir))))
  return dir
end

-- Replace 'old', which is there once.
local function edit(dir, path, old, new)
  local text = H.read(dir .. "/" .. path)
  local first, last = text:find(old, 1, true)
  assert.is_truthy(first, path .. " has no " .. old)
  assert.is_nil(text:find(old, last, true))
  H.write(dir .. "/" .. path, text:sub(1, first - 1) .. new .. text:sub(last + 1))
end

local function compile(dir, unit)
  local flags = "-std=c11 -D_GNU_SOURCE -Isrc -fopenmp-simd -fsyntax-only -Wall -Wextra "
    .. "-Werror=implicit-function-declaration"
  return H.run(("cd '%s' && %s %s %s src/%s 2>&1"):format(dir, CLEAN, CC, flags, unit))
end

local function make(dir, what)
  return H.run(("cd '%s' && " .. CLEAN .. "luajit tools/kern.lua %s 2>&1"):format(dir, what or ""))
end

local function refused(wanted, code, said)
  assert(code ~= 0, "it passed: " .. said)
  assert(said:find(wanted, 1, true), said)
end

local UNARY = "  X(CBRT, cbrt, 1, MATH, SAME)"
local REDUCTION = "  X(MIN, min, ORDERED, SAME, 1, FOLD)"

describe("a half-added operation", function()
  it("passes when it is whole", function()
    local dir = copy()
    assert.equal(0, (make(dir, "check")))
    for _, unit in ipairs {"kern/made/math.c", "kern/reduce.c", "base/op.c"} do
      local code, said = compile(dir, unit)
      assert(code == 0, said)
    end
  end)

  it("that is a row alone asks for make kern", function()
    local dir = copy()
    edit(dir, "src/base/op.h", UNARY, "  X(TRIAL, trial, 1, MATH, SAME) \\\n" .. UNARY)
    refused("make kern", compile(dir, "kern/reduce.c"))
    refused("make kern", make(dir, "check"))
    assert.equal(0, (make(dir)))
    refused("trial_f32", compile(dir, "kern/made/arith.c"))
  end)

  it("that is a row of a reduction alone asks for make kern, then for its body", function()
    local dir = copy()
    edit(dir, "src/base/op.h", REDUCTION,
         "  X(TRIAL, trial, ORDERED, SAME, 1, FOLD) \\\n" .. REDUCTION)
    refused("make kern", compile(dir, "kern/reduce.c"))
    assert.equal(0, (make(dir)))
    refused("trial_u8", compile(dir, "kern/reduce.c"))
  end)

  it("that has a row and a body, but was not made, asks for make kern", function()
    local dir = copy()
    local path = dir .. "/src/kern/math_float.inc"
    edit(dir, "src/base/op.h", UNARY, "  X(TRIAL, trial, 1, MATH, SAME) \\\n" .. UNARY)
    H.write(path, H.read(path) .. "\nstatic inline CT FN(trial_of)(CT a) { return a; }\n")
    refused("make kern", compile(dir, "kern/reduce.c"))
    refused("make kern", make(dir, "check"))
  end)

  it("that is a body alone has no row", function()
    local dir = copy()
    local path = dir .. "/src/kern/math_float.inc"
    H.write(path, H.read(path) .. "\nstatic inline T FN(trial_of)(T a) { return a; }\n")
    refused("base/op.h has no row trial", make(dir, "check"))
  end)

  it("that has a row and a body, but a wrong table, is not as make kern has it", function()
    local dir = copy()
    edit(dir, "src/kern/made/math.c", "[ND_F32] = sqrt_f32", "[ND_F32] = exp_f32")
    refused("src/kern/made/math.c:1:", make(dir, "check"))
  end)

  it("that has a row with a domain or a result that is none does not compile", function()
    local dir = copy()
    edit(dir, "src/base/op.h", UNARY, "  X(SQRT, sqrt, 1, MATHS, SAME)")
    refused("ND_DOMAIN_MATHS", compile(dir, "base/op.c"))
    refused("MATHS", make(dir, "check"))
  end)
end)

describe("a half-added dtype", function()
  it("that is a row alone asks for make kern, then for its conversions", function()
    local dir, row = copy(), "  X(F8E5M2, f8e5m2, uint8_t,"
    edit(dir, "src/base/dtype.h", row,
         '  X(F8E3M4, f8e3m4, uint8_t, 1, 1, FLOAT, "|V1") \\\n' .. row)
    refused("make kern", compile(dir, "kern/cast.c"))
    assert.equal(0, (make(dir)))
    refused("f8e3m4", compile(dir, "kern/cast.c"))
  end)
end)
