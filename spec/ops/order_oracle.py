"""Order statistics by NumPy: order_oracle.py CASES ANSWERS

A case is a line of fields between tabs: operation, dtype, shape ("2x3", "-" for 0-d), raw bytes of
the elements in row-major order (hex), axes (from 1, "1,2", or "-" for all), and what the operation
needs, between commas. Answers are fields of raw elements in hex:

argpartition (places from 1): positions along the axis, from 1, i64
topk (k, largest 0 or 1, sorted 0 or 1): the same
median, nanmedian: f64; quantile, nanquantile (method, then quantiles): f64, of each quantile
mode: the position of the value among all elements, and how many there are: i64
"""
import sys
import warnings
import numpy as np
from reduce_oracle import decode
from sort_oracle import descending_keys

warnings.simplefilter('ignore')


def lines_of(a, axes):
    """The elements as (lines, elements of each)."""
    kept = [i for i in range(a.ndim) if i not in axes]
    moved = a.transpose(kept + list(axes))
    n = int(np.prod([a.shape[i] for i in axes], dtype=int))
    count = int(np.prod([a.shape[i] for i in kept], dtype=int))
    return moved.reshape(count, n)


def is_nan(x):
    return x != x


def is_same(x, y):
    return x == y or (is_nan(x) and is_nan(y))


def ranks_of(line):
    """For each element the number of different ones before it; complex NaNs by their parts."""
    parts = [line.real, line.imag] if line.dtype.kind == 'c' else [line]
    order = np.argsort(line, kind='stable')
    ranks = np.empty(len(line), int)
    rank = -1
    for k, at in enumerate(order):
        last = order[k - 1]
        if k == 0 or not all(is_same(p[at], p[last]) for p in parts):
            rank += 1
        # where one part is NaN, the sign of the other one's zero does not matter either
        ranks[at] = rank
    return ranks


def argpartition(line, places):
    n = len(line)
    ranks = ranks_of(line)
    ordered = np.sort(ranks)
    values = np.unique([ordered[k - 1 if k > 0 else n + k] for k in places])
    classes = 2 * np.searchsorted(values, ranks) + np.isin(ranks, values)
    return np.argsort(classes, kind='stable') + 1


def topk(line, k, is_largest, is_sorted):
    keys = descending_keys(line) if is_largest else line
    taken = np.argsort(keys, kind='stable')[:k]
    return (taken if is_sorted else np.sort(taken)) + 1


def between(a, b, weight):
    if a == b or weight == 0:
        return a
    if not np.isfinite(b - a):
        return a * (1 - weight) + b * weight
    return a + (b - a) * weight if weight < 0.5 else b - (b - a) * (1 - weight)


CONTINUOUS = {'interpolated_inverted_cdf': (0, 1), 'hazen': (0.5, 0.5), 'weibull': (0, 0),
              'median_unbiased': (1 / 3.0, 1 / 3.0), 'normal_unbiased': (3 / 8.0, 3 / 8.0)}


def place_of(method, q, n):
    """Index from 0, and the weight of the element after it."""
    at = (n - 1) * q
    if method in CONTINUOUS:
        alpha, beta = CONTINUOUS[method]
        at = n * q + (alpha + q * (1 - alpha - beta)) - 1
    elif method == 'lower':
        return np.floor(at), 0
    elif method == 'higher':
        return np.ceil(at), 0
    elif method == 'nearest':
        return np.around(at), 0
    elif method == 'midpoint':
        return np.floor(at), 0 if at == np.floor(at) else 0.5
    elif method in ('inverted_cdf', 'averaged_inverted_cdf'):
        at = n * q - 1
        if at != np.floor(at):
            return np.floor(at) + 1, 0
        return at, 0.5 if method == 'averaged_inverted_cdf' else 0
    elif method == 'closest_observation':
        at = n * q - 1.5
        low = np.floor(at)
        return low if at == low and low % 2 == 1 else low + 1, 0
    return np.floor(at), at - np.floor(at)


def quantile(line, method, qs):
    """The reference, which has to agree with NumPy where that has no infinities to subtract. What
    NumPy 1 has for closest_observation is another definition than NumPy 2's, which is Hyndman and
    Fan's."""
    line = np.sort(line)
    n = len(line)
    out = []
    for q in qs:
        at, weight = place_of(method, q, n)
        if at < 0 or at >= n - 1:
            at, weight = (0 if at < 0 else n - 1), 0
        at = int(at)
        out.append(between(line[at], line[at + 1] if weight else line[at], weight))
    if np.isfinite(line).all() and np.isfinite(line[-1] - line[0]) and (
            method != 'closest_observation'):
        given = np.quantile(line, qs, method=method)
        assert (given == out).all(), (method, qs, line, given, out)
    return out


def of_numbers(line, of, count, skips_nan):
    line = line.astype('f8')
    if skips_nan:
        line = line[~np.isnan(line)]
    if len(line) == 0 or np.isnan(line).any():
        return [np.nan] * count
    return of(line)


def median(line):
    out = np.median(line)
    if np.isinf(out):  # a sum of two that is too large
        line = np.sort(line)
        return [line[(len(line) - 1) // 2] / 2 + line[len(line) // 2] / 2]
    return [out]


def mode(line):
    """The position of an element of that value, and the count; complex NaNs are one value."""
    order = np.argsort(line, kind='stable')
    best, longest, run = 0, 0, 0
    for k, at in enumerate(order):
        run = run + 1 if k > 0 and is_same(line[at], line[order[k - 1]]) else 1
        if run > longest:
            best, longest = at, run
    return best, longest


def along(a, axis, of, dtype):
    lines = lines_of(a, [axis])
    if not len(lines):
        return np.empty(0, dtype)
    out = np.array([of(line) for line in lines], dtype)
    shape = [n for i, n in enumerate(a.shape) if i != axis] + [out.shape[1]]
    return np.ascontiguousarray(np.moveaxis(out.reshape(shape), -1, axis))


def reduced(a, axes, op, args):
    lines = lines_of(a, axes)
    if op == 'mode':
        places = lines_of(np.arange(a.size).reshape(a.shape), axes)
        found = [mode(line) for line in lines]
        return [np.array([places[i][at] + 1 for i, (at, _) in enumerate(found)], 'i8'),
                np.array([count for _, count in found], 'i8')]
    if op.endswith('median'):
        out = [of_numbers(line, median, 1, op == 'nanmedian') for line in lines]
    else:
        qs = [float(q) for q in args[1:]]
        out = [of_numbers(line, lambda x: quantile(x, args[0], qs), len(qs), op == 'nanquantile')
               for line in lines]
    return [np.ascontiguousarray(np.array(out, 'f8').T)]


def answer(op, dtype, shape, raw, axes, args):
    shape = [] if shape == '-' else [int(n) for n in shape.split('x')]
    a = decode(dtype, bytes.fromhex('' if raw == '-' else raw)).reshape(shape)
    axes = range(a.ndim) if axes == '-' else [int(axis) - 1 for axis in axes.split(',')]
    args = args.split(',')
    if op == 'argpartition':
        places = [int(k) for k in args]
        return [along(a, axes[0], lambda line: argpartition(line, places), 'i8')]
    if op == 'topk':
        k, is_largest, is_sorted = (int(x) for x in args)
        return [along(a, axes[0], lambda line: topk(line, k, is_largest, is_sorted), 'i8')]
    return reduced(a, axes, op, args)


if __name__ == '__main__':
    with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
        for line in cases:
            fields = answer(*line.rstrip('\n').split('\t'))
            print('\t'.join(f.tobytes().hex() or '-' for f in fields), file=answers)
