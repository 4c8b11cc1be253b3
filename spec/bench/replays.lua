--- Logs of memory that are recorded and replayed: of the pipelines in examples/, and of RMM's
-- random allocations.
local nd = require "ndbuf"
local pipelines = require "examples.pipelines"
local random = require "spec.bench.random_allocations"
local replay = require "ndbuf.replay"

local replays = {}

-- All seven pipelines, of a part of the sizes that "Pipelines" has.
local function run_pipelines(part)
  local function size(n) return math.floor(n / part) end
  pipelines.record_log("examples/data/weather.log", 30000)
  pipelines.loudness(nd.random({size(2e6)}, "f32", {seed = 2}) - 0.5, 1024, 256)
  local images = {math.max(1, size(64)), 224, 224, 3}
  pipelines.normalise(nd.randint(0, 255, images, "u8", {seed = 3}), {0.485, 0.456, 0.406},
    {0.229, 0.224, 0.225})
  pipelines.histogram(nd.normal({size(4e6)}, "f32", {seed = 4}), 256, -4, 4)
  local points = nd.random({size(2e5), 3}, {seed = 5})
  pipelines.k_means(points, points "1:8", 5)
  pipelines.moving_average(nd.random({size(4e6)}, {seed = 6}), 100)
  local n = size(1e6)
  local keys = nd.permutation(n, {seed = 9}):narrow(1, 1, math.floor(n / 2)):astype "i32"
  pipelines.join({key = nd.randint(1, n, {n}, "i32", {seed = 7}), value = nd.random({n})},
    {key = keys, value = nd.random({#keys})})
end

local function record(name, work)
  local path = os.tmpname()
  local mem = nd.memory.log(nd.memory.host(), path)
  nd.memory.use(mem, work)
  collectgarbage()
  collectgarbage() -- a handle is finalized in one, and gone in the next
  assert(mem:stats().lost_records == 0)
  return {name = name, path = path}
end

--- Record the logs: a list of {name =, path =}.
function replays.record(is_smoke)
  local plan = random.plan(is_smoke and 50 or 10000, is_smoke and 1 or 64, random.MAX_USAGE)
  return {
    record("pipelines", function()
      for _ = 1, is_smoke and 1 or 10 do run_pipelines(is_smoke and 1000 or 10) end
    end),
    record("random", function() random.of_memory(plan, nd.memory.get "cpu")() end),
  }
end

--- What a log is replayed on: a list of {name, a function that makes it}.
function replays.stacks(log, has_device)
  local memory = nd.memory
  local limit = math.ceil(1.125 * replay.run(log.path).peak)
  local list = {
    {"host", memory.host},
    {"pool", function() return memory.pool(memory.host()) end},
    {"pool, cap 64 MiB", function() return memory.pool(memory.host(), {cap = "64MiB"}) end},
    {"pool on budget", function() return memory.pool(memory.budget(memory.host(), limit)) end},
    {"budget on pool", function() return memory.budget(memory.pool(memory.host()), limit) end},
  }
  if has_device then
    list[#list + 1] = {"pool on cuMemAlloc", function()
      return memory.pool(memory.device(0, {async = false}))
    end}
  end
  return list
end

--- What replay.run tells, with the median of the seconds of so many runs, each on new memory.
function replays.run(path, make, times)
  local seconds, result = {}, nil
  for i = 1, times do
    nd.memory.trim()
    collectgarbage()
    result = replay.run(path, make())
    seconds[i] = result.seconds
  end
  table.sort(seconds)
  result.seconds = seconds[math.ceil(times / 2)]
  return result
end

return replays
