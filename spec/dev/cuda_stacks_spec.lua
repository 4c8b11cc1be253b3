-- All stacks of up to three adaptors on pinned, device and managed memory: each layer counts what a
-- model says, and what fails at any depth changes nothing. See spec/mem/stacks_walk.lua.
local C = require "spec.dev.cuda"

local PRELUDE = [[
  local stacks, Walk = require "spec.mem.stacks", require "spec.mem.stacks_walk"
  local gpu, MODE, LEAF = nd.device "cuda:0", %q, %q
  local LEAVES = {
    pinned = function() return nd.memory.pinned() end,
    pooled = function() return nd.memory.device(0) end,
    plain = function() return nd.memory.device(0, {async = false}) end,
    managed = function() return nd.memory.managed(0) end,
  }
  local leaf, streams = LEAVES[LEAF](), {gpu:stream(), gpu:stream()}
  -- Pinned memory is granted in classes, which are its own: each size is asked for once.
  local probe, known = nd.memory.stats(leaf), {}
  local function granted(n)
    if LEAF ~= "pinned" then return n end
    if known[n] then return known[n] end
    local a = nd.empty({n}, "u8", {device = probe, lazy = false})
    known[n] = probe:stats().live.bytes.current
    a:free()
    gpu:synchronize()
    probe:reap()
    return known[n]
  end
  local rng = H.rng(MODE .. LEAF)
  local choice = {0, 2 ^ 20, 2 ^ 20 + 1, rng(2 ^ 20, 2 ^ 22)}
  for _ = 1, 40 do choice[#choice + 1] = rng(0, rng(1, 3) == 1 and 65536 or 3000) end
  local has_queue = LEAF == "pooled" or LEAF == "plain"
  local may_be_large = sim and not H.is_sanitized -- which costs no memory there
  local function new(kinds)
    local is_mixed = rng(1, 2) == 1
    return Walk.new {leaf = leaf, name = LEAF, kinds = kinds, rng = rng, granted = granted,
      others = probe, gpu = gpu, streams = {streams[1], streams[is_mixed and 2 or 1]},
      is_mixed = is_mixed, is_late = MODE ~= "eager",
      is_unused = not is_mixed and not has_queue, is_used = not is_mixed and has_queue,
      is_pinned = LEAF == "pinned", is_far = LEAF ~= "pinned",
      size = function()
        local is_filled = stacks.name("", kinds):find "guard"
        local is_large = may_be_large and not is_filled and rng(1, 25) == 1
        return is_large and 2 ^ 30 - rng(0, 1) or choice[rng(1, #choice)]
      end}
  end
  -- Each run has each stack on each kind of memory, in one of the modes.
  local mode, modes = %d, %d
  local function each_stack(f)
    local mine = {}
    for i, kinds in ipairs(stacks.all "cuda") do
      if (i + H.seed) %% modes == mode %% modes then mine[#mine + 1] = kinds end
    end
    for _, kinds in ipairs(H.some(mine, 8)) do f(kinds) end
  end
]]

local function each(f)
  for k, mode in ipairs(C.modes) do
    for _, leaf in ipairs {"pinned", "pooled", "plain", "managed"} do
      f(mode, leaf, function(settings, script)
        settings.mode, settings.memory = mode, 2 ^ 34 -- of which little is touched
        C.run(settings, PRELUDE:format(mode, leaf, k, #C.modes) .. script)
      end)
    end
  end
end

describe("a stack of memory resources on a GPU", function()
  each(function(mode, leaf, run)
    it(("counts in each layer what a model does: %s memory, %s"):format(leaf, mode), function()
      run({protect = 1}, ([[
        each_stack(function(kinds) new(kinds):run(%d, 25) end)
      ]]):format(40))
    end)

    it(("is as before where the driver refuses %s memory, %s #sim"):format(leaf, mode), function()
      run({}, [[
        local CALLS = {pinned = "cuMemHostAlloc", pooled = "cuMemAllocFromPoolAsync",
                       plain = "cuMemAlloc_v2", managed = "cuMemAllocManaged"}
        local function fail(count, name)
          for i = 1, count do assert(sim.cusim_fail(CALLS[LEAF], i, name)) end
        end
        each_stack(function(kinds)
          local walk = new(kinds)
          walk:go(10)
          walk:fail_in_driver(fail, sim.cusim_fail_none)
          walk:finish()
          if LEAF == "pinned" then
            walk = new(kinds)
            walk:fall_back(fail, sim.cusim_fail_none)
            walk:close()
          end
        end)
      ]])
    end)
  end)
end)
