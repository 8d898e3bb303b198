"""`ttcrawl plot`: draws the requested figures, once or repeatedly while the crawl runs."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.ask.plots import FIGURES, content, discovery, distributions, laws, lsh
from ttcrawl.ask.plots.growth import growth
from ttcrawl.ask.plots.style import draw, label, named
from ttcrawl.ask.report.read import summarize
from ttcrawl.ask.report.status import status
from ttcrawl.ask.study.laws import Progress
from ttcrawl.ask.study.reading import reading, silent
from ttcrawl.ask.study.study import Parts, Study
from ttcrawl.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Longest time until Ctrl-C takes effect, in seconds.
TICK = 0.2

CAPTIONS = {
    "growth": "Growth of distinct URLs, with Heaps' law",
    "laws": "Heaps' law of URLs and of words, with residuals",
    "discovery": "New URLs per page, and the forecast",
    "zipf": "Zipf's law of words and of in-links",
    "degrees": "Degrees of the pages, cumulative",
    "content": "Depth, types, hosts, errors and duplicates",
    "lsh": "Which pages are compared, and how similar the near duplicates are",
}

Given = Sequence[tuple[float, float]]


def plot(
    directories: Sequence[Path], what: Sequence[str], out: Path, given: Given, progress: Progress = silent
) -> list[Path]:
    """Draw the figures named in `what` (of ttcrawl.ask.plots.FIGURES). Returns the paths of the written files.

    All figures come from one snapshot; only the parts that they need are read.
    """
    names = named([str(directory) for directory in directories])
    if set(what) <= {"growth"}:  # which needs only the summary of a crawl
        return growth([summarize(directory) for directory in directories], names, out, given) if what else []
    with ExitStack() as stack:
        crawls = [stack.enter_context(reading(directory, progress)) for directory in directories]
        paths = growth([crawl.summary for crawl in crawls], names, out, given) if "growth" in what else []
        return paths + figures(crawls, names, what, out, given)


def plot_studies(
    studies: Mapping[str, Study], what: Sequence[str], out: str | os.PathLike[str], given: Given
) -> list[Path]:
    """The same for studies by name. Raises UsageError for an unknown figure."""
    if unknown := [each for each in what if each not in FIGURES]:
        raise UsageError(f"unknown figure {unknown[0]!r}; the figures: {', '.join(FIGURES)}")
    crawls, names = list(studies.values()), named(list(studies))
    paths = growth([crawl.summary for crawl in crawls], names, Path(out), given) if "growth" in what else []
    return paths + figures(crawls, names, what, Path(out), given)


def figures(crawls: Sequence[Parts], names: Sequence[str], what: Sequence[str], out: Path, given: Given) -> list[Path]:
    """All figures except growth."""
    labels = [label(name) for name in names]
    drawings: dict[str, tuple[float, Callable[[Figure], None]]] = {
        "laws": (laws.HEIGHT, partial(laws.laws, crawls=crawls, names=labels, given=given)),
        "discovery": (discovery.HEIGHT, partial(discovery.discovery, crawls=crawls, names=labels)),
        "zipf": (distributions.HEIGHT, partial(distributions.zipf, crawls=crawls, names=labels)),
        "degrees": (distributions.HEIGHT, partial(distributions.degrees, crawls=crawls, names=labels)),
        "content": (content.HEIGHT, partial(content.content, crawls=crawls, names=labels)),
        "lsh": (lsh.HEIGHT, partial(lsh.lsh, crawls=crawls, names=labels)),
    }
    return [path for name in drawings if name in what for path in draw(out / name, *drawings[name])]


def inline(crawls: Sequence[Parts], names: Sequence[str], given: Given) -> list[tuple[str, str]]:
    """All figures as (caption, SVG element), for an HTML page."""
    with tempfile.TemporaryDirectory(prefix="ttcrawl-") as place:
        out, names = Path(place), named(names)
        paths = growth([crawl.summary for crawl in crawls], names, out, given)
        paths += figures(crawls, names, FIGURES, out, given)
        drawn = {path.stem: path.read_text(encoding="utf-8") for path in paths if path.suffix == ".svg"}
    return [(CAPTIONS[name], _element(name, svg)) for name, svg in drawn.items()]


def _element(name: str, svg: str) -> str:
    """The SVG element without the parts that only a separate file needs, with ids that are unique among figures."""
    element = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", element)


def watch(
    directories: Sequence[Path],
    what: Sequence[str],
    out: Path,
    given: Given,
    seconds: float,
    say: Callable[[str], None],
) -> None:
    """Draw again every `seconds` seconds until no crawl is running, and once after that."""
    with _interrupts() as interrupts:
        while True:
            ended = all(not status(directory, 0).process for directory in directories)
            plot(directories, what, out, given)
            pages = sum(status(directory, 0).pages for directory in directories)
            say(f"{time.strftime('%H:%M:%S')}  {pages:,} pages{'; ended' if ended else ''}  {out}")
            if ended:
                return
            end = time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                if interrupts:
                    raise KeyboardInterrupt
                time.sleep(min(TICK, left))


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Records Ctrl-C for a later check: an exception during the cleanup of figures would be lost."""
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)
