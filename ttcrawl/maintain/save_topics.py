"""Score the pages of a crawl anew and store the scores, as if it had been crawled with another list or model.

The list or the model becomes the crawl's own, so `resume` scores by it too. The files and crawl.db change in one
step (ttcrawl.store.staged).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ttcrawl.config import Config, Topic, read_own
from ttcrawl.config.topic import check as check_topic
from ttcrawl.engine.reporting.hooks import located
from ttcrawl.engine.run.directory import config_file
from ttcrawl.engine.topic.best_first import FOLLOW_AGAIN
from ttcrawl.engine.topic.copies import changed_copies, own_copies
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.inspect.topic.pages import pages_of
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress, reported
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.mailbox import command_to_continue
from ttcrawl.store.mending import mending
from ttcrawl.store.staged import NOTE, staged, step
from ttcrawl.store.stopped import stopped
from ttcrawl.store.totals import TOTALS
from ttcrawl.topic.assess import Assessor
from ttcrawl.topic.files import DIRECTORY, NAMES, assessor_of, copied
from ttcrawl.web.url import host

#: First the old score: a row of `topic` beside one that is there would belong to another answer.
_DELETE, _INSERT = "DELETE FROM topic WHERE url = ?", "INSERT INTO topic VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Numbers of pages. `unscored`: they have no text or no score by these rules, so they keep what was stored."""

    scored: int
    relevant: int
    newly: int  # relevant now, and not before
    no_longer: int
    unscored: int

    def text(self, directory: Path) -> str:
        changes = f"{self.newly:,} were not before, {self.no_longer:,} are no longer"
        copy = f"; {counted(self.unscored, 'page')} without a stored text: the score stays" if self.unscored else ""
        return (
            f"{directory}: {self.relevant:,} of {counted(self.scored, 'page')} are relevant ({changes}){copy};"
            f" {command_to_continue(directory)} follows their links"
        )


def save(directory: Path, changes: Mapping[str, Any], progress: Progress, *, ring: bool = False) -> Saved:
    """Store the scores by a crawl's own settings with other keys of [topic].

    `ring`: it may be the directory of a ring. Raises UsageError while the crawl runs, or if the hook for pages decides.
    """
    with stopped(directory, ring=ring):
        config = with_changes(directory, read_own(directory), changes)
        files = changed_copies(config.topic, {f"topic.{key}" for key in changes}, directory)
        fresh: dict[str, Any] = {
            key: str(staged(directory / DIRECTORY / name)) for key, name in NAMES.items() if name in files
        }
        new = {**own_copies(directory, files), "config.ini": config_file(directory, config)}
        with step(directory, new) as digests:
            assessor, _ = assessor_of(replace(copied(config.topic, directory), **fresh))
            assert assessor is not None
            with view(directory) as db:
                before = dict(db.execute("SELECT url, relevant FROM topic"))
                rows = list(_rows(db, assessor, progress))
            with mending(directory / "crawl.db") as writing:
                writing.executemany(_DELETE, ((row[0],) for row in rows))
                writing.executemany(_INSERT, rows)
                for name, value in (("tunnel", FOLLOW_AGAIN), ("topical", "yes")):
                    writing.execute("INSERT OR REPLACE INTO crawl VALUES (?, ?)", (name, str(value)))
                writing.execute(f"INSERT OR REPLACE INTO crawl SELECT 'total_relevant', ({TOTALS['relevant']})")
                writing.execute(NOTE, (digests,))
    return Saved(
        scored=len(rows),
        relevant=sum(row[1] for row in rows),
        newly=sum(row[1] and not before.get(row[0]) for row in rows),
        no_longer=sum(not row[1] and bool(before.get(row[0])) for row in rows),
        unscored=len(before.keys() - {row[0] for row in rows}),
    )


def with_changes(directory: Path, config: Config, changes: Mapping[str, Any]) -> Config:
    """Return the configuration of a crawl with other keys of [topic]. Raises UsageError."""
    return located(replace(config, topic=_settings(directory, config, changes)))


def _settings(directory: Path, config: Config, changes: Mapping[str, Any]) -> Topic:
    """Raises UsageError. A crawl that had no subject goes on following all links."""
    settings = config.topic
    if settings.hook:
        raise UsageError("the hook for pages decides about this crawl: set [topic] hook = no to score by a list")
    new = replace(settings, **changes)
    if not new.on:
        raise UsageError(f"{directory} has neither a list nor a model: name one with --terms or --model")
    try:
        check_topic(new, config.record, hook=config.hooks.page, files=config.files.save)
    except ValueError as error:
        raise UsageError(f"[topic] {error}") from error
    return new if settings.on else replace(new, tunnel=-1)


def _rows(db: View, assessor: Assessor, progress: Progress) -> Iterator[tuple[Any, ...]]:
    (total,) = db.execute("SELECT count(*) FROM page").fetchone()
    for id, url, page in reported(pages_of(db, errors=True), progress, "pages", total):
        try:
            result = assessor.assess(page, host(url))
        except (ValueError, CrawlFailedError):  # the page keeps its score, or has none, as while crawling
            continue
        classes, terms = json.dumps(dict(result.classes)), json.dumps(result.terms)
        yield id, int(result.relevant), result.score, result.probability, result.by, classes, terms
