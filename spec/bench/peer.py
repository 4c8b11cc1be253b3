# What the drivers of tables share: a process of ours that they ask, medians, printing.
import os
import subprocess
import sys
import time


class Peer:
    """A Lua program that answers each line by a line (spec/bench/peer.lua)."""

    def __init__(self, *arguments):
        self.name = arguments[0]
        self.process = subprocess.Popen(
            [os.environ.get("LUAJIT", "luajit"), *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"{self.name} ended at: " + " ".join(map(str, words)))
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def mean_seconds(call, least):
    """Of a call, for so many seconds at least, behind a first one."""
    call()
    count, start = 0, time.perf_counter()
    while True:
        call()
        count += 1
        seconds = time.perf_counter() - start
        if seconds >= least:
            return seconds / count


def median(values):
    return sorted(values)[len(values) // 2]


def ratio(rounds, own, other):
    """The median of the ratios of the rounds."""
    return median([r[own] / r[other] for r in rounds])


def nanoseconds(seconds):
    return f"{seconds * 1e9:.3g} ns" if seconds < 1e-6 else f"{seconds * 1e9:.0f} ns"


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g} ms"


def time_text(seconds):
    return f"{seconds * 1e6:.3g} us" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def print_head(*names):
    print("| " + " | ".join(names) + " |\n|" + "---|" * len(names), flush=True)


def print_row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def report(results):
    """Pairs of a name and whether it is as it should be: the end of a run of bench-smoke."""
    for name, good in results:
        print(("ok " if good else "not ok ") + name)
    failed = sum(not good for _, good in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(failed > 0)
