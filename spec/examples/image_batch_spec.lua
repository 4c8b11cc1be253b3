-- The example as its user runs it; NumPy computes the same batch.
local nd = require "ndbuf"
local H = require "spec.helper"

local function run(...) return H.luajit(nil, "examples/image_batch.lua", ...) end

-- The largest difference from NumPy's batch, in the last place of a float.
local function distance(target, ...)
  return tonumber(H.python([=[
import sys
import numpy as np
def read(path):
    with open(path, 'rb') as file:
        assert file.readline() == b'P6\n'
        columns, rows = map(int, file.readline().split())
        assert file.readline() == b'255\n'
        return np.frombuffer(file.read(), 'u1').reshape(rows, columns, 3)
mean = np.array([0.485, 0.456, 0.406])
deviation = np.array([0.229, 0.224, 0.225])
want = np.stack([((read(path) / 255 - mean) / deviation).transpose(2, 0, 1)
                 for path in sys.argv[2:]]).astype('f4')
got = np.load(sys.argv[1])
assert got.dtype == want.dtype and got.shape == want.shape and got.flags.c_contiguous
print(np.abs((got - want) / np.spacing(np.abs(want))).max())
]=], target, ...))
end

local function noise(rows, columns)
  local path = H.path "noise.ppm"
  nd.save(path, nd.randint(0, 255, {rows, columns, 3}, "u8", {seed = H.seed}))
  return path
end

describe("examples/image_batch.lua", function()
  local OWN = {"examples/data/ball1.ppm", "examples/data/ball2.ppm", "examples/data/ball3.ppm"}

  it("makes of its own images what NumPy makes, to the bit", function()
    local target = H.path "batch.npy"
    local status, out, err = run(target, unpack(OWN))
    assert.equal("", err)
    assert.equal(0, status)
    assert.truthy(out:find(target .. ": 3 x 3 x 120 x 160 floats\n", 1, true))
    assert.equal(0, distance(target, unpack(OWN)))
  end)

  it("has defaults for all files", function()
    if os.execute "test -d build" ~= 0 then pending "there is no folder build/" end
    local status, out, err = run()
    assert.equal(0, status, err)
    assert.truthy(out:find("build/batch.npy: 3 x 3 x 120 x 160 floats\n", 1, true))
  end)

  it("takes every byte, and images of any size", function()
    for _, shape in ipairs {{1, 1}, {1, 300}, {256, 3}, {37, 53}} do
      local target, a, b = H.path "batch.npy", noise(unpack(shape)), noise(unpack(shape))
      local status, out, err = run(target, a, b)
      assert.equal("", err)
      assert.equal(0, status)
      assert.equal(13, select(2, out:gsub("\n", "")))
      assert.equal(0, distance(target, a, b))
    end
  end)

  it("gets one line and status 1 for what is no image of theirs", function()
    local grey, deep = H.path "grey.pgm", H.path "deep.ppm"
    nd.save(grey, nd.zeros({120, 160}, "u8"))
    nd.save(deep, nd.zeros({120, 160, 3}, "u16"))
    local cut = H.write(H.path "cut.ppm", H.read(OWN[1]):sub(1, -2))
    local four = H.path "four.npy"
    nd.save(four, nd.zeros({120, 160, 4}, "u8"))
    for path, why in pairs {
      [noise(120, 161)] = "120 x 161 x 3, but examples/data/ball1.ppm is 120 x 160",
      [grey] = "120 x 160 of u8, no colours of 8 bits",
      [deep] = "120 x 160 x 3 of u16, no colours of 8 bits",
      [four] = "120 x 160 x 4 of u8, no colours of 8 bits",
      [cut] = "truncated",
      [H.path "none.ppm"] = "No such file",
      [H.write(H.path "text.ppm", "P7 what is this")] = "",
      [H.dir()] = "no format is known",
      ["examples/data/speech.wav"] = "of i16, no colours",
    } do
      local target = H.path "batch.npy"
      local status, out, err = run(target, OWN[1], path)
      assert.equal(1, status, path)
      assert.equal("", out)
      assert.truthy(err:find "^image_batch: [^\n]+\n$", err)
      assert.truthy(err:find(path, 1, true) and err:find(why, 1, true), err)
      assert.is_nil(err:find "%.lua:%d", err)
      assert.is_false(H.exists(target))
    end
  end)
end)
