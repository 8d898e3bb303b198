"""The politeness of crawls side by side, in a few rows. `ttcrawl report --politeness` has every host."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.output.layout import Row, Section
from ttcrawl.report.politeness import Politeness

MOST_HOSTS = 20
HOW = (
    "Gaps between requests to one host, or to one address of several hosts, from table visit. Too short: shorter than"
    " the delay or back-off that was due. ttcrawl report --politeness DIR lists the hosts."
)


def sections(crawls: Sequence[Politeness]) -> list[Section]:
    rows = (
        Row(label="Requests", values=tuple(each.requests for each in crawls)),
        Row(label="Hosts", values=tuple(each.hosts_asked for each in crawls)),
        Row(label="Addresses with several hosts", values=tuple(each.addresses_shared for each in crawls)),
        Row(label="Gaps with a delay due", values=tuple(each.delayed for each in crawls)),
        Row(label="  too short", values=tuple(each.broken for each in crawls)),
    )
    return [Section(title="Politeness", rows=rows, how=HOW)]
