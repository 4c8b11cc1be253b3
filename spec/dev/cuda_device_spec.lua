-- Access to the driver: when it is opened, why there is no GPU, what devices say, forks, endings.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

-- What nd.cuda.available() says, with these settings.
local function reason(settings)
  return C.run(settings, [[
    local fine, why = nd.cuda.available()
    assert(fine == (why == nil))
    if not fine then
      for _, place in ipairs {"cuda", "managed:0", "pinned"} do
        assert(H.raises("device_not_found", nd.zeros, 3, place).message == why)
        assert(H.raises("device_not_found", nd.device, place).message == why)
      end
      assert(#nd.devices() == 1 and nd.info().missing.cuda == why)
      assert(nd.zeros(3):unpin()[1] == 0)
      H.raises("device_not_found", function() nd.zeros(3):pin() end)
    end
    assert(tostring(nd.devices()[1]) == "cpu")
    io.write(tostring(why))
  ]])
end

describe("the CUDA driver", function()
  it("is not touched before a GPU is asked for #sim", function()
    C.run({}, [[
      local a = nd.ones(1000):clone() + 1
      assert(nd.device "cpu".name == "cpu" and nd.transfers().h2d.calls == 0)
      nd.memory.get "cpu"
      a = nil
      collectgarbage()
      assert(sim.cusim_calls "*" == 0)
      assert(nd.cuda.available() and sim.cusim_calls "cuInit" == 1)
      assert(sim.cusim_live_count "context" == 0) -- asking is not using
      nd.zeros(3, "cuda")
      assert(sim.cusim_live_count "context" == 1)
    ]])
  end)

  it("says why there is no GPU #sim", function()
    assert.equal("nil", reason {})
    assert.equal("nil", reason {driver = 11040})
    for want, settings in pairs {
      ["switched off by NDBUF_CUDA=0"] = {env = "NDBUF_CUDA=0"},
      ["driver supports CUDA up to 11%.2, ndbuf needs 11%.4"] = {driver = 11020},
      ["lacks cuMemGetInfo_v2"] = {hide = "cuMemGetInfo_v2"},
      ["CUDA_ERROR_NO_DEVICE %(100%)"] = {devices = 0},
    } do
      local text = reason(settings)
      assert.truthy(text:find(want), text)
    end
    -- What cuInit fails with, by name and number, and what can be done.
    for name, want in pairs {
      NO_DEVICE = "%(100%); does CUDA_VISIBLE_DEVICES hide",
      STUB_LIBRARY = "%(34%); this libcuda is the toolkit's stub",
      DEVICE_UNAVAILABLE = "%(46%); another process",
      SYSTEM_NOT_READY = "%(802%); is the service nvidia%-fabricmanager",
      SYSTEM_DRIVER_MISMATCH = "%(803%); libcuda and the kernel's driver are of two versions",
      COMPAT_NOT_SUPPORTED_ON_DEVICE = "%(804%); this libcuda is a forward compatibility",
      MPS_CONNECTION_FAILED = "%(805%); .*nvidia%-cuda%-mps%-control",
      MPS_RPC_FAILURE = "%(806%); .*mps", MPS_SERVER_NOT_READY = "%(807%); .*mps",
      MPS_MAX_CLIENTS_REACHED = "%(808%); .*mps", MPS_MAX_CONNECTIONS_REACHED = "%(809%); .*mps",
      MPS_CLIENT_TERMINATED = "%(810%); .*mps", UNKNOWN = "%(999%)$",
    } do
      for _, more in ipairs {"", ",cuGetErrorName:1:CUDA_ERROR_UNKNOWN"} do -- the name is ours then
        C.run({fail = ("cuInit:1:CUDA_ERROR_%s%s"):format(name, more)}, ([[
          local fine, why = nd.cuda.available()
          assert(not fine and why:find(%q), why)
          assert(sim.cusim_calls "cuGetErrorName" == 1)
          assert(nd.cuda.available()) -- it may pass
        ]]):format("the driver says CUDA_ERROR_" .. name .. " " .. want))
      end
    end
    local command = "NDBUF_CUDA_DRIVER=/none.so LUA_PATH=%s LUA_CPATH=%s %s -e %s"
    local status, out = H.run(command:format(H.quote(package.path), H.quote(package.cpath),
      os.getenv "LUAJIT" or "luajit", H.quote 'print(require "ndbuf".cuda.available())'))
    assert.equal(0, status)
    assert.truthy(out:find "^false%s+there is no GPU: /none.so")
  end)

  it("describes a device", function()
    C.run({}, [[
      local d = nd.device "cuda"
      assert(d.name == "cuda:0" and d.ordinal == 0 and #d.model > 0 and d.capability[1] >= 3)
      nd.zeros({2 ^ 20}, "u8", d)
      assert(d.free_memory > 0 and d.free_memory < d.total_memory)
      assert(tostring(nd.devices()[2]) == "cuda:0" and nd.info().cuda:find "^%d+%.%d$")
      H.raises("device_not_found", nd.zeros, 3, ("cuda:%d"):format(#nd.devices() - 1))
    ]])
  end)

  it("knows its devices #sim", function()
    C.run({devices = 3}, [[
      local list = nd.devices()
      assert(#list == 4 and tostring(list[4]) == "cuda:2" and list[4].ordinal == 2)
      local d = nd.device "GPU:1"
      assert(d.name == "cuda:1" and d.total_memory > 0 and d.free_memory <= d.total_memory)
      assert(#d.capability == 2 and d.capability[1] >= 3 and #d.model > 0)
      assert(nd.device "unified".name == "managed:0" and nd.device "pinned".name == "pinned")
      assert(nd.info().devices[4] == "cuda:2" and nd.info().cuda:find "^%d+%.%d$")
      assert(tostring(nd.info()):find "CUDA driver")
      for name, code in pairs {["cuda:3"] = "device_not_found", ["cuda:9"] = "device_not_found",
        ["managed:3"] = "device_not_found", ["cuda:1x"] = "invalid_argument",
        ["cuda:-1"] = "invalid_argument", ["cuda:"] = "invalid_argument",
        ["cuda:99999"] = "invalid_argument", ["pinned:0"] = "invalid_argument"} do
        H.raises(code, nd.zeros, 3, "f32", name)
        H.raises(code, nd.device, name)
      end
      nd.device "cuda:0":enable_peer "cuda:1"
      nd.device "cuda:0":enable_peer(nd.device "cuda:1")
      H.raises("invalid_argument", function() d:enable_peer "cuda:1" end)
      H.raises("invalid_argument", function() d:enable_peer "cpu" end)
      H.raises("invalid_argument", function() d:enable_peer "managed:0" end)
      H.raises("invalid_argument", function() nd.device "managed:1":enable_peer "cuda:0" end)
      H.raises("device_not_found", function() d:enable_peer "cuda:3" end)
      assert(nd.ones(3, "cuda:1"):to "cuda:2".device == "cuda:2" and nd.transfers().p2p.calls == 1)
      H.raises("invalid_argument", function() return d.speed end)
    ]])
  end)

  it("may be older than an attribute #sim", function()
    -- The order in which they are asked for.
    for i, check in ipairs {"d.capability[1] == 0", "d.capability[2] == 0", "not facts.managed",
      "not facts.concurrent_managed", "not facts.pools", "true", "true"} do
      C.run({mode = "lazy", fail = ("cuDeviceGetAttribute:%d:CUDA_ERROR_INVALID_VALUE"):format(i)},
        ([[
          local d, facts = nd.device "cuda", require "ndbuf.core".cuda_facts()[1]
          assert(%s)
          local a = nd.arange(1, 6000, 1, "f32"):reshape(60, 100)
          local e = a:to "cuda"
          e":, 1:50":copy_from(e":, 51:100")
          a":, 1:50":copy_from(a":, 51:100")
          assert(e:to "cpu":equal(a) and e":, ::2":to "cpu":equal(a":, ::2":clone()))
          assert(nd.zeros(3, "cuda")[3] == 0 and a:pin():to "cuda"(60, 100) == 6000)
        ]]):format(check))
    end
    C.run({}, [[
      ffi.cdef "int cuMemAlloc_v2(uint64_t *, size_t); int cuMemFree_v2(uint64_t);"
      enter(0)
      local p = ffi.new "uint64_t[1]"
      assert(driver.cuMemAlloc_v2(p, 4000) == 0)
      local at = ffi.cast("float *", p[0])
      -- memory type, ordinal, start and size of the allocation
      for n, want in ipairs {"does not know it", true, true, true} do
        assert(sim.cusim_fail("cuPointerGetAttribute", n, "CUDA_ERROR_INVALID_VALUE"))
        local fine, e = pcall(nd.wrap, at, "f32", {n > 2 and 1001 or 1000}, {device = "cuda"})
        assert(fine == (want == true) and (fine or e.message:find(want)), n)
        assert(sim.cusim_fail_none() == 0)
      end
      assert(driver.cuMemFree_v2(p[0]) == 0)
    ]])
  end)

  it("is left alone in a forked process, which says so", function()
    C.run({}, [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int);"
      local a, p = nd.ones(1000, "cuda"), nd.ones(1000, "pinned")
      local m, locked = nd.ones(1000, "managed"), nd.ones(1000):pin()
      local function sum(x)
        local s = 0
        for i = 1, 1000 do s = s + x[i] end
        return s
      end
      assert(sum(p) == 1000 and sum(m) == 1000)
      local child = ffi.C.fork()
      if child == 0 then
        local fine = pcall(function()
          local ok, why = nd.cuda.available()
          assert(not ok and why:find "forked", why)
          H.raises_like("driver", "forked", function() return a[1] end)
          H.raises("device_not_found", nd.ones, 3, "cuda")
          H.raises_like("driver", "forked", function() return p"7" end)
          H.raises_like("driver", "forked", sum, p)
          H.raises_like("driver", "forked", sum, m)
          H.raises_like("driver", "forked", function() a:clone() end)
          H.raises_like("driver", "forked", function() a:fill(0.1) end) -- through a buffer
          H.raises_like("driver", "forked", function() a:copy_from(nd.arange(a.size)) end)
          assert((nd.ones(10) + 1)[3] == 2)
          a:free()
          p, m, locked = nil, nil, nil
          collectgarbage()
          collectgarbage()
        end)
        os.exit(fine and 0 or 1, true)
      end
      local status = ffi.new "int[1]"
      assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0, status[0])
      assert(a(3) == 1 and sum(p) == 1000 and sum(m) == 1000)
    ]])
    C.run({}, [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int);"
      local child = ffi.C.fork() -- before the driver was opened
      if child == 0 then os.exit(nd.ones(3, "cuda")(1) == 1 and 0 or 1, true) end
      local status = ffi.new "int[1]"
      assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0, status[0])
    ]])
  end)

  -- libcuda starts nvidia-modprobe where a device file is missing.
  it("may fork a program while it is opened, on the thread that opens it #sim", function()
    C.run({fork = 1, devices = 2}, [[
      ffi.cdef "unsigned alarm(unsigned);"
      ffi.C.alarm(60) -- instead of waiting for ever
      for _, place in ipairs {"cuda:0", "cuda:1", "managed:1", "pinned"} do
        assert(nd.ones(3, place)(3) == 1, place)
      end
      ffi.C.alarm(0)
    ]])
  end)

  it("is given up by the last Lua state, and opened again by the next", function()
    C.run({}, [[
      ffi.cdef "void *luaL_newstate(void); void luaL_openlibs(void *); void lua_close(void *);"
      ffi.cdef "int luaL_loadstring(void *, const char *); int lua_pcall(void *, int, int, int);"
      local function inside(code)
        local L = ffi.C.luaL_newstate()
        ffi.C.luaL_openlibs(L)
        code = ("package.path = %q package.cpath = %q "):format(package.path, package.cpath) .. code
        assert(ffi.C.luaL_loadstring(L, code) == 0 and ffi.C.lua_pcall(L, 0, 0, 0) == 0)
        ffi.C.lua_close(L)
      end
      inside 'local a = require "ndbuf".ones(3, "cuda") assert(a(1) == 1)'
      assert(not sim or sim.cusim_live_count "context" == 1) -- of the state that runs this
      local a = nd.ones(3, "cuda")
      assert(a(2) == 1)
    ]])
    -- no state of its own: the helper's is the only one
    C.run({}, [[
      local kept = nd.ones(1000, "cuda")
      os.exit(0, true) -- lua_close
    ]])
  end)
end)
