--- The Lua code of element access, which LuaJIT compiles to little more than a load or store
-- through an FFI pointer. head.lua has the struct that it reads, and what depends on the dtype.
-- docs/internals.md (Fast heads, Punned storages, Hostile NaNs) has the reasons for the order of
-- every step below: a change here needs them.
local ffi = require "ffi"

local accessors = {}

-- A finalizer may free the array, or finalize it by __gc, wherever the collector may take a step:
-- interpreted, after a load that makes cdata (of a pointer, say); compiled, where a test fails and
-- the trace exits. So all that the access needs is loaded first, the head's epoch before the rest,
-- and every other test is made; then the epochs are compared; from there to the access nothing
-- makes cdata or tests. h.epoch is loaded again for that: it is 0 once the handle was finalized,
-- and 'storage' may then be something else's memory. Compiled, that load is the first one's value.
-- They are compared twice. A trace that was recorded while they differed exits at the first
-- comparison when they are equal, and the collector may take a step before the interpreter goes on
-- behind it. No trace was recorded with only the second one unequal: a finalizer would have had to
-- run between the two, and that ends a recording. Where the first is compiled as equal, the second
-- is the same instruction and costs nothing.
local head_code = "local h = cast($TYPE, self) local epoch, storage, p = h.epoch, h.storage, h.$P"
local is_same = "epoch == h.epoch and epoch == storage.epoch"
local is_fresh = is_same .. " and " .. is_same

-- The code is generated, one chunk for each dtype: LuaJIT specialises per prototype, and stops
-- doing so for one that the closures of 17 dtypes share. $NAME is replaced by compile() below.
local template = [[
local ffi, H, W, P, mt, values, encode, scratch, slow_index = ...
local cast, copy, istype, typeof = ffi.cast, ffi.copy, ffi.istype, ffi.typeof
local floor, type, select, rawget = math.floor, type, select, rawget
-- debug.getmetatable, to compare the table itself: any userdata may have our "__metatable" name.
local tonumber, metatable, band = tonumber, require "debug".getmetatable, require "bit".band
local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local complex64, complex128 = ffi.typeof "complex float", ffi.typeof "complex double"
local slow_newindex, slow_call = mt.__newindex, mt.__call
local methods, properties = mt.methods, {}
local name, get = next(mt.properties) -- not pairs: as in names.lua, a finalizer may use it first
while name do
  properties[name] = get
  name, get = next(mt.properties, name)
end
mt.properties = properties -- our own, for the ones below
local slow_ndim, slow_size = properties.ndim, properties.size
local slow_get, slow_set, slow_dim, slow_length = methods.get, methods.set, methods.dim, mt.__len

function mt.__index(self, k)
  if type(k) == "number" then
    if metatable(self) == mt then
      $READ_HEAD
      if k >= 1 and floor(k) == k then
        if k <= h.unit_read_n then $RETURN(k)
        elseif k <= h.read_n then $RETURN(k * h.step0) end
      end
    end
    return slow_index(self, k)
  end
  if type(k) == "string" then
    local property = properties[k]
    if property then return property(self) end
    local method = methods[k]
    if method then return method end
  end
  return slow_index(self, k)
end

function mt.__newindex(self, k, v)
  if type(k) == "number" and metatable(self) == mt then
    $VALUE(slow_newindex(self, k, v))
    $WRITE_HEAD
    if k >= 1 and floor(k) == k then
      if k <= h.unit_write_n then $UNIT_STORE(k)
      elseif k <= h.write_n then $STORE(k * h.step0) end
    end
  end
  return slow_newindex(self, k, v)
end

function mt.__call(self, $INDICES) $GET(slow_call) end
function methods.get(self, $INDICES) $GET(slow_get) end

local function set1(self, i, v)
  if type(i) == "number" and metatable(self) == mt then
    $VALUE(slow_set(self, i, v))
    $WRITE_HEAD
    if i >= 1 and i <= h.write_n and floor(i) == i then $STORE(i * h.step0) end
  end
  return slow_set(self, i, v)
end

local function set2(self, i, j, v)
  if type(i) == "number" and type(j) == "number" and metatable(self) == mt then
    $VALUE(slow_set(self, i, j, v))
    $WRITE_HEAD
    if i >= 1 and i <= h.rows and j >= 1 and floor(i) == i and floor(j) == j then
      if j <= h.unit_write_last then $UNIT_STORE(i * h.step0 + j)
      elseif j <= h.write_last then $STORE((i * h.step0 + j * h.step1)) end
    end
  end
  return slow_set(self, i, j, v)
end

local function set3(self, i, j, k, v)
  if type(i) == "number" and type(j) == "number" and type(k) == "number"
      and metatable(self) == mt then
    $VALUE(slow_set(self, i, j, k, v))
    $WRITE_HEAD
    if i >= 1 and i <= h.planes and j >= 1 and j <= h.n1 and k >= 1 and k <= h.write_last
        and floor(i) == i and floor(j) == j and floor(k) == k then
      $STORE((i * h.step0 + j * h.step1 + k * h.step2))
    end
  end
  return slow_set(self, i, j, k, v)
end

local function set4(self, i, j, k, l, v)
  if type(i) == "number" and type(j) == "number" and type(k) == "number" and type(l) == "number"
      and metatable(self) == mt then
    $VALUE(slow_set(self, i, j, k, l, v))
    $WRITE_HEAD
    if i >= 1 and i <= h.blocks and j >= 1 and j <= h.n1 and k >= 1 and k <= h.n2
        and l >= 1 and l <= h.write_last
        and floor(i) == i and floor(j) == j and floor(k) == k and floor(l) == l then
      $STORE((i * h.step0 + j * h.step1 + k * h.step2 + l * h.step3))
    end
  end
  return slow_set(self, i, j, k, l, v)
end

-- Here the arguments are counted: a value of nil must not make the index before it the value.
function methods.set(self, ...)
  local n = select("#", ...)
  if n == 3 then return set2(self, ...)
  elseif n == 2 then return set1(self, ...)
  elseif n == 4 then return set3(self, ...)
  elseif n == 5 then return set4(self, ...) end
  return slow_set(self, ...)
end

function properties.ndim(self)
  if metatable(self) == mt then return cast(H, self).ndim end
  return slow_ndim(self)
end

-- No tail call of tonumber below: a trace that began in such a function could not return, and
-- LuaJIT blacklists a function after a few aborted traces, and with it all callers.
function properties.size(self)
  if metatable(self) == mt then
    local size = tonumber(cast(H, self).view.size)
    return size
  end
  return slow_size(self)
end

function mt.__len(self)
  if metatable(self) == mt then
    local h = cast(H, self)
    if h.ndim > 0 then
      local len = tonumber(h.view.axis[0].len)
      return len
    end
  end
  return slow_length(self)
end

function methods.dim(self, i, extra)
  if type(i) == "number" and type(extra) == "nil" and metatable(self) == mt then
    local h = cast(H, self)
    if i >= 1 and i <= h.ndim and floor(i) == i then
      local len = tonumber(h.view.axis[i - 1].len)
      return len
    end
  end
  return slow_dim(self, i, extra)
end

-- Store items first .. n of the list 't' to consecutive elements at 'at', until one cannot be
-- stored inline; returns its index, or n + 1.
return function(at, t, first, n)
  local p = cast(P, at) - first
  for k = first, n do
    local v = rawget(t, k) -- as C reads it
    $VALUE(k)
    p[k] = x
  end
  return n + 1
end
]]

-- Return the element that the indices name, up to the first nil, or tail-call $SLOW. Their number
-- is fixed, since LuaJIT starts no trace at a function of a variable number of arguments: where the
-- rest of a loop's body is interpreted, after a call that it cannot compile, these would be, too.
local get_template = [[
  if type(i) == "number" and metatable(self) == mt then
    if $NO(j) then
      $READ_HEAD
      if i >= 1 and i <= h.read_n and floor(i) == i then $RETURN(i * h.step0) end
    elseif type(j) == "number" then
      if $NO(k) then
        $READ_HEAD
        if i >= 1 and i <= h.rows and j >= 1 and floor(i) == i and floor(j) == j then
          if j <= h.unit_read_last then $RETURN(i * h.step0 + j)
          elseif j <= h.read_last then $RETURN(i * h.step0 + j * h.step1) end
        end
      elseif type(k) == "number" then
        if $NO(l) then
          $READ_HEAD
          if i >= 1 and i <= h.planes and j >= 1 and j <= h.n1 and k >= 1 and k <= h.read_last
              and floor(i) == i and floor(j) == j and floor(k) == k then
            $RETURN(i * h.step0 + j * h.step1 + k * h.step2)
          end
        elseif type(l) == "number" and $NO(a5) then
          $READ_HEAD
          if i >= 1 and i <= h.blocks and j >= 1 and j <= h.n1 and k >= 1 and k <= h.n2
              and l >= 1 and l <= h.read_last
              and floor(i) == i and floor(j) == j and floor(k) == k and floor(l) == l then
            $RETURN(i * h.step0 + j * h.step1 + k * h.step2 + l * h.step3)
          end
        end
      end
    end
  end
  if $NO(j) then return $SLOW(self, i)
  elseif $NO(k) then return $SLOW(self, i, j) end
  return $SLOW(self, $INDICES)
]]

-- The parameters for indices: as many as an index may have entries (ND_MAX_INDICES), and one more,
-- by which C notices that there are too many.
local indices = "i, j, k, l"
for n = 5, 34 do indices = indices .. ", a" .. n end

-- The test that neither parameter 'first' nor one after it is given. A NULL pointer equals nil,
-- too: for the first it counts.
local tail = { "j", "k", "l", "a5", "a6", "a7", "a8" }
local function none_from(first)
  local tests
  for _, name in ipairs(tail) do
    if tests then tests[#tests + 1] = name .. " == nil"
    elseif name == first then tests = { "type(" .. name .. ") == 'nil'" } end
  end
  return table.concat(tests, " and ")
end

-- After an access to a mapped file: false if the file shrank under it. Compiled, the test of
-- is_mapped is hoisted out of loops, and the epochs are those of the first comparison: the next
-- access notices it.
local still_there = "h.is_mapped == 0 or " .. is_same

-- Store x to element 'at' and return from the accessor; fall through if the head is stale.
local function unit_store_code(at)
  return ("if %s then p[%s] = x if %s then return end end"):format(is_fresh, at, still_there)
end

-- The same, through ffi.copy where views of another C type may alias: LuaJIT assumes that pointers
-- of different types do not, and would reorder a plain store.
local function store_code(at, bytes)
  return ([[
    if h.is_punned == 0 then %s else
      local q = p + %s
      if %s then
        scratch[0] = x
        copy(q, scratch, %d)
        if %s then return end
      end
    end]]):format(unit_store_code(at), at, is_fresh, bytes, still_there)
end

local function inside(parenthesised) return parenthesised:sub(2, -2) end

-- Statements that set x to what is stored for v, or tail-call 'slow'.
local function value_code(tests, slow)
  local lines = { "local x" }
  for i, test in ipairs(tests) do
    lines[#lines + 1] = ("%s %s then x = %s"):format(i == 1 and "if" or "elseif", test[1], test[2])
  end
  lines[#lines + 1] = "else return " .. slow .. " end"
  return table.concat(lines, " ")
end

-- Return element 'at' if the head is fresh and the bits are safe to load; else fall through.
local function return_code(row, at)
  local element = row[4] and "seen.x" or "p[" .. at .. "]"
  local value = row.exact and "local n = tonumber(x) if " .. row.exact .. " then x = n end " or ""
  local load = ("local x = %s if %s then %sreturn x end")
    :format((row[2]:gsub("%f[%w]x%f[%W]", element)), still_there, value)
  if not row[4] then return ("if %s then %s end"):format(is_fresh, load) end
  local test, first, second = row[4][1], row[4][3], row[4][4]
  local bits, tests = "local w = seen." .. first, test "w"
  if second then
    bits, tests = bits .. " local w2 = seen." .. second, tests .. " and " .. test "w2"
  end
  -- 'seen' is cdata, so it is made before the epochs are compared; it is a reference, and loads
  -- nothing yet. The tests of the bits may exit a trace, where a finalizer may run: so the epochs
  -- are compared again, once, as they were equal before.
  return ("local seen = p[%s] if %s then %s if %s and %s then %s end end")
    :format(at, is_fresh, bits, tests, is_same, load)
end

--- The chunk that makes the functions of a dtype, from its row in head.lua.
function accessors.compile(dtype, row, source)
  local bytes, read = ffi.sizeof(row[1]), row[4] and "bits" or "p1"
  local code = template
    :gsub("%$GET(%b())", function(call) return (get_template:gsub("%$SLOW", inside(call))) end)
    :gsub("%$NO(%b())", function(first) return none_from(inside(first)) end)
    :gsub("%$INDICES", indices)
    :gsub("%$VALUE(%b())", function(call) return value_code(row[3], inside(call)) end)
    :gsub("%$READ_HEAD", (head_code:gsub("%$TYPE", "H"):gsub("%$P", read)))
    :gsub("%$WRITE_HEAD", (head_code:gsub("%$TYPE", "W"):gsub("%$P", "p1")))
    :gsub("%$UNIT_STORE(%b())", function(at) return unit_store_code(inside(at)) end)
    :gsub("%$STORE(%b())", function(at) return store_code(inside(at), bytes) end)
    :gsub("%$RETURN(%b())", function(at) return return_code(row, inside(at)) end)
  return assert(loadstring(code, source .. "accessors.lua:" .. dtype))
end

-- What stands in a dtype's metatable until it is used. Fixed parameters here, too: when memory ends
-- below a function with "...", LuaJIT 2.1 may write the message over the frame of that function.
local stubs = [[
local mt, ready = ...
function mt.__index(self, k) ready() return mt.__index(self, k) end
function mt.__newindex(self, k, v) ready() return mt.__newindex(self, k, v) end
function mt.__call(self, $INDICES) ready() return mt.__call(self, $INDICES) end
function mt.__len(self) ready() return mt.__len(self) end
function mt.__add(a, b) ready() return mt.__add(a, b) end
function mt.__sub(a, b) ready() return mt.__sub(a, b) end
function mt.__mul(a, b) ready() return mt.__mul(a, b) end
function mt.__div(a, b) ready() return mt.__div(a, b) end
function mt.__mod(a, b) ready() return mt.__mod(a, b) end
function mt.__pow(a, b) ready() return mt.__pow(a, b) end
function mt.__unm(a) ready() return mt.__unm(a) end
]]

--- The function that puts them into a metatable.
function accessors.stubs(source)
  return assert(loadstring((stubs:gsub("%$INDICES", indices)), source .. "accessors.lua"))
end

return accessors
