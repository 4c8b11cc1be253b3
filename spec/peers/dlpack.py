"""DLPack against NumPy, and with the argument torch against PyTorch: both ways, all layouts."""
import gc
import sys

from common import DTYPES, cases, check, elements, end, lua, np, shape_of, view_of
import lua_arrays
from lua_arrays import Exported, imported

version = tuple(int(n) for n in np.__version__.split('.')[:2])


def address(a):
    return int(lua.eval('function(a) return a:interface().data end')(a))


def same(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def against_numpy():
    codes = [c for c in DTYPES if c != '?' or version >= (1, 25)]
    for i, rng in cases('numpy', 2000):
        x = elements(rng, codes[i % len(codes)], shape_of(rng))
        a = imported(lua, x)
        check(a.dtype == DTYPES[codes[i % len(codes)]] and a.is_external, 'dtype', i, a.dtype)
        check(x.size == 0 or address(a) == x.ctypes.data, 'in', i)
        y, b, is_back = view_of(rng, x, a)
        z = np.from_dlpack(Exported(lua, b, copy=is_back))
        check(same(y, z), 'out', i, y.dtype, y.shape, z.shape)
        check(y.size == 0 or is_back or z.ctypes.data == y.ctypes.data, 'copied', i)
        check(is_back or all(s == t for s, t, n in zip(y.strides, z.strides, y.shape)
                             if n > 1 and y.size), 'strides', i, y.strides, z.strides)
        del x, y, a, b  # z alone keeps the bytes
        lua.execute('collectgarbage()')
        check(z.sum() == z.sum() or z.dtype.kind in 'fc', 'gone', i)


def against_torch():
    import torch
    bits = {'bool': torch.uint8, 'f16': torch.int16, 'bf16': torch.int16, 'f32': torch.int32,
            'f64': torch.int64, 'f8e4m3': torch.uint8, 'f8e5m2': torch.uint8}
    names = ['bool', 'i8', 'u8', 'i16', 'i32', 'i64', 'f16', 'bf16', 'f32', 'f64', 'c64', 'c128']
    if hasattr(torch, 'float8_e4m3fn'):
        names += ['f8e4m3', 'f8e5m2', 'u16', 'u32', 'u64']
    make = lua.eval('function(d, ...)'
                    ' return nd.array({...}, "u8"):bitcast(d):reshape(3, 4) end')
    for i, rng in cases('torch', 600):
        name = names[i % len(names)]
        size = int(lua.eval('function(d) return nd[d].itemsize end')(name))
        raw = rng.integers(0, 2 if name == 'bool' else 256, (3, 4, size), np.uint8)
        a = make(name, *[int(v) for v in raw.ravel()])
        t = torch.from_dlpack(Exported(lua, a))
        check(tuple(t.shape) == (3, 4) and t.data_ptr() == address(a), 'out', i, name)
        u = t.view(bits[name]) if name in bits else t
        check(u.numpy().tobytes() == raw.tobytes(), 'bits', i, name)
        b = imported(lua, t.T)
        check(b.dtype == name and address(b) == address(a), 'there and back', i, name)
        c = imported(lua, t.clone()[1:, ::2])
        check(c.dtype == name and c.is_external and list(c.shape.values()) == [2, 2], 'in', i, name)
    gc.collect()


def outlive():
    """Bytes stay when their array, its collector's turn and its Lua state are gone, and go back on
    whatever thread."""
    import threading
    for i, rng in cases('outlive', 30):
        state = lua_arrays.runtime()
        if i % 2:
            state.execute('collectgarbage "stop"')
        a = state.eval('nd.arange(1, 100000)')
        take = (np.from_dlpack, np.asarray)[i // 2 % 2]
        arrays = [take(Exported(state, a, copy=i % 5 == 0)) for _ in range(3)]
        if i % 3 == 0:
            state.eval('function(a) a:free() end')(a)
        del a, state
        gc.collect()
        check(all(x.sum() == 5000050000 for x in arrays), 'gone with the state', i)
        threads = [threading.Thread(target=arrays.pop) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    gc.collect()


def refused():
    """What the other side, or ours, refuses leaves nothing, and says why."""
    for i, _ in cases('refused', 20):
        a = lua.eval('nd.ones(1000, "bf16")')
        try:
            np.from_dlpack(Exported(lua, a))
            check(False, 'NumPy has bf16')
        except (RuntimeError, BufferError) as e:
            check('dtype' in str(e), 'why', e)
        lua.eval('function(a) a:free() end')(a)
        try:
            np.from_dlpack(Exported(lua, lua.eval('nd.arange(1, 3):flip(1)')))
            check(False, 'a step backwards')
        except lua_arrays.luajit().LuaError as e:
            check('copy = true' in str(e), 'why', e)
        kept = Exported(lua, lua.eval('nd.ones(3)')).__dlpack__()  # and nobody takes it
        check(len(lua_arrays.made) == 1, 'kept', len(lua_arrays.made))
        del kept
        lua_arrays.sweep()
        check(len(lua_arrays.made) == 0, 'swept', len(lua_arrays.made))


def by_address():
    for i, rng in cases('interface', 50):
        code = list(DTYPES)[i % len(DTYPES)]
        x = elements(rng, code, shape_of(rng))
        a = lua.eval('function(a, d) return a:bitcast(d) end')(imported(
            lua, x.view('u1') if code == '?' else x), DTYPES[code])
        y, b, _ = view_of(rng, x, a)
        z = np.asarray(Exported(lua, b))
        check(same(y, z) and (y.size == 0 or z.ctypes.data == y.ctypes.data), 'interface', i, code)


if 'torch' in sys.argv:
    against_torch()
else:
    against_numpy()
    outlive()
    refused()
    by_address()
held = lua.eval('function() for _ = 1, 3 do collectgarbage() end'
                ' return nd.device("cpu"):memory_info().held end')
gc.collect()
check(held() == 0, 'held', held())
end()
