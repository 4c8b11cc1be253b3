-- What README.md and docs/ show is what happens: every example runs.
local H = require "spec.helper"

local links = require "tools.manual.links"

local function pages()
  local list = {}
  local _, out = H.run "find README.md docs -name '*.md' | LC_ALL=C sort"
  for path in out:gmatch "[^\n]+" do list[#list + 1] = path end
  return list
end

-- A folder to work in, where a page finds the examples, build/ and lua/ as in the checkout.
local function folder()
  local path = H.dir()
  assert.equal(0, (H.run("mkdir " .. H.quote(path .. "/build"))))
  for _, name in ipairs {"examples", "lua"} do
    assert.equal(0, (H.run(('ln -s "$PWD/%s" %s/%s'):format(name, H.quote(path), name))))
  end
  return path
end

describe("the examples", function()
  for _, path in ipairs(pages()) do
    it("of " .. path .. " do what they say", function()
      local status, out, err = H.luajit(nil, "spec/docs/run.lua", path, folder())
      assert.equal("", err)
      assert.equal(0, status)
      local _, blocks = H.read(path):gsub("\n```lua\n", "")
      assert.is_true(tonumber(out) >= blocks, "examples were left out")
    end)
  end

  it("are there", function()
    local list = table.concat(pages(), " ")
    for _, path in ipairs {"README.md", "docs/reference/README.md", "docs/reference/views.md"} do
      assert.truthy(list:find(path, 1, true), path)
    end
  end)
end)

describe("the links", function()
  local list = pages()
  list[#list + 1] = "examples/README.md"
  for _, path in ipairs(list) do
    it("of " .. path .. " lead somewhere", function()
      assert.same({}, links.broken(path))
    end)
  end

  it("that do not are found", function()
    local path = H.path "links.md"
    H.write(path, table.concat({
      "# A `b` and C", "## A · b", "```sh", "# no heading", "```",
      "[1](#a-b-and-c) [2](#a--b) [3](https://x.y/z) [4](" .. path:match "[^/]+$" .. "#a--b)",
      "`[5](#code)` [6](#no-heading) [7](#b) [8](none.md) [9](none.md#a) [x](" ..
        path:match "[^/]+$" .. "#d)",
    }, "\n"))
    local name = path:match "[^/]+$" .. "#d"
    assert.same({"#no-heading", "#b", "none.md", "none.md#a", name}, links.broken(path))
  end)
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
  local function run_at(path, text)
    local status, _, err = H.luajit(nil, "spec/docs/run.lua", H.write(path, text), H.dir())
    return status, err
  end

  local function run(text) return run_at(H.path "x.md", text) end

  local function run_reference(text)
    local path = H.dir() .. "/reference"
    assert(os.execute("mkdir " .. H.quote(path)) == 0)
    return run_at(path .. "/x.md", text)
  end

  it("calls what the reference says that raises", function()
    local status, err = run_reference([[
```lua
nd.zeros(2).size -- => 2
```
- raises `shape_mismatch` for
  a `row`: `a[1] = {1, 2}`
- raises `freed` always: `a:free() a:clone()`
]])
    assert.equal("", err)
    assert.equal(0, status)
    for _, line in ipairs {
      "- raises `freed` for a row: `a[1] = {1, 2}`", "- raises `freed` never: `a:clone()`",
      "- raises `freed` as\n  it is: `a:clone() end`", "- raises `io` by Lua: `error 'io'`",
      "```lua\nlocal x = 1\n```\n```lua\nx -- => 1\n```",
    } do
      assert.equal(1, (run_reference(line .. "\n")), line)
    end
  end)

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
> nd.zeros(2)
f64 2 cpu
[0, 0]
> 1, "x"
1TAB"x"
```
```
> nd.zeros(2)(3)
stdin:1: ndbuf: index 3 is out of range for axis 1 of size 2
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
    ["other output"] = "```\n> 1\n2\n```\n",
    ["another error in a session"] = "```\n> error('x', 0)\ny\n```\n",
    ["no end"] = "```lua\nlocal x = 1\n",
    ["locals after fresh"] = "```lua\nlocal x = 1\n```\n```lua\n-- fresh\nx -- => 1\n```\n",
  } do
    it("notices " .. what, function() assert.equal(1, (run(text))) end)
  end
end)
