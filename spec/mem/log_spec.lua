-- Logs of memory: files, rings, functions; that replays can read them, RMM's and our own.
local nd = require "ndbuf"
local core = require "ndbuf.core"
local H = require "spec.helper"
local replay = require "ndbuf.replay"

local HEADER = "Thread,Time,Action,Pointer,Size,Stream"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

local function split(text)
  local fields = {}
  for field in (text .. ","):gmatch "([^,]*)," do fields[#fields + 1] = field end
  return fields
end

local function lines_of(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

local function full_collect()
  collectgarbage()
  collectgarbage()
end

-- What RMM's replay makes of a log: columns by name; thread and stream as decimal numbers, pointers
-- as hexadecimal ones or (nil), three actions. Anything else ends it.
local function rmm(path)
  local lines, events = io.lines(path), {}
  local names = split(lines())
  for line in lines do
    local fields, row = split(line), {}
    assert(#fields == #names, line)
    for i, name in ipairs(names) do row[name] = fields[i] end
    local event = {thread = assert(tonumber(row.Thread:match "^%d+$"), line),
      bytes = assert(tonumber(row.Size:match "^%d+$"), line),
      stream = assert(tonumber(row.Stream:match "^%d+$"), line),
      pointer = row.Pointer == "(nil)" and 0 or assert(tonumber(row.Pointer:match "^0x%x+$"), line)}
    event.action = row.Action
    assert(row.Action == "allocate" or row.Action == "free" or row.Action == "allocate failure")
    events[#events + 1] = event
  end
  return events
end

-- Each free has its allocation, of as many bytes, and no address is taken twice.
local function check_pairs(events)
  local live, empty = {}, 0
  for i, e in ipairs(events) do
    if e.action == "allocate failure" then
      assert(e.pointer == 0, i)
    elseif e.pointer == 0 then
      empty = empty + (e.action == "allocate" and 1 or -1)
      assert(empty >= 0 and e.bytes == 0, i)
    elseif e.action == "allocate" then
      assert(not live[e.pointer], i)
      live[e.pointer] = e.bytes
    else
      assert(live[e.pointer] == e.bytes, i)
      live[e.pointer] = nil
    end
  end
  return live
end

describe("a log in a file", function()
  it("begins with RMM's columns, and has a row for each event", function()
    local path = H.path "a.csv"
    local mem = nd.memory.log(nd.memory.host(), path)
    local before = os.time()
    local a = make(100, mem)
    local address = a:address()
    a:free()
    local lines = lines_of(path)
    assert.equal(HEADER, lines[1]:sub(1, #HEADER))
    assert.equal(3, #lines)
    local start = "^(%d+),(%d%d):(%d%d):(%d%d):(%d%d%d%d%d%d),"
    local rest = (",0x%x,100,0,"):format(address)
    local thread, hour, minute, second, fraction = lines[2]:match(start .. "allocate" .. rest)
    assert.truthy(lines[3]:match(start .. "free" .. rest))
    assert.equal(H.read "/proc/self/stat":match "^%d+", thread)
    local time = hour * 3600 + minute * 60 + second
    assert((time - before) % 86400 <= os.time() - before + 1, lines[2])
    assert(tonumber(fraction) < 1e6)
    assert.equal("log of host memory of cpu", tostring(mem))
    assert.equal(0, mem:stats().lost_records)
    assert.is_nil(nd.memory.host():stats().lost_records)
  end)

  it("is what an independent model says, and RMM's replay can read it", function()
    local rng, path, limit = H.rng "log", H.path "model.csv", 100000
    local mem = nd.memory.log(nd.memory.budget(nd.memory.host(), limit), path)
    local live, sum, model = {}, 0, {}
    local function note(action, address, n)
      model[#model + 1] = ("%s %.0f %d"):format(action, address, n)
    end
    collectgarbage "stop"
    for _ = 1, H.cases(2000) do
      if rng(1, 2) == 1 or #live == 0 then
        local n = rng(1, 10) == 1 and 0 or rng(0, 20000)
        local granted = math.ceil(n / 64) * 64
        if sum + granted <= limit then
          local a = make(n, mem)
          live[#live + 1], sum = a, sum + granted
          note("allocate", n > 0 and a:address() or 0, n)
        else
          H.raises("budget_exceeded", make, n, mem)
          note("allocate failure", 0, n)
        end
      else
        local a = table.remove(live, rng(1, #live))
        local n = a.nbytes
        note("free", n > 0 and a:address() or 0, n)
        a:free()
        sum = sum - math.ceil(n / 64) * 64
      end
    end
    collectgarbage "restart"
    local events, last = rmm(path), nil
    local rows = {}
    for _, e in ipairs(events) do -- a take is tried several times
      local row = ("%s %.0f %d"):format(e.action, e.pointer, e.bytes)
      if row ~= last or e.action ~= "allocate failure" then rows[#rows + 1] = row end
      last = row
    end
    local before
    for i = #model, 1, -1 do -- and so may be the next one, of as many bytes
      before = model[i - 1]
      if model[i] == before and before:find "failure" then table.remove(model, i) end
    end
    assert.same(model, rows, "seed " .. H.seed)
    local count = 0
    for _ in pairs(check_pairs(events)) do count = count + 1 end
    for _, a in ipairs(live) do count = count - (a.nbytes > 0 and 1 or 0) end
    assert.equal(0, count)
    local r = replay.run(path, nd.memory.pool(nd.memory.host()))
    assert.same({0, #live}, {r.refused, r.left})
  end)

  it("has what is freed by the collector, and is closed with its last block", function()
    local path = H.path "gc.csv"
    local mem = {nd.memory.log(nd.memory.host(), path)}
    local kept = {mem, make(1000, mem[1])}
    local function is_open()
      local _, out = H.run("ls -l /proc/" .. H.read "/proc/self/stat":match "^%d+" .. "/fd")
      return out:find(path, 1, true) ~= nil
    end
    mem[1] = nil
    full_collect()
    assert.is_true(is_open())
    assert.equal(1000, kept[2].nbytes)
    kept[2] = nil
    full_collect()
    nd.zeros(1)
    assert.is_false(is_open())
    local events = rmm(path)
    assert.same({"allocate", "free"}, {events[1].action, events[2].action})
    assert.equal(2, #events)
  end)

  it("has a second one for what RMM does not know", function()
    for name, other in pairs {["x.csv"] = "x.events.csv", x = "x.events", [".x"] = ".x.events",
      ["a.b/x"] = "a.b/x.events"} do
      local dir = H.dir()
      os.execute("mkdir " .. H.quote(dir .. "/a.b"))
      local path, events = dir .. "/" .. name, dir .. "/" .. other
      H.write(events, (HEADER:gsub("Action", "Event")) .. ",Device,Kind,Granted\nof an earlier run")
      local mem = nd.memory.log(nd.memory.pool(nd.memory.host()), path)
      assert.is_false(H.exists(events))
      make(3 * 2 ^ 20, mem):free()
      local freed = mem:trim()
      assert(freed >= 3 * 2 ^ 20)
      make(10, mem):free()
      assert.equal(4, #rmm(path))
      local lines = lines_of(events)
      assert.equal((HEADER:gsub("Action", "Event")), lines[1]:sub(1, #HEADER - 1))
      assert.truthy(lines[2]:find(",trim,(nil)," .. freed .. ",0,", 1, true), lines[2])
      assert.equal(2, #lines)
      assert.equal(0, mem:stats().lost_records)
    end
  end)

  it("replaces a file, and ends at its cap with a whole row", function()
    local path = H.write(H.path "cap.csv", ("old "):rep(1000))
    local function run(cap, n)
      local mem = nd.memory.log(nd.memory.host(), {path = path, cap = cap})
      for _ = 1, n do make(100, mem):free() end
      return mem:stats().lost_records
    end
    local lost = run(1000, 20)
    local text = H.read(path)
    assert(#text <= 1000 and #text > 900)
    assert.equal("\n", text:sub(-1))
    assert.equal(40, #rmm(path) + lost)
    check_pairs(rmm(path))
    assert.same({2, ""}, {run(10, 1), H.read(path)})
  end)

  it("loses and counts what cannot be written, and nothing else changes", function()
    local full = nd.memory.log(nd.memory.host(), "/dev/full")
    local a = make(100, full):fill(7)
    assert.equal(7, a[100])
    a:free()
    assert.same({2, 0}, {full:stats().lost_records, full:stats().failed_takes})
    local both = nd.memory.log(nd.memory.log(full, "/dev/full"), {ring = 1})
    make(100, both):free()
    assert.equal(6, both:stats().lost_records)
    local dir = H.dir()
    local mem = nd.memory.log(nd.memory.pool(nd.memory.host()), dir .. "/gone.csv")
    os.execute("rm -r " .. H.quote(dir))
    make(3 * 2 ^ 20, mem):free()
    assert.equal(0, mem:stats().lost_records)
    mem:trim()
    assert.equal(1, mem:stats().lost_records)
  end)

  it("loses and counts what comes after somebody closed it", function()
    local path = H.path "closed.csv"
    local status, out, err = H.luajit(nil, [[
      local ffi, nd = require "ffi", require "ndbuf"
      local mem = nd.memory.log(nd.memory.host(), arg[1])
      local a = nd.zeros({1000}, mem)
      ffi.cdef "int close(int); ssize_t readlink(const char *, char *, size_t);"
      local buffer = ffi.new "char[4096]"
      for fd = 3, 100 do
        local n = tonumber(ffi.C.readlink("/proc/self/fd/" .. fd, buffer, 4096))
        if n > 0 and ffi.string(buffer, n) == arg[1] then ffi.C.close(fd) end
      end
      local b = nd.zeros({1000}, mem):fill(7)
      assert(a[1000] == 0 and b[1000] == 7)
      print(mem:stats().lost_records)
    ]], path)
    assert.same({0, "1\n", ""}, {status, out, err})
    assert.equal("allocate", rmm(path)[1].action)
  end)

  it("is refused where it cannot be opened", function()
    local host = nd.memory.host()
    local err = H.raises_like("io", "cannot open the log", nd.memory.log, host, "/none/x.csv")
    assert.equal("/none/x.csv", err.path)
    H.raises("io", nd.memory.log, host, H.dir())
    local fifo = H.path "fifo"
    os.execute("mkfifo " .. H.quote(fifo))
    H.raises("io", nd.memory.log, host, fifo) -- nobody reads it
    local reader = io.popen("cat " .. H.quote(fifo)) -- whose end would end us
    local writer = assert(io.open(fifo, "w"))
    H.raises_like("io", "cannot open the log", nd.memory.log, host, fifo)
    writer:close()
    assert.equal("", reader:read "*a")
    reader:close()
    for _, sink in ipairs {{}, {cap = 1}, {ring = 1, path = "x"}, {ring = 1, cap = 1},
      {path = ""}, {ring = -1}, {ring = 0}, {ring = 1.5}, {size = 1}, ""} do
      H.raises("invalid_argument", nd.memory.log, host, sink)
    end
    for _, room in ipairs {-1, 0} do
      err = H.raises_like("invalid_argument", ("^ring: .*%d.* the least is 1"):format(room),
        nd.memory.log, host, {ring = room})
      assert.same({"ring", room, 1}, {err.argument, err.value, err.limit})
    end
    H.raises("out_of_memory", nd.memory.log, host, {ring = 2 ^ 52})
    for _, sink in ipairs {1, true, host} do
      H.raises_like("type_mismatch", "sink", nd.memory.log, host, sink)
    end
    H.raises("type_mismatch", nd.memory.log, host)
    H.raises("type_mismatch", nd.memory.log, "cpu", "x.csv")
  end)

  it("passes the figures of its upstream", function()
    local mem = nd.memory.log(nd.memory.budget(nd.memory.host(), 6400), {ring = 1})
    local a = make(640, mem)
    local s = mem:stats()
    assert.same({640, 1, 5760, 6400, 1, 0}, {s.live.bytes.current, s.live.count.current,
      s.remaining, s.limit, s.requests, s.lost_records})
    mem:push_stats()
    a:free()
    assert.same({-640, 0}, {mem:pop_stats().live.bytes.current, mem:stats().lost_records})
    mem:set_limit(64)
    H.raises("budget_exceeded", make, 65, mem)
    local outer = nd.memory.stats(mem)
    assert.equal(0, outer:stats().lost_records)
  end)
end)

describe("a ring", function()
  it("has the last records, oldest first", function()
    local mem = nd.memory.stats(nd.memory.log(nd.memory.host(), {ring = 3}))
    assert.same({}, mem:records())
    local a = make(10, mem)
    local address, before = a:address(), os.time()
    a:free()
    local records = mem:records()
    assert.equal(2, #records)
    local r = records[1]
    assert.same({"allocate", 10, address, 0}, {r.action, r.bytes, r.pointer, r.stream})
    assert.equal(tonumber((H.read "/proc/self/stat":match "^%d+")), r.thread)
    assert(math.abs(r.time - before) <= 2 and records[2].time >= r.time)
    make(20, mem):free()
    local last = make(0, mem)
    local seen = {}
    for i, record in ipairs(mem:records()) do seen[i] = record.action .. " " .. record.bytes end
    assert.same({"allocate 20", "free 20", "allocate 0"}, seen)
    assert.equal(0, #last)
    assert.equal(0, mem:stats().lost_records)
    H.raises_like("unsupported", "ring", mem.records, nd.memory.host())
    H.raises_like("unsupported", "function", mem.flush, mem)
    H.raises("unsupported", mem.records, nd.memory.log(nd.memory.host(), print))
  end)

  it("may be beneath another log", function()
    local mem = nd.memory.log(nd.memory.log(nd.memory.host(), {ring = 9}), H.path "x.csv")
    make(1, mem):free()
    assert.equal(2, #mem:records())
  end)
end)

describe("a function", function()
  it("gets the records at the next call", function()
    local got = {}
    local mem = nd.memory.log(nd.memory.host(), function(r) got[#got + 1] = r end)
    local a = make(100, mem)
    assert.equal(0, #got)
    nd.zeros(1)
    assert.same({1, "allocate", 100}, {#got, got[1].action, got[1].bytes})
    a:free()
    assert.equal(1, #got)
    mem:flush()
    assert.same({2, "free"}, {#got, got[2].action})
    assert.equal(got[1].pointer, got[2].pointer)
  end)

  it("of many gets its own, also where others are gone", function()
    local logs, got = {}, {}
    for i = 1, 100 do
      logs[i] = nd.memory.log(nd.memory.host(), function(r) got[#got + 1] = {i, r.bytes} end)
    end
    for _, i in ipairs {60, 7, 100} do make(i, logs[i]):free() end
    nd.transfers()
    assert.same({{60, 60}, {60, 60}, {7, 7}, {7, 7}, {100, 100}, {100, 100}}, got)
    got = {}
    local kept = make(9, logs[9])
    for i = 1, 100, 2 do logs[i] = nil end
    full_collect()
    nd.transfers()
    make(8, logs[8]):free()
    kept:free()
    nd.transfers()
    assert.same({{9, 9}, {8, 8}, {8, 8}, {9, 9}}, got)
  end)

  it("counts for the collector with the room for its records", function()
    local function collections(count, sink)
      local before = core.stats().collections
      for _ = 1, count do nd.memory.log(nd.memory.host(), sink) end
      return core.stats().collections - before
    end
    local function fn() end
    assert(collections(800, fn) > 0) -- 256 KiB each
    assert(collections(50, {ring = 2 ^ 17}) > 1) -- 8 MiB each
    assert(collections(50, {ring = 1}) <= 1)
    H.raises("out_of_memory", nd.memory.log, nd.memory.host(), {ring = 2 ^ 50})
    assert(collections(1, {ring = 1}) == 0)
  end)

  it("gets them before what compiled code calls", function()
    local got = {}
    local mem = nd.memory.log(nd.memory.host(), function(r) got[#got + 1] = r end)
    local x = nd.arange(1, 10)
    for i = 1, 300 do
      make(8, mem):free()
      local _ = x + 1
      assert(#got == 2 * i, #got)
    end
  end)

  it("never runs in a finalizer, and gets what one frees at the next call", function()
    local depth, got = 0, 0
    local mem = nd.memory.log(nd.memory.host(), function()
      assert(depth == 0)
      got = got + 1
    end)
    local kept = {make(100000, mem)}
    nd.zeros(1)
    assert.equal(100000, kept[1].nbytes)
    kept[1] = nil
    depth = 1
    full_collect()
    depth = 0
    assert.equal(1, got)
    nd.zeros(1)
    assert.same({2, 0}, {got, mem:stats().lost_records})
  end)

  it("may raise, yield, and call what makes more records", function()
    local got, mem = 0, nil
    mem = nd.memory.log(nd.memory.host(), function(r)
      got = got + 1
      if r.bytes == 1 then error "no" end
      if r.bytes == 2 then error(setmetatable({}, {__tostring = error})) end
      if r.bytes == 3 then coroutine.yield() end
      if r.bytes > 3 and r.action == "allocate" then
        make(r.bytes + 1, mem):free()
        mem:flush() -- is no loop
      end
    end)
    for n = 1, 3 do make(n, mem):free() end
    coroutine.wrap(function() nd.zeros(1) end)()
    assert.same({6, 6}, {got, mem:stats().lost_records})
    make(4, mem):free()
    local call = mem.reset_peak -- this is one, too
    got = 0
    for calls = 1, 5 do
      call(mem)
      assert.equal(2 * calls, got)
    end
    assert.equal(6, mem:stats().lost_records)
  end)

  it("loses what is more than 4096 records between two calls", function()
    local got = 0
    local mem
    mem = nd.memory.log(nd.memory.host(), function(r)
      got = got + 1
      if r.bytes == 7 and r.action == "allocate" then
        for _ = 1, 3000 do make(8, mem):free() end
      end
    end)
    make(7, mem):free() -- calls the function or not, by what is compiled
    mem:flush()
    mem:flush()
    local lost = mem:stats().lost_records
    assert.equal(6002, got + lost)
    assert(lost >= 6000 - 4096 and lost <= 6002 - 4096, lost)
  end)

  it("outlives the memory's object, by its last record", function()
    local got, weak = 0, setmetatable({}, {__mode = "v"})
    local kept = {}
    do
      local function fn() got = got + 1 end
      weak.fn = fn
      kept.mem = nd.memory.log(nd.memory.host(), fn)
      kept.array = make(100000, kept.mem)
    end
    kept.mem = nil
    full_collect()
    assert.equal(100000, kept.array.nbytes)
    kept.array = nil
    full_collect()
    nd.zeros(1)
    assert.equal(2, got)
    full_collect()
    assert.is_nil(weak.fn)
  end)

  it("is not called as the Lua state closes, nor afterwards", function()
    local status, out, err = H.luajit(nil, [[
      local early, nd = newproxy(true)
      getmetatable(early).__gc = function()
        io.write(select(2, pcall(nd.memory.log, nd.memory.host(), print)).code, "\n")
        nd.zeros({1000}, mem)
        nd.zeros({1000}, mem)
      end
      nd = require "ndbuf"
      mem = nd.memory.log(nd.memory.host(), function(r) io.write(r.action, "\n") end)
      a = nd.zeros({1000}, mem)
      keep = early
      os.exit(0, true)
    ]])
    assert.equal(0, status, err)
    assert.equal("unsupported\n", out)
  end)
end)
