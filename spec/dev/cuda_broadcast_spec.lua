-- Fills, and copies of a source that is there several times: one part crosses the bus, the device
-- doubles it.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

-- What f moves: calls and bytes by kind.
local MOVED = [[
  local function moved(f)
    local before, out = nd.transfers(), {}
    f()
    for kind, now in pairs(nd.transfers()) do
      out[kind] = {calls = now.calls - before[kind].calls, bytes = now.bytes - before[kind].bytes}
    end
    return out
  end
  local function calls(name) return tonumber(sim.cusim_calls(name)) end
]]

describe("a value for all elements of a GPU's array", function()
  it("crosses the bus as little as one piece, whatever its dtype #sim", function()
    C.run({mode = "lazy", memory = 300 * 2 ^ 20}, MOVED .. [[
      local n = 2 ^ 24
      local a
      local what = moved(function() a = nd.full(n, 0.1, "f64", "cuda") end)
      assert(what.h2d.calls == 1 and what.h2d.bytes <= 2 ^ 16 and what.d2h.calls == 0)
      assert(what.d2d.calls == 1 and what.d2d.bytes == 8 * n - what.h2d.bytes)
      assert(what.staged.calls == 0 and calls "cuMemcpyDtoDAsync_v2" <= 24)
      assert(calls "cuEventSynchronize" + calls "cuStreamSynchronize" == 0)
      local host = ffi.cast("const double *", a:to "cpu":ptr())
      for i = 0, n - 1 do assert(host[i] == 0.1) end
    ]])
  end)

  it("is set by the driver where it can #sim", function()
    C.run({}, MOVED .. [[
      for dtype, value in pairs {u8 = 7, i16 = -300, f32 = 0.1, f16 = 0.5, f64 = 0, i64 = -1} do
        local a
        local what = moved(function() a = nd.full(10 ^ 5, value, dtype, "cuda") end)
        assert(what.h2d.bytes == 0 and what.d2d.calls == 0, dtype)
        assert(a(10 ^ 5) == nd.full(1, value, dtype)[1], dtype)
      end
    ]])
  end)

  it("is not, where its words differ, or begin where none does", function()
    C.run({}, [[
      for dtype, value in pairs {i64 = 2 ^ 48, f64 = 1, f32 = 0.1, i16 = -300} do
        local want = nd.full(100, value, dtype)
        assert(nd.full(100, value, dtype, "cuda"):to "cpu":equal(want), dtype)
        local odd = nd.zeros({101}, dtype, "cuda"):as_strided({100}, {want.itemsize}, 1)
        assert(odd:fill(value):to "cpu":equal(want), dtype)
      end
    ]])
  end)
end)

describe("an array that is copied several times", function()
  it("crosses once, from the host, from another GPU, or not at all #sim", function()
    C.run({mode = "lazy", devices = 2}, MOVED .. [[
      local row = nd.arange(1, 2 ^ 16, 1, "f32")
      local dst = nd.zeros({200, 2 ^ 16}, "f32", "cuda:0")
      local bytes = 4 * 2 ^ 16
      local function check(src, expected)
        local what = moved(function() dst:copy_from(src) end)
        for kind, m in pairs(what) do
          local text = ("%d/%d"):format(m.calls, m.bytes)
          assert(text == (expected[kind] or "0/0"), kind .. " " .. text)
        end
        local host = ffi.cast("const float *", dst:to "cpu":ptr())
        for i = 0, 200 * 2 ^ 16 - 1 do assert(host[i] == i % 2 ^ 16 + 1) end
        dst:fill(0)
      end
      local rest = ("1/%d"):format(199 * bytes)
      check(row, {h2d = "1/" .. bytes, d2d = rest})
      check(row:to "pinned", {h2d = "1/" .. bytes, d2d = rest})
      check(row:to "cuda:0", {d2d = ("2/%d"):format(200 * bytes)})
      check(row:to "cuda:1", {p2p = "1/" .. bytes, d2d = rest})
      check(row:astype "i32":to "cuda:0", -- converted by the host, as there is no kernel
        {d2h = "1/" .. bytes, h2d = "1/" .. bytes, staged = "1/" .. bytes, d2d = rest})
    ]])
  end)

  local SHAPES = [[
    local other = nd.devices()[3] and "cuda:1" or "cuda:0"
    for case = 1, %d do
      local shape, from, strides, count = {}, {}, {}, 1
      local long = rng(4)
      for i = 1, rng(1, 4) do
        shape[i] = i == long and rng(1, 60) or rng(1, 5)
        from[i] = rng(2) == 1 and 1 or shape[i]
      end
      for i = #shape, 1, -1 do
        strides[i] = from[i] == 1 and 0 or count
        count = count * from[i]
      end
      local place = ({"cpu", "pinned", "cuda:0", other, "managed:0"})[rng(5)]
      local dtype = ({"f64", "c128", "f32", "u8", "i16"})[rng(5)]
      local to = rng(3) == 1 and dtype ~= "c128" and "i32" or dtype
      local src = nd.arange(0, count - 1, 1, "f64"):astype("u8", {mode = "wrap"}):astype(dtype)
      src = src:reshape(from):to(place)
      -- gaps between the elements, and axes in another order
      local size, order, back = {}, {}, {}
      for i = 1, #shape do order[i] = i end
      for i = #shape, 2, -1 do
        local j = rng(i)
        order[i], order[j] = order[j], order[i]
      end
      local key = {}
      for i = 1, #shape do
        local step, want = rng(4) == 1 and 2 or 1, shape[order[i] ]
        size[i] = want * step + (rng(3) == 1 and 1 or 0)
        key[i] = {1, 1 + (want - 1) * step, step}
        back[order[i] ] = i
      end
      local whole = nd.full(size, 99, to, "cuda:0")
      local dst = whole:slice(key):permute(back)
      dst:copy_from(src)
      local got, at = dst:to "cpu":clone():reshape(-1), 0
      local index = {}
      for i = 1, #shape do index[i] = 0 end
      for k = 1, got.size do
        local source = 0
        for i = 1, #shape do source = source + index[i] * strides[i] end
        local x = to == "c128" and got[k].re or got[k]
        if x ~= source %% 256 then
          local what = "case %%d: %%s %%s to %%s %%s, element %%d: %%s, not %%d"
          error(what:format(case, place, dtype, to, table.concat(shape, "x"), k, tostring(x),
            source %% 256))
        end
        for i = #shape, 1, -1 do
          index[i] = index[i] + 1
          if index[i] < shape[i] then break end
          index[i] = 0
        end
      end
      local inside = 0 -- and nothing else was written
      local all = whole:to "cpu":reshape(-1)
      for k = 1, all.size do
        local x = to == "c128" and all[k].re or all[k]
        if x ~= 99 then inside = inside + 1 end
      end
      assert(inside <= got.size, case)
    end
  ]]
  for _, mode in ipairs(C.modes) do
    it("is where it belongs, in every layout: " .. mode, function()
      C.run({mode = mode, seed = H.seed, devices = 2}, SHAPES:format(H.cases(60)))
    end)
  end

  it("leaves alone what lies between", function()
    C.run({}, [[
      local row = nd.arange(1, 30, 1, "f32"):reshape(1, 3, 1, 10)
      local d, want = nd.zeros({1000, 3, 3, 10}, "f32", "cuda"), nd.zeros({1000, 3, 3, 10}, "f32")
      for _, x in ipairs {d, want} do x":, :, 1:2":copy_from(row) end
      assert(d:to "cpu":equal(want) and want(1000, 3, 2, 10) == 30)
    ]])
  end)

  it("is right where the driver refuses rows #sim", function()
    local script = SHAPES:format(H.cases(30))
    C.run({devices = 2, hide = "cuMemcpy2DAsync_v2,cuMemcpy3DAsync_v2"}, script)
    C.run({devices = 2, attribute = "MAX_PITCH:64"}, script)
  end)

  it("leaves nothing when the device fails half-way #sim", function()
    for _, place in ipairs {"cpu", "cuda:0"} do
      C.run({mode = "lazy"}, ([[
        local row = nd.arange(1, 2 ^ 15, 1, "f64", %q)
        local dst = nd.zeros({100, 2 ^ 15}, "f64", "cuda")
        for n = 1, 7 do
          sim.cusim_fail("cuMemcpyDtoDAsync_v2", n, "CUDA_ERROR_UNKNOWN")
          H.raises("driver", function() dst:copy_from(row) end)
          assert(sim.cusim_fail_none() == 0)
        end
        dst:copy_from(row)
        assert(dst(100, 2 ^ 15) == 2 ^ 15)
      ]]):format(place))
    end
  end)
end)
