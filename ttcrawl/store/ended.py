"""The explanation for a crawl, or a seed, without a page."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from ttcrawl.store.index import OF_KEY
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.vocabulary.reason import Code, family
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED, QUEUED, State

#: Key of a URL -> its id; None: it has no row.
Find: TypeAlias = Callable[[int], int | None]


class Database(Protocol):
    """A connection, or a view of one."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any: ...


def why_nothing(db: sqlite3.Connection) -> str:
    """Return why no URL was answered with a status of 2xx, in one line, by the first seed; "" if one was."""
    if db.execute("SELECT 1 FROM page WHERE status BETWEEN 200 AND 299 LIMIT 1").fetchone() is not None:
        return ""
    first = db.execute(
        "SELECT url.url, url.state, url.reason, page.location FROM url LEFT JOIN page ON page.url = url.id"
        " ORDER BY url.id LIMIT 1"
    ).fetchone()
    if first is None:
        return "no URL was discovered"
    url, state, reason, moved = first
    nothing = f"no page could be fetched: the seed {url}"
    if state != MOVED:
        became = {FAILED: "has failed:", FETCHED: "was answered with"}.get(state, "is refused:")
        return f"{nothing} {became} {reason}"
    target, ended, why = db.execute("SELECT url, state, reason FROM url ORDER BY id DESC LIMIT 1").fetchone()
    hint = ""
    if family(why) is Family.SCOPE:
        hint = "; give that address as the seed, widen --scope, or set scope.redirected_seeds=always"
    if ended == MOVED:
        hint = "; its redirects lead in a circle, as those of sites do that want cookies: see [fetch] cookies"
    return f"{nothing} redirects to {moved}, and {target} ends with: {why}{hint}"


class SeedEnd(Struct, frozen=True, kw_only=True):
    """What became of a seed. `target`: the last URL of its redirects, "" if it does not redirect; `end` and `reason`
    are the state and reason of that URL, or of the seed."""

    url: str
    state: State
    target: str
    end: State
    reason: Code
    status: int | None

    @property
    def has_page(self) -> bool:
        """Whether there is a page, or may be one later."""
        return self.end == QUEUED or (self.end == FETCHED and (self.status or 0) < 400)


def seed_end(db: Database, find: Find, seed: int) -> SeedEnd:
    """Return what became of the seed with this id. `find` returns the id of the URL with a key."""
    (url, state, *_), *others = rows = list(_followed(db, find, seed))
    target, end, reason, status = rows[-1]
    return SeedEnd(url=url, state=state, target=target if others else "", end=end, reason=reason, status=status)


def _followed(db: Database, find: Find, url: int) -> Iterator[tuple[str, State, Code, int | None]]:
    """Yield URL, state, reason and status of a URL, and of those to which its redirects lead."""
    passed, following = set[int](), url
    while following and following not in passed:
        passed.add(following)
        row = db.execute(_ROW, (following,)).fetchone()
        yield row
        following = (_redirect(db, find, following) or 0) if row[1] == MOVED else 0


_ROW = "SELECT url.url, state, reason, status FROM url LEFT JOIN page ON page.url = url.id WHERE url.id = ?"


def _redirect(db: Database, find: Find, url: int) -> int | None:
    """Return the id of the URL to which another redirects."""
    row = db.execute("SELECT targets, kinds FROM outlinks WHERE source = ?", (url,)).fetchone()
    pairs = zip(json.loads(row[0]), row[1], strict=True) if row else ()
    return next((find(key) for key, kind in pairs if chr(kind) == REDIRECT.letter), None)


def seed_ends(db: sqlite3.Connection, keys: Iterable[int]) -> list[SeedEnd]:
    """Return what became of the seeds with these keys, of those that have a row."""
    find = _finder(db)
    return [seed_end(db, find, each) for each in map(find, keys) if each is not None]


def redirects_of(db: sqlite3.Connection, keys: Iterable[int]) -> list[tuple[str, str]]:
    """Return the redirects of the seeds with these keys, and of their targets: (URL, target)."""
    find, found = _finder(db), list[tuple[str, str]]()
    for seed in map(find, keys):
        urls = [row[0] for row in _followed(db, find, seed)] if seed is not None else []
        found += pairwise(urls)
    return found


def _finder(db: sqlite3.Connection) -> Find:
    def find(key: int) -> int | None:
        found: int | None = db.execute(f"SELECT {OF_KEY}", (key,)).fetchone()[0]
        return found

    return find
