-- A field of 64 MiB, computed tile by tile in a budget of 16 MiB: where that is short, the oldest
-- tile goes to a file. The tiles are used in the same way, wherever they are.
--   luajit examples/spill.lua [limit [file]]
-- Intermediate results count in the budget, too, and what is garbage goes before a tile does. The
-- file's name is removed at once; the mapping keeps it until the end.
local nd = require "ndbuf"

local SIDE, TILES = 512, 8 -- elements along a side of a tile; tiles along a side of the field
local ROWS, COLUMNS = 4, 8 -- characters of a tile
local SHADES = " .:-=+*#%@"

-- Waves from two points: a tile of f32.
local function compute(row, column)
  local y = nd.arange(SIDE, {dtype = "f32"}):add_(row * SIDE):reshape(SIDE, 1)
  local x = nd.arange(SIDE, {dtype = "f32"}):add_(column * SIDE)
  local function waves(center_y, center_x)
    local dy, dx = y - center_y, x - center_x
    return (dy * dy + dx * dx):sqrt_():mul_(0.01):sin_()
  end
  return waves(1300, 2048):add_(waves(2800, 2048))
end

-- Arrays of memory 'mem', of which some may be moved to the file.
local function new_store(limit, path)
  local file = nd.zeros({TILES * TILES, SIDE, SIDE}, "f32", "disk:" .. path)
  os.remove(path)
  local store = {tiles = {}, spilled = 0}
  local function spill()
    local oldest = store.spilled + 1
    local tile = store.tiles[oldest]
    if not tile then return false end
    store.tiles[oldest] = file[oldest]:copy_from(tile)
    store.spilled = oldest
    tile:free()
    return true
  end
  local budget = nd.memory.budget(nd.memory.host(), limit)
  store.mem = nd.memory.stats(nd.memory.retry(budget, spill))
  return store
end

-- The mean power of each character's part of a tile.
local function shade(tile)
  local parts = (tile * tile):reshape(ROWS, SIDE / ROWS, COLUMNS, SIDE / COLUMNS)
  return parts:mean {axis = {2, 4}}
end

local function draw(power)
  for row = 1, power:dim(1) do
    local line = {}
    for column = 1, power:dim(2) do
      local at = math.min(#SHADES, math.floor(power(row, column) / 2 * #SHADES) + 1)
      line[column] = SHADES:sub(at, at)
    end
    print((table.concat(line):gsub(" +$", "")))
  end
end

local function main(limit, path)
  local store = new_store(limit, path)
  local power = nd.zeros({TILES * ROWS, TILES * COLUMNS}, "f32")
  nd.memory.use(store.mem, function()
    for n = 0, TILES * TILES - 1 do
      store.tiles[n + 1] = compute(math.floor(n / TILES), n % TILES)
    end
    for n = 0, TILES * TILES - 1 do
      local row, column = math.floor(n / TILES), n % TILES
      power:narrow(1, row * ROWS + 1, ROWS):narrow(2, column * COLUMNS + 1, COLUMNS)
        :copy_from(shade(store.tiles[n + 1]))
    end
  end)
  draw(power)
  local live = store.mem:stats().live.bytes
  print(("%d of %d tiles are in the file; at most %.1f MiB were in memory at a time"):format(
        store.spilled, TILES * TILES, live.peak / nd.MiB))
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
local ok, e = pcall(main, arg[1] or "16MiB", arg[2] or root .. "build/spill.f32")
if not ok then io.stderr:write("spill: ", type(e) == "table" and e.message or e, "\n") end
os.exit(ok and 0 or 1, true)
