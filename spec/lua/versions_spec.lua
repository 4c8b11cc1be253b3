-- core.so and the Lua files have to be of one version: the ABI number tells.
local H = require "spec.helper"

local flags = jit.status() and "" or "-joff"

-- A copy of the Lua files of which init.lua is changed; what loading it says, and its status.
local function load_changed(pattern, replacement)
  local dir = H.dir()
  H.run("cp -r lua/ndbuf " .. H.quote(dir))
  local path = dir .. "/ndbuf/init.lua"
  local text, count = H.read(path):gsub(pattern, replacement)
  assert.equal(1, count)
  H.write(path, text)
  local status, out, err = H.luajit(flags, [[
package.path = arg[1] .. "/?.lua;" .. arg[1] .. "/?/init.lua"
local nd = require "ndbuf"
print(nd.ones(2)[2])]], dir)
  return status, out .. err
end

describe("the Lua files", function()
  it("load with the core of their ABI", function()
    local status, text = load_changed("\nlocal ffi = require", "%0")
    assert.equal(0, status, text)
    assert.equal("1\n", text)
  end)

  it("refuse a core of another, and say which both are", function()
    local abi = require("ndbuf.core").abi
    local status, text = load_changed("local ABI = %d+", "local ABI = 77")
    assert.equal(1, status)
    local wanted = ("ndbuf: core.so has ABI %d, the Lua files need 77: they come from different "
      .. "versions"):format(abi)
    assert.truthy(text:find(wanted, 1, true), text)
  end)

  it("refuse a core from before there was a number", function()
    local status, text = load_changed('local core = require "ndbuf.core"', "%0 core.abi = nil")
    assert.equal(1, status)
    assert.truthy(text:find("core.so has ABI nil, the Lua files need", 1, true), text)
  end)
end)

describe("this interpreter", function()
  it("has to be LuaJIT", function()
    local status, out, err = H.luajit(flags, 'jit = nil\nrequire "ndbuf"')
    assert.equal(1, status)
    assert.truthy(err:find("ndbuf needs LuaJIT; this is Lua 5.1", 1, true), out .. err)
    status, out, err = H.luajit(flags, 'jit = nil\nrequire "ndbuf.core"')
    assert.equal(1, status)
    assert.truthy(err:find("ndbuf needs LuaJIT (2.1); this is Lua 5.1", 1, true), out .. err)
  end)
end)
