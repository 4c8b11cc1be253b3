"""Products and norms by NumPy: products_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, words between commas or "-", then dtype, shape
and hexadecimal bytes of each array. An answer is the number of results, then the same of each.
Words of einsum are the subscripts, with ";" in the place of commas; of tensordot the number of
axes, or those of both operands, from 1.
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


def axis_of(text):
    return int(text) - (1 if int(text) > 0 else 0)


def vecdot(words, a, b):
    if words[0] != '-':
        a, b = np.moveaxis(a, axis_of(words[0]), -1), np.moveaxis(b, axis_of(words[0]), -1)
    return np.matmul(a.conj()[..., None, :], b[..., :, None])[..., 0, 0]


def tensordot(words, a, b):
    if len(words) == 1:
        return np.tensordot(a, b, int(words[0]))
    half = len(words) // 2
    return np.tensordot(a, b, ([axis_of(w) for w in words[:half]],
                               [axis_of(w) for w in words[half:]]))


def trace(words, a):
    k, first, second = (int(word) for word in words)
    return np.trace(a, k, first - 1, second - 1)


def norm(words, a):
    order, axes, keepdims = words
    axis = None if axes == 'none' else tuple(axis_of(word) for word in axes.split(';'))
    ord = None if order == 'none' else order if order == 'fro' else float(order)
    a = a.astype('f4') if a.dtype == 'f2' else a
    return np.linalg.norm(a, ord, axis[0] if axis and len(axis) == 1 else axis, keepdims == 'true')


OPERATIONS = {
    'matmul': lambda words, a, b: np.matmul(a, b), 'dot': lambda words, a, b: np.dot(a, b),
    'vecdot': vecdot, 'outer': lambda words, a, b: np.outer(a, b),
    'kron': lambda words, a, b: np.kron(a, b), 'tensordot': tensordot, 'trace': trace, 'norm': norm,
    'einsum': lambda words, *arrays: np.einsum(words[0].replace(';', ','), *arrays),
}

with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, words, *rest = line.rstrip('\n').split('\t')
        given = [array(*rest[i:i + 3]) for i in range(0, len(rest), 3)]
        out = np.asarray(OPERATIONS[name](words.split(','), *given))
        if out.dtype.kind in 'fc':
            out = out + out.dtype.type(0)  # no negative zeros
        print(1, OURS[out.dtype], 'x'.join(map(str, out.shape)) or '-', out.tobytes().hex() or '-',
              sep='\t', file=answers)
