-- Arrow's C device interface: columns in the memory of GPUs, with other code's work on a stream of
-- its own before and after ours.
local C = require "spec.dev.cuda"
local streams = require "spec.dev.streams"

-- Another library: what it has is in a column of N i32, which it releases by counting.
local OTHERS = streams.THEIRS .. [[
  ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
  ffi.cdef "int cuMemsetD32Async(uint64_t, unsigned, size_t, void *);"
  ffi.cdef "int cuStreamSynchronize(void *);"
  ffi.cdef "int cuEventCreate(void **, unsigned); int cuEventRecord(void *, void *);"
  ffi.cdef "int cuStreamWaitEvent(void *, void *, unsigned); int cuEventDestroy_v2(void *);"
  local N = 1000
  nd.to_arrow(nd.zeros(1)) -- declares the structures
  local released = 0
  local release_array = ffi.cast("void (*)(struct ArrowArray *)", function(a)
    released, a.release = released + 1, nil
  end)
  local release_schema = ffi.cast("void (*)(struct ArrowSchema *)", function(s) s.release = nil end)
  local function set(at, value, stream)
    assert(driver.cuMemsetD32Async(ffi.cast("uint64_t", at), value, N, stream) == 0)
  end
  local function alloc()
    local at = ffi.new "uint64_t[1]"
    assert(driver.cuMemAlloc_v2(at, 4 * N) == 0)
    return at[0]
  end
  local kept = {}
  local function column(at, event)
    local schema, array = ffi.new "struct ArrowSchema", ffi.new "struct ArrowDeviceArray"
    local buffers, handle = ffi.new("const void *[2]"), ffi.new("void *[1]", event)
    buffers[1] = ffi.cast("void *", at)
    schema.format, schema.name, schema.release = "i", "x", release_schema
    array.array.length, array.array.n_buffers, array.array.buffers = N, 2, buffers
    array.array.release, array.device_type = release_array, 2
    array.sync_event = event and ffi.cast("void *", handle) or nil
    kept[#kept + 1] = {schema, array, buffers, handle}
    return schema, array
  end
  local function event_of(array) return ffi.cast("void **", array.sync_event)[0] end
]]

local function each_mode(name, script) streams.each_mode(it, name, OTHERS .. script) end

describe("a column of ours, on a GPU,", function()
  each_mode("has an event, behind our work on it", [[
    local theirs = make_stream()
    for i = 1, 20 do
      local place = ({"cuda", "managed:0"})[i % 2 + 1]
      local a = nd.empty({N}, "i32", place)
      a:fill(i, {stream = i % 3 > 0 and s or nil})
      local schema, array, copied = nd.to_arrow_device(a)
      assert(not copied and ffi.string(schema.format) == "i" and array.array.length == N)
      assert(array.device_type == (place == "cuda" and 2 or 13) and array.device_id == 0)
      assert(driver.cuStreamWaitEvent(theirs, event_of(array), 0) == 0)
      set(array.array.buffers[1], 100 + i, theirs)
      assert(driver.cuStreamSynchronize(theirs) == 0)
      assert(a[N] == 100 + i)
      a:free()
      assert(gpu:memory_info().held + nd.device "managed:0":memory_info().held >= 4 * N)
      array.array.release(array.array)
    end
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("of a table is behind the same event as the others", [[
    local theirs = make_stream()
    for i = 1, 20 do
      local a, b = nd.zeros({N}, "i32", "cuda"), nd.empty({N}, "i32", "cuda")
      gpu:synchronize()
      b:fill(i, {stream = s})
      local schema, array = nd.to_arrow_device {{"a", a}, {"b", b}}
      assert(driver.cuStreamWaitEvent(theirs, event_of(array), 0) == 0)
      set(array.array.children[1].buffers[1], 100 + i, theirs)
      assert(driver.cuStreamSynchronize(theirs) == 0)
      assert(b[N] == 100 + i and b:to "cpu":sum() == N * (100 + i))
      array.array.release(array.array)
      schema.release(schema)
    end
    assert(driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  each_mode("in pinned memory says so, unless bits or texts beside it are elsewhere", [[
    local x, y = nd.full({9}, 2, "i32", "pinned"), nd.ones({9}, "bool", "pinned")
    local schema, array = nd.to_arrow_device {x = x}
    assert(array.device_type == 3 and array.sync_event == nil)
    assert(nd.from_arrow_device(schema, array).x.device == "pinned")
    schema, array = nd.to_arrow_device {x = x, y = y}
    assert(array.device_type == 1 and array.device_id < 1 and array.sync_event == nil)
    local columns = nd.from_arrow_device(schema, array)
    assert(columns.x:sum() == 18 and columns.y:all())
    if sim then -- where there is no pinned memory to be had
      for i = 1, 5 do assert(sim.cusim_fail("cuMemHostAlloc", i, "CUDA_ERROR_NOT_SUPPORTED")) end
      schema, array = nd.to_arrow_device {x = nd.empty({30000}, "u8", "pinned")}
      assert(array.device_type == 1)
      sim.cusim_fail_none()
    end
  ]])

  it("races where nobody waits for that, 200 of 200 #sim", function()
    C.run({mode = "lazy"}, streams.TWO .. OTHERS .. [[
      local theirs = make_stream()
      for i = 1, 200 do
        local a = nd.full({N}, i, "i32", "cuda", {stream = i % 2 == 0 and s or nil})
        local schema, array = nd.to_arrow_device(a)
        set(array.array.buffers[1], 7, theirs)
        assert(sim.cusim_forgive "race" == 1, i)
        gpu:synchronize()
        assert(driver.cuStreamSynchronize(theirs) == 0)
        array.array.release(array.array)
        schema.release(schema)
      end
      assert(driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  each_mode("comes back as what it was, on one device alone", [[
    local a, m = nd.full({4, N}, 3, "f32", "cuda", {stream = s}), nd.full({4}, 1, "i16", "cuda")
    local schema, array = nd.to_arrow_device {m = m, t = a}
    local columns = nd.from_arrow_device(schema, array)
    assert(columns.t.device == "cuda:0" and columns.t.readonly and columns.t.is_external)
    assert(columns.t.shape[2] == N and columns.t[4][N] == 3 and columns.m[4] == 1)
    assert(array.array.release == nil and schema.release == nil)
    H.raises("invalid_argument", nd.from_arrow_device, schema, array)
    H.raises("invalid_argument", nd.to_arrow_device, {m = m, h = nd.zeros(4)})
    H.raises("unsupported", nd.to_arrow_device, nd.zeros({4}, "bool", "cuda"))
    H.raises("not_host_accessible", nd.to_arrow, m)
    -- in the host's memory there is nothing to wait for
    local s1, a1 = nd.to_arrow_device(nd.arange(1, 3))
    assert(a1.device_type == 1 and a1.sync_event == nil and s1.release ~= nil)
    assert(nd.from_arrow_device(s1, a1):sum() == 6)
    if far then
      H.raises("invalid_argument", nd.to_arrow_device, {m = m, f = nd.zeros({4}, "f32", "cuda:1")})
    end
  ]])
end)

describe("a column of other code, on a GPU,", function()
  each_mode("is used after its event, and released after our work", [[
    local theirs, event = make_stream(), ffi.new "void *[1]"
    assert(driver.cuEventCreate(event, 2) == 0)
    for i = 1, 20 do
      local at = alloc()
      set(at, i, theirs)
      assert(driver.cuEventRecord(event[0], theirs) == 0)
      local schema, array = column(at, event[0])
      local a = nd.from_arrow_device(schema, array)
      assert(a.device == "cuda:0" and a.readonly and schema.release == nil)
      local b = nd.zeros({N}, "i32", "cuda")
      b:copy_from(a, {stream = i % 3 > 0 and s or nil})
      assert(b[1] == i and a[N] == i and released == i - 1)
      a:free()
      gpu:synchronize()
      collectgarbage()
      assert(released == i and driver.cuMemFree_v2(at) == 0)
    end
    assert(driver.cuEventDestroy_v2(event[0]) == 0 and driver.cuStreamDestroy_v2(theirs) == 0)
  ]])

  it("races where it comes without one, 200 of 200 #sim", function()
    C.run({mode = "lazy"}, streams.TWO .. OTHERS .. [[
      local theirs, at = make_stream(), alloc()
      for i = 1, 200 do
        set(at, i, theirs)
        local a = nd.from_arrow_device(column(at))
        local b = a:clone()
        assert(sim.cusim_forgive "race" == 1, i)
        b:free()
        a:free()
        gpu:synchronize()
        assert(driver.cuStreamSynchronize(theirs) == 0)
      end
      assert(driver.cuMemFree_v2(at) == 0 and driver.cuStreamDestroy_v2(theirs) == 0)
    ]])
  end)

  each_mode("is refused where the CPU would have to look at it", [[
    local at = alloc()
    for _, case in ipairs {{"i", 1}, {"i", -1}, {"b", 0}, {"u", 0}, {"no such", 0}} do
      local schema, array = column(at)
      schema.format, array.array.null_count = case[1], case[2]
      if case[2] ~= 0 then array.array.buffers[0] = ffi.cast("void *", at) end
      H.raises("unsupported", nd.from_arrow_device, schema, array)
      assert(schema.release ~= nil and array.array.release ~= nil and released == 0)
    end
    local schema, array = column(at, ffi.cast("void *", 0x7777))
    H.raises("stream_misuse", nd.from_arrow_device, schema, array) -- no event
    array.sync_event = nil
    array.device_id = 77
    H.raises("device_not_found", nd.from_arrow_device, schema, array)
    array.device_id, array.device_type = 0, 10
    H.raises("unsupported", nd.from_arrow_device, schema, array)
    assert(driver.cuMemFree_v2(at) == 0)
  ]])
end)
