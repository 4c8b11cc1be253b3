-- Who keeps memory alive, and when it goes back: views, owners, scopes, the collector, the end.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"

-- Bytes in use once everything that nothing refers to is gone. Host memory that was collected stays
-- pending while a device's work reads it: earlier tests' work too, so wait for the device.
local function live()
  for _ = 1, 2 do
    collectgarbage()
    nd.device(H.device):synchronize()
    core.stats() -- lets go of the owners of what was collected
  end
  collectgarbage()
  local stats = core.stats()
  return stats.live + stats.pending
end

-- Run 'fn'; nothing of what it made may be left.
local function leaves_nothing(fn, rounds)
  jit.flush() -- compiled code keeps what it was made with
  local before = live()
  fn()
  for _ = 1, rounds or 0 do live() end
  assert.are.equal(0, live() - before)
end

-- Run a script in a process of its own; what it prints.
local function child(script, flags)
  flags = flags or jit.status() and "" or "-joff"
  local status, out, err = H.luajit(flags, 'local nd = require "ndbuf"\n' .. script)
  if status ~= 0 then error(("status %d:\n%s%s"):format(status, out, err), 2) end
  assert.are.equal("", err)
  return out
end

-- A test of this kind: its process has no other device, so that spec/dev/suite_spec.lua needs none.
local in_child = H.device == "cpu" and it or function() end

describe("a view", function()
  it("keeps the storage when the array it came from is gone", function()
    leaves_nothing(function()
      local last
      do
        local row = nd.full({100, 1000}, 7, "i32")[50]
        last = row:narrow(1, 999, 2):flip()
      end
      collectgarbage()
      collectgarbage()
      assert.are.equal(7, last[2])
    end)
  end)

  it("shares the fate of its storage when that is freed", function()
    local a = nd.zeros(100, 100)
    local views = {a[1], a.T, a:flatten()[{{2, 3}}], a:readonly_view()}
    collectgarbage() -- else what others dropped is freed as well
    local before = core.stats().live
    views[1]:free()
    assert.are.equal(100 * 100 * 8, before - core.stats().live)
    for _, v in ipairs(views) do
      H.raises("freed", v.clone, v)
      H.raises("freed", v.totable, v)
      assert.is_false(v.is_allocated)
    end
  end)
end)

describe("wrapped memory", function()
  it("keeps its owner, and lets go of it with the last view", function()
    local weak = setmetatable({}, {__mode = "v"})
    local function make()
      local owner = {memory = ffi.new("float[100]", 3)}
      weak[1] = owner
      return nd.wrap(owner.memory + 10, "f32", {50}, {owner = owner})[{{2, 5}}]
    end
    local held = {make()}
    live()
    assert.is_truthy(weak[1])
    assert.are.equal(3, held[1][1])
    held[1] = nil
    live()
    assert.is_nil(weak[1])
  end)

  it("keeps the pointer's own cdata when no owner is named", function()
    local view = nd.wrap(ffi.new("double[1000]", 5), "f64", {1000})
    for _ = 1, 100 do local _ = ffi.new("double[1000]", 9) end
    live()
    assert.are.equal(5, view[1000])
  end)

  it("may be owned by an array, in a chain", function()
    leaves_nothing(function()
      local a = nd.zeros(1000)
      for _ = 1, 10 do a = nd.wrap(a:ptr(), "f64", {1000}, {owner = a}) end
      live()
      a[1000] = 1
    end, 10)
  end)

  it("lets go of the owner after free() too", function()
    local weak = setmetatable({}, {__mode = "v"})
    local function make()
      weak[1] = {}
      local a = nd.wrap(ffi.new "int[4]", "i32", {4}, {owner = weak[1]})
      a:free()
      H.raises("freed", function() return a[1] end)
    end
    make()
    live()
    assert.is_nil(weak[1])
  end)
end)

describe("nd.scope", function()
  it("frees what was made inside and not returned", function()
    local inner
    local keep, number, list = nd.scope(function(n)
      inner = nd.zeros(n)
      local other = nd.ones(10)
      return nd.full({n}, 3), 42, {deep = {other[{{1, 2}}]}}
    end, 4)
    H.raises("freed", function() return inner[1] end)
    assert.are.equal(3, keep[4])
    assert.are.equal(42, number)
    assert.are.equal(1, list.deep[1][2])
  end)

  it("leaves alone what was there before, and views of it", function()
    local a = nd.ones(4)
    local view
    nd.scope(function() view = a:narrow(1, 2, 2) end)
    assert.are.equal(1, view[2])
  end)

  it("nests: what an inner one returns belongs to the outer one", function()
    local kept
    local out = nd.scope(function()
      local x, y = nd.scope(function() return nd.ones(3), nd.ones(3) end)
      kept = y
      assert.are.equal(1, y[1])
      return x
    end)
    assert.are.equal(1, out[1])
    H.raises("freed", function() return kept[1] end)
  end)

  it("frees when there is an error inside, which passes through", function()
    local inner
    local fine, e = pcall(nd.scope, function()
      inner = nd.zeros(3)
      nd.scope(function() nd.zeros(-1) end)
    end)
    assert.is_false(fine)
    assert.are.equal("invalid_argument", e.code)
    H.raises("freed", function() return inner[1] end)
    local mine = {}
    assert.are.equal(mine, select(2, pcall(nd.scope, error, mine)))
    local x = nd.scope(function() return nd.ones(1) end)
    assert.are.equal(1, x[1])
  end)

  it("follows tables that are cyclic, deep or shared", function()
    local t = nd.scope(function()
      local top = {}
      local at = top
      for _ = 1, 20000 do
        at[1] = {top}
        at = at[1]
      end
      at[2] = nd.ones(2)
      return top
    end)
    while not t[2] do t = t[1] end
    assert.are.equal(1, t[2][1])
  end)

  it("works in coroutines, but no yield crosses it", function()
    local co = coroutine.wrap(function()
      coroutine.yield(nd.scope(function() return nd.ones(1) end))
      nd.scope(function() coroutine.yield(1) end)
    end)
    assert.are.equal(1, co()[1])
    assert.has_error(co)
    local a = nd.scope(function() return nd.ones(1) end)
    assert.are.equal(1, a[1])
  end)

  it("returns many values, or refuses", function()
    local values = {}
    for i = 1, 5000 do values[i] = i end
    assert.are.equal(5000, select("#", nd.scope(function() return unpack(values) end)))
    local made
    local e = H.raises("capacity", nd.scope, function()
      made = nd.ones(2)
      return unpack(values, 1, 7980)
    end)
    assert.is_truthy(e.message:find "values")
    H.raises("freed", function() return made[1] end)
  end)
end)

describe("a finalizer", function()
  in_child("may call us while a handle is being made", function()
    child("local views = " .. H.cases(200000) .. [[

      local function chain(n)
        if n == 0 then return end
        getmetatable(newproxy(true)).__gc = function()
          local z = nd.zeros(3)
          z[1] = n
          assert(z:narrow(1, 1, 2)[1] == n)
          chain(n - 1)
        end
      end
      for _ = 1, 20 do chain(300) end
      local a = nd.zeros(10, 10)
      for i = 1, views do
        local v = a:narrow(1, 1, 5)
        assert(v.ndim == 2 and v.dtype == "f64")
      end
      for _ = 1, 400 do collectgarbage() end -- lua_close gives up on chains
    ]])
  end)

  -- Without the JIT: LuaJIT itself crashes when a finalizer raises while it records FFI calls.
  in_child("that raises loses no memory, also in a collection for the debt", function()
    local out = child([[
      local core = require "ndbuf.core"
      local raised = 0
      local function arm()
        getmetatable(newproxy(true)).__gc = function()
          raised = raised + 1
          error "from a finalizer"
        end
      end
      local function few() for j = 1, 100 do local _ = nd.zeros(10)[3] end end
      for i = 1, 400 do -- whatever allocates may raise
        pcall(arm)
        pcall(nd.zeros, 1000000)
        pcall(few)
      end
      for i = 1, 500 do pcall(collectgarbage) end
      core.stats()
      collectgarbage()
      local stats = core.stats()
      print(raised > 100, stats.live, stats.count, stats.collections > 10)
    ]], "-joff")
    assert.are.equal("true\t0\t0\ttrue\n", out)
  end)

  in_child("may free what we are working on", function()
    child [[
      for i = 1, 30 do
        local a, b = nd.zeros(2000000), nd.zeros(2000000)
        for j = 1, 3 do getmetatable(newproxy(true)).__gc = function() a:free() b:free() end end
        local fine, e = pcall(function()
          b:copy_from(a:narrow(1, 1, 2000000):flip())
          b[{{1, 1000000}}] = b[{{2, 1000001}}]
          return nd.concat({a, b}, 1):clone()
        end)
        assert(fine or e.code == "freed", tostring(e))
      end
    ]]
  end)

  it("may resurrect a handle, which then says that it was finalized", function()
    local kept
    do
      local holder = newproxy(true)
      local a = nd.ones(4)
      getmetatable(holder).__gc = function() kept = a end
    end
    live()
    local fine, e = pcall(function() return kept[1] end)
    assert.is_truthy(fine and e == 1 or e.code == "freed")
  end)

  in_child("may empty the list that is being joined", function()
    child [[
      for i = 1, 20 do
        local list = {}
        for j = 1, 20 do list[j] = nd.ones({500000}, "u8") end
        for j = 1, 3 do
          getmetatable(newproxy(true)).__gc = function()
            for k = 1, #list do list[k] = nil end
            for k = 1, 20 do local _ = nd.zeros(5000000) end
          end
        end
        local _ = nd.zeros(8000000)
        local fine, all = pcall(nd.concat, list, 1)
        assert(fine and all.size == 10000000 and all[10000000] == 1 or #list == 0, tostring(all))
      end
    ]]
  end)

  in_child("may resume coroutines that allocate", function()
    child [[
      for i = 1, 200 do
        getmetatable(newproxy(true)).__gc = function()
          coroutine.wrap(function() for j = 1, 3 do local _ = nd.zeros(3000000) end end)()
        end
        local a = nd.zeros(3000000)
        assert(a[3000000] == 0)
      end
    ]]
  end)
end)

describe("errors", function()
  it("in coroutines that are dropped leave nothing", function()
    leaves_nothing(function()
      for i = 1, 200 do
        local co = coroutine.create(function()
          local a = nd.ones(1000)
          coroutine.yield()
          if i % 2 == 0 then a:reshape(7) end
          return a
        end)
        coroutine.resume(co)
        if i % 3 ~= 0 then coroutine.resume(co) end
      end
    end)
  end)

  in_child("after a failed allocation leave compiled code sound", function()
    child [[
      local function work(n)
        local sum = 0
        for i = 1, n do
          local t = {i, tostring(i)}
          sum = sum + #t[2]
          if i % 50 == 0 then assert(not pcall(nd.zeros, 2 ^ 53)) end
        end
        return sum
      end
      local expected = work(5000)
      for i = 1, 20 do assert(work(5000) == expected) end
    ]]
  end)
end)

describe("the collector", function()
  in_child("is not started by us when the script has stopped it", function()
    local out = child [[
      local core = require "ndbuf.core"
      collectgarbage "stop"
      for i = 1, 5 do local _ = nd.zeros(40 * nd.MiB, "u8") end
      print(core.stats().collections, collectgarbage "isrunning")
      pcall(nd.zeros, 2 ^ 53)
      print(core.stats().collections > 0, collectgarbage "isrunning")
    ]]
    assert.are.equal("0\tfalse\ntrue\tfalse\n", out)
  end)

  it("keeps temporaries of 64 MiB within 192 MiB", function()
    if H.is_sanitized then return pending "resident memory means nothing under AddressSanitizer" end
    local out = child [[
      local function resident(key)
        for line in io.lines "/proc/self/status" do
          local kib = line:match("^" .. key .. ":%s+(%d+)")
          if kib then return kib / 1024 end
        end
      end
      local before = resident "VmRSS"
      for i = 1, 100 do -- the first ones wholly touched
        local a = i % 2 == 0 and nd.ones(64 * nd.MiB, "u8") or nd.zeros(64 * nd.MiB, "u8")
        assert(a[-1] == (i % 2 == 0 and 1 or 0))
        if i <= 30 then a:fill(i) end
      end
      print(resident "VmHWM" - before)
    ]]
    assert.is_true(tonumber(out) <= 192, "grew by " .. out .. " MiB")
  end)

  in_child("runs at most 10 times for 50,000 live arrays of 64 KiB", function()
    local out = child("local arrays = " .. math.min(50000, H.cases(50000)) .. [[

      local core = require "ndbuf.core"
      local keep = {}
      for i = 1, arrays do keep[i] = nd.empty(65536, "u8"):allocate() end
      print(core.stats().collections)
    ]])
    assert.is_true(tonumber(out) <= 10, out .. " collections")
  end)
end)

describe("the end of a state", function()
  in_child("runs what is left, in any order", function()
    local out = child [[
      local a = nd.ones(1000)
      local map = nd.wrap(a:ptr(), "f64", {1000}, {owner = a})
      for i = 1, 5 do
        getmetatable(newproxy(true)).__gc = function()
          local fine, e = pcall(function()
            local b = nd.zeros(10)
            b[1] = 2
            nd.scope(function() return b:clone() end)
            local sum = b[1]
            pcall(nd.zeros, -1)
            pcall(nd.wrap, require "ffi".new "int[4]", "i32", {4})
            return sum
          end)
          assert(fine and e == 2 or e.code, tostring(e))
          local seen, x = pcall(function() return map[1] end)
          assert(seen and x == 1 or x.code == "freed", tostring(x))
          io.write "."
        end
      end
      keep = {a, map}
    ]]
    assert.are.equal(".....", out)
  end)

  it("comes while a coroutine, a scope and an error are in the air", function()
    local status, _, err = H.luajit("", [[
      local nd = require "ndbuf"
      nd.scope(function()
        keep = coroutine.wrap(function() local a = nd.ones(10) coroutine.yield() return a end)
        keep()
        error(select(2, pcall(nd.zeros, -1)))
      end)
    ]])
    assert.are.equal(1, status)
    assert.is_truthy(err:find "ndbuf: shape")
  end)
end)

describe("the module", function()
  in_child("may be loaded again, next to arrays of its first life", function()
    child [[
      local old = nd.ones(3)
      for i = 1, 5 do
        for name in pairs(package.loaded) do
          if name:find "^ndbuf" then package.loaded[name] = nil end
        end
        local new = require "ndbuf"
        assert(new ~= nd)
        local a = new.ones(3)
        assert(a:equal(old) and old:equal(a))
        collectgarbage() collectgarbage()
        assert(old[1] == 1 and a[1] == 1 and new.concat({old, a}, 1).size == 6)
        assert(not pcall(function() return old[4] end) and not pcall(function() return a[4] end))
        nd.scope(function() return new.ones(1) end)
      end
      package.loaded.ndbuf = nil
      assert(require "ndbuf".ones(2)[2] == 1)
    ]]
  end)
end)
