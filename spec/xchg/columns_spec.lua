-- Arrow's structures in scripts: what releases them, and when. pyarrow is in spec/peers, GPUs in
-- spec/dev/cuda_arrow_spec.lua, elements in spec/core/arrow_columns_spec.c.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"

nd.to_arrow(nd.zeros(1)) -- declares the structures

local function held() return nd.device "cpu":memory_info().held end

local function settle() for _ = 1, 3 do collectgarbage() nd.device "cpu":synchronize() end end

-- ---- another library, which counts what is released ----

local released = {schema = 0, array = 0, stream = 0}
local kept = {}

local function reset()
  settle()
  released = {schema = 0, array = 0, stream = 0}
  kept = {}
end

local function releaser(type, name)
  return ffi.cast(("void (*)(struct %s *)"):format(type), function(it)
    released[name] = released[name] + 1
    it.release = nil
  end)
end

local release_schema = releaser("ArrowSchema", "schema")
local release_array = releaser("ArrowArray", "array")
local release_stream = releaser("ArrowArrayStream", "stream")

local function keep(it) kept[#kept + 1] = it return it end

local function fill(schema, array, format, name, length, ...)
  schema.format, schema.name, schema.release = format, keep(name), release_schema
  array.length, array.n_buffers, array.release = length, 1 + select("#", ...), release_array
  array.buffers = keep(ffi.new("const void *[4]"))
  for i, buffer in ipairs {...} do array.buffers[i] = keep(buffer) end
  return schema, array
end

local function pair()
  return keep(ffi.new "struct ArrowSchema"), keep(ffi.new "struct ArrowArray")
end

-- 1 to 5.
local function numbers(name)
  local schema, array = pair()
  return fill(schema, array, "i", name or "x", 5, ffi.new("int32_t[5]", 1, 2, 3, 4, 5))
end

local function strings(name)
  local schema, array = pair()
  return fill(schema, array, "u", name or "s", 2, ffi.new("int32_t[3]", 0, 1, 3),
    ffi.new("char[3]", "abc"))
end

local function table_of(...)
  local schema, array = pair()
  fill(schema, array, "+s", "", 5)
  schema.children = keep(ffi.new "struct ArrowSchema *[4]")
  array.children = keep(ffi.new "struct ArrowArray *[4]")
  for i, name in ipairs {...} do
    schema.children[i - 1], array.children[i - 1] = numbers(name)
    schema.n_children, array.n_children = i, i
  end
  return schema, array
end

-- Batches, a number for each: 0 is the end, else what get_next fails with; or the names of its
-- columns.
local function stream_of(batches, schema_fails)
  local stream, at = keep(ffi.new "struct ArrowArrayStream"), 0
  stream.get_schema = function(_, out)
    if schema_fails then return schema_fails end
    out[0] = table_of("x", batches.other or "y")
    return 0
  end
  stream.get_next = function(_, out)
    at = at + 1
    local it = batches[at]
    if it ~= true then return it end
    local _, array = table_of("x", "y")
    out[0] = array
    return 0
  end
  local text = keep(ffi.new("char[10]", "no luck"))
  stream.get_last_error = function() return text end
  stream.release = release_stream
  return stream
end

local function free_callbacks(stream)
  for _, name in ipairs {"get_schema", "get_next", "get_last_error"} do stream[name]:free() end
end

-- ---- specs ----

describe("a column that came in", function()
  before_each(reset)

  it("is released with the last array of its bytes", function()
    local schema, array = numbers()
    local a, validity = nd.from_arrow(schema, array)
    assert.is_nil(validity)
    assert.is_true(a:equal(nd.arange(1, 5, 1, "i32")) and a.readonly and a.is_external)
    assert.is_true(schema.release == nil and array.release == nil)
    local part = a "2:3"
    a = nil -- luacheck: ignore 311
    settle()
    assert.same({1, 0}, {released.schema, released.array})
    part:free()
    settle()
    assert.same({1, 1}, {released.schema, released.array})
    H.raises("invalid_argument", nd.from_arrow, schema, array)
  end)

  it("is still its owner's where it is refused", function()
    for _, case in ipairs {{"unsupported", table_of("x", "x")}, {"format", table_of("x", "y")}} do
      local schema, array = case[2], case[3]
      if case[1] == "format" then array.children[1].length = 4 end
      H.raises(case[1], nd.from_arrow, schema, array)
      settle()
      assert.is_true(schema.release ~= nil and array.release ~= nil)
    end
    assert.same({schema = 0, array = 0, stream = 0}, released)
  end)

  it("of strings is passed on as a slice of what it is a slice of", function()
    local words = {"a", "bcd", "", "ef", "g"}
    local offsets, text = ffi.new("int32_t[6]"), table.concat(words)
    for i, word in ipairs(words) do offsets[i] = offsets[i - 1] + #word end
    local schema, array = pair()
    fill(schema, array, "u", "s", 5, offsets, ffi.new("char[8]", text))
    local column = nd.from_arrow(schema, array)
    for _ = 1, 3 do -- the second and third row from the end, on and on
      local s, r = nd.to_arrow(column)
      r.offset, r.length = r.offset + 1, r.length - 1
      column = nd.from_arrow(s, r)
    end
    local _, rows = nd.to_arrow {s = column}
    local child = rows.children[0]
    assert.same({3, 2, 2}, {tonumber(child.offset), tonumber(child.length), #column})
    assert.equal(offsets, ffi.cast("int32_t *", child.buffers[1]) + 0)
    assert.equal(0, released.array)
    column, rows, child = nil, nil, nil -- luacheck: ignore 311
    settle()
    assert.same({1, 1}, {released.array, released.schema})
  end)

  it("of strings is passed on, and released once all who have it did so", function()
    local column = nd.from_arrow(strings())
    assert.same({"u", 2, 2}, {column.format, column.length, #column})
    assert.equal('a column of 2 rows of Arrow\'s "u"', tostring(column))
    H.raises("invalid_argument", function() return column.other end)
    local schema, array, copied = nd.to_arrow {{"n", nd.arange(1, 2)}, {"s", column}}
    assert.is_false(copied)
    assert.equal("s", ffi.string(schema.children[1].name))
    column = nil -- luacheck: ignore 311
    settle()
    local part = array.children[1]
    assert.equal("abc", ffi.string(ffi.cast("const char *", part.buffers[2]), 3))
    assert.equal(0, released.array)
    local back = nd.from_arrow(schema, array)
    assert.equal(2, #back.s)
    assert.equal(3, back.n:sum())
    assert.equal(0, released.array)
    back = nil -- luacheck: ignore 311
    settle()
    assert.equal(1, released.array)
  end)
end)

describe("a column that goes out", function()
  before_each(reset)

  it("is released by the collector, unless somebody has moved it out", function()
    local before = held()
    for _, make in ipairs {nd.to_arrow, nd.to_arrow_device,
      function(a) return nd.to_arrow_stream {x = a} end} do
      local a = nd.ones {1000}
      local first, second = make(a)
      a:free()
      assert.equal(before + 8000, held())
      assert.is_truthy(first or second)
      first, second = nil, nil -- luacheck: ignore 311
      settle()
      assert.equal(before, held())
    end
    local a = nd.ones {1000}
    local _, array = nd.to_arrow(a)
    local moved = ffi.new("struct ArrowArray", array)
    array.release, array = nil, nil -- luacheck: ignore 311
    a:free()
    settle()
    assert.equal(before + 8000, held())
    assert.equal(1, ffi.cast("double *", moved.buffers[1])[999])
    moved.release(moved)
    assert.equal(before, held())
  end)

  it("is a copy where its elements are misaligned, as those of others' files may be", function()
    local path = H.write(H.path "odd.bin", ("x"):rep(3) .. H.read((function()
      local npy = H.path "x.npy"
      nd.save(npy, nd.arange(1, 4))
      return npy
    end)()))
    local a = nd.mmap(path, "f64", {4}, {offset = 131})
    local _, array, copied = nd.to_arrow(a)
    assert.same({true, 0}, {copied, tonumber(ffi.cast("uintptr_t", array.buffers[1])) % 8})
    assert.equal(3, ffi.cast("double *", array.buffers[1])[2])
    _, _, copied = nd.to_arrow(nd.mmap(path, "u8", {4}, {offset = 131}))
    assert.is_false(copied)
  end)

  it("of bools is not the nothing that a shorter file has", function()
    local path = H.write(H.path "bools.bin", ("\1"):rep(100000))
    local a = nd.mmap(path, "bool")
    H.write(path, "")
    H.raises_like("io", "truncated", nd.to_arrow, a)
    H.raises_like("io", "truncated", nd.to_arrow, {x = a})
  end)

  it("with a dictionary says so", function()
    local schema, array = numbers()
    local words, texts = strings()
    schema.dictionary, array.dictionary = words, texts
    local column = nd.from_arrow(schema, array)
    assert.equal('a column of 5 rows of Arrow\'s "i" with a dictionary', tostring(column))
    H.raises_like("unsupported", "with a dictionary", function() return column[1] end)
    column = nil -- luacheck: ignore 311
    settle()
  end)

  it("may have nulls, as far as others are concerned", function()
    local schema = nd.to_arrow {x = nd.ones(3), y = nd.ones {3, 2}}
    for i = 0, 1 do assert.equal(2LL, schema.children[i].flags) end
    assert.equal(2LL, schema.children[1].children[0].flags)
  end)

  it("of bools may be freed by a finalizer while its bits are packed", function()
    local before, n = held(), 2 ^ 20 + 1
    for i = 1, 30 do
      local a, proxy = nd.ones({n}, "bool"), newproxy(true)
      a[n] = i % 2 == 0
      getmetatable(proxy).__gc = function() if i % 3 == 0 then a:free() end end
      proxy = nil -- luacheck: ignore 311
      local fine, schema, array = pcall(nd.to_arrow, a)
      if not fine then assert.equal("freed", schema.code)
      else assert.equal(n - i % 2, nd.from_arrow(schema, array):count_nonzero()) end
    end
    settle()
    assert.equal(before, held())
  end)

  it("is named where it cannot go", function()
    local freed = nd.ones(3)
    freed:free()
    for text, wrong in pairs {["no bf16"] = nd.ones(3, "bf16"), ["no scalars"] = nd.ones {},
      ["was freed"] = freed} do
      local code = select(2, pcall(nd.to_arrow, wrong)).code
      H.raises_like(code, 'column "y": .*' .. text, nd.to_arrow, {x = nd.ones(3), y = wrong})
    end
    H.raises_like("invalid_argument", "UTF%-8", nd.to_arrow, {["\255"] = nd.ones(3)})
  end)

  it("of the host has no number of a device", function()
    local _, array = nd.to_arrow_device(nd.ones(3))
    assert.same({1, -1}, {array.device_type, tonumber(array.device_id)})
    array.device_type = 10
    local schema = nd.to_arrow(nd.ones(3))
    H.raises_like("unsupported", "10 %(ROCm%)", nd.from_arrow_device, schema, array)
  end)

  it("is a copy where a Lua object has the memory", function()
    local data = ffi.new("double[3]", 1, 2, 3)
    local _, array, copied = nd.to_arrow(nd.wrap(data, "f64", {3}))
    data[1] = 9
    assert.is_true(copied)
    assert.equal(2, ffi.cast("double *", array.buffers[1])[1])
  end)
end)

describe("a structure of another type", function()
  local device = nd.to_arrow_device(nd.ones(3))
  local schema, array = nd.to_arrow(nd.ones(3))
  local _, device_array = nd.to_arrow_device(nd.ones(3))
  local stream = nd.to_arrow_stream {x = nd.ones(3)}
  local all = {ArrowSchema = schema, ArrowArray = array, ArrowDeviceArray = device_array,
    ArrowArrayStream = stream}

  it("is refused, as it is and as a pointer", function()
    for wanted, read in pairs {
      ArrowSchema = function(it) return nd.from_arrow(it, array) end,
      ArrowArray = function(it) return nd.from_arrow(schema, it) end,
      ArrowDeviceArray = function(it) return nd.from_arrow_device(device, it) end,
      ArrowArrayStream = function(it) return nd.from_arrow_stream(it) end,
    } do
      for name, it in pairs(all) do
        if name ~= wanted then
          local text = ("expected a struct %s, got a struct %s"):format(wanted, name)
          H.raises_like("type_mismatch", text, read, it)
          H.raises_like("type_mismatch", text, read, ffi.cast(ffi.typeof("$ *", it), it))
        end
      end
    end
    assert.equal(3, nd.from_arrow(ffi.cast("struct ArrowSchema *", schema),
      ffi.cast("struct ArrowArray *", array)):sum())
    assert.equal(3, nd.from_arrow_device(device, device_array):sum())
    assert.equal(3, nd.from_arrow_stream(stream)().x:sum())
    H.raises_like("invalid_argument", "schema: it was released", nd.from_arrow, schema, array)
    H.raises_like("invalid_argument", "array: it was released", nd.from_arrow,
      (nd.to_arrow(nd.ones(3))), array)
  end)
end)

describe("a stream that came in", function()
  before_each(reset)

  it("is released at its end, and its batches with their arrays", function()
    local stream = stream_of {true, true, 0}
    local sum = 0
    local copy = keep(ffi.new("struct ArrowArrayStream", stream))
    local next_batch = nd.from_arrow_stream(stream)
    assert.is_true(stream.release == nil)
    for _ = 1, 2 do
      local columns = next_batch()
      sum = sum + columns.x:sum() + columns.y:sum()
    end
    assert.equal(60, sum)
    settle()
    assert.same({schema = 0, array = 2, stream = 0}, released)
    assert.is_nil(next_batch())
    assert.same({schema = 1, array = 2, stream = 1}, released)
    assert.is_nil(next_batch())
    H.raises("invalid_argument", nd.from_arrow_stream, stream)
    next_batch = nil -- luacheck: ignore 311
    settle()
    assert.same({schema = 1, array = 2, stream = 1}, released)
    free_callbacks(copy)
  end)

  it("is released by the collector where it is not read to its end", function()
    local stream = stream_of {true, true, 0}
    local copy = keep(ffi.new("struct ArrowArrayStream", stream))
    do
      local next_batch = nd.from_arrow_stream(stream)
      assert.equal(15, next_batch().x:sum())
      next_batch = nil -- luacheck: ignore 311
    end
    settle()
    assert.same({schema = 1, array = 1, stream = 1}, released)
    free_callbacks(copy)
  end)

  it("says why it fails, and goes on behind a batch that is refused", function()
    local stream = stream_of {true, 5, true, 0, other = "x"}
    local copy = keep(ffi.new("struct ArrowArrayStream", stream))
    local next_batch = nd.from_arrow_stream(stream)
    H.raises("unsupported", next_batch) -- two columns of one name
    H.raises_like("io", "no luck", next_batch)
    assert.equal(1, released.array)
    H.raises("unsupported", next_batch)
    assert.equal(1, released.array)
    assert.is_nil(next_batch())
    assert.same({schema = 1, array = 2, stream = 1}, released)
    free_callbacks(copy)
    stream = stream_of({0}, 12)
    H.raises_like("out_of_memory", "no luck", nd.from_arrow_stream, stream)
    settle()
    assert.is_true(stream.release ~= nil and released.stream == 1) -- still its owner's
    free_callbacks(stream)
  end)
end)
