# The table "Host memory speed": NumPy's side, and the questions to ndbuf's (spec/bench/host.lua);
# PyTorch's is spec/bench/host_torch.py, where Python has it.
#   spec/bench/host.py HELPER         prints the table (make bench)
#   spec/bench/host.py HELPER ROW ... prints these rows
#   spec/bench/host.py HELPER smoke   small, compares the results with NumPy's (make bench-smoke)
# Each row is measured in five rounds: memcpy, ndbuf, NumPy and PyTorch on one thread, then memcpy,
# ndbuf and PyTorch on two, each for 0.2 seconds. The table has the least times: what others do on
# the machine, and to its caches, only adds. NumPy has one thread, and is a peer on two as well.
import os
import sys
import tempfile
import time

# OpenMP's threads (memcpy's and PyTorch's) spin for about a millisecond after each call, not for
# tens of them, in which they would take a processor from what is measured next.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")
import numpy as np  # noqa: E402
from peer import Peer, milliseconds, print_head, report  # noqa: E402
from peer import print_row as print_cells  # noqa: E402

try:
    import host_torch
    import torch
except ImportError:
    torch = None

ROUNDS, WHILE, MOST = 5, 0.2, 1.05  # seconds; MOST: times the better peer's time
SMOKE = sys.argv[2:] == ["smoke"]
SIDE = 512 if SMOKE else 4096
n = SIDE * SIDE
cube = round(SIDE ** (2 / 3))
folder = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(folder.name, name)


def load(name):
    return np.load(path(name + ".npy"))


def copy(name, dtype, view=lambda x: x):
    """Into an array that is there, as all rows do that do not say otherwise."""
    def make():
        x = view(load(name))
        z = np.zeros(x.shape, dtype)

        def run():
            np.copyto(z, x, casting="unsafe")
            return z

        return run
    return make


def call(fn, *names, dtype=np.float32):
    def make():
        x = [load(name) for name in names]
        z = np.zeros(n, dtype)
        return lambda: fn(z, *x)
    return make


def bf16(name):
    """NumPy has none: the bits, rounded to nearest even."""
    def make():
        bits = load(name).view(np.uint32)
        return lambda: ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return make


def from_bf16(name):
    def make():
        bits = bf16(name)()().astype(np.uint32) << 16
        return lambda: bits.view(np.float32)
    return make


def take(name, width):
    def make():
        a, index = load("a").reshape(-1, width), load(name) - 1
        return lambda: a.take(index, 0)
    return make


def pick_pairs():
    a, i, j = load("a").reshape(SIDE, SIDE), load("down") - 1, load("across") - 1
    return lambda: a[i, j]


def pick_columns():
    a, j = load("a").reshape(SIDE, SIDE), load("columns") - 1
    return lambda: a[:, j]


def greatest():
    a = load("wide")
    return lambda: np.sort(a[np.argpartition(a, -100)[-100:]])[::-1]


def partition():
    a = load("wide").reshape(-1, 64)
    return lambda: np.partition(a, 31, axis=1)[:, 31]


def moving_means():
    windows = np.lib.stride_tricks.sliding_window_view(load("wide")[:n // 4], 100)
    return lambda: windows.mean(-1)


def mapped():
    return lambda: np.load(path("mapped.npy"), mmap_mode="r")[-1]


# name, NumPy's side, target: of what, how much; flags: near (rounds differently), none (NumPy has
# no such thing)
ROWS = [
    ("contiguous copy", copy("a", "f4"), ("limit", 1 / 0.97, ">= 0.97 of memcpy")),
    ("clone", call(lambda z, a: a.copy(), "a"), ("limit", 2, "<= 2x memcpy")),
    ("transpose f32", copy("a", "f4", lambda a: a.reshape(SIDE, SIDE).T),
     ("limit", 3, "<= 3x memcpy")),
    ("transpose u8", copy("bytes", "u1", lambda a: a.reshape(SIDE, SIDE).T),
     ("limit", 6, "<= 6x memcpy")),
    ("permute (3,1,2) f32",
     copy("a", "f4", lambda a: a[:cube ** 3].reshape(cube, cube, cube).transpose(2, 0, 1)),
     ("limit", 3, "<= 3x memcpy")),
    ("NHWC u8 to NCHW f32", copy("images", "f4", lambda a: a.transpose(0, 3, 1, 2)),
     ("numpy", 1, "<= NumPy")),
    ("every second element", copy("a", "f4", lambda a: a[::2]), ("numpy", 1, "<= NumPy")),
    *((f"{a} to {b}", copy(name, z), ("limit", 1.3, "<= 1.3x memcpy")) for a, b, name, z in (
        ("f32", "f64", "a", "f8"), ("f64", "f32", "wide", "f4"), ("f32", "i32", "whole", "i4"),
        ("u8", "f32", "bytes", "f4"), ("i16", "f32", "shorts", "f4"))),
    ("f32 to f16", copy("a", "f2"), ("limit", 1.5, "<= 1.5x memcpy")),
    ("f16 to f32", copy("half", "f4"), ("limit", 1.5, "<= 1.5x memcpy")),
    ("f32 to bf16", bf16("a"), ("limit", 1.5, "<= 1.5x memcpy"), "none"),
    ("bf16 to f32", from_bf16("a"), ("limit", 1.5, "<= 1.5x memcpy"), "none"),
    ("sum f32", call(lambda z, a: a.sum(), "a"), ("limit", 1.3, "<= 1.3x a read"), "near"),
    ("max f32", call(lambda z, a: a.max(), "a"), ("limit", 1.3, "<= 1.3x a read")),
    ("min f32", call(lambda z, a: a.min(), "a"), ("limit", 1.3, "<= 1.3x a read")),
    ("argmax f32", call(lambda z, a: a.argmax(), "a"), ("limit", 1.3, "<= 1.3x a read"), "index"),
    ("count a mask", call(lambda z, m: np.count_nonzero(m), "mask"),
     ("limit", 1.3, "<= 1.3x a read")),
    ("means of 100, moving", moving_means, ("numpy", 2, "<= 2x NumPy"), "near"),
    ("a + b into c", call(lambda z, a, b: np.add(a, b, out=z), "a", "b"),
     ("numpy", 1 / 0.95, ">= 0.95 of NumPy")),
    ("exp f32", call(lambda z, a: np.exp(a, out=z), "a"), ("numpy", 1, "<= NumPy"), "near"),
    ("a < b into a mask", call(lambda z, a, b: np.less(a, b, out=z), "a", "b", dtype=bool),
     ("numpy", 1, "<= NumPy")),
    ("two masks, and", call(lambda z, a, b: np.logical_and(a, b, out=z), "mask", "other_mask",
                            dtype=bool), ("numpy", 1, "<= NumPy")),
    ("a or b by a mask", call(lambda z, m, a, b: np.where(m, a, b), "mask", "a", "b"),
     ("numpy", 1, "<= NumPy")),
    ("a[mask], half selected", call(lambda z, a, m: a[m], "a", "mask"),
     ("limit", 4, "<= 4x memcpy")),
    ("take n/4 random elements", take("index", 1), ("numpy", 1, "<= NumPy")),
    ("take n/4 random rows of 4", take("rows", 4), ("numpy", 1, "<= NumPy")),
    ("n/16 random pairs", pick_pairs, ("numpy", 1, "<= NumPy")),
    ("random columns", pick_columns, ("numpy", 1, "<= NumPy")),
    ("cumsum f64", call(lambda z, a: a.cumsum(), "wide"), ("numpy", 1, "<= NumPy"), "near"),
    ("cumsum f64, lines of 64", call(lambda z, a: a.reshape(-1, 64).cumsum(1), "wide"),
     ("numpy", 1, "<= NumPy"), "near"),
    ("cumsum f64 of columns", call(lambda z, a: a.reshape(-1, 64).cumsum(0), "wide"),
     ("numpy", 1, "<= NumPy"), "near"),
    ("sort f32", call(lambda z, a: np.sort(a), "a"), ("numpy", 1.2, "<= 1.2x NumPy")),
    ("median f64", call(lambda z, a: np.median(a), "wide"), ("numpy", 1, "<= NumPy")),
    ("percentiles 5, 50, 95 f64", call(lambda z, a: np.percentile(a, [5, 50, 95]), "wide"),
     ("numpy", 1, "<= NumPy")),
    ("greatest 100 f64", greatest, ("numpy", 1, "<= NumPy")),
    ("partition f64, lines of 64", partition, ("numpy", 1, "<= NumPy")),
    ("search n/4 in n/16 f64", call(lambda z, a, x: a.searchsorted(x) + 1, "ascending",
                                    "looked_for"), ("numpy", 1, "<= NumPy")),
    ("bincount, 1000 bins", call(lambda z, a: np.bincount(a)[1:], "places"),
     ("numpy", 1, "<= NumPy")),
    ("bincount with weights", call(lambda z, a, w: np.bincount(a, w)[1:], "places", "wide"),
     ("numpy", 1, "<= NumPy"), "near"),
    ("histogram, 50 bins", call(lambda z, a: np.histogram(a, 50)[0], "wide"),
     ("numpy", 1, "<= NumPy")),
    ("histogram, 100 edges", call(lambda z, a, e: np.histogram(a, e)[0], "wide", "edges"),
     ("numpy", 1, "<= NumPy")),
    ("unique i32, 100 values", call(lambda z, a: np.unique(a), "few"), ("numpy", 1, "<= NumPy")),
    ("unique f64, n/4", call(lambda z, a: np.unique(a), "looked_for"), ("numpy", 1, "<= NumPy")),
    ("map 1 GiB .npy, read one", mapped, ("absolute", 1e-4, "<= 0.1 ms")),
]


# The figures of a round, by thread: 1, then 2.
LIMIT, OWN, NUMPY, TORCH = (
    {1: f"{who}1", 2: f"{who}2"} for who in ("limit", "own", "numpy", "torch"))


def seconds(run):
    """The least time of the runs of WHILE seconds, two at least: that long it takes until data are
    in a large cache, if they fit there. So is ndbuf's side measured."""
    times, start = [], time.perf_counter()
    while len(times) < 2 or time.perf_counter() - start < WHILE:
        before = time.perf_counter()
        run()
        times.append(time.perf_counter() - before)
    return min(times)


def measure_round(peer, run, run_torch):
    figures = {}
    for threads in 1, 2:
        peer.ask("threads", threads)
        figures[LIMIT[threads]] = float(peer.ask("limit"))
        figures[OWN[threads]] = float(peer.ask("ndbuf"))
        figures[NUMPY[threads]] = seconds(run) if threads == 1 else figures[NUMPY[1]]
        if run_torch:
            torch.set_num_threads(threads)
            figures[TORCH[threads]] = seconds(run_torch)
    return figures


def make_torch(name):
    make = torch and host_torch.SIDES.get(name)
    return make and make(load)


def measure(peer, name, make):
    """The least figures of all rounds."""
    peer.ask("row", name)
    run, run_torch = make(), make_torch(name)
    rounds = [measure_round(peer, run, run_torch) for _ in range(ROUNDS)]
    return {who: min(r[who] for r in rounds) for who in rounds[0]}


def verdict(value, most):
    return "met" if value <= most else "missed"


def print_row(name, least, target, flags):
    of, most, words = target
    for threads in 1, 2:
        own, limit, numpy, pytorch = (least.get(who[threads]) for who in (OWN, LIMIT, NUMPY, TORCH))
        if "none" in flags:
            numpy = None
        times = [milliseconds(t) if t else "-" for t in (own, limit, numpy, pytorch)]
        times.insert(2, f"{own / limit:.2f}" if limit else "-")
        peer = min((t for t in (numpy, pytorch) if t), default=None)
        to_peer = (f"{own / peer:.2f}", verdict(own / peer, MOST)) if peer else "--"
        met = verdict(own / {"limit": limit, "numpy": numpy, "absolute": 1}[of], most)
        print_cells(name, threads, *times, *to_peer, words, met)


COSTS = ["copy", "sum", "narrow", "slice", "print"]


def show(nanoseconds):
    value = float(nanoseconds)
    return f"{value:.0f} ns" if value < 1e4 else f"{value / 1e3:.3g} us"


def table(peer):
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__ if torch else '-'}\n")
    print_head("work", "threads", "ndbuf", "memcpy", "ratio", "NumPy", "PyTorch",
               "ratio to the better", f"<= {MOST}", "target", "")
    for name, make, target, *flags in ROWS:
        if name in (sys.argv[2:] or [name]):
            print_row(name, measure(peer, name, make), target, flags)
    if sys.argv[2:]:
        return
    print()
    print_head("elements", "of", *COSTS)
    peer.ask("threads", 1)
    for power in range(3, 9):
        answers = peer.ask("cost", 10 ** power, 10 ** 8).split()[:-1]
        for whole, figures in ("10^8", answers[:5]), (f"10^{power}", answers[5:]):
            print_cells(f"10^{power}", whole, *map(show, figures))


def is_same(answer, expected, flags):
    """Numbers, or arrays whose bytes are to be the same."""
    if not isinstance(answer, np.ndarray):
        return np.isclose(answer, expected, rtol=1e-5, atol=0) if "near" in flags else (
            answer == expected)
    expected = np.ascontiguousarray(expected)
    answer = np.ascontiguousarray(answer).ravel().view(np.uint8)
    if "near" in flags:
        return np.allclose(answer.view(expected.dtype), expected.ravel(), rtol=1e-6, atol=0)
    return np.array_equal(answer, expected.ravel().view(np.uint8))


def result_of(peer, flags):
    answer = peer.ask("result")
    if answer == "result":
        return np.fromfile(path("result"), np.uint8)
    return float(answer) - ("index" in flags)


def smoke_row(peer, name, make, flags):
    peer.ask("row", name)
    expected, run_torch = make()(), make_torch(name)
    for threads in 1, 2:
        peer.ask("threads", threads)
        peer.ask("limit"), peer.ask("ndbuf")
        yield f"{name}, {threads} threads", is_same(result_of(peer, flags), expected, flags)
        if run_torch:
            torch.set_num_threads(threads)
            yield (f"{name}, {threads} threads of PyTorch",
                   is_same(host_torch.bytes_of(run_torch()), expected, flags))


def smoke(peer):
    results = []
    for name, make, _, *flags in ROWS:
        results += smoke_row(peer, name, make, flags)
    for power in 3, 4, 5:
        sums = float(peer.ask("cost", 10 ** power, 10 ** 5).split()[-1])
        expected = load("whole")[-10 ** power:].sum(dtype=float)
        results.append((f"cost of 10^{power} elements", np.isclose(sums, expected, rtol=1e-6)))
    report(results)


(smoke if SMOKE else table)(Peer("spec/bench/host.lua", folder.name, SIDE, sys.argv[1]))
