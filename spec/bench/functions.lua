--- ndbuf's side of the tables "Functions of elements" and "Random numbers": spec/bench/functions.py
-- asks.
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

local call, out
local commands = {}

function commands.threads(count)
  nd.set_threads(tonumber(count))
  return count
end

--- "NAME FILE…": a function of the elements of one or two .npy files.
function commands.elements(text)
  local name, first, second = text:match "(%S+) (%S+) ?(%S*)"
  local a, b = nd.load(first), second ~= "" and nd.load(second) or nil
  local fn = nd[name]
  out = nd.empty(a.shape, a.dtype)
  local options = { out = out }
  call = b and function() fn(a, b, options) end or function() fn(a, options) end
  return name
end

--- "NAME DTYPE COUNT PARAMETER…": so many random numbers; DTYPE - where there is no choice.
function commands.random(text)
  local name, dtype, count, rest = text:match "(%S+) (%S+) (%S+) ?(.*)"
  local generator, arguments = nd[name], {}
  for x in rest:gmatch "%S+" do arguments[#arguments + 1] = tonumber(x) end
  arguments[#arguments + 1] = name == "permutation" and tonumber(count) or { tonumber(count) }
  arguments[#arguments + 1] = dtype ~= "-" and dtype or nil
  call = function() out = generator(unpack(arguments)) end
  return name
end

--- Mean seconds of a call, for so many seconds at least.
function commands.run(seconds)
  call()
  local count, start = 0, peer.now()
  repeat
    call()
    count = count + 1
  until peer.now() - start >= tonumber(seconds)
  return ("%.9g"):format((peer.now() - start) / count)
end

--- Saves the result of a call.
function commands.save(path)
  call()
  nd.save(path, out)
  return path
end

peer.serve(commands)
