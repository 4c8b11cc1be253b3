-- Made by 'make docs' from docs/reference/; 'make lint-names' sees that it is.
-- For each section its name, title, introduction and entries: {keys, text}.
-- luacheck: ignore
return {
{name = "everywhere", title = "What holds everywhere", text = [=[
Every public name, in the order in which a newcomer needs them. nd is require "ndbuf", a
and b are arrays, dtype and dev are objects such as nd.f32 and nd.device "cpu", and e is
the error object that a failed call raises.

The same texts are available at the prompt, as ?narrow in ndbuf or print(require
"ndbuf.help" "narrow"), and in editors that use lua-language-server: add the folder that
contains ndbuf/meta.lua to its workspace.library. All of them are generated from these
pages.

How to read an entry

The heading is the call. Arguments in brackets are optional: [, axis] may be omitted by
itself; in [, rtol [, atol]] the second may be given only together with the first. Below
the heading are the arguments with their types and limits, the return values, and the
errors, each with a call that raises it. In these calls a is nd.array {{1, 2, 3}, {4, 5,
6}}.

Each example runs as it stands, and so does each call that raises an error: at the
prompt, where a local ends with its line, leave that word out. -- => shows a value; for
an array it shows only the elements where the rest is of no interest. -- => error: shows
how the message begins.

type                    accepted values
integer                 a whole number, or int64_t or uint64_t cdata
number                  any number, or int64_t or uint64_t cdata of magnitude up to 2^53
shape                   0 to 16 extents of 0 or more, as a table or as separate
                        arguments: {2, 3} or 2, 3
integers                axes or counts, as a table or as separate arguments: {2, 1} or
                        2, 1
dtype                   a dtype name or a dtype object: "f32", nd.f32
device                  a device name or a device object: "cpu", "cuda:0", "disk:PATH";
                        for makers and a:to also a memory resource
stream, event           an object of streams
memory                  a memory resource
value                   one element as a Lua value: a number, a boolean, complex cdata
                        or 64-bit cdata (elements that are read are 64-bit cdata only
                        past 2^53)
values                  a value, a nested table of values, or an array
index                   anything that may stand in brackets: see indexing
array, table, string …  what the name says; integer[] is a table of integers

What holds everywhere

- Axes and indices count from 1; negative ones count from the end; ranges include both
  ends. Nothing is clamped: an index or a bound outside of its axis is an error.
- opts is an optional last table. An unknown option is an error, and so is a surplus
  argument.
- Where an operand may be an array, a nested table may stand for it: v + {1, 2, 3},
  nd.sum {1, 2}. It becomes the array that nd.array makes of it, in f64; the rows of
  ragged tables are refused.
- A view shares the memory of its array, a copy does not; every entry says which of them
  it returns. Results computed from a mapped or wrapped array are on the cpu.
- Every failure raises an error object with the line of the caller. A call that is
  refused has changed nothing.

Every function may raise the following errors, which the entries do not repeat; a long
call that is stopped by Ctrl-C raises interrupted:

  raises   type_mismatch where an argument has the wrong type
           invalid_argument where an integer has a fraction; where a name or an option
           is not known; where there are too many arguments
           not_representable where a number is expected and 64-bit cdata is past 2^53
           freed where the elements were freed
           overflow where a shape needs more bytes than the address space has
           out_of_memory where memory is short even after a garbage collection
]=], entries = {
}},
{name = "dtypes", title = "Dtypes", text = [[
A dtype is the type of the elements of an array. Wherever a dtype is accepted, its name,
"f32", and its object, nd.f32, are equivalent.

dtype                           an element in Lua is
bool                            a boolean
i8 u8 i16 u16 i32 u32           a number
i64 u64                         a number from -2^53 to 2^53; int64_t, uint64_t cdata
                                beyond, where a number would lose digits
f16 bf16 f32 f64 f8e4m3 f8e5m2  a number
c64 c128                        complex float, complex double cdata, with .re and .im

Conversion is the same for stores, copies and casts. To an integer: truncated toward
zero, then saturated to its range; NaN becomes 0. To bool: x ≠ 0; NaN is true. To a
float: rounded once, to nearest, ties to even; values that are too large become infinity
(±448 in f8e4m3, which has no infinity). From real to complex: the imaginary part is 0.
From complex to real: a type_mismatch that names .real.

Only conversions saturate. Arithmetic on integers wraps modulo 2^n, as in C and NumPy.
]], entries = {
{{"nd.bool", "nd.i8", "nd.u8", "nd.i16", "nd.u16", "nd.i32", "nd.u32", "nd.i64", "nd.u64", "nd.f16", "nd.bf16", "nd.f32", "nd.f64", "nd.c64", "nd.c128", "nd.f8e4m3", "nd.f8e5m2"}, [[
nd.bool nd.i8 nd.u8 nd.i16 nd.u16 nd.i32 nd.u32 nd.i64 nd.u64 nd.f16 nd.bf16 nd.f32
nd.f64 nd.c64 nd.c128 nd.f8e4m3 nd.f8e5m2

  The dtype objects.

  returns  dtype object: tostring of it is the name
  raises   invalid_argument for an unknown field

  nd.zeros(2, nd.f32).dtype   -- => f32
  tostring(nd.bf16)           -- => bf16
]]},
{{"dtype(values [, device] [, opts])"}, [[
dtype(values [, device] [, opts])

  Calling a dtype makes an array of that dtype: nd.f32 {1, 2} is nd.array({1, 2},
  "f32").

  values          values | cdata: as for nd.array
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  returns         array: a copy with the shape of the values
  raises          shape_mismatch for ragged rows
                  type_mismatch for complex values and a real dtype
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.f32 {1, 2, 3}            -- => f32 3 cpu [1, 2, 3]
  nd.u8 {300, -5, 1.9, 0/0}   -- => [255, 0, 1, 0]
  nd.i64 {7}[1]               -- => 7
  nd.u64 {2^64}[1]            -- => 18446744073709551615ULL
  nd.c64 {7}[1].re            -- => 7
]]},
{{"dtype.name", "dtype.kind"}, [[
dtype.name dtype.kind

  The name of the dtype, and its kind: bool, int, uint, float or complex.

  returns  string: the name, or the kind

  nd.f16.name, nd.f16.kind    -- => f16, float
]]},
{{"dtype.itemsize"}, [[
dtype.itemsize

  The size of an element in bytes.

  returns  integer: 1 to 16

  nd.f16.itemsize             -- => 2
]]},
}},
{name = "making", title = "Making arrays", text = [[
The shape or value may be followed by a dtype, a device and opts, in this order; each is
optional:

  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  raises          invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created
]], entries = {
{{"nd.array"}, [=[
nd.array(values [, dtype] [, device] [, opts])

  A new array with a copy of the values, which may be nested tables, a number, another
  array, or a cdata array such as ffi.new("float[3][4]").

  values          values | cdata: tables are lists, without holes and without other
                  keys, nested up to 16 deep; all tables of one level have the same
                  length. They are read raw: __index is ignored
  dtype           dtype: by default that of the given array or cdata array, otherwise
                  "f64"
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: a copy with the shape of the values
  raises          shape_mismatch for ragged rows; the message names the row; for holes;
                  the message names the position
                  type_mismatch for a string; for complex values and a real dtype
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.array({{1, 2}, {3, 4}}, "i16")       -- => i16 2x2 cpu [[1, 2], [3, 4]]
  nd.array(require "ffi".new("float[2]", 5))  -- => f32 2 cpu [5, 5]
  nd.array {{1, 2}, {3}}                  -- => error: table[2]: expected a row of 2 elements, got 1
]=]},
{{"nd.asarray"}, [[
nd.asarray(values [, dtype] [, device] [, opts])

  If values is an array, returns that array itself, whatever the other arguments are;
  otherwise does the same as nd.array.

  values          values | cdata: as for nd.array
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: the given array, or a new one
  raises          shape_mismatch for ragged rows
                  type_mismatch for a string
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  local a = nd.zeros(2)
  nd.asarray(a) == a                      -- => true
  nd.asarray {1, 2}                       -- => [1, 2]
]]},
{{"nd.zeros", "nd.ones"}, [=[
nd.zeros(shape [, dtype] [, device] [, opts])
nd.ones(shape [, dtype] [, device] [, opts])

  A new array filled with 0 or with 1.

  shape           shape: the extents; {} makes a 0-d array, which has one element
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          invalid_argument for a negative extent or more than 16; for a dtype or
                  device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
  nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
]=]},
{{"nd.empty"}, [[
nd.empty(shape [, dtype] [, device] [, opts])

  A new array whose contents are undefined. Its memory is allocated at the first use,
  but that of up to 4 KiB on cpu, and that of files, at once.

  shape           shape: as for nd.zeros
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.lazy       boolean: memory of any size is allocated at the first use (true) or at
                  once (false)
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          out_of_memory where there is not so much
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.empty({480, 640}, "u8").is_allocated -- => false
  nd.empty(3).is_allocated                -- => true
  nd.empty(3, {lazy = true}).is_allocated -- => false
]]},
{{"nd.full"}, [=[
nd.full(shape, value [, dtype] [, device] [, opts])

  A new array with all elements set to a value.

  shape           integer[] | integer: the extents as a table, or the extent of a single
                  axis
  value           value: converted to the dtype
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          invalid_argument for a negative extent or more than 16; for a dtype or
                  device that is not known
                  type_mismatch for a complex value and a real dtype
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.full({2, 2}, 7, "u16")               -- => u16 2x2 cpu [[7, 7], [7, 7]]
]=]},
{{"nd.zeros_like", "nd.ones_like"}, [=[
nd.zeros_like(a [, dtype] [, device] [, opts])
nd.ones_like(a [, dtype] [, device] [, opts])

  Like nd.zeros and nd.ones, with the shape of another array.

  a               array: gives the shape
  dtype           dtype: by default that of a
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new; by default on the device of a, or on the cpu if a is a
                  mapped file
  raises          invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
]=]},
{{"nd.empty_like"}, [[
nd.empty_like(a [, dtype] [, device] [, opts])

  Like nd.empty, with the shape of another array.

  a               array: gives the shape
  dtype           dtype: by default that of a
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.lazy       boolean: as for nd.empty
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new; by default on the device of a, or on the cpu if a is a
                  mapped file
  raises          invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.empty_like(nd.ones(2, 3, "i8")).shape                -- => {2, 3}
]]},
{{"nd.full_like"}, [=[
nd.full_like(a, value [, dtype] [, device] [, opts])

  Like nd.full, with the shape of another array.

  a               array: gives the shape
  value           value: converted to the dtype
  dtype           dtype: by default that of a
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new; by default on the device of a, or on the cpu if a is a
                  mapped file
  raises          type_mismatch for a complex value and a real dtype
                  invalid_argument for a dtype or device that is not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.full_like(nd.zeros(2, 2, "i8"), 3)   -- => i8 2x2 cpu [[3, 3], [3, 3]]
]=]},
{{"nd.arange"}, [[
nd.arange(n [, dtype] [, device] [, opts])
nd.arange(first, last [, step] [, dtype] [, device] [, opts])

  The numbers 1 … n, or evenly spaced numbers from first: element i is first + (i - 1) *
  step. last is included if a whole number of steps reaches it. If step points away from
  last, the array is empty.

  If all three are integers (numbers or 64-bit cdata), all elements are computed in
  integers and are exact, also beyond 2^53. Fractions such as 0.1 are not exact as
  doubles, so the last step may miss last by a rounding error. The number of elements
  allows for that: with steps = (last - first) / step and eps = 2^-52 it is max(0,
  floor(steps + slack) + 1), where slack = min(1/2, eps ((|first| + |last|) / |step| + 2
  |steps|)). Elements are converted to the dtype as in a store: fractions are truncated
  for integer dtypes.

  n               number: the last number
  first           number: finite
  last            number: finite
  step            number = 1: finite, not 0
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 1-D
  raises          invalid_argument for a step of 0, infinities and NaN; for a dtype or
                  device that is not known
                  not_representable for fractions together with a 64-bit integer that no
                  double holds
                  overflow where there are too many elements
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.arange(4)                            -- => [1, 2, 3, 4]
  nd.arange(0, 1, 0.25, "f32")            -- => f32 5 cpu [0, 0.25, 0.5, 0.75, 1]
  nd.arange(3, 1, -1)                     -- => [3, 2, 1]
  nd.arange(100, 100.3, 0.1).size         -- => 4
]]},
{{"nd.linspace"}, [[
nd.linspace(first, last, n [, dtype] [, device] [, opts])

  n evenly spaced numbers from first to last. Both ends are exact, and the numbers are
  monotonic. For an integer dtype they are rounded to nearest, ties to even (as by
  a:round()); if both ends are integers, they are computed exactly, also beyond 2^53.
  Where an end is complex, the dtype is c128 unless given, and real and imaginary parts
  are each spaced so.

  first           value: finite
  last            value: finite
  n               integer: the number of elements, 0 or more; with 1 the only element is
                  first
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 1-D
  raises          not_representable for a 64-bit integer that no double holds, unless
                  the dtype is an integer
                  invalid_argument for ends that are not finite, and a negative n; for a
                  dtype or device that is not known
                  type_mismatch for a complex end and a real dtype
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.linspace(0, 1, 3)                    -- => [0, 0.5, 1]
  nd.linspace(0, 10, 4, "i32")            -- => i32 4 cpu [0, 3, 7, 10]
  nd.linspace(1, 2i, 3)                   -- => c128 3 cpu [1+0i, 0.5+1i, 0+2i]
]]},
{{"nd.logspace"}, [[
nd.logspace(first, last, n [, dtype] [, device] [, opts])

  base to the power of n evenly spaced exponents. Computed in f64, then converted; for
  an integer dtype the numbers are rounded to nearest.

  first           number: the first exponent, finite
  last            number: the last exponent, finite
  n               integer: the number of elements, 0 or more
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.base       number = 10: finite and above 0
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 1-D
  raises          invalid_argument for ends that are not finite, a negative n, and a
                  base of 0 or below; for a dtype or device that is not known
                  not_representable for a 64-bit integer that no double holds
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.logspace(0, 3, 4)                    -- => [1, 10, 100, 1000]
  nd.logspace(0, 3, 4, "i32", {base = 2}) -- => i32 4 cpu [1, 2, 4, 8]
]]},
{{"nd.geomspace"}, [[
nd.geomspace(first, last, n [, dtype] [, device] [, opts])

  n numbers from first to last, each the one before it times the same factor. Both ends
  are exact, no number lies outside of them, and neither products nor ratios overflow on
  the way. Between powers of ten those at whole exponents are exact. For an integer
  dtype the numbers are rounded to nearest. Where an end is complex the dtype is c128
  unless given; magnitudes are spaced so, and angles, from -π to π, evenly.

  first           value: finite, not 0
  last            value: finite, not 0; of the sign of first where both are real
  n               integer: the number of elements, 0 or more; with 1 the only element is
                  first
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 1-D
  raises          invalid_argument for ends that are 0, not finite, or of different
                  signs, and a negative n; for a dtype or device that is not known
                  not_representable for a 64-bit integer that no double holds
                  type_mismatch for a complex end and a real dtype
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.geomspace(1, 1000, 4)                -- => [1, 10, 100, 1000]
  nd.geomspace(-1e-300, -1e300, 3)        -- => [-1e-300, -1, -1e+300]
  nd.geomspace(1i, 16i, 3)                -- => c128 3 cpu [0+1i, 0+4i, 0+16i]
]]},
{{"nd.eye"}, [=[
nd.eye(n [, columns] [, dtype] [, device] [, opts])

  A matrix with ones on the main diagonal and zeros elsewhere.

  n               integer: the number of rows, 0 or more
  columns         integer = n: the number of columns, 0 or more
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 2-D
  raises          invalid_argument for a negative number; for a dtype or device that is
                  not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.eye(2)                               -- => [[1, 0], [0, 1]]
]=]},
{{"nd.identity"}, [=[
nd.identity(n [, dtype] [, device] [, opts])

  A square matrix with ones on the main diagonal and zeros elsewhere.

  n               integer: the number of rows and columns, 0 or more
  dtype           dtype = "f64": the dtype of the elements
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 2-D
  raises          invalid_argument for a negative number; for a dtype or device that is
                  not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.identity(2, "i8")                    -- => i8 2x2 cpu [[1, 0], [0, 1]]
]=]},
{{"nd.diag"}, [=[
nd.diag(v [, k])

  A matrix with the elements of v on a diagonal and zeros elsewhere. If v is a matrix,
  its diagonal, as by a:diagonal(k).

  v        array | table: 1-D or 2-D
  k        integer = 0: the offset from the main diagonal; positive above it, negative
           below
  returns  array: new, 2-D, with the dtype of v and on its device; for a matrix a view,
           1-D
  raises   shape_mismatch for another number of axes
           index_out_of_range for a diagonal outside of a matrix
           invalid_argument for an offset that is no integer

  nd.diag {1, 2}                          -- => [[1, 0], [0, 2]]
  nd.diag(nd.i8 {1, 2}, 1)                -- => i8 3x3 cpu [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
  nd.diag {{1, 2}, {3, 4}}                -- => [1, 4]
]=]},
{{"nd.tril", "a:tril", "a:tril_", "nd.triu", "a:triu", "a:triu_"}, [=[
nd.tril(a [, k] [, opts])
a:tril([k] [, opts])
a:tril_([k])
nd.triu(a [, k] [, opts])
a:triu([k] [, opts])
a:triu_([k])

  The lower or upper triangle of the last two axes: a copy with zeros above, or below, a
  diagonal. The methods with a trailing _ set those elements of a to 0.

  a         array | table: with 2 axes or more
  k         integer = 0: the offset of the diagonal, which is part of the triangle;
            positive above the main one, negative below; it may lie outside
  opts.out  array: where the result goes, converted; of its shape
  returns   array: new, with the shape and dtype of a, or opts.out; in place, a
  raises    shape_mismatch for fewer than 2 axes, and an out of another shape
            invalid_argument for an offset that is no integer
            read_only in place, or in out, for a read-only array
            overlap in place, or in out, where elements of the array share memory

  nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
  nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
  nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
]=]},
{{"nd.meshgrid"}, [=[
nd.meshgrid(x, … [, opts])

  Grids of coordinates: for each argument an array of the grid's shape, which repeats
  the argument along all axes but its own.

  x              array | table | number: 1-D, or one coordinate; up to 16 of them. A
                 table in the last place that is empty or has names are the options
  opts.indexing  string = "xy": the first coordinates go along axis 2 and the second
                 along axis 1, as in an image; "ij": the n-th along axis n
  opts.sparse    boolean = false: leaves extents of 1 where nothing but repetitions
                 would be; the results broadcast against each other
  returns        array …: one for each argument, new, with its dtype and on its device
  raises         shape_mismatch for coordinates with more axes
                 invalid_argument for no coordinates, or more than 16, and another word
                 as indexing

  local x, y = nd.meshgrid({1, 2, 3}, {10, 20})
  x                                       -- => [[1, 2, 3], [1, 2, 3]]
  x + y                                   -- => [[11, 12, 13], [21, 22, 23]]
  select(2, nd.meshgrid({1, 2, 3}, {10, 20}, {indexing = "ij", sparse = true})) -- => [[10, 20]]
]=]},
{{"nd.vander"}, [=[
nd.vander(x [, n] [, opts])

  A Vandermonde matrix: a row of powers for each element of x, from the highest down to
  1.

  x                array | table: 1-D
  n                integer: the number of columns, 0 or more; by default the number of
                   elements
  opts.increasing  boolean = false: from 1 up to the highest power
  opts.out         array: where the result goes, converted; of its shape
  returns          array: new, 2-D; of integers and bool in 64 bits, where powers wrap;
                   else with the dtype of x
  raises           shape_mismatch for another number of axes, and an out of another
                   shape
                   read_only for an out that is read-only
                   overlap for an out whose elements share memory
                   invalid_argument for a negative n

  nd.vander {1, 2, 3}                     -- => [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
  nd.vander(nd.i8 {2, 3}, 2, {increasing = true})     -- => i64 2x2 cpu [[1, 2], [1, 3]]
]=]},
{{"nd.random", "nd.normal", "nd.uniform", "nd.exponential"}, [[
nd.random([shape] [, dtype] [, device] [, opts])
nd.normal([shape] [, dtype] [, device] [, opts])
nd.uniform([shape] [, dtype] [, device] [, opts])
nd.exponential([shape] [, dtype] [, device] [, opts])

  Random floats. random is uniform in [0, 1), uniform from lo on and below hi; normal
  has mean 0 and standard deviation 1, unless told otherwise; exponential has the mean
  scale. The generator is Philox 4x32-10; it gives the same numbers on every machine,
  every device and for every number of threads: an element is a function of the seed,
  its position and its own parameters. Each call has a sequence of its own: nd.random(5)
  followed by nd.random(7) does not give the numbers of nd.random(12).

  Uniform f32 numbers are multiples of 2^-24 times hi - lo. Uniform f16 and bf16 numbers
  in [0, 1) are rounded to nearest, but never up to 1: they become the largest number
  below it instead (1 - 2^-11, 1 - 2^-8). For another hi the rounding of the dtype may
  give hi itself. normal is by Box and Muller (1958), exponential by inversion.

  shape           shape = {}: the extents; by default a 0-d array, or the shape of the
                  parameters
  dtype           dtype = "f64": or f32, f16, bf16
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.lo         number | array = 0: of uniform; parameters are up to 1e300 in
                  magnitude, and arrays and lists of them, one for each element,
                  broadcast to the shape
  opts.hi         number | array = 1: of uniform, not below lo
  opts.mean       number | array = 0: of normal
  opts.std        number | array = 1: of normal, 0 or more
  opts.scale      number | array = 1: of exponential, 0 or more
  opts.seed       integer: gives the numbers that belong to this seed; without it the
                  call takes the next ones of the running sequence, which nd.seed
                  restarts
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          invalid_argument for a negative extent; for a parameter out of range;
                  for a dtype or device that is not known
                  type_mismatch for any other dtype; for a parameter that is no number
                  or array of real numbers
                  shape_mismatch for parameters that do not broadcast to the shape
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  local x = nd.random({3}, "f32", {seed = 1})
  x.dtype, x.size                         -- => f32, 3
  x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
  nd.normal(nil, {mean = {10, 20, 30}, std = 0})      -- => [10, 20, 30]
  nd.uniform({100}, {lo = 5, hi = 6}):ge(5):all()     -- => true
  nd.exponential({4}, {scale = 2}).shape  -- => {4}
]]},
{{"nd.gamma", "nd.beta", "nd.poisson", "nd.binomial"}, [[
nd.gamma(k [, shape] [, dtype] [, device] [, opts])
nd.beta(a, b [, shape] [, dtype] [, device] [, opts])
nd.poisson(mean [, shape] [, device] [, opts])
nd.binomial(n, p [, shape] [, device] [, opts])

  Random numbers by distributions with parameters, which are numbers, or arrays and
  lists that broadcast to the shape: each element then has its own. As for nd.random, an
  element is a function of the seed, its position and its parameters. gamma is by
  Marsaglia and Tsang (2000), beta the share that one of two gamma numbers has, poisson
  and binomial are by inversion below a mean of 10, else by Hörmann's transformed
  rejection (1993).

  k               number | array: of gamma: its shape parameter, 0 or more; the mean is
                  k times scale
  a               number | array: of beta, from 1e-300 on
  b               number | array: of beta, likewise
  mean            number | array: of poisson: 0 to 2^62
  n               number | array: of binomial: how often it is tried, a whole number
                  from 0 to 2^53
  p               number | array: of binomial: the probability of success, 0 to 1
  shape           shape: the extents; by default those of the parameters: a 0-d array
                  for numbers
  dtype           dtype = "f64": of gamma and beta, or f32, f16, bf16; the others give
                  i64
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.scale      number | array = 1: of gamma, 0 or more
  opts.seed       integer: as for nd.random
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          invalid_argument for a parameter out of range, with its position in an
                  array; for a number of tries that is not whole; for a dtype or device
                  that is not known
                  type_mismatch for any other dtype; for a parameter that is no number
                  or array of real numbers
                  shape_mismatch for parameters that do not broadcast to the shape
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.poisson(3, {1000}, {seed = 1}):to("f64"):mean() < 4      -- => true
  nd.binomial({0, 5, 7}, {0.5, 0, 1})     -- => i64 3 cpu [0, 0, 7]
  nd.gamma({1, 2, 3}, {2, 3}).shape       -- => {2, 3}
  nd.beta(2, 5, {4}, "f32").dtype         -- => f32
]]},
{{"nd.multinomial"}, [[
nd.multinomial(n, p [, shape] [, opts])

  How often each outcome comes in n tries: binomial numbers of what is left, one after
  the other.

  n          number | array: tries, a whole number from 0 to 2^53
  p          array: the probability of each outcome, 1-D; they add up to 1
  shape      shape: the extents before the last axis; by default those of n
  opts.seed  integer: as for nd.random
  returns    array: new, i64; its last axis has as many elements as p, which add up to n
  raises     invalid_argument for shares that do not add up to 1
             shape_mismatch for shares that are no list
             type_mismatch for tries that are no numbers

  nd.multinomial(7, {0, 1, 0})            -- => i64 3 cpu [0, 7, 0]
  nd.multinomial(9, {0.2, 0.3, 0.5}, {4}):sum(2)      -- => i64 4 cpu [9, 9, 9, 9]
]]},
{{"nd.choice"}, [[
nd.choice(a [, shape] [, axis] [, opts])

  Entries of an array, or numbers of 1 … a, at random.

  a             integer | array: what is chosen from; a list becomes an array
  shape         shape = {}: the extents of the choice; by default one entry
  axis          integer = 1: of an array: the entries along this axis; behind a table or
                nil as the shape
  opts.replace  boolean = true: false: no entry is chosen twice
  opts.p        array: the probability of each entry, 1-D; they add up to 1. Without
                replacement each next one is drawn by the shares of those that are left
                (Efraimidis and Spirakis 2006)
  opts.axis     integer: the axis, as an option
  opts.seed     integer: as for nd.random
  returns       array: new; shape replaces the axis
  raises        invalid_argument for more different entries than there are; for shares
                that do not add up to 1; for an empty array
                shape_mismatch for another number of shares than of entries
                type_mismatch for what is neither a number nor an array
                index_out_of_range for an axis that is not there

  nd.choice(6, {10}).shape                -- => {10}
  nd.choice({10, 20, 30}, {2}, {p = {0, 1, 0}})       -- => [20, 20]
  nd.choice(5, {5}, {replace = false}):sort()         -- => i64 5 cpu [1, 2, 3, 4, 5]
]]},
{{"nd.shuffle"}, [[
nd.shuffle(a [, axis] [, opts])

  Puts the entries of an array along an axis in random order, in place.

  a          array: its elements move; each entry stays as it is
  axis       integer = 1: 1 to ndim, or negative
  opts.axis  integer: the axis, as an option
  opts.seed  integer: as for nd.random
  returns    array: a
  raises     type_mismatch for what is no array
             index_out_of_range for an axis that is not there
             overlap for an array whose elements share memory
             read_only for an array that is read-only

  local a = nd.arange(1, 5)
  nd.shuffle(a)
  a:sum(), a:min(), a:max()               -- => 15, 1, 5
]]},
{{"nd.randint"}, [[
nd.randint(lo, hi [, shape] [, dtype] [, device] [, opts])

  Random integers from lo to hi, both included, all equally likely.

  lo              integer: representable in the dtype; for u64, numbers from 2^63 on may
                  be numbers or cdata
  hi              integer: likewise; not less than lo
  shape           shape = {}: the extents; by default a 0-d array
  dtype           dtype = "i64": an integer dtype
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.seed       integer: as for nd.random
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          invalid_argument for lo above hi; for a bound that the dtype does not
                  hold; for a dtype or device that is not known
                  type_mismatch for a dtype that is not an integer
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.randint(5, 5, {3}, "u8")             -- => u8 3 cpu [5, 5, 5]
  nd.randint(-1ULL, -1ULL, {1}, "u64")    -- => u64 1 cpu [18446744073709551615]
]]},
{{"nd.permutation"}, [[
nd.permutation(n [, device] [, opts])

  The integers 1 … n in random order.

  n               integer: 0 or more
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype = "i64": no other dtype is accepted
  opts.seed       integer: as for nd.random
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new, 1-D, i64
  raises          invalid_argument for a negative n; for a dtype or device that is not
                  known
                  type_mismatch for another dtype
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.permutation(1)                       -- => i64 1 cpu [1]
]]},
{{"nd.seed"}, [[
nd.seed(n)

  Restarts the running sequence of random numbers. When the module is loaded, it is
  seeded from the time.

  n        integer: any integer
  returns  nothing

  nd.seed(42)
  local x = nd.random(3)
  nd.seed(42)
  x:equal(nd.random(3))                   -- => true
]]},
{{"nd.frombytes"}, [=[
nd.frombytes(bytes [, dtype] [, shape] [, device] [, opts])

  A new array with a copy of raw bytes.

  bytes           string | userdata: a Lua string or a LuaJIT string buffer
  dtype           dtype = "u8": the dtype as which the bytes are read
  shape           shape: the extents; by default all elements along one axis
  device          device = "cpu": the device of the elements; "disk:PATH" creates that
                  file
  opts.dtype      dtype: the dtype, as an option
  opts.device     device: the device, as an option
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: new
  raises          size_mismatch where the bytes do not fill the shape
                  invalid_argument for a negative extent; for a dtype or device that is
                  not known
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  nd.frombytes("\1\0\2\0", "u16")         -- => u16 2 cpu [1, 2]
  nd.frombytes("abcd", {2, 2})            -- => u8 2x2 cpu [[97, 98], [99, 100]]
  nd.frombytes("abc", "u16")              -- => error: bytes: 3 B are not a multiple
]=]},
{{"nd.wrap"}, [=[
nd.wrap(pointer, dtype, shape [, opts])

  An array over memory owned by another library, without a copy. The size behind a bare
  pointer cannot be checked and is trusted; the size of a cdata array is checked. GPU
  memory is handed over in stream order: the array's work is ordered after everything
  that was enqueued on that stream before, and each later call on the array returns only
  when its work is complete. A stream that is being captured into a graph, or does not
  belong to the device's primary context, raises stream_misuse.

  pointer        cdata: a pointer or an array
  dtype          dtype: the dtype of the elements, whatever the type of the pointer
  shape          shape: the extents; the elements are in row-major order
  opts.owner     any: kept alive as long as any view of the memory; by default the
                 pointer's own cdata
  opts.readonly  boolean = false: refuses writes
  opts.device    device = "cpu": or cuda:n, in which case the driver must know the
                 address
  opts.stream    stream | integer | cdata = 0: on cuda:n, the CUDA stream (a CUstream,
                 its number, or a stream) whose pending work on the memory comes first;
                 by default the legacy default stream, which PyTorch uses unless told
                 otherwise
  returns        array: a view of that memory
  raises         type_mismatch for other cdata
                 out_of_bounds for NULL, and cdata arrays that are too small
                 invalid_argument for a negative extent, and for disk:PATH as the
                 device; for a GPU address without device, and for a stream without a
                 GPU
                 unsupported for the devices pinned and managed; wrap such memory as cpu
                 or cuda:n
                 device_not_found without a GPU

  local memory = require "ffi".new("double[4]", 1, 2, 3, 4)
  local w = nd.wrap(memory, "f64", {2, 2}, {owner = memory})
  memory[3] = 9
  w                                       -- => [[1, 2], [3, 9]]
]=]},
{{"nd.concat"}, [[
nd.concat(arrays [, axis] [, opts])

  Concatenate arrays along an existing axis.

  arrays    array[]: 1 to 2^20 arrays, with equal extents except along the axis; dtypes
            are promoted as in computing: u8 and f32 give f32. A table among them
            becomes an array of the dtype that the others are promoted to, f64 where
            there is none
  axis      integer | table = 1: 1 to ndim, or negative; or {axis = …}
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy; or opts.out
  raises    shape_mismatch where extents along the other axes differ, and for an out of
            another shape
            type_mismatch where there is no common dtype
            index_out_of_range for an axis that does not exist
            invalid_argument for an empty table
            read_only for an out that is read-only
            overlap for an out whose elements share memory

  nd.concat {nd.ones(2), nd.zeros(1)}     -- => [1, 1, 0]
  nd.concat {nd.f32 {1}, {2, 3}}          -- => f32 3 cpu [1, 2, 3]
]]},
{{"nd.stack"}, [=[
nd.stack(arrays [, axis] [, opts])

  Stack arrays of equal shape along a new axis.

  arrays    array[]: 1 to 2^20 arrays of one shape; dtypes and tables are as for
            nd.concat
  axis      integer | table = 1: the position of the new axis in the result, 1 to ndim +
            1, or negative; or {axis = …}
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy with one more axis; or opts.out
  raises    shape_mismatch where shapes differ, and for an out of another shape
            type_mismatch where there is no common dtype
            index_out_of_range for an axis that does not exist
            invalid_argument for an empty table
            read_only for an out that is read-only
            overlap for an out whose elements share memory

  nd.stack({nd.ones(2), nd.zeros(2)}, 2)  -- => [[1, 0], [1, 0]]
]=]},
}},
{name = "looking", title = "Looking at arrays", text = [[
Fields are read-only. An unknown field or method is an error that suggests similar
names.
]], entries = {
{{"a.dtype"}, [[
a.dtype

  The name of the dtype.

  returns  dtype name: a string
  raises   invalid_argument where it is assigned, like every field

  nd.zeros(2, "u8").dtype                 -- => u8
  nd.zeros(2).dtpe                        -- => error: an array has no field or method "dtpe"
]]},
{{"a.device"}, [[
a.device

  The name of the device on which the elements are.

  returns  string: cpu, pinned, cuda:n, managed:n, or disk:PATH for a mapped file

  nd.zeros(2).device                      -- => cpu
]]},
{{"a.shape", "a.byte_strides"}, [[
a.shape a.byte_strides

  The extents, and the distance from one element to the next along each axis in bytes. A
  stride is negative along a reversed axis and 0 along an expanded one.

  returns  integer[]: a new table with an entry for each axis

  local a = nd.zeros(3, 4)
  a.shape, a.byte_strides, a.T.byte_strides   -- => {3, 4}, {32, 8}, {8, 32}
]]},
{{"a.strides"}, [[
a.strides

  The distance from one element to the next along each axis, in elements.

  returns  number[]: a new table; for a field of a packed record, strides may have
           fractions

  nd.zeros(3, 4).strides                  -- => {4, 1}
  nd.arange(3)"-1:1:-1".strides           -- => {-1}
]]},
{{"a.ndim", "a.size", "a.itemsize", "a.nbytes"}, [[
a.ndim a.size a.itemsize a.nbytes

  The number of axes, the number of elements, the size of an element in bytes, and the
  size of all elements in bytes.

  returns  integer: 0 or more

  local a = nd.zeros(3, 4)
  a.ndim, a.size, a.itemsize, a.nbytes    -- => 2, 12, 8, 96
]]},
{{"a.offset", "a.total_bytes"}, [[
a.offset a.total_bytes

  The position of the first element in bytes from the beginning of the storage, and the
  size of the whole storage in bytes.

  returns  integer: 0 or more

  local row = nd.zeros(3, 4)[2]
  row.offset, row.total_bytes             -- => 32, 96
]]},
{{"a.id", "a.storage_id"}, [[
a.id a.storage_id

  A number that identifies this handle, and a number that identifies its storage; all
  views of one storage have the same storage_id.

  returns  integer: never reused

  local a = nd.zeros(3, 4)
  a.T.id == a.id                          -- => false
  a.T.storage_id == a.storage_id          -- => true
]]},
{{"a.is_allocated", "a.is_contiguous", "a.is_view", "a.readonly", "a.is_external"}, [[
a.is_allocated a.is_contiguous a.is_view a.readonly a.is_external

  Whether the memory has been allocated (see nd.empty); whether the elements lie in
  row-major order without gaps; whether the array shows only a part of its storage, or
  shows it in another order; whether writes are refused; whether the memory belongs to
  other code (nd.wrap, nd.from_dlpack, nd.from_arrow).

  returns  boolean

  local a = nd.zeros(3, 4)
  a.is_allocated, a.T.is_contiguous       -- => true, false
  a.is_view, a[1].is_view, a.readonly     -- => false, true, false
  a.is_external                           -- => false
]]},
{{"a.T"}, [=[
a.T

  The transposed array: all axes in reverse order.

  returns  array: a view

  nd.array({{1, 2}, {3, 4}}).T            -- => [[1, 3], [2, 4]]
]=]},
{{"a.real", "a.imag"}, [[
a.real a.imag

  The real and imaginary parts of a complex array. real of a real array is the array
  itself.

  returns  array: a view; f32 for c64, f64 for c128
  raises   type_mismatch for imag of a real array

  local z = nd.zeros(2, "c64")
  z.real[1], z.imag[2] = 1, 5
  z                                       -- => [1+0i, 0+5i]
]]},
{{"a:dim"}, [[
a:dim(axis)

  The extent of one axis, without making a table as a.shape does.

  axis     integer: 1 to ndim, or negative
  returns  integer: 0 or more
  raises   index_out_of_range for an axis that does not exist

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

  Whether both arrays have the same dtype, the same shape and equal values; NaN equals
  nothing.

  b        array | table: a table is an array of f64
  returns  boolean
  raises   shape_mismatch for a ragged table

  nd.f64 {1, 2}:equal(nd.f64 {1, 2})      -- => true
  nd.f64 {1, 2}:equal(nd.f32 {1, 2})      -- => false
  nd.f64 {0/0}:equal(nd.f64 {0/0})        -- => false
]]},
{{"a == b", "a < b"}, [[
a == b a < b

  == tests whether both are the same handle; for element-wise comparison use a:eq(b) and
  a:lt(b). <, <=, > and >= are refused.

  b        array
  returns  boolean
  raises   unsupported for <, <=, > and >=

  local a = nd.zeros(2)
  a == a, a == a:clone()                  -- => true, false
  a < a                                   -- => error: <: arrays have no order
]]},
{{"nd.allclose"}, [=[
nd.allclose(a, b [, rtol [, atol]])

  Whether |a - b| ≤ atol + rtol |b| for all elements; a and b broadcast. The difference
  is computed in the dtype that both are promoted to. Between 64-bit integers and
  floats, and between i64 and u64, it is computed exactly and rounded once.

  a        array | table
  b        array | table
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

  An iterator along axis 1 for for loops. It gives the index, and the element of a 1-D
  array or a view of any other array. (ipairs does not work on userdata in Lua 5.1.)

  returns  function, array, integer: the three values that for expects
  raises   invalid_argument for a 0-d array

  local sum = 0
  for i, x in nd.f64 {1, 2, 3}:iter() do sum = sum + i * x end
  sum                                     -- => 14
]]},
{{"a:rows"}, [=[
a:rows([axis])

  An iterator along an axis for for loops, which gives the index and one array that
  moves along the axis: the same object each time, so that a loop makes no garbage.
  Compiled, a step takes a few nanoseconds. The array is a view, as of a:select(axis,
  i), on which everything works. row:clone() keeps a copy of it, a:select(axis, i) is a
  view that stays, and so are views made of it, such as row:narrow(…). After the loop it
  stays where it was last.

  axis     integer = 1: 1 to ndim, or negative
  returns  function, array, integer: the three values that for expects
  raises   index_out_of_range for an axis that does not exist
           invalid_argument for a 0-d array

  local m = nd.array {{1, 2}, {3, 4}}
  local sum = 0
  for i, row in m:rows() do sum = sum + i * row[2] end
  sum                                     -- => 10
  for _, column in m:rows(2) do column:sub_(column:mean()) end
  m                                       -- => [[-1, -1], [1, 1]]
  for _, window in nd.arange(1, 5):unfold(1, 3, 1):rows() do sum = sum + window:max() end
  sum                                     -- => 22
]=]},
{{"a:unpack"}, [[
a:unpack()

  All entries along axis 1 as separate values: the elements of a 1-D array, views of any
  other array.

  returns  any …: up to 7000 values
  raises   invalid_argument for a 0-d array
           capacity for more than 7000 entries

  nd.f64 {1, 2, 3}:unpack()               -- => 1, 2, 3
]]},
{{"tostring(a)"}, [[
tostring(a)

  The text that print(a) shows: dtype, shape and device, then the elements, or only the
  edges of a large array. If the elements cannot be read, the code and message of the
  error are shown instead.

  returns  string: one or more lines, without a line feed at the end

  print(nd.arange(3))                     -- => f64 3 cpu [1, 2, 3]
]]},
{{"nd.printoptions"}, [[
nd.printoptions([opts])

  Sets how print(a) shows arrays. Options that are not given keep their values.

  opts.threshold  integer = 1000: arrays with more elements show only their edges; 1 to
                  2^31
  opts.edge       integer = 3: the number of entries shown at each edge, 1 to 1000
  opts.precision  integer | boolean = false: significant digits, 1 to 17; false: as many
                  as are needed to read the same number back
  returns         table: the options now in force
  raises          invalid_argument for values outside of these limits

  nd.printoptions {threshold = 5, edge = 2}
  nd.arange(10)                           -- => [1, 2, ..., 9, 10]
  nd.printoptions {threshold = 1000, edge = 3}.edge   -- => 3
]]},
{{"nd.info"}, [[
nd.info()

  Information about this installation: version, abi, luajit, jit, platform, devices (a
  list), cuda (the version of the driver, if there is a GPU), pinned_fallbacks (the
  number of pinned blocks that could not be page-locked), threads (see nd.set_threads),
  libraries (a list of those that file formats need, with their versions), blas (who
  multiplies large matrices: a text that begins with OpenBLAS, MKL, BLAS or ndbuf),
  lapack (who factorises matrices: a text that begins with LAPACK; nil where there is
  none), fft (who computes Fourier transforms: FFTW … or ndbuf), missing (a table of
  what is not available, with the reasons). print shows the table as text.

  returns  table: a new table

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
All forms can be read and assigned. An integer for every axis selects an element, a Lua
value; fewer integers, or ranges, give a view; masks and index arrays give a copy.

form                            what it selects
a[3]                            the element of a 1-D array, otherwise a view without
                                axis 1
a(2, 3) · a()                   an element or a view; a() is the element of a 0-d array
a["2:5, :, -1"] · a"2:5, :, -1"  a slice string: lo:hi or lo:hi:step; : the whole axis;
                                ... all axes between; _ a new axis
a[{ {2, 5}, {}, -1 }]           the same as a table: {lo, hi, step}, {} is the whole
                                axis; items may be strings
a[mask]                         the elements or entries where mask is true: a bool array
                                of the shape of a, or of its first axes
a[index]                        the entries of axis 1 at the 1-based positions in an
                                integer array
a[{ i, {}, j }] · a(i, {}, j)   index arrays and masks among other entries: the
                                positions that all of them name together

A string that consists only of 0-9 : . , _ + - and blanks is a slice; any other string
is a field or method name. Axes that are not mentioned are taken whole. lo:lo-1 is the
empty range.

Where a list of entries has index arrays, these are broadcast to one shape, and each
element of it is a tuple of positions: a[{i, j}] has the elements a(i[k], j[k]). A mask
in a list stands for as many axes as it has, and for the positions of its true elements:
a[{m, {}}], a[{ {}, m }]. The axes of that shape come where the index arrays were, or
first, where a range or a new axis stands between two of them; integers beside index
arrays count as such. A mask has the extents of the axes that it stands for, or 0, which
selects nothing.

  raises   index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and for too many indices
]], entries = {
{{"a[index]", "a(index)"}, [=[
a[index]
a(index)

  The element, view or copy that the index selects.

  index    index: one of the forms above
  returns  any: an element, a view, or for masks and index arrays a copy
  raises   shape_mismatch for a mask of another shape; for index arrays that do not
           broadcast
           index_out_of_range for a position outside of its axis, which the message
           names with the number of the index array; for an index or a bound outside of
           its axis
           type_mismatch for an array that is neither bool nor integer
           invalid_argument for a range against its step, and for too many indices

  local a = nd.arange(1, 12):reshape(3, 4)
  a[2]                                    -- => [5, 6, 7, 8]
  a"2:3, -1"                              -- => [8, 12]
  a"-1:1:-2, :2"                          -- => [[9, 10], [1, 2]]
  a[{ {2, 3}, -1 }]                       -- => [8, 12]
  a"3:2".shape                            -- => {0, 4}
  a[nd.array({true, false, true}, "bool")]    -- => [[1, 2, 3, 4], [9, 10, 11, 12]]
  a[nd.array({3, 3}, "i64")]              -- => [[9, 10, 11, 12], [9, 10, 11, 12]]
  a[{nd.i64 {1, 3}, nd.i64 {2, -1}}]      -- => [2, 12]
  a[{ {2, 3}, nd.i64 {4, 1} }]            -- => [[8, 5], [12, 9]]
  a[{nd.bool {true, false, true}, -1}]    -- => [4, 12]
  a[12]                                   -- => error: index 12 is out of range for axis 1
  a"3:1"                                  -- => error: range 3:1 runs against its step 1
]=]},
{{"a[index] = values"}, [=[
a[index] = values

  Assigns to the elements that the index selects. Values are converted, saturating, and
  broadcast. If index arrays name an element several times, the last value is kept. All
  indices are checked before the first write.

  index    index: one of the forms above
  values   values: a value, a table or an array
  returns  nothing
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for complex values and a real array
           index_out_of_range for a position outside of its axis; for an index or a
           bound outside of its axis
           read_only for a read-only array
           overlap where elements of a share memory
           invalid_argument for a range against its step, and for too many indices

  local a = nd.zeros(2, 3)
  a[1], a["2, 1:2"] = {1, 2, 3}, 9
  a                                       -- => [[1, 2, 3], [9, 9, 0]]
  a[nd.array({true, false}, "bool")] = 7
  a                                       -- => [[7, 7, 7], [9, 9, 0]]
  a[{nd.i64 {1, 2, 2}, nd.i64 {1, 2, 2}}] = {1, 2, 3}
  a                                       -- => [[1, 7, 7], [9, 3, 0]]
]=]},
{{"a:get", "a(i, …)"}, [[
a:get(i, …)
a(i, …)

  The element at these indices, or a view if there are fewer indices than axes. Like
  a[i], these calls are compiled to machine code in loops.

  i        index: one integer for each axis, beginning with axis 1; ranges, slice
           strings, index arrays and masks are accepted, too; a single argument may be
           anything that may stand in brackets; nils at the end count as not given
  returns  any: an element or a view, for index arrays and masks a copy
  raises   shape_mismatch for a mask of another shape
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and for too many indices

  local a = nd.arange(1, 6):reshape(2, 3)
  a:get(2, -1), a(1, 1)                   -- => 6, 1
  a(2)                                    -- => [4, 5, 6]
  a(3, 1)                                 -- => error: index 3 is out of range for axis 1 of size 2
]]},
{{"a:set"}, [=[
a:set(i, …, value)

  Assigns to the element at these indices, or to the whole view if there are fewer
  indices than axes. It is compiled to machine code in loops, too.

  i        index: as for a:get
  value    values: converted, saturating, and broadcast
  returns  nothing
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for a complex value and a real array
           read_only for a read-only array
           overlap where elements of a share memory
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and for too many indices

  local a = nd.zeros(2, 2, "u8")
  a:set(1, 2, 300)
  a                                       -- => [[0, 255], [0, 0]]
]=]},
{{"a:slice"}, [[
a:slice(index)

  Like a[index], but always a view: where a[index] is an element, the view is 0-d.

  index    string | table: a slice string, or the same as a table
  returns  array: a view
  raises   type_mismatch for index arrays and masks, which give no view
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and for too many indices

  local a = nd.zeros(2, 3)
  a:slice({1, 1}).ndim                    -- => 0
  a:slice "1, _, 2:3".shape               -- => {1, 2}
]]},
{{"a:take"}, [=[
a:take(index [, axis] [, opts])

  A copy of the entries at the given positions along an axis, or of those that a mask
  selects, as a[mask], from that axis on.

  index     integer | integer[] | array: 1-based, negative from the end; a table may be
            nested. Or a mask: an array of bool, with the extents of the axis and of
            those behind it
  axis      integer | table = 1: 1 to ndim, or negative; or {axis = …}
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy; the axes of index replace the axis, those of a mask become
            one, with an entry for each of its elements that is true; or opts.out
  raises    type_mismatch for an index array that is not of integers; for an out that
            holds no complex values
            not_representable for fractions in a table
            shape_mismatch for a ragged table, and a mask of another shape; for an out
            of another shape
            read_only for an out that is read-only
            overlap for an out whose elements share memory
            index_out_of_range for an index or a bound outside of its axis
            invalid_argument for a range against its step, and for too many indices

  local a = nd.arange(1, 6):reshape(2, 3)
  a:take({3, 1}, 2)                       -- => [[3, 1], [6, 4]]
  a:take(-1)                              -- => [4, 5, 6]
  a:take(a:gt(2))                         -- => [3, 4, 5, 6]
  a:take(nd.array({true, false, true}, "bool"), 2)    -- => [[1, 3], [4, 6]]
  a:take(a:gt(3), {out = nd.zeros(3, "u8")})  -- => [4, 5, 6]
  a:take {3}                              -- => error: take: index 3 (position 1) is out of range
]=]},
{{"a:put"}, [[
a:put(index, values [, opts])

  Writes values to the given positions along axis 1. If a position occurs several times,
  the last value is kept. All indices are checked before the first write.

  index      integer | integer[] | array: as for a:take
  values     values: converted, and broadcast to the shape that a:take(index) has
  opts.base  integer = 1: 0 where index counts from 0; negative positions still count
             from the end
  returns    array: a
  raises     shape_mismatch where the values do not broadcast
             type_mismatch for an index array that is not of integers, and for complex
             values in a real array
             not_representable for fractions in a table
             invalid_argument for another base; for a range against its step, and for
             too many indices
             read_only for a read-only array
             overlap where elements of a share memory
             index_out_of_range for an index or a bound outside of its axis

  nd.zeros(4):put({2, -1}, {5, 6})        -- => [0, 5, 0, 6]
  nd.zeros(4):put({0, 2}, {5, 6}, {base = 0})  -- => [5, 0, 6, 0]
]]},
{{"a:index_add"}, [[
a:index_add(axis, index, values [, opts])

  Adds values to the entries at the given positions along an axis. If a position occurs
  several times, all its values are added.

  axis       integer: 1 to ndim, or negative
  index      integer | integer[] | array: as for a:take
  values     values: broadcast to the shape that a:take(index, axis) has; arrays and
             tables are converted; a single value must be exactly representable in the
             dtype, or is rounded if that is a float
  opts.base  integer = 1: 0 where index counts from 0; negative positions still count
             from the end
  returns    array: a
  raises     shape_mismatch where the values do not broadcast
             type_mismatch for an index array that is not of integers
             not_representable for fractions in a table; for a value that the dtype does
             not hold
             invalid_argument for another base; for a range against its step, and for
             too many indices
             read_only for a read-only array
             overlap where elements of a share memory
             index_out_of_range for an index or a bound outside of its axis

  nd.zeros(3):index_add(1, {1, 1, 3}, {1, 2, 3})  -- => [3, 0, 3]
  nd.zeros(3):index_add(1, {0, 2}, 1, {base = 0})  -- => [1, 0, 1]
]]},
{{"nd.gather", "a:gather"}, [=[
nd.gather(a, axis, index [, opts])
a:gather(axis, index [, opts])

  The elements that index names along an axis, each in its own line: out(i, j) is
  a(index(i, j), j) for axis 1, a(i, index(i, j)) for axis 2.

  a         array | table: any dtype, one axis at least
  axis      integer: 1 to ndim, or negative
  index     integer[] | array: as for a:take; with the axes of a, on the other axes at
            most as long
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy, of the shape of index; or opts.out
  raises    shape_mismatch for an index of more places than a has
            type_mismatch for an index array that is not of integers
            not_representable for fractions in a table
            read_only for an out that is read-only
            overlap for an out whose elements share memory
            index_out_of_range for an index or a bound outside of its axis
            invalid_argument for a range against its step, and for too many indices

  local a = nd.arange(1, 6):reshape(2, 3)
  a:gather(2, {{3, 1}, {2, -1}})          -- => [[3, 1], [5, 6]]
  a:gather(1, {{2, 1, 2}})                -- => [[4, 2, 6]]
  a:gather(2, {{4}})                      -- => error: gather: index 4 (position 1) is out of range
]=]},
{{"nd.scatter", "a:scatter", "nd.scatter_add", "a:scatter_add"}, [=[
nd.scatter(a, axis, index, src [, opts])
a:scatter(axis, index, src [, opts])
nd.scatter_add(a, axis, index, src [, opts])
a:scatter_add(axis, index, src [, opts])

  A copy of a with values written, or added, to the elements that a:gather(axis, index)
  takes. If a position occurs several times, the last value is kept, or all are added.

  a         array | table: any dtype, one axis at least
  axis      integer: 1 to ndim, or negative
  index     integer[] | array: as for a:gather
  src       values: broadcast to the shape of index, and converted; a single value that
            is added must be exactly representable, as for a:index_add
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy; or opts.out
  raises    shape_mismatch where the values do not broadcast, and for an out of another
            shape
            type_mismatch for an index array that is not of integers, and for complex
            values in a real array
            not_representable for fractions in a table, and for a value that the dtype
            does not hold
            read_only for an out that is read-only
            overlap for an out whose elements share memory
            index_out_of_range for an index or a bound outside of its axis
            invalid_argument for a range against its step, and for too many indices

  local a = nd.zeros(2, 3)
  a:scatter(2, {{3}, {1}}, {{5}, {6}})        -- => [[0, 0, 5], [6, 0, 0]]
  a:scatter_add(2, {{1, 1}, {2, 3}}, 1)       -- => [[2, 0, 0], [0, 1, 1]]
]=]},
{{"a:scatter_", "a:scatter_add_"}, [=[
a:scatter_(axis, index, src)
a:scatter_add_(axis, index, src)

  The same in place. All indices are checked before the first write.

  axis     integer: 1 to ndim, or negative
  index    integer[] | array: as for a:gather
  src      values: as for a:scatter
  returns  array: a
  raises   shape_mismatch where the values do not broadcast
           type_mismatch for an index array that is not of integers, and for complex
           values in a real array
           not_representable for fractions in a table, and for a value that the dtype
           does not hold
           read_only for a read-only array
           overlap where elements of a share memory
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and for too many indices

  nd.zeros(2, 2):scatter_(1, {{2, 1}}, 7)     -- => [[0, 7], [7, 0]]
]=]},
{{"nd.take_along", "a:take_along"}, [=[
nd.take_along(a, index [, axis] [, opts])
a:take_along(index [, axis] [, opts])

  As a:gather, but on the other axes a and index broadcast: a:take_along(a:argsort()) is
  a:sort(), and an index of extent 1 there is used for all places.

  a         array | table: any dtype, one axis at least
  index     integer[] | array: as for a:take; with as many axes as a
  axis      integer | table = ndim: 1 to ndim, or negative; or {axis = …}
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy; or opts.out
  raises    shape_mismatch where other axes do not broadcast
            type_mismatch for an index array that is not of integers
            not_representable for fractions in a table
            read_only for an out that is read-only
            overlap for an out whose elements share memory
            index_out_of_range for an index or a bound outside of its axis
            invalid_argument for a range against its step, and for too many indices

  local a = nd.array {{3, 1, 2}, {5, 6, 4}}
  a:take_along(a:argsort())               -- => [[1, 2, 3], [4, 5, 6]]
  a:take_along({{1, 3}})                  -- => [[3, 2], [5, 4]]
  a:take_along({{2, 1, 1}}, 1)            -- => [[5, 1, 2]]
]=]},
{{"a:put_along"}, [=[
a:put_along(index, values [, axis])

  Writes values to the elements that a:take_along(index, axis) takes. If a position
  occurs several times, the last value is kept. All indices are checked before the first
  write.

  index    integer[] | array: as for a:take_along
  values   values: converted, and broadcast to the shape that a:take_along(index, axis)
           has
  axis     integer | table = ndim: 1 to ndim, or negative; or {axis = …}
  returns  array: a
  raises   shape_mismatch where the values, or other axes, do not broadcast
           type_mismatch for an index array that is not of integers, and for complex
           values in a real array
           not_representable for fractions in a table
           read_only for a read-only array
           overlap where elements of a share memory
           index_out_of_range for an index or a bound outside of its axis
           invalid_argument for a range against its step, and for too many indices

  nd.zeros(2, 3):put_along({{3}, {1}}, 7)     -- => [[0, 0, 7], [7, 0, 0]]
]=]},
}},
{name = "views", title = "Views", text = [[
These methods never copy: a view shares the memory of its array and keeps it alive. If
the result cannot be a view, the call raises an error that names the call that copies.
Views of read-only arrays are read-only.
]], entries = {
{{"a:reshape"}, [=[
a:reshape(shape [, opts])

  The same elements, in row-major order, with another shape. If the strides of the array
  do not allow a view of that shape, the call raises an error rather than copy silently.

  shape      shape: one extent may be -1; it follows from the others
  opts.copy  boolean = false: permits a copy where a view is not possible
  returns    array: a view; with opts.copy, a copy where a view is not possible
  raises     size_mismatch where the number of elements differs
             invalid_view where it would be a copy
             invalid_argument for more than one -1, and for other negative extents

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

  All axes in reverse order, as a.T.

  returns  array: a view
  raises   invalid_argument for any argument

  nd.array({{1, 2}, {3, 4}}):transpose()  -- => [[1, 3], [2, 4]]
]=]},
{{"a:permute"}, [[
a:permute(axes)

  The axes in another order.

  axes     integers: the axes in their new order, each axis once
  returns  array: a view
  raises   invalid_argument where an axis is missing or named twice
           index_out_of_range for an axis that does not exist

  nd.zeros(2, 3, 4):permute(2, 1, 3).shape    -- => {3, 2, 4}
]]},
{{"a:swapaxes"}, [[
a:swapaxes(i, j)

  Two axes exchanged.

  i        integer: 1 to ndim, or negative
  j        integer: 1 to ndim, or negative
  returns  array: a view
  raises   index_out_of_range for an axis that does not exist

  nd.zeros(2, 3, 4):swapaxes(1, -1).shape     -- => {4, 3, 2}
]]},
{{"a:moveaxis", "nd.moveaxis"}, [[
a:moveaxis(source, destination)
nd.moveaxis(a, source, destination)

  Moves axes to other positions. The other axes stay in their order.

  a            array | table: a table becomes a new array
  source       integer | integer[]: the axes to move, 1 to ndim, or negative
  destination  integer | integer[]: their positions in the result
  returns      array: a view
  raises       index_out_of_range for an axis that does not exist
               shape_mismatch for a ragged table
               invalid_argument for an axis that is named twice, and for more or fewer
               destinations than axes

  nd.zeros(2, 3, 4):moveaxis(1, -1).shape     -- => {3, 4, 2}
  nd.zeros(2, 3, 4):moveaxis({1, 2}, {3, 1}).shape    -- => {3, 4, 2}
]]},
{{"a:narrow"}, [=[
a:narrow(axis, first, count)

  The count entries of an axis that begin with first.

  axis     integer: 1 to ndim, or negative
  first    integer: an index of the axis; for a count of 0 also the position after the
           last
  count    integer: 0 or more
  returns  array: a view
  raises   index_out_of_range outside of the axis
           invalid_argument for a negative count

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:narrow(2, 2, 2)                       -- => [[2, 3], [5, 6]]
]=]},
{{"a:select"}, [[
a:select(axis, i)

  One entry of an axis. The result does not have that axis.

  axis     integer: 1 to ndim, or negative
  i        integer: an index of the axis
  returns  array: a view; 0-d for a 1-D array
  raises   index_out_of_range outside of the axis

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:select(2, -1)                         -- => [3, 6]
]]},
{{"a:squeeze"}, [[
a:squeeze([axis])

  Removes all axes of extent 1, or one of them.

  axis     integer: the axis to remove; by default all axes of extent 1
  returns  array: a view
  raises   shape_mismatch for an axis of another extent
           index_out_of_range for an axis that does not exist

  nd.zeros(1, 3, 1):squeeze().shape       -- => {3}
  nd.zeros(1, 3, 1):squeeze(1).shape      -- => {3, 1}
]]},
{{"a:unsqueeze"}, [[
a:unsqueeze(axis)

  Inserts a new axis of extent 1.

  axis     integer: the position of the new axis in the result, 1 to ndim + 1, or
           negative
  returns  array: a view
  raises   index_out_of_range for any other position
           invalid_argument for more than 16 axes

  nd.zeros(3):unsqueeze(2).shape          -- => {3, 1}
]]},
{{"a:expand"}, [=[
a:expand(shape)

  Broadcasts to a larger shape: axes of extent 1, and new axes in front, are repeated by
  a stride of 0.

  shape    shape: -1 keeps an extent
  returns  array: a view; read-only if anything is repeated, since one element then has
           many positions
  raises   shape_mismatch for an axis with another extent, and for fewer axes
           invalid_argument for a negative extent, and for -1 as the extent of a new
           axis

  nd.f64 {1, 2}:expand(2, -1)             -- => [[1, 2], [1, 2]]
]=]},
{{"nd.broadcast_arrays"}, [=[
nd.broadcast_arrays(a, …)

  Views of all arguments with the shape that they broadcast to, as operands do.

  a        array | table | number: up to 1000 of them; a table, or a number, becomes a
           new array
  returns  array …: views; read-only where anything is repeated
  raises   shape_mismatch where they do not broadcast
           invalid_argument without arguments

  local a, b = nd.broadcast_arrays({1, 2}, {{10}, {20}})
  a                                       -- => [[1, 2], [1, 2]]
  b                                       -- => [[10, 10], [20, 20]]
]=]},
{{"a:unfold"}, [=[
a:unfold(axis, size [, step])

  Sliding windows along an axis. The axis then counts the windows, and a new last axis
  has the entries of each window.

  axis     integer: 1 to ndim, or negative
  size     integer: the number of entries in a window, 1 to the extent
  step     integer = 1: the distance from one window to the next, 1 or more
  returns  array: a view; windows share elements if step is less than size
  raises   index_out_of_range for a window larger than the axis
           invalid_argument for a size or step below 1

  nd.arange(5):unfold(1, 3, 2)            -- => [[1, 2, 3], [3, 4, 5]]
]=]},
{{"a:diagonal"}, [[
a:diagonal([k])

  The diagonal of the last two axes, as a new last axis.

  k        integer = 0: the offset from the main diagonal; positive above it, negative
           below
  returns  array: a view with one axis less
  raises   shape_mismatch for fewer than 2 axes
           index_out_of_range for a diagonal outside of the array

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:diagonal(), a:diagonal(-1)(1)         -- => f64 2 cpu [1, 5], 4
]]},
{{"a:flip"}, [=[
a:flip([axes])

  Reversed along axes.

  axes     integers: by default all axes
  returns  array: a view
  raises   index_out_of_range for an axis that does not exist

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:flip(2)                               -- => [[3, 2, 1], [6, 5, 4]]
  a:flip()                                -- => [[6, 5, 4], [3, 2, 1]]
]=]},
{{"a:bitcast"}, [[
a:bitcast(dtype)

  The same bytes interpreted as another dtype. If the element size differs, the extent
  of the last axis changes, and that axis must be contiguous.

  dtype    dtype
  returns  array: a view
  raises   size_mismatch where the bytes of the last axis are not a multiple of the new
           element size
           invalid_view where the last axis is not contiguous, or does not exist

  nd.f32 {1}:bitcast "u32"                -- => [1065353216]
  nd.u16 {1, 2}:bitcast "u8"              -- => [1, 0, 2, 0]
]]},
{{"a:bytes"}, [=[
a:bytes([offset [, size]])

  The bytes of the array, from those of its first element to those of its last, without
  the rest of its storage.

  offset   integer = 0: the first byte of the view, counted from 0 at the first byte of
           the array
  size     integer: the number of bytes; by default all that follow
  returns  array: a view, 1-D, u8
  raises   out_of_bounds for a range outside of the array
           invalid_argument for a negative number
           invalid_view where the array is not contiguous

  nd.u16 {1, 2, 3}"2:":bytes()            -- => [2, 0, 3, 0]
  nd.u16 {1, 2, 3}:bytes(2, 2)            -- => [2, 0]
]=]},
{{"a:storage_bytes"}, [[
a:storage_bytes()

  The bytes of the whole storage, also those that are not part of the array.

  returns  array: a view, 1-D, u8

  nd.u16 {1, 2, 3}"2:":storage_bytes()    -- => [1, 0, 2, 0, 3, 0]
]]},
{{"a:split", "nd.split"}, [[
a:split(axis, sizes)
a:split(axis, count)
nd.split(a, axis, sizes)
nd.split(a, axis, count)

  Splits an axis into parts of the given sizes, or into count parts of nearly equal
  size; if the extent is not a multiple of count, the first parts are longer by one.

  a        array | table: a table becomes a new array
  axis     integer: 1 to ndim, or negative
  sizes    integer[]: the sizes of the parts; their sum is the extent of the axis
  count    integer: the number of parts, 1 to 2^24
  returns  array[]: a table of views
  raises   shape_mismatch for a ragged table
           size_mismatch where the sum of the sizes is not the extent
           invalid_argument for a count of 0, and for a negative size
           index_out_of_range for an axis that does not exist

  nd.arange(5):split(1, 2)[1]             -- => [1, 2, 3]
  nd.arange(5):split(1, {1, 4})[2]        -- => [2, 3, 4, 5]
]]},
{{"a:unstack", "nd.unstack"}, [[
a:unstack([axis])
nd.unstack(a [, axis])

  The entries of an axis as several values, the counterpart of nd.stack. The results do
  not have that axis.

  a        array | table: a table becomes a new array
  axis     integer | table = 1: 1 to ndim, or negative; or {axis = …}
  returns  array …: views, as many as the axis has entries
  raises   shape_mismatch for a 0-d array
           index_out_of_range for an axis that does not exist
           capacity for more than 7000 entries

  local x, y = nd.unstack({{1, 2, 3}, {4, 5, 6}}, 1)
  y                                       -- => [4, 5, 6]
]]},
{{"a:as_strided"}, [=[
a:as_strided(shape, byte_strides [, offset])

  A view of the storage with any shape and strides that stay within it.

  shape         integer[]: the extents
  byte_strides  integer[]: one stride for each extent, in bytes, of any sign
  offset        integer: the position of the first element in the storage, in bytes; by
                default a.offset
  returns       array: a view; if its elements share memory, it cannot be written to
  raises        out_of_bounds where the view would reach outside of the storage
                shape_mismatch where the numbers of strides and extents differ
                invalid_argument for a negative extent

  nd.arange(6):as_strided({3, 2}, {16, 8}, 0)     -- => [[1, 2], [3, 4], [5, 6]]
]=]},
{{"a:readonly_view"}, [[
a:readonly_view()

  A view of the whole array that refuses writes.

  returns  array: a view

  nd.zeros(2, 3):readonly_view():fill(0)  -- => error: the f64 array (2x3) is read-only
]]},
{{"nd.records"}, [[
nd.records(bytes, fields [, opts])

  The fields of packed records: one array for each field, by name.

  bytes        array | string: a contiguous array of any dtype; a string is copied
  fields       table: a list of {name, dtype}, in the order in which the fields are
               packed; a dtype name with the suffix be, such as "u16be", is big-endian
  opts.offset  integer = 0: where the first record begins, in bytes
  opts.stride  integer: bytes from one record to the next; by default the sum of the
               field sizes
  opts.count   integer: the number of records; by default all complete ones
  returns      table<string, array>: 1-D views; a big-endian field is a converted copy
  raises       out_of_bounds where the records do not fit into the bytes
               invalid_argument for two fields of one name, and for a stride that is too
               short
               type_mismatch for fields of another form
               invalid_view for an array that is not contiguous

  local packets = "\1\0\0\0\0\80" .. "\2\0\0\0\1\187"
  local r = nd.records(packets, {{"id", "u32"}, {"port", "u16be"}})
  r.id                                    -- => u32 2 cpu [1, 2]
  r.port                                  -- => u16 2 cpu [80, 443]
]]},
}},
{name = "copies", title = "Copies", text = [[
These methods return arrays with memory of their own, or write into the memory of an
array. Values are converted as described in dtypes. Source and destination may overlap
everywhere.
]], entries = {
{{"a:clone"}, [[
a:clone()

  A contiguous copy.

  returns  array: a copy, contiguous

  local a = nd.array {{1, 2}, {3, 4}}
  a.T:clone().byte_strides                -- => {16, 8}
]]},
{{"a:contiguous"}, [[
a:contiguous()

  The array itself if its elements lie in row-major order without gaps, otherwise a
  contiguous copy.

  returns  array: a, or a copy

  local a = nd.array {{1, 2}, {3, 4}}
  a:contiguous() == a, a.T:contiguous() == a.T    -- => true, false
]]},
{{"a:astype"}, [[
a:astype(dtype [, opts])

  A copy that is converted to another dtype.

  dtype      dtype
  opts.mode  "saturate" | "wrap" | "check" = "saturate": "wrap" converts to integers
             modulo 2^n (NaN and infinities become 0); "check" refuses values that would
             change by more than rounding
  returns    array: a copy, also where the dtype is the same
  raises     type_mismatch from complex to real
             not_representable in mode "check"
             invalid_argument for another mode

  nd.f64 {300, -1}:astype "u8"                        -- => [255, 0]
  nd.f64 {300, -1}:astype("u8", {mode = "wrap"})      -- => [44, 255]
  nd.f64 {300, -1}:astype("u8", {mode = "check"})     -- => error: element 1
]]},
{{"a:to"}, [[
a:to(dtype)
a:to(device [, opts])

  The array converted to a dtype, or copied to a device; the array itself if it has that
  dtype or is on that device already.

  dtype           dtype
  device          device
  opts.overwrite  boolean = false: allows disk:PATH to replace an existing file
  opts.stream     stream: where the work of a GPU goes, see streams
  returns         array: a, or a copy
  raises          type_mismatch from complex to real
                  invalid_argument for neither a dtype nor a device
                  device_not_found for cuda, managed and pinned without a GPU
                  io where the file cannot be created

  local a = nd.zeros(2)
  a:to "cpu" == a, a:to("f32").dtype      -- => true, f32
  a:to("disk:to.bin", {overwrite = true}).device      -- => disk:to.bin
]]},
{{"a:copy_from"}, [=[
a:copy_from(src [, opts])

  Writes an array, a table or a value into a. Source and destination may overlap.

  src          values: converted, and broadcast to the shape of a
  opts.mode    "saturate" | "wrap" | "check" = "saturate": as for a:astype
  opts.stream  stream: where the work of a GPU goes, see streams
  returns      array: a
  raises       shape_mismatch where src does not broadcast
               type_mismatch from complex to real
               not_representable in mode "check"
               invalid_argument for another mode
               read_only for a read-only array
               overlap where elements of a share memory

  nd.zeros(2, 2):copy_from {1, 2}         -- => [[1, 2], [1, 2]]
]=]},
{{"a:copyin"}, [[
a:copyin(source [, nbytes] [, opts])

  Writes raw bytes into a, in row-major order.

  source       string | cdata: cdata is a pointer or an array; GPU addresses are not
               accepted
  nbytes       integer: the number of bytes, exactly a.nbytes; required if source is a
               pointer
  opts.stream  stream: where the work of a GPU goes; the source has been read on return
  returns      array: a
  raises       size_mismatch for another number of bytes
               out_of_bounds past the end of a string or a cdata array
               invalid_argument for a negative number
               read_only for a read-only array
               overlap where elements of a share memory

  nd.zeros(2, "u8"):copyin "ab"           -- => [97, 98]
]]},
{{"a:copyout"}, [[
a:copyout()
a:copyout(target [, nbytes] [, opts])

  Copies the raw bytes of the elements, in row-major order, to a string or into cdata.

  target       cdata: a pointer or an array; GPU addresses are not accepted
  nbytes       integer: the number of bytes, exactly a.nbytes; required if target is a
               pointer
  opts.stream  stream: where the work of a GPU goes; complete on return. For a string,
               a:copyout(nil, {stream = s})
  returns      string | array: the string; a if there is a target
  raises       size_mismatch for another number of bytes
               out_of_bounds past the end of a cdata array
               invalid_argument for a negative number
               capacity for a string of 2 GiB or more

  nd.u8 {97, 98}:copyout()                -- => ab
  local target = require "ffi".new "uint8_t[2]"
  nd.u8 {97, 98}:copyout(target)
  target[1]                               -- => 98
]]},
{{"a:fill"}, [[
a:fill(value [, opts])

  Sets every element to a value.

  value        value: converted, saturating
  opts.stream  stream: where the work of a GPU goes, see streams
  returns      array: a
  raises       type_mismatch for a complex value and a real array
               read_only for a read-only array
               overlap where elements of a share memory

  nd.zeros(2, "u8"):fill(300)             -- => [255, 255]
]]},
{{"a:totable"}, [[
a:totable()

  All elements in nested tables.

  returns  table: for a 0-d array, the element
  raises   capacity for an extent above 2^31 - 1

  nd.array({{1, 2}, {3, 4}}):totable()    -- => {{1, 2}, {3, 4}}
]]},
{{"a:item"}, [[
a:item()

  The element of an array that has exactly one.

  returns  value
  raises   size_mismatch for arrays with more elements, or none

  nd.f64 {5}:item()                       -- => 5
]]},
{{"a:byteswap"}, [[
a:byteswap()

  A copy with the bytes of each element reversed; for complex arrays, the bytes of each
  part.

  returns  array: a copy

  nd.u16 {1}:byteswap()                   -- => [256]
]]},
{{"a:tile", "nd.tile"}, [=[
a:tile(counts [, opts])
nd.tile(a, counts [, opts])

  Repeats the whole array along its axes.

  a         array | table
  counts    integers: repetitions along the last axes; if there are more counts than
            axes, new axes are added in front
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy; or opts.out
  raises    invalid_argument for a negative count
            shape_mismatch for a ragged table, and an out of another shape
            read_only for an out that is read-only
            overlap for an out whose elements share memory

  nd.f64 {1, 2}:tile(2)                   -- => [1, 2, 1, 2]
  nd.f64 {1, 2}:tile(2, 1)                -- => [[1, 2], [1, 2]]
]=]},
{{"a:repeat_interleave", "nd.repeat_interleave"}, [[
a:repeat_interleave(n [, axis] [, opts])
nd.repeat_interleave(a, n [, axis] [, opts])

  Repeats each entry along an axis.

  a         array | table
  n         integer | table | array: 0 or more; as a table or an array of integers, a
            count for each entry of the axis, or one for all
  axis      integer | table: 1 to ndim, or negative; or {axis = …}; optional for 1-D
            arrays only
  opts.out  array: where the result goes, converted; of its shape
  returns   array: a copy; or opts.out
  raises    invalid_argument for a negative n
            shape_mismatch for another number of counts than entries, and an out of
            another shape
            read_only for an out that is read-only
            overlap for an out whose elements share memory
            type_mismatch where the axis is missing
            index_out_of_range for an axis that does not exist

  nd.f64 {1, 2}:repeat_interleave(2)      -- => [1, 1, 2, 2]
  nd.f64 {5, 6, 7}:repeat_interleave {2, 0, 1}    -- => [5, 5, 7]
]]},
{{"a:roll"}, [[
a:roll(n [, axis])

  Moves entries by n places toward the end of an axis; entries past the end reappear at
  the front.

  n        integer: any integer; negative ones move toward the front
  axis     integer: 1 to ndim, or negative; optional for 1-D arrays only
  returns  array: a copy
  raises   type_mismatch where the axis is missing
           index_out_of_range for an axis that does not exist

  nd.f64 {1, 2, 3}:roll(1)                -- => [3, 1, 2]
]]},
{{"a:pad"}, [[
a:pad(widths [, value])

  A copy with additional entries before and after those of each axis.

  widths   integer | table: a number for all sides, or a table with {before, after} for
           each axis
  value    value = 0: the value of the new elements
  returns  array: a copy
  raises   shape_mismatch for a table with more or fewer entries than axes
           invalid_argument for a negative width
           type_mismatch for a complex value and a real array

  nd.f64 {1, 2}:pad({{1, 0}}, 9)          -- => [9, 1, 2]
]]},
}},
{name = "computing", title = "Computing", text = [[
Element-wise operations. The operands broadcast, and the result is a new array. Each
operation exists as a function, as a method, and, with a trailing _, as a method that
writes into a.

The dtype of the result is the dtype that the arrays are promoted to, as in NumPy except
for the last row of the table; a value never promotes. The dtype must represent the
value exactly; only for floats is it rounded (to infinity if it is too large). Integers
wrap modulo 2^n; the small floats compute in f32 and are rounded once. Comparisons give
bool and are mathematically exact, whatever the dtypes and the value.

arrays                          are promoted to
two integers                    the smallest dtype that holds both; i32 with u32: i64;
                                u64 with a signed one: f64
an integer and a float          the float if it holds all values of the integer (f16 and
                                bf16 those of 8-bit integers, f32 of 16-bit ones, f64 of
                                32-bit ones), otherwise the first of f32 and f64 that
                                does; a 64-bit integer with f16 or f64: f64
two floats                      the wider one; two different ones of 8 or 16 bits: f32
any dtype and a complex one     c64, or c128 where one has more bits than f32 holds
bool and another                the other
i64 with u64; 64-bit integers with f32, bf16, f8e4m3, f8e5m2  none: an error, except for comparisons

A result that is written to out, or in place, is converted like any store: saturated to
the dtype of the target. nd.u8 {200}:add_(nd.u8 {100}) is computed in u8, where it wraps
to 44; with nd.i16 {100} it is 300 in i16, which saturates to 255. Where 64-bit integers
are computed in a float, by promotion (u64 with i8) or by the operation (div, sqrt),
digits past 2^53 may be lost. To write such a result to an integer target would hide
that; it is an error that names astype.

An operator whose left operand is cdata is LuaJIT's own and does not accept arrays;
write nd.sub(2LL, a) instead of 2LL - a.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  raises    shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            type_mismatch where the dtypes have no common dtype, the operation is not
            defined for them, or the target is an integer and digits may have been lost
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

  Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
  difference.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for the difference of bool; where the dtypes have no common
            dtype, the operation is not defined for them, or the target is an integer
            and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
  nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
  2 - nd.i32 {1, 2}                       -- => [1, 0]
  nd.array {1, 2} + {10, 20}              -- => [11, 22]
  nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
  nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
  nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
]=]},
{{"nd.div", "a:div", "a:div_", "a / b"}, [[
a / b
nd.div(a, b [, opts])
a:div(b [, opts])
a:div_(b)

  Quotient. Integers and bool give f64.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            type_mismatch where the dtypes have no common dtype, the operation is not
            defined for them, or the target is an integer and digits may have been lost
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
  nd.f32 {1, 0} / 0                       -- => [inf, nan]
]]},
{{"nd.idiv", "a:idiv", "a:idiv_", "nd.mod", "a:mod", "a:mod_", "nd.remainder", "a:remainder", "a:remainder_", "a % b"}, [[
a % b
nd.idiv(a, b [, opts])
a:idiv(b [, opts])
a:idiv_(b)
nd.mod(a, b [, opts])
a:mod(b [, opts])
a:mod_(b)
nd.remainder(a, b [, opts])
a:remainder(b [, opts])
a:remainder_(b)

  Floor division, and its remainder, which has the sign of the divisor. remainder is
  another name of mod.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    invalid_argument for integers divided by 0
            type_mismatch for bool and complex arrays; where the dtypes have no common
            dtype, the operation is not defined for them, or the target is an integer
            and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
  nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
  nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
]]},
{{"nd.fmod", "a:fmod", "a:fmod_"}, [[
nd.fmod(a, b [, opts])
a:fmod(b [, opts])
a:fmod_(b)

  Remainder of the division that is truncated toward 0; it has the sign of the dividend
  and is exact. mod has the sign of the divisor.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    invalid_argument for integers divided by 0
            type_mismatch for bool and complex arrays; where the dtypes have no common
            dtype, the operation is not defined for them, or the target is an integer
            and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {7, -7}:fmod(3)                  -- => [1, -1]
  nd.f64 {5.5, -5.5}:fmod(-2)             -- => [1.5, -1.5]
]]},
{{"nd.pow", "a:pow", "a:pow_", "a ^ b"}, [[
a ^ b
nd.pow(a, b [, opts])
a:pow(b [, opts])
a:pow_(b)

  Power. For integers the result wraps modulo 2^n, and the exponent must not be
  negative. Complex numbers are multiplied for whole exponents up to 100, and neither
  overflow nor underflow on the way; other powers are exp(b * log(a)), where 0 to the
  power of what has no positive real part is NaN, except that anything to the power of 0
  is 1. A real number that is infinite has real whole powers.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    invalid_argument for a negative exponent of integers
            type_mismatch for bool; where the dtypes have no common dtype, the operation
            is not defined for them, or the target is an integer and digits may have
            been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {2, 3} ^ 3                       -- => [8, 27]
  nd.c64 {1i, -2} ^ 2                     -- => [-1+0i, 4-0i]
  nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
]]},
{{"nd.hypot", "a:hypot", "a:hypot_"}, [[
nd.hypot(a, b [, opts])
a:hypot(b [, opts])
a:hypot_(b)

  The length of the hypotenuse, sqrt(a * a + b * b), with an error of at most 1 unit in
  the last place, and no overflow on the way. It is infinite where one side is, even if
  the other is NaN. Integers and bool compute in f64.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {3, 3e300}:hypot(nd.f64 {4, 4e300})  -- => [5, 5e+300]
]]},
{{"nd.fma", "a:fma", "a:fma_"}, [[
nd.fma(a, b, c [, opts])
a:fma(b, c [, opts])
a:fma_(b, c)

  a * b + c, rounded once. Integers and bool compute in f64; the small floats in f32,
  from which they are rounded like any result.

  c         array | value: broadcast, too
  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {2, 3}:fma(10, nd.f64 {1, 2})    -- => [21, 32]
  nd.fma(nd.f64 {1 + 2 ^ -52}, 1 - 2 ^ -52, -1) * 2 ^ 104     -- => [-1]
]]},
{{"nd.copysign", "a:copysign", "a:copysign_"}, [[
nd.copysign(a, b [, opts])
a:copysign(b [, opts])
a:copysign_(b)

  The magnitude of a with the sign of b, also of zeros and NaN. Integers and bool
  compute in f64.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {1, 2}:copysign(nd.f64 {-0.0, 3})    -- => [-1, 2]
]]},
{{"nd.nextafter", "a:nextafter", "a:nextafter_"}, [[
nd.nextafter(a, b [, opts])
a:nextafter(b [, opts])
a:nextafter_(b)

  The next number of the dtype after a in the direction of b; b where they are equal.
  Integers and bool compute in f64.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f32 {1}:nextafter(2) - 1             -- => f32 1 cpu [1.1920929e-07]
  nd.f16 {1, 0}:nextafter(-1):lt(nd.f16 {1, 0})   -- => [true, true]
]]},
{{"nd.signbit", "a:signbit", "a:signbit_"}, [[
a:signbit_()
nd.signbit(a [, opts])
a:signbit([opts])

  Whether the sign is negative; unlike a:lt(0) it tells -0 from 0, and NaN with a sign
  from NaN without.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array: bool
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {-0.0, 0, -3}:signbit()          -- => [true, false, true]
]]},
{{"nd.neg", "a:neg", "a:neg_", "nd.abs", "a:abs", "a:abs_", "nd.conj", "a:conj", "a:conj_", "nd.sign", "a:sign", "a:sign_", "-a"}, [[
a:neg_() a:abs_() a:conj_() a:sign_() -a
nd.neg(a [, opts])
a:neg([opts])
nd.abs(a [, opts])
a:abs([opts])
nd.conj(a [, opts])
a:conj([opts])
nd.sign(a [, opts])
a:sign([opts])

  Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers
  a / abs(a), or 0; where one part is infinite, the sign of that part; where both are,
  NaN). The smallest integer of a signed dtype is its own negation and absolute value;
  the sign of NaN is NaN. The absolute value of c64 is f32, that of c128 is f64; it is
  infinite where one part is. It cannot be written to a complex array. The conjugate of
  a real array is a copy of it.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for bool, and for abs_ of complex arrays; where the dtypes
            have no common dtype, the operation is not defined for them, or the target
            is an integer and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  -nd.i8 {1, -128}                        -- => [-1, -128]
  nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
  nd.c64 {4i, -3}:abs()                   -- => [4, 3]
  nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
  nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
  nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
]]},
{{"nd.square", "a:square", "a:square_", "nd.reciprocal", "a:reciprocal", "a:reciprocal_", "nd.sqrt", "a:sqrt", "a:sqrt_"}, [[
a:square_() a:reciprocal_() a:sqrt_()
nd.square(a [, opts])
a:square([opts])
nd.reciprocal(a [, opts])
a:reciprocal([opts])
nd.sqrt(a [, opts])
a:sqrt([opts])

  a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool.
  There is no square of bool; a * a of it is "and". Of the two square roots of a complex
  number it is the one whose real part is not negative.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for the square of bool; where the dtypes have no common dtype,
            the operation is not defined for them, or the target is an integer and
            digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.i32 {3, 4}:square()                  -- => [9, 16]
  nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
  nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
]]},
{{"nd.cbrt", "a:cbrt", "a:cbrt_", "nd.exp", "a:exp", "a:exp_", "nd.expm1", "a:expm1", "a:expm1_", "nd.log", "a:log", "a:log_", "nd.log2", "a:log2", "a:log2_", "nd.log10", "a:log10", "a:log10_", "nd.log1p", "a:log1p", "a:log1p_"}, [[
a:cbrt_() a:exp_() a:expm1_() a:log_() a:log2_() a:log10_() a:log1p_()
nd.cbrt(a [, opts])
a:cbrt([opts])
nd.exp(a [, opts])
a:exp([opts])
nd.expm1(a [, opts])
a:expm1([opts])
nd.log(a [, opts])
a:log([opts])
nd.log2(a [, opts])
a:log2([opts])
nd.log10(a [, opts])
a:log10([opts])
nd.log1p(a [, opts])
a:log1p([opts])

  Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 +
  a). expm1 and log1p keep their digits near 0. Computed in f64 for integers and bool.
  The error is at most 1 unit in the last place in f64 and 1.5 in f32 (make accuracy
  measures it: at most 0.9 in both); smaller floats are computed in f32. The bits of a
  result depend neither on the processor nor on the position in the array. The logarithm
  of 0 is -infinity, that of less is NaN. Logarithms of complex numbers have imaginary
  parts from -π to π; their errors and those of exponentials are at most 4 units of the
  larger part, and zeros, infinities and NaN follow Annex G of C11. There is no cube
  root of them.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for cube roots of complex arrays; where the dtypes have no
            common dtype, the operation is not defined for them, or the target is an
            integer and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
  nd.f64 {0}:exp()                        -- => [1]
  nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
  nd.f64 {1e-20}:log1p()                  -- => [1e-20]
  nd.c64 {-1}:log()                       -- => [0+3.1415927i]
]]},
{{"nd.sin", "a:sin", "a:sin_", "nd.cos", "a:cos", "a:cos_", "nd.tan", "a:tan", "a:tan_", "nd.asin", "a:asin", "a:asin_", "nd.acos", "a:acos", "a:acos_", "nd.atan", "a:atan", "a:atan_", "nd.sinh", "a:sinh", "a:sinh_", "nd.cosh", "a:cosh", "a:cosh_", "nd.tanh", "a:tanh", "a:tanh_", "nd.asinh", "a:asinh", "a:asinh_", "nd.acosh", "a:acosh", "a:acosh_", "nd.atanh", "a:atanh", "a:atanh_"}, [[
a:sin_() a:cos_() a:tan_() a:asin_() a:acos_() a:atan_() a:sinh_() a:cosh_() a:tanh_()
a:asinh_() a:acosh_() a:atanh_()
nd.sin(a [, opts])
a:sin([opts])
nd.cos(a [, opts])
a:cos([opts])
nd.tan(a [, opts])
a:tan([opts])
nd.asin(a [, opts])
a:asin([opts])
nd.acos(a [, opts])
a:acos([opts])
nd.atan(a [, opts])
a:atan([opts])
nd.sinh(a [, opts])
a:sinh([opts])
nd.cosh(a [, opts])
a:cosh([opts])
nd.tanh(a [, opts])
a:tanh([opts])
nd.asinh(a [, opts])
a:asinh([opts])
nd.acosh(a [, opts])
a:acosh([opts])
nd.atanh(a [, opts])
a:atanh([opts])

  Trigonometric and hyperbolic functions and their inverses; angles in radians, of any
  size. Computed in f64 for integers and bool. The error is at most 1 unit in the last
  place in f64 and 1.5 in f32, with the same bits on every processor and at every
  position, and results stay within the range of the function. Outside of its domain a
  function is NaN. Complex numbers have the branch cuts, zeros, infinities and NaN of
  Annex G of C11, and an error of at most 5 units in the last place of the larger part.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            type_mismatch where the dtypes have no common dtype, the operation is not
            defined for them, or the target is an integer and digits may have been lost
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
  nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
  nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
  nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
]]},
{{"nd.erf", "a:erf", "a:erf_", "nd.erfc", "a:erfc", "a:erfc_", "nd.lgamma", "a:lgamma", "a:lgamma_"}, [[
a:erf_() a:erfc_() a:lgamma_()
nd.erf(a [, opts])
a:erf([opts])
nd.erfc(a [, opts])
a:erfc([opts])
nd.lgamma(a [, opts])
a:lgamma([opts])

  The error function, one less it, and the logarithm of the gamma function's absolute
  value. Computed in f64 for integers and bool. The error is at most 1 unit in the last
  place in f64 and 1.5 in f32, with the same bits on every processor; between the
  negative zeros of lgamma it is at most 2^-55. lgamma of 0 and of negative whole
  numbers is infinity.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
  nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
  nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
]]},
{{"nd.atan2", "a:atan2", "a:atan2_"}, [[
nd.atan2(a, b [, opts])
a:atan2(b [, opts])
a:atan2_(b)

  The angle of the point whose y is a and whose x is b, -π to π, in the quadrant that
  the signs tell, those of zeros included. As accurate as the functions above.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {1, 1, -1}:atan2(nd.f64 {1, -1, 0}):mul(180 / math.pi) -- => [45, 135, -90]
]]},
{{"nd.logaddexp", "a:logaddexp", "a:logaddexp_"}, [[
nd.logaddexp(a, b [, opts])
a:logaddexp(b [, opts])
a:logaddexp_(b)

  log(e^a + e^b), also where the exponentials are out of range: the sum of what a and b
  are logarithms of. Computed in f64 for integers and bool. The error is at most 1 unit
  in the last place in f64 and 1.5 in f32, or 2^-59 where the result is close to 0.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f64 {-1000, -1 / 0}:logaddexp(nd.f64 {-1000, 3}) -- => [-999.3068528194401, 3]
]]},
{{"nd.floor", "a:floor", "a:floor_", "nd.ceil", "a:ceil", "a:ceil_", "nd.round", "a:round", "a:round_", "nd.rint", "a:rint", "a:rint_", "nd.trunc", "a:trunc", "a:trunc_"}, [[
a:floor_() a:ceil_() a:round_() a:rint_() a:trunc_()
nd.floor(a [, opts])
a:floor([opts])
nd.ceil(a [, opts])
a:ceil([opts])
nd.round(a [, opts])
a:round([opts])
nd.rint(a [, opts])
a:rint([opts])
nd.trunc(a [, opts])
a:trunc([opts])

  Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are
  unchanged. rint is another name of round, which is there for complex numbers, too:
  both parts are rounded.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for bool, and complex arrays but by round; where the dtypes
            have no common dtype, the operation is not defined for them, or the target
            is an integer and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
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

  Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a
  complex number is NaN or infinite if one of its parts is.

  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array: bool
  raises    shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            type_mismatch where the dtypes have no common dtype, the operation is not
            defined for them, or the target is an integer and digits may have been lost
            not_representable for a value that the dtype does not hold
            read_only for a read-only target
            overlap for a target whose elements overlap

  nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
  nd.i8 {1}:isfinite()                    -- => [true]
]]},
{{"nd.isclose", "a:isclose"}, [[
nd.isclose(a, b [, opts])
a:isclose(b [, opts])

  Whether |a - b| <= atol + rtol |b|, element by element. Infinities are close to equal
  ones only. Differences are computed in f64, those of complex numbers in c128; elements
  that are exactly equal are close.

  a               array | table | value: at least one of the operands is an array or a
                  table
  b               array | table | value: broadcast against a
  opts.rtol       number = 1e-5: 0 or more
  opts.atol       number = 1e-8: 0 or more
  opts.equal_nan  boolean = false: NaN is close to NaN
  opts.out        array: receives the result, of its shape, and is returned
  returns         array: bool
  raises          invalid_argument for a tolerance below 0, and NaN
                  shape_mismatch where the shapes do not broadcast, for a ragged table,
                  and for an out of another shape
                  type_mismatch where neither operand is an array or a table

  nd.f64 {1, 1.1, 0 / 0}:isclose(nd.f64 {1.000001, 1, 0 / 0})  -- => [true, false, false]
  nd.isclose({1, 1.1}, 1, {rtol = 0.2})   -- => [true, true]
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

  Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons
  with NaN are false. The operators such as a < b raise an error, because Lua would
  convert the resulting array to a single boolean.

  Operands are compared by their exact numerical values and not converted to a common
  dtype first. That holds for i64 with u64, for both with floats, and for a value that
  the dtype of the array does not hold. For each element, a:lt(x) gives the same answer
  as a[i] < x.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array: bool
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            not_representable for a complex value; for a value that the dtype does not
            hold
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
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

  Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether
  both are the same handle; a:equal(b) compares whole arrays. As with lt, exact values
  are compared: no f32 is exactly 0.1, so eq(0.1) is false for each of them.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array: bool
  raises    shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            type_mismatch where the dtypes have no common dtype, the operation is not
            defined for them, or the target is an integer and digits may have been lost
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

  The smaller or the greater of two elements; NaN where one of them is NaN. A value
  outside of the range of an integer dtype is accepted if it can never be the result; it
  then leaves the elements unchanged. Otherwise it is refused.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            not_representable for a value that would be a result and that the dtype does
            not hold; for a value that the dtype does not hold
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
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

  Elements below lo become lo; after that, elements above hi become hi. NaN stays NaN.
  If lo is greater than hi, all elements become hi. A lower bound below the range of an
  integer dtype has no effect, and neither has an upper bound above it.

  lo        array | value | nil: nil: no lower bound
  hi        array | value | nil: nil: no upper bound; at least one of the two bounds is
            required
  a         array | table | value: at least one of the operands is an array or a table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for complex arrays; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            not_representable for a bound that would be a result and that the dtype does
            not hold; for a value that the dtype does not hold
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
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

  Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array: bool
  raises    shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
            type_mismatch where the dtypes have no common dtype, the operation is not
            defined for them, or the target is an integer and digits may have been lost
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

  Bitwise operations on integers and bool.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    type_mismatch for floats; where the dtypes have no common dtype, the
            operation is not defined for them, or the target is an integer and digits
            may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
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

  Shift the bits of a left or right by b places. A right shift of signed integers is
  arithmetic: it copies the sign bit. Counts equal to or above the width of the dtype
  shift out all bits.

  a         array | table | value: at least one of the operands is an array or a table
  b         array | table | value: broadcast against a
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result
  returns   array
  raises    invalid_argument for a negative count
            type_mismatch for anything but integers; where the dtypes have no common
            dtype, the operation is not defined for them, or the target is an integer
            and digits may have been lost
            shape_mismatch where the shapes do not broadcast, a table is ragged, or out
            has not the shape of the result
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

  Elements of a where the condition is not 0, elements of b elsewhere. As a method it is
  called on the condition: condition:where(a, b). If neither a nor b is an array, the
  dtype follows from the values. With the condition as the only argument it returns the
  positions of the elements that are not 0: for each axis a 1-D i64 array of 1-based
  indices along that axis, in row-major order.

  condition  array | value: of any dtype; as the only argument, an array
  a          array | table | value: at least one of the operands is an array or a table
  b          array | table | value: broadcast against a
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result
  returns    array …: one array; with the condition as the only argument, one for each
             axis
  raises     invalid_argument for a 0-d array as the only argument
             shape_mismatch where the shapes do not broadcast, a table is ragged, or out
             has not the shape of the result
             type_mismatch where the dtypes have no common dtype, the operation is not
             defined for them, or the target is an integer and digits may have been lost
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
A reduction combines all elements of an array, or the elements along some axes, into
one. a:sum() returns a Lua value; a:sum{axis = 2}, or a:sum(2), returns an array without
axis 2. Each reduction is a method and a function: a:sum(…) and nd.sum(a, …).

Sums and products of floats, and means and variances, are accumulated in f64 (complex
ones in f64 for each part) and rounded once. Accumulation is pairwise, over blocks that
depend on the number of elements only. So the result is bitwise the same for any number
of threads, and for any strides that keep the order of the elements in memory. Two
things may differ: which zero is the minimum or maximum where there are zeros of both
signs, and which NaN is returned where there are several. Sums and products of integers
are computed in 64 bits and wrap modulo 2^64. f8e4m3 has no infinity: results that are
too large become 448.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory
]], entries = {
{{"a:sum", "nd.sum", "a:prod", "nd.prod"}, [=[
a:sum([axis] [, opts])
nd.sum(a [, axis] [, opts])
a:prod([axis] [, opts])
nd.prod(a [, axis] [, opts])

  The sum, the product. An empty sum is 0, an empty product 1.

  a              array | table
  axis           integer: the same as opts.axis
  opts.dtype     dtype: the result's, as if all elements had it: integers wrap in it,
                 floats are converted first
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: without dtype i64 for bool and signed integers, u64 for unsigned
                 ones, otherwise the array's dtype; a 64-bit integer is a Lua number up
                 to 2^53, cdata beyond
  raises         type_mismatch where elements would lose their fractions or imaginary
                 parts; where out is an integer or bool array and the mean or variance
                 of 64-bit integers, computed in f64, may have lost digits
                 index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:sum(), a:prod()                       -- => 21, 720
  a:sum {axis = 1}                        -- => [5, 7, 9]
  a:sum(2)                                -- => [6, 15]
  a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
  nd.sum(nd.i8 {100, 100})                -- => 200
  nd.sum(nd.i8 {100, 100}, {dtype = "i8"})        -- => -56
  nd.f32({2^24, 1}):sum {dtype = "f64"}   -- => 16777217
  nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
]=]},
{{"a:min", "nd.min", "a:max", "nd.max"}, [[
a:min([axis] [, opts])
nd.min(a [, axis] [, opts])
a:max([axis] [, opts])
nd.max(a [, axis] [, opts])

  The minimum, the maximum; NaN if any element is NaN.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: of the array's dtype
  raises         invalid_argument where there are no elements to reduce; where an axis
                 is named twice
                 type_mismatch for complex numbers, which have no order; where out is an
                 integer or bool array and the mean or variance of 64-bit integers,
                 computed in f64, may have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:max {axis = 2}                        -- => [3, 6]
  nd.min(nd.array {1, 0 / 0})             -- => nan
  nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
]]},
{{"a:ptp", "nd.ptp"}, [[
a:ptp([axis] [, opts])
nd.ptp(a [, axis] [, opts])

  "Peak to peak": the maximum minus the minimum; NaN if any element is NaN. For integers
  the difference wraps, as sub does.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: of the array's dtype
  raises         invalid_argument where there are no elements to reduce; where an axis
                 is named twice
                 type_mismatch for complex numbers and bool; where out is an integer or
                 bool array and the mean or variance of 64-bit integers, computed in
                 f64, may have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.ptp(nd.array {3, -1, 2})             -- => 4
  nd.array({{1, 9}, {4, 4}}, "u8"):ptp {axis = 2} -- => [8, 0]
  nd.ptp(nd.i8 {100, -100})               -- => -56
]]},
{{"a:argmin", "nd.argmin", "a:argmax", "nd.argmax"}, [[
a:argmin([axis] [, opts])
nd.argmin(a [, axis] [, opts])
a:argmax([axis] [, opts])
nd.argmax(a [, axis] [, opts])

  The position of the first minimum or maximum, counted from 1 in row-major order of the
  reduced axes; if there are NaNs, the position of the first of them.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: a number, or an array of i64
  raises         invalid_argument where there are no elements to reduce; where an axis
                 is named twice
                 type_mismatch for complex numbers, which have no order; where out is an
                 integer or bool array and the mean or variance of 64-bit integers,
                 computed in f64, may have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{1, 9, 3}, {4, 5, 6}}
  a:argmax()                              -- => 2
  a:argmax {axis = 2}                     -- => [2, 3]
]]},
{{"a:mean", "nd.mean"}, [[
a:mean([axis] [, opts])
nd.mean(a [, axis] [, opts])

  The arithmetic mean; NaN where there are no elements.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: f64 for bool and integers, otherwise the array's dtype
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.mean(nd.u8 {1, 2, 4, 4})             -- => 2.75
]]},
{{"a:var", "nd.var", "a:std", "nd.std"}, [[
a:var([axis] [, opts])
nd.var(a [, axis] [, opts])
a:std([axis] [, opts])
nd.std(a [, axis] [, opts])

  The variance, and the standard deviation, which is its square root. The mean is
  computed first, then the squared distances from it; for complex numbers those are
  squared absolute values. NaN where there are no elements.

  a              array | table
  axis           integer: the same as opts.axis
  opts.ddof      number = 0: 0 or more; the sum of squares is divided by the number of
                 elements minus ddof
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: f64 for bool and integers, the dtype of the parts for complex
                 numbers, otherwise the array's dtype
  raises         invalid_argument for a negative ddof; where an axis is named twice
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {1, 2, 3, 4}
  a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
  a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
]]},
{{"a:any", "nd.any", "a:all", "nd.all"}, [[
a:any([axis] [, opts])
nd.any(a [, axis] [, opts])
a:all([axis] [, opts])
nd.all(a [, axis] [, opts])

  Whether any element, or every element, is true. Elements that are not 0 are true, also
  NaN. Where there are no elements, any is false and all is true.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: a boolean, or an array of bool
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{0, 1}, {1, 1}}
  a:any(), a:all()                        -- => true, false
  a:all {axis = 1}                        -- => [false, true]
]]},
{{"a:count_nonzero", "nd.count_nonzero"}, [[
a:count_nonzero([axis] [, opts])
nd.count_nonzero(a [, axis] [, opts])

  The number of elements that are not 0.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: a number, or an array of i64
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.count_nonzero(nd.array {0, 3, 0 / 0})        -- => 2
]]},
{{"a:nansum", "nd.nansum", "a:nanprod", "nd.nanprod"}, [[
a:nansum([axis] [, opts])
nd.nansum(a [, axis] [, opts])
a:nanprod([axis] [, opts])
nd.nanprod(a [, axis] [, opts])

  The sum and the product of the elements that are not NaN. These functions and those
  below differ from the ones without nan for floats and complex numbers only.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: as a:sum()
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.array({1, 0 / 0, 3}):nansum()        -- => 4
]]},
{{"a:nanmin", "nd.nanmin", "a:nanmax", "nd.nanmax"}, [[
a:nanmin([axis] [, opts])
nd.nanmin(a [, axis] [, opts])
a:nanmax([axis] [, opts])
nd.nanmax(a [, axis] [, opts])

  The minimum and the maximum of the elements that are not NaN; NaN where all are.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: of the array's dtype
  raises         invalid_argument where there are no elements to reduce; where an axis
                 is named twice
                 type_mismatch for complex numbers, which have no order; where out is an
                 integer or bool array and the mean or variance of 64-bit integers,
                 computed in f64, may have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{1, 0 / 0}, {0 / 0, 0 / 0}}
  a:nanmin(), a:nanmax(2)                 -- => 1, f64 2 cpu [1, nan]
]]},
{{"a:nanargmin", "nd.nanargmin", "a:nanargmax", "nd.nanargmax"}, [[
a:nanargmin([axis] [, opts])
nd.nanargmin(a [, axis] [, opts])
a:nanargmax([axis] [, opts])
nd.nanargmax(a [, axis] [, opts])

  The position of the first minimum or maximum among the elements that are not NaN,
  counted from 1 in row-major order of the reduced axes.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: a number, or an array of i64
  raises         invalid_argument where all elements along the axes are NaN, or there
                 are none; where an axis is named twice
                 type_mismatch for complex numbers, which have no order; where out is an
                 integer or bool array and the mean or variance of 64-bit integers,
                 computed in f64, may have lost digits
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.array({0 / 0, 5, 2}):nanargmin()     -- => 3
]]},
{{"a:nanmean", "nd.nanmean"}, [[
a:nanmean([axis] [, opts])
nd.nanmean(a [, axis] [, opts])

  The mean of the elements that are not NaN; NaN where all are.

  a              array | table
  axis           integer: the same as opts.axis
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: as a:mean()
  raises         index_out_of_range where there is no such axis
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.array({{1, 0 / 0, 4}}):nanmean(2)    -- => [2.5]
]]},
{{"a:nanvar", "nd.nanvar", "a:nanstd", "nd.nanstd"}, [[
a:nanvar([axis] [, opts])
nd.nanvar(a [, axis] [, opts])
a:nanstd([axis] [, opts])
nd.nanstd(a [, axis] [, opts])

  The variance and the standard deviation of the elements that are not NaN; NaN where
  there are not more of them than ddof.

  a              array | table
  axis           integer: the same as opts.axis
  opts.ddof      number = 0: the divisor is the number of elements that are not NaN,
                 less ddof
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result
  returns        any: as a:var()
  raises         invalid_argument where ddof is negative or NaN; where an axis is named
                 twice
                 index_out_of_range where there is no such axis
                 shape_mismatch where out has another shape, and for a ragged table
                 type_mismatch where out is an integer or bool array and the mean or
                 variance of 64-bit integers, computed in f64, may have lost digits
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.array({1, 0 / 0, 3}):nanvar()        -- => 1
  nd.array({1, 0 / 0, 3}):nanvar {ddof = 1} -- => 2
]]},
{{"nd.cov", "a:cov"}, [=[
nd.cov(x [, y] [, opts])
a:cov([y] [, opts])

  The covariances of variables, of which each row of x, and of y, has the observations.
  Computed in f64; of complex numbers in c128, with the second factor conjugate.

  x            array | table: 1-D, a single variable, or 2-D
  y            array | table: more variables with as many observations; an empty table
               are options
  opts.rowvar  boolean = true: false for variables that are columns
  opts.bias    boolean = false: sums are divided by the number of observations, not by
               that less 1
  opts.ddof    integer: sums are divided by the number of observations less this;
               overrides bias
  opts.out     array: where the result goes, converted; of its shape
  returns      array: variables x variables; 0-d for a single variable
  raises       shape_mismatch for more than 2 axes, another number of observations, and
               an out of another shape
               invalid_argument for a ddof that is no integer

  nd.cov {{1, 2, 3}, {6, 4, 2}}           -- => [[1, -2], [-2, 4]]
  nd.cov({1, 2, 3}, {bias = true}):item() -- => 0.66666666666667
]=]},
{{"nd.corrcoef", "a:corrcoef"}, [=[
nd.corrcoef(x [, y] [, opts])
a:corrcoef([y] [, opts])

  The correlation coefficients of variables: their covariances, each divided by both
  standard deviations. They stay within -1 and 1, and are NaN for a variable that does
  not vary.

  x            array | table: 1-D, a single variable, or 2-D
  y            array | table: more variables with as many observations; an empty table
               are options
  opts.rowvar  boolean = true: false for variables that are columns
  opts.out     array: where the result goes, converted; of its shape
  returns      array: variables x variables; 0-d for a single variable
  raises       shape_mismatch for more than 2 axes, another number of observations, and
               an out of another shape

  nd.corrcoef {{1, 2, 3}, {6, 4, 2}}      -- => [[1, -1], [-1, 1]]
]=]},
{{"a:sort", "nd.sort"}, [=[
a:sort([axis] [, opts])
nd.sort(a [, axis] [, opts])

  A copy that is sorted along an axis. NaNs come last, ascending or descending, and -0
  sorts before 0; complex numbers are ordered by real part, then by imaginary part.

  a                array | table
  axis             integer: by default the last one; negative from the end
  opts.axis        integer: the axis, as an option
  opts.descending  boolean = false
  opts.out         array: receives the result and is returned; it has the shape of a,
                   and may be a itself
  returns          array: a copy, contiguous
  raises           index_out_of_range where there is no such axis
                   shape_mismatch where out has another shape
                   invalid_argument for a 0-d array

  local a = nd.array {{3, 1, 2}, {0, 5, 4}}
  a:sort()                                -- => [[1, 2, 3], [0, 4, 5]]
  a:sort(1, {descending = true})          -- => [[3, 5, 4], [0, 1, 2]]
]=]},
{{"a:argsort", "nd.argsort"}, [[
a:argsort([axis] [, opts])
nd.argsort(a [, axis] [, opts])

  The positions, counted from 1, that would sort the array along an axis. The sort is
  stable: equal elements keep their order; zeros of either sign are equal to each other,
  and so are NaNs.

  a                array | table
  axis             integer: by default the last one; negative from the end
  opts.axis        integer: the axis, as an option
  opts.descending  boolean = false
  opts.out         array: receives the result and is returned; it has the shape of a,
                   and may be a itself
  returns          array: of i64
  raises           index_out_of_range where there is no such axis
                   shape_mismatch where out has another shape
                   invalid_argument for a 0-d array

  local a = nd.array {3, 1, 2}
  a:argsort()                             -- => [2, 3, 1]
  a[a:argsort()]                          -- => [1, 2, 3]
]]},
{{"a:cumsum", "nd.cumsum", "a:cumprod", "nd.cumprod"}, [=[
a:cumsum([axis] [, opts])
nd.cumsum(a [, axis] [, opts])
a:cumprod([axis] [, opts])
nd.cumprod(a [, axis] [, opts])

  Scans: the running sum, the running product. Element k of the result combines elements
  1 to k along the axis; without an axis, of the whole array in row-major order.
  Integers wrap modulo 2^64. Floats are accumulated in f64 and rounded for each result;
  sums keep the rounding errors of f64, so that a result is off by no more than what 16
  additions are. Products follow one from another. The result has the same bits for any
  number of threads and any strides.

  a           array | table
  axis        integer: the same as opts.axis
  opts.axis   integer: negative from the end; by default the result is 1-D, over all
              elements
  opts.out    array: receives the result, saturated to its dtype, and is returned; it
              has the shape of the result, and may be a
  opts.dtype  dtype: the result's, as if all elements had it: integers wrap in it,
              floats are converted first
  returns     array: without dtype i64 for bool and signed integers, u64 for unsigned
              ones, otherwise the array's dtype
  raises      index_out_of_range where there is no such axis
              type_mismatch where elements would lose their fractions or imaginary parts
              shape_mismatch where out has another shape
              read_only where out is read-only
              overlap where elements of out share memory

  local a = nd.array {{1, 2, 3}, {4, 5, 6}}
  a:cumsum()                              -- => [1, 3, 6, 10, 15, 21]
  a:cumsum(1)                             -- => [[1, 2, 3], [5, 7, 9]]
  a:cumprod {axis = 2}                    -- => [[1, 2, 6], [4, 20, 120]]
  local total = nd.f32 {0, 1, 2, 3, 4, 5}:cumsum()
  (total["4:"] - total[":3"]) / 3         -- => [2, 3, 4]
]=]},
{{"a:cummax", "nd.cummax", "a:cummin", "nd.cummin"}, [=[
a:cummax([axis] [, opts])
nd.cummax(a [, axis] [, opts])
a:cummin([axis] [, opts])
nd.cummin(a [, axis] [, opts])

  Scans: the largest and the smallest element so far; NaN from the first NaN on.

  a          array | table
  axis       integer: the same as opts.axis
  opts.axis  integer: negative from the end; by default the result is 1-D, over all
             elements
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result, and may be a
  returns    array: of the array's dtype
  raises     type_mismatch for complex numbers, which have no order
             index_out_of_range where there is no such axis
             shape_mismatch where out has another shape
             read_only where out is read-only
             overlap where elements of out share memory

  nd.cummax(nd.array {3, 1, 4, 1, 5})     -- => [3, 3, 4, 4, 5]
  nd.array({{2, 1}, {0, 3}}):cummin(1)    -- => [[2, 1], [0, 1]]
]=]},
{{"a:cumsum_", "a:cumprod_", "a:cummax_", "a:cummin_"}, [[
a:cumsum_([axis])
a:cumprod_([axis])
a:cummax_([axis])
a:cummin_([axis])

  The scans in place: the result, saturated to the dtype, is written to the array. Only
  a 1-D array needs no axis.

  axis     integer | table: negative from the end, or {axis = axis}
  returns  array: the array itself
  raises   index_out_of_range where there is no such axis
           shape_mismatch without an axis, where the array is not 1-D
           type_mismatch for minima and maxima of complex numbers
           read_only where the array is read-only
           overlap where elements of the array share memory

  nd.array({1, 2, 3}):cumsum_()           -- => [1, 3, 6]
  nd.u8({200, 100}):cumsum_()             -- => [200, 255]
]]},
{{"a:diff", "nd.diff"}, [=[
a:diff([axis] [, opts])
nd.diff(a [, axis] [, opts])

  The difference of each element from the one before it along an axis, which becomes one
  shorter. Integers wrap, as sub does; of bools, whether they differ.

  a             array | table
  axis          integer: by default the last one; negative from the end
  opts.axis     integer: the axis, as an option
  opts.n        integer = 1: how many times differences are taken; 0 gives a copy
  opts.prepend  any: what is put before the first element along the axis, before
                differences are taken: an array, or a table that becomes one, of the
                other extents, or one number for all
  opts.append   any: in the same way what is put behind the last element
  opts.out      array: receives the result, converted to its dtype, and is returned
  returns       array: of the array's dtype, or of what it is promoted to beside prepend
                and append
  raises        index_out_of_range where there is no such axis
                invalid_argument for a 0-d array; where n is negative
                not_representable for a number, before or behind, that an integer dtype
                or bool does not hold, and for a complex one beside real elements
                shape_mismatch where prepend or append has other extents, or out another
                shape

  nd.array({1, 4, 9, 16}):diff()          -- => [3, 5, 7]
  nd.array({1, 4, 9, 16}):diff {n = 2}    -- => [2, 2]
  nd.array({{1, 2}, {4, 8}}):diff(1)      -- => [[3, 6]]
  nd.array({1, 4, 9}):diff {prepend = 0}  -- => [1, 3, 5]
]=]},
{{"a:gradient", "nd.gradient"}, [=[
a:gradient([axis] [, opts])
nd.gradient(a [, axis] [, opts])

  The slope at each element: along an axis, what the parabola through it and its two
  neighbours has there, which for points at equal distances is half the difference of
  the neighbours over the distance. Integers are taken as f64.

  a                array: of at least two elements along the axis
  axis             integer: by default all of them, one after another; negative from the
                   end
  opts.axis        integers: the axis, or a list of axes, as an option
  opts.spacing     any = 1: the distance between neighbours as a number, or where they
                   are as a 1-D array with an entry for each element along the axis; of
                   several axes a table with an entry for each
  opts.edge_order  integer = 1: at both ends the slope of a line through two points (1),
                   or of a parabola through three (2)
  opts.out         array: receives the result along one axis, converted to its dtype,
                   and is returned
  returns          array …: of the array's shape, one for each axis
  raises           index_out_of_range where there is no such axis
                   invalid_argument for a 0-d array, an axis that is there twice,
                   another number of entries in spacing than of axes, and out for
                   several axes
                   shape_mismatch where an axis has fewer than edge_order + 1 elements,
                   where the points are not one for each element, and where out has
                   another shape

  nd.array({1, 2, 4, 7, 11}):gradient()                         -- => [1, 1.5, 2.5, 3.5, 4]
  nd.array({1, 2, 4, 7, 11}):gradient {spacing = 0.5}           -- => [2, 3, 5, 7, 8]
  nd.array({0, 1, 9}):gradient {spacing = nd.array {0, 1, 3}}   -- => [1, 2, 4]
  nd.array({0, 1, 4, 9}):gradient {edge_order = 2}              -- => [0, 2, 4, 6]
  local down, right = nd.array({{1, 2}, {4, 8}}):gradient()
  right                                                         -- => [[1, 1], [4, 4]]
]=]},
}},
{name = "order", title = "Order statistics", text = [[
What a sort would put at some places, without sorting: partitions, the greatest
elements, medians, quantiles, the most frequent value. The order is that of a:argsort():
NaNs come last and are equal to each other, -0 equals 0, complex numbers are ordered by
real part, then by imaginary part. The results are the same, bit for bit, for any number
of threads.

  a        array | table
  raises   index_out_of_range where there is no such axis
           read_only where out is read-only
           overlap where elements of out share memory
]], entries = {
{{"a:partition", "nd.partition", "a:argpartition", "nd.argpartition"}, [[
a:partition(k [, axis] [, opts])
nd.partition(a, k [, axis] [, opts])
a:argpartition(k [, axis] [, opts])
nd.argpartition(a, k [, axis] [, opts])

  A copy in which element k along the axis is the one that a sort would put there;
  smaller elements come before it, greater ones behind it. Otherwise elements keep their
  order: those that are smaller, those that are equal, those that are greater. For
  several places, likewise those between two of them. argpartition gives the positions
  of these elements, counted from 1.

  k          integer | integer[] | array: the place, or places; negative from the end
  axis       integer: by default the last one; negative from the end
  a          array | table
  opts.axis  integer: the axis, as an option
  opts.out   array: receives the result and is returned; it has the shape of a
  returns    array: a copy; of argpartition i64
  raises     index_out_of_range where the axis has no such place; where there is no such
             axis
             invalid_argument for an empty list of places, and a 0-d array
             type_mismatch for places that are not integers
             not_representable for a place that is a fraction
             shape_mismatch where out has another shape
             read_only where out is read-only
             overlap where elements of out share memory

  local a = nd.array {5, 1, 4, 3, 2}
  a:partition(3)                          -- => [1, 2, 3, 5, 4]
  a:argpartition(3)                       -- => [2, 5, 4, 1, 3]
  a:partition {1, -1}                     -- => [1, 4, 3, 2, 5]
]]},
{{"a:topk", "nd.topk"}, [=[
a:topk(k [, axis] [, opts])
nd.topk(a, k [, axis] [, opts])

  The k greatest or smallest elements along an axis, and their positions. Of equal
  elements the first ones are taken. NaNs come last either way, so they are taken only
  where there are fewer than k others.

  k             integer: how many
  axis          integer: by default the last one; negative from the end
  a             array | table
  opts.axis     integer: the axis, as an option
  opts.largest  boolean = true: the greatest elements; else the smallest
  opts.sorted   boolean = true: in this order, the greatest (smallest) first; else in
                the order that they have in a
  opts.out      table: two arrays that receive the results and are returned; the second
                one of integers
  returns       array, array: the elements; their positions along the axis, counted from
                1, i64
  raises        invalid_argument where the axis has fewer elements, and for a 0-d array
                type_mismatch where out is not a table of two arrays
                shape_mismatch where they have another shape
                index_out_of_range where there is no such axis
                read_only where out is read-only
                overlap where elements of out share memory

  local a = nd.array {5, 1, 4, 3, 2}
  a:topk(2)                               -- => f64 2 cpu [5, 4], i64 2 cpu [1, 3]
  a:topk(2, {largest = false})            -- => f64 2 cpu [1, 2], i64 2 cpu [2, 5]
  (nd.array {{1, 7}, {8, 2}}:topk(1, 1))  -- => [[8, 7]]
]=]},
{{"a:median", "nd.median", "a:nanmedian", "nd.nanmedian"}, [[
a:median([axis] [, opts])
nd.median(a [, axis] [, opts])
a:nanmedian([axis] [, opts])
nd.nanmedian(a [, axis] [, opts])

  The element in the middle; of an even number of elements the mean of both. It is
  computed in f64 and rounded once. If any element is NaN, the median is NaN; nanmedian
  leaves NaNs out. Of no elements it is NaN.

  axis           integer: the same as opts.axis
  a              array | table
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.out       array: receives the result and is returned; it has the shape of the
                 result
  returns        any: of the array's dtype if that is a float, else f64
  raises         type_mismatch for complex numbers, which have no order
                 invalid_argument where an axis is named twice
                 shape_mismatch where out has another shape
                 index_out_of_range where there is no such axis
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{1, 9, 2}, {4, 3, 0 / 0}}
  a[1]:median()                           -- => 2
  a:median(2)                             -- => [2, nan]
  a:nanmedian(2)                          -- => [2, 3.5]
  nd.i32 {1, 2}:median()                  -- => 1.5
]]},
{{"a:quantile", "nd.quantile", "a:percentile", "nd.percentile", "a:nanquantile", "nd.nanquantile", "a:nanpercentile", "nd.nanpercentile"}, [=[
a:quantile(q [, axis] [, opts])
nd.quantile(a, q [, axis] [, opts])
a:percentile(q [, axis] [, opts])
nd.percentile(a, q [, axis] [, opts])
a:nanquantile(q [, axis] [, opts])
nd.nanquantile(a, q [, axis] [, opts])
a:nanpercentile(q [, axis] [, opts])
nd.nanpercentile(a, q [, axis] [, opts])

  The value below which the share q of the elements lies; percentile takes it in
  percent. NaN and no elements: as in a:median(); nanquantile and nanpercentile leave
  NaNs out. All is computed in f64 and rounded once; a:partition() has the elements
  themselves, so it is exact for 64-bit integers, too.

  Methods are those of NumPy, by the same names. "linear" mixes the two elements beside
  place (n - 1) * q + 1 of the sorted ones, n being their number; "lower", "higher",
  "nearest" (halfway: the odd place) and "midpoint" take one of these two, or their
  mean. The nine definitions of Hyndman and Fan (1996), in their order, are
  "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
  "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased" and
  "normal_unbiased". "closest_observation" is as in their article and in NumPy 2:
  halfway between two it takes the even place.

  q              number | table | array: from 0 to 1, for percentiles to 100; with
                 several, in a 1-D array or a table, the result has an axis for them in
                 front of the others
  axis           integer: the same as opts.axis
  a              array | table
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the result is an array
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the result is an
                 array
  opts.method    string = "linear": which of the definitions above
  opts.out       array: receives the result and is returned; it has the shape of the
                 result
  returns        any: of the array's dtype if that is a float, else f64; a number if q
                 is one, and no axis is named
  raises         invalid_argument for q outside of its range, for another method, and
                 where an axis is named twice
                 shape_mismatch where q has several axes, or out has another shape
                 type_mismatch for complex numbers, which have no order
                 index_out_of_range where there is no such axis
                 read_only where out is read-only
                 overlap where elements of out share memory

  local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
  a:quantile(0.5)                         -- => 4.5
  a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
  a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
]=]},
{{"a:mode", "nd.mode"}, [[
a:mode([axis] [, opts])
nd.mode(a [, axis] [, opts])

  The most frequent value, the smallest of several, and how often it occurs. NaNs count
  as one value, the greatest.

  axis           integer: the same as opts.axis
  a              array | table
  opts.axis      integer | integer[]: the axes to reduce, negative from the end; all
                 axes by default. If it is given, the results are arrays
  opts.keepdims  boolean = false: keeps the reduced axes with extent 1; the results are
                 arrays
  opts.out       table: two arrays that receive the results and are returned; the second
                 one of integers
  returns        any, any: the value; how many elements equal it, a number or an array
                 of i64
  raises         invalid_argument where there are no elements, or an axis is named twice
                 type_mismatch where out is not a table of two arrays
                 shape_mismatch where they have another shape
                 index_out_of_range where there is no such axis
                 read_only where out is read-only
                 overlap where elements of out share memory

  nd.i32 {3, 1, 3, 1, 2}:mode()           -- => 1, 2
  nd.array {{1, 3, 3}, {2, 2, 1}}:mode(2) -- => f64 2 cpu [3, 2], i64 2 cpu [2, 2]
]]},
}},
{name = "counting", title = "Searching and counting", text = [[
Where values belong in a sorted array, how many there are of each, which ones there are,
and where. Positions count from 1 everywhere. NaNs come last, as in a:sort(), and one
NaN counts as equal to another where values are searched for. Each function with an
array as its first argument is a method, too. The results are the same, bit for bit, for
any number of threads; they are new arrays, or opts.out where that is given.

  raises   shape_mismatch for a ragged table, and where out has not the shape of the
           result
           type_mismatch where out is not an array
           read_only for an out that is read-only
           overlap for an out whose elements share memory
]], entries = {
{{"a:searchsorted", "nd.searchsorted"}, [[
a:searchsorted(x [, opts])
nd.searchsorted(a, x [, opts])

  The positions in front of which the values have to be inserted so that a stays sorted.
  Of several such positions it is the first, or, with side = "right", the last. Dtypes
  are promoted.

  a            array | table: 1-D, sorted as by a:sort(); where it is not, the results
               have no meaning
  x            values: what to search for
  opts.side    string = "left": "left" for positions in front of equal elements, "right"
               for those behind them
  opts.sorter  array | table: the positions that sort a, from a:argsort(), if it is not
               sorted itself
  opts.out     array: where the result goes, converted; of its shape
  returns      any: i64 of the shape of x, from 1 to the size of a plus 1; a number if x
               is one value and there is no out
  raises       not_representable for fractions in a table of positions
               shape_mismatch where a is not 1-D, or sorter has another shape; for a
               ragged table, and where out has not the shape of the result
               invalid_argument for another side
               index_out_of_range for a position in sorter that a does not have
               type_mismatch for dtypes that do not promote, and for a sorter that is
               not of integers; where out is not an array
               read_only for an out that is read-only
               overlap for an out whose elements share memory

  local v = nd.array {1, 2, 2, 5}
  v:searchsorted {0, 2, 9}                -- => [1, 2, 5]
  v:searchsorted({0, 2, 9}, {side = "right"})  -- => [1, 4, 5]
  v:searchsorted(3)                       -- => 4
]]},
{{"a:digitize", "nd.digitize"}, [[
a:digitize(bins [, opts])
nd.digitize(a, bins [, opts])

  The number of the bin that each value lies in. Bin k begins at edge k and ends below
  edge k + 1; 0 stands for values below the first edge, the number of edges for those
  from the last one on. If the edges descend, bin k begins below edge k and ends at edge
  k + 1.

  a           array | table: the values, real; of the function also one value
  bins        array | table: the edges, real, 1-D, ascending or descending
  opts.right  boolean = false: bins include their greater edge instead of the smaller
              one
  opts.out    array: where the result goes, converted; of its shape
  returns     any: i64 of the shape of a; a number if a is one value and there is no out
  raises      shape_mismatch where the edges are not 1-D; for a ragged table, and where
              out has not the shape of the result
              invalid_argument where they neither ascend nor descend
              type_mismatch for complex values or edges, and for dtypes that do not
              promote; where out is not an array
              read_only for an out that is read-only
              overlap for an out whose elements share memory

  local x = nd.array {0, 1, 2.5, 9}
  x:digitize {1, 2, 3}                    -- => [0, 1, 2, 3]
  x:digitize({1, 2, 3}, {right = true})   -- => [0, 0, 2, 3]
]]},
{{"a:bincount", "nd.bincount"}, [[
a:bincount([opts])
nd.bincount(a [, opts])

  How often each position occurs among the elements: value k is counted in element k of
  the result. With weights, element k is the sum of the weights of the elements that are
  k.

  a               array | table: of integers or bool, of any shape
  opts.weights    array | table: real, of the shape of a; added up in f64
  opts.minlength  integer = 0: the least size of the result
  opts.base       integer = 1: 0 for values that count from 0: value k is then counted
                  in element k + 1
  opts.out        array: where the result goes, converted; of its shape
  returns         array: i64, with weights f64; its size is that of the greatest
                  position
  raises          not_representable for fractions in a table
                  type_mismatch for other dtypes, and for complex weights; where out is
                  not an array
                  index_out_of_range for a value below the base, with its position
                  shape_mismatch where the weights have another shape; for a ragged
                  table, and where out has not the shape of the result
                  invalid_argument for another base
                  overflow for values that need more bins than there are addresses
                  out_of_memory where there is no memory for the bins
                  read_only for an out that is read-only
                  overlap for an out whose elements share memory

  nd.i32 {1, 3, 3}:bincount()             -- => [1, 0, 2]
  nd.i32 {0, 2, 2}:bincount {base = 0}    -- => [1, 0, 2]
  nd.i32 {1, 3, 3}:bincount {weights = {0.5, 1, 2}}  -- => [0.5, 0, 3]
]]},
{{"a:histogram", "nd.histogram"}, [[
a:histogram([opts])
nd.histogram(a [, opts])

  How many elements lie in each bin. A bin includes its lower edge, the last one its
  upper edge, too. Elements outside of all bins, and NaNs, are left out.

  a             array | table: real, of any shape
  opts.bins     integer | array | table = 10: the number of bins of equal width, or
                their edges, ascending
  opts.range    table: lowest and highest edge, {lo, hi}; by default the least and the
                greatest element. If they are equal, the range is 1 wide around them
  opts.weights  array | table: real, of the shape of a: each bin has the sum of the
                weights of its elements, in f64
  opts.density  boolean = false: divide by the sum of all bins and by the width of each,
                so that the integral is 1
  opts.out      array: where the counts go, converted; of their shape
  returns       array, array: counts (i64, f64 with weights or density); edges, one more
                than there are bins. Edges of equal width have the dtype of a if that is
                a float, else f64
  raises        invalid_argument for a number of bins below 1, edges that do not ascend,
                a range that is empty or not finite, or a range besides edges
                shape_mismatch where there are fewer than two edges, or the weights have
                another shape; for a ragged table, and where out has not the shape of
                the result
                type_mismatch for complex elements or weights, and for dtypes of
                elements and edges that do not promote; where out is not an array
                out_of_memory where there is no memory for the bins
                read_only for an out that is read-only
                overlap for an out whose elements share memory

  local a = nd.array {1, 2, 2, 5}
  a:histogram {bins = 2}                  -- => i64 2 cpu [3, 1], f64 3 cpu [1, 3, 5]
  a:histogram {bins = {1, 2, 5}}          -- => i64 2 cpu [1, 3], f64 3 cpu [1, 2, 5]
  (a:histogram {bins = 2, range = {0, 4}, weights = {1, 2, 3, 4}})  -- => [1, 5]
]]},
{{"a:histogram2d", "nd.histogram2d"}, [=[
a:histogram2d(b [, opts])
nd.histogram2d(a, b [, opts])

  How many points a[i], b[i] lie in each bin of a grid. Options are for both axes, or
  lists of two, for a and for b.

  a             array | table: real
  b             array | table: real, of the shape of a
  opts.bins     integer | array | table = 10: as for a:histogram, or {of a, of b}
  opts.range    table: {{lo, hi}, {lo, hi}}; an axis that is left out takes the range of
                its elements
  opts.weights  array | table: as for a:histogram
  opts.density  boolean = false: divide by the sum of all bins and by the area of each
  opts.out      array: where the counts go, converted; of their shape
  returns       array, array, array: counts, one row for each bin of a; the edges for a;
                those for b
  raises        shape_mismatch where a and b have different shapes; for a ragged table,
                and where out has not the shape of the result
                invalid_argument for bins and ranges that a:histogram refuses
                type_mismatch for complex elements or weights, and for dtypes of
                elements and edges that do not promote; where out is not an array
                out_of_memory where there is no memory for the bins
                read_only for an out that is read-only
                overlap for an out whose elements share memory

  local x, y = nd.array {0, 1, 4}, nd.array {0, 3, 4}
  (nd.histogram2d(x, y, {bins = 2}))      -- => [[1, 1], [0, 1]]
]=]},
{{"a:unique", "nd.unique"}, [[
a:unique([opts])
nd.unique(a [, opts])

  The different values, sorted. What is asked for besides them follows them in the order
  of the options below.

  a             array | table: of any shape
  opts.index    boolean = false: the first position of each value, in row-major order
  opts.inverse  boolean = false: for each element the position of its value, so that
                values[inverse] is a
  opts.counts   boolean = false: how often each value occurs
  opts.out      array | table: where the values go, converted; for several results a
                table of as many arrays, which do not share memory. Shapes are those of
                the results
  returns       array, array, array, array: the values, of the dtype of a, 1-D; the
                index, the inverse (of the shape of a), the counts: i64, those that were
                asked for. Zeros of both signs are one value, and so are all NaNs
  raises        shape_mismatch for a ragged table, and where out has not the shape of
                the result
                type_mismatch where out is not an array
                read_only for an out that is read-only
                overlap for an out whose elements share memory

  local a = nd.array {3, 1, 3}
  a:unique()                              -- => [1, 3]
  a:unique {counts = true}                -- => f64 2 cpu [1, 3], i64 2 cpu [1, 2]
]]},
{{"a:isin", "nd.isin"}, [[
a:isin(values [, opts])
nd.isin(a, values [, opts])

  Which elements are among the given values? NaN is among none. The dtypes may be any:
  elements and values are compared exactly.

  a            array | table: of the function also one number
  values       array | table: or one number
  opts.invert  boolean = false: which are not?
  opts.out     array: where the result goes, converted; of its shape
  returns      array: bool, of the shape of a
  raises       shape_mismatch for a ragged table; for a ragged table, and where out has
               not the shape of the result
               type_mismatch where out is not an array
               read_only for an out that is read-only
               overlap for an out whose elements share memory

  nd.array {1, 2, 3}:isin {2, 7}          -- => [false, true, false]
  nd.isin({1, 2, 3}, 2)                   -- => [false, true, false]
  nd.array {1, 2, 3}:isin({2, 7}, {invert = true})  -- => [true, false, true]
]]},
{{"a:nonzero", "nd.nonzero"}, [[
a:nonzero()
nd.nonzero(a)

  The positions of the elements that are not 0, in row-major order: for each axis an
  array of indices, as nd.where(a) gives them. NaN is not 0.

  a        array | table
  returns  array, array: an array of i64 for each axis
  raises   invalid_argument for a 0-d array
           shape_mismatch for a ragged table, and where out has not the shape of the
           result
           type_mismatch where out is not an array
           read_only for an out that is read-only
           overlap for an out whose elements share memory

  nd.array {{0, 5}, {7, 0}}:nonzero()     -- => i64 2 cpu [1, 2], i64 2 cpu [2, 1]
]]},
{{"a:flatnonzero", "nd.flatnonzero"}, [[
a:flatnonzero([opts])
nd.flatnonzero(a [, opts])

  The positions of the elements that are not 0, counted through the array in row-major
  order.

  a         array | table
  opts.out  array: where the result goes, converted; of its shape
  returns   array: i64, 1-D
  raises    shape_mismatch for a ragged table, and where out has not the shape of the
            result
            type_mismatch where out is not an array
            read_only for an out that is read-only
            overlap for an out whose elements share memory

  nd.array {{0, 5}, {7, 0}}:flatnonzero()  -- => [2, 3]
]]},
{{"a:interp", "nd.interp"}, [[
a:interp(xp, fp [, opts])
nd.interp(a, xp, fp [, opts])

  The values at a of the function that is linear between the given points, computed in
  f64. At NaN it is NaN.

  a            array | table: real; of the function also one value
  xp           array | table: the points, 1-D, ascending unless there is a period; one
               at least
  fp           array | table: the values there
  opts.left    number: the value below the first point; by default that of the first
               point
  opts.right   number: the value beyond the last point; by default that of the last
               point
  opts.period  number: the function repeats; left and right then have no effect
  opts.out     array: where the result goes, converted; of its shape
  returns      any: f64 of the shape of a; a number if a is one and there is no out
  raises       shape_mismatch where xp and fp are not 1-D or differ in size; for a
               ragged table, and where out has not the shape of the result
               invalid_argument where the points do not ascend, or the period is 0 or
               not finite
               type_mismatch for complex elements; where out is not an array
               read_only for an out that is read-only
               overlap for an out whose elements share memory

  nd.array {0, 1.5, 9}:interp({1, 2}, {10, 20})  -- => [10, 15, 20]
  nd.interp(1.5, {1, 2}, {10, 20})        -- => 15
  nd.array {450}:interp({0, 180}, {1, 0}, {period = 360})  -- => [0.5]
]]},
}},
{name = "linalg", title = "Linear algebra", text = [[
Products of matrices and vectors, sums of products in general, norms; linear systems,
determinants, factorisations and eigenvalues. All functions are in nd.linalg, too.
Operands are promoted to one dtype, which the result has. Operands may be views of any
strides; tables of numbers may stand for arrays, and are f64. A result without axes is a
value, not an array, unless out is given.

Sums of products of integers wrap around as integer arithmetic does; those of bools are
"or", their products "and". f16, bf16 and f8 are multiplied and added in f32, and
rounded once at the end; products of vectors with vectors or matrices are added up in
f64. out may be one of the operands.

Large products of f32, f64 and complex matrices are computed by OpenBLAS or MKL, if one
of them is installed. It is opened when it is first needed, works on as many threads as
nd.set_threads says, and determines the last bits of results. Small products, integers,
bools and vectors, and everything where no such library is found, are computed by ndbuf,
with the same bits on every processor and for any number of threads. nd.info() says
which library is there; the environment variable NDBUF_BLAS names another one, or says
none.

Factorisations, from a:solve() on, need LAPACK, which OpenBLAS and MKL have inside;
where the library has none, liblapack.so.3 is opened. Where there is none at all they
raise unsupported, with the name of Debian's package. They work on the matrices of the
last two axes; leading axes stay, or broadcast where there are two operands. They are
computed in f64 for bools and integers, in f32 for smaller floats, else in the operands'
dtype, which the results have. Eigenvalues and vectors of a:eig() are always complex.
Each matrix is computed by one thread, those of leading axes are shared by several: so
the results are the same for any number of threads. An interrupt is noticed between two
matrices.

The results of matrices that have NaN or infinities are all NaN, except that a:qr(),
and, where there are infinities alone, a:solve(), a:inv(), a:det(), a:slogdet() and
a:lu() give whatever the arithmetic gives; ranks are 0, and permutations are
permutations. Matrices without rows or columns have results without elements, a
determinant of 1, a rank of 0. Where LAPACK does not converge, which is rare, the error
is invalid_argument. The field info of errors is LAPACK's number, matrix the number of
the first matrix that it is about, from 1.

  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  raises    shape_mismatch where out has another shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory
]], entries = {
{{"a:matmul", "nd.matmul", "nd.linalg.matmul"}, [=[
nd.linalg.matmul
a:matmul(b [, opts])
nd.matmul(a, b [, opts])

  The product of two matrices. With more than two axes there is one product for each
  index of the leading axes, which broadcast. A 1-D array is a row on the left and a
  column on the right, and the result lacks that axis.

  b         array | table: its last axis but one, or its only one, is multiplied with
            the last one of a
  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   any: the matrices, or, for two 1-D arrays, a value
  raises    shape_mismatch where the operands do not fit, and for a 0-d array; where out
            has another shape
            overflow where the result has more bytes than the address space
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  local m = nd.array {{1, 2}, {3, 4}}
  m:matmul {{0, 1}, {1, 0}}               -- => [[2, 1], [4, 3]]
  m:matmul {1, 10}                        -- => [21, 43]
  nd.matmul({1, 2}, {3, 4})               -- => 11
  nd.ones({5, 1, 2, 2}):matmul(nd.ones {3, 2, 4}).shape  -- => {5, 3, 2, 4}
]=]},
{{"a:dot", "nd.dot", "nd.linalg.dot"}, [[
nd.linalg.dot
a:dot(b [, opts])
nd.dot(a, b [, opts])

  The same for arrays of one or two axes. Where both have more, each row of a is
  multiplied with each column of all matrices of b: the shape is that of a but for its
  last axis, followed by that of b but for its last axis but one. A 0-d array multiplies
  each element.

  b         array | table: as above
  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   any: an array, or, for two 1-D arrays, a value
  raises    shape_mismatch where the operands do not fit; where out has another shape
            invalid_argument where the result would have more than 16 axes
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.dot({1, 2, 3}, {4, 5, 6})            -- => 32
  nd.ones({4, 2, 3}):dot(nd.ones {5, 3, 6}).shape  -- => {4, 2, 5, 6}
]]},
{{"a:vecdot", "nd.vecdot", "nd.linalg.vecdot"}, [[
nd.linalg.vecdot
a:vecdot(b [, axis] [, opts])
nd.vecdot(a, b [, axis] [, opts])

  The products of vectors along one axis, of which that of a is conjugate. The other
  axes broadcast.

  b          array | table
  axis       integer: of both arrays; by default the last one
  a          array | table
  opts.axis  integer: the axis, as an option
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result. Functions with several results take a table of as
             many arrays, which do not share memory
  returns    any: an array without that axis, or, for two 1-D arrays, a value
  raises     shape_mismatch where the operands do not fit, and for a 0-d array; where
             out has another shape
             index_out_of_range where there is no such axis
             type_mismatch where the dtypes have no common dtype, or out is of integers
             or bool and digits of 64-bit integers, or imaginary parts, may be lost
             read_only where out is read-only
             overlap where elements of out share memory

  nd.vecdot({{1, 2}, {3, 4}}, {1, 10})    -- => [21, 43]
  nd.vecdot({{1, 2}, {3, 4}}, {{1, 1}, {1, 1}}, 1)  -- => [4, 6]
  nd.c128 {1i}:vecdot(nd.c128 {1i})       -- => 1+0i
]]},
{{"a:outer", "nd.outer", "nd.linalg.outer"}, [=[
nd.linalg.outer
a:outer(b [, opts])
nd.outer(a, b [, opts])

  Each element of a times each element of b, of any shapes, in row-major order.

  b         array | table | number: and so is a of the function
  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   array: elements of a x elements of b
  raises    overflow where the result has more bytes than the address space
            shape_mismatch where out has another shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.outer({1, 2}, {10, 20, 30})          -- => [[10, 20, 30], [20, 40, 60]]
]=]},
{{"a:kron", "nd.kron", "nd.linalg.kron"}, [=[
nd.linalg.kron
a:kron(b [, opts])
nd.kron(a, b [, opts])

  The Kronecker product: b, multiplied by each element of a, in the place of that
  element.

  b         array | table | number: and so is a of the function; missing axes of either
            are added in front
  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   any: an array, whose extents are the products of theirs; of two 0-d arrays a
            value
  raises    invalid_argument where both have more than 8 axes that are longer than 1
            shape_mismatch where out has another shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.kron({1, 10}, {1, 2, 3})             -- => [1, 2, 3, 10, 20, 30]
  nd.kron({{1, 0}, {0, 1}}, {{1, 2}})     -- => [[1, 2, 0, 0], [0, 0, 1, 2]]
]=]},
{{"a:tensordot", "nd.tensordot", "nd.linalg.tensordot"}, [[
nd.linalg.tensordot
a:tensordot(b [, axes] [, opts])
nd.tensordot(a, b [, axes] [, opts])

  The sums of products along several axes of both arrays.

  b          array | table
  axes       integer | table = 2: a number of axes, the last ones of a and the first
             ones of b; or {axes of a, axes of b}, either an axis or a list
  a          array | table
  opts.axes  integer | table: the axes, as an option
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result. Functions with several results take a table of as
             many arrays, which do not share memory
  returns    any: the other axes of a, then those of b; a value where there are none
  raises     shape_mismatch where the extents of two axes differ; where out has another
             shape
             index_out_of_range where there is no such axis
             invalid_argument for more axes than there are, an axis that is named twice,
             and for lists of different lengths
             type_mismatch where the dtypes have no common dtype, or out is of integers
             or bool and digits of 64-bit integers, or imaginary parts, may be lost
             read_only where out is read-only
             overlap where elements of out share memory

  local t = nd.ones {2, 3, 4}
  t:tensordot(nd.ones {3, 4, 5}).shape    -- => {2, 5}
  t:tensordot(nd.ones {4, 2}, {{1, 3}, {2, 1}})  -- => [8, 8, 8]
]]},
{{"nd.einsum", "nd.linalg.einsum"}, [=[
nd.linalg.einsum
nd.einsum(subscripts, … [, opts])

  Sums of products, by labels of the axes. Each operand has a term of letters, one for
  each axis; axes of the same letter have the same extent, or 1. The term behind ->
  labels the axes of the result: letters that it lacks are summed up. Without it the
  result has the letters that occur once, sorted. A letter twice in a term stands for
  the diagonal. ... stands for all other axes, which broadcast. Several operands are
  multiplied two at a time, those first whose product is small.

  subscripts  string: the terms with commas between them: "ij,jk->ik"; blanks do not
              count
  ...         array | table: the operands, as many as there are terms
  opts.out    array: receives the result, saturated to its dtype, and is returned
  returns     any: a new array, or, where it has no axes, a value
  raises      invalid_argument for subscripts that are not of this form, and for more
              operands than terms
              shape_mismatch where a term has not as many letters as its operand has
              axes, where extents do not fit, and where out has another shape
              type_mismatch for dtypes that do not promote
              read_only where out is read-only
              overlap where elements of out share memory

  local m = nd.array {{1, 2}, {3, 4}}
  nd.einsum("ij,jk->ik", m, m)            -- => [[7, 10], [15, 22]]
  nd.einsum("ii", m)                      -- => 5
  nd.einsum("ij->ji", m)                  -- => [[1, 3], [2, 4]]
  nd.einsum("...i,i->...", m, {1, 10})    -- => [21, 43]
]=]},
{{"a:trace", "nd.trace", "nd.linalg.trace"}, [[
nd.linalg.trace
a:trace([k] [, opts])
nd.trace(a [, k] [, opts])

  The sum of a diagonal of two axes, of an array that has two or more. Of bools and
  integers it is 64-bit, as a:sum().

  k          integer = 0: the diagonal that begins k columns to the right of the main
             one, or -k rows below it
  a          array | table
  opts.axes  table = {1, 2}: the two axes
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result. Functions with several results take a table of as
             many arrays, which do not share memory
  returns    any: a value, or, for more than 2 axes, an array of the others
  raises     shape_mismatch for fewer than 2 axes; where out has another shape
             index_out_of_range where there is no such axis, and for a diagonal outside
             of the array
             invalid_argument unless there are two different axes
             type_mismatch where the dtypes have no common dtype, or out is of integers
             or bool and digits of 64-bit integers, or imaginary parts, may be lost
             read_only where out is read-only
             overlap where elements of out share memory

  local m = nd.array {{1, 2}, {3, 4}}
  m:trace()                               -- => 5
  m:trace(1)                              -- => 2
]]},
{{"a:norm", "nd.norm", "nd.linalg.norm"}, [=[
nd.linalg.norm
a:norm([ord] [, axis] [, opts])
nd.norm(a [, ord] [, axis] [, opts])

  The norm of vectors along one axis, or of matrices along two. Of bools and integers it
  is computed in f64.

  ord                    of vectors
  none                   the root of the sum of squares
  math.huge, -math.huge  the greatest, least absolute value
  1, -1                  as any other number
  2, -2, "nuc"           as any other number
  0                      how many elements are not 0
  any other number p     the sum of the p-th powers of absolute values, to the power 1 /
                         p

  ord            number | string: see above
  axis           integer | integer[]: the axis of vectors, or the two axes of matrices;
                 by default all elements, which with ord are a vector or a matrix
  a              array | table
  opts.ord       number | string: the norm, as an option
  opts.axis      integer | integer[]: the axes, as an option
  opts.keepdims  boolean = false: keep the axes, with extent 1
  opts.out       array: receives the result, saturated to its dtype, and is returned; it
                 has the shape of the result. Functions with several results take a
                 table of as many arrays, which do not share memory
  returns        any: a number; with axis or keepdims an array. Floats keep their dtype;
                 norms of complex numbers are real. The greatest value of no elements is
                 0
  raises         shape_mismatch where ord is given, but no axis for an array of 0 or
                 more than 2; where out has another shape
                 index_out_of_range where there is no such axis
                 invalid_argument for other orders, for another number of axes, for the
                 least value of no elements, and for an argument that is an option, too
                 type_mismatch where the dtypes have no common dtype, or out is of
                 integers or bool and digits of 64-bit integers, or imaginary parts, may
                 be lost
                 read_only where out is read-only
                 overlap where elements of out share memory

  local m = nd.array {{3, 4}, {0, 5}}
  m[1]:norm()                             -- => 5
  m:norm(1)                               -- => 9
  m:norm(nil, 2)                          -- => [5, 5]
  m:norm(math.huge, {axis = 1, keepdims = true})  -- => [[3, 5]]
]=]},
{{"a:solve", "nd.solve", "nd.linalg.solve"}, [=[
nd.linalg.solve
a:solve(b [, opts])
nd.solve(a, b [, opts])

  The solutions x of a x = b, by LU factorisation with pivoting (LAPACK's gesv). Of
  several it is more exact, and sooner done, than a:inv():matmul(b).

  b         array | table: the right-hand sides are its columns; with one axis, one of
            them. Leading axes broadcast
  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   array: in the shape of b, but for leading axes
  raises    invalid_argument where a matrix is singular; the error's matrix is its
            number, info that of the pivot which is 0
            shape_mismatch where the matrices are not square, or b has another number of
            rows; where out has another shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  local m = nd.array {{2, 0}, {1, 4}}
  m:solve {6, 5}                          -- => [3, 0.5]
  nd.solve(m, {{6, 2}, {5, 1}})           -- => [[3, 1], [0.5, 0]]
  nd.solve({{{2}}, {{4}}}, {8}).shape     -- => {2, 1}
]=]},
{{"a:inv", "nd.inv", "nd.linalg.inv"}, [=[
nd.linalg.inv
a:inv([opts])
nd.inv(a [, opts])

  The inverses of matrices: the solutions for the columns of the identity matrix.

  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   array: in the shape of a
  raises    invalid_argument where a matrix is singular, as a:solve() does
            shape_mismatch where the matrices are not square; where out has another
            shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.inv {{2, 0}, {1, 1}}                 -- => [[0.5, 0], [-0.5, 1]]
]=]},
{{"a:pinv", "nd.pinv", "nd.linalg.pinv"}, [=[
nd.linalg.pinv
a:pinv([rtol] [, opts])
nd.pinv(a [, rtol] [, opts])

  The pseudo-inverses of Moore and Penrose, by singular values.

  rtol       number: singular values up to this times the greatest count as 0; by
             default the precision of the dtype times the greater side of a matrix
  a          array | table
  opts.rtol  number: the same, as an option
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result. Functions with several results take a table of as
             many arrays, which do not share memory
  returns    array: with rows and columns exchanged
  raises     shape_mismatch for fewer than 2 axes; where out has another shape
             invalid_argument where rtol is negative, or an option, too
             type_mismatch where the dtypes have no common dtype, or out is of integers
             or bool and digits of 64-bit integers, or imaginary parts, may be lost
             read_only where out is read-only
             overlap where elements of out share memory

  nd.pinv {{4, 0}, {0, 0}}                -- => [[0.25, 0], [0, 0]]
  nd.allclose(nd.pinv {{1}, {1}}, nd.array {{0.5, 0.5}})  -- => true
]=]},
{{"a:det", "nd.det", "nd.linalg.det"}, [[
nd.linalg.det
a:det([opts])
nd.det(a [, opts])

  The determinants of matrices. What is multiplied is scaled, so that nothing overflows
  on the way to a result that does not; so are rows and columns whose elements are all
  subnormal. Where elimination itself arrives at a subnormal pivot, OpenBLAS may give
  NaN.

  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   any: a value; with leading axes an array
  raises    shape_mismatch where the matrices are not square; where out has another
            shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.det {{4, 1}, {2, 3}}                 -- => 10
  nd.zeros(5, 3, 3):det()                 -- => [0, 0, 0, 0, 0]
]]},
{{"a:slogdet", "nd.slogdet", "nd.linalg.slogdet"}, [[
nd.linalg.slogdet
a:slogdet([opts])
nd.slogdet(a [, opts])

  The signs of determinants, and the natural logarithms of their absolute values, which
  overflow later.

  a         array | table
  opts.out  table: two arrays that receive the results and are returned
  returns   any, any: signs, of complex numbers ones of absolute value 1, or 0;
            logarithms, -inf where the determinant is 0. Values; with leading axes
            arrays
  raises    shape_mismatch where the matrices are not square; where out has another
            shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.slogdet {{0, 1}, {1, 0}}             -- => -1, 0
  nd.slogdet {{1, 2}, {2, 4}}             -- => 0, -inf
]]},
{{"a:lstsq", "nd.lstsq", "nd.linalg.lstsq"}, [[
nd.linalg.lstsq
a:lstsq(b [, rcond] [, opts])
nd.lstsq(a, b [, rcond] [, opts])

  The solutions x for which the norm of b - a x is least, and of these that of the least
  norm, by singular values.

  b           array | table: as in a:solve()
  rcond       number: singular values up to this times the greatest count as 0; by
              default the precision of the dtype times the greater side of a
  a           array | table
  opts.rcond  number: the same, as an option
  opts.out    table: four arrays, in the shapes of the results, that receive them and
              are returned
  returns     array, array, any, array: the solutions; for each column of b the sum of
              squares of b - a x, or, unless there are more rows than columns and all
              matrices have full rank, nothing (extent 0); the rank, with leading axes
              an array of i64; the singular values of a. A column of b that has NaN or
              infinities gives NaN, and does not concern the others
  raises      shape_mismatch where b has another number of rows; where out has another
              shape
              invalid_argument where rcond is negative, or an option, too
              type_mismatch where the dtypes have no common dtype, or out is of integers
              or bool and digits of 64-bit integers, or imaginary parts, may be lost
              read_only where out is read-only
              overlap where elements of out share memory

  local m = nd.array {{0, 1}, {1, 1}, {2, 1}, {3, 1}}
  local line, residuals, rank = m:lstsq {-1, 0.2, 0.9, 2.1}
  nd.allclose(line, nd.array {1, -0.95})  -- => true
  nd.allclose(residuals, nd.array {0.05}) -- => true
  rank                                    -- => 2
]]},
{{"a:cholesky", "nd.cholesky", "nd.linalg.cholesky"}, [=[
nd.linalg.cholesky
a:cholesky([opts])
nd.cholesky(a [, opts])

  The lower triangular factor l of symmetric (Hermitian) positive definite matrices,
  with a = l l.T (of complex ones the conjugate of l.T). Only the lower triangle of a is
  read.

  a           array | table
  opts.upper  boolean = false: the upper triangular factor u with a = u.T u; only the
              upper triangle is read
  opts.out    array: receives the result, saturated to its dtype, and is returned; it
              has the shape of the result. Functions with several results take a table
              of as many arrays, which do not share memory
  returns     array: in the shape of a; the other triangle is 0
  raises      invalid_argument where a matrix is not positive definite; the error's
              matrix is its number, info the order of its first minor that is not
              positive
              shape_mismatch where the matrices are not square; where out has another
              shape
              type_mismatch where the dtypes have no common dtype, or out is of integers
              or bool and digits of 64-bit integers, or imaginary parts, may be lost
              read_only where out is read-only
              overlap where elements of out share memory

  nd.cholesky {{4, 2}, {2, 5}}            -- => [[2, 0], [1, 2]]
  nd.cholesky({{4, 2}, {2, 5}}, {upper = true})  -- => [[2, 1], [0, 2]]
]=]},
{{"a:lu", "nd.lu", "nd.linalg.lu"}, [=[
nd.linalg.lu
a:lu([opts])
nd.lu(a [, opts])

  The factorisation of matrices of any shape, m x n, by Gaussian elimination with
  partial pivoting: row p[i] of l u is row i of a, so that l:take(p, 1):matmul(u) is the
  matrix.

  a         array | table
  opts.out  table: three arrays that receive the results and are returned
  returns   array, array, array: p, for each row of a its number in l (i64); l, lower
            triangular with ones on its diagonal; u, upper triangular. They meet in as
            many columns as the lesser of m and n
  raises    shape_mismatch for fewer than 2 axes; where out has another shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  local p, l, u = nd.lu {{1, 2}, {2, 8}}
  p                                       -- => [2, 1]
  l:take(p, 1):matmul(u)                  -- => [[1, 2], [2, 8]]
]=]},
{{"a:qr", "nd.qr", "nd.linalg.qr"}, [=[
nd.linalg.qr
a:qr([opts])
nd.qr(a [, opts])

  The factorisation of matrices, m x n, into q with orthonormal columns and an upper
  triangular r.

  a          array | table
  opts.mode  string = "reduced": as many columns of q as the lesser of m and n;
             "complete": a square q; "r": r alone
  opts.out   table | array: two arrays that receive the results and are returned; for
             "r" the array
  returns    array, array: q; r
  raises     shape_mismatch for fewer than 2 axes; where out has another shape
             invalid_argument for another mode
             type_mismatch where the dtypes have no common dtype, or out is of integers
             or bool and digits of 64-bit integers, or imaginary parts, may be lost
             read_only where out is read-only
             overlap where elements of out share memory

  local q, r = nd.qr {{3, 1}, {4, 2}}
  r:abs():round()                         -- => [[5, 2], [0, 0]]
  nd.allclose(q:matmul(r), nd.array {{3, 1}, {4, 2}})  -- => true
]=]},
{{"a:svd", "nd.svd", "nd.linalg.svd", "a:svdvals", "nd.svdvals", "nd.linalg.svdvals"}, [=[
nd.linalg.svd nd.linalg.svdvals
a:svd([opts])
nd.svd(a [, opts])
a:svdvals([opts])
nd.svdvals(a [, opts])

  The singular values of matrices, m x n, of which k is the lesser; svd gives their
  vectors, too.

  a                   array | table
  opts.full_matrices  boolean = true: of svd: all m columns of u and n rows of v, not
                      only k
  opts.compute_uv     boolean = true: of svd: else it gives the values alone, as svdvals
  opts.out            table | array: of svd: three arrays that receive the results and
                      are returned; for the values alone the array
  returns             array, array, array: u, whose columns are orthonormal; s, the
                      values, the greatest first; v, whose rows are: a is u times the
                      diagonal matrix of s times v. Of svdvals: s
  raises              shape_mismatch for fewer than 2 axes; where out has another shape
                      type_mismatch where the dtypes have no common dtype, or out is of
                      integers or bool and digits of 64-bit integers, or imaginary
                      parts, may be lost
                      read_only where out is read-only
                      overlap where elements of out share memory

  local u, s, v = nd.svd({{3, 0}, {0, -2}}, {full_matrices = false})
  s                                       -- => [3, 2]
  (u * s):matmul(v)                       -- => [[3, 0], [0, -2]]
  nd.svdvals {{1, 1, 1, 1}}               -- => [2]
]=]},
{{"a:matrix_rank", "nd.matrix_rank", "nd.linalg.matrix_rank"}, [[
nd.linalg.matrix_rank
a:matrix_rank([tol] [, opts])
nd.matrix_rank(a [, tol] [, opts])

  The ranks of matrices: how many singular values are greater than a tolerance. An array
  of fewer than two axes has the rank 1 unless all its elements are 0.

  tol        number: the tolerance; by default the precision of the dtype times the
             greater side of a matrix times its greatest singular value
  a          array | table
  opts.tol   number: the tolerance, as an option
  opts.rtol  number: the tolerance divided by the greatest singular value
  opts.out   array: receives the result, saturated to its dtype, and is returned; it has
             the shape of the result. Functions with several results take a table of as
             many arrays, which do not share memory
  returns    any: an integer; with leading axes an array of i64
  raises     invalid_argument where tol is negative, or an option, too
             shape_mismatch where out has another shape
             type_mismatch where the dtypes have no common dtype, or out is of integers
             or bool and digits of 64-bit integers, or imaginary parts, may be lost
             read_only where out is read-only
             overlap where elements of out share memory

  nd.matrix_rank {{1, 2}, {2, 4}}         -- => 1
  nd.matrix_rank(nd.eye(4))               -- => 4
]]},
{{"a:cond", "nd.cond", "nd.linalg.cond"}, [[
nd.linalg.cond
a:cond([p] [, opts])
nd.cond(a [, p] [, opts])

  The condition numbers of matrices: the norm of a matrix times that of its inverse,
  infinite for singular ones. By default it is the ratio of the greatest and the least
  singular value, which other than square matrices have, too.

  p         number | string = 2: the norm, as in a:norm(): 2, -2, 1, -1, math.huge,
            -math.huge, "fro", "nuc"
  a         array | table
  opts.p    number | string: the norm, as an option
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   any: a number; with leading axes an array
  raises    invalid_argument for other norms, for matrices without elements, and where p
            is an option, too
            shape_mismatch for fewer than 2 axes, and where the matrices are not square
            but for 2 and -2; where out has another shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.cond {{4, 0}, {0, 2}}                -- => 2
  nd.cond({{1, 2}, {2, 4}}, 1)            -- => inf
]]},
{{"a:eigh", "nd.eigh", "nd.linalg.eigh", "a:eigvalsh", "nd.eigvalsh", "nd.linalg.eigvalsh"}, [[
nd.linalg.eigh nd.linalg.eigvalsh
a:eigh([opts])
nd.eigh(a [, opts])
a:eigvalsh([opts])
nd.eigvalsh(a [, opts])

  The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too. Only
  the lower triangle of a is read.

  a           array | table
  opts.upper  boolean = false: the upper triangle is read
  opts.out    table | array: of eigh: two arrays that receive the results and are
              returned; of eigvalsh the array
  returns     array, array: the values, real, the least first; the matrix whose columns
              are the vectors, orthonormal. Of eigvalsh: the values
  raises      shape_mismatch where the matrices are not square; where out has another
              shape
              type_mismatch where the dtypes have no common dtype, or out is of integers
              or bool and digits of 64-bit integers, or imaginary parts, may be lost
              read_only where out is read-only
              overlap where elements of out share memory

  local m = nd.array {{2, 1}, {1, 2}}
  local w, v = m:eigh()
  w:round()                               -- => [1, 3]
  nd.allclose((v * w):matmul(v.T), m)     -- => true
]]},
{{"a:eig", "nd.eig", "nd.linalg.eig", "a:eigvals", "nd.eigvals", "nd.linalg.eigvals"}, [=[
nd.linalg.eig nd.linalg.eigvals
a:eig([opts])
nd.eig(a [, opts])
a:eigvals([opts])
nd.eigvals(a [, opts])

  The eigenvalues of any square matrices; eig gives their vectors, too. Both are
  complex, c64 or c128, whatever the values are.

  a         array | table
  opts.out  table | array: of eig: two arrays that receive the results and are returned;
            of eigvals the array
  returns   array, array: the values, in no order; the matrix whose columns are the
            vectors, of norm 1. Of eigvals: the values
  raises    shape_mismatch where the matrices are not square; where out has another
            shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.eigvals {{0, 1}, {-1, 0}}            -- => [0+1i, 0-1i]
  local w, v = nd.eig {{2, 0}, {0, 3}}
  v.real                                  -- => [[1, 0], [0, 1]]
]=]},
{{"a:matrix_power", "nd.matrix_power", "nd.linalg.matrix_power"}, [=[
nd.linalg.matrix_power
a:matrix_power(n [, opts])
nd.matrix_power(a, n [, opts])

  The product of n times the matrix, by repeated squaring: of integers in their dtype,
  in which it wraps around.

  n         integer: 0 gives the identity matrix; a negative one the power of the
            inverse
  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   array: in the shape of a
  raises    shape_mismatch where the matrices are not square; where out has another
            shape
            invalid_argument where n is negative and a matrix singular
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.matrix_power(nd.i32 {{1, 1}, {1, 0}}, 10)  -- => [[89, 55], [55, 34]]
]=]},
{{"a:expm", "nd.expm", "nd.linalg.expm"}, [=[
nd.linalg.expm
a:expm([opts])
nd.expm(a [, opts])

  The exponential of matrices, computed in f64 or c128 by scaling, a Padé approximant
  and squaring (Higham 2005; Al-Mohy and Higham 2009). The diagonal of triangular
  matrices of a large norm is that of exponentials. It is NaN or infinite where numbers
  overflow on the way. It is not the exponential of the elements, which is a:exp().

  a         array | table
  opts.out  array: receives the result, saturated to its dtype, and is returned; it has
            the shape of the result. Functions with several results take a table of as
            many arrays, which do not share memory
  returns   array: in the shape of a
  raises    shape_mismatch where the matrices are not square; where out has another
            shape
            type_mismatch where the dtypes have no common dtype, or out is of integers
            or bool and digits of 64-bit integers, or imaginary parts, may be lost
            read_only where out is read-only
            overlap where elements of out share memory

  nd.expm {{0, 0}, {0, 0}}                -- => [[1, 0], [0, 1]]
  nd.expm {{0, 1}, {0, 0}}                -- => [[1, 1], [0, 1]]
  nd.expm {{0, 1e18}, {0, 0}}             -- => [[1, 1e+18], [0, 1]]
]=]},
}},
{name = "fft", title = "Fourier transforms and convolution", text = [[
Discrete Fourier transforms of any length, in nd.fft, with NumPy's names and meaning,
and convolution and correlation of lines. Element k (from 0) of a transform is the sum
of x[j] * exp(-2πi j k / n), of an inverse one with + in the place of -, where n is the
length.

A line is cut, or filled up with zeros at its end, to the length that is asked for.
Arrays may be views of any strides; tables of numbers may stand for them, and are f64.
f64, c128, integers and bools are computed in double precision and give c128 or f64;
f32, c64, f16, bf16 and f8 are computed in single precision and give c64 or f32.

Transforms are computed by FFTW, if it is installed (Debian's packages are
libfftw3-double3 and libfftw3-single3): it is opened when it is first needed, and
determines the last bits of results. Else ndbuf has kernels of its own, which give the
same bits on every processor. Any length is fast: the time grows like n log n, also for
primes. Lines are shared by the threads of nd.set_threads, whose number makes no
difference to the results; an interrupt is noticed between lines. nd.info() says by what
transforms are computed; the environment variable NDBUF_FFTW names other libraries, one
or two with : between them, or says none.

  a          array | table
  opts.norm  string = "backward": what is multiplied by 1 / n, of all axes: "backward",
             inverse transforms; "forward", those that are not; "ortho", all, by 1 /
             sqrt(n)
  opts.out   array: receives the result, converted to its dtype, and is returned; it has
             the shape of the result, and may be a
  raises     shape_mismatch where out has another shape, and for a 0-d array
             index_out_of_range where there is no such axis
             invalid_argument for a length of less than 1, for another norm, and for an
             argument that is an option, too
             type_mismatch where out would lose imaginary parts
             read_only where out is read-only
             overlap where elements of out share memory
             overflow for a length that no memory has
]], entries = {
{{"nd.fft.fft", "nd.fft.ifft"}, [[
nd.fft.fft(a [, n] [, axis] [, opts])
nd.fft.ifft(a [, n] [, axis] [, opts])

  The transform along one axis, and the inverse one.

  n          integer: the length; by default that of the axis
  axis       integer: by default the last one
  a          array | table
  opts.n     integer: the length, as an option
  opts.axis  integer: the axis, as an option
  opts.norm  string = "backward": what is multiplied by 1 / n, of all axes: "backward",
             inverse transforms; "forward", those that are not; "ortho", all, by 1 /
             sqrt(n)
  opts.out   array: receives the result, converted to its dtype, and is returned; it has
             the shape of the result, and may be a
  returns    array: c128 or c64
  raises     shape_mismatch where out has another shape, and for a 0-d array
             index_out_of_range where there is no such axis
             invalid_argument for a length of less than 1, for another norm, and for an
             argument that is an option, too
             type_mismatch where out would lose imaginary parts
             read_only where out is read-only
             overlap where elements of out share memory
             overflow for a length that no memory has

  nd.fft.fft {1, 2, 3, 4}                 -- => [10+0i, -2+2i, -2+0i, -2-2i]
  nd.fft.ifft({4, 0, 0, 0}).real          -- => [1, 1, 1, 1]
  nd.fft.fft({1, 2, 3, 4}, 2)             -- => [3+0i, -1+0i]
  nd.fft.fft(nd.ones({4, 2}, "f32"), nil, 1, {norm = "ortho"})[1]  -- => [2+0i, 2+0i]
]]},
{{"nd.fft.rfft", "nd.fft.ihfft"}, [[
nd.fft.rfft(a [, n] [, axis] [, opts])
nd.fft.ihfft(a [, n] [, axis] [, opts])

  The first n // 2 + 1 elements of the transform of real numbers, of which the others
  are the conjugates; and of the inverse one. They take about half of the time.

  n          integer: as above
  axis       integer: as above
  a          array | table
  opts.n     integer: as above
  opts.axis  integer: as above
  opts.norm  string = "backward": what is multiplied by 1 / n, of all axes: "backward",
             inverse transforms; "forward", those that are not; "ortho", all, by 1 /
             sqrt(n)
  opts.out   array: receives the result, converted to its dtype, and is returned; it has
             the shape of the result, and may be a
  returns    array: c128 or c64
  raises     type_mismatch for complex numbers; where out would lose imaginary parts
             shape_mismatch where out has another shape, and for a 0-d array
             index_out_of_range where there is no such axis
             invalid_argument for a length of less than 1, for another norm, and for an
             argument that is an option, too
             read_only where out is read-only
             overlap where elements of out share memory
             overflow for a length that no memory has

  nd.fft.rfft {1, 2, 3, 4}                -- => [10+0i, -2+2i, -2+0i]
  nd.fft.ihfft({1, 2, 3, 4})(2)           -- => -0.5-0.5i
]]},
{{"nd.fft.irfft", "nd.fft.hfft"}, [[
nd.fft.irfft(a [, n] [, axis] [, opts])
nd.fft.hfft(a [, n] [, axis] [, opts])

  The inverse of rfft and that of ihfft: real numbers from the first half of a line
  whose other half is conjugate. What cannot be part of such a line, the imaginary part
  of the first element, and of the last one where n is even, counts as 0.

  n          integer: the length of the result; by default 2 * (m - 1), where m is that
             of the axis. An odd length has to be given
  axis       integer: as above
  a          array | table
  opts.n     integer: as above
  opts.axis  integer: as above
  opts.norm  string = "backward": what is multiplied by 1 / n, of all axes: "backward",
             inverse transforms; "forward", those that are not; "ortho", all, by 1 /
             sqrt(n)
  opts.out   array: receives the result, converted to its dtype, and is returned; it has
             the shape of the result, and may be a
  returns    array: f64 or f32
  raises     shape_mismatch where out has another shape, and for a 0-d array
             index_out_of_range where there is no such axis
             invalid_argument for a length of less than 1, for another norm, and for an
             argument that is an option, too
             type_mismatch where out would lose imaginary parts
             read_only where out is read-only
             overlap where elements of out share memory
             overflow for a length that no memory has

  nd.fft.irfft(nd.fft.rfft {1, 2, 3, 4})  -- => [1, 2, 3, 4]
  nd.fft.irfft(nd.fft.rfft {1, 2, 3}, 3)  -- => [1, 2, 3]
  nd.fft.hfft {1, 2, 3}                   -- => [8, -2, 0, -2]
]]},
{{"nd.fft.fft2", "nd.fft.ifft2", "nd.fft.fftn", "nd.fft.ifftn"}, [=[
nd.fft.fft2(a [, s] [, axes] [, opts])
nd.fft.ifft2(a [, s] [, axes] [, opts])
nd.fft.fftn(a [, s] [, axes] [, opts])
nd.fft.ifftn(a [, s] [, axes] [, opts])

  The transform along several axes, one after another: along the last two, or along all.

  s          integers: the lengths, one for each axis; -1 stands for that of the axis.
             By default those of the axes
  axes       integers: by default the last two, or all, or the last ones, as many as s
             has
  a          array | table
  opts.s     integers: the lengths, as an option
  opts.axes  integers: the axes, as an option
  opts.norm  string = "backward": what is multiplied by 1 / n, of all axes: "backward",
             inverse transforms; "forward", those that are not; "ortho", all, by 1 /
             sqrt(n)
  opts.out   array: receives the result, converted to its dtype, and is returned; it has
             the shape of the result, and may be a
  returns    array: c128 or c64
  raises     invalid_argument where there are as many lengths as axes; for a length of
             less than 1, for another norm, and for an argument that is an option, too
             shape_mismatch where out has another shape, and for a 0-d array
             index_out_of_range where there is no such axis
             type_mismatch where out would lose imaginary parts
             read_only where out is read-only
             overlap where elements of out share memory
             overflow for a length that no memory has

  nd.fft.fft2 {{1, 2}, {3, 4}}            -- => [[10+0i, -2+0i], [-4+0i, 0+0i]]
  nd.fft.fftn(nd.ones {2, 3, 4}, {4, 4}).shape  -- => {2, 4, 4}
  nd.fft.ifftn(nd.fft.fftn {{1, 2}, {3, 4}}).real  -- => [[1, 2], [3, 4]]
]=]},
{{"nd.fft.rfft2", "nd.fft.irfft2", "nd.fft.rfftn", "nd.fft.irfftn"}, [=[
nd.fft.rfft2(a [, s] [, axes] [, opts])
nd.fft.irfft2(a [, s] [, axes] [, opts])
nd.fft.rfftn(a [, s] [, axes] [, opts])
nd.fft.irfftn(a [, s] [, axes] [, opts])

  The same for real numbers: rfft along the axis named last, then fft along the others;
  and the inverse.

  s          integers: as above; of irfft2 and irfftn those of the result
  axes       integers: as above
  a          array | table
  opts.s     integers: as above
  opts.axes  integers: as above
  opts.norm  string = "backward": what is multiplied by 1 / n, of all axes: "backward",
             inverse transforms; "forward", those that are not; "ortho", all, by 1 /
             sqrt(n)
  opts.out   array: receives the result, converted to its dtype, and is returned; it has
             the shape of the result, and may be a
  returns    array: c128 or c64, of the inverse f64 or f32
  raises     type_mismatch for complex numbers, where real ones are transformed; where
             out would lose imaginary parts
             invalid_argument where there are as many lengths as axes; for a length of
             less than 1, for another norm, and for an argument that is an option, too
             shape_mismatch where out has another shape, and for a 0-d array
             index_out_of_range where there is no such axis
             read_only where out is read-only
             overlap where elements of out share memory
             overflow for a length that no memory has

  nd.fft.rfftn(nd.ones {4, 6}).shape      -- => {4, 4}
  nd.fft.irfft2(nd.fft.rfft2 {{1, 2}, {3, 4}})  -- => [[1, 2], [3, 4]]
]=]},
{{"nd.fft.fftfreq", "nd.fft.rfftfreq"}, [[
nd.fft.fftfreq(n [, d] [, opts])
nd.fft.rfftfreq(n [, d] [, opts])

  The frequencies of the elements of a transform of n samples, in cycles per unit of d:
  of fft and of rfft.

  n            integer: the length of the transform
  d            number = 1: the distance from one sample to the next
  opts.d       number: the distance, as an option
  opts.dtype   dtype = "f64": of the result
  opts.device  device = "cpu": where it is made
  returns      array: of n elements, or n // 2 + 1
  raises       invalid_argument for a length of less than 1, and where d is an option,
               too
               device_not_found where there is no such device

  nd.fft.fftfreq(5, 0.2)                  -- => [0, 1, 2, -2, -1]
  nd.fft.rfftfreq(4, 0.25)                -- => [0, 1, 2]
]]},
{{"nd.fft.fftshift", "nd.fft.ifftshift"}, [[
nd.fft.fftshift(a [, axes] [, opts])
nd.fft.ifftshift(a [, axes] [, opts])

  Brings frequency 0 from the first place to the middle, by a rotation along each axis;
  and back.

  a          array | table
  axes       integers: by default all
  opts.axes  integers: the axes, as an option
  opts.out   array: receives the result, and is returned
  returns    array: of the dtype and shape of a
  raises     index_out_of_range where there is no such axis
             invalid_argument where axes is an option, too
             shape_mismatch where out has another shape
             read_only where out is read-only
             overlap where elements of out share memory

  nd.fft.fftshift(nd.fft.fftfreq(5, 0.2)) -- => [-2, -1, 0, 1, 2]
  nd.fft.ifftshift {-2, -1, 0, 1, 2}      -- => [0, 1, 2, -2, -1]
]]},
{{"a:convolve", "nd.convolve"}, [[
a:convolve(b [, opts])
nd.convolve(a, b [, opts])

  The convolution of two lines, the sums of a[j] * b[k - j]. Operands are promoted to
  one dtype, which the result has. Integers wrap around and are exact, sums of bools are
  "or", their products "and"; f16, bf16 and f8 are computed in f32.

  Long lines of floats and complex numbers are convolved by Fourier transforms of
  blocks, where that is less work: then each element has an error of a few units in the
  last place of sqrt(sum(a^2) * sum(b^2)). Where a block of the result is not finite it
  is computed directly; up to 32 elements of the shorter line may be NaN or infinite
  without that.

  a          array | table: 1-D
  b          array | table: 1-D; it may be the longer one
  opts.mode  string = "full": all n + m - 1 elements, where m is the length of the
             shorter line; "same": the n in the middle; "valid": the n - m + 1 where all
             of the shorter line takes part
  opts.out   array: receives the result, saturated to its dtype, and is returned; it may
             be an operand
  returns    array: 1-D
  raises     shape_mismatch for more than one axis, or where out has another shape
             invalid_argument for a line without elements, and for another mode
             type_mismatch where the dtypes have no common dtype, or out would lose
             digits or imaginary parts
             read_only where out is read-only
             overlap where elements of out share memory

  nd.convolve({1, 2, 3}, {0, 1, 0.5})     -- => [0, 1, 2.5, 4, 1.5]
  nd.convolve({1, 2, 3}, {0, 1, 0.5}, {mode = "same"})  -- => [1, 2.5, 4]
  nd.i32 {1, 2, 3, 4}:convolve(nd.i32 {1, 1}, {mode = "valid"})  -- => [3, 5, 7]
]]},
{{"a:correlate", "nd.correlate"}, [[
a:correlate(b [, opts])
nd.correlate(a, b [, opts])

  The correlation of two lines: the sums of a[k + j] times the conjugate of b[j].
  Otherwise as convolve, but that the mode is "valid" where none is given.

  a          array | table: as above
  b          array | table: as above
  opts.mode  string = "valid": as above
  opts.out   array: as above
  returns    array: 1-D
  raises     shape_mismatch for more than one axis, or where out has another shape
             invalid_argument for a line without elements, and for another mode
             type_mismatch where the dtypes have no common dtype, or out would lose
             digits or imaginary parts
             read_only where out is read-only
             overlap where elements of out share memory

  nd.correlate({1, 2, 3}, {0, 1, 0.5})    -- => [3.5]
  nd.correlate({1, 2, 3}, {0, 1, 0.5}, {mode = "full"})  -- => [0.5, 2, 3.5, 3, 0]
]]},
}},
{name = "memory", title = "Memory", text = [[
The garbage collector frees the memory of arrays that are no longer referenced. Its pace
follows the bytes that arrays hold, so temporaries do not pile up. Explicit freeing is
for programs that know better when memory is no longer needed.
]], entries = {
{{"a:allocate"}, [[
a:allocate()

  Allocates the memory of a lazy array now instead of at the first use; a no-op where
  there is memory.

  returns  array: a

  nd.empty(640, 480):allocate().is_allocated  -- => true
]]},
{{"a:free"}, [[
a:free()

  Frees the memory now, under all views of it. From then on access to their elements
  raises freed; fields such as a.shape stay valid. For a wrapped array this call
  releases the owner, for a mapped one it unmaps the file. Pending GPU work on the
  memory is completed first. Host memory of small arrays is kept for later ones:
  nd.memory.trim returns it to the system.

  returns  nothing

  local a = nd.zeros(3)
  local view = a"1:2"
  a:free()
  view[1]                                 -- => error: the memory of this array was freed
]]},
{{"nd.scope"}, [[
nd.scope(fn, …)

  Calls fn(…), returns its results, and frees all arrays that were made during the call
  and are not among the results (tables are searched). An error in fn frees all of them
  and is raised again. fn cannot yield out of the scope.

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

  A typed FFI pointer to the first element. Access through it is 0-based and unchecked,
  and ignores the array's strides. For a read-only array the pointer is const, so LuaJIT
  refuses stores through it. It does not keep the memory alive. bool and f8 elements are
  uint8_t, f16 and bf16 are uint16_t. GPU memory raises not_host_accessible. a:address()
  says what changes once an address has been handed out.

  returns  cdata: such as double *, or const double *
  raises   invalid_view for a misaligned array

  nd.f32 {1, 2}:ptr()[1]                  -- => 2
]]},
{{"a:address"}, [[
a:address()

  The address of the first element, for functions of other libraries. It works for any
  kind of memory; an address in GPU memory may be used by the GPU only. The address need
  not be aligned, and it does not keep the memory alive.

  All pending work on the memory is complete when this returns. From then on every call
  on the array completes its work before it returns, also on a GPU. Stores of single
  elements take about 1.5 ns more, because LuaJIT must not reorder them: the holder of
  the address may read the bytes as another type. The same holds for a:ptr() and
  nd.wrap.

  returns  integer: a number

  nd.f32({1, 2}):address() % 64           -- => 0
]]},
}},
{name = "resources", title = "Memory resources", text = [[
A memory resource is where the bytes of arrays come from: the host's memory, pinned
memory, a GPU's, a file. Each device has one that is used where nothing else is said.
Adaptors are resources on top of another: a budget limits what is taken from it, a pool
keeps what is freed, stats count, a log records it.

A resource may stand wherever a maker or a:to takes a device. nd.memory.use and
nd.memory.set make it that of all new arrays on its device, results of operations
included, in this Lua state. Where nothing is set, results come from the resource of the
first operand. An array keeps its resource alive. Bytes are counted as they are granted:
those of the host in multiples of 64, those of pools in classes of size.
]], entries = {
{{"nd.memory.host"}, [[
nd.memory.host()

  The memory of the host.

  returns  memory

  tostring(nd.memory.host())              -- => host memory of cpu
]]},
{{"nd.memory.pinned"}, [[
nd.memory.pinned()

  Page-locked memory of the host, that of the device pinned without the pool which the
  name has: pages are locked for each array, and unlocked after it, by calls of the
  driver that are slow. Where no page can be locked, arrays get ordinary memory:
  a.device is cpu then.

  returns  memory
  raises   device_not_found without a GPU

  local mem = nd.cuda.available() and nd.memory.pinned() or nd.memory.host()
  nd.ones(2, mem)                         -- => [1, 1]
]]},
{{"nd.memory.device"}, [=[
nd.memory.device([n [, opts]])

  The memory of GPU n. By default it is stream-ordered memory from ndbuf's own pool if
  the driver supports pools.

  n           integer = 0: the number of the GPU
  opts.async  boolean: true: memory from the pool; false: memory from plain cuMemAlloc,
              which can be shared with other libraries and processes
  returns     memory
  raises      device_not_found when there is no such GPU

  nd.memory.device(99)                    -- => error: there is no GPU
]=]},
{{"nd.memory.managed"}, [[
nd.memory.managed([n])

  The managed memory of GPU n, which the CPU and GPUs share.

  n        integer = 0: the number of the GPU
  returns  memory
  raises   device_not_found when there is no such GPU

  nd.memory.managed(99)                   -- => error: there is no GPU
]]},
{{"nd.memory.file"}, [[
nd.memory.file(path [, opts])

  Memory of a new file, for one array: a second one raises capacity. The same as the
  device disk:PATH, for adaptors.

  path            string: the file, which is made when the array is
  opts.overwrite  boolean: replace a file that exists
  returns         memory
  raises          io when the file exists or cannot be made

  local mem = nd.memory.budget(nd.memory.file "resource.bin", 4096)
  nd.ones({512}, "f64", mem).device       -- => disk:resource.bin
  os.remove "resource.bin"
]]},
{{"nd.memory.budget"}, [[
nd.memory.budget(up, limit)

  A hard limit on what is taken from another resource. A take that would exceed it makes
  room first: it frees what is finished, empties caches, collects garbage, waits for
  work in flight. Then it raises budget_exceeded. What is larger than the limit is
  refused at once. Pending and reserved bytes count, and so do freed bytes that the
  resource itself keeps for later arrays: those are given back to the system where they
  would exceed the limit. Threads cannot exceed the limit together.

  up       memory: what is limited
  limit    integer | string: bytes; or a text: "4GiB" (B, KiB, MiB, GiB, TiB), "50%" of
           all memory that the device has
  returns  memory
  raises   invalid_argument for another text, and for percents of a file

  local mem = nd.memory.budget(nd.memory.host(), 1000)
  nd.zeros({200}, "f64", mem)             -- => error: budget exceeded on cpu: requested 1,600 B
]]},
{{"nd.memory.pool"}, [[
nd.memory.pool(up [, opts])

  Keeps blocks that were freed for later arrays of about their size, so that these need
  no call of the system or the driver. Sizes are rounded up to 512 bytes, above that by
  an eighth at most, pinned blocks from 1 MiB on to whole pages only. On a GPU a block
  goes to the next array on its own stream at once, to another stream when the work on
  it is done, or, where there is no other memory, behind that work. Where the upstream
  has no more, what is kept is freed.

  A budget below a pool, pool(budget(x)), limits what is held; one on it,
  budget(pool(x)), what is in use.

  up        memory: any but a file, without a pool or stats in its stack
  opts.cap  integer | string: the most bytes to keep, as a budget's limit; default: no
            limit. What was freed longest ago goes first
  returns   memory
  raises    invalid_argument for a pool over a pool, a file or stats

  local mem = nd.memory.stats(nd.memory.pool(nd.memory.host(), {cap = "1GiB"}))
  nd.zeros({1000}, "f64", mem):free()
  local a = nd.zeros({990}, "f64", mem)   -- the same block
  mem:stats().live.bytes.current          -- => 8192
]]},
{{"nd.memory.stats"}, [[
nd.memory.stats(up)

  Counts what goes through it, and changes nothing.

  up       memory: what is counted
  returns  memory

  local mem = nd.memory.stats(nd.memory.host())
  local a = nd.zeros({100}, "u8", mem)
  mem:stats().live.bytes.current          -- => 128
]]},
{{"nd.memory.log"}, [[
nd.memory.log(up, sink)

  Records what is taken and given back, and changes nothing. A *file* has the columns of
  RMM's log, and RMM's replay reads it: Thread,Time,Action,Pointer,Size,Stream, and then
  Device,Kind,Granted. Times are in UTC, Size is in bytes as requested, Stream is the
  number of the stream that the block is ready on, 0 for the host's. The actions are
  allocate, free and allocate failure; whoever is short of memory tries several times,
  but once where a budget is too small for it. At each row the addresses in use are
  those that the log says, whatever the threads: free is written before the block goes
  back, and where a driver refuses to free it, allocate again.

  Other actions are in a second file, x.events.csv for x.csv, which is made for the
  first of them, with Event in place of Action: free failure, damage (see
  nd.memory.guard), and trim and reap with the bytes that the memory beneath gave back
  of what it kept, a pool for example, for whose blocks free is there already. Memory
  that is freed while work in flight uses it waits above the log, unless its pool or
  driver orders that: its free is written when mem:reap, or another call, gives it back,
  and has no row reap beside it.

  A log replaces x.csv, whatever that was. As it begins it removes x.events.csv where
  that has events of an earlier log; any other file of the name stays as it is, and the
  events are lost. While a log has a file open, no other can be opened on it, in this
  process or another: nd.memory.log raises io. A log that is garbage is collected first.
  A child that was forked writes nothing to the logs of its parent: its records are
  lost. If a parent is killed, the file is in use until the last such child ends. On
  file systems without locks (flock) nobody is refused.

  A *ring* keeps the last records for mem:records. A *function* is called with each
  record, a table as there, at the beginning of the next call of ndbuf in this Lua
  state; reading an element or making a view may not count as one. Up to 4096 records
  wait for it. What it takes from this memory itself is recorded as well, and so calls
  it again: it had better take nothing there. The memory and its arrays keep the
  function.

  Records that a full disk, a cap or a slow function loses are counted in
  mem:stats().lost_records; so are those for which the function raises an error, and
  nothing else comes of it. The first row that a file loses is its end. No lock is held
  while a record is written.

  ndbuf --replay log.csv 'nd.memory.pool(nd.memory.host())' takes and frees what a log
  says, RMM's too, on another memory, and prints the time, the peaks and the
  fragmentation; require("ndbuf.replay").run(path, mem) returns them. All of the log is
  read before that memory is made, which may so be a log that replaces it.

  up       memory: what is recorded
  sink     string | function | table: the path of the file, which is replaced; a
           function; or a table with path, and cap, the most bytes of a file; or one
           with ring, the number of records
  returns  memory
  raises   io when the file cannot be opened, for a pipe, and for the file of another
           log
           invalid_argument for a table without path or ring, or with both, and for a
           ring of less than one record
           out_of_memory for a ring that is too large

  local mem = nd.memory.log(nd.memory.host(), "resources.csv")
  nd.zeros({100}, "u8", mem):free()
  io.open("resources.csv"):read "*l":sub(1, 18)   -- => Thread,Time,Action
  require("ndbuf.replay").run("resources.csv").peak   -- => 100
  os.remove "resources.csv"
]]},
{{"nd.memory.track"}, [[
nd.memory.track(up [, opts])

  Knows each block that is outstanding, and the lines of Lua that took it:
  mem:outstanding.

  up           memory: what is tracked; a pool may be below it, not on it
  opts.report  boolean: true: when the Lua state closes, what was not given back until
               then, to arrays of another state for example, is written to stderr
  returns      memory

  local mem = nd.memory.track(nd.memory.host())
  local a = nd.zeros({100}, "u8", mem)
  mem:outstanding()[1].bytes              -- => 100
  mem:outstanding()[1].tag == a.storage_id    -- => true
]]},
{{"nd.memory.retry"}, [[
nd.memory.retry(up, fn)

  Asks a function for memory where there is none. It is called before work in flight is
  waited for, after what could be freed was, with the bytes that an array or a
  reservation wants and the message of the failure. Where it returns true, the memory is
  asked again, and then perhaps the function. What it takes from this memory itself is
  not asked for again, nor is any other such function of this Lua state meanwhile. An
  error that it raises becomes part of the message. In another Lua state or thread it is
  not called. The memory, and each array from it, keeps the function: what the function
  refers to, such as a list of arrays to spill, is not collected as long as an array of
  this memory is in that list.

  up       memory: any; a budget may be below it, not on it
  fn       function: gets the bytes and a message; returns true to try again
  returns  memory

  local kept = {}
  local mem = nd.memory.retry(nd.memory.budget(nd.memory.host(), 1000), function(bytes)
    local spilled = table.remove(kept)
    if spilled then spilled:free() end
    return spilled ~= nil
  end)
  for i = 1, 3 do kept[i] = nd.zeros({320}, "u8", mem) end
  local a = nd.zeros({640}, "u8", mem)
  #kept                                   -- => 1
]]},
{{"nd.memory.guard"}, [[
nd.memory.guard(up)

  Finds writes outside of arrays, and to arrays that were freed: those of code that got
  a pointer, by a:ptr for example. The bytes before and after each array are marked;
  arrays that are not zeroed begin with bytes 0xDD; freed ones are filled with 0xDE, and
  their memory is kept for a while, so that nobody gets it. Memory of GPUs is looked at
  on the side, without waiting. It is for debugging: an array takes 320 to 383 bytes
  more, and each is filled twice.

  Damage is found when the array is freed, when its memory leaves the guard, or by
  mem:verify. The next allocation, or other call on that memory, then raises it, once,
  and does nothing else: out_of_bounds, or use_after_free, with the array's bytes,
  address and storage_id, the offset of the first damaged byte, and the line that made
  the array. Only mem:verify never does, which returns it. What is never raised nor
  returned by mem:verify is written to stderr when the guard is collected, or the Lua
  state closes, which os.exit(code, true) does, os.exit(code) not. A log beneath,
  guard(log(x)), gets a row damage, with the address of that byte, in its second file.
  Each sort of damage to an array is told once. NDBUF_GUARD=1 puts a guard on all memory
  (see the guide).

  The last 64 freed arrays are kept, up to 64 MiB; resources beneath still count them as
  in use. Allocations that find no memory, from whichever resource, and mem:trim give
  them back. In memory of GPUs and managed memory that takes until the GPU has come to
  it, and a further call or two of ndbuf; what is given back behind a busy stream is
  kept meanwhile. A guard there takes 272 KiB of pinned memory. Looked at are 256 bytes
  before an array, 64 to 127 after it, and all bytes of a freed one, of which in memory
  of GPUs and managed memory the first and last 4096.

  up       memory: any but a file. A pool belongs beneath, guard(pool(x))
  returns  memory
  raises   invalid_argument for a guard over a file

  local ffi = require "ffi"
  local mem = nd.memory.guard(nd.memory.host())
  local a = nd.zeros({10}, "u8", mem)
  ffi.cast("uint8_t *", a:ptr())[10] = 1
  a:free()
  nd.zeros({10}, "f64", mem):sum()        -- => error: the guard found damage
]]},
{{"nd.memory.get"}, [[
nd.memory.get(device)

  The memory from which new arrays on a device are allocated in this Lua state: what was
  set, or the default. That of a GPU is a pool, and with NDBUF_BUDGET all have a budget:
  memory has the environment.

  device   device: any device but disk:PATH
  returns  memory
  raises   invalid_argument for a file
           device_not_found when there is no such GPU

  tostring(nd.memory.get "cpu")           -- => host memory of cpu
]]},
{{"nd.memory.set"}, [[
nd.memory.set(device, memory)

  Sets the memory from which new arrays on a device are allocated in this Lua state.

  device   device: the device that the memory belongs to
  memory   memory | nil: nil restores the device's default
  returns  nothing
  raises   invalid_argument for memory of another device, and for a file
           device_not_found when there is no such GPU

  nd.memory.set("cpu", nd.memory.get "cpu")
  nd.zeros(2)                             -- => [0, 0]
]]},
{{"nd.memory.use"}, [[
nd.memory.use(memory, fn, …)

  Calls fn(…) with this memory set for its device, and restores the previous memory
  afterwards, also if fn raises an error.

  memory   memory: any but that of a file
  fn       function: is called once
  …        any: its arguments
  returns  any …: what it returns
  raises   invalid_argument for memory of a file

  nd.memory.use(nd.memory.get "cpu", function(n) return nd.zeros(n) end, 2)   -- => [0, 0]
]]},
{{"nd.memory.trim"}, [=[
nd.memory.trim([device [, keep]])

  Returns cached memory, which is kept for later arrays, to the system: host blocks,
  pinned blocks, the memory in the pools of GPUs, with keep 0 the staging buffers of
  copies, and, whatever keep is and not counted, what is kept of freed arrays of less
  than 1 MiB. Memory that GPU work in flight still uses is kept; call dev:synchronize
  first to release it as well. What the pool of a GPU gives up goes back to the driver
  in the order of its stream: trimmed once more after dev:synchronize, that gives it
  back to the system. dev:memory_info().cached is the number of cached bytes. When
  memory runs short, the whole cache of that device is released automatically.

  device   device | nil: any device but disk:PATH; nil: all devices. Host memory (cpu)
           and pinned memory are trimmed together, and so are all kinds of memory of one
           GPU
  keep     integer = 0: the number of bytes of each cache that may be kept
  returns  integer: the number of bytes that were returned
  raises   invalid_argument for a file, and for a negative number
           device_not_found when there is no such GPU

  nd.memory.trim "cpu"
  nd.device("cpu"):memory_info().cached   -- => 0
]=]},
{{"mem.device"}, [[
mem.device

  The device that the memory belongs to.

  returns  string
  raises   invalid_argument for any other field

  nd.memory.get("cpu").device             -- => cpu
]]},
{{"nd.memory.report"}, [[
nd.memory.report()

  The memory of all devices in use: the host, and where a GPU was used, pinned memory,
  each such GPU, and its managed memory if there was any. A table with a row for each:
  the fields of dev:memory_info, and device. Prints as a bar for each.

  returns  table

  nd.memory.report()[1].device            -- => cpu
  tostring(nd.memory.report()):match "^%a+"   -- => cpu
]]},
{{"mem:stats"}, [[
mem:stats()

  The counters of a resource. Those of the host, of pinned memory and of GPUs are of the
  whole process; those of a budget or of stats are of what went through it.

  The table has live (in use), pending (freed, but work in flight may still use it),
  cached (kept for later arrays), reserved (promised by reservations) and held, the part
  of pending that was exported to others (exchange). Each has bytes and count, and these
  current, peak and total, the sum of all that ever came. The peak of live includes
  pending bytes. requests are the arrays that asked this memory, not those that asked
  others on top of it, failed_takes those that got none, failed_frees the blocks that a
  driver refused to free. With a budget there are limit and remaining, with a log
  lost_records. What a GPU's driver frees in the order of a stream is pending for
  budgets, and given back for all others. What the driver itself keeps is in cached in
  bytes, not in blocks; its peak and sum are those of the calls of mem:stats.

  returns  table

  local mem = nd.memory.budget(nd.memory.host(), 1000)
  local a = nd.zeros({100}, "u8", mem)
  local s = mem:stats()
  s.live.bytes.current + s.remaining      -- => 1000
  s.live.count.total                      -- => 1
]]},
{{"mem:push_stats", "mem:pop_stats"}, [[
mem:push_stats() mem:pop_stats()

  Begin and end a scope of counters. In a scope live begins at 0: mem:stats() tells what
  was taken and given back since. pop_stats returns that, and the scope around it has
  counted it as well. Scopes nest.

  returns  table or nil: as mem:stats; push_stats returns nothing
  raises   unsupported where no stats, budget or pool is in the stack
           invalid_argument for an end without a beginning

  local mem = nd.memory.stats(nd.memory.host())
  local a = nd.zeros({64}, "u8", mem)
  mem:push_stats()
  nd.zeros({640}, "u8", mem):free()
  local s = mem:pop_stats().live.bytes
  s.current                               -- => 0
  s.peak                                  -- => 640
  mem:stats().live.bytes.peak             -- => 704
]]},
{{"mem:reset_peak", "mem:reset_requests"}, [[
mem:reset_peak() mem:reset_requests()

  Let the peaks of live begin again at what is in use now, and requests at 0.

  returns  nothing

  local mem = nd.memory.stats(nd.memory.host())
  nd.zeros({64}, "u8", mem):free()
  mem:reset_peak()
  mem:stats().live.bytes.peak             -- => 0
]]},
{{"mem:trim", "mem:reap"}, [[
mem:reap()
mem:trim([keep])

  trim gives what the resource keeps for later arrays back to the system, reap frees
  what was freed while work in flight used it, and is finished by now.

  keep     integer = 0: the number of bytes that may be kept
  returns  integer: the number of bytes that were given back
  raises   invalid_argument for a negative number

  nd.memory.host():trim()
  nd.memory.host():stats().cached.bytes.current   -- => 0
]]},
{{"mem:records"}, [[
mem:records()

  What the ring of a log has, that of the outermost such log of a stack. A record is a
  table: action as in the file, thread, time (seconds since 1970), pointer (0 where
  there is none), bytes, stream.

  returns  table: a list, the oldest first
  raises   unsupported where the stack has no log with a ring

  local mem = nd.memory.log(nd.memory.host(), {ring = 100})
  nd.zeros({1000}, "u8", mem):free()
  local records = mem:records()
  records[1].action                       -- => allocate
  records[2].bytes                        -- => 1000
]]},
{{"mem:flush"}, [[
mem:flush()

  Calls the functions of logs with what is recorded until now. As each call does so when
  it begins, it is only needed where no other call follows. A function that calls it
  gets nothing by that.

  returns  nothing
  raises   unsupported where the stack has no log with a function

  local sum = 0
  local mem = nd.memory.log(nd.memory.host(), function(r) sum = sum + r.bytes end)
  nd.zeros({1000}, "u8", mem):free()
  mem:flush()
  sum                                     -- => 2000
]]},
{{"mem:outstanding"}, [[
mem:outstanding()

  The blocks that went through the track layer, the outermost of the stack, and did not
  come back yet, the oldest first. Each is a table: address, as a:address(); bytes; tag,
  the array's storage_id; generation, 1 for the first block that was taken; age in
  seconds; traceback, lines such as pipeline.lua:12: in load.

  returns  table: a list
  raises   unsupported where the stack has no track layer

  local mem = nd.memory.track(nd.memory.host())
  local a, b = nd.zeros({8}, "u8", mem), nd.zeros({16}, "u8", mem)
  a:free()
  #mem:outstanding()                      -- => 1
  mem:outstanding()[1].generation         -- => 2
]]},
{{"mem:verify"}, [[
mem:verify()

  Waits for all work, looks at all blocks of a guard, the outermost of a stack, those in
  use as well as those that it keeps, gives the latter back, and empties the list of
  what was found. The fields: what, one of "before", "after", "use after free" and
  "overlap" (the memory was handed out twice); of the array address, bytes, tag (its
  storage_id), generation; offset of the first damaged byte; traceback, the lines that
  made the array. The list has room for 64; the field lost says how many more there
  were.

  returns  table: a list of tables, the oldest first; what was raised before is among
           them
  raises   unsupported where the stack has no guard

  local ffi = require "ffi"
  local mem = nd.memory.guard(nd.memory.host())
  local a = nd.zeros({10}, "u8", mem)
  ffi.cast("uint8_t *", a:ptr())[-1] = 1
  local found = mem:verify()[1]
  found.what                              -- => before
  found.offset                            -- => -1
  found.tag == a.storage_id               -- => true
  #mem:verify()                           -- => 0
]]},
{{"mem:check"}, [[
mem:check(bytes)

  Whether the budgets of a stack would let so many bytes pass now, without making room:
  what pools and guards keep, garbage, and what is still in flight on a stream count
  here, even where an array could have it. Other threads may take the bytes meanwhile.

  bytes    integer: of one array
  returns  boolean, string or nil: true; or false, and which budget is short of what

  local mem = nd.memory.budget(nd.memory.host(), 1000)
  mem:check(900)                          -- => true
  (mem:check(1001))                       -- => false
]]},
{{"mem:set_limit"}, [[
mem:set_limit(limit)

  Gives a budget, the outermost of a stack, another limit. Below what is in use it
  refuses all arrays, but for those that a reservation pays for, until enough of them
  are freed.

  limit    integer | string: as for nd.memory.budget
  returns  nothing
  raises   unsupported where the stack has no budget

  local mem = nd.memory.budget(nd.memory.host(), 1000)
  mem:set_limit "1MiB"
  mem:stats().limit                       -- => 1048576
]]},
{{"mem:reserve"}, [[
mem:reserve(bytes)

  Promises bytes of all budgets of the stack to a part of the program, before it begins.
  Others cannot take them meanwhile. Makes room as an array does.

  bytes    integer: how many
  returns  reservation: what is left of it goes back by release, or with the object
  raises   budget_exceeded where so many bytes are not to be had
           unsupported where the stack has no budget

  local mem = nd.memory.budget(nd.memory.host(), 1000)
  local reservation = mem:reserve(640)
  mem:stats().remaining                   -- => 360
  local a = reservation:use(nd.zeros, {512}, "u8", mem)
  reservation.remaining                   -- => 128
  reservation:release()
  mem:stats().remaining                   -- => 488
]]},
{{"reservation:use"}, [[
reservation:use(fn, …)

  Calls fn(…). What is taken from the budgets meanwhile comes from the reservation as
  far as that goes, and then from what the budget has left. When it is freed, it is the
  budget's. What is allocated lazily (nd.empty of a large shape, or on a GPU) takes
  nothing here, but at its first use: {lazy = false} takes it now.

  fn       function: is called once
  …        any: its arguments
  returns  any …: what it returns

  local mem = nd.memory.budget(nd.memory.host(), 1000)
  local reservation = mem:reserve(1000)
  reservation:use(nd.ones, {100}, "u8", mem)[1]   -- => 1
]]},
{{"reservation.remaining"}, [[
reservation.remaining

  The bytes that are left of it; 0 once it was released.

  returns  integer
  raises   invalid_argument for any other field

  nd.memory.budget(nd.memory.host(), 1):reserve(1).remaining  -- => 1
]]},
{{"reservation:release"}, [[
reservation:release()

  Returns what is left of the reservation to the budgets; once, whatever the order of
  several.

  returns  nothing

  local mem = nd.memory.budget(nd.memory.host(), 1)
  local reservation = mem:reserve(1)
  reservation:release()
  mem:stats().remaining                   -- => 1
]]},
}},
{name = "files", title = "Files", text = [[
Map or read files as arrays, and save arrays in common file formats.
]], entries = {
{{"nd.mmap"}, [=[
nd.mmap(path [, dtype [, shape]] [, opts])

  Maps a file as an array, without reading it. a.device is disk:PATH; a:to "cpu" copies
  the elements to memory. If another program truncates the file while it is mapped, the
  next access raises an io error; the process is not killed.

  path         string: the path of a regular file
  dtype        dtype = "u8"
  shape        shape: by default all elements of the file, along one axis
  opts.offset  integer = 0: where the elements begin, in bytes; it need not be aligned,
               but access to misaligned elements is slower
  opts.mode    "r" | "r+" | "c" = "r": "r" is read-only; in "r+" writes go to the file;
               in "c" (copy-on-write) they stay in memory
  opts.advice  "normal" | "sequential" | "random" | "willneed" | "huge" = "normal": a
               hint to the system about the access pattern
  returns      array: a view of the file
  raises       io where the file cannot be opened or mapped, with path and errno
               size_mismatch where the size of the file is not a multiple of the element
               size
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

  Loads an array from a file. The file name extension selects the format.

  extension     format
  .npz          any number of arrays by name, as a table; stored or compressed by
                deflate (by zlib); members that are no .npy are passed over; checksums
                are compared, but for mapped arrays; saved ones are stored, at multiples
                of 64; dtypes as in .npy
  .safetensors  any number of arrays by name, as a table; its metadata, a table of
                strings, is the second return value
  .png          rows x columns, or rows x columns x 2, 3 or 4 (grey with alpha, RGB,
                RGBA), u8 or u16, exactly; fewer bits and palettes are expanded; by
                libpng
  .jpg .jpeg    rows x columns, rows x columns x 3, u8; saved without subsampling of
                colours; read are 4:4:4, 4:2:2, 4:2:0, 4:4:0 and 4:1:1, of 8 bits; a
                file of which libjpeg-turbo says that something is wrong is refused, as
                are arithmetic coding and more than 500 scans
  .npy          versions 1 to 3, any byte order; Fortran order is represented by
                strides; the format has no names for the f8 dtypes, so they come back as
                u8, nor for bf16, which is V2, as ml_dtypes writes it: any V2 is read as
                bf16
  .pgm .ppm     rows x columns, rows x columns x 3, u8 or u16
  .pfm          rows x columns, rows x columns x 3, f32; the file stores the bottom row
                first, so the first axis has a negative stride; only the sign of the
                scale is used, which gives the byte order
  .wav          frames x channels; the sample rate is the second return value

  path        string: with one of these extensions, in upper or lower case
  opts.mmap   boolean = false: maps the file instead of reading it; possible where its
              elements need no conversion. All arrays of a file are views of one
              mapping: a:free() on one ends them all. In an .npz of NumPy's they may be
              misaligned, as in nd.mmap; :clone() what loops over elements read
  opts.names  table = all: a list of the arrays that are wanted; for .npz and
              .safetensors only. Others are not looked at, be they of a kind that ndbuf
              lacks, such as strings. An error for a name that is not there lists those
              that are
  returns     array | table, integer | table or nil: the elements; the sample rate in Hz
              for a .wav, the metadata of a .safetensors
  raises      io where the file cannot be read, with path and errno
              format where the contents do not match the format or the header, for most
              with the offset
              invalid_argument for names that the file does not have
              unsupported for other extensions, for variants of a format that ndbuf does
              not read, and where a library that it needs is missing, with the Debian
              package that has it

  nd.save("load.npy", nd.arange(3))
  nd.load "load.npy"                      -- => f64 3 cpu [1, 2, 3]
  nd.load("load.npy", {mmap = true})      -- => f64 3 disk:load.npy [1, 2, 3]
  nd.load "none.npy"                      -- => error: cannot open none.npy
]]},
{{"nd.save"}, [[
nd.save(path, a [, opts])

  Saves an array to a file. The file name extension selects the format, as in nd.load.
  Saving is atomic: the data is written to a temporary file in the same folder, which is
  then renamed, so a reader of the path sees either the old file or the new one.

  path           string: with one of the extensions of nd.load
  a              array | table: for .npz and .safetensors arrays by name, {name =
                 array}, in the order of the names, or {{name, array}, …} in its own, or
                 for .npz one array, which becomes arr_0; for .npy any array; for .png,
                 .pgm and .ppm u8 or u16, for .jpg u8, for .pfm f32, with a shape that
                 nd.load gives, or rows x columns x 1; for .wav u8, i16, i32, f32 or
                 f64, frames or frames x channels
  opts.rate      integer = 44100: the sample rate in Hz, 1 to 2^32 - 1; for .wav only
  opts.quality   integer = 90: 1 to 100; for .jpg only
  opts.metadata  table: strings by name; for .safetensors only
  returns        nothing
  raises         io where the file cannot be written, with path and errno
                 unsupported for other extensions
                 type_mismatch for a dtype that the format does not have
                 shape_mismatch for a shape that the format does not have
                 overflow for an array too large for a .wav
                 invalid_argument for names that are not UTF-8, or come twice, for a
                 rate or quality outside of its limits, or given for another format

  nd.save("save.wav", nd.zeros({4, 2}, "i16"), {rate = 8000})
  local sound, rate = nd.load "save.wav"
  sound.shape, rate                       -- => {4, 2}, 8000
]]},
}},
{name = "exchange", title = "Exchange", text = [[
Give arrays to other libraries of the process, and take theirs, without a copy. The
guide says who frees what, and when.
]], entries = {
{{"nd.to_dlpack"}, [[
nd.to_dlpack(a [, opts])

  Makes a DLPack tensor of the elements of an array: what NumPy, PyTorch, CuPy, JAX and
  others take. Whoever takes it calls its deleter once, on any thread. Until then the
  bytes stay, also after a:free() or the end of the Lua state. A tensor that nobody
  takes is taken back by nd.from_dlpack; else it is never freed.

  From then on calls on the array complete their work before they return. Work in flight
  is complete when this returns, but on a GPU, where the other library's stream is made
  to wait for it.

  a               array: of any dtype; a tensor cannot have negative steps, nor steps
                  that are no whole element. Its first element is where it is,
                  misaligned in some mapped files, which others may not expect: then
                  copy
  opts.versioned  boolean = true: DLManagedTensorVersioned; false: the older
                  DLManagedTensor
  opts.stream     integer | cdata = 1: for the memory of a GPU the stream on which the
                  other library works: its handle, 1 for the legacy default stream, 2
                  for the per-thread one, -1 for none, so that nobody waits
  opts.copy       boolean = false: a tensor of a contiguous copy, which says that it is
                  one
  returns         cdata: a void *
  raises          read_only for a read-only array in the older form, which cannot say so
                  invalid_view for steps that a tensor cannot have
                  unsupported for memory whose owner is a Lua object: make a copy
                  invalid_argument for a stream of an array that is not on a GPU, and
                  for 0

  local a = nd.arange(1, 6):reshape(2, 3)
  local b = nd.from_dlpack(nd.to_dlpack(a.T))
  b.storage_id == a.storage_id            -- => true
]]},
{{"nd.from_dlpack"}, [[
nd.from_dlpack(tensor [, opts])

  Makes an array of the elements of a DLPack tensor, of which it becomes the owner: the
  tensor's deleter is called when the last view of it is gone. When this raises, the
  tensor still is the caller's. A tensor that nd.to_dlpack made comes back as an array
  of the same storage. A tensor can be taken once, as its bytes may be gone then.
  Another major version, a device or dtype that ndbuf lacks, and more than 16 axes are
  unsupported; negative extents, and elements at NULL, format; sizes that overflow,
  overflow.

  tensor          cdata | integer: a pointer, or its address
  opts.versioned  boolean = true: as in nd.to_dlpack
  opts.stream     integer | cdata = 1: for the memory of a GPU the stream whose work
                  comes first
  returns         array: a.is_external is true, but for a tensor of our own, unless its
                  array was freed; read-only where the tensor says so
  raises          invalid_argument for what is no address

  local a = nd.from_dlpack(nd.to_dlpack(nd.ones(3)))
  a                                       -- => f64 3 cpu [1, 1, 1]
  nd.from_dlpack(0)                       -- => error: tensor: expected an address
]]},
{{"nd.to_arrow", "a:to_arrow"}, [[
a:to_arrow()
nd.to_arrow(a)

  Makes an Arrow schema and an Arrow array of an array, or of a table of arrays by name,
  which becomes a struct of columns. Each of the two releases what it holds when it is
  collected, unless somebody has moved it out, as pyarrow.Array._import_from_c does with
  their addresses. The bytes stay until then, also after a:free().

  Arrays of two axes are fixed-size lists, of more axes arrow.fixed_shape_tensor. All
  may have nulls, and have none. Copied are bool, which becomes bits, arrays that are
  not contiguous, or misaligned, and memory whose owner is a Lua object.

  a        array | column | table: {name = array}, in the order of the names, or {{name,
           array}, …} in its own; all of one length, in memory that the CPU can access
  returns  cdata, cdata, boolean: struct ArrowSchema, struct ArrowArray; whether bytes
           were copied
  raises   unsupported for the dtypes that Arrow lacks, with the one to view them as
           invalid_view for an array without axes
           shape_mismatch for columns of several lengths

  local schema, array, copied = nd.arange(1, 4):to_arrow()
  array.length, copied                    -- => 4LL, false
  nd.from_arrow(schema, array):sum()      -- => 10
]]},
{{"nd.from_arrow"}, [[
nd.from_arrow(schema, array)

  Makes arrays of an Arrow array, which it takes over, as it does the schema; when this
  raises, both still are the caller's. They are read-only, and of the same bytes, but
  for bool, whose bits are unpacked. The second result says which elements are not null;
  it is nil where all are. Of a struct of columns both results are tables by name.
  Lengths, offsets and numbers of buffers that do not fit together are format.

  A column that is no array of a dtype, such as strings, times, dictionaries, or lists
  with nulls in rows that are not null, is a held column, which nd.to_arrow and
  nd.to_arrow_stream take beside arrays, or alone, and pass on as it came, with its
  nulls.

  schema   cdata | integer: a struct ArrowSchema, a pointer to one, or its address
  array    cdata | integer: the same for a struct ArrowArray
  returns  array | column | table, array | table or nil: the elements; those that are
           not null, bool
  raises   invalid_argument for structures that were released, and what is no address
           type_mismatch for another of Arrow's structures
           unsupported for a struct with two columns of one name

  local columns, valid = nd.from_arrow(nd.to_arrow {x = nd.arange(1, 3), y = nd.ones({3, 2}, "i8")})
  columns.x, columns.y.dtype, valid.x     -- => f64 3 cpu [1, 2, 3], i8, nil
]]},
{{"column.format", "column.length"}, [[
column.format column.length

  Of a held column its type, as Arrow writes it, and its rows, which are #column, too.
  It has no other field.

  returns  string | integer

  local schema, array = nd.to_arrow(nd.array({1, 2}, "i32"))
  schema.format = "tdD"                   -- days since 1970, as another library would make them
  local column = nd.from_arrow(schema, array)
  column.format, #column                  -- => tdD, 2
  local again, rows = nd.to_arrow {day = column, value = nd.ones(2)}
  rows.n_children                         -- => 2LL
]]},
{{"nd.to_arrow_device"}, [[
nd.to_arrow_device(a)

  The same as nd.to_arrow on whatever device, by Arrow's C device interface. On a GPU
  the array's sync_event points to an event behind all work on the columns, which the
  reader has to wait for. There bool is unsupported; columns on several devices are
  invalid_argument.

  a        array | column | table: all columns on one device; held ones on the host
           alone
  returns  cdata, cdata, boolean: struct ArrowSchema, struct ArrowDeviceArray; whether
           bytes were copied
  raises   unsupported as nd.to_arrow does
           invalid_view for an array without axes
           shape_mismatch for columns of several lengths

  local schema, array = nd.to_arrow_device(nd.zeros(3))
  array.device_type, array.sync_event == nil   -- => 1, true
]]},
{{"nd.from_arrow_device"}, [[
nd.from_arrow_device(schema, array)

  The same as nd.from_arrow on whatever device. On a GPU our work waits for sync_event;
  columns with nulls are refused there.

  schema   cdata | integer: as in nd.from_arrow
  array    cdata | integer: a struct ArrowDeviceArray, a pointer to one, or its address
  returns  array | table, array | table or nil: as in nd.from_arrow; columns are held on
           the host alone

  nd.from_arrow_device(nd.to_arrow_device(nd.arange(1, 4))):sum()   -- => 10
]]},
{{"nd.to_arrow_stream"}, [[
nd.to_arrow_stream(columns [, opts])

  Makes an Arrow stream of the rows of a table of arrays, in batches. It may be read on
  any thread.

  columns    table: as in nd.to_arrow
  opts.rows  integer = 65536: the rows of a batch, at most
  returns    cdata, boolean: a struct ArrowArrayStream; whether bytes were copied
  raises     unsupported as nd.to_arrow does
             invalid_view for an array without axes
             shape_mismatch for columns of several lengths
             invalid_argument for batches of 0 rows

  local stream = nd.to_arrow_stream({x = nd.arange(1, 10)}, {rows = 4})
  local sums = {}
  for columns in nd.from_arrow_stream(stream) do sums[#sums + 1] = columns.x:sum() end
  sums                                    -- => {10, 26, 19}
]]},
{{"nd.from_arrow_stream"}, [[
nd.from_arrow_stream(stream)

  Goes through the batches of an Arrow stream, which it takes over: in each step the
  results of nd.from_arrow. A stream that fails raises io, with its own message.

  stream   cdata | integer: a struct ArrowArrayStream, a pointer to one, or its address
  returns  function: the iterator
  raises   invalid_argument for one that was released

  local next_batch = nd.from_arrow_stream(nd.to_arrow_stream {x = nd.arange(1, 3)})
  next_batch().x                          -- => f64 3 cpu [1, 2, 3]
  next_batch() == nil                     -- => true
]]},
{{"a:interface"}, [[
a:interface()

  What NumPy's __array_interface__ and __cuda_array_interface__ say, for code that wants
  an address. What a:address() says of the address holds here.

  returns  table: data, the address; shape; strides, in bytes; typestr, as in .npy
           files; readonly; version, 3

  local i = nd.zeros({2, 3}, "f32"):interface()
  i.typestr, i.strides, i.readonly        -- => <f4, {12, 4}, false
]]},
{{"nd.share"}, [[
nd.share(a [, opts])

  Gives an array a name by which another Lua state of this process can attach to its
  memory. The elements are shared: who writes and who reads when is up to the scripts.
  Waits for work in flight on them.

  a          array: not of memory whose owner is a Lua object
  opts.once  boolean = false: the name is good for one nd.attach, and keeps the memory
             until then; else it is good for any number of them, until the array is
             freed
  returns    string: the name
  raises     unsupported for memory whose owner is a Lua object
             freed for an array that was freed

  local a = nd.zeros(3)
  nd.attach(nd.share(a))[2] = 7
  a                                       -- => [0, 7, 0]
]]},
{{"nd.attach"}, [[
nd.attach(name)

  The array that was shared by that name, by this Lua state or another one of this
  process. Its bytes stay until it is freed here, whatever the other side does. Names
  are good in their process: in one that was forked since, which has a copy of the
  memory, they are unsupported.

  name     string: from nd.share
  returns  array: of the same memory; a.is_external is true
  raises   invalid_argument for a name that is not good, or no longer

  local name = nd.share(nd.ones(3), {once = true})
  nd.attach(name)                         -- => [1, 1, 1]
  nd.attach(name)                         -- => error: name: "ndbuf-shared-
]]},
}},
{name = "devices", title = "Devices", text = [[
Device names are cpu, pinned, cuda[:n] (or gpu), managed[:n] (or unified) and disk:PATH.
Case matters in the path only. Making an array on disk:PATH creates the file; an
existing file is refused unless overwrite = true is given.

cuda:n is the memory of GPU n, which the CPU cannot access. managed:n is memory that
both can access. pinned is page-locked host memory, which gives the fastest copies from
and to a GPU. If no more pages can be locked, even after unused memory has been freed, a
pinned array gets ordinary memory, and its device says cpu. The CUDA driver is opened
when a GPU is first requested; neither building ndbuf nor running it without a GPU needs
any part of CUDA.

Making arrays, their properties, views and copies work on every device; so does
indexing, except by masks and index arrays. Where there is no GPU kernel, the work goes
through the host: makers, conversions, and copies with irregular strides, which
nd.transfers counts as staged. A value that fills an array, or a row that is broadcast,
is transferred once and replicated on the GPU (d2d). Masks, index arrays, comparisons of
elements and all of computing raise unsupported on cuda and managed; use :to "cpu".
Copies between arrays of one GPU are asynchronous: they return while still in flight.
Calls that give elements to the CPU are complete on return, and so are copies from or to
pinned and managed arrays unless a stream is named.

On some systems (WSL2, Jetson) the CPU cannot access managed memory while a GPU works.
There, as long as a managed array exists, every call waits for the GPUs. This is
sufficient for a single thread only: programs with several threads must then let one
thread at a time use the GPUs and the elements of managed arrays.
]], entries = {
{{"nd.device"}, [[
nd.device(name)

  A device object, accepted wherever a device name is. Each device has exactly one
  object, so objects can be compared with == and used as table keys. For disk:PATH the
  file is neither opened nor created.

  name     device: one of the names above
  returns  device object: tostring gives its canonical name
  raises   invalid_argument for another name
           device_not_found when there is no such GPU

  tostring(nd.device "CPU")               -- => cpu
  nd.device "CPU" == nd.device "cpu"      -- => true
  nd.zeros(2, nd.device "cpu").device     -- => cpu
  nd.zeros({2}, "u8", "disk:device.bin", {overwrite = true}).device   -- => disk:device.bin
]]},
{{"nd.devices"}, [[
nd.devices()

  The list of devices: cpu, then the GPUs.

  returns  device object[]

  #nd.devices(), tostring(nd.devices()[1])   -- => 1, cpu
]]},
{{"nd.cuda.available"}, [[
nd.cuda.available()

  Whether there is a GPU and, if not, the reason.

  returns  boolean, string or nil: true, or false and the reason

  local fine, why = nd.cuda.available()
  fine, why:sub(1, 15)                    -- => false, there is no GPU
]]},
{{"dev.name"}, [[
dev.name

  The canonical name of the device.

  returns  string
  raises   invalid_argument for any other field

  nd.device("disk:x.bin").name            -- => disk:x.bin
]]},
{{"dev.ordinal"}, [[
dev.ordinal

  The number of a GPU, from 0; for other devices 0.

  returns  integer

  nd.device("cpu").ordinal                -- => 0
]]},
{{"dev.total_memory"}, [[
dev.total_memory

  The total memory of the device in bytes.

  returns  integer

  nd.device("cpu").total_memory > 0       -- => true
]]},
{{"dev.free_memory"}, [[
dev.free_memory

  The memory in bytes that no process uses at the moment.

  returns  integer

  nd.device("cpu").free_memory > 0        -- => true
]]},
{{"dev.capability"}, [[
dev.capability

  A GPU's compute capability, such as {9, 0}; nil for other devices.

  returns  integer[] or nil

  nd.device("cpu").capability             -- => nil
]]},
{{"dev.model"}, [[
dev.model

  The driver's name for a GPU; nil for other devices.

  returns  string or nil

  nd.device("cpu").model                  -- => nil
]]},
{{"dev:synchronize"}, [[
dev:synchronize()

  Waits until a GPU has completed all enqueued work. Freed memory that was pending on
  that work has been released on return, also where another thread is releasing it at
  the same time. A no-op for devices without a GPU.

  returns  nothing

  nd.device("cpu"):synchronize() == nil    -- => true
]]},
{{"dev:memory_info"}, [[
dev:memory_info()

  Memory usage in bytes: live is the memory of arrays in this kind of memory, and count
  their number. pending is memory that was freed but is still used by work in flight, or
  that waits until the driver can release it without a device-wide wait. held is the
  part of pending that was exported to others, who still have it (exchange). peak is the
  maximum of live plus pending, of a GPU and of pinned with what their pools kept.
  cached is memory kept for later arrays (see nd.memory.trim). free and total are those
  of the device. live, pending and cached do not overlap. For a GPU, the figures of its
  pool and its plain memory are added up, their peaks too, which may not have been at
  the same time, and there are also managed, staging (pinned host buffers for copies,
  kept until pinned is trimmed), and lost and lost_count: the memory that was lost
  together with a lost CUDA context.

  returns  table

  nd.device("cpu"):memory_info().live >= 0   -- => true
]]},
{{"dev:enable_peer"}, [[
dev:enable_peer(other)

  Allows this GPU to read the memory of another. Copies between GPUs enable this access
  by themselves, in both directions, where the machine supports it. Where it does not,
  or where the driver refused at the first attempt, such copies go through the host,
  which nd.transfers counts as staged.

  other    device: cuda:n
  returns  nothing
  raises   invalid_argument for anything but two GPUs

  nd.device("cpu"):enable_peer "cpu"       -- => error: self: expected cuda:n, got cpu
]]},
{{"a:pin"}, [[
a:pin()

  Locks the pages of a host or mapped array in place, so that copies from and to a GPU
  are as fast as those of pinned arrays. The whole storage is locked, and so are its
  other views. The lock ends when the memory is freed, or by a:unpin. A mapped file must
  not shrink while it is pinned. GPU memory is refused. So are, with unsupported, pages
  that the system does not allow a driver to lock: since Linux 6.5, those of a file
  mapped with "r+".

  returns  array: a
  raises   device_not_found without a GPU

  local a = nd.ones(3)
  if nd.cuda.available() then a:pin() end
  a                                       -- => [1, 1, 1]
]]},
{{"a:unpin"}, [[
a:unpin()

  Undoes a:pin; a no-op for other host arrays. GPU memory raises not_host_accessible.

  returns  array: a

  nd.ones(3):unpin()                      -- => [1, 1, 1]
]]},
{{"a:prefetch"}, [[
a:prefetch(device)

  Moves the pages of a managed array to a device before they are used there.

  device   device: cpu or cuda:n
  returns  array: a
  raises   invalid_argument for arrays that are not managed

  local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
  if nd.cuda.available() then a:prefetch "cuda:0" end
  a                                       -- => [0, 0]
]]},
{{"a:advise"}, [[
a:advise(advice, device)

  Tells the driver how a managed array will be used.

  advice   "read_mostly" | "preferred" | "accessed_by": the pages are mostly read, so
           that each device may have a copy; the device is their preferred location; the
           device will access them often
  device   device: cpu or cuda:n
  returns  array: a
  raises   invalid_argument for arrays that are not managed, and for any other advice

  local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
  if nd.cuda.available() then a:advise("read_mostly", "cuda:0") end
  a                                       -- => [0, 0]
]]},
{{"nd.transfers"}, [[
nd.transfers()

  The number of transfers and of transferred bytes since the program started, by
  direction: h2d (host to GPU), d2h (GPU to host), d2d (within a GPU), p2p (between two
  GPUs), and staged (work on GPU arrays that went through the host).

  returns  table: {h2d = {calls =, bytes =}, …}

  nd.transfers().h2d.calls                -- => 0
]]},
{{"nd.transfers.forbid"}, [[
nd.transfers.forbid(direction, fn, …)

  Calls fn(…); the first transfer in that direction that it would make raises
  unsupported instead. For code that is to leave the data where it is.

  direction  string: "h2d", "d2h", "d2d", "p2p" or "staged"
  fn         function: is called once
  …          any: its arguments
  returns    any …: what it returns
  raises     invalid_argument for another direction

  nd.transfers.forbid("d2h", function(n) return nd.ones(n) end, 2)    -- => [1, 1]
]]},
{{"nd.set_threads"}, [[
nd.set_threads(n)

  Sets the number of threads for operations that move about 1 MiB or more; smaller ones
  always run on the calling thread. The default is the environment variable
  NDBUF_THREADS, or else the number of processors available to the process. The setting
  applies to the whole process, not to one Lua state. A call does not wait for threads
  that other programs keep from running. A forked child uses one thread, whatever is set
  there. Results do not depend on the number of threads, but for products of matrices
  that a library computes, on as many threads.

  n        integer: 1 … 256
  returns  integer: the previous number
  raises   invalid_argument for other numbers

  local before = nd.set_threads(1)
  nd.set_threads(before)                  -- => 1
]]},
}},
{name = "streams", title = "Streams", text = [[
A GPU does its work on streams: in order on each of them, at the same time on several.
Each GPU has a default stream, which does all work for which no other is named, so a
program that never mentions streams has one.

Whatever the streams, work on the same bytes happens in the order of the calls. For each
piece of work ndbuf notes which bytes of which array it reads or writes, and later work
on the same bytes, if one of the two writes, waits for it on the GPU, not in the call.
Nothing else waits: two views without a common byte may be copied at the same time.
Elements that the CPU reads or writes, and arrays that it frees, wait for the work that
concerns them, too. What is ordered with what has the details.

A stream that other code is capturing into a graph is left alone: whatever would use or
ask it raises stream_misuse.

A stream is named by the option stream of the makers, of nd.wrap, a:to, a:copy_from,
a:copyin, a:copyout and a:fill, or for all calls within a function by nd.with_stream.
The stream is one of the GPU that the arrays are on, managed ones included, of either
where they are on two; another one raises stream_misuse. Work on cpu and pinned memory
alone has no use for a stream, and takes any.

With a stream, a copy between a GPU and pinned or managed memory returns at once, if
both have the same dtype and regular strides; both arrays are kept until it is done.
Without one such copies are complete on return. Other copies go through buffers: towards
a GPU the source has been read on return, from a GPU the copy is complete on return,
with a stream or without. Use pinned arrays, or a:pin, for copies that overlap. What has
no end on a GPU is work of the CPU: filling pinned or managed memory, copying between
the two. It waits in the call for what is in flight on the same bytes.

The examples of this page are run with a simulated GPU, on which work starts as late as
possible.
]], entries = {
{{"dev:stream"}, [[
dev:stream([opts])

  A stream of a GPU, of which 32 can be in use at a time. A stream that is no longer
  referenced goes back to the pool when the collector finds it; its work goes on. When
  all are taken, the collector runs, and if that helps nothing, capacity is raised:
  ndbuf never gives two objects the same stream.

  opts.priority  integer = 0: the lower, the sooner its work is begun beside other work;
                 0 is the least, -5 the greatest on many GPUs
  returns        stream: one that nothing is in flight on, if there is one
  raises         unsupported for devices without streams
                 invalid_argument for a priority that the GPU does not have
                 capacity where all streams are in use

  local s = nd.device("cuda"):stream()
  local source = nd.full(4, 7, "pinned")
  local a = nd.empty(4, "cuda")
  a:copy_from(source, {stream = s})
  s:query()                               -- => false
  a:to "cpu"                              -- => [7, 7, 7, 7]
  s:query()                               -- => true
]]},
{{"nd.with_stream"}, [[
nd.with_stream(stream, fn, …)

  Calls fn(…) and returns its results. During the call all work on this stream's GPU
  that names no stream goes on this one. The stream of before is restored afterwards,
  also after an error. fn cannot yield out of the call, since a coroutine that is never
  resumed would leave the stream in place; a coroutine may run wholly inside of it. Work
  on other GPUs goes on their default streams. Copies from and to pinned and managed
  memory return at once, on whichever GPU.

  stream   stream: from dev:stream, nd.cuda.stream or nd.current_stream
  fn       function: is called once
  …        any: its arguments
  returns  any …: what it returns
  raises   type_mismatch for anything but a stream and a function

  local s = nd.device("cuda"):stream()
  local a = nd.with_stream(s, function(n)
    nd.current_stream() == s              -- => true
    return nd.zeros(n, "cuda")
  end, 3)
  a:to "cpu"                              -- => [0, 0, 0]
  nd.current_stream() == s                -- => false
]]},
{{"nd.current_stream"}, [[
nd.current_stream([device])

  The stream on which work goes that names none: that of nd.with_stream, else the
  default stream of the GPU.

  device   device: a GPU; without it the one of nd.with_stream, else the first
  returns  stream or nil: nil if no device is given and there is no GPU
  raises   unsupported for devices without streams
           device_not_found when there is no such GPU

  nd.current_stream() == nd.current_stream "cuda:0"   -- => true
]]},
{{"nd.cuda.stream"}, [[
nd.cuda.stream(handle [, device])

  A stream that another library has made, as one of ours: work that is given this object
  goes on the other library's stream, in order with what that library enqueues there. It
  has to exist until the object is collected (s = nil collectgarbage()), which does not
  destroy it. Its handle may be used again for another stream afterwards. What ndbuf
  enqueues there has an event for each operation, and nothing later depends on the
  handle. A stream that is being captured into a graph, one of another context than the
  device's primary one, and the per-thread default stream in another thread than the one
  that called raise stream_misuse.

  handle   integer | cdata: a CUstream, or its number; 1 is the legacy default stream
           (0, too), 2 the per-thread default stream of this thread
  device   device = "cuda:0": the GPU that the stream belongs to
  returns  stream
  raises   invalid_argument for a number that is no handle
           stream_misuse for what the driver does not know
           unsupported for devices without streams
           capacity where 1024 are in use, after the collector ran
           device_not_found when there is no such GPU

  local legacy = nd.cuda.stream(1)
  nd.full(2, 5, "cuda", {stream = legacy}):to "cpu"   -- => [5, 5]
]]},
{{"nd.cuda.event"}, [[
nd.cuda.event(handle [, device])

  An event that another library has made, as one of ours: streams can wait for it, and
  it can be asked and waited for. It has to exist until the object is collected, which
  does not destroy it. An event that is part of a graph raises stream_misuse. A number
  that never was an event may crash the process: some drivers look for one at the
  address.

  handle   integer | cdata: a CUevent, or its number
  device   device = "cuda:0": the GPU that the event belongs to
  returns  event
  raises   invalid_argument for a number that is no handle
           stream_misuse for what the driver does not know
           unsupported for devices without streams
           device_not_found when there is no such GPU

  local event = nd.current_stream():record()
  local same = nd.cuda.event(event.handle)
  nd.current_stream():wait(same)
  same:synchronize()
  event:query()                           -- => true
]]},
{{"event.handle"}, [[
event.handle

  The driver's CUevent, as a number, for other libraries, whose streams may wait for it.
  It is valid as long as the object is.

  returns  integer
  raises   invalid_argument for any other field

  nd.current_stream():record().handle > 2 -- => true
]]},
{{"stream.id", "stream.priority"}, [[
stream.id stream.priority

  id is a number that no other stream of this process has or will have, priority the one
  with which the stream was made, 0 for those that ndbuf did not make.

  returns  integer
  raises   invalid_argument for any other field

  local s = nd.device("cuda"):stream {priority = -1}
  s.priority                              -- => -1
  s.id == nd.device("cuda"):stream().id   -- => false
]]},
{{"stream.device"}, [[
stream.device

  The GPU of the stream.

  returns  device object

  nd.current_stream().device.name         -- => cuda:0
]]},
{{"stream.handle"}, [[
stream.handle

  The driver's CUstream, as a number, for other libraries, which may enqueue work of
  their own on it. ndbuf does not know which arrays such work uses; it is ordered with
  ndbuf's on that stream only. It is valid as long as the object is. It is also there
  while other code captures the stream.

  returns  integer

  nd.device("cuda"):stream().handle > 2   -- => true
]]},
{{"a:synchronize"}, [[
a:synchronize()

  Waits until the work in flight on the bytes of an array, on whatever streams, is done.
  Elements, and all that the CPU does with an array, wait by themselves; this is for
  other code that knows its address, and for taking the time.

  returns  nothing
  raises   freed when its memory is gone

  local s = nd.device("cuda"):stream()
  local a = nd.zeros(4, "cuda", {stream = s})
  a:synchronize()
  s:query()                               -- => true
]]},
{{"stream:synchronize", "event:synchronize"}, [[
stream:synchronize() event:synchronize()

  Waits until all work on the stream, or all that was before the event, is done. Another
  library's work on that stream counts, too.

  returns  nothing

  local s = nd.device("cuda"):stream()
  nd.zeros(4, "cuda", {stream = s})
  s:synchronize()
  s:query()                               -- => true
]]},
{{"stream:query", "event:query"}, [[
stream:query() event:query()

  Whether all work on the stream, or all that was before the event, is done. Does not
  wait.

  returns  boolean

  nd.device("cuda"):stream():query()      -- => true
]]},
{{"stream:record"}, [[
stream:record([opts])

  Marks the present end of a stream's work. An event stays valid when the stream is
  gone.

  opts.timing  boolean = false: notes the time at which the GPU gets there, for
               event:elapsed. Such events take the GPU longer
  returns      event
  raises       invalid_argument for another option

  local s = nd.device("cuda"):stream()
  local a = nd.zeros(4, "cuda", {stream = s})
  local event = s:record()
  event:query()                           -- => false
  event:synchronize()
  event:query()                           -- => true
]]},
{{"stream:wait"}, [[
stream:wait(event)

  Lets all later work on the stream wait for an event, of any stream of any GPU. The
  call itself does not wait. Arrays do not need it: work on the same bytes is ordered
  without it.

  event    event: from stream:record
  returns  nothing
  raises   type_mismatch for anything else

  local dev = nd.device "cuda"
  local s, other = dev:stream(), dev:stream()
  local a = nd.zeros(4, "cuda", {stream = s})
  other:wait(s:record())
  other:synchronize()
  s:query()                               -- => true
]]},
{{"event:elapsed"}, [[
event:elapsed(other)

  The time from this event to another, in milliseconds, as measured by the GPU (to about
  half a microsecond). Both need timing, and are of one GPU; both have to be done, else
  stream_misuse is raised.

  other    event: the later one; an earlier one gives a negative time
  returns  number: milliseconds
  raises   invalid_argument for events without timing
           stream_misuse for events that are not done yet

  local s = nd.device("cuda"):stream()
  local first = s:record {timing = true}
  nd.zeros(1000, "cuda", {stream = s})
  local last = s:record {timing = true}
  last:synchronize()
  first:elapsed(last) >= 0                -- => true
]]},
{{"dev:timeline"}, [[
dev:timeline()

  A counter that work on streams raises. Each signal names a greater value; the timeline
  has it when the stream's work of before is done, and that of all signals before it. So
  the value never falls, and a program can say "batch 7 is there" whatever streams did
  it.

  returns  timeline: at 0
  raises   unsupported for devices without streams

  local dev = nd.device "cuda"
  local s, done = dev:stream(), dev:timeline()
  nd.zeros(4, "cuda", {stream = s})
  done:signal(s, 1)
  done.value                              -- => 0
  done:wait(1)
  done.value                              -- => 1
]]},
{{"timeline:signal"}, [[
timeline:signal(stream, value)

  Lets the timeline reach a value when all work that is on the stream now is done.

  stream   stream: of any GPU
  value    integer: greater than that of every signal before, up to 2^53
  returns  nothing
  raises   invalid_argument for a value that is not greater
           type_mismatch for anything but a stream

  local done = nd.device("cuda"):timeline()
  done:signal(nd.current_stream(), 5)
  done:wait(3)                            -- 5 is enough
  done.value                              -- => 5
]]},
{{"timeline.value"}, [[
timeline.value

  The greatest value that has been reached.

  returns  integer
  raises   invalid_argument for any other field

  nd.device("cuda"):timeline().value      -- => 0
]]},
{{"timeline:reached"}, [[
timeline:reached(value)

  Whether the timeline has reached a value. Does not wait.

  value    integer: from 0 to 2^53
  returns  boolean
  raises   invalid_argument for other numbers

  nd.device("cuda"):timeline():reached(0) -- => true
]]},
{{"timeline:wait"}, [[
timeline:wait(value [, opts])

  Waits until the timeline has reached a value.

  value         integer: from 0 to 2^53
  opts.timeout  number: seconds after which to give up; by default, and with math.huge,
                never
  returns       nothing
  raises        timeout where it took longer; the message has the value that was reached
                stream_misuse where no signal of that value was enqueued and there is no
                timeout, so that waiting would not end
                invalid_argument for a timeout below 0

  local done = nd.device("cuda"):timeline()
  done:wait(1, {timeout = 0.01})          -- => error: value: the timeline has not reached 1
]]},
}},
{name = "errors", title = "Errors", text = [[
Every failure raises a table. It has the line of the caller, not a line inside of ndbuf.
Programs should distinguish failures by e.code; the wording of messages may change.

code                            when
invalid_argument                a value that is never valid: a negative extent, a step
                                of 0, an unknown name
type_mismatch                   a value of the wrong type; dtypes that cannot be
                                combined or converted
index_out_of_range              an index, a bound or an axis that does not exist
shape_mismatch · size_mismatch  shapes that do not match; a wrong number of elements or
                                bytes
invalid_view                    the result cannot be a view; the message names the call
                                that copies
overlap · read_only             a write to an array whose elements share memory, or
                                memory that was handed out twice, by a guard; a write to
                                one that is read-only
not_representable               a conversion would change a value where that is refused
overflow · capacity             a size beyond the address space; beyond what a Lua value
                                can hold; more streams than there are
freed                           the memory was freed
out_of_memory · budget_exceeded  no memory is left, even after a garbage collection; a
                                limit leaves none (nd.memory.budget)
out_of_bounds                   a view would reach outside of its storage; bytes beside
                                an array were written, by a guard
io · format                     a system call failed (path, errno); a file contradicts
                                its own header (offset)
device_not_found · unsupported  the device does not exist; the operation is not
                                available; the message says why
not_host_accessible             a CPU pointer to GPU memory was requested
driver                          a call of the CUDA driver failed; the message has the
                                call, and CUDA's name and number of the error
stream_misuse                   a stream of another GPU, one that is being captured; an
                                event that is not done, or that nobody will reach
timeout                         a timeline did not reach a value in time
interrupted                     Ctrl-C during a long call
use_after_free                  a freed array was written, by a guard
not_allocated · compile         reserved for future use
]], entries = {
{{"e.code", "e.message", "e.where"}, [[
e.code e.message e.where

  One of the codes above; the text, which says what was requested, what the limit is and
  what to do instead; and file:line of the caller. tostring(e) gives file:line: ndbuf:
  message; .. accepts error objects, too.

  returns  string: where is empty if the call did not come from Lua code

  local ok, e = pcall(function() return nd.zeros(3)[12] end)
  ok, e.code                              -- => false, index_out_of_range
  e.message                               -- => index 12 is out of range for axis 1 of size 3
  tostring(e) == e.where .. ": ndbuf: " .. e.message      -- => true
]]},
{{"e.argument", "e.path"}, [[
e.argument e.path

  The name of the argument, or the path of the file, that caused the failure.

  returns  string: nil if no argument, or no file, caused it

  local ok, e = pcall(nd.eye, -1)
  e.argument                              -- => n
  ok, e = pcall(nd.load, "none.npy")
  e.path                                  -- => none.npy
]]},
{{"e.axis", "e.value", "e.limit", "e.expected", "e.actual", "e.offset", "e.position", "e.part", "e.requested", "e.live", "e.pending", "e.cached", "e.reserved", "e.remaining", "e.peak", "e.free", "e.total", "e.largest", "e.number", "e.errno", "e.info", "e.matrix"}, [[
e.axis e.value e.limit e.expected e.actual e.offset e.position e.part e.requested e.live
e.pending e.cached e.reserved e.remaining e.peak e.free e.total e.largest e.number
e.errno e.info e.matrix

  The numbers in the message. In the order of the heading: the axis; the refused value
  and the limit; what was expected and what was found; the offset of a byte or
  character, from 0; the position of an element and the number of a part, from 1; the
  bytes requested, those in live arrays, those freed but still used by pending work,
  those cached by a pool, those promised by reservations, what a budget has left, the
  most that was in use, those free on the device, the total of the device, and those of
  the largest live array; the error number of the CUDA driver and of the operating
  system; LAPACK's number for a matrix that has no result, and which matrix of several
  it is.

  returns  integer: nil if the message does not have that number

  local ok, e = pcall(function() return nd.zeros(3)[12] end)
  e.axis, e.value, e.limit                -- => 1, 12, 3
  ok, e = pcall(nd.load, "none.npy")
  e.errno                                 -- => 2
  ok, e = pcall(nd.inv, {{1, 2}, {2, 4}})
  e.info, e.matrix                        -- => 2, 1
]]},
}},
}
