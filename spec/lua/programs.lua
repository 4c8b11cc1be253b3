-- Random programs that load and store elements, hot enough to be compiled. programs_spec.lua runs
-- it under several settings of the compiler and compares what is printed:
--   programs.lua on|off SEED FIRST LAST FILE
-- off: jit.off(). FILE: 64 KiB or more to map. One line for each program: its number, then what it
-- read and what its arrays hold in the end.
local ffi = require "ffi"
local nd = require "ndbuf"

local mode, seed, first, last, path = arg[1], tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4]),
  arg[5]
if mode == "off" then jit.off() end

local dtypes = {}
for name in pairs(require "ndbuf.core".dtypes) do dtypes[#dtypes + 1] = name end
table.sort(dtypes)
local random = math.random
local function one_of(list) return list[random(#list)] end

-- {=== arrays ===} Each maker gives a 1-D or 2-D array, and the array to look at in the end.

local function bytes_of(n)
  local t = {}
  for i = 1, n do t[i] = string.char(random(0, 255)) end
  return table.concat(t)
end

local function fresh(dtype)
  local n = 6 * random(2, 12)
  return nd.frombytes(bytes_of(n * nd[dtype].itemsize), dtype)
end

local shapers = {
  function(a) return a end,
  function(a) return a "::2" end,
  function(a) return a "-1:1:-1" end,
  function(a) return a:reshape(a.size / 6, 6) end,
  function(a) return a:reshape(6, a.size / 6).T end,
  function(a) return a:reshape(a.size / 6, 6) ":, 5:2:-1" end,
}

local makers = {
  plain = fresh,
  lazy = function(dtype) return nd.zeros({ 6 * random(2, 12) }, dtype) end,
  readonly = function(dtype) return fresh(dtype):readonly_view() end,
  mapped = function(dtype)
    return nd.mmap(path, dtype, { 36 }, { mode = one_of { "r", "c" }, offset = 64 * random(0, 9) })
  end,
}

local function make_array()
  local dtype = one_of(dtypes)
  if random(5) == 1 then -- fields of records, mostly misaligned
    local bytes = nd.frombytes(bytes_of(19 * 20))
    local fields = { { "tag", one_of { "u8", "u16", "u32" } }, { "x", dtype } }
    return nd.records(bytes, fields, { stride = random(20, 24), count = 12 }).x, bytes
  end
  local a = makers[one_of { "plain", "plain", "lazy", "readonly", "mapped" }](dtype)
  if random(3) == 1 then -- punned: two classes see the same bytes
    local other = one_of(dtypes)
    local fine, b = pcall(a.bitcast, a, other)
    if fine and b.size % 6 == 0 then return shapers[random(#shapers)](b), a end
  end
  return shapers[random(#shapers)](a), a
end

-- {=== programs ===}

local function value()
  return one_of {
    "i", "i / 3", "-i", "0", "1e9 * i", "2^53 + i", "255 - i", "plain(x)", "0.5", "-1e300", "1/0",
    "true",
    "i * 7LL", "2LL^60 + i", "18446744073709551615ULL", "z",
  }
end

local function index(n)
  return one_of {
    "(i % " .. n .. " + 1)", random(n), "-" .. random(n), "(i * 3 % " .. n .. " + 1)",
    "(i % 40 == 7 and -1 or i % " .. n .. " + 1)", "(i % " .. n .. " + 1) * 1LL",
    "(i > 90 and " .. n + 1 .. " or 1)", "(i % 50 == 9 and 1.5 or 1)",
  }
end

local function statement(k, a)
  local name, n = "a" .. k, a:dim(1)
  local text
  if a.ndim == 1 then
    local i = tostring(index(n))
    text = one_of {
      "x = A[I]", "x = A[I]", "x = A(I)", "x = A:get(I)", "A[I] = V", "A[I] = V", "A:set(I, V)",
      "x = A[{I}]", "A[{I}] = V",
    }:gsub("I", (i:gsub("%%", "%%%%")))
  else
    text = one_of {
      "x = A(I, J)", "x = A(I, J)", "x = A:get(I, J)", "A:set(I, J, V)", "A:set(I, J, V)",
      "x = A[{I, J}]", "A[{I, J}] = V", "x = A[I][J]",
    }:gsub("I", (tostring(index(n)):gsub("%%", "%%%%")))
      :gsub("J", (tostring(index(a:dim(2))):gsub("%%", "%%%%")))
  end
  text = text:gsub("A", name):gsub("V", (value():gsub("%%", "%%%%")))
  return text:find "^x" and text .. " log[#log + 1] = x" or text
end

local function program(arrays)
  local lines = {
    "local plain, log, z, a1, a2, a3 = ... local x = 1 for i = 1, 120 do" }
  for _ = 1, random(1, 6) do
    local k = random(#arrays)
    lines[#lines + 1] = statement(k, arrays[k])
    if random(6) == 1 then lines[#lines] = "if i % 3 == 0 then " .. lines[#lines] .. " end" end
  end
  return table.concat(lines, "\n") .. "\nend"
end

-- The sign of a NaN is nobody's promise: all that LuaJIT's C functions give are negative.
local function plain(x)
  if type(x) == "number" then return x ~= x and 0 / 0 or x end
  if type(x) ~= "cdata" or not tostring(x):find "i$" then return x end
  return ffi.typeof(x)(plain(tonumber(x.re)), plain(tonumber(x.im)))
end

-- {=== what happened ===}

local function show(x)
  if type(x) == "number" then return x ~= x and "nan" or ("%.17g"):format(x) end
  if type(x) == "cdata" and tostring(x):find "i$" then
    return tostring(ffi.typeof(x)) .. show(tonumber(x.re)) .. "," .. show(tonumber(x.im))
  end
  return type(x) .. tostring(x)
end

-- What a list of texts comes to: short, and different when they are.
local function digest(list)
  local a, b = 1, 7
  for i = 1, #list do
    for k = 1, #list[i] do
      a = (a * 31 + list[i]:byte(k)) % 2147483647
      b = (b * 131 + list[i]:byte(k)) % 2147483629
    end
    a = (a * 31 + 256) % 2147483647
  end
  return ("%d %x %x"):format(#list, a, b)
end

for number = first, last do
  math.randomseed(seed + number * 7919)
  local arrays, seen = {}, {}
  for k = 1, 3 do arrays[k], seen[k] = make_array() end
  local source = program(arrays)
  local fn, log, texts = assert(loadstring(source)), {}, {}
  local z = ffi.new("complex", 2, -1)
  local fine, e
  for _ = 1, 3 do
    fine, e = pcall(fn, plain, log, z, arrays[1], arrays[2], arrays[3])
    if not fine then log[#log + 1] = type(e) == "table" and e.code .. e.message or tostring(e) end
  end
  for i = 1, #log do texts[i] = show(log[i]) end
  for k = 1, 3 do texts[#texts + 1] = seen[k]:copyout() end
  print(number, digest(texts))
  if os.getenv "SHOW" then print(source, table.concat(texts, " ", 1, #log)) end
end
