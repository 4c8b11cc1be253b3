"""Numbers at even ratios, exactly: spacing_oracle.py CASES ANSWERS

A case is "first last n" with hexadecimal floats of one sign, after them our numbers. An answer is
the largest distance of ours from the exact ones, in units of the last place, by 60 digits.
"""
import sys
from decimal import Decimal, localcontext
import math


def exact(first, last, n):
    with localcontext() as context:
        context.prec = 60
        a, b = Decimal(abs(first)), Decimal(abs(last))
        step = (b / a).ln() / (n - 1)
        return [a * (step * i).exp() for i in range(n)]


def distance(got, wanted, sign):
    with localcontext() as context:
        context.prec = 60
        return float(abs(Decimal(got * sign) - wanted) / Decimal(math.ulp(float(wanted))))


with open(sys.argv[1]) as cases, open(sys.argv[2], 'w') as answers:
    for line in cases:
        first, last, n, *numbers = line.split()
        first, last = float.fromhex(first), float.fromhex(last)
        sign = -1 if first < 0 else 1
        wanted = exact(first, last, int(n))
        print(max(distance(float.fromhex(x), w, sign) for x, w in zip(numbers, wanted)),
              file=answers)
