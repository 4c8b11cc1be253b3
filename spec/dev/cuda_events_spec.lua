-- Events, timelines, and the current stream, call by call.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

local function each_mode(...) streams.each_mode(it, ...) end

describe("an event", function()
  each_mode("is reached when the work before it is done", [[
    local d = array(0, "cuda")
    hold(s, true)
    local before = t:record()
    d:fill(1, {stream = s})
    local event = s:record()
    if sim then assert(not event:query()) end
    t:wait(event)
    local after = t:record()
    if sim then assert(not after:query()) end
    hold(s, false)
    event:synchronize()
    after:synchronize()
    assert(before:query() and event:query() and after:query())
    H.raises("type_mismatch", function() t:wait(s) end)
    H.raises("type_mismatch", function() event.query(s) end)
    H.raises("invalid_argument", function() return event.nosuch end)
  ]])

  each_mode("stands for the work before it and for none that follows", [[
    local d, p = array(0, "cuda"), nd.zeros({1000}, "f32", "pinned")
    for i = 1, 20 do
      d:fill(-i, {stream = s})
      t:wait(s:record())
      d:fill(i, {stream = s})
      p:copy_from(d, {stream = t})
      assert(p[1] == i and p[1000] == i)
    end
  ]])

  each_mode("has a time where that was asked for", [[
    local d = array(0, "cuda")
    local first = s:record{timing = true}
    d:fill(1, {stream = s})
    local last, none = s:record{timing = true}, s:record()
    last:synchronize()
    assert(first:elapsed(last) >= 0 and first:elapsed(last) < 1e5)
    H.raises_like("invalid_argument", "event: .* timing", function() return first:elapsed(none) end)
    H.raises_like("invalid_argument", "self: .* timing", function() return none:elapsed(first) end)
    H.raises("type_mismatch", function() return first:elapsed(1) end)
    H.raises("type_mismatch", function() return s:record{timing = 1} end)
    if far then
      local there = far:stream():record{timing = true}
      H.raises_like("invalid_argument", "event: it is of cuda:1, and self is of cuda:0", function()
        return first:elapsed(there)
      end)
    end
    hold(s, true)
    d:fill(2, {stream = s})
    local pending = s:record{timing = true}
    if sim then
      H.raises_like("stream_misuse", "event: .* not reached", first.elapsed, first, pending)
      H.raises_like("stream_misuse", "self: .* not reached", pending.elapsed, pending, first)
    end
    hold(s, false)
  ]])

  each_mode("may be let go of at any time, and costs the driver none when it comes again", [[
    for i = 1, 500 do
      local event = s:record{timing = i % 2 == 0}
      t:wait(event)
      if i % 20 == 0 then
        event = nil
        collectgarbage()
      end
    end
    if sim then assert(sim.cusim_live_count "event" < 150, "events are not used again") end
  ]])
end)

describe("a timeline", function()
  -- Under stress each call collects.
  it("is signalled in order by finalizers too", function()
    C.run({mode = "lazy", env = "NDBUF_GC_STRESS=1"}, streams.TWO .. [[
      local line, late = gpu:timeline(), newproxy(true)
      getmetatable(late).__gc = function() line:signal(s, 10) end
      late = nil
      H.raises_like("invalid_argument", "value: 5 does not exceed", line.signal, line, s, 5)
      s:synchronize()
      assert(line.value == 10 and line:reached(10))
      line:signal(t, 11)
      line:wait(11, {timeout = math.huge})
      H.raises_like("stream_misuse", "no signal of 12", line.wait, line, 12, {timeout = math.huge})
    ]])
  end)

  each_mode("has the value that the work has reached, and says so in time-outs", [[
    local line, d = gpu:timeline(), array(0, "cuda")
    assert(line.value == 0 and line:reached(0) and not line:reached(1))
    hold(s, true)
    d:fill(1, {stream = s})
    line:signal(s, 3)
    line:signal(t, 7) -- reached before, but 3 comes first
    if sim then assert(line.value == 0 and not line:reached(3) and not line:reached(7)) end
    local before = os.time()
    if sim then
      local e = H.raises_like("timeout", "7 within 0.05 s.*0", function()
        line:wait(7, {timeout = 0.05})
      end)
      H.raises("timeout", function() line:wait(3, {timeout = 0}) end)
    end
    hold(s, false)
    line:wait(5)
    assert(line.value == 7 and line:reached(7) and not line:reached(8))
    line:wait(7, {timeout = 1})
    H.raises_like("stream_misuse", "8.*7", function() line:wait(8) end)
    H.raises("timeout", function() line:wait(8, {timeout = 0.01}) end)
    H.raises_like("invalid_argument", "7", function() line:signal(s, 7) end)
    H.raises("invalid_argument", function() line:signal(s, 7.5) end)
    H.raises("invalid_argument", function() line:signal(s, -1) end)
    H.raises("type_mismatch", function() line:signal(d, 9) end)
    H.raises("invalid_argument", function() line:wait(9, {timeout = -1}) end)
    H.raises("invalid_argument", function() line:wait(9, {limit = 1}) end)
    H.raises("invalid_argument", function() return line.nosuch end)
    H.raises("invalid_argument", function() line.value = 3 end)
    H.raises("unsupported", function() return nd.device "cpu":timeline() end)
  ]])
end)

-- spec/bind/surplus_spec.lua has the rule for all that needs no GPU.
describe("what belongs to streams", function()
  it("refuses an argument too many, and an option that it does not have", function()
    C.run({}, streams.TWO .. [[
      local line, e = gpu:timeline(), s:record{timing = true}
      line:signal(s, 1)
      local calls = {
        {gpu.stream, gpu, {}}, {gpu.timeline, gpu}, {s.query, s}, {s.synchronize, s},
        {s.record, s, {}}, {s.wait, s, e}, {e.query, e}, {e.synchronize, e}, {e.elapsed, e, e},
        {line.signal, line, s, 2}, {line.reached, line, 1}, {line.wait, line, 1, {}},
        {nd.current_stream, "cuda:0"}, {nd.cuda.stream, s.handle, "cuda:0"},
        {nd.cuda.event, e.handle, "cuda:0"},
      }
      for i, call in ipairs(calls) do
        local n = #call
        call[n + 1] = 1
        H.raises_like("invalid_argument", "argument", call[1], unpack(call, 2, n + 1))
        call[n + 1] = nil
        assert(pcall(call[1], unpack(call, 2, n)), i)
        if type(call[n]) == "table" then
          call[n] = {surplus = 1}
          H.raises_like("invalid_argument", 'no option "surplus"', call[1], unpack(call, 2, n))
        end
      end
    ]])
  end)
end)

describe("nd.with_stream", function()
  each_mode("makes a stream that of all calls within, and gives back what was", [[
    local d = array(0, "cuda")
    local outer = nd.current_stream()
    assert(outer == nd.current_stream() and outer ~= s and outer.device == gpu)
    hold(s, true)
    local a, b, c = nd.with_stream(s, function(x, y)
      assert(nd.current_stream() == s)
      d:fill(4)
      nd.with_stream(t, function() assert(nd.current_stream() == t) end)
      assert(nd.current_stream() == s)
      nd.zeros(3) -- a call of its own restores it
      nd.zeros(3, "cuda")
      return x, nil, y
    end, 1, 2)
    assert(a == 1 and b == nil and c == 2)
    if sim then assert(not s:query(), "it went elsewhere") end
    hold(s, false)
    assert(nd.current_stream() == outer)
    local e = {}
    local fine, raised = pcall(nd.with_stream, s, function() error(e) end)
    assert(not fine and raised == e and nd.current_stream() == outer)
    H.raises("freed", function()
      nd.with_stream(s, function() local x = nd.zeros(3) x:free() return x[1] end)
    end)
    assert(nd.current_stream() == outer)
    s:synchronize()
    hold(s, true)
    d:fill(5)
    if sim then assert(s:query(), "it goes there still") end
    hold(s, false)
    assert(d[1] == 5)
    H.raises("type_mismatch", nd.with_stream, 1, print)
    H.raises("type_mismatch", nd.with_stream, s, 1)
    H.raises("unsupported", nd.current_stream, "cpu")
    assert(not far or nd.current_stream "cuda:1".device == far)
  ]])

  each_mode("refuses to be left by a yield, which might never come back", [[
    local outer = nd.current_stream()
    local routine = coroutine.create(function()
      nd.with_stream(s, function() coroutine.yield() end)
    end)
    local fine, why = coroutine.resume(routine)
    assert(not fine and tostring(why):find "yield", why)
    assert(nd.current_stream() == outer)
    nd.with_stream(s, function() -- coroutines within are no trouble
      local inner = coroutine.wrap(function()
        coroutine.yield(nd.current_stream())
        return nd.current_stream()
      end)
      assert(inner() == s and inner() == s)
    end)
  ]])

  -- A full collection before each handle and each allocation: the finalizer runs in nd.ones.
  each_mode("and the option of a call outlive what finalizers do in its middle", [[
    local ran
    local function leave_finalizer()
      getmetatable(newproxy(true)).__gc = function() ran = nd.zeros(3, "cuda") end
    end
    nd.zeros(3, "cuda")
    hold(s, true)
    leave_finalizer()
    local a = nd.ones({10}, "f32", {device = "cuda", stream = s})
    assert(ran)
    if sim then assert(not s:query(), "it went elsewhere") end
    hold(s, false)
    assert(a[1] == 1)
  ]], {env = "NDBUF_GC_STRESS=1"})

  it("is nothing without a GPU", function()
    C.run({env = "NDBUF_CUDA=0"}, [[
      assert(nd.current_stream() == nil)
      H.raises("device_not_found", nd.current_stream, "cuda:0")
    ]])
  end)
end)
