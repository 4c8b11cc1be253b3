-- The pages of the manual as lua/ndbuf/help_text.lua, for a terminal: what ndbuf.help shows.
local plain = require "tools.manual.plain"

local help = {}

local COLUMNS = 88

-- ---- an entry ----

-- Calls one below the other, fields and objects in a row.
local function heading(entry)
  local lines, row = {}, {}
  for _, item in ipairs(entry.items) do
    if item.arguments and #item.arguments > 0 then lines[#lines + 1] = item.signature
    else row[#row + 1] = item.signature end
  end
  if #row > 0 then
    for i, line in ipairs(plain.wrap(table.concat(row, "  "), COLUMNS, "")) do
      table.insert(lines, i, line)
    end
  end
  return lines
end

-- "name  text", the text wrapped in a column of its own.
local function add_row(lines, name, text, column)
  local indent = (" "):rep(column + 4)
  for i, line in ipairs(plain.wrap(text, COLUMNS - column - 4, "")) do
    local left = "  " .. name .. (" "):rep(column - plain.width(name)) .. "  "
    lines[#lines + 1] = (i == 1 and left or indent) .. line
  end
end

local function with_text(head, text) return text and head .. ": " .. plain.unmark(text) or head end

local function describe(argument)
  local kind = argument.type
  if argument.default then kind = kind .. " = " .. argument.default end
  return with_text(kind, argument.text)
end

-- The codes, each once, with what is said about it.
local function merge_raises(raises)
  local list, at = {}, {}
  for _, one in ipairs(raises) do
    local text = plain.unmark(one.when)
    if at[one.code] then
      list[at[one.code]][2] = list[at[one.code]][2] .. "; " .. text
    else
      list[#list + 1] = {one.code, text}
      at[one.code] = #list
    end
  end
  return list
end

-- The rows of an entry or a page: arguments, what is returned, what is raised.
local function add_rows(lines, arguments, returns, raises)
  local column = #"returns"
  for _, argument in ipairs(arguments) do column = math.max(column, plain.width(argument.name)) end
  for _, argument in ipairs(arguments) do
    add_row(lines, argument.name, describe(argument), column)
  end
  if returns then
    local given = #returns.types > 0 and table.concat(returns.types, ", ") or "nothing"
    add_row(lines, "returns", with_text(given, returns.text), column)
  end
  for i, one in ipairs(merge_raises(raises)) do
    add_row(lines, i == 1 and "raises" or "", one[1] .. " " .. one[2], column)
  end
end

local function render_entry(entry)
  local lines = heading(entry)
  lines[#lines + 1] = ""
  for _, line in ipairs(plain.render(entry.prose, COLUMNS - 2)) do
    lines[#lines + 1] = line ~= "" and "  " .. line or ""
  end
  lines[#lines + 1] = ""
  add_rows(lines, entry.described, entry.returns, entry.all_raises)
  lines[#lines + 1] = ""
  for line in (entry.examples[1].text .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = line ~= "" and "  " .. line or ""
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- the file ----

local function quote(text)
  local level = ""
  while text:find("]" .. level .. "]", 1, true) do level = level .. "=" end
  return ("[%s[\n%s]%s]"):format(level, text, level)
end

-- What an entry is found by: its names, and forms such as "#a".
local function keys_of(entry)
  local list, seen = {}, {}
  for _, item in ipairs(entry.items) do
    local key = item.name or item.signature
    if not seen[key] then list[#list + 1] = key end
    seen[key] = true
  end
  return list
end

local HEAD = [[
-- Made by 'make docs' from docs/reference/; 'make lint-names' sees that it is.
-- For each section its name, title, introduction and entries: {keys, text}.
-- luacheck: ignore
return {
]]

local function render_section(page, name, title)
  local lines = plain.render(page.prose, COLUMNS)
  if #page.arguments + #page.raises > 0 then lines[#lines + 1] = "" end
  add_rows(lines, page.arguments, nil, page.raises)
  local prose = table.concat(lines, "\n") .. "\n"
  local out = {("{name = %q, title = %q, text = %s, entries = {"):format(name, title, quote(prose))}
  for _, entry in ipairs(page.entries) do
    local keys = {}
    for i, key in ipairs(keys_of(entry)) do keys[i] = ("%q"):format(key) end
    out[#out + 1] = ("{{%s}, %s},"):format(table.concat(keys, ", "), quote(render_entry(entry)))
  end
  out[#out + 1] = "}},"
  return table.concat(out, "\n")
end

--- The text of lua/ndbuf/help_text.lua.
function help.render(pages)
  local out = {render_section(pages.everywhere, "everywhere", "What holds everywhere")}
  for _, page in ipairs(pages) do
    out[#out + 1] = render_section(page, page.section, page.title)
  end
  return HEAD .. table.concat(out, "\n") .. "\n}\n"
end

--- The list of all names that ends docs/reference/README.md, from its mark on.
function help.index(pages, anchor_of)
  local out = {}
  for _, page in ipairs(pages) do
    out[#out + 1] = ("\n## [%s](%s.md)\n"):format(page.title, page.section)
    local links = {}
    for _, entry in ipairs(page.entries) do
      local names = "`" .. table.concat(keys_of(entry), "` `") .. "`"
      local anchor = anchor_of("## " .. entry.heading)
      links[#links + 1] = ("[%s](%s.md#%s)"):format(names, page.section, anchor)
    end
    out[#out + 1] = table.concat(links, " ·\n")
  end
  return table.concat(out, "\n") .. "\n"
end

return help
