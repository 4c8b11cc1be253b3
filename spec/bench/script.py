# NumPy's side of the table "Script speed": name, tab, nanoseconds.
import time

import numpy as np


def best(count, fn, rounds=7):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        fn()
        times.append(time.perf_counter() - start)
    return min(times) * 1e9 / count


m = np.zeros((100, 1000))
table = [[i + j / 7 for j in range(1000)] for i in range(1000)]
big = np.random.random((4096, 4096))


def row(name, n, fn):
    print(f"{name}\t{best(n, fn):.3f}")


def each(n, body):
    def run():
        for i in range(n):
            body(i)

    return run


for dtype, name in ((np.float64, "f64"), (np.float32, "f32"), (np.int32, "i32"), (np.uint8, "u8")):
    v = np.zeros(100000, dtype)
    row(f"read a[i], {name}", 100000, each(100000, lambda i: v[i]))
    row(f"write a[i] = v, {name}", 100000, each(100000, lambda i: v.__setitem__(i, 7)))
row("read a(i, j)", 100000, each(100000, lambda i: m[50, 500]))
row("nested table 1000x1000, per element", 1000000, lambda: np.array(table))
row("tostring of 4096x4096", 20, each(20, lambda i: str(big)))
