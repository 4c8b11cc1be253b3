--- nd.memory.report: the memory of all devices in use, for people to read.
local report = {}

local WIDTH = 50
local UNITS = { "B", "KiB", "MiB", "GiB", "TiB" }

-- "1.50 GiB"
local function text_of(bytes)
  local unit = 1
  while bytes >= 1024 and unit < #UNITS do bytes, unit = bytes / 1024, unit + 1 end
  return (unit == 1 and "%d %s" or bytes < 10 and "%.2f %s" or bytes < 100 and "%.1f %s"
    or "%.0f %s"):format(bytes, UNITS[unit])
end

-- What is neither ours nor free belongs to others. Whatever is there at all shows.
local function bar_of(row)
  local others = math.max(0, row.total - row.live - row.pending - row.cached - row.free)
  local parts = { { "#", row.live }, { "~", row.pending }, { "+", row.cached }, { "x", others } }
  local bar = ""
  for _, part in ipairs(parts) do
    local count = math.floor(part[2] / row.total * WIDTH + 0.5)
    if part[2] > 0 then count = math.max(count, 1) end
    bar = bar .. part[1]:rep(math.min(count, WIDTH - #bar))
  end
  return "[" .. bar .. ("."):rep(WIDTH - #bar) .. "]"
end

local function line_of(row)
  return ("%-10s %s %s\n  live %s in %d, pending %s, cached %s, free %s, peak %s"):format(
    row.device, bar_of(row), text_of(row.total), text_of(row.live), row.count,
    text_of(row.pending), text_of(row.cached), text_of(row.free), text_of(row.peak))
end

local metatable = {}

function metatable:__tostring()
  local lines = {}
  for i, row in ipairs(self) do lines[i] = line_of(row) end
  lines[#lines + 1] = "# live  ~ pending  + cached  x others  . free"
  return table.concat(lines, "\n")
end

-- What a forked child cannot ask is left out; of managed memory what never was used.
local function add(list, device, is_optional)
  local fine, row = pcall(device.memory_info, device)
  if not fine or is_optional and row.peak == 0 then return end
  row.device = tostring(device)
  list[#list + 1] = row
end

--- A row for the host, and where GPUs were opened, for pinned memory, each of them and its managed
-- memory: the fields of memory_info, and device. Prints as bars.
function report.make(core)
  local list = setmetatable({}, metatable)
  add(list, core.device "cpu")
  local names = core.open_devices()
  if #names > 0 then add(list, core.device "pinned") end
  for _, name in ipairs(names) do
    add(list, core.device(name))
    add(list, core.device((name:gsub("^cuda", "managed"))), true)
  end
  return list
end

return report
