# The table "Factorisations of matrices": ndbuf's beside NumPy's in one run; of one LAPACK where
# that is the one that NumPy is linked to, as Debian's is.
#   spec/bench/factors.py         prints the table (make bench)
#   spec/bench/factors.py smoke   small, compares results with NumPy's (make bench-smoke)
# Rounds and ratios are as in spec/bench/products.py. ndbuf works on a matrix by one thread.
import os
import sys

import numpy as np
from peer import Peer, mean_seconds, median, milliseconds, print_head, print_row, ratio, report

SMOKE = sys.argv[1:] == ["smoke"]
PROCESSORS = len(os.sched_getaffinity(0))
ROUNDS, SECONDS = (1, 0) if SMOKE else (9, 0.1)
SIDE, COUNT = (40, 50) if SMOKE else (512, 10000)

# name of ndbuf's function, NumPy's, number of matrices, their side, columns of the right-hand side
ROWS = [
    ("solve", np.linalg.solve, 1, SIDE, 8), ("inv", np.linalg.inv, 1, SIDE, 0),
    ("svd", np.linalg.svd, 1, SIDE // 2, 0), ("eigvalsh", np.linalg.eigvalsh, 1, SIDE // 2, 0),
    ("solve", np.linalg.solve, COUNT, 8, 1), ("inv", np.linalg.inv, COUNT, 8, 0),
    ("det", np.linalg.det, COUNT, 8, 0),
]


def operands(count, side, columns):
    """As in spec/bench/factors.lua."""
    def pattern(rows, cols):
        at = np.arange(count * rows * cols, dtype="f8")
        return (at * 5 % 7 - 3).reshape(count, rows, cols)
    list = [pattern(side, side) + np.eye(side) * (4 * side)]
    if columns:
        list.append(pattern(side, columns))
    return [a[0] for a in list] if count == 1 else list


def measure(row, peer, threads):
    name, function, *shape = row
    arguments = operands(*shape)
    peer.ask("threads", threads)
    peer.ask("make", *shape)
    rounds = []
    for i in range(ROUNDS):
        times = {}
        for who in ("numpy", "ndbuf") if i % 2 == 0 else ("ndbuf", "numpy"):
            times[who] = (mean_seconds(lambda: function(*arguments), SECONDS) if who == "numpy" else
                          float(peer.ask("run", name, SECONDS)))
        rounds.append(times)
    return rounds


def work_of(row):
    name, _, count, side, columns = row
    text = f"{name} of " + ("" if count == 1 else f"{count} times ") + f"{side} x {side}"
    return f"{text}, {columns} right-hand sides" if columns else text


def table(peer):
    print(f"NumPy {np.__version__}; ndbuf factorises by {peer.ask('who')}.\n")
    print_head("work", "threads", "NumPy", "ndbuf", "ratio")
    for row in ROWS:
        for threads in sorted({1, PROCESSORS}):
            rounds = measure(row, peer, threads)
            print_row(work_of(row), threads,
                      *(milliseconds(median([r[who] for r in rounds]))
                        for who in ("numpy", "ndbuf")), f"{ratio(rounds, 'ndbuf', 'numpy'):.2f}")


def smoke(peer):
    results = []
    for row in ROWS:
        measure(row, peer, 2)
        result = row[1](*operands(*row[2:]))
        wanted = np.abs(result[0] if isinstance(result, tuple) else result).sum()
        got = float(peer.ask("value", row[0]))
        results.append((work_of(row), bool(abs(got - wanted) <= 1e-9 * (1 + wanted))))
    report(results)


def main():
    peer = Peer("spec/bench/factors.lua")
    (smoke if SMOKE else table)(peer)


main()
