-- A batch for a neural network: rows x columns x 3 bytes become N x 3 x rows x columns floats.
--   luajit examples/image_batch.lua [batch.npy [image.ppm …]]
-- The green channels are drawn as well.
local nd = require "ndbuf"

local MEAN = nd.array {0.485, 0.456, 0.406} -- of ImageNet
local DEVIATION = nd.array {0.229, 0.224, 0.225}
local SHADES, WIDTH, HEIGHT = " .:-=+*#%@", 26, 12 -- of the picture

local function refuse(...) error(string.format(...), 0) end

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
  local batch
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
    batch[n]:copy_from(((image / 255 - MEAN) / DEVIATION):permute(3, 1, 2))
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
