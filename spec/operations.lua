-- The names of the operations that base/op.h has: local operations = require "spec.operations".
local core = require "ndbuf.core"

local operations = {}

local function names(is_wanted)
  local list = {}
  for _, op in ipairs(core.operations) do
    if is_wanted(op) then list[#list + 1] = op.name end
  end
  return list
end

-- The element-wise ones of so many operands.
function operations.elementwise(operands)
  return names(function(op) return op.in_place and op.operands == operands end)
end

function operations.reductions()
  return names(function(op) return op.axis end)
end

return operations
