-- What is stored and what is read back: assignment, elements of every dtype.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES, grid = common.NAMES, common.grid
local i64, u64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"

describe("assignment", function()
  it("takes a number, a table or an array, broadcast and converted", function()
    local a = nd.zeros({2, 3}, "i32")
    a[1] = 7
    assert.same({{7, 7, 7}, {0, 0, 0}}, a:totable())
    a[2] = {1, 2, 3}
    assert.same({1, 2, 3}, a[2]:totable())
    a[":"] = {{1}, {2}}
    assert.same({{1, 1, 1}, {2, 2, 2}}, a:totable())
    a["..."] = nd.array {4.9, -5.9, 6}
    assert.same({{4, -5, 6}, {4, -5, 6}}, a:totable())
    a[{{}, 1}] = {8, 9}
    assert.same({{8, -5, 6}, {9, -5, 6}}, a:totable())
    a[{1, 3}] = 0
    assert.equal(0, a(1, 3))
    a["_, 2"] = {{{1, 1, 1}}}
    assert.same({1, 1, 1}, a[2]:totable())
    a["2, 2:3"] = nd.array({5}, "u8")
    assert.same({1, 5, 5}, a[2]:totable())
    a["1, 1"] = nd.i64(3)
    a["1, 2"] = {4}
    assert.same({3, 4, 0}, a[1]:totable())
  end)

  it("takes booleans and cdata", function()
    local a = nd.zeros(4, "i64")
    a[1] = true
    a[2] = i64(2) ^ 53 + 1
    a[3] = u64(-1)
    a[4] = -1
    assert.same({"1", "9007199254740993LL", "9223372036854775807LL", "-1"},
      {tostring(a[1]), tostring(a[2]), tostring(a[3]), tostring(a[4])})
    local c = nd.zeros(2, "c128")
    c[1] = ffi.new("complex", 1, 2)
    c[2] = ffi.new("complex float", 3, -4)
    assert.same({1, 2, 3, -4}, {c[1].re, c[1].im, c[2].re, c[2].im})
    H.raises("type_mismatch", function() nd.zeros(1)[1] = ffi.new("complex", 1, 2) end)
    for _, ctype in ipairs {"float[2]", "double[2]", "float __attribute__((vector_size(8)))"} do
      local x = ffi.new(ctype) -- which ffi.istype takes for complex numbers
      H.raises("type_mismatch", function() c[1] = x end)
      H.raises("type_mismatch", function() return c[x] end)
    end
  end)

  it("of the wrong shape, type or to a read-only array is refused; nothing changes", function()
    local a = grid(2, 3)
    local before = a:clone()
    H.raises_like("shape_mismatch", "%(2%) does not broadcast to %(3%)",
      function() a[1] = {1, 2} end)
    H.raises("shape_mismatch", function() a["..."] = nd.zeros(3, 3) end)
    H.raises("shape_mismatch", function() a[{1, 1}] = {1, 2} end)
    H.raises("shape_mismatch", function() a[1] = {{1, 2, 3}, {4, 5, 6}} end)
    H.raises("type_mismatch", function() a[1] = "1" end)
    H.raises("type_mismatch", function() a[{1, 1}] = "1" end)
    H.raises("type_mismatch", function() a[1] = nil end)
    H.raises("type_mismatch", function() a[1] = print end)
    H.raises("type_mismatch", function() a[1] = {1, "2", 3} end)
    local r = a:readonly_view()
    H.raises("read_only", function() r[1] = 0 end)
    H.raises("read_only", function() r[{1, 1}] = 0 end)
    H.raises("read_only", function() r:set(1, 1, 0) end)
    H.raises("read_only", function() r[1][1] = 0 end)
    H.raises("overlap", function() a:flatten():unfold(1, 2, 1)[{1, 1}] = 0 end)
    H.raises("overlap", function() a:flatten():unfold(1, 2, 1):set(1, 1, 0) end)
    assert.is_true(a:equal(before))
  end)

  it("to overlapping parts is as if the source were copied first", function()
    local a = nd.arange(1, 5)
    a["2:5"] = a["1:4"]
    assert.same({1, 1, 2, 3, 4}, a:totable())
    a["1:4"] = a["2:5"]
    assert.same({1, 2, 3, 4, 4}, a:totable())
    a["::-1"] = a
    assert.same({4, 4, 3, 2, 1}, a:totable())
    local b = grid(3, 3)
    b["..."] = b.T
    assert.same({{11, 21, 31}, {12, 22, 32}, {13, 23, 33}}, b:totable())
  end)
end)

describe("an element of every dtype", function()
  it("is a number, a boolean or complex cdata", function()
    for _, dtype in ipairs(DTYPES) do
      local x = nd.array({1, 0}, dtype)[1]
      if dtype == "bool" then assert.equal(true, x)
      elseif dtype == "c64" then
        assert.is_true(ffi.istype("complex float", x) and x.re == 1 and x.im == 0)
      elseif dtype == "c128" then
        assert.is_true(ffi.istype("complex", x) and x.re == 1 and x.im == 0)
      else
        assert.equal("number", type(x), dtype)
        assert.equal(1, x)
      end
    end
  end)

  it("stored out of range saturates, NaN becomes 0, in every form", function()
    local limits = {
      i8 = {-128, 127}, u8 = {0, 255}, i16 = {-32768, 32767}, u16 = {0, 65535},
      i32 = {-2147483648, 2147483647}, u32 = {0, 4294967295},
    }
    for dtype, limit in pairs(limits) do
      local a, b = nd.ones(1, dtype), nd.ones({1, 1}, dtype)
      for x, wanted in pairs {[1e9 * 1e9] = limit[2], [-1e18] = limit[1], [1 / 0] = limit[2],
                              [-1 / 0] = limit[1], [2.9] = 2} do
        a[1] = x
        assert.equal(wanted, a[1], dtype)
        b:set(1, 1, x)
        assert.equal(wanted, b(1, 1), dtype)
        a["1"], b["1, 1"] = x, x
        assert.same({wanted, wanted}, {a[1], b(1, 1)}, dtype)
      end
      a[1] = 0 / 0
      b[{1, 1}] = 0 / 0
      assert.same({0, 0}, {a[1], b(1, 1)}, dtype)
    end
    local wide = nd.zeros(2, "i64")
    wide[1], wide[2] = 1e300, -1e300
    assert.is_true(wide[1] == 0x7fffffffffffffffLL and wide[2] == -0x7fffffffffffffffLL - 1)
    local positive = nd.zeros(2, "u64")
    positive[1], positive[2] = 1e300, -1
    assert.is_true(positive[1] == 0xffffffffffffffffULL and positive[2] == 0)
    positive[2] = i64(-5)
    assert.is_true(positive[2] == 0)
    local truth = nd.zeros(3, "bool")
    truth[1], truth[2], truth[3] = 0.5, 0 / 0, 0
    assert.same({true, true, false}, truth:totable())
  end)

  it("is the same one by one in a hot loop as all at once", function()
    local values = {0, 1, 2.5, -3, 127, 128, 255, 256, -129, 65504, 70000, 1e10, -1e10, 1 / 0, 0.1}
    for _, dtype in ipairs(DTYPES) do
      local all, one, two = nd.array(values, dtype), nd.zeros(#values, dtype),
        nd.zeros({1, #values}, dtype)
      for _ = 1, 40 do
        for i = 1, #values do
          one[i] = values[i]
          two:set(1, i, values[i])
        end
      end
      assert.is_true(one:copyout() == all:copyout(), dtype)
      assert.is_true(two:copyout() == all:copyout(), dtype)
    end
  end)
end)
