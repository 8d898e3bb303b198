"""How much of a crawl is in an index of Zebra, and from which moment on the next step takes what has changed.

The moments of a ring rise from commit to commit, as those of a crawl do; between rings they do not. So of a cluster an
index notes how far it is with each ring. The marks are taken before the rings are joined: what a ring commits between
the two is taken twice, and the same document again changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from ttcrawl.cluster.results.joined import at_each_ring
from ttcrawl.errors import UsageError
from ttcrawl.export.since import latest
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.regular import is_regular

#: The file in the directory of the index that says what it has.
POSITION = "ttcrawl.position"


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """The latest answer that an index has: its moment, in seconds since the epoch, and the last row of `visit`."""

    moment: float = 0.0
    visit: int = 0


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a crawl is in an index. `complete`: with the links to its pages; of a cluster, `rings`: by ring."""

    crawl: str
    recent: Mark = Mark()
    complete: Mark = Mark()
    rings: dict[int, Mark] = {}


def read_position(directory: Path, db: View) -> Position:
    """Return the position of a crawl in an index. Raises UsageError if the index has another crawl."""
    path, crawl = directory / POSITION, _name(db)
    try:
        position = msgspec.json.decode(path.read_bytes(), type=Position) if is_regular(path) else None
    except (OSError, msgspec.DecodeError):
        position = None
    if position is not None and position.crawl != crawl:
        raise UsageError(f"{directory} has another crawl: make an index for each, or delete {path} to add this one")
    return position or Position(crawl=crawl)


def _name(db: View) -> str:
    """What tells a crawl from another one, also when its directory is moved."""
    return f"{db.settings.get('started', '')} {db.seeds[0] if db.seeds else ''}"


# -- a crawl ----------------------------------------------------------------------------------------------------------


def mark_of(db: View) -> Mark:
    """Return the mark of an index that has all of this snapshot."""
    return Mark(moment=latest(db), visit=last_visit(db))


def last_visit(db: View) -> int:
    (last,) = db.execute("SELECT coalesce(max(id), 0) FROM visit").fetchone()
    return int(last)


def first_behind(db: View, mark: Mark) -> float:
    """Return the moment of the first answer behind a mark: an earlier one, if the clock was set back since."""
    (ended,) = db.execute("SELECT min(ended) FROM visit WHERE id > ?", (mark.visit,)).fetchone()
    return mark.moment if ended is None else min(mark.moment, float(ended))


# -- a cluster --------------------------------------------------------------------------------------------------------


def marks_of_rings(directory: Path) -> dict[int, Mark]:
    """Return ring -> its mark. Raises as `joined`."""
    answers = at_each_ring(directory, mark_at_ring, b"")
    return {ring: msgspec.msgpack.decode(answer, type=Mark) for ring, answer in answers.items()}


def first_of_rings(directory: Path, before: Mapping[int, Mark], now: Mapping[int, Mark]) -> float:
    """Return the moment of the first change of any ring behind the marks of `before`. Raises as `joined`.

    A ring whose mark is the same has changed nothing, so it does not hold the moment back; what is deleted in it is
    later than all marks, because no ring crawls meanwhile.
    """
    answers = at_each_ring(directory, first_at_ring, msgspec.msgpack.encode(before))
    changed = [msgspec.msgpack.decode(answers[ring], type=float) for ring in now if now[ring] != before.get(ring)]
    return min([max((mark.moment for mark in before.values()), default=0.0), *changed])


def mark_at_ring(ring: Path, argument: bytes) -> bytes:
    with view(ring) as db:
        return msgspec.msgpack.encode(mark_of(db))


def first_at_ring(ring: Path, argument: bytes) -> bytes:
    before = msgspec.msgpack.decode(argument, type=dict[int, Mark])
    with view(ring) as db:
        return msgspec.msgpack.encode(first_behind(db, before.get(int(db.settings["ring"]), Mark())))
