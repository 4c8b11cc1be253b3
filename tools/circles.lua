-- Checks what includes do not show: calls between files, by the symbols of the objects that were
-- built. A file may call what its layer may see, and no files of a folder call each other in a
-- circle, so that each can be read after those that it calls.
--   luajit tools/circles.lua     prints what is wrong, exits 1 when there was anything
-- From the environment: BUILD

local LAYERS = dofile "tools/layers.lua"

local objects = (os.getenv "BUILD" or "build") .. "/obj/src/"

local found = 0
local function report(fmt, ...)
  found = found + 1
  print(fmt:format(...))
end

local function sorted_keys(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return list
end

-- ---- symbols ----

-- A kernel's object for another level of the processor counts as that of its source.
local function source_of(object) return "src/" .. object:gsub("%.v%d%.o$", ".o"):gsub("o$", "c") end

-- file -> set of the symbols that it asks others for; symbol -> file that defines it. Objects of
-- sources that are gone may be left in the folder: they do not count.
local function read_objects()
  local asks, home = {}, {}
  local pipe = assert(io.popen(("cd '%s' && find . -name '*.o' | sed 's,^./,,' | LC_ALL=C sort | "
    .. "xargs nm -A -g"):format(objects)))
  for line in pipe:lines() do
    local object, kind, symbol = line:match "^([^:]+):[%x%s]* (%a) (%S+)$"
    local file = object and source_of(object)
    if file and not asks[file] then
      local source = io.open(file)
      asks[file] = source and {} or false
      if source then source:close() end
    end
    if file and asks[file] then
      if kind == "U" then asks[file][symbol] = true else home[symbol] = file end
    end
  end
  pipe:close()
  assert(next(home), objects .. " has no objects: make all")
  return asks, home
end

-- from -> to -> list of the symbols, without those that a file defines itself.
local function graph_of(asks, home)
  local graph = {}
  for from, symbols in pairs(asks) do
    graph[from] = {}
    for _, symbol in ipairs(sorted_keys(symbols or {})) do
      local to = home[symbol]
      if to and to ~= from then
        graph[from][to] = graph[from][to] or {}
        table.insert(graph[from][to], symbol)
      end
    end
  end
  return graph
end

-- ---- layers ----

local function layer_of(file) return file:match "^src/([^/]+)" end

local headers = {}
local function is_declared(symbol, header)
  if not headers[header] then
    local file = assert(io.open("src/" .. header))
    headers[header] = file:read "*a"
    file:close()
  end
  return headers[header]:find("%f[%w_]" .. symbol .. "%f[^%w_]") ~= nil
end

local function may_call(from, to, symbol)
  for _, name in ipairs(LAYERS[layer_of(from)]) do
    if name == layer_of(to) or name == "ndbuf.h" and to == "src/ndbuf.c" then return true end
    if name:find "/" and name:match "^[^/]+" == layer_of(to) and is_declared(symbol, name) then
      return true
    end
  end
  return layer_of(from) == layer_of(to)
end

local function check_layers(graph)
  for _, from in ipairs(sorted_keys(graph)) do
    for _, to in ipairs(sorted_keys(graph[from])) do
      for _, symbol in ipairs(graph[from][to]) do
        if not may_call(from, to, symbol) then
          report("%s: may not call %s of %s", from, symbol, to)
        end
      end
    end
  end
end

-- ---- circles ----

local function folder_of(file) return file:match "^(.*)/" end

-- Sets of more than one file of a folder that all reach each other (Tarjan 1972).
local function circles_of(graph)
  local index, low, on_stack, stack, count, circles = {}, {}, {}, {}, 0, {}
  local function take_circle(root)
    local circle = {}
    repeat
      local file = table.remove(stack)
      on_stack[file] = nil
      circle[#circle + 1] = file
    until file == root
    table.sort(circle)
    if #circle > 1 then circles[#circles + 1] = circle end
  end
  local function visit(file)
    count = count + 1
    index[file], low[file] = count, count
    stack[#stack + 1], on_stack[file] = file, true
    for _, to in ipairs(sorted_keys(graph[file])) do
      if folder_of(to) == folder_of(file) then
        if not index[to] then visit(to) end
        if on_stack[to] then low[file] = math.min(low[file], low[to]) end
      end
    end
    if low[file] == index[file] then take_circle(file) end
  end
  for _, file in ipairs(sorted_keys(graph)) do
    if not index[file] then visit(file) end
  end
  return circles
end

local function print_circle(graph, circle)
  local is_in = {}
  for _, file in ipairs(circle) do is_in[file] = true end
  for _, from in ipairs(circle) do
    for _, to in ipairs(sorted_keys(graph[from])) do
      if is_in[to] then
        print(("  %s -> %s: %s"):format(from, to, table.concat(graph[from][to], " ")))
      end
    end
  end
end

local function check_circles(graph)
  for _, circle in ipairs(circles_of(graph)) do
    report("%s: %d files call each other in a circle", folder_of(circle[1]), #circle)
    print_circle(graph, circle)
  end
end

local graph = graph_of(read_objects())
check_layers(graph)
check_circles(graph)
if found > 0 then print(("circles: %d findings"):format(found)) os.exit(1) end
