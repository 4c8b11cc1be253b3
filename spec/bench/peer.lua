--- A process that a Python driver (spec/bench/peer.py) asks, a line for each question.
local ffi = require "ffi"
local nd = require "ndbuf"
ffi.cdef [[
  struct bench_time { long s, ns; };
  int clock_gettime(int clock, struct bench_time *time);
]]

local peer = {}

local clock = ffi.new "struct bench_time"
function peer.now()
  ffi.C.clock_gettime(1, clock)
  return tonumber(clock.s) + tonumber(clock.ns) * 1e-9
end

--- Seconds of fn(n), right behind another run: a process that has waited starts slowly.
function peer.seconds(fn, n)
  fn(n)
  local start = peer.now()
  fn(n)
  return peer.now() - start
end

--- Whole numbers in the shape that a text such as "2x3" has, so that sums are exact; as pattern()
-- of the Python drivers.
function peer.pattern(text, factor, dtype)
  local shape, n = {}, 1
  for extent in text:gmatch "%d+" do
    shape[#shape + 1] = tonumber(extent)
    n = n * shape[#shape]
  end
  return (nd.arange(0, n - 1, 1, "i64") * factor % 7 - 3):astype(dtype):reshape(shape)
end

--- Answer each line "COMMAND REST" by commands[COMMAND](REST), until there are no more.
function peer.serve(commands)
  for line in io.lines() do
    local command, rest = line:match "^(%S+) ?(.*)$"
    io.write(tostring(commands[command](rest)), "\n")
    io.flush()
  end
end

return peer
