"""How the time of a function grows with its input."""

import time

#: Seconds that the small input is to take at least, and its most bytes.
SMALL, MOST = 0.003, 1 << 16

#: 4 ** 1.5: what is between linear and quadratic; and seconds that do not count.
RATIO, NOISE = 8.0, 0.015


def measured(work, make, n):
    """Best of three, seconds of this process: other processes do not count."""
    given, best = make(n), float("inf")
    for _ in range(3):
        begun = time.process_time()
        work(given)
        best = min(best, time.process_time() - begun)
    return best


def grows(work, make):
    n = 256
    while (small := measured(work, make, n)) < SMALL and n < MOST:
        n *= 2
    large = measured(work, make, 4 * n)
    assert large < RATIO * small + NOISE, f"{n}: {small * 1000:.1f} ms, {4 * n}: {large * 1000:.1f} ms"
