"""NumPy's view of indices with index arrays and masks: pairs_oracle.py CASES ANSWERS

A case is a line of fields between tabs: dtype, shape, what makes a view of it (for each axis "." as
it is, "r" reversed, "2" every second element, of twice as many, "e" expanded from one; then "/" and
the order of the axes from 1), entries (between ";"), and what to do: "get", "set:s:VALUE",
"set:v:SHAPE". An entry is one of ndbuf's slice strings, or "i:SHAPE:1 2 3", "m:SHAPE:0110" for an
index array or a mask. Elements and values are those of index_oracle.py.

An answer is one of
  V, shape, bytes
  W, bytes of the whole array after the assignment
  E, codes of which one must be raised
"""
import sys
import numpy as np
from index_oracle import ARGUMENT, RANGE, SHAPE, Refused, at, cut, encode, parse, parse_shape


def make_base(dtype, shape, layout):
    """The array whose bytes are compared, and the view of it that is indexed."""
    kinds, order = layout.split('/')
    own = tuple(2 * n if k == '2' else 1 if k == 'e' else n for n, k in zip(shape, kinds))
    base = encode((np.arange(int(np.prod(own, dtype=int))) * 7 % 8).reshape(own), dtype)
    steps = {'r': slice(None, None, -1), '2': slice(None, None, 2)}
    v = base[tuple(steps.get(k, slice(None)) for k in kinds)]
    if 'e' in kinds:
        v = np.broadcast_to(v, shape)
    return base, v.transpose([int(i) - 1 for i in order.split()])


def read(text):
    """An entry: what index_oracle.parse gives, or an array."""
    if text[:2] not in ('i:', 'm:'):
        return parse(text)[0]
    kind, shape, values = text.split(':')
    values = list(values) if kind == 'm' else values.split()
    flat = np.array([int(x) for x in values], dtype=bool if kind == 'm' else np.int64)
    return flat.reshape(parse_shape(shape))


def axes_of(entry):
    if isinstance(entry, str):
        return 0
    return entry.ndim if isinstance(entry, np.ndarray) and entry.dtype == bool else 1


def key_of(entry, lens, faults):
    """NumPy's key for an entry and the extents of its axes; what is wrong goes to 'faults'."""
    try:
        if isinstance(entry, str):
            return Ellipsis if entry == '...' else None
        if isinstance(entry, int):
            return at(entry, lens[0])
        if isinstance(entry, tuple):
            return cut(entry, lens[0])
        if entry.dtype == bool:
            if any(n not in (0, m) for n, m in zip(entry.shape, lens)):
                raise Refused(SHAPE)
            return entry
        if np.any((entry == 0) | (abs(entry) > lens[0])):
            raise Refused(RANGE)
        return np.where(entry > 0, entry - 1, entry)
    except Refused as e:
        faults.add(str(e))


def keys_of(v, entries, faults):
    used = sum(axes_of(e) for e in entries)
    if used > v.ndim or entries.count('...') > 1:
        raise Refused(ARGUMENT)
    keys, axis = [], 0
    for e in entries:
        n = v.ndim - used if isinstance(e, str) and e == '...' else axes_of(e)
        keys.append(key_of(e, v.shape[axis:axis + n], faults))
        axis += n
    return tuple(keys)


def pick(v, entries):
    faults = set()
    keys = keys_of(v, entries, faults)
    shapes = []
    for e in entries:
        if isinstance(e, np.ndarray):
            shapes.append((np.count_nonzero(e),) if e.dtype == bool else e.shape)
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        faults.add(SHAPE)
    if faults:
        raise Refused(' '.join(sorted(faults)))
    return keys, v[keys]


def evaluate(dtype, shape, layout, entries, action):
    base, v = make_base(dtype, parse_shape(shape), layout)
    keys, picked = pick(v, [read(e) for e in entries.split(';')])
    if action == 'get':
        return 'V', 'x'.join(map(str, picked.shape)) or '-', picked.tobytes().hex() or '-'
    _, kind, value = action.split(':')
    shape = () if kind == 's' else parse_shape(value)
    values = (3 * np.arange(int(np.prod(shape, dtype=int))) + 1) % 8
    values = np.array(int(value)) if kind == 's' else values.reshape(shape)
    while values.ndim > picked.ndim and values.shape[0] == 1:
        values = values[0]
    try:
        np.broadcast_to(values, picked.shape)
    except ValueError:
        raise Refused(SHAPE)
    v[keys] = encode(values, dtype)
    return 'W', base.tobytes().hex() or '-'


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        try:
            answer = evaluate(*line.rstrip('\n').split('\t'))
        except Refused as e:
            answer = ('E', str(e))
        print(*answer, sep='\t', file=answers)
