-- .png and .jpg. Pillow reads and writes them in spec/peers; here PNG files of every kind are made
-- by hand, with NumPy's bits and zlib.
local nd = require "ndbuf"
local H = require "spec.helper"

-- Writes folder/N.png and folder/N.raw, its samples as 8 or 16 bits, little-endian; prints for
-- each: N rows columns channels bytes.
local MAKE_ALL = [==[
import sys, zlib, struct, numpy as np
folder, rng = sys.argv[1], np.random.default_rng(int(sys.argv[2]))
def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
def filtered(rows, width):
    # each row by another filter; 'width': bytes of a pixel, at least 1
    out, before = b'', np.zeros(rows.shape[1], int)
    for i, row in enumerate(rows.astype(int)):
        left = np.concatenate([np.zeros(width, int), row[:-width]]) if width else row
        corner = np.concatenate([np.zeros(width, int), before[:-width]])
        kind = i % 5
        p = left + before - corner
        a, b, c = abs(p - left), abs(p - before), abs(p - corner)
        paeth = np.where((a <= b) & (a <= c), left, np.where(b <= c, before, corner))
        guess = [0, left, before, (left + before) // 2, paeth][kind]
        out += bytes([kind]) + ((row - guess) % 256).astype(np.uint8).tobytes()
        before = row
    return out
def packed(samples, depth):
    # samples: rows x values
    if depth == 16: return samples.astype('>u2').view(np.uint8).reshape(len(samples), -1)
    if depth == 8: return samples.astype(np.uint8)
    bits = np.unpackbits(samples.astype(np.uint8)[..., None], axis=2)[..., 8 - depth:]
    return np.packbits(bits.reshape(len(samples), -1), axis=1)
ADAM = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
        (1, 0, 2, 1)]
n = 0
for color, channels, depths in [(0, 1, (1, 2, 4, 8, 16)), (2, 3, (8, 16)), (3, 1, (1, 2, 4, 8)),
                                (4, 2, (8, 16)), (6, 4, (8, 16))]:
    for depth in depths:
        for interlace in (0, 1):
            for transparent in (False, True):
                if transparent and color > 3: continue
                h, w = int(rng.integers(1, 30)), int(rng.integers(1, 30))
                x = rng.integers(0, 2 ** depth, (h, w, channels))
                parts = [x[r::dr, c::dc] for r, c, dr, dc in ADAM] if interlace else [x]
                size = max(1, depth * channels // 8)
                data = b''.join(filtered(packed(p.reshape(len(p), -1), depth), size)
                                for p in parts if p.size)
                extra, out = b'', x
                if color == 3:
                    palette = rng.integers(0, 256, (2 ** depth, 3)).astype(np.uint8)
                    extra += chunk(b'PLTE', palette.tobytes())
                    out = palette[x[..., 0]]
                    if transparent:
                        alpha = rng.integers(0, 256, 2 ** depth).astype(np.uint8)
                        extra += chunk(b'tRNS', alpha.tobytes())
                        out = np.concatenate([out, alpha[x]], 2)
                else:
                    if transparent:
                        key = x[0, 0]
                        extra += chunk(b'tRNS', key.astype('>u2').tobytes())
                    if depth < 8: out = x * (255 // (2 ** depth - 1))
                    if transparent:
                        most = 65535 if depth == 16 else 255
                        alpha = np.where((x == key).all(2, keepdims=True), 0, most)
                        out = np.concatenate([out, alpha], 2)
                kind = np.uint16 if depth == 16 else np.uint8
                n += 1
                data = zlib.compress(data)
                cut = len(data) // 2
                with open('%s/%d.png' % (folder, n), 'wb') as f:
                    head = struct.pack('>IIBBBBB', w, h, depth, color, 0, 0, interlace)
                    f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + extra +
                            chunk(b'tEXt', b'a\0b') +
                            chunk(b'IDAT', data[:cut]) + chunk(b'IDAT', data[cut:]) +
                            chunk(b'IEND', b''))
                with open('%s/%d.raw' % (folder, n), 'wb') as f: f.write(out.astype(kind).tobytes())
                print(n, h, w, out.shape[2], kind().itemsize)
]==]


describe("a .png file", function()
  it("of any kind is read exactly", function()
    local folder = H.dir()
    local count = 0
    for n, h, w, channels, bytes in H.python(MAKE_ALL, folder, H.seed % 2 ^ 31)
      :gmatch "(%d+) (%d+) (%d+) (%d+) (%d+)" do
      local a = nd.load(folder .. "/" .. n .. ".png")
      assert.equal(bytes == "2" and "u16" or "u8", a.dtype, n)
      local shape = {tonumber(h), tonumber(w)}
      if channels ~= "1" then shape[3] = tonumber(channels) end
      assert.same(shape, a.shape, n)
      assert.equal(H.read(folder .. "/" .. n .. ".raw"), a:copyout(), n)
      count = count + 1
    end
    assert.equal(52, count)
  end)

  it("of ours comes back as it was, from every layout", function()
    local path = H.path "x.png"
    for _, dtype in ipairs {"u8", "u16"} do
      for channels = 0, 4 do
        local a = nd.randint(0, 255, channels == 0 and {19, 23} or {19, 23, channels}, dtype)
        for _, view in ipairs {a, a:flip(1), a:swapaxes(1, 2), a"2:, ::3"} do
          nd.save(path, view)
          local back = nd.load(path)
          assert.is_true(back:equal(channels == 1 and view:squeeze(3) or view))
        end
      end
    end
  end)

  it("is refused where it is cut off, or damaged, anywhere", function()
    local path = H.path "x.png"
    nd.save(path, nd.randint(0, 255, {6, 7, 3}, "u8"))
    local text = H.read(path)
    for at = 0, #text - 1 do
      H.raises("format", nd.load, H.write(path, text:sub(1, at)))
    end
    local rng = H.rng "png"
    local fine = 0
    for _ = 1, H.cases(300) do
      local at = rng(#text)
      local changed = string.char((text:byte(at) + rng(255)) % 256)
      H.write(path, text:sub(1, at - 1) .. changed .. text:sub(at + 1))
      local ok, e = pcall(nd.load, path)
      if ok then fine = fine + 1
      else assert.is_truthy(e.code == "format", tostring(e)) end
    end
    assert.is_true(fine <= 3, fine) -- the length of the last chunk's checksum, say
  end)

  it("of many pixels in few bytes is refused before they are allocated", function()
    local path = H.path "x.png"
    nd.save(path, nd.zeros({1, 1}, "u8"))
    local text = H.read(path)
    local header = H.python([[
import sys, zlib, struct
w, h, depth = (int(n) for n in sys.argv[1:])
data = b'IHDR' + struct.pack('>IIBBBBB', w, h, depth, 0, 0, 0, 0)
sys.stdout.buffer.write(data + struct.pack('>I', zlib.crc32(data)))]], 65000, 65000, 8)
    local before = nd.device "cpu":memory_info().peak
    H.raises_like("format", "65000", nd.load,
      H.write(path, text:sub(1, 12) .. header .. text:sub(34)))
    assert.equal(before, nd.device "cpu":memory_info().peak)
  end)

  it("may have as many pixels as deflate can pack", function()
    local path = H.path "x.png"
    nd.save(path, nd.zeros({2000, 2000}, "u8"))
    assert.is_true(nd.load(path):equal(nd.zeros({2000, 2000}, "u8")))
    H.write(path, H.python [[
import sys, zlib, struct
def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
sys.stdout.buffer.write(b'\x89PNG\r\n\x1a\n' +
    chunk(b'IHDR', struct.pack('>IIBBBBB', 4000, 4000, 1, 0, 0, 0, 0)) +
    chunk(b'IDAT', zlib.compress(bytes(4000 * 501), 9)) + chunk(b'IEND', b''))]])
    assert.same({4000, 4000}, nd.load(path).shape)
  end)

  it("leaves nothing where it is refused, nor of what is saved", function()
    local path = H.path "x.png"
    H.leaves_nothing(path, function() nd.save(path, nd.ones({300, 400}, "u8").T) end)
    local text = H.read(path)
    H.write(path, text:sub(1, -10))
    H.leaves_nothing(path, function() H.raises("format", nd.load, path) end)
  end)

  it("may be as wide as the format allows", function()
    local path = H.path "x.png"
    for _, shape in ipairs {{1, 1000001}, {1000001, 1}} do
      local a = nd.randint(0, 255, shape, "u8")
      nd.save(path, a)
      assert.is_true(nd.load(path):equal(a))
    end
  end)

  it("refuses what it cannot have", function()
    local path = H.path "none.png"
    for _, a in ipairs {nd.zeros({3}, "u8"), nd.zeros({3, 3, 5}, "u8"), nd.zeros({0, 3}, "u8"),
      nd.zeros({3, 3, 0}, "u8"), nd.zeros({1, 1, 1, 1}, "u8")} do
      H.raises("shape_mismatch", nd.save, path, a)
    end
    for _, dtype in ipairs {"f32", "i8", "bool", "u32"} do
      H.raises("type_mismatch", nd.save, path, nd.zeros({3, 3}, dtype))
    end
    assert.is_false(H.exists(path))
    nd.save(path, nd.zeros({3, 3}, "u8"))
    H.raises_like("unsupported", "mmap = false", nd.load, path, {mmap = true})
  end)
end)

describe("a .jpg file", function()
  local function picture(channels)
    local a = nd.linspace(0, 250, 60 * 80):reshape(60, 80)
    local wave = nd.sin(nd.arange(1, 80) / 9) * 40 + 60
    local grey = (a / 2 + wave):astype "u8"
    return channels == 1 and grey or nd.stack({grey, grey:flip(1), grey:flip(2)}, 3)
  end

  it("comes back near to what it was, nearer with more quality", function()
    for _, channels in ipairs {1, 3} do
      local a, last, bytes = picture(channels), 256, 0
      for _, quality in ipairs {20, 60, 90, 100} do
        local path = H.path(quality .. ".jpeg")
        nd.save(path, a, {quality = quality})
        local back = nd.load(path)
        assert.same({a.shape, "u8"}, {back.shape, back.dtype})
        local off = (back:astype "f32" - a:astype "f32"):abs():mean()
        assert.is_true(off <= last and #H.read(path) >= bytes, quality .. ": " .. off)
        last, bytes = off, #H.read(path)
      end
      assert.is_true(last < 1.5, last)
      nd.save(H.path "t.jpg", a:swapaxes(1, 2))
    end
    local grey, path, axis = picture(1), H.path "grey.jpg", H.path "axis.jpg"
    nd.save(path, grey)
    nd.save(axis, grey:reshape(grey.shape[1], grey.shape[2], 1))
    assert.equal(H.read(path), H.read(axis))
  end)

  it("is refused where it is cut off", function()
    local path = H.path "x.jpg"
    nd.save(path, picture(3)"1:9, 1:9", {quality = 30})
    local text = H.read(path)
    for at = 0, #text - 1 do
      H.raises("format", nd.load, H.write(path, text:sub(1, at)))
    end
  end)

  it("in arithmetic coding is refused by name", function()
    local path = H.path "x.jpg"
    nd.save(path, picture(1))
    local text = H.read(path)
    local at = text:find("\255\192", 1, true)
    for _, fill in ipairs {"", "\255", ("\255"):rep(9)} do
      H.raises_like("unsupported", "arithmetic coding; ndbuf", nd.load,
        H.write(path, text:sub(1, at - 1) .. fill .. "\255\201" .. text:sub(at + 2)))
    end
  end)

  it("in CMYK, or without an image, is refused", function()
    local path = H.path "x.jpg"
    local frame = "\255\192\0\20\8\0\8\0\8\4\1\17\0\2\17\0\3\17\0\4\17\0"
    local scan = "\255\218\0\14\4\1\0\2\0\3\0\4\0\0\63\0"
    for _, transform in ipairs {"\0", "\2"} do
      local adobe = "\255\238\0\14Adobe\0\100\0\0\0\0" .. transform
      H.raises_like("unsupported", "CMYK", nd.load,
        H.write(path, "\255\216" .. adobe .. frame .. scan .. "\0\255\217"))
    end
    H.raises_like("format", "no image", nd.load,
      H.write(path, "\255\216\255\219\0\67\0" .. ("\1"):rep(64) .. "\255\217"))
  end)

  it("may have as many pixels as Huffman's codes can pack", function()
    local path = H.path "x.jpg"
    for _, shape in ipairs {{2000, 2000}, {1000, 1000, 3}} do
      nd.save(path, nd.full(shape, 128, "u8"))
      assert.is_true(nd.load(path):equal(nd.full(shape, 128, "u8")))
    end
  end)

  it("leaves nothing where it is refused, nor of what is saved", function()
    local path = H.path "x.jpg"
    H.leaves_nothing(path, function() nd.save(path, nd.ones({300, 400}, "u8").T) end)
    local text = H.read(path)
    H.write(path, text:sub(1, -10))
    H.leaves_nothing(path, function() H.raises("format", nd.load, path) end)
  end)

  it("has a quality of 90, where none is given", function()
    local default, given = H.path "x.jpg", H.path "y.jpg"
    nd.save(default, picture(3))
    nd.save(given, picture(3), {quality = 90})
    assert.equal(H.read(given), H.read(default))
  end)

  -- 8 x 8 grey pixels in 882 scans: of each coefficient one bit each. Each would cost as much time
  -- as an image of any size has blocks.
  it("in hundreds of scans is refused", function()
    local function segment(mark, data)
      return "\255" .. string.char(mark, 0, #data + 2) .. data
    end
    local parts = {"\255\216", segment(0xDB, "\0" .. ("\1"):rep(64)),
      segment(0xC2, "\8\0\8\0\8\1\1\17\0"), segment(0xC4, "\0\1" .. ("\0"):rep(16)),
      segment(0xC4, "\16\1" .. ("\0"):rep(16)), segment(0xDA, "\1\1\0\0\0\0") .. "\127"}
    local function image(scans)
      local list = {unpack(parts)}
      for k = 1, 63 do
        for low = 13, 0, -1 do
          if #list - #parts >= scans then break end
          local high = low == 13 and 0 or low + 1
          list[#list + 1] = segment(0xDA, "\1\1\0" .. string.char(k, k, high * 16 + low)) .. "\127"
        end
      end
      return H.write(H.path "x.jpg", table.concat(list) .. "\255\217")
    end
    assert.same({8, 8}, nd.load(image(400)).shape)
    H.raises_like("format", "scans", nd.load, image(882))
  end)

  it("of a kind that libjpeg-turbo does not read is unsupported, not damaged", function()
    local path = H.path "x.jpg"
    nd.save(path, nd.zeros({16, 16, 3}, "u8"))
    local text = H.read(path)
    local at = text:find("\255\192", 1, true) -- the frame; behind its size the components
    local function changed(offset, byte)
      return H.write(path, text:sub(1, at + offset - 1) .. string.char(byte)
        .. text:sub(at + offset + 1))
    end
    H.raises_like("unsupported", "precision", nd.load, changed(4, 12))
    H.raises_like("unsupported", "subsampling", nd.load, changed(11, 0x31)) -- 3 by 1, beside 1 by 1
    H.raises_like("unsupported", "process", nd.load, changed(1, 0xC3)) -- without loss
  end)

  it("of many pixels in few bytes is refused before they are allocated", function()
    local path = H.path "x.jpg"
    nd.save(path, nd.zeros({8, 8}, "u8"))
    local text = H.read(path)
    local at = text:find("\255\192", 1, true) -- the frame: length, precision, rows, columns
    local size = string.char(0xFD, 0xE8)
    local before = nd.device "cpu":memory_info().peak
    H.raises_like("format", "65000", nd.load,
      H.write(path, text:sub(1, at + 4) .. size .. size .. text:sub(at + 9)))
    assert.equal(before, nd.device "cpu":memory_info().peak)
  end)

  it("refuses what it cannot have", function()
    local path = H.path "none.jpg"
    H.raises("type_mismatch", nd.save, path, nd.zeros({3, 3}, "u16"))
    for _, a in ipairs {nd.zeros({3}, "u8"), nd.zeros({3, 3, 4}, "u8"), nd.zeros({0, 3}, "u8"),
      nd.zeros({1, 65501}, "u8")} do
      H.raises("shape_mismatch", nd.save, path, a)
    end
    H.raises_like("format", "is empty", nd.load, H.write(H.path "empty.jpg", ""))
    for _, quality in ipairs {0, 101, -1} do
      H.raises("invalid_argument", nd.save, path, nd.zeros({3, 3}, "u8"), {quality = quality})
    end
    H.raises("invalid_argument", nd.save, H.path "x.png", nd.zeros({3, 3}, "u8"), {quality = 9})
    assert.is_false(H.exists(path))
  end)
end)

describe("a .png file with long texts", function()
  it("is read without them", function()
    local path = H.path "texts.png"
    H.python([[
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
with open(sys.argv[1], 'wb') as f:
    f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0)))
    for i in range(40):
        f.write(chunk(b'zTXt', b'k%d\0\0' % i + zlib.compress(bytes([65 + i]) * 7900000, 9)))
    f.write(chunk(b'IDAT', zlib.compress(b'\0\7')) + chunk(b'IEND', b''))
]], path)
    local status, out = H.luajit("", ([[
      local nd = require "ndbuf"
      local function peak()
        return tonumber(io.open "/proc/self/status":read "*a":match "VmHWM:%%s*(%%d+)")
      end
      local before = peak()
      print(nd.load(%q)[{1, 1}], peak() - before < 40000)
    ]]):format(path))
    assert.same({0, "7\ttrue\n"}, {status, out})
  end)
end)

describe("an image whose library is missing", function()
  it("is refused with the name of the package", function()
    local here = tostring(nd.info())
    for ext, names in pairs {png = {"libpng", "libpng16.so.16", "libpng16-16"},
        jpg = {"libjpeg-turbo", "libturbojpeg.so.0", "libturbojpeg0"}} do
      local path, new = H.path("x." .. ext), H.path("y." .. ext)
      nd.save(path, nd.ones({2, 2}, "u8"))
      local status, out = H.luajit_without(names[2], [[
        local nd = require "ndbuf"
        local path, new, name, package = ...
        local _, e = pcall(nd.load, path)
        print(e.code, e.message:find(package, 1, true) ~= nil)
        _, e = pcall(nd.save, new, nd.ones({2, 2}, "u8"))
        print(e.code, e.message:find(package, 1, true) ~= nil)
        print(#nd.info().libraries, nd.info().missing[name]:find(package, 1, true) ~= nil)]],
        path, new, names[1], names[3])
      assert.same({0, ("unsupported\ttrue\n"):rep(2) .. "2\ttrue\n"}, {status, out})
      assert.is_false(H.exists(new))
      assert.is_truthy(here:find("libraries: [^\n]*" .. names[1]:gsub("%p", "%%%0")))
    end
    local all = table.concat(nd.info().libraries, ", ")
    assert.is_truthy(all:find "^zlib %d[%d.]+, libpng 1%.6[%d.]+, libjpeg%-turbo$", all)
  end)
end)

describe("what is saved from a mapped file", function()
  it("is not the nothing that a shorter file has", function()
    local source = H.path "source.npy"
    for _, ext in ipairs {"npy", "pgm", "png", "jpg", "npz", "safetensors"} do
      nd.save(source, nd.ones({400, 400}, "u8"))
      local a = nd.load(source, {mmap = true})
      local out = H.write(H.path("out." .. ext), "what was there")
      H.write(source, "")
      local e = H.raises("io", nd.save, out, ext == "safetensors" and {a = a} or a)
      assert.equal(source, e.path, ext)
      assert.equal("what was there", H.read(out), ext)
    end
  end)
end)
