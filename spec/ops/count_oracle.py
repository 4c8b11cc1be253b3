"""Searching and counting by NumPy: count_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, numbers of its options ("-" for none), then
dtype, shape ("2x3", "-" for 0-d) and elements in row-major order (hex) of each array. An answer is
the results one after the other, each as kind, shape and elements. Positions count from 1.
"""
import sys
import warnings
import numpy as np
from reduce_oracle import decode

warnings.simplefilter('ignore')


def read(dtype, shape, raw):
    extents = [] if shape == '-' else [int(n) for n in shape.split('x')]
    return decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(extents)


def histogram(options, a, *more):
    bins, lo, hi, density, weighted = options
    edges = int(bins) if bins > 0 else more[0]
    return np.histogram(a, edges, (lo, hi) if lo <= hi else None, bool(density),
                        weights=more[-1] if weighted else None)


def histogram2d(options, x, y):
    rows, columns, lo, hi = options
    ends = [(lo, hi), (lo, hi)] if lo <= hi else None
    counts, first, second = np.histogram2d(x.ravel(), y.ravel(), [int(rows), int(columns)], ends)
    return counts.astype('i8'), first, second


def unique(options, a):
    values, index, inverse, counts = np.unique(a, True, True, True)
    return values, index + 1, inverse.reshape(a.shape) + 1, counts


def bincount(options, a, *weights):
    base, least = options
    return (np.bincount(a.ravel().astype('i8') - int(base), minlength=int(least),
                        weights=weights[0].ravel() if weights else None),)


def interp(options, x, xp, fp):
    left, right, period = [None if np.isnan(option) else option for option in options]
    return (np.interp(x, xp, fp, left, right, period),)


OPERATIONS = {
    'searchsorted': lambda options, v, x: (v.searchsorted(x) + 1, v.searchsorted(x, 'right') + 1),
    'sorter': lambda options, v, x: (v.searchsorted(x, sorter=np.argsort(v, kind='stable')) + 1,),
    'digitize': lambda options, x, bins: (np.digitize(x, bins, bool(options[0])),),
    'isin': lambda options, a, values: (np.isin(a, values), np.isin(a, values, invert=True)),
    'nonzero': lambda options, a: [at + 1 for at in np.nonzero(a)] + [np.flatnonzero(a) + 1],
    'histogram': histogram, 'histogram2d': histogram2d, 'unique': unique, 'bincount': bincount,
    'interp': interp,
}


def text_of(result):
    result = np.asarray(result)
    kind = {'i': 'i8', 'u': 'u8', 'b': 'b1', 'f': 'f8', 'c': 'c16'}[result.dtype.kind]
    shape = 'x'.join(map(str, result.shape)) or '-'
    return [kind, shape, result.astype(kind).tobytes().hex() or '-']


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, options, *fields = line.rstrip('\n').split('\t')
        numbers = [] if options == '-' else [float(x) for x in options.split(',')]
        arrays = [read(*fields[i:i + 3]) for i in range(0, len(fields), 3)]
        results = OPERATIONS[name](numbers, *arrays)
        print('\t'.join(field for result in results for field in text_of(result)), file=answers)
