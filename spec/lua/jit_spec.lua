--- What must stay compiled: element access of every dtype, without an abort or a stitch.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"

local dtypes = {}
for name in pairs(require "ndbuf.core".dtypes) do dtypes[#dtypes + 1] = name end
table.sort(dtypes)
local has_jit = jit.status()

-- The chunk that makes the function. What stands in $(…), the call that makes an iterator, is made
-- before: a trace from the function's beginning would have to go on behind it.
local function chunk_of(code)
  local before = ""
  code = code:gsub("%$(%b())", function(call)
    before = "local f, rows, first = " .. call:sub(2, -2) .. " "
    return "f, rows, first"
  end)
  return "local a, b, c, v, d, e = ... " .. before .. "return function() " .. code .. " end"
end

-- Run 'code' hot and report what the compiler gave up on: aborts, stitches to a C call, or no loop
-- at all. A function that is called may get hot before the loop does; its own trace, which returns
-- or gives up at the return, does not stand in the loop's way, so only traces that begin in the
-- loop's function, or at an exit of another, count.
local function try(code, ...)
  local fn = assert(loadstring(chunk_of(code)))(...)
  local vmdef, util = require "jit.vmdef", require "jit.util"
  local problems, loops, counts = {}, 0, false
  local function on_trace(what, number, func, _, detail)
    if what == "start" then
      counts = func == fn or detail ~= nil -- detail: the trace whose exit it begins at
    elseif what == "abort" and counts then
      local text = tostring(vmdef.traceerr[detail] or detail)
      -- "leaving loop", "inner loop": the recording began at a loop's last round; it is tried again
      if not text:find "loop in root trace" then problems[#problems + 1] = "abort: " .. text end
    elseif what == "stop" then
      local link = util.traceinfo(number).linktype
      if link == "loop" then loops = loops + 1
      elseif link ~= "root" and link ~= "return" then problems[#problems + 1] = link end
    end
  end
  collectgarbage() -- a finalizer that runs while the compiler records ends the recording
  collectgarbage "stop"
  jit.flush()
  jit.opt.start "hotloop=56" -- counters start anew
  jit.attach(on_trace, "trace")
  local fine, e = pcall(function() for _ = 1, 5 do fn() end end)
  jit.attach(on_trace)
  collectgarbage "restart"
  assert(fine, tostring(e))
  if loops == 0 then problems[#problems + 1] = "no loop was compiled" end
  return problems
end

-- The same after up to five tries. LuaJIT has 64 counters, by the address of the code: where a loop
-- shares one with a function that it calls, another loop, at another address, does not.
local function trace_problems(code, ...)
  local problems
  for _ = 1, 5 do
    problems = try(code, ...)
    if #problems == 0 then break end
  end
  return problems
end

-- Arrays for the loops below, a value for them included.
local values = { bool = true, i64 = 3LL, u64 = 3ULL }
local function value_of(dtype)
  if dtype == "c64" or dtype == "c128" then return ffi.new("complex double", 1, 2) end
  return values[dtype] or 3
end

local function loop_arguments(dtype)
  local function zeros(...) return nd.zeros({ ... }, dtype) end
  return zeros(200), zeros(20, 10), zeros(200):flip(), value_of(dtype), zeros(3, 4, 30),
    zeros(4, 2, 30, 3):permute(2, 4, 1, 3)
end

local deep = "local s for i = 1, %d do for j = 1, %d do for k = 1, %d do %s end end end return s"
local loops = {
  ["a[i]"] = "local s for i = 1, 200 do s = a[i] end return s",
  ["a[i] = v"] = "for i = 1, 200 do a[i] = v end",
  ["a[i] of a reversed view"] = "local s for i = 1, 200 do s = c[i] end return s",
  ["a[i] = v of a reversed view"] = "for i = 1, 200 do c[i] = v end",
  ["a(i, j)"] = "local s for i = 1, 20 do for j = 1, 10 do s = b(i, j) end end return s",
  ["a:get(i, j)"] = "local s for i = 1, 20 do for j = 1, 10 do s = b:get(i, j) end end return s",
  ["a:set(i, j, v)"] = "for i = 1, 20 do for j = 1, 10 do b:set(i, j, v) end end",
  ["a(i, j, k)"] = deep:format(3, 4, 30, "s = d(i, j, k)"),
  ["a:set(i, j, k, v)"] = deep:format(3, 4, 30, "d:set(i, j, k, v)"),
  ["a:get(i, j, k, l) of a permuted view"] = deep:format(3, 4, 30, "s = e:get(2, i, j, k)"),
  ["a:set(i, j, k, l, v) of a permuted view"] = deep:format(3, 4, 30, "e:set(2, i, j, k, v)"),
  ["a:get(i), a:set(i, v)"] = "for i = 1, 200 do a:set(i, v) v = a:get(i) end",
  ["a:rows()"] =
    "local s for _, row in $(b:rows()) do for j = 1, 10 do s = row[j] end end return s",
  ["a:rows(axis), stores"] =
    "for _, column in $(c:reshape(10, 20):rows(-1)) do column[10], column[1] = v, v end",
  ["a:rows() of 4 axes"] = "for _, part in $(e:rows(4)) do part:set(1, 2, 1, part(2, 3, 4)) end",
  ["a.ndim"] = "local s = 0 for i = 1, 200 do s = s + a.ndim end return s",
  ["a.size"] = "local s = 0 for i = 1, 200 do s = s + a.size end return s",
  ["#a"] = "local s = 0 for i = 1, 200 do s = s + #a end return s",
  ["a:dim(1)"] = "local s = 0 for i = 1, 200 do s = s + a:dim(1) end return s",
}

describe("compiled element access", function()
  if not has_jit then
    it("needs the JIT", function() pending "the JIT is off: nothing is compiled" end)
    return
  end

  for _, dtype in ipairs(H.some(dtypes, 6)) do
    for name, code in pairs(loops) do
      it(("keeps %s of %s in a trace"):format(name, dtype), function()
        assert.same({}, trace_problems(code, loop_arguments(dtype)))
      end)
    end
  end

  it("takes a number for every dtype without leaving the trace", function()
    for _, dtype in ipairs(dtypes) do
      local a = nd.zeros({ 200 }, dtype)
      assert.same({}, trace_problems("for i = 1, 200 do a[i] = 1 end", a), dtype)
      assert.equal(200, a:astype(dtype:find "^c" and "c128" or "f64"):flatten().size)
    end
  end)

  it("keeps a loop that mixes three dtypes in a trace", function()
    local a, b, c = nd.zeros({ 200 }, "f64"), nd.arange(1, 200, 1, "i32"), nd.ones({ 200 }, "u8")
    assert.same({}, trace_problems("for i = 1, 200 do a[i] = b[i] * 2 + c[i] end", a, b, c))
    assert.equal(401, a[200])
  end)

  -- A function that gives up where it returns, called from there often, is never compiled again.
  for name, code in pairs(loops) do
    it(("keeps %s in a trace after use from uncompiled code #slow"):format(name), function()
      local interpreted = assert(loadstring(chunk_of(code)))(loop_arguments "i16")
      jit.off(interpreted)
      for _ = 1, 600 do interpreted() end
      assert.same({}, trace_problems(code, loop_arguments "i16"))
    end)
  end

  it("would notice a stitch", function()
    local a = nd.zeros(10, 10)
    local most = 0
    for _ = 1, 5 do
      most = math.max(most, #try("local s for i = 1, 200 do s = a[3] end return s", a))
    end
    assert.is_true(most > 0)
  end)
end)

describe("the fast path against C", function()
  it("stores and reads what the C path does, for random values", function()
    local random = H.rng "fast path"
    local numbers = {
      0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, 127, 128, -128, -129, 255, 256, 300, 32767, 32768,
      65504, 65520, 65535, 65536, 2147483647, 2147483648, -2147483648, -2147483649,
      4294967295, 4294967296, 2 ^ 53, 2 ^ 63, -2 ^ 63, 2 ^ 64, 1e300, -1e300,
      1 / 0, -1 / 0, 0 / 0, 1e-40, 448, 449, 57344, 61440,
    }
    for _ = 1, H.cases(500) do
      numbers[#numbers + 1] = (random() - 0.5) * 2 ^ (random() * 80 - 10)
    end
    for _, dtype in ipairs(dtypes) do
      local fast, slow = nd.zeros({ #numbers }, dtype), nd.zeros({ #numbers }, dtype)
      for i = 1, #numbers do fast[i] = numbers[i] end
      for i = 1, #numbers do slow:narrow(1, i, 1):fill(numbers[i]) end
      assert.equal(slow:copyout(), fast:copyout(), dtype)
      for i = 1, #numbers do
        local x, y = fast[i], slow:narrow(1, i, 1):item()
        if dtype:find "^c" then x, y = x.re, y.re end -- == of complex cdata is identity
        assert.is_true(x == y or (x ~= x and y ~= y), dtype .. " element " .. i)
      end
    end
  end)

  it("stores 64-bit cdata exactly, and saturates across signs", function()
    local i, u = nd.zeros({ 4 }, "i64"), nd.zeros({ 4 }, "u64")
    local big = { 0x7fffffffffffffffLL, -1LL, 0xffffffffffffffffULL, 1ULL }
    for k = 1, 4 do
      i[k] = big[k]
      u[k] = big[k]
    end
    assert.equal("9223372036854775807LL -1 9223372036854775807LL 1",
      ("%s %s %s %s"):format(tostring(i[1]), tostring(i[2]), tostring(i[3]), tostring(i[4])))
    assert.equal("9223372036854775807ULL 0 18446744073709551615ULL 1",
      ("%s %s %s %s"):format(tostring(u[1]), tostring(u[2]), tostring(u[3]), tostring(u[4])))
  end)

  it("refuses every index that is not of the array, in a hot loop", function()
    local a, m, c, q = nd.zeros(10), nd.zeros(4, 5), nd.zeros(4, 5, 6), nd.zeros(4, 5, 6, 7)
    for _, k in ipairs { 0, 11, -11, 1.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 31, 2 ^ 32 + 1, 2 ^ 53 } do
      local n = 0
      for i = 1, 300 do
        local fine = pcall(function() return a[i <= 200 and 1 or k] end)
        if not fine then n = n + 1 end
      end
      assert.equal(100, n, tostring(k))
      local accesses = {
        function() a[k] = 1 end,
        function() a:set(k, 1) end,
        function() m:set(k, 1, 1) end,
        function() m:set(1, k, 1) end,
        function() return m(k, 1) end,
        function() return m:get(1, k) end,
        function() return c(k, 1, 1) end,
        function() return c(1, k, 1) end,
        function() return c(1, 1, k) end,
        function() c:set(k, 1, 1, 1) end,
        function() c:set(1, k, 1, 1) end,
        function() c:set(1, 1, k, 1) end,
        function() return q(k, 1, 1, 1) end,
        function() return q(1, k, 1, 1) end,
        function() return q(1, 1, k, 1) end,
        function() return q(1, 1, 1, k) end,
        function() q:set(k, 1, 1, 1, 1) end,
        function() q:set(1, k, 1, 1, 1) end,
        function() q:set(1, 1, k, 1, 1) end,
        function() q:set(1, 1, 1, k, 1) end,
      }
      for n_access, access in ipairs(accesses) do
        assert.is_false(pcall(access), ("%s, access %d"):format(tostring(k), n_access))
      end
    end
    assert.equal("0 0 0 0", ("%d %d %d %d"):format(a:sum(), m:sum(), c:sum(), q:sum()))
    assert.equal(0, a[-1])
    a[-1] = 4
    assert.equal(4, a[10])
  end)
end)

describe("hostile NaNs", function()
  -- LuaJIT would take these payloads for nil, booleans, strings, tables, cdata …
  local function patterns(dtype)
    local random, bytes = H.rng("NaN " .. dtype), {}
    local size = nd[dtype].itemsize
    for i = 1, 400 do
      local element = {}
      for k = 1, size do element[k] = string.char(random(0, 255)) end
      local width = dtype:find "^c" and size / 2 or size
      for part = width, size, width do -- the top bytes of each float: a NaN, mostly negative
        element[part] = string.char(i % 8 == 0 and 0x7f or 0xff)
        if width > 1 then element[part - 1] = string.char(random(0x80, 0xff)) end
        if width > 2 and i % 3 == 0 then element[part - 1] = string.char(0xf8 + random(0, 7)) end
      end
      bytes[i] = table.concat(element)
    end
    return table.concat(bytes)
  end

  local function check(wanted, x)
    assert(type(x) == wanted, type(x))
    if wanted == "cdata" then assert(type(x.re) == "number" and type(x.im) == "number") end
  end

  for _, dtype in ipairs { "f16", "bf16", "f32", "f64", "c64", "c128", "f8e4m3", "f8e5m2" } do
    it("come out of " .. dtype .. " as ordinary numbers", function()
      local a = nd.frombytes(patterns(dtype), dtype)
      local rows = a:reshape(20, 20)
      local wanted = dtype:find "^c" and "cdata" or "number"
      for _ = 1, 3 do
        for i = 1, #a do check(wanted, a[i]) end
        for i = 1, 20 do
          for j = 1, 20 do
            check(wanted, rows(i, j))
            check(wanted, rows:get(j, i))
          end
        end
      end
      for _, x in ipairs(a:totable()) do check(wanted, x) end
      for _, x in a:iter() do check(wanted, x) end
      check(wanted, a:narrow(1, 1, 1):item())
      assert.is_string(tostring(a))
    end)
  end

  it("does not mistake a value stored over one", function()
    local a = nd.frombytes(patterns "f64", "f64")
    for i = 1, #a do
      a[i] = i
      assert.equal(i, a[i])
    end
  end)
end)

-- One dtype for each class of the aliasing rule.
local classes = { "i8", "u8", "i16", "u16", "f16", "i32", "u32", "i64", "u64", "f32", "f64" }

-- Store through x, then y, load x: hot, so that the compiler may forward the first store.
local alias_code = [[
local x, y, p, q, n = ...
local wrong = 0
for i = 1, n do
  x[1] = p
  y[1] = q
  if x[1] == p then wrong = wrong + 1 end
end
return wrong
]]

describe("punned storages", function()
  local function pun(dtype, storage) return storage:bytes():bitcast(dtype) end
  -- two values whose bytes differ in every dtype, so that x[1] must not be p after y[1] = q
  local function numbers(dtype)
    if dtype:find "^[fb]" then return 1.5, 2.25 end
    return 65, 90
  end

  for _, first in ipairs(H.some(classes, 5)) do
    for _, second in ipairs(H.some(classes, 5)) do
      it(("reads what a view of %s stored under one of %s"):format(second, first), function()
        local storage = nd.zeros({ 2 }, "f64")
        local x, y = pun(first, storage), pun(second, storage)
        local p = numbers(first)
        local _, q = numbers(second)
        if first:match "64" and first ~= "f64" then p = first == "i64" and 65LL or 65ULL end
        -- the expected answer from copies made by C, not by loads in a trace
        storage:fill(0)
        x:narrow(1, 1, 1):fill(p)
        y:narrow(1, 1, 1):fill(q)
        local stays = x:narrow(1, 1, 1):item() == p
        local wrong = assert(loadstring(alias_code))(x, y, p, q, 200)
        assert.equal(stays and 200 or 0, wrong)
      end)
    end
  end

  it("takes care when a bitcast is made while the loop is hot", function()
    local x, wrong, y = nd.zeros({ 8 }, "f64"), 0, nil
    for i = 1, 400 do
      if i == 200 then y = x:bitcast "i64" end
      x[1] = 1.5
      if y then y[1] = 0 end
      if y and x[1] ~= 0 then wrong = wrong + 1 end
    end
    assert.equal(0, wrong)
  end)

  it("raises when a free happens while the loop is hot", function()
    local a, sum = nd.ones(100), 0
    local fine, e = pcall(function()
      for i = 1, 1000 do
        if i == 500 then a:free() end
        sum = sum + a[1]
      end
    end)
    assert.is_false(fine)
    assert.equal("freed", e.code)
    assert.equal(499, sum)
  end)

  it("sees a lazy allocation that happens while the loop is hot", function()
    local a = nd.empty(100, {lazy = true})
    local view = a:narrow(1, 1, 50)
    for i = 1, 1000 do
      if i == 500 then a:fill(7) end
      if i >= 500 then
        assert.equal(7, view[1])
      else
        local _ = view.ndim
      end
    end
  end)

  it("leaves read-only storages alone: nothing is ever stored there", function()
    local path = H.path "pun.bin"
    local f = assert(io.open(path, "wb"))
    f:write(("\0"):rep(64))
    f:close()
    local bytes = nd.mmap(path, "u8")
    local wide = bytes:bitcast "f64"
    H.raises("read_only", function() wide[1] = 1 end)
    assert.equal(0, wide[1])
  end)
end)

describe("the head's layout", function()
  it("is the same in C and FFI, field by field", function()
    local core, head = require "ndbuf.core", require "ndbuf.head"
    local layout, checked = core.layout(), 0
    local storage = ffi.new "struct { uint64_t epoch; uint32_t puns; }"
    local moving = ffi.new(require "ndbuf.rows".ctype)
    for _, dtype in ipairs(dtypes) do
      local array = ffi.new(head.ctype(dtype))
      local owners = {
        ndb_head = array,
        ndb_array = array,
        nd_view = array.view,
        nd_storage = storage,
        ndb_rows = moving,
      }
      for name, row in pairs(layout) do
        local owner, field = name:match "^(.-)%.(.*)$"
        assert.equal(row[1], ffi.offsetof(owners[owner], field), dtype .. " " .. name)
        checked = checked + 1
      end
      assert.equal(layout["ndb_array.view"][2], ffi.sizeof(array.view))
      assert.equal(layout["nd_view.axis"][2], ffi.sizeof(array.view.axis))
    end
    assert.is_true(checked >= 17 * 20)
  end)
end)
