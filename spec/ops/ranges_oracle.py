"""Ranges by decimal fractions and Python's integers: ranges_oracle.py KIND SEED COUNT. A line a
case: arguments of the call as Lua source, then what the array is to be."""
import random
import struct
import sys
from fractions import Fraction

BITS = {'i8': 8, 'u8': 8, 'i16': 16, 'u16': 16, 'i32': 32, 'u32': 32, 'i64': 64, 'u64': 64}
CODES = {'i8': 'b', 'u8': 'B', 'i16': 'h', 'u16': 'H', 'i32': 'i', 'u32': 'I', 'i64': 'q',
         'u64': 'Q', 'f64': 'd'}
EDGES = [0, 255, 2 ** 31, 2 ** 53, -2 ** 53, 2 ** 62, 2 ** 63 - 1, -2 ** 63, 2 ** 63, 2 ** 64 - 1]
LOW, HIGH = -2 ** 63, 2 ** 64 - 1


def source(value):
    """A 64-bit integer as Lua source: a number where that is exact, sometimes, else cdata."""
    if abs(value) <= 2 ** 53 and random.random() < 0.5:
        return str(value)
    return f'{value}ULL' if value >= 2 ** 63 else f'{value}LL'


def stored(values, dtype):
    """The bytes as hexadecimal digits, saturated."""
    if dtype != 'f64':
        signed = dtype[0] == 'i'
        low = -2 ** (BITS[dtype] - 1) if signed else 0
        high = 2 ** (BITS[dtype] - signed) - 1
        values = [min(max(v, low), high) for v in values]
    return struct.pack(f'<{len(values)}{CODES[dtype]}', *values).hex()


def any_integer():
    edge = random.choice(EDGES)
    width = random.choice([3, 300, 2 ** 20, 2 ** 40, 2 ** 64])
    return min(max(edge + random.randint(-width, width), LOW), HIGH)


def decimal_range():
    """first, last, step of few digits, as fractions, and how many there are."""
    scale = Fraction(10) ** random.choice([0, 0, 0, 0, 1, -1, 5, -5, 100, -100, 290, -290])
    unit = scale / 10 ** random.randint(0, 4)
    step = unit * random.randint(1, 10 ** random.randint(1, 4)) * random.choice([1, -1])
    first = unit * random.randint(-1, 1) * random.randint(0, 10 ** random.randint(0, 8))
    last = first + step * random.randint(-2, 200)
    if random.random() < 0.4:
        last += unit * random.randint(-20, 20)
    if abs(first / step) > 10 ** 8:
        return decimal_range()
    return first, last, step, max(0, (last - first) // step + 1)


def decimals():
    first, last, step, count = decimal_range()
    print(f'{float(first)!r}, {float(last)!r}, {float(step)!r};{count}')


def integers():
    dtype = random.choice(list(CODES))
    first, count = any_integer(), random.randint(1, 400)
    step = random.choice([1, -1, 3, -7, random.randint(1, 2 ** 40), 2 ** 56 + 1, -2 ** 56 - 1,
                          (any_integer() - first) // count or 1])
    if not LOW <= step <= HIGH:
        step = 1
    values = [v for v in (first + i * step for i in range(count)) if LOW <= v <= HIGH]
    part = step // 2 if step > 0 else -(-step // 2)  # of a step, which adds no element
    last = min(max(values[-1] + random.randint(0, 1) * part, LOW), HIGH)
    bounds = ', '.join(source(v) for v in (first, last, step))
    values = [float(v) for v in values] if dtype == 'f64' else values
    print(f'{bounds}, "{dtype}";{stored(values, dtype)}')


def spaced_integers():
    dtype = random.choice(list(BITS))
    first, last, count = any_integer(), any_integer(), random.randint(1, 200)
    if random.random() < 0.3:
        last = min(max(first + random.randint(-300, 300), LOW), HIGH)
    ways = [Fraction(last - first) * i / max(1, count - 1) for i in range(count)]
    values = [round(first + way) for way in ways]
    print(f'{source(first)}, {source(last)}, {count}, "{dtype}";{stored(values, dtype)}')


def spaced():
    """Beside both ends and the count: the exact numbers, as doubles nearest to them."""
    scale = 10.0 ** random.choice([0, 0, 3, -3, 100, -100, -322, 308])
    first, last = (random.uniform(-1.7, 1.7) * scale * random.choice([1, 1, 0]) for _ in range(2))
    count = random.randint(2, 100)
    ways = [(Fraction(last) - Fraction(first)) * i / (count - 1) for i in range(count)]
    whole = [float(Fraction(first) + way) for way in ways]
    print(f'{first!r}, {last!r}, {count};{stored(whole, "f64")}')


KINDS = {'decimals': decimals, 'integers': integers, 'spaced_integers': spaced_integers,
         'spaced': spaced}
random.seed(int(sys.argv[2]))
for _ in range(int(sys.argv[3])):
    KINDS[sys.argv[1]]()
