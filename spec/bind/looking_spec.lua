-- Fields of arrays, printing, comparing, walking.
local nd = require "ndbuf"
local H = require "spec.helper"
local ffi = require "ffi"

-- ORDER DTYPE: name, bytes
local DTYPES = {
  {"bool", 1}, {"i8", 1}, {"u8", 1}, {"i16", 2}, {"u16", 2}, {"i32", 4}, {"u32", 4}, {"i64", 8},
  {"u64", 8}, {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"c64", 8}, {"c128", 16},
  {"f8e4m3", 1}, {"f8e5m2", 1},
}

describe("fields", function()
  it("describe an array of every dtype", function()
    for _, row in ipairs(DTYPES) do
      local dtype, bytes = unpack(row)
      local a = nd.zeros({2, 3, 4}, dtype)
      assert.equal(dtype, a.dtype)
      assert.same({2, 3, 4}, a.shape)
      assert.same({12, 4, 1}, a.strides)
      assert.same({12 * bytes, 4 * bytes, bytes}, a.byte_strides)
      assert.same({3, 24, bytes, 24 * bytes, 0}, {a.ndim, a.size, a.itemsize, a.nbytes, a.offset})
      assert.equal(H.device, a.device)
      assert.equal(24 * bytes, a.total_bytes)
      assert.is_true(a.is_allocated)
      assert.is_true(a.is_contiguous)
      assert.is_false(a.is_view)
      assert.is_false(a.readonly)
    end
  end)

  it("describe a view of it", function()
    local a = nd.zeros({4, 6}, "i16")
    local v = a["3:2:-1, 2:6:2"]
    assert.same({2, 3}, v.shape)
    assert.same({-6, 2}, v.strides)
    assert.same({-12, 4}, v.byte_strides)
    assert.same({2, 6, 2, 12, 2 * 12 + 2}, {v.ndim, v.size, v.itemsize, v.nbytes, v.offset})
    assert.equal(48, v.total_bytes)
    assert.is_false(v.is_contiguous)
    assert.is_true(v.is_view)
    assert.is_true(a[2].is_view and a[2].is_contiguous)
    assert.is_true(a.T.is_view)
    assert.is_false(a.T.is_contiguous)
    assert.is_true(a.T.T.is_contiguous)
    assert.is_true(a:readonly_view().readonly)
  end)

  it("describe scalars and empty arrays", function()
    local zero = nd.f32(3)
    assert.same({{}, {}, {}}, {zero.shape, zero.strides, zero.byte_strides})
    assert.same({0, 1, 4}, {zero.ndim, zero.size, zero.nbytes})
    assert.is_true(zero.is_contiguous)
    local none = nd.zeros({3, 0, 2}, "f32")
    assert.same({3, 0, 2}, none.shape)
    assert.same({3, 0, 0, 0}, {none.ndim, none.size, none.nbytes, none.total_bytes})
    assert.is_true(none.is_contiguous)
  end)

  it("give a fresh table each time", function()
    local a = nd.zeros(2, 3)
    a.shape[1] = 99
    a.strides[1] = 99
    a.byte_strides[1] = 99
    assert.same({2, 3}, a.shape)
    assert.same({3, 1}, a.strides)
    assert.same({24, 8}, a.byte_strides)
  end)

  it("tell handles by id, storages by storage_id", function()
    local a, b = nd.zeros(2), nd.zeros(2)
    local v = a["1:2"]
    assert.not_equal(a.id, b.id)
    assert.not_equal(a.id, v.id)
    assert.equal(a.storage_id, v.storage_id)
    assert.not_equal(a.storage_id, b.storage_id)
    local last = b.storage_id
    b:free()
    assert.is_true(nd.zeros(2).storage_id > last)
  end)

  it("real and imag are views of complex arrays; real is the array itself otherwise", function()
    for dtype, part in pairs {c64 = "f32", c128 = "f64"} do
      local a = nd.array({ffi.new("complex", 1, 2), ffi.new("complex", 3, -4)}, dtype)
      assert.same({1, 3}, a.real:totable())
      assert.same({2, -4}, a.imag:totable())
      assert.equal(part, a.real.dtype)
      assert.equal(a.storage_id, a.real.storage_id)
      assert.equal(a.storage_id, a.imag.storage_id)
      assert.same({2}, a.imag.strides)
      a.imag[1] = 7
      a.real:fill(5)
      assert.same({5, 7, 5, -4}, {a[1].re, a[1].im, a[2].re, a[2].im})
    end
    local b = nd.zeros(2)
    assert.equal(b, b.real)
    H.raises_like("type_mismatch", "not complex", function() return b.imag end)
  end)

  it("cannot be assigned", function()
    local a = nd.zeros(2, 3)
    for _, name in ipairs {"dtype", "shape", "strides", "byte_strides", "ndim", "size", "itemsize",
                           "nbytes", "offset", "device", "id", "storage_id", "total_bytes", "T",
                           "is_allocated", "is_contiguous", "is_view", "readonly", "real", "imag",
                           "reshape", "something"} do
      H.raises_like("invalid_argument", name, function() a[name] = 1 end)
    end
    assert.same({2, 3}, a.shape)
  end)

  it("dim is one extent, # that of axis 1", function()
    local a = nd.zeros(2, 3, 4)
    assert.same({2, 3, 4}, {a:dim(1), a:dim(2), a:dim(3)})
    assert.same({4, 3, 2}, {a:dim(-1), a:dim(-2), a:dim(ffi.new("int64_t", -3))})
    assert.equal(2, #a)
    assert.equal(4, #a.T)
    assert.equal(0, #nd.zeros(0))
    for _, bad in ipairs {0, 4, -4} do
      H.raises("index_out_of_range", function() return a:dim(bad) end)
    end
    H.raises("invalid_argument", function() return a:dim(1.5) end)
    H.raises("type_mismatch", function() return a:dim() end)
    H.raises("invalid_argument", function() return #nd.f64(1) end)
    H.raises("index_out_of_range", function() return nd.f64(1):dim(1) end)
  end)
end)

describe("equal, allclose and operators", function()
  it("equal needs the same shape, dtype and values", function()
    local a = nd.array {{1, 2}, {3, 4}}
    assert.is_true(a:equal(a))
    assert.is_true(a:equal(nd.array {{1, 2}, {3, 4}}))
    assert.is_true(a:equal(a.T:clone().T))
    assert.is_false(a:equal(nd.array {{1, 2}, {3, 5}}))
    assert.is_false(a:equal(nd.array {1, 2, 3, 4}))
    assert.is_false(a:equal(nd.array({{1, 2}, {3, 4}}, "f32")))
    assert.is_true(nd.zeros(0, 3):equal(nd.zeros(0, 3)))
    assert.is_false(nd.zeros(0, 3):equal(nd.zeros(3, 0)))
    assert.is_false(nd.f64({0 / 0}):equal(nd.f64 {0 / 0}))
    assert.is_true(nd.f64({0}):equal(nd.f64 {-0.0}))
    H.raises("type_mismatch", function() return a:equal(1) end)
  end)

  it("allclose is |a - b| <= atol + rtol |b|", function()
    local a = nd.array {1, 100}
    assert.is_true(nd.allclose(a, nd.array {1 + 1e-6, 100 + 1e-4}))
    assert.is_false(nd.allclose(a, nd.array {1 + 1e-4, 100}))
    assert.is_true(nd.allclose(a, nd.array {1.5, 100}, 0, 0.5))
    assert.is_false(nd.allclose(a, nd.array {1.5, 100}, 0, 0.49))
    assert.is_true(nd.allclose(a, nd.array {2, 200}, 0.5, 0))
    assert.is_false(nd.allclose(nd.array {2, 200}, a, 0.5, 0))
    assert.is_true(nd.allclose(nd.ones(2, 2), nd.f32(1)))
    assert.is_false(nd.allclose(nd.f64 {0 / 0}, nd.f64 {0 / 0}))
    assert.is_true(nd.allclose(nd.f64 {1 / 0}, nd.f64 {1 / 0}))
    H.raises("invalid_argument", nd.allclose, a, a, -1)
    H.raises("shape_mismatch", nd.allclose, a, nd.zeros(3))
    H.raises("type_mismatch", nd.allclose, a, 1)
  end)

  it("== is identity of handles; < and <= raise and name lt", function()
    local a, b = nd.zeros(2), nd.zeros(2)
    assert.is_true(a == a)
    assert.is_false(a == b)
    assert.is_false(a == a["1:2"])
    local c = nd.zeros(2, "u8")
    for _, pair in ipairs {{a, b}, {a, c}} do
      H.raises_like("unsupported", "a:lt%(b%)", function() return pair[1] < pair[2] end)
      H.raises_like("unsupported", "a:le%(b%)", function() return pair[1] <= pair[2] end)
      H.raises_like("unsupported", "a:lt%(b%)", function() return pair[1] > pair[2] end)
    end
    assert.is_false(pcall(function() return a < 1 end))
  end)
end)

describe("iter and unpack", function()
  it("go along axis 1: elements of a 1-D array, else views", function()
    local seen = {}
    for i, v in nd.array({5, 6, 7}, "u8"):iter() do seen[i] = v end
    assert.same({5, 6, 7}, seen)
    local a = nd.arange(1, 6):reshape(3, 2)
    local n = 0
    for i, v in a:iter() do
      n = n + 1
      assert.equal(n, i)
      assert.equal(a.storage_id, v.storage_id)
      assert.same({2 * i - 1, 2 * i}, v:totable())
    end
    assert.equal(3, n)
    for _ in nd.zeros(0):iter() do error "nothing is there" end
    for i, v in nd.array({false, true}, "bool"):iter() do assert.equal(i == 2, v) end
    assert.same({5, 6}, {nd.array({5, 6}):unpack()})
    assert.equal(0, select("#", nd.zeros(0):unpack()))
    local first, second = nd.eye(2):unpack()
    assert.same({{1, 0}, {0, 1}}, {first:totable(), second:totable()})
    assert.is_false(pcall(function() return nd.f64(1):iter() end))
    assert.is_false(pcall(function() return nd.f64(1):unpack() end))
    H.raises("capacity", function() return nd.zeros(100000):unpack() end)
  end)
end)

-- ---- printing ----

local function here(text) return (text:gsub("cpu", H.device, 1)) end
local function body(a) return (tostring(a):gsub("^[^\n]*\n", "")) end

describe("print", function()
  it("shows dtype, shape, device and elements, aligned", function()
    assert.equal(here "f64 2x3 cpu\n[[1, 2, 3],\n [4, 5, 6]]",
      tostring(nd.array {{1, 2, 3}, {4, 5, 6}}))
    assert.equal(here "i16 2x2 cpu\n[[  1,   2],\n [300,  -4]]",
      tostring(nd.array({{1, 2}, {300, -4}}, "i16")))
    assert.equal(here "bool 2 cpu\n[ true, false]", tostring(nd.bool {true, false}))
    assert.equal(here "f32 scalar cpu\n3.5", tostring(nd.f32(3.5)))
    assert.equal(here "u8 0 cpu\n[]", tostring(nd.zeros({0}, "u8")))
    assert.equal(here "u8 0x2 cpu\n[]", tostring(nd.zeros({0, 2}, "u8")))
    assert.equal(here "c64 2 cpu\n[ 1+2i, -3-4i]", tostring(nd.array({ffi.new("complex", 1, 2),
      ffi.new("complex", -3, -4)}, "c64")))
    assert.equal(here "f64 2 cpu\n[0.1,   1]", tostring(nd.array {0.1, 1}))
    assert.equal(here "f64 2x1x2 cpu\n[[[1, 2]],\n [[3, 4]]]",
      tostring(nd.array {{{1, 2}}, {{3, 4}}}))
    local path = H.path "shown"
    assert.equal("u8 2 disk:" .. path .. "\n[0, 0]", tostring(nd.zeros({2}, "u8", "disk:" .. path)))
  end)

  it("shows 64-bit integers exactly, infinities, NaN and -0", function()
    assert.equal("[9223372036854775807, -9223372036854775808]",
      (body(nd.array({0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1}, "i64")):gsub("%[ +", "[")))
    assert.equal("[18446744073709551615]", body(nd.array({0xffffffffffffffffULL}, "u64")))
    local minus = tonumber "-0" -- as a literal it is an integer 0 to LuaJIT on ARM
    assert.equal("[ inf, -inf,  nan,   -0]", body(nd.array {1 / 0, -1 / 0, 0 / 0, minus}))
    assert.equal("[4294967295]", body(nd.array({4294967295}, "u32")))
  end)

  it("uses the shortest form that reads back", function()
    local cases = {
      f64 = {[0.1] = "0.1", [1 / 3] = "0.3333333333333333", [1e300] = "1e+300", [100] = "100",
        [0.30000000000000004] = "0.30000000000000004", [5e-324] = "5e-324", [1e16] = "1e+16",
        [123456789012] = "123456789012", [1.5e10] = "15000000000", [-2.5] = "-2.5"},
      f32 = {[0.1] = "0.1", [1 / 3] = "0.33333334", [16777216] = "16777216", [1e10] = "1e+10",
        [3.4028234663852886e38] = "3.4028235e+38", [1e-45] = "1e-45", [0.3] = "0.3"},
      f16 = {[0.1] = "0.1", [1 / 3] = "0.3333", [65504] = "65504", [2 ^ -24] = "6e-08"},
      bf16 = {[0.1] = "0.1", [1 / 3] = "0.334", [256] = "256", [3e38] = "3e+38", [11712] = "11712"},
      f8e4m3 = {[0.1] = "0.1", [448] = "448", [1 / 3] = "0.34"},
      f8e5m2 = {[0.1] = "0.09", [57344] = "57344", [0.25] = "0.25"},
    }
    for dtype, rows in pairs(cases) do
      for x, text in pairs(rows) do assert.equal(text, body(nd[dtype](x)), dtype) end
    end
  end)

  it("writes whole numbers out while their digits tell something", function()
    assert.equal("[1000000000000000,            1e+16]", body(nd.array {1e15, 1e16}))
    assert.equal("[1e+09]", body(nd.array({1e9}, "f32")))
    assert.equal("[-inf]", body(nd.array({-math.huge}, "f32")))
    assert.equal("[0.1+0.7i]", body(nd.array({ffi.new("complex", 0.1, 0.7)}, "c64")))
  end)

  it("reads back for every dtype and random bits", function()
    local rng, n = H.rng "print", math.max(8, H.cases(64))
    for _, row in ipairs(DTYPES) do
      local dtype, bytes = unpack(row)
      local t = {}
      for i = 1, n * bytes do t[i] = string.char(rng(0, dtype == "bool" and 1 or 255)) end
      local a = nd.frombytes(table.concat(t), dtype)
      local texts = {}
      for text in body(a):gsub("[%[%],\n]", " "):gmatch "%S+" do texts[#texts + 1] = text end
      assert.equal(n, #texts)
      for i, text in ipairs(texts) do
        local where = ("seed %d: %s %s"):format(H.seed, dtype, text)
        if dtype == "bool" then
          assert.equal(tostring(a[i]), text, where)
        elseif dtype == "i64" or dtype == "u64" then
          local x = a[i] -- a number up to 2^53
          x = type(x) == "number" and ("%.0f"):format(x) or tostring(x):gsub("U?LL$", "")
          assert.equal(x, text, where)
        elseif dtype == "c64" or dtype == "c128" then
          local re, im = text:match "^(.-[^e])([+-][^+-]*[e]?[+-]?[^+-]*)i$"
          local back = nd.array({tonumber(re), tonumber(im)}, dtype == "c64" and "f32" or "f64")
          local z = a[i]
          for k, part in ipairs {tonumber(z.re), tonumber(z.im)} do
            assert.is_true(back[k] == part or part ~= part, where)
          end
        else
          local back = nd.array({tonumber(text)}, dtype)[1]
          assert.is_true(back == a[i] or a[i] ~= a[i] and back ~= back, where)
          for digits = 1, 17 do -- none is shorter
            local other = ("%." .. digits .. "g"):format(a[i])
            if #other < #text and not other:find "e" == not text:find "e" then
              assert.not_equal(a[i], nd.array({tonumber(other)}, dtype)[1], where)
            end
          end
        end
      end
    end
  end)

  it("is summarised past 1000 elements, along every axis", function()
    local a = nd.arange(1, 1000)
    assert.is_nil(tostring(a):find("...", 1, true))
    assert.equal(here "f64 1001 cpu\n[   1,    2,    3, ...,  999, 1000, 1001]",
      tostring(nd.arange(1, 1001)))
    local text = tostring(nd.arange(1, 2000):reshape(20, 100))
    assert.equal(7, select(2, text:gsub("\n", "")))
    assert.is_truthy(text:find("\n ...,\n", 1, true))
    assert.is_truthy(text:find("[   1,    2,    3, ...,   98,   99,  100]", 1, true))
    assert.is_truthy(text:find("1998, 1999, 2000]]", 1, true))
    local tall = tostring(nd.zeros(300, 5))
    assert.is_truthy(tall:find("[0, 0, 0, 0, 0]", 1, true))
    local deep = {}
    for i = 1, 10 do deep[i] = 7 end
    assert.is_true(#tostring(nd.zeros(deep, "u8")) < 2 ^ 20)
    assert.is_true(#tostring(nd.zeros({2 ^ 26}, "u8")) < 200)
  end)

  it("follows printoptions, which returns those in force", function()
    local before = nd.printoptions()
    assert.same({1000, 3}, {before.threshold, before.edge})
    assert.is_nil(before.precision)
    finally(function() nd.printoptions {threshold = 1000, edge = 3, precision = false} end)
    local now = nd.printoptions {threshold = 5, edge = 1}
    assert.same({5, 1}, {now.threshold, now.edge})
    assert.equal("[1, ..., 6]", body(nd.arange(1, 6)))
    assert.equal("[1, 2, 3, 4, 5]", body(nd.arange(1, 5)))
    for _, bad in ipairs {{threshold = 0}, {edge = 1.5}, {precision = 18}, {precision = 0 / 0},
                          {digits = 3}, {1}} do
      H.raises("invalid_argument", nd.printoptions, bad)
    end
    H.raises("type_mismatch", nd.printoptions, {precision = "3"})
    H.raises("type_mismatch", nd.printoptions, 5)
    assert.same({5, 1}, {nd.printoptions().threshold, nd.printoptions().edge})
  end)

  it("makes the edges narrower from three axes on", function()
    finally(function() nd.printoptions {threshold = 1000, edge = 3} end)
    local function dots(text) return select(2, text:gsub("%.%.%.", "")) end
    local function lines(text) return select(2, text:gsub("\n", "")) + 1 end
    nd.printoptions {edge = 100} -- 200 * 200 elements, but two axes
    assert.equal(201, lines(body(nd.zeros({300, 300}, "u8"))))
    -- 28 ^ 3 elements are more than 20000, 26 ^ 3 are not
    nd.printoptions {edge = 14}
    local cube = nd.zeros({30, 30, 30}, "u8")
    assert.equal(26 * 26 + 1 + 26, dots(body(cube)))
    nd.printoptions {threshold = 22000}
    assert.equal(28 * 28 + 1 + 28, dots(body(cube)))
  end)

  it("indents rows by their depth, and shows nothing of an array without elements", function()
    assert.equal("[[[1, 2],\n  [3, 4]],\n [[5, 6],\n  [7, 8]]]",
      body(nd.arange(1, 8):reshape(2, 2, 2)))
    assert.equal("[]", body(nd.zeros {3, 0}))
  end)

  it("takes options up to their limits", function()
    finally(function() nd.printoptions {threshold = 1000, edge = 3, precision = false} end)
    local most = {threshold = 2 ^ 31, edge = 1000, precision = 17}
    assert.same(most, nd.printoptions(most))
    for key, value in pairs(most) do
      H.raises("invalid_argument", nd.printoptions, {[key] = value + 1})
    end
    H.raises("type_mismatch", nd.printoptions, {edge = false})
    H.raises("type_mismatch", nd.printoptions, {threshold = false})
  end)

  it("takes a precision for floats, and gives it up again", function()
    finally(function() nd.printoptions {precision = false} end)
    assert.equal(3, nd.printoptions({precision = 3}).precision)
    assert.equal("[ 3.14, 1e+10,   0.5]", body(nd.array {math.pi, 1e10, 0.5}))
    assert.equal("[1234567]", body(nd.array({1234567}, "i32")))
    assert.equal("[0.333+2i]", body(nd.array({ffi.new("complex", 1 / 3, 2)}, "c128")))
    assert.is_nil(nd.printoptions({precision = false}).precision)
    assert.equal("3.141592653589793", body(nd.f64(math.pi)))
  end)

  it("allocates no more than it must, and says when the memory is gone", function()
    local a = nd.zeros(3)
    a:free()
    assert.equal(here "f64 3 cpu (freed)", tostring(a))
  end)
end)
