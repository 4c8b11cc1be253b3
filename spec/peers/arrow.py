"""Arrow against pyarrow, both ways, with nanoarrow's validator: columns, offsets, nulls, lists,
tensors, tables and streams."""
import ctypes
import gc

import nanoarrow
import pyarrow as pa

from common import DTYPES, cases, check, elements, end, lua, np, shape_of, view_of
from lua_arrays import Exported, batches, imported

CODES = [c for c in DTYPES if c[0] != 'c']
address_of = lua.eval('function(x)'
                      ' return tonumber(ffi.cast("uintptr_t", ffi.cast("void *", x))) end')
to_table = lua.eval('function(a) return a:totable() end')
tostring = lua.eval('tostring')
take = lua.eval('function(s, a) local fine, v, m = pcall(nd.from_arrow, s, a)'
                ' if not fine then error(tostring(v), 0) end return v, m end')
raw = lua.eval('function(a) return a:contiguous():copyout() end')


def bytes_of(a):
    out = np.empty(int(a.nbytes), np.uint8)
    lua.eval('function(a, at) a:contiguous():copyout(ffi.cast("uint8_t *", at), a.nbytes) end')(
        a, out.ctypes.data)
    return out.tobytes()


def export(what):
    """A pyarrow object of an array or a table of ours; validated by two libraries."""
    schema, array, copied = lua.eval('function(x) return nd.to_arrow(x) end')(what)
    kind = pa.RecordBatch if lua.eval('type')(what) == 'table' else pa.Array
    made = kind._import_from_c(int(address_of(array)), int(address_of(schema)))
    if len(made) > 0:  # pyarrow 22 refuses an empty slice of strings that are views, its own, too
        made.validate(full=True)
    if not isinstance(getattr(made, 'type', None), pa.BaseExtensionType):
        nanoarrow.c_array(made)
    return made, copied


def take_in(column):
    schema, array = ctypes.create_string_buffer(72), ctypes.create_string_buffer(80)
    column._export_to_c(ctypes.addressof(array), ctypes.addressof(schema))
    values, validity = take(ctypes.addressof(schema), ctypes.addressof(array))
    check(not any(array.raw[64:72]), 'moved')
    return values, validity


def columns_out():
    for i, rng in cases('out', 1000):
        code = CODES[i % len(CODES)]
        shape = (int(rng.integers(0, 9)),) + shape_of(rng, 3)
        x = elements(rng, code, shape)
        y, a, _ = view_of(rng, x, imported(lua, x) if code != '?' or np.lib.NumpyVersion(
            np.__version__) >= '1.25.0' else None)
        if y.ndim == 0:
            continue
        made, copied = export(a)
        check(copied == (code == '?' or not y.flags.c_contiguous), 'copied', i)
        is_tensor = isinstance(made.type, pa.FixedShapeTensorType)
        check(is_tensor == (y.ndim > 2) and (not is_tensor or made.type.shape == list(y.shape[1:])),
              'type', i, made.type)
        items = made.storage if is_tensor else made
        z = np.array(items.to_pylist(), y.dtype).reshape(y.shape)
        check(z.shape == y.shape and np.array_equal(z, y, equal_nan=code[0] == 'f'), 'out', i,
              made.type, y.shape)


def columns_in():
    for i, rng in cases('in', 1000):
        code = CODES[i % len(CODES)]
        x = elements(rng, code, int(rng.integers(0, 40)))
        nulls = rng.integers(0, 3, x.size) == 0 if i % 3 == 0 else np.zeros(x.size, bool)
        column = pa.array(x, mask=nulls)
        first = int(rng.integers(0, x.size + 1))
        count = int(rng.integers(0, x.size - first + 1))
        column = column.slice(first, count)
        x, nulls = x[first:first + count], nulls[first:first + count]
        if i % 5 == 1 and count % 3 == 0:
            column = pa.FixedSizeListArray.from_arrays(pa.array(x), 3)
            nulls, x = np.zeros(count // 3, bool), x.reshape(-1, 3)
        a, validity = take_in(column)
        check(a.dtype == DTYPES[code] and a.readonly, 'dtype', i)
        check((validity is None) == (not nulls.any()), 'nulls', i)
        y = np.frombuffer(bytes_of(a), x.dtype).reshape(x.shape)
        there = ~nulls
        check(np.array_equal(x[there], y[there], equal_nan=code[0] == 'f'), 'in', i, code)
        if validity is not None:
            check(np.frombuffer(bytes_of(validity), bool).tolist() == there.tolist(), 'validity', i)


def tables():
    for i, rng in cases('tables', 200):
        rows = int(rng.integers(0, 50))
        data = {'c%d' % k: pa.array(elements(rng, str(rng.choice(CODES)), rows))
                for k in range(rng.integers(1, 6))}
        batch = pa.record_batch(data)
        first = int(rng.integers(0, rows + 1))
        part = batch.slice(first)
        values, validity = take_in(part)
        check(len(list(validity)) == 0, 'validity', i)
        order = sorted(data)
        back, _ = export(values)
        check(back.schema.names == order, 'names', i)
        for name in order:
            check(back[name].to_pylist() == part[name].to_pylist() or part[name].type in (
                pa.float16(), pa.float32(), pa.float64()), 'table', i, name)
        # a child that is moved out outlives its parent
        child = back[order[0]]
        del back, values, batch, part
        lua.execute('collectgarbage()')
        child.validate(full=True)


def rows_that_are_null():
    column = pa.StructArray.from_arrays([pa.array([1, None, 3]), pa.array([True, False, None])],
                                        ['x', 'y'], mask=pa.array([False, False, True]))
    values, validity = take_in(column)
    check(list(to_table(validity.x).values()) == [True, False, False], 'struct, x')
    check(list(to_table(validity.y).values()) == [True, True, False], 'struct, y')


def streams():
    read = lua.eval('function(at) local n, s = 0, 0'
                    ' for c, v in nd.from_arrow_stream(at) do n, s = n + 1, s + c.x:sum() end'
                    ' return n, s end')
    for i, rng in cases('streams', 50):
        rows, most = int(rng.integers(0, 5000)), int(rng.integers(1, 1500))
        x = rng.integers(-100, 100, rows)
        stream = ctypes.create_string_buffer(40)
        table = pa.table({'x': x, 'y': pa.array(x > 0)})
        table.to_reader(max_chunksize=most)._export_to_c(ctypes.addressof(stream))
        count, total = read(ctypes.addressof(stream))
        check(total == x.sum() and count == -(-rows // most), 'stream in', i)
        made, copied = lua.eval('function(x, n) return'
                                ' nd.to_arrow_stream({{"x", x}, {"b", x:gt(0)}}, {rows = n})'
                                ' end')(imported(lua, x), most)
        back = pa.RecordBatchReader._import_from_c(int(address_of(made))).read_all()
        back.validate(full=True)
        check(copied and back['x'].to_pylist() == x.tolist() and
              back['b'].to_pylist() == (x > 0).tolist(), 'stream out', i)
        check(len(back['x'].chunks) == -(-rows // most) or rows == 0, 'chunks', i)


def held_columns():
    """What has no dtype is passed on, whole, as a slice, within a table, and in streams."""
    words = pa.array(['a', None, 'bcd', '', 'long enough for a view'])
    columns = [words, words.dictionary_encode(), words.cast(pa.large_string()),
               words.cast(pa.string_view()), pa.array([[1], None, [], [2, 3]]), pa.nulls(3),
               pa.array([1, None], pa.timestamp('us', 'UTC')), pa.array([b'x'], pa.binary(1)),
               pa.FixedSizeListArray.from_arrays(pa.array([1, None, 3, 4]), 2),
               pa.array([[('k', 1)], []], pa.map_(pa.string(), pa.int8())),
               pa.RunEndEncodedArray.from_arrays([2, 3, 5], ['a', None, 'b']),
               pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()),
                                         [pa.array([1, 2, 3]), words[:3]]),
               pa.UnionArray.from_dense(pa.array([0, 1], pa.int8()), pa.array([0, 1], pa.int32()),
                                        [pa.array([1]), words])]
    count_of = lua.eval('function(c) return #c end')
    is_held = lua.eval('function(c) return (pcall(function() return c.format end)) end')
    table = pa.array([{'x': 1, 'y': 'a'}, {'x': 2, 'y': None}])
    for part in [table, table[1:]]:
        values, validity = take_in(part)
        check(export(values.y)[0].equals(part.field('y')), 'within a struct')
        check(export(values)[0].to_struct_array().to_pylist() == part.to_pylist(), 'a struct')
    for column in columns:
        for part in [column, column[1:], column[1:1]]:
            held, validity = take_in(part)
            check(validity is None and count_of(held) == len(part), 'length', part.type)
            again, copied = export(held)
            if not is_held(held):  # fixed-size lists without a null among them
                check(again.to_pylist() == part.to_pylist(), 'list', part.type)
                continue
            check(again.equals(part) and again.type == part.type and not copied, 'held', part.type)
            table = lua.eval('function(c) return {{"c", c}, {"n", nd.arange(0, #c - 1)}} end')(held)
            made, _ = export(table)
            check(made.column(0).equals(part), 'in a table', part.type)
            del held, table
            check(made.column(0).equals(part), 'after ours is gone', part.type)


def as_an_example():
    """What is in examples/python."""
    total = lua.eval('function(c) return c.x:sum() end')
    for i, rng in cases('example', 50):
        x = rng.integers(-100, 100, int(rng.integers(1, 500)))
        a = imported(lua, x)
        table = lua.eval('function(x) return {{"x", x}, {"y", x:gt(0)}} end')(a)
        back = pa.record_batch(Exported(lua, table))
        back.validate(full=True)
        check(back['x'].to_pylist() == x.tolist() and back['y'].to_pylist() == (x > 0).tolist(),
              'table', i)
        check(pa.array(Exported(lua, a)).to_pylist() == x.tolist(), 'array', i)
        both = pa.concat_tables([pa.table({'x': x}), pa.table({'x': pa.array(Exported(lua, a))})])
        check(len(both) == 2 * len(x), 'together', i)
        parts = batches(lua, both)
        check(sum(total(part) for part in parts) == 2 * x.sum(), 'batches', i)
        check(nanoarrow.Array(Exported(lua, a)).to_pylist() == x.tolist(), 'nanoarrow', i)


def on_a_device():
    """Here the CPU, by the structures for devices."""
    make = lua.eval('nd.to_arrow_device')
    read = lua.eval('nd.from_arrow_device')
    for i, rng in cases('device', 50):
        code = CODES[1 + i % (len(CODES) - 1)]
        x = elements(rng, code, int(rng.integers(0, 50)))
        schema, array, copied = make(imported(lua, x))
        y = pa.Array._import_from_c_device(int(address_of(array)), int(address_of(schema)))
        y.validate(full=True)
        check(not copied and y.device_type == pa.DeviceAllocationType.CPU, 'device', i)
        check(np.array_equal(np.array(y.to_pylist(), x.dtype), x), 'out', i, code)
        schema, array = ctypes.create_string_buffer(72), ctypes.create_string_buffer(128)
        pa.array(x)._export_to_c_device(ctypes.addressof(array), ctypes.addressof(schema))
        a = read(ctypes.addressof(schema), ctypes.addressof(array))
        a = a[0] if isinstance(a, tuple) else a
        check(a.device == 'cpu' and bytes_of(a) == x.tobytes(), 'in', i, code)


for spec in [columns_out, columns_in, tables, rows_that_are_null, streams, held_columns,
             as_an_example, on_a_device]:
    spec()
gc.collect()
held = lua.eval('function() for _ = 1, 3 do collectgarbage() end'
                ' return nd.device("cpu"):memory_info().held end')
gc.collect()
check(held() == 0, 'held', held())
end()
