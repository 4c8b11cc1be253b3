-- Links of Markdown pages: which there are, and which lead nowhere.
local links = {}

--- The anchor that a heading has on a page, as GitHub makes it.
function links.anchor(heading)
  local text = heading:gsub("^#+%s+", ""):gsub("%[([^%]]*)%]%([^%)]*%)", "%1"):lower()
  return (text:gsub("·", ""):gsub("…", ""):gsub("[^%w%s_\128-\255-]", ""):gsub("%s", "-"))
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return end
  local text = file:read "*a"
  file:close()
  return text
end

-- The text without what is code.
local function without_code(text)
  text = ("\n" .. text):gsub("\n```.-\n```", "\n")
  return (text:gsub("`[^`\n]*`", "`"))
end

-- The anchors of a page; the second heading of one text has "-1" behind it.
local function anchors_of(text)
  local set, count = {}, {}
  for heading in ("\n" .. text:gsub("\n```.-\n```", "\n")):gmatch "\n(#+%s[^\n]*)" do
    local anchor = links.anchor(heading)
    set[count[anchor] and anchor .. "-" .. count[anchor] or anchor] = true
    count[anchor] = (count[anchor] or 0) + 1
  end
  return set
end

--- The relative links of the page that lead to no file, or to no heading of it.
function links.broken(path)
  local folder, list = path:match "^(.*/)" or "", {}
  for to in without_code(assert(read(path), path)):gmatch "%]%(([^%)%s]+)%)" do
    if not to:find "^%a[%w+.-]*:" then
      local file, anchor = to:match "^([^#]*)#?(.*)$"
      local target = file == "" and path or folder .. file
      local text = read(target)
      if not text then list[#list + 1] = to
      elseif anchor ~= "" and not anchors_of(text)[anchor] then list[#list + 1] = to end
    end
  end
  return list
end

return links
