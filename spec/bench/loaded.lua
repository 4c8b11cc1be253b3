--- ndbuf's side of the table "A loaded machine": spec/bench/loaded.py asks.
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

local a, b, c, wide, mask

local works = {
  add = function() return nd.add(a, b, { out = c }) end,
  copy = function() return c:copy_from(a) end,
  sum = function() return a:sum() end,
  mask = function() return a[mask] end,
  cast = function() return wide:copy_from(a) end,
  sort = function() return a:sort() end,
}

local commands = {}

--- Whole numbers, the same as in loaded.py.
function commands.size(n)
  n = tonumber(n)
  a = (nd.arange(n) * 7919 % 1000):astype "f32"
  b = (nd.arange(n) * 104729 % 1000):astype "f32"
  c, wide, mask = nd.zeros({ n }, "f32"):fill(0), nd.zeros(n):fill(0), b:lt(500)
  return n
end

function commands.threads(count)
  nd.set_threads(tonumber(count))
  return count
end

--- Run for so many seconds at least: how long that took, and how often.
function commands.run(text)
  local name, seconds = text:match "(%S+) (%S+)"
  local work, count, start = works[name], 0, peer.now()
  repeat
    work()
    count = count + 1
  until peer.now() - start >= tonumber(seconds)
  return ("%.9f %d"):format(peer.now() - start, count)
end

--- The result as one number, to which each element contributes by its position.
function commands.value(name)
  local z = works[name]()
  if type(z) ~= "userdata" then return z end
  return ("%.17g"):format((z:astype "f64" * (nd.arange(#z) % 7)):sum())
end

peer.serve(commands)
