-- 64-bit integers in Lua: numbers up to 2^53, cdata beyond, the same in every form and mode.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"

-- What integer text, as Python writes it, is to be: as type and digits.
local function wanted(text)
  local digits = text:gsub("^%-", "")
  local is_number = #digits < 16 or #digits == 16 and digits <= "9007199254740992"
  return is_number and "number" or "cdata", text
end

local function described(x)
  if type(x) == "number" then return "number", ("%.0f"):format(x) end
  return type(x), (tostring(x):gsub("U?LL$", ""))
end

local function check(text, x, form)
  local kind, digits = wanted(text)
  local got_kind, got = described(x)
  assert(kind == got_kind and digits == got, ("%s: %s %s, expected %s %s"):format(
    form, got_kind, got, kind, digits))
end

-- Values around every power of two, and random ones, as decimal text.
local function texts(dtype)
  local out = H.python([[
import random, sys
dtype, seed, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
lo, hi = (-2**63, 2**63 - 1) if dtype == 'i64' else (0, 2**64 - 1)
random.seed(seed)
values = [s * 2**p + d for p in range(65) for s in (1, -1) for d in (-2, -1, 0, 1, 2)]
values += [random.randint(lo, hi) >> random.randint(0, 63) for _ in range(n)]
print(*sorted({v for v in values if lo <= v <= hi}))
]], dtype, H.seed, H.cases(300))
  local list = {}
  for text in out:gmatch "%S+" do list[#list + 1] = text end
  return H.some(list, 60)
end

local function parse(text, dtype)
  if dtype == "u64" then return assert(loadstring("return " .. text .. "ULL"))() end
  if text == "-9223372036854775808" then return ffi.cast("int64_t", -2 ^ 63) end
  return assert(loadstring("return " .. text .. "LL"))()
end

-- All forms that read element i of a 1-D array, or element (i, 2) of a matrix.
local forms = {
  ["a[i]"] = function(a, _, i) return a[i] end,
  ["a(i)"] = function(a, _, i) return a(i) end,
  ["a:get(i)"] = function(a, _, i) return a:get(i) end,
  ["a[-k]"] = function(a, _, i) return a[i - #a - 1] end,
  ["a[{i}]"] = function(a, _, i) return a[{i}] end,
  ["item"] = function(a, _, i) return a:narrow(1, i, 1):item() end,
  ["a()"] = function(a, _, i) return a:narrow(1, i, 1):reshape({})() end,
  ["m(i, j)"] = function(_, m, i) return m(i, 2) end,
  ["m:get(i, j)"] = function(_, m, i) return m:get(i, 2) end,
  ["m[i][j]"] = function(_, m, i) return m[i][2] end,
  ["unpack"] = function(a, _, i) return (a:narrow(1, i, 1):unpack()) end,
  ["min"] = function(a, _, i) return a:narrow(1, i, 1):min() end,
  ["max"] = function(a, _, i) return a:narrow(1, i, 1):max() end,
  ["sum"] = function(a, _, i) return a:narrow(1, i, 1):sum() end,
  ["prod"] = function(a, _, i) return nd.prod(a:narrow(1, i, 1)) end,
}

for _, dtype in ipairs {"i64", "u64"} do
  describe("an integer of " .. dtype, function()
    local list, values = texts(dtype), {}
    for i, text in ipairs(list) do values[i] = parse(text, dtype) end
    local a, m = nd.array(values, dtype), nd.zeros({#list, 3}, dtype)
    m[":, 2"] = a

    for name, read in pairs(forms) do
      it("is a number up to 2^53 by " .. name, function()
        for _ = 1, 3 do -- compiled on the way
          for i, text in ipairs(list) do check(text, read(a, m, i), name) end
        end
        jit.off(read)
        for i, text in ipairs(list) do check(text, read(a, m, i), name .. ", interpreted") end
      end)
    end

    it("is a number up to 2^53 in lists, loops and records", function()
      for i, x in ipairs(a:totable()) do check(list[i], x, "totable") end
      for i, x in a:iter() do check(list[i], x, "iter") end
      local strided = m[":, 2"]
      for i, text in ipairs(list) do check(text, strided[i], "strided") end
      local bytes = nd.frombytes(("x"):rep(1) .. a:copyout())
      local odd = nd.records(bytes, {{"tag", "u8"}, {"x", dtype}}, {stride = 9, count = 1}).x
      check(list[1], odd[1], "misaligned field")
      local even = nd.records(nd.frombytes(a:copyout()), {{"x", dtype}}).x
      for i, text in ipairs(list) do check(text, even[i], "field") end
    end)

    it("prints as it is", function()
      for i = 1, #list, 7 do
        local text = tostring(a:narrow(1, i, 1)):match "%[(.*)%]"
        assert.equal(list[i], text)
      end
    end)

    it("is stored from what is read, in every form", function()
      local b = nd.zeros({#list}, dtype)
      for i = 1, #list do b[i] = a[i] end
      assert.is_true(b:equal(a))
      for i = 1, #list do b:set(i, 1) b:set(i, a(i)) end
      assert.is_true(b:equal(a))
      for i = 1, #list do b:narrow(1, i, 1):fill(a[i]) end
      assert.is_true(b:equal(a))
      assert.is_true(nd.array(a:totable(), dtype):equal(a))
    end)

    it("is added up in a loop that mixes both kinds", function()
      local c = nd.array({1, 2 ^ 53, 2 ^ 60, 7, 2 ^ 61}, dtype)
      local numbers, others = 0, 0
      for i = 1, 5000 do
        local x = c[i % 5 + 1]
        if type(x) == "number" then numbers = numbers + x % 1000 else others = others + 1 end
      end
      assert.equal(1000 * (1 + 2 ^ 53 % 1000 + 7), numbers)
      assert.equal(2000, others)
    end)
  end)
end

describe("integers of 64 bits in a script", function()
  it("are keys, quotients and arguments as other numbers are", function()
    local names, scores = {"ada", "bob", "cyd"}, nd.f64 {3, 1, 2}
    assert.equal("bob", names[scores:argsort()[1]])
    assert.equal("bob", names[scores:argmin()])
    local mask = scores:gt(1.5)
    assert.equal(2 / 3, mask:sum() / mask.size)
    assert.equal("6", ("%d"):format(nd.i32 {1, 2, 3}:sum()))
    assert.equal(2, math.sqrt(nd.u8 {1, 3}:sum()))
    assert.equal(-97, nd.u8 {1, 2, 200}:sum() - 300)
    assert.equal(9, math.max(nd.i64 {9, 3}:max(), 4))
    assert.equal("cdata", type(nd.i64 {2 ^ 53, 1}:sum()))
    assert.equal("cdata", type(nd.u64 {2 ^ 32, 2 ^ 31}:prod()))
    assert.equal(2 ^ 53, nd.i64 {2 ^ 53, 0}:sum())
    assert.equal(-2 ^ 53, nd.i64 {-2 ^ 53}[1])
  end)
end)

-- Each call with numbers N, and with i64 and u64 cdata for them, has to give the same.
local calls = {
  "nd.zeros(N(2), N(3))", "nd.ones({N(2), N(3)})", "nd.full({N(2)}, N(7))",
  "nd.full({2}, N(7), 'u8')", "nd.arange(N(1), N(9), N(2))", "nd.arange(N(5))",
  "nd.linspace(N(0), N(8), N(5))", "nd.eye(N(3))", "nd.empty(N(2)):fill(N(3))",
  "nd.random({N(3)}, {seed = N(5)})", "nd.normal({N(3)}, {seed = N(5)})",
  "nd.randint(N(1), N(9), {N(4)}, {seed = N(2)})", "nd.permutation(N(5), {seed = N(1)})",
  "nd.frombytes('abcdef', 'u16', {N(3)})", "nd.zeros_like(v, {dtype = 'u8'}) + N(1)",
  "nd.array({N(1), N(2)})", "nd.array(N(4))", "nd.u8 {N(3)}", "nd.concat({m, m}, N(2))",
  "nd.stack({v, v}, N(2))", "nd.wrap(p, 'f64', {N(2)})", "nd.wrap(p, 'f64', N(2))", "v[N(2)]",
  "v[-N(1)]", "m(N(2), N(3))", "m:get(N(1), N(2))", "m[{N(2), N(1)}]", "m[{{N(1), N(2)}, N(3)}]",
  "m[N(2)]", "m:clone():set(N(1), N(2), N(9))", "set(v, N(2), N(8))", "v:take({N(1), N(3)})",
  "v:take(N(2))", "m:take({N(1)}, N(2))", "v:clone():put({N(1)}, N(5))",
  "v:clone():index_add(N(1), {N(2)}, N(5))", "m:dim(N(2))", "m:reshape(N(3), N(2))",
  "m:reshape({N(3), -N(1)})", "m:permute(N(2), N(1))", "m:swapaxes(N(1), N(2))",
  "m:narrow(N(2), N(2), N(2))", "m:select(N(1), N(2))", "v:unsqueeze(N(1))",
  "v:unsqueeze(1):squeeze(N(1))", "v:expand({N(2), N(3)})", "v:unfold(N(1), N(2), N(1))",
  "m:diagonal(N(1))", "m:flip(N(2))", "v:bytes(N(8), N(8))", "m:split(N(2), N(3))[2]",
  "m:split(N(2), {N(1), N(2)})[2]", "v:as_strided({N(2)}, {N(8)}, N(8))", "v:tile({N(2)})",
  "v:repeat_interleave(N(2), N(1))", "v:roll(N(1), N(1))", "v:pad({{N(1), N(2)}}, N(4))",
  "v + N(2)", "v:mul(N(2))", "v:clone():add_(N(1))", "v:clamp(N(1), N(2))", "v:pow(N(2))",
  "nd.where(v:gt(N(1)), v, N(6))", "v:lt(N(2))", "nd.maximum(v, N(2))", "nd.i32 {4}:shl(N(1))",
  "m:sum {axis = N(1)}", "m:sum {axis = {N(1), N(2)}}", "m:argmax {axis = N(2)}",
  "v:var {ddof = N(1)}", "m:sort(N(1))", "m:argsort(N(2))", "nd.allclose(v, v + 0.5, N(1), N(0))",
  "nd.records(('a'):rep(9), {{'x', 'u8'}}, {offset = N(1), stride = N(2), count = N(3)}).x",
  "v[nd.i64 {N(2)}]", "nd.set_threads(N(1)) and 1", "nd.seed(N(4))", "v:copyout(p, N(24))",
  "v:clone():copyin(('\\0'):rep(24), N(24))",
}

describe("cdata of 64 bits", function()
  local function text(x)
    if type(x) == "userdata" then return tostring(x) .. table.concat(x.shape, "x") end
    if type(x) == "number" then return ("%.17g"):format(x) end
    return type(x) == "cdata" and "cdata" or tostring(x)
  end
  for _, call in ipairs(calls) do
    it("serves where a number does: " .. call, function()
      local run = assert(loadstring([[local nd, N, v, m, p, set = ... return ]] .. call))
      local function set(a, i, x)
        local b = a:clone()
        b[i] = x
        return b
      end
      local function result(N)
        local v, m = nd.array {1, 2, 3}, nd.array {{1, 2, 3}, {4, 5, 6}}
        local p = ffi.new("double[3]", {7, 8, 9})
        return text((run(nd, N, v, m, p, set)))
      end
      local plain = result(function(x) return x end)
      assert.equal(plain, result(function(x) return ffi.cast("int64_t", x) end))
      if not call:find "%-N" then
        assert.equal(plain, result(function(x) return ffi.cast("uint64_t", x) end))
      end
    end)
  end
end)
