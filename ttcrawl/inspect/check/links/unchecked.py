"""The URLs that nothing is known about, because nobody requested them: why, and how many."""

from __future__ import annotations

from collections import Counter

from ttcrawl.inspect.check.links import external
from ttcrawl.inspect.check.links.invalid import is_own
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.reason import BLOCKED_ADDRESS, ROBOTS
from ttcrawl.vocabulary.state import REFUSED

#: Reasons that a reader of the site does not have: for him, the link may be broken.
LISTED = (ROBOTS, BLOCKED_ADDRESS, external.OUT_OF_TIME)

ROWS = f"""
    SELECT key, url.url, reason FROM url LEFT JOIN page ON page.url = url.id
    WHERE state = '{REFUSED}' AND page.url IS NULL"""


class Unchecked:
    """`answered`: external URLs that were requested; `counts`: by reason; `reasons`: URL and reason of those listed."""

    def __init__(self, db: View, externals: list[View]) -> None:
        self.answered = 0
        self.counts = Counter[str]()
        self.reasons: dict[int, tuple[str, str]] = {}
        for key, url, reason in db.execute(ROWS):
            if reason not in external.REASONS:
                self._add(key, url, reason)
        self._add_external(db, externals)

    def _add(self, key: int, url: str, reason: str, prefix: str = "") -> None:
        self.counts[prefix + reason] += 1
        if reason.partition(": ")[0] in LISTED and not is_own(url):  # which is a problem of its own
            self.reasons[key] = url, reason

    def _add_external(self, db: View, externals: list[View]) -> None:
        candidates = dict(external.Candidates(db).urls)
        for each in reversed(externals):  # the last answer counts
            for key, reason in external.processed(each):
                if (candidate := candidates.pop(key, None)) is None:
                    continue
                if reason:
                    self._add(key, candidate[0], reason, "external: ")
                else:
                    self.answered += 1
        left = {key for each in externals for key, _ in external.queued(each)}
        for key, (url, reason) in candidates.items():
            if key in left:
                self._add(key, url, external.OUT_OF_TIME, "external: ")
            else:
                self.counts[reason] += 1
