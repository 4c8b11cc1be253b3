-- Streams of other code, by their handles, and memory of other code that comes with one.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

local TWO = streams.TWO
local function each_mode(...) streams.each_mode(it, ...) end

-- Another library's calls.
local OTHERS = streams.THEIRS .. [[
  ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
  ffi.cdef "int cuMemsetD32Async(uint64_t, unsigned, size_t, void *); int cuCtxSynchronize(void);"
]]

describe("a stream of ours that other code has", function()
  it("is waited for as far as our own work on memory of the CPU #sim", function()
    C.run({mode = "lazy", protect = 1}, OTHERS .. [[
      local gpu = nd.device "cuda:0"
      local s, at = gpu:stream(), ffi.new "uint64_t[1]"
      local p, d = nd.zeros({1000}, "f32", "pinned"),
                   nd.full({1000}, 5, "f32", "cuda", {stream = s})
      assert(driver.cuMemAlloc_v2(at, 4000) == 0)
      gpu:synchronize()
      local handle = ffi.cast("void *", s.handle)
      p:copy_from(d, {stream = s})
      for i = 1, 9 do assert(driver.cuMemsetD32Async(at[0], i, 1000, handle) == 0) end
      assert(p[1] == 5 and sim.cusim_pending() >= 9, "it waited for theirs")
      s:synchronize()
      assert(sim.cusim_pending() == 0 and driver.cuMemFree_v2(at[0]) == 0)
    ]])
  end)

  it("may be captured when the state is closed #sim", function()
    C.run({mode = "lazy", protect = 1}, TWO .. [[
      local p, d = nd.zeros({1000}, "f32", "pinned"), array(5, "cuda")
      gpu:synchronize()
      p:copy_from(d, {stream = s})
      local handle = s.handle
      assert(p[1] == 5)
      assert(sim.cusim_capture(handle, true))
    ]])
  end)
end)

describe("a stream of other code", function()
  it("is waited for as far as our own work on memory of the CPU #sim", function()
    C.run({mode = "lazy", protect = 1}, OTHERS .. [[
      local gpu, theirs = nd.device "cuda:0", make_stream()
      local f = nd.cuda.stream(theirs)
      local p, d = nd.zeros({1000}, "f32", "pinned"), nd.full({1000}, 5, "f32", "cuda")
      gpu:synchronize()
      p:copy_from(d, {stream = f})
      for i = 1, 300 do d:fill(i, {stream = f}) end
      assert(p[1] == 5 and sim.cusim_pending() >= 300, "it waited for what follows")
      f = nil
      collectgarbage()
      gpu:synchronize()
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  each_mode("is adopted by its handle", OTHERS .. [[
    local theirs = make_stream()
    local f = nd.cuda.stream(theirs)
    assert(f.handle == id(theirs) and f.device == gpu and nd.cuda.stream(id(theirs)) ~= f)
    local a, p = array(1, "cuda"), nd.zeros({1000}, "f32", "pinned")
    a:fill(2, {stream = s})
    p:copy_from(a, {stream = f})
    a:fill(3, {stream = t})
    assert(p[1000] == 2)
    -- their work on our memory, on that stream
    local at = a:address()
    assert(driver.cuMemsetD32Async(ffi.cast("uint64_t", at), 0, 1000, theirs) == 0)
    p:copy_from(a, {stream = f})
    assert(p[1] == 0)
    f:synchronize()
    assert(f:query())
    local event = f:record()
    t:wait(event)
    f, event = nil, nil
    collectgarbage()
    local kept = p:to("cuda", {stream = s})
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
    a:fill(9, {stream = s})
    assert(a[1] == 9 and kept[2] == 0)
    gpu:synchronize()
  ]])

  each_mode("may be destroyed by its owner as soon as it was let go of", OTHERS .. [[
    local a, p = array(1, "cuda"), nd.zeros({1000}, "f32", "pinned")
    for i = 1, 5 do
      local theirs = make_stream()
      local f = nd.cuda.stream(theirs)
      a:fill(i, {stream = f})
      p:copy_from(a, {stream = f})
      f = nil
      collectgarbage()
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
      local b = array(0, "cuda")
      b:copy_from(a, {stream = s}) -- ordered after what was on it
      assert(p[1] == i and b[1000] == i)
      local c
      theirs = make_stream()
      nd.with_stream(nd.cuda.stream(theirs), function() c = array(i, "cuda") end)
      collectgarbage()
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
      c:free() -- not on that one
    end
  ]])

  each_mode("that is the only one is waited for although it is gone", OTHERS .. [[
    local theirs = make_stream()
    local f = nd.cuda.stream(theirs)
    local p = nd.zeros({1000}, "f32", "pinned")
    local a = nd.zeros({1000}, "f32", "cuda", {stream = f})
    a:fill(6, {stream = f})
    p:copy_from(a, {stream = f})
    f = nil
    collectgarbage()
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
    local q = nd.zeros({1000}, "f32", "pinned")
    q:copy_from(a, {stream = s})
    assert(p[1000] == 6 and q[1] == 6)
  ]])

  each_mode("may be the legacy default stream, or the thread's", OTHERS .. [[
    for _, handle in ipairs {1, 2, 0} do
      local f = nd.cuda.stream(handle)
      local a = array(0, "cuda")
      a:fill(handle + 5, {stream = f})
      assert(a[1000] == handle + 5 and f:query())
    end
    H.raises("invalid_argument", nd.cuda.stream, 77)
    H.raises("type_mismatch", nd.cuda.stream)
    H.raises("type_mismatch", nd.cuda.stream, "1")
  ]])

  each_mode("has been told nothing that its predecessor was", OTHERS .. [[
    local one, two = make_stream(), make_stream()
    local d, p = array(0, "cuda"), nd.zeros({1000}, "f32", "pinned")
    gpu:synchronize()
    t:record()
    hold(s, true)
    d:fill(7, {stream = s})
    local f = nd.cuda.stream(one)
    f:wait(s:record())
    f = nil
    collectgarbage()
    f = nd.cuda.stream(two)
    p:copy_from(d, {stream = f})
    assert(p[1] == 7)
    f = nil
    collectgarbage()
    gpu:synchronize()
    assert(driver.cuStreamDestroy_v2(one) == 0 and driver.cuStreamDestroy_v2(two) == 0)
  ]])

  each_mode("hands its events over, and takes ours", OTHERS .. [[
    ffi.cdef "int cuEventCreate(void **, unsigned); int cuEventDestroy_v2(void *);"
    ffi.cdef "int cuEventRecord(void *, void *); int cuStreamWaitEvent(void *, void *, unsigned);"
    local theirs, made, p = make_stream(), ffi.new "void *[1]", ffi.new "uint64_t[1]"
    assert(driver.cuEventCreate(made, 0) == 0 and driver.cuMemAlloc_v2(p, 4000) == 0)
    local w = nd.wrap(ffi.cast("int *", p[0]), "i32", {1000}, {device = "cuda:0"})
    local b = nd.zeros({1000}, "i32", "pinned")
    for i = 1, 5 do
      assert(driver.cuMemsetD32Async(p[0], i, 1000, theirs) == 0)
      assert(driver.cuEventRecord(made[0], theirs) == 0)
      local event = nd.cuda.event(i % 2 == 0 and made[0] or id(made[0]))
      assert(event.handle == id(made[0]) and tostring(event) == "event of cuda:0")
      s:wait(event)
      b:copy_from(w, {stream = s})
      assert(b[1000] == i and event:query())
      event:synchronize()
      -- theirs comes after the copy
      assert(driver.cuStreamWaitEvent(theirs, ffi.cast("void *", s:record().handle), 0) == 0)
    end
    local first = nd.cuda.event(made[0])
    assert(first:elapsed(first) == 0)
    assert(driver.cuCtxSynchronize() == 0)
    H.raises_like("invalid_argument", "timing", function()
      return first:elapsed(nd.cuda.event(s:record().handle))
    end)
    for _, value in ipairs {0, 7} do H.raises("invalid_argument", nd.cuda.event, value) end
    H.raises_like("type_mismatch", "event's handle", nd.cuda.event, "1")
    H.raises("type_mismatch", nd.cuda.event)
    if sim then -- a driver may look for an event at the address
      H.raises_like("stream_misuse", "does not know", nd.cuda.event, 0x7fffffff0000)
    end
    H.raises("unsupported", nd.cuda.event, made[0], "cpu")
    w, first = w:free(), nil
    collectgarbage()
    gpu:synchronize()
    assert(driver.cuMemFree_v2(p[0]) == 0 and driver.cuEventDestroy_v2(made[0]) == 0)
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("is waited for by who gets memory of a pool that it works on", OTHERS .. [[
    local low = nd.memory.budget(nd.memory.device(0), 70000)
    local mem = nd.memory.pool(low) -- of one block
    local function make(stream, value)
      local a = nd.empty({60000}, "u8", {device = mem, stream = stream, lazy = false})
      return a:fill(value, {stream = stream})
    end
    for round = 1, 8 do
      local theirs, p = make_stream(), nd.zeros({60000}, "u8", "pinned")
      local f = nd.cuda.stream(theirs)
      local function let_go()
        f = nil
        collectgarbage()
        assert(driver.cuStreamDestroy_v2(theirs) == 0)
      end
      local a = make(f, round)
      p:copy_from(a, {stream = f})
      a:free()
      if round % 2 == 0 then let_go() end
      local b = make(round % 4 < 2 and s or nil, 100 + round)
      assert(p[1] == round and p[60000] == round)
      assert(b[1] == 100 + round and b[60000] == 100 + round)
      b:free()
      if f then let_go() end
    end
    assert(not sim or sim.cusim_calls "cuMemAllocFromPoolAsync" == 1)
    gpu:synchronize()
    assert(mem:trim() >= 0 and low:stats().remaining == 70000)
  ]])

  it("may be adopted any number of times", function()
    C.run({mode = "lazy", lag = 8}, TWO .. OTHERS .. [[
      local theirs, d = make_stream(), array(0, "cuda")
      for i = 1, 9000 do
        d:fill(i, {stream = nd.cuda.stream(theirs)})
        if i % 100 == 0 then collectgarbage() end
        if i % 1000 == 0 then assert(driver.cuCtxSynchronize() == 0) end
      end
      for _ = 1, 3000 do nd.cuda.stream(1) end -- garbage
      assert(d[1] == 9000 and gpu:stream() and nd.zeros(3, "cuda")[1] == 0)
      collectgarbage()
      gpu:synchronize()
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  each_mode("whose event and whose wait fail is not taken for done", OTHERS .. [[
    if not sim then return end
    local theirs = make_stream()
    local f, a, p = nd.cuda.stream(theirs), array(7, "cuda"), nd.zeros({1000}, "f32", "pinned")
    gpu:synchronize()
    assert(sim.cusim_fail("cuEventRecord", 1, "CUDA_ERROR_INVALID_VALUE"))
    assert(sim.cusim_fail("cuStreamSynchronize", 1, "CUDA_ERROR_UNKNOWN"))
    H.raises("driver", function() p:copy_from(a, {stream = f}) end)
    assert(sim.cusim_fail_none() == 0 and p[1] == 7)
    assert(sim.cusim_fail("cuEventRecord", 1, "CUDA_ERROR_INVALID_VALUE"))
    assert(sim.cusim_fail("cuStreamSynchronize", 1, "CUDA_ERROR_UNKNOWN"))
    H.raises("driver", function() p:copy_from(a, {stream = f}) end)
    f = nil
    collectgarbage()
    local q = nd.zeros({1000}, "f32", "pinned")
    H.raises_like("stream_misuse", "let go of", function() p:copy_from(a, {stream = s}) end)
    H.raises_like("stream_misuse", "let go of", function() a:fill(1, {stream = s}) end)
    q:copy_from(a, {stream = s}) -- two reads
    assert(q[1] == 7 and p[1] == 7)
    a:fill(1, {stream = s})
    assert(driver.cuCtxSynchronize() == 0 and driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  it("whose event and whose wait fail is waited for with all else #sim", function()
    C.run({mode = "lazy"}, TWO .. OTHERS .. [[
      local theirs = make_stream()
      local f, a = nd.cuda.stream(theirs), array(2, "cuda")
      gpu:synchronize()
      assert(sim.cusim_fail("cuEventRecord", 1, "CUDA_ERROR_INVALID_VALUE"))
      assert(sim.cusim_fail("cuStreamSynchronize", 1, "CUDA_ERROR_UNKNOWN"))
      H.raises("driver", function() a:fill(5, {stream = f}) end)
      f = nil
      collectgarbage()
      H.raises_like("stream_misuse", "let go of", function() return a[1] end)
      assert(a:address() and a[1] == 5)
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  it("that other code captures is left alone, and said so #sim", function()
    C.run({mode = "lazy"}, TWO .. OTHERS .. [[
      local theirs = make_stream()
      local f, d, p = nd.cuda.stream(theirs), array(3, "cuda"), nd.zeros({1000}, "f32", "pinned")
      local own = nd.current_stream()
      for handle, stream in pairs {[id(theirs)] = f, [s.handle] = s, [own.handle] = own} do
        gpu:synchronize()
        assert(sim.cusim_capture(handle, true))
        gpu:synchronize() -- nothing of ours is on it
        assert(sim.cusim_capture(handle, false))
        p:copy_from(d, {stream = stream})
        local function check(is_refused, name, g, ...)
          assert(sim.cusim_capture(handle, true))
          assert(stream.handle == handle)
          local fine, e = pcall(g, ...)
          assert(sim.cusim_capture(handle, false), name .. ": the capture was ended")
          if is_refused then
            assert(not fine and e.code == "stream_misuse", name .. ": " .. tostring(e))
          else assert(fine or e.code == "stream_misuse", name .. ": " .. tostring(e)) end
        end
        check(true, "query", stream.query, stream)
        check(true, "synchronize", stream.synchronize, stream)
        check(true, "record", stream.record, stream)
        check(true, "fill", d.fill, d, 1, {stream = stream})
        check(false, "device", gpu.synchronize, gpu)
        check(false, "look", p.get, p, 1)
        check(false, "other", function() t:wait(t:record()) p:clone() d:clone() end)
        check(false, "reap", function()
          for _ = 1, 80 do nd.ones({1000}, "f32", "pinned") end
          collectgarbage()
          nd.zeros(3)
        end)
        check(false, "join", function() d:fill(1, {stream = t}) p:copy_from(d, {stream = t}) end)
        check(false, "new", gpu.stream, gpu)
      end
      f = nil
      collectgarbage()
      gpu:synchronize()
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  -- Then there are no events, so that the stream itself would be asked.
  it("that other code captures is left alone also where it is the only one in use #sim", function()
    C.run({mode = "lazy"}, [[
      local own, s = nd.current_stream(), nd.device "cuda:0":stream()
      local d, p = nd.ones(1000, "f32", "cuda"), nd.zeros({1000}, "f32", "pinned")
      local q = nd.zeros({1000}, "f32", "pinned")
      local handle = own.handle
      q:copy_from(d, {stream = own})
      assert(sim.cusim_capture(handle, true))
      assert(q[1] == 1) -- by its word
      assert(sim.cusim_capture(handle, false), "looked at")
      q:copy_from(d, {stream = own})
      assert(sim.cusim_capture(handle, true))
      q:free() -- its block is pending
      for _ = 1, 3 do nd.ones(10) end
      assert(sim.cusim_capture(handle, false), "asked")
      d:fill(3)
      assert(sim.cusim_capture(handle, true))
      H.raises_like("stream_misuse", "captured", function() p:copy_from(d, {stream = s}) end)
      assert(sim.cusim_capture(handle, false), "waited for")
      p:copy_from(d, {stream = s})
      assert(p[1] == 3)
    ]])
  end)

  it("is refused while it is captured, or where it is another context's #sim", function()
    C.run({devices = 2}, TWO .. OTHERS .. [[
      local theirs, a = make_stream(), array(0, "cuda")
      sim.cusim_capture(id(theirs), true)
      H.raises_like("stream_misuse", "captured", nd.cuda.stream, theirs)
      assert(sim.cusim_capture(id(theirs), false), "the capture was ended")
      local f = nd.cuda.stream(theirs)
      sim.cusim_capture(id(theirs), true)
      H.raises_like("stream_misuse", "captured", function() a:fill(1, {stream = f}) end)
      H.raises_like("stream_misuse", "captured", function()
        return nd.zeros(3, "cuda", {stream = f})
      end)
      assert(sim.cusim_capture(id(theirs), false), "the capture was ended")
      a:fill(1, {stream = f})
      assert(a[1] == 1)
      local handle = s.handle -- our own, which they capture
      sim.cusim_capture(handle, true)
      H.raises_like("stream_misuse", "captured", function() a:fill(1, {stream = s}) end)
      assert(sim.cusim_capture(handle, false), "the capture was ended")
      a:fill(2, {stream = s})
      H.raises_like("stream_misuse", "context", nd.cuda.stream, theirs, "cuda:1")
      H.raises_like("type_mismatch", "handle", nd.cuda.stream, true)
      f = nil
      collectgarbage()
      assert(a[1] == 2 and driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  each_mode("whose memory is wrapped has its work done first", OTHERS .. [[
    local theirs, p = make_stream(), ffi.new "uint64_t[1]"
    assert(driver.cuMemAlloc_v2(p, 4000) == 0)
    local b = nd.zeros({1000}, "i32", "pinned")
    for i = 1, 5 do
      assert(driver.cuMemsetD32Async(p[0], i, 1000, theirs) == 0)
      local stream = i % 2 == 0 and theirs or nd.cuda.stream(theirs)
      local there = {device = "cuda:0", stream = stream}
      local w = nd.wrap(ffi.cast("int *", p[0]), "i32", {1000}, there)
      b:copy_from(w, {stream = t}) -- not the stream that it was handed over to
      assert(b[1000] == i)
      w:fill(-i, {stream = s})
      assert(w[1] == -i)
      w:free()
      gpu:synchronize()
    end
    collectgarbage()
    assert(driver.cuMemFree_v2(p[0]) == 0 and driver.cuStreamDestroy_v2(theirs) == 0)
  ]])
end)

describe("an older driver #sim", function()
  it("is asked by an event whose a stream is", function()
    C.run({devices = 2, hide = "cuStreamGetCtx"}, TWO .. OTHERS .. [[
      local theirs = make_stream()
      assert(nd.cuda.stream(theirs).device == gpu)
      H.raises_like("stream_misuse", "context", nd.cuda.stream, theirs, "cuda:1")
      H.raises_like("stream_misuse", "context", nd.cuda.stream, 0x7fffffff0000)
      collectgarbage()
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)
end)
