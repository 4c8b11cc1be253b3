--- nd.einsum: sums of products, by labels of the axes of operands and result.
--
-- Labels that one operand alone has are summed up in it. Then two operands at a time become one by
-- a product of matrices, in whose axes several labels may be joined: those that both have and that
-- are needed later number the matrices, the others that both have are the common axis.
local core = require "ndbuf.core"
local linalg = require "ndbuf.linalg"
local names = require "ndbuf.names"
local read = require "ndbuf.arguments"

local einsum = {}

local nd -- set by einsum.open

local SMALL = { f16 = true, bf16 = true, f8e4m3 = true, f8e5m2 = true }

local function fail(code, name, text, ...) core.fail(code, name, text:format(...)) end

local function shape_text(a) return table.concat(a.shape, "x") end

local function find(list, value)
  for i = 1, #list do
    if list[i] == value then return i end
  end
end

-- {=== subscripts ===}

-- The labels of a term such as "ij...k": letters, and "..." for axes that are counted from the end.
local function read_term(term, text)
  local labels, at = {}, 1
  while at <= #term do
    local label = term:match("^%.%.%.", at) or term:match("^%a", at)
    if not label then
      fail("invalid_argument", "subscripts", "%q in %q is neither a letter nor \"...\"",
        term:sub(at, at), text:sub(1, 80))
    end
    if label == "..." and labels.dots then
      fail("invalid_argument", "subscripts", "%q has \"...\" twice", term:sub(1, 40))
    end
    labels[#labels + 1] = label
    if label == "..." then labels.dots = #labels end
    at = at + #label
  end
  return labels
end

-- The terms of the operands as lists of labels, and that of the result, nil where there is none.
local function read_subscripts(text)
  if type(text) ~= "string" then
    fail("type_mismatch", "subscripts", "expected a string, got %s", names.kind(text))
  end
  local plain = text:gsub("%s", "")
  local left, right = plain:match "^(.-)%->(.*)$"
  local terms = {}
  for term in ((left or plain) .. ","):gmatch "(.-)," do
    terms[#terms + 1] = read_term(term, text)
  end
  return terms, right and read_term(right, text)
end

-- Put labels "1", "2" … in the place of "...": they count axes from the last one on.
local function spell_out(labels, count)
  if not labels.dots then return labels end
  local out = {}
  for i, label in ipairs(labels) do
    if i ~= labels.dots then out[#out + 1] = label
    else for k = count, 1, -1 do out[#out + 1] = tostring(k) end end
  end
  return out
end

-- The labels of each operand, one for each of its axes; and how many "..." stands for at most.
local function label_axes(terms, arrays)
  local most = 0
  for i, labels in ipairs(terms) do
    local named = labels.dots and #labels - 1 or #labels
    local count = arrays[i].ndim - named
    if count < 0 or count > 0 and not labels.dots then
      fail("shape_mismatch", "operands", "einsum: operand %d has %d axes, but %d labels", i,
        arrays[i].ndim, named)
    end
    most = math.max(most, labels.dots and count or 0)
    terms[i] = spell_out(labels, count)
  end
  return most
end

-- The labels that occur in one place only, sorted: those of the result where none are given.
local function find_single(terms)
  local counts, single = {}, {}
  for _, labels in ipairs(terms) do
    for _, label in ipairs(labels) do counts[label] = (counts[label] or 0) + 1 end
  end
  for label, count in pairs(counts) do
    if count == 1 and label:find "%a" then single[#single + 1] = label end
  end
  table.sort(single)
  return single, counts
end
jit.off(find_single) -- as in names.lua

-- The labels of the result, where "..." stands for 'most' axes.
local function label_result(result, terms, most)
  local single, counts = find_single(terms)
  if not result then
    table.insert(single, 1, "...")
    single.dots = 1
    return spell_out(single, most)
  end
  if most > 0 and not result.dots then
    fail("invalid_argument", "subscripts", "the result lacks \"...\", of which operands have axes")
  end
  result = spell_out(result, most)
  for i, label in ipairs(result) do
    local is_twice = find(result, label) < i
    if is_twice or not counts[label] then
      fail("invalid_argument", "subscripts", "label %q of the result occurs %s", label,
        is_twice and "twice in it" or "in no operand")
    end
  end
  return result
end

-- {=== operands ===} Each is {array =, labels =}, without a label twice.

-- The extent of each label: that of all axes that have it, but for those of extent 1.
local function find_extents(terms, arrays)
  local extents, from = {}, {}
  for i, labels in ipairs(terms) do
    for axis, label in ipairs(labels) do
      local extent = arrays[i]:dim(axis)
      if not extents[label] or extents[label] == 1 then
        extents[label], from[label] = extent, i
      elseif extent ~= 1 and extent ~= extents[label] then
        fail("shape_mismatch", "operands", "einsum: (%s) and (%s) do not fit: label %q has %d "
          .. "elements in operand %d, %d in operand %d", shape_text(arrays[from[label]]),
          shape_text(arrays[i]), label, extents[label], from[label], extent, i)
      end
    end
  end
  return extents
end

-- Take the diagonal of the axes 'i' and 'k', which have one label. It comes last.
local function take_diagonal(x, i, k)
  local array, order, labels = x.array, {}, {}
  if array:dim(i) ~= array:dim(k) then
    fail("shape_mismatch", "operands", "einsum: label %q has %d and %d elements in one operand, "
      .. "(%s)", x.labels[i], array:dim(i), array:dim(k), shape_text(array))
  end
  for axis, label in ipairs(x.labels) do
    if axis ~= i and axis ~= k then order[#order + 1], labels[#labels + 1] = axis, label end
  end
  labels[#labels + 1], order[#order + 1], order[#order + 2] = x.labels[i], i, k
  return { array = array:permute(order):diagonal(), labels = labels }
end

-- Two axes that have one label.
local function find_pair(labels)
  for k = 2, #labels do
    local i = find(labels, labels[k])
    if i < k then return i, k end
  end
end

-- The operand of an array, each label once, without axes of 1 that broadcast.
local function make_operand(array, labels, extents)
  local x = { array = array, labels = { unpack(labels) } }
  local i, k = find_pair(x.labels)
  while i do
    x = take_diagonal(x, i, k)
    i, k = find_pair(x.labels)
  end
  for axis = #x.labels, 1, -1 do
    if x.array:dim(axis) == 1 and extents[x.labels[axis]] ~= 1 then
      x.array = x.array:select(axis, 1)
      table.remove(x.labels, axis)
    end
  end
  return x
end

-- The sum over some axes, of the same dtype: integers wrap, sums of bools are "or".
local function sum(array, axes)
  if array.dtype == "bool" then return array:any { axis = axes } end
  local out = array:sum { axis = axes }
  return out.dtype == array.dtype and out or out:astype(array.dtype, { mode = "wrap" })
end

-- 'x' summed up over the labels that are in none of the lists.
local function sum_out(x, ...)
  local axes, labels = {}, {}
  for axis, label in ipairs(x.labels) do
    local is_kept = false
    for i = 1, select("#", ...) do is_kept = is_kept or find(select(i, ...), label) ~= nil end
    if is_kept then labels[#labels + 1] = label else axes[#axes + 1] = axis end
  end
  if #axes == 0 then return x end
  return { array = sum(x.array, axes), labels = labels, is_new = true }
end

local function permuted(x, labels)
  local order = {}
  for i, label in ipairs(labels) do order[i] = find(x.labels, label) end
  return #order == 0 and x.array or x.array:permute(order)
end

-- {=== two operands ===}

local function join(...)
  local out = {}
  for i = 1, select("#", ...) do
    for _, label in ipairs((select(i, ...))) do out[#out + 1] = label end
  end
  return out
end

-- The labels of 'x' and 'y' by what becomes of them; 'needed' are those that occur later.
local function sort_labels(x, y, needed)
  local parts = { numbers = {}, common = {}, rows = {}, columns = {} }
  for _, label in ipairs(x.labels) do
    local part = not find(y.labels, label) and "rows" or find(needed, label) and "numbers"
      or "common"
    table.insert(parts[part], label)
  end
  for _, label in ipairs(y.labels) do
    if not find(x.labels, label) then table.insert(parts.columns, label) end
  end
  return parts
end

-- The products of elements, where nothing is to be summed up.
local function multiply(x, y, parts)
  local a, b = permuted(x, join(parts.numbers, parts.rows)),
    permuted(y, join(parts.numbers, parts.columns))
  for _ = 1, #parts.columns do a = a:unsqueeze(a.ndim + 1) end
  for _ = 1, #parts.rows do b = b:unsqueeze(#parts.numbers + 1) end
  return nd.mul(a, b)
end

-- The array of 'x' with the labels of each list joined to one axis.
local function grouped(x, extents, ...)
  local shape = {}
  for i = 1, select("#", ...) do
    local n = 1
    for _, label in ipairs((select(i, ...))) do n = n * extents[label] end
    shape[i] = n
  end
  return permuted(x, join(...)):reshape(shape, { copy = true })
end

local function contract(x, y, needed, result, extents)
  x, y = sum_out(x, needed, y.labels), sum_out(y, needed, x.labels)
  local parts = sort_labels(x, y, needed)
  for _, label in ipairs(result) do
    -- rows come before columns, as far as they can be told
    if find(parts.rows, label) then break end
    if find(parts.columns, label) then
      x, y, parts.rows, parts.columns = y, x, parts.columns, parts.rows
      break
    end
  end
  local labels, shape = join(parts.numbers, parts.rows, parts.columns), {}
  if #parts.common == 0 then
    return { array = multiply(x, y, parts), labels = labels, is_new = true }
  end
  for i, label in ipairs(labels) do shape[i] = extents[label] end
  local out = nd.matmul(grouped(x, extents, parts.numbers, parts.rows, parts.common),
    grouped(y, extents, parts.numbers, parts.common, parts.columns))
  return { array = out:reshape(shape), labels = labels, is_new = true }
end

-- {=== all operands ===}

-- The labels that are needed besides operands 'i' and 'k': in others, and in the result.
local function needed_beside(operands, i, k, result)
  local needed = { unpack(result) }
  for at, x in ipairs(operands) do
    if at ~= i and at ~= k then needed = join(needed, x.labels) end
  end
  return needed
end

local function size_of(labels, extents)
  local n = 1
  for _, label in ipairs(labels) do n = n * extents[label] end
  return n
end

-- The two operands whose product is the smallest beside them (a greedy order of contractions).
local function choose(operands, result, extents)
  local best, first, second = math.huge, 1, 2
  if #operands == 2 then return 1, 2 end
  for i = 1, #operands - 1 do
    for k = i + 1, #operands do
      local x, y = operands[i].labels, operands[k].labels
      local needed, both = needed_beside(operands, i, k, result), {}
      for _, label in ipairs(join(x, y)) do
        if find(needed, label) and not find(both, label) then both[#both + 1] = label end
      end
      local grows = size_of(both, extents) - size_of(x, extents) - size_of(y, extents)
      if grows < best then best, first, second = grows, i, k end
    end
  end
  return first, second
end

-- The dtype that all are promoted to, and that small floats are computed in.
local function common_dtype(arrays)
  local out = nd.empty({ 0 }, arrays[1].dtype)
  for i = 2, #arrays do out = nd.mul(out, nd.empty({ 0 }, arrays[i].dtype)) end
  return out.dtype, SMALL[out.dtype] and "f32" or out.dtype
end

local function compute(operands, result, extents)
  while #operands > 1 do
    local i, k = choose(operands, result, extents)
    local out = contract(operands[i], operands[k], needed_beside(operands, i, k, result), result,
      extents)
    table.remove(operands, k)
    operands[i] = out
  end
  local last = sum_out(operands[1], result)
  local array = permuted(last, result)
  return last.is_new and array:contiguous() or array:clone()
end

--- nd.einsum(subscripts, a, b, … [, {out =}])
local function compute_einsum(subscripts, ...)
  local terms, result = read_subscripts(subscripts)
  local arrays, operands, shape = {}, {}, {}
  for i = 1, #terms do arrays[i] = read.array((select(i, ...)), "operands") end
  if read.is_array((select(#terms + 1, ...))) then
    fail("invalid_argument", "operands", "einsum: there are more operands than the %d terms",
      #terms)
  end
  local options = read.options((select(#terms + 1, ...)), { "out" })
  read.finish(select(#terms + 2, ...))
  local most = label_axes(terms, arrays)
  result = label_result(result, terms, most)
  local extents = find_extents(terms, arrays)
  for i, label in ipairs(result) do shape[i] = extents[label] end
  local out = linalg.out("einsum", options, shape)
  local dtype, computed = common_dtype(arrays)
  for i, array in ipairs(arrays) do
    operands[i] = make_operand(array:to(computed), terms[i], extents)
  end
  local array = compute(operands, result, extents)
  if out then return out:copy_from(array) end
  return linalg.value(array:to(dtype))
end

--- The function, for linalg.open.
function einsum.open(nd_)
  nd = nd_
  return compute_einsum
end

return einsum
