-- Counters of memory resources, in scopes; which memory is used; memory objects at their end.
local nd = require "ndbuf"
local H = require "spec.helper"
local core = require "ndbuf.core"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

local function full_collect()
  collectgarbage()
  collectgarbage()
end

describe("counters", function()
  it("are pushed and popped as RMM's are", function()
    local mem = nd.memory.stats(nd.memory.host())
    local a = make(1024, mem)
    local function check(current, peak, total, count)
      local s = mem:stats().live
      assert.same({current, peak, total, count}, {s.bytes.current, s.bytes.peak, s.bytes.total,
        s.count.current})
    end
    check(1024, 1024, 1024, 1)
    mem:push_stats()
    check(0, 0, 0, 0)
    local b = make(2048, mem)
    mem:push_stats()
    a:free()
    check(-1024, 0, 0, -1)
    local c = make(4096, mem)
    check(3072, 3072, 4096, 0)
    local inner = mem:pop_stats().live
    assert.same({3072, 3072, 4096}, {inner.bytes.current, inner.bytes.peak, inner.bytes.total})
    check(5120, 5120, 6144, 1)
    b:free()
    local outer = mem:pop_stats().live
    assert.same({3072, 5120, 6144}, {outer.bytes.current, outer.bytes.peak, outer.bytes.total})
    check(4096, 6144, 7168, 1)
    c:free()
    H.raises_like("invalid_argument", "push_stats", mem.pop_stats, mem)
    mem:reset_peak()
    check(0, 0, 7168, 0)
    assert.equal(3, mem:stats().requests)
    mem:reset_requests()
    assert.equal(0, mem:stats().requests)
    for _ = 1, 2e4 do mem:push_stats() end
    for _ = 1, 2e4 do mem:pop_stats() end
    check(0, 0, 7168, 0)
    H.raises("unsupported", function() nd.memory.host():push_stats() end)
  end)

  it("of a stack change nothing about when garbage is collected", function()
    local function collections(mem)
      full_collect()
      local before = core.stats().collections
      for _ = 1, 200 do make(2 ^ 20, mem) end
      return core.stats().collections - before
    end
    local mem = nd.memory.stats(nd.memory.host())
    local big = nd.ones(2 ^ 24)
    local plain = collections(nd.memory.host())
    local function check(mem_now)
      local n = collections(mem_now)
      assert(plain > 1 and math.abs(n - plain) <= 2, n .. " instead of " .. plain)
    end
    check(mem)
    local a = make(10 * 2 ^ 20, mem)
    mem:push_stats()
    a:free()
    check(mem)
    mem:pop_stats()
    check(nd.memory.host())
    assert.equal(2 ^ 24, big.size)
  end)

  it("come from at most 64 layers", function()
    local mem = nd.memory.host()
    for _ = 2, 64 do mem = nd.memory.stats(mem) end
    H.raises_like("capacity", "65 layers: the most is 64", nd.memory.stats, mem)
    H.raises_like("capacity", "65 layers: the most is 64", nd.memory.budget, mem, 100)
    make(100, mem):free()
    assert.equal(1, mem:stats().live.count.total)
  end)

  it("of a layer are of what goes through it", function()
    local low = nd.memory.stats(nd.memory.host())
    local high = {nd.memory.stats(low)}
    local a, b = make(640, low), make(64, high[1])
    assert.same({704, 64}, {low:stats().live.bytes.current, high[1]:stats().live.bytes.current})
    high[1] = nil
    full_collect()
    b:free()
    a = a:add_(1)
    assert.equal(640, low:stats().live.bytes.current)
    assert.equal("stats of host memory of cpu", tostring(low))
    assert.equal("cpu", low.device)
    H.raises_like("invalid_argument", "push_stats", function() return low.live end)
    assert.equal(640, a.nbytes)
  end)

  it("see nothing of numbers that are operands, whatever the dtype", function()
    local host = nd.memory.host()
    for _, dtype in ipairs {"u8", "i32", "f32", "f64", "c64"} do
      local a = nd.ones({100}, dtype, host)
      local mem = nd.memory.stats(host)
      nd.memory.use(mem, function()
        local made = {a + 1, 2 * a}
        a:add_(1)
        if dtype ~= "c64" then
          made[3], made[4], made[5] = a:gt(1), nd.maximum(a, 2), a:clamp(0, 5)
        end
        assert.equal(#made, mem:stats().requests, dtype)
      end)
    end
  end)

  it("see what makers and operations take while the memory is used", function()
    local mem = nd.memory.stats(nd.memory.host())
    local outside = nd.ones(100)
    local count = 0
    nd.memory.use(mem, function()
      local function check(f, ...)
        local made = f(...)
        count = count + 1
        assert.equal(count, mem:stats().live.count.total)
        return made
      end
      for _, n in ipairs {4, 1000, 200000} do
        check(nd.zeros, n)
        check(nd.empty, {n}, {lazy = false})
        check(nd.full, {n}, 3, "f32")
        check(nd.arange, 1, n)
      end
      check(nd.array, {1, 2, 3})
      check(function() return outside + 1 end)
      check(function() return outside:clone() end)
      check(function() return outside:astype "f32" end)
      check(function() return outside:sum(1) end)
      check(function() return outside:to "f32" end)
      check(function() return nd.concat {outside, outside} end)
      check(function() return outside["1:50"]:to(mem) end)
    end)
    local function nest() nd.memory.use(nd.memory.host(), error, "inner") end
    local inside = {nd.ones(1000, mem)}
    count = mem:stats().live.count.total
    for _, name in ipairs {"zeros_like", "empty_like", "ones_like", "full_like"} do
      assert.equal("cpu", nd[name](inside[1], name == "full_like" and 1 or "f32").device)
    end
    assert.equal(count + 4, mem:stats().live.count.total)
    for _, fails in ipairs {error, nest} do
      assert.is_false((pcall(nd.memory.use, mem, fails, "no")))
    end
    local seen = nd.memory.use(mem, function()
      pcall(nd.memory.use, nd.memory.host(), error, "no")
      return nd.memory.get "cpu"
    end)
    assert.equal(mem, seen)
    assert.not_equal(mem, nd.memory.get "cpu")
    count = mem:stats().live.count.total
    nd.zeros(1000)
    assert.equal(count, mem:stats().live.count.total)
    inside[1] = nil
    full_collect()
    assert.equal(0, mem:stats().live.count.current)
  end)
end)

describe("an error about an argument", function()
  it("has its name, and the number that was refused with the bound", function()
    local host = nd.memory.host()
    local function check(argument, value, limit, fn, ...)
      local e = H.raises("invalid_argument", fn, ...)
      assert.same({argument, value, limit}, {e.argument, e.value, e.limit})
      return e
    end
    check("keep", -1, 0, nd.memory.trim, "cpu", -1)
    check("keep", -1, 0, host.trim, host, -1)
    check("device", nil, nil, nd.memory.get, "foo")
    check("device", nil, nil, nd.memory.set, "foo", host)
    local e = check("limit", nil, nil, nd.memory.budget, host, "4GiB\0x")
    assert(e.message:find('"4GiB\\0" is no limit', 1, true), e.message)
    for what, fn in pairs {
      limit = function() return nd.memory.budget(host, {}) end,
      cap = function() return nd.memory.pool(host, {cap = {}}) end} do
      e = H.raises_like("type_mismatch", 'an integer or a text such as "4GiB"', fn)
      assert.equal(what, e.argument)
    end
  end)
end)

describe("memory that ran out", function()
  it("is told with what there is, and the five largest arrays", function()
    full_collect()
    local held = {}
    for i = 1, 7 do held[i] = nd.ones({i * 100000}, "u8") end
    local mem = nd.memory.stats(nd.memory.host())
    for _, from in ipairs {nd.memory.host(), mem} do
      local e = H.raises_like("out_of_memory", "out of memory on cpu: requested 140737488355328 B, "
        .. "in use %d+ B, pending free 0 B, cached %d+ B; there are %d+ B free of %d+ B; largest "
        .. "live arrays: 700032, 600000, 500032, 400000, 300032 B$", make, 2 ^ 47, from)
      assert(e.live >= 2800000 and e.requested == 2 ^ 47 and e.total > e.free)
      assert.equal(700032, e.largest)
    end
    assert.equal(700000, held[7].size)
  end)
end)

describe("nd.memory.report", function()
  it("has a row for each device in use, and prints it as a bar", function()
    local a = nd.ones({2 ^ 22}, "u8")
    full_collect() -- or the collector frees what others dropped between the two
    local list = nd.memory.report()
    assert.same({1, "cpu"}, {#list, list[1].device})
    local info = nd.device "cpu":memory_info()
    for _, name in ipairs {"live", "count", "cached", "pending", "peak", "total"} do
      assert.equal(info[name], list[1][name])
    end
    local lines = {}
    for line in (tostring(list) .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
    assert.equal(3, #lines)
    local bar = lines[1]:match "^cpu +%[(#+~*%+*x*%.*)%] %d[%d.]* [KMGT]iB$"
    assert.equal(50, bar and #bar, lines[1])
    assert.truthy(lines[2]:find "^  live [%d.]+ %a+ in %d+, pending 0 B, cached ", lines[2])
    H.raises_like("invalid_argument", "extra argument", nd.memory.report, 1)
    assert.equal(2 ^ 22, a.size)
  end)

  it("opens no GPU; with one that is open it has more rows", function()
    local C = require "spec.dev.cuda"
    C.run({devices = 2}, [[
      assert(#nd.devices() >= 2 and #nd.memory.report() == 1)
      local a = nd.ones({100000}, "u8", "cuda:0")
      local list = nd.memory.report()
      assert(#list == 3 and list[2].device == "pinned" and list[3].device == "cuda:0")
      assert(list[3].live == nd.device "cuda:0":memory_info().live and list[3].live >= 100000)
      assert(tostring(list):find "\ncuda:0 +%[#")
      a:free()
      local m = nd.ones({100000}, "u8", "managed")
      list = nd.memory.report()
      assert(#list == 4 and list[4].device == "managed:0" and list[4].live >= 100000)
      assert(tostring(list):find "\nmanaged:0 +%[#")
      m:free()
    ]])
  end)
end)

describe("memory objects", function()
  -- Each is a process: what goes wrong there is a crash.
  local scripts = {
    ["of a state that is closed in a use of their reservation"] = [[
      local p = newproxy(true)
      getmetatable(p).__gc = function() nd.zeros({2000}, "f64", mem) end
      mem:reserve(1000):use(function() os.exit(0, true) end)
    ]],
    ["whose reservation is finalized in its use"] = [[
      local r = mem:reserve(1000)
      r:use(function()
        debug.getmetatable(r).__gc(r)
        for i = 1, 50 do nd.zeros({20 + i * 8}, "f64", mem) end
      end)
      assert(mem:stats().reserved.bytes.current == 0)
    ]],
    ["that are set as their state is closed"] = [[
      local p = newproxy(true)
      getmetatable(p).__gc = function() nd.zeros(2, "f64", "cpu") end
      nd.memory.set("cpu", nd.memory.stats(nd.memory.host()))
    ]],
    ["that are finalized while used"] = [[
      nd.memory.use(mem, function()
        debug.getmetatable(mem).__gc(mem)
        nd.zeros(2, "f64", "cpu")
        nd.memory.set("cpu", nil)
      end)
    ]],
    ["with another's finalizer"] = [[
      local r = mem:reserve(1000)
      debug.getmetatable(r).__gc(mem)
      debug.getmetatable(mem).__gc(r)
      assert(r.remaining == 1000 and mem:stats().limit == 1e6)
    ]],
  }
  for name, script in pairs(scripts) do
    it(name .. " break nothing", function()
      local text = 'local nd = require "ndbuf"\n' ..
        "local mem = nd.memory.budget(nd.memory.host(), 1e6)\n" .. script
      for _, flags in ipairs {"-jon", "-joff"} do
        local status, _, err = H.luajit(flags, text)
        assert.equal(0, status, err)
      end
    end)
  end
end)
