-- .npy files against NumPy: each reads what the other writes.
local nd = require "ndbuf"
local H = require "spec.helper"

-- ORDER DTYPE: name, bytes, what NumPy calls it (raw items where it has no name)
local DTYPES = {
  {"bool", 1, "|b1"}, {"i8", 1, "|i1"}, {"u8", 1, "|u1"}, {"i16", 2, "<i2"}, {"u16", 2, "<u2"},
  {"i32", 4, "<i4"}, {"u32", 4, "<u4"}, {"i64", 8, "<i8"}, {"u64", 8, "<u8"}, {"f16", 2, "<f2"},
  {"bf16", 2, "|V2"}, {"f32", 4, "<f4"}, {"f64", 8, "<f8"}, {"c64", 8, "<c8"},
  {"c128", 16, "<c16"}, {"f8e4m3", 1, "|V1"}, {"f8e5m2", 1, "|V1"},
}

local WRITE_ALL = [[
import sys, numpy as np
from numpy.lib import format
folder = sys.argv[1]
rng = np.random.default_rng(7)
names = {'b1': 'bool', 'i1': 'i8', 'u1': 'u8', 'i2': 'i16', 'u2': 'u16', 'i4': 'i32', 'u4': 'u32',
         'i8': 'i64', 'u8': 'u64', 'f2': 'f16', 'f4': 'f32', 'f8': 'f64', 'c8': 'c64',
         'c16': 'c128', 'V2': 'bf16', 'V1': 'u8'}
count = 0
for code, name in names.items():
    for end in '<>':
        if end == '>' and code[0] == 'V': continue
        dtype = np.dtype(end + code)
        for shape in ((), (7,), (0, 3), (3, 4), (2, 3, 4), (1, 1, 5, 1, 2)):
            n = int(np.prod(shape))
            raw = rng.integers(0, 2 if code == 'b1' else 256, n * dtype.itemsize, np.uint8)
            a = np.frombuffer(raw.tobytes(), dtype).reshape(shape)
            for order in 'CF':
                for version in ((1, 0), (2, 0), (3, 0)):
                    count += 1
                    path = '%s/%d' % (folder, count)
                    with open(path + '.npy', 'wb') as f:
                        format.write_array(f, np.asarray(a, order=order), version)
                    little = a if code[0] == 'V' else a.astype(dtype.newbyteorder('<'))
                    with open(path + '.raw', 'wb') as f:
                        f.write(little.tobytes())
                    swapped = end == '>' and dtype.itemsize > 1
                    text = 'x'.join(map(str, shape)) or 'scalar'
                    print(path, name, text, int(swapped))
]]

-- For each path: descr, order flags, shape, version, elements as hexadecimal bytes, row-major.
local READ_ALL = [[
import sys, numpy as np
for path in sys.argv[1:]:
    a = np.load(path, mmap_mode='r' if path.endswith('m.npy') else None)
    with open(path, 'rb') as f: f.read(6); version = tuple(f.read(2))
    print(a.dtype.str, int(a.flags.c_contiguous), int(a.flags.f_contiguous),
          'x'.join(map(str, a.shape)) or 'scalar', version[0], a.tobytes().hex() or '-')
]]

local function shape_text(a)
  return a.ndim == 0 and "scalar" or table.concat(a.shape, "x")
end

local function hex(text)
  return text == "" and "-" or (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function random_bytes(rng, n, is_bool)
  local t = {}
  for i = 1, n do t[i] = string.char(is_bool and rng(0, 1) or rng(0, 255)) end
  return table.concat(t)
end

local function random_array(rng, dtype, bytes, shape)
  local n = bytes
  for _, extent in ipairs(shape) do n = n * extent end
  return nd.frombytes(random_bytes(rng, n, dtype == "bool"), dtype, shape)
end

-- A file around the text of a header; version 1.
local function file_of(text, payload)
  local n = #text
  return "\147NUMPY\1\0" .. string.char(n % 256, math.floor(n / 256)) .. text .. payload
end

local function header(descr, order, shape)
  return ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }"):format(descr, order, shape)
end

describe("npy", function()
  it("reads and maps what NumPy writes: every dtype, shape, order, version, byte order", function()
    local count = 0
    for line in H.python(WRITE_ALL, H.dir()):gmatch "[^\n]+" do
      local path, dtype, shape, swapped = line:match "^(%S+) (%S+) (%S+) (%d)$"
      local raw = H.read(path .. ".raw")
      local a = nd.load(path .. ".npy")
      assert.equal(dtype, tostring(a.dtype), line)
      assert.equal(shape, shape_text(a), line)
      assert.is_true(raw == a:copyout(), line)
      if swapped == "1" then
        H.raises_like("unsupported", "mmap", nd.load, path .. ".npy", {mmap = true})
      else
        local m = nd.load(path .. ".npy", {mmap = true})
        assert.is_true(raw == m:copyout(), line)
        assert.is_true(m.readonly, line)
      end
      count = count + 1
    end
    assert.equal(14 * 2 * 36 + 2 * 36, count)
  end)

  it("writes what NumPy reads: every dtype and kind of view", function()
    local rng = H.rng "npy"
    local paths, wanted = {}, {}
    local views = {
      function(a) return a end,
      function(a) return a.T end,
      function(a) return a:permute(2, 3, 1) end,
      function(a) return a"-1:1:-1" end,
      function(a) return a":, 2:3, 1:4:2" end,
      function(a) return a":, 2:1" end,
      function(a) return a[2] end,
      function(a) return a[2][1] end,
      function(a) return a:narrow(1, 1, 1):narrow(2, 1, 1):narrow(3, 1, 1):reshape({}) end,
      function(a) return a:unsqueeze(1):expand {2, 3, 4, 5} end,
    }
    for _, dtype in ipairs(DTYPES) do
      local name, bytes, descr = unpack(dtype)
      local a = random_array(rng, name, bytes, {3, 4, 5})
      for i, view in ipairs(views) do
        local v = view(a)
        local path = H.path(i % 2 == 0 and "m.npy" or "r.npy")
        if v.size == 0 then path = H.path "r.npy" end -- NumPy cannot map nothing
        nd.save(path, v)
        local is_fortran = i == 2 or v.ndim <= 1 or v.size <= 1
        paths[#paths + 1] = path
        wanted[#wanted + 1] = {
          line = ("%s %s %s %s"):format(descr, shape_text(v), 1, hex(v:copyout())),
          name = name .. " view " .. i, is_fortran = is_fortran, array = v, path = path,
        }
      end
    end
    local i = 0
    for line in H.python(READ_ALL, unpack(paths)):gmatch "[^\n]+" do
      i = i + 1
      local descr, _, f, rest = line:match "^(%S+) (%d) (%d) (.+)$"
      local want = wanted[i]
      assert.equal(want.line, descr .. " " .. rest, want.name)
      if want.is_fortran then assert.equal("1", f, want.name) end
      local back = nd.load(want.path)
      assert.is_true(back:copyout() == want.array:copyout(), want.name)
    end
    assert.equal(#wanted, i)
  end)

  it("agrees with NumPy element for element", function()
    local path = H.path "x.npy"
    local text = H.python([[
import sys, numpy as np
a = (np.arange(24).reshape(2, 3, 4) * 1.1 - 5).astype('>f8')
np.save(sys.argv[1], np.asfortranarray(a))
for i in range(2):
    for j in range(3):
        for k in range(4): print('%.17g' % a[i, j, k])
]], path)
    local a, next_value = nd.load(path), text:gmatch "%S+"
    for i = 1, 2 do
      for j = 1, 3 do
        for k = 1, 4 do assert.equal(tonumber(next_value()), a(i, j, k)) end
      end
    end
    assert.same({2, 3, 4}, a.shape)
    assert.same({1, 2, 6}, a.strides)
  end)

  it("counts an extent of 0 as 1 in the steps of an empty array of Fortran's order", function()
    local path = H.path "x.npy"
    H.write(path, file_of(header("'|u1'", "True", "(3, 0, 5)"), ""))
    assert.same({1, 3, 3}, nd.load(path).strides)
    assert.same({5, 5, 1}, nd.zeros({3, 0, 5}, "u8").strides)
  end)

  it("keeps one-byte raw items as u8, so that bitcast makes an f8 of them", function()
    for _, name in ipairs {"f8e4m3", "f8e5m2"} do
      local a = nd.array({0.5, -2, 1}, name)
      local path = H.path "x.npy"
      nd.save(path, a)
      local back = nd.load(path)
      assert.equal("u8", tostring(back.dtype))
      assert.is_true(back:bitcast(name):equal(a))
    end
  end)

  it("maps without a copy, read-only", function()
    local path = H.path "x.npy"
    nd.save(path, nd.arange(1, 6, 1, "i32"):reshape(2, 3))
    local a = nd.load(path, {mmap = true})
    assert.is_true(a.readonly)
    assert.equal(6, a(2, 3))
    H.raises("read_only", function() a[{1, 1}] = 9 end)
    nd.save(path, nd.zeros(2, 2)) -- another file takes the name; the mapping stays
    assert.equal(6, a(2, 3))
  end)

  it("writes version 1 with the data at a multiple of 64", function()
    for ndim = 0, 16 do
      local shape = {}
      for i = 1, ndim do shape[i] = i % 5 == 0 and 2 or 1 end
      local path = H.path "x.npy"
      nd.save(path, nd.ones(shape, "u8"))
      local text = H.read(path)
      local at = 10 + text:byte(9) + 256 * text:byte(10)
      assert.equal("\147NUMPY\1\0", text:sub(1, 8))
      assert.equal(0, at % 64)
      assert.equal("\n", text:sub(at, at))
      assert.equal(#text - at, nd.load(path).size)
    end
  end)

  it("says what is wrong with a truncated file", function()
    local path = H.path "x.npy"
    nd.save(path, nd.zeros({3, 4}, "f32"))
    local whole = H.read(path)
    for n = 0, #whole - 1 do
      H.write(path, whole:sub(1, n))
      local e = H.raises("format", nd.load, path)
      assert.equal(path, e.path)
      H.raises("format", nd.load, path, {mmap = true})
    end
    local e = H.raises_like("format", "truncated", nd.load, path)
    assert.equal(48, tonumber(e.expected))
    assert.equal(47, tonumber(e.actual))
    assert.equal(128, tonumber(e.offset))
  end)

  it("checks sizes before it allocates", function()
    local path = H.path "x.npy"
    for shape, code in pairs {
      ["(9223372036854775807,)"] = "overflow", ["(4294967296, 4294967296)"] = "overflow",
      ["(4294967296, 4294967296, 0)"] = "overflow", ["(1000000000000,)"] = "format",
      ["(1,)*17"] = "format", ["(" .. ("1,"):rep(17) .. ")"] = "unsupported",
    } do
      H.write(path, file_of(header("'<f4'", "False", shape), "12345678"))
      H.raises(code, nd.load, path)
    end
    H.write(path, "\147NUMPY\2\0\255\255\255\255{}")
    H.raises_like("format", "longer", nd.load, path)
  end)

  it("refuses dtypes that it has not, by name", function()
    local path = H.path "x.npy"
    for descr, word in pairs {
      ["'|O'"] = "objects", ["'|S5'"] = "byte strings", ["'<U4'"] = "Unicode",
      ["'<M8[ns]'"] = "dates", ["'<m8[s]'"] = "time spans", ["'<f16'"] = "long double",
      ["'|V7'"] = "raw items", ["[('a', '<f4')]"] = "records",
    } do
      H.write(path, file_of(header(descr, "False", "(1,)"), ("x"):rep(64)))
      H.raises_like("unsupported", word, nd.load, path)
    end
  end)

  it("accepts no damaged header that NumPy refuses, and reads the rest as NumPy does", function()
    local rng, folder = H.rng "damage", H.dir()
    local good = header("'<f4'", "False", "(2, 3)")
    local alphabet = "0123456789'(){},[]<>|=:-+ .LfiuFTalseru\"_"
    local paths = {}
    for i = 1, H.cases(400) do
      local text = good
      for _ = 1, rng(1, 3) do
        local at, c = rng(1, #text), rng(1, #alphabet)
        text = text:sub(1, at - 1) .. alphabet:sub(c, c):rep(rng(0, 2)) .. text:sub(at + rng(0, 2))
      end
      paths[i] = H.write(folder .. "/" .. i .. ".npy", file_of(text, ("\1"):rep(4000)))
    end
    local verdicts = H.python([[
import glob, sys, warnings, numpy as np
warnings.simplefilter('ignore')
for i in range(1, int(sys.argv[2]) + 1):
    try:
        a = np.load('%s/%d.npy' % (sys.argv[1], i))
        shape = 'x'.join(map(str, a.shape)) or 'scalar'
        print(a.dtype.str[1:], shape, a.tobytes()[:64].hex() or '-')
    except Exception as e:
        print('refused')
]], folder, #paths)
    local i, accepted = 0, 0
    for line in verdicts:gmatch "[^\n]+" do
      i = i + 1
      local ok, a = pcall(nd.load, paths[i])
      if ok then
        accepted = accepted + 1
        local name = tostring(a.dtype)
        local descr
        for _, d in ipairs(DTYPES) do descr = d[1] == name and d[3]:sub(2) or descr end
        local want = ("%s %s %s"):format(descr, shape_text(a), hex(a:copyout():sub(1, 64)))
        assert.equal(line, want, H.read(paths[i]):sub(1, 80))
      else
        assert.is_string(a.code, tostring(a))
      end
    end
    assert.equal(#paths, i)
    assert.is_true(accepted > 0 or #paths < 50, "none was accepted") -- few cases under valgrind
  end)

  it("leaves the file as it was when a save fails", function()
    local folder = H.dir()
    local path = folder .. "/x.npy"
    nd.save(path, nd.ones(3))
    local gone = nd.ones(3)
    gone:free()
    H.raises("freed", nd.save, path, gone)
    assert.equal(3, nd.load(path).size)
    local e = H.raises("io", nd.save, folder .. "/none/x.npy", nd.ones(3))
    assert.equal(2, tonumber(e.errno))
    local _, listing = H.run("ls -A " .. H.quote(folder))
    assert.equal("x.npy\n", listing)
  end)
end)
