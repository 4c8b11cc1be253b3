-- Rows of spec/bind/badinput_rows.lua: factorisations of matrices, as functions of nd and of
-- nd.linalg, and as methods.
local nd = require "ndbuf"

return function(rows)
  local function square(a) return nd.eye(2, a.dtype) end
  local function twice(a) return square(a), {upper = true} end
  local factors = {
    cholesky = function(a) return square(a), {upper = true, out = nd.zeros(2, 2)} end,
    cond = function(a) return square(a), {p = 1} end,
    det = function(a) return square(a), {out = nd.zeros {}} end,
    eig = square,
    eigh = twice,
    eigvals = function(a) return square(a), {out = nd.zeros({2}, "c128")} end,
    eigvalsh = twice,
    expm = function(a) return square(a), {out = nd.zeros({2, 2}, "c128")} end,
    inv = function(a) return square(a), {out = nd.zeros({2, 2}, "c128")} end,
    lstsq = function(a) return a, nd.ones({2}, a.dtype), {rcond = 0.1} end,
    lu = function(a) return a end,
    matrix_power = function(a) return square(a), 2, {out = nd.zeros({2, 2}, a.dtype)} end,
    matrix_rank = function(a) return a, {rtol = 0.1, out = nd.zeros {}} end,
    pinv = function(a) return a, 0.1, {out = nd.zeros({3, 2}, "c128")} end,
    qr = function(a) return a, {mode = "complete"} end,
    slogdet = function(a) return square(a), {out = {nd.zeros {}, nd.zeros {}}} end,
    solve = function(a) return square(a), a, {out = nd.zeros({2, 3}, "c128")} end,
    svd = function(a) return a, {full_matrices = false, compute_uv = true} end,
    svdvals = function(a) return a, {out = nd.zeros {2}} end,
  }
  for name, arguments in pairs(factors) do
    rows.functions[name] = function() return arguments(nd.ones({2, 3}, "f32")) end
    rows.linalg[name], rows.methods[name] = rows.functions[name], arguments
  end
  rows.functions.lapack = function() end
  rows.functions.return_outs = function()
    return {nd.zeros(2), nd.zeros {}}, nd.ones(2), nd.ones {}
  end
  rows.functions.factor = function()
    return "lstsq", nd.eye(2), nd.ones(2), true, false, false, 0.1, "solve"
  end
end
