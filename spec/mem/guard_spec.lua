-- Guards on the host: damage is found, named and told; without damage nothing is.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end
local function bytes_of(a) return ffi.cast("uint8_t *", a:ptr()) end

local function full_collect()
  collectgarbage()
  collectgarbage()
end

-- The one finding there is.
local function only(mem)
  local list = mem:verify()
  assert.equal(1, #list, H.seed)
  assert.equal(0, #mem:verify())
  return list[1]
end

local function check(finding, what, offset, block)
  assert.same({what, offset, block.bytes, block.tag, block.address},
    {finding.what, finding.offset, finding.bytes, finding.tag, finding.address})
  assert(finding.traceback:find("guard_spec.lua:%d+"), finding.traceback)
end

local function named(a) return {bytes = a.size, tag = a.storage_id, address = a:address()} end

describe("a guard", function()
  it("finds damage before, after, and after a free, 100 of 100, with its block", function()
    local rng, mem = H.rng "damage", nd.memory.guard(nd.memory.host())
    for what, offset in pairs {
      before = function() return -rng(1, 256) end,
      after = function(n) return n + rng(0, 63) end,
      ["use after free"] = function(n) return rng(0, n - 1) end} do
      for case = 1, 100 do
        local others = {make(rng(1, 5000), mem), make(rng(1, 5000), mem)}
        local a = make(math.floor(2 ^ (rng(0, 1800) / 100)), mem)
        local at, block, memory = offset(a.size), named(a), bytes_of(a)
        if case % 10 == 1 then -- the byte next to it
          at = what == "before" and -1 or what == "after" and a.size or at
        end
        others[3] = make(rng(1, 5000), mem)
        if what == "use after free" then a:free() end
        memory[at] = bit.bxor(memory[at], rng(1, 255))
        if what ~= "use after free" and case % 2 == 0 then a:free() end
        check(only(mem), what, at, block)
        if case % 3 == 0 then a:free() end -- told once
        for _, other in ipairs(others) do other:free() end
        assert.equal(0, #mem:verify())
      end
    end
  end)

  it("finds damage of blocks that the collector freed", function()
    local rng, mem = H.rng "collected", nd.memory.guard(nd.memory.host())
    for case = 1, 100 do
      local memory, block, at, what
      do
        local a = make(rng(1, 100000), mem)
        memory, block = bytes_of(a), named(a)
        at = case % 3 == 0 and -1 or case % 3 == 1 and a.size or rng(0, a.size - 1)
        what = case % 3 == 0 and "before" or case % 3 == 1 and "after" or "use after free"
        if case % 3 < 2 and case % 2 == 0 then memory[at] = 7 end
      end
      full_collect()
      nd.transfers()
      if case % 3 == 2 or case % 2 == 1 then memory[at] = 7 end
      check(only(mem), what, at, block)
    end
  end)

  it("tells nothing of programs without damage", function()
    local rng = H.rng "clean"
    for case = 1, H.cases(1000) do
      local up = nd.memory.host()
      if case % 4 == 1 then up = nd.memory.budget(up, "1GiB") end
      if case % 4 == 2 then up = nd.memory.pool(up) end
      local mem = nd.memory.guard(up)
      if case % 8 > 4 then mem = nd.memory.budget(mem, "1GiB") end
      local live = {}
      for _ = 1, 20 do
        local what = rng(1, 6)
        local a = live[rng(1, math.max(1, #live))]
        if what <= 2 or not a then
          local n = rng(0, rng(1, 2) == 1 and 100 or 50000)
          live[#live + 1] = what == 1 and nd.zeros({n}, "u8", mem) or make(n, mem)
          if what == 1 then assert.equal(0, live[#live]:sum()) end
          live[#live]:fill(rng(0, 255))
        elseif what == 3 then
          table.remove(live, rng(1, #live)):free()
        elseif what == 4 then
          if a.size > 3 then a[{{2, a.size - 1}}]:fill(3) end
        elseif what == 5 then
          live[#live + 1] = nd.memory.use(mem, function() return a + 1 end)
        elseif rng(1, 5) == 1 then
          mem:trim(rng(0, 1e5))
        else
          table.remove(live, rng(1, #live)) -- to the collector
        end
      end
      assert.equal(0, #mem:verify(), H.seed)
      for _, a in ipairs(live) do a:free() end
      assert.equal(0, #mem:verify(), H.seed)
    end
  end)

  it("raises at the next call on its stack, whichever; the call does nothing", function()
    local mem = nd.memory.stats(nd.memory.guard(nd.memory.track(nd.memory.budget(
      nd.memory.log(nd.memory.host(), {ring = 100}), 100000))))
    mem:push_stats()
    local calls = {
      function() return make(10, mem) end,
      function() return mem:check(10) end,
      function() return mem:flush() end,
      function() return mem:outstanding() end,
      function() return mem:pop_stats() end,
      function() return mem:push_stats() end,
      function() return mem:reap() end,
      function() return mem:records() end,
      function() return mem:reserve(10) end,
      function() return mem:reset_peak() end,
      function() return mem:reset_requests() end,
      function() return mem:set_limit(1000) end,
      function() return mem:stats() end,
      function() return mem:trim() end,
    }
    for i, call in ipairs(calls) do
      local a = make(100, mem)
      bytes_of(a)[-1] = 1
      a:free()
      assert.equal("cpu", mem.device)
      assert(tostring(mem):find "guard")
      nd.memory.report()
      local e = H.raises("out_of_bounds", call)
      assert(e.message:find(("storage %d"):format(a.storage_id), 1, true), i .. e.message)
    end
    local list = mem:verify()
    assert.equal(#calls, #list)
    local s = mem:pop_stats()
    assert.equal(0, s.live.count.current)
    assert.equal(100000, mem:stats().limit)
  end)

  it("raises each finding once, and lists it until verified", function()
    local mem = nd.memory.guard(nd.memory.host())
    local a, b = make(100, mem), make(100, mem)
    bytes_of(a)[-1] = 1
    bytes_of(b)[100] = 1
    a:free()
    b:free()
    for _, array in ipairs {a, b} do
      local e = H.raises("out_of_bounds", make, 10, mem)
      assert(e.message:find(("storage %d"):format(array.storage_id), 1, true), e.message)
      assert(e.message:find "guard_spec.lua:%d+", e.message)
      assert.equal(array == a and -1 or 100, e.offset)
    end
    local c = make(10, mem)
    bytes_of(c)[3] = 1
    local memory = bytes_of(c)
    c:free()
    memory[5] = 9
    mem:trim()
    H.raises("use_after_free", make, 10, mem)
    make(10, mem):free()
    local list = mem:verify()
    assert.same({"before", "after", "use after free"}, {list[1].what, list[2].what, list[3].what})
    assert.equal(5, list[3].offset)
    assert.equal(0, #mem:verify())
  end)

  it("fills what is not zeroed, and keeps alignment and size", function()
    local mem = nd.memory.guard(nd.memory.host())
    for _, n in ipairs {1, 63, 64, 1000, 5000, 3 * 2 ^ 20} do
      local a, z = make(n, mem), nd.zeros({n}, "u8", mem)
      assert.equal(0, a:address() % 64)
      assert(a[1] == 0xdd and a[n] == 0xdd and z:sum() == 0)
      local memory = bytes_of(a)
      a:free()
      if n < 2 ^ 20 then assert(memory[0] == 0xde and memory[n - 1] == 0xde) end
    end
    make(0, mem):free()
    assert.equal(0, #mem:verify())
    assert.equal("guard of host memory of cpu", tostring(mem))
  end)

  it("keeps 64 blocks and 64 MiB at most, which is upstream's to count", function()
    local low = nd.memory.stats(nd.memory.host())
    local mem = nd.memory.guard(low)
    for _ = 1, 100 do make(1000, mem):free() end
    assert.same({64, 100}, {low:stats().live.count.current, low:stats().live.count.total})
    for _ = 1, 3 do make(30 * 2 ^ 20, mem):free() end
    assert.equal(2, low:stats().live.count.current)
    make(65 * 2 ^ 20, mem):free()
    assert.equal(0, low:stats().live.count.current)
    for _ = 1, 3 do make(1000, mem):free() end
    mem:trim(3000)
    assert.equal(2, low:stats().live.count.current)
    mem:verify()
    assert.equal(0, low:stats().live.count.current)
    make(1000, mem):free()
    mem = nil -- luacheck: ignore
    full_collect()
    nd.transfers()
    assert.equal(0, low:stats().live.count.current)
  end)

  it("stacks with budgets, whose bytes are its own and the marks", function()
    local low = nd.memory.budget(nd.memory.host(), 8192)
    local mem = nd.memory.budget(nd.memory.guard(low), 8192)
    local a = make(1000, mem)
    assert.equal(a.size + 256 + 64, mem:stats().live.bytes.current - 24)
    assert.equal(low:stats().remaining, mem:stats().remaining)
    H.raises("budget_exceeded", make, 7000, mem)
    H.raises("budget_exceeded", make, 8000, mem)
    a:free()
    assert.equal(8192, mem:stats().remaining)
    assert(low:stats().remaining < 8192)
    make(7000, mem):free() -- what was kept makes way
    assert.equal(0, #mem:verify())
    assert.equal(8192, low:stats().remaining)
  end)

  it("is refused where it cannot be", function()
    local host = nd.memory.host()
    local e = H.raises("invalid_argument", nd.memory.pool, nd.memory.guard(host))
    assert(e.message:find "put it on the pool", e.message)
    H.raises("invalid_argument", nd.memory.guard, nd.memory.file(H.path "guarded.bin"))
    local pool = nd.memory.pool(host)
    H.raises("unsupported", pool.verify, pool)
    local mem = nd.memory.guard(pool)
    local a = make(100, mem)
    local block = named(a)
    bytes_of(a)[100] = 1
    a:free()
    check(only(mem), "after", 100, block)
  end)

  it("adds a row to a log beneath, with the damaged byte", function()
    local log = nd.memory.log(nd.memory.host(), {ring = 100})
    local mem = nd.memory.guard(log)
    local a = make(100, mem)
    local address = a:address()
    bytes_of(a)[-3] = 1
    a:free()
    H.raises("out_of_bounds", mem.records, mem)
    local records = mem:records()
    local last = records[#records]
    assert.equal(1, #mem:verify())
    assert.same({"damage", address - 3, 100}, {last.action, last.pointer, last.bytes})
  end)

  it("has room for 64 findings, and counts the others", function()
    local mem, arrays = nd.memory.guard(nd.memory.host()), {}
    for i = 1, 70 do
      arrays[i] = make(10, mem)
      bytes_of(arrays[i])[-1] = 1
    end
    local list = mem:verify()
    assert.same({64, 6}, {#list, list.lost})
    assert.equal(0, #mem:verify())
    for _, a in ipairs(arrays) do a:free() end
    assert.equal(0, #mem:verify())
  end)

  it("says how much it adds where that is what is missing", function()
    local budget = nd.memory.budget(nd.memory.host(), 1024)
    local mem = nd.memory.guard(budget)
    assert.is_false((mem:check(1024)))
    assert.is_true((mem:check(640)))
    local e = H.raises_like("budget_exceeded",
      "requested 1,344 B, .*, with the bytes that a guard adds$", nd.zeros, {1024}, "u8", mem)
    assert.equal(1344, e.requested)
    assert.equal(640, nd.zeros({640}, "u8", mem).size)
  end)

  it("gives what it keeps to other users of its memory", function()
    local budget = nd.memory.budget(nd.memory.host(), 1e6)
    local one, other = nd.memory.guard(budget), nd.memory.guard(budget)
    make(900000, one):free()
    make(500000, other):free()
    assert.equal(900000, make(900000, budget).size)
    make(900000, one):free()
    nd.memory.trim()
    assert.equal(0, budget:stats().live.bytes.current)
  end)

  it("keeps of a pool beneath only what trim says beside its own", function()
    -- what others dropped must not come to the cache of the host meanwhile
    full_collect()
    collectgarbage "stop"
    nd.memory.trim "cpu"
    local pool = nd.memory.pool(nd.memory.host())
    local mem = nd.memory.guard(pool)
    for _ = 1, 40 do make(10000, mem):free() end
    mem:trim(200000)
    local live, cached = pool:stats().live.bytes.current, pool:stats().cached.bytes.current
    local of_host = nd.memory.host():stats().cached.bytes.current
    collectgarbage "restart"
    local said = ("%d in use, %d cached, %d of them by the host"):format(live, cached, of_host)
    assert(live > 150000 and live + cached <= 200000, said)
  end)

  it("counts what it had no room for, those that were raised among them", function()
    local mem, list = nd.memory.guard(nd.memory.host()), {}
    for i = 1, 74 do list[i] = make(10, mem) end
    for _, a in ipairs(list) do bytes_of(a)[10] = 1 end
    for i = 1, 20 do
      list[i]:free()
      H.raises("out_of_bounds", make, 1, mem)
    end
    local found = mem:verify()
    assert.same({64, 10}, {#found, found.lost})
    local _, _, err = H.luajit(nil, [[
      local ffi, nd = require "ffi", require "ndbuf"
      local mem, list = nd.memory.guard(nd.memory.host()), {}
      for i = 1, 70 do
        list[i] = nd.empty({10}, "u8", {device = mem, lazy = false})
        ffi.cast("uint8_t *", list[i]:ptr())[10] = 1
      end
    ]])
    assert.equal(64, select(2, err:gsub("damage, after:", "")))
    assert(err:find("ndbuf: damage, 6 more findings\n", 1, true), err)
  end)

  it("writes what nobody was told when the state closes, or it is collected", function()
    local status, _, err = H.luajit(nil, [[
      local ffi, nd = require "ffi", require "ndbuf"
      local function damage(mem, at)
        local a = nd.empty({100}, "u8", {device = mem, lazy = false})
        local memory = ffi.cast("uint8_t *", a:ptr())
        if at == 5 then a:free() end
        memory[at] = 7
        return a
      end
      local mem = nd.memory.guard(nd.memory.host())
      damage(mem, 5)
      local kept = damage(mem, 100)
      local told = nd.memory.guard(nd.memory.host())
      damage(told, -1)
      assert(#told:verify() == 1)
      damage(nd.memory.guard(nd.memory.host()), -2)
      collectgarbage()
      collectgarbage()
      nd.transfers()
      io.stderr:write "collected\n"
    ]])
    assert.equal(0, status)
    local before, after = err:match "^(.*)collected\n(.*)$"
    assert(before:find "damage, before: 100 B at 0x%x+, storage %d+, offset %-2\n    %S+:%d", err)
    assert(after:find "damage, use after free: 100 B", err)
    assert(after:find "damage, after: 100 B at 0x%x+, storage %d+, offset 100\n", err)
    assert(not err:find("offset -1", 1, true), err)
  end)

  it("asks nobody for room where it is its marks that can never fit", function()
    local calls = 0
    local low = nd.memory.budget(nd.memory.host(), 1024)
    local mem = nd.memory.guard(nd.memory.retry(low, function() calls = calls + 1 end))
    H.raises("budget_exceeded", nd.empty, {1024}, "u8", {device = mem, lazy = false})
    assert.equal(0, calls)
    H.raises("budget_exceeded", nd.empty, {2000}, "u8", {device = mem, lazy = false})
    assert.equal(0, calls)
  end)

  it("is on all memory with any NDBUF_GUARD but 0", function()
    local tops = {["1"] = "guard", yes = "guard", ["00"] = "guard", ["0"] = "host", [""] = "host"}
    for value, top in pairs(tops) do
      local status, out, err = H.luajit(nil, ([[
        require("ffi").cdef "int setenv(const char *, const char *, int);"
        assert(require("ffi").C.setenv("NDBUF_GUARD", %q, 1) == 0)
        io.write(tostring(require("ndbuf").memory.get "cpu"):match "^%%a+")
      ]]):format(value))
      assert.same({0, top}, {status, out}, err)
    end
  end)

  it("is asked for by one Lua state, and not by one before it", function()
    local status, out, err = H.luajit(nil, [[
      local ffi = require "ffi"
      ffi.cdef "int setenv(const char *, const char *, int); void *luaL_newstate(void);"
      ffi.cdef "void luaL_openlibs(void *); int luaL_loadstring(void *, const char *);"
      ffi.cdef "int lua_pcall(void *, int, int, int); void lua_close(void *);"
      assert(ffi.C.setenv("NDBUF_BUDGET", "1GiB", 1) == 0)
      local nd = require "ndbuf"
      local a = nd.ones(1000) -- the stack is made: a budget
      assert(ffi.C.setenv("NDBUF_GUARD", "1", 1) == 0)
      local L = ffi.C.luaL_newstate()
      ffi.C.luaL_openlibs(L)
      assert(ffi.C.luaL_loadstring(L, [=[
        local nd = require "ndbuf"
        for i = 1, 100 do nd.ones(i):free() end
        io.write(tostring(nd.memory.get "cpu"):match "^%a+")
      ]=]) == 0 and ffi.C.lua_pcall(L, 0, 0, 0) == 0)
      ffi.C.lua_close(L)
      assert(a[1000] == 1)
    ]])
    assert.same({0, "budget"}, {status, out}, err)
  end)
end)
