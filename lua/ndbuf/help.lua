--- The manual at the prompt: local help = require "ndbuf.help"; print(help "narrow"). The texts are
-- made from docs/reference/.
local names = require "ndbuf.names"
local sections = require "ndbuf.help_text"

local COLUMNS = 88
local LONGEST = 64 -- characters of a name; the search for near names is quadratic in it
-- What the manual calls its objects: nd.zeros, a.shape, a:narrow, dtype.name, dev.name, e.code.
local OWNERS = { nd = true, a = true, dtype = true, dev = true, mem = true, e = true }

-- Lists of {key =, text =}: by key ("a:narrow"), and by what follows the dot or colon ("narrow").
local by_key, by_member = {}, {}

local function file(list, key, entry)
  list[key] = list[key] or {}
  table.insert(list[key], entry)
end

for _, section in ipairs(sections) do
  for _, entry in ipairs(section.entries) do
    for _, key in ipairs(entry[1]) do
      local found = { key = key, text = entry[2] }
      local owner, member = key:match "^([%a.]+)[.:]([%a_][%w_]*)$"
      file(by_key, key, found)
      if owner then
        file(by_key, owner .. "." .. member, found)
        file(by_member, member, found)
      end
    end
  end
end

-- Append the keys of a section to 'lines', wrapped at COLUMNS; the first line begins with 'line'.
local function add_keys(lines, line, section)
  local indent = #line
  for _, entry in ipairs(section.entries) do
    for _, key in ipairs(entry[1]) do
      if #line + 2 + #key > COLUMNS then
        lines[#lines + 1] = line
        line = (" "):rep(indent)
      end
      line = line .. "  " .. key
    end
  end
  lines[#lines + 1] = line
end

-- The table of contents: all sections with the names in them.
local function show_sections()
  local lines = {}
  for _, section in ipairs(sections) do
    local line = ("%-12s"):format(section.name)
    if #section.entries == 0 then line = line .. "  " .. section.title:lower() end
    add_keys(lines, line, section)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function show_section(section)
  local lines = { section.title, "", section.text }
  if #section.entries > 0 then add_keys(lines, "", section) end
  return table.concat(lines, "\n") .. "\n"
end

-- The texts of the entries, each once: several keys may share one.
local function show(list)
  local out, seen = {}, {}
  for _, entry in ipairs(list) do
    if not seen[entry.text] then out[#out + 1] = entry.text end
    seen[entry.text] = true
  end
  return table.concat(out, "\n")
end

-- Keys whose names are near 'member', nearest first.
local function near_keys(member)
  local out, known = {}, {}
  for key in pairs(by_member) do known[key] = true end
  for _, section in ipairs(sections) do known[section.name] = true end
  for _, key in ipairs(names.nearest(member, known)) do
    for _, entry in ipairs(by_member[key] or { { key = key } }) do out[#out + 1] = entry.key end
  end
  return out
end

jit.off(near_keys) -- as in names.lua

--- What there is to say about a name, as text of at most 100 columns: "nd.zeros", "a:narrow",
-- "narrow", "x.shape", "e.code", a form such as "#a", a section such as "views". Without a name
-- the sections with their names.
---@param name? string
---@return string? text # nil: no such name
---@return string[]? near # names that are near
return function(name)
  if name == nil then return show_sections() end
  if type(name) ~= "string" or #name > LONGEST then return nil, {} end
  if by_key[name] then return show(by_key[name]) end
  local word = name:match "^%s*([%a_][%w_.:]*)" or ""
  local owner, member = word:gsub("^ndbuf%.", "nd."):match "^(.-)[.:]?([%a_][%w_]*)$"
  if not member then return nil, {} end
  local found = by_key[owner .. "." .. member]
  if not found and not OWNERS[owner] then found = by_member[member] end
  for _, section in ipairs(sections) do -- "devices" is a function, too
    local text = section.name == word and show_section(section)
    if text then return found and text .. "\n" .. show(found) or text end
  end
  if found then return show(found) end
  return nil, near_keys(member)
end
