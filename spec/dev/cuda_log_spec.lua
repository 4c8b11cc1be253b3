-- Logs of memory of GPUs, pinned and managed memory.
local C = require "spec.dev.cuda"
local H = require "spec.helper"

local FOLLOW = [[
-- The addresses in use after these records, each with its bytes.
local function follow(records)
  local live = {}
  for i, r in ipairs(records) do
    if r.action == "allocate" and r.bytes > 0 then
      assert(not live[r.pointer], i)
      live[r.pointer] = r.bytes
    elseif r.action == "free" and r.bytes > 0 then
      assert(live[r.pointer] == r.bytes, i)
      live[r.pointer] = nil
    end
  end
  return live
end
]]

describe("a log on a GPU", function()
  for _, mode in ipairs(C.modes) do
    it("says at each row which addresses are in use, whatever the memory: " .. mode, function()
      C.run({mode = mode, protect = 1}, FOLLOW .. ([[
        local rng, gpu = H.rng "log", nd.device "cuda:0"
        local streams = {gpu:stream(), gpu:stream()}
        for _, up in ipairs {nd.memory.device(0), nd.memory.device(0, {async = false}),
          nd.memory.pinned(), nd.memory.managed(0), nd.memory.pool(nd.memory.device(0))} do
          local mem = nd.memory.log(up, {ring = 1e5})
          local live = {}
          for step = 1, %d do
            if rng(1, 2) == 1 or #live == 0 then
              local s = up.device == "cuda:0" and streams[rng(1, 2)] or nil
              local a = nd.zeros({rng(0, 1e5)}, "u8", {device = mem, stream = s})
              live[#live + 1] = a
              if a.size > 0 then a:fill(step %% 256) end
            else
              table.remove(live, rng(1, #live)):free()
            end
          end
          gpu:synchronize()
          mem:reap()
          local left, bytes = follow(mem:records()), {}
          for _, a in ipairs(live) do bytes[a.size > 0 and a:address() or 0] = a.size end
          bytes[0] = nil
          for pointer, n in pairs(left) do
            assert(bytes[pointer] == n, H.seed)
            bytes[pointer] = nil
          end
          assert(not next(bytes) and mem:stats().lost_records == 0)
        end
      ]]):format(H.cases(200)))
    end)
  end

  it("has the number of the stream that memory is ready on", function()
    C.run({}, [[
      local gpu = nd.device "cuda:0"
      local s, t = gpu:stream(), gpu:stream()
      local mem = nd.memory.log(nd.memory.device(0), {ring = 10})
      for _, stream in ipairs {s, t, s} do
        nd.zeros({100}, "u8", {device = mem, stream = stream}):free()
      end
      local r = mem:records()
      assert(#r == 6 and r[1].stream > 0 and r[1].stream ~= r[3].stream)
      assert(r[1].stream == r[2].stream and r[1].stream == r[5].stream)
    ]])
  end)

  it("allocates again what the driver refuses to free #sim", function()
    C.run({}, FOLLOW .. [[
      local mem = nd.memory.log(nd.memory.device(0, {async = false}), {ring = 100})
      local a = nd.zeros({100}, "u8", mem)
      nd.device "cuda":synchronize()
      assert(sim.cusim_fail("cuMemFree_v2", 1, "CUDA_ERROR_NOT_SUPPORTED"))
      pcall(a.free, a)
      nd.device "cuda":synchronize()
      sim.cusim_fail_none()
      mem:reap()
      local actions = {}
      for i, r in ipairs(mem:records()) do actions[i] = r.action end
      local all = table.concat(actions, ",")
      assert(all == "allocate,free,allocate,free failure,free", all)
      assert(not next(follow(mem:records())))
    ]])
  end)

  it("is in a file with the number of the process where another has the host's", function()
    local dir = H.dir()
    local child = H.write(H.path "child.lua", [[
      require "ndbuf".ones({2000}, "u8", "cuda"):free()
      io.write(io.open "/proc/self/stat":read "*n")
    ]])
    local command = (os.getenv "LUAJIT" or "luajit") .. " " .. child
    local pid = C.run({env = ("NDBUF_LOG=%s/x.csv"):format(dir)}, ([[
      assert(os.execute %q == 0)
      nd.ones({1000}, "u8", "cuda"):free()
    ]]):format(command))
    for name, bytes in pairs {["x.cuda:0.csv"] = 1000, [("x.%s.cuda:0.csv"):format(pid)] = 2000} do
      local text = H.read(dir .. "/" .. name)
      assert.truthy(text:find("allocate,0x%x+," .. bytes .. ",%d"), name .. "\n" .. text)
    end
  end)
end)
