"""Masks and picks by NumPy: pick_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, item ("V4" and its like where only bytes move,
the dtype for "index_add"), axis from 1, then shape ("2x3", "-" for 0-d) and elements in row-major
order (hex) of the array, the mask or index (i64), and the values that are written. An answer is
shape and elements of the result, or of the array after the writing.
"""
import sys
import numpy as np


def read(shape, raw, item):
    extents = [] if shape == '-' else [int(n) for n in shape.split('x')]
    return np.frombuffer(bytes.fromhex('' if raw == '-' else raw), item).reshape(extents)


def answer(name, item, axis, array, elements, where, places, shape, values):
    a = read(array, elements, item).copy()
    axis = int(axis) - 1
    index = read(where, places, 'b1' if name.startswith('mask') else 'i8')
    if not name.startswith('mask'):
        index = np.where(index > 0, index - 1, index)
    if name == 'mask':
        return a[index]
    if name == 'take':
        return np.take(a, index, axis)
    if name == 'index_add':
        np.add.at(a, (slice(None),) * axis + (index,), read(shape, values, item))
    else:
        a[index] = read(shape, values, item)
    return a


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        got = answer(*line.rstrip('\n').split('\t'))
        print('x'.join(map(str, got.shape)) or '-', got.tobytes().hex() or '-', sep='\t',
              file=answers)
