-- Portable float maps: what Python writes byte by byte, and what comes back.
local nd = require "ndbuf"
local H = require "spec.helper"

local function file(text) return H.write(H.path "x.pfm", text) end

describe("pfm", function()
  it("reads grey and colour of both byte orders, the top row first", function()
    local folder = H.dir()
    local text = H.python([[
import sys, numpy as np
rng = np.random.default_rng(6)
count = 0
for order, scale in (('<', b'-1.0'), ('>', b'1'), ('<', b'-0.0039'), ('>', b'+2.5e3')):
    for shape in ((3, 5), (4, 2, 3), (1, 1), (1, 1, 3), (0, 4), (2, 0, 3)):
        a = rng.standard_normal(shape).astype('f4')
        a.ravel()[:3] = (np.inf, -0.0, np.nan)[:a.size]
        count += 1
        path = '%s/%d' % (sys.argv[1], count)
        with open(path + '.pfm', 'wb') as f:
            head = b'PF' if len(shape) == 3 else b'Pf'
            f.write(b'%s\n%d %d\n%s\n' % (head, shape[1], shape[0], scale))
            f.write(a[::-1].astype(order + 'f4').tobytes())
        with open(path + '.raw', 'wb') as f: f.write(a.tobytes())
        print(path, 'x'.join(map(str, shape)), order)
]], folder)
    local count = 0
    for line in text:gmatch "[^\n]+" do
      local path, shape, order = line:match "^(%S+) (%S+) (%S)$"
      local a = nd.load(path .. ".pfm")
      assert.equal(shape, table.concat(a.shape, "x"), line)
      assert.equal("f32", tostring(a.dtype), line)
      assert.is_true(a:copyout() == H.read(path .. ".raw"), line)
      if order == ">" then
        H.raises_like("unsupported", "mmap", nd.load, path .. ".pfm", {mmap = true})
      else
        local m = nd.load(path .. ".pfm", {mmap = true})
        assert.is_true(m.readonly and m:copyout() == a:copyout(), line)
      end
      count = count + 1
    end
    assert.equal(24, count)
  end)

  it("writes what Python reads, and what it reads itself, from any view", function()
    local grey = nd.arange(1, 24, 1, "f32"):reshape(4, 6)
    local colour = nd.arange(1, 60, 1, "f32"):reshape(4, 5, 3)
    for _, v in ipairs {grey, grey.T, grey"-1:1:-1, 2:5:2", grey"1:0", colour, colour:flip(3),
                        colour:permute(2, 1, 3)} do
      local path = H.path "x.pfm"
      nd.save(path, v)
      assert.is_true(nd.load(path):equal(v))
      assert.equal(v:copyout(), H.python([[
import sys, numpy as np
with open(sys.argv[1], 'rb') as f:
    kind, extents, scale = f.readline(), f.readline().split(), float(f.readline())
    shape = (int(extents[1]), int(extents[0])) + ((3,) if kind == b'PF\n' else ())
    a = np.frombuffer(f.read(), '<f4' if scale < 0 else '>f4').reshape(shape)[::-1]
    assert kind in (b'PF\n', b'Pf\n') and abs(scale) == 1
sys.stdout.buffer.write(a.tobytes())
]], path))
    end
    local path = H.path "x.pfm"
    nd.save(path, nd.array({{{0}}, {{-2}}}, "f32")) -- an axis of one channel
    assert.same({2, 1}, nd.load(path).shape)
    nd.save(path, nd.array({{0}, {-2}}, "f32"))
    assert.equal("Pf\n1 2\n-1.0\n\0\0\0\192\0\0\0\0", H.read(path))
  end)

  it("refuses damaged files, naming the offset", function()
    for text, code in pairs {
      [""] = "format", ["PF"] = "format", ["P5 1 1 255\n1"] = "format",
      ["Pf 1 1 0\n1234"] = "format", ["Pf 1 1 nan\n1234"] = "format",
      ["Pf 1 1 -1"] = "format", ["Pf 1 1 -11234"] = "format", ["Pf -1 1 -1\n1234"] = "format",
      ["Pf 1 1 -1\n123"] = "format", ["Pf 99999 99999 -1\n1234"] = "format",
      ["PF 4294967296 4294967296 -1\n"] = "overflow",
    } do
      local e = H.raises(code, nd.load, file(text))
      if code == "format" then assert.is_not_nil(e.offset, text) end
    end
  end)

  it("survives every truncation", function()
    local whole = "PF 1 2 -1.5e0\n" .. ("1234"):rep(6)
    for n = 0, #whole - 1 do H.raises("format", nd.load, file(whole:sub(1, n))) end
    assert.same({2, 1, 3}, nd.load(file(whole)).shape)
  end)

  it("refuses to save what is no float map", function()
    local path = H.path "x.pfm"
    H.raises_like("type_mismatch", "astype", nd.save, path, nd.zeros(2, 2))
    H.raises("type_mismatch", nd.save, path, nd.zeros({2, 2}, "u8"))
    H.raises("shape_mismatch", nd.save, path, nd.zeros({2, 2, 4}, "f32"))
    H.raises("shape_mismatch", nd.save, path, nd.zeros({2}, "f32"))
    H.raises_like("invalid_argument", "no rate", nd.save, path, nd.zeros({2, 2}, "f32"),
                  {rate = 1})
    assert.is_false(H.exists(path))
  end)
end)
