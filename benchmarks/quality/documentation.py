"""Main text of documentation: F1 by words, the mean over the pages of a generator."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from statistics import fmean

from benchmarks.articles import Extractor
from benchmarks.generators import Generator, paths, true_lines
from benchmarks.quality.packages import Packages
from benchmarks.quality.scores import f1
from benchmarks.quality.sites import SITES, unpacked
from ttcrawl.web.charset.detect import to_utf8

LEAST = 30  # words of the main text: what has fewer says nothing about an extractor


def measure(packages: Packages, extractors: Mapping[str, Extractor], count: int) -> dict[str, dict[str, float]]:
    """Generator -> "pages" and the F1 of each extractor."""
    result = {}
    for site in SITES:
        print(f"main text, {site.name}", file=sys.stderr, flush=True)
        result[site.name] = _of_site(unpacked(site, packages), extractors, count)
    return result


def _of_site(site: Generator, extractors: Mapping[str, Extractor], count: int) -> dict[str, float]:
    scores: dict[str, list[float]] = {name: [] for name in extractors}
    for path in paths(site, count):
        html = to_utf8(path.read_bytes(), "")[0]
        true = true_lines(html, site)
        if len(true.split()) >= LEAST:
            for name, extractor in extractors.items():
                scores[name].append(f1(extracted(extractor, html), true))
    pages = len(next(iter(scores.values())))
    return {"pages": pages} | {name: fmean(each) if each else 0.0 for name, each in scores.items()}


def extracted(extractor: Extractor, html: bytes) -> str:
    """Where an extractor of others fails, it found nothing."""
    try:
        return extractor(html, "")
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return ""
