-- What two dtypes are promoted to: all pairs, against NumPy where it has both, else by the manual.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

-- Significant bits of the floats, and of the integers with their sign apart.
local ORACLE = [[
import numpy as np
CODES = {'bool': '?', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8',
         'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8', 'c128': 'c16'}
NAMES = {np.dtype(code): name for name, code in CODES.items()}
BITS = {'f16': 11, 'bf16': 8, 'f8e4m3': 4, 'f8e5m2': 3, 'f32': 24, 'f64': 53,
        'i8': 8, 'u8': 8, 'i16': 16, 'u16': 16, 'i32': 32, 'u32': 32, 'i64': 64, 'u64': 64}
SMALL = ('bf16', 'f8e4m3', 'f8e5m2')

def beside_small(small, other):
    if other in ('bool', small):
        return small
    if other in ('c64', 'c128', 'f64', 'f32'):
        return other
    if other[0] in 'fb':
        return 'f32'
    if BITS[other] == 64:
        return 'none'
    return next(name for name in (small, 'f32', 'f64') if BITS[name] >= BITS[other])

def promoted(a, b):
    if a in SMALL:
        return beside_small(a, b)
    if b in SMALL:
        return beside_small(b, a)
    if {a, b} == {'i64', 'u64'} or ('f32' in (a, b) and {'i64', 'u64'} & {a, b}):
        return 'none'
    return NAMES[np.result_type(CODES[a], CODES[b])]

every = list(CODES) + list(SMALL)
for a in every:
    for b in every:
        print(a, b, promoted(a, b))
]]

describe("the promotion of dtypes", function()
  it("is NumPy's and the manual's, in arithmetic, where, and joins", function()
    local count = 0
    for x, y, wanted in H.python(ORACLE):gmatch "(%S+) (%S+) (%S+)" do
      local a, b = nd.ones(2, x), nd.ones(2, y)
      local call = {
        add = function() return nd.add(a, b) end,
        where = function() return nd.where(nd.bool {true, false}, a, b) end,
        concat = function() return nd.concat {a, b} end,
      }
      for name, fn in pairs(call) do
        local where = ("%s of %s and %s"):format(name, x, y)
        if wanted == "none" then
          assert.truthy(H.raises("type_mismatch", fn).message:find "astype", where)
        else
          assert.equal(wanted, fn().dtype, where)
        end
      end
      count = count + 1
    end
    assert.equal((#common.NAMES) ^ 2, count)
  end)

  it("to bf16 and f16 keeps every integer of 8 bits", function()
    for _, dtype in ipairs {"i8", "u8"} do
      local every = nd.arange(dtype == "i8" and -128 or 0, dtype == "i8" and 127 or 255, 1, dtype)
      for _, float in ipairs {"bf16", "f16"} do
        local sum = every + nd.zeros({256}, float)
        assert.equal(float, sum.dtype)
        assert.is_true(sum:astype "f64":equal(every:astype "f64"))
      end
    end
  end)
end)
