-- Every function, method, field and metamethod, found at run time, with every kind of wrong
-- argument in every place and every wrong self: an error object each time, or a result. The calls
-- are made by spec/bind/badinput.lua in processes of their own, with little memory: a crash, a hang
-- or a huge allocation there is a failure here that names the call.
local H = require "spec.helper"
local nd = require "ndbuf"
local core = require "ndbuf.core"
local rows = require "spec.bind.badinput_rows"

local LIMIT_KIB = 1500000 -- of address space, for each process
local is_slow = H.is_sanitized or os.getenv "NDBUF_GC_STRESS" == "1"

local function interpreter()
  local env = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath))
  local lua = os.getenv "LUAJIT" or "luajit"
  local limit = is_slow and 900 or 300 -- seconds
  return env .. (" timeout %d "):format(limit) .. lua .. (jit.status() and "" or " -joff")
end

local function check(part, settings)
  local dir = H.dir()
  -- the simulated driver reserves more than that
  local limit = settings and "" or "ulimit -f 100000"
  if not H.is_sanitized and not settings then limit = limit .. "\nulimit -v " .. LIMIT_KIB end
  local command = "%s\n%s %s spec/bind/badinput.lua %s %s %d %s"
  local status, out, err = H.run(command:format(limit, settings or "", interpreter(), part,
    H.quote(dir), H.seed, is_slow and "small" or "large"))
  if status == 0 then
    assert.is_truthy(out:find "(%d+) calls, 0 failures")
    assert.is_true(tonumber(out:match "(%d+) calls") > (settings and 100 or 1000))
    return
  end
  local last = H.exists(dir .. "/at") and H.read(dir .. "/at"):gsub("%s+$", "") or "nothing"
  local text = "seed %d: status %d; the last call was\n%s\n%s\n%s"
  error(text:format(H.seed, status, last, out, err), 0)
end

local function names_of(...)
  local names = {}
  for _, functions in ipairs {...} do
    for name, value in pairs(functions) do
      if type(value) == "function" then names[name] = true end
    end
  end
  return names
end

describe("the table of arguments", function()
  local mt = core.metatables.f64
  local _, e = pcall(nd.zeros, -1)
  local lists = {
    functions = names_of(nd, core), methods = names_of(mt.methods), metamethods = names_of(mt),
    properties = names_of(mt.properties), dtype_object = names_of(core.dtype_metatable),
    column_object = names_of(core.column_metatable),
    device_object = names_of(core.device_metatable), cuda = names_of(nd.cuda),
    fft = names_of(nd.fft), linalg = names_of(nd.linalg), transfers = names_of(nd.transfers),
    device_methods = names_of(core.device_metatable.methods), memory = names_of(nd.memory),
    memory_object = names_of(core.memory_metatable), error_object = names_of(debug.getmetatable(e)),
    stream_object = names_of(core.stream_metatable), event_object = names_of(core.event_metatable),
    stream_methods = names_of(core.stream_metatable.methods),
    event_methods = names_of(core.event_metatable.methods),
    memory_methods = names_of(core.memory_metatable.methods),
    reservation_object = names_of(core.reservation_metatable),
    reservation_methods = names_of(core.reservation_metatable.methods),
  }
  for list, names in pairs(lists) do
    it("has a row for each of the " .. list .. ", and no other", function()
      for name in pairs(names) do
        assert.is_truthy(rows[list][name], "no row for " .. name .. " in badinput_rows.lua")
      end
      for name in pairs(rows[list]) do
        assert.is_truthy(names[name], "the row of badinput_rows.lua is for nothing: " .. name)
      end
    end)
  end

  it("holds for every dtype", function()
    for _, other in pairs(core.metatables) do
      assert.are.same(lists.methods, names_of(other.methods))
      assert.are.same(lists.metamethods, names_of(other))
    end
  end)
end)

describe("bad input", function()
  it("is refused by the functions", function() check "module" end)

  it("is refused by streams, events and timelines", function()
    check("streams", "NDBUF_CUDA=1 NDBUF_CUDA_DRIVER=" ..
      H.quote(H.build .. "/cudasim/libcuda.so.1"))
  end)

  local dtypes = {}
  for dtype in pairs(core.metatables) do dtypes[#dtypes + 1] = dtype end
  table.sort(dtypes)
  local some = H.cases(#dtypes)
  local first = H.rng "badinput"(#dtypes)
  for i = 1, some do
    local dtype = dtypes[(first + i) % #dtypes + 1]
    it("is refused by arrays of " .. dtype, function() check(dtype) end)
  end
end)

-- "__metatable" is a string that any userdata may bear; what is behind it is not ours to read.
describe("a userdata that calls itself an array", function()
  it("is refused by every method, field and metamethod", function()
    local calls = 0
    for dtype, mt in pairs(core.metatables) do
      local forged = newproxy(true)
      getmetatable(forged).__metatable = getmetatable(nd.zeros(1, dtype))
      assert.equal("ndbuf." .. dtype, getmetatable(forged))
      for _, list in ipairs {mt.methods, mt.properties, mt} do
        for name, fn in pairs(list) do
          if type(fn) == "function" and name ~= "__gc" then
            for _ = 1, 2 do
              local fine, e = pcall(fn, forged, 1, 1, 1)
              assert.is_false(fine, dtype .. " " .. name)
              assert.is_truthy(e.code or tostring(e):find "attempt", dtype .. " " .. name)
              calls = calls + 1
            end
          end
        end
      end
      assert.is_nil(mt.__gc(forged))
    end
    assert.is_true(calls > 17 * 80)
  end)
end)
