-- Indices with index arrays and masks against NumPy: random arrays, layouts, entries, refusals.
local nd = require "ndbuf"
local H = require "spec.helper"
local common = require "spec.bind.common"

local INTEGERS = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}

local rng = H.rng "pairs fuzz"
local function chance(p) return rng() < p end
local function pick(list) return list[rng(#list)] end

local function product(shape)
  local n = 1
  for _, len in ipairs(shape) do n = n * len end
  return n
end

-- ---- arrays: an extent, a kind (see pairs_oracle.py) for each axis, the order of the axes ----

local function random_order(n)
  local order = {}
  for i = 1, n do table.insert(order, rng(i), i) end
  return order
end

local function random_base(is_read)
  local base = {dtype = pick(common.NAMES), own = {}, kinds = {}, shape = {}}
  local n = rng(1, 5)
  local is_plain = chance(0.4)
  for i = 1, n do
    base.own[i] = chance(0.04) and 0 or rng(1, 5)
    base.kinds[i] = is_plain and "." or pick {".", ".", "r", "2", is_read and "e" or "r"}
  end
  base.order = is_plain and chance(0.5) and {1, 2, 3, 4, 5} or random_order(n)
  for i = 1, n do base.shape[i] = base.own[base.order[i]] end
  while #base.order > n do table.remove(base.order) end
  return base
end

-- The whole array, and the view of it that the oracle makes, too.
local function make_base(base)
  local whole, expanded = {}, false
  for i, len in ipairs(base.own) do
    local kind = base.kinds[i]
    whole[i] = kind == "2" and 2 * len or kind == "e" and 1 or len
    expanded = expanded or kind == "e"
  end
  local n = product(whole)
  local values = {}
  for i = 1, n do values[i] = (i - 1) * 7 % 8 end
  local all = nd.array(values, base.dtype):reshape(whole)
  if #base.own == 0 then return all, all end
  local keys = {}
  for i, kind in ipairs(base.kinds) do
    keys[i] = whole[i] == 0 and ":" or kind == "r" and "::-1" or kind == "2" and "::2" or ":"
  end
  local v = all[table.concat(keys, ",")]
  if expanded then v = v:expand(base.own) end
  return all, v:permute(base.order)
end

-- ---- entries: {text =} for the oracle, {value =} or {shape =, list =, is_mask =} for ndbuf ----

local function random_integer(n) return chance(0.3) and rng(1, n) - n - 1 or rng(1, n) end

local function text_entry(text)
  local number = tonumber(text)
  return {text = text, value = number or text}
end

local function random_range(n)
  if n == 0 or chance(0.4) then return {text = ":", value = chance(0.5) and {} or ":"} end
  local lo = rng(1, n)
  local hi = rng(lo, n)
  if chance(0.3) then return text_entry(("%d:%d:-%d"):format(hi, lo, rng(1, 2))) end
  if chance(0.5) then return {text = lo .. ":" .. hi, value = {lo, hi}} end
  return text_entry(("%d:%d:%d"):format(lo, hi, rng(1, 3)))
end

local function mask_entry(shape)
  local list, bits, count = {}, {}, 0
  for i = 1, product(shape) do
    list[i] = chance(0.5)
    bits[i] = list[i] and 1 or 0
    count = count + bits[i]
  end
  local text = ("m:%s:%s"):format(common.shape_text(shape), table.concat(bits))
  return {text = text, shape = shape, list = list, is_mask = true, count = count}
end

local function index_entry(shape, n)
  local list = {}
  for i = 1, product(shape) do list[i] = n == 0 and 1 or random_integer(n) end
  local text = ("i:%s:%s"):format(common.shape_text(shape), table.concat(list, " "))
  return {text = text, shape = shape, list = list}
end

-- A shape that broadcasts to 'whole', mostly.
local function part_of(whole)
  local out = {}
  for i = rng(1, #whole + 1), #whole do out[#out + 1] = chance(0.25) and 1 or whole[i] end
  if #out > 0 and chance(0.02) then out[rng(#out)] = 6 end
  return out
end

-- What entries do, a letter for one or (a mask) more axes: x index, m mask, n integer, r range.
local function random_plan(ndim)
  local plan, axis = {}, 0
  local last = chance(0.6) and ndim or rng(1, ndim)
  while axis < last do
    local kind = pick {"x", "x", "x", "r", "r", "n", "m"}
    local axes = kind == "m" and ndim - axis > 1 and chance(0.4) and 2 or 1
    plan[#plan + 1] = {kind = kind, axis = axis + 1, axes = axes}
    axis = axis + axes
  end
  return plan
end

local function entry_for(step, shape, whole)
  local n = shape[step.axis]
  if step.kind == "n" and n > 0 then return text_entry(tostring(random_integer(n))) end
  if step.kind == "x" then return index_entry(part_of(whole), n) end
  if step.kind == "m" then return step.entry end
  return random_range(n)
end

local function random_entries(shape)
  local plan, whole = random_plan(#shape), {}
  for i = 1, rng(0, 3) do whole[i] = chance(0.04) and 0 or rng(1, 4) end
  for _, step in ipairs(plan) do
    if step.kind == "m" then
      local own = {}
      for i = 1, step.axes do own[i] = chance(0.03) and 0 or shape[step.axis + i - 1] end
      step.entry = mask_entry(own)
      if chance(0.9) then whole = {step.entry.count} end
    end
  end
  local entries = {}
  for i, step in ipairs(plan) do entries[i] = entry_for(step, shape, whole) end
  local last = plan[#plan]
  if chance(0.2) and last.axis + last.axes > #shape then -- an ellipsis of no axes
    table.insert(entries, rng(#entries + 1), {text = "...", value = "..."})
  elseif chance(0.1) then
    entries[#entries + 1] = {text = "...", value = "..."}
  end
  while chance(0.1) do table.insert(entries, rng(#entries + 1), {text = "_", value = "_"}) end
  return entries
end

-- Make one thing wrong.
local function break_entries(shape, entries)
  local arrays = {}
  for _, e in ipairs(entries) do
    if e.list and not e.is_mask and #e.list > 0 then arrays[#arrays + 1] = e end
  end
  if #arrays == 0 or chance(0.2) then
    for _ = 1, #shape do table.insert(entries, rng(#entries + 1), index_entry({2}, 0)) end
    return
  end
  local e = pick(arrays)
  e.list[rng(#e.list)] = pick {0, 6, -6, 2 ^ 40, 127}
  e.text = ("i:%s:%s"):format(common.shape_text(e.shape), table.concat(e.list, " "))
end

local function has_array(entries)
  for _, e in ipairs(entries) do if e.list then return true end end
end

-- ---- cases ----

-- An index array of a dtype that holds the list, sometimes not packed.
local function make_array(e)
  local dtype = e.is_mask and "bool" or pick(INTEGERS)
  for _, i in ipairs(e.list) do
    if not e.is_mask and (i < 0 or i > 127) then dtype = "i64" end
  end
  local a = nd.array(e.list, dtype):reshape(e.shape)
  if #e.shape == 0 or chance(0.7) then return a end
  local wide = nd.zeros({2, unpack(e.shape)}, dtype)
  wide[2] = a
  local v = wide:permute(unpack((function()
    local order = {}
    for i = 2, #e.shape + 1 do order[i - 1] = i end
    order[#order + 1] = 1
    return order
  end)()))
  return v[{"...", 2}]
end

local function values_of(entries)
  local out = {}
  for i, e in ipairs(entries) do out[i] = e.list and make_array(e) or e.value end
  return out
end

-- The answer in the oracle's words: of a refusal the code.
local function read_answer(a, key, form)
  local fine, got = pcall(function()
    if form == "call" then return a(unpack(key)) end
    if form == "get" then return a:get(unpack(key)) end
    return a[key]
  end)
  if not fine then return "E", got.code end
  return "V", common.shape_text(got.shape), common.hex(got:copyout())
end

local function write_answer(all, a, key, form, value)
  local fine, got = pcall(function()
    if form == "set" then
      key[#key + 1] = value
      a:set(unpack(key))
    else
      a[key] = value
    end
  end)
  if not fine then return "E", got.code end
  return "W", common.hex(all:copyout())
end

local function make_value(case)
  local _, kind, value = unpack(case.action)
  if kind == "s" then return value end
  local list = {}
  for i = 1, product(value) do list[i] = (3 * (i - 1) + 1) % 8 end
  local a = nd.array(list, chance(0.5) and case.base.dtype or "u8"):reshape(value)
  return a
end

-- A shape of values that broadcasts to that of the result, where that is known.
local function value_shape(case)
  local _, a = make_base(case.base)
  local fine, got = pcall(function() return a[values_of(case.entries)].shape end)
  local shape = fine and part_of(got) or {2}
  while #shape < 8 and chance(0.1) do table.insert(shape, 1, 1) end
  return shape
end

local function new_case()
  local is_read = chance(0.5)
  local case = {base = random_base(is_read)}
  repeat case.entries = random_entries(case.base.shape) until has_array(case.entries)
  if chance(0.15) then break_entries(case.base.shape, case.entries) end
  if is_read then case.action = {"get"}
  elseif chance(0.4) then case.action = {"set", "s", rng(0, 7)}
  else case.action = {"set", "v", value_shape(case)} end
  return case
end

local function text_of(case)
  local base, texts = case.base, {}
  for i, e in ipairs(case.entries) do texts[i] = e.text end
  local verb, kind, value = unpack(case.action)
  local action = kind and ("%s:%s:%s"):format(verb, kind,
    kind == "s" and value or common.shape_text(value)) or verb
  return table.concat({base.dtype, common.shape_text(base.own),
    table.concat(base.kinds) .. "/" .. table.concat(base.order, " "),
    table.concat(texts, ";"), action}, "\t")
end

local function is_expected(answer, kind, ...)
  if kind ~= answer[1] then return false end
  if kind == "E" then return (" " .. answer[2] .. " "):find(" " .. (...) .. " ", 1, true) ~= nil end
  for i = 1, select("#", ...) do
    if answer[i + 1] ~= (select(i, ...)) then return false end
  end
  return true
end

describe("index arrays among entries", function()
  it("pick and assign what NumPy does, or are refused", function()
    local cases, texts = {}, {}
    for i = 1, H.cases(8000) do
      cases[i] = new_case()
      texts[i] = text_of(cases[i])
    end
    local counts = {V = 0, W = 0, E = 0}
    for i, answer in ipairs(common.ask("spec/bind/pairs_oracle.py", texts)) do
      local case = cases[i]
      local all, a = make_base(case.base)
      local key, before = values_of(case.entries), common.hex(all:copyout())
      local got
      if case.action[1] == "get" then
        got = {read_answer(a, key, pick {"table", "call", "get"})}
      else
        got = {write_answer(all, a, key, pick {"table", "set"}, make_value(case))}
      end
      local text = ("seed %d: %s: %s, not %s"):format(H.seed, texts[i], table.concat(got, " "),
        table.concat(answer, " "))
      assert.is_true(is_expected(answer, unpack(got)), text)
      if got[1] == "E" then assert.equal(before, common.hex(all:copyout()), text) end
      counts[got[1]] = counts[got[1]] + 1
    end
    for kind, share in pairs {V = 0.3, W = 0.3, E = 0.05} do
      assert.is_true(H.is_share(share, counts[kind], #cases), kind)
    end
  end)
end)
