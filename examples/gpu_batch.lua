-- Sends a batch of images to a GPU through pinned memory, takes a part of it there, and brings that
-- back; on a machine without a GPU the same lines work in the host's memory.
--   luajit examples/gpu_batch.lua [crops.npy [image.ppm …]]
-- Rows x columns x 3 bytes become N x 3 x rows x columns; the part is the middle of each image.
local nd = require "ndbuf"

local function refuse(...) error(string.format(...), 0) end

-- Where the batch is put together, where it goes, and which of the two it is.
local function places()
  local fine, why = nd.cuda.available()
  if not fine then return "cpu", "cpu", "on the host, as " .. why end
  local gpu = nd.device "cuda:0"
  return "pinned", gpu, ("on %s, %s"):format(gpu.name, gpu.model)
end

-- Images of one size, N x 3 x rows x columns, in memory of this place.
local function read(paths, place)
  local batch
  for n, path in ipairs(paths) do
    local image = nd.load(path)
    if image.ndim ~= 3 or image:dim(3) ~= 3 or image.dtype ~= "u8" then
      refuse("%s: %s of %s, no colours of 8 bits", path, table.concat(image.shape, " x "),
        image.dtype)
    end
    batch = batch or nd.empty({#paths, 3, image:dim(1), image:dim(2)}, "u8", place)
    if image:dim(1) ~= batch:dim(3) or image:dim(2) ~= batch:dim(4) then
      refuse("%s: %d x %d, but %s is %d x %d", path, image:dim(1), image:dim(2), paths[1],
        batch:dim(3), batch:dim(4))
    end
    batch[n]:copy_from(image:permute(3, 1, 2))
  end
  return batch
end

-- A view: the middle half of each image.
local function crop(batch)
  local rows, columns = batch:dim(3), batch:dim(4)
  local height, width = math.max(1, math.floor(rows / 2)), math.max(1, math.floor(columns / 2))
  local top, left = math.floor((rows - height) / 2) + 1, math.floor((columns - width) / 2) + 1
  return batch:narrow(3, top, height):narrow(4, left, width)
end

local function main(target, paths)
  local staging, place, words = places()
  local batch = read(paths, staging)
  local there = batch:to(place) -- one copy, or on the host the batch itself
  local part = crop(there):clone() -- made where 'there' is
  local back = nd.empty(part.shape, "u8", staging):copy_from(part)
  nd.save(target, back)
  print(("%s: %s bytes, cut out %s"):format(target, table.concat(back.shape, " x "), words))
  local moved = nd.transfers()
  print(("to the GPU: %d bytes; within: %d; back: %d"):format(moved.h2d.bytes, moved.d2d.bytes,
    moved.d2h.bytes))
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
local own = root .. "examples/data/ball%d.ppm"
local paths = arg[2] and {unpack(arg, 2)} or {own:format(1), own:format(2), own:format(3)}
local ok, e = pcall(main, arg[1] or root .. "build/crops.npy", paths)
if not ok then io.stderr:write("gpu_batch: ", type(e) == "table" and e.message or e, "\n") end
os.exit(ok and 0 or 1, true)
