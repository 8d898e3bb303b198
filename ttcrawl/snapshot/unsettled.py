"""Groups of identical or similar pages, from the marks in table `duplicate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttcrawl.ring.columns import BYTES, NEAR, TEXT
from ttcrawl.snapshot.snapshot import View

#: SQL for what a row of table `page` is compared by: the digest of its document after scripts if it was read in the
#: browser (pages may share the shell that the server sends), else of its bytes. NULL: not known.
CONTENT_DIGEST = (
    "CASE WHEN EXISTS (SELECT 1 FROM browser_use WHERE browser_use.url = page.url AND way = 'browser')"
    " THEN (SELECT bytes FROM fingerprint WHERE fingerprint.url = page.url) ELSE page.digest END"
)

RANK = {BYTES: 0, TEXT: 1, NEAR: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A page marked as a duplicate. Pages are ids of URLs."""

    url: int
    of: int  # may itself be marked as a near duplicate of another page
    same: str  # BYTES, TEXT or NEAR
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A page that is not a duplicate, and all pages marked as duplicates of it or of one another."""

    original: int
    copies: tuple[Copy, ...]  # exact duplicates first, then by falling similarity

    def count(self, same: str) -> int:
        return sum(each.same == same for each in self.copies)


def copies(db: View) -> list[Copy]:
    rows = db.execute(
        "SELECT url, coalesce(duplicate_of, near_duplicate_of) AS original, same, similarity FROM duplicate"
        " WHERE original NOTNULL ORDER BY url"
    )
    return [Copy(url=url, of=of, same=same, similarity=similarity) for url, of, same, similarity in rows]


def unsettled(db: View) -> int:
    """Number of pages whose marks may change until a run ends. 0: marks are final."""
    (count,) = db.execute(
        # with other settings, or pages have come since the last run has ended
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM crawl WHERE name IN ('marked_by', 'compared') AND value = '')"
        " THEN (SELECT count(*) FROM fingerprint) ELSE (SELECT count(*) FROM unsettled) END"
    ).fetchone()
    return int(count)


def groups(marked: Iterable[Copy]) -> list[Group]:
    """Groups, largest first."""
    marked = list(marked)
    originals = roots({each.url: each.of for each in marked})
    members: dict[int, list[Copy]] = {}
    for each in marked:
        members.setdefault(originals[each.url], []).append(each)
    result = [
        Group(
            original=original,
            copies=tuple(sorted(of_it, key=lambda each: (RANK.get(each.same, 0), -each.similarity, each.url))),
        )
        for original, of_it in members.items()
    ]
    return sorted(result, key=lambda group: (-len(group.copies), group.original))


def roots(leads: dict[int, int]) -> dict[int, int]:
    """Maps each marked page to the original at the end of its chain of marks.

    >>> roots({3: 2, 2: 1, 5: 4})
    {3: 1, 2: 1, 5: 4}
    """
    end_of: dict[int, int] = {}
    for start in leads:
        path, page = {start: 0}, leads[start]
        while page in leads and page not in end_of and page not in path:  # damage can make a circle
            path[page] = 0
            page = leads[page]
        end = end_of.get(page, page)
        end_of |= dict.fromkeys(path, end)
    return {url: end_of[url] for url in leads}
