-- .npz: what is refused, and where the bytes lie. NumPy reads and writes them in spec/peers.
local nd = require "ndbuf"
local H = require "spec.helper"

local function u16(n) return string.char(n % 256, math.floor(n / 256) % 256) end
local function u32(n) return u16(n % 65536) .. u16(math.floor(n / 65536)) end
local function u64(n) return u32(n % 2 ^ 32) .. u32(math.floor(n / 2 ^ 32)) end

-- ---- zip archives by hand ----

local crcs = {}
local bit = require "bit"
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do c = bit.bxor(bit.rshift(c, 1), bit.band(c, 1) == 1 and 0xEDB88320 or 0) end
  crcs[i] = c
end
local function crc_of(text)
  local c = -1
  for i = 1, #text do
    c = bit.bxor(bit.rshift(c, 8), crcs[bit.band(bit.bxor(c, text:byte(i)), 255)])
  end
  return bit.bnot(c) % 2 ^ 32
end

-- The bytes of an .npy file of one f64.
local npy = (function()
  local path = H.path "one.npy"
  nd.save(path, nd.array {7})
  return H.read(path)
end)()

-- members: {name, data, fields that lie = value}; 'archive': what the end says otherwise.
local function zip_of(members, archive)
  archive = archive or {}
  local text, directory = archive.before or "", ""
  for _, m in ipairs(members) do
    local name, data = m[1], m[2]
    local method, flags = m.method or 0, m.flags or 0
    local packed, bytes = m.packed or #data, m.bytes or #data
    local at = m.header or #text
    text = text .. "PK\3\4" .. u16(20) .. u16(flags) .. u16(m.local_method or method) .. u32(0)
      .. u32(m.crc or crc_of(data)) .. u32(packed) .. u32(bytes) .. u16(#(m.local_name or name))
      .. u16(0) .. (m.local_name or name) .. data
    local entry = "PK\1\2" .. u16(20) .. u16(m.needs or 20) .. u16(flags)
      .. u16(method) .. u32(0) .. u32(m.crc or crc_of(data)) .. u32(packed) .. u32(bytes)
      .. u16(#name)
      .. u16(#(m.extra or "")) .. u16(m.comment or 0) .. u16(0) .. u16(0) .. u32(0) .. u32(at)
      .. name .. (m.extra or "")
    directory = archive.backwards and entry .. directory or directory .. entry
  end
  local count = archive.count or #members
  return text .. directory .. (archive.between or "") .. "PK\5\6" .. u16(archive.part or 0)
    .. u16(0) .. u16(count) .. u16(count) .. u32(archive.bytes or #directory)
    .. u32(archive.offset or #text) .. u16(#(archive.comment or "")) .. (archive.comment or "")
    .. (archive.after or "")
end

local function load_zip(...)
  return nd.load(H.write(H.path "x.npz", zip_of(...)))
end

local function refused(code, pattern, members, archive)
  H.raises_like(code, pattern, nd.load, H.write(H.path "x.npz", zip_of(members, archive)))
end

describe("an .npz file", function()
  it("has its arrays by name", function()
    assert.equal(7, load_zip({{"a.npy", npy}}).a[1])
    local t = load_zip({{"b/c.npy", npy}, {"notes.txt", "no array"}, {".npy", npy}},
      {comment = "a comment PK\5\6 that looks like an end"})
    local names = {}
    for name in pairs(t) do names[#names + 1] = name end
    table.sort(names)
    assert.same({"", "b/c"}, names)
    assert.same({}, load_zip {})
    assert.equal(7, load_zip({{"a.npy", npy}}, {before = "a program that unpacks it",
      offset = 25 + 35 + #npy}).a and 7)
    for _, length in ipairs {1001, 1002, 1003, 65535} do -- 1 KiB at the end is read first
      assert.equal(7, load_zip({{"a.npy", npy}}, {comment = ("c"):rep(length)}).a[1])
    end
    t = load_zip({{"a.npy", npy}, {"b.npy", npy}}, {backwards = true})
    assert.same({7, 7}, {t.a[1], t.b[1]})
  end)

  it("is refused where it contradicts itself", function()
    refused("format", "end record", {}, {after = "x"})
    refused("format", "end record", {}, {comment = "abc", after = "d"})
    refused("unsupported", "several parts", {{"a.npy", npy}}, {part = 1})
    refused("format", "room", {{"a.npy", npy}}, {count = 2})
    refused("format", "end of the directory", {{"a.npy", npy}, {"b.npy", npy}}, {count = 1})
    refused("format", "directory", {{"a.npy", npy}}, {offset = 2 ^ 31})
    refused("format", "directory", {{"a.npy", npy}}, {bytes = 2 ^ 31})
    refused("format", "directory", {{"a.npy", npy}}, {bytes = 46 + 5 + 23})
    refused("format", "entry", {{"a.npy", npy}}, {offset = 0})
    refused("format", "ends within", {{"a.npy", npy, comment = 1}})
    refused("unsupported", "encrypted", {{"a.npy", npy, flags = 1}})
    refused("unsupported", "encrypted", {{"a.npy", npy, flags = 64}})
    refused("unsupported", "encrypted", {{"a.npy", npy, flags = 8192}})
    refused("unsupported", "patch", {{"a.npy", npy, flags = 32}})
    refused("unsupported", "version 6.4", {{"a.npy", npy, needs = 64}})
    assert.equal(7, load_zip({{"a.npy", npy, needs = 63}}).a[1])
    refused("unsupported", "method 12", {{"a.npy", npy, method = 12}})
    refused("format", "another name", {{"a.npy", npy, local_name = "b.npy"}})
    refused("format", "another method", {{"a.npy", npy, local_method = 8}})
    refused("format", "this name", {{"a.npy", npy}, {"a.npy", npy}})
    refused("format", "overlaps", {{"a.npy", npy}, {"b.npy", npy, header = 0}})
    local long = {"a.npy", npy, packed = #npy + 1, bytes = #npy + 1}
    refused("format", "overlaps", {long})
    refused("format", "overlaps", {long, {"b.npy", npy}})
    refused("format", "within the file",
      {{"a.npy", npy, header = 2 ^ 15}, {"b.npy", npy, header = 2 ^ 16}})
    refused("format", "no header", {{"a.npy", npy, header = 1}})
    refused("format", "within the file", {{"a.npy", npy, packed = 2 ^ 20, bytes = 2 ^ 20}})
    refused("format", "two sizes", {{"a.npy", npy, bytes = 5}})
    refused("format", "checksum", {{"a.npy", npy, crc = 1}})
    refused("format", "0 byte", {{"a\0.npy", npy}})
    refused("format", "ZIP64", {{"a.npy", npy, bytes = 2 ^ 32 - 1}})
    refused("format", "ZIP64",
      {{"a.npy", npy, bytes = 2 ^ 32 - 1, extra = u16(1) .. u16(4) .. "abcd"}})
    refused("format", "ZIP64", {{"a.npy", npy, bytes = 2 ^ 32 - 1, extra = u16(1) .. u16(99)}})
    refused("format", "ZIP64", {{"a.npy", npy, extra = u16(9) .. u16(4)}})
    refused("format", "ZIP64", {{"a.npy", npy, bytes = 2 ^ 32 - 1, packed = 2 ^ 32 - 1,
      extra = u16(1) .. u16(8) .. u64(#npy)}})
    refused("format", "within the file",
      {{"a.npy", npy, bytes = 2 ^ 32 - 1, packed = 2 ^ 32 - 1,
        extra = u16(1) .. u16(16) .. u64(2 ^ 50) .. u64(2 ^ 50)}})
    refused("format", "room", {{"a.npy", npy}}, {count = 65535})
    refused("format", "NUMPY", {{"a.npy", "no array"}})
    refused("format", "truncated", {{"a.npy", npy:sub(1, -2)}})
    assert.equal(7, load_zip({{"a.npy", npy .. "more"}}).a[1]) -- as NumPy ignores it
  end)

  it("gives the arrays that are wanted, in whatever order", function()
    local arrays, wanted = {}, {}
    for i = 1, 30 do
      arrays["a" .. i] = nd.full({2}, i)
      if i % 3 > 0 then table.insert(wanted, i % 2 + 1, "a" .. i) end
    end
    for _, ext in ipairs {".npz", ".safetensors"} do
      local path = H.path("x" .. ext)
      nd.save(path, arrays)
      local got = nd.load(path, {names = wanted})
      for i = 1, 30 do assert.equal(i % 3 > 0 and i or nil, got["a" .. i] and got["a" .. i][2]) end
    end
  end)

  it("passes over members that are no arrays, and those that are not wanted", function()
    local members = {{"a.npy", npy}, {"x.txt", "x", method = 12}, {"y.txt", "y", flags = 1},
      {"b.npy", "no array"}, {"c.npy", npy, method = 99}}
    refused("format", "NUMPY", members)
    local path = H.write(H.path "x.npz", zip_of(members))
    for _, map in ipairs {false, true} do
      local t = nd.load(path, {names = {"a"}, mmap = map})
      assert.same({7, nil}, {t.a[1], t.b})
    end
    assert.same({}, nd.load(path, {names = {}}))
    H.raises_like("invalid_argument", '"d"', nd.load, path, {names = {"a", "d"}})
    H.raises_like("invalid_argument", '"d"', nd.load, path, {names = {"d", "a"}})
    assert.equal(7, nd.load(path, {names = {"a", "a"}}).a[1])
    assert.equal(7, nd.load(path, {names = {"a", "a", "a"}}).a[1])
    H.raises_like("invalid_argument", "0 byte", nd.load, path, {names = {"a\0b"}})
    H.raises_like("unsupported", "method 99", nd.load, path, {names = {"c"}})
    H.raises("type_mismatch", nd.load, path, {names = "a"})
    H.raises("type_mismatch", nd.load, path, {names = {1}})
    H.raises_like("invalid_argument", "other keys", nd.load, path, {names = {a = true}})
    H.raises_like("invalid_argument", "there are a, b, c$", nd.load, path, {names = {"d"}})
    H.raises_like("invalid_argument", "known are none", nd.save, path, {a = nd.ones(1)}, {rate = 1})
    H.raises("invalid_argument", nd.load, H.write(H.path "x.npy", npy), {names = {"a"}})
  end)

  it("has any number of members", function()
    local counts = {65534, 65535, 65536}
    local path = H.path "many.npz"
    H.python([[
import shutil, sys, zipfile
path, array, i = sys.argv[1], open(sys.argv[2], 'rb').read(), 1
for count in sys.argv[3:]:
    with zipfile.ZipFile(path, 'a') as z: # which writes the directory anew
        if i == 1: z.writestr('a.npy', array)
        while i < int(count):
            z.writestr('%x' % i, b'')
            i += 1
    shutil.copy(path, path + count + '.npz')
]], path, H.write(H.path "y.npy", npy), unpack(counts))
    for _, count in ipairs(counts) do
      assert.equal(7, nd.load(path .. count .. ".npz").a[1], count)
    end
  end)

  it("refuses what it cannot have, before it is made", function()
    local path = H.path "none.npz"
    H.raises("invalid_argument", nd.save, path, {["\255"] = nd.zeros(1)})
    H.raises("invalid_argument", nd.save, path, {{"a", nd.zeros(1)}, b = nd.zeros(1)})
    H.raises("capacity", nd.save, path, {[("x"):rep(4001)] = nd.zeros(1)})
    H.raises("type_mismatch", nd.save, path, {{"a", nd.zeros(1)}, 1})
    assert.is_false(H.exists(path))
    nd.save(path, {[("x"):rep(4000)] = nd.ones(1)})
    assert.equal(1, nd.load(path)[("x"):rep(4000)][1])
  end)

  it("is read from what ZIP64 records say", function()
    local text = zip_of {{"a.npy", npy}}
    local start = text:find("PK\1\2", 1, true) - 1
    local directory = text:sub(start + 1, text:find("PK\5\6", 1, true) - 1)
    local function with(records) return text:sub(1, start) .. directory .. records end
    local function records(field)
      local r = {count = 1, bytes = #directory, offset = start, at = start + #directory}
      for key, value in pairs(field or {}) do r[key] = value end
      return "PK\6\6" .. u64(44) .. u16(45) .. u16(45) .. u32(0) .. u32(0) .. u64(r.count)
        .. u64(r.count) .. u64(r.bytes) .. u64(r.offset)
        .. "PK\6\7" .. u32(0) .. u64(r.at) .. u32(1)
        .. "PK\5\6" .. u32(0) .. u16(65535) .. u16(65535) .. u32(2 ^ 32 - 1) .. u32(2 ^ 32 - 1)
        .. u16(0)
    end
    local path = H.path "x.npz"
    assert.equal(7, nd.load(H.write(path, with(records()))).a[1])
    for _, field in ipairs {
      {count = 2}, {count = 0}, {count = 2 ^ 40}, {bytes = 2 ^ 40}, {bytes = 1}, {offset = 2 ^ 50},
      {offset = 1}, {at = 2 ^ 50}, {at = 3}, {at = start + #directory + 76},
    } do H.raises("format", nd.load, H.write(path, with(records(field)))) end
  end)

  it("unpacks no more than its header says, and than is possible", function()
    local packed = H.python([[
import sys, zlib
z = zlib.compressobj(9, zlib.DEFLATED, -15)
data = open(sys.argv[1], 'rb').read()
sys.stdout.buffer.write(z.compress(data) + z.flush())]], H.write(H.path "y.npy", npy))
    local fields = {method = 8, crc = crc_of(npy), bytes = #npy}
    local function member(more)
      local m = {"a.npy", packed}
      for key, value in pairs(fields) do m[key] = value end
      for key, value in pairs(more) do m[key] = value end
      return {m}
    end
    assert.equal(7, load_zip(member {}).a[1])
    local large = 2 ^ 32 - 1
    assert.equal(7, load_zip(member {bytes = large, packed = large, header = large,
      extra = u16(9) .. u16(1) .. "x" .. u16(1) .. u16(24) .. u64(#npy) .. u64(#packed) .. u64(0)})
      .a[1])
    refused("format", "more than is possible", member {bytes = 2 ^ 31})
    refused("format", "less than it says", member {bytes = #npy + 1000})
    refused("format", "less than it says", member {[2] = H.python([[
import sys, zlib
z = zlib.compressobj(9, zlib.DEFLATED, -15)
data = open(sys.argv[1], 'rb').read()[:-3]
sys.stdout.buffer.write(z.compress(data) + z.flush())]], H.write(H.path "y.npy", npy))})
    refused("format", "checksum", member {crc = 5})
    refused("format", "truncated", member {bytes = #npy - 1})
    refused("format", "more than it says", member {bytes = #npy - 1, crc = crc_of(npy:sub(1, -2)),
      [2] = H.python([[
import sys, zlib
z = zlib.compressobj(9, zlib.DEFLATED, -15)
data = open(sys.argv[1], 'rb').read().replace(b"(1,)", b"(0,)")
sys.stdout.buffer.write(z.compress(data) + z.flush())]], H.write(H.path "y.npy", npy))})
    refused("format", "too early", member {[2] = packed:sub(1, -5)})
    refused("format", "damaged", member {[2] = "\7" .. packed:sub(2)})
    refused("format", "more than it says", member {[2] = packed .. "x"})
    H.raises_like("unsupported", "mmap = false", nd.load,
      H.write(H.path "x.npz", zip_of(member {})), {mmap = true})
  end)

  it("unpacks what is much smaller, and what ends where a buffer does", function()
    local path = H.write(H.path "zeros.npz", H.python([[
import io, sys, zipfile, numpy as np
out = io.BytesIO()
np.savez_compressed(out, a=np.zeros(1 << 20, np.uint8))
sys.stdout.buffer.write(out.getvalue())]]))
    assert.is_true(#H.read(path) * 512 < 2 ^ 20)
    assert.is_true(nd.load(path).a:equal(nd.zeros(2 ^ 20, "u8")))
    local full = H.path "full.npy"
    nd.save(full, nd.full(65531 - 128, 3, "u8"))
    local data = H.read(full)
    -- Blocks that deflate only stores: the data, which fills a buffer of 64 KiB, and then another
    -- one of blocks that are empty. Two bytes are an empty block by Huffman's codes, and what the
    -- last one begins with.
    local function block(first, text) return first .. u16(#text) .. u16(65535 - #text) .. text end
    local packed = block("\0", data) .. block("\0", ""):rep(13106) .. block("\2\4", "")
    assert.equal(2 * 65536, #packed)
    local function member(more)
      return {{"a.npy", packed .. more, method = 8, crc = crc_of(data), bytes = #data}}
    end
    assert.equal(3 * (65531 - 128), load_zip(member "").a:sum())
    refused("format", "more than it says", member "x")
  end)

  it("is mapped within its members alone, and in our order of bytes", function()
    local function map(data)
      return nd.load(H.write(H.path "x.npz", zip_of {{"a.npy", data}}), {mmap = true})
    end
    assert.equal(7, map(npy).a[1])
    H.raises_like("format", "truncated", map, npy:sub(1, -2))
    H.raises_like("unsupported", "endian data cannot be mapped", map, (npy:gsub("<f8", ">f8")))
  end)

  it("leaves nothing where it is refused, nor a mapping", function()
    local path = H.path "x.npz"
    nd.save(path, {a = nd.ones(1e5), b = nd.ones(1e5)})
    H.leaves_nothing(path, function() assert.equal(1, nd.load(path, {mmap = true}).a[1]) end)
    H.leaves_nothing(path, function() assert.equal(1, nd.load(path).a[1]) end)
    for _, map in ipairs {false, true} do
      H.leaves_nothing(path, function()
        H.raises("invalid_argument", nd.load, path, {names = {"a", "d"}, mmap = map})
      end)
    end
    local text = H.read(path)
    H.write(path, text:sub(1, 1000) .. "x" .. text:sub(1002))
    H.leaves_nothing(path, function() H.raises_like("format", "checksum", nd.load, path) end)
  end)

  it("of ours has what others look for", function()
    local path = H.path "x.npz"
    nd.save(path, {["\195\164"] = nd.ones(3, "u8"), b = nd.ones(1)})
    assert.equal("b.npy None \195\164.npy\n", H.python([[
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(z.namelist()[0], z.testzip(), end=' ')
sys.stdout.flush()
sys.stdout.buffer.write(z.namelist()[1].encode() + b'\n')]], path))
    -- the local header of the first: its checksum, its extra fields
    local text = H.read(path)
    local function field(at, bytes)
      local value = 0
      for i = bytes, 1, -1 do value = value * 256 + text:byte(at + i) end
      return value
    end
    local extra = field(28, 2)
    local data = text:sub(36 + extra, 35 + extra + field(22, 4))
    assert.equal(crc_of(data), field(14, 4))
    assert.same({0xD935, extra - 4, 64, 0},
      {field(35, 2), field(37, 2), field(39, 2), (35 + extra) % 64})
  end)

  it("of ours has its arrays by name, or in the order of the list", function()
    local path, list, t = H.path "x.npz", {}, {}
    for i = 1, 100 do
      list[i] = {("%d"):format(i * 37 % 101), nd.zeros(1)}
      t[list[i][1]] = list[i][2]
    end
    local function order(arrays)
      nd.save(path, arrays)
      local names = {}
      for name in H.python("import sys, zipfile\nprint(*zipfile.ZipFile(sys.argv[1]).namelist())",
        path):gmatch "(%d+)%.npy" do names[#names + 1] = name end
      return names
    end
    local names = {}
    for i, pair in ipairs(list) do names[i] = pair[1] end
    assert.same(names, order(list))
    table.sort(names)
    assert.same(names, order(t))
  end)

  it("of ours has a ZIP64 record from 65535 members on", function()
    local path, list, one = H.path "many.npz", {}, nd.zeros({}, "u8")
    for i = 1, 65534 do list[i] = {("%x"):format(i), one} end
    nd.save(path, list)
    assert.is_falsy(H.read(path):find("PK\6\6", 1, true))
    list[65535] = {"last", one}
    nd.save(path, list)
    local record = H.read(path):match "PK\6\6.*"
    assert.equal("PK\6\6" .. u64(44), record:sub(1, 12))
    assert.equal(0, nd.load(path, {names = {"last"}}).last:item())
    assert.equal("65535\n",
      H.python("import sys, zipfile\nprint(len(zipfile.ZipFile(sys.argv[1]).namelist()))", path))
  end)

  it("of ours is the same each time, with each array at a multiple of 64", function()
    local first, second = H.path "1.npz", H.path "2.npz"
    local t = {}
    for i = 1, 300 do t[("n"):rep(i % 90) .. i] = nd.randint(0, 255, {i % 7, 3}, "u8") end
    nd.save(first, t)
    nd.save(second, t)
    assert.equal(H.read(first), H.read(second))
    for name, a in pairs(nd.load(first, {mmap = true})) do
      assert.is_true(a:equal(t[name]) and (a.size == 0 or a:address() % 64 == 0), name)
    end
    nd.save(first, nd.arange(1, 3))
    assert.equal(6, nd.load(first).arr_0:sum())
  end)

  it("goes on without its library, but for what is compressed", function()
    local plain = H.write(H.path "x.npz", zip_of {{"a.npy", npy}})
    local packed = H.write(H.path "y.npz", zip_of {{"a.npy", "x", method = 8}})
    local status, out = H.luajit_without("libz.so.1", [[
      local nd = require "ndbuf"
      local plain, packed = ...
      print(nd.load(plain).a[1])
      local fine, e = pcall(nd.load, packed)
      print(fine, e.code, e.message:find("zlib1g", 1, true) ~= nil)]], plain, packed)
    assert.same({0, "7\nfalse\tunsupported\ttrue\n"}, {status, out})
  end)
end)
