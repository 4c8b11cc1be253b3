--- cov and corrcoef: covariances and correlations of variables that are rows.
local read = require "ndbuf.arguments"

local covariance = {}

-- {=== reading ===}

-- 'a' with two axes, variables along the first, in f64 or c128.
local function variables(core, a, name, is_by_row)
  a = read.array(a, name)
  if a.ndim > 2 then
    core.fail("shape_mismatch", name,
      ("at most 2 axes are allowed; the array has %d"):format(a.ndim))
  end
  if a.ndim == 0 then a = a:reshape(1) end
  if a.ndim == 1 then a = a:unsqueeze(1) elseif not is_by_row and a:dim(1) ~= 1 then a = a.T end
  return a:astype(a.dtype:find "^c" and "c128" or "f64")
end

-- Both operands as rows of one array, and the options. A table without entries is one of options.
local function read_both(core, x, y, options, known)
  if type(y) == "table" and rawget(y, 1) == nil and type(options) == "nil" then
    y, options = nil, y
  end
  options = read.options(options, known)
  local is_by_row = type(rawget(options, "rowvar")) == "nil" or read.boolean(options, "rowvar")
  x = variables(core, x, "x", is_by_row)
  if type(y) == "nil" then return x, options end
  y = variables(core, y, "y", is_by_row)
  if x:dim(2) ~= y:dim(2) then
    core.fail("shape_mismatch", "y",
      ("x has %d observations, y has %d"):format(x:dim(2), y:dim(2)))
  end
  return core.concat { x, y }, options
end

-- {=== computing ===}

local function conjugate(x)
  if not x.dtype:find "^c" then return x end
  local out = x:clone()
  out.imag:neg_()
  return out
end

-- The product of a matrix with its own conjugate transpose: the upper half, and its mirror image,
-- as rounding may make halves of complex products differ.
local function gram(nd, x)
  local upper = nd.matmul(x, conjugate(x).T):triu_()
  return upper:add_(conjugate(upper:triu(1)).T)
end

-- The covariances as a matrix, one variable's too.
local function compute(nd, x, ddof)
  local count = x:dim(2)
  local deviations = x - x:mean { axis = 2, keepdims = true }
  return gram(nd, deviations):div_(math.max(0, count - ddof))
end

-- The only element of the matrix of one variable as a 0-d array.
local function squeezed(c) return c.size == 1 and c:reshape {} or c end

--- Put the functions into 'nd'; the methods, by name.
function covariance.open(core, nd)
  --- nd.cov(x [, y] [, {rowvar =, bias =, ddof =, out =}])
  function nd.cov(x, y, options, ...)
    read.finish(...)
    x, options = read_both(core, x, y, options, { "rowvar", "bias", "ddof", "out" })
    local otherwise = read.boolean(options, "bias") and 0 or 1
    local ddof = read.integer(rawget(options, "ddof"), "ddof", nil, nil, otherwise)
    return read.store(squeezed(compute(nd, x, ddof)), options)
  end

  --- nd.corrcoef(x [, y] [, {rowvar =, out =}])
  function nd.corrcoef(x, y, options, ...)
    read.finish(...)
    x, options = read_both(core, x, y, options, { "rowvar", "out" })
    local c = compute(nd, x, 0)
    if c.size == 0 then return read.store(c, options) end
    local diagonal = c:diagonal()
    local deviation = (c.dtype == "c128" and diagonal.real or diagonal):sqrt()
    c:div_(deviation:unsqueeze(2)):div_(deviation)
    for _, part in ipairs(c.dtype == "c128" and { c.real, c.imag } or { c }) do
      part:clamp_(-1, 1) -- rounding may lead past them
    end
    return read.store(squeezed(c), options)
  end

  return { cov = nd.cov, corrcoef = nd.corrcoef }
end

return covariance
