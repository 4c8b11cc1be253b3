-- Random programs on several streams, beside the same program run in order: cuda_programs.lua.
local C = require "spec.dev.cuda"
local H = require "spec.helper"

local LOAD = [[local programs = loadfile "spec/dev/cuda_programs.lua" (nd, H, sim)
]]

describe("programs of copies, fills, frees, waits and looks", function()
  for _, mode in ipairs(C.modes) do
    it("on three streams of two devices give what they give in order, " .. mode, function()
      local out = C.run({mode = mode, devices = 2, handles = "reuse", protect = 1}, LOAD .. ([[
        -- Each stream gets all events that it may have, and scripts get 60 of each device.
        local function fill_up()
          local kept = {}
          assert(sim.cusim_set("MODE", "lazy"))
          for i = 0, 1 do
            local gpu = nd.device("cuda:" .. i)
            local all = {nd.current_stream(gpu), gpu:stream(), gpu:stream()}
            for _ = 1, 100 do
              for k, s in ipairs(all) do
                local a = nd.ones({8}, "u8", {device = gpu, stream = s})
                a:fill(3, {stream = all[k %% 3 + 1]}) -- two streams: the free is on another
              end
              collectgarbage()
            end
            for k = 1, 60 do kept[#kept + 1] = all[1]:record() end
            nd.zeros({8}, "u8", "managed:" .. i)
          end
          assert(sim.cusim_set("MODE", %q))
        end
        local function settle() -- then no more streams are made because these are busy
          collectgarbage()
          for k = 0, sim and 1 or -1 do nd.device("cuda:" .. k):synchronize() end
        end
        local function run(count)
          local time, least, worst = 0, 0, 0
          for i = 1, count do
            local own, oracle = programs.run(H.seed + i, 3)
            settle()
            if sim then
              assert(sim.cusim_forgive "race" == 0, "a race, seed " .. H.seed + i)
              time, least = time + own, least + oracle
              worst = math.max(worst, own / oracle)
            end
          end
          return ("%%d steps of time, %%d at least; worst %%.2f"):format(time, least, worst), worst
        end
        if sim then fill_up() end
        settle()
        local events = sim and sim.cusim_live_count "event"
        local streams = sim and sim.cusim_live_count "stream"
        local text, worst = run(%d)
        if sim then
          assert(sim.cusim_live_count "event" == events, "events are left")
          assert(sim.cusim_live_count "stream" == streams, "streams are left")
        end
        io.write(text)
        assert(worst <= 1.1, "it waits for more than it has to")
      ]]):format(mode, H.cases(100)))
      print("# " .. out)
    end)
  end

  it("on more streams than a record has room for do the same", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, devices = 2, handles = "reuse", protect = 1}, LOAD .. ([[
        for i = 1, %d do
          programs.run(H.seed + i, 29, nil, 600)
          collectgarbage()
          assert(not sim or sim.cusim_forgive "race" == 0, "a race, seed " .. H.seed + i)
        end
      ]]):format(H.cases(20)))
    end
  end)

  it("on one stream make no event, and wait for no more than they have to #sim", function()
    for _, mode in ipairs(C.modes) do
      for _, stream in ipairs {"nd.current_stream()", "nd.device 'cuda:0':stream()"} do
        print("# " .. C.run({mode = mode, devices = 2, handles = "reuse", protect = 1}, LOAD .. ([[
          local s, time, least = %s, 0, 0
          for i = 1, %d do
            local own, oracle = nd.with_stream(s, programs.run, H.seed + i, 0)
            assert(own <= 1.1 * oracle, ("%%d steps, %%d at least"):format(own, oracle))
            assert(sim.cusim_forgive "race" == 0, "a race, seed " .. H.seed + i)
            time, least = time + own, least + oracle
          end
          assert(sim.cusim_calls "cuEventCreate" == 0, tonumber(sim.cusim_calls "cuEventCreate"))
          io.write(("%%d steps of time, %%d at least"):format(time, least))
        ]]):format(stream, H.cases(20))))
      end
    end
  end)
end)
