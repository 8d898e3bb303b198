"""Groups of identical or similar pages, with their URLs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import words
from ttcrawl.snapshot.rows import Duplicate
from ttcrawl.snapshot.side_by_side import Beside, side_by_side
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import DUPLICATES
from ttcrawl.snapshot.unsettled import Group, copies, groups, roots

#: Marks of duplicates whose groups are found at once, and in a second.
FEW, RATE = 50_000, 150_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateGroup:
    """A page and all duplicates of it or of one another: exact duplicates first, then by similarity."""

    original: str
    copies: tuple[Duplicate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeGroups:
    """Some of the groups, each with its number of duplicates: `copies` may be the first of them."""

    groups: tuple[tuple[int, DuplicateGroup], ...] = ()
    more: bool = False  # whether there are groups behind these
    seconds: float = 0.0  # that finding them takes; 0: they were found


def some_groups(db: View, first: int, groups_of_page: int, most: int, *, at_any_price: bool) -> SomeGroups:
    """The groups from a position on, the largest first, with at most `most` duplicates of each.

    In a crawl with many marks they are found `at_any_price` alone; else the seconds say what that takes.
    """
    (marks,) = db.execute("SELECT count(*) FROM duplicate").fetchone()
    if marks > FEW and not at_any_price:
        return SomeGroups(seconds=marks / RATE)
    every, end = groups(copies(db)), first + groups_of_page
    rows = tuple((len(each.copies), with_urls(db, each, most)) for each in every[first:end])
    return SomeGroups(groups=rows, more=len(every) > end)


def group_of_url(db: View, url: str) -> SomeGroups:
    """The group that contains a URL. Raises NotThere."""
    group = group_of(db, _id(db, url), url)
    return SomeGroups(groups=((len(group.copies), group),))


def main_texts(db: View, url: str, other: str) -> Iterator[Beside]:
    """The main texts of two pages, where they differ. Raises NotThere."""
    left, right = (words(db, _id(db, each), each, main=True) for each in (url, other))
    return side_by_side(left, right)


def _id(db: View, url: str) -> int:
    if (id := db.url_id(url)) is None:
        raise NotThere(f"{url} was never discovered by this crawl")
    return id


def group_of(db: View, url_id: int, url: str) -> DuplicateGroup:
    """The group that contains a URL. Raises NotThere if the URL neither is a duplicate nor has one."""
    marked = copies(db)
    originals = roots({each.url: each.of for each in marked})
    original = originals.get(url_id, url_id)
    members = groups(each for each in marked if originals[each.url] == original)
    if not members:
        raise NotThere(f"{url} is not a duplicate and has no duplicates")
    return with_urls(db, members[0])


def largest_first(db: View) -> Iterator[DuplicateGroup]:
    """Each group is read when its turn comes; while the caller has it, no snapshot is open."""
    for group in groups(copies(db)):
        result = with_urls(db, group)
        db.rest()
        yield result


def with_urls(db: View, group: Group, most: int | None = None) -> DuplicateGroup:
    """The group with at most `most` of its duplicates (None: all)."""
    query = f"{DUPLICATES.query} WHERE duplicate.url = ?"
    rows = (db.execute(query, (each.url,)).fetchone() for each in group.copies[:most])
    copies_with_urls = tuple(Duplicate(*each) for each in rows if each)
    return DuplicateGroup(original=db.url_of(group.original), copies=copies_with_urls)
