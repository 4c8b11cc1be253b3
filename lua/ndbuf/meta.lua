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
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)

---@class (exact) ndbuf.opts.making
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.empty
---@field lazy? boolean memory of any size is allocated at the first use (true) or at once (false)
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.empty_like
---@field lazy? boolean as for nd.empty
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.logspace
---@field base? ndbuf.number finite and above 0 (10)
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.tril
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.meshgrid
---@field indexing? string the first coordinates go along axis 2 and the second along axis 1, as in an image; "ij": the n-th along axis n ("xy")
---@field sparse? boolean leaves extents of 1 where nothing but repetitions would be; the results broadcast against each other (false)

---@class (exact) ndbuf.opts.vander
---@field increasing? boolean from 1 up to the highest power (false)
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.random
---@field lo? ndbuf.number|ndbuf.array of uniform; parameters are up to 1e300 in magnitude, and arrays and lists of them, one for each element, broadcast to the shape (0)
---@field hi? ndbuf.number|ndbuf.array of uniform, not below lo (1)
---@field mean? ndbuf.number|ndbuf.array of normal (0)
---@field std? ndbuf.number|ndbuf.array of normal, 0 or more (1)
---@field scale? ndbuf.number|ndbuf.array of exponential, 0 or more (1)
---@field seed? ndbuf.integer gives the numbers that belong to this seed; without it the call takes the next ones of the running sequence, which nd.seed restarts
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.gamma
---@field scale? ndbuf.number|ndbuf.array of gamma, 0 or more (1)
---@field seed? ndbuf.integer as for nd.random
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.multinomial
---@field seed? ndbuf.integer as for nd.random

---@class (exact) ndbuf.opts.choice
---@field replace? boolean false: no entry is chosen twice (true)
---@field p? ndbuf.array the probability of each entry, 1-D; they add up to 1. Without replacement each next one is drawn by the shares of those that are left (Efraimidis and Spirakis 2006)
---@field axis? ndbuf.integer the axis, as an option
---@field seed? ndbuf.integer as for nd.random

---@class (exact) ndbuf.opts.shuffle
---@field axis? ndbuf.integer the axis, as an option
---@field seed? ndbuf.integer as for nd.random

---@class (exact) ndbuf.opts.randint
---@field seed? ndbuf.integer as for nd.random
---@field dtype? ndbuf.dtypelike the dtype, as an option
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.permutation
---@field dtype? ndbuf.dtypelike no other dtype is accepted ("i64")
---@field seed? ndbuf.integer as for nd.random
---@field device? ndbuf.devicelike the device, as an option
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.wrap
---@field owner? any kept alive as long as any view of the memory; by default the pointer's own cdata
---@field readonly? boolean refuses writes (false)
---@field device? ndbuf.devicelike or cuda:n, in which case the driver must know the address ("cpu")
---@field stream? ndbuf.stream|ndbuf.integer|ffi.cdata* on cuda:n, the CUDA stream (a CUstream, its number, or a stream) whose pending work on the memory comes first; by default the legacy default stream, which PyTorch uses unless told otherwise (0)

---@class (exact) ndbuf.opts.concat
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.stack
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.printoptions
---@field threshold? ndbuf.integer arrays with more elements show only their edges; 1 to 2^31 (1000)
---@field edge? ndbuf.integer the number of entries shown at each edge, 1 to 1000 (3)
---@field precision? ndbuf.integer|boolean significant digits, 1 to 17; false: as many as are needed to read the same number back (false)

---@class (exact) ndbuf.opts.take
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.put
---@field base? ndbuf.integer 0 where index counts from 0; negative positions still count from the end (1)

---@class (exact) ndbuf.opts.index_add
---@field base? ndbuf.integer 0 where index counts from 0; negative positions still count from the end (1)

---@class (exact) ndbuf.opts.gather
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.scatter
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.take_along
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.reshape
---@field copy? boolean permits a copy where a view is not possible (false)

---@class (exact) ndbuf.opts.records
---@field offset? ndbuf.integer where the first record begins, in bytes (0)
---@field stride? ndbuf.integer bytes from one record to the next; by default the sum of the field sizes
---@field count? ndbuf.integer the number of records; by default all complete ones

---@class (exact) ndbuf.opts.astype
---@field mode? "saturate"|"wrap"|"check" "wrap" converts to integers modulo 2^n (NaN and infinities become 0); "check" refuses values that would change by more than rounding ("saturate")

---@class (exact) ndbuf.opts.to
---@field overwrite? boolean allows disk:PATH to replace an existing file (false)
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.copy_from
---@field mode? "saturate"|"wrap"|"check" as for a:astype ("saturate")
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.copyin
---@field stream? ndbuf.stream where the work of a GPU goes; the source has been read on return

---@class (exact) ndbuf.opts.copyout
---@field stream? ndbuf.stream where the work of a GPU goes; complete on return. For a string, a:copyout(nil, {stream = s})

---@class (exact) ndbuf.opts.fill
---@field stream? ndbuf.stream where the work of a GPU goes, see streams

---@class (exact) ndbuf.opts.tile
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.repeat_interleave
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.computing
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.isclose
---@field rtol? ndbuf.number 0 or more (1e-5)
---@field atol? ndbuf.number 0 or more (1e-8)
---@field equal_nan? boolean NaN is close to NaN (false)
---@field out? ndbuf.array receives the result, of its shape, and is returned

---@class (exact) ndbuf.opts.sum
---@field dtype? ndbuf.dtypelike the result's, as if all elements had it: integers wrap in it, floats are converted first
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the result is an array
---@field keepdims? boolean keeps the reduced axes with extent 1; the result is an array (false)
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.reductions
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the result is an array
---@field keepdims? boolean keeps the reduced axes with extent 1; the result is an array (false)
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.var
---@field ddof? ndbuf.number 0 or more; the sum of squares is divided by the number of elements minus ddof (0)
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the result is an array
---@field keepdims? boolean keeps the reduced axes with extent 1; the result is an array (false)
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.nanvar
---@field ddof? ndbuf.number the divisor is the number of elements that are not NaN, less ddof (0)
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the result is an array
---@field keepdims? boolean keeps the reduced axes with extent 1; the result is an array (false)
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.cov
---@field rowvar? boolean false for variables that are columns (true)
---@field bias? boolean sums are divided by the number of observations, not by that less 1 (false)
---@field ddof? ndbuf.integer sums are divided by the number of observations less this; overrides bias
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.corrcoef
---@field rowvar? boolean false for variables that are columns (true)
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.sort
---@field axis? ndbuf.integer the axis, as an option
---@field descending? boolean  (false)
---@field out? ndbuf.array receives the result and is returned; it has the shape of a, and may be a itself

---@class (exact) ndbuf.opts.argsort
---@field axis? ndbuf.integer the axis, as an option
---@field descending? boolean  (false)
---@field out? ndbuf.array receives the result and is returned; it has the shape of a, and may be a itself

---@class (exact) ndbuf.opts.cumsum
---@field axis? ndbuf.integer negative from the end; by default the result is 1-D, over all elements
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result, and may be a
---@field dtype? ndbuf.dtypelike the result's, as if all elements had it: integers wrap in it, floats are converted first

---@class (exact) ndbuf.opts.cummax
---@field axis? ndbuf.integer negative from the end; by default the result is 1-D, over all elements
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result, and may be a

---@class (exact) ndbuf.opts.diff
---@field axis? ndbuf.integer the axis, as an option
---@field n? ndbuf.integer how many times differences are taken; 0 gives a copy (1)
---@field prepend? any what is put before the first element along the axis, before differences are taken: an array, or a table that becomes one, of the other extents, or one number for all
---@field append? any in the same way what is put behind the last element
---@field out? ndbuf.array receives the result, converted to its dtype, and is returned

---@class (exact) ndbuf.opts.gradient
---@field axis? integer[]|ndbuf.integer the axis, or a list of axes, as an option
---@field spacing? any the distance between neighbours as a number, or where they are as a 1-D array with an entry for each element along the axis; of several axes a table with an entry for each (1)
---@field edge_order? ndbuf.integer at both ends the slope of a line through two points (1), or of a parabola through three (2) (1)
---@field out? ndbuf.array receives the result along one axis, converted to its dtype, and is returned

---@class (exact) ndbuf.opts.partition
---@field axis? ndbuf.integer the axis, as an option
---@field out? ndbuf.array receives the result and is returned; it has the shape of a

---@class (exact) ndbuf.opts.topk
---@field axis? ndbuf.integer the axis, as an option
---@field largest? boolean the greatest elements; else the smallest (true)
---@field sorted? boolean in this order, the greatest (smallest) first; else in the order that they have in a (true)
---@field out? table two arrays that receive the results and are returned; the second one of integers

---@class (exact) ndbuf.opts.median
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the result is an array
---@field keepdims? boolean keeps the reduced axes with extent 1; the result is an array (false)
---@field out? ndbuf.array receives the result and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.quantile
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the result is an array
---@field keepdims? boolean keeps the reduced axes with extent 1; the result is an array (false)
---@field method? string which of the definitions above ("linear")
---@field out? ndbuf.array receives the result and is returned; it has the shape of the result

---@class (exact) ndbuf.opts.mode
---@field axis? ndbuf.integer|integer[] the axes to reduce, negative from the end; all axes by default. If it is given, the results are arrays
---@field keepdims? boolean keeps the reduced axes with extent 1; the results are arrays (false)
---@field out? table two arrays that receive the results and are returned; the second one of integers

---@class (exact) ndbuf.opts.searchsorted
---@field side? string "left" for positions in front of equal elements, "right" for those behind them ("left")
---@field sorter? ndbuf.array|table the positions that sort a, from a:argsort(), if it is not sorted itself
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.digitize
---@field right? boolean bins include their greater edge instead of the smaller one (false)
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.bincount
---@field weights? ndbuf.array|table real, of the shape of a; added up in f64
---@field minlength? ndbuf.integer the least size of the result (0)
---@field base? ndbuf.integer 0 for values that count from 0: value k is then counted in element k + 1 (1)
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.histogram
---@field bins? ndbuf.integer|ndbuf.array|table the number of bins of equal width, or their edges, ascending (10)
---@field range? table lowest and highest edge, {lo, hi}; by default the least and the greatest element. If they are equal, the range is 1 wide around them
---@field weights? ndbuf.array|table real, of the shape of a: each bin has the sum of the weights of its elements, in f64
---@field density? boolean divide by the sum of all bins and by the width of each, so that the integral is 1 (false)
---@field out? ndbuf.array where the counts go, converted; of their shape

---@class (exact) ndbuf.opts.histogram2d
---@field bins? ndbuf.integer|ndbuf.array|table as for a:histogram, or {of a, of b} (10)
---@field range? table {{lo, hi}, {lo, hi}}; an axis that is left out takes the range of its elements
---@field weights? ndbuf.array|table as for a:histogram
---@field density? boolean divide by the sum of all bins and by the area of each (false)
---@field out? ndbuf.array where the counts go, converted; of their shape

---@class (exact) ndbuf.opts.unique
---@field index? boolean the first position of each value, in row-major order (false)
---@field inverse? boolean for each element the position of its value, so that values[inverse] is a (false)
---@field counts? boolean how often each value occurs (false)
---@field out? ndbuf.array|table where the values go, converted; for several results a table of as many arrays, which do not share memory. Shapes are those of the results

---@class (exact) ndbuf.opts.isin
---@field invert? boolean which are not? (false)
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.flatnonzero
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.interp
---@field left? ndbuf.number the value below the first point; by default that of the first point
---@field right? ndbuf.number the value beyond the last point; by default that of the last point
---@field period? ndbuf.number the function repeats; left and right then have no effect
---@field out? ndbuf.array where the result goes, converted; of its shape

---@class (exact) ndbuf.opts.linalg
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.vecdot
---@field axis? ndbuf.integer the axis, as an option
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.tensordot
---@field axes? ndbuf.integer|table the axes, as an option
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.einsum
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned

---@class (exact) ndbuf.opts.trace
---@field axes? table the two axes ({1, 2})
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.norm
---@field ord? ndbuf.number|string the norm, as an option
---@field axis? ndbuf.integer|integer[] the axes, as an option
---@field keepdims? boolean keep the axes, with extent 1 (false)
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.pinv
---@field rtol? ndbuf.number the same, as an option
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.slogdet
---@field out? table two arrays that receive the results and are returned

---@class (exact) ndbuf.opts.lstsq
---@field rcond? ndbuf.number the same, as an option
---@field out? table four arrays, in the shapes of the results, that receive them and are returned

---@class (exact) ndbuf.opts.cholesky
---@field upper? boolean the upper triangular factor u with a = u.T u; only the upper triangle is read (false)
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.lu
---@field out? table three arrays that receive the results and are returned

---@class (exact) ndbuf.opts.qr
---@field mode? string as many columns of q as the lesser of m and n; "complete": a square q; "r": r alone ("reduced")
---@field out? table|ndbuf.array two arrays that receive the results and are returned; for "r" the array

---@class (exact) ndbuf.opts.svd
---@field full_matrices? boolean of svd: all m columns of u and n rows of v, not only k (true)
---@field compute_uv? boolean of svd: else it gives the values alone, as svdvals (true)
---@field out? table|ndbuf.array of svd: three arrays that receive the results and are returned; for the values alone the array

---@class (exact) ndbuf.opts.matrix_rank
---@field tol? ndbuf.number the tolerance, as an option
---@field rtol? ndbuf.number the tolerance divided by the greatest singular value
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.cond
---@field p? ndbuf.number|string the norm, as an option
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it has the shape of the result. Functions with several results take a table of as many arrays, which do not share memory

---@class (exact) ndbuf.opts.eigh
---@field upper? boolean the upper triangle is read (false)
---@field out? table|ndbuf.array of eigh: two arrays that receive the results and are returned; of eigvalsh the array

---@class (exact) ndbuf.opts.eig
---@field out? table|ndbuf.array of eig: two arrays that receive the results and are returned; of eigvals the array

---@class (exact) ndbuf.opts.fft
---@field n? ndbuf.integer the length, as an option
---@field axis? ndbuf.integer the axis, as an option
---@field norm? string what is multiplied by 1 / n, of all axes: "backward", inverse transforms; "forward", those that are not; "ortho", all, by 1 / sqrt(n) ("backward")
---@field out? ndbuf.array receives the result, converted to its dtype, and is returned; it has the shape of the result, and may be a

---@class (exact) ndbuf.opts.rfft
---@field n? ndbuf.integer as above
---@field axis? ndbuf.integer as above
---@field norm? string what is multiplied by 1 / n, of all axes: "backward", inverse transforms; "forward", those that are not; "ortho", all, by 1 / sqrt(n) ("backward")
---@field out? ndbuf.array receives the result, converted to its dtype, and is returned; it has the shape of the result, and may be a

---@class (exact) ndbuf.opts.irfft
---@field n? ndbuf.integer as above
---@field axis? ndbuf.integer as above
---@field norm? string what is multiplied by 1 / n, of all axes: "backward", inverse transforms; "forward", those that are not; "ortho", all, by 1 / sqrt(n) ("backward")
---@field out? ndbuf.array receives the result, converted to its dtype, and is returned; it has the shape of the result, and may be a

---@class (exact) ndbuf.opts.fft2
---@field s? integer[]|ndbuf.integer the lengths, as an option
---@field axes? integer[]|ndbuf.integer the axes, as an option
---@field norm? string what is multiplied by 1 / n, of all axes: "backward", inverse transforms; "forward", those that are not; "ortho", all, by 1 / sqrt(n) ("backward")
---@field out? ndbuf.array receives the result, converted to its dtype, and is returned; it has the shape of the result, and may be a

---@class (exact) ndbuf.opts.rfft2
---@field s? integer[]|ndbuf.integer as above
---@field axes? integer[]|ndbuf.integer as above
---@field norm? string what is multiplied by 1 / n, of all axes: "backward", inverse transforms; "forward", those that are not; "ortho", all, by 1 / sqrt(n) ("backward")
---@field out? ndbuf.array receives the result, converted to its dtype, and is returned; it has the shape of the result, and may be a

---@class (exact) ndbuf.opts.fftfreq
---@field d? ndbuf.number the distance, as an option
---@field dtype? ndbuf.dtypelike of the result ("f64")
---@field device? ndbuf.devicelike where it is made ("cpu")

---@class (exact) ndbuf.opts.fftshift
---@field axes? integer[]|ndbuf.integer the axes, as an option
---@field out? ndbuf.array receives the result, and is returned

---@class (exact) ndbuf.opts.convolve
---@field mode? string all n + m - 1 elements, where m is the length of the shorter line; "same": the n in the middle; "valid": the n - m + 1 where all of the shorter line takes part ("full")
---@field out? ndbuf.array receives the result, saturated to its dtype, and is returned; it may be an operand

---@class (exact) ndbuf.opts.correlate
---@field mode? string as above ("valid")
---@field out? ndbuf.array as above

---@class (exact) ndbuf.opts.device
---@field async? boolean true: memory from the pool; false: memory from plain cuMemAlloc, which can be shared with other libraries and processes

---@class (exact) ndbuf.opts.file
---@field overwrite? boolean replace a file that exists

---@class (exact) ndbuf.opts.pool
---@field cap? ndbuf.integer|string the most bytes to keep, as a budget's limit; default: no limit. What was freed longest ago goes first

---@class (exact) ndbuf.opts.track
---@field report? boolean true: when the Lua state closes, what was not given back until then, to arrays of another state for example, is written to stderr

---@class (exact) ndbuf.opts.mmap
---@field offset? ndbuf.integer where the elements begin, in bytes; it need not be aligned, but access to misaligned elements is slower (0)
---@field mode? "r"|"r+"|"c" "r" is read-only; in "r+" writes go to the file; in "c" (copy-on-write) they stay in memory ("r")
---@field advice? "normal"|"sequential"|"random"|"willneed"|"huge" a hint to the system about the access pattern ("normal")

---@class (exact) ndbuf.opts.load
---@field mmap? boolean maps the file instead of reading it; possible where its elements need no conversion. All arrays of a file are views of one mapping: a:free() on one ends them all. In an .npz of NumPy's they may be misaligned, as in nd.mmap; :clone() what loops over elements read (false)
---@field names? table a list of the arrays that are wanted; for .npz and .safetensors only. Others are not looked at, be they of a kind that ndbuf lacks, such as strings. An error for a name that is not there lists those that are (all)

---@class (exact) ndbuf.opts.save
---@field rate? ndbuf.integer the sample rate in Hz, 1 to 2^32 - 1; for .wav only (44100)
---@field quality? ndbuf.integer 1 to 100; for .jpg only (90)
---@field metadata? table strings by name; for .safetensors only

---@class (exact) ndbuf.opts.to_dlpack
---@field versioned? boolean DLManagedTensorVersioned; false: the older DLManagedTensor (true)
---@field stream? ndbuf.integer|ffi.cdata* for the memory of a GPU the stream on which the other library works: its handle, 1 for the legacy default stream, 2 for the per-thread one, -1 for none, so that nobody waits (1)
---@field copy? boolean a tensor of a contiguous copy, which says that it is one (false)

---@class (exact) ndbuf.opts.from_dlpack
---@field versioned? boolean as in nd.to_dlpack (true)
---@field stream? ndbuf.integer|ffi.cdata* for the memory of a GPU the stream whose work comes first (1)

---@class (exact) ndbuf.opts.to_arrow_stream
---@field rows? ndbuf.integer the rows of a batch, at most (65536)

---@class (exact) ndbuf.opts.share
---@field once? boolean the name is good for one nd.attach, and keeps the memory until then; else it is good for any number of them, until the array is freed (false)

---@class (exact) ndbuf.opts.stream
---@field priority? ndbuf.integer the lower, the sooner its work is begun beside other work; 0 is the least, -5 the greatest on many GPUs (0)

---@class (exact) ndbuf.opts.record
---@field timing? boolean notes the time at which the GPU gets there, for event:elapsed. Such events take the GPU longer (false)

---@class (exact) ndbuf.opts.wait
---@field timeout? ndbuf.number seconds after which to give up; by default, and with math.huge, never

---@class ndbuf.error
---@field code string One of the codes above; the text, which says what was requested, what the limit is and what to do instead; and file:line of the caller.
---@field message string One of the codes above; the text, which says what was requested, what the limit is and what to do instead; and file:line of the caller.
---@field where string One of the codes above; the text, which says what was requested, what the limit is and what to do instead; and file:line of the caller.
---@field argument? string The name of the argument, or the path of the file, that caused the failure.
---@field path? string The name of the argument, or the path of the file, that caused the failure.
---@field axis? integer The numbers in the message.
---@field value? integer The numbers in the message.
---@field limit? integer The numbers in the message.
---@field expected? integer The numbers in the message.
---@field actual? integer The numbers in the message.
---@field offset? integer The numbers in the message.
---@field position? integer The numbers in the message.
---@field part? integer The numbers in the message.
---@field requested? integer The numbers in the message.
---@field live? integer The numbers in the message.
---@field pending? integer The numbers in the message.
---@field cached integer The numbers in the message.
---@field reserved? integer The numbers in the message.
---@field remaining? integer The numbers in the message.
---@field peak? integer The numbers in the message.
---@field free? integer The numbers in the message.
---@field total? integer The numbers in the message.
---@field largest? integer The numbers in the message.
---@field number? integer The numbers in the message.
---@field errno? integer The numbers in the message.
---@field info? integer The numbers in the message.
---@field matrix integer The numbers in the message.
local error_object = {}

---@class ndbuf.device
---@field name string The canonical name of the device.
---@field ordinal integer The number of a GPU, from 0; for other devices 0.
---@field total_memory integer The total memory of the device in bytes.
---@field free_memory integer The memory in bytes that no process uses at the moment.
---@field capability integer[]? A GPU's compute capability, such as {9, 0}; nil for other devices.
---@field model string? The driver's name for a GPU; nil for other devices.
local device = {}

---Waits until a GPU has completed all enqueued work. Freed memory that was pending on that work
---has been released on return, also where another thread is releasing it at the same time. A no-op
---for devices without a GPU.
---
---```lua
---nd.device("cpu"):synchronize() == nil    -- => true
---```
function device:synchronize() end

---Memory usage in bytes: live is the memory of arrays in this kind of memory, and count their
---number. pending is memory that was freed but is still used by work in flight, or that waits
---until the driver can release it without a device-wide wait. held is the part of pending that was
---exported to others, who still have it (exchange). peak is the maximum of live plus pending, of a
---GPU and of pinned with what their pools kept. cached is memory kept for later arrays (see
---nd.memory.trim). free and total are those of the device. live, pending and cached do not
---overlap. For a GPU, the figures of its pool and its plain memory are added up, their peaks too,
---which may not have been at the same time, and there are also managed, staging (pinned host
---buffers for copies, kept until pinned is trimmed), and lost and lost_count: the memory that was
---lost together with a lost CUDA context.
---
---```lua
---nd.device("cpu"):memory_info().live >= 0   -- => true
---```
---@return table
function device:memory_info() end

---Allows this GPU to read the memory of another. Copies between GPUs enable this access by
---themselves, in both directions, where the machine supports it. Where it does not, or where the
---driver refused at the first attempt, such copies go through the host, which nd.transfers counts
---as staged.
---
---```lua
---nd.device("cpu"):enable_peer "cpu"       -- => error: self: expected cuda:n, got cpu
---```
---
---Raises invalid_argument.
---@param other ndbuf.devicelike cuda:n
function device:enable_peer(other) end

---A stream of a GPU, of which 32 can be in use at a time. A stream that is no longer referenced
---goes back to the pool when the collector finds it; its work goes on. When all are taken, the
---collector runs, and if that helps nothing, capacity is raised: ndbuf never gives two objects the
---same stream.
---
---```lua
---local s = nd.device("cuda"):stream()
---local source = nd.full(4, 7, "pinned")
---local a = nd.empty(4, "cuda")
---a:copy_from(source, {stream = s})
---s:query()                               -- => false
---a:to "cpu"                              -- => [7, 7, 7, 7]
---s:query()                               -- => true
---```
---
---Raises unsupported, invalid_argument, capacity.
---@param opts? ndbuf.opts.stream by name
---@return ndbuf.stream # one that nothing is in flight on, if there is one
function device:stream(opts) end

---A counter that work on streams raises. Each signal names a greater value; the timeline has it
---when the stream's work of before is done, and that of all signals before it. So the value never
---falls, and a program can say "batch 7 is there" whatever streams did it.
---
---```lua
---local dev = nd.device "cuda"
---local s, done = dev:stream(), dev:timeline()
---nd.zeros(4, "cuda", {stream = s})
---done:signal(s, 1)
---done.value                              -- => 0
---done:wait(1)
---done.value                              -- => 1
---```
---
---Raises unsupported.
---@return ndbuf.timeline # at 0
function device:timeline() end

---@class ndbuf.resource
---@field device string The device that the memory belongs to.
local resource = {}

---The counters of a resource. Those of the host, of pinned memory and of GPUs are of the whole
---process; those of a budget or of stats are of what went through it.
---
---The table has live (in use), pending (freed, but work in flight may still use it), cached (kept
---for later arrays), reserved (promised by reservations) and held, the part of pending that was
---exported to others (exchange). Each has bytes and count, and these current, peak and total, the
---sum of all that ever came. The peak of live includes pending bytes. requests are the arrays that
---asked this memory, not those that asked others on top of it, failed_takes those that got none,
---failed_frees the blocks that a driver refused to free. With a budget there are limit and
---remaining, with a log lost_records. What a GPU's driver frees in the order of a stream is
---pending for budgets, and given back for all others. What the driver itself keeps is in cached in
---bytes, not in blocks; its peak and sum are those of the calls of mem:stats.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1000)
---local a = nd.zeros({100}, "u8", mem)
---local s = mem:stats()
---s.live.bytes.current + s.remaining      -- => 1000
---s.live.count.total                      -- => 1
---```
---@return table
function resource:stats() end

---Begin and end a scope of counters. In a scope live begins at 0: mem:stats() tells what was taken
---and given back since. pop_stats returns that, and the scope around it has counted it as well.
---Scopes nest.
---
---```lua
---local mem = nd.memory.stats(nd.memory.host())
---local a = nd.zeros({64}, "u8", mem)
---mem:push_stats()
---nd.zeros({640}, "u8", mem):free()
---local s = mem:pop_stats().live.bytes
---s.current                               -- => 0
---s.peak                                  -- => 640
---mem:stats().live.bytes.peak             -- => 704
---```
---
---Raises unsupported, invalid_argument.
---@return table? # as mem:stats; push_stats returns nothing
function resource:push_stats() end

---Begin and end a scope of counters. In a scope live begins at 0: mem:stats() tells what was taken
---and given back since. pop_stats returns that, and the scope around it has counted it as well.
---Scopes nest.
---
---```lua
---local mem = nd.memory.stats(nd.memory.host())
---local a = nd.zeros({64}, "u8", mem)
---mem:push_stats()
---nd.zeros({640}, "u8", mem):free()
---local s = mem:pop_stats().live.bytes
---s.current                               -- => 0
---s.peak                                  -- => 640
---mem:stats().live.bytes.peak             -- => 704
---```
---
---Raises unsupported, invalid_argument.
---@return table? # as mem:stats; push_stats returns nothing
function resource:pop_stats() end

---Let the peaks of live begin again at what is in use now, and requests at 0.
---
---```lua
---local mem = nd.memory.stats(nd.memory.host())
---nd.zeros({64}, "u8", mem):free()
---mem:reset_peak()
---mem:stats().live.bytes.peak             -- => 0
---```
function resource:reset_peak() end

---Let the peaks of live begin again at what is in use now, and requests at 0.
---
---```lua
---local mem = nd.memory.stats(nd.memory.host())
---nd.zeros({64}, "u8", mem):free()
---mem:reset_peak()
---mem:stats().live.bytes.peak             -- => 0
---```
function resource:reset_requests() end

---trim gives what the resource keeps for later arrays back to the system, reap frees what was
---freed while work in flight used it, and is finished by now.
---
---```lua
---nd.memory.host():trim()
---nd.memory.host():stats().cached.bytes.current   -- => 0
---```
---
---Raises invalid_argument.
---@param keep? ndbuf.integer the number of bytes that may be kept
---@return integer # the number of bytes that were given back
function resource:trim(keep) end

---trim gives what the resource keeps for later arrays back to the system, reap frees what was
---freed while work in flight used it, and is finished by now.
---
---```lua
---nd.memory.host():trim()
---nd.memory.host():stats().cached.bytes.current   -- => 0
---```
---
---Raises invalid_argument.
---@return integer # the number of bytes that were given back
function resource:reap() end

---What the ring of a log has, that of the outermost such log of a stack. A record is a table:
---action as in the file, thread, time (seconds since 1970), pointer (0 where there is none),
---bytes, stream.
---
---```lua
---local mem = nd.memory.log(nd.memory.host(), {ring = 100})
---nd.zeros({1000}, "u8", mem):free()
---local records = mem:records()
---records[1].action                       -- => allocate
---records[2].bytes                        -- => 1000
---```
---
---Raises unsupported.
---@return table # a list, the oldest first
function resource:records() end

---Calls the functions of logs with what is recorded until now. As each call does so when it
---begins, it is only needed where no other call follows. A function that calls it gets nothing by
---that.
---
---```lua
---local sum = 0
---local mem = nd.memory.log(nd.memory.host(), function(r) sum = sum + r.bytes end)
---nd.zeros({1000}, "u8", mem):free()
---mem:flush()
---sum                                     -- => 2000
---```
---
---Raises unsupported.
function resource:flush() end

---The blocks that went through the track layer, the outermost of the stack, and did not come back
---yet, the oldest first. Each is a table: address, as a:address(); bytes; tag, the array's
---storage_id; generation, 1 for the first block that was taken; age in seconds; traceback, lines
---such as pipeline.lua:12: in load.
---
---```lua
---local mem = nd.memory.track(nd.memory.host())
---local a, b = nd.zeros({8}, "u8", mem), nd.zeros({16}, "u8", mem)
---a:free()
---#mem:outstanding()                      -- => 1
---mem:outstanding()[1].generation         -- => 2
---```
---
---Raises unsupported.
---@return table # a list
function resource:outstanding() end

---Waits for all work, looks at all blocks of a guard, the outermost of a stack, those in use as
---well as those that it keeps, gives the latter back, and empties the list of what was found. The
---fields: what, one of "before", "after", "use after free" and "overlap" (the memory was handed
---out twice); of the array address, bytes, tag (its storage_id), generation; offset of the first
---damaged byte; traceback, the lines that made the array. The list has room for 64; the field lost
---says how many more there were.
---
---```lua
---local ffi = require "ffi"
---local mem = nd.memory.guard(nd.memory.host())
---local a = nd.zeros({10}, "u8", mem)
---ffi.cast("uint8_t *", a:ptr())[-1] = 1
---local found = mem:verify()[1]
---found.what                              -- => before
---found.offset                            -- => -1
---found.tag == a.storage_id               -- => true
---#mem:verify()                           -- => 0
---```
---
---Raises unsupported.
---@return table # a list of tables, the oldest first; what was raised before is among them
function resource:verify() end

---Whether the budgets of a stack would let so many bytes pass now, without making room: what pools
---and guards keep, garbage, and what is still in flight on a stream count here, even where an
---array could have it. Other threads may take the bytes meanwhile.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1000)
---mem:check(900)                          -- => true
---(mem:check(1001))                       -- => false
---```
---@param bytes ndbuf.integer of one array
---@return boolean
---@return string? # true; or false, and which budget is short of what
function resource:check(bytes) end

---Gives a budget, the outermost of a stack, another limit. Below what is in use it refuses all
---arrays, but for those that a reservation pays for, until enough of them are freed.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1000)
---mem:set_limit "1MiB"
---mem:stats().limit                       -- => 1048576
---```
---
---Raises unsupported.
---@param limit ndbuf.integer|string as for nd.memory.budget
function resource:set_limit(limit) end

---Promises bytes of all budgets of the stack to a part of the program, before it begins. Others
---cannot take them meanwhile. Makes room as an array does.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1000)
---local reservation = mem:reserve(640)
---mem:stats().remaining                   -- => 360
---local a = reservation:use(nd.zeros, {512}, "u8", mem)
---reservation.remaining                   -- => 128
---reservation:release()
---mem:stats().remaining                   -- => 488
---```
---
---Raises budget_exceeded, unsupported.
---@param bytes ndbuf.integer how many
---@return ndbuf.reservation # what is left of it goes back by release, or with the object
function resource:reserve(bytes) end

---@class ndbuf.reservation
---@field remaining integer The bytes that are left of it; 0 once it was released.
local reservation = {}

---Calls fn(…). What is taken from the budgets meanwhile comes from the reservation as far as that
---goes, and then from what the budget has left. When it is freed, it is the budget's. What is
---allocated lazily (nd.empty of a large shape, or on a GPU) takes nothing here, but at its first
---use: {lazy = false} takes it now.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1000)
---local reservation = mem:reserve(1000)
---reservation:use(nd.ones, {100}, "u8", mem)[1]   -- => 1
---```
---@param fn fun(...): ... is called once
---@param ... any its arguments
---@return any ... # what it returns
function reservation:use(fn, ...) end

---Returns what is left of the reservation to the budgets; once, whatever the order of several.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1)
---local reservation = mem:reserve(1)
---reservation:release()
---mem:stats().remaining                   -- => 1
---```
function reservation:release() end

---@class ndbuf.stream
---@field id integer id is a number that no other stream of this process has or will have, priority the one with which the stream was made, 0 for those that ndbuf did not make.
---@field priority integer id is a number that no other stream of this process has or will have, priority the one with which the stream was made, 0 for those that ndbuf did not make.
---@field device ndbuf.device The GPU of the stream.
---@field handle integer The driver's CUstream, as a number, for other libraries, which may enqueue work of their own on it.
local stream = {}

---Waits until all work on the stream, or all that was before the event, is done. Another library's
---work on that stream counts, too.
---
---```lua
---local s = nd.device("cuda"):stream()
---nd.zeros(4, "cuda", {stream = s})
---s:synchronize()
---s:query()                               -- => true
---```
function stream:synchronize() end

---Whether all work on the stream, or all that was before the event, is done. Does not wait.
---
---```lua
---nd.device("cuda"):stream():query()      -- => true
---```
---@return boolean
function stream:query() end

---Marks the present end of a stream's work. An event stays valid when the stream is gone.
---
---```lua
---local s = nd.device("cuda"):stream()
---local a = nd.zeros(4, "cuda", {stream = s})
---local event = s:record()
---event:query()                           -- => false
---event:synchronize()
---event:query()                           -- => true
---```
---
---Raises invalid_argument.
---@param opts? ndbuf.opts.record by name
---@return ndbuf.event
function stream:record(opts) end

---Lets all later work on the stream wait for an event, of any stream of any GPU. The call itself
---does not wait. Arrays do not need it: work on the same bytes is ordered without it.
---
---```lua
---local dev = nd.device "cuda"
---local s, other = dev:stream(), dev:stream()
---local a = nd.zeros(4, "cuda", {stream = s})
---other:wait(s:record())
---other:synchronize()
---s:query()                               -- => true
---```
---
---Raises type_mismatch.
---@param event ndbuf.event from stream:record
function stream:wait(event) end

---@class ndbuf.event
---@field handle integer The driver's CUevent, as a number, for other libraries, whose streams may wait for it.
local event = {}

---Waits until all work on the stream, or all that was before the event, is done. Another library's
---work on that stream counts, too.
---
---```lua
---local s = nd.device("cuda"):stream()
---nd.zeros(4, "cuda", {stream = s})
---s:synchronize()
---s:query()                               -- => true
---```
function event:synchronize() end

---Whether all work on the stream, or all that was before the event, is done. Does not wait.
---
---```lua
---nd.device("cuda"):stream():query()      -- => true
---```
---@return boolean
function event:query() end

---The time from this event to another, in milliseconds, as measured by the GPU (to about half a
---microsecond). Both need timing, and are of one GPU; both have to be done, else stream_misuse is
---raised.
---
---```lua
---local s = nd.device("cuda"):stream()
---local first = s:record {timing = true}
---nd.zeros(1000, "cuda", {stream = s})
---local last = s:record {timing = true}
---last:synchronize()
---first:elapsed(last) >= 0                -- => true
---```
---
---Raises invalid_argument, stream_misuse.
---@param other ndbuf.event the later one; an earlier one gives a negative time
---@return number # milliseconds
function event:elapsed(other) end

---@class ndbuf.timeline
---@field value integer The greatest value that has been reached.
local timeline = {}

---Lets the timeline reach a value when all work that is on the stream now is done.
---
---```lua
---local done = nd.device("cuda"):timeline()
---done:signal(nd.current_stream(), 5)
---done:wait(3)                            -- 5 is enough
---done.value                              -- => 5
---```
---
---Raises invalid_argument, type_mismatch.
---@param stream ndbuf.stream of any GPU
---@param value ndbuf.integer greater than that of every signal before, up to 2^53
function timeline:signal(stream, value) end

---Whether the timeline has reached a value. Does not wait.
---
---```lua
---nd.device("cuda"):timeline():reached(0) -- => true
---```
---
---Raises invalid_argument.
---@param value ndbuf.integer from 0 to 2^53
---@return boolean
function timeline:reached(value) end

---Waits until the timeline has reached a value.
---
---```lua
---local done = nd.device("cuda"):timeline()
---done:wait(1, {timeout = 0.01})          -- => error: value: the timeline has not reached 1
---```
---
---Raises timeout, stream_misuse, invalid_argument.
---@param value ndbuf.integer from 0 to 2^53
---@param opts? ndbuf.opts.wait by name
function timeline:wait(value, opts) end

---@class ndbuf.dtype
---@overload fun(values: ndbuf.values|ffi.cdata*, device?: ndbuf.devicelike|ndbuf.opts.dtypes, opts?: ndbuf.opts.dtypes): ndbuf.array
---@field name string The name of the dtype, and its kind: bool, int, uint, float or complex.
---@field kind string The name of the dtype, and its kind: bool, int, uint, float or complex.
---@field itemsize integer The size of an element in bytes.
local dtype = {}

---@class ndbuf.column
---@field format string|integer Of a held column its type, as Arrow writes it, and its rows, which are #column, too.
---@field length string|integer Of a held column its type, as Arrow writes it, and its rows, which are #column, too.
local column = {}

---@class ndbuf.array
---@field dtype ndbuf.dtypename The name of the dtype.
---@field device string The name of the device on which the elements are.
---@field shape integer[] The extents, and the distance from one element to the next along each axis in bytes.
---@field byte_strides integer[] The extents, and the distance from one element to the next along each axis in bytes.
---@field strides number[] The distance from one element to the next along each axis, in elements.
---@field ndim integer The number of axes, the number of elements, the size of an element in bytes, and the size of all elements in bytes.
---@field size integer The number of axes, the number of elements, the size of an element in bytes, and the size of all elements in bytes.
---@field itemsize integer The number of axes, the number of elements, the size of an element in bytes, and the size of all elements in bytes.
---@field nbytes integer The number of axes, the number of elements, the size of an element in bytes, and the size of all elements in bytes.
---@field offset integer The position of the first element in bytes from the beginning of the storage, and the size of the whole storage in bytes.
---@field total_bytes integer The position of the first element in bytes from the beginning of the storage, and the size of the whole storage in bytes.
---@field id integer A number that identifies this handle, and a number that identifies its storage; all views of one storage have the same storage_id.
---@field storage_id integer A number that identifies this handle, and a number that identifies its storage; all views of one storage have the same storage_id.
---@field is_allocated boolean Whether the memory has been allocated (see nd.empty); whether the elements lie in row-major order without gaps; whether the array shows only a part of its storage, or shows it in another order; whether writes are refused; whether the memory belongs to other code (nd.wrap, nd.from_dlpack, nd.from_arrow).
---@field is_contiguous boolean Whether the memory has been allocated (see nd.empty); whether the elements lie in row-major order without gaps; whether the array shows only a part of its storage, or shows it in another order; whether writes are refused; whether the memory belongs to other code (nd.wrap, nd.from_dlpack, nd.from_arrow).
---@field is_view boolean Whether the memory has been allocated (see nd.empty); whether the elements lie in row-major order without gaps; whether the array shows only a part of its storage, or shows it in another order; whether writes are refused; whether the memory belongs to other code (nd.wrap, nd.from_dlpack, nd.from_arrow).
---@field readonly boolean Whether the memory has been allocated (see nd.empty); whether the elements lie in row-major order without gaps; whether the array shows only a part of its storage, or shows it in another order; whether writes are refused; whether the memory belongs to other code (nd.wrap, nd.from_dlpack, nd.from_arrow).
---@field is_external boolean Whether the memory has been allocated (see nd.empty); whether the elements lie in row-major order without gaps; whether the array shows only a part of its storage, or shows it in another order; whether writes are refused; whether the memory belongs to other code (nd.wrap, nd.from_dlpack, nd.from_arrow).
---@field T ndbuf.array The transposed array: all axes in reverse order.
---@field real ndbuf.array The real and imaginary parts of a complex array.
---@field imag ndbuf.array The real and imaginary parts of a complex array.
---@operator len: integer
---@field [integer|table|ndbuf.array] any
---@overload fun(index: ndbuf.index): any
---@overload fun(i: ndbuf.index, ...: any): any
local array = {}

---The lower or upper triangle of the last two axes: a copy with zeros above, or below, a diagonal.
---The methods with a trailing _ set those elements of a to 0.
---
---```lua
---nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
---nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
---nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
---```
---
---Raises shape_mismatch, invalid_argument, read_only, overlap.
---@param k? ndbuf.integer|ndbuf.opts.tril the offset of the diagonal, which is part of the triangle; positive above the main one, negative below; it may lie outside
---@param opts? ndbuf.opts.tril by name
---@return ndbuf.array # new, with the shape and dtype of a, or opts.out; in place, a
function array:tril(k, opts) end

---The lower or upper triangle of the last two axes: a copy with zeros above, or below, a diagonal.
---The methods with a trailing _ set those elements of a to 0.
---
---```lua
---nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
---nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
---nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
---```
---
---Raises shape_mismatch, invalid_argument, read_only, overlap.
---@param k? ndbuf.integer the offset of the diagonal, which is part of the triangle; positive above the main one, negative below; it may lie outside
---@return ndbuf.array # new, with the shape and dtype of a, or opts.out; in place, a
function array:tril_(k) end

---The lower or upper triangle of the last two axes: a copy with zeros above, or below, a diagonal.
---The methods with a trailing _ set those elements of a to 0.
---
---```lua
---nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
---nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
---nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
---```
---
---Raises shape_mismatch, invalid_argument, read_only, overlap.
---@param k? ndbuf.integer|ndbuf.opts.tril the offset of the diagonal, which is part of the triangle; positive above the main one, negative below; it may lie outside
---@param opts? ndbuf.opts.tril by name
---@return ndbuf.array # new, with the shape and dtype of a, or opts.out; in place, a
function array:triu(k, opts) end

---The lower or upper triangle of the last two axes: a copy with zeros above, or below, a diagonal.
---The methods with a trailing _ set those elements of a to 0.
---
---```lua
---nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
---nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
---nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
---```
---
---Raises shape_mismatch, invalid_argument, read_only, overlap.
---@param k? ndbuf.integer the offset of the diagonal, which is part of the triangle; positive above the main one, negative below; it may lie outside
---@return ndbuf.array # new, with the shape and dtype of a, or opts.out; in place, a
function array:triu_(k) end

---The extent of one axis, without making a table as a.shape does.
---
---```lua
---nd.zeros(3, 4):dim(-1)                  -- => 4
---```
---
---Raises index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@return integer # 0 or more
function array:dim(axis) end

---Whether both arrays have the same dtype, the same shape and equal values; NaN equals nothing.
---
---```lua
---nd.f64 {1, 2}:equal(nd.f64 {1, 2})      -- => true
---nd.f64 {1, 2}:equal(nd.f32 {1, 2})      -- => false
---nd.f64 {0/0}:equal(nd.f64 {0/0})        -- => false
---```
---
---Raises shape_mismatch.
---@param b ndbuf.array|table a table is an array of f64
---@return boolean
function array:equal(b) end

---An iterator along axis 1 for for loops. It gives the index, and the element of a 1-D array or a
---view of any other array. (ipairs does not work on userdata in Lua 5.1.)
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
---@return integer # the three values that for expects
function array:iter() end

---An iterator along an axis for for loops, which gives the index and one array that moves along
---the axis: the same object each time, so that a loop makes no garbage. Compiled, a step takes a
---few nanoseconds. The array is a view, as of a:select(axis, i), on which everything works.
---row:clone() keeps a copy of it, a:select(axis, i) is a view that stays, and so are views made of
---it, such as row:narrow(…). After the loop it stays where it was last.
---
---```lua
---local m = nd.array {{1, 2}, {3, 4}}
---local sum = 0
---for i, row in m:rows() do sum = sum + i * row[2] end
---sum                                     -- => 10
---for _, column in m:rows(2) do column:sub_(column:mean()) end
---m                                       -- => [[-1, -1], [1, 1]]
---for _, window in nd.arange(1, 5):unfold(1, 3, 1):rows() do sum = sum + window:max() end
---sum                                     -- => 22
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis? ndbuf.integer 1 to ndim, or negative
---@return fun(a: ndbuf.array, i: integer): integer, any
---@return ndbuf.array
---@return integer # the three values that for expects
function array:rows(axis) end

---All entries along axis 1 as separate values: the elements of a 1-D array, views of any other
---array.
---
---```lua
---nd.f64 {1, 2, 3}:unpack()               -- => 1, 2, 3
---```
---
---Raises invalid_argument, capacity.
---@return any ... # up to 7000 values
function array:unpack() end

---The element at these indices, or a view if there are fewer indices than axes. Like a[i], these
---calls are compiled to machine code in loops.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---a:get(2, -1), a(1, 1)                   -- => 6, 1
---a(2)                                    -- => [4, 5, 6]
---a(3, 1)                                 -- => error: index 3 is out of range for axis 1 of size 2
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument.
---@param i ndbuf.index one integer for each axis, beginning with axis 1; ranges, slice strings, index arrays and masks are accepted, too; a single argument may be anything that may stand in brackets; nils at the end count as not given
---@param ... any
---@return any # an element or a view, for index arrays and masks a copy
function array:get(i, ...) end

---Assigns to the element at these indices, or to the whole view if there are fewer indices than
---axes. It is compiled to machine code in loops, too.
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

---Like a[index], but always a view: where a[index] is an element, the view is 0-d.
---
---```lua
---local a = nd.zeros(2, 3)
---a:slice({1, 1}).ndim                    -- => 0
---a:slice "1, _, 2:3".shape               -- => {1, 2}
---```
---
---Raises type_mismatch, index_out_of_range, invalid_argument.
---@param index string|table a slice string, or the same as a table
---@return ndbuf.array # a view
function array:slice(index) end

---A copy of the entries at the given positions along an axis, or of those that a mask selects, as
---a[mask], from that axis on.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---a:take({3, 1}, 2)                       -- => [[3, 1], [6, 4]]
---a:take(-1)                              -- => [4, 5, 6]
---a:take(a:gt(2))                         -- => [3, 4, 5, 6]
---a:take(nd.array({true, false, true}, "bool"), 2)    -- => [[1, 3], [4, 6]]
---a:take(a:gt(3), {out = nd.zeros(3, "u8")})  -- => [4, 5, 6]
---a:take {3}                              -- => error: take: index 3 (position 1) is out of range
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param index ndbuf.integer|integer[]|ndbuf.array 1-based, negative from the end; a table may be nested. Or a mask: an array of bool, with the extents of the axis and of those behind it
---@param axis? ndbuf.integer|table|ndbuf.opts.take 1 to ndim, or negative; or {axis = …}
---@param opts? ndbuf.opts.take by name
---@return ndbuf.array # a copy; the axes of index replace the axis, those of a mask become one, with an entry for each of its elements that is true; or opts.out
function array:take(index, axis, opts) end

---Writes values to the given positions along axis 1. If a position occurs several times, the last
---value is kept. All indices are checked before the first write.
---
---```lua
---nd.zeros(4):put({2, -1}, {5, 6})        -- => [0, 5, 0, 6]
---nd.zeros(4):put({0, 2}, {5, 6}, {base = 0})  -- => [5, 0, 6, 0]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, invalid_argument, read_only, overlap,
---index_out_of_range.
---@param index ndbuf.integer|integer[]|ndbuf.array as for a:take
---@param values ndbuf.values converted, and broadcast to the shape that a:take(index) has
---@param opts? ndbuf.opts.put by name
---@return ndbuf.array # a
function array:put(index, values, opts) end

---Adds values to the entries at the given positions along an axis. If a position occurs several
---times, all its values are added.
---
---```lua
---nd.zeros(3):index_add(1, {1, 1, 3}, {1, 2, 3})  -- => [3, 0, 3]
---nd.zeros(3):index_add(1, {0, 2}, 1, {base = 0})  -- => [1, 0, 1]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, invalid_argument, read_only, overlap,
---index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index ndbuf.integer|integer[]|ndbuf.array as for a:take
---@param values ndbuf.values broadcast to the shape that a:take(index, axis) has; arrays and tables are converted; a single value must be exactly representable in the dtype, or is rounded if that is a float
---@param opts? ndbuf.opts.index_add by name
---@return ndbuf.array # a
function array:index_add(axis, index, values, opts) end

---The elements that index names along an axis, each in its own line: out(i, j) is a(index(i, j),
---j) for axis 1, a(i, index(i, j)) for axis 2.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---a:gather(2, {{3, 1}, {2, -1}})          -- => [[3, 1], [5, 6]]
---a:gather(1, {{2, 1, 2}})                -- => [[4, 2, 6]]
---a:gather(2, {{4}})                      -- => error: gather: index 4 (position 1) is out of range
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:take; with the axes of a, on the other axes at most as long
---@param opts? ndbuf.opts.gather by name
---@return ndbuf.array # a copy, of the shape of index; or opts.out
function array:gather(axis, index, opts) end

---A copy of a with values written, or added, to the elements that a:gather(axis, index) takes. If
---a position occurs several times, the last value is kept, or all are added.
---
---```lua
---local a = nd.zeros(2, 3)
---a:scatter(2, {{3}, {1}}, {{5}, {6}})        -- => [[0, 0, 5], [6, 0, 0]]
---a:scatter_add(2, {{1, 1}, {2, 3}}, 1)       -- => [[2, 0, 0], [0, 1, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:gather
---@param src ndbuf.values broadcast to the shape of index, and converted; a single value that is added must be exactly representable, as for a:index_add
---@param opts? ndbuf.opts.scatter by name
---@return ndbuf.array # a copy; or opts.out
function array:scatter(axis, index, src, opts) end

---A copy of a with values written, or added, to the elements that a:gather(axis, index) takes. If
---a position occurs several times, the last value is kept, or all are added.
---
---```lua
---local a = nd.zeros(2, 3)
---a:scatter(2, {{3}, {1}}, {{5}, {6}})        -- => [[0, 0, 5], [6, 0, 0]]
---a:scatter_add(2, {{1, 1}, {2, 3}}, 1)       -- => [[2, 0, 0], [0, 1, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:gather
---@param src ndbuf.values broadcast to the shape of index, and converted; a single value that is added must be exactly representable, as for a:index_add
---@param opts? ndbuf.opts.scatter by name
---@return ndbuf.array # a copy; or opts.out
function array:scatter_add(axis, index, src, opts) end

---The same in place. All indices are checked before the first write.
---
---```lua
---nd.zeros(2, 2):scatter_(1, {{2, 1}}, 7)     -- => [[0, 7], [7, 0]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:gather
---@param src ndbuf.values as for a:scatter
---@return ndbuf.array # a
function array:scatter_(axis, index, src) end

---The same in place. All indices are checked before the first write.
---
---```lua
---nd.zeros(2, 2):scatter_(1, {{2, 1}}, 7)     -- => [[0, 7], [7, 0]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:gather
---@param src ndbuf.values as for a:scatter
---@return ndbuf.array # a
function array:scatter_add_(axis, index, src) end

---As a:gather, but on the other axes a and index broadcast: a:take_along(a:argsort()) is a:sort(),
---and an index of extent 1 there is used for all places.
---
---```lua
---local a = nd.array {{3, 1, 2}, {5, 6, 4}}
---a:take_along(a:argsort())               -- => [[1, 2, 3], [4, 5, 6]]
---a:take_along({{1, 3}})                  -- => [[3, 2], [5, 4]]
---a:take_along({{2, 1, 1}}, 1)            -- => [[5, 1, 2]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param index integer[]|ndbuf.array as for a:take; with as many axes as a
---@param axis? ndbuf.integer|table|ndbuf.opts.take_along 1 to ndim, or negative; or {axis = …}
---@param opts? ndbuf.opts.take_along by name
---@return ndbuf.array # a copy; or opts.out
function array:take_along(index, axis, opts) end

---Writes values to the elements that a:take_along(index, axis) takes. If a position occurs several
---times, the last value is kept. All indices are checked before the first write.
---
---```lua
---nd.zeros(2, 3):put_along({{3}, {1}}, 7)     -- => [[0, 0, 7], [7, 0, 0]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param index integer[]|ndbuf.array as for a:take_along
---@param values ndbuf.values converted, and broadcast to the shape that a:take_along(index, axis) has
---@param axis? ndbuf.integer|table 1 to ndim, or negative; or {axis = …}
---@return ndbuf.array # a
function array:put_along(index, values, axis) end

---The same elements, in row-major order, with another shape. If the strides of the array do not
---allow a view of that shape, the call raises an error rather than copy silently.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, -1)
---a                                       -- => [[1, 2, 3], [4, 5, 6]]
---a.T:reshape(6)                          -- => error: cannot view f64 (3x2) in another shape
---a.T:reshape({6}, {copy = true})         -- => [1, 4, 2, 5, 3, 6]
---```
---
---Raises size_mismatch, invalid_view, invalid_argument.
---@param shape integer[]|ndbuf.integer one extent may be -1; it follows from the others
---@param opts? ndbuf.opts.reshape by name
---@return ndbuf.array # a view; with opts.copy, a copy where a view is not possible
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

---All axes in reverse order, as a.T.
---
---```lua
---nd.array({{1, 2}, {3, 4}}):transpose()  -- => [[1, 3], [2, 4]]
---```
---
---Raises invalid_argument.
---@return ndbuf.array # a view
function array:transpose() end

---The axes in another order.
---
---```lua
---nd.zeros(2, 3, 4):permute(2, 1, 3).shape    -- => {3, 2, 4}
---```
---
---Raises invalid_argument, index_out_of_range.
---@param axes integer[]|ndbuf.integer the axes in their new order, each axis once
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

---Moves axes to other positions. The other axes stay in their order.
---
---```lua
---nd.zeros(2, 3, 4):moveaxis(1, -1).shape     -- => {3, 4, 2}
---nd.zeros(2, 3, 4):moveaxis({1, 2}, {3, 1}).shape    -- => {3, 4, 2}
---```
---
---Raises index_out_of_range, shape_mismatch, invalid_argument.
---@param source ndbuf.integer|integer[] the axes to move, 1 to ndim, or negative
---@param destination ndbuf.integer|integer[] their positions in the result
---@return ndbuf.array # a view
function array:moveaxis(source, destination) end

---The count entries of an axis that begin with first.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:narrow(2, 2, 2)                       -- => [[2, 3], [5, 6]]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param first ndbuf.integer an index of the axis; for a count of 0 also the position after the last
---@param count ndbuf.integer 0 or more
---@return ndbuf.array # a view
function array:narrow(axis, first, count) end

---One entry of an axis. The result does not have that axis.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:select(2, -1)                         -- => [3, 6]
---```
---
---Raises index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param i ndbuf.integer an index of the axis
---@return ndbuf.array # a view; 0-d for a 1-D array
function array:select(axis, i) end

---Removes all axes of extent 1, or one of them.
---
---```lua
---nd.zeros(1, 3, 1):squeeze().shape       -- => {3}
---nd.zeros(1, 3, 1):squeeze(1).shape      -- => {3, 1}
---```
---
---Raises shape_mismatch, index_out_of_range.
---@param axis? ndbuf.integer the axis to remove; by default all axes of extent 1
---@return ndbuf.array # a view
function array:squeeze(axis) end

---Inserts a new axis of extent 1.
---
---```lua
---nd.zeros(3):unsqueeze(2).shape          -- => {3, 1}
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis ndbuf.integer the position of the new axis in the result, 1 to ndim + 1, or negative
---@return ndbuf.array # a view
function array:unsqueeze(axis) end

---Broadcasts to a larger shape: axes of extent 1, and new axes in front, are repeated by a stride
---of 0.
---
---```lua
---nd.f64 {1, 2}:expand(2, -1)             -- => [[1, 2], [1, 2]]
---```
---
---Raises shape_mismatch, invalid_argument.
---@param shape integer[]|ndbuf.integer -1 keeps an extent
---@return ndbuf.array # a view; read-only if anything is repeated, since one element then has many positions
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer): ndbuf.array
function array:expand(shape) end

---Sliding windows along an axis. The axis then counts the windows, and a new last axis has the
---entries of each window.
---
---```lua
---nd.arange(5):unfold(1, 3, 2)            -- => [[1, 2, 3], [3, 4, 5]]
---```
---
---Raises index_out_of_range, invalid_argument.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param size ndbuf.integer the number of entries in a window, 1 to the extent
---@param step? ndbuf.integer the distance from one window to the next, 1 or more
---@return ndbuf.array # a view; windows share elements if step is less than size
function array:unfold(axis, size, step) end

---The diagonal of the last two axes, as a new last axis.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:diagonal(), a:diagonal(-1)(1)         -- => f64 2 cpu [1, 5], 4
---```
---
---Raises shape_mismatch, index_out_of_range.
---@param k? ndbuf.integer the offset from the main diagonal; positive above it, negative below
---@return ndbuf.array # a view with one axis less
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
---@param axes? integer[]|ndbuf.integer by default all axes
---@return ndbuf.array # a view
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer): ndbuf.array
---@overload fun(self: ndbuf.array, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer): ndbuf.array
function array:flip(axes) end

---The same bytes interpreted as another dtype. If the element size differs, the extent of the last
---axis changes, and that axis must be contiguous.
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

---The bytes of the array, from those of its first element to those of its last, without the rest
---of its storage.
---
---```lua
---nd.u16 {1, 2, 3}"2:":bytes()            -- => [2, 0, 3, 0]
---nd.u16 {1, 2, 3}:bytes(2, 2)            -- => [2, 0]
---```
---
---Raises out_of_bounds, invalid_argument, invalid_view.
---@param offset? ndbuf.integer the first byte of the view, counted from 0 at the first byte of the array
---@param size? ndbuf.integer the number of bytes; by default all that follow
---@return ndbuf.array # a view, 1-D, u8
function array:bytes(offset, size) end

---The bytes of the whole storage, also those that are not part of the array.
---
---```lua
---nd.u16 {1, 2, 3}"2:":storage_bytes()    -- => [1, 0, 2, 0, 3, 0]
---```
---@return ndbuf.array # a view, 1-D, u8
function array:storage_bytes() end

---Splits an axis into parts of the given sizes, or into count parts of nearly equal size; if the
---extent is not a multiple of count, the first parts are longer by one.
---
---```lua
---nd.arange(5):split(1, 2)[1]             -- => [1, 2, 3]
---nd.arange(5):split(1, {1, 4})[2]        -- => [2, 3, 4, 5]
---```
---
---Raises shape_mismatch, size_mismatch, invalid_argument, index_out_of_range.
---@param axis ndbuf.integer 1 to ndim, or negative
---@param sizes integer[] the sizes of the parts; their sum is the extent of the axis
---@return ndbuf.array[] # a table of views
---@overload fun(self: ndbuf.array, axis: ndbuf.integer, count: ndbuf.integer): ndbuf.array[]
function array:split(axis, sizes) end

---The entries of an axis as several values, the counterpart of nd.stack. The results do not have
---that axis.
---
---```lua
---local x, y = nd.unstack({{1, 2, 3}, {4, 5, 6}}, 1)
---y                                       -- => [4, 5, 6]
---```
---
---Raises shape_mismatch, index_out_of_range, capacity.
---@param axis? ndbuf.integer|table 1 to ndim, or negative; or {axis = …}
---@return ndbuf.array ... # views, as many as the axis has entries
function array:unstack(axis) end

---A view of the storage with any shape and strides that stay within it.
---
---```lua
---nd.arange(6):as_strided({3, 2}, {16, 8}, 0)     -- => [[1, 2], [3, 4], [5, 6]]
---```
---
---Raises out_of_bounds, shape_mismatch, invalid_argument.
---@param shape integer[] the extents
---@param byte_strides integer[] one stride for each extent, in bytes, of any sign
---@param offset? ndbuf.integer the position of the first element in the storage, in bytes; by default a.offset
---@return ndbuf.array # a view; if its elements share memory, it cannot be written to
function array:as_strided(shape, byte_strides, offset) end

---A view of the whole array that refuses writes.
---
---```lua
---nd.zeros(2, 3):readonly_view():fill(0)  -- => error: the f64 array (2x3) is read-only
---```
---@return ndbuf.array # a view
function array:readonly_view() end

---A contiguous copy.
---
---```lua
---local a = nd.array {{1, 2}, {3, 4}}
---a.T:clone().byte_strides                -- => {16, 8}
---```
---@return ndbuf.array # a copy, contiguous
function array:clone() end

---The array itself if its elements lie in row-major order without gaps, otherwise a contiguous
---copy.
---
---```lua
---local a = nd.array {{1, 2}, {3, 4}}
---a:contiguous() == a, a.T:contiguous() == a.T    -- => true, false
---```
---@return ndbuf.array # a, or a copy
function array:contiguous() end

---A copy that is converted to another dtype.
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
---@return ndbuf.array # a copy, also where the dtype is the same
function array:astype(dtype, opts) end

---The array converted to a dtype, or copied to a device; the array itself if it has that dtype or
---is on that device already.
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

---Writes an array, a table or a value into a. Source and destination may overlap.
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
---@param source string|ffi.cdata* cdata is a pointer or an array; GPU addresses are not accepted
---@param nbytes? ndbuf.integer|ndbuf.opts.copyin the number of bytes, exactly a.nbytes; required if source is a pointer
---@param opts? ndbuf.opts.copyin by name
---@return ndbuf.array # a
function array:copyin(source, nbytes, opts) end

---Copies the raw bytes of the elements, in row-major order, to a string or into cdata.
---
---```lua
---nd.u8 {97, 98}:copyout()                -- => ab
---local target = require "ffi".new "uint8_t[2]"
---nd.u8 {97, 98}:copyout(target)
---target[1]                               -- => 98
---```
---
---Raises size_mismatch, out_of_bounds, invalid_argument, capacity.
---@return string|ndbuf.array # the string; a if there is a target
---@overload fun(self: ndbuf.array, target: ffi.cdata*, nbytes?: ndbuf.integer|ndbuf.opts.copyout, opts?: ndbuf.opts.copyout): string|ndbuf.array
function array:copyout() end

---Sets every element to a value.
---
---```lua
---nd.zeros(2, "u8"):fill(300)             -- => [255, 255]
---```
---
---Raises type_mismatch, read_only, overlap.
---@param value ndbuf.value converted, saturating
---@param opts? ndbuf.opts.fill by name
---@return ndbuf.array # a
function array:fill(value, opts) end

---All elements in nested tables.
---
---```lua
---nd.array({{1, 2}, {3, 4}}):totable()    -- => {{1, 2}, {3, 4}}
---```
---
---Raises capacity.
---@return table # for a 0-d array, the element
function array:totable() end

---The element of an array that has exactly one.
---
---```lua
---nd.f64 {5}:item()                       -- => 5
---```
---
---Raises size_mismatch.
---@return any
function array:item() end

---A copy with the bytes of each element reversed; for complex arrays, the bytes of each part.
---
---```lua
---nd.u16 {1}:byteswap()                   -- => [256]
---```
---@return ndbuf.array # a copy
function array:byteswap() end

---Repeats the whole array along its axes.
---
---```lua
---nd.f64 {1, 2}:tile(2)                   -- => [1, 2, 1, 2]
---nd.f64 {1, 2}:tile(2, 1)                -- => [[1, 2], [1, 2]]
---```
---
---Raises invalid_argument, shape_mismatch, read_only, overlap.
---@param counts integer[]|ndbuf.integer repetitions along the last axes; if there are more counts than axes, new axes are added in front
---@param opts? ndbuf.opts.tile by name
---@return ndbuf.array # a copy; or opts.out
---@overload fun(self: ndbuf.array, c1: ndbuf.integer, c2: ndbuf.integer, opts?: ndbuf.opts.tile): ndbuf.array
---@overload fun(self: ndbuf.array, c1: ndbuf.integer, c2: ndbuf.integer, c3: ndbuf.integer, opts?: ndbuf.opts.tile): ndbuf.array
---@overload fun(self: ndbuf.array, c1: ndbuf.integer, c2: ndbuf.integer, c3: ndbuf.integer, c4: ndbuf.integer, opts?: ndbuf.opts.tile): ndbuf.array
function array:tile(counts, opts) end

---Repeats each entry along an axis.
---
---```lua
---nd.f64 {1, 2}:repeat_interleave(2)      -- => [1, 1, 2, 2]
---nd.f64 {5, 6, 7}:repeat_interleave {2, 0, 1}    -- => [5, 5, 7]
---```
---
---Raises invalid_argument, shape_mismatch, read_only, overlap, type_mismatch, index_out_of_range.
---@param n ndbuf.integer|table|ndbuf.array 0 or more; as a table or an array of integers, a count for each entry of the axis, or one for all
---@param axis? ndbuf.integer|table|ndbuf.opts.repeat_interleave 1 to ndim, or negative; or {axis = …}; optional for 1-D arrays only
---@param opts? ndbuf.opts.repeat_interleave by name
---@return ndbuf.array # a copy; or opts.out
function array:repeat_interleave(n, axis, opts) end

---Moves entries by n places toward the end of an axis; entries past the end reappear at the front.
---
---```lua
---nd.f64 {1, 2, 3}:roll(1)                -- => [3, 1, 2]
---```
---
---Raises type_mismatch, index_out_of_range.
---@param n ndbuf.integer any integer; negative ones move toward the front
---@param axis? ndbuf.integer 1 to ndim, or negative; optional for 1-D arrays only
---@return ndbuf.array # a copy
function array:roll(n, axis) end

---A copy with additional entries before and after those of each axis.
---
---```lua
---nd.f64 {1, 2}:pad({{1, 0}}, 9)          -- => [9, 1, 2]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch.
---@param widths ndbuf.integer|table a number for all sides, or a table with {before, after} for each axis
---@param value? ndbuf.value the value of the new elements
---@return ndbuf.array # a copy
function array:pad(widths, value) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:add(b, opts) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:add_(b) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sub(b, opts) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:sub_(b) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:mul(b, opts) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:mul_(b) end

---Quotient. Integers and bool give f64.
---
---```lua
---nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
---nd.f32 {1, 0} / 0                       -- => [inf, nan]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:div(b, opts) end

---Quotient. Integers and bool give f64.
---
---```lua
---nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
---nd.f32 {1, 0} / 0                       -- => [inf, nan]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:div_(b) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:idiv(b, opts) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:idiv_(b) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:mod(b, opts) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:mod_(b) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:remainder(b, opts) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:remainder_(b) end

---Remainder of the division that is truncated toward 0; it has the sign of the dividend and is
---exact. mod has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:fmod(3)                  -- => [1, -1]
---nd.f64 {5.5, -5.5}:fmod(-2)             -- => [1.5, -1.5]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:fmod(b, opts) end

---Remainder of the division that is truncated toward 0; it has the sign of the dividend and is
---exact. mod has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:fmod(3)                  -- => [1, -1]
---nd.f64 {5.5, -5.5}:fmod(-2)             -- => [1.5, -1.5]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:fmod_(b) end

---Power. For integers the result wraps modulo 2^n, and the exponent must not be negative. Complex
---numbers are multiplied for whole exponents up to 100, and neither overflow nor underflow on the
---way; other powers are exp(b * log(a)), where 0 to the power of what has no positive real part is
---NaN, except that anything to the power of 0 is 1. A real number that is infinite has real whole
---powers.
---
---```lua
---nd.i32 {2, 3} ^ 3                       -- => [8, 27]
---nd.c64 {1i, -2} ^ 2                     -- => [-1+0i, 4-0i]
---nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:pow(b, opts) end

---Power. For integers the result wraps modulo 2^n, and the exponent must not be negative. Complex
---numbers are multiplied for whole exponents up to 100, and neither overflow nor underflow on the
---way; other powers are exp(b * log(a)), where 0 to the power of what has no positive real part is
---NaN, except that anything to the power of 0 is 1. A real number that is infinite has real whole
---powers.
---
---```lua
---nd.i32 {2, 3} ^ 3                       -- => [8, 27]
---nd.c64 {1i, -2} ^ 2                     -- => [-1+0i, 4-0i]
---nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:pow_(b) end

---The length of the hypotenuse, sqrt(a * a + b * b), with an error of at most 1 unit in the last
---place, and no overflow on the way. It is infinite where one side is, even if the other is NaN.
---Integers and bool compute in f64.
---
---```lua
---nd.f64 {3, 3e300}:hypot(nd.f64 {4, 4e300})  -- => [5, 5e+300]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:hypot(b, opts) end

---The length of the hypotenuse, sqrt(a * a + b * b), with an error of at most 1 unit in the last
---place, and no overflow on the way. It is infinite where one side is, even if the other is NaN.
---Integers and bool compute in f64.
---
---```lua
---nd.f64 {3, 3e300}:hypot(nd.f64 {4, 4e300})  -- => [5, 5e+300]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:hypot_(b) end

---a * b + c, rounded once. Integers and bool compute in f64; the small floats in f32, from which
---they are rounded like any result.
---
---```lua
---nd.f64 {2, 3}:fma(10, nd.f64 {1, 2})    -- => [21, 32]
---nd.fma(nd.f64 {1 + 2 ^ -52}, 1 - 2 ^ -52, -1) * 2 ^ 104     -- => [-1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param c ndbuf.array|ndbuf.value broadcast, too
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:fma(b, c, opts) end

---a * b + c, rounded once. Integers and bool compute in f64; the small floats in f32, from which
---they are rounded like any result.
---
---```lua
---nd.f64 {2, 3}:fma(10, nd.f64 {1, 2})    -- => [21, 32]
---nd.fma(nd.f64 {1 + 2 ^ -52}, 1 - 2 ^ -52, -1) * 2 ^ 104     -- => [-1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param c ndbuf.array|ndbuf.value broadcast, too
---@return ndbuf.array
function array:fma_(b, c) end

---The magnitude of a with the sign of b, also of zeros and NaN. Integers and bool compute in f64.
---
---```lua
---nd.f64 {1, 2}:copysign(nd.f64 {-0.0, 3})    -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:copysign(b, opts) end

---The magnitude of a with the sign of b, also of zeros and NaN. Integers and bool compute in f64.
---
---```lua
---nd.f64 {1, 2}:copysign(nd.f64 {-0.0, 3})    -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:copysign_(b) end

---The next number of the dtype after a in the direction of b; b where they are equal. Integers and
---bool compute in f64.
---
---```lua
---nd.f32 {1}:nextafter(2) - 1             -- => f32 1 cpu [1.1920929e-07]
---nd.f16 {1, 0}:nextafter(-1):lt(nd.f16 {1, 0})   -- => [true, true]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:nextafter(b, opts) end

---The next number of the dtype after a in the direction of b; b where they are equal. Integers and
---bool compute in f64.
---
---```lua
---nd.f32 {1}:nextafter(2) - 1             -- => f32 1 cpu [1.1920929e-07]
---nd.f16 {1, 0}:nextafter(-1):lt(nd.f16 {1, 0})   -- => [true, true]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:nextafter_(b) end

---Whether the sign is negative; unlike a:lt(0) it tells -0 from 0, and NaN with a sign from NaN
---without.
---
---```lua
---nd.f64 {-0.0, 0, -3}:signbit()          -- => [true, false, true]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:signbit(opts) end

---Whether the sign is negative; unlike a:lt(0) it tells -0 from 0, and NaN with a sign from NaN
---without.
---
---```lua
---nd.f64 {-0.0, 0, -3}:signbit()          -- => [true, false, true]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:signbit_() end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:neg(opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:neg_() end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:abs(opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:abs_() end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:conj(opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:conj_() end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sign(opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sign_() end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:square(opts) end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:square_() end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:reciprocal(opts) end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:reciprocal_() end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sqrt(opts) end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sqrt_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:cbrt(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:cbrt_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:exp(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:exp_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:expm1(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:expm1_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:log(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:log_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:log2(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:log2_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:log10(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:log10_() end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:log1p(opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:log1p_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sin(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sin_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:cos(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:cos_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:tan(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:tan_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:asin(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:asin_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:acos(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:acos_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:atan(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:atan_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:sinh(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:sinh_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:cosh(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:cosh_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:tanh(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:tanh_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:asinh(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:asinh_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:acosh(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:acosh_() end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:atanh(opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:atanh_() end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:erf(opts) end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:erf_() end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:erfc(opts) end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:erfc_() end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:lgamma(opts) end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:lgamma_() end

---The angle of the point whose y is a and whose x is b, -π to π, in the quadrant that the signs
---tell, those of zeros included. As accurate as the functions above.
---
---```lua
---nd.f64 {1, 1, -1}:atan2(nd.f64 {1, -1, 0}):mul(180 / math.pi) -- => [45, 135, -90]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:atan2(b, opts) end

---The angle of the point whose y is a and whose x is b, -π to π, in the quadrant that the signs
---tell, those of zeros included. As accurate as the functions above.
---
---```lua
---nd.f64 {1, 1, -1}:atan2(nd.f64 {1, -1, 0}):mul(180 / math.pi) -- => [45, 135, -90]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:atan2_(b) end

---log(e^a + e^b), also where the exponentials are out of range: the sum of what a and b are
---logarithms of. Computed in f64 for integers and bool. The error is at most 1 unit in the last
---place in f64 and 1.5 in f32, or 2^-59 where the result is close to 0.
---
---```lua
---nd.f64 {-1000, -1 / 0}:logaddexp(nd.f64 {-1000, 3}) -- => [-999.3068528194401, 3]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:logaddexp(b, opts) end

---log(e^a + e^b), also where the exponentials are out of range: the sum of what a and b are
---logarithms of. Computed in f64 for integers and bool. The error is at most 1 unit in the last
---place in f64 and 1.5 in f32, or 2^-59 where the result is close to 0.
---
---```lua
---nd.f64 {-1000, -1 / 0}:logaddexp(nd.f64 {-1000, 3}) -- => [-999.3068528194401, 3]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:logaddexp_(b) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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
function array:rint(opts) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:rint_() end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
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

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
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

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:isnan_() end

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
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

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:isinf_() end

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
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

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:isfinite_() end

---Whether |a - b| <= atol + rtol |b|, element by element. Infinities are close to equal ones only.
---Differences are computed in f64, those of complex numbers in c128; elements that are exactly
---equal are close.
---
---```lua
---nd.f64 {1, 1.1, 0 / 0}:isclose(nd.f64 {1.000001, 1, 0 / 0})  -- => [true, false, false]
---nd.isclose({1, 1.1}, 1, {rtol = 0.2})   -- => [true, true]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.isclose by name
---@return ndbuf.array # bool
function array:isclose(b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:lt(b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:lt_(b) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:le(b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:le_(b) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:gt(b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:gt_(b) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:ge(b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:ge_(b) end

---Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether both are the
---same handle; a:equal(b) compares whole arrays. As with lt, exact values are compared: no f32 is
---exactly 0.1, so eq(0.1) is false for each of them.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:eq(b, opts) end

---Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether both are the
---same handle; a:equal(b) compares whole arrays. As with lt, exact values are compared: no f32 is
---exactly 0.1, so eq(0.1) is false for each of them.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:eq_(b) end

---Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether both are the
---same handle; a:equal(b) compares whole arrays. As with lt, exact values are compared: no f32 is
---exactly 0.1, so eq(0.1) is false for each of them.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:ne(b, opts) end

---Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether both are the
---same handle; a:equal(b) compares whole arrays. As with lt, exact values are compared: no f32 is
---exactly 0.1, so eq(0.1) is false for each of them.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:ne_(b) end

---The smaller or the greater of two elements; NaN where one of them is NaN. A value outside of the
---range of an integer dtype is accepted if it can never be the result; it then leaves the elements
---unchanged. Otherwise it is refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:minimum(b, opts) end

---The smaller or the greater of two elements; NaN where one of them is NaN. A value outside of the
---range of an integer dtype is accepted if it can never be the result; it then leaves the elements
---unchanged. Otherwise it is refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:minimum_(b) end

---The smaller or the greater of two elements; NaN where one of them is NaN. A value outside of the
---range of an integer dtype is accepted if it can never be the result; it then leaves the elements
---unchanged. Otherwise it is refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:maximum(b, opts) end

---The smaller or the greater of two elements; NaN where one of them is NaN. A value outside of the
---range of an integer dtype is accepted if it can never be the result; it then leaves the elements
---unchanged. Otherwise it is refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:maximum_(b) end

---Elements below lo become lo; after that, elements above hi become hi. NaN stays NaN. If lo is
---greater than hi, all elements become hi. A lower bound below the range of an integer dtype has
---no effect, and neither has an upper bound above it.
---
---```lua
---nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
---nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
---nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param lo ndbuf.array|ndbuf.value|nil nil: no lower bound
---@param hi? ndbuf.array|ndbuf.value|nil|ndbuf.opts.computing nil: no upper bound; at least one of the two bounds is required
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:clamp(lo, hi, opts) end

---Elements below lo become lo; after that, elements above hi become hi. NaN stays NaN. If lo is
---greater than hi, all elements become hi. A lower bound below the range of an integer dtype has
---no effect, and neither has an upper bound above it.
---
---```lua
---nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
---nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
---nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param lo ndbuf.array|ndbuf.value|nil nil: no lower bound
---@param hi? ndbuf.array|ndbuf.value|nil nil: no upper bound; at least one of the two bounds is required
---@return ndbuf.array
function array:clamp_(lo, hi) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_and(b, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:logical_and_(b) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_or(b, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:logical_or_(b) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function array:logical_xor(b, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array # bool
function array:logical_xor_(b) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
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

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array # bool
function array:logical_not_() end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_and(b, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:bit_and_(b) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_or(b, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:bit_or_(b) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:bit_xor(b, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:bit_xor_(b) end

---Bitwise operations on integers and bool.
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

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@return ndbuf.array
function array:bit_not_() end

---Shift the bits of a left or right by b places. A right shift of signed integers is arithmetic:
---it copies the sign bit. Counts equal to or above the width of the dtype shift out all bits.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:shl(b, opts) end

---Shift the bits of a left or right by b places. A right shift of signed integers is arithmetic:
---it copies the sign bit. Counts equal to or above the width of the dtype shift out all bits.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:shl_(b) end

---Shift the bits of a left or right by b places. A right shift of signed integers is arithmetic:
---it copies the sign bit. Counts equal to or above the width of the dtype shift out all bits.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function array:shr(b, opts) end

---Shift the bits of a left or right by b places. A right shift of signed integers is arithmetic:
---it copies the sign bit. Counts equal to or above the width of the dtype shift out all bits.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array
function array:shr_(b) end

---Elements of a where the condition is not 0, elements of b elsewhere. As a method it is called on
---the condition: condition:where(a, b). If neither a nor b is an array, the dtype follows from the
---values. With the condition as the only argument it returns the positions of the elements that
---are not 0: for each axis a 1-D i64 array of 1-based indices along that axis, in row-major order.
---
---```lua
---local a = nd.i32 {1, 5, 9}
---nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
---nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
---select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a? ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b? ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array ... # one array; with the condition as the only argument, one for each axis
function array:where(a, b, opts) end

---Elements of a where the condition is not 0, elements of b elsewhere. As a method it is called on
---the condition: condition:where(a, b). If neither a nor b is an array, the dtype follows from the
---values. With the condition as the only argument it returns the positions of the elements that
---are not 0: for each axis a 1-D i64 array of 1-based indices along that axis, in row-major order.
---
---```lua
---local a = nd.i32 {1, 5, 9}
---nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
---nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
---select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@return ndbuf.array ... # one array; with the condition as the only argument, one for each axis
function array:where_(a, b) end

---The sum, the product. An empty sum is 0, an empty product 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum(2)                                -- => [6, 15]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i8 {100, 100}, {dtype = "i8"})        -- => -56
---nd.f32({2^24, 1}):sum {dtype = "f64"}   -- => 16777217
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises type_mismatch, index_out_of_range, invalid_argument, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.sum the same as opts.axis
---@param opts? ndbuf.opts.sum by name
---@return any # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype; a 64-bit integer is a Lua number up to 2^53, cdata beyond
function array:sum(axis, opts) end

---The sum, the product. An empty sum is 0, an empty product 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum(2)                                -- => [6, 15]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i8 {100, 100}, {dtype = "i8"})        -- => -56
---nd.f32({2^24, 1}):sum {dtype = "f64"}   -- => 16777217
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises type_mismatch, index_out_of_range, invalid_argument, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.sum the same as opts.axis
---@param opts? ndbuf.opts.sum by name
---@return any # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype; a 64-bit integer is a Lua number up to 2^53, cdata beyond
function array:prod(axis, opts) end

---The minimum, the maximum; NaN if any element is NaN.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:min(axis, opts) end

---The minimum, the maximum; NaN if any element is NaN.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:max(axis, opts) end

---"Peak to peak": the maximum minus the minimum; NaN if any element is NaN. For integers the
---difference wraps, as sub does.
---
---```lua
---nd.ptp(nd.array {3, -1, 2})             -- => 4
---nd.array({{1, 9}, {4, 4}}, "u8"):ptp {axis = 2} -- => [8, 0]
---nd.ptp(nd.i8 {100, -100})               -- => -56
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:ptp(axis, opts) end

---The position of the first minimum or maximum, counted from 1 in row-major order of the reduced
---axes; if there are NaNs, the position of the first of them.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function array:argmin(axis, opts) end

---The position of the first minimum or maximum, counted from 1 in row-major order of the reduced
---axes; if there are NaNs, the position of the first of them.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function array:argmax(axis, opts) end

---The arithmetic mean; NaN where there are no elements.
---
---```lua
---nd.mean(nd.u8 {1, 2, 4, 4})             -- => 2.75
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # f64 for bool and integers, otherwise the array's dtype
function array:mean(axis, opts) end

---The variance, and the standard deviation, which is its square root. The mean is computed first,
---then the squared distances from it; for complex numbers those are squared absolute values. NaN
---where there are no elements.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.var the same as opts.axis
---@param opts? ndbuf.opts.var by name
---@return any # f64 for bool and integers, the dtype of the parts for complex numbers, otherwise the array's dtype
function array:var(axis, opts) end

---The variance, and the standard deviation, which is its square root. The mean is computed first,
---then the squared distances from it; for complex numbers those are squared absolute values. NaN
---where there are no elements.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.var the same as opts.axis
---@param opts? ndbuf.opts.var by name
---@return any # f64 for bool and integers, the dtype of the parts for complex numbers, otherwise the array's dtype
function array:std(axis, opts) end

---Whether any element, or every element, is true. Elements that are not 0 are true, also NaN.
---Where there are no elements, any is false and all is true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean, or an array of bool
function array:any(axis, opts) end

---Whether any element, or every element, is true. Elements that are not 0 are true, also NaN.
---Where there are no elements, any is false and all is true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean, or an array of bool
function array:all(axis, opts) end

---The number of elements that are not 0.
---
---```lua
---nd.count_nonzero(nd.array {0, 3, 0 / 0})        -- => 2
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function array:count_nonzero(axis, opts) end

---The sum and the product of the elements that are not NaN. These functions and those below differ
---from the ones without nan for floats and complex numbers only.
---
---```lua
---nd.array({1, 0 / 0, 3}):nansum()        -- => 4
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # as a:sum()
function array:nansum(axis, opts) end

---The sum and the product of the elements that are not NaN. These functions and those below differ
---from the ones without nan for floats and complex numbers only.
---
---```lua
---nd.array({1, 0 / 0, 3}):nansum()        -- => 4
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # as a:sum()
function array:nanprod(axis, opts) end

---The minimum and the maximum of the elements that are not NaN; NaN where all are.
---
---```lua
---local a = nd.array {{1, 0 / 0}, {0 / 0, 0 / 0}}
---a:nanmin(), a:nanmax(2)                 -- => 1, f64 2 cpu [1, nan]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:nanmin(axis, opts) end

---The minimum and the maximum of the elements that are not NaN; NaN where all are.
---
---```lua
---local a = nd.array {{1, 0 / 0}, {0 / 0, 0 / 0}}
---a:nanmin(), a:nanmax(2)                 -- => 1, f64 2 cpu [1, nan]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function array:nanmax(axis, opts) end

---The position of the first minimum or maximum among the elements that are not NaN, counted from 1
---in row-major order of the reduced axes.
---
---```lua
---nd.array({0 / 0, 5, 2}):nanargmin()     -- => 3
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function array:nanargmin(axis, opts) end

---The position of the first minimum or maximum among the elements that are not NaN, counted from 1
---in row-major order of the reduced axes.
---
---```lua
---nd.array({0 / 0, 5, 2}):nanargmin()     -- => 3
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function array:nanargmax(axis, opts) end

---The mean of the elements that are not NaN; NaN where all are.
---
---```lua
---nd.array({{1, 0 / 0, 4}}):nanmean(2)    -- => [2.5]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # as a:mean()
function array:nanmean(axis, opts) end

---The variance and the standard deviation of the elements that are not NaN; NaN where there are
---not more of them than ddof.
---
---```lua
---nd.array({1, 0 / 0, 3}):nanvar()        -- => 1
---nd.array({1, 0 / 0, 3}):nanvar {ddof = 1} -- => 2
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.nanvar the same as opts.axis
---@param opts? ndbuf.opts.nanvar by name
---@return any # as a:var()
function array:nanvar(axis, opts) end

---The variance and the standard deviation of the elements that are not NaN; NaN where there are
---not more of them than ddof.
---
---```lua
---nd.array({1, 0 / 0, 3}):nanvar()        -- => 1
---nd.array({1, 0 / 0, 3}):nanvar {ddof = 1} -- => 2
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.nanvar the same as opts.axis
---@param opts? ndbuf.opts.nanvar by name
---@return any # as a:var()
function array:nanstd(axis, opts) end

---The covariances of variables, of which each row of x, and of y, has the observations. Computed
---in f64; of complex numbers in c128, with the second factor conjugate.
---
---```lua
---nd.cov {{1, 2, 3}, {6, 4, 2}}           -- => [[1, -2], [-2, 4]]
---nd.cov({1, 2, 3}, {bias = true}):item() -- => 0.66666666666667
---```
---
---Raises shape_mismatch, invalid_argument.
---@param y? ndbuf.array|table|ndbuf.opts.cov more variables with as many observations; an empty table are options
---@param opts? ndbuf.opts.cov by name
---@return ndbuf.array # variables x variables; 0-d for a single variable
function array:cov(y, opts) end

---The correlation coefficients of variables: their covariances, each divided by both standard
---deviations. They stay within -1 and 1, and are NaN for a variable that does not vary.
---
---```lua
---nd.corrcoef {{1, 2, 3}, {6, 4, 2}}      -- => [[1, -1], [-1, 1]]
---```
---
---Raises shape_mismatch.
---@param y? ndbuf.array|table|ndbuf.opts.corrcoef more variables with as many observations; an empty table are options
---@param opts? ndbuf.opts.corrcoef by name
---@return ndbuf.array # variables x variables; 0-d for a single variable
function array:corrcoef(y, opts) end

---A copy that is sorted along an axis. NaNs come last, ascending or descending, and -0 sorts
---before 0; complex numbers are ordered by real part, then by imaginary part.
---
---```lua
---local a = nd.array {{3, 1, 2}, {0, 5, 4}}
---a:sort()                                -- => [[1, 2, 3], [0, 4, 5]]
---a:sort(1, {descending = true})          -- => [[3, 5, 4], [0, 1, 2]]
---```
---
---Raises index_out_of_range, shape_mismatch, invalid_argument.
---@param axis? ndbuf.integer|ndbuf.opts.sort by default the last one; negative from the end
---@param opts? ndbuf.opts.sort by name
---@return ndbuf.array # a copy, contiguous
function array:sort(axis, opts) end

---The positions, counted from 1, that would sort the array along an axis. The sort is stable:
---equal elements keep their order; zeros of either sign are equal to each other, and so are NaNs.
---
---```lua
---local a = nd.array {3, 1, 2}
---a:argsort()                             -- => [2, 3, 1]
---a[a:argsort()]                          -- => [1, 2, 3]
---```
---
---Raises index_out_of_range, shape_mismatch, invalid_argument.
---@param axis? ndbuf.integer|ndbuf.opts.argsort by default the last one; negative from the end
---@param opts? ndbuf.opts.argsort by name
---@return ndbuf.array # of i64
function array:argsort(axis, opts) end

---Scans: the running sum, the running product. Element k of the result combines elements 1 to k
---along the axis; without an axis, of the whole array in row-major order. Integers wrap modulo
---2^64. Floats are accumulated in f64 and rounded for each result; sums keep the rounding errors
---of f64, so that a result is off by no more than what 16 additions are. Products follow one from
---another. The result has the same bits for any number of threads and any strides.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:cumsum()                              -- => [1, 3, 6, 10, 15, 21]
---a:cumsum(1)                             -- => [[1, 2, 3], [5, 7, 9]]
---a:cumprod {axis = 2}                    -- => [[1, 2, 6], [4, 20, 120]]
---local total = nd.f32 {0, 1, 2, 3, 4, 5}:cumsum()
---(total["4:"] - total[":3"]) / 3         -- => [2, 3, 4]
---```
---
---Raises index_out_of_range, type_mismatch, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.cumsum the same as opts.axis
---@param opts? ndbuf.opts.cumsum by name
---@return ndbuf.array # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype
function array:cumsum(axis, opts) end

---Scans: the running sum, the running product. Element k of the result combines elements 1 to k
---along the axis; without an axis, of the whole array in row-major order. Integers wrap modulo
---2^64. Floats are accumulated in f64 and rounded for each result; sums keep the rounding errors
---of f64, so that a result is off by no more than what 16 additions are. Products follow one from
---another. The result has the same bits for any number of threads and any strides.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:cumsum()                              -- => [1, 3, 6, 10, 15, 21]
---a:cumsum(1)                             -- => [[1, 2, 3], [5, 7, 9]]
---a:cumprod {axis = 2}                    -- => [[1, 2, 6], [4, 20, 120]]
---local total = nd.f32 {0, 1, 2, 3, 4, 5}:cumsum()
---(total["4:"] - total[":3"]) / 3         -- => [2, 3, 4]
---```
---
---Raises index_out_of_range, type_mismatch, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.cumsum the same as opts.axis
---@param opts? ndbuf.opts.cumsum by name
---@return ndbuf.array # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype
function array:cumprod(axis, opts) end

---Scans: the largest and the smallest element so far; NaN from the first NaN on.
---
---```lua
---nd.cummax(nd.array {3, 1, 4, 1, 5})     -- => [3, 3, 4, 4, 5]
---nd.array({{2, 1}, {0, 3}}):cummin(1)    -- => [[2, 1], [0, 1]]
---```
---
---Raises type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.cummax the same as opts.axis
---@param opts? ndbuf.opts.cummax by name
---@return ndbuf.array # of the array's dtype
function array:cummax(axis, opts) end

---Scans: the largest and the smallest element so far; NaN from the first NaN on.
---
---```lua
---nd.cummax(nd.array {3, 1, 4, 1, 5})     -- => [3, 3, 4, 4, 5]
---nd.array({{2, 1}, {0, 3}}):cummin(1)    -- => [[2, 1], [0, 1]]
---```
---
---Raises type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.cummax the same as opts.axis
---@param opts? ndbuf.opts.cummax by name
---@return ndbuf.array # of the array's dtype
function array:cummin(axis, opts) end

---The scans in place: the result, saturated to the dtype, is written to the array. Only a 1-D
---array needs no axis.
---
---```lua
---nd.array({1, 2, 3}):cumsum_()           -- => [1, 3, 6]
---nd.u8({200, 100}):cumsum_()             -- => [200, 255]
---```
---
---Raises index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|table negative from the end, or {axis = axis}
---@return ndbuf.array # the array itself
function array:cumsum_(axis) end

---The scans in place: the result, saturated to the dtype, is written to the array. Only a 1-D
---array needs no axis.
---
---```lua
---nd.array({1, 2, 3}):cumsum_()           -- => [1, 3, 6]
---nd.u8({200, 100}):cumsum_()             -- => [200, 255]
---```
---
---Raises index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|table negative from the end, or {axis = axis}
---@return ndbuf.array # the array itself
function array:cumprod_(axis) end

---The scans in place: the result, saturated to the dtype, is written to the array. Only a 1-D
---array needs no axis.
---
---```lua
---nd.array({1, 2, 3}):cumsum_()           -- => [1, 3, 6]
---nd.u8({200, 100}):cumsum_()             -- => [200, 255]
---```
---
---Raises index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|table negative from the end, or {axis = axis}
---@return ndbuf.array # the array itself
function array:cummax_(axis) end

---The scans in place: the result, saturated to the dtype, is written to the array. Only a 1-D
---array needs no axis.
---
---```lua
---nd.array({1, 2, 3}):cumsum_()           -- => [1, 3, 6]
---nd.u8({200, 100}):cumsum_()             -- => [200, 255]
---```
---
---Raises index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param axis? ndbuf.integer|table negative from the end, or {axis = axis}
---@return ndbuf.array # the array itself
function array:cummin_(axis) end

---The difference of each element from the one before it along an axis, which becomes one shorter.
---Integers wrap, as sub does; of bools, whether they differ.
---
---```lua
---nd.array({1, 4, 9, 16}):diff()          -- => [3, 5, 7]
---nd.array({1, 4, 9, 16}):diff {n = 2}    -- => [2, 2]
---nd.array({{1, 2}, {4, 8}}):diff(1)      -- => [[3, 6]]
---nd.array({1, 4, 9}):diff {prepend = 0}  -- => [1, 3, 5]
---```
---
---Raises index_out_of_range, invalid_argument, not_representable, shape_mismatch.
---@param axis? ndbuf.integer|ndbuf.opts.diff by default the last one; negative from the end
---@param opts? ndbuf.opts.diff by name
---@return ndbuf.array # of the array's dtype, or of what it is promoted to beside prepend and append
function array:diff(axis, opts) end

---The slope at each element: along an axis, what the parabola through it and its two neighbours
---has there, which for points at equal distances is half the difference of the neighbours over the
---distance. Integers are taken as f64.
---
---```lua
---nd.array({1, 2, 4, 7, 11}):gradient()                         -- => [1, 1.5, 2.5, 3.5, 4]
---nd.array({1, 2, 4, 7, 11}):gradient {spacing = 0.5}           -- => [2, 3, 5, 7, 8]
---nd.array({0, 1, 9}):gradient {spacing = nd.array {0, 1, 3}}   -- => [1, 2, 4]
---nd.array({0, 1, 4, 9}):gradient {edge_order = 2}              -- => [0, 2, 4, 6]
---local down, right = nd.array({{1, 2}, {4, 8}}):gradient()
---right                                                         -- => [[1, 1], [4, 4]]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch.
---@param axis? ndbuf.integer|ndbuf.opts.gradient by default all of them, one after another; negative from the end
---@param opts? ndbuf.opts.gradient by name
---@return ndbuf.array ... # of the array's shape, one for each axis
function array:gradient(axis, opts) end

---A copy in which element k along the axis is the one that a sort would put there; smaller
---elements come before it, greater ones behind it. Otherwise elements keep their order: those that
---are smaller, those that are equal, those that are greater. For several places, likewise those
---between two of them. argpartition gives the positions of these elements, counted from 1.
---
---```lua
---local a = nd.array {5, 1, 4, 3, 2}
---a:partition(3)                          -- => [1, 2, 3, 5, 4]
---a:argpartition(3)                       -- => [2, 5, 4, 1, 3]
---a:partition {1, -1}                     -- => [1, 4, 3, 2, 5]
---```
---
---Raises index_out_of_range, invalid_argument, type_mismatch, not_representable, shape_mismatch,
---read_only, overlap.
---@param k ndbuf.integer|integer[]|ndbuf.array the place, or places; negative from the end
---@param axis? ndbuf.integer|ndbuf.opts.partition by default the last one; negative from the end
---@param opts? ndbuf.opts.partition by name
---@return ndbuf.array # a copy; of argpartition i64
function array:partition(k, axis, opts) end

---A copy in which element k along the axis is the one that a sort would put there; smaller
---elements come before it, greater ones behind it. Otherwise elements keep their order: those that
---are smaller, those that are equal, those that are greater. For several places, likewise those
---between two of them. argpartition gives the positions of these elements, counted from 1.
---
---```lua
---local a = nd.array {5, 1, 4, 3, 2}
---a:partition(3)                          -- => [1, 2, 3, 5, 4]
---a:argpartition(3)                       -- => [2, 5, 4, 1, 3]
---a:partition {1, -1}                     -- => [1, 4, 3, 2, 5]
---```
---
---Raises index_out_of_range, invalid_argument, type_mismatch, not_representable, shape_mismatch,
---read_only, overlap.
---@param k ndbuf.integer|integer[]|ndbuf.array the place, or places; negative from the end
---@param axis? ndbuf.integer|ndbuf.opts.partition by default the last one; negative from the end
---@param opts? ndbuf.opts.partition by name
---@return ndbuf.array # a copy; of argpartition i64
function array:argpartition(k, axis, opts) end

---The k greatest or smallest elements along an axis, and their positions. Of equal elements the
---first ones are taken. NaNs come last either way, so they are taken only where there are fewer
---than k others.
---
---```lua
---local a = nd.array {5, 1, 4, 3, 2}
---a:topk(2)                               -- => f64 2 cpu [5, 4], i64 2 cpu [1, 3]
---a:topk(2, {largest = false})            -- => f64 2 cpu [1, 2], i64 2 cpu [2, 5]
---(nd.array {{1, 7}, {8, 2}}:topk(1, 1))  -- => [[8, 7]]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, index_out_of_range, read_only, overlap.
---@param k ndbuf.integer how many
---@param axis? ndbuf.integer|ndbuf.opts.topk by default the last one; negative from the end
---@param opts? ndbuf.opts.topk by name
---@return ndbuf.array
---@return ndbuf.array # the elements; their positions along the axis, counted from 1, i64
function array:topk(k, axis, opts) end

---The element in the middle; of an even number of elements the mean of both. It is computed in f64
---and rounded once. If any element is NaN, the median is NaN; nanmedian leaves NaNs out. Of no
---elements it is NaN.
---
---```lua
---local a = nd.array {{1, 9, 2}, {4, 3, 0 / 0}}
---a[1]:median()                           -- => 2
---a:median(2)                             -- => [2, nan]
---a:nanmedian(2)                          -- => [2, 3.5]
---nd.i32 {1, 2}:median()                  -- => 1.5
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.median the same as opts.axis
---@param opts? ndbuf.opts.median by name
---@return any # of the array's dtype if that is a float, else f64
function array:median(axis, opts) end

---The element in the middle; of an even number of elements the mean of both. It is computed in f64
---and rounded once. If any element is NaN, the median is NaN; nanmedian leaves NaNs out. Of no
---elements it is NaN.
---
---```lua
---local a = nd.array {{1, 9, 2}, {4, 3, 0 / 0}}
---a[1]:median()                           -- => 2
---a:median(2)                             -- => [2, nan]
---a:nanmedian(2)                          -- => [2, 3.5]
---nd.i32 {1, 2}:median()                  -- => 1.5
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.median the same as opts.axis
---@param opts? ndbuf.opts.median by name
---@return any # of the array's dtype if that is a float, else f64
function array:nanmedian(axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function array:quantile(q, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function array:percentile(q, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function array:nanquantile(q, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function array:nanpercentile(q, axis, opts) end

---The most frequent value, the smallest of several, and how often it occurs. NaNs count as one
---value, the greatest.
---
---```lua
---nd.i32 {3, 1, 3, 1, 2}:mode()           -- => 1, 2
---nd.array {{1, 3, 3}, {2, 2, 1}}:mode(2) -- => f64 2 cpu [3, 2], i64 2 cpu [2, 2]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, index_out_of_range, read_only, overlap.
---@param axis? ndbuf.integer|ndbuf.opts.mode the same as opts.axis
---@param opts? ndbuf.opts.mode by name
---@return any
---@return any # the value; how many elements equal it, a number or an array of i64
function array:mode(axis, opts) end

---The positions in front of which the values have to be inserted so that a stays sorted. Of
---several such positions it is the first, or, with side = "right", the last. Dtypes are promoted.
---
---```lua
---local v = nd.array {1, 2, 2, 5}
---v:searchsorted {0, 2, 9}                -- => [1, 2, 5]
---v:searchsorted({0, 2, 9}, {side = "right"})  -- => [1, 4, 5]
---v:searchsorted(3)                       -- => 4
---```
---
---Raises not_representable, shape_mismatch, invalid_argument, index_out_of_range, type_mismatch,
---read_only, overlap.
---@param x ndbuf.values what to search for
---@param opts? ndbuf.opts.searchsorted by name
---@return any # i64 of the shape of x, from 1 to the size of a plus 1; a number if x is one value and there is no out
function array:searchsorted(x, opts) end

---The number of the bin that each value lies in. Bin k begins at edge k and ends below edge k + 1;
---0 stands for values below the first edge, the number of edges for those from the last one on. If
---the edges descend, bin k begins below edge k and ends at edge k + 1.
---
---```lua
---local x = nd.array {0, 1, 2.5, 9}
---x:digitize {1, 2, 3}                    -- => [0, 1, 2, 3]
---x:digitize({1, 2, 3}, {right = true})   -- => [0, 0, 2, 3]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param bins ndbuf.array|table the edges, real, 1-D, ascending or descending
---@param opts? ndbuf.opts.digitize by name
---@return any # i64 of the shape of a; a number if a is one value and there is no out
function array:digitize(bins, opts) end

---How often each position occurs among the elements: value k is counted in element k of the
---result. With weights, element k is the sum of the weights of the elements that are k.
---
---```lua
---nd.i32 {1, 3, 3}:bincount()             -- => [1, 0, 2]
---nd.i32 {0, 2, 2}:bincount {base = 0}    -- => [1, 0, 2]
---nd.i32 {1, 3, 3}:bincount {weights = {0.5, 1, 2}}  -- => [0.5, 0, 3]
---```
---
---Raises not_representable, type_mismatch, index_out_of_range, shape_mismatch, invalid_argument,
---overflow, out_of_memory, read_only, overlap.
---@param opts? ndbuf.opts.bincount by name
---@return ndbuf.array # i64, with weights f64; its size is that of the greatest position
function array:bincount(opts) end

---How many elements lie in each bin. A bin includes its lower edge, the last one its upper edge,
---too. Elements outside of all bins, and NaNs, are left out.
---
---```lua
---local a = nd.array {1, 2, 2, 5}
---a:histogram {bins = 2}                  -- => i64 2 cpu [3, 1], f64 3 cpu [1, 3, 5]
---a:histogram {bins = {1, 2, 5}}          -- => i64 2 cpu [1, 3], f64 3 cpu [1, 2, 5]
---(a:histogram {bins = 2, range = {0, 4}, weights = {1, 2, 3, 4}})  -- => [1, 5]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, out_of_memory, read_only, overlap.
---@param opts? ndbuf.opts.histogram by name
---@return ndbuf.array
---@return ndbuf.array # counts (i64, f64 with weights or density); edges, one more than there are bins. Edges of equal width have the dtype of a if that is a float, else f64
function array:histogram(opts) end

---How many points a[i], b[i] lie in each bin of a grid. Options are for both axes, or lists of
---two, for a and for b.
---
---```lua
---local x, y = nd.array {0, 1, 4}, nd.array {0, 3, 4}
---(nd.histogram2d(x, y, {bins = 2}))      -- => [[1, 1], [0, 1]]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, out_of_memory, read_only, overlap.
---@param b ndbuf.array|table real, of the shape of a
---@param opts? ndbuf.opts.histogram2d by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # counts, one row for each bin of a; the edges for a; those for b
function array:histogram2d(b, opts) end

---The different values, sorted. What is asked for besides them follows them in the order of the
---options below.
---
---```lua
---local a = nd.array {3, 1, 3}
---a:unique()                              -- => [1, 3]
---a:unique {counts = true}                -- => f64 2 cpu [1, 3], i64 2 cpu [1, 2]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.unique by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # the values, of the dtype of a, 1-D; the index, the inverse (of the shape of a), the counts: i64, those that were asked for. Zeros of both signs are one value, and so are all NaNs
function array:unique(opts) end

---Which elements are among the given values? NaN is among none. The dtypes may be any: elements
---and values are compared exactly.
---
---```lua
---nd.array {1, 2, 3}:isin {2, 7}          -- => [false, true, false]
---nd.isin({1, 2, 3}, 2)                   -- => [false, true, false]
---nd.array {1, 2, 3}:isin({2, 7}, {invert = true})  -- => [true, false, true]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param values ndbuf.array|table or one number
---@param opts? ndbuf.opts.isin by name
---@return ndbuf.array # bool, of the shape of a
function array:isin(values, opts) end

---The positions of the elements that are not 0, in row-major order: for each axis an array of
---indices, as nd.where(a) gives them. NaN is not 0.
---
---```lua
---nd.array {{0, 5}, {7, 0}}:nonzero()     -- => i64 2 cpu [1, 2], i64 2 cpu [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@return ndbuf.array
---@return ndbuf.array # an array of i64 for each axis
function array:nonzero() end

---The positions of the elements that are not 0, counted through the array in row-major order.
---
---```lua
---nd.array {{0, 5}, {7, 0}}:flatnonzero()  -- => [2, 3]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.flatnonzero by name
---@return ndbuf.array # i64, 1-D
function array:flatnonzero(opts) end

---The values at a of the function that is linear between the given points, computed in f64. At NaN
---it is NaN.
---
---```lua
---nd.array {0, 1.5, 9}:interp({1, 2}, {10, 20})  -- => [10, 15, 20]
---nd.interp(1.5, {1, 2}, {10, 20})        -- => 15
---nd.array {450}:interp({0, 180}, {1, 0}, {period = 360})  -- => [0.5]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param xp ndbuf.array|table the points, 1-D, ascending unless there is a period; one at least
---@param fp ndbuf.array|table the values there
---@param opts? ndbuf.opts.interp by name
---@return any # f64 of the shape of a; a number if a is one and there is no out
function array:interp(xp, fp, opts) end

---The product of two matrices. With more than two axes there is one product for each index of the
---leading axes, which broadcast. A 1-D array is a row on the left and a column on the right, and
---the result lacks that axis.
---
---```lua
---local m = nd.array {{1, 2}, {3, 4}}
---m:matmul {{0, 1}, {1, 0}}               -- => [[2, 1], [4, 3]]
---m:matmul {1, 10}                        -- => [21, 43]
---nd.matmul({1, 2}, {3, 4})               -- => 11
---nd.ones({5, 1, 2, 2}):matmul(nd.ones {3, 2, 4}).shape  -- => {5, 3, 2, 4}
---```
---
---Raises shape_mismatch, overflow, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table its last axis but one, or its only one, is multiplied with the last one of a
---@param opts? ndbuf.opts.linalg by name
---@return any # the matrices, or, for two 1-D arrays, a value
function array:matmul(b, opts) end

---The same for arrays of one or two axes. Where both have more, each row of a is multiplied with
---each column of all matrices of b: the shape is that of a but for its last axis, followed by that
---of b but for its last axis but one. A 0-d array multiplies each element.
---
---```lua
---nd.dot({1, 2, 3}, {4, 5, 6})            -- => 32
---nd.ones({4, 2, 3}):dot(nd.ones {5, 3, 6}).shape  -- => {4, 2, 5, 6}
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table as above
---@param opts? ndbuf.opts.linalg by name
---@return any # an array, or, for two 1-D arrays, a value
function array:dot(b, opts) end

---The products of vectors along one axis, of which that of a is conjugate. The other axes
---broadcast.
---
---```lua
---nd.vecdot({{1, 2}, {3, 4}}, {1, 10})    -- => [21, 43]
---nd.vecdot({{1, 2}, {3, 4}}, {{1, 1}, {1, 1}}, 1)  -- => [4, 6]
---nd.c128 {1i}:vecdot(nd.c128 {1i})       -- => 1+0i
---```
---
---Raises shape_mismatch, index_out_of_range, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.vecdot of both arrays; by default the last one
---@param opts? ndbuf.opts.vecdot by name
---@return any # an array without that axis, or, for two 1-D arrays, a value
function array:vecdot(b, axis, opts) end

---Each element of a times each element of b, of any shapes, in row-major order.
---
---```lua
---nd.outer({1, 2}, {10, 20, 30})          -- => [[10, 20, 30], [20, 40, 60]]
---```
---
---Raises overflow, shape_mismatch, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.number and so is a of the function
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # elements of a x elements of b
function array:outer(b, opts) end

---The Kronecker product: b, multiplied by each element of a, in the place of that element.
---
---```lua
---nd.kron({1, 10}, {1, 2, 3})             -- => [1, 2, 3, 10, 20, 30]
---nd.kron({{1, 0}, {0, 1}}, {{1, 2}})     -- => [[1, 2, 0, 0], [0, 0, 1, 2]]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table|ndbuf.number and so is a of the function; missing axes of either are added in front
---@param opts? ndbuf.opts.linalg by name
---@return any # an array, whose extents are the products of theirs; of two 0-d arrays a value
function array:kron(b, opts) end

---The sums of products along several axes of both arrays.
---
---```lua
---local t = nd.ones {2, 3, 4}
---t:tensordot(nd.ones {3, 4, 5}).shape    -- => {2, 5}
---t:tensordot(nd.ones {4, 2}, {{1, 3}, {2, 1}})  -- => [8, 8, 8]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table
---@param axes? ndbuf.integer|table|ndbuf.opts.tensordot a number of axes, the last ones of a and the first ones of b; or {axes of a, axes of b}, either an axis or a list
---@param opts? ndbuf.opts.tensordot by name
---@return any # the other axes of a, then those of b; a value where there are none
function array:tensordot(b, axes, opts) end

---The sum of a diagonal of two axes, of an array that has two or more. Of bools and integers it is
---64-bit, as a:sum().
---
---```lua
---local m = nd.array {{1, 2}, {3, 4}}
---m:trace()                               -- => 5
---m:trace(1)                              -- => 2
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap.
---@param k? ndbuf.integer|ndbuf.opts.trace the diagonal that begins k columns to the right of the main one, or -k rows below it
---@param opts? ndbuf.opts.trace by name
---@return any # a value, or, for more than 2 axes, an array of the others
function array:trace(k, opts) end

---The norm of vectors along one axis, or of matrices along two. Of bools and integers it is
---computed in f64.
---
---| ord | of vectors | of matrices | |---|---|---| | none | the root of the sum of squares | the
---same | | "fro" | | the same | | math.huge, -math.huge | the greatest, least absolute value | the
---greatest, least sum of a row | | 1, -1 | as any other number | the greatest, least sum of a
---column | | 2, -2, "nuc" | as any other number | the greatest, least singular value; the sum of
---all | | 0 | how many elements are not 0 | | | any other number p | the sum of the p-th powers of
---absolute values, to the power 1 / p | |
---
---```lua
---local m = nd.array {{3, 4}, {0, 5}}
---m[1]:norm()                             -- => 5
---m:norm(1)                               -- => 9
---m:norm(nil, 2)                          -- => [5, 5]
---m:norm(math.huge, {axis = 1, keepdims = true})  -- => [[3, 5]]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap.
---@param ord? ndbuf.number|string|ndbuf.integer|integer[]|ndbuf.opts.norm see above
---@param axis? ndbuf.integer|integer[]|ndbuf.opts.norm the axis of vectors, or the two axes of matrices; by default all elements, which with ord are a vector or a matrix
---@param opts? ndbuf.opts.norm by name
---@return any # a number; with axis or keepdims an array. Floats keep their dtype; norms of complex numbers are real. The greatest value of no elements is 0
function array:norm(ord, axis, opts) end

---The solutions x of a x = b, by LU factorisation with pivoting (LAPACK's gesv). Of several it is
---more exact, and sooner done, than a:inv():matmul(b).
---
---```lua
---local m = nd.array {{2, 0}, {1, 4}}
---m:solve {6, 5}                          -- => [3, 0.5]
---nd.solve(m, {{6, 2}, {5, 1}})           -- => [[3, 1], [0.5, 0]]
---nd.solve({{{2}}, {{4}}}, {8}).shape     -- => {2, 1}
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table the right-hand sides are its columns; with one axis, one of them. Leading axes broadcast
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of b, but for leading axes
function array:solve(b, opts) end

---The inverses of matrices: the solutions for the columns of the identity matrix.
---
---```lua
---nd.inv {{2, 0}, {1, 1}}                 -- => [[0.5, 0], [-0.5, 1]]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of a
function array:inv(opts) end

---The pseudo-inverses of Moore and Penrose, by singular values.
---
---```lua
---nd.pinv {{4, 0}, {0, 0}}                -- => [[0.25, 0], [0, 0]]
---nd.allclose(nd.pinv {{1}, {1}}, nd.array {{0.5, 0.5}})  -- => true
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param rtol? ndbuf.number|ndbuf.opts.pinv singular values up to this times the greatest count as 0; by default the precision of the dtype times the greater side of a matrix
---@param opts? ndbuf.opts.pinv by name
---@return ndbuf.array # with rows and columns exchanged
function array:pinv(rtol, opts) end

---The determinants of matrices. What is multiplied is scaled, so that nothing overflows on the way
---to a result that does not; so are rows and columns whose elements are all subnormal. Where
---elimination itself arrives at a subnormal pivot, OpenBLAS may give NaN.
---
---```lua
---nd.det {{4, 1}, {2, 3}}                 -- => 10
---nd.zeros(5, 3, 3):det()                 -- => [0, 0, 0, 0, 0]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.linalg by name
---@return any # a value; with leading axes an array
function array:det(opts) end

---The signs of determinants, and the natural logarithms of their absolute values, which overflow
---later.
---
---```lua
---nd.slogdet {{0, 1}, {1, 0}}             -- => -1, 0
---nd.slogdet {{1, 2}, {2, 4}}             -- => 0, -inf
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.slogdet by name
---@return any
---@return any # signs, of complex numbers ones of absolute value 1, or 0; logarithms, -inf where the determinant is 0. Values; with leading axes arrays
function array:slogdet(opts) end

---The solutions x for which the norm of b - a x is least, and of these that of the least norm, by
---singular values.
---
---```lua
---local m = nd.array {{0, 1}, {1, 1}, {2, 1}, {3, 1}}
---local line, residuals, rank = m:lstsq {-1, 0.2, 0.9, 2.1}
---nd.allclose(line, nd.array {1, -0.95})  -- => true
---nd.allclose(residuals, nd.array {0.05}) -- => true
---rank                                    -- => 2
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table as in a:solve()
---@param rcond? ndbuf.number|ndbuf.opts.lstsq singular values up to this times the greatest count as 0; by default the precision of the dtype times the greater side of a
---@param opts? ndbuf.opts.lstsq by name
---@return ndbuf.array
---@return ndbuf.array
---@return any
---@return ndbuf.array # the solutions; for each column of b the sum of squares of b - a x, or, unless there are more rows than columns and all matrices have full rank, nothing (extent 0); the rank, with leading axes an array of i64; the singular values of a. A column of b that has NaN or infinities gives NaN, and does not concern the others
function array:lstsq(b, rcond, opts) end

---The lower triangular factor l of symmetric (Hermitian) positive definite matrices, with a = l
---l.T (of complex ones the conjugate of l.T). Only the lower triangle of a is read.
---
---```lua
---nd.cholesky {{4, 2}, {2, 5}}            -- => [[2, 0], [1, 2]]
---nd.cholesky({{4, 2}, {2, 5}}, {upper = true})  -- => [[2, 1], [0, 2]]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.cholesky by name
---@return ndbuf.array # in the shape of a; the other triangle is 0
function array:cholesky(opts) end

---The factorisation of matrices of any shape, m x n, by Gaussian elimination with partial
---pivoting: row p[i] of l u is row i of a, so that l:take(p, 1):matmul(u) is the matrix.
---
---```lua
---local p, l, u = nd.lu {{1, 2}, {2, 8}}
---p                                       -- => [2, 1]
---l:take(p, 1):matmul(u)                  -- => [[1, 2], [2, 8]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.lu by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # p, for each row of a its number in l (i64); l, lower triangular with ones on its diagonal; u, upper triangular. They meet in as many columns as the lesser of m and n
function array:lu(opts) end

---The factorisation of matrices, m x n, into q with orthonormal columns and an upper triangular r.
---
---```lua
---local q, r = nd.qr {{3, 1}, {4, 2}}
---r:abs():round()                         -- => [[5, 2], [0, 0]]
---nd.allclose(q:matmul(r), nd.array {{3, 1}, {4, 2}})  -- => true
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.qr by name
---@return ndbuf.array
---@return ndbuf.array # q; r
function array:qr(opts) end

---The singular values of matrices, m x n, of which k is the lesser; svd gives their vectors, too.
---
---```lua
---local u, s, v = nd.svd({{3, 0}, {0, -2}}, {full_matrices = false})
---s                                       -- => [3, 2]
---(u * s):matmul(v)                       -- => [[3, 0], [0, -2]]
---nd.svdvals {{1, 1, 1, 1}}               -- => [2]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.svd by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # u, whose columns are orthonormal; s, the values, the greatest first; v, whose rows are: a is u times the diagonal matrix of s times v. Of svdvals: s
function array:svd(opts) end

---The singular values of matrices, m x n, of which k is the lesser; svd gives their vectors, too.
---
---```lua
---local u, s, v = nd.svd({{3, 0}, {0, -2}}, {full_matrices = false})
---s                                       -- => [3, 2]
---(u * s):matmul(v)                       -- => [[3, 0], [0, -2]]
---nd.svdvals {{1, 1, 1, 1}}               -- => [2]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.svd by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # u, whose columns are orthonormal; s, the values, the greatest first; v, whose rows are: a is u times the diagonal matrix of s times v. Of svdvals: s
function array:svdvals(opts) end

---The ranks of matrices: how many singular values are greater than a tolerance. An array of fewer
---than two axes has the rank 1 unless all its elements are 0.
---
---```lua
---nd.matrix_rank {{1, 2}, {2, 4}}         -- => 1
---nd.matrix_rank(nd.eye(4))               -- => 4
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param tol? ndbuf.number|ndbuf.opts.matrix_rank the tolerance; by default the precision of the dtype times the greater side of a matrix times its greatest singular value
---@param opts? ndbuf.opts.matrix_rank by name
---@return any # an integer; with leading axes an array of i64
function array:matrix_rank(tol, opts) end

---The condition numbers of matrices: the norm of a matrix times that of its inverse, infinite for
---singular ones. By default it is the ratio of the greatest and the least singular value, which
---other than square matrices have, too.
---
---```lua
---nd.cond {{4, 0}, {0, 2}}                -- => 2
---nd.cond({{1, 2}, {2, 4}}, 1)            -- => inf
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param p? ndbuf.number|string|ndbuf.opts.cond the norm, as in a:norm(): 2, -2, 1, -1, math.huge, -math.huge, "fro", "nuc"
---@param opts? ndbuf.opts.cond by name
---@return any # a number; with leading axes an array
function array:cond(p, opts) end

---The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too. Only the lower
---triangle of a is read.
---
---```lua
---local m = nd.array {{2, 1}, {1, 2}}
---local w, v = m:eigh()
---w:round()                               -- => [1, 3]
---nd.allclose((v * w):matmul(v.T), m)     -- => true
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.eigh by name
---@return ndbuf.array
---@return ndbuf.array # the values, real, the least first; the matrix whose columns are the vectors, orthonormal. Of eigvalsh: the values
function array:eigh(opts) end

---The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too. Only the lower
---triangle of a is read.
---
---```lua
---local m = nd.array {{2, 1}, {1, 2}}
---local w, v = m:eigh()
---w:round()                               -- => [1, 3]
---nd.allclose((v * w):matmul(v.T), m)     -- => true
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.eigh by name
---@return ndbuf.array
---@return ndbuf.array # the values, real, the least first; the matrix whose columns are the vectors, orthonormal. Of eigvalsh: the values
function array:eigvalsh(opts) end

---The eigenvalues of any square matrices; eig gives their vectors, too. Both are complex, c64 or
---c128, whatever the values are.
---
---```lua
---nd.eigvals {{0, 1}, {-1, 0}}            -- => [0+1i, 0-1i]
---local w, v = nd.eig {{2, 0}, {0, 3}}
---v.real                                  -- => [[1, 0], [0, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.eig by name
---@return ndbuf.array
---@return ndbuf.array # the values, in no order; the matrix whose columns are the vectors, of norm 1. Of eigvals: the values
function array:eig(opts) end

---The eigenvalues of any square matrices; eig gives their vectors, too. Both are complex, c64 or
---c128, whatever the values are.
---
---```lua
---nd.eigvals {{0, 1}, {-1, 0}}            -- => [0+1i, 0-1i]
---local w, v = nd.eig {{2, 0}, {0, 3}}
---v.real                                  -- => [[1, 0], [0, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.eig by name
---@return ndbuf.array
---@return ndbuf.array # the values, in no order; the matrix whose columns are the vectors, of norm 1. Of eigvals: the values
function array:eigvals(opts) end

---The product of n times the matrix, by repeated squaring: of integers in their dtype, in which it
---wraps around.
---
---```lua
---nd.matrix_power(nd.i32 {{1, 1}, {1, 0}}, 10)  -- => [[89, 55], [55, 34]]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param n ndbuf.integer 0 gives the identity matrix; a negative one the power of the inverse
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of a
function array:matrix_power(n, opts) end

---The exponential of matrices, computed in f64 or c128 by scaling, a Padé approximant and squaring
---(Higham 2005; Al-Mohy and Higham 2009). The diagonal of triangular matrices of a large norm is
---that of exponentials. It is NaN or infinite where numbers overflow on the way. It is not the
---exponential of the elements, which is a:exp().
---
---```lua
---nd.expm {{0, 0}, {0, 0}}                -- => [[1, 0], [0, 1]]
---nd.expm {{0, 1}, {0, 0}}                -- => [[1, 1], [0, 1]]
---nd.expm {{0, 1e18}, {0, 0}}             -- => [[1, 1e+18], [0, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of a
function array:expm(opts) end

---The convolution of two lines, the sums of a[j] * b[k - j]. Operands are promoted to one dtype,
---which the result has. Integers wrap around and are exact, sums of bools are "or", their products
---"and"; f16, bf16 and f8 are computed in f32.
---
---Long lines of floats and complex numbers are convolved by Fourier transforms of blocks, where
---that is less work: then each element has an error of a few units in the last place of
---sqrt(sum(a^2) * sum(b^2)). Where a block of the result is not finite it is computed directly; up
---to 32 elements of the shorter line may be NaN or infinite without that.
---
---```lua
---nd.convolve({1, 2, 3}, {0, 1, 0.5})     -- => [0, 1, 2.5, 4, 1.5]
---nd.convolve({1, 2, 3}, {0, 1, 0.5}, {mode = "same"})  -- => [1, 2.5, 4]
---nd.i32 {1, 2, 3, 4}:convolve(nd.i32 {1, 1}, {mode = "valid"})  -- => [3, 5, 7]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table 1-D; it may be the longer one
---@param opts? ndbuf.opts.convolve by name
---@return ndbuf.array # 1-D
function array:convolve(b, opts) end

---The correlation of two lines: the sums of a[k + j] times the conjugate of b[j]. Otherwise as
---convolve, but that the mode is "valid" where none is given.
---
---```lua
---nd.correlate({1, 2, 3}, {0, 1, 0.5})    -- => [3.5]
---nd.correlate({1, 2, 3}, {0, 1, 0.5}, {mode = "full"})  -- => [0.5, 2, 3.5, 3, 0]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param b ndbuf.array|table as above
---@param opts? ndbuf.opts.correlate by name
---@return ndbuf.array # 1-D
function array:correlate(b, opts) end

---Allocates the memory of a lazy array now instead of at the first use; a no-op where there is
---memory.
---
---```lua
---nd.empty(640, 480):allocate().is_allocated  -- => true
---```
---@return ndbuf.array # a
function array:allocate() end

---Frees the memory now, under all views of it. From then on access to their elements raises freed;
---fields such as a.shape stay valid. For a wrapped array this call releases the owner, for a
---mapped one it unmaps the file. Pending GPU work on the memory is completed first. Host memory of
---small arrays is kept for later ones: nd.memory.trim returns it to the system.
---
---```lua
---local a = nd.zeros(3)
---local view = a"1:2"
---a:free()
---view[1]                                 -- => error: the memory of this array was freed
---```
function array:free() end

---A typed FFI pointer to the first element. Access through it is 0-based and unchecked, and
---ignores the array's strides. For a read-only array the pointer is const, so LuaJIT refuses
---stores through it. It does not keep the memory alive. bool and f8 elements are uint8_t, f16 and
---bf16 are uint16_t. GPU memory raises not_host_accessible. a:address() says what changes once an
---address has been handed out.
---
---```lua
---nd.f32 {1, 2}:ptr()[1]                  -- => 2
---```
---
---Raises invalid_view.
---@return any # such as double *, or const double *
function array:ptr() end

---The address of the first element, for functions of other libraries. It works for any kind of
---memory; an address in GPU memory may be used by the GPU only. The address need not be aligned,
---and it does not keep the memory alive.
---
---All pending work on the memory is complete when this returns. From then on every call on the
---array completes its work before it returns, also on a GPU. Stores of single elements take about
---1.5 ns more, because LuaJIT must not reorder them: the holder of the address may read the bytes
---as another type. The same holds for a:ptr() and nd.wrap.
---
---```lua
---nd.f32({1, 2}):address() % 64           -- => 0
---```
---@return integer # a number
function array:address() end

---Makes an Arrow schema and an Arrow array of an array, or of a table of arrays by name, which
---becomes a struct of columns. Each of the two releases what it holds when it is collected, unless
---somebody has moved it out, as pyarrow.Array._import_from_c does with their addresses. The bytes
---stay until then, also after a:free().
---
---Arrays of two axes are fixed-size lists, of more axes arrow.fixed_shape_tensor. All may have
---nulls, and have none. Copied are bool, which becomes bits, arrays that are not contiguous, or
---misaligned, and memory whose owner is a Lua object.
---
---```lua
---local schema, array, copied = nd.arange(1, 4):to_arrow()
---array.length, copied                    -- => 4LL, false
---nd.from_arrow(schema, array):sum()      -- => 10
---```
---
---Raises unsupported, invalid_view, shape_mismatch.
---@return any
---@return any
---@return boolean # struct ArrowSchema, struct ArrowArray; whether bytes were copied
function array:to_arrow() end

---What NumPy's __array_interface__ and __cuda_array_interface__ say, for code that wants an
---address. What a:address() says of the address holds here.
---
---```lua
---local i = nd.zeros({2, 3}, "f32"):interface()
---i.typestr, i.strides, i.readonly        -- => <f4, {12, 4}, false
---```
---@return table # data, the address; shape; strides, in bytes; typestr, as in .npy files; readonly; version, 3
function array:interface() end

---Locks the pages of a host or mapped array in place, so that copies from and to a GPU are as fast
---as those of pinned arrays. The whole storage is locked, and so are its other views. The lock
---ends when the memory is freed, or by a:unpin. A mapped file must not shrink while it is pinned.
---GPU memory is refused. So are, with unsupported, pages that the system does not allow a driver
---to lock: since Linux 6.5, those of a file mapped with "r+".
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

---Undoes a:pin; a no-op for other host arrays. GPU memory raises not_host_accessible.
---
---```lua
---nd.ones(3):unpin()                      -- => [1, 1, 1]
---```
---@return ndbuf.array # a
function array:unpin() end

---Moves the pages of a managed array to a device before they are used there.
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

---Tells the driver how a managed array will be used.
---
---```lua
---local a = nd.zeros(2, nd.cuda.available() and "managed" or "cpu")
---if nd.cuda.available() then a:advise("read_mostly", "cuda:0") end
---a                                       -- => [0, 0]
---```
---
---Raises invalid_argument.
---@param advice "read_mostly"|"preferred"|"accessed_by" the pages are mostly read, so that each device may have a copy; the device is their preferred location; the device will access them often
---@param device ndbuf.devicelike cpu or cuda:n
---@return ndbuf.array # a
function array:advise(advice, device) end

---Waits until the work in flight on the bytes of an array, on whatever streams, is done. Elements,
---and all that the CPU does with an array, wait by themselves; this is for other code that knows
---its address, and for taking the time.
---
---```lua
---local s = nd.device("cuda"):stream()
---local a = nd.zeros(4, "cuda", {stream = s})
---a:synchronize()
---s:query()                               -- => true
---```
---
---Raises freed.
function array:synchronize() end

---@class ndbuf.cuda
local cuda = {}

---Whether there is a GPU and, if not, the reason.
---
---```lua
---local fine, why = nd.cuda.available()
---fine, why:sub(1, 15)                    -- => false, there is no GPU
---```
---@return boolean
---@return string? # true, or false and the reason
function cuda.available() end

---A stream that another library has made, as one of ours: work that is given this object goes on
---the other library's stream, in order with what that library enqueues there. It has to exist
---until the object is collected (s = nil collectgarbage()), which does not destroy it. Its handle
---may be used again for another stream afterwards. What ndbuf enqueues there has an event for each
---operation, and nothing later depends on the handle. A stream that is being captured into a
---graph, one of another context than the device's primary one, and the per-thread default stream
---in another thread than the one that called raise stream_misuse.
---
---```lua
---local legacy = nd.cuda.stream(1)
---nd.full(2, 5, "cuda", {stream = legacy}):to "cpu"   -- => [5, 5]
---```
---
---Raises invalid_argument, stream_misuse, unsupported, capacity, device_not_found.
---@param handle ndbuf.integer|ffi.cdata* a CUstream, or its number; 1 is the legacy default stream (0, too), 2 the per-thread default stream of this thread
---@param device? ndbuf.devicelike the GPU that the stream belongs to
---@return ndbuf.stream
function cuda.stream(handle, device) end

---An event that another library has made, as one of ours: streams can wait for it, and it can be
---asked and waited for. It has to exist until the object is collected, which does not destroy it.
---An event that is part of a graph raises stream_misuse. A number that never was an event may
---crash the process: some drivers look for one at the address.
---
---```lua
---local event = nd.current_stream():record()
---local same = nd.cuda.event(event.handle)
---nd.current_stream():wait(same)
---same:synchronize()
---event:query()                           -- => true
---```
---
---Raises invalid_argument, stream_misuse, unsupported, device_not_found.
---@param handle ndbuf.integer|ffi.cdata* a CUevent, or its number
---@param device? ndbuf.devicelike the GPU that the event belongs to
---@return ndbuf.event
function cuda.event(handle, device) end

---@class ndbuf.fft
local fft = {}

---The transform along one axis, and the inverse one.
---
---```lua
---nd.fft.fft {1, 2, 3, 4}                 -- => [10+0i, -2+2i, -2+0i, -2-2i]
---nd.fft.ifft({4, 0, 0, 0}).real          -- => [1, 1, 1, 1]
---nd.fft.fft({1, 2, 3, 4}, 2)             -- => [3+0i, -1+0i]
---nd.fft.fft(nd.ones({4, 2}, "f32"), nil, 1, {norm = "ortho"})[1]  -- => [2+0i, 2+0i]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param n? ndbuf.integer|ndbuf.opts.fft the length; by default that of the axis
---@param axis? ndbuf.integer|ndbuf.opts.fft by default the last one
---@param opts? ndbuf.opts.fft by name
---@return ndbuf.array # c128 or c64
function fft.fft(a, n, axis, opts) end

---The transform along one axis, and the inverse one.
---
---```lua
---nd.fft.fft {1, 2, 3, 4}                 -- => [10+0i, -2+2i, -2+0i, -2-2i]
---nd.fft.ifft({4, 0, 0, 0}).real          -- => [1, 1, 1, 1]
---nd.fft.fft({1, 2, 3, 4}, 2)             -- => [3+0i, -1+0i]
---nd.fft.fft(nd.ones({4, 2}, "f32"), nil, 1, {norm = "ortho"})[1]  -- => [2+0i, 2+0i]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param n? ndbuf.integer|ndbuf.opts.fft the length; by default that of the axis
---@param axis? ndbuf.integer|ndbuf.opts.fft by default the last one
---@param opts? ndbuf.opts.fft by name
---@return ndbuf.array # c128 or c64
function fft.ifft(a, n, axis, opts) end

---The first n // 2 + 1 elements of the transform of real numbers, of which the others are the
---conjugates; and of the inverse one. They take about half of the time.
---
---```lua
---nd.fft.rfft {1, 2, 3, 4}                -- => [10+0i, -2+2i, -2+0i]
---nd.fft.ihfft({1, 2, 3, 4})(2)           -- => -0.5-0.5i
---```
---
---Raises type_mismatch, shape_mismatch, index_out_of_range, invalid_argument, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param n? ndbuf.integer|ndbuf.opts.rfft as above
---@param axis? ndbuf.integer|ndbuf.opts.rfft as above
---@param opts? ndbuf.opts.rfft by name
---@return ndbuf.array # c128 or c64
function fft.rfft(a, n, axis, opts) end

---The first n // 2 + 1 elements of the transform of real numbers, of which the others are the
---conjugates; and of the inverse one. They take about half of the time.
---
---```lua
---nd.fft.rfft {1, 2, 3, 4}                -- => [10+0i, -2+2i, -2+0i]
---nd.fft.ihfft({1, 2, 3, 4})(2)           -- => -0.5-0.5i
---```
---
---Raises type_mismatch, shape_mismatch, index_out_of_range, invalid_argument, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param n? ndbuf.integer|ndbuf.opts.rfft as above
---@param axis? ndbuf.integer|ndbuf.opts.rfft as above
---@param opts? ndbuf.opts.rfft by name
---@return ndbuf.array # c128 or c64
function fft.ihfft(a, n, axis, opts) end

---The inverse of rfft and that of ihfft: real numbers from the first half of a line whose other
---half is conjugate. What cannot be part of such a line, the imaginary part of the first element,
---and of the last one where n is even, counts as 0.
---
---```lua
---nd.fft.irfft(nd.fft.rfft {1, 2, 3, 4})  -- => [1, 2, 3, 4]
---nd.fft.irfft(nd.fft.rfft {1, 2, 3}, 3)  -- => [1, 2, 3]
---nd.fft.hfft {1, 2, 3}                   -- => [8, -2, 0, -2]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param n? ndbuf.integer|ndbuf.opts.irfft the length of the result; by default 2 * (m - 1), where m is that of the axis. An odd length has to be given
---@param axis? ndbuf.integer|ndbuf.opts.irfft as above
---@param opts? ndbuf.opts.irfft by name
---@return ndbuf.array # f64 or f32
function fft.irfft(a, n, axis, opts) end

---The inverse of rfft and that of ihfft: real numbers from the first half of a line whose other
---half is conjugate. What cannot be part of such a line, the imaginary part of the first element,
---and of the last one where n is even, counts as 0.
---
---```lua
---nd.fft.irfft(nd.fft.rfft {1, 2, 3, 4})  -- => [1, 2, 3, 4]
---nd.fft.irfft(nd.fft.rfft {1, 2, 3}, 3)  -- => [1, 2, 3]
---nd.fft.hfft {1, 2, 3}                   -- => [8, -2, 0, -2]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param n? ndbuf.integer|ndbuf.opts.irfft the length of the result; by default 2 * (m - 1), where m is that of the axis. An odd length has to be given
---@param axis? ndbuf.integer|ndbuf.opts.irfft as above
---@param opts? ndbuf.opts.irfft by name
---@return ndbuf.array # f64 or f32
function fft.hfft(a, n, axis, opts) end

---The transform along several axes, one after another: along the last two, or along all.
---
---```lua
---nd.fft.fft2 {{1, 2}, {3, 4}}            -- => [[10+0i, -2+0i], [-4+0i, 0+0i]]
---nd.fft.fftn(nd.ones {2, 3, 4}, {4, 4}).shape  -- => {2, 4, 4}
---nd.fft.ifftn(nd.fft.fftn {{1, 2}, {3, 4}}).real  -- => [[1, 2], [3, 4]]
---```
---
---Raises invalid_argument, shape_mismatch, index_out_of_range, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.fft2 the lengths, one for each axis; -1 stands for that of the axis. By default those of the axes
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.fft2 by default the last two, or all, or the last ones, as many as s has
---@param opts? ndbuf.opts.fft2 by name
---@return ndbuf.array # c128 or c64
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
function fft.fft2(a, s, axes, opts) end

---The transform along several axes, one after another: along the last two, or along all.
---
---```lua
---nd.fft.fft2 {{1, 2}, {3, 4}}            -- => [[10+0i, -2+0i], [-4+0i, 0+0i]]
---nd.fft.fftn(nd.ones {2, 3, 4}, {4, 4}).shape  -- => {2, 4, 4}
---nd.fft.ifftn(nd.fft.fftn {{1, 2}, {3, 4}}).real  -- => [[1, 2], [3, 4]]
---```
---
---Raises invalid_argument, shape_mismatch, index_out_of_range, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.fft2 the lengths, one for each axis; -1 stands for that of the axis. By default those of the axes
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.fft2 by default the last two, or all, or the last ones, as many as s has
---@param opts? ndbuf.opts.fft2 by name
---@return ndbuf.array # c128 or c64
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
function fft.ifft2(a, s, axes, opts) end

---The transform along several axes, one after another: along the last two, or along all.
---
---```lua
---nd.fft.fft2 {{1, 2}, {3, 4}}            -- => [[10+0i, -2+0i], [-4+0i, 0+0i]]
---nd.fft.fftn(nd.ones {2, 3, 4}, {4, 4}).shape  -- => {2, 4, 4}
---nd.fft.ifftn(nd.fft.fftn {{1, 2}, {3, 4}}).real  -- => [[1, 2], [3, 4]]
---```
---
---Raises invalid_argument, shape_mismatch, index_out_of_range, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.fft2 the lengths, one for each axis; -1 stands for that of the axis. By default those of the axes
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.fft2 by default the last two, or all, or the last ones, as many as s has
---@param opts? ndbuf.opts.fft2 by name
---@return ndbuf.array # c128 or c64
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
function fft.fftn(a, s, axes, opts) end

---The transform along several axes, one after another: along the last two, or along all.
---
---```lua
---nd.fft.fft2 {{1, 2}, {3, 4}}            -- => [[10+0i, -2+0i], [-4+0i, 0+0i]]
---nd.fft.fftn(nd.ones {2, 3, 4}, {4, 4}).shape  -- => {2, 4, 4}
---nd.fft.ifftn(nd.fft.fftn {{1, 2}, {3, 4}}).real  -- => [[1, 2], [3, 4]]
---```
---
---Raises invalid_argument, shape_mismatch, index_out_of_range, type_mismatch, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.fft2 the lengths, one for each axis; -1 stands for that of the axis. By default those of the axes
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.fft2 by default the last two, or all, or the last ones, as many as s has
---@param opts? ndbuf.opts.fft2 by name
---@return ndbuf.array # c128 or c64
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.fft2, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.fft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.fft2): ndbuf.array
function fft.ifftn(a, s, axes, opts) end

---The same for real numbers: rfft along the axis named last, then fft along the others; and the
---inverse.
---
---```lua
---nd.fft.rfftn(nd.ones {4, 6}).shape      -- => {4, 4}
---nd.fft.irfft2(nd.fft.rfft2 {{1, 2}, {3, 4}})  -- => [[1, 2], [3, 4]]
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above; of irfft2 and irfftn those of the result
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above
---@param opts? ndbuf.opts.rfft2 by name
---@return ndbuf.array # c128 or c64, of the inverse f64 or f32
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
function fft.rfft2(a, s, axes, opts) end

---The same for real numbers: rfft along the axis named last, then fft along the others; and the
---inverse.
---
---```lua
---nd.fft.rfftn(nd.ones {4, 6}).shape      -- => {4, 4}
---nd.fft.irfft2(nd.fft.rfft2 {{1, 2}, {3, 4}})  -- => [[1, 2], [3, 4]]
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above; of irfft2 and irfftn those of the result
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above
---@param opts? ndbuf.opts.rfft2 by name
---@return ndbuf.array # c128 or c64, of the inverse f64 or f32
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
function fft.irfft2(a, s, axes, opts) end

---The same for real numbers: rfft along the axis named last, then fft along the others; and the
---inverse.
---
---```lua
---nd.fft.rfftn(nd.ones {4, 6}).shape      -- => {4, 4}
---nd.fft.irfft2(nd.fft.rfft2 {{1, 2}, {3, 4}})  -- => [[1, 2], [3, 4]]
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above; of irfft2 and irfftn those of the result
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above
---@param opts? ndbuf.opts.rfft2 by name
---@return ndbuf.array # c128 or c64, of the inverse f64 or f32
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
function fft.rfftn(a, s, axes, opts) end

---The same for real numbers: rfft along the axis named last, then fft along the others; and the
---inverse.
---
---```lua
---nd.fft.rfftn(nd.ones {4, 6}).shape      -- => {4, 4}
---nd.fft.irfft2(nd.fft.rfft2 {{1, 2}, {3, 4}})  -- => [[1, 2], [3, 4]]
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap,
---overflow.
---@param a ndbuf.array|table
---@param s? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above; of irfft2 and irfftn those of the result
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.rfft2 as above
---@param opts? ndbuf.opts.rfft2 by name
---@return ndbuf.array # c128 or c64, of the inverse f64 or f32
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axes?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
---@overload fun(a: ndbuf.array|table, s?: integer[]|ndbuf.integer|ndbuf.opts.rfft2, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.rfft2): ndbuf.array
function fft.irfftn(a, s, axes, opts) end

---The frequencies of the elements of a transform of n samples, in cycles per unit of d: of fft and
---of rfft.
---
---```lua
---nd.fft.fftfreq(5, 0.2)                  -- => [0, 1, 2, -2, -1]
---nd.fft.rfftfreq(4, 0.25)                -- => [0, 1, 2]
---```
---
---Raises invalid_argument, device_not_found.
---@param n ndbuf.integer the length of the transform
---@param d? ndbuf.number|ndbuf.opts.fftfreq the distance from one sample to the next
---@param opts? ndbuf.opts.fftfreq by name
---@return ndbuf.array # of n elements, or n // 2 + 1
function fft.fftfreq(n, d, opts) end

---The frequencies of the elements of a transform of n samples, in cycles per unit of d: of fft and
---of rfft.
---
---```lua
---nd.fft.fftfreq(5, 0.2)                  -- => [0, 1, 2, -2, -1]
---nd.fft.rfftfreq(4, 0.25)                -- => [0, 1, 2]
---```
---
---Raises invalid_argument, device_not_found.
---@param n ndbuf.integer the length of the transform
---@param d? ndbuf.number|ndbuf.opts.fftfreq the distance from one sample to the next
---@param opts? ndbuf.opts.fftfreq by name
---@return ndbuf.array # of n elements, or n // 2 + 1
function fft.rfftfreq(n, d, opts) end

---Brings frequency 0 from the first place to the middle, by a rotation along each axis; and back.
---
---```lua
---nd.fft.fftshift(nd.fft.fftfreq(5, 0.2)) -- => [-2, -1, 0, 1, 2]
---nd.fft.ifftshift {-2, -1, 0, 1, 2}      -- => [0, 1, 2, -2, -1]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.fftshift by default all
---@param opts? ndbuf.opts.fftshift by name
---@return ndbuf.array # of the dtype and shape of a
---@overload fun(a: ndbuf.array|table, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.fftshift): ndbuf.array
---@overload fun(a: ndbuf.array|table, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.fftshift): ndbuf.array
---@overload fun(a: ndbuf.array|table, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.fftshift): ndbuf.array
function fft.fftshift(a, axes, opts) end

---Brings frequency 0 from the first place to the middle, by a rotation along each axis; and back.
---
---```lua
---nd.fft.fftshift(nd.fft.fftfreq(5, 0.2)) -- => [-2, -1, 0, 1, 2]
---nd.fft.ifftshift {-2, -1, 0, 1, 2}      -- => [0, 1, 2, -2, -1]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axes? integer[]|ndbuf.integer|ndbuf.opts.fftshift by default all
---@param opts? ndbuf.opts.fftshift by name
---@return ndbuf.array # of the dtype and shape of a
---@overload fun(a: ndbuf.array|table, a1: ndbuf.integer, a2: ndbuf.integer, opts?: ndbuf.opts.fftshift): ndbuf.array
---@overload fun(a: ndbuf.array|table, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, opts?: ndbuf.opts.fftshift): ndbuf.array
---@overload fun(a: ndbuf.array|table, a1: ndbuf.integer, a2: ndbuf.integer, a3: ndbuf.integer, a4: ndbuf.integer, opts?: ndbuf.opts.fftshift): ndbuf.array
function fft.ifftshift(a, axes, opts) end

---@class ndbuf.linalg
---@field matmul any The product of two matrices.
---@field dot any The same for arrays of one or two axes.
---@field vecdot any The products of vectors along one axis, of which that of a is conjugate.
---@field outer ndbuf.array Each element of a times each element of b, of any shapes, in row-major order.
---@field kron any The Kronecker product: b, multiplied by each element of a, in the place of that element.
---@field tensordot any The sums of products along several axes of both arrays.
---@field einsum any Sums of products, by labels of the axes.
---@field trace any The sum of a diagonal of two axes, of an array that has two or more.
---@field norm any The norm of vectors along one axis, or of matrices along two.
---@field solve ndbuf.array The solutions x of a x = b, by LU factorisation with pivoting (LAPACK's gesv).
---@field inv ndbuf.array The inverses of matrices: the solutions for the columns of the identity matrix.
---@field pinv ndbuf.array The pseudo-inverses of Moore and Penrose, by singular values.
---@field det any The determinants of matrices.
---@field slogdet any The signs of determinants, and the natural logarithms of their absolute values, which overflow later.
---@field lstsq ndbuf.array The solutions x for which the norm of b - a x is least, and of these that of the least norm, by singular values.
---@field cholesky ndbuf.array The lower triangular factor l of symmetric (Hermitian) positive definite matrices, with a = l l.T (of complex ones the conjugate of l.T).
---@field lu ndbuf.array The factorisation of matrices of any shape, m x n, by Gaussian elimination with partial pivoting: row p[i] of l u is row i of a, so that l:take(p, 1):matmul(u) is the matrix.
---@field qr ndbuf.array The factorisation of matrices, m x n, into q with orthonormal columns and an upper triangular r.
---@field svd ndbuf.array The singular values of matrices, m x n, of which k is the lesser; svd gives their vectors, too.
---@field svdvals ndbuf.array The singular values of matrices, m x n, of which k is the lesser; svd gives their vectors, too.
---@field matrix_rank any The ranks of matrices: how many singular values are greater than a tolerance.
---@field cond any The condition numbers of matrices: the norm of a matrix times that of its inverse, infinite for singular ones.
---@field eigh ndbuf.array The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too.
---@field eigvalsh ndbuf.array The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too.
---@field eig ndbuf.array The eigenvalues of any square matrices; eig gives their vectors, too.
---@field eigvals ndbuf.array The eigenvalues of any square matrices; eig gives their vectors, too.
---@field matrix_power ndbuf.array The product of n times the matrix, by repeated squaring: of integers in their dtype, in which it wraps around.
---@field expm ndbuf.array The exponential of matrices, computed in f64 or c128 by scaling, a Padé approximant and squaring (Higham 2005; Al-Mohy and Higham 2009).
local linalg = {}

---@class ndbuf.memory
local memory = {}

---The memory of the host.
---
---```lua
---tostring(nd.memory.host())              -- => host memory of cpu
---```
---@return ndbuf.resource
function memory.host() end

---Page-locked memory of the host, that of the device pinned without the pool which the name has:
---pages are locked for each array, and unlocked after it, by calls of the driver that are slow.
---Where no page can be locked, arrays get ordinary memory: a.device is cpu then.
---
---```lua
---local mem = nd.cuda.available() and nd.memory.pinned() or nd.memory.host()
---nd.ones(2, mem)                         -- => [1, 1]
---```
---
---Raises device_not_found.
---@return ndbuf.resource
function memory.pinned() end

---The memory of GPU n. By default it is stream-ordered memory from ndbuf's own pool if the driver
---supports pools.
---
---```lua
---nd.memory.device(99)                    -- => error: there is no GPU
---```
---
---Raises device_not_found.
---@param n? ndbuf.integer the number of the GPU
---@param opts? ndbuf.opts.device by name
---@return ndbuf.resource
function memory.device(n, opts) end

---The managed memory of GPU n, which the CPU and GPUs share.
---
---```lua
---nd.memory.managed(99)                   -- => error: there is no GPU
---```
---
---Raises device_not_found.
---@param n? ndbuf.integer the number of the GPU
---@return ndbuf.resource
function memory.managed(n) end

---Memory of a new file, for one array: a second one raises capacity. The same as the device
---disk:PATH, for adaptors.
---
---```lua
---local mem = nd.memory.budget(nd.memory.file "resource.bin", 4096)
---nd.ones({512}, "f64", mem).device       -- => disk:resource.bin
---os.remove "resource.bin"
---```
---
---Raises io.
---@param path string the file, which is made when the array is
---@param opts? ndbuf.opts.file by name
---@return ndbuf.resource
function memory.file(path, opts) end

---A hard limit on what is taken from another resource. A take that would exceed it makes room
---first: it frees what is finished, empties caches, collects garbage, waits for work in flight.
---Then it raises budget_exceeded. What is larger than the limit is refused at once. Pending and
---reserved bytes count, and so do freed bytes that the resource itself keeps for later arrays:
---those are given back to the system where they would exceed the limit. Threads cannot exceed the
---limit together.
---
---```lua
---local mem = nd.memory.budget(nd.memory.host(), 1000)
---nd.zeros({200}, "f64", mem)             -- => error: budget exceeded on cpu: requested 1,600 B
---```
---
---Raises invalid_argument.
---@param up ndbuf.resource what is limited
---@param limit ndbuf.integer|string bytes; or a text: "4GiB" (B, KiB, MiB, GiB, TiB), "50%" of all memory that the device has
---@return ndbuf.resource
function memory.budget(up, limit) end

---Keeps blocks that were freed for later arrays of about their size, so that these need no call of
---the system or the driver. Sizes are rounded up to 512 bytes, above that by an eighth at most,
---pinned blocks from 1 MiB on to whole pages only. On a GPU a block goes to the next array on its
---own stream at once, to another stream when the work on it is done, or, where there is no other
---memory, behind that work. Where the upstream has no more, what is kept is freed.
---
---A budget below a pool, pool(budget(x)), limits what is held; one on it, budget(pool(x)), what is
---in use.
---
---```lua
---local mem = nd.memory.stats(nd.memory.pool(nd.memory.host(), {cap = "1GiB"}))
---nd.zeros({1000}, "f64", mem):free()
---local a = nd.zeros({990}, "f64", mem)   -- the same block
---mem:stats().live.bytes.current          -- => 8192
---```
---
---Raises invalid_argument.
---@param up ndbuf.resource any but a file, without a pool or stats in its stack
---@param opts? ndbuf.opts.pool by name
---@return ndbuf.resource
function memory.pool(up, opts) end

---Counts what goes through it, and changes nothing.
---
---```lua
---local mem = nd.memory.stats(nd.memory.host())
---local a = nd.zeros({100}, "u8", mem)
---mem:stats().live.bytes.current          -- => 128
---```
---@param up ndbuf.resource what is counted
---@return ndbuf.resource
function memory.stats(up) end

---Records what is taken and given back, and changes nothing. A *file* has the columns of RMM's
---log, and RMM's replay reads it: Thread,Time,Action,Pointer,Size,Stream, and then
---Device,Kind,Granted. Times are in UTC, Size is in bytes as requested, Stream is the number of
---the stream that the block is ready on, 0 for the host's. The actions are allocate, free and
---allocate failure; whoever is short of memory tries several times, but once where a budget is too
---small for it. At each row the addresses in use are those that the log says, whatever the
---threads: free is written before the block goes back, and where a driver refuses to free it,
---allocate again.
---
---Other actions are in a second file, x.events.csv for x.csv, which is made for the first of them,
---with Event in place of Action: free failure, damage (see nd.memory.guard), and trim and reap
---with the bytes that the memory beneath gave back of what it kept, a pool for example, for whose
---blocks free is there already. Memory that is freed while work in flight uses it waits above the
---log, unless its pool or driver orders that: its free is written when mem:reap, or another call,
---gives it back, and has no row reap beside it.
---
---A log replaces x.csv, whatever that was. As it begins it removes x.events.csv where that has
---events of an earlier log; any other file of the name stays as it is, and the events are lost.
---While a log has a file open, no other can be opened on it, in this process or another:
---nd.memory.log raises io. A log that is garbage is collected first. A child that was forked
---writes nothing to the logs of its parent: its records are lost. If a parent is killed, the file
---is in use until the last such child ends. On file systems without locks (flock) nobody is
---refused.
---
---A *ring* keeps the last records for mem:records. A *function* is called with each record, a
---table as there, at the beginning of the next call of ndbuf in this Lua state; reading an element
---or making a view may not count as one. Up to 4096 records wait for it. What it takes from this
---memory itself is recorded as well, and so calls it again: it had better take nothing there. The
---memory and its arrays keep the function.
---
---Records that a full disk, a cap or a slow function loses are counted in
---mem:stats().lost_records; so are those for which the function raises an error, and nothing else
---comes of it. The first row that a file loses is its end. No lock is held while a record is
---written.
---
---ndbuf --replay log.csv 'nd.memory.pool(nd.memory.host())' takes and frees what a log says, RMM's
---too, on another memory, and prints the time, the peaks and the fragmentation;
---require("ndbuf.replay").run(path, mem) returns them. All of the log is read before that memory
---is made, which may so be a log that replaces it.
---
---```lua
---local mem = nd.memory.log(nd.memory.host(), "resources.csv")
---nd.zeros({100}, "u8", mem):free()
---io.open("resources.csv"):read "*l":sub(1, 18)   -- => Thread,Time,Action
---require("ndbuf.replay").run("resources.csv").peak   -- => 100
---os.remove "resources.csv"
---```
---
---Raises io, invalid_argument, out_of_memory.
---@param up ndbuf.resource what is recorded
---@param sink string|fun(...): ...|table the path of the file, which is replaced; a function; or a table with path, and cap, the most bytes of a file; or one with ring, the number of records
---@return ndbuf.resource
function memory.log(up, sink) end

---Knows each block that is outstanding, and the lines of Lua that took it: mem:outstanding.
---
---```lua
---local mem = nd.memory.track(nd.memory.host())
---local a = nd.zeros({100}, "u8", mem)
---mem:outstanding()[1].bytes              -- => 100
---mem:outstanding()[1].tag == a.storage_id    -- => true
---```
---@param up ndbuf.resource what is tracked; a pool may be below it, not on it
---@param opts? ndbuf.opts.track by name
---@return ndbuf.resource
function memory.track(up, opts) end

---Asks a function for memory where there is none. It is called before work in flight is waited
---for, after what could be freed was, with the bytes that an array or a reservation wants and the
---message of the failure. Where it returns true, the memory is asked again, and then perhaps the
---function. What it takes from this memory itself is not asked for again, nor is any other such
---function of this Lua state meanwhile. An error that it raises becomes part of the message. In
---another Lua state or thread it is not called. The memory, and each array from it, keeps the
---function: what the function refers to, such as a list of arrays to spill, is not collected as
---long as an array of this memory is in that list.
---
---```lua
---local kept = {}
---local mem = nd.memory.retry(nd.memory.budget(nd.memory.host(), 1000), function(bytes)
---  local spilled = table.remove(kept)
---  if spilled then spilled:free() end
---  return spilled ~= nil
---end)
---for i = 1, 3 do kept[i] = nd.zeros({320}, "u8", mem) end
---local a = nd.zeros({640}, "u8", mem)
---#kept                                   -- => 1
---```
---@param up ndbuf.resource any; a budget may be below it, not on it
---@param fn fun(...): ... gets the bytes and a message; returns true to try again
---@return ndbuf.resource
function memory.retry(up, fn) end

---Finds writes outside of arrays, and to arrays that were freed: those of code that got a pointer,
---by a:ptr for example. The bytes before and after each array are marked; arrays that are not
---zeroed begin with bytes 0xDD; freed ones are filled with 0xDE, and their memory is kept for a
---while, so that nobody gets it. Memory of GPUs is looked at on the side, without waiting. It is
---for debugging: an array takes 320 to 383 bytes more, and each is filled twice.
---
---Damage is found when the array is freed, when its memory leaves the guard, or by mem:verify. The
---next allocation, or other call on that memory, then raises it, once, and does nothing else:
---out_of_bounds, or use_after_free, with the array's bytes, address and storage_id, the offset of
---the first damaged byte, and the line that made the array. Only mem:verify never does, which
---returns it. What is never raised nor returned by mem:verify is written to stderr when the guard
---is collected, or the Lua state closes, which os.exit(code, true) does, os.exit(code) not. A log
---beneath, guard(log(x)), gets a row damage, with the address of that byte, in its second file.
---Each sort of damage to an array is told once. NDBUF_GUARD=1 puts a guard on all memory (see the
---guide).
---
---The last 64 freed arrays are kept, up to 64 MiB; resources beneath still count them as in use.
---Allocations that find no memory, from whichever resource, and mem:trim give them back. In memory
---of GPUs and managed memory that takes until the GPU has come to it, and a further call or two of
---ndbuf; what is given back behind a busy stream is kept meanwhile. A guard there takes 272 KiB of
---pinned memory. Looked at are 256 bytes before an array, 64 to 127 after it, and all bytes of a
---freed one, of which in memory of GPUs and managed memory the first and last 4096.
---
---```lua
---local ffi = require "ffi"
---local mem = nd.memory.guard(nd.memory.host())
---local a = nd.zeros({10}, "u8", mem)
---ffi.cast("uint8_t *", a:ptr())[10] = 1
---a:free()
---nd.zeros({10}, "f64", mem):sum()        -- => error: the guard found damage
---```
---
---Raises invalid_argument.
---@param up ndbuf.resource any but a file. A pool belongs beneath, guard(pool(x))
---@return ndbuf.resource
function memory.guard(up) end

---The memory from which new arrays on a device are allocated in this Lua state: what was set, or
---the default. That of a GPU is a pool, and with NDBUF_BUDGET all have a budget: memory has the
---environment.
---
---```lua
---tostring(nd.memory.get "cpu")           -- => host memory of cpu
---```
---
---Raises invalid_argument, device_not_found.
---@param device ndbuf.devicelike any device but disk:PATH
---@return ndbuf.resource
function memory.get(device) end

---Sets the memory from which new arrays on a device are allocated in this Lua state.
---
---```lua
---nd.memory.set("cpu", nd.memory.get "cpu")
---nd.zeros(2)                             -- => [0, 0]
---```
---
---Raises invalid_argument, device_not_found.
---@param device ndbuf.devicelike the device that the memory belongs to
---@param memory ndbuf.resource|nil nil restores the device's default
function memory.set(device, memory) end

---Calls fn(…) with this memory set for its device, and restores the previous memory afterwards,
---also if fn raises an error.
---
---```lua
---nd.memory.use(nd.memory.get "cpu", function(n) return nd.zeros(n) end, 2)   -- => [0, 0]
---```
---
---Raises invalid_argument.
---@param memory ndbuf.resource any but that of a file
---@param fn fun(...): ... is called once
---@param ... any its arguments
---@return any ... # what it returns
function memory.use(memory, fn, ...) end

---Returns cached memory, which is kept for later arrays, to the system: host blocks, pinned
---blocks, the memory in the pools of GPUs, with keep 0 the staging buffers of copies, and,
---whatever keep is and not counted, what is kept of freed arrays of less than 1 MiB. Memory that
---GPU work in flight still uses is kept; call dev:synchronize first to release it as well. What
---the pool of a GPU gives up goes back to the driver in the order of its stream: trimmed once more
---after dev:synchronize, that gives it back to the system. dev:memory_info().cached is the number
---of cached bytes. When memory runs short, the whole cache of that device is released
---automatically.
---
---```lua
---nd.memory.trim "cpu"
---nd.device("cpu"):memory_info().cached   -- => 0
---```
---
---Raises invalid_argument, device_not_found.
---@param device? ndbuf.devicelike|nil any device but disk:PATH; nil: all devices. Host memory (cpu) and pinned memory are trimmed together, and so are all kinds of memory of one GPU
---@param keep? ndbuf.integer the number of bytes of each cache that may be kept
---@return integer # the number of bytes that were returned
function memory.trim(device, keep) end

---The memory of all devices in use: the host, and where a GPU was used, pinned memory, each such
---GPU, and its managed memory if there was any. A table with a row for each: the fields of
---dev:memory_info, and device. Prints as a bar for each.
---
---```lua
---nd.memory.report()[1].device            -- => cpu
---tostring(nd.memory.report()):match "^%a+"   -- => cpu
---```
---@return table
function memory.report() end

---@class ndbuf.transfers
---@overload fun(): table
local transfers = {}

---Calls fn(…); the first transfer in that direction that it would make raises unsupported instead.
---For code that is to leave the data where it is.
---
---```lua
---nd.transfers.forbid("d2h", function(n) return nd.ones(n) end, 2)    -- => [1, 1]
---```
---
---Raises invalid_argument.
---@param direction string "h2d", "d2h", "d2d", "p2p" or "staged"
---@param fn fun(...): ... is called once
---@param ... any its arguments
---@return any ... # what it returns
function transfers.forbid(direction, fn, ...) end

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
---@field fft ndbuf.fft
---@field linalg ndbuf.linalg
---@field memory ndbuf.memory
---@field transfers ndbuf.transfers
local nd = {}

---A new array with a copy of the values, which may be nested tables, a number, another array, or a
---cdata array such as ffi.new("float[3][4]").
---
---```lua
---nd.array({{1, 2}, {3, 4}}, "i16")       -- => i16 2x2 cpu [[1, 2], [3, 4]]
---nd.array(require "ffi".new("float[2]", 5))  -- => f32 2 cpu [5, 5]
---nd.array {{1, 2}, {3}}                  -- => error: table[2]: expected a row of 2 elements, got 1
---```
---
---Raises shape_mismatch, type_mismatch, invalid_argument, device_not_found, io.
---@param values ndbuf.values|ffi.cdata* tables are lists, without holes and without other keys, nested up to 16 deep; all tables of one level have the same length. They are read raw: __index is ignored
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making by default that of the given array or cdata array, otherwise "f64"
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # a copy with the shape of the values
function nd.array(values, dtype, device, opts) end

---If values is an array, returns that array itself, whatever the other arguments are; otherwise
---does the same as nd.array.
---
---```lua
---local a = nd.zeros(2)
---nd.asarray(a) == a                      -- => true
---nd.asarray {1, 2}                       -- => [1, 2]
---```
---
---Raises shape_mismatch, type_mismatch, invalid_argument, device_not_found, io.
---@param values ndbuf.values|ffi.cdata* as for nd.array
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # the given array, or a new one
function nd.asarray(values, dtype, device, opts) end

---A new array filled with 0 or with 1.
---
---```lua
---nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
---nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents; {} makes a 0-d array, which has one element
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.zeros(shape, dtype, device, opts) end

---A new array filled with 0 or with 1.
---
---```lua
---nd.zeros(2, 3)                          -- => f64 2x3 cpu [[0, 0, 0], [0, 0, 0]]
---nd.ones({2}, "u8")                      -- => u8 2 cpu [1, 1]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents; {} makes a 0-d array, which has one element
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.ones(shape, dtype, device, opts) end

---A new array whose contents are undefined. Its memory is allocated at the first use, but that of
---up to 4 KiB on cpu, and that of files, at once.
---
---```lua
---nd.empty({480, 640}, "u8").is_allocated -- => false
---nd.empty(3).is_allocated                -- => true
---nd.empty(3, {lazy = true}).is_allocated -- => false
---```
---
---Raises out_of_memory, invalid_argument, device_not_found, io.
---@param shape integer[]|ndbuf.integer as for nd.zeros
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.empty the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.empty the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.empty by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.empty, device?: ndbuf.devicelike|ndbuf.opts.empty, opts?: ndbuf.opts.empty): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.empty, device?: ndbuf.devicelike|ndbuf.opts.empty, opts?: ndbuf.opts.empty): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.empty, device?: ndbuf.devicelike|ndbuf.opts.empty, opts?: ndbuf.opts.empty): ndbuf.array
function nd.empty(shape, dtype, device, opts) end

---A new array with all elements set to a value.
---
---```lua
---nd.full({2, 2}, 7, "u16")               -- => u16 2x2 cpu [[7, 7], [7, 7]]
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param shape integer[]|ndbuf.integer the extents as a table, or the extent of a single axis
---@param value ndbuf.value converted to the dtype
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
function nd.full(shape, value, dtype, device, opts) end

---Like nd.zeros and nd.ones, with the shape of another array.
---
---```lua
---nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making by default that of a
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new; by default on the device of a, or on the cpu if a is a mapped file
function nd.zeros_like(a, dtype, device, opts) end

---Like nd.zeros and nd.ones, with the shape of another array.
---
---```lua
---nd.zeros_like(nd.ones(2, 2, "i8"))      -- => i8 2x2 cpu [[0, 0], [0, 0]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making by default that of a
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new; by default on the device of a, or on the cpu if a is a mapped file
function nd.ones_like(a, dtype, device, opts) end

---Like nd.empty, with the shape of another array.
---
---```lua
---nd.empty_like(nd.ones(2, 3, "i8")).shape                -- => {2, 3}
---```
---
---Raises invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.empty_like by default that of a
---@param device? ndbuf.devicelike|ndbuf.opts.empty_like the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.empty_like by name
---@return ndbuf.array # new; by default on the device of a, or on the cpu if a is a mapped file
function nd.empty_like(a, dtype, device, opts) end

---Like nd.full, with the shape of another array.
---
---```lua
---nd.full_like(nd.zeros(2, 2, "i8"), 3)   -- => i8 2x2 cpu [[3, 3], [3, 3]]
---```
---
---Raises type_mismatch, invalid_argument, device_not_found, io.
---@param a ndbuf.array gives the shape
---@param value ndbuf.value converted to the dtype
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making by default that of a
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new; by default on the device of a, or on the cpu if a is a mapped file
function nd.full_like(a, value, dtype, device, opts) end

---The numbers 1 … n, or evenly spaced numbers from first: element i is first + (i - 1) * step.
---last is included if a whole number of steps reaches it. If step points away from last, the array
---is empty.
---
---If all three are integers (numbers or 64-bit cdata), all elements are computed in integers and
---are exact, also beyond 2^53. Fractions such as 0.1 are not exact as doubles, so the last step
---may miss last by a rounding error. The number of elements allows for that: with steps = (last -
---first) / step and eps = 2^-52 it is max(0, floor(steps + slack) + 1), where slack = min(1/2, eps
---((|first| + |last|) / |step| + 2 |steps|)). Elements are converted to the dtype as in a store:
---fractions are truncated for integer dtypes.
---
---```lua
---nd.arange(4)                            -- => [1, 2, 3, 4]
---nd.arange(0, 1, 0.25, "f32")            -- => f32 5 cpu [0, 0.25, 0.5, 0.75, 1]
---nd.arange(3, 1, -1)                     -- => [3, 2, 1]
---nd.arange(100, 100.3, 0.1).size         -- => 4
---```
---
---Raises invalid_argument, not_representable, overflow, device_not_found, io.
---@param n ndbuf.number the last number
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 1-D
---@overload fun(first: ndbuf.number, last: ndbuf.number, step?: ndbuf.number|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.arange(n, dtype, device, opts) end

---n evenly spaced numbers from first to last. Both ends are exact, and the numbers are monotonic.
---For an integer dtype they are rounded to nearest, ties to even (as by a:round()); if both ends
---are integers, they are computed exactly, also beyond 2^53. Where an end is complex, the dtype is
---c128 unless given, and real and imaginary parts are each spaced so.
---
---```lua
---nd.linspace(0, 1, 3)                    -- => [0, 0.5, 1]
---nd.linspace(0, 10, 4, "i32")            -- => i32 4 cpu [0, 3, 7, 10]
---nd.linspace(1, 2i, 3)                   -- => c128 3 cpu [1+0i, 0.5+1i, 0+2i]
---```
---
---Raises not_representable, invalid_argument, type_mismatch, device_not_found, io.
---@param first ndbuf.value finite
---@param last ndbuf.value finite
---@param n ndbuf.integer the number of elements, 0 or more; with 1 the only element is first
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 1-D
function nd.linspace(first, last, n, dtype, device, opts) end

---base to the power of n evenly spaced exponents. Computed in f64, then converted; for an integer
---dtype the numbers are rounded to nearest.
---
---```lua
---nd.logspace(0, 3, 4)                    -- => [1, 10, 100, 1000]
---nd.logspace(0, 3, 4, "i32", {base = 2}) -- => i32 4 cpu [1, 2, 4, 8]
---```
---
---Raises invalid_argument, not_representable, device_not_found, io.
---@param first ndbuf.number the first exponent, finite
---@param last ndbuf.number the last exponent, finite
---@param n ndbuf.integer the number of elements, 0 or more
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.logspace the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.logspace the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.logspace by name
---@return ndbuf.array # new, 1-D
function nd.logspace(first, last, n, dtype, device, opts) end

---n numbers from first to last, each the one before it times the same factor. Both ends are exact,
---no number lies outside of them, and neither products nor ratios overflow on the way. Between
---powers of ten those at whole exponents are exact. For an integer dtype the numbers are rounded
---to nearest. Where an end is complex the dtype is c128 unless given; magnitudes are spaced so,
---and angles, from -π to π, evenly.
---
---```lua
---nd.geomspace(1, 1000, 4)                -- => [1, 10, 100, 1000]
---nd.geomspace(-1e-300, -1e300, 3)        -- => [-1e-300, -1, -1e+300]
---nd.geomspace(1i, 16i, 3)                -- => c128 3 cpu [0+1i, 0+4i, 0+16i]
---```
---
---Raises invalid_argument, not_representable, type_mismatch, device_not_found, io.
---@param first ndbuf.value finite, not 0
---@param last ndbuf.value finite, not 0; of the sign of first where both are real
---@param n ndbuf.integer the number of elements, 0 or more; with 1 the only element is first
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 1-D
function nd.geomspace(first, last, n, dtype, device, opts) end

---A matrix with ones on the main diagonal and zeros elsewhere.
---
---```lua
---nd.eye(2)                               -- => [[1, 0], [0, 1]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param n ndbuf.integer the number of rows, 0 or more
---@param columns? ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the number of columns, 0 or more
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 2-D
function nd.eye(n, columns, dtype, device, opts) end

---A square matrix with ones on the main diagonal and zeros elsewhere.
---
---```lua
---nd.identity(2, "i8")                    -- => i8 2x2 cpu [[1, 0], [0, 1]]
---```
---
---Raises invalid_argument, device_not_found, io.
---@param n ndbuf.integer the number of rows and columns, 0 or more
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.making the dtype of the elements
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new, 2-D
function nd.identity(n, dtype, device, opts) end

---A matrix with the elements of v on a diagonal and zeros elsewhere. If v is a matrix, its
---diagonal, as by a:diagonal(k).
---
---```lua
---nd.diag {1, 2}                          -- => [[1, 0], [0, 2]]
---nd.diag(nd.i8 {1, 2}, 1)                -- => i8 3x3 cpu [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
---nd.diag {{1, 2}, {3, 4}}                -- => [1, 4]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument.
---@param v ndbuf.array|table 1-D or 2-D
---@param k? ndbuf.integer the offset from the main diagonal; positive above it, negative below
---@return ndbuf.array # new, 2-D, with the dtype of v and on its device; for a matrix a view, 1-D
function nd.diag(v, k) end

---The lower or upper triangle of the last two axes: a copy with zeros above, or below, a diagonal.
---The methods with a trailing _ set those elements of a to 0.
---
---```lua
---nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
---nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
---nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
---```
---
---Raises shape_mismatch, invalid_argument, read_only, overlap.
---@param a ndbuf.array|table with 2 axes or more
---@param k? ndbuf.integer|ndbuf.opts.tril the offset of the diagonal, which is part of the triangle; positive above the main one, negative below; it may lie outside
---@param opts? ndbuf.opts.tril by name
---@return ndbuf.array # new, with the shape and dtype of a, or opts.out; in place, a
function nd.tril(a, k, opts) end

---The lower or upper triangle of the last two axes: a copy with zeros above, or below, a diagonal.
---The methods with a trailing _ set those elements of a to 0.
---
---```lua
---nd.tril {{1, 2}, {3, 4}}                -- => [[1, 0], [3, 4]]
---nd.ones(2, 3):triu(1)                   -- => [[0, 1, 1], [0, 0, 1]]
---nd.ones(2, 3, "u8"):tril_(-1)           -- => u8 2x3 cpu [[0, 0, 0], [1, 0, 0]]
---```
---
---Raises shape_mismatch, invalid_argument, read_only, overlap.
---@param a ndbuf.array|table with 2 axes or more
---@param k? ndbuf.integer|ndbuf.opts.tril the offset of the diagonal, which is part of the triangle; positive above the main one, negative below; it may lie outside
---@param opts? ndbuf.opts.tril by name
---@return ndbuf.array # new, with the shape and dtype of a, or opts.out; in place, a
function nd.triu(a, k, opts) end

---Grids of coordinates: for each argument an array of the grid's shape, which repeats the argument
---along all axes but its own.
---
---```lua
---local x, y = nd.meshgrid({1, 2, 3}, {10, 20})
---x                                       -- => [[1, 2, 3], [1, 2, 3]]
---x + y                                   -- => [[11, 12, 13], [21, 22, 23]]
---select(2, nd.meshgrid({1, 2, 3}, {10, 20}, {indexing = "ij", sparse = true})) -- => [[10, 20]]
---```
---
---Raises shape_mismatch, invalid_argument.
---@param x ndbuf.array|table|ndbuf.number 1-D, or one coordinate; up to 16 of them. A table in the last place that is empty or has names are the options
---@param ... any
---@return ndbuf.array ... # one for each argument, new, with its dtype and on its device
function nd.meshgrid(x, ...) end

---A Vandermonde matrix: a row of powers for each element of x, from the highest down to 1.
---
---```lua
---nd.vander {1, 2, 3}                     -- => [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
---nd.vander(nd.i8 {2, 3}, 2, {increasing = true})     -- => i64 2x2 cpu [[1, 2], [1, 3]]
---```
---
---Raises shape_mismatch, read_only, overlap, invalid_argument.
---@param x ndbuf.array|table 1-D
---@param n? ndbuf.integer|ndbuf.opts.vander the number of columns, 0 or more; by default the number of elements
---@param opts? ndbuf.opts.vander by name
---@return ndbuf.array # new, 2-D; of integers and bool in 64 bits, where powers wrap; else with the dtype of x
function nd.vander(x, n, opts) end

---Random floats. random is uniform in [0, 1), uniform from lo on and below hi; normal has mean 0
---and standard deviation 1, unless told otherwise; exponential has the mean scale. The generator
---is Philox 4x32-10; it gives the same numbers on every machine, every device and for every number
---of threads: an element is a function of the seed, its position and its own parameters. Each call
---has a sequence of its own: nd.random(5) followed by nd.random(7) does not give the numbers of
---nd.random(12).
---
---Uniform f32 numbers are multiples of 2^-24 times hi - lo. Uniform f16 and bf16 numbers in [0, 1)
---are rounded to nearest, but never up to 1: they become the largest number below it instead (1 -
---2^-11, 1 - 2^-8). For another hi the rounding of the dtype may give hi itself. normal is by Box
---and Muller (1958), exponential by inversion.
---
---```lua
---local x = nd.random({3}, "f32", {seed = 1})
---x.dtype, x.size                         -- => f32, 3
---x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
---nd.normal(nil, {mean = {10, 20, 30}, std = 0})      -- => [10, 20, 30]
---nd.uniform({100}, {lo = 5, hi = 6}):ge(5):all()     -- => true
---nd.exponential({4}, {scale = 2}).shape  -- => {4}
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random the extents; by default a 0-d array, or the shape of the parameters
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random or f32, f16, bf16
---@param device? ndbuf.devicelike|ndbuf.opts.random the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.random by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
function nd.random(shape, dtype, device, opts) end

---Random floats. random is uniform in [0, 1), uniform from lo on and below hi; normal has mean 0
---and standard deviation 1, unless told otherwise; exponential has the mean scale. The generator
---is Philox 4x32-10; it gives the same numbers on every machine, every device and for every number
---of threads: an element is a function of the seed, its position and its own parameters. Each call
---has a sequence of its own: nd.random(5) followed by nd.random(7) does not give the numbers of
---nd.random(12).
---
---Uniform f32 numbers are multiples of 2^-24 times hi - lo. Uniform f16 and bf16 numbers in [0, 1)
---are rounded to nearest, but never up to 1: they become the largest number below it instead (1 -
---2^-11, 1 - 2^-8). For another hi the rounding of the dtype may give hi itself. normal is by Box
---and Muller (1958), exponential by inversion.
---
---```lua
---local x = nd.random({3}, "f32", {seed = 1})
---x.dtype, x.size                         -- => f32, 3
---x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
---nd.normal(nil, {mean = {10, 20, 30}, std = 0})      -- => [10, 20, 30]
---nd.uniform({100}, {lo = 5, hi = 6}):ge(5):all()     -- => true
---nd.exponential({4}, {scale = 2}).shape  -- => {4}
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random the extents; by default a 0-d array, or the shape of the parameters
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random or f32, f16, bf16
---@param device? ndbuf.devicelike|ndbuf.opts.random the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.random by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
function nd.normal(shape, dtype, device, opts) end

---Random floats. random is uniform in [0, 1), uniform from lo on and below hi; normal has mean 0
---and standard deviation 1, unless told otherwise; exponential has the mean scale. The generator
---is Philox 4x32-10; it gives the same numbers on every machine, every device and for every number
---of threads: an element is a function of the seed, its position and its own parameters. Each call
---has a sequence of its own: nd.random(5) followed by nd.random(7) does not give the numbers of
---nd.random(12).
---
---Uniform f32 numbers are multiples of 2^-24 times hi - lo. Uniform f16 and bf16 numbers in [0, 1)
---are rounded to nearest, but never up to 1: they become the largest number below it instead (1 -
---2^-11, 1 - 2^-8). For another hi the rounding of the dtype may give hi itself. normal is by Box
---and Muller (1958), exponential by inversion.
---
---```lua
---local x = nd.random({3}, "f32", {seed = 1})
---x.dtype, x.size                         -- => f32, 3
---x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
---nd.normal(nil, {mean = {10, 20, 30}, std = 0})      -- => [10, 20, 30]
---nd.uniform({100}, {lo = 5, hi = 6}):ge(5):all()     -- => true
---nd.exponential({4}, {scale = 2}).shape  -- => {4}
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random the extents; by default a 0-d array, or the shape of the parameters
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random or f32, f16, bf16
---@param device? ndbuf.devicelike|ndbuf.opts.random the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.random by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
function nd.uniform(shape, dtype, device, opts) end

---Random floats. random is uniform in [0, 1), uniform from lo on and below hi; normal has mean 0
---and standard deviation 1, unless told otherwise; exponential has the mean scale. The generator
---is Philox 4x32-10; it gives the same numbers on every machine, every device and for every number
---of threads: an element is a function of the seed, its position and its own parameters. Each call
---has a sequence of its own: nd.random(5) followed by nd.random(7) does not give the numbers of
---nd.random(12).
---
---Uniform f32 numbers are multiples of 2^-24 times hi - lo. Uniform f16 and bf16 numbers in [0, 1)
---are rounded to nearest, but never up to 1: they become the largest number below it instead (1 -
---2^-11, 1 - 2^-8). For another hi the rounding of the dtype may give hi itself. normal is by Box
---and Muller (1958), exponential by inversion.
---
---```lua
---local x = nd.random({3}, "f32", {seed = 1})
---x.dtype, x.size                         -- => f32, 3
---x:equal(nd.random({3}, "f32", {seed = 1}))  -- => true
---nd.normal(nil, {mean = {10, 20, 30}, std = 0})      -- => [10, 20, 30]
---nd.uniform({100}, {lo = 5, hi = 6}):ge(5):all()     -- => true
---nd.exponential({4}, {scale = 2}).shape  -- => {4}
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random the extents; by default a 0-d array, or the shape of the parameters
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random or f32, f16, bf16
---@param device? ndbuf.devicelike|ndbuf.opts.random the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.random by name
---@return ndbuf.array # new
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
---@overload fun(s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.random, device?: ndbuf.devicelike|ndbuf.opts.random, opts?: ndbuf.opts.random): ndbuf.array
function nd.exponential(shape, dtype, device, opts) end

---Random numbers by distributions with parameters, which are numbers, or arrays and lists that
---broadcast to the shape: each element then has its own. As for nd.random, an element is a
---function of the seed, its position and its parameters. gamma is by Marsaglia and Tsang (2000),
---beta the share that one of two gamma numbers has, poisson and binomial are by inversion below a
---mean of 10, else by Hörmann's transformed rejection (1993).
---
---```lua
---nd.poisson(3, {1000}, {seed = 1}):to("f64"):mean() < 4      -- => true
---nd.binomial({0, 5, 7}, {0.5, 0, 1})     -- => i64 3 cpu [0, 0, 7]
---nd.gamma({1, 2, 3}, {2, 3}).shape       -- => {2, 3}
---nd.beta(2, 5, {4}, "f32").dtype         -- => f32
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param k ndbuf.number|ndbuf.array of gamma: its shape parameter, 0 or more; the mean is k times scale
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma the extents; by default those of the parameters: a 0-d array for numbers
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma of gamma and beta, or f32, f16, bf16; the others give i64
---@param device? ndbuf.devicelike|ndbuf.opts.gamma the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.gamma by name
---@return ndbuf.array # new
---@overload fun(k: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(k: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(k: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
function nd.gamma(k, shape, dtype, device, opts) end

---Random numbers by distributions with parameters, which are numbers, or arrays and lists that
---broadcast to the shape: each element then has its own. As for nd.random, an element is a
---function of the seed, its position and its parameters. gamma is by Marsaglia and Tsang (2000),
---beta the share that one of two gamma numbers has, poisson and binomial are by inversion below a
---mean of 10, else by Hörmann's transformed rejection (1993).
---
---```lua
---nd.poisson(3, {1000}, {seed = 1}):to("f64"):mean() < 4      -- => true
---nd.binomial({0, 5, 7}, {0.5, 0, 1})     -- => i64 3 cpu [0, 0, 7]
---nd.gamma({1, 2, 3}, {2, 3}).shape       -- => {2, 3}
---nd.beta(2, 5, {4}, "f32").dtype         -- => f32
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param a ndbuf.number|ndbuf.array of beta, from 1e-300 on
---@param b ndbuf.number|ndbuf.array of beta, likewise
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma the extents; by default those of the parameters: a 0-d array for numbers
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma of gamma and beta, or f32, f16, bf16; the others give i64
---@param device? ndbuf.devicelike|ndbuf.opts.gamma the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.gamma by name
---@return ndbuf.array # new
---@overload fun(a: ndbuf.number|ndbuf.array, b: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(a: ndbuf.number|ndbuf.array, b: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(a: ndbuf.number|ndbuf.array, b: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.gamma, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
function nd.beta(a, b, shape, dtype, device, opts) end

---Random numbers by distributions with parameters, which are numbers, or arrays and lists that
---broadcast to the shape: each element then has its own. As for nd.random, an element is a
---function of the seed, its position and its parameters. gamma is by Marsaglia and Tsang (2000),
---beta the share that one of two gamma numbers has, poisson and binomial are by inversion below a
---mean of 10, else by Hörmann's transformed rejection (1993).
---
---```lua
---nd.poisson(3, {1000}, {seed = 1}):to("f64"):mean() < 4      -- => true
---nd.binomial({0, 5, 7}, {0.5, 0, 1})     -- => i64 3 cpu [0, 0, 7]
---nd.gamma({1, 2, 3}, {2, 3}).shape       -- => {2, 3}
---nd.beta(2, 5, {4}, "f32").dtype         -- => f32
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param mean ndbuf.number|ndbuf.array of poisson: 0 to 2^62
---@param shape? integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.gamma the extents; by default those of the parameters: a 0-d array for numbers
---@param device? ndbuf.devicelike|ndbuf.opts.gamma the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.gamma by name
---@return ndbuf.array # new
---@overload fun(mean: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(mean: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(mean: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
function nd.poisson(mean, shape, device, opts) end

---Random numbers by distributions with parameters, which are numbers, or arrays and lists that
---broadcast to the shape: each element then has its own. As for nd.random, an element is a
---function of the seed, its position and its parameters. gamma is by Marsaglia and Tsang (2000),
---beta the share that one of two gamma numbers has, poisson and binomial are by inversion below a
---mean of 10, else by Hörmann's transformed rejection (1993).
---
---```lua
---nd.poisson(3, {1000}, {seed = 1}):to("f64"):mean() < 4      -- => true
---nd.binomial({0, 5, 7}, {0.5, 0, 1})     -- => i64 3 cpu [0, 0, 7]
---nd.gamma({1, 2, 3}, {2, 3}).shape       -- => {2, 3}
---nd.beta(2, 5, {4}, "f32").dtype         -- => f32
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, device_not_found, io.
---@param n ndbuf.number|ndbuf.array of binomial: how often it is tried, a whole number from 0 to 2^53
---@param p ndbuf.number|ndbuf.array of binomial: the probability of success, 0 to 1
---@param shape? integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.gamma the extents; by default those of the parameters: a 0-d array for numbers
---@param device? ndbuf.devicelike|ndbuf.opts.gamma the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.gamma by name
---@return ndbuf.array # new
---@overload fun(n: ndbuf.number|ndbuf.array, p: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(n: ndbuf.number|ndbuf.array, p: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
---@overload fun(n: ndbuf.number|ndbuf.array, p: ndbuf.number|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.gamma, opts?: ndbuf.opts.gamma): ndbuf.array
function nd.binomial(n, p, shape, device, opts) end

---How often each outcome comes in n tries: binomial numbers of what is left, one after the other.
---
---```lua
---nd.multinomial(7, {0, 1, 0})            -- => i64 3 cpu [0, 7, 0]
---nd.multinomial(9, {0.2, 0.3, 0.5}, {4}):sum(2)      -- => i64 4 cpu [9, 9, 9, 9]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch.
---@param n ndbuf.number|ndbuf.array tries, a whole number from 0 to 2^53
---@param p ndbuf.array the probability of each outcome, 1-D; they add up to 1
---@param shape? integer[]|ndbuf.integer|ndbuf.opts.multinomial the extents before the last axis; by default those of n
---@param opts? ndbuf.opts.multinomial by name
---@return ndbuf.array # new, i64; its last axis has as many elements as p, which add up to n
---@overload fun(n: ndbuf.number|ndbuf.array, p: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, opts?: ndbuf.opts.multinomial): ndbuf.array
---@overload fun(n: ndbuf.number|ndbuf.array, p: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, opts?: ndbuf.opts.multinomial): ndbuf.array
---@overload fun(n: ndbuf.number|ndbuf.array, p: ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, opts?: ndbuf.opts.multinomial): ndbuf.array
function nd.multinomial(n, p, shape, opts) end

---Entries of an array, or numbers of 1 … a, at random.
---
---```lua
---nd.choice(6, {10}).shape                -- => {10}
---nd.choice({10, 20, 30}, {2}, {p = {0, 1, 0}})       -- => [20, 20]
---nd.choice(5, {5}, {replace = false}):sort()         -- => i64 5 cpu [1, 2, 3, 4, 5]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range.
---@param a ndbuf.integer|ndbuf.array what is chosen from; a list becomes an array
---@param shape? integer[]|ndbuf.integer|ndbuf.opts.choice the extents of the choice; by default one entry
---@param axis? ndbuf.integer|ndbuf.opts.choice of an array: the entries along this axis; behind a table or nil as the shape
---@param opts? ndbuf.opts.choice by name
---@return ndbuf.array # new; shape replaces the axis
---@overload fun(a: ndbuf.integer|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, axis?: ndbuf.integer|ndbuf.opts.choice, opts?: ndbuf.opts.choice): ndbuf.array
---@overload fun(a: ndbuf.integer|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, axis?: ndbuf.integer|ndbuf.opts.choice, opts?: ndbuf.opts.choice): ndbuf.array
---@overload fun(a: ndbuf.integer|ndbuf.array, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, axis?: ndbuf.integer|ndbuf.opts.choice, opts?: ndbuf.opts.choice): ndbuf.array
function nd.choice(a, shape, axis, opts) end

---Puts the entries of an array along an axis in random order, in place.
---
---```lua
---local a = nd.arange(1, 5)
---nd.shuffle(a)
---a:sum(), a:min(), a:max()               -- => 15, 1, 5
---```
---
---Raises type_mismatch, index_out_of_range, overlap, read_only.
---@param a ndbuf.array its elements move; each entry stays as it is
---@param axis? ndbuf.integer|ndbuf.opts.shuffle 1 to ndim, or negative
---@param opts? ndbuf.opts.shuffle by name
---@return ndbuf.array # a
function nd.shuffle(a, axis, opts) end

---Random integers from lo to hi, both included, all equally likely.
---
---```lua
---nd.randint(5, 5, {3}, "u8")             -- => u8 3 cpu [5, 5, 5]
---nd.randint(-1ULL, -1ULL, {1}, "u64")    -- => u64 1 cpu [18446744073709551615]
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param lo ndbuf.integer representable in the dtype; for u64, numbers from 2^63 on may be numbers or cdata
---@param hi ndbuf.integer likewise; not less than lo
---@param shape? integer[]|ndbuf.integer|ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint the extents; by default a 0-d array
---@param dtype? ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint an integer dtype
---@param device? ndbuf.devicelike|ndbuf.opts.randint the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.randint by name
---@return ndbuf.array # new
---@overload fun(lo: ndbuf.integer, hi: ndbuf.integer, s1: ndbuf.integer, s2: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint, device?: ndbuf.devicelike|ndbuf.opts.randint, opts?: ndbuf.opts.randint): ndbuf.array
---@overload fun(lo: ndbuf.integer, hi: ndbuf.integer, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint, device?: ndbuf.devicelike|ndbuf.opts.randint, opts?: ndbuf.opts.randint): ndbuf.array
---@overload fun(lo: ndbuf.integer, hi: ndbuf.integer, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, dtype?: ndbuf.dtypelike|ndbuf.devicelike|ndbuf.opts.randint, device?: ndbuf.devicelike|ndbuf.opts.randint, opts?: ndbuf.opts.randint): ndbuf.array
function nd.randint(lo, hi, shape, dtype, device, opts) end

---The integers 1 … n in random order.
---
---```lua
---nd.permutation(1)                       -- => i64 1 cpu [1]
---```
---
---Raises invalid_argument, type_mismatch, device_not_found, io.
---@param n ndbuf.integer 0 or more
---@param device? ndbuf.devicelike|ndbuf.opts.permutation the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.permutation by name
---@return ndbuf.array # new, 1-D, i64
function nd.permutation(n, device, opts) end

---Restarts the running sequence of random numbers. When the module is loaded, it is seeded from
---the time.
---
---```lua
---nd.seed(42)
---local x = nd.random(3)
---nd.seed(42)
---x:equal(nd.random(3))                   -- => true
---```
---@param n ndbuf.integer any integer
function nd.seed(n) end

---A new array with a copy of raw bytes.
---
---```lua
---nd.frombytes("\1\0\2\0", "u16")         -- => u16 2 cpu [1, 2]
---nd.frombytes("abcd", {2, 2})            -- => u8 2x2 cpu [[97, 98], [99, 100]]
---nd.frombytes("abc", "u16")              -- => error: bytes: 3 B are not a multiple
---```
---
---Raises size_mismatch, invalid_argument, device_not_found, io.
---@param bytes string|userdata a Lua string or a LuaJIT string buffer
---@param dtype? ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making the dtype as which the bytes are read
---@param shape? integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making the extents; by default all elements along one axis
---@param device? ndbuf.devicelike|ndbuf.opts.making the device of the elements; "disk:PATH" creates that file
---@param opts? ndbuf.opts.making by name
---@return ndbuf.array # new
---@overload fun(bytes: string|userdata, dtype?: ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making, s1: ndbuf.integer, s2: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(bytes: string|userdata, dtype?: ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
---@overload fun(bytes: string|userdata, dtype?: ndbuf.dtypelike|integer[]|ndbuf.integer|ndbuf.devicelike|ndbuf.opts.making, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, device?: ndbuf.devicelike|ndbuf.opts.making, opts?: ndbuf.opts.making): ndbuf.array
function nd.frombytes(bytes, dtype, shape, device, opts) end

---An array over memory owned by another library, without a copy. The size behind a bare pointer
---cannot be checked and is trusted; the size of a cdata array is checked. GPU memory is handed
---over in stream order: the array's work is ordered after everything that was enqueued on that
---stream before, and each later call on the array returns only when its work is complete. A stream
---that is being captured into a graph, or does not belong to the device's primary context, raises
---stream_misuse.
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
---@param dtype ndbuf.dtypelike the dtype of the elements, whatever the type of the pointer
---@param shape integer[]|ndbuf.integer the extents; the elements are in row-major order
---@param opts? ndbuf.opts.wrap by name
---@return ndbuf.array # a view of that memory
---@overload fun(pointer: ffi.cdata*, dtype: ndbuf.dtypelike, s1: ndbuf.integer, s2: ndbuf.integer, opts?: ndbuf.opts.wrap): ndbuf.array
---@overload fun(pointer: ffi.cdata*, dtype: ndbuf.dtypelike, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, opts?: ndbuf.opts.wrap): ndbuf.array
---@overload fun(pointer: ffi.cdata*, dtype: ndbuf.dtypelike, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, opts?: ndbuf.opts.wrap): ndbuf.array
function nd.wrap(pointer, dtype, shape, opts) end

---Concatenate arrays along an existing axis.
---
---```lua
---nd.concat {nd.ones(2), nd.zeros(1)}     -- => [1, 1, 0]
---nd.concat {nd.f32 {1}, {2, 3}}          -- => f32 3 cpu [1, 2, 3]
---```
---
---Raises shape_mismatch, type_mismatch, index_out_of_range, invalid_argument, read_only, overlap.
---@param arrays ndbuf.array[] 1 to 2^20 arrays, with equal extents except along the axis; dtypes are promoted as in computing: u8 and f32 give f32. A table among them becomes an array of the dtype that the others are promoted to, f64 where there is none
---@param axis? ndbuf.integer|table|ndbuf.opts.concat 1 to ndim, or negative; or {axis = …}
---@param opts? ndbuf.opts.concat by name
---@return ndbuf.array # a copy; or opts.out
function nd.concat(arrays, axis, opts) end

---Stack arrays of equal shape along a new axis.
---
---```lua
---nd.stack({nd.ones(2), nd.zeros(2)}, 2)  -- => [[1, 0], [1, 0]]
---```
---
---Raises shape_mismatch, type_mismatch, index_out_of_range, invalid_argument, read_only, overlap.
---@param arrays ndbuf.array[] 1 to 2^20 arrays of one shape; dtypes and tables are as for nd.concat
---@param axis? ndbuf.integer|table|ndbuf.opts.stack the position of the new axis in the result, 1 to ndim + 1, or negative; or {axis = …}
---@param opts? ndbuf.opts.stack by name
---@return ndbuf.array # a copy with one more axis; or opts.out
function nd.stack(arrays, axis, opts) end

---Whether |a - b| ≤ atol + rtol |b| for all elements; a and b broadcast. The difference is
---computed in the dtype that both are promoted to. Between 64-bit integers and floats, and between
---i64 and u64, it is computed exactly and rounded once.
---
---```lua
---nd.allclose(nd.f64 {1}, nd.f64 {1 + 1e-9})  -- => true
---nd.allclose(nd.f64 {1}, nd.f64 {1.1})       -- => false
---nd.allclose(nd.f64 {1}, nd.f64 {1.1}, 0.2)  -- => true
---nd.allclose(nd.i64 {-1}, nd.u64 {0}, 0, 1)  -- => true
---```
---
---Raises shape_mismatch, invalid_argument.
---@param a ndbuf.array|table
---@param b ndbuf.array|table
---@param rtol? ndbuf.number 0 or more
---@param atol? ndbuf.number 0 or more
---@return boolean
function nd.allclose(a, b, rtol, atol) end

---Sets how print(a) shows arrays. Options that are not given keep their values.
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

---Information about this installation: version, abi, luajit, jit, platform, devices (a list), cuda
---(the version of the driver, if there is a GPU), pinned_fallbacks (the number of pinned blocks
---that could not be page-locked), threads (see nd.set_threads), libraries (a list of those that
---file formats need, with their versions), blas (who multiplies large matrices: a text that begins
---with OpenBLAS, MKL, BLAS or ndbuf), lapack (who factorises matrices: a text that begins with
---LAPACK; nil where there is none), fft (who computes Fourier transforms: FFTW … or ndbuf),
---missing (a table of what is not available, with the reasons). print shows the table as text.
---
---```lua
---nd.info().devices                       -- => {cpu}
---nd.info().missing.cuda ~= nil           -- => true
---```
---@return table # a new table
function nd.info() end

---The elements that index names along an axis, each in its own line: out(i, j) is a(index(i, j),
---j) for axis 1, a(i, index(i, j)) for axis 2.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---a:gather(2, {{3, 1}, {2, -1}})          -- => [[3, 1], [5, 6]]
---a:gather(1, {{2, 1, 2}})                -- => [[4, 2, 6]]
---a:gather(2, {{4}})                      -- => error: gather: index 4 (position 1) is out of range
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param a ndbuf.array|table any dtype, one axis at least
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:take; with the axes of a, on the other axes at most as long
---@param opts? ndbuf.opts.gather by name
---@return ndbuf.array # a copy, of the shape of index; or opts.out
function nd.gather(a, axis, index, opts) end

---A copy of a with values written, or added, to the elements that a:gather(axis, index) takes. If
---a position occurs several times, the last value is kept, or all are added.
---
---```lua
---local a = nd.zeros(2, 3)
---a:scatter(2, {{3}, {1}}, {{5}, {6}})        -- => [[0, 0, 5], [6, 0, 0]]
---a:scatter_add(2, {{1, 1}, {2, 3}}, 1)       -- => [[2, 0, 0], [0, 1, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param a ndbuf.array|table any dtype, one axis at least
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:gather
---@param src ndbuf.values broadcast to the shape of index, and converted; a single value that is added must be exactly representable, as for a:index_add
---@param opts? ndbuf.opts.scatter by name
---@return ndbuf.array # a copy; or opts.out
function nd.scatter(a, axis, index, src, opts) end

---A copy of a with values written, or added, to the elements that a:gather(axis, index) takes. If
---a position occurs several times, the last value is kept, or all are added.
---
---```lua
---local a = nd.zeros(2, 3)
---a:scatter(2, {{3}, {1}}, {{5}, {6}})        -- => [[0, 0, 5], [6, 0, 0]]
---a:scatter_add(2, {{1, 1}, {2, 3}}, 1)       -- => [[2, 0, 0], [0, 1, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param a ndbuf.array|table any dtype, one axis at least
---@param axis ndbuf.integer 1 to ndim, or negative
---@param index integer[]|ndbuf.array as for a:gather
---@param src ndbuf.values broadcast to the shape of index, and converted; a single value that is added must be exactly representable, as for a:index_add
---@param opts? ndbuf.opts.scatter by name
---@return ndbuf.array # a copy; or opts.out
function nd.scatter_add(a, axis, index, src, opts) end

---As a:gather, but on the other axes a and index broadcast: a:take_along(a:argsort()) is a:sort(),
---and an index of extent 1 there is used for all places.
---
---```lua
---local a = nd.array {{3, 1, 2}, {5, 6, 4}}
---a:take_along(a:argsort())               -- => [[1, 2, 3], [4, 5, 6]]
---a:take_along({{1, 3}})                  -- => [[3, 2], [5, 4]]
---a:take_along({{2, 1, 1}}, 1)            -- => [[5, 1, 2]]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap, index_out_of_range,
---invalid_argument.
---@param a ndbuf.array|table any dtype, one axis at least
---@param index integer[]|ndbuf.array as for a:take; with as many axes as a
---@param axis? ndbuf.integer|table|ndbuf.opts.take_along 1 to ndim, or negative; or {axis = …}
---@param opts? ndbuf.opts.take_along by name
---@return ndbuf.array # a copy; or opts.out
function nd.take_along(a, index, axis, opts) end

---Moves axes to other positions. The other axes stay in their order.
---
---```lua
---nd.zeros(2, 3, 4):moveaxis(1, -1).shape     -- => {3, 4, 2}
---nd.zeros(2, 3, 4):moveaxis({1, 2}, {3, 1}).shape    -- => {3, 4, 2}
---```
---
---Raises index_out_of_range, shape_mismatch, invalid_argument.
---@param a ndbuf.array|table a table becomes a new array
---@param source ndbuf.integer|integer[] the axes to move, 1 to ndim, or negative
---@param destination ndbuf.integer|integer[] their positions in the result
---@return ndbuf.array # a view
function nd.moveaxis(a, source, destination) end

---Views of all arguments with the shape that they broadcast to, as operands do.
---
---```lua
---local a, b = nd.broadcast_arrays({1, 2}, {{10}, {20}})
---a                                       -- => [[1, 2], [1, 2]]
---b                                       -- => [[10, 10], [20, 20]]
---```
---
---Raises shape_mismatch, invalid_argument.
---@param a ndbuf.array|table|ndbuf.number up to 1000 of them; a table, or a number, becomes a new array
---@param ... any
---@return ndbuf.array ... # views; read-only where anything is repeated
function nd.broadcast_arrays(a, ...) end

---Splits an axis into parts of the given sizes, or into count parts of nearly equal size; if the
---extent is not a multiple of count, the first parts are longer by one.
---
---```lua
---nd.arange(5):split(1, 2)[1]             -- => [1, 2, 3]
---nd.arange(5):split(1, {1, 4})[2]        -- => [2, 3, 4, 5]
---```
---
---Raises shape_mismatch, size_mismatch, invalid_argument, index_out_of_range.
---@param a ndbuf.array|table a table becomes a new array
---@param axis ndbuf.integer 1 to ndim, or negative
---@param sizes integer[] the sizes of the parts; their sum is the extent of the axis
---@return ndbuf.array[] # a table of views
---@overload fun(a: ndbuf.array|table, axis: ndbuf.integer, count: ndbuf.integer): ndbuf.array[]
function nd.split(a, axis, sizes) end

---The entries of an axis as several values, the counterpart of nd.stack. The results do not have
---that axis.
---
---```lua
---local x, y = nd.unstack({{1, 2, 3}, {4, 5, 6}}, 1)
---y                                       -- => [4, 5, 6]
---```
---
---Raises shape_mismatch, index_out_of_range, capacity.
---@param a ndbuf.array|table a table becomes a new array
---@param axis? ndbuf.integer|table 1 to ndim, or negative; or {axis = …}
---@return ndbuf.array ... # views, as many as the axis has entries
function nd.unstack(a, axis) end

---The fields of packed records: one array for each field, by name.
---
---```lua
---local packets = "\1\0\0\0\0\80" .. "\2\0\0\0\1\187"
---local r = nd.records(packets, {{"id", "u32"}, {"port", "u16be"}})
---r.id                                    -- => u32 2 cpu [1, 2]
---r.port                                  -- => u16 2 cpu [80, 443]
---```
---
---Raises out_of_bounds, invalid_argument, type_mismatch, invalid_view.
---@param bytes ndbuf.array|string a contiguous array of any dtype; a string is copied
---@param fields table a list of {name, dtype}, in the order in which the fields are packed; a dtype name with the suffix be, such as "u16be", is big-endian
---@param opts? ndbuf.opts.records by name
---@return table<string, ndbuf.array> # 1-D views; a big-endian field is a converted copy
function nd.records(bytes, fields, opts) end

---Repeats the whole array along its axes.
---
---```lua
---nd.f64 {1, 2}:tile(2)                   -- => [1, 2, 1, 2]
---nd.f64 {1, 2}:tile(2, 1)                -- => [[1, 2], [1, 2]]
---```
---
---Raises invalid_argument, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param counts integer[]|ndbuf.integer repetitions along the last axes; if there are more counts than axes, new axes are added in front
---@param opts? ndbuf.opts.tile by name
---@return ndbuf.array # a copy; or opts.out
---@overload fun(a: ndbuf.array|table, c1: ndbuf.integer, c2: ndbuf.integer, opts?: ndbuf.opts.tile): ndbuf.array
---@overload fun(a: ndbuf.array|table, c1: ndbuf.integer, c2: ndbuf.integer, c3: ndbuf.integer, opts?: ndbuf.opts.tile): ndbuf.array
---@overload fun(a: ndbuf.array|table, c1: ndbuf.integer, c2: ndbuf.integer, c3: ndbuf.integer, c4: ndbuf.integer, opts?: ndbuf.opts.tile): ndbuf.array
function nd.tile(a, counts, opts) end

---Repeats each entry along an axis.
---
---```lua
---nd.f64 {1, 2}:repeat_interleave(2)      -- => [1, 1, 2, 2]
---nd.f64 {5, 6, 7}:repeat_interleave {2, 0, 1}    -- => [5, 5, 7]
---```
---
---Raises invalid_argument, shape_mismatch, read_only, overlap, type_mismatch, index_out_of_range.
---@param a ndbuf.array|table
---@param n ndbuf.integer|table|ndbuf.array 0 or more; as a table or an array of integers, a count for each entry of the axis, or one for all
---@param axis? ndbuf.integer|table|ndbuf.opts.repeat_interleave 1 to ndim, or negative; or {axis = …}; optional for 1-D arrays only
---@param opts? ndbuf.opts.repeat_interleave by name
---@return ndbuf.array # a copy; or opts.out
function nd.repeat_interleave(a, n, axis, opts) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.add(a, b, opts) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sub(a, b, opts) end

---Sum, difference, product. For bool the sum is "or" and the product "and"; there is no
---difference.
---
---```lua
---nd.array({1, 2, 3}) + 1                 -- => [2, 3, 4]
---nd.u8 {200, 7} + nd.u8 {100, 1}         -- => [44, 8]
---2 - nd.i32 {1, 2}                       -- => [1, 0]
---nd.array {1, 2} + {10, 20}              -- => [11, 22]
---nd.array({{1}, {2}}) * nd.array {10, 20}    -- => [[10, 20], [20, 40]]
---nd.f32 {1, 2}:mul_(4)                   -- => [4, 8]
---nd.i32 {1} + 2.5                        -- => error: add: 2.5 cannot be represented as i32
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.mul(a, b, opts) end

---Quotient. Integers and bool give f64.
---
---```lua
---nd.i32 {1, 2, 3} / 2                    -- => [0.5, 1, 1.5]
---nd.f32 {1, 0} / 0                       -- => [inf, nan]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.div(a, b, opts) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.idiv(a, b, opts) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.mod(a, b, opts) end

---Floor division, and its remainder, which has the sign of the divisor. remainder is another name
---of mod.
---
---```lua
---nd.i32 {7, -7}:idiv(2)                  -- => [3, -4]
---nd.f64 {7, -7} % 2.5                    -- => [2, 0.5]
---nd.i32 {1, 2}:mod(nd.i32 {1, 0})        -- => error: mod: element 2
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.remainder(a, b, opts) end

---Remainder of the division that is truncated toward 0; it has the sign of the dividend and is
---exact. mod has the sign of the divisor.
---
---```lua
---nd.i32 {7, -7}:fmod(3)                  -- => [1, -1]
---nd.f64 {5.5, -5.5}:fmod(-2)             -- => [1.5, -1.5]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.fmod(a, b, opts) end

---Power. For integers the result wraps modulo 2^n, and the exponent must not be negative. Complex
---numbers are multiplied for whole exponents up to 100, and neither overflow nor underflow on the
---way; other powers are exp(b * log(a)), where 0 to the power of what has no positive real part is
---NaN, except that anything to the power of 0 is 1. A real number that is infinite has real whole
---powers.
---
---```lua
---nd.i32 {2, 3} ^ 3                       -- => [8, 27]
---nd.c64 {1i, -2} ^ 2                     -- => [-1+0i, 4-0i]
---nd.f64 {2, 9} ^ 0.5                     -- => [1.4142135623730951, 3]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.pow(a, b, opts) end

---The length of the hypotenuse, sqrt(a * a + b * b), with an error of at most 1 unit in the last
---place, and no overflow on the way. It is infinite where one side is, even if the other is NaN.
---Integers and bool compute in f64.
---
---```lua
---nd.f64 {3, 3e300}:hypot(nd.f64 {4, 4e300})  -- => [5, 5e+300]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.hypot(a, b, opts) end

---a * b + c, rounded once. Integers and bool compute in f64; the small floats in f32, from which
---they are rounded like any result.
---
---```lua
---nd.f64 {2, 3}:fma(10, nd.f64 {1, 2})    -- => [21, 32]
---nd.fma(nd.f64 {1 + 2 ^ -52}, 1 - 2 ^ -52, -1) * 2 ^ 104     -- => [-1]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param c ndbuf.array|ndbuf.value broadcast, too
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.fma(a, b, c, opts) end

---The magnitude of a with the sign of b, also of zeros and NaN. Integers and bool compute in f64.
---
---```lua
---nd.f64 {1, 2}:copysign(nd.f64 {-0.0, 3})    -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.copysign(a, b, opts) end

---The next number of the dtype after a in the direction of b; b where they are equal. Integers and
---bool compute in f64.
---
---```lua
---nd.f32 {1}:nextafter(2) - 1             -- => f32 1 cpu [1.1920929e-07]
---nd.f16 {1, 0}:nextafter(-1):lt(nd.f16 {1, 0})   -- => [true, true]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.nextafter(a, b, opts) end

---Whether the sign is negative; unlike a:lt(0) it tells -0 from 0, and NaN with a sign from NaN
---without.
---
---```lua
---nd.f64 {-0.0, 0, -3}:signbit()          -- => [true, false, true]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.signbit(a, opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.neg(a, opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.abs(a, opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.conj(a, opts) end

---Negation, absolute value, complex conjugate, and sign (-1, 0 or 1; of complex numbers a /
---abs(a), or 0; where one part is infinite, the sign of that part; where both are, NaN). The
---smallest integer of a signed dtype is its own negation and absolute value; the sign of NaN is
---NaN. The absolute value of c64 is f32, that of c128 is f64; it is infinite where one part is. It
---cannot be written to a complex array. The conjugate of a real array is a copy of it.
---
---```lua
----nd.i8 {1, -128}                        -- => [-1, -128]
---nd.f32 {-2.5, 0}:abs()                  -- => [2.5, 0]
---nd.c64 {4i, -3}:abs()                   -- => [4, 3]
---nd.c64 {4i, -3}:conj()                  -- => [0-4i, -3-0i]
---nd.c64 {4i, -3}:sign()                  -- => [0+1i, -1+0i]
---nd.f32 {-2.5, 0}:sign()                 -- => [-1, 0]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sign(a, opts) end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.square(a, opts) end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.reciprocal(a, opts) end

---a * a, 1 / a and the square root. The latter two compute in f64 for integers and bool. There is
---no square of bool; a * a of it is "and". Of the two square roots of a complex number it is the
---one whose real part is not negative.
---
---```lua
---nd.i32 {3, 4}:square()                  -- => [9, 16]
---nd.i32 {4, 9}:sqrt()                    -- => [2, 3]
---nd.c64 {-4, 2i}:sqrt()                  -- => [0+2i, 1+1i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sqrt(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.cbrt(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.exp(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.expm1(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.log(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.log2(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.log10(a, opts) end

---Cube root, exponential, exp(a) - 1, logarithms to the bases e, 2 and 10, and log(1 + a). expm1
---and log1p keep their digits near 0. Computed in f64 for integers and bool. The error is at most
---1 unit in the last place in f64 and 1.5 in f32 (make accuracy measures it: at most 0.9 in both);
---smaller floats are computed in f32. The bits of a result depend neither on the processor nor on
---the position in the array. The logarithm of 0 is -infinity, that of less is NaN. Logarithms of
---complex numbers have imaginary parts from -π to π; their errors and those of exponentials are at
---most 4 units of the larger part, and zeros, infinities and NaN follow Annex G of C11. There is
---no cube root of them.
---
---```lua
---nd.f32 {-8, 1000}:cbrt()                -- => [-2, 10]
---nd.f64 {0}:exp()                        -- => [1]
---nd.i32 {1, 8, 1024}:log2()              -- => [0, 3, 10]
---nd.f64 {1e-20}:log1p()                  -- => [1e-20]
---nd.c64 {-1}:log()                       -- => [0+3.1415927i]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.log1p(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sin(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.cos(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.tan(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.asin(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.acos(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.atan(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.sinh(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.cosh(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.tanh(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.asinh(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.acosh(a, opts) end

---Trigonometric and hyperbolic functions and their inverses; angles in radians, of any size.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor and at every position, and results stay within
---the range of the function. Outside of its domain a function is NaN. Complex numbers have the
---branch cuts, zeros, infinities and NaN of Annex G of C11, and an error of at most 5 units in the
---last place of the larger part.
---
---```lua
---nd.f64 {0, 1e300}:sin()                 -- => [0, -0.8178819121159085]
---nd.f64 {1, -1}:acos()                   -- => [0, 3.141592653589793]
---nd.c128 {2}:acosh()                     -- => [1.3169578969248166+0i]
---nd.f32 {0, 0.5}:atanh()                 -- => [0, 0.54930615]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.atanh(a, opts) end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.erf(a, opts) end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.erfc(a, opts) end

---The error function, one less it, and the logarithm of the gamma function's absolute value.
---Computed in f64 for integers and bool. The error is at most 1 unit in the last place in f64 and
---1.5 in f32, with the same bits on every processor; between the negative zeros of lgamma it is at
---most 2^-55. lgamma of 0 and of negative whole numbers is infinity.
---
---```lua
---nd.f64 {0, 0.5, 7}:erf()                -- => [0, 0.5204998778130465, 1]
---nd.f64 {10}:erfc()                      -- => [2.088487583762545e-45]
---nd.i32 {1, 2, 11}:lgamma():exp():round()        -- => [1, 1, 3628800]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.lgamma(a, opts) end

---The angle of the point whose y is a and whose x is b, -π to π, in the quadrant that the signs
---tell, those of zeros included. As accurate as the functions above.
---
---```lua
---nd.f64 {1, 1, -1}:atan2(nd.f64 {1, -1, 0}):mul(180 / math.pi) -- => [45, 135, -90]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.atan2(a, b, opts) end

---log(e^a + e^b), also where the exponentials are out of range: the sum of what a and b are
---logarithms of. Computed in f64 for integers and bool. The error is at most 1 unit in the last
---place in f64 and 1.5 in f32, or 2^-59 where the result is close to 0.
---
---```lua
---nd.f64 {-1000, -1 / 0}:logaddexp(nd.f64 {-1000, 3}) -- => [-999.3068528194401, 3]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.logaddexp(a, b, opts) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.floor(a, opts) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.ceil(a, opts) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.round(a, opts) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.rint(a, opts) end

---Round to a whole number: down, up, to nearest (ties to even), toward 0. Integers are unchanged.
---rint is another name of round, which is there for complex numbers, too: both parts are rounded.
---
---```lua
---nd.f32 {-1.5, 2.5}:floor()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:round()              -- => [-2, 2]
---nd.f32 {-1.5, 2.5}:trunc()              -- => [-1, 2]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.trunc(a, opts) end

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.isnan(a, opts) end

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.isinf(a, opts) end

---Test each element: is it NaN, is it infinite, is it neither? Integers are finite; a complex
---number is NaN or infinite if one of its parts is.
---
---```lua
---nd.f32 {1, 0 / 0, 1 / 0}:isnan()        -- => [false, true, false]
---nd.i8 {1}:isfinite()                    -- => [true]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.isfinite(a, opts) end

---Whether |a - b| <= atol + rtol |b|, element by element. Infinities are close to equal ones only.
---Differences are computed in f64, those of complex numbers in c128; elements that are exactly
---equal are close.
---
---```lua
---nd.f64 {1, 1.1, 0 / 0}:isclose(nd.f64 {1.000001, 1, 0 / 0})  -- => [true, false, false]
---nd.isclose({1, 1.1}, 1, {rtol = 0.2})   -- => [true, true]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.isclose by name
---@return ndbuf.array # bool
function nd.isclose(a, b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.lt(a, b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.le(a, b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.gt(a, b, opts) end

---Element-wise comparison: less, less or equal, greater, greater or equal. Comparisons with NaN
---are false. The operators such as a < b raise an error, because Lua would convert the resulting
---array to a single boolean.
---
---Operands are compared by their exact numerical values and not converted to a common dtype first.
---That holds for i64 with u64, for both with floats, and for a value that the dtype of the array
---does not hold. For each element, a:lt(x) gives the same answer as a[i] < x.
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
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.ge(a, b, opts) end

---Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether both are the
---same handle; a:equal(b) compares whole arrays. As with lt, exact values are compared: no f32 is
---exactly 0.1, so eq(0.1) is false for each of them.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.eq(a, b, opts) end

---Element-wise equality and inequality. NaN is equal to nothing. a == b tests whether both are the
---same handle; a:equal(b) compares whole arrays. As with lt, exact values are compared: no f32 is
---exactly 0.1, so eq(0.1) is false for each of them.
---
---```lua
---nd.i32 {1, 2, 3}:eq(nd.i32 {1, 0, 3})   -- => [true, false, true]
---nd.f32 {0.1}:eq(0.1)                    -- => [false]
---nd.f32 {0.1}:eq(nd.f32(0.1))            -- => [true]
---nd.i64 {2LL ^ 53 + 1LL}:eq(nd.f64 {2 ^ 53}) -- => [false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.ne(a, b, opts) end

---The smaller or the greater of two elements; NaN where one of them is NaN. A value outside of the
---range of an integer dtype is accepted if it can never be the result; it then leaves the elements
---unchanged. Otherwise it is refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.minimum(a, b, opts) end

---The smaller or the greater of two elements; NaN where one of them is NaN. A value outside of the
---range of an integer dtype is accepted if it can never be the result; it then leaves the elements
---unchanged. Otherwise it is refused.
---
---```lua
---nd.i32 {1, 5}:minimum(3)                -- => [1, 3]
---nd.u8 {1, 255}:minimum(256)             -- => [1, 255]
---nd.f32 {1, 0 / 0}:maximum(nd.f32 {2, 2})    -- => [2, nan]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.maximum(a, b, opts) end

---Elements below lo become lo; after that, elements above hi become hi. NaN stays NaN. If lo is
---greater than hi, all elements become hi. A lower bound below the range of an integer dtype has
---no effect, and neither has an upper bound above it.
---
---```lua
---nd.u8 {0, 7}:clamp(-1, 5)               -- => [0, 5]
---nd.i32 {1, 5, 9}:clamp(2, 6)            -- => [2, 5, 6]
---nd.i32 {1, 5, 9}:clamp(nil, 6)          -- => [1, 5, 6]
---```
---
---Raises type_mismatch, not_representable, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param lo ndbuf.array|ndbuf.value|nil nil: no lower bound
---@param hi? ndbuf.array|ndbuf.value|nil|ndbuf.opts.computing nil: no upper bound; at least one of the two bounds is required
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.clamp(a, lo, hi, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_and(a, b, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_or(a, b, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_xor(a, b, opts) end

---Logical operations on arrays of any dtype: elements that are not 0 are true, also NaN.
---
---```lua
---nd.i32 {0, 2}:logical_and(nd.f64 {1, 0.5})  -- => [false, true]
---nd.f32 {0, 2}:logical_not()             -- => [true, false]
---```
---
---Raises shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array # bool
function nd.logical_not(a, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_and(a, b, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_or(a, b, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_xor(a, b, opts) end

---Bitwise operations on integers and bool.
---
---```lua
---nd.u8 {12, 10}:bit_and(6)               -- => [4, 2]
---nd.u8 {0, 1}:bit_not()                  -- => [255, 254]
---```
---
---Raises type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.bit_not(a, opts) end

---Shift the bits of a left or right by b places. A right shift of signed integers is arithmetic:
---it copies the sign bit. Counts equal to or above the width of the dtype shift out all bits.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.shl(a, b, opts) end

---Shift the bits of a left or right by b places. A right shift of signed integers is arithmetic:
---it copies the sign bit. Counts equal to or above the width of the dtype shift out all bits.
---
---```lua
---nd.u8 {1, 255}:shl(4)                   -- => [16, 240]
---nd.i8 {-128, 64}:shr(3)                 -- => [-16, 8]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, not_representable, read_only, overlap.
---@param a ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array
function nd.shr(a, b, opts) end

---Elements of a where the condition is not 0, elements of b elsewhere. As a method it is called on
---the condition: condition:where(a, b). If neither a nor b is an array, the dtype follows from the
---values. With the condition as the only argument it returns the positions of the elements that
---are not 0: for each axis a 1-D i64 array of 1-based indices along that axis, in row-major order.
---
---```lua
---local a = nd.i32 {1, 5, 9}
---nd.where(a:gt(4), a, 0)                 -- => [0, 5, 9]
---nd.where(a:gt(4), 1, -1)                -- => [-1, 1, 1]
---select(2, nd.where(nd.i32 {{0, 5}, {7, 0}})) -- => [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, not_representable, read_only, overlap.
---@param condition ndbuf.array|ndbuf.value of any dtype; as the only argument, an array
---@param a? ndbuf.array|table|ndbuf.value at least one of the operands is an array or a table
---@param b? ndbuf.array|table|ndbuf.value broadcast against a
---@param opts? ndbuf.opts.computing by name
---@return ndbuf.array ... # one array; with the condition as the only argument, one for each axis
function nd.where(condition, a, b, opts) end

---The sum, the product. An empty sum is 0, an empty product 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum(2)                                -- => [6, 15]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i8 {100, 100}, {dtype = "i8"})        -- => -56
---nd.f32({2^24, 1}):sum {dtype = "f64"}   -- => 16777217
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises type_mismatch, index_out_of_range, invalid_argument, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.sum the same as opts.axis
---@param opts? ndbuf.opts.sum by name
---@return any # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype; a 64-bit integer is a Lua number up to 2^53, cdata beyond
function nd.sum(a, axis, opts) end

---The sum, the product. An empty sum is 0, an empty product 1.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:sum(), a:prod()                       -- => 21, 720
---a:sum {axis = 1}                        -- => [5, 7, 9]
---a:sum(2)                                -- => [6, 15]
---a:sum {axis = 2, keepdims = true}       -- => [[6], [15]]
---nd.sum(nd.i8 {100, 100})                -- => 200
---nd.sum(nd.i8 {100, 100}, {dtype = "i8"})        -- => -56
---nd.f32({2^24, 1}):sum {dtype = "f64"}   -- => 16777217
---nd.sum(nd.i64 {2^53, 1})                -- => 9007199254740993LL
---```
---
---Raises type_mismatch, index_out_of_range, invalid_argument, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.sum the same as opts.axis
---@param opts? ndbuf.opts.sum by name
---@return any # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype; a 64-bit integer is a Lua number up to 2^53, cdata beyond
function nd.prod(a, axis, opts) end

---The minimum, the maximum; NaN if any element is NaN.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.min(a, axis, opts) end

---The minimum, the maximum; NaN if any element is NaN.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:max {axis = 2}                        -- => [3, 6]
---nd.min(nd.array {1, 0 / 0})             -- => nan
---nd.zeros(0, 2):min {axis = 1}           -- => error: min: axis 1 of the array
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.max(a, axis, opts) end

---"Peak to peak": the maximum minus the minimum; NaN if any element is NaN. For integers the
---difference wraps, as sub does.
---
---```lua
---nd.ptp(nd.array {3, -1, 2})             -- => 4
---nd.array({{1, 9}, {4, 4}}, "u8"):ptp {axis = 2} -- => [8, 0]
---nd.ptp(nd.i8 {100, -100})               -- => -56
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.ptp(a, axis, opts) end

---The position of the first minimum or maximum, counted from 1 in row-major order of the reduced
---axes; if there are NaNs, the position of the first of them.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function nd.argmin(a, axis, opts) end

---The position of the first minimum or maximum, counted from 1 in row-major order of the reduced
---axes; if there are NaNs, the position of the first of them.
---
---```lua
---local a = nd.array {{1, 9, 3}, {4, 5, 6}}
---a:argmax()                              -- => 2
---a:argmax {axis = 2}                     -- => [2, 3]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function nd.argmax(a, axis, opts) end

---The arithmetic mean; NaN where there are no elements.
---
---```lua
---nd.mean(nd.u8 {1, 2, 4, 4})             -- => 2.75
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # f64 for bool and integers, otherwise the array's dtype
function nd.mean(a, axis, opts) end

---The variance, and the standard deviation, which is its square root. The mean is computed first,
---then the squared distances from it; for complex numbers those are squared absolute values. NaN
---where there are no elements.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.var the same as opts.axis
---@param opts? ndbuf.opts.var by name
---@return any # f64 for bool and integers, the dtype of the parts for complex numbers, otherwise the array's dtype
function nd.var(a, axis, opts) end

---The variance, and the standard deviation, which is its square root. The mean is computed first,
---then the squared distances from it; for complex numbers those are squared absolute values. NaN
---where there are no elements.
---
---```lua
---local a = nd.array {1, 2, 3, 4}
---a:var(), a:var {ddof = 2}               -- => 1.25, 2.5
---a:reshape(2, 2):std {axis = 1}          -- => [1, 1]
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.var the same as opts.axis
---@param opts? ndbuf.opts.var by name
---@return any # f64 for bool and integers, the dtype of the parts for complex numbers, otherwise the array's dtype
function nd.std(a, axis, opts) end

---Whether any element, or every element, is true. Elements that are not 0 are true, also NaN.
---Where there are no elements, any is false and all is true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean, or an array of bool
function nd.any(a, axis, opts) end

---Whether any element, or every element, is true. Elements that are not 0 are true, also NaN.
---Where there are no elements, any is false and all is true.
---
---```lua
---local a = nd.array {{0, 1}, {1, 1}}
---a:any(), a:all()                        -- => true, false
---a:all {axis = 1}                        -- => [false, true]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a boolean, or an array of bool
function nd.all(a, axis, opts) end

---The number of elements that are not 0.
---
---```lua
---nd.count_nonzero(nd.array {0, 3, 0 / 0})        -- => 2
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function nd.count_nonzero(a, axis, opts) end

---The sum and the product of the elements that are not NaN. These functions and those below differ
---from the ones without nan for floats and complex numbers only.
---
---```lua
---nd.array({1, 0 / 0, 3}):nansum()        -- => 4
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # as a:sum()
function nd.nansum(a, axis, opts) end

---The sum and the product of the elements that are not NaN. These functions and those below differ
---from the ones without nan for floats and complex numbers only.
---
---```lua
---nd.array({1, 0 / 0, 3}):nansum()        -- => 4
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # as a:sum()
function nd.nanprod(a, axis, opts) end

---The minimum and the maximum of the elements that are not NaN; NaN where all are.
---
---```lua
---local a = nd.array {{1, 0 / 0}, {0 / 0, 0 / 0}}
---a:nanmin(), a:nanmax(2)                 -- => 1, f64 2 cpu [1, nan]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.nanmin(a, axis, opts) end

---The minimum and the maximum of the elements that are not NaN; NaN where all are.
---
---```lua
---local a = nd.array {{1, 0 / 0}, {0 / 0, 0 / 0}}
---a:nanmin(), a:nanmax(2)                 -- => 1, f64 2 cpu [1, nan]
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # of the array's dtype
function nd.nanmax(a, axis, opts) end

---The position of the first minimum or maximum among the elements that are not NaN, counted from 1
---in row-major order of the reduced axes.
---
---```lua
---nd.array({0 / 0, 5, 2}):nanargmin()     -- => 3
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function nd.nanargmin(a, axis, opts) end

---The position of the first minimum or maximum among the elements that are not NaN, counted from 1
---in row-major order of the reduced axes.
---
---```lua
---nd.array({0 / 0, 5, 2}):nanargmin()     -- => 3
---```
---
---Raises invalid_argument, type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # a number, or an array of i64
function nd.nanargmax(a, axis, opts) end

---The mean of the elements that are not NaN; NaN where all are.
---
---```lua
---nd.array({{1, 0 / 0, 4}}):nanmean(2)    -- => [2.5]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.reductions the same as opts.axis
---@param opts? ndbuf.opts.reductions by name
---@return any # as a:mean()
function nd.nanmean(a, axis, opts) end

---The variance and the standard deviation of the elements that are not NaN; NaN where there are
---not more of them than ddof.
---
---```lua
---nd.array({1, 0 / 0, 3}):nanvar()        -- => 1
---nd.array({1, 0 / 0, 3}):nanvar {ddof = 1} -- => 2
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.nanvar the same as opts.axis
---@param opts? ndbuf.opts.nanvar by name
---@return any # as a:var()
function nd.nanvar(a, axis, opts) end

---The variance and the standard deviation of the elements that are not NaN; NaN where there are
---not more of them than ddof.
---
---```lua
---nd.array({1, 0 / 0, 3}):nanvar()        -- => 1
---nd.array({1, 0 / 0, 3}):nanvar {ddof = 1} -- => 2
---```
---
---Raises invalid_argument, index_out_of_range, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.nanvar the same as opts.axis
---@param opts? ndbuf.opts.nanvar by name
---@return any # as a:var()
function nd.nanstd(a, axis, opts) end

---The covariances of variables, of which each row of x, and of y, has the observations. Computed
---in f64; of complex numbers in c128, with the second factor conjugate.
---
---```lua
---nd.cov {{1, 2, 3}, {6, 4, 2}}           -- => [[1, -2], [-2, 4]]
---nd.cov({1, 2, 3}, {bias = true}):item() -- => 0.66666666666667
---```
---
---Raises shape_mismatch, invalid_argument.
---@param x ndbuf.array|table 1-D, a single variable, or 2-D
---@param y? ndbuf.array|table|ndbuf.opts.cov more variables with as many observations; an empty table are options
---@param opts? ndbuf.opts.cov by name
---@return ndbuf.array # variables x variables; 0-d for a single variable
function nd.cov(x, y, opts) end

---The correlation coefficients of variables: their covariances, each divided by both standard
---deviations. They stay within -1 and 1, and are NaN for a variable that does not vary.
---
---```lua
---nd.corrcoef {{1, 2, 3}, {6, 4, 2}}      -- => [[1, -1], [-1, 1]]
---```
---
---Raises shape_mismatch.
---@param x ndbuf.array|table 1-D, a single variable, or 2-D
---@param y? ndbuf.array|table|ndbuf.opts.corrcoef more variables with as many observations; an empty table are options
---@param opts? ndbuf.opts.corrcoef by name
---@return ndbuf.array # variables x variables; 0-d for a single variable
function nd.corrcoef(x, y, opts) end

---A copy that is sorted along an axis. NaNs come last, ascending or descending, and -0 sorts
---before 0; complex numbers are ordered by real part, then by imaginary part.
---
---```lua
---local a = nd.array {{3, 1, 2}, {0, 5, 4}}
---a:sort()                                -- => [[1, 2, 3], [0, 4, 5]]
---a:sort(1, {descending = true})          -- => [[3, 5, 4], [0, 1, 2]]
---```
---
---Raises index_out_of_range, shape_mismatch, invalid_argument.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.sort by default the last one; negative from the end
---@param opts? ndbuf.opts.sort by name
---@return ndbuf.array # a copy, contiguous
function nd.sort(a, axis, opts) end

---The positions, counted from 1, that would sort the array along an axis. The sort is stable:
---equal elements keep their order; zeros of either sign are equal to each other, and so are NaNs.
---
---```lua
---local a = nd.array {3, 1, 2}
---a:argsort()                             -- => [2, 3, 1]
---a[a:argsort()]                          -- => [1, 2, 3]
---```
---
---Raises index_out_of_range, shape_mismatch, invalid_argument.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.argsort by default the last one; negative from the end
---@param opts? ndbuf.opts.argsort by name
---@return ndbuf.array # of i64
function nd.argsort(a, axis, opts) end

---Scans: the running sum, the running product. Element k of the result combines elements 1 to k
---along the axis; without an axis, of the whole array in row-major order. Integers wrap modulo
---2^64. Floats are accumulated in f64 and rounded for each result; sums keep the rounding errors
---of f64, so that a result is off by no more than what 16 additions are. Products follow one from
---another. The result has the same bits for any number of threads and any strides.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:cumsum()                              -- => [1, 3, 6, 10, 15, 21]
---a:cumsum(1)                             -- => [[1, 2, 3], [5, 7, 9]]
---a:cumprod {axis = 2}                    -- => [[1, 2, 6], [4, 20, 120]]
---local total = nd.f32 {0, 1, 2, 3, 4, 5}:cumsum()
---(total["4:"] - total[":3"]) / 3         -- => [2, 3, 4]
---```
---
---Raises index_out_of_range, type_mismatch, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.cumsum the same as opts.axis
---@param opts? ndbuf.opts.cumsum by name
---@return ndbuf.array # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype
function nd.cumsum(a, axis, opts) end

---Scans: the running sum, the running product. Element k of the result combines elements 1 to k
---along the axis; without an axis, of the whole array in row-major order. Integers wrap modulo
---2^64. Floats are accumulated in f64 and rounded for each result; sums keep the rounding errors
---of f64, so that a result is off by no more than what 16 additions are. Products follow one from
---another. The result has the same bits for any number of threads and any strides.
---
---```lua
---local a = nd.array {{1, 2, 3}, {4, 5, 6}}
---a:cumsum()                              -- => [1, 3, 6, 10, 15, 21]
---a:cumsum(1)                             -- => [[1, 2, 3], [5, 7, 9]]
---a:cumprod {axis = 2}                    -- => [[1, 2, 6], [4, 20, 120]]
---local total = nd.f32 {0, 1, 2, 3, 4, 5}:cumsum()
---(total["4:"] - total[":3"]) / 3         -- => [2, 3, 4]
---```
---
---Raises index_out_of_range, type_mismatch, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.cumsum the same as opts.axis
---@param opts? ndbuf.opts.cumsum by name
---@return ndbuf.array # without dtype i64 for bool and signed integers, u64 for unsigned ones, otherwise the array's dtype
function nd.cumprod(a, axis, opts) end

---Scans: the largest and the smallest element so far; NaN from the first NaN on.
---
---```lua
---nd.cummax(nd.array {3, 1, 4, 1, 5})     -- => [3, 3, 4, 4, 5]
---nd.array({{2, 1}, {0, 3}}):cummin(1)    -- => [[2, 1], [0, 1]]
---```
---
---Raises type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.cummax the same as opts.axis
---@param opts? ndbuf.opts.cummax by name
---@return ndbuf.array # of the array's dtype
function nd.cummax(a, axis, opts) end

---Scans: the largest and the smallest element so far; NaN from the first NaN on.
---
---```lua
---nd.cummax(nd.array {3, 1, 4, 1, 5})     -- => [3, 3, 4, 4, 5]
---nd.array({{2, 1}, {0, 3}}):cummin(1)    -- => [[2, 1], [0, 1]]
---```
---
---Raises type_mismatch, index_out_of_range, shape_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.cummax the same as opts.axis
---@param opts? ndbuf.opts.cummax by name
---@return ndbuf.array # of the array's dtype
function nd.cummin(a, axis, opts) end

---The difference of each element from the one before it along an axis, which becomes one shorter.
---Integers wrap, as sub does; of bools, whether they differ.
---
---```lua
---nd.array({1, 4, 9, 16}):diff()          -- => [3, 5, 7]
---nd.array({1, 4, 9, 16}):diff {n = 2}    -- => [2, 2]
---nd.array({{1, 2}, {4, 8}}):diff(1)      -- => [[3, 6]]
---nd.array({1, 4, 9}):diff {prepend = 0}  -- => [1, 3, 5]
---```
---
---Raises index_out_of_range, invalid_argument, not_representable, shape_mismatch.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.diff by default the last one; negative from the end
---@param opts? ndbuf.opts.diff by name
---@return ndbuf.array # of the array's dtype, or of what it is promoted to beside prepend and append
function nd.diff(a, axis, opts) end

---The slope at each element: along an axis, what the parabola through it and its two neighbours
---has there, which for points at equal distances is half the difference of the neighbours over the
---distance. Integers are taken as f64.
---
---```lua
---nd.array({1, 2, 4, 7, 11}):gradient()                         -- => [1, 1.5, 2.5, 3.5, 4]
---nd.array({1, 2, 4, 7, 11}):gradient {spacing = 0.5}           -- => [2, 3, 5, 7, 8]
---nd.array({0, 1, 9}):gradient {spacing = nd.array {0, 1, 3}}   -- => [1, 2, 4]
---nd.array({0, 1, 4, 9}):gradient {edge_order = 2}              -- => [0, 2, 4, 6]
---local down, right = nd.array({{1, 2}, {4, 8}}):gradient()
---right                                                         -- => [[1, 1], [4, 4]]
---```
---
---Raises index_out_of_range, invalid_argument, shape_mismatch.
---@param a ndbuf.array of at least two elements along the axis
---@param axis? ndbuf.integer|ndbuf.opts.gradient by default all of them, one after another; negative from the end
---@param opts? ndbuf.opts.gradient by name
---@return ndbuf.array ... # of the array's shape, one for each axis
function nd.gradient(a, axis, opts) end

---A copy in which element k along the axis is the one that a sort would put there; smaller
---elements come before it, greater ones behind it. Otherwise elements keep their order: those that
---are smaller, those that are equal, those that are greater. For several places, likewise those
---between two of them. argpartition gives the positions of these elements, counted from 1.
---
---```lua
---local a = nd.array {5, 1, 4, 3, 2}
---a:partition(3)                          -- => [1, 2, 3, 5, 4]
---a:argpartition(3)                       -- => [2, 5, 4, 1, 3]
---a:partition {1, -1}                     -- => [1, 4, 3, 2, 5]
---```
---
---Raises index_out_of_range, invalid_argument, type_mismatch, not_representable, shape_mismatch,
---read_only, overlap.
---@param a ndbuf.array|table
---@param k ndbuf.integer|integer[]|ndbuf.array the place, or places; negative from the end
---@param axis? ndbuf.integer|ndbuf.opts.partition by default the last one; negative from the end
---@param opts? ndbuf.opts.partition by name
---@return ndbuf.array # a copy; of argpartition i64
function nd.partition(a, k, axis, opts) end

---A copy in which element k along the axis is the one that a sort would put there; smaller
---elements come before it, greater ones behind it. Otherwise elements keep their order: those that
---are smaller, those that are equal, those that are greater. For several places, likewise those
---between two of them. argpartition gives the positions of these elements, counted from 1.
---
---```lua
---local a = nd.array {5, 1, 4, 3, 2}
---a:partition(3)                          -- => [1, 2, 3, 5, 4]
---a:argpartition(3)                       -- => [2, 5, 4, 1, 3]
---a:partition {1, -1}                     -- => [1, 4, 3, 2, 5]
---```
---
---Raises index_out_of_range, invalid_argument, type_mismatch, not_representable, shape_mismatch,
---read_only, overlap.
---@param a ndbuf.array|table
---@param k ndbuf.integer|integer[]|ndbuf.array the place, or places; negative from the end
---@param axis? ndbuf.integer|ndbuf.opts.partition by default the last one; negative from the end
---@param opts? ndbuf.opts.partition by name
---@return ndbuf.array # a copy; of argpartition i64
function nd.argpartition(a, k, axis, opts) end

---The k greatest or smallest elements along an axis, and their positions. Of equal elements the
---first ones are taken. NaNs come last either way, so they are taken only where there are fewer
---than k others.
---
---```lua
---local a = nd.array {5, 1, 4, 3, 2}
---a:topk(2)                               -- => f64 2 cpu [5, 4], i64 2 cpu [1, 3]
---a:topk(2, {largest = false})            -- => f64 2 cpu [1, 2], i64 2 cpu [2, 5]
---(nd.array {{1, 7}, {8, 2}}:topk(1, 1))  -- => [[8, 7]]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param k ndbuf.integer how many
---@param axis? ndbuf.integer|ndbuf.opts.topk by default the last one; negative from the end
---@param opts? ndbuf.opts.topk by name
---@return ndbuf.array
---@return ndbuf.array # the elements; their positions along the axis, counted from 1, i64
function nd.topk(a, k, axis, opts) end

---The element in the middle; of an even number of elements the mean of both. It is computed in f64
---and rounded once. If any element is NaN, the median is NaN; nanmedian leaves NaNs out. Of no
---elements it is NaN.
---
---```lua
---local a = nd.array {{1, 9, 2}, {4, 3, 0 / 0}}
---a[1]:median()                           -- => 2
---a:median(2)                             -- => [2, nan]
---a:nanmedian(2)                          -- => [2, 3.5]
---nd.i32 {1, 2}:median()                  -- => 1.5
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.median the same as opts.axis
---@param opts? ndbuf.opts.median by name
---@return any # of the array's dtype if that is a float, else f64
function nd.median(a, axis, opts) end

---The element in the middle; of an even number of elements the mean of both. It is computed in f64
---and rounded once. If any element is NaN, the median is NaN; nanmedian leaves NaNs out. Of no
---elements it is NaN.
---
---```lua
---local a = nd.array {{1, 9, 2}, {4, 3, 0 / 0}}
---a[1]:median()                           -- => 2
---a:median(2)                             -- => [2, nan]
---a:nanmedian(2)                          -- => [2, 3.5]
---nd.i32 {1, 2}:median()                  -- => 1.5
---```
---
---Raises type_mismatch, invalid_argument, shape_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.median the same as opts.axis
---@param opts? ndbuf.opts.median by name
---@return any # of the array's dtype if that is a float, else f64
function nd.nanmedian(a, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function nd.quantile(a, q, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function nd.percentile(a, q, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function nd.nanquantile(a, q, axis, opts) end

---The value below which the share q of the elements lies; percentile takes it in percent. NaN and
---no elements: as in a:median(); nanquantile and nanpercentile leave NaNs out. All is computed in
---f64 and rounded once; a:partition() has the elements themselves, so it is exact for 64-bit
---integers, too.
---
---Methods are those of NumPy, by the same names. "linear" mixes the two elements beside place (n -
---1) * q + 1 of the sorted ones, n being their number; "lower", "higher", "nearest" (halfway: the
---odd place) and "midpoint" take one of these two, or their mean. The nine definitions of Hyndman
---and Fan (1996), in their order, are "inverted_cdf", "averaged_inverted_cdf",
---"closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
---"median_unbiased" and "normal_unbiased". "closest_observation" is as in their article and in
---NumPy 2: halfway between two it takes the even place.
---
---```lua
---local a = nd.array {{1, 2, 3, 9}, {4, 5, 6, 7}}
---a:quantile(0.5)                         -- => 4.5
---a:percentile({0, 50}, 2)                -- => [[1, 4], [2.5, 5.5]]
---a:quantile(0.9, {axis = 2, method = "higher"})  -- => [9, 7]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param q ndbuf.number|table|ndbuf.array from 0 to 1, for percentiles to 100; with several, in a 1-D array or a table, the result has an axis for them in front of the others
---@param axis? ndbuf.integer|ndbuf.opts.quantile the same as opts.axis
---@param opts? ndbuf.opts.quantile by name
---@return any # of the array's dtype if that is a float, else f64; a number if q is one, and no axis is named
function nd.nanpercentile(a, q, axis, opts) end

---The most frequent value, the smallest of several, and how often it occurs. NaNs count as one
---value, the greatest.
---
---```lua
---nd.i32 {3, 1, 3, 1, 2}:mode()           -- => 1, 2
---nd.array {{1, 3, 3}, {2, 2, 1}}:mode(2) -- => f64 2 cpu [3, 2], i64 2 cpu [2, 2]
---```
---
---Raises invalid_argument, type_mismatch, shape_mismatch, index_out_of_range, read_only, overlap.
---@param a ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.mode the same as opts.axis
---@param opts? ndbuf.opts.mode by name
---@return any
---@return any # the value; how many elements equal it, a number or an array of i64
function nd.mode(a, axis, opts) end

---The positions in front of which the values have to be inserted so that a stays sorted. Of
---several such positions it is the first, or, with side = "right", the last. Dtypes are promoted.
---
---```lua
---local v = nd.array {1, 2, 2, 5}
---v:searchsorted {0, 2, 9}                -- => [1, 2, 5]
---v:searchsorted({0, 2, 9}, {side = "right"})  -- => [1, 4, 5]
---v:searchsorted(3)                       -- => 4
---```
---
---Raises not_representable, shape_mismatch, invalid_argument, index_out_of_range, type_mismatch,
---read_only, overlap.
---@param a ndbuf.array|table 1-D, sorted as by a:sort(); where it is not, the results have no meaning
---@param x ndbuf.values what to search for
---@param opts? ndbuf.opts.searchsorted by name
---@return any # i64 of the shape of x, from 1 to the size of a plus 1; a number if x is one value and there is no out
function nd.searchsorted(a, x, opts) end

---The number of the bin that each value lies in. Bin k begins at edge k and ends below edge k + 1;
---0 stands for values below the first edge, the number of edges for those from the last one on. If
---the edges descend, bin k begins below edge k and ends at edge k + 1.
---
---```lua
---local x = nd.array {0, 1, 2.5, 9}
---x:digitize {1, 2, 3}                    -- => [0, 1, 2, 3]
---x:digitize({1, 2, 3}, {right = true})   -- => [0, 0, 2, 3]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table the values, real; of the function also one value
---@param bins ndbuf.array|table the edges, real, 1-D, ascending or descending
---@param opts? ndbuf.opts.digitize by name
---@return any # i64 of the shape of a; a number if a is one value and there is no out
function nd.digitize(a, bins, opts) end

---How often each position occurs among the elements: value k is counted in element k of the
---result. With weights, element k is the sum of the weights of the elements that are k.
---
---```lua
---nd.i32 {1, 3, 3}:bincount()             -- => [1, 0, 2]
---nd.i32 {0, 2, 2}:bincount {base = 0}    -- => [1, 0, 2]
---nd.i32 {1, 3, 3}:bincount {weights = {0.5, 1, 2}}  -- => [0.5, 0, 3]
---```
---
---Raises not_representable, type_mismatch, index_out_of_range, shape_mismatch, invalid_argument,
---overflow, out_of_memory, read_only, overlap.
---@param a ndbuf.array|table of integers or bool, of any shape
---@param opts? ndbuf.opts.bincount by name
---@return ndbuf.array # i64, with weights f64; its size is that of the greatest position
function nd.bincount(a, opts) end

---How many elements lie in each bin. A bin includes its lower edge, the last one its upper edge,
---too. Elements outside of all bins, and NaNs, are left out.
---
---```lua
---local a = nd.array {1, 2, 2, 5}
---a:histogram {bins = 2}                  -- => i64 2 cpu [3, 1], f64 3 cpu [1, 3, 5]
---a:histogram {bins = {1, 2, 5}}          -- => i64 2 cpu [1, 3], f64 3 cpu [1, 2, 5]
---(a:histogram {bins = 2, range = {0, 4}, weights = {1, 2, 3, 4}})  -- => [1, 5]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, out_of_memory, read_only, overlap.
---@param a ndbuf.array|table real, of any shape
---@param opts? ndbuf.opts.histogram by name
---@return ndbuf.array
---@return ndbuf.array # counts (i64, f64 with weights or density); edges, one more than there are bins. Edges of equal width have the dtype of a if that is a float, else f64
function nd.histogram(a, opts) end

---How many points a[i], b[i] lie in each bin of a grid. Options are for both axes, or lists of
---two, for a and for b.
---
---```lua
---local x, y = nd.array {0, 1, 4}, nd.array {0, 3, 4}
---(nd.histogram2d(x, y, {bins = 2}))      -- => [[1, 1], [0, 1]]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, out_of_memory, read_only, overlap.
---@param a ndbuf.array|table real
---@param b ndbuf.array|table real, of the shape of a
---@param opts? ndbuf.opts.histogram2d by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # counts, one row for each bin of a; the edges for a; those for b
function nd.histogram2d(a, b, opts) end

---The different values, sorted. What is asked for besides them follows them in the order of the
---options below.
---
---```lua
---local a = nd.array {3, 1, 3}
---a:unique()                              -- => [1, 3]
---a:unique {counts = true}                -- => f64 2 cpu [1, 3], i64 2 cpu [1, 2]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table of any shape
---@param opts? ndbuf.opts.unique by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # the values, of the dtype of a, 1-D; the index, the inverse (of the shape of a), the counts: i64, those that were asked for. Zeros of both signs are one value, and so are all NaNs
function nd.unique(a, opts) end

---Which elements are among the given values? NaN is among none. The dtypes may be any: elements
---and values are compared exactly.
---
---```lua
---nd.array {1, 2, 3}:isin {2, 7}          -- => [false, true, false]
---nd.isin({1, 2, 3}, 2)                   -- => [false, true, false]
---nd.array {1, 2, 3}:isin({2, 7}, {invert = true})  -- => [true, false, true]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table of the function also one number
---@param values ndbuf.array|table or one number
---@param opts? ndbuf.opts.isin by name
---@return ndbuf.array # bool, of the shape of a
function nd.isin(a, values, opts) end

---The positions of the elements that are not 0, in row-major order: for each axis an array of
---indices, as nd.where(a) gives them. NaN is not 0.
---
---```lua
---nd.array {{0, 5}, {7, 0}}:nonzero()     -- => i64 2 cpu [1, 2], i64 2 cpu [2, 1]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@return ndbuf.array
---@return ndbuf.array # an array of i64 for each axis
function nd.nonzero(a) end

---The positions of the elements that are not 0, counted through the array in row-major order.
---
---```lua
---nd.array {{0, 5}, {7, 0}}:flatnonzero()  -- => [2, 3]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.flatnonzero by name
---@return ndbuf.array # i64, 1-D
function nd.flatnonzero(a, opts) end

---The values at a of the function that is linear between the given points, computed in f64. At NaN
---it is NaN.
---
---```lua
---nd.array {0, 1.5, 9}:interp({1, 2}, {10, 20})  -- => [10, 15, 20]
---nd.interp(1.5, {1, 2}, {10, 20})        -- => 15
---nd.array {450}:interp({0, 180}, {1, 0}, {period = 360})  -- => [0.5]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table real; of the function also one value
---@param xp ndbuf.array|table the points, 1-D, ascending unless there is a period; one at least
---@param fp ndbuf.array|table the values there
---@param opts? ndbuf.opts.interp by name
---@return any # f64 of the shape of a; a number if a is one and there is no out
function nd.interp(a, xp, fp, opts) end

---The product of two matrices. With more than two axes there is one product for each index of the
---leading axes, which broadcast. A 1-D array is a row on the left and a column on the right, and
---the result lacks that axis.
---
---```lua
---local m = nd.array {{1, 2}, {3, 4}}
---m:matmul {{0, 1}, {1, 0}}               -- => [[2, 1], [4, 3]]
---m:matmul {1, 10}                        -- => [21, 43]
---nd.matmul({1, 2}, {3, 4})               -- => 11
---nd.ones({5, 1, 2, 2}):matmul(nd.ones {3, 2, 4}).shape  -- => {5, 3, 2, 4}
---```
---
---Raises shape_mismatch, overflow, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table its last axis but one, or its only one, is multiplied with the last one of a
---@param opts? ndbuf.opts.linalg by name
---@return any # the matrices, or, for two 1-D arrays, a value
function nd.matmul(a, b, opts) end

---The same for arrays of one or two axes. Where both have more, each row of a is multiplied with
---each column of all matrices of b: the shape is that of a but for its last axis, followed by that
---of b but for its last axis but one. A 0-d array multiplies each element.
---
---```lua
---nd.dot({1, 2, 3}, {4, 5, 6})            -- => 32
---nd.ones({4, 2, 3}):dot(nd.ones {5, 3, 6}).shape  -- => {4, 2, 5, 6}
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table as above
---@param opts? ndbuf.opts.linalg by name
---@return any # an array, or, for two 1-D arrays, a value
function nd.dot(a, b, opts) end

---The products of vectors along one axis, of which that of a is conjugate. The other axes
---broadcast.
---
---```lua
---nd.vecdot({{1, 2}, {3, 4}}, {1, 10})    -- => [21, 43]
---nd.vecdot({{1, 2}, {3, 4}}, {{1, 1}, {1, 1}}, 1)  -- => [4, 6]
---nd.c128 {1i}:vecdot(nd.c128 {1i})       -- => 1+0i
---```
---
---Raises shape_mismatch, index_out_of_range, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table
---@param axis? ndbuf.integer|ndbuf.opts.vecdot of both arrays; by default the last one
---@param opts? ndbuf.opts.vecdot by name
---@return any # an array without that axis, or, for two 1-D arrays, a value
function nd.vecdot(a, b, axis, opts) end

---Each element of a times each element of b, of any shapes, in row-major order.
---
---```lua
---nd.outer({1, 2}, {10, 20, 30})          -- => [[10, 20, 30], [20, 40, 60]]
---```
---
---Raises overflow, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table|ndbuf.number and so is a of the function
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # elements of a x elements of b
function nd.outer(a, b, opts) end

---The Kronecker product: b, multiplied by each element of a, in the place of that element.
---
---```lua
---nd.kron({1, 10}, {1, 2, 3})             -- => [1, 2, 3, 10, 20, 30]
---nd.kron({{1, 0}, {0, 1}}, {{1, 2}})     -- => [[1, 2, 0, 0], [0, 0, 1, 2]]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table|ndbuf.number and so is a of the function; missing axes of either are added in front
---@param opts? ndbuf.opts.linalg by name
---@return any # an array, whose extents are the products of theirs; of two 0-d arrays a value
function nd.kron(a, b, opts) end

---The sums of products along several axes of both arrays.
---
---```lua
---local t = nd.ones {2, 3, 4}
---t:tensordot(nd.ones {3, 4, 5}).shape    -- => {2, 5}
---t:tensordot(nd.ones {4, 2}, {{1, 3}, {2, 1}})  -- => [8, 8, 8]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table
---@param axes? ndbuf.integer|table|ndbuf.opts.tensordot a number of axes, the last ones of a and the first ones of b; or {axes of a, axes of b}, either an axis or a list
---@param opts? ndbuf.opts.tensordot by name
---@return any # the other axes of a, then those of b; a value where there are none
function nd.tensordot(a, b, axes, opts) end

---Sums of products, by labels of the axes. Each operand has a term of letters, one for each axis;
---axes of the same letter have the same extent, or 1. The term behind -> labels the axes of the
---result: letters that it lacks are summed up. Without it the result has the letters that occur
---once, sorted. A letter twice in a term stands for the diagonal. ... stands for all other axes,
---which broadcast. Several operands are multiplied two at a time, those first whose product is
---small.
---
---```lua
---local m = nd.array {{1, 2}, {3, 4}}
---nd.einsum("ij,jk->ik", m, m)            -- => [[7, 10], [15, 22]]
---nd.einsum("ii", m)                      -- => 5
---nd.einsum("ij->ji", m)                  -- => [[1, 3], [2, 4]]
---nd.einsum("...i,i->...", m, {1, 10})    -- => [21, 43]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param subscripts string the terms with commas between them: "ij,jk->ik"; blanks do not count
---@param ... any
---@return any # a new array, or, where it has no axes, a value
function nd.einsum(subscripts, ...) end

---The sum of a diagonal of two axes, of an array that has two or more. Of bools and integers it is
---64-bit, as a:sum().
---
---```lua
---local m = nd.array {{1, 2}, {3, 4}}
---m:trace()                               -- => 5
---m:trace(1)                              -- => 2
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param k? ndbuf.integer|ndbuf.opts.trace the diagonal that begins k columns to the right of the main one, or -k rows below it
---@param opts? ndbuf.opts.trace by name
---@return any # a value, or, for more than 2 axes, an array of the others
function nd.trace(a, k, opts) end

---The norm of vectors along one axis, or of matrices along two. Of bools and integers it is
---computed in f64.
---
---| ord | of vectors | of matrices | |---|---|---| | none | the root of the sum of squares | the
---same | | "fro" | | the same | | math.huge, -math.huge | the greatest, least absolute value | the
---greatest, least sum of a row | | 1, -1 | as any other number | the greatest, least sum of a
---column | | 2, -2, "nuc" | as any other number | the greatest, least singular value; the sum of
---all | | 0 | how many elements are not 0 | | | any other number p | the sum of the p-th powers of
---absolute values, to the power 1 / p | |
---
---```lua
---local m = nd.array {{3, 4}, {0, 5}}
---m[1]:norm()                             -- => 5
---m:norm(1)                               -- => 9
---m:norm(nil, 2)                          -- => [5, 5]
---m:norm(math.huge, {axis = 1, keepdims = true})  -- => [[3, 5]]
---```
---
---Raises shape_mismatch, index_out_of_range, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param ord? ndbuf.number|string|ndbuf.integer|integer[]|ndbuf.opts.norm see above
---@param axis? ndbuf.integer|integer[]|ndbuf.opts.norm the axis of vectors, or the two axes of matrices; by default all elements, which with ord are a vector or a matrix
---@param opts? ndbuf.opts.norm by name
---@return any # a number; with axis or keepdims an array. Floats keep their dtype; norms of complex numbers are real. The greatest value of no elements is 0
function nd.norm(a, ord, axis, opts) end

---The solutions x of a x = b, by LU factorisation with pivoting (LAPACK's gesv). Of several it is
---more exact, and sooner done, than a:inv():matmul(b).
---
---```lua
---local m = nd.array {{2, 0}, {1, 4}}
---m:solve {6, 5}                          -- => [3, 0.5]
---nd.solve(m, {{6, 2}, {5, 1}})           -- => [[3, 1], [0.5, 0]]
---nd.solve({{{2}}, {{4}}}, {8}).shape     -- => {2, 1}
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table the right-hand sides are its columns; with one axis, one of them. Leading axes broadcast
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of b, but for leading axes
function nd.solve(a, b, opts) end

---The inverses of matrices: the solutions for the columns of the identity matrix.
---
---```lua
---nd.inv {{2, 0}, {1, 1}}                 -- => [[0.5, 0], [-0.5, 1]]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of a
function nd.inv(a, opts) end

---The pseudo-inverses of Moore and Penrose, by singular values.
---
---```lua
---nd.pinv {{4, 0}, {0, 0}}                -- => [[0.25, 0], [0, 0]]
---nd.allclose(nd.pinv {{1}, {1}}, nd.array {{0.5, 0.5}})  -- => true
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param rtol? ndbuf.number|ndbuf.opts.pinv singular values up to this times the greatest count as 0; by default the precision of the dtype times the greater side of a matrix
---@param opts? ndbuf.opts.pinv by name
---@return ndbuf.array # with rows and columns exchanged
function nd.pinv(a, rtol, opts) end

---The determinants of matrices. What is multiplied is scaled, so that nothing overflows on the way
---to a result that does not; so are rows and columns whose elements are all subnormal. Where
---elimination itself arrives at a subnormal pivot, OpenBLAS may give NaN.
---
---```lua
---nd.det {{4, 1}, {2, 3}}                 -- => 10
---nd.zeros(5, 3, 3):det()                 -- => [0, 0, 0, 0, 0]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.linalg by name
---@return any # a value; with leading axes an array
function nd.det(a, opts) end

---The signs of determinants, and the natural logarithms of their absolute values, which overflow
---later.
---
---```lua
---nd.slogdet {{0, 1}, {1, 0}}             -- => -1, 0
---nd.slogdet {{1, 2}, {2, 4}}             -- => 0, -inf
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.slogdet by name
---@return any
---@return any # signs, of complex numbers ones of absolute value 1, or 0; logarithms, -inf where the determinant is 0. Values; with leading axes arrays
function nd.slogdet(a, opts) end

---The solutions x for which the norm of b - a x is least, and of these that of the least norm, by
---singular values.
---
---```lua
---local m = nd.array {{0, 1}, {1, 1}, {2, 1}, {3, 1}}
---local line, residuals, rank = m:lstsq {-1, 0.2, 0.9, 2.1}
---nd.allclose(line, nd.array {1, -0.95})  -- => true
---nd.allclose(residuals, nd.array {0.05}) -- => true
---rank                                    -- => 2
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param b ndbuf.array|table as in a:solve()
---@param rcond? ndbuf.number|ndbuf.opts.lstsq singular values up to this times the greatest count as 0; by default the precision of the dtype times the greater side of a
---@param opts? ndbuf.opts.lstsq by name
---@return ndbuf.array
---@return ndbuf.array
---@return any
---@return ndbuf.array # the solutions; for each column of b the sum of squares of b - a x, or, unless there are more rows than columns and all matrices have full rank, nothing (extent 0); the rank, with leading axes an array of i64; the singular values of a. A column of b that has NaN or infinities gives NaN, and does not concern the others
function nd.lstsq(a, b, rcond, opts) end

---The lower triangular factor l of symmetric (Hermitian) positive definite matrices, with a = l
---l.T (of complex ones the conjugate of l.T). Only the lower triangle of a is read.
---
---```lua
---nd.cholesky {{4, 2}, {2, 5}}            -- => [[2, 0], [1, 2]]
---nd.cholesky({{4, 2}, {2, 5}}, {upper = true})  -- => [[2, 1], [0, 2]]
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.cholesky by name
---@return ndbuf.array # in the shape of a; the other triangle is 0
function nd.cholesky(a, opts) end

---The factorisation of matrices of any shape, m x n, by Gaussian elimination with partial
---pivoting: row p[i] of l u is row i of a, so that l:take(p, 1):matmul(u) is the matrix.
---
---```lua
---local p, l, u = nd.lu {{1, 2}, {2, 8}}
---p                                       -- => [2, 1]
---l:take(p, 1):matmul(u)                  -- => [[1, 2], [2, 8]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.lu by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # p, for each row of a its number in l (i64); l, lower triangular with ones on its diagonal; u, upper triangular. They meet in as many columns as the lesser of m and n
function nd.lu(a, opts) end

---The factorisation of matrices, m x n, into q with orthonormal columns and an upper triangular r.
---
---```lua
---local q, r = nd.qr {{3, 1}, {4, 2}}
---r:abs():round()                         -- => [[5, 2], [0, 0]]
---nd.allclose(q:matmul(r), nd.array {{3, 1}, {4, 2}})  -- => true
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.qr by name
---@return ndbuf.array
---@return ndbuf.array # q; r
function nd.qr(a, opts) end

---The singular values of matrices, m x n, of which k is the lesser; svd gives their vectors, too.
---
---```lua
---local u, s, v = nd.svd({{3, 0}, {0, -2}}, {full_matrices = false})
---s                                       -- => [3, 2]
---(u * s):matmul(v)                       -- => [[3, 0], [0, -2]]
---nd.svdvals {{1, 1, 1, 1}}               -- => [2]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.svd by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # u, whose columns are orthonormal; s, the values, the greatest first; v, whose rows are: a is u times the diagonal matrix of s times v. Of svdvals: s
function nd.svd(a, opts) end

---The singular values of matrices, m x n, of which k is the lesser; svd gives their vectors, too.
---
---```lua
---local u, s, v = nd.svd({{3, 0}, {0, -2}}, {full_matrices = false})
---s                                       -- => [3, 2]
---(u * s):matmul(v)                       -- => [[3, 0], [0, -2]]
---nd.svdvals {{1, 1, 1, 1}}               -- => [2]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.svd by name
---@return ndbuf.array
---@return ndbuf.array
---@return ndbuf.array # u, whose columns are orthonormal; s, the values, the greatest first; v, whose rows are: a is u times the diagonal matrix of s times v. Of svdvals: s
function nd.svdvals(a, opts) end

---The ranks of matrices: how many singular values are greater than a tolerance. An array of fewer
---than two axes has the rank 1 unless all its elements are 0.
---
---```lua
---nd.matrix_rank {{1, 2}, {2, 4}}         -- => 1
---nd.matrix_rank(nd.eye(4))               -- => 4
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param tol? ndbuf.number|ndbuf.opts.matrix_rank the tolerance; by default the precision of the dtype times the greater side of a matrix times its greatest singular value
---@param opts? ndbuf.opts.matrix_rank by name
---@return any # an integer; with leading axes an array of i64
function nd.matrix_rank(a, tol, opts) end

---The condition numbers of matrices: the norm of a matrix times that of its inverse, infinite for
---singular ones. By default it is the ratio of the greatest and the least singular value, which
---other than square matrices have, too.
---
---```lua
---nd.cond {{4, 0}, {0, 2}}                -- => 2
---nd.cond({{1, 2}, {2, 4}}, 1)            -- => inf
---```
---
---Raises invalid_argument, shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param p? ndbuf.number|string|ndbuf.opts.cond the norm, as in a:norm(): 2, -2, 1, -1, math.huge, -math.huge, "fro", "nuc"
---@param opts? ndbuf.opts.cond by name
---@return any # a number; with leading axes an array
function nd.cond(a, p, opts) end

---The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too. Only the lower
---triangle of a is read.
---
---```lua
---local m = nd.array {{2, 1}, {1, 2}}
---local w, v = m:eigh()
---w:round()                               -- => [1, 3]
---nd.allclose((v * w):matmul(v.T), m)     -- => true
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.eigh by name
---@return ndbuf.array
---@return ndbuf.array # the values, real, the least first; the matrix whose columns are the vectors, orthonormal. Of eigvalsh: the values
function nd.eigh(a, opts) end

---The eigenvalues of symmetric (Hermitian) matrices; eigh gives their vectors, too. Only the lower
---triangle of a is read.
---
---```lua
---local m = nd.array {{2, 1}, {1, 2}}
---local w, v = m:eigh()
---w:round()                               -- => [1, 3]
---nd.allclose((v * w):matmul(v.T), m)     -- => true
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.eigh by name
---@return ndbuf.array
---@return ndbuf.array # the values, real, the least first; the matrix whose columns are the vectors, orthonormal. Of eigvalsh: the values
function nd.eigvalsh(a, opts) end

---The eigenvalues of any square matrices; eig gives their vectors, too. Both are complex, c64 or
---c128, whatever the values are.
---
---```lua
---nd.eigvals {{0, 1}, {-1, 0}}            -- => [0+1i, 0-1i]
---local w, v = nd.eig {{2, 0}, {0, 3}}
---v.real                                  -- => [[1, 0], [0, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.eig by name
---@return ndbuf.array
---@return ndbuf.array # the values, in no order; the matrix whose columns are the vectors, of norm 1. Of eigvals: the values
function nd.eig(a, opts) end

---The eigenvalues of any square matrices; eig gives their vectors, too. Both are complex, c64 or
---c128, whatever the values are.
---
---```lua
---nd.eigvals {{0, 1}, {-1, 0}}            -- => [0+1i, 0-1i]
---local w, v = nd.eig {{2, 0}, {0, 3}}
---v.real                                  -- => [[1, 0], [0, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.eig by name
---@return ndbuf.array
---@return ndbuf.array # the values, in no order; the matrix whose columns are the vectors, of norm 1. Of eigvals: the values
function nd.eigvals(a, opts) end

---The product of n times the matrix, by repeated squaring: of integers in their dtype, in which it
---wraps around.
---
---```lua
---nd.matrix_power(nd.i32 {{1, 1}, {1, 0}}, 10)  -- => [[89, 55], [55, 34]]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param n ndbuf.integer 0 gives the identity matrix; a negative one the power of the inverse
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of a
function nd.matrix_power(a, n, opts) end

---The exponential of matrices, computed in f64 or c128 by scaling, a Padé approximant and squaring
---(Higham 2005; Al-Mohy and Higham 2009). The diagonal of triangular matrices of a large norm is
---that of exponentials. It is NaN or infinite where numbers overflow on the way. It is not the
---exponential of the elements, which is a:exp().
---
---```lua
---nd.expm {{0, 0}, {0, 0}}                -- => [[1, 0], [0, 1]]
---nd.expm {{0, 1}, {0, 0}}                -- => [[1, 1], [0, 1]]
---nd.expm {{0, 1e18}, {0, 0}}             -- => [[1, 1e+18], [0, 1]]
---```
---
---Raises shape_mismatch, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table
---@param opts? ndbuf.opts.linalg by name
---@return ndbuf.array # in the shape of a
function nd.expm(a, opts) end

---The convolution of two lines, the sums of a[j] * b[k - j]. Operands are promoted to one dtype,
---which the result has. Integers wrap around and are exact, sums of bools are "or", their products
---"and"; f16, bf16 and f8 are computed in f32.
---
---Long lines of floats and complex numbers are convolved by Fourier transforms of blocks, where
---that is less work: then each element has an error of a few units in the last place of
---sqrt(sum(a^2) * sum(b^2)). Where a block of the result is not finite it is computed directly; up
---to 32 elements of the shorter line may be NaN or infinite without that.
---
---```lua
---nd.convolve({1, 2, 3}, {0, 1, 0.5})     -- => [0, 1, 2.5, 4, 1.5]
---nd.convolve({1, 2, 3}, {0, 1, 0.5}, {mode = "same"})  -- => [1, 2.5, 4]
---nd.i32 {1, 2, 3, 4}:convolve(nd.i32 {1, 1}, {mode = "valid"})  -- => [3, 5, 7]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table 1-D
---@param b ndbuf.array|table 1-D; it may be the longer one
---@param opts? ndbuf.opts.convolve by name
---@return ndbuf.array # 1-D
function nd.convolve(a, b, opts) end

---The correlation of two lines: the sums of a[k + j] times the conjugate of b[j]. Otherwise as
---convolve, but that the mode is "valid" where none is given.
---
---```lua
---nd.correlate({1, 2, 3}, {0, 1, 0.5})    -- => [3.5]
---nd.correlate({1, 2, 3}, {0, 1, 0.5}, {mode = "full"})  -- => [0.5, 2, 3.5, 3, 0]
---```
---
---Raises shape_mismatch, invalid_argument, type_mismatch, read_only, overlap.
---@param a ndbuf.array|table as above
---@param b ndbuf.array|table as above
---@param opts? ndbuf.opts.correlate by name
---@return ndbuf.array # 1-D
function nd.correlate(a, b, opts) end

---Calls fn(…), returns its results, and frees all arrays that were made during the call and are
---not among the results (tables are searched). An error in fn frees all of them and is raised
---again. fn cannot yield out of the scope.
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

---Maps a file as an array, without reading it. a.device is disk:PATH; a:to "cpu" copies the
---elements to memory. If another program truncates the file while it is mapped, the next access
---raises an io error; the process is not killed.
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
---@param path string the path of a regular file
---@param dtype? ndbuf.dtypelike|ndbuf.opts.mmap
---@param shape? integer[]|ndbuf.integer|ndbuf.opts.mmap by default all elements of the file, along one axis
---@param opts? ndbuf.opts.mmap by name
---@return ndbuf.array # a view of the file
---@overload fun(path: string, dtype?: ndbuf.dtypelike|ndbuf.opts.mmap, s1: ndbuf.integer, s2: ndbuf.integer, opts?: ndbuf.opts.mmap): ndbuf.array
---@overload fun(path: string, dtype?: ndbuf.dtypelike|ndbuf.opts.mmap, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, opts?: ndbuf.opts.mmap): ndbuf.array
---@overload fun(path: string, dtype?: ndbuf.dtypelike|ndbuf.opts.mmap, s1: ndbuf.integer, s2: ndbuf.integer, s3: ndbuf.integer, s4: ndbuf.integer, opts?: ndbuf.opts.mmap): ndbuf.array
function nd.mmap(path, dtype, shape, opts) end

---Loads an array from a file. The file name extension selects the format.
---
---| extension | format | |---|---| | .npz | any number of arrays by name, as a table; stored or
---compressed by deflate (by zlib); members that are no .npy are passed over; checksums are
---compared, but for mapped arrays; saved ones are stored, at multiples of 64; dtypes as in .npy |
---| .safetensors | any number of arrays by name, as a table; its metadata, a table of strings, is
---the second return value | | .png | rows x columns, or rows x columns x 2, 3 or 4 (grey with
---alpha, RGB, RGBA), u8 or u16, exactly; fewer bits and palettes are expanded; by libpng | | .jpg
---.jpeg | rows x columns, rows x columns x 3, u8; saved without subsampling of colours; read are
---4:4:4, 4:2:2, 4:2:0, 4:4:0 and 4:1:1, of 8 bits; a file of which libjpeg-turbo says that
---something is wrong is refused, as are arithmetic coding and more than 500 scans | | .npy |
---versions 1 to 3, any byte order; Fortran order is represented by strides; the format has no
---names for the f8 dtypes, so they come back as u8, nor for bf16, which is V2, as ml_dtypes writes
---it: any V2 is read as bf16 | | .pgm .ppm | rows x columns, rows x columns x 3, u8 or u16 | |
---.pfm | rows x columns, rows x columns x 3, f32; the file stores the bottom row first, so the
---first axis has a negative stride; only the sign of the scale is used, which gives the byte order
---| | .wav | frames x channels; the sample rate is the second return value |
---
---```lua
---nd.save("load.npy", nd.arange(3))
---nd.load "load.npy"                      -- => f64 3 cpu [1, 2, 3]
---nd.load("load.npy", {mmap = true})      -- => f64 3 disk:load.npy [1, 2, 3]
---nd.load "none.npy"                      -- => error: cannot open none.npy
---```
---
---Raises io, format, invalid_argument, unsupported.
---@param path string with one of these extensions, in upper or lower case
---@param opts? ndbuf.opts.load by name
---@return ndbuf.array|table
---@return integer|table? # the elements; the sample rate in Hz for a .wav, the metadata of a .safetensors
function nd.load(path, opts) end

---Saves an array to a file. The file name extension selects the format, as in nd.load. Saving is
---atomic: the data is written to a temporary file in the same folder, which is then renamed, so a
---reader of the path sees either the old file or the new one.
---
---```lua
---nd.save("save.wav", nd.zeros({4, 2}, "i16"), {rate = 8000})
---local sound, rate = nd.load "save.wav"
---sound.shape, rate                       -- => {4, 2}, 8000
---```
---
---Raises io, unsupported, type_mismatch, shape_mismatch, overflow, invalid_argument.
---@param path string with one of the extensions of nd.load
---@param a ndbuf.array|table for .npz and .safetensors arrays by name, {name = array}, in the order of the names, or {{name, array}, …} in its own, or for .npz one array, which becomes arr_0; for .npy any array; for .png, .pgm and .ppm u8 or u16, for .jpg u8, for .pfm f32, with a shape that nd.load gives, or rows x columns x 1; for .wav u8, i16, i32, f32 or f64, frames or frames x channels
---@param opts? ndbuf.opts.save by name
function nd.save(path, a, opts) end

---Makes a DLPack tensor of the elements of an array: what NumPy, PyTorch, CuPy, JAX and others
---take. Whoever takes it calls its deleter once, on any thread. Until then the bytes stay, also
---after a:free() or the end of the Lua state. A tensor that nobody takes is taken back by
---nd.from_dlpack; else it is never freed.
---
---From then on calls on the array complete their work before they return. Work in flight is
---complete when this returns, but on a GPU, where the other library's stream is made to wait for
---it.
---
---```lua
---local a = nd.arange(1, 6):reshape(2, 3)
---local b = nd.from_dlpack(nd.to_dlpack(a.T))
---b.storage_id == a.storage_id            -- => true
---```
---
---Raises read_only, invalid_view, unsupported, invalid_argument.
---@param a ndbuf.array of any dtype; a tensor cannot have negative steps, nor steps that are no whole element. Its first element is where it is, misaligned in some mapped files, which others may not expect: then copy
---@param opts? ndbuf.opts.to_dlpack by name
---@return any # a void *
function nd.to_dlpack(a, opts) end

---Makes an array of the elements of a DLPack tensor, of which it becomes the owner: the tensor's
---deleter is called when the last view of it is gone. When this raises, the tensor still is the
---caller's. A tensor that nd.to_dlpack made comes back as an array of the same storage. A tensor
---can be taken once, as its bytes may be gone then. Another major version, a device or dtype that
---ndbuf lacks, and more than 16 axes are unsupported; negative extents, and elements at NULL,
---format; sizes that overflow, overflow.
---
---```lua
---local a = nd.from_dlpack(nd.to_dlpack(nd.ones(3)))
---a                                       -- => f64 3 cpu [1, 1, 1]
---nd.from_dlpack(0)                       -- => error: tensor: expected an address
---```
---
---Raises invalid_argument.
---@param tensor ffi.cdata*|ndbuf.integer a pointer, or its address
---@param opts? ndbuf.opts.from_dlpack by name
---@return ndbuf.array # a.is_external is true, but for a tensor of our own, unless its array was freed; read-only where the tensor says so
function nd.from_dlpack(tensor, opts) end

---Makes an Arrow schema and an Arrow array of an array, or of a table of arrays by name, which
---becomes a struct of columns. Each of the two releases what it holds when it is collected, unless
---somebody has moved it out, as pyarrow.Array._import_from_c does with their addresses. The bytes
---stay until then, also after a:free().
---
---Arrays of two axes are fixed-size lists, of more axes arrow.fixed_shape_tensor. All may have
---nulls, and have none. Copied are bool, which becomes bits, arrays that are not contiguous, or
---misaligned, and memory whose owner is a Lua object.
---
---```lua
---local schema, array, copied = nd.arange(1, 4):to_arrow()
---array.length, copied                    -- => 4LL, false
---nd.from_arrow(schema, array):sum()      -- => 10
---```
---
---Raises unsupported, invalid_view, shape_mismatch.
---@param a ndbuf.array|ndbuf.column|table {name = array}, in the order of the names, or {{name, array}, …} in its own; all of one length, in memory that the CPU can access
---@return any
---@return any
---@return boolean # struct ArrowSchema, struct ArrowArray; whether bytes were copied
function nd.to_arrow(a) end

---Makes arrays of an Arrow array, which it takes over, as it does the schema; when this raises,
---both still are the caller's. They are read-only, and of the same bytes, but for bool, whose bits
---are unpacked. The second result says which elements are not null; it is nil where all are. Of a
---struct of columns both results are tables by name. Lengths, offsets and numbers of buffers that
---do not fit together are format.
---
---A column that is no array of a dtype, such as strings, times, dictionaries, or lists with nulls
---in rows that are not null, is a held column, which nd.to_arrow and nd.to_arrow_stream take
---beside arrays, or alone, and pass on as it came, with its nulls.
---
---```lua
---local columns, valid = nd.from_arrow(nd.to_arrow {x = nd.arange(1, 3), y = nd.ones({3, 2}, "i8")})
---columns.x, columns.y.dtype, valid.x     -- => f64 3 cpu [1, 2, 3], i8, nil
---```
---
---Raises invalid_argument, type_mismatch, unsupported.
---@param schema ffi.cdata*|ndbuf.integer a struct ArrowSchema, a pointer to one, or its address
---@param array ffi.cdata*|ndbuf.integer the same for a struct ArrowArray
---@return ndbuf.array|ndbuf.column|table
---@return ndbuf.array|table? # the elements; those that are not null, bool
function nd.from_arrow(schema, array) end

---The same as nd.to_arrow on whatever device, by Arrow's C device interface. On a GPU the array's
---sync_event points to an event behind all work on the columns, which the reader has to wait for.
---There bool is unsupported; columns on several devices are invalid_argument.
---
---```lua
---local schema, array = nd.to_arrow_device(nd.zeros(3))
---array.device_type, array.sync_event == nil   -- => 1, true
---```
---
---Raises unsupported, invalid_view, shape_mismatch.
---@param a ndbuf.array|ndbuf.column|table all columns on one device; held ones on the host alone
---@return any
---@return any
---@return boolean # struct ArrowSchema, struct ArrowDeviceArray; whether bytes were copied
function nd.to_arrow_device(a) end

---The same as nd.from_arrow on whatever device. On a GPU our work waits for sync_event; columns
---with nulls are refused there.
---
---```lua
---nd.from_arrow_device(nd.to_arrow_device(nd.arange(1, 4))):sum()   -- => 10
---```
---@param schema ffi.cdata*|ndbuf.integer as in nd.from_arrow
---@param array ffi.cdata*|ndbuf.integer a struct ArrowDeviceArray, a pointer to one, or its address
---@return ndbuf.array|table
---@return ndbuf.array|table? # as in nd.from_arrow; columns are held on the host alone
function nd.from_arrow_device(schema, array) end

---Makes an Arrow stream of the rows of a table of arrays, in batches. It may be read on any
---thread.
---
---```lua
---local stream = nd.to_arrow_stream({x = nd.arange(1, 10)}, {rows = 4})
---local sums = {}
---for columns in nd.from_arrow_stream(stream) do sums[#sums + 1] = columns.x:sum() end
---sums                                    -- => {10, 26, 19}
---```
---
---Raises unsupported, invalid_view, shape_mismatch, invalid_argument.
---@param columns table as in nd.to_arrow
---@param opts? ndbuf.opts.to_arrow_stream by name
---@return any
---@return boolean # a struct ArrowArrayStream; whether bytes were copied
function nd.to_arrow_stream(columns, opts) end

---Goes through the batches of an Arrow stream, which it takes over: in each step the results of
---nd.from_arrow. A stream that fails raises io, with its own message.
---
---```lua
---local next_batch = nd.from_arrow_stream(nd.to_arrow_stream {x = nd.arange(1, 3)})
---next_batch().x                          -- => f64 3 cpu [1, 2, 3]
---next_batch() == nil                     -- => true
---```
---
---Raises invalid_argument.
---@param stream ffi.cdata*|ndbuf.integer a struct ArrowArrayStream, a pointer to one, or its address
---@return fun(a: ndbuf.array, i: integer): integer, any # the iterator
function nd.from_arrow_stream(stream) end

---Gives an array a name by which another Lua state of this process can attach to its memory. The
---elements are shared: who writes and who reads when is up to the scripts. Waits for work in
---flight on them.
---
---```lua
---local a = nd.zeros(3)
---nd.attach(nd.share(a))[2] = 7
---a                                       -- => [0, 7, 0]
---```
---
---Raises unsupported, freed.
---@param a ndbuf.array not of memory whose owner is a Lua object
---@param opts? ndbuf.opts.share by name
---@return string # the name
function nd.share(a, opts) end

---The array that was shared by that name, by this Lua state or another one of this process. Its
---bytes stay until it is freed here, whatever the other side does. Names are good in their
---process: in one that was forked since, which has a copy of the memory, they are unsupported.
---
---```lua
---local name = nd.share(nd.ones(3), {once = true})
---nd.attach(name)                         -- => [1, 1, 1]
---nd.attach(name)                         -- => error: name: "ndbuf-shared-
---```
---
---Raises invalid_argument.
---@param name string from nd.share
---@return ndbuf.array # of the same memory; a.is_external is true
function nd.attach(name) end

---A device object, accepted wherever a device name is. Each device has exactly one object, so
---objects can be compared with == and used as table keys. For disk:PATH the file is neither opened
---nor created.
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
---@return ndbuf.device # tostring gives its canonical name
function nd.device(name) end

---The list of devices: cpu, then the GPUs.
---
---```lua
---#nd.devices(), tostring(nd.devices()[1])   -- => 1, cpu
---```
---@return ndbuf.device[]
function nd.devices() end

---Sets the number of threads for operations that move about 1 MiB or more; smaller ones always run
---on the calling thread. The default is the environment variable NDBUF_THREADS, or else the number
---of processors available to the process. The setting applies to the whole process, not to one Lua
---state. A call does not wait for threads that other programs keep from running. A forked child
---uses one thread, whatever is set there. Results do not depend on the number of threads, but for
---products of matrices that a library computes, on as many threads.
---
---```lua
---local before = nd.set_threads(1)
---nd.set_threads(before)                  -- => 1
---```
---
---Raises invalid_argument.
---@param n ndbuf.integer 1 … 256
---@return integer # the previous number
function nd.set_threads(n) end

---Calls fn(…) and returns its results. During the call all work on this stream's GPU that names no
---stream goes on this one. The stream of before is restored afterwards, also after an error. fn
---cannot yield out of the call, since a coroutine that is never resumed would leave the stream in
---place; a coroutine may run wholly inside of it. Work on other GPUs goes on their default
---streams. Copies from and to pinned and managed memory return at once, on whichever GPU.
---
---```lua
---local s = nd.device("cuda"):stream()
---local a = nd.with_stream(s, function(n)
---  nd.current_stream() == s              -- => true
---  return nd.zeros(n, "cuda")
---end, 3)
---a:to "cpu"                              -- => [0, 0, 0]
---nd.current_stream() == s                -- => false
---```
---
---Raises type_mismatch.
---@param stream ndbuf.stream from dev:stream, nd.cuda.stream or nd.current_stream
---@param fn fun(...): ... is called once
---@param ... any its arguments
---@return any ... # what it returns
function nd.with_stream(stream, fn, ...) end

---The stream on which work goes that names none: that of nd.with_stream, else the default stream
---of the GPU.
---
---```lua
---nd.current_stream() == nd.current_stream "cuda:0"   -- => true
---```
---
---Raises unsupported, device_not_found.
---@param device? ndbuf.devicelike a GPU; without it the one of nd.with_stream, else the first
---@return ndbuf.stream? # nil if no device is given and there is no GPU
function nd.current_stream(device) end

return nd
