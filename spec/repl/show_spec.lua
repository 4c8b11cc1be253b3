-- Values as text, without a terminal.
local H = require "spec.helper"
local nd = require "ndbuf"
local show = require "ndbuf.show"

describe("a long table", function()
  local function squeezed(n) return (show.value(nd.arange(n):totable()):gsub("\n", "")) end

  it("is shown up to 100 entries", function()
    local list = {}
    for i = 1, 100 do list[i] = tostring(i) end
    assert.equal("{" .. table.concat(list, ", ") .. "}", squeezed(100))
    assert.equal("{" .. table.concat(list, ", ") .. ", ...}", squeezed(101))
    assert.equal(squeezed(101), squeezed(1e6))
    local named = nd.arange(99):totable()
    named.x, named.y = 1, 2
    assert.truthy(show.value(named):find ", 99, x = 1, %.%.%.}$")
  end)

  it("is broken into lines that fit", function()
    for line in show.value(nd.arange(1e3, 2e3):totable()):gmatch "[^\n]+" do
      assert.is_true(#line <= 80, line)
    end
  end)
end)

describe("tables that are odd", function()
  it("do not run their metamethods, but for tostring", function()
    local function refuse() error "called" end
    local mt = {__index = refuse, __pairs = refuse, __len = refuse, __call = refuse}
    assert.equal("{1, x = 2}", show.value(setmetatable({1, x = 2}, mt)))
    mt.__tostring = function() return "itself" end
    assert.equal("itself", show.value(setmetatable({1}, mt)))
  end)

  it("may hold themselves, holes, and any keys", function()
    local t = {1, nil, 3, [false] = 0, [0] = "zero", [-1.5] = {}, ["end of"] = "\1\127\r"}
    t.t = t
    local text = show.value(t)
    for _, part in ipairs {"[false] = 0", '[0] = "zero"', "[-1.5] = {}", "t = {...", "3",
                           [=[["end of"] = "\001\127\r"]=]} do
      assert.truthy(text:find(part, 1, true), text)
    end
  end)

  it("show an error object as its message", function()
    local e = H.raises("index_out_of_range", function() return nd.zeros(2)(3) end)
    assert.equal(tostring(e), show.value(e))
  end)

  it("are shown by all the lines of their text, inside of others by the first", function()
    assert.truthy(tostring(nd.info()):find "\n")
    assert.equal(tostring(nd.info()), show.value(nd.info()))
    assert.falsy(show.value {nd.info()}:find "devices")
  end)
end)
