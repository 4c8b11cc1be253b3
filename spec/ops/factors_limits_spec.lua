-- Factorisations of what is empty, singular, not finite or misshapen; options, dtypes and 'out'.
local nd = require "ndbuf"
local H = require "spec.helper"

if not nd.info().lapack then return end

local ITERATIVE = {"svdvals", "eigvalsh", "eigvals", "cholesky"}

local function shapes(...)
  local list = {}
  for i = 1, select("#", ...) do
    local x = select(i, ...)
    list[i] = type(x) == "userdata" and table.concat(x.shape, "x") or x
  end
  return table.concat(list, " ")
end

describe("matrices without elements", function()
  local none, rows, columns = nd.empty(0, 0), nd.empty(3, 0), nd.empty(0, 2)

  it("have results without elements", function()
    assert.equal("0x2", shapes(none:solve(columns)))
    assert.equal("0", shapes(none:solve(nd.empty(0))))
    assert.equal("0x0", shapes(none:inv()))
    assert.equal("0x0", shapes(none:cholesky()))
    assert.equal("3 3x0 0x0", shapes(rows:lu()))
    assert.equal("0 0x0 0x2", shapes(columns:lu()))
    assert.same({1, 2, 3}, (rows:lu()):totable())
    assert.equal("3x0 0x0", shapes(rows:qr()))
    assert.equal("0x0 0x2", shapes(columns:qr()))
    assert.equal("3x3 0 0x0", shapes(rows:svd()))
    assert.equal("0x0 0 2x2", shapes(columns:svd()))
    assert.equal("3x0 0 0x0", shapes(rows:svd {full_matrices = false}))
    assert.equal("0 0x0", shapes(none:eigh()))
    assert.equal("0 0x0", shapes(none:eig()))
    assert.equal("2x0", shapes(columns:pinv()))
    assert.equal("0x0", shapes(none:expm()))
    assert.equal("0x0", shapes(none:matrix_power(3)))
    assert.equal("0x3x3", shapes(nd.empty(0, 3, 3):inv()))
    assert.equal("0", shapes(nd.empty(0, 3, 3):det()))
  end)

  it("have vectors that change nothing, a determinant of 1, a rank of 0", function()
    local identity = nd.eye(3)
    assert.is_true((rows:svd()):equal(identity))
    assert.is_true((rows:qr {mode = "complete"}):equal(identity))
    assert.is_true(select(3, columns:svd()):equal(nd.eye(2)))
    assert.equal(1, none:det())
    assert.same({1, 0}, {none:slogdet()})
    assert.same({1, 1}, nd.empty(2, 0, 0):det():totable())
    assert.equal(0, none:matrix_rank())
    local x, residuals, rank, s = columns:lstsq(nd.empty(0, 4))
    assert.equal("2x4 0 0", shapes(x, residuals, s))
    assert.is_true(x:eq(0):all())
    assert.equal(0, rank)
    assert.equal("2x0", shapes((nd.ones(3, 2):lstsq(nd.empty(3, 0)))))
    H.raises_like("invalid_argument", "without elements", nd.cond, none)
  end)
end)

describe("matrices of one element", function()
  it("are what their element is", function()
    local m = nd.array {{-4}}
    assert.equal(-0.25, m:inv()(1, 1))
    assert.equal(-4, m:det())
    assert.equal(-1, (m:slogdet()))
    assert.equal(4, m:svdvals()[1])
    assert.equal(-4, m:eigvalsh()[1])
    assert.is_true(math.abs(m:expm()(1, 1) - math.exp(-4)) < 1e-16)
  end)
end)

describe("determinants", function()
  it("neither overflow nor vanish on the way", function()
    local d = nd.zeros(4, 4)
    for i, x in ipairs {1e200, 1e-250, 1e220, 1e-170} do d[{i, i}] = x end
    assert.is_true(math.abs(d:det() - 1) < 1e-12)
    assert.equal(math.huge, (nd.eye(4) * 1e200):det())
    assert.equal(0, (nd.eye(4) * 1e-200):det())
    local sign, logarithm = (nd.eye(4) * -1e-200):slogdet()
    assert.equal(1, sign)
    assert.is_true(math.abs(logarithm + 800 * math.log(10)) < 1e-10)
    local narrow = nd.eye(3, "f32") * 1e13
    assert.equal(math.huge, narrow:det())
    assert.equal(0, nd.array({{1, 2}, {2, 4}}):det())
    assert.equal(-1, nd.array({{0, 1}, {1, 0}}):det())
    local least = nd.eye(9) * 2 ^ -1000
    assert.is_true(math.abs(select(2, least:slogdet()) + 9000 * math.log(2)) < 1e-9)
  end)

  it("may have pivots whose reciprocals overflow", function()
    local function near(wanted, x) assert(math.abs(x / wanted - 1) < 1e-6, tostring(x)) end
    near(1e-10, nd.det {{1e-310, 0}, {0, 1e300}})
    near(1e-10, nd.det {{1e-310, 1}, {0, 1e300}})
    near(-2e-10, nd.det {{0, 1e300, 0}, {1e-310, 0, 0}, {1, 1, 2}})
    near(nd.f32 {1e-40}[1] * 1e30, nd.det(nd.f32 {{1e-40, 0}, {0, 1e30}}))
    near(1e-10, tonumber(nd.c128({{1e-310i, 0}, {0, 1e300}}):det().im))
    local sign, logarithm = nd.slogdet {{-1e-310, 0}, {0, 1e300}}
    assert.equal(-1, sign)
    near(-10 * math.log(10), logarithm)
  end)

  it("of complex matrices have a sign of absolute value 1", function()
    local m = nd.c128 {{3i, 0}, {0, 4}}
    local sign, logarithm = m:slogdet()
    assert.equal(1, tonumber(sign.im))
    assert.equal(0, tonumber(sign.re))
    assert.is_true(math.abs(logarithm - math.log(12)) < 1e-15)
    assert.equal(12, tonumber(m:det().im))
    assert.equal(-12, tonumber(nd.c64({{3i, 0}, {0, 4i}}):det().re))
  end)
end)

describe("matrices with NaN or infinities", function()
  it("have results of NaN", function()
    for _, x in ipairs {0 / 0, math.huge, -math.huge} do
      for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
        local m = nd.eye(4, dtype) * 2
        m[{3, 1}] = x
        for _, name in ipairs(ITERATIVE) do
          local out = m[name](m)
          if name == "cholesky" then out = nd.tril(out) + nd.triu(out, 1) end
          assert(out:isnan():all(), name .. " " .. dtype)
        end
        local u, s, v = m:svd()
        assert.is_true(u:isnan():all() and s:isnan():all() and v:isnan():all())
        local w, vectors = m:eig()
        assert.is_true(w:isnan():all() and vectors:isnan():all())
        w, vectors = m:eigh()
        assert.is_true(w:isnan():all() and vectors:isnan():all())
        local found, _, rank = m:lstsq(nd.ones({4}, dtype))
        assert.is_true(found:isnan():all())
        assert.equal(0, rank)
        assert.is_true(m:expm():isnan():all())
        assert.is_true(m:pinv():isnan():all())
        assert.equal(0, m:matrix_rank())
        -- these only have to end
        for _, name in ipairs {"det", "slogdet", "lu", "qr", "inv"} do pcall(m[name], m) end
        pcall(m.solve, m, nd.ones({4}, dtype))
        m:cond(1)
      end
    end
  end)

  it("have NaN in all that comes of LU factorisations where they have NaN", function()
    for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
      for place = 1, 9 do
        local m = nd.array({{4, 2, 1}, {3, 5, 1}, {1, 2, 6}}):astype(dtype)
        m[{math.ceil(place / 3), (place - 1) % 3 + 1}] = 0 / 0
        local p, l, u = m:lu()
        assert.same({1, 2, 3}, p:sort():totable())
        for i, x in ipairs {m:solve(nd.ones({3}, dtype)), m:inv(), m:matrix_power(-2), l, u} do
          assert(x:isnan():all(), ("%s, place %d, result %d"):format(dtype, place, i))
        end
        local sign, logarithm = m:slogdet()
        for _, x in ipairs {m:det(), sign, logarithm} do
          assert.is_true(nd.full({}, x, dtype):isnan():item())
        end
      end
    end
  end)

  it("do not concern other right-hand sides of least squares", function()
    for _, dtype in ipairs {"f32", "f64", "c64", "c128"} do
      for _, value in ipairs {0 / 0, math.huge} do
        local a = nd.array({{1, 0}, {0, 1}, {0, 0}}):astype(dtype)
        local b = nd.array({{1, value}, {2, 1}, {3, 1}}):astype(dtype)
        local x, residuals, rank, s = nd.lstsq(a, b:expand(2, 3, 2))
        for i = 1, 2 do
          assert.is_true(x[i]":, 1":equal(nd.array({1, 2}):astype(dtype)))
          assert.is_true(x[i]":, 2":isnan():all())
          assert.equal(9, residuals(i, 1))
          assert.is_true(residuals[i]:isnan()(2))
        end
        assert.same({2, 2}, rank:totable())
        assert.is_true(s:eq(1):all())
        x, residuals = nd.lstsq(nd.eye(2, dtype), {1, value}) -- as many rows as columns
        assert.is_true(x:isnan():all())
        assert.same({0}, residuals.shape)
      end
    end
  end)

  it("may have them in the triangle that is not read", function()
    local m = nd.array {{4, 0 / 0}, {2, 5}}
    assert.same({{2, 0}, {1, 2}}, m:cholesky():totable())
    assert.same({{2, 1}, {0, 2}}, m.T:cholesky({upper = true}):totable())
    assert.is_true(m:cholesky({upper = true}):isnan():all())
    assert.is_false(m:eigvalsh():isnan():any())
    assert.is_true(m:eigvalsh({upper = true}):isnan():all())
  end)

  it("do not concern the others of a batch", function()
    local m = nd.eye(2):expand(3, 2, 2):clone()
    m[2] = 0 / 0
    assert.same({false, true, false}, m:svdvals():isnan():any(2):totable())
    assert.same({false, true, false}, m:eigvals():isnan():any(2):totable())
  end)
end)

describe("what has no result", function()
  it("is told with LAPACK's number, and which matrix it is", function()
    local single = nd.array {{1, 2}, {2, 4}}
    local e = H.raises_like("invalid_argument", "solve: the matrix is singular: pivot 2 of its LU",
      nd.solve, single, {1, 2})
    assert.same({2, 1}, {e.info, e.matrix})
    e = H.raises_like("invalid_argument", "inv: the matrix is singular: pivot 1", nd.inv,
      nd.zeros(2, 2))
    assert.equal(1, e.info)
    e = H.raises_like("invalid_argument", "cholesky: the matrix is not positive definite: its "
      .. "leading minor of order 2", nd.cholesky, {{1, 2}, {2, 1}})
    assert.equal(2, e.info)
  end)

  it("is the first matrix of several, for any number of threads", function()
    local before, many = nd.info().threads, nd.eye(8):expand(4000, 8, 8):clone()
    for _, i in ipairs {3999, 777, 2500, 778} do many[i] = 0 end
    for _, count in ipairs {1, 2, 3, 7} do
      nd.set_threads(count)
      local e = H.raises_like("invalid_argument", "inv: matrix 777 is singular: pivot 1", nd.inv,
        many:reshape(2, 2000, 8, 8))
      assert.same({1, 777}, {e.info, e.matrix})
    end
    nd.set_threads(before)
  end)

  it("is infinite or NaN where the number tells of it", function()
    assert.is_true(nd.cond {{1, 2}, {2, 4}, {3, 6}} > 1e15)
    assert.equal(math.huge, nd.cond({{1, 2}, {2, 4}}, 1))
    assert.equal(math.huge, nd.cond(nd.zeros(2, 2)))
    local missing = nd.cond({{0 / 0, 1}, {1, 1}}, 1)
    assert.not_equal(missing, missing)
    local many = nd.stack {nd.eye(2), nd.zeros(2, 2)}
    assert.same({1, math.huge}, nd.cond(many, 1):totable())
    assert.same({1, math.huge}, nd.cond(many):totable())
  end)
end)

describe("errors of what uses factorisations", function()
  it("name the function that was called", function()
    local v, singular = nd.ones(2), nd.ones(2, 2)
    for name, call in pairs {
      cond = function() nd.cond(v) end,
      pinv = function() nd.pinv(v) end,
      matrix_power = function() nd.matrix_power(v, -1) end,
      expm = function() nd.expm(v) end,
    } do
      H.raises_like("shape_mismatch", name .. ": ", call)
    end
    H.raises_like("shape_mismatch", "^cond: ", nd.cond, v, "fro")
    H.raises_like("shape_mismatch", "^cond: ", nd.cond, nd.ones(2, 3), 1)
    H.raises_like("invalid_argument", "^matrix_power: the matrix is singular", nd.matrix_power,
      singular, -1)
    local status, out, err = H.luajit_with("NDBUF_BLAS=none", [[
      local nd = require "ndbuf"
      local m = nd.eye(2) * 9
      for name, arguments in pairs {cond = {m}, matrix_rank = {m}, pinv = {m}, expm = {m},
                                    matrix_power = {m, -1}, norm = {m, 2}} do
        local fine, e = pcall(nd[name], unpack(arguments))
        assert(not fine and e.code == "unsupported")
        assert(e.message:find("^" .. name .. ": .*libopenblas0%-pthread"), e.message)
      end]])
    assert.equal("", out .. err)
    assert.equal(0, status)
  end)
end)

describe("operands of factorisations", function()
  local m = nd.ones(2, 3)

  it("are matrices that fit", function()
    for _, name in ipairs {"inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh", "eig",
                           "eigvals", "expm"} do
      H.raises_like("shape_mismatch", name .. ".*square.*%(2x3%)", nd[name], m)
      H.raises_like("shape_mismatch", name .. ".*%(2%)", nd[name], nd.ones(2))
    end
    for _, name in ipairs {"lu", "qr", "svd", "svdvals", "pinv"} do
      H.raises_like("shape_mismatch", "two axes.*%(scalar%)", nd[name], nd.ones {})
    end
    local s = nd.eye(2)
    H.raises_like("shape_mismatch", "solve: %(2x2%) and %(3%) do not fit: .*rows", nd.solve, s,
      {1, 2, 3})
    H.raises_like("shape_mismatch", "%(2x2%) and %(scalar%)", nd.solve, s, nd.ones {})
    H.raises_like("shape_mismatch", "%(3x2x2%) and %(2x2x1%) do not fit: .*broadcast", nd.solve,
      nd.ones(3, 2, 2), nd.ones(2, 2, 1))
    H.raises_like("shape_mismatch", "lstsq: %(2x3%) and %(3%)", nd.lstsq, m, {1, 2, 3})
    H.raises_like("shape_mismatch", "matrix_power: square.*%(2x3%)", nd.matrix_power, m, 2)
  end)

  it("broadcast, as products do", function()
    local a = nd.eye(2):reshape(1, 2, 2) * nd.array({1, 2, 4}):reshape(3, 1, 1)
    assert.equal("3x2x5", shapes(a:solve(nd.ones(2, 5))))
    assert.equal("3x2", shapes(a:solve(nd.ones(2))))
    assert.equal("4x3x2x5", shapes(a:solve(nd.ones(4, 1, 2, 5))))
    assert.same({{1, 1}, {0.5, 0.5}, {0.25, 0.25}}, a:solve({1, 1}):totable())
    local x, residuals, rank = nd.ones(3, 1, 4, 2):lstsq(nd.ones(2, 4, 5))
    assert.equal("3x2x2x5 0 3x2", shapes(x, residuals, rank))
    assert.is_true(rank:eq(1):all())
  end)

  it("may be of any dtype", function()
    local wanted = {bool = "f64", i8 = "f64", u64 = "f64", f16 = "f32", bf16 = "f32",
      f8e4m3 = "f32", f8e5m2 = "f32", f32 = "f32", f64 = "f64", c64 = "c64", c128 = "c128"}
    for dtype, result in pairs(wanted) do
      local a = nd.eye(3, dtype)
      assert.equal(result, a:inv().dtype)
      assert.equal(result, a:solve(a).dtype)
      assert.equal(result, a:expm().dtype)
      assert.is_true(a:inv():eq(a:astype(result)):all())
      local real = ({c64 = "f32", c128 = "f64"})[result] or result
      assert.equal(real, a:svdvals().dtype)
      assert.equal(dtype, a:matrix_power(2).dtype)
    end
    assert.equal("c128", nd.solve(nd.eye(2), nd.ones({2}, "c64")).dtype)
    H.raises("type_mismatch", nd.solve, nd.eye(2, "i64"), nd.ones({2}, "u64"))
  end)

  it("may be read-only, expanded or mapped, and stay as they are", function()
    local a = nd.array {{4, 1}, {2, 3}}
    local before = a:clone()
    a:readonly_view():inv()
    a:svd()
    a:lu()
    assert.is_true(a:equal(before))
    local file = H.path "a.npy"
    nd.save(file, a)
    assert.is_true(nd.load(file, {mmap = true}):inv():equal(a:inv()))
    assert.equal("5x2x2", shapes(a:expand(5, 2, 2):inv()))
  end)

  it("may be too large, or not be there any more", function()
    local one = nd.zeros(1, 1)
    H.raises_like("overflow", "inv: a matrix has at most 2147483647", nd.inv,
      nd.zeros({1, 1}, "i8"):expand(2 ^ 31, 2 ^ 31))
    H.raises("overflow", nd.solve, one, one:expand(1, 2 ^ 40))
    local gone = nd.zeros(2, 2)
    gone:free()
    H.raises("freed", nd.inv, gone)
    H.raises("freed", nd.solve, nd.eye(2), gone)
  end)
end)

describe("options of factorisations", function()
  local m = nd.array {{4, 1}, {2, 3}}

  it("out receives the result", function()
    for _, name in ipairs {"inv", "cholesky", "pinv", "expm"} do
      local out = nd.zeros({2, 2}, "f32").T
      assert.equal(out, nd[name](m, {out = out}))
      assert.is_true(out:equal(nd[name](m):astype "f32"))
    end
    local itself = m:clone()
    assert.is_true(itself:inv({out = itself}):equal(m:inv()))
    assert.is_true(nd.solve(m, itself, {out = itself}):equal(m:solve(m:inv())))
    local value = nd.zeros {}
    assert.equal(value, nd.det({{2, 0}, {0, 5}}, {out = value}))
    assert.equal(10, value:item())
    assert.is_true(m:matrix_power(0, {out = nd.ones(2, 2)}):equal(nd.eye(2)))
    local e = H.raises("shape_mismatch", nd.inv, m, {out = nd.zeros(2)})
    assert.truthy(e.message:find "%(2, 2%)")
    H.raises("read_only", nd.inv, m, {out = nd.zeros(2, 2):readonly_view()})
    H.raises("type_mismatch", nd.eigvals, m, {out = nd.zeros(2)})
  end)

  it("are those of each function, and no others", function()
    H.raises_like("invalid_argument", "no option \"upper\"", nd.inv, m, {upper = true})
    H.raises_like("invalid_argument", "no option \"upper\"", nd.svd, m, {upper = true})
    H.raises_like("type_mismatch", "out: expected a table of 3 arrays", nd.svd, m, {out = m})
    H.raises_like("invalid_argument", "expected one of reduced, complete, r", nd.qr, m,
      {mode = "raw"})
    H.raises_like("type_mismatch", "full_matrices: expected a boolean", nd.svd, m,
      {full_matrices = 1})
    H.raises_like("type_mismatch", "compute_uv: expected a boolean", nd.svd, m, {compute_uv = 0})
    H.raises_like("invalid_argument", "rcond: .* is not 0 or more", nd.lstsq, m, {1, 2}, -1)
    H.raises_like("invalid_argument", "rtol", nd.pinv, m, 0 / 0)
    H.raises_like("type_mismatch", "tol: expected a number", nd.matrix_rank, m, "x")
    H.raises_like("invalid_argument", "extra argument", nd.inv, m, {}, 3)
    H.raises_like("invalid_argument", "n: 0.5 is not an integer", nd.matrix_power, m, 0.5)
  end)

  it("are not read where the argument is given", function()
    local refused = function(name, ...)
      H.raises_like("invalid_argument", ("there is no option %q"):format(name), ...)
    end
    refused("rcond", nd.lstsq, m, {1, 2}, 0.1, {rcond = 0.2})
    refused("rtol", nd.pinv, m, 0.5, {rtol = 2})
    refused("tol", nd.matrix_rank, m, 0.5, {tol = 2})
    refused("p", nd.cond, m, 1, {p = 2})
    H.raises_like("type_mismatch", "options: expected a table", nd.cond, m, 1, 2)
    assert.same({1, 1}, {m:cond(nil, {p = 2}) / m:cond(2), m:matrix_rank(9, {rtol = 0}) + 1})
  end)

  it("say how many singular values count", function()
    local d = nd.array {{4, 0}, {0, 1}}
    assert.equal(2, d:matrix_rank())
    assert.equal(1, d:matrix_rank(2))
    assert.equal(1, d:matrix_rank {tol = 1})
    assert.equal(1, d:matrix_rank {rtol = 0.25})
    assert.equal(2, d:matrix_rank {rtol = 0.2})
    assert.same({{0.25, 0}, {0, 0}}, d:pinv(0.5):totable())
    assert.same({{0.25, 0}, {0, 1}}, d:pinv({rtol = 0.1}):totable())
    local x, residuals, rank = nd.lstsq({{4, 0}, {0, 1}, {0, 0}}, {4, 1, 0}, {rcond = 0.5})
    assert.same({1, 0}, x:totable())
    assert.same({{0}, 1}, {residuals.shape, rank})
    assert.equal(2, nd.matrix_rank {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
    assert.equal(0, nd.matrix_rank {0, 0})
    assert.same({1, 1}, {nd.matrix_rank {0, 2}, nd.matrix_rank(nd.ones {})})
    assert.same({0, 1, 2}, nd.stack({nd.zeros(2, 2), nd.ones(2, 2), nd.eye(2)}):matrix_rank()
      :totable())
  end)

  it("cond takes the norms of matrices", function()
    local d = nd.array {{4, 0}, {0, 2}}
    assert.same({2, 2, 0.5, 2, 0.5}, {d:cond(), d:cond(2), d:cond(-2), d:cond {p = math.huge},
      d:cond(-1)})
    H.raises_like("invalid_argument", "p: 3 is no norm of matrices", nd.cond, d, 3)
    H.raises_like("invalid_argument", "p: 5 is no norm of matrices", nd.cond, d, {p = 5})
    H.raises_like("invalid_argument", "p: \"max\" is none of", nd.cond, d, "max")
    H.raises_like("shape_mismatch", "square", nd.cond, nd.ones(2, 3), 1)
    assert.same({2, 1}, nd.cond(nd.stack {d, nd.eye(2)}):totable())
  end)
end)

describe("powers and exponentials of matrices", function()
  it("of integers wrap around", function()
    assert.equal(3 ^ 7 % 256, nd.u8({{3}}):matrix_power(7)(1, 1))
    assert.same({{1, 0}, {0, 1}}, nd.i32({{5, 6}, {7, 8}}):matrix_power(0):totable())
    assert.same({{0.5, 0}, {0, 0.25}}, nd.i32({{2, 0}, {0, 4}}):matrix_power(-1):totable())
    local a = nd.array {{1, 1}, {0, 1}}
    local first = a:matrix_power(1)
    assert.is_true(first:equal(a) and first.storage_id ~= a.storage_id)
    assert.same({{1, 100}, {0, 1}}, a:matrix_power(100):totable())
  end)

  it("are exact within rounding, whatever the norm is", function()
    for e = -20, 5 do
      local t = 2 ^ e
      local x = nd.expm {{0, t}, {-t, 0}}
      local bound = 1e-15 * (16 + t * 4)
      assert.is_true(math.abs(x(1, 1) - math.cos(t)) < bound)
      assert.is_true(math.abs(x(1, 2) - math.sin(t)) < bound)
    end
    assert.is_true(nd.expm(nd.eye(2) * 1000):isinf():any())
    assert.same({{0, 0}, {0, 0}}, nd.expm(nd.eye(2) * -1e9):round():totable())
    assert.equal(1, nd.expm {{0}}(1, 1))
  end)

  it("are exact where the norm is much greater than the eigenvalues", function()
    local e, sinh = math.exp(1), math.sinh(1)
    local function check(wanted, a)
      a, wanted = nd.expm(a), nd.array(wanted)
      assert((a / wanted - 1):abs():le(1e-14):logical_or(a:eq(wanted)):all(), tostring(a))
    end
    for _, t in ipairs {10, 1e5, 1e9, 1e18, 1e60, 1e300} do
      check({{e, t * sinh}, {0, 1 / e}}, {{1, t}, {0, -1}})
      check({{e, 0}, {t * sinh, 1 / e}}, {{1, 0}, {t, -1}})
    end
    for _, t in ipairs {10, 1e10, 1e100} do
      check({{t + 1, t}, {-t, 1 - t}}, {{t, t}, {-t, -t}}) -- its square is 0
    end
    check({{math.exp(100), math.huge}, {0, math.exp(-100)}}, {{100, 1e300}, {0, -100}})
    check({{math.exp(40), 0}, {0, math.exp(-300)}}, {{40, 0}, {0, -300}})
    -- similar to {{0, 3}, {-3, 0}}, by a factor of 2^40
    local x = nd.expm {{0, 3 * 2 ^ 40}, {-3 * 2 ^ -40, 0}}
    assert.is_true(math.abs(x(1, 1) - math.cos(3)) < 1e-14)
    assert.is_true(math.abs(x(1, 2) / 2 ^ 40 - math.sin(3)) < 1e-14)
    local turned = nd.expm(nd.c128 {{1i, 1e12}, {0, -1i}})
    assert.is_true(math.abs(tonumber(turned(1, 1).re) - math.cos(1)) < 1e-15)
    assert.is_true(math.abs(tonumber(turned(1, 2).re) / 1e12 - math.sin(1)) < 1e-14)
    -- no digit is left, and nothing is raised
    for _, t in ipairs {1e30, 1e200} do
      local none = nd.expm {{1 * t, 2 * t}, {3 * t, -4 * t}}
      assert.is_true(none:isfinite():logical_not():all())
      assert.is_true(nd.expm({{-t, t / 2}, {t / 4, -t}}):eq(0):all())
    end
  end)
end)
