-- Rows of spec/bind/badinput_rows.lua: products of matrices and norms, as functions of nd and of
-- nd.linalg, and as methods.
local nd = require "ndbuf"

return function(rows)
  local products = {
    dot = function(a) return a, a.T, {out = nd.zeros({2, 2}, a.dtype)} end,
    kron = function(a) return a, a:clone(), {out = nd.zeros({4, 9}, a.dtype)} end,
    matmul = function(a) return a, a.T, {out = nd.zeros({2, 2}, a.dtype)} end,
    norm = function(a) return a, 1, 2, {keepdims = true} end,
    outer = function(a) return a, a:clone(), {out = nd.zeros({6, 6}, a.dtype)} end,
    tensordot = function(a)
      return a, a:clone(), {{1, 2}, {1, 2}}, {out = nd.zeros({}, a.dtype)}
    end,
    trace = function(a) return a, 1, {axes = {2, 1}} end,
    vecdot = function(a) return a, a:clone(), 1, {out = nd.zeros({3}, a.dtype)} end,
  }
  rows.functions.einsum = function()
    return "ij,j", nd.ones(2, 3), {1, 2, 3}, {out = nd.zeros(2)}
  end
  rows.linalg = {einsum = rows.functions.einsum}
  for name, arguments in pairs(products) do
    rows.functions[name] = function() return arguments(nd.ones({2, 3}, "i32")) end
    rows.linalg[name], rows.methods[name] = rows.functions[name], arguments
  end
end
