-- Arrays on a device: makers, indexing, views, printing, what is refused.
local C = require "spec.dev.cuda"

describe("arrays of a GPU", function()
  for _, mode in ipairs(C.modes) do
    it("are made with the elements that the host would make: " .. mode, function()
      C.run({mode = mode}, [[
        local makers = {
          function(...) return nd.zeros({3, 4}, "i32", ...) end,
          function(...) return nd.ones({3, 4}, "f16", ...) end,
          function(...) return nd.full({2, 3}, -7, "i8", ...) end,
          function(...) return nd.full({5}, 1.5, "f64", ...) end,
          function(...) return nd.eye(4, ...) end,
          function(...) return nd.arange(0, 1, 0.125, "f32", ...) end,
          function(...) return nd.arange(1, 10, 3, "u64", ...) end,
          function(...) return nd.linspace(0, 1, 7, ...) end,
          function(...) return nd.random({30}, "f32", {seed = 3, device = ...}) end,
          function(...) return nd.normal({30}, {seed = 3, device = ...}) end,
          function(...) return nd.randint(-5, 5, {30}, {seed = 3, device = ...}) end,
          function(...) return nd.permutation(30, {seed = 3, device = ...}) end,
          function(...) return nd.array({{1, 2}, {3, 4}}, "u16", ...) end,
          function(...) return nd.frombytes("abcdefgh", "i16", ...) end,
          function(...) return nd.zeros({0, 3}, ...) end,
          function(...) return nd.zeros_like(nd.ones(3), ...) end,
          function(...) return nd.full_like(nd.ones(3), 4, ...) end,
        }
        for i, make in ipairs(makers) do
          local want = make "cpu"
          for _, place in ipairs {"cuda:0", "managed:0", "pinned"} do
            local got = make(place)
            assert(got.device == place, got.device)
            assert(got.dtype == want.dtype and got:to "cpu":equal(want), i .. " on " .. place)
          end
        end
        assert(nd.transfers().staged.calls > 0)
        for _, place in ipairs {"cuda:0", "managed:0", "pinned", "cpu"} do
          local a = nd.full({3}, 4, "i16", place)
          for _, like in ipairs {nd.zeros_like(a), nd.ones_like(a"1:2"), nd.empty_like(a, "u8"),
                                 nd.full_like(a, 7)} do
            assert(like.device == place and nd.zeros_like(a, "cpu").device == "cpu")
          end
        end
        assert(nd.ones_like(nd.zeros({3}, "disk:" .. H.path "x")).device == "cpu")
        local lazy = nd.empty({10}, "f32", "gpu")
        assert(not lazy.is_allocated and lazy.device == "cuda:0")
        assert(lazy:fill(2)(3) == 2 and lazy.is_allocated)
      ]])
    end)

    it("are joined, repeated, shifted, padded and swapped: " .. mode, function()
      C.run({mode = mode}, [[
        local a = nd.randint(-99, 99, {3, 4}, "i16", {seed = 5})
        local operations = {
          function(x) return nd.concat({x, x:flip(1)}, 2) end,
          function(x) return nd.stack({x, x, x}, 1) end,
          function(x) return x:tile(2, 3) end,
          function(x) return x:repeat_interleave(3, 2) end,
          function(x) return x:roll(-2, 2) end,
          function(x) return x:pad({{1, 0}, {2, 3}}, 9) end,
          function(x) return x:byteswap() end,
          function(x) return x:astype "f32":astype("u8", {mode = "wrap"}) end,
          function(x) return x.T:clone() end,
          function(x) return x.T:contiguous():reshape(2, 6) end,
          function(x) return x:reshape({12}, {copy = true})"::-2":clone() end,
          function(x) return x:expand(5, 3, 4):clone() end,
          function(x) return x:unfold(2, 3, 1):clone() end,
          function(x) return x:bitcast "u16":diagonal():clone() end,
          function(x) return x:bytes(3, 7):clone() end,
          function(x) return nd.array(x, "f64", x.device) end,
        }
        for i, run in ipairs(operations) do
          local want = run(a)
          for _, place in ipairs {"cuda", "managed", "pinned"} do
            local got = run(a:to(place))
            assert(got.device == a:to(place).device, got.device)
            assert(got:to "cpu":equal(want), i .. " on " .. place)
          end
        end
        assert(nd.concat({a:to "cuda", a}, 1).device == "cuda:0")
      ]])
    end)

    it("are read and written by element and slice: " .. mode, function()
      C.run({mode = mode}, [[
        for dtype, value in pairs {f32 = 1.5, i64 = 7LL, u8 = 200, bool = true, c128 = 3,
                                   f16 = 0.5, u64 = 2 ^ 60} do
          local a = nd.zeros({3, 4}, dtype)
          local d = a:to "cuda"
          for _, x in ipairs {a, d} do
            x:set(2, 3, value)
            x[{1, 1}] = value
            x"3, ::-2":fill(value)
            x["2"] = x(3)
          end
          assert(d:to "cpu":equal(a), dtype)
          assert(tostring(d(2, 4)) == tostring(a(2, 4)))
          assert(d:copyout() == a:copyout() and #d:totable() == 3)
        end
        local d = nd.arange(1, 5, 1, "f32", "cuda")
        for i = 1, 5 do assert(d[i] == i and d:get(i) == i) end
        for i = 1, 100 do d[1 + i % 5] = i end
        assert(d[1] == 100 and d[5] == 99)
        for i, x in d:iter() do assert(d[i] == x) end
        for i, row in d:reshape(5, 1):rows() do assert(d[i] == row[1]) end
        assert(select("#", d:unpack()) == 5)
        H.raises("index_out_of_range", function() return d[6] end)
        assert(nd.full({1}, 3, "cuda"):item() == 3)
      ]])
    end)
  end

  for _, mode in ipairs(C.modes) do
    it("have rows, also while copies to them are in flight: " .. mode, function()
      C.run({mode = mode}, [[
        local d = nd.arange(1, 200, 1, "f32", "cuda"):reshape(50, 4)
        for _, place in ipairs {"pinned", "managed", "cuda", "cpu"} do
          local m = nd.zeros({50, 4}, "f32", place)
          for i, row in m:rows() do
            if i % 3 == 0 then m:copy_from(d) end
            assert(row[2] == (i < 3 and 0 or 4 * i - 2), place)
            row[1] = -i
            assert(m(i, 1) == -i, place)
          end
        end
      ]])
    end)
  end

  it("print head and tail only", function()
    C.run({}, [[
      local d = nd.arange(1, 10 ^ 6, 1, "f32", "cuda")
      local before = nd.transfers().d2h
      local text = tostring(d)
      local after = nd.transfers().d2h
      local want = "^f32 1000000 cuda:0\n%[ +1, +2, +3, %.%.%., +999998, +999999, 1000000%]$"
      assert(text:find(want), text)
      assert(after.bytes - before.bytes == 6 * 4)
    ]])
  end)

  it("are saved and loaded", function()
    C.run({mode = "lazy"}, [[
      local a = nd.arange(1, 6 * 2 ^ 20, 1, "i32")
      local path = H.path "x.npy"
      nd.save(path, a:to "cuda")
      assert(nd.load(path):equal(a))
      assert(nd.load(path, {mmap = true}):to "cuda":to "cpu":equal(a))
    ]])
  end)

  it("refuse what has no kernel, naming the way out", function()
    C.run({}, [[
      local a = nd.array {{1, 2}, {3, 4}}
      for _, place in ipairs {"cuda", "managed"} do
        local d, mask, index = a:to(place), nd.ones({2, 2}, "bool", place), nd.ones(2, "i64", place)
        local complex, wide = nd.zeros({2, 2}, "c64", place), nd.zeros({2, 2}, "i64", place)
        local transfers = nd.transfers()
        for name, refused in pairs {
          add = function() return d + 1 end, ["in place"] = function() return d:add_(1) end,
          into = function() return nd.add(a, 1, {out = d}) end,
          sum = function() return d:sum() end,
          ["sum along"] = function() return d:sum {axis = 1} end,
          ["sum into"] = function() return a:sum {axis = 1, out = d "1"} end,
          max = function() return d:max() end, any = function() return mask:any() end,
          var = function() return d:var() end, sort = function() return d:sort() end,
          argsort = function() return d:argsort() end, exp = function() return d:exp() end,
          where = function() return nd.where(mask, d, d) end, lt = function() return d:lt(1) end,
          equal = function() return d:equal(a:to(place)) end,
          ["equal, host first"] = function() return a:equal(d) end,
          allclose = function() return nd.allclose(d, d) end,
          ["allclose, host first"] = function() return nd.allclose(a, d) end,
          mask = function() return d[mask] end, ["mask of the host"] = function()
            return d[nd.ones({2, 2}, "bool")] end,
          ["mask on the host"] = function() return a[mask] end,
          assigned = function() d[mask] = 1 end, index = function() return d[index] end,
          ["index on the host"] = function() return a[index] end,
          ["index of the host"] = function() return d[nd.ones(2, "i64")] end,
          take = function() return d:take({1, 1}) end, put = function() return d:put({1}, 1) end,
          index_add = function() return d:index_add(1, {1}, 1) end,
          ["operand of the GPU"] = function() return a + d end,
        } do
          local e = H.raises_like("unsupported", ":to%(\"[ac]", refused)
          assert(e.message:find ':to%("cpu"%)' or e.message:find "cuda:0", name)
        end
        for _, call in ipairs { -- by the name of what was called, whatever it is made of
          {"where", nd.where, mask}, {"where", nd.where, complex}, {"where", nd.where, d, d, d},
          {"logical_and", nd.logical_and, complex, true}, {"clamp", nd.clamp, d, 1},
          {"clamp", nd.clamp, d, nil, 1e300}, {"var", nd.var, d}, {"std", nd.std, d},
          {"mean", nd.mean, d}, {"lt", nd.lt, d, 1e300}, {"gt", nd.gt, 1, d},
          {"eq", nd.eq, wide, d}, {"minimum", nd.minimum, wide, 1e300},
          {"allclose", nd.allclose, wide, d}, {"idiv", nd.idiv, wide, wide},
          {"matmul", nd.matmul, d, d}, {"inv", nd.inv, d}, {"svd", nd.svd, d},
          {"solve", nd.solve, d, d}, {"fft", nd.fft.fft, d}, {"convolve", nd.convolve, d[1], d[1]},
        } do
          H.raises_like("unsupported", "^" .. call[1] .. " is not supported on cuda:0",
            unpack(call, 2, table.maxn(call)))
        end
        assert(d:to "cpu":equal(a))
        assert(nd.transfers().d2h.bytes - transfers.d2h.bytes <= a.nbytes)
      end
      local p = a:to "pinned"
      assert((p + 1).device == "pinned" and p:equal(a) and p[nd.ones({2, 2}, "bool")].size == 4)
      H.raises("not_host_accessible", function() return a:to "cuda":ptr() end)
    ]])
  end)
end)
