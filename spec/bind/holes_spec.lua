-- Lists of values are lists: holes, other keys, metatables. The same for all lengths and dtypes.
local H = require "spec.helper"
local common = require "spec.bind.common"
local nd = require "ndbuf"

-- 1 .. n but for 'hole', written in this order: LuaJIT keeps such tables in different ways.
local function list(n, hole, descending)
  local t = {}
  for k = 1, n do
    local i = descending and n + 1 - k or k
    if i ~= hole then t[i] = 1 end
  end
  return t
end

local LENGTHS = {}
for n = 2, 20 do LENGTHS[#LENGTHS + 1] = n end

describe("a list of values", function()
  for _, dtype in ipairs(common.NAMES) do
    it("with a hole is refused, naming it, as " .. dtype, function()
      for _, n in ipairs(H.some(LENGTHS, 2)) do
        for hole = 1, n - 1 do
          for _, descending in ipairs {false, true} do
            local e = H.raises("shape_mismatch", nd.array, list(n, hole, descending), dtype)
            assert.equal(("table[%d]"):format(hole), e.argument)
            e = H.raises("shape_mismatch", nd.array, {list(n, hole, descending)}, dtype)
            assert.matches("table%[1%]", e.argument)
          end
        end
        assert.same({n}, nd.array(list(n, nil, true), dtype).shape)
      end
    end)

    it("is read raw, as " .. dtype, function()
      for n = 0, 20 do
        local t = setmetatable(list(n), {
          __index = function() error "asked" end,
          __len = function() error "asked" end,
        })
        assert.same({n}, nd.array(t, dtype).shape)
        if n > 1 then
          t[n - 1] = nil
          local e = H.raises("shape_mismatch", nd.array, t, dtype)
          assert.equal(("table[%d]"):format(n - 1), e.argument)
        end
      end
    end)
  end

  it("with other keys is refused", function()
    for n = 0, 12 do
      for _, key in ipairs {0, -1, 1.5, n + 0.5, "x", true} do
        local t = list(n)
        t[key] = 1
        if n > 8 or key == 0 or n == 0 then H.raises("shape_mismatch", nd.array, t) end
      end
    end
  end)

  it("of rows is refused where one is missing, naming it", function()
    for n = 2, 12 do
      for hole = 1, n - 1 do
        local t = {}
        for i = 1, n do t[i] = {i, i} end
        t[hole] = nil
        local e = H.raises("shape_mismatch", nd.array, t)
        assert.equal(("table[%d]"):format(hole), e.argument)
      end
    end
  end)
end)
