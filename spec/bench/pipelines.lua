--- ndbuf's side of the table "Pipelines": spec/bench/pipelines.py asks. The inputs are random, and
-- saved for NumPy. Arguments: the folder for them, what they are divided by in size.
local nd = require "ndbuf"
local peer = require "spec.bench.peer"
local pipelines = require "examples.pipelines"

local folder, part = arg[1], tonumber(arg[2])
nd.set_threads(1)

local function input(name, a)
  nd.save(folder .. "/" .. name .. ".npy", a)
  return a
end

local function size(n) return math.floor(n / part) end

local function random_log()
  local path, count = folder .. "/random.log", size(1e6)
  local bytes = nd.randint(0, 255, { 12 + 13 * count }, "u8", { seed = 1 })
  local file = assert(io.open(path, "wb"))
  file:write(bytes:copyout())
  file:close()
  return path
end

local function columns(name, keys, seed)
  local key = input(name .. "_key", keys)
  return { key = key, value = input(name .. "_value", nd.random({ #key }, { seed = seed })) }
end

-- By name, what makes the function that is timed.
local rows = {
  ["record log"] = function()
    local path = random_log()
    return function() return pipelines.record_log(path, 30000) end
  end,
  ["audio RMS and zero crossings"] = function()
    local sound = input("sound", nd.random({ size(2e6) }, "f32", { seed = 2 }) - 0.5)
    return function() return pipelines.loudness(sound, 1024, 256) end
  end,
  ["image normalise, NHWC u8 to NCHW f32"] = function()
    local shape = { math.max(1, size(64)), 224, 224, 3 }
    local images = input("images", nd.randint(0, 255, shape, "u8", { seed = 3 }))
    return function()
      return pipelines.normalise(images, { 0.485, 0.456, 0.406 }, { 0.229, 0.224, 0.225 })
    end
  end,
  ["histogram"] = function()
    local values = input("values", nd.normal({ size(4e6) }, "f32", { seed = 4 }))
    return function() return pipelines.histogram(values, 256, -4, 4) end
  end,
  ["k-means"] = function()
    local points = input("points", nd.random({ size(2e5), 3 }, { seed = 5 }))
    local centres = points"1:8"
    return function() return pipelines.k_means(points, centres, 5) end
  end,
  ["moving average"] = function()
    local series = input("series", nd.random({ size(4e6) }, { seed = 6 }))
    return function() return pipelines.moving_average(series, 100) end
  end,
  ["sort and join"] = function()
    local n = size(1e6)
    local left = columns("left", nd.randint(1, n, { n }, "i32", { seed = 7 }), 8)
    local keys = nd.permutation(n, { seed = 9 }):narrow(1, 1, math.floor(n / 2)):astype "i32"
    local right = columns("right", keys, 10)
    return function() return pipelines.join(left, right) end
  end,
}

local current
local commands = {}

function commands.row(name)
  current = nil
  collectgarbage()
  collectgarbage()
  current = rows[name]()
  return "ready"
end

function commands.seconds() return peer.seconds(current) end

--- Saves the results, and answers how many there are.
function commands.results()
  local results = { current() }
  for i, a in ipairs(results) do nd.save(("%s/result%d.npy"):format(folder, i), a) end
  return #results
end

peer.serve(commands)
