-- Transfers that a part of a script forbids.
local C = require "spec.dev.cuda"

describe("nd.transfers.forbid", function()
  it("raises at the first transfer in that direction, and moves nothing", function()
    for _, mode in ipairs(C.modes) do
      C.run({mode = mode, protect = 1}, [[
        local forbid = nd.transfers.forbid
        local a, d = nd.arange(1, 3000, 1, "f32"), nd.ones({3000}, "f32", "cuda")
        local function total(name) return nd.transfers()[name].bytes end
        local before = total "h2d"
        local e = H.raises_like("unsupported", "a transfer h2d of 12000 B", forbid, "h2d",
          d.copy_from, d, a)
        assert(e.requested == 12000 and d[3000] == 1 and total "h2d" == before)
        H.raises("unsupported", forbid, "h2d", a.to, a, "cuda")
        d:copy_from(a)
        for _, look in ipairs {function() return d[1] end, function() return d:to "cpu" end,
                               function() return d:copyout() end,
                               function() return d:totable() end} do
          H.raises_like("unsupported", "a transfer d2h of %d+ B, which nd.transfers.forbid refuses",
            forbid, "d2h", look)
        end
        assert(d[3000] == 3000 and tostring(d):find "3000")
        assert(d[1] == 1)
        local text = forbid("d2h", tostring, d) -- which never raises
        assert(text:find "forbid", text)
        H.raises("unsupported", forbid, "d2d", d.clone, d)
        assert(d:clone()[2] == 2)
        H.raises("unsupported", forbid, "staged", d.astype, d, "f64")
        assert(d:astype "f64"[2] == 2)
      ]])
    end
  end)

  it("lets all others pass, nests, ends with the function, and returns its results", function()
    C.run({}, [[
      local forbid = nd.transfers.forbid
      local d = nd.ones({100}, "f32", "cuda")
      local first, second, third = forbid("d2h", function(...)
        local e = nd.arange(1, 100, 1, "f32"):to "cuda"
        d:copy_from(e)
        forbid("h2d", function()
          H.raises("unsupported", function() nd.ones(3):to "cuda" end)
          H.raises("unsupported", function() return d[1] end)
        end)
        nd.ones(3):to "cuda"
        H.raises("unsupported", function() return d[1] end)
        return ...
      end, 1, nil, 3)
      assert(first == 1 and second == nil and third == 3)
      assert(d[100] == 100)
      assert(not pcall(forbid, "d2h", error, "no") and d[99] == 99)
      local co = coroutine.wrap(function() return d[98] end)
      H.raises("unsupported", forbid, "d2h", co)
    ]])
  end)

  it("needs a direction and a function", function()
    C.run({}, [[
      H.raises_like("invalid_argument", "direction: \"up\" is none of h2d, d2h, d2d, p2p, staged",
        nd.transfers.forbid, "up", print)
      H.raises("type_mismatch", nd.transfers.forbid, "h2d")
      H.raises("type_mismatch", nd.transfers.forbid, "h2d", 1)
      H.raises("type_mismatch", nd.transfers.forbid, nil, print)
      H.raises("invalid_argument", nd.transfers, 1)
      assert(nd.transfers().staged.calls >= 0)
    ]])
  end)
end)
