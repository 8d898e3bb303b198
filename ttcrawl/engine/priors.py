"""What to expect of pages with few visits: how the other pages of their host change, in memory that has a limit.

Everything comes from table `revisit`, in an order that the table decides, so that a restart finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ttcrawl.revisit.memory import evidence_of
from ttcrawl.revisit.prior import BROAD, MOST, fit
from ttcrawl.revisit.rate import Gamma

#: Hosts with a prior of their own, those with the most visited pages; the pages that decide about one, and how many
#: it needs. Other hosts have the prior of all.
HOSTS, PAGES, LEAST = 1000, 40, 5


class Table(Protocol):
    """What the visits of all pages have shown (ttcrawl.store.revisits)."""

    def evidence(self, count: int) -> list[str]: ...

    def samples(self, sites: int, pages: int) -> dict[int, list[str]]: ...

    def all_evidence(self) -> Iterator[tuple[str, int | None, int, bool]]: ...


class Priors:
    def __init__(self) -> None:
        self._broad, self._of_host = BROAD, dict[int, Gamma]()

    def of(self, site: int | None) -> Gamma:
        """Return the prior of a host by its id; None: that of all hosts."""
        return self._broad if site is None else self._of_host.get(site, self._broad)

    def learn(self, table: Table) -> None:
        """Fit the prior of all hosts, and those of hosts to it."""
        self._broad = fit([evidence_of(text) for text in table.evidence(MOST)])
        self._of_host = {
            site: fit([evidence_of(text) for text in texts], self._broad)
            for site, texts in table.samples(HOSTS, PAGES).items()
            if len(texts) >= LEAST
        }
