"""Chains of view methods by NumPy: views_oracle.py CASES ANSWERS

A case is a line of fields between tabs: a shape ("2x3", "-" for 0-d; element k is k, u16), then
methods with their arguments ("reshape:3,2", "permute:2,1", "squeeze:"). An answer has a field for
the array after each method: shape, byte strides ("*": of no meaning), offset, bytes, between "/";
or "copy" where reshape cannot do without one, or "error"; nothing follows these.
"""
import sys
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def axis_of(n):
    return n - 1 if n > 0 else n


def reshape(v, *shape):
    """A view, or None where NumPy would copy."""
    w = v.reshape(shape)
    return w if v.size == 0 or np.shares_memory(v, w) else None


def unfold(v, axis, size, step):
    axis = axis_of(axis) % v.ndim
    w = sliding_window_view(v, size, axis)
    keys = [slice(None)] * w.ndim
    keys[axis] = slice(None, None, step)
    return w[tuple(keys)]


def narrow(v, axis, first, count):
    keys = [slice(None)] * v.ndim
    keys[axis_of(axis)] = slice(first - 1, first - 1 + count)
    return v[tuple(keys)]


def select(v, axis, i):
    keys = [slice(None)] * v.ndim
    keys[axis_of(axis)] = axis_of(i)
    return v[tuple(keys) + (Ellipsis,)]


METHODS = {
    'reshape': reshape,
    'flatten': lambda v: reshape(v, v.size),
    'transpose': lambda v: v.T,
    'permute': lambda v, *order: v.transpose([axis_of(n) for n in order]),
    'swapaxes': lambda v, i, j: v.swapaxes(axis_of(i), axis_of(j)),
    'narrow': narrow,
    'select': select,
    'squeeze': lambda v, *axis: v.squeeze(*map(axis_of, axis)),
    'unsqueeze': lambda v, axis: np.expand_dims(v, axis_of(axis)),
    'expand': lambda v, *shape: np.broadcast_to(v, shape),
    'unfold': unfold,
    'diagonal': lambda v, k=0: v.diagonal(k, -2, -1),
    'flip': lambda v, *axes: np.flip(v, tuple(map(axis_of, axes)) or None) if v.ndim else v,
}


def describe(v, base):
    strides = ['*' if v.size == 0 or n == 1 else str(s) for n, s in zip(v.shape, v.strides)]
    place = v.__array_interface__['data'][0] - base.__array_interface__['data'][0]
    return '/'.join(('x'.join(map(str, v.shape)) or '-', ' '.join(strides) or '-',
                     '*' if v.size == 0 else str(place), v.tobytes().hex() or '-'))


def evaluate(shape, *methods):
    shape = () if shape == '-' else tuple(map(int, shape.split('x')))
    base = np.arange(int(np.prod(shape, dtype=int)), dtype=np.uint16).reshape(shape)
    v, out = base, []
    for method in methods:
        name, arguments = method.split(':')
        try:
            v = METHODS[name](v, *(int(n) for n in arguments.split(',') if n))
        except (ValueError, IndexError, np.AxisError):
            return out + ['error']
        if v is None:
            return out + ['copy']
        out.append(describe(v, base))
    return out


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        print(*evaluate(*line.rstrip('\n').split('\t')), sep='\t', file=answers)
