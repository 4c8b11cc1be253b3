-- Every stack of memory resources that makes sense: which there are, and how one is built.
--   local stacks = require "spec.mem.stacks"
--   for _, kinds in ipairs(stacks.all "host") do … stacks.build(leaf, kinds, options) … end
-- A stack is named by its adaptors from the leaf upwards: {"pool", "stats"} is stats(pool(leaf)).
local nd = require "ndbuf"

local stacks = {}

stacks.KINDS = {"budget", "guard", "log", "pool", "retry", "stats", "track"}
stacks.MOST = 3 -- adaptors on a leaf

-- What docs/memory.md says about stacks: which adaptor may not be above what, at any distance, and
-- a part of the reason that is given.
stacks.REFUSED = {
  {"pool", "pool", "a pool over pool: the one below keeps its blocks already"},
  {"pool", "stats", "a pool over stats: .* put it on the pool"},
  {"pool", "track", "a pool over track: .* put it on the pool"},
  {"pool", "guard", "a pool over guard: .* put it on the pool"},
  {"pool", "file", "a pool over file: .*one array"},
  {"guard", "file", "a guard over file memory: .* no room for marks"},
  {"budget", "retry", "a budget over retry: .* put it on the budget"},
}

local function rule_of(above, below)
  for _, rule in ipairs(stacks.REFUSED) do
    if rule[1] == above and rule[2] == below then return rule[3] end
  end
end

-- Why an adaptor is refused on so many of these, of which the nearest is named: a pattern, or nil.
local function why_not(above, leaf, kinds, count)
  for i = count, 1, -1 do
    local why = rule_of(above, kinds[i])
    if why then return why end
  end
  return rule_of(above, leaf)
end

--- The first adaptor of a stack that has to be refused: its place from the leaf on, and a pattern
-- of the reason; nil where the stack makes sense.
function stacks.refusal(leaf, kinds)
  for i, kind in ipairs(kinds) do
    local why = why_not(kind, leaf, kinds, i - 1)
    if why then return i, why end
  end
end

--- All sequences of at most so many adaptors, the empty one first.
function stacks.sequences(most)
  local list, first = {{}}, 1
  for length = 1, most do
    local last = #list
    for i = first, last do
      for _, kind in ipairs(stacks.KINDS) do
        local longer = {unpack(list[i])}
        longer[length] = kind
        list[#list + 1] = longer
      end
    end
    first = last + 1
  end
  return list
end

--- Those of them that make sense on a leaf: "host", "file", or another word for any other.
function stacks.all(leaf)
  local list = {}
  for _, kinds in ipairs(stacks.sequences(stacks.MOST)) do
    if not stacks.refusal(leaf, kinds) then list[#list + 1] = kinds end
  end
  return list
end

--- "stats of pool of host"
function stacks.name(leaf, kinds)
  local words = {leaf}
  for _, kind in ipairs(kinds) do table.insert(words, 1, kind .. " of ") end
  return table.concat(words)
end

-- The options of an adaptor, from those of stacks.build.
local MAKE = {
  budget = function(up, o) return nd.memory.budget(up, o.limit or 2 ^ 50) end,
  guard = function(up) return nd.memory.guard(up) end,
  log = function(up, o) return nd.memory.log(up, {ring = o.ring or 16}) end,
  pool = function(up, o) return nd.memory.pool(up, {cap = o.cap}) end,
  retry = function(up, o) return nd.memory.retry(up, o.ask or function() end) end,
  stats = function(up) return nd.memory.stats(up) end,
  track = function(up) return nd.memory.track(up) end,
}

--- A list of memory objects, the leaf first, 'top' the last. options(i) is a table for the adaptor
-- at i: limit (of a budget), cap (of a pool), ring (of a log), ask (of a retry).
function stacks.build(leaf, kinds, options)
  local layers = {leaf}
  for i, kind in ipairs(kinds) do
    layers[i + 1] = MAKE[kind](layers[i], options and options(i) or {})
  end
  layers.top = layers[#layers]
  return layers
end

return stacks
