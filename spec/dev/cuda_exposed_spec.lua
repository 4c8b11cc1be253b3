-- Memory of a GPU whose address other code has: calls on it are complete before they return.
local C = require "spec.dev.cuda"

-- 'peek' reads at an address what is there now, with work that is pending not done; nil on a card,
-- where synchronize comes before each look.
local PEEK = [[
  ffi.cdef "bool cusim_peek(uint64_t address, void *out, size_t bytes);"
  ffi.cdef "uint64_t cusim_pending(void);"
  local function peek(address, n)
    local out = ffi.new("float[?]", n)
    assert(sim.cusim_peek(ffi.cast("uint64_t", address), out, 4 * n))
    return out
  end
]]

describe("the address of an array", function()
  for _, mode in ipairs(C.modes) do
    it("is the driver's on every kind of memory: " .. mode, function()
      C.run({mode = mode}, [[
        ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
        local seen = {}
        for _, place in ipairs {"cpu", "pinned", "cuda:0", "managed:0"} do
          local a = nd.empty({10}, "f32", place)
          local at = a:address()
          assert(a.is_allocated and at > 0 and at % 4 == 0 and type(at) == "number", place)
          assert(a:address() == at and a"3:":address() == at + 8, place)
          assert(a:reshape(2, 5).T:address() == at and a:flip(1):address() == at + 36, place)
          assert(not seen[at], place)
          seen[at] = a
        end
        H.raises("not_host_accessible", function() nd.zeros(3, "cuda"):ptr() end)
        local p = ffi.new "uint64_t[1]"
        enter(0)
        assert(driver.cuMemAlloc_v2(p, 4000) == 0)
        local w = nd.wrap(ffi.cast("void *", p[0]), "f32", {1000}, {device = "cuda:0"})
        assert(w:address() == tonumber(p[0]) and w"2:":address() == tonumber(p[0]) + 4)
        w:free()
        assert(driver.cuMemFree_v2(p[0]) == 0)
        H.raises("freed", function() w:address() end)
        assert(nd.zeros({0}, "f32", "cuda"):address() >= 0)
      ]])
    end)
  end

  it("comes when all work on the memory is done #sim", function()
    C.run({mode = "lazy"}, PEEK .. [[
      local a, b = nd.ones({1000}, "f32", "cuda"), nd.zeros({1000}, "f32", "cuda")
      nd.device "cuda":synchronize()
      b:copy_from(a)
      assert(sim.cusim_pending() > 0) -- else this shows nothing
      assert(peek(b:address(), 1000)[999] == 1)
      a:fill(5)
      local kept = a:clone() -- reads a
      assert(peek(a:address(), 1)[0] == 5 and kept[1] == 5)
      assert(peek(nd.zeros({1000}, "f32", "cuda"):address(), 1000)[999] == 0)
    ]])
  end)

  it("makes later calls on it complete before they return #sim", function()
    C.run({mode = "lazy", devices = 2}, PEEK .. [[
      local exposed = nd.zeros({1000}, "f32", "cuda:0")
      local other = nd.zeros({1000}, "f32", "cuda:0")
      local ones, host = nd.ones({1000}, "f32", "cuda:0"), nd.full({1000}, 7, "f32")
      local locked, far = nd.full({1000}, 8, "f32", "pinned"), nd.full({1000}, 9, "f32", "cuda:1")
      local at = exposed:address()
      nd.device "cuda:0":synchronize()
      nd.device "cuda:1":synchronize()
      other:copy_from(ones)
      assert(sim.cusim_pending() > 0) -- what others do is left as it was
      for name, case in pairs {
        ["a copy"] = {1, function() exposed:copy_from(ones) end},
        ["a strided copy"] = {1, function() exposed"::2":copy_from(ones"::2") end},
        ["from the host"] = {7, function() exposed:copy_from(host) end},
        ["from locked memory"] = {8, function() exposed:copy_from(locked) end},
        ["from another device"] = {9, function() exposed:copy_from(far) end},
        ["a conversion"] = {3, function()
          exposed:copy_from(nd.full({1000}, 3, "i16", "cuda:0"))
        end},
        ["a fill"] = {4, function() exposed:fill(4) end},
        ["an element"] = {5, function() exposed[1] = 5 end},
      } do
        case[2]()
        assert(peek(at, 1)[0] == case[1], name)
      end
      -- what reads it is done, too: whoever has the address may write now
      exposed:fill(1)
      other:copy_from(exposed)
      assert(sim.cusim_pending() == 0)
      exposed"::2":clone()
      assert(sim.cusim_pending() == 0)
      local far_at = far:address()
      far:copy_from(exposed)
      assert(peek(far_at, 1000)[999] == 1)
    ]])
  end)

  it("makes work with pinned memory complete, as a pointer to it does #sim", function()
    C.run({mode = "lazy"}, PEEK .. [[
      for _, expose in ipairs {"ptr", "address"} do
        local a, b = nd.ones({1000}, "f32", "pinned"), nd.zeros({1000}, "f32", "cuda")
        nd.device "cuda":synchronize()
        local p = expose == "ptr" and a:ptr() or ffi.cast("float *", a:address())
        b:copy_from(a)
        assert(sim.cusim_pending() == 0)
        p[0] = 9 -- no race with the copy
        assert(b[1] == 1)
        local m, d = nd.zeros({1000}, "f32", "managed:0"), nd.full({1000}, 3, "f32", "cuda")
        p = expose == "ptr" and m:ptr() or ffi.cast("float *", m:address())
        nd.device "cuda":synchronize()
        m:copy_from(d)
        assert(sim.cusim_pending() == 0 and p[999] == 3)
      end
    ]])
  end)

  for _, mode in ipairs(C.modes) do
    it("serves other code between any two calls, " .. mode, function()
      C.run({mode = mode}, [[
        ffi.cdef "int cuStreamCreate(void **, unsigned); int cuStreamDestroy_v2(void *);"
        ffi.cdef "int cuStreamSynchronize(void *);"
        ffi.cdef "int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *);"
        ffi.cdef "int cuMemsetD32Async(uint64_t, unsigned, size_t, void *);"
        local gpu, n, stream = nd.device "cuda", 100000, ffi.new "void *[1]"
        local a, d = nd.zeros({n}, "i32", "cuda"), nd.full({n}, 5, "i32", "cuda")
        local locked, seen = nd.full({n}, 8, "i32", "pinned"), nd.zeros({n}, "i32", "pinned")
        local at, out, s = a:address(), seen:ptr(), gpu:stream()
        enter(0)
        assert(driver.cuStreamCreate(stream, 1) == 0)
        -- Their own stream reads all, then writes, and knows nothing of ours.
        local function check(value)
          assert(driver.cuMemcpyDtoHAsync_v2(out, at, 4 * n, stream[0]) == 0)
          assert(driver.cuMemsetD32Async(at, value + 1, n, stream[0]) == 0)
          assert(driver.cuStreamSynchronize(stream[0]) == 0)
          assert(out[0] == value and out[n - 1] == value)
          assert(not sim or sim.cusim_forgive "race" == 0)
        end
        for round = 1, 3 do
          local to = {stream = round == 1 and gpu:stream() or s}
          a:copy_from(d, to)
          check(5)
          a:fill(round, to)
          check(round)
          a:copy_from(locked, to)
          check(8)
          d:copy_from(a, to) -- reads
          check(9)
          assert(d:to "cpu":sum() == 9 * n)
          a:copy_from(nd.full({n}, 3, "i32"), to)
          check(3)
          a"::2":copy_from(d"::2", to)
          a"2::2":copy_from(d"2::2", to)
          check(9)
          d:fill(5)
        end
        assert(driver.cuStreamDestroy_v2(stream[0]) == 0)
      ]])
    end)
  end

  it("of a wrapped one was known before, so that the same holds #sim", function()
    C.run({mode = "lazy"}, PEEK .. [[
      ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
      local d, p = nd.ones({1000}, "f32", "cuda"), ffi.new "uint64_t[1]"
      enter(0)
      assert(driver.cuMemAlloc_v2(p, 4000) == 0)
      local a = nd.wrap(ffi.cast("void *", p[0]), "f32", {1000}, {device = "cuda:0"})
      nd.device "cuda":synchronize()
      a:copy_from(d)
      assert(sim.cusim_pending() == 0 and peek(p[0], 1)[0] == 1)
      d:copy_from(a)
      assert(sim.cusim_pending() == 0 and nd.device "cuda":memory_info().pending == 0)
      a:free()
      assert(driver.cuMemFree_v2(p[0]) == 0)
    ]])
  end)

  it("of memory whose owner is let go is the owner's again at once", function()
    C.run({mode = "lazy"}, [[
      ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
      local d, p = nd.ones({1000}, "f32", "cuda"), ffi.new "uint64_t[1]"
      enter(0)
      assert(driver.cuMemAlloc_v2(p, 4000) == 0)
      local owner = setmetatable({}, {__mode = "k"})
      owner[{}] = true
      local a = nd.wrap(ffi.cast("void *", p[0]), "f32", {1000},
        {device = "cuda:0", owner = next(owner)})
      local view = a"2:"
      a:copy_from(d)
      collectgarbage()
      assert(next(owner))
      a:free()
      collectgarbage()
      assert(not next(owner) and not pcall(view.clone, view))
      assert(driver.cuMemFree_v2(p[0]) == 0)
    ]])
  end)
end)
