-- Leaf calls: what compiled code calls through the FFI for views and small arrays. The oracles are
-- the functions of the module (nd.add for a:add), which are not called so, tables of indices, and
-- copies. Every case runs in a loop that is long enough to be compiled.
local H = require "spec.helper"
local nd = require "ndbuf"
local core = require "ndbuf.core"

local dtypes = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32",
  "f64", "c64", "c128", "f8e4m3", "f8e5m2"}
local shapes = {{1}, {2}, {10}, {33}, {512}, {513}, {3, 5}, {16, 16}, {2, 3, 4}, {2, 2, 2, 2}, {0}}
local HOT = 14 -- rounds after which a loop is compiled here, where hotloop is 5
local rng = H.rng "leaf"

local function values(dtype, shape)
  local n = 1
  for _, len in ipairs(shape) do n = n * len end
  local list = {}
  for i = 1, n do list[i] = rng(0, dtype:find "^u" and 9 or 18) - (dtype:find "^u" and 0 or 9) end
  return nd.array(list, "f64"):astype(dtype):reshape(shape)
end

local function outcome(fn, ...)
  local got = {pcall(fn, ...)}
  local x = got[2]
  if not got[1] then return type(x) == "table" and x.code .. ": " .. x.message or error(x, 0) end
  if type(x) ~= "userdata" then return x ~= x and "nan" or tostring(x) end
  local nans = ""
  if x.dtype:find "^[fb]%d*" and x.dtype ~= "bool" then
    x = x:clone()
    local mask = x:ne(x)
    x[mask] = 0 -- which of two NaNs a result has depends on the compiler
    nans = mask:copyout()
  end
  return x.dtype .. table.concat(x.shape, "x") .. x:copyout() .. nans
end

-- A function of its own for each code, so that each has its own traces; its last result, hot.
local function hot(code)
  return assert(loadstring(("local a, b, c, d = ... local v for i = 1, %d do v = %s end return v")
    :format(HOT, code)))
end

local function same(what, got, wanted)
  if got == wanted then return end
  error(("%s: %q instead of %q (seed %d)"):format(what, got, wanted, H.seed), 2)
end

describe("leaf calls", function()
  setup(function() jit.opt.start "hotloop=5" end)
  teardown(function() jit.opt.start "hotloop=56" end)

  for _, op in ipairs(core.operations) do
    if op.operands <= 2 and not op.axis then
      it("of " .. op.name .. " do what the function does", function()
        local fn, name = nd[op.name], op.name
        local call = hot(op.operands == 1 and "a:" .. name .. "()" or "a:" .. name .. "(b)")
        local into = hot("a:" .. name .. (op.operands == 1 and "{out = c}" or "(b, {out = c})"))
        for _, dtype in ipairs(H.some(dtypes, 2)) do
          for _, shape in ipairs(H.some(shapes)) do
            local a, b = values(dtype, shape), values(dtype, shape)
            if op.operands == 1 then b = nil end
            local what = ("%s of %s %s"):format(name, table.concat(shape, "x"), dtype)
            local wanted = outcome(fn, a, b)
            same(what, outcome(call, a, b), wanted)
            if b then
              for _, number in ipairs {3, -1.5, 0, 300, 2 ^ 53 + 2, 0 / 0} do
                same(what .. " with " .. number, outcome(call, a, number), outcome(fn, a, number))
              end
              local seven, floats = values(dtype, {7}), values("f32", shape)
              same(what .. " with another shape", outcome(call, a, seven), outcome(fn, a, seven))
              same(what .. " with another dtype", outcome(call, a, floats), outcome(fn, a, floats))
            end
            local fine, result = pcall(fn, a, b)
            if fine then
              local out = nd.zeros(shape, result.dtype)
              same(what .. " into an array", outcome(into, a, b, out), wanted)
              same(what .. " into that array", outcome(function() return out end), wanted)
            end
          end
        end
      end)
    end
  end

  it("of operators take an array and a number in any order", function()
    local operators = {"+", "-", "*", "/", "%", "^"}
    local names = {"add", "sub", "mul", "div", "mod", "pow"}
    for i, operator in ipairs(operators) do
      local fn = nd[names[i]]
      for _, dtype in ipairs(H.some(dtypes, 2)) do
        local a, b = values(dtype, {12}), values(dtype, {12})
        local floats = values("f64", {12})
        for _, pair in ipairs {{a, b}, {a, 3}, {3, a}, {a, 2.5}, {2.5, a}, {a, floats}} do
          same(dtype .. operator, outcome(hot("a " .. operator .. " b"), pair[1], pair[2]),
            outcome(fn, pair[1], pair[2]))
        end
      end
    end
    for _, dtype in ipairs(dtypes) do
      local a = values(dtype, {12})
      same("-" .. dtype, outcome(hot "-a", a), outcome(nd.neg, a))
    end
  end)

  it("in place change the array and nothing else, also where operands share its bytes", function()
    for _, dtype in ipairs {"f32", "f64", "i32", "u8", "c64"} do
      for _, n in ipairs {1, 10, 100} do
        for shift = -1, 1 do
          local whole = values(dtype, {n + 2})
          local z, b = whole:narrow(1, 2, n), whole:narrow(1, 2 + shift, n)
          local wanted = z:clone():add(b:clone())
          local copy = whole:clone()
          copy:narrow(1, 2, n):copy_from(wanted)
          -- once compiled for other arrays, then for these
          local add = hot "a:add_(b)"
          add(values(dtype, {n}):fill(0), values(dtype, {n}):fill(0))
          local once = assert(loadstring "local a, b = ... return a:add_(b)")
          for _ = 1, HOT do once(nd.zeros({n}, dtype), nd.zeros({n}, dtype)) end
          assert.is_true(rawequal(once(z, b), z))
          same(("%s %d %d"):format(dtype, n, shift), whole:copyout(), copy:copyout())
        end
      end
    end
  end)

  it("refuse what the functions refuse, with the line of the caller", function()
    local a, b, frozen = nd.ones(4), nd.ones(5), nd.ones(4):readonly_view()
    local other, long = nd.ones({4}, "f32"), nd.ones({2, 4})
    local cases = {
      shape_mismatch = {"a:add_(b)", a, b}, read_only = {"a:add_(a)", frozen},
      type_mismatch = {"a:lt(a, {out = a:readonly_view()}) + nil", a},
      not_representable = {"a:add(0.5)", nd.ones({4}, "i32")},
    }
    for code, case in pairs(cases) do
      local text = "local a, b = ... local v for i = 1, 99 do\n v = %s\n end return v"
      local fine, e = pcall(assert(loadstring(text:format(case[1]), "=case")), case[2], case[3])
      assert.is_false(fine)
      if code ~= "type_mismatch" then assert.same({code, "case:2"}, {e.code, e.where}) end
    end
    assert.same("shape_mismatch", select(2, pcall(hot "a:add(a, {out = b})", a, long)).code)
    assert.same("read_only", select(2, pcall(hot "a:fill(1)", frozen)).code)
    assert.same("read_only", select(2, pcall(hot "a:copy_from(b)", frozen, a)).code)
    assert.same({1, 1, 1, 1}, hot("a:add(b, {out = c})")(a, nd.zeros(4), other):totable())
    local freed = nd.ones(3)
    freed:free()
    assert.same("freed", select(2, pcall(hot "a:sum()", freed)).code)
  end)

  it("of reductions give the same number", function()
    for _, op in ipairs(core.operations) do
      if op.axis then
        for _, dtype in ipairs(H.some(dtypes, 2)) do
          for _, shape in ipairs(H.some(shapes, 2)) do
            local a = values(dtype, shape)
            same(("%s of %s %s"):format(op.name, table.concat(shape, "x"), dtype),
              outcome(hot("a:" .. op.name .. "()"), a), outcome(nd[op.name], a))
          end
        end
      end
    end
    local large = nd.array({2 ^ 53, 1, 1}, "i64") -- no number holds the sum
    assert.is_true(hot("a:sum()")(large) == 9007199254740994LL)
    assert.is_true(hot("a:max()")(nd.array({-0x1p53, 0x1p53}, "i64")) == 0x1p53)
  end)

  it("fill and copy with every dtype", function()
    for _, dtype in ipairs(dtypes) do
      for _, n in ipairs {1, 10, 1000} do
        local a = nd.zeros({n}, dtype)
        for _, number in ipairs {3, -2.5, 1e9, 0 / 0} do
          same(dtype, outcome(hot "a:fill(b)", a, number), outcome(nd.full, {n}, number, dtype))
        end
        local b = values("f64", {n})
        if dtype ~= "bool" then
          same(dtype, outcome(hot "a:copy_from(b)", a, b), outcome(b.astype, b, dtype))
        end
      end
    end
    local a = values("f32", {20})
    local wanted = a:clone()
    hot "a:copy_from(b)"(a:narrow(1, 1, 19), a:narrow(1, 1, 19))
    same("itself", a:copyout(), wanted:copyout())
  end)

  it("of views are what tables of indices are", function()
    local function check(what, x, wanted)
      local function facts(v)
        return ("%s %s %s %d %s %d "):format(v.dtype, table.concat(v.shape, "x"),
          table.concat(v.strides, ","), v.offset, tostring(v.readonly), v.storage_id) .. v:copyout()
      end
      same(what, facts(x), facts(wanted))
      if x.ndim == 1 then same(what, tostring(x[1]), tostring(x:totable()[1])) end
    end
    for _ = 1, H.cases(60) do
      local dtype, ndim, shape = dtypes[rng(#dtypes)], rng(1, 5), {}
      for i = 1, ndim do shape[i] = rng(1, 4) end
      local a = values(dtype, shape)
      if rng(3) == 1 then a = a:flip(1) end
      if rng(3) == 1 then a = a.T end
      if rng(4) == 1 then a = a:readonly_view() end
      shape = a.shape
      local axis = rng(ndim)
      local k, index = rng(shape[axis]), {}
      for i = 1, ndim do index[i] = {} end
      index[axis] = k
      if ndim > 1 then
        check("select", hot("a:select(b, c)")(a, axis, k), a[index])
        check("select", hot("a:select(b, c)")(a, axis - ndim - 1, k - shape[axis] - 1), a[index])
        local row = rng(shape[1])
        check("row", hot("a[b]")(a, row), a[{row}])
        check("row", hot("a[b]")(a, row - shape[1] - 1), a[{row}])
      end
      index[axis] = {k, k + rng(0, shape[axis] - k)}
      check("narrow", hot("a:narrow(b, c, d)")(a, axis, k, index[axis][2] - k + 1), a[index])
      local order = {}
      for i = 1, ndim do order[i] = ndim + 1 - i end
      check("T", hot("a.T")(a), a:permute(order))
      check("transpose", hot("a:transpose()")(a), a:permute(order))
      check("slice", hot("a[b]")(a, k <= shape[1] and k .. ":" .. shape[1] or ":"),
        a[{k <= shape[1] and {k, shape[1]} or {}}])
    end
    for _, code in ipairs {"a:select(1, 4)", "a:select(3, 1)", "a:narrow(1, 3, 2)",
      "a:narrow(1, 1, -1)", "a:narrow(1, 1.5, 1)", "a['4:5']", "a[4]", "a[0]", "a[0/0]",
      "a:transpose(1)"} do
      assert.is_false(pcall(hot(code), nd.ones(3, 3)))
    end
    assert.same({0, 3}, hot("a:narrow(1, 2, 0)")(nd.ones(3, 3)).shape)
  end)

  it("make arrays as the functions make them", function()
    for _, name in ipairs {"zeros", "empty"} do
      for _, given in ipairs {"10", "{10}", "2, 3", "{2, 3}", "{2, 3}, 'f32'", "10, 'u8'",
        "2, 3, 'i64'", "{10}, nd.f32", "{0}", "0", "{10}, 'f32', 'cpu'", "{10}, {dtype = 'i8'}",
        "{2, 3, 4}", "2, 3, 4", "{}", "{4096}, 'u8'", "{4097}, 'u8'", "{5, 1000}", "3LL", "{3LL}",
        "10, nil", "nil", "-1", "{-1}", "{2, -1}", "1.5", "{2, 'x'}", "{2, nil, 3}", "{x = 1}",
        "{2, x = 1}", "{2, 3, x = 1}", "{[0] = 1, 2}", "'f32'", "{2}, 'f33'", "{2}, 3",
        "{2}, 'f32', 'f32'", "0/0", "1e300", "{[2] = 3}", "3, 'f32', {lazy = true}"} do
        local code = "local nd, make = ... local v for i = 1, %d do v = make(%s) end return v"
        local fn = assert(loadstring(code:format(HOT, given)))
        local function run(make) return pcall(fn, nd, make) end
        local fine, got = run(nd[name])
        local also, wanted = run(core[name])
        local what = name .. "(" .. given .. ")"
        assert.same({what, also}, {what, fine})
        if fine then
          local function facts(v)
            return {what, v.dtype, v.shape, v.strides, v.is_allocated, v.total_bytes}
          end
          assert.same(facts(wanted), facts(got))
          if name == "zeros" then assert.same(wanted:totable(), got:totable()) end
        else
          assert.same({what, wanted.code, wanted.message}, {what, got.code, got.message})
        end
      end
    end
  end)

  it("give each array a handle of its own, whatever finalizers make meanwhile", function()
    local a, m, ids, kept, count = nd.arange(1, 10), nd.arange(1, 40):reshape(10, 4), {}, {}, 0
    local function make(i)
      local x = a + i
      local r = m[i % 10 + 1]
      kept[#kept + 1], kept[#kept + 2] = {x, i}, {r, i}
    end
    for i = 1, H.cases(3000) do
      local p = newproxy(true)
      getmetatable(p).__gc = function()
        count = count + 1
        make(count)
      end
      make(i)
      if i % 64 == 0 then collectgarbage("step", 200) end
    end
    collectgarbage()
    for n, pair in ipairs(kept) do
      local x, i = pair[1], pair[2]
      assert(not ids[x.id], "a handle is two arrays")
      ids[x.id] = true
      if n % 2 == 1 then assert(x(1) == 1 + i and x(10) == 10 + i and x.size == 10)
      else assert(x(1) == (i % 10) * 4 + 1 and x.size == 4) end
    end
    assert.is_true(count > 0)
  end)

  it("note the arrays of nd.scope", function()
    local a, kept, lost = nd.ones(10), nil, {}
    for _ = 1, HOT do
      kept = nd.scope(function()
        for i = 1, HOT do lost[i] = a + i end
        return a + 1
      end)
    end
    assert.same(2, kept[1])
    for i = 1, HOT do assert.is_false(lost[i].is_allocated) end
  end)

  it("see an array that is freed or changes its memory in a hot loop", function()
    for _ = 1, 3 do
      local a, n, sum = nd.ones(10), 0, 0
      local fine, e = pcall(function()
        for i = 1, 400 do
          n = i
          sum = sum + a:sum() + (a + 1)[1]
          if i == 300 then a:free() end
        end
      end)
      assert.is_false(fine)
      assert.same({"freed", 301, 3600}, {e.code, n, sum})
    end
    local a, b = nd.ones(10), nd.ones(10)
    local fine, e = pcall(function()
      for i = 1, 400 do
        a:add_(b)
        if i == 300 then b:free() end
      end
    end)
    assert.same({false, "freed", 301}, {fine, e.code, a[1]})
    local lazy = nd.empty({10}, "f64", {lazy = true})
    -- its head is stale once there is memory
    local row = nd.empty({10, 10}, "f64", {lazy = true})[1]
    for i = 1, HOT do
      lazy:fill(i)
      row:fill(i)
    end
    assert.same({10 * HOT, 10 * HOT}, {lazy:sum(), row:sum()})
  end)

  it("refuse surplus arguments behind nils, and keys that are no names", function()
    for _, code in ipairs {"a:add_(a, nil, 7)", "a:fill(1, nil, 7)", "m:transpose(nil, 7)",
      "m:select(1, 2, nil, 7)", "m:narrow(1, 1, 2, nil, 7)", "a:add(a, nil, nil, 7)",
      "a:add(a, {}, nil, 7)", "a:neg(nil, nil, 7)", "a:sum(nil, nil, nil, 7)",
      "nd.zeros {[1LL] = 5}", "a:copy_from(a, nil, nil, 7)", "a:add(a, {out = a, [null] = 1})",
      "a:add(a, {out = a, x = 1})", "a:add(a, {x = 1})"} do
      local text = "local a, m, nd, null = ... for i = 1, 70 do local _ = %s end"
      local fn = assert(loadstring(text:format(code)))
      local null = require "ffi".cast("void *", 0)
      local fine, e = pcall(fn, nd.ones(3), nd.ones(3, 3), nd, null)
      assert(not fine and e.code == "invalid_argument", code)
    end
  end)

  it("go on after an error of a hook, wherever it comes", function()
    local function settle()
      collectgarbage() collectgarbage()
      return core.stats()
    end
    local before, has_jit = settle(), jit.status()
    for k = 1, 120 do
      local m, n = nd.zeros({100, 100}, "i16"), 0
      local _ = m[1]
      jit.off()
      pcall(function()
        debug.sethook(function()
          n = n + 1
          if n == k then
            debug.sethook()
            error "stop"
          end
        end, "", 1)
        _ = m[3]
        _ = m + 1
        debug.sethook()
      end)
      debug.sethook()
      if has_jit then jit.on() end
    end
    local m = nd.zeros({100, 100}, "i16")
    for i = 1, HOT do
      local row = m[i % 100 + 1]
      assert(row.size == 100 and (row + i)[1] == i)
    end
    m = nil
    local after = settle()
    assert.is_nil(m)
    assert.same({before.live, before.count}, {after.live, after.count})
  end)

  it("made by finalizers while a Lua state closes are freed", function()
    local ffi = require "ffi"
    ffi.cdef [[
      typedef struct lua_State lua_State;
      lua_State *luaL_newstate(void);
      void luaL_openlibs(lua_State *);
      int luaL_loadstring(lua_State *, const char *);
      int lua_pcall(lua_State *, int, int, int);
      void lua_close(lua_State *);
    ]]
    local code = [[
      package.path, package.cpath = %q, %q
      local nd = require "ndbuf"
      local a, m, keep = nd.ones(10), nd.ones(100, 100), {}
      _G.p = newproxy(true)
      local function make() for i = 1, 5 do keep[#keep + 1] = %s end end
      make()
      getmetatable(p).__gc = make
    ]]
    for _, made in ipairs {"a + a", "m[3]", "nd.zeros(10)", "m:narrow(1, 1, 3)"} do
      collectgarbage() collectgarbage()
      local before = core.stats()
      local L = ffi.C.luaL_newstate()
      ffi.C.luaL_openlibs(L)
      local text = code:format(package.path, package.cpath, made)
      assert.same(0, ffi.C.luaL_loadstring(L, text))
      assert.same(0, ffi.C.lua_pcall(L, 0, 0, 0))
      ffi.C.lua_close(L)
      local after = core.stats()
      assert.same({made, before.live, before.count}, {made, after.live, after.count})
    end
  end)

  it("notice a file that shrank, by a row that moves", function()
    local path = H.path "map.u8"
    for _, code in ipairs {"row.T(1, 1)", "row:narrow(1, 1, 2)(1, 1)", "row['1:2'](1, 1)"} do
      H.write(path, ("\1"):rep(64 * 4096))
      local a = nd.mmap(path, "u8", {64, 64, 64})
      assert.same(1, a(64, 64, 64))
      H.write(path, "")
      local function first() return a[1][1][1] end
      -- this one notices it; where it is compiled already it may read a zero this once
      local fine, x = pcall(first)
      assert.same(fine and 0 or "io", fine and x or x.code)
      for _ = 1, 3 do assert.is_false(pcall(first)) end
      local text = "local a = ... local s = 0 for _, row in a:rows() do s = s + %s end return s"
      local sum = assert(loadstring(text:format(code)))
      assert.same("io", select(2, pcall(sum, a)).code)
    end
  end)

  it("count for the collection debt", function()
    if os.getenv "NDBUF_GC_STRESS" then return pending "under stress no garbage piles up" end
    collectgarbage() collectgarbage()
    local before, most = core.stats(), 0
    collectgarbage("setpause", 1000000) -- by itself the collector would not come
    for _ = 1, 30 do
      for _ = 1, 1000 do local _ = nd.zeros(512) end
      most = math.max(most, core.stats().live - before.live)
    end
    collectgarbage("setpause", 200)
    assert.is_true(most > 2 ^ 20 and most < 80 * 2 ^ 20, most .. " bytes were live")
    assert.is_true(core.stats().collections > before.collections)
  end)

  it("leave nothing behind", function()
    local function work()
      local a, m = nd.ones(10), nd.ones(10, 10)
      for i = 1, os.getenv "NDBUF_GC_STRESS" and 500 or 5000 do
        local _ = a + a
        _ = m[i % 10 + 1]
        _ = a:lt(3) or m.T
        _ = nd.zeros(i % 20 + 1)
        a:add_(1)
      end
    end
    local function settle()
      jit.flush() -- compiled code keeps values alive
      collectgarbage() collectgarbage()
      return core.stats()
    end
    work() -- makes the collector drop what it still keeps of other specs
    local before = settle()
    work()
    local after = settle()
    assert.same({before.live, before.count}, {after.live, after.count})
  end)
end)
