# The table "Pipelines": NumPy's side, and the questions to ndbuf's (spec/bench/pipelines.lua),
# which runs the functions of examples/pipelines.lua. One thread each.
#   spec/bench/pipelines.py         prints the table (make bench)
#   spec/bench/pipelines.py smoke   small, compares results with NumPy's (make bench-smoke)
# Each row is measured in rounds: ndbuf, then NumPy, every second time in reverse, each right behind
# a run that warms up. Times are medians of seven rounds after a first one, ratios are medians of
# the rounds' own.
import os
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402
from numpy.lib.stride_tricks import sliding_window_view  # noqa: E402
from peer import Peer, median, milliseconds, print_head, print_row, ratio, report  # noqa: E402

SMOKE = sys.argv[1:] == ["smoke"]
ROUNDS = 7
SORT = "stable" if SMOKE else None  # equal keys in order, as ndbuf's are; or faster, in any order
folder = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(folder.name, name)


def load(name):
    return np.load(path(name + ".npy"))


LOG = np.dtype([("time", ">u4"), ("station", "u1"), ("temperature", "<i2"), ("pressure", "<f4"),
                ("wind", ">u2")])


def record_log():
    log = np.memmap(path("random.log"), LOG, "r", 12)
    calm = log["wind"] < 30000
    station = log["station"][calm]
    sums = np.bincount(station, log["temperature"][calm], minlength=256)
    return sums / np.maximum(np.bincount(station, minlength=256), 1)


def loudness(sound, size, step):
    frames = sliding_window_view(sound, size)[::step]
    is_negative = sound < 0
    crosses = is_negative[1:] != is_negative[:-1]
    crossings = np.count_nonzero(sliding_window_view(crosses, size - 1)[::step], axis=1)
    return np.sqrt(np.square(frames).mean(axis=1)), crossings


def normalise(images, mean, deviation):
    mean = np.array(mean, np.float32)[:, None, None]
    deviation = np.array(deviation, np.float32)[:, None, None]
    batch = np.ascontiguousarray(images.transpose(0, 3, 1, 2), np.float32)
    batch *= 1 / (255 * deviation)
    batch -= mean / deviation
    return batch


def k_means(points, centres, rounds):
    k = len(centres)
    for _ in range(rounds):
        # the squares of the points are the same for all centres
        distance = (centres * centres).sum(axis=1) - 2 * points @ centres.T
        label = distance.argmin(axis=1)
        counts = np.bincount(label, minlength=k)
        sums = [np.bincount(label, column, minlength=k) for column in points.T]
        centres = np.stack(sums, axis=1) / np.maximum(counts, 1)[:, None]
    return centres, label + 1


def moving_average(values, size):
    sums = np.cumsum(values)
    sums[size:] = sums[size:] - sums[:-size]
    return sums[size - 1:] / size


def join(left_key, left_value, right_key, right_value):
    i, j = left_key.argsort(kind=SORT), right_key.argsort(kind=SORT)
    a, b = left_key[i], right_key[j]
    at = np.minimum(np.searchsorted(b, a), len(b) - 1)
    is_there = b[at] == a
    return a[is_there], left_value[i[is_there]], right_value[j[at[is_there]]]


def call(fn, *arguments):
    """Of the inputs that are named, and other arguments."""
    def make():
        values = [load(x) if isinstance(x, str) else x for x in arguments]
        return lambda: fn(*values)
    return make


def make_k_means():
    points = load("points")
    return lambda: k_means(points, points[:8], 5)


# name, NumPy's side
ROWS = [
    ("record log", lambda: record_log),
    ("audio RMS and zero crossings", call(loudness, "sound", 1024, 256)),
    ("image normalise, NHWC u8 to NCHW f32",
     call(normalise, "images", [0.485, 0.456, 0.406], [0.229, 0.224, 0.225])),
    ("histogram", call(lambda x: np.histogram(x, 256, (-4, 4))[0], "values")),
    ("k-means", make_k_means),
    ("moving average", call(moving_average, "series", 100)),
    ("sort and join", call(join, "left_key", "left_value", "right_key", "right_value")),
]


def seconds(run):
    run()
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measure(peer, name, make):
    peer.ask("row", name)
    run = make()
    rounds = []
    for i in range(ROUNDS + 1):
        figures = [None, None]
        for side in (0, 1) if i % 2 else (1, 0):
            figures[side] = seconds(run) if side else float(peer.ask("seconds"))
        rounds.append(figures)
    return rounds[1:]


def table(peer):
    print_head("pipeline", "ndbuf", "NumPy", "ratio", "target", "")
    for name, make in ROWS:
        rounds = measure(peer, name, make)
        own, numpy = (milliseconds(median([r[side] for r in rounds])) for side in (0, 1))
        value = ratio(rounds, 0, 1)
        print_row(name, own, numpy, f"{value:.2f}", "<= NumPy", "met" if value <= 1 else "missed")


def is_same(results, expected):
    if not isinstance(expected, tuple):
        expected = expected,
    return len(results) == len(expected) and all(
        x.shape == y.shape and np.allclose(x, y, rtol=1e-5, atol=1e-6)
        for x, y in zip(results, expected))


def smoke(peer):
    results = []
    for name, make in ROWS:
        peer.ask("row", name)
        count = int(peer.ask("results"))
        arrays = [load(f"result{i}") for i in range(1, count + 1)]
        results.append((name, is_same(arrays, make()())))
    report(results)


(smoke if SMOKE else table)(Peer("spec/bench/pipelines.lua", folder.name, 100 if SMOKE else 1))
