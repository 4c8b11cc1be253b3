-- When the debt of allocated bytes makes the collector run; each case in a process of its own.
local H = require "spec.helper"

local function child(script)
  local status, out, err = H.luajit(jit.status() and "" or "-joff", [[
    local nd, core = require "ndbuf", require "ndbuf.core"
    local function take(mib) return nd.empty(mib * nd.MiB, "u8"):allocate() end
    local function collections() return core.stats().collections end
  ]] .. script)
  if status ~= 0 then error(("status %d:\n%s%s"):format(status, out, err), 2) end
  return out
end

describe("the debt", function()
  it("may be half of what was alive after the last collection", function()
    local ran = tonumber(child [[
      local kept = {}
      for i = 1, 4 do kept[i] = take(100) end -- never touched
      local before = collections()
      for _ = 1, 8 do take(40) end
      print(collections() - before)
      assert(#kept == 4)
    ]])
    assert.truthy(ran >= 1 and ran <= 3, ran .. " collections for 320 MiB beside 400")
  end)

  it("is taken back by a free, and is never less than nothing", function()
    local out = child [[
      local a, b, c = take(60), take(60), take(60)
      a:free() b:free() c:free()
      local before = collections()
      for _ = 1, 20 do take(60):free() end
      print(collections() - before)
    ]]
    assert.equal("0\n", out)
  end)

  -- each import keeps its owner's 8 MiB from being freed
  for name, import in pairs {
    ["nd.attach"] = "nd.attach(name)",
    ["nd.from_arrow"] = "nd.from_arrow(nd.to_arrow(a))",
    ["nd.from_dlpack"] = "nd.from_dlpack(tensor)",
    ["nd.from_arrow_stream"] = "nd.from_arrow_stream(stream())().x",
  } do
    it("has what came in by " .. name, function()
      local out = child(([[
        local D = dofile "spec/xchg/dlpack.lua"
        local a = nd.ones(2 ^ 20)
        local name = nd.share(a)
        local function stream() return nd.to_arrow_stream({x = a}, {rows = 2 ^ 20}) end
        local tensor, of = D.make(a:ptr(), 2, 64, {2 ^ 20})
        local function import() return %s end
        local there, kept, most = setmetatable({}, {__mode = "v"}), {}, 0
        for i = 1, 100 do
          there[i] = import()
          local count = 0
          for _ in pairs(there) do count = count + 1 end
          most = math.max(most, count)
        end
        local before = collections()
        for i = 1, 100 do import():free() end
        print(most < 12, collections() - before)
        -- what stays alive makes them rarer, as it does those of our own
        for i = 1, 100 do kept[i] = import() end
        print(collections() - before)
      ]]):format(import))
      local bounded, freed, kept = out:match "^(%a+)\t(%d+)\n(%d+)\n$"
      assert.same({"true", "0"}, {bounded, freed}, out)
      assert.is_true(tonumber(kept) >= 3 and tonumber(kept) <= 8, out)
    end)
  end

  for name, make in pairs {
    ["columns without a dtype"] = [[
      local schema, array = nd.to_arrow(a)
      schema.format = "w:1"
      return (nd.from_arrow(schema, array))
    ]],
    ["bools, packed for Arrow"] = "return (select(2, nd.to_arrow(bools)))",
    ["what is freed and exported still"] = [[
      local it = take(8)
      local _, array = nd.to_arrow(it)
      it:free()
      return array
    ]],
  } do
    it("has " .. name, function()
      local out = child(([[
        local a, bools = nd.ones(8 * nd.MiB, "u8"), nd.ones(64 * nd.MiB, "bool")
        local function make() %s end
        local there, most = setmetatable({}, {__mode = "v"}), 0
        for i = 1, 100 do
          there[i] = make()
          local count = 0
          for _ in pairs(there) do count = count + 1 end
          most = math.max(most, count)
        end
        print(most < 20, most)
      ]]):format(make))
      assert.equal("true", out:match "^%a+", out)
    end)
  end

  it("has nothing of memory whose owner is a Lua object", function()
    local out = child [[
      local ffi = require "ffi"
      local data = ffi.new("uint8_t[?]", 8 * nd.MiB)
      local before = collections()
      for _ = 1, 100 do nd.wrap(data, "u8", {8 * nd.MiB}) end
      print(collections() - before)
    ]]
    assert.equal("0\n", out)
  end)
end)
