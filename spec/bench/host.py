# The table "Host memory speed": NumPy's side, and the questions to ndbuf's (spec/bench/host.lua).
#   spec/bench/host.py HELPER         prints the table (make bench)
#   spec/bench/host.py HELPER ROW ... prints these rows
#   spec/bench/host.py HELPER smoke   small, compares the results with NumPy's (make bench-smoke)
# Each row is measured in rounds: memcpy, ndbuf, NumPy, then memcpy and ndbuf on two threads. The
# table has medians of seven rounds after a first one, ratios are medians of the rounds' own.
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

ROUNDS = 7
SMOKE = sys.argv[2:] == ["smoke"]
SIDE = 512 if SMOKE else 4096
n = SIDE * SIDE
cube = round(SIDE ** (2 / 3))
folder = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(folder.name, name)


class Peer:
    """ndbuf's process."""

    def __init__(self):
        command = [os.environ.get("LUAJIT", "luajit"), "spec/bench/host.lua"]
        self.process = subprocess.Popen(
            command + [folder.name, str(SIDE), sys.argv[1]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit("host.lua ended at: " + " ".join(map(str, words)))
        return answer


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


def call(fn, *names):
    def make():
        x = [load(name) for name in names]
        z = np.zeros(n, np.float32)
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
    ("argmax f32", call(lambda z, a: a.argmax(), "a"), ("limit", 1.3, "<= 1.3x a read"), "index"),
    ("means of 100, moving", moving_means, ("numpy", 2, "<= 2x NumPy"), "near"),
    ("a + b into c", call(lambda z, a, b: np.add(a, b, out=z), "a", "b"),
     ("numpy", 1 / 0.95, ">= 0.95 of NumPy")),
    ("exp f32", call(lambda z, a: np.exp(a, out=z), "a"), ("numpy", 1, "<= NumPy"), "near"),
    ("a[mask], half selected", call(lambda z, a, m: a[m], "a", "mask"),
     ("limit", 4, "<= 4x memcpy")),
    ("take n/4 random elements", take("index", 1), ("numpy", 1, "<= NumPy")),
    ("take n/4 random rows of 4", take("rows", 4), ("numpy", 1, "<= NumPy")),
    ("sort f32", call(lambda z, a: np.sort(a), "a"), ("numpy", 1.2, "<= 1.2x NumPy")),
    ("map 1 GiB .npy, read one", mapped, ("absolute", 1e-4, "<= 0.1 ms")),
]


def median(values):
    return sorted(values)[len(values) // 2]


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g} ms"


def measure(peer, name, make):
    """Rounds of [memcpy, ndbuf, NumPy, memcpy on two threads, ndbuf on two threads]."""
    rounds = []
    peer.ask("row", name)
    run = make()
    for _ in range(ROUNDS + 1):
        figures = []
        for threads in 1, 2:
            peer.ask("threads", threads)
            figures += [float(peer.ask("limit")), float(peer.ask("ndbuf"))]
            if threads == 1:
                run()  # as ndbuf's side does
                start = time.perf_counter()
                run()
                figures.append(time.perf_counter() - start)
        rounds.append(figures)
    return rounds[1:]


def verdict(rounds, limit, own, target):
    peer = {"limit": limit, "numpy": 2}.get(target[0])
    if peer is None:
        return "met" if median([r[own] for r in rounds]) <= target[1] else "missed"
    return "met" if median([r[own] / r[peer] for r in rounds]) <= target[1] else "missed"


def print_row(name, rounds, target, flags):
    for threads, limit, own in (1, 0, 1), (2, 3, 4):
        def cells(peer, is_there):
            if not is_there:
                return "- | -"
            ratio = median([r[own] / r[peer] for r in rounds])
            return f"{milliseconds(median([r[peer] for r in rounds]))} | {ratio:.2f}"

        print(f"| {name} | {threads} | {milliseconds(median([r[own] for r in rounds]))} | "
              f"{cells(limit, rounds[0][limit] > 1e-6)} | {cells(2, 'none' not in flags)} | "
              f"{target[2]} | {verdict(rounds, limit, own, target)} |", flush=True)


COSTS = ["copy", "sum", "narrow", "slice", "print"]


def show(nanoseconds):
    value = float(nanoseconds)
    return f"{value:.0f} ns" if value < 1e4 else f"{value / 1e3:.3g} us"


def table(peer):
    print("| work | threads | ndbuf | memcpy | ratio | NumPy | ratio | target | |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, make, target, *flags in ROWS:
        if name in (sys.argv[2:] or [name]):
            print_row(name, measure(peer, name, make), target, flags)
    if sys.argv[2:]:
        return
    print("\n| elements | of | " + " | ".join(COSTS) + " |")
    print("|---|---|" + "---|" * len(COSTS))
    peer.ask("threads", 1)
    for power in range(3, 9):
        answers = peer.ask("cost", 10 ** power, 10 ** 8).split()[:-1]
        for whole, figures in ("10^8", answers[:5]), (f"10^{power}", answers[5:]):
            print(f"| 10^{power} | {whole} | " + " | ".join(map(show, figures)) + " |", flush=True)


def is_same(answer, expected, flags):
    if answer != "result":
        value = float(answer) - ("index" in flags)
        return np.isclose(value, expected, rtol=1e-5, atol=0) if "near" in flags else (
            value == expected)
    result = np.fromfile(path("result"), np.uint8)
    if "near" in flags:
        return np.allclose(result.view(expected.dtype), expected.ravel(), rtol=1e-6, atol=0)
    return np.array_equal(result, np.ascontiguousarray(expected).ravel().view(np.uint8))


def smoke(peer):
    failed = 0
    names = []
    for name, make, _, *flags in ROWS:
        peer.ask("row", name)
        expected = make()()
        for threads in 1, 2:
            peer.ask("threads", threads)
            peer.ask("limit"), peer.ask("ndbuf")
            good = is_same(peer.ask("result"), expected, flags)
            names.append(("ok " if good else "not ok ") + f"{name}, {threads} threads")
            failed += not good
    for power in 3, 4, 5:
        sums = float(peer.ask("cost", 10 ** power, 10 ** 5).split()[-1])
        good = np.isclose(sums, load("whole")[-10 ** power:].sum(dtype=float), rtol=1e-6)
        names.append(("ok " if good else "not ok ") + f"cost of 10^{power} elements")
        failed += not good
    print("\n".join(names))
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


(smoke if SMOKE else table)(Peer())
