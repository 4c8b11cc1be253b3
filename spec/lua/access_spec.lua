--- a(i, …), a:get and a:set: with every number of indices, with the JIT and without, from the first
-- use of a dtype on.
local H = require "spec.helper"
local nd = require "ndbuf"

local has_jit = jit.status()

describe("a(i, …), a:get and a:set", function()
  -- The oracle are the elements as whole-array calls read them, in row-major order.
  local views = [[
    local nd, random, dtypes = require "ndbuf", math.random, {}
    math.randomseed(arg[2])
    for name in pairs(require "ndbuf.core".dtypes) do dtypes[#dtypes + 1] = name end
    table.sort(dtypes)
    local function view(shape, dtype)
      local v, order = nd.arange(nd.zeros(shape).size):reshape(shape):astype(dtype), {}
      for i = 1, #shape do order[i] = i end
      for i = #shape, 2, -1 do
        local k = random(i)
        order[i], order[k] = order[k], order[i]
      end
      v = v:permute(unpack(order))
      for i = 1, #shape do
        if random(3) == 1 then v = v:flip(i) end
        if random(3) == 1 then v = v:narrow(i, random(v:dim(i)), 1) end
      end
      return random(3) == 1 and v:slice { "...", ("::%d"):format(random(3)) } or v
    end
    for round = 1, tonumber(arg[1]) do
      local ndim, shape = random(1, 6), {}
      for i = 1, ndim do shape[i] = random(1, 5) end
      local v = view(shape, dtypes[random(#dtypes)])
      shape = v.shape
      local list, stored, at = v:contiguous():flatten():totable(), {}, {}
      for n = 1, #list do
        local rest = n - 1
        for i = ndim, 1, -1 do
          at[i] = rest % shape[i] + 1
          rest = (rest - rest % shape[i]) / shape[i]
        end
        local x, y, z = v:get(unpack(at, 1, ndim)), list[n], v(unpack(at, 1, ndim))
        if type(x) == "cdata" and v.dtype:find "^c" then x, y, z = x.re, y.re, z.re end
        assert(x == y and x == z, ("%s, round %d, element %d"):format(v.dtype, round, n))
        at[ndim + 1] = (n * 37 + round) % 50
        stored[n] = at[ndim + 1]
        v:set(unpack(at, 1, ndim + 1))
        at[ndim + 1] = 1 -- an index too many
        assert(not pcall(v.get, v, unpack(at, 1, ndim + 1)))
        assert(not pcall(v, unpack(at, 1, ndim + 1)))
        assert(ndim == 1 or v(unpack(at, 1, ndim - 1)).ndim == 1)
        local axis = random(ndim)
        at[axis] = shape[axis] + 1
        assert(not pcall(v, unpack(at, 1, ndim)))
      end
      local expected = nd.array(stored):astype(v.dtype)
      assert(v:contiguous():flatten():equal(expected), ("%s, round %d"):format(v.dtype, round))
    end
  ]]
  for _, flags in ipairs { "", "-joff" } do
    it("finds the elements of views of every number of axes " .. flags, function()
      local status, _, err = H.luajit(flags, views, H.cases(300), H.seed)
      assert.equal("0 ", status .. " " .. err)
    end)
  end

  it("finds them by hand, too", function()
    local c, q = nd.arange(24):reshape(2, 3, 4), nd.arange(120):reshape(2, 3, 4, 5)
    assert.equal(18, c(2, 2, 2))
    assert.equal(94, q(2, 2, 3, 4))
    c:set(2, 2, 2, -1)
    q:set(2, 2, 3, 4, -1)
    assert.equal(-1, c:flatten()[18])
    assert.equal(-1, q:flatten()[94])
    for _, k in ipairs { 0, 1.5, 9 } do
      H.raises("index_out_of_range", function() return q(1, 1, 1, k < 9 and 9 or k) end)
      assert.is_false(pcall(q, 1, 1, 1, k))
      assert.is_false(pcall(q.set, q, 1, 1, 1, k, 0))
      assert.is_false(pcall(c.set, c, 1, 1, k, 0))
      assert.is_false(pcall(c, 1, k, 1))
    end
    assert.is_false(pcall(q, 1, 1, 1, 1, 1))
  end)

  it("ends the indices where only nils follow", function()
    local a = nd.arange(24):reshape(2, 3, 4)
    for _ = 1, 100 do
      assert.equal(24, a(2, 3, 4, nil))
      assert.equal(24, a:get(2, 3, 4, nil, nil))
      assert.equal("3 4", table.concat(a(1, nil, nil).shape, " "))
      assert.equal("2 3 4", table.concat(a(nil).shape, " "))
    end
    H.raises("type_mismatch", function() return a(1, nil, 1) end)
    local row, m, q, null = a[1][1], a[1], a:reshape(2, 3, 2, 2), require "ffi".cast("void *", 0)
    H.raises("type_mismatch", function() return row(1, nil, 3) end)
    H.raises("type_mismatch", function() return m(1, 2, nil, 9) end)
    H.raises("type_mismatch", function() return m:get(1, nil, nil, nil, 2) end)
    H.raises("type_mismatch", function() return a(1, 2, 3, nil, 9) end)
    H.raises("type_mismatch", function() return q(1, 2, 1, 1, nil, 9) end)
    H.raises("type_mismatch", function() return row(1, null) end)
    H.raises("type_mismatch", function() return m(1, 1, null) end)
    H.raises("type_mismatch", function() return q:get(1, 1, 1, 1, null) end)
    H.raises("type_mismatch", function() return a:get(nil, 1) end)
    H.raises("type_mismatch", function() a:set(1, nil, 1, 5) end)
    H.raises("type_mismatch", function() a:set(1, 1, nil, 5) end)
    H.raises("type_mismatch", function() a:set(1, 1, 1, nil) end) -- a value, not an end
    local twos = {}
    for i = 1, 34 do twos[i] = 2 end
    H.raises_like("invalid_argument", "limit", function() return a(unpack(twos)) end)
  end)

  -- Where LuaJIT cannot compile the rest of a loop's body, it starts no trace at a function of a
  -- variable number of arguments, and FFI code that is interpreted is slow.
  it("has fixed parameters", function()
    if not has_jit then return pending "the JIT is off: C functions take all access" end
    local util, mt = require "jit.util", require "ndbuf.core".metatables.f32
    local _ = nd.f32 {1}[1] -- before, the functions are those that make these
    for _, f in ipairs { mt.__index, mt.__newindex, mt.__call, mt.__len, mt.methods.get } do
      assert.is_falsy(util.funcinfo(f).isvararg)
    end
    for i = 1, 4 do
      local set = select(2, debug.getupvalue(mt.methods.set, i))
      assert.is_falsy(type(set) == "function" and util.funcinfo(set).isvararg)
    end
  end)
end)

-- A process for each round, since a dtype is used first but once.
describe("a dtype's functions", function()
  local program = [[
    local nd, core = require "ndbuf", require "ndbuf.core"
    local round, dtypes = tonumber(arg[1]), {}
    for dtype in pairs(core.metatables) do dtypes[#dtypes + 1] = dtype end
    table.sort(dtypes)
    local function re(x) return type(x) == "cdata" and x.re or x == true and 1 or x end
    local uses = {
      function(a) assert(re(a[3]) == 1) end,
      function(a) a[3] = 0 assert(re(a(3)) == 0 or a(3) == false) end,
      function(a) assert(re(a(3)) == 1) end,
      function(a) assert(#a == 4) end,
      function(a) assert(re(a:get(3)) == 1) end,
      function(a) a:set(3, 0) assert(re(a[3]) == 0 or a[3] == false) end,
      function(a) assert(a.size == 4) end,
      function(a) a:ptr()[2] = 0 assert(re(a[3]) == 0 or a[3] == false) end,
      function(a)
        local fine, e = pcall(function() return a[9] end)
        assert(not fine and tostring(e):find "%.lua:%d+: .*index 9 is out of range", tostring(e))
      end,
    }
    local many = 0
    for i, dtype in ipairs(dtypes) do
      local a, b, made = nd.ones({4}, dtype), nd.ones({4}, dtype), nil
      if round % 2 == 0 then -- finalizers use it while the functions are made
        collectgarbage("setpause", 1) -- the collector never rests
        local p = {}
        for k = 1, 300 do
          p[k] = newproxy(true)
          getmetatable(p[k]).__gc = function()
            if made then return end
            many = many + 1
            b[1] = b[2]
            assert(re(b[1]) == 1 and re(b:get(4)) == 1 and #b == 4)
            assert(tonumber(require "ffi".cast("uintptr_t", b:ptr())) == b:address())
          end
        end
        p = nil
      end
      uses[(i + round) % #uses + 1](a)
      made = true
      for _ = 1, 100 do
        a[1] = 1
        a:set(2, a(1))
        assert(re(a[2]) == 1 and re(a(-1)) == 1 and a.ndim == 1)
      end
    end
    print(many)
  ]]

  it("are made at the first use, even where finalizers use them meanwhile", function()
    local during = 0
    for round = 1, 9 do
      local status, out, err = H.luajit(has_jit and "" or "-joff", program, round)
      assert.equal("0 ", status .. " " .. err, ("round %d"):format(round))
      during = during + tonumber(out)
    end
    if has_jit then assert.is_true(during > 0) end
  end)

  it("are made in a finalizer, too", function()
    local status, out, err = H.luajit(has_jit and "" or "-joff", [[
      local nd, core = require "ndbuf", require "ndbuf.core"
      local made = 0
      for dtype in pairs(core.metatables) do
        local a = nd.ones({3}, dtype)
        getmetatable(newproxy(true)).__gc = function() a[2] = a[1] made = made + #a end
        collectgarbage()
        a:set(1, a(2))
      end
      print(made)
    ]])
    assert.equal("0 51\n", status .. " " .. out .. err)
  end)

  it("are made at the next use where memory or time ended at the first", function()
    local status, out, err = H.luajit(has_jit and "" or "-joff", [[
      local nd, loadstring = require "ndbuf", loadstring
      local a, is_refused = nd.ones(3), true
      function _G.loadstring(...) -- the JIT's; C's functions do without
        if is_refused then error "refused" end
        return loadstring(...)
      end
      local fine, e = pcall(function() return a[1] end)
      is_refused = false
      if jit.status() then assert(not fine and tostring(e):find "refused", tostring(e)) end
      a[2] = 5
      assert(a[2] == 5 and a(2) == 5 and a:get(2) == 5 and #a == 3 and a.size == 3)
      local index = require "ndbuf.core".metatables.f64.__index
      assert(debug.getinfo(index, "S").what == (jit.status() and "Lua" or "C"))
      assert(a:ptr()[1] == 5 and tostring(a:readonly_view():ptr()):find "const")
      print "fine"
    ]])
    assert.equal("0 fine\n", status .. " " .. out .. err)
  end)
end)
