-- Corners of element access and records: C types, another dtype's accessors, u64 from 2^63 on,
-- punned strided stores, the last record.
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"
local nd = require "ndbuf"

describe("a C type", function()
  local types = {ffi.typeof "int64_t", ffi.typeof "uint64_t", ffi.typeof "complex",
    ffi.typeof "complex float", ffi.typeof "double"}

  it("is no number, wherever one is taken", function()
    local a = nd.zeros(3)
    for _, ctype in ipairs(types) do
      H.raises("type_mismatch", nd.zeros, ctype)
      H.raises("type_mismatch", nd.full, {2}, ctype)
      H.raises("type_mismatch", nd.arange, ctype)
      H.raises("type_mismatch", nd.array, {ctype})
      H.raises("type_mismatch", a.fill, a, ctype)
      H.raises("type_mismatch", a.dim, a, ctype)
      H.raises("type_mismatch", a.narrow, a, 1, ctype, 1)
      H.raises("type_mismatch", function() return a[ctype] end)
      H.raises("type_mismatch", function() return a(ctype) end)
      H.raises("type_mismatch", function() return a + ctype end)
      for _, name in ipairs {"offset", "stride", "count"} do
        H.raises("type_mismatch", nd.records, "abcdefghijklmnop", {{"x", "u8"}}, {[name] = ctype})
      end
    end
  end)

  it("is no element of any dtype", function()
    for _, dtype in ipairs(common.NAMES) do
      local a, m = nd.zeros({3}, dtype), nd.zeros({2, 2}, dtype)
      for _, ctype in ipairs(types) do
        for _ = 1, 3 do
          H.raises("type_mismatch", function() a[1] = ctype end)
          H.raises("type_mismatch", a.set, a, 1, ctype)
          H.raises("type_mismatch", m.set, m, 1, 2, ctype)
        end
      end
      assert.equal(0, a:count_nonzero() + m:count_nonzero())
    end
  end)
end)

describe("an accessor of another dtype", function()
  it("is refused, and touches nothing", function()
    for _, one in ipairs(common.NAMES) do
      for _, other in ipairs(common.NAMES) do
        if one ~= other then
          local a, m = nd.ones({4}, one), nd.ones({2, 2}, one)
          local b = nd.ones({4}, other)
          local mt = debug.getmetatable(b)
          H.raises("type_mismatch", b.set, a, 1, 0)
          H.raises("type_mismatch", b.set, m, 1, 2, 0)
          H.raises("type_mismatch", b.get, a, 1)
          H.raises("type_mismatch", mt.__newindex, a, 1, 0)
          H.raises("type_mismatch", mt.__index, a, 1)
          H.raises("type_mismatch", mt.__call, m, 1, 2)
          assert.is_true(a:equal(nd.ones({4}, one)) and m:equal(nd.ones({2, 2}, one)))
        end
      end
    end
  end)
end)

describe("elements that no number holds", function()
  it("are of the C type that the manual names, however they are read", function()
    for dtype, ctype in pairs {i64 = "int64_t", u64 = "uint64_t", c64 = "complex float",
                               c128 = "complex"} do
      local a = nd.full({3}, dtype:find "^c" and 1 or 2 ^ 62 + 2 ^ 10, dtype)
      for _ = 1, 100 do
        for _, x in ipairs {a[1], a[-1], a(3), a:get(2), a"2:3"[1], a"2:2":item()} do
          assert(ffi.typeof(x) == ffi.typeof(ctype), tostring(ffi.typeof(x)))
        end
      end
    end
  end)

  it("or NaNs of small floats, are stored as the same bits, compiled or not", function()
    local bits = {f16 = "u16", bf16 = "u16", f8e4m3 = "u8", f8e5m2 = "u8"}
    for dtype, whole in pairs(bits) do
      local a = nd.full({40}, 0 / 0, dtype)
      local want = a:bitcast(whole)[1]
      for i = 1, 40 do a[i] = a[i] end
      assert(a:bitcast(whole):eq(want):all(), dtype)
    end
  end)
end)

describe("u64 from 2^63 on", function()
  it("is stored exactly from a number and from cdata, in every form", function()
    local numbers = {2 ^ 63, 2 ^ 63 + 2 ^ 11, 2 ^ 64 - 2 ^ 11}
    local wanted = {0x8000000000000000ULL, 0x8000000000000800ULL, 0xfffffffffffff800ULL}
    local a, m = nd.zeros({4}, "u64"), nd.zeros({2, 2}, "u64")
    for _ = 1, 100 do
      for i, x in ipairs(numbers) do
        a[1], a[2] = x, wanted[i]
        a:set(3, x)
        m:set(2, 1, x)
        assert(a[1] == wanted[i] and a[2] == wanted[i] and a[3] == wanted[i])
        assert(m(2, 1) == wanted[i] and nd.full({1}, x, "u64")[1] == wanted[i])
        assert(nd.array({x, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "u64")[1] == wanted[i])
      end
      a[1] = 2 ^ 64
      assert(a[1] == 0xffffffffffffffffULL)
      a[1] = -1
      assert(a[1] == 0)
    end
  end)
end)

describe("a store through a strided view of a punned storage", function()
  it("stores that element and no other byte, of every dtype", function()
    for _, row in ipairs(common.DTYPES) do
      local dtype, size = row[1], row[2]
      local bytes = nd.zeros({size * 12}, "u8")
      local view = bytes:bitcast(dtype) "-1:1:-2"
      local rows = bytes:bitcast(dtype):reshape(3, 4).T
      local copy = nd.zeros({12}, dtype) -- one class only
      for round = 1, 100 do
        local i, v = round % 6 + 1, round % 2
        view[i] = v
        view:set(i, v)
        copy[14 - 2 * i] = v
        rows:set(round % 4 + 1, round % 3 + 1, 1)
        copy[(round % 3) * 4 + round % 4 + 1] = 1
      end
      assert.equal(copy:copyout(), bytes:copyout(), dtype)
    end
  end)
end)

describe("the last record", function()
  it("counts when it is whole, for every length, offset and stride", function()
    local lengths = {}
    for length = 0, 30 do lengths[length + 1] = length end
    for _, length in ipairs(H.some(lengths, 6)) do
      for offset = 0, length do
        for stride = 5, 9 do
          local r = nd.records(("a"):rep(length), {{"x", "u32"}, {"y", "u8"}},
            {offset = offset, stride = stride})
          local n, at = 0, offset
          while at + 5 <= length do n, at = n + 1, at + stride end
          assert(#r.x == n and #r.y == n, ("%d B, offset %d, stride %d: %d, not %d"):format(
            length, offset, stride, #r.x, n))
        end
      end
      H.raises("out_of_bounds", nd.records, ("a"):rep(length), {{"x", "u8"}}, {offset = length + 1})
      local whole = math.floor(length / 5)
      H.raises("out_of_bounds", nd.records, ("a"):rep(length), {{"x", "u32"}, {"y", "u8"}},
        {count = whole + 1})
    end
  end)
end)
