-- The time of the example's loop over a(i, j) against the same loop over a raw FFI pointer.
--   luajit spec/examples/speech_ratio.lua [file.wav]        'require' gives the function
local bit = require "bit"
local nd = require "ndbuf"
local speech = require "examples.speech"

-- speech.measure, but for the way to a sample.
local function measure_raw(frames)
  local count, size = frames:dim(1), frames:dim(2)
  local first, step = frames:ptr(), frames.strides[1]
  local measures = nd.empty(count, 2)
  for i = 1, count do
    local row = first + (i - 1) * step
    local energy, crossings, last = 0, 0, row[0]
    for j = 0, size - 1 do
      local x = row[j]
      energy = energy + x * x
      crossings = crossings + bit.rshift(bit.bxor(last, x), 31)
      last = x
    end
    measures:set(i, 1, math.sqrt(energy / size) / 32768)
    measures:set(i, 2, crossings)
  end
  return measures
end

-- Medians of runs that alternate; the fastest of three tries, as others may be at work.
local function median_times(runs, ...)
  local work, times = {...}, {}
  for k = 1, #work do times[k] = {} end
  for run = 1, runs + 3 do
    for k, fn in ipairs(work) do
      local start = os.clock()
      for _ = 1, 10 do fn() end
      times[k][run - 3] = (os.clock() - start) / 10 -- below 1: warm-up
    end
  end
  for k = 1, #work do
    table.sort(times[k])
    times[k] = times[k][math.ceil(runs / 2)]
  end
  return unpack(times)
end

--- Nanoseconds for a sample by a(i, j) and by pointer, and their ratio, in the best of three tries.
local function ratio(path)
  local samples, format = speech.open(path)
  local frames = speech.cut(samples:contiguous(), format.rate)
  assert(speech.measure(frames):equal(measure_raw(frames)))
  local ours, raw
  for _ = 1, 3 do
    local a, b = median_times(11, function() speech.measure(frames) end,
                              function() measure_raw(frames) end)
    if not ours or a / b < ours / raw then ours, raw = a, b end
  end
  return ours / frames.size * 1e9, raw / frames.size * 1e9, ours / raw
end

if ... ~= "spec.examples.speech_ratio" then
  print(("a(i, j) %.2f ns, pointer %.2f ns, ratio %.2f"):format(
    ratio(... or "examples/data/speech.wav")))
end
return ratio
