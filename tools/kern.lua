-- Writes src/kern/made/: what includes the bodies of kernels once per dtype, the loops of each
-- elementwise operation, and the tables of kernels, from the rows of base/dtype.h and base/op.h.
--   luajit tools/kern.lua           writes the files
--   luajit tools/kern.lua check     prints those that differ, exits 1 when there are any
--
-- A body is FN(add_of) in a file "<family>_<group>.inc", where the group says for which dtypes it
-- is. What an operation is not defined for (base/op.h) has no kernel and no row. An operation
-- without a body gets its row all the same: the compiler then tells the name that is missing.

local KERN, MADE = "src/kern/", "src/kern/made/"

local rows = dofile "tools/kern_rows.lua"
local read, rows_of, set_of = rows.read, rows.rows_of, rows.set_of
local WIDE_OF = rows.WIDE_OF
local dtypes, by_class, items = rows.dtypes, rows.by_class, rows.items
local elementwise, reductions = rows.elementwise, rows.reductions

-- ---- bodies ----

-- The classes that the bodies of a group are compiled for. Bits that do not depend on the sign are
-- compiled for unsigned integers and serve signed ones too.
local GROUPS = {
  bool = "bool", unsigned = "unsigned", signed = "signed", float = "small float",
  complex = "complex", item = "",
  exact = "bool unsigned signed",
  ordered = "bool unsigned signed small float",
  real = "unsigned signed small float",
  integer = "unsigned", bits = "bool unsigned", number = "unsigned float complex",
  any = "bool unsigned float complex",
}
local SERVES_SIGNED = set_of "integer bits number any"
-- What the name of a body ends with tells the loop that it is for.
local LOOPS = {of = {"loop1", "loop2"}, to = {[3] = "loop3"}, lane = {"lanes", "lanes2"},
               near = {"lanes"}}

local function split_name(name)
  for suffix in pairs(LOOPS) do
    local op = name:match("^(.+)_" .. suffix .. "$")
    if op then return op, suffix end
  end
  return name
end

local faults = 0
local function fault(...)
  faults = faults + 1
  io.stderr:write(string.format(...), "\n")
end

local function lines_of(command)
  local list, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

-- The files of a family; each has the bodies in it by operation: the suffix, or "" for a kernel
-- that is written out.
local function bodies_of(family, ops)
  local files = {}
  for _, path in ipairs(lines_of("LC_ALL=C ls " .. KERN .. family .. "_*.inc")) do
    local group = path:match "_(%w+)%.inc$"
    local file = {path = path:sub(5), group = group, bodies = {}}
    if not GROUPS[group] then fault("%s: no group of dtypes is called %s", path, group) end
    file.classes = set_of(GROUPS[group] or "")
    files[#files + 1] = file
    local number = 0
    for line in io.lines(path) do
      number = number + 1
      local name = not line:find ";$" and line:match "^[%w_ ]- FN%(([%w_]+)%)%(" or
                   line:match "^static const ndi_reducer FN%((%w+)%) ="
      local op, suffix = split_name(name or "")
      if ops[op] then file.bodies[op] = suffix or ""
      elseif suffix then fault("%s:%d: base/op.h has no row %s", path, number, op) end
    end
  end
  return files
end

-- The body of 'op' for a dtype: the file, and the DTYPE that it is compiled for.
local function find_body(files, op, d)
  local served, by
  for _, file in ipairs(files) do
    if file.bodies[op.name] then
      if file.classes[d.class] then return file, d.name end
      if d.class == "signed" and SERVES_SIGNED[file.group] then
        served, by = file, rows.unsigned_of(d).name
      end
      if file.group == "item" then served, by = file, d.bytes end
    end
  end
  return served, by
end

-- ---- writing ----

local function wrap(list, indent)
  local lines, line = {}, indent
  for i, word in ipairs(list) do
    word = word .. (i < #list and "," or "")
    if #line + 1 + #word > 99 then
      lines[#lines + 1] = line:gsub("%s+$", "")
      line = indent
    end
    line = line .. word .. " "
  end
  lines[#lines + 1] = line:gsub("%s+$", "")
  return table.concat(lines, "\n")
end

local out
local function put(fmt, ...) out[#out + 1] = select("#", ...) > 0 and fmt:format(...) or fmt end

local made = {}
local function start(name, what)
  out = {"/* Made by tools/kern.lua: make kern. " .. what .. " */", "/* clang-format off */"}
  made[#made + 1] = {path = MADE .. name, lines = out}
end

-- Where each operation has its kernel: {[op] = {[dtype] = {file, name}}}; and for each DTYPE that
-- is compiled the operations that want a loop.
local function plan(files, ops)
  local kernels, loops, defined = {}, {}, {}
  for _, op in ipairs(ops) do
    for _, d in ipairs(dtypes) do
      local file, name = find_body(files, op, d)
      if op.classes[d.class] or (file and file.group == "item") then
        kernels[op] = kernels[op] or {}
        kernels[op][d] = op.name .. "_" .. (name or d.name)
        defined[op] = defined[op] or file
        local suffix = file and file.bodies[op.name]
        if suffix and suffix ~= "" and not loops[kernels[op][d]] then
          loops[kernels[op][d]] = true
          loops[name] = loops[name] or {}
          table.insert(loops[name], {op = op, suffix = suffix})
        end
      end
    end
  end
  return kernels, loops, defined
end

local function put_loops(list)
  local gives
  table.sort(list, function(a, b)
    if a.op.gives_bool ~= b.op.gives_bool then return b.op.gives_bool end
    return a.op.at < b.op.at
  end)
  for _, loop in ipairs(list) do
    local now = loop.op.gives_bool and "_bool" or "DTYPE"
    if now ~= gives then
      if gives then put "#undef GIVES" end
      put("#define GIVES " .. now)
      gives = now
    end
    put("#define OP " .. loop.op.name)
    if loop.suffix == "near" then put "#define HAS_FAR 1" end
    put('#include "kern/%s.inc"', LOOPS[loop.suffix][loop.op.operands])
  end
  if gives then put "#undef GIVES" end
end

local function put_dtype(files, name, class, loops)
  local are_any = false
  for _, file in ipairs(files) do
    if class and file.classes[class] or not class and file.group == "item" then
      if not are_any then
        put("\n#define DTYPE _" .. name)
        put(class and "#define CLASS _" .. WIDE_OF[class] or "#define ITEM " .. name)
        are_any = true
      end
      put('#include "%s"', file.path)
    end
  end
  if not are_any then return end
  put_loops(loops or {})
  put(class and "#undef CLASS" or "#undef ITEM")
  put "#undef DTYPE"
end

local function put_table(ops, kernels, type, name, mark)
  put("\nstatic %s *const *const %s[ND_OP_COUNT] = {", type, name)
  for _, op in ipairs(ops) do
    if kernels[op] then
      local row = {}
      for _, d in ipairs(dtypes) do
        local kernel = kernels[op][d]
        if kernel then row[#row + 1] = ("[ND_%s] = %s%s"):format(d.id, mark, kernel) end
      end
      put("  [ND_OP_%s] = (%s *const[ND_DTYPE_COUNT]){", op.id, type)
      put(wrap(row, "    ") .. "},")
    end
  end
  put "};"
end

local CHECK = '_Static_assert(%s == %d, "base/op.h has other rows: make kern");'

local function write_families()
  local families = rows_of(KERN .. "family.h", "ND_FAMILIES")
  local without_body = {}
  for at, op in ipairs(elementwise) do op.at, without_body[op] = at, true end
  local plans = {}
  for i, row in ipairs(families) do
    local files = bodies_of(row[1], elementwise)
    local own = {}
    for _, op in ipairs(elementwise) do
      for _, file in ipairs(files) do
        if file.bodies[op.name] and without_body[op] then
          own[#own + 1], without_body[op] = op, nil
        end
      end
    end
    plans[i] = {name = row[1], files = files, own = own}
  end
  for _, op in ipairs(elementwise) do -- the compiler tells it
    if without_body[op] then table.insert(plans[1].own, op) end
  end
  for _, p in ipairs(plans) do
    start(p.name .. ".c", "Kernels with the bodies in kern/" .. p.name .. "_*.inc.")
    put '#include "kern/family.h"'
    local kernels, loops = plan(p.files, p.own)
    for _, d in ipairs(by_class) do
      if not d.is_small then put_dtype(p.files, d.name, d.class, loops[d.name]) end
    end
    for _, item in ipairs(items) do put_dtype(p.files, item, nil, loops[item]) end
    put "\n#ifndef __CUDACC_RTC__"
    put_table(p.own, kernels, "ndi_kernel", "kernels", "")
    put "\nstatic ndi_kernel *find(nd_op op, nd_dtype dtype) {"
    put "  return kernels[op] ? kernels[op][dtype] : NULL;\n}\n"
    put("ND_LEVELED(ndi_kernel *, ndi_%s_find, find, (nd_op op, nd_dtype dtype), (op, dtype))",
        p.name)
    put "#endif"
  end
end

local function write_reduce()
  local files = bodies_of("reduce", reductions)
  start("reduce.h", "Table of the reductions in kern/reduce_*.inc.")
  for _, d in ipairs(by_class) do put_dtype(files, d.name, d.class) end
  local first, behind = reductions[1].id, rows_of("src/base/op.h", "ND_OTHER_OPS")[1][1]
  put("\n" .. CHECK, "ND_OP_" .. first, #elementwise)
  put(CHECK, "ND_OP_" .. behind, #elementwise + #reductions)
  put_table(reductions, plan(files, reductions), "const ndi_reducer", "reducers", "&")
end

local EITHER_BODY = [[
#include "kern/words.h"

#ifdef BODY
#define BODY_REAL BODY
#define BODY_COMPLEX BODY
#endif]]

local BODY_OF = {bool = "BOOL", unsigned = "UNSIGNED", signed = "SIGNED", small = "FLOAT",
                 float = "FLOAT", complex = "COMPLEX"}

local function write_each_dtype()
  start("each_dtype.h", "Includes BODY, or BODY_<class>, once per dtype.")
  put(EITHER_BODY)
  put "#ifdef BODY_REAL"
  for _, class in ipairs {"BOOL", "UNSIGNED", "SIGNED", "FLOAT"} do
    put("#define BODY_%s BODY_REAL", class)
  end
  put "#endif"
  for _, class in ipairs {"BOOL", "UNSIGNED", "SIGNED", "FLOAT", "COMPLEX"} do
    local names, wide = {}
    for _, d in ipairs(dtypes) do
      if BODY_OF[d.class] == class then names[#names + 1], wide = d.name, WIDE_OF[d.class] end
    end
    put("\n#ifdef BODY_%s\n#define CLASS _%s", class, wide)
    for _, name in ipairs(names) do
      put("#define DTYPE _%s\n#include BODY_%s\n#undef DTYPE", name, class)
    end
    put("#undef CLASS\n#undef BODY_%s\n#endif", class)
  end
  put "\n#undef BODY\n#undef BODY_REAL"
end

local function write_each_item()
  start("each_item.h", "Includes BODY once per size of elements.")
  put(EITHER_BODY)
  local sizes = {BODY_REAL = {}, BODY_COMPLEX = {}}
  for _, item in ipairs(items) do
    table.insert(sizes[rows.item_is_real[item] and "BODY_REAL" or "BODY_COMPLEX"], item)
  end
  local reals, last = table.concat(sizes.BODY_REAL, ") X("), items[#items]
  put "\n#ifndef ND_ITEMS"
  put("#define ND_REAL_ITEMS(X) X(%s)", reals)
  put("#define ND_SMALLER_ITEMS(X) X(%s)", table.concat(items, ") X(", 1, #items - 1))
  put("#define ND_WIDEST_ITEM %d", last)
  put("#define ND_ITEMS(X) ND_SMALLER_ITEMS(X) X(%d)\n#endif", last)
  for _, body in ipairs {"BODY_REAL", "BODY_COMPLEX"} do
    put("\n#ifdef " .. body)
    for _, item in ipairs(sizes[body]) do
      put("#define DTYPE _%d\n#define ITEM %d", item, item)
      put("#include %s\n#undef ITEM\n#undef DTYPE", body)
    end
    put("#undef %s\n#endif", body)
  end
  put "\n#undef BODY"
end

-- The tables of the conversions from DTYPE; one without a kernel is not defined.
local function put_casts(kind)
  local casts, wraps, checks = {}, {}, {}
  for _, d in ipairs(dtypes) do
    if kind == "real" or d.kind == "COMPLEX" then
      casts[#casts + 1] = ("[ND_%s] = FN(to_%s)"):format(d.id, d.name)
      checks[#checks + 1] = ("[ND_%s] = FN(check_%s)"):format(d.id, d.name)
    end
    if kind == "real" and (d.kind == "INT" or d.kind == "UINT") then
      wraps[#wraps + 1] = ("[ND_%s] = FN(to_%s_wrap)"):format(d.id, d.name)
    end
  end
  if #wraps == 0 then wraps[1] = "NULL" end
  local table_of = "static ndi_cast_%s *const FN(%s)[ND_DTYPE_COUNT] = {\n%s};"
  put("\n" .. table_of, "kernel", "casts", wrap(casts, "    "))
  put(table_of, "kernel", "wraps", wrap(wraps, "    "))
  put(table_of, "check", "checks", wrap(checks, "    "))
end

local function write_cast()
  for _, kind in ipairs {"real", "complex"} do
    start("cast_" .. kind .. ".inc", "Conversions of a " .. kind .. " DTYPE to the others.")
    for _, d in ipairs(dtypes) do
      if kind == "real" or d.kind == "COMPLEX" then
        put("#define TO _" .. d.name)
        put '#include "kern/cast.inc"\n#include "kern/cast_check.inc"\n#undef TO'
      end
    end
    for _, d in ipairs(dtypes) do
      if kind == "real" and (d.kind == "INT" or d.kind == "UINT") then
        put("#define TO _%s_wrap\n#include \"kern/cast.inc\"\n#undef TO", d.name)
      end
    end
    put_casts(kind)
  end
end

-- Pairs of the widest of each kind that no dtype holds both of.
local function write_each_pair()
  start("each_pair.h", "Includes BODY_ORDERED or BODY_SAME once per pair of dtypes.")
  local sides = {rows.widest.INT, rows.widest.UINT, rows.widest.FLOAT, rows.widest.COMPLEX}
  for _, x in ipairs(sides) do
    for _, y in ipairs(sides) do
      local is_whole = x.kind == "INT" or x.kind == "UINT" or y.kind == "INT" or y.kind == "UINT"
      if x ~= y and is_whole then
        local is_complex = x.kind == "COMPLEX" or y.kind == "COMPLEX"
        put("\n#define X_DTYPE _%s\n#define Y_DTYPE _%s", x.name, y.name)
        put("#include %s\n#undef Y_DTYPE\n#undef X_DTYPE",
            is_complex and "BODY_SAME" or "BODY_ORDERED")
      end
    end
  end
end

local function put_list(name, what, classes, row)
  local lines = {}
  for _, d in ipairs(dtypes) do
    if set_of(classes)[d.class] then lines[#lines + 1] = "  X(" .. row(d) .. ")" end
  end
  put("\n/* %s */\n#define %s(X) \\\n%s", what, name, table.concat(lines, " \\\n"))
end

local function near_of(d)
  if d.is_small then return "f32" end
  return d.kind == "COMPLEX" and "complex" or d.bytes <= 2 and "i16" or d.name
end

local function write_lists()
  start("dtypes.h", "The dtypes by class.")
  put "#ifndef ND_KERN_MADE_DTYPES_H\n#define ND_KERN_MADE_DTYPES_H"
  put('_Static_assert(ND_DTYPE_COUNT == %d, "base/dtype.h has other rows: make kern");', #dtypes)
  put_list("ND_NAMES", "all: id, name", "bool unsigned signed small float complex", function(d)
    return d.id .. ", " .. d.name
  end)
  put_list("ND_BOOLS", "id, name, type", "bool", function(d)
    return ("%s, %s, %s"):format(d.id, d.name, d.type)
  end)
  put_list("ND_INTEGERS", "id, name, type, compute type, near type, class, bits, range",
           "signed unsigned", function(d)
    local bits, prefix = 8 * d.bytes, d.kind == "INT" and "INT" or "UINT"
    local wide = math.max(bits, 32)
    local near = bits < 32 and "int32_t" or d.type
    return ("%s, %s, %s, uint%d_t, %s, %s, %d, %s, %s%d_MAX"):format(
      d.id, d.name, d.type, wide, near, WIDE_OF[d.class], wide,
      d.kind == "INT" and ("INT%d_MIN"):format(bits) or "0", prefix, bits)
  end)
  put_list("ND_FLOATS", "id, name, type", "float", function(d)
    return ("%s, %s, %s"):format(d.id, d.name, d.type)
  end)
  put_list("ND_SMALL_FLOATS", "id, name, type: those that C does not have", "small",
           function(d) return ("%s, %s, %s"):format(d.id, d.name, d.type) end)
  put_list("ND_COMPLEXES", "id, name, type and name of a part", "complex", function(d)
    local part = d.type:match "^%w+"
    return ("%s, %s, %s, %s"):format(d.id, d.name, part, part == "float" and "f32" or "f64")
  end)
  put "\n/* The near type of each (kern/convert.h); the DTYPE of a complex one's parts. */"
  for _, d in ipairs(dtypes) do put("#define ND_NEAR_%s _%s", d.name, near_of(d)) end
  for _, d in ipairs(dtypes) do
    if d.kind == "COMPLEX" then
      put("#define ND_PART_%s _%s", d.name, d.type:find "float" and "f32" or "f64")
    end
  end
  put "\n#endif"
end

-- ---- all ----

write_lists()
write_each_dtype()
write_each_item()
write_each_pair()
write_cast()
write_families()
write_reduce()
for _, file in ipairs(made) do
  local text = table.concat(file.lines, "\n") .. "\n"
  if arg[1] ~= "check" then
    local handle = assert(io.open(file.path, "w"))
    handle:write(text)
    handle:close()
  elseif not io.open(file.path) or read(file.path) ~= text then
    fault("%s:1: not as base/dtype.h, base/op.h and the bodies have it: make kern", file.path)
  end
end
os.exit(faults == 0)
