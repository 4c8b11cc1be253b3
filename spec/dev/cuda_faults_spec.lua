-- Every call of the driver fails once, in every kind of work: an error says which, nothing is left
-- over, and the same work goes well afterwards.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

local WORKS = {"make", "plain", "fill", "host", "large", "file", "pinned", "managed", "foreign",
               "converted", "inside", "across", "elements", "print", "locked", "ask", "dropped",
               "program"}

local LOAD = [[local faults = loadfile "spec/dev/cuda_faults.lua" (nd, H, sim, enter)
]]

describe("a call of the driver that fails #sim", function()
  local sum = {found = 0, failed = 0, told = 0}
  local function count(found, failed, told, is_varying)
    local is_fine = failed == found
    if is_varying then is_fine = H.is_share(0.8, failed, found) end
    assert(found > 0 and is_fine, ("%d calls, %d failed"):format(found, failed))
    sum.found, sum.failed, sum.told = sum.found + found, sum.failed + failed, sum.told + told
  end

  teardown(function()
    print(("driver calls: %d found, %d failed, %d of them told"):format(sum.found, sum.failed,
      sum.told))
  end)

  -- The collector is stopped, so that a work makes the same calls each time: no stress either.
  local function check(mode, kind, memory, keep)
    for _, work in ipairs(H.some(WORKS, 3, 0.4)) do
      local settings = {mode = mode, seed = H.seed, devices = 2, env = "NDBUF_GC_STRESS=0",
                        keep = keep}
      local out = C.run(settings, LOAD .. ([[
        io.write(("%%d %%d %%d"):format(faults.each(%q, %q, %s)))
        faults.finish()
      ]]):format(work, kind, memory))
      local found, failed, told = out:match "^(%d+) (%d+) (%d+)$"
      -- which stream a queue is found idle on, or done, varies
      local is_varying = mode == "shuffle" or work == "program"
      count(tonumber(found), tonumber(failed), tonumber(told), is_varying)
    end
  end

  it("in the way that suits it is told and leaves nothing", function() check("lazy", "fitting") end)

  it("as no call should is told, too", function() check("lazy", "CUDA_ERROR_UNKNOWN") end)

  it("is told in whatever order streams run", function()
    check("shuffle", "CUDA_ERROR_UNKNOWN")
    check("shuffle", "fitting")
  end)

  it("is told where memory comes by cuMemAlloc", function()
    check("eager", "CUDA_ERROR_UNKNOWN", "nd.memory.device(0, {async = false})")
  end)

  it("is told where a pool on a budget keeps what is freed", function()
    check("lazy", "CUDA_ERROR_UNKNOWN",
      "nd.memory.pool(nd.memory.budget(nd.memory.device(0), '1GiB'))")
  end)

  it("is told where there are pools by default", function()
    check("lazy", "CUDA_ERROR_UNKNOWN", nil, "")
  end)

  it("for want of memory is tried again, after what can be freed was", function()
    check("lazy", "once")
  end)

  -- Opening the devices and closing them, a process each.
  it("while devices are opened or closed is told, and the next use opens them", function()
    local report = H.path "report"
    C.run({devices = 2, report = report}, LOAD .. "faults.open()")
    local calls = H.read(report)
    local sites, failed, told = {}, 0, 0
    for name, n in calls:gmatch "calls (%S+) (%d+)" do
      for i = 1, name:find "^cuGetError" and 0 or tonumber(n) do sites[#sites + 1] = {name, i} end
    end
    sites = H.some(sites, 10)
    for _, site in ipairs(sites) do
      local name, i, seen = site[1], site[2], H.path "report"
      local out = C.run({devices = 2, report = seen,
        fail = ("%s:%d:CUDA_ERROR_UNKNOWN"):format(name, i)}, LOAD .. "faults.open()")
      local calls_made = tonumber(H.read(seen):match("calls " .. name .. " (%d+)"))
      failed = failed + (calls_made >= i and 1 or 0)
      told = told + (out:find "told" and 1 or 0)
    end
    count(#sites, failed, told)
  end)

  it("and takes the context along is told by every later call; frees count as lost", function()
    local found, works = 0, {"make", "host", "pinned", "managed", "inside", "across", "dropped"}
    for _, work in ipairs(H.some(works)) do
      local settings = {mode = "lazy", devices = 2}
      local names = C.run(settings, LOAD .. ([[
        io.write((faults.names(%q)))
        faults.finish()
      ]]):format(work))
      local calls = {}
      for name in names:gmatch "%S+" do calls[#calls + 1] = name end
      for _, name in ipairs(H.some(calls, 4)) do
        C.run(settings, LOAD .. ("faults.lose(%q, %q)"):format(work, name))
        found = found + 1
      end
    end
    assert(found >= 4 and (found > 40 or H.cases(1000) < 1000), found)
  end)
end)
