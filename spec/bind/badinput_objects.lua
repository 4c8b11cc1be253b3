-- Rows of spec/bind/badinput_rows.lua: the objects of devices, streams and memory.
local nd = require "ndbuf"

local function add_devices(rows)
  rows.device_object = {
    __index = function() return nd.device "cpu", "name" end,
    __newindex = function() return nd.device "cpu", "name", 1 end, -- refuses all
    __tostring = function() return nd.device "cpu" end,
  }

  rows.device_methods = {
    synchronize = function() return nd.device "cpu" end,
    memory_info = function() return nd.device "cpu" end,
    enable_peer = function() return nd.device "cpu", "cuda:1" end,
    stream = function()
      return nd.device(nd.cuda.available() and "cuda" or "cpu"), {priority = 0}
    end,
    timeline = function() return nd.device(nd.cuda.available() and "cuda" or "cpu") end,
  }

  -- Those of streams, events and timelines, which need a GPU; the first argument is a stream.
  rows.stream_object = {
    __gc = function(s) return s.device:stream() end,
    __eq = function(s) return s, s end,
    __index = function(s) return s, "id" end,
    __newindex = function(s) return s, "id", 1 end,
    __tostring = function(s) return s end,
  }
  rows.stream_methods = {
    query = function(s) return s end,
    record = function(s) return s, {timing = true} end,
    synchronize = function(s) return s end,
    wait = function(s) return s, s:record() end,
  }
  rows.event_object = {
    __gc = function(s) return s:record() end,
    __index = function(s) return s:record(), "handle" end,
    __newindex = function(s) return s:record(), "query", 1 end,
    __tostring = function(s) return s:record() end,
  }
  rows.event_methods = {
    elapsed = function(s)
      local e = s:record {timing = true}
      e:synchronize()
      return e, e
    end,
    query = function(s) return s:record() end,
    synchronize = function(s) return s:record() end,
  }
  rows.timeline_methods = {
    reached = function(s) return s.device:timeline(), 1 end,
    signal = function(s) return s.device:timeline(), s, 1 end,
    wait = function(s)
      local t = s.device:timeline()
      t:signal(s, 1)
      return t, 1, {timeout = 0.001}
    end,
  }
end

local function add_memory(rows)
  local function budget() return nd.memory.budget(nd.memory.host(), 2 ^ 30) end

  rows.memory_object = {
    __gc = budget,
    __index = function() return nd.memory.get "cpu", "device" end,
    __tostring = budget,
  }
  local function track() return nd.memory.track(nd.memory.host()) end

  rows.transfers = {forbid = function() return "h2d", function(...) return ... end, 1 end}
  rows.memory_methods = {
    check = function() return budget(), 10 end,
    flush = function() return nd.memory.log(nd.memory.host(), function() end) end,
    outstanding = track,
    pop_stats = function()
      local mem = budget()
      mem:push_stats()
      return mem
    end,
    push_stats = budget,
    reap = budget,
    records = function() return nd.memory.log(nd.memory.host(), {ring = 10}) end,
    reserve = function() return budget(), 10 end,
    reset_peak = budget,
    reset_requests = budget,
    set_limit = function() return budget(), "50%" end,
    stats = budget,
    trim = function() return budget(), 10 end,
    verify = function() return nd.memory.guard(nd.memory.host()) end,
  }
  local function reservation() return budget():reserve(10) end
  rows.reservation_object = {
    __gc = reservation,
    __index = function() return reservation(), "remaining" end,
    __tostring = reservation,
  }
  rows.reservation_methods = {
    release = reservation,
    use = function() return reservation(), function(...) return ... end, 1 end,
  }
end

return function(rows)
  add_devices(rows)
  add_memory(rows)
end
