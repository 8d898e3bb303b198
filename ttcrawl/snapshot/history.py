"""The history of a URL: its answers in order of time, each with what changed against the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.snapshot.comparison import Content, Difference, difference
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.stored import Contents, Stored, ignored_in, urls_of
from ttcrawl.store.database import Database

_ANSWERS = """
    SELECT time, 1 AS earlier, status, type, length, title, lower(hex(digest)), location
    FROM earlier_page WHERE url = ?1 UNION ALL
    SELECT time, 0, status, type, length, title, lower(hex(digest)), location FROM page WHERE url = ?1 ORDER BY time"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer of a URL. What changed is empty in the first one.

    `changed` names what differs: status, title, main text, links, bytes. `same` is the share of the words of the main
    text that stayed, over those in either; None: one of the two has no main text. Links are canonical URLs, those in
    the URL table, each once.
    """

    time: float  # seconds since the epoch
    status: int
    type: str
    length: int  # bytes of the body
    title: str
    digest: str  # of the body, hexadecimal; "" for a redirect
    location: str
    changed: tuple[str, ...] = ()
    same: float | None = None
    words_added: int = 0
    words_removed: int = 0
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Earlier answers that have left the tables ([revisit] keep_answers, keep_days)."""

    answers: int
    until: float  # when the answer after the last of them came, seconds since the epoch: since then all are there


def dropped(db: Database, url_id: int) -> Dropped | None:
    """What has been removed of a URL; None: nothing."""
    row = db.execute("SELECT answers, until FROM dropped WHERE url = ?", (url_id,)).fetchone()
    return Dropped(answers=row[0], until=row[1]) if row else None


def times(db: View, url_id: int) -> tuple[float, ...]:
    """The moments of all answers of a URL, rising."""
    return tuple(time for (time,) in db.execute("SELECT time FROM answer WHERE url = ? ORDER BY time", (url_id,)))


def history(db: View, url_id: int) -> Iterator[Answer]:
    """Holds two answers at a time. Raises ValueError for damaged rows."""
    contents = Contents(db, url_id, ignored_in(db))
    before: Content | None = None
    for time, earlier, status, type, length, title, digest, location in db.execute(_ANSWERS, (url_id,)).fetchall():
        content = contents.content(Stored(url_id, time, bool(earlier)))
        change = difference(before, content) if before is not None else None
        words = change.words if change is not None else None
        yield Answer(
            time=time,
            status=status,
            type=type,
            length=length,
            title=title,
            digest=digest,
            location=location,
            changed=change.what if change is not None else (),
            same=words.share if words is not None else None,
            words_added=words.added if words is not None else 0,
            words_removed=words.removed if words is not None else 0,
            appeared=_urls(db, change, "appeared"),
            vanished=_urls(db, change, "vanished"),
        )
        before = content


def _urls(db: View, change: Difference | None, which: str) -> tuple[str, ...]:
    return urls_of(db, getattr(change, which)) if change is not None else ()
