"""The pages that a page is compared with, as `ttcrawl.engine.duplicates` and `ttcrawl.store.candidates` find them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttcrawl.store.candidates import FEW


def candidates(buckets: Sequence[tuple[int, ...]], few: int = FEW) -> Iterator[list[int]]:
    """For each page, in this order, the numbers of the pages that it is compared with until one is similar enough: the
    first ones of its buckets, then the next ones up to `few` of each bucket. `buckets`: the keys of each page.

    >>> list(candidates([(1, 2), (1, 3), (1, 2), (1, 3, 4)]))
    [[], [0], [0, 1], [0, 1]]
    """
    members: dict[int, dict[tuple[int, ...], int]] = {}
    for number, own in enumerate(buckets):
        firsts, others = set[int](), set[int]()
        for key in own:
            if key in members:
                first, *later = members[key].values()
                firsts.add(first)
                others.update(later)
        yield [*sorted(firsts), *sorted(others - firsts)]
        for key in own:
            first_few = members.setdefault(key, {})
            if len(first_few) < few:
                first_few.setdefault(own, number)  # pages with the same bands share all buckets: the first one counts
