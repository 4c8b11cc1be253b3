-- Made by 'make docs' from docs/reference/; 'make lint-names' sees that it is.
-- For each section its name, title, introduction and entries: {keys, text}.
-- luacheck: ignore
return {
{name = "everywhere", title = "What holds everywhere", text = [=[
Every public name, in the order in which one meets them. nd is require "ndbuf", a and b
are arrays, dtype and dev objects such as nd.f32 and nd.device "cpu", e what a failure
raises.

The same is at the prompt, ?narrow in ndbuf or print(require "ndbuf.help" "narrow"), and
in editors with lua-language-server, whose workspace.library has the folder where
ndbuf/meta.lua is. All of it is made from these pages.

How to read an entry

The heading is the call; what stands in brackets may be left out: [, axis] by itself, of
[, rtol [, atol]] the second only with the first. Below it are the arguments with their
types and limits, what is returned, and what is raised, each with a call that raises it.
In these calls a is nd.array {{1, 2, 3}, {4, 5, 6}}.

Each example runs as it stands, and so does each call that raises. -- => shows a value,
of an array only its elements where nothing else is of interest; -- => error: shows how
a message begins.

type                    what is taken
integer                 a whole number; int64_t and uint64_t cdata too
number                  any number; such cdata up to 2^53
shape                   0 to 16 extents of 0 or more, as a table or plainly: {2, 3} or
                        2, 3
integers                likewise axes or counts: {2, 1} or 2, 1
dtype                   its name or its object: "f32", nd.f32
device                  its name or its object: "cpu", "disk:PATH"
value                   an element as it is in Lua: a number, a boolean, 64-bit or
                        complex cdata
values                  a value, a nested table of values, an array
index                   what may stand in brackets: see indexing
array, table, string …  what they are called; integer[] is a table of integers

What holds everywhere

- Axes and indices count from 1; negative ones count from the end; ranges include both
  ends. Nothing is clamped: what lies outside is an error.
- opts is an optional last table. An option that is not known is an error.
- A view shares the memory of its array, a copy does not; every entry says which it
  returns. What is computed from a mapped or wrapped array lies on the cpu.
- Each failure is an error object with the caller's line. A call that is refused has
  changed nothing.

Every function raises these, which the entries do not repeat, and a long call that
Ctrl-C stops interrupted:

  raises   type_mismatch where an argument has the wrong type
           invalid_argument where an integer has a fraction; where a name or an option
           is not known
           not_representable where a number is wanted and 64-bit cdata is past 2^53
           freed where elements are asked for whose memory was freed
           overflow where a shape has more bytes than there are addresses
           out_of_memory after all that could be collected was
]=], entries = {
}},
{name = "dtypes", title = "Dtypes", text = [[
A dtype says what an element is. Everywhere its name, "f32", and its object, nd.f32, do
the same.

dtype                           an element in Lua is
bool                            a boolean
i8 u8 i16 u16 i32 u32           a number
i64 u64                         int64_t, uint64_t cdata: a Lua number would lose them
                                past 2^53
f16 bf16 f32 f64 f8e4m3 f8e5m2  a number
c64 c128                        complex float, complex double cdata, with .re and .im

Conversion is the same for stores, copies and casts. To an integer: truncated toward
zero, then saturated to its range; NaN becomes 0. To bool: x ≠ 0, NaN is true. To a
float: rounded to nearest even, once; what is too large becomes infinity (in f8e4m3,
which has none, ±448). Real to complex: the imaginary part is 0. Complex to real is a
type_mismatch that names .real.

Saturation is about conversion only. Arithmetic on arrays, which comes later, will wrap
on integers modulo 2^n, as in C and NumPy.
]], entries = {
{{"nd.bool", "nd.i8", "nd.u8", "nd.i16", "nd.u16", "nd.i32", "nd.u32", "nd.i64", "nd.u64", "nd.f16", "nd.bf16", "nd.f32", "nd.f64", "nd.c64", "nd.c128", "nd.f8e4m3", "nd.f8e5m2"}, [[
nd.bool nd.i8 nd.u8 nd.i16 nd.u16 nd.i32 nd.u32 nd.i64 nd.u64 nd.f16 nd.bf16 nd.f32
nd.f64 nd.c64 nd.c128 nd.f8e4m3 nd.f8e5m2

  The dtype objects.

  returns  dtype object: tostring of it is the name
  raises   invalid_argument for a field that it has not

  nd.zeros(2, nd.f32).dtype   -- => f32
  tostring(nd.bf16)           -- => bf16
]]},
{{"dtype(values [, device] [, opts])"}, [[
dtype(values [, device] [, opts])

  Calling one makes an array of it: nd.f32 {1, 2} is nd.array({1, 2}, "f32").

  values          values | cdata: as for nd.array
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: of the shape of the values; a copy
  raises          shape_mismatch for ragged rows
                  type_mismatch for complex values and a real dtype
                  device_not_found for cuda and managed
                  unsupported for pinned
                  io where the file cannot be made

  nd.f32 {1, 2, 3}            -- => f32 3 cpu [1, 2, 3]
  nd.u8 {300, -5, 1.9, 0/0}   -- => [255, 0, 1, 0]
  nd.i64 {7}[1]               -- => 7LL
  nd.c64 {7}[1].re            -- => 7
]]},
{{"dtype.name", "dtype.kind"}, [[
dtype.name dtype.kind

  The name, and what it is of: bool, int, uint, float or complex.

  returns  string: one of these

  nd.f16.name, nd.f16.kind    -- => f16, float
]]},
{{"dtype.itemsize"}, [[
dtype.itemsize

  The bytes of an element.

  returns  integer: 1 to 16

  nd.f16.itemsize             -- => 2
]]},
}},
{name = "making", title = "Making arrays", text = [[
After a shape or a value come a dtype, a device and opts, in this order, each as one
likes:

  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  raises          invalid_argument for a dtype or device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made
]], entries = {
{{"nd.array"}, [=[
nd.array(values [, dtype] [, device] [, opts])

  A new array with copies of the values: nested tables, a number, another array, or a
  cdata array such as ffi.new("float[3][4]").

  values          values | cdata: tables nested up to 16 deep, all rows of a level
                  equally long
  dtype           dtype: that of the array or cdata array given, else "f64"
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: of the shape of the values; a copy
  raises          shape_mismatch for ragged rows, which it names
                  type_mismatch for a string; for complex values and a real dtype
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.array({{1, 2}, {3, 4}}, "i16")       -- => i16 2x2 cpu [[1, 2], [3, 4]]
  nd.array(require "ffi".new("float[2]", 5))  -- => f32 2 cpu [5, 5]
  nd.array {{1, 2}, {3}}                  -- => error: table[2]: the row has 1 elements where others
]=]},
{{"nd.asarray"}, [[
nd.asarray(values [, dtype] [, device] [, opts])

  The array itself if it is one, whatever follows; else as nd.array.

  values          values | cdata: as for nd.array
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: the one given, or a new one
  raises          shape_mismatch for ragged rows
                  type_mismatch for a string
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  local a = nd.zeros(2)
  nd.asarray(a) == a                      -- => true
  nd.asarray {1, 2}                       -- => [1, 2]
]]},
{{"nd.zeros", "nd.ones", "nd.empty"}, [=[
nd.zeros(shape [, dtype] [, device] [, opts])
nd.ones(shape [, dtype] [, device] [, opts])
nd.empty(shape [, dtype] [, device] [, opts])

  Filled with 0, with 1, or not at all: empty is lazy, its memory comes with the first
  use, and what is in it is not known.

  shape           shape: the extents; {} makes a 0-d array, which is one element
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new
  raises          invalid_argument for a negative extent or more than 16; for a dtype or
                  device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
  nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
  nd.empty({480, 640}, "u8").is_allocated -- => false
]=]},
{{"nd.full"}, [=[
nd.full(shape, value [, dtype] [, device] [, opts])

  Filled with a value.

  shape           integer[] | integer: the extents as a table, or that of a single axis
  value           value: converted to the dtype
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new
  raises          invalid_argument for a negative extent or more than 16; for a dtype or
                  device that is not known
                  type_mismatch for a complex value and a real dtype
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.full({2, 2}, 7, "u16")               -- => u16 2x2 cpu [[7, 7], [7, 7]]
]=]},
{{"nd.zeros_like", "nd.ones_like", "nd.empty_like"}, [=[
nd.zeros_like(a [, dtype] [, device] [, opts])
nd.ones_like(a [, dtype] [, device] [, opts])
nd.empty_like(a [, dtype] [, device] [, opts])

  As nd.zeros, nd.ones and nd.empty, of the shape of another array.

  a               array: gives the shape
  dtype           dtype: that of a unless named
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, on the cpu unless a device is named
  raises          invalid_argument for a dtype or device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
]=]},
{{"nd.full_like"}, [=[
nd.full_like(a, value [, dtype] [, device] [, opts])

  As nd.full, of the shape of another array.

  a               array: gives the shape
  value           value: converted to the dtype
  dtype           dtype: that of a unless named
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, on the cpu unless a device is named
  raises          type_mismatch for a complex value and a real dtype
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.full_like(nd.zeros(2, 2, "i8"), 3)   -- => i8 2x2 cpu [[3, 3], [3, 3]]
]=]},
{{"nd.arange"}, [[
nd.arange(n [, dtype] [, device] [, opts])
nd.arange(first, last [, step] [, dtype] [, device] [, opts])

  The numbers 1 … n, or those from first in steps, the last one included when a whole
  step reaches it. A range that runs against its step is empty.

  n               number: the last one
  first           number: finite
  last            number: finite
  step            number = 1: finite, not 0
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, 1-D, of max(0, floor((last - first) / step) + 1) elements
  raises          invalid_argument for a step of 0, infinities and NaN; for a dtype or
                  device that is not known
                  overflow where there are too many
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.arange(4)                            -- => [1, 2, 3, 4]
  nd.arange(0, 1, 0.25, "f32")            -- => f32 5 cpu [0, 0.25, 0.5, 0.75, 1]
  nd.arange(3, 1, -1)                     -- => [3, 2, 1]
]]},
{{"nd.linspace"}, [[
nd.linspace(first, last, n [, dtype] [, device] [, opts])

  Numbers at equal distances; both ends exactly.

  first           number: finite
  last            number: finite
  n               integer: how many, 0 or more; 1 is first alone
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, 1-D
  raises          invalid_argument for ends that are not finite, and a negative n; for a
                  dtype or device that is not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.linspace(0, 1, 3)                    -- => [0, 0.5, 1]
]]},
{{"nd.eye"}, [=[
nd.eye(n [, columns] [, dtype] [, device] [, opts])

  Ones on the diagonal, zeros elsewhere.

  n               integer: rows, 0 or more
  columns         integer = n: 0 or more
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, 2-D
  raises          invalid_argument for a negative number; for a dtype or device that is
                  not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.eye(2)                               -- => [[1, 0], [0, 1]]
]=]},
{{"nd.random", "nd.normal"}, [[
nd.random([shape] [, dtype] [, device] [, opts])
nd.normal([shape] [, dtype] [, device] [, opts])

  Uniform in [0, 1), and normal with mean 0 and deviation 1. Philox 4x32-10: the same
  numbers on every device.

  shape           shape = {}: the extents; without them a 0-d array
  dtype           dtype = "f64": or f32, f16, bf16
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.seed       integer: the numbers of this seed; without it the next ones of the
                  running sequence, which nd.seed restarts
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new
  raises          invalid_argument for a negative extent; for a dtype or device that is
                  not known
                  type_mismatch for any other dtype
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  local x = nd.random({3}, "f32", {seed = 1})
  x.dtype, x.size                         -- => f32, 3
  x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
]]},
{{"nd.randint"}, [[
nd.randint(lo, hi [, shape] [, dtype] [, device] [, opts])

  Integers from lo to hi, both included.

  lo              integer: that the dtype holds
  hi              integer: the same, lo or more
  shape           shape = {}: the extents; without them a 0-d array
  dtype           dtype = "i64": of integers
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.seed       integer: as for nd.random
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new
  raises          invalid_argument for lo above hi; for what the dtype does not hold;
                  for a dtype or device that is not known
                  type_mismatch for a dtype of no integers
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.randint(5, 5, {3}, "u8")             -- => u8 3 cpu [5, 5, 5]
]]},
{{"nd.permutation"}, [[
nd.permutation(n [, device] [, opts])

  1 … n in random order.

  n               integer: 0 or more
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype = "i64": no other
  opts.seed       integer: as for nd.random
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, 1-D, i64
  raises          invalid_argument for a negative n; for a dtype or device that is not
                  known
                  type_mismatch for another dtype
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.permutation(1)                       -- => i64 1 cpu [1]
]]},
{{"nd.seed"}, [[
nd.seed(n)

  Restarts the running sequence of random numbers. At load it is seeded by the time.

  n        integer: any
  returns  nothing

  nd.seed(42)
  local x = nd.random(3)
  nd.seed(42)
  x:equal(nd.random(3))                   -- => true
]]},
{{"nd.frombytes"}, [=[
nd.frombytes(bytes [, dtype] [, shape] [, device] [, opts])

  A copy of raw bytes.

  bytes           string | userdata: a Lua string or a LuaJIT string buffer
  dtype           dtype = "u8": what they are
  shape           shape: all of them along one axis unless given
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new
  raises          size_mismatch where they do not fill the shape
                  invalid_argument for a negative extent; for a dtype or device that is
                  not known
                  device_not_found for cuda and managed, which are not there yet
                  unsupported for pinned
                  io where the file cannot be made

  nd.frombytes("\1\0\2\0", "u16")         -- => u16 2 cpu [1, 2]
  nd.frombytes("abcd", {2, 2})            -- => u8 2x2 cpu [[97, 98], [99, 100]]
  nd.frombytes("abc", "u16")              -- => error: bytes: 3 B are no multiple of u16's 2
]=]},
{{"nd.wrap"}, [=[
nd.wrap(pointer, dtype, shape [, opts])

  An array over memory of somebody else, without a copy. A bare pointer is trusted; of a
  cdata array the size is known, and checked.

  pointer        cdata: a pointer or an array
  dtype          dtype: what is there, whatever the pointer's type
  shape          shape: the extents, elements in row-major order
  opts.owner     any: kept alive as long as any view of it; without one the pointer's
                 own cdata is
  opts.readonly  boolean = false: refuses writes
  opts.device    device = "cpu": no other yet
  returns        array: a view of that memory
  raises         type_mismatch for other cdata
                 out_of_bounds for NULL, and arrays too small
                 invalid_argument for a negative extent or a file
                 device_not_found for cuda
                 unsupported for pinned

  local memory = require "ffi".new("double[4]", 1, 2, 3, 4)
  local w = nd.wrap(memory, "f64", {2, 2}, {owner = memory})
  memory[3] = 9
  w                                       -- => [[1, 2], [3, 9]]
]=]},
{{"nd.concat"}, [[
nd.concat(arrays [, axis])

  The arrays one after the other along an axis that they have.

  arrays   array[]: 1 to 2^20, with equal extents but along the axis; dtypes are
           promoted by NumPy's table: u8 and f32 give f32
  axis     integer = 1: 1 to ndim, or negative
  returns  array: a copy
  raises   shape_mismatch where other extents differ
           type_mismatch where there is no common dtype
           index_out_of_range for an axis that is not there
           invalid_argument for an empty table

  nd.concat {nd.ones(2), nd.zeros(1)}     -- => [1, 1, 0]
]]},
{{"nd.stack"}, [=[
nd.stack(arrays [, axis])

  The arrays beside one another along a new axis.

  arrays   array[]: 1 to 2^20 of one shape; dtypes are promoted as by nd.concat
  axis     integer = 1: of the result, 1 to ndim + 1, or negative
  returns  array: a copy with one axis more
  raises   shape_mismatch where shapes differ
           type_mismatch where there is no common dtype
           index_out_of_range for an axis that is not there
           invalid_argument for an empty table

  nd.stack({nd.ones(2), nd.zeros(2)}, 2)  -- => [[1, 0], [1, 0]]
]=]},
}},
{name = "looking", title = "Looking at arrays", text = [[
Fields cannot be assigned. An unknown field or method is an error that names the nearest
ones.
]], entries = {
{{"a.dtype"}, [[
a.dtype

  The dtype's name.

  returns  dtype name: a string
  raises   invalid_argument when it is assigned, as any field

  nd.zeros(2, "u8").dtype                 -- => u8
  nd.zeros(2).dtpe                        -- => error: an array has no field or method "dtpe"
]]},
{{"a.device"}, [[
a.device

  Where the elements are.

  returns  string: cpu, or disk:PATH for a mapped file

  nd.zeros(2).device                      -- => cpu
]]},
{{"a.shape", "a.byte_strides"}, [[
a.shape a.byte_strides

  The extents; and the distance from one element to the next along each axis, in bytes.
  A stride is negative in a reversed view, 0 in an expanded one.

  returns  integer[]: a fresh table, an entry for each axis

  local a = nd.zeros(3, 4)
  a.shape, a.byte_strides, a.T.byte_strides   -- => {3, 4}, {32, 8}, {8, 32}
]]},
{{"a.strides"}, [[
a.strides

  The distance from one element to the next along each axis, in elements.

  returns  number[]: a fresh table; with fractions for a field of a record, where it
           comes so

  nd.zeros(3, 4).strides                  -- => {4, 1}
  nd.arange(3)"-1:1:-1".strides           -- => {-1}
]]},
{{"a.ndim", "a.size", "a.itemsize", "a.nbytes"}, [[
a.ndim a.size a.itemsize a.nbytes

  Axes, elements, bytes of an element, bytes of all elements.

  returns  integer: 0 or more

  local a = nd.zeros(3, 4)
  a.ndim, a.size, a.itemsize, a.nbytes    -- => 2, 12, 8, 96
]]},
{{"a.offset", "a.total_bytes"}, [[
a.offset a.total_bytes

  Where the first element is, in bytes from the beginning of the storage; bytes of the
  whole storage.

  returns  integer: 0 or more

  local row = nd.zeros(3, 4)[2]
  row.offset, row.total_bytes             -- => 32, 96
]]},
{{"a.id", "a.storage_id"}, [[
a.id a.storage_id

  Of this handle, and of the memory, which all views of it share.

  returns  integer: never used again for another

  local a = nd.zeros(3, 4)
  a.T.id == a.id                          -- => false
  a.T.storage_id == a.storage_id          -- => true
]]},
{{"a.is_allocated", "a.is_contiguous", "a.is_view", "a.readonly"}, [[
a.is_allocated a.is_contiguous a.is_view a.readonly

  Whether there is memory yet; whether the elements lie in row-major order without gaps;
  whether this shows less than the storage, or in another order; whether writing is
  refused.

  returns  boolean

  local a = nd.zeros(3, 4)
  a.is_allocated, a.T.is_contiguous       -- => true, false
  a.is_view, a[1].is_view, a.readonly     -- => false, true, false
]]},
{{"a.T"}, [=[
a.T

  The axes reversed.

  returns  array: a view

  nd.array({{1, 2}, {3, 4}}).T            -- => [[1, 3], [2, 4]]
]=]},
{{"a.real", "a.imag"}, [[
a.real a.imag

  The parts of a complex array. Of a real one, real is the array itself.

  returns  array: a view, f32 of c64, f64 of c128
  raises   type_mismatch for imag of a real one

  local z = nd.zeros(2, "c64")
  z.real[1], z.imag[2] = 1, 5
  z                                       -- => [1+0i, 0+5i]
]]},
{{"a:dim"}, [[
a:dim(axis)

  One extent, without making a table.

  axis     integer: 1 to ndim, or negative
  returns  integer: 0 or more
  raises   index_out_of_range for an axis that is not there

  nd.zeros(3, 4):dim(-1)                  -- => 4
]]},
{{"#a"}, [[
#a

  The extent of axis 1.

  returns  integer: 0 or more
  raises   invalid_argument for a 0-d array

  #nd.zeros(3, 4)                         -- => 3
]]},
{{"a:equal"}, [[
a:equal(b)

  Whether both have one dtype, one shape and equal values; NaN equals nothing.

  b        array
  returns  boolean

  nd.f64 {1, 2}:equal(nd.f64 {1, 2})      -- => true
  nd.f64 {1, 2}:equal(nd.f32 {1, 2})      -- => false
  nd.f64 {0/0}:equal(nd.f64 {0/0})        -- => false
]]},
{{"a == b", "a < b"}, [[
a == b a < b

  Whether both are the same handle. There is no order: <, <=, > and >= are refused.

  b        array
  returns  boolean
  raises   unsupported for an order

  local a = nd.zeros(2)
  a == a, a == a:clone()                  -- => true, false
  a < a                                   -- => error: <: arrays have no order
]]},
{{"nd.allclose"}, [=[
nd.allclose(a, b [, rtol [, atol]])

  Whether |a - b| ≤ atol + rtol |b| for all elements, broadcast and promoted.

  a        array
  b        array
  rtol     number = 1e-5: 0 or more
  atol     number = 1e-8: 0 or more
  returns  boolean
  raises   shape_mismatch where they do not broadcast
           type_mismatch where there is no common dtype
           invalid_argument for a negative tolerance

  nd.allclose(nd.f64 {1}, nd.f64 {1 + 1e-9})  -- => true
  nd.allclose(nd.f64 {1}, nd.f64 {1.1})       -- => false
  nd.allclose(nd.f64 {1}, nd.f64 {1.1}, 0.2)  -- => true
]=]},
{{"a:iter"}, [[
a:iter()

  For loops along axis 1: the index, and the element of a 1-D array, a view otherwise.
  ipairs does not work on userdata in Lua 5.1.

  returns  function, array, integer: what for takes
  raises   invalid_argument for a 0-d array

  local sum = 0
  for i, x in nd.f64 {1, 2, 3}:iter() do sum = sum + i * x end
  sum                                     -- => 14
]]},
{{"a:unpack"}, [[
a:unpack()

  Along axis 1, all at once: elements of a 1-D array, views otherwise.

  returns  any …: up to 7000
  raises   invalid_argument for a 0-d array
           capacity for more than 7000

  nd.f64 {1, 2, 3}:unpack()               -- => 1, 2, 3
]]},
{{"tostring(a)"}, [[
tostring(a)

  What print(a) shows: dtype, shape and device, then the elements, of a large array only
  the edges.

  returns  string: lines without a last line feed

  print(nd.arange(3))                     -- => f64 3 cpu [1, 2, 3]
]]},
{{"nd.printoptions"}, [[
nd.printoptions([opts])

  How print(a) shows arrays. What is set stays.

  opts.threshold  integer = 1000: elements past which only the edges are shown, 1 to
                  2^31
  opts.edge       integer = 3: how many at each edge, 1 to 1000
  opts.precision  integer | boolean = false: digits, 1 to 17; false for as many as read
                  back
  returns         table: the options now in force
  raises          invalid_argument outside of these limits

  nd.printoptions {threshold = 5, edge = 2}
  nd.arange(10)                           -- => [1, 2, ..., 9, 10]
  nd.printoptions {threshold = 1000, edge = 3}.edge   -- => 3
]]},
{{"nd.info"}, [[
nd.info()

  What this is and has: version, abi, luajit, jit, platform, devices (a list), missing
  (reasons by name). Prints as text.

  returns  table: a fresh one

  nd.info().devices                       -- => {cpu}
  nd.info().missing.cuda ~= nil           -- => true
]]},
{{"nd.KiB", "nd.MiB", "nd.GiB"}, [[
nd.KiB nd.MiB nd.GiB

  2^10, 2^20, 2^30.

  returns  integer

  2 * nd.KiB, nd.MiB / nd.KiB             -- => 2048, 1024
]]},
{{"nd._VERSION"}, [[
nd._VERSION

  The version of the module.

  returns  string: such as 0.1.0

  nd._VERSION == nd.info().version        -- => true
]]},
}},
{name = "indexing", title = "Indexing", text = [[
All forms read and write. All axes given as integers name an element, a Lua value;
fewer, or ranges, name a view; masks and index arrays select a copy.

form                            what it names
a[3]                            the element of a 1-D array, else the view without axis 1
a(2, 3) · a()                   element or view; a() is the element of a 0-d array
a["2:5, :, -1"] · a"2:5, :, -1"  lo:hi, lo:hi:step; : all; ... the axes between; _ a new
                                axis
a[{ {2, 5}, {}, -1 }]           the same in tables: {lo, hi, step}, {} is all; strings
                                may stand in them
a[mask]                         a bool array of the shape of a, or of its first axes:
                                what is true
a[index]                        an integer array, 1-based: picked along axis 1

A string of only 0-9 : . , _ + - and blanks is a slice, any other a name. Axes that are
not mentioned are taken whole. lo:lo-1 is the empty range.

  raises   index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices
]], entries = {
{{"a[index]", "a(index)"}, [=[
a[index]
a(index)

  The element, view or copy that the index names.

  index    index: one of the forms above
  returns  any: an element, a view, or for masks and index arrays a copy
  raises   shape_mismatch for a mask of another shape
           type_mismatch for an array that is no mask and no index
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  local a = nd.arange(1, 12):reshape(3, 4)
  a[2]                                    -- => [5, 6, 7, 8]
  a"2:3, -1"                              -- => [8, 12]
  a"-1:1:-2, :2"                          -- => [[9, 10], [1, 2]]
  a[{ {2, 3}, -1 }]                       -- => [8, 12]
  a"3:2".shape                            -- => {0, 4}
  a[nd.array({true, false, true}, "bool")]    -- => [[1, 2, 3, 4], [9, 10, 11, 12]]
  a[nd.array({3, 3}, "i64")]              -- => [[9, 10, 11, 12], [9, 10, 11, 12]]
  a[12]                                   -- => error: index 12 is out of range for axis 1
  a"3:1"                                  -- => error: range 3:1 runs against its step 1
]=]},
{{"a[index] = values"}, [=[
a[index] = values

  Writes there what is assigned: converted, saturating, and broadcast.

  index    index: one of the forms above
  values   values: a value, a table or an array
  returns  nothing
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for complex values and a real array
           read_only for a read-only array
           overlap where its elements overlap
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  local a = nd.zeros(2, 3)
  a[1], a["2, 1:2"] = {1, 2, 3}, 9
  a                                       -- => [[1, 2, 3], [9, 9, 0]]
  a[nd.array({true, false}, "bool")] = 7
  a                                       -- => [[7, 7, 7], [9, 9, 0]]
]=]},
{{"a:get", "a(i, …)"}, [[
a:get(i, …)
a(i, …)

  The element at these indices, or the view with fewer of them. Like a[i] they compile
  to machine code in loops.

  i        index: an integer for each axis from 1 on; ranges and slice strings too; a
           single one may be whatever stands in brackets
  returns  any: an element or a view
  raises   shape_mismatch for a mask of another shape
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  local a = nd.arange(1, 6):reshape(2, 3)
  a:get(2, -1), a(1, 1)                   -- => 6, 1
  a(2)                                    -- => [4, 5, 6]
  a(3, 1)                                 -- => error: index 3 is out of range for axis 1 of size 2
]]},
{{"a:set"}, [=[
a:set(i, …, value)

  Writes the element at these indices, or all of the view with fewer of them. It
  compiles too.

  i        index: as for a:get
  value    values: converted, saturating, and broadcast
  returns  nothing
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for a complex value and a real array
           read_only for a read-only array
           overlap where its elements overlap
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  local a = nd.zeros(2, 2, "u8")
  a:set(1, 2, 300)
  a                                       -- => [[0, 255], [0, 0]]
]=]},
{{"a:slice"}, [[
a:slice(index)

  As a[index], but always a view: 0-d where a[index] would be the element.

  index    string | table: a slice string, or the same in a table
  returns  array: a view
  raises   index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  local a = nd.zeros(2, 3)
  a:slice({1, 1}).ndim                    -- => 0
  a:slice "1, _, 2:3".shape               -- => {1, 2}
]]},
{{"a:take"}, [=[
a:take(index [, axis])

  What integers pick along an axis.

  index    integer | integer[] | array: 1-based, negative from the end; a table may be
           nested
  axis     integer = 1: 1 to ndim, or negative
  returns  array: a copy; the axes of index stand in place of the axis
  raises   type_mismatch for an array of no integers
           not_representable for fractions in a table
           shape_mismatch for a ragged table
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  local a = nd.arange(1, 6):reshape(2, 3)
  a:take({3, 1}, 2)                       -- => [[3, 1], [6, 4]]
  a:take(-1)                              -- => [4, 5, 6]
  a:take {3}                              -- => error: take: index 3 (position 1) is out of range
]=]},
{{"a:put"}, [[
a:put(index, values)

  Writes to where integers point along axis 1; the last of several for one place stays.
  Every index is checked before the first write.

  index    integer | integer[] | array: as for a:take
  values   values: converted, and broadcast to the shape that a:take(index) has
  returns  array: a
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for an index of no integers, and complex values
           not_representable for fractions in a table
           read_only for a read-only array
           overlap where its elements overlap
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  nd.zeros(4):put({2, -1}, {5, 6})        -- => [0, 5, 0, 6]
]]},
{{"a:index_add"}, [[
a:index_add(axis, index, values)

  Adds to where integers point along an axis; several for one place all count.

  axis     integer: 1 to ndim, or negative
  index    integer | integer[] | array: as for a:take
  values   values: converted, and broadcast to the shape that a:take(index, axis) has
  returns  array: a
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for an index of no integers
           not_representable for fractions in a table
           read_only for a read-only array
           overlap where its elements overlap
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and too many indices

  nd.zeros(3):index_add(1, {1, 1, 3}, {1, 2, 3})  -- => [3, 0, 3]
]]},
}},
{name = "views", title = "Views", text = [[
None of these copies, ever: a view shows the memory of its array, and keeps it alive.
What cannot be a view is an error that names the copy. Views of read-only arrays are
read-only.
]], entries = {
{{"a:reshape"}, [=[
a:reshape(shape [, opts])

  The elements in row-major order under another shape. An array whose elements are not
  in such order is an error, since a silent copy would be no view any more.

  shape      shape: one extent may be -1, and follows from the others
  opts.copy  boolean = false: permits a copy where there can be no view
  returns    array: a view; with opts.copy, where it must be, a copy
  raises     size_mismatch where elements are left over
             invalid_view where it would be a copy
             invalid_argument for two of -1, and other negative extents

  local a = nd.arange(1, 6):reshape(2, -1)
  a                                       -- => [[1, 2, 3], [4, 5, 6]]
  a.T:reshape(6)                          -- => error: cannot view f64 (3x2) in another shape
  a.T:reshape({6}, {copy = true})         -- => [1, 4, 2, 5, 3, 6]
]=]},
{{"a:flatten"}, [[
a:flatten()

  All elements along one axis, in row-major order.

  returns  array: a view, 1-D
  raises   invalid_view where it would be a copy

  nd.array({{1, 2}, {3, 4}}):flatten()    -- => [1, 2, 3, 4]
]]},
{{"a:transpose"}, [=[
a:transpose()

  All axes reversed, as a.T.

  returns  array: a view
  raises   invalid_argument for any argument

  nd.array({{1, 2}, {3, 4}}):transpose()  -- => [[1, 3], [2, 4]]
]=]},
{{"a:permute"}, [[
a:permute(axes)

  The axes in the order named.

  axes     integers: each axis once
  returns  array: a view
  raises   invalid_argument where it is not each axis once
           index_out_of_range for an axis that is not there

  nd.zeros(2, 3, 4):permute(2, 1, 3).shape    -- => {3, 2, 4}
]]},
{{"a:swapaxes"}, [[
a:swapaxes(i, j)

  Two axes exchanged.

  i        integer: 1 to ndim, or negative
  j        integer: 1 to ndim, or negative
  returns  array: a view
  raises   index_out_of_range for an axis that is not there

  nd.zeros(2, 3, 4):swapaxes(1, -1).shape     -- => {4, 3, 2}
]]},
{{"a:narrow"}, [=[
a:narrow(axis, first, count)

  count entries of an axis.

  axis     integer: 1 to ndim, or negative
  first    integer: an index of the axis; for a count of 0 also the place past the last
  count    integer: 0 or more
  returns  array: a view
  raises   index_out_of_range outside of the axis
           invalid_argument for a negative count

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:narrow(2, 2, 2)                       -- => [[2, 3], [5, 6]]
]=]},
{{"a:select"}, [[
a:select(axis, i)

  One entry of an axis, without the axis.

  axis     integer: 1 to ndim, or negative
  i        integer: an index of the axis
  returns  array: a view, 0-d of a 1-D array
  raises   index_out_of_range outside of the axis

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:select(2, -1)                         -- => [3, 6]
]]},
{{"a:squeeze"}, [[
a:squeeze([axis])

  Without the axes of extent 1, or without that one.

  axis     integer: all of extent 1 unless given
  returns  array: a view
  raises   shape_mismatch for an axis of another extent
           index_out_of_range for an axis that is not there

  nd.zeros(1, 3, 1):squeeze().shape       -- => {3}
  nd.zeros(1, 3, 1):squeeze(1).shape      -- => {3, 1}
]]},
{{"a:unsqueeze"}, [[
a:unsqueeze(axis)

  With a new axis of extent 1 there.

  axis     integer: of the result, 1 to ndim + 1, or negative
  returns  array: a view
  raises   index_out_of_range for a place that is not there
           invalid_argument past 16 axes

  nd.zeros(3):unsqueeze(2).shape          -- => {3, 1}
]]},
{{"a:expand"}, [=[
a:expand(shape)

  Axes of extent 1, and new ones in front, repeated by a stride of 0.

  shape    shape: -1 keeps an extent
  returns  array: a view, read-only where it repeats: one element would be written in
           many places
  raises   shape_mismatch for an axis of another extent, and fewer axes
           invalid_argument for a negative extent, and -1 for a new axis

  nd.f64 {1, 2}:expand(2, -1)             -- => [[1, 2], [1, 2]]
]=]},
{{"a:unfold"}, [=[
a:unfold(axis, size [, step])

  Windows along an axis; a new last axis runs inside of them.

  axis     integer: 1 to ndim, or negative
  size     integer: entries of a window, 1 to the extent
  step     integer = 1: from one window to the next, 1 or more
  returns  array: a view; its elements overlap where step is less than size
  raises   index_out_of_range for a window larger than the axis
           invalid_argument for a size or step of 0

  nd.arange(5):unfold(1, 3, 2)            -- => [[1, 2, 3], [3, 4, 5]]
]=]},
{{"a:diagonal"}, [[
a:diagonal([k])

  The diagonal of the last two axes, as a new last axis.

  k        integer = 0: to the right; negative ones go down
  returns  array: a view with an axis less
  raises   shape_mismatch for fewer than 2 axes
           index_out_of_range for a diagonal outside

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:diagonal(), a:diagonal(-1)(1)         -- => f64 2 cpu [1, 5], 4
]]},
{{"a:flip"}, [=[
a:flip([axes])

  Reversed along axes.

  axes     integers: all unless given
  returns  array: a view
  raises   index_out_of_range for an axis that is not there

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:flip(2)                               -- => [[3, 2, 1], [6, 5, 4]]
  a:flip()                                -- => [[6, 5, 4], [3, 2, 1]]
]=]},
{{"a:bitcast"}, [[
a:bitcast(dtype)

  The same bytes as another dtype. With another size of element the last axis changes,
  and has to be contiguous.

  dtype    dtype
  returns  array: a view
  raises   size_mismatch where the last axis does not divide
           invalid_view where it is not contiguous, or not there

  nd.f32 {1}:bitcast "u32"                -- => [1065353216]
  nd.u16 {1, 2}:bitcast "u8"              -- => [1, 0, 2, 0]
]]},
{{"a:bytes"}, [=[
a:bytes([offset [, size]])

  The storage, not just this view of it, as bytes.

  offset   integer = 0: of the first byte, counted from 0
  size     integer: all that follow unless given
  returns  array: a view, 1-D, u8
  raises   out_of_bounds outside of the storage
           invalid_argument for a negative number

  nd.u16 {1, 2}:bytes(2, 2)               -- => [2, 0]
]=]},
{{"a:split"}, [[
a:split(axis, sizes)
a:split(axis, count)

  The parts of an axis: of these sizes, or that many, the first ones longer by one where
  it must be.

  axis     integer: 1 to ndim, or negative
  sizes    integer[]: which add up to the axis
  count    integer: 1 to 2^24
  returns  array[]: a table of views
  raises   size_mismatch where the sizes do not add up
           invalid_argument for a count of 0, and a negative size
           index_out_of_range for an axis that is not there

  nd.arange(5):split(1, 2)[1]             -- => [1, 2, 3]
  nd.arange(5):split(1, {1, 4})[2]        -- => [2, 3, 4, 5]
]]},
{{"a:as_strided"}, [=[
a:as_strided(shape, byte_strides [, offset])

  Any view of the storage.

  shape         integer[]: the extents
  byte_strides  integer[]: as many, of any sign
  offset        integer: of the first element, in bytes of the storage; that of a unless
                given
  returns       array: a view; one whose elements overlap cannot be written
  raises        out_of_bounds where it would reach outside
                shape_mismatch for more or fewer strides than extents
                invalid_argument for a negative extent

  nd.arange(6):as_strided({3, 2}, {16, 8}, 0)     -- => [[1, 2], [3, 4], [5, 6]]
]=]},
{{"a:readonly_view"}, [[
a:readonly_view()

  The same, for reading only.

  returns  array: a view

  nd.zeros(2, 3):readonly_view():fill(0)  -- => error: the f64 array (2x3) is read-only
]]},
{{"nd.records"}, [[
nd.records(bytes, fields [, opts])

  The fields of packed records, by name.

  bytes        array | string: contiguous, of any dtype; a string is copied
  fields       table: a list of {name, dtype}, packed in this order; a dtype name with
               be behind it, "u16be", is big-endian
  opts.offset  integer = 0: where the first record begins, in bytes
  opts.stride  integer: bytes from one record to the next; the sum of the fields unless
               given
  opts.count   integer: how many; all that fit unless given
  returns      table<string, array>: views, 1-D; of a big-endian field a converted copy
  raises       out_of_bounds where the bytes do not suffice
               invalid_argument for two of one name, and a stride too short
               type_mismatch for fields in another form
               invalid_view for an array that is not contiguous

  local packets = "\1\0\0\0\0\80" .. "\2\0\0\0\1\187"
  local r = nd.records(packets, {{"id", "u32"}, {"port", "u16be"}})
  r.id                                    -- => u32 2 cpu [1, 2]
  r.port                                  -- => u16 2 cpu [80, 443]
]]},
}},
{name = "copies", title = "Copies", text = [[
All of these make memory of their own, or write into that of an array. Conversion
follows the rule of dtypes. Overlapping memory is safe everywhere.
]], entries = {
{{"a:clone"}, [[
a:clone()

  A packed copy.

  returns  array: a copy, contiguous

  local a = nd.array {{1, 2}, {3, 4}}
  a.T:clone().byte_strides                -- => {16, 8}
]]},
{{"a:contiguous"}, [[
a:contiguous()

  The array itself if its elements lie in row-major order without gaps, else a packed
  copy.

  returns  array: a, or a copy

  local a = nd.array {{1, 2}, {3, 4}}
  a:contiguous() == a, a.T:contiguous() == a.T    -- => true, false
]]},
{{"a:astype"}, [[
a:astype(dtype [, opts])

  A converted copy.

  dtype      dtype
  opts.mode  "saturate" | "wrap" | "check" = "saturate": integers modulo 2^n by "wrap";
             "check" refuses what would change by more than rounding
  returns    array: a copy, also to its own dtype
  raises     type_mismatch from complex to real
             not_representable by "check"
             invalid_argument for another mode

  nd.f64 {300, -1}:astype "u8"                        -- => [255, 0]
  nd.f64 {300, -1}:astype("u8", {mode = "wrap"})      -- => [44, 255]
  nd.f64 {300, -1}:astype("u8", {mode = "check"})     -- => error: element 1
]]},
{{"a:to"}, [[
a:to(dtype)
a:to(device [, opts])

  Of that dtype, or on that device; the array itself if nothing changes.

  dtype           dtype
  device          device
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: a, or a copy
  raises          type_mismatch from complex to real
                  invalid_argument for neither a dtype nor a device
                  device_not_found for cuda and managed
                  unsupported for pinned
                  io where the file cannot be made

  local a = nd.zeros(2)
  a:to "cpu" == a, a:to("f32").dtype      -- => true, f32
  a:to("disk:to.bin", {overwrite = true}).device      -- => disk:to.bin
]]},
{{"a:copy_from"}, [=[
a:copy_from(src [, opts])

  Writes an array, a table or a value into a, also where both overlap.

  src        values: converted, and broadcast to the shape of a
  opts.mode  "saturate" | "wrap" | "check" = "saturate": as for a:astype
  returns    array: a
  raises     shape_mismatch where it does not broadcast
             type_mismatch from complex to real
             not_representable by "check"
             invalid_argument for another mode
             read_only for a read-only array
             overlap where its elements overlap

  nd.zeros(2, 2):copy_from {1, 2}         -- => [[1, 2], [1, 2]]
]=]},
{{"a:copyin"}, [[
a:copyin(source [, nbytes])

  Writes raw bytes into a, in row-major order.

  source   string | cdata: a pointer or an array, if it is cdata
  nbytes   integer: how many, exactly those of a; of a pointer they must be named
  returns  array: a
  raises   size_mismatch for another number of bytes
           out_of_bounds past the end of a string or a cdata array
           invalid_argument for a negative number
           read_only for a read-only array
           overlap where its elements overlap

  nd.zeros(2, "u8"):copyin "ab"           -- => [97, 98]
]]},
{{"a:copyout"}, [[
a:copyout()
a:copyout(target [, nbytes])

  The raw bytes in row-major order: as a string, or into cdata.

  target   cdata: a pointer or an array
  nbytes   integer: how many, exactly those of a; of a pointer they must be named
  returns  string | array: the string; with a target a
  raises   size_mismatch for another number of bytes
           out_of_bounds past the end of a cdata array
           invalid_argument for a negative number
           capacity for a string of 2 GiB or more

  nd.u8 {97, 98}:copyout()                -- => ab
  local target = require "ffi".new "uint8_t[2]"
  nd.u8 {97, 98}:copyout(target)
  target[1]                               -- => 98
]]},
{{"a:fill"}, [[
a:fill(value)

  Writes every element.

  value    value: converted, saturating
  returns  array: a
  raises   type_mismatch for a complex value and a real array
           read_only for a read-only array
           overlap where its elements overlap

  nd.zeros(2, "u8"):fill(300)             -- => [255, 255]
]]},
{{"a:totable"}, [[
a:totable()

  All elements in nested tables.

  returns  table: of a 0-d array the element
  raises   capacity past 2^31 - 1 elements of an axis

  nd.array({{1, 2}, {3, 4}}):totable()    -- => {{1, 2}, {3, 4}}
]]},
{{"a:item"}, [[
a:item()

  The only element.

  returns  value
  raises   size_mismatch where there are others, or none

  nd.f64 {5}:item()                       -- => 5
]]},
{{"a:byteswap"}, [[
a:byteswap()

  With the bytes of each element, of each part if complex, reversed.

  returns  array: a copy

  nd.u16 {1}:byteswap()                   -- => [256]
]]},
{{"a:tile"}, [=[
a:tile(counts)

  The whole again and again along each axis.

  counts   integers: for the last axes; more of them than axes add new ones in front
  returns  array: a copy
  raises   invalid_argument for a negative count

  nd.f64 {1, 2}:tile(2)                   -- => [1, 2, 1, 2]
  nd.f64 {1, 2}:tile(2, 1)                -- => [[1, 2], [1, 2]]
]=]},
{{"a:repeat_interleave"}, [[
a:repeat_interleave(n [, axis])

  Each entry again and again along an axis.

  n        integer: 0 or more
  axis     integer: 1 to ndim, or negative; may be left out for 1-D arrays only
  returns  array: a copy
  raises   invalid_argument for a negative n
           type_mismatch where the axis is missing
           index_out_of_range for an axis that is not there

  nd.f64 {1, 2}:repeat_interleave(2)      -- => [1, 1, 2, 2]
]]},
{{"a:roll"}, [[
a:roll(n [, axis])

  Entries moved by n places toward the end; what leaves there comes in at the front.

  n        integer: any
  axis     integer: 1 to ndim, or negative; may be left out for 1-D arrays only
  returns  array: a copy
  raises   type_mismatch where the axis is missing
           index_out_of_range for an axis that is not there

  nd.f64 {1, 2, 3}:roll(1)                -- => [3, 1, 2]
]]},
{{"a:pad"}, [[
a:pad(widths [, value])

  With more entries around.

  widths   integer | table: for all sides, or {before, after} for each axis
  value    value = 0: what they are
  returns  array: a copy
  raises   shape_mismatch for more or fewer entries than axes
           invalid_argument for a negative width
           type_mismatch for a complex value and a real array

  nd.f64 {1, 2}:pad({{1, 0}}, 9)          -- => [9, 1, 2]
]]},
}},
{name = "memory", title = "Memory", text = [[
The collector frees the memory of arrays that nothing refers to. It is told of what they
hold, so that temporaries do not pile up. Freeing by hand is for those who know better.
]], entries = {
{{"a:allocate"}, [[
a:allocate()

  Memory now instead of with the first use.

  returns  array: a

  nd.empty(3):allocate().is_allocated     -- => true
]]},
{{"a:free"}, [[
a:free()

  Memory back now. Every view of it then raises freed when elements are asked for;
  fields such as a.shape stay. Of a wrapped array the owner is let go, of a mapped one
  the mapping.

  returns  nothing

  local a = nd.zeros(3)
  local view = a"1:2"
  a:free()
  view[1]                                 -- => error: the memory of this array was freed
]]},
{{"nd.scope"}, [[
nd.scope(fn, …)

  Calls fn(…), returns what it returns, and frees all that was made inside and is not
  among that (tables are searched). An error frees everything, and goes on. No yield
  across it.

  fn       function: is called once
  …        any: its arguments
  returns  any …: what it returns

  local lost
  local kept = nd.scope(function(n)
    lost = nd.zeros(1000)
    return nd.ones(n)
  end, 2)
  kept                                    -- => [1, 1]
  lost[1]                                 -- => error: the memory of this array was freed
]]},
{{"a:ptr"}, [[
a:ptr()

  A typed FFI pointer to the first element: 0-based, unchecked, without strides. It does
  not keep the memory alive. bool and f8 elements are uint8_t, f16 and bf16 are
  uint16_t.

  returns  cdata: such as double *
  raises   invalid_view for a misaligned array

  nd.f32 {1, 2}:ptr()[1]                  -- => 2
]]},
{{"a:address"}, [[
a:address()

  The address of the first element, which need not be aligned. It does not keep the
  memory alive.

  returns  integer: a number

  nd.f32({1, 2}):address() % 64           -- => 0
]]},
}},
{name = "files", title = "Files", text = [[
Files as arrays, mapped or read, and arrays as files that others read.
]], entries = {
{{"nd.mmap"}, [=[
nd.mmap(path [, dtype [, shape]] [, opts])

  A file as an array, without reading it. a.device is disk:PATH, for it is the path that
  says where the elements are, and a:to "cpu" copies them. A file that shrinks under its
  mapping is an io error at the next access, not a dead process.

  path         string: of a regular file
  dtype        dtype = "u8"
  shape        shape: all that is there along one axis unless given
  opts.offset  integer = 0: in bytes, any: a misaligned view works, more slowly
  opts.mode    "r" | "r+" | "c" = "r": read-only by "r"; writes of "r+" go to the file,
               those of "c" stay in memory
  opts.advice  "normal" | "sequential" | "random" | "willneed" | "huge" = "normal": what
               the system may expect
  returns      array: a view of the file
  raises       io with path and errno
               size_mismatch where the file is no multiple of an element
               out_of_bounds past the end of the file
               invalid_argument for another mode, and a negative offset

  nd.save("map.npy", nd.zeros({2}, "f32"))
  local bytes = nd.mmap("map.npy")
  bytes.dtype, bytes.device, bytes.readonly   -- => u8, disk:map.npy, true
  bytes"2:6":copyout()                    -- => NUMPY
  nd.mmap("map.npy", "f32", {2}, {offset = 128})  -- => f32 2 disk:map.npy [0, 0]
]=]},
{{"nd.load"}, [[
nd.load(path [, opts])

  An array from a file, by its extension.

  extension  what
  .npy       versions 1 to 3, any byte order; Fortran order becomes strides; for f8 it
             has no name, they come back as u8
  .pgm .ppm  rows x columns, rows x columns x 3, u8 or u16
  .wav       frames x channels; the rate is the second value

  path       string: with one of these extensions, in any case
  opts.mmap  boolean = false: maps instead of reading, where the file has the bytes as
             they are
  returns    array, integer or nil: the elements; of a .wav its rate in Hz
  raises     io with path and errno
             format with the offset, where the file does not hold what its header says
             unsupported for other extensions, and what the format has but ndbuf has not

  nd.save("load.npy", nd.arange(3))
  nd.load "load.npy"                      -- => f64 3 cpu [1, 2, 3]
  nd.load("load.npy", {mmap = true})      -- => f64 3 disk:load.npy [1, 2, 3]
  nd.load "none.npy"                      -- => error: cannot open none.npy
]]},
{{"nd.save"}, [[
nd.save(path, a [, opts])

  An array into a file, by its extension, as nd.load reads it. It is written beside the
  file and then renamed, so that there is always the old one or the new one.

  path       string: with one of the extensions
  a          array: for .npy any; for .pgm and .ppm u8 or u16 of the shape above; for
             .wav u8, i16, i32, f32 or f64, frames or frames x channels
  opts.rate  integer = 44100: in Hz, 1 to 2^32 - 1; for .wav only
  returns    nothing
  raises     io with path and errno
             unsupported for other extensions
             type_mismatch for a dtype that the format has not
             shape_mismatch for such a shape
             overflow for more than a .wav can hold
             invalid_argument for a rate outside of its limits, or of no .wav

  nd.save("save.wav", nd.zeros({4, 2}, "i16"), {rate = 8000})
  local sound, rate = nd.load "save.wav"
  sound.shape, rate                       -- => {4, 2}, 8000
]]},
}},
{name = "devices", title = "Devices", text = [[
Named cpu, disk:PATH, and later pinned, cuda[:n] (or gpu), managed[:n] (or unified);
case does not matter but in the path. A maker on disk:PATH makes the file, and refuses
one that exists without overwrite = true.
]], entries = {
{{"nd.device"}, [[
nd.device(name)

  A device object, which stands wherever a name does. A file is neither opened nor made.

  name     device: one of the names above
  returns  device object: tostring of it is the canonical name
  raises   invalid_argument for another name
           device_not_found for cuda and managed, which are not there yet
           unsupported for pinned

  tostring(nd.device "CPU")               -- => cpu
  nd.zeros(2, nd.device "cpu").device     -- => cpu
  nd.zeros({2}, "u8", "disk:device.bin", {overwrite = true}).device   -- => disk:device.bin
]]},
{{"dev.name"}, [[
dev.name

  The canonical name.

  returns  string
  raises   invalid_argument for any other field

  nd.device("disk:x.bin").name            -- => disk:x.bin
]]},
}},
{name = "errors", title = "Errors", text = [[
Every failure raises a table, with the caller's line and not one inside of ndbuf. Tell
failures apart by e.code; messages may become better.

code                            when
invalid_argument                a value that never makes sense: a negative extent, a
                                step of 0, an unknown name
type_mismatch                   a value of the wrong type; dtypes that do not go
                                together
index_out_of_range              an index, a bound or an axis that is not there
shape_mismatch · size_mismatch  shapes that do not fit; a number of elements or bytes
                                that does not
invalid_view                    it cannot be a view; the message names the copy
overlap · read_only             a write to elements that overlap, or must not be written
not_representable               a value would change where that is refused
overflow · capacity             sizes beyond the address space; beyond what Lua holds
freed                           memory that is gone
out_of_memory                   no memory, after all that could be collected was
out_of_bounds                   a view that would reach outside of its storage
io · format                     the system refused (path, errno); a file that lies
                                (offset)
device_not_found · unsupported  what is not here, and why
interrupted                     Ctrl-C in a long call
use_after_free · not_allocated · not_host_accessible · budget_exceeded · stream_misuse ·
driver · compile                kept for what is to come
]], entries = {
{{"e.code", "e.message", "e.where"}, [[
e.code e.message e.where

  One of the codes above; what was asked, what is there, and the remedy; file:line of
  the caller. tostring(e) is file:line: ndbuf: message, and .. works.

  returns  string: where is empty where no Lua code called

  local ok, e = pcall(function() return nd.zeros(3)[12] end)
  ok, e.code                              -- => false, index_out_of_range
  e.message                               -- => index 12 is out of range for axis 1 of size 3
  tostring(e) == e.where .. ": ndbuf: " .. e.message      -- => true
]]},
{{"e.argument", "e.path"}, [[
e.argument e.path

  The argument, or the file, that the failure is about.

  returns  string: nil where it is about none

  local ok, e = pcall(nd.eye, -1)
  e.argument                              -- => n
  ok, e = pcall(nd.load, "none.npy")
  e.path                                  -- => none.npy
]]},
{{"e.axis", "e.value", "e.limit", "e.expected", "e.actual", "e.offset", "e.position", "e.part", "e.requested", "e.live", "e.errno"}, [[
e.axis e.value e.limit e.expected e.actual e.offset e.position e.part e.requested e.live
e.errno

  The numbers of the message: an axis, the value that was refused and the limit; what
  was expected and what was found; a byte's or character's offset, from 0; an element's
  position or a part's number, from 1; bytes that were asked for and those in use; the
  number of the system's error.

  returns  integer: nil where the message has none

  local ok, e = pcall(function() return nd.zeros(3)[12] end)
  e.axis, e.value, e.limit                -- => 1, 12, 3
  ok, e = pcall(nd.load, "none.npy")
  e.errno                                 -- => 2
]]},
}},
}
