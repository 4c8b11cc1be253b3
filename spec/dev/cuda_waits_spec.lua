-- What the CPU waits for before it touches memory that a GPU works on: that work, and no other.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

describe("work of a stream", function()
  -- Work on pinned or managed memory, with so much behind it, of which the CPU leaves all in
  -- flight, or, where 'left' is 0, none.
  local BEHIND = [[
    local behind, left, place = %d, %d, %q
    local gpu = nd.device "cuda:0"
    local s = %s
    local out = {stream = s}
    local p, r = nd.zeros({1000}, "f32", place), nd.zeros({1000}, "f32", place)
    local d = nd.full({1000}, 5, "f32", "cuda", out)
    local busy = nd.zeros({8}, "f32", "cuda", out)
    local function follow()
      for i = 1, behind do busy:fill(i, out) end
    end
    local function check(what)
      local now = tonumber(sim.cusim_pending())
      assert(left == 0 and now == 0 or left > 0 and now >= left, what .. ": " .. now)
    end
    gpu:synchronize()
    p:copy_from(d, out)
    follow()
    r"1:8":copy_from(busy, out)
    follow()
    assert(p[7] == 5)
    check "read"
    assert(r[7] == behind)
    d:copy_from(p, out)
    follow()
    p[1] = 8
    check "store"
    for i = 1, 1000 do p[i] = 4 end
    d"1:500":copy_from(p"1:500", out)
    follow()
    p[501] = 6
    assert(left == 0 or sim.cusim_pending() > left, "the other half was waited for")
    local events = tonumber(sim.cusim_calls "cuEventCreate")
    assert(p[500] == 4 and p[501] == 6 and d[500] == 4 and d[501] == 5)
    io.write(events)
  ]]

  for _, place in ipairs {"pinned", "managed"} do
    for _, stream in ipairs {"nd.current_stream(gpu)", "gpu:stream()"} do
      local name = ("of %s alone on %s memory is waited for by itself #sim"):format(stream, place)
      it(name, function()
        local function check(mode, behind, left, hidden, lag)
          local events = C.run({mode = mode, protect = 1, hide = hidden, lag = lag},
                               BEHIND:format(behind, left, place, stream))
          assert.equal("0", events)
        end
        check("lazy", 9, 9)
        check("lazy", 9, 9, nil, 999) -- asking is not enough
        check("eager", 9, 0)
        check("lazy", 9, 0, "cuStreamWaitValue64_v2") -- with all, where the driver cannot
      end)
    end

    it("on " .. place .. " memory is waited for by itself whatever follows #sim", function()
      local events = C.run({mode = "lazy", protect = 1},
                           streams.TWO .. "t:record() array(0, 'cuda'):fill(1, {stream = t})" ..
                           BEHIND:format(300, 300, place, "s"))
      assert.is_true(tonumber(events) > 64)
    end)
  end

  it("alone makes no event, whichever way it goes #sim", function()
    for _, mode in ipairs(C.modes) do
      for _, stream in ipairs {"nd.current_stream()", "nd.device 'cuda':stream()"} do
        C.run({mode = mode, protect = 1}, ([[
          local s = %s
          nd.with_stream(s, function()
            local n = 6 * 2 ^ 20 -- three buffers
            local host = nd.arange(1, n, 1, "i32")
            local d, same = host:to "cuda", nd.empty({n}, "i32")
            for i = 1, 100 do
              for _, dtype in ipairs {"f64", "i64", "c64", "c128", "u8"} do
                local a = nd.full({9}, i, dtype, "cuda")
                a:fill(i + 1)
                a[3] = i + 2
                assert(a"2:3":to "cpu":equal(nd.array({i + 1, i + 2}, dtype)))
                local _ = a[3]
              end
              nd.ones({9}, "cuda"):copy_from(nd.arange(1, 9, 1, "f64"))
              nd.arange(1, 9, 1, "f64", "cuda"):astype "i32"
            end
            for i = 1, 70 do
              d[i] = -i
              host[i] = -i
            end
            same:copy_from(d)
            assert(same:equal(host))
            d"::3":copy_from(host"::3")
            for _, place in ipairs {"pinned", "managed", "cpu"} do
              assert(d:to(place):to "cpu":equal(host))
              assert(d"::2":to(place):to "cpu":equal(host"::2"))
              d:copy_from(host:to(place))
            end
          end)
          nd.device "cuda":synchronize()
          assert(sim.cusim_calls "cuEventCreate" == 0)
        ]]):format(stream))
      end
    end
  end)

  it("is seen in a word of memory, before a stream waits for that #sim", function()
    C.run({mode = "lazy", protect = 1}, [[
      local n = 10 * 2 ^ 20 -- five buffers
      local host = nd.arange(1, n, 1, "i32")
      local d, back = host:to "cuda", nd.empty({n}, "i32")
      back:copy_from(d)
      assert(back:equal(host) and sim.cusim_calls "cuStreamWriteValue64_v2" > 2)
      assert(sim.cusim_calls "cuStreamWaitValue64_v2" == 0)
    ]])
  end)

  it("that makes room for one of another priority is done with what the CPU waits for #sim",
    function()
      C.run({mode = "lazy", protect = 1}, [[
        local gpu, all = nd.device "cuda:0", {}
        for i = 1, 32 do all[i] = gpu:stream() end
        local p = nd.zeros({1000}, "f32", "pinned")
        local d = nd.zeros({1000}, "f32", "cuda", {stream = all[2]})
        gpu:synchronize()
        p:copy_from(d, {stream = all[1]})
        local event = all[1]:record()
        assert(p[1] == 0)
        all[1] = nil
        collectgarbage()
        collectgarbage()
        local s = gpu:stream {priority = -1}
        for i = 1, 3 do
          p:copy_from(d, {stream = s})
          d:fill(i, {stream = s})
          assert(p[1] == i - 1)
        end
      ]])
    end)

  it("on which a wait failed keeps no other work waiting #sim", function()
    C.run({mode = "lazy", protect = 1, lag = 999}, [[
      local gpu = nd.device "cuda:0"
      local s = gpu:stream()
      local p, d = nd.zeros({1000}, "f32", "pinned"), nd.zeros({1000}, "f32", "cuda", {stream = s})
      nd.zeros({1}, "u8", "managed")
      gpu:synchronize()
      for i = 1, 20 do d:fill(i, {stream = s}) end
      p:copy_from(d, {stream = s})
      d:fill(1, {stream = s})
      assert(sim.cusim_fail("cuStreamSynchronize", 1, "CUDA_ERROR_OUT_OF_MEMORY"))
      assert(sim.cusim_fail("cuStreamSynchronize", 2, "CUDA_ERROR_OUT_OF_MEMORY"))
      H.raises_like("out_of_memory", "cuStreamSynchronize", function() return p[1] end)
      assert(sim.cusim_hold(s.handle, true)) -- until somebody waits
      local before = sim.cusim_pending()
      nd.zeros({1}, "u8", "managed")
      assert(sim.cusim_pending() == before, "zeros waited for a copy")
      assert(p[1] == 20)
    ]])
  end)

  it("that works on many parts of an array is waited for by the part #sim", function()
    C.run({mode = "lazy", protect = 1}, [[
      local gpu = nd.device "cuda:0"
      local s = gpu:stream()
      local p, d = nd.zeros({1000}, "f32", "pinned"), nd.ones({1000}, "f32", "cuda", {stream = s})
      local from, to = {}, {}
      for i = 1, 40 do
        local part = ("%d:%d"):format(10 * i, 10 * i + 4)
        from[i], to[i] = d(part), p(part)
      end
      for last = 1, 40 do
        gpu:synchronize()
        assert(sim.cusim_hold(s.handle, true)) -- until somebody waits
        for i = 1, last do to[i]:copy_from(from[i], {stream = s}) end
        for i = 1, 9 do d:fill(1, {stream = s}) end
        local k = math.max(last - 5, 1)
        p[10 * k] = 3
        assert(sim.cusim_pending() >= 9 + last - k, "it waited for other parts")
      end
    ]])
  end)

  it("is waited for by the array that it concerns", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode}, [[
        local gpu = nd.device "cuda:0"
        local s, t = gpu:stream(), gpu:stream()
        local a, b = nd.zeros({100}, "f32", "cuda"), nd.zeros({100}, "f32", "cuda")
        local lazy, gone = nd.empty({9}, {lazy = true}), nd.zeros(3)
        gpu:synchronize()
        for _, handle in ipairs{s.handle, t.handle} do
          if sim then assert(sim.cusim_hold(handle, true)) end
        end
        a"1:50":fill(1, {stream = s})
        a"51:100":fill(2, {stream = t})
        b:fill(1, {stream = t})
        local before = sim and sim.cusim_pending()
        a"1:50":synchronize()
        if sim then assert(not t:query(), "it waited for the other half") end
        a:synchronize()
        assert(s:query())
        if sim then assert(sim.cusim_pending() < before) end
        lazy:synchronize()
        assert(not lazy.is_allocated)
        gone:free()
        H.raises("freed", gone.synchronize, gone)
        H.raises_like("invalid_argument", "extra argument", a.synchronize, a, 1)
      ]])
    end
  end)
end)
