from collections import Counter, defaultdict

import numpy as np
import pytest

from ttcrawl.report.links import Gathering
from ttcrawl.snapshot.outlinks import Outlinks


def batch_of(pages):
    letters = "".join(letter for _, found in pages for _, letter in found)
    return Outlinks(
        sources=np.array([source for source, _ in pages], dtype=np.int64),
        pages=np.repeat(np.arange(len(pages)), [len(found) for _, found in pages]),
        targets=np.array([target for _, found in pages for target, _ in found], dtype=np.int64),
        kinds=np.frombuffer(letters.encode(), dtype=np.uint8),
        regions=np.frombuffer(bytes(ord("r" if letter in "gs" else "c") for letter in letters), dtype=np.uint8),
        landmarks=np.full(len(letters), ord("-"), dtype=np.uint8),
    )


def gathered(pages, size=1000, order=()):
    gathering = Gathering(np.array(order, dtype=np.int64))
    for start in range(0, max(1, len(pages)), size):
        gathering.add(batch_of(pages[start : start + size]))
    return gathering.gathered()


def test_nothing():
    found = gathered([])
    assert not len(found.targets) and not len(found.in_sitemaps)


@pytest.mark.parametrize("size", [1, 2, 6])
def test_counted_by_hand(size):
    pages = [
        (1, [(10, "a"), (10, "a"), (11, "a"), (90, "g"), (91, "g"), (90, "g")]),
        (2, [(10, "a"), (91, "g"), (92, "g"), (80, "s")]),
        (3, [(93, "g")]),  # no HTML page: an error's
        (4, [(12, "M"), (11, "M")]),  # a sitemap's entries are no links
        (5, [(12, "e"), (10, "e")]),
        (6, [(13, "I")]),  # nor are those of an index
    ]
    found = gathered(pages, size, order=(3, 1, 2, 5))
    assert found.in_sitemaps.tolist() == [11, 12]
    assert found.targets.tolist() == [10, 11, 12] and found.sources.tolist() == [3, 1, 1]
    assert found.early_sources.tolist() == [1, 1, 0]


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_in_batches(size):
    rng = np.random.default_rng(4)
    pages = [(source, [(int(key), "a") for key in rng.integers(-40, 40, 9)]) for source in range(60)]
    sources = defaultdict(set)
    for source, found in pages:
        for key, _ in found:
            sources[key].add(source)
    found = gathered(pages, size)
    assert dict(zip(found.targets.tolist(), found.sources.tolist(), strict=True)) == Counter(
        {key: len(of) for key, of in sources.items()}
    )
