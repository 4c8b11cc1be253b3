-- What every spec may use: local H = require "spec.helper". busted runs it once, before the specs.
local ffi = require "ffi"

-- busted replaces these by versions that remember their first argument only, so that
-- ffi.typeof("$ *", i8) and then ffi.typeof("$ *", f64) give the same type. Undone before anything
-- of ours is loaded.
local function restore_ffi()
  for _, name in ipairs {"cdef", "typeof", "metatype"} do
    for i = 1, 20 do
      local key, value = debug.getupvalue(ffi[name], i)
      if not key then break end
      if key == "original" then
        ffi[name] = value
        break
      end
    end
  end
end
restore_ffi()

local loaded = package.loaded["spec.helper"]
if loaded and loaded ~= true then return loaded end

local build = os.getenv "NDBUF_BUILD" or "build"
local function prefix(list, entries)
  return list:sub(1, #entries) == entries and list or entries .. list
end
package.path = prefix(package.path, "./lua/?.lua;./lua/?/init.lua;./?.lua;")
package.cpath = prefix(package.cpath, build .. "/?.so;")

local H = {build = build}

-- Where makers make that are given no device: spec/dev/on_device.lua has another.
H.device = "cpu"

-- valgrind delivers no signal whose frame begins above the part of the stack that was used so far,
-- and ends below it. So use some more, once: each gsub has a buffer of 8 KiB there.
local function use_stack(levels)
  if levels > 0 then ("a"):gsub("a", function() use_stack(levels - 1) end) end
end
use_stack(30)

-- Under AddressSanitizer (make asan) a process that crashes ends with status 1 and a report.
H.is_sanitized = (os.getenv "LD_PRELOAD" or ""):find("libasan", 1, true) ~= nil

-- ---- random numbers, by seed ----

H.seed = tonumber(os.getenv "NDBUF_SEED") or os.time()

-- How many random cases to run where 'n' is meant: NDBUF_CASES scales it (the slow jobs do fewer).
function H.cases(n)
  return math.max(1, math.ceil(n * (tonumber(os.getenv "NDBUF_CASES") or 1)))
end

-- Those cases of a list that run: the share (1) of them, times NDBUF_CASES, at least 'least' (1),
-- drawn by H.seed, another draw in each call.
local draws = 0
function H.some(list, least, share)
  draws = draws + 1
  local rng, chosen = H.rng("some" .. draws), {}
  local part = math.min(1, (share or 1) * H.cases(10000) / 10000)
  local wanted = math.max(least or 1, math.ceil(#list * part))
  for i, case in ipairs(list) do
    if rng() * (#list - i + 1) < wanted - #chosen then chosen[#chosen + 1] = case end
  end
  return chosen
end

-- Are 'count' of 'n' random cases the share that there should be, but for chance?
function H.is_share(share, count, n) return count >= share * n - 4 * math.sqrt(share * n) end

-- A generator of its own for 'name' (xorshift32, from H.seed): rng(n) is 1 … n, rng(m, n) is m … n,
-- rng() is in [0, 1).
function H.rng(name)
  local bit = require "bit"
  local state = bit.tobit(H.seed)
  for i = 1, #name do state = bit.tobit(bit.bxor(state, name:byte(i)) * 16777619) end
  if state == 0 then state = 1 end
  return function(m, n)
    state = bit.bxor(state, bit.lshift(state, 13))
    state = bit.bxor(state, bit.rshift(state, 17))
    state = bit.bxor(state, bit.lshift(state, 5))
    local u = (state % 2 ^ 32) / 2 ^ 32
    if not m then return u end
    if not n then m, n = 1, m end
    return m + math.floor(u * (n - m + 1))
  end
end

-- ---- files ----

local function quote(text) return "'" .. tostring(text):gsub("'", "'\\''") .. "'" end
H.quote = quote

function H.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

function H.write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
  return path
end

function H.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local made -- the folder of this run, removed when busted ends

local function remove_made()
  if made then os.execute("rm -rf " .. quote(made)) end
  made = nil
end

-- A path inside a folder that is removed after the run; nothing is there yet.
local count = 0
function H.path(name)
  if not made then
    made = os.tmpname()
    os.remove(made)
    assert(os.execute("mkdir -m 700 " .. quote(made)) == 0, "cannot make " .. made)
  end
  count = count + 1
  return ("%s/%d-%s"):format(made, count, name or "file")
end

-- A new, empty folder of the same kind.
function H.dir()
  local path = H.path "dir"
  assert(os.execute("mkdir " .. quote(path)) == 0)
  return path
end

-- ---- other programs ----

-- Run a shell command without input: its exit status (128 + n for signal n), stdout, stderr.
function H.run(command)
  local out, err = H.path "out", H.path "err"
  local raw = os.execute(("{ %s\n} </dev/null >%s 2>%s"):format(command, quote(out), quote(err)))
  local status = raw < 256 and raw ~= 0 and 128 + raw % 128 or math.floor(raw / 256)
  local text, errors = H.read(out), H.read(err)
  os.remove(out)
  os.remove(err)
  return status, text, errors
end

local function join(first, ...)
  local words = {first}
  for i = 1, select("#", ...) do words[i + 1] = quote((select(i, ...))) end
  return table.concat(words, " ")
end

local function as_file(script, extension)
  if not script:find "\n" and H.exists(script) then return script end
  return H.write(H.path("script" .. extension), script)
end

H.python_path = os.getenv "PYTHON" or "/usr/bin/python3"

-- Run a Python script, a file or text of several lines, with arguments; its stdout. Sanitizers that
-- are preloaded stay out of it.
function H.python(script, ...)
  local clean = "env -u LD_PRELOAD -u ASAN_OPTIONS PYTHONDONTWRITEBYTECODE=1 "
  local command = join(clean .. quote(H.python_path), as_file(script, ".py"), ...)
  local status, out, err = H.run(command)
  if status ~= 0 then error(("python ended with status %d:\n%s"):format(status, err), 2) end
  return out
end

local LUAJIT = os.getenv "LUAJIT" or "luajit"

local function start(words, script, ...)
  local paths = ("LUA_PATH=%s LUA_CPATH=%s "):format(quote(package.path), quote(package.cpath))
  return H.run(join(paths .. words, as_file(script, ".lua"), ...))
end

--- Run a Lua script, a file or text of several lines, in an interpreter of its own, with arguments:
-- exit status, stdout, stderr. 'flags' goes before it ("-joff"), may be nil.
function H.luajit(flags, script, ...) return start(LUAJIT .. " " .. (flags or ""), script, ...) end

--- The same with variables in its environment, "NAME=value …".
function H.luajit_with(variables, script, ...)
  return start(("env %s %s"):format(variables, LUAJIT), script, ...)
end

--- The same where this library, by the name of its file, cannot be opened.
function H.luajit_without(library, script, ...)
  local dir = H.dir()
  H.write(dir .. "/" .. library, "no library")
  return start(("env LD_LIBRARY_PATH=%s %s"):format(quote(dir), LUAJIT), script, ...)
end

--- Run specs once more, with a fifth of the cases and these variables: all have to pass.
function H.run_specs(variables, ...)
  for _, path in ipairs {...} do
    local words = {"env", variables, ("NDBUF_SEED=%d"):format(H.seed),
      ("NDBUF_CASES=%g"):format(H.cases(1000) / 1000 * 0.2),
      ("LUA_PATH=%s LUA_CPATH=%s"):format(quote(package.path), quote(package.cpath)), LUAJIT,
      jit.status() and "" or "-joff", "tools/busted.lua --helper=spec/helper.lua -o TAP", path}
    local status, out, err = H.run(table.concat(words, " "))
    assert(status == 0, out .. err)
    H.survives(assert(out:find "\nok ", out))
  end
end

-- ---- assertions ----

-- How many the running test has made: tools/report.lua fails one that made none.
H.assertions = 0
local function count_one() H.assertions = H.assertions + 1 end

-- The assertion of a test that only wants to get so far: nothing crashes, hangs or is reported.
H.survives = count_one

local function caught(code, fn, ...)
  count_one()
  local ok, e = pcall(fn, ...)
  if ok then error("nothing was raised; expected " .. code, 3) end
  if type(e) ~= "table" or type(e.code) ~= "string" then
    error(("expected an error object with code %s, got: %s"):format(code, tostring(e)), 3)
  end
  if e.code ~= code then
    error(("expected code %s, got %s: %s"):format(code, e.code, tostring(e.message)), 3)
  end
  if type(e.message) ~= "string" or e.message == "" then error("the error has no message", 3) end
  return e
end

-- Call fn(...), which has to raise an error object with this code; the object.
function H.raises(code, fn, ...)
  local e = caught(code, fn, ...)
  return e
end

-- The same, and the message has to match this pattern of Lua's.
function H.raises_like(code, pattern, fn, ...)
  local e = caught(code, fn, ...)
  if not e.message:find(pattern) then
    error(("the message does not match '%s': %s"):format(pattern, e.message), 2)
  end
  return e
end

-- The same, and the message has to contain this text.
function H.raises_saying(code, text, fn, ...)
  return H.raises_like(code, (text:gsub("%p", "%%%0")), fn, ...)
end

-- ---- what is left ----

-- Call f(); whatever it made has to be gone then: arrays, and mappings of the file.
function H.leaves_nothing(path, f)
  local cpu = require "ndbuf".device "cpu"
  local function live()
    collectgarbage()
    collectgarbage()
    return cpu:memory_info().live
  end
  local before = live()
  f()
  local more = live() - before
  if more ~= 0 then error(("%d B are left"):format(more), 2) end
  if H.read "/proc/self/maps":find(path, 1, true) then error(path .. " is still mapped", 2) end
end

-- ---- under busted ----

package.loaded["spec.helper"] = H

local has_busted, busted = pcall(require, "busted")
if has_busted and type(busted) == "table" and busted.subscribe then
  local luassert = require "luassert"
  for _, meta in ipairs {getmetatable(luassert), getmetatable(luassert.state())} do
    local call = meta.__call
    function meta.__call(...)
      count_one()
      return call(...)
    end
  end
  busted.subscribe({"test", "start"}, function()
    H.assertions = 0
    return nil, true
  end)
  busted.subscribe({"exit"}, function()
    remove_made()
    return nil, true
  end)
  if not os.getenv "NDBUF_SEED" then print("seed: " .. H.seed) end
  require "ndbuf" -- before the specs, which busted insulates from each other: they share this one
end

return H
