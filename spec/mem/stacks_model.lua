-- What the layers of a stack have to count and to refuse, by what the manual says of each of them:
-- an implementation of its own, of tables only.
--   local model = Model.new(granted, kinds, options)
-- 'granted' says what the leaf grants for so many bytes. model[1] is the leaf, model.top the last.
--
-- It is exact where all frees are done when they are asked for: on the host, and on a device that
-- runs what it is given at once. Elsewhere a layer below a pool may have other blocks, and a peak
-- may be higher, but what is taken in the end, what is refused and what is live is the same.
local Model = {}
Model.__index = Model

Model.MOST = 2 ^ 46 -- more is refused by every leaf

-- ---- counters, in scopes ----

local Meter = {}
Meter.__index = Meter

local function zero() return {current = 0, peak = 0, total = 0} end

local function new_scope() return {bytes = zero(), count = zero()} end

local function add(gauge, by)
  gauge.current = gauge.current + by
  if by > 0 then gauge.total = gauge.total + by end
  gauge.peak = math.max(gauge.peak, gauge.current)
end

function Meter:add(bytes, count)
  add(self[#self].bytes, bytes)
  add(self[#self].count, count)
end

function Meter:push() self[#self + 1] = new_scope() end

function Meter:pop()
  local inner = table.remove(self)
  for _, name in ipairs {"bytes", "count"} do
    local o, i = self[#self][name], inner[name]
    o.peak = math.max(o.peak, o.current + i.peak)
    o.current, o.total = o.current + i.current, o.total + i.total
  end
  return inner
end

function Meter:reset_peak()
  for _, gauge in pairs(self[#self]) do gauge.peak = math.max(0, gauge.current) end
end

-- What is there, whatever the scopes.
function Meter:now(name)
  local sum = 0
  for _, scope in ipairs(self) do sum = sum + scope[name].current end
  return sum
end

local function new_meter() return setmetatable({new_scope()}, Meter) end

-- ---- layers ---- A block is {bytes =, granted =}; who takes another size below keeps that block
-- as 'below'.

local Layer = {}
Layer.__index = Layer

function Layer:take(n) return self.up:take(n) end
function Layer:give(block) self.up:give(block) end
function Layer:grants(n) return self.up:grants(n) end
function Layer:fits(n) return self.up:fits(n) end
function Layer:trim(keep) self.up:trim(keep) end
function Layer.size_below(_, n) return n end -- for which the layer below is asked

local function derive(methods)
  methods.__index = methods
  return setmetatable(methods, Layer)
end

local kinds = {log = derive {}, retry = derive {}, track = derive {}, stats = derive {},
               budget = derive {}, pool = derive {}, guard = derive {}}

local leaf = derive {}

-- 'refusal' is the code of what a test makes its driver say.
function leaf:take(n)
  if self.refusal and n > 0 then return nil, self.refusal end
  if n > Model.MOST then return nil, "out_of_memory" end
  local block = {bytes = n, granted = self.granted(n)}
  self.meter:add(block.granted, 1)
  return block
end

function leaf:give(block) self.meter:add(-block.granted, -1) end
function leaf:grants(n) return n > Model.MOST and n or self.granted(n) end
function leaf.fits() return true end
function leaf.trim() end -- what it keeps itself is its own affair

function kinds.stats:take(n)
  local block, why = self.up:take(n)
  if block then self.meter:add(block.granted, 1) end
  return block, why
end

function kinds.stats:give(block)
  self.up:give(block)
  self.meter:add(-block.granted, -1)
end

function kinds.budget:take(n)
  local need = self.up:grants(n)
  if need > 0 and self.meter:now "bytes" + need > self.limit then return nil, "budget_exceeded" end
  return kinds.stats.take(self, n)
end

kinds.budget.give = kinds.stats.give

function kinds.budget:fits(n)
  if self.up:grants(n) > self.limit then return false, "budget_exceeded" end
  return self.up:fits(n)
end

function kinds.log:fits(n)
  local fits, why = self.up:fits(n)
  if not fits then self.events[#self.events + 1] = {"allocate failure", n} end
  return fits, why
end

function kinds.log:take(n)
  local block, why = self.up:take(n)
  self.events[#self.events + 1] = {block and "allocate" or "allocate failure", n}
  return block, why
end

function kinds.log:give(block)
  self.events[#self.events + 1] = {"free", block.bytes}
  self.up:give(block)
end

function kinds.track:take(n)
  local block, why = self.up:take(n)
  if not block then return nil, why end
  self.count = self.count + 1
  local node = {bytes = n, granted = block.granted, below = block, generation = self.count}
  self.list[node] = true
  return node
end

function kinds.track:give(node)
  self.list[node] = nil
  self.up:give(node.below)
end

-- ---- a pool ---- Keeps blocks by their size, the one given back last is used first; where there
-- are too many, the oldest one goes.

-- By eighths of a power of two, 512 at least; pinned ones of a MiB and more by pages.
local function class(self, n)
  if n <= 512 then return n == 0 and 0 or 512 end
  local _, power = math.frexp(n)
  local step = self.is_pinned and n >= 2 ^ 20 and 4096 or 2 ^ (power - 1) / 8
  return math.ceil(n / step) * step
end

kinds.pool.size_below = class

function kinds.pool:grants(n) return self.up:grants(class(self, n)) end
function kinds.pool:fits(n) return self.up:fits(class(self, n)) end

function kinds.pool:evict(most)
  while self.kept_bytes > most do
    local block = table.remove(self.kept, 1)
    self.kept_bytes = self.kept_bytes - block.granted
    self.up:give(block)
  end
end

function kinds.pool:find(size)
  for i = #self.kept, 1, -1 do
    if self.kept[i].bytes == size then
      self.kept_bytes = self.kept_bytes - self.kept[i].granted
      return table.remove(self.kept, i)
    end
  end
end

-- Where there is no more, what is kept makes room for it.
function kinds.pool:take_fresh(size)
  local block, why = self.up:take(size)
  if block or why == "driver" or size == 0 or self.kept_bytes < size then return block, why end
  local before = self.kept_bytes
  self:evict(self.kept_bytes - size)
  if self.kept_bytes == before then return nil, why end
  return self.up:take(size)
end

function kinds.pool:take(n)
  local size, why = class(self, n), nil
  local block = size > 0 and self:find(size)
  if not block then block, why = self:take_fresh(size) end
  if not block then return nil, why end
  self.meter:add(block.granted, 1)
  return {bytes = n, granted = block.granted, below = block}
end

function kinds.pool:give(node)
  local block = node.below
  self.meter:add(-block.granted, -1)
  if block.bytes == 0 or block.granted > self.cap then return self.up:give(block) end
  self:evict(self.cap - block.granted)
  self.kept[#self.kept + 1] = block
  self.kept_bytes = self.kept_bytes + block.granted
end

function kinds.pool:trim(keep)
  self:evict(keep)
  self.up:trim(math.max(0, keep - self.kept_bytes))
end

-- ---- a guard ---- Keeps the last 64 blocks, up to 64 MiB, in the order of their frees.

-- 256 bytes before an array, 64 to 127 after it.
local function wide(n) return n == 0 and 0 or math.floor((n + 256 + 127) / 64) * 64 end

function kinds.guard.size_below(_, n) return wide(n) end
function kinds.guard:grants(n) return self.up:grants(wide(n)) end
function kinds.guard:fits(n) return self.up:fits(wide(n)) end

function kinds.guard:take(n)
  local block, why = self.up:take(wide(n))
  if not block then return nil, why end
  return {bytes = n, granted = block.granted, below = block}
end

function kinds.guard:evict(most)
  while #self.kept > 64 or self.kept_bytes > most do
    local block = table.remove(self.kept, 1)
    self.kept_bytes = self.kept_bytes - block.granted
    self.up:give(block)
  end
end

function kinds.guard:give(node)
  if node.bytes == 0 then return self.up:give(node.below) end
  self.kept[#self.kept + 1] = node.below
  self.kept_bytes = self.kept_bytes + node.granted
  self:evict(64 * 2 ^ 20)
end

function kinds.guard:trim(keep)
  self:evict(math.min(keep, 64 * 2 ^ 20))
  self.up:trim(math.max(0, keep - self.kept_bytes))
end

-- ---- the stack ----

local METERED = {stats = true, budget = true, pool = true}

--- options(i) as for stacks.build; 'is_pinned' says how pools round.
function Model.new(granted, names, options, is_pinned)
  local self = {{kind = "leaf", granted = granted, meter = new_meter()}}
  setmetatable(self[1], leaf)
  for i, name in ipairs(names) do
    local o = options(i)
    self[i + 1] = setmetatable({
      kind = name, up = self[i], limit = o.limit, cap = o.cap or math.huge, is_pinned = is_pinned,
      meter = METERED[name] and new_meter() or nil, events = {}, list = {}, count = 0, kept = {},
      kept_bytes = 0, asked = 0}, kinds[name])
  end
  self.top, self.dropped, self.is_pinned = self[#self], {}, is_pinned
  self.requests, self.failed = 0, 0
  return setmetatable(self, Model)
end

-- What no variable refers to: the newest one is finalized first.
function Model:collect()
  table.sort(self.dropped, function(a, b) return a.number > b.number end)
  for _, entry in ipairs(self.dropped) do self.top:give(entry.block) end
  self.dropped = {}
end

-- From the outermost one on, until one of them says to try again.
function Model:ask()
  for i = #self, 2, -1 do
    if self[i].kind == "retry" then
      self[i].asked = self[i].asked + 1
      if self.spill() then return true end
    end
  end
end

local function try(self, n)
  local fits, why = self.top:fits(n)
  local step = fits and 1 or 6
  while step <= 5 do
    local block
    block, why = self.top:take(n)
    if block or why == "driver" then return block, why end
    if step ~= 4 or not self:ask() then
      if step == 2 or step == 4 then self.top:trim(0) end
      if step == 3 then self:collect() end
      step = step + 1
    end
  end
  return nil, why
end

--- What the layer at i has to find room for where n bytes are asked of the top.
function Model:need(i, n)
  for k = #self, i + 1, -1 do n = self[k]:size_below(n) end
  return self[i]:grants(n)
end

--- A block, or nil and the code of the error. What is kept makes room first, then what is garbage,
-- then what the functions of retry layers free: those call model.spill, which frees something or
-- returns nothing. Where no page is locked, ordinary memory is tried next.
function Model:take(n)
  self.requests = self.requests + 1
  local block, why = try(self, n)
  if not block and why == "out_of_memory" and self.is_pinned then block, why = try(self, n) end
  if not block then self.failed = self.failed + 1 end
  return block, why
end

return Model
