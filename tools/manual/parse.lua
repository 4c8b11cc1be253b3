-- Reads docs/reference/*.md, the one source of the manual.
--
-- README.md says what holds everywhere; each other page is a section. Above its first entry stand
-- prose and, as in an entry, lines for arguments that its entries share, and what those raise. An
-- entry, of which all but the prose's length is fixed:
--
--   ## `nd.name(argument [, argument])` · `a:name()` · `a.field`      names or forms such as `#a`
--   A sentence or more.
--   - `argument` *type* = `default`: text           default and text may be missing
--   - `opts.option` *type* = `default`: text
--   - returns *type*, *type*: text                  or: returns nothing
--   - raises `code` when it does: `a call that does`    or: raises nothing of its own
--   ```lua … a line or more with -- => … ```
local parse = {}

-- The sections, in their order.
parse.SECTIONS = {"dtypes", "making", "looking", "indexing", "views", "copies", "computing",
                  "reductions", "order", "counting", "linalg", "fft", "memory", "resources",
                  "files", "exchange", "devices", "streams", "errors"}

local function read_lines(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

-- ---- headings ----

-- The arguments of "a [, b [, c]] [, opts]", each with the brackets that it is inside of.
local function read_arguments(text)
  local list, open, brackets = {}, {}, 0
  for mark, name in text:gmatch "([%[%],]?)%s*([^%[%],%s]*)" do
    if mark == "[" then
      brackets = brackets + 1
      open[#open + 1] = brackets
    elseif mark == "]" then
      open[#open] = nil
    end
    if name ~= "" then
      list[#list + 1] = {name = name, is_optional = #open > 0, inside = {unpack(open)}}
    end
  end
  return list
end

-- "nd.zeros(shape)": signature, name, owner, member, arguments. A form such as "#a" has no name.
local function read_item(text)
  local item = {signature = text}
  local owner, dot, member, rest = text:match "^(nd%.%a+)(%.)([%a_][%w_]*)(.*)$"
  if not owner then owner, dot, member, rest = text:match "^(%a+)([.:])([%a_][%w_]*)(.*)$" end
  local inside = (rest or text):match "^%a*%((.*)%)$"
  if owner and (rest == "" or inside) then
    item.owner, item.member, item.name = owner, member, owner .. dot .. member
  end
  local has_arguments = item.name or text:find "^a%(" or text:find "^dtype%("
  item.arguments = inside and has_arguments and read_arguments(inside)
  return item
end

local function read_heading(line)
  local items = {}
  for span in line:gmatch "`([^`]+)`" do items[#items + 1] = read_item(span) end
  return items
end

-- ---- bullets ----

-- "*array*, *integer*: text": the types, the text.
local function read_types(text)
  local types = {}
  local rest = text
  while true do
    local kind, after = rest:match "^,?%s*%*([^*]+)%*(.*)$"
    if not kind then break end
    types[#types + 1] = kind
    rest = after
  end
  return types, rest
end

local function read_argument(text)
  local name, rest = text:match "^`([^`]+)` (.*)$"
  if not name then return end
  local types, after = read_types(rest)
  local default, behind = after:match "^ = `([^`]+)`(.*)$"
  after = behind or after
  local what = after:match "^: (.+)$"
  if #types ~= 1 or not what and after ~= "" then return end
  return {name = name, type = types[1], default = default, text = what}
end

local function read_returns(text)
  if text == "nothing" then return {types = {}} end
  local types, rest = read_types(text)
  local what = rest:match "^: (.+)$"
  if #types == 0 or not what and rest ~= "" then return end
  return {types = types, text = what}
end

local function read_raises(text, number)
  if text == "nothing of its own" then return {} end
  local code, when, call = text:match "^`([%w_]+)` (.-): `([^`]+)`$"
  if code then return {code = code, when = when, call = call, line = number} end
end

-- Adds what the bullet says to the entry or page. False: it has another form.
local function read_bullet(to, text, number)
  local what, rest = text:match "^(%a+) (.*)$"
  if what == "returns" then
    if to.returns then return false end
    to.returns = read_returns(rest)
    return to.returns ~= nil
  elseif what == "raises" then
    local raised = read_raises(rest, number)
    if not raised then return false end
    to.says_raises = true
    if raised.code then to.raises[#to.raises + 1] = raised end
    return true
  end
  local argument = read_argument(text)
  if not argument or to.arguments[argument.name] then return false end
  to.arguments[argument.name] = argument
  to.arguments[#to.arguments + 1] = argument
  return true
end

-- ---- pages ----

local function is_bullet(line)
  return line:find "^%- `[^`]+` %*" or line:find "^%- returns " or line:find "^%- raises "
end

-- The lines of a part of a page: bullets and examples taken out, the rest is prose.
local function read_part(part, lines, first, last, report)
  local at = first
  while at <= last do
    local line = lines[at]
    if line == "```lua" then
      local from = at + 1
      repeat at = at + 1 until at > last or lines[at] == "```"
      local text = table.concat(lines, "\n", from, at - 1)
      part.examples[#part.examples + 1] = {line = from, text = text}
    elseif is_bullet(line) then
      local text, number = line:sub(3), at
      while at < last and lines[at + 1]:find "^  %S" do
        at = at + 1
        text = text .. " " .. lines[at]:sub(3)
      end
      if not read_bullet(part, text, number) then
        report(number, "no line of an entry: see tools/manual/parse.lua for their forms")
      end
    else
      part.prose[#part.prose + 1] = line
    end
    at = at + 1
  end
  local prose = table.concat(part.prose, "\n"):gsub("\n\n+", "\n\n")
  part.prose = prose:gsub("^\n+", ""):gsub("\n+$", "")
  return part
end

local function new_part(line)
  return {line = line, arguments = {}, raises = {}, examples = {}, prose = {}}
end

-- The names of the heading's arguments in a set; "opts" says that there are options.
local function named_arguments(entry)
  local names = {}
  for _, item in ipairs(entry.items) do
    for _, argument in ipairs(item.arguments or {}) do names[argument.name] = item end
  end
  return names
end

local function add_described(entry, part, wanted)
  for _, argument in ipairs(part.arguments) do
    if wanted(argument.name) then entry.described[#entry.described + 1] = argument end
  end
end

-- Arguments of the heading without a line take that of the page, and with it the page's options and
-- what it raises. Where the page has no arguments, what it raises counts for each entry.
local function complete(page, entry, report)
  local named, is_shared = named_arguments(entry), #page.arguments == 0
  local function is_option(name) return name:find "^opts%." ~= nil end
  local function is_left(name) return named[name] and not entry.arguments[name] end
  for name, item in pairs(named) do
    is_shared = is_shared or page.arguments[name] and not entry.arguments[name]
    local is_described = entry.arguments[name] or page.arguments[name]
    if not is_described and name ~= "opts" and name ~= "…" then
      report(entry.line, "%s: the argument %s has no line", item.signature, name)
    end
  end
  for _, argument in ipairs(entry.arguments) do
    local name = is_option(argument.name) and "opts" or argument.name
    if not entry.heading:find("%f[%w_…]" .. name .. "%f[^%w_…]") then
      report(entry.line, "%s is no argument of %s", argument.name, entry.items[1].signature)
    end
  end
  entry.described, entry.all_raises = {}, {unpack(entry.raises)}
  add_described(entry, entry, function(name) return not is_option(name) end)
  add_described(entry, page, is_left)
  add_described(entry, entry, is_option)
  if not is_shared then return end
  add_described(entry, page, function(name)
    return is_option(name) and not entry.arguments[name]
  end)
  for _, raised in ipairs(page.raises) do table.insert(entry.all_raises, raised) end
end

local function check_entry(entry, report)
  local what = entry.items[1] and entry.items[1].signature or "?"
  if not entry.items[1] then report(entry.line, "a heading without a `name`") end
  if entry.prose == "" then report(entry.line, "%s: no sentence", what) end
  if not entry.returns then report(entry.line, "%s: no line 'returns'", what) end
  if not entry.says_raises and #entry.all_raises == 0 then
    report(entry.line, "%s: no line 'raises'", what)
  end
  if #entry.examples ~= 1 or not entry.examples[1].text:find("-- => ", 1, true) then
    report(entry.line, "%s: no example with '-- =>' (one block of Lua)", what)
  end
end

local function read_page(path, section, report)
  local lines = read_lines(path)
  local starts = {}
  for at, line in ipairs(lines) do
    if line:find "^## " and section then starts[#starts + 1] = at end
  end
  local first = starts[1] or #lines + 1
  for at = #lines, 1, -1 do -- what is made stands behind the mark
    if lines[at]:find "^<!%-%- names" then first = at end
  end
  local page = read_part(new_part(1), lines, 2, first - 1, report)
  page.path, page.section, page.title, page.entries = path, section, lines[1]:match "^# (.+)$", {}
  for i, at in ipairs(starts) do
    local entry = new_part(at)
    entry.items, entry.heading, entry.section = read_heading(lines[at]), lines[at]:sub(4), section
    read_part(entry, lines, at + 1, (starts[i + 1] or #lines + 1) - 1, report)
    if entry.items[1] then complete(page, entry, report) end
    check_entry(entry, report)
    page.entries[#page.entries + 1] = entry
  end
  return page
end

--- The pages of a folder in the order of SECTIONS, that of README.md as 'everywhere' in the table;
-- a list of what is wrong with them, "file:line: text".
function parse.read(folder)
  local pages, wrong = {}, {}
  local function reporter(path)
    return function(line, text, ...)
      wrong[#wrong + 1] = ("%s:%d: %s"):format(path, line, text:format(...))
    end
  end
  local readme = folder .. "/README.md"
  pages.everywhere = read_page(readme, nil, reporter(readme))
  for i, section in ipairs(parse.SECTIONS) do
    local path = ("%s/%s.md"):format(folder, section)
    pages[i] = read_page(path, section, reporter(path))
  end
  return pages, wrong
end

--- Calls visit(entry, item, page) for each item of each heading.
function parse.each(pages, visit)
  for _, page in ipairs(pages) do
    for _, entry in ipairs(page.entries) do
      for _, item in ipairs(entry.items) do visit(entry, item, page) end
    end
  end
end

return parse
