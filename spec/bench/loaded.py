# The table "A loaded machine": all threads against one, beside as many busy processes as
# processors; what the times are of, is in spec/bench/loaded.lua.
#   spec/bench/loaded.py         prints the table (make bench LOADED=1)
#   spec/bench/loaded.py smoke   small, compares results with NumPy's (make bench-smoke)
# Each work is measured in rounds: on one thread and on all, every second time in reverse, for 0.15
# seconds and once at least. A first round warms up. Times are means of all calls.
import contextlib
import os
import signal
import subprocess
import sys

import numpy as np
from peer import Peer, print_head, print_row, report

SMOKE = sys.argv[1:] == ["smoke"]
PROCESSORS = len(os.sched_getaffinity(0))
ROUNDS, SECONDS, MOST = 7, 0.15, 1.1
MIB = (2,) if SMOKE else (1, 8, 64)
WORKS = {
    "add": lambda a, b: a + b,
    "copy": lambda a, b: a,
    "sum": lambda a, b: a.sum(dtype=float),
    "mask": lambda a, b: a[b < 500],
    "cast": lambda a, b: a.astype(float),
    "sort": lambda a, b: np.sort(a),
}

# Ends with its parent, however that ends.
BUSY = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
while os.getppid() == int(sys.argv[1]):
    for _ in range(1000000):
        pass
"""


@contextlib.contextmanager
def busy_machine():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("loaded.py: ended by a signal"))
    processes = []
    try:
        for _ in range(PROCESSORS):
            processes.append(subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid())]))
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def microseconds(seconds):
    return f"{seconds * 1e6:.0f} us"


def measure(peer, work):
    """Mean seconds on one thread, and on all."""
    totals = {1: [0.0, 0], PROCESSORS: [0.0, 0]}
    for i in range(ROUNDS + 1):
        for threads in sorted(totals, reverse=i % 2 == 1):
            peer.ask("threads", threads)
            seconds, count = map(float, peer.ask("run", work, SECONDS).split())
            if i > 0:
                totals[threads][0] += seconds
                totals[threads][1] += count
    return [seconds / count for seconds, count in (totals[1], totals[PROCESSORS])]


def table(peer):
    print(f"Beside {PROCESSORS} busy processes on {PROCESSORS} processors:\n")
    print_head("work", "MiB", "1 thread", f"{PROCESSORS} threads", "ratio", "target", "")
    ratios = []
    for mib in MIB:
        peer.ask("size", mib << 18)
        for work in WORKS:
            one, all_of_them = measure(peer, work)
            ratios.append(all_of_them / one)
            print_row(work, mib, microseconds(one), microseconds(all_of_them),
                      f"{ratios[-1]:.2f}", f"<= {MOST}", "met" if ratios[-1] <= MOST else "missed")
    print(f"\nThe mean of the ratios is {sum(ratios) / len(ratios):.2f}.")


def value(z):
    return np.sum(z * (np.arange(1, len(z) + 1) % 7)) if np.ndim(z) else z


def smoke(peer, processes):
    n = MIB[0] << 18
    peer.ask("size", n)
    index = np.arange(1, n + 1)
    a, b = ((index * factor % 1000).astype(np.float32) for factor in (7919, 104729))
    results = []
    for work, fn in WORKS.items():
        for threads in 1, PROCESSORS:
            peer.ask("threads", threads)
            good = float(peer.ask("value", work)) == value(fn(a, b).astype(float))
            results.append((f"{work}, {threads} threads beside {len(processes)} others", good))
    return results


def main():
    results = []
    with busy_machine() as processes:
        peer = Peer("spec/bench/loaded.lua")
        if SMOKE:
            results = smoke(peer, processes)
        else:
            table(peer)
    if SMOKE:
        have_ended = all(process.poll() is not None for process in processes)
        report(results + [("the busy processes have ended", have_ended)])


main()
