"""Scans by NumPy: scan_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, dtype, shape ("2x3", "-" for 0-d), raw bytes of
the elements in row-major order (hex), axis (from 1, or "-" for none). An answer is the shape and
the elements: for integers and bool their 64 bits (hex); for floats the least and the greatest that
are right, in f64, of a complex number for each part. -inf with inf stands for anything, where what
is right depends on the order.
"""
import sys
import warnings
import numpy as np
from reduce_oracle import decode

warnings.simplefilter('ignore')
LONG = np.longdouble
LARGE = 1e300  # sums that pass it on their way may overflow in one order, not in another


def parts(a):
    return np.stack([a.real, a.imag], -1) if a.dtype.kind == 'c' else a


def sums(a, axis):
    """Exact to 64 bits; off by at most the rounding of a block, and by that of the result."""
    values = parts(a).astype(LONG)
    exact = np.cumsum(values, axis)
    sizes = np.cumsum(np.where(np.isfinite(values), np.abs(values), 0), axis)
    bound = np.where(np.isfinite(exact), sizes * LONG(2) ** -49, 0)
    return np.where(sizes < LARGE, exact - bound, -np.inf), np.where(
        sizes < LARGE, exact + bound, np.inf)


def products(a, axis):
    """One after the other, as NumPy's: of real numbers the same bits."""
    if a.dtype.kind == 'f':
        exact = np.cumprod(a.astype('f8'), axis)
        return exact, exact
    exact = parts(np.cumprod(a.astype('c16'), axis))
    factors = np.abs(a).astype('f8')
    sizes = np.cumprod(factors, axis)
    counted = np.cumsum(np.ones_like(factors), axis)
    fine = (sizes < LARGE) & (sizes > 1 / LARGE) | (np.cumsum(a == 0, axis) > 0) & (sizes == 0)
    bound = (sizes * counted * 2.0 ** -50)[..., None]
    return np.where(fine[..., None], exact - bound, -np.inf), np.where(
        fine[..., None], exact + bound, np.inf)


def evaluate(op, a, axis):
    kind = a.dtype.kind
    if op in ('cummax', 'cummin'):
        by = np.maximum if op == 'cummax' else np.minimum
        out = by.accumulate(a, axis) if a.size else a
        return (out.astype('f8'),) * 2 if kind == 'f' else (out,)
    if kind in 'fc':
        return (sums if op == 'cumsum' else products)(a, axis)
    return (getattr(np, op)(a, axis, dtype='u8' if kind == 'u' else 'i8'),)


def answer(op, dtype, shape, raw, axis):
    shape = [] if shape == '-' else [int(n) for n in shape.split('x')]
    a = decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(shape)
    a, axis = (a.reshape(-1), 0) if axis == '-' else (a, int(axis) - 1)
    out = evaluate(op, a, axis)
    wide = {'b': 'i8', 'i': 'i8', 'u': 'u8'}.get(a.dtype.kind, 'f8')
    return '\t'.join(['x'.join(map(str, a.shape))]
                     + [x.astype(wide).tobytes().hex() or '-' for x in out])


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        print(answer(*line.rstrip('\n').split('\t')), file=answers)
