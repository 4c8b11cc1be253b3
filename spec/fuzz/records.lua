--- nd.records with layouts from the input, against one made by hand: what must be refused, and
-- every element that is read. Returns a function of the input.
local ffi = require "ffi"
local nd = require "ndbuf"
local input = require "spec.fuzz.input"

local DTYPES = {
  u8 = "uint8_t", i8 = "int8_t", u16 = "uint16_t", i16 = "int16_t", u32 = "uint32_t",
  i32 = "int32_t", u64 = "uint64_t", i64 = "int64_t",
}
local NAMES = {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"}
local ORDERS = {"", "", "le", "be"}
local ODD = {
  -1, 0.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 31, 2 ^ 32, 2 ^ 53, 2 ^ 62, 2 ^ 63, 2 ^ 64, -2 ^ 63, 1e300,
  2 ^ 63 - 1024, 2 ^ 60, 2 ^ 61,
}

-- A number that an option may have, often nil; sometimes one of those that break sums.
local function number(from, most)
  local how = from:byte()
  if how < 80 then return nil end
  local n = how < 240 and from:byte() % (most + 1) or from:pick(ODD)
  local is_exact = n == math.floor(n) and math.abs(n) < 2 ^ 62
  if how % 7 == 0 and is_exact then return ffi.cast("int64_t", n) end
  return n
end

local function as_number(x, otherwise) return x == nil and otherwise or tonumber(x) end

local function is_whole(n) return n == math.floor(n) and n >= 0 and n < 2 ^ 63 end

-- Element i (from 0) of a field, from the bytes themselves.
local function read(bytes, at, field)
  local cell = ffi.new(DTYPES[field.dtype] .. "[1]")
  local text = bytes:sub(at + 1, at + field.size)
  if field.order == "be" then text = text:reverse() end
  ffi.copy(cell, text, field.size)
  return cell[0]
end

local function check_field(bytes, view, field, offset, stride, count)
  assert(is_sound(view), "unsound") -- luacheck: ignore is_sound
  assert(view.ndim == 1 and view.size == count, "count")
  for i = 1, math.min(count, 300) do
    local wanted = read(bytes, offset + field.offset + (i - 1) * stride, field)
    assert(view[i] == wanted, ("element %d: %s, not %s"):format(i, tostring(view[i]),
      tostring(wanted)))
  end
end

local function make_fields(from)
  local fields, list, packed = {}, {}, 0
  for i = 1, from:between(1, 4) do
    local dtype, order = from:pick(NAMES), from:pick(ORDERS)
    local size = ffi.sizeof(DTYPES[dtype])
    fields[i] = {name = "f" .. i, dtype = dtype, order = order, size = size, offset = packed}
    list[i] = {fields[i].name, dtype .. order}
    packed = packed + size
  end
  return fields, list, packed
end

-- Does each record of each field lie within the bytes?
local function is_valid(total, packed, fields, offset, stride, count)
  if not (is_whole(offset) and is_whole(stride) and is_whole(count)) then return false end
  if stride < packed or offset > total then return false end
  for _, field in ipairs(fields) do
    local last = offset + field.offset + math.max(0, count - 1) * stride + field.size
    if count > 0 and last > total then return false end
  end
  return true
end

local function run(data)
  local from = input(data)
  local fields, list, packed = make_fields(from)
  local opts = {offset = number(from, 40), stride = number(from, 40), count = number(from, 40)}
  local ends = from:byte()
  local bytes = from:rest()
  local all = nd.frombytes(bytes, "u8", {#bytes}) -- and a part of its storage
  local skip = math.min(ends % 4, #bytes)
  bytes = bytes:sub(skip + 1, math.max(skip, #bytes - math.floor(ends / 4) % 4))
  local part = all:narrow(1, skip + 1, #bytes)
  local offset, stride = as_number(opts.offset, 0), as_number(opts.stride, packed)
  local fitting = math.max(0, math.floor((#bytes - offset - packed) / stride) + 1)
  local count = as_number(opts.count, fitting)
  local fine, out = pcall(nd.records, part, list, opts)
  local valid = is_valid(#bytes, packed, fields, offset, stride, count)
  if fine ~= valid then
    error(("%s of %d B, offset %s, stride %s, count %s: %s"):format(valid and "refused" or "taken",
      #bytes, offset, stride, count, tostring(out)), 0)
  end
  if not fine then
    assert(type(out) == "table" and out.code and out.message ~= "", tostring(out))
    return
  end
  for _, field in ipairs(fields) do
    check_field(bytes, out[field.name], field, offset, stride, count)
  end
end

return function(data) nd.scope(function() run(data) end) end
