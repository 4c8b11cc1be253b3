"""Checks functions of complex numbers: complex_oracle.py CASES

Each line of CASES is a call and what it gave, fields between tabs: operation, dtype, then in hex
the elements of the result and of each operand. Prints the largest distances from NumPy's complex
long double, in units in the last place of the larger part, or of each, or what is wrong: a distance
beyond LIMITS, a zero of the other sign, or an infinity or NaN in another place than NumPy, that is
the C library, has it.
"""
import sys
import numpy as np

np.seterr(all='ignore')
LIMITS = {'tan': 5, 'tanh': 5}
OWN = {'log', 'log2', 'log10'}  # whose parts have a precision each


def join(re, im):
    out = np.empty(re.shape, np.clongdouble)
    out.real, out.imag = re, im
    return out


def expm1(z):
    x, y = z.real, z.imag
    re = np.expm1(x) * np.cos(y) - 2 * np.sin(y / 2) ** 2
    return join(np.where(np.isfinite(re), re, np.exp(z).real - 1), np.exp(z).imag)


def log1p(z):
    """Where squares would vanish beside x, or be infinite, they are nothing."""
    x, y = z.real, z.imag
    square = 2 * x + (x * x + y * y)
    near = np.log1p(square) / 2
    far = np.log(np.hypot(1 + x, y))
    near = np.where((square == 0) & (np.abs(x) < 0.5), x, near)
    return join(np.where(np.abs(square) < 0.5, near, far), np.arctan2(y, 1 + x))


def sign(z):
    """As NumPy 2: of one infinite part its sign; earlier ones have the real part's."""
    far, high = np.isinf(z.real), np.isinf(z.imag)
    unit = join(np.where(far, np.sign(z.real), 0), np.where(high, np.sign(z.imag), 0))
    size = np.where(z == 0, 1, np.abs(z))
    return np.where(z == 0, 0, np.where(far != high, unit, join(z.real / size, z.imag / size)))


EXACT = {'expm1': expm1, 'log1p': log1p, 'sign': sign, 'pow': np.power, 'asin': np.arcsin,
         'acos': np.arccos, 'atan': np.arctan, 'asinh': np.arcsinh, 'acosh': np.arccosh,
         'atanh': np.arctanh,
         **{name: getattr(np, name) for name in
            'sqrt exp log log2 log10 sin cos tan sinh cosh tanh'.split()}}


def units(got, exact, size, dtype):
    """The distance of two parts, in units in the last place of 'size', of the finite ones."""
    man, low, top = (24, -149, 2.0 ** 128) if dtype == 'c64' else (53, -1074, np.inf)
    finite = np.isfinite(size) & (size < top) & (size < 1.7e308)
    _, exponent = np.frexp(np.where(finite & (size > 0), size, 1))
    unit = np.ldexp(np.longdouble(1), np.maximum(exponent - man, low))
    return np.where(finite, np.abs(got.astype(np.longdouble) - exact) / unit, 0)


def distance(op, got, exact, dtype):
    """The larger distance of both parts, in units of the larger part, or in OWN of each."""
    x, y = np.abs(exact.real), np.abs(exact.imag)
    size = (x, y) if op in OWN else [np.maximum(x, y)] * 2
    return np.maximum(units(got.real, exact.real, size[0], dtype),
                      units(got.imag, exact.imag, size[1], dtype))


def same_kind(got, exact, other):
    """Both NaN; or infinite, with one sign, which is free beside a NaN; or neither."""
    return ((np.isnan(got) & np.isnan(exact)) | (np.isinf(exact) & (got == exact))
            | (np.isinf(got) & np.isinf(exact) & np.isnan(other))
            | (np.isfinite(got) & np.isfinite(exact)))


def other_zero(got, exact, operands):
    """A zero of the other sign, where all operands are finite."""
    finite = np.all([np.isfinite(z) for z in operands], axis=0)
    return finite & (got == 0) & (exact == 0) & (np.signbit(got) != np.signbit(exact))


def power_limits(z, w):
    """An error of the logarithm is multiplied, as one of a factor is; is the power by products?"""
    whole = (w.imag == 0) & (w.real == np.rint(w.real)) & (np.abs(w.real) < 100) & (z != 0)
    by = 1 + np.abs(w) * np.where(whole, 1, np.maximum(1, np.abs(np.log(z))))
    # beside an infinite part, one is lost that comes of a factor's part of 2^-1000 of the other
    x, y = np.abs(z.real), np.abs(z.imag)
    even = (x == 0) | (y == 0) | (np.minimum(x, y) > 1e-280 * np.maximum(x, y))
    return np.where(np.isfinite(by), by, 1), whole & even & np.isfinite(z)


def same_range(got, exact, dtype):
    """Infinite where the exact part, of which a long double knows, is beyond the largest?"""
    top = 2.0 ** 128 if dtype == 'c64' else np.ldexp(np.longdouble(1), 1024)
    size = np.abs(exact)
    far = (size > top * 1.01) & (got != np.sign(exact) * np.inf)
    return ~np.isfinite(exact) | np.where(size < top * 0.99, np.isfinite(got), ~far)


def judge(op, dtype, got, operands):
    """For each element: what it should be, how far it is from that, is that wrong?"""
    exact = EXACT[op](*[z.astype(np.clongdouble) for z in operands])
    far = distance(op, got, exact, dtype)
    wrong = np.zeros(far.shape, bool)
    if op == 'pow':
        z, w = [z.astype(np.clongdouble) for z in operands]
        by, whole = power_limits(z, w)
        far = np.where(np.isfinite(z) & (np.abs(w) < 1e300), far / by, 0)
        wrong |= whole & ~same_range(got.real, exact.real, dtype)
        wrong |= whole & ~same_range(got.imag, exact.imag, dtype)
    wrong |= ~(far <= LIMITS.get(op, 3.5))
    wanted = exact.astype(got.dtype)
    if op != 'pow':
        wrong |= ~(same_kind(got.real, wanted.real, wanted.imag)
                   & same_kind(got.imag, wanted.imag, wanted.real))
        wrong |= other_zero(got.real, exact.real, operands)
        wrong |= other_zero(got.imag, exact.imag, operands)
    return wanted, far, wrong


def main(path):
    worst = {}
    for line in open(path):
        op, dtype, *texts = line.rstrip('\n').split('\t')
        kind = 'c8' if dtype == 'c64' else 'c16'
        got, *operands = [np.frombuffer(bytes.fromhex(text), kind) for text in texts]
        wanted, far, wrong = judge(op, dtype, got, operands)
        worst[op, dtype] = max(worst.get((op, dtype), 0), float(np.nanmax(far, initial=0)))
        for i in np.flatnonzero(wrong)[:3]:
            print(op, dtype, [repr(z[i]) for z in operands], 'gave', repr(got[i]), 'not',
                  repr(wanted[i]), float(far[i]))
    print(' '.join('%s:%s:%.2f' % (*key, value) for key, value in sorted(worst.items())))


if __name__ == '__main__':
    main(sys.argv[1])
