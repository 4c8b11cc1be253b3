-- Arrays of bytes from elsewhere: strings, memory of others, files.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES, is_made = common.NAMES, common.is_made

describe("frombytes", function()
  it("copies a string, u8 by default, with a shape on request", function()
    is_made(nd.frombytes "abc", "u8", {3})
    assert.same({97, 98, 99}, nd.frombytes("abc"):totable())
    assert.same({0x6261, 0x6463}, nd.frombytes("abcd", "u16"):totable())
    is_made(nd.frombytes("abcd", "i16", {2, 1}), "i16", {2, 1})
    is_made(nd.frombytes("abcd", nd.u8, {2, 2}), "u8", {2, 2})
    is_made(nd.frombytes("", "f64"), "f64", {0})
    assert.equal(1, nd.frombytes("\0\0\128\63", "f32", {})())
    for _, dtype in ipairs(DTYPES) do
      local a = nd.array({1, 0, 1}, dtype)
      assert.is_true(nd.frombytes(a:copyout(), dtype):equal(a), dtype)
    end
  end)

  it("refuses strings of another size", function()
    H.raises("size_mismatch", nd.frombytes, "abc", "u16")
    H.raises("size_mismatch", nd.frombytes, "abcd", "u8", {3})
    H.raises("size_mismatch", nd.frombytes, "abcd", "u8", {5})
    H.raises("size_mismatch", nd.frombytes, "abcd", "u8", {2 ^ 40, 2 ^ 40})
    H.raises("type_mismatch", nd.frombytes, {1})
    H.raises("type_mismatch", nd.frombytes)
  end)

  it("takes a string.buffer where LuaJIT has them", function()
    local has, buffer = pcall(require, "string.buffer")
    if not has then return pending "this LuaJIT has no string.buffer" end
    assert.same({97, 98}, nd.frombytes(buffer.new():put("ab")):totable())
  end)
end)

describe("wrap", function()
  it("views memory without a copy and keeps the owner alive", function()
    local buffer = ffi.new("float[6]", 1, 2, 3, 4, 5, 6)
    local a = nd.wrap(buffer, "f32", {2, 3})
    assert.same({{1, 2, 3}, {4, 5, 6}}, a:totable())
    buffer[0] = 9
    assert.equal(9, a(1, 1))
    a[{2, 3}] = 7
    assert.equal(7, buffer[5])
    assert.equal(tonumber(ffi.cast("uintptr_t", buffer)), a:address())
    local owner, weak = {}, setmetatable({}, {__mode = "k"})
    weak[owner] = true
    local b = nd.wrap(ffi.cast("float *", buffer), "f32", {6}, {owner = owner})
    owner = nil
    collectgarbage()
    collectgarbage()
    assert.is_not_nil(next(weak))
    local view = b["2:3"]
    b = nil
    collectgarbage()
    collectgarbage()
    assert.is_not_nil(next(weak))
    assert.same({2, 3}, view:totable())
    view = nil
    collectgarbage()
    collectgarbage()
    nd.zeros(1) -- gives up what is pending
    collectgarbage()
    assert.is_nil(next(weak))
    assert.is_nil(owner or b or view)
  end)

  it("lets go of the owner when it is freed, whatever handles there are", function()
    local weak = setmetatable({}, {__mode = "k"})
    local function wrapped()
      local owner = {}
      weak[owner] = true
      return nd.wrap(ffi.new "float[6]", "f32", {6}, {owner = owner})
    end
    local a = wrapped()
    local view = a"2:3"
    collectgarbage()
    assert.is_not_nil(next(weak))
    a:free()
    collectgarbage()
    assert.is_nil(next(weak))
    H.raises("freed", function() return view[1] end)
    a:free()
    local lost
    nd.scope(function() lost = wrapped() end)
    collectgarbage()
    assert.is_nil(next(weak))
    H.raises("freed", function() return lost[1] end)
    -- without an owner it is the pointer's own cdata
    local memory = ffi.new "float[6]"
    weak[memory] = true
    local b = nd.wrap(memory, "f32", {6})
    memory = nil
    collectgarbage()
    assert.is_not_nil(next(weak))
    b:free()
    collectgarbage()
    assert.is_nil(next(weak), memory)
  end)

  it("keeps the cdata itself without an owner", function()
    local a = nd.wrap(ffi.new("int32_t[100]", 5), "i32", {100})
    collectgarbage()
    local sum = 0
    for i = 1, 100 do sum = sum + ffi.new("int32_t[100]", i)[1] end
    collectgarbage()
    assert.same({5050, 5}, {sum, a[1]})
  end)

  it("may be read-only", function()
    local buffer = ffi.new("uint8_t[4]")
    local a = nd.wrap(buffer, "u8", {4}, {readonly = true})
    assert.is_true(a.readonly)
    H.raises("read_only", function() a[1] = 1 end)
    H.raises("read_only", function() a:fill(1) end)
  end)

  it("refuses what is no pointer, and arrays that are too small", function()
    H.raises("type_mismatch", nd.wrap, 5, "u8", {1})
    H.raises("type_mismatch", nd.wrap, "abc", "u8", {3})
    H.raises("type_mismatch", nd.wrap, ffi.new("int64_t", 1), "u8", {1})
    H.raises("out_of_bounds", nd.wrap, ffi.new "uint8_t[4]", "u8", {5})
    H.raises("invalid_argument", nd.wrap, ffi.new "uint8_t[4]", "u8", {4}, {own = 1})
    H.raises("overflow", nd.wrap, ffi.cast("char *", ffi.new "char[8]"), "f64",
      {2 ^ 40, 2 ^ 40})
  end)
end)

describe("mmap", function()
  local function bytes_file(text) return H.write(H.path "x.bin", text) end

  it("shows a file without a copy; its shape may be left out", function()
    local path = bytes_file "\1\0\2\0\3\0\4\0"
    local a = nd.mmap(path, "u16", {2, 2})
    assert.same({{1, 2}, {3, 4}}, a:totable())
    assert.equal("disk:" .. path, a.device)
    assert.is_true(a.readonly)
    assert.same({1, 2, 3, 4}, nd.mmap(path, "u16"):totable())
    assert.same({8}, nd.mmap(path).shape)
    assert.equal("u8", nd.mmap(path).dtype)
    assert.same({3, 4}, nd.mmap(path, "u16", {2}, {offset = 4}):totable())
    assert.same({3, 4}, nd.mmap(path, "u16", {offset = 4}):totable())
    assert.same({0x0200}, nd.mmap(path, "u16", {1}, {offset = 1}):totable())
    for _, advice in ipairs {"normal", "sequential", "random", "willneed", "huge"} do
      assert.equal(1, nd.mmap(path, "u16", {4}, {advice = advice})[1])
    end
    assert.same({0}, nd.mmap(bytes_file "", "u8").shape)
  end)

  it("writes through in mode r+, to pages of its own in mode c, not in mode r", function()
    local path = bytes_file "abcd"
    local r = nd.mmap(path, "u8", {4}, {mode = "r"})
    H.raises("read_only", function() r[1] = 0 end)
    local c = nd.mmap(path, "u8", {4}, {mode = "c"})
    c[1] = 88
    assert.equal(88, c[1])
    assert.equal("abcd", H.read(path))
    local w = nd.mmap(path, "u8", {4}, {mode = "r+"})
    w[2] = 89
    assert.equal("aYcd", H.read(path))
    assert.equal(89, r[2])
  end)

  it("refuses what is not in the file", function()
    local path = bytes_file "abcdef"
    H.raises("out_of_bounds", nd.mmap, path, "u8", {7})
    H.raises("out_of_bounds", nd.mmap, path, "u8", {3}, {offset = 4})
    H.raises("size_mismatch", nd.mmap, path, "u32")
    H.raises("invalid_argument", nd.mmap, path, "u8", {2}, {mode = "w"})
    H.raises("invalid_argument", nd.mmap, path, "u8", {2}, {advice = "fast"})
    H.raises("invalid_argument", nd.mmap, path, "u8", {2}, {of = 1})
    local e = H.raises("io", nd.mmap, path .. ".none", "u8")
    assert.equal(path .. ".none", e.path)
    H.raises("io", nd.mmap, H.dir(), "u8")
  end)
end)
