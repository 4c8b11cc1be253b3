-- What walks (stacks_walk.lua) compare: what the layers of a stack say of themselves, with what
-- the model says of them. 'self' is a walk.
local H = require "spec.helper"

local Compare = {}
Compare.__index = Compare

Compare.RING = 256 -- records that a log keeps

function Compare:fail(format, ...)
  local text = "seed %d, %s, operation %d: " .. format
  error(text:format(H.seed, self.text, self.step, ...), 0)
end

function Compare:equal(expected, got, what)
  if expected ~= got then self:fail("%s: %s instead of %s", what, got, expected) end
end

function Compare:least(least, got, what)
  if got < least then self:fail("%s: %s is less than %s", what, got, least) end
end

-- Is a layer above this one whose blocks come and go at other times than the model says?
function Compare:is_below_late(i)
  for k = i + 1, #self.layers do
    local kind = self.model[k].kind
    if kind == "pool" and (self.is_late or self.is_mixed) then return true end
    if kind == "guard" and self.is_far then return true end
  end
end

-- The bytes and blocks of the leaf since 'before', but for what others did.
function Compare:read_leaf(before)
  local live, others = self.leaf:stats().live, self.others and self.others:stats().live
  for name, gauge in pairs(live) do
    if others then gauge.total = gauge.total - others[name].total end
    if before then
      gauge.current = gauge.current - before[name].current
      gauge.total = gauge.total - before[name].total
      gauge.peak = gauge.current -- that of the process says nothing
    end
  end
  return live
end

function Compare:compare_live(i, got, expected)
  for _, name in ipairs {"bytes", "count"} do
    for _, field in ipairs {"current", "peak", "total"} do
      local what = ("%s.%s at layer %d"):format(name, field, i)
      if self.is_late and field == "peak" then -- what is pending counts in it
        self:least(expected[name][field], got.live[name][field], what)
      else
        self:equal(expected[name][field], got.live[name][field], what)
      end
    end
  end
end

function Compare:compare_leaf()
  local now, meter = self:read_leaf(self.before), self.model[1].meter[1]
  for _, name in ipairs {"bytes", "count"} do
    for _, field in ipairs {"current", "total"} do
      self:equal(meter[name][field], now[name][field], ("%s.%s at the leaf"):format(name, field))
    end
  end
end

-- The last events and records, the latest first. Blocks of 0 bytes need no driver, so that they may
-- overtake others. Events that no ring has any more are forgotten.
local function list_events(self, i)
  local events, records, layer = {}, {}, self.model[i]
  layer.events = {unpack(layer.events, math.max(1, #layer.events - 2 * Compare.RING + 1))}
  for k = #layer.events, 1, -1 do
    local event = layer.events[k]
    if event[2] > 0 or not self.gpu then events[#events + 1] = event end
  end
  local list = self.layers[i]:records()
  for k = #list, 1, -1 do
    local r = list[k]
    local is_meant = r.action ~= "trim" and r.action ~= "reap" and (r.bytes > 0 or not self.gpu)
    if is_meant then records[#records + 1] = {r.action, r.bytes} end
  end
  return events, records, #list < Compare.RING
end

local function sum_events(list)
  local sums = {allocate = 0, free = 0, ["allocate failure"] = 0}
  for _, event in ipairs(list) do sums[event[1]] = sums[event[1]] + event[2] end
  return sums
end

function Compare:compare_log(i)
  local events, records, is_all = list_events(self, i)
  if is_all then
    local expected, got = sum_events(events), sum_events(records)
    self:equal(expected.allocate, got.allocate, "allocations logged at layer " .. i)
    self:equal(expected.free, got.free, "frees logged at layer " .. i)
  end
  if self.is_late or self.is_mixed then return end -- their order may be another one
  if is_all then self:equal(#events, #records, "records at layer " .. i) end
  for k, got in ipairs(records) do
    local e = events[k]
    if e[1] ~= got[1] or e[2] ~= got[2] then
      self:fail("record -%d at layer %d: %s of %d B instead of %s of %d B", k, i, got[1], got[2],
        e[1], e[2])
    end
  end
end

function Compare:compare_track(i)
  local list, expected = self.layers[i]:outstanding(), {}
  for node in pairs(self.model[i].list) do expected[#expected + 1] = node end
  table.sort(expected, function(a, b) return a.generation < b.generation end)
  self:equal(#expected, #list, "blocks outstanding at layer " .. i)
  for k, node in ipairs(expected) do
    self:equal(node.bytes, list[k].bytes, "bytes outstanding at layer " .. i)
    if node.generation ~= list[k].generation and not self.is_late then
      self:fail("block %d at layer %d has generation %d", k, i, list[k].generation)
    end
    if node.tag then self:equal(node.tag, list[k].tag, "tag at layer " .. i) end
  end
end

-- What a pool keeps is what it calls cached, but for what the layers below do.
local function kept_of(self, i)
  return self.layers[i]:stats().cached.bytes.current - self.leaf:stats().cached.bytes.current
end

function Compare:compare_budget(i, got)
  local layer = self.model[i]
  self:equal(layer.limit, got.limit, "limit at layer " .. i)
  local is_known = not self.is_late and not self:is_below_late(i)
  local live = is_known and layer.meter:now "bytes" or got.live.bytes.current
  self:equal(math.max(0, layer.limit - live), got.remaining, "remaining at layer " .. i)
  self:equal(0, got.reserved.bytes.current, "reserved at layer " .. i)
end

-- Then it has what the layer above has, and what that one keeps. 'above' are its bytes; nil: not
-- known.
local function compare_late(self, i, live, above)
  if above then self:equal(above, live.bytes.current, "bytes at layer " .. i) end
  self:least(live.bytes.current, live.bytes.peak, "peak at layer " .. i)
  self:least(live.bytes.peak, live.bytes.total, "total at layer " .. i)
end

local function compare_layer(self, i)
  if i == 1 then return self:compare_leaf() end
  local layer, got = self.model[i], self.layers[i]:stats()
  if layer.meter then self:compare_live(i, got, layer.meter[#layer.meter]) end
  if layer.kind == "log" then self:compare_log(i) end
  if layer.kind == "track" then self:compare_track(i) end
  if layer.kind == "pool" and not (self.is_late or self.is_mixed) then
    self:equal(layer.kept_bytes, kept_of(self, i), "kept at layer " .. i)
  end
  if layer.kind == "retry" and not self.is_late then
    self:equal(layer.asked, self.calls[i] or 0, "calls of the function at layer " .. i)
  end
end

local function compare_top(self)
  local got = self.layers.top:stats()
  self:equal(self.model.requests, got.requests, "requests")
  self:equal(self.model.failed, got.failed_takes, "failed takes")
  self:equal(0, got.failed_frees, "failed frees")
end

-- Let all be done that is in flight or pending.
function Compare:settle()
  if self.gpu then self.gpu:synchronize() end
  self.layers.top:reap()
end

--- Compare all that can be asked of all layers; 'is_flushed': guards keep nothing.
function Compare:compare(is_flushed)
  self:settle()
  if #self.layers > 1 then compare_top(self) end
  local above
  for i = #self.layers, 1, -1 do
    local layer, got = self.model[i], self.layers[i]:stats()
    self:equal(0, got.pending.bytes.current, "pending at layer " .. i)
    if layer.kind == "budget" then self:compare_budget(i, got) end
    local is_late = self:is_below_late(i)
    if not is_late then
      compare_layer(self, i)
    elseif layer.meter then
      local live = got.live
      if i == 1 then live = self:read_leaf(self.before) end
      compare_late(self, i, live, above)
    end
    if layer.meter and i > 1 then
      above = is_late and got.live.bytes.current or layer.meter:now "bytes"
    end
    if layer.kind == "pool" then above = above + kept_of(self, i) end
    if self.is_far and layer.kind == "guard" and not is_flushed then above = nil end
  end
end

return Compare
