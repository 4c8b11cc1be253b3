--- nd.records: strided views of the fields of packed structs.
local names = require "ndbuf.names"

local records = {}

-- The name of a dtype, and whether it is big-endian: "u16be" is big-endian u16; "u16le" is u16, as
-- the host is little-endian. nil for anything that is neither a name nor a dtype object.
local function split_order(nd, dtype)
  if getmetatable(dtype) == "ndbuf.dtype" then return tostring(dtype), false end
  if type(dtype) ~= "string" then return end
  local base, order = dtype:match "^(.+)([bl]e)$"
  if type(nd[base or dtype]) ~= "userdata" then return end
  return base or dtype, order == "be"
end

-- A row {name =, dtype =, swap =, offset =} for each field, and the bytes of a packed record.
local function plan(nd, fail, fields)
  if type(fields) ~= "table" or #fields == 0 then
    fail("type_mismatch", "fields",
      "expected a list of {name, dtype} entries, got " .. names.kind(fields))
  end
  local rows, offset = {}, 0
  for i, field in ipairs(fields) do
    local where = ("fields[%d]"):format(i)
    local key = type(field) == "table" and rawget(field, 1)
    local given = type(field) == "table" and rawget(field, 2)
    if type(key) ~= "string" or type(given) ~= "string" and type(given) ~= "userdata" then
      fail("type_mismatch", where, "expected {name, dtype}")
    end
    local name, swap = split_order(nd, given)
    if not name then
      fail("invalid_argument", where, ("there is no dtype %q"):format(tostring(given)))
    end
    local dtype = nd[name]
    if rows[key] then fail("invalid_argument", where, "the name " .. key .. " is used twice") end
    rows[i] = { name = key, dtype = name, swap = swap and dtype.itemsize > 1, offset = offset }
    rows[key] = rows[i]
    offset = offset + dtype.itemsize
  end
  return rows, offset
end

-- The value of a numeric option, i64 and u64 cdata included; core.field checks its range.
local function number_of(fail, opts, name, otherwise)
  local value = rawget(opts, name)
  if type(value) == "nil" then return otherwise end
  local is_type = type(value) == "cdata" and tostring(value):find "^ctype<"
  local number = type(value) ~= "string" and not is_type and tonumber(value)
  if not number then
    fail("type_mismatch", name, "expected an integer, got " .. names.kind(value))
  end
  return number
end

--- nd.records(bytes, {{"id", "u32"}, {"price", "f64"}, {"port", "u16be"}},
-- {offset =, stride =, count =}).
-- Fields are packed in order; 'stride' (bytes of a record) is their sum unless given. Each field is
-- a 1-D strided view of 'bytes', one of foreign byte order a converted copy.
-- @return a table by field name
function records.make(nd, core, bytes, fields, opts)
  local fail = core.fail
  local rows, packed = plan(nd, fail, fields)
  if type(opts) ~= "nil" and type(opts) ~= "table" then -- a NULL of cdata equals nil
    fail("type_mismatch", "options", "expected a table, got " .. names.kind(opts))
  end
  opts = opts or {}
  for key in pairs(opts) do
    if key ~= "offset" and key ~= "stride" and key ~= "count" then
      fail("invalid_argument", "options",
        ("there is no option %q; known are offset, stride, count"):format(tostring(key)))
    end
  end
  local offset = number_of(fail, opts, "offset", 0)
  local stride = number_of(fail, opts, "stride", packed)
  if stride < packed then
    fail("invalid_argument", "stride",
      ("%.17g B are fewer than the %d B of the fields"):format(stride, packed))
  end
  if type(bytes) == "string" then bytes = nd.frombytes(bytes) end
  local total = core.field(bytes, 0, 1, 0, "u8") and bytes.nbytes
  if offset > total then
    fail("out_of_bounds", "offset", ("%.17g exceeds the limit of %d B"):format(offset, total))
  end
  local fitting = math.max(0, math.floor((total - offset - packed) / stride) + 1)
  local count = number_of(fail, opts, "count", fitting)
  local out = {}
  for _, row in ipairs(rows) do
    local view = core.field(bytes, offset + row.offset, stride, count, row.dtype)
    out[row.name] = row.swap and view:byteswap() or view
  end
  return out
end

jit.off(records.make) -- as in names.lua

return records
