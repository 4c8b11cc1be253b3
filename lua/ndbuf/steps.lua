--- Differences of neighbours, of operations that there are.
local names = require "ndbuf.names"

local steps = {}

local KNOWN = { axis = true, n = true }

-- An axis, and how many times; both are checked, as core functions do it.
local function read_options(core, a, axis, opts)
  local count = 1
  if type(axis) == "table" then axis, opts = nil, axis end
  if type(opts) ~= "nil" and type(opts) ~= "table" then
    core.fail("type_mismatch", "options",
      "expected an axis or a table with any of axis, n, got " .. names.kind(opts))
  end
  for key, value in next, opts or {} do
    if not KNOWN[key] or key == "axis" and type(axis) ~= "nil" then
      core.fail("invalid_argument", "options",
        ("there is no option %q; known are axis, n"):format(tostring(key)))
    end
    if key == "axis" then axis = value else count = value end
  end
  if a.ndim == 0 then
    core.fail("invalid_argument", "diff", "a scalar (0-d) array has no axis")
  end
  if type(axis) == "nil" then axis = -1 end
  a:dim(axis) -- raises what is wrong with it
  axis = tonumber(axis)
  return axis < 0 and axis + a.ndim + 1 or axis, count
end

local function check_count(core, count)
  local is_type = type(count) == "cdata" and tostring(count):find "^ctype<"
  local n = type(count) ~= "string" and not is_type and tonumber(count)
  if not n then
    core.fail("type_mismatch", "n", "expected an integer, got " .. names.kind(count))
  end
  if n < 0 or n % 1 ~= 0 then
    core.fail("invalid_argument", "n", ("%s is not an integer of 0 or more"):format(tostring(n)))
  end
  return n
end

-- Each element less the one before it; of bools, whether they differ.
local function subtract(a, axis)
  local left = math.max(a:dim(axis) - 1, 0)
  local before = a:narrow(axis, 1, left)
  local after = a:narrow(axis, math.min(2, a:dim(axis) + 1), left)
  return a.dtype == "bool" and after:ne(before) or after - before
end

--- The function nd.diff(a [, axis] [, {axis =, n =}]), which is a method, too.
function steps.open(core, nd, refuse_extra)
  function nd.diff(a, axis, opts, ...)
    if type(axis) == "table" then refuse_extra("diff", opts) end
    refuse_extra("diff", ...)
    local kind = type(a) == "userdata" and tostring(getmetatable(a)):match "^ndbuf%.(.+)$"
    if not core.metatables[kind] then
      core.fail("type_mismatch", "a", "expected an array, got " .. names.kind(a))
    end
    local along, count = read_options(core, a, axis, opts)
    local n = check_count(core, count)
    if n == 0 then return a:clone() end
    local out = a
    for _ = 1, math.min(n, a:dim(along) + 1) do out = subtract(out, along) end
    return out
  end
  for _, mt in pairs(core.metatables) do mt.methods.diff = nd.diff end
end

return steps
