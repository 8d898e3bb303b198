"""The politeness of crawls side by side, in a few rows. `ttcrawl report --politeness` has every host."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.output.layout import Section
from ttcrawl.report.politeness import Politeness, of_view
from ttcrawl.report.rows import row
from ttcrawl.report.sources import Sources

MOST_HOSTS = 20
HOW = (
    "Gaps between requests to one host, or to one address of several hosts, from table visit. Too short: shorter than"
    " the delay or back-off that was due. ttcrawl report --politeness DIR lists the hosts."
)


def read(sources: Sources) -> Politeness:
    return of_view(sources.db, MOST_HOSTS, sources.progress)


def sections(crawls: Sequence[Politeness]) -> list[Section]:
    rows = (
        row("Requests", crawls, lambda each: each.requests),
        row("Hosts", crawls, lambda each: each.hosts_requested),
        row("Addresses with several hosts", crawls, lambda each: each.addresses_shared),
        row("Gaps with a delay due", crawls, lambda each: each.delayed),
        row("  too short", crawls, lambda each: each.broken if each.delayed else None),
    )
    return [Section(title="Politeness", rows=rows, how=HOW)]
