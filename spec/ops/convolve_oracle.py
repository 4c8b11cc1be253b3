"""Convolutions by NumPy: convolve_oracle.py CASES ANSWERS

A case is a line of fields between tabs: convolve or correlate, the mode, then dtype, shape and
hexadecimal bytes of both arrays. An answer is the number of results, then the same of each.
"""
import sys
import numpy as np

NAMES = {'bool': 'b1', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16'}
OURS = {np.dtype(v): k for k, v in NAMES.items()}


def array(dtype, shape, text):
    extents = [] if shape == '-' else [int(n) for n in shape.split('x')]
    return np.frombuffer(bytes.fromhex(text.strip('-')), NAMES[dtype]).reshape(extents)


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, mode, *rest = line.rstrip('\n').split('\t')
        a, b = array(*rest[:3]), array(*rest[3:])
        if name == 'correlate':
            a, b = np.atleast_1d(a), np.atleast_1d(b)
        out = getattr(np, name)(a, b, mode)
        if out.dtype.kind in 'fc':
            out = out + out.dtype.type(0)  # no negative zeros
        print(1, OURS[out.dtype], 'x'.join(map(str, out.shape)), out.tobytes().hex() or '-',
              sep='\t', file=answers)
