"""`ttcrawl why --as-if RULE --apply`: make the rules the crawl's own, and decide again what was not requested.

config.ini and crawl.db change in one step (ttcrawl.store.staged), and rules that stand already are not added again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ttcrawl.config.settings_of_reasons import settings_of
from ttcrawl.engine.run.directory import config_file
from ttcrawl.frontier.priority import queue_order
from ttcrawl.inspect.why.as_if import as_if_rules
from ttcrawl.inspect.why.open_crawl import Rules, open_crawl
from ttcrawl.inspect.why.replay import NEVER, Changes, Decision, replay
from ttcrawl.maintain.requeue import Send
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress
from ttcrawl.store.mailbox import command_to_continue
from ttcrawl.store.mending import Mending, mending
from ttcrawl.store.requeue import count_again, queue_again
from ttcrawl.store.staged import NOTE, step
from ttcrawl.store.stopped import stopped
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import QUEUED, REFUSED

AGAIN = """
    CREATE TEMP TABLE again (id INTEGER, site INTEGER, state TEXT, reason TEXT, reached INTEGER, rule TEXT)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Numbers of URLs. `unchanged`: they were answered, or no path leads to them any more, so they stay as they are."""

    queued: int
    refused: int
    unchanged: int

    def text(self, directory: Path) -> str:
        hint = f"; {command_to_continue(directory)} requests them" if self.queued else ""
        return (
            f"Applied: {counted(self.refused, 'URL', 'is', 'are')} refused now, {self.queued:,} queued{hint}."
            f" Unchanged, because requested, or because no path leads there any more: {self.unchanged:,}."
        )


@dataclass(slots=True)
class Changed:
    """Decisions that differ from the state of their URLs."""

    queued: list[Decision] = field(default_factory=list)
    refused: list[Decision] = field(default_factory=list)
    unchanged: int = 0

    def take(self, decision: Decision) -> None:
        before = decision.row.state, decision.row.reason
        if decision.after == before:
            return
        if decision.row.state not in (QUEUED, REFUSED) or decision.after == NEVER:
            self.unchanged += 1
        elif decision.after[0] == QUEUED:
            self.queued.append(decision)
        else:
            self.refused.append(decision)

    @property
    def applied(self) -> Applied:
        return Applied(queued=len(self.queued), refused=len(self.refused), unchanged=self.unchanged)


def apply_rules(directory: Path, texts: Sequence[str], progress: Progress) -> tuple[Changes, Applied]:
    """Raises UsageError while the crawl runs, ConfigError for rules that are invalid or cannot be replayed."""
    with stopped(directory):
        changed = Changed()
        with open_crawl(directory) as crawl:
            rules = as_if_rules(crawl, texts)
            changes = replay(crawl, texts, rules, progress, changed.take)
        write(directory, rules, changed)
    return changes, changed.applied


def write(directory: Path, rules: Rules, changed: Changed, send: Send | None = None) -> None:
    """Write rules and decisions into a crawl that is locked."""
    files = {"config.ini": config_file(directory, rules.config)}
    with step(directory, files) as row, mending(directory / "crawl.db") as db:
        _refuse(db, rules, changed.refused)
        _queue(db, rules, changed.queued)
        if send is not None:
            send(db)
        count_again(db)
        db.execute(NOTE, (row,))


def _refuse(db: Mending, rules: Rules, decisions: Sequence[Decision]) -> None:
    now, rule_of = round(time.time(), 3), settings_of(rules.config)
    for decision in decisions:
        rule = rules.ruling(decision.row.url, decision.depth or 0)[1] or rule_of(Code(decision.after[1]))
        if rule:
            db.execute("INSERT INTO rule (text) VALUES (?) ON CONFLICT DO NOTHING", (rule,))
        db.execute(
            "UPDATE url SET state = ?, reason = ?, rule = (SELECT id FROM rule WHERE text = ?),"
            " processed = coalesce(processed, ?), due = 0 WHERE id = ?",
            (REFUSED, decision.after[1], rule, now, decision.row.id),
        )


def _queue(db: Mending, rules: Rules, decisions: Sequence[Decision]) -> None:
    """Queue URLs on the path that leads to them now."""
    order = queue_order(rules.config.frontier)
    db.define("priority_of", 4, order.priority)
    db.execute(AGAIN)
    db.executemany(
        "INSERT INTO again SELECT url.id, site, state, reason, ?, coalesce(rule.text, '')"
        " FROM url LEFT JOIN rule ON rule.id = rule WHERE url.id = ?",
        ((True, each.row.id) for each in decisions),
    )
    db.executemany(
        "UPDATE url SET depth = ?1, redirects = ?2, requisite = ?3, off_topic = ?4,"
        " priority = priority_of(coalesce(?1, 0), rank, score, demoted) WHERE id = ?5",
        ((each.depth, each.redirects, each.requisite, each.off_topic, each.row.id) for each in decisions),
    )
    queue_again(db)
