-- Layouts for given elements, and calls of elementwise operations with what they gave, as
-- spec/ops/elementwise_oracle.py reads them: local cases = require "spec.ops.cases".
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local cases = {}

-- ---- arrays of the same elements, laid out in different ways ----

local function backwards(list)
  local out = {}
  for i = 1, #list do out[i] = list[#list + 1 - i] end
  return out
end

cases.layouts = {
  contiguous = function(a) return a:clone() end,
  transposed = function(a) return nd.zeros(backwards(a.shape), a.dtype).T:copy_from(a) end,
  strided = function(a)
    local shape = a.shape
    if #shape == 0 then return a:clone() end
    shape[#shape] = shape[#shape] * 2 + 1
    return nd.zeros(shape, a.dtype)["..., ::2"]:narrow(-1, 1, a:dim(-1)):copy_from(a)
  end,
  reversed = function(a)
    if a.ndim == 0 then return a:clone() end
    local axes = {}
    for i = 1, a.ndim do axes[i] = i end
    return nd.zeros(a.shape, a.dtype):flip(unpack(axes)):copy_from(a)
  end,
  misaligned = function(a)
    local bytes = nd.zeros(a.nbytes + 1, "u8"):narrow(1, 2, a.nbytes)
    return bytes:bitcast(a.dtype):reshape(a.shape):copy_from(a)
  end,
  expanded = function(a, shape) return shape and a:expand(shape) or a:clone() end,
}
cases.LAYOUTS = {"contiguous", "transposed", "strided", "reversed", "misaligned", "expanded"}

-- ---- calls ----

-- A value of a script as a 0-d array of the dtype that it has itself.
function cases.value_as_array(v)
  if type(v) == "boolean" then return nd.full({}, v, "bool") end
  if type(v) == "number" then return nd.full({}, v, "f64") end
  if ffi.istype("int64_t", v) then return nd.full({}, v, "i64") end
  if ffi.istype("uint64_t", v) then return nd.full({}, v, "u64") end
  return nd.full({}, v, "c128")
end

function cases.shape_text(a) return table.concat(a.shape, ",") end

local function add_fields(fields, kind, a)
  for _, field in ipairs {kind, a.dtype, cases.shape_text(a), common.hex(a:copyout())} do
    fields[#fields + 1] = field
  end
end

-- Calls nd.name(…, options), writes a line for the oracle, and returns the result, false where the
-- call was refused. 'options' may be nil.
function cases.run(out, name, operands, options)
  local arguments = {unpack(operands)}
  arguments[#arguments + 1] = options
  local fine, result = pcall(nd[name], unpack(arguments))
  local fields
  if fine then
    fields = {name, result.dtype, cases.shape_text(result), common.hex(result:copyout())}
  else
    assert(type(result) == "table" and result.code, tostring(result))
    fields = {name, result.code, "", ""}
  end
  for _, operand in ipairs(operands) do
    if type(operand) == "userdata" then add_fields(fields, "a", operand)
    else add_fields(fields, "s", cases.value_as_array(operand)) end
  end
  out:write(table.concat(fields, "\t"), "\n")
  return fine and result
end

-- How many lines of the file at 'path' the oracle found right; an error unless all are.
function cases.verdict(path)
  local said = H.python("spec/ops/elementwise_oracle.py", path)
  local right = said:match "^(%d+) right"
  if not right then error(("seed %d: %s"):format(H.seed, said), 0) end
  return tonumber(right)
end

return cases
