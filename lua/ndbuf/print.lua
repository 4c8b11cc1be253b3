--- Arrays as text: dtype, shape, device, then the elements, aligned, each in the shortest form that
-- gives the same element when it is read again. Of large arrays only the edges are read and shown.
local ffi = require "ffi"
local core = require "ndbuf.core"
local names = require "ndbuf.names"

local print_array = {}

local limits = { threshold = 2 ^ 31, edge = 1000, precision = 17 }
local options = { threshold = 1000, edge = 3, precision = nil }

-- By dtype: significant digits that always identify an element; fewer are tried first.
local digits = { f64 = 17, c128 = 17, f32 = 9, c64 = 9, f16 = 5, bf16 = 4, f8e4m3 = 3, f8e5m2 = 2 }
for name, dtype in pairs(core.dtypes) do
  local is_float = dtype.kind == "float" or dtype.kind == "complex"
  assert(digits[name] or not is_float, "print.lua does not know the digits of " .. name)
end

local float = ffi.new "float[1]"
local function as_f32(x)
  float[0] = x
  return tonumber(float[0])
end
local function same(x) return x end

-- By dtype: a number rounded as an element is.
local rounds = { f64 = same, c128 = same, f32 = as_f32, c64 = as_f32 }
for dtype, address in pairs(core.encoders) do
  local bits = digits[dtype] > 3 and "uint16_t" or "uint8_t"
  local encode = ffi.cast(bits .. " (*)(double)", address)
  local values = ffi.cast("const float *", core.values[dtype])
  rounds[dtype] = function(x) return tonumber(values[encode(x)]) end
end

-- The shortest text whose value, as an element, is x.
local function format_float(x, dtype)
  if x ~= x then return "nan" end
  if x == math.huge then return "inf" end
  if x == -math.huge then return "-inf" end
  if options.precision then return ("%." .. options.precision .. "g"):format(x) end
  local most, round = digits[dtype], rounds[dtype]
  -- 100 rather than 1e+02, as long as all digits before the point are significant
  local plain = x == math.floor(x) and math.abs(x) < 1e16 and ("%.0f"):format(x)
  if plain and math.abs(x) < 10 ^ most then return plain end
  for n = 1, most do
    local text = ("%." .. n .. "g"):format(x)
    if round(tonumber(text)) == x then return plain and #plain <= #text and plain or text end
  end
  return ("%." .. most .. "g"):format(x)
end

local function format_complex(z, dtype)
  local im = format_float(tonumber(z.im), dtype)
  return format_float(tonumber(z.re), dtype) .. (im:find "^%-" and "" or "+") .. im .. "i"
end

local function format_element(x, dtype)
  if dtype == "bool" then return tostring(x) end
  if type(x) == "cdata" and (dtype == "i64" or dtype == "u64") then -- past 2^53
    return (tostring(x):gsub("U?LL$", ""))
  end
  if dtype == "c64" or dtype == "c128" then return format_complex(x, dtype) end
  if digits[dtype] then return format_float(x, dtype) end
  return ("%d"):format(x)
end

local collect

-- Add the items from 'first' to 'last' of the first axis. Not a closure: compiled code would keep
-- it, and the array that it closes over.
local function add(out, a, first, last, edge, dtype)
  if first > last then return end
  if a.ndim == 1 then
    for _, x in ipairs(a:narrow(1, first, last - first + 1):totable()) do
      out[#out + 1] = format_element(x, dtype)
    end
  else
    for i = first, last do out[#out + 1] = collect(a:select(1, i), edge, dtype) end
  end
end

-- Nested tables of texts; '...' stands for what is left out. Only the edges are read, through
-- views, so that a large array, a mapped file say, prints at once.
function collect(a, edge, dtype)
  if a.ndim == 0 then return format_element(a:item(), dtype) end
  local n, out = a:dim(1), {}
  if edge and n > 2 * edge then
    add(out, a, 1, edge, edge, dtype)
    out[#out + 1] = "..."
    add(out, a, n - edge + 1, n, edge, dtype)
  else
    add(out, a, 1, n, edge, dtype)
  end
  return out
end

-- The width of the widest element: all are aligned to it.
local function widest(t)
  if type(t) == "string" then return #t end
  local w = 0
  for _, x in ipairs(t) do w = math.max(w, x == "..." and 0 or widest(x)) end
  return w
end

local function render(t, width, indent)
  if type(t) == "string" then return t == "..." and t or (" "):rep(width - #t) .. t end
  local parts = {}
  for i, x in ipairs(t) do parts[i] = x == "..." and x or render(x, width, indent .. " ") end
  local nested = type(t[1]) == "table"
  return "[" .. table.concat(parts, nested and ",\n" .. indent .. " " or ", ") .. "]"
end

-- How many items are shown at each end of an axis; nil: all. Fewer with many axes, as up to
-- (2 * edge) ^ ndim elements are shown.
local function edge_for(a)
  if a.size <= options.threshold then return nil end
  local edge, most = options.edge, math.max(options.threshold, 20000)
  while a.ndim > 2 and edge > 1 and (2 * edge) ^ a.ndim > most do edge = edge - 1 end
  return edge
end

-- Why the elements cannot be shown (freed, on a lost device …), as printing must not raise.
local function reason(e)
  if type(e) ~= "table" then return tostring(e) end
  return e.code == "freed" and e.code or e.code .. ": " .. e.message
end

--- 'a' as text: a line with dtype, shape and device, then the elements; past options.threshold only
-- the edges.
function print_array.format(a)
  local shape = a.ndim == 0 and "scalar" or table.concat(a.shape, "x")
  local line = ("%s %s %s"):format(a.dtype, shape, a.device)
  if a.size == 0 then return line .. "\n[]" end -- whatever its other axes
  local fine, t = pcall(collect, a, edge_for(a), a.dtype)
  if not fine then return ("%s (%s)"):format(line, reason(t)) end
  return line .. "\n" .. render(t, widest(t), "")
end

--- nd.printoptions{threshold =, edge =, precision =}; returns those in force. precision = false is
-- the shortest form again.
function print_array.options(fail, new)
  if type(new) ~= "nil" and type(new) ~= "table" then -- a NULL of cdata equals nil
    fail("type_mismatch", "options", "expected a table, got " .. names.kind(new))
  end
  for key, value in pairs(new or {}) do
    local limit = limits[key]
    if not limit then
      fail("invalid_argument", "options",
        ("there is no option %q; known are threshold, edge, precision"):format(tostring(key)))
    elseif type(value) ~= "number" and not (key == "precision" and value == false) then
      fail("type_mismatch", key,
        ("expected an integer from 1 to %d, got %s"):format(limit, names.kind(value)))
    elseif value and not (value >= 1 and value <= limit and value == math.floor(value)) then
      fail("invalid_argument", key, ("%.17g is not an integer from 1 to %d"):format(value, limit))
    end
  end
  for key, value in pairs(new or {}) do options[key] = value or nil end
  return { threshold = options.threshold, edge = options.edge, precision = options.precision }
end

jit.off(print_array.options) -- as in names.lua

return print_array
