"""Groups of identical or similar pages, with their URLs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.rows import Duplicate
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import DUPLICATES
from ttcrawl.snapshot.unsettled import Group, copies, groups, roots


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateGroup:
    """A page and all duplicates of it or of one another: exact duplicates first, then by similarity."""

    original: str
    copies: tuple[Duplicate, ...]


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
    row = db.execute("SELECT url FROM url WHERE id = ?", (group.original,)).fetchone()
    query = f"{DUPLICATES.query} WHERE duplicate.url = ?"
    rows = (db.execute(query, (each.url,)).fetchone() for each in group.copies[:most])
    return DuplicateGroup(
        original=row[0] if row else f"(URL {group.original})", copies=tuple(Duplicate(*each) for each in rows if each)
    )
