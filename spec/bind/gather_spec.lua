-- Masks, index arrays, take, put and index_add, by hand; index_fuzz_spec.lua has the rest.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES, grid, cube = common.NAMES, common.grid, common.cube
local INTEGERS = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}
local i64, u64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"

describe("a mask", function()
  it("of the array's shape selects elements in row-major order, as a copy", function()
    local a = grid(2, 3)
    local mask = nd.array({{true, false, true}, {false, true, false}}, "bool")
    local got = a[mask]
    assert.same({11, 13, 22}, got:totable())
    assert.not_equal(a.storage_id, got.storage_id)
    got[1] = 0
    assert.equal(11, a(1, 1))
    assert.same({13, 11, 22}, a[":, ::-1"][mask[":, ::-1"]]:totable())
    assert.same({11, 22, 13}, a.T[mask.T]:totable())
  end)

  it("may stand for the leading axes", function()
    local c = cube(2, 2, 3)
    assert.same({{{211, 212, 213}, {221, 222, 223}}}, c[nd.array({false, true}, "bool")]:totable())
    local two = nd.array({{false, true}, {true, false}}, "bool")
    assert.same({{121, 122, 123}, {211, 212, 213}}, c[two]:totable())
    assert.same({0, 2, 3}, c[nd.zeros(2, "bool")].shape)
    assert.same({0}, c[nd.zeros({2, 2, 3}, "bool")].shape)
    assert.same({12}, c[nd.ones({2, 2, 3}, "bool")].shape)
  end)

  it("works for every dtype", function()
    for _, dtype in ipairs(DTYPES) do
      local a = nd.array({1, 0, 3, 5}, dtype)
      local got = a[nd.array({true, false, true, false}, "bool")]
      assert.equal(dtype, got.dtype)
      assert.is_true(got:equal(nd.array({1, 3}, dtype)), dtype)
    end
  end)

  it("assigns a number, values by order, or rows", function()
    local a = grid(2, 3)
    local mask = nd.array({{true, false, true}, {false, true, false}}, "bool")
    a[mask] = 0
    assert.same({{0, 12, 0}, {21, 0, 23}}, a:totable())
    a[mask] = {1, 2, 3}
    assert.same({{1, 12, 2}, {21, 3, 23}}, a:totable())
    a[mask] = nd.array({7, 8, 9}, "u8")
    assert.same({{7, 12, 8}, {21, 9, 23}}, a:totable())
    a[nd.array({false, true}, "bool")] = {{4, 5, 6}}
    assert.same({{7, 12, 8}, {4, 5, 6}}, a:totable())
    a[nd.array({true, true}, "bool")] = {1, 2, 3}
    assert.same({{1, 2, 3}, {1, 2, 3}}, a:totable())
    a[nd.zeros({2, 3}, "bool")] = 9
    a.T[mask.T] = 5
    assert.same({{5, 2, 5}, {1, 5, 3}}, a:totable())
  end)

  it("may overlap what it selects", function()
    local a = nd.array({true, false, true}, "bool")
    assert.same({true, true}, a[a]:totable())
    a[a] = a["::-1"][nd.array({true, true, false}, "bool")]
    assert.same({true, false, false}, a:totable())
  end)

  it("is refused when the shape, the dtype or the count differs; nothing is written", function()
    local a = grid(2, 3)
    H.raises("shape_mismatch", function() return a[nd.zeros({3, 2}, "bool")] end)
    H.raises("shape_mismatch", function() return a[nd.zeros({3}, "bool")] end)
    H.raises("shape_mismatch", function() return a[nd.zeros({2, 3, 1}, "bool")] end)
    H.raises("shape_mismatch", function() a[nd.ones({2, 3}, "bool")] = {1, 2} end)
    H.raises("type_mismatch", function() return a[nd.zeros(2, "f64")] end)
    H.raises("type_mismatch", function() a[nd.ones({2, 3}, "bool")] = "x" end)
    assert.same({{11, 12, 13}, {21, 22, 23}}, a:totable())
    H.raises("read_only", function() a:readonly_view()[nd.ones({2, 3}, "bool")] = 1 end)
  end)
end)

describe("an index array", function()
  it("of each integer dtype picks along axis 1, from 1, as a copy", function()
    local a = grid(3, 2)
    for _, dtype in ipairs(INTEGERS) do
      local got = a[nd.array({3, 1, 3}, dtype)]
      assert.same({{31, 32}, {11, 12}, {31, 32}}, got:totable(), dtype)
      assert.not_equal(a.storage_id, got.storage_id)
      assert.same({33.5, 31.5}, nd.array({31.5, 32.5, 33.5})[nd.array({3, 1}, dtype)]:totable())
    end
    for _, dtype in ipairs {"i8", "i16", "i32", "i64"} do
      assert.same({{31, 32}, {21, 22}}, a[nd.array({-1, -2}, dtype)]:totable(), dtype)
    end
  end)

  it("may have any number of axes: its own, then the array's others", function()
    local a = grid(3, 2)
    local index = nd.array({{1, 2, 3}, {3, 2, 1}}, "i32")
    local got = a[index]
    assert.same({2, 3, 2}, got.shape)
    assert.same({{{11, 12}, {21, 22}, {31, 32}}, {{31, 32}, {21, 22}, {11, 12}}}, got:totable())
    assert.is_true(got:permute(2, 1, 3):equal(a[index.T]))
    assert.same({2}, a[nd.i64(2)].shape)
    assert.same({21, 22}, a[nd.i64(2)]:totable())
    assert.same({0, 2}, a[nd.zeros(0, "i64")].shape)
    assert.same({30, 10}, nd.array({10, 20, 30})[nd.array({3, 1}, "i32")]:totable())
  end)

  it("picks for every dtype", function()
    for _, dtype in ipairs(DTYPES) do
      local a = nd.array({1, 0, 3, 5}, dtype)
      local got = a[nd.array({4, 4, 1}, "u8")]
      assert.equal(dtype, got.dtype)
      assert.is_true(got:equal(nd.array({5, 5, 1}, dtype)), dtype)
      a[nd.array({2, 3}, "u8")] = nd.array({1, 1}, dtype)
      assert.is_true(a:equal(nd.array({1, 1, 1, 5}, dtype)), dtype)
    end
  end)

  it("assigns, the last one wins", function()
    local a = nd.zeros(4, 2)
    a[nd.array({1, 3}, "i64")] = 5
    assert.same({{5, 5}, {0, 0}, {5, 5}, {0, 0}}, a:totable())
    a[nd.array({2, 4}, "i64")] = {{1, 2}, {3, 4}}
    assert.same({{5, 5}, {1, 2}, {5, 5}, {3, 4}}, a:totable())
    a[nd.array({1, 1, 1}, "u8")] = {{7, 7}, {8, 8}, {9, 9}}
    assert.same({9, 9}, a[1]:totable())
  end)

  it("is refused out of range, by name of the position, before anything is written", function()
    local a = grid(3, 2)
    local before = a:clone()
    for _, bad in ipairs {0, 4, -4, 100} do
      local index = nd.array({1, bad}, "i32")
      local e = H.raises_like("index_out_of_range", "axis 1 of size 3", function()
        return a[index]
      end)
      assert.equal(bad, e.value)
      assert.equal(2, e.position)
      H.raises("index_out_of_range", function() a[index] = 0 end)
      H.raises("index_out_of_range", function() a:put(index, 0) end)
      H.raises("index_out_of_range", function() a:index_add(1, index, 1) end)
    end
    H.raises("index_out_of_range", function()
      return a[nd.array({i64(2) ^ 40, 1}, "i64")]
    end)
    H.raises("index_out_of_range", function() return a[nd.array({u64(-1)}, "u64")] end)
    H.raises("type_mismatch", function() return a[nd.array {1, 2}] end)
    H.raises("type_mismatch", function() a[nd.array {1, 2}] = 0 end)
    H.raises("invalid_argument", function() return nd.f64(1)[nd.array({1}, "i64")] end)
    assert.is_true(a:equal(before))
  end)
end)

describe("take, put and index_add", function()
  it("take picks along any axis, by array, table or number", function()
    local c = cube(2, 3, 4)
    assert.same({2, 2, 4}, c:take(nd.array({3, 1}, "i64"), 2).shape)
    assert.same({{131, 132, 133, 134}, {111, 112, 113, 114}}, c:take({3, 1}, 2)[1]:totable())
    assert.same({{114, 111}, {124, 121}, {134, 131}}, c:take({-1, 1}, -1)[1]:totable())
    assert.same({{{211, 212, 213, 214}, {221, 222, 223, 224}, {231, 232, 233, 234}}},
      c:take({2}):totable())
    assert.same({2, 2, 2, 4}, c:take({{1, 2}, {2, 3}}, 2).shape)
    assert.same({{112, 122, 132}, {212, 222, 232}}, c:take(2, 3):totable())
    assert.not_equal(c.storage_id, c:take({1}, 1).storage_id)
    assert.is_true(c:take({1, 2}, 1):equal(c))
  end)

  it("take refuses fractions, bad axes and 0-d arrays", function()
    local a = grid(2, 3)
    H.raises("not_representable", function() return a:take({1.5}) end)
    H.raises("index_out_of_range", function() return a:take({1}, 3) end)
    H.raises("index_out_of_range", function() return a:take({4}, 2) end)
    H.raises("type_mismatch", function() return a:take("1") end)
    H.raises_like("shape_mismatch", "%(3%) does not have the leading axes", a.take, a,
      nd.ones(3, "bool"))
    H.raises_like("shape_mismatch", "%(scalar%) does not have .* from axis 2 on", a.take, a,
      nd.bool(true), 2)
    H.raises_like("shape_mismatch", "%(2x3%) does not have .* from axis 2 on", a.take, a,
      a:gt(0), 2)
    H.raises("invalid_argument", function() return nd.f64(1):take({1}) end)
  end)

  it("put writes rows of axis 1, the last one wins, and returns the array", function()
    local a = nd.zeros(3)
    assert.equal(a, a:put({1, 3}, {10, 30}))
    assert.same({10, 0, 30}, a:totable())
    a:put({2, 2, 2}, {1, 2, 3})
    assert.equal(3, a[2])
    a:put(nd.array({-1}, "i8"), 7)
    assert.equal(7, a[3])
    local b = nd.zeros({3, 2}, "i32")
    b:put({3, 1}, {{1, 2}, {3, 4}})
    assert.same({{3, 4}, {0, 0}, {1, 2}}, b:totable())
    b:put({{1, 2}, {3, 1}}, 5)
    assert.same({{5, 5}, {5, 5}, {5, 5}}, b:totable())
    b:put({1}, 2 ^ 40)
    assert.same({2147483647, 2147483647}, b[1]:totable())
  end)

  it("index_add adds, duplicates add up, along any axis", function()
    local a = nd.zeros(3)
    assert.equal(a, a:index_add(1, {1, 1, 3, 1}, {1, 2, 3, 4}))
    assert.same({7, 0, 3}, a:totable())
    a:index_add(1, nd.array({-1, -1}, "i16"), 1)
    assert.same({7, 0, 5}, a:totable())
    local b = nd.zeros({2, 3}, "i32")
    b:index_add(2, {3, 3}, {{1, 10}, {2, 20}})
    assert.same({{0, 0, 11}, {0, 0, 22}}, b:totable())
    b:index_add(-2, {2}, {{1, 1, 1}})
    assert.same({{0, 0, 11}, {1, 1, 23}}, b:totable())
  end)

  it("index_add agrees with a loop for every dtype that adds", function()
    local rng = H.rng "index_add"
    for _, dtype in ipairs(DTYPES) do
      local sums, index, values = {0, 0, 0, 0}, {}, {}
      for i = 1, 6 do
        index[i], values[i] = rng(4), rng(0, 1)
        sums[index[i]] = sums[index[i]] + values[i]
      end
      local a = nd.zeros(4, dtype)
      a:index_add(1, index, values)
      if dtype == "bool" then
        for i = 1, 4 do sums[i] = sums[i] ~= 0 end
        assert.same(sums, a:totable(), "bool, seed " .. H.seed)
      else
        assert.is_true(a:equal(nd.array(sums, dtype)), dtype .. ", seed " .. H.seed)
      end
    end
  end)

  it("index_add of integers wraps, as arithmetic does", function()
    local a = nd.array({250, 0}, "u8")
    a:index_add(1, {1, 1}, {5, 5})
    assert.equal(4, a[1])
  end)

  it("are refused on read-only and self-overlapping arrays", function()
    local a = nd.zeros(4)
    for _, bad in ipairs {{"read_only", a:readonly_view()}, {"overlap", a:unfold(1, 2, 1)}} do
      H.raises(bad[1], function() bad[2]:put({1}, 0) end)
      H.raises(bad[1], function() bad[2]:index_add(1, {1}, 0) end)
    end
    H.raises("shape_mismatch", function() a:put({1, 2}, {1, 2, 3}) end)
    H.raises("shape_mismatch", function() a:index_add(1, {1, 2}, {1, 2, 3}) end)
  end)
end)
