-- A row for every name that scripts can call: arguments that are right, made afresh for each call,
-- so that spec/bind/badinput.lua can put something wrong in each place of them.
local ffi = require "ffi"
local nd, core = require "ndbuf", require "ndbuf.core"
local operations = require "spec.operations"

local rows = {}

local function pair() return {nd.array {1, 2, 3}, nd.array {4, 5, 6}} end

-- Functions of nd and core. 'dir' is a folder to write in.
rows.functions = {
  allclose = function() return nd.ones(3), nd.ones(3), 1e-3, 1e-3 end,
  any = function() return nd.ones(2, 3), {keepdims = true} end,
  arange = function() return 1, 10, 2, "f32", {device = "cpu"} end,
  argmax = function() return nd.ones(2, 3), {axis = -1} end,
  argmin = function() return nd.ones(2, 3), {axis = {1, 2}} end,
  argpartition = function() return nd.ones(2, 3), {1, -1}, 2, {out = nd.zeros(2, 3)} end,
  argsort = function() return nd.ones(2, 3), 1, {descending = true} end,
  array = function() return {{1, 2}, {3, 4}}, "f32", "cpu", {dtype = "i16"} end,
  asarray = function() return {1, 2}, "f32" end,
  blas = function() end,
  broadcast_arrays = function() return nd.ones(2, 1), {1, 2, 3} end,
  beta = function() return 1, {2, 3}, 2, "f32", {device = "cpu", seed = 1} end,
  binomial = function() return {5, 10}, 0.5, 2, {seed = 1} end,
  bincount = function()
    return nd.i32 {1, 2}, {weights = {1, 2}, minlength = 3, base = 0}
  end,
  bincount_from = function() return nd.i32 {1, 2}, -1 end,
  choice = function() return nd.ones(4), 2, {replace = false, p = {0.5, 0, 0.5, 0}, axis = 1} end,
  concat = function() return pair(), 1 end,
  corrcoef = function() return nd.ones(2, 3), nd.ones(1, 3), {rowvar = true} end,
  cov = function() return nd.ones(2, 3), nd.ones(1, 3), {rowvar = true, bias = true, ddof = 1} end,
  cuda_facts = function() end,
  cummax = function() return nd.ones(2, 3), 1, {out = nd.zeros(2, 3)} end,
  cummin = function() return nd.ones(2, 3), {axis = -1} end,
  cumprod = function() return nd.ones(2, 3), {out = nd.zeros(6)} end,
  cumsum = function() return nd.ones(2, 3), 2, {out = nd.zeros({2, 3}, "u8"), dtype = "f32"} end,
  current_stream = function() end,
  device = function() return "cpu" end,
  diff = function() return nd.ones(2, 3), 1, {n = 1, prepend = 0, append = {{1, 2, 3}}} end,
  devices = function() end,
  diag = function() return nd.ones(3), 1 end,
  digitize = function() return nd.ones(2, 3), {0, 2}, {right = true} end,
  draw = function() return "uniform", nd.zeros(2), 1, 0, 1, 0 end,
  empty = function() return {2, 3}, "u8", {device = "cpu"} end,
  empty_like = function() return nd.ones(3), {dtype = "i8"} end,
  exponential = function() return 2, "f32", {scale = 2, seed = 1} end,
  eye = function() return 3, 4, "i32" end,
  fail = function() return "io", "path", "a message" end,
  field = function() return nd.zeros(16, "u8"), 1, 4, 3, "i16" end,
  flatnonzero = function() return nd.ones(2, 3) end,
  frombytes = function() return "abcdefgh", "u16", {2, 2} end,
  full = function() return {2, 2}, 7, "i8", {device = "cpu"} end,
  full_like = function() return nd.ones(3), 2, {dtype = "f64"} end,
  gamma = function() return {1, 2}, 2, "f32", {scale = {1, 2}, seed = 1} end,
  gradient = function() return nd.ones(2, 3), 2, {spacing = nd.array {0, 1, 3}} end,
  geomspace = function() return 1, 1000, 4, "f32", "cpu", {device = "cpu"} end,
  identity = function() return 3, "i32", "cpu", {device = "cpu"} end,
  isclose = function() return nd.ones(2), 1, {rtol = 1e-3, atol = 1e-3, equal_nan = true} end,
  histogram = function() return nd.ones(2, 3), {bins = 3, range = {0, 2}, density = true} end,
  histogram2d = function()
    return nd.ones(2, 3), nd.ones(2, 3), {bins = {2, {0, 1, 2}}, weights = nd.ones(2, 3)}
  end,
  histogram_counts = function() return nd.ones(2), nd.array {0, 1}, true, {1, 2} end,
  info = function() end,
  interp = function() return nd.ones(2, 3), {0, 2}, {5, 6}, {left = 1, right = 2, period = 3} end,
  isin = function() return nd.ones(2, 3), {1, 2}, {invert = true} end,
  layout = function() end,
  linspace = function() return 0, 1, 5, "f32" end,
  library = function() return 1 end,
  load = function(dir) return dir .. "/x.npy", {mmap = true} end,
  logspace = function() return 0, 3, 4, "f32", "cpu", {base = 2} end,
  mean = function() return nd.ones(2, 3), {out = nd.zeros(1, 1), keepdims = true} end,
  median = function() return nd.ones(2, 3), {axis = {1, 2}, out = nd.zeros({})} end,
  meshgrid = function() return {1, 2}, nd.ones(3), {indexing = "ij", sparse = true} end,
  mmap = function(dir)
    return dir .. "/x.npy", "u8", {2, 2}, {offset = 1, mode = "c", advice = "random"}
  end,
  mode = function()
    return nd.ones(2, 3), 1, {keepdims = true, out = {nd.zeros(1, 3), nd.zeros(1, 3)}}
  end,
  moveaxis = function() return nd.ones(2, 3, 4), {1, -1}, {2, 1} end,
  nanmedian = function() return nd.ones(2, 3), {axis = 2, keepdims = true} end,
  nanpercentile = function() return nd.ones(2, 3), 50, {axis = 1, method = "hazen"} end,
  nanquantile = function() return nd.ones(2, 3), {0.5, 1}, -1, {out = nd.zeros(2, 2)} end,
  nanvar = function() return nd.ones(2, 3), 1, {ddof = 1, keepdims = true} end,
  nextafter = function() return nd.ones(2), 2, {out = nd.zeros(2)} end,
  next_row = function() return select(2, nd.ones(2, 3):rows()) end,
  nonzero = function() return nd.ones(2, 3) end,
  multinomial = function() return 5, {0.5, 0.5}, 3, {seed = 1} end,
  normal = function() return {2, 2}, "f32", {seed = 1} end,
  ones = function() return {3, 4}, "i32" end,
  ones_like = function() return nd.ones(3), "bool" end,
  partition = function() return nd.ones(2, 3), 2, {axis = 1} end,
  percentile = function() return nd.ones(2, 3), {0, 100}, {method = "lower"} end,
  permutation = function() return 5, "i64", {seed = 3} end,
  printoptions = function() return {threshold = 1000, edge = 3, precision = 17} end,
  quantile = function() return nd.ones(2, 3), 0.5, 2, {keepdims = true} end,
  randint = function() return -5, 5, {2, 2}, "i32", {seed = 1} end,
  poisson = function() return {3, 4}, 2, {seed = 1} end,
  random = function() return {2, 3}, "f32", {seed = 1} end,
  records = function()
    return nd.zeros(40, "u8"), {{"a", "u16"}, {"b", "f32be"}}, {offset = 1, stride = 8, count = 3}
  end,
  repeat_interleave = function() return {{1, 2, 3}, {4, 5, 6}}, 2, 1 end,
  save = function(dir) return dir .. "/y.wav", nd.ones(3, "i16"), {rate = 8000} end,
  scope = function() return function(...) return ... end, nd.ones(2), {nd.ones(2)} end,
  searchsorted = function() return nd.ones(3), {1, 2}, {side = "right"} end,
  seed = function() return 1 end,
  shuffle = function() return nd.ones(2, 3), {axis = 2, seed = 1} end,
  set_threads = function() return 2 end,
  setup = function() return {} end,
  small_operation = function() return 0, 1 end,
  gather = function() return nd.ones(2, 3), 2, {{1}, {2}} end,
  scatter = function() return nd.ones(2, 3), 2, {{1}, {2}}, 1 end,
  scatter_add = function() return nd.ones(2, 3), 2, {{1}, {2}}, 1 end,
  take_along = function() return nd.ones(2, 3), {{1}, {2}}, 2 end,
  sort = function() return nd.ones(2, 3), 1, {descending = true} end,
  split = function() return nd.ones(2, 3), 2, {1, 2} end,
  tile = function() return nd.ones(2, 3), {2, 1} end,
  tril = function() return nd.ones(2, 3), 1 end,
  triu = function() return nd.ones(2, 3), -1 end,
  unstack = function() return nd.ones(2, 3), 2 end,
  vander = function() return nd.ones(3), 2, {increasing = true} end,
  spare = function()
    local list = {[0] = 0} -- with room: to grow it would take several steps
    for i = 1, 16 do list[i] = false end
    return list, 1
  end,
  stack = function() return pair(), 2 end,
  stats = function() end,
  std = function() return nd.ones(2, 3), {axis = 1, ddof = 1} end,
  sum = function() return nd.ones(2, 3), {axis = {1, 2}, out = nd.zeros({}), dtype = "f32"} end,
  topk = function()
    local out = {nd.ones(2, 2), nd.ones(2, 2)}
    return nd.ones(2, 3), 2, 2, {largest = false, sorted = true, out = out}
  end,
  transfers = function() end,
  open_devices = function() end,
  forbid_transfers = function() return "h2d", function(...) return ... end, 1 end,
  var = function() return nd.ones(2, 3), {axis = 1, ddof = 1} end,
  uniform = function() return 2, "f32", {lo = {1, 2}, hi = 4, seed = 1} end,
  unique = function() return nd.ones(2, 3), {index = true, inverse = true, counts = true} end,
  with_stream = function() return nd.current_stream(), function(...) return ... end, 1 end,
  wrap = function()
    local memory = ffi.new "float[6]"
    return memory, "f32", {2, 3}, {owner = {memory}, readonly = true, device = "cpu"}
  end,
  zeros = function() return 3, 4, "i16", {device = "cpu", overwrite = false} end,
  zeros_like = function() return nd.ones(3), "i8", "cpu" end,
}

-- Structures of other libraries, by pointer or address, which are trusted: in these places stand
-- only such values as are no addresses.
rows.trusting = {
  from_dlpack = {true}, from_arrow = {true, true}, from_arrow_device = {true, true},
  from_arrow_stream = {true}, arrow_out = {false, true, true}, arrow_stream_out = {false, true},
  arrow_in = {true, true}, arrow_stream_in = {true}, dlpack_out = {true},
}
-- What these make, or are given, is held until somebody takes it.
rows.holding = {to_dlpack = true, dlpack_out = true, from_dlpack = true, share = true,
  attach = true, arrow_out = true, arrow_stream_out = true, arrow_in = true, arrow_stream_in = true,
  arrow_next = true}
local offered = {} -- tensors by address, until rows.settle
local function address(pointer) return tonumber(ffi.cast("uintptr_t", pointer)) end
local function exported()
  local tensor = nd.to_dlpack(nd.ones(2, 3), {copy = true})
  offered[address(tensor)] = tensor
  return tensor
end
function rows.functions.to_dlpack()
  return nd.ones(2, 3), {versioned = true, stream = -1, copy = false}
end
local function room() return ffi.new "void *[1]" end
function rows.functions.dlpack_out() return room(), nd.ones(2, 3), {copy = true} end
function rows.functions.from_dlpack() return exported(), {stream = 1} end
function rows.functions.to_arrow() return {x = nd.ones(3)} end
function rows.functions.to_arrow_device() return {{"x", nd.ones(3)}} end
function rows.functions.to_arrow_stream() return {x = nd.ones(3)}, {rows = 2} end
function rows.functions.from_arrow() return nd.to_arrow(nd.ones(3)) end
function rows.functions.from_arrow_device() return nd.to_arrow_device(nd.ones(3)) end
function rows.functions.from_arrow_stream() return nd.to_arrow_stream({x = nd.ones(3)}) end
-- The last structures whose addresses were given.
local kept, number = {}, 0 -- luacheck: ignore 241
local function address_of(made)
  number = number + 1
  kept[number % 10] = made
  return tonumber(ffi.cast("uintptr_t", ffi.cast("void *", made)))
end
function rows.functions.arrow_out()
  local schema, array = nd.to_arrow_device(nd.ones(1)) -- with room for both kinds
  schema.release(schema)
  array.array.release(array.array)
  return nd.ones(3), address_of(schema), address_of(array), false
end
function rows.functions.arrow_in()
  local schema, array = nd.to_arrow_device(nd.ones(3))
  return address_of(schema), address_of(array), false
end
function rows.functions.arrow_stream_out()
  local stream = nd.to_arrow_stream {x = nd.ones(3)}
  stream.release(stream)
  return {x = nd.ones(3)}, address_of(stream), {rows = 2}
end
function rows.functions.arrow_stream_in()
  return address_of((nd.to_arrow_stream {x = nd.ones(3)}))
end
function rows.functions.arrow_next()
  return core.arrow_stream_in(rows.functions.arrow_stream_in())
end

-- Take what those make, by name: with the result and the arguments. And what they did not take as
-- they failed: with the arguments.
local function release(at, name)
  local it = ffi.cast("struct Arrow" .. name .. " *", at)
  if it.release ~= nil then it.release(it) end
end
local function take_tensor(tensor, options)
  local is_old = type(options) == "table" and rawget(options, "versioned") == false
  nd.from_dlpack(tensor, {versioned = not is_old}):free()
end
rows.takers = {
  to_dlpack = function(tensor, list) take_tensor(tensor, list[2]) end,
  dlpack_out = function(_, list) take_tensor(list[1][0], list[3]) end,
  share = function(_, list) list[1]:free() end,
  arrow_out = function(_, list) release(list[2], "Schema") release(list[3], "Array") end,
  arrow_stream_out = function(_, list) release(list[2], "ArrayStream") end,
}
rows.leavers = {
  attach = function(list) nd.attach(list[1]):free() end,
  from_dlpack = function(list) nd.from_dlpack(list[1]):free() end,
  arrow_in = function(list) release(list[1], "Schema") release(list[2], "Array") end,
  arrow_stream_in = function(list) release(list[1], "ArrayStream") end,
}

--- After a call: no tensor is left that somebody has to take.
function rows.settle(name, fine, result, list)
  if fine and name:find "dlpack_out$" then rows.takers.dlpack_out(result, list) end
  if fine and name:find "to_dlpack$" then rows.takers.to_dlpack(result, list) end
  if fine and name:find "from_dlpack$" then offered[address(list[1])] = nil end
  for at, tensor in pairs(offered) do
    offered[at] = nil
    nd.from_dlpack(tensor):free()
  end
end

function rows.functions.share() return nd.ones(3), {once = false} end
function rows.functions.attach() return nd.share(nd.ones(3), {once = true}) end

-- Those of nd.cuda, nd.memory and nd.transfers.
local kept_event -- whose handle is used
rows.cuda = {
  available = function() end,
  stream = function() return 1, "cuda:0" end,
  event = function()
    if nd.cuda.available() then kept_event = nd.current_stream():record() end
    return kept_event and kept_event.handle or 4096, "cuda:0"
  end,
}
rows.memory = {
  budget = function() return nd.memory.host(), "1GiB" end,
  device = function() return 0, {async = true} end,
  file = function(dir) return dir .. "/resource.bin", {overwrite = true} end,
  get = function() return "cpu" end,
  guard = function() return nd.memory.host() end,
  host = function() end,
  log = function(dir) return nd.memory.host(), {path = dir .. "/log.csv", cap = 1000} end,
  managed = function() return 0 end,
  pinned = function() end,
  pool = function() return nd.memory.host(), {cap = "1GiB"} end,
  report = function() end,
  retry = function() return nd.memory.host(), function() return false end end,
  set = function() return "cpu", nd.memory.get "cpu" end,
  stats = function() return nd.memory.host() end,
  track = function() return nd.memory.host(), {report = false} end,
  trim = function() return "cpu", 1000 end,
  use = function() return nd.memory.get "cpu", function(...) return ... end, 1 end,
}

-- These have no arguments that are right for them.
rows.always_raise = {fail = true, setup = true, imag = true, ["__lt"] = true, ["__le"] = true,
  -- of memory that is not managed, and where there is no GPU
  prefetch = true, advise = true, enable_peer = true, pin = not nd.cuda.available(),
  with_stream = not nd.cuda.available(), stream = not nd.cuda.available(),
  managed = not nd.cuda.available(), pinned = not nd.cuda.available(),
  timeline = not nd.cuda.available(), ["nd.cuda.event"] = not nd.cuda.available(),
  -- those of complex arrays, of bool
  digitize = true, histogram = true, histogram2d = true, interp = true, bincount = true,
  median = true, nanmedian = true, quantile = true, nanquantile = true, percentile = true,
  nanpercentile = true, nanmin = true, nanmax = true, nanargmin = true, nanargmax = true,
  min = true, max = true, ptp = true, argmin = true, argmax = true, ["device __newindex"] = true,
  ["stream __newindex"] = true, ["event __newindex"] = true, ["column __newindex"] = true}

-- Methods; the first argument is a 2x3 array of each dtype.
rows.methods = {
  address = function(a) return a end,
  advise = function(a) return a, "preferred", "cpu" end,
  allocate = function(a) return a end,
  any = function(a) return a, {axis = {-1}, keepdims = true} end,
  argpartition = function(a) return a, {1, -1}, {axis = 1} end,
  argsort = function(a) return a, 2, {descending = true} end,
  as_strided = function(a) return a, {2, 2}, {a.itemsize, a.itemsize}, a.itemsize end,
  astype = function(a) return a, "i16", {mode = "wrap"} end,
  bincount = function(a) return a, {minlength = 3} end,
  bitcast = function(a) return a, a.dtype end,
  bytes = function(a) return a, 1, 2 end,
  byteswap = function(a) return a end,
  clone = function(a) return a end,
  corrcoef = function(a) return a, a:clone(), {rowvar = true} end,
  cov = function(a) return a, a:clone(), {rowvar = true, bias = true, ddof = 1} end,
  contiguous = function(a) return a.T end,
  copy_from = function(a) return a, nd.ones(3):astype(a.dtype), {mode = "saturate"} end,
  copyin = function(a) return a, ffi.new("char[?]", a.nbytes), a.nbytes end,
  copyout = function(a) return a, ffi.new("char[?]", a.nbytes), a.nbytes end,
  cummax = function(a) return a, 1 end,
  cummax_ = function(a) return a, 1 end,
  cummin = function(a) return a, {axis = 2} end,
  cummin_ = function(a) return a, {axis = -1} end,
  cumprod = function(a) return a, {axis = -1, out = nd.zeros({2, 3}, a.dtype)} end,
  cumprod_ = function(a) return a, 2 end,
  cumsum = function(a) return a, 1, {out = nd.zeros({2, 3}, a.dtype)} end,
  cumsum_ = function(a) return a, {axis = 1} end,
  diagonal = function(a) return a, 1 end,
  digitize = function(a) return a, {0, 2}, {right = true} end,
  diff = function(a) return a, {axis = 1, n = 2} end,
  dim = function(a) return a, 1 end,
  equal = function(a) return a, a:clone() end,
  expand = function(a) return a, {4, -1, 3} end,
  fill = function(a) return a, 1 end,
  flatnonzero = function(a) return a end,
  flatten = function(a) return a end,
  flip = function(a) return a, 1, -1 end,
  free = function(a) return a end,
  gather = function(a) return a, 2, {{1}, {2}} end,
  gradient = function(a) return a, {axis = {1, 2}, spacing = {1, nd.array {0, 1, 3}}} end,
  get = function(a) return a, 1, 2 end,
  histogram = function(a) return a, {bins = 3, range = {0, 2}} end,
  histogram2d = function(a) return a, a, {bins = 3, range = {{0, 2}, {0, 2}}} end,
  interface = function(a) return a end,
  to_arrow = function(a) return a end,
  isclose = function(a) return a, 1, {rtol = 1e-3, atol = 1e-3, equal_nan = true} end,
  index_add = function(a) return a, 1, {1, 2}, a:clone(), {base = 1} end,
  interp = function(a) return a, {0, 2}, {5, 6}, {left = 1, right = 2} end,
  isin = function(a) return a, nd.ones({2}, a.dtype), {invert = true} end,
  item = function(a) return a:narrow(1, 1, 1):narrow(2, 1, 1) end,
  iter = function(a) return a end,
  median = function(a) return a, 1, {keepdims = true} end,
  mode = function(a) return a, {axis = {1, 2}} end,
  moveaxis = function(a) return a, 1, -1 end,
  nanmedian = function(a) return a, {axis = 2} end,
  nanpercentile = function(a) return a, {25, 75}, 1 end,
  nanquantile = function(a) return a, 0.5, {method = "nearest"} end,
  nextafter = function(a) return a, a:clone(), {out = a:clone()} end,
  nextafter_ = function(a) return a, a:clone() end,
  narrow = function(a) return a, 2, 1, 2 end,
  nonzero = function(a) return a end,
  partition = function(a) return a, 2, 2 end,
  percentile = function(a) return a, 50, {axis = 1, keepdims = true} end,
  pad = function(a) return a, {{1, 0}, {0, 1}}, 1 end,
  permute = function(a) return a, 2, 1 end,
  pin = function(a) return a end,
  prefetch = function(a) return a, "cpu" end,
  ptr = function(a) return a end,
  put_along = function(a) return a, {{1}, {2}}, 1, 2 end,
  put = function(a) return a, {1, -1}, 1, {base = 0} end,
  quantile = function(a) return a, {0.1, 1}, 2 end,
  readonly_view = function(a) return a end,
  repeat_interleave = function(a) return a, {2, 1}, 1 end,
  reshape = function(a) return a, {3, -1}, {copy = true} end,
  roll = function(a) return a, 1, 2 end,
  rows = function(a) return a, -1 end,
  searchsorted = function(a) return a[1]:contiguous(), nd.ones({2}, a.dtype), {side = "right"} end,
  select = function(a) return a, 1, 2 end,
  set = function(a) return a, 1, 2, 1 end,
  slice = function(a) return a, {1, {2, 3, 1}} end,
  scatter = function(a) return a, 2, {{1}, {2}}, 1 end,
  scatter_ = function(a) return a, 2, {{1}, {2}}, 1 end,
  scatter_add = function(a) return a, 2, {{1}, {2}}, 1 end,
  scatter_add_ = function(a) return a, 2, {{1}, {2}}, 1 end,
  sort = function(a) return a, 1, {descending = false} end,
  split = function(a) return a, 2, {1, 2} end,
  squeeze = function(a) return a:narrow(1, 1, 1), 1 end,
  storage_bytes = function(a) return a end,
  std = function(a) return a, {axis = 1, ddof = 1} end,
  sum = function(a) return a, {axis = {1, 2}} end,
  swapaxes = function(a) return a, 1, 2 end,
  synchronize = function(a) return a end,
  take = function(a) return a, {1, 1, 2}, 2 end,
  take_along = function(a) return a, {{1}, {2}}, 2 end,
  tile = function(a) return a, {2, 1} end,
  to = function(a) return a, "cpu", {overwrite = false} end,
  topk = function(a) return a, 2, 2, {largest = false} end,
  totable = function(a) return a end,
  transpose = function(a) return a end,
  tril = function(a) return a, 1 end,
  tril_ = function(a) return a, 1 end,
  triu = function(a) return a, 1 end,
  triu_ = function(a) return a, 1 end,
  unfold = function(a) return a, 2, 2, 1 end,
  unique = function(a) return a, {inverse = true, counts = true} end,
  unpack = function(a) return a end,
  unpin = function(a) return a end,
  unstack = function(a) return a, 2 end,
  unsqueeze = function(a) return a, 1 end,
  var = function(a) return a, {axis = 1, ddof = 1} end,
}

-- Elementwise operations by their number of operands, as functions, methods and in place.
for count = 1, 3 do
  for _, name in ipairs(operations.elementwise(count)) do
    local function arguments(a)
      local list = {a, a:clone(), a:clone()}
      list[count + 1] = {out = a:clone()}
      return unpack(list, 1, count + 1)
    end
    rows.functions[name] = function() return arguments(nd.ones({2, 3}, "i32")) end
    rows.methods[name] = arguments
    rows.methods[name .. "_"] = function(a) return unpack({a, a:clone(), a:clone()}, 1, count) end
  end
end
for alias, name in pairs {rint = "round", remainder = "mod"} do
  rows.functions[alias], rows.methods[alias] = rows.functions[name], rows.methods[name]
  rows.methods[alias .. "_"] = rows.methods[name .. "_"]
end
for _, name in ipairs(operations.reductions()) do
  rows.functions[name] = rows.functions[name] or function() return nd.ones(2, 3), {axis = 2} end
  rows.methods[name] = rows.methods[name] or function(a) return a, {axis = 1} end
end
for name in ("sum prod min max mean var std argmin argmax"):gmatch "%S+" do
  local own = "nan" .. name
  rows.functions[own] = rows.functions[own] or function() return nd.ones(2, 3), {axis = 2} end
  rows.methods[own] = function(a) return a, 1, {keepdims = true} end
end
for name in ("bit_and bit_or bit_xor bit_not shl shr"):gmatch "%S+" do -- not of floats
  rows.always_raise[name], rows.always_raise[name .. "_"] = true, true
end

-- The metamethods of arrays.
rows.metamethods = {
  __add = function(a) return a, a end,
  __call = function(a) return a, 1, 2 end,
  __div = function(a) return a, 2 end,
  __gc = function(a) return a end,
  __index = function(a) return a, 1 end,
  __le = function(a) return a, a end,
  __len = function(a) return a end,
  __lt = function(a) return a, a end,
  __mod = function(a) return 2, a end,
  __mul = function(a) return a, a end,
  __newindex = function(a) return a, 1, 0 end,
  __pow = function(a) return a, a end,
  __sub = function(a) return 1, a end,
  __tostring = function(a) return a end,
  __unm = function(a) return a, a end,
}

-- Fields: called with self alone.
rows.properties = {}
for name in ("T byte_strides device dtype id imag is_allocated is_contiguous is_external is_view"
    .. " itemsize nbytes ndim offset readonly real shape size storage_id strides"
    .. " total_bytes"):gmatch "%S+" do
  rows.properties[name] = function(a) return a end
end

rows.dtype_object = {
  __call = function() return nd.i16, {1, 2}, {device = "cpu"} end,
  __index = function() return nd.i16, "itemsize" end,
  __tostring = function() return nd.i16 end,
}

local function column()
  local schema, array = nd.to_arrow(nd.ones(3, "i32"))
  schema.format = "tdD"
  return (nd.from_arrow(schema, array))
end
rows.column_object = {
  __gc = column,
  __index = function() return column(), "format" end,
  __len = column,
  __newindex = function() return column(), "format", 1 end, -- refuses all
  __tostring = column,
}

require "spec.bind.badinput_objects" (rows)
require "spec.bind.badinput_products" (rows)
require "spec.bind.badinput_factors" (rows)
require "spec.bind.badinput_fft" (rows)

local function an_error() return select(2, pcall(nd.zeros, -1)) end

rows.error_object = {
  __concat = function() return an_error(), "text" end,
  __tostring = function() return an_error() end,
}

return rows
