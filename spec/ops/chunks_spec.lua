-- Loops past each of their chunk sizes: 2^20 elements of a run, 32 MiB of plain copies, blocks of
-- 1024 in reductions; on 1, 2, 3 and 7 threads, each of whose parts is longer than a chunk, but of
-- the plain copies on 7. Against Lua's own arithmetic on what the inputs were made of.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"

ffi.cdef "int memcmp(const void *, const void *, size_t);"

local CHUNK, PERIOD = 2 ^ 20, 65521
local N = 7 * CHUNK + 4321
local THREADS = H.cases(10) < 10 and {1, 7} or {1, 2, 3, 7}
local rng = H.rng "chunks"
local before = nd.info().threads

-- An array that repeats PERIOD values, a prime number, and the function of its indices from 0.
local function periodic(dtype, n, value)
  local values = {}
  for i = 1, PERIOD do values[i] = value(i) end
  local pattern = nd.array(values, dtype)
  local kept = pattern:totable()
  local bytes = pattern:copyout():rep(math.ceil(n / PERIOD)):sub(1, n * nd[dtype].itemsize)
  return nd.frombytes(bytes, dtype), function(i) return kept[i % PERIOD + 1] end
end

local function same_bytes(a, b)
  return a.nbytes == b.nbytes and a.dtype == b.dtype
    and ffi.C.memcmp(a:ptr(), b:ptr(), a.nbytes) == 0
end

-- Is element i, from 0, wanted(i) for each 61st i, and all near the ends of chunks?
local function check_all(a, n, wanted)
  assert.equal(n, a.size)
  local p = a:ptr()
  local function check(i)
    if p[i] ~= wanted(i) then error(("element %d is %s, not %s"):format(i, p[i], wanted(i))) end
  end
  for i = 0, n - 1, 61 do check(i) end
  for edge = CHUNK, n - 3, CHUNK do
    for i = edge - 3, edge + 3 do check(i) end
  end
  check(n - 1)
end

-- What 'make' gives is 'wanted' on one thread, and the same on more of them.
local function on_threads(make, wanted, n)
  local alone
  for _, threads in ipairs(THREADS) do
    nd.set_threads(threads)
    local a = make():contiguous()
    if not alone then
      alone = a
      check_all(a, n or N, wanted)
    end
    assert.is_true(same_bytes(alone, a), "on " .. threads .. " threads")
  end
end

local function small(i) return (i * 37) % 251 - 100 end
local function other(i) return (i * 101) % 239 - 110 end
local function truth(x) return x and 1 or 0 end

describe("past a chunk #slow", function()
  local x, at_x = periodic("i32", N, small)
  local y, at_y = periodic("i32", N, other)
  after_each(function() nd.set_threads(before) end)

  it("plain copies go on, of 32 MiB and more", function()
    local n = 3 * 32 * nd.MiB + 3 * 12345
    local a, at = periodic("u8", n, function(i) return (i * 37) % 256 end)
    on_threads(function() return a:clone() end, at, n)
    on_threads(function() return nd.empty({n}, "u8"):copy_from(a) end, at, n)
  end)

  it("copies at a step, and conversions, go on", function()
    local wide, at = periodic("i16", 2 * N, small)
    on_threads(function() return wide"::2":clone() end, function(i) return at(2 * i) end)
    on_threads(function() return wide"::2":astype "i32" end, function(i) return at(2 * i) end)
    on_threads(function() return wide"-1::-2":clone() end,
      function(i) return at(2 * N - 1 - 2 * i) end)
    on_threads(function()
      local target = nd.zeros({2 * N}, "i16")
      target"2::2":copy_from(x)
      return target
    end, function(i) return i % 2 == 1 and at_x((i - 1) / 2) or 0 end, 2 * N)
    on_threads(function() return x:astype "i8" end, function(i) return math.min(at_x(i), 127) end)
    on_threads(function() return x"-1::-1":astype "i8" end,
      function(i) return math.min(at_x(N - 1 - i), 127) end)
    on_threads(function() return x:astype "f64" end, at_x)
    on_threads(function() return nd.full({N}, 7, "i16") end, function() return 7 end)
  end)

  it("a chunk of one element is like the others", function()
    for n = CHUNK + 1, CHUNK + 2 do
      for _, dtype in ipairs {"u8", "i16", "f32", "f64", "c128"} do
        local a = nd.full({1}, 7, dtype):expand(n):clone()
        assert.is_true(a[{{n, n}}]:equal(nd.full({1}, 7, dtype)), dtype)
        assert.is_true(a[{{CHUNK, CHUNK}}]:equal(nd.full({1}, 7, dtype)), dtype)
      end
    end
  end)

  it("transpositions go on", function()
    local rows, columns = 2711, 2713
    local a, at = periodic("u8", rows * columns, function(i) return (i * 37) % 256 end)
    local m = a:reshape(rows, columns)
    local function turned(i) return at(i % rows * columns + math.floor(i / rows)) end
    on_threads(function() return m.T:clone() end, turned, rows * columns)
    on_threads(function() return m.T:astype "i16" end, turned, rows * columns)
  end)

  it("each operand of an operation goes on", function()
    on_threads(function() return x + y end, function(i) return at_x(i) + at_y(i) end)
    on_threads(function() return -x end, function(i) return -at_x(i) end)
    on_threads(function() return x:sub(5) end, function(i) return at_x(i) - 5 end)
    on_threads(function() return nd.sub(5, x) end, function(i) return 5 - at_x(i) end)
    on_threads(function() return x:clone():mul_(y) end, function(i) return at_x(i) * at_y(i) end)
    on_threads(function() return x:lt(y) end, function(i) return truth(at_x(i) < at_y(i)) end)
    on_threads(function() return nd.where(x:lt(y), x, y) end,
      function(i) return math.min(at_x(i), at_y(i)) end)
    on_threads(function() return x:clamp(-20, y) end,
      function(i) return math.min(math.max(at_x(i), -20), at_y(i)) end)
    on_threads(function() return x:astype "f64" / y:maximum(1) end,
      function(i) return at_x(i) / math.max(at_y(i), 1) end)
  end)

  it("an operand that is refused is found, and nothing is written", function()
    for _, at in ipairs {1, CHUNK, CHUNK + 1, 3 * CHUNK + 77, N} do
      local divisor, count = nd.ones({N}, "i32"), nd.ones({N}, "i32")
      divisor[at], count[at] = 0, -1
      local position = ("%%f[%%d]%d%%f[%%D]"):format(at)
      for _, n in ipairs(THREADS) do
        nd.set_threads(n)
        for op, operand in pairs {idiv = divisor, mod = divisor, shl = count, shr = count} do
          local z = x:clone()
          local e = H.raises("invalid_argument", z[op .. "_"], z, operand)
          assert.truthy(e.message:find(position), op .. " " .. at)
          assert.is_true(same_bytes(x, z))
        end
      end
    end
  end)

  it("a conversion that is refused is found", function()
    for _, at in ipairs {CHUNK, CHUNK + 1, 5 * CHUNK + 3} do
      local z = nd.zeros({N}, "i32")
      z[at] = 300
      local e = H.raises("not_representable", z.astype, z, "u8", {mode = "check"})
      assert.truthy(e.message:find(("element %d%%f[%%D]"):format(at)), e.message)
    end
  end)

  it("a difference is found", function()
    for _, at in ipairs {CHUNK, CHUNK + 1, 5 * CHUNK + 3, N} do
      local z = x:clone()
      assert.is_true(z:equal(x) and nd.allclose(z, x))
      z[at] = 1000
      assert.is_false(z:equal(x))
      assert.is_false(nd.allclose(z, x))
    end
  end)

  it("a wrong index is found, and its position told", function()
    local list = nd.ones({2 * CHUNK + 99}, "i64")
    local line = nd.arange(5)
    for _, at in ipairs {CHUNK, CHUNK + 1, 2 * CHUNK + 98} do
      for _, bad in ipairs {6, 0, -6} do
        local wrong = list:clone()
        wrong[at] = bad
        for _, call in ipairs {
          function() return line:take(wrong) end, function() return line[wrong] end,
          function() line:put(wrong, 1) end, function() line:index_add(1, wrong, 1) end,
        } do
          local e = H.raises("index_out_of_range", call)
          assert.equal(at, e.position)
          assert.equal(bad, tonumber(e.value))
        end
      end
    end
    assert.same({1, 2, 3, 4, 5}, line:totable())
  end)

  it("picks by an index go on", function()
    local index, at = periodic("i32", N, function(i) return (i * 7919) % 5000 + 1 end)
    on_threads(function() return x[index] end, function(i) return at_x(at(i) - 1) end)
    local last = {}
    for i = 0, N - 1 do last[at(i)] = at_x(i) end
    on_threads(function() return nd.zeros({5000}, "i32"):put(index, x) end,
      function(i) return last[i + 1] or 0 end, 5000)
    local sums = {}
    for i = 0, N - 1 do sums[at(i)] = (sums[at(i)] or 0) + at_x(i) end
    on_threads(function() return nd.zeros({5000}, "i32"):index_add(1, index, x) end,
      function(i) return sums[i + 1] or 0 end, 5000)
    local m = x"1:3000000":reshape(1000, 3000)
    local picks = nd.randint(1, 1000, {1501}, "i64", {seed = rng(1e6)})
    local list = picks:totable()
    on_threads(function() return m[picks] end, function(i)
      return at_x((tonumber(list[math.floor(i / 3000) + 1]) - 1) * 3000 + i % 3000)
    end, 1501 * 3000)
  end)

  it("picks and stores by a mask go on", function()
    local mask, is_true = periodic("bool", N, function(i) return (i * 31) % 7 < 3 end)
    local picked, wanted = {}, 0
    for i = 0, N - 1 do
      if is_true(i) then picked[wanted], wanted = i, wanted + 1 end
    end
    on_threads(function() return x[mask] end, function(i) return at_x(picked[i]) end, wanted)
    local m, of_m = x"1:7000000":reshape(1000, 7000), mask"1:7000000":reshape(1000, 7000)
    on_threads(function() return m[of_m] end,
      function(i) return at_x(picked[i]) end, x"1:7000000"[mask"1:7000000"].size)
    local function stored(values)
      return function()
        local z = y:clone()
        z[mask] = values
        return z
      end
    end
    on_threads(stored(-1000), function(i) return is_true(i) and -1000 or at_y(i) end)
    local rank = {}
    for i = 0, wanted - 1 do rank[picked[i]] = i end
    on_threads(stored(x[("1:%d"):format(wanted)]),
      function(i) return rank[i] and at_x(rank[i]) or at_y(i) end)
  end)

  it("ranges go on", function()
    on_threads(function() return nd.arange(5, N + 4, 1, "i32") end, function(i) return 5 + i end)
    on_threads(function() return nd.arange(0.5, N, 1, "f64") end, function(i) return 0.5 + i end)
    on_threads(function() return nd.linspace(0, 2 * (N - 1), N, "i32") end,
      function(i) return 2 * i end)
    on_threads(function() return nd.linspace(0, (N - 1) / 4, N) end, function(i) return i / 4 end)
  end)

  it("reductions are the same on all threads, and what Lua adds up", function()
    local sum, most = 0, -math.huge
    for i = 0, N - 1 do sum, most = sum + at_x(i), math.max(most, at_x(i)) end
    local late, f = x:clone(), x:astype "f32"
    late[N - 5] = most + 1
    local means = {}
    for k, n in ipairs(THREADS) do
      nd.set_threads(n)
      assert.equal(sum, tonumber(x:sum()))
      assert.equal(most, x:max())
      assert.equal(N - 5, tonumber(late:argmax()))
      means[k] = f:mean()
      assert.equal(means[1], means[k])
      assert.is_true(math.abs(means[k] - sum / N) < 1e-5)
    end
  end)
end)

-- Element i of a random array comes from the Philox block of (seed, i, 0) alone.
local PHILOX = [[
import sys
def philox(key, counter):
    k, c = [key & 0xffffffff, key >> 32], [counter & 0xffffffff, counter >> 32, 0, 0]
    for _ in range(10):
        a, b = 0xd2511f53 * c[0], 0xcd9e8d57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & 0xffffffff, (a >> 32) ^ c[3] ^ k[1], a & 0xffffffff]
        k = [(k[0] + 0x9e3779b9) & 0xffffffff, (k[1] + 0xbb67ae85) & 0xffffffff]
    return c[0] << 96 | c[1] << 64 | c[2] << 32 | c[3]
seed = int(sys.argv[1])
for at in sys.argv[2:]:
    bits = philox(seed, int(at))
    print(at, repr((bits >> 75) * 2 ** -53), bits * (3 * 2 ** 62) >> 128, bits * 1000 >> 128)
]]

describe("random numbers past a chunk", function()
  it("are those of their index", function()
    local seed, at = rng(1e6), {}
    for edge = 0, 2 do
      for i = -2, 2 do at[#at + 1] = tostring(math.max(0, edge * CHUNK + i)) end
    end
    local n = 2 * CHUNK + 3
    local opts = {seed = seed}
    local uniform = nd.random({n}, opts)
    local wide = nd.randint(0, 3ULL * 2ULL ^ 62 - 1, {n}, "u64", opts)
    local narrow, normal = nd.randint(0, 999, {n}, "i16", opts), nd.normal({n}, opts)
    local count = 0
    for i, u, w, k in H.python(PHILOX, seed, unpack(at)):gmatch "(%d+) (%S+) (%d+) (%d+)" do
      i = tonumber(i) + 1
      assert.equal(tonumber(u), uniform[i])
      assert.is_true(wide[i] == loadstring("return " .. w .. "ULL")())
      assert.equal(tonumber(k), narrow[i])
      count = count + 1
    end
    assert.equal(#at, count)
    assert.is_false(normal"1:1000":equal(normal[{{CHUNK + 1, CHUNK + 1000}}]))
    assert.is_true(normal[{{1, 1000}}]:equal(nd.normal({1000}, {seed = seed})))
    assert.is_true(math.abs(normal[{{CHUNK + 1, 2 * CHUNK}}]:mean()) < 0.01)
  end)
end)

describe("argmin and argmax past a block", function()
  local BLOCK = 1024

  it("give the first NaN, in whichever blocks there are some", function()
    for _, dtype in ipairs {"f16", "bf16", "f32", "f64"} do
      for _, places in ipairs {{1500, 3000}, {3000, 1500}, {BLOCK, BLOCK + 1}, {1, 4 * BLOCK},
                               {2 * BLOCK + 5}, {9000, 17000}, {17000, 9000}} do
        local a = nd.arange(20000):mod(77):astype(dtype)
        local first = math.huge
        for _, at in ipairs(places) do
          a[at] = 0 / 0
          first = math.min(first, at)
        end
        a[19900], a[19901] = -1000, 1000 -- behind them all
        assert.equal(first, a:argmin(), dtype)
        assert.equal(first, a:argmax(), dtype)
        local m = a:reshape(1, 20000):expand(3, 20000):clone()
        assert.same({first, first, first}, m:argmin{axis = 2}:astype "f64":totable())
        assert.same({first, first, first}, m.T:clone():argmax{axis = 1}:astype "f64":totable())
        local wide = a:reshape(20000, 1):expand(20000, 40):clone()
        assert.equal(40 * first, tonumber(wide:argmin{axis = 1}:sum()))
      end
    end
  end)

  it("give the first of equal ones", function()
    local a = nd.zeros({20000}, "f32")
    a[9500], a[18000], a[9600], a[17900] = 1, 1, -1, -1
    assert.equal(9500, a:argmax())
    assert.equal(9600, a:argmin())
  end)
end)

describe("shifts by the width and more", function()
  it("leave nothing, or the sign", function()
    for bits = 8, 64, 8 do
      for _, sign in ipairs {"i", "u"} do
        local dtype = sign .. bits
        local fine, object = pcall(function() return nd[dtype] end)
        if fine and (bits == 8 or bits == 16 or bits == 32 or bits == 64) then
          local a = nd.array({-1, 1, 5, 100, -100}, "i64"):astype(dtype, {mode = "wrap"})
          local signs = a:lt(0):astype(dtype, {mode = "wrap"}):neg() -- -1 or 0
          if sign == "u" then signs = nd.zeros({5}, dtype) end
          for _, count in ipairs {bits, bits + 1, 127} do
            for _, by in ipairs {count, nd.full({5}, count, object)} do
              assert.is_true(a:shl(by):equal(nd.zeros({5}, object)), dtype .. " shl " .. count)
              assert.is_true(a:shr(by):equal(signs), dtype .. " shr " .. count)
            end
          end
          assert.is_true(a:shl(bits - 1):ne(0):equal(a:bit_and(1):ne(0)), dtype)
        end
      end
    end
  end)
end)
