"""Making, shaping, searching, sorting, counting, and what says what there is."""
import builtins
import math

from . import _array
from ._array import Array, asarray, astype, check_device, wrap
from ._lua import DTYPES, DType, KINDS, adapt, axes_of, axis_of, call_of, default_of, lua, \
    lua_arrays, method_of, scalar, table

FLOAT, INT = DTYPES['float64'], DTYPES['int64']


def _call(name, *args):
    return wrap(call_of(name, *args))


def _method(x, name, *args):
    return wrap(method_of(x._own, name, *args))


def _all(results):
    """An array or several."""
    return [wrap(own) for own in (results if isinstance(results, tuple) else (results,))]


def _shape(shape):
    return table(shape if isinstance(shape, tuple) else (shape,))


def _options(**options):
    return lua.table_from({k: v for k, v in options.items() if v is not None})


def _less(x, by=1):
    """Positions, which count from 0 here."""
    return _call('sub', x._own, by)


def _more(x):
    x = astype(x, INT)
    return _call('where', (x < 0)._own, x._own, (x + 1)._own)


# ---- making ----


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    check_device(device)
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        whole = builtins.all(isinstance(v, int) for v in (start, stop, step))
        dtype = INT if whole else FLOAT
    n = builtins.max(0, math.ceil((stop - start) / step))
    if n == 0:
        return zeros(0, dtype=dtype)
    last = start + (n - 1) * step
    result = _call('arange', scalar(start), scalar(last), scalar(step), dtype.own)
    return result if result.size == n else result[:n]


def empty(shape, *, dtype=None, device=None):
    check_device(device)
    return _call('empty', _shape(shape), (dtype or FLOAT).own)


def zeros(shape, *, dtype=None, device=None):
    check_device(device)
    return _call('zeros', _shape(shape), (dtype or FLOAT).own)


def ones(shape, *, dtype=None, device=None):
    check_device(device)
    return _call('ones', _shape(shape), (dtype or FLOAT).own)


def full(shape, fill_value, *, dtype=None, device=None):
    check_device(device)
    dtype = dtype or default_of(fill_value)
    value = fill_value if dtype.kind == 'bool' else scalar(fill_value)
    return _call('full', _shape(shape), value, dtype.own)


def empty_like(x, /, *, dtype=None, device=None):
    return empty(x.shape, dtype=dtype or x.dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    return zeros(x.shape, dtype=dtype or x.dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    return ones(x.shape, dtype=dtype or x.dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    check_device(device)
    n_cols = n_rows if n_cols is None else n_cols
    if k == 0:
        return _call('eye', n_rows, n_cols, (dtype or FLOAT).own)
    k = builtins.max(-n_rows, builtins.min(k, n_cols))  # any int; Lua's end earlier
    whole = ones((n_rows, n_cols), dtype=dtype)
    return tril(triu(whole, k=k), k=k)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    check_device(device)
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    dtype = dtype or (DTYPES['complex128'] if is_complex else FLOAT)
    n = num if endpoint else num + 1
    return _call('linspace', scalar(start), scalar(stop), n, dtype.own)[:num]


def from_dlpack(x, /, *, device=None, copy=None):
    if isinstance(x, Array) and copy is False:
        return x
    result = wrap(lua_arrays.imported(lua, x))
    return _array.positive(result) if copy else result


def meshgrid(*arrays, indexing='xy'):
    return _all(call_of('meshgrid', *[x._own for x in arrays], _options(indexing=indexing)))


def tril(x, /, *, k=0):
    return _call('tril', x._own, k)


def triu(x, /, *, k=0):
    return _call('triu', x._own, k)


# ---- dtypes ----


def isdtype(dtype, kind):
    if isinstance(kind, tuple):
        return builtins.any(isdtype(dtype, k) for k in kind)
    return dtype.kind in KINDS[kind] if isinstance(kind, str) else dtype is kind


def result_type(*arrays_and_dtypes):
    """By ndbuf's own promotion, of arrays without elements."""
    numbers = [v for v in arrays_and_dtypes if isinstance(v, (bool, int, float, complex))]
    dtypes = [v.dtype if isinstance(v, Array) else v for v in arrays_and_dtypes
              if isinstance(v, (Array, DType))]
    result = dtypes[0]
    for other in dtypes[1:]:
        a, b = zeros(0, dtype=result), zeros(0, dtype=other)
        result = _call('concat', table([a._own, b._own])).dtype
    for v in numbers:
        kind = default_of(v).kind
        if kind == 'complex' and result.kind == 'float':
            result = DTYPES['complex64' if result.name == 'float32' else 'complex128']
        elif kind == 'float' and result.kind in ('int', 'uint', 'bool'):
            result = FLOAT
    return result


def can_cast(from_, to, /):
    from_ = from_.dtype if isinstance(from_, Array) else from_
    try:
        return result_type(from_, to) is to
    except adapt_error:
        return False


adapt_error = lua_arrays.luajit().LuaError


class _Info:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def _dtype_of(type):
    return type.dtype if isinstance(type, Array) else type


def finfo(type, /):
    dtype = _dtype_of(type)
    if dtype.kind not in ('float', 'complex'):
        raise TypeError('%s is no float' % dtype)
    part = DTYPES['float%d' % dtype.bits]
    digits, most, least = (24, 128, -126) if part.bits == 32 else (53, 1024, -1022)
    largest = math.ldexp(1 - 2.0 ** -digits, most) if part.bits == 32 else 1.7976931348623157e308
    return _Info(bits=part.bits, eps=2.0 ** (1 - digits), max=largest, min=-largest,
                 smallest_normal=2.0 ** least, dtype=part)


def iinfo(type, /):
    dtype = _dtype_of(type)
    if dtype.kind not in ('int', 'uint'):
        raise TypeError('%s is no integer' % dtype)
    n = dtype.bits - (dtype.kind == 'int')
    return _Info(bits=dtype.bits, max=2 ** n - 1, min=-2 ** n if dtype.kind == 'int' else 0,
                 dtype=dtype)


# ---- indexing ----


def take(x, indices, /, *, axis=None):
    if axis is None and x.ndim != 1:
        raise ValueError('take needs an axis')
    return _method(x, 'take', _more(indices)._own, axis_of(0 if axis is None else axis))


def take_along_axis(x, indices, /, *, axis=-1):
    return _call('take_along', x._own, _more(indices)._own, axis_of(axis))


# ---- shapes ----


def broadcast_arrays(*arrays):
    return _all(call_of('broadcast_arrays', *[x._own for x in arrays]))


def broadcast_to(x, /, shape):
    return _method(x, 'expand', _shape(shape))


def broadcast_shapes(*shapes):
    return broadcast_arrays(*[empty(shape) for shape in shapes])[0].shape if shapes else ()


def _together(arrays):
    dtype = result_type(*arrays)
    return [x if x.dtype is dtype else astype(x, dtype) for x in arrays]


def concat(arrays, /, *, axis=0):
    arrays = _together(arrays)
    if axis is None:
        arrays, axis = [reshape(x, (-1,)) if x.size else reshape(x, (0,)) for x in arrays], 0
    return _call('concat', table([x._own for x in arrays]), axis_of(axis))


def stack(arrays, /, *, axis=0):
    return _call('stack', table([x._own for x in _together(arrays)]), axis_of(axis))


def expand_dims(x, /, axis):
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise IndexError('no axis %d' % axis)
    return _method(x, 'unsqueeze', axis + 1 if axis >= 0 else x.ndim + axis + 2)


def squeeze(x, /, axis):
    axes = sorted({a % x.ndim if -x.ndim <= a < x.ndim else x.ndim
                   for a in (axis if isinstance(axis, tuple) else (axis,))}, reverse=True)
    for a in axes:
        if x.shape[a] != 1:
            raise ValueError('axis %d has %d elements' % (a, x.shape[a]))
        x = _method(x, 'squeeze', a + 1)
    return x


def flip(x, /, *, axis=None):
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return _method(x, 'flip', table([axis_of(a) for a in axes])) if len(axes) else x


def moveaxis(x, source, destination, /):
    return _call('moveaxis', x._own, axes_of(source), axes_of(destination))


def permute_dims(x, /, axes):
    return _method(x, 'permute', axes_of(axes)) if axes else x


def repeat(x, repeats, /, *, axis=None):
    if axis is None:
        x, axis = reshape(x, (-1,)) if x.size else reshape(x, (0,)), 0
    counts = repeats._own if isinstance(repeats, Array) else repeats
    return _call('repeat_interleave', x._own, counts, axis_of(axis))


def reshape(x, /, shape, *, copy=None):
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if -1 in shape and x.size == 0:
        rest = math.prod(n for n in shape if n != -1)
        shape = tuple((0 if rest else 1) if n == -1 else n for n in shape)
    own = _options(copy=copy is not False)
    return _method(_array.positive(x) if copy else x, 'reshape', _shape(shape), own)


def roll(x, /, shift, *, axis=None):
    if axis is None:
        return reshape(_method(reshape(x, (x.size,)), 'roll', shift, 1), x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    for n, a in zip(shifts, axes):
        x = _method(x, 'roll', n, axis_of(a))
    return x


def tile(x, repetitions, /):
    return _method(x, 'tile', _shape(repetitions)) if repetitions else x


def unstack(x, /, *, axis=0):
    return tuple(_all(method_of(x._own, 'unstack', axis_of(axis)))) if x.shape[axis] else ()


# ---- searching, sets, sorting ----


def argmax(x, /, *, axis=None, keepdims=False):
    return wrap(adapt.position('argmax', x._own, axis_of(axis), keepdims))


def argmin(x, /, *, axis=None, keepdims=False):
    return wrap(adapt.position('argmin', x._own, axis_of(axis), keepdims))


def nonzero(x, /):
    return tuple(_less(of_axis) for of_axis in _all(call_of('nonzero', x._own)))


def searchsorted(x1, x2, /, *, side='left', sorter=None):
    if sorter is not None:
        x1 = take(x1, sorter, axis=0)
    return _less(_call('searchsorted', x1._own, x2._own, _options(side=side)))


def where(condition, x1, x2, /):
    if not isinstance(x1, Array) or not isinstance(x2, Array):
        x1, x2 = _array.pair(x1, x2)
    x1, x2 = _together([x1, x2])
    return _call('where', condition._own, x1._own, x2._own)


def isin(x1, x2, /, *, invert=False):
    x1, x2 = _array.pair(x1, x2)
    return _call('isin', x1._own, x2._own, _options(invert=invert))


class _Results(tuple):
    def __new__(cls, **fields):
        self = super().__new__(cls, fields.values())
        self.__dict__.update(fields)
        return self


def unique_all(x, /):
    options = _options(index=True, inverse=True, counts=True)
    values, index, inverse, counts = _all(call_of('unique', x._own, options))
    return _Results(values=values, indices=_less(index), inverse_indices=_less(inverse),
                    counts=counts)


def unique_counts(x, /):
    values, counts = _all(call_of('unique', x._own, _options(counts=True)))
    return _Results(values=values, counts=counts)


def unique_inverse(x, /):
    values, inverse = _all(call_of('unique', x._own, _options(inverse=True)))
    return _Results(values=values, inverse_indices=_less(inverse))


def unique_values(x, /):
    return _call('unique', x._own)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    return _call('sort', x._own, _options(axis=axis_of(axis), descending=descending))


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    return _less(_call('argsort', x._own, _options(axis=axis_of(axis), descending=descending)))


# ---- reductions ----


def _reduce(name, x, axis, keepdims, **options):
    return wrap(adapt.reduce(name, x._own, axes_of(axis), keepdims, _options(**options)))


def all(x, /, *, axis=None, keepdims=False):
    return _reduce('all', x, axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    return _reduce('any', x, axis, keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    return _reduce('count_nonzero', x, axis, keepdims)


def max(x, /, *, axis=None, keepdims=False):
    return _reduce('max', x, axis, keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    return _reduce('mean', x, axis, keepdims)


def min(x, /, *, axis=None, keepdims=False):
    return _reduce('min', x, axis, keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return _reduce('prod', x, axis, keepdims, dtype=dtype and dtype.own)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    return _reduce('std', x, axis, keepdims, ddof=correction)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return _reduce('sum', x, axis, keepdims, dtype=dtype and dtype.own)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    return _reduce('var', x, axis, keepdims, ddof=correction)


def _cumulative(name, x, axis, dtype, include_initial, first):
    if axis is None and x.ndim != 1:
        raise ValueError('it needs an axis')
    axis = 0 if axis is None else axis
    result = _call(name, x._own, _options(axis=axis_of(axis), dtype=dtype and dtype.own))
    if include_initial:
        shape = list(x.shape)
        shape[axis] = 1
        result = concat([full(tuple(shape), first, dtype=result.dtype), result], axis=axis)
    return result


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulative('cumsum', x, axis, dtype, include_initial, 0)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulative('cumprod', x, axis, dtype, include_initial, 1)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    ends = {name: end._own for name, end in (('prepend', prepend), ('append', append))
            if end is not None}
    return _call('diff', x._own, _options(axis=axis_of(axis), n=n, **ends))


# ---- products ----


def _product(name, x1, x2, axes):
    """An array of no axes where ndbuf gives a number."""
    return wrap(adapt.call_for_array(name, x1._own, x2._own, axes))


def tensordot(x1, x2, /, *, axes=2):
    if not isinstance(axes, int):
        axes = table([axes_of(tuple(side)) for side in axes])
    return _product('tensordot', x1, x2, axes)


def vecdot(x1, x2, /, *, axis=-1):
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError('vectors of %d and %d elements' % (x1.shape[axis], x2.shape[axis]))
    x1, x2 = broadcast_arrays(*_together([x1, x2])) if x1.shape != x2.shape else (x1, x2)
    return _product('vecdot', x1, x2, axis_of(axis))


# ---- what there is ----


class _About:
    def capabilities(self):
        return {'boolean indexing': True, 'data-dependent shapes': True, 'max dimensions': 16}

    def default_device(self):
        return 'cpu'

    def default_dtypes(self, *, device=None):
        check_device(device)
        return {'real floating': FLOAT, 'complex floating': DTYPES['complex128'], 'integral': INT,
                'indexing': INT}

    def devices(self):
        return ['cpu']

    def dtypes(self, *, device=None, kind=None):
        check_device(device)
        return {name: d for name, d in DTYPES.items() if kind is None or isdtype(d, kind)}


def __array_namespace_info__():
    return _About()
