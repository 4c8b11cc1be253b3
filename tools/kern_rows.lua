-- For tools/kern.lua: the rows of base/dtype.h and base/op.h, and which dtypes an operation is
-- defined for.

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return text
end

-- The rows of an X-macro list, as lists of their columns.
local function rows_of(path, list)
  local rows = {}
  local text = assert(read(path):match("#define " .. list .. "%(X%)(.-[^\\])\n"), list)
  for row in text:gmatch "X(%b())" do
    rows[#rows + 1] = {}
    for column in (row:sub(2, -2) .. ","):gmatch "%s*(.-)%s*," do
      table.insert(rows[#rows], column)
    end
  end
  return rows
end

-- ---- dtypes ----

local CLASS_OF = {BOOL = "bool", UINT = "unsigned", INT = "signed", COMPLEX = "complex"}

local dtypes, items = {}, {}
local item_is_real, widest = {}, {}
for _, row in ipairs(rows_of("src/base/dtype.h", "ND_DTYPES")) do
  local d = {id = row[1], name = row[2], type = row[3], bytes = tonumber(row[4]), kind = row[6]}
  d.is_small = d.kind == "FLOAT" and d.type ~= "float" and d.type ~= "double"
  d.class = d.is_small and "small" or CLASS_OF[d.kind] or "float"
  dtypes[#dtypes + 1] = d
  if item_is_real[d.bytes] == nil then items[#items + 1] = d.bytes end
  item_is_real[d.bytes] = item_is_real[d.bytes] or d.kind ~= "COMPLEX"
  if not widest[d.kind] or widest[d.kind].bytes < d.bytes then widest[d.kind] = d end
end
table.sort(items)

-- The same, class by class, as they are compiled.
local by_class = {}
for _, kind in ipairs {"BOOL", "UINT", "INT", "FLOAT", "COMPLEX"} do
  for _, d in ipairs(dtypes) do
    if d.kind == kind then by_class[#by_class + 1] = d end
  end
end

-- The CLASS of each: what holds all values of it (kern/words.h).
local WIDE_OF = {bool = "uint", unsigned = "uint", signed = "int", small = "float", float = "float",
                 complex = "complex"}

local function unsigned_of(signed)
  for _, d in ipairs(dtypes) do
    if d.class == "unsigned" and d.bytes == signed.bytes then return d end
  end
end

-- ---- operations ----

local function set_of(text)
  local set = {}
  for word in text:gmatch "%S+" do set[word] = true end
  return set
end

local DOMAINS = { -- ORDER OP: the classes of nd_domain
  ANY = "bool unsigned signed float complex",
  NUMERIC = "unsigned signed float complex",
  REAL = "unsigned signed float",
  ORDERED = "bool unsigned signed float",
  FLOAT = "float complex",
  MATH = "float",
  BITS = "bool unsigned signed",
  INTEGER = "unsigned signed",
  TRUTH = "bool",
}
-- Reductions have kernels of their own for the small floats; sums and truths take all dtypes.
local REDUCE_DOMAINS = {
  REAL = "unsigned signed small float",
  ORDERED = "bool unsigned signed small float",
}
for _, domain in ipairs {"ANY", "FLOAT", "TRUTH"} do
  REDUCE_DOMAINS[domain] = "bool unsigned signed small float complex"
end

local function ops_of(list, domain_column, domains)
  local ops = {}
  for _, row in ipairs(rows_of("src/base/op.h", list)) do
    local classes = domains[row[domain_column]]
    assert(classes, "base/op.h: " .. row[2] .. ": no classes of dtypes for " .. row[domain_column])
    ops[#ops + 1] = {id = row[1], name = row[2], operands = tonumber(row[3]),
                     gives_bool = row[5] == "BOOL", classes = set_of(classes)}
    ops[row[2]] = ops[#ops]
  end
  return ops
end

local elementwise = ops_of("ND_ELEMENTWISE_OPS", 4, DOMAINS)
local reductions = ops_of("ND_REDUCE_OPS", 3, REDUCE_DOMAINS)

return {read = read, rows_of = rows_of, set_of = set_of, dtypes = dtypes, by_class = by_class,
        items = items, item_is_real = item_is_real, widest = widest, WIDE_OF = WIDE_OF,
        unsigned_of = unsigned_of, elementwise = elementwise, reductions = reductions}
