"""Near duplicates in documentation: precision and recall of the marks, each with an interval of 95 %.

A mark is right where the exact similarity of both true main texts is that of the configuration or more; a page is to be
marked where an earlier one is that similar (`benchmarks.generators`).
"""

from __future__ import annotations

import sys

from benchmarks import generators
from benchmarks.quality.packages import Packages
from benchmarks.quality.sites import SITES, unpacked

COUNTS = ("pages", "marked", "right", "similar", "found")


def measure(packages: Packages, count: int) -> dict[str, dict[str, int]]:
    """Generator, and "all" -> pages, marked pages, right marks, pages with an earlier similar one, and the marked ones
    among these."""
    parser, result = generators.Parser(), dict[str, dict[str, int]]()
    for site in SITES:
        measured = generators.measure(unpacked(site, packages), count, parser)
        result[site.name] = {name: getattr(measured, name) for name in COUNTS}
        print(f"duplicates, {site.name}: {result[site.name]}", file=sys.stderr, flush=True)
    result["all"] = {name: sum(each[name] for each in result.values()) for name in COUNTS}
    return result
