"""Checks elementwise results against NumPy: elementwise_oracle.py CASES

Each line of CASES is a call and what it gave, fields between tabs:
  operation, dtype and shape and hexadecimal bytes of the result (or the code of the error, "", "")
  and for each operand: "a" or "s" (a value: it does not count for the dtype), dtype, shape, bytes
Prints "N right" or the lines that are wrong. Mathematical functions are measured in units of the
last place from NumPy's long double, comparisons made by Python, whose integers and floats are exact
beside one another; everything else has to be the same bits.
"""
from fractions import Fraction
import ctypes
import operator
import sys
import numpy as np
import complex_oracle

np.seterr(all='ignore')

NUMPY = {'bool': '?', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16'}
OF_NUMPY = {np.dtype(v): k for k, v in NUMPY.items()}
INTEGERS = ('i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64')
OURS = {'bf16': 2, 'f8e4m3': 1, 'f8e5m2': 1}  # not NumPy's: bytes
SMALL = ('f16', 'bf16', 'f8e4m3', 'f8e5m2')
FLOATS = SMALL + ('f32', 'f64')
COMPLEX = ('c64', 'c128')
PARTS = {'c64': 'f32', 'c128': 'f64'}

# bits of the mantissa, bias, largest finite code, code of overflow
FORMATS = {'f16': (10, 15, 0x7bff, 0x7c00), 'bf16': (7, 127, 0x7f7f, 0x7f80),
           'f8e4m3': (3, 7, 0x7e, 0x7e), 'f8e5m2': (2, 15, 0x7b, 0x7c)}


# ---- the small floats ----

def magnitudes(dtype):
    """The values of the finite codes without a sign, in f64, where all of them are exact."""
    man, bias, top, _ = FORMATS[dtype]
    codes = np.arange(top + 1)
    field, rest = codes >> man, codes & ((1 << man) - 1)
    normal = (1 + rest / 2.0 ** man) * 2.0 ** (field.astype('f8') - bias)
    return np.where(field == 0, rest / 2.0 ** man * 2.0 ** (1 - bias), normal)


VALUES = {dtype: magnitudes(dtype) for dtype in SMALL}


def decode(codes, dtype):
    man, bias, top, over = FORMATS[dtype]
    sign = 1 << (15 if dtype in ('f16', 'bf16') else 7)
    magnitude = codes & (sign - 1)
    value = VALUES[dtype][np.minimum(magnitude, top)]
    value = np.where(magnitude > top, np.where((magnitude == over) & (over > top), np.inf, np.nan),
                     value)
    return np.where(codes & sign, -value, value).astype('f4')


def encode(values, dtype):
    """Round to nearest even, once; NaN becomes -1."""
    man, bias, top, over = FORMATS[dtype]
    sign = 1 << (15 if dtype in ('f16', 'bf16') else 7)
    table = VALUES[dtype]
    x = np.abs(values.astype('f8'))
    above = np.searchsorted(table, x).clip(0, top)
    below = np.where(table[above] > x, above - 1, above).clip(0, top)
    gap = table[top] - table[top - 1]
    upper = np.where(below == top, table[top] + gap, table[np.minimum(below + 1, top)])
    middle = (table[below] + upper) / 2
    up = (x > middle) | ((x == middle) & (below & 1 == 1))
    code = below + up
    code = np.where(code > top, over, code)
    code = np.where(np.isnan(values), -1, code | np.where(np.signbit(values), sign, 0))
    return code


def shape_of(text):
    return tuple(int(n) for n in text.split(',') if n)


def read(dtype, shape, text):
    raw = bytes.fromhex(text.strip('-'))
    if dtype in SMALL:
        kind = 'u2' if dtype in ('f16', 'bf16') else 'u1'
        return decode(np.frombuffer(raw, kind).reshape(shape).astype('i8'), dtype)
    return np.frombuffer(raw, NUMPY[dtype]).reshape(shape)


# ---- what is computed in ----

def promote(a, b):
    if a == b or b == 'bool':
        return a
    if a == 'bool':
        return b
    if {a, b} == {'i64', 'u64'}:
        return None
    for x, y in ((a, b), (b, a)):
        if x in INTEGERS[6:] and y in ('f32', 'bf16', 'f8e4m3', 'f8e5m2', 'c64'):
            return 'c128' if y == 'c64' else None
    for x, y in ((a, b), (b, a)):
        if x in ('i8', 'u8') and y == 'bf16':  # has their 8 bits
            return 'bf16'
    if a in OURS or b in OURS:
        x, y = [('f16' if v in OURS else v) for v in (a, b)]
        if x == y == 'f16':
            return 'f32'
        both = OF_NUMPY[np.promote_types(NUMPY[x], NUMPY[y])]
        return 'f32' if both == 'f16' else both
    return OF_NUMPY[np.promote_types(NUMPY[a], NUMPY[b])]


# ---- values ----

def limits(dtype):
    if dtype == 'bool':
        return 0, 1
    info = np.iinfo(NUMPY[dtype])
    return int(info.min), int(info.max)


def is_bound(op, place, is_upper):
    if op == 'clamp':
        return place == (2 if is_upper else 1)
    return op == ('minimum' if is_upper else 'maximum')


def value_as(op, place, own, x, dtype):
    """The value as what is computed in; None where that does not hold it, nor is it a bound that
    never binds."""
    number = x.item()
    if dtype in COMPLEX:
        return x.astype(NUMPY[dtype])
    if own in COMPLEX:
        return None
    if dtype in SMALL:
        near = decode(np.maximum(encode(x, dtype), 0), dtype)
        return np.where(np.isnan(x), np.float32(np.nan), near)
    if dtype in FLOATS:
        return x.astype(NUMPY[dtype])
    least, most = limits(dtype)
    if number != number:
        return None
    if number < least and is_bound(op, place, False):
        number = least
    if number > most and is_bound(op, place, True):
        number = most
    if not least <= number <= most or number != int(number):
        return None
    return np.array(int(number)).astype(NUMPY[dtype]) if number < 2**63 else np.array(
        int(number), 'u8')


BITS = ('bit_and', 'bit_or', 'bit_xor', 'bit_not')
LOGIC = ('logical_and', 'logical_or', 'logical_xor', 'logical_not')
EXACT_FLOATS = ('copysign', 'fma')  # in f64 for integers, like MATH
ARCS = {'asin': np.arcsin, 'acos': np.arccos, 'atan': np.arctan, 'atan2': np.arctan2,
        'asinh': np.arcsinh, 'acosh': np.arccosh, 'atanh': np.arctanh}


def by_c(name):
    """A function of the C library, of doubles: right to some units."""
    of = getattr(ctypes.CDLL('libm.so.6'), name)
    of.argtypes, of.restype = [ctypes.c_double], ctypes.c_double
    return lambda a: np.vectorize(of, otypes=[float])(a.astype(float)).astype(a.dtype)


BY_C = {name: by_c(name) for name in ('erf', 'erfc', 'lgamma')}
MATH = ('hypot', 'sqrt', 'cbrt', 'exp', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sin', 'cos',
        'tan', 'sinh', 'cosh', 'tanh', 'logaddexp') + tuple(ARCS) + tuple(BY_C)
COMPARISONS = ('lt', 'le', 'gt', 'ge', 'eq', 'ne')  # of numbers, whatever their dtypes
KINDS = ('isnan', 'isinf', 'isfinite', 'signbit')
WHOLE = ('floor', 'ceil', 'round', 'trunc')


def is_defined(op, dtype):
    if op == 'signbit':
        return dtype not in COMPLEX
    if op in LOGIC + KINDS + ('add', 'mul', 'eq', 'ne', 'where', 'div', 'reciprocal'):
        return True
    if op in ('sub', 'neg', 'square', 'abs', 'conj', 'sign', 'pow', 'round'):
        return dtype != 'bool'
    if op in BITS:
        return dtype == 'bool' or dtype in INTEGERS
    if op in ('shl', 'shr'):
        return dtype in INTEGERS
    if op in complex_oracle.EXACT:
        return True
    if op in ('lt', 'le', 'gt', 'ge', 'minimum', 'maximum', 'clamp') + MATH + EXACT_FLOATS:
        return dtype not in COMPLEX
    return dtype != 'bool' and dtype not in COMPLEX


def compute_dtype(op, operands):
    """None: the call is refused."""
    if op in LOGIC:
        return 'bool'
    dtypes = [d for kind, d, _ in (operands[1:] if op == 'where' else operands) if kind == 'a']
    if not dtypes:
        dtypes = [d for _, d, _ in operands[1:]]
    dtype = dtypes[0]
    for other in dtypes[1:]:
        dtype = promote(dtype, other)
        if dtype is None:
            return None
    if not is_defined(op, dtype):
        return None
    if op in MATH + EXACT_FLOATS + ('div', 'reciprocal') and dtype not in FLOATS + COMPLEX:
        return 'f64'
    return dtype


# ---- the operations ----

def join(re, im):
    re, im = np.broadcast_arrays(re, im)
    out = np.empty(re.shape, np.result_type(re.dtype, 'c8'))
    out.real, out.imag = re, im
    return out


def complex_mul(a, b):
    return join(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def complex_div(a, b):
    ar, ai, br, bi = a.real, a.imag, b.real, b.imag
    one = ar.dtype.type(1)
    r1 = bi / br
    s1 = one / (br + bi * r1)
    r2 = br / bi
    s2 = one / (bi + br * r2)
    first = np.abs(br) >= np.abs(bi)
    re = np.where(first, (ar + ai * r1) * s1, (ar * r2 + ai) * s2)
    im = np.where(first, (ai - ar * r1) * s1, (ai * r2 - ar) * s2)
    zero = (br == 0) & (bi == 0)
    return join(np.where(zero, ar / np.abs(br), re), np.where(zero, ai / np.abs(br), im))


def complex_reciprocal(a):
    re, im = a.real, a.imag
    one = re.dtype.type(1)
    r1 = im / re
    s1 = re + im * r1
    r2 = re / im
    s2 = re * r2 + im
    first = np.abs(im) <= np.abs(re)
    return join(np.where(first, one / s1, r2 / s2), np.where(first, -r1 / s1, -one / s2))


def power(a, b):
    """Integers modulo 2^n, in Python's."""
    bits = 8 * a.itemsize
    mask = (1 << bits) - 1
    flat = [pow(int(x) & mask, int(y), 1 << bits) for x, y in zip(a.ravel(), b.ravel())]
    return np.array(flat, 'u8').astype(a.dtype.str.replace('i', 'u')).view(a.dtype).reshape(a.shape)


def shift(op, a, b):
    """Exact, in Python's integers."""
    bits = 8 * a.itemsize
    mask = (1 << bits) - 1
    flat = [(int(x) << min(int(y), 64) if op == 'shl' else int(x) >> min(int(y), 64)) & mask
            for x, y in zip(a.ravel(), b.ravel())]
    return np.array(flat, 'u8').astype(a.dtype.str.replace('i', 'u')).view(a.dtype).reshape(a.shape)


def floor_divide(op, a, b):
    """Exact, in Python's integers, which floor."""
    bits = 8 * a.itemsize
    mask = (1 << bits) - 1
    def truncated(x, y):
        return abs(x) % abs(y) * (-1 if x < 0 else 1)
    compute = {'idiv': operator.floordiv, 'mod': operator.mod, 'fmod': truncated}[op]
    flat = [compute(int(x), int(y)) & mask
            for x, y in zip(a.ravel(), b.ravel())]
    return np.array(flat, 'u8').astype(a.dtype.str.replace('i', 'u')).view(a.dtype).reshape(a.shape)


def nearest(exact, kind):
    """The float of 'kind' that is nearest to a fraction, to an even one of two."""
    try:
        near = np.float64(float(exact)).astype(kind)
    except OverflowError:
        return np.inf if exact > 0 else -np.inf
    if not np.isfinite(near):
        return near
    around = [x for x in (near, np.nextafter(near, kind(np.inf)), np.nextafter(near, -kind(np.inf)))
              if np.isfinite(x)]
    bits = {4: 'u4', 8: 'u8'}[near.itemsize]
    return min(around, key=lambda x: (abs(Fraction(float(x)) - exact), int(x.view(bits)) & 1))


def fused(a, b, c):
    """a * b + c, rounded once."""
    kind, out = a.dtype.type, []
    for x, y, z in zip(a.ravel(), b.ravel(), c.ravel()):
        if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)):  # of infinities, exactly
            out.append(np.longdouble(x) * np.longdouble(y) + np.longdouble(z))
        elif x == 0 or y == 0:
            out.append(x * y + z)
        else:
            exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
            out.append(nearest(exact, kind) if exact != 0 else 0)
    return np.array(out, a.dtype).reshape(a.shape)


SIMPLE = {
    'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'div': np.true_divide,
    'idiv': np.floor_divide, 'mod': np.remainder, 'pow': np.power, 'minimum': np.minimum,
    'maximum': np.maximum, 'logical_and': np.logical_and,
    'logical_or': np.logical_or, 'logical_xor': np.logical_xor, 'logical_not': np.logical_not,
    'bit_and': np.bitwise_and, 'bit_or': np.bitwise_or, 'bit_xor': np.bitwise_xor,
    'bit_not': np.invert, 'neg': np.negative, 'abs': np.absolute, 'sign': np.sign,
    'conj': np.conjugate, 'square': np.square, 'reciprocal': np.reciprocal, 'floor': np.floor,
    'ceil': np.ceil,
    'round': np.rint, 'trunc': np.trunc, 'isnan': np.isnan, 'isinf': np.isinf,
    'isfinite': np.isfinite, 'signbit': np.signbit, 'copysign': np.copysign,
    'fmod': np.fmod, 'where': np.where,
    **{op: getattr(np, op) for op in MATH if op not in ARCS and op not in BY_C}, **ARCS, **BY_C}
EXACT = {'abs': np.hypot}  # of parts; as C's cabs, inf with NaN is inf
SLACK = {'lgamma': 2.0 ** -55, 'logaddexp': 2.0 ** -57}  # where terms cancel
LIMIT = {'sqrt': 0.5001, 'abs': 1.5, 'hypot': 1, 'erf': 3, 'erfc': 8, 'lgamma': 8}


ORDER = {'lt': operator.lt, 'le': operator.le, 'gt': operator.gt, 'ge': operator.ge}
EQUALITY = {'eq': operator.eq, 'ne': operator.ne}


def check_comparison(op, outcome, shape, text, operands):
    has_complex = {kind: any(d in COMPLEX for k, d, _ in operands if k == kind) for kind in 'as'}
    if op in ORDER and (has_complex['a'] or has_complex['s']):
        refused = 'type_mismatch' if has_complex['a'] else 'not_representable'
        return None if outcome == refused else 'wanted ' + refused
    if outcome != 'bool':
        return 'wanted bool'
    x, y = np.broadcast_arrays(*[x for _, _, x in operands])
    if shape_of(shape) != x.shape:
        return 'wanted the shape %s' % (x.shape,)
    compare = ORDER.get(op) or EQUALITY[op]
    want = [compare(a, b) for a, b in zip(x.ravel().tolist(), y.ravel().tolist())]
    got = read('bool', x.shape, text).ravel().tolist()
    return None if got == want else 'wanted %s, got %s' % (want, got)


def expected(op, dtype, operands):
    if op == 'where':
        return np.where(operands[0] != 0, operands[1], operands[2])
    if dtype in COMPLEX:
        if op in ('mul', 'square'):
            return complex_mul(operands[0], operands[-1])
        if op == 'div':
            return complex_div(*operands)
        if op == 'reciprocal':
            return complex_reciprocal(*operands)
    if dtype in INTEGERS:
        if op == 'pow':
            return power(*operands)
        if op in ('shl', 'shr'):
            return shift(op, *operands)
        if op in ('idiv', 'mod', 'fmod'):
            return floor_divide(op, *operands)
        if op in WHOLE:
            return operands[0]
    if op == 'fma':
        return fused(*operands)
    if op == 'clamp':
        return np.minimum(np.maximum(operands[0], operands[1]), operands[2])
    return SIMPLE[op](*operands)


# ---- comparing ----

def same_bits(got, want):
    if got.dtype.kind in 'fc':
        part = got.real.dtype
        g, w = np.ascontiguousarray(got).view(part), np.ascontiguousarray(want).view(part)
        return np.all((g.view('u%d' % part.itemsize) == w.view('u%d' % part.itemsize))
                      | (np.isnan(g) & np.isnan(w)))
    return np.all(got == want)


# least magnitude that overflows, bits of the mantissa, exponent of the least
LIMITS = {'f32': (2.0 ** 128, 24, -149), 'f64': (np.ldexp(np.longdouble(1), 1024), 53, -1074),
          'f16': (65520, 11, -24), 'bf16': (2.0 ** 128, 8, -133), 'f8e4m3': (464, 4, -9),
          'f8e5m2': (61440, 3, -16)}


def distance(got, exact, dtype):
    """In units of the last place of 'dtype'; long double 'exact'."""
    top, man, low = LIMITS[dtype]
    over = np.abs(exact) >= top
    if dtype == 'f8e4m3':
        exact = np.where(np.abs(exact) > 448, np.copysign(448, exact), exact)
        over = np.zeros_like(over)
    _, exponent = np.frexp(np.where(np.isfinite(exact) & (exact != 0), exact, 1))
    unit = np.ldexp(np.longdouble(1), np.maximum(exponent - man, low))
    far = np.abs(got.astype(np.longdouble) - exact) / unit
    far = np.where(np.isfinite(exact) & ~over, far, np.inf)
    same = (np.isnan(got) & np.isnan(exact)) | ((got == exact) & ~np.isfinite(exact)) | (
        over & np.isinf(got) & (np.sign(got) == np.sign(exact)))
    return np.where(same, 0, far)


worst = {}


def check(fields):
    op, outcome, shape, text = fields[:4]
    operands = [(kind, own, read(own, shape_of(extents), raw))
                for kind, own, extents, raw in zip(*[iter(fields[4:])] * 4)]
    if op in COMPARISONS:
        return check_comparison(op, outcome, shape, text, operands)
    dtype = compute_dtype(op, operands)
    if dtype is None:
        return 'refused' if outcome != 'type_mismatch' else None
    if op not in LOGIC:
        operands = [o if o[0] == 'a' or (op == 'where' and i == 0)
                    else o[:2] + (value_as(op, i, o[1], o[2], dtype),)
                    for i, o in enumerate(operands)]
    if any(x is None for _, _, x in operands):
        return None if outcome == 'not_representable' else 'wanted not_representable'
    gives = 'bool' if op in LOGIC + KINDS else dtype
    if op == 'abs':
        gives = PARTS.get(dtype, dtype)
    if outcome != gives:
        return 'wanted ' + gives
    inside = 'f4' if dtype in SMALL else NUMPY[dtype]
    arrays = [x if op == 'where' and i == 0 else x != 0 if op in LOGIC else x.astype(inside)
              for i, (_, _, x) in enumerate(operands)]
    arrays = np.broadcast_arrays(*arrays)
    if shape_of(shape) != arrays[0].shape:
        return 'wanted the shape %s' % (arrays[0].shape,)
    if dtype in COMPLEX and op in complex_oracle.EXACT:
        got = read(gives, arrays[0].shape, text)
        wanted, far, wrong = complex_oracle.judge(op, dtype, got, arrays)
        worst[op, dtype] = max(worst.get((op, dtype), 0), float(np.nanmax(far, initial=0)))
        return '%g units from %s' % (far.max(), wanted[wrong]) if wrong.any() else None
    if op in MATH or (op == 'pow' and dtype in FLOATS) or (op == 'abs' and dtype in COMPLEX):
        got = read(gives, arrays[0].shape, text)
        if op == 'abs':
            arrays = [arrays[0].real, arrays[0].imag]
        exact = EXACT.get(op, SIMPLE[op])(*[a.astype(np.longdouble) for a in arrays])
        if op == 'pow':  # of a signalling NaN libm may give NaN where it gives 1 for others
            infinite = np.isinf(arrays[0])  # where glibc's powl is wrong: (-inf) ^ -2^63
            exact = np.where(infinite, np.power(*[a.astype('f8') for a in arrays]), exact)
            nan = np.isnan(got) & (np.isnan(arrays[0]) | np.isnan(arrays[1]))
            exact = np.where(nan, got, exact)
        far = distance(got, exact, gives)
        far = np.where(np.abs(got - exact) <= SLACK.get(op, 0), 0, far).max(initial=0)
        worst[op, dtype] = max(worst.get((op, dtype), 0), float(far))
        usual = 1.001 if gives == 'f64' else 1.5
        limit = 0.502 if dtype in SMALL else LIMIT.get(op, usual)
        return None if far <= limit else '%g units from %s' % (far, exact.ravel()[:8])
    want = expected(op, dtype, arrays)
    if gives in SMALL:
        kind = 'u2' if gives in ('f16', 'bf16') else 'u1'
        codes = np.frombuffer(bytes.fromhex(text.strip('-')), kind).reshape(want.shape).astype('i8')
        code = encode(want, gives)
        got = decode(codes, gives)
        fine = (codes == code) | ((code == -1) & np.isnan(got))
        if op in ('minimum', 'maximum', 'clamp'):
            fine |= (got == 0) & (want == 0)
        wrong = ~fine
        return 'wanted %s, got %s' % (want[wrong], got[wrong]) if np.any(wrong) else None
    got = read(gives, want.shape, text)
    want = want.astype(got.dtype)
    if op in ('minimum', 'maximum', 'clamp') and dtype in FLOATS:  # NumPy takes either zero
        want = np.where((want == 0) & (got == 0), got, want)
    return None if same_bits(got, want) else 'wanted %s, got %s' % (want.ravel(), got.ravel())


def main():
    right = wrong = 0
    for line in open(sys.argv[1]):
        fields = line.rstrip('\n').split('\t')
        why = check(fields)
        if why is None:
            right += 1
        else:
            wrong += 1
            if wrong <= 5:
                print('%s\n  %s' % (line.rstrip()[:500], why[:500]))
    print('%d right' % right if wrong == 0 else '%d wrong' % wrong)
    for (op, dtype), far in sorted(worst.items()):
        print('%s %s: %.3f' % (op, dtype, far))


main()
