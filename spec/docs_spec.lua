-- What README.md and docs/ show is what happens: every example runs.
local H = require "spec.helper"

local function pages()
  local list = {"README.md"}
  local _, out = H.run "ls docs/*.md"
  for path in out:gmatch "[^\n]+" do list[#list + 1] = path end
  return list
end

-- A folder to work in, where a page finds the examples as in the checkout.
local function folder()
  local path = H.dir()
  assert.equal(0, (H.run(("ln -s \"$PWD/examples\" %s/examples"):format(H.quote(path)))))
  return path
end

describe("the examples", function()
  for _, path in ipairs(pages()) do
    it("of " .. path .. " do what they say", function()
      local status, out, err = H.luajit(nil, "spec/docs/run.lua", path, folder())
      assert.equal("", err)
      assert.equal(0, status)
      if path == "README.md" or path:find "reference" or path:find "guide" then
        assert.is_true(tonumber(out) > 0, "no example was found")
      end
    end)
  end
end)

describe("README.md", function()
  it("shows what the demo draws", function()
    local target = H.path "speech.npy"
    local _, out = H.luajit(nil, "examples/speech.lua", "examples/data/speech.wav", target)
    out = out:gsub(" +\n", "\n"):gsub("\n[^\n]+speech.npy: ", "\nbuild/speech.npy: ")
    assert.truthy(H.read "README.md":find("```text\n" .. out .. "```\n", 1, true), out)
  end)
end)

describe("the runner of examples", function()
  local function run(text)
    local status, _, err = H.luajit(nil, "spec/docs/run.lua", H.write(H.path "x.md", text),
                                    H.dir())
    return status, err
  end

  it("passes what is right", function()
    local status, err = run(([[
```lua
local nd = require "ndbuf"
local a = nd.array {{1, 2}, {3, 4}} -- a comment
a.shape                             -- => {2, 2}
print(a[2])                         -- => f64 2 cpu [3, 4]
a[2]                                -- => [3, 4]
```
text
```lua
a(3, 1)                             -- => error: index 3 is out of range
a.size, "x", true                   -- => 4, x, true
```
```
> nd = require "ndbuf"
> =nd.zeros(2)
f64 2 cpu
[0, 0]
> print(pcall(nd.zeros(2), 3))
falseTABstdin:1: ndbuf: index 3 is out of range for axis 1 of size 2
```
]]):gsub("TAB", "\t"))
    assert.equal("", err)
    assert.equal(0, status)
  end)

  for what, text in pairs {
    ["another value"] = "```lua\n1 + 1 -- => 3\n```\n",
    ["no error"] = "```lua\n1 + 1 -- => error: x\n```\n",
    ["an error"] = "```lua\nlocal nd = require 'ndbuf'\nnd.zeros(-1)\n```\n",
    ["another error"] = "```lua\nlocal nd = require 'ndbuf'\nnd.zeros(-1) -- => error: x\n```\n",
    ["an unknown name"] = "```lua\nlocal nd = require 'ndbuf'\nnd.zeroes(2)\n```\n",
    ["an unknown global"] = "```lua\nlocal x = nonsense\n```\n",
    ["a statement with a value"] = "```lua\nlocal x = 1 -- => 1\n```\n",
    ["no Lua"] = "```lua\nlocal local\n```\n",
    ["other output"] = "```\n> =1\n2\n```\n",
    ["an error in a session"] = "```\n> error('x', 0)\nx\n```\n",
    ["no end"] = "```lua\nlocal x = 1\n",
    ["locals after fresh"] = "```lua\nlocal x = 1\n```\n```lua\n-- fresh\nx -- => 1\n```\n",
  } do
    it("notices " .. what, function() assert.equal(1, (run(text))) end)
  end
end)
