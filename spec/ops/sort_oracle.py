"""Sorting by NumPy: sort_oracle.py CASES ANSWERS

A case is a line of fields between tabs: dtype, shape, raw bytes in row-major order (hex), axis
(from 1), descending (0 or 1). An answer is the positions, i64 in hex, that sort it stably.
"""
import sys
import numpy as np
from reduce_oracle import decode


def descending_keys(a):
    """What sorts ascending as 'a' descends, NaN last: ranks, from the end."""
    if a.dtype.kind == 'b':
        return ~a
    if a.dtype.kind in 'iu':
        return ~a
    return -a


def answer(dtype, shape, raw, axis, descending):
    shape = [int(n) for n in shape.split('x')]
    a = decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(shape)
    if descending == '1':
        a = descending_keys(a)
    return np.argsort(a, int(axis) - 1, kind='stable').astype('i8') + 1


if __name__ == '__main__':
    with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
        for line in cases:
            print(answer(*line.rstrip('\n').split('\t')).tobytes().hex() or '-', file=answers)
