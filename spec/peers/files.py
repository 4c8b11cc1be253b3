"""Files against NumPy (npz), safetensors and Pillow (png, jpg): each reads what the other writes;
and what is damaged, both refuse."""
import atexit
import io
import os
import shutil
import struct
import sys
import tempfile
import zipfile

from common import DTYPES, cases, check, elements, end, lua, np, shape_of, share, view_of
from lua_arrays import Exported, imported

folder = tempfile.mkdtemp()
atexit.register(shutil.rmtree, folder, True)
load = lua.eval('function(p, o) local fine, a, b = pcall(nd.load, p, o)'
                ' if not fine then return nil, (tostring(a):gsub("[\\128-\\255]", "?")) end'
                ' return a, b end')
save = lua.eval('function(p, a, o) nd.save(p, a, o) end')
table = lua.eval('function() return {} end')
names_of = lua.eval('function(t) local n = {} for k in pairs(t) do n[#n + 1] = k end'
                    ' table.sort(n) return n end')
MAP = lua.eval('{mmap = true}')


def path_of(name):
    return os.path.join(folder, name)


def numpy_of(a):
    """The elements, whatever the dtype: NumPy before 1.25 takes no bool."""
    if a.dtype == 'bool':
        return np.from_dlpack(Exported(lua, lua.eval('function(a) return a:bitcast "u8" end')(
            lua.eval('function(a) return a:clone() end')(a)))).view(bool)
    return np.from_dlpack(Exported(lua, lua.eval('function(a) return a:clone() end')(a)))


def lua_of(x):
    return imported(lua, x.view(np.uint8)).bitcast(imported(lua, x.view(np.uint8)), 'bool') \
        if x.dtype == bool else imported(lua, x)


def same(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def npz():
    for i, rng in cases('npz', 150):
        codes = list(DTYPES)
        data = {'%s%d' % ('aü/'[k % 3], k): elements(rng, str(rng.choice(codes)), shape_of(rng))
                for k in range(rng.integers(0, 6))}
        data = {k: np.asarray(v, order='CF'[int(rng.integers(0, 2))]) for k, v in data.items()}
        theirs, ours = path_of('theirs.npz'), path_of('ours.npz')
        is_packed = i % 2
        (np.savez_compressed if is_packed else np.savez)(theirs, **data)
        for options in [None] if is_packed else [None, MAP]:
            back, _ = load(theirs, options)
            check(set(names_of(back).values()) == set(data), 'names', i)
            for k in data:
                check(same(numpy_of(back[k]), data[k]), 'npz in', i, k, data[k].shape)
        t = table()
        for k in data:
            t[k] = lua_of(np.ascontiguousarray(data[k]).reshape(data[k].shape))
        save(ours, t)
        with np.load(ours) as z:
            check(sorted(z) == sorted(data), 'npz out: names', i)
            check(all(same(z[k], data[k]) for k in data), 'npz out', i)
        with zipfile.ZipFile(ours) as z:
            check(z.testzip() is None, 'crc', i)
        back, _ = load(ours, MAP)
        for k in data:
            a = back[k]
            check(a.size == 0 or lua.eval('function(a) return a:address() end')(a) % 64 == 0,
                  'aligned', i, k)


def large_npz():
    """A member of more than 4 GiB, and one behind it; at full length only, as it takes long."""
    if share < 1:
        return
    path = path_of('large.npz')
    lua.eval('function(p) local a = nd.zeros({2^32 + 100}, "u8") a[1], a[-1] = 7, 9'
             ' nd.save(p, {a = a, b = nd.arange(1, 10)}) a:free() end')(path)
    with np.load(path) as z:
        check(z['b'].tolist() == list(range(1, 11)), 'large: behind')
        a = z['a']
        check(a.shape == (2**32 + 100,) and (a[0], a[1], a[-1]) == (7, 0, 9), 'large')
    back, _ = load(path, MAP)
    check(back.a.size == 2**32 + 100 and back.b.size == 10, 'large, mapped')
    del back, a
    os.remove(path)


def damaged_npz():
    """A byte changed anywhere, or cut off: refused, or read as NumPy reads it."""
    for packed in (np.savez, np.savez_compressed):
        packed(path_of('x.npz'), x=np.arange(40.), y=np.arange(6, dtype='i2').reshape(2, 3))
        text = open(path_of('x.npz'), 'rb').read()
        for i, rng in cases('damage', 600):
            at = int(rng.integers(0, len(text)))
            bad = text[:at] if i % 3 == 0 else (
                text[:at] + bytes([text[at] ^ int(rng.integers(1, 256))]) + text[at + 1:])
            open(path_of('bad.npz'), 'wb').write(bad)
            ours, why = load(path_of('bad.npz'))[:2]
            try:
                with np.load(io.BytesIO(bad)) as z:
                    theirs = {k: z[k] for k in z}
            except Exception:
                theirs = None
            check(ours is None or theirs is not None, 'we alone take it', i, at)
            if ours is not None and theirs is not None:
                names = list(names_of(ours).values())
                check(sorted(names) == sorted(theirs), 'names', i, at)
                check(all(same(numpy_of(ours[k]), theirs[k]) for k in names if k in theirs),
                      'other elements', i, at)
            check(ours is not None or folder in why, 'message', i, why)


def safetensors():
    from safetensors.numpy import load_file, save_file
    from safetensors import safe_open
    codes = [c for c in DTYPES if c != 'c16' and c != 'c8']
    for i, rng in cases('safetensors', 150):
        data = {'%s%d' % ('aü"'[k % 3], k): elements(rng, str(rng.choice(codes)), shape_of(rng))
                for k in range(rng.integers(1, 6))}
        texts = {'k%d' % k: 'v"\n\u00fc\U0001f600%d' % k for k in range(rng.integers(0, 3))}
        theirs, ours = path_of('theirs.safetensors'), path_of('ours.safetensors')
        save_file({k: np.ascontiguousarray(v).reshape(v.shape) for k, v in data.items()}, theirs,
                  texts or None)
        for options in [None, MAP]:
            back, more = load(theirs, options)
            check(set(names_of(back).values()) == set(data), 'names', i)
            check({k: more[k] for k in names_of(more).values()} == texts, 'metadata', i)
            for k in data:
                check(same(numpy_of(back[k]), data[k]), 'safetensors in', i, k)
        t, m = table(), table()
        for k in data:
            t[k] = lua_of(np.ascontiguousarray(data[k]).reshape(data[k].shape))
        for k in texts:
            m[k] = texts[k]
        options = table()
        options['metadata'] = m
        save(ours, t, options)
        back = load_file(ours)
        check(sorted(back) == sorted(data) and all(same(back[k], data[k]) for k in data), 'out', i)
        with safe_open(ours, 'numpy') as f:
            check((f.metadata() or {}) == texts, 'metadata out', i)


# Headers, with bytes of data behind; those that only we refuse are marked.
HEADERS = [
    (b'{}', 0, True), (b'{}   ', 0, True), (b' {}', 0, None), (b'{} x', 0, False), (b'', 0, False),
    (b'{', 0, False), (b'[]', 0, False), (b'{"a":1}', 0, False), (b'{"__metadata__":{}}', 0, True),
    (b'{"__metadata__":{"a":1}}', 0, False), (b'{"__metadata__":{"a":"b","a":"c"}}', 0, None),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4, True),
    (b'{"a":{"shape":[1],"data_offsets":[0,4],"dtype":"F32"}}', 4, True),
    (b'{ "a" : { "dtype" : "F32" , "shape" : [ 1 ] , "data_offsets" : [ 0 , 4 ] } }', 4, True),
    (b'{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}', 4, True),
    (b'{"a":{"dtype":"F32","shape":[0,7],"data_offsets":[0,0]}}', 0, True),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 5, False),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 3, False),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}', 5, False),
    (b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[1e0],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"X","shape":[1],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[1]}}', 4, False),
    (b'{"a":{"dtype":"F32","data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"shape":[1],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}}', 4, None),
    (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},}', 4, False),
    (b'{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},'
     b'"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}', 3, False),
    (b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
     b'"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}', 3, False),
    (b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
     b'"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}', 2, None),
    (b'{"a":{"dtype":"F32","shape":[18446744073709551615,2],"data_offsets":[0,4]}}', 4, False),
    (b'{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}', 0, False),
    (b'{"\\ud800":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 1, False),
    (b'{"\xff":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 1, False),
    (b'{"\\u00e4\\ud83d\\ude00":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 1, True),
    (b'{"\x01":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 1, False),
    (b'{"\\x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 1, False),
    (b'{"a":' + b'[' * 100000 + b']' * 100000 + b'}', 0, False),
    (b'{"a":' + b'{"a":' * 100000 + b'1' + b'}' * 100000 + b'}', 0, False),
]


def damaged_safetensors():
    from safetensors import deserialize
    for header, count, expected in HEADERS:
        text = struct.pack('<Q', len(header)) + header + bytes(count)
        open(path_of('bad.safetensors'), 'wb').write(text)
        ours = load(path_of('bad.safetensors'))[0] is not None
        try:
            theirs = deserialize(text) is not None
        except Exception:
            theirs = False
        check(ours == (expected is True), 'ours', header[:80])
        check(expected is None or theirs == expected, 'theirs', header[:80], theirs)
    for size in (100000001, 2**63, 2**64 - 1, 50):
        open(path_of('bad.safetensors'), 'wb').write(struct.pack('<Q', size) + b'{}')
        check(load(path_of('bad.safetensors'))[0] is None, 'length', size)
    good = path_of('theirs.safetensors')
    text = open(good, 'rb').read()
    for i, rng in cases('st damage', 600):
        at = int(rng.integers(0, len(text)))
        bad = text[:at] if i % 3 == 0 else (
            text[:at] + bytes([text[at] ^ int(rng.integers(1, 256))]) + text[at + 1:])
        open(path_of('bad.safetensors'), 'wb').write(bad)
        ours = load(path_of('bad.safetensors'))[0]
        try:
            theirs = dict(deserialize(bad))
        except Exception:
            theirs = None
        check(ours is None or theirs is not None, 'we alone take it', i, at)
        if ours is not None and theirs is not None:
            check(sorted(names_of(ours).values()) == sorted(theirs), 'names', i)


def png():
    from PIL import Image
    modes = {'L': 1, 'LA': 2, 'RGB': 3, 'RGBA': 4}
    for i, rng in cases('png', 200):
        mode = list(modes)[i % 4]
        shape = tuple(int(n) for n in rng.integers(1, 60, 2))
        shape += (modes[mode],) if mode != 'L' else ()
        x = rng.integers(0, 256, shape, np.uint8)
        Image.fromarray(x, mode).save(path_of('theirs.png'))
        check(same(numpy_of(load(path_of('theirs.png'))[0]), x), 'png in', i, shape)
        y, a, _ = view_of(rng, x, imported(lua, x))
        if y.ndim == x.ndim and y.size and (y.ndim == 2 or 1 <= y.shape[2] <= 4):
            save(path_of('ours.png'), a)
            z = np.asarray(Image.open(path_of('ours.png')))
            check(same(z.reshape(y.shape), np.ascontiguousarray(y)), 'png out', i, y.shape)
    for i, rng in cases('png16', 50):
        x = rng.integers(0, 65536, tuple(int(n) for n in rng.integers(1, 60, 2)), np.uint16)
        Image.fromarray(x).save(path_of('theirs.png'))
        check(same(numpy_of(load(path_of('theirs.png'))[0]), x), 'png16 in', i)
        save(path_of('ours.png'), imported(lua, x))
        check(np.array_equal(np.asarray(Image.open(path_of('ours.png'))), x), 'png16 out', i)
    for i, rng in cases('palette', 30):
        x = rng.integers(0, 256, (20, 30, 3), np.uint8)
        image = Image.fromarray(x).quantize(int(rng.integers(2, 200)))
        image.save(path_of('theirs.png'))
        check(same(numpy_of(load(path_of('theirs.png'))[0]), np.asarray(image.convert('RGB'))),
              'palette', i)
        bits = Image.fromarray(rng.integers(0, 2, (20, 30)).astype(bool))
        bits.save(path_of('theirs.png'))
        ours = numpy_of(load(path_of('theirs.png'))[0])
        check(np.array_equal(ours > 0, np.asarray(bits)), 'bits')


def jpg():
    from PIL import Image
    y, x = np.mgrid[0:97, 0:131]
    for i, rng in cases('jpg', 60):
        grey = (127 + 60 * np.sin(x / rng.uniform(3, 40)) + 60 * np.cos(y / rng.uniform(3, 40)))
        image = grey.astype(np.uint8) if i % 2 else np.stack(
            [grey, grey.T[:97, :97].repeat(2, 1)[:, :131], 255 - grey], -1).astype(np.uint8)
        Image.fromarray(image).save(path_of('theirs.jpg'), quality=90, subsampling=0)
        ours = numpy_of(load(path_of('theirs.jpg'))[0])
        theirs = np.asarray(Image.open(path_of('theirs.jpg')))
        check(ours.shape == theirs.shape and np.abs(ours.astype(int) - theirs).max() <= 2, 'in', i)
        options = table()
        options['quality'] = 90
        save(path_of('ours.jpg'), imported(lua, image), options)
        back = np.asarray(Image.open(path_of('ours.jpg')))
        check(back.shape == image.shape and np.abs(back.astype(int) - theirs).max() <= 2, 'out', i)


def subsampled_jpg():
    """Colours at half the resolution: by the same rules of interpolation as Pillow's library."""
    from PIL import Image
    for i, rng in cases('subsampled', 40):
        rows, columns = (int(n) for n in rng.integers(1, 90, 2))
        image = np.cumsum(rng.normal(0, 3, (rows, columns, 3)), 1) + rng.integers(0, 256, 3)
        image = np.clip(image, 0, 255).astype(np.uint8)
        Image.fromarray(image).save(path_of('theirs.jpg'), quality=int(rng.integers(20, 100)),
                                    subsampling=1 + i % 2, progressive=bool(i % 3 == 0))
        ours = numpy_of(load(path_of('theirs.jpg'))[0])
        theirs = np.asarray(Image.open(path_of('theirs.jpg')))
        check(ours.shape == theirs.shape and np.abs(ours.astype(int) - theirs).max() <= 2, 'in', i,
              ours.shape)


def torch_safetensors():
    """The dtypes that NumPy lacks."""
    import torch
    from safetensors.torch import load_file, save_file
    dtypes = {'bf16': torch.bfloat16, 'f8e4m3': torch.float8_e4m3fn, 'f8e5m2': torch.float8_e5m2}
    bitcast = lua.eval('function(a, dtype) return a:bitcast(dtype) end')
    for i, rng in cases('torch safetensors', 60):
        data, t = {}, table()
        for k in range(int(rng.integers(1, 5))):
            name = list(dtypes)[int(rng.integers(0, 3))]
            bits = elements(rng, 'u2' if name == 'bf16' else 'u1', shape_of(rng))
            data[name + str(k)] = torch.from_numpy(bits).view(dtypes[name])
            t[name + str(k)] = bitcast(lua_of(bits), name)
        save_file(data, path_of('theirs.safetensors'))
        save(path_of('ours.safetensors'), t)
        back = load_file(path_of('ours.safetensors'))
        ours, _ = load(path_of('theirs.safetensors'))
        check(sorted(back) == sorted(data) == sorted(names_of(ours).values()), 'names', i)
        for k, x in data.items():
            bits = torch.uint16 if x.dtype == torch.bfloat16 else torch.uint8
            check(back[k].dtype == x.dtype and torch.equal(back[k].view(bits), x.view(bits)),
                  'out', i, k)
            check(ours[k].dtype == k[:-1], 'dtype', i, k, ours[k].dtype)
            check(same(numpy_of(bitcast(ours[k], 'u%d' % (8 * x.element_size()))),
                       x.view(bits).numpy()), 'in', i, k)


def swapped_npz():
    """Big-endian members."""
    for i, rng in cases('swapped', 40):
        codes = [c for c in DTYPES if c not in ('?', 'i1', 'u1')]
        data = {c: elements(rng, c, shape_of(rng)) for c in codes}
        np.savez(path_of('theirs.npz'), **{k: v.astype('>' + k) for k, v in data.items()})
        back, _ = load(path_of('theirs.npz'))
        for k, v in data.items():
            check(same(numpy_of(back[k]), v), 'npz in', i, k)
        if any(v.size > 0 for v in data.values()):
            check(load(path_of('theirs.npz'), MAP)[0] is None, 'mapped', i)


specs = {'numpy': [npz, damaged_npz, swapped_npz, large_npz],
         'safetensors': [safetensors, damaged_safetensors], 'torch': [torch_safetensors],
         'pillow': [png, jpg, subsampled_jpg]}
for name in sys.argv[1:]:
    for spec in specs[name]:
        spec()
end()
