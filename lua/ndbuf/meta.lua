-- Made by 'make docs' from docs/reference/; 'make lint-names' sees that it is.
-- luacheck: ignore
---@meta ndbuf

---A whole number; i64 and u64 cdata will do too.
---@alias ndbuf.integer integer|ffi.cdata*
---@alias ndbuf.number number|ffi.cdata*

---An element as it is in Lua.
---@alias ndbuf.value number|boolean|ffi.cdata*
---@alias ndbuf.values number|boolean|ffi.cdata*|table|ndbuf.array
---@alias ndbuf.index integer|string|table|ffi.cdata*|ndbuf.array

---@alias ndbuf.dtypename
---|"bool"
---|"i8"
---|"u8"
---|"i16"
---|"u16"
---|"i32"
---|"u32"
---|"i64"
---|"u64"
---|"f16"
---|"bf16"
---|"f32"
---|"f64"
---|"c64"
---|"c128"
---|"f8e4m3"
---|"f8e5m2"

---@alias ndbuf.dtypelike ndbuf.dtypename|ndbuf.dtype

---@alias ndbuf.devicelike
---|"cpu"
---|"pinned"
---|"cuda"
---|"cuda:0"
---|"managed"
---|"disk:"
---|string
---|ndbuf.device

---@class (exact) ndbuf.opts.dtypes
---@field device? ndbuf.devicelike the same by name
---@field overwrite? boolean lets disk:PATH replace a file that exists (false)

---@class (exact) ndbuf.opts.making
---@field dtype? ndbuf.dtypelike the same by name
---@field device? ndbuf.devicelike the same by name
---@field overwrite? boolean lets disk:PATH replace a file that exists (false)

---@class (exact) ndbuf.opts.random
---@field seed? ndbuf.integer the numbers of this seed; without it the next ones of the running sequence, which nd.seed restarts
---@field dtype? ndbuf.dtypelike the same by name
---@field device? ndbuf.devicelike the same by name
---@field overwrite? boolean lets disk:PATH replace a file that exists (false)

---@class (exact) ndbuf.opts.randint
---@field seed? ndbuf.integer as for nd.random
---@field dtype? ndbuf.dtypelike the same by name
---@field device? ndbuf.devicelike the same by name
---@field overwrite? boolean lets disk:PATH replace a file that exists (false)

---@class (exact) ndbuf.opts.permutation
---@field dtype? ndbuf.dtypelike no other ("i64")
---@field seed? ndbuf.integer as for nd.random
---@field device? ndbuf.devicelike the same by name
---@field overwrite? boolean lets disk:PATH replace a file that exists (false)

---@class (exact) ndbuf.opts.wrap
---@field owner? any kept alive as long as any view of it; without one the pointer's own cdata is
---@field readonly? boolean refuses writes (false)
---@field device? ndbuf.devicelike or cuda:n, whose driver then has to know the address ("cpu")
---@field stream? ndbuf.integer|ffi.cdata* on cuda:n, the CUDA stream (CUstream, or its number) whose work on the memory comes first; by default that of the legacy default stream, which PyTorch uses unless told otherwise (0)

---@class (exact) ndbuf.opts.printoptions
---@field threshold? ndbuf.integer elements past which only the edges are shown, 1 to 2^31 (1000)
---@field edge? ndbuf.integer how many at each edge, 1 to 1000 (3)
---@field precision? ndbuf.integer|boolean digits, 1 to 17; false for as many as read back (false)

---@class (exact) ndbuf.opts.reshape
---@field copy? boolean permits a copy where there can be no view (false)

---@class (exact) ndbuf.opts.records
---@field offset? ndbuf.integer where the first record begins, in bytes (0)
---@field stride? ndbuf.integer bytes from one record to the next; the sum of the fields unless given
---@field count? ndbuf.integer how many; all that fit unless given

---@class (exact) ndbuf.opts.astype
---@field mode? "saturate"|"wrap"|"check" integers modulo 2^n by "wrap" (NaN and infinities: 0); "check" refuses what would change by more than rounding ("saturate")

---@class (exact) ndbuf.opts.to
---@field overwrite? boolean lets disk:PATH replace a file that exists (false)

---@class (exact) ndbuf.opts.copy_from
---@field mode? "saturate"|"wrap"|"check" as for a:astype ("saturate")

---@class (exact) ndbuf.opts.computing
---@field out? ndbuf.array takes the result, saturated to its dtype, and is returned; of the result's shape

---@class (exact) ndbuf.opts.reductions
---@field axis? ndbuf.integer|integer[] the axes that go, negative from the end; all when it is left out. The result is an array when it is given
---@field keepdims? boolean the axes that go stay with extent 1; the result is an array (false)
---@field out? ndbuf.array is written, converted to its dtype, saturating, and returned; of the result's shape

---@class (exact) ndbuf.opts.var
---@field ddof? ndbuf.number 0 or more: what the number of elements that the sum is divided by is less (0)
---@field axis? ndbuf.integer|integer[] the axes that go, negative from the end; all when it is left out. The result is an array when it is given
---@field keepdims? boolean the axes that go stay with extent 1; the result is an array (false)
---@field out? ndbuf.array is written, converted to its dtype, saturating, and returned; of the result's shape

---@class (exact) ndbuf.opts.sort
---@field descending? boolean  (false)

---@class (exact) ndbuf.opts.argsort
---@field descending? boolean  (false)

---@class (exact) ndbuf.opts.mmap
---@field offset? ndbuf.integer in bytes, any: a misaligned view works, more slowly (0)
---@field mode? "r"|"r+"|"c" read-only by "r"; writes of "r+" go to the file, those of "c" stay in memory ("r")
---@field advice? "normal"|"sequential"|"random"|"willneed"|"huge" what the system may expect ("normal")

---@class (exact) ndbuf.opts.load
---@field mmap? boolean maps instead of reading, where the file has the bytes as they are (false)

---@class (exact) ndbuf.opts.save
---@field rate? ndbuf.integer in Hz, 1 to 2^32 - 1; for .wav only (44100)

---@class (exact) ndbuf.opts.device
---@field async? boolean true: from the pool; false: by plain cuMemAlloc, which other libraries and processes can share

---@class ndbuf.error
---@field code string One of the codes above; what was asked, what is there, and the remedy; file:line of the caller. tostring(e) is file:line: ndbuf: message, and .. works.
---@field message string One of the codes above; what was asked, what is there, and the remedy; file:line of the caller. tostring(e) is file:line: ndbuf: message, and .. works.
---@field where string One of the codes above; what was asked, what is there, and the remedy; file:line of the caller. tostring(e) is file:line: ndbuf: message, and .. works.
---@field argument? string The argument, or the file, that the failure is about.
---@field path? string The argument, or the file, that the failure is about.
---@field axis? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field value? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field limit? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field expected? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field actual? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field offset? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field position? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field part? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field requested? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field live? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field pending? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field cached integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field free? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field total? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field largest? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field number? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
---@field errno? integer The numbers of the message: an axis, the value that was refused and the limit; what was expected and what was found; a byte's or character's offset, from 0; an element's position or a part's number,
local error_object = {}

---@class ndbuf.device
---@field name string The canonical name.
---@field ordinal integer The number of a GPU, from 0; of other devices 0.
---@field total_memory integer Bytes that it has.
---@field free_memory integer Bytes that nobody uses now, whoever they are.
---@field capability integer[]? A GPU's compute capability, such as {9, 0}; nil of other devices.
---@field model string? What the driver calls a GPU; nil of other devices.
local device = {}

---Wait until a GPU has done all that was asked of it; blocks that waited for that go back, also
---those that another thread is giving back just then.
---
---```lua
---nd.device("cpu"):synchronize() == nil    -- => true
---```
function device:synchronize() end

---What is in use, in bytes: live of arrays in this kind of memory and their count, pending (freed,
---and still in use by the device's work, or waiting for a moment when the driver need not wait for
---the device), the peak of these two together, cached (kept for later arrays; see nd.memory.trim),
---free and total of the device. No byte is in two of live, pending and cached. Those of a GPU's
---pool and of its plain memory are added up. Of a GPU also managed, staging (locked buffers of the
---host that copies go through), and lost and lost_count: what a context that was lost took along.
---
---```lua
---nd.device("cpu"):memory_info().live >= 0   -- => true
---```
---@return table
function device:memory_info() end

---Let this GPU read the memory of another. Copies between GPUs do so by themselves where the
---machine can, in both directions. Where it cannot, or the driver refused when it was first asked,
---they go through the host, which nd.transfers counts as staged.
---
---```lua
---nd.device("cpu"):enable_peer "cpu"       -- => error: self: cpu is no GPU
---```
---
---Raises invalid_argument.
---@param other ndbuf.devicelike cuda:n
function device:enable_peer(other) end

---@class ndbuf.resource
---@field device string The device that memory is of.
local resource = {}

---@class ndbuf.dtype
---@overload fun(values: ndbuf.values|ffi.cdata*, device?: ndbuf.devicelike|ndbuf.opts.dtypes, opts?: ndbuf.opts.dtypes): ndbuf.array
---@field name string The name, and what it is of: bool, int, uint, float or complex.
---@field kind string The name, and what it is of: bool, int, uint, float or complex.
---@field itemsize integer The bytes of an element.
local dtype = {}

---@class ndbuf.array
---@field dtype ndbuf.dtypename The dtype's name.
---@field device string Where the elements are.
---@field shape integer[] The extents; and the distance from one element to the next along each axis, in bytes. A stride is negative in a reversed view, 0 in an expanded one.
---@field byte_strides integer[] The extents; and the distance from one element to the next along each axis, in bytes. A stride is negative in a reversed view, 0 in an expanded one.
---@field strides number[] The distance from one element to the next along each axis, in elements.
---@field ndim integer Axes, elements, bytes of an element, bytes of all elements.
---@field size integer Axes, elements, bytes of an element, bytes of all elements.
---@field itemsize integer Axes, elements, bytes of an element, bytes of all elements.
---@field nbytes integer Axes, elements, bytes of an element, bytes of all elements.
---@field offset integer Where the first element is, in bytes from the beginning of the storage; bytes of the whole storage.
---@field total_bytes integer Where the first element is, in bytes from the beginning of the storage; bytes of the whole storage.
---@field id integer Of this handle, and of the memory, which all views of it share.
---@field storage_id integer Of this handle, and of the memory, which all views of it share.
---@field is_allocated boolean Whether there is memory yet; whether the elements lie in row-major order without gaps; whether this shows less than the storage, or in another order; whether writing is refused.
---@field is_contiguous boolean Whether there is memory yet; whether the elements lie in row-major order without gaps; whether this shows less than the storage, or in another order; whether writing is refused.
---@field is_view boolean Whether there is memory yet; whether the elements lie in row-major order without gaps; whether this shows less than the storage, or in another order; whether writing is refused.
---@field readonly boolean Whether there is memory yet; whether the elements lie in row-major order without gaps; whether this shows less than the storage, or in another order; whether writing is refused.
---@field T ndbuf.array The axes reversed.
---@field real ndbuf.array The parts of a complex array. Of a real one, real is the array itself.
---@field imag ndbuf.array The parts of a complex array. Of a real one, real is the array itself.
---@operator len: integer
---@field [integer|table|ndbuf.array] any
---@overload fun(index: ndbuf.index): any
---@overload fun(i: ndbuf.index, ...: any): any
local array = {}

---One extent, without making a table.
---
---```lua
---nd.zeros(3, 4):dim(-1)                  -- => 4
---```
---
---Raises index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@return integer # 0 or more
function array:dim(axis) end

---Whether both have one dtype, one shape and equal values; NaN equals nothing.
---
---```lua
---nd.f64 {1, 2}:equal(nd.f64 {1, 2})      -- => true
---nd.f64 {1, 2}:equal(nd.f32 {1, 2})      -- => false
---nd.f64 {0/0}:equal(nd.f64 {0/0})        -- => false
---```
---@param b ndbuf.array
---@return boolean
function array:equal(b) end

---For loops along axis 1: the index, and the element of a 1-D array, a view otherwise. ipairs does
---not work on userdata in Lua 5.1.
---
---```lua
---local sum = 0
---for i, x in nd.f64 {1, 2, 3}:iter() do sum = sum + i * x end
---sum                                     -- => 14
---```
---
---Raises invalid_argument.
---@return fun(a: ndbuf.array, i: integer): integer, any
---@return ndbuf.array
---@return integer # what for takes
function array:iter() end

---Along axis 1, all at once: elements of a 1-D array, views otherwise.
---
---```lua
---nd.f64 {1, 2, 3}:unpack()               -- => 1, 2, 3
---```
---
---Raises invalid_argument, capacity.
---@return any ... # up to 7000
function array:unpack() end

---The element at these indices, or the view with fewer of them. Like a[i] they compile to machine
---code in loops.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---a:get(2, -1), a(1, 1)                   -- => 6, 1
---a(2)                                    -- => [4, 5, 6]
---a(3, 1)                                 -- => error: index 3 is out of range for axis 1 of size 2
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument.
---@param i ndbuf.index an integer for each axis from 1 on; ranges and slice strings too; a single one may be whatever stands in brackets
---@param ... any
---@return any # an element or a view
function array:get(i, ...) end

---Writes the element at these indices, or all of the view with fewer of them. It compiles too.
---
---```lua
---local a = nd.zeros(2, 2, "u8")
---a:set(1, 2, 300)
---a                                       -- => [[0, 255], [0, 0]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap, index_out_of_range, invalid_argument.
---@param i ndbuf.index as for a:get
---@param ... any
function array:set(i, ...) end

---As a[index], but always a view: 0-d where a[index] would be the element.
---
---```lua
---local a = nd.zeros(2, 3)
---a:slice({1, 1}).ndim                    -- => 0
---a:slice "1, _, 2:3".shape               -- => {1, 2}
---```
---
---Raises index_out_of_range, invalid_argument.
---@param index string|table a slice string, or the same in a table
---@return ndbuf.array # a view
function array:slice(index) end

---What integers pick along an axis.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---a:take({3, 1}, 2)                       -- => [[3, 1], [6, 4]]
---a:take(-1)                              -- => [4, 5, 6]
---a:take {3}                              -- => error: take: index 3 (position 1) is out of range
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, index_out_of_range, invalid_argument.
---@param index ndbuf.integer|integer[]|ndbuf.array 1-based, negative from the end; a table may be nested
---@param axis? ndbuf.integer 1 to ndim, or negative
---@return ndbuf.array # a copy; the axes of index stand in place of the axis
function array:take(index, axis) end

---Writes to where integers point along axis 1; the last of several for one place stays. Every
---index is checked before the first write.
---
---```lua
---nd.zeros(4):put({2, -1}, {5, 6})        -- => [0, 5, 0, 6]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param index ndbuf.integer|integer[]|ndbuf.array as for a:take
---@param values ndbuf.values converted, and broadcast to the shape that a:take(index) has
---@return ndbuf.array # a
function array:put(index, values) end

---Adds to where integers point along an axis; several for one place all count.
---
---```lua
---nd.zeros(3):index_add(1, {1, 1, 3}, {1, 2, 3})  -- => [3, 0, 3]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index ndbuf.integer|integer[]|ndbuf.array as for a:take
---@param values ndbuf.values broadcast to the shape that a:take(index, axis) has; arrays and tables are converted, one value has to be held exactly, or is rounded where the dtype is a float
---@return ndbuf.array # a
function array:index_add(axis, index, values) end

---The elements in row-major order under another shape. An array whose elements are not in such
---order is an error, since a silent copy would be no view any more.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, -1)
---a                                       -- => [[1, 2, 3], [4, 5, 6]]
---a.T:reshape(6)                          -- => error: cannot view f64 (3x2) in another shape
---a.T:reshape({6}, {copy = true})         -- => [1, 4, 2, 5, 3, 6]
---```
---
---Raises size_mismatch, invalid_view, invalid_argument.
---@param shape integer[]|ndbuf.integer one extent may be -1, and follows from the others
---@param opts? ndbuf.opts.reshape by name
---@return ndbuf.array # a view; with opts.copy, where it must be, a copy
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, opts?: ndbuf.opts.reshape): ndbuf.array
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, opts?: ndbuf.opts.reshape): ndbuf.array
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, opts?: ndbuf.opts.reshape): ndbuf.array
function array:reshape(shape, opts) end

---All elements along one axis, in row-major order.
---
---```lua
---nd.array({{1, 2}, {3, 4}}):flatten()    -- => [1, 2, 3, 4]
---```
---
---Raises invalid_view.
---@return ndbuf.array # a view, 1-D
function array:flatten() end

---All axes reversed, as a.T.
---
---```lua
---nd.array({{1, 2}, {3, 4}}):transpose()  -- => [[1, 3], [2, 4]]
---```
---
---Raises invalid_argument.
---@return ndbuf.array # a view
function array:transpose() end

---The axes in the order named.
---
---```lua
---nd.zeros(2, 3, 4):permute(2, 1, 3).shape    -- => {3, 2, 4}
---```
---
---Raises invalid_argument, index_out_of_range.
---@param axes integer[]|ndbuf.integer each axis once
---@return ndbuf.array # a view
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer): ndbuf.array
function array:permute(axes) end

---Two axes exchanged.
---
---```lua
---nd.zeros(2, 3, 4):swapaxes(1, -1).shape     -- => {4, 3, 2}
---```
---
---Raises index_out_of_range.
---@param i ndbuf.integer 1 to ndim, or negative
---@param j ndbuf.integer 1 to ndim, or negative
---@return ndbuf.array # a view
function array:swapaxes(i, j) end

---count entries of an axis.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:narrow(2, 2, 2)                       -- => [[2, 3], [5, 6]]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param first ndbuf.integer an index of the axis; for a count of 0 also the place past the last
---@param count ndbuf.integer 0 or more
---@return ndbuf.array # a view
function array:narrow(axis, first, count) end

---One entry of an axis, without the axis.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:select(2, -1)                         -- => [3, 6]
---```
---
---Raises index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param i ndbuf.integer an index of the axis
---@return ndbuf.array # a view, 0-d of a 1-D array
function array:select(axis, i) end

---Without the axes of extent 1, or without that one.
---
---```lua
---nd.zeros(1, 3, 1):squeeze().shape       -- => {3}
---nd.zeros(1, 3, 1):squeeze(1).shape      -- => {3, 1}
---```
---
---Raises shape_mismatch, index_out_of_range.
---@param axis? ndbuf.integer all of extent 1 unless given
---@return ndbuf.array # a view
function array:squeeze(axis) end

---With a new axis of extent 1 there.
---
---```lua
---nd.zeros(3):unsqueeze(2).shape          -- => {3, 1}
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis ndbuf.integer of the result, 1 to ndim + 1, or negative
---@return ndbuf.array # a view
function array:unsqueeze(axis) end

---Axes of extent 1, and new ones in front, repeated by a stride of 0.
---
---```lua
---nd.f64 {1, 2}:expand(2, -1)             -- => [[1, 2], [1, 2]]
---```
---
---Raises shape_mismatch, invalid_argument.
---@param shape integer[]|ndbuf.integer -1 keeps an extent
---@return ndbuf.array # a view, read-only where it repeats: one element would be written in many places
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer): ndbuf.array
function array:expand(shape) end

---Windows along an axis; a new last axis runs inside of them.
---
---```lua
---nd.arange(5):unfold(1, 3, 2)            -- => [[1, 2, 3], [3, 4, 5]]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param size ndbuf.integer entries of a window, 1 to the extent
---@param step? ndbuf.integer from one window to the next, 1 or more
---@return ndbuf.array # a view; its elements overlap where step is less than size
function array:unfold(axis, size, step) end

---The diagonal of the last two axes, as a new last axis.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:diagonal(), a:diagonal(-1)(1)         -- => f64 2 cpu [1, 5], 4
---```
---
---Raises shape_mismatch, index_out_of_range.
---@param k? ndbuf.integer to the right; negative ones go down
---@return ndbuf.array # a view with an axis less
function array:diagonal(k) end

---Reversed along axes.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:flip(2)                               -- => [[3, 2, 1], [6, 5, 4]]
---a:flip()                                -- => [[6, 5, 4], [3, 2, 1]]
---```
---
---Raises index_out_of_range.
---@param axes? integer[]|ndbuf.integer all unless given
---@return ndbuf.array # a view
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer): ndbuf.array
function array:flip(axes) end

---The same bytes as another dtype. With another size of element the last axis changes, and has to
---be contiguous.
---
---```lua
---nd.f32 {1}:bitcast "u32"                -- => [1065353216]
---nd.u16 {1, 2}:bitcast "u8"              -- => [1, 0, 2, 0]
---```
---
---Raises size_mismatch, invalid_view.
---@param dtype ndbuf.dtypelike
---@return ndbuf.array # a view
function array:bitcast(dtype) end

---The array's own bytes, from those of its first element to those of its last: never what else its
---storage has.
---
---```lua
---nd.u16 {1, 2, 3}"2:":bytes()            -- => [2, 0, 3, 0]
---nd.u16 {1, 2, 3}:bytes(2, 2)            -- => [2, 0]
---```
---
---Raises out_of_bounds, invalid_argument, invalid_view.
---@param offset? ndbuf.integer of the first byte, counted from 0 at the array's first
---@param size? ndbuf.integer all that follow unless given
---@return ndbuf.array # a view, 1-D, u8
function array:bytes(offset, size) end

---The bytes of the whole storage, whatever the array shows of it.
---
---```lua
---nd.u16 {1, 2, 3}"2:":storage_bytes()    -- => [1, 0, 2, 0, 3, 0]
---```
---@return ndbuf.array # a view, 1-D, u8
function array:storage_bytes() end

---The parts of an axis: of these sizes, or that many, the first ones longer by one where it must
---be.
---
---```lua
---nd.arange(5):split(1, 2)[1]             -- => [1, 2, 3]
---nd.arange(5):split(1, {1, 4})[2]        -- => [2, 3, 4, 5]
---```
---
---Raises size_mismatch, invalid_argument, index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param sizes integer[] which add up to the axis
---@return ndbuf.array[] # a table of views
---@overload fun(self: ndbuf.array, axis: ndbuf.integer, count: ndbuf.integer): ndbuf.array[]
function array:split(axis, sizes) end

---Any view of the storage.
---
---```lua
---nd.arange(6):as_strided({3, 2}, {16, 8}, 0)     -- => [[1, 2], [3, 4], [5, 6]]
---```
---
---Raises out_of_bounds, shape_mismatch, invalid_argument.
---@param shape integer[] the extents
---@param byte_strides integer[] as many, of any sign
---@param offset? ndbuf.integer of the first element, in bytes of the storage; that of a unless given
---@return ndbuf.array # a view; one whose elements overlap cannot be written
function array:as_strided(shape, byte_strides, offset) end

---The same, for reading only.
---
---```lua
---nd.zeros(2, 3):readonly_view():fill(0)  -- => error: the f64 array (2x3) is read-only
---```
---@return ndbuf.array # a view
function array:readonly_view() end

---A packed copy.
---
---```lua
---local a = nd.array {{1, 2}, {3, 4}}
---a.T:clone().byte_strides                -- => {16, 8}
---```
---@return ndbuf.array # a copy, contiguous
function array:clone() end

---The array itself if its elements lie in row-major order without gaps, else a packed copy.
---
---```lua
---local a = nd.array {{1, 2}, {3, 4}}
---a:contiguous() == a, a.T:contiguous() == a.T    -- => true, false
---```
---@return ndbuf.array # a, or a copy
function array:contiguous() end

---A converted copy.
---
---```lua
---nd.f64 {300, -1}:astype "u8"                        -- => [255, 0]
---nd.f64 {300, -1}:astype("u8", {mode = "wrap"})      -- => [44, 255]
---nd.f64 {300, -1}:astype("u8", {mode = "check"})     -- => error: element 1
---```
---
---Raises type_mismatch, not_representable, invalid_argument.
---@param dtype ndbuf.dtypelike
---@param opts? ndbuf.opts.astype by name
---@return ndbuf.array # a copy, also to its own dtype
function array:astype(dtype, opts) end

---Of that dtype, or on that device; the array itself if nothing changes.
---
---```lua
---local a = nd.zeros(2)
---a:to "cpu" == a, a:to("f32").dtype      -- => true, f32
---a:to("disk:to.bin", {overwrite = true}).device      -- => disk:to.bin
---```
---
---Raises type_mismatch, invalid_argument, device_not_found, io.
---@param dtype ndbuf.dtypelike
---@return ndbuf.array # a, or a copy
---@overload fun(self: ndbuf.array, device: ndbuf.devicelike, opts?: ndbuf.opts.to): ndbuf.array
function array:to(dtype) end

---Writes an array, a table or a value into a, also where both overlap.
---
---```lua
---nd.zeros(2, 2):copy_from {1, 2}         -- => [[1, 2], [1, 2]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, invalid_argument, read_only, overlap.
---@param src ndbuf.values converted, and broadcast to the shape of a
---@param opts? ndbuf.opts.copy_from by name
---@return ndbuf.array # a
function array:copy_from(src, opts) end

---Writes raw bytes into a, in row-major order.
---
---```lua
---nd.zeros(2, "u8"):copyin "ab"           -- => [97, 98]
---```
---
---Raises size_mismatch, out_of_bounds, invalid_argument, read_only, overlap.
---@param source string|ffi.cdata* a pointer or an array, if it is cdata; no address of a GPU
---@param nbytes? ndbuf.integer how many, exactly those of a; of a pointer they must be named
---@return ndbuf.array # a
function array:copyin(source, nbytes) end

---The raw bytes in row-major order: as a string, or into cdata.
---
---```lua
---nd.u8 {97, 98}:copyout()                -- => ab
---local target = require "ffi".new "uint8_t[2]"
---nd.u8 {97, 98}:copyout(target)
---target[1]                               -- => 98
---```
---
---Raises size_mismatch, out_of_bounds, invalid_argument, capacity.
---@return string|ndbuf.array # the string; with a target a
---@overload fun(self: ndbuf.array, target: ffi.cdata*, nbytes?: ndbuf.integer): string|ndbuf.array
function array:copyout() end

---Writes every element.
---
---```lua
---nd.zeros(2, "u8"):fill(300)             -- => [255, 255]
---```
---
---Raises type_mismatch, read_only, overlap.
---@param value ndbuf.value converted, saturating
---@return ndbuf.array # a
function array:fill(value) end

---All elements in nested tables.
---
---```lua
---nd.array({{1, 2}, {3, 4}}):totable()    -- => {{1, 2}, {3, 4}}
---```
---
---Raises capacity.
---@return table # of a 0-d array the element
function array:totable() end

---The only element.
---
---```lua
---nd.f64 {5}:item()                       -- => 5
---```
---
---Raises size_mismatch.
---@return any
function array:item() end

---With the bytes of each element, of each part if complex, reversed.
---
---```lua
---nd.u16 {1}:byteswap()                   -- => [256]
---```
---@return ndbuf.array # a copy
function array:byteswap() end

---The whole again and again along each axis.
---
---```lua
---nd.f64 {1, 2}:tile(2)                   -- => [1, 2, 1, 2]
---nd.f64 {1, 2}:tile(2, 1)                -- => [[1, 2], [1, 2]]
---```
---
---Raises invalid_argument.
---@param counts integer[]|ndbuf.integer for the last axes; more of them than axes add new ones in front
---@return ndbuf.array # a copy
---@overload fun(self: ndbuf.array, c1: ndbuf.integer, c2: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, c1: ndbuf.integer, c2: ndbuf.integer, c3: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, c1: ndbuf.integer, c2: ndbuf.integer, c3: ndbuf.integer, c4: ndbuf.integer): ndbuf.array
function array:tile(counts) end

---Each entry again and again along an axis.
---
---```lua
---nd.f64 {1, 2}:repeat_interleave(2)      -- => [1, 1, 2, 2]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range.
---@param n ndbuf.integer 0 or more
---@param axis? ndbuf.integer 1 to ndim, or negative; may be left out for 1-D arrays only
---@return ndbuf.array # a copy
function array:repeat_interleave(n, axis) end

---Entries moved by n places toward the end; what leaves there comes in at the front.
---
---```lua
---nd.f64 {1, 2, 3}:roll(1)                -- => [3, 1, 2]
---```
---
---Raises type_mismatch, index_out_of_range.
---@param n ndbuf.integer any
---@param axis? ndbuf.integer 1 to ndim, or negative; may be left out for 1-D arrays only
---@return ndbuf.array # a copy
function array:roll(n, axis) end

---With more entries around.
---
---```lua
---nd.f64 {1, 2}:pad({{1, 0}}, 9)          -- => [9, 1, 2]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch.
---@param widths ndbuf.integer|table for all sides, or {before, after} for each axis
---@param value? ndbuf.value what they are
---@return ndbuf.array # a copy
function array:pad(widths, value) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:add(b, opts) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:add_(b) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sub(b, opts) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:sub_(b) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:mul(b, opts) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:mul_(b) end

---Quotient; of integers and bool in f64.
---
---```lua
---nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
---nd.f32 {1, 0} / 0                       -- => [inf, nan]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:div(b, opts) end

---Quotient; of integers and bool in f64.
---
---```lua
---nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
---nd.f32 {1, 0} / 0                       -- => [inf, nan]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:div_(b) end

---Quotient rounded down, and the remainder that goes with it, which has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:idiv(b, opts) end

---Quotient rounded down, and the remainder that goes with it, which has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:idiv_(b) end

---Quotient rounded down, and the remainder that goes with it, which has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:mod(b, opts) end

---Quotient rounded down, and the remainder that goes with it, which has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:mod_(b) end

---Power. Of integers it wraps, and the exponent must not be negative.
---
---```lua
---nd.i32 {2, 3} ^ 3                       -- => [8, 27]
---nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:pow(b, opts) end

---Power. Of integers it wraps, and the exponent must not be negative.
---
---```lua
---nd.i32 {2, 3} ^ 3                       -- => [8, 27]
---nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:pow_(b) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:neg(opts) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:neg_() end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:abs(opts) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:abs_() end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sign(opts) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sign_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:square(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:square_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:reciprocal(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:reciprocal_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sqrt(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sqrt_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:exp(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:exp_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:log(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:log_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sin(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sin_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:cos(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:cos_() end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:tanh(opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:tanh_() end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:floor(opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:floor_() end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:ceil(opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:ceil_() end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:round(opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:round_() end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:trunc(opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:trunc_() end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:isnan(opts) end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:isnan_() end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:isinf(opts) end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:isinf_() end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:isfinite(opts) end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:isfinite_() end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:lt(b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:lt_(b) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:le(b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:le_(b) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:gt(b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:gt_(b) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:ge(b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:ge_(b) end

---Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle; a:equal(b)
---compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and equal to none.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:eq(b, opts) end

---Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle; a:equal(b)
---compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and equal to none.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:eq_(b) end

---Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle; a:equal(b)
---compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and equal to none.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:ne(b, opts) end

---Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle; a:equal(b)
---compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and equal to none.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:ne_(b) end

---The lesser, the greater of both; NaN where one is NaN. A value past the range of integers, on
---the side where it never is the result, leaves the elements as they are; on the other it is
---refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:minimum(b, opts) end

---The lesser, the greater of both; NaN where one is NaN. A value past the range of integers, on
---the side where it never is the result, leaves the elements as they are; on the other it is
---refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:minimum_(b) end

---The lesser, the greater of both; NaN where one is NaN. A value past the range of integers, on
---the side where it never is the result, leaves the elements as they are; on the other it is
---refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:maximum(b, opts) end

---The lesser, the greater of both; NaN where one is NaN. A value past the range of integers, on
---the side where it never is the result, leaves the elements as they are; on the other it is
---refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:maximum_(b) end

---What is below lo becomes lo, then what is above hi becomes hi; NaN stays NaN. With lo above hi
---all become hi. Bounds beyond the range of integers do not bind.
---
---```lua
---nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
---nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
---nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param lo ndbuf.array|ndbuf.value|nil nil: no lower bound
---@param hi? ndbuf.array|ndbuf.value|nil|ndbuf.opts.computing nil: no upper bound; one of both is needed
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:clamp(lo, hi, opts) end

---What is below lo becomes lo, then what is above hi becomes hi; NaN stays NaN. With lo above hi
---all become hi. Bounds beyond the range of integers do not bind.
---
---```lua
---nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
---nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
---nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param lo ndbuf.array|ndbuf.value|nil nil: no lower bound
---@param hi? ndbuf.array|ndbuf.value|nil nil: no upper bound; one of both is needed
---@return ndbuf.array
function array:clamp_(lo, hi) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_and(b, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:logical_and_(b) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_or(b, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:logical_or_(b) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_xor(b, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array # bool
function array:logical_xor_(b) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_not(opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:logical_not_() end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_and(b, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:bit_and_(b) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_or(b, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:bit_or_(b) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_xor(b, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:bit_xor_(b) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_not(opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:bit_not_() end

---Bits moved up and down by b places. From the width on nothing is left; on the right the sign of
---signed integers comes in.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:shl(b, opts) end

---Bits moved up and down by b places. From the width on nothing is left; on the right the sign of
---signed integers comes in.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:shl_(b) end

---Bits moved up and down by b places. From the width on nothing is left; on the right the sign of
---signed integers comes in.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:shr(b, opts) end

---Bits moved up and down by b places. From the width on nothing is left; on the right the sign of
---signed integers comes in.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array
function array:shr_(b) end

---From a where the condition is not 0, else from b. As a method of the condition it reads
---condition:where(a, b); where neither is an array, the dtype is that of the values. With the
---condition alone: where it is not 0, for each axis the 1-based positions along it (i64, 1-D), in
---row-major order.
---
---```lua
---local a = nd.i32 {1, 5, 9}
---nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
---nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
---select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a? ndbuf.array|ndbuf.value one of the operands is an array
---@param b? ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array ... # one, or as many as there are axes
function array:where(a, b, opts) end

---From a where the condition is not 0, else from b. As a method of the condition it reads
---condition:where(a, b); where neither is an array, the dtype is that of the values. With the
---condition alone: where it is not 0, for each axis the 1-based positions along it (i64, 1-D), in
---row-major order.
---
---```lua
---local a = nd.i32 {1, 5, 9}
---nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
---nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
---select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@return ndbuf.array ... # one, or as many as there are axes
function array:where_(a, b) end

---The sum, the product. Of nothing they are 0 and 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # of bool and signed integers i64, of unsigned ones u64, else the array's dtype; the Lua value of a 64-bit integer is a number up to 2^53, cdata beyond
function array:sum(opts) end

---The sum, the product. Of nothing they are 0 and 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # of bool and signed integers i64, of unsigned ones u64, else the array's dtype; the Lua value of a 64-bit integer is a number up to 2^53, cdata beyond
function array:prod(opts) end

---The least and the greatest element; NaN where there is one.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:min(opts) end

---The least and the greatest element; NaN where there is one.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:max(opts) end

---Where the least and the greatest element are first, counted from 1 in row-major order of the
---axes that go; where the first NaN is, if there is one.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # a number; an array of i64
function array:argmin(opts) end

---Where the least and the greatest element are first, counted from 1 in row-major order of the
---axes that go; where the first NaN is, if there is one.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # a number; an array of i64
function array:argmax(opts) end

---The mean; of nothing NaN.
---
---```lua
---nd.mean(nd.u8 {1, 2, 4, 4})             -- => 2.75
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # of bool and integers f64, else the array's dtype
function array:mean(opts) end

---The variance, and its root, the standard deviation: of squared distances from the mean, which is
---found first; of complex numbers those of their absolute value. Of nothing NaN.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.var by name
---@return any # of bool and integers f64, of complex numbers their part's dtype, else the array's
function array:var(opts) end

---The variance, and its root, the standard deviation: of squared distances from the mean, which is
---found first; of complex numbers those of their absolute value. Of nothing NaN.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.var by name
---@return any # of bool and integers f64, of complex numbers their part's dtype, else the array's
function array:std(opts) end

---Is any element true, are all? All but 0 is, NaN too. Of nothing false and true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean; an array of bool
function array:any(opts) end

---Is any element true, are all? All but 0 is, NaN too. Of nothing false and true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean; an array of bool
function array:all(opts) end

---How many elements are not 0.
---
---```lua
---nd.count_nonzero(nd.array {0, 3, 0 / 0})        -- => 2
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.reductions by name
---@return any # a number; an array of i64
function array:count_nonzero(opts) end

---A sorted copy. NaN comes last, either way, -0 before 0; complex numbers are ordered by real
---part, then by imaginary part.
---
---```lua
---local a = nd.array {{3, 1, 2}, {0, 5, 4}}
---a:sort()                                -- => [[1, 2, 3], [0, 4, 5]]
---a:sort(1, {descending = true})          -- => [[3, 5, 4], [0, 1, 2]]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis? ndbuf.integer|ndbuf.opts.sort the last one when it is left out; negative from the end
---@param opts? ndbuf.opts.sort by name
---@return ndbuf.array # a copy, contiguous
function array:sort(axis, opts) end

---The positions, counted from 1, that would sort it; equal elements stay in their order, zeros of
---either sign and NaNs among them.
---
---```lua
---local a = nd.array {3, 1, 2}
---a:argsort()                             -- => [2, 3, 1]
---a[a:argsort()]                          -- => [1, 2, 3]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis? ndbuf.integer|ndbuf.opts.argsort the last one when it is left out; negative from the end
---@param opts? ndbuf.opts.argsort by name
---@return ndbuf.array # of i64
function array:argsort(axis, opts) end

---Memory now instead of with the first use.
---
---```lua
---nd.empty(3):allocate().is_allocated     -- => true
---```
---@return ndbuf.array # a
function array:allocate() end

---Memory back now. Every view of it then raises freed when elements are asked for; fields such as
---a.shape stay. Of a wrapped array the owner is let go by this very call, of a mapped one the
---mapping; work of a GPU on the memory is finished first.
---
---```lua
---local a = nd.zeros(3)
---local view = a"1:2"
---a:free()
---view[1]                                 -- => error: the memory of this array was freed
---```
function array:free() end

---A typed FFI pointer to the first element: 0-based, unchecked, without strides. Of a read-only
---array it is const, so that LuaJIT refuses to store through it. It does not keep the memory
---alive. bool and f8 elements are uint8_t, f16 and bf16 are uint16_t. Memory of a GPU raises
---not_host_accessible. What holds once an address was given away stands under a:address().
---
---```lua
---nd.f32 {1, 2}:ptr()[1]                  -- => 2
---```
---
---Raises invalid_view.
---@return any # such as double *, or const double *
function array:ptr() end

---The address of the first element, for functions of other libraries: of memory of any kind, that
---of a GPU included, which only the GPU may use. It need not be aligned, and does not keep the
---memory alive.
---
---All work on the memory is done when it returns. From then on calls on the array are complete
---before they return, too, on a GPU as well; and its elements are stored in a way that LuaJIT does
---not reorder, in about 1.5 ns more, since whoever has the address may look at the bytes as
---another type. The same holds for a:ptr() and nd.wrap.
---
---```lua
---nd.f32({1, 2}):address() % 64           -- => 0
---```
---@return integer # a number
function array:address() end

---Lock the pages of a host or mapped array in place, so that copies from and to a GPU are as fast
---as those of pinned arrays. The whole storage, so that of its other views, too. It is undone with
---the memory, or by a:unpin. A file must not shrink while it is pinned. Memory of a GPU is
---refused, and so are, with unsupported, pages that the system does not let a driver lock: Linux
---from 6.5 on those of a file mapped "r+".
---
---```lua
---local a = nd.ones(3)
---if nd.cuda.available() then a:pin() end
---a                                       -- => [1, 1, 1]
---```
---
---Raises device_not_found.
---@return ndbuf.array # a
function array:pin() end

---Undo a:pin; without effect on other arrays of the host. On those of a GPU it raises
---not_host_accessible.
---
---```lua
---nd.ones(3):unpin()                      -- => [1, 1, 1]
---```
---@return ndbuf.array # a
function array:unpin() end

---Move the pages of a managed array to a device before they are used there.
---
---```lua
---local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
---if nd.cuda.available() then a:prefetch "cuda:0" end
---a                                       -- => [0, 0]
---```
---
---Raises invalid_argument.
---@param device ndbuf.devicelike cpu or cuda:n
---@return ndbuf.array # a
function array:prefetch(device) end

---How a managed array will be used.
---
---```lua
---local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
---if nd.cuda.available() then a:advise("read_mostly", "cuda:0") end
---a                                       -- => [0, 0]
---```
---
---Raises invalid_argument.
---@param advice "read_mostly"|"preferred"|"accessed_by" copies everywhere while it is only read; where its pages live; who will ask for them often
---@param device ndbuf.devicelike cpu or cuda:n
---@return ndbuf.array # a
function array:advise(advice, device) end

---@class ndbuf.cuda
local cuda = {}

---Is there a GPU? If not, why.
---
---```lua
---local fine, why = nd.cuda.available()
---fine, why:sub(1, 15)                    -- => false, there is no GPU
---```
---@return boolean
---@return string? # true, or false and the reason
function cuda.available() end

---@class ndbuf.memory
local memory = {}

---The memory of GPU n as an object for the functions below: stream-ordered from a pool of ndbuf's
---own, where the driver has pools.
---
---```lua
---nd.memory.device(99)                    -- => error: there is no GPU
---```
---
---Raises device_not_found.
---@param n? ndbuf.integer the GPU's number
---@param opts? ndbuf.opts.device by name
---@return ndbuf.resource
function memory.device(n, opts) end

---The memory that new arrays on a device come from, in this Lua state.
---
---```lua
---tostring(nd.memory.get "cpu")           -- => host memory of cpu
---```
---
---Raises invalid_argument, device_not_found.
---@param device ndbuf.devicelike any but a file
---@return ndbuf.resource
function memory.get(device) end

---Let new arrays on a device come from this memory, in this Lua state; nil: what it has by itself.
---
---```lua
---nd.memory.set("cpu", nd.memory.get "cpu")
---nd.zeros(2)                             -- => [0, 0]
---```
---
---Raises invalid_argument, device_not_found.
---@param device ndbuf.devicelike the one that the memory is of
---@param memory ndbuf.resource|nil from nd.memory.device or nd.memory.get
function memory.set(device, memory) end

---Calls fn(…) with this memory set for its device, and puts back what was, also when that raises.
---
---```lua
---nd.memory.use(nd.memory.get "cpu", function(n) return nd.zeros(n) end, 2)   -- => [0, 0]
---```
---@param memory ndbuf.resource from nd.memory.device or nd.memory.get
---@param fn fun(...): ... is called once
---@param ... any its arguments
---@return any ... # what it returns
function memory.use(memory, fn, ...) end

---Give memory that is kept for later arrays back to the system: blocks of the host, pinned ones,
---and what the pools of GPUs hold; what a GPU's work still uses stays, so that dev:synchronize
---comes first. dev:memory_info().cached says how much is kept. When memory runs short it happens
---by itself, with all that is kept on that device.
---
---```lua
---nd.memory.trim "cpu"
---nd.device("cpu"):memory_info().cached   -- => 0
---```
---
---Raises invalid_argument, device_not_found.
---@param device? ndbuf.devicelike|nil any but a file; nil: all of them. The host's (cpu) and pinned memory go together, and so do the kinds of memory of one GPU
---@param keep? ndbuf.integer so many bytes of each may stay
---@return integer # the bytes that went back
function memory.trim(device, keep) end

---@class ndbuf
---@field bool ndbuf.dtype The dtype objects.
---@field i8 ndbuf.dtype The dtype objects.
---@field u8 ndbuf.dtype The dtype objects.
---@field i16 ndbuf.dtype The dtype objects.
---@field u16 ndbuf.dtype The dtype objects.
---@field i32 ndbuf.dtype The dtype objects.
---@field u32 ndbuf.dtype The dtype objects.
---@field i64 ndbuf.dtype The dtype objects.
---@field u64 ndbuf.dtype The dtype objects.
---@field f16 ndbuf.dtype The dtype objects.
---@field bf16 ndbuf.dtype The dtype objects.
---@field f32 ndbuf.dtype The dtype objects.
---@field f64 ndbuf.dtype The dtype objects.
---@field c64 ndbuf.dtype The dtype objects.
---@field c128 ndbuf.dtype The dtype objects.
---@field f8e4m3 ndbuf.dtype The dtype objects.
---@field f8e5m2 ndbuf.dtype The dtype objects.
---@field KiB integer 2^10, 2^20, 2^30.
---@field MiB integer 2^10, 2^20, 2^30.
---@field GiB integer 2^10, 2^20, 2^30.
---@field _VERSION string The version of the module.
---@field cuda ndbuf.cuda
---@field memory ndbuf.memory
local nd = {}

---A new array with copies of the values: nested tables, a number, another array, or a cdata array
---such as ffi.new("float[3][4]").
---
---```lua
---nd.array({{1, 2}, {3, 4}}, "i16")       -- => i16 2x2 cpu [[1, 2], [3, 4]]
---nd.array(require "ffi".new("float[2]", 5))  -- => f32 2 cpu [5, 5]
---nd.array {{1, 2}, {3}}                  -- => error: table[2]: the row has 1 elements where others
---```
---
---Raises shape_mismatch, type_mismatch, invalid_argument, device_not_found, io.
---@param values ndbuf.values|ffi.cdata* tables nested up to 16 deep, all rows of a level equally long, which are lists: without holes and without other keys. They are read raw, so that no __index counts
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making that of the array or cdata array given, else "f64"
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # of the shape of the values; a copy
function nd.array(values, dtype, device, opts) end

---The array itself if it is one, whatever follows; else as nd.array.
---
---```lua
---local a = nd.zeros(2)
---nd.asarray(a) == a                      -- => true
---nd.asarray {1, 2}                       -- => [1, 2]
---```
---
---Raises shape_mismatch, type_mismatch, invalid_argument, device_not_found, io.
---@param values ndbuf.values|ffi.cdata* as for nd.array
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # the one given, or a new one
function nd.asarray(values, dtype, device, opts) end

---Filled with 0, with 1, or not at all: empty is lazy, its memory comes with the first use, and
---what is in it is not known.
---
---```lua
---nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
---nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
---nd.empty({480, 640}, "u8").is_allocated -- => false
---```
---
---Raises invalid_argument, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents; {} makes a 0-d array, which is one element
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.zeros(shape, dtype, device, opts) end

---Filled with 0, with 1, or not at all: empty is lazy, its memory comes with the first use, and
---what is in it is not known.
---
---```lua
---nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
---nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
---nd.empty({480, 640}, "u8").is_allocated -- => false
---```
---
---Raises invalid_argument, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents; {} makes a 0-d array, which is one element
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.ones(shape, dtype, device, opts) end

---Filled with 0, with 1, or not at all: empty is lazy, its memory comes with the first use, and
---what is in it is not known.
---
---```lua
---nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
---nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
---nd.empty({480, 640}, "u8").is_allocated -- => false
---```
---
---Raises invalid_argument, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents; {} makes a 0-d array, which is one element
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.empty(shape, dtype, device, opts) end

---Filled with a value.
---
---```lua
---nd.full({2, 2}, 7, "u16")               -- => u16 2x2 cpu [[7, 7], [7, 7]]
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents as a table, or that of a single axis
---@param value ndbuf.value converted to the dtype
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
function nd.full(shape, value, dtype, device, opts) end

---As nd.zeros, nd.ones and nd.empty, of the shape of another array.
---
---```lua
---nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making that of a unless named
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, on the device of a unless one is named; for a file on the cpu
function nd.zeros_like(a, dtype, device, opts) end

---As nd.zeros, nd.ones and nd.empty, of the shape of another array.
---
---```lua
---nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making that of a unless named
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, on the device of a unless one is named; for a file on the cpu
function nd.ones_like(a, dtype, device, opts) end

---As nd.zeros, nd.ones and nd.empty, of the shape of another array.
---
---```lua
---nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making that of a unless named
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, on the device of a unless one is named; for a file on the cpu
function nd.empty_like(a, dtype, device, opts) end

---As nd.full, of the shape of another array.
---
---```lua
---nd.full_like(nd.zeros(2, 2, "i8"), 3)   -- => i8 2x2 cpu [[3, 3], [3, 3]]
---```
---
---Raises type_mismatch, invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param value ndbuf.value converted to the dtype
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making that of a unless named
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, on the device of a unless one is named; for a file on the cpu
function nd.full_like(a, value, dtype, device, opts) end

---The numbers 1 … n, or those from first in steps: element i is first + (i - 1) * step. The last
---one is included when a whole step reaches it. A range that runs against its step is empty.
---
---Where all three are integers, numbers or 64-bit cdata, so is everything computed: exactly,
---beyond 2^53 too. Fractions such as 0.1 are not exact as doubles, so that their last step may
---miss its end by a rounding; the count allows for that: with steps = (last - first) / step and
---eps = 2^-52 it is max(0, floor(steps + slack) + 1), slack = min(1/2, eps ((|first| + |last|) /
---|step| + 2 |steps|)). Elements are converted as by a store: into integers, fractions are
---truncated.
---
---```lua
---nd.arange(4)                            -- => [1, 2, 3, 4]
---nd.arange(0, 1, 0.25, "f32")            -- => f32 5 cpu [0, 0.25, 0.5, 0.75, 1]
---nd.arange(3, 1, -1)                     -- => [3, 2, 1]
---nd.arange(100, 100.3, 0.1).size         -- => 4
---```
---
---Raises invalid_argument, not_representable, overflow, device_not_found, io.
---@param n ndbuf.number the last one
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 1-D
---@overload fun(first: ndbuf.number, last: ndbuf.number, step?: ndbuf.number|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.arange(n, dtype, device, opts) end

---Numbers at equal distances; both ends exactly, and none before the one in front of it. Into an
---integer dtype they are rounded to the nearest, from the middle to the even one (as by
---a:round()), and between integer ends computed exactly, beyond 2^53 too.
---
---```lua
---nd.linspace(0, 1, 3)                    -- => [0, 0.5, 1]
---nd.linspace(0, 10, 4, "i32")            -- => i32 4 cpu [0, 3, 7, 10]
---```
---
---Raises not_representable, invalid_argument, device_not_found, io.
---@param first ndbuf.number finite
---@param last ndbuf.number finite
---@param n ndbuf.integer how many, 0 or more; 1 is first alone
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 1-D
function nd.linspace(first, last, n, dtype, device, opts) end

---Ones on the diagonal, zeros elsewhere.
---
---```lua
---nd.eye(2)                               -- => [[1, 0], [0, 1]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param n ndbuf.integer rows, 0 or more
---@param columns? ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making 0 or more
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 2-D
function nd.eye(n, columns, dtype, device, opts) end

---Uniform in [0, 1), and normal with mean 0 and deviation 1. Philox 4x32-10: the same numbers on
---every device and for every number of threads. Each call has a sequence of its own: nd.random(5)
---and then nd.random(7) are not the numbers of nd.random(12).
---
---f32 has multiples of 2^-24; f16 and bf16 are rounded to the nearest that they have, but never to
---1: what would be, becomes the largest below (1 - 2^-11, 1 - 2^-8).
---
---```lua
---local x = nd.random({3}, "f32", {seed = 1})
---x.dtype, x.size                         -- => f32, 3
---x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random the extents; without them a 0-d array
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random or f32, f16, bf16
---@param device? ndbuf.devicelike|ndbuf.opts.random where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.random by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
function nd.random(shape, dtype, device, opts) end

---Uniform in [0, 1), and normal with mean 0 and deviation 1. Philox 4x32-10: the same numbers on
---every device and for every number of threads. Each call has a sequence of its own: nd.random(5)
---and then nd.random(7) are not the numbers of nd.random(12).
---
---f32 has multiples of 2^-24; f16 and bf16 are rounded to the nearest that they have, but never to
---1: what would be, becomes the largest below (1 - 2^-11, 1 - 2^-8).
---
---```lua
---local x = nd.random({3}, "f32", {seed = 1})
---x.dtype, x.size                         -- => f32, 3
---x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random the extents; without them a 0-d array
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random or f32, f16, bf16
---@param device? ndbuf.devicelike|ndbuf.opts.random where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.random by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
function nd.normal(shape, dtype, device, opts) end

---Integers from lo to hi, both included, all equally likely.
---
---```lua
---nd.randint(5, 5, {3}, "u8")             -- => u8 3 cpu [5, 5, 5]
---nd.randint(-1ULL, -1ULL, {1}, "u64")    -- => u64 1 cpu [18446744073709551615]
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param lo ndbuf.integer that the dtype holds; of u64 from 2^63 on as a number or cdata
---@param hi ndbuf.integer the same, lo or more
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint the extents; without them a 0-d array
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint of integers
---@param device? ndbuf.devicelike|ndbuf.opts.randint where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.randint by name
---@return ndbuf.array # new
---@overload fun(lo: ndbuf.integer, hi: ndbuf.integer, s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint, device?: ndbuf.devicelike|ndbuf.opts.randint, opts?: ndbuf.opts.randint): ndbuf.array
---@overload fun(lo: ndbuf.integer, hi: ndbuf.integer, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint, device?: ndbuf.devicelike|ndbuf.opts.randint, opts?: ndbuf.opts.randint): ndbuf.array
---@overload fun(lo: ndbuf.integer, hi: ndbuf.integer, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint, device?: ndbuf.devicelike|ndbuf.opts.randint, opts?: ndbuf.opts.randint): ndbuf.array
function nd.randint(lo, hi, shape, dtype, device, opts) end

---1 … n in random order.
---
---```lua
---nd.permutation(1)                       -- => i64 1 cpu [1]
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param n ndbuf.integer 0 or more
---@param device? ndbuf.devicelike|ndbuf.opts.permutation where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.permutation by name
---@return ndbuf.array # new, 1-D, i64
function nd.permutation(n, device, opts) end

---Restarts the running sequence of random numbers. At load it is seeded by the time.
---
---```lua
---nd.seed(42)
---local x = nd.random(3)
---nd.seed(42)
---x:equal(nd.random(3))                   -- => true
---```
---@param n ndbuf.integer any
function nd.seed(n) end

---A copy of raw bytes.
---
---```lua
---nd.frombytes("\1\0\2\0", "u16")         -- => u16 2 cpu [1, 2]
---nd.frombytes("abcd", {2, 2})            -- => u8 2x2 cpu [[97, 98], [99, 100]]
---nd.frombytes("abc", "u16")              -- => error: bytes: 3 B are no multiple of u16's 2
---```
---
---Raises size_mismatch, invalid_argument, device_not_found, io.
---@param bytes string|userdata a Lua string or a LuaJIT string buffer
---@param dtype? ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making what they are
---@param shape? integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making all of them along one axis unless given
---@param device? ndbuf.devicelike|ndbuf.opts.making where they are; "disk:PATH" makes that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(bytes: string|userdata, dtype?: ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making, s1: ndbuf.integer, s2: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(bytes: string|userdata, dtype?: ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(bytes: string|userdata, dtype?: ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.frombytes(bytes, dtype, shape, device, opts) end

---An array over memory of somebody else, without a copy. A bare pointer is trusted; of a cdata
---array the size is known, and checked. Memory of a GPU is handed over in the order of a stream:
---what was enqueued on that stream before is done first, and what an array over it is used for is
---complete on return. A stream that is being captured into a graph, or is not of the device's
---primary context, raises stream_misuse.
---
---```lua
---local memory = require "ffi".new("double[4]", 1, 2, 3, 4)
---local w = nd.wrap(memory, "f64", {2, 2}, {owner = memory})
---memory[3] = 9
---w                                       -- => [[1, 2], [3, 9]]
---```
---
---Raises type_mismatch, out_of_bounds, invalid_argument, unsupported, device_not_found.
---@param pointer ffi.cdata* a pointer or an array
---@param dtype ndbuf.dtypelike what is there, whatever the pointer's type
---@param shape integer[]|ndbuf.integer the extents, elements in row-major order
---@param opts? ndbuf.opts.wrap by name
---@return ndbuf.array # a view of that memory
---@overload fun(pointer: ffi.cdata*, dtype: ndbuf.dtypelike, s1: ndbuf.integer, s2: ndbuf.integer, opts?: ndbuf.opts.wrap): ndbuf.array
---@overload fun(pointer: ffi.cdata*, dtype: ndbuf.dtypelike, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, opts?: ndbuf.opts.wrap): ndbuf.array
---@overload fun(pointer: ffi.cdata*, dtype: ndbuf.dtypelike, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, opts?: ndbuf.opts.wrap): ndbuf.array
function nd.wrap(pointer, dtype, shape, opts) end

---The arrays one after the other along an axis that they have.
---
---```lua
---nd.concat {nd.ones(2), nd.zeros(1)}     -- => [1, 1, 0]
---```
---
---Raises shape_mismatch, type_mismatch, index_out_of_range, invalid_argument.
---@param arrays ndbuf.array[] 1 to 2^20, with equal extents but along the axis; dtypes are promoted by NumPy's table: u8 and f32 give f32
---@param axis? ndbuf.integer 1 to ndim, or negative
---@return ndbuf.array # a copy
function nd.concat(arrays, axis) end

---The arrays beside one another along a new axis.
---
---```lua
---nd.stack({nd.ones(2), nd.zeros(2)}, 2)  -- => [[1, 0], [1, 0]]
---```
---
---Raises shape_mismatch, type_mismatch, index_out_of_range, invalid_argument.
---@param arrays ndbuf.array[] 1 to 2^20 of one shape; dtypes are promoted as by nd.concat
---@param axis? ndbuf.integer of the result, 1 to ndim + 1, or negative
---@return ndbuf.array # a copy with one axis more
function nd.stack(arrays, axis) end

---Whether |a - b| ≤ atol + rtol |b| for all elements, broadcast. The difference is that of the
---promoted dtype; where 64-bit integers meet floats or those of the other sign, it is exact, then
---rounded.
---
---```lua
---nd.allclose(nd.f64 {1}, nd.f64 {1 + 1e-9})  -- => true
---nd.allclose(nd.f64 {1}, nd.f64 {1.1})       -- => false
---nd.allclose(nd.f64 {1}, nd.f64 {1.1}, 0.2)  -- => true
---nd.allclose(nd.i64 {-1}, nd.u64 {0}, 0, 1)  -- => true
---```
---
---Raises shape_mismatch, invalid_argument.
---@param a ndbuf.array
---@param b ndbuf.array
---@param rtol? ndbuf.number 0 or more
---@param atol? ndbuf.number 0 or more
---@return boolean
function nd.allclose(a, b, rtol, atol) end

---How print(a) shows arrays. What is set stays.
---
---```lua
---nd.printoptions {threshold = 5, edge = 2}
---nd.arange(10)                           -- => [1, 2, ..., 9, 10]
---nd.printoptions {threshold = 1000, edge = 3}.edge   -- => 3
---```
---
---Raises invalid_argument.
---@param opts? ndbuf.opts.printoptions by name
---@return table # the options now in force
function nd.printoptions(opts) end

---What this is and has: version, abi, luajit, jit, platform, devices (a list), cuda (the driver's
---version, where there is a GPU), pinned_fallbacks (blocks that could not be locked), threads (see
---nd.set_threads), missing (reasons by name). Prints as text.
---
---```lua
---nd.info().devices                       -- => {cpu}
---nd.info().missing.cuda ~= nil           -- => true
---```
---@return table # a fresh one
function nd.info() end

---The fields of packed records, by name.
---
---```lua
---local packets = "\1\0\0\0\0\80" .. "\2\0\0\0\1\187"
---local r = nd.records(packets, {{"id", "u32"}, {"port", "u16be"}})
---r.id                                    -- => u32 2 cpu [1, 2]
---r.port                                  -- => u16 2 cpu [80, 443]
---```
---
---Raises out_of_bounds, invalid_argument, type_mismatch, invalid_view.
---@param bytes ndbuf.array|string contiguous, of any dtype; a string is copied
---@param fields table a list of {name, dtype}, packed in this order; a dtype name with be behind it, "u16be", is big-endian
---@param opts? ndbuf.opts.records by name
---@return table<string, ndbuf.array> # views, 1-D; of a big-endian field a converted copy
function nd.records(bytes, fields, opts) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.add(a, b, opts) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sub(a, b, opts) end

---Sum, difference, product. Of bool the sum is "or", the product "and"; there is no difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.mul(a, b, opts) end

---Quotient; of integers and bool in f64.
---
---```lua
---nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
---nd.f32 {1, 0} / 0                       -- => [inf, nan]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.div(a, b, opts) end

---Quotient rounded down, and the remainder that goes with it, which has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.idiv(a, b, opts) end

---Quotient rounded down, and the remainder that goes with it, which has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.mod(a, b, opts) end

---Power. Of integers it wraps, and the exponent must not be negative.
---
---```lua
---nd.i32 {2, 3} ^ 3                       -- => [8, 27]
---nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.pow(a, b, opts) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.neg(a, opts) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.abs(a, opts) end

---The negative, the magnitude, and -1, 0 or 1. The least integer is its own negative and
---magnitude; the sign of NaN is NaN. Magnitudes of c64 are f32, of c128 f64, infinite where a part
---is; they are not written to complex arrays.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sign(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.square(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.reciprocal(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sqrt(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.exp(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.log(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sin(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.cos(a, opts) end

---a * a, 1 / a, square root, e to the power, natural logarithm, sine and cosine of radians,
---hyperbolic tangent. All but the square compute in f64 for integers and bool. The last five are
---within 4 units in the last place, sine, cosine and tangent within -1 and 1; what an element
---gives does not depend on where it lies. There is no square of bool: a * a of it is "and".
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.f64 {0}:exp()                        -- => [1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.tanh(a, opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.floor(a, opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.ceil(a, opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.round(a, opts) end

---To a whole number: down, up, to the nearest (the even one of two), toward 0. Integers stay as
---they are.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.trunc(a, opts) end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.isnan(a, opts) end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.isinf(a, opts) end

---Which elements are NaN, infinite, neither. Integers are finite; a complex number is NaN or
---infinite if a part is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.isfinite(a, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.lt(a, b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.le(a, b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.gt(a, b, opts) end

---Order: less, less or equal, greater, greater or equal. Nothing is so for NaN. a < b raises
---instead: Lua would make a boolean of the array.
---
---Numbers are compared, not what a dtype makes of them: i64 with u64 and both with floats, and an
---array with a value that its dtype does not hold. a:lt(x) says of each element what a[i] < x
---says.
---
---```lua
---nd.i32 {1, 2, 3}:lt(2)                  -- => [true, false, false]
---nd.ge(2, nd.i32 {1, 2, 3})              -- => [true, true, false]
---nd.u8 {0, 255}:lt(256)                  -- => [true, true]
---nd.i32 {1, 2}:gt(1.5)                   -- => [false, true]
---nd.i64 {-1}:lt(nd.u64 {1})              -- => [true]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.ge(a, b, opts) end

---Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle; a:equal(b)
---compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and equal to none.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.eq(a, b, opts) end

---Equal, not equal. NaN is equal to nothing. a == b asks whether both are one handle; a:equal(b)
---compares as a whole. As with lt, numbers are compared: 0.1 is no f32, and equal to none.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.ne(a, b, opts) end

---The lesser, the greater of both; NaN where one is NaN. A value past the range of integers, on
---the side where it never is the result, leaves the elements as they are; on the other it is
---refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.minimum(a, b, opts) end

---The lesser, the greater of both; NaN where one is NaN. A value past the range of integers, on
---the side where it never is the result, leaves the elements as they are; on the other it is
---refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.maximum(a, b, opts) end

---What is below lo becomes lo, then what is above hi becomes hi; NaN stays NaN. With lo above hi
---all become hi. Bounds beyond the range of integers do not bind.
---
---```lua
---nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
---nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
---nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param lo ndbuf.array|ndbuf.value|nil nil: no lower bound
---@param hi? ndbuf.array|ndbuf.value|nil|ndbuf.opts.computing nil: no upper bound; one of both is needed
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.clamp(a, lo, hi, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_and(a, b, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_or(a, b, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_xor(a, b, opts) end

---Logic of what is not 0, whatever the dtypes: also NaN is true.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_not(a, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_and(a, b, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_or(a, b, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_xor(a, b, opts) end

---Bit by bit, of integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_not(a, opts) end

---Bits moved up and down by b places. From the width on nothing is left; on the right the sign of
---signed integers comes in.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.shl(a, b, opts) end

---Bits moved up and down by b places. From the width on nothing is left; on the right the sign of
---signed integers comes in.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|ndbuf.value one of the operands is an array
---@param b ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.shr(a, b, opts) end

---From a where the condition is not 0, else from b. As a method of the condition it reads
---condition:where(a, b); where neither is an array, the dtype is that of the values. With the
---condition alone: where it is not 0, for each axis the 1-based positions along it (i64, 1-D), in
---row-major order.
---
---```lua
---local a = nd.i32 {1, 5, 9}
---nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
---nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
---select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param condition ndbuf.array|ndbuf.value any dtype; alone an array
---@param a? ndbuf.array|ndbuf.value one of the operands is an array
---@param b? ndbuf.array|ndbuf.value broadcast
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array ... # one, or as many as there are axes
function nd.where(condition, a, b, opts) end

---The sum, the product. Of nothing they are 0 and 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # of bool and signed integers i64, of unsigned ones u64, else the array's dtype; the Lua value of a 64-bit integer is a number up to 2^53, cdata beyond
function nd.sum(a, opts) end

---The sum, the product. Of nothing they are 0 and 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # of bool and signed integers i64, of unsigned ones u64, else the array's dtype; the Lua value of a 64-bit integer is a number up to 2^53, cdata beyond
function nd.prod(a, opts) end

---The least and the greatest element; NaN where there is one.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.min(a, opts) end

---The least and the greatest element; NaN where there is one.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.max(a, opts) end

---Where the least and the greatest element are first, counted from 1 in row-major order of the
---axes that go; where the first NaN is, if there is one.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # a number; an array of i64
function nd.argmin(a, opts) end

---Where the least and the greatest element are first, counted from 1 in row-major order of the
---axes that go; where the first NaN is, if there is one.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # a number; an array of i64
function nd.argmax(a, opts) end

---The mean; of nothing NaN.
---
---```lua
---nd.mean(nd.u8 {1, 2, 4, 4})             -- => 2.75
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # of bool and integers f64, else the array's dtype
function nd.mean(a, opts) end

---The variance, and its root, the standard deviation: of squared distances from the mean, which is
---found first; of complex numbers those of their absolute value. Of nothing NaN.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.var by name
---@return any # of bool and integers f64, of complex numbers their part's dtype, else the array's
function nd.var(a, opts) end

---The variance, and its root, the standard deviation: of squared distances from the mean, which is
---found first; of complex numbers those of their absolute value. Of nothing NaN.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.var by name
---@return any # of bool and integers f64, of complex numbers their part's dtype, else the array's
function nd.std(a, opts) end

---Is any element true, are all? All but 0 is, NaN too. Of nothing false and true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean; an array of bool
function nd.any(a, opts) end

---Is any element true, are all? All but 0 is, NaN too. Of nothing false and true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean; an array of bool
function nd.all(a, opts) end

---How many elements are not 0.
---
---```lua
---nd.count_nonzero(nd.array {0, 3, 0 / 0})        -- => 2
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array
---@param opts? ndbuf.opts.reductions by name
---@return any # a number; an array of i64
function nd.count_nonzero(a, opts) end

---A sorted copy. NaN comes last, either way, -0 before 0; complex numbers are ordered by real
---part, then by imaginary part.
---
---```lua
---local a = nd.array {{3, 1, 2}, {0, 5, 4}}
---a:sort()                                -- => [[1, 2, 3], [0, 4, 5]]
---a:sort(1, {descending = true})          -- => [[3, 5, 4], [0, 1, 2]]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param a ndbuf.array
---@param axis? ndbuf.integer|ndbuf.opts.sort the last one when it is left out; negative from the end
---@param opts? ndbuf.opts.sort by name
---@return ndbuf.array # a copy, contiguous
function nd.sort(a, axis, opts) end

---The positions, counted from 1, that would sort it; equal elements stay in their order, zeros of
---either sign and NaNs among them.
---
---```lua
---local a = nd.array {3, 1, 2}
---a:argsort()                             -- => [2, 3, 1]
---a[a:argsort()]                          -- => [1, 2, 3]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param a ndbuf.array
---@param axis? ndbuf.integer|ndbuf.opts.argsort the last one when it is left out; negative from the end
---@param opts? ndbuf.opts.argsort by name
---@return ndbuf.array # of i64
function nd.argsort(a, axis, opts) end

---Calls fn(…), returns what it returns, and frees all that was made inside and is not among that
---(tables are searched). An error frees everything, and goes on. No yield across it.
---
---```lua
---local lost
---local kept = nd.scope(function(n)
---  lost = nd.zeros(1000)
---  return nd.ones(n)
---end, 2)
---kept                                    -- => [1, 1]
---lost[1]                                 -- => error: the memory of this array was freed
---```
---@param fn fun(...): ... is called once
---@param ... any its arguments
---@return any ... # what it returns
function nd.scope(fn, ...) end

---A file as an array, without reading it. a.device is disk:PATH, for it is the path that says
---where the elements are, and a:to "cpu" copies them. A file that shrinks under its mapping is an
---io error at the next access, not a dead process.
---
---```lua
---nd.save("map.npy", nd.zeros({2}, "f32"))
---local bytes = nd.mmap("map.npy")
---bytes.dtype, bytes.device, bytes.readonly   -- => u8, disk:map.npy, true
---bytes"2:6":copyout()                    -- => NUMPY
---nd.mmap("map.npy", "f32", {2}, {offset = 128})  -- => f32 2 disk:map.npy [0, 0]
---```
---
---Raises io, size_mismatch, out_of_bounds, invalid_argument.
---@param path string of a regular file
---@param dtype? ndbuf.dtypelike|ndbuf.opts.mmap
---@param shape? integer[]|ndbuf.integer|ndbuf.opts.mmap all that is there along one axis unless given
---@param opts? ndbuf.opts.mmap by name
---@return ndbuf.array # a view of the file
---@overload fun(path: string, dtype?: ndbuf.dtypelike|ndbuf.opts.mmap, s1: ndbuf.integer, s2: ndbuf.integer, opts?: ndbuf.opts.mmap): ndbuf.array
---@overload fun(path: string, dtype?: ndbuf.dtypelike|ndbuf.opts.mmap, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, opts?: ndbuf.opts.mmap): ndbuf.array
---@overload fun(path: string, dtype?: ndbuf.dtypelike|ndbuf.opts.mmap, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, opts?: ndbuf.opts.mmap): ndbuf.array
function nd.mmap(path, dtype, shape, opts) end

---An array from a file, by its extension.
---
---| extension | what | |---|---| | .npy | versions 1 to 3, any byte order; Fortran order becomes
---strides; for f8 it has no name, they come back as u8 | | .pgm .ppm | rows x columns, rows x
---columns x 3, u8 or u16 | | .wav | frames x channels; the rate is the second value |
---
---```lua
---nd.save("load.npy", nd.arange(3))
---nd.load "load.npy"                      -- => f64 3 cpu [1, 2, 3]
---nd.load("load.npy", {mmap = true})      -- => f64 3 disk:load.npy [1, 2, 3]
---nd.load "none.npy"                      -- => error: cannot open none.npy
---```
---
---Raises io, format, unsupported.
---@param path string with one of these extensions, in any case
---@param opts? ndbuf.opts.load by name
---@return ndbuf.array
---@return integer? # the elements; of a .wav its rate in Hz
function nd.load(path, opts) end

---An array into a file, by its extension, as nd.load reads it. It is written beside the file and
---then renamed, so that there is always the old one or the new one.
---
---```lua
---nd.save("save.wav", nd.zeros({4, 2}, "i16"), {rate = 8000})
---local sound, rate = nd.load "save.wav"
---sound.shape, rate                       -- => {4, 2}, 8000
---```
---
---Raises io, unsupported, type_mismatch, shape_mismatch, overflow, invalid_argument.
---@param path string with one of the extensions
---@param a ndbuf.array for .npy any; for .pgm and .ppm u8 or u16 of the shape above; for .wav u8, i16, i32, f32 or f64, frames or frames x channels
---@param opts? ndbuf.opts.save by name
function nd.save(path, a, opts) end

---A device object, which stands wherever a name does. There is one for each device: objects
---compare as their names do, and serve as keys of tables. A file is neither opened nor made.
---
---```lua
---tostring(nd.device "CPU")               -- => cpu
---nd.device "CPU" == nd.device "cpu"      -- => true
---nd.zeros(2, nd.device "cpu").device     -- => cpu
---nd.zeros({2}, "u8", "disk:device.bin", {overwrite = true}).device   -- => disk:device.bin
---```
---
---Raises invalid_argument, device_not_found.
---@param name ndbuf.devicelike one of the names above
---@return ndbuf.device # tostring of it is the canonical name
function nd.device(name) end

---All devices: cpu, then the GPUs.
---
---```lua
---#nd.devices(), tostring(nd.devices()[1])   -- => 1, cpu
---```
---@return ndbuf.device[]
function nd.devices() end

---Calls and bytes moved since the start, by direction: h2d and d2h (host and GPU), d2d (within a
---GPU), p2p (between two), and staged: work of a GPU that went through the host.
---
---```lua
---nd.transfers().h2d.calls                -- => 0
---```
---@return table # {h2d = {calls =, bytes =}, …}
function nd.transfers() end

---How many threads work that moves about 1 MiB or more is spread over; smaller work never pays for
---them. At first as many as the process has processors, or the environment's NDBUF_THREADS. The
---count is the process', not one Lua state's. A forked child works on one thread, and so does an
---ndbuf that was built without OpenMP. Results are the same for every count.
---
---```lua
---local before = nd.set_threads(1)
---nd.set_threads(before)                  -- => 1
---```
---
---Raises invalid_argument.
---@param n ndbuf.integer 1 … 256
---@return integer # the count before
function nd.set_threads(n) end

return nd
