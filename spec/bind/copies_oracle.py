"""concat, stack, tile, repeat, roll, pad and byteswap by NumPy: copies_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, dtype, axis or "-", numbers, then one or more
arrays as shape/order ("2x3/2,1": element k, row-major, of a 2x3 array is k % 8; then permuted).
An answer is shape and bytes.
"""
import sys
import numpy as np

NAMES = {'bool': 'b1', 'i8': 'i1', 'u8': 'u1', 'i16': 'i2', 'u16': 'u2', 'i32': 'i4', 'u32': 'u4',
         'i64': 'i8', 'u64': 'u8', 'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8',
         'c128': 'c16'}


def numbers(text, between):
    return [] if text == '-' else [int(n) for n in text.split(between)]


def array(text, dtype):
    shape, order = text.split('/')
    shape = numbers(shape, 'x')
    a = (np.arange(int(np.prod(shape, dtype=int))) % 8).reshape(shape).astype(NAMES[dtype])
    return a.transpose([i - 1 for i in numbers(order, ',')])


def evaluate(op, dtype, axis, values, *arrays):
    parts = [array(a, dtype) for a in arrays]
    a = parts[0]
    values = numbers(values, ',')
    axis = None if axis == '-' else int(axis) - (1 if int(axis) > 0 else 0)
    if op == 'concat':
        return np.concatenate(parts, axis)
    if op == 'stack':
        return np.stack(parts, axis)
    if op == 'tile':
        return np.tile(a, values)
    if op == 'repeat':
        return np.repeat(a, values[0], axis)
    if op == 'roll':
        return np.roll(a, values[0], axis)
    if op == 'pad':
        pairs = list(zip(values[1::2], values[2::2]))
        return np.pad(a, pairs, constant_values=values[0]) if pairs else a
    assert op == 'byteswap'
    return a.byteswap()


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        out = evaluate(*line.rstrip('\n').split('\t'))
        print('x'.join(map(str, out.shape)) or '-', out.tobytes().hex() or '-', sep='\t',
              file=answers)
