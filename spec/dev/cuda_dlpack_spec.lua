-- DLPack on GPUs: other code's work on a stream of its own, before and after ours.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

-- Another library, with a stream, memory and calls of its own.
local OTHERS = streams.THEIRS .. [[
  ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
  ffi.cdef "int cuMemHostAlloc(void **, size_t, unsigned); int cuMemFreeHost(void *);"
  ffi.cdef "int cuMemAllocManaged(uint64_t *, size_t, unsigned);"
  ffi.cdef "int cuMemsetD32Async(uint64_t, unsigned, size_t, void *);"
  ffi.cdef "int cuStreamSynchronize(void *);"
  local D = dofile "spec/xchg/dlpack.lua"
  local N = 1000
  local function set(at, value, stream)
    assert(driver.cuMemsetD32Async(ffi.cast("uint64_t", at), value, N, stream) == 0)
  end
  local function alloc(managed)
    local at = ffi.new "uint64_t[1]"
    assert((managed and driver.cuMemAllocManaged(at, 4 * N, 1)
      or driver.cuMemAlloc_v2(at, 4 * N)) == 0)
    return at[0]
  end
  local function tensor(at, type) return D.make(ffi.cast("void *", at), 0, 32, {N}, nil, type) end
]]

local function each_mode(name, script) streams.each_mode(it, name, OTHERS .. script) end

describe("a tensor of ours, on a GPU,", function()
  each_mode("waits for our work, on the stream that is named", [[
    local theirs = make_stream()
    for i = 1, 20 do
      local place = ({"cuda", "managed:0"})[i % 2 + 1]
      local a = nd.empty({N}, "i32", place)
      a:fill(i, {stream = i % 3 > 0 and s or nil})
      local stream = ({theirs, ffi.cast("void *", 1), ffi.cast("void *", 2)})[i % 3 + 1]
      local made = D.of(nd.to_dlpack(a, {stream = i % 3 == 0 and id(theirs) or i % 3}))
      assert(made.tensor.type == (place == "cuda" and 2 or 13) and made.tensor.id == 0)
      set(made.tensor.data, 100 + i, stream)
      -- and our work after theirs, once they are done
      assert(driver.cuStreamSynchronize(stream) == 0)
      assert(a[N] == 100 + i and a:to "cpu":sum() == N * (100 + i))
      D.delete(made)
    end
    -- by default the legacy one
    local a = nd.full({N}, 1, "i32", "cuda")
    local made = D.of(nd.to_dlpack(a))
    set(made.tensor.data, 5, ffi.cast("void *", 1))
    assert(driver.cuStreamSynchronize(ffi.cast("void *", 1)) == 0 and a[1] == 5)
    D.delete(made)
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  -- DLPack numbers the memory of GPUs alone
  it("names the second device for its own memory, and 0 for managed memory there #sim", function()
    C.run({devices = 2}, OTHERS .. [[
      for place, expected in pairs {cuda = {2, 0}, ["cuda:1"] = {2, 1}, ["managed:1"] = {13, 0}} do
        local a = nd.full({N}, 7, "i32", place)
        local tensor = nd.to_dlpack(a)
        local t = D.of(tensor).tensor
        assert(t.type == expected[1] and t.id == expected[2], place)
        local back = nd.from_dlpack(tensor)
        assert(back.device == a.device and back:to "cpu":sum() == 7 * N, place)
      end
    ]])
  end)

  it("races where nobody waits, 200 of 200 #sim", function()
    C.run({mode = "lazy"}, streams.TWO .. OTHERS .. [[
      local theirs = make_stream()
      for i = 1, 200 do
        local a = nd.full({N}, i, "i32", "cuda", {stream = i % 2 == 0 and s or nil})
        local made = D.of(nd.to_dlpack(a, {stream = -1}))
        set(made.tensor.data, 7, theirs)
        assert(sim.cusim_forgive "race" == 1, i)
        gpu:synchronize()
        assert(driver.cuStreamSynchronize(theirs) == 0)
        D.delete(made)
      end
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  each_mode("comes home after the work on the stream that is named", [[
    local theirs = make_stream()
    for i = 1, 30 do
      local a = nd.zeros({N}, "i32", ({"cuda", "managed:0", "pinned"})[i % 3 + 1])
      local named = i % 2 == 0
      local stream = a.device ~= "pinned" and (named and id(theirs) or 1) or nil
      local made = D.of(nd.to_dlpack(a, {stream = stream}))
      set(made.tensor.data, i, named and theirs or ffi.cast("void *", 1))
      local b = nd.from_dlpack(ffi.cast("void *", made), {stream = named and id(theirs) or nil})
      assert(b.storage_id == a.storage_id and not b.is_external)
      assert(a[1] == i and b[N] == i and b:to "cpu":sum() == i * N, a.device)
      a:free()
    end
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("waits for our reads, too, as it may be written", [[
    local theirs = make_stream()
    for i = 1, 20 do
      local a, b = nd.full({N}, i, "i32", "cuda"), nd.zeros({N}, "i32", "cuda")
      gpu:synchronize()
      b:copy_from(a, {stream = s})
      local made = D.of(nd.to_dlpack(a, {stream = id(theirs)}))
      set(made.tensor.data, 100, theirs)
      assert(b[N] == i and b:to "cpu":sum() == N * i)
      assert(driver.cuStreamSynchronize(theirs) == 0)
      D.delete(made)
    end
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("in pinned memory is there at once, as are arrays by a name", [[
    for i = 1, 20 do
      local d, p = nd.full({N}, i, "i32", "cuda"), nd.zeros({N}, "i32", "pinned")
      p:copy_from(d, {stream = s})
      local made = D.of(nd.to_dlpack(p))
      assert(made.tensor.type == 3 and ffi.cast("int *", made.tensor.data)[N - 1] == i)
      D.delete(made)
      local q, e = nd.zeros({N}, "i32", "pinned"), nd.zeros({N}, "i32", "cuda")
      q:copy_from(d, {stream = s})
      d:fill(-i, {stream = s})
      local named, other = nd.attach(nd.share(q)), nd.attach(nd.share(d, {once = true}))
      assert(named.device == "pinned" and named[N] == i and other.device == "cuda:0")
      e:copy_from(other, {stream = t})
      assert(e[N] == -i and e:to "cpu":sum() == -i * N)
    end
  ]])

  each_mode("in pinned memory comes back as such, and goes out again", [[
    for i = 1, 20 do
      local d, p = nd.full({N}, i, "i32", "cuda"), nd.zeros({N}, "i32", "pinned")
      local between = nd.attach(nd.share(p)) -- the name is good while it lives
      local b = nd.attach(nd.share(between))
      local c = D.of(nd.to_dlpack(b, {versioned = i % 2 == 0}), i % 2 == 0)
      local e = nd.from_dlpack(ffi.cast("void *", c), {versioned = i % 2 == 0})
      assert(b.device == "pinned" and e.device == "pinned")
      local made = nd.to_dlpack(e)
      p:free() between:free()
      e:free()
      b:free()
      local g = nd.from_dlpack(made)
      assert(g.device == "pinned")
      g:copy_from(d, {stream = s})
      assert(g[N] == i and nd.from_dlpack(nd.to_dlpack(g)):sum() == i * N)
    end
    local of = nd.zeros({N}, "i32", "managed:0")
    local m = nd.attach(nd.share(of))
    m:prefetch "cuda:0"
    assert(m.device == "managed:0" and m[1] == 0 and of[1] == 0)
  ]])

  each_mode("that is deleted while work of ours runs leaves the memory to that", [[
    local theirs = make_stream()
    local a = nd.zeros({N}, "i32", "cuda")
    gpu:synchronize()
    local before = gpu:memory_info()
    hold(s, true)
    a:fill(3, {stream = s})
    local made = D.of(nd.to_dlpack(a, {stream = id(theirs)}))
    a:free()
    D.delete(made)
    local b = nd.full({N}, 7, "i32", "cuda", {stream = t})
    hold(s, false)
    assert(b:to "cpu":sum() == 7 * N and b[1] == 7)
    b:free()
    gpu:synchronize()
    local after = gpu:memory_info()
    assert(after.held == before.held and after.pending == before.pending)
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("is not made where its stream cannot wait #sim", [[
    local theirs, before = make_stream(), gpu:memory_info().held
    local a = nd.empty({N}, "i32", "cuda")
    a:fill(1, {stream = s})
    sim.cusim_capture(id(theirs), true)
    H.raises("stream_misuse", nd.to_dlpack, a, {stream = id(theirs)})
    sim.cusim_capture(id(theirs), false)
    a:free()
    assert(gpu:memory_info().held == before)
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("outlives its array, in whose figures it is held", [[
    local theirs = make_stream()
    local before = gpu:memory_info()
    local a = nd.empty({N}, "i32", "cuda")
    a:fill(3, {stream = s})
    local made = D.of(nd.to_dlpack(a, {stream = id(theirs)}))
    a:free()
    local info = gpu:memory_info()
    assert(info.held == before.held + 4 * N, info.held)
    assert(info.pending >= info.held and info.live == before.live)
    set(made.tensor.data, 9, theirs)
    assert(driver.cuStreamSynchronize(theirs) == 0)
    local b = nd.from_dlpack(ffi.cast("void *", made), {stream = id(theirs)})
    assert(b.is_external and b.device == "cuda:0")
    assert(b[1] == 9 and b:to "cpu":sum() == 9 * N)
    b:free()
    gpu:synchronize()
    info = gpu:memory_info()
    assert(info.held == before.held and info.pending == before.pending)
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])
end)

describe("a tensor of other code, on a GPU,", function()
  each_mode("is used after the work on the stream that is named", [[
    local theirs = make_stream()
    for i = 1, 20 do
      local managed = i % 2 == 0
      local at = alloc(managed)
      local stream = ({theirs, ffi.cast("void *", 1), ffi.cast("void *", 2)})[i % 3 + 1]
      set(at, i, stream)
      local pointer, kept = tensor(at, managed and 13 or 2)
      local a = nd.from_dlpack(pointer, {stream = i % 3 == 0 and id(theirs) or i % 3})
      assert(a.is_external and a.device == (managed and "managed:0" or "cuda:0"), a.device)
      local b = nd.zeros({N}, "i32", "cuda")
      b:copy_from(a, {stream = i % 3 > 0 and s or nil})
      assert(b[1] == i and a[N] == i and a:to "cpu":sum() == i * N)
      a:free()
      assert(kept and driver.cuMemFree_v2(at) == 0)
    end
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("may be pinned memory", [[
    local theirs, out = make_stream(), ffi.new "void *[1]"
    assert(driver.cuMemHostAlloc(out, 4 * N, 0) == 0)
    set(ffi.cast("uint64_t", out[0]), 6, theirs)
    local pointer, kept = tensor(out[0], 3)
    local a = nd.from_dlpack(pointer, {stream = id(theirs)})
    assert(a.device == "pinned" and a[1] == 6 and a:sum() == 6 * N and a.is_external)
    local b = nd.zeros({N}, "i32", "cuda")
    b:copy_from(a, {stream = s})
    assert(b[N] == 6)
    a:copy_from(nd.full({N}, 7, "i32", "cuda"))
    assert(ffi.cast("int *", out[0])[3] == 7)
    a:free()
    assert(kept and driver.cuMemFreeHost(out[0]) == 0)
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  it("races where the wrong stream is named, 200 of 200 #sim", function()
    C.run({mode = "lazy"}, streams.TWO .. OTHERS .. [[
      local theirs, idle = make_stream(), make_stream()
      local at = alloc()
      for i = 1, 200 do
        set(at, i, theirs)
        local pointer, kept = tensor(at, 2)
        local a = nd.from_dlpack(pointer, {stream = id(idle)})
        local b = a:clone()
        assert(kept and sim.cusim_forgive "race" == 1, i)
        b:free()
        a:free()
        gpu:synchronize()
        assert(driver.cuStreamSynchronize(theirs) == 0)
      end
      assert(driver.cuMemFree_v2(at) == 0)
      assert(driver.cuStreamDestroy_v2(theirs) == 0 and driver.cuStreamDestroy_v2(idle) == 0)
    ]])
  end)

  each_mode("is refused where it is not the device's, or its stream is none", [[
    local bytes = ffi.new("int[?]", N)
    local pointer, kept = tensor(bytes, 2)
    H.raises("invalid_argument", nd.from_dlpack, pointer)
    kept[1].tensor.id = 77
    H.raises("device_not_found", nd.from_dlpack, pointer)
    kept[1].tensor.id = 0
    local at = alloc()
    pointer, kept = tensor(at, 2)
    for _, stream in ipairs {0, -1, -2, 3, 4095} do
      H.raises("invalid_argument", nd.from_dlpack, pointer, {stream = stream})
    end
    assert(kept and driver.cuMemFree_v2(at) == 0)
    local a = nd.zeros({N}, "i32", "cuda")
    for _, stream in ipairs {0, -2, 3, 4095} do
      H.raises("invalid_argument", nd.to_dlpack, a, {stream = stream})
    end
    local r = nd.full({N}, 1, "i32", "cuda"):readonly_view()
    H.raises("read_only", nd.to_dlpack, r, {versioned = false})
  ]])

  -- where the CPU must not touch managed memory while the device works
  it("in managed memory makes calls wait on a device that cannot share it #sim", function()
    for _, mode in ipairs {"lazy", "shuffle"} do
      C.run({mode = mode, managed = "exclusive", protect = 1}, streams.TWO .. OTHERS .. [[
        local x, y = nd.zeros({N}, "f32", "cuda"), nd.zeros({N}, "f32", "cuda")
        local at = alloc(true)
        for i = 1, 20 do
          y:copy_from(x, {stream = s}) -- in flight already
          local theirs, of = tensor(at, 13)
          local m = nd.from_dlpack(theirs)
          m[1] = i
          y:copy_from(x, {stream = s})
          assert(m[1] == i and of)
          m:free()
        end
        gpu:synchronize()
        assert(driver.cuMemFree_v2(at) == 0)
      ]])
    end
  end)
end)
