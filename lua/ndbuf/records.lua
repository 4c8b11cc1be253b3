--- Records: strided views of the fields of packed structs.
local records = {}

-- "u16be" is the dtype u16 in big-endian order; "u16le" the same as u16.
local function split_order(name)
  local base, order = name:match "^(%l%d+)([bl]e)$"
  return base or name, order == "be"
end

local function plan(nd, fail, fields)
  if type(fields) ~= "table" or #fields == 0 then
    fail("type_mismatch", "fields", "fields: expected a list of {name, dtype} entries, got " .. type(fields))
  end
  local rows, offset = {}, 0
  for i, field in ipairs(fields) do
    local where = ("fields[%d]"):format(i)
    if type(field) ~= "table" or type(field[1]) ~= "string" or type(field[2]) ~= "string" then
      fail("type_mismatch", where, where .. ": expected {name, dtype}")
    end
    local name, swap = split_order(field[2])
    local dtype = nd[name]
    if type(dtype) ~= "userdata" then fail("invalid_argument", where, where .. ": there is no dtype " .. field[2]) end
    if rows[field[1]] then fail("invalid_argument", where, where .. ": the name " .. field[1] .. " is used twice") end
    rows[i] = { name = field[1], dtype = name, swap = swap and dtype.itemsize > 1, offset = offset }
    rows[field[1]] = rows[i]
    offset = offset + dtype.itemsize
  end
  return rows, offset
end

--- nd.records(bytes, {{"id","u32"}, {"price","f64"}, {"port","u16be"}}, {offset=, stride=, count=}).
-- Fields are packed in order; 'stride' (bytes of a record) is their sum unless given. Each field is a 1-D strided view of
-- 'bytes', one of foreign byte order a converted copy.
-- @return a table by field name
function records.make(nd, core, bytes, fields, opts)
  local fail = core.fail
  local rows, packed = plan(nd, fail, fields)
  if opts ~= nil and type(opts) ~= "table" then
    fail("type_mismatch", "options", "options: expected a table, got " .. type(opts))
  end
  opts = opts or {}
  for key in pairs(opts) do
    if key ~= "offset" and key ~= "stride" and key ~= "count" then
      fail("invalid_argument", "options",
        ("options: there is no option %q; known are offset stride count"):format(tostring(key)))
    end
  end
  local offset, stride = opts.offset or 0, opts.stride or packed
  if type(stride) == "number" and stride < packed then
    fail("invalid_argument", "stride", ("stride: %d B are less than the fields' %d"):format(stride, packed))
  end
  if type(bytes) == "string" then bytes = nd.frombytes(bytes) end
  local total = core.field(bytes, 0, 1, 0, "u8") and bytes.nbytes
  local count = opts.count
  if count == nil then
    if type(offset) ~= "number" or type(stride) ~= "number" then
      fail("type_mismatch", "options", "options: offset and stride must be numbers")
    end
    count = math.max(0, math.floor((total - offset - packed) / stride) + 1)
  end
  local out = {}
  for _, row in ipairs(rows) do
    local view = core.field(bytes, offset + row.offset, stride, count, row.dtype)
    out[row.name] = row.swap and view:byteswap() or view
  end
  return out
end

return records
