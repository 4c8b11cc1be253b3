# The table "Products of matrices": ndbuf's matmul by the library that NDBUF_BLAS names, else by
# OpenBLAS whatever that takes the processor for, and by its own kernels; beside that library's own
# call, and NumPy's, in one run. A ratio is to the call, or to NumPy's where there is none.
#   spec/bench/products.py         prints the table (make bench)
#   spec/bench/products.py smoke   small, compares results with NumPy's (make bench-smoke)
# Each row is measured in rounds, in each of which all take turns, for 0.1 seconds and once at
# least, behind a first call; every second round in reverse. A time is the median of the rounds, a
# ratio the median of the ratios.
import ctypes
import os
import sys
import time

import numpy as np
from peer import Peer, mean_seconds, median, print_head, print_row, ratio, report, time_text

SMOKE = sys.argv[1:] == ["smoke"]
PROCESSORS = len(os.sched_getaffinity(0))
ROUNDS, SECONDS = (1, 0) if SMOKE else (7, 0.1)
PAUSE = 0 if SMOKE else 0.25  # until the last one's threads, which look out for work, sleep
SIDE, COUNT = (96, 50) if SMOKE else (1024, 10000)

# name, dtype of NumPy's side, of ours, shapes, targets: the largest ratio by the library, and by
# own kernels. Integers are beside the floats of their size. Results are new arrays, or, as those of
# the library's call, go to one that is there (INTO in the name).
INTO = "into an array"
ROWS = [
    *((f"{SIDE} x {SIDE} {own} {INTO}", dtype, own, (SIDE, SIDE), (SIDE, SIDE), 1 / 0.97, 4)
      for dtype, own in (("f4", "f32"), ("f8", "f64"))),
    *((f"{SIDE} x {SIDE} {own}", dtype, own, (SIDE, SIDE), (SIDE, SIDE), most, 4)
      for dtype, own, most in (("f4", "f32", 1 / 0.97), ("f8", "f64", 1 / 0.97),
                               ("c8", "c64", None), ("c16", "c128", None), ("f4", "i32", None),
                               ("f8", "i64", None))),
    *((f"8 x 8 {own}", dtype, own, (8, 8), (8, 8), 1.5, 1.5)
      for dtype, own in (("f4", "f32"), ("f8", "f64"))),
    *((f"{COUNT} times 8 x 8 {own}{into}", dtype, own, (COUNT, 8, 8), (COUNT, 8, 8), 0.5, 0.5)
      for into in (f" {INTO}", "") for dtype, own in (("f4", "f32"), ("f8", "f64"))),
    *((f"{2 * SIDE} x {2 * SIDE} times a vector {own}", dtype, own, (2 * SIDE, 2 * SIDE),
       (2 * SIDE,), None, None) for dtype, own in (("f4", "f32"), ("f8", "f64"))),
]


def pattern(shape, factor, dtype):
    """As in spec/bench/products.lua: whole numbers, so that results are exact."""
    at = np.arange(np.prod(shape))
    return (at * factor % 7 - 3).astype(dtype).reshape(shape)


def set_numpy_threads(count):
    """Of each OpenBLAS of this process, whatever its functions are called."""
    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps if "openblas" in line}
    for file in files:
        library = ctypes.CDLL(file)
        for prefix in ("", "scipy_"):
            for suffix in ("", "64_"):
                set_threads = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
                if set_threads:
                    set_threads(count)


def measure(row, peers, threads):
    name, dtype, own, left, right, *_ = row
    a, b = pattern(left, 5, dtype), pattern(right, 3, dtype)
    out = np.zeros_like(np.matmul(a, b)) if INTO in name else None
    set_numpy_threads(threads)
    for peer in peers.values():
        peer.ask("threads", threads)
        peer.ask("make", own, "x".join(map(str, left)), "x".join(map(str, right)))
    turns = {"numpy": lambda: mean_seconds(lambda: np.matmul(a, b, out=out), SECONDS),
             **{name: lambda peer=peer: float(peer.ask("run", SECONDS, out is not None))
                for name, peer in peers.items()}}
    if "library" in peers and peers["library"].ask("has_call") == "true":
        turns["call"] = lambda: float(peers["library"].ask("call", SECONDS))
    rounds = []
    for i in range(ROUNDS):
        names = list(turns) if i % 2 == 0 else list(reversed(turns))
        times = {}
        for name in names:
            if threads > 1:
                time.sleep(PAUSE)
            times[name] = turns[name]()
        rounds.append(times)
    return rounds


def verdict(value, most):
    if most is None:
        return "-", ""
    return f"<= {most:.3g}", "met" if value <= most else "missed"


def table(peers):
    library = peers["library"].ask("who") if "library" in peers else "no library"
    print(f"NumPy {np.__version__}; the library is {library}; by itself ndbuf multiplies by "
          f"{Peer('spec/bench/products.lua').ask('who')}.\n")
    print_head("work", "threads", "NumPy", "call", "by the library", "ratio", "target", "",
               "own kernels", "ratio", "target", "")
    for row in ROWS:
        for threads in sorted({1, PROCESSORS}):
            rounds = measure(row, peers, threads)
            beside = "call" if "call" in rounds[0] else "numpy"
            cells = [time_text(median([r[name] for r in rounds])) if name in rounds[0] else "-"
                     for name in ("numpy", "call")]
            for name, most in (("library", row[5]), ("none", row[6])):
                if name not in peers:
                    cells += ["-"] * 3 + [""]
                    continue
                value = ratio(rounds, name, beside)
                cells += [time_text(median([r[name] for r in rounds])), f"{value:.2f}",
                          *verdict(value, most)]
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
    os.environ["NDBUF_BLAS"] = name
    return Peer("spec/bench/products.lua")


def main():
    name = os.environ.get("NDBUF_BLAS") or "libopenblas.so.0"
    peers = {"library": start(name), "none": start("none")}
    if peers["library"].ask("who").startswith("ndbuf"):
        peers.pop("library").end()
    os.environ.pop("NDBUF_BLAS", None)
    (smoke if SMOKE else table)(peers)


main()
