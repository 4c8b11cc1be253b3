-- Guards on memory of GPUs, pinned and managed memory.
local C = require "spec.dev.cuda"
local H = require "spec.helper"

-- Damage is done as by a kernel that misses its place: the driver's own memset, complete on return.
-- On a card that is done by no other than ourselves either.
local DAMAGE = [[
ffi.cdef "int cuMemsetD8_v2(uint64_t, unsigned char, size_t); int cuCtxSynchronize(void);"
local function damage(address, value)
  nd.device "cuda:0":synchronize()
  enter(0, function()
    assert(driver.cuCtxSynchronize() == 0) -- the guard may have filled what was reaped last
    assert(driver.cuMemsetD8_v2(ffi.cast("uint64_t", address), value, 1) == 0)
    assert(driver.cuCtxSynchronize() == 0)
  end)
end
local function make(n, mem, stream)
  return nd.empty({n}, "u8", {device = mem, lazy = false, stream = stream})
end
local function check(finding, what, offset, a, address, n)
  local text = ("%s at %d of %d B, seed %d"):format(what, offset, n, H.seed)
  assert(finding, text)
  assert(finding.what == what and finding.offset == offset and finding.bytes == n and
         finding.tag == a.storage_id and finding.address == address, text)
  assert(finding.traceback:find "cuda.lua:%d+", finding.traceback)
end
local kinds = {nd.memory.device(0), nd.memory.device(0, {async = false}), nd.memory.managed(0),
               nd.memory.pinned(), nd.memory.pool(nd.memory.device(0))}
]]

describe("a guard on a GPU", function()
  for _, mode in ipairs(C.modes) do
    it("finds damage before, after, and after a free, with its block: " .. mode, function()
      C.run({mode = mode, protect = 1}, DAMAGE .. ([[
        for k, up in ipairs(kinds) do
          local mem = nd.memory.guard(up)
          for case = 1, %d do
            local others = {make(rng(1, 5000), mem), make(rng(1, 5000), mem)}
            local n = rng(1, rng(1, 3) == 1 and 30000 or 5000)
            local a = make(n, mem)
            local address = a:address()
            local what = ({"before", "after", "use after free"})[case %% 3 + 1]
            local at = what == "before" and -rng(1, 256) or what == "after" and n + rng(0, 63) or
              rng(0, math.min(n, 4096) - 1)
            if what == "use after free" and rng(1, 2) == 1 then at = n - 1 - at end
            if what == "use after free" then a:free() else a:fill(case) end
            if case %% 5 == 0 then nd.transfers() end
            damage(address + at, 0x11)
            if what ~= "use after free" and case %% 2 == 0 then a:free() end
            local list = mem:verify()
            assert(#list == 1, #list)
            check(list[1], what, at, a, address, n)
            if case %% 4 == 0 then a:free() end
            for _, other in ipairs(others) do other:free() end
            assert(#mem:verify() == 0)
          end
        end
      ]]):format(H.cases(100)))
    end)

    it("finds it on blocks that the collector freed: " .. mode, function()
      C.run({mode = mode, protect = 1}, DAMAGE .. [[
        for k, up in ipairs(kinds) do
          local mem = nd.memory.guard(up)
          for case = 1, 100 do
            local n = rng(1, 5000)
            local a = make(n, mem)
            local address, seen = a:address(), {storage_id = a.storage_id}
            local at = case % 3 == 0 and -1 or case % 3 == 1 and n or rng(0, math.min(n, 4096) - 1)
            local what = ({[0] = "before", "after", "use after free"})[case % 3]
            if what ~= "use after free" and case % 2 == 0 then damage(address + at, 0x11) end
            a = nil
            collectgarbage()
            collectgarbage()
            nd.transfers()
            if what == "use after free" or case % 2 == 1 then damage(address + at, 0x11) end
            local list = mem:verify()
            assert(#list == 1, #list)
            check(list[1], what, at, seen, address, n)
          end
        end
      ]])
    end)

    it("raises at the next call on its stack, whichever: " .. mode, function()
      C.run({mode = mode, protect = 1}, DAMAGE .. [[
        for _, up in ipairs(kinds) do
          local mem = nd.memory.guard(up)
          for _, call in ipairs {mem.stats, mem.trim, mem.reap, mem.reset_peak, mem.push_stats,
                                 function() make(10, mem) end} do
            local a = make(1000, mem)
            damage(a:address() - 1, 0x11)
            a:free()
            nd.device "cuda:0":synchronize()
            local e = H.raises("out_of_bounds", call, mem)
            assert(e.message:find(("storage %d"):format(a.storage_id), 1, true), e.message)
          end
          assert(#mem:verify() == 6)
        end
      ]])
    end)

    it("tells nothing of random programs: " .. mode, function()
      C.run({mode = mode, devices = 2, handles = "reuse", protect = 1}, ([[
        local programs = loadfile "spec/dev/cuda_programs.lua" (nd, H, sim)
        local guards = {}
        local function guard(device, up)
          guards[#guards + 1] = nd.memory.guard(up)
          nd.memory.set(device, guards[#guards])
        end
        for i = 0, nd.devices()[3] and 1 or 0 do guard("cuda:" .. i, nd.memory.device(i)) end
        guard("pinned", nd.memory.pinned())
        guard("managed:0", nd.memory.managed(0))
        for i = 1, %d do
          programs.run(H.seed + i, 3)
          assert(not sim or sim.cusim_forgive "race" == 0, "a race, seed " .. H.seed + i)
        end
        for _, mem in ipairs(guards) do assert(#mem:verify() == 0, H.seed) end
        collectgarbage()
        for _, mem in ipairs(guards) do assert(#mem:verify() == 0, H.seed) end
        local s = nd.memory.device(0):stats()
        assert(s.live.count.current == 0, s.live.count.current)
      ]]):format(H.cases(40)))
    end)
  end

  it("gives without waiting, however busy the stream is #sim", function()
    C.run({mode = "lazy"}, DAMAGE .. [[
      local gpu = nd.device "cuda:0"
      local s = gpu:stream()
      local mem = nd.memory.guard(nd.memory.device(0))
      local last = make(1000, mem, s)
      local address = last:address() -- to ask for it waits for all work
      for i = 1, 69 do
        local a = make(1000, mem, s)
        a:fill(i % 256, {stream = s})
        if i == 1 then assert(sim.cusim_hold(s.handle, true)) end -- until somebody waits
        a:free()
        nd.transfers()
      end
      last:free()
      nd.transfers()
      local before = tonumber(sim.cusim_pending())
      local other = nd.full({10}, 3, "u8", "cuda") -- no other stream waits for that one
      assert(other[10] == 3 and not s:query())
      local after = tonumber(sim.cusim_pending())
      assert(after > 300 and after >= before, before .. " " .. after)
      local calls = tonumber(sim.cusim_calls "cuMemFreeAsync")
      assert(calls == 0, calls)
      s:synchronize()
      for i = 1, 20 do nd.transfers() mem:reap() gpu:synchronize() end
      damage(address + 3, 0x22)
      calls = tonumber(sim.cusim_calls "cuMemFreeAsync") -- 64 are kept
      assert(calls == 70 - 64, calls)
      local list = mem:verify()
      assert(#list == 1 and list[1].what == "use after free" and list[1].offset == 3)
      other:free()
      gpu:synchronize()
      assert(nd.memory.device(0):stats().live.count.current == 0)
    ]])
  end)

  it("looks at both ends of a large block that was freed", function()
    C.run({protect = 1}, DAMAGE .. [[
      local n = 20000
      for _, up in ipairs(kinds) do
        for _, at in ipairs {0, 4095, n - 4096, n - 100, n - 1} do
          local mem = nd.memory.guard(up)
          local a = make(n, mem)
          local address = a:address()
          a:free()
          damage(address + at, 0x33)
          local list = mem:verify()
          assert(#list == 1)
          check(list[1], "use after free", at, a, address, n)
        end
      end
    ]])
  end)

  it("is for any device, the first one not being open", function()
    C.run({devices = 2}, [[
      local ok, up = pcall(nd.memory.device, 1)
      if not ok then return end
      local mem = nd.memory.guard(up)
      local a = nd.ones({100}, "f32", mem)
      assert(a[100] == 1 and #mem:verify() == 0)
    ]])
  end)

  it("raises what it found at a later allocation, and tells the rest at the end #sim", function()
    local out, err = select(2, C.try({mode = "lazy"}, DAMAGE .. [[
      local mem = nd.memory.guard(nd.memory.device(0))
      local a, b = make(100, mem), make(100, mem)
      damage(a:address() - 1, 1)
      damage(b:address() + 100, 1)
      a:free()
      nd.device "cuda":synchronize()
      nd.transfers()
      nd.device "cuda":synchronize()
      local e = H.raises("out_of_bounds", make, 10, mem)
      assert(e.offset == -1, e.message)
      make(10, mem)
      print "raised"
    ]]))
    assert.equal("raised\n", out)
    assert(err:find "damage, after: 100 B at 0x%x+, storage %d+, offset 100\n", err)
    assert(not err:find("before", 1, true), err)
  end)

  it("leaks nothing where the driver refuses any of its calls #sim", function()
    C.run({mode = "lazy"}, DAMAGE .. [[
      for _, name in ipairs {"cuMemsetD8Async", "cuMemcpyDtoHAsync_v2", "cuMemFreeAsync",
                             "cuMemHostAlloc", "cuMemAllocFromPoolAsync"} do
        for n = 1, 12 do
          local mem = nd.memory.guard(nd.memory.device(0))
          assert(sim.cusim_fail(name, n, "CUDA_ERROR_NOT_SUPPORTED"))
          for i = 1, 3 do
            pcall(function() make(100 * i, mem):free() end)
            nd.transfers()
          end
          pcall(mem.verify, mem)
          sim.cusim_fail_none()
          assert(#mem:verify() == 0)
          nd.device "cuda":synchronize()
          assert(#mem:verify() == 0)
          local s = nd.memory.device(0):stats()
          assert(s.live.count.current == 0, name .. " " .. n)
        end
      end
    ]])
  end)
end)

describe("a guard over other layers #sim", function()
  it("calls no driver in a collection", function()
    C.run({mode = "lazy"}, DAMAGE .. [[
      local plain = nd.memory.device(0, {async = false})
      for _, up in ipairs {nd.memory.pool(nd.memory.device(0)), nd.memory.pool(plain), plain} do
        local mem = nd.memory.guard(up)
        for case = 1, 2 do
          local a = make(1000, mem)
          a:fill(case)
          if case == 2 then nd.device "cuda":synchronize() end
          local function count()
            return tonumber(sim.cusim_calls "cuMemcpyDtoHAsync_v2" +
              sim.cusim_calls "cuMemsetD8Async" + sim.cusim_calls "cuStreamSynchronize")
          end
          nd.transfers()
          local before = count()
          a = nil
          collectgarbage()
          collectgarbage()
          assert(count() == before)
          assert(#mem:verify() == 0)
        end
      end
    ]])
  end)

  it("leaves no fill in flight behind where a take fails", function()
    C.run({mode = "lazy"}, DAMAGE .. [[
      for n = 1, 3 do
        local mem = nd.memory.guard(nd.memory.device(0, {async = false}))
        assert(sim.cusim_fail("cuMemsetD8Async", n, "CUDA_ERROR_NOT_SUPPORTED"))
        H.raises("driver", make, 1000, mem)
        sim.cusim_fail_none()
        assert(#mem:verify() == 0)
        assert(mem:stats().live.count.current == 0)
      end
    ]])
  end)

  it("gives what it keeps to whoever needs memory", function()
    C.run({mode = "lazy", memory = 64 * 2 ^ 20}, DAMAGE .. [[
      local MiB, gpu = 2 ^ 20, nd.memory.device(0)
      for _, kept in ipairs {gpu, nd.memory.managed(0)} do
        local mem = nd.memory.guard(kept)
        for i = 1, 3 do make(10 * MiB, mem):free() end
        nd.transfers()
        local a = make(50 * MiB, gpu)
        a:fill(1)
        a:free()
        make(50 * MiB, mem):free()
      end
    ]])
  end)

  it("keeps no large block, whoever is called", function()
    C.run({}, DAMAGE .. [[
      local mem = nd.memory.guard(nd.memory.device(0))
      make(100 * 2 ^ 20, mem):free()
      for i = 1, 10 do
        nd.transfers()
        nd.device "cuda":synchronize()
      end
      assert(nd.memory.device(0):stats().live.bytes.current == 0)
    ]])
  end)

  it("forgets no damage where a call of the driver fails once", function()
    C.run({mode = "lazy", protect = 1}, DAMAGE .. [[
      local gpu = nd.device "cuda:0"
      for _, name in ipairs {"cuMemcpyDtoHAsync_v2", "cuMemsetD8Async", "cuEventRecord",
                             "cuStreamSynchronize"} do
        for n = 1, 6 do
          for case, what in ipairs {"before", "use after free", "use after free"} do
            local mem = nd.memory.guard(nd.memory.device(0))
            local a = make(1000, mem)
            local address = a:address()
            if what == "before" then damage(address - 1, 1) end
            if case == 3 then assert(sim.cusim_fail(name, n, "CUDA_ERROR_NOT_SUPPORTED")) end
            a:free()
            for i = 1, 4 do
              nd.transfers()
              pcall(gpu.synchronize, gpu)
            end
            sim.cusim_fail_none()
            if what ~= "before" then damage(address + 5, 1) end
            assert(sim.cusim_fail(name, n, "CUDA_ERROR_NOT_SUPPORTED"))
            local ok, list = pcall(mem.verify, mem)
            sim.cusim_fail_none()
            if not ok then
              assert(list.code == "driver", tostring(list))
              list = mem:verify()
            end
            local text = ("%s, %s %d: %d"):format(what, name, n, #list)
            assert(#list == 1 and list[1].what == what, text)
          end
        end
      end
    ]])
  end)

  it("sees nothing in a forked child, and takes nothing down", function()
    C.run({mode = "lazy"}, DAMAGE .. [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int);"
      local host = nd.memory.guard(nd.memory.host())
      local list = {}
      for i, up in ipairs(kinds) do
        local mem = nd.memory.guard(up)
        list[i] = make(100, mem)
        make(100, mem):free() -- a look at it is under way
      end
      list[#list + 1] = make(10, host)
      nd.transfers()
      io.stdout:flush()
      local child = ffi.C.fork()
      if child == 0 then
        for _, a in ipairs(list) do a:free() end
        nd.transfers()
        assert(#host:verify() == 0)
        make(10, host):free()
        os.exit(0, true)
      end
      local status = ffi.new "int[1]"
      ffi.C.waitpid(child, status, 0)
      assert(status[0] == 0, status[0])
    ]])
  end)

  it("gives back all as the devices are closed, however many states had it by default", function()
    C.run({mode = "lazy", env = "NDBUF_GUARD=1"}, DAMAGE .. [[
      for _, place in ipairs {"cuda:0", "managed:0", "pinned", "cpu"} do
        local mem = nd.memory.get(place)
        assert(tostring(mem):find "^guard of ", tostring(mem))
        local a = nd.ones({1000}, "u8", place)
        local address = a:address()
        assert(a[1] == 1 and #mem:verify() == 0)
        if place ~= "cpu" then damage(address + 1000, 9)
        else ffi.cast("char *", address)[1000] = 9 end
        a:free()
        local list = mem:verify()
        assert(#list == 1 and list[1].what == "after" and list[1].offset == 1000, #list)
      end
      assert(nd.zeros({10}, "f32", nd.memory.host())[1] == 0)
    ]])
    C.run({mode = "lazy", env = "NDBUF_GUARD=1"}, [[
      assert(nd.ones({1000}, "u8", "cuda")[1000] == 1)
      if sim then assert(sim.cusim_fail("cuMemFreeHost", 1, "CUDA_ERROR_INVALID_VALUE")) end
    ]])
    C.run({mode = "lazy", env = "NDBUF_GUARD=1"}, [[
      local last = newproxy(true) -- finalized when the state is closed already
      getmetatable(last).__gc = function()
        for _, place in ipairs {"cuda:0", "managed:0", "pinned", "cpu"} do nd.ones(100, place) end
      end
      package.loaded.last = last
      nd.ones(1, "cuda:0")
    ]])
    local out, err = select(2, C.try({mode = "lazy", env = "NDBUF_GUARD=1"}, DAMAGE .. [[
      local a, b = nd.ones({1000}, "u8", "cuda"), nd.ones({2000}, "u8")
      damage(a:address() - 2, 9)
      ffi.cast("char *", b:ptr())[2001] = 9
      b:free()
      print "done"
    ]]))
    assert.equal("done\n", out)
    assert(err:find "damage, before: 1000 B at 0x%x+, storage %d+, offset %-2\n", err)
    assert(err:find "damage, after: 2000 B at 0x%x+, storage %d+, offset 2001\n", err)
  end)

  it("on another guard gives all back where memory is short", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode}, [[
        for _, up in ipairs {nd.memory.device(0), nd.memory.device(0, {async = false}),
                             nd.memory.managed(0)} do
          local mem = nd.memory.guard(nd.memory.guard(nd.memory.budget(up, 65536)))
          local function make(n) return nd.empty({n}, "u8", {device = mem, lazy = false}) end
          for _ = 1, 20 do make(2000):free() end
          for _ = 1, 2 do make(60000):free() end
          assert(mem:stats().failed_takes == 0 and #mem:verify() == 0)
        end
      ]])
    end
  end)
end)
