"""What NumPy makes of arrays, for the functions in lua/ndbuf: arrays_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, numbers and words between commas or "-", then
dtype, shape and hexadecimal bytes of each array. An answer is the number of results, then the same
of each result.
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


def vander(x, n, increasing):
    """With our dtypes: integers in 64 bits, floats as they are."""
    out = np.vander(x.astype('f4') if x.dtype == 'f2' else x, n, increasing=increasing)
    if x.dtype.kind == 'u':
        return out.astype('u8')
    return out.astype(x.dtype if x.dtype.kind in 'fc' else 'i8')


def axis_of(text):
    return int(text) - (1 if int(text) > 0 else 0)


def evaluate(op, words, arrays):
    a = arrays[0] if arrays else None
    if op == 'meshgrid':
        return np.meshgrid(*arrays, indexing=words[0], sparse=words[1] == 'true')
    if op == 'broadcast_arrays':
        return np.broadcast_arrays(*arrays)
    if op in ('tril', 'triu', 'diag'):
        return [getattr(np, op)(a, int(words[0]))]
    if op == 'identity':
        return [np.identity(int(words[0]), NAMES[words[1]])]
    if op == 'vander':
        return [vander(a, int(words[0]), words[1] == 'true')]
    if op == 'moveaxis':
        half = len(words) // 2
        return [np.moveaxis(a, [axis_of(w) for w in words[:half]],
                            [axis_of(w) for w in words[half:]])]
    if op == 'unstack':
        return list(np.moveaxis(a, axis_of(words[0]), 0))
    if op == 'repeat_interleave':
        return [np.repeat(a, arrays[1].astype('i8'), axis_of(words[0]))]
    assert op == 'concat'
    return [np.concatenate(arrays, axis_of(words[0]))]


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, numbers, *rest = line.rstrip('\n').split('\t')
        given = [array(*rest[i:i + 3]) for i in range(0, len(rest), 3)]
        results = evaluate(name, numbers.split(','), given)
        fields = [len(results)]
        for out in results:
            fields += [OURS[out.dtype], 'x'.join(map(str, out.shape)) or '-',
                       out.tobytes().hex() or '-']
        print(*fields, sep='\t', file=answers)
