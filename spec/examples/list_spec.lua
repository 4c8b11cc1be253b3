-- examples/README.md names what there is.
local H = require "spec.helper"

local function names(command)
  local list = {}
  for name in select(2, H.run(command)):gmatch "[^\n]+" do list[#list + 1] = name end
  return list
end

describe("examples/README.md", function()
  local text = H.read "examples/README.md"

  it("has each example", function()
    local list = names "cd examples && ls *.lua"
    assert.is_true(#list >= 4)
    for _, name in ipairs(list) do
      assert.truthy(text:find(("[%s](%s)"):format(name, name), 1, true), name)
    end
  end)

  it("leads nowhere else", function()
    for target in text:gmatch "%]%(([^)]+)%)" do
      assert.is_true(H.exists("examples/" .. target), target)
    end
  end)

  it("says of all data where it comes from", function()
    local origin = H.read "examples/data/README"
    for _, name in ipairs(names "cd examples/data && ls") do
      assert.truthy(name == "README" or origin:find(name, 1, true), name)
    end
  end)
end)
