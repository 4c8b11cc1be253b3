# The table "Products of matrices": ndbuf's matmul beside NumPy's, which calls OpenBLAS, in one run;
# ndbuf as it is, with OpenBLAS whatever that takes the processor for, and without a library.
#   spec/bench/products.py         prints the table (make bench)
#   spec/bench/products.py smoke   small, compares results with NumPy's (make bench-smoke)
# Each row is measured in rounds, in each of which all take turns, for 0.1 seconds and once at
# least, behind a first call; every second round in reverse. A time is the median of the rounds, a
# ratio the median of the ratios.
import ctypes
import os
import sys

import numpy as np
from peer import Peer, mean_seconds, median, print_head, print_row, ratio, report, time_text

SMOKE = sys.argv[1:] == ["smoke"]
PROCESSORS = len(os.sched_getaffinity(0))
ROUNDS, SECONDS = (1, 0) if SMOKE else (9, 0.1)
SIDE, COUNT = (96, 50) if SMOKE else (1024, 10000)

# name, dtype of NumPy's side, of ours, shapes, targets: ndbuf as it is and without a library, each
# at most so many times NumPy's time. Integers are beside the floats of their size.
ROWS = [
    *((f"{SIDE} x {SIDE} {own}", dtype, own, (SIDE, SIDE), (SIDE, SIDE), most, 4)
      for dtype, own, most in (("f4", "f32", 1 / 0.97), ("f8", "f64", 1 / 0.97),
                               ("c8", "c64", None), ("c16", "c128", None), ("f4", "i32", None),
                               ("f8", "i64", None))),
    *((f"8 x 8 {own}", dtype, own, (8, 8), (8, 8), 1.5, 1.5)
      for dtype, own in (("f4", "f32"), ("f8", "f64"))),
    *((f"{COUNT} times 8 x 8 {own}", dtype, own, (COUNT, 8, 8), (COUNT, 8, 8), 0.5, 0.5)
      for dtype, own in (("f4", "f32"), ("f8", "f64"))),
    *((f"{2 * SIDE} x {2 * SIDE} times a vector {own}", dtype, own, (2 * SIDE, 2 * SIDE),
       (2 * SIDE,), None, None) for dtype, own in (("f4", "f32"), ("f8", "f64"))),
]


def pattern(shape, factor, dtype):
    """As in spec/bench/products.lua: whole numbers, so that results are exact."""
    at = np.arange(np.prod(shape))
    return (at * factor % 7 - 3).astype(dtype).reshape(shape)


def set_numpy_threads(count):
    """Where NumPy's OpenBLAS is the one that others find, too."""
    try:
        ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads(count)
    except (OSError, AttributeError):
        return


def core_name():
    try:
        name = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
    except (OSError, AttributeError):
        return "unknown"
    name.restype = ctypes.c_char_p
    return name().decode()


def measure(row, peers, threads):
    _, dtype, own, left, right, *_ = row
    a, b = pattern(left, 5, dtype), pattern(right, 3, dtype)
    set_numpy_threads(threads)
    for peer in peers.values():
        peer.ask("threads", threads)
        peer.ask("make", own, "x".join(map(str, left)), "x".join(map(str, right)))
    rounds = []
    for i in range(ROUNDS):
        times = {}
        for name in ("numpy", *peers) if i % 2 == 0 else reversed(("numpy", *peers)):
            times[name] = (mean_seconds(lambda: np.matmul(a, b), SECONDS) if name == "numpy" else
                           float(peers[name].ask("run", SECONDS)))
        rounds.append(times)
    return rounds


def verdict(value, most):
    if most is None:
        return "-", ""
    return f"<= {most:.3g}", "met" if value <= most else "missed"


def table(peers):
    print(f"NumPy {np.__version__}; OpenBLAS takes this processor for a {core_name()}; "
          f"ndbuf multiplies by {peers['ndbuf'].ask('who')}.\n")
    print_head("work", "threads", "NumPy", "ndbuf", "ratio", "target", "", "by OpenBLAS", "ratio",
               "own kernels", "ratio", "target", "")
    for row in ROWS:
        for threads in sorted({1, PROCESSORS}):
            rounds = measure(row, peers, threads)
            times = {name: median([r[name] for r in rounds]) for name in rounds[0]}
            ratios = {name: ratio(rounds, name, "numpy") for name in peers}
            cells = [time_text(times["numpy"]), time_text(times["ndbuf"]),
                     f"{ratios['ndbuf']:.2f}", *verdict(ratios["ndbuf"], row[5])]
            named = "openblas" in peers
            cells += [time_text(times["openblas"]) if named else "-",
                      f"{ratios['openblas']:.2f}" if named else "-", time_text(times["none"]),
                      f"{ratios['none']:.2f}", *verdict(ratios["none"], row[6])]
            print_row(row[0], threads, *cells)


def smoke(peers):
    results = []
    for row in ROWS:
        for name, peer in peers.items():
            measure(row, {name: peer}, 2)
            a, b = pattern(row[3], 5, "f8"), pattern(row[4], 3, "f8")
            c = np.matmul(a, b)
            wanted = float((c.ravel() * (np.arange(c.size) % 7)).sum())
            results.append((f"{row[0]}, {name}", float(peer.ask("value")) == wanted))
    report(results)


def start(name):
    os.environ.pop("NDBUF_BLAS", None)
    if name:
        os.environ["NDBUF_BLAS"] = name
    return Peer("spec/bench/products.lua")


def main():
    peers = {"ndbuf": start(None), "none": start("none"), "openblas": start("libopenblas.so.0")}
    if peers["openblas"].ask("who") != "OpenBLAS":
        peers.pop("openblas").end()
    (smoke if SMOKE else table)(peers)


main()
