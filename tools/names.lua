-- Prints the public names of the built module, or compares them with docs/reference.md.
--   luajit tools/names.lua [docs/reference.md]
-- Headings are "### `nd.zeros(shape, …)`", "### `a:sum()` · `a:prod()`", "### `a.dtype`".

local nd = require "ndbuf"
local core = require "ndbuf.core"

local names = {}

local function is_public(key) return type(key) == "string" and not key:find "^_" end

local function add_members(prefix, members)
  for key in pairs(members) do
    if is_public(key) then names[prefix .. key] = true end
  end
end

local function add_module(prefix, module, depth)
  for key, value in pairs(module) do
    if is_public(key) then
      names[prefix .. "." .. key] = true
      if type(value) == "table" and depth > 0 and not debug.getmetatable(value) then
        add_module(prefix .. "." .. key, value, depth - 1)
      end
    end
  end
end

-- Objects without tables of fields name them when they are asked for one that they do not have:
-- "… known is name", "fields are name, itemsize, kind".
local function add_refusing(prefix, object)
  local _, e = pcall(function() return object[" "] end)
  local list = e.message:match "%f[%w]are ([%w_, ]+)$" or e.message:match "%f[%w]is ([%w_, ]+)$"
  for key in assert(list, e.message):gmatch "[%w_]+" do names[prefix .. key] = true end
end

-- One object of each kind, by the letter that the reference calls it.
local function collect()
  add_module("nd", nd, 2)
  for _, metatable in pairs(core.metatables) do
    add_members("a:", metatable.methods)
    add_members("a.", metatable.properties)
  end
  add_refusing("dtype.", nd.f64)
  add_refusing("dev.", nd.device "cpu")
  add_members("e.", select(2, pcall(nd.zeros, "x")))
end

-- The names that headings give: `nd.zeros(3)` is nd.zeros; what is no name (`a[i]`, `#a`, `a + b`)
-- is left out.
local function read_headings(path)
  local documented = {}
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local heading = line:match "^###%s+(.*)$"
    for span in (heading or ""):gmatch "`([^`]+)`" do
      for item in (span .. " · "):gmatch "(.-) · " do
        local name = item:match "^%s*([%a_][%w_]*[%w_%.:]*)%f[^%w_%.:]"
        if name and name:find "[.:]" then documented[name] = documented[name] or number end
      end
    end
  end
  return documented
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

local PREFIXES = {nd = true, a = true, dtype = true, dev = true, e = true}

local function compare(path)
  local documented = read_headings(path)
  local wrong = 0
  for _, name in ipairs(sorted(names)) do
    if not documented[name] then
      wrong = wrong + 1
      print(("%s: %s is not there"):format(path, name))
    end
  end
  for _, name in ipairs(sorted(documented)) do
    if PREFIXES[name:match "^[%w_]+"] and not names[name] then
      wrong = wrong + 1
      print(("%s:%d: the module has no %s"):format(path, documented[name], name))
    end
  end
  return wrong
end

collect()
local path = ...
if not path then
  for _, name in ipairs(sorted(names)) do print(name) end
elseif compare(path) > 0 then
  os.exit(1)
end
