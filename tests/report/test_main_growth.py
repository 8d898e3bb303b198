import numpy as np
import pytest

from ttcrawl.report.main_growth import MainGrowth
from ttcrawl.snapshot.outlinks import Outlinks

#: (page, its links: target and landmark), in the order of the table; they were fetched in the order 3, 1, 2.
PAGES = [
    (1, [(10, "m"), (11, "m"), (90, "n")]),
    (2, [(10, "m"), (12, "m"), (12, "m"), (91, "n")]),
    (3, [(11, "-"), (90, "n")]),  # without main
    (7, [(13, "m")]),  # fetched after this moment
]
ORDER = np.array([3, 1, 2])


def gathered(pages, size):
    growth = MainGrowth(ORDER)
    for start in range(0, len(pages), size):
        some = pages[start : start + size]
        marks = "".join(mark for _, links in some for _, mark in links).encode()
        batch = Outlinks(
            sources=np.array([source for source, _ in some]),
            pages=np.repeat(np.arange(len(some)), [len(links) for _, links in some]),
            targets=np.array([target for _, links in some for target, _ in links]),
            kinds=np.frombuffer(b"a" * len(marks), dtype=np.uint8),
            regions=np.frombuffer(b"c" * len(marks), dtype=np.uint8),
            landmarks=np.frombuffer(marks, dtype=np.uint8),
        )
        growth.add(batch, np.ones(len(marks), dtype=bool))
    return growth


@pytest.mark.parametrize("size", [1, 2, 4])
def test_counted_by_hand(size):
    growth = gathered(PAGES, size)
    assert growth.series().links == (1, 3, 6) and growth.series().distinct_urls == (1, 2, 3)
    assert sorted(growth.sources.tolist()) == [1, 2, 2]  # pages with a link to 12, 11 and 10


def test_without_menus_there_is_nothing_to_tell():
    pages = [(source, [link for link in links if link[1] != "n"]) for source, links in PAGES]
    assert gathered(pages, 4).series().links == ()


def test_nothing_was_fetched():
    assert MainGrowth(np.empty(0, dtype=np.int64)).series().links == ()
