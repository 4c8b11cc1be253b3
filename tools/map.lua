-- Writes docs/map.md, which says of each source file what it is for, in the sentence that the file
-- opens with; with "check", compares the maps in the documentation with the tree: docs/map.md, the
-- layers in CONTRIBUTING.md and docs/internals.md, and every path that a page names.
--   luajit tools/map.lua [check]

local LAYERS = dofile "tools/layers.lua"

local MAP = "docs/map.md"
local HEAD = [[
# Where everything is

Each source file with the sentence that it opens with. Made by `make map`; `make lint` compares it.
A name without an extension is a header and the file that implements it.
[internals.md](internals.md) says how the parts work together.
]]

-- The sections, foundations first, of src/ all.
local FOLDERS = {
  "src/", "src/base/", "src/mem/", "src/mem/adapt/", "src/view/", "src/kern/", "src/dev/",
  "src/dev/host/", "src/dev/cuda/",
  "src/ops/", "src/xchg/", "src/bind/", "lua/ndbuf/", "mk/", "tools/",
}

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local files = {}   -- every file, in the order of the names
local folders = {} -- set of their folders, each with a slash at its end
do
  local pipe = assert(io.popen("find .ci Makefile *.md bin docs examples lua mk rockspec spec src "
    .. "tools -type f | LC_ALL=C sort"))
  for path in pipe:lines() do
    files[#files + 1] = path
    for at in path:gmatch "()/" do folders[path:sub(1, at)] = true end
  end
  pipe:close()
end

-- ---- docs/map.md ----

-- The first sentence of the comment that a file opens with; nil where it opens with none.
local function opening(path)
  local text = read(path):gsub("^#![^\n]*\n", "")
  local comment = text:match "^/%*(.-)%*/"
  if comment then
    comment = comment:gsub("\n %*", "\n")
  else
    comment = ""
    for line in text:gmatch "([^\n]*)\n" do
      local more = line:match "^%-%-%-?%s(.*)" or line:match "^#%s(.*)"
      if not more or more:find "^%s" then break end
      comment = comment .. "\n" .. more
    end
  end
  comment = comment:gsub("%s+", " "):gsub("^ ", "") .. " "
  return comment:match "^(.-%.) "
end

local function section(folder, add)
  local names, list = {}, {}
  for _, path in ipairs(files) do
    local name = path:match("^" .. folder:gsub("%p", "%%%0") .. "([^/]+)$")
    if name and not name:find "%.txt$" then names[name] = path end
  end
  for name, path in pairs(names) do
    local stem = name:match "^(.*)%.[ch]$"
    local has_pair = stem and names[stem .. ".c"] and names[stem .. ".h"]
    if not has_pair then list[#list + 1] = {name, path}
    elseif name:find "h$" then list[#list + 1] = {stem, path} end
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local out = {("\n## `%s`\n"):format(folder)}
  for _, row in ipairs(list) do
    local sentence = opening(row[2])
    if not sentence then add(row[2] .. ":1: it does not open with a sentence in a comment") end
    out[#out + 1] = ("- `%s`: %s"):format(row[1], sentence or "")
  end
  return table.concat(out, "\n") .. "\n"
end

local function render(add)
  local out = {HEAD}
  local has_section = {["src/kern/made/"] = true} -- what a script wrote
  for _, folder in ipairs(FOLDERS) do
    has_section[folder] = true
    out[#out + 1] = section(folder, add)
  end
  for folder in pairs(folders) do
    if folder:find "^src/" and not has_section[folder] then
      add(folder .. ": no section of tools/map.lua is for it")
    end
  end
  return table.concat(out)
end

-- ---- the layers ----

local function set_text(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return #list == 0 and "nothing" or table.concat(list, " ")
end

-- The table of CONTRIBUTING.md: a row for each folder of src, and what it may see besides itself.
local function check_table(add)
  local rows = {}
  for folder, sees in read "CONTRIBUTING.md":gmatch "\n| `src/(%l+)/` | (.-) |" do
    rows[folder] = true
    local said, wanted = {}, {}
    for name in sees:gsub("nothing of ours", ""):gmatch "[%w_/.]+" do said[name] = true end
    for _, name in ipairs(LAYERS[folder] or {}) do
      if name ~= folder and not name:find "^ndbuf" then wanted[name] = true end
    end
    if said.all then said = folder == "bind" and wanted or said end
    if set_text(said) ~= set_text(wanted) then
      add(("CONTRIBUTING.md: src/%s/ may see %s; tools/layers.lua has %s"):format(folder,
        set_text(said), set_text(wanted)))
    end
  end
  for folder in pairs(LAYERS) do
    if not folder:find "%." and not rows[folder] then
      add(("CONTRIBUTING.md: src/%s/ is not in the table"):format(folder))
    end
  end
  for folder in pairs(folders) do
    local top = folder:match "^%w+/$"
    if top and not read "CONTRIBUTING.md":find("`" .. top, 1, true) then
      add(("CONTRIBUTING.md: %s is not in the table"):format(top))
    end
  end
end

-- The picture in docs/internals.md: all layers, each above those that it may see.
local function check_picture(add)
  local picture = read "docs/internals.md":match "```text\n(bind.-)```"
  local place, count = {}, 0
  for line in (picture or ""):gmatch "[^\n]+" do
    local layer = line:match "^(%l+)  "
    if layer then
      count = count + 1
      place[layer] = count
    end
  end
  for folder, sees in pairs(LAYERS) do
    if not folder:find "%." then
      if not place[folder] then add("docs/internals.md: the picture lacks " .. folder) end
      for _, other in ipairs(sees) do
        if place[folder] and (place[other] or math.huge) < place[folder] then
          add(("docs/internals.md: %s stands above %s, which may not see it"):format(other, folder))
        end
      end
    end
  end
end

-- ---- paths that pages name ----

local function is_there(path)
  for _, root in ipairs {"", "src/", "spec/", "lua/"} do
    if folders[root .. path] or folders[root .. path .. "/"] then return true end
    local pattern = "^" .. (root .. path):gsub("%p", "%%%0"):gsub("%%%*", "[^/]*") .. "$"
    for _, file in ipairs(files) do
      if file:find(pattern) then return true end
    end
  end
  return false
end

-- In backticks, with a slash, and not with a word that stands for others (<layer>, NAME).
local function check_paths(add)
  for _, page in ipairs(files) do
    if page:find "%.md$" and page ~= "CHANGELOG.md" then
      local number = 0
      for line in io.lines(page) do
        number = number + 1
        for path in line:gmatch "`([%l_.][%w_./*-]*/[%w_.*-]*)`" do
          local is_ours = path:find "^%l+/" and path:find "%.%l+$"
            or path:find "^src/" or path:find "^spec/" or path:find "^%.ci/"
          local is_pattern = path:find "NAME" or path:find "%-X%-" or path:find "^build/"
          if is_ours and not is_pattern and not is_there(path) then
            add(("%s:%d: there is no %s"):format(page, number, path))
          end
        end
      end
    end
  end
end

-- ---- all of it ----

local wrong = {}
local function add(line) wrong[#wrong + 1] = line end

local text = render(add)
if arg[1] == "check" then
  local file = io.open(MAP, "rb")
  if not file or file:read "*a" ~= text then add(MAP .. ": stale; 'make map' makes it") end
  check_table(add)
  check_picture(add)
  check_paths(add)
else
  local file = assert(io.open(MAP, "wb"))
  assert(file:write(text))
  file:close()
end
for _, line in ipairs(wrong) do print(line) end
os.exit(#wrong == 0, true)
