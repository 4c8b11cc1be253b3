--- nd.fft: Fourier transforms, whose functions are in C (src/bind/fft.c), their frequencies, and
-- shifts that bring frequency 0 to the middle.
local read = require "ndbuf.arguments"

local fft = {}

local core, nd -- set by fft.open

local floor = math.floor

-- The end of the arguments (n [, d] [, {d =, dtype =, device =}]): d and the options.
local function read_spacing(d, options)
  if type(d) == "table" and type(options) == "nil" then d, options = nil, d end
  d, options = read.options_after(d, "d", options, { "dtype", "device" })
  if type(d) == "nil" then return 1, options end
  local number = read.number(d)
  if not number then
    core.fail("type_mismatch", "d", "expected a number")
  end
  return number, options
end

-- Whole numbers as frequencies: of n samples, d apart.
local function frequencies(whole, n, d, options)
  local out = whole:mul_(1 / (n * d))
  local dtype, device = rawget(options, "dtype"), rawget(options, "device")
  if type(dtype) ~= "nil" then out = out:astype(dtype) end
  return type(device) == "nil" and out or out:to(device)
end

--- nd.fft.fftfreq(n [, d] [, {d =, dtype =, device =}]): 0, 1, …, -2, -1, over n d.
local function fftfreq(n, d, options, ...)
  read.finish(...)
  n = read.integer(n, "n", 1)
  d, options = read_spacing(d, options)
  local upper = nd.arange(0, floor((n - 1) / 2), 1, "f64")
  local whole = nd.concat({ upper, nd.arange(-floor(n / 2), -1, 1, "f64") }, 1)
  return frequencies(whole, n, d, options)
end

--- nd.fft.rfftfreq(n [, d] [, {d =, dtype =, device =}]): 0, 1, …, n / 2, over n d.
local function rfftfreq(n, d, options, ...)
  read.finish(...)
  n = read.integer(n, "n", 1)
  d, options = read_spacing(d, options)
  return frequencies(nd.arange(0, floor(n / 2), 1, "f64"), n, d, options)
end

-- The axes of an option or argument, by default all.
local function read_axes(axes, a)
  local list = {}
  if type(axes) == "nil" then
    for axis = 1, a.ndim do list[axis] = axis end
  elseif type(axes) == "table" then
    for i = 1, #axes do list[i] = read.axis(rawget(axes, i), "axes", a.ndim) end
  else
    list[1] = read.axis(axes, "axes", a.ndim)
  end
  return list
end

-- 'a' rolled along each axis by half of its extent, rounded down, times 'sign'.
local function shift(sign)
  return function(a, axes, options, ...)
    read.finish(...)
    if type(axes) == "table" and rawget(axes, 1) == nil and type(options) == "nil" then
      axes, options = nil, axes
    end
    axes, options = read.options_after(axes, "axes", options, { "out" })
    a = read.array(a, "a")
    local list = read_axes(axes, a)
    local result = #list == 0 and a:clone() or a
    for _, axis in ipairs(list) do
      result = result:roll(sign * floor(a:dim(axis) / 2), axis)
    end
    return read.store(result, options)
  end
end

--- What computes transforms, for nd.info: a text, and why FFTW does not compute all of them.
function fft.describe()
  local has_wide, wide = core.fftw(true)
  local has_narrow, narrow = core.fftw(false)
  local why = not has_wide and wide or not has_narrow and narrow or nil
  if has_wide and has_narrow then return wide == narrow and wide or wide .. " and " .. narrow end
  if has_wide then return wide .. " in f64, ndbuf in f32", why end
  if has_narrow then return narrow .. " in f32, ndbuf in f64", why end
  return "ndbuf", why
end

--- Set nd.fft.
function fft.open(core_, nd_)
  core, nd = core_, nd_
  nd.fft = { fftfreq = fftfreq, rfftfreq = rfftfreq, fftshift = shift(1), ifftshift = shift(-1) }
  for name, fn in pairs(core.fft) do nd.fft[name] = fn end
end

return fft
