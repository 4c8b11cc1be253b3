-- The example as its user runs it: the picture is NumPy's whatever the limit, and the budget holds.
local H = require "spec.helper"

local SHADES = " .:-=+*#%@"

local function run(...)
  return H.luajit(jit.status() and "" or "-joff", "examples/spill.lua", ...)
end

local function parse(out)
  local picture, spilled, peak = out:match
    "^(.*\n)(%d+) of 64 tiles are in the file; at most ([%d.]+) MiB were in memory at a time\n$"
  assert.truthy(picture, out)
  return picture, tonumber(spilled), tonumber(peak)
end

-- What the field looks like, in doubles and all at once.
local function picture()
  return H.python [[
import numpy as np
y, x = np.arange(1, 4097)[:, None], np.arange(1, 4097)
waves = lambda cy, cx: np.sin(np.sqrt((y - cy) ** 2.0 + (x - cx) ** 2.0) * 0.01)
power = (waves(1300, 2048) + waves(2800, 2048)) ** 2
power = power.reshape(32, 128, 64, 64).mean((1, 3))
for row in np.minimum(9, (power / 2 * 10).astype(int)):
    print(''.join(' .:-=+*#%@'[k] for k in row).rstrip())
]]
end

-- Its floats may be on the other side of a shade's limit.
local function assert_alike(expected, got)
  local others, rows = 0, {expected = {}, got = {}}
  for name, text in pairs {expected = expected, got = got} do
    for line in text:gmatch "(.-)\n" do
      table.insert(rows[name], line .. (" "):rep(64 - #line))
    end
  end
  assert.equal(#rows.expected, #rows.got)
  for k, row in ipairs(rows.expected) do
    for c = 1, 64 do
      local apart = SHADES:find(row:sub(c, c), 1, true) -
        SHADES:find(rows.got[k]:sub(c, c), 1, true)
      if apart ~= 0 then others = others + 1 end
      assert.is_true(math.abs(apart) <= 1, ("row %d, column %d:\n%s"):format(k, c, got))
    end
  end
  assert.is_true(others <= 20, others .. " characters are others")
end

describe("examples/spill.lua", function()
  it("draws the same with less memory than the field has", function()
    local expected, drawn = picture(), nil
    for _, limit in ipairs {"1GiB", "16MiB", "6MiB", "3MiB"} do
      local path = H.path "spill.f32"
      local status, out, err = run(limit, path)
      assert.equal("", err)
      assert.equal(0, status)
      assert.is_false(H.exists(path))
      local shown, spilled, peak = parse(out)
      assert_alike(expected, shown)
      assert.equal(drawn or shown, shown)
      drawn = shown
      local MiB = limit ~= "1GiB" and tonumber(limit:match "%d+")
      if MiB then assert.is_true(peak <= MiB and peak > MiB - 2, out) end
      if MiB then assert.is_true(spilled >= 64 - MiB and spilled <= 64, out)
      else assert.equal(0, spilled) end
    end
  end)

  it("has defaults", function()
    if os.execute "test -d build" ~= 0 then pending "there is no folder build/" end
    local status, out, err = run()
    assert.equal(0, status, err)
    assert.is_true(select(3, parse(out)) <= 16)
    assert.is_false(H.exists "build/spill.f32")
  end)

  it("gets one line and status 1 for what cannot be", function()
    for _, case in ipairs {
      {"budget exceeded", "1MiB", H.path "spill.f32"},
      {"is no limit", "much", H.path "spill.f32"},
      {"No such file or directory", "16MiB", H.path "none" .. "/spill.f32"},
    } do
      local status, out, err = run(case[2], case[3])
      assert.equal(1, status)
      assert.equal("", out)
      assert.truthy(err:find "^spill: [^\n]+\n$" and err:find(case[1], 1, true), err)
    end
  end)
end)
