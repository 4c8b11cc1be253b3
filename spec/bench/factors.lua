--- ndbuf's side of the table "Factorisations of matrices": spec/bench/factors.py asks.
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

local operands
local commands = {}

local function call(name) return nd[name](operands[1], operands[2]) end

--- Who factorises.
function commands.who() return (nd.info().lapack or "nobody"):match "^%w+" end

function commands.threads(count)
  nd.set_threads(tonumber(count))
  return count
end

--- "COUNT SIDE COLUMNS": so many matrices with a dominant diagonal; right-hand sides if there are
-- columns.
function commands.make(text)
  local count, side, columns = text:match "(%d+) (%d+) (%d+)"
  count, side, columns = tonumber(count), tonumber(side), tonumber(columns)
  local function pattern(rows, cols)
    return (nd.arange(0, count * rows * cols - 1) * 5 % 7 - 3):reshape(count, rows, cols)
  end
  operands = { pattern(side, side) + nd.eye(side) * (4 * side) }
  if columns > 0 then operands[2] = pattern(side, columns) end
  if count == 1 then
    for i, a in ipairs(operands) do operands[i] = a[1] end
  end
  return count
end

--- "NAME SECONDS": mean seconds of a call, for so many seconds at least.
function commands.run(text)
  local name, seconds = text:match "(%S+) (%S+)"
  call(name)
  local count, start = 0, peer.now()
  repeat
    call(name)
    count = count + 1
  until peer.now() - start >= tonumber(seconds)
  return ("%.9g"):format((peer.now() - start) / count)
end

--- The sum of the absolute values of the first result.
function commands.value(name) return ("%.17g"):format((call(name)):abs():sum()) end

peer.serve(commands)
