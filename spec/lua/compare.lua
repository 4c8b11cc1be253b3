-- What several specs of functions in lua/ndbuf use: random arrays, and cases that NumPy answers.
local assert = require "luassert"
local nd = require "ndbuf"
local H = require "spec.helper"
local cases = require "spec.ops.cases"
local common = require "spec.bind.common"

local hex, shape_text = common.hex, common.shape_text

local compare = {}

-- The dtypes that NumPy has.
compare.PLAIN = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64",
                 "c64", "c128"}

-- Small whole numbers, of which all dtypes hold those from 0 to 3, in a random layout.
function compare.array(rng, dtype, shape)
  local list, n = {}, 1
  for _, extent in ipairs(shape) do n = n * extent end
  local least = (dtype == "bool" or dtype:find "^u") and 0 or -3
  for i = 1, n do list[i] = rng(least, 3) end
  local a = nd.array(list, dtype):reshape(shape)
  return cases.layouts[cases.LAYOUTS[rng(5)]](a)
end

function compare.shape(rng, least, most)
  local shape = {}
  for i = 1, rng(least, most) do shape[i] = rng() < 0.15 and 0 or rng(5) end
  return shape
end

-- Such an array of any of these dtypes and of 'least' to 'most' axes.
function compare.any(rng, least, most)
  return compare.array(rng, compare.PLAIN[rng(#compare.PLAIN)], compare.shape(rng, least, most))
end

local function line_of(name, c)
  local fields = {name, table.concat(c.words, ",")}
  for _, a in ipairs(c.arrays) do
    fields[#fields + 1] = a.dtype
    fields[#fields + 1] = shape_text(a.shape)
    fields[#fields + 1] = hex(a:copyout())
  end
  return table.concat(fields, "\t")
end

local function check(name, c, answer)
  local results = {c.call()}
  local what = ("seed %d: %s %s"):format(H.seed, name, table.concat(c.words, " "))
  assert.equal(tonumber(answer[1]), #results, what)
  for i, out in ipairs(results) do
    assert.equal(answer[3 * i - 1], out.dtype, what)
    assert.equal(answer[3 * i], shape_text(out.shape), what)
    assert.equal(answer[3 * i + 1], hex(out:copyout()), what)
  end
end

-- 'count' random cases of the operations in 'makers', each a function of a generator that makes
-- {words =, arrays =, call =}: what call() returns has to be what the oracle says.
function compare.run(makers, rng, count, oracle)
  local names, list, lines = {}, {}, {}
  for name in pairs(makers) do names[#names + 1] = name end
  table.sort(names)
  for i = 1, H.cases(count) do
    local name = names[(i - 1) % #names + 1]
    list[i] = {name, makers[name](rng)}
    lines[i] = line_of(name, list[i][2])
  end
  local answers = common.ask(oracle or "spec/lua/arrays_oracle.py", lines)
  for i, case in ipairs(list) do check(case[1], case[2], answers[i]) end
end

return compare
