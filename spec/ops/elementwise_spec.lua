-- Elementwise operations: against NumPy, whatever the layout; where results go; values of scripts;
-- what is refused.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local cases = require "spec.ops.cases"
local common = require "spec.bind.common"
local operations = require "spec.operations"

local NAMES = common.NAMES
local shape_text = cases.shape_text
local layouts, LAYOUTS = cases.layouts, cases.LAYOUTS
local complex = ffi.typeof "complex"
local ops = {} -- {name, operands}
for count = 1, 3 do
  for _, name in ipairs(operations.elementwise(count)) do ops[#ops + 1] = {name, count} end
end

local INTEGER = {i8 = true, u8 = true, i16 = true, u16 = true, i32 = true, u32 = true, i64 = true,
                 u64 = true}

-- ---- arrays ----

local SHAPES = {{}, {0}, {1}, {7}, {3, 0, 2}, {2, 3}, {5, 7}, {4, 1, 3}, {2, 3, 4}, {67}, {131},
                {3, 45}, {300}}

-- A shape that broadcasts to 'shape'.
local function smaller(rng, shape)
  local out = {}
  for i = rng(3) == 1 and 2 or 1, #shape do out[#out + 1] = rng(4) == 1 and 1 or shape[i] end
  return out
end

local EDGES = {0, 1, 2, 3, 5, 127, 255, 0.5, -0, -1, -2.5, 1.5, 2.5, 1e-3, 100.25, 1 / 0, -1 / 0,
               0 / 0, 1e30, -1e300, 3.4e38, 6.1e-5, 88.7, -103.5, 709.7, 4e9, 2 ^ 31, -2 ^ 63,
               2 ^ 63, 65504, 448}

-- Random bits, small numbers or edges.
local function random_array(rng, dtype, shape)
  local a = nd.zeros(shape, dtype)
  local n = a.size
  local way = rng(3)
  if way == 1 and dtype ~= "bool" then
    local bytes = {}
    for i = 1, a.nbytes do bytes[i] = string.char(rng(256) - 1) end
    return a:copyin(table.concat(bytes))
  end
  local list = {}
  for i = 1, n do
    list[i] = way == 2 and EDGES[rng(#EDGES)] or rng(-20, 20) / (rng(2) == 1 and 1 or 8)
  end
  return a:copy_from(nd.array(list, dtype):reshape(shape))
end

-- Integers that the second operand may be.
local function make_valid(op, b)
  if not INTEGER[b.dtype] and b.dtype ~= "bool" then return b end
  if op == "idiv" or op == "mod" or op == "fmod" then
    b[b:eq(0)] = 1
  elseif b.dtype:find "i" and (op == "pow" or op == "shl" or op == "shr") then
    b:copy_from(nd.where(b:lt(0), 3, b))
  end
  return b
end

-- ---- calls ----

local VALUES = {0, 1, 2, 3, true, false, 1LL, 2ULL, complex(1, 0)}

-- What most dtypes do not hold; where it is not refused, the answer is that of mathematics.
local FAR = {256, -1, 0.5, 0.1, -0.25, 254.5, 1 / 0, -1 / 0, 0 / 0, -0, 1e300, -1e300, 1e5, 465,
             2 ^ 24 + 1, 2 ^ 31, 2 ^ 53, 2 ^ 63, -2 ^ 63, 2 ^ 64, -129LL, 2LL ^ 53 + 1LL,
             0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1LL, 0xffffffffffffffffULL,
             0x8000000000000001ULL, complex(1, 2), complex(0.5, 0)}
local TAKES_FAR = {add = true, mul = true, clamp = true, where = true, minimum = true,
                   maximum = true, lt = true, le = true, gt = true, ge = true, eq = true, ne = true}

-- A value in the place of one of two operands.
local function put_value(rng, operands, plain)
  local place = rng(2)
  local other = operands[3 - place].dtype
  local value = VALUES[rng(#VALUES - (other:find "^c" and 0 or 1))]
  if other == "bool" then value = rng(2) == 1 end
  if place == 2 and (value == 0 or value == false) then return end -- perhaps a divisor
  operands[place], plain[place] = value, value
end

-- One of two operands, one or both of the last two of three.
local function put_far(rng, operands, plain)
  local count = #operands
  local first, last = 1, count
  if count == 3 then first = rng(2, 3) else last = rng(2) end
  if count == 3 and rng(2) == 1 then last = first end
  if count == 2 then first = last end
  for place = first, last do
    local value = FAR[rng(#FAR)]
    operands[place], plain[place] = value, value
  end
end

-- Is what was written to 'got' the result as its dtype? NaNs may differ in sign and payload.
local function is_result(got, result)
  local want = result:astype(got.dtype)
  if got:copyout() == want:copyout() then return true end
  local differs = got:ne(want)
  return differs:equal(got:isnan():logical_and(want:isnan()))
end

-- Do integers of 64 bits have part in the dtype that is computed in?
local function has_wide(name, operands)
  local any = {}
  for i = name == "where" and 2 or 1, #operands do
    local is_array = type(operands[i]) == "userdata"
    any[is_array] = any[is_array] or {}
    any[is_array][(is_array and operands[i] or cases.value_as_array(operands[i])).dtype] = true
  end
  local found = any[true] or any[false] -- a value counts where there is no array
  return found.i64 or found.u64
end

-- No magnitude goes into a complex array, nothing complex into another, and no 64-bit integers that
-- went through a float into integers: spec/ops/targets_spec.lua has the rule.
local function may_hold(name, operands, dtype, result)
  local is_complex = dtype:find "^c"
  local is_whole = INTEGER[dtype] or dtype == "bool"
  local came_whole = INTEGER[result.dtype] or result.dtype == "bool"
  if name == "abs" and operands[1].dtype:find "^c" then return not is_complex end
  if is_whole and not came_whole and has_wide(name, operands) then return false end
  return is_complex or not result.dtype:find "^c"
end

-- The same through out = and in place, and with a target that overlaps the first operand.
local function try_targets(rng, name, operands, result)
  local first = operands[1]
  local rest = {unpack(operands, 2)}
  local dtype = NAMES[rng(#NAMES)]
  if may_hold(name, operands, dtype, result) then
    local target = layouts[LAYOUTS[rng(5)]](nd.zeros(result.shape, dtype))
    local given = {unpack(operands)}
    given[#given + 1] = {out = target}
    assert(nd[name](unpack(given)) == target)
    assert(is_result(target, result), name .. " out = " .. dtype)
  end
  if type(first) ~= "userdata" or shape_text(first) ~= shape_text(result)
      or not may_hold(name, operands, first.dtype, result) then return end
  local target = layouts[LAYOUTS[rng(5)]](first)
  assert(target[name .. "_"](target, unpack(rest)) == target)
  assert(is_result(target, result), name .. "_ in place")
  if first.ndim ~= 1 or first.size == 0 then return end
  local n = first.size
  local long = nd.zeros(n + 1, first.dtype)
  local source = long:narrow(1, 1, n):copy_from(first)
  local shifted = rng(2) == 1 and source:flip(1) or long:narrow(1, 2, n)
  local given = {source, unpack(rest)}
  given[#given + 1] = {out = shifted}
  nd[name](unpack(given))
  assert(is_result(shifted, result), name .. " overlapping")
end

describe("elementwise operations", function()
  it("agree with NumPy for all dtypes and layouts", function()
    local rng = H.rng "elementwise"
    local path = H.path "cases"
    local out = io.open(path, "w")
    local all = #ops * #NAMES * #LAYOUTS
    local n = H.cases(24000)
    for i = 0, n - 1 do
      local at = i * 7919 % all -- every combination once, then again with others beside it
      local op = ops[at % #ops + 1]
      local dtype = NAMES[math.floor(at / #ops) % #NAMES + 1]
      local layout = LAYOUTS[math.floor(at / #ops / #NAMES) + 1]
      local name, count = op[1], op[2]
      local shape = SHAPES[rng(#SHAPES)]
      local operands, plain = {}, {}
      local whole = rng(count) -- this one has the whole shape
      for k = 1, count do
        local other = (i < all or rng(2) == 1) and dtype or NAMES[rng(#NAMES)]
        if name == "where" and k == 1 and rng(2) == 1 then other = "bool" end
        local a = random_array(rng, other, k == whole and shape or smaller(rng, shape))
        if k == 2 then make_valid(name, a) end
        plain[k] = a
        operands[k] = layouts[k == 1 and layout or LAYOUTS[rng(#LAYOUTS)]](a, shape)
      end
      local way = rng(5)
      if TAKES_FAR[name] and way <= 2 then put_far(rng, operands, plain)
      elseif count == 2 and way == 3 then put_value(rng, operands, plain) end
      local result = cases.run(out, name, operands)
      if result then
        local again = nd[name](unpack(plain))
        assert(is_result(again, result), name .. " differs by layout: " .. layout)
        try_targets(rng, name, operands, result)
      end
    end
    out:close()
    assert.equal(n, cases.verdict(path))
  end)
end)

-- ---- by hand ----

local a = nd.array({{1, 2, 3}, {4, 5, 6}}, "i32")

local function same(want, got, dtype)
  assert.equal(dtype, got.dtype)
  assert.same(want, got:totable())
end

describe("operators", function()
  it("take arrays and values on either side", function()
    same({{2, 4, 6}, {8, 10, 12}}, a + a, "i32")
    same({{0, 1, 2}, {3, 4, 5}}, a - 1, "i32")
    same({{1, 0, -1}, {-2, -3, -4}}, 2 - a, "i32")
    same({{2, 4, 6}, {8, 10, 12}}, 2 * a, "i32")
    same({{0.5, 1, 1.5}, {2, 2.5, 3}}, a / 2, "f64")
    same({{6, 3, 2}, {1.5, 1.2, 1}}, 6 / a, "f64")
    same({{1, 0, 1}, {0, 1, 0}}, a % 2, "i32")
    same({{1, 4, 9}, {16, 25, 36}}, a ^ 2, "i32")
    same({{2, 4, 8}, {16, 32, 64}}, 2 ^ a, "i32")
    same({{-1, -2, -3}, {-4, -5, -6}}, -a, "i32")
    same({{3, 4, 5}, {6, 7, 8}}, a + 2LL, "i32")
    same({{11, 22, 33}, {14, 25, 36}}, a + nd.i32 {10, 20, 30}, "i32")
    same({{0.5, 1.5, 2.5}, {3.5, 4.5, 5.5}}, a - nd.full({}, 0.5), "f64")
  end)

  it("divide as Lua does", function()
    for _, x in ipairs {7, -7, 7.5, -7.5, 0} do
      for _, y in ipairs {2, -2, 0.5, -3} do
        assert.equal(x % y, (nd.f64 {x} % y)[1])
        assert.equal(math.floor(x / y), nd.f64 {x}:idiv(y)[1])
        if x == math.floor(x) and y == math.floor(y) then
          assert.equal(x % y, (nd.i16 {x} % y)[1])
          assert.equal(math.floor(x / y), nd.i16 {x}:idiv(y)[1])
        end
      end
    end
    same({-128, 0}, nd.array({-128, 5}, "i8"):idiv(nd.array({-1, 9}, "i8")), "i8")
    assert.same({0, 0}, (nd.array({-128, 5}, "i8") % nd.array({-1, -1}, "i8")):totable())
  end)

  it("divide complex numbers by the larger part of the divisor first", function()
    for dtype, part in pairs {c64 = "f32", c128 = "f64"} do
      local huge = nd.array(dtype == "c64" and 1e30 or 1e300, part):item() -- its square is infinite
      local x = nd.array({1, 2}, part):bitcast(dtype)
      for _, case in ipairs {{0, 1, 2, -1}, {0, -1, -2, 1}, {1, 0, 1, 2}, {1, 2, 1, 0},
                             {0, huge, 2 / huge, -1 / huge}, {huge, 0, 1 / huge, 2 / huge},
                             {0, 0, 1 / 0, 2 / 0}} do
        local got = x / nd.array({case[1], case[2]}, part):bitcast(dtype)
        assert.same(nd.array({case[3], case[4]}, part):totable(), got:bitcast(part):totable())
      end
      local b = nd.array({4, 2, 3, 4, -2, 0, 0, -2}, part):bitcast(dtype)
      assert.same(nd.array({0.2, -0.1, 0.12, -0.16, -0.5, 0, 0, 0.5}, part):totable(),
        b:reciprocal():bitcast(part):totable())
    end
  end)

  it("multiply complex numbers with each product rounded, whatever the processor fuses", function()
    for _, dtype in ipairs {"c64", "c128"} do
      local part = dtype == "c64" and "f32" or "f64"
      local x = nd.normal({2000, 2}, part, {seed = H.seed}):bitcast(dtype):squeeze(2)
      local y = nd.normal({2000, 2}, part, {seed = H.seed + 1}):bitcast(dtype):squeeze(2)
      local z = x * y
      local re = x.real * y.real - x.imag * y.imag
      local im = x.real * y.imag + x.imag * y.real
      assert.is_true(z.real:equal(re) and z.imag:equal(im), dtype)
    end
  end)

  it("have no order, take no strings, and no cdata on the left, which is LuaJIT's", function()
    H.raises_like("unsupported", "a:lt%(b%)", function() return a < a end)
    H.raises("type_mismatch", function() return a + "x" end)
    H.raises("type_mismatch", function() return "10" + a end)
    H.raises("type_mismatch", function() return nil + a end)
    assert.is_false((pcall(function() return 2LL - a end)))
    same({{1, 0, -1}, {-2, -3, -4}}, nd.sub(2LL, a), "i32")
  end)
end)

describe("dtypes of results", function()
  it("are promoted from the arrays alone", function()
    for _, row in ipairs {
      {"u8", "i8", "i16"}, {"f32", "i16", "f32"}, {"f32", "i32", "f64"}, {"f16", "bf16", "f32"},
      {"u64", "i32", "f64"}, {"bool", "u8", "u8"}, {"c64", "f64", "c128"}, {"f8e4m3", "i8", "f32"},
      {"i64", "f16", "f64"},
    } do
      local x, y = nd.ones({2}, row[1]), nd.ones({2}, row[2])
      assert.equal(row[3], x:add(y).dtype)
      assert.equal(row[3], nd.where(true, x, y).dtype)
    end
    assert.equal("f32", (nd.f32 {1} + 0.1).dtype)
    assert.equal("u8", (nd.u8 {1} * 255).dtype)
    assert.equal("f16", nd.f16 {1}:exp().dtype)
    assert.equal("f64", nd.u8 {1}:sqrt().dtype)
    assert.equal("f64", nd.array({true}, "bool"):div(2).dtype)
    assert.equal("bool", nd.c64 {1}:eq(1).dtype)
  end)

  it("of a choice between two values are those of the values", function()
    same({0, 1}, nd.where(nd.array({false, true}, "bool"), 1, 0), "f64")
    same({false, true}, nd.where(nd.i8 {0, 3}, true, false), "bool")
    assert.equal("i64", nd.where(nd.i8 {0, 3}, 1LL, 2LL).dtype)
    same({7, 2}, nd.where(nd.f32 {0, 0 / 0}, nd.u8 {1, 2}, 7), "u8")
  end)

  it("name astype where there is none", function()
    H.raises_like("type_mismatch", "add: i64 and u64 .*astype", nd.add, nd.i64 {1}, nd.u64 {1})
    H.raises_like("type_mismatch", "i64 and f32 .*astype", nd.mul, nd.i64 {1}, nd.f32 {1})
    H.raises_like("type_mismatch", "sub is not defined for bool", nd.sub, nd.ones({1}, "bool"), 1)
    H.raises_like("type_mismatch", "lt is not defined for c64; use %.real", nd.lt, nd.c64 {1}, 1)
    H.raises_like("type_mismatch", "bit_and is not defined for f32", nd.bit_and, nd.f32 {1}, 1)
    H.raises_like("type_mismatch", "one of the operands must be an array", nd.add, 1, 2)
  end)
end)

describe("values of scripts", function()
  local function refused(text, fn, ...)
    local e = H.raises_like("not_representable", "astype", fn, ...)
    assert.is_truthy(e.message:find(text, 1, true), e.message)
  end

  it("are held exactly, or refused by name", function()
    refused("add: 2.5 cannot be represented as i32", nd.add, a, 2.5)
    refused("sub: 300 cannot be represented as u8", nd.sub, 300, nd.u8 {1})
    refused("mul: -1 cannot be represented as u64", nd.mul, nd.u64 {1}, -1)
    refused("minimum: 0.5 cannot", nd.minimum, nd.i8 {1}, 0.5)
    refused("add: nan cannot", nd.add, nd.i64 {1}, 0 / 0)
    refused("2 cannot be represented as bool", nd.add, nd.ones({1}, "bool"), 2)
    refused("9.2233720368547758e+18 cannot", nd.add, nd.i64 {1}, 2 ^ 63)
    refused("18446744073709551615 cannot", nd.add, nd.i64 {1}, 0xffffffffffffffffULL)
    refused("-1 cannot", nd.add, nd.u64 {1}, -1LL)
    refused("a complex value cannot be represented as f64", nd.add, nd.f64 {1},
      ffi.new("complex", 1, 1))
    refused("clamp: 256 cannot", nd.clamp, nd.u8 {1}, 256, 300)
    refused("where: 1.5 cannot", nd.where, true, nd.i8 {1}, 1.5)
    refused("index_add: 2.5 cannot be represented as i32", a.index_add, a:clone(), 1, {1}, 2.5)
    same({{1, 2, 3}, {4, 5, 6}}, a, "i32")
  end)

  it("are rounded to floats", function()
    assert.equal((nd.f32 {1} + nd.f32 {0.1})[1], (nd.f32 {1} + 0.1)[1])
    assert.equal(2 ^ 53, (nd.f64 {0} + (2LL ^ 53 + 1LL))[1])
    assert.equal(1 / 0, (nd.f32 {1} + 1 / 0)[1])
    assert.equal(1 / 0, (nd.f32 {1} + 1e300)[1])
    same({448}, nd.f8e4m3 {1} + 1e5, "f8e4m3") -- which has no infinity
    assert.is_true(nd.f16 {65504}:lt(1e5)[1])
    same({1}, nd.f32 {1}:clamp(-1e300, 1e300), "f32")
    assert.is_true((nd.f16 {1} + 0 / 0):isnan()[1])
  end)

  it("are seen as what is computed in", function()
    same({{0.4, 0.8, 1.2}, {1.6, 2, 2.4}}, a:div(2.5), "f64")
    same({5LL, -1LL}, nd.i64 {2, -4} + 3LL, "i64")
    local sum = (nd.c64 {1} + ffi.new("complex", 1, 2))[1]
    assert.same({2, 2}, {sum.re, sum.im})
    same({true, true}, nd.array({true, false}, "bool"):logical_or(0 / 0), "bool")
    same({false}, nd.c64 {0}:logical_and(ffi.new("complex", 0, 1)), "bool")
    same({true}, nd.c64 {ffi.new("complex", 0, 1)}:logical_xor(0), "bool")
  end)
end)

describe("refusals", function()
  it("name both shapes", function()
    H.raises_like("shape_mismatch", "add: %(2x3%) and %(4%)", nd.add, a, nd.zeros(4))
    H.raises_like("shape_mismatch", "where: %(2x3%) and %(2%)", nd.where, true, a, nd.zeros(2))
    H.raises_like("shape_mismatch", "the result has shape %(2x3%), but .* has %(3%)", nd.add, a, 1,
      {out = nd.zeros(3)})
    local small = nd.zeros(3)
    H.raises("shape_mismatch", small.add_, small, a)
  end)

  it("come before anything is written", function()
    local out = nd.full({3}, 7, "i32")
    local x, zero = nd.i32 {1, 2, 3}, nd.i32 {1, 0, 1}
    local e = H.raises_like("invalid_argument", "idiv: element 2 .* divisor is 0", x.idiv, x, zero,
      {out = out})
    assert.equal(2, e.position)
    H.raises_like("invalid_argument", "mod: the divisor is 0", x.mod, x, 0)
    H.raises_like("invalid_argument", "pow: element 3 .* is %-1,", x.pow, x, nd.i32 {0, 0, -1})
    H.raises_like("invalid_argument", "shl: the count of bits is %-2,", x.shl, x, -2)
    H.raises_like("invalid_argument", "shl: the count of bits is %-1", x.shl, x, -1)
    H.raises_like("invalid_argument", "shr: element 1", x.shr_, x, nd.i8 {-1, 0, 0})
    H.raises("invalid_argument", function() return x % zero end)
    H.raises("invalid_argument", nd.idiv, nd.ones({2, 2}, "u8").T, nd.zeros({2, 2}, "u8").T)
    H.raises("type_mismatch", nd.add, nd.c64 {1, 2, 3}, 1, {out = out})
    same({7, 7, 7}, out, "i32")
    same({1, 2, 3}, x, "i32")
    assert.equal(0, nd.zeros({0}, "i32"):idiv(nd.zeros({0}, "i32")).size)
    assert.equal(1 / 0, nd.f32 {1}:idiv(0)[1])
  end)

  it("are those of the target and the options", function()
    H.raises("read_only", a.add, a, a, {out = a:clone():readonly_view()})
    local view = nd.zeros(4):unfold(1, 2, 1)
    H.raises("overlap", view.add_, view, 1)
    H.raises("invalid_argument", a.add, a, a, {into = a})
    H.raises("type_mismatch", a.add, a, a, {out = {}})
    H.raises("type_mismatch", a.add, a)
    H.raises("type_mismatch", a.clamp, a)
    H.raises("type_mismatch", a.add, 1, a)
    local gone = a:clone()
    gone:free()
    H.raises("freed", a.add, a, gone)
    H.raises("freed", a.add, a, a, {out = gone})
  end)
end)

describe("results", function()
  it("go into out, as its dtype", function()
    local out = nd.zeros({2, 3}, "u8")
    assert.equal(out, a:mul(100, {out = out}))
    same({{100, 200, 255}, {255, 255, 255}}, out, "u8")
    assert.equal(out, nd.gt(a, 3, {out = out}))
    same({{0, 0, 0}, {1, 1, 1}}, out, "u8")
    local third = nd.f16 {1}:div(3, {out = nd.zeros(1, "f64")}) -- rounded to f16 first
    assert.equal(nd.f16 {1}:div(3)[1], third[1])
  end)

  it("in place take no options", function()
    local self, out = nd.zeros(2), nd.zeros(2)
    local ok, e = pcall(self.add_, self, 1, {out = out})
    assert.is_false(ok)
    assert.equal("invalid_argument", e.code)
    assert.same({0, 0}, self:totable())
  end)

  it("go into the array itself", function()
    local x = nd.u8 {1, 2, 3}
    assert.equal(x, x:add_(254):mul_(2))
    same({254, 0, 2}, x, "u8")
    same({127, 0, 1}, x:div_(2), "u8")
    same({1, 0, 1}, x:gt_(0), "u8")
    local y = nd.f32 {1, 2, 3, 4, 5}
    y"2:5":add_(y"1:4")
    same({1, 3, 5, 7, 9}, y, "f32")
    y:add_(y"-1:1:-1")
    same({10, 10, 10, 10, 10}, y, "f32")
    y:sub_(y"2:2")
    same({0, 0, 0, 0, 0}, y, "f32")
  end)

  it("of abs are the magnitudes of complex numbers, and stay out of complex arrays", function()
    local x = nd.c64 {complex(3, 4), complex(-3e30, 4e30), complex(0 / 0, -1 / 0),
                      complex(0 / 0, 1)}
    local sizes = x:abs()
    same({5, tonumber(ffi.new("float", 5e30)), 1 / 0}, sizes"1:3", "f32")
    assert.is_true(sizes:isnan()[4])
    same({5e300}, nd.c128 {complex(3e300, 4e300)}:abs(), "f64")
    same({5, 127, 127, 0}, x:abs {out = nd.zeros(4, "i8")}, "i8")
    same({5}, x"1:1":abs {out = nd.zeros(1, "f64")}, "f64")
    local before = x:copyout()
    H.raises_like("type_mismatch", "abs: the result is f32 and cannot be written to c64", x.abs_, x)
    H.raises_like("type_mismatch", "f32 and cannot be written to c128; use :abs%(%)",
      x.abs, x, {out = nd.zeros(4, "c128")})
    assert.equal(before, x:copyout())
    assert.equal(5, x:abs({out = x.real})[1]) -- overlaps what is read
    assert.equal(5, x[1].re)
    assert.equal(4, x[1].im)
    same({1, 127}, nd.i8 {-1, 127}:abs_(), "i8")
  end)

  it("of clamp need one bound", function()
    same({{2, 2, 3}, {4, 4, 4}}, a:clamp(2, 4), "i32")
    same({{1, 2, 3}, {4, 4, 4}}, a:clamp(nil, 4), "i32")
    same({{3, 3, 3}, {4, 5, 6}}, nd.clamp(a, 3), "i32")
    same({{3, 3, 3}, {4, 5, 5}}, a:clone():clamp_(3, nd.i32 {5, 5, 5}), "i32")
    assert.is_true(nd.f32 {0 / 0}:clamp(0, 1):isnan()[1])
    local out = nd.zeros({2, 3}, "i32")
    assert.equal(out, a:clamp(3, {out = out}))
    same({{3, 3, 3}, {4, 5, 6}}, out, "i32")
    same({{2, 2, 3}, {4, 5, 6}}, nd.clamp(a, 2, {}), "i32")
    same({{1, 2, 3}, {4, 4, 4}}, nd.clamp(a, nil, 4, {out = out}), "i32")
    H.raises("type_mismatch", a.clamp, a, 2, {out = out}, {out = out})
    H.raises("type_mismatch", a.clamp, a, {out = out})
  end)

  it("are arrays of no axes for arrays of no axes", function()
    local sum = nd.full({}, 2) + nd.full({}, 3)
    assert.equal(0, sum.ndim)
    assert.equal(5, sum())
  end)
end)
