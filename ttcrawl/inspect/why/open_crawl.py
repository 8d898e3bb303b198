"""A crawl opened for questions: a snapshot of its database, and its compiled rules."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.config import Config, resolve_map
from ttcrawl.config.compiled import canon_of, compile_traps
from ttcrawl.config.settings_of_reasons import settings_of
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.status import InFlight, requests_in_flight
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.stored_scope import stored_scope
from ttcrawl.vocabulary.requisite import waived
from ttcrawl.web.address import Allowed, allowed
from ttcrawl.web.canon import Canon
from ttcrawl.web.scope import Scope
from ttcrawl.web.traps import Traps


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsVersion:
    """A robots.txt as read."""

    read_at: float
    url: str
    status: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules that decide about a URL by itself and by its depth."""

    config: Config
    scope: Scope
    traps: Traps

    def refusal(self, url: str, depth: int = 0) -> str:
        """Only the reason."""
        # without a rule on depth, the scope need not check every depth
        return self.scope.ruling(url, depth if self.scope.by_path else 0)[0] or self.traps.refusal(url)

    def refusal_of_requisite(self, url: str) -> str:
        """Only the reason that refuses a URL as a page requisite."""
        return waived(self.scope.ruling(url)[0]) or self.traps.refusal(url)

    def ruling(self, url: str, depth: int = 0, off_domain: int = 0) -> tuple[str, str]:
        """Reason and rule of a refused URL; "" if it is not refused."""
        reason, rule = self.scope.ruling(url, depth, off_domain)
        if not reason:
            reason = self.traps.refusal(url)
        return reason, rule or settings_of(self.config)(reason)


def compile_rules(config: Config, about: Mapping[str, str]) -> Rules:
    """`about`: table `crawl`. Raises ConfigError."""
    return Rules(
        config=config,
        scope=stored_scope(config, about),
        traps=compile_traps(config.traps, time.gmtime().tm_year, session=config.has_session),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCrawl:
    """The snapshot, and the rules of the current config.ini."""

    db: View
    process: str  # of the running crawl, or ""
    in_flight: tuple[InFlight, ...]
    rules: Rules
    canon: Canon
    allowed: Allowed

    def robots_at(self, site: int, moment: float | None) -> RobotsVersion | None:
        """The robots.txt in force at a moment (None: the latest); before the first one, the first."""
        versions = self.db.execute(
            "SELECT time, url, status, text FROM robots WHERE site = ? ORDER BY time", (site,)
        ).fetchall()
        if not versions:
            return None
        before = [each for each in versions if moment is None or each[0] <= moment]
        at, url, status, text = before[-1] if before else versions[0]
        return RobotsVersion(read_at=at, url=url, status=status, text=text)


@contextmanager
def open_crawl(directory: Path) -> Iterator[OpenCrawl]:
    """One snapshot. Raises NotACrawl, also for damage that is found while it is open."""
    process = crawled_by(directory)  # before the snapshot: otherwise a crawl that ends in between looks killed
    with view(directory) as db:
        yield with_rules(db, process)


def with_rules(db: View, process: str) -> OpenCrawl:
    """A view with its compiled rules. `process` was read before the view was opened. Raises NotACrawl, ConfigError."""
    pairs = frozenset((name, address) for name, address in json.loads(db.settings.get("allowed", "[]")))
    return OpenCrawl(
        db=db,
        process=process,
        in_flight=requests_in_flight(db.settings),
        rules=compile_rules(db.config, db.settings),
        canon=canon_of(db.config),
        allowed=allowed(db.config.safety.allow, pairs, resolve_map(db.config.fetch.resolve)),
    )
