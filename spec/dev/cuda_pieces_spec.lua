-- Copies in pieces, and work that is still on its way: what no other spec comes to.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

describe("a copy in pieces", function()
  it("takes as many rows as a buffer holds, and not one more", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, seed = H.seed}, [[
        local STAGE = 8 * 2 ^ 20
        -- three rows fit exactly, or all but; in four and a bit the next one would not
        for _, width in ipairs {math.floor(STAGE / 3), math.floor(STAGE / 3) + 1, STAGE, STAGE + 1,
          STAGE / 2, STAGE - 1} do
          local host = nd.zeros({7, width + 5}, "u8")
          for i = 1, 7 do
            host(i):fill(i)
            host:set(i, width, 100 + i)
          end
          local part = host:narrow(2, 1, width)
          local d = part:to "cuda"
          for i = 1, 7 do
            assert(d(i, 1) == i and d(i, width - 1) == i and d(i, width) == part(i, width))
          end
          local wide = nd.zeros({7, width + 3}, "u8", "cuda")
          wide:narrow(2, 1, width):copy_from(part)
          local back = nd.full({7, width + 9}, 9, "u8")
          back:narrow(2, 1, width):copy_from(wide:narrow(2, 1, width))
          for i = 1, 7 do
            assert(back(i, 1) == i and back(i, width - 1) == i and back(i, width + 1) == 9)
            assert(back(i, width) == part(i, width))
          end
        end
      ]])
    end
  end)

  it("waits for a buffer that cannot be marked #sim", function()
    C.run({mode = "lazy", hide = "cuStreamWriteValue64_v2"}, [[
      local n = 2 ^ 20
      local a, b = nd.full({n}, 7, "i32"), nd.full({n}, 8, "i32")
      a[1], b[1] = 70, 80
      local d = nd.zeros({n}, "i32", "cuda")
      d:copy_from(a)
      d:fill(0)
      assert(sim.cusim_fail("cuEventRecord", 1, "CUDA_ERROR_UNKNOWN"))
      d:copy_from(a)
      assert(sim.cusim_pending() == 0)
      local e = b:to "cuda" -- through the same buffers
      local f = b:to "cuda"
      assert(e(1) == 80 and f(n) == 8 and d(1) == 70 and d(n) == 7)
    ]])
  end)

  it("is read and written by the CPU while the device is idle, where it has to be #sim", function()
    C.run({mode = "lazy", managed = "exclusive"}, [[
      local n = 5 * 2 ^ 20
      local m = nd.arange(1, n, 1, "i32", "managed")
      local d = nd.zeros({n}, "f64", "cuda")
      d:copy_from(m) -- converted by the CPU, piece by piece
      assert(d(n) == n and d(n / 2) == n / 2)
      d:fill(4)
      m:copy_from(d)
      assert(m[1] == 4 and m[n] == 4)
    ]])
  end)
end)

describe("memory that the CPU and a device cannot share", function()
  it("is the CPU's once all devices are idle #sim", function()
    C.run({mode = "lazy", devices = 3, managed = "exclusive"}, [[
      local kept = {}
      for i = 0, 2 do
        kept[i] = nd.ones(1000, "cuda:" .. i)
        kept[i]:fill(i)
      end
      local m = nd.zeros(10, "f32", "managed:0")
      assert(m[1] == 0 and kept[2][7] == 2)
      for i = 0, 2 do
        kept[i]:fill(i + 1)
        m[1] = i
      end
    ]])
  end)
end)

describe("rows and planes", function()
  it("wider apart than the device takes go one by one #sim", function()
    C.run({attribute = "MAX_PITCH:1000"}, [[
      for _, width in ipairs {249, 250, 251} do -- f32: 996, 1000, 1004 bytes
        local a = nd.arange(1, 40 * width, 1, "f32"):reshape(40, width)
        local d, before = a:to "cuda", tonumber(sim.cusim_calls "cuMemcpy2DAsync_v2")
        local e = d":, 1:100":clone()
        assert(e:to "cpu":equal(a":, 1:100":clone()))
        local calls = tonumber(sim.cusim_calls "cuMemcpy2DAsync_v2") - before
        assert(calls == (width <= 250 and 1 or 0), width)
      end
    ]])
  end)

  it("of odd distances are right #sim", function()
    C.run({}, [[
      -- planes that are no multiple of a row apart: every second plane of a flat array, by hand
      local flat = nd.arange(1, 4000, 1, "f32")
      local d = flat:to "cuda"
      for _, case in ipairs {{4, 5, 30, 337, 40}, {4, 5, 30, 320, 40}, {3, 4, 20, 171, 35}} do
        local n, rows, width, plane, pitch = unpack(case)
        local shape, strides = {n, rows, width}, {4 * plane, 4 * pitch, 4}
        local function view(x) return x:as_strided(shape, strides) end
        local before = tonumber(sim.cusim_calls "cuMemcpy3DAsync_v2")
        local got, want = view(d):to "cpu", view(flat)
        assert(got:equal(want:clone()))
        assert(view(d):clone():to "cpu":equal(want:clone()))
        local calls = tonumber(sim.cusim_calls "cuMemcpy3DAsync_v2") - before
        assert(calls == 0 or plane % pitch == 0)
      end
    ]])
  end)
end)
