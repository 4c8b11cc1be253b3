"""The extension linalg."""
import math

from ._array import Array, matmul, matrix_transpose, wrap  # noqa: F401
from ._functions import _all, _options, broadcast_arrays, moveaxis, permute_dims, reshape, stack, \
    sum, tensordot, unstack, vecdot  # noqa: F401
from ._lua import adapt, axes_of, call_of, method_of


def _call(name, *args):
    return wrap(call_of('linalg.' + name, *args))


class _Named(tuple):
    def __new__(cls, **fields):
        self = super().__new__(cls, fields.values())
        self.__dict__.update(fields)
        return self


def cholesky(x, /, *, upper=False):
    return _call('cholesky', x._own, _options(upper=upper))


def cross(x1, x2, /, *, axis=-1):
    x1, x2 = [moveaxis(x, axis, -1) for x in broadcast_arrays(x1, x2)]
    if x1.shape[-1] != 3:
        raise ValueError('cross needs axes of 3, not of %d' % x1.shape[-1])
    (a, b, c), (d, e, f) = [[x[..., i] for i in range(3)] for x in (x1, x2)]
    return moveaxis(stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1), -1, axis)


def det(x, /):
    return wrap(adapt.for_array('linalg.det', x._own, x.dtype.own))


def diagonal(x, /, *, offset=0):
    rows, columns = x.shape[-2:]
    if not -rows < offset < columns:  # beyond the matrix
        return wrap(method_of(x._own, 'diagonal', 0))[..., :0]
    return wrap(method_of(x._own, 'diagonal', offset))


def eig(x, /):
    values, vectors = _all(call_of('linalg.eig', x._own))
    return _Named(eigenvalues=values, eigenvectors=vectors)


def eigvals(x, /):
    return _call('eigvals', x._own)


def eigh(x, /):
    values, vectors = _all(call_of('linalg.eigh', x._own))
    return _Named(eigenvalues=values, eigenvectors=vectors)


def eigvalsh(x, /):
    return _call('eigvalsh', x._own)


def inv(x, /):
    return _call('inv', x._own)


def matrix_norm(x, /, *, keepdims=False, ord='fro'):
    return _call('norm', x._own, ord, _options(axis=axes_of((-2, -1)), keepdims=keepdims))


def matrix_power(x, n, /):
    return _call('matrix_power', x._own, n)


def matrix_rank(x, /, *, rtol=None):
    return _for_each(_rank, x, rtol)


def outer(x1, x2, /):
    return _call('outer', x1._own, x2._own)


def pinv(x, /, *, rtol=None):
    return _for_each(_inverse, x, rtol)


def _rank(x, rtol):
    return wrap(adapt.for_array('linalg.matrix_rank', x._own, 'i64', _options(rtol=rtol)))


def _inverse(x, rtol):
    return _call('pinv', x._own, _options(rtol=rtol))


def _for_each(fn, x, rtol):
    """fn(x, rtol), for each matrix with a bound of its own where these are an array."""
    if x.size == 0:
        rtol = None
    if not isinstance(rtol, Array):
        return fn(x, rtol)
    if rtol.ndim == 0:
        return fn(x, float(rtol))
    if rtol.shape[0] == 1 and x.shape[0] != 1:
        return _for_each(fn, x, rtol[0, ...])
    if x.ndim == 2:
        return _for_each(fn, x, rtol[0, ...])
    return stack([_for_each(fn, a, r) for a, r in zip(unstack(x), unstack(rtol))])


def qr(x, /, *, mode='reduced'):
    q, r = _all(call_of('linalg.qr', x._own, _options(mode=mode)))
    return _Named(Q=q, R=r)


def slogdet(x, /):
    sign, log = _all(adapt.for_array('linalg.slogdet', x._own, x.dtype.own))
    return _Named(sign=sign, logabsdet=log)


def solve(x1, x2, /):
    return _call('solve', x1._own, x2._own)


def svd(x, /, *, full_matrices=True):
    u, s, vh = _all(call_of('linalg.svd', x._own, _options(full_matrices=full_matrices)))
    return _Named(U=u, S=s, Vh=vh)


def svdvals(x, /):
    return _call('svd', x._own, _options(compute_uv=False))


def trace(x, /, *, offset=0, dtype=None):
    return sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(a % x.ndim for a in axes)
    kept = tuple(i for i in range(x.ndim) if i not in axes)
    n = math.prod(x.shape[a] for a in axes)
    lines = reshape(permute_dims(x, kept + axes), (*(x.shape[i] for i in kept), n))
    result = _call('norm', lines._own, ord, _options(axis=-1, keepdims=True))
    shape = [1 if i in axes else size for i, size in enumerate(x.shape)]
    return reshape(result, tuple(size for i, size in enumerate(shape) if keepdims or i in kept))
