-- Conversions: against NumPy where it has an answer, else against the rule by itself.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local DTYPES, hex, lines_of = common.DTYPES, common.hex, common.lines_of
local BYTES, PART = {}, {}
for _, row in ipairs(DTYPES) do BYTES[row[1]], PART[row[1]] = row[2], row[3] end

local function unhex(text)
  if text == "-" then return "" end
  return (text:gsub("%x%x", function(c) return string.char(tonumber(c, 16)) end))
end

local casts -- answers of cast_oracle.py, made by the first test that asks
local function some_casts()
  if not casts then
    local path = H.path "casts"
    H.python("spec/bind/cast_oracle.py", path)
    casts = lines_of(path)
    assert(#casts == (#DTYPES) ^ 2)
  end
  return H.some(casts, 40)
end

-- Where NaN begins, without the sign, in the upper 16 bits of a number (8 for one of 8 bits).
local ABOVE = {f16 = 0x7c00, bf16 = 0x7f80, f32 = 0x7f80, c64 = 0x7f80, f64 = 0x7ff0,
               c128 = 0x7ff0, f8e4m3 = 0x7e, f8e5m2 = 0x7c}
local function is_nan(bytes, dtype)
  local n, limit = #bytes, ABOVE[dtype]
  local top = bytes:byte(n) % 128
  if n == 1 then return top > limit end
  top = top * 256 + bytes:byte(n - 1)
  return top > limit or top == limit and bytes:sub(1, n - 2):find "[^%z]" ~= nil
end

-- nil, or the first item of 'bytes' that is not as 'wanted' says.
local function difference(bytes, wanted, dtype, source, from)
  local part, i = PART[dtype], 0
  for item in wanted:gmatch "%S+" do
    local got = bytes:sub(i * part + 1, i * part + part)
    i = i + 1
    local same = hex(got) == item
    if item == "nan" then same = #got == part and is_nan(got, dtype) end
    if not same then
      local per = BYTES[dtype] / part
      local at = math.floor((i - 1) / per)
      return ("%s to %s: item %d of %s: %s, wanted %s"):format(from, dtype, i,
        hex(source:sub(at * BYTES[from] + 1, (at + 1) * BYTES[from])), hex(got), item)
    end
  end
  if i * part ~= #bytes then return "the count differs" end
end

describe("astype", function()
  it("saturates or wraps by the rule, for all pairs of dtypes", function()
    local items, rows = 0, some_casts()
    for _, row in ipairs(rows) do
      local from, to, raw, saturated, wrapped = unpack(row)
      local source = unhex(raw)
      local a = nd.frombytes(source, from)
      if saturated == "-" then
        for _, mode in ipairs {"saturate", "wrap", "check"} do
          local e = H.raises("type_mismatch", a.astype, a, to, {mode = mode})
          assert.is_truthy(e.message:find("%.real"), e.message)
        end
        H.raises("type_mismatch", a.astype, a, to)
      else
        local got = a:astype(to)
        assert.equal(to, got.dtype)
        assert.is_nil(difference(got:copyout(), saturated, to, source, from))
        local explicit = a:astype(nd[to], {mode = "saturate"})
        assert.is_nil(difference(explicit:copyout(), saturated, to, source, from))
        local wrap = a:astype(to, {mode = "wrap"})
        assert.is_nil(difference(wrap:copyout(), wrapped, to, source, from))
        items = items + a.size
      end
    end
    assert.is_true(items > 70 * #rows, items)
  end)

  it("gives the same whatever the strides and the alignment", function()
    for _, row in ipairs(some_casts()) do
      local from, to, raw, saturated = unpack(row)
      if saturated ~= "-" then
        local source = unhex(raw)
        local n = #source / BYTES[from]
        local wide = nd.stack({nd.frombytes(source, from), nd.zeros(n, from)}, 2)
        assert.is_nil(difference(wide[":, 1"]:astype(to):copyout(), saturated, to, source, from))
        local back = wide["::-1, 1"]:astype(to)["::-1"]
        assert.is_nil(difference(back:copyout(), saturated, to, source, from))
        local bytes = nd.frombytes("x" .. source)
        local odd = nd.records(bytes, {{"v", from}}, {offset = 1}).v
        assert.equal(n, odd.size)
        assert.is_nil(difference(odd:astype(to):copyout(), saturated, to, source, from))
        local packed = nd.zeros(n * BYTES[to] + 1, "u8")
        local target = nd.records(packed, {{"v", to}}, {offset = 1}).v
        target:copy_from(nd.frombytes(source, from))
        assert.is_nil(difference(target:copyout(), saturated, to, source, from))
      end
    end
  end)

  it("in mode check raises for the first element that would change, writing nothing", function()
    for _, row in ipairs(some_casts()) do
      local from, to, raw, saturated, _, refused = unpack(row)
      if saturated ~= "-" then
        local source, bad, positions = unhex(raw), {}, {}
        for position in refused:gmatch "%d+" do
          positions[#positions + 1] = tonumber(position)
          bad[positions[#positions]] = true
        end
        local a = nd.frombytes(source, from)
        local first
        local t, n = {}, BYTES[from]
        for i = 1, a.size do
          if bad[i] then first = first or i else t[#t + 1] = source:sub((i - 1) * n + 1, i * n) end
        end
        if first then
          local e = H.raises("not_representable", a.astype, a, to, {mode = "check"})
          assert.equal(first, e.position, from .. " to " .. to)
          local target = nd.ones(a.size, to)
          local before = target:copyout()
          H.raises("not_representable", target.copy_from, target, a, {mode = "check"})
          assert.is_true(before == target:copyout())
          for _, i in ipairs(H.some(positions, 3)) do -- each of them by itself
            local one = a:narrow(1, i, 1)
            H.raises("not_representable", one.astype, one, to, {mode = "check"})
          end
        end
        local good = nd.frombytes(table.concat(t), from)
        local plain, checked = good:astype(to), good:astype(to, {mode = "check"})
        assert.is_true(plain:copyout() == checked:copyout(), from .. " to " .. to)
      end
    end
  end)

  it("says where and what in mode check", function()
    local e = H.raises_like("not_representable", "u8", function()
      return nd.array({{1, 2}, {3, 256}}):astype("u8", {mode = "check"})
    end)
    assert.equal(4, e.position)
    H.raises("not_representable", function()
      return nd.array({1.5}):astype("i32", {mode = "check"})
    end)
    assert.equal(1, nd.array({1}):astype("i32", {mode = "check"})[1])
  end)

  it("is always a copy, of any dtype, also the same one", function()
    local a = nd.array({1, 2}, "i32")
    local b = a:astype "i32"
    assert.not_equal(a.storage_id, b.storage_id)
    assert.is_true(a:equal(b))
    assert.same({0, 3}, nd.zeros({0, 3}, "f32"):astype("u8").shape)
    assert.equal(7, nd.f64(7.9):astype("u8"):item())
  end)

  it("refuses unknown dtypes, modes and options", function()
    local a = nd.zeros(2)
    H.raises_like("invalid_argument", "no dtype", function() return a:astype "f31" end)
    H.raises("type_mismatch", function() return a:astype() end)
    H.raises_like("invalid_argument", "saturate, wrap, check",
      function() return a:astype("u8", {mode = "clamp"}) end)
    H.raises("invalid_argument", function() return a:astype("u8", {modes = "wrap"}) end)
    H.raises("type_mismatch", function() return a:astype("u8", "wrap") end)
  end)
end)
