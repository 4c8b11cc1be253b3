-- Lets the n-th file operation of every function fail, n = 1, 2, … until the call gets through.
-- Runs with the library of files_preload.c before all others: luajit files.lua FOLDER
local ffi = require "ffi"
local core = require "ndbuf.core"
local rows = require "spec.faults.files_ops"

ffi.cdef [[
  void files_fault_arm(int kind, int nth, bool is_lasting);
  int files_fault_disarm(void);
  const char *files_fault_where(void);
  int dup(int fd);
  int close(int fd);
  struct dirent { uint64_t ino; int64_t off; uint16_t bytes; uint8_t type; char name[256]; };
  void *opendir(const char *path);
  struct dirent *readdir(void *stream);
  int closedir(void *stream);
]]
local C = ffi.C

-- The numbers of files_preload.c; 'heals': the call has to get through all the same.
local KINDS = {
  {name = "EINTR", number = 4, heals = true}, {name = "short", number = -1, heals = true},
  {name = "EIO", number = 5}, {name = "EACCES", number = 13}, {name = "ENOSPC", number = 28},
  {name = "EMFILE", number = 24}, {name = "ENOMEM", number = 12, code = "out_of_memory"},
}
-- What may fail without the caller hearing of it: the file is whole and has its name by then.
local HARMLESS = {
  unlink = true, ["open directory"] = true, ["fsync directory"] = true,
}

local folder = assert(arg[1]) .. "/"

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

-- The names in the folder, each with a newline.
local function list()
  local names, stream = {}, assert(C.opendir(folder))
  repeat
    local entry = C.readdir(stream)
    local name = entry ~= nil and ffi.string(entry.name)
    if name and name ~= "." and name ~= ".." then names[#names + 1] = name .. "\n" end
  until not name
  C.closedir(stream)
  table.sort(names)
  return table.concat(names)
end

-- What a call must not change.
local function look()
  collectgarbage()
  collectgarbage()
  local fd = C.dup(0)
  C.close(fd)
  local stats = core.stats()
  return {fd = fd, live = stats.live, pending = stats.pending,
          maps = select(2, read "/proc/self/maps":gsub(folder:gsub("%p", "%%%0"), ""))}
end

local function check_left(before, what)
  for name, now in pairs(look()) do
    if now ~= before[name] then
      error(("%s: %s was %d, is %d"):format(what, name, before[name], now), 0)
    end
  end
end

local function prepare(row, path)
  os.remove(path)
  row.make(path)
end

-- What the call returns, and the file that it leaves, when nothing fails.
local function run_well(row, path)
  prepare(row, path)
  return row.call(path), read(path)
end

local function check_error(e, kind, path, what)
  local code = kind.code or "io"
  if type(e) ~= "table" or e.code ~= code then
    error(("%s: expected %s, got %s"):format(what, code, tostring(e)), 0)
  end
  if code == "io" and (e.errno ~= kind.number or e.path ~= path) then
    error(("%s: errno %s, path %s"):format(what, tostring(e.errno), tostring(e.path)), 0)
  end
end

local reached -- by the row: the calls that could fail

-- One call with one fault. False: the fault lies behind the call's end.
local function strike(row, kind, n, lasting, wanted, contents)
  local path = folder .. row.path
  prepare(row, path)
  local before, old = look(), read(path)
  C.files_fault_arm(kind.number, n, lasting)
  local fine, result = pcall(row.call, path)
  local hits = C.files_fault_disarm()
  local where = ffi.string(C.files_fault_where())
  if hits == 0 then return false end
  reached[where] = true
  local what = ("%s: %s at %s, call %d%s"):format(row.name, kind.name, where, n,
    lasting and " and later" or "")
  check_left(before, what)
  local is_retried = where == "mmap" and kind.code and not lasting -- after a collection
  if kind.heals or is_retried or fine and HARMLESS[where] then
    if not fine then error(what .. ": " .. tostring(result), 0) end
    if result ~= wanted or read(path) ~= contents then error(what .. ": another result", 0) end
  else
    if fine then error(what .. ": nothing was raised", 0) end
    check_error(result, kind, path, what)
    if read(path) ~= old then error(what .. ": the file was touched", 0) end
  end
  local names = read(path) and row.path .. "\n" or ""
  local left = list()
  if left ~= names then
    os.execute("rm -f '" .. folder .. "'* '" .. folder .. "'.nd*")
    error(what .. ": left in the folder: " .. left:gsub("\n", " "), 0)
  end
  if run_well(row, path) ~= wanted then error(what .. ": the next call differs", 0) end
  return true
end

local found, failed = 0, 0
local by_kind = {}
for _, row in ipairs(rows) do
  local wanted, contents = run_well(row, folder .. row.path)
  reached = {}
  for _, kind in ipairs(KINDS) do
    for _, lasting in ipairs(kind.heals and {false} or {false, true}) do
      local n, count = 0, 0
      repeat
        n = n + 1
        local fine, more = pcall(strike, row, kind, n, lasting, wanted, contents)
        if not fine then print("# " .. tostring(more)) end
        if not fine or more then found, count = found + 1, count + 1 end
        if fine and more then failed = failed + 1 end
      until fine and not more or n > 200
      by_kind[kind.name] = (by_kind[kind.name] or 0) + count
    end
  end
  local is_mapped = row.path:find "%.bin$" -- made on disk: its bytes are written later
  if reached.rename and not reached.fsync and not is_mapped then
    print(("# %s: the file gets its name unflushed"):format(row.name))
    found = found + 1
  end
  os.remove(folder .. row.path)
end
for _, kind in ipairs(KINDS) do
  print(("%-7s %4d sites"):format(kind.name, by_kind[kind.name]))
end
print(("%d calls of %d kinds, %d sites found, %d as they should be"):format(#rows, #KINDS, found,
  failed))
os.exit(found == failed and 0 or 1, true)
