"""The table "Exchange": times beside the peers, in one process with a Lua state, in turns.
    spec/bench/exchange.py         prints the table (make bench; with all peers make bench-exchange)
    spec/bench/exchange.py smoke   one turn each, compares the results (at the end of make peers)
Peers that are not there have no rows: 'make peers' gets them."""
import atexit
import os
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'peers'))
from common import check, end, lua, np  # noqa: E402
from lua_arrays import Exported  # noqa: E402

try:
    from PIL import Image
except ImportError:
    Image = None
try:
    from safetensors import safe_open
    from safetensors.numpy import save_file
except ImportError:
    save_file = None

SMOKE = 'smoke' in sys.argv
TURNS = 1 if SMOKE else 15
# in memory: saving flushes to the disk, which the others do not
folder = tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)
atexit.register(shutil.rmtree, folder, True)


def path(name):
    return os.path.join(folder, name)


def lua_time(code, *arguments):
    """A function that runs Lua code n times in Lua; seconds of one."""
    run = lua.eval('function(...) ' + code + ' end')
    return lambda: run(*arguments)


def measure(first, second):
    """Medians of the two, in turns."""
    times = ([], [])
    for turn in range(TURNS + 1):
        for i, f in enumerate((first, second)):
            start = time.perf_counter()
            f()
            if turn or TURNS == 1:
                times[i].append(time.perf_counter() - start)
    return [statistics.median(t) for t in times]


rows = []


def row(name, ours, theirs, limit, count=1, is_same=None):
    """'is_same' compares what the two return."""
    a, b = measure(ours, theirs)
    rows.append((name, a / count, b / count, a / b, limit))
    if SMOKE:
        check(not is_same or is_same(ours(), theirs()), name)


def same_elements(ours, theirs):
    return np.array_equal(np.from_dlpack(Exported(lua, ours)), theirs)


def calls():
    n = 2000 if TURNS == 1 else 200000
    lua.execute('A = nd.arange(1, 1e6):reshape(1000, 1000)')
    loop = 'for _ = 1, %d do local x = %s end'
    row('DLPack out and in, beside a view by reshape',
        lua_time(loop % (n, 'nd.from_dlpack(nd.to_dlpack(A))')),
        lua_time(loop % (n, 'A:reshape(100, 10000)')), 2, n)


def archives():
    x = np.random.default_rng(1).normal(size=(16, 1 << 20))
    np.save(path('x.npy'), x)
    np.savez(path('x.npz'), x=x)
    row('read a stored .npz of 128 MiB, beside .npy',
        lua_time('return nd.load("%s")' % path('x.npz')),
        lua_time('return nd.load("%s")' % path('x.npy')), 1.1,
        is_same=lambda a, b: same_elements(a.x, x) and same_elements(b, x))
    y = (x[:2] * 8).astype('i2')
    np.savez_compressed(path('y.npz'), y=y)

    def theirs():
        with np.load(path('y.npz')) as z:
            return z['y']
    row('read a deflated .npz of 4 MiB, beside NumPy',
        lua_time('return nd.load("%s")' % path('y.npz')),
        theirs, 1.05, is_same=lambda a, b: same_elements(a.y, b))


def images():
    if not Image:
        return
    y, x = np.mgrid[0:1200, 0:1600]
    noise = np.random.default_rng(2).integers(0, 20, (1200, 1600, 3))
    picture = (np.stack([x * 255 // 1600, y * 255 // 1200, (x + y) % 256], -1) // 2 + noise).astype(
        np.uint8)
    image = Image.fromarray(picture)
    for kind, options in (('png', {}), ('jpg', {'quality': 90, 'subsampling': 0})):
        image.save(path('p.' + kind), **options)
        row('read a .%s of 1600 x 1200, beside Pillow' % kind,
            lua_time('return nd.load("%s")' % path('p.' + kind)),
            lambda: np.asarray(Image.open(path('p.' + kind))), 1.05,
            is_same=lambda a, b: kind == 'jpg' or same_elements(a, b))
        lua.execute('P = nd.load "%s"' % path('p.png'))
        row('write a .%s, beside Pillow' % kind, lua_time('nd.save("%s", P)' % path('o.' + kind)),
            lambda: image.save(path('q.' + kind), **options), 1.05,
            is_same=lambda a, b: kind == 'jpg' or np.array_equal(
                np.asarray(Image.open(path('o.png'))), picture))


def tensors():
    if not save_file:
        return
    save_file({'t%d' % i: np.full((16, 16), i, np.float32) for i in range(1000)},
              path('t.safetensors'))

    def theirs():
        with safe_open(path('t.safetensors'), 'numpy') as f:
            return {k: f.get_tensor(k) for k in f.keys()}
    row('map a .safetensors of 1000 tensors, beside safetensors',
        lua_time('return nd.load("%s", {mmap = true})' % path('t.safetensors')), theirs, 1,
        is_same=lambda a, b: all(same_elements(a[0]['t%d' % i], b['t%d' % i])
                                 for i in range(1000)))


for part in (calls, archives, images, tensors):
    part()
if SMOKE:
    end()
print('| what | ndbuf | other | ratio | target | |')
print('|---|---|---|---|---|---|')
for name, a, b, ratio, limit in rows:
    print('| %s | %.4g ms | %.4g ms | %.2f | <= %g | %s |' % (
        name, a * 1e3, b * 1e3, ratio, limit, 'met' if ratio <= limit else 'not met'))
