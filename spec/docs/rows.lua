-- Evaluates the rows of a table of a page, each in a setting of its own; from_spec.lua starts it.
--   luajit spec/docs/rows.lua FILE FOLDER NAME…     works inside of FOLDER
--
-- FILE is the setting, a line "--", then a row a line: "value CODE" or "state CODE". For each goes
-- out a line: the value, or the variables NAME afterwards; or "error" and why. After a tab, "view"
-- or "copy" where the value is an array, by whether a variable shares its memory. rows.py is the
-- same for NumPy.
local ffi = require "ffi"
local nd = require "ndbuf" -- while the paths still lead to it

local path, folder = ...
local names = {select(3, ...)}

local function is_array(value)
  return type(value) == "userdata" and getmetatable(value) ~= "ndbuf.dtype"
end

local show

local function show_list(t)
  local parts = {}
  for i, value in ipairs(t) do parts[i] = show(value) end
  return "[" .. table.concat(parts, ", ") .. "]"
end

local function show_number(value)
  if type(value) == "cdata" and tostring(ffi.typeof(value)):find "complex" then
    return ("(%.17g,%.17g)"):format(value.re, value.im)
  end
  return ("%.17g"):format(tonumber(value))
end

function show(value)
  if is_array(value) then
    local values = value.ndim == 0 and value() or value:totable()
    return ("%s %s %s"):format(value.dtype, show(value.shape), show(values))
  elseif type(value) == "table" then
    return show_list(value)
  elseif type(value) == "string" and value:find "[^%w_ .]" then
    return "bytes " .. value:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  elseif type(value) == "string" then
    return '"' .. value .. '"'
  elseif type(value) == "number" or type(value) == "cdata" then
    return show_number(value)
  end
  return tostring(value)
end

local function evaluate(setting, mode, code)
  local env = setmetatable({}, {__index = _G})
  setfenv(assert(loadstring(setting)), env)()
  if mode == "state" then
    setfenv(assert(loadstring(code) or loadstring("local _ = " .. code)), env)()
    local parts = {}
    for i, name in ipairs(names) do parts[i] = name .. " = " .. show(env[name]) end
    return table.concat(parts, "; ")
  end
  local value = setfenv(assert(loadstring("return " .. code)), env)()
  if not is_array(value) then return show(value) end
  local kind = "copy"
  for _, name in ipairs(names) do
    local variable = env[name]
    if is_array(variable) and variable.storage_id == value.storage_id then kind = "view" end
  end
  return show(value) .. "\t" .. kind
end

local setting, rows = nd.mmap(path):copyout():match "^(.-)\n%-%-\n(.*)$"
setting = setting:gsub("%f[%w]local ", "")
ffi.cdef "int chdir(const char *path);"
assert(ffi.C.chdir(folder) == 0)
for mode, code in rows:gmatch "(%l+) ([^\n]+)\n" do
  local ok, result = pcall(evaluate, setting, mode, code)
  if ok then
    print(result)
  elseif type(result) == "table" then
    print("error " .. result.code .. ": " .. result.message)
  else
    print("error " .. tostring(result):gsub("^%[.-%]:%d+: ", ""))
  end
end
