-- Makes the faults of spec/mutants/ one at a time, each in a copy of the tree, and looks whether
-- the specs that it names notice. A fault that none notices is a survivor, and a failure, unless it
-- is listed as equal. 'make mutate' runs this file; CONTRIBUTING.md says how to add a fault.
--   luajit tools/mutate.lua stale        only looks whether each old text is there, once
-- From the environment: BUILD SEED NDBUF_CASES LUAJIT PYTHON, and MUTANTS: a share of the faults to
-- draw by SEED (0.1), or a text that "file:line" begins with; without it all are made.

local build = os.getenv "BUILD" or "build"
local seed = tonumber(os.getenv "SEED") or os.time()
local wanted = os.getenv "MUTANTS" or ""
-- Workers run in copy 0, so that who edits the tree meanwhile does not confuse them.
local root = os.getenv "MUTATE_ROOT" or io.popen "pwd":read "*l"
local place = root .. "/" .. build .. "/mutate"

-- Both copy 0, which stays as it is, and those that faults are made in have these.
local SOURCES = "Makefile mk README.md CHANGELOG.md bin docs examples lua rockspec spec src tools"
local BUILT = "command obj ndbuf spec cudasim libndbuf.a"

-- ---- small helpers ----

local function shell(fmt, ...) return os.execute(fmt:format(...)) == 0 end

local function lines_of(command)
  local list, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
end

-- ---- the list ----

-- Where 'old' stands in 'text': its first and last byte, and how often it is there.
local function find(text, old)
  local first, last = text:find(old, 1, true)
  local count, at = 0, first
  while at do
    count = count + 1
    at = text:find(old, at + 1, true)
  end
  return first, last, count
end

-- {file, old, new, specs, equal = reason, needs = what of the processor} becomes
-- {file =, old =, …, at =, stale = why or nil, lacks = what the processor does not have}.
local function read_fault(row)
  local fault = {file = row[1], old = row[2], new = row[3], equal = row.equal, specs = {}}
  local has = not row.needs or (read "/proc/cpuinfo" or ""):find(row.needs, 1, true)
  fault.lacks = not has and row.needs
  for name in row[4]:gmatch "%S+" do fault.specs[#fault.specs + 1] = "spec/" .. name end
  local text = read(fault.file)
  local first, _, count = find(text or "", fault.old)
  local _, breaks = (text or ""):sub(1, first or 0):gsub("\n", "")
  fault.at = ("%s:%d"):format(fault.file, breaks + 1)
  if count ~= 1 then fault.stale = text and "is there " .. count .. " times" or "no such file" end
  for _, spec in ipairs(fault.specs) do
    if not read(spec) then fault.stale = "no such spec: " .. spec end
  end
  return fault
end

local function read_faults()
  local list = {}
  for _, path in ipairs(lines_of "LC_ALL=C ls spec/mutants/*.lua") do
    for _, row in ipairs(dofile(path)) do list[#list + 1] = read_fault(row) end
  end
  return list
end

-- The faults that MUTANTS asks for; the same in each process of a run.
local function draw(list)
  local share = tonumber(wanted)
  local drawn = {}
  for _, fault in ipairs(list) do
    if share or fault.at:sub(1, #wanted) == wanted then drawn[#drawn + 1] = fault end
  end
  if not share then return drawn end
  math.randomseed(seed)
  for i = #drawn, 2, -1 do
    local k = math.random(i)
    drawn[i], drawn[k] = drawn[k], drawn[i]
  end
  for i = #drawn, math.ceil(share * #list) + 1, -1 do drawn[i] = nil end
  return drawn
end

-- Each spec that the faults name, once.
local function specs_of(faults)
  local list, seen = {}, {}
  for _, fault in ipairs(faults) do
    for _, spec in ipairs(fault.specs) do
      if not seen[spec] then list[#list + 1] = spec end
      seen[spec] = true
    end
  end
  return list
end

local function program_of(spec)
  return spec:match "%.c$" and build .. "/" .. spec:gsub("%.c$", "")
end

-- ---- in a copy ----

-- Build what 'specs' need after a change of 'file': false where the compiler fails or warns.
local function make(copy, specs, file)
  local targets = {}
  for i, spec in ipairs(specs) do targets[i] = program_of(spec) or build .. "/ndbuf/core.so" end
  if file and file:find "^spec/cudasim/" then targets = {build .. "/cudasim/libcuda.so.1"} end
  return shell("cd %s && make -s CURDIR='%s' %s >log 2>&1 && ! grep -q 'warning:' log", copy, root,
               table.concat(targets, " "))
end

local function run(copy, specs, limit)
  local programs, scripts = "", ""
  for _, spec in ipairs(specs) do
    local program = program_of(spec)
    if program then programs = programs .. " " .. program else scripts = scripts .. " " .. spec end
  end
  if scripts ~= "" then scripts = " --" .. scripts end
  local command = ("BUILD=%s SEED=%d NDBUF_SEED=%d NDBUF_CASES=%s LIMIT=%d tools/check.sh%s%s")
    :format(build, seed, seed, os.getenv "NDBUF_CASES" or "0.05", limit, programs, scripts)
  -- In a session of its own, whose leader's group they stay in: what a fault makes hang may leave
  -- forked children behind. They would keep make's pipes open, and make waits for those at its end.
  return shell([[cd %s && setsid -w sh -c 'echo $$ >session; exec env %s' >log 2>&1; status=$?
    kill -s KILL -- "-$(cat session)" 2>/dev/null; exit $status]], copy, command)
end

-- Everything that is newer than the copy is as in copy 0 again, with the time it had.
local function restore(copy, file)
  assert(shell([[cp -p %s/0/%s %s/%s && cd %s && find %s -newer made -type f | while read -r f; do
    cp -p "../0/$f" "$f" 2>/dev/null || rm -f "$f"; done]], place, file, copy, file, copy, build))
end

-- What came of a fault: "noticed", "survived" or "broken".
local function try(copy, fault, limit)
  local text = read(fault.file)
  local first, last = find(text, fault.old)
  write(copy .. "/" .. fault.file, text:sub(1, first - 1) .. fault.new .. text:sub(last + 1))
  local word = not make(copy, fault.specs, fault.file) and "broken" or
    run(copy, fault.specs, limit) and "survived" or "noticed"
  if word == "broken" then shell("cp %s/log %s/broken", copy, place) end
  restore(copy, fault.file)
  return word
end

-- ---- workers: a process each, with a copy of its own; whoever makes the folder has the job ----

local function take(job) return shell("mkdir %s/jobs/%s 2>/dev/null", place, job) end

local function limit_of(specs)
  local limit = 0
  for _, spec in ipairs(specs) do
    local name = spec:gsub("/", "-")
    limit = math.max(limit, 20 + 5 * tonumber((read(("%s/jobs/%s/took"):format(place, name)))))
  end
  return limit
end

local worker = {}

-- Unchanged, each spec has to pass; it takes some seconds.
function worker.specs(copy, faults)
  for _, spec in ipairs(specs_of(faults)) do
    local name = spec:gsub("/", "-")
    if take(name) then
      local start = os.time()
      if not run(copy, {spec}, 600) then
        shell("echo '%s fails without a fault:'; cat %s/log; touch %s/failed", spec, copy, place)
      end
      write(("%s/jobs/%s/took"):format(place, name), tostring(os.time() - start))
    end
  end
end

function worker.faults(copy, faults)
  for i, fault in ipairs(faults) do
    if take(i) then
      local start = os.time()
      local word = fault.lacks and "skipped" or try(copy, fault, limit_of(fault.specs))
      write(("%s/jobs/%d/word"):format(place, i), word)
      print(("%-8s %3d s  %s"):format(word, os.time() - start, fault.at))
    end
  end
end

-- ---- a run ----

-- Say what is wrong with the list; how many faults are.
local function report_stale(faults)
  local count = 0
  for _, fault in ipairs(faults) do
    if fault.stale then
      count = count + 1
      print(("spec/mutants: %s: stale, %s: %s"):format(fault.file, fault.stale, fault.old))
    end
  end
  return count
end

local function copy_tree(copies, specs)
  local zero = place .. "/0"
  assert(shell("rm -rf %s && mkdir -p %s/%s %s/jobs", place, zero, build, place))
  assert(shell("cp -a %s %s", SOURCES, zero))
  assert(shell("cd %s && cp -a %s %s/%s", build, BUILT, zero, build))
  if not make(zero, specs) then error("the unchanged copy does not build: " .. zero .. "/log") end
  for i = 1, copies do
    assert(shell("cp -a %s %s/%d && sleep 0.01 && touch %s/%d/made", zero, place, i, place, i))
  end
end

local function work(copies, what)
  local command = {}
  for i = 1, copies do
    command[i] = ("%s tools/mutate.lua %s %d &"):format(os.getenv "LUAJIT" or "luajit", what, i)
  end
  local here = ("cd %s/0 && export MUTATE_ROOT='%s' SEED=%d; "):format(place, root, seed)
  os.execute(here .. table.concat(command, " ") .. " wait")
end

-- How many faults did what they should; what did not is shown.
local function judge(faults)
  local passed, skipped = 0, 0
  for i, fault in ipairs(faults) do
    local word = read(("%s/jobs/%d/word"):format(place, i)) or "without a result"
    if word == (fault.equal and "survived" or "noticed") then
      passed = passed + 1
    elseif fault.lacks then
      skipped = skipped + 1
      print(("skipped: mutate: %s: the processor has no %s"):format(fault.at, fault.lacks))
    else
      print(("%s: %s%s by %s\n  old: %s\n  new: %s"):format(
        fault.at, word, fault.equal and ", though listed as equal," or "",
        table.concat(fault.specs, " "), fault.old, fault.new))
    end
  end
  return passed, #faults - passed - skipped
end

local function main()
  local all = read_faults()
  local stale = report_stale(all)
  if arg[1] == "stale" or stale > 0 then
    print(("%d passed, %d failed"):format(#all - stale, stale))
    return stale == 0
  end
  local faults = draw(all)
  print(("seed: %d (again with: make mutate SEED=%d MUTANTS=%s)"):format(seed, seed, wanted))
  local copies = math.min(tonumber(lines_of "nproc" [1]), #faults)
  copy_tree(copies, specs_of(faults))
  work(copies, "specs")
  if read(place .. "/failed") then
    print(("0 passed, %d failed"):format(#faults))
    return false
  end
  work(copies, "faults")
  local passed, failed = judge(faults)
  print(("%d passed, %d failed"):format(passed, failed))
  return failed == 0 and passed > 0
end

io.stdout:setvbuf "line"
if worker[arg[1]] then
  worker[arg[1]](place .. "/" .. arg[2], draw(read_faults()))
else
  os.exit(main() and 0 or 1)
end
