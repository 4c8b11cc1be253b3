-- Norms against NumPy, and what products and norms refuse.
local nd = require "ndbuf"
local H = require "spec.helper"
local arrays = require "spec.ops.arrays"
local common = require "spec.bind.common"
local compare = require "spec.lua.compare"

local ORACLE = "spec/ops/products_oracle.py"
local PARTS = {c64 = "f32", c128 = "f64", f16 = "f16", f32 = "f32", f64 = "f64"}

-- ---- norms ----

-- A norm of a random array: the words for the oracle, the arguments.
local function random_case(rng)
  local dtype = compare.PLAIN[rng(#compare.PLAIN)]
  local a = compare.array(rng, dtype, compare.shape(rng, 1, 3))
  local keepdims, ord, axes = rng(3) == 1, nil, nil
  local kind = rng(4)
  if kind == 1 then -- all elements
    if rng(2) == 1 and a.ndim <= 2 then ord = a.ndim == 1 and 3 or "fro" end
  elseif kind == 2 or a.ndim < 2 then
    axes = {rng(a.ndim)}
    ord = ({1, 2, 3, 0.5, 0, -1, math.huge, -math.huge})[rng(9)]
  else
    axes = {rng(a.ndim)}
    axes[2] = axes[1] % a.ndim + 1
    ord = ({"fro", 1, -1, math.huge, -math.huge})[rng(6)]
  end
  return a, ord, axes, keepdims
end

-- The least and greatest of nothing are refused by both.
local function is_defined(a, ord, axes)
  return a.size > 0 or not axes and type(ord) ~= "number" or ord == 2 or ord == nil
end

local function near(got, wanted, dtype)
  if wanted ~= wanted then return got ~= got end
  if got == wanted then return true end
  local eps = dtype == "f16" and 2 ^ -10 or dtype == "f32" and 2 ^ -21 or 2 ^ -48
  return math.abs(got - wanted) <= eps * math.abs(wanted)
end

describe("norms", function()
  it("are those of NumPy", function()
    local rng, list, lines = H.rng "norms", {}, {}
    while #list < H.cases(400) do
      local a, ord, axes, keepdims = random_case(rng)
      if is_defined(a, ord, axes) then
        local words = {ord == nil and "none" or tostring(ord),
          axes and table.concat(axes, ";") or "none", tostring(keepdims)}
        list[#list + 1] = {a, ord, axes, keepdims}
        lines[#list] = table.concat({"norm", table.concat(words, ","), a.dtype,
          common.shape_text(a.shape), common.hex(a:copyout())}, "\t")
      end
    end
    for i, answer in ipairs(common.ask(ORACLE, lines)) do
      local a, ord, axes, keepdims = unpack(list[i], 1, 4)
      local out = nd.norm(a, ord, axes, {keepdims = keepdims})
      if type(out) == "number" then out = nd.full({}, out, PARTS[a.dtype] or "f64") end
      assert.equal(PARTS[a.dtype] or "f64", out.dtype)
      assert.equal(answer[3], common.shape_text(out.shape), lines[i])
      local kind = answer[2] == "f32" and "f32" or answer[2]
      local wanted = nd.frombytes(arrays.unhex(answer[4]), kind):astype "f64"
      local got = out:astype "f64":flatten()
      for k = 1, got.size do
        assert(near(got[k], wanted[k], out.dtype), ("%s: %g, wanted %g"):format(lines[i], got[k],
          wanted[k]))
      end
    end
  end)

  it("take orders and axes in every way", function()
    local m = nd.array {{3, -4}, {0, 5}}
    assert.equal(nd.norm(m, {ord = 1}), m:norm(1))
    assert.equal(9, m:norm(1))
    assert.equal(5, m:norm(-1 / 0, {axis = {1, 2}}):item())
    assert.same({5, 5}, m:norm(nil, 2):totable())
    assert.same({5, 5}, m:norm({axis = 2}):totable())
    assert.same({5, 5}, m:norm(2, -1):totable())
    assert.same({{3, 5}}, m:norm(math.huge, 1, {keepdims = true}):totable())
    assert.same({7, 5}, m:norm {ord = 1, axis = 2}:totable())
    assert.same({{9}}, m:norm {ord = 1, keepdims = true}:totable())
    assert.same({2, 1}, m:norm(0, {2}):totable())
    assert.equal(50 ^ 0.5, m:norm())
    assert.equal(50 ^ 0.5, m:norm "fro")
    assert.equal(50 ^ 0.5, nd.norm {{3, -4}, {0, 5}})
    local out = nd.zeros({2}, "f32")
    assert.equal(out, m:norm(2, 2, {out = out}))
    assert.same({5, 5}, out:totable())
    assert.equal(5, nd.c64 {3i, 4}:norm())
    assert.equal("f16", nd.ones({3}, "f16"):norm(2, 1).dtype)
    assert.equal(424.25, nd.f16 {300, 300}:norm()) -- no overflow
  end)

  it("of nothing are 0, but for the least", function()
    for _, shape in ipairs {{3, 0}, {0, 2}, {0, 0}} do
      local none = nd.zeros(shape)
      for _, ord in ipairs {1, math.huge, "fro"} do assert.equal(0, none:norm(ord)) end
      if nd.info().lapack then assert.same({0, 0}, {none:norm(2), none:norm "nuc"}) end
    end
    assert.equal(0, nd.norm({}, math.huge))
    assert.same({0, 0}, nd.zeros(2, 3, 0):norm(1, {2, 3}):totable())
    assert.equal(0, nd.zeros(0, 2):norm(-1)) -- there are two columns
    for _, case in ipairs {{{3, 0}, -1}, {{0, 2}, -math.huge}, {{0}, -math.huge}} do
      H.raises_like("invalid_argument", "norm: there is no least value of nothing; a has shape %("
        .. table.concat(case[1], "x") .. "%)", nd.norm, nd.zeros(case[1]), case[2])
    end
  end)

  it("are there for arrays of 16 axes", function()
    local shape, m = {}, nd.array {{1, -2}, {3, 4}}
    for axis = 1, 14 do shape[axis] = 1 end
    shape[15], shape[16] = 2, 2
    local a = m:reshape(shape)
    for _, ord in ipairs {0, 1, 2, 3, math.huge, -math.huge} do
      assert.is_true(a:norm(ord, 16):reshape(2):equal(m:norm(ord, 2)))
    end
    for _, ord in ipairs {1, -1, math.huge, -math.huge, "fro"} do
      assert.equal(m:norm(ord), a:norm(ord, {-2, -1}):reshape(1)[1])
      if nd.info().lapack then assert.equal(m:cond(ord), a:cond(ord):reshape(1)[1]) end
    end
    assert.equal(m:norm(), a:norm())
  end)

  it("refuse other orders and axes", function()
    local m, t = nd.ones {2, 3}, nd.ones {2, 2, 2}
    if not nd.info().lapack then
      for _, ord in ipairs {2, -2, "nuc"} do
        H.raises_like("unsupported", "norm: ", m.norm, m, ord)
      end
    end
    H.raises_like("invalid_argument", "3 is no norm of matrices", m.norm, m, 3)
    H.raises_like("invalid_argument", "ord: .*none of a number", m.norm, m, "max")
    H.raises_like("invalid_argument", "NaN", m.norm, m, 0 / 0)
    H.raises_like("invalid_argument", '"fro" is one of matrices', m.norm, m, "fro", 1)
    H.raises_like("type_mismatch", "ord: expected a number", m.norm, m, true)
    H.raises_like("shape_mismatch", "3 axes is neither", t.norm, t, 1)
    H.raises_like("invalid_argument", "3 axes; norms are along one axis or two", t.norm, t, 1,
      {1, 2, 3})
    H.raises_like("invalid_argument", "axis 1 is named twice", t.norm, t, 1, {1, 1})
    H.raises("index_out_of_range", m.norm, m, 1, 3)
    H.raises("invalid_argument", m.norm, m, {order = 1})
    H.raises_like("invalid_argument", 'no option "ord"', m.norm, m, 1, {ord = 2})
    H.raises_like("invalid_argument", 'no option "axis"', m.norm, m, 1, 1, {axis = 2})
    H.raises_like("shape_mismatch", "norm: the result has shape %(2%), but out has %(3%)", m.norm,
      m, 1, {axis = 2, out = nd.zeros(3)})
  end)
end)

-- ---- matrices in a row ----

describe("many products", function()
  local function whole(dtype, ...)
    return nd.randint(-3, 3, {...}, "i64", {seed = H.seed % 1000}):astype(dtype)
  end

  -- Is each product of c that of the matrices of a and b, which broadcast?
  local function check(a, b)
    local c = a:matmul(b)
    for i = 1, c:dim(1) do
      for k = 1, c:dim(2) do
        local x = a[math.min(i, a:dim(1))][math.min(k, a:dim(2))]
        local y = b[math.min(i, b:dim(1))][math.min(k, b:dim(2))]
        assert.is_true(c[i][k]:equal(x:matmul(y)))
      end
    end
  end

  it("are those of each matrix, along axes of any strides", function()
    for _, n in ipairs {5, 40} do
      local a, b = whole("f64", 3, 4, n, n + 1), whole("f64", 3, 4, n + 1, n)
      check(a, b)
      check(a:permute(2, 1, 3, 4), b:permute(2, 1, 3, 4))
      check(a:permute(2, 1, 3, 4), b:permute(2, 1, 3, 4):narrow(1, 2, 1))
      check(a, b:narrow(2, 2, 1))
      check(a:narrow(2, 2, 1), b)
      check(a:narrow(3, 1, n - 2), b:narrow(1, 1, 1):narrow(2, 1, 1)) -- rows with gaps
      check(a:flip(1), b:flip(2))
    end
  end)

  it("of long and thin matrices are sums, too", function()
    for _, k in ipairs {255, 256, 257, 300, 600} do
      local a, b = whole("f32", 2, k), whole("f32", k, 3)
      local c = a:matmul(b)
      for i = 1, 2 do
        for j = 1, 3 do assert.equal((a[i] * b:select(2, j)):sum(), c(i, j)) end
      end
    end
  end)

  it("of vectors side by side are conjugate where they are to be", function()
    local a, b = whole("c128", 6, 9).T, whole("c128", 6)
    a.imag:copy_from(whole("f64", 6, 9).T)
    local out = nd.vecdot(a, b)
    for i = 1, 9 do
      local one = nd.vecdot(a[i]:clone(), b)
      assert.same({one.re, one.im}, {out[i].re, out[i].im})
    end
    assert.equal(-out[1].im, nd.vecdot(b, a)[1].im)
  end)
end)

-- ---- einsum and kron ----

describe("einsum", function()
  it("broadcasts axes of 1, and others by dots", function()
    assert.same({{4, 4}, {4, 4}}, nd.einsum("ab,bc->ac", nd.ones {2, 1}, nd.ones {4, 2}):totable())
    assert.same({4, 4}, nd.einsum("ab,ab->a", nd.ones {2, 1}, nd.ones {2, 4}):totable())
    local a, b = nd.arange(1, 6):reshape(2, 3), nd.array {1, 10, 100}
    assert.same({{1, 20, 300}, {4, 50, 600}}, nd.einsum("...,...", a, b):totable())
    assert.same({{{2}, {40}, {600}}, {{8}, {100}, {1200}}},
      nd.einsum("...,...,i->...i", a, b, {2}):totable())
    assert.same({321, 654}, nd.einsum("...i,i->...", a, b):totable())
  end)

  it("wraps sums of integers, and takes bools as truth values", function()
    assert.equal(44, nd.einsum("i->", nd.u8 {200, 100}))
    assert.equal(-12, nd.einsum("ij,i->", nd.i8 {{100, 100}, {44, 0}}, nd.i8 {1, 1}))
    assert.equal(true, nd.einsum("ij->", nd.bool {{true, true}, {false, true}}))
    assert.equal(false, nd.einsum("i,i->", nd.bool {true, false}, nd.bool {false, true}))
  end)

  it("has the axes of the result in any order, and diagonals of several axes", function()
    local t = nd.arange(1, 27):reshape(3, 3, 3)
    assert.same({1, 14, 27}, nd.einsum("iii->i", t):totable())
    assert.equal(42, nd.einsum("iii", t))
    local a, b = nd.arange(1, 6):reshape(2, 3), nd.arange(1, 12):reshape(3, 4)
    assert.is_true(nd.einsum("ij,jk->ki", a, b):equal(a:matmul(b).T))
    assert.is_true(nd.einsum("jk,ij->ik", b, a):equal(a:matmul(b)))
    assert.is_true(nd.einsum("ij,jk,kl->il", a, b, b.T):equal(a:matmul(b):matmul(b.T)))
  end)
end)

describe("kron", function()
  it("takes up to 8 axes of both that are longer than 1", function()
    local a, b = nd.ones {2, 2, 2, 2, 2, 2, 2, 2}, nd.ones {1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}
    assert.same({1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4}, a:kron(b).shape)
  end)
end)

-- ---- refusals ----

describe("products", function()
  local a, b = nd.ones {2, 3}, nd.ones {4, 5}

  it("name both shapes where they do not fit", function()
    for _, name in ipairs {"matmul", "dot"} do
      local e = H.raises_like("shape_mismatch", name .. ": %(2x3%) and %(4x5%) do not fit: 3 .* 4",
        nd[name], a, b)
      assert.same({3, 4}, {e.expected, e.actual})
    end
    H.raises_like("shape_mismatch", "%(3x5%) and %(4x5%) do not fit: 5 .* 4", nd.matmul,
      nd.ones {3, 5}, b)
    H.raises_like("shape_mismatch", "dot: %(2x3%) and %(2x4x5%) do not fit: 3 .* 4", nd.dot, a,
      nd.ones {2, 4, 5})
    H.raises_like("shape_mismatch", "vecdot: %(2x3%) and %(4x5%) do not fit", nd.vecdot, a, b)
    H.raises_like("shape_mismatch", "%(2x3x4%) and %(5x4x3%) do not fit: their leading axes",
      nd.matmul, nd.ones {2, 3, 4}, nd.ones {5, 4, 3})
    H.raises_like("shape_mismatch", "tensordot: %(2x3%) and %(4x5%) do not fit: axis 2 has 3",
      nd.tensordot, a, b, 1)
    H.raises_like("shape_mismatch", '%(2x3%) and %(4x5%) do not fit: label "j" has 3', nd.einsum,
      "ij,jk", a, b)
  end)

  it("refuse scalars, other dtypes and wrong destinations", function()
    for _, name in ipairs {"matmul", "vecdot"} do
      H.raises_like("shape_mismatch", "operand 2 is a scalar %(0%-d%)", nd[name], a, nd.f64(1))
      H.raises_like("type_mismatch", "i64 and u64", nd[name], nd.ones({2}, "i64"),
        nd.ones({2}, "u64"))
    end
    H.raises_like("type_mismatch", "b: expected an array", nd.matmul, a, 3)
    H.raises_like("shape_mismatch", "%(2x3%) and %(3%) has shape %(2%), but out has %(3%)",
      nd.matmul, a, {1, 2, 3}, {out = nd.zeros(3)})
    H.raises_like("shape_mismatch", "dot: the result .*2x2x5", nd.dot, a, nd.ones {2, 3, 5},
      {out = nd.zeros(3)})
    H.raises("read_only", nd.matmul, a, a.T, {out = nd.zeros(2, 2):readonly_view()})
    H.raises("overlap", nd.matmul, a, a.T, {out = nd.zeros(3):unfold(1, 2, 1)})
    H.raises("type_mismatch", nd.matmul, nd.ones({1, 1}, "i64"), nd.ones({1, 1}, "f64"),
      {out = nd.zeros({1, 1}, "i64")})
    H.raises("type_mismatch", nd.matmul, nd.c64 {1}, {1}, {out = nd.zeros({}, "f32")})
  end)

  it("refuse sizes that overflow, before anything is copied", function()
    local long = nd.ones {1, 1}
    H.raises("overflow", nd.matmul, long:expand(2 ^ 40, 1), long:expand(1, 2 ^ 40))
    H.raises("overflow", nd.kron, nd.empty({2 ^ 33}, "u8"), nd.empty({2 ^ 33}, "u8"))
    H.raises("overflow", nd.outer, nd.empty({2 ^ 33}, "u8"), nd.empty({2 ^ 33}, "u8"))
    local t = nd.ones {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
    H.raises_like("invalid_argument", "would have 18 axes", nd.dot, t, t)
    local wide = nd.ones {2, 2, 2, 2, 2, 2, 2, 2, 2}
    H.raises_like("invalid_argument", "more than 8 axes", nd.kron, wide, wide)
  end)

  it("refuse axes of tensordot and trace that are not there", function()
    local t = nd.ones {2, 3, 2}
    H.raises("index_out_of_range", nd.tensordot, t, t, {4, 1})
    H.raises_like("invalid_argument", "2 axes of a, but 1 of b", nd.tensordot, t, t, {{1, 2}, {1}})
    H.raises_like("invalid_argument", "axis 1 is named twice", nd.tensordot, t, t, {{1, 1}, {1, 3}})
    H.raises("invalid_argument", nd.tensordot, t, t, 4)
    H.raises("type_mismatch", nd.tensordot, t, t, "1")
    H.raises_like("shape_mismatch", "trace: at least 2 axes", nd.trace, {1, 2})
    H.raises("invalid_argument", nd.trace, t, {axes = {1}})
    H.raises_like("invalid_argument", "axis 3 is named twice", nd.trace, t, {axes = {3, -1}})
    H.raises("index_out_of_range", nd.trace, t, {axes = {1, 4}})
    H.raises_like("index_out_of_range", "k: diagonal 9 lies outside of 2 rows and 3 columns",
      nd.trace, nd.ones(2, 3), 9)
    H.raises_like("index_out_of_range", "k: diagonal %-3 lies", nd.trace, nd.ones(2, 3), -3)
    H.raises_like("index_out_of_range", "k: diagonal 7 lies", nd.diag, nd.ones(2, 3), 7)
    assert.equal(0, nd.trace(nd.ones(2, 3), 3))
    H.raises("shape_mismatch", nd.trace, t, {out = nd.zeros(3)})
  end)

  it("refuse subscripts that are none", function()
    local function refuse(text, ...) H.raises_like("invalid_argument", text, nd.einsum, ...) end
    refuse("neither a letter", "i1", a)
    refuse('"..." twice', "......", a)
    refuse("occurs in no operand", "ij->k", a)
    refuse("occurs twice in it", "ij->ii", a)
    refuse("lacks", "...i->i", a)
    refuse("more operands than the 1 terms", "ij", a, a)
    H.raises_like("shape_mismatch", "operand 1 has 2 axes, but 1 labels", nd.einsum, "i", a)
    H.raises_like("shape_mismatch", "operand 1 has 2 axes, but 3 labels", nd.einsum, "i...jk", a)
    H.raises_like("shape_mismatch", 'label "i" has 1 and 3 elements in one operand', nd.einsum,
      "ii", nd.ones {1, 3})
    H.raises_like("type_mismatch", "operands: expected an array, got nil", nd.einsum, "ij,jk", a)
    H.raises_like("type_mismatch", "subscripts: expected a string", nd.einsum, a)
    H.raises_like("shape_mismatch", "einsum: the result has shape %(3x2%), but out has %(2x3%)",
      nd.einsum, "ij->ji", a, {out = a})
  end)
end)

describe("products and norms", function()
  it("are methods, and in nd.linalg", function()
    local a = nd.array {{1, 2}, {3, 4}}
    for name in ("matmul dot vecdot tensordot outer kron trace norm"):gmatch "%a+" do
      assert.is_function(nd[name])
      assert.is_function(a[name])
      assert.equal(nd[name], nd.linalg[name])
    end
    assert.equal(nd.einsum, nd.linalg.einsum)
    assert.is_true(a:matmul(a):equal(nd.linalg.matmul(a, a)))
    assert.is_true(a:kron(a):equal(nd.kron(a, a)))
    H.raises_like("type_mismatch", "self", a.kron, {1}, a)
  end)
end)
