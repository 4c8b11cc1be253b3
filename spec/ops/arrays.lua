-- Arrays for the specs of this folder, in every layout: local arrays = require "spec.ops.arrays".
local nd = require "ndbuf"

local arrays = {}

arrays.LAYOUTS = {"contiguous", "transposed", "strided", "reversed", "broadcast", "misaligned"}

-- ---- elements ----

local FLOATS = {f16 = true, bf16 = true, f32 = true, f64 = true, c64 = true, c128 = true,
                f8e4m3 = true, f8e5m2 = true}
local SPECIAL = {0 / 0, 1 / 0, -1 / 0, 0, -0}

-- 'tame': sums and products of any order stay within the dtype, but for special values, which are
-- rare. Else any bits at all.
function arrays.elements(rng, n, dtype, tame)
  local item = nd[dtype].itemsize
  if n == 0 then return nd.empty({0}, dtype) end
  if not tame and dtype ~= "bool" then
    local bytes = {}
    for i = 1, n * item do bytes[i] = string.char(rng(0, 255)) end
    return nd.frombytes(table.concat(bytes), dtype)
  end
  local is_complex = dtype == "c64" or dtype == "c128"
  local special = FLOATS[dtype] and rng(8) == 1
  local whole = rng(2) == 1
  local values = {}
  for i = 1, is_complex and 2 * n or n do
    local x = whole and rng(-3, 3) or (rng() - 0.5) * 8
    if dtype == "bool" then x = rng(0, 1) end
    if special and rng(n) == 1 then x = SPECIAL[rng(#SPECIAL)] end
    values[i] = x
  end
  if not is_complex then return nd.array(values, dtype) end
  return nd.array(values, dtype == "c64" and "f32" or "f64"):bitcast(dtype)
end

-- ---- layouts ----

local function product(shape)
  local n = 1
  for _, len in ipairs(shape) do n = n * len end
  return n
end
arrays.product = product

local makers = {}

function makers.contiguous(_, shape, fill) return fill(product(shape)):reshape(shape) end

function makers.transposed(rng, shape, fill)
  local order, base = {}, {}
  for i = 1, #shape do table.insert(order, rng(#order + 1), i) end
  for i, axis in ipairs(order) do base[axis] = shape[i] end
  local a = fill(product(shape)):reshape(base)
  return #shape > 0 and a:permute(order) or a
end

function makers.strided(rng, shape, fill)
  local base, index = {}, {}
  for i, len in ipairs(shape) do
    local step = rng(1, 3)
    base[i] = len * step
    index[i] = len == 0 and {} or {rng(1, step), -1, step}
  end
  local a = fill(product(base)):reshape(base)
  return #shape > 0 and a:slice(index) or a
end

function makers.reversed(rng, shape, fill)
  local a = fill(product(shape)):reshape(shape)
  if #shape == 0 then return a end
  return rng(2) == 1 and a:flip() or a:flip(rng(#shape))
end

function makers.broadcast(rng, shape, fill)
  local base = {}
  for i, len in ipairs(shape) do base[i] = rng(2) == 1 and 1 or len end
  return fill(product(base)):reshape(base):expand(shape)
end

function makers.misaligned(_, shape, fill)
  local a = fill(product(shape))
  local room = nd.zeros(a.nbytes + 1, "u8")
  local moved = room:bytes(1, a.nbytes):bitcast(a.dtype)
  moved:copy_from(a)
  return moved:reshape(shape)
end

-- An array of that shape and dtype in one of LAYOUTS.
function arrays.make(rng, layout, shape, dtype, tame)
  return makers[layout](rng, shape, function(n) return arrays.elements(rng, n, dtype, tame) end)
end

-- 0 to 'most' axes of small extents, now and then an empty one.
function arrays.shape(rng, most)
  local shape = {}
  for i = 1, rng(0, most) do shape[i] = rng(12) == 1 and 0 or rng(1, rng(4) == 1 and 20 or 5) end
  return shape
end

function arrays.unhex(text)
  if text == "-" then return "" end
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

return arrays
