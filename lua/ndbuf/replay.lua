--- Replays what a log of memory recorded, nd.memory.log's or RMM's, on another memory resource, and
-- tells what that took: ndbuf --replay LOG.csv ['nd.memory.pool(nd.memory.host())'].
local replay = {}

local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"

-- ---- time ----

ffi.cdef [[int ndbuf_replay_clock(int clock, void *out) __asm__("clock_gettime");]]
local MONOTONIC = 1
local time = ffi.new "struct { long seconds, nanoseconds; }"

local function now()
  ffi.C.ndbuf_replay_clock(MONOTONIC, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) * 1e-9
end

-- ---- the file ----

-- The columns that RMM's own replay reads; others are ignored, whatever the order.
local COLUMNS = {"Thread", "Action", "Pointer", "Size", "Stream"}
local ACTIONS = {allocate = true, free = true, ["allocate failure"] = true}

local function refuse(reader, fmt, ...)
  core.fail("invalid_argument", "replay",
    ("%s:%d: "):format(reader.path, reader.line) .. fmt:format(...))
end

local function split(text)
  local fields = {}
  for field in (text:gsub("\r$", "") .. ","):gmatch "([^,]*)," do fields[#fields + 1] = field end
  return fields
end

-- The next line; nil at the end.
local function read_line(reader)
  local first = reader.at
  if first > #reader.text then return end
  local last = reader.text:find("\n", first, true) or #reader.text + 1
  reader.at, reader.line = last + 1, reader.line + 1
  return reader.text:sub(first, last - 1)
end

local function read_header(reader)
  local names = split(read_line(reader) or "")
  reader.line = 1
  reader.width, reader.column = #names, {}
  for i, name in ipairs(names) do reader.column[name] = i end
  for _, name in ipairs(COLUMNS) do
    if not reader.column[name] then refuse(reader, "there is no column %s", name) end
  end
end

-- All of it at once: the memory that the log is replayed on may write to the same file.
local function open(path)
  local file, why = io.open(path, "r")
  if not file then core.fail("io", "replay", "cannot open " .. why) end
  local text
  text, why = file:read "*a"
  file:close()
  if not text then core.fail("io", "replay", ("cannot read %s: %s"):format(path, why)) end
  return {path = path, text = text, at = 1, line = 0}
end

local function read_number(reader, name, text)
  local n = text:match "^%d+$" and tonumber(text)
  if not n or n > 2 ^ 53 then refuse(reader, "%s: %q is no decimal number", name, text) end
  return n
end

-- A name for the address: its digits, "" for none. As a number it might not be exact.
local function read_pointer(reader, text)
  if text == "(nil)" then return "" end
  local digits = text:match "^0[xX](%x+)$" or text:match "^(%x+)$"
  if not digits then refuse(reader, "Pointer: %q is no address", text) end
  return (digits:lower():gsub("^0+", ""))
end

local function check_stream(reader, text)
  if not text:find "^%d+$" and not text:find "^0[xX]%x+$" then
    refuse(reader, "Stream: %q is no number", text)
  end
end

-- Action, pointer and size of the next row; nil at the end. The last one may be cut, where the disk
-- was full or the process was killed: it is none.
local function read_row(reader)
  local text = read_line(reader)
  if not text then return end
  local fields, column = split(text), reader.column
  if #fields ~= reader.width or fields[#fields] == "" then
    if reader.at > #reader.text then return end
    refuse(reader, "%d fields, expected %d: %q", #fields, reader.width, text)
  end
  local action = fields[column.Action]
  if not ACTIONS[action] then
    refuse(reader, "Action: %q is none of allocate, free, allocate failure", action)
  end
  read_number(reader, "Thread", fields[column.Thread])
  check_stream(reader, fields[column.Stream])
  return action, read_pointer(reader, fields[column.Pointer]),
    read_number(reader, "Size", fields[column.Size])
end

-- ---- one run ----

local REFUSALS = {budget_exceeded = true, out_of_memory = true, capacity = true}

local function new_array(bytes, mem)
  return nd.empty({bytes}, "u8", {device = mem, lazy = false})
end

-- What a block holds from here on counts: live, waiting for its work, or kept.
local function measure(run)
  local s = run.mem:stats()
  local held = s.live.bytes.current + s.pending.bytes.current + s.cached.bytes.current
  run.held_peak = math.max(run.held_peak, held)
end

-- Blocks without bytes have no address of their own: they are counted.
local function note_live(run, reader, pointer, block)
  if pointer == "" then
    run.empty[#run.empty + 1] = block
    return
  end
  if run.live[pointer] then refuse(reader, "0x%s is allocated twice", pointer) end
  run.live[pointer] = block
end

local function allocate(run, reader, pointer, bytes)
  local block = {bytes = bytes}
  note_live(run, reader, pointer, block)
  run.allocations = run.allocations + 1
  run.bytes = run.bytes + bytes
  run.peak = math.max(run.peak, run.bytes)
  local before = now()
  local fine, made = pcall(new_array, bytes, run.mem)
  run.seconds = run.seconds + now() - before
  if fine then
    block.array = made
  elseif type(made) == "table" and REFUSALS[made.code] then
    run.refused = run.refused + 1
  else
    error(made, 0)
  end
end

local function take_live(run, pointer)
  if pointer == "" then return table.remove(run.empty) end
  local block = run.live[pointer]
  run.live[pointer] = nil
  return block
end

local function free(run, reader, pointer)
  local block = take_live(run, pointer)
  if not block then
    refuse(reader, "%s is freed, but not allocated", pointer == "" and "(nil)" or "0x" .. pointer)
  end
  run.frees = run.frees + 1
  run.bytes = run.bytes - block.bytes
  if not block.array then return end
  local before = now()
  block.array:free()
  run.seconds = run.seconds + now() - before
end

local function replay_rows(run, reader)
  read_header(reader)
  for action, pointer, bytes in read_row, reader do
    if action == "allocate failure" then
      run.failures = run.failures + 1
    elseif action == "free" then
      free(run, reader, pointer)
    else
      allocate(run, reader, pointer, bytes)
    end
    measure(run)
  end
end

local function free_rest(run)
  for _, list in ipairs {run.live, run.empty} do
    for _, block in pairs(list) do
      run.left = run.left + 1
      if block.array then block.array:free() end
    end
  end
end

local function run_reader(reader, mem)
  local run = {allocations = 0, frees = 0, failures = 0, refused = 0, left = 0, seconds = 0,
    bytes = 0, peak = 0, held_peak = 0, live = {}, empty = {}, mem = nd.memory.stats(mem)}
  local fine, why = pcall(replay_rows, run, reader)
  free_rest(run)
  if not fine then error(why, 0) end
  local live_peak = run.mem:stats().live.bytes.peak
  return {allocations = run.allocations, frees = run.frees, failures = run.failures,
    refused = run.refused, left = run.left, seconds = run.seconds, peak = run.peak,
    live_peak = live_peak, held_peak = run.held_peak,
    fragmentation = run.held_peak > 0 and 1 - live_peak / run.held_peak or 0}
end

--- Take and free memory as a log says, in the order of its rows, on this thread. Raises
--- invalid_argument, with the line and the value, where it is no such log.
---@param path string
---@param mem? ndbuf.resource that of the host if it is not given
---@return table # counts of rows (allocations, frees, failures), refused: what mem did not give,
--- left: what is never freed; seconds spent in mem; bytes: peak as requested, live_peak and
--- held_peak as mem counts them; fragmentation: 1 - live_peak / held_peak
function replay.run(path, mem) return run_reader(open(path), mem or nd.memory.host()) end

-- ---- the command ----

local REPORT = [[
%s on %s
  rows           %d allocations, %d frees, %d failures
  refused here   %d
  never freed    %d
  time           %.6f s
  peak           %.0f B requested, %.0f B in use
  fragmentation  %.1f %% of %.0f B held
]]

local function read_memory(code)
  if not code then return nd.memory.host() end
  local chunk, why = loadstring("return " .. code, "=memory")
  if not chunk then error(why, 0) end
  setfenv(chunk, setmetatable({nd = nd}, {__index = _G}))
  local mem = chunk()
  if not pcall(nd.memory.stats, mem) then
    error(("%q is %s, expected memory such as nd.memory.host()"):format(code, tostring(mem)), 0)
  end
  return mem
end

local function report(path, code)
  local reader = open(path) -- first: the memory may be a log that replaces it
  local mem = read_memory(code)
  local r = run_reader(reader, mem)
  io.write(REPORT:format(path, tostring(mem), r.allocations, r.frees, r.failures, r.refused, r.left,
    r.seconds, r.peak, r.live_peak, 100 * r.fragmentation, r.held_peak))
end

--- What ndbuf --replay does; ends the process.
---@param path? string
---@param code? string an expression for the memory
function replay.main(path, code)
  if not path then
    io.stderr:write "usage: ndbuf --replay LOG.csv ['nd.memory.pool(nd.memory.host())']\n"
    os.exit(2, true)
  end
  local fine, why = pcall(report, path, code)
  local text = type(why) == "table" and why.message or tostring(why) -- without a place in here
  if not fine then io.stderr:write("ndbuf: ", text, "\n") end
  os.exit(fine and 0 or 1, true)
end

return replay
