-- Operands in unusual places: copies of what overlaps, nothing at all, the ends of a range.
local nd = require "ndbuf"
local H = require "spec.helper"

local SIGNED = {i8 = -128, i16 = -32768, i32 = -2147483648}

describe("a copy between views of one memory", function()
  it("converts by the mode that was asked for", function()
    local bytes = nd.u8 {0x34, 0x12, 0x01, 0x7f, 0, 0}
    local words = bytes:bitcast "u16" -- 0x1234, 0x7f01, 0
    local source = nd.u8 {0x34, 0x12, 0x01, 0x7f, 0, 0}:bitcast "u16"
    for mode, wanted in pairs {wrap = {0x34, 0x01, 0}, saturate = {255, 255, 0}} do
      bytes:copyin "\x34\x12\x01\x7f\0\0"
      bytes["1:3"]:copy_from(words, {mode = mode})
      assert.same(wanted, bytes["1:3"]:totable(), mode)
      local apart = nd.zeros({3}, "u8"):copy_from(source, {mode = mode})
      assert.same(apart:totable(), bytes["1:3"]:totable(), mode)
    end
    bytes:copyin "\x34\x12\x01\x7f\0\0"
    H.raises("not_representable", function() bytes["1:3"]:copy_from(words, {mode = "check"}) end)
    assert.same({0x34, 0x12, 0x01, 0x7f, 0, 0}, bytes:totable())
    local one = nd.zeros({1}, "u8")
    H.raises("not_representable", one.copy_from, one, nd.i32 {300}, {mode = "check"})
  end)
end)

describe("an item", function()
  it("is of one element: none is refused like two", function()
    assert.equal(7, nd.full({1, 1}, 7):item())
    for text, shape in pairs {["0"] = {0}, ["2"] = {2}, ["3x0"] = {3, 0}} do
      H.raises_like("size_mismatch", "^item: the array %(" .. text .. "%) has %d elements, not 1$",
        function() nd.zeros(shape):item() end)
    end
  end)
end)

describe("a stack", function()
  it("refuses parts that differ on any axis, the new one's place too", function()
    for axis = 1, 3 do
      for differs, shape in ipairs {{4, 3}, {2, 4}} do
        local parts = {nd.zeros {2, 3}, nd.zeros(shape)}
        H.raises_like("shape_mismatch", ("^stack along axis %d: .* differ on axis %d$")
          :format(axis, differs), nd.stack, parts, axis)
      end
    end
  end)
end)

describe("bytes that are neither 0 nor 1", function()
  it("are true where they are taken for bools", function()
    local truths = nd.u8 {0, 1, 2, 128, 255}:bitcast "bool"
    assert.same({5, 1, 1, 1, 1}, nd.where(truths, 1, 5):totable())
    assert.same({1, 2, 3, 4}, nd.arange(0, 4)[truths]:totable())
    assert.same({true, false, false, false, false}, truths:logical_not():totable())
    assert.equal(4, tonumber(truths:sum()))
  end)
end)

describe("where(condition)", function()
  it("counts positions from 1, on each axis", function()
    local rows, columns = nd.where(nd.array({{0, 5, 0}, {1, 0, 2}}))
    assert.same({1, 2, 2}, rows:astype "f64":totable())
    assert.same({2, 1, 3}, columns:astype "f64":totable())
  end)
end)

describe("randint", function()
  it("reaches the least integer of each dtype", function()
    for dtype, least in pairs(SIGNED) do
      assert.same({least}, nd.randint(least, least, {1}, dtype):totable(), dtype)
      H.raises("invalid_argument", function() nd.randint(least - 1, least, {1}, dtype) end)
    end
  end)
end)

describe("one element of another dtype", function()
  it("meets each element of a long run", function()
    for _, dtype in ipairs {"i8", "u16", "f16", "f32"} do
      local x, one = nd.arange(5000), nd.full({1}, 7, dtype)
      assert.is_true((x + one):equal(x + 7), dtype)
      assert.is_true((one * x):equal(x * 7), dtype)
      assert.is_true(nd.where(x:gt(9), one, x):equal(nd.where(x:gt(9), 7, x)), dtype)
    end
  end)
end)

describe("division of integers", function()
  it("is floored, and wraps for the least by -1", function()
    for dtype, least in pairs(SIGNED) do
      local x = nd.array({least, least, least, -7, -6, 6, 7, 0}, dtype)
      local y = nd.array({-1, 1, least, 2, -2, -2, -2, -1}, dtype)
      assert.same({least, least, 1, -4, 3, -3, -4, 0}, x:idiv(y):totable(), dtype)
      assert.same({0, 0, 0, 1, 0, 0, -1, 0}, x:mod(y):totable(), dtype)
    end
    local x, y = nd.array({-0x8000000000000000LL, -6LL}, "i64"), nd.array({-1LL, -3LL}, "i64")
    assert.is_true(x:idiv(y):equal(nd.array({-0x8000000000000000LL, 2LL}, "i64")))
    assert.is_true(x:mod(y):equal(nd.zeros({2}, "i64")))
  end)
end)

describe("the position of what cannot be represented", function()
  it("is counted through all rows of a view", function()
    for _, at in ipairs {1, 3, 4, 8, 12} do
      local a = nd.zeros {4, 5}
      local v = a["1:4, 2:4"]
      v:set(math.floor((at - 1) / 3) + 1, (at - 1) % 3 + 1, 300)
      local e = H.raises("not_representable", function() v:astype("u8", {mode = "check"}) end)
      assert.equal(at, e.position)
    end
  end)
end)

describe("idiv of floats", function()
  it("gives the whole number that a rounded quotient lies just below", function() -- as NumPy does
    local x = nd.array {2317216.9238091735, 134474.45169065596, 9111919.3626990635}
    local y = nd.array {7.2005985831704127, 8.920500236901713, 5.593553684530395}
    assert.same({321808, 15074, 1629003}, x:idiv(y):totable())
  end)
end)
