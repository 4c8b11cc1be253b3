--- Loops that allocate and free, and their percentiles: those of batches of so many pairs that the
-- clock's own cost does not count.
local ffi = require "ffi"
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

local pairs_of = {}

local PAGE = 4096

-- Each loop with traces of its own. 'p' are the bytes where there are any, n their number.
local function compile(take, touch, give, ...)
  local body = take .. (touch and (" for o = 0, n - 1, %d do p[o] = 1 end "):format(PAGE) or " ")
  local code = [[
    local n, x, y, cast, bytes = ...
    return function(reps)
      for _ = 1, reps do %s end
    end]]
  return assert(loadstring(code:format(body .. give)))(...)
end

--- A function of a number of pairs, with arrays of so many bytes in a memory or on a device; nil:
-- where nothing is said. 'is_touched': a byte of each page is written.
function pairs_of.of_memory(n, mem, is_touched)
  local take = mem and 'local a = x(n, "u8", y):allocate()' or 'local a = x(n, "u8"):allocate()'
  if is_touched then take = take .. " local p = cast(bytes, a:ptr())" end
  return compile(take, is_touched, "a:free()", n, nd.empty, mem, ffi.cast,
    ffi.typeof "uint8_t *")
end

--- The same with a malloc and a free.
function pairs_of.of_malloc(n, malloc, free, is_touched)
  local take = is_touched and "local p = cast(bytes, x(n))" or "local p = x(n)"
  return compile(take, is_touched, "y(p)", n, malloc, free, ffi.cast, ffi.typeof "uint8_t *")
end

local ROUNDS = 10
local BATCH, LONG = 1e-4, 2e-3 -- seconds of a batch at least, and of what is a long one

local function seconds(loop, reps)
  local start = peer.now()
  loop(reps)
  return peer.now() - start
end

-- How many pairs a batch has, and how many batches a round: fewer where one takes long.
local function calibrate(loop, is_smoke)
  local reps = 1
  loop(reps)
  local took = seconds(loop, reps)
  while took < BATCH and not is_smoke do
    reps = reps * 2
    took = seconds(loop, reps)
  end
  return reps, is_smoke and 1 or took > LONG and 10 or 50
end

local function percentile(sorted, share) return sorted[math.max(1, math.ceil(share * #sorted))] end

--- For each of the loops, which take turns, {p50 =, p99 =}: nanoseconds of a pair, the percentiles
-- of the batches, 500 (100 where one takes more than 2 ms) in ten rounds. In each round a batch
-- that does not count comes first, behind a full collection.
function pairs_of.measure(loops, is_smoke)
  local reps, batches, took = {}, {}, {}
  for i, loop in ipairs(loops) do
    reps[i], batches[i] = calibrate(loop, is_smoke)
    took[i] = {}
  end
  for round = 1, ROUNDS do
    for k = 1, #loops do
      local i = round % 2 == 1 and k or #loops + 1 - k
      collectgarbage()
      loops[i](reps[i])
      for _ = 1, batches[i] do
        took[i][#took[i] + 1] = seconds(loops[i], reps[i]) / reps[i] * 1e9
      end
    end
  end
  local figures = {}
  for i in ipairs(loops) do
    table.sort(took[i])
    figures[i] = {p50 = percentile(took[i], 0.5), p99 = percentile(took[i], 0.99)}
  end
  return figures
end

return pairs_of
