-- Random programs of copies, fills, frees, event waits, and reads and writes of the CPU, against
-- the same program run in order on tables of bytes. In a process of spec/dev/cuda.lua:
--   local programs = loadfile "spec/dev/cuda_programs.lua" (nd, H, sim)
--   programs.run(seed, streams, devices, steps)
-- Without sim nothing is measured.
local nd, H, sim = ...

local programs = {}

local LENGTH, ARRAYS, STEPS = 64, 8, 60
local PLACES = {"first", "first", "first", "second", "second", "pinned", "pinned", "managed"}

-- ---- the oracle: it knows each conflict, and that streams run in order ----

local function new_oracle(streams)
  local own = {now = 0, ends = {}, last = 0}
  for i = 0, streams do own.ends[i] = 0 end -- 0 is the default stream of each device
  return own
end

-- An operation of 'cost' on stream s that reads and writes ranges of arrays. Without s by the CPU,
-- which waits for what concerns it.
local function note(own, s, cost, accesses)
  local start = own.now
  if s and own.ends[s] > start then start = own.ends[s] end
  for _, a in ipairs(accesses) do
    for _, use in ipairs(a.array.uses) do
      local is_conflict = (use.is_write or a.is_write) and use.lo <= a.hi and a.lo <= use.hi
      if is_conflict and use.time > start then start = use.time end
    end
  end
  local time = start + cost
  if cost > 0 and time > own.last then own.last = time end
  if not s then
    own.now = time
    return
  end
  own.ends[s] = time
  for _, a in ipairs(accesses) do
    table.insert(a.array.uses, {lo = a.lo, hi = a.hi, is_write = a.is_write, time = time})
  end
end

-- ---- programs ----

local function read(array, lo, hi) return {array = array, lo = lo, hi = hi} end
local function write(array, lo, hi) return {array = array, lo = lo, hi = hi, is_write = true} end

local function is_on_host(x) return x.place == "pinned" or x.place:find "managed" ~= nil end

-- f(…); once more where it fails and that is expected: each is such that doing it twice is as good.
-- The first error is kept.
local function attempt(p, f, ...)
  if not p.may_fail then return f(...) end
  local fine, result = pcall(f, ...)
  if fine then return result end
  p.failure = p.failure or result
  return f(...)
end

local function say(p, text, ...) p.log[#p.log + 1] = text:format(...) end

-- A stream of one of the devices of x and y; for all without streams the default one.
local function pick(p, x, y)
  if #p.streams == 0 then return {index = 0} end
  while true do
    local s = p.streams[p.rng(1, #p.streams)]
    if s.device == x.place or (y and s.device == y.place) or
      x.place:find "managed" and s.device == p.places.first then
      return s
    end
  end
end

local function make(p, i)
  local place = p.places[PLACES[i]]
  local x = {index = i, place = place, uses = {}, bytes = {}}
  for k = 1, LENGTH do x.bytes[k] = 0 end
  if place:find "^cuda" then
    local s = pick(p, x)
    x.array = attempt(p, nd.zeros, {LENGTH}, "u8", place, {stream = s.stream})
    note(p.oracle, s.index, 1, {write(x, 1, LENGTH)})
    say(p, "%d = zeros on %d", i, s.index)
  else
    x.array = attempt(p, nd.zeros, {LENGTH}, "u8", place)
    if place:find "^managed" then note(p.oracle, nil, 1, {}) end
  end
  p.arrays[i] = x
end

local function any(p) return p.arrays[p.rng(1, ARRAYS)] end

local function range(p)
  local lo = p.rng(1, LENGTH)
  return lo, p.rng(lo, LENGTH)
end

local function part(x, lo, hi) return x.array:narrow(1, lo, hi - lo + 1) end

local function fail(p, x, k, got)
  error(("seed %d: element %d of array %d is %d, not %d, after\n%s"):format(p.seed, k, x.index, got,
    x.bytes[k], table.concat(p.log, "\n")))
end

-- ---- steps ----

local steps = {}

-- By the CPU, or on a stream.
local function copy_part(p, to, at, from, lo, hi)
  local accesses = {read(from, lo, hi), write(to, at, at + hi - lo)}
  local target, source = part(to, at, at + hi - lo), part(from, lo, hi)
  if is_on_host(to) and is_on_host(from) then
    note(p.oracle, nil, 0, accesses)
    attempt(p, target.copy_from, target, source)
    return say(p, "copy %d+%d = %d+%d to %d, on the host", to.index, at, from.index, lo, hi)
  end
  local s = is_on_host(to) and pick(p, from) or is_on_host(from) and pick(p, to)
    or pick(p, to, from)
  attempt(p, target.copy_from, target, source, {stream = s.stream})
  note(p.oracle, s.index, 1, accesses)
  say(p, "copy %d+%d = %d+%d to %d, on %d", to.index, at, from.index, lo, hi, s.index)
end

function steps.copy(p)
  local to, from = any(p), any(p)
  if to == from then return end
  local lo, hi = range(p)
  local at = p.rng(1, LENGTH - (hi - lo))
  copy_part(p, to, at, from, lo, hi)
  for k = lo, hi do to.bytes[at + k - lo] = from.bytes[k] end
end

function steps.fill(p)
  local x, value = any(p), p.rng(1, 255)
  local lo, hi = range(p)
  if is_on_host(x) then
    note(p.oracle, nil, 0, {write(x, lo, hi)})
    attempt(p, x.array.fill, part(x, lo, hi), value)
    say(p, "fill %d, %d to %d, on the host", x.index, lo, hi)
  else
    local s = pick(p, x)
    attempt(p, x.array.fill, part(x, lo, hi), value, {stream = s.stream})
    note(p.oracle, s.index, 1, {write(x, lo, hi)})
    say(p, "fill %d, %d to %d, on %d", x.index, lo, hi, s.index)
  end
  for k = lo, hi do x.bytes[k] = value end
end

function steps.free(p)
  local x = any(p)
  if p.rng(2) == 1 then x.array:free() else x.array = nil end
  say(p, "free %d", x.index)
  make(p, x.index)
end

-- By the CPU: compiled code or C.
function steps.look(p)
  local x = any(p)
  if not is_on_host(x) then return end
  local lo, hi = range(p)
  say(p, "look at %d, %d to %d", x.index, lo, hi)
  note(p.oracle, nil, 0, {read(x, lo, hi)})
  attempt(p, x.array.get, x.array, lo)
  for k = lo, hi do
    if x.array[k] ~= x.bytes[k] then fail(p, x, k, x.array[k]) end
  end
end

function steps.store(p)
  local x = any(p)
  if not is_on_host(x) then return end
  local k, value = p.rng(1, LENGTH), p.rng(1, 255)
  note(p.oracle, nil, 0, {write(x, k, k)})
  attempt(p, function() x.array[k] = value end)
  x.bytes[k] = value
  say(p, "store to %d of %d", k, x.index)
end

function steps.record(p)
  if #p.streams == 0 then return end
  local s = p.streams[p.rng(1, #p.streams)]
  local event = attempt(p, s.stream.record, s.stream)
  local time = math.max(p.oracle.ends[s.index], p.oracle.now)
  p.events[#p.events + 1] = {event = event, time = time}
  say(p, "record %d on %d", #p.events, s.index)
end

function steps.wait(p)
  if #p.events == 0 then return end
  local s, i = p.streams[p.rng(1, #p.streams)], p.rng(1, #p.events)
  attempt(p, s.stream.wait, s.stream, p.events[i].event)
  p.oracle.ends[s.index] = math.max(p.oracle.ends[s.index], p.events[i].time)
  say(p, "%d waits for event %d", s.index, i)
end

local NAMES = {"copy", "copy", "copy", "copy", "fill", "fill", "free", "look", "store", "record",
               "wait"}

-- ---- a program ----

local function open(seed, count, devices, may_fail)
  local first, second = devices[1], devices[2]
  local places = {first = first, second = second, pinned = "pinned",
                  managed = first:gsub("cuda", "managed")}
  local p = {seed = seed, may_fail = may_fail, places = places,
             rng = H.rng("program " .. seed), oracle = new_oracle(math.max(count, 1)), log = {},
             streams = {}, arrays = {}, events = {}}
  for i = 1, count do
    local device = i == count and second or first
    local gpu = nd.device(device)
    p.streams[i] = {index = i, device = device, stream = attempt(p, gpu.stream, gpu)}
  end
  return p
end

local function go(p, count)
  for i = 1, ARRAYS do make(p, i) end
  for _ = 1, count or STEPS do steps[NAMES[p.rng(1, #NAMES)]](p) end
end

local function check(p)
  for _, x in ipairs(p.arrays) do
    local got = attempt(p, x.array.copyout, x.array)
    for k = 1, LENGTH do
      if got:byte(k) ~= x.bytes[k] then fail(p, x, k, got:byte(k)) end
    end
  end
end

local TWO = {"cuda:0", nd.devices()[3] and "cuda:1" or "cuda:0"}

--- Run the program of a seed on so many streams of two devices, which may be one; 0: on the current
-- stream of one, in nd.with_stream. Returns the time it took on the simulator's clock, and what the
-- oracle needs.
function programs.run(seed, count, devices, count_of_steps)
  local p = open(seed, count, devices or count > 0 and TWO or {"cuda:0", "cuda:0"})
  if sim then sim.cusim_begin_time() end
  go(p, count_of_steps)
  local time = sim and tonumber(sim.cusim_end_time())
  check(p)
  return time, p.oracle.last
end

--- The same where calls of the driver fail: what fails is done once more, and at the end told.
function programs.endure(seed, count)
  local p = open(seed, count, TWO, true)
  go(p)
  check(p)
  if p.failure then error(p.failure, 0) end
end

return programs
