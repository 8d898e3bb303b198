"""The pages that are the same, gathered from the marks in table `duplicate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttcrawl.ask.view.view import View
from ttcrawl.ring.record import BYTES, NEAR, TEXT

RANK = {BYTES: 0, TEXT: 1, NEAR: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A page that is marked; by the ids of URLs."""

    url: int
    of: int  # which may be marked itself: of a copy of a page that is nearly another one
    same: str  # BYTES, TEXT or NEAR
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A page that is no duplicate, and all that are marks of it or of one another."""

    original: int
    copies: tuple[Copy, ...]  # those that are exactly the same first, then the most similar

    def count(self, same: str) -> int:
        return sum(each.same == same for each in self.copies)


def copies(db: View) -> list[Copy]:
    rows = db.execute(
        "SELECT url, coalesce(duplicate_of, near_duplicate_of) AS original, same, similarity FROM duplicate"
        " WHERE original NOTNULL ORDER BY url"
    )
    return [Copy(url=url, of=of, same=same, similarity=similarity) for url, of, same, similarity in rows]


def unsettled(db: View) -> int:
    """Pages that came out of order: because of them marks may change until a run ends. 0: they are final."""
    (count,) = db.execute(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM crawl WHERE name = 'marked_by' AND value = '')"  # by other settings
        " THEN (SELECT count(*) FROM fingerprint) ELSE (SELECT count(*) FROM unsettled) END"
    ).fetchone()
    return int(count)


def groups(marked: Iterable[Copy]) -> list[Group]:
    """The largest first."""
    marked = list(marked)
    originals = roots({each.url: each.of for each in marked})
    members: dict[int, list[Copy]] = {}
    for each in marked:
        members.setdefault(originals[each.url], []).append(each)
    found = [
        Group(
            original=original,
            copies=tuple(sorted(of_it, key=lambda each: (RANK.get(each.same, 0), -each.similarity, each.url))),
        )
        for original, of_it in members.items()
    ]
    return sorted(found, key=lambda group: (-len(group.copies), group.original))


def roots(leads: dict[int, int]) -> dict[int, int]:
    """Of each marked page the one that its mark, and the mark of that, ... lead to.

    >>> roots({3: 2, 2: 1, 5: 4})
    {3: 1, 2: 1, 5: 4}
    """
    found: dict[int, int] = {}
    for start in leads:
        way, page = {start: 0}, leads[start]
        while page in leads and page not in found and page not in way:  # a circle would be damage, but no endless loop
            way[page] = 0
            page = leads[page]
        end = found.get(page, page)
        found |= dict.fromkeys(way, end)
    return {url: found[url] for url in leads}
