--- The prompt: luajit -lndbuf.repl, or bin/ndbuf. Loading this file runs the prompt, then exits the
-- process.
local nd = require "ndbuf"
local input = require "ndbuf.input"
local show = require "ndbuf.show"

jit.off(true, true) -- this file's functions, so that Ctrl-C interrupts them; typed code compiles

local keys = [[
At this prompt:
  an expression prints its value, and _ is the first value printed last; ';' at the end: silence
  a 'local' lasts as long as its line: leave the word out for what is to stay
  ?name explains a name: ?zeros, ?a:narrow
  Ctrl-C stops what runs, but for a compiled loop, which it ends with the prompt when pressed twice
  Ctrl-D ends the prompt]]

-- ---- help ----

local function trim(text) return (text:gsub("%s+$", "")) end

local function explain(name)
  local help = require "ndbuf.help" -- loaded lazily: it contains the manual
  if name == "" then return trim(help()) .. "\n\n" .. keys end
  local text, near = help(name)
  if text then return trim(text) end
  local hint = near and near[1] and "; is it one of " .. table.concat(near, ", ") .. "?" or ""
  return ("there is no %q%s"):format(name, hint)
end

-- ---- one input ----

-- Compile an input, as an expression if possible. Returns the chunk (nil and the reason on
-- failure) and the index of its first result to print. "return nil, " rather than "return ": the
-- latter would be a tail call, whose frame, and so the line of an error, is lost.
local function compile(text)
  local code = text:gsub("^(%s*)=", "%1", 1) -- as luajit's own prompt wants it
  local values = loadstring("return nil, " .. code, "=stdin")
  if values then return values, nil, 2 end
  local chunk, why = loadstring(code, "=stdin")
  return chunk, why, 1
end

local function print_results(is_silent, ...)
  if select("#", ...) == 0 then return end
  _G._ = ...
  if not is_silent then io.stdout:write(show.values(...), "\n") end
end

local function run(text, chunk, first)
  print_results(text:find ";%s*$" ~= nil, select(first, chunk()))
end

-- The message, with a traceback if functions other than the chunk were active. Level 2 is the
-- function that raised, as describe() tail-calls this one.
local function trace_of(message)
  local calls, level = 0, 2
  local info = debug.getinfo(level, "Sf")
  while info and info.func ~= run do
    if info.what ~= "C" then calls = calls + 1 end
    level = level + 1
    info = debug.getinfo(level, "Sf")
  end
  if calls < 2 or message:find "interrupted!$" then return message end
  return (debug.traceback(message, 2):gsub("\n[^\n]*ndbuf/repl%.lua:.*$", ""))
end

local function describe(e)
  local mt = debug.getmetatable(e)
  if type(e) == "string" then return trace_of(e) end
  if mt and mt.__tostring then return tostring(e) end
  return "error: " .. show.value(e)
end

local function complain(message)
  io.stdout:flush()
  io.stderr:write(message, "\n")
end

-- Run one input, or print the help for ?name; false if it failed.
local function answer(text, chunk, why, first)
  local name = text:match "^%s*%?%s*(.-)%s*$"
  if name then
    io.stdout:write(explain(name), "\n")
    return true
  end
  if not chunk then
    complain(why)
    return false
  end
  local fine, message = xpcall(run, describe, text, chunk, first)
  if not fine then complain(message) end
  return fine
end

-- ---- the loop ----

local line_number = 0

-- Read lines until they are complete or wrong; returns the text and compile()'s results, or
-- nothing at the end of input.
local function read_input()
  local text
  -- blank lines before, so that errors have the line numbers of a file that is piped in
  local before = input.is_terminal and "" or ("\n"):rep(line_number)
  repeat
    local line = input.read(text and ">> " or "> ")
    if not line and (input.is_terminal or not text) then return end
    line_number = line_number + 1
    text = text and line and text .. "\n" .. line or text or line
    local chunk, why, first = compile(before .. text)
    local is_open = not chunk and line and why:find "'<eof>'$" and not text:find "^%s*%?"
    if not is_open then return text, chunk, why, first end
  until false
end

-- Read and run one input: nil at the end of input, else whether it succeeded.
local function step()
  local text, chunk, why, first = read_input()
  if text then return answer(text, chunk, why, first) end
end

local function greet()
  io.stdout:write(("ndbuf %s, %s. ? explains, Ctrl-D ends.%s\n"):format(nd._VERSION, jit.version,
    input.is_edited and "" or " (No history or completion without lua-readline.)"))
end

local function loop()
  while true do
    input.catch_interrupt()
    local fine, result = pcall(step)
    if fine and result == nil then return 0 end
    if not fine and not tostring(result):find "interrupted!$" then error(result, 0) end
    if not fine then complain(input.is_terminal and "" or "interrupted!") end
    if not (fine and result) and not input.is_terminal then return 1 end
  end
end

_G.nd = nd
if input.is_terminal then greet() end
local status = loop()
if input.is_terminal then io.stdout:write "\n" end
os.exit(status, true)
