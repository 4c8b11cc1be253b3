--- Lines for the prompt: edited, completed and kept in a history where lua-readline is installed,
-- else read plainly.
local ffi = require "ffi"
local complete = require "ndbuf.complete"

-- Compiled code does not check for the debug hook by which luajit delivers Ctrl-C.
jit.off(true, true)

-- Under names of our own, so that a user may declare the functions as well.
ffi.cdef [[
int ndbuf_isatty(int file) __asm__("isatty");
int ndbuf_mkdir(const char *path, unsigned mode) __asm__("mkdir");
int ndbuf_poll(void *files, unsigned long count, int ms) __asm__("poll");
int ndbuf_sigaction(int signal, const void *new, void *former) __asm__("sigaction");
void ndbuf_rl_free_line_state(void) __asm__("rl_free_line_state");
void ndbuf_rl_callback_handler_remove(void) __asm__("rl_callback_handler_remove");
void ndbuf_rl_reset_screen_size(void) __asm__("rl_reset_screen_size");
]]

local input = {}

--- True when standard input and output are both a terminal.
input.is_terminal = ffi.C.ndbuf_isatty(0) == 1 and ffi.C.ndbuf_isatty(1) == 1

-- ---- Ctrl-C ----

-- luajit's SIGINT handler sets a hook, by which the next instruction raises "interrupted!", and
-- then restores the default action: a second Ctrl-C would end the process. So the action in force
-- when this file is loaded, luajit's handler, is saved and set again for each line.
local SIGINT = 2
local action = ffi.new "char[1024]" -- more than sizeof(struct sigaction) anywhere
ffi.C.ndbuf_sigaction(SIGINT, nil, action)

--- Make Ctrl-C interrupt again after it did once.
function input.catch_interrupt() ffi.C.ndbuf_sigaction(SIGINT, action, nil) end

-- Wait until there is something to read. A signal interrupts poll(), while read() would be
-- restarted; the timeout is for one that arrives just before poll() is called.
local POLLIN = 1
local file = ffi.new("struct { int file; short wanted, found; }", 0, POLLIN)
local function wait()
  while ffi.C.ndbuf_poll(file, 1, 200) ~= 1 do end
end

-- ---- plain lines ----

local function read_plain(prompt)
  if input.is_terminal then
    io.stdout:write(prompt)
    io.stdout:flush()
    wait()
  end
  return io.read "*l"
end

-- ---- edited lines ----

local readline, library -- lua-readline, and the libreadline that it has loaded

-- lua-readline uses the controlling terminal without checking that there is one.
local function load_readline()
  local terminal = input.is_terminal and io.open("/dev/tty", "r+")
  if not terminal then return end
  terminal:close()
  local found, module = pcall(require, "readline")
  if not found or type(module) ~= "table" or not module.handler_install then return end
  for line in io.lines "/proc/self/maps" do
    local path = line:match "%s(/%S*libreadline%.so%S*)"
    if path then
      readline, library = module, ffi.load(path)
      return
    end
  end
end

local function complete_line(line, from, to)
  readline.set_completion_append_character "\0"
  local fine, list = pcall(complete, line:sub(1, to - 1))
  if not fine then return {} end
  for i, text in ipairs(list) do list[i] = text:sub(from) end
  return list
end

-- With readline's callback interface: readline() itself would go on with the same line after
-- Ctrl-C. No signal handler of readline's is installed while we wait.
local function read_edited(prompt)
  local line, is_done
  local function finish(text)
    line, is_done = text, true
    readline.handler_remove()
  end
  readline.handler_install(prompt, finish)
  library.ndbuf_rl_reset_screen_size()
  local fine, e = pcall(function()
    repeat
      wait()
      readline.read_char()
    until is_done
  end)
  if fine then return line end
  -- interrupted: readline's handler is removed first, as lua-readline's removal closes the terminal
  -- before it, and the terminal's modes would not be restored
  if not is_done then
    library.ndbuf_rl_free_line_state()
    readline.sigcleanup()
    library.ndbuf_rl_callback_handler_remove()
    readline.handler_remove()
  end
  error(e, 0)
end

-- ---- history ----

local MOST_LINES = 1000
local history, latest -- the path of the file; its last line, as repeated lines are stored once

local function make_folders(path)
  for at in path:gmatch "()/" do
    if at > 1 then ffi.C.ndbuf_mkdir(path:sub(1, at - 1), tonumber("700", 8)) end
  end
end

local function history_path()
  local state, home = os.getenv "XDG_STATE_HOME", os.getenv "HOME"
  if state and state:find "^/" then return state .. "/ndbuf/history" end
  return home and home:find "^/" and home .. "/.local/state/ndbuf/history"
end

local function write_lines(mode, list, first)
  local out = history and io.open(history, mode)
  if not out then return end -- the home is read-only: the history lasts for this session
  for i = first, #list do out:write(list[i], "\n") end
  out:close()
end

local function load_history()
  history = history_path()
  if not history then return end
  make_folders(history)
  local list, from = {}, io.open(history)
  if not from then return end
  for line in from:lines() do list[#list + 1] = line end
  from:close()
  local first = math.max(1, #list - MOST_LINES + 1)
  for i = first, #list do readline.add_history(list[i]) end
  latest = list[#list]
  if #list > 2 * MOST_LINES then write_lines("w", list, first) end -- seldom, as it rewrites all
end

local function remember(line)
  if not line or not line:find "%S" or line == latest then return end
  latest = line
  readline.add_history(line)
  write_lines("a", { line }, 1)
end

-- ---- what the prompt calls ----

load_readline()
if readline then
  readline.set_options { histfile = "" } -- forgets what is in its own file
  readline.set_readline_name "ndbuf"
  readline.set_complete_function(complete_line)
  load_history()
end

--- Whether lines are edited.
input.is_edited = readline ~= nil

--- The next line, nil at the end of input. Ctrl-C raises a string that ends in "interrupted!".
function input.read(prompt)
  if not readline then return read_plain(prompt) end
  local line = read_edited(prompt)
  remember(line)
  return line
end

return input
