--- ndbuf: typed n-d views over memory. local nd = require "ndbuf"
if type(jit) ~= "table" then error("ndbuf needs LuaJIT; this is " .. tostring(_VERSION), 2) end

local ffi = require "ffi"
local core = require "ndbuf.core"
local arrow = require "ndbuf.arrow"
local box = require "ndbuf.box"
local covariance = require "ndbuf.covariance"
local grids = require "ndbuf.grids"
local counting = require "ndbuf.counting"
local head = require "ndbuf.head"
local leaf = require "ndbuf.leaf"
local names = require "ndbuf.names"
local nans = require "ndbuf.nans"
local nearness = require "ndbuf.nearness"
local pieces = require "ndbuf.pieces"
local printing = require "ndbuf.print"
local read = require "ndbuf.arguments"
local records = require "ndbuf.records"
local report = require "ndbuf.report"
local rows = require "ndbuf.rows"
local spacing = require "ndbuf.spacing"
local draws = require "ndbuf.draws"
local einsum = require "ndbuf.einsum"
local factors = require "ndbuf.factors"
local fft = require "ndbuf.fft"
local linalg = require "ndbuf.linalg"
local norm = require "ndbuf.norm"
local steps = require "ndbuf.steps"
local timeline = require "ndbuf.timeline"

local ABI = 3 -- of the core.so that these files belong to
if core.abi ~= ABI then
  local text = "ndbuf: core.so has ABI %s, the Lua files need %d: they come from different versions"
  error(text:format(tostring(core.abi), ABI), 2)
end

-- The prefix of our chunk names: an error's position is the innermost frame without it. Where the
-- modules are preloaded without file names, no script's chunk begins so.
local source = debug.getinfo(1, "S").source:match "^(@.*)init%.lua$" or "=ndbuf/"

local function unknown_name(self, name)
  local mt = core.metatables[self.dtype]
  core.fail("invalid_argument", nil, names.message(name, mt.properties, mt.methods))
end

local shared = jit.status() and leaf.open(core)
local fills = shared and head.install(core, shared, source) or head.install_pointers(core)

core.setup {
  source = source,
  boxes = box.boxes,
  fills = fills,
  classify = box.classify,
  to_pointer = box.to_pointer,
  unknown_name = unknown_name,
  print = printing.format,
}

---@type ndbuf # meta.lua has it
local nd = { _VERSION = core.version }

for _, name in ipairs {
  "empty", "zeros", "ones", "full", "arange", "linspace", "eye",
  "zeros_like", "empty_like", "ones_like", "full_like",
  "random", "normal", "randint", "permutation", "seed",
  "wrap", "mmap", "device", "devices", "set_threads", "cuda", "memory",
  "concat", "stack", "allclose", "load", "save", "scope", "with_stream", "current_stream",
  "share", "attach",
} do
  nd[name] = core[name]
end
if shared then leaf.install_makers(core, shared, nd, source) end
for name, fn in pairs(core.computing) do nd[name] = fn end
for name, dtype in pairs(core.dtypes) do nd[name] = dtype end
nd.transfers = setmetatable({ forbid = core.forbid_transfers }, {
  __call = function(_, ...) return core.transfers(...) end,
})
nd.KiB, nd.MiB, nd.GiB = 2 ^ 10, 2 ^ 20, 2 ^ 30

-- Refuse surplus arguments, as the dispatcher in C does for its functions.
local function refuse_extra(name, ...)
  for i = 1, select("#", ...) do
    local extra = type((select(i, ...)))
    if extra ~= "nil" then -- a NULL of cdata equals nil
      core.fail("invalid_argument", name, ("unexpected extra argument (%s)"):format(extra))
    end
  end
end

-- C functions can neither make pointers nor tell quickly what they point to.
local void_pointer, address = ffi.typeof "void *", ffi.typeof "uintptr_t"

function nd.to_dlpack(array, options, extra)
  if extra ~= nil then refuse_extra("to_dlpack", extra) end
  local out = void_pointer()
  core.dlpack_out(out, array, options)
  return out
end

function nd.from_dlpack(tensor, options, extra)
  if ffi.istype(void_pointer, tensor) then tensor = tonumber(ffi.cast(address, tensor)) end
  return core.from_dlpack(tensor, options, extra)
end

--- nd.memory.report(): the memory of all devices in use; prints as bars.
function core.memory.report(...)
  refuse_extra("report", ...)
  return report.make(core)
end

arrow.open(core, nd, refuse_extra)
steps.open(nd)

core.device_metatable.methods.timeline = timeline.open(core, refuse_extra)

-- {=== arrays from cdata ===}

local ctypes = {
  bool = "bool",
  char = ffi.cast("char", -1) < 0 and "i8" or "u8", -- ARM's has no sign
  ["signed char"] = "i8", ["unsigned char"] = "u8",
  short = "i16", ["unsigned short"] = "u16",
  int = "i32", ["unsigned int"] = "u32",
  long = "i64", ["unsigned long"] = "u64",
  ["long long"] = "i64", ["unsigned long long"] = "u64",
  int8_t = "i8", int16_t = "i16", int32_t = "i32", int64_t = "i64",
  uint8_t = "u8", uint16_t = "u16", uint32_t = "u32", uint64_t = "u64",
  float = "f32", double = "f64",
  complex = "c128", ["complex float"] = "c64", ["complex double"] = "c128",
}

-- The dtype and shape of a cdata array such as "float [3][4]"; nil for any other cdata.
local function describe_cdata(x)
  local element, dims = box.ctype_of(x):match "^(.-)%s*(%[.*%])$"
  local dtype = element and ctypes[(element:gsub("^const ", ""))]
  if not dtype then return end
  local shape = {}
  for n in dims:gmatch "%[(%d*)%]" do
    shape[#shape + 1] = tonumber(n) or false
  end
  if shape[1] == false or dims:find "%?" then -- of variable length: only its size is known
    shape = { ffi.sizeof(x) / core.dtypes[dtype].itemsize }
  end
  return dtype, shape
end

local make_array = core.array
--- nd.array(values [, dtype] [, device] [, opts]): nested tables, a number, another array or a
-- cdata array, copied.
function nd.array(values, ...)
  if type(values) == "cdata" then
    local dtype, shape = describe_cdata(values)
    if dtype then
      local copy = core.wrap(values, dtype, shape, { owner = values, readonly = true }):clone()
      if select("#", ...) == 0 then return copy end
      return make_array(copy, ...)
    end
  end
  return make_array(values, ...)
end

--- nd.asarray(x [, …]): x itself if it is an array already, else nd.array(x, …).
function nd.asarray(x, ...)
  if type(x) == "cdata" then return nd.array(x, ...) end
  return core.asarray(x, ...)
end

--- nd.f32 {1, 2, 3}: nd.array with that dtype.
function core.dtype_metatable.__call(dtype, values, ...)
  if type(dtype) ~= "userdata" or getmetatable(dtype) ~= "ndbuf.dtype" then
    core.fail("type_mismatch", "self", "expected a dtype, got " .. names.kind(dtype))
  end
  return nd.array(values, dtype, ...)
end

--- nd.frombytes(bytes [, dtype] [, shape] [, device] [, opts]): a copy of the bytes of a Lua string
-- or string.buffer; dtype u8 by default.
function nd.frombytes(bytes, ...)
  if type(bytes) == "userdata" and tostring(getmetatable(bytes)):find "buffer" then
    bytes = tostring(bytes)
  end
  return core.frombytes(bytes, ...)
end

function nd.records(bytes, fields, opts, ...)
  refuse_extra("records", ...)
  return records.make(nd, core, bytes, fields, opts)
end

function nd.printoptions(options, ...)
  refuse_extra("printoptions", ...)
  return printing.options(core.fail, options)
end

-- Add to 'info' the CUDA version and devices, and what is missing, each with the reason.
local function add_cuda(info)
  local fine, why = core.cuda.available()
  for _, name in ipairs { "pinned", "cuda", "managed" } do info.missing[name] = why end
  if not fine then return end
  local facts = core.cuda_facts()
  info.cuda = ("%d.%d"):format(facts.version / 1000, facts.version % 1000 / 10)
  info.pinned_fallbacks = facts.pinned_fallbacks
  for i, device in ipairs(facts) do
    local name = "cuda:" .. i - 1
    if not device.pools then info.missing["pools of " .. name] = "the driver has none" end
    if not device.managed then info.missing["managed of " .. name] = "the device has none" end
  end
end

-- The libraries that formats need: the version of each that is there, else the reason.
local function add_libraries(info)
  local i = 0
  local name, found, text = core.library(i)
  while name do
    if found then info.libraries[#info.libraries + 1] = text and name .. " " .. text or name
    else info.missing[name] = text end
    i = i + 1
    name, found, text = core.library(i)
  end
end

-- Who multiplies large matrices of floats, and who factorises matrices.
local function add_blas(info)
  local is_there, text, multiplies = core.blas()
  if not is_there then info.blas, info.missing.BLAS = "ndbuf", text
  else info.blas = multiplies and text or "ndbuf; there is " .. text end
  is_there, text = core.lapack()
  if is_there then info.lapack = text else info.missing.LAPACK = text end
end

--- nd.info(): versions, devices and features, and why each missing one is missing. Prints as text.
function nd.info(...)
  refuse_extra("info", ...)
  local info = {
    version = core.version,
    abi = core.abi,
    luajit = jit.version,
    jit = jit.status() and "on" or "off: element access goes through C",
    platform = jit.os .. " " .. jit.arch,
    devices = {},
    libraries = {},
    threads = core.stats().threads,
    missing = {},
  }
  for i, device in ipairs(core.devices()) do info.devices[i] = device.name end
  add_cuda(info)
  add_libraries(info)
  add_blas(info)
  info.fft, info.missing.FFTW = fft.describe()
  return setmetatable(info, { __tostring = function(self)
    local lines = {
      ("ndbuf %s (ABI %d), %s, JIT %s, %s"):format(
        self.version, self.abi, self.luajit, self.jit, self.platform),
      ("devices: %s; threads: %d"):format(table.concat(self.devices, ", "), self.threads),
      "products of matrices by " .. self.blas,
      "Fourier transforms by " .. self.fft,
    }
    if self.lapack then lines[#lines + 1] = "factorisations by " .. self.lapack end
    if #self.libraries > 0 then
      lines[#lines + 1] = "libraries: " .. table.concat(self.libraries, ", ")
    end
    if self.cuda then lines[#lines + 1] = "CUDA driver: " .. self.cuda end
    local lacking = {}
    for name in pairs(self.missing) do lacking[#lacking + 1] = name end
    table.sort(lacking)
    for _, name in ipairs(lacking) do
      lines[#lines + 1] = ("no %s: %s"):format(name, self.missing[name])
    end
    return table.concat(lines, "\n")
  end })
end

-- {=== methods that are Lua ===}

local function next_row(a, i)
  i = i + 1
  if i <= a:dim(1) then return i, a[i] end
end

--- for i, v in a:iter() do: along axis 1, elements of a 1-D array, else views.
local function iter(a, ...)
  refuse_extra("iter", ...)
  local _ = #a -- raises for 0-d
  return next_row, a, 0
end

--- The elements of a 1-D array (views of axis 1 otherwise) as several values.
local function unpack_array(a, ...)
  refuse_extra("unpack", ...)
  local n = #a
  if n > 7000 then core.fail("capacity", "unpack", ("%d values; the limit is 7000"):format(n)) end
  if a.ndim == 1 then return unpack(a:totable(), 1, n) end
  local list = {}
  for i = 1, n do list[i] = a[i] end
  return unpack(list, 1, n)
end

spacing.open(core, nd)
draws.open(core, nd)
fft.open(core, nd)
for _, methods in ipairs {
  { iter = iter, unpack = unpack_array, to_arrow = nd.to_arrow }, counting.open(core, nd),
  grids.open(core, nd), pieces.open(core, nd), nearness.open(core, nd), covariance.open(core, nd),
  nans.open(core, nd),
  linalg.open(core, nd, factors.open(core, nd,
    { norm = norm.open(nd), einsum = einsum.open(nd) })),
} do
  for name, fn in pairs(methods) do
    local method = read.method(fn)
    for _, mt in pairs(core.metatables) do mt.methods[name] = method end
  end
end

rows.install(core)

return nd
