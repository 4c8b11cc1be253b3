-- Work whose driver calls are made to fail one by one, in a process of spec/dev/cuda.lua:
--   local faults = loadfile "spec/dev/cuda_faults.lua" (nd, H, sim, enter)
local nd, H, sim, enter = ...
local ffi = require "ffi"
local core = require "ndbuf.core"

ffi.cdef [[
const char *cusim_function(size_t i);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
]]

local faults, works = {}, {}
local grid = nd.arange(1, 2000, 1, "f32"):reshape(40, 50)

-- ---- the works: each makes what it needs, checks what comes of it, and leaves nothing ----

function works.make()
  assert(nd.zeros({100}, "i32", "cuda")(100) == 0 and nd.full({3}, 7, "f64", "cuda")(3) == 7)
  local lazy = nd.empty({10}, "cuda"):allocate()
  assert(nd.arange(1, 10, 1, "i16", "cuda")(10) == 10 and lazy.is_allocated)
  assert(nd.zeros({10}, "managed")(10) == 0 and nd.zeros({10}, "pinned")(10) == 0)
end

function works.plain()
  nd.memory.use(nd.memory.device(0, {async = false}), function()
    local a = nd.zeros({100}, "i32", "cuda")
    assert(a:clone()(100) == 0 and nd.ones(5, "cuda")(5) == 1)
  end)
end

function works.fill()
  for _, dtype in ipairs {"u8", "i16", "f32", "f64", "c128"} do
    local a = nd.empty({6, 8}, dtype, "cuda"):fill(3)
    a":, ::2":fill(5)
    local want = nd.full({6, 8}, 3, dtype)
    want":, ::2":fill(5)
    assert(a:to "cpu":equal(want), dtype)
  end
end

function works.host()
  local d = grid:to "cuda"
  assert(d:to "cpu":equal(grid) and d.T:to "cpu":equal(grid.T:clone()))
  d":, 2:40":copy_from(grid":, 1:39")
  assert(d(40, 40) == grid(40, 39))
  d":, 2":copy_from(grid":, 3")
  assert(d":, 2":to "cpu":equal(grid":, 3":clone()))
end

function works.large() -- several pieces, one in flight while the next is filled
  local a = nd.arange(1, 3 * 2 ^ 20, 1, "i32")
  assert(a:to "cuda":to "cpu":equal(a))
end

function works.file()
  local path = H.path "file"
  nd.save(path .. ".npy", grid)
  local d = nd.load(path .. ".npy", {mmap = true}):to "cuda"
  assert(d:to("disk:" .. path):to "cpu":equal(grid))
  nd.save(path .. ".npy", d)
  assert(nd.load(path .. ".npy"):equal(grid))
  os.remove(path)
  os.remove(path .. ".npy")
end

function works.pinned()
  nd.memory.trim "pinned" -- so that the driver is asked
  local p = grid:to "pinned"
  local d = p:to "cuda"
  d":, 1:40":copy_from(p":, 11:50") -- two dimensions
  p:copy_from(d)
  assert(p(2, 1) == grid(2, 11))
  local planes = p:reshape(4, 10, 50)
  local e = nd.zeros({4, 10, 50}, "f32", "cuda")
  e":, 1:5, 1:20":copy_from(planes":, 2:6, 3:22") -- three
  assert(e(4, 5, 20) == planes(4, 6, 22))
end

function works.managed()
  local m = grid:to "managed"
  local d = m:to "cuda"
  m:prefetch "cuda:0":advise("read_mostly", "cuda:0"):advise("preferred", "cpu")
  m:copy_from(d:flip(1))
  m:prefetch "cpu"
  assert(m(1, 1) == grid(40, 1) and m":, ::3":to "cuda"(1, 1) == m(1, 1))
  d":, ::7":copy_from(m":, ::7")
  assert(d(1, 1) == m(1, 1))
end

local pointer -- somebody else's memory
local function allocate()
  pointer = ffi.new "uint64_t[1]"
  enter(0, function() assert(sim.cuMemAlloc_v2(pointer, 8000) == 0) end)
end
function faults.finish()
  if pointer then enter(0, function() assert(sim.cuMemFree_v2(pointer[0]) == 0) end) end
end

function works.foreign()
  if not pointer then allocate() end
  local a = nd.wrap(ffi.cast("float *", pointer[0]), "f32", {40, 50}, {device = "cuda:0"})
  a:copy_from(grid)
  assert(a(40, 50) == 2000 and a:clone()(40, 50) == 2000)
  a:free()
end

function works.converted()
  local d = grid:to "cuda"
  local e = d:astype "i16"
  e:copy_from(d.T:reshape({40, 50}, {copy = true}))
  assert(e(1, 2) == 51 and d:astype("f64", {mode = "check"})(2, 2) == 52)
end

function works.inside() -- one device
  local d = grid:to "cuda"
  local e = nd.zeros({40, 50}, "f32", "cuda")
  e":, 1:20":copy_from(d":, 31:50")
  d":, 1:49":copy_from(d":, 2:50") -- overlaps
  assert(e(1, 1) == 31 and e(2, 30) == 0 and d(1, 1) == 2)
  assert(nd.concat({d, e}, 1)(80, 1) == e(40, 1) and d:roll(1, 2)(1, 2) == 2)
end

function works.across() -- two devices
  local d = grid:to "cuda:0"
  local e = d:to "cuda:1"
  e":, ::2":copy_from(d":, 1:25")
  d:copy_from(e)
  assert(d(3, 1) == grid(3, 1) and d(3, 3) == grid(3, 2))
  assert(e:astype "f64":to "cuda:0"(3, 3) == grid(3, 2))
end

function works.elements()
  local d = nd.arange(1, 5, 1, "f32", "cuda")
  d[2], d[3] = 7, d[5]
  d:set(1, 9)
  assert(d[2] == 7 and d:get(3) == 5 and d(1) == 9 and d"2:3":totable()[1] == 7)
  assert(d:copyout() == d:to "cpu":copyout())
  assert(nd.full({1}, 3, "cuda"):item() == 3)
end

function works.print() -- which never raises
  local text = tostring(nd.ones(2, "cuda"))
  local why = text:match "cuda:0 %(driver: (.*)%)$"
  if why then error {code = "driver", message = why} end
  assert(text:find "%[1, 1%]$", text)
end

function works.locked()
  local a = nd.ones(1000)
  local d = a:pin():to "cuda"
  a:copy_from(d)
  a:unpin():pin():free()
  assert(d(1000) == 1 and nd.ones(30):pin():unpin()(30) == 1)
end

function works.ask()
  local device = nd.device "cuda:0"
  assert(device.total_memory > 0 and device.free_memory > 0 and device.model)
  assert(device:memory_info().total > 0 and #nd.devices() == 3 and nd.info().cuda)
  nd.zeros({100}, "cuda"):free()
  device:synchronize()
  device:enable_peer "cuda:1"
end

function works.dropped() -- by the collector
  for _ = 1, 3 do
    local d, m, p = nd.ones(10, "cuda"), nd.ones(10, "managed"), nd.ones(10):pin()
    d, m, p = d"2:3", m"1:2", p"1:2"
    assert(d[1] == 1 and m[1] == 1 and p[1] == 1)
  end
  collectgarbage()
end

local programs = loadfile "spec/dev/cuda_programs.lua" (nd, H)

function works.program() -- on three streams of two devices; what failed is done once more
  programs.endure(H.seed, 3)
end

-- ---- what is held ----

local function settle()
  for _ = 1, 2 do collectgarbage() end
  for i = 0, 1 do nd.device("cuda:" .. i):synchronize() end
  nd.memory.trim() -- what was freed, and is kept
  if faults.memory then faults.memory:trim() end
end

local function held()
  settle()
  local text, live, managed = {"host " .. core.stats().live}, 0, 0
  for i = 0, 1 do
    local m = nd.device("cuda:" .. i):memory_info()
    live, managed = live + m.live, managed + m.managed
    text[#text + 1] = ("cuda:%d %d B in %d, %d pending"):format(i, m.live, m.count, m.pending)
  end
  for _, kind in ipairs {"pool", "device", "managed", "pinned", "registered", "stream", "event",
                         "mempool"} do
    text[#text + 1] = ("%s %d"):format(kind, tonumber(sim.cusim_live_count(kind)))
  end
  assert(sim.cusim_check_context(), "the thread has another context")
  local bytes = sim.cusim_live_bytes "pool" + sim.cusim_live_bytes "device"
  if pointer then bytes = bytes - 8000 end
  assert(bytes == live and sim.cusim_live_bytes "managed" == managed, "the counters are wrong")
  return table.concat(text, ", ")
end

-- ---- each call of a work, once ----

local OUT_OF_MEMORY = {cuMemAlloc_v2 = true, cuMemAllocFromPoolAsync = true,
                       cuMemAllocManaged = true, cuMemHostAlloc = true, cuMemHostRegister_v2 = true}
-- A failure of these may be none of the work: frees come again, questions have another answer,
-- without a milestone more is waited for.
local QUIET = {cuMemFreeAsync = true, cuMemFree_v2 = true, cuMemFreeHost = true,
               cuMemHostUnregister = true, cuStreamQuery = true, cuMemPoolGetAttribute = true,
               cuCtxSetCurrent = true, cuCtxGetCurrent = true, cuStreamWaitEvent = true,
               cuEventQuery = true, cuEventRecord = true, cuEventDestroy_v2 = true,
               cuStreamWriteValue64_v2 = true, cuStreamWaitValue64_v2 = true,
               cuMemPoolTrimTo = true, cuThreadExchangeStreamCaptureMode = true}

-- Entering and leaving a context, around all others: a dozen of a work are tried.
local ENTRY = {cuCtxSetCurrent = true, cuCtxGetCurrent = true,
               cuThreadExchangeStreamCaptureMode = true}

-- The work and what follows of it. Freeing does not raise; asking the device to be idle may.
local function run(work)
  collectgarbage "stop"
  local fine, e = pcall(nd.memory.use, faults.memory or nd.memory.get "cuda:0", work)
  assert(pcall(collectgarbage))
  local settled, why = pcall(settle)
  return fine and settled, fine and why or e
end

local function calls_of(work)
  local before, counts = {}, {}
  local function each(visit)
    local i = 0
    while sim.cusim_function(i) ~= nil do
      local name = ffi.string(sim.cusim_function(i))
      visit(name, tonumber(sim.cusim_calls(name)))
      i = i + 1
    end
  end
  each(function(name, n) before[name] = n end)
  assert(run(work))
  each(function(name, n)
    if n > before[name] and not name:find "^cuGetError" then counts[name] = n - before[name] end
  end)
  return counts
end

-- A failure of what? Its error, and how often in a row: more memory is looked for several times.
local function plan(call, kind)
  if kind == "once" then
    local is_tried_again = OUT_OF_MEMORY[call] and not call:find "Host"
    return is_tried_again and "CUDA_ERROR_OUT_OF_MEMORY" or nil, 1
  end
  if kind == "fitting" then
    if OUT_OF_MEMORY[call] then return "CUDA_ERROR_OUT_OF_MEMORY", 10 end
    return "CUDA_ERROR_INVALID_VALUE", 1
  end
  return kind, 1
end

local function check_error(e, call, what)
  assert(type(e) == "table", tostring(e))
  if call == "cuPointerGetAttribute" and what == "CUDA_ERROR_INVALID_VALUE" then
    assert(e.code == "invalid_argument", tostring(e)) -- as it is of an unknown address
  elseif what == "CUDA_ERROR_OUT_OF_MEMORY" then
    assert(e.code == "out_of_memory" and (e.requested > 0 or call:find "Register"), tostring(e))
    assert(call:find "Host" and e.total > 0 or e.total == 2 ^ 31, tostring(e))
  else
    assert(e.code == (what:find "OUT_OF" and "out_of_memory" or "driver"), tostring(e))
    assert(e.message:find(what, 1, true), tostring(e))
  end
end

-- May the work go well all the same? Pitches that are refused go by fewer dimensions, memory that
-- cannot be locked is not, a stream that cannot wait for another is waited for.
local function has_way(name, call, what, times)
  if what == "CUDA_ERROR_OUT_OF_MEMORY" then return times == 1 or call == "cuMemHostAlloc" end
  return QUIET[call] or name == "program" and call == "cuEventCreate"
    or what == "CUDA_ERROR_INVALID_VALUE"
      and (call:find "^cuMemcpy[23]D" or call == "cuPointerGetAttribute")
end

-- Fail one call of a work. Returns whether that call failed, and whether the work did.
local function fail(name, call, n, what, times)
  for i = 0, times - 1 do assert(sim.cusim_fail(call, n + i, what)) end
  local fine, e = run(works[name])
  local left = tonumber(sim.cusim_fail_none())
  if fine then
    assert(left == times or has_way(name, call, what, times), "nothing was raised")
  else
    check_error(e, call, what)
  end
  return left < times, not fine
end

-- Until each queue, also the one for frees, has an event in each slot.
local function warm_up()
  assert(sim.cusim_set("MODE", "lazy"))
  for i = 0, 600 do
    local a = nd.ones(3):to("cuda:" .. i % 2)
    local b = a:to("cuda:" .. 1 - i % 2)
    a:free()
    assert(b[1] == 1)
    if sim.cusim_live_count "event" == 4 * 64 then break end
  end
  assert(sim.cusim_set("MODE", os.getenv "CUSIM_MODE" or "eager"))
end

-- What is held once buffers, events and the like are there.
local function held_after(work)
  local first
  repeat
    first = held()
    assert(run(work))
  until held() == first
  return first
end

local function but_streams(text) return (text:gsub("stream %d+, event %d+", "")) end

-- Fail each call of a work. Returns how many there are, how many failed, and how many of them made
-- the work fail. 'kind' is an error, "fitting" for what suits each call, or "once": no memory at
-- the first attempt, which nobody is to notice.
function faults.each(name, kind, memory)
  faults.memory = memory
  local work, found, failed, told = works[name], 0, 0, 0
  warm_up()
  local before = held_after(work)
  for call, count in pairs(calls_of(work)) do
    local what, times = plan(call, kind)
    local sites = {}
    for n = 1, what and count or 0, ENTRY[call] and math.ceil(count / 12) or 1 do
      sites[#sites + 1] = n
    end
    for _, n in ipairs(H.some(sites)) do
      local fine, has_failed, is_told = pcall(fail, name, call, n, what, times)
      local site = ("%s, call %d of %s: "):format(name, n, call)
      assert(fine, site .. tostring(has_failed))
      assert(kind ~= "once" or not is_told, site .. "more memory was not looked for")
      found = found + 1
      failed, told = failed + (has_failed and 1 or 0), told + (is_told and 1 or 0)
      local now = held()
      assert(but_streams(now) == but_streams(before), site .. "\n" .. now .. "\n" .. before)
      local again, e = run(work) -- which makes a stream aside anew that was given up
      assert(again, site .. "then: " .. tostring(e))
      -- a stream that cannot be asked is not idle, and another one is made
      if call == "cuStreamQuery" then before = held_after(work) end
      now = held()
      -- what a program does once more may fill its streams' rings of events further
      local is_same = now == before or name == "program" and but_streams(now) == but_streams(before)
      assert(is_same, site .. "\n" .. now .. "\n" .. before)
    end
  end
  return found, failed, told
end

-- Each work once. Returns "work code" of those that raised.
function faults.refused()
  local names = {}
  for name, work in pairs(works) do
    local fine, e = pcall(work)
    if not fine then names[#names + 1] = name .. " " .. (type(e) == "table" and e.code or e) end
  end
  table.sort(names)
  return table.concat(names, ", ")
end

-- ---- from the first call to the last ----

-- In a process where one call fails: says whether that was told.
function faults.open()
  local function work()
    local d, p = grid:to "cuda:0", grid:to "pinned"
    local m = d:to "cuda:1":to "managed:1"
    p:copy_from(d)
    assert(p(40, 50) == 2000 and m(40, 50) == 2000)
  end
  local fine, e = pcall(work)
  if not fine then
    assert(type(e) == "table" and (e.code == "driver" or e.code == "device_not_found"), tostring(e))
    assert(e.message:find "CUDA_ERROR_UNKNOWN", tostring(e))
    io.write "told"
    work()
  end
end

-- ---- contexts that are lost ----

local function keep()
  return {[0] = nd.ones({100}, "u8", "cuda:0"), nd.ones({100}, "u8", "cuda:1")}
end

-- The calls of a work, as text, where the devices are open. The two that change contexts do not
-- say whether the one that they leave or the one that they enter is lost.
function faults.names(name)
  local names, kept = {}, keep()
  for call in pairs(calls_of(works[name])) do
    if not call:find "^cuCtx%u%l+Current" then names[#names + 1] = call end
  end
  return table.concat(names, " "), kept
end

local function check_lost(i, kept)
  local device = nd.device("cuda:" .. i)
  for _, later in ipairs {
    function() return kept[1] end, function() kept[1] = 2 end, function() return kept:clone() end,
    function() return nd.ones(3, device) end, function() return kept:to "cpu" end,
    function() return nd.zeros(3, "managed:" .. i) end, function() kept:fill(1) end,
    function() device:synchronize() end, function() return grid:to(device) end,
  } do
    local e = H.raises_like("driver", "context of cuda:" .. i .. " was lost %d+ s ago, when "
      .. "cu%w+ failed: CUDA_ERROR_LAUNCH_FAILED %(719%)", later)
    assert(e.number == 719)
  end
  kept:free()
  local info = device:memory_info()
  assert(info.live == 0 and info.managed == 0 and info.count == 0 and info.pending == 0)
  assert(info.lost >= 100 and info.lost_count >= 1)
end

-- Lose a context by the first call of this name in a work.
function faults.lose(name, call)
  local kept = keep()
  assert(sim.cusim_fail(call, 1, "CUDA_ERROR_LAUNCH_FAILED"))
  local fine, e = run(works[name])
  assert(fine or e.code == "driver", tostring(e))
  assert(sim.cusim_fail_none() == 0)
  assert(pcall(collectgarbage) and pcall(nd.transfers))
  local lost = 0
  for i = 0, 1 do
    local works_still, why = pcall(function() return kept[i][1] end)
    if works_still then assert(nd.ones(3, "cuda:" .. i)[2] == 1)
    else
      lost = lost + 1
      assert(why.message:find "CUDA_ERROR_LAUNCH_FAILED", tostring(why))
      check_lost(i, kept[i])
    end
  end
  assert(lost == 1, lost)
end

return faults
