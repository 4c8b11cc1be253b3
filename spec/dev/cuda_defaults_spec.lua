-- What the name of a GPU stands for: a pool, and a budget where the environment says so.
local C = require "spec.dev.cuda"
local H = require "spec.helper"

local LOAD = [[local programs = loadfile "spec/dev/cuda_programs.lua" (nd, H, sim)
]]
local KEEP = "8TiB"

describe("the memory of a GPU by default", function()
  it("is a pool, which memory_info tells, and trim empties", function()
    C.run({keep = KEEP}, [[
      local d = nd.device "cuda"
      assert(tostring(nd.memory.get "cuda:0"):find "^pool of device memory of cuda:0")
      assert(tostring(nd.memory.device(0)):find "^device memory of cuda:0")
      local a, b = nd.ones({2 ^ 20}, "u8", "cuda"), nd.ones({1000}, "u8", "cuda")
      local m = d:memory_info()
      local none = m.cached -- a card's driver has more in its own pool than was asked for
      assert(m.live == 2 ^ 20 + 1024 and m.count == 2 and (none == 0 or not sim))
      a:free()
      nd.transfers()
      m = d:memory_info()
      assert(m.live == 1024 and m.count == 1 and m.cached >= none + 2 ^ 20 and m.pending == 0)
      local c = nd.zeros({2 ^ 20}, "u8", "cuda")
      m = d:memory_info()
      assert(m.live == 2 ^ 20 + 1024 and c[1] == 0 and c[2 ^ 20] == 0)
      local e, f = b:clone(), nd.zeros_like(b)
      assert(nd.memory.get "cuda:0":stats().live.count.current == 4 and e[1000] == 1 and f[1] == 0)
      c:free()
      d:synchronize()
      assert(nd.memory.trim "cuda:0" >= 2 ^ 20)
      d:synchronize() -- until then the driver has what the pool gave up
      nd.memory.trim "cuda:0"
      m = d:memory_info()
      assert((m.cached == 0 or not sim) and m.cached <= none + 2 ^ 20 and m.live == 3 * 1024)
      assert(nd.memory.report()[3].live == m.live)
      nd.memory.use(nd.memory.device(0), nd.ones, 3, "cuda") -- without it
      assert(nd.memory.get "cuda:0":stats().live.count.total == 5)
    ]])
  end)

  for _, mode in ipairs(C.modes) do
    it("runs random programs on three streams as in order, and is empty at the end: " .. mode,
      function()
        C.run({mode = mode, devices = 2, handles = "reuse", protect = 1, keep = KEEP}, LOAD .. ([[
          for i = 1, %d do
            programs.run(H.seed + i, 3)
            programs.run(H.seed - i, 0)
            assert(not sim or sim.cusim_forgive "race" == 0, "a race, seed " .. H.seed + i)
          end
          local last = newproxy(true)
          getmetatable(last).__gc = function() nd.ones(10, "cuda"):to "cpu" end
          package.loaded.last = last
        ]]):format(H.cases(40)))
      end)
  end

  it("keeps as much as NDBUF_KEEP says", function()
    C.run({keep = "1MiB"}, [[
      local all = {}
      for i = 1, 8 do all[i] = nd.zeros({2 ^ 18}, "u8", "cuda") end
      for i = 1, 8 do all[i]:free() end
      nd.device "cuda":synchronize()
      local mem = nd.memory.get "cuda:0"
      assert(nd.memory.device(0):stats().live.bytes.current == 2 ^ 20)
      assert(mem:stats().live.bytes.current == 0)
    ]])
    C.run({keep = "0"}, [[
      assert(tostring(nd.memory.get "cuda:0"):find "^device memory")
    ]])
    C.run({keep = "much"}, [[
      H.raises_like("invalid_argument", 'NDBUF_KEEP: "much" is no limit', nd.zeros, 1, "cuda")
      assert(nd.zeros(1)[1] == 0)
    ]])
  end)

  it("is below NDBUF_BUDGET, as are all others", function()
    C.run({keep = KEEP, env = "NDBUF_BUDGET=1MiB"}, [[
      for _, place in ipairs {"cpu", "pinned", "cuda:0", "managed:0"} do
        local mem = nd.memory.get(place)
        assert(tostring(mem):find "budget of ", place)
        local e = H.raises("budget_exceeded", nd.zeros, {2 ^ 20 + 1}, "u8", place)
        assert(e.limit == 2 ^ 20 and tostring(e):find("on " .. place .. ":", 1, true))
        for i = 1, 20 do -- what the pool keeps makes room
          local a = nd.ones({2 ^ 20 - i * 8192}, "u8", place)
          assert(a.device == place and a[1] == 1)
          a:free()
        end
        assert(mem:stats().limit == 2 ^ 20)
      end
      H.raises("budget_exceeded", function() return nd.ones({2 ^ 17}) + 1 end)
      mem = nd.memory.host() -- is the memory itself
      assert(nd.ones({2 ^ 21}, "u8", mem):sum() == 2 ^ 21)
    ]])
    local status, _, err = C.try({env = "NDBUF_BUDGET=-5"}, "")
    assert.equal(1, status)
    assert.truthy(err:find('ndbuf: NDBUF_BUDGET: "-5" is no limit', 1, true), err)
  end)

  it("is what it was once other memory was used instead", function()
    C.run({keep = KEEP, env = "NDBUF_BUDGET=1MiB"}, [[
      local LEAVES = {cpu = nd.memory.host(), pinned = nd.memory.pinned(),
                      ["cuda:0"] = nd.memory.device(0), ["managed:0"] = nd.memory.managed(0)}
      for place, leaf in pairs(LEAVES) do
        local function refused()
          H.raises("budget_exceeded", nd.zeros, {2 ^ 20 + 1}, "u8", place)
          if place == "cpu" then H.raises("budget_exceeded", nd.zeros, {2 ^ 20 + 1}, "u8") end
          local a = nd.ones({3 * 2 ^ 16}, "f32", place)
          H.raises("budget_exceeded", function() return place == "cpu" and a + a or a:clone() end)
          a:free()
          nd.device "cuda:0":synchronize()
          nd.transfers()
        end
        local function large()
          if place == "cpu" then return nd.zeros({2 ^ 21}, "u8") end
          return nd.zeros({2 ^ 21}, "u8", place)
        end
        refused()
        assert(nd.memory.use(leaf, large).size == 2 ^ 21)
        refused()
        H.raises("size_mismatch", nd.memory.use, leaf, function() nd.zeros(3):reshape(7) end)
        refused()
        nd.memory.set(place, nd.memory.budget(leaf, 2 ^ 30))
        assert(large().size == 2 ^ 21)
        nd.memory.set(place, nil)
        refused()
        collectgarbage()
      end
    ]])
  end)

  it("is logged where NDBUF_LOG says", function()
    local dir = H.dir()
    C.run({keep = KEEP, env = ("NDBUF_LOG=%s/all.of.csv NDBUF_BUDGET="):format(dir)}, [[
      local d, h = nd.ones({1000}, "u8", "cuda"), nd.ones({2000}, "u8")
      local p = nd.ones(3, "u8", "pinned")
      assert(tostring(nd.memory.get "cuda:0"):find "^log of pool of device memory")
      local none = nd.device "cuda":memory_info().cached
      assert((none == 0 or not sim) and h[1] + p[1] == 2)
      d:free()
      nd.transfers()
      assert(nd.device "cuda":memory_info().cached >= none + 1024)
    ]])
    for name, bytes in pairs {["all.of.csv"] = 2000, ["all.of.cuda:0.csv"] = 1000,
                              ["all.of.pinned.csv"] = 3} do
      local text = H.read(dir .. "/" .. name)
      assert.truthy(text:find("allocate,0x%x+," .. bytes .. ",%d"), name .. "\n" .. text)
      assert.truthy(text:find("free,0x%x+," .. bytes .. ",%d"), name)
    end
    local status, _, err = C.try({env = "NDBUF_LOG=/none/x.csv"}, "")
    assert.equal(1, status)
    assert.truthy(err:find("/none/x.csv", 1, true), err)
  end)

  it("survives a fork, whose child has none of it #sim", function()
    C.run({keep = KEEP}, [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      nd.ones({1000}, "u8", "cuda"):free()
      nd.transfers()
      local a = nd.ones({2000}, "u8", "cuda")
      local child = ffi.C.fork()
      if child == 0 then
        local fine = not pcall(nd.ones, {1000}, "u8", "cuda") and nd.ones(3)[1] == 1
        ffi.C._exit(fine and 0 or 1)
      end
      local status = ffi.new "int[1]"
      assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0)
      assert(nd.ones({1000}, "u8", "cuda")[1000] == 1 and a[2000] == 1)
    ]])
  end)
end)
