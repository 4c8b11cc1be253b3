-- Sound files against Python's wave module.
local nd = require "ndbuf"
local H = require "spec.helper"

local function u16(n) return string.char(n % 256, math.floor(n / 256) % 256) end
local function u32(n) return u16(n % 65536) .. u16(math.floor(n / 65536)) end
local function chunk(id, text)
  return id .. u32(#text) .. text .. (#text % 2 == 1 and "\0" or "")
end

local function format_of(tag, channels, bits)
  local align = channels * bits / 8
  return chunk("fmt ", u16(tag) .. u16(channels) .. u32(8000) .. u32(8000 * align) .. u16(align)
                       .. u16(bits))
end

local function file(...)
  local text = "WAVE" .. table.concat {...}
  return H.write(H.path "x.wav", chunk("RIFF", text))
end

describe("wav", function()
  it("reads and maps what Python writes", function()
    local text = H.python([[
import sys, wave, numpy as np
rng = np.random.default_rng(3)
count = 0
for width, dtype in ((1, 'u8'), (2, 'i16'), (3, 'i32'), (4, 'i32')):
    for channels in (1, 2, 5):
        for frames in (0, 1, 7):
            count += 1
            path = '%s/%d' % (sys.argv[1], count)
            raw = rng.integers(0, 256, (frames * channels, width), np.uint8)
            w = wave.open(path + '.wav', 'wb')
            w.setnchannels(channels); w.setsampwidth(width); w.setframerate(11025 * width)
            w.writeframes(raw.tobytes()); w.close()
            if width == 3: raw = np.insert(raw, 0, 0, 1)
            with open(path + '.raw', 'wb') as f: f.write(raw.tobytes())
            print(path, dtype, '%dx%d' % (frames, channels), 11025 * width, width)
]], H.dir())
    local count = 0
    for line in text:gmatch "[^\n]+" do
      local path, dtype, shape, rate, width = line:match "^(%S+) (%S+) (%S+) (%d+) (%d)$"
      local a, hertz = nd.load(path .. ".wav")
      assert.equal(tonumber(rate), hertz, line)
      assert.equal(dtype, tostring(a.dtype), line)
      assert.equal(shape, table.concat(a.shape, "x"), line)
      assert.is_true(a:copyout() == H.read(path .. ".raw"), line)
      if width == "3" then
        H.raises_like("unsupported", "24", nd.load, path .. ".wav", {mmap = true})
      else
        local m, again = nd.load(path .. ".wav", {mmap = true})
        assert.is_true(m.readonly and m:equal(a) and again == hertz, line)
      end
      count = count + 1
    end
    assert.equal(36, count)
  end)

  it("writes what Python reads", function()
    for _, dtype in ipairs {"u8", "i16", "i32"} do
      local a = nd.randint(-100, 100, {9, 3}):astype(dtype, {mode = "wrap"})
      for _, v in ipairs {a, a.T, a":, 2", a"-1:1:-2", a"1:0"} do
        local path = H.path "x.wav"
        nd.save(path, v, {rate = 22050})
        local text = H.python([[
import sys, wave
w = wave.open(sys.argv[1], 'rb')
print(w.getframerate(), w.getnchannels(), w.getsampwidth(), w.getnframes(),
      w.readframes(w.getnframes()).hex() or '-')
]], path)
        local bytes = v:copyout():gsub(".", function(c) return ("%02x"):format(c:byte()) end)
        local want = ("22050 %d %d %d %s\n"):format(v.ndim == 2 and v:dim(2) or 1, v.itemsize,
                                                    v:dim(1), bytes == "" and "-" or bytes)
        assert.equal(want, text)
        assert.equal(0, #H.read(path) % 2)
      end
    end
  end)

  it("round-trips floating point, in format 3 with a fact chunk", function()
    for _, dtype in ipairs {"f32", "f64"} do
      local a = nd.random({6, 2}, dtype)
      for _, v in ipairs {a, a.T, a"2:5:3"} do
        local path = H.path "x.wav"
        nd.save(path, v, {rate = 48000})
        local back, rate = nd.load(path, {mmap = true})
        assert.equal(48000, rate)
        assert.is_true(back:equal(v))
        local text = H.read(path)
        assert.equal(chunk("fact", u32(v:dim(1))), text:sub(39, 50))
        assert.equal(#text - 8, 50 + v.nbytes)
      end
    end
  end)

  it("walks past chunks that it does not know, and their padding", function()
    local path = file(chunk("LIST", "abc"), format_of(1, 1, 16), chunk("junk", "a"),
                      chunk("data", "\1\0\2\0"), chunk("tail", "xyz"))
    local a, rate = nd.load(path)
    assert.same({{1}, {2}}, a:totable())
    assert.equal(8000, rate)
  end)

  it("takes all there is where the writer could not fill in the size", function()
    for _, size in ipairs {0, 2 ^ 32 - 1} do
      local path = H.write(H.path "x.wav", "RIFF" .. u32(size) .. "WAVE" .. format_of(1, 1, 16)
                           .. "data" .. u32(size) .. "\1\0\2\0\3\0\4\0\5") -- cut inside a frame
      assert.same({{1}, {2}, {3}, {4}}, nd.load(path):totable())
    end
    local path = file(format_of(1, 1, 16), chunk("data", ""), chunk("LIST", "abcd"))
    assert.equal(0, nd.load(path).size)
  end)

  it("reads extensible formats", function()
    local guid = "\0\0\0\0\16\0\128\0\0\170\0\56\155\113"
    local fmt = u16(0xFFFE) .. u16(2) .. u32(8000) .. u32(32000) .. u16(4) .. u16(16) .. u16(22)
                .. u16(16) .. u32(3) .. u16(1) .. guid
    assert.same({{1, 2}}, nd.load(file(chunk("fmt ", fmt), chunk("data", "\1\0\2\0"))):totable())
  end)

  it("refuses files that lie, naming offset and size", function()
    local data = chunk("data", "\1\0\2\0")
    local bad = {
      {"format", format_of(1, 1, 16), "data", u32(6), "abcd"},
      {"format", format_of(1, 1, 16), "data", u32(3), "abcd"},
      {"format", format_of(1, 0, 16), data},
      {"format", format_of(1, 1, 16):gsub("\2\0\16\0$", "\1\0\16\0"), data},
      {"format", data, format_of(1, 1, 16)},
      {"format", format_of(1, 1, 16)},
      {"format", chunk("fmt ", "short"), data},
      {"unsupported", format_of(7, 1, 8), data},
      {"unsupported", format_of(1, 1, 64), data},
    }
    for i, case in ipairs(bad) do
      local e = H.raises(case[1], nd.load, file(unpack(case, 2)))
      if case[1] == "format" then assert.is_not_nil(e.offset, i) end
    end
    local path = H.write(H.path "x.wav", "RF64\255\255\255\255WAVE")
    H.raises_like("unsupported", "RF64", nd.load, path)
  end)

  it("refuses to save what is no sound", function()
    local path = H.path "x.wav"
    H.raises_like("type_mismatch", "astype", nd.save, path, nd.zeros({4}, "i64"), {rate = 1})
    H.raises("shape_mismatch", nd.save, path, nd.zeros({2, 2, 2}, "i16"), {rate = 1})
    H.raises("invalid_argument", nd.save, path, nd.zeros({2}, "i16"), {rate = 0})
    assert.is_false(H.exists(path))
  end)
end)
