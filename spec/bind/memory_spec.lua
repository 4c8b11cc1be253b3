-- An array's memory: when it comes, where it is, when it goes; scopes.
local nd = require "ndbuf"
local H = require "spec.helper"
local ffi = require "ffi"

describe("memory", function()
  it("comes with the first use of empty, or by allocate", function()
    local a = nd.empty({4, 4}, "f32", {lazy = true})
    assert.is_false(a.is_allocated)
    assert.equal(64, a.total_bytes)
    local v = a[2]
    assert.is_false(v.is_allocated)
    assert.equal(a, a:allocate())
    assert.is_true(a.is_allocated and v.is_allocated)
    a:allocate()
    local b = nd.empty(3, {lazy = true})
    b[1] = 5
    assert.is_true(b.is_allocated)
    assert.equal(5, b[1])
    assert.is_true(nd.zeros(3).is_allocated)
  end)

  it("ptr is a typed pointer to the first element, address its number", function()
    local ctypes = {i8 = "int8_t *", u8 = "uint8_t *", i16 = "int16_t *", u16 = "uint16_t *",
      i32 = "int32_t *", u32 = "uint32_t *", i64 = "int64_t *", u64 = "uint64_t *",
      f32 = "float *", f64 = "double *", c64 = "complex float *", c128 = "complex double *"}
    for dtype, ctype in pairs(ctypes) do
      local a = nd.array({{1, 2}, {3, 4}}, dtype)
      assert.is_true(ffi.istype(ctype, a:ptr()), dtype)
      assert.equal(a:address(), tonumber(ffi.cast("uintptr_t", a:ptr())))
      assert.equal(a:address() + 2 * a.itemsize, a[2]:address())
      assert.equal(0, a:address() % 64)
    end
    local a = nd.array {1, 2, 3}
    a:ptr()[1] = 7
    assert.equal(7, a[2])
    assert.equal(3, a["2:3"]:ptr()[1])
    assert.equal(1, a["::-1"]:ptr()[-2])
    local packed = nd.records(nd.zeros(9, "u8"), {{"b", "u8"}, {"x", "f64"}}).x
    H.raises_like("invalid_view", "misaligned", function() return packed:ptr() end)
    assert.equal(1, packed:address() % 8)
  end)

  it("ptr and address allocate what is lazy", function()
    local a = nd.empty(3, {lazy = true})
    local fine, p = pcall(a.ptr, a)
    if fine then
      p[0] = 4
      assert.equal(4, a[1])
    else
      assert.equal("not_allocated", p.code)
    end
  end)

  it("goes with free: every view then raises freed", function()
    local a = nd.array({{1, 2}, {3, 4}}, "i32")
    local row, t, bits = a[1], a.T, a:bitcast "u32"
    local sum = 0
    for _ = 1, 100 do sum = sum + a(1, 1) + row[1] end
    assert.equal(200, sum)
    a:free()
    assert.is_false(a.is_allocated)
    for _, v in ipairs {a, row, t, bits} do
      H.raises("freed", function() return v:totable() end)
      H.raises("freed", function() v:fill(1) end)
      H.raises("freed", function() return v:clone() end)
      H.raises("freed", function() return v:copyout() end)
      H.raises("freed", function() return v:equal(v) end)
      H.raises("freed", function() return v:allocate() end)
      H.raises("freed", function() return v:ptr() end)
      H.raises("freed", function() return nd.concat {v} end)
      H.raises("freed", function() return nd.zeros(2, 2):copy_from(v) end)
      H.raises("freed", function() return v:astype "f64" end)
    end
    H.raises("freed", function() return row[1] end)
    H.raises("freed", function() row[1] = 1 end)
    H.raises("freed", function() return a(1, 1) end)
    H.raises("freed", function() a:set(1, 1, 0) end)
    H.raises("freed", function() return a[{1, 1}] end)
    H.raises("freed", function() a["1, 1"] = 0 end)
    assert.same({2, 2}, a.shape)
    assert.equal("i32", a.dtype)
    assert.is_string(tostring(a))
    H.raises("freed", function() a:copy_from(1) end)
  end)

  it("may be freed twice, and before it was allocated", function()
    local a = nd.zeros(3)
    a:free()
    local fine, e = pcall(a.free, a)
    assert.is_true(fine or e.code == "freed")
    local b = nd.empty(3, {lazy = true})
    b:free()
    H.raises("freed", function() return b[1] end)
  end)
end)

describe("scope", function()
  it("frees what was made inside and is not returned", function()
    local inner, view
    local before = nd.ones(3)
    local kept, extra = nd.scope(function()
      inner = nd.zeros(10)
      view = before["1:2"]
      before:copy_from(2)
      return nd.full(2, 7), "extra"
    end)
    assert.same({7, 7}, kept:totable())
    assert.equal("extra", extra)
    H.raises("freed", function() return inner[1] end)
    assert.same({2, 2, 2}, before:totable())
    assert.same({2, 2}, view:totable())
  end)

  it("keeps a view's storage, what tables hold, and nil in between", function()
    local v, t = nd.scope(function()
      local a, b = nd.arange(1, 6), nd.ones(2)
      return a["2:3"], {deep = {b}}
    end)
    assert.same({2, 3}, v:totable())
    assert.same({1, 1}, t.deep[1]:totable())
    local n = select("#", nd.scope(function() return nil, 1, nil end))
    assert.equal(3, n)
    assert.equal(0, select("#", nd.scope(function() end)))
  end)

  it("nests: what an inner one returns is the outer one's", function()
    local saved
    local out = nd.scope(function()
      local kept = nd.scope(function() return nd.ones(2) end)
      saved = nd.scope(function() return nd.zeros(2) end)
      return kept
    end)
    assert.same({1, 1}, out:totable())
    H.raises("freed", function() return saved[1] end)
  end)

  it("frees when the function fails, and the error goes through", function()
    local inner
    local fine, e = pcall(nd.scope, function()
      inner = nd.zeros(3)
      error({mine = true})
    end)
    assert.is_false(fine)
    assert.is_true(e.mine)
    H.raises("freed", function() return inner[1] end)
    assert.equal(1, nd.ones(1)[1])
    H.raises("type_mismatch", function() nd.scope(1) end)
  end)

  it("passes arguments on and refuses a yield across it", function()
    local co = coroutine.create(function()
      nd.scope(function() coroutine.yield(1) end)
    end)
    assert.is_false(coroutine.resume(co))
  end)
end)
