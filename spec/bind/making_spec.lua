-- Makers by value and by shape, devices: each form that the manual lists, what is refused.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES, is_made = common.NAMES, common.is_made

describe("array", function()
  it("takes nested tables, f64 by default", function()
    local a = nd.array {{1, 2, 3}, {4, 5, 6}}
    is_made(a, "f64", {2, 3})
    assert.same({{1, 2, 3}, {4, 5, 6}}, a:totable())
    is_made(nd.array({{1, 2, 3}, {4, 5, 6}}, "f32"), "f32", {2, 3})
    is_made(nd.array {}, "f64", {0})
    is_made(nd.array {{}, {}}, "f64", {2, 0})
    is_made(nd.array {{{1}}, {{2}}}, "f64", {2, 1, 1})
    is_made(nd.array(5), "f64", {})
    is_made(nd.array(true, "bool"), "bool", {})
  end)

  it("takes the dtype by name, by object or in options", function()
    for _, dtype in ipairs(DTYPES) do
      for _, a in ipairs {nd.array({1, 0}, dtype), nd.array({1, 0}, nd[dtype]), nd[dtype] {1, 0},
                          nd.array({1, 0}, {dtype = dtype}), nd.array({1, 0}, {dtype = nd[dtype]}),
                          nd.array({1, 0}, dtype, H.device),
                          nd.array({1, 0}, dtype, {device = H.device})} do
        is_made(a, dtype, {2})
        assert.is_true(a:equal(nd.array({1, 0}):astype(dtype)))
      end
    end
    local zero = nd.f32(3)
    is_made(zero, "f32", {})
    assert.equal(3, zero())
    assert.equal("f32", tostring(nd.f32))
    assert.equal("f32", nd.f32.name)
    assert.equal(4, nd.f32.itemsize)
  end)

  it("converts as stores do: truncated, saturated, booleans and cdata too", function()
    assert.same({255, 0, 2, 1}, nd.array({300, -1, 2.9, true}, "u8"):totable())
    assert.same({true, false, true}, nd.array({0.5, 0, 0 / 0}, "bool"):totable())
    local a = nd.array({ffi.new("int64_t", 2 ^ 53) + 1, ffi.new("uint64_t", -1)}, "i64")
    assert.is_true(a[1] == 9007199254740993LL and a[2] == 0x7fffffffffffffffLL)
    local z = nd.array({ffi.new("complex", 1, 2), 3}, "c64")
    assert.same({1, 2, 3, 0}, {z[1].re, z[1].im, z[2].re, z[2].im})
    H.raises("type_mismatch", nd.array, {ffi.new("complex", 1, 2)}, "f64")
  end)

  it("refuses ragged tables, naming the row", function()
    H.raises_like("shape_mismatch", "table%[2%]", nd.array, {{1, 2}, {3}})
    H.raises_like("shape_mismatch", "table%[2%]%[1%]", nd.array, {{{1}, {2}}, {{3, 4}, {5}}})
    H.raises_like("shape_mismatch", "table%[2%]", nd.array, {{1, 2}, 3})
    H.raises_like("shape_mismatch", "table%[2%]", nd.array, {1, {2}})
    H.raises_like("shape_mismatch", "table%[3%]", nd.array, {{1}, {2}, {}})
    H.raises_like("type_mismatch", "table%[2%]", nd.array, {1, "2"})
    H.raises("type_mismatch", nd.array, {{1, 2}, {3, print}})
    H.raises("type_mismatch", nd.array, "abc")
    H.raises("type_mismatch", nd.array, nil)
    H.raises("type_mismatch", nd.array, print)
    local deep = 1
    for _ = 1, 17 do deep = {deep} end
    H.raises("invalid_argument", nd.array, deep)
    local endless = {}
    endless[1] = endless
    H.raises("invalid_argument", nd.array, endless)
    H.raises_like("invalid_argument", "no dtype", nd.array, {1}, "f31")
  end)

  it("copies arrays and cdata arrays", function()
    local a = nd.array({{1, 2}, {3, 4}}, "i32")
    local b = nd.array(a)
    is_made(b, "i32", {2, 2})
    assert.not_equal(a.storage_id, b.storage_id)
    assert.same({{1, 3}, {2, 4}}, nd.array(a.T):totable())
    is_made(nd.array(a, "f16"), "f16", {2, 2})
    local c = nd.array(ffi.new("float[3]", 1, 2.5, 3))
    is_made(c, "f32", {3})
    assert.same({1, 2.5, 3}, c:totable())
    local grid = ffi.new("int32_t[2][3]", {{1, 2, 3}, {4, 5, 6}})
    is_made(nd.array(grid), "i32", {2, 3})
    assert.same({{1, 2, 3}, {4, 5, 6}}, nd.array(grid):totable())
    is_made(nd.array(ffi.new("uint8_t[?]", 5)), "u8", {5})
    is_made(nd.array(grid, "f64"), "f64", {2, 3})
    local ctypes = {int8_t = "i8", uint8_t = "u8", int16_t = "i16", uint16_t = "u16",
      uint32_t = "u32", int64_t = "i64", uint64_t = "u64", double = "f64", bool = "bool",
      complex = "c128", ["complex float"] = "c64", ["const float"] = "f32"}
    for ctype, dtype in pairs(ctypes) do
      is_made(nd.array(ffi.new(ctype .. "[2]")), dtype, {2})
    end
    is_made(nd.array(ffi.new("int64_t", 5), "i64"), "i64", {})
  end)

  it("asarray is the array itself, or makes one", function()
    local a = nd.zeros(2)
    assert.equal(a, nd.asarray(a))
    is_made(nd.asarray {1, 2}, "f64", {2})
    assert.same({1, 2}, nd.asarray(ffi.new("int32_t[2]", 1, 2)):totable())
    assert.equal(7, nd.asarray(7)())
  end)
end)

describe("makers by shape", function()
  it("take a table or integers, i64 too, then dtype, device, options", function()
    for _, make in ipairs {nd.empty, nd.zeros, nd.ones, nd.random, nd.normal} do
      is_made(make({2, 3}), "f64", {2, 3})
      is_made(make(2, 3), "f64", {2, 3})
      is_made(make(ffi.new("int64_t", 2), ffi.new("uint64_t", 3)), "f64", {2, 3})
      is_made(make(2, 3, "f32"), "f32", {2, 3})
      is_made(make({2, 3}, "f32", H.device), "f32", {2, 3})
      is_made(make({2, 3}, nd.f16, nd.device(H.device)), "f16", {2, 3})
      is_made(make(5, {dtype = "f32", device = H.device}), "f32", {5})
      is_made(make({}), "f64", {})
      is_made(make({0, 3}), "f64", {0, 3})
      is_made(make(3, H.device:upper()), "f64", {3})
    end
  end)

  it("fill with zeros, ones or a value, for every dtype", function()
    for _, dtype in ipairs(DTYPES) do
      assert.is_true(nd.zeros({2, 2}, dtype):equal(nd.array({{0, 0}, {0, 0}}, dtype)), dtype)
      assert.is_true(nd.ones({2, 2}, dtype):equal(nd.array({{1, 1}, {1, 1}}, dtype)), dtype)
      assert.is_true(nd.full({2, 2}, 1, dtype):equal(nd.array({{1, 1}, {1, 1}}, dtype)), dtype)
      assert.is_true(nd.eye(2, dtype):equal(nd.array({{1, 0}, {0, 1}}, dtype)), dtype)
    end
    assert.same({{7, 7}, {7, 7}}, nd.full({2, 2}, 7, "u16"):totable())
    assert.same({7, 7}, nd.full(2, 7):totable())
    assert.equal(255, nd.full({}, 300, "u8")())
    assert.is_true(nd.full(1, 9007199254740993LL, "i64")[1] == 9007199254740993LL)
    assert.same({true}, nd.full(1, true, "bool"):totable())
    assert.same({{1, 0, 0}, {0, 1, 0}}, nd.eye(2, 3):totable())
    assert.same({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, nd.eye(3):totable())
    assert.same({0, 0}, nd.eye(0).shape)
    H.raises("type_mismatch", nd.full, {2})
    H.raises("type_mismatch", nd.full, "2", 1)
    H.raises("type_mismatch", nd.full, {2}, "1")
  end)

  it("are like another", function()
    local a = nd.array({{1, 2, 3}, {4, 5, 6}}, "i16")
    is_made(nd.zeros_like(a), "i16", {2, 3})
    is_made(nd.zeros_like(a.T), "i16", {3, 2})
    is_made(nd.empty_like(a, {dtype = "f32", device = H.device}), "f32", {2, 3})
    is_made(nd.ones_like(a, "u8"), "u8", {2, 3})
    assert.same({{1, 1, 1}, {1, 1, 1}}, nd.ones_like(a):totable())
    assert.same({{9, 9, 9}, {9, 9, 9}}, nd.full_like(a, 9):totable())
    is_made(nd.full_like(a, 9, {dtype = "f16"}), "f16", {2, 3})
    assert.is_false(nd.empty_like(a, {lazy = true}).is_allocated)
    H.raises("type_mismatch", nd.zeros_like, {1})
    H.raises("type_mismatch", nd.full_like, a)
  end)

  it("empty takes memory with the first use", function()
    local a = nd.empty({480, 640}, "u8")
    is_made(a, "u8", {480, 640})
    assert.is_false(a.is_allocated)
    a[1] = 5
    assert.is_true(a.is_allocated)
    assert.equal(5, a(1, 640))
  end)

  it("empty takes small memory at once, and any as lazy says", function()
    for _, bytes in ipairs {0, 1, 1024, 1025, 4096, 4097, 10000} do
      local like = nd.empty({bytes}, "u8")
      local function is_allocated(opts)
        opts.device = H.device
        local one, other = nd.empty({bytes}, "u8", opts), nd.empty_like(like, opts)
        assert.equal(one.is_allocated, other.is_allocated)
        return one.is_allocated
      end
      local is_small = bytes <= 4096 and H.device == "cpu"
      assert.equal(is_small, is_allocated {})
      assert.is_false(is_allocated {lazy = true})
      assert.is_true(is_allocated {lazy = false})
    end
    H.raises("type_mismatch", nd.empty, 3, {lazy = 1})
    for _, make in ipairs {nd.zeros, nd.ones} do
      H.raises("invalid_argument", make, 3, {lazy = true})
    end
    H.raises("invalid_argument", nd.zeros_like, nd.ones(3), {lazy = true})
    H.raises("out_of_memory", nd.empty, {2 ^ 46}, {lazy = false, device = "cpu"})
    assert.is_false(nd.empty({2 ^ 46}, {lazy = true, device = "cpu"}).is_allocated)
  end)

  it("the first store to an element takes the memory, whatever the form", function()
    for _, store in ipairs {
      function(a) a[2] = 7 end,
      function(a) a:set(2, 7) end,
      function(a) a:reshape(1, 3):set(1, 2, 7) end,
      function(a) a[{2}] = 7 end,
      function(a) a:narrow(1, 2, 1)[1] = 7 end,
    } do
      local a = nd.empty({3}, "i16", {lazy = true})
      store(a)
      assert.is_true(a.is_allocated)
      assert.equal(7, a[2])
    end
    local a = nd.empty({3}, "i16", {lazy = true})
    H.raises("type_mismatch", function() a[1] = nd.ones(1, "c64")[1] end)
    assert.is_false(a.is_allocated)
    H.raises("read_only", function() a:readonly_view()[1] = 1 end)
    assert.is_false(a.is_allocated)
  end)

  it("refuse bad shapes, options and devices", function()
    for _, make in ipairs {nd.empty, nd.zeros, nd.ones} do
      H.raises_like("invalid_argument", "negative", make, -1)
      H.raises("invalid_argument", make, {2, -1})
      H.raises("invalid_argument", make, 1.5)
      H.raises("invalid_argument", make, {0 / 0})
      H.raises("overflow", make, 2 ^ 40, 2 ^ 40)
      H.raises("overflow", make, 2 ^ 40, 2 ^ 40, 0)
      H.raises("overflow", make, {2 ^ 62}, "f64")
      H.raises("type_mismatch", make, {"2"})
      H.raises("type_mismatch", make)
      H.raises("type_mismatch", make, "f32")
      H.raises_like("invalid_argument", "no dtype", make, 2, "f31")
      H.raises_like("invalid_argument", "no option", make, 2, {type = "f32"})
      H.raises("invalid_argument", make, 2, {dtype = "f31"})
      H.raises("invalid_argument", make, 2, "f32", "cpu:1")
      H.raises("invalid_argument", make, 2, "f32", "cuda:x")
      H.raises("invalid_argument", make, 2, "f32", "disk:")
      H.raises("type_mismatch", make, 2, true)
    end
    local many = {}
    for i = 1, 17 do many[i] = 1 end
    H.raises("invalid_argument", nd.zeros, many)
    many[17] = nil
    assert.equal(16, nd.zeros(many).ndim)
    H.raises("out_of_memory", function() nd.zeros({2 ^ 55}, "u8") end)
  end)
end)

describe("devices", function()
  it("are named; case does not matter, trailing junk is refused", function()
    assert.equal("cpu", tostring(nd.device "cpu"))
    assert.equal("cpu", tostring(nd.device "CPU"))
    assert.equal("cpu", nd.device("Cpu").name)
    assert.is_true(nd.device "cpu" == nd.device "CPU" and nd.device "cpu" == nd.devices()[1])
    assert.is_true(nd.device(nd.device "cpu") == nd.device "cpu")
    assert.is_true(nd.device "disk:/tmp/x" == nd.device "DISK:/tmp/x")
    assert.is_false(nd.device "disk:/tmp/x" == nd.device "disk:/tmp/X")
    local by_device = {[nd.device "cpu"] = 1, [nd.device "disk:/tmp/x"] = 2}
    collectgarbage()
    collectgarbage()
    assert.equal(1, by_device[nd.device "CPU"])
    assert.equal(2, by_device[nd.device "disk:/tmp/x"])
    local weak = setmetatable({nd.device "disk:/tmp/y"}, {__mode = "v"})
    collectgarbage()
    assert.is_nil(weak[1]) -- only those in use are kept
    assert.equal("disk:/tmp/X.bin", tostring(nd.device "DISK:/tmp/X.bin"))
    for _, bad in ipairs {"cpu ", " cpu", "cpu:0", "cpux", "cp", "", "cuda:", "cuda:1x", "cuda:-1",
                          "cuda:0 ", "disk", "disk:", "gpu:x", "managed:", "tpu", "pinned:0"} do
      H.raises("invalid_argument", nd.device, bad)
    end
    H.raises("type_mismatch", nd.device, 5)
  end)

  it("may be made as the script runs, and collected", function()
    local rng = H.rng "names" -- at addresses where another one was before
    local function letter(c) return rng(2) == 1 and c or c:upper() end
    for i = 1, H.cases(20000) do
      local name = letter "c" .. letter "p" .. letter "u"
      assert.equal("cpu", nd.empty(1, "u8", name).device)
      local junk = "q" .. string.char(rng(97, 122), rng(97, 122))
      H.raises_like("invalid_argument", "there is no dtype \"" .. junk, nd.empty, 1, junk)
      if i % 100 == 0 then collectgarbage() end
    end
  end)

  it("and default dtypes are left alone by each other's names", function()
    assert.equal("u8", nd.frombytes("abcd", H.device).dtype)
    assert.equal("f64", nd.full({2}, 1, H.device).dtype)
  end)

  it("disk:PATH makes a file, and overwrites one only on request", function()
    local path = H.path "New.bin"
    local a = nd.zeros({2, 2}, "i16", "disk:" .. path)
    assert.equal("disk:" .. path, a.device)
    a[{1, 2}] = 257
    assert.equal("\0\0\1\1\0\0\0\0", H.read(path))
    H.raises("io", nd.zeros, {2}, "u8", "disk:" .. path)
    assert.equal("\0\0\1\1\0\0\0\0", H.read(path))
    local b = nd.array({1, 2, 3}, "u8", "disk:" .. path, {overwrite = true})
    assert.equal("\1\2\3", H.read(path))
    assert.same({1, 2, 3}, b:totable())
    local other = H.path "full"
    assert.equal("disk:" .. other, nd.full({3}, 7, "u8", {device = "disk:" .. other}).device)
    assert.equal("\7\7\7", H.read(other))
    local e = H.raises("io", nd.zeros, {2}, "u8", "disk:" .. H.path "no" .. "/such/file")
    assert.is_string(e.path)
  end)

  it("that are absent say why", function()
    for _, name in ipairs {"cuda", "cuda:0", "gpu:1", "managed", "unified:0"} do
      local fine, e = pcall(nd.zeros, {2}, "f32", name)
      if not fine then
        assert.is_true(e.code == "device_not_found" or e.code == "unsupported", tostring(e))
        assert.is_true(#e.message > 10)
      end
    end
  end)
end)

describe("what makers are told", function()
  it("is neither repeated nor ignored", function()
    H.raises("invalid_argument", nd.zeros, {3}, "f32", "f64")
    H.raises("invalid_argument", nd.zeros, {3}, "cpu", "cpu")
    H.raises("invalid_argument", nd.frombytes, "abcd", "u8", {4}, {foo = 1})
    H.raises("device_not_found", nd.frombytes, "abcd", "u8", {4}, "cuda")
    assert.equal(4, nd.frombytes("abcd", "u8", "cpu").size)
    assert.equal(2, nd.frombytes("abcd", "i16", 2).size)
  end)

  it("may be 64-bit integers", function()
    is_made(nd.full(2LL, 1), "f64", {2})
    is_made(nd.eye(3, 2LL), "f64", {3, 2})
  end)

  it("has no holes", function()
    H.raises("shape_mismatch", nd.array, {1, 2, 3, nil, 5})
    H.raises("shape_mismatch", nd.array, {{1, 2}, {3, 4, x = 5}})
  end)

  it("comes back as numbers of the error", function()
    local e = H.raises("invalid_argument", nd.zeros, -1)
    assert.equal(-1, e.value)
    assert.equal(0, e.limit)
    assert.equal("shape", e.argument)
  end)
end)
