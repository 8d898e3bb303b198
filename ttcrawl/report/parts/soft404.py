"""Error pages that are sent with a status of success."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Section
from ttcrawl.report.rows import row, row_of
from ttcrawl.report.sources import Sources

#: How a host answered requests for URLs that cannot exist -> the label of such hosts in the report.
ERROR_BEHAVIOURS = {
    "soft": "Hosts with soft 404s",
    "honest": "Hosts that report missing pages",
    "different": "Hosts that answer differently each time",
    "all alike": "Hosts whose pages are all alike",
    "no answer": "Hosts without an answer",
    "": "Hosts not judged yet",
}
HOW = (
    "A few URLs that cannot exist are requested from hosts with many pages. Pages with the text of the answers, and"
    " redirects to the same URL as the answers, are soft 404s. They are marked at the end of a run."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Soft404s:
    pages: int  # that equal the answer of their host to URLs that cannot exist
    redirects: int  # likewise
    probes: int  # processed
    unrequested: int  # still queued
    hosts: dict[str, int]  # hosts with probes, by outcome


def read(sources: Sources) -> Soft404s:
    db = sources.db
    marks = "SELECT count(*), coalesce(sum(state = 'moved'), 0) FROM soft_404 JOIN url ON url.id = soft_404.url"
    marked, moved = db.execute(marks).fetchone()
    probes, requested = db.execute("SELECT count(*), count(time) FROM probe").fetchone()
    hosts = db.execute("SELECT soft_404, count(*) FROM site WHERE id IN (SELECT site FROM probe) GROUP BY 1")
    return Soft404s(
        pages=marked - moved,
        redirects=moved,
        probes=requested,
        unrequested=probes - requested,
        hosts=dict(hosts.fetchall()),
    )


def sections(crawls: Sequence[Soft404s]) -> list[Section]:
    """Empty if no host was probed."""
    if not any(each.hosts for each in crawls):
        return []
    rows = [
        row("Pages", crawls, lambda each: each.pages),
        row("Redirects", crawls, lambda each: each.redirects),
        *(
            row_of(label, [[each.hosts.get(kind, 0)] for each in crawls])
            for kind, label in ERROR_BEHAVIOURS.items()
            if any(kind in each.hosts for each in crawls)
        ),
        row("URLs that cannot exist, requested", crawls, lambda each: each.probes),
        row("  not requested yet", crawls, lambda each: each.unrequested),
    ]
    return [Section(title="Soft 404s", rows=tuple(rows), how=HOW)]
