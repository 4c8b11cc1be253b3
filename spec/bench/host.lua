--- ndbuf's side, and memcpy's, of the table "Host memory speed": spec/bench/host.py starts it and
-- asks, a line for each question. Arguments: where to write, elements along a side (4096), helper.
local ffi = require "ffi"
local nd = require "ndbuf"

local folder, side, helper = arg[1], tonumber(arg[2]), ffi.load(arg[3])
ffi.cdef [[
  void bench_copy(char *z, const char *x, size_t n, int threads);
  uint64_t bench_read(const char *x, size_t n, int threads);
  struct bench_time { long s, ns; };
  int clock_gettime(int clock, struct bench_time *time);
]]

local clock = ffi.new "struct bench_time"
local function now()
  ffi.C.clock_gettime(1, clock)
  return tonumber(clock.s) + tonumber(clock.ns) * 1e-9
end

local n, cube = side * side, math.floor(side ^ (2 / 3) + 0.5)
local images = side == 4096 and { 64, 224, 224, 3 } or { 2, 200, 204, 3 }
local image_count = images[1] * images[2] * images[3] * images[4]

-- The inputs, which NumPy gets as files.
local makers = {
  a = function() return nd.random({ n }, "f32", { seed = 1 }) end,
  b = function() return nd.random({ n }, "f32", { seed = 2 }) end,
  bytes = function() return nd.randint(0, 255, { n }, "u8", { seed = 3 }) end,
  shorts = function() return nd.randint(-32768, 32767, { n }, "i16", { seed = 4 }) end,
  wide = function() return nd.random({ n }, "f64", { seed = 5 }) end,
  whole = function() return (nd.random({ n }, "f32", { seed = 6 }) - 0.5) * 1e6 end,
  half = function() return nd.random({ n }, "f32", { seed = 7 }):astype "f16" end,
  mask = function() return nd.random({ n }, "f32", { seed = 8 }):lt(0.5) end,
  other_mask = function() return nd.random({ n }, "f32", { seed = 13 }):lt(0.5) end,
  images = function() return nd.randint(0, 255, images, "u8", { seed = 9 }) end,
  index = function() return nd.randint(1, n, { n / 4 }, "i64", { seed = 10 }) end,
  rows = function() return nd.randint(1, n / 4, { n / 4 }, "i64", { seed = 11 }) end,
  down = function() return nd.randint(1, side, { n / 16 }, "i64", { seed = 14 }) end,
  across = function() return nd.randint(1, side, { n / 16 }, "i64", { seed = 15 }) end,
  columns = function() return nd.randint(1, side, { side }, "i64", { seed = 16 }) end,
  ascending = function() return nd.random({ n / 16 }, "f64", { seed = 14 }):sort() end,
  looked_for = function() return nd.random({ n / 4 }, "f64", { seed = 15 }) end,
  places = function() return nd.randint(1, 1000, { n }, "i64", { seed = 16 }) end,
  edges = function() return nd.random({ 100 }, "f64", { seed = 17 }):sort() end,
  few = function() return nd.randint(1, 100, { n }, "i32", { seed = 18 }) end,
}
local made = setmetatable({}, { __mode = "v" })

local function input(name)
  local a = made[name]
  if not a then
    a = makers[name]()
    made[name] = a
    nd.save(folder .. "/" .. name .. ".npy", a)
  end
  return a
end

local function empty(shape, dtype) return nd.zeros(shape, dtype):fill(0) end

local function copy(source, dtype, shape)
  return function()
    local x = type(source) == "string" and input(source) or source()
    local z = empty(shape or x.shape, dtype)
    return function() return z:copy_from(x) end
  end
end

local function compute(op, dtype, ...)
  local names = { ... }
  return function()
    local x, z = {}, empty({ n }, dtype)
    for i, name in ipairs(names) do x[i] = input(name) end
    x[#x + 1] = { out = z }
    return function() return nd[op](unpack(x)) end
  end
end

local function reduce(op, name)
  return function()
    local a = input(name)
    return function() return a[op](a) end
  end
end

local function mapped()
  local path = folder .. "/mapped.npy"
  local file = assert(io.open(path, "wb"))
  local header = ("{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }"):format(n * 64)
  header = header .. (" "):rep(117 - #header) .. "\n"
  file:write("\147NUMPY\1\0", string.char(#header, 0), header)
  file:seek("set", #header + 10 + n * 64 - 1)
  file:write "\7"
  file:close()
  return function() return nd.load(path, { mmap = true })[-1] end
end

-- name, bytes moved (what memcpy moves too is twice what it copies), what makes the function
local rows = {
  ["contiguous copy"] = { 8 * n, copy("a", "f32") },
  ["clone"] = { 8 * n, function()
    local a = input "a"
    return function() return a:clone() end
  end },
  ["transpose f32"] = { 8 * n,
    copy(function() return input("a"):reshape(side, side).T end, "f32") },
  ["transpose u8"] = { 2 * n,
    copy(function() return input("bytes"):reshape(side, side).T end, "u8") },
  ["permute (3,1,2) f32"] = { 8 * cube ^ 3, copy(function()
    return input("a"):narrow(1, 1, cube ^ 3):reshape(cube, cube, cube):permute(3, 1, 2)
  end, "f32") },
  ["NHWC u8 to NCHW f32"] = { 5 * image_count,
    copy(function() return input("images"):permute(1, 4, 2, 3) end, "f32") },
  ["every second element"] = { 6 * n, copy(function() return input("a")["::2"] end, "f32") },
  ["f32 to f64"] = { 12 * n, copy("a", "f64") },
  ["f64 to f32"] = { 12 * n, copy("wide", "f32") },
  ["f32 to i32"] = { 8 * n, copy("whole", "i32") },
  ["u8 to f32"] = { 5 * n, copy("bytes", "f32") },
  ["i16 to f32"] = { 6 * n, copy("shorts", "f32") },
  ["f32 to f16"] = { 6 * n, copy("a", "f16") },
  ["f16 to f32"] = { 6 * n, copy("half", "f32") },
  ["f32 to bf16"] = { 6 * n, copy("a", "bf16") },
  ["bf16 to f32"] = { 6 * n, copy(function() return input("a"):astype "bf16" end, "f32") },
  ["sum f32"] = { 4 * n, reduce("sum", "a"), reads = true },
  ["max f32"] = { 4 * n, reduce("max", "a"), reads = true },
  ["min f32"] = { 4 * n, reduce("min", "a"), reads = true },
  ["argmax f32"] = { 4 * n, reduce("argmax", "a"), reads = true },
  ["count a mask"] = { n, reduce("count_nonzero", "mask"), reads = true },
  ["means of 100, moving"] = { 4 * n, function()
    local windows = input("wide"):narrow(1, 1, n / 4):unfold(1, 100, 1)
    return function() return windows:mean(-1) end
  end },
  ["a + b into c"] = { 12 * n, compute("add", "f32", "a", "b") },
  ["exp f32"] = { 8 * n, compute("exp", "f32", "a") },
  ["a < b into a mask"] = { 9 * n, compute("lt", "bool", "a", "b") },
  ["two masks, and"] = { 3 * n, compute("logical_and", "bool", "mask", "other_mask") },
  ["a or b by a mask"] = { 13 * n, compute("where", "f32", "mask", "a", "b") },
  ["a[mask], half selected"] = { 7 * n, function()
    local a, mask = input "a", input "mask"
    return function() return a[mask] end
  end },
  ["take n/4 random elements"] = { 4 * n, function()
    local a, index = input "a", input "index"
    return function() return a:take(index, 1) end
  end },
  ["take n/4 random rows of 4"] = { 10 * n, function()
    local a, index = input("a"):reshape(n / 4, 4), input "rows"
    return function() return a:take(index, 1) end
  end },
  ["n/16 random pairs"] = { 1.5 * n, function()
    local a, i, j = input("a"):reshape(side, side), input "down", input "across"
    return function() return a[{ i, j }] end
  end },
  ["random columns"] = { 8 * n, function()
    local a, j = input("a"):reshape(side, side), input "columns"
    return function() return a[{ {}, j }] end
  end },
  ["cumsum f64"] = { 16 * n, function()
    local a = input "wide"
    return function() return a:cumsum() end
  end },
  ["cumsum f64, lines of 64"] = { 16 * n, function()
    local a = input("wide"):reshape(n / 64, 64)
    return function() return a:cumsum(2) end
  end },
  ["cumsum f64 of columns"] = { 16 * n, function()
    local a = input("wide"):reshape(n / 64, 64)
    return function() return a:cumsum(1) end
  end },
  ["sort f32"] = { 8 * n, function()
    local a = input "a"
    return function() return a:sort() end
  end },
  ["median f64"] = { nil, reduce("median", "wide") },
  ["percentiles 5, 50, 95 f64"] = { nil, function()
    local a = input "wide"
    return function() return a:percentile { 5, 50, 95 } end
  end },
  ["greatest 100 f64"] = { nil, function()
    local a = input "wide"
    return function() return (a:topk(100)) end
  end },
  ["partition f64, lines of 64"] = { nil, function()
    local a = input("wide"):reshape(n / 64, 64)
    return function() return a:partition(32):select(2, 32):contiguous() end
  end },
  ["search n/4 in n/16 f64"] = { nil, function()
    local a, x = input "ascending", input "looked_for"
    return function() return a:searchsorted(x) end
  end },
  ["bincount, 1000 bins"] = { nil, function()
    local a = input "places"
    return function() return a:bincount() end
  end },
  ["bincount with weights"] = { nil, function()
    local options = { weights = input "wide" }
    local a = input "places"
    return function() return a:bincount(options) end
  end },
  ["histogram, 50 bins"] = { nil, function()
    local a = input "wide"
    return function() return (a:histogram { bins = 50 }) end
  end },
  ["histogram, 100 edges"] = { nil, function()
    local a, edges = input "wide", input "edges"
    return function() return (a:histogram { bins = edges }) end
  end },
  ["unique i32, 100 values"] = { nil, function()
    local a = input "few"
    return function() return (a:unique()) end
  end },
  ["unique f64, n/4"] = { nil, function()
    local a = input "looked_for"
    return function() return (a:unique()) end
  end },
  ["map 1 GiB .npy, read one"] = { nil, mapped },
}

local commands, current, limit, threads = {}, nil, nil, 1
local result

-- Its memory, apart from the row's own, for as many bytes as the row moves.
local function make_limit(row)
  local bytes = row[1]
  if not bytes then return end
  local size = row.reads and bytes or bytes / 2
  local x = empty({ size }, "u8")
  if row.reads then return function() helper.bench_read(x:ptr(), size, threads) end end
  local z = empty({ size }, "u8")
  return function() helper.bench_copy(z:ptr(), x:ptr(), size, threads) end
end

function commands.row(name)
  current, limit, result = nil, nil, nil
  collectgarbage()
  collectgarbage()
  local row = assert(rows[name], "no such row")
  current, limit = row[2](), make_limit(row)
  return row[1] or 0
end

function commands.threads(count)
  threads = tonumber(count)
  nd.set_threads(threads)
  return threads
end

-- The least time of the runs of this many seconds, two at least: that long it takes until data are
-- in a large cache, if they fit there. So is NumPy's side measured (host.py).
local WHILE = side < 4096 and 0 or 0.2

local function seconds(fn)
  local least, start, runs = math.huge, now(), 0
  while runs < 2 or now() - start < WHILE do
    result = nil -- its memory is there for the next one
    local before = now()
    result = fn()
    least, runs = math.min(least, now() - before), runs + 1
  end
  return least
end

function commands.ndbuf()
  return seconds(current)
end

function commands.limit() return limit and seconds(limit) or 0 end

-- The result: a number, or the name of a file with its bytes.
function commands.result()
  if type(result) ~= "userdata" then return ("%.17g"):format(result) end
  local file = assert(io.open(folder .. "/result", "wb"))
  file:write(result:flatten():bitcast("u8"):copyout())
  file:close()
  return "result"
end

-- Cost against elements: nanoseconds of each of these, with a view of 'count' elements into an
-- array of 'all' and with an array of 'count'; then the sum of the view.
local whole
local function best(fn, rounds)
  local took = {}
  for i = 1, rounds do
    local start = now()
    fn()
    took[i] = now() - start
  end
  table.sort(took)
  return took[math.ceil(rounds / 2)]
end

local function per_call(fn, count)
  local reps = math.max(1, math.floor((whole.size <= 1e6 and 1e4 or 2e6) / count))
  local function many()
    for _ = 1, reps do fn() end
  end
  many()
  return best(many, 7) / reps * 1e9
end

function commands.cost(text)
  local count, all = text:match "(%d+) (%d+)"
  count, all = tonumber(count), tonumber(all)
  if not whole or whole.size ~= all then
    whole = nd.random({ all }, "f32", { seed = 12 })
    if all <= 1e6 then nd.save(folder .. "/whole.npy", whole) end
  end
  local view = whole:narrow(1, all - count + 1, count)
  local own, z, out = view:clone(), empty({ count }, "f32"), {}
  for i, a in ipairs { view, own } do
    out[i] = ("%.0f %.0f %.0f %.0f %.0f"):format(
      per_call(function() return z:copy_from(a) end, count),
      per_call(function() return a:sum() end, count),
      per_call(function() return a:narrow(1, 2, 5) end, 10),
      per_call(function() return a["2:-1:3"] end, 10),
      per_call(function() return tostring(a) end, 1e4))
  end
  assert(z:equal(view))
  return table.concat(out, " ") .. (" %.17g"):format(view:sum())
end

for line in io.lines() do
  local command, rest = line:match "^(%S+) ?(.*)$"
  io.write(tostring(commands[command](rest)), "\n")
  io.flush()
end
