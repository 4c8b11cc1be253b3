"""Makes ball1.ppm, ball2.ppm and ball3.ppm: python3 examples/data/scenes.py (needs NumPy)."""
import os

import numpy as np

WIDTH, HEIGHT = 160, 120
BALLS = [((0.0, 0.1, 3.2), 0.9, (0.85, 0.25, 0.15)), ((1.1, -0.35, 2.6), 0.45, (0.2, 0.45, 0.9)),
         ((-1.05, -0.3, 2.4), 0.5, (0.95, 0.8, 0.25))]


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def render(angle):
    y, x = np.mgrid[0.75:-0.75:HEIGHT * 1j, -1:1:WIDTH * 1j]
    ray = unit(np.stack([x, y, np.full_like(x, 1.4)], -1))
    light = unit(np.array([np.sin(angle), 0.9, -np.cos(angle)]))
    floor = np.where(ray[..., 1] < 0, -0.8 / np.minimum(ray[..., 1], -1e-9), np.inf)
    at = ray * np.where(np.isfinite(floor), floor, 0)[..., None]
    tiles = (np.floor(at[..., 0] * 2) + np.floor(at[..., 2] * 2)) % 2
    sky = np.array([0.55, 0.7, 0.95]) * (0.6 + 0.8 * y[..., None].clip(0))
    fade = np.exp(-0.12 * np.where(np.isfinite(floor), floor, 0))[..., None]
    color = np.where(np.isfinite(floor)[..., None],
                     (0.25 + 0.45 * tiles[..., None]) * fade + 0.6 * (1 - fade), sky)
    for center, radius, _ in BALLS:  # shadows on the floor
        to = np.array(center) - at
        along = to @ light
        off = np.linalg.norm(to - along[..., None] * light, axis=-1)
        shadow = np.isfinite(floor) & (along > 0) & (off < radius)
        color = np.where(shadow[..., None], color * 0.45, color)
    nearest = floor
    for center, radius, tint in BALLS:
        b = ray @ np.array(center)
        root = b * b - np.dot(center, center) + radius * radius
        t = b - np.sqrt(root.clip(0))
        hit = (root > 0) & (t < nearest)
        normal = unit(ray * t[..., None] - np.array(center))
        shade = (normal @ light).clip(0)
        mirror = ray - 2 * (ray * normal).sum(-1, keepdims=True) * normal
        gloss = (mirror @ light).clip(0) ** 40
        lit = np.array(tint) * (0.18 + 0.82 * shade)[..., None] + 0.7 * gloss[..., None]
        color = np.where(hit[..., None], lit, color)
        nearest = np.where(hit, t, nearest)
    grain = np.random.default_rng(int(angle * 10) + 100).normal(0, 0.01, color.shape)
    return (255 * (color + grain).clip(0, 1) ** (1 / 1.8) + 0.5).astype(np.uint8)


folder = os.path.dirname(os.path.abspath(__file__))
for number, angle in enumerate((-1.1, -0.2, 0.9), 1):
    with open("%s/ball%d.ppm" % (folder, number), "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + render(angle).tobytes())
