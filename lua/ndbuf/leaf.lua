--- Leaf calls: views and operations on small arrays, which compiled code calls in C through the FFI
-- (src/bind/leaf.c) instead of leaving the trace. What those do not do goes on to the ordinary C
-- functions by a tail call, as from the accessors.
--
-- Nothing may allocate an object of Lua in such a call, so the handles of results come from lists,
-- one for each dtype, whose length is at 0. A handle is used first and then taken off its list.
-- Where a finalizer runs between two of these steps and takes the same one, C finds that it is in
-- use, or finds none, and does nothing. So no handle becomes two arrays; the length may forget some
-- handles, which the next ones replace. A result is never left in memory for a second step, where a
-- finalizer could overwrite it.
local ffi = require "ffi"

local leaf = {}

local ctypes = {
  part = "int (*)(void *, void *, void *, int, int, double, double, double)",
  slice = "int (*)(void *, void *, void *, const char *, double)",
  make = "int (*)(void *, void *, int, int, double, double)",
  compute = "int (*)(void *, void *, int, void *, int, void *, void *)",
  compute_number = "int (*)(void *, void *, int, void *, int, void *, double, int)",
  reduce = "double (*)(void *, int, void *)",
  fill = "int (*)(void *, void *, double)",
  copy = "int (*)(void *, void *, void *)",
  state = "void *",
}

-- One chunk for each dtype, as in accessors.lua. $SPARE(list, dtype) sets n and made to the last
-- handle of a list. $TAKE(list, call) makes the call that fills it, and returns it; where the call
-- says that it is no spare handle (an error of a hook passed by before it was taken off), it is
-- taken off alone. $EXTRA are more parameters than anybody gives, by which C notices that there are
-- too many arguments; $NO_EXTRA tests that all are nil.
local template = [[
local C, S, mt, own, number, lists, refill, is_array, operations, small_operation = ...
local part, slice, compute, compute_number = C.part, C.slice, C.compute, C.compute_number
local reduce, fill, copy = C.reduce, C.fill, C.copy
local type, next, rawget, metatable = type, next, rawget, require "debug".getmetatable
local cast, pointer = require "ffi".cast, require "ffi".typeof "void *"
local methods, index = mt.methods, mt.__index
local list = {} -- what install() sets: tables, names, functions

local function set(into, name, fn)
  list[#list + 1], list[#list + 2], list[#list + 3] = into, name, fn
end

-- {=== views ===}

local function view_index(self, k)
  if metatable(self) == mt then
    if type(k) == "number" then
      $SPARE(own, number)
      $TAKE(own, part(S, made, self, 0, 1, k, 0, 0))
    elseif type(k) == "string" then
      $SPARE(own, number)
      $TAKE(own, slice(S, made, self, k, #k))
    end
  end
  return index(self, k)
end

local slow_select, slow_narrow = methods.select, methods.narrow
set(methods, "select", function(self, axis, k, $EXTRA)
  if type(axis) == "number" and type(k) == "number" and $NO_EXTRA
      and metatable(self) == mt then
    $SPARE(own, number)
    $TAKE(own, part(S, made, self, 1, 2, axis, k, 0))
  end
  if $NO_EXTRA then return slow_select(self, axis, k) end
  return slow_select(self, axis, k, $EXTRA)
end)

set(methods, "narrow", function(self, axis, first, count, $EXTRA)
  if type(axis) == "number" and type(first) == "number" and type(count) == "number"
      and $NO_EXTRA and metatable(self) == mt then
    $SPARE(own, number)
    $TAKE(own, part(S, made, self, 2, 3, axis, first, count))
  end
  if $NO_EXTRA then return slow_narrow(self, axis, first, count) end
  return slow_narrow(self, axis, first, count, $EXTRA)
end)

local function transposed(slow)
  return function(self, $EXTRA)
    if $NO_EXTRA and metatable(self) == mt then
      $SPARE(own, number)
      $TAKE(own, part(S, made, self, 3, 0, 0, 0, 0))
    end
    if $NO_EXTRA then return slow(self) end
    return slow(self, $EXTRA)
  end
end
set(methods, "transpose", transposed(methods.transpose))
local T = transposed(mt.properties.T) -- mt.properties is another table by the time of install()

-- {=== operations ===} Each kind is a function that makes the functions of all operations: 'op' is
-- the kernel (of a reduction, the operation's number), 'to' the number of the result's dtype,
-- 'numbers' whether the second operand may be one.

local kinds = {}

local function is_only_out(options)
  return next(options) == "out" and type(next(options, "out")) == "nil"
end

function kinds.unary(op, to, slow)
  local results = lists[to]
  return function(self, options, $EXTRA)
    if type(options) == "nil" and $NO_EXTRA and metatable(self) == mt then
      $SPARE(results, to)
      $TAKE(results, compute(S, made, 1, op, to, self, nil))
    end
    if $NO_EXTRA then return slow(self, options) end
    return slow(self, options, $EXTRA)
  end
end

function kinds.binary(op, to, slow, numbers)
  local results = lists[to]
  return function(self, b, options, $EXTRA)
    if $NO_EXTRA and metatable(self) == mt then
      if type(options) == "nil" then
        $SPARE(results, to)
        if metatable(b) == mt then
          $TAKE(results, compute(S, made, 1, op, to, self, b))
        elseif numbers and type(b) == "number" then
          $TAKE(results, compute_number(S, made, 1, op, to, self, b, 0))
        end
      elseif type(options) == "table" and metatable(b) == mt then
        local out = rawget(options, "out")
        if is_array[metatable(out)] and is_only_out(options)
            and compute(S, out, 0, op, to, self, b) ~= 0 then
          return out
        end
      end
    end
    if $NO_EXTRA then return slow(self, b, options) end
    return slow(self, b, options, $EXTRA)
  end
end

-- Of Lua's operators either operand may be the array.
function kinds.operator(op, to, slow, numbers)
  local results = lists[to]
  return function(a, b)
    $SPARE(results, to)
    if metatable(a) == mt then
      if metatable(b) == mt then
        $TAKE(results, compute(S, made, 1, op, to, a, b))
      elseif numbers and type(b) == "number" then
        $TAKE(results, compute_number(S, made, 1, op, to, a, b, 0))
      end
    elseif numbers and type(a) == "number" and metatable(b) == mt then
      $TAKE(results, compute_number(S, made, 1, op, to, b, a, 1))
    end
    return slow(a, b)
  end
end

function kinds.unary_operator(op, to, slow)
  local results = lists[to]
  return function(a)
    if metatable(a) == mt then
      $SPARE(results, to)
      $TAKE(results, compute(S, made, 1, op, to, a, nil))
    end
    return slow(a)
  end
end

function kinds.in_place(op, to, slow, numbers)
  return function(self, b, $EXTRA)
    if $NO_EXTRA and metatable(self) == mt then
      if metatable(b) == mt then
        if compute(S, self, 0, op, to, self, b) ~= 0 then return self end
      elseif numbers and type(b) == "number" then
        if compute_number(S, self, 0, op, to, self, b, 0) ~= 0 then return self end
      end
    end
    if $NO_EXTRA then return slow(self, b) end
    return slow(self, b, $EXTRA)
  end
end

-- NaN: it was not done, or is the result; the ordinary function finds out.
function kinds.reduction(op, _, slow)
  return function(self, axis, options, $EXTRA)
    if type(axis) == "nil" and type(options) == "nil" and $NO_EXTRA
        and metatable(self) == mt then
      local x = reduce(S, op, self)
      if x == x then return x end
    end
    if $NO_EXTRA then return slow(self, axis, options) end
    return slow(self, axis, options, $EXTRA)
  end
end

local operators = { add = "__add", sub = "__sub", mul = "__mul", div = "__div", mod = "__mod",
  pow = "__pow", neg = "__unm" }
for i = 1, #operations do
  local row = operations[i]
  local name, to, kernel, numbers = row.name, small_operation(row.op, number)
  if kernel and row.operands <= 2 then
    local op, is_unary = cast(pointer, kernel), row.operands == 1
    set(methods, name, kinds[is_unary and "unary" or "binary"](op, to, methods[name], numbers))
    if not is_unary and row.in_place then
      set(methods, name .. "_", kinds.in_place(op, to, methods[name .. "_"], numbers))
    end
    local operator = operators[name]
    if operator then
      set(mt, operator,
        kinds[is_unary and "unary_operator" or "operator"](op, to, mt[operator], numbers))
    end
  elseif to and row.axis then
    set(methods, name, kinds.reduction(row.op, to, methods[name]))
  end
end

-- {=== values ===}

local slow_fill, slow_copy_from = methods.fill, methods.copy_from
set(methods, "fill", function(self, v, $EXTRA)
  if type(v) == "number" and $NO_EXTRA and metatable(self) == mt
      and fill(S, self, v) ~= 0 then
    return self
  end
  if $NO_EXTRA then return slow_fill(self, v) end
  return slow_fill(self, v, $EXTRA)
end)

set(methods, "copy_from", function(self, source, options, $EXTRA)
  if type(options) == "nil" and $NO_EXTRA and metatable(self) == mt
      and is_array[metatable(source)] and copy(S, self, source) ~= 0 then
    return self
  end
  if $NO_EXTRA then return slow_copy_from(self, source, options) end
  return slow_copy_from(self, source, options, $EXTRA)
end)

-- The function for the accessors to end in, and one that puts all others into the metatable:
-- nothing there is new, so that this cannot fail.
return view_index, function()
  for i = 1, #list, 3 do list[i][list[i + 1] ] = list[i + 2] end
  mt.properties.T = T
end
]]

local spare = "local n = %s[0] if n == 0 then n = refill(%s, %s) end local made = %s[n]"
local take = "local done = %s if done ~= 0 then LIST[n] = nil LIST[0] = n - 1 "
  .. "if done > 0 then return made end end"

local extra, no_extra = {}, {}
for i = 1, 8 do extra[i], no_extra[i] = "x" .. i, "type(x" .. i .. ") == 'nil'" end

local function expand(code)
  return (code
    :gsub("%$EXTRA", table.concat(extra, ", "))
    :gsub("%$NO_EXTRA", table.concat(no_extra, " and "))
    :gsub("%$SPARE%((%w+), (%w+)%)", function(list, to)
      return spare:format(list, list, to, list)
    end)
    :gsub("%$TAKE(%b())", function(arguments)
      local list, call = arguments:match "^%((%w+), (.*)%)$"
      return (take:format(call):gsub("LIST", list))
    end))
end

-- nd.empty and nd.zeros: of a table of one or two extents, or of those as arguments, then a dtype.
-- As many parameters as C's functions take, and one more, by which they notice that there are too
-- many.
local makers = [[
local C, S, lists, numbers, refill = ...
local make, type, next, rawget = C.make, type, next, rawget
return function(slow, is_zeroed)
  return function(a, b, c, $REST)
    if $NONE then
      local ndim, rows, columns, dtype = 1, a, 1, b
      if type(a) == "table" then
        rows = nil
        local key = next(a)
        if type(key) == "number" and key == 1 and type(c) == "nil" then -- 1LL equals 1, too
          key = next(a, 1)
          if type(key) == "number" and key == 2 then
            ndim, columns, key = 2, rawget(a, 2), next(a, 2)
          end
          if type(key) == "nil" then rows = rawget(a, 1) end
        end
      elseif type(b) == "number" then
        ndim, columns, dtype = 2, b, c
      elseif type(c) ~= "nil" then
        rows = nil
      end
      if type(dtype) == "nil" then dtype = "f64" end
      local number = numbers[dtype]
      if number and type(rows) == "number" and type(columns) == "number" then
        local list = lists[number]
        $SPARE(list, number)
        $TAKE(list, make(S, made, is_zeroed, ndim, rows, columns))
      end
      return slow(a, b, c)
    end
    return slow(a, b, c, $REST)
  end
end
]]

--- Replace nd.empty and nd.zeros.
function leaf.install_makers(core, shared, nd, source)
  local numbers, rest, none = {}, {}, {}
  for name, number in pairs(core.leaf.dtypes) do
    numbers[name], numbers[core.dtypes[name]] = number, number
  end
  for i = 4, 20 do
    rest[#rest + 1] = "a" .. i
    none[#none + 1] = "type(a" .. i .. ") == 'nil'"
  end
  local code = expand(makers):gsub("%$REST", table.concat(rest, ", "))
    :gsub("%$NONE", table.concat(none, " and "))
  local wrap = assert(loadstring(code, source .. "leaf.lua:makers"))(
    shared.C, shared.C.state, shared.lists, numbers, core.spare)
  nd.empty, nd.zeros = wrap(nd.empty, 0), wrap(nd.zeros, 1)
end

--- What the functions of all dtypes share.
function leaf.open(core)
  local C, lists, is_array = {}, {}, {}
  for name, ctype in pairs(ctypes) do C[name] = ffi.cast(ctype, core.leaf[name]) end
  for _, number in pairs(core.leaf.dtypes) do
    local list = { [0] = 0 }
    for i = 1, 32 do list[i] = false end -- room
    for i = 1, 32 do list[i] = nil end
    lists[number] = list
  end
  for _, mt in pairs(core.metatables) do is_array[mt] = true end
  return { C = C, lists = lists, is_array = is_array }
end

--- The functions of a dtype: the one that the accessors end in for an index, and one that puts the
-- others into its metatable.
function leaf.compile(core, shared, dtype, source)
  local number = core.leaf.dtypes[dtype]
  local chunk = assert(loadstring(expand(template), source .. "leaf.lua:" .. dtype))
  return chunk(shared.C, shared.C.state, core.metatables[dtype], shared.lists[number], number,
    shared.lists, core.spare, shared.is_array, core.operations, core.small_operation)
end

return leaf
