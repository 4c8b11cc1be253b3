-- Writes the file 'tags' for editors: each kernel's body by the kernel's name, which only the
-- preprocessor knows (add_f32, sum_block_i8, to_f16_f32), and ordinary symbols where ctags is
-- installed.
--   luajit tools/tags.lua CC

local KERN = "src/kern/"
-- As in tools/kern.lua: what the name of a body ends with.
local SUFFIXES = {"of", "to", "lane", "within_one"}

local function lines_of(command)
  local list, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

-- Names as the compiler sees them, with the line of the file that they come from.
local function names_in(path, cc, tags)
  local file, line = path, 0
  local command = "%s -E -std=c11 -D_GNU_SOURCE -Isrc %s"
  for _, text in ipairs(lines_of(command:format(cc, path))) do
    local number, name = text:match '^# (%d+) "([^"]+)"'
    if number then
      file, line = name, tonumber(number)
    else
      if file:find("^" .. KERN) then
        local plain = text:gsub("__attribute__ ?%b()", "")
        for head in plain:gmatch "static [^;{}=]-([%a_][%w_]*) ?%(" do tags[head] = {file, line} end
        local reducer = plain:match "^static const ndi_reducer ([%w_]+) ="
        if reducer then tags[reducer] = {file, line} end
      end
      line = line + 1
    end
  end
end

local function write_tags(cc)
  local lines = {}
  for _, path in ipairs(lines_of("ls " .. KERN .. "*.c " .. KERN .. "made/*.c")) do
    local own = {}
    names_in(path, cc, own)
    for name, at in pairs(own) do -- a loop's kernel is where its body is
      for _, suffix in ipairs(SUFFIXES) do
        local op, dtype = name:match("^(.+)_" .. suffix .. "(_%w+)$")
        if op and own[op .. dtype] and at[1]:find "_%w+%.inc$" then own[op .. dtype] = at end
      end
    end
    for name, at in pairs(own) do
      lines[("%s\t%s\t%d;\"\tf"):format(name, at[1], at[2])] = true
    end
  end
  local list = lines_of "ctags -R -f - --languages=C,Lua src lua tools spec 2>/dev/null"
  for line in pairs(lines) do list[#list + 1] = line end
  table.sort(list)
  local file = assert(io.open("tags", "w"))
  file:write("!_TAG_FILE_SORTED\t1\t//\n", table.concat(list, "\n"), "\n")
  file:close()
end

write_tags((assert(arg[1], "usage: tags.lua CC")))
