-- The example as its user runs it: the slices are NumPy's, and the process stays small.
local H = require "spec.helper"

local PLANE = 2 ^ 20

local function run(...) return H.luajit(nil, "examples/volume.lua", ...) end

local function memory()
  return tonumber(H.read("/proc/meminfo"):match "MemTotal:%s+(%d+)") * 1024
end

-- What the slices of the ball look like, from the formula alone.
local function picture()
  return H.python [[
import numpy as np
def shade(u, v, w):
    value = np.sqrt(np.maximum(0, 1 - u * u - v * v - w * w)) * 255
    return np.array(list(' .:-=+*#%@'))[np.floor(value.astype('u1') / 256 * 10).astype(int)]
z = (2 * np.arange(1, 25) - 1) / 24 - 1
rows = 2 * np.arange(18, 1025, 43) / 1024 - 1
columns = 2 * np.arange(16, 1025, 32) / 1024 - 1
parts = [shade(rows[:, None], columns, z[11]), shade(0, columns, z[:, None]),
         shade(columns, 0, z[:, None])]
for row in np.concatenate(parts, 1):
    print(''.join(row))
]]
end

describe("examples/volume.lua", function()
  it("slices more than the machine's memory, and uses little of it", function()
    local path = H.path "volume.u8"
    local status, out, err = run(path)
    assert.equal("", err)
    assert.equal(0, status)
    local shown, size, all, used =
      out:match "^(.*\n)([%d.]+) GiB of volume, ([%d.]+) GiB of memory, ([%d.]+) MiB in use\n$"
    assert.equal(picture(), shown)
    assert.is_true(tonumber(size) >= 2 * tonumber(all) - 0.1, out)
    assert.is_true(math.abs(tonumber(all) - memory() / 2 ^ 30) < 0.1, out)
    assert.is_true(tonumber(used) < (H.is_sanitized and 500 or 100), out)
    assert.is_false(H.exists(path))
  end)

  it("says itself what the system says, at its peak", function()
    if H.is_sanitized then pending "the sanitizer's own memory is in the figure" end
    local program = ([[
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
]])
    local wrapper = H.write(H.path "run.sh", ("LUA_PATH=%s LUA_CPATH=%s exec %s \"$@\"\n"):format(
                            H.quote(package.path), H.quote(package.cpath),
                            os.getenv "LUAJIT" or "luajit"))
    local peak = tonumber(H.python(program, "sh", wrapper, "examples/volume.lua",
                                   H.path "volume.u8")) * 1024
    assert.is_true(peak > 24 * PLANE, peak) -- what was written was there
    assert.is_true(peak < 100 * PLANE, peak)
    assert.is_true(peak < memory() / 10, peak)
  end)

  it("draws the same of volumes of other sizes", function()
    for _, planes in ipairs {24, 25, 100, 5000} do
      local status, out = run(H.path "volume.u8", planes)
      assert.equal(0, status)
      assert.equal(picture(), (out:match "^(.*\n)[%d.]+ GiB"))
      assert.truthy(out:find(("\n%.1f GiB of volume"):format(planes * PLANE / 2 ^ 30)))
    end
  end)

  it("has a default for the file", function()
    if os.execute "test -d build" ~= 0 then pending "there is no folder build/" end
    local status, _, err = run()
    assert.equal(0, status, err)
    assert.is_false(H.exists "build/volume.u8")
  end)

  it("gets one line and status 1 for what cannot be", function()
    local there = H.write(H.path "there", "mine")
    for _, case in ipairs {
      {"File exists", there},
      {"No such file or directory", H.path "none" .. "/volume.u8"},
      {"at least 24", H.path "volume.u8", 23},
      {"at least 24", H.path "volume.u8", -1},
      {"24.5 is not an integer", H.path "volume.u8", 24.5},
      {"more bytes of u8 than", H.path "volume.u8", 2 ^ 50},
    } do
      local status, out, err = run(case[2], case[3])
      assert.equal(1, status)
      assert.equal("", out)
      assert.truthy(err:find "^volume: [^\n]+\n$" and err:find(case[1], 1, true), err)
      assert.is_nil(err:find "%.lua:%d", err)
    end
    assert.equal("mine", H.read(there))
  end)
end)
