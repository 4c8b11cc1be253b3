"""Reductions by NumPy: reduce_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, dtype, shape ("2x3", "-" for 0-d), raw bytes of
the elements in row-major order (hex), axes ("1,2", or "-" for all), ddof, keepdims (0 or 1). An
answer is NumPy's kind, shape, elements (hex of u8, i64, u64, f64 or c128), and the sums of sizes
that the errors of sums are measured by, or "error".
"""
import math
import sys
import warnings
import numpy as np

warnings.simplefilter('ignore')
NAMES = {'bool': 'b1', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16'}


def small_float(bits, exponent, mantissa, has_infinity):
    """The value of a code of 8 bits."""
    sign = -1.0 if bits >> 7 else 1.0
    field, part = bits >> mantissa & ((1 << exponent) - 1), bits & ((1 << mantissa) - 1)
    bias = (1 << exponent - 1) - 1
    top = (1 << exponent) - 1
    if has_infinity and field == top:
        return sign * math.inf if part == 0 else math.nan
    if not has_infinity and bits & 0x7f == 0x7f:
        return math.nan
    if field == 0:
        return sign * part * 2.0 ** (1 - bias - mantissa)
    return sign * (1 + part / 2 ** mantissa) * 2.0 ** (field - bias)


F8 = {'f8e4m3': np.array([small_float(i, 4, 3, False) for i in range(256)]),
      'f8e5m2': np.array([small_float(i, 5, 2, True) for i in range(256)])}


def decode(dtype, raw):
    if dtype in NAMES:
        return np.frombuffer(raw, NAMES[dtype])
    if dtype == 'bf16':
        return (np.frombuffer(raw, 'u2').astype('u4') << 16).view('f4').astype('f8')
    return F8[dtype][np.frombuffer(raw, 'u1')]


def wide(a):
    """Sums are of f64 or wider, wherever they are rounded to in the end."""
    return a.astype({'f': 'f8', 'c': 'c16'}.get(a.dtype.kind, a.dtype))


def exact(a, axes):
    """math.fsum of the parts of each sequence: what sums should be before they are rounded."""
    kept = [i for i in range(a.ndim) if i not in axes]
    lines = a.transpose(kept + list(axes)).reshape(
        int(np.prod([a.shape[i] for i in kept], dtype=int)),
        int(np.prod([a.shape[i] for i in axes], dtype=int)))

    def total(line):
        try:
            return math.fsum(line)
        except (OverflowError, ValueError):
            return float(np.sum(line))
    if a.dtype.kind == 'c':
        out = [complex(total(line.real), total(line.imag)) for line in lines]
    else:
        out = [total(line) for line in lines]
    return np.array(out, 'c16' if a.dtype.kind == 'c' else 'f8').reshape(
        [a.shape[i] for i in kept])


ORDERED = ('min', 'max', 'ptp', 'argmin', 'argmax')


def evaluate(op, a, axes, ddof):
    if op in ORDERED and a.dtype.kind == 'c' or op == 'ptp' and a.dtype.kind == 'b':
        raise ValueError('no order, or no difference')
    if op in ORDERED and 0 in [
            a.shape[i] for i in range(a.ndim) if i not in axes]:  # NumPy refuses some of these
        return np.zeros([a.shape[i] for i in range(a.ndim) if i not in axes],
                        'i8' if op[0] == 'a' else a.dtype)
    if op in ('argmin', 'argmax'):
        kept = [i for i in range(a.ndim) if i not in axes]
        shape = [a.shape[i] for i in kept]
        n = int(np.prod([a.shape[i] for i in axes], dtype=int))
        lines = a.transpose(kept + list(axes)).reshape(shape + [n])
        return getattr(np, op)(lines, axis=-1) + 1
    if op == 'count_nonzero':
        return np.sum(a != 0, axis=axes, dtype='i8')
    if op == 'any':
        return np.any(a != 0, axis=axes)
    if op == 'all':
        return np.all(a != 0, axis=axes)
    if op in ('var', 'std'):
        return getattr(np, op)(wide(a) if a.dtype.kind in 'fc' else a, axis=axes, ddof=ddof)
    if op in ('sum', 'mean') and a.dtype.kind in 'fc':
        total = exact(wide(a), axes)
        n = int(np.prod([a.shape[i] for i in axes], dtype=int))
        return total if op == 'sum' else total / np.float64(n)
    if op == 'prod' and a.dtype.kind in 'fc':
        return np.prod(wide(a), axis=axes)
    return getattr(np, op)(a, axis=axes)


def size_of(op, size, axes):
    """The sum or product of sizes; inf where some order of the factors leaves the range of f64."""
    if op != 'prod':
        return np.sum(size, axis=axes)
    factors = np.where(np.isfinite(size) & (size > 0), size, 1)
    largest = np.prod(np.maximum(factors, 1), axis=axes)
    smallest = np.prod(np.minimum(factors, 1), axis=axes)
    return np.where((largest < 1e300) & (smallest > 1e-300), np.prod(size, axis=axes), np.inf)


def answer(op, dtype, shape, raw, axes, ddof, keepdims):
    shape = [] if shape == '-' else [int(n) for n in shape.split('x')]
    a = decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(shape)
    axes = tuple(range(a.ndim)) if axes == '-' else tuple(
        sorted(int(n) - 1 for n in axes.split(',')))
    try:
        out = np.asarray(evaluate(op, a, axes, float(ddof)))
    except ValueError:
        return 'error'
    if keepdims == '1':
        out = out.reshape([1 if i in axes else n for i, n in enumerate(a.shape)])
    kind = out.dtype.kind
    out = out.astype({'b': 'u1', 'i': 'i8', 'u': 'u8', 'f': 'f8', 'c': 'c16'}[kind])
    sizes = np.asarray(size_of(op, np.abs(wide(a)).astype('f8'), axes))
    return '\t'.join([kind, 'x'.join(map(str, out.shape)) or '-', out.tobytes().hex() or '-',
                      sizes.tobytes().hex() or '-'])


if __name__ == '__main__':
    with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
        for line in cases:
            print(answer(*line.rstrip('\n').split('\t')), file=answers)
