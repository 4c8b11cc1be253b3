-- a:rows(): one array that moves along an axis. The oracle is the bytes of the whole array.
local H = require "spec.helper"
local arrays = require "spec.ops.arrays"
local ffi = require "ffi"
local nd = require "ndbuf"

local dtypes = {}
for name in pairs(require "ndbuf.core".dtypes) do dtypes[#dtypes + 1] = name end
table.sort(dtypes)

-- The bytes of item i of an axis, cut from those of all elements.
local function bytes_of(bytes, shape, item, axis, i)
  local outer, inner, parts = 1, item, {}
  for k = 1, axis - 1 do outer = outer * shape[k] end
  for k = axis + 1, #shape do inner = inner * shape[k] end
  for o = 0, outer - 1 do
    local at = (o * shape[axis] + i - 1) * inner
    parts[#parts + 1] = bytes:sub(at + 1, at + inner)
  end
  return table.concat(parts)
end

local function random_index(rng, shape)
  local index = {}
  for k, len in ipairs(shape) do index[k] = rng(len) end
  return index
end

local function same(x, y)
  if x ~= x then return y ~= y end
  return x == y or tostring(x) == tostring(y) -- complex cdata
end

-- One array of 1 to 6 axes, along one of them.
local function random_case(rng)
  local shape = arrays.shape(rng, 6)
  if #shape == 0 then shape = {rng(30)} end
  local layout = arrays.LAYOUTS[rng(#arrays.LAYOUTS)]
  local axis = rng(#shape)
  local a = arrays.make(rng, layout, shape, dtypes[rng(#dtypes)], true)
  local name = ("seed %d: %s %s (%s), axis %d"):format(H.seed, layout, a.dtype,
    table.concat(shape, "x"), axis)
  return a, shape, axis, rng(2) == 1 and axis or axis - #shape - 1, name
end

describe("a:rows()", function()
  it("gives each item of an axis in turn, of any array", function()
    local rng, steps = H.rng "rows", 0
    for _ = 1, H.cases(600) do
      local a, shape, axis, given, name = random_case(rng)
      local bytes, count, object = a:copyout(), 0, nil
      for i, row in a:rows(given) do
        count, steps = count + 1, steps + 1
        assert(i == count and rawequal(row, object or row), name)
        object = row
        assert(row:copyout() == bytes_of(bytes, shape, a.itemsize, axis, i), name)
        assert(row.ndim == #shape - 1 and row.storage_id == a.storage_id, name)
        if row.size > 0 and row.ndim > 0 then
          local index = random_index(rng, row.shape)
          local x = row(unpack(index))
          table.insert(index, axis, i)
          assert(same(x, a(unpack(index))), name)
        end
      end
      assert.equal(shape[axis], count, name)
    end
    assert.is_true(steps > H.cases(600))
  end)

  it("stores where the row is", function()
    local rng, stores = H.rng "stores", 0
    for _ = 1, H.cases(300) do
      local a, shape, axis, given, name = random_case(rng)
      if not a.readonly and a.size > 0 and a.ndim > 1 then
        local want = a:clone()
        for i, row in a:rows(given) do
          local index = random_index(rng, row.shape)
          local value = a:clone():select(axis, rng(shape[axis]))(unpack(index))
          index[#index + 1] = value
          row:set(unpack(index))
          table.insert(index, axis, i)
          want:set(unpack(index))
          stores = stores + 1
        end
        assert(want:copyout() == a:copyout(), name)
      end
    end
    assert.is_true(H.is_share(1, stores, H.cases(300)))
  end)

  it("takes windows, columns, and rows of rows", function()
    local x, seen = nd.arange(1, 9), {}
    for i, window in x:unfold(1, 4, 2):rows() do seen[i] = window:totable() end
    assert.same({{1, 2, 3, 4}, {3, 4, 5, 6}, {5, 6, 7, 8}}, seen)
    local cube, flat = nd.arange(1, 24):reshape(2, 3, 4), {}
    for _, plane in cube:rows() do
      for _, row in plane:rows() do
        for _, element in row:rows() do flat[#flat + 1] = element() end
      end
    end
    assert.same(cube:flatten():totable(), flat)
    for _ in nd.zeros(0, 3):rows() do error "there is no row" end
    for _ in nd.zeros(3, 0):rows(2) do error "there is no column" end
    local count = 0
    for _, row in nd.zeros(3, 0):rows() do count = count + 1 + row.size end
    assert.equal(3, count)
  end)

  it("moves the row only: copies and views made of it stay", function()
    local m, kept = nd.arange(1, 12):reshape(4, 3), {}
    local last
    for i, row in m:rows() do
      kept[i] = {row:clone(), row:narrow(1, 2, 2), row "2:", row:readonly_view()}
      last = row
      if i == 3 then break end
    end
    assert.same({7, 8, 9}, last:totable())
    for i = 1, 3 do
      local values = {3 * i - 2, 3 * i - 1, 3 * i}
      assert.same(values, kept[i][1]:totable())
      assert.same({values[2], values[3]}, kept[i][2]:totable())
      assert.same({values[2], values[3]}, kept[i][3]:totable())
      assert.same(values, kept[i][4]:totable())
    end
    last[1] = 70 -- it is a view
    assert.equal(70, m(3, 1))
    assert.equal(7, kept[3][1][1])
    for _ in m:rows() do assert.equal(70, last[1]) end -- the row of another loop
  end)

  it("nests over one matrix, in coroutines, and over errors in the body", function()
    local m, pairs_seen = nd.arange(1, 40):reshape(20, 2), 0
    for i, a in m:rows() do
      for j, b in m:rows() do
        if a[1] == 2 * i - 1 and b[2] == 2 * j then pairs_seen = pairs_seen + 1 end
      end
    end
    assert.equal(400, pairs_seen)
    local function walk() for i, row in m:rows() do coroutine.yield(row[1] - 2 * i) end end
    local first, second = coroutine.wrap(walk), coroutine.wrap(walk)
    for _ = 1, 10 do
      assert.equal(-1, first())
      assert.equal(-1, first())
      assert.equal(-1, second())
    end
    local kept
    local fine = pcall(function()
      for i, row in m:rows() do
        kept = row
        if i == 7 then error "stop" end
      end
    end)
    assert.is_false(fine)
    assert.same({13, 14}, kept:totable())
  end)

  it("passes rows to operations, with operands that share their memory", function()
    local m = nd.arange(1, 12):reshape(4, 3)
    local want = m:totable()
    for i, row in m:rows() do
      if i < 4 then row:add_(m[i + 1]) end
      if i > 1 then row:sub_(m[i - 1]) end
    end
    for i = 1, 4 do
      for j = 1, 3 do
        if i < 4 then want[i][j] = want[i][j] + want[i + 1][j] end
        if i > 1 then want[i][j] = want[i][j] - want[i - 1][j] end
      end
    end
    assert.same(want, m:totable())
    for _, row in m:rows() do row:copy_from(m[4]) end
    assert.same(want[4], m[1]:totable())
    for _, row in m:rows(2) do row "1:3":copy_from(row "2:4") end
    assert.same(want[4], m[3]:totable())
  end)

  it("follows memory that is allocated during the loop", function()
    for first = 1, 60, 59 do
      local m = nd.empty({60, 3}, "f32", {lazy = true})
      for i, row in m:rows() do
        if i >= first then row[2] = i end
      end
      for i = first, 60 do assert.equal(i, m(i, 2)) end
    end
    local _, row = nd.empty({60, 3}, "f32", {lazy = true}):rows()
    assert.equal(60, require "ndbuf.core".next_row(row, 59))
    assert.is_false(row.is_allocated)
  end)

  it("goes over rows of unlike alignment, of misaligned fields, and of no step", function()
    local raw = nd.arange(0, 255, 1, "u8")
    local odd = raw:as_strided({60, 2}, {3, 1}):as_strided({30, 4}, {6, 1})
    local pointer = ffi.typeof("$ *", require "ndbuf.head".ctype "f64")
    local mixed = raw:bytes(0, 248):bitcast "f64":as_strided({20, 2}, {12, 8}) -- 4 of 8 bytes off
    for _ = 1, 3 do
      for i, row in mixed:rows() do
        assert.equal(mixed:copyout():sub(16 * i - 15, 16 * i), row:copyout())
        assert(same(mixed(i, 2), row[2]))
        -- every other one is misaligned, which compiled code must not access
        assert.equal(i % 2 == 1 and 2 or 0, ffi.cast(pointer, row).read_n)
      end
      for i, row in odd:rows() do assert.equal(6 * i - 6, row[1]) end
    end
    local packed = nd.records(raw:bytes(0, 250), {{"tag", "u8"}, {"value", "f32"}}).value
    for i, x in packed:rows() do assert(same(packed[i], x:item())) end
    for _, row in nd.arange(1, 3):expand(50, 3):rows() do assert.same({1, 2, 3}, row:totable()) end
    H.raises("read_only", function()
      for _, row in nd.arange(1, 3):expand(50, 3):rows() do row[1] = 1 end
    end)
  end)

  it("sees stores by views of another type", function()
    local m, wrong = nd.zeros(200, 2), 0
    for i, row in m:rows() do
      if i == 100 then m = m:bitcast "i64" end
      row[1] = 1.5
      if i >= 100 then m:set(i, 1, 0) end
      if row[1] ~= (i >= 100 and 0 or 1.5) then wrong = wrong + 1 end
    end
    assert.equal(0, wrong)
  end)

  it("sees where the row is, however it is reached", function()
    local m, wrong = nd.arange(1, 300), 0
    m = m:reshape(300, 1)
    local step, row, i = m:rows()
    local same_row = {row}
    for k = 1, 300 do
      i = step(same_row[1], i)
      local before = row[1]
      if before ~= k then wrong = wrong + 1 end
      step(row, 0)
      if same_row[1][1] ~= 1 or row[1] ~= 1 then wrong = wrong + 1 end
    end
    assert.equal(0, wrong)
  end)

  it("keeps what it needs alive", function()
    local sum = 0
    for i, row in nd.arange(1, 300):reshape(100, 3):rows() do
      if i % 10 == 0 then collectgarbage() end
      sum = sum + row[3]
    end
    assert.equal(15150, sum)
  end)

  it("makes no garbage", function()
    if not jit.status() then pending "the JIT is off" end
    local m = nd.ones(20000, 3)
    local function sum()
      local s = 0
      for _, row in m:rows() do s = s + row[1] + row[3] end
      return s
    end
    for _ = 1, 3 do sum() end
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    assert.equal(40000, sum())
    local used = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(used < 8, used .. " KiB")
  end)
end)

describe("the iterator of a:rows()", function()
  it("refuses all but its row and a position", function()
    local m = nd.ones(3, 2)
    local step, row, start = m:rows()
    local view = step(row, start)
    assert.equal(1, view)
    local foreign = {false, 0, "x", {}, print, newproxy(true), io.stdout, ffi.new "double[99]",
      coroutine.create(print)}
    for _ = 1, 200 do -- compiled, too
      for _, other in ipairs(foreign) do H.raises("type_mismatch", step, other, 0) end
      H.raises("type_mismatch", step, nil, 0)
      H.raises("type_mismatch", step, m, 0)
      H.raises("type_mismatch", step, m[1], 0)
      H.raises("type_mismatch", step, row, nil)
      H.raises("type_mismatch", step, row, "x")
      for _, i in ipairs {-1, 0.5, 0 / 0, -1 / 0, 2 ^ 60 + 0.5 - 2 ^ 61} do
        H.raises("invalid_argument", step, row, i)
      end
      assert.is_nil((step(row, 3)))
      assert.equal(3, (step(row, 2)))
    end
    assert.same({1, 1}, row:totable())
  end)

  it("refuses axes that there are not", function()
    H.raises("index_out_of_range", function() return nd.ones(3, 2):rows(3) end)
    H.raises("index_out_of_range", function() return nd.ones(3, 2):rows(0) end)
    H.raises("invalid_argument", function() return nd.ones({}):rows() end)
    H.raises("type_mismatch", function() return nd.ones(3):rows "x" end)
    H.raises("invalid_argument", function() return nd.ones(3):rows(1, 2) end)
  end)
end)

describe("an array that is freed during its loop", function()
  it("raises at the next access, and at the next step", function()
    for at = 5, 150, 145 do
      for _, reads in ipairs {true, false} do
        local m, last, sum = nd.ones(200, 8), 0, 0
        H.raises("freed", function()
          for i, row in m:rows() do
            last = i
            if i == at then m:free() end
            if reads then sum = sum + row[3] end
          end
        end)
        assert.equal(at, last)
      end
    end
  end)

  it("raises where the row is finalized in the loop", function()
    local m, steps = nd.zeros(3, 2), 0
    H.raises("freed", function()
      for _, row in m:rows() do
        steps = steps + 1
        debug.getmetatable(row).__gc(row)
      end
    end)
    assert.equal(1, steps)
  end)

  it("stays in an empty array", function()
    local m, offsets = nd.zeros(3, 0), {}
    for i, row in m:rows() do
      offsets[i] = row.offset
      assert.equal(0, row:bytes().size)
    end
    assert.same({0, 0, 0}, offsets)
  end)

  it("raises for a row that was finalized", function()
    local step, row = nd.ones(3, 2):rows()
    debug.getmetatable(row).__gc(row)
    H.raises("freed", function()
      local _, again = step(row, 0)
      return again[1]
    end)
  end)
end)

-- freed_spec.lua has the finalizers that free.
describe("a finalizer that runs in the middle of a step", function()
  local act, pending_calls = nil, 0
  local function finalize()
    pending_calls = pending_calls - 1
    if act then act() end
  end

  -- From now on each step of the collector runs one finalizer.
  local function arm()
    act = nil
    collectgarbage()
    pending_calls = 100
    for _ = 1, 100 do getmetatable(newproxy(true)).__gc = finalize end
    collectgarbage("setstepmul", 200)
    while pending_calls == 100 do collectgarbage("step", 0) end
    collectgarbage("setstepmul", 1)
  end

  it("may allocate what the row views", function()
    if os.getenv "NDBUF_GC_STRESS" then pending "full collections run the finalizers too early" end
    local rng, hits = H.rng "finalizers", 0
    local function trial()
      local m, hit = nd.empty({40, 4}, "f64", {lazy = true}), nil
      local step, row, i = m:rows()
      for _ = 1, rng(60) do local _ = ffi.new "int32_t" end -- moves the collector's steps
      act = function()
        act, hit = nil, i
        m:fill(0) -- allocates
        row[4] = -1 -- the head gets an address
      end
      while true do
        i = step(row, i)
        if not i then break end
        if hit then row[1] = i end
      end
      act = nil
      if not hit then return end
      hits = hits + 1
      for k = 1, 40 do
        local is_near = k == hit or k == hit + 1 -- the step to hit + 1 was in progress
        local first = k > hit and k or 0
        assert((m(k, 1) == first or is_near) and m(k, 2) == 0 and m(k, 3) == 0
          and (m(k, 4) == 0 or is_near), ("seed %d: row %d after %d"):format(H.seed, k, hit))
      end
      assert.equal(-1, m:sum(1)[4])
    end
    local has_jit = jit.status()
    jit.flush()
    jit.off() -- compiled, a step makes no garbage
    local mul = collectgarbage("setstepmul", 200)
    local trials = H.cases(600)
    for _ = 1, trials do
      if pending_calls < 10 then arm() end
      trial()
    end
    collectgarbage("setstepmul", mul)
    if has_jit then jit.on() end
    assert.is_true(not has_jit or hits > trials / 4, "few finalizers ran in time: " .. hits)
    H.survives()
  end)
end)
