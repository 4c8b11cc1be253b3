-- Sizes over 4 GiB, and more than 2^31 and 2^32 elements. The files are sparse: a few pages of them
-- are there, so that this takes neither space nor time.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"

local GiB = nd.GiB
local SIZE = 6 * GiB

local probe = H.path "probe"
local has_sparse = H.run("truncate -s 6G " .. H.quote(probe)) == 0
  and tonumber((select(2, H.run("stat -c %b " .. H.quote(probe))))) < 1000
H.run("rm -f " .. H.quote(probe))

-- A sparse file of SIZE bytes, mapped to be written.
local function sparse(dtype, shape)
  local path = H.path "sparse"
  assert.equal(0, (H.run("truncate -s 6G " .. H.quote(path))))
  return nd.mmap(path, dtype or "u8", shape, {mode = "r+"}), path
end

-- What lies at a byte of the file, by another way.
local function byte_at(path, at)
  local file = assert(io.open(path, "rb"))
  assert(file:seek("set", at - 1))
  local byte = file:read(1):byte()
  file:close()
  return byte
end

-- Remove the file: 'a' is the last to know it.
local function free(a, path)
  a:free()
  os.remove(path)
end

describe("a file of 6 GiB", function()
  if not has_sparse then return pending "the folder of temporary files knows no sparse ones" end

  it("is read and written at the far end, compiled or not", function()
    local a, path = sparse()
    assert.are.same({SIZE}, a.shape)
    assert.equal(SIZE, a.size)
    assert.equal(SIZE, a.nbytes)
    for _, at in ipairs {1, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 32 + 1, SIZE} do
      local sum = 0
      for round = 1, 80 do
        a[at] = at % 100 + round
        sum = sum + a[at]
      end
      assert.equal(80 * (at % 100) + 40 * 81, sum)
      assert.equal(a[at], a[at - SIZE - 1])
    end
    a[SIZE], a[2 ^ 32 + 1] = 77, 78
    assert.equal(77, byte_at(path, SIZE))
    assert.equal(78, byte_at(path, 2 ^ 32 + 1))
    H.raises_like("index_out_of_range", "6442450945", function() return a[SIZE + 1] end)
    H.raises("index_out_of_range", function() a[SIZE + 1] = 1 end)
    free(a, path)
  end)

  it("is sliced across 2^32", function()
    local a, path = sparse()
    local first, last = 2 ^ 32 - 7, 2 ^ 32 + 8
    local window = a[("%d:%d"):format(first, last)]
    assert.are.same({16}, window.shape)
    window:copyin(nd.arange(1, 16, 1, "u8"):copyout())
    assert.equal(8, a[2 ^ 32])
    assert.equal(9, a[2 ^ 32 + 1])
    assert.equal(9, byte_at(path, 2 ^ 32 + 1))
    assert.are.same(window:totable(), a:narrow(1, first, 16):totable())
    local back = a[("%d:%d:-5"):format(last, first)]
    assert.are.same({16, 11, 6, 1}, back:totable())
    local strided = a["1::1073741824"] -- each GiB
    assert.are.same({6}, strided.shape)
    strided:fill(5)
    assert.equal(5, byte_at(path, 5 * GiB + 1))
    assert.equal(5, a[4 * GiB + 1])
    assert.are.same({SIZE}, a["-1:1:-1"].shape)
    assert.equal(16, a["-1:1:-1"][SIZE - last + 1])
    H.raises("index_out_of_range", function() return a[("1:%d"):format(SIZE + 1)] end)
    free(a, path)
  end)

  it("is copied from and to across 2^32, over itself too", function()
    local a, path = sparse()
    local n = 3 * 2 ^ 20
    local source = nd.arange(1, n, 1, "u32"):bitcast("u8")
    local at = 2 ^ 32 - source.size / 2
    local part = a:narrow(1, at, source.size)
    a[("%d:%d"):format(at, at + source.size - 1)] = source
    assert.is_true(part:clone():equal(source))
    assert.equal(source[-1], byte_at(path, at + source.size - 1))
    local shifted = a:narrow(1, at + 5, source.size)
    shifted[":"] = part -- they overlap
    assert.is_true(shifted:equal(source))
    assert.equal(0, a[at + source.size + 5])
    assert.equal(source[-1], a[at + source.size + 4])
    free(a, path)
  end)

  it("has items of other sizes, aligned or not", function()
    local a, path = sparse("f64")
    assert.are.same({SIZE / 8}, a.shape)
    a[-1], a[2 ^ 29 + 1] = 2.5, 1.5 -- the second starts at byte 2^32
    assert.equal(1.5, a:bitcast("u8"):narrow(1, 2 ^ 32 + 1, 8):bitcast("f64")[1])
    local odd = nd.mmap(path, "f64", {2}, {offset = 2 ^ 32 - 3, mode = "r+"})
    odd[1], odd[2] = 3.25, -3.25
    local bytes = a:bitcast("u8"):narrow(1, 2 ^ 32 - 2, 16):copyout()
    assert.equal(ffi.string(ffi.new("double[2]", 3.25, -3.25), 16), bytes)
    assert.equal(2.5, nd.mmap(path, "f64", {1}, {offset = SIZE - 8})[1])
    H.raises("out_of_bounds", nd.mmap, path, "f64", {1}, {offset = SIZE - 7})
    H.raises("overflow", nd.mmap, path, "f64", {2 ^ 33, 2 ^ 33})
    free(a, path)
  end)

  it("is looked at by rows, columns, windows and fields", function()
    local a, path = sparse("u8", {3, 2 ^ 31})
    a[{3, 2 ^ 31}], a[{2, 2 ^ 31}], a[{3, 1}] = 9, 8, 7
    assert.equal(9, a(3, 2 ^ 31))
    assert.equal(9, byte_at(path, SIZE))
    assert.are.same({7}, a.T[{1, "3:3"}]:totable())
    assert.are.same({0, 8, 9}, a[":, -1"]:totable())
    assert.equal(2 ^ 31, a.strides[1])
    local flat = a:reshape(-1)
    assert.are.same({SIZE}, flat.shape)
    assert.equal(8, flat[2 ^ 32])
    assert.are.same({2 ^ 16, 3, 2 ^ 15}, flat:reshape(2 ^ 16, 3, 2 ^ 15).shape)
    H.raises("size_mismatch", flat.reshape, flat, 2 ^ 16, 2 ^ 16)
    H.raises("overflow", flat.reshape, flat, 2 ^ 32, 2 ^ 32)
    local windows = flat:unfold(1, 4, 2 ^ 31)
    assert.are.same({3, 4}, windows.shape)
    windows[3][2] = 6
    assert.equal(6, byte_at(path, 2 ^ 32 + 2))
    local rec = nd.records(flat, {{"tag", "u8"}, {"value", "u32"}}, {stride = 2 ^ 16})
    assert.are.same({SIZE / 2 ^ 16}, rec.value.shape)
    rec.tag[2 ^ 16 + 1] = 4
    assert.equal(4, byte_at(path, 2 ^ 32 + 1))
    free(a, path)
  end)
end)

describe("a broadcast of one element to more than 2^32", function()
  it("has the size, and elements at all places", function()
    local a = nd.array({3}, "u8"):expand(2 ^ 33 + 5)
    assert.equal(2 ^ 33 + 5, a.size)
    assert.equal(3, a[2 ^ 33 + 5])
    assert.are.same({2 ^ 33 + 1}, a["5:"].shape)
    H.raises("index_out_of_range", function() return a[2 ^ 33 + 6] end)
    local square = nd.array({3}, "u8"):expand(2 ^ 20, 2 ^ 20)
    assert.equal(2 ^ 40, square.size)
    assert.equal(3, square(2 ^ 20, 2 ^ 20))
    assert.is_truthy(tostring(square):find("1048576x1048576", 1, true))
  end)
end)

describe("an .npy file of more than 4 GiB", function()
  if not has_sparse then return pending "the folder of temporary files knows no sparse ones" end

  it("is mapped, and what is written to its end is what NumPy reads", function()
    local path = H.path "large.npy"
    H.python([[
import sys, numpy as np
a = np.lib.format.open_memmap(sys.argv[1], mode='w+', dtype='<i2', shape=(3, 2**30 + 1))
a[2, 2**30] = -5
a[1, 0] = 12]], path)
    local a = nd.load(path, {mmap = true})
    assert.are.same({3, 2 ^ 30 + 1}, a.shape)
    assert.equal(-5, a(3, 2 ^ 30 + 1))
    assert.equal(12, a(2, 1))
    assert.equal(-5, a[{3, -1}])
    assert.equal(-5, a["3, -2:"][2])
    local copy = a["2:3, -3:"]:clone()
    assert.are.same({{0, 0, 0}, {0, 0, -5}}, copy:totable())
    H.run("truncate -s -1 " .. H.quote(path))
    H.raises("format", nd.load, path, {mmap = true})
    free(a, path)
  end)

  it("has no header that a product beyond 2^64 could pass by", function()
    local path = H.path "product.npy"
    nd.save(path, nd.zeros(8))
    local text = H.read(path)
    local changed, count = text:gsub("%(8,%), }" .. (" "):rep(24),
      "(4294967296, 4294967297), }")
    assert.equal(1, count)
    H.write(path, changed)
    H.raises("format", nd.load, path)
    H.raises("format", nd.load, path, {mmap = true})
  end)
end)
