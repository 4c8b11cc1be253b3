-- What several specs of this folder use: local common = require "spec.bind.common".
local assert = require "luassert"
local nd = require "ndbuf"
local H = require "spec.helper"

local common = {}

-- ORDER DTYPE: name, bytes of an item, bytes of a part
common.DTYPES = {
  {"bool", 1, 1}, {"i8", 1, 1}, {"u8", 1, 1}, {"i16", 2, 2}, {"u16", 2, 2}, {"i32", 4, 4},
  {"u32", 4, 4}, {"i64", 8, 8}, {"u64", 8, 8}, {"f16", 2, 2}, {"bf16", 2, 2}, {"f32", 4, 4},
  {"f64", 8, 8}, {"c64", 8, 4}, {"c128", 16, 8}, {"f8e4m3", 1, 1}, {"f8e5m2", 1, 1},
}
common.NAMES = {}
for i, row in ipairs(common.DTYPES) do common.NAMES[i] = row[1] end

-- ---- arrays ----

-- Element (i, j) of 'rows' x 'columns' is 10 i + j.
function common.grid(rows, columns, dtype)
  local t = {}
  for i = 1, rows do
    t[i] = {}
    for j = 1, columns do t[i][j] = 10 * i + j end
  end
  return nd.array(t, dtype)
end

-- Element (i, j, k) is 100 i + 10 j + k.
function common.cube(a, b, c)
  local t = {}
  for i = 1, a do
    t[i] = {}
    for j = 1, b do
      t[i][j] = {}
      for k = 1, c do t[i][j][k] = 100 * i + 10 * j + k end
    end
  end
  return nd.array(t, "i32")
end

-- ---- assertions ----

function common.is_view_of(a, v)
  assert.equal("userdata", type(v))
  assert.equal(a.storage_id, v.storage_id)
  assert.not_equal(a.id, v.id)
end

function common.is_made(a, dtype, shape)
  assert.equal(dtype, a.dtype)
  assert.same(shape, a.shape)
  assert.equal(H.device, a.device)
  assert.equal(0, a.offset)
  assert.is_true(a.is_contiguous)
  assert.is_false(a.is_view)
  assert.is_false(a.readonly)
end

-- ---- text that goes to the oracles and comes back ----

function common.hex(text)
  if text == "" then return "-" end
  return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function split(line, by)
  local out = {}
  for field in (line .. by):gmatch("([^" .. by .. "]*)" .. by) do out[#out + 1] = field end
  return out
end

-- The lines of a file, each as its fields.
function common.lines_of(path)
  local out = {}
  for line in H.read(path):gmatch "[^\n]+" do out[#out + 1] = split(line, "\t") end
  return out
end

-- What an oracle, a Python script, answers to cases, a line each: fields for each of them.
function common.ask(oracle, cases)
  local given = H.write(H.path "cases", table.concat(cases, "\n") .. "\n")
  local answers = H.path "answers"
  H.python(oracle, given, answers)
  local list = common.lines_of(answers)
  assert.equal(#cases, #list)
  return list
end

function common.shape_text(shape, by)
  return #shape == 0 and "-" or table.concat(shape, by or "x")
end

return common
