-- Copies between all kinds of memory: each result is compared with the same copies on the host.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

-- Random shapes, layouts and dtypes.
local COPIES = [[
local CASES, LARGE = %d, %s
local PLACES = {"cpu", "pinned", "managed", "cuda:0", "disk", "mapped", "locked",
                nd.devices()[3] and "cuda:1"}
local DTYPES = {"u8", "i16", "f32", "f64", "c128", "bool", "i64", "f16"}

local function make(place, n, dtype)
  if place == "disk" then return nd.zeros({n}, dtype, "disk:" .. H.path "made") end
  if place == "mapped" then -- by another mode: its private pages are in no file
    local path = H.write(H.path "mapped", ("\0"):rep(n * nd[dtype].itemsize))
    return nd.mmap(path, dtype, {n}, {mode = "c"})
  end
  if place == "locked" then return nd.zeros({n}, dtype):pin() end
  return nd.zeros({n}, dtype, place)
end

-- An array of this shape inside of a larger one: gaps, steps, reversed and exchanged axes. Where it
-- is large, the last axis stays as it is: else a GPU would be called for each of many elements.
local function scattered(place, shape, dtype)
  local order, size, key, back, total = {}, {}, {}, {}, 1
  local free = place:find "cuda" and (shape[3] or 0) > 1000 and 2 or #shape
  for i = 1, #shape do order[i] = i end
  for i = free, 2, -1 do
    local j = rng(i)
    order[i], order[j] = order[j], order[i]
  end
  for i = 1, #shape do
    local want = shape[order[i] ]
    local step = i <= free and rng(3) == 1 and 2 or 1
    size[i] = want * step + (rng(3) == 1 and rng(3) or 0)
    total = total * size[i]
    local first = rng(1, math.max(1, size[i] - want * step + 1))
    key[i] = {first, first + (want - 1) * step, step}
    if i <= free and rng(4) == 1 and want > 0 then key[i] = {key[i][2], key[i][1], -step} end
    if want == 0 then key[i] = {1, 0} end
    back[order[i] ] = i
  end
  local a = make(place, total, dtype):reshape(size)
  return #shape == 0 and a or a:slice(key):permute(back)
end

local function random_shape()
  if LARGE and rng(25) == 1 then return {rng(1, 40), rng(1, 30), rng(1, 7000)} end -- several pieces
  local shape = {}
  for i = 1, rng(0, 4) do shape[i] = rng(30) == 1 and 0 or rng(1, rng(1, 12)) end
  return shape
end

local function check(got, want, what)
  got = got:to "cpu":clone()
  if not got:equal(want) then error(what .. "\n" .. tostring(got) .. "\n" .. tostring(want), 0) end
end

for case = 1, CASES do
  local shape = random_shape()
  local from = DTYPES[rng(#DTYPES)]
  local to = rng(2) == 1 and from or DTYPES[rng(#DTYPES)]
  if from == "c128" then to = from end
  local src_place, dst_place = PLACES[rng(#PLACES)], PLACES[rng(#PLACES)]
  local what = ("case %%d: %%s %%s from %%s %%s, %%s"):format(case, dst_place, to, src_place, from,
    table.concat(shape, "x"))
  local values = nd.randint(-100, 100, shape, {seed = case}):astype(from)
  local src, dst = scattered(src_place, shape, from), scattered(dst_place, shape, to)
  src:copy_from(values)
  dst:copy_from(src)
  check(dst, values:astype(to), what)
  check(src, values, what .. ": the source")
  if #shape > 0 and rng(3) == 1 and shape[1] > 0 then -- one row broadcast
    local want = nd.zeros(shape, to)
    want:copy_from(values:narrow(1, 1, 1))
    dst:copy_from(src:narrow(1, 1, 1))
    check(dst, want, what .. ": a row")
  end
  if rng(3) == 1 then
    local value = rng(-5, 5)
    check(dst:fill(value), nd.full_like(dst, value, {device = "cpu"}), what .. ": filled")
  end
end
]]

local function copies(cases, large) return COPIES:format(H.cases(cases), tostring(large)) end

describe("copies of a GPU", function()
  for _, mode in ipairs(C.modes) do
    for _, managed in ipairs {"concurrent", "exclusive"} do
      it(("give what they give on the host: %s, %s"):format(mode, managed), function()
        C.run({mode = mode, seed = H.seed, devices = 2, managed = managed,
            handles = managed == "exclusive" and "reuse" or "fresh"},
          copies(150, true))
      end)
    end
  end

  it("do without what an older driver lacks #sim", function()
    for _, hidden in ipairs {
      "cuMemcpy2DAsync_v2,cuMemcpy3DAsync_v2", "cuMemcpyPeerAsync", "cuMemPoolCreate",
      "cuMemAllocFromPoolAsync,cuMemsetD16Async,cuMemsetD32Async", "cuDeviceCanAccessPeer",
    } do
      C.run({mode = "lazy", devices = 2, hide = hidden},
        copies(40, false))
    end
    C.run({devices = 2, driver = 11040}, copies(40, false))
  end)

  it("of regular rows and planes are one call, also where pitches are refused #sim", function()
    C.run({}, [[
      local a = nd.arange(1, 4 * 50 * 60, 1, "f32"):reshape(4, 50, 60)
      local d = a:to "cuda"
      local rows = d(2)":, 1:40":clone()
      assert(rows:to "cpu":equal(a(2)":, 1:40":clone()))
      assert(sim.cusim_calls "cuMemcpy2DAsync_v2" == 1)
      local planes = d":, 1:30, 1:40":to "cpu"
      assert(planes:equal(a":, 1:30, 1:40":clone()))
      assert(sim.cusim_calls "cuMemcpy3DAsync_v2" == 1)
      assert(sim.cusim_fail("cuMemcpy3DAsync_v2", 1, "CUDA_ERROR_INVALID_VALUE"))
      assert(sim.cusim_fail("cuMemcpy2DAsync_v2", 1, "CUDA_ERROR_INVALID_VALUE"))
      assert(d":, 1:30, 1:40":to "cpu":equal(planes))
      assert(nd.transfers().staged.calls == 0)
    ]])
  end)

  it("of pinned arrays take one call and no staging, of others two buffers #sim", function()
    C.run({}, [[
      local n = 10 * 2 ^ 20
      local p = nd.full({n}, 3, "u8", "pinned")
      p:to "cuda"
      assert(sim.cusim_calls "cuMemcpyHtoDAsync_v2" == 1)
      p:copy_from(nd.ones(n, "u8", "cuda"))
      assert(sim.cusim_calls "cuMemcpyDtoHAsync_v2" == 1 and p[n] == 1)
      local pinned = sim.cusim_live_count "pinned"
      nd.arange(1, n, 1, "i32"):to "cuda"
      assert(sim.cusim_live_count "pinned" == pinned + 2)
      assert(sim.cusim_calls "cuMemcpyHtoDAsync_v2" == 1 + 5)
    ]])
  end)

  it("of ordinary memory have one buffer on its way while the CPU fills the other #sim", function()
    local function check(call, copy, hidden, first, second)
      C.run({mode = "lazy", lag = 999, hide = hidden}, ([[
        local a = nd.arange(1, 10 * 2 ^ 20, 1, "i32") -- five pieces
        local d = nd.full({10 * 2 ^ 20}, 7, "i32", "cuda")
        local call, copy = %q, function() return %s end
        nd.device "cuda":synchronize()
        for _, wait in ipairs {%q, %q} do
          assert(sim.cusim_fail(wait, 1, "CUDA_ERROR_UNKNOWN"))
        end
        H.raises("driver", copy)
        assert(sim.cusim_calls(call) == 2) -- the first wait finds two on their way
        copy()
        assert(d:to "cpu":equal(a))
      ]]):format(call, copy, first, second or first))
    end
    for call, copy in pairs {cuMemcpyHtoDAsync_v2 = "d:copy_from(a)",
                             cuMemcpyDtoHAsync_v2 = "a:copy_from(d)"} do
      check(call, copy, nil, "cuStreamWaitValue64_v2", "cuStreamSynchronize")
      check(call, copy, "cuStreamWaitValue64_v2", "cuEventSynchronize")
    end
  end)

  it("of files are read into a buffer once its last copy is done", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode}, [[
        local n, path = 9 * 2 ^ 20, H.path "numbers" -- five pieces
        nd.zeros({n}, "i32", "disk:" .. path):copy_from(nd.arange(1, n, 1, "i32"))
        local file = nd.mmap(path, "i32", {n})
        assert(file:to "cuda":to "cpu":equal(file))
      ]])
    end
  end)

  it("of what lies between narrow rows are read whole, and never written whole", function()
    C.run({}, [[
      local a = nd.arange(1, 4000, 1, "f32"):reshape(1000, 4)
      local d = a:to "cuda"
      local before = nd.transfers().d2h.bytes
      assert(d":, 2":to "cpu":equal(a":, 2":clone()))
      assert(nd.transfers().d2h.bytes - before == 1000 * 16 - 12)
      local sparse = nd.arange(1, 64000, 1, "f32"):reshape(1000, 64)
      local far = sparse:to "cuda"
      before = nd.transfers().d2h.bytes
      assert(far":, 2":to "cpu":equal(sparse":, 2":clone())) -- too much lies between
      assert(nd.transfers().d2h.bytes - before == 4000)
      before = nd.transfers().d2h.bytes
      local turned = nd.zeros({1000}, "f32")
      turned"::-1":copy_from(far":, 2") -- in 1000 calls it would take longer
      assert(turned"::-1":equal(sparse":, 2"))
      assert(nd.transfers().d2h.bytes - before == 999 * 256 + 4)
      local h2d = nd.transfers().h2d.bytes
      d":, 2":copy_from(nd.arange(1, 1000, 1, "f32"))
      assert(nd.transfers().h2d.bytes - h2d == 4000)
      a":, 2":copy_from(nd.arange(1, 1000, 1, "f32"))
      assert(d:to "cpu":equal(a))
    ]])
  end)

  it("that follow one another do not disturb those in flight", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, devices = 2}, [[
        local last = nd.devices()[#nd.devices()]
        local made, seen = {}, {}
        for i = 1, 12 do made[i] = nd.arange(i, i + 999, 1, "f32"):to "cuda" end
        for i = 1, 12 do assert(made[i](1) == i and made[i](1000) == i + 999) end
        local large = nd.arange(1, 8 * 2 ^ 20, 1, "i32")
        assert(large:to "cuda":to "cpu":equal(large))
        local a = nd.arange(1, 1000, 1, "f32", last)
        for i = 1, 5 do
          seen[i] = nd.devices()[3] and a:to "cuda:0" or a:clone()
          a:fill(i)
        end
        for i = 1, 5 do assert(seen[i](7) == (i == 1 and 7 or i - 1)) end
      ]])
    end
  end)

  it("that collect another device's arrays on the way stay on their own #sim", function()
    C.run({mode = "lazy", devices = 2, env = "NDBUF_GC_STRESS=1"}, [[
      local a = nd.arange(1, 1000, 1, "f32")
      local d, other = nd.zeros({1000}, "f32", "cuda:0"), nd.zeros({1000}, "f32", "cuda:1")
      local function drop(place) return nd.zeros({10}, place).device end
      drop "cuda:1"
      d:copy_from(a) -- makes buffers, which collects
      drop "cuda:0"
      assert(other:copyout() == ("\0"):rep(4000))
      assert(d:to "cpu":equal(a))
    ]])
  end)

  it("from a file are of the elements of the view", function()
    C.run({}, [[
      local path = H.write(H.path "grid", nd.randint(0, 255, {40, 60}, "u8"):copyout())
      local a = nd.mmap(path, "u8", {40, 60})
      for i, v in ipairs {a, a.T, a":, 1:50", a"::2", a:flip(1), a"3:7", a":, 5"} do
        assert(v:to "cuda":to "cpu":equal(v:clone()), i)
      end
    ]])
  end)

  it("from a file that shrank are refused", function()
    C.run({}, [[
      for _, mode in ipairs {"r", "r+", "c"} do
        local path = H.write(H.path "short", ("x"):rep(100000))
        local a = nd.mmap(path, "u8", {100000}, {mode = mode})
        H.write(path, "x")
        local e = H.raises("io", function() return a:to "cuda" end)
        assert(e.expected == 100000 and e.actual == 1 and e.message:find("truncated", 1, true))
        H.raises("io", function() return nd.zeros(200000, "u8", "cuda")"::2":copy_from(a) end)
      end
      local path = H.write(H.path "read-only", ("x"):rep(100))
      H.raises("read_only", function()
        nd.mmap(path, "u8", {100}):copy_from(nd.zeros(100, "u8", "cuda"))
      end)
    ]])
  end)

  it("from a file whose name another has by now are of the file that was mapped", function()
    C.run({}, [[
      for _, mode in ipairs {"r", "r+", "c"} do
        local path, other = H.write(H.path "old", ("x"):rep(100000)), H.path "new"
        local a = nd.mmap(path, "u8", {mode = mode})
        H.write(other, ("y"):rep(100000))
        assert(os.rename(other, path))
        assert(a:to "cuda":to "cpu":copyout() == ("x"):rep(100000))
        assert(os.remove(path))
        assert(a:to "cuda":to "cpu":copyout() == ("x"):rep(100000))
      end
    ]])
  end)

  it("refuse what does not fit, before anything is written", function()
    C.run({mode = "lazy"}, [[
      local d = nd.array({1, 300, 2}, "i16", "cuda")
      local function narrow() return d:astype("u8", {mode = "check"}) end
      local e = H.raises("not_representable", narrow)
      assert(e.position == 2)
      H.raises("shape_mismatch", function() d:copy_from(nd.ones(4)) end)
      H.raises("type_mismatch", function() d:copy_from(nd.ones(3, "c64")) end)
      H.raises("size_mismatch", function() d:copyin "abc" end)
      H.raises("overlap", function() d:unfold(1, 2, 1):fill(1) end)
      H.raises("read_only", function() d:readonly_view():fill(1) end)
      assert(d(2) == 300)
      d:free()
      H.raises("freed", function() return d(1) end)
      H.raises("freed", function() d:copy_from(nd.ones(3)) end)
    ]])
  end)

  it("are complete with NDBUF_SYNC=1 #sim", function()
    C.run({mode = "lazy", env = "NDBUF_SYNC=1"}, [[
      ffi.cdef "uint64_t cusim_pending(void);"
      local a = nd.ones(1000, "f32", "cuda")
      for _, b in ipairs {a:clone(), nd.zeros(10, "cuda"), a"::2":clone()} do
        b:fill(3)
        assert(sim.cusim_pending() == 0)
      end
    ]])
  end)
end)
