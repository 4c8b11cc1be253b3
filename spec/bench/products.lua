--- ndbuf's side of the table "Products of matrices": spec/bench/products.py asks.
local ffi = require "ffi"
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

ffi.cdef [[
  void cblas_sgemm(int, int, int, int, int, int, float, const void *, int, const void *, int,
                   float, void *, int);
  void cblas_dgemm(int, int, int, int, int, int, double, const void *, int, const void *, int,
                   double, void *, int);
  void cblas_cgemm(int, int, int, int, int, int, const float *, const void *, int, const void *,
                   int, const float *, void *, int);
  void cblas_zgemm(int, int, int, int, int, int, const double *, const void *, int, const void *,
                   int, const double *, void *, int);
  void openblas_set_num_threads(int count);
  void MKL_Set_Num_Threads(int count);
]]
local CALLS = {
  f32 = "cblas_sgemm", f64 = "cblas_dgemm", c64 = "cblas_cgemm", c128 = "cblas_zgemm",
}
-- as a factor of complex numbers: their parts
local FACTORS = {
  c64 = { ffi.new("float[2]", { 1, 0 }), ffi.new "float[2]" },
  c128 = { ffi.new("double[2]", { 1, 0 }), ffi.new "double[2]" },
}

local a, b, library
local commands = {}

--- Who multiplies large matrices.
function commands.who() return nd.info().blas:match "^%w+" end

function commands.threads(count)
  nd.set_threads(tonumber(count))
  return count
end

--- "DTYPE SHAPE SHAPE": the operands.
function commands.make(text)
  local dtype, left, right = text:match "(%S+) (%S+) (%S+)"
  a, b = peer.pattern(left, 5, dtype), peer.pattern(right, 3, dtype)
  return dtype
end

local function mean_seconds(call, seconds)
  call()
  local count, start = 0, peer.now()
  repeat
    for _ = 1, a.size < 1000 and 1000 or 1 do
      call()
      count = count + 1
    end
  until peer.now() - start >= tonumber(seconds)
  return ("%.9g"):format((peer.now() - start) / count)
end

--- "SECONDS INTO": mean seconds of a product, for so many at least; into an array that is there
-- where INTO is "True".
function commands.run(text)
  local seconds, into = text:match "(%S+) (%S+)"
  local options = { out = into == "True" and nd.zeros_like(a:matmul(b)) or nil }
  return mean_seconds(function() a:matmul(b, options) end, seconds)
end

--- Is such a product one large call of the library?
function commands.has_call()
  return CALLS[a.dtype] ~= nil and a.ndim == 2 and b.ndim == 2 and a.size > 1000
end

--- Mean seconds of that call, into an array that is there.
function commands.call(seconds)
  library = library or ffi.load(nd.info().blas:match "%(([^()]+)%)")
  local is_mkl = nd.info().blas:find "^MKL"
  library[is_mkl and "MKL_Set_Num_Threads" or "openblas_set_num_threads"](nd.info().threads)
  local out = nd.zeros({ a:dim(1), b:dim(2) }, a.dtype)
  local call, factors = library[CALLS[a.dtype]], FACTORS[a.dtype] or { 1, 0 }
  local m, n, k = a:dim(1), b:dim(2), a:dim(2)
  local result = mean_seconds(function()
    call(101, 111, 111, m, n, k, factors[1], a:ptr(), k, b:ptr(), n, factors[2], out:ptr(), n)
  end, seconds)
  assert(out:equal(a:matmul(b)))
  return result
end

--- The result as one number, to which each element contributes by its position.
function commands.value()
  local c = a:matmul(b)
  if c.dtype:find "^c" then c = c.real end
  c = c:reshape({ c.size }, { copy = true }):astype "f64"
  return ("%.17g"):format((c * (nd.arange(0, c.size - 1) % 7)):sum())
end

peer.serve(commands)
