--- torch7's side of the table "Script speed", where torch7 is on the path.
local torch7 = {}

local types = { f64 = "Double", f32 = "Float", i32 = "Int", u8 = "Byte", i64 = "Long" }

-- By name of the row, what measures it. 'kit' has script.lua's best, compile, loops and size.
local function make_rows(torch, kit)
  local n = kit.size(1e5)
  local function loop(code, a, x)
    return function() return kit.best(n, kit.compile(code, a, nil, n, 1, x)) end
  end

  local rows = {}
  for dtype, name in pairs(types) do
    local a = torch[name .. "Tensor"](n):fill(1)
    rows["read a[i], " .. dtype] = loop(kit.loops.sum, a)
    rows["write a[i] = v, " .. dtype] = loop(kit.loops.fill, a)
  end
  local a = torch.DoubleTensor(n):fill(1)
  rows["JIT off (-joff): a[i]"] = loop(kit.loops.sum, a)
  rows["strided read a[i]"] = loop(kit.loops.sum, torch.DoubleTensor(n, 2):fill(1):select(2, 1))
  rows["random read a[idx[i]]"] = loop(kit.loops.sum_random, a, torch.randperm(n):long())

  local m, c = torch.DoubleTensor(9, 9):fill(1), torch.DoubleTensor(9, 9, 9):fill(1)
  rows["read a(i, j)"] = loop("local s = 0 for i = 1, n do s = s + a[{5, 3}] end return s", m)
  rows["read a(i, j, k)"] = loop("local s = 0 for i = 1, n do s = s + a[{5, 3, 2}] end return s", c)
  rows["write a:set(i, j, v)"] = loop("for i = 1, n do a[{5, 3}] = i end", m)
  rows["write a:set(i, j, k, v)"] = loop("for i = 1, n do a[{5, 3, 2}] = i end", c)

  rows["nested table 1000x1000, per element"] = kit.nested(torch.DoubleTensor)
  rows["tostring of 4096x4096"] = function()
    local side = kit.size(4096)
    local big = torch.rand(side, side)
    local start = os.clock() -- once: it takes seconds
    tostring(big)
    return (os.clock() - start) * 1e9
  end
  rows["100 x 64 MiB temporaries: peak growth"] = kit.temporaries(function(bytes)
    return torch.ByteTensor(bytes)
  end)
  return rows
end

--- The figure of a row; nil if torch7, or the row, is not there.
function torch7.measure(name, kit)
  local is_there, torch = pcall(require, "torch")
  if not is_there then return end
  torch.setnumthreads(1)
  local row = make_rows(torch, kit)[name]
  return row and (row())
end

return torch7
