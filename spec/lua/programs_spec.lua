-- Element access gives the same however it is run: random programs in C's metamethods (-joff)
-- against the compiler in several settings, and the interpreter.
local H = require "spec.helper"

local settings = {
  ["by default"] = { "", "on" },
  ["compiled at once"] = { "-Ohotloop=1 -Ohotexit=1", "on" },
  ["without the optimisations that move loads"] = { "-O-sink -O-fold -O-cse -O-loop", "on" },
  ["in small traces"] = { "-Omaxrecord=80 -Omaxsnap=10 -Omaxside=2 -Omaxtrace=20", "on" },
  ["interpreted"] = { "", "off" },
}

describe("random programs", function()
  -- Programs differ much in how much they read: of fewer, "most" would be a matter of luck.
  local path, count, expected = nil, math.max(150, H.cases(300)), nil

  local function outcome(flags, mode)
    local status, out, err = H.luajit(flags, "spec/lua/programs.lua", mode, H.seed % 2 ^ 31, 1,
      count, path)
    assert(status == 0, ("status %d, seed %d: %s"):format(status, H.seed, err:sub(-300)))
    local lines = {}
    for line in out:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.equal(count, #lines)
    return lines
  end

  lazy_setup(function()
    local random, bytes = H.rng "programs", {}
    for i = 1, 65536 do bytes[i] = string.char(random(0, 255)) end
    path = H.write(H.path "map", table.concat(bytes))
    expected = outcome("-joff", "on")
  end)

  it("read and store, most of them", function()
    local values = 0
    for _, line in ipairs(expected) do values = values + tonumber(line:match "\t(%d+) ") end
    assert.is_true(values > 50 * count, values .. " values")
  end)

  for name, setting in pairs(settings) do
    it(("do the same %s"):format(name), function()
      for i, line in ipairs(outcome(setting[1], setting[2])) do
        assert(line == expected[i], ("seed %d: programs.lua %s with '%s' gives %s, not %s"):format(
          H.seed, setting[2], setting[1], line, expected[i]))
      end
    end)
  end
end)
