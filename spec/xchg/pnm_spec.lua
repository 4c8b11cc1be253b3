-- Netpbm images: what Python writes byte by byte, and what comes back.
local nd = require "ndbuf"
local H = require "spec.helper"

local function file(text) return H.write(H.path "x.pgm", text) end

describe("pnm", function()
  it("reads grey and colour, of one and two bytes", function()
    local folder = H.dir()
    local text = H.python([[
import sys, numpy as np
rng = np.random.default_rng(5)
count = 0
for maxval, code in ((255, 'u1'), (1, 'u1'), (256, '>u2'), (65535, '>u2')):
    for shape in ((3, 5), (4, 2, 3), (1, 1), (1, 1, 3), (0, 4)):
        a = rng.integers(0, maxval, shape, endpoint=True).astype(code)
        for plain in (0, 1):
            count += 1
            path = '%s/%d' % (sys.argv[1], count)
            kind = (3 if len(shape) == 3 else 2) + (0 if plain else 3)
            name = path + ('.ppm' if len(shape) == 3 else '.pgm')
            with open(name, 'wb') as f:
                head = b'P%d # a comment\n%d %d\n# another\n%d\n'
                f.write(head % (kind, shape[1], shape[0], maxval))
                f.write(' '.join(map(str, a.ravel())).encode() if plain else a.tobytes())
            with open(path + '.raw', 'wb') as f: f.write(a.astype(code.replace('>', '<')).tobytes())
            print(name, path + '.raw', 'x'.join(map(str, shape)),
                  'u8' if code == 'u1' else 'u16', plain)
]], folder)
    local count = 0
    for line in text:gmatch "[^\n]+" do
      local path, raw, shape, dtype, plain = line:match "^(%S+) (%S+) (%S+) (%S+) (%d)$"
      local a = nd.load(path)
      assert.equal(shape, table.concat(a.shape, "x"), line)
      assert.equal(dtype, tostring(a.dtype), line)
      assert.is_true(a:copyout() == H.read(raw), line)
      if plain == "1" or dtype == "u16" then
        H.raises_like("unsupported", "mmap", nd.load, path, {mmap = true})
      else
        local m = nd.load(path, {mmap = true})
        assert.is_true(m.readonly and m:equal(a), line)
      end
      count = count + 1
    end
    assert.equal(40, count)
  end)

  it("writes what it reads, from any view", function()
    for _, dtype in ipairs {"u8", "u16"} do
      local grey = nd.randint(0, 255, {4, 6}):astype(dtype)
      for _, v in ipairs {grey, grey.T, grey"-1:1:-1, 2:5:2", grey"1:0"} do
        local path = H.path "x.pgm"
        nd.save(path, v)
        assert.is_true(nd.load(path):equal(v))
      end
      local colour = nd.randint(0, 255, {4, 5, 3}):astype(dtype)
      for _, v in ipairs {colour, colour:flip(3), colour:permute(2, 1, 3)} do
        local path = H.path "x.ppm"
        nd.save(path, v)
        assert.is_true(nd.load(path):equal(v))
      end
    end
    local path = H.path "x.pgm"
    nd.save(path, nd.array({{{1}, {258}}}, "u16")) -- an axis of one channel
    assert.same({1, 2}, nd.load(path).shape)
    nd.save(path, nd.array({{1, 258}}, "u16"))
    assert.equal("P5\n2 1\n65535\n\0\1\1\2", H.read(path))
    nd.save(path, nd.array({{1, 2}}, "u8"))
    assert.equal("P5\n2 1\n255\n\1\2", H.read(path))
  end)

  it("keeps values above the maximal value, and bytes that look like comments", function()
    assert.same({{200, 35}}, nd.load(file "P5 2 1 100\n\200#"):totable())
    assert.same({{35, 10}}, nd.load(file "P5 2 1 255#c\n#\n"):totable())
  end)

  it("refuses damaged files, naming the offset", function()
    for text, code in pairs {
      [""] = "format", ["P5"] = "format", ["P9 1 1 255\n1"] = "format",
      ["P5 2 1 255\n1"] = "format", ["P5 2 1 0\n12"] = "format",
      ["P5 2 1 70000\n1234"] = "format", ["P5 -2 1 255\n12"] = "format",
      ["P2 2 1 255\n1 x"] = "format", ["P2 1 1 255\n256"] = "format", ["P4 8 1\n1"] = "unsupported",
      ["P5 4294967296 4294967296 255\n"] = "overflow", ["P5 99999 99999 255\n12"] = "format",
    } do
      local e = H.raises(code, nd.load, file(text))
      if code == "format" then assert.is_not_nil(e.offset, text) end
    end
  end)

  it("reads numbers that are text, narrow and wide", function()
    assert.same({{7, 255}, {0, 9}}, nd.load(file "P2 2 2 255\n7 255 0 9"):totable())
    assert.same({{7, 65535}, {256, 9}}, nd.load(file "P2 2 2 256\n7 65535 256 9\n"):totable())
  end)

  it("survives every truncation", function()
    for _, whole in ipairs {"P6#c\n2 1\n255\nabcdef", "P3 1 1 255\n10 20 30"} do
      for n = 0, #whole - 1 do
        local ok, e = pcall(nd.load, file(whole:sub(1, n)))
        assert.is_true(ok or e.code == "format")
      end
    end
  end)

  it("refuses to save what is no image", function()
    local path = H.path "x.pgm"
    H.raises_like("type_mismatch", "astype", nd.save, path, nd.zeros(2, 2))
    H.raises("shape_mismatch", nd.save, path, nd.zeros({2, 2, 4}, "u8"))
    H.raises("shape_mismatch", nd.save, path, nd.zeros({2}, "u8"))
    assert.is_false(H.exists(path))
  end)
end)
