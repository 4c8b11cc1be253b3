-- Sessions at the prompt on a terminal of their own: typing.py has the steps.
local H = require "spec.helper"

local terminal = {}

-- lua-readline is optional: whether it is here.
local lua = os.getenv "LUAJIT" or "luajit"
terminal.has_readline = H.run(lua .. " -e 'require \"readline\"'") == 0

-- A folder in which require "readline" finds nothing of use.
local function no_readline()
  local folder = H.dir()
  H.write(folder .. "/readline.lua", 'error "not installed"')
  return folder
end

-- A search path that leads to the checkout from other folders too.
local _, here = H.run "pwd"
local function absolute(path)
  return (path:gsub("[^;]+", function(entry)
    return entry:find "^/" and entry or here:gsub("\n", "") .. "/" .. entry
  end))
end

-- The environment of a session, as arguments of env(1); options.env has more. What is preloaded
-- (sanitizers) is for the interpreter, not for Python.
local function environment(options)
  local home = options.home or H.dir()
  local path = package.path
  if not options.edited then path = no_readline() .. "/?.lua;" .. path end
  local list = {
    "TERM=dumb", "INPUTRC=/dev/null", "LC_ALL=C.UTF-8", "HOME=" .. home,
    "XDG_STATE_HOME=" .. home .. "/state",
    "LUA_PATH=" .. absolute(path),
    "LUA_CPATH=" .. absolute(package.cpath),
  }
  local preloaded = os.getenv "LD_PRELOAD"
  if preloaded then -- libreadline, which is unloaded at the end, does not free what it has
    list[#list + 1] = "LD_PRELOAD=" .. preloaded
    list[#list + 1] = "ASAN_OPTIONS=detect_leaks=0"
  end
  for _, entry in ipairs(options.env or {}) do list[#list + 1] = entry end
  return list
end

-- Type the steps, a list; the answers, and the exit status (-n for signal n). options: edited: with
-- lua-readline; home: the folder for its history; env: a list of "NAME=value"; command: a list,
-- else the prompt; folder: to work in.
function terminal.type(steps, options)
  local script = H.write(H.path "steps", table.concat(steps, "\n") .. "\n")
  local words = {"env", "--chdir=" .. (options.folder or ".")}
  for _, entry in ipairs(environment(options)) do words[#words + 1] = entry end
  for _, word in ipairs(options.command or {lua, "-lndbuf.repl"}) do words[#words + 1] = word end
  local out = H.python("spec/repl/typing.py", script, unpack(words))
  local answers = {}
  for answer in out:gmatch "(%Z*)%z" do answers[#answers + 1] = answer end
  return answers, tonumber(out:match "%Z*$")
end

-- Type the lines one after the other at a new prompt: what each prints, without the last newline.
function terminal.talk(lines, options)
  local steps = {"prompt"}
  for i, line in ipairs(lines) do steps[i + 1] = "type " .. line end
  steps[#steps + 1] = "keys \\x04"
  steps[#steps + 1] = "end"
  local answers, status = terminal.type(steps, options)
  local list = {}
  for i = 1, #lines do list[i] = answers[i + 1]:gsub("\n$", "") end
  return list, status
end

return terminal
