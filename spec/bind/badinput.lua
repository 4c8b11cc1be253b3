-- Calls everything with every kind of wrong argument, in a process of its own that the spec of this
-- name starts: luajit spec/bind/badinput.lua PART DIR SEED LARGE. It prints what went wrong, then
-- the number of calls; the file DIR/at says which call it was in when it died.
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"
local rows = require "spec.bind.badinput_rows"
local parse = require "tools.manual.parse"

ffi.cdef "int chdir(const char *);"
local part, dir, seed, large = arg[1], arg[2], tonumber(arg[3]), arg[4] == "large"

local codes = {}
for code in ([[invalid_argument invalid_view index_out_of_range shape_mismatch size_mismatch
    type_mismatch not_allocated freed not_host_accessible read_only overlap overflow
    not_representable out_of_memory budget_exceeded use_after_free out_of_bounds stream_misuse
    capacity device_not_found driver compile io format interrupted unsupported
    timeout]]):gmatch "%S+" do
  codes[code] = true
end

-- By public name the codes that the reference says it raises, besides those that hold everywhere.
local documented = {}
do
  local pages = parse.read "docs/reference"
  parse.each(pages, function(entry, item)
    if not item.name then return end
    local set = documented[item.name] or {}
    documented[item.name] = set
    for _, list in ipairs {entry.all_raises, pages.everywhere.raises} do
      for _, raised in ipairs(list) do set[raised.code] = true end
    end
  end)
end

-- ---- what is wrong ----

local values = {}
local function add(name, make)
  if type(make) ~= "function" then
    local constant = make
    make = function() return constant end
  end
  values[#values + 1] = {name = name, make = make}
end

local function nested(depth)
  local t = 1
  for _ = 1, depth do t = {t, t} end
  return t
end

local function cyclic()
  local t = {}
  t[1], t[2] = t, t
  return t
end

local function finalized(a)
  debug.getmetatable(a).__gc(a)
  return a
end

local function freed(a)
  a:free()
  return a
end

local function add_plain_values()
  values[#values + 1] = {name = "nil", make = function() return nil end}
  for _, v in ipairs {true, false, 0, -1, 0.5, 0 / 0, 1 / 0, -1 / 0, 7, 2 ^ 53, 2 ^ 63, -2 ^ 63,
      1e308, 2 ^ 62, "", "x", "2:5", "::0", "_", "...", "1:", "a\0b", "f32\0", "i16", "cpu",
      "cuda:0", "disk:", "wrap", "r+", ("x"):rep(1e5), ("1,"):rep(1000), "itemsize", "reshpae"} do
    add(tostring(v):sub(1, 8), v)
  end
  if large then add("2^31", 2 ^ 31) end
  add("function", function() return function() end end)
  add("raising function", function() return function() error({}, 0) end end)
  add("coroutine", function() return coroutine.create(function() end) end)
  add("file", io.stdout)
  add("newproxy", function() return newproxy() end)
  add("newproxy(true)", function() return newproxy(true) end)
  add("lightuserdata", core.values.f16)
end

local function add_tables()
  for name, make in pairs {
    ["{}"] = function() return {} end, ["{{}}"] = function() return {{}} end,
    list = function() return {1, 2, 3} end, negative = function() return {-1, -1} end,
    zeros = function() return {0, 0} end, huge = function() return {2 ^ 31, 2 ^ 31, 2 ^ 31} end,
    ["2^63"] = function() return {2 ^ 63} end, ["2^53"] = function() return {2 ^ 53, 2 ^ 53, 0} end,
    deep = function() return nested(20) end, cyclic = cyclic,
    sparse = function() return {[1] = 1, [1000] = 2} end,
    ["far key"] = function() return {[2 ^ 40] = 1} end,
    long = function() local t = {} for i = 1, 20000 do t[i] = 1 end return t end,
    mixed = function() return {1, "x", {}} end, ragged = function() return {{1, 2}, {3}} end,
    ["nan"] = function() return {0 / 0, 1} end, ["half key"] = function() return {1, [1.5] = 2} end,
    named = function() return {dtype = "f32"} end, unknown = function() return {whatever = 1} end,
    ranges = function() return {{1, 2}, {}, {3, 1, -1}, {1, 2, 0}} end,
    ["not strings"] = function() return {[true] = 1, [{}] = 2} end,
    arrays = function() return {nd.ones(2), nd.zeros(2)} end,
    metatable = function()
      local function refuse() error("a metamethod was called", 0) end
      return setmetatable({}, {__index = refuse, __len = refuse, __tostring = refuse,
        __call = refuse})
    end,
  } do add("table " .. name, make) end
end

local function add_cdata()
  local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
  for name, value in pairs {
    int64 = int64(3), min = int64(-2 ^ 63), max = 0x7fffffffffffffffLL, uint64 = uint64(2),
    umax = 0xffffffffffffffffULL, int = ffi.new "int",
    struct = ffi.new "struct { int x; double y; }", complex = ffi.new("complex", 1, 2),
    null = ffi.new "void *", ["null float"] = ffi.cast("float *", 0),
    callback = ffi.cast("int (*)(int)", 0), array = ffi.new("float[4]", 1),
    chars = ffi.new "char[3]",
    vla = ffi.new("double[?]", 2), ctype = ffi.typeof "float[4]", number = ffi.typeof "int64_t",
    rows = ffi.new "int[2][3]", structs = ffi.new "struct { int x; }[2]", empty = ffi.new("int[0]"),
  } do add("cdata " .. name, value) end
end

local function add_arrays(dtype)
  for name, make in pairs {
    f32 = function() return nd.ones({2, 2}, "f32") end,
    i16 = function() return nd.ones({2, 3}, "i16") end,
    same = function() return nd.ones({2, 3}, dtype) end,
    complex = function() return nd.ones({2, 3}, "c64") end,
    mask = function() return nd.ones({2, 3}, "bool") end,
    index = function() return nd.array({1, 5, -9}, "i64") end,
    scalar = function() return nd.ones({}, dtype) end,
    empty = function() return nd.ones({0, 3}, dtype) end,
    lazy = function() return nd.empty({2, 3}, dtype, {lazy = true}) end,
    freed = function() return freed(nd.ones({2, 3}, dtype)) end,
    ["read-only"] = function() return nd.ones({2, 3}, dtype):readonly_view() end,
    finalized = function() return finalized(nd.ones({2, 3}, dtype)) end,
    transposed = function() return nd.ones({3, 2}, dtype).T end,
    windows = function() return nd.ones({4}, dtype):unfold(1, 3, 1) end,
    axes = function() return nd.ones({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, dtype) end,
    misaligned = function()
      local a = nd.zeros(200, "u8")
      return core.field(a, 1, 17, 4, dtype)
    end,
    giant = function() return nd.ones({1}, dtype):expand {2 ^ 20, 2 ^ 20, 2 ^ 16} end,
    dtype = function() return nd.f32 end, device = function() return nd.device "cpu" end,
  } do add("array " .. name, make) end
end

-- ---- calling ----

local at = assert(io.open(dir .. "/at", "w"))
at:setvbuf "no"
local calls, failures = 0, 0

local function describe(list, n)
  local texts = {}
  for i = 1, n do texts[i] = tostring(list[i]):gsub("%c", "?"):sub(1, 60) end
  return table.concat(texts, ", ")
end

local function complain(name, what, problem)
  failures = failures + 1
  if failures <= 40 then print(("%s: %s: %s"):format(name, what, problem)) end
end

local function judge(name, what, fine, e)
  if fine then return end
  if type(e) ~= "table" then
    return complain(name, what, "raised " .. type(e) .. ": " .. tostring(e))
  end
  if getmetatable(e) ~= "ndbuf.error" then
    return what:find "function" or complain(name, what, "raised a table that is no error object")
  end
  if not codes[e.code] then return complain(name, what, "unknown code " .. tostring(e.code)) end
  local known = documented[name] or documented[name:match "a[.:][%w_]+$"]
  if known and not known[e.code] then
    return complain(name, what, "the reference does not say that it raises " .. e.code)
  end
  if type(e.message) ~= "string" or e.message == "" then
    return complain(name, what, "no message")
  end
  if not tostring(e.where):find "^spec/bind/badinput%.lua:%d+$" then
    complain(name, what, "where is '" .. tostring(e.where) .. "': " .. e.message)
  end
end

-- Called with 'n' values of 'list'; 'what' says what is wrong with them.
local function call(name, fn, what, list, n)
  calls = calls + 1
  at:seek("set", 0)
  at:write((name .. ": " .. what .. (" "):rep(240)):sub(1, 240) .. "\n")
  local fine, e = pcall(fn, unpack(list, 1, n))
  judge(name, what, fine, e)
  rows.settle(name, fine, e, list)
  return fine, e
end

local function pack(...) return {n = select("#", ...), ...} end

local state = seed % 2147483647 + 1
local function random(n)
  state = state * 16807 % 2147483647
  return state % n + 1
end

-- One value in four where NDBUF_CASES is small, in forty where each call collects all garbage
-- several times.
local is_stressed = os.getenv "NDBUF_GC_STRESS" == "1"
local is_short = (tonumber(os.getenv "NDBUF_CASES") or 1) < 0.2
local one_in = is_stressed and 40 or is_short and 4 or 1
local function is_left_out() return one_in > 1 and random(one_in) > 1 end

-- They read all elements; for more of them than there is memory that takes years.
local reads_all = {save = true, bincount = true, bincount_from = true, trace = true, norm = true,
  vecdot = true}
for _, name in ipairs(require "spec.operations".reductions()) do
  reads_all[name] = name ~= "any" -- ends at the first
end

local function is_address(value)
  if type(value) == "cdata" or type(value) == "userdata" then return true end
  return type(value) == "number" and value >= 65536 and value < 2 ^ 56
end

-- May the value stand there? Not where a function trusts it to be a pointer.
local function is_allowed(name, i, value)
  local trusting = rows.trusting[name:match "[%w_]+$"]
  return not (trusting and trusting[i] and is_address(value.make()))
end

local function vary_argument(name, fn, row, context, i)
  for _, value in ipairs(values) do
    if not is_left_out() and is_allowed(name, i, value) then
      local list = pack(row(context()))
      local is_endless = value.name == "array giant" and reads_all[name:match "[%w_]+$"]
      list[i] = is_endless and "giant" or value.make()
      call(name, fn, ("argument %d is %s"):format(i, value.name), list, math.max(list.n, i))
    end
  end
end

-- The entries of a table that is an argument: sizes, options.
local function vary_entries(name, fn, row, context, i)
  for key in pairs(pack(row(context()))[i]) do
    for _, value in ipairs(values) do
      if not is_left_out() then
        local list = pack(row(context()))
        list[i][key] = value.make()
        call(name, fn, ("argument %d [%s] is %s"):format(i, tostring(key), value.name), list,
          list.n)
      end
    end
  end
end

local function vary_all(name, fn, most)
  for _ = 1, math.ceil(60 / one_in) do
    local list, names, n = {}, {}, random(most + 2) - 1
    for i = 1, n do
      local value = values[random(#values)]
      while value.name == "array giant" or not is_allowed(name, i, value) do
        value = values[random(#values)]
      end
      list[i], names[i] = value.make(), value.name
    end
    call(name, fn, "arguments are " .. table.concat(names, "; "), list, n)
  end
end

local function live(rounds)
  for _ = 1, rounds do
    collectgarbage()
    core.stats() -- lets go of the owners of what was collected
  end
  local stats = core.stats()
  return stats.live + stats.pending, stats.count
end

-- How many arguments the row has.
local function try_right(name, fn, row, context)
  local example = pack(row(context()))
  local what = "right arguments: " .. describe(example, example.n)
  local fine, e = call(name, fn, what, example, example.n)
  local always = rows.always_raise[name] or rows.always_raise[name:match "[%w_]+$"]
  if not fine and not context.may_fail and not always then
    complain(name, "right arguments", "raised " .. tostring(e))
  end
  return example.n
end

local bytes, count -- live before the next function is tried

local function try(name, fn, row, context)
  if not count then bytes, count = live(3) end
  local most = try_right(name, fn, row, context)
  for i = 1, most + 1 do
    vary_argument(name, fn, row, context, i)
    if type((pack(row(context()))[i])) == "table" then vary_entries(name, fn, row, context, i) end
  end
  for n = 0, most - 1 do
    call(name, fn, ("only %d arguments"):format(n), pack(row(context())), n)
  end
  vary_all(name, fn, most)
  local bytes_after, count_after = live(1)
  for _ = 1, 2 do -- an owner's owner; a value in a compiled loop
    if count_after == count then break end
    jit.flush()
    bytes_after, count_after = live(3)
  end
  local is_held = rows.holding[name:match "[%w_]+$"]
  if not is_held and (bytes_after ~= bytes or count_after ~= count) then
    complain(name, "memory", ("%d B in %d blocks more than before"):format(bytes_after - bytes,
      count_after - count))
  end
  bytes, count = bytes_after, count_after
  nd.printoptions {threshold = 1000, edge = 3, precision = 17}
end

-- ---- the parts ----

local function context_of(make, may_fail)
  return setmetatable({may_fail = may_fail}, {__call = make})
end

local function try_list(prefix, functions, list, context)
  local names = {}
  for name, fn in pairs(functions) do
    if type(fn) == "function" then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if list[name] then try(prefix .. name, functions[name], list[name], context)
    else complain(prefix .. name, "row", "there is none") end
  end
end

local function try_module()
  local in_dir = context_of(function() return dir end)
  nd.save(dir .. "/x.npy", nd.ones(20))
  try_list("nd.", nd, rows.functions, in_dir)
  local rest = {}
  for name, fn in pairs(core) do
    if nd[name] ~= fn then rest[name] = fn end
  end
  try_list("core.", rest, rows.functions, in_dir)
  try_list("dtype ", core.dtype_metatable, rows.dtype_object, in_dir)
  try_list("column ", core.column_metatable, rows.column_object, in_dir)
  try_list("device ", core.device_metatable, rows.device_object, in_dir)
  try_list("dev:", core.device_metatable.methods, rows.device_methods, in_dir)
  try_list("memory ", core.memory_metatable, rows.memory_object, in_dir)
  try_list("mem:", core.memory_metatable.methods, rows.memory_methods, in_dir)
  try_list("reservation ", core.reservation_metatable, rows.reservation_object, in_dir)
  try_list("reservation:", core.reservation_metatable.methods, rows.reservation_methods, in_dir)
  try_list("nd.cuda.", nd.cuda, rows.cuda, in_dir)
  try_list("nd.fft.", nd.fft, rows.fft, in_dir)
  try_list("nd.transfers.", nd.transfers, rows.transfers, in_dir)
  local on_gpu = context_of(function() return dir end, not nd.cuda.available())
  assert(ffi.C.chdir(dir) == 0) -- where a string is the path of a log, it becomes a file
  try_list("nd.memory.", nd.memory, rows.memory, on_gpu)
  local _, e = pcall(nd.zeros, -1)
  try_list("error ", debug.getmetatable(e), rows.error_object, in_dir)
end

local function try_dtype(dtype)
  local mt = core.metatables[dtype]
  local function fresh() return nd.ones({2, 3}, dtype) end
  local context = context_of(fresh, dtype ~= "f64")
  try_list(dtype .. " ", mt, rows.metamethods, context)
  try_list(dtype .. " a:", mt.methods, rows.methods, context)
  try_list(dtype .. " a.", mt.properties, rows.properties, context)
end

-- With a GPU, if only a simulated one.
local function try_streams()
  local gpu = nd.device "cuda"
  local function stream() return gpu:stream() end -- a new one: __gc is called, too
  local context = context_of(stream)
  local timeline = gpu:timeline()
  local methods = {reached = timeline.reached, signal = timeline.signal, wait = timeline.wait}
  add("stream", stream)
  add("event", function() return nd.current_stream():record() end)
  add("timeline", timeline)
  try_list("nd.", {current_stream = nd.current_stream, with_stream = nd.with_stream},
    rows.functions, context)
  try_list("nd.cuda.", {stream = nd.cuda.stream}, rows.cuda, context)
  local of_devices = core.device_metatable.methods
  try_list("dev:", {stream = of_devices.stream, timeline = of_devices.timeline},
    rows.device_methods, context)
  try_list("stream ", core.stream_metatable, rows.stream_object, context)
  try_list("stream:", core.stream_metatable.methods, rows.stream_methods, context)
  try_list("event ", core.event_metatable, rows.event_object, context)
  try_list("event:", core.event_metatable.methods, rows.event_methods, context)
  try_list("timeline:", methods, rows.timeline_methods, context)
end

local parts = {module = try_module, streams = try_streams}

add_plain_values()
add_tables()
add_cdata()
add_arrays(parts[part] and "f64" or part)
if parts[part] then parts[part]() else try_dtype(part) end
print(("%d calls, %d failures"):format(calls, failures))
os.exit(failures == 0, true)
