"""Differences and slopes by NumPy: steps_oracle.py CASES ANSWERS

A case is a line of fields between tabs: diff or gradient, dtype, shape ("2x3"), raw bytes of the
elements in row-major order (hex), axis (from 1), then for diff: how often, and what is put before
and behind (raw bytes of one element, or "-"); for gradient: edge_order, and the distance (a number)
or the points (numbers between spaces). An answer is the shape and the elements in f64 or c128
(hex); of integers and bools, in their 64 bits.
"""
import sys
import warnings
import numpy as np
from reduce_oracle import decode

warnings.simplefilter('ignore')


def edge(dtype, raw, shape, axis):
    if raw == '-':
        return np._NoValue
    shape = list(shape)
    shape[axis] = 1
    return np.broadcast_to(decode(dtype, bytes.fromhex(raw)), shape)


def answer(op, dtype, shape, raw, axis, *rest):
    shape, axis = [int(n) for n in shape.split('x')], int(axis) - 1
    a = decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(shape)
    if op == 'diff':
        before, behind = (edge(dtype, x, shape, axis) for x in rest[1:])
        out = np.diff(a, int(rest[0]), axis, before, behind)
        wide = {'b': 'i8', 'i': 'i8', 'u': 'u8', 'c': 'c16'}.get(out.dtype.kind, 'f8')
    else:
        points = [float(x) for x in rest[1].split(' ')]
        a = a.astype('c16' if a.dtype.kind == 'c' else 'f8')
        out = np.gradient(a, points if len(points) > 1 else points[0], axis=axis,
                          edge_order=int(rest[0]))
        wide = out.dtype
    return 'x'.join(map(str, out.shape)) + '\t' + (out.astype(wide).tobytes().hex() or '-')


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        print(answer(*line.rstrip('\n').split('\t')), file=answers)
