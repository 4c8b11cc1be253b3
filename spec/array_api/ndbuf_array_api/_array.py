"""The array, its operators, and elementwise functions."""
from builtins import any as any_of, max as max_of
import builtins
import struct
import sys

from ._lua import BY_OWN, DTYPES, adapt, call_of, default_of, field_of, lua, lua_arrays, \
    method_of, pack, table

VERSION = '2024.12'

# ---- the array ----


class Array:
    def __init__(self, own):
        self._own = own

    dtype = property(lambda self: BY_OWN[field_of(self._own, 'dtype')])
    ndim = property(lambda self: int(field_of(self._own, 'ndim')))
    size = property(lambda self: int(field_of(self._own, 'size')))
    device = property(lambda self: 'cpu')
    T = property(lambda self: wrap(field_of(self._own, 'T')))
    mT = property(lambda self: matrix_transpose(self))

    @property
    def shape(self):
        found = adapt.shape(self._own)
        found = () if found is None else found if isinstance(found, tuple) else (found,)
        return tuple(int(n) for n in found)

    def __array_namespace__(self, /, *, api_version=None):
        if api_version not in (None, VERSION, '2021.12', '2022.12', '2023.12'):
            raise ValueError('no such version: %r' % api_version)
        return sys.modules[__package__]

    def to_device(self, device, /, *, stream=None):
        if device != 'cpu' or stream is not None:
            raise ValueError('no such device: %r' % device)
        return self

    def __dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None):
        own = self._own
        if max_version is None and copy is None and field_of(own, 'readonly'):
            own = method_of(own, 'clone')  # an expanded array, which an old form cannot export
        return lua_arrays.Exported(lua, own).__dlpack__(
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self, /):
        return (1, 0)

    def _values(self):
        text, d = adapt.bytes(self._own).encode('latin-1'), self.dtype
        n = len(text) // struct.calcsize(d.code)
        values = struct.unpack('=%d%s' % (n, d.code), text)
        if d.kind == 'complex':
            return [complex(*pair) for pair in zip(values[::2], values[1::2])]
        return list(values)

    def _item(self):
        if self.ndim != 0:
            raise TypeError('an array of shape %s is no number' % (self.shape,))
        return self._values()[0]

    def __bool__(self, /):
        return builtins.bool(self._item())

    def __int__(self, /):
        return int(self._item())

    def __float__(self, /):
        return float(self._item())

    def __complex__(self, /):
        return complex(self._item())

    def __index__(self, /):
        if self.dtype.kind not in ('int', 'uint'):
            raise TypeError('%s is no integer' % self.dtype)
        return self._item()

    def __repr__(self):
        return 'Array(%s, shape=%s, dtype=%s)' % (self._values()[:20], self.shape, self.dtype)

    def __hash__(self):
        raise TypeError('unhashable type')

    def __getitem__(self, key, /):
        return wrap(adapt.get(self._own, self._key(key)))

    def __setitem__(self, key, value, /):
        value = value._own if isinstance(value, Array) else asarray(value, dtype=self.dtype)._own
        self._own = adapt.set(self._own, self._key(key), value)

    def _key(self, key):
        key = key if isinstance(key, tuple) else (key,)
        taken = builtins.sum(1 if not isinstance(k, Array) else _of_mask(k) for k in key
                             if k is not None and k is not Ellipsis)
        entries, at = [], 0
        for k in key:
            if k is Ellipsis:
                at += self.ndim - taken
                entries.append('...')
            elif k is None:
                entries.append('_')
            elif isinstance(k, slice):
                entries.append(_range(k, self.shape[at]))
                at += 1
            elif isinstance(k, Array):
                _check_mask(k, self.shape[at:])
                entries.append(k._own)
                at += _of_mask(k)
            else:
                k = k.__index__()
                if not -self.shape[at] <= k < self.shape[at]:
                    raise IndexError('%d is not within %d' % (k, self.shape[at]))
                entries.append(k + 1 if k >= 0 else k)
                at += 1
        if taken > self.ndim:
            raise IndexError('%d indices for %d axes' % (taken, self.ndim))
        return table(entries)


def _check_mask(k, shape):
    if k.dtype.name == 'bool' and any(m not in (n, 0) for m, n in zip(k.shape, shape)):
        raise IndexError('a mask of %s for axes of %s' % (k.shape, shape))


def _of_mask(k):
    return k.ndim if k.dtype.name == 'bool' else 1


def _range(k, n):
    start, stop, step = k.indices(n)
    count = len(range(start, stop, step))
    if count == 0:
        return table([1, 0])
    return table([start + 1, start + 1 + (count - 1) * step, step])


def wrap(own):
    return Array(own)


def _call(name, *args):
    return wrap(call_of(name, *args))


# ---- made of others ----


def _flatten(obj):
    """The shape and the numbers of nested lists."""
    if isinstance(obj, Array):
        return obj.shape, obj._values()
    if not isinstance(obj, (list, tuple)):
        return (), [obj]
    parts = [_flatten(item) for item in obj]
    if any_of(shape != parts[0][0] for shape, _ in parts):
        raise ValueError('the lists are not of one length')
    return (len(obj), *(parts[0][0] if parts else ())), [v for _, part in parts for v in part]


def check_device(device):
    if device not in (None, 'cpu'):
        raise ValueError('no such device: %r' % device)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    check_device(device)
    if isinstance(obj, Array):
        if dtype is not None and dtype is not obj.dtype:
            if copy is False:
                raise ValueError('another dtype needs a copy')
            return astype(obj, dtype)
        return positive(obj) if copy else obj
    if copy is False:
        raise ValueError('numbers of Python are copied')
    shape, values = _flatten(obj)
    if dtype is None:
        order = ['bool', 'int64', 'float64', 'complex128']
        found = [order.index(default_of(v).name) for v in values]
        dtype = DTYPES[order[max_of(found)] if found else 'float64']
    text = pack(values, dtype).decode('latin-1')
    return wrap(adapt.make(text, dtype.own, table(shape)))


def astype(x, dtype, /, *, copy=True, device=None):
    check_device(device)
    if x.dtype is dtype and not copy:
        return x
    return wrap(method_of(x._own, 'astype', dtype.own))


def matmul(x1, x2, /):
    return wrap(adapt.call_for_array('matmul', x1._own, x2._own))


def matrix_transpose(x, /):
    return wrap(method_of(x._own, 'swapaxes', -1, -2))


# ---- elementwise ----


def pair(x1, x2):
    """Both as arrays of one dtype; a number takes that of the array."""
    if not isinstance(x1, Array):
        x1 = asarray(x1, dtype=_like(x1, x2))
    if not isinstance(x2, Array):
        x2 = asarray(x2, dtype=_like(x2, x1))
    return x1, x2


def _like(value, x):
    kind = {builtins.bool: 0, int: 1, float: 2, complex: 3}.get(type(value))
    if kind is None or not isinstance(x, Array):
        raise TypeError('no array, nor a number: %r' % (value,))
    if kind > {'bool': 0, 'int': 1, 'uint': 1, 'float': 2, 'complex': 3}[x.dtype.kind]:
        raise TypeError('%r does not fit into %s' % (value, x.dtype))
    return x.dtype


def _unary(name, own):
    def f(x, /):
        return _call(own, x._own)
    f.__name__ = f.__qualname__ = name
    globals()[name] = f


def _binary(name, own, dunder=None, in_place=True):
    def f(x1, x2, /):
        x1, x2 = pair(x1, x2)
        return _call(own, x1._own, x2._own)
    f.__name__ = f.__qualname__ = name
    globals()[name] = f
    if not dunder:
        return

    def method(self, other, /):
        return f(self, other) if _is_operand(other) else NotImplemented

    def swapped(self, other, /):
        return f(other, self) if _is_operand(other) else NotImplemented

    def own_result(self, other, /):
        result = f(self, other)
        if result.shape != self.shape:
            raise ValueError('%s does not fit into %s' % (result.shape, self.shape))
        self._own = result._own if result.dtype is self.dtype else astype(result, self.dtype)._own
        return self
    setattr(Array, '__%s__' % dunder, method)
    if in_place:
        setattr(Array, '__r%s__' % dunder, swapped)
        setattr(Array, '__i%s__' % dunder, own_result)


def _is_operand(x):
    return isinstance(x, (Array, builtins.bool, int, float, complex))


for _name in ('abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor isfinite '
              'isinf isnan log log1p log2 log10 logical_not reciprocal round sign signbit sin sinh '
              'square sqrt tan tanh trunc').split():
    _unary(_name, _name)
for _name, _own in {'bitwise_invert': 'bit_not', 'negative': 'neg'}.items():
    _unary(_name, _own)
for _name in ('atan2 copysign hypot logaddexp logical_and logical_or logical_xor maximum minimum '
              'nextafter').split():
    _binary(_name, _name)
for _name, _row in {
        'add': ('add', 'add'), 'subtract': ('sub', 'sub'), 'multiply': ('mul', 'mul'),
        'divide': ('div', 'truediv'), 'floor_divide': ('idiv', 'floordiv'),
        'remainder': ('mod', 'mod'), 'pow': ('pow', 'pow'), 'bitwise_and': ('bit_and', 'and'),
        'bitwise_or': ('bit_or', 'or'), 'bitwise_xor': ('bit_xor', 'xor'),
        'bitwise_left_shift': ('shl', 'lshift'), 'bitwise_right_shift': ('shr', 'rshift')}.items():
    _binary(_name, *_row)
for _name, _row in {'equal': ('eq', 'eq'), 'not_equal': ('ne', 'ne'), 'less': ('lt', 'lt'),
                    'less_equal': ('le', 'le'), 'greater': ('gt', 'gt'),
                    'greater_equal': ('ge', 'ge')}.items():
    _binary(_name, *_row, False)
Array.__abs__ = lambda self, /: abs(self)
Array.__neg__ = lambda self, /: negative(self)
Array.__pos__ = lambda self, /: positive(self)
Array.__invert__ = lambda self, /: bitwise_invert(self)
Array.__matmul__ = lambda self, other, /: matmul(self, other)
Array.__rmatmul__ = lambda self, other, /: matmul(other, self)


def _imatmul(self, other, /):
    self._own = matmul(self, other)._own
    return self


Array.__imatmul__ = _imatmul


def positive(x, /):
    return wrap(method_of(x._own, 'clone'))


def real(x, /):
    return wrap(field_of(x._own, 'real'))


def imag(x, /):
    return wrap(field_of(x._own, 'imag'))


def clip(x, /, min=None, max=None):
    if min is None and max is None:
        return positive(x)
    bounds = [b._own if isinstance(b, Array) else b if b is None else asarray(b, dtype=x.dtype)._own
              for b in (min, max)]
    return _call('clamp', x._own, *bounds)
