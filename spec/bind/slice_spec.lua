-- Slice strings and index tables, by hand; index_fuzz_spec.lua has the rest.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local grid, cube, is_view_of = common.grid, common.cube, common.is_view_of

describe("a slice string", function()
  local a = grid(6, 4)

  it("has ranges that include both ends", function()
    assert.same({{24}, {34}, {44}, {54}}, a["2:5, -1:"]:totable())
    assert.same({24, 34, 44, 54}, a["2:5, -1"]:totable())
    assert.same({24, 34, 44, 54}, a"2:5, -1":totable())
    assert.same({{214, 224}, {314, 324}}, cube(4, 2, 4)["2:3, :, -1"]:totable())
    is_view_of(a, a["2:5, -1"])
  end)

  it("takes lo:hi:step, with parts left out", function()
    local v = nd.arange(1, 9)
    local cases = {
      [":"] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, ["7:"] = {7, 8, 9}, [":3"] = {1, 2, 3},
      ["2:8:3"] = {2, 5, 8}, ["2:9:3"] = {2, 5, 8}, ["::4"] = {1, 5, 9}, ["8::1"] = {8, 9},
      [":5:2"] = {1, 3, 5}, ["-2:"] = {8, 9}, [":-7"] = {1, 2, 3}, ["-3:-1"] = {7, 8, 9},
      ["-1:1:-1"] = {9, 8, 7, 6, 5, 4, 3, 2, 1}, ["::-1"] = {9, 8, 7, 6, 5, 4, 3, 2, 1},
      ["9:1:-4"] = {9, 5, 1}, ["3::-1"] = {3, 2, 1}, [":7:-1"] = {9, 8, 7}, ["4:4"] = {4},
      ["4:4:-1"] = {4}, ["1:9:100"] = {1}, ["9:1:-100"] = {9}, [" 2 : 4 "] = {2, 3, 4},
      ["+2:+4"] = {2, 3, 4}, ["2:4:"] = {2, 3, 4},
    }
    for text, wanted in pairs(cases) do
      local got = v[text]
      assert.same(wanted, got:totable(), text)
      is_view_of(v, got)
    end
  end)

  it("reverses with -1:1:-1, as a view", function()
    local v = a["-1:1:-1"]
    assert.same({61, 62, 63, 64}, v[1]:totable())
    assert.same({11, 12, 13, 14}, v[6]:totable())
    is_view_of(a, v)
    assert.same({-4, 1}, v.strides)
    assert.equal(5 * 4 * 8, v.offset)
    assert.same({{64, 63}, {54, 53}}, a["-1:5:-1, -1:3:-1"]:totable())
  end)

  it("takes '...' for the axes between, '_' for a new one", function()
    local c = cube(2, 3, 4)
    assert.same({{114, 124, 134}, {214, 224, 234}}, c["..., 4"]:totable())
    assert.same({112, 122, 132}, c["1, ..., 2"]:totable())
    assert.same({1, 2, 3, 4}, c["_"].shape)
    assert.same({2, 1, 3, 4}, c[":, _"].shape)
    assert.same({2, 3, 4, 1}, c["..., _"].shape)
    assert.same({3, 1, 1}, c["1, :, _, 2, _"].shape)
    assert.same({1, 1}, nd.f64(3)["_, _"].shape)
    assert.equal(124, c["1, 2, ..., 4"])
    is_view_of(c, c["..., _"])
  end)

  it("takes trailing axes that it does not mention whole", function()
    assert.same({3, 4}, cube(2, 3, 4)["2"].shape)
    assert.same({1, 3, 4}, cube(2, 3, 4)["2:2"].shape)
  end)

  it("gives the element when all axes are integers", function()
    assert.equal(23, a["2, 3"])
    assert.equal(64, a"-1,-1")
    assert.equal(3, nd.f64(3)["..."])
  end)

  it("may be empty: lo:lo-1, lo from 1 to n+1, or lo:lo+1 by a negative step", function()
    local v = nd.arange(1, 5)
    for lo = 1, 6 do
      assert.same({0}, v[("%d:%d"):format(lo, lo - 1)].shape)
      assert.same({0}, v[("%d:%d:3"):format(lo, lo - 1)].shape)
      assert.same({0}, v[{{lo, lo - 1}}].shape)
    end
    for lo = 1, 5 do
      assert.same({0}, v[("%d:%d:-1"):format(lo, lo + 1)].shape)
      assert.same({0}, v[{{lo, lo + 1, -2}}].shape)
    end
    assert.same({0, 4}, a["3:2"].shape)
    assert.same({6, 0}, a[":, 5:4"].shape)
    is_view_of(v, v["1:0"])
    assert.same({}, v["6:5"]:totable())
    local none = nd.zeros(0, 3)
    for _, key in ipairs {":", "1:0", "::2", "::-1", "1:", "1:-1"} do
      assert.same({0, 3}, none[key].shape, key)
    end
  end)

  it("refuses any other range that runs against its step, and names both ends", function()
    local v = nd.arange(1, 5)
    for _, key in ipairs {"4:2", "5:1", "2:4:-1", "1:5:-2", "5:2:2", "-1:-3", "-4:-1:-1"} do
      H.raises_like("invalid_argument", "runs against its step", function() return v[key] end)
    end
    H.raises_like("invalid_argument", "range 4:2 .*axis 1 of size 5",
      function() return v["4:2"] end)
  end)

  it("refuses bounds outside the axis, 0 and a step of 0; nothing is clamped", function()
    local v = nd.arange(1, 5)
    for _, key in ipairs {"1:6", "0:3", "7:", "7:6", ":6", "-6:2", "2:-6", "6:1:-1", "5:0:-1",
                          "0:5:2", "-7:"} do
      H.raises("index_out_of_range", function() return v[key] end)
    end
    assert.equal("index 6 is out of range for axis 1 of size 5",
      H.raises("index_out_of_range", function() return v["2:6"] end).message)
    assert.equal("index -6 is out of range for axis 1 of size 5",
      H.raises("index_out_of_range", function() return v["-6:2"] end).message)
    H.raises_like("invalid_argument", "step", function() return v["1:5:0"] end)
    H.raises_like("invalid_argument", "step", function() return v[{{1, 5, 0}}] end)
  end)

  it("refuses a second '...', too many entries and bad grammar, and names the place", function()
    H.raises_like("invalid_argument", "only once", function() return a["..., ..."] end)
    H.raises_like("invalid_argument", "3 indices for an array with 2 axes",
      function() return a["1, 2, 3"] end)
    for _, key in ipairs {"1,", ",1", "1 2", "1:2:3:4", "..", "....", "--1", "1-", "-", "_:2",
                          "1.5", "+", ",", ".", "99999999999999999999", "1:2:-", "1,,2",
                          "18446744073709551618", "1:18446744073709551618"} do -- 2^64 + 2
      H.raises_like("invalid_argument", "^slice ", function() return a[key] end)
      H.raises_like("invalid_argument", "^slice ", function() a[key] = 1 end)
      H.raises_like("invalid_argument", "^slice ", function() return a(key) end)
    end
    H.raises_like("invalid_argument", "character 3", function() return a["1 2"] end)
  end)

  it("is told from a name by its characters: unknown names raise with near names", function()
    H.raises_like("invalid_argument", "storage_id", function() return a.storage_di end)
    H.raises_like("invalid_argument", "reshape", function() return a.reshpae end)
    H.raises("invalid_argument", function() return a[""] end)
    H.raises("invalid_argument", function() return a["  "] end)
    H.raises("invalid_argument", function() return a["2:5\0:"] end)
    H.raises("invalid_argument", function() a.shape = {1} end)
    H.raises("invalid_argument", function() a.no_such_field = 1 end)
  end)
end)

describe("an index table", function()
  local c = cube(3, 4, 5)

  it("says the same as the string, entry by entry", function()
    local pairs_of = {
      {"2:3, :, -1", {{2, 3}, {}, -1}},
      {"2, ..., 1:5:2", {2, "...", {1, 5, 2}}},
      {"..., _, -1", {"...", "_", -1}},
      {"3:1:-1", {{3, 1, -1}}},
      {"2:3, 2", {"2:3", "2"}},
      {":, :, 4:3", {{}, {}, {4, 3}}},
      {"1, 2", {1, 2}},
    }
    for _, pair in ipairs(pairs_of) do
      local v, w = c[pair[1]], c[pair[2]]
      assert.same(v.shape, w.shape, pair[1])
      assert.same(v.byte_strides, w.byte_strides)
      assert.equal(v.offset, w.offset)
      assert.is_true(v:equal(w))
      is_view_of(c, w)
      assert.is_true(v:equal(c:slice(pair[2])))
    end
  end)

  it("of integers for all axes is the element: a[{1, 3}] is (1, 3)", function()
    assert.equal(13, grid(2, 3)[{1, 3}])
    assert.equal(235, c[{2, 3, -1}])
    assert.same({2}, nd.arange(1, 5)[{{1, 2}}].shape)
    assert.equal(3, nd.f64(3)[{}])
    assert.same({3, 4, 5}, c[{}].shape)
  end)

  it("is a view of the element in slice", function()
    local v = c:slice {2, 3, -1}
    assert.same({}, v.shape)
    assert.equal(235, v:item())
    is_view_of(c, v)
    assert.same({5}, c:slice{1, 2}.shape)
    assert.same({3, 4}, c:slice("..., 1").shape)
    H.raises("type_mismatch", function() return c:slice(1) end)
    H.raises("type_mismatch", function() return c:slice() end)
  end)

  it("refuses extra entries, gaps and ranges that are half there", function()
    for _, key in ipairs {
      {{1, 2, 1, 1}}, {{1}}, {{1, 2, step = 1}}, {{x = 1}}, {1, x = 2}, {axis = 1}, {[2] = 1},
      {1, 1, 1, 1}, {"...", "..."}, {"1:", "x"}, {""},
    } do
      H.raises("invalid_argument", function() return c[key] end)
      H.raises("invalid_argument", function() c[key] = 0 end)
    end
    for _, key in ipairs {{true}, {print}, {{true, 2}}, {{"1", 2}}, {nd.array {1}}} do
      H.raises("type_mismatch", function() return c[key] end)
    end
  end)
end)
