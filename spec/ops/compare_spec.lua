-- Comparisons of all dtypes with one another and with values of scripts answer as mathematics does,
-- bounds too; against Python, whose integers and floats are exact beside one another.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local cases = require "spec.ops.cases"
local common = require "spec.bind.common"

local NAMES = common.NAMES
local COMPARISONS = {"lt", "le", "gt", "ge", "eq", "ne"}
local complex = ffi.typeof "complex"

-- ---- edges ----

local INF, NAN = 1 / 0, 0 / 0
local NUMBERS = {0, -0, 1, -1, 2, 0.5, -0.5, 0.1, 1.5, 126.5, 127, 128, -128, -129, 255, 255.5, 256,
                 448, 449, 465, 32767, 32768, 65504, 65519, 65520, 65535, 65536, 2 ^ 24, 2 ^ 24 + 1,
                 2 ^ 31 - 1, 2 ^ 31, -2 ^ 31, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 53 - 1, 2 ^ 53, 2 ^ 53 + 2,
                 -2 ^ 53, 2 ^ 63 - 1024, 2 ^ 63, 2 ^ 63 + 2048, -2 ^ 63, -2 ^ 63 - 2048,
                 2 ^ 64 - 2048, 2 ^ 64, 2 ^ 64 + 4096, 3.4e38, 3.5e38, 1e300, -1e300, 5e-324, INF,
                 -INF, NAN}
local SIGNED = {2LL ^ 53 - 1LL, 2LL ^ 53 + 1LL, -(2LL ^ 53) - 1LL, 0x7fffffffffffffffLL,
                0x7ffffffffffffc00LL, 0x7ffffffffffffbffLL, -0x7fffffffffffffffLL,
                -0x7fffffffffffffffLL - 1LL, -1LL, 255LL, 256LL}
local UNSIGNED = {2ULL ^ 53 + 1ULL, 0x7fffffffffffffffULL, 0x8000000000000000ULL,
                  0x8000000000000001ULL, 0xfffffffffffff800ULL, 0xfffffffffffff7ffULL,
                  0xffffffffffffffffULL, 256ULL}
local COMPLEX = {complex(1, 0), complex(1, -1), complex(2 ^ 53, 0), complex(2 ^ 53, 5e-324),
                 complex(NAN, 0), complex(0, NAN), complex(0.1, 0)}

local function joined(...)
  local out = {}
  for _, list in ipairs {...} do
    for _, x in ipairs(list) do out[#out + 1] = x end
  end
  return out
end

-- What of these the dtype holds, or what a store makes of it.
local function edges(dtype)
  if dtype == "i64" then return nd.array(joined(NUMBERS, SIGNED), dtype) end
  if dtype == "u64" then return nd.array(joined(NUMBERS, UNSIGNED), dtype) end
  if dtype:find "^c" then return nd.array(joined(NUMBERS, COMPLEX), dtype) end
  return nd.array(NUMBERS, dtype)
end

local function layout(rng, a) return cases.layouts[cases.LAYOUTS[rng(5)]](a) end

-- ---- against Python ----

describe("comparisons", function()
  -- Each of 'combinations', or a part of them in the slow jobs, through 'try', which writes lines
  -- for the oracle and returns how many.
  local function ask(name, combinations, try)
    local rng, path, count = H.rng(name), H.path "cases", 0
    local out = io.open(path, "w")
    for _, combination in ipairs(combinations) do
      local is_drawn = rng() < H.cases(10000) / 10000
      if is_drawn then count = count + try(rng, out, unpack(combination)) end
    end
    out:close()
    assert(count > 0 and count == cases.verdict(path))
  end

  it("of all dtypes with all are exact, broadcast, in all layouts", function()
    local combinations = {}
    for _, left in ipairs(NAMES) do
      for _, right in ipairs(NAMES) do
        for _, name in ipairs(COMPARISONS) do
          combinations[#combinations + 1] = {name, left, right}
        end
      end
    end
    ask("compare", combinations, function(rng, out, name, left, right)
      local a, b = edges(left), edges(right)
      local column = layout(rng, a:reshape(a.size, 1))
      local result = cases.run(out, name, {column, layout(rng, b)})
      if result then
        local got = nd[name](column, b, {out = layout(rng, nd.zeros(result.shape, "f32"))})
        assert(got:astype "bool":equal(result), name)
      end
      return 1
    end)
  end)

  it("with values of scripts, on either side, do not ask whether the dtype holds them", function()
    local combinations = {}
    for _, dtype in ipairs(NAMES) do
      for _, value in ipairs(joined(NUMBERS, SIGNED, UNSIGNED, COMPLEX, {true, false})) do
        for _, name in ipairs(COMPARISONS) do
          combinations[#combinations + 1] = {name, dtype, value}
        end
      end
    end
    ask("values", combinations, function(rng, out, name, dtype, value)
      local a = edges(dtype)
      local result = cases.run(out, name, {layout(rng, a), value})
      assert.equal(not result, not cases.run(out, name, {value, a}))
      if result and dtype:sub(1, 1) ~= "c" then
        local target = layout(rng, a)
        assert.equal(target, target[name .. "_"](target, value))
        assert(target:equal(result:astype(dtype)), name)
      end
      return 2
    end)
  end)

  it("are those of Lua for each element", function()
    local rng = H.rng "lua"
    local compare = {
      lt = function(x, y) return x < y end,
      le = function(x, y) return x <= y end,
      gt = function(x, y) return x > y end,
      ge = function(x, y) return x >= y end,
      eq = function(x, y) return x == y end,
      ne = function(x, y) return x ~= y end,
    }
    for _, dtype in ipairs {"i8", "u8", "i16", "u16", "i32", "u32", "f16", "bf16", "f32", "f64",
                            "f8e4m3", "f8e5m2"} do
      local a = edges(dtype)
      for _ = 1, H.cases(#NUMBERS) do
        local value = NUMBERS[rng(#NUMBERS)]
        for name, fn in pairs(compare) do
          local want = {}
          for i = 1, a.size do want[i] = fn(a[i], value) end
          assert.same(want, a[name](a, value):totable(), dtype .. ":" .. name .. " " .. value)
        end
      end
    end
  end)

  it("by hand", function()
    local u8, f32 = nd.u8 {0, 255}, nd.f32 {0.1, NAN}
    assert.same({true, true}, u8:lt(256):totable())
    assert.same({true, true}, u8:ge(-1):totable())
    assert.same({false, false}, nd.i32 {0, 1}:eq(0.5):totable())
    assert.same({true, true}, nd.i32 {0, 1}:ne(NAN):totable())
    for _, name in ipairs {"lt", "le", "gt", "ge", "eq"} do
      local signs = nd.i32 {-1, 0, 1}
      assert.same({false, false, false}, signs[name](signs, NAN):totable(), name)
    end
    assert.same({false}, nd.f8e4m3 {448}:eq(INF):totable())
    assert.same({false, false}, f32:eq(0.1):totable()) -- the nearest f32 is above
    assert.same({true, false}, f32:gt(0.1):totable())
    assert.same({true, true}, f32:ne(0.1):totable())
    assert.same({true}, nd.i64 {2LL ^ 53 + 1LL}:gt(nd.f64 {2 ^ 53}):totable())
    assert.same({true}, nd.i64 {-1}:lt(nd.u64 {0}):totable())
    assert.same({false}, nd.u64 {0xffffffffffffffffULL}:eq(2 ^ 64):totable())
    assert.same({false}, nd.f64 {2 ^ 53}:eq(2LL ^ 53 + 1LL):totable())
    assert.same({false, true}, nd.array({false, true}, "bool"):gt(0.5):totable())
    assert.same({false, false}, nd.array({false, true}, "bool"):lt(-1):totable())
    assert.same({1, 1}, u8:clone():lt_(1e300):totable())
    H.raises_like("not_representable", "lt: a complex value", u8.lt, u8, complex(1, 0))
    H.raises_like("type_mismatch", "lt is not defined for c64", nd.lt, nd.c64 {1}, nd.i64 {1})
  end)

  it("of 64-bit integers and floats with one another hold at the ends, by hand", function()
    local ORDERS = {["<"] = "lt le ne", ["="] = "le ge eq", [">"] = "gt ge ne", none = "ne"}
    local TURNED = {["<"] = ">", [">"] = "<", ["="] = "=", none = "none"}
    local most, past = 0x7fffffffffffffffLL, 0xffffffffffffffffULL
    for _, case in ipairs {
      {nd.i64 {-1}, "<", nd.u64 {0}}, {nd.i64 {-1}, "<", nd.u64 {past}},
      {nd.i64 {5}, "=", nd.u64 {5}}, {nd.i64 {most}, "<", nd.u64 {past}},
      {nd.i64 {5}, "none", nd.f64 {NAN}}, {nd.u64 {5}, "none", nd.f64 {NAN}},
      {nd.i64 {2LL ^ 53 + 1LL}, ">", nd.f64 {2 ^ 53}}, {nd.i64 {most}, "<", nd.f64 {2 ^ 63}},
      {nd.i64 {-most - 1}, "=", nd.f64 {-2 ^ 63}}, {nd.u64 {past}, "<", nd.f64 {2 ^ 64}},
    } do
      local a, order, b = unpack(case)
      for _, name in ipairs(COMPARISONS) do
        local text = table.concat({tostring(a), name, tostring(b)}, " ")
        local wanted, turned = ORDERS[order], ORDERS[TURNED[order]]
        assert.equal(wanted:find(name, 1, true) ~= nil, a[name](a, b):item(), text)
        assert.equal(turned:find(name, 1, true) ~= nil, b[name](b, a):item(), text .. ", turned")
      end
    end
  end)

  it("share the work among threads without a trace, whatever the dtypes", function()
    local n, threads = 3000001, nd.set_threads(1)
    local a = nd.randint(-9, 9, {n}, "i64", {seed = 1})
    local b = nd.randint(-9, 9, {n}, "i64", {seed = 2}):astype "f64"
    local want
    for _, count in ipairs(H.some({1, 2, 3, 7}, 2)) do
      nd.set_threads(count)
      local got = {a:lt(b), a:ge(b["::-1"]), a:eq(nd.u64 {3})}
      want = want or got
      for i = 1, #got do assert.is_true(got[i]:equal(want[i])) end
    end
    nd.set_threads(threads)
    assert.equal(a:sub(b:astype "i64"):lt(0):count_nonzero(), want[1]:count_nonzero())
    assert.equal(a:eq(3):count_nonzero(), want[3]:count_nonzero())
    local whole, float = a:clone(), a:astype "f64"
    for _, i in ipairs {1, 2 ^ 20, 2 ^ 20 + 1, 2500000, n} do -- whole arrays go by 2^20 elements
      assert(a:equal(whole) and nd.allclose(a, whole, 0, 0) and nd.allclose(a, float, 0, 0))
      whole[i], float[i] = whole[i] + 1LL, float[i] + 1
      assert.is_false(a:equal(whole) or nd.allclose(a, whole, 0, 0) or nd.allclose(a, float, 0, 0))
      whole[i], float[i] = whole[i] - 1LL, float[i] - 1
    end
  end)
end)

describe("bounds", function()
  local function refused(text, fn, ...)
    local e = H.raises_like("not_representable", "astype", fn, ...)
    assert.is_truthy(e.message:find(text, 1, true), e.message)
  end

  local RANGES = {bool = {0, 1}, i8 = {-128, 127}, u8 = {0, 255}, i16 = {-32768, 32767},
                  u16 = {0, 65535}, i32 = {-2 ^ 31, 2 ^ 31 - 1}, u32 = {0, 2 ^ 32 - 1}}

  it("that never bind leave the elements as they are", function()
    for dtype, range in pairs(RANGES) do
      local a = edges(dtype)
      local below, above = range[1] - 0.5, range[2] + 0.5
      for _, far in ipairs {0, 1e300, INF} do
        assert(a:minimum(above + far):equal(a) and nd.minimum(above + far, a):equal(a))
        assert(a:maximum(below - far):equal(a) and nd.maximum(below - far, a):equal(a))
        assert(a:clamp(below - far, above + far):equal(a))
        assert(a:clamp(below - far):equal(a) and a:clamp(nil, above + far):equal(a))
        assert(a:clone():minimum_(above + far):equal(a))
        assert(a:clone():clamp_(below - far, above + far):equal(a))
        assert(a:clamp(below - far, above, {out = nd.zeros(a.shape, dtype)}):equal(a))
        refused("minimum: ", a.minimum, a, below - far)
        refused("maximum: ", a.maximum, a, above + far)
        refused("clamp: ", a.clamp, a, above + far)
        refused("clamp: ", a.clamp, a, nil, below - far)
      end
      refused("minimum: 0.5", a.minimum, a, 0.5)
      refused("maximum: nan", a.maximum, a, NAN)
      refused("clamp: nan", a.clamp, a, 0, NAN)
    end
  end)

  it("of 64-bit integers may be numbers and cdata of the other sign", function()
    local i64, u64 = edges "i64", edges "u64"
    assert(i64:minimum(2 ^ 63):equal(i64) and i64:maximum(-2 ^ 63 - 2048):equal(i64))
    assert(i64:minimum(0xffffffffffffffffULL):equal(i64))
    assert(u64:maximum(-1LL):equal(u64) and u64:clamp(-1e300, 2 ^ 64):equal(u64))
    refused("maximum: 18446744073709551615 ", i64.maximum, i64, 0xffffffffffffffffULL)
    refused("minimum: -1 ", u64.minimum, u64, -1LL)
  end)

  it("are rounded to floats, and cross as they did", function()
    assert.equal(tonumber(ffi.new("float", 0.1)), nd.f32 {1}:minimum(0.1)[1])
    assert.equal(448, nd.f8e4m3 {448}:minimum(INF)[1])
    assert.same({5, 5, 5}, nd.u8 {0, 7, 255}:clamp(10, 5):totable())
    assert.same({0, 5}, nd.u8 {0, 9}:clamp(-1, 5):totable())
  end)
end)

describe("allclose", function()
  -- Pairs of edges with their exact difference, where that is a double, and the double below it.
  local SCRIPT = [[
import fractions, math, sys
for line in open(sys.argv[1]):
    a, b = [fractions.Fraction(float.fromhex(t) if 'x' in t else int(t)) for t in line.split()]
    gap = abs(a - b)
    near = float(gap)
    print(near.hex() if fractions.Fraction(near) == gap else '-',
          math.nextafter(near, 0).hex() if gap else '-')
]]
  local REALS = {"i64", "u64", "f64"}

  local function text_of(x)
    if type(x) == "number" then return ("%a"):format(x) end
    return (tostring(x):gsub("U?LL$", ""))
  end

  it("takes the difference of 64-bit integers and floats exactly", function()
    local singles = {} -- of each dtype the edges, one by one, and as text
    for _, dtype in ipairs(REALS) do
      local a = edges(dtype)
      singles[dtype] = {}
      for i = 1, a.size do singles[dtype][i] = {a:narrow(1, i, 1), text_of(a(i))} end
    end
    local rng, sides, lines = H.rng "allclose", {}, {}
    for _ = 1, H.cases(20000) do
      local left = rng(#REALS)
      local a, b = singles[REALS[left]], singles[REALS[(left + rng(2) - 1) % 3 + 1]]
      local x, y = a[rng(#a)], b[rng(#b)]
      if not (x[2] .. y[2]):find "[in][na]" then
        sides[#sides + 1], lines[#lines + 1] = {x[1], y[1]}, x[2] .. " " .. y[2]
      end
    end
    local k, tried = 0, 0
    for gap, below in H.python(SCRIPT, H.write(H.path "pairs", table.concat(lines, "\n")))
      :gmatch "(%S+) (%S+)\n" do
      k = k + 1
      local a, b = unpack(sides[k])
      assert.equal(below == "-", nd.allclose(a, b, 0, 0), lines[k])
      if gap ~= "-" and below ~= "-" then
        tried = tried + 1
        assert.is_true(nd.allclose(a, b, 0, tonumber(gap)), lines[k])
        assert.is_false(nd.allclose(a, b, 0, tonumber(below)), lines[k])
      end
    end
    assert.equal(#lines, k)
    assert(tried > H.cases(1000), tried)
  end)

  it("takes complex numbers beside 64-bit integers", function()
    local a = nd.i64 {2LL ^ 53 + 1LL, 4}
    local beside = nd.c128 {complex(2 ^ 53, 1), 4, complex(4, -5e-324)}
    for _, dtype in ipairs {"i64", "u64"} do
      local whole = nd.array({2 ^ 53, 4, 4}, dtype)
      assert.same({false, true, false}, whole:eq(beside):totable())
      assert.same({false, true, false}, beside:eq(whole):totable())
      assert.same({true, false, true}, beside:ne(whole):totable())
    end
    assert.is_false(nd.allclose(a, nd.c128 {2 ^ 53, 4}, 0, 0.5))
    assert.is_true(nd.allclose(a, nd.c128 {2 ^ 53, 4}, 0, 1))
    assert.is_false(nd.allclose(nd.c64 {4, complex(4, 3)}, nd.u64 {4}, 0, 2.5))
    assert.is_true(nd.allclose(nd.c64 {4, complex(4, 3)}, nd.u64 {4}, 0, 3))
    assert.is_false(nd.allclose(nd.i64 {1}, nd.f64 {NAN}, 1, 1))
    assert.is_false(nd.allclose(nd.f64 {INF}, nd.u64 {1}, 1, 1))
  end)
end)
