--- Numbers at even distances or ratios: linspace of complex ends, logspace, geomspace.
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local spacing = {}

local is_complex = read.is_complex
local LN2 = math.log(2)

-- The parts of an end, which may be a real number.
local function parts(value)
  if is_complex(value) then return tonumber(value.re), tonumber(value.im) end
  return tonumber(value), 0
end

local function is_finite(x) return math.abs(x) < 1 / 0 end

-- {=== where results go ===}

-- The array of n elements that dtype, device and options say, the arguments after n; 'otherwise' is
-- its dtype where they name none.
local function make(core, n, otherwise, ...)
  if read.dtype(...) then return core.zeros({ n }, ...) end
  return core.zeros({ n }, otherwise, ...)
end

-- Write 'values' to 'out'; integers are rounded as in linspace.
local function store(out, values)
  if out.dtype:find "^[iu]" then values:round_() end
  return out:copy_from(values)
end

-- {=== linspace ===}

local function open_linspace(core, nd)
  local of_reals = nd.linspace
  --- nd.linspace(first, last, n …): by parts where an end is complex.
  function nd.linspace(first, last, n, ...)
    if not is_complex(first) and not is_complex(last) then
      return of_reals(first, last, n, ...)
    end
    local dtype = read.dtype(...) or "c128"
    if not dtype:find "^c" then
      core.fail("type_mismatch", "dtype", dtype .. " holds no complex numbers")
    end
    -- raises for what is no number
    if not is_complex(first) then of_reals(first, 0, 0) end
    if not is_complex(last) then of_reals(0, last, 0) end
    local re1, im1 = parts(first)
    local re2, im2 = parts(last)
    local re, im = of_reals(re1, re2, n), of_reals(im1, im2, n)
    local out = make(core, n, "c128", ...)
    out.real:copy_from(re)
    out.imag:copy_from(im)
    return out
  end
end

-- {=== logspace ===}

-- The options without those of the function itself.
local function without(options, name)
  local rest = {}
  for key, value in pairs(options) do
    if key ~= name then rest[key] = value end
  end
  return rest
end

jit.off(without) -- as in names.lua

-- Infinity and NaN are refused here, in the name of this function, what is no number by linspace.
local function check_exponent(core, value, name)
  local number = read.number(value)
  if not number or is_finite(number) then return end
  core.fail("invalid_argument", name, ("logspace: %.17g is not finite"):format(number))
end

local function open_logspace(core, nd)
  --- nd.logspace(first, last, n [, dtype] [, device] [, {base =}])
  function nd.logspace(first, last, n, ...)
    local rest, count = { ... }, select("#", ...)
    local base, options = 10, rest[count]
    if type(options) == "table" and type(rawget(options, "base")) ~= "nil" then
      base = read.number(rawget(options, "base"))
      if not base then
        core.fail("type_mismatch", "base",
          "expected a number, got " .. names.kind(rawget(options, "base")))
      elseif not (base > 0 and is_finite(base)) then
        core.fail("invalid_argument", "base", ("%.17g is not a finite number above 0"):format(base))
      end
      rest[count] = without(options, "base")
    end
    check_exponent(core, first, "first")
    check_exponent(core, last, "last")
    local exponents = core.linspace(first, last, n)
    local out = core.zeros({ n }, unpack(rest, 1, count))
    return store(out, nd.pow(base, exponents))
  end
end

-- {=== geomspace ===}

-- 2^k of an i64 array, made of its bits; k from -1022 to 1023.
local function power_of_two(nd, k) return nd.shl(k + 1023, 52):bitcast "f64" end

-- x * 2^k, rounded once: the first factor leaves it normal.
local function scale(nd, x, k)
  local half = k:idiv(2)
  return x * power_of_two(nd, half) * power_of_two(nd, k - half)
end

-- 0 … n - 1 times 'exponent' / (n - 1): whole parts as i64, and what is left, in (-1, 2). The
-- products of integers are exact, so that the error does not grow with the ratio of the ends;
-- 'fraction' is the part of the exponent that is not whole.
local function divide(nd, n, exponent, fraction)
  local i = nd.arange(0, n - 1, 1, "i64")
  local product = i * exponent
  local whole = product:idiv(n - 1)
  local rest = (product - whole * (n - 1)):astype "f64"
  return whole, (rest + i:astype "f64" * fraction) / (n - 1)
end

-- From m1 * 2^e1 to m2 * 2^e2, both above 0: significands and exponents of the n numbers.
local function progress(nd, n, m1, e1, m2, e2)
  local whole, rest = divide(nd, n, e2 - e1, math.log(m2 / m1) / LN2)
  return m1 * nd.pow(2, rest), whole + e1
end

-- k where x is 10^k and no subnormal.
local function decade(x)
  local k = math.floor(math.log10(x) + 0.5)
  return k >= -307 and tonumber("1e" .. k) == x and k or nil
end

-- From 10^k1 to 10^k2: numbers at whole exponents are exact.
local function decades(nd, n, k1, k2)
  local powers, least = {}, math.min(k1, k2)
  for k = least, math.max(k1, k2) do powers[#powers + 1] = tonumber("1e" .. k) end
  local whole, rest = divide(nd, n, k2 - k1, 0)
  return nd.array(powers):take(whole + (k1 - least + 1)) * nd.pow(10, rest)
end

-- n numbers between two of the same sign. Rounding may lead past an end; there it is the end.
local function between(nd, n, first, last)
  local sign = first < 0 and -1 or 1
  local a, b = math.abs(first), math.abs(last)
  local k1, k2 = decade(a), decade(b)
  local out
  if k1 and k2 then
    out = decades(nd, n, k1, k2)
  else
    local m1, e1 = math.frexp(a)
    local m2, e2 = math.frexp(b)
    out = scale(nd, progress(nd, n, m1, e1, m2, e2))
  end
  out:clamp_(math.min(a, b), math.max(a, b))
  out[1], out[n] = a, b
  return sign < 0 and out:neg_() or out
end

-- The magnitude of a complex number as m * 2^e, and its angle.
local function polar(re, im)
  local _, e = math.frexp(math.max(math.abs(re), math.abs(im)))
  local x, y = math.ldexp(re, -e), math.ldexp(im, -e)
  return math.sqrt(x * x + y * y), e, math.atan2(im, re)
end

-- n complex numbers on a spiral: magnitudes as between ends of one sign, angles at even distances.
local function spiral(nd, n, first, last)
  local m1, e1, angle1 = polar(unpack(first))
  local m2, e2, angle2 = polar(unpack(last))
  local m, e = progress(nd, n, m1, e1, m2, e2)
  local angles = nd.linspace(angle1, angle2, n)
  return scale(nd, m * angles:cos(), e), scale(nd, m * angles:sin(), e)
end

-- The ends as {re, im}; neither infinite, NaN or 0.
local function read_end(core, value, name)
  local number = read.number(value)
  if not is_complex(value) and not (number and not is_finite(number)) then
    local ends = name == "first" and { value, 0 } or { 0, value }
    core.linspace(ends[1], ends[2], 0) -- raises for what is no number
  end
  local re, im = parts(value)
  if not (is_finite(re) and is_finite(im)) or re == 0 and im == 0 then
    local text = number and ("%.17g"):format(number) or ("%.17g%+.17gi"):format(re, im)
    core.fail("invalid_argument", name,
      ("geomspace: %s is not a finite number other than 0"):format(text))
  end
  return { re, im }
end

-- Real and imaginary parts of the n numbers, n at least 1; nil for an imaginary part of zeros.
local function compute(core, nd, n, first, last, are_real)
  if n == 1 then return nd.array { first[1] }, not are_real and nd.array { first[2] } or nil end
  local is_real, is_imaginary = first[2] == 0 and last[2] == 0, first[1] == 0 and last[1] == 0
  if is_real and (first[1] < 0) == (last[1] < 0) then
    return between(nd, n, first[1], last[1])
  elseif is_imaginary and (first[2] < 0) == (last[2] < 0) then
    return nd.zeros(n), between(nd, n, first[2], last[2])
  elseif are_real then
    core.fail("invalid_argument", "last",
      ("geomspace: %.17g and %.17g have different signs"):format(first[1], last[1]))
  end
  local re, im = spiral(nd, n, first, last)
  re[1], im[1], re[n], im[n] = first[1], first[2], last[1], last[2]
  return re, im
end

local function open_geomspace(core, nd)
  --- nd.geomspace(first, last, n [, dtype] [, device] [, opts])
  function nd.geomspace(first, last, n, ...)
    local are_real = not is_complex(first) and not is_complex(last)
    local from, to = read_end(core, first, "first"), read_end(core, last, "last")
    n = core.linspace(0, 0, n).size
    local dtype = read.dtype(...)
    if not are_real and dtype and not dtype:find "^c" then
      core.fail("type_mismatch", "dtype", dtype .. " holds no complex numbers")
    end
    local re, im = nd.zeros(0), nil
    if n > 0 then re, im = compute(core, nd, n, from, to, are_real) end
    local out = make(core, n, are_real and "f64" or "c128", ...)
    if are_real then return store(out, re) end
    out.real:copy_from(re)
    if im then out.imag:copy_from(im) end
    return out
  end
end

--- Put the functions into 'nd'.
function spacing.open(core, nd)
  open_linspace(core, nd)
  open_logspace(core, nd)
  open_geomspace(core, nd)
end

return spacing
