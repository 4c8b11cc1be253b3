--- The sides of the table "Fourier transforms" that are not NumPy's, ndbuf's and that of FFTW
-- itself: spec/bench/fft.py asks.
local ffi = require "ffi"
local nd = require "ndbuf"
local peer = require "spec.bench.peer"

local a, b, call, frees
local commands = {}

-- ---- FFTW itself ----

local PREFIX = { f64 = "fftw", c128 = "fftw", f32 = "fftwf", c64 = "fftwf" }
local FILES = { fftw = "libfftw3.so.3", fftwf = "libfftw3f.so.3" }
for _, prefix in pairs { "fftw", "fftwf" } do
  ffi.cdef((([[
    void *$_plan_many_dft(int rank, const int *n, int howmany, void *in, const int *inembed,
      int istride, int idist, void *out, const int *onembed, int ostride, int odist, int sign,
      unsigned flags);
    void *$_plan_many_dft_r2c(int rank, const int *n, int howmany, void *in, const int *inembed,
      int istride, int idist, void *out, const int *onembed, int ostride, int odist,
      unsigned flags);
    void $_execute(const void *plan);
  ]]):gsub("%$", prefix)))
end

-- A call of a plan for what nd.fft[name](a, nil, axis) does, by FFTW's flags.
local function plan(name, axis, flags)
  local prefix = PREFIX[a.dtype]
  local fftw = ffi.load(FILES[prefix])
  local n = a:dim(axis)
  local many = a.size / n
  local is_last = a.ndim == 1 or axis == a.ndim
  local out = nd.fft[name](a, nil, axis)
  local length = ffi.new("int[1]", n)
  local step, apart = is_last and 1 or many, is_last and n or 1
  local m = out:dim(axis)
  local copy = a:clone() -- a measurement writes to what it transforms
  local made
  if name == "rfft" then
    made = fftw[prefix .. "_plan_many_dft_r2c"](1, length, many, a:ptr(), nil, step, apart,
      out:ptr(), nil, step, is_last and m or 1, flags)
  else
    made = fftw[prefix .. "_plan_many_dft"](1, length, many, a:ptr(), nil, step, apart, out:ptr(),
      nil, step, apart, name == "fft" and -1 or 1, flags)
  end
  a:copy_from(copy)
  local execute = fftw[prefix .. "_execute"]
  return function()
    execute(made)
    return out
  end
end

-- ---- what is asked ----

--- Who transforms.
function commands.who() return nd.info().fft:match "^%w+" end

function commands.threads(count)
  nd.set_threads(tonumber(count))
  return count
end

--- "WAY NAME DTYPE SHAPE AXIS": the call; WAY is new, out, or FFTW's flags.
function commands.make(text)
  local way, name, dtype, shape, axis = text:match "(%S+) (%S+) (%S+) (%S+) (%S+)"
  a, axis = peer.pattern(shape, 5, dtype), tonumber(axis)
  local fn = nd.fft[name]
  frees = way == "new"
  if way == "estimate" then call = plan(name, axis, 64)
  elseif way == "measure" then call = plan(name, axis, 0)
  elseif way == "out" then
    local options = { axis = axis, out = fn(a, nil, axis) }
    call = function() return fn(a, options) end
  elseif name:find "2$" then call = function() return fn(a) end
  else call = function() return fn(a, nil, axis) end end
  return dtype
end

--- "NAME DTYPE N M": the convolution of two lines.
function commands.lines(text)
  local name, dtype, n, m = text:match "(%S+) (%S+) (%S+) (%S+)"
  a, b = peer.pattern(n, 5, dtype), peer.pattern(m, 3, dtype)
  local options = { mode = "full" }
  frees = true
  call = function() return nd[name](a, b, options) end
  return dtype
end

--- Mean seconds of a call, for so many seconds at least.
function commands.run(seconds)
  call()
  local count, start = 0, peer.now()
  repeat
    for _ = 1, a.size < 10000 and 100 or 1 do
      local c = call()
      if frees then c:free() end
      count = count + 1
    end
  until peer.now() - start >= tonumber(seconds)
  return ("%.9g"):format((peer.now() - start) / count)
end

--- The result as one number, to which each element contributes by its position.
function commands.value()
  local c = call():astype "c128"
  c = c:reshape { c.size }
  local at = nd.arange(0, c.size - 1) % 7
  return ("%.17g"):format((c.real * at):sum() + (c.imag * at):sum())
end

peer.serve(commands)
