# The table "Small arrays": NumPy's side, and the questions to ndbuf's and torch7's
# (spec/bench/small.lua).
#   spec/bench/small.py FLOORS         prints the table (make bench)
#   spec/bench/small.py FLOORS smoke   small, compares results with NumPy's (make bench-smoke)
# Three times there are new processes. Each row is measured in rounds: floor, ndbuf, NumPy, torch7,
# every second time in reverse. Figures are medians of all rounds, but for the first ones of each
# process, which warm up; ratios are medians of the rounds' own.
import sys
import timeit

import numpy as np
from peer import Peer, median, nanoseconds, print_head, print_row, ratio, report

SMOKE = sys.argv[2:] == ["smoke"]
PROCESSES, ROUNDS, STEPS = 3, 7, 20 if SMOKE else 20000
FLOOR, OWN, NUMPY, TORCH = range(4)


def values(first, count):
    return np.arange(first + 1, first + count + 1, dtype=float) * 7919 % 1000


data = {"np": np, "a": values(0, 10), "b": values(10, 10), "c": values(0, 10),
        "acc": values(0, 10), "m": values(20, STEPS * 10).reshape(STEPS, 10)}

# name, NumPy's step or its loop over the rows, floor, targets: of what, how much
ROWS = [
    ("make of 10, store, drop", "v = np.empty(10, np.float32); v[0] = 1", "malloc",
     [(FLOOR, 2.2), (NUMPY, 1.5)]),
    ("make of {10}, store, drop", "v = np.empty([10], np.float32); v[0] = 1", "malloc",
     [(FLOOR, 2.2), (NUMPY, 1.5)]),
    ("view: row m[i]", "v = m[4]", "gc", [(FLOOR, 1.3)]),
    ("view: m:narrow(…)", "v = m[1:6]", "gc", [(FLOOR, 1.3)]),
    ("view: m:select(…)", "v = m[:, 4]", "gc", [(FLOOR, 1.3)]),
    ('view: m"2:5, :"', "v = m[1:5, :]", "gc", [(FLOOR, 1.6)]),
    ("view: m.T", "v = m.T", "gc", [(FLOOR, 1.3)]),
    ("a + b", "v = a + b", "call", [(NUMPY, 1), (TORCH, 1)]),
    ("a:add(b, {out = c})", "v = np.add(a, b, out=c)", "call", [(NUMPY, 1), (TORCH, 1)]),
    ("a:sum()", "v = a.sum()", "call", [(NUMPY, 1), (TORCH, 1)]),
    ("c:copy_from(a)", "np.copyto(c, a); v = c", "call", [(NUMPY, 1), (TORCH, 1)]),
    ("c:fill(v)", "c.fill(7); v = c", "call", [(NUMPY, 1), (TORCH, 1)]),
    ("a:lt(b)", "v = a < b", "call", [(NUMPY, 1), (TORCH, 1)]),
    ("m:rows(), per row", "for row in m: v += row[0]", "call", [(None, 25e-9)]),
    ("row:sum()", "for row in m: v += row.sum()", "call", [(NUMPY, 0.5)]),
    ("acc:add_(row)", "v = acc\nfor row in m: v += row", "call", [(NUMPY, 1)]),
]
NAMES = {FLOOR: "the floor", NUMPY: "NumPy", TORCH: "torch7"}


def is_loop(body):
    return "for row" in body


def make_timer(body):
    """Seconds of a step, right behind a first run, as on ndbuf's side."""
    timer = timeit.Timer(body, "v = 0", globals=data)
    runs = 1 if is_loop(body) else STEPS

    def seconds():
        timer.timeit(runs)
        return timer.timeit(runs) / STEPS

    return seconds


def start():
    """ndbuf's process and, if torch7 is there, its own."""
    own = Peer("spec/bench/small.lua", sys.argv[1], "ndbuf", STEPS)
    torch = Peer("spec/bench/small.lua", sys.argv[1], "torch7", STEPS)
    if torch.ask("row", ROWS[0][0]) == "none":
        torch.end()
        torch = None
    return own, torch


def measure(own, torch, name, body, floor):
    """Rounds of [floor, ndbuf, NumPy, torch7 or None]."""
    own.ask("row", name)
    if torch:
        torch.ask("row", name)
    sides = [lambda: float(own.ask("floor", floor)), lambda: float(own.ask("seconds")),
             make_timer(body), lambda: float(torch.ask("seconds")) if torch else None]
    rounds = []
    for i in range(ROUNDS + 1):
        figures = [None] * 4
        for side in range(4) if i % 2 else reversed(range(4)):
            figures[side] = sides[side]()
        rounds.append(figures)
    return rounds[1:]


def figure(rounds, target):
    """What a target limits: a ratio, or seconds. None: what it compares with is not there."""
    if target[0] is None:
        return median([r[OWN] for r in rounds])
    return ratio(rounds, OWN, target[0]) if rounds[0][target[0]] else None


def show_target(of, most):
    return f"<= {nanoseconds(most)}" if of is None else f"<= {most}x {NAMES[of]}"


def show(name, floor, targets, rounds):
    def cells(side, text=""):
        if not rounds[0][side]:
            return "- | -"
        seconds = median([r[side] for r in rounds])
        return f"{nanoseconds(seconds)}{text} | {ratio(rounds, OWN, side):.2f}"

    figures = [(figure(rounds, target), target[1]) for target in targets]
    is_met = all(value <= most for value, most in figures if value is not None)
    print_row(name, nanoseconds(median([r[OWN] for r in rounds])), cells(FLOOR, f" ({floor})"),
              cells(NUMPY), cells(TORCH), ", ".join(show_target(*target) for target in targets),
              "met" if is_met else "missed")


def table():
    rounds = {name: [] for name, *_ in ROWS}
    for _ in range(PROCESSES):
        own, torch = start()
        for name, body, floor, _ in ROWS:
            rounds[name] += measure(own, torch, name, body, floor)
    print_head("work", "ndbuf", "floor", "ratio", "NumPy", "ratio", "torch7", "ratio", "target", "")
    for name, _, floor, targets in ROWS:
        show(name, floor, targets, rounds[name])


def smoke():
    own, torch = start()
    results = []
    for name, body, floor, _ in ROWS:
        space = dict(data, v=0)
        for _ in range(1 if is_loop(body) else 2):
            exec(body, space)
        if name.startswith("make"):
            space["v"] = 1  # the other elements are not defined
        for library, peer in ("ndbuf", own), ("torch7", torch):
            if peer:
                peer.ask("row", name)
                value = float(peer.ask("value"))
                results.append((f"{name}, {library}", value == np.sum(space["v"])))
        float(own.ask("floor", floor))
    report(results)


smoke() if SMOKE else table()
