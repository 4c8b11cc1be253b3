"""rows.lua for NumPy: python3 spec/docs/rows.py FILE FOLDER NAME..."""
import os
import sys
import warnings

import numpy as np

warnings.simplefilter("error", DeprecationWarning)
path, folder, *names = sys.argv[1:]


def show_dtype(dtype):
    return "bool" if dtype.kind == "b" else "%s%d" % (dtype.kind, 8 * dtype.itemsize)


def show(value):
    if isinstance(value, np.ndarray):
        return "%s %s %s" % (show_dtype(value.dtype), show(value.shape), show(value.tolist()))
    if isinstance(value, np.dtype):
        return show_dtype(value)
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join(show(x) for x in value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (complex, np.complexfloating)):
        return "(%.17g,%.17g)" % (value.real, value.imag)
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, bytes):
        text = value.decode("latin-1")
        plain = all(c.isascii() and c.isalnum() or c in "_ ." for c in text)
        return '"%s"' % text if plain else "bytes " + value.hex()
    if value is None:
        return "nil"
    return "%.17g" % value


def evaluate(setting, mode, code):
    env = {}
    exec(setting, env)
    if mode == "state":
        exec(code, env)
        return "; ".join("%s = %s" % (name, show(env[name])) for name in names)
    value = eval(code, env)
    if not isinstance(value, np.ndarray):
        return show(value)
    arrays = [env[name] for name in names if isinstance(env[name], np.ndarray)]
    is_view = any(np.shares_memory(value, x) for x in arrays)
    return show(value) + "\t" + ("view" if is_view else "copy")


with open(path) as file:
    setting, rows = file.read().split("\n--\n")
os.chdir(folder)
for row in rows.splitlines():
    mode, code = row.split(" ", 1)
    try:
        print(evaluate(setting, mode, code))
    except Exception as e:
        print("error %s: %s" % (type(e).__name__, str(e).replace("\n", " ")))
