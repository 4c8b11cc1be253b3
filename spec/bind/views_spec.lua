-- View methods: none copies; each by hand. view_chains_spec.lua has them in a row.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local DTYPES, is_view_of = common.DTYPES, common.is_view_of

-- 1, 2, 3 … in row-major order
local function counted(...)
  local n = 1
  for _, extent in ipairs {...} do n = n * extent end
  return nd.arange(1, n, 1, "i32"):reshape({...})
end

describe("reshape and flatten", function()
  it("give a view, with one -1 worked out", function()
    local a = counted(2, 3, 4)
    for _, shape in ipairs {{6, 4}, {24}, {4, 6}, {2, 1, 12}, {1, 24, 1}, {2, 3, 4}} do
      local v = a:reshape(shape)
      assert.same(shape, v.shape)
      is_view_of(a, v)
      assert.is_true(v:copyout() == a:copyout())
      local open = {unpack(shape)}
      open[#open] = -1
      assert.same(shape, a:reshape(open).shape)
      assert.same(shape, a:reshape(unpack(open)).shape)
    end
    assert.same({24}, a:flatten().shape)
    is_view_of(a, a:flatten())
    assert.same({}, nd.ones(1, 1):reshape({}).shape)
    assert.same({1}, nd.f64(3):flatten().shape)
    assert.same({0}, nd.zeros(0, 3):flatten().shape)
    assert.same({3, 0}, nd.zeros(0, 3):reshape(3, 0).shape)
    assert.same({5, 0, 7}, nd.zeros(0, 3):reshape(5, 0, 7).shape)
    a:reshape(24)[24] = 0
    assert.equal(0, a(2, 3, 4))
  end)

  it("refuse to copy; {copy = true} may", function()
    local a = counted(3, 4)
    local t = a.T
    local e = H.raises_like("invalid_view", "contiguous", function() return t:reshape(12) end)
    assert.is_truthy(e.message:find("i32", 1, true) and e.message:find "4x3")
    H.raises("invalid_view", function() return t:flatten() end)
    H.raises("invalid_view", function() return a["::2"]:reshape(8) end)
    H.raises("invalid_view", function() return a[":, 1:3"]:flatten() end)
    H.raises("invalid_view", function() return nd.arange(1, 2):expand(3, 2):flatten() end)
    assert.same({6}, nd.ones(1):expand(2, 3):flatten().shape) -- all of stride 0 runs on
    local c = t:reshape({12}, {copy = true})
    assert.same({1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12}, c:totable())
    assert.not_equal(a.storage_id, c.storage_id)
    assert.equal(a.storage_id, a:reshape({12}, {copy = true}).storage_id)
    local huge = nd.ones({1}, "u8"):expand(2 ^ 52) -- no copy is made for what it does not mend
    H.raises("size_mismatch", function() return huge:reshape({3}, {copy = true}) end)
    H.raises("invalid_view", function() return t:reshape({12}, {copy = false}) end)
    H.raises("invalid_argument", function() return t:reshape({12}, {copies = true}) end)
  end)

  it("work on what runs on, in whatever direction", function()
    local a = counted(4, 6)
    assert.same({2, 2, 3}, a["1:4:2"]:reshape(2, 2, 3).shape)
    assert.same({24, 23, 22}, {unpack(a["::-1, ::-1"]:flatten():totable(), 1, 3)})
    is_view_of(a, a["::-1, ::-1"]:flatten())
    assert.same({4, 3, 2}, a:reshape(4, 2, 3):permute(1, 3, 2).shape)
    is_view_of(a, a[":, 1:4"]:reshape(2, 2, 2, 2))
    is_view_of(a, a[":, ::2"]:flatten())
    is_view_of(a, a[":, 2"]:reshape(2, 2))
  end)

  it("refuse shapes of another size, two -1 and negative extents", function()
    local a = counted(2, 3)
    local e = H.raises("size_mismatch", function() return a:reshape(7) end)
    assert.same({6, 7}, {e.expected, e.actual})
    H.raises("size_mismatch", function() return a:reshape(-1, 4) end)
    H.raises("size_mismatch", function() return a:reshape(0, -1) end)
    H.raises("size_mismatch", function() return nd.zeros(0):reshape(0, -1) end)
    H.raises("size_mismatch", function() return nd.zeros(0):reshape(1) end)
    H.raises("size_mismatch", function() return a:reshape({}) end)
    H.raises("invalid_argument", function() return a:reshape(-1, -1) end)
    H.raises("invalid_argument", function() return a:reshape(-2, -3) end)
    H.raises("overflow", function() return a:reshape(2 ^ 40, 2 ^ 40) end)
    H.raises("type_mismatch", function() return a:reshape() end)
    H.raises("type_mismatch", function() return a:reshape("6") end)
    H.raises("invalid_argument", function() return a:reshape(1.5, 4) end)
    local many = {}
    for i = 1, 17 do many[i] = 1 end
    H.raises("invalid_argument", function() return nd.ones(1):reshape(many) end)
  end)
end)

describe("axes", function()
  it("are reversed by T and transpose, put in order by permute, exchanged by swapaxes", function()
    local a = counted(2, 3, 4)
    for _, v in ipairs {a.T, a:transpose(), a:permute(3, 2, 1), a:permute {3, 2, 1}} do
      assert.same({4, 3, 2}, v.shape)
      assert.same({1, 4, 12}, v.strides)
      is_view_of(a, v)
    end
    assert.equal(a(2, 3, 1), a.T(1, 3, 2))
    assert.same({4, 2, 3}, a:permute(3, 1, 2).shape)
    assert.same({4, 2, 3}, a:permute(-1, 1, -2).shape)
    assert.same({4, 3, 2}, a:swapaxes(1, 3).shape)
    assert.same({3, 2, 4}, a:swapaxes(-2, 1).shape)
    assert.same({2, 3, 4}, a:swapaxes(2, 2).shape)
    is_view_of(a, a:swapaxes(1, 2))
    assert.same({3}, nd.zeros(3).T.shape)
    assert.same({}, nd.f64(1).T.shape)
    assert.same({}, nd.f64(1):permute().shape)
  end)

  it("are refused when a permutation does not name each once", function()
    local a = counted(2, 3)
    H.raises("invalid_argument", function() return a:permute(1, 1) end)
    H.raises("invalid_argument", function() return a:permute(1) end)
    H.raises("invalid_argument", function() return a:permute(1, 2, 3) end)
    H.raises("invalid_argument", function() return a:permute(1, -2) end)
    H.raises("index_out_of_range", function() return a:permute(1, 3) end)
    H.raises("index_out_of_range", function() return a:permute(0, 1) end)
    H.raises("index_out_of_range", function() return a:swapaxes(1, 3) end)
    H.raises("index_out_of_range", function() return a:swapaxes(-3, 1) end)
    H.raises("invalid_argument", function() return a:transpose(2, 1) end)
  end)

  it("of extent 1 go by squeeze and come by unsqueeze", function()
    local a = nd.zeros(1, 3, 1)
    assert.same({3}, a:squeeze().shape)
    assert.same({3, 1}, a:squeeze(1).shape)
    assert.same({1, 3}, a:squeeze(-1).shape)
    assert.same({1, 3}, a:squeeze(3).shape)
    is_view_of(a, a:squeeze())
    assert.same({}, nd.zeros(1, 1):squeeze().shape)
    assert.same({0}, nd.zeros(1, 0):squeeze().shape)
    H.raises_like("shape_mismatch", "axis 2 has size 3", function() return a:squeeze(2) end)
    H.raises("index_out_of_range", function() return a:squeeze(4) end)
    local b = counted(2, 3)
    assert.same({1, 2, 3}, b:unsqueeze(1).shape)
    assert.same({2, 1, 3}, b:unsqueeze(2).shape)
    assert.same({2, 3, 1}, b:unsqueeze(3).shape)
    assert.same({2, 3, 1}, b:unsqueeze(-1).shape)
    assert.same({1, 2, 3}, b:unsqueeze(-3).shape)
    is_view_of(b, b:unsqueeze(2))
    assert.same({1}, nd.f64(1):unsqueeze(1).shape)
    H.raises("index_out_of_range", function() return b:unsqueeze(4) end)
    H.raises("index_out_of_range", function() return b:unsqueeze(0) end)
    local many = {}
    for i = 1, 16 do many[i] = 1 end
    H.raises("invalid_argument", function() return nd.ones(many):unsqueeze(1) end)
  end)
end)

describe("parts", function()
  it("narrow takes 'count' from 'first', select one", function()
    local a = counted(3, 4)
    assert.same({{5, 6, 7, 8}, {9, 10, 11, 12}}, a:narrow(1, 2, 2):totable())
    assert.same({{2, 3}, {6, 7}, {10, 11}}, a:narrow(2, 2, 2):totable())
    assert.same({{2, 3}, {6, 7}, {10, 11}}, a:narrow(-1, -3, 2):totable())
    assert.same({3, 0}, a:narrow(2, 3, 0).shape)
    assert.same({3, 0}, a:narrow(2, 5, 0).shape)
    is_view_of(a, a:narrow(1, 1, 1))
    assert.same({5, 6, 7, 8}, a:select(1, 2):totable())
    assert.same({4, 8, 12}, a:select(2, -1):totable())
    assert.same({}, a:select(1, 2):select(1, 3).shape)
    is_view_of(a, a:select(2, 1))
    for _, bad in ipairs {{1, 2, 3}, {1, 4, 1}, {1, 0, 1}, {2, -5, 1}, {3, 1, 1}, {2, 6, 0}} do
      H.raises("index_out_of_range", function() return a:narrow(unpack(bad)) end)
    end
    local e = H.raises("index_out_of_range", function() return a:narrow(2, 5, 1) end)
    assert.truthy(e.message:find("index 5 is out of range for axis 2 of size 4", 1, true))
    H.raises("invalid_argument", function() return a:narrow(1, 1, -1) end)
    H.raises("index_out_of_range", function() return a:select(1, 4) end)
    H.raises("index_out_of_range", function() return a:select(1, 0) end)
    H.raises("index_out_of_range", function() return a:select(3, 1) end)
    H.raises("type_mismatch", function() return a:narrow(1, 1) end)
  end)

  it("split cuts by sizes or into a number of parts", function()
    local a = counted(2, 7)
    local function widths(parts)
      local out = {}
      for i, p in ipairs(parts) do
        out[i] = p.shape[2]
        is_view_of(a, p)
      end
      return out
    end
    assert.same({3, 2, 2}, widths(a:split(2, 3)))
    assert.same({7}, widths(a:split(2, 1)))
    assert.same({1, 1, 1, 1, 1, 1, 1, 0, 0}, widths(a:split(2, 9)))
    assert.same({0, 5, 2}, widths(a:split(2, {0, 5, 2})))
    assert.same({{6, 7}, {13, 14}}, a:split(2, {5, 2})[2]:totable())
    assert.same({{8, 9, 10, 11, 12, 13, 14}}, a:split(1, 2)[2]:totable())
    assert.same({{8, 9, 10, 11, 12, 13, 14}}, a:split(-2, 2)[2]:totable())
    H.raises_like("size_mismatch", "axis 2 has size 7", function() return a:split(2, {3, 3}) end)
    H.raises("size_mismatch", function() return a:split(2, {3, 5}) end)
    H.raises("invalid_argument", function() return a:split(2, 0) end)
    H.raises("invalid_argument", function() return a:split(2, {}) end)
    H.raises("invalid_argument", function() return a:split(2, {-1, 8}) end)
    H.raises("index_out_of_range", function() return a:split(3, 1) end)
  end)

  it("diagonal goes along the last two axes, k above", function()
    local a = counted(3, 4)
    assert.same({1, 6, 11}, a:diagonal():totable())
    assert.same({2, 7, 12}, a:diagonal(1):totable())
    assert.same({4}, a:diagonal(3):totable())
    assert.same({5, 10}, a:diagonal(-1):totable())
    assert.same({}, a:diagonal(4):totable())
    is_view_of(a, a:diagonal())
    assert.same({2, 3}, counted(2, 3, 3):diagonal().shape)
    a:diagonal():fill(0)
    assert.same({{0, 2, 3, 4}, {5, 0, 7, 8}, {9, 10, 0, 12}}, a:totable())
    H.raises("shape_mismatch", function() return nd.zeros(3):diagonal() end)
    H.raises("index_out_of_range", function() return a:diagonal(5) end)
    H.raises("index_out_of_range", function() return a:diagonal(-4) end)
  end)

  it("unfold makes windows along a new last axis", function()
    local a = counted(6)
    assert.same({{1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}}, a:unfold(1, 3, 1):totable())
    assert.same({{1, 2, 3}, {4, 5, 6}}, a:unfold(1, 3, 3):totable())
    assert.same({{1, 2}, {4, 5}}, a:unfold(1, 2, 3):totable())
    assert.same({2, 2, 2}, counted(2, 3):unfold(2, 2, 1).shape)
    assert.same({{{1, 4}, {2, 5}, {3, 6}}}, counted(2, 3):unfold(1, 2, 1):totable())
    is_view_of(a, a:unfold(1, 2, 1))
    H.raises("index_out_of_range", function() return a:unfold(1, 7, 1) end)
    H.raises("invalid_argument", function() return a:unfold(1, 0, 1) end)
    H.raises("invalid_argument", function() return a:unfold(1, 2, 0) end)
    -- windows that overlap are more elements than there were: 2^58 become 2^20 times as many
    local wide = nd.zeros({1}, "u8"):expand(2 ^ 19, 2 ^ 39)
    H.raises("overflow", function() return wide:unfold(1, 2 ^ 18, 1) end)
    local fits = wide:unfold(1, 2 ^ 19 - 15, 1) -- 16 windows: 2^62 bytes or less
    assert.equal(16, fits.shape[1])
    assert.same({16, 2 ^ 39, 2 ^ 19 - 15}, fits.shape)
    H.raises("overflow", function() return wide:unfold(1, 2 ^ 19 - 63, 1) end)
  end)

  it("unfold is writable where windows do not overlap", function()
    local a = counted(6)
    a:unfold(1, 3, 3):fill(0)
    assert.same({0, 0, 0, 0, 0, 0}, a:totable())
    H.raises("overlap", function() a:unfold(1, 3, 2):fill(1) end)
    assert.is_false(a:unfold(1, 3, 2).readonly)
  end)
end)

describe("expand, flip and readonly_view", function()
  it("expand broadcasts without a copy, read-only", function()
    local a = counted(3, 1)
    local v = a:expand(3, 4)
    assert.same({{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, v:totable())
    assert.same({1, 0}, v.strides)
    is_view_of(a, v)
    assert.is_true(v.readonly)
    assert.same({2, 3, 4}, a:expand(2, 3, 4).shape)
    assert.same({3, 4}, a:expand(-1, 4).shape)
    assert.same({3, 0}, a:expand(3, 0).shape)
    assert.same({5}, nd.f64(1):expand(5).shape)
    assert.same({3, 4}, a:expand({3, 4}).shape)
    H.raises("read_only", function() v[{1, 1}] = 0 end)
    H.raises("read_only", function() v:fill(1) end)
    H.raises_like("shape_mismatch", "%(3x1%) does not broadcast to %(2x4%)",
      function() return a:expand(2, 4) end)
    H.raises("shape_mismatch", function() return a:expand(3) end)
    H.raises("invalid_argument", function() return a:expand(-1, 3, 4) end)
    H.raises("overflow", function() return a:expand(2 ^ 40, 2 ^ 40, 3, 1) end)
    assert.is_false(a.readonly)
    a[{2, 1}] = 9
    assert.equal(9, v(2, 4))
  end)

  it("flip reverses the axes named, or all", function()
    local a = counted(2, 3)
    assert.same({{4, 5, 6}, {1, 2, 3}}, a:flip(1):totable())
    assert.same({{3, 2, 1}, {6, 5, 4}}, a:flip(2):totable())
    assert.same({{3, 2, 1}, {6, 5, 4}}, a:flip(-1):totable())
    assert.same({{6, 5, 4}, {3, 2, 1}}, a:flip(1, 2):totable())
    assert.same({{6, 5, 4}, {3, 2, 1}}, a:flip({1, 2}):totable())
    assert.same({{6, 5, 4}, {3, 2, 1}}, a:flip():totable())
    is_view_of(a, a:flip())
    assert.same({}, nd.zeros(0):flip():totable())
    assert.equal(1, nd.f64(1):flip()())
    H.raises("index_out_of_range", function() return a:flip(3) end)
    a:flip(2)[{1, 1}] = 0
    assert.equal(0, a(1, 3))
  end)

  it("readonly_view refuses to write, and so do its views", function()
    local a = counted(2, 3)
    local r = a:readonly_view()
    is_view_of(a, r)
    assert.is_true(r.readonly)
    for _, v in ipairs {r, r[1], r.T, r:reshape(6), r:bitcast "u32", r:bytes(), r:flip(1),
                        r:as_strided({2}, {4}, 0), r:narrow(1, 1, 1), r:split(1, 2)[1],
                        r:unsqueeze(1), r:diagonal()} do
      assert.is_true(v.readonly)
      H.raises("read_only", function() v:fill(0) end)
    end
    a[1] = 7
    assert.same({7, 7, 7}, r[1]:totable())
    assert.is_false(a.readonly)
  end)
end)

describe("bitcast", function()
  it("reads the same bytes as another dtype, for all pairs", function()
    for _, from in ipairs(DTYPES) do
      for _, to in ipairs(DTYPES) do
        local a = nd.zeros({3, 16}, from[1])
        local v = a:bitcast(to[1])
        assert.equal(to[1], v.dtype)
        assert.same({3, 16 * from[2] / to[2]}, v.shape)
        is_view_of(a, v)
        assert.same(v.shape, a:bitcast(nd[to[1]]).shape)
      end
    end
    assert.equal(0x3f800000, nd.f32({1}):bitcast("u32")[1])
    assert.equal(1, nd.array({0x3f800000}, "u32"):bitcast("f32")[1])
    assert.same({1, 0, 2, 0}, nd.array({1, 2}, "u16"):bitcast("u8"):totable())
    assert.equal(5, nd.i32(5):bitcast("u32")())
  end)

  it("refuses a last axis that has gaps or the wrong size", function()
    local a = nd.zeros({4, 6}, "u8")
    H.raises_like("invalid_view", "contiguous", function() return a.T:bitcast "u16" end)
    H.raises("invalid_view", function() return a[":, ::2"]:bitcast "u16" end)
    assert.same({4, 6}, a[":, ::-1"]:bitcast("i8").shape)
    H.raises("size_mismatch", function() return a:bitcast "u32" end)
    H.raises("invalid_view", function() return nd.u8(1):bitcast "u16" end)
    H.raises("invalid_argument", function() return a:bitcast "u7" end)
    assert.same({0}, nd.zeros({0}, "u8"):bitcast("f64").shape)
    assert.same({4, 3}, a:narrow(2, 1, 6):bitcast("u16").shape)
  end)

  it("writes are seen by the other view, also in hot loops", function()
    local a = nd.zeros(8, "f32")
    local bits = a:bitcast "u32"
    local n = 0
    for i = 1, 2000 do
      local k = i % 8 + 1
      a[k] = i
      bits[k] = bits[k] + 1
      if a[k] ~= i then n = n + 1 end
      bits[k] = bits[k] - 1
      assert(a[k] == i)
    end
    assert.equal(2000, n)
  end)
end)

describe("bytes and as_strided", function()
  it("bytes are u8 of the array, from its first to its last", function()
    local a = nd.array({1, 2}, "u16")
    assert.same({1, 0, 2, 0}, a:bytes():totable())
    assert.same({2, 0}, a[{{2, 2}}]:bytes():totable())
    assert.same({0}, a[{{2, 2}}]:bytes(1):totable())
    assert.same({}, a[{{2, 2}}]:bytes(2):totable())
    H.raises("out_of_bounds", function() return a[{{2, 2}}]:bytes(2, 1) end)
    H.raises("out_of_bounds", function() return a[{{1, 1}}]:bytes(0, 4) end)
    H.raises("out_of_bounds", function() return a:bytes(1, 2 ^ 62) end)
    assert.same({0, 2}, a:bytes(1, 2):totable())
    assert.same({0}, a:bytes(4).shape)
    assert.same({0}, a:bytes(0, 0).shape)
    assert.equal("u8", a:bytes().dtype)
    is_view_of(a, a:bytes())
    H.raises("out_of_bounds", function() return a:bytes(1, 4) end)
    H.raises("out_of_bounds", function() return a:bytes(5) end)
    H.raises("invalid_argument", function() return a:bytes(-1) end)
    local m = counted(3, 4)
    assert.same({16}, m[2]:bytes().shape)
    assert.equal(m[2]:copyout(), m[2]:bytes():copyout())
    assert.equal(m"2:":copyout(), m"2:":bytes():copyout())
    for _, v in ipairs {m.T, m"::2", m":, 2:", m:flip(1), m[1]:expand(2, 4)} do
      H.raises_like("invalid_view", "use :contiguous", function() return v:bytes() end)
    end
    assert.same({0}, m:narrow(1, 4, 0).T:bytes().shape)
  end)

  it("storage_bytes are u8 of all of the storage, and as writable as the array", function()
    local m = counted(3, 4)
    for _, v in ipairs {m, m.T, m"2:", m[3], m":, 2", m:flip(2), m:narrow(1, 4, 0)} do
      assert.equal(m:copyout(), v:storage_bytes():copyout())
      assert.equal("u8", v:storage_bytes().dtype)
      is_view_of(m, v:storage_bytes())
      assert.is_true(v:readonly_view():storage_bytes().readonly)
    end
  end)

  it("as_strided is what it is told, inside the storage", function()
    local a = counted(3, 4)
    local v = a:as_strided({2, 2}, {16, 8}, 4)
    assert.same({{2, 4}, {6, 8}}, v:totable())
    is_view_of(a, v)
    assert.same({12, 11, 10}, a:as_strided({3}, {-4}, 44):totable())
    assert.same({1, 1, 1}, a:as_strided({3}, {0}, 0):totable())
    assert.equal(2 * 65536, a:as_strided({1}, {4}, 2)[1]) -- half of 1, half of 2
    assert.same({0}, a:as_strided({0}, {4}, 0).shape)
    assert.same({}, a:as_strided({}, {}, 8).shape)
    for _, bad in ipairs {
      {{13}, {4}, 0}, {{12}, {4}, 4}, {{2}, {-4}, 0}, {{2, 2}, {44, 4}, 0}, {{1}, {4}, 48},
      {{1}, {4}, 45}, {{2}, {2 ^ 62}, 0}, {{2 ^ 40}, {4}, 0}, {{3}, {-2 ^ 62}, 0},
    } do
      H.raises("out_of_bounds", function() return a:as_strided(unpack(bad)) end)
    end
    H.raises("shape_mismatch", function() return a:as_strided({2, 2}, {4}, 0) end)
    H.raises("invalid_argument", function() return a:as_strided({2}, {4}, -4) end)
    H.raises("overlap", function() a:as_strided({2, 2}, {4, 4}, 0):fill(0) end)
    H.raises("overlap", function() a:as_strided({3}, {0}, 0):fill(0) end)
    H.raises("overlap", function() a:as_strided({2}, {2}, 0):fill(0) end)
  end)
end)
