-- Integers in brackets and calls, by hand; index_fuzz_spec.lua has the rest.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local grid, cube, is_view_of = common.grid, common.cube, common.is_view_of
local i64, u64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"

describe("an integer in brackets", function()
  it("gives an element of a 1-D array", function()
    local a = nd.array {5, 6, 7}
    assert.equal(5, a[1])
    assert.equal(7, a[3])
    assert.equal(7, a[-1])
    assert.equal(5, a[-3])
  end)

  it("gives the view without axis 1 of any other", function()
    local a = grid(3, 4)
    assert.same({21, 22, 23, 24}, a[2]:totable())
    is_view_of(a, a[2])
    assert.same({31, 32, 33, 34}, a[-1]:totable())
    assert.equal(23, a[2][3])
    assert.same({4}, a[1].shape)
  end)

  it("may be i64 or u64 cdata, in every form", function()
    local a = grid(3, 4)
    for _, ctype in ipairs {i64, u64} do
      assert.equal(22, a[ctype(2)][ctype(2)])
      assert.equal(23, a(ctype(2), ctype(3)))
      assert.equal(23, a:get(ctype(2), 3))
      assert.equal(23, a[{ctype(2), 3}])
      assert.same({{12, 13}, {22, 23}, {32, 33}}, a[{{}, {ctype(2), ctype(3)}}]:totable())
    end
    assert.equal(34, a(i64(-1), i64(-1)))
    a[i64(1)] = 0
    a:set(u64(2), i64(-1), 9)
    assert.same({{0, 0, 0, 0}, {21, 22, 23, 9}, {31, 32, 33, 34}}, a:totable())
    H.raises("index_out_of_range", function() return a[i64(4)] end)
    H.raises("index_out_of_range", function() return a[i64(0)] end)
    H.raises("invalid_argument", function() return a[u64(-1)] end) -- 2^64 - 1
    H.raises("index_out_of_range", function() return a[i64(2) ^ 40 + 1] end)
  end)

  it("names index, axis and size when it is out of range", function()
    local a = nd.zeros(4, 10)
    local e = H.raises("index_out_of_range", function() return a(1, 12) end)
    assert.equal("index 12 is out of range for axis 2 of size 10", e.message)
    assert.same({12, 2, 10}, {e.value, e.axis, e.limit})
    assert.equal("index -5 is out of range for axis 1 of size 4",
      H.raises("index_out_of_range", function() return a[-5] end).message)
    assert.equal("index 0 is out of range for axis 1 of size 4",
      H.raises("index_out_of_range", function() return a[0] end).message)
    assert.equal("index 11 is out of range for axis 2 of size 10",
      H.raises("index_out_of_range", function() return a["1:2, 11"] end).message)
    assert.equal("index 11 is out of range for axis 2 of size 10",
      H.raises("index_out_of_range", function() return a["..., 11"] end).message)
    assert.equal("index 1 is out of range for axis 1 of size 0",
      H.raises("index_out_of_range", function() return nd.zeros(0)[1] end).message)
  end)

  it("has the caller's line in the error, and its text says ndbuf", function()
    local a = nd.zeros(3)
    local line = debug.getinfo(1, "l").currentline + 1
    local e = H.raises("index_out_of_range", function() return a[4] end)
    assert.equal("spec/bind/index_spec.lua:" .. line, (e.where:gsub("^%./", "")))
    assert.equal(e.where .. ": ndbuf: " .. e.message, tostring(e))
  end)

  it("is refused when it is a fraction, NaN or too large; nothing is written", function()
    local a, b = nd.array {1, 2, 3}, grid(2, 2)
    for _, k in ipairs {1.5, 0.5, -1.5, 0 / 0, 1 / 0, -1 / 0, 1e300, 2 ^ 63} do
      H.raises("invalid_argument", function() return a[k] end)
      H.raises("invalid_argument", function() a[k] = 0 end)
      H.raises("invalid_argument", function() return b(1, k) end)
      H.raises("invalid_argument", function() return b(k, 1) end)
      H.raises("invalid_argument", function() b:set(k, 1, 0) end)
      H.raises("invalid_argument", function() b:set(1, k, 0) end)
      H.raises("invalid_argument", function() return b[{1, k}] end)
      H.raises("invalid_argument", function() return b[{{k, 2}}] end)
    end
    H.raises_like("invalid_argument", "1%.5 is not an integer", function() return a[1.5] end)
    for _, k in ipairs {0, 4, -4, 2 ^ 31, 2 ^ 32 + 1, -2 ^ 31, 2 ^ 53} do
      H.raises("index_out_of_range", function() return a[k] end)
      H.raises("index_out_of_range", function() a[k] = 0 end)
      H.raises("index_out_of_range", function() return b(k, 1) end)
      H.raises("index_out_of_range", function() return b(1, k) end)
      H.raises("index_out_of_range", function() b:set(1, k, 0) end)
    end
    assert.same({1, 2, 3}, a:totable())
    assert.same({{11, 12}, {21, 22}}, b:totable())
  end)

  it("keeps its checks in a hot loop", function()
    local a, b = nd.arange(1, 100, 1, "i32"), grid(10, 9)
    local sum = 0
    for _ = 1, 50 do
      for i = 1, 100 do sum = sum + a[i] end
      for i = 1, 10 do
        for j = 1, 9 do sum = sum + b(i, j) end
      end
    end
    assert.equal(50 * (5050 + 9 * 550 + 10 * 45), sum)
    local function read_past()
      local n = 0
      for i = 1, 101 do n = n + a[i] end
      return n
    end
    local function read_column_past()
      local n = 0
      for j = 1, 10 do n = n + b(2, j) end
      return n
    end
    local function write_past() for i = 90, 101 do a[i] = i end end
    for _ = 1, 60 do
      H.raises("index_out_of_range", read_past)
      H.raises("index_out_of_range", read_column_past)
      H.raises("index_out_of_range", write_past)
    end
  end)

  it("is refused for a 0-d array", function()
    local a = nd.f64(3)
    H.raises("invalid_argument", function() return a[1] end)
    H.raises("invalid_argument", function() a[1] = 2 end)
    H.raises("invalid_argument", function() return a(1) end)
  end)
end)

describe("a call", function()
  it("gives the element when all axes are given", function()
    local a = grid(3, 4)
    assert.equal(23, a(2, 3))
    assert.equal(34, a(-1, -1))
    assert.equal(123, cube(1, 2, 3)(1, 2, 3))
    assert.equal(6, nd.array({5, 6})(2))
  end)

  it("gives a view when fewer are given", function()
    local a = cube(2, 3, 4)
    assert.same({121, 122, 123, 124}, a(1, 2):totable())
    assert.same({3, 4}, a(2).shape)
    assert.same({2, 3, 4}, a().shape)
    is_view_of(a, a(1, 2))
    is_view_of(a, a())
  end)

  it("without arguments is the element of a 0-d array", function()
    assert.equal(3, nd.f64(3)())
    assert.equal(3, nd.f64(3):get())
    assert.equal(true, nd.bool(true)())
  end)

  it("takes slices and ranges as well, and a single key means what it means in brackets", function()
    local a = grid(3, 4)
    assert.same({22, 23}, a(2, {2, 3}):totable())
    assert.same({22, 23}, a(2, "2:3"):totable())
    assert.same({{13}, {23}, {33}}, a("...", {3, 3}):totable())
    assert.same({{21, 22, 23, 24}}, a"2:2":totable())
    assert.equal(23, a{2, 3})
    assert.same({{11, 13}, {21, 23}}, a{{1, 2}, {1, 4, 2}}:totable())
    assert.same({{21, 22, 23, 24}}, a(nd.array({2}, "i64")):totable())
  end)

  it("refuses more indices than axes, and what is no index", function()
    local a = grid(2, 3)
    H.raises_like("invalid_argument", "3 indices for an array with 2 axes",
      function() return a(1, 2, 3) end)
    H.raises("invalid_argument", function() a:set(1, 2, 3, 0) end)
    H.raises("type_mismatch", function() return a(1, true) end)
    H.raises("type_mismatch", function() return a(nil, 1) end)
    H.raises("type_mismatch", function() return a(print) end)
    H.raises("type_mismatch", function() return a[true] end)
    H.raises("invalid_argument", function() a:set() end)
  end)

  it("get and set are the same by name", function()
    local a = cube(2, 3, 4)
    assert.equal(a(2, 3, 4), a:get(2, 3, 4))
    assert.is_true(a(2, "1:2"):equal(a:get(2, "1:2")))
    a:set(2, 3, 4, 7)
    assert.equal(7, a(2, 3, 4))
    a:set(1, 1, 8)
    assert.same({8, 8, 8, 8}, a(1, 1):totable())
    a:set(1, 1, {1, 2, 3, 4})
    assert.same({1, 2, 3, 4}, a(1, 1):totable())
    a:set("1, 2", 0)
    assert.same({0, 0, 0, 0}, a(1, 2):totable())
    local zero = nd.f64(3)
    zero:set(4)
    assert.equal(4, zero())
  end)

  it("set takes a single table as get does", function()
    local a = grid(2, 3)
    a:set({2, 3}, 0)
    assert.equal(0, a:get {2, 3})
    assert.same({{11, 12, 13}, {21, 22, 0}}, a:totable())
    a:set({{1, 2}, 1}, 5)
    assert.same({{5, 12, 13}, {5, 22, 0}}, a:totable())
    a:set(nd.array({true, false}, "bool"), 1)
    assert.same({{1, 1, 1}, {5, 22, 0}}, a:totable())
  end)
end)
