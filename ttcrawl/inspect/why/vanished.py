"""Whether the page of a URL is gone or has moved, and whether its content is still there, in words."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.output.moments import moment
from ttcrawl.snapshot.tables import row_about
from ttcrawl.store.database import Database

#: How many steps are followed from a page that moved, and moved again.
MOVES = 20

_VANISHED = """
    SELECT present, missing, confirmed, successor, same, url.url FROM vanished
    LEFT JOIN url ON url.id = successor WHERE vanished.url = ?"""

#: The body that a URL showed last, and how many URLs have shown it, with one that still does.
_CONTENT = """
    WITH shown AS (
        SELECT digest FROM answer WHERE url = ?1 AND status BETWEEN 200 AND 299 AND length > 0
        ORDER BY time DESC LIMIT 1)
    SELECT (SELECT count(DISTINCT url) FROM answer WHERE digest = shown.digest),
           (SELECT url.url FROM page JOIN url ON url.id = page.url WHERE page.digest = shown.digest
            AND page.status BETWEEN 200 AND 299 ORDER BY depth, rank, url.url LIMIT 1) FROM shown"""

_MOVED_HERE = "SELECT url.url FROM vanished JOIN url ON url.id = vanished.url WHERE successor = ? ORDER BY 1 LIMIT 10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A row of table `vanished`, and what became of the content. Times are seconds since the epoch."""

    present: float
    missing: float
    confirmed: float | None
    successors: tuple[str, ...]  # the URLs at which it is known again, one after the other
    same: str  # by what the first of them: redirect, bytes, text, near
    urls: int  # that have shown the content; 0: none is stored
    shown_at: str  # one of them that still shows it, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLinks:
    """A row of table `unlinked`."""

    lost: float
    since: float | None


def absence(db: Database, url: int) -> Absence | None:
    """Return what is known of a page that is not there; None: it is, or it was never visited again."""
    row = db.execute(_VANISHED, (url,)).fetchone()
    if row is None:
        return None
    present, missing, confirmed, _, same, _ = row
    successors = list[str]()
    while row is not None and row[3] is not None and len(successors) < MOVES:
        successors.append(row[5])
        row = db.execute(_VANISHED, (row[3],)).fetchone()
    urls, shown_at = db.execute(_CONTENT, (url,)).fetchone() or (0, None)
    return Absence(
        present=present,
        missing=missing,
        confirmed=confirmed,
        successors=tuple(successors),
        same=same,
        urls=urls,
        shown_at=shown_at or "",
    )


def moved_here(db: Database, url: int) -> tuple[str, ...]:
    """Return URLs whose page is known again at this one."""
    return tuple(old for (old,) in db.execute(_MOVED_HERE, (url,)))


def lost_links(db: Database, url: int) -> LostLinks | None:
    return row_about(db, LostLinks, "unlinked", url)


def lines(absence: Absence) -> list[str]:
    """Return the lines for a person."""
    seen = f"found last at {moment(absence.present)}, not found since {moment(absence.missing)}"
    if absence.confirmed is None:
        return [f"{seen}: it is checked again"]
    result = [f"{seen}, {'moved' if absence.successors else 'gone'} at {moment(absence.confirmed)}"]
    for number, url in enumerate(absence.successors):
        by = ", by its redirect" if absence.same == "redirect" else f", by the same {absence.same}"
        by = ", by nearly the same text" if absence.same == "near" else by
        result.append(f"moved to {url}{by}" if not number else f"and from there to {url}")
    if absence.shown_at:
        result.append(f"its content is still at {absence.shown_at}")
    elif absence.urls and not absence.successors:
        one = "its URL" if absence.urls == 1 else f"all {absence.urls:,} URLs that have shown it"
        result.append(f"its content is not at {one} any more")
    return result


def link_line(links: LostLinks) -> str:
    if links.since is None:
        return f"a link to it vanished at {moment(links.lost)}; whether another is left is not found out yet"
    return f"no page links to it since {moment(links.since)}: it is visited least, or in its turn"
