--- Arrow's structures for scripts: a:to_arrow, nd.to_arrow, nd.from_arrow, and streams. They are
-- cdata that release what they hold when they are collected, unless somebody has moved that out.
local ffi = require "ffi"

local arrow = {}

-- Each by itself: another module of the process may have declared some of them.
local DECLARATIONS = {
  [[struct ArrowSchema {
      const char *format, *name, *metadata;
      int64_t flags, n_children;
      struct ArrowSchema **children, *dictionary;
      void (*release)(struct ArrowSchema *);
      void *private_data;
    };]],
  [[struct ArrowArray {
      int64_t length, null_count, offset, n_buffers, n_children;
      const void **buffers;
      struct ArrowArray **children, *dictionary;
      void (*release)(struct ArrowArray *);
      void *private_data;
    };]],
  [[struct ArrowArrayStream {
      int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
      int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
      const char *(*get_last_error)(struct ArrowArrayStream *);
      void (*release)(struct ArrowArrayStream *);
      void *private_data;
    };]],
  [[struct ArrowDeviceArray {
      struct ArrowArray array;
      int64_t device_id;
      int32_t device_type;
      void *sync_event;
      int64_t reserved[3];
    };]],
}

local function release(it)
  if it.release ~= nil then it.release(it) end
end

local function release_device(it) release(it.array) end

-- By name a structure's type. Made when first used: few scripts need them.
local types

local function declare()
  if types then return types end
  for _, text in ipairs(DECLARATIONS) do pcall(ffi.cdef, text) end
  types = {}
  for _, name in ipairs { "Schema", "Array", "ArrayStream", "DeviceArray" } do
    types[name] = ffi.typeof("struct Arrow" .. name)
  end
  return types
end

-- Zeroed, so that it counts as released.
local function make(name)
  return ffi.gc(declare()[name](), name == "DeviceArray" and release_device or release)
end

local function address_of(it) return tonumber(ffi.cast("uintptr_t", ffi.cast("void *", it))) end

local fail -- set by open

-- A structure of that type, a pointer to one, or an address as a number: the address. Another one
-- of Arrow's is refused, as its members would be taken for others.
local function to_address(it, what, wanted)
  if type(it) ~= "cdata" then return it end
  for name, of in pairs(declare()) do
    local is_one = ffi.istype(of, it) -- or a pointer to one
    if is_one and name ~= wanted then
      fail("type_mismatch", what,
        ("expected a struct Arrow%s, got a struct Arrow%s"):format(wanted, name))
    end
    if is_one then return address_of(it) end
  end
  return it
end

local function open_out(core, nd, refuse_extra)
  local function export(what, name)
    local schema, array = make "Schema", make(name)
    local copied = core.arrow_out(what, address_of(schema), address_of(array),
      name == "DeviceArray")
    return schema, array, copied
  end

  --- to_arrow(array) or to_arrow {name = array, …}: a schema, an array, and whether bytes were
  -- copied.
  function nd.to_arrow(what, ...)
    refuse_extra("to_arrow", ...)
    return export(what, "Array")
  end

  function nd.to_arrow_device(what, ...)
    refuse_extra("to_arrow_device", ...)
    return export(what, "DeviceArray")
  end

  function nd.to_arrow_stream(columns, options, ...)
    refuse_extra("to_arrow_stream", ...)
    local stream = make "ArrayStream"
    local copied = core.arrow_stream_out(columns, address_of(stream), options)
    return stream, copied
  end
end

local function open_in(core, nd, refuse_extra)
  -- The structures themselves go along: with their addresses alone the collector may release what
  -- nobody refers to any more.
  local function import(schema, array, name)
    return core.arrow_in(to_address(schema, "schema", "Schema"), to_address(array, "array", name),
      name == "DeviceArray", schema, array)
  end

  -- What to_arrow and the others say besides is no surplus.
  local function refuse_rest(name, copied, ...)
    if type(copied) == "boolean" then return refuse_extra(name, ...) end
    refuse_extra(name, copied, ...)
  end

  --- An array and which of its elements are not null, or nil where all are; of a struct a table of
  -- arrays by name, and one of the latter.
  function nd.from_arrow(schema, array, ...)
    refuse_rest("from_arrow", ...)
    return import(schema, array, "Array")
  end

  function nd.from_arrow_device(schema, array, ...)
    refuse_rest("from_arrow_device", ...)
    return import(schema, array, "DeviceArray")
  end

  --- for columns, validity in nd.from_arrow_stream(stream) do
  function nd.from_arrow_stream(stream, ...)
    refuse_rest("from_arrow_stream", ...)
    local reader = core.arrow_stream_in(to_address(stream, "stream", "ArrayStream"), stream)
    return function() return core.arrow_next(reader) end
  end
end

--- Adds the functions to nd.
function arrow.open(core, nd, refuse_extra)
  fail = core.fail
  open_out(core, nd, refuse_extra)
  open_in(core, nd, refuse_extra)
end

return arrow
