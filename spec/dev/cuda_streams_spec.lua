-- Streams of scripts, what waits for what, and what is in flight, call by call. Random programs of
-- them are in cuda_programs_spec.lua.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

local TWO = streams.TWO
local function each_mode(...) streams.each_mode(it, ...) end

describe("a stream", function()
  it("has an id that is never used again, a device, a priority, a handle", function()
    C.run({}, TWO .. [[
      assert(s.id ~= t.id and s ~= t and s == s and s.device == gpu and s.priority == 0)
      assert(s.handle > 0 and s.handle ~= t.handle)
      assert(tostring(s):find "^stream %d+ of cuda:0$")
      local seen, last = {[s.id] = true, [t.id] = true}, nil
      for _ = 1, 200 do
        local new = gpu:stream()
        assert(not seen[new.id], "an id comes again")
        seen[new.id] = true
      end
      local first = gpu:stream{priority = -1}
      assert(first.priority == -1)
      local e = H.raises_like("invalid_argument", "priority", function()
        return gpu:stream{priority = 1}
      end)
      assert(e.value == 1 and e.limit == 0 and e.argument == "priority")
      e = H.raises("invalid_argument", function() return gpu:stream{priority = -1000} end)
      assert(e.value == -1000 and e.limit < 0 and e.argument == "priority")
      H.raises("type_mismatch", function() return gpu:stream{priority = "high"} end)
      H.raises("invalid_argument", function() return gpu:stream{speed = 1} end)
      H.raises("unsupported", function() return nd.device "cpu":stream() end)
      H.raises("invalid_argument", function() return s.nosuch end)
      H.raises("type_mismatch", function() return getmetatable(s) and s.query(3) end)
    ]])
  end)

  it("comes from a pool with a limit, which is told and never passed over", function()
    C.run({}, TWO .. [[
      local list = {s, t}
      for i = 3, 32 do list[i] = gpu:stream() end
      local e = H.raises_like("capacity", "cuda:0.*32", function() return gpu:stream() end)
      assert(e.limit == 32)
      local handles = {}
      for i, each in ipairs(list) do
        assert(not handles[each.handle], "two streams are one")
        handles[each.handle] = i
      end
      list[20] = nil -- the collector finds it
      local new = gpu:stream()
      assert(new.id > list[32].id)
      list, s, t = nil, nil, nil
      for i = 1, 100 do gpu:stream() end
      if sim then assert(sim.cusim_live_count "stream" <= 34) end
    ]])
  end)

  it("that is new is one that nothing is in flight on, as long as there are some #sim", function()
    C.run({mode = "lazy"}, TWO .. [[
      local d, list, busy = array(0, "cuda"), {s, t}, nil
      for i = 3, 6 do list[i] = gpu:stream() end
      hold(list[3], true)
      d:fill(1, {stream = list[3]})
      busy = list[3].handle
      list[3], list[4], list[5], list[6] = nil, nil, nil, nil
      for i = 1, 30 do
        collectgarbage()
        local new = gpu:stream()
        assert(new.handle ~= busy and new:query(), i)
        if i % 2 == 0 then list[#list + 1] = new end -- until only that one and new ones are left
      end
      -- and there are no more of the driver's than a script may have, whatever their priorities
      list, s, t = nil, nil, nil
      for i = 0, 5 do
        collectgarbage()
        gpu:synchronize()
        local all = {}
        for k = 1, 32 do all[k] = gpu:stream{priority = -(i % 3)} end
        assert(all[32].priority == -(i % 3) and sim.cusim_live_count "stream" <= 34)
      end
    ]])
  end)

  each_mode("takes copies, fills and makers, which return at once", [[
    local p = nd.arange(1, 1000, 1, "f32", "pinned")
    local back = nd.zeros({1000}, "f32", "pinned")
    hold(s, true)
    local d = nd.zeros({1000}, "f32", "cuda", {stream = s})
    local e = nd.ones({1000}, "f32", {device = "cuda", stream = s})
    d:copy_from(p, {stream = s})
    e"1:500":fill(7, {stream = s})
    back:copy_from(d, {stream = s})
    local q = e:to("pinned", {stream = s})
    if sim then assert(not s:query() and sim.cusim_pending() > 0, "it waited") end
    hold(s, false)
    assert(back[1000] == 1000 and q[500] == 7 and q[501] == 1) -- the CPU waits for what it reads
    s:synchronize()
    assert(s:query())
    d:copyin(("\0"):rep(4000), nil, {stream = t})
    assert(d:copyout(ffi.new "float[1000]", 4000, {stream = t}) == d)
    assert(d:copyout():byte(1) == 0)
    d:copyin(ffi.new("float[1000]", {5}), {stream = t})
    assert(d[1] == 5)
  ]])

  each_mode("takes a single value that is still on its way", [[
    local d, p, one = array(7, "cuda"), nd.zeros({1000}, "f32", "pinned"), array(0, "cuda")
    gpu:synchronize()
    hold(s, true)
    p:copy_from(d, {stream = s})
    one"3:3":copy_from(p"5:5", {stream = t})
    if sim then assert(not s:query(), "it waited") end
    hold(s, false)
    assert(one[3] == 7 and one[4] == 0)
  ]])

  each_mode("need not be waited for by work on other bytes", [[
    local p, d = array(1, "pinned"), array(2, "cuda")
    local e = array(3, "cuda")
    gpu:synchronize()
    hold(s, true)
    d"1:500":copy_from(p"1:500", {stream = s})
    d"501:":copy_from(p"501:", {stream = t}) -- beside it
    local other = nd.zeros({500}, "f32", "pinned")
    other:copy_from(d"501:", {stream = t})
    assert(other[500] == 1)
    p"501:":fill(9) -- the CPU, too
    assert(p[501] == 9)
    assert(e:clone()[7] == 3) -- the default stream
    if sim then assert(not s:query(), "something waited") end
    hold(s, false)
    p[1] = 8
    assert(d[1] == 1 and p[1] == 8)
  ]])

  it("is waited for as far as what concerns others, and no further #sim", function()
    C.run({mode = "lazy"}, TWO .. [[
      local a, b = array(0, "cuda"), array(0, "cuda")
      local p = nd.zeros({1000}, "f32", "pinned")
      gpu:synchronize()
      t:record()
      p:copy_from(b, {stream = t})
      gpu:synchronize()
      a:fill(1, {stream = s})
      for i = 1, 9 do b:fill(i, {stream = s}) end
      p:copy_from(a, {stream = t})
      assert(p[1] == 1)
      assert(not s:query(), "it waited for all")
      assert(b[1] == 9)
    ]])
  end)

  each_mode("is waited for by the CPU, compiled or not, before it reads or writes", [[
    local p, d = nd.zeros({1000}, "f32", "pinned"), array(0, "cuda")
    local sum = 0
    for round = 1, 60 do
      d:fill(round, {stream = s})
      p:copy_from(d, {stream = t})
      for i = 1, 1000 do sum = sum + p[i] end
      for i = 1, 1000 do p[i] = -1 end
      d:copy_from(p, {stream = s})
      p[3] = 0 -- after it was read
      assert(d:to "cpu":sum() == -1000)
    end
    assert(sum == 1000 * 60 * 61 / 2)
  ]])

  each_mode("that is let go of finishes its work", [[
    local p, d = array(4, "pinned"), array(0, "cuda")
    hold(s, true)
    d:copy_from(p, {stream = s})
    s = nil
    collectgarbage()
    p = nil
    collectgarbage() -- neither end goes while the copy runs
    assert(d[1000] == 4)
  ]])

  each_mode("is the one of work, or the work is refused", [[
    H.raises("type_mismatch", function() array(1, "cuda"):fill(1, {stream = 7}) end)
    if not far then return end
    local other, there = far:stream(), array(1, "cuda:1")
    local near, host = array(2, "cuda:0"), array(3)
    local e = H.raises_like("stream_misuse", "cuda:1.*cuda:0", function()
      near:fill(1, {stream = other})
    end)
    H.raises("stream_misuse", function() return nd.zeros(3, "cuda:0", {stream = other}) end)
    H.raises("stream_misuse", function() return near:to("cpu", {stream = other}) end)
    H.raises("stream_misuse", function() return near:copy_from(host, {stream = other}) end)
    near:copy_from(there, {stream = other}) -- between the two, either may do it
    there:copy_from(near, {stream = s})
    host:copy_from(host:clone(), {stream = s}) -- memory of the host needs none
    assert(near[1] == 1 and there[1000] == 1)
  ]])

  each_mode("of which more is in flight than there are events for keeps its order", [[
    local d, p = array(0, "cuda"), nd.zeros({1000}, "f32", "pinned")
    t:synchronize()
    d:fill(1, {stream = t})
    hold(s, true)
    for i = 1, 200 do d:fill(i, {stream = s}) end
    for i = 1, 100 do array(i, "cuda"):fill(i, {stream = s}) end
    p:copy_from(d, {stream = t})
    hold(s, false)
    assert(p[1000] == 200)
  ]])
end)

describe("memory", function()
  each_mode("that is freed is there until the work on it is done, and nobody waits", [[
    local a, p = array(1, "cuda"), nd.zeros({1000}, "f32", "pinned")
    local b = array(2, "cuda")
    gpu:synchronize()
    hold(s, true)
    p:copy_from(a, {stream = s})
    b:copy_from(a, {stream = t})
    a:free()
    for i = 1, 20 do array(9, "cuda"):fill(i, {stream = t}) end -- would take its place
    if sim then assert(not s:query(), "the free waited") end
    hold(s, false)
    assert(p[1] == 1 and p[1000] == 1 and b[1000] == 1)
  ]], {handles = "reuse"})

  each_mode("of the host that is freed is there until the work on it is done", [[
    local d = array(0, "cuda")
    hold(s, true)
    for i = 1, 10 do
      local p = array(i, "pinned")
      d:copy_from(p, {stream = s})
      p:free()
      array(-1, "pinned")
    end
    if sim then assert(not s:query(), "the free waited") end
    hold(s, false)
    assert(d[1] == 10 and d[1000] == 10)
  ]], {handles = "reuse"})

  each_mode("that one stream frees is written by another only afterwards", [[
    for i = 1, 30 do
      local a = array(i, "cuda", 4000)
      local p = nd.zeros({4000}, "f32", "pinned")
      local b = nd.zeros({4000}, "f32", "cuda", {stream = t})
      b:copy_from(a, {stream = s})
      p:copy_from(b, {stream = t})
      a, b = nil, nil
      collectgarbage()
      nd.full({4000}, -1, "f32", {device = "cuda", stream = s})
      assert(p[1] == i and p[4000] == i)
    end
  ]], {handles = "reuse"})

  each_mode("of the caller is read before a call returns, through buffers of many streams", [[
    local a, b = nd.arange(1, 2e6, 1, "f32"), nd.arange(2e6, 1, -1, "f32")
    local d, e = nd.zeros({2e6}, "f32", "cuda"), nd.zeros({2e6}, "f32", "cuda")
    for _ = 1, 3 do
      d:copy_from(a, {stream = s})
      e:copy_from(b, {stream = t})
    end
    a:fill(0)
    b:fill(0)
    assert(d[2e6] == 2e6 and e[2e6] == 1 and d[7] == 7 and e[1] == 2e6)
    d:copy_from(nd.f32 {5}, {stream = t}) -- converted or repeated, too
    e:copy_from(nd.arange(1, 2e6, 1, "f64"), {stream = s})
    assert(d[9] == 5 and e[2e6] == 2e6)
  ]])

  each_mode("of a file is read before its buffer is filled again", [[
    local path = H.path "large.npy"
    nd.save(path, nd.arange(1, 4e6, 1, "f32"))
    local file = nd.load(path, {mmap = true})
    local d = nd.zeros({4e6}, "f32", "cuda")
    d:copy_from(file, {stream = s})
    local back = d:to("cpu", {stream = t})
    for i = 1, 4e6, 99999 do assert(back[i] == i) end
  ]])

  each_mode("is read by more streams than a record has room for, and nobody waits", [[
    local a, list, copies = array(1, "cuda"), {}, {}
    for i = 1, 28 do
      list[i] = gpu:stream()
      copies[i] = nd.zeros({1000}, "f32", "cuda", {stream = list[i]})
    end
    for round = 1, 3 do
      for i = 1, 28 do
        hold(list[i], true)
        copies[i]:copy_from(a, {stream = list[i]})
        if round == 2 then a:narrow(1, 30 * i, 10):fill(2, {stream = list[29 - i]}) end
        if sim then assert(not list[i]:query(), "it waited") end
      end
      a:fill(round + 1, {stream = s})
      for i = 1, 28 do hold(list[i], false) end
      for i = 1, 28 do assert(copies[i][1] == round and copies[i][1000] == round, i) end
    end
    for i = 1, 28 do -- what is done takes no room
      copies[i]:copy_from(a, {stream = list[i]})
      list[i]:synchronize()
    end
    a:fill(9)
    assert(copies[28][5] == 4)
    local m = nd.arange(1, 80, 1, "f32", "cuda"):reshape(40, 2)
    for i = 1, 16 do
      hold(list[i], true)
      m[i]:copy_from(m[39], {stream = list[i]})
    end
    hold(list[20], true)
    m[17]:copy_from(m[40], {stream = list[20]}) -- two uses at once
    if sim then assert(not list[20]:query(), "it waited") end
    for i = 1, 20 do hold(list[i], false) end
    assert(m(16, 1) == 77 and m(17, 2) == 80)
  ]])

  it("of which a lost device has uses is used by others elsewhere #sim", function()
    C.run({mode = "lazy", devices = 2}, TWO .. [[
      local other = nd.device "cuda:1"
      local p, a, b = nd.zeros({40, 10}, "f32", "pinned"), array(5, "cuda:0"), array(6, "cuda:1")
      local list = {}
      for i = 1, 17 do list[i] = (i <= 10 and other or gpu):stream() end
      for i = 1, 16 do
        hold(list[i], true)
        p[i]:copy_from((i <= 10 and b or a)"1:10", {stream = list[i]})
      end
      assert(sim.cusim_fail("cuMemsetD32Async", 1, "CUDA_ERROR_ILLEGAL_ADDRESS"))
      H.raises("driver", function() b:fill(4) end)
      p[20]:copy_from(a"1:10", {stream = list[17]})
      assert(p(20, 1) == 5)
      H.raises_like("driver", "cuda:1 was lost", function() return p(1, 1) end)
    ]])
  end)

  each_mode("moves between devices in the order of the calls", [[
    if not far then return end
    local u = far:stream()
    local a, b = array(1, "cuda:0"), array(2, "cuda:1")
    local p = nd.zeros({1000}, "f32", "pinned")
    for i = 1, 20 do
      a:fill(i, {stream = s})
      b:copy_from(a, {stream = u})
      a:fill(-1, {stream = t}) -- not before it was read
      p:copy_from(b, {stream = u})
      assert(p[1] == i and p[1000] == i)
    end
  ]])
end)

describe("work in flight", function()
  each_mode("is finished when the state closes", [[
    local d, p = array(1, "cuda"), array(2, "pinned")
    hold(s, true)
    d:copy_from(p, {stream = s})
    p:copy_from(d, {stream = t})
    local line = gpu:timeline()
    line:signal(s, 1)
    kept = {d, p, s, t, line, s:record()} -- finalized with the state, in whatever order
  ]])

  it("that a lost device never finishes is no result on another #sim", function()
    C.run({mode = "lazy", devices = 2}, TWO .. [[
      local other = nd.device "cuda:1":stream()
      local a, b, p = array(5, "cuda:0"), array(2, "cuda:1"), nd.zeros({1000}, "f32", "pinned")
      gpu:synchronize()
      b:fill(3, {stream = other})
      for i = 1, 2 do a:fill(i, {stream = i == 1 and s or t}) end
      hold(s, true)
      p:copy_from(a, {stream = s})
      local event = s:record()
      assert(sim.cusim_fail("cuMemsetD32Async", 1, "CUDA_ERROR_ILLEGAL_ADDRESS"))
      H.raises_like("driver", "ILLEGAL_ADDRESS", function() a:fill(4, {stream = t}) end)
      for _, f in ipairs {function() b:copy_from(p, {stream = other}) end,
                          function() other:wait(event) end, function() return p[1] end} do
        H.raises_like("driver", "cuda:0 was lost", f)
      end
      assert(b[1] == 3)
    ]])
  end)

  -- Without closing the state, what is held is the system's to free: the simulator counts it.
  it("is no trouble to a process that ends by os.exit", function()
    for _, mode in ipairs(C.modes) do
      for _, close in ipairs {"false", "true"} do
        local status, _, err = C.try({mode = mode, devices = 2}, TWO .. ([[
          local d, p, m = array(1, "cuda"), array(2, "pinned"), array(3, "managed")
          hold(s, true)
          d:copy_from(p, {stream = s})
          m:copy_from(d, {stream = t})
          local line = gpu:timeline()
          line:signal(t, 1)
          if sim then sim.cusim_check_context() end
          nd.with_stream(s, function()
            d:fill(5)
            os.exit(0, %s)
          end)
        ]]):format(close))
        local held, others = err:gsub("cusim: leak: [^\n]*\n", "")
        assert(status == (others > 0 and 70 or 0) and held == "", err)
        assert(close == "false" or others == 0, err)
      end
    end
  end)

  each_mode("may meet a failure, which is told once, and harms nobody", [[
    if not sim then return end
    local d, p = array(1, "cuda"), array(2, "pinned")
    local q = nd.zeros({1000}, "f32", "pinned")
    for _, call in ipairs {"cuStreamWaitEvent", "cuEventRecord", "cuEventCreate",
                           "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuEventSynchronize"} do
      for n = 1, 4 do
        assert(sim.cusim_fail(call, n, "CUDA_ERROR_UNKNOWN"))
        local fine, e = pcall(function()
          p:fill(n)
          d:copy_from(p, {stream = s})
          d:fill(n + 1, {stream = t})
          q:copy_from(d, {stream = s})
          assert(q[1] == n + 1)
        end)
        sim.cusim_fail_none()
        assert(fine or (type(e) == "table" and e.code == "driver"), tostring(e))
        d:fill(5, {stream = t})
        q:copy_from(d, {stream = s})
        assert(q[1000] == 5, call)
      end
    end
  ]])
end)
