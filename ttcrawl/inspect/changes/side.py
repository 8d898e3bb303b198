"""One side of a comparison: the answers of all URLs that are in force at a moment of a crawl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ttcrawl.snapshot.history import dropped
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.stored import Contents, Stored
from ttcrawl.vocabulary.state import FAILED, QUEUED, REFUSED

#: Later than every answer.
LATEST = 1e18

UNDISCOVERED = "not discovered"

#: Of a URL whose answer at that moment has left the tables ([revisit] keep_answers, keep_days).
DROPPED = "dropped"

#: Redirects in a row that are followed to a page that moved.
REDIRECTS = 20

_CREATE = "CREATE TEMP TABLE {name} (id INTEGER PRIMARY KEY, time REAL NOT NULL, earlier INTEGER NOT NULL)"

#: The first answer of each URL.
_FIRST = (
    "INSERT INTO {name} SELECT url, min(time), 1 FROM earlier_page GROUP BY url",
    "INSERT OR IGNORE INTO {name} SELECT url, time, 0 FROM page",
)
#: The last answer before a moment. A URL that was requested again and has failed has none any more; while it waits for
#: that request, or is tried again, its earlier answer is in force.
_LAST = (
    "INSERT INTO {name} SELECT url, time, 0 FROM page WHERE time < {until!r}",
    "INSERT OR IGNORE INTO {name} SELECT url, max(time), 1 FROM earlier_page WHERE time < {until!r} GROUP BY url",
    "DELETE FROM {name} WHERE earlier AND id IN (SELECT id FROM url WHERE"
    f" state IN ('{FAILED}', '{REFUSED}') AND processed < {{until!r}}) AND id NOT IN (SELECT url FROM page)",
    "DELETE FROM {name} WHERE id IN (SELECT url FROM dropped WHERE until >= {until!r})",
)
_ANSWERS = """
    SELECT url.url, url.id, answer.time, 0, status, type, title, digest, length
    FROM {name} AS each JOIN page AS answer ON answer.url = each.id JOIN url ON url.id = each.id
    WHERE NOT each.earlier{condition}
    UNION ALL
    SELECT url.url, url.id, answer.time, 1, status, type, title, digest, length
    FROM {name} AS each JOIN earlier_page AS answer ON answer.url = each.id AND answer.time = each.time
    JOIN url ON url.id = each.id WHERE each.earlier{condition}
    ORDER BY 1"""


class InForce(NamedTuple):
    """The answer of a URL that is in force."""

    url: str
    id: int
    time: float
    earlier: int
    status: int
    type: str
    title: str
    digest: bytes | None
    length: int

    @property
    def is_page(self) -> bool:
        return 200 <= self.status < 300

    @property
    def stored(self) -> Stored:
        return Stored(self.id, self.time, bool(self.earlier))


class Side:
    """The last answers before `until`, seconds since the epoch; None: the first answers.

    `name` names its temporary table. Sides of one crawl share `contents`. Damage is reported for the crawl of this side
    (NotACrawl).
    """

    def __init__(self, db: View, contents: Contents, name: str, until: float | None) -> None:
        self.db = db
        self.contents = contents
        self.name = name
        self._until = LATEST if until is None else until
        with db.damage():
            db.execute(_CREATE.format(name=name))
            for statement in _FIRST if until is None else _LAST:
                db.execute(statement.format(name=name, until=until))

    def answers(self) -> Iterator[InForce]:
        """All answers in alphabetical order of their URLs."""
        with self.db.damage():
            for row in self.db.execute(_ANSWERS.format(name=self.name, condition="")):
                yield InForce(*row)

    def outcome(self, url: str) -> str:
        """Why a URL has no answer, in words; `QUEUED` if it was not requested by then."""
        with self.db.damage():
            url_id = self.db.url_id(url)
            if url_id is None:
                return UNDISCOVERED
            lost = dropped(self.db, url_id)
            if lost is not None and lost.until >= self._until:
                return DROPPED
            state, reason, discovered, processed = self.db.execute(
                "SELECT state, reason, discovered, processed FROM url WHERE id = ?", (url_id,)
            ).fetchone()
            if discovered >= self._until:
                return UNDISCOVERED
            if state == QUEUED or processed is None or processed >= self._until:
                return QUEUED
            return f"{state}: {reason}" if reason else str(state)

    def destination(self, answer: InForce) -> InForce | None:
        """The page to which a redirect leads in the end; None: to none."""
        seen: set[int] = set()
        target: InForce | None = answer
        with self.db.damage():
            while target is not None and not target.is_page and target.id not in seen and len(seen) < REDIRECTS:
                seen.add(target.id)
                target = self._target(target)
        return target if target is not None and target.is_page else None

    def _target(self, answer: InForce) -> InForce | None:
        key = self.contents.redirect(answer.stored)
        url = self.db.of_key(key) if key is not None else None
        return self.answer(url[0]) if url is not None else None

    def answer(self, url_id: int) -> InForce | None:
        """The answer of a URL; None: it has none."""
        query = _ANSWERS.format(name=self.name, condition=" AND each.id = ?1")
        with self.db.damage():
            row = self.db.execute(query, (url_id,)).fetchone()
        return InForce(*row) if row else None
