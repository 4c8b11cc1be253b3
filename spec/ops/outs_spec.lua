-- 'out' of the functions whose result has a known shape: what they would return, converted to the
-- dtype of 'out' and in its layout, and nothing is written where the call is refused.
local nd = require "ndbuf"
local H = require "spec.helper"

local v, m = nd.array {1, 3, 2}, nd.array {{1, 2, 3}, {4, 5, 7}}

-- By name: a call that passes its options on.
local calls = {
  searchsorted = function(o) return nd.searchsorted({1, 2, 5}, {2, 9}, o) end,
  ["searchsorted of a value"] = function(o) return nd.searchsorted({1, 2, 5}, 3, o) end,
  digitize = function(o) return v:digitize({1, 2}, o) end,
  ["digitize downwards"] = function(o) return v:digitize({2, 1}, o) end,
  ["digitize of a value"] = function(o) return nd.digitize(3, {1, 2}, o) end,
  bincount = function(o) return nd.bincount({1, 3, 3}, o) end,
  histogram = function(o) return (v:histogram(o)) end,
  histogram2d = function(o) return (nd.histogram2d(v, {0, 4, 1}, o)) end,
  unique = function(o) return v:unique(o) end,
  interp = function(o) return v:interp({1, 2}, {3, 4}, o) end,
  ["interp of a value"] = function(o) return nd.interp(1.5, {1, 2}, {3, 4}, o) end,
  isclose = function(o) return v:isclose({1, 3, 5}, o) end,
  isin = function(o) return v:isin({3, 4}, o) end,
  ["isin of none"] = function(o) return v:isin({}, o) end,
  flatnonzero = function(o) return nd.flatnonzero({0, 4, 5}, o) end,
  cov = function(o) return m:cov(o) end,
  ["cov of one"] = function(o) return v:cov(o) end,
  corrcoef = function(o) return m:corrcoef(o) end,
  vander = function(o) return v:vander(o) end,
  scatter = function(o) return m:scatter(2, {{3}, {1}}, {{8}, {9}}, o) end,
  scatter_add = function(o) return m:scatter_add(2, {{3}, {1}}, {{8}, {9}}, o) end,
  tril = function(o) return m:tril(o) end,
  triu = function(o) return m:triu(1, o) end,
  tile = function(o) return m:tile({2, 1}, o) end,
  repeat_interleave = function(o) return m:repeat_interleave(2, 1, o) end,
  ["repeat_interleave with counts"] = function(o) return m:repeat_interleave({2, 1}, 1, o) end,
  ["repeat_interleave with a count"] = function(o) return m:repeat_interleave({2}, 1, o) end,
  concat = function(o) return nd.concat({v, {4, 5}}, 1, o) end,
  stack = function(o) return nd.stack({v, v}, 2, o) end,
  take = function(o) return m:take({2, 1}, 2, o) end,
  ["take by a mask"] = function(o) return m:take(m:gt(2), nil, o) end,
  ["take by a mask of an axis"] = function(o)
    return m:take(nd.bool {true, false, true}, 2, o)
  end,
}

local METHODS = {vander = true}

local function wanted(call)
  local result = call()
  return type(result) == "userdata" and result or nd.array(result)
end

-- An array of this shape whose elements lie apart, in columns.
local function apart(shape, dtype)
  if #shape == 0 then return nd.zeros({}, dtype) end
  local reversed = {}
  for i, extent in ipairs(shape) do reversed[#shape + 1 - i] = 2 * extent end
  local a = nd.zeros(reversed, dtype).T
  local key = {}
  for i in ipairs(shape) do key[i] = {2, -1, 2} end
  return a[key]
end

describe("out", function()
  for name, call in pairs(calls) do
    local fn = METHODS[name] and function(o) return nd.vander(v, o) end or call
    it("receives what the call gives: " .. name, function()
      local want = wanted(fn)
      for _, dtype in ipairs {want.dtype, "f32", "u8"} do
        local out = apart(want.shape, dtype)
        assert.equal(out, fn {out = out})
        assert.is_true(out:equal(want:astype(dtype)), dtype)
      end
    end)

    it("is refused, and nothing is written: " .. name, function()
      local want = wanted(fn)
      local shape = want.shape
      shape[#shape + 1] = 2
      local other = nd.full(shape, 5)
      H.raises_like("shape_mismatch", "^.*out", fn, {out = other})
      assert.is_true(other:eq(5):all())
      local fixed = nd.full(want.shape, 5):readonly_view()
      H.raises("read_only", fn, {out = fixed})
      assert.is_true(fixed:eq(5):all())
      H.raises("type_mismatch", fn, {out = "out"})
      H.raises("invalid_argument", fn, {uot = other})
    end)
  end

  -- Functions with several results take a table of as many arrays.
  local several = {
    unique = function(o)
      o.counts, o.index = true, true
      return nd.unique({3, 1, 3}, o)
    end,
    topk = function(o) return m:topk(2, o) end,
  }
  local factors = {
    slogdet = function(o) return nd.slogdet({{{2, 0}, {0, -3}}, {{1, 2}, {2, 4}}}, o) end,
    ["slogdet of one"] = function(o) return nd.slogdet({{2, 0}, {0, -3}}, o) end,
    lu = function(o) return m:lu(o) end,
    qr = function(o) return m:qr(o) end,
    svd = function(o) return m:svd(o) end,
    eigh = function(o) return nd.eigh({{2, 1}, {1, 2}}, o) end,
    eig = function(o) return nd.eig({{2, 0}, {0, 3}}, o) end,
    lstsq = function(o) return nd.lstsq({{0, 1}, {1, 1}, {2, 1}}, {1, 2, 4}, o) end,
  }
  local has_factors = nd.info().lapack
  for name, call in pairs(has_factors and factors or {}) do several[name] = call end

  local function all_wanted(call)
    local results = {call {}}
    for i, result in ipairs(results) do
      results[i] = type(result) == "userdata" and result or nd.array(result)
    end
    return results
  end

  for name, call in pairs(several) do
    it("receives each of several results: " .. name, function()
      local want, out = all_wanted(call), {}
      for i, result in ipairs(want) do out[i] = apart(result.shape, result.dtype) end
      local got = {call {out = out}}
      assert.equal(#want, #got)
      for i, result in ipairs(want) do
        assert.equal(out[i], got[i])
        assert.is_true(out[i]:equal(result), i)
      end
    end)

    it("of several results is refused, and nothing is written: " .. name, function()
      local want = all_wanted(call)
      local out, n = {}, #want
      for i, result in ipairs(want) do out[i] = nd.full_like(result, 5) end
      H.raises_like("type_mismatch", "^.*out: expected a table of", call, {out = out[1]})
      local last = out[n]
      out[n] = nd.full({7, 7, 7}, 5, last.dtype)
      H.raises_like("shape_mismatch", "^.*out", call, {out = out})
      out[n] = nd.full_like(last, 5):readonly_view()
      H.raises_like("read_only", "^.*out: ", call, {out = out})
      out[n] = nil
      H.raises_like("type_mismatch", "^.*out", call, {out = out})
      out[n], out[n + 1] = last, last
      H.raises_like("type_mismatch", "got one of", call, {out = out})
      out[n + 1] = nil
      for i = 1, n - 1 do assert.is_true(out[i]:eq(5):all(), i) end
    end)
  end

  it("is refused where arrays for several results share memory", function()
    local x, b, square = nd.array {3, 1, 2}, nd.full({4}, 5), nd.zeros(2, 2)
    H.raises_like("overlap", "out: arrays 1 and 2 share memory", x.topk, x, 2,
      {out = {b:narrow(1, 1, 2), b:narrow(1, 2, 2)}})
    local column = square.T[1]
    H.raises_like("overlap", "out", x.topk, x, 2, {out = {column, column}})
    assert.is_true(b:eq(5):all())
    assert.is_true(square:eq(0):all())
    x:topk(2, {out = {square.T[1], square.T[2]}}) -- between each other's elements
    assert.is_true(square:equal(nd.array {{3, 1}, {2, 3}}))
  end)

  if has_factors then
    it("of complex results is not real", function()
      local w = nd.zeros({2}, "c128")
      H.raises_like("type_mismatch", "out: cannot convert", nd.eig, {{0, 1}, {-1, 0}},
        {out = {w, nd.zeros(2, 2)}})
      assert.is_true(w:eq(0):all())
    end)

    it("of one result of a factorisation is an array", function()
      local r, s = nd.zeros(2, 3), nd.zeros(2)
      assert.equal(r, m:qr {mode = "r", out = r})
      assert.is_true(r:equal((select(2, m:qr()))))
      assert.equal(s, m:svd {compute_uv = false, out = s})
      assert.is_true(s:equal(m:svdvals()))
    end)

    it("receives ranks and condition numbers", function()
      local x = nd.zeros({})
      for _, call in ipairs {
        function(o) return nd.matrix_rank({{1, 2}, {2, 4}}, o) end,
        function(o) return nd.matrix_rank({1, 2}, o) end,
        function(o) return nd.cond({{4, 0}, {0, 2}}, o) end,
        function(o) return nd.cond({{4, 1}, {0, 2}}, 1, o) end,
      } do
        assert.equal(x, call {out = x})
        assert.equal(call {}, x:item())
        H.raises_like("shape_mismatch", "^.*out", call, {out = nd.zeros(3)})
      end
    end)
  end

  it("may be an operand, or overlap one", function()
    local a = nd.arange(1, 9):reshape(3, 3)
    local function check(want, fn)
      local b = a:clone()
      fn(b, b)
      assert.is_true(b:equal(want))
      b = a:clone()
      fn(b.T, b)
      assert.is_true(b:equal(fn(a.T)))
    end
    local function by(name, ...)
      local arguments = {...}
      return function(x, out)
        local list = {unpack(arguments)}
        list[#list + 1] = {out = out}
        return x[name](x, unpack(list))
      end
    end
    check(nd.tril(a), by "tril")
    check(nd.triu(a, 1), by("triu", 1))
    check(a:scatter(2, {{3}, {1}, {2}}, 0), by("scatter", 2, {{3}, {1}, {2}}, 0))
    check(a:tile(1), by("tile", 1))
    check(a:take({3, 1, 2}), by("take", {3, 1, 2}))
    check(a:take(nd.ones(3, "bool"), 2), by("take", nd.ones(3, "bool"), 2))
    check(nd.cov(a), by "cov")
    check(nd.interp(a, {1, 9}, {9, 1}), by("interp", {1, 9}, {9, 1}))
  end)

  it("takes no complex results where it is real", function()
    for _, call in ipairs {
      function(o) return nd.c64 {1}:tile(1, o) end,
      function(o) return nd.concat({nd.c64 {1}}, 1, o) end,
      function(o) return nd.c64 {{1}}:tril(o) end,
    } do
      H.raises("type_mismatch", call, {out = wanted(call).real:clone()})
    end
  end)
end)

describe("take by a mask", function()
  local a = nd.arange(1, 24):reshape(2, 3, 4)

  it("is a[mask], or that along other axes", function()
    local rows, planes = nd.bool {true, false, true}, a:gt(5)
    assert.is_true(a:take(planes):equal(a[planes]))
    assert.is_true(a:take(nd.bool {false, true}):equal(a[nd.bool {false, true}]))
    assert.is_true(a:take(rows, 2):equal(a[{{}, rows}]))
    assert.is_true(a:take(rows, {axis = -2}):equal(a[{{}, rows}]))
    assert.is_true(a:take(a[1]:gt(5), 2):equal(a[{{}, a[1]:gt(5)}]))
    assert.same({2, 3, 0}, a:take(nd.zeros(4, "bool"), 3).shape)
  end)

  it("wants as many places as are selected", function()
    local out = nd.zeros(2, 2, 4)
    local mask = nd.bool {true, false, true}
    assert.equal(out, a:take(mask, 2, {out = out}))
    assert.is_true(out:equal(a:take({1, 3}, 2)))
    H.raises_like("shape_mismatch", "take: the result %(2x2x4%) has another shape %(2x3x4%)",
      a.take, a, mask, 2, {out = nd.zeros(2, 3, 4)})
  end)
end)
