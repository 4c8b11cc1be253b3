-- Runs the examples of one page of documentation; spec/docs_spec.lua starts it.
--   luajit spec/docs/run.lua FILE.md FOLDER     works inside of FOLDER; exit status 1: one is wrong
--
-- Blocks marked ```lua go on from one another, local variables included, unless the first line is
-- "-- fresh". A line that ends in "-- => text" is an expression, alone or inside of print(…): its
-- value has to look like the text. "-- => error: text" wants an error whose message begins so.
-- Blocks that begin with "> " are a session at the prompt, each going on from the one before:
-- input, then what it prints.
-- On the pages of docs/reference/ each block stands alone, with 'nd', and what stands in "raises
-- `code` …: `call`" is called, with 'a' as README.md there has it.
local ffi = require "ffi"
local path, folder = ...
local is_reference = path:find("reference/", 1, true) ~= nil

-- These pages are run with a simulated GPU, the others show what a machine without one says.
local ON_GPU = {["docs/gpu.md"] = true, ["docs/reference/streams.md"] = true}
ffi.cdef "int setenv(const char *name, const char *value, int overwrite);"
local function set(name, value) ffi.C.setenv(name, value, 1) end
if ON_GPU[path] then
  set("NDBUF_CUDA_DRIVER", (os.getenv "BUILD" or "build") .. "/cudasim/libcuda.so.1")
  set("CUSIM_MODE", "lazy")
else
  set("NDBUF_CUDA", "0")
end
local nd = require "ndbuf" -- while the paths still lead to it
local shown = require "ndbuf.show"
if ON_GPU[path] then assert(nd.cuda.available()) end
local wrong = 0

local function complain(line, ...)
  wrong = wrong + 1
  io.stderr:write(("%s:%d: "):format(path, line), string.format(...), "\n")
end

-- ---- values as the pages write them ----

local show

local function show_table(t)
  local parts, n = {}, #t
  for i = 1, n do parts[i] = show(t[i]) end
  local keys = {}
  for key in pairs(t) do
    if type(key) ~= "number" then keys[#keys + 1] = tostring(key) end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do parts[#parts + 1] = key .. " = " .. show(t[key]) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

function show(value)
  if type(value) == "table" and not getmetatable(value) then return show_table(value) end
  return tostring(value)
end

local function squeeze(text)
  return (text:gsub("%s+", " "):gsub("([%[{]) ", "%1"):gsub("^ ", ""):gsub(" $", ""))
end

local function show_all(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = show((select(i, ...))) end
  return squeeze(table.concat(parts, ", "))
end

-- An array may be written without its first line.
local function is_shown(want, got)
  want = squeeze(want)
  return want == got or got:match "^%l+%d*%w* %w+ %S+ (.+)$" == want
end

-- ---- programs ----

local function message_of(e) return type(e) == "table" and e.message or tostring(e) end

local function check(line, want, ...)
  local got = show_all(...)
  if not is_shown(want, got) then complain(line, "expected %s, got %s", want, got) end
end

local function check_error(line, want, fn)
  local ok, e = pcall(fn)
  local got = ok and "no error" or message_of(e)
  if got:sub(1, #want) ~= want then complain(line, "expected error %s, got %s", want, got) end
end

local function is_expression(code) return loadstring("return " .. code) ~= nil end

-- A line with its check as a statement.
local function rewrite(line, number)
  local code, want = line:match "^%s*(.-)%s*%-%- => (.*)$"
  if not code then return line end
  local message = want:match "^error: (.*)$"
  code = code:match "^print(%b())$" or code
  if message then
    local body = is_expression(code) and "local _ = " .. code or code
    return ("check_error(%d, %q, function() %s end)"):format(number, message, body)
  end
  if not is_expression(code) then return code, complain(number, "no expression: %s", code) end
  return ("check(%d, %q, %s)"):format(number, want, code)
end

local function environment()
  local env = setmetatable({check = check, check_error = check_error, print = function() end},
                           {__index = function(_, key)
    local value = _G[key]
    if value == nil then error("there is no global " .. tostring(key), 2) end
    return value
  end})
  if is_reference then env.nd = nd end
  return env
end

local function run_program(text)
  if not text:find "%S" then return end
  local chunk, failure = loadstring(text, "=" .. path)
  if not chunk then return complain(0, "%s", failure) end
  local ok, e = xpcall(setfenv(chunk, environment()), function(e)
    return type(e) == "table" and tostring(e) or debug.traceback(e)
  end)
  if not ok then complain(0, "%s", e) end
end

-- ---- calls that raise ----

local function check_raises(line, code, call)
  local chunk, failure = loadstring("return " .. call)
  if not chunk then chunk, failure = loadstring(call) end
  if not chunk then return complain(line, "%s", failure) end
  local env = environment()
  env.ffi, env.a = ffi, nd.array {{1, 2, 3}, {4, 5, 6}}
  local ok, e = pcall(setfenv(chunk, env))
  if ok then return complain(line, "%s raises nothing", call) end
  local got = type(e) == "table" and e.code
  if got ~= code then complain(line, "%s: expected %s, got %s", call, code, tostring(e)) end
end

local function run_raises(lines)
  local count = 0
  for number, line in ipairs(lines) do
    local text, at = line, number
    while lines[at + 1] and lines[at + 1]:find "^  %S" do
      at = at + 1
      text = text .. lines[at]:sub(2)
    end
    local code, call = text:match "^%- raises `([%w_]+)` .-: `([^`]+)`$"
    if code then
      check_raises(number, code, call)
      count = count + 1
    end
  end
  return count
end

-- ---- sessions ----

-- What the prompt prints for one line of input.
local function answer(input, env)
  local out = {}
  function env.print(...)
    local parts = {}
    for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
    out[#out + 1] = table.concat(parts, "\t")
  end
  local chunk, failure = loadstring("return nil, " .. input, "=stdin")
  if not chunk then chunk, failure = loadstring(input, "=stdin") end
  if not chunk then return failure end
  local function finish(is_fine, first, ...)
    if not is_fine then return tostring(first) end
    if select("#", ...) > 0 then out[#out + 1] = shown.values(...) end
    return table.concat(out, "\n")
  end
  return finish(pcall(setfenv(chunk, env)))
end

local session = environment()
session.nd = nd

local function run_session(lines, first)
  local at = 1
  while at <= #lines do
    local input, number = lines[at]:match "^> (.*)$", first + at
    local want = {}
    at = at + 1
    while lines[at] and not lines[at]:find "^> " do
      want[#want + 1] = lines[at]
      at = at + 1
    end
    local got = answer(input, session)
    local expected = table.concat(want, "\n")
    if got ~= expected then complain(number, "expected\n%s\ngot\n%s", expected, got) end
  end
end

-- ---- the page ----

-- Calls block(kind, lines, number of the line before the first) for each fenced block.
local function each_block(lines, block)
  local kind, first
  for number, line in ipairs(lines) do
    local fence = line:match "^```(.*)$"
    if fence and not kind then
      kind, first = fence, number
    elseif fence then
      local body = {}
      for i = first + 1, number - 1 do body[#body + 1] = lines[i] end
      block(kind, body, first)
      kind = nil
    end
  end
  if kind then complain(first, "a block that does not end") end
end

local lines = {}
for line in io.lines(path) do lines[#lines + 1] = line end
ffi.cdef "int chdir(const char *path);"
assert(ffi.C.chdir(folder) == 0)

local program, at, count = {}, 0, 0
local function finish()
  run_program(table.concat(program, "\n"))
  program, at = {}, 0
end

each_block(lines, function(kind, body, first)
  if kind == "lua" then
    if body[1] == "-- fresh" or is_reference then finish() end
    while at < first do at = at + 1 program[at] = "" end
    for i, line in ipairs(body) do program[at + i] = rewrite(line, first + i) end
    at = at + #body
    count = count + 1
  elseif body[1] and body[1]:find "^> " then
    run_session(body, first)
    count = count + 1
  end
end)
finish()
if is_reference then count = count + run_raises(lines) end
print(count)
os.exit(wrong == 0 and 0 or 1, true)
