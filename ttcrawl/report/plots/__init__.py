"""The figures of a crawl for a publication: one module each here, written as PNG and SVG."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.report.part import Group


@dataclass(frozen=True, slots=True)
class Figure:
    caption: str
    group: Group  # of the HTML report
    part: str  # of the report, whose tables have its numbers
    undivided: bool = False  # its panels are a picture that is not taken apart


#: All figures, in the order of the report.
FIGURES = {
    "growth": Figure("Growth of distinct URLs, with the law that it follows", Group.GROWTH, "summary"),
    "laws": Figure("Growth laws of URLs and of terms, with residuals", Group.GROWTH, "laws"),
    "discovery": Figure("New URLs per page, and the forecast", Group.GROWTH, "estimates"),
    "zipf": Figure("Zipf's law of terms and of in-links", Group.GROWTH, "laws"),
    "graph": Figure(
        "Chapters of the site: a disc each, with its most linked pages in the middle and the strongest links",
        Group.GRAPH,
        "graph",
        undivided=True,
    ),
    "degrees": Figure("Degrees of the pages, cumulative", Group.GRAPH, "laws"),
    "content": Figure("Depth, types, hosts, errors and duplicates", Group.CONTENTS, "content"),
    "topic": Figure("Relevant pages, harvest rate and recall", Group.TOPIC, "topic"),
    "lsh": Figure("Which pages are compared, and how similar the near duplicates are", Group.CONTENTS, "duplicates"),
}
