-- The collector's corners, in processes of their own; spec/bind/lifetime_spec.lua has the rest.
local H = require "spec.helper"

local function child(script, flags)
  flags = flags or jit.status() and "" or "-joff"
  local status, out, err = H.luajit(flags, [[
    local nd = require "ndbuf"
    local core = require "ndbuf.core"
    local function on_gc(fn)
      local p = newproxy(true)
      getmetatable(p).__gc = fn
      return p
    end
  ]] .. script)
  if status ~= 0 then error(("status %d:\n%s%s"):format(status, out, err), 2) end
  assert.are.equal("", err)
  return out
end

describe("a handle that was finalized and is reachable again", function()
  it("raises freed from every method, field and metamethod", function()
    local out = child [[
      local kept = {}
      local function arm()
        for _, dtype in ipairs {"u8", "f64", "c64"} do
          local a = nd.ones({4, 3}, dtype)
          local p = on_gc(function() kept[#kept + 1] = a end) -- younger than a: runs first
          local b
          local q = on_gc(function() kept[#kept + 1] = b end) -- older than b: runs after it
          b = nd.ones({4, 3}, dtype)
        end
      end
      arm()
      collectgarbage() collectgarbage()
      assert(#kept == 6)
      local finalized, calls = 0, 0
      local function refuses(name, fn, ...)
        local fine, e = pcall(fn, ...)
        calls = calls + 1
        assert(not fine and e.code and e.code ~= "", name .. ": " .. tostring(e))
        return e.code
      end
      for _, a in ipairs(kept) do
        if not pcall(function() return a.storage_id end) then
          finalized = finalized + 1
          local mt = core.metatables[getmetatable(a):match "%w+$"]
          for name, get in pairs(mt.properties) do
            if name ~= "ndim" and name ~= "size" then -- these need no memory
              assert(refuses(name, get, a) == "freed", name)
            end
          end
          for name, fn in pairs(mt.methods) do refuses(name, fn, a, 1, 1, 1) end
          for _, name in ipairs {"clone", "totable", "copyout", "flip", "allocate", "item"} do
            assert(refuses(name, function() return a[name](a) end) == "freed", name)
          end
          assert(refuses("[]", function() return a[1] end) == "freed")
          assert(refuses("[]=", function() a[1] = 1 end) == "freed")
          assert(refuses("()", function() return a(1, 1) end) == "freed")
          assert(refuses("tostring", tostring, a) == "freed")
          local whole = nd.ones({4, 3})
          assert(refuses("copy_from", whole.copy_from, whole, a) == "freed")
          assert(refuses("concat", nd.concat, {whole, a}) == "freed")
          assert(refuses("wrap", nd.wrap, whole:ptr(), "f64", {1}, {owner = 1, offset = a}) ~= "")
          nd.scope(function() return a end)
        end
      end
      collectgarbage()
      print(finalized, calls > 100)
      kept = nil
      collectgarbage() collectgarbage()
      print(core.stats().live, core.stats().count)
    ]]
    assert.is_truthy(out:find "^[1-6]\ttrue\n0\t0\n$", out)
  end)
end)

describe("a state that is closed", function()
  for place, script in pairs {
    ["in a scope"] = "nd.scope(function() local inner = nd.ones(10) work() os.exit(0, true) end)",
    ["in a coroutine"] = [[coroutine.wrap(function()
      local inner = nd.ones(10)
      nd.scope(function() work() os.exit(0, true) end)
    end)()]],
    ["in an error handler"] = "xpcall(nd.zeros, function() work() os.exit(0, true) end, -1)",
    ["by its end"] = "work()",
  } do
    it("runs the finalizers of all that is alive " .. place, function()
      assert.are.equal("xx", child([[
        local ffi = require "ffi"
        function work()
          lazy, held = nd.empty(1000), nd.ones(1000)
          views = {held:flip(), held[{{1, 10}}], nd.ones(3).T}
          owned = nd.wrap(ffi.new "double[10]", "f64", {10}, {owner = on_gc(function()
            io.write "x"
          end)})
          chain = nd.wrap(held:ptr(), "f64", {1000}, {owner = {held, owned}})
          dead = coroutine.create(function() local a = nd.ones(5) coroutine.yield(a) end)
          coroutine.resume(dead)
          user = on_gc(function()
            pcall(function() held:clone():free() end)
            pcall(nd.zeros, 100)
            pcall(nd.zeros, -1)
            pcall(nd.scope, function() return chain[1] end)
            io.write "x"
            error "at the end"
          end)
        end
      ]] .. script))
    end)
  end
end)

describe("a coroutine", function()
  -- Without the JIT: LuaJIT itself crashes when a finalizer raises while it records FFI calls.
  it("that dies inside of our calls leaves nothing", function()
    local out = child([[
      local died, yielded = 0, 0
      local function half(i)
        return coroutine.create(function()
          local a = nd.zeros(1000, 100)
          coroutine.yield(a:narrow(1, 1, 5))
          for k = 1, 50 do
            if i % 3 == 0 then on_gc(function() error "from a finalizer" end) end
            local v = a:narrow(1, 1, k):flip()
            v:copy_from(v:clone())
          end
          if i % 2 == 0 then a:reshape(7) end
          coroutine.yield(nd.scope(function() return a:clone() end))
        end)
      end
      for i = 1, 300 do
        local fine, co = pcall(half, i)
        if fine then
          yielded = yielded + (coroutine.resume(co) and 1 or 0)
          if i % 5 ~= 0 and not coroutine.resume(co) then died = died + 1 end
        end
      end
      for i = 1, 6000 do pcall(collectgarbage) end -- each may end at one that raises
      core.stats()
      collectgarbage()
      print(died > 5, yielded > 10, core.stats().live, core.stats().count)
    ]], "-joff")
    assert.are.equal("true\ttrue\t0\t0\n", out)
  end)
end)

describe("the collector", function()
  it("keeps its settings, and stays stopped after a failure", function()
    assert.are.equal("0\tfalse\ntrue\tfalse\t0\n170\t333\n", child [[
      collectgarbage("setpause", 170)
      collectgarbage("setstepmul", 333)
      collectgarbage "stop"
      local big
      for i = 1, 10 do big = nd.zeros(30 * nd.MiB, "u8") end
      print(core.stats().collections, collectgarbage "isrunning")
      big = nil
      assert(not pcall(nd.zeros, 2 ^ 53))
      print(core.stats().collections > 0, collectgarbage "isrunning", core.stats().live)
      print(collectgarbage("setpause", 100), collectgarbage("setstepmul", 100))
    ]])
  end)

  it("lets a call see that it is interrupted, though a finalizer calls us meanwhile", function()
    assert.are.equal("interrupted\ttrue\n", child([[
      nd.set_threads(1) -- else another thread may do nearly all, and this one ends without looking
      local a, code, is_over = nd.zeros(8 * nd.MiB, "u8"), nil, false
      on_gc(function()
        debug.sethook(function() end, "", 1e9) -- as a signal's handler does
        nd.ones(3)
        is_over = true
      end)
      for i = 1, 100 do
        local fine, e = pcall(a.clone, a)
        if not fine then code = e.code break end
      end
      print(code, is_over)
    ]], "-joff"))
  end)

  it("may empty the options of a call in its middle, which then has those that it read", function()
    assert.are.equal("true\n0\n", child([[
      local a, emptied, options = nd.arange(1, 12):reshape(3, 4), 0, nil
      local function empty()
        if not options then return end -- before the call, or after
        emptied = emptied + 1
        for key in pairs(options) do options[key] = nil end
      end
      local function text(x)
        return type(x) == "number" and tostring(x) or table.concat(x:reshape(3):totable(), " ")
      end
      collectgarbage("setpause", 0)
      collectgarbage("setstepmul", 5000)
      local i = 0
      while emptied < 50 and i < 1e5 do
        i = i + 1
        -- by random, so that collections keep no step with the loop
        for _ = 1, math.random(0, 40) do local _ = {i} end
        local out = i % 2 == 0 and nd.zeros(3, 1) or nil
        on_gc(empty)
        options = {axis = 2, keepdims = true, out = out}
        local fine, r = pcall(a.sum, a, options)
        options = nil
        if fine then
          assert(text(r) == "10 26 42" or text(r) == "78", text(r))
        else
          assert(r.code == "shape_mismatch", tostring(r)) -- 'out' without the others
        end
      end
      print(emptied >= 50)
      a = nil
      for i = 1, 4 do collectgarbage() core.stats() end
      print(core.stats().live)
    ]], "-joff"))
  end)

  it("runs by the debt: for what is dropped, not for what is freed or scoped", function()
    local out = child [[
      local function count(fn)
        collectgarbage() collectgarbage()
        local before = core.stats().collections
        for i = 1, 100 do fn() end
        return core.stats().collections - before
      end
      print(count(function() nd.zeros(8 * nd.MiB, "u8"):free() end),
        count(function() nd.scope(function() nd.zeros(8 * nd.MiB, "u8") end) end),
        count(function() nd.zeros(8 * nd.MiB, "u8") end),
        count(function() nd.empty(8 * nd.MiB, "u8") end))
    ]]
    local freed, scoped, dropped, lazy = out:match "(%d+)\t(%d+)\t(%d+)\t(%d+)"
    assert.same({"0", "0", "0"}, {freed, scoped, lazy})
    assert.is_true(tonumber(dropped) >= 10 and tonumber(dropped) <= 13, out)
  end)
end)

describe("NDBUF_GC_STRESS", function()
  -- What is collected by a handle without memory, memory without a handle, another kind of handle,
  -- and by what is neither; Lua's own collector is stopped.
  local script = [[
    collectgarbage "stop"
    local nd = require "ndbuf"
    local a, lazy = nd.ones(2, 3), nd.empty(5, {lazy = true})
    local function collects(fn)
      local weak = setmetatable({{}}, {__mode = "v"})
      fn()
      return weak[1] == nil
    end
    print(collects(function() return a[1] end), collects(function() lazy:allocate() end),
      collects(function() return nd.device "cpu" end), collects(function() return a(1, 2) end))
  ]]
  local function run(value)
    local path = H.write(H.path "stress.lua", script)
    local status, out, err = H.run(("NDBUF_GC_STRESS=%s LUA_PATH=%s LUA_CPATH=%s %s %s %s"):format(
      value, H.quote(package.path), H.quote(package.cpath), os.getenv "LUAJIT" or "luajit",
      jit.status() and "" or "-joff", H.quote(path)))
    assert.are.equal(0, status, err)
    return out
  end

  it("collects before each handle and each allocation", function()
    assert.are.equal("true\ttrue\ttrue\tfalse\n", run "1")
    assert.are.equal("false\tfalse\tfalse\tfalse\n", run "0")
  end)
end)

-- A closure that is called in compiled code is a constant of it, and so is what it closes over.
describe("compiled code of the library", function()
  it("keeps no array that it worked on", function()
    assert.are.equal("0\t0\n", child [[
      local complete, show = require "ndbuf.complete", require "ndbuf.show"
      if jit.status() then jit.opt.start("hotloop=2", "hotexit=2") end
      local made = setmetatable({}, {__mode = "k"})
      local function work(a)
        made[a] = true
        x = a
        assert(#tostring(a) > 10 and #show.value(a) > 10 and #complete "x.T.sh" == 1)
        x = nil
        for _, row in a:rows() do row[1] = row[2] end
        for _, row in a:iter() do row:sum() end
        for i = 1, #a do a[i][1] = a(i, 2) end
        nd.scope(function(b) b:clone() end, a)
        return a[1]:unpack()
      end
      for i = 1, 100 do work(nd.full({2 + i % 3, 3}, i)) end
      for i = 1, 30 do work(nd.full({600, 3}, i)) end
      collectgarbage() collectgarbage()
      local left = 0
      for _ in pairs(made) do left = left + 1 end
      print(left, core.stats().live)
    ]])
  end)
end)
