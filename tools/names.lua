-- Prints the public names of the built module, or compares them with docs/reference.md.
--   luajit tools/names.lua [docs/reference.md]
-- Headings are "### `nd.zeros(shape, …)`", "### `a:sum()` · `a:prod()`", "### `a.dtype`".

local nd = require "ndbuf"

local names = {}
local seen = {}

local function is_public(key) return type(key) == "string" and not key:find "^_" end

-- Metatables may list their methods and fields in __methods and __fields. Otherwise, where __index
-- is a function, its upvalues tell: tables of functions, by the names that they have in the source.
local METHOD_TABLES = {methods = ":", method = ":", getters = ".", properties = ".", fields = "."}

local function add_members(prefix, members, mark)
  for key, value in pairs(members) do
    if is_public(key) then
      local is_method = mark == ":" or not mark and type(value) == "function"
      names[prefix .. (is_method and ":" or ".") .. key] = true
    end
  end
end

local function walk_upvalues(prefix, fn, depth)
  for i = 1, 60 do
    local name, value = debug.getupvalue(fn, i)
    if not name then return end
    local mark = METHOD_TABLES[name]
    if mark and type(value) == "table" then
      add_members(prefix, value, mark)
    elseif type(value) == "function" and depth > 0 and not seen[value] then
      seen[value] = true
      walk_upvalues(prefix, value, depth - 1)
    end
  end
end

local function add_object(prefix, object)
  local mt = debug.getmetatable(object)
  if not mt or type(object) == "string" then return end
  if mt.__methods then add_members(prefix, mt.__methods, ":") end
  if mt.__fields then add_members(prefix, mt.__fields, ".") end
  if type(mt.__index) == "table" then
    add_members(prefix, mt.__index)
  elseif type(mt.__index) == "function" and not mt.__methods then
    seen = {}
    walk_upvalues(prefix, mt.__index, 2)
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

-- One object of each kind, by the letter that the reference calls it.
local function collect()
  add_module("nd", nd, 2)
  add_object("a", nd.zeros(2, 3))
  add_object("dtype", nd.f64)
  if nd.device then add_object("dev", nd.device "cpu") end
  local ok, failure = pcall(nd.zeros, -1)
  if not ok and type(failure) == "table" then
    add_object("e", failure)
    add_members("e", failure, ".")
  end
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
