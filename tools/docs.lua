-- Makes from docs/reference/ the list of names in its README.md, lua/ndbuf/meta.lua and
-- lua/ndbuf/help_text.lua: 'make docs'. tools/names.lua compares them with what is there.
local parse = require "tools.manual.parse"
local meta = require "tools.manual.meta"
local help = require "tools.manual.help"
local links = require "tools.manual.links"

local docs = {}

local README = "docs/reference/README.md"

function docs.read(path)
  local file = io.open(path, "rb")
  if not file then return end
  local text = file:read "*a"
  file:close()
  return text
end

--- What the files have to hold, by path.
function docs.render(pages)
  local head = docs.read(README):match "^(.-\n<!%-%- names[^\n]*\n)"
  return {
    [README] = assert(head, "no mark in " .. README) .. help.index(pages, links.anchor),
    ["lua/ndbuf/meta.lua"] = meta.render(pages),
    ["lua/ndbuf/help_text.lua"] = help.render(pages),
  }
end

if arg and arg[0] and arg[0]:find "docs%.lua$" then
  local pages, wrong = parse.read "docs/reference"
  if #wrong > 0 then
    io.stderr:write(table.concat(wrong, "\n"), "\n")
    os.exit(1, true)
  end
  for path, text in pairs(docs.render(pages)) do
    if docs.read(path) ~= text then
      local file = assert(io.open(path, "wb"))
      assert(file:write(text))
      file:close()
      print("  MADE " .. path)
    end
  end
end

return docs
