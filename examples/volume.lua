-- A volume larger than memory: planes of 1024 x 1024 bytes in a file, and slices along all axes.
--   luajit examples/volume.lua [file [planes]]
-- The file, twice the machine's memory unless told, is sparse: only what is written takes room. Its
-- name is removed at once; the mapping keeps it until the end.
local nd = require "ndbuf"

local SIDE, COUNT = 1024, 24 -- of a plane; planes written
local SHADES = " .:-=+*#%@"

local function read_number(path, pattern)
  local file = assert(io.open(path))
  local number = tonumber(file:read("*a"):match(pattern))
  file:close()
  return number
end

-- A section through a ball, 'height' (-1 to 1) above its middle: how thick it is there.
local function write_plane(plane, height)
  for y = 1, SIDE do
    for x = 1, SIDE do
      local u, v = 2 * y / SIDE - 1, 2 * x / SIDE - 1
      plane:set(y, x, 255 * math.sqrt(math.max(0, 1 - u * u - v * v - height * height)))
    end
  end
end

local function draw(...) -- slices of COUNT rows, side by side
  for row = 1, COUNT do
    local line = ""
    for _, slice in ipairs {...} do
      for column = 1, slice:dim(2) do
        local shade = math.floor(slice(row, column) / 256 * #SHADES) + 1
        line = line .. SHADES:sub(shade, shade)
      end
    end
    print(line)
  end
end

local function main(path, planes, memory)
  if planes < COUNT then error(planes .. " planes, where at least " .. COUNT .. " are drawn", 0) end
  local volume = nd.zeros({planes, SIDE, SIDE}, "u8", "disk:" .. path)
  os.remove(path)
  local every, half = math.floor(planes / COUNT), SIDE / 2
  for k = 1, COUNT do write_plane(volume[k * every], (2 * k - 1) / COUNT - 1) end
  local written, wide = {every, COUNT * every, every}, {16, -1, 32} -- 32 of SIDE
  draw(volume[{COUNT / 2 * every, {18, -1, 43}, wide}], volume[{written, half, wide}],
       volume[{written, wide, half}])
  local resident = read_number("/proc/self/statm", "^%d+ (%d+)") * 4 * nd.KiB
  print(("%.1f GiB of volume, %.1f GiB of memory, %.1f MiB in use"):format(
        volume.nbytes / nd.GiB, memory / nd.GiB, resident / nd.MiB))
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
local memory = read_number("/proc/meminfo", "MemTotal:%s+(%d+)") * nd.KiB
local planes = tonumber(arg[2]) or math.ceil(2 * memory / SIDE ^ 2)
local ok, e = pcall(main, arg[1] or root .. "build/volume.u8", planes, memory)
if not ok then io.stderr:write("volume: ", type(e) == "table" and e.message or e, "\n") end
os.exit(ok and 0 or 1, true)
