"""Growth series of known law: sampling processes, and curves with noise upon them. All of 20,000 occurrences,
sampled as a crawl is; each returns (n, v)."""

from __future__ import annotations

from functools import cache

import numpy as np

from ttcrawl.engine.run.growth import next_sample

LENGTH = 20_000


def _places(length):
    places = [1]
    while places[-1] < length:
        places.append(min(length, next_sample(places[-1])))
    return np.array(places)


PLACES = _places(LENGTH)
ALL = np.arange(1, LENGTH + 1)


def sampled(v):
    """The samples a crawl would take of v[0], v[1], ... after 1, 2, ... occurrences."""
    places = PLACES[len(v) >= PLACES]
    return places, v[places - 1]


def new_urls(k, beta):
    return k * (ALL**beta - (ALL - 1.0) ** beta)


def discovery(rng, k, beta):
    """Each occurrence brings a Poisson number of new things, as many in the mean as the law says."""
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta))))


def simon(rng, k, beta):
    """Simon's process with the falling rate of innovation of Zanette and Montemurro (2005): the next word is a new
    one with probability k beta n^(beta - 1), at most 1."""
    return sampled(np.cumsum(rng.random(LENGTH) < np.minimum(new_urls(k, beta), 1)))


def bursts(rng, k, beta):
    """Discovery in sections of 20 occurrences, some rich and some poor."""
    rich = np.repeat(rng.gamma(2, 0.5, LENGTH // 20), 20)
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta) * rich)))


def relative_noise(rng, k, beta):
    """The curve, each point off by 2 %."""
    return sampled(k * ALL**beta * rng.normal(1, 0.02, LENGTH))


def constant_noise(rng, k, beta):
    """The curve, each point off by 20."""
    return sampled(k * ALL**beta + rng.normal(0, 20, LENGTH))


def noisy_discovery(rng, k, beta):
    """Discovery, each point off by 2 % besides."""
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta))) * rng.normal(1, 0.02, LENGTH))


def dry(rng, k, beta, share=0.5):
    """Discovery, on a site all of which is known after this share of the series."""
    v = np.cumsum(rng.poisson(new_urls(k, beta)))
    return sampled(np.minimum(v, v[int(share * LENGTH)]))


def noisy_dry(rng, k, beta):
    """The curve up to the half, level from there, each point off by 2 %."""
    return sampled(k * np.minimum(ALL, LENGTH / 2) ** beta * rng.normal(1, 0.02, LENGTH))


def pool(rng, k, beta, size):
    """Of `size` URLs each link that leads to a new one in the endless web leads to any, new or not."""
    return sampled(pool_whole(rng, k, beta, size))


def pool_whole(rng, k, beta, size):
    tries = rng.poisson(new_urls(k, beta))
    _, first = np.unique(rng.integers(0, size, tries.sum()), return_index=True)
    new = np.zeros(tries.sum() + 1)
    new[first + 1] = 1
    return np.cumsum(new)[np.cumsum(tries)]


def zipf(rng, s):
    """Words drawn independently by Zipf's law."""
    _, first = np.unique(rng.zipf(s, LENGTH), return_index=True)
    new = np.zeros(LENGTH)
    new[first] = 1
    return sampled(np.cumsum(new))


@cache
def zipf_expected(s):
    """The expected number of different words at PLACES: exact to rank 20,000, and further on an integral.

    Karlin (1967): in the end a power law with beta = 1 / s.
    """
    from scipy.special import gamma, gammainc, zeta

    most = LENGTH
    p = np.arange(1, most + 1.0) ** -s / zeta(s)
    upto = np.array([-np.expm1(n * np.log1p(-p)).sum() for n in PLACES])
    # the integral of 1 - exp(-n p(r)) over the ranks after `most`
    at = PLACES * (most + 0.5) ** -s / zeta(s)
    tail = (PLACES / zeta(s)) ** (1 / s) * gamma(1 - 1 / s) * gammainc(1 - 1 / s, at)
    return upto + tail - (most + 0.5) * -np.expm1(-at)


def restaurant(rng, discount):
    """The tables of a Chinese restaurant (Pitman and Yor): v ~ K n^discount, with another K in each."""
    tables, taken = np.zeros(LENGTH), 1
    for n, chance in enumerate(rng.random(LENGTH).tolist()):
        taken += n > 0 and chance < discount * taken / n
        tables[n] = taken
    return sampled(tables)


def rich_sections(rng, k, beta):
    """Discovery in sections of 50 occurrences, most of them poor and some very rich."""
    rich = np.repeat(rng.gamma(0.5, 2, LENGTH // 50), 50)
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta) * rich)))


def heavy(rng, k, beta):
    """Discovery by occurrences of which a few bring many new ones: a Pareto tail of exponent 2.5."""
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta) * rng.pareto(2.5, LENGTH) * 1.5)))


def trap(rng, k, beta):
    """Discovery, with a calendar that brings three new ones with every occurrence of the second half."""
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta)) + np.where(ALL > LENGTH // 2, 3, 0)))


def two_sites(rng, k, beta):
    """Discovery, and a second site of a larger beta from the half on."""
    later = np.maximum(ALL - LENGTH / 2, 0.0)
    second = 10 * (later**0.9 - np.maximum(later - 1, 0) ** 0.9)
    return sampled(np.cumsum(rng.poisson(new_urls(k, beta) + second)))
