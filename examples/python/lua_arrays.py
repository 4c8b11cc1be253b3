"""Lua arrays as Python's and back, without a copy, in one process, by lupa.

    lua = lua_arrays.runtime()
    x = numpy.from_dlpack(lua_arrays.Exported(lua, lua.eval('nd.arange(1, 6)')))
    a = lua_arrays.imported(lua, x)        # an ndbuf array of the same bytes

    t = pyarrow.record_batch(lua_arrays.Exported(lua, lua.eval('{x = nd.ones(3)}')))
    for columns in lua_arrays.batches(lua, reader):
        ...                                # tables of ndbuf arrays

It works with Debian's lupa (python3-lupa) and with that of the Python package index, which both
bring a LuaJIT of their own. LUA_PATH and LUA_CPATH say where ndbuf is, as for any program.
"""
import ctypes
import importlib
import sys
import threading


def luajit():
    """lupa's module with LuaJIT in it, whose symbols ndbuf needs: they are made global."""
    for name in 'lupa.luajit21', 'lupa.luajit20', 'lupa._lupa':
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        ctypes.CDLL(module.__file__, mode=ctypes.RTLD_GLOBAL)
        return module
    raise ImportError('lupa has no LuaJIT')


def runtime(**options):
    """A Lua state with ndbuf in it, as the global nd."""
    lua = luajit().LuaRuntime(**options)
    lua.execute('nd, ffi = require "ndbuf", require "ffi"')
    lua.execute(LUA)
    return lua


# An error as its text alone, as lupa shows strings only.
LUA = '''
    local function call(f, ...)
      local results = {pcall(f, ...)}
      if not results[1] then error(tostring(results[2]), 0) end
      return unpack(results, 2, table.maxn(results))
    end
    local function address(p) return tonumber(ffi.cast("uintptr_t", ffi.cast("void *", p))) end
    local types = {cpu = 1, disk = 1, pinned = 3, cuda = 2, managed = 13}

    lua_arrays = {}
    function lua_arrays.to_dlpack(a, old, stream, copy)
      return address(call(nd.to_dlpack, a, {versioned = not old, stream = stream, copy = copy}))
    end
    function lua_arrays.from_dlpack(at, old)
      return call(nd.from_dlpack, at, {versioned = not old})
    end
    function lua_arrays.device(a)
      local kind = a.device:match "^%a+"
      return types[kind], kind == "cuda" and nd.device(a.device).ordinal or 0
    end
    function lua_arrays.to_arrow(what)
      local schema, array = call(nd.to_arrow, what)
      return schema, address(schema), array, address(array)
    end
    function lua_arrays.from_stream(at)
      local next_batch = call(nd.from_arrow_stream, at)
      return function() return call(next_batch) end
    end
    -- And a tensor, which holds the memory as an address does not; without elements, as there may
    -- be steps that it cannot have.
    function lua_arrays.interface(a, copy)
      a = copy and call(a.clone, a) or a
      local i = call(a.interface, a)
      local hold = lua_arrays.to_dlpack(a.ndim > 0 and a:narrow(1, 1, 0) or a)
      return hold, i.data, i.readonly, i.typestr, i.shape, i.strides
    end
'''

# ---- capsules ----

NAME, USED = b'dltensor_versioned', b'used_dltensor_versioned'
OLD_NAME, OLD_USED = b'dltensor', b'used_dltensor'

capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
is_named = ctypes.pythonapi.PyCapsule_IsValid
is_named.argtypes = [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]

# Where its deleter is: behind a tensor's 48 bytes and its context, or behind a version and those.
Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
DELETERS = {OLD_NAME: 56, NAME: 16}

# Pairs of a capsule of ours and what it refers to. A capsule's own destructor must not be Python
# code: it runs where an exception is under way, which that would lose.
made = []
sweeping = threading.Lock()


def give(at, name, keeps=None):
    """A capsule; what it keeps, Lua objects, goes after it."""
    it = capsule(at, name, None)
    made.append((it, keeps))
    return it


def sweep():
    """Let go of the capsules that nobody has any more, and of tensors that nobody took."""
    if not sweeping.acquire(blocking=False):
        return
    for i in reversed(range(len(made))):
        if sys.getrefcount(made[i][0]) > 2:
            continue
        it, _ = made.pop(i)
        for name, at in DELETERS.items():
            if is_named(it, name):
                tensor = pointer_of(it, name)
                Deleter(ctypes.c_void_p.from_address(tensor + at).value)(tensor)
    sweeping.release()


# ---- out ----

class Exported:
    """An array as NumPy, PyTorch, CuPy and others take it, and for pyarrow, polars and others also
    a table of arrays by name. Copies where copy is true, as it has to for steps backwards."""

    def __init__(self, lua, array, copy=False):
        self.calls, self.array, self.copy = lua.globals().lua_arrays, array, copy
        self.held = self.interface = None

    def __del__(self):
        self.held = None
        sweep()

    def __dlpack_device__(self):
        kind, ordinal = self.calls.device(self.array)
        return kind, int(ordinal)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        old = max_version is None or max_version[0] < 1
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError('the array is not on that device')
        if copy is False and self.copy:
            raise ValueError('it would be a copy')
        at = self.calls.to_dlpack(self.array, old, stream, bool(copy or self.copy) or None)
        return give(int(at), OLD_NAME if old else NAME)

    def __arrow_c_array__(self, requested_schema=None):
        schema, schema_at, array, array_at = self.calls.to_arrow(self.array)
        return (give(int(schema_at), b'arrow_schema', schema),
                give(int(array_at), b'arrow_array', array))

    @property
    def __array_interface__(self):
        if self.__dlpack_device__()[0] == 2:
            raise TypeError('the array is on %s, which NumPy cannot read' % self.array.device)
        if not self.interface:
            hold, at, readonly, kind, shape, strides = self.calls.interface(self.array, self.copy)
            self.held = give(int(hold), NAME)
            self.interface = {'data': (int(at), readonly), 'typestr': kind, 'version': 3,
                              'shape': tuple(int(n) for n in shape.values()),
                              'strides': tuple(int(n) for n in strides.values())}
        return self.interface


# ---- in ----

def imported(lua, x):
    """An array of the elements of anything that has __dlpack__: of those, not of a copy."""
    try:
        tensor = x.__dlpack__(max_version=(1, 1))
    except TypeError:  # before versions
        tensor = x.__dlpack__()
    old = bool(is_named(tensor, OLD_NAME))
    array = lua.globals().lua_arrays.from_dlpack(pointer_of(tensor, OLD_NAME if old else NAME), old)
    rename(tensor, OLD_USED if old else USED)  # it is ours now
    return array


def batches(lua, x):
    """Tables of arrays by name, of each batch of anything that has __arrow_c_stream__."""
    stream = x.__arrow_c_stream__()
    next_batch = lua.globals().lua_arrays.from_stream(pointer_of(stream, b'arrow_array_stream'))
    while True:
        batch = next_batch()
        if batch is None:
            return
        yield batch[0] if isinstance(batch, tuple) else batch
