"""Reductions that leave out NaN, by NumPy: nans_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, dtype, shape, raw bytes of the elements in
row-major order (hex), axes (from 1, or "-" for all), ddof. An answer is the result in hex, of f64,
c128 or i64 (positions, from 1; 0 where all are NaN).
"""
import sys
import warnings
import numpy as np
from order_oracle import lines_of
from reduce_oracle import decode

warnings.simplefilter('ignore')


def reduce(op, line, ddof):
    if line.dtype.kind in 'cf':
        line = line[~np.isnan(line)]
    if op in ('min', 'max'):  # of complex ones it is not looked at
        return getattr(np, op)(line) if len(line) else np.nan
    if op in ('var', 'std'):
        return getattr(np, op)(line, ddof=ddof) if len(line) > ddof else np.nan
    return getattr(np, op)(line)


def position(op, line):
    places = np.arange(1, len(line) + 1)
    if line.dtype.kind in 'cf':
        places = places[~np.isnan(line)]
    line = line[places - 1]
    if len(line) == 0:
        return 0
    return places[getattr(np, op)(line)]


def answer(op, dtype, shape, raw, axes, ddof):
    shape = [] if shape == '-' else [int(n) for n in shape.split('x')]
    a = decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(shape)
    if a.dtype.kind in 'cf':
        a = a.astype('c16' if a.dtype.kind == 'c' else 'f8')
    axes = range(a.ndim) if axes == '-' else [int(axis) - 1 for axis in axes.split(',')]
    lines = lines_of(a, axes)
    if op.startswith('arg'):
        return np.array([position(op, line) for line in lines], 'i8')
    out = [reduce(op, line, float(ddof)) for line in lines]
    is_complex = a.dtype.kind == 'c' and op not in ('var', 'std')
    return np.array(out, 'c16' if is_complex else 'f8')


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        print(answer(*line.rstrip('\n').split('\t')).tobytes().hex() or '-', file=answers)
