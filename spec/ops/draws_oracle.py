"""How far numbers are from the distribution that they are said to have.

A line: the distribution, its two parameters, a file of numbers (npy). The answer: of continuous
ones sqrt(n) times the statistic of Kolmogorov and Smirnov; of discrete ones chi-square, less its
mean, in standard deviations. The distributions are computed here from their densities."""
import math
import sys

import numpy as np

gamma = math.lgamma


def integral(density, low, high, x):
    """The integral of a density up to x, by the trapezoidal rule: its ends are flat."""
    t = np.linspace(low, high, 400001)
    f = np.exp(density(t))
    sums = np.concatenate([[0], np.cumsum((f[1:] + f[:-1]) / 2) * (t[1] - t[0])])
    return np.interp(x, t, sums)


def gamma_cdf(x, k):
    high = math.log(k + 40 * math.sqrt(k) + 60)
    low = max(-745.0, high - 8 - 60 / k)
    with np.errstate(divide='ignore'):
        return integral(lambda t: k * t - np.exp(t) - gamma(k), low, high, np.log(x))


def beta_cdf(x, a, b):
    """Over log(x / (1 - x))."""
    scale = gamma(a + b) - gamma(a) - gamma(b)
    with np.errstate(divide='ignore'):
        at = np.log(x) - np.log1p(-x)
    return integral(lambda t: scale - a * np.logaddexp(0, -t) - b * np.logaddexp(0, t),
                    -60 / min(a, 1) - 9, 60 / min(b, 1) + 9, at)


def cdf(name, x, a, b):
    if name == 'uniform':
        return (x - a) / (b - a)
    if name == 'normal':
        return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in (x - a) / b])
    if name == 'exponential':
        return -np.expm1(-x / a)
    return gamma_cdf(x / b, a) if name == 'gamma' else beta_cdf(x, a, b)


def probabilities(name, k, a, b):
    log_factorial = np.vectorize(gamma)
    if name == 'poisson':
        return np.exp(k * math.log(a) - a - log_factorial(k + 1))
    return np.exp(gamma(a + 1) - log_factorial(k + 1) - log_factorial(a - k + 1) +
                  k * math.log(b) + (a - k) * math.log1p(-b))


def kolmogorov_smirnov(x, f):
    n = len(x)
    above = np.arange(1, n + 1) / n - f
    return math.sqrt(n) * max(above.max(), (1 / n - above).max())


def chi_square(name, x, a, b):
    mean = a if name == 'poisson' else a * b
    spread = 12 * math.sqrt(mean + 1) + 12
    low, high = max(0, math.floor(mean - spread)), math.ceil(mean + spread)
    if name == 'binomial':
        high = min(high, int(a))
    k = np.arange(low, high + 1)
    if x.min() < low or x.max() > high:
        return math.inf
    wanted = len(x) * probabilities(name, k.astype(float), a, b)
    counts = np.bincount(x - low, minlength=len(k))
    cells = np.minimum((np.cumsum(wanted) / 30).astype(int), int(wanted.sum() / 30) - 1)
    wanted, counts = np.bincount(cells, wanted), np.bincount(cells, counts)
    wanted, counts = wanted[wanted > 0], counts[wanted > 0]
    degrees = len(wanted) - 1
    if degrees == 0:
        return 0.0
    return (((counts - wanted) ** 2 / wanted).sum() - degrees) / math.sqrt(2 * degrees)


def answer(line):
    name, a, b, path = line.split('\t')
    a, b, x = float(a), float(b), np.load(path)
    if name in ('poisson', 'binomial'):
        return chi_square(name, x, a, b)
    x = np.sort(x.astype(float))
    return kolmogorov_smirnov(x, cdf(name, x, a, b))


with open(sys.argv[1]) as lines, open(sys.argv[2], 'w') as out:
    for line in lines:
        out.write('%.6g\n' % answer(line.rstrip('\n')))
