-- Checks what no compiler checks: layers, sizes of files and functions, columns, blanks, version,
-- stray files.
--   luajit tools/lint.lua        prints "file:line: what", exits 1 when there was anything

local MAX_COLUMNS = 100

-- The most lines of a file and of a function: lists of cases may be longer than the code.
local function most_file_lines(path) return path:find "^spec/" and 500 or 450 end
local function most_function_lines(path) return path:find "^spec/" and 80 or 60 end

-- Made from docs/reference/ by 'make docs': as long as they come out.
local MADE = {["lua/ndbuf/meta.lua"] = true, ["lua/ndbuf/help_text.lua"] = true}

local LAYERS = dofile "tools/layers.lua"
local LUA_HEADERS = {["lua.h"] = true, ["lauxlib.h"] = true, ["lualib.h"] = true,
                     ["luajit.h"] = true, ["lj_arch.h"] = true}

local found = 0
local function report(file, line, fmt, ...)
  found = found + 1
  print(("%s:%d: " .. fmt):format(file, line, ...))
end

local function lines_of(command)
  local pipe = assert(io.popen(command))
  local list = {}
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

local function read_lines(path)
  local list = {}
  for line in io.lines(path) do list[#list + 1] = line end
  return list
end

-- ---- layers ----

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

local function layer_of(path)
  return path:match "^src/([^/]+)/" or path:match "^src/([^/]+)$"
end

-- Every include of ours in a file: {line, path below src}.
local function includes_of(path, lines)
  local list = {}
  for number, line in ipairs(lines) do
    local name = line:match '^%s*#%s*include%s*"([^"]+)"'
    if name then
      if not name:find("/", 1, true) and name ~= "ndbuf.h" then
        name = path:match "^src/(.*/)" and path:match "^src/(.*/)" .. name or name
      end
      list[#list + 1] = {number, name}
    end
    local system = line:match "^%s*#%s*include%s*<([^>]+)>"
    if system and LUA_HEADERS[system] and layer_of(path) ~= "bind" then
      report(path, number, "<%s>: only src/bind knows Lua", system)
    end
  end
  return list
end

local function check_layer(path, includes)
  local layer = layer_of(path)
  local may = LAYERS[layer] and set_of(LAYERS[layer])
  if not may then return report(path, 1, "no layer is called %s", layer) end
  for _, entry in ipairs(includes) do
    local line, name = entry[1], entry[2]
    if not may[name] and not may[name:match "^([^/]+)/"] then
      report(path, line, '%s may not include "%s"; it may see: %s', layer, name,
             table.concat(LAYERS[layer], " "))
    end
  end
end

-- Depth first over the includes; a file that is met again while it is open closes a cycle.
local function check_cycles(graph)
  local state = {}
  local function visit(name, trail)
    state[name] = "open"
    trail[#trail + 1] = name
    for _, entry in ipairs(graph[name] or {}) do
      local to = entry[2]
      if state[to] == "open" then
        local way = table.concat(trail, " -> ")
        report("src/" .. name, entry[1], "cycle of includes: %s -> %s", way, to)
      elseif not state[to] then
        visit(to, trail)
      end
    end
    trail[#trail] = nil
    state[name] = "done"
  end
  local names = {}
  for name in pairs(graph) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    if not state[name] then visit(name, {}) end
  end
end

-- ---- sizes ----

-- In clang-format's style a block at file level ends at a brace in column 1; it is a function's if
-- its head ends in ") {".
local function check_c_functions(path, lines)
  local first, is_function
  for number, line in ipairs(lines) do
    if line:find "^}" then
      local length = first and number - first + 1
      if is_function and length > most_function_lines(path) then
        report(path, first, "function of %d lines; the most is %d", length,
               most_function_lines(path))
      end
      first, is_function = nil, nil
    elseif not first and line:find "{$" then
      first, is_function = number, line:find "%)%s*{$" ~= nil
    end
  end
end

-- A Lua function ends at an "end" that is indented like the line that opened it. Groups of specs do
-- not count.
local function check_lua_functions(path, lines)
  local open = {}
  for number, line in ipairs(lines) do
    local indent = #line:match "^%s*"
    if line:find "^%s*end[%s%),;}]*" and not line:find "^%s*end[%w_]" and open[indent] then
      local length = number - open[indent] + 1
      if length > most_function_lines(path) then
        report(path, open[indent], "function of %d lines; the most is %d", length,
               most_function_lines(path))
      end
      open[indent] = nil
    end
    local body = line:match "%f[%w_]function%f[^%w_](.*)$"
    local group = line:find "^%s*describe" or line:find "^%s*insulate" or line:find "^%s*expose"
    if body and not group and not line:find "^%s*%-%-" and not body:find "%f[%w_]end%f[^%w_]" then
      open[indent] = number
    end
  end
end

local function columns_of(line)
  local _, characters = line:gsub("[^\128-\191]", "")
  return characters
end

local function check_text(path, lines)
  if #lines > most_file_lines(path) and not MADE[path] then
    report(path, #lines, "%d lines; the most is %d", #lines, most_file_lines(path))
  end
  for number, line in ipairs(lines) do
    if columns_of(line) > MAX_COLUMNS and not MADE[path] then
      report(path, number, "%d columns; the most is %d", columns_of(line), MAX_COLUMNS)
    end
    if line:find "\t" and path ~= "Makefile" and not path:find "%.mk$" then
      report(path, number, "a tab")
    end
    if line:find "[ \t]$" then report(path, number, "blanks at the end") end
    if line:find "\r" then report(path, number, "a carriage return") end
  end
end

-- ---- version ----

-- The rockspec of this version is the one of dev, but for the version and the tag.
local function check_rockspec(number, is_needed)
  local path = ("rockspec/ndbuf-%s-1.rockspec"):format(number)
  local own = {('version = "%s-1"'):format(number), ('  tag = "v%s",'):format(number)}
  local wanted = {}
  for _, line in ipairs(read_lines "rockspec/ndbuf-dev-1.rockspec") do
    wanted[#wanted + 1] = line == 'version = "dev-1"' and own[1] or line
    if line:find "^  url = " then wanted[#wanted + 1] = own[2] end
  end
  local file = io.open(path)
  if not file then return is_needed and report(path, 1, "there is none") end
  file:close()
  local lines = read_lines(path)
  for i = 1, math.max(#lines, #wanted) do
    if lines[i] ~= wanted[i] then
      return report(path, i, "not as in the rockspec of dev: '%s'", wanted[i] or "")
    end
  end
end

-- A release in CHANGELOG.md has its rockspec, with its version and tag.
local function check_release(at, number)
  local path, wanted = ("rockspec/ndbuf-%s-1.rockspec"):format(number), {}
  wanted[('version = "%s-1"'):format(number)], wanted[('  tag = "v%s",'):format(number)] = 1, 1
  local file = io.open(path)
  if not file then return report("CHANGELOG.md", at, "%s has no %s", number, path) end
  file:close()
  for _, line in ipairs(read_lines(path)) do wanted[line] = nil end
  for line in pairs(wanted) do report(path, 1, "it does not have: %s", line) end
end

-- src/base/platform.h has it; a released version has its heading in CHANGELOG.md, and
-- its rockspec, which may come before.
local function check_version()
  local header = "src/base/platform.h"
  local version
  for _, line in ipairs(read_lines(header)) do
    version = version or line:match '#define%s+ND_VERSION%s+"([^"]+)"'
  end
  if not version then return report(header, 1, "no ND_VERSION") end
  local number, is_dev = version:gsub("%-dev$", "")
  local newest
  for at, line in ipairs(read_lines "CHANGELOG.md") do
    local heading = line:match "^## %[(%d[^%]]*)%]"
    newest = newest or heading and {at, heading}
    if heading then check_release(at, heading) end
  end
  if is_dev == 1 then
    if newest and newest[2] == number then
      report("CHANGELOG.md", newest[1], "%s is released, but %s says %s", number, header, version)
    end
  elseif not newest or newest[2] ~= number then
    report("CHANGELOG.md", 1, "its newest release is not ND_VERSION %s", version)
  end
  check_rockspec(number, is_dev == 0)
end

-- ---- the top ----

local CODE = {c = true, h = true, inc = true, lua = true, py = true, sh = true, cu = true}

-- What somebody tried out and forgot.
local function check_top()
  for _, path in ipairs(lines_of "find . -maxdepth 1 -type f ! -name '.*'") do
    if CODE[path:match "%.(%w+)$"] then report(path:sub(3), 1, "code lies in a folder") end
  end
end

-- ---- all of it ----

local FIND = "find src lua spec examples tools bin .ci rockspec mk Makefile -type f"
  .. " -not -path '*/data/*' -not -path '*/corpus/*' -not -name '.*' | LC_ALL=C sort"
local graph = {}

for _, path in ipairs(lines_of(FIND)) do
  local extension = path:match "%.(%w+)$"
  local lines = read_lines(path)
  local is_c = extension == "c" or extension == "h" or extension == "inc"
  check_text(path, lines)
  if is_c then check_c_functions(path, lines) end
  if extension == "lua" then check_lua_functions(path, lines) end
  if is_c and path:find "^src/" then
    local includes = includes_of(path, lines)
    check_layer(path, includes)
    graph[path:sub(5)] = includes
  end
end
check_cycles(graph)
check_version()
check_top()

if found > 0 then
  io.stderr:write(("lint: %d findings\n"):format(found))
  os.exit(1)
end
