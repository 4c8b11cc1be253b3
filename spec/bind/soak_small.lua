-- Many small arrays and views of them, made and dropped in random order:
--   luajit spec/bind/soak_small.lua [seed] [objects] [counters]
-- At most a fifth of the objects are there at a time. After each tenth of them, and in the end, the
-- counters must be exact, and the arrays must hold what was stored. After collecting and trimming,
-- the system must have back what malloc took from it, unless the third argument is "counters".
-- LuaJIT gives little of its own heap back, whatever it had there: what is alive in it must be as
-- before.
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"
local table_new = require "table.new"

local seed, objects = tonumber(arg[1]) or os.time(), tonumber(arg[2]) or 1e6
local places = math.ceil(objects / 5)
local MOST_BYTES = 2000
local LEFT = 2 * 1024 -- KiB that may be left

print("seed " .. seed)
math.randomseed(seed)
local random = math.random

local function check(fine, ...)
  if not fine then error(("seed %d: " .. (...)):format(seed, select(2, ...)), 0) end
end

-- ---- memory ----

-- Resident KiB: all, and in the heap of malloc; LuaJIT's heap is in other mappings.
local function resident()
  local all, heap, name = 0, 0, nil
  for line in io.lines "/proc/self/smaps" do
    name = line:match "^%x+%-%x+ %S+ %S+ %S+ %S+ *(.*)$" or name
    local kib = tonumber(line:match "^Rss:%s*(%d+)")
    if kib then all = all + kib end
    if kib and name == "[heap]" then heap = heap + kib end
  end
  return all, heap
end

local function collect()
  for _ = 1, 2 do
    collectgarbage()
    core.stats()
  end
end

-- ---- objects ----

-- Of each place: its object, the number of its storage. Of each storage: its bytes, in how many
-- places there is a view of it, the value of its elements.
local object, storage = table_new(places, 0), ffi.new("int[?]", places + 1)
local bytes, holds = ffi.new("int[?]", objects + 1), ffi.new("int[?]", objects + 1)
local value = ffi.new("int[?]", objects + 1)
local made, live_bytes, live_count = 0, 0, 0
for place = 1, places do object[place] = false end

local function drop(place)
  local s = storage[place]
  if s == 0 then return end
  object[place], storage[place] = false, 0
  holds[s] = holds[s] - 1
  if holds[s] > 0 then return end
  live_bytes, live_count = live_bytes - math.ceil(bytes[s] / 64) * 64, live_count - 1
end

local function make(place)
  made = made + 1
  local n, v = random(MOST_BYTES), random(0, 255)
  object[place], storage[place] = nd.empty(n, "u8"):fill(v), made
  bytes[made], holds[made], value[made] = n, 1, v
  live_bytes, live_count = live_bytes + math.ceil(n / 64) * 64, live_count + 1
end

local function view(place, from)
  local a, s = object[from], storage[from]
  local first = random(#a)
  object[place], storage[place] = a:narrow(1, first, random(#a - first + 1)), s
  holds[s] = holds[s] + 1
end

local function step()
  local place, from = random(places), random(places)
  drop(place)
  if random(3) == 1 and storage[from] ~= 0 then view(place, from) else make(place) end
end

local function check_all(what)
  collect()
  local stats = core.stats()
  check(stats.live == live_bytes and stats.count == live_count,
    "%s: %d B in %d blocks, not %d in %d", what, stats.live, stats.count, live_bytes, live_count)
  for place = 1, places do
    local a = object[place]
    if a then check(a[random(#a)] == value[storage[place]], "%s: place %d", what, place) end
  end
end

collect()
local _, heap = resident()
local alive, most = collectgarbage "count", 0
for i = 1, objects do
  step()
  if i % math.ceil(objects / 10) == 0 then
    check_all(("after %d objects"):format(i))
    most = math.max(most, (resident()))
  end
end
for place = 1, places do drop(place) end
check_all "in the end"
check(live_count == 0, "%d storages are left", live_count)
nd.memory.trim()
local left, handles = select(2, resident()) - heap, collectgarbage "count" - alive
print(("%d objects in %d places: at most %d KiB resident; %d KiB left in malloc's heap, %d KiB "
  .. "alive in LuaJIT's"):format(objects, places, most, left, handles))
if arg[3] ~= "counters" then check(left <= LEFT, "%d KiB are left", left) end
check(handles <= LEFT, "%d KiB of LuaJIT's heap are left", handles)
