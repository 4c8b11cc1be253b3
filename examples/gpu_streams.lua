-- Cuts the middle out of images on a GPU, batch after batch on two streams with buffers of their
-- own, so that one batch is on its way while the other is worked on; then draws when what was done.
--   luajit examples/gpu_streams.lua [crops.npy [timeline.svg [image.ppm …]]]
-- It needs a GPU, or the simulated one (docs/internals.md), whose times are worth drawing with
-- CUSIM_CLOCK=model. No line says what waits for what.
local nd = require "ndbuf"

local BATCHES, STREAMS = 6, 2

-- Images of one size as one array, N x 3 x rows x columns.
local function read(paths)
  local images = {}
  for i, path in ipairs(paths) do images[i] = nd.load(path):permute(3, 1, 2) end
  return nd.stack(images)
end

-- A view: the middle half of each image.
local function crop(batch)
  local rows, columns = batch:dim(3), batch:dim(4)
  return batch:narrow(3, math.floor(rows / 4) + 1, math.floor(rows / 2))
    :narrow(4, math.floor(columns / 4) + 1, math.floor(columns / 2))
end

-- A stream with its buffers: pinned ones, for copies that go on while the CPU does something else.
local function slot(gpu, shape)
  local part = crop(nd.zeros(1, "u8"):expand(shape)).shape
  return {stream = gpu:stream(), input = nd.empty(shape, "u8", "pinned"),
          there = nd.empty(shape, "u8", gpu), part = nd.empty(part, "u8", gpu),
          output = nd.empty(part, "u8", "pinned")}
end

-- Enqueue a step, between two events.
local function step(list, s, name, target, source)
  local first = s.stream:record {timing = true}
  target:copy_from(source, {stream = s.stream})
  local last = s.stream:record {timing = true}
  list[#list + 1] = {name = name, row = s.row, first = first, last = last}
end

local function work(images, target)
  local gpu, slots, steps, results = nd.device "cuda:0", {}, {}, {}
  for i = 1, STREAMS do slots[i] = slot(gpu, images.shape) slots[i].row = i end
  local start = slots[1].stream:record {timing = true}
  local function fetch(batch) -- waits for the copy to this buffer, and for nothing else
    results[batch] = slots[(batch - 1) % STREAMS + 1].output:to "cpu"
  end
  for batch = 1, BATCHES do
    local s = slots[(batch - 1) % STREAMS + 1]
    if batch > STREAMS then fetch(batch - STREAMS) end
    s.input:copy_from(images:roll(batch - 1, 1)) -- by the CPU, when the buffer has been read
    step(steps, s, "up " .. batch, s.there, s.input)
    step(steps, s, "cut " .. batch, s.part, crop(s.there))
    step(steps, s, "down " .. batch, s.output, s.part)
  end
  for batch = BATCHES - STREAMS + 1, BATCHES do fetch(batch) end
  nd.save(target, nd.concat(results))
  gpu:synchronize() -- also the last events are there now
  for _, one in ipairs(steps) do
    one.from, one.to = start:elapsed(one.first), start:elapsed(one.last)
  end
  return steps
end

-- ---- the drawing ----

local function last_of(steps)
  local last = 0
  for _, one in ipairs(steps) do last = math.max(last, one.to) end
  return last
end

local function draw_text(steps)
  local width, last = 88, last_of(steps)
  local function column(time) return math.floor(time / last * width + 0.5) end
  for row = 1, STREAMS do
    local line, at = {}, 0
    for _, one in ipairs(steps) do
      local from, to = column(one.from), column(one.to)
      if one.row == row and to - from >= 2 then
        line[#line + 1] = (" "):rep(from - at)
        line[#line + 1] = "[" .. (one.name .. (" "):rep(width)):sub(1, to - from - 2) .. "]"
        at = to
      end
    end
    print(("stream %d %s"):format(row, table.concat(line)))
  end
  print(("%d batches in %.3g ms"):format(BATCHES, last))
end

local COLORS = {up = "#4c78a8", cut = "#f58518", down = "#54a24b"}

local function draw_svg(steps, path)
  local file, last = assert(io.open(path, "w")), last_of(steps)
  local function x(time) return 80 + 600 * time / last end
  file:write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 110" ',
    'font-family="sans-serif" font-size="11">\n')
  for row = 1, STREAMS do
    file:write(('<text x="10" y="%d">stream %d</text>\n'):format(row * 34 - 5, row))
  end
  for _, one in ipairs(steps) do
    file:write(('<rect x="%.1f" y="%d" width="%.1f" height="26" fill="%s" stroke="white"/>\n')
      :format(x(one.from), one.row * 34 - 22, x(one.to) - x(one.from),
        COLORS[one.name:match "^%a+"]))
    file:write(('<text x="%.1f" y="%d" fill="white">%s</text>\n')
      :format(x(one.from) + 4, one.row * 34 - 5, one.name))
  end
  file:write '<text x="80" y="104">0</text>\n'
  file:write(('<text x="680" y="104" text-anchor="end">%.3g ms</text>\n'):format(last))
  file:write "</svg>\n"
  file:close()
end

local function main(target, drawing, paths)
  local is_there, why = nd.cuda.available()
  if not is_there then error(why, 0) end
  local images = read(paths)
  work(images, target) -- the first time memory is made, and the driver loads what it copies with
  local steps = work(images, target)
  draw_text(steps)
  draw_svg(steps, drawing)
end

local root = arg[0]:match "^(.*)examples/[^/]*$" or "../"
local own = root .. "examples/data/ball%d.ppm"
local paths = arg[3] and {unpack(arg, 3)} or {own:format(1), own:format(2), own:format(3)}
local ok, e = pcall(main, arg[1] or root .. "build/crops.npy",
  arg[2] or root .. "build/timeline.svg", paths)
if not ok then io.stderr:write("gpu_streams: ", type(e) == "table" and e.message or e, "\n") end
os.exit(ok and 0 or 1, true)
