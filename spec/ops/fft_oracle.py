"""Fourier transforms in long double: fft_oracle.py CASES ANSWERS

A case is a line of fields between tabs: function, lengths between commas or "-", axes (from 0)
likewise, norm, then dtype, shape and hexadecimal bytes of the array. An answer is the shape and
bytes of the result, as c128 or f64.

Along each axis a line of length p m is taken apart into p lines of length m, for the least prime
factor p; a line of prime length is multiplied by the matrix of the transform, or is a convolution.
"""
import sys
import numpy as np

NAMES = {'bool': 'b1', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16'}
PI = 4 * np.arctan(np.longdouble(1))


def roots(k, n, sign):
    """exp(sign 2 pi i k / n)"""
    angle = (k % n).astype(np.longdouble) * (2 * PI / n)
    return np.cos(angle) + sign * 1j * np.sin(angle)


def by_chirp(x, sign):
    """As a convolution, which is a product of transforms of a power of two."""
    n = x.shape[-1]
    m = 1 << (2 * n - 1).bit_length()
    chirp = roots(np.arange(n) ** 2, 2 * n, sign)
    other = np.zeros(m, np.clongdouble)
    other[:n] = chirp.conj()
    other[m - n + 1:] = chirp[1:].conj()[::-1]
    y = transform(resized(x * chirp, m), -1) * transform(other, -1)
    return transform(y, 1)[..., :n] / m * chirp


def transform(x, sign):
    """Along the last axis."""
    n = x.shape[-1]
    if n == 1:
        return x.copy()
    p = next((d for d in range(2, int(n ** 0.5) + 1) if n % d == 0), n)
    if p == n and n > 300:
        return by_chirp(x, sign)
    if p == n:
        k = np.arange(n)
        return (x[..., :, None] * roots(np.outer(k, k), n, sign)).sum(-2)
    m = n // p
    parts = transform(np.moveaxis(x.reshape(x.shape[:-1] + (m, p)), -1, -2), sign)
    parts = parts * roots(np.outer(np.arange(p), np.arange(m)), n, sign)
    out = np.zeros(x.shape[:-1] + (p, m), np.clongdouble)
    for q in range(p):
        factor = roots(np.arange(p) * q, p, sign)
        out[..., q, :] = (parts * factor[:, None]).sum(-2)
    return out.reshape(x.shape)


def resized(x, n):
    """The last axis cut, or filled up with zeros."""
    out = np.zeros(x.shape[:-1] + (n,), x.dtype)
    k = min(n, x.shape[-1])
    out[..., :k] = x[..., :k]
    return out


def along(x, axis, n, form, sign):
    x = np.moveaxis(x, axis, -1)
    if form == 'c2r':
        n = n or 2 * (x.shape[-1] - 1)
        half = resized(x, n // 2 + 1)
        if sign < 0:
            half = half.conj()
        half[..., 0] = half[..., 0].real
        if n % 2 == 0:
            half[..., n // 2] = half[..., n // 2].real
        tail = half[..., 1:(n + 1) // 2][..., ::-1].conj()
        out = transform(np.concatenate([half, tail], -1), 1).real
    else:
        n = n or x.shape[-1]
        out = transform(resized(x, n), sign)
        if form == 'r2c':
            out = out[..., :n // 2 + 1]
    return np.moveaxis(out, -1, axis), n


FORMS = {'fft': ('c2c', -1), 'ifft': ('c2c', 1), 'rfft': ('r2c', -1), 'irfft': ('c2r', 1),
         'hfft': ('c2r', -1), 'ihfft': ('r2c', 1)}


def compute(name, lengths, axes, norm, x):
    form, sign = FORMS[name.rstrip('2n')]
    lengths = lengths or [None] * len(axes)
    total = 1
    steps = list(zip(axes, lengths, ['c2c'] * (len(axes) - 1) + [form]))
    if form != 'c2r':
        steps.reverse()
    for axis, n, kind in steps:
        x, n = along(x, axis, n, kind, sign)
        total *= n
    scale = {'ortho': 1 / np.sqrt(np.longdouble(total)), 'forward': 1, 'backward': 1}[norm]
    if norm != 'ortho' and (norm == 'forward') == (sign < 0):
        scale = 1 / np.longdouble(total)
    return x * scale


def numbers(text):
    return [] if text == '-' else [int(n) for n in text.split(',')]


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        name, lengths, axes, norm, dtype, shape, data = line.rstrip('\n').split('\t')
        a = np.frombuffer(bytes.fromhex(data.strip('-')), NAMES[dtype])
        a = a.reshape([int(n) for n in shape.split('x')]).astype(np.clongdouble)
        out = compute(name, numbers(lengths), numbers(axes), norm, a)
        out = out.astype('c16' if np.iscomplexobj(out) else 'f8')
        print('x'.join(map(str, out.shape)), out.tobytes().hex() or '-', sep='\t', file=answers)
