-- nd.records: fields of packed structs as strided views, against LuaJIT's own structs and NumPy's.
local nd = require "ndbuf"
local H = require "spec.helper"
local ffi = require "ffi"

-- ORDER DTYPE: name, bytes
local DTYPES = {
  {"bool", 1}, {"i8", 1}, {"u8", 1}, {"i16", 2}, {"u16", 2}, {"i32", 4}, {"u32", 4}, {"i64", 8},
  {"u64", 8}, {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"c64", 8}, {"c128", 16},
  {"f8e4m3", 1}, {"f8e5m2", 1},
}
local FIELDS = {{"id", "u32"}, {"price", "f64"}, {"port", "u16be"}}

local function sample(n)
  local item = "struct __attribute__((packed)) { uint32_t id; double price; uint8_t p[2]; }[?]"
  local items = ffi.new(item, n)
  for i = 0, n - 1 do
    items[i].id, items[i].price = 100 + i, i / 4
    items[i].p[0], items[i].p[1] = 1, i
  end
  return ffi.string(items, ffi.sizeof(items)), 14
end

describe("records", function()
  it("are a table of strided views, one for each field", function()
    local bytes = nd.frombytes((sample(5)))
    local r = nd.records(bytes, FIELDS)
    assert.same({100, 101, 102, 103, 104}, r.id:totable())
    assert.same({0, 0.25, 0.5, 0.75, 1}, r.price:totable())
    assert.same({256, 257, 258, 259, 260}, r.port:totable())
    assert.same({14}, r.id.byte_strides)
    assert.same({"u32", "f64", "u16"}, {r.id.dtype, r.price.dtype, r.port.dtype})
    assert.same({0, 4}, {r.id.offset, r.price.offset})
    assert.equal(bytes.storage_id, r.id.storage_id)
    assert.equal(bytes.storage_id, r.price.storage_id)
    assert.equal(14 / 4, r.id.strides[1])
  end)

  it("write through, but for a foreign byte order, which is a converted copy", function()
    local bytes = nd.frombytes((sample(2)))
    local r = nd.records(bytes, FIELDS)
    r.id[2] = 0x01020304
    r.price[1] = 2
    assert.equal("\4\3\2\1", bytes:copyout():sub(15, 18))
    assert.equal(2, nd.records(bytes, FIELDS).price[1])
    assert.not_equal(bytes.storage_id, r.port.storage_id)
    r.port[1] = 7
    assert.equal(256, nd.records(bytes, FIELDS).port[1])
    local le = nd.records(bytes, {{"id", "u32le"}})
    assert.equal(bytes.storage_id, le.id.storage_id)
    local one = nd.records(bytes, {{"b", "u8be"}})
    assert.equal(bytes.storage_id, one.b.storage_id)
    local r2 = nd.records(bytes:readonly_view(), FIELDS)
    assert.is_true(r2.id.readonly)
  end)

  it("take offset, stride and count", function()
    local text, n = sample(4)
    local bytes = nd.frombytes("xyz" .. text .. "tail")
    local r = nd.records(bytes, FIELDS, {offset = 3, count = 4})
    assert.same({100, 101, 102, 103}, r.id:totable())
    assert.same({100, 102}, nd.records(bytes, FIELDS, {offset = 3, stride = 2 * n}).id:totable())
    assert.same({101}, nd.records(bytes, FIELDS, {offset = 3 + n, count = 1}).id:totable())
    assert.same({100, 101, 102, 103}, nd.records(bytes, FIELDS, {offset = 3}).id:totable())
    assert.same({}, nd.records(bytes, FIELDS, {count = 0}).id:totable())
    assert.same({}, nd.records(nd.frombytes "abc", FIELDS).id:totable())
    local i64 = ffi.typeof "int64_t"
    local same = nd.records(bytes, FIELDS, {offset = i64(3), stride = i64(n)})
    assert.same({100, 101, 102, 103}, same.id:totable())
    assert.same({100, 101}, nd.records(bytes, FIELDS, {offset = 3, count = i64(2)}).id:totable())
  end)

  it("may be read from a string, any contiguous array or a mapped file", function()
    local text = sample(3)
    assert.same({100, 101, 102}, nd.records(text, FIELDS).id:totable())
    local wide = nd.frombytes(text .. "\0\0", "u16")
    assert.same({0, 0.25, 0.5}, nd.records(wide, FIELDS).price:totable())
    local part = nd.frombytes("ab" .. text)["3:44"]
    assert.same({100, 101, 102}, nd.records(part, FIELDS).id:totable())
    local path = H.write(H.path "r.bin", text)
    assert.same({256, 257, 258}, nd.records(nd.mmap(path), FIELDS).port:totable())
    assert.is_true(nd.records(nd.mmap(path), FIELDS).id.readonly)
  end)

  it("have every dtype in both orders, as NumPy reads them", function()
    local codes = {bool = "b1", i8 = "i1", u8 = "u1", i16 = "i2", u16 = "u2", i32 = "i4",
      u32 = "u4", i64 = "i8", u64 = "u8", f16 = "f2", f32 = "f4", f64 = "f8",
      c64 = "c8", c128 = "c16"}
    local rng = H.rng "records"
    local fields, descr, size = {}, {}, 0
    for _, row in ipairs(DTYPES) do
      if codes[row[1]] then
        for _, order in ipairs {"le", "be"} do
          if row[1] ~= "bool" or order == "le" then
            local name = row[1] .. order
            table.insert(fields, rng(1, #fields + 1), {name, row[1] == "bool" and "bool" or name})
          end
        end
      end
    end
    for i, field in ipairs(fields) do
      local dtype = field[1]:sub(1, -3)
      descr[i] = ("%s %s%s"):format(field[1], field[1]:sub(-2) == "be" and ">" or "<", codes[dtype])
      for _, row in ipairs(DTYPES) do if row[1] == dtype then size = size + row[2] end end
    end
    local t = {}
    for i = 1, 3 * size do t[i] = string.char(rng(0, 1)) end
    local text = table.concat(t)
    local path = H.write(H.path "records", text)
    local out = H.python([=[
import sys, numpy as np
fields = [tuple(f.split()) for f in sys.argv[2:]]
r = np.fromfile(sys.argv[1], np.dtype(fields))
for name, _ in fields:
    print(name, r[name].astype(r[name].dtype.newbyteorder('<')).tobytes().hex())
]=], path, unpack(descr))
    local r = nd.records(text, fields)
    local count = 0
    for name, hex in out:gmatch "(%S+) (%S+)" do
      local own = r[name]:copyout():gsub(".", function(c) return ("%02x"):format(c:byte()) end)
      assert.equal(hex, own, name .. ", seed " .. H.seed)
      assert.equal(name:sub(1, -3), r[name].dtype)
      count = count + 1
    end
    assert.equal(#fields, count)
  end)

  it("refuse what lies outside, and bad fields and options", function()
    local bytes = nd.frombytes((sample(3)))
    H.raises("out_of_bounds", nd.records, bytes, FIELDS, {count = 4})
    H.raises("out_of_bounds", nd.records, bytes, FIELDS, {offset = 1, count = 3})
    H.raises("out_of_bounds", nd.records, bytes, FIELDS, {count = 2, stride = 40})
    H.raises("invalid_argument", nd.records, bytes, FIELDS, {offset = -1, count = 1})
    H.raises("invalid_argument", nd.records, bytes, FIELDS, {count = -1})
    H.raises("invalid_argument", nd.records, bytes, FIELDS, {count = 1.5})
    H.raises("invalid_argument", nd.records, bytes, FIELDS, {stride = 13})
    H.raises("invalid_argument", nd.records, bytes, FIELDS, {step = 14})
    H.raises_like("invalid_argument", "u33", nd.records, bytes, {{"a", "u33"}})
    H.raises_like("invalid_argument", "twice", nd.records, bytes, {{"a", "u8"}, {"a", "u8"}})
    H.raises("type_mismatch", nd.records, bytes, {})
    H.raises("type_mismatch", nd.records, bytes, {{"a"}})
    H.raises("type_mismatch", nd.records, bytes, {"u8"})
    H.raises("type_mismatch", nd.records, bytes)
    H.raises("type_mismatch", nd.records, 5, FIELDS)
    H.raises("type_mismatch", nd.records, bytes, FIELDS, 5)
    H.raises("type_mismatch", nd.records, bytes, FIELDS, {offset = "0"})
    H.raises("invalid_view", nd.records, bytes["::2"], FIELDS)
  end)
end)

describe("a field's dtype", function()
  it("is a name, a name with its byte order, or an object", function()
    local r = nd.records("\1\2\3\4\5\6", {{"a", nd.u16}, {"b", "bf16be"}, {"c", "u16le"}})
    assert.same({"u16", "bf16", "u16"}, {r.a.dtype, r.b.dtype, r.c.dtype})
    H.raises("invalid_argument", nd.records, "ab", {{"a", "be"}})
    H.raises("out_of_bounds", nd.records, nd.zeros(10, "u8"), {{"a", "u8"}}, {offset = 20})
    local e = H.raises("out_of_bounds", nd.records, nd.zeros(10, "u8"), {{"a", "u8"}},
      {offset = 11})
    assert.truthy(e.message:find "11 exceeds the limit of 10 B", e.message)
    assert.equal(0, nd.records(nd.zeros(10, "u8"), {{"a", "u8"}}, {offset = 10}).a.size)
    for bytes, count in pairs {[6] = 1, [7] = 2, [8] = 2, [10] = 2, [11] = 3} do -- the last's gap
      local fields = {{"a", "u8"}, {"b", "u16"}}
      assert.equal(count, nd.records(nd.zeros(bytes, "u8"), fields, {stride = 4}).b.size)
    end
  end)
end)
