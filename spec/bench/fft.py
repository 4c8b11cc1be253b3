# The table "Fourier transforms": ndbuf's transforms beside FFTW itself and NumPy's, and its
# convolutions beside NumPy's and SciPy's, in one run; ndbuf with FFTW and with its own kernels.
#   spec/bench/fft.py         prints the table (make bench)
#   spec/bench/fft.py smoke   small, compares results with NumPy's (make bench-smoke)
# Each row is measured in rounds, in each of which all take turns, for 0.1 seconds and once at
# least, behind a first call; every second round in reverse. A time is the median of the rounds, a
# ratio the median of the ratios. FFTW's time is that of a plan by estimate for all lines at once,
# whose result has its place already; ndbuf makes a new array in each call, which is freed, as
# NumPy's is.
import os
import sys

import numpy as np
from peer import Peer, mean_seconds, median, print_head, print_row, ratio, report, time_text

SMOKE = sys.argv[1:] == ["smoke"]
PROCESSORS = len(os.sched_getaffinity(0))
ROUNDS, SECONDS = (1, 0) if SMOKE else (9, 0.1)
LONG = 4096 if SMOKE else 1 << 20
NAMES = {"f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16", "i32": "i4"}

# function, dtype, shape, axis from 1
TRANSFORMS = [
    *(("fft", "c128", (n,), 1) for n in (256, 1024, 4096, 16384, 65536, LONG)),
    *(("rfft", "f64", (n,), 1) for n in (256, 1024, 4096, 65536, LONG)),
    *(("fft", "c64", (n,), 1) for n in (1024, 65536)),
    ("ifft", "c128", (1024,), 1), ("fft", "c128", (1009,), 1), ("fft", "c128", (10000,), 1),
    ("fft", "c128", (1000, 256), 2), ("fft", "c128", (256, 1024), 2),
    ("rfft", "f64", (500, 512), 2),
    ("fft", "c128", (1024, 256), 1), ("rfft", "f32", (512, 500), 1),
]
AXES = [("fft2", "c128", (512, 512))]
# function, dtype, elements; is it one that scipy.signal does by transforms?
LINES = [("convolve", "f64", LONG, 5, False), ("convolve", "f32", LONG, 5, False),
         ("convolve", "f64", LONG // 10, 40, False), ("convolve", "c128", 10000, 20, False),
         ("correlate", "f64", 1000, 20, False), ("convolve", "i32", LONG // 10, 100, False),
         ("convolve", "f64", LONG, 1000, True), ("convolve", "f64", LONG // 10, LONG // 10, True),
         ("convolve", "c128", LONG // 10, 5000, True)]


def pattern(shape, factor, dtype):
    """As in spec/bench/fft.lua: whole numbers, so that sums are exact."""
    at = np.arange(np.prod(shape))
    return (at * factor % 7 - 3).astype(NAMES[dtype]).reshape(shape)


def measure(own, peers):
    rounds = []
    names = [*own, *peers]
    for i in range(ROUNDS):
        times = {}
        for name in names if i % 2 == 0 else reversed(names):
            times[name] = (mean_seconds(own[name], SECONDS) if name in own else
                           float(peers[name].ask("run", SECONDS)))
        rounds.append(times)
    return rounds


def numpy_call(name, a, axis):
    if name.endswith("2"):
        return lambda: getattr(np.fft, name)(a)
    return lambda: getattr(np.fft, name)(a, axis=axis - 1)


def value(c):
    c = c.astype("c16").ravel()
    at = np.arange(c.size) % 7
    return (c.real * at).sum() + (c.imag * at).sum()


def print_times(rounds, what, threads, names, compared):
    times = {name: median([r[name] for r in rounds]) for name in rounds[0]}
    cells = [time_text(times[name]) if name in times else "-" for name in names]
    for own, other in compared:
        cells.append(f"{ratio(rounds, own, other):.2f}" if other in times else "-")
    print_row(what, threads, *cells)


def transforms(peers):
    print_head("transform", "threads", "FFTW", "NumPy", "ndbuf", "with `out`", "own kernels",
               "ndbuf / FFTW", "ndbuf / NumPy", "own / FFTW")
    for name, dtype, shape, axis in TRANSFORMS + [(*row, 1) for row in AXES]:
        a = pattern(shape, 5, dtype)
        text = "x".join(map(str, shape))
        for threads in sorted({1, PROCESSORS} if len(shape) > 1 else {1}):
            with_fftw = name[-1] != "2" and peers["fftw"].ask("who") == "FFTW"
            for peer, way in (("ndbuf", "new"), ("out", "out"), ("none", "new"),
                              ("fftw", "estimate")):
                peers[peer].ask("threads", threads)
                is_used = peer != "fftw" or with_fftw
                peers[peer].ask("make", way if is_used and name[-1] != "2" else "new", name, dtype,
                                text, axis)
            used = {k: p for k, p in peers.items() if k != "fftw" or with_fftw}
            rounds = measure({"numpy": numpy_call(name, a, axis)}, used)
            columns = ' by columns' if axis < len(shape) else ''
            print_times(rounds, f"{name} {dtype} {text}{columns}",
                        threads, ("fftw", "numpy", "ndbuf", "out", "none"),
                        (("ndbuf", "fftw"), ("ndbuf", "numpy"), ("none", "fftw")))


def lines(peers):
    try:
        from scipy import signal
    except ImportError:
        signal = None
    print()
    print_head("convolution", "threads", "NumPy", "SciPy", "ndbuf", "own kernels", "ndbuf / NumPy",
               "ndbuf / SciPy")
    for name, dtype, n, m, is_long in LINES:
        a, b = pattern((n,), 5, dtype), pattern((m,), 3, dtype)
        own = {} if is_long and n * m > 1e9 else {"numpy": lambda: getattr(np, name)(a, b, "full")}
        if signal and is_long:
            own["scipy"] = lambda: signal.convolve(a, b, "full")
        for threads in sorted({1, PROCESSORS}):
            used = {k: peers[k] for k in ("ndbuf", "none")}
            for peer in used.values():
                peer.ask("threads", threads)
                peer.ask("lines", name, dtype, n, m)
            rounds = measure(own, used)
            print_times(rounds, f"{name} {dtype} {n} with {m}", threads,
                        ("numpy", "scipy", "ndbuf", "none"),
                        (("ndbuf", "numpy"), ("ndbuf", "scipy")))


def smoke(peers):
    results = []
    for name, dtype, shape, axis in TRANSFORMS + [(*row, 1) for row in AXES]:
        wanted = value(numpy_call(name, pattern(shape, 5, dtype), axis)())
        for peer in ("ndbuf", "none"):
            peers[peer].ask("make", "new", name, dtype, "x".join(map(str, shape)), axis)
            peers[peer].ask("run", 0)
            got = float(peers[peer].ask("value"))
            bound = (1e-4 if dtype in ("f32", "c64") else 1e-10) * np.prod(shape) ** 1.5 * 100
            results.append((f"{name} {dtype} {shape}, {peer}", abs(got - wanted) < bound))
    for name, dtype, n, m, _ in LINES:
        wanted = value(getattr(np, name)(pattern((n,), 5, dtype), pattern((m,), 3, dtype), "full"))
        for peer in ("ndbuf", "none"):
            peers[peer].ask("lines", name, dtype, n, m)
            peers[peer].ask("run", 0)
            got = float(peers[peer].ask("value"))
            results.append((f"{name} {dtype} {n} with {m}, {peer}",
                            abs(got - wanted) < 1e-6 * n * m))
    report(results)


def start(name=None):
    os.environ.pop("NDBUF_FFTW", None)
    if name:
        os.environ["NDBUF_FFTW"] = name
    return Peer("spec/bench/fft.lua")


def main():
    peers = {"ndbuf": start(), "out": start(), "none": start("none"), "fftw": start()}
    if SMOKE:
        smoke(peers)
    print(f"NumPy {np.__version__}; ndbuf transforms by {peers['ndbuf'].ask('who')}.\n")
    transforms(peers)
    lines(peers)


main()
