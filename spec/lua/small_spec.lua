-- Small packed arrays go to a kernel at once, all else by a plan: both give the same bits. The
-- oracle of a small array's result is the result of the same elements two apart.
local H = require "spec.helper"
local nd = require "ndbuf"
local core = require "ndbuf.core"

local dtypes = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32",
  "f64", "c64", "c128", "f8e4m3", "f8e5m2"}
local lengths = {1, 2, 15, 16, 17, 100, 511, 512, 1023, 1024, 1025, 4097}
local rng = H.rng "small"

-- Elements, packed, and the same in every second place: of any bits (bool: 0 and 1), or numbers.
local function both(dtype, n)
  local bytes, list = nd.zeros(1, dtype, "cpu").itemsize, {}
  local packed
  if dtype == "bool" or rng(2) == 1 then
    for i = 1, n * bytes do list[i] = string.char(dtype == "bool" and rng(0, 1) or rng(0, 255)) end
    packed = nd.frombytes(table.concat(list), dtype)
  else
    for i = 1, n do list[i] = rng() * 4 - 2 end
    packed = nd.array(list, dtype)
  end
  local apart = nd.zeros({n, 2}, dtype, "cpu"):select(2, 1)
  apart:copy_from(packed)
  return packed, apart
end

-- The bytes of an array, every NaN as the same one: which of two operands' NaN a sum has, or its
-- sign, depends on the code that the compiler made.
local function bits(x)
  if type(x) ~= "userdata" then return x ~= x and "nan" or tostring(x) end
  x = x:clone()
  if x.dtype:find "[fc]" then
    local parts = x.dtype:find "^c" and x:bitcast(x.dtype == "c64" and "f32" or "f64") or x
    local nans = parts:ne(parts)
    parts[nans] = 0
    return x:copyout() .. nans:copyout()
  end
  return x:copyout()
end

local function result(fn, ...)
  local fine, got = pcall(fn, ...)
  if fine then return bits(got) end
  return type(got) == "table" and got.code .. ": " .. got.message or error(got, 0)
end

local function same(what, small, long)
  if small ~= long then
    error(("%s differs (seed %d)"):format(what, H.seed), 2)
  end
end

describe("small packed arrays", function()
  for _, op in ipairs(core.operations) do
    if op.operands <= 2 then
      it(op.name .. " as by a plan", function()
        local fn = nd[op.name]
        for _, dtype in ipairs(H.some(dtypes, 2)) do
          for _, n in ipairs(H.some(lengths)) do
            local a, a2 = both(dtype, n)
            local b, b2 = both(dtype, n)
            if op.operands == 1 then b, b2 = nil, nil end
            local what = ("%s of %d %s"):format(op.name, n, dtype)
            same(what, result(fn, a, b), result(fn, a2, b2))
            if b then
              local value = rng(-300, 300) / rng(2)
              what = what .. " and " .. value
              same(what, result(fn, a, value), result(fn, a2, value))
              same(what .. " first", result(fn, value, a), result(fn, value, a2))
            end
            if op.in_place then
              same(what .. ", in place", result(a[op.name .. "_"], a, b),
                result(a2[op.name .. "_"], a2, b2))
            end
          end
        end
        H.survives()
      end)
    end
  end

  it("copy and fill as by a plan", function()
    for _, dtype in ipairs(H.some(dtypes, 2)) do
      for _, other in ipairs(H.some(dtypes, 2)) do
        local n = lengths[rng(#lengths)]
        local a, a2 = both(dtype, n)
        local b, b2 = both(other, n)
        local what = ("%d %s to %s"):format(n, other, dtype)
        same(what, result(a.copy_from, a, b), result(a2.copy_from, a2, b2))
        local value = H.some({rng() * 600 - 300, 0, 1e300, 0 / 0, true, 5LL}, 1)[1]
        same("fill of " .. what, result(a.fill, a, value), result(a2.fill, a2, value))
      end
    end
    H.survives()
  end)
end)
