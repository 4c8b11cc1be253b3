-- Reductions of overlapping windows, as a:unfold(1, n, step):mean(-1): the same bits as of a copy
-- of the windows, and of each of them for itself; moving sums against prefix sums.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local operations = require "spec.operations"
local arrays = require "spec.ops.arrays"

local SUMS = {sum = true, prod = true, mean = true, var = true, std = true}
-- whole lanes and parts of them, whole blocks of 1024 and parts of them
local LENGTHS = {3, 31, 32, 33, 47, 48, 63, 100, 255, 1000, 1024, 1025, 1039, 2500}

local function parts_of(a)
  local kind = a.dtype == "c64" and "f32" or a.dtype == "c128" and "f64"
  local flat = a:contiguous():flatten()
  return kind and flat:bitcast(kind) or flat
end

-- The same bytes, but for which NaN a sum gives where several meet; with 'is_loose' also for which
-- NaN or zero a minimum or maximum gives.
local function is_same(op, got, wanted, is_loose)
  if got.dtype ~= wanted.dtype or got.nbytes ~= wanted.nbytes then return false end
  if got:copyout() == wanted:copyout() then return true end
  if not SUMS[op] and not is_loose then return false end
  local p, q = parts_of(got), parts_of(wanted)
  for i = 1, p.size do
    local x, y = p[i], q[i]
    local both_zero = x == 0 and y == 0 and is_loose
    local both_nan = x ~= x and y ~= y
    if not both_zero and not both_nan and p:narrow(1, i, 1):copyout() ~= q:narrow(1, i, 1):copyout()
    then
      return false
    end
  end
  return true
end

-- An array with an axis that has room for some windows: its shape, and which axis.
local function shape_for(rng, n, step)
  local len = n + step * rng(8, 600) + rng(0, step - 1)
  local form = rng(5)
  if form == 1 then return {rng(2, 3), len}, 2 end
  if form == 2 then return {len, rng(2, 3)}, 1 end
  return {len}, 1
end

local function check(rng, op, dtype)
  local n, step = LENGTHS[rng(#LENGTHS)], rng(3) == 1 and rng(2, 12) or 1
  local shape, axis = shape_for(rng, n, step)
  local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
  local a = arrays.make(rng, layout, shape, dtype, rng(3) > 1)
  local windows, along = a:unfold(axis, n, step), rng(4) == 1 and rng(-2, 3) or 1
  if along ~= 0 and along ~= 1 then -- some elements of each, or backwards
    local index = {{1, -1}, {1, -1}}
    index[windows.ndim] = along < 0 and {-1, 1, along} or {1, -1, along}
    windows = windows:slice(index)
  end
  local name = ("%s of %s, %s (%s), windows of %d at %d, every %d"):format(op, dtype,
    common.shape_text(shape), layout, n, step, along)
  local got = windows[op](windows, -1)
  local copy = windows:contiguous()
  -- which zero or NaN depends on whether neighbours are closer in memory than elements of a window
  local is_loose = #shape > 1 or math.abs(along) > 1
  assert.is_true(is_same(op, got, copy[op](copy, -1), is_loose), name)
  if #shape > 1 then return end
  for _ = 1, 3 do
    local i = rng(got.size)
    local one = windows:narrow(1, i, 1)
    assert.is_true(is_same(op, got:narrow(1, i, 1), one[op](one, -1), is_loose or n < 32),
      name .. ", window " .. i)
  end
end

describe("a reduction of overlapping windows", function()
  it("has the bits of one of their copy", function()
    local rng, kinds = H.rng "windows", {}
    for _, dtype in ipairs(common.NAMES) do
      for _, op in ipairs(operations.reductions()) do
        local of = nd.ones({2}, dtype)
        if pcall(of[op], of, 1) then kinds[#kinds + 1] = {op, dtype} end
      end
    end
    for _ = 1, H.cases(3) do
      for _, kind in ipairs(H.some(kinds)) do check(rng, kind[1], kind[2]) end
    end
  end)

  it("takes zeros and NaNs in the order of a copy", function()
    local rng, values = H.rng "zeros", {0, -0, -0, 0, 0 / 0, -(0 / 0), 1, -1}
    for _, dtype in ipairs {"f32", "f64", "f16", "bf16"} do
      -- so many of the values, each so many elements
      for _, kind in ipairs {{4, 2}, {4, 100}, {6, 2}, {8, 60}} do
        local list = {}
        for i = 1, 2600 do list[i] = rng(kind[2]) > 1 and 1 or values[rng(kind[1])] end
        local a = nd.array(list, dtype)
        for _, op in ipairs {"min", "max", "ptp"} do
          for _, n in ipairs {32, 45, 100, 2500} do -- a copy of 2500 is folded at once
            local windows = a:unfold(1, n, 1)
            local copy = windows:contiguous()
            assert.equal(copy[op](copy, -1):copyout(), windows[op](windows, -1):copyout(),
              op .. " of " .. dtype)
          end
        end
      end
    end
  end)

  it("measures distances from the mean of each window", function()
    local a = nd.normal({2000}, "f64", {seed = H.seed})
    for _, n in ipairs {32, 45, 100} do
      local windows = a:unfold(1, n, 1)
      local copy = windows:contiguous()
      for _, op in ipairs {"var", "std"} do
        assert.equal(copy[op](copy, -1):copyout(), windows[op](windows, -1):copyout(), op)
      end
    end
  end)

  it("takes windows that begin between the elements of others", function()
    local list = {}
    for i = 1, 2000 do list[i] = i end
    local windows = nd.array(list, "f64"):unfold(1, 100, 3):slice {{1, -1}, {1, -1, 2}}
    local sums = windows:sum(-1)
    for w = 1, sums.size do assert.equal(50 * (3 * w - 2 + 49), sums[w]) end
  end)

  it("sums what prefix sums give", function()
    local rng = H.rng "prefix"
    for _, n in ipairs(LENGTHS) do
      local step, list, before = rng(4), {}, {[0] = 0}
      for i = 1, n + 900 do
        list[i] = rng(-1000, 1000)
        before[i] = before[i - 1] + list[i]
      end
      for _, dtype in ipairs {"i16", "i32", "f32", "f64"} do
        local windows = nd.array(list, dtype):unfold(1, n, step)
        local sums, means = windows:sum(-1):astype "f64", windows:mean(-1)
        for w = 1, sums.size do
          local first = (w - 1) * step
          local wanted = before[first + n] - before[first]
          local mean = dtype == "f32" and nd.array(wanted / n, "f32"):item() or wanted / n
          assert(sums[w] == wanted and means[w] == mean, ("%s, window %d of %d at %d"):format(
            dtype, w, n, step))
        end
        assert.equal(math.floor(900 / step) + 1, sums.size)
      end
    end
  end)
end)
