"""What to expect of pages with few visits: how the other pages of their host change, in memory that has a limit.

Everything comes from table `revisit`, in an order that the table decides, so that a restart finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ttcrawl.recrawl.json_text import evidence_of
from ttcrawl.recrawl.prior import BROAD, fit
from ttcrawl.recrawl.rate import Evidence, Gamma
from ttcrawl.store.recrawls import Sampled

#: Hosts with a prior of their own, those with the most visited pages; the pages that decide about one, and how many
#: it needs. Other hosts have the prior of all.
HOSTS, PAGES, LEAST = 1000, 40, 5


class Table(Protocol):
    """What the visits of all pages have shown (ttcrawl.store.recrawls)."""

    def sample(self, count: int, seed: int) -> tuple[list[Sampled], int]: ...

    def samples(self, sites: int, pages: int) -> dict[int, list[str]]: ...


class Priors:
    def __init__(self) -> None:
        self._broad, self._of_host = BROAD, dict[int, Gamma]()

    def of(self, site: int | None) -> Gamma:
        """Return the prior of a host by its id; None: the prior of all hosts."""
        return self._broad if site is None else self._of_host.get(site, self._broad)

    def learn(self, table: Table, seen: Sequence[Evidence]) -> None:
        """Fit the prior of all hosts to what visits of any pages have shown, and the priors of hosts to that one."""
        self._broad = fit(seen)
        self._of_host = {
            site: fit([evidence_of(text) for text in texts], self._broad)
            for site, texts in table.samples(HOSTS, PAGES).items()
            if len(texts) >= LEAST
        }
