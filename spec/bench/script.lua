--- Rows of the table "Script speed". Each measures ours and its floor in one process; the table
-- takes the median of several processes and prints the ratio.
local ffi = require "ffi"
local nd = require "ndbuf"
local torch7 = require "spec.bench.torch7"

local script = {}
local is_smoke = false
local function size(n) return is_smoke and math.max(4, math.floor(n / 1000)) or n end

-- Nanoseconds for each of 'count' steps of fn: the best of several runs, floor and ours in turn.
local function best(count, fn, other)
  local times = { math.huge, math.huge }
  local fns = { fn, other }
  for round = 1, is_smoke and 1 or 9 do
    for i = 1, other and 2 or 1 do
      local start = os.clock()
      fns[i]()
      if round > 1 or is_smoke then times[i] = math.min(times[i], os.clock() - start) end
    end
  end
  return times[1] * 1e9 / count, other and times[2] * 1e9 / count or nil
end

-- A function of source text with these upvalues, so that each row has its own traces.
local function compile(code, ...)
  local text = "local a, p, n, reps, x = ... return function() " .. code .. " end"
  return assert(loadstring(text))(...)
end

-- What the rows time. 'raw' ones are the floors, over a C pointer.
local loops = {
  sum = [[
    local s = 0
    for _ = 1, reps do
      for i = 1, n do s = s + a[i] end
    end
    return s]],
  sum_raw = [[
    local s = 0
    for _ = 1, reps do
      for i = 0, n - 1 do s = s + p[i] end
    end
    return s]],
  sum_raw64 = [[
    local s = 0
    for _ = 1, reps do
      for i = 0, n - 1 do s = s + tonumber(p[i]) end
    end
    return s]],
  sum_strided_raw = [[
    local s = 0
    for _ = 1, reps do
      for i = 0, n - 1 do s = s + p[i + i] end
    end
    return s]],
  sum_random = [=[
    local s = 0
    for _ = 1, reps do
      for i = 1, n do s = s + a[x[i]] end
    end
    return s]=],
  sum_random_raw = [=[
    local s = 0
    for _ = 1, reps do
      for i = 0, n - 1 do s = s + p[x[i] - 1] end
    end
    return s]=],
  fill = [=[
    for _ = 1, reps do
      for i = 1, n do a[i] = 7 end
    end
    return a[n]]=],
  fill_raw = [=[
    for _ = 1, reps do
      for i = 0, n - 1 do p[i] = 7 end
    end
    return p[n - 1]]=],
  matrix_sum = [[
    local s = 0
    for _ = 1, reps do
      for i = 1, n do
        for j = 1, n do s = s + a(i, j) end
      end
    end
    return s]],
  matrix_sum_get = [[
    local s = 0
    for _ = 1, reps do
      for i = 1, n do
        for j = 1, n do s = s + a:get(i, j) end
      end
    end
    return s]],
  matrix_sum_raw = [[
    local s = 0
    for _ = 1, reps do
      for i = 0, n - 1 do
        local w = p + i * n
        for j = 0, n - 1 do s = s + w[j] end
      end
    end
    return s]],
  matrix_set = [[
    for _ = 1, reps do
      for i = 1, n do
        for j = 1, n do a:set(i, j, 1) end
      end
    end
    return a(n, n)]],
  matrix_set_raw = [=[
    for _ = 1, reps do
      for i = 0, n - 1 do
        local w = p + i * n
        for j = 0, n - 1 do w[j] = 1 end
      end
    end
    return p[n * n - 1]]=],
  cube_sum = [[
    local s = 0
    for _ = 1, reps do
      for i = 1, n do
        for j = 1, n do
          for k = 1, n do s = s + a(i, j, k) end
        end
      end
    end
    return s]],
  cube_sum_raw = [[
    local s = 0
    for _ = 1, reps do
      for i = 0, n - 1 do
        for j = 0, n - 1 do
          local w = p + (i * n + j) * n
          for k = 0, n - 1 do s = s + w[k] end
        end
      end
    end
    return s]],
  cube_set = [[
    for _ = 1, reps do
      for i = 1, n do
        for j = 1, n do
          for k = 1, n do a:set(i, j, k, 1) end
        end
      end
    end
    return a(n, n, n)]],
  cube_set_raw = [=[
    for _ = 1, reps do
      for i = 0, n - 1 do
        for j = 0, n - 1 do
          local w = p + (i * n + j) * n
          for k = 0, n - 1 do w[k] = 1 end
        end
      end
    end
    return p[n * n * n - 1]]=],
  wide_sum = [[
    local s = 0
    for _ = 1, reps do
      for i = 1, 100 do
        for j = 1, 1000 do s = s + a(i, j) end
      end
    end
    return s]],
}

local function against_pointer(ours, raw, n, reps, a, p, x)
  return function()
    local fast, floor = compile(ours, a, p, n, reps, x), compile(raw, a, p, n, reps, x)
    local check, expected = fast(), floor()
    assert(check == expected, "the two loops disagree")
    return best(n * reps, fast, floor)
  end
end

local ctypes = { f64 = "double", f32 = "float", i32 = "int32_t", u8 = "uint8_t",
  i64 = "int64_t", u64 = "uint64_t" }

local function read_row(dtype)
  return function()
    local n = size(1e6)
    local a, p = nd.zeros({ n }, dtype), ffi.new(ctypes[dtype] .. "[?]", n)
    for i = 1, n do a[i] = i % 100 p[i - 1] = i % 100 end
    local raw = dtype:find "64" and dtype ~= "f64" and loops.sum_raw64 or loops.sum_raw
    return against_pointer(loops.sum, raw, n, 10, a, p)()
  end
end

local function write_row(dtype)
  return function()
    local n = size(1e6)
    local a, p = nd.zeros({ n }, dtype), ffi.new(ctypes[dtype] .. "[?]", n)
    return against_pointer(loops.fill, loops.fill_raw, n, 10, a, p)()
  end
end

-- Over a square of n x n elements, or a cube.
local function grid_row(ndim, n, ours, raw)
  return function()
    local shape, count = {}, 1
    for i = 1, ndim do shape[i] = is_smoke and 5 or n end
    for _, extent in ipairs(shape) do count = count * extent end
    local a, p = nd.zeros(shape), ffi.new("double[?]", count)
    local fast, floor = compile(ours, a, p, shape[1], 10), compile(raw, a, p, shape[1], 10)
    assert(fast() == floor())
    return best(count * 10, fast, floor)
  end
end

local function strided_row()
  local n = size(1e6)
  local wide, p = nd.zeros(2 * n), ffi.new("double[?]", 2 * n)
  return against_pointer(loops.sum, loops.sum_strided_raw, n, 10, wide "::2", p)()
end

local function random_row()
  local n = size(1e6)
  local index = nd.permutation(n, { seed = 1 }):astype "i32"
  local a, p = nd.random({ n }, { seed = 2 }), ffi.new("double[?]", n)
  a:copyout(p, n * 8)
  return best(n * 5,
    compile(loops.sum_random, a, p, n, 5, index),
    compile(loops.sum_random_raw, a, p, n, 5, index:ptr()))
end

-- Code that stays in the interpreter.
local function interpreted(code, a, n)
  return function()
    jit.off()
    jit.flush()
    local ns = best(n * 5, compile(code, a(), nil, n, 5))
    jit.on()
    return ns
  end
end

local function nested_row(make)
  return function()
    local n, t = is_smoke and 10 or 1000, {}
    for i = 1, n do
      t[i] = {}
      for j = 1, n do t[i][j] = i + j / 7 end
    end
    return best(n * n, compile("p(a)", t, make))
  end
end

local function print_row()
  local a = nd.random({ is_smoke and 50 or 4096, is_smoke and 50 or 4096 })
  return best(20, compile("for _ = 1, 20 do tostring(a) end", a))
end

local function status(field)
  for line in io.lines "/proc/self/status" do
    local kib = line:match("^" .. field .. ":%s*(%d+)")
    if kib then return tonumber(kib) / 1024 end
  end
end

-- Peak resident growth in MiB of 100 temporaries of 64 MiB that are touched.
local function temporaries_row(make)
  return function()
    local before = status "VmRSS"
    for _ = 1, is_smoke and 3 or 100 do make(is_smoke and 1000 or 64 * 2 ^ 20):fill(1) end
    return status "VmHWM" - before
  end
end

-- Full collections while 50,000 arrays stay alive, and the milliseconds in them.
local function live_row()
  local core, keep = require "ndbuf.core", {}
  local before = core.stats()
  for i = 1, is_smoke and 50 or 50000 do keep[i] = nd.zeros({ 65536 }, "u8") end
  local after = core.stats()
  assert(#keep > 0) -- alive until here
  return after.collections - before.collections, nil, after.collecting_ms - before.collecting_ms
end

-- The time of a first require, in a process of its own.
local function require_row()
  local code = "local t = os.clock() require 'ndbuf' print((os.clock() - t) * 1e9)"
  local pipe = assert(io.popen('luajit -e "' .. code .. '"'))
  local ns = tonumber((pipe:read "*a"))
  pipe:close()
  assert(ns, "the process failed")
  return ns
end

-- name, unit, target (a ratio where there is a floor, else in the unit), how it is measured
script.rows = {
  { "read a[i], f64", "ns", 1.2, read_row "f64" },
  { "read a[i], f32", "ns", 1.2, read_row "f32" },
  { "read a[i], i32", "ns", 1.2, read_row "i32" },
  { "read a[i], u8", "ns", 1.2, read_row "u8" },
  { "read a[i], i64", "ns", 1.5, read_row "i64" },
  { "read a[i], u64", "ns", 1.5, read_row "u64" },
  { "write a[i] = v, f64", "ns", 2.6, write_row "f64" },
  { "write a[i] = v, f32", "ns", 2.6, write_row "f32" },
  { "write a[i] = v, i32", "ns", 2.6, write_row "i32" },
  { "write a[i] = v, u8", "ns", 2.6, write_row "u8" },
  { "read a(i, j)", "ns", 1.5, grid_row(2, 1000, loops.matrix_sum, loops.matrix_sum_raw) },
  { "read a:get(i, j)", "ns", 1.5, grid_row(2, 1000, loops.matrix_sum_get, loops.matrix_sum_raw) },
  { "read a(i, j, k)", "ns", 1.5, grid_row(3, 100, loops.cube_sum, loops.cube_sum_raw) },
  { "write a:set(i, j, v)", "ns", 3.2, grid_row(2, 1000, loops.matrix_set, loops.matrix_set_raw) },
  { "write a:set(i, j, k, v)", "ns", 3.2, grid_row(3, 100, loops.cube_set, loops.cube_set_raw) },
  { "strided read a[i]", "ns", 2.2, strided_row },
  { "random read a[idx[i]]", "ns", 2.3, random_row },
  { "JIT off (-joff): a[i]", "ns", 40,
    interpreted(loops.sum, function() return nd.zeros(1e5) end, 1e5), absolute = true,
    flags = "-joff" },
  { "not compiled: a[i]", "ns", 250,
    interpreted(loops.sum, function() return nd.zeros(1e5) end, 1e5), absolute = true },
  { "not compiled: a(i, j)", "ns", 350,
    interpreted(loops.wide_sum, function() return nd.zeros(100, 1000) end, 1e5), absolute = true },
  { 'require "ndbuf"', "ns", 5e6, require_row, absolute = true },
  { "nested table 1000x1000, per element", "ns", 10, nested_row(nd.array), absolute = true },
  { "tostring of 4096x4096", "ns", 0.5e6, function() return (print_row()) end, absolute = true },
  { "100 x 64 MiB temporaries: peak growth", "MiB", 192,
    temporaries_row(function(bytes) return nd.zeros({ bytes }, "u8") end),
    absolute = true, once = true },
  { "50,000 live arrays of 64 KiB: collections", "", 10, live_row, absolute = true, once = true },
}

--- Every row once, small: that it runs and agrees with its floor.
function script.smoke()
  is_smoke = true
  for _, row in ipairs(script.rows) do
    row[4]()
    print("ok " .. row[1])
  end
  print(#script.rows .. " passed, 0 failed")
end

--- One row: ours, the floor (or -), an extra figure (or -).
function script.one(name)
  for _, row in ipairs(script.rows) do
    if row[1] == name then
      local ours, floor, extra = row[4]()
      print(("%.17g %s %s"):format(ours, floor or "-", extra or "-"))
      return
    end
  end
  error("there is no row " .. name)
end

--- The same of torch7: a figure, or -.
function script.torch7(name)
  local kit = { best = best, compile = compile, loops = loops, size = size,
    nested = nested_row, temporaries = temporaries_row }
  print(torch7.measure(name, kit) or "-")
end

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

local function run_row(row, runs)
  local ours, ratios, extra = {}, {}, nil
  for i = 1, runs do
    local command = ("luajit %s spec/bench/run.lua '%s'"):format(row.flags or "", row[1])
    local pipe = assert(io.popen(command))
    local a, b, c = pipe:read("*a"):match "(%S+) (%S+) (%S+)"
    pipe:close()
    ours[i] = assert(tonumber(a), "the row failed: " .. row[1])
    if tonumber(b) then ratios[i] = ours[i] / tonumber(b) end
    extra = tonumber(c) or extra
  end
  return median(ours), #ratios > 0 and median(ratios) or nil, extra
end

-- NumPy's side of the table, where it has one.
local function numpy_figures()
  local python = os.getenv "PYTHON" or "/usr/bin/python3"
  local pipe = assert(io.popen(python .. " spec/bench/script.py"))
  local figures = {}
  for line in pipe:lines() do
    local name, ns = line:match "^(.-)\t(.*)$"
    if name then figures[name] = tonumber(ns) end
  end
  pipe:close()
  return figures
end

local function torch7_figure(row)
  local command = ("luajit %s spec/bench/run.lua torch7 '%s'"):format(row.flags or "", row[1])
  local pipe = assert(io.popen(command))
  local figure = tonumber(pipe:read "*l" or "")
  pipe:close()
  return figure
end

local function format_ns(x, unit)
  if not x then return "-" end
  if unit ~= "ns" then return ("%.4g %s"):format(x, unit) end
  if x >= 1e5 then return ("%.2f ms"):format(x / 1e6) end
  return (x >= 100 and "%.0f ns" or "%.2f ns"):format(x)
end

--- The whole table, as Markdown.
function script.table()
  local numpy = numpy_figures()
  print "| work | ndbuf | ratio to a raw FFI pointer | NumPy | torch7 | target | |"
  print "|---|---|---|---|---|---|---|"
  for _, row in ipairs(script.rows) do
    local ours, ratio, extra = run_row(row, row.once and 3 or 7)
    local figure = row.absolute and ours or ratio
    local target = row.absolute and "<= " .. format_ns(row[3], row[2]) or "<= " .. row[3] .. "x"
    print(("| %s | %s%s | %s | %s | %s | %s | %s |"):format(row[1], format_ns(ours, row[2]),
      extra and (" (%.0f ms in them)"):format(extra) or "", ratio and ("%.2f"):format(ratio) or "-",
      format_ns(numpy[row[1]], "ns"), format_ns(torch7_figure(row), row[2]), target,
      figure <= row[3] and "met" or "missed"))
  end
end

return script
