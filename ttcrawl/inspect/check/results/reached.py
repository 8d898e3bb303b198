"""Which problems of the last check this one could have seen: the others are neither mended nor forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.links import external
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.state import QUEUED, REFUSED
from ttcrawl.web.url import key

_STATE = "SELECT state, reason FROM url WHERE id = {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What a crawl has reached; `requested`: keys of the external URLs that were requested."""

    db: View
    complete: bool
    requested: frozenset[int]

    def __call__(self, problem: Problem) -> bool:
        urls = {each.partition("#")[0] for each in (problem.url, problem.source)}
        return all(self._is_known(each) for each in urls if each.startswith(("http://", "https://")))

    def _is_known(self, url: str) -> bool:
        """Whether it was requested, or will not be; of a complete crawl, a URL without a row has no link any more."""
        row = self.db.execute(_STATE.format(self.db.id_of("?1")), (key(url),)).fetchone()
        if row is None:
            return self.complete
        state, reason = row
        if state == REFUSED and reason in external.REASONS:
            return key(url) in self.requested
        return bool(state != QUEUED)


def reached_by(db: View, externals: Sequence[View]) -> Reached:
    queued = db.execute(f"SELECT 1 FROM url WHERE state = '{QUEUED}' LIMIT 1").fetchone() is not None
    return Reached(
        db=db,
        complete=not queued and db.settings.get("finished") in ("done", "visited"),
        requested=frozenset(key for each in externals for key, _ in external.processed(each)),
    )
