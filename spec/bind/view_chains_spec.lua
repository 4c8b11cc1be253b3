-- Chains of view methods: against NumPy.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local hex, shape_text = common.hex, common.shape_text

local function factorised(rng, n)
  local shape = {}
  for _ = 1, rng(0, 3) do
    local divisors = {}
    for d = 1, n do if n % d == 0 then divisors[#divisors + 1] = d end end
    local d = divisors[rng(#divisors)]
    table.insert(shape, rng(1, #shape + 1), d)
    n = n / d
  end
  table.insert(shape, rng(1, #shape + 1), n)
  if rng() < 0.2 then shape[rng(#shape)] = -1 end
  return shape
end

-- A method and arguments that suit 'shape'; mostly.
local MAKERS = {
  reshape = function(rng, _, n) return n > 0 and n < 2000 and factorised(rng, n) or {n} end,
  flatten = function() return {} end,
  transpose = function() return {} end,
  permute = function(rng, shape)
    local order = {}
    for i = 1, #shape do table.insert(order, rng(1, i), i) end
    return #shape > 0 and order
  end,
  swapaxes = function(rng, shape) return #shape > 0 and {rng(1, #shape), -rng(1, #shape)} end,
  narrow = function(rng, shape)
    if #shape == 0 then return end
    local axis = rng(1, #shape)
    local count = rng(0, shape[axis])
    return {axis, rng(1, shape[axis] - count + 1), count}
  end,
  select = function(rng, shape)
    if #shape == 0 then return end
    local axis = rng(1, #shape)
    return {axis, rng(1, math.max(1, shape[axis])) * (rng() < 0.3 and -1 or 1)}
  end,
  squeeze = function(rng, shape)
    return rng() < 0.5 and {} or #shape > 0 and {rng(1, #shape)} or nil
  end,
  unsqueeze = function(rng, shape) return #shape < 6 and {rng(1, #shape + 1)} end,
  expand = function(rng, shape)
    local out = {}
    for i, extent in ipairs(shape) do
      out[i] = extent == 1 and rng() < 0.7 and rng(0, 3) or extent
    end
    if #out < 5 and rng() < 0.3 then table.insert(out, 1, rng(1, 3)) end
    return #out > 0 and out
  end,
  unfold = function(rng, shape)
    if #shape == 0 or #shape > 5 then return end
    local axis = rng(1, #shape)
    return {axis, rng(1, math.max(1, shape[axis])), rng(1, 3)}
  end,
  diagonal = function(rng, shape)
    if #shape < 2 then return end
    return {rng(-shape[#shape - 1], shape[#shape])}
  end,
  flip = function(rng, shape)
    return (rng() < 0.3 or #shape == 0) and {} or {rng(1, #shape)}
  end,
}
local NAMES = {"reshape", "reshape", "reshape", "flatten", "transpose", "permute", "permute",
  "swapaxes", "narrow", "select", "squeeze", "unsqueeze", "expand", "unfold", "diagonal", "flip"}

local function start_array(shape)
  local n = 1
  for _, extent in ipairs(shape) do n = n * extent end
  local a = nd.empty({n}, "u16")
  for i = 1, n do a[i] = i - 1 end
  return a:reshape(shape)
end

-- What ndbuf makes of it, step by step, as views_oracle.py writes it; and the line for it.
local function random_chain(rng)
  local shape = {}
  for i = 1, rng(0, 4) do shape[i] = rng() < 0.05 and 0 or rng(1, 5) end
  local base = start_array(shape)
  local v, line, steps = base, {shape_text(shape)}, {}
  for _ = 1, rng(2, 6) do
    local name = NAMES[rng(#NAMES)]
    local arguments = MAKERS[name](rng, v.shape, v.size)
    if arguments then
      line[#line + 1] = name .. ":" .. table.concat(arguments, ",")
      if name == "expand" or name == "reshape" then arguments = {arguments} end
      local fine, got = pcall(v[name], v, unpack(arguments))
      if not fine then
        steps[#steps + 1] = {error = got}
        break
      end
      v = got
      steps[#steps + 1] = {shape = v.shape, strides = v.byte_strides, offset = v.offset,
        bytes = v:copyout(), is_own = v.storage_id == base.storage_id}
    end
  end
  return table.concat(line, "\t"), steps
end

local function compare(step, answer)
  if answer == "copy" then
    return not (step.error and step.error.code == "invalid_view") and "NumPy copies here" or nil
  elseif answer == "error" then
    return not step.error and "NumPy refuses this" or nil
  end
  local shape, strides, offset, bytes = answer:match "^(.-)/(.-)/(.-)/(.*)$"
  if step.error then return "refused: " .. tostring(step.error) end
  if shape_text(step.shape) ~= shape then return "shape " .. shape_text(step.shape) end
  local i = 0
  for stride in strides:gmatch "%S+" do
    i = i + 1
    if stride ~= "*" and stride ~= "-" and tonumber(stride) ~= step.strides[i] then
      return "strides " .. table.concat(step.strides, " ")
    end
  end
  if offset ~= "*" and tonumber(offset) ~= step.offset then return "offset " .. step.offset end
  if hex(step.bytes) ~= bytes then return "other elements" end
  if not step.is_own then return "not a view" end
end

describe("chains of views", function()
  it("are what NumPy has, also where it would copy", function()
    local rng = H.rng "views"
    local lines, chains = {}, {}
    for i = 1, H.cases(3000) do lines[i], chains[i] = random_chain(rng) end
    local given = H.write(H.path "cases", table.concat(lines, "\n") .. "\n")
    local path = H.path "answers"
    H.python("spec/bind/views_oracle.py", given, path)
    local i, copies, count = 0, 0, 0
    for line in H.read(path):gmatch "([^\n]*)\n" do
      i = i + 1
      local k = 0
      for answer in (line .. "\t"):gmatch "([^\t]*)\t" do
        k = k + 1
        local step = chains[i][k]
        if answer ~= "" then
          local what = step and compare(step, answer) or not step and "nothing here" or nil
          assert.is_nil(what, ("seed %d: %s: step %d: %s, NumPy has %s"):format(H.seed, lines[i], k,
            tostring(what), answer))
          count = count + 1
          if answer == "copy" then copies = copies + 1 end
        end
      end
    end
    assert.equal(#lines, i)
    assert.is_true(H.is_share(2, count, #lines) and H.is_share(0.01, copies, #lines),
      count .. " " .. copies)
  end)

  it("outlive the handles that they came from", function()
    local v
    do
      local a = nd.arange(1, 100, 1, "i32")
      v = a["2:99"]:reshape(14, 7).T
    end
    collectgarbage()
    collectgarbage()
    local sum = 0
    for i = 1, 50 do sum = sum + nd.full(100, i, "i32")[1] end
    assert.equal(1275, sum)
    assert.equal(2, v(1, 1))
    assert.equal(99, v(7, 14))
    assert.is_true(ffi.istype("int32_t *", v:ptr()))
  end)
end)
