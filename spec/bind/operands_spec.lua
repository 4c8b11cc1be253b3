-- A finalizer may finalize or free the very arrays that a call works on: operands_fuzz.lua.
local H = require "spec.helper"
local nd = require "ndbuf"
local core = require "ndbuf.core"

local function command(stress, flags, script)
  local paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath))
  return ("NDBUF_GC_STRESS=%d %s %s %s %s"):format(stress, paths, os.getenv "LUAJIT" or "luajit",
    H.is_sanitized and "-joff" or flags, script)
end

-- With 'stress' a full collection runs before each handle and each allocation of a call; without,
-- the collector takes steps where Lua allocates. Returns how many calls lost an operand, and how
-- many of them were done all the same.
local function run(stress, flags, cases)
  local seed = H.seed % 1e6 * 4 + stress * 2 + #flags % 2
  local line = command(stress, flags, ("spec/bind/operands_fuzz.lua %d %d"):format(seed, cases))
  local status, out, err = H.run(line)
  if status ~= 0 then error(("%s: status %d\n%s"):format(line, status, err:sub(1, 3000)), 0) end
  local hits, done, live, count = out:match "^(%d+)\t(%d+)\t(%d+)\t(%d+)\n$"
  assert.same({"0", "0"}, {live, count}, line)
  return tonumber(hits), tonumber(done)
end

local function is_enough(share, count, cases)
  assert.is_true(H.is_share(share, count, cases), ("%d of %d"):format(count, cases))
end

describe("a call whose operands a finalizer takes away", function()
  for _, flags in ipairs {"", "-joff"} do
    it("touches no memory that was freed " .. flags, function()
      local cases = math.max(H.cases(1000), 500) -- fewer may miss a fault by chance
      local hits, done = run(0, flags, cases)
      is_enough(1 / 3, hits, cases)
      is_enough(1 / 50, done, cases)
    end)

    it("touches none either where each allocation collects " .. flags, function()
      local cases = math.max(H.cases(1000), 500) -- fewer may miss a fault by chance
      local hits, done = run(1, flags, cases)
      is_enough(1 / 2, hits, cases)
      is_enough(1 / 15, done, cases)
    end)
  end
end)

describe("the memory of an array that is finalized", function()
  it("is there at once for the call whose collection finds it", function()
    local script = H.write(H.path "found.lua", [[
      local nd, core = require "ndbuf", require "ndbuf.core"
      local large, small, freed = nd.ones(1e5), nd.ones(4), nil
      getmetatable(newproxy(true)).__gc = function()
        local before = core.stats().live
        core.metatables.f64.__gc(large)
        core.metatables.f64.__gc(small)
        freed = before - core.stats().live
      end
      local _ = nd.ones(3) -- collects
      print(freed)
    ]])
    local status, out, err = H.run(command(1, "", H.quote(script)))
    local rounded = 64 -- what 32 B take
    assert.same({0, 1e5 * 8 + rounded .. "\n", ""}, {status, out, err})
  end)

  it("is there at once in nd.scope and nd.memory.use", function()
    local function check()
      local a = nd.ones(10)
      local before = core.stats().live
      core.metatables.f64.__gc(a)
      assert.equal(128, before - core.stats().live) -- 80 B, rounded up
    end
    collectgarbage()
    collectgarbage "stop"
    local fine, why = pcall(function()
      nd.scope(check)
      nd.memory.use(nd.memory.get "cpu", check)
    end)
    collectgarbage "restart"
    assert(fine, why)
  end)
end)
