"""A crawl opened for questions: its database at one moment, and its rules compiled again."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.ask.report.finding import find, of_key
from ttcrawl.ask.report.opening import NotACrawl, open_crawl
from ttcrawl.ask.report.status import SINCE
from ttcrawl.config import Config, read
from ttcrawl.config.ruling import ruling
from ttcrawl.engine.lock import crawled_by
from ttcrawl.web.address import Allowed, allowed
from ttcrawl.web.canon import Canon, compile_canon
from ttcrawl.web.scope import Scope, compile_scope
from ttcrawl.web.traps import Traps, compile_traps


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsVersion:
    """A robots.txt as it was read."""

    at: float
    url: str
    status: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides about a URL by itself and by its depth."""

    config: Config
    scope: Scope
    traps: Traps

    def refusal(self, url: str, depth: int = 0) -> str:
        """The reason alone."""
        # no rule asks for the depth: the scope need not look at every step of it
        return self.scope.ruling(url, depth if self.scope.by_way else 0)[0] or self.traps.refusal(url)

    def ruling(self, url: str, depth: int = 0, outside: int = 0) -> tuple[str, str]:
        """Reason and rule of a URL that is refused; "" for none."""
        reason, rule = self.scope.ruling(url, depth, outside)
        if not reason:
            reason = self.traps.refusal(url)
        return reason, rule or ruling(self.config)(reason)


def compile_rules(config: Config, seeds: tuple[str, ...]) -> Rules:
    """Raises ConfigError."""
    return Rules(
        config=config,
        scope=compile_scope(config.scope, seeds, config.hosts),
        traps=compile_traps(config.traps, time.gmtime().tm_year),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """`given` is table `crawl`; the index by key and the queue are complete up to the URL `indexed`."""

    directory: Path
    db: sqlite3.Connection
    given: dict[str, str]
    indexed: int
    process: str  # that carries the crawl on, or ""
    seeds: tuple[str, ...]
    rules: Rules
    canon: Canon
    allowed: Allowed

    def find(self, url: str) -> int | None:
        """The id of a canonical URL."""
        return find(self.db, self.indexed, url)

    def of_key(self, wanted: int) -> tuple[int, str] | None:
        """(id, URL) of a key."""
        return of_key(self.db, self.indexed, wanted)

    def robots_at(self, site: int, moment: float | None) -> RobotsVersion | None:
        """The robots.txt in force at a moment (None: the last one read); before the first it is the first."""
        versions = self.db.execute(
            "SELECT at, url, status, text FROM robots WHERE site = ? ORDER BY at", (site,)
        ).fetchall()
        if not versions:
            return None
        before = [each for each in versions if moment is None or each[0] <= moment]
        at, url, status, text = before[-1] if before else versions[0]
        return RobotsVersion(at=at, url=url, status=status, text=text)


@contextmanager
def opened(directory: Path) -> Iterator[Opened]:
    """All of one moment. Raises NotACrawl: also for what is found damaged while it is open."""
    with closing(open_crawl(directory)) as db:
        try:
            process = crawled_by(directory)
            db.execute("BEGIN")
            yield _opened(directory, db, process)
        except (sqlite3.DatabaseError, ValueError) as error:
            raise NotACrawl(f"{directory / 'crawl.db'} is damaged ({error}); see ttcrawl verify {directory}") from error


def _opened(directory: Path, db: sqlite3.Connection, process: str) -> Opened:
    given: dict[str, str] = dict(db.execute("SELECT name, value FROM crawl"))
    path = directory / "config.ini"
    if not path.is_file():
        raise NotACrawl(f"{path} is missing, and the rules of the crawl with it: restore the file")
    config, indexed = read(path), int(given.get("indexed", 0))
    for statement, values in zip(SINCE, ((), (indexed,)), strict=True):
        db.execute(statement, values)
    seeds = tuple(given["seeds"].split("\n")) if given.get("seeds") else ()
    pairs = frozenset((name, address) for name, address in json.loads(given.get("allowed", "[]")))
    return Opened(
        directory=directory,
        db=db,
        given=given,
        indexed=indexed,
        process=process,
        seeds=seeds,
        rules=compile_rules(config, seeds),
        canon=compile_canon(config.url),
        allowed=allowed(config, pairs),
    )
