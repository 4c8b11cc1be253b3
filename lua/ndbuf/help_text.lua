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
device                  its name or its object: "cpu", "cuda:0", "disk:PATH"
memory                  what nd.memory.get and its like return
value                   an element as it is in Lua: a number, a boolean, complex cdata,
                        64-bit cdata (what is read: past 2^53)
values                  a value, a nested table of values, an array
index                   what may stand in brackets: see indexing
array, table, string …  what they are called; integer[] is a table of integers

What holds everywhere

- Axes and indices count from 1; negative ones count from the end; ranges include both
  ends. Nothing is clamped: what lies outside is an error.
- opts is an optional last table. An option that is not known is an error, and so is an
  argument more than there are.
- A view shares the memory of its array, a copy does not; every entry says which it
  returns. What is computed from a mapped or wrapped array lies on the cpu.
- Each failure is an error object with the caller's line. A call that is refused has
  changed nothing.

Every function raises these, which the entries do not repeat, and a long call that
Ctrl-C stops interrupted:

  raises   type_mismatch where an argument has the wrong type
           invalid_argument where an integer has a fraction; where a name or an option
           is not known; where there is an argument too many
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
i64 u64                         a number up to 2^53, either way; int64_t, uint64_t cdata
                                beyond, where a number would lose digits
f16 bf16 f32 f64 f8e4m3 f8e5m2  a number
c64 c128                        complex float, complex double cdata, with .re and .im

Conversion is the same for stores, copies and casts. To an integer: truncated toward
zero, then saturated to its range; NaN becomes 0. To bool: x ≠ 0, NaN is true. To a
float: rounded to nearest even, once; what is too large becomes infinity (in f8e4m3,
which has none, ±448). Real to complex: the imaginary part is 0. Complex to real is a
type_mismatch that names .real.

Saturation is about conversion only. Arithmetic on integers wraps modulo 2^n, as in C
and NumPy.
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
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.f32 {1, 2, 3}            -- => f32 3 cpu [1, 2, 3]
  nd.u8 {300, -5, 1.9, 0/0}   -- => [255, 0, 1, 0]
  nd.i64 {7}[1]               -- => 7
  nd.u64 {2^64}[1]            -- => 18446744073709551615ULL
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
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made
]], entries = {
{{"nd.array"}, [=[
nd.array(values [, dtype] [, device] [, opts])

  A new array with copies of the values: nested tables, a number, another array, or a
  cdata array such as ffi.new("float[3][4]").

  values          values | cdata: tables nested up to 16 deep, all rows of a level
                  equally long, which are lists: without holes and without other keys.
                  They are read raw, so that no __index counts
  dtype           dtype: that of the array or cdata array given, else "f64"
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: of the shape of the values; a copy
  raises          shape_mismatch for ragged rows, which it names; for holes, which it
                  names
                  type_mismatch for a string; for complex values and a real dtype
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
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
                  device_not_found for cuda, managed and pinned without a GPU
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
                  device_not_found for cuda, managed and pinned without a GPU
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
                  device_not_found for cuda, managed and pinned without a GPU
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
  returns         array: new, on the device of a unless one is named; for a file on the
                  cpu
  raises          invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
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
  returns         array: new, on the device of a unless one is named; for a file on the
                  cpu
  raises          type_mismatch for a complex value and a real dtype
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.full_like(nd.zeros(2, 2, "i8"), 3)   -- => i8 2x2 cpu [[3, 3], [3, 3]]
]=]},
{{"nd.arange"}, [[
nd.arange(n [, dtype] [, device] [, opts])
nd.arange(first, last [, step] [, dtype] [, device] [, opts])

  The numbers 1 … n, or those from first in steps: element i is first + (i - 1) * step.
  The last one is included when a whole step reaches it. A range that runs against its
  step is empty.

  Where all three are integers, numbers or 64-bit cdata, so is everything computed:
  exactly, beyond 2^53 too. Fractions such as 0.1 are not exact as doubles, so that
  their last step may miss its end by a rounding; the count allows for that: with steps
  = (last - first) / step and eps = 2^-52 it is max(0, floor(steps + slack) + 1), slack
  = min(1/2, eps ((|first| + |last|) / |step| + 2 |steps|)). Elements are converted as
  by a store: into integers, fractions are truncated.

  n               number: the last one
  first           number: finite
  last            number: finite
  step            number = 1: finite, not 0
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, 1-D
  raises          invalid_argument for a step of 0, infinities and NaN; for a dtype or
                  device that is not known
                  not_representable for a 64-bit integer that no number holds, beside
                  fractions
                  overflow where there are too many
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.arange(4)                            -- => [1, 2, 3, 4]
  nd.arange(0, 1, 0.25, "f32")            -- => f32 5 cpu [0, 0.25, 0.5, 0.75, 1]
  nd.arange(3, 1, -1)                     -- => [3, 2, 1]
  nd.arange(100, 100.3, 0.1).size         -- => 4
]]},
{{"nd.linspace"}, [[
nd.linspace(first, last, n [, dtype] [, device] [, opts])

  Numbers at equal distances; both ends exactly, and none before the one in front of it.
  Into an integer dtype they are rounded to the nearest, from the middle to the even one
  (as by a:round()), and between integer ends computed exactly, beyond 2^53 too.

  first           number: finite
  last            number: finite
  n               integer: how many, 0 or more; 1 is first alone
  dtype           dtype = "f64": of the elements
  device          device = "cpu": where they are; "disk:PATH" makes that file
  opts.dtype      dtype: the same by name
  opts.device     device: the same by name
  opts.overwrite  boolean = false: lets disk:PATH replace a file that exists
  returns         array: new, 1-D
  raises          not_representable for a 64-bit integer that no number holds, and a
                  dtype not of integers
                  invalid_argument for ends that are not finite, and a negative n; for a
                  dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.linspace(0, 1, 3)                    -- => [0, 0.5, 1]
  nd.linspace(0, 10, 4, "i32")            -- => i32 4 cpu [0, 3, 7, 10]
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
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.eye(2)                               -- => [[1, 0], [0, 1]]
]=]},
{{"nd.random", "nd.normal"}, [[
nd.random([shape] [, dtype] [, device] [, opts])
nd.normal([shape] [, dtype] [, device] [, opts])

  Uniform in [0, 1), and normal with mean 0 and deviation 1. Philox 4x32-10: the same
  numbers on every device and for every number of threads. Each call has a sequence of
  its own: nd.random(5) and then nd.random(7) are not the numbers of nd.random(12).

  f32 has multiples of 2^-24; f16 and bf16 are rounded to the nearest that they have,
  but never to 1: what would be, becomes the largest below (1 - 2^-11, 1 - 2^-8).

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
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  local x = nd.random({3}, "f32", {seed = 1})
  x.dtype, x.size                         -- => f32, 3
  x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
]]},
{{"nd.randint"}, [[
nd.randint(lo, hi [, shape] [, dtype] [, device] [, opts])

  Integers from lo to hi, both included, all equally likely.

  lo              integer: that the dtype holds; of u64 from 2^63 on as a number or
                  cdata
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
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.randint(5, 5, {3}, "u8")             -- => u8 3 cpu [5, 5, 5]
  nd.randint(-1ULL, -1ULL, {1}, "u64")    -- => u64 1 cpu [18446744073709551615]
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
                  device_not_found for cuda, managed and pinned without a GPU
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
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be made

  nd.frombytes("\1\0\2\0", "u16")         -- => u16 2 cpu [1, 2]
  nd.frombytes("abcd", {2, 2})            -- => u8 2x2 cpu [[97, 98], [99, 100]]
  nd.frombytes("abc", "u16")              -- => error: bytes: 3 B are no multiple of u16's 2
]=]},
{{"nd.wrap"}, [=[
nd.wrap(pointer, dtype, shape [, opts])

  An array over memory of somebody else, without a copy. A bare pointer is trusted; of a
  cdata array the size is known, and checked. Memory of a GPU is handed over in the
  order of a stream: what was enqueued on that stream before is done first, and what an
  array over it is used for is complete on return. A stream that is being captured into
  a graph, or is not of the device's primary context, raises stream_misuse.

  pointer        cdata: a pointer or an array
  dtype          dtype: what is there, whatever the pointer's type
  shape          shape: the extents, elements in row-major order
  opts.owner     any: kept alive as long as any view of it; without one the pointer's
                 own cdata is
  opts.readonly  boolean = false: refuses writes
  opts.device    device = "cpu": or cuda:n, whose driver then has to know the address
  opts.stream    integer | cdata = 0: on cuda:n, the CUDA stream (CUstream, or its
                 number) whose work on the memory comes first; by default that of the
                 legacy default stream, which PyTorch uses unless told otherwise
  returns        array: a view of that memory
  raises         type_mismatch for other cdata
                 out_of_bounds for NULL, and arrays too small
                 invalid_argument for a negative extent or a file; for an address of a
                 GPU without device, and a stream without a GPU
                 unsupported for pinned and managed: it is wrapped as memory of cpu, or
                 of cuda:n
                 device_not_found without a GPU

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

  returns  string: cpu, pinned, cuda:n, managed:n, or disk:PATH for a mapped file

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

  Whether |a - b| ≤ atol + rtol |b| for all elements, broadcast. The difference is that
  of the promoted dtype; where 64-bit integers meet floats or those of the other sign,
  it is exact, then rounded.

  a        array
  b        array
  rtol     number = 1e-5: 0 or more
  atol     number = 1e-8: 0 or more
  returns  boolean
  raises   shape_mismatch where they do not broadcast
           invalid_argument for a negative tolerance

  nd.allclose(nd.f64 {1}, nd.f64 {1 + 1e-9})  -- => true
  nd.allclose(nd.f64 {1}, nd.f64 {1.1})       -- => false
  nd.allclose(nd.f64 {1}, nd.f64 {1.1}, 0.2)  -- => true
  nd.allclose(nd.i64 {-1}, nd.u64 {0}, 0, 1)  -- => true
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
  the edges. Where they cannot be read, the reason stands in their place: the error's
  code and message.

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

  What this is and has: version, abi, luajit, jit, platform, devices (a list), cuda (the
  driver's version, where there is a GPU), pinned_fallbacks (blocks that could not be
  locked), threads (see nd.set_threads), missing (reasons by name). Prints as text.

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
  values   values: broadcast to the shape that a:take(index, axis) has; arrays and
           tables are converted, one value has to be held exactly, or is rounded where
           the dtype is a float
  returns  array: a
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for an index of no integers
           not_representable for fractions in a table; for a value that the dtype does
           not hold
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

  The array's own bytes, from those of its first element to those of its last: never
  what else its storage has.

  offset   integer = 0: of the first byte, counted from 0 at the array's first
  size     integer: all that follow unless given
  returns  array: a view, 1-D, u8
  raises   out_of_bounds outside of the array
           invalid_argument for a negative number
           invalid_view where the bytes do not lie one after the other

  nd.u16 {1, 2, 3}"2:":bytes()            -- => [2, 0, 3, 0]
  nd.u16 {1, 2, 3}:bytes(2, 2)            -- => [2, 0]
]=]},
{{"a:storage_bytes"}, [[
a:storage_bytes()

  The bytes of the whole storage, whatever the array shows of it.

  returns  array: a view, 1-D, u8

  nd.u16 {1, 2, 3}"2:":storage_bytes()    -- => [1, 0, 2, 0, 3, 0]
]]},
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
  opts.mode  "saturate" | "wrap" | "check" = "saturate": integers modulo 2^n by "wrap"
             (NaN and infinities: 0); "check" refuses what would change by more than
             rounding
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
                  device_not_found for cuda, managed and pinned without a GPU
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

  source   string | cdata: a pointer or an array, if it is cdata; no address of a GPU
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

  target   cdata: a pointer or an array; no address of a GPU
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
{name = "computing", title = "Computing", text = [[
Element by element: the operands broadcast, and the result is a new array. Each
operation is a function, a method, and with a trailing _ a method that writes into a.

The dtype of the result is what the arrays are promoted to, as in NumPy; a value never
promotes. It has to be held exactly by that dtype, or is rounded where the dtype is a
float (too large: infinity). Integers wrap modulo 2^n, the small floats compute in f32
and are rounded once. Comparisons give bool, and answer as mathematics does, whatever
the dtypes and the value.

arrays                          are promoted to
two integers                    the least that holds both; i32 with u32: i64; u64 with a
                                signed one: f64
an integer and a float          the float if it has the bits (f16 and bf16 those of
                                8-bit integers, f32 16, f64 32), else the first of f32
                                and f64 that has
two floats                      the wider one; two different ones of 8 or 16 bits: f32
anything and a complex one      c64, or c128 where one has more than the bits of f32
bool and another                the other
i64 with u64; 64-bit integers with f32, bf16, f8e4m3, f8e5m2  none: an error, but for comparisons

A target, out or the array itself, takes the result as a store does: saturated to its
dtype. nd.u8 {200}:add_(nd.u8 {100}) is computed in u8, where it wraps to 44; with
nd.i16 {100} it is 300 in i16, which saturates to 255. 64-bit integers that were
computed in a float, by promotion (u64 with i8) or by the operation (div, sqrt), are not
written to integers, which would hide the digits that are lost past 2^53: that is an
error, which names astype.

With cdata on its left an operator is LuaJIT's own, which knows no arrays: nd.sub(2LL,
a).

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  raises    shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            type_mismatch where dtypes have none in common, the operation is not defined
            for theirs, or the target is of integers and the operands lost digits
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap
]], entries = {
{{"nd.add", "a:add", "a:add_", "nd.sub", "a:sub", "a:sub_", "nd.mul", "a:mul", "a:mul_", "a + b", "a - b", "a * b"}, [=[
a + b a - b a * b
nd.add(a, b [, opts])
a:add(b [, opts])
a:add_(b)
nd.sub(a, b [, opts])
a:sub(b [, opts])
a:sub_(b)
nd.mul(a, b [, opts])
a:mul(b [, opts])
a:mul_(b)

  Sum, difference, product. Of bool the sum is "or", the product "and"; there is no
  difference.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for the difference of bool; where dtypes have none in common,
            the operation is not defined for theirs, or the target is of integers and
            the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
  nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
  2 - nd.i32 {1, 2}                       -- => [1, 0]
  nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
  nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
  nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
]=]},
{{"nd.div", "a:div", "a:div_", "a / b"}, [[
a / b
nd.div(a, b [, opts])
a:div(b [, opts])
a:div_(b)

  Quotient; of integers and bool in f64.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            type_mismatch where dtypes have none in common, the operation is not defined
            for theirs, or the target is of integers and the operands lost digits
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
  nd.f32 {1, 0} / 0                       -- => [inf, nan]
]]},
{{"nd.idiv", "a:idiv", "a:idiv_", "nd.mod", "a:mod", "a:mod_", "a % b"}, [[
a % b
nd.idiv(a, b [, opts])
a:idiv(b [, opts])
a:idiv_(b)
nd.mod(a, b [, opts])
a:mod(b [, opts])
a:mod_(b)

  Quotient rounded down, and the remainder that goes with it, which has the sign of the
  divisor.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    invalid_argument for integers divided by 0
            type_mismatch for bool and complex arrays; where dtypes have none in common,
            the operation is not defined for theirs, or the target is of integers and
            the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
  nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
  nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
]]},
{{"nd.pow", "a:pow", "a:pow_", "a ^ b"}, [[
a ^ b
nd.pow(a, b [, opts])
a:pow(b [, opts])
a:pow_(b)

  Power. Of integers it wraps, and the exponent must not be negative.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    invalid_argument for a negative exponent of integers
            type_mismatch for bool and complex arrays; where dtypes have none in common,
            the operation is not defined for theirs, or the target is of integers and
            the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {2, 3} ^ 3                       -- => [8, 27]
  nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
]]},
{{"nd.neg", "a:neg", "a:neg_", "nd.abs", "a:abs", "a:abs_", "nd.sign", "a:sign", "a:sign_", "-a"}, [[
a:neg_() a:abs_() a:sign_() -a
nd.neg(a [, opts])
a:neg([opts])
nd.abs(a [, opts])
a:abs([opts])
nd.sign(a [, opts])
a:sign([opts])

  The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
  magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite
  where a part is; they are not written to complex arrays.

  a         array | value: one of the operands is an array
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for bool, the sign of complex arrays, and magnitudes in place
            of them; where dtypes have none in common, the operation is not defined for
            theirs, or the target is of integers and the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  -nd.i8 {1, -128}                        -- => [-1, -128]
  nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
  nd.c64 {4i, -3}:abs()                   -- => [4, 3]
  nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
]]},
{{"nd.square", "a:square", "a:square_", "nd.reciprocal", "a:reciprocal", "a:reciprocal_", "nd.sqrt", "a:sqrt", "a:sqrt_", "nd.exp", "a:exp", "a:exp_", "nd.log", "a:log", "a:log_", "nd.sin", "a:sin", "a:sin_", "nd.cos", "a:cos", "a:cos_", "nd.tanh", "a:tanh", "a:tanh_"}, [[
a:square_() a:reciprocal_() a:sqrt_() a:exp_() a:log_() a:sin_() a:cos_() a:tanh_()
nd.square(a [, opts])
a:square([opts])
nd.reciprocal(a [, opts])
a:reciprocal([opts])
nd.sqrt(a [, opts])
a:sqrt([opts])
nd.exp(a [, opts])
a:exp([opts])
nd.log(a [, opts])
a:log([opts])
nd.sin(a [, opts])
a:sin([opts])
nd.cos(a [, opts])
a:cos([opts])
nd.tanh(a [, opts])
a:tanh([opts])

  a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of
  radians, hyperbolic tangent. All but the square compute in f64 for integers and bool.
  The last five are within 4 units in the last place, sine, cosine and tangent within -1
  and 1; what an element gives does not depend on where it lies. There is no square of
  bool: a * a of it is "and".

  a         array | value: one of the operands is an array
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for complex arrays, but of the first two; for the square of
            bool; where dtypes have none in common, the operation is not defined for
            theirs, or the target is of integers and the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {3, 4}:square()                  -- => [9, 16]
  nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
  nd.f64 {0}:exp()                        -- => [1]
]]},
{{"nd.floor", "a:floor", "a:floor_", "nd.ceil", "a:ceil", "a:ceil_", "nd.round", "a:round", "a:round_", "nd.trunc", "a:trunc", "a:trunc_"}, [[
a:floor_() a:ceil_() a:round_() a:trunc_()
nd.floor(a [, opts])
a:floor([opts])
nd.ceil(a [, opts])
a:ceil([opts])
nd.round(a [, opts])
a:round([opts])
nd.trunc(a [, opts])
a:trunc([opts])

  To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers
  stay as they are.

  a         array | value: one of the operands is an array
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for bool and complex arrays; where dtypes have none in common,
            the operation is not defined for theirs, or the target is of integers and
            the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
  nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
  nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
]]},
{{"nd.isnan", "a:isnan", "a:isnan_", "nd.isinf", "a:isinf", "a:isinf_", "nd.isfinite", "a:isfinite", "a:isfinite_"}, [[
a:isnan_() a:isinf_() a:isfinite_()
nd.isnan(a [, opts])
a:isnan([opts])
nd.isinf(a [, opts])
a:isinf([opts])
nd.isfinite(a [, opts])
a:isfinite([opts])

  Which elements are NaN, infinite, neither. Integers are finite; a complex number is
  NaN or infinite if a part is.

  a         array | value: one of the operands is an array
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array: bool
  raises    shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            type_mismatch where dtypes have none in common, the operation is not defined
            for theirs, or the target is of integers and the operands lost digits
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
  nd.i8 {1}:isfinite()                    -- => [true]
]]},
{{"nd.lt", "a:lt", "a:lt_", "nd.le", "a:le", "a:le_", "nd.gt", "a:gt", "a:gt_", "nd.ge", "a:ge", "a:ge_"}, [[
nd.lt(a, b [, opts])
a:lt(b [, opts])
a:lt_(b)
nd.le(a, b [, opts])
a:le(b [, opts])
a:le_(b)
nd.gt(a, b [, opts])
a:gt(b [, opts])
a:gt_(b)
nd.ge(a, b [, opts])
a:ge(b [, opts])
a:ge_(b)

  Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b
  raises instead: Lua would make a boolean of the array.

  Numbers are compared, not what a dtype makes of them: i64 with u64 and both with
  floats, and an array with a value that its dtype does not hold. a:lt(x) says of each
  element what a[i] < x says.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array: bool
  raises    type_mismatch for complex arrays; where dtypes have none in common, the
            operation is not defined for theirs, or the target is of integers and the
            operands lost digits
            not_representable for the order of a complex value; for a value that the
            dtype does not hold
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
  nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
  nd.u8 {0, 255}:lt(256)                  -- => [true, true]
  nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
  nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
]]},
{{"nd.eq", "a:eq", "a:eq_", "nd.ne", "a:ne", "a:ne_"}, [[
nd.eq(a, b [, opts])
a:eq(b [, opts])
a:eq_(b)
nd.ne(a, b [, opts])
a:ne(b [, opts])
a:ne_(b)

  Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle;
  a:equal(b) compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and
  equal to none.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array: bool
  raises    shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            type_mismatch where dtypes have none in common, the operation is not defined
            for theirs, or the target is of integers and the operands lost digits
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
  nd.f32 {0.1}:eq(0.1)                    -- => [false]
  nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
  nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
]]},
{{"nd.minimum", "a:minimum", "a:minimum_", "nd.maximum", "a:maximum", "a:maximum_"}, [[
nd.minimum(a, b [, opts])
a:minimum(b [, opts])
a:minimum_(b)
nd.maximum(a, b [, opts])
a:maximum(b [, opts])
a:maximum_(b)

  The lesser, the greater of both; NaN where one is NaN. A value past the range of
  integers, on the side where it never is the result, leaves the elements as they are;
  on the other it is refused.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for complex arrays; where dtypes have none in common, the
            operation is not defined for theirs, or the target is of integers and the
            operands lost digits
            not_representable for a value that the result would have to be; for a value
            that the dtype does not hold
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
  nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
  nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
]]},
{{"nd.clamp", "a:clamp", "a:clamp_"}, [[
nd.clamp(a, lo [, hi] [, opts])
a:clamp(lo [, hi] [, opts])
a:clamp_(lo [, hi])

  What is below lo becomes lo, then what is above hi becomes hi; NaN stays NaN. With lo
  above hi all become hi. Bounds beyond the range of integers do not bind.

  lo        array | value | nil: nil: no lower bound
  hi        array | value | nil: nil: no upper bound; one of both is needed
  a         array | value: one of the operands is an array
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for complex arrays; where dtypes have none in common, the
            operation is not defined for theirs, or the target is of integers and the
            operands lost digits
            not_representable for a bound that a result would have to be; for a value
            that the dtype does not hold
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
  nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
  nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
]]},
{{"nd.logical_and", "a:logical_and", "a:logical_and_", "nd.logical_or", "a:logical_or", "a:logical_or_", "nd.logical_xor", "a:logical_xor", "a:logical_xor_", "nd.logical_not", "a:logical_not", "a:logical_not_"}, [[
a:logical_not_()
nd.logical_and(a, b [, opts])
a:logical_and(b [, opts])
a:logical_and_(b)
nd.logical_or(a, b [, opts])
a:logical_or(b [, opts])
a:logical_or_(b)
nd.logical_xor(a, b [, opts])
a:logical_xor(b [, opts])
a:logical_xor_(b)
nd.logical_not(a [, opts])
a:logical_not([opts])

  Logic of what is not 0, whatever the dtypes: also NaN is true.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array: bool
  raises    shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            type_mismatch where dtypes have none in common, the operation is not defined
            for theirs, or the target is of integers and the operands lost digits
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
  nd.f32 {0, 2}:logical_not()             -- => [true, false]
]]},
{{"nd.bit_and", "a:bit_and", "a:bit_and_", "nd.bit_or", "a:bit_or", "a:bit_or_", "nd.bit_xor", "a:bit_xor", "a:bit_xor_", "nd.bit_not", "a:bit_not", "a:bit_not_"}, [[
a:bit_not_()
nd.bit_and(a, b [, opts])
a:bit_and(b [, opts])
a:bit_and_(b)
nd.bit_or(a, b [, opts])
a:bit_or(b [, opts])
a:bit_or_(b)
nd.bit_xor(a, b [, opts])
a:bit_xor(b [, opts])
a:bit_xor_(b)
nd.bit_not(a [, opts])
a:bit_not([opts])

  Bit by bit, of integers and bool.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    type_mismatch for floats; where dtypes have none in common, the operation is
            not defined for theirs, or the target is of integers and the operands lost
            digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
  nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
]]},
{{"nd.shl", "a:shl", "a:shl_", "nd.shr", "a:shr", "a:shr_"}, [[
nd.shl(a, b [, opts])
a:shl(b [, opts])
a:shl_(b)
nd.shr(a, b [, opts])
a:shr(b [, opts])
a:shr_(b)

  Bits moved up and down by b places. From the width on nothing is left; on the right
  the sign of signed integers comes in.

  a         array | value: one of the operands is an array
  b         array | value: broadcast
  opts.out  array: takes the result, saturated to its dtype, and is returned; of the
            result's shape
  returns   array
  raises    invalid_argument for a negative count
            type_mismatch for anything but integers; where dtypes have none in common,
            the operation is not defined for theirs, or the target is of integers and
            the operands lost digits
            shape_mismatch where shapes do not broadcast, or the result has not that of
            the target
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
  nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
]]},
{{"nd.where", "a:where", "a:where_"}, [=[
nd.where(condition [, a, b [, opts]])
a:where([a, b [, opts]])
a:where_(a, b)

  From a where the condition is not 0, else from b. As a method of the condition it
  reads condition:where(a, b); where neither is an array, the dtype is that of the
  values. With the condition alone: where it is not 0, for each axis the 1-based
  positions along it (i64, 1-D), in row-major order.

  condition  array | value: any dtype; alone an array
  a          array | value: one of the operands is an array
  b          array | value: broadcast
  opts.out   array: takes the result, saturated to its dtype, and is returned; of the
             result's shape
  returns    array …: one, or as many as there are axes
  raises     invalid_argument for a 0-d array alone
             shape_mismatch where shapes do not broadcast, or the result has not that of
             the target
             type_mismatch where dtypes have none in common, the operation is not
             defined for theirs, or the target is of integers and the operands lost
             digits
             not_representable for a value that the dtype does not hold
             read_only for a read-only target
             overlap for a target whose elements overlap

  local a = nd.i32 {1, 5, 9}
  nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
  nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
  select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
]=]},
}},
{name = "reductions", title = "Reductions and sorting", text = [[
A reduction folds all elements of an array, or those along some axes, into one: a:sum()
is a Lua value, a:sum{axis = 2} an array without axis 2. Each is a method and a
function, a:sum(…) and nd.sum(a, …).

Sums, products, means and variances are added up in f64 (complex ones by parts in f64)
and rounded once, in pairs over blocks that depend on the number of elements alone. So
the result is the same, bit for bit, on any number of threads, and for any strides that
keep the elements in their order in memory; but for which zero is the least or greatest
where there are both, and which NaN where there are several. Integers are added up in 64
bits and wrap modulo 2^64. f8e4m3 has no infinity: what is too large becomes 448.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape
                 type_mismatch where out is of integers or bool and means or variances
                 of 64-bit integers, in f64, may have lost digits
                 read_only where out is
                 overlap where elements of out overlap one another
]], entries = {
{{"a:sum", "nd.sum", "a:prod", "nd.prod"}, [=[
a:sum([opts])
nd.sum(a [, opts])
a:prod([opts])
nd.prod(a [, opts])

  The sum, the product. Of nothing they are 0 and 1.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: of bool and signed integers i64, of unsigned ones u64, else the
                 array's dtype; the Lua value of a 64-bit integer is a number up to
                 2^53, cdata beyond
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape
                 type_mismatch where out is of integers or bool and means or variances
                 of 64-bit integers, in f64, may have lost digits
                 read_only where out is
                 overlap where elements of out overlap one another

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:sum(), a:prod()                       -- => 21, 720
  a:sum {axis = 1}                        -- => [5, 7, 9]
  a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
  nd.sum(nd.i8 {100, 100})                -- => 200
  nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
]=]},
{{"a:min", "nd.min", "a:max", "nd.max"}, [[
a:min([opts])
nd.min(a [, opts])
a:max([opts])
nd.max(a [, opts])

  The least and the greatest element; NaN where there is one.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: of the array's dtype
  raises         invalid_argument of nothing; where an axis is named twice
                 type_mismatch for complex numbers, which have no order; where out is of
                 integers or bool and means or variances of 64-bit integers, in f64, may
                 have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape
                 read_only where out is
                 overlap where elements of out overlap one another

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:max {axis = 2}                        -- => [3, 6]
  nd.min(nd.array {1, 0 / 0})             -- => nan
  nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
]]},
{{"a:argmin", "nd.argmin", "a:argmax", "nd.argmax"}, [[
a:argmin([opts])
nd.argmin(a [, opts])
a:argmax([opts])
nd.argmax(a [, opts])

  Where the least and the greatest element are first, counted from 1 in row-major order
  of the axes that go; where the first NaN is, if there is one.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: a number; an array of i64
  raises         invalid_argument of nothing; where an axis is named twice
                 type_mismatch for complex numbers, which have no order; where out is of
                 integers or bool and means or variances of 64-bit integers, in f64, may
                 have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape
                 read_only where out is
                 overlap where elements of out overlap one another

  local a = nd.array {{1, 9, 3}, {4, 5, 6}}
  a:argmax()                              -- => 2
  a:argmax {axis = 2}                     -- => [2, 3]
]]},
{{"a:mean", "nd.mean"}, [[
a:mean([opts])
nd.mean(a [, opts])

  The mean; of nothing NaN.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: of bool and integers f64, else the array's dtype
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape
                 type_mismatch where out is of integers or bool and means or variances
                 of 64-bit integers, in f64, may have lost digits
                 read_only where out is
                 overlap where elements of out overlap one another

  nd.mean(nd.u8 {1, 2, 4, 4})             -- => 2.75
]]},
{{"a:var", "nd.var", "a:std", "nd.std"}, [[
a:var([opts])
nd.var(a [, opts])
a:std([opts])
nd.std(a [, opts])

  The variance, and its root, the standard deviation: of squared distances from the
  mean, which is found first; of complex numbers those of their absolute value. Of
  nothing NaN.

  a              array
  opts.ddof      number = 0: 0 or more: what the number of elements that the sum is
                 divided by is less
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: of bool and integers f64, of complex numbers their part's dtype,
                 else the array's
  raises         invalid_argument for a negative ddof; where an axis is named twice
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape
                 type_mismatch where out is of integers or bool and means or variances
                 of 64-bit integers, in f64, may have lost digits
                 read_only where out is
                 overlap where elements of out overlap one another

  local a = nd.array {1, 2, 3, 4}
  a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
  a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
]]},
{{"a:any", "nd.any", "a:all", "nd.all"}, [[
a:any([opts])
nd.any(a [, opts])
a:all([opts])
nd.all(a [, opts])

  Is any element true, are all? All but 0 is, NaN too. Of nothing false and true.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: a boolean; an array of bool
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape
                 type_mismatch where out is of integers or bool and means or variances
                 of 64-bit integers, in f64, may have lost digits
                 read_only where out is
                 overlap where elements of out overlap one another

  local a = nd.array {{0, 1}, {1, 1}}
  a:any(), a:all()                        -- => true, false
  a:all {axis = 1}                        -- => [false, true]
]]},
{{"a:count_nonzero", "nd.count_nonzero"}, [[
a:count_nonzero([opts])
nd.count_nonzero(a [, opts])

  How many elements are not 0.

  a              array
  opts.axis      integer | integer[]: the axes that go, negative from the end; all when
                 it is left out. The result is an array when it is given
  opts.keepdims  boolean = false: the axes that go stay with extent 1; the result is an
                 array
  opts.out       array: is written, converted to its dtype, saturating, and returned; of
                 the result's shape
  returns        any: a number; an array of i64
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape
                 type_mismatch where out is of integers or bool and means or variances
                 of 64-bit integers, in f64, may have lost digits
                 read_only where out is
                 overlap where elements of out overlap one another

  nd.count_nonzero(nd.array {0, 3, 0 / 0})        -- => 2
]]},
{{"a:sort", "nd.sort"}, [=[
a:sort([axis] [, opts])
nd.sort(a [, axis] [, opts])

  A sorted copy. NaN comes last, either way, -0 before 0; complex numbers are ordered by
  real part, then by imaginary part.

  a                array
  axis             integer: the last one when it is left out; negative from the end
  opts.descending  boolean = false
  returns          array: a copy, contiguous
  raises           index_out_of_range where there is no such axis
                   invalid_argument for a 0-d array

  local a = nd.array {{3, 1, 2}, {0, 5, 4}}
  a:sort()                                -- => [[1, 2, 3], [0, 4, 5]]
  a:sort(1, {descending = true})          -- => [[3, 5, 4], [0, 1, 2]]
]=]},
{{"a:argsort", "nd.argsort"}, [[
a:argsort([axis] [, opts])
nd.argsort(a [, axis] [, opts])

  The positions, counted from 1, that would sort it; equal elements stay in their order,
  zeros of either sign and NaNs among them.

  a                array
  axis             integer: the last one when it is left out; negative from the end
  opts.descending  boolean = false
  returns          array: of i64
  raises           index_out_of_range where there is no such axis
                   invalid_argument for a 0-d array

  local a = nd.array {3, 1, 2}
  a:argsort()                             -- => [2, 3, 1]
  a[a:argsort()]                          -- => [1, 2, 3]
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
  fields such as a.shape stay. Of a wrapped array the owner is let go by this very call,
  of a mapped one the mapping; work of a GPU on the memory is finished first.

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

  A typed FFI pointer to the first element: 0-based, unchecked, without strides. Of a
  read-only array it is const, so that LuaJIT refuses to store through it. It does not
  keep the memory alive. bool and f8 elements are uint8_t, f16 and bf16 are uint16_t.
  Memory of a GPU raises not_host_accessible. What holds once an address was given away
  stands under a:address().

  returns  cdata: such as double *, or const double *
  raises   invalid_view for a misaligned array

  nd.f32 {1, 2}:ptr()[1]                  -- => 2
]]},
{{"a:address"}, [[
a:address()

  The address of the first element, for functions of other libraries: of memory of any
  kind, that of a GPU included, which only the GPU may use. It need not be aligned, and
  does not keep the memory alive.

  All work on the memory is done when it returns. From then on calls on the array are
  complete before they return, too, on a GPU as well; and its elements are stored in a
  way that LuaJIT does not reorder, in about 1.5 ns more, since whoever has the address
  may look at the bytes as another type. The same holds for a:ptr() and nd.wrap.

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
Named cpu, pinned, cuda[:n] (or gpu), managed[:n] (or unified), disk:PATH; case does not
matter but in the path. A maker on disk:PATH makes the file, and refuses one that exists
without overwrite = true.

cuda:n is the memory of GPU n, which the CPU may not touch; managed:n is memory that
both may, pinned host memory with locked pages, from and to which a GPU copies fastest.
Where no more pages can be locked, and what could be freed was, a pinned array is
ordinary memory, and its device says cpu. The CUDA driver is opened when a GPU is first
asked for; nothing of CUDA is needed to build ndbuf or to run it without one.

Making, looking, views and copies work on every device, and so does indexing but by
masks and index arrays. What a GPU has no kernel for goes through the host: makers,
conversions, and copies of irregular strides, which nd.transfers counts as staged. A
value that fills an array, or a row that is copied to many, crosses once, and the GPU
doubles it (d2d). Masks, index arrays, comparisons of elements and all of computing
raise unsupported on cuda and managed; use :to "cpu". Copies between arrays of one GPU
return before they are done; what gives elements to the CPU, and copies from or to
pinned and managed arrays, are complete on return.

Some GPUs (under WSL2, on Jetsons) cannot share managed memory with the CPU while they
work. There every call waits for the GPUs as long as there is a managed array. That
serves one thread: while there is one, programs with several must let one thread at a
time use the GPUs and the elements of managed arrays.
]], entries = {
{{"nd.device"}, [[
nd.device(name)

  A device object, which stands wherever a name does. There is one for each device:
  objects compare as their names do, and serve as keys of tables. A file is neither
  opened nor made.

  name     device: one of the names above
  returns  device object: tostring of it is the canonical name
  raises   invalid_argument for another name
           device_not_found when there is no such GPU

  tostring(nd.device "CPU")               -- => cpu
  nd.device "CPU" == nd.device "cpu"      -- => true
  nd.zeros(2, nd.device "cpu").device     -- => cpu
  nd.zeros({2}, "u8", "disk:device.bin", {overwrite = true}).device   -- => disk:device.bin
]]},
{{"nd.devices"}, [[
nd.devices()

  All devices: cpu, then the GPUs.

  returns  device object[]

  #nd.devices(), tostring(nd.devices()[1])   -- => 1, cpu
]]},
{{"nd.cuda.available"}, [[
nd.cuda.available()

  Is there a GPU? If not, why.

  returns  boolean, string or nil: true, or false and the reason

  local fine, why = nd.cuda.available()
  fine, why:sub(1, 15)                    -- => false, there is no GPU
]]},
{{"dev.name"}, [[
dev.name

  The canonical name.

  returns  string
  raises   invalid_argument for any other field

  nd.device("disk:x.bin").name            -- => disk:x.bin
]]},
{{"dev.ordinal"}, [[
dev.ordinal

  The number of a GPU, from 0; of other devices 0.

  returns  integer

  nd.device("cpu").ordinal                -- => 0
]]},
{{"dev.total_memory"}, [[
dev.total_memory

  Bytes that it has.

  returns  integer

  nd.device("cpu").total_memory > 0       -- => true
]]},
{{"dev.free_memory"}, [[
dev.free_memory

  Bytes that nobody uses now, whoever they are.

  returns  integer

  nd.device("cpu").free_memory > 0        -- => true
]]},
{{"dev.capability"}, [[
dev.capability

  A GPU's compute capability, such as {9, 0}; nil of other devices.

  returns  integer[] or nil

  nd.device("cpu").capability             -- => nil
]]},
{{"dev.model"}, [[
dev.model

  What the driver calls a GPU; nil of other devices.

  returns  string or nil

  nd.device("cpu").model                  -- => nil
]]},
{{"dev:synchronize"}, [[
dev:synchronize()

  Wait until a GPU has done all that was asked of it; blocks that waited for that go
  back, also those that another thread is giving back just then.

  returns  nothing

  nd.device("cpu"):synchronize() == nil    -- => true
]]},
{{"dev:memory_info"}, [[
dev:memory_info()

  What is in use, in bytes: live of arrays in this kind of memory and their count,
  pending (freed, and still in use by the device's work, or waiting for a moment when
  the driver need not wait for the device), the peak of these two together, cached (kept
  for later arrays; see nd.memory.trim), free and total of the device. No byte is in two
  of live, pending and cached. Those of a GPU's pool and of its plain memory are added
  up. Of a GPU also managed, staging (locked buffers of the host that copies go
  through), and lost and lost_count: what a context that was lost took along.

  returns  table

  nd.device("cpu"):memory_info().live >= 0   -- => true
]]},
{{"dev:enable_peer"}, [[
dev:enable_peer(other)

  Let this GPU read the memory of another. Copies between GPUs do so by themselves where
  the machine can, in both directions. Where it cannot, or the driver refused when it
  was first asked, they go through the host, which nd.transfers counts as staged.

  other    device: cuda:n
  returns  nothing
  raises   invalid_argument for anything but two GPUs

  nd.device("cpu"):enable_peer "cpu"       -- => error: self: cpu is no GPU
]]},
{{"a:pin"}, [[
a:pin()

  Lock the pages of a host or mapped array in place, so that copies from and to a GPU
  are as fast as those of pinned arrays. The whole storage, so that of its other views,
  too. It is undone with the memory, or by a:unpin. A file must not shrink while it is
  pinned. Memory of a GPU is refused, and so are, with unsupported, pages that the
  system does not let a driver lock: Linux from 6.5 on those of a file mapped "r+".

  returns  array: a
  raises   device_not_found without a GPU

  local a = nd.ones(3)
  if nd.cuda.available() then a:pin() end
  a                                       -- => [1, 1, 1]
]]},
{{"a:unpin"}, [[
a:unpin()

  Undo a:pin; without effect on other arrays of the host. On those of a GPU it raises
  not_host_accessible.

  returns  array: a

  nd.ones(3):unpin()                      -- => [1, 1, 1]
]]},
{{"a:prefetch"}, [[
a:prefetch(device)

  Move the pages of a managed array to a device before they are used there.

  device   device: cpu or cuda:n
  returns  array: a
  raises   invalid_argument for arrays that are not managed

  local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
  if nd.cuda.available() then a:prefetch "cuda:0" end
  a                                       -- => [0, 0]
]]},
{{"a:advise"}, [[
a:advise(advice, device)

  How a managed array will be used.

  advice   "read_mostly" | "preferred" | "accessed_by": copies everywhere while it is
           only read; where its pages live; who will ask for them often
  device   device: cpu or cuda:n
  returns  array: a
  raises   invalid_argument for arrays that are not managed, and another advice

  local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
  if nd.cuda.available() then a:advise("read_mostly", "cuda:0") end
  a                                       -- => [0, 0]
]]},
{{"nd.transfers"}, [[
nd.transfers()

  Calls and bytes moved since the start, by direction: h2d and d2h (host and GPU), d2d
  (within a GPU), p2p (between two), and staged: work of a GPU that went through the
  host.

  returns  table: {h2d = {calls =, bytes =}, …}

  nd.transfers().h2d.calls                -- => 0
]]},
{{"nd.memory.device"}, [=[
nd.memory.device([n [, opts]])

  The memory of GPU n as an object for the functions below: stream-ordered from a pool
  of ndbuf's own, where the driver has pools.

  n           integer = 0: the GPU's number
  opts.async  boolean: true: from the pool; false: by plain cuMemAlloc, which other
              libraries and processes can share
  returns     memory
  raises      device_not_found when there is no such GPU

  nd.memory.device(99)                    -- => error: there is no GPU
]=]},
{{"nd.memory.get"}, [[
nd.memory.get(device)

  The memory that new arrays on a device come from, in this Lua state.

  device   device: any but a file
  returns  memory
  raises   invalid_argument for a file
           device_not_found when there is no such GPU

  tostring(nd.memory.get "cpu")           -- => host memory of cpu
]]},
{{"nd.memory.set"}, [[
nd.memory.set(device, memory)

  Let new arrays on a device come from this memory, in this Lua state; nil: what it has
  by itself.

  device   device: the one that the memory is of
  memory   memory | nil: from nd.memory.device or nd.memory.get
  returns  nothing
  raises   invalid_argument for memory of another device, and for a file
           device_not_found when there is no such GPU

  nd.memory.set("cpu", nd.memory.get "cpu")
  nd.zeros(2)                             -- => [0, 0]
]]},
{{"nd.memory.use"}, [[
nd.memory.use(memory, fn, …)

  Calls fn(…) with this memory set for its device, and puts back what was, also when
  that raises.

  memory   memory: from nd.memory.device or nd.memory.get
  fn       function: is called once
  …        any: its arguments
  returns  any …: what it returns

  nd.memory.use(nd.memory.get "cpu", function(n) return nd.zeros(n) end, 2)   -- => [0, 0]
]]},
{{"nd.memory.trim"}, [=[
nd.memory.trim([device [, keep]])

  Give memory that is kept for later arrays back to the system: blocks of the host,
  pinned ones, and what the pools of GPUs hold; what a GPU's work still uses stays, so
  that dev:synchronize comes first. dev:memory_info().cached says how much is kept. When
  memory runs short it happens by itself, with all that is kept on that device.

  device   device | nil: any but a file; nil: all of them. The host's (cpu) and pinned
           memory go together, and so do the kinds of memory of one GPU
  keep     integer = 0: so many bytes of each may stay
  returns  integer: the bytes that went back
  raises   invalid_argument for a file, and for a negative number
           device_not_found when there is no such GPU

  nd.memory.trim "cpu"
  nd.device("cpu"):memory_info().cached   -- => 0
]=]},
{{"mem.device"}, [[
mem.device

  The device that memory is of.

  returns  string
  raises   invalid_argument for any other field

  nd.memory.get("cpu").device             -- => cpu
]]},
{{"nd.set_threads"}, [[
nd.set_threads(n)

  How many threads work that moves about 1 MiB or more is spread over; smaller work
  never pays for them. At first as many as the process has processors, or the
  environment's NDBUF_THREADS. The count is the process', not one Lua state's. A forked
  child works on one thread, and so does an ndbuf that was built without OpenMP. Results
  are the same for every count.

  n        integer: 1 … 256
  returns  integer: the count before
  raises   invalid_argument for other counts

  local before = nd.set_threads(1)
  nd.set_threads(before)                  -- => 1
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
not_host_accessible             a pointer to memory of a GPU
driver                          a call of the CUDA driver failed: its name, CUDA's own
                                name and number of the error
stream_misuse                   a stream that cannot be waited for
interrupted                     Ctrl-C in a long call
use_after_free · not_allocated · budget_exceeded · compile  kept for what is to come
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
{{"e.axis", "e.value", "e.limit", "e.expected", "e.actual", "e.offset", "e.position", "e.part", "e.requested", "e.live", "e.pending", "e.cached", "e.free", "e.total", "e.largest", "e.number", "e.errno"}, [[
e.axis e.value e.limit e.expected e.actual e.offset e.position e.part e.requested e.live
e.pending e.cached e.free e.total e.largest e.number e.errno

  The numbers of the message: an axis, the value that was refused and the limit; what
  was expected and what was found; a byte's or character's offset, from 0; an element's
  position or a part's number, from 1; bytes that were asked for, those in use, those
  freed but still in use by work, those kept by a pool, those free on the device and all
  of it, the largest live array; the number of the CUDA driver's error, of the system's.

  returns  integer: nil where the message has none

  local ok, e = pcall(function() return nd.zeros(3)[12] end)
  e.axis, e.value, e.limit                -- => 1, 12, 3
  ok, e = pcall(nd.load, "none.npy")
  e.errno                                 -- => 2
]]},
}},
}
