-- The example as its user runs it, with NumPy as the oracle, and what it promises about copies.
local core = require "ndbuf.core"
local nd = require "ndbuf"
local H = require "spec.helper"
local speech = require "examples.speech"

local OWN = "examples/data/speech.wav"

local function u16(n) return string.char(n % 256, math.floor(n / 256) % 256) end
local function u32(n) return u16(n % 65536) .. u16(math.floor(n / 65536)) end

local function chunk(id, text) return id .. u32(#text) .. text .. ("\0"):rep(#text % 2) end

local function format_of(kind, channels, bits, rate)
  local bytes = channels * math.ceil(bits / 8)
  return chunk("fmt ", u16(kind) .. u16(channels) .. u32(rate or 8000)
               .. u32((rate or 8000) * bytes) .. u16(bytes) .. u16(bits))
end

local function riff(...) return chunk("RIFF", "WAVE" .. table.concat {...}) end
local function file(text) return H.write(H.path "x.wav", text) end

local function noise(n) return nd.randint(-32768, 32767, n, "i16", {seed = 5}) end

-- Run it; the lines that it prints, and how many frames NumPy agrees about.
local function run(path)
  local target = H.path "frames.npy"
  local status, out, err = H.luajit(nil, "examples/speech.lua", path, target)
  assert.equal("", err)
  assert.equal(0, status)
  local lines = {}
  for line in out:gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines, tonumber(H.python("spec/examples/speech.py", path, target))
end

-- The head, 8 rows of blocks that only grow downwards, a rule, the foot.
local function check_picture(lines, width)
  assert.equal(11, #lines)
  assert.equal(("─"):rep(width), lines[10])
  local above
  for row = 2, 9 do
    local blocks = {}
    for block in lines[row]:gmatch "[%z\1-\127\194-\244][\128-\191]*" do
      local eighths = block == " " and 0 or block:byte(3) - 0x80
      assert.is_true(block == " " or block:sub(1, 2) == "\226\150" and eighths <= 8, block)
      blocks[#blocks + 1] = eighths
    end
    assert.equal(width, #blocks)
    for i = 1, above and width or 0 do assert.is_true(above[i] == 0 or blocks[i] == 8) end
    above = blocks
  end
end

describe("examples/speech.lua", function()
  it("measures the speech as NumPy does", function()
    local lines, count = run(OWN)
    assert.equal(423, count)
    assert.equal(OWN .. ": 4.2 s at 22050 Hz", lines[1])
    check_picture(lines, 96)
    assert.truthy(lines[2]:find "█") -- the loudest column is full
    assert.truthy(lines[11]:find "frames.npy: energy and zero crossings of 423 frames$")
  end)

  it("has a default for both files", function()
    if os.execute "test -d build" ~= 0 then pending "there is no folder build/" end
    local status, out, err = H.luajit(nil, "examples/speech.lua")
    assert.equal(0, status, err)
    assert.truthy(out:find("\nbuild/speech.npy: ", 1, true))
  end)

  it("takes what Python's wave module writes, mono and stereo", function()
    local folder = H.dir()
    H.python([[
import sys, wave
import numpy as np
for channels in (1, 2, 3):
    for rate, seconds in ((8000, 0.025), (44100, 0.31), (48000, 2)):
        n = int(rate * seconds)
        sound = np.random.default_rng(n).integers(-32768, 32768, (n, channels)).astype('<i2')
        with wave.open('%s/%d-%d.wav' % (sys.argv[1], channels, rate), 'wb') as w:
            w.setnchannels(channels); w.setsampwidth(2); w.setframerate(rate)
            w.writeframes(sound.tobytes())
]], folder)
    for channels = 1, 3 do
      for rate, want in pairs {[8000] = 1, [44100] = 29, [48000] = 198} do
        local lines, count = run(("%s/%d-%d.wav"):format(folder, channels, rate))
        assert.equal(want, count)
        check_picture(lines, math.min(96, want))
      end
    end
  end)

  it("draws silence as nothing", function()
    local lines = run(file(riff(format_of(1, 1, 16), chunk("data", ("\0"):rep(8000)))))
    assert.truthy(lines[9]:find "^ +$")
  end)

  it("takes other chunks, odd sizes with their padding, and extensible formats", function()
    local data = chunk("data", noise(999):copyout())
    local guid = "\1\0\0\0\16\0\128\0\0\170\0\56\155\113"
    local extensible = format_of(0xFFFE, 1, 16):sub(9) .. u16(22) .. u16(16) .. u32(4) .. guid
    for _, text in ipairs {
      riff(chunk("LIST", "abc"), format_of(1, 1, 16), chunk("junk", "a"), data, chunk("x", "y")),
      riff(format_of(1, 1, 16), data) .. "left over",
      riff(chunk("fmt ", extensible), data),
    } do
      local path = file(text)
      local samples, format = speech.open(path)
      assert.is_true(samples:equal(noise(999)))
      assert.equal(8000, format.rate)
    end
  end)

  it("reads the file through views and copies no sample", function()
    local before = core.stats().total
    local samples, format = speech.open(OWN)
    local frames = speech.cut(samples, format.rate)
    assert.equal(samples.storage_id, frames.storage_id)
    assert.is_true(samples.is_view and frames.is_view and frames.readonly)
    assert.equal("disk:" .. OWN, frames.device)
    assert.same({423, 551}, frames.shape)
    assert.same({220, 1}, frames.strides)
    assert.is_true(core.stats().total - before < 1000) -- tags of four bytes
    speech.measure(frames)
    assert.is_true(core.stats().total - before < 1000 + 423 * 2 * 8)
  end)

  it("takes at most 3 times as long as a raw pointer #slow", function()
    if H.is_sanitized or not jit.status() then pending "the JIT is off" end
    local _, _, ratio = require "spec.examples.speech_ratio"(OWN)
    assert.is_true(ratio <= 3, ratio)
  end)
end)

describe("a wrong file", function()
  local fmt, data = format_of(1, 1, 16), chunk("data", ("ab"):rep(400))
  local cases = {
    ["no such file"] = {"No such file", nil},
    ["empty"] = {"not a WAV file", ""},
    ["text"] = {"not a WAV file", "-- a program"},
    ["short head"] = {"not a WAV file", "RIFF\4\0\0\0WAV"},
    ["head only"] = {"no format chunk", riff()},
    ["other form"] = {"not a WAV file", chunk("RIFF", "AVI " .. fmt .. data)},
    ["big-endian"] = {"not a WAV file", "RIFX" .. riff(fmt, data):sub(5)},
    ["no fmt"] = {"no format chunk", riff(data)},
    ["short fmt"] = {"no format chunk", riff(chunk("fmt ", "short"), data)},
    ["cut fmt"] = {"no format chunk", riff(fmt):sub(1, -5)},
    ["no data"] = {"no data chunk", riff(fmt, chunk("LIST", "abcd"))},
    ["8 bits"] = {"8 bits", riff(format_of(1, 1, 8), data)},
    ["24 bits"] = {"24 bits", riff(format_of(1, 1, 24), data)},
    ["12 bits"] = {"12 bits", riff(format_of(1, 1, 12), data)},
    ["float"] = {"format 3", riff(format_of(3, 1, 32), data)},
    ["compressed"] = {"format 7", riff(format_of(7, 1, 16), data)},
    ["no channels"] = {"0 channels", riff(format_of(1, 0, 16), data)},
    ["no rate"] = {"0 Hz", riff(format_of(1, 1, 16, 0), data)},
    ["slow"] = {"99 Hz", riff(format_of(1, 1, 16, 99), data)},
    ["fast"] = {"shorter than", riff(format_of(1, 1, 16, 2 ^ 32 - 1), data)},
    ["truncated"] = {"truncated: 790 of 800", riff(fmt, data):sub(1, -11)},
    ["announced"] = {"truncated: 2 of 4294967295", riff(fmt, "data", u32(2 ^ 32 - 1), "ab")},
    ["odd"] = {"799 bytes of sound, 2 to", riff(fmt, chunk("data", ("a"):rep(799)))},
    ["half a pair"] = {"798 bytes of sound, 4 to",
                       riff(format_of(1, 2, 16), chunk("data", ("a"):rep(798)))},
    ["no sound"] = {"shorter than", riff(fmt, chunk("data", ""))},
    ["short"] = {"shorter than", riff(fmt, chunk("data", ("ab"):rep(199)))},
  }
  for name, case in pairs(cases) do
    it("gets one line and status 1: " .. name, function()
      local path, target = H.path "x.wav", H.path "frames.npy"
      if case[2] then H.write(path, case[2]) end
      local status, out, err = H.luajit(nil, "examples/speech.lua", path, target)
      assert.equal(1, status)
      assert.equal("", out)
      assert.truthy(err:find(case[1], 1, true), err)
      assert.truthy(err:find(path, 1, true), err)
      assert.truthy(err:find "^speech: [^\n]+\n$", err)
      assert.is_nil(err:find "%.lua:%d" or err:find "ndbuf:", err)
      assert.is_false(H.exists(target))
    end)
  end

  it("is also a folder, and a place that cannot be written", function()
    local status, _, err = H.luajit(nil, "examples/speech.lua", H.dir(), H.path "frames.npy")
    assert.equal(1, status)
    assert.truthy(err:find "^speech: [^\n]*not a regular file\n$", err)
    status, _, err = H.luajit(nil, "examples/speech.lua", OWN, H.path "none" .. "/frames.npy")
    assert.equal(1, status)
    assert.truthy(err:find "^speech: cannot write [^\n]+: No such file or directory\n$", err)
  end)
end)
