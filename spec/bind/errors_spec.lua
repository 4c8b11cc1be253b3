-- Error objects: their fields and texts, the user's line through every path, the code of every kind
-- of misuse, and messages that name the argument, the value and the limit.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"

local HERE = "spec/bind/errors_spec.lua:"
local function this_line() return debug.getinfo(2, "l").currentline end
local function raised(fn, ...) return select(2, pcall(fn, ...)) end

describe("an error object", function()
  it("is raised for arguments behind the last one", function()
    local a = nd.array {{1, 2, 3}, {4, 5, 6}}
    local function refused(what, fn, ...)
      H.raises_like("invalid_argument", "unexpected extra argument %(" .. what .. "%)", fn, ...)
    end
    refused("table", nd.add, a, 1, {}, {})
    refused("table", a.take, a, {1}, 1, {}, {})
    refused("number", a.put, a, {1}, 2, {}, 3)
    refused("number", a.index_add, a, 1, {1}, 2, {}, 3)
    refused("number", a.sum, a, {}, 5)
    refused("number", a.sort, a, 1, {}, 5)
    refused("table", a.sort, a, {}, {})
    refused("table", a.clone, a, {})
    refused("number", a.astype, a, "f64", nil, 3)
    refused("number", a.to, a, "f64", nil, 3)
    refused("boolean", nd.set_threads, 2, true)
    refused("string", a.ptr, a, "f64")
    refused("table", nd.zeros, 3, "f32", {}, {})
    assert.are.equal("free", raised(a.free, a, 1).argument)
  end)

  it("has code, message, where, the argument and the numbers", function()
    local a = nd.zeros(3, 4)
    local line = this_line() + 1
    local e = raised(function() local _ = a(2, 12) end)
    assert.are.equal("index_out_of_range", e.code)
    assert.are.equal(HERE .. line, e.where)
    assert.are.equal("index 12 is out of range for axis 2 of size 4", e.message)
    assert.are.equal(12, e.value)
    assert.are.equal(2, e.axis)
    assert.are.equal(4, e.limit)
    assert.are.equal("shape", raised(nd.zeros, {-1}).argument)
    assert.are.equal("ndbuf.error", getmetatable(e))
  end)

  it("has the numbers of argument checks too", function()
    local a = nd.zeros(3, 4)
    local cases = {
      {{value = -1, limit = 0}, a.narrow, a, 1, 1, -1},
      {{value = -2, axis = 2, limit = 0}, nd.zeros, {1, -2}},
      {{actual = 1, expected = 2}, a.permute, a, 1},
      {{axis = 2, actual = 3, expected = 4}, a.split, a, 2, {1, 2}},
      {{actual = 1, expected = 2}, a.as_strided, a, {1, 1}, {8}},
      {{actual = 3, expected = 2}, nd.array, {{1, 2}, {1, 2, 3}}},
      {{actual = 3, expected = 2}, nd.frombytes, "abc", "i16"},
      {{value = 9, limit = 8}, a.copyin, a, ffi.new("char[8]"), 9},
      {{value = 0, limit = 2 ^ 20}, nd.concat, {}},
      {{value = 3, limit = 2}, a.take, a, {1}, 3},
      {{position = 2}, a.take, a, {1, 1.5}},
      {{limit = 16}, nd.zeros, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    }
    for i, case in ipairs(cases) do
      local e = raised(unpack(case, 2, 20))
      for name, value in pairs(case[1]) do
        assert.are.equal(value, e[name], ("case %d: %s: %s"):format(i, name, tostring(e)))
      end
    end
    assert.are.equal("index", raised(a.take, a, {1.5}).argument)
  end)

  it("reads as 'file:line: ndbuf: message'", function()
    local line = this_line() + 1
    local e = raised(function() nd.zeros "x" end)
    assert.are.equal(HERE .. line .. ": ndbuf: " .. e.message, tostring(e))
    assert.are.equal("! " .. tostring(e), "! " .. e)
    assert.are.equal(tostring(e) .. " !", e .. " !")
    assert.are.equal(tostring(e) .. tostring(e), e .. e)
  end)

  it("survives what a script does to its fields", function()
    local e = raised(nd.zeros, -1)
    e.message, e.where = nil, {}
    assert.are.equal("ndbuf: ?", tostring(e))
    e.message = 12
    assert.are.equal("ndbuf: 12", tostring(e))
  end)

  it("passes through error, pcall, xpcall and coroutines as it is", function()
    local e = raised(nd.zeros, -1)
    assert.are.equal(e, raised(error, e))
    local _, seen = xpcall(function() nd.zeros(-1) end, function(x) return x end)
    assert.are.equal("invalid_argument", seen.code)
    local co = coroutine.create(function() nd.zeros(-1) end)
    assert.are.equal("invalid_argument", select(2, coroutine.resume(co)).code)
    assert.has_no.errors(function() nd.zeros(1) end)
  end)
end)

describe("where", function()
  local a, m = nd.zeros(4), nd.zeros(4, 4)

  local function expect(line, fn, ...)
    local e = raised(fn, ...)
    assert.are.equal("table", type(e), tostring(e))
    assert.are.equal(HERE .. line, e.where)
  end

  it("is the line of an index, a store, a call, a method and a field", function()
    local base = this_line()
    local cases = {
      function() local _ = a[9] end,
      function() a[9] = 1 end,
      function() local _ = m(9, 1) end,
      function() m:get(9, 1) end,
      function() m:set(9, 1, 1) end,
      function() local _ = a["9:1"] end,
      function() local _ = a.shap end,
      function() a.shape = 1 end,
      function() a:reshape(3) end,
      function() local _ = #nd.zeros {} end,
      function() a:iter(1, nd.zeros(-1)) end,
      function() local _ = a < nd.zeros(4, "f32") end,
      function() local _ = nd.f32.nothing end,
      function() nd.f32 "x" end,
      function() nd.array(ffi.new "struct { int x; }") end,
      function() nd.records("abcd", {{"a", "u9"}}) end,
      function() nd.printoptions {edge = 0} end,
      function() nd.zeros {}:iter() end,
    }
    for i, case in ipairs(cases) do expect(base + 1 + i, case) end
  end)

  it("is the line of a loop that was compiled", function()
    local line
    local function loop(n)
      local sum = 0
      line = this_line() + 1
      for i = 1, n do sum = sum + a[i <= 400 and (i - 1) % 4 + 1 or i] end
      return sum
    end
    loop(400)
    expect(line, loop, 401)
    local function store(n)
      line = this_line() + 1
      for i = 1, n do m:set((i - 1) % 4 + 1, i <= 400 and 1 or 5, i) end
    end
    store(400)
    expect(line, store, 401)
  end)

  it("is the user's line through a function of ours that calls another", function()
    local line = this_line() + 1
    expect(line, function() nd.scope(function(n) return n end, nd.zeros(0.5)) end)
    line = this_line() + 2
    expect(line, nd.scope, function()
      nd.zeros(2):reshape(7)
    end)
    line = this_line() + 1
    expect(line, function() for _ in nd.zeros {}:iter() do a:fill(0) end end)
  end)

  it("is the line inside a coroutine", function()
    local line = this_line() + 1
    local co = coroutine.wrap(function() coroutine.yield(1) return (a[{{}, {}}]) end)
    co()
    expect(line, co)
  end)

  it("is the line that calls pcall, or nothing when no Lua line is there", function()
    local _, e = pcall(nd.zeros, -1)
    assert.are.equal(HERE .. this_line() - 1, e.where)
    e = raised(coroutine.wrap(nd.zeros), -1)
    assert.are.equal("", e.where)
    assert.are.equal("ndbuf: " .. e.message, tostring(e))
  end)
end)

describe("the code for", function()
  local function a() return nd.array {{1, 2, 3}, {4, 5, 6}} end
  local dir = H.dir()
  H.write(dir .. "/empty.npy", "")
  H.write(dir .. "/short.npy", "\147NUMPY\1\0v\0{'descr': '<f8', 'fortran_order': False,")
  H.write(dir .. "/empty.wav", "")
  H.write(dir .. "/lying.wav", "RIFF\255\255\255\127WAVEfmt \16\0\0\0")
  H.write(dir .. "/ten.bin", "0123456789")
  local function u8(...) return nd.mmap(dir .. "/ten.bin", "u8", ...) end

  -- {what, code, pattern of the message, call}
  local cases = {
    {"a ragged row", "shape_mismatch", "row of 2.*got 1", function() nd.array {{1, 2}, {3}} end},
    {"a row that is a number", "shape_mismatch", "table%[2%]", function() nd.array {{1}, 2} end},
    {"a number that is a row", "shape_mismatch", "table%[2%]", function() nd.array {1, {2}} end},
    {"a string in a table", "type_mismatch", "table%[2%].*string",
      function() nd.array {1, "x"} end},
    {"nil in a table", "shape_mismatch", "table%[2%].*row of 3.*got 1",
      function() nd.array {{1, 2, 3}, {4, nil, 6}} end},
    {"a table too deep", "invalid_argument", "16", function()
      local t = {}
      t[1] = t
      nd.array(t)
    end},
    {"an unknown dtype", "invalid_argument", 'dtype.*"f33".*f32',
      function() nd.zeros(1, "f33") end},
    {"a dtype that is a number", "type_mismatch", "dtype.*boolean",
      function() nd.zeros(1, true) end},
    {"complex to real", "type_mismatch", "", function() nd.zeros(1, "c64"):astype "f32" end},
    {"NaN as an index", "invalid_argument", "nan", function() return a()[0 / 0] end},
    {"NaN as a size", "invalid_argument", "shape.*nan", function() nd.zeros(0 / 0) end},
    {"a fraction as an index", "invalid_argument", "1%.5", function() return a()(1.5, 1) end},
    {"a fraction as a size", "invalid_argument", "shape.*2%.5", function() nd.zeros {2.5} end},
    {"a negative size", "invalid_argument", "shape.*%-1", function() nd.zeros(-1) end},
    {"too many sizes", "invalid_argument", "17 entries; the limit is 16",
      function() nd.zeros(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) end},
    {"a size of 2^63", "invalid_argument", "shape", function() nd.zeros(2 ^ 63) end},
    {"an infinite size", "invalid_argument", "shape.*inf", function() nd.zeros(1 / 0) end},
    {"an index of 0", "index_out_of_range", "0.*axis 1.*2", function() return a()(0, 1) end},
    {"an index past the end", "index_out_of_range", "3.*axis 1.*2",
      function() return a()(3, 1) end},
    {"an index before the start", "index_out_of_range", "%-3", function() return a()(-3, 1) end},
    {"a huge index", "invalid_argument", "1e%+300", function() return a()(1e300, 1) end},
    {"too many indices", "invalid_argument", "", function() return a()(1, 1, 1) end},
    {"a product that overflows", "overflow", "", function() nd.zeros(2 ^ 40, 2 ^ 40) end},
    {"one that would but for a 0", "overflow", "", function() nd.zeros(2 ^ 40, 2 ^ 40, 0) end},
    {"a tile that overflows", "overflow", "", function() a():tile {2 ^ 40, 2 ^ 40} end},
    {"too much memory", "out_of_memory", "9007199254740992", function() nd.zeros(2 ^ 53, "u8") end},
    {"a view outside the storage", "out_of_bounds", "byte 0 to 56 .* of 48 B",
      function() a():as_strided({7}, {8}) end},
    {"one below it", "out_of_bounds", "byte %-8 to 8 ",
      function() a():as_strided({2}, {-8}, 0) end},
    {"bytes outside", "out_of_bounds", "", function() a():bytes(40, 9) end},
    {"an end past the largest size", "out_of_bounds", "overflow", function()
      a():as_strided({}, {}, 0x7ffffffffffffffcLL)
    end},
    {"a roll of more than memory", "out_of_memory", "", function()
      nd.zeros({1}, "bool"):expand({0x6000000000000000LL}):roll(0x5fffffffffffffffLL)
    end},
    {"strides that overflow", "out_of_bounds", "overflow", function()
      a():as_strided({2 ^ 20}, {ffi.new("int64_t", 2 ^ 62)})
    end},
    {"two -1 in a reshape", "invalid_argument", "%-1", function() a():reshape(-1, -1) end},
    {"a reshape to another size", "size_mismatch", "", function() a():reshape(7) end},
    {"a step of 0", "invalid_argument", "step", function() return a()["1:2:0"] end},
    {"an index at a fraction", "invalid_argument", "another key",
      function() return a()[{1, 2, [1.5] = 7}] end},
    {"too few axes", "invalid_argument", "each of the 2 axes once, got 1",
      function() return a():permute(1) end},
    {"a step of 0 in a table", "invalid_argument", "step", function() return a()[{{1, 2, 0}}] end},
    {"a range past the end", "index_out_of_range", "", function() return a()["1:3"] end},
    {"a range against its step", "invalid_argument", "3:1.*step 1.*size 3",
      function() return a()[{{}, {3, 1}}] end},
    {"a garbage slice", "invalid_argument", "", function() return a()["1:2:3:4"] end},
    {"two ellipses", "invalid_argument", "", function() return a()["...,..."] end},
    {"a slice with a huge number", "invalid_argument", "",
      function() return a()["99999999999999999999"] end},
    {"extra entries in an index", "invalid_argument", "",
      function() return a()[{{1, 2, 1, 1}}] end},
    {"nil as an index", "type_mismatch", "index.*nil", function() return a()[nil] end},
    {"nil as a value", "type_mismatch", "value.*nil", function() a()[1] = nil end},
    {"nil as an array", "type_mismatch", "other.*nil", function() a():equal(nil) end},
    {"no self", "type_mismatch", "self", function() a().clone() end},
    {"a file that is missing", "io", "/nowhere.npy.*No such file",
      function() nd.load "/nowhere.npy" end},
    {"an empty .npy", "format", "", function() nd.load(dir .. "/empty.npy") end},
    {"a truncated .npy", "format", "", function() nd.load(dir .. "/short.npy") end},
    {"an empty .wav", "format", "", function() nd.load(dir .. "/empty.wav") end},
    {"a .wav that lies", "format", "", function() nd.load(dir .. "/lying.wav") end},
    {"an unknown format", "unsupported", "%.npy", function() nd.load "x.gif" end},
    {"more than the file has", "out_of_bounds", "11.*10", function() u8 {11} end},
    {"an offset past the file", "out_of_bounds", "", function() u8({1}, {offset = 10}) end},
    {"an unknown mode", "invalid_argument", "mode", function() u8({1}, {mode = "w"}) end},
    {"an unknown option", "invalid_argument", "ofset.*offset", function() u8({1}, {ofset = 1}) end},
    {"a write to a read-only map", "read_only", "", function() u8()[1] = 1 end},
    {"a write to an element of a read-only view", "read_only", "%(3%)",
      function() a():readonly_view()[1] = 1 end},
    {"a write to a read-only view", "read_only", "", function() a():readonly_view():fill(1) end},
    {"a write to an expanded view", "read_only", "", function() nd.zeros(1):expand(4)[1] = 1 end},
    {"a write to windows", "overlap", "", function() nd.zeros(4):unfold(1, 2, 1)[1] = 1 end},
    {"a method of another dtype", "type_mismatch", "self.*f64.*f32",
      function() return nd.f64 {1}.get(nd.f32 {1}, 1) end},
    {"a metamethod of another dtype", "type_mismatch", "self.*i8.*f32",
      function() return core.metatables.i8.__index(nd.f32 {1}, 1) end},
    {"arrays with <", "unsupported", "a:lt%(b%)", function() return nd.f32 {1} < nd.f64 {1} end},
    {"a GPU that is not there", "device_not_found", "", function() nd.zeros(1, "cuda:0") end},
    {"junk after a device", "invalid_argument", "cpu:1", function() nd.zeros(1, "cpu:1") end},
    {"NULL", "out_of_bounds", "NULL", function() nd.wrap(ffi.new "float *", "f32", {2}) end},
    {"cdata too short", "out_of_bounds", "16.*8",
      function() a().copyin(nd.zeros(2), ffi.new "char[8]", 16) end},
    {"a C type for a value", "type_mismatch", "pointer",
      function() nd.wrap(ffi.typeof "float[4]", "f32", {2}) end},
    {"a string for an array", "type_mismatch", "frombytes", function() nd.array "abc" end},
    {"options for a shape", "invalid_argument", "shape", function() nd.zeros {dtype = "f32"} end},
  }
  for _, case in ipairs(cases) do
    it(case[1], function() H.raises_like(case[2], case[3], case[4]) end)
  end

  it("use after free, through every view and path", function()
    local x = nd.zeros(4, 4)
    local row, head = x[1], x:narrow(1, 1, 2)
    local function sum(v) local s = 0 for i = 1, 4 do s = s + v[i] end return s end
    for _ = 1, 100 do sum(row) end
    x:free()
    for _, fn in ipairs {
      function() return sum(row) end, function() return x(1, 1) end, function() row[1] = 1 end,
      function() head:fill(1) end, function() return head:clone() end,
      function() return x:ptr() end,
      function() return x:totable() end, function() return x"1:1, 1:1":item() end,
      function() return x:copyout() end,
      function() return x:equal(nd.zeros(4, 4)) end, function() x:allocate() end,
    } do
      H.raises("freed", fn)
    end
    H.raises("freed", sum, row)
    assert.is_truthy(tostring(x):find "freed")
    assert.are.same({4, 4}, x.shape)
    x:free()
  end)

  it("a handle whose __gc was called by hand", function()
    local x = nd.zeros(4)
    core.metatables.f64.__gc(x)
    core.metatables.f64.__gc(x)
    for _, fn in ipairs {
      function() return x[1] end, function() x[1] = 1 end, function() return #x end,
      function() return x.shape end, function() return x:clone() end,
      function() return tostring(x) end,
      function() return x:dim(1) end,
    } do H.raises("freed", fn) end
  end)
end)

describe("unknown names", function()
  it("come with the nearest ones", function()
    local x = nd.zeros(2, 2)
    local function message_of(fn) return H.raises("invalid_argument", fn).message end
    assert.is_truthy(message_of(function() return x.shap end):find "did you mean.*shape")
    assert.is_truthy(message_of(function() return x:reshpae(4) end):find "reshape")
    assert.is_falsy(message_of(function() return x.zzzzzzzzz end):find "mean")
    H.raises_like("invalid_argument", "shape.*assigned", function() x.shape = {4} end)
  end)

  it("may be long, empty or binary", function()
    local x = nd.zeros(2, 2)
    for _, name in ipairs {("x"):rep(1e6), "a\0b", "\255\254", ("%d"):rep(50)} do
      H.raises("invalid_argument", function() return x[name] end)
    end
  end)
end)
