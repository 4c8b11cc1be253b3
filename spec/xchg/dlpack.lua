-- DLPack as another library of the process has it, by FFI: for scripts that run in this process or
-- another.
--   local D = dofile "spec/xchg/dlpack.lua"
--   local t = D.of(nd.to_dlpack(a))     -- its fields
local ffi = require "ffi"

ffi.cdef [[
  typedef struct { void *data; int32_t type, id, ndim; uint8_t code, bits; uint16_t lanes;
    int64_t *shape, *strides; uint64_t byte_offset; } spec_tensor;
  typedef struct spec_old { spec_tensor tensor; void *context; void (*deleter)(struct spec_old *);
  } spec_old;
  typedef struct spec_versioned { uint32_t major, minor; void *context;
    void (*deleter)(struct spec_versioned *); uint64_t flags; spec_tensor tensor; } spec_versioned;
]]

local D = {}

--- What to_dlpack made, with its fields; the older form where versioned is false.
function D.of(pointer, versioned)
  return ffi.cast(versioned == false and "spec_old *" or "spec_versioned *", pointer)
end

function D.delete(made) made.deleter(made) end

--- A tensor of another library: extents, strides (or nil) in elements, type and id of the device.
-- Returns it as a pointer, and what has to be kept until its end. Without a deleter, as LuaJIT's
-- callbacks may not run on every thread.
function D.make(data, code, bits, shape, strides, type, id)
  local n = #shape
  local kept = {
    ffi.new "spec_versioned", ffi.new("int64_t[?]", n + 1, shape),
    strides and ffi.new("int64_t[?]", n + 1, strides),
  }
  local made = kept[1]
  made.major, made.minor = 1, 1
  local t = made.tensor
  t.data = ffi.cast("void *", data)
  t.type, t.id, t.ndim, t.code, t.bits, t.lanes = type or 1, id or 0, n, code, bits, 1
  t.shape, t.strides = kept[2], kept[3] or nil
  return ffi.cast("void *", made), kept
end

return D
