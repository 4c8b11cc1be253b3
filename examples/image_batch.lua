-- A batch for a neural network: rows x columns x 3 bytes become N x 3 x rows x columns floats.
--   luajit examples/image_batch.lua [batch.npy [image.ppm …]]
-- A channel of a pixel has 256 values, so the normalised floats come from a table.
local nd = require "ndbuf"

local MEAN, DEVIATION = {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225} -- of ImageNet
local SHADES, WIDTH, HEIGHT = " .:-=+*#%@", 26, 12 -- of the picture

local function refuse(...) error(string.format(...), 0) end
local function normalise(target, plane, values)
  for i = 1, #plane do
    for j = 1, plane:dim(2) do target:set(i, j, values[plane(i, j) + 1]) end
  end
end

-- The green channels, side by side.
local function draw(batch)
  local rows, columns = batch:dim(3), batch:dim(4)
  for y = 1, HEIGHT do
    local line = {}
    for n = 1, #batch do
      for x = 1, WIDTH do
        local value = batch(n, 2, math.ceil(y * rows / HEIGHT), math.ceil(x * columns / WIDTH))
        local shade = math.max(1, math.ceil((value * DEVIATION[2] + MEAN[2]) * #SHADES))
        line[#line + 1] = SHADES:sub(shade, shade)
      end
    end
    print(table.concat(line))
  end
end

local function main(target, paths)
  local values, batch = nd.empty(3, 256), nil
  for p = 0, 255 do
    for c = 1, 3 do values:set(c, p + 1, (p / 255 - MEAN[c]) / DEVIATION[c]) end
  end
  for n, path in ipairs(paths) do
    local image = nd.load(path)
    local shape = table.concat(image.shape, " x ")
    if image.ndim ~= 3 or image:dim(3) ~= 3 or image.dtype ~= "u8" then
      refuse("%s: %s of %s, no colours of 8 bits", path, shape, image.dtype)
    end
    batch = batch or nd.empty({#paths, 3, image:dim(1), image:dim(2)}, "f32")
    if image:dim(1) ~= batch:dim(3) or image:dim(2) ~= batch:dim(4) then
      refuse("%s: %s, but %s is %d x %d", path, shape, paths[1], batch:dim(3), batch:dim(4))
    end
    for c = 1, 3 do normalise(batch[n][c], image[{ {}, {}, c }], values[c]) end
  end
  nd.save(target, batch)
  draw(batch)
  print(("%s: %s floats"):format(target, table.concat(batch.shape, " x ")))
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
local own = root .. "examples/data/ball%d.ppm"
local paths = arg[2] and {unpack(arg, 2)} or {own:format(1), own:format(2), own:format(3)}
local ok, e = pcall(main, arg[1] or root .. "build/batch.npy", paths)
if not ok then io.stderr:write("image_batch: ", type(e) == "table" and e.message or e, "\n") end
os.exit(ok and 0 or 1, true)
