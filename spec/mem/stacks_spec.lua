-- All stacks of up to three adaptors on memory of the host and on files: which there are, that each
-- layer counts what a model says, and that what fails at any depth changes nothing.
local nd = require "ndbuf"
local H = require "spec.helper"
local stacks = require "spec.mem.stacks"

local function make(n, mem) return nd.empty({n}, "u8", {device = mem, lazy = false}) end

-- A process of its own has little garbage to go through where memory is short, and no arrays but
-- these.
local function run(script)
  local text = ([[
    local nd, H = require "ndbuf", dofile "spec/helper.lua"
    H.seed = %d
    local stacks, Walk = require "spec.mem.stacks", require "spec.mem.stacks_walk"
  ]]):format(H.seed) .. script
  local status, _, err = H.luajit(jit.status() and "" or "-joff", text)
  assert.equal(0, status, err)
end

-- Arrays of up to 64 KiB, few larger ones. A guard writes all bytes, and so do checkers of memory:
-- without them some have up to 2 GiB, which nobody touches.
local WALKS = [[
  local function sizes(most)
    return function(rng)
      local x = rng(1, 100)
      if x <= 4 then return 0 end
      if x <= 98 then return rng(0, x <= 60 and 2048 or 65536) end
      return math.floor(2 ^ (rng(1600, math.log(most) / math.log(2) * 100) / 100))
    end
  end
  local function granted(n) return math.ceil(n / 64) * 64 end
  local function walk(kinds, rng, steps)
    local name = stacks.name("host", kinds)
    local most = (name:find "guard" or H.is_sanitized) and 2 ^ 22 or 2 ^ 31
    Walk.new({leaf = nd.memory.host(), name = "host", kinds = kinds, rng = rng,
              granted = granted, size = sizes(most)}):run(steps)
  end
]]

describe("a stack of memory resources", function()
  it("is refused where docs/memory.md says so, with the reason", function()
    local text = H.read "docs/memory.md":match "\nLayers stack (.-)\n\n":lower():gsub("\n", " ")
    for _, rule in ipairs(stacks.REFUSED) do
      local is_told = false
      for sentence in text:gmatch "[^.]+" do
        local _, above = sentence:gsub("%f[%a]" .. rule[1] .. "%f[%A]", "")
        local _, below = sentence:gsub("%f[%a]" .. rule[2] .. "%f[%A]", "")
        if rule[1] == rule[2] then below = below - 1 end
        is_told = is_told or above > 0 and below > 0
      end
      assert(is_told, rule[1] .. " over " .. rule[2])
    end
  end)

  it("is refused nowhere else", function()
    local count = {host = 0, file = 0}
    for leaf in pairs(count) do
      for _, kinds in ipairs(stacks.sequences(stacks.MOST)) do
        local at, why = stacks.refusal(leaf, kinds)
        local function new() return leaf == "host" and nd.memory.host() or
          nd.memory.file(H.path "stack.bin") end
        if not at then
          count[leaf] = count[leaf] + 1
          local layers = stacks.build(new(), kinds)
          assert.equal(stacks.name(tostring(layers[1]), kinds), tostring(layers.top))
          make(100, layers.top):free()
        elseif at == #kinds then -- else a shorter one is refused already
          H.raises_like("invalid_argument", why, stacks.build, new(), kinds)
        end
      end
    end
    assert.same({host = #stacks.all "host", file = #stacks.all "file"}, count)
  end)

  for _, top in ipairs {"host", unpack(stacks.KINDS)} do
    it(("counts in each layer what a model does, with %s on top"):format(top), function()
      run(WALKS .. ([[
        local top, rng = %q, H.rng(%q)
        for _, kinds in ipairs(H.some(stacks.all "host", 20)) do
          if (kinds[#kinds] or "host") == top then walk(kinds, rng, 200) end
        end
      ]]):format(top, top))
    end)
  end

  it("counts in each layer what a model does after 100,000 operations, whichever it is", function()
    run(WALKS .. [[
      local rng, all = H.rng "long", stacks.all "host"
      walk(all[rng(#all)], rng, H.cases(100000))
    ]])
  end)
end)

describe("a stack on a file", function()
  -- The counters of all layers, but for requests and limits.
  local function counters(layers)
    local list = {}
    for i = 2, #layers do
      local s = layers[i]:stats()
      list[i - 1] = {s.live.bytes, s.live.count, s.pending.bytes}
    end
    return list
  end

  local function set_limit(layers, i, limit)
    if limit then layers[i]:set_limit(limit) end
  end

  it("gives one array, which fails at each depth until it fits", function()
    for _, kinds in ipairs(H.some(stacks.all "file", 20)) do
      local layers = stacks.build(nd.memory.file(H.path "stack.bin"), kinds)
      local before = counters(layers)
      for i = 2, #layers do
        local is_budget = kinds[i - 1] == "budget"
        set_limit(layers, i, is_budget and 999)
        if is_budget then H.raises("budget_exceeded", make, 1000, layers.top) end
        assert.same(before, counters(layers))
        set_limit(layers, i, is_budget and 1000)
      end
      local a, name = make(1000, layers.top), stacks.name("file", kinds)
      for i = 2, #layers do
        local s = layers[i]:stats()
        if kinds[i - 1] == "budget" or kinds[i - 1] == "stats" then
          assert.same({1000, 1}, {s.live.bytes.current, s.live.count.current}, name)
        end
        if kinds[i - 1] == "budget" then assert.equal(0, s.remaining, name) end
      end
      local held = counters(layers)
      for i = 2, #layers do set_limit(layers, i, kinds[i - 1] == "budget" and 2000) end
      H.raises("capacity", make, 1000, layers.top)
      assert.same(held, counters(layers), name)
      a:free()
      for i = 2, #layers do
        local live = layers[i]:stats().live
        assert.same({0, 0}, {live.bytes.current, live.count.current}, name)
      end
    end
  end)
end)
