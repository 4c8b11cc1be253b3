-- DLPack on the host, as another library of the process sees it; NumPy and PyTorch are in
-- spec/peers, GPUs in spec/dev/cuda_dlpack_spec.lua, threads and bad tensors in spec/core.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local D = dofile "spec/xchg/dlpack.lua"

local function held() return nd.device "cpu":memory_info().held end

-- After what may still be pending or garbage.
local function settle() for _ = 1, 3 do collectgarbage() nd.device "cpu":synchronize() end end

describe("nd.to_dlpack", function()
  -- ORDER DTYPE: name, code, bits
  for _, case in ipairs {
    {"bool", 6, 8}, {"i8", 0, 8}, {"u8", 1, 8}, {"i16", 0, 16}, {"u16", 1, 16}, {"i32", 0, 32},
    {"u32", 1, 32}, {"i64", 0, 64}, {"u64", 1, 64}, {"f16", 2, 16}, {"bf16", 4, 16},
    {"f32", 2, 32}, {"f64", 2, 64}, {"c64", 5, 64}, {"c128", 5, 128}, {"f8e4m3", 10, 8},
    {"f8e5m2", 12, 8},
  } do
    it("says what " .. case[1] .. " is, in both forms", function()
      for _, versioned in ipairs {true, false} do
        local a = nd.ones({2, 3}, case[1])
        local made = D.of(nd.to_dlpack(a, {versioned = versioned}), versioned)
        local t = made.tensor
        assert.same({2, case[2], case[3], 1, 1, 0},
          {t.ndim, t.code, t.bits, t.lanes, t.type, t.id})
        assert.same({2, 3, 3, 1},
          {tonumber(t.shape[0]), tonumber(t.shape[1]), tonumber(t.strides[0]),
            tonumber(t.strides[1])})
        assert.equal(a:address(), tonumber(ffi.cast("uintptr_t", t.data)))
        assert.equal(0, tonumber(t.byte_offset))
        D.delete(made)
      end
    end)
  end

  it("keeps the bytes over a free and the collector, until its deleter is called", function()
    settle()
    local before = held()
    local a = nd.full({1000}, 5, "i32")
    local first, second = D.of(nd.to_dlpack(a)), D.of(nd.to_dlpack(a"101:"))
    a:free()
    H.raises("freed", function() return a[1] end)
    a = nil
    settle()
    assert.equal(before + 4032, held()) -- in whole blocks of 64 B
    local p = ffi.cast("int32_t *", second.tensor.data)
    assert.same({5, 5}, {p[0], p[899]})
    D.delete(first)
    assert.equal(before + 4032, held())
    D.delete(second)
    assert.equal(before, held())
  end)

  it("that comes home after a free is what it was, a part as well", function()
    for _, versioned in ipairs {true, false} do
      local a = nd.arange(1, 1000, 1, "i32")
      local tensor = nd.to_dlpack(a"101:110", {versioned = versioned})
      a:free()
      assert.same({101, 102, 103, 104, 105, 106, 107, 108, 109, 110},
        nd.from_dlpack(tensor, {versioned = versioned}):totable())
    end
  end)

  it("is not undone by a scope", function()
    local tensor
    nd.scope(function() tensor = nd.to_dlpack(nd.arange(1, 100)) end)
    local back = nd.from_dlpack(tensor)
    assert.equal(5050, back:sum())
  end)

  it("sees the storage punned from then on, in loops that are compiled already", function()
    -- one of each kind that LuaJIT assumes not to be the same bytes as another
    local types = {u8 = "uint8_t", i16 = "int16_t", i32 = "int32_t", u64 = "uint64_t",
      f32 = "float", f64 = "double"}
    local ways = {
      DLPack = function(a) return nd.from_dlpack(nd.to_dlpack(a)) end,
      Arrow = function(a) return nd.from_arrow(nd.to_arrow(a)) end,
      share = function(a) return nd.attach(nd.share(a)) end,
    }
    -- loaded afresh for each pair, so that it is compiled for that
    local source = [[
      local a, seen, memory, as = ...
      local wrong = 0
      for i = 1, 300 do
        local before = seen[1] -- loaded before the store, too
        a[1] = i % 100 + 1
        memory[0] = i % 100 + 1
        if seen[1] ~= as[0] or not before then wrong = wrong + 1 end
      end
      return wrong]]
    for from in pairs(types) do
      for to in pairs(types) do
        for name, pass in pairs(ways) do
          local memory = ffi.new(types[from] .. "[8]")
          local a = nd.zeros({8}, from)
          local wrong = loadstring(source)(a, pass(a):bitcast(to), memory,
            ffi.cast(types[to] .. " *", memory))
          assert.equal(0, wrong, name .. ", " .. from .. " and " .. to)
        end
      end
    end
  end)

  it("refuses what a tensor cannot say, and takes a copy of it", function()
    local a = nd.arange(1, 12):reshape(3, 4)
    local record = nd.zeros({30}, "u8"):as_strided({3}, {10}, 0)
    local field = nd.records(nd.zeros({30}, "u8"), {{"x", "u8"}, {"y", "f64"}}).y
    for _, view in ipairs {a:flip(1), a"::, 4:1:-1", field} do
      H.raises("invalid_view", nd.to_dlpack, view)
      local made = D.of(nd.to_dlpack(view, {copy = true}))
      assert.equal(2, tonumber(made.flags))
      assert.is_true(nd.from_dlpack(ffi.cast("void *", made)):equal(view))
    end
    local tensor = D.of(nd.to_dlpack(record))
    assert.equal(10, tensor.tensor.strides[0])
    D.delete(tensor)
    for _, view in ipairs {a:readonly_view(), a:expand(2, 3, 4), a:unfold(2, 2, 1)} do
      H.raises("read_only", nd.to_dlpack, view, {versioned = false})
      local made = D.of(nd.to_dlpack(view))
      assert.equal(1, tonumber(made.flags))
      local back = nd.from_dlpack(ffi.cast("void *", made))
      assert.is_true(back:equal(view))
    end
    local wrapped = nd.wrap(ffi.new("double[3]", 1, 2, 3), "f64", {3})
    H.raises_like("unsupported", "copy = true", nd.to_dlpack, wrapped)
    assert.equal(6, nd.from_dlpack(nd.to_dlpack(wrapped, {copy = true})):sum())
  end)

  it("exports mapped files, whose changes are seen", function()
    local path = H.path "x.bin"
    H.write(path, ("\1\0\0\0"):rep(10))
    local a = nd.mmap(path, "i32", {10}, {mode = "r+"})
    local made = D.of(nd.to_dlpack(a))
    a:free()
    ffi.cast("int32_t *", made.tensor.data)[3] = 77
    D.delete(made)
    assert.equal(77, nd.mmap(path, "i32")[4])
    local read_only = D.of(nd.to_dlpack(nd.mmap(path, "i32")))
    assert.equal(1, tonumber(read_only.flags))
    D.delete(read_only)
  end)
end)

describe("nd.from_dlpack", function()
  it("takes pointers and addresses, and nothing else", function()
    local a = nd.arange(1, 3)
    local function address() return tonumber(ffi.cast("uintptr_t", nd.to_dlpack(a))) end
    assert.equal(6, nd.from_dlpack(nd.to_dlpack(a)):sum())
    assert.equal(6, nd.from_dlpack(address()):sum())
    assert.equal(6, nd.from_dlpack(ffi.cast("int64_t", address())):sum())
    assert.equal(6, nd.from_dlpack(ffi.cast("spec_versioned *", nd.to_dlpack(a))):sum())
    for _, wrong in ipairs {0, -1, 4095, 65535, ffi.cast("void *", nil)} do
      H.raises("invalid_argument", nd.from_dlpack, wrong)
    end
    for _, wrong in ipairs {"x", {}, a, true} do
      H.raises("type_mismatch", nd.from_dlpack, wrong)
    end
    H.raises("type_mismatch", nd.from_dlpack)
    H.raises("invalid_argument", nd.from_dlpack, 0.5)
    H.raises("invalid_argument", nd.from_dlpack, 1e300)
  end)

  it("makes a view of what another library has", function()
    local data = ffi.new("float[24]")
    for i = 0, 23 do data[i] = i end
    local pointer, kept = D.make(data, 2, 32, {2, 3, 4}, {1, 2, 6})
    local a = nd.from_dlpack(pointer)
    assert.is_true(a.is_external and not a.readonly and a.device == "cpu")
    assert.same({1, 2, 6}, a.strides)
    assert.equal(23, a(2, 3, 4))
    a[{1, 1, 1}] = 100
    assert.equal(100, data[0])
    assert.is_truthy(kept)
  end)

  it("leaves a tensor that it refuses to its owner", function()
    local pointer, kept = D.make(ffi.new "float[4]", 2, 32, {4})
    local made = kept[1]
    for field, value in pairs {ndim = 17, code = 99, bits = 12, lanes = 4, type = 7} do
      local before = made.tensor[field]
      made.tensor[field] = value
      local e = H.raises("unsupported", nd.from_dlpack, pointer)
      assert.is_truthy(e.message:find(tostring(value), 1, true), e.message)
      made.tensor[field] = before
    end
    made.major = 2
    H.raises("unsupported", nd.from_dlpack, pointer)
    made.major = 1
    kept[2][0] = -1
    H.raises("format", nd.from_dlpack, pointer)
    kept[2][0] = 4
    assert.equal(4, nd.from_dlpack(pointer).size)
  end)
end)

describe("nd.share", function()
  it("gives names that are good once, or as long as an array lives", function()
    local a = nd.arange(1, 10)"3:5"
    local many, once = nd.share(a), nd.share(a, {once = true})
    assert.is_true(nd.attach(many):equal(a) and nd.attach(many).is_external)
    assert.equal(many, nd.share(a)) -- the same view
    assert.is_true(many ~= nd.share(a"2:"))
    a = nil -- luacheck: ignore 311
    settle()
    assert.equal(12, nd.attach(many):sum()) -- the other name has a hold
    assert.equal(12, nd.attach(once):sum())
    H.raises("invalid_argument", nd.attach, once)
    settle()
    H.raises("invalid_argument", nd.attach, many)
    for _, name in ipairs {"", "x", "ndbuf-shared-", "ndbuf-shared-0", many .. "x", many .. "0",
      many:gsub("%-(%d+)$", "- %1"), many:gsub("%-(%d+)$", "-0%1"),
      "ndbuf-shared-" .. ("9"):rep(30)} do
      H.raises("invalid_argument", nd.attach, name)
    end
    H.raises_like("unsupported", "clone", nd.share, nd.wrap(ffi.new "double[3]", "f64", {3}))
  end)

  it("gives names of which each is the only one that is good for its array", function()
    local a = nd.arange(1, 10)
    local names = {}
    for i = 1, 5 do names[i] = nd.share(a(("%d:"):format(i)), {once = true}) end
    local all, part = nd.share(a), nd.share(a "2:")
    assert.is_true(part ~= names[2] and nd.share(a "2:") == part)
    for _, i in ipairs {2, 1, 4, 5, 3} do
      assert.equal(i, nd.attach(names[i])[1])
      H.raises("invalid_argument", nd.attach, names[i])
      assert.is_true(nd.attach(all):equal(a) and nd.attach(part)[1] == 2)
    end
    H.raises("invalid_argument", nd.attach, (all:gsub("%-(%d+)$", "-0%1")))
    H.raises("invalid_argument", nd.attach, (all:gsub("%-(%d+)$", "- %1")))
    H.raises("invalid_argument", nd.attach, all .. " ")
  end)

  it("gives names that never come to mean another array", function()
    local names, others = {}, {}
    for i = 1, 10 do
      local a = nd.arange(i, i + 2)
      names[i] = nd.share(i % 2 == 0 and a or a"2:")
      nd.share(a"3:")
    end
    settle()
    for i = 1, 100 do
      others[i] = nd.zeros(3)
      H.raises("invalid_argument", nd.attach, names[i % 10 + 1])
    end
    local again = nd.share(others[1])
    assert.equal(again, nd.share(others[1]))
  end)

  it("gives a name to each view of an array", function()
    local a, names, by_name = nd.arange(1, 300), {}, {}
    for i = 1, 300 do
      names[i] = nd.share(a:narrow(1, i, 1))
      assert.is_nil(by_name[names[i]])
      by_name[names[i]] = i
    end
    for i = 1, 300 do
      assert.same({i, names[i]}, {nd.attach(names[i])[1], nd.share(a:narrow(1, i, 1))})
    end
  end)

  it("keeps nothing where the name cannot be given to the script", function()
    -- finalizers that raise, anywhere; LuaJIT does not survive that in what it has compiled
    local out = select(2, H.luajit("-joff", [[
      local nd = require "ndbuf"
      local cpu, options = nd.device "cpu", {once = true}
      local held, failed, a, name = 0, 0, nil, nil
      local function raise() error("a finalizer", 0) end
      local function junk() getmetatable(newproxy(true)).__gc = raise end
      local function make() a = nd.zeros(8) end
      local function free() a:free() end
      local function share() name = nd.share(a, options) end
      local function attach() nd.attach(name):free() name = nil end
      local function ask() held = cpu:memory_info().held end
      local function sure(f) repeat local fine = pcall(f) until fine end
      local function step()
        sure(make)
        pcall(junk)
        name = nil
        pcall(share)
        sure(free)
        if not name then failed = failed + 1 end
        while name do
          local _, e = pcall(attach)
          if type(e) == "table" then name = nil end -- it was taken, before a finalizer raised
        end
      end
      -- under stress a collection before each call takes what would raise within it
      local is_stressed = os.getenv "NDBUF_GC_STRESS"
      for _ = 1, is_stressed and 500 or 20000 do pcall(step) end
      for _ = 1, 3 do sure(collectgarbage) end
      sure(ask)
      io.write(tostring(failed > 0 or is_stressed ~= nil), " ", held, "\n")
      io.flush() -- a sanitizer may end the process
      os.exit(0)
    ]]))
    assert.equal("true 0\n", out)
  end)

  it("gives each side an end of its own", function()
    local a = nd.arange(1, 3)
    local many, once = nd.share(a), nd.share(a"2:", {once = true})
    local b = nd.attach(many)
    b[2] = 7
    assert.equal(7, a[2])
    b:free()
    assert.equal(11, a:sum())
    b = nd.attach(many)
    settle()
    local before = held()
    a:free()
    H.raises("freed", nd.share, a)
    H.raises("invalid_argument", nd.attach, many)
    assert.is_true(b:equal(nd.array {1, 7, 3}) and held() >= before + 24)
    b = nil -- luacheck: ignore 311
    settle()
    local c = nd.attach(once)
    assert.is_true(c:equal(nd.array {7, 3}))
    H.raises("invalid_argument", nd.attach, once)
    c:free()
    settle()
    assert.equal(before, held())
    local name
    nd.scope(function() name = nd.share(nd.ones(3), {once = true}) end)
    assert.equal(3, nd.attach(name):sum())
    local wide = nd.ones(2):expand(3, 2)
    assert.is_true(nd.attach(nd.share(wide)).readonly)
    assert.equal(1, wide[1][1])
  end)

  it("gives names to mapped files, which stay mapped while somebody has them", function()
    local path, npz, st = H.path "x.npy", H.path "x.npz", H.path "x.safetensors"
    local function save()
      nd.save(path, nd.arange(1, 3))
      nd.save(npz, {x = nd.arange(1, 3)})
      nd.save(st, {x = nd.arange(1, 3)})
    end
    save()
    for _, make in ipairs {
      function() return nd.load(path, {mmap = true}) end,
      function() return nd.mmap(path, "f64", {3}, {mode = "c", offset = 128}) end,
      function() return nd.mmap(path, "f64", {3}, {mode = "r+", offset = 128}) end,
      function() return nd.load(npz, {mmap = true}).x end,
      function() return nd.load(st, {mmap = true}).x end,
    } do
      local a = make()
      local b, c = nd.attach(nd.share(a)), nd.attach(nd.share(a"2:", {once = true}))
      assert.same({a.readonly, true, 6, 5}, {b.readonly, b.is_external, b:sum(), c:sum()})
      a:free()
      assert.same({6, 5}, {b:sum(), c:sum()})
      if not b.readonly then
        b[2] = 9
        assert.equal(9, c[1])
      end
      b:free() c:free()
    end
    save()
    local a = nd.load(path, {mmap = true})
    local b = nd.attach(nd.share(a))
    H.write(path, "")
    H.raises("io", a.sum, a)
    assert.equal(0, b:sum()) -- it knows of no file
  end)

  it("is refused in a process that was forked since", function()
    local status, out = H.luajit("", [[
      local nd, ffi = require "ndbuf", require "ffi"
      ffi.cdef "int fork(void); int wait(int *); void _exit(int);"
      local a = nd.arange(1, 3)
      local name, once = nd.share(a), nd.share(a, {once = true})
      local child = ffi.C.fork()
      if child == 0 then
        local fine, e = pcall(nd.attach, name)
        local b = nd.full({3}, 5) -- whose name must not be that of what the other process shares
        fine = not fine and e.code == "unsupported" and nd.share(b) ~= name
          and nd.attach(nd.share(a)):sum() == 6 and nd.attach(nd.share(b)):sum() == 15
        local others = {name, once, nd.share(b)}
        child = ffi.C.fork()
        if child == 0 then -- neither what its parent shared nor what that one's did
          for _, other in ipairs(others) do
            local got, why = pcall(nd.attach, other)
            fine = fine and not got and why.code == "unsupported"
          end
          ffi.C._exit(fine and nd.attach(nd.share(a)):sum() == 6 and 0 or 1)
        end
        local status = ffi.new "int[1]"
        ffi.C.wait(status)
        ffi.C._exit(fine and status[0] == 0 and 0 or 1)
      end
      local status = ffi.new "int[1]"
      ffi.C.wait(status)
      print(status[0], nd.attach(name):sum())
    ]])
    assert.same({0, "0\t6\n"}, {status, out})
  end)
end)

describe("what goes out and comes back again and again", function()
  -- KiB that a process may grow by; a sanitizer keeps what was freed
  local MOST = H.is_sanitized and 2 ^ 20 or 2000
  local function child(script)
    local status, out, err = H.luajit_with("NDBUF_GC_STRESS=0", ([[
      local nd = require "ndbuf"
      local count = %d
      local function rss()
        collectgarbage() collectgarbage()
        return tonumber(io.open "/proc/self/status":read "*a":match "VmRSS:%%s*(%%d+)")
      end
      local a, before = nd.arange(1, 100)
      for i = 1, count do
        %s
        if i == math.floor(count / 2) then before = rss() end
      end
      local grown = rss() - before
      assert(nd.device "cpu":memory_info().held <= 800 + 64)
      print(#a, grown < %d and "bounded" or grown)
      a = nil
      collectgarbage() collectgarbage()
      nd.device "cpu":synchronize()
      assert(nd.device "cpu":memory_info().held == 0)
    ]]):format(60000, script, MOST))
    assert.same({0, "", "bounded"}, {status, err, out:match "%d+\t(%w+)"}, out)
  end

  it("by a name has the first memory below it", function()
    child [[
      local b = nd.attach(nd.share(a, {once = true}))
      a:free()
      a = b
    ]]
  end)

  it("by DLPack has the first memory below it", function()
    child [[
      local tensor = nd.to_dlpack(a, {versioned = i % 2 == 0})
      a:free()
      a = nd.from_dlpack(tensor, {versioned = i % 2 == 0})
    ]]
  end)

  it("by Arrow has the first memory below it", function()
    child [[
      local b = nd.from_arrow(nd.to_arrow {x = a}).x
      a:free()
      a = i % 3 == 0 and nd.attach(nd.share(b)) or b
    ]]
  end)

  it("as a held column has the first one below it", function()
    child [[
      if i == 1 then
        local schema, array = nd.to_arrow(nd.arange(1, 100, 1, "i32"))
        schema.format = "tdD"
        a = nd.from_arrow(schema, array)
      end
      a = nd.from_arrow(nd.to_arrow {x = a}).x
    ]]
  end)
end)

describe("a:interface", function()
  it("says where the elements are, and how they lie", function()
    local a = nd.arange(1, 12, 1, "i16"):reshape(3, 4)"2:, 4:1:-2"
    local i = a:interface()
    assert.same({{2, 2}, {8, -4}, "<i2", false, 3},
      {i.shape, i.strides, i.typestr, i.readonly, i.version})
    local p = ffi.cast("int16_t *", i.data)
    assert.same({8, 6, 12}, {p[0], p[-2], p[4]})
    assert.is_true(nd.zeros({}):expand(3):interface().readonly)
  end)
end)
