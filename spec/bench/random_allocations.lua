--- RMM's benchmark "random allocations": N blocks of 1 byte up to a size are taken, and given back
-- at random, in 2 N steps. Each step takes a block by a chance of 73 %, unless N were taken or
-- 16000 MiB would be in use; otherwise it gives back any one. The draws are those of RMM's program
-- as libstdc++ makes them (std::default_random_engine and std::uniform_int_distribution), so that
-- the steps are the same.
local ffi = require "ffi"
local nd = require "ndbuf"

local random = {}

--- RMM's parameters: numbers of allocations; largest sizes and what may be in use, in MiB.
random.COUNTS = {1000, 10000, 100000}
random.SIZES = {1, 4, 64, 256, 1024, 4096}
random.MAX_USAGE = 16000
local CHANCE = 73 -- percent

local MiB = 2 ^ 20

-- ---- the draws ----

local MODULUS, FACTOR = 2 ^ 31 - 1, 16807 -- std::minstd_rand0, which draws 1 to MODULUS - 1
local SPAN = MODULUS - 1

-- A function of a range: a whole number of 0 to range.
local function make_draw()
  local state = 1
  local function step()
    state = state * FACTOR % MODULUS
    return state - 1
  end
  local function draw(range)
    if range >= SPAN then -- not in one step
      local value
      repeat
        value = SPAN * draw(math.floor(range / SPAN)) + step()
      until value <= range
      return value
    end
    local scale = math.floor((SPAN - 1) / (range + 1))
    local value
    repeat value = step() until value < (range + 1) * scale
    return math.floor(value / scale)
  end
  return draw
end

-- ---- the steps ----

--- The steps, before anything is measured. 'steps': at each place the bytes to take, or minus the
-- place (1 …) among the blocks in use of the one to give back, where the last one moves to; its
-- 'count'; 'peak': the most bytes in use.
function random.plan(count, max_size, max_usage)
  local draw, steps = make_draw(), ffi.new("double[?]", 2 * count)
  local sizes, active, taken, used, peak = {}, 0, 0, 0, 0
  for i = 0, 2 * count - 1 do
    local size = 1 + draw(max_size * MiB - 1)
    local is_take = true
    if active > 0 then
      is_take = draw(99) < CHANCE and taken < count and used + size < max_usage * MiB
    end
    if is_take then
      active, taken, used = active + 1, taken + 1, used + size
      sizes[active], steps[i] = size, size
      peak = math.max(peak, used)
    else
      local at = 1 + draw(count - 1) % active
      used, steps[i] = used - sizes[at], -at
      sizes[at], active = sizes[active], active - 1
    end
  end
  assert(active == 0 and used == 0)
  return {steps = steps, count = 2 * count, peak = peak}
end

-- Each with traces of its own.
local function compile(code, ...) return assert(loadstring(code))(...) end

--- What takes the steps with arrays of a memory.
function random.of_memory(plan, mem)
  return compile([[
    local empty, mem, steps, count = ...
    return function()
      local live, top = {}, 0
      for i = 0, count - 1 do
        local step = steps[i]
        if step > 0 then
          top = top + 1
          live[top] = empty(step, "u8", mem):allocate()
        else
          live[-step]:free()
          live[-step] = live[top]
          live[top] = nil
          top = top - 1
        end
      end
    end]], nd.empty, mem, plan.steps, plan.count)
end

--- The same with a malloc and a free.
function random.of_malloc(plan, malloc, free)
  return compile([[
    local malloc, free, steps, count, live = ...
    return function()
      local top = 0
      for i = 0, count - 1 do
        local step = steps[i]
        if step > 0 then
          top = top + 1
          live[top] = malloc(step)
          if live[top] == nil then error("no memory", 0) end
        else
          free(live[-step])
          live[-step] = live[top]
          top = top - 1
        end
      end
    end]], malloc, free, plan.steps, plan.count, ffi.new("void *[?]", plan.count / 2 + 1))
end

--- Take the steps once more, not to be timed, and look at the counters after each: the most bytes
-- in use, and held, which are those that wait and are kept as well; and 1 - used / held.
function random.peaks(plan, mem)
  local top, held, live = nd.memory.stats(mem), 0, {}
  for i = 0, plan.count - 1 do
    local step = plan.steps[i]
    if step > 0 then
      live[#live + 1] = nd.empty(step, "u8", top):allocate()
    else
      live[-step]:free()
      live[-step] = live[#live]
      live[#live] = nil
    end
    local s = top:stats()
    held = math.max(held,
      s.live.bytes.current + s.pending.bytes.current + s.cached.bytes.current)
  end
  local s = top:stats()
  assert(s.live.bytes.current == 0)
  return {used = s.live.bytes.peak, held = held, fragmentation = 1 - s.live.bytes.peak / held}
end

return random
