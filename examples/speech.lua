-- Draws how loud a sound file is, and saves the energy and zero crossings of each of its frames.
--   luajit examples/speech.lua [file.wav [frames.npy]]
-- The file is mapped, and all that comes before the loop is views of it: no sample is ever copied.
local bit = require "bit"
local nd = require "ndbuf"

local FRAME, STEP = 0.025, 0.010 -- seconds
local WIDTH, HEIGHT = 96, 8 -- of the picture, at most
local BLOCKS = {[0] = " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

local speech = {}

local function refuse(...) error(string.format(...), 0) end

-- ---- the file: RIFF, which is chunks, each after its four letters and its size ----

local function tag(letters) return nd.frombytes(letters, "u32")[1] end

-- One record as numbers by name.
local function read(bytes, offset, fields)
  local record = {}
  for name, view in pairs(nd.records(bytes, fields, {offset = offset, count = 1})) do
    record[name] = view[1]
  end
  return record
end

local function find_chunks(bytes)
  local chunks, offset = {}, 12
  while offset + 8 <= #bytes do
    local chunk = read(bytes, offset, {{"tag", "u32"}, {"size", "u32"}})
    chunk.offset, chunk.left = offset + 8, #bytes - offset - 8
    chunks[chunk.tag] = chunks[chunk.tag] or chunk
    offset = chunk.offset + chunk.size + chunk.size % 2
  end
  return chunks
end

local function read_format(bytes, path, chunk)
  local size = chunk and math.min(chunk.size, chunk.left) or 0
  if size < 16 then refuse("%s: no format chunk", path) end
  local format = read(bytes, chunk.offset, {{"kind", "u16"}, {"channels", "u16"}, {"rate", "u32"},
                      {"byte_rate", "u32"}, {"frame_bytes", "u16"}, {"bits", "u16"}})
  if format.kind == 0xFFFE and size >= 26 then -- extensible: the kind comes later
    format.kind = read(bytes, chunk.offset + 24, {{"kind", "u16"}}).kind
  end
  if format.kind ~= 1 or format.bits ~= 16 or format.frame_bytes ~= 2 * format.channels
     or format.channels == 0 or format.rate < 1 / STEP then
    refuse("%s: no 16-bit PCM but format %d, %d bits, %d channels, %d Hz", path, format.kind,
           format.bits, format.channels, format.rate)
  end
  return format
end

--- The first channel of a WAV file, a view of the mapped file, and the file's format.
function speech.open(path)
  local bytes = nd.mmap(path, "u8")
  local head = #bytes >= 12 and read(bytes, 0, {{"id", "u32"}, {"size", "u32"}, {"form", "u32"}})
  if not head or head.id ~= tag "RIFF" or head.form ~= tag "WAVE" then
    refuse("%s: not a WAV file", path)
  end
  local chunks = find_chunks(bytes)
  local format, data = read_format(bytes, path, chunks[tag "fmt "]), chunks[tag "data"]
  if not data then refuse("%s: no data chunk", path) end
  if data.size > data.left then
    refuse("%s: truncated: %d of %d bytes of sound are there", path, data.left, data.size)
  elseif data.size % format.frame_bytes ~= 0 then
    refuse("%s: %d bytes of sound, %d to a sample", path, data.size, format.frame_bytes)
  elseif data.size / format.frame_bytes < math.floor(format.rate * FRAME) then
    refuse("%s: shorter than %g s", path, FRAME)
  end
  local sound = bytes:bytes(data.offset, data.size):bitcast "i16":reshape(-1, format.channels)
  return sound":, 1", format
end

-- ---- the work ----

--- Overlapping windows of the samples: frames(i, j) is sample j of frame i.
function speech.cut(samples, rate)
  return samples:unfold(1, math.floor(rate * FRAME), math.floor(rate * STEP))
end

--- For each frame the root mean square, 1 being as loud as it gets, and how often the sign changes.
function speech.measure(frames)
  local count, size = frames:dim(1), frames:dim(2)
  local measures = nd.empty(count, 2)
  for i, frame in frames:rows() do
    local energy, crossings, last = 0, 0, frame[1]
    for j = 1, size do
      local x = frame[j]
      energy = energy + x * x
      crossings = crossings + bit.rshift(bit.bxor(last, x), 31) -- 1 where the sign bits differ
      last = x
    end
    measures:set(i, 1, math.sqrt(energy / size) / 32768)
    measures:set(i, 2, crossings)
  end
  return measures
end

--- The envelope as lines of text, a column for each frame, or for as many as it takes to fit.
function speech.draw(envelope)
  local peaks, lines = {}, {}
  for column, part in ipairs(envelope:split(1, math.min(WIDTH, #envelope))) do
    peaks[column] = 0
    for _, loudness in part:iter() do peaks[column] = math.max(peaks[column], loudness) end
  end
  local unit = math.max(1 / 32768, unpack(peaks)) / (HEIGHT * #BLOCKS)
  for row = HEIGHT - 1, 0, -1 do
    local line = {}
    for column, peak in ipairs(peaks) do
      local eighths = math.ceil(peak / unit) - row * #BLOCKS
      line[column] = BLOCKS[math.max(0, math.min(#BLOCKS, eighths))]
    end
    lines[#lines + 1] = table.concat(line)
  end
  lines[#lines + 1] = ("─"):rep(#peaks)
  return lines
end

local function main(path, target)
  local samples, format = speech.open(path)
  local frames = speech.cut(samples, format.rate)
  local measures = speech.measure(frames)
  nd.save(target, measures)
  print(("%s: %.1f s at %d Hz"):format(path, #samples / format.rate, format.rate))
  print(table.concat(speech.draw(measures":, 1"), "\n"))
  print(("%s: energy and zero crossings of %d frames"):format(target, #frames))
end

if ... ~= "examples.speech" then -- a program, not required by another
  local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
  local ok, e = pcall(main, arg[1] or root .. "examples/data/speech.wav",
                      arg[2] or root .. "build/speech.npy")
  if not ok then
    io.stderr:write("speech: ", type(e) == "table" and e.message or e, "\n")
    os.exit(1, true)
  end
end

return speech
