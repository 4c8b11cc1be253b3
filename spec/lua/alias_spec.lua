-- The same bytes in two storages: wrapped twice, mapped twice, wrapped from an array's address.
-- LuaJIT takes pointers of different types for pointers to different memory; even so a compiled
-- loop must not use what it loaded before the other storage was written to.
local H = require "spec.helper"
local ffi = require "ffi"
local nd = require "ndbuf"

-- One dtype for each class of types that LuaJIT tells apart, with two values for it. What is stored
-- second changes the first bytes of what was stored first, whatever the two types are.
local classes = {
  {"i8", 65, 90}, {"i16", 65, 90}, {"i32", 65, 90}, {"i64", 65LL, 90LL}, {"f32", 1.5, 1.25},
  {"f64", 1.5, 1.25},
}

local BYTES = 64

local function new_file() return H.write(H.path "alias.bin", ("\0"):rep(BYTES)) end
local function count(dtype) return BYTES / nd[dtype].itemsize end
local function map(path, dtype) return nd.mmap(path, dtype, {count(dtype)}, {mode = "r+"}) end
local function wrap(pointer, dtype, owner)
  return nd.wrap(ffi.cast("void *", pointer), dtype, {count(dtype)}, {owner = owner})
end

-- Pairs of arrays over the same bytes.
local pairs_of = {
  ["wrap and wrap"] = function(first, second)
    local memory = ffi.new "uint64_t[8]"
    return wrap(memory, first, memory), wrap(memory, second, memory)
  end,
  ["r+ map and r+ map"] = function(first, second)
    local path = new_file()
    return map(path, first), map(path, second)
  end,
  ["a file made on disk: and its map"] = function(first, second)
    local path = H.path "made.bin"
    local made = nd.zeros({count(first)}, first, "disk:" .. path)
    return made, map(path, second)
  end,
  ["an array and its pointer wrapped"] = function(first, second)
    local own = nd.zeros({count(first)}, first)
    return own, wrap(own:ptr(), second, own)
  end,
  ["an array wrapped by its address and the array"] = function(first, second)
    local own = nd.zeros({count(second)}, second)
    return wrap(ffi.cast("char *", own:address()), first, own), own
  end,
  ["a map and its pointer wrapped"] = function(first, second)
    local own = nd.mmap(new_file(), first, {count(first)}, {mode = "c"})
    return own, wrap(own:ptr(), second, own)
  end,
  ["wrap and a bitcast of another wrap"] = function(first, second)
    local memory = ffi.new "uint64_t[8]"
    return wrap(memory, first, memory), wrap(memory, first, memory):bitcast(second)
  end,
}

-- Store through x, then y, load x: hot, so that the compiler may forward the first store.
local forms = {
  ["a[i]"] = "x[1] = p y[1] = q if x[1] == p then wrong = wrong + 1 end",
  ["a[i] of every other"] = [[
    xs[1] = p ys[1] = q if xs[1] == p then wrong = wrong + 1 end]],
  ["a(i, j)"] = "xm:set(1, 1, p) ym:set(1, 1, q) if xm(1, 1) == p then wrong = wrong + 1 end",
  ["a(i, j) of the transposed"] = [[
    xt:set(1, 1, p) yt:set(1, 1, q) if xt:get(1, 1) == p then wrong = wrong + 1 end]],
  ["a:get(i)"] = "x:set(1, p) y:set(1, q) if x:get(1) == p then wrong = wrong + 1 end",
}
local function loop(form)
  return assert(loadstring([[
    local x, y, p, q, n = ...
    local xs, ys, xm, ym = x"::2", y"::2", x:reshape(2, -1), y:reshape(2, -1)
    local xt, yt, wrong = xm.T, ym.T, 0
    for i = 1, n do ]] .. form .. [[ end
    return wrong]]))
end

describe("the same bytes in two storages", function()
  for kind, make in pairs(pairs_of) do
    for name, form in pairs(forms) do
      it(("are seen as they are: %s, %s"):format(kind, name), function()
        for _, first in ipairs(H.some(classes, 3)) do
          for _, second in ipairs(H.some(classes, 3)) do
            local x, y = make(first[1], second[1])
            local what = first[1] .. " under " .. second[1]
            assert.equal(0, loop(form)(x, y, first[2], second[3], 300), what)
            assert.is_true(y[1] == second[3], what)
          end
        end
      end)
    end
  end

  it("are seen when the second storage is made while the loop is hot", function()
    local x, wrong, y = nd.zeros({8}, "f64"), 0, nil
    for i = 1, 400 do
      if i == 200 then y = nd.wrap(x:ptr(), "i64", {8}, {owner = x}) end
      x[1] = 1.5
      if y then y[1] = 0 end
      if y and x[1] ~= 0 then wrong = wrong + 1 end
    end
    assert.equal(0, wrong)
  end)

  it("cost nothing where nobody else sees what is stored", function()
    local head = require "ndbuf.head"
    local pointer = ffi.typeof("$ *", head.ctype "f32")
    local function is_punned(a) return ffi.cast(pointer, a).is_punned ~= 0 end
    local path, memory = new_file(), ffi.new "float[16]"
    assert.is_false(is_punned(nd.zeros({16}, "f32")))
    assert.is_false(is_punned(nd.mmap(path, "f32", {16}, {mode = "c"})))
    assert.is_false(is_punned(nd.mmap(path, "f32", {16}, {mode = "r"})))
    assert.is_false(is_punned(nd.wrap(memory, "f32", {16}, {readonly = true})))
    assert.is_true(is_punned(nd.wrap(memory, "f32", {16})))
    assert.is_true(is_punned(nd.mmap(path, "f32", {16}, {mode = "r+"})))
    for _, name in ipairs {"ptr", "address"} do -- by which others may look from then on
      local a = nd.zeros({16}, "f32")
      assert.truthy(a[name](a))
      a[1] = 1
      assert.is_true(is_punned(a), name)
    end
  end)
end)

describe("a pointer", function()
  it("is const for a read-only array, of every dtype", function()
    for dtype in pairs(require "ndbuf.core".dtypes) do
      local a = nd.zeros({4}, dtype)
      local p, c = a:ptr(), a:readonly_view():ptr()
      local x = p[1]
      p[1] = x
      assert.equal(ffi.cast("void *", p), ffi.cast("void *", c))
      for _ = 1, 200 do -- compiled, too
        local fine, e = pcall(function() c[1] = x end)
        assert(not fine and e:find "constant", dtype)
      end
    end
  end)

  it("is const for everything that is read-only", function()
    local path = new_file()
    local memory = ffi.new "double[4]"
    for _, a in ipairs {nd.mmap(path, "f64"), nd.wrap(memory, "f64", {4}, {readonly = true}),
        nd.zeros(1):expand(4), nd.zeros(4):readonly_view()"2:"} do
      assert.is_false(pcall(function() a:ptr()[0] = 1 end))
      assert.equal(0, a:ptr()[0])
    end
  end)
end)
