"""What the specs against other libraries share: cases by seed, counts, and a Lua state."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..', 'examples', 'python'))
import numpy as np  # noqa: E402
import lua_arrays  # noqa: E402

seed = int(os.environ.get('NDBUF_SEED') or np.random.SeedSequence().entropy % 10**6)
share = float(os.environ.get('NDBUF_CASES') or 1)
passed, failed = 0, 0
lua = lua_arrays.runtime()

# ndbuf's names of NumPy's dtypes
DTYPES = {'?': 'bool', 'i1': 'i8', 'u1': 'u8', 'i2': 'i16', 'u2': 'u16', 'i4': 'i32', 'u4': 'u32',
          'i8': 'i64', 'u8': 'u64', 'f2': 'f16', 'f4': 'f32', 'f8': 'f64', 'c8': 'c64',
          'c16': 'c128'}


def cases(name, count):
    """(number, generator) of each case; says the seed with what fails."""
    for i in range(max(1, int(count * share))):
        yield i, np.random.default_rng([seed, i, *name.encode()])


def check(fine, *what):
    global passed, failed
    if fine:
        passed += 1
    else:
        failed += 1
        if failed <= 20:
            print('failure: seed %d:' % seed, *what)


def elements(rng, code, shape):
    """An array of bits drawn at random, but that floats are numbers."""
    dtype = np.dtype(code)
    if code == '?':
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in 'fc':
        return np.asarray(rng.normal(size=shape) * 100).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)


def shape_of(rng, most=4):
    return tuple(int(n) for n in rng.integers(0, 6, rng.integers(0, most + 1)))


def view_of(rng, x, a):
    """The same view of an array of NumPy's and of ours, and whether it has a step backwards."""
    back = False
    for _ in range(rng.integers(0, 3)):
        if x.ndim == 0:
            break
        axis = int(rng.integers(0, x.ndim))
        kind = rng.integers(0, 4)
        if kind == 0:
            x, a = x.T, lua.eval('function(a) return a.T end')(a)
        elif kind == 1 and x.shape[axis] > 1:
            step = int(rng.integers(1, 4))
            x = np.moveaxis(np.moveaxis(x, axis, 0)[::step], 0, axis)
            text = ','.join(['::%d' % step if i == axis else ':' for i in range(x.ndim)])
            a = lua.eval('function(a, s) return a[s] end')(a, text)
        elif kind == 2 and x.shape[axis] > 0:
            first = int(rng.integers(0, x.shape[axis]))
            x = np.moveaxis(np.moveaxis(x, axis, 0)[first:], 0, axis)
            a = lua.eval('function(a, i, n, m) return a:narrow(i, n, m) end')(
                a, axis + 1, first + 1, x.shape[axis])
        elif kind == 3:
            x, a, back = np.flip(x, axis), lua.eval('function(a, i) return a:flip(i) end')(
                a, axis + 1), True
    return x, a, back and any(s < 0 for s, n in zip(x.strides, x.shape) if n > 1)


def end():
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed > 0 or passed == 0)
