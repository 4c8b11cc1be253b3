--- The tables of "Allocations": allocate and free through each stack of resources, against malloc,
-- mimalloc and jemalloc; RMM's random allocations; replays of recorded logs; a GPU's memory. The
-- CUDA driver is NDBUF_CUDA_DRIVER or the system's; 'make bench' names the simulated one.
-- luajit spec/bench/allocations.lua          prints the tables (make bench)
-- luajit spec/bench/allocations.lua smoke    few and small, checks results only (make bench-smoke)
-- luajit spec/bench/allocations.lua random MIB STACK
--                                            a line of a GPU's random allocations, for 'make bench'
local ffi = require "ffi"
local nd = require "ndbuf"
local card = require "spec.gpu.card"
local driver = require "spec.bench.driver"
local mallocs = require "spec.bench.mallocs"
local pairs_of = require "spec.bench.pairs"
local random = require "spec.bench.random_allocations"
local replays = require "spec.bench.replays"
local peer = require "spec.bench.peer"

local memory, KiB, MiB = nd.memory, 2 ^ 10, 2 ^ 20
local mode = ...
local libraries = mallocs.open()

local checks = {passed = 0, failed = 0}

local function check(ok, what)
  checks[ok and "passed" or "failed"] = checks[ok and "passed" or "failed"] + 1
  if not ok then print("wrong: " .. what) end
end

-- ---- what is measured ----

local function host_stacks()
  local host, pool = memory.host, memory.pool
  return {
    {"host, named by nothing", nil},
    {"host", host()},
    {"pool", pool(host())},
    {"budget", memory.budget(host(), "64GiB")},
    {"stats", memory.stats(host())},
    {"log, a ring of 1000", memory.log(host(), {ring = 1000})},
    {"track", memory.track(host())},
    {"guard", memory.guard(host())},
    {"stats, budget, pool", memory.stats(memory.budget(pool(host()), "64GiB"))},
    {"track, log, stats, budget, pool", memory.track(memory.log(
      memory.stats(memory.budget(pool(host()), "64GiB")), {ring = 1000}))},
  }
end

-- What of those a table of sizes has: whose memory is not touched by the layers themselves.
local function host_choice()
  local stacks, choice = host_stacks(), {}
  for i, name in ipairs {"host", "pool", "stats, budget, pool"} do
    for _, stack in ipairs(stacks) do
      if stack[1] == name then choice[i] = stack end
    end
  end
  return choice
end

local function device_stacks()
  local plain = memory.device(0, {async = false})
  return {
    {'"cuda:0"', "cuda:0", is_cached = true},
    {'nd.device "cuda:0"', nd.device "cuda:0", is_cached = true},
    {'nd.memory.get "cuda:0"', memory.get "cuda:0", is_cached = true},
    {"pool on cuMemAlloc", memory.pool(plain), is_cached = true},
    {'stats, budget, "cuda:0"', memory.stats(memory.budget(memory.get "cuda:0", "64GiB")),
      is_cached = true},
    {"cuMemAlloc", plain},
    {"cuMemAllocAsync", memory.device(0, {async = true})},
  }
end

-- ---- printing ----

local function print_row(...) print("| " .. table.concat({...}, " | ") .. " |") end

local function print_head(title, ...)
  print("\n" .. title .. "\n")
  print_row(...)
  print("|" .. ("---|"):rep(select("#", ...)))
end

local function size_name(bytes)
  if bytes >= MiB then return ("%d MiB"):format(bytes / MiB) end
  if bytes >= KiB then return ("%d KiB"):format(bytes / KiB) end
  return ("%d B"):format(bytes)
end

-- Nanoseconds, two of them in one unit.
local function format_ns(a, b)
  local unit, scale = "", 1
  if a >= 1e6 then unit, scale = " ms", 1e6 elseif a >= 1e4 then unit, scale = " us", 1e3 end
  local function number(x)
    x = x / scale
    return (x >= 100 and "%.0f" or "%.3g"):format(x)
  end
  return number(a) .. (b and " / " .. number(b) or "") .. unit
end

local function percent(share) return ("%.1f %%"):format(100 * share) end

local function gib(bytes) return ("%.2f GiB"):format(bytes / 2 ^ 30) end

-- ---- allocate and free ----

-- Rows: {name, a function of a size that gives the contender, or the reason why there is none}.
local function print_pairs(title, rows, sizes)
  local names = {}
  for i, bytes in ipairs(sizes) do names[i] = size_name(bytes) end
  print_head(title, "p50 / p99", unpack(names))
  local cells = {}
  for i in ipairs(rows) do cells[i] = {} end
  for at, bytes in ipairs(sizes) do
    jit.flush() -- else LuaJIT runs out of traces
    local contenders, places = {}, {}
    for i, row in ipairs(rows) do
      if row.why then
        cells[i][at] = row.why
      else
        contenders[#contenders + 1] = row[2](bytes)
        places[#contenders] = i
      end
    end
    for k, figures in ipairs(pairs_of.measure(contenders)) do
      cells[places[k]][at] = format_ns(figures.p50, figures.p99)
      if bytes == MiB then rows[places[k]].p50 = figures.p50 end
    end
  end
  for i, row in ipairs(rows) do print_row(row[1], unpack(cells[i])) end
end

local function host_rows(stacks, is_touched)
  local rows = {}
  for _, stack in ipairs(stacks) do
    rows[#rows + 1] = {stack[1], function(bytes)
      return pairs_of.of_memory(bytes, stack[2], is_touched)
    end}
  end
  for _, m in ipairs(libraries) do
    rows[#rows + 1] = {m.name, function(bytes)
      return pairs_of.of_malloc(bytes, m.malloc, m.free, is_touched)
    end, why = m.why}
  end
  return rows
end

local function host_tables()
  for _, m in ipairs(libraries) do print((m.version or m.name .. ": " .. m.why)) end
  print_pairs("Allocate and free, the memory is not touched; ns where there is no unit",
    host_rows(host_stacks()), {64, KiB, 64 * KiB, MiB, 64 * MiB})
  print_pairs("Allocate, write a byte of each page, free; ns where there is no unit",
    host_rows(host_choice(), true), {64 * KiB, MiB, 64 * MiB})
end

local function device_table(raw)
  local rows = {}
  for _, stack in ipairs(device_stacks()) do
    rows[#rows + 1] = {stack[1], function(bytes) return pairs_of.of_memory(bytes, stack[2]) end,
      calls = raw.count(pairs_of.of_memory(MiB, stack[2])), is_cached = stack.is_cached}
  end
  for _, way in ipairs {raw.plain, raw.async} do
    rows[#rows + 1] = {way.name .. ", raw", function(bytes)
      return pairs_of.of_malloc(bytes, way.malloc, way.free)
    end, calls = raw.count(pairs_of.of_malloc(MiB, way.malloc, way.free))}
  end
  print_pairs("Allocate and free in a GPU's memory; ns where there is no unit", rows,
    {64, 64 * KiB, MiB, 64 * MiB})
  print_head("The target, for 1 MiB", "", "driver calls a pair", "p50, ns", "target", "")
  for _, row in ipairs(rows) do
    -- without a call of the driver there is nothing of the simulator's to subtract
    local verdict = row.p50 <= 1000 and "met" or "missed"
    print_row(row[1], row.calls and ("%g"):format(row.calls) or "not counted", format_ns(row.p50),
      row.is_cached and "<= 1000" or "-", row.is_cached and verdict or "-")
  end
end

-- ---- random allocations ----

-- Seconds of a run that directly follows another one; nil and why where there is no memory.
local function seconds_of(run)
  local fine, why = pcall(run)
  if not fine then return nil, tostring(why):match "^[^\n]*" end
  local start = peer.now()
  run()
  return peer.now() - start
end

-- The median of the nanoseconds of a step; or "refused", and why.
local function random_cell(run, plan, rounds)
  local took = {}
  for round = 1, rounds do
    collectgarbage()
    local seconds, why = seconds_of(run)
    if why then return "refused", why end
    took[round] = seconds
  end
  table.sort(took)
  return format_ns(took[math.ceil(rounds / 2)] / plan.count * 1e9)
end

local function print_peaks(rows)
  print_head("Their peaks in the pool, N = 1000", "up to", "requested", "in use", "held",
    "fragmentation")
  for _, row in ipairs(rows) do
    print_row(row.name, gib(row.requested), gib(row.used), gib(row.held),
      percent(row.fragmentation))
  end
end

local function random_host()
  local stacks, names, rows = host_choice(), {}, {}
  for i, stack in ipairs(stacks) do names[i] = stack[1] end
  for _, m in ipairs(libraries) do names[#names + 1] = m.name end
  print_head("Random allocations, ns a step where there is no unit", "N", "up to", unpack(names))
  for _, count in ipairs(random.COUNTS) do
    for _, size in ipairs(random.SIZES) do
      jit.flush()
      local plan, cells = random.plan(count, size, random.MAX_USAGE), {}
      local rounds = ({[1000] = 7, [10000] = 3})[count] or 1
      for i, stack in ipairs(stacks) do
        cells[i] = random_cell(random.of_memory(plan, stack[2]), plan, rounds)
        memory.trim()
      end
      for _, m in ipairs(libraries) do
        cells[#cells + 1] = m.why or
          random_cell(random.of_malloc(plan, m.malloc, m.free), plan, rounds)
      end
      print_row(tostring(count), ("%d MiB"):format(size), unpack(cells))
      if count == 1000 then
        local row = random.peaks(plan, memory.pool(memory.host()))
        row.name, row.requested = ("%d MiB"):format(size), plan.peak
        rows[#rows + 1] = row
        memory.trim()
      end
    end
  end
  print_peaks(rows)
end

local RANDOM_STACKS = {"pool on cuMemAlloc", 'nd.memory.get "cuda:0"', "cuMemAlloc",
  "cuMemAllocAsync"}

-- The line of a process: what a step takes, and the peaks where they are counted.
local function random_one(raw, size, name)
  local plan, run = random.plan(1000, size, random.MAX_USAGE), nil
  for _, way in ipairs {raw.plain, raw.async} do
    if name == way.name .. ", raw" then run = random.of_malloc(plan, way.malloc, way.free) end
  end
  if run then return print((random_cell(run, plan, 3)), "-", "-", "-") end
  for _, stack in ipairs(device_stacks()) do
    if stack[1] == name then
      local cell, why = random_cell(random.of_memory(plan, stack[2]), plan, 3)
      if why then return print(cell, why, "-", "-") end
      memory.trim()
      local peaks = random.peaks(plan, stack[2])
      print(cell, gib(peaks.used), gib(peaks.held), percent(peaks.fragmentation))
    end
  end
end

-- The cells of a line that a process of its own prints: the simulated driver gives no address out
-- a second time, and one process may use them up.
local function random_line(size, name)
  local command = "luajit spec/bench/allocations.lua random %d '%s'"
  local pipe, cells = assert(io.popen(command:format(size, name))), {}
  for cell in (pipe:read "*l" or "failed\t-\t-\t-"):gmatch "[^\t]+" do cells[#cells + 1] = cell end
  pipe:close()
  return cells
end

local function random_device(raw)
  local names, held = {unpack(RANDOM_STACKS)}, {}
  for _, way in ipairs {raw.plain, raw.async} do names[#names + 1] = way.name .. ", raw" end
  print_head("Random allocations in a GPU's memory, N = 1000; ns a step where there is no unit",
    "up to", unpack(names))
  for i, size in ipairs(random.SIZES) do
    local cells = {}
    held[i] = {("%d MiB"):format(size)}
    for k, name in ipairs(names) do
      local line = random_line(size, name)
      cells[k] = line[1]
      if k <= #RANDOM_STACKS then held[i][k + 1] = ("%s (%s)"):format(line[3], line[4]) end
    end
    print_row(held[i][1], unpack(cells))
  end
  print_head("What they held at most (fragmentation)", "up to", unpack(RANDOM_STACKS))
  for _, row in ipairs(held) do print_row(unpack(row)) end
end

-- ---- replays ----

local function print_replays(has_device)
  print_head("Replays", "log", "rows", "on", "time", "requested", "in use", "held",
    "fragmentation")
  local function mib(bytes) return ("%.0f MiB"):format(bytes / MiB) end
  for _, log in ipairs(replays.record()) do
    for _, stack in ipairs(replays.stacks(log, has_device)) do
      local r = replays.run(log.path, stack[2], 5)
      print_row(log.name, tostring(r.allocations + r.frees), stack[1],
        ("%.2f ms"):format(r.seconds * 1e3), mib(r.peak), mib(r.live_peak), mib(r.held_peak),
        r.refused > 0 and r.refused .. " refused" or percent(r.fragmentation))
    end
    os.remove(log.path)
  end
end

-- ---- smoke ----

-- A stack gives memory that can be written, and has it back afterwards.
local function smoke_stack(stack, bytes)
  local mem, top = stack[2], memory.stats(stack[2] or memory.host())
  pairs_of.of_memory(bytes, mem)(3)
  pairs_of.of_memory(bytes, mem, true)(3)
  pairs_of.of_memory(bytes, top)(3)
  local live = top:stats().live
  check(live.count.total == 3 and live.bytes.current == 0 and
    live.bytes.total >= 3 * bytes, stack[1] .. " of " .. bytes)
end

local function smoke_pairs()
  for _, stack in ipairs(host_stacks()) do
    for _, bytes in ipairs {64, 64 * KiB, MiB} do smoke_stack(stack, bytes) end
  end
  for _, m in ipairs(libraries) do
    if m.why then
      print(m.name .. ": " .. m.why)
    else
      pairs_of.of_malloc(64 * KiB, m.malloc, m.free, true)(3)
      local file = mallocs.file_of(m.malloc)
      check(file == mallocs.file_of(m.free) and file:find(m.library == ffi.C and "libc" or m.name),
        m.name .. " in " .. file)
    end
  end
  local figures = pairs_of.measure({pairs_of.of_memory(64)}, true)[1]
  check(figures.p50 > 0 and figures.p50 <= figures.p99, "percentiles")
end

local function smoke_random()
  -- the first steps of RMM's own program, with libstdc++
  local plan = random.plan(1000, 4096, random.MAX_USAGE)
  for i, bytes in ipairs {282475249, 2617694918, 3931968138, 1137522503, 823378840} do
    check(plan.steps[i - 1] == bytes, "random allocations, step " .. i)
  end
  check(plan.peak < random.MAX_USAGE * MiB and plan.peak > 15000 * MiB, "the most in use")
  plan = random.plan(50, 1, random.MAX_USAGE)
  for _, stack in ipairs(host_choice()) do
    local top = memory.stats(stack[2])
    random.of_memory(plan, top)()
    local live = top:stats().live
    check(live.count.total == 50 and live.bytes.current == 0 and live.bytes.peak >= plan.peak,
      "random allocations on " .. stack[1])
  end
  for _, m in ipairs(libraries) do
    if not m.why then check(pcall(random.of_malloc(plan, m.malloc, m.free)), m.name) end
  end
  local peaks = random.peaks(plan, memory.pool(memory.host()))
  check(peaks.used >= plan.peak and peaks.held >= peaks.used, "peaks")
end

local function smoke_replays(has_device)
  for _, log in ipairs(replays.record(true)) do
    for _, stack in ipairs(replays.stacks(log, has_device)) do
      local r = replays.run(log.path, stack[2], 1)
      check(r.allocations > 0 and r.allocations == r.frees and r.left == 0 and
        r.refused == 0 and r.held_peak >= r.live_peak and r.live_peak >= r.peak,
        log.name .. " on " .. stack[1])
    end
    os.remove(log.path)
  end
end

local function smoke_device(raw)
  for _, stack in ipairs(device_stacks()) do
    local loop = pairs_of.of_memory(64 * KiB, stack[2])
    local calls = raw.count(loop)
    check(not calls or (calls == 0) == (stack.is_cached == true), stack[1] .. ": driver calls")
  end
  for _, way in ipairs {raw.plain, raw.async} do
    local calls = raw.count(pairs_of.of_malloc(64 * KiB, way.malloc, way.free))
    check(calls == 2 or not calls, way.name)
  end
  local plan = random.plan(50, 1, random.MAX_USAGE)
  local pool = memory.pool(memory.device(0, {async = false}))
  local peaks = random.peaks(plan, pool)
  check(peaks.used >= plan.peak and peaks.held >= peaks.used, "peaks on a GPU")
  check(pcall(random.of_malloc(plan, raw.plain.malloc, raw.plain.free)), "random by FFI")
end

-- ---- all of it ----

local path = os.getenv "NDBUF_CUDA_DRIVER" or "libcuda.so.1"
driver.prepare(path)
local found, why = card.find(nd, path)
if found then driver.open(path) end

if mode == "random" then
  random_one(driver, tonumber((select(2, ...))), (select(3, ...)))
elseif mode == "smoke" then
  smoke_pairs()
  smoke_random()
  smoke_replays(found ~= nil)
  if found then smoke_device(driver) else print("no GPU: " .. why) end
  print(("%d passed, %d failed"):format(checks.passed, checks.failed))
else
  host_tables()
  random_host()
  print_replays(found ~= nil)
  print("\n" .. (found and table.concat(found.lines, "\n") or "not measured on a GPU: " .. why))
  if found then
    device_table(driver)
    random_device(driver)
  end
end
os.exit(checks.failed == 0 and 0 or 1, true)
