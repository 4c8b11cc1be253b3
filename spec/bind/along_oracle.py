"""NumPy's take_along_axis and put_along_axis: along_oracle.py CASES ANSWERS

A case is a line of fields between tabs: dtype, shape, axis (from 1), shape of the index, its
elements (1-based, negative from the end), what to do ("gather", "take_along", "put_along",
"scatter", "scatter_add"), shape of the values. Elements and values are those of index_oracle.py. In
"gather" and "scatter" the index is looked up in a part of the array that has its shape.

An answer is the shape and the bytes of what is taken, or of the whole array afterwards.
"""
import sys
import numpy as np
from index_oracle import encode, parse_shape


def sequence(shape, factor, first):
    return ((factor * np.arange(int(np.prod(shape, dtype=int))) + first) % 8).reshape(shape)


def pairs(v, index, axis):
    """The index arrays that take_along_axis makes, for np.add.at."""
    keys = list(np.ix_(*(np.arange(n) for n in v.shape)))
    keys[axis] = index
    return tuple(keys)


def evaluate(dtype, shape, axis, index_shape, elements, what, values):
    shape, axis = parse_shape(shape), int(axis) - 1
    index = np.array([int(x) for x in elements.split()], dtype=np.int64)
    index = np.where(index > 0, index - 1, index).reshape(parse_shape(index_shape))
    whole = encode(sequence(shape, 7, 0), dtype)
    v = whole
    if what in ('gather', 'scatter', 'scatter_add'):
        v = v[tuple(slice(None) if i == axis else slice(0, n) for i, n in enumerate(index.shape))]
    if what in ('gather', 'take_along'):
        whole = np.take_along_axis(v, index, axis)
    else:
        values = encode(sequence(parse_shape(values), 3, 1), dtype)
        if what == 'scatter_add':
            np.add.at(v, pairs(v, index, axis), values)
        else:
            np.put_along_axis(v, index, values, axis)
    return 'x'.join(map(str, whole.shape)) or '-', whole.tobytes().hex() or '-'


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        print(*evaluate(*line.rstrip('\n').split('\t')), sep='\t', file=answers)
