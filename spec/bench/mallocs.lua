--- The peers of ndbuf's host memory: malloc and free of the C library, of mimalloc and of jemalloc.
-- The latter two are opened at run time; their packages are in tools/setup.sh.
local ffi = require "ffi"

local mallocs = {}

ffi.cdef [[
  void *malloc(size_t bytes);
  void free(void *at);
  const char *gnu_get_libc_version(void);
  void *mi_malloc(size_t bytes);
  void mi_free(void *at);
  int mi_version(void);
  int mallctl(const char *name, void *old, size_t *old_bytes, void *new, size_t new_bytes);
  struct bench_symbol { const char *file; void *base; const char *name; void *at; };
  int dladdr(const void *at, struct bench_symbol *out);
]]

-- For each: its file; its functions and its version. A library that is opened by ffi.load stays out
-- of the way of the others: only its own handle finds its malloc.
local makers = {
  {"malloc", nil, function()
    return ffi.C.malloc, ffi.C.free, "glibc " .. ffi.string(ffi.C.gnu_get_libc_version())
  end},
  {"mimalloc", "libmimalloc.so.2", function(library)
    local n = library.mi_version()
    return library.mi_malloc, library.mi_free,
      ("mimalloc %d.%d.%d"):format(n / 100, n / 10 % 10, n % 10)
  end},
  {"jemalloc", "libjemalloc.so.2", function(library)
    local out, bytes = ffi.new "const char *[1]", ffi.new("size_t[1]", ffi.sizeof "void *")
    assert(library.mallctl("version", out, bytes, nil, 0) == 0)
    return library.malloc, library.free, "jemalloc " .. ffi.string(out[0]):match "^[%d.]+"
  end},
}

-- The library; nil and why it cannot be opened.
local function open(file)
  if not file then return ffi.C end
  local fine, library = pcall(ffi.load, file)
  if fine then return library end
  -- jemalloc's variables of threads want room that glibc reserves at the start, if it is told to
  return nil, tostring(library):find "static TLS" and "not loadable without GLIBC_TUNABLES" or
    "not installed"
end

--- The file that a function of C is in.
function mallocs.file_of(fn)
  local symbol = ffi.new "struct bench_symbol"
  assert(ffi.C.dladdr(ffi.cast("void *", fn), symbol) ~= 0)
  return ffi.string(symbol.file)
end

--- A list: {name =, malloc =, free =, version =, why =}; with 'why' instead of functions for what
-- cannot be opened.
function mallocs.open()
  local list = {}
  for i, maker in ipairs(makers) do
    local library, why = open(maker[2])
    local m = {name = maker[1], why = why}
    if library then m.malloc, m.free, m.version = maker[3](library) end
    m.library = library -- stays open
    list[i] = m
  end
  return list
end

return mallocs
