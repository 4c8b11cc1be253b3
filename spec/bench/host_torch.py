# PyTorch's side of the table "Host memory speed" (spec/bench/host.py): what makes the function of a
# row, from NumPy's arrays, whose memory it works on.
import numpy as np
import torch

tensor = torch.from_numpy


def zeros(shape, dtype):
    """In memory of NumPy's, which is in huge pages; NumPy has no bf16."""
    if dtype == torch.bfloat16:
        return tensor(np.zeros(shape, np.int16)).view(dtype)
    return tensor(np.zeros(shape, dtype))


def copy(name, dtype, view=lambda x: x):
    """Into a tensor that is there, as all rows do that do not say otherwise."""
    def make(load):
        x = view(tensor(load(name)))
        z = zeros(tuple(x.shape), dtype)
        return lambda: z.copy_(x)
    return make


def call(fn, *names, dtype=np.float32):
    def make(load):
        x = [tensor(load(name)) for name in names]
        z = zeros(len(x[0]), dtype)
        return lambda: fn(z, *x)
    return make


def take_elements(z, a, index):
    """Of several functions that do it, the quickest on one thread uses only that one."""
    if torch.get_num_threads() == 1:
        return torch.index_select(a, 0, index, out=z)
    return torch.take(a, index, out=z)


def take(fn, name, width):
    def make(load):
        a, index = tensor(load("a")), tensor(load(name) - 1)
        if width > 1:
            a = a.reshape(-1, width)
        z = zeros((len(index),) + tuple(a.shape[1:]), np.float32)
        return lambda: fn(z, a, index)
    return make


def from_bf16(load):
    x = zeros(len(load("a")), torch.bfloat16).copy_(tensor(load("a")))
    z = zeros(len(x), np.float32)
    return lambda: z.copy_(x)


def side(a):
    return round(len(a) ** 0.5)


def square(a):
    return a.reshape(side(a), side(a)).T


def cube(a):
    c = round(side(a) ** (2 / 3))
    return a[:c ** 3].reshape(c, c, c).permute(2, 0, 1)


SIDES = {
    "contiguous copy": copy("a", "f4"),
    "clone": call(lambda z, a: a.clone(), "a"),
    "transpose f32": copy("a", "f4", square),
    "transpose u8": copy("bytes", "u1", square),
    "permute (3,1,2) f32": copy("a", "f4", cube),
    "NHWC u8 to NCHW f32": copy("images", "f4", lambda x: x.permute(0, 3, 1, 2)),
    "every second element": copy("a", "f4", lambda a: a[::2]),
    "f32 to f64": copy("a", "f8"),
    "f64 to f32": copy("wide", "f4"),
    "f32 to i32": copy("whole", "i4"),
    "u8 to f32": copy("bytes", "f4"),
    "i16 to f32": copy("shorts", "f4"),
    "f32 to f16": copy("a", "f2"),
    "f16 to f32": copy("half", "f4"),
    "f32 to bf16": copy("a", torch.bfloat16),
    "bf16 to f32": from_bf16,
    "sum f32": call(lambda z, a: a.sum(), "a"),
    "max f32": call(lambda z, a: a.max(), "a"),
    "min f32": call(lambda z, a: a.min(), "a"),
    "argmax f32": call(lambda z, a: a.argmax(), "a"),
    "count a mask": call(lambda z, m: m.count_nonzero(), "mask"),
    "a + b into c": call(lambda z, a, b: torch.add(a, b, out=z), "a", "b"),
    "exp f32": call(lambda z, a: torch.exp(a, out=z), "a"),
    "a < b into a mask": call(lambda z, a, b: torch.lt(a, b, out=z), "a", "b", dtype=bool),
    "two masks, and": call(lambda z, a, b: torch.logical_and(a, b, out=z), "mask", "other_mask",
                           dtype=bool),
    "a or b by a mask": call(lambda z, m, a, b: torch.where(m, a, b, out=z), "mask", "a", "b"),
    "a[mask], half selected": call(lambda z, a, m: a[m], "a", "mask"),
    "take n/4 random elements": take(take_elements, "index", 1),
    "take n/4 random rows of 4":
        take(lambda z, a, index: torch.index_select(a, 0, index, out=z), "rows", 4),
    "sort f32": call(lambda z, a: torch.sort(a).values, "a"),
}


def bytes_of(result):
    """As NumPy's array, or its number."""
    if result.ndim == 0:
        return result.item()
    return (result.view(torch.int16) if result.dtype == torch.bfloat16 else result).numpy()
