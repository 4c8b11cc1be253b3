-- Columns of a binary log: records of 13 bytes, some fields big-endian, most of them misaligned.
--   luajit examples/binary_log.lua [file.log [folder]]
-- The log is mapped, its columns are views of it; each is saved as folder/NAME.npy.
local nd = require "ndbuf"

local FIELDS = {{"time", "u32be"}, {"station", "u8"}, {"temperature", "i16"}, {"pressure", "f32"},
                {"wind", "u16be"}} -- seconds since 1970, °C / 100, hPa, m/s / 10
local HEAD, RECORD = 12, 13 -- bytes
local BLOCKS, WIDTH = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, 48

local function refuse(...) error(string.format(...), 0) end
local function open(path)
  local bytes = nd.mmap(path)
  if #bytes < HEAD or bytes"1:4":copyout() ~= "WLOG" then refuse("%s: not a weather log", path) end
  local head = nd.records(bytes"5:", {{"size", "u32be"}, {"count", "u32be"}}, {count = 1})
  if head.size[1] ~= RECORD then
    refuse("%s: records of %d bytes, not %d", path, head.size[1], RECORD)
  elseif #bytes ~= HEAD + head.count[1] * RECORD or #bytes == HEAD then
    refuse("%s: %d records in %d bytes", path, head.count[1], #bytes - HEAD)
  end
  return nd.records(bytes, FIELDS, {offset = HEAD})
end

-- By station: the coldest, the hottest, sums and counts of WIDTH stretches of the log.
local function summarise(stations, temperatures)
  local found = {}
  for i = 1, #stations do
    local id, value, at = stations[i], temperatures[i], math.floor((i - 1) / #stations * WIDTH) + 1
    local all = found[id] or {low = value, high = value, parts = nd.zeros(2, WIDTH)}
    all.low, all.high = math.min(all.low, value), math.max(all.high, value)
    all.parts:set(1, at, all.parts(1, at) + value)
    all.parts:set(2, at, all.parts(2, at) + 1)
    found[id] = all
  end
  return found
end

local function describe(id, all)
  local line = ""
  for i = 1, WIDTH do
    local height = (all.parts(1, i) / all.parts(2, i) - all.low) / (all.high - all.low)
    line = line .. (BLOCKS[math.floor(height * 7.99) + 1] or " ")
  end
  return ("station %d %6.2f to %5.2f °C %s"):format(id, all.low / 100, all.high / 100, line)
end

local function main(path, folder)
  local log = open(path)
  for _, field in ipairs(FIELDS) do nd.save(folder .. "/" .. field[1] .. ".npy", log[field[1]]) end
  local first, last = os.date("!%F %R", log.time[1]), os.date("!%F %R", log.time[-1])
  print(("%s: %d records from %s to %s UTC"):format(path, #log.time, first, last))
  local found = summarise(log.station, log.temperature)
  for id = 0, 255 do if found[id] then print(describe(id, found[id])) end end
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
local ok, e = pcall(main, arg[1] or root .. "examples/data/weather.log", arg[2] or root .. "build")
if not ok then io.stderr:write("binary_log: ", type(e) == "table" and e.message or e, "\n") end
os.exit(ok and 0 or 1, true)
