-- The example as its user runs it, with a GPU (simulated) and without; NumPy cuts the same.
local nd = require "ndbuf"
local H = require "spec.helper"

local DRIVER = "NDBUF_CUDA=1 NDBUF_CUDA_DRIVER=" .. H.build .. "/cudasim/libcuda.so.1 CUSIM_MODE="
local OWN = {"examples/data/ball1.ppm", "examples/data/ball2.ppm", "examples/data/ball3.ppm"}

-- In an environment with these settings: status, stdout, stderr.
local function run(settings, ...)
  local words = {}
  for i = 1, select("#", ...) do words[i] = H.quote((select(i, ...))) end
  local paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath))
  return H.run(("env %s %s %s examples/gpu_batch.lua %s"):format(settings, paths,
    os.getenv "LUAJIT" or "luajit", table.concat(words, " ")))
end

local function is_numpys(target, ...)
  return H.python([=[
import sys
import numpy as np
def read(path):
    with open(path, 'rb') as file:
        assert file.readline() == b'P6\n'
        columns, rows = map(int, file.readline().split())
        assert file.readline() == b'255\n'
        return np.frombuffer(file.read(), 'u1').reshape(rows, columns, 3)
batch = np.stack([read(path).transpose(2, 0, 1) for path in sys.argv[2:]])
rows, columns = batch.shape[2:]
height, width = max(1, rows // 2), max(1, columns // 2)
top, left = (rows - height) // 2, (columns - width) // 2
got = np.load(sys.argv[1])
assert got.dtype == 'u1' and got.flags.c_contiguous
print(np.array_equal(got, batch[:, :, top:top + height, left:left + width]))
]=], target, ...) == "True\n"
end

local function noise(rows, columns)
  local path = H.path "noise.ppm"
  nd.save(path, nd.randint(0, 255, {rows, columns, 3}, "u8", {seed = H.seed}))
  return path
end

describe("examples/gpu_batch.lua", function()
  for _, mode in ipairs {"eager", "lazy", "shuffle"} do
    it("cuts on a GPU what NumPy cuts: " .. mode, function()
      local target, settings = H.path "crops.npy", DRIVER .. mode
      local status, out, err = run(settings, target, unpack(OWN))
      assert.equal("", err)
      assert.equal(0, status)
      assert.truthy(out:find(target .. ": 3 x 3 x 60 x 80 bytes, cut out on cuda:0, ", 1, true))
      assert.truthy(out:find("to the GPU: 172800 bytes; within: 43200; back: 43200\n", 1, true))
      assert.is_true(is_numpys(target, unpack(OWN)))
      for _, shape in ipairs {{1, 1}, {1, 301}, {255, 3}, {37, 53}} do
        local a, b = noise(unpack(shape)), noise(unpack(shape))
        status, out, err = run(settings, target, a, b)
        assert.equal(0, status, out .. err)
        assert.is_true(is_numpys(target, a, b))
      end
    end)
  end

  it("cuts the same on the host where there is no GPU, and says so", function()
    local target = H.path "crops.npy"
    local status, out, err = run("NDBUF_CUDA=0", target, unpack(OWN))
    assert.equal("", err)
    assert.equal(0, status)
    assert.truthy(out:find("on the host, as there is no GPU: ", 1, true))
    assert.truthy(out:find("to the GPU: 0 bytes; within: 0; back: 0\n", 1, true))
    assert.is_true(is_numpys(target, unpack(OWN)))
  end)

  it("has defaults for all files", function()
    if os.execute "test -d build" ~= 0 then pending "there is no folder build/" end
    local status, out, err = run "NDBUF_CUDA=0"
    assert.equal(0, status, err)
    assert.truthy(out:find("build/crops.npy: 3 x 3 x 60 x 80 bytes", 1, true))
  end)

  it("gets one line and status 1 for what is no image of theirs", function()
    local grey = H.path "grey.pgm"
    nd.save(grey, nd.zeros({120, 160}, "u8"))
    for path, why in pairs {
      [noise(120, 161)] = "120 x 161, but examples/data/ball1.ppm is 120 x 160",
      [grey] = "120 x 160 of u8, no colours of 8 bits",
      [H.path "none.ppm"] = "No such file",
    } do
      for _, settings in ipairs {"NDBUF_CUDA=0", DRIVER .. "lazy"} do
        local target = H.path "crops.npy"
        local status, out, err = run(settings, target, OWN[1], path)
        assert.equal(1, status, path)
        assert.equal("", out)
        assert.truthy(err:find "^gpu_batch: [^\n]+\n$", err)
        assert.truthy(err:find(path, 1, true) and err:find(why, 1, true), err)
        assert.is_false(H.exists(target))
      end
    end
  end)
end)
