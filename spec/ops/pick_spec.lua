-- Masks, take, put and index_add: against NumPy, whatever the dtype and the layouts.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local arrays = require "spec.ops.arrays"

local OPS = {"mask", "mask_assign", "take", "put", "index_add"}
local KIND = {bool = "b1", i8 = "i1", u8 = "u1", i16 = "i2", u16 = "u2", i32 = "i4", u32 = "u4",
              i64 = "i8", u64 = "u8", f16 = "f2", f32 = "f4", f64 = "f8", c64 = "c8", c128 = "c16"}
local PLACES = {"i64", "i32", "i16", "i8"}

-- Those elements in a layout; a broadcast of them would have others.
local function laid_out(rng, a, layout)
  if layout == "broadcast" then layout = "contiguous" end
  return arrays.make(rng, layout, a.shape, a.dtype):copy_from(a)
end

local function any_layout(rng) return arrays.LAYOUTS[rng(#arrays.LAYOUTS)] end

-- Any bits where they only move; what adds up exactly where they are added.
local function elements(rng, op, layout, shape, dtype)
  local a = arrays.make(rng, layout, shape, dtype)
  if op ~= "index_add" then return a end
  local small = nd.randint(0, 3, shape):astype(dtype)
  return laid_out(rng, small, layout)
end

local function random_index(rng, shape, extent)
  local list = {}
  for i = 1, arrays.product(shape) do
    list[i] = extent == 0 and 0 or rng(extent) * (rng(3) == 1 and -1 or 1)
  end
  local index = nd.zeros(shape, PLACES[rng(#PLACES)])
  if index.size > 0 then index:copy_from(nd.array(list):reshape(shape)) end
  return laid_out(rng, index, any_layout(rng))
end

-- A shape that broadcasts to this one.
local function narrowed(rng, shape)
  local out = {}
  for i = rng(3) == 1 and 2 or 1, #shape do out[#out + 1] = rng(4) == 1 and 1 or shape[i] end
  return out
end

local function slice(list, first, last)
  local out = {}
  for i = first, last do out[#out + 1] = list[i] end
  return out
end

local function joined(...)
  local out = {}
  for _, list in ipairs {...} do for _, x in ipairs(list) do out[#out + 1] = x end end
  return out
end

local function fields(a) return common.shape_text(a.shape), common.hex(a:copyout()) end

-- {op, a, where, values, axis, line}: the mask or the index, and what is written.
local function new_case(rng, op, dtype, layout)
  local shape = arrays.shape(rng, 3)
  if #shape == 0 then shape = {rng(40)} end
  if op ~= "mask" and op ~= "take" and layout == "broadcast" then layout = "strided" end
  local case = {op = op, axis = (op == "take" or op == "index_add") and rng(#shape) or 1}
  case.a = elements(rng, op, layout, shape, dtype)
  local picked
  if op:find "mask" then
    local leading = slice(shape, 1, rng(#shape))
    case.where = arrays.make(rng, any_layout(rng), leading, "bool")
    picked = joined({tonumber(case.where:count_nonzero())}, slice(shape, #leading + 1, #shape))
  else
    local places = arrays.shape(rng, 2)
    if shape[case.axis] == 0 then places = {0} end
    case.where = random_index(rng, places, shape[case.axis])
    picked = joined(slice(shape, 1, case.axis - 1), places, slice(shape, case.axis + 1, #shape))
  end
  if op ~= "mask" and op ~= "take" then
    case.values = elements(rng, op, any_layout(rng), narrowed(rng, picked), dtype)
  end
  local item = "V" .. nd[dtype].itemsize
  local places = op:find "mask" and case.where or case.where:astype "i64"
  local line = {op, op == "index_add" and KIND[dtype] or item, case.axis}
  for _, a in ipairs {case.a, places, case.values or nd.zeros({}, "u8")} do
    line[#line + 1], line[#line + 2] = fields(a)
  end
  case.line = table.concat(line, "\t")
  return case
end

local run_op = {
  mask = function(case) return case.a[case.where] end,
  take = function(case) return case.a:take(case.where, case.axis) end,
  put = function(case) return case.a:put(case.where, case.values) end,
  index_add = function(case)
    return case.a:index_add(case.axis - case.a.ndim - 1, case.where, case.values)
  end,
  mask_assign = function(case)
    case.a[case.where] = case.values
    return case.a
  end,
}

describe("masks and picks", function()
  it("move and add what NumPy's do, of every dtype and layout", function()
    local rng, cases, lines = H.rng "pick", {}, {}
    nd.seed(H.seed)
    local kinds = {}
    for _, op in ipairs(OPS) do
      for _, dtype in ipairs(common.NAMES) do
        for _, layout in ipairs(arrays.LAYOUTS) do
          if op ~= "index_add" or KIND[dtype] then kinds[#kinds + 1] = {op, dtype, layout} end
        end
      end
    end
    for _ = 1, H.cases(8) do
      for _, kind in ipairs(H.some(kinds, 100)) do
        cases[#cases + 1] = new_case(rng, unpack(kind))
        lines[#lines + 1] = cases[#cases].line
      end
    end
    local answers = common.ask("spec/ops/pick_oracle.py", lines)
    for i, case in ipairs(cases) do
      local name = ("case %d of seed %d: %s of %s"):format(i, H.seed, case.op, case.a.dtype)
      local fine, result = pcall(run_op[case.op], case)
      assert.is_true(fine, name .. ": " .. tostring(result))
      local shape, bytes = fields(result)
      assert.equal(answers[i][1], shape, name)
      assert.equal(answers[i][2], bytes, name)
    end
  end)
end)

describe("where of a condition alone", function()
  local function is_true(x)
    if type(x) == "cdata" then return tonumber(x.re) ~= 0 or tonumber(x.im) ~= 0 end
    return x ~= 0 and x ~= false
  end

  it("gives the positions of what is not 0, of every dtype and layout, NaN and imaginary parts too",
    function()
      local rng = H.rng "where"
      for _, dtype in ipairs(common.NAMES) do
        for _, layout in ipairs(arrays.LAYOUTS) do
          local a = arrays.make(rng, layout, {5, 7}, dtype, true)
          if layout ~= "broadcast" then a["2:4, 3"] = 0 end
          local rows, columns, whole = {}, {}, dtype:find "64$" and dtype:find "^[iu]"
          for i = 1, 5 do
            for j = 1, 7 do
              local x = whole and tonumber(a(i, j)) or a(i, j)
              if is_true(x) then rows[#rows + 1], columns[#columns + 1] = i, j end
            end
          end
          local got_rows, got_columns, more = nd.where(a)
          assert.is_nil(more)
          assert.is_true(got_rows:equal(nd.array(rows, "i64"):reshape(#rows)), dtype)
          assert.is_true(got_columns:equal(nd.array(columns, "i64"):reshape(#rows)), dtype)
        end
      end
      assert.same({2, 3}, nd.where(nd.c64 {0, 2i, 0 / 0}):astype("f64"):totable())
    end)
end)
