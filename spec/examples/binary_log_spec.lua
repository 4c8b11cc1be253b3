-- The example as its user runs it; NumPy reads the same log.
local nd = require "ndbuf"
local H = require "spec.helper"

local OWN = "examples/data/weather.log"

local function run(...) return H.luajit(nil, "examples/binary_log.lua", ...) end

-- The lines after the first as NumPy has them: the coldest and the hottest of each station, and
-- the heights of its blocks, 1 to 8, 0 where there is none. Compares the columns in 'folder' too.
local function oracle(path, folder)
  return H.python([[
import sys
import numpy as np
path, folder = sys.argv[1:]
dtype = np.dtype([('time', '>u4'), ('station', 'u1'), ('temperature', '<i2'), ('pressure', '<f4'),
                  ('wind', '>u2')])
assert dtype.itemsize == 13
log = np.fromfile(path, dtype, offset=12)
for name in dtype.names:
    column = np.load('%s/%s.npy' % (folder, name))
    assert column.dtype == dtype[name].newbyteorder('<'), (name, column.dtype)
    assert column.tobytes() == log[name].astype(column.dtype).tobytes(), name
part = np.arange(len(log)) * 48 // len(log)
for station in np.unique(log['station']):
    here = log['station'] == station
    value = log['temperature'].astype('i8')
    low, high = value[here].min(), value[here].max()
    heights = []
    for i in range(48):
        picked = value[here & (part == i)]
        with np.errstate(all='ignore'):
            height = (picked.sum() / np.float64(len(picked)) - low) / np.float64(high - low)
        heights.append(int(np.floor(height * 7.99)) + 1 if np.isfinite(height) else 0)
    print('station %d %6.2f to %5.2f' % (station, low / 100, high / 100), *heights)
]], path, folder)
end

local function check(path)
  local folder = H.dir()
  local status, out, err = run(path, folder)
  assert.equal("", err)
  assert.equal(0, status)
  local shown = {}
  for line in out:gsub("^[^\n]*\n", ""):gmatch "[^\n]+" do
    local head, blocks = line:match "^(.*) °C (.*)$"
    local heights = {}
    for block in blocks:gmatch "[%z\1-\127\194-\244][\128-\191]*" do
      heights[#heights + 1] = block == " " and 0 or block:byte(3) - 0x80
    end
    shown[#shown + 1] = head .. " " .. table.concat(heights, " ") .. "\n"
  end
  assert.equal(oracle(path, folder), table.concat(shown))
  return out
end

-- A log of n records with anything in it, by Python's struct.
local function random_log(n)
  local path = H.path "random.log"
  H.python([[
import random, struct, sys
path, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)
with open(path, 'wb') as file:
    file.write(b'WLOG' + struct.pack('>II', 13, n))
    for i in range(n):
        file.write(struct.pack('>IB', random.getrandbits(32), random.choice((0, 7, 200, 255))))
        file.write(struct.pack('<hf', random.randint(-32768, 32767), random.gauss(0, 1e6)))
        file.write(struct.pack('>H', random.getrandbits(16)))
]], path, n, H.seed)
  return path
end

describe("examples/binary_log.lua", function()
  it("shows its own log as NumPy sees it", function()
    local out = check(OWN)
    assert.truthy(out:find(OWN .. ": 432 records from 2026-10-19 00:00 to 2026-10-24 23:00 UTC\n",
                           1, true), out)
    assert.equal(4, select(2, out:gsub("\n", "")))
  end)

  it("has defaults for both", function()
    if os.execute "test -d build" ~= 0 then pending "there is no folder build/" end
    local status, out, err = run()
    assert.equal(0, status, err)
    assert.truthy(out:find("weather.log: 432 records", 1, true))
  end)

  it("takes logs of any length", function()
    for _, n in ipairs {1, 2, 47, 1000, 20000} do check(random_log(n)) end
  end)

  it("reads fields at odd addresses", function()
    local log = nd.records(nd.mmap(OWN), {{"time", "u32be"}, {"station", "u8"}, {"t", "i16"},
                           {"pressure", "f32"}, {"wind", "u16be"}}, {offset = 12})
    assert.same({13}, log.pressure.byte_strides)
    assert.equal(3, log.pressure.offset % 4)
    assert.equal("disk:" .. OWN, log.pressure.device)
  end)

  it("gets one line and status 1 for what is no log", function()
    local text = H.read(OWN)
    for file, why in pairs {
      [H.path "none.log"] = "No such file",
      [H.write(H.path "x.log", "")] = "not a weather log",
      [H.write(H.path "x.log", "WLOG")] = "not a weather log",
      [H.write(H.path "x.log", "wlog" .. text:sub(5))] = "not a weather log",
      [H.write(H.path "x.log", text:sub(1, -2))] = "432 records in 5615 bytes",
      [H.write(H.path "x.log", text .. "x")] = "432 records in 5617 bytes",
      [H.write(H.path "x.log", text:sub(1, 12))] = "432 records in 0 bytes",
      [H.write(H.path "x.log", text:sub(1, 8) .. "\0\0\0\0")] = "0 records in 0 bytes",
      [H.write(H.path "x.log", "WLOG\0\0\0\14" .. text:sub(9))] = "records of 14 bytes, not 13",
      ["examples/data/speech.wav"] = "not a weather log",
      [H.dir()] = "not a regular file",
    } do
      local folder = H.dir()
      local status, out, err = run(file, folder)
      assert.equal(1, status, why)
      assert.equal("", out)
      assert.truthy(err:find "^binary_log: [^\n]+\n$", err)
      assert.truthy(err:find(why, 1, true) and err:find(file, 1, true), err)
      assert.is_nil(err:find "%.lua:%d", err)
      assert.equal("", (select(2, H.run("ls " .. folder))))
    end
  end)

  it("is also a folder that is not there", function()
    local status, out, err = run(OWN, H.path "none")
    assert.equal(1, status)
    assert.equal("", out)
    assert.truthy(err:find "^binary_log: cannot write [^\n]+: No such file or directory\n$", err)
  end)
end)
