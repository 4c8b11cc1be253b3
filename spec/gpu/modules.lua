-- Runs some specs by busted as tools/check.sh does, and writes into the file MODULES each module
-- that was loaded from outside of the checkout: its name and where it lies. For spec/gpu/pack.sh.
local found = {}

-- The first that is asked for a module; it leaves the loading to those behind it.
local function note(name)
  for template in (package.path .. ";" .. package.cpath):gmatch "[^;]+" do
    local path = template:gsub("%?", (name:gsub("%.", "/")))
    local file = io.open(path, "rb")
    if file then
      file:close()
      found[name] = path
      return
    end
  end
end
table.insert(package.loaders, 2, note) -- behind package.preload
require "busted.outputHandlers.TAP" -- what spec/dev/suite_spec.lua reads

local words = "--ignore-lua --helper=spec/helper.lua --output=tools/report.lua " ..
  "--shuffle --filter=threads spec/dev"
arg = {[0] = "tools/busted.lua"} -- luacheck: ignore 121
for word in words:gmatch "%S+" do table.insert(arg, word) end
dofile(arg[0])

local out = assert(io.open(os.getenv "MODULES", "w"))
for name, path in pairs(found) do
  if path:sub(1, 1) == "/" then out:write(name, " ", path, "\n") end
end
out:close()
