-- What the tests of RMM are about, by their names, on pinned, device and managed memory; and
-- streams of other code with the default memory of a GPU.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

local LEAVES = [[
  local gpu = nd.device "cuda:0"
  local leaves = {nd.memory.device(0), nd.memory.device(0, {async = false}), nd.memory.managed(0),
                  nd.memory.pinned()}
  local calls = {"cuMemAllocFromPoolAsync", "cuMemAlloc_v2", "cuMemAllocManaged", "cuMemHostAlloc"}
  local function make(n, mem, stream)
    return nd.empty({n}, "u8", {device = mem, lazy = false, stream = stream})
  end
  local function settle(mem)
    gpu:synchronize()
    mem:reap()
    return mem:stats().live
  end
]]

local OTHERS = streams.THEIRS .. [[
  ffi.cdef "int cuMemsetD8Async(uint64_t, unsigned char, size_t, void *);"
  ffi.cdef "int cuStreamSynchronize(void *);"
  local function destroy(stream)
    collectgarbage()
    collectgarbage()
    assert(driver.cuStreamDestroy_v2(stream) == 0)
  end
]]

local function each_mode(name, script, settings)
  for _, mode in ipairs(C.modes) do
    it(name .. ", " .. mode, function()
      local all = {mode = mode, protect = 1}
      for key, value in pairs(settings or {}) do all[key] = value end
      C.run(all, LEAVES .. script)
    end)
  end
end

describe("of RMM's tests", function()
  -- A pool has no size to begin with; who wants memory to be there reserves it in a budget.
  each_mode("ThrowMaxLessThanInitial: no more can be reserved than the limit is", [[
    for _, up in ipairs(leaves) do
      local pool = nd.memory.pool(nd.memory.budget(up, 1000))
      local e = H.raises("budget_exceeded", pool.reserve, pool, 1001)
      assert(e.requested == 1001 and e.limit == 1000 and pool:stats().reserved.bytes.current == 0)
      local r = pool:reserve(1000)
      H.raises("budget_exceeded", make, 1, pool)
      local a = r:use(make, 1, pool)
      assert(pool:stats().remaining == 0 and r.remaining == 488)
      r:release()
      assert(a.size == 1 and pool:stats().remaining == 488)
    end
  ]])

  each_mode("ForceGrowth: a pool grows to what its upstream has, and no further", [[
    for _, up in ipairs(leaves) do
      local budget = nd.memory.budget(up, 1024 + 4096 + 512)
      local pool = nd.memory.pool(budget)
      local a, b, c = make(1000, pool), make(4000, pool), make(500, pool)
      assert(budget:stats().remaining == 0)
      H.raises("budget_exceeded", make, 2000, pool)
      b:free()
      local d = make(2000, pool) -- where the block of 4096 is given up
      assert(settle(budget).bytes.current == 1024 + 2048 + 512)
      for _, array in ipairs {a, c, d} do array:free() end
      d = make(5600, pool)
      assert(settle(budget).bytes.current == 5632 and d.size == 5600)
    end
  ]])

  -- A stream may go at any time: its work is done all the same, and what was taken on it is freed.
  each_mode("DeletedStream: memory outlives the stream that it was taken on", OTHERS .. [[
    for _, up in ipairs(leaves) do
      for _, mem in ipairs {nd.memory.stats(up), nd.memory.stats(nd.memory.pool(up))} do
        local arrays, theirs = {}, make_stream()
        do
          local streams = {gpu:stream(), nd.cuda.stream(theirs)}
          for i, stream in ipairs(streams) do
            arrays[i] = make(60000, mem, stream)
            arrays[i]:fill(i, {stream = stream})
            arrays[i + 2] = make(60000, mem, stream) -- never used
          end
        end
        destroy(theirs)
        local again = make_stream() -- with the same handle, perhaps
        local other = nd.cuda.stream(again)
        assert(arrays[1][60000] == 1 and arrays[2][60000] == 2)
        for i = 1, 4 do arrays[i]:free() end
        for i = 1, 4 do
          arrays[i] = make(60000, mem, i > 2 and other or nil)
          arrays[i]:fill(10 + i, {stream = other})
        end
        for i = 1, 4 do
          assert(arrays[i][1] == 10 + i and arrays[i][60000] == 10 + i)
          arrays[i]:free()
        end
        other = nil
        assert(settle(mem).count.current == 0)
        destroy(again)
      end
    end
  ]])

  -- RMM refuses such a size. Here blocks are rounded, the limit of their sum is not.
  each_mode("NonAlignedPoolSize: limits and caps need not be multiples of anything", [[
    for _, up in ipairs(leaves) do
      local budget = nd.memory.budget(up, 1031)
      local pool = nd.memory.pool(budget, {cap = 1031})
      local a = make(513, pool)
      assert(pool:stats().live.bytes.current == 576 and budget:stats().remaining == 1031 - 576)
      H.raises("budget_exceeded", make, 1, pool)
      H.raises("budget_exceeded", make, 1025, pool)
      a:free()
      make(100, pool):free() -- 512 B more would be over the cap: the older block goes
      assert(settle(budget).bytes.current == 512)
    end
  ]])

  it("MultidevicePool: each GPU has its own, whatever the current context #sim", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, devices = 2, protect = 1}, LEAVES .. [[
        local pools, arrays = {}, {}
        for i = 0, 1 do
          for _, up in ipairs {nd.memory.device(i), nd.memory.device(i, {async = false}),
                               nd.memory.managed(i)} do
            pools[#pools + 1] = nd.memory.pool(up)
          end
        end
        for round = 1, 3 do
          for i, pool in ipairs(pools) do
            enter(round % 2, function() arrays[i] = make(5000 * i, pool):fill(i) end)
          end
          for i, array in ipairs(arrays) do
            assert(array.device == pools[i].device and array[1] == i and array[5000 * i] == i)
            enter((round + 1) % 2, function() array:free() end)
          end
        end
        nd.device "cuda:1":synchronize()
        for _, pool in ipairs(pools) do
          local s = settle(pool)
          assert(s.count.current == 0 and s.count.total == 3)
          assert(pool:stats().cached.count.current >= 1)
        end
      ]])
    end
  end)

  each_mode("Nested, NegativeInnerTracking: scopes of counters begin at 0, and add up", [[
    for _, up in ipairs(leaves) do
      local mem = nd.memory.stats(nd.memory.pool(up))
      local before = make(1024, mem)
      mem:push_stats()
      local a = make(2048, mem)
      mem:push_stats()
      before:free()
      nd.transfers()
      local b = make(512, mem)
      local inner = settle(mem)
      assert(inner.bytes.current == -512 and inner.bytes.total == 512 and inner.count.current == 0)
      mem:pop_stats()
      a:free()
      b:free()
      local outer = settle(mem)
      assert(outer.bytes.current == -1024 and outer.bytes.total == 2560)
      assert(outer.bytes.peak == 2048 and mem:pop_stats().live.count.current == -1)
      local all = settle(mem)
      assert(all.bytes.current == 0 and all.bytes.peak == 3072 and all.bytes.total == 3584)
      H.raises("invalid_argument", mem.pop_stats, mem)
    end
  ]])

  -- A free has no size: an array has a ticket, of a generation that ends with the first free.
  each_mode("DeallocWrongBytes: a block goes back once, with the bytes it was taken with", [[
    for _, up in ipairs(leaves) do
      local mem = nd.memory.stats(nd.memory.track(up))
      local a, other = make(10000, mem), make(64, mem)
      local part = a:narrow(1, 2, 3)
      a:fill(1)
      part:free()
      for _ = 1, 2 do -- nothing is left to free
        a:free()
        part:free()
      end
      H.raises("freed", function() return part[1] end)
      local again = make(10000, mem)
      a:free()
      settle(mem)
      local list = mem:outstanding()
      assert(#list == 2 and list[1].bytes == 64 and list[2].bytes == 10000)
      assert(list[2].generation == 3 and list[2].tag == again.storage_id)
      again:free()
      other:free()
      local s = settle(mem)
      assert(s.bytes.current == 0 and s.count.current == 0 and s.count.total == 3)
    end
  ]])

  each_mode("UpstreamFailure: what the driver refuses is not charged", [[
    for i, up in ipairs(leaves) do
      local budget = nd.memory.budget(up, 2 ^ 48)
      local before = up:stats().live.bytes.current
      H.raises("out_of_memory", make, 2 ^ 47, budget)
      if sim then
        assert(sim.cusim_fail(calls[i], 1, "CUDA_ERROR_UNKNOWN"))
        H.raises("driver", make, 1000, budget)
        assert(sim.cusim_fail_none() == 0)
      end
      assert(settle(budget).bytes.total == 0 and budget:stats().remaining == 2 ^ 48)
      assert(up:stats().live.bytes.current == before)
      local a = make(1000, budget)
      assert(a.device == up.device and budget:stats().live.count.current == 1)
    end
  ]])

  each_mode("RetryAllocationOnce: a function is asked until it says no", [[
    for i, up in ipairs(leaves) do
      local asked = 0
      local mem = nd.memory.retry(nd.memory.stats(up), function(bytes, why)
        asked = asked + 1
        assert(why:find "out of memory")
        if sim then sim.cusim_fail_none() end -- as if that had freed something
        return sim and bytes == 1000
      end)
      H.raises("out_of_memory", make, 2 ^ 47, mem)
      assert(asked == (up.device == "pinned" and 2 or 1)) -- which looks for ordinary memory as well
      if sim then
        asked = 0
        for n = 1, 20 do assert(sim.cusim_fail(calls[i], n, "CUDA_ERROR_OUT_OF_MEMORY")) end
        assert(make(1000, mem).device == up.device and asked == 1)
      end
    end
  ]])

  -- No file is written unasked. What RMM's dump tells is in the error, nd.memory.report and a log.
  each_mode("DumpLogOnFailure: the error has the figures, and a log the tries", [[
    for _, up in ipairs(leaves) do
      local path = H.path "tries.csv"
      local mem = nd.memory.log(nd.memory.stats(up), path)
      local held = make(50000, mem)
      local e = H.raises_like("out_of_memory", "requested %d+ B, in use %d+ B, .*; largest live",
        make, 2 ^ 47, mem)
      assert(e.requested == 2 ^ 47)
      if up.device ~= "pinned" then assert(e.live >= 50000) end -- the error is that of the host's
      held:free()
      settle(mem)
      local text = H.read(path)
      local _, failures = text:gsub(",allocate failure,[^,]+,140737488355328,", "")
      assert(failures >= 2 and text:find ",free,[^,]+,50000,", text)
      assert(#nd.memory.report() >= 2)
    end
  ]])
end)

describe("the default memory of a GPU", function()
  each_mode("serves streams of other code as its own", OTHERS .. [[
    assert(tostring(nd.memory.get "cuda:0"):find "^pool of device memory")
    local theirs, s = make_stream(), gpu:stream()
    local f = nd.cuda.stream(theirs)
    local function full(value, stream)
      return nd.full({30000}, value, "u8", {device = "cuda:0", stream = stream})
    end
    local mem = nd.memory.get "cuda:0"
    for i = 1, 20 do
      local a = full(1, f)
      -- their work on our memory, on their stream
      local at = ffi.cast("uint64_t", a:address())
      assert(driver.cuMemsetD8Async(at, i + 1, 30000, theirs) == 0)
      assert(driver.cuStreamSynchronize(theirs) == 0)
      local b = full(100 + i, i % 2 == 0 and f or s) -- beside it
      b:copy_from(a, {stream = f})
      a:free()
      local c = full(200, i % 3 == 0 and f or s) -- of a's bytes
      local d = nd.with_stream(f, function() return b:clone() end)
      b:free()
      assert(d[1] == i + 1 and d[30000] == i + 1 and c[30000] == 200)
      nd.with_stream(i % 2 == 0 and s or f, function()
        c:free()
        d:free()
      end)
    end
    local live = settle(mem)
    assert(live.count.current == 0 and live.count.total >= 80)
    assert(nd.device "cuda":memory_info().live == 0)
    f = nil
    destroy(theirs)
    local last = full(3, s)
    assert(last[30000] == 3)
  ]], {keep = "8TiB"})
end)
