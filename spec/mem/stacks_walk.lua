-- Random operations on a stack of memory resources, beside a model of it (stacks_model.lua); and
-- failures at each depth, after which everything is as before.
--   local Walk = require "spec.mem.stacks_walk"
--   Walk.new{leaf = mem, name = "host", kinds = kinds, rng = rng, granted = f}:run(200)
-- Fields besides: size(rng) draws the bytes of an array; 'streams' and 'gpu' where there is one;
-- 'is_late' where frees may be done later than they are asked for; 'is_far' where the CPU does not
-- look at the memory itself, so that a guard needs time; 'is_mixed' where a pool prefers blocks of
-- one stream, or what none has used, so that it may take others than the model; 'is_pinned';
-- 'is_unused', 'is_used': work is done on no array, or on each; 'others', memory on the same leaf
-- from which others take, and give back at once.
local nd = require "ndbuf"
local Compare = require "spec.mem.stacks_compare"
local Model = require "spec.mem.stacks_model"
local stacks = require "spec.mem.stacks"

local KiB, MiB = 2 ^ 10, 2 ^ 20

local Walk = setmetatable({}, Compare)
Walk.__index = Walk

-- ---- making one ----

local function draw_options(rng, kinds)
  local list = {}
  for i, kind in ipairs(kinds) do
    local limits = {64 * KiB, 256 * KiB, MiB, 2 ^ 50}
    list[i] = {limit = kind == "budget" and limits[rng(1, 4)] or nil,
               cap = kind == "pool" and ({nil, 0, 64 * KiB, MiB})[rng(1, 4)] or nil,
               ring = Compare.RING}
  end
  return list
end

-- What a retry layer calls: the model said before how often it frees something.
local function free_spilled(self)
  local array = table.remove(self.spilled, 1)
  if array then array:free() end
  return array ~= nil
end

function Walk.new(walk)
  local self = setmetatable(walk, Walk)
  local list = draw_options(self.rng, self.kinds)
  self.text, self.step = stacks.name(self.name, self.kinds), 0
  self.live, self.spilled, self.calls, self.scopes = {}, {}, {}, {}
  local function options(i)
    list[i].ask = function()
      self.calls[i + 1] = (self.calls[i + 1] or 0) + 1
      return free_spilled(self)
    end
    return list[i]
  end
  self.layers = stacks.build(self.leaf, self.kinds, options)
  self.model = Model.new(self.granted, self.kinds, options, self.is_pinned)
  self.model.spill = function()
    if self.spills == 0 or #self.live == 0 then return end
    self.spills = self.spills - 1
    local entry = table.remove(self.live, self.rng(1, #self.live))
    self.spilled[#self.spilled + 1] = entry.array
    self.model.top:give(entry.block)
    return true
  end
  self.spills, self.number, self.is_growing = 0, 0, true
  self.before = self:read_leaf()
  return self
end

-- ---- operations ---- Arrays are only in self.live and in functions that have returned, so that
-- what is dropped is garbage.

local function make(self, n, zeroed)
  local stream = self.streams and self.streams[self.rng(1, 2)] or nil
  local options = {device = self.layers.top, stream = stream}
  if zeroed then return nd.zeros({n}, "u8", options) end
  options.lazy = false
  return nd.empty({n}, "u8", options)
end

local function free_leftovers(self)
  if not self.is_late then self:equal(0, #self.spilled, "arrays that retry did not ask for") end
  while free_spilled(self) do end -- luacheck: ignore 542
end

local function add_entry(self, n, array, block)
  self.number = self.number + 1
  local entry = {array = array, block = block, number = self.number, n = n}
  if array.nbytes ~= n or array.device ~= self.leaf.device then self:fail("got %s", array) end
  block.tag = array.storage_id
  self.live[#self.live + 1] = entry
  local is_used = self.is_used or not self.is_unused and self.rng(1, 2) == 1
  if self.streams and n > 0 and n < 64 * MiB and is_used then
    entry.value = self.rng(1, 255)
    array:fill(entry.value, {stream = self.streams[self.rng(1, 2)]})
  end
end

function Walk:make()
  local n, zeroed = self.size(self.rng), self.rng(1, 4) == 1
  self.spills = self.rng(1, 3) == 1 and self.rng(1, 2) or 0
  local block, code = self.model:take(n)
  local ok, got = pcall(make, self, n, zeroed and n < MiB)
  if not ok and type(got) ~= "table" then error(got, 0) end
  if ok ~= (block ~= nil) then
    self:fail("%d B: %s instead of %s", n, ok and "taken" or got.message, code or "taken")
  end
  free_leftovers(self)
  if ok then return add_entry(self, n, got, block) end
  self:equal(code, got.code, got.message)
end

local function pick(self) return table.remove(self.live, self.rng(1, #self.live)) end

-- The bytes are those that were written, whatever was taken and freed meanwhile.
local function look(self, entry)
  if not entry.value or self.rng(1, 8) > 1 then return end
  local at = self.rng(1, entry.n)
  if entry.array[at] ~= entry.value then self:fail("the array has other bytes at %d", at) end
end

function Walk:free()
  if #self.live == 0 then return end
  local entry = pick(self)
  look(self, entry)
  self.model.top:give(entry.block)
  if self.streams then
    nd.with_stream(self.streams[self.rng(1, 2)], entry.array.free, entry.array)
  else
    entry.array:free()
  end
end

function Walk:collect()
  collectgarbage()
  collectgarbage()
  collectgarbage "stop" -- which a full collection undoes
  nd.transfers()
  self.model:collect()
end

-- The array is left to the collector. That may run at any time with NDBUF_GC_STRESS, and where
-- work in flight makes memory short.
local is_stressed = os.getenv "NDBUF_GC_STRESS" == "1"

local function drop_one(self)
  local entry = pick(self)
  entry.array = nil
  self.model.dropped[#self.model.dropped + 1] = entry
end

function Walk:drop()
  if #self.live == 0 then return end
  drop_one(self)
  if is_stressed or self.is_late or #self.model.dropped >= 8 then self:collect() end
end

function Walk:trim()
  if self.is_late then return end -- what is kept, and so what is left, may be something else
  local i = self.rng(1, #self.layers)
  local keep = ({0, self.rng(0, 64 * KiB), self.rng(0, 8 * MiB), 2 ^ 40})[self.rng(1, 4)]
  self.layers[i]:trim(keep)
  self.model[i]:trim(keep)
  local cached = self.layers[i]:stats().cached.bytes.current -- the leaf's own as well
  if not self.gpu and cached > keep then self:fail("%d B are kept instead of %d", cached, keep) end
end

-- A layer that counts, or nil.
local function pick_metered(self)
  local i = self.rng(1, #self.layers)
  return i > 1 and self.model[i].meter and not self:is_below_late(i) and i or nil
end

function Walk:scope()
  local i = pick_metered(self)
  if not i or self.is_late then return end
  local meter = self.model[i].meter
  if #meter == 1 or #meter < 3 and self.rng(1, 2) == 1 then
    self.layers[i]:push_stats()
    meter:push()
  else
    self:compare_live(i, self.layers[i]:pop_stats(), meter:pop())
  end
end

function Walk:reset_peak()
  local i = pick_metered(self)
  if not i or self.is_late then return end
  self.layers[i]:reset_peak()
  self.model[i].meter:reset_peak()
end

function Walk:set_limit()
  local i = self.rng(1, #self.layers)
  local layer = self.model[i]
  if layer.kind ~= "budget" then return end
  layer.limit = math.floor(layer.limit * (0.5 + self.rng()))
  self.layers[i]:set_limit(layer.limit)
end

-- ---- failures at each depth ----

local function snapshot(self)
  local list = {}
  for i, layer in ipairs(self.layers) do
    local s = layer:stats()
    list[i] = ("live %d in %d, peak %d in %d, total %d in %d, pending %d, reserved %d, remaining %s"
      ):format(s.live.bytes.current, s.live.count.current, s.live.bytes.peak, s.live.count.peak,
      s.live.bytes.total, s.live.count.total, s.pending.bytes.current, s.reserved.bytes.current,
      s.remaining)
  end
  return list
end

-- What is kept goes, so that making room changes nothing.
local function flush(self)
  self:collect()
  self:settle()
  for i = #self.layers, 2, -1 do
    if self.model[i].kind == "guard" then self:equal(0, #self.layers[i]:verify(), "damage") end
  end
  for _ = 1, 2 do -- what was given up goes back in the order of a stream
    self.layers.top:trim()
    self:settle()
  end
  self.model.top:trim(0)
end

--- Take n bytes, which is refused at one depth for this code; then all counters are as before. How
-- often the functions of retry layers were asked is 'asked'; nil: that is not known. arm() makes
-- the call fail, if that is given.
function Walk:refuse(n, code, asked, arm)
  flush(self)
  local before, calls, requests = snapshot(self), {}, self.layers.top:stats()
  for i = 2, #self.layers do calls[i] = self.calls[i] or 0 end
  if arm then arm() end
  local ok, got = pcall(make, self, n, false)
  if ok then self:fail("%d B were taken, for all that", n) end
  self:equal(code, got.code, tostring(got))
  self:settle()
  for i, text in ipairs(snapshot(self)) do self:equal(before[i], text, "layer " .. i) end
  local now = self.layers.top:stats()
  if #self.layers > 1 then
    self:equal(requests.requests + 1, now.requests, "requests")
    self:equal(requests.failed_takes + 1, now.failed_takes, "failed takes")
  end
  for i = 2, #self.layers do
    if asked and self.model[i].kind == "retry" then
      self:equal(calls[i] + asked, self.calls[i] or 0, "calls of the function at layer " .. i)
    end
  end
end

-- The model as it is without the failures above, but for what they leave.
local function expect_refusal(self, n)
  if self.model:take(n) then self:fail("the model takes %d B", n) end
  for i = 2, #self.model do self.model[i].asked = self.calls[i] or 0 end
end

-- The next call works.
local function take_and_free(self)
  local block = assert(self.model:take(3000))
  local array = make(self, 3000, true)
  self.model.top:give(block)
  array:free()
end

-- The budget at i refuses n bytes: at once, as they are over its limit, and after all that could
-- make room did not.
local function refuse_at_budget(self, i)
  local layer, n = self.model[i], 5000
  local limit, need = layer.limit, self.model:need(i, n)
  flush(self)
  local used = layer.meter:now "bytes"
  for _, new in ipairs {need - 1, used + need - 1} do
    layer.limit = new
    self.layers[i]:set_limit(new)
    self:refuse(n, "budget_exceeded", new >= need and not self.is_late and 1 or nil)
    expect_refusal(self, n)
    layer.limit = limit
    self.layers[i]:set_limit(limit)
    take_and_free(self)
  end
end

local function lift_limits(self)
  for i = 2, #self.model do
    if self.model[i].kind == "budget" then
      self.model[i].limit = 2 ^ 50
      self.layers[i]:set_limit(2 ^ 50)
    end
  end
end

--- Let each budget of the stack refuse, one at a time, and the leaf, by a size that nobody has.
function Walk:fail_everywhere()
  self.spills = 0
  lift_limits(self)
  for i = 2, #self.model do
    if self.model[i].kind == "budget" then refuse_at_budget(self, i) end
  end
  self:refuse(2 ^ 47, "out_of_memory", not self.is_late and (self.is_pinned and 2 or 1) or nil)
  expect_refusal(self, 2 ^ 47)
  take_and_free(self)
  self:compare()
end

--- Let the driver refuse the leaf's call: fail(count, name) makes it fail so many times from now
-- on, 'end_failing' ends that. What is short is tried again, other failures are not; and instead of
-- page-locked memory there may be other (fall_back).
function Walk:fail_in_driver(fail, end_failing)
  self.spills = 0
  lift_limits(self)
  for name, code in pairs {UNKNOWN = "driver", OUT_OF_MEMORY = "out_of_memory"} do
    if code == "driver" or not self.is_pinned then
      local asked = code == "driver" and 0 or not self.is_late and 1 or nil
      self:refuse(5000, code, asked, function() fail(30, "CUDA_ERROR_" .. name) end)
      end_failing()
      self.model[1].refusal = code
      expect_refusal(self, 5000)
      self.model[1].refusal = nil
      take_and_free(self)
    end
  end
  self:compare()
end

--- Where no page can be locked, arrays have ordinary memory, and count as that at each layer.
function Walk:fall_back(fail, end_failing)
  lift_limits(self)
  flush(self)
  local before = {}
  for i, layer in ipairs(self.layers) do before[i] = layer:stats().live end
  fail(30, "CUDA_ERROR_OUT_OF_MEMORY")
  local array = make(self, 5000, true)
  end_failing()
  self:equal("cpu", array.device, "device")
  self:equal(0, array[1] + array[5000], "the sum of zeros")
  for i = 2, #self.layers do
    local live = self.layers[i]:stats().live
    if self.model[i].meter then
      self:least(before[i].bytes.current + 5000, live.bytes.current, "bytes at layer " .. i)
      self:equal(before[i].count.current + 1, live.count.current, "blocks at layer " .. i)
    end
  end
  array:free()
  flush(self)
  for i = 2, #self.layers do
    local live = self.layers[i]:stats().live
    self:equal(before[i].bytes.current, live.bytes.current, "bytes at layer " .. i)
    self:equal(before[i].count.current, live.count.current, "blocks at layer " .. i)
  end
end

-- ---- the walk ----

local OPERATIONS = {{40, "make"}, {30, "free"}, {8, "drop"}, {1, "collect"}, {3, "trim"},
                    {2, "scope"}, {1, "reset_peak"}, {1, "set_limit"}}
local SUM = 0
for _, row in ipairs(OPERATIONS) do SUM = SUM + row[1] end

-- For a while there are more arrays with each step, then fewer.
local function operate(self)
  local at, name = self.rng(1, SUM), nil
  for _, row in ipairs(OPERATIONS) do
    at = at - row[1]
    if at <= 0 then
      name = row[2]
      break
    end
  end
  if self.rng(1, 40) == 1 then self.is_growing = not self.is_growing end
  if name == "free" and self.is_growing and self.rng(1, 2) == 1 then name = "make" end
  if name == "make" and not self.is_growing and self.rng(1, 4) == 1 then name = "free" end
  self[name](self)
end

--- So many operations, compared every 'each' (100).
function Walk:go(steps, each)
  collectgarbage "stop" -- else the arrays that are dropped go at any time
  for step = 1, steps do
    self.step = step
    operate(self)
    if #self.live > 60 then self:free() end
    if step % (each or 100) == 0 then self:compare() end
  end
  self:compare()
end

--- Everything is freed, and nothing is left.
function Walk:finish()
  while #self.live > 0 do self:free() end
  flush(self)
  self:compare(true)
  for i = 2, #self.layers do
    local s = self.layers[i]:stats()
    if self.model[i].meter and #self.model[i].meter == 1 then
      self:equal(0, s.live.bytes.current, "bytes at the end at layer " .. i)
      self:equal(0, s.live.count.current, "blocks at the end at layer " .. i)
    end
  end
  self:close()
end

--- Let go of all that it has, so that nothing of it comes back in another walk.
function Walk:close()
  self.layers, self.model = nil, nil
  collectgarbage()
  collectgarbage()
  if self.gpu then self.gpu:synchronize() end
  self.leaf:reap()
end

--- All of it, with failures between.
function Walk:run(steps, each)
  self:go(steps, each)
  self:fail_everywhere()
  self:finish()
end

return Walk
