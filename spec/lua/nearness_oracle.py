"""isclose, nextafter, cov and corrcoef by NumPy: nearness_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, words between commas, then dtype, shape and
hexadecimal bytes of two arrays, the second "-" where there is none. An answer is shape and bytes,
for cov and corrcoef numbers in hexadecimal, real and imaginary parts in turn.
"""
import sys
import warnings
import numpy as np

warnings.simplefilter('ignore')
np.seterr(all='ignore')
NAMES = {'bool': 'b1', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16'}


def array(dtype, shape, text):
    if dtype == '-':
        return None
    extents = [] if shape == '-' else [int(n) for n in shape.split('x')]
    return np.frombuffer(bytes.fromhex(text.strip('-')), NAMES[dtype]).reshape(extents)


def widened(x):
    return x.astype('c16' if x.dtype.kind == 'c' else 'f8')


def isclose(x, y, rtol, atol, equal_nan):
    if x.dtype.kind != 'c' and y.dtype.kind != 'c':
        return np.isclose(x, y, rtol, atol, equal_nan)
    # by hand: NumPy multiplies by 1, which makes NaN of an infinite complex number
    close = (np.abs(x - y) <= atol + rtol * np.abs(y)) & np.isfinite(x) & np.isfinite(y)
    return (x == y) | close | (equal_nan & np.isnan(x) & np.isnan(y))


def evaluate(op, words, a, b):
    if op == 'isclose':
        return isclose(widened(a), widened(b), float(words[0]), float(words[1]),
                       words[2] == 'true')
    if op == 'nextafter':
        return np.where(a == b, b, np.nextafter(a, b))  # NumPy takes either zero
    if op == 'cov':
        ddof = None if words[2] == '-' else int(words[2])
        return np.cov(a, b, words[0] == 'true', words[1] == 'true', ddof)
    return np.corrcoef(a, b, words[0] == 'true')


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, words, *rest = line.rstrip('\n').split('\t')
        out = evaluate(name, words.split(','), array(*rest[:3]), array(*rest[3:]))
        shape = 'x'.join(map(str, out.shape)) or '-'
        if name in ('cov', 'corrcoef'):
            parts = np.ascontiguousarray(out).reshape(-1).view('f8')
            text = ' '.join(float(x).hex() for x in parts) or '-'
        else:
            text = out.tobytes().hex() or '-'
        print(shape, text, sep='\t', file=answers)
