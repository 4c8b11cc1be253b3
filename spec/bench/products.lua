--- ndbuf's side of the table "Products of matrices": spec/bench/products.py asks.
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

local a, b
local commands = {}

--- Who multiplies large matrices.
function commands.who() return nd.info().blas:match "^%w+" end

function commands.threads(count)
  nd.set_threads(tonumber(count))
  return count
end

--- "DTYPE SHAPE SHAPE": the operands.
function commands.make(text)
  local dtype, left, right = text:match "(%S+) (%S+) (%S+)"
  a, b = peer.pattern(left, 5, dtype), peer.pattern(right, 3, dtype)
  return dtype
end

--- Mean seconds of a call, for so many seconds at least.
function commands.run(seconds)
  a:matmul(b)
  local count, start = 0, peer.now()
  repeat
    for _ = 1, a.size < 1000 and 1000 or 1 do
      a:matmul(b)
      count = count + 1
    end
  until peer.now() - start >= tonumber(seconds)
  return ("%.9g"):format((peer.now() - start) / count)
end

--- The result as one number, to which each element contributes by its position.
function commands.value()
  local c = a:matmul(b)
  if c.dtype:find "^c" then c = c.real end
  c = c:reshape({ c.size }, { copy = true }):astype "f64"
  return ("%.17g"):format((c * (nd.arange(0, c.size - 1) % 7)):sum())
end

peer.serve(commands)
