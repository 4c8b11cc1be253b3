-- Blocks of memory that several streams use, and are given back: what other memory managers got
-- wrong, or take care of.
local streams = require "spec.dev.streams"

local function each_mode(...) streams.each_mode(it, ...) end

local COUNTS = [[
  local function info() return gpu:memory_info() end
  local before = info()
  local function plain(value) -- by cuMemAlloc, whose free has no stream
    local from = nd.memory.device(0, {async = false})
    return (nd.memory.use(from, function() return array(value, "cuda") end))
  end
]]

describe("a block", function()
  -- One stream takes, another uses, the first gives back and takes again what has just been freed.
  each_mode("that is used on a second stream is not the first's again too early", [[
    local p = nd.zeros({1024}, "f32", "pinned")
    for i = 1, 64 do
      local a = nd.full({1024}, i, "f32", {device = gpu, stream = s})
      p:copy_from(a, {stream = t})
      a:free()
      local b = nd.full({1024}, -i, "f32", {device = gpu, stream = s})
      assert(p[1] == i and p[1024] == i and b[1024] == -i)
    end
  ]], {handles = "reuse"})

  each_mode("that is retired counts as pending, not as live, until its last use", COUNTS .. [[
    local a, p = plain(1), array(0, "pinned")
    hold(s, true)
    p:copy_from(a, {stream = s})
    a:free()
    if sim then
      for _ = 1, 3 do nd.zeros(3) end -- calls reap what is over
      assert(info().live == before.live and info().pending == before.pending + 4000)
    end
    hold(s, false)
    assert(p[1000] == 1)
    gpu:synchronize()
    assert(info().live == before.live and info().pending == before.pending)
  ]])

  each_mode("is reaped although another is still in use", COUNTS .. [[
    local a, b = plain(1), plain(2)
    local p, q = array(0, "pinned"), array(0, "pinned")
    gpu:synchronize()
    hold(s, true)
    p:copy_from(a, {stream = s})
    q:copy_from(b, {stream = t})
    a:free()
    b:free()
    assert(q[1000] == 2) -- the host knows that t is done
    if sim then
      -- cuMemFree may wait for all that the device does: not while something is in flight
      assert(sim.cusim_live_count "device" == 2 and info().pending == 8000)
      assert(not s:query(), "it waited")
    end
    hold(s, false)
    gpu:synchronize()
    assert(p[1000] == 1 and info().pending == before.pending)
    if sim then assert(sim.cusim_live_count "device" == 0) end
  ]])

  each_mode("whose free the driver refuses stays pending, and is freed later", COUNTS .. [[
    if not sim then return end
    local a = plain(1)
    a:fill(2, {stream = s})
    -- it is tried again after 10 ms, 20 ms and so on, which may all have passed here
    for i = 1, 20 do assert(sim.cusim_fail("cuMemFree_v2", i, "CUDA_ERROR_UNKNOWN")) end
    a:free()
    s:synchronize()
    nd.zeros(3)
    assert(sim.cusim_live_count "device" == 1)
    assert(info().pending == before.pending + 4000 and info().live == before.live)
    assert(sim.cusim_fail_none() < 20)
    gpu:synchronize()
    nd.memory.trim()
    assert(sim.cusim_live_count "device" == 0 and info().pending == before.pending)
  ]])

  each_mode("that is read ten thousand times keeps one use of each stream", [[
    local a, p = array(3, "cuda"), nd.zeros({1000}, "f32", "pinned")
    local events
    for i = 1, 10000 do
      p:copy_from(a, {stream = i % 2 == 0 and s or t})
      if i == 1000 and sim then events = sim.cusim_live_count "event" end
    end
    if sim then assert(sim.cusim_live_count "event" == events) end
    a:fill(4, {stream = s})
    assert(p[1000] == 3 and a[1000] == 4)
  ]])

  each_mode("that is dropped on many streams at once leaves no byte", COUNTS .. [[
    local list = {}
    for i = 1, 32 - 2 do list[i] = gpu:stream() end
    for round = 1, 20 do
      for i, each in ipairs(list) do
        local a = nd.full({i * 100}, i, "f32", {device = gpu, stream = each})
        local b = nd.zeros({i * 100}, "f32", {device = gpu, stream = list[(i + round) % #list + 1]})
        b:copy_from(a, {stream = list[(i * 7 + round) % #list + 1]})
        assert(round % 5 > 0 or b[i * 100] == i)
      end
      collectgarbage()
    end
    gpu:synchronize()
    assert(info().live == before.live and info().pending == before.pending)
    H.raises_like("capacity", "32", function()
      return {gpu:stream(), gpu:stream(), gpu:stream()} -- s and t are not let go of
    end)
  ]], {handles = "reuse"})
end)
