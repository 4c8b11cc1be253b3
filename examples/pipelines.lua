-- Seven small pipelines, each one function that programs can copy; spec/bench/pipelines.py times
-- them against NumPy.
--   luajit examples/pipelines.lua          shows what they make of examples/data
--   require "examples.pipelines"           gives the functions
local nd = require "ndbuf"

local pipelines = {}

-- A binary log, in the format of examples/data/weather.log: the mean temperature at each station
-- (1 to 256, for ids from 0) while the wind is below 'limit'. What has no records is 0.
-- The log is mapped, and its columns are views of it; a mask selects the records.
function pipelines.record_log(path, limit)
  local fields = {{"station", "u8"}, {"temperature", "i16"}, {"pressure", "f32"},
                  {"wind", "u16be"}}
  local log = nd.records(nd.mmap(path), fields, {offset = 12 + 4, stride = 13})
  local is_calm = log.wind:lt(limit)
  local station, temperature = log.station[is_calm], log.temperature[is_calm]
  local sums = station:bincount {weights = temperature, minlength = 256, base = 0}
  return sums / station:bincount({minlength = 256, base = 0}):maximum(1)
end

-- Loudness (root mean square) and zero crossings of overlapping frames of a sound. Frames are
-- views, so that nothing is copied that they share.
function pipelines.loudness(sound, size, step)
  local frames = sound:unfold(1, size, step)
  local is_negative = sound:lt(0)
  local crosses = is_negative"2:":ne(is_negative":-2")
  return frames:square():mean(2):sqrt(), crosses:unfold(1, size - 1, step):count_nonzero(2)
end

-- Images, N x rows x columns x channels of bytes, as a batch for a network: N x channels x rows x
-- columns of normalised floats. Mean and deviation are of values from 0 to 1.
function pipelines.normalise(images, mean, deviation)
  local channels = images:permute(1, 4, 2, 3)
  local batch = nd.empty(channels.shape, "f32"):copy_from(channels)
  local scale = nd.array(deviation, "f32"):mul_(255):reciprocal():reshape(-1, 1, 1)
  local shift = (nd.array(mean, "f32") / nd.array(deviation, "f32")):reshape(-1, 1, 1)
  return batch:mul_(scale):sub_(shift)
end

-- How many values are in each of 'bins' equal parts of low to high, which belongs to the last one.
function pipelines.histogram(values, bins, low, high)
  return (values:histogram {bins = bins, range = {low, high}})
end

-- Lloyd's k-means of points (count x axes, such as colours), from the given centres (k x axes) on.
-- Returns the centres after so many rounds, and the number of the nearest one for each point. What
-- the squares of the points would add to the distances is the same for all centres.
function pipelines.k_means(points, centres, rounds)
  local k, axes, nearest = centres:dim(1), centres:dim(2), nil
  for _ = 1, rounds do
    local squares = centres:square():sum {axis = 2, keepdims = true}
    nearest = (centres * -2):matmul(points.T):add_(squares):argmin(1)
    local sums = nd.zeros(k, axes):index_add(1, nearest, points)
    centres = sums / nearest:bincount({minlength = k}):maximum(1):reshape(-1, 1)
  end
  return centres, nearest
end

-- The mean of each 'size' neighbouring values. The windows are views, and their sums run.
function pipelines.moving_average(values, size) return values:unfold(1, size, 1):mean(2) end

-- Join two tables with the columns 'key' and 'value' by their keys, those of 'right' being unique.
-- Returns the keys of both, in order, and the values of both.
function pipelines.join(left, right)
  local i, j = left.key:argsort(), right.key:argsort()
  i = i[left.key[i]:isin(right.key)]
  local key = left.key[i]
  return key, left.value[i], right.value[j[right.key[j]:searchsorted(key)]]
end

if ... == "examples.pipelines" then return pipelines end

-- ---- what they make of examples/data ----

local function show(name, format, ...) print(("%-16s"):format(name) .. format:format(...)) end

local function main(data)
  local means = pipelines.record_log(data .. "weather.log", 100)
  show("record log", "mean temperatures of %d stations, up to %.1f °C", means:count_nonzero(),
    means:max() / 100)

  local sound, rate = nd.load(data .. "speech.wav")
  sound = sound":, 1":astype "f32" / 32768
  local loud, crossings = pipelines.loudness(sound, 1024, 256)
  show("loudness", "%d frames, the loudest at %.1f s, %d zero crossings at most", #loud,
    loud:argmax() * 256 / rate, crossings:max())
  local bins = pipelines.histogram(sound, 20, -1, 1)
  show("histogram", "%d of %d samples are in the two bins around 0", bins"10:11":sum(), bins:sum())

  local images = {}
  for n = 1, 3 do images[n] = nd.load(data .. "ball" .. n .. ".ppm") end
  local batch = pipelines.normalise(nd.stack(images, 1), {0.485, 0.456, 0.406},
    {0.229, 0.224, 0.225})
  show("normalise", "%s floats, mean %.3f", table.concat(batch.shape, " x "), batch:mean())

  local colours = images[1]:reshape(-1, 3):astype "f32"
  local centres, label = pipelines.k_means(colours, colours"::4800", 10)
  show("k-means", "%d colours as %d, the first pixel as (%.0f, %.0f, %.0f)", #colours, #centres,
    centres[label[1]]:unpack())

  local smooth = pipelines.moving_average(loud, 10)
  show("moving average", "of 10 frames: %.3f at most, of one: %.3f", smooth:max(), loud:max())

  local pixel = {key = label, value = nd.arange(#label)}
  local names = {key = nd.arange(1, #centres, "i64"), value = centres:mean(2)}
  local key, _, shade = pipelines.join(pixel, names)
  show("sort and join", "%d pixels with the shade of their colour, %.1f to %.1f", #key,
    shade:min(), shade:max())
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
main(root .. "examples/data/")
