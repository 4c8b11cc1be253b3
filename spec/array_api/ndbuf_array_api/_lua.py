"""Lua with ndbuf in it, its dtypes, and values on the way there and back."""
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + '/../../../examples/python')
import lua_arrays  # noqa: E402

lua = lua_arrays.runtime(encoding='latin-1')  # strings hold bytes
lua.execute('package.path = %r .. package.path' % (HERE + '/../?.lua;'))
adapt = lua.require('adapt')
adapt = adapt[0] if isinstance(adapt, tuple) else adapt
call_of, method_of, field_of = adapt.call, adapt.method, adapt.field

# ---- dtypes ----


class DType:
    def __init__(self, name, own, code, kind):
        self.name, self.own, self.code, self.kind = name, own, code, kind
        self.bits = 8 * struct.calcsize(code)  # of a part

    def __repr__(self):
        return self.name


ROWS = [('bool', 'bool', '?', 'bool'), ('int8', 'i8', 'b', 'int'), ('int16', 'i16', 'h', 'int'),
        ('int32', 'i32', 'i', 'int'), ('int64', 'i64', 'q', 'int'), ('uint8', 'u8', 'B', 'uint'),
        ('uint16', 'u16', 'H', 'uint'), ('uint32', 'u32', 'I', 'uint'),
        ('uint64', 'u64', 'Q', 'uint'), ('float32', 'f32', 'f', 'float'),
        ('float64', 'f64', 'd', 'float'), ('complex64', 'c64', 'f', 'complex'),
        ('complex128', 'c128', 'd', 'complex')]
DTYPES = {row[0]: DType(*row) for row in ROWS}
BY_OWN = {d.own: d for d in DTYPES.values()}
KINDS = {'bool': ['bool'], 'signed integer': ['int'], 'unsigned integer': ['uint'],
         'integral': ['int', 'uint'], 'real floating': ['float'], 'complex floating': ['complex'],
         'numeric': ['int', 'uint', 'float', 'complex']}


def default_of(value):
    if isinstance(value, bool):
        return DTYPES['bool']
    if isinstance(value, int):
        return DTYPES['int64']
    return DTYPES['complex128' if isinstance(value, complex) else 'float64']


def pack(values, dtype):
    if dtype.kind == 'complex':
        values = [part for v in values for part in (complex(v).real, complex(v).imag)]
    elif dtype.kind != 'float':
        values = [int(v) if dtype.kind != 'bool' else bool(v) for v in values]
    return b''.join(struct.pack('=' + dtype.code, v) for v in values)


def scalar(value):
    """A number as Lua has it."""
    if isinstance(value, complex):
        return adapt.complex(value.real, value.imag)
    if isinstance(value, int) and abs(value) > 2**53:
        return adapt.whole(str(value))
    return value


def table(values):
    return lua.table(*values)


def axis_of(axis):
    return None if axis is None else axis + 1 if axis >= 0 else axis


def axes_of(axis):
    if axis is None:
        return None
    return table([axis_of(a) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))])
