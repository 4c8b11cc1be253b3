-- What may be written where: every operation, every pair of dtypes, every target, against the rule
-- of docs/reference/computing.md.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local operations = require "spec.operations"

local NAMES = common.NAMES
local FLOAT = {f16 = true, bf16 = true, f32 = true, f64 = true, f8e4m3 = true, f8e5m2 = true}
local COMPLEX = {c64 = true, c128 = true}
local WIDE = {i64 = true, u64 = true} -- integers that no float holds all of

local UNARY, BINARY = operations.elementwise(1), operations.elementwise(2)

-- The rule. 'counted' are the dtypes of the arrays that the result's dtype comes from, 'result' is
-- what the operation gives without a target.
local function is_refused(name, counted, result, target)
  if COMPLEX[target] then return name == "abs" and COMPLEX[counted[1]] end
  if COMPLEX[result] then return true end
  if not FLOAT[result] or FLOAT[target] then return false end
  for _, dtype in ipairs(counted) do
    if WIDE[dtype] then return true, "which cannot represent all of its values" end
  end
  return false
end

local share = math.min(1, H.cases(1000) / 1000) ^ 2 -- few in the slow jobs: a try is many calls

-- One call with each target, and in place where the first operand is like the result; make() gives
-- the operands.
local function try_targets(rng, name, make, counted)
  if rng() >= share then return 0 end
  local operands = make()
  local fine, result = pcall(nd[name], unpack(operands))
  for _, dtype in ipairs(NAMES) do
    local target = nd.full({2}, 1, dtype)
    local before = target:copyout()
    local arguments = {unpack(operands)}
    arguments[#arguments + 1] = {out = target}
    local ok, e = pcall(nd[name], unpack(arguments))
    local label = ("%s of %s into %s"):format(name, table.concat(counted, ", "), dtype)
    local refused, why
    if fine then refused, why = is_refused(name, counted, result.dtype, dtype) end
    if not fine then
      assert(not ok and e.code == result.code and e.message == result.message, label)
    elseif refused then
      assert(not ok and e.code == "type_mismatch", label .. ": not refused")
      if why then assert(e.message:find(why, 1, true) and e.message:find "astype", e.message) end
    else
      assert(ok, label .. ": " .. tostring(e))
      assert(target:copyout() == result:astype(dtype):copyout(), label)
    end
    assert(ok or target:copyout() == before, label)
    if dtype == operands[1].dtype then
      local self = operands[1]:clone()
      local in_place, why_not = pcall(self[name .. "_"], self, unpack(operands, 2))
      assert.equal(ok, in_place, label)
      if ok then assert.equal(target:copyout(), self:copyout(), label)
      else assert.equal(e.message, why_not.message) end
    end
  end
  return 1
end

-- Small numbers that every operation takes, as the second operand too.
local function small(dtype, x, y) return nd.array({x, y}, dtype == "bool" and "bool" or dtype) end

describe("targets of elementwise operations", function()
  it("of one operand", function()
    local rng, tried = H.rng "one", 0
    for _, name in ipairs(UNARY) do
      for _, dtype in ipairs(NAMES) do
        local function make() return {small(dtype, 1, 3)} end
        tried = tried + try_targets(rng, name, make, {dtype})
      end
    end
    assert(H.is_share(share, tried, #UNARY * 17))
  end)

  it("of two operands", function()
    local rng, tried = H.rng "two", 0
    for _, name in ipairs(BINARY) do
      for _, left in ipairs(NAMES) do
        for _, right in ipairs(NAMES) do
          local function make() return {small(left, 3, 1), small(right, 1, 2)} end
          tried = tried + try_targets(rng, name, make, {left, right})
        end
      end
    end
    assert(H.is_share(share, tried, #BINARY * 17 * 17))
  end)

  it("of three operands", function()
    local rng, tried = H.rng "targets", 0
    for _, left in ipairs(NAMES) do
      for _, right in ipairs(NAMES) do
        local third = NAMES[rng(#NAMES)]
        local function make() return {small(left, 3, 0), small(right, 1, 2), small(third, 2, 3)} end
        tried = tried + try_targets(rng, "clamp", make, {left, right, third})
          + try_targets(rng, "where", make, {right, third})
      end
    end
    assert(H.is_share(share, tried, 2 * 17 * 17))
  end)

  it("keep no digit that the computation has lost", function()
    local u64, i64 = nd.u64 {2ULL ^ 53 + 1ULL}, nd.i64 {2LL ^ 53 + 1LL}
    local function refused(text, fn, ...) H.raises_like("type_mismatch", text, fn, ...) end
    refused("add: u64 is computed in f64, .* cannot be written to u64; use :astype", u64.add_, u64,
      nd.i8 {1})
    refused("sub: u64 .* u64", u64.sub_, u64, nd.i32 {1})
    refused("mod: u64 .* u8", u64.mod, u64, nd.i8 {7}, {out = nd.zeros({1}, "u8")})
    refused("add: i64 .* i64", i64.add_, i64, nd.f64 {0})
    refused("div: i64 .* i64", i64.div_, i64, 1)
    refused("sqrt: u64", u64.sqrt_, u64)
    refused("where: i64", nd.where, true, i64, nd.f64 {0}, {out = i64})
    refused("where: i64", nd.where, nd.ones({1}, "bool"), 2LL ^ 53 + 1LL, 0.5, {out = i64})
    refused("mean: i64 is computed in f64", i64.mean, i64, {axis = 1, out = nd.zeros({}, "i64")})
    assert.equal(u64, u64:add_(1):sub_(nd.u8 {1}):mul_(nd.u16 {3}):idiv_(3))
    assert.same({2ULL ^ 53 + 1ULL}, u64:totable())
    local shown = nd.add(u64, nd.i8 {-1}, {out = nd.zeros({1}, "f64")}) -- as without it, in f64
    assert.is_true(shown:equal(u64 + nd.i8 {-1}))
    assert.same({2}, nd.i32 {5}:div_(2):totable()) -- 32 bits a double holds
    assert.same({1}, u64:gt_(nd.i8 {1}):totable())
  end)

  it("saturate what was computed in a wider dtype, and hold what wrapped in their own", function()
    assert.same({44}, nd.u8 {200}:add_(nd.u8 {100}):totable())
    assert.same({255}, nd.u8 {200}:add_(nd.i16 {100}):totable())
    assert.same({0}, nd.u8 {200}:sub_(nd.i16 {300}):totable())
    assert.same({255}, nd.add(nd.i16 {200}, nd.i16 {100}, {out = nd.zeros({1}, "u8")}):totable())
  end)
end)
