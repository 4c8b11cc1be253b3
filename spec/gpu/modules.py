"""Lists what Python loads for the oracles of spec/bind: a line for each module, its file and where
that goes in a folder of modules. For spec/gpu/pack.sh."""
import fractions  # noqa: F401
import os
import struct  # noqa: F401
import sys
import sysconfig

import numpy.lib.stride_tricks  # noqa: F401

standard = sysconfig.get_path('stdlib')
folders = [standard] + sorted((os.path.abspath(p) for p in sys.path if p), key=len, reverse=True)
for module in list(sys.modules.values()):
    file = getattr(module, '__file__', None)
    if file and module.__name__ != '__main__':
        folder = next(f for f in folders if file.startswith(f + os.sep))
        print(file, os.path.relpath(file, folder))
