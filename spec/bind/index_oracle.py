"""NumPy's view of index expressions: index_oracle.py CASES ANSWERS

A case is a line of fields between tabs: dtype, shape ("2x3", "-" for 0-d), expressions that follow
one another (between "|"), and what to do: "get", "set:s:VALUE" (a number), "set:v:SHAPE" (values
(3k + 1) % 8, row-major). Expressions are ndbuf's, in string form. Element k of the array is 7k % 8.

An answer is one of
  V, is it an element, shape, byte strides ("*": of no meaning), offset, element, bytes
  W, bytes of the whole array after the assignment
  E, codes of which one must be raised
"""
import sys
import numpy as np

NAMES = {'bool': 'b1', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16', 'bf16': 'u2', 'f8e4m3': 'u1', 'f8e5m2': 'u1'}
RANGE, ARGUMENT, SHAPE = 'index_out_of_range', 'invalid_argument', 'shape_mismatch'


def f8e4m3(x):
    """The bits of integers from 0 to 7: bias 7, 3 bits of mantissa."""
    table = [0]
    for i in range(1, 8):
        e = i.bit_length() - 1
        table.append((e + 7) << 3 | (i - (1 << e)) << (3 - e))
    return np.array(table, np.uint8)[x]


# dtypes that NumPy does not have: the bits of small integers
ENCODERS = {'bf16': lambda x: (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16),
            'f8e5m2': lambda x: (x.astype(np.float16).view(np.uint16) >> 8).astype(np.uint8),
            'f8e4m3': f8e4m3}


def encode(integers, dtype):
    if dtype in ENCODERS:
        return np.array(ENCODERS[dtype](integers))
    return integers.astype(NAMES[dtype])


class Refused(Exception):
    pass


def parse_shape(text):
    return () if text == '-' else tuple(int(n) for n in text.split('x'))


def integer(text):
    try:
        return int(text)
    except ValueError:
        raise Refused(ARGUMENT)


def parse(text):
    """Entries: an int, (first, last, step), '...' or '_'."""
    out = []
    for part in text.split(',') if text else ():
        part = part.replace(' ', '')
        if part in ('...', '_'):
            out.append(part)
        elif ':' in part:
            bits = part.split(':')
            if len(bits) > 3:
                raise Refused(ARGUMENT)
            bits += [''] * (3 - len(bits))
            out.append(tuple(integer(b) if b else None for b in bits))
        else:
            out.append(integer(part))
    return out


def at(i, n):
    if i == 0 or abs(i) > n:
        raise Refused(RANGE)
    return i - 1 if i > 0 else i + n


def cut(entry, n):
    """A slice of NumPy's, 0-based and half-open, for an inclusive range."""
    first, last, step = entry
    step = 1 if step is None else step
    if step == 0:
        raise Refused(ARGUMENT)
    if n == 0 and first is None and last is None:
        return slice(0, 0)
    ends = (1, n) if step > 0 else (n, 1)
    lo, hi = (end if i is None else i + n + 1 if i < 0 else i
              for i, end in zip((first, last), ends))
    if step > 0 and hi == lo - 1 and 1 <= lo <= n + 1:
        return slice(0, 0)
    if step < 0 and hi == lo + 1 and 0 <= lo <= n:
        return slice(0, 0)
    if not (1 <= lo <= n and 1 <= hi <= n):
        raise Refused(RANGE)
    if (hi - lo) * step < 0:
        raise Refused(ARGUMENT)
    if step > 0:
        return slice(lo - 1, hi, step)
    return slice(lo - 1, hi - 2 if hi >= 2 else None, step)


def index(v, text):
    """The view, and whether every axis got an integer."""
    entries = parse(text)
    used = sum(not isinstance(e, str) for e in entries)
    if used > v.ndim or entries.count('...') > 1:
        raise Refused(ARGUMENT)
    keys, axis = [], 0
    for e in entries:
        if e == '...':
            keys.append(Ellipsis)
            axis += v.ndim - used
        elif e == '_':
            keys.append(None)
        else:
            keys.append(at(e, v.shape[axis]) if isinstance(e, int) else cut(e, v.shape[axis]))
            axis += 1
    if Ellipsis not in keys:
        keys.append(Ellipsis)  # a view, even when every axis is given
    return v[tuple(keys)], used == v.ndim and all(isinstance(e, int) or e == '...' for e in entries)


def text_of(x, dtype):
    if dtype == 'bool':
        return 'true' if x else 'false'
    if np.iscomplexobj(x):
        return '%.17g,%.17g' % (x.real, x.imag)
    return '%.17g' % x


def describe(v, base, integers, is_element, dtype):
    strides = ['*' if v.size == 0 or n == 1 else str(s) for n, s in zip(v.shape, v.strides)]
    place = v.__array_interface__['data'][0] - base.__array_interface__['data'][0]
    value = text_of((integers if dtype in ENCODERS else v)[()], dtype) if is_element else '-'
    return ('V', str(int(is_element)), 'x'.join(map(str, v.shape)) or '-', ' '.join(strides) or '-',
            '*' if v.size == 0 else str(place), value, v.tobytes().hex() or '-')


def evaluate(dtype, shape, chain, action):
    shape = parse_shape(shape)
    n = int(np.prod(shape, dtype=int))
    integers = (np.arange(n) * 7 % 8).reshape(shape)
    base = encode(integers, dtype)
    v, is_element = base, False
    for expression in chain.split('|'):
        v, is_element = index(v, expression)
        integers, _ = index(integers, expression)
    if action == 'get':
        return describe(v, base, integers, is_element, dtype)
    _, kind, value = action.split(':')
    if kind == 's':
        values = np.array(int(value))
    else:
        shape = parse_shape(value)
        values = ((3 * np.arange(int(np.prod(shape, dtype=int))) + 1) % 8).reshape(shape)
    try:
        while values.ndim > v.ndim and values.shape[0] == 1:
            values = values[0]
        values = np.broadcast_to(values, v.shape)
    except ValueError:
        raise Refused(SHAPE)
    v[...] = encode(values, dtype)
    return 'W', base.tobytes().hex() or '-'


if __name__ == '__main__':
    with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
        for line in cases:
            try:
                answer = evaluate(*line.rstrip('\n').split('\t'))
            except Refused as e:
                answer = ('E', str(e))
            print(*answer, sep='\t', file=answers)
