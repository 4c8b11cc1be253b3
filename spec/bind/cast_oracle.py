"""The conversion rule with exact arithmetic: cast_oracle.py OUT

Writes, for each pair of dtypes, a line of fields between tabs:
  from, to, bytes of the sources, items in mode saturate, items in mode wrap, positions (from 1)
  that mode check refuses
An item is the hexadecimal bytes of a number, or "nan"; a complex number is two. A pair that is
refused has "-" for both. Where NumPy's casts are defined, the rule is compared with them first.
"""
import struct
import sys
from fractions import Fraction
import numpy as np

INTEGERS = {'i8': (True, 8), 'u8': (False, 8), 'i16': (True, 16), 'u16': (False, 16),
            'i32': (True, 32), 'u32': (False, 32), 'i64': (True, 64), 'u64': (False, 64)}
# bits of the mantissa with the hidden one, least and largest exponent, bits in all
FLOATS = {'f16': (11, -14, 15, 16), 'bf16': (8, -126, 127, 16), 'f32': (24, -126, 127, 32),
          'f64': (53, -1022, 1023, 64), 'f8e4m3': (4, -6, 8, 8), 'f8e5m2': (3, -14, 15, 8)}
PARTS = {'c64': 'f32', 'c128': 'f64'}
DTYPES = ['bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'bf16', 'f32', 'f64',
          'c64', 'c128', 'f8e4m3', 'f8e5m2']
NUMPY = {'bool': '?', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8'}
NAN, INF = 'nan', 'inf'


class Number:
    """A real number with a sign of its own (-0), an infinity or NaN."""

    def __init__(self, magnitude, negative=False):
        self.magnitude, self.negative = magnitude, bool(negative)

    @property
    def is_finite(self):
        return self.magnitude not in (NAN, INF)

    @property
    def value(self):
        return -self.magnitude if self.negative else self.magnitude


def of(x):
    return Number(abs(Fraction(x)), x < 0)


# ---- bits to numbers ----

def decode_float(bits, dtype):
    p, low, high, total = FLOATS[dtype]
    negative = bits >> (total - 1) == 1
    bits &= (1 << (total - 1)) - 1
    exponent, mantissa = bits >> (p - 1), bits & ((1 << (p - 1)) - 1)
    if dtype == 'f8e4m3':
        if bits == 0x7f:
            return Number(NAN)
    elif exponent == (1 << (total - p)) - 1:
        return Number(NAN) if mantissa else Number(INF, negative)
    if exponent == 0:
        return Number(Fraction(mantissa) * Fraction(2) ** (low - p + 1), negative)
    whole = mantissa + (1 << (p - 1))
    return Number(Fraction(whole) * Fraction(2) ** (exponent - 1 + low - p + 1), negative)


def decode(bits, dtype):
    if dtype == 'bool':
        return of(bits)
    if dtype in INTEGERS:
        signed, n = INTEGERS[dtype]
        return of(bits - (1 << n) if signed and bits >> (n - 1) else bits)
    return decode_float(bits, dtype)


# ---- numbers to bits ----

def log2(x):
    """The largest e with 2^e <= x."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def round_even(x):
    whole = x.numerator // x.denominator
    rest = x - whole
    return whole + (rest > Fraction(1, 2) or rest == Fraction(1, 2) and whole % 2 == 1)


def encode_float(x, dtype):
    """The bits, and whether they say the number but for rounding."""
    p, low, high, total = FLOATS[dtype]
    sign = x.negative << (total - 1)
    largest = 0x7e if dtype == 'f8e4m3' else ((1 << (total - p)) - 1) << (p - 1)  # or infinity
    if x.magnitude == NAN:
        return NAN, True
    if x.magnitude == INF:
        return sign | largest, dtype != 'f8e4m3'
    if x.magnitude == 0:
        return sign, True
    exponent = max(log2(x.magnitude), low)
    whole = round_even(x.magnitude / Fraction(2) ** (exponent - p + 1))
    if whole == 1 << p:
        whole, exponent = whole >> 1, exponent + 1
    bits = ((exponent - low) << (p - 1)) + whole  # the hidden bit raises the exponent by one
    return (sign | largest, False) if bits > largest else (
        sign | bits, dtype == 'f8e4m3' or bits < largest)


def encode_integer(x, lo, hi, wraps):
    if not x.is_finite:
        if wraps or x.magnitude == NAN:
            return 0, False
        return (lo if x.negative else hi), False
    whole = int(x.value)  # toward zero
    fits = lo <= whole <= hi and whole == x.value
    if wraps:
        return whole, fits
    return min(max(whole, lo), hi), fits


def encode(x, dtype, wraps):
    """Bits and whether they fit."""
    if dtype == 'bool':
        return int(x.magnitude == NAN or x.magnitude != 0), x.is_finite and x.value in (0, 1)
    if dtype in INTEGERS:
        signed, n = INTEGERS[dtype]
        lo, hi = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if signed else (0, (1 << n) - 1)
        whole, fits = encode_integer(x, lo, hi, wraps)
        return whole % (1 << n), fits
    return encode_float(x, dtype)


# ---- what to convert ----

def part_of(dtype):
    return PARTS.get(dtype, dtype)


def width(dtype):
    dtype = part_of(dtype)
    return 1 if dtype == 'bool' else (INTEGERS.get(dtype) or FLOATS[dtype])[-1] // 8


def seeds():
    """Doubles near every limit and every tie."""
    out = [0.0, -0.0, float('nan'), float('inf'), -float('inf'), 0.1, 1 / 3, 5e-324, 1e-300, 1e300]
    for e in (0, 1, 2, 7, 8, 15, 16, 24, 31, 32, 53, 62, 63, 64, 65, 70, 127, 128):
        for d in (-1.5, -1, -0.5, 0, 0.5, 1):
            out += [2.0 ** e + d, -(2.0 ** e + d)]
        out += [np.nextafter(2.0 ** e, 0), -np.nextafter(2.0 ** e, 0)]
    ties = [65519.99, 65520, 65504, 2.0 ** -24, 2.0 ** -25, 2.0 ** -26, 1 + 2.0 ** -11,
            1 + 3 * 2.0 ** -11, 1 + 2.0 ** -8, 1 + 3 * 2.0 ** -8, 448, 464, 480, 240, 57344, 61440,
            61439.99, 2.0 ** -10,
            2.0 ** -9, 1.0625, 1.1875, 1.125, 1.375, 2.0 ** -17, 2.0 ** -16, 1 + 2.0 ** -24,
            1 + 3 * 2.0 ** -24, 3.4028235677973366e38, 3.3895313892515355e38,
            2.0 ** -149, 2.0 ** -150, 2.0 ** -133, 2.0 ** -134, 300.7, -129.2]
    for x in ties:
        for y in (x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf)):
            out += [float(y), -float(y)]
    return out


def random_bits(dtype, rng):
    n = width(dtype) * 8
    if n == 8:
        return list(range(2 if dtype == 'bool' else 256))
    return [int(b) for b in rng.integers(0, 1 << n, 60, np.uint64, endpoint=False)] if n < 64 else [
        int(b) for b in rng.integers(0, (1 << 64) - 1, 60, np.uint64, endpoint=True)]


def sources(dtype, rng):
    """Distinct bits of a real dtype."""
    out = dict.fromkeys(random_bits(dtype, rng))
    if width(dtype) > 1:
        for x in seeds():
            number = Number(NAN) if x != x else Number(INF, x < 0) if abs(x) == np.inf else Number(
                abs(Fraction(x)), np.signbit(x))
            bits, _ = encode(number, dtype, False)
            if bits != NAN:
                out[bits] = None
    if dtype in FLOATS and width(dtype) > 1:
        p, _, _, total = FLOATS[dtype]
        out[(1 << (total - 1)) - (1 << (p - 2))] = None  # a NaN
    return list(out)


def compare_with_numpy(bits, src, dst):
    """The rule agrees with NumPy wherever a cast is defined and rounds once."""
    if src not in NUMPY or dst not in NUMPY:
        return
    raw = np.array(bits, np.uint64).astype('u%d' % width(src)).view(NUMPY[src])
    with np.errstate(all='ignore'):
        got = raw.astype(NUMPY[dst]).view('u%d' % width(dst))
    for b, g in zip(bits, got):
        x = decode(b, src)
        mine, fits = encode(x, dst, False)
        if not x.is_finite and (dst in INTEGERS or x.magnitude == NAN):
            continue
        if dst in INTEGERS and not encode(of(int(x.value)), dst, False)[1]:
            continue
        if dst == 'f16' and src in INTEGERS and x.magnitude > 1 << 24:
            continue  # NumPy goes by f32
        assert mine == int(g), (src, dst, hex(b), mine, g)


def convert(bits, src, dst, wraps):
    """Items and positions refused; 'bits' are of the parts of 'src'."""
    items, refused, step = [], [], 2 if src in PARTS else 1
    for at in range(0, len(bits), step):
        pairs = [encode(decode(b, part_of(src)), part_of(dst), wraps) for b in bits[at:at + step]]
        if dst in PARTS and src not in PARTS:
            pairs.append((0, True))
        if not all(fits for _, fits in pairs):
            refused.append(at // step + 1)
        size = width(dst)
        items += [NAN if b == NAN else b.to_bytes(size, 'little').hex() for b, _ in pairs]
    return items, refused


def main():
    rng = np.random.default_rng(5)
    with open(sys.argv[1], 'w') as out:
        for src in DTYPES:
            bits = sources(part_of(src), rng)
            bits += bits[:1] if len(bits) % 2 and src in PARTS else []
            raw = b''.join(b.to_bytes(width(src), 'little') for b in bits).hex()
            for dst in DTYPES:
                if src in PARTS and dst not in PARTS:
                    print(src, dst, raw, '-', '-', '', sep='\t', file=out)
                    continue
                compare_with_numpy(bits, src, dst)
                items, refused = convert(bits, src, dst, False)
                wrapped, _ = convert(bits, src, dst, True) if dst in INTEGERS else (items, None)
                print(src, dst, raw, ' '.join(items), ' '.join(wrapped),
                      ' '.join(map(str, refused)), sep='\t', file=out)


main()
