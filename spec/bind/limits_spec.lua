-- Arguments one step past what they may be.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"

describe("an integer", function()
  local a = nd.arange(10)

  it("has 64 bits, of which numbers reach the ends", function()
    for _, value in ipairs {2 ^ 63, 2 ^ 64, -2 ^ 63 - 2048, 1e300, 1.5, 0 / 0, math.huge} do
      H.raises_like("invalid_argument", "not an integer", function() a:narrow(1, value, 1) end)
    end
    for _, value in ipairs {2 ^ 63 - 1024, -2 ^ 63} do
      H.raises_like("index_out_of_range", "out of range", function() a:narrow(1, value, 1) end)
    end
  end)

  it("is no u64 past the largest i64", function()
    for _, value in ipairs {0x8000000000000000ULL, 0xffffffffffffffffULL} do
      H.raises_like("invalid_argument", "the limit of i64", function() a:narrow(1, value, 1) end)
    end
    H.raises("index_out_of_range", function() a:narrow(1, 0x7fffffffffffffffULL, 1) end)
    assert.same({3, 4}, a:narrow(1, 3ULL, 2LL):totable())
  end)

  it("is a number only where that holds it exactly", function()
    for _, value in ipairs {9007199254740993LL, -9007199254740993LL, -9007199254740994LL} do
      H.raises("not_representable", function() a:var {ddof = value} end)
    end
    H.raises("invalid_argument", function() a:var {ddof = -9007199254740992LL} end)
    assert.equal(a:var {ddof = 1}, a:var {ddof = 1LL})
  end)
end)

describe("a complex NaN", function()
  it("has no payload in either part, however it is read", function()
    local bits = nd.u32 {0x7fffffff, 0xffff1234, 0x7fffffff, 0xffff1234}
    local z = bits:bitcast "c128"
    local values = {z[1], z:item(), z:get(1), z:totable()[1], z(1)}
    assert.equal(5, #values)
    for i = 1, 5 do
      local words = ffi.cast("const uint32_t *", ffi.new("complex double[1]", values[i]))
      for part = 0, 1 do
        local high = words[2 * part + 1] % 2 ^ 31
        assert.equal(0x7ff80000, high, ("way %d, part %d: %x"):format(i, part, high))
      end
    end
  end)
end)

describe("a path", function()
  it("has no zero byte, and is not empty", function()
    local path = H.path "there.npy"
    nd.save(path, nd.ones(2))
    for _, name in ipairs {path .. "\0", path .. "\0x", "\0", ""} do
      H.raises("invalid_argument", function() nd.load(name) end)
      H.raises("invalid_argument", function() nd.save(name, nd.ones(1)) end)
      H.raises("invalid_argument", function() nd.mmap(name, "u8") end)
    end
  end)
end)

describe("a name", function()
  it("does not end at a zero byte", function()
    H.raises("invalid_argument", function() nd.zeros({2}, "f32\0") end)
    H.raises("invalid_argument", function() nd.zeros({2}, "f32\0x") end)
    H.raises("invalid_argument", function() nd.device "cpu\0" end)
    H.raises("invalid_argument", function() nd.zeros({2}, {["dtype\0"] = "f32"}) end)
  end)
end)

describe("rows of a table", function()
  it("follow one another, short ones and long ones", function()
    for _, dtype in ipairs {"f64", "f32", "i16", "u8"} do
      for width = 1, 40 do
        local rows, wanted = {}, {}
        for i = 1, 3 do
          rows[i] = {}
          for k = 1, width do
            rows[i][k] = (i * 40 + k) % 100
            wanted[#wanted + 1] = rows[i][k]
          end
        end
        assert.same(wanted, nd.array(rows, dtype):flatten():totable(), dtype .. " " .. width)
      end
    end
  end)
end)

describe("bytes", function()
  it("fill a shape exactly", function()
    assert.same({1, 2, 3}, nd.frombytes("\1\2\3", "u8", {3}):totable())
    for _, n in ipairs {0, 2, 4} do
      H.raises_like("size_mismatch", ("3 B, the shape needs %d$"):format(n),
        function() nd.frombytes("\1\2\3", "u8", {n}) end)
    end
  end)
end)

describe("an array like one of a file", function()
  it("is in memory", function()
    local path = H.write(H.path "bytes", ("x"):rep(16))
    local a = nd.mmap(path, "u8")
    for _, name in ipairs {"zeros_like", "ones_like", "empty_like"} do
      local like = nd[name](a)
      assert.equal("cpu", like.device)
      assert.same({16}, like.shape)
    end
    assert.equal("cpu", nd.full_like(a, 7).device)
    assert.equal(("x"):rep(16), H.read(path))
  end)
end)

describe("widths of a padding", function()
  it("are a pair for each axis", function()
    assert.same({0, 0, 1, 1, 0}, nd.ones(2):pad({{2, 1}}):totable())
    for _, widths in ipairs {{}, {{1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}}} do
      H.raises("shape_mismatch", function() nd.ones(2):pad(widths) end)
    end
  end)
end)

describe("a pointer", function()
  it("is refused where elements are misaligned", function()
    local r = nd.records(nd.zeros(27, "u8"), {{"kind", "u8"}, {"value", "f64"}})
    H.raises("invalid_view", function() r.value:ptr() end)
    assert.equal(0, r.kind:ptr()[0])
    assert.equal(0, r.value:clone():ptr()[2])
  end)
end)

describe("a scope", function()
  it("spares the array that was made last before it", function()
    local a = nd.array({1, 2, 3}) -- no other storage is made for it
    local kept = nd.scope(function()
      local view, own = a["1:2"], nd.ones(2)
      return view:clone(), own
    end)
    assert.same({1, 2, 3}, a:totable())
    assert.same({1, 2}, kept:totable())
  end)
end)

describe("a method", function()
  it("is the same of every dtype, but those of one element", function()
    local names = {"bool", "i8", "u64", "f16", "f32", "f64", "c128"}
    for _, one in ipairs(names) do
      for _, other in ipairs(names) do
        local a, b = nd.zeros({2}, one), nd.ones({2}, other)
        local copy = a.clone(b)
        assert.equal(other, copy.dtype)
        assert.is_true(copy:equal(b))
        assert.equal(2, tonumber(a.count_nonzero(b)))
        assert.equal(ffi.typeof(b:ptr()), ffi.typeof(a.ptr(b)))
        if one ~= other then
          H.raises("type_mismatch", a.get, b, 1)
          H.raises("type_mismatch", a.set, b, 1, 0)
        end
      end
    end
    H.raises("type_mismatch", nd.zeros(1).clone, 3)
  end)
end)
