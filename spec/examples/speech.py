# The oracle of speech_spec.lua: computes from the WAV what examples/speech.lua saved, and compares.
#   speech.py FILE.wav FRAMES.npy       prints the number of frames
import sys, wave
import numpy as np

with wave.open(sys.argv[1], 'rb') as w:
    rate, channels = w.getframerate(), w.getnchannels()
    assert w.getsampwidth() == 2
    sound = np.frombuffer(w.readframes(w.getnframes()), '<i2').reshape(-1, channels)[:, 0]

size, step = int(rate * 0.025), int(rate * 0.010)
frames = np.lib.stride_tricks.sliding_window_view(sound, size)[::step].astype(np.int64)
energy = np.sqrt((frames ** 2).sum(axis=1) / size) / 32768
crossings = ((frames[:, 1:] < 0) != (frames[:, :-1] < 0)).sum(axis=1)

got = np.load(sys.argv[2])
assert got.dtype == np.float64 and got.shape == (len(frames), 2), (got.dtype, got.shape)
assert (got[:, 0] == energy).all(), abs(got[:, 0] - energy).max()
assert (got[:, 1] == crossings).all()
print(len(frames))
