-- Whole copies: clone, copy_from, raw bytes, fill, tables.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"
local ffi = require "ffi"

local DTYPES = common.DTYPES

describe("clone, contiguous and to", function()
  it("clone is a packed copy of its own", function()
    for _, row in ipairs(DTYPES) do
      local a = nd.array({{1, 0, 1}, {0, 1, 1}}, row[1])
      local b = a.T:clone()
      assert.is_true(b:equal(a.T), row[1])
      assert.not_equal(a.storage_id, b.storage_id)
      assert.is_true(b.is_contiguous)
      assert.is_false(b.is_view)
      b[":"] = 0
      assert.is_true(a:equal(nd.array({{1, 0, 1}, {0, 1, 1}}, row[1])))
    end
    assert.is_false(nd.zeros(3):readonly_view():clone().readonly)
    assert.same({0, 2}, nd.zeros(0, 2):clone().shape)
  end)

  it("contiguous is the array itself if it is, else a copy", function()
    local a = nd.zeros(2, 3)
    assert.equal(a, a:contiguous())
    assert.equal(a.id, a:contiguous().id)
    local t = a.T
    assert.is_false(t.is_contiguous)
    local c = t:contiguous()
    assert.is_true(c.is_contiguous and c:equal(t))
    assert.not_equal(a.storage_id, c.storage_id)
    local row = a[2]
    assert.equal(row, row:contiguous())
    local one = nd.zeros(1, 3).T
    assert.equal(one, one:contiguous()) -- a single column, whatever its stride
    local none = nd.zeros(0, 3).T
    assert.equal(none, none:contiguous())
  end)

  it("to is the array itself if nothing changes, else a copy", function()
    local a = nd.array({1.5, 300}, "f32")
    assert.equal(a, a:to(H.device))
    assert.equal(a, a:to(H.device:upper()))
    assert.equal(a, a:to "f32")
    assert.equal(a, a:to(nd.f32))
    assert.equal(a, a:to(nd.device(H.device)))
    local b = a:to "u8"
    assert.same({1, 255}, b:totable())
    H.raises("type_mismatch", function() return a:to(1) end)
    H.raises("type_mismatch", function() return a:to() end)
    local path = H.path "to.bin"
    local on_disk = a:to("disk:" .. path)
    assert.equal("disk:" .. path, on_disk.device)
    assert.is_true(on_disk:equal(a))
    assert.is_true(H.read(path):sub(1, 8) == a:copyout())
    assert.is_true(on_disk:to("cpu"):equal(a))
    assert.equal("cpu", on_disk:to("cpu").device)
    H.raises("io", function() return a:to("disk:" .. path) end)
    assert.is_true(a:to("disk:" .. path, {overwrite = true}):equal(a))
  end)
end)

describe("copy_from", function()
  it("broadcasts, converts and returns the array", function()
    local a = nd.zeros({2, 3}, "u8")
    assert.equal(a, a:copy_from(nd.array {1.9, -5, 300}))
    assert.same({{1, 0, 255}, {1, 0, 255}}, a:totable())
    a:copy_from(nd.array({{7}, {8}}, "i64"))
    assert.same({{7, 7, 7}, {8, 8, 8}}, a:totable())
    a:copy_from(nd.f16(3))
    assert.same({{3, 3, 3}, {3, 3, 3}}, a:totable())
    a:copy_from({{{1, 2, 3}}})
    assert.same({{1, 2, 3}, {1, 2, 3}}, a:totable())
    a:copy_from(9)
    assert.same({{9, 9, 9}, {9, 9, 9}}, a:totable())
    a:copy_from(nd.array {300, -1, 2.5}, {mode = "wrap"})
    assert.same({{44, 255, 2}, {44, 255, 2}}, a:totable())
    nd.zeros(0, 3):copy_from(nd.ones(3))
    nd.zeros(0, 3):copy_from(nd.ones(1, 3))
  end)

  it("refuses shapes that do not broadcast, read-only and self-overlapping targets", function()
    local a = nd.zeros(2, 3)
    H.raises_like("shape_mismatch", "%(2%) does not broadcast to %(2x3%)",
      function() a:copy_from(nd.ones(2)) end)
    H.raises("shape_mismatch", function() a:copy_from(nd.ones(2, 2, 3)) end)
    H.raises("shape_mismatch", function() nd.zeros(0, 3):copy_from(nd.ones(2, 3)) end)
    H.raises("read_only", function() a:readonly_view():copy_from(1) end)
    H.raises("read_only", function() nd.zeros(1):expand(3):copy_from(1) end)
    H.raises("overlap", function() nd.zeros(4):unfold(1, 2, 1):copy_from(1) end)
    H.raises("type_mismatch", function() a:copy_from(nd.zeros({2, 3}, "c64")) end)
    H.raises("type_mismatch", function() a:copy_from("x") end)
    H.raises("type_mismatch", function() a:copy_from() end)
    assert.is_true(a:equal(nd.zeros(2, 3)))
  end)

  it("between bitcast views of one memory is as if the source were copied first", function()
    local rng = H.rng "bitcast copies"
    local count, targets, sources = 0, H.some(DTYPES, 5), H.some(DTYPES, 5)
    for _, to in ipairs(targets) do
      for _, from in ipairs(sources) do
        -- the same elements, the same bytes from a little further on, and backwards; in the last
        -- case too many for the short way of small arrays
        for case, shift in ipairs {0, 1, -1, 0} do
          local start, bytes = case < 4 and 32 or 1024, {}
          for i = 1, 4 * start do bytes[i] = string.char(rng(0, 255)) end
          local text = table.concat(bytes)
          local storage = nd.frombytes(text)
          local n = start / math.max(to[2], from[2])
          local dst = storage:bytes(start, n * to[2]):bitcast(to[1])
          local at = start + shift * from[2]
          local src = storage:bytes(at, n * from[2]):bitcast(from[1])
          local apart = nd.frombytes(text:sub(at + 1, at + n * from[2]), from[1])
          if from[1]:find "^c" and not to[1]:find "^c" then
            src, apart = src.imag, apart.imag
          end
          local wanted = apart:astype(to[1]):copyout()
          dst:copy_from(src)
          local what = ("%s from %s, %d elements on"):format(to[1], from[1], shift)
          local is_same = dst:copyout() == wanted
          assert.is_true(is_same, what)
          local first, last = text:sub(1, start), text:sub(start + n * to[2] + 1)
          assert.is_true(storage:copyout() == first .. wanted .. last, what)
          count = count + 1
        end
      end
    end
    assert.equal(#targets * #sources * 4, count)
  end)

  it("of overlapping parts is as if the source were copied first", function()
    local rng = H.rng "overlap"
    local function range(n, extent)
      local step = rng(1, math.max(1, math.floor((n - 1) / math.max(1, extent - 1))))
      local first = rng(1, n - (extent - 1) * step)
      local last = first + (extent - 1) * step
      if rng() < 0.4 then return ("%d:%d:%d"):format(last, first, -step) end
      return ("%d:%d:%d"):format(first, last, step)
    end
    local dtypes = {"u8", "i16", "i32", "f64", "c128"}
    for case = 1, H.cases(2000) do
      local dtype = dtypes[rng(#dtypes)]
      local rows, columns = rng(1, 6), rng(1, 6)
      local a = nd.arange(1, rows * columns, 1, dtype):reshape(rows, columns)
      local h, w = rng(1, rows), rng(1, columns)
      local key = range(rows, h) .. "," .. range(columns, w)
      local to, from = a[key], a[range(rows, h) .. "," .. range(columns, w)]
      if h == w and rng() < 0.4 then from = from.T end
      if rng() < 0.2 then from = from[1] end
      local wanted, source = a:totable(), from:totable()
      local place = nd.arange(1, rows * columns, 1, "i32"):reshape(rows, columns)[key]
      for i = 1, h do
        for j = 1, w do
          local k = place(i, j) - 1
          local row = from.ndim == 1 and source or source[i]
          wanted[math.floor(k / columns) + 1][k % columns + 1] = row[j]
        end
      end
      to:copy_from(from)
      local same = a:equal(nd.array(wanted, dtype))
      assert.is_true(same, ("seed %d, case %d"):format(H.seed, case))
    end
  end)

  it("between views of different dtypes of one storage reads before it writes", function()
    local a = nd.arange(1, 8, 1, "u8")
    local wide = a:bitcast "u16"
    local values = wide:totable()
    a:narrow(1, 1, 4):copy_from(wide)
    for i = 1, 4 do assert.equal(math.min(255, values[i]), a[i]) end
    local b = nd.arange(1, 8, 1, "u8")
    b:bitcast("u16"):copy_from(b:narrow(1, 5, 4))
    assert.same({5, 6, 7, 8}, b:bitcast("u16"):totable())
  end)
end)

describe("copyin and copyout", function()
  it("carry raw bytes in row-major order, whatever the layout", function()
    local a = nd.array({{1, 2, 3}, {4, 5, 6}}, "u8")
    assert.equal("\1\2\3\4\5\6", a:copyout())
    assert.equal("\1\4\2\5\3\6", a.T:copyout())
    assert.equal("\6\5\4\3\2\1", a["::-1, ::-1"]:copyout())
    assert.equal(a, a:copyin "abcdef")
    assert.equal("abcdef", a:copyout())
    a.T:copyin "uvwxyz"
    assert.equal("uwyvxz", a:copyout())
    assert.equal("\0\1", nd.array({256}, "u16"):copyout())
    assert.equal("", nd.zeros(0, 3):copyout())
    nd.zeros(0, 3):copyin ""
    assert.equal("\0\0\128\63", nd.f32(1):copyout())
  end)

  it("take every dtype's bytes as they are", function()
    local rng = H.rng "copyin"
    for _, row in ipairs(DTYPES) do
      local t = {}
      for i = 1, 6 * row[2] do t[i] = string.char(row[1] == "bool" and rng(0, 1) or rng(0, 255)) end
      local text = table.concat(t)
      local a = nd.empty({3, 2}, row[1]):copyin(text)
      assert.is_true(text == a:copyout(), row[1] .. ", seed " .. H.seed)
      assert.is_true(text == a.T:clone().T:copyout(), row[1])
    end
  end)

  it("go to and from cdata, of exactly the size", function()
    local a = nd.array({1.5, -2}, "f32")
    local buffer = ffi.new("float[4]")
    assert.equal(a, a:copyout(buffer, 8))
    assert.same({1.5, -2}, {buffer[0], buffer[1]})
    buffer[0] = 7
    a:copyin(buffer, 8)
    assert.equal(7, a[1])
    a:copyin(ffi.cast("const char *", buffer), 8)
    a:copyin("12345678xx", 8)
    assert.equal("12345678", a:copyout())
    for _, n in ipairs {0, 7, 9} do
      H.raises_like("size_mismatch", "8", function() a:copyout(buffer, n) end)
      H.raises("size_mismatch", function() a:copyin(buffer, n) end)
      H.raises("size_mismatch", function() a:copyin(("x"):rep(n)) end)
    end
    local e = H.raises("size_mismatch", function() a:copyin "1234" end)
    assert.same({8, 4}, {e.expected, e.actual})
    H.raises("out_of_bounds", function() a:copyin("1234", 8) end)
    H.raises("out_of_bounds", function() a:copyout(ffi.new "char[4]", 8) end)
    H.raises("size_mismatch", function() a:copyin(buffer) end) -- all 16 B of it
    H.raises("size_mismatch", function() a:copyout(buffer) end)
    H.raises("type_mismatch", function() a:copyin(ffi.cast("char *", buffer)) end)
    H.raises("type_mismatch", function() a:copyin(5) end)
    H.raises("type_mismatch", function() a:copyout({}, 8) end)
    H.raises("type_mismatch", function() a:copyin(ffi.new("int64_t", 5), 8) end)
    H.raises("read_only", function() a:readonly_view():copyin "12345678" end)
    assert.equal("12345678", a:copyout())
  end)
end)

describe("fill, totable and item", function()
  it("fill writes one value everywhere, converted, and returns the array", function()
    local a = nd.empty({2, 2}, "u8")
    assert.equal(a, a:fill(300))
    assert.same({{255, 255}, {255, 255}}, a:totable())
    a.T[1]:fill(7)
    assert.same({{7, 255}, {7, 255}}, a:totable())
    assert.same({true, true}, nd.empty(2, "bool"):fill(0.5):totable())
    local big = nd.empty(2, "i64"):fill(ffi.new("int64_t", 2 ^ 53) + 1)
    assert.is_true(big[2] == 9007199254740993LL)
    local z = nd.empty(1, "c64"):fill(ffi.new("complex", 1, -2))[1]
    assert.same({1, -2}, {z.re, z.im})
    nd.empty(0):fill(1)
    H.raises("type_mismatch", function() a:fill "1" end)
    H.raises("type_mismatch", function() a:fill() end)
    H.raises("type_mismatch", function() a:fill(ffi.new("complex", 1, 1)) end)
    H.raises("read_only", function() a:readonly_view():fill(1) end)
    H.raises("overlap", function() nd.zeros(3):unfold(1, 2, 1):fill(1) end)
  end)

  it("fill is what astype of the same number is, for every dtype", function()
    for _, x in ipairs {0, 1, -1, 2.5, 255, 256, 1e10, -1e10, 0 / 0, 1 / 0, -1 / 0, 65520, 464} do
      for _, row in ipairs(DTYPES) do
        local filled = nd.empty(3, row[1]):fill(x)
        assert.is_true(filled:copyout() == nd.array({x, x, x}):astype(row[1]):copyout(), row[1])
        assert.is_true(filled:copyout() == nd.full(3, x, row[1]):copyout())
      end
    end
  end)

  it("totable nests by axis, a number for 0-d; array and totable are inverse", function()
    assert.equal(3, nd.f64(3):totable())
    assert.same({}, nd.zeros(0):totable())
    assert.same({{}, {}}, nd.zeros(2, 0):totable())
    assert.same({}, nd.zeros(0, 2):totable())
    assert.same({{{1}, {2}}}, nd.arange(1, 2):reshape(1, 2, 1):totable())
    assert.same({{1, 3}, {2, 4}}, nd.array({{1, 2}, {3, 4}}).T:totable())
    for _, row in ipairs(DTYPES) do
      local a = nd.array({{1, 0}, {0, 1}}, row[1])
      assert.is_true(nd.array(a:totable(), row[1]):equal(a), row[1])
    end
    local t = nd.array({true, false}, "bool"):totable()
    assert.same({true, false}, t)
  end)

  it("item is the one element, of any shape", function()
    assert.equal(5, nd.array({{{5}}}, "u8"):item())
    assert.equal(5, nd.f16(5):item())
    assert.equal(true, nd.ones(1, "bool"):item())
    assert.equal(2, nd.arange(1, 3)["2:2"]:item())
    H.raises_like("size_mismatch", "2 elements", function() return nd.zeros(2):item() end)
    H.raises("size_mismatch", function() return nd.zeros(0):item() end)
  end)

  it("copy_from takes any steps to any steps", function()
    local n = 7
    local function at_step(dtype, step)
      if step == 0 then return nd.full({1}, 9, dtype):expand(n) end
      local a = nd.zeros({n, math.abs(step)}, dtype)[{{}, 1}]
      for i = 1, n do a[i] = i + 1 end
      return step < 0 and a:flip(1) or a
    end
    for _, dtype in ipairs {"u8", "i16", "f32", "f64", "c128"} do
      for to = -3, 5 do
        for from = -3, 5 do
          local a, b = at_step(dtype, to == 0 and 1 or to), at_step(dtype, from)
          a:fill(0):copy_from(b)
          assert.is_true(a:equal(b), ("%s: step %d to %d"):format(dtype, from, to))
        end
      end
    end
  end)

  it("copy_from keeps its mode for a table, too", function()
    local e = H.raises("not_representable", function()
      nd.zeros(2, "u8"):copy_from({300, 1}, {mode = "check"})
    end)
    assert.equal(1, e.position)
    assert.same({44, 1}, nd.zeros(2, "u8"):copy_from({300, 1}, {mode = "wrap"}):totable())
    assert.same({255, 1}, nd.zeros(2, "u8"):copy_from({300, 1}):totable())
    local wide = nd.zeros(2, "i64"):copy_from({2 ^ 53, 2LL ^ 53 + 1}, {mode = "check"})
    assert.equal(2LL ^ 53 + 1, wide[2])
    e = H.raises_like("not_representable", "table%[2%]%[1%]: 0.5 cannot.*i64", function()
      nd.zeros({2, 1}, "i64"):copy_from({{1}, {0.5}}, {mode = "check"})
    end)
    assert.equal(2, e.position)
    H.raises_like("not_representable", "table%[1%]: %-1 cannot.*u64", function()
      nd.zeros(1, "u64"):copy_from({-1LL}, {mode = "check"})
    end)
    for _, mode in ipairs {"saturate", "wrap", "check"} do
      H.raises_like("type_mismatch", "table%[2%]: a complex value.*f32", function()
        nd.zeros(2, "f32"):copy_from({true, ffi.new("complex", 1, 2)}, {mode = mode})
      end)
    end
  end)
end)
