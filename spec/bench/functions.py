# The tables "Functions of elements" and "Random numbers": ndbuf's beside NumPy's, and SciPy's where
# NumPy has none, in one run.
#   spec/bench/functions.py         prints the tables (make bench)
#   spec/bench/functions.py smoke   small, compares results (make bench-smoke)
# Functions are of 100000 elements, which caches hold, into a result that is there, on one thread;
# random numbers are 10^6, into a new array, on one thread and on two. Each row is measured in
# rounds, in each of which both take turns, for 0.02 seconds and once at least, behind a first call;
# every second round in reverse. A time is the median of the rounds, a ratio the median of the
# ratios.
import os
import sys
import tempfile

import numpy as np
from peer import Peer, mean_seconds, median, print_head, print_row, ratio, report

try:
    from scipy import special
except ImportError:
    special = None

SMOKE = sys.argv[1:] == ["smoke"]
ROUNDS, SECONDS = (1, 0) if SMOKE else (9, 0.02)
COUNT, RANDOM = (1000, 1000) if SMOKE else (100_000, 1_000_000)
MOST = 1.1
folder = tempfile.TemporaryDirectory()

# name, NumPy's if it is another, ranges of the operands
FUNCTIONS = [
    ("sqrt", None, (0, 100)), ("cbrt", None, (-100, 100)), ("exp", None, (-20, 20)),
    ("expm1", None, (-20, 20)), ("log", None, (1e-3, 1e3)), ("log2", None, (1e-3, 1e3)),
    ("log10", None, (1e-3, 1e3)), ("log1p", None, (-0.9, 10)), ("sin", None, (-20, 20)),
    ("cos", None, (-20, 20)), ("tan", None, (-20, 20)), ("asin", "arcsin", (-1, 1)),
    ("acos", "arccos", (-1, 1)), ("atan", "arctan", (-10, 10)), ("sinh", None, (-20, 20)),
    ("cosh", None, (-20, 20)), ("tanh", None, (-5, 5)), ("asinh", "arcsinh", (-100, 100)),
    ("acosh", "arccosh", (1, 100)), ("atanh", "arctanh", (-1, 1)), ("rint", None, (-9, 9)),
    ("sign", None, (-1, 1)), ("atan2", "arctan2", (-5, 5), (-5, 5)),
    ("pow", "power", (0.1, 10), (-10, 10)), ("hypot", None, (-5, 5), (-5, 5)),
    ("fmod", None, (-99, 99), (-9, 9)), ("remainder", None, (-99, 99), (-9, 9)),
    ("copysign", None, (-1, 1), (-1, 1)), ("nextafter", None, (-1, 1), (-1, 1)),
    ("logaddexp", None, (-5, 5), (-5, 5)),
]
SPECIAL = [("erf", None, (-3, 3)), ("erfc", None, (-3, 3)), ("lgamma", "gammaln", (0.1, 20))]

# name, dtype, parameters, NumPy's call
RANDOMS = [
    ("random", "f64", (), lambda r, n: r.random(n)),
    ("random", "f32", (), lambda r, n: r.random(n, np.float32)),
    ("normal", "f64", (), lambda r, n: r.standard_normal(n)),
    ("normal", "f32", (), lambda r, n: r.standard_normal(n, np.float32)),
    ("exponential", "f64", (), lambda r, n: r.standard_exponential(n)),
    ("randint", "i64", (1, 1000), lambda r, n: r.integers(1, 1000, n, endpoint=True)),
    ("randint", "u8", (0, 255), lambda r, n: r.integers(0, 255, n, np.uint8, True)),
    ("gamma", "f64", (2.5,), lambda r, n: r.standard_gamma(2.5, n)),
    ("beta", "f64", (2, 3), lambda r, n: r.beta(2, 3, n)),
    ("poisson", "-", (4,), lambda r, n: r.poisson(4, n)),
    ("poisson", "-", (100,), lambda r, n: r.poisson(100, n)),
    ("binomial", "-", (100, 0.3), lambda r, n: r.binomial(100, 0.3, n)),
    ("permutation", "-", (), lambda r, n: r.permutation(n)),
]


def path(name):
    return os.path.join(folder.name, name + ".npy")


def measure(peer, call):
    rounds = []
    for i in range(ROUNDS):
        times = {}
        for name in ("numpy", "ndbuf") if i % 2 == 0 else ("ndbuf", "numpy"):
            times[name] = (mean_seconds(call, SECONDS) if name == "numpy" else
                           float(peer.ask("run", SECONDS)))
        rounds.append(times)
    return rounds


def cells(rounds, count):
    times = [median([r[name] for r in rounds]) / count * 1e9 for name in ("ndbuf", "numpy")]
    value = ratio(rounds, "ndbuf", "numpy")
    return [*(f"{t:.2f} ns" for t in times), f"{value:.2f}", "met" if value <= MOST else "missed"]


def functions():
    """Name, dtype, NumPy's call into 'out', 'out', the files of the operands."""
    rng = np.random.default_rng(1)
    for dtype, own in ((np.float64, "f64"), (np.float32, "f32")):
        for name, other, *ranges in FUNCTIONS + (SPECIAL if special else []):
            fn = getattr(np, other or name, None) or getattr(special, other or name)
            operands = [rng.uniform(*r, COUNT).astype(dtype) for r in ranges]
            for i, a in enumerate(operands):
                np.save(path(f"operand{i}"), a)
            out = np.empty(COUNT, dtype)
            yield name, own, lambda: fn(*operands, out=out), out, range(len(operands))


def table(peer):
    print(f"NumPy {np.__version__}; one thread, time for an element; at most {MOST} of NumPy's.\n")
    print_head("function", "dtype", "ndbuf", "NumPy", "ratio", "")
    peer.ask("threads", 1)
    for name, own, call, _, operands in functions():
        peer.ask("elements", name, *(path(f"operand{i}") for i in operands))
        print_row(name, own, *cells(measure(peer, call), COUNT))
    print()
    print_head("numbers", "threads", "ndbuf", "NumPy", "ratio", "")
    rng = np.random.default_rng(1)
    for name, dtype, parameters, call in RANDOMS:
        for threads in sorted({1, len(os.sched_getaffinity(0))}):
            peer.ask("threads", threads)
            peer.ask("random", name, dtype, RANDOM, *parameters)
            text = " ".join(map(str, (name, *parameters, dtype.strip("-")))).strip()
            print_row(text, threads, *cells(measure(peer, lambda: call(rng, RANDOM)), RANDOM))


def smoke(peer):
    results = []
    for name, own, call, out, operands in functions():
        peer.ask("elements", name, *(path(f"operand{i}") for i in operands))
        measure(peer, call)
        value = np.load(peer.ask("save", path("result")))
        most = 1e-6 if own == "f32" else 1e-14
        results.append((f"{name} {own}", np.allclose(value, out, most, most)))
    rng = np.random.default_rng(1)
    for name, dtype, parameters, call in RANDOMS:
        peer.ask("random", name, dtype, RANDOM, *parameters)
        measure(peer, lambda: call(rng, RANDOM))
        values = np.load(peer.ask("save", path("result"))), call(rng, RANDOM)
        means = [float(v.astype(float).mean()) for v in values]
        least = 0.2 * float(values[1].astype(float).std()) + 1
        results.append((f"{name} {dtype}", abs(means[0] - means[1]) < least))
    report(results)


def main():
    (smoke if SMOKE else table)(Peer("spec/bench/functions.lua"))


main()
