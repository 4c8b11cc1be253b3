"""Factorisations by NumPy: factors_oracle.py CASES ANSWERS

Cases and answers as in products_oracle.py. All is computed in f64 or c128; the results have the
dtypes that ndbuf gives.
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


def wide(a):
    return a.astype('c16' if a.dtype.kind == 'c' else 'f8')


def solve(words, a, b):
    a, b = wide(a), wide(b)
    if b.ndim == 1:
        return solve(words, a, b[:, None])[..., 0]
    ndim = max(a.ndim, b.ndim)
    if a.shape[-1] == 0:
        return np.zeros(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], b.dtype)
    a, b = (x.reshape((1,) * (ndim - x.ndim) + x.shape) for x in (a, b))
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return np.linalg.solve(np.broadcast_to(a, lead + a.shape[-2:]),
                           np.broadcast_to(b, lead + b.shape[-2:]))


def lstsq(words, a, b):
    rcond = None if words[0] == '-' else float(words[0])
    x, residuals, rank, s = np.linalg.lstsq(wide(a), wide(b), rcond)
    return x, residuals, np.asarray(rank, 'i8'), s


def matrix_power(words, a):
    power = int(words[0])
    return np.linalg.matrix_power(wide(a) if power < 0 else a, power)


def expm(words, a):
    """Taylor's series of a matrix that is scaled by 2**-12, in long double, then squared."""
    x = a.astype(np.clongdouble if a.dtype.kind == 'c' else np.longdouble) / 4096
    term = total = np.broadcast_to(np.eye(a.shape[-1], dtype=x.dtype), a.shape)
    for k in range(1, 12):
        term = term @ x / k
        total = total + term
    for _ in range(12):
        total = total @ total
    return wide(total)


def cond(words, a):
    p = {'-': None, 'fro': 'fro'}.get(words[0], words[0])
    return np.linalg.cond(wide(a), p if p in (None, 'fro') else float(p))


OPERATIONS = {
    'solve': solve, 'lstsq': lstsq, 'matrix_power': matrix_power, 'expm': expm,
    'cond': cond,
    'inv': lambda words, a: np.linalg.inv(wide(a)),
    'det': lambda words, a: np.linalg.det(wide(a)),
    'slogdet': lambda words, a: np.linalg.slogdet(wide(a)),
    'cholesky': lambda words, a: np.linalg.cholesky(wide(a)),
    'r': lambda words, a: np.linalg.qr(wide(a))[1],
    'svdvals': lambda words, a: np.linalg.svd(wide(a), compute_uv=False),
    'eigvalsh': lambda words, a: np.linalg.eigvalsh(wide(a), words[0]),
    'pinv': lambda words, a: np.linalg.pinv(wide(a), 1e-13),
    'matrix_rank': lambda words, a: np.asarray(np.linalg.matrix_rank(wide(a)), 'i8'),
    'norm': lambda words, a: np.linalg.norm(wide(a), 'nuc' if words[0] == 'nuc' else
                                            float(words[0]), (-2, -1)),
}

with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, words, *rest = line.rstrip('\n').split('\t')
        given = [array(*rest[i:i + 3]) for i in range(0, len(rest), 3)]
        with np.errstate(all='ignore'):
            results = OPERATIONS[name](words.split(','), *given)
        fields = []
        for out in results if isinstance(results, tuple) else (results,):
            out = np.asarray(out)
            fields += [OURS[out.dtype], 'x'.join(map(str, out.shape)) or '-',
                       out.tobytes().hex() or '-']
        print(len(fields) // 3, *fields, sep='\t', file=answers)
