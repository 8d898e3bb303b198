"""`ttcrawl why --as-if RULE --apply` for all rings: decided over the links of all, changed in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ttcrawl.cluster.requeue import sending
from ttcrawl.cluster.results.joined import joined
from ttcrawl.cluster.stopped_rings import StoppedRings, stopped_rings
from ttcrawl.engine.run.directory import write_config
from ttcrawl.inspect.why.as_if import as_if_rules
from ttcrawl.inspect.why.open_crawl import open_crawl
from ttcrawl.inspect.why.replay import Changes, Decision, replay
from ttcrawl.maintain.apply_rules import Applied, Changed, write
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.stopped import stopped
from ttcrawl.vocabulary.reason import FOREIGN
from ttcrawl.vocabulary.state import QUEUED, REFUSED
from ttcrawl.web.url import host


def apply_in_rings(directory: Path, texts: Sequence[str], progress: Progress) -> tuple[Changes, Applied]:
    """Raises UsageError while the crawl runs, ConfigError for rules that are invalid or cannot be replayed."""
    changed = Changed()
    with stopped_rings(directory) as rings:
        with open_crawl(joined(directory, progress)) as crawl:
            rules = as_if_rules(crawl, texts)
            changes = replay(crawl, texts, rules, progress, changed.take)
        for ring, path in rings.paths.items():
            own = Changed(
                queued=list(_rows(rings, ring, changed.queued)), refused=list(_rows(rings, ring, changed.refused))
            )
            with stopped(path, ring=True):
                write(path, rules, own, sending(rings, ring))
        write_config(directory, rules.config)
    return changes, changed.applied


def _rows(rings: StoppedRings, ring: int, decisions: Sequence[Decision]) -> Iterator[Decision]:
    """Yield the decisions about rows of a ring: those of its hosts, and what it has refused to send to others."""
    with view(rings.paths[ring]) as db:
        for decision in decisions:
            row = _row(db, decision.row.url)
            if row is None or row[1] not in (QUEUED, REFUSED) or row[2] == FOREIGN:
                continue
            if rings.table.ring_of(host(decision.row.url)) == ring or decision.after[0] == QUEUED:
                yield replace(decision, row=replace(decision.row, id=row[0]))


def _row(db: View, url: str) -> tuple[int, str, str] | None:
    """Return id, state and reason of a URL, None if it was never discovered."""
    id = db.url_id(url)
    row = db.execute("SELECT id, state, reason FROM url WHERE id = ?", (id,)).fetchone() if id is not None else None
    return None if row is None else (row[0], row[1], row[2])
