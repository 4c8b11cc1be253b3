-- Prints the public names of the built module; with "check", what is wrong with docs/reference/:
-- names that are missing there or that the module has not, entries without signature, returns,
-- errors or example, and files made from it (see tools/docs.lua) that are stale.
--   luajit tools/names.lua [check]

-- Streams are there with a GPU only: the simulated one.
local ffi = require "ffi"
ffi.cdef "int setenv(const char *name, const char *value, int overwrite);"
local DRIVER = (os.getenv "BUILD" or "build") .. "/cudasim/libcuda.so.1"
ffi.C.setenv("NDBUF_CUDA_DRIVER", DRIVER, 1)
local nd = require "ndbuf"
local core = require "ndbuf.core"
local docs = require "tools.docs"
local parse = require "tools.manual.parse"

local FOLDER = "docs/reference"

-- Numbers of failures that scripts do not meet: a ticket's.
local INTERNAL = {slot = true}

-- ---- the module ----

local names = {}

local function is_public(key)
  return type(key) == "string" and (not key:find "^_" or key == "_VERSION")
end

local function add_members(prefix, members)
  for key in pairs(members) do
    if is_public(key) then names[prefix .. key] = true end
  end
end

-- nd.transfers is a function and has one, too.
local function add_module(prefix, module, depth)
  for key, value in pairs(module) do
    if is_public(key) then
      local metatable = debug.getmetatable(value)
      local has_fields = type(value) == "table" and (not metatable or metatable.__call)
      if has_fields and depth > 0 then add_module(prefix .. "." .. key, value, depth - 1) end
      if not has_fields or metatable then names[prefix .. "." .. key] = true end
    end
  end
end

-- Objects without tables of fields name them when they are asked for one that they do not have:
-- "… known is device", "… known are name, itemsize, kind".
local function add_refusing(owner, object)
  local _, e = pcall(function() return object[" "] end)
  local list = e.message:match "%f[%w]are ([%w_, ]+)$" or e.message:match "%f[%w]is ([%w_, ]+)$"
  for key in assert(list, e.message):gmatch "[%w_]+" do
    names[owner .. (type(object[key]) == "function" and ":" or ".") .. key] = true
  end
end

local function each_source(visit)
  local pipe = assert(io.popen "find src/ -name '*.[ch]'")
  for path in pipe:lines() do visit(docs.read(path)) end
  pipe:close()
end

-- The numbers that explain a failure become fields of its error object: ND_NUMBERS({"axis", 1}).
local function add_numbers()
  each_source(function(text)
    for list in text:gmatch "ND_NUMBERS(%b())" do
      for name in list:gmatch '{"([%a_]+)",' do
        names["e." .. name] = not INTERNAL[name] or nil
      end
    end
  end)
end

local function held_column()
  local schema, array = nd.to_arrow(nd.zeros(1, "i32"))
  schema.format = "tdD"
  return (nd.from_arrow(schema, array))
end

-- One object of each kind, by the letter that the reference calls it.
local function collect()
  add_module("nd", nd, 2)
  for _, metatable in pairs(core.metatables) do
    add_members("a:", metatable.methods)
    add_members("a.", metatable.properties)
  end
  add_refusing("dtype", nd.f64)
  add_refusing("column", held_column())
  add_refusing("dev", nd.device "cpu")
  add_members("dev:", core.device_metatable.methods)
  local mem = nd.memory.budget(nd.memory.host(), 10)
  add_refusing("mem", mem)
  add_refusing("reservation", mem:reserve(1))
  local stream = nd.current_stream() -- there is a GPU, if only a simulated one
  add_refusing("stream", stream)
  add_refusing("event", stream:record())
  add_refusing("timeline", stream.device:timeline())
  add_members("e.", select(2, pcall(nd.zeros, "x")))
  add_members("e.", select(2, pcall(nd.load, "/none.npy")))
  add_numbers()
end

-- ---- the check ----

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

local function compare_names(pages, add)
  local documented = {}
  parse.each(pages, function(entry, item, page)
    if not item.name then return end
    local place = ("%s:%d"):format(page.path, entry.line)
    local other = documented[item.name]
    if other and other ~= place then
      add(("%s: %s is at %s already"):format(place, item.name, other))
    end
    documented[item.name] = place
  end)
  for _, name in ipairs(sorted(names)) do
    if not documented[name] then add(("%s: %s is not there"):format(FOLDER, name)) end
  end
  for _, name in ipairs(sorted(documented)) do
    if not names[name] then add(("%s: the module has no %s"):format(documented[name], name)) end
  end
end

-- Each operation is there in the forms that its row of base/op.h says.
local function compare_operations(add)
  for _, op in ipairs(core.operations) do
    for form, wanted in pairs {["nd." .. op.name] = true, ["a:" .. op.name] = true,
                               ["a:" .. op.name .. "_"] = op.in_place} do
      if wanted ~= (names[form] or false) then
        add(("src/base/op.h: %s: %s is %s"):format(op.name, form, wanted and "missing" or "there"))
      end
    end
  end
end

-- The table of errors.md has each code of base/status.h.
local function compare_codes(pages, add)
  local text = pages[#pages].prose
  for code in docs.read "src/base/status.h":gmatch "X%([%u_]+, ([%l_]+)%)" do
    if code ~= "ok" and not text:find("`" .. code .. "`", 1, true) then
      add(("%s: the code %s is not there"):format(pages[#pages].path, code))
    end
  end
end

local function compare_made(pages, add)
  local made = docs.render(pages)
  for _, path in ipairs(sorted(made)) do
    if docs.read(path) ~= made[path] then add(path .. ": stale; 'make docs' makes it") end
  end
end

local function check()
  local pages, wrong = parse.read(FOLDER)
  local function add(line) wrong[#wrong + 1] = line end
  local is_readable = #wrong == 0
  compare_names(pages, add)
  compare_operations(add)
  compare_codes(pages, add)
  if is_readable then compare_made(pages, add) end
  for _, line in ipairs(wrong) do print(line) end
  return #wrong == 0
end

collect()
if ... ~= "check" then
  for _, name in ipairs(sorted(names)) do print(name) end
elseif not check() then
  os.exit(1, true)
end
