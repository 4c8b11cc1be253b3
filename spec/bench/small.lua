--- ndbuf's side of the table "Small arrays", the floors' and torch7's: spec/bench/small.py asks.
-- Arguments: the C module of the floors, "ndbuf" or "torch7", steps of a measurement.
local peer = require "spec.bench.peer"

local helper, library, steps = arg[1], arg[2], tonumber(arg[3])

-- By name: a step in ndbuf, and in torch7. Those of the second list are taken for each row of m.
local bodies = {
  ["make of 10, store, drop"] = { 'v = nd.empty(10, "f32") v[1] = 1',
    "v = torch.FloatTensor(10) v[1] = 1" },
  ["make of {10}, store, drop"] = { 'v = nd.empty({10}, "f32") v[1] = 1',
    "v = torch.FloatTensor(torch.LongStorage{10}) v[1] = 1" },
  ["view: row m[i]"] = { "v = m[5]", "v = m[5]" },
  ["view: m:narrow(…)"] = { "v = m:narrow(1, 2, 5)", "v = m:narrow(1, 2, 5)" },
  ["view: m:select(…)"] = { "v = m:select(2, 5)", "v = m:select(2, 5)" },
  ['view: m"2:5, :"'] = { 'v = m["2:5, :"]', "v = m[{{2, 5}, {}}]" },
  ["view: m.T"] = { "v = m.T", "v = m:t()" },
  ["a + b"] = { "v = a + b", "v = a + b" },
  ["a:add(b, {out = c})"] = { "v = a:add(b, {out = c})", "v = torch.add(c, a, b)" },
  ["a:sum()"] = { "v = a:sum()", "v = a:sum()" },
  ["c:copy_from(a)"] = { "v = c:copy_from(a)", "v = c:copy(a)" },
  ["c:fill(v)"] = { "v = c:fill(7)", "v = c:fill(7)" },
  ["a:lt(b)"] = { "v = a:lt(b)", "v = a:lt(b)" },
}
local row_bodies = {
  ["m:rows(), per row"] = { "v = v + row[1]", "v = v + row[1]" },
  ["row:sum()"] = { "v = v + row:sum()", "v = v + row:sum()" },
  ["acc:add_(row)"] = { "acc:add_(row) v = acc", "acc:add(row) v = acc" },
}

local loops = {
  ndbuf = "for i, row in m:rows() do %s end",
  torch7 = "for i = 1, m:size(1) do local row = m[i] %s end",
}

-- A function of its own for each body, so that each has its own traces.
local function compile(upvalues, body)
  local names, values = {}, {}
  for name, value in pairs(upvalues) do
    names[#names + 1] = name
    values[#names] = value
  end
  local code = ("local %s = ... return function(n) local v = 0 %s return v end")
    :format(table.concat(names, ", "), body)
  return assert(loadstring(code))(unpack(values))
end

-- Whole numbers, the same as in small.py.
local function values(first, count)
  local list = {}
  for i = 1, count do list[i] = (first + i) * 7919 % 1000 end
  return list
end

local function inputs(make, reshape)
  local data = { a = make(values(0, 10)), b = make(values(10, 10)), c = make(values(0, 10)) }
  data.acc = make(values(0, 10))
  data.m = reshape(make(values(20, steps * 10)), steps, 10)
  return data
end

local data, nd
if library == "torch7" then
  local is_there, torch = pcall(require, "torch")
  if is_there then
    torch.setnumthreads(1)
    data = inputs(torch.DoubleTensor, function(a, ...) return a:view(...) end)
    data.torch = torch
  end
else
  nd = require "ndbuf"
  data = inputs(nd.array, function(a, ...) return a:reshape(...) end)
  data.nd = nd
end

local current, current_name, floors
local commands = {}

-- Takes up a row; answers if there is none in this library.
function commands.row(name)
  if not data then return "none" end
  local which = library == "torch7" and 2 or 1
  local body = bodies[name] and "for i = 1, n do " .. bodies[name][which] .. " end" or
    loops[library]:format(row_bodies[name][which])
  current, current_name = compile(data, body), name
  return "ready"
end

function commands.seconds() return peer.seconds(current, steps) / steps end

-- What a step gives, as a number.
function commands.value()
  local v = current(2)
  if current_name:find "^make" then v = v[1] end -- the other elements are not defined
  return ("%.17g"):format(type(v) == "number" and v or tonumber(v:sum()))
end

-- Seconds of the floor "call", "gc" or "malloc".
function commands.floor(name)
  if not floors then
    local call, gc, malloc = assert(package.loadlib(helper, "bench_floors"))(nd.zeros(10))
    floors = {}
    for key, fn in pairs { call = call, gc = gc, malloc = malloc } do
      floors[key] = compile({ fn = fn }, "for i = 1, n do v = fn() end")
    end
  end
  return peer.seconds(floors[name], steps) / steps
end

peer.serve(commands)
