--- Timelines: counters that the work of streams raises as it gets there. Each signal is an event.
-- The value is the largest one for which all signals so far were reached, on whatever streams, so
-- it never falls.
local timeline = {}

local names = require "ndbuf.names"

local core, refuse_extra -- set by open
local hidden = setmetatable({}, { __mode = "k" }) -- what an object has, by object
local methods, mt = {}, {}

-- ---- arguments ----

local function check(self)
  local own = hidden[self]
  if not own then
    core.fail("type_mismatch", "self", "expected a timeline, got " .. names.kind(self))
  end
  return own
end

-- Also i64 and u64 cdata.
local function read_number(v)
  if type(v) == "number" then return v end
  return type(v) == "cdata" and tonumber(v) or nil
end

local function check_value(value)
  local v = read_number(value)
  if not v then
    core.fail("type_mismatch", "value", "expected a number, got " .. names.kind(value))
  end
  if not (v >= 0 and v <= 2 ^ 53 and v == math.floor(v)) then
    core.fail("invalid_argument", "value", ("%.17g is no integer from 0 to 2^53"):format(v))
  end
  return v
end

local function read_timeout(opts)
  if opts == nil then return end
  if type(opts) ~= "table" then
    core.fail("type_mismatch", "options",
      "expected a table with any of timeout, got " .. names.kind(opts))
  end
  for key in pairs(opts) do
    if key ~= "timeout" then
      core.fail("invalid_argument", "options",
        ('there is no option "%s"; known are timeout'):format(tostring(key)))
    end
  end
  local timeout = rawget(opts, "timeout")
  if type(timeout) == "nil" then return end -- a NULL of cdata equals nil
  local seconds = read_number(timeout)
  if not seconds then
    core.fail("type_mismatch", "timeout", "expected seconds, got " .. names.kind(timeout))
  end
  if seconds < 0 or seconds ~= seconds then
    core.fail("invalid_argument", "timeout", ("%g s; it takes 0 or more"):format(seconds))
  end
  return seconds < math.huge and seconds or nil
end

-- ---- methods ----

-- Forget the signals that were reached.
local function advance(own)
  local list = own.signals
  while list.first <= list.last and list[list.first].event:query() do
    own.reached_value = list[list.first].value
    list[list.first] = nil
    list.first = list.first + 1
  end
  return own.reached_value
end

local function check_greater(own, v)
  if v > own.last_value then return end
  core.fail("invalid_argument", "value",
    ("%d does not exceed the last one that was signalled, %d"):format(v, own.last_value),
    { value = v, limit = own.last_value })
end

--- t:signal(s, v): the value becomes v when the work on s so far is done.
function methods:signal(stream, v, ...)
  local own = check(self)
  refuse_extra("signal", ...)
  if getmetatable(stream) ~= "ndbuf.stream" then
    core.fail("type_mismatch", "stream", "expected a stream, got " .. names.kind(stream))
  end
  v = check_value(v)
  check_greater(own, v)
  advance(own)
  local signal, list = { value = v, event = stream:record() }, own.signals
  check_greater(own, v) -- a finalizer may have signalled meanwhile
  own.last_value = v
  list.last = list.last + 1
  list[list.last] = signal
end

--- t:reached(v): has the value reached v?
function methods:reached(v, ...)
  local own = check(self)
  refuse_extra("reached", ...)
  return check_value(v) <= advance(own)
end

-- Until the first signal is there. Without one the value may only come from elsewhere, so never.
local function wait_for_first(own, v, deadline, timeout)
  local signal = own.signals[own.signals.first]
  if signal and not deadline then
    signal.event:synchronize()
  elseif not deadline then
    core.fail("stream_misuse", "value",
      ("no signal of %d or more was enqueued; the last is %d"):format(v, own.last_value),
      { value = v, limit = own.last_value })
  elseif not core.clock.wait_event(signal and signal.event, deadline - core.clock.now()) then
    core.fail("timeout", "value", ("the timeline has not reached %d within %g s; it is at %d")
      :format(v, timeout, own.reached_value), { expected = v, actual = own.reached_value })
  end
end

--- t:wait(v [, {timeout = seconds}]): until the value has reached v.
function methods:wait(v, opts, ...)
  local own = check(self)
  refuse_extra("wait", ...)
  v = check_value(v)
  local timeout = read_timeout(opts)
  local deadline = timeout and core.clock.now() + timeout
  while advance(own) < v do wait_for_first(own, v, deadline, timeout) end
end

-- ---- objects ----

function mt.__index(self, key)
  if methods[key] then return methods[key] end
  if key == "value" then return advance(check(self)) end
  core.fail("invalid_argument", "timeline",
    ('there is no field "%s"; known are value, signal, wait, reached'):format(tostring(key)))
end

function mt.__newindex(_, key)
  core.fail("invalid_argument", "timeline", ('"%s" cannot be assigned'):format(tostring(key)))
end

function mt.__tostring(self) return "timeline of " .. check(self).device end

mt.__metatable = "ndbuf.timeline"

--- The function of dev:timeline().
function timeline.open(module, refuse)
  core, refuse_extra = module, refuse
  return function(device, ...)
    refuse_extra("timeline", ...)
    if getmetatable(device) ~= "ndbuf.device" then
      core.fail("type_mismatch", "self", "expected a device, got " .. names.kind(device))
    end
    core.current_stream(device) -- refuses devices without streams
    local self = setmetatable({}, mt)
    hidden[self] = { device = tostring(device), signals = { first = 1, last = 0 }, last_value = 0,
                     reached_value = 0 }
    return self
  end
end

return timeline
