-- Index arrays and masks among other entries, by hand; pairs_fuzz_spec.lua has the rest.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local core = require "ndbuf.core"

local grid, cube = common.grid, common.cube
local i, j = nd.i64 {1, 3, 3}, nd.u8 {2, 1, 4}

describe("index arrays in several axes", function()
  it("name positions together, broadcast", function()
    local a = grid(3, 4)
    assert.same({12, 31, 34}, a[{i, j}]:totable())
    assert.same({{12, 11, 14}, {32, 31, 34}, {32, 31, 34}}, a[{i":, _", j}]:totable())
    assert.same({{12, 11, 14}, {22, 21, 24}}, a[{{1, 2}, j}]:totable())
    assert.same({32, 31, 34}, a[{-1, j}]:totable())
    assert.same({32, 31, 34}, a(-1, j):totable())
    assert.same({32, 31, 34}, a:get(3, j):totable())
    assert.same({{11, 13}, {31, 33}, {31, 33}}, a[{i, "::2"}]:totable())
    assert.same({}, a[{nd.i64(2), nd.i64(3)}].shape)
    assert.equal(23, a[{nd.i64(2), nd.i64(3)}]())
  end)

  it("have their axes in place, or first where they are apart", function()
    local c = nd.zeros(2, 3, 4, 5)
    local one, two = nd.ones(7, "i64"), nd.ones({6, 1}, "i64")
    assert.same({2, 6, 7, 5}, c[{{}, one, two}].shape)
    assert.same({6, 7, 3, 5}, c[{one, {}, two}].shape)
    assert.same({7, 3, 5}, c[{1, {}, one}].shape)
    assert.same({7, 2, 4}, c[{"...", one, {}, 1}].shape)
    assert.same({7, 2, 4}, c[{{}, one, {}, 1}].shape)
    assert.same({2, 3, 7}, c[{"...", one, 1}].shape)
    assert.same({7, 1, 3, 5}, c[{one, "_", {}, one}].shape)
    assert.same({1, 2, 7, 4, 5}, c[{"_", {}, one}].shape)
  end)

  it("beside masks, which stand for the positions of what is true", function()
    local c = cube(2, 3, 4)
    local mask = nd.bool {true, false, true}
    assert.same({{112, 212}, {132, 232}}, c[{{}, mask, 2}].T:totable())
    assert.same({112, 234}, c[{nd.i64 {1, 2}, mask, nd.i64 {2, 4}}]:totable())
    local two = nd.array({{true, false, false}, {false, false, true}}, "bool")
    assert.same({112, 234}, c[{two, nd.i64 {2, 4}}]:totable())
    assert.is_true(c[{two}]:equal(c[two]))
    assert.is_true(c[{nd.where(two)}]:equal(c[two]))
    H.raises_like("shape_mismatch", "mask has 2 elements along axis 2 of size 3", function()
      return c[{{}, nd.bool {true, false}}]
    end)
    H.raises("invalid_argument", function() return c[{nd.bool(true), 1}] end)
    H.raises("invalid_argument", function() return c(1, nd.bool(true)) end)
    H.raises("shape_mismatch", function() return c[{mask, {}, mask}] end)
  end)

  it("are assigned; of equal positions the last value wins", function()
    local a = grid(3, 4)
    a[{i, j}] = {1, 2, 3}
    a:set(nd.i8 {2, 2, 2}, nd.i8 {-1, 4, 4}, nd.f32 {4, 5, 6})
    a[{{2, 3}, nd.i64 {3}}] = 300
    assert.same({{11, 1, 13, 14}, {21, 22, 300, 6}, {2, 32, 300, 3}}, a:totable())
    local u = nd.zeros({2, 2}, "u8")
    u[{nd.i64 {1, 2}, nd.i64 {2, 1}}] = 300
    assert.same({{0, 255}, {255, 0}}, u:totable())
  end)

  it("need not be apart from what they pick from, nor the values from what they go to", function()
    local a = nd.array({{2, 1}, {1, 2}}, "i64")
    local b = a:clone()
    a[{a[1], a[2]}] = a[1]
    b[{b[1]:clone(), b[2]:clone()}] = b[1]:clone()
    assert.is_true(a:equal(b))
    local bytes = nd.zeros(64, "u8")
    local one, other = bytes:bitcast "i64":reshape(2, 4), bytes:bitcast "i32":reshape(4, 4)
    one:copy_from {{1, 2, 1, 2}, {1, 2, 3, 4}}
    local wanted = one:clone()
    wanted[{wanted[1]:clone(), one[2]:clone()}] = other[{2, {}}]:clone()
    one[{one[1], one[2]}] = other[{2, {}}]
    assert.is_true(one:equal(wanted))
    local mask = nd.bool {true, false, true}
    mask[{mask}] = mask[{"::-1"}][nd.bool {true, true, false}]
    assert.same({true, false, false}, mask:totable())
  end)
end)

describe("index arrays that are refused", function()
  it("name the array, the position, the value and the limit; nothing is written", function()
    local a = nd.zeros(2, 3, 4)
    for _, bad in ipairs {0, 5, -5, 2 ^ 40} do
      local k = nd.i64 {{1, 2}, {bad, 3}}
      local e = H.raises_like("index_out_of_range", "index array 2: index .* %(position 3%)",
        function() a[{nd.i64 {1, 2}, {}, k}] = 1 end)
      assert.same({bad, 3, 3, 4}, {e.value, e.position, e.axis, e.limit})
      H.raises("index_out_of_range", function() return a[{"...", k}] end)
    end
    local e = H.raises("index_out_of_range", function()
      return a[{"_", nd.i64 {1}, "...", nd.i64 {9}}]
    end)
    assert.equal(3, e.axis)
    e = H.raises("index_out_of_range", function() return a[{"...", nd.i64 {9}}] end)
    assert.equal(3, e.axis)
    H.raises_like("shape_mismatch", "%(2%) and %(3%)", function()
      a[{nd.i64 {1, 2}, nd.i64 {1, 2, 3}}] = 1
    end)
    H.raises("shape_mismatch", function() a[{nd.i64 {1, 2}, 1}] = {1, 2, 3} end)
    H.raises("type_mismatch", function() a[{nd.zeros(2), 1}] = 1 end)
    H.raises("type_mismatch", function() return a:slice {nd.i64 {1}} end)
    H.raises("type_mismatch", function() a[{nd.i64 {1}, 1}] = nd.c64(1) end)
    H.raises_like("invalid_argument", "too many indices", function() return a[{i, i, i, i}] end)
    H.raises("invalid_argument", function() return nd.f64(1)[{nd.i64 {1}}] end)
    assert.equal(0, a:count_nonzero())
  end)

  it("read-only and expanded arrays, and freed ones", function()
    local a = nd.zeros(2, 3)
    local k = nd.i64 {1, 2}
    H.raises("read_only", function() a:readonly_view()[{k, k}] = 1 end)
    H.raises("read_only", function() nd.zeros(1, 3):expand(2, 3)[{k, k}] = 1 end)
    H.raises("overlap", function() a:as_strided({2, 2}, {8, 8})[{k, k}] = 1 end)
    H.raises("overlap", function() a:as_strided({2, 2, 2}, {8, 8, 8})[{1, k, k}] = 1 end)
    assert.same({0, 0}, nd.zeros(1, 3):expand(2, 3)[{k, k}]:totable())
    local b = nd.zeros(2, 3)
    b:free()
    H.raises("freed", function() return b[{k, k}] end)
    H.raises("freed", function() b[{k, k}] = 1 end)
  end)

  it("are too many axes, or more arrays than axes can be", function()
    local a, k = nd.zeros(2, 2, 2, 2, 2, 2, 2, 2, 2, 2), nd.ones({1, 1, 1, 1, 1, 1, 1, 1, 1}, "i64")
    H.raises_like("invalid_argument", "at most 16", function() return a[{k}] end)
    local many = {}
    for n = 1, 17 do many[n] = nd.i64 {1} end
    H.raises_like("invalid_argument", "more index arrays than the limit", function()
      return a[many]
    end)
    local wide, ones = nd.ones({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "u8"), {}
    for n = 1, 16 do ones[n] = nd.i8 {1, -1} end
    assert.same({1, 1}, wide[ones]:totable())
  end)
end)

describe("nothing to pick", function()
  it("is an empty result, on an axis without elements, too", function()
    local a, none = nd.zeros(0, 3), nd.zeros(0, "i64")
    assert.same({0}, a[{none, nd.i64 {2}}].shape)
    assert.same({0, 3}, a[{none}].shape)
    assert.same({2, 0}, a.T[{{1, 2}, none}].shape)
    a[{none, nd.i64 {2}}] = 1
    assert.same({0}, grid(2, 2)[{none, none}].shape)
    H.raises("index_out_of_range", function() return a[{nd.i64 {1}, {}}] end)
    H.raises("index_out_of_range", function() return a[{nd.i64 {1}, none}] end)
  end)

  it("is what a mask of an extent 0 selects", function()
    local a = grid(2, 3)
    assert.same({0, 3}, a[nd.zeros(0, "bool")].shape)
    assert.same({0}, a[nd.zeros({2, 0}, "bool")].shape)
    assert.same({2, 0}, a[{{}, nd.zeros(0, "bool")}].shape)
    a[nd.zeros(0, "bool")] = 7
    a[{{}, nd.zeros(0, "bool")}] = 7
    assert.is_true(a:equal(grid(2, 3)))
    H.raises("shape_mismatch", function() return a[nd.zeros({1, 0}, "bool")] end)
  end)
end)

describe("index arrays of any layout", function()
  it("pick the same for every number of threads", function()
    local rng = H.rng "pairs threads"
    local n = 300000
    local a = nd.random({500, 3, 700}, "f32", {seed = rng(1e6)})
    local one = nd.randint(1, 500, {n}, "i32", {seed = rng(1e6)})
    local other = nd.randint(-700, -1, {n}, "i64", {seed = rng(1e6)})
    local columns = nd.randint(1, 700, {900}, "i64", {seed = rng(1e6)})
    local values = nd.random({n}, "f32", {seed = rng(1e6)})
    local function all()
      local put, lines = a:clone(), a:clone()
      put[{one, 2, other}] = values
      lines[{"...", columns}] = a:take(columns, 1 + 2)"::-1"
      local some, others = one"1:1000", other"1:1000"
      return {a[{one, 2, other}], a[{"::-1", {}, columns}], a[{some, {}, others}], put, lines,
        a.T[{other"1:2000", 3}]}
    end
    local before = core.stats().threads
    nd.set_threads(1)
    local alone = all()
    for _, at in ipairs {1, 77, n} do
      assert.equal(a(one[at], 2, other[at]), alone[1][at])
    end
    assert.equal(a(500, 2, columns[900]), alone[2](1, 2, 900))
    for _, threads in ipairs {2, 3, 7} do
      nd.set_threads(threads)
      for k, array in ipairs(all()) do
        assert.is_true(array:bitcast "u8":equal(alone[k]:bitcast "u8"), k .. " on " .. threads)
      end
    end
    nd.set_threads(before)
  end)
end)
