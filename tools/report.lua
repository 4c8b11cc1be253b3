-- busted's output for 'make check': a mark per test, then skips with reasons, failures, the sum.
local busted = require "busted"
local base = require "busted.outputHandlers.base"
local pretty = require "pl.pretty"

local MARKS = {success = ".", pending = "s", failure = "F", error = "E"}

local function text_of(message)
  if type(message) == "string" then return message end
  if message == nil then return "no message" end
  local mt = getmetatable(message)
  if type(message) == "table" and not (type(mt) == "table" and mt.__tostring) then
    return pretty.write(message)
  end
  return tostring(message)
end

local function place_of(entry)
  local trace = entry.element.trace or entry.trace
  return trace and trace.short_src and trace.short_src .. ":" .. trace.currentline or "?"
end

local function write_failure(kind, entry)
  io.write("\n", kind, ": ", place_of(entry), ": ", entry.name, "\n", text_of(entry.message), "\n")
  local trace = entry.trace and entry.trace.traceback
  if trace then io.write((trace:gsub("^\n+", "")), "\n") end
end

return function()
  local handler = base()
  local shown = 0
  local empty = {} -- tests that passed without an assertion: nothing was tested

  local function mark(char)
    shown = shown + 1
    io.write(char, shown % 100 == 0 and "\n" or "")
    io.flush()
    return nil, true
  end

  busted.subscribe({"test", "end"}, function(element, parent, status)
    local helper = package.loaded["spec.helper"]
    if status ~= "success" or not helper or helper.assertions > 0 then
      return mark(MARKS[status] or "?")
    end
    empty[#empty + 1] = {element = element, name = handler.getFullName(element, parent)}
    return mark "F"
  end, {predicate = handler.cancelOnPending})
  for _, kind in ipairs {"error", "failure"} do
    for _, place in ipairs {"file", "describe"} do
      busted.subscribe({kind, place}, function() return mark "E" end)
    end
  end

  busted.subscribe({"suite", "end"}, function()
    io.write("\n")
    for _, entry in ipairs(handler.pendings) do
      local reason = entry.message and text_of(entry.message) or "no reason given"
      reason = reason:gsub("^[^%s:]+:%d+: ", "")
      io.write("skipped: ", place_of(entry), ": ", entry.name, ": ", reason, "\n")
    end
    for _, entry in ipairs(handler.failures) do write_failure("failure", entry) end
    for _, entry in ipairs(handler.errors) do write_failure("error", entry) end
    for _, entry in ipairs(empty) do
      entry.message = "the test made no assertion (one that only should survive says H.survives())"
      write_failure("failure", entry)
    end
    io.write(("%d passed, %d failed\n"):format(
      handler.successesCount - #empty, handler.failuresCount + handler.errorsCount + #empty))
    io.flush()
    return nil, true
  end)
  return handler
end
