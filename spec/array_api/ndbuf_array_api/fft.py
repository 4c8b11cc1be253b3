"""The extension fft."""
from ._array import wrap
from ._functions import FLOAT, _options, astype, check_device
from ._lua import axes_of, axis_of, call_of, table


def _of_line(name):
    def f(x, /, *, n=None, axis=-1, norm='backward'):
        return wrap(call_of('fft.' + name, x._own, _options(n=n, axis=axis_of(axis), norm=norm)))
    f.__name__ = f.__qualname__ = name
    return f


def _of_axes(name):
    def f(x, /, *, s=None, axes=None, norm='backward'):
        s = None if s is None else table(s)
        return wrap(call_of('fft.' + name, x._own, _options(s=s, axes=axes_of(axes), norm=norm)))
    f.__name__ = f.__qualname__ = name
    return f


fft, ifft, rfft, irfft, hfft, ihfft = map(_of_line, 'fft ifft rfft irfft hfft ihfft'.split())
fftn, ifftn, rfftn, irfftn = map(_of_axes, 'fftn ifftn rfftn irfftn'.split())


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    check_device(device)
    return astype(wrap(call_of('fft.fftfreq', n, d)), dtype or FLOAT)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    check_device(device)
    return astype(wrap(call_of('fft.rfftfreq', n, d)), dtype or FLOAT)


def fftshift(x, /, *, axes=None):
    return wrap(call_of('fft.fftshift', x._own, _options(axes=axes_of(axes))))


def ifftshift(x, /, *, axes=None):
    return wrap(call_of('fft.ifftshift', x._own, _options(axes=axes_of(axes))))
