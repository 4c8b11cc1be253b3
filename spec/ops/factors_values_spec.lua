-- Factorisations against NumPy, where the result is determined: random matrices of few
-- rows and columns, 0 and 1 among them, of all dtypes that NumPy has, with leading axes. And what
-- is known without it.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local compare = require "spec.lua.compare"

if not nd.info().lapack then return end

local ORACLE = "spec/ops/factors_oracle.py"
local NARROW = {f16 = true, f32 = true, c64 = true}

-- ---- operands ----

local function lead(rng, ...)
  local shape = {}
  for i = 1, math.max(0, rng(5) - 3) do shape[i] = rng(10) == 1 and 0 or rng(3) end
  for _, n in ipairs {...} do shape[#shape + 1] = n end
  return shape
end

local function side(rng) return rng(10) == 1 and 0 or rng(6) end

local function any(rng, ...)
  return compare.array(rng, compare.PLAIN[rng(#compare.PLAIN)], lead(rng, ...))
end

-- Square, and far from singular.
local function dominant(rng, n)
  local a = any(rng, n, n)
  if a.dtype == "bool" then return nd.triu(a:logical_or(nd.eye(n, "bool"))) end
  return a + nd.eye(n, a.dtype) * 20
end

local function dtype_of(a)
  if a.dtype:find "^c" or a.dtype == "f64" then return a.dtype end
  return NARROW[a.dtype] and "f32" or "f64"
end

local function conjugate(x)
  if not x.dtype:find "^c" then return x end
  local out = x:clone()
  out.imag:neg_()
  return out
end

-- ---- cases ---- {words, arrays, call}; 'scale' bounds how far rounding may lead

local makers = {}

local function unary(name, make, scale)
  makers[name] = function(rng)
    local a = make(rng)
    return {words = {"-"}, arrays = {a}, scale = scale, call = function() return nd[name](a) end}
  end
end

unary("inv", function(rng) return dominant(rng, side(rng)) end)
unary("det", function(rng) return dominant(rng, side(rng)) end, 1e3)
unary("slogdet", function(rng) return dominant(rng, side(rng)) end)
unary("svdvals", function(rng) return any(rng, side(rng), side(rng)) end)
unary("matrix_rank", function(rng) return any(rng, rng(6), rng(6)) end)

function makers.expm(rng)
  local n = rng(5)
  local a = compare.array(rng, compare.PLAIN[rng(#compare.PLAIN)],
    rng(2) == 1 and {n, n} or {rng(3), n, n})
  return {words = {"-"}, arrays = {a}, scale = 1e3, call = function() return a:expm() end}
end

function makers.solve(rng)
  local a = dominant(rng, side(rng))
  local n = a:dim(-1)
  local b = compare.array(rng, a.dtype, rng(3) == 1 and {n} or {n, side(rng)})
  if b.ndim == 2 and a.ndim == 3 and rng(2) == 1 then
    b = compare.array(rng, a.dtype, {rng(2) == 1 and 1 or a:dim(1), n, 2})
  end
  return {words = {"-"}, arrays = {a, b}, call = function() return a:solve(b) end}
end

function makers.cholesky(rng)
  local n = side(rng)
  local x = any(rng, n, n + 1)
  if x.dtype:find "^[bu]" or x.dtype:find "^i" then x = x:astype "f64" end
  local a = x:matmul(conjugate(x):swapaxes(-1, -2)) + nd.eye(n, x.dtype)
  return {words = {"-"}, arrays = {a}, call = function() return a:cholesky() end}
end

-- R, but for the signs (phases) of its rows.
function makers.r(rng)
  local a = any(rng, side(rng), side(rng))
  a = a + nd.normal(a.shape, "f64", {seed = rng(1e6)}):astype(dtype_of(a))
  return {words = {"-"}, arrays = {a}, scale = 100, is_of_size = true,
    call = function() return (a:qr {mode = "r"}) end}
end

function makers.eigvalsh(rng)
  local n, upper = side(rng), rng(2) == 1
  local a = any(rng, n, n)
  return {words = {upper and "U" or "L"}, arrays = {a},
    call = function() return a:eigvalsh {upper = upper} end}
end

function makers.pinv(rng)
  local a = any(rng, side(rng), side(rng))
  if NARROW[a.dtype] then a = a:astype(a.dtype == "c64" and "c128" or "f64") end
  return {words = {"-"}, arrays = {a}, scale = 1e3, call = function() return a:pinv() end}
end

function makers.lstsq(rng)
  local m, n = side(rng), side(rng)
  local a = compare.array(rng, compare.PLAIN[rng(#compare.PLAIN)], {m, n})
  local rcond = rng(2) == 1 and 0.25 or nil
  if not rcond and NARROW[a.dtype] then a = a:astype(a.dtype == "c64" and "c128" or "f64") end
  if rcond and a.dtype ~= "bool" then a = a + nd.eye(math.max(m, n), a.dtype):narrow(1, 1, m)
    :narrow(2, 1, n) * 40 end
  if rcond and a.dtype == "bool" then rcond = nil end
  local b = compare.array(rng, a.dtype, rng(2) == 1 and {m} or {m, rng(3)})
  return {words = {rcond or "-"}, arrays = {a, b}, scale = 1e3,
    call = function() return a:lstsq(b, rcond) end}
end

function makers.matrix_power(rng)
  local power = rng(-3, 5)
  local a = dominant(rng, rng(5))
  if a.dtype == "bool" or a.dtype:find "^[iu]8$" or a.dtype == "f16" then a = a:astype "f64" end
  if a.dtype:find "^[iu]" and power > 2 then power = 2 end
  return {words = {power}, arrays = {a}, scale = 1e3,
    call = function() return a:matrix_power(power) end}
end

function makers.cond(rng)
  local p = ({"fro", 1, -1, 2, -2, math.huge, -math.huge})[rng(8)]
  local a = dominant(rng, rng(6))
  return {words = {p or "-"}, arrays = {a}, scale = 1e3, call = function() return a:cond(p) end}
end

function makers.norm(rng)
  local ord = ({2, -2, "nuc"})[rng(3)]
  local a = any(rng, rng(6), rng(6))
  return {words = {ord}, arrays = {a}, scale = 100,
    call = function() return nd.norm(a, ord, {-2, -1}) end}
end

-- ---- comparing ----

local function as_array(x, like)
  if type(x) == "userdata" then return x end
  return nd.full({}, x, like.dtype)
end

local function wide(x) return x:astype(x.dtype:find "^c" and "c128" or "f64") end

local function from_hex(text, dtype, shape)
  local extents = {}
  for n in shape:gmatch "%d+" do extents[#extents + 1] = tonumber(n) end
  local bytes = text == "-" and "" or text:gsub("..", function(byte)
    return string.char(tonumber(byte, 16))
  end)
  return nd.frombytes(bytes, dtype):reshape(extents)
end

local function check(name, c, answer)
  local results, what = {c.call()}, ("seed %d: %s %s"):format(H.seed, name,
    table.concat(c.words, " "))
  assert.equal(tonumber(answer[1]), #results, what)
  local eps = NARROW[c.arrays[1].dtype] and 2 ^ -23 or 2 ^ -52
  for i, out in ipairs(results) do
    local dtype, shape, text = answer[3 * i - 1], answer[3 * i], answer[3 * i + 1]
    local wanted = from_hex(text, dtype, shape)
    out = as_array(out, wanted)
    assert.equal(shape, common.shape_text(out.shape), what .. ", " .. i)
    if c.is_of_size then out, wanted = out:abs(), wanted:abs() end
    local most = wanted.size > 0 and wanted:abs():max() or 0
    local bound = 300 * (c.scale or 30) * eps * (1 + most)
    local is_near = (wide(out) - wide(wanted)):abs():le(bound):logical_or(out:eq(wanted))
    assert(is_near:all(), ("%s, %d: %s is not %s"):format(what, i, tostring(out),
      tostring(wanted)))
  end
end

local function line_of(name, c)
  local fields = {name, table.concat(c.words, ",")}
  for _, a in ipairs(c.arrays) do
    fields[#fields + 1] = a.dtype
    fields[#fields + 1] = common.shape_text(a.shape)
    fields[#fields + 1] = common.hex(a:copyout())
  end
  return table.concat(fields, "\t")
end

local NAMES = {}
for name in pairs(makers) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

describe("values of factorisations", function()
  for _, name in ipairs(NAMES) do
    it("are those of NumPy: " .. name, function()
      local rng, list, lines = H.rng(name), {}, {}
      for i = 1, H.cases(120) do
        list[i] = makers[name](rng)
        lines[i] = line_of(name, list[i])
      end
      for i, answer in ipairs(common.ask(ORACLE, lines)) do check(name, list[i], answer) end
    end)
  end
end)
