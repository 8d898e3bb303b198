"""`ttcrawl topic recall`: how much of the relevant pages crawls have found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttcrawl.errors import DONE, FAILED, UsageError
from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.held_back import HOW, HeldBack, held_back
from ttcrawl.report.laws.overlap import exact_interval
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.topic.files import copied
from ttcrawl.topic.url_list import urls_in

RECAPTURE = (
    "Chapman's estimate, with the exact hypergeometric interval (95 %). It assumes that the crawls are independent."
    " Crawls of one web find the same popular pages, so the number of relevant pages is rather a lower bound, and the"
    " recall an upper one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """An estimate of a number of pages, with its 95 % interval."""

    size: float
    low: float
    high: float  # infinite: without an upper end
    seen: int


def size_of(first: int, second: int, both: int) -> Size | None:
    """Return the number of all pages, by two samples with pages in common (Chapman 1951). None: a sample is empty."""
    if not first or not second:
        return None
    low, high = exact_interval(first, second, both)
    size = (first + 1) * (second + 1) / (both + 1) - 1
    return Size(size=size, low=low, high=high, seen=first + second - both)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recapture:
    """The relevant pages that two crawls with different seeds found."""

    first: int
    second: int
    both: int
    size: Size | None  # None: one crawl found none
    shared_seeds: int
    judges_differ: bool  # the crawls have different lists or models

    def recall(self, pages: int) -> tuple[float, float, float] | None:
        """(Recall, and its 95 % interval) of a crawl with this number of relevant pages."""
        size = self.size
        if size is None:
            return None
        return pages / size.size, min(1.0, pages / size.high), min(1.0, pages / size.low)


def recapture(first: View, second: View) -> Recapture:
    """Compare the relevant pages of two crawls, by URL. Raises UsageError if a crawl scored no page."""
    one, other = _relevant(first), _relevant(second)
    both = len(one & other)
    return Recapture(
        first=len(one),
        second=len(other),
        both=both,
        size=size_of(len(one), len(other), both),
        shared_seeds=len(set(first.seeds) & set(second.seeds)),
        judges_differ=_judges(first) != _judges(second),
    )


def _relevant(db: View) -> set[str]:
    if db.execute("SELECT 1 FROM topic LIMIT 1").fetchone() is None:
        raise UsageError(
            f"{db.directory} has no scores: crawl with [topic] terms or model, or run"
            f" {command_line('topic', 'score', db.directory, '--save')} with a list or a model"
        )
    rows = db.execute(
        "SELECT url.url FROM topic JOIN url ON url.id = topic.url JOIN page ON page.url = url.id"
        " WHERE topic.relevant AND url.state = 'fetched' AND page.status BETWEEN 200 AND 299"
    )
    return {url for (url,) in rows}


def _judges(db: View) -> list[bytes]:
    settings = copied(db.config.topic, db.directory)
    paths = [Path(path) for path in (settings.terms, settings.model) if path]
    return [path.read_bytes() if path.is_file() else b"" for path in paths]


def recall(directories: Sequence[Path], held_back_file: Path | None, format: str) -> int:
    """Print the estimates. Returns the exit status: 1 if there is none. Raises UsageError."""
    lines = urls_in(held_back_file) if held_back_file is not None else None
    if len(directories) == 2 and directories[0].resolve() == directories[1].resolve():
        raise UsageError(f"{directories[0]} is named twice: name two crawls with different seeds")
    with ExitStack() as opened:
        crawls = [opened.enter_context(view(directory)) for directory in directories]
        samples = [held_back(crawl, lines) for crawl in crawls] if lines is not None else []
        two = recapture(*crawls) if len(crawls) == 2 else None
    names = [str(directory) for directory in directories]
    if format == "json":
        print(json_form(_fields(names, samples, two)))
    else:
        blocks = [_of_sample(name, each) for name, each in zip(names, samples, strict=False)]
        print(
            "\n\n".join(
                "\n".join(map(escape_untrusted, each)) for each in blocks + ([_of_two(names, two)] if two else [])
            )
        )
    estimated = any(each.recall is not None for each in samples) or (two is not None and two.size is not None)
    return DONE if estimated else FAILED


def _of_sample(name: str, each: HeldBack) -> list[str]:
    low, high = each.interval
    pages = counted(each.sample, "held-back page")
    share = (
        "unknown: no held-back page is left"
        if each.recall is None
        else (f"{each.recall:.1%} (95 %: {low:.1%} to {high:.1%}), {each.found:,} of {pages}")
    )
    lines = [f"{name}: recall {share}", f"  {each.relevant:,} of those found were judged relevant"]
    for count, what in (
        (each.queued, "still queued"),
        (sum(each.refused.values()), "refused: " + ", ".join(each.refused)),
        (each.undiscovered, "never discovered"),
        (each.seeds, "left out: seeds"),
        (each.gone, "left out: answered with an error, failed or deleted"),
        (each.malformed, "left out: no URLs"),
    ):
        if count:
            lines.append(f"  {count:,} {what}")
    return [*lines, f"  {HOW}"]


def _of_two(names: Sequence[str], two: Recapture) -> list[str]:
    if two.size is None:
        return [
            f"capture-recapture: {two.first:,} and {counted(two.second, 'relevant page')}: nothing can be estimated"
        ]
    size = two.size
    lines = [
        f"relevant pages, by capture-recapture: {size.size:,.0f} (95 %: {size.low:,.0f} to {_end(size.high)})",
        f"  {two.both:,} were found by both crawls, {size.seen:,} by at least one",
    ]
    for name, count in ((names[0], two.first), (names[1], two.second), ("both together", size.seen)):
        share, low, high = two.recall(count) or (0.0, 0.0, 0.0)
        lines.append(f"  {name}: recall {share:.1%} (95 %: {low:.1%} to {high:.1%}), {count:,} found")
    if two.shared_seeds:
        shared = "1 seed is one" if two.shared_seeds == 1 else f"{two.shared_seeds:,} seeds are those"
        lines.append(f"  {shared} of both crawls, so the samples are not independent")
    if two.judges_differ:
        lines.append("  the crawls judge by different lists or models: pages that only one accepts look missed")
    return [*lines, f"  {RECAPTURE}"]


def _end(high: float) -> str:
    return "any number" if math.isinf(high) else f"{high:,.0f}"


def _fields(names: Sequence[str], samples: Sequence[HeldBack], two: Recapture | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "held_back": [
            {
                "crawl": name,
                "recall": each.recall,
                "low": each.interval[0],
                "high": each.interval[1],
                "given": each.given,
                "malformed": each.malformed,
                "found": each.found,
                "judged_relevant": each.relevant,
                "queued": each.queued,
                "refused": dict(each.refused),
                "undiscovered": each.undiscovered,
                "seeds": each.seeds,
                "gone": each.gone,
            }
            for name, each in zip(names, samples, strict=False)
        ]
    }
    if two is None:
        return fields
    size = two.size
    counts = {names[0]: two.first, names[1]: two.second, "together": size.seen if size else 0}
    return fields | {
        "recapture": {
            "first": two.first,
            "second": two.second,
            "both": two.both,
            "size": size and {"estimate": size.size, "low": size.low, "high": size.high},
            "recall": {name: two.recall(count) for name, count in counts.items()},
            "shared_seeds": two.shared_seeds,
            "judges_differ": two.judges_differ,
        }
    }
