-- The array specs of spec/bind once more on the devices, each run in a process of its own. A test
-- that cannot hold there is left out by its name: it must fail, in the way that is given, so that
-- the list is never longer than it has to be.
local H = require "spec.helper"
local C = require "spec.dev.cuda"

local FILES = "making views copies index slice join assign view_chains index_fuzz records numbers "
  .. "wrap memory looking cast lifetime"
local DEVICES = {
  pinned = {kind = "pinned", call = "cuMemHostAlloc"},
  ["managed:0"] = {kind = "managed", call = "cuMemAllocManaged"},
  ["cuda:0"] = {kind = "cuda", call = "cuMemAllocFromPoolAsync"},
}

-- Where, in which file, which test, what it fails with.
local NO_KERNEL = "is not supported on cuda:0; use :to%(\"cpu\"%)"
local NOT_HOST = "the CPU cannot access this memory"
local LEFT_OUT = {
  -- "cuda" has to be absent in it.
  {"pinned managed cuda", "making", "what makers are told is neither repeated nor ignored",
   "nothing was raised; expected device_not_found"},
  -- It reads what is in use of the host's memory.
  {"pinned managed cuda", "lifetime", "a view shares the fate of its storage when that is freed",
   "Expected objects to be equal"},
  -- Masks and index arrays have no kernel.
  {"managed cuda", "index",
   "a call takes slices and ranges as well, and a single key means what it means in brackets",
   NO_KERNEL},
  {"managed cuda", "index", "a call set takes a single table as get does", NO_KERNEL},
  -- Pointers are the host's.
  {"cuda", "view_chains", "chains of views outlive the handles that they came from", NOT_HOST},
  {"cuda", "memory", "memory ptr is a typed pointer to the first element, address its number",
   NOT_HOST},
  {"cuda", "memory", "memory ptr and address allocate what is lazy", "not_host_accessible"},
  {"cuda", "lifetime", "wrapped memory may be owned by an array, in a chain", NOT_HOST},
}

-- What has to fail, by name.
local function left_out(kind, files)
  local rows = {}
  for _, row in ipairs(LEFT_OUT) do
    if row[1]:find(kind, 1, true) and (" " .. files .. " "):find(" " .. row[2] .. " ", 1, true) then
      rows[row[3]] = row[4]
    end
  end
  return rows
end

-- The tests that failed, by name, with what TAP has about them; how many there were.
local function read_tap(text)
  local failed, count, name = {}, 0
  for line in text:gmatch "[^\n]+" do
    local result, test = line:match "^(%l*%s?ok) %d+ %- (.*)$"
    if result then
      count, name = count + 1, result == "not ok" and test or nil
      if name then failed[name] = "" end
    elseif name then failed[name] = failed[name] .. line .. "\n" end
  end
  local planned = tonumber(text:match "%f[^\n%z]1%.%.(%d+)")
  assert(count > 0 and count == planned, "not all ran:\n" .. text)
  return failed, count
end

-- Collections at every step are for the specs themselves, not for these runs of them.
local function run(device, mode, files, more)
  local report = H.path "report"
  local words = {"env NDBUF_GC_STRESS=0", more or "",
    ("NDBUF_CUDA_DRIVER=%s NDBUF_DEVICE=%s"):format(C.driver, device),
    ("NDBUF_SEED=%d NDBUF_CASES=%g"):format(H.seed, H.cases(1000) / 1000 * 0.02),
    C.is_card and "" or
      ("CUSIM_SEED=%d CUSIM_MODE=%s CUSIM_REPORT=%s"):format(H.seed, mode, report),
    ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath)),
    os.getenv "LUAJIT" or "luajit", jit.status() and "" or "-joff",
    "tools/busted.lua --helper=spec/dev/on_device.lua -o TAP"}
  for file in files:gmatch "%S+" do words[#words + 1] = "spec/bind/" .. file .. "_spec.lua" end
  local status, out, err = H.run(table.concat(words, " "))
  return status, out, err, C.is_card and "" or H.read(report)
end

local function check(device, mode, all, more)
  local list = {}
  for file in all:gmatch "%S+" do list[#list + 1] = file end
  local files = table.concat(H.some(list, 3), " ")
  local case = ("seed %d, %s, %s: "):format(H.seed, device, mode)
  local status, out, err, report = run(device, mode, files, more)
  assert(not report:find "%f[^\n%z]cusim:" and not err:find "cusim:", case .. err .. report)
  local failed, count = read_tap(out)
  local expected, n = left_out(DEVICES[device].kind, files), 0
  for name, text in pairs(failed) do
    n = n + 1
    assert(expected[name], case .. name .. "\n" .. text)
    assert(text:find(expected[name]), case .. name .. ": not for the reason given\n" .. text)
  end
  for name in pairs(expected) do assert(failed[name], case .. "need not be left out: " .. name) end
  assert(status == math.min(n, 1), case .. "status " .. status .. "\n" .. err)
  if not C.is_card then
    -- None if they were on the CPU; the files with the fewest arrays have about one a test.
    local calls = tonumber(report:match("calls " .. DEVICES[device].call .. " (%d+)")) or 0
    assert(calls > count / 4, ("%s%d calls: the arrays were not on the device"):format(case, calls))
  end
end

describe("the array specs hold #slow", function()
  for _, device in ipairs {"pinned", "managed:0", "cuda:0"} do
    for _, mode in ipairs(C.modes) do
      it(("on %s: %s"):format(device, mode), function()
        check(device, mode, FILES)
      end)
    end
  end

  it("on cuda:0 with NDBUF_SYNC=1", function()
    check("cuda:0", "lazy", "making views copies index slice join assign", "NDBUF_SYNC=1")
  end)

  it("on cuda:0, and leave another library's context as it was #sim", function()
    check("cuda:0", "lazy", "making views copies index slice join assign lifetime",
      "NDBUF_NEIGHBOUR=1 CUSIM_DEVICES=2")
  end)

  it("on managed:0 that the device and the CPU cannot share #sim", function()
    check("managed:0", "shuffle", "making views copies index slice join assign",
      "CUSIM_MANAGED=exclusive")
  end)
end)
