-- No function ignores what it does not take: every name of the manual is called with right
-- arguments and one more than its signature has, and with an option that it does not have.
local H = require "spec.helper"
local core = require "ndbuf.core"
local nd = require "ndbuf"
local common = require "spec.bind.common"
local parse = require "tools.manual.parse"
local rows = require "spec.bind.badinput_rows"

local dir = H.dir() -- one for all: a call makes none of its files

local function pack(...) return {n = select("#", ...), ...} end

-- The function behind a name of the manual for arrays of 'dtype', and what is right for it. nil: a
-- field, or a form such as "#a".
local function find(item, dtype)
  local function array() return nd.ones({2, 3}, dtype) end
  local member = item.member
  if item.owner == "nd" then
    return nd[member], function() return rows.functions[member](dir) end
  elseif item.owner == "nd.cuda" or item.owner == "nd.memory" or item.owner == "nd.transfers" then
    local list = item.owner:sub(4)
    return nd[list][member], function() return rows[list][member](dir) end
  elseif item.owner == "mem" then
    return core.memory_metatable.methods[member], rows.memory_methods[member]
  elseif item.owner == "reservation" then
    return core.reservation_metatable.methods[member], rows.reservation_methods[member]
  elseif item.owner == "dev" then
    return core.device_metatable.methods[member], rows.device_methods[member]
  elseif item.owner == "a" then
    local methods = core.metatables[dtype].methods
    return methods[member], function() return rows.methods[member](array()) end
  end
  return core.dtype_metatable.__call, rows.dtype_object.__call
end

-- Those of objects, which are the first argument.
local HAS_SELF = {a = true, dev = true, mem = true, reservation = true}

-- Objects that there are with a GPU only: spec/dev/cuda_events_spec.lua.
local OF_GPUS = {stream = true, event = true, timeline = true}

-- By name the most arguments of its signatures, self included, and where the options stand.
local functions, names = {}, {}
parse.each(parse.read "docs/reference", function(_, item)
  if not item.arguments or not item.name and not item.signature:find "^dtype%(" then return end
  local entry = functions[item.name or "dtype"]
  if not entry then
    entry = {item = item, most = 0}
    functions[item.name or "dtype"] = entry
    names[#names + 1] = item.name or "dtype"
  end
  if OF_GPUS[item.owner] then return end
  local has_self = not item.name or HAS_SELF[item.owner]
  for i, argument in ipairs(item.arguments) do
    local at = i + (has_self and 1 or 0)
    entry.most = math.max(entry.most, at)
    if argument.name == "opts" then entry.options = math.max(entry.options or 0, at) end
    entry.is_open = entry.is_open or argument.name == "…"
  end
  entry.most = math.max(entry.most, has_self and 1 or 0)
end)
table.sort(names)

local function is_options(value)
  return type(value) == "table" and next(value) ~= nil and #value == 0
end

-- Arguments that are right, with options in the last place where the function has any.
local function right(entry, make, options)
  local list = pack(make())
  if entry.options then
    local at = is_options(list[list.n]) and list.n or math.max(list.n + 1, entry.options)
    list[at], list.n = options or list[at] or {}, at
  end
  return list
end

local extras = {
  table = function() return {} end,
  boolean = function() return true end,
  string = function() return "f32" end,
  ["function"] = function() return print end,
  userdata = function() return nd.ones(2) end,
}
-- Functions that say something more helpful.
local own_words = {transpose = "takes no arguments"}

-- What the call was to take, and refused.
local function leave(name, list)
  if name == "nd.attach" then rows.leavers.attach(list) end
  rows.settle ""
end

local function check_extra(name, dtype, kind, make_extra)
  local entry = functions[name]
  local fn, make = find(entry.item, dtype)
  local list = right(entry, make)
  local at = math.max(list.n, entry.most) + 1
  list[at] = make_extra()
  local what = ("%s of %s with a %s more"):format(name, dtype, kind)
  local fine, e = pcall(fn, unpack(list, 1, at))
  leave(name, list)
  assert.is_false(fine, what)
  assert.equal("invalid_argument", e.code, what .. ": " .. tostring(e))
  local wanted = ("unexpected extra argument (%s)"):format(kind)
  local said = e.message:find(wanted, 1, true) or name:find "_$" and e.message:find "in%-place"
    or e.message:find(own_words[entry.item.member] or wanted, 1, true)
  assert.is_truthy(said, what .. ": " .. tostring(e))
end

describe("an argument too many", function()
  it("is looked for in all names", function()
    assert.is_true(#names > 200, #names)
    for _, name in ipairs {"nd.zeros", "a:free", "a.ptr", "nd.info"} do
      local fn = find(functions[(name:gsub("^a[:.]", "a:"))].item, "f64")
      assert.equal("function", type(fn), name)
    end
  end)

  for _, name in ipairs(names) do
    local entry = functions[name]
    if not entry.is_open then
      it("is refused by " .. name, function()
        for _, dtype in ipairs(entry.item.owner == "a" and H.some(common.NAMES) or {"f64"}) do
          for kind, make_extra in pairs(extras) do check_extra(name, dtype, kind, make_extra) end
        end
      end)
    end
  end
end)

describe("an option that is not known", function()
  for _, name in ipairs(names) do
    local entry = functions[name]
    if entry.options then
      it("is refused by " .. name, function()
        local fn, make = find(entry.item, "f64")
        local list = right(entry, make, {surplus = 1})
        local fine, e = pcall(fn, unpack(list, 1, list.n))
        leave(name, list)
        assert.is_false(fine)
        assert.is_truthy(e.message:find 'no option "surplus"', tostring(e))
      end)
    end
  end
end)
