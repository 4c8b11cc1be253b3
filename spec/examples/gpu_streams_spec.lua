-- The example as its user runs it, with a simulated GPU and without one; NumPy cuts the same, and
-- what docs/gpu.md shows is what it draws.
local H = require "spec.helper"

local DRIVER = "NDBUF_CUDA=1 CUSIM_CLOCK=model NDBUF_CUDA_DRIVER=" .. H.build ..
  "/cudasim/libcuda.so.1 "

local function run(settings, ...)
  local words = {}
  for i = 1, select("#", ...) do words[i] = H.quote((select(i, ...))) end
  local paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath))
  return H.run(("env %s %s %s examples/gpu_streams.lua %s"):format(settings, paths,
    os.getenv "LUAJIT" or "luajit", table.concat(words, " ")))
end

local function is_numpys(target)
  return H.python([=[
import sys
import numpy as np
def read(i):
    with open('examples/data/ball%d.ppm' % i, 'rb') as file:
        return np.frombuffer(file.read()[-120 * 160 * 3:], 'u1').reshape(120, 160, 3)
batch = np.stack([read(i).transpose(2, 0, 1) for i in (1, 2, 3)])
parts = [np.roll(batch, k, 0)[:, :, 30:90, 40:120] for k in range(6)]
print(np.array_equal(np.load(sys.argv[1]), np.concatenate(parts)))
]=], target) == "True\n"
end

describe("examples/gpu_streams.lua", function()
  for _, mode in ipairs {"eager", "lazy", "shuffle"} do
    it("cuts what NumPy cuts, and draws what the guide shows: " .. mode, function()
      local target, drawing = H.path "crops.npy", H.path "timeline.svg"
      local status, out, err = run(DRIVER .. "CUSIM_MODE=" .. mode, target, drawing)
      assert.equal("", err)
      assert.equal(0, status)
      assert.is_true(is_numpys(target))
      assert.truthy(H.read "docs/gpu.md":find("```text\n" .. out .. "```\n", 1, true), out)
      assert.equal(H.read "docs/gpu-timeline.svg", H.read(drawing))
    end)
  end

  it("says in one line that there is no GPU", function()
    local target = H.path "crops.npy"
    local status, out, err = run("NDBUF_CUDA=0", target, H.path "timeline.svg")
    assert.same({1, ""}, {status, out})
    assert.truthy(err:find "^gpu_streams: there is no GPU: [^\n]+\n$", err)
    assert.is_false(H.exists(target))
  end)
end)
