-- Markdown as plain text: the prose of docs/reference/ for a terminal and for comments.
local plain = {}

--- Without marks: `code`, *emphasis*, [links](to) and backslashes.
function plain.unmark(text)
  local spans = {}
  text = text:gsub("`([^`]+)`", function(code)
    spans[#spans + 1] = code
    return "\1" .. #spans .. "\2"
  end)
  text = text:gsub("%[([^%]]+)%]%([^%)]+%)", "%1"):gsub("%*([^%*%s][^%*]*)%*", "%1")
  return (text:gsub("\1(%d+)\2", function(i) return spans[tonumber(i)] end))
end

--- Characters, not bytes.
function plain.width(text)
  local _, n = text:gsub("[^\128-\191]", "")
  return n
end

--- The words of 'text' in lines of 'columns', those after the first behind 'indent'.
function plain.wrap(text, columns, indent)
  local lines, line = {}, nil
  for word in text:gmatch "%S+" do
    if not line then
      line = word
    elseif plain.width(line) + 1 + plain.width(word) <= columns then
      line = line .. " " .. word
    else
      lines[#lines + 1] = line
      line = indent .. word
    end
  end
  lines[#lines + 1] = line
  return lines
end

-- "| a | b |" as {"a", "b"}, nil for the line below the heading.
local function read_row(line)
  if line:find "^|[%-|]+|$" then return end
  local row = {}
  for cell in line:gmatch "|([^|]+)%f[|]" do
    row[#row + 1] = plain.unmark(cell:match "^%s*(.-)%s*$")
  end
  return row
end

-- The first column as wide as it must be, the last one wrapped.
local function render_table(lines, columns)
  local rows, first, out = {}, 0, {}
  for _, line in ipairs(lines) do rows[#rows + 1] = read_row(line) end
  for _, row in ipairs(rows) do first = math.max(first, plain.width(row[1])) end
  first = math.min(first, 30)
  for _, row in ipairs(rows) do
    local left = row[1] .. (" "):rep(first - plain.width(row[1]))
    if plain.width(row[1]) > first then
      for _, line in ipairs(plain.wrap(row[1], columns, "")) do out[#out + 1] = line end
      out[#out], left = nil, out[#out]
      left = plain.width(left) > first and left or left .. (" "):rep(first - plain.width(left))
    end
    local indent = (" "):rep(first + 2)
    for i, line in ipairs(plain.wrap(row[2], columns - first - 2, "")) do
      out[#out + 1] = i == 1 and left .. "  " .. line or indent .. line
    end
  end
  return out
end

local function render_list(block, columns)
  local out, items = {}, {}
  for line in (block .. "\n"):gmatch "(.-)\n" do
    local first = line:match "^%- (.*)$"
    if first then items[#items + 1] = first
    else items[#items] = items[#items] .. " " .. line end
  end
  for _, item in ipairs(items) do
    for _, line in ipairs(plain.wrap("- " .. plain.unmark(item), columns, "  ")) do
      out[#out + 1] = line
    end
  end
  return out
end

local function render_block(block, columns)
  if block:find "^|" then
    local lines = {}
    for line in (block .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
    return render_table(lines, columns)
  end
  if block:find "^%- " then return render_list(block, columns) end
  return plain.wrap(plain.unmark((block:gsub("^#+ ", ""))), columns, "")
end

--- Prose as lines of at most 'columns', blank ones between paragraphs, lists and tables.
function plain.render(prose, columns)
  local out = {}
  for block in (prose .. "\n\n"):gmatch "(.-)\n\n+" do
    if #out > 0 then out[#out + 1] = "" end
    for _, line in ipairs(render_block(block, columns)) do out[#out + 1] = line end
  end
  return out
end

return plain
