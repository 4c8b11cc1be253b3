-- What is asked when memory runs out, and what is known of blocks that are outstanding.
local nd = require "ndbuf"
local H = require "spec.helper"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

local function full_collect()
  collectgarbage()
  collectgarbage()
end

describe("retry", function()
  it("asks a function for memory as long as it says to try again", function()
    local spilled, calls = {}, {}
    local mem = nd.memory.retry(nd.memory.budget(nd.memory.host(), 10240), function(bytes, why)
      calls[#calls + 1] = {bytes, why}
      if #spilled == 0 then return false end
      table.remove(spilled):free()
      return true
    end)
    for i = 1, 5 do spilled[i] = make(2048, mem) end
    local a = make(6144, mem)
    assert.same({3, 2, 6144}, {#calls, #spilled, calls[1][1]})
    assert.truthy(calls[1][2]:find "^budget exceeded on cpu: requested 6,144 B, in use 10,240 B")
    H.raises("budget_exceeded", make, 8192, mem)
    assert.same({6, 0}, {#calls, #spilled})
    H.raises("budget_exceeded", make, 10241, mem) -- can never fit: not asked
    assert.equal(6, #calls)
    a:free()
    local s = mem:stats()
    assert.same({0, 8, 2}, {s.live.bytes.current, s.requests, s.failed_takes})
  end)

  it("asks once and again, as RMM does: RetryAllocationOnce", function()
    local calls = 0
    local budget = nd.memory.budget(nd.memory.host(), 64)
    local a = make(64, budget)
    local mem = nd.memory.retry(budget, function()
      calls = calls + 1
      return calls == 1
    end)
    H.raises("budget_exceeded", make, 64, mem)
    assert.equal(2, calls)
    mem = nd.memory.retry(budget, function()
      budget:set_limit(1000)
      return true
    end)
    assert.equal(64, make(64, mem).nbytes)
    assert.equal(64, a.nbytes)
  end)

  it("tells an error of the function with that of the array", function()
    local mem = nd.memory.retry(nd.memory.budget(nd.memory.host(), 64), function()
      error("no spilling today", 0)
    end)
    local a = make(64, mem)
    local err = H.raises("budget_exceeded", make, 64, mem)
    assert.truthy(tostring(err):find("the function of nd.memory.retry failed: no spilling today", 1,
      true), tostring(err))
    mem = nd.memory.retry(nd.memory.budget(nd.memory.host(), 64), function() nd.zeros(-1) end)
    local b = make(64, mem)
    err = H.raises("budget_exceeded", make, 64, mem)
    assert.truthy(tostring(err):find("retry failed: shape: extent 1 is -1", 1, true), tostring(err))
    assert.equal(128, a.nbytes + b.nbytes)
  end)

  it("may be asked for a reservation, and use ndbuf and other coroutines itself", function()
    local kept = {}
    local budget = nd.memory.budget(nd.memory.host(), 6400)
    local mem
    mem = nd.memory.retry(budget, coroutine.wrap(function()
      while true do
        assert(not pcall(nd.ones, 1000, mem)) -- which is not asked again
        assert(nd.ones(1000, nd.memory.host())[1000] == 1)
        kept[1] = nil
        full_collect()
        coroutine.yield(true)
      end
    end))
    kept[1] = make(6400, mem)
    local r = coroutine.wrap(function() return mem:reserve(6400) end)()
    assert.equal(6400, r.remaining)
    r:release()
    kept[1] = make(6400, mem)
    assert.equal(6400, kept[1].nbytes)
    nd.memory.use(mem, function()
      local a = nd.ones(100)
      assert.equal(101, (a + 1):sum() - 99)
    end)
  end)

  it("is asked once for the result of an operation, whatever its size, with the message", function()
    for _, n in ipairs {8, 10000} do
      local calls = {}
      local budget = nd.memory.budget(nd.memory.host(), 2 * n * 8)
      local held = {nd.ones(n, budget), nd.ones(n, budget)}
      local mem = nd.memory.retry(budget, function(bytes, why)
        calls[#calls + 1] = {bytes, why:match "^budget.- B,"} -- what is cached may change
      end)
      nd.memory.use(mem, function()
        local e = H.raises("budget_exceeded", function() return held[1] + held[2] end)
        assert.same({{n * 8, assert(e.message:match "^budget.- B,")}}, calls)
        H.raises("budget_exceeded", function() return held[1] * 2 end)
        H.raises("budget_exceeded", function() return held[1]:neg() end)
        assert.equal(3, #calls)
      end)
      assert.same({3, 3}, {mem:stats().requests, mem:stats().failed_takes})
    end
  end)

  it("is not asked for what its function takes itself", function()
    local depth, most, mem = 0, 0, nil
    mem = nd.memory.retry(nd.memory.budget(nd.memory.host(), 64), function()
      depth = depth + 1
      most = math.max(most, depth)
      if depth < 5 then pcall(make, 32, mem) end
      depth = depth - 1
    end)
    local a = make(64, mem)
    H.raises("budget_exceeded", make, 1, mem)
    assert.same({1, 64}, {most, a.nbytes})
  end)

  it("stands on a budget, not under one", function()
    local host = nd.memory.host()
    local mem = nd.memory.retry(host, print)
    H.raises_like("invalid_argument", "a budget over retry: .* put it on the budget",
      nd.memory.budget, mem, 1)
    H.raises_like("invalid_argument", "a budget over retry", nd.memory.budget,
      nd.memory.stats(mem), 1)
    assert.equal("retry of host memory of cpu", tostring(mem))
    H.raises("type_mismatch", nd.memory.retry, host)
    H.raises("type_mismatch", nd.memory.retry, host, true)
  end)

  it("releases its function with the last block", function()
    local seen = setmetatable({}, {__mode = "k"})
    local function new()
      local token = {}
      seen[token] = true
      return make(100, nd.memory.retry(nd.memory.host(), function() return token == nil end))
    end
    local a = new()
    full_collect()
    assert.truthy(next(seen))
    a:free()
    a = nil
    full_collect()
    make(1, nd.memory.host()) -- the next call drops it
    full_collect()
    assert.is_nil(next(seen))
    assert.is_nil(a)
  end)
end)

describe("track", function()
  it("lists what is outstanding, the oldest first, with the lines that took it", function()
    local mem = nd.memory.track(nd.memory.host())
    local function inner()
      local a = make(1000, mem)
      return a
    end
    local a, b = inner(), nd.zeros({10}, "f64", mem)
    make(5, mem):free()
    local c = make(0, mem)
    local list = mem:outstanding()
    assert.equal(3, #list)
    for i, x in ipairs {a, b, c} do
      local o = list[i]
      assert.same({x.nbytes, x.storage_id, i < 3 and x:address() or 0},
        {o.bytes, o.tag, o.address})
      assert(o.age >= 0 and o.age < 60)
    end
    assert.same({1, 2, 4}, {list[1].generation, list[2].generation, list[3].generation})
    local lines = {}
    for line in list[1].traceback:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.truthy(lines[1]:find "retry_spec.lua:%d+: in inner$", lines[1])
    assert.truthy(lines[2]:find "retry_spec.lua:%d+: in ", lines[2])
    a:free()
    b:free()
    c:free()
    assert.same({}, mem:outstanding())
    H.raises("unsupported", function() nd.memory.host():outstanding() end)
    H.raises_like("invalid_argument", "put it on the pool", nd.memory.pool, mem)
  end)

  it("agrees with a model after many arrays come and go", function()
    local rng = H.rng "track"
    local mem = nd.memory.track(nd.memory.budget(nd.memory.host(), "1GiB"))
    local live, count = {}, 0
    for _ = 1, H.cases(3000) do
      if rng(1, 2) == 1 or #live == 0 then
        count = count + 1
        live[#live + 1] = {array = make(rng(0, 5000), mem), generation = count}
      else
        table.remove(live, rng(1, #live)).array:free()
      end
    end
    local list = mem:outstanding()
    assert.equal(#live, #list, "seed " .. H.seed)
    for i, x in ipairs(live) do
      assert.same({x.array.nbytes, x.array.storage_id, x.generation},
        {list[i].bytes, list[i].tag, list[i].generation})
    end
  end)

  it("reports at the end what a Lua state did not give back, on request", function()
    local script = [[
      require("ffi").cdef "int setenv(const char *, const char *, int);" -- its finalizers' order
      require("ffi").C.setenv("NDBUF_GC_STRESS", "0", 1)
      local nd = require "ndbuf"
      local mem = nd.memory.track(nd.memory.host(), {report = %s})
      kept = nd.ones({100}, "u8", mem) -- goes with the state
      local last = newproxy(true)
      getmetatable(last).__gc = function()
        leaked = nd.zeros({1000}, "f64", mem)
      end
    ]]
    local status, _, err = H.luajit("", script:format "true")
    assert.equal(0, status)
    assert.truthy(err:find("back to cpu as the Lua state closes: 1 block\n", 1, true), err)
    assert.truthy(err:find "8000 B at 0x%x+, storage 2, %d+%.%d+ s old\n", err)
    assert.truthy(err:find "\n    [^\n]+:8: in ", err)
    status, _, err = H.luajit("", script:format "false")
    assert.same({0, ""}, {status, err})
  end)
end)
