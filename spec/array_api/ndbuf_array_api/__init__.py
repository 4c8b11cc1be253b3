"""ndbuf as an array module of Python, as far as the Array API standard asks for it, by lupa: what
'make array-api' gives to the public test suite. It is slow, and an example of nothing.

NDBUF_LAYOUT says how all arrays lie: packed, strided, unaligned, expanded, mapped (adapt.lua).
"""
import math

from ._array import VERSION as __array_api_version__  # noqa: F401
from ._array import *  # noqa: F401, F403
from ._functions import *  # noqa: F401, F403
from ._functions import __array_namespace_info__  # noqa: F401
from ._lua import DTYPES, adapt

globals().update(DTYPES)
e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None
from . import linalg  # noqa: F401, E402
if adapt.is_there('fft.fft'):
    from . import fft  # noqa: F401
