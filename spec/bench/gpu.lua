--- The table "GPU": ndbuf against calls of the CUDA driver from C, in one run.
-- luajit spec/bench/gpu.lua HELPER          prints the table (make bench-gpu)
-- luajit spec/bench/gpu.lua HELPER smoke    small sizes, checks results only (make bench-smoke)
-- HELPER is what spec/bench/gpu.c makes. NDBUF_CUDA_DRIVER names another driver than the system's.
local ffi = require "ffi"

local path, mode = ...
local is_smoke = mode == "smoke"
local MiB = 2 ^ 20
local ROUNDS, TIMES = is_smoke and 3 or 15, is_smoke and 50 or 2000 -- a round does not count

ffi.cdef [[
  const char *bench_gpu_open(size_t bytes);
  double bench_gpu_copy(int way);
  double bench_gpu_enqueue(size_t bytes, int times, bool has_event);
  double bench_gpu_beside(int other, bool is_apart);
  double bench_gpu_pool(size_t bytes, int times);
  uint64_t bench_gpu_events(void);
  void bench_gpu_close(void);
  int setenv(const char *name, const char *value, int overwrite);
  struct bench_time { long s, ns; };
  int clock_gettime(int clock, struct bench_time *time);
]]
local TO_DEVICE, TO_HOST, WITHIN, PAGEABLE = 0, 1, 2, 3

-- The driver first, by the name that the helper needs; ndbuf opens the helper as its driver.
local nd, raw

local function load_driver()
  local driver = os.getenv "NDBUF_CUDA_DRIVER"
  local ok, what = pcall(function()
    if driver then ffi.load(driver, true) end
    return ffi.load(path)
  end)
  if not ok then return nil, what end
  raw = what
  ffi.C.setenv("NDBUF_CUDA_DRIVER", path, 1)
  nd = require "ndbuf"
  local found, why = require "spec.gpu.card".find(nd, path)
  if found then found.lines[1] = found.lines[1]:gsub(path, driver or "libcuda.so.1", 1) end
  return found, why
end

-- ---- measuring ----

local clock = ffi.new "struct bench_time"
local function now()
  ffi.C.clock_gettime(1, clock)
  return tonumber(clock.s) + tonumber(clock.ns) * 1e-9
end

local function median(list)
  local sorted = {unpack(list)}
  table.sort(sorted)
  local n = #sorted
  return (sorted[math.floor((n + 1) / 2)] + sorted[math.ceil((n + 1) / 2)]) / 2
end

local function timed(fn)
  local start = now()
  fn()
  return now() - start
end

-- Medians of the seconds of ours and the peer's, and of their quotients, side by side.
local function measure(ours, peer)
  local a, b, quotient = {}, {}, {}
  collectgarbage()
  for round = 0, ROUNDS do
    local mine, theirs = ours(), peer()
    assert(theirs >= 0, "the driver refused a call of the peer's")
    if round > 0 then a[round], b[round], quotient[round] = mine, theirs, theirs / mine end
  end
  return median(a), median(b), median(quotient)
end

-- ---- rows ----

local checks = {passed = 0, failed = 0}

local function check(ok, what)
  checks[ok and "passed" or "failed"] = checks[ok and "passed" or "failed"] + 1
  if not ok then print("wrong: " .. what) end
end

local function open_peer(bytes)
  local why = raw.bench_gpu_open(bytes)
  if why ~= nil then error("the driver says " .. ffi.string(why), 0) end
end

local function rate(bytes, seconds) return ("%.2f GB/s"):format(bytes / seconds / 1e9) end

-- The rate of copies between two places against a peer's of as many bytes.
local function copy(from, to, mebibytes, way, least)
  local bytes = (is_smoke and 3 or mebibytes) * MiB
  local work = ("%s to %s, %d MiB"):format(from, to, bytes / MiB)
  local function run()
    local place = {pageable = "cpu", pinned = "pinned", device = "cuda:0"}
    local values = nd.randint(0, 255, {bytes}, "u8", {seed = 7})
    local x, z, device = values:to(place[from]), nd.zeros({bytes}, "u8", place[to]):allocate(),
      nd.device "cuda:0"
    open_peer(bytes)
    device:synchronize()
    local mine, peer, ratio = measure(function()
      return timed(function()
        z:copy_from(x)
        if from == to then device:synchronize() end
      end)
    end, function() return raw.bench_gpu_copy(way) end)
    local pageable = from == "pageable" and raw.bench_gpu_copy(PAGEABLE)
    check(z:to "cpu":equal(values), work)
    return {rate(bytes, mine), rate(bytes, peer) ..
      (pageable and (" (raw pageable %s)"):format(rate(bytes, pageable)) or ""),
      ("%.3f"):format(ratio), ratio >= least}
  end
  local of = from == "pageable" and "the pinned rate" or "raw"
  return {work, (">= %.2f of %s"):format(least, of), run}
end

local function micro(seconds) return ("%.2f us"):format(seconds * 1e6) end

-- From a pool of ndbuf's, which is the default, or from the driver's alone.
local function pool(where, most)
  open_peer(MiB)
  local empty = nd.empty
  local memory = where == "driver" and nd.memory.device(0) or where
  local function once() empty({MiB}, "u8", memory):allocate():free() end
  local mine, peer, ratio = measure(function()
    return timed(function() for _ = 1, TIMES do once() end end) / TIMES
  end, function() return raw.bench_gpu_pool(MiB, TIMES) end)
  check(nd.device "cuda:0":memory_info().live == 0, "allocate and free")
  return {micro(mine), micro(peer), ("%.3f"):format(ratio), mine <= most}
end

-- Temporaries that nobody frees: the most that was live, waited for the GPU or was cached.
local function temporaries()
  local bytes, device, most = 64 * MiB, nd.device "cuda:0", 0
  for i = 1, is_smoke and 50 or 1000 do
    nd.full({bytes}, i % 256, "u8", device)
    local held = device:memory_info()
    most = math.max(most, held.live + held.pending + held.cached)
  end
  check(most <= 4 * bytes, "temporaries")
  return {("%.0f MiB"):format(most / MiB), "-", "-", most <= 4 * bytes}
end

-- On a stream beside others, where each call leaves an event, or on the only one that is in use.
local function call(is_beside)
  local x = nd.ones({1024}, "u8", "cuda:0")
  local z, device = nd.zeros({1024}, "u8", "cuda:0"), nd.device "cuda:0"
  local options = is_beside and {stream = device:stream()} or nil
  open_peer(MiB)
  local mine, peer, ratio = measure(function()
    device:synchronize()
    return timed(function() for _ = 1, TIMES do z:copy_from(x, options) end end) / TIMES
  end, function() return raw.bench_gpu_enqueue(1024, TIMES, is_beside == true) end)
  check(z:to "cpu":equal(x:to "cpu"), "copies that follow one another")
  return {micro(mine), micro(peer), ("%.3f"):format(ratio), mine - peer <= 1e-6}
end

-- A copy to the device, and beside it another one, on two streams: how much of the time of one is
-- hidden behind the other's.
local function beside(what, mebibytes, way)
  local bytes = (is_smoke and 3 or mebibytes) * MiB
  local function run()
    local device = nd.device "cuda:0"
    local s, t = device:stream(), device:stream()
    local source, to_host = nd.ones({bytes}, "u8", "pinned"), way == TO_HOST
    local target, from = nd.zeros({bytes}, "u8", "cuda:0"), nd.full({bytes}, 7, "u8", "cuda:0")
    local other = nd.zeros({bytes}, "u8", to_host and "pinned" or "cuda:0")
    open_peer(bytes)
    device:synchronize()
    local function ours(second)
      return timed(function()
        target:copy_from(source, {stream = s})
        other:copy_from(from, {stream = second})
        s:synchronize()
        t:synchronize()
      end)
    end
    local function with_share(two, one)
      return ("%s, %.0f %% less"):format(micro(two), 100 - 100 * two / one)
    end
    local one, raw_one = measure(function() return ours(s) end,
      function() return raw.bench_gpu_beside(way, false) end)
    local two, raw_two, ratio = measure(function() return ours(t) end,
      function() return raw.bench_gpu_beside(way, true) end)
    check(target[bytes] == 1 and other:to "cpu"[bytes] == 7, what)
    return {with_share(two, one), with_share(raw_two, raw_one), ("%.3f"):format(ratio),
      ratio >= 0.95}
  end
  return {("%s beside to device, %d MiB each"):format(what, bytes / MiB), ">= 0.95 of raw", run}
end

local function events()
  local pinned = nd.ones({MiB}, "u8", "pinned")
  -- the staging buffers, and as many events of theirs as there ever are
  nd.ones({16 * MiB}, "u8"):to "cuda:0"
  for i = 1, 400 do -- work in between, so that each of the 64 comes by
    local a = nd.ones({1000}, "u8"):to "cuda:0"
    for _ = 1, i % 6 do a:fill(1) end
  end
  local before = raw.bench_gpu_events()
  for i = 1, is_smoke and 5 or 100 do
    local a = nd.full({MiB}, i % 256, "u8", "cuda:0")
    local b = a:clone()
    b:copy_from(pinned)
    b"::2":fill(3)
    pinned:copy_from(a)
    a:free()
    b = nd.arange(1, 1000, 1, "f32"):to "cuda:0"
    if i % 10 == 0 then nd.device "cuda:0":synchronize() end
    assert(b(7) == 7)
  end
  local made = tonumber(raw.bench_gpu_events() - before)
  check(made == 0, "events")
  return {tostring(made), "0", "-", made == 0}
end

local rows = { -- the temporaries first: what lived before raises the limit of what is collected
  {"the most held by 1000 temporaries of 64 MiB", "<= 256 MiB", temporaries},
  copy("pinned", "device", 16, TO_DEVICE, 0.98), copy("pinned", "device", 256, TO_DEVICE, 0.98),
  copy("device", "pinned", 16, TO_HOST, 0.98), copy("device", "pinned", 256, TO_HOST, 0.98),
  copy("pageable", "device", 64, TO_DEVICE, 0.8), copy("pageable", "device", 256, TO_DEVICE, 0.8),
  copy("device", "device", 256, WITHIN, 0.98),
  {"allocate + free 1 MiB, cached", "<= 1 us", function() return pool("cuda:0", 1e-6) end},
  {"allocate + free 1 MiB, the driver's pool", "<= 3 us",
   function() return pool("driver", 3e-6) end},
  {"a copy call (1 KiB within the device)", "<= 1 us over raw", call},
  {"driver events created, one stream in use", "0", events},
  -- from here on there are several streams
  {"a copy call on a stream beside others", "<= 1 us over raw", function() return call(true) end},
  beside("pinned to host", 64, TO_HOST), beside("within the device", 256, WITHIN),
}

-- ---- the table ----

local function print_row(...) print("| " .. table.concat({...}, " | ") .. " |") end

local found, why = load_driver()
if is_smoke and not found then error("bench-gpu: " .. why, 0) end
if not is_smoke then
  print(os.date "!%Y-%m-%d %H:%M UTC")
  print(found and table.concat(found.lines, "\n") or "not measured: " .. why)
  if found and found.simulated then
    print "A simulated driver: the figures say nothing about any card, and no target is judged."
  end
  print(("Medians of %d rounds, ndbuf and raw driver calls from C in turn.\n"):format(ROUNDS))
  print_row("work", "ndbuf", "raw driver calls", "ratio", "target", "")
  print "|---|---|---|---|---|---|"
end
for _, row in ipairs(rows) do
  local r = found and row[3]() or {"not measured", "-", "-"}
  local verdict = not found and "not measured" or found.simulated and "-" or
    r[4] and "met" or "missed"
  if not is_smoke then print_row(row[1], r[1], r[2], r[3], row[2], verdict) end
  collectgarbage()
end
if found then
  raw.bench_gpu_close()
  print(("%d passed, %d failed"):format(checks.passed, checks.failed))
end
os.exit(checks.failed == 0 and 0 or 1, true)
