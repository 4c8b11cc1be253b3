--- Completion at the prompt: globals, fields of tables, properties and methods of arrays. Nothing
-- that a script defined is called while it types, so metamethods are looked up raw.
local core = require "ndbuf.core"

local NAME = "[%a_][%w_]*"

-- The tables whose keys are names after 'value'; of an array its properties after ".", its methods
-- after ":".
local function tables_of(value, separator)
  local mt = debug.getmetatable(value)
  local dtype = type(value) == "userdata" and type(mt) == "table" and
    tostring(mt.__metatable):match "^ndbuf%.(%w+)$"
  local array = core.metatables[dtype]
  if array then return { separator == "." and array.properties or array.methods } end
  local list = { type(value) == "table" and value or nil }
  local index = type(mt) == "table" and rawget(mt, "__index")
  if type(index) == "table" then list[#list + 1] = index end
  return list
end

local function index(value, name) return value[name] end

-- A field, without calling a script's __index. Properties of arrays are read: they have no effects.
local function field(value, name)
  for _, t in ipairs(tables_of(value, ".")) do
    local found = rawget(t, name)
    if found ~= nil then
      if type(value) ~= "userdata" then return found end
      local fine, view = pcall(index, value, name)
      return fine and view or nil
    end
  end
end

-- The value that "a.b.c" is; nil when there is none.
local function find(path)
  local value = _G
  for name in path:gmatch(NAME) do
    value = field(value, name)
    if value == nil then return nil end
  end
  return value
end

-- The names after 'value' that begin with 'start', sorted. Those that begin with "_" only when
-- asked.
local function names_of(value, separator, start)
  local seen, names = {}, {}
  for _, t in ipairs(tables_of(value, separator)) do
    for name, entry in next, t do
      local fits = type(name) == "string" and name:sub(1, #start) == start and
        name:find("^" .. NAME .. "$") and (start ~= "" or name:sub(1, 1) ~= "_")
      local is_method = separator == "." or type(entry) == "function"
      if fits and is_method and not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  table.sort(names)
  return names
end

--- All completions of 'text', the line up to the cursor; each begins with 'text'.
local function complete(text)
  local head, word = text:match("^(.-)([%w_.:]*)$")
  local path, separator, start = word:match "^(.*)([.:])([%w_]*)$"
  local value = _G
  if path then value = path:find "^[%a_][%w_.]*$" and find(path) end
  if value == nil or value == false then return {} end
  local list = names_of(value, separator or ".", start or word)
  local before = head .. (path and path .. separator or "")
  for i, name in ipairs(list) do list[i] = before .. name end
  return list
end

return complete
