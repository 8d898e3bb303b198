"""`ttcrawl plot`: draws the requested figures, once or repeatedly while the crawl runs."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.errors import UsageError
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress, silent
from ttcrawl.report.html.colours import with_variables
from ttcrawl.report.html.page import Drawing
from ttcrawl.report.plots import FIGURES, chapters, content, discovery, distributions, laws, lsh, topic
from ttcrawl.report.plots.growth import HEIGHT, growth, growth_panels
from ttcrawl.report.plots.panels import panels
from ttcrawl.report.plots.style import FORMATS, draw, figure_of, label, short_names
from ttcrawl.report.study import Study, lazy_study
from ttcrawl.report.summarize import summarize
from ttcrawl.snapshot.status import status

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Longest time until Ctrl-C takes effect, in seconds.
TICK = 0.2

References = Sequence[tuple[float, float]]


def plot(
    directories: Sequence[Path],
    selected: Collection[str],
    out: Path,
    references: References,
    progress: Progress = silent,
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Draw the figures named in `selected` (of ttcrawl.report.plots.FIGURES). Returns the paths of the written files.

    All figures come from one snapshot; only the parts that they need are read.
    """
    names = short_names([str(directory) for directory in directories])
    if set(selected) <= {"growth"}:  # which needs only the summary of a crawl
        progress("links", 0, 0)
        summaries = [summarize(directory) for directory in directories] if selected else []
        return growth(summaries, names, out, references, formats) if selected else []
    with ExitStack() as stack:
        crawls = [stack.enter_context(lazy_study(directory, progress)) for directory in directories]
        paths = (
            growth([crawl.summary for crawl in crawls], names, out, references, formats) if "growth" in selected else []
        )
        return paths + figures(crawls, names, selected, out, references, formats)


def plot_studies(
    studies: Mapping[str, Study], selected: Collection[str], out: str | os.PathLike[str], references: References
) -> list[Path]:
    """The same for studies by name. Raises UsageError for an unknown figure."""
    if unknown := [each for each in selected if each not in FIGURES]:
        raise UsageError(f"unknown figure {unknown[0]!r}; the figures: {', '.join(FIGURES)}")
    crawls, names = list(studies.values()), short_names(list(studies))
    paths = growth([crawl.summary for crawl in crawls], names, Path(out), references) if "growth" in selected else []
    return paths + figures(crawls, names, selected, Path(out), references)


def figures(
    crawls: Sequence[Study],
    names: Sequence[str],
    selected: Collection[str],
    out: Path,
    references: References,
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """All figures except growth.

    Few crawls have a topic, so its figure is left out where no crawl has one, unless it alone is selected.
    """
    drawings = _drawings(crawls, [label(name) for name in names], references)
    return [
        path
        for name in drawings
        if name in selected
        for path in draw(out / name, *drawings[name], formats, skip_empty=name == "topic" and len(selected) > 1)
    ]


def _drawings(
    crawls: Sequence[Study], labels: Sequence[str], references: References
) -> dict[str, tuple[float, Callable[[Figure], None]]]:
    """The height and what draws each figure except growth."""
    return {
        "laws": (laws.HEIGHT, partial(laws.laws, crawls=crawls, names=labels, references=references)),
        "discovery": (discovery.HEIGHT, partial(discovery.discovery, crawls=crawls, names=labels)),
        "zipf": (distributions.HEIGHT, partial(distributions.zipf, crawls=crawls, names=labels)),
        "graph": (chapters.HEIGHT, partial(chapters.graph, crawls=crawls, names=labels)),
        "degrees": (distributions.HEIGHT, partial(distributions.degrees, crawls=crawls, names=labels)),
        "content": (content.HEIGHT, partial(content.content, crawls=crawls, names=labels)),
        "topic": (topic.HEIGHT, partial(topic.topic, crawls=crawls, names=labels)),
        "lsh": (lsh.HEIGHT, partial(lsh.lsh, crawls=crawls, names=labels)),
    }


def inline(
    crawls: Sequence[Study], names: Sequence[str], references: References, parts: Collection[str]
) -> dict[str, list[Drawing]]:
    """The figures of these parts of the report by name, for an HTML page: each panel that has data."""
    labels = [label(name) for name in short_names(names)]
    summaries = [crawl.summary for crawl in crawls]
    drawings = _drawings(crawls, labels, references) | {
        "growth": (HEIGHT, partial(growth_panels, summaries=summaries, names=labels, references=references))
    }
    return {
        name: list(_panels(name, *drawings[name]))
        for name, figure in FIGURES.items()
        if figure.part in parts and name in drawings
    }


def _panels(name: str, height: float, drawing: Callable[[Figure], None]) -> Iterator[Drawing]:
    text_stays_text = {"svg.fonttype": "none"}  # which is small, and found by a search
    with figure_of(height, drawing, text_stays_text) as figure:
        undivided = FIGURES[name].undivided
        for number, caption in enumerate(_undivided(figure, name) if undivided else panels(figure), 1):
            with io.StringIO() as out:
                figure.savefig(out, format="svg", metadata={"Date": None, "Creator": "ttcrawl"})
                svg = _element(f"{name}{number}", caption, out.getvalue())
            yield Drawing(caption=caption, svg=svg, wide=undivided)


def _undivided(figure: Figure, name: str) -> list[str]:
    """The caption of a figure, if it has data."""
    return [FIGURES[name].caption] if any(axes.has_data() for axes in figure.axes) else []


def _element(name: str, caption: str, svg: str) -> str:
    """The SVG element in the colours of the page, without the parts that only a separate file needs.

    Its ids are unique among figures.
    """
    element = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    return re.sub(r"<[^>]*>", lambda tag: _tag(name, caption, tag[0]), element)  # names of crawls are text


def _tag(name: str, caption: str, tag: str) -> str:
    named = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", tag)
    return with_variables(named.replace("<svg", f'<svg role="img" aria-label="{escape(caption)}"', 1))


def watch(
    directories: Sequence[Path],
    selected: Collection[str],
    out: Path,
    references: References,
    seconds: float,
    report: Callable[[str], None],
    formats: Sequence[str] = FORMATS,
) -> None:
    """Draw again every `seconds` seconds until no crawl is running, and once after that."""
    with _interrupts() as interrupts:
        while True:
            ended = all(not status(directory, 0).process for directory in directories)
            plot(directories, selected, out, references, formats=formats)
            pages = sum(status(directory, 0).pages for directory in directories)
            report(f"{time.strftime('%H:%M:%S')}  {counted(pages, 'page')}{'; ended' if ended else ''}  {out}")
            if ended:
                return
            end = time.monotonic() + seconds
            while (remaining := end - time.monotonic()) > 0:
                if interrupts:
                    raise KeyboardInterrupt
                time.sleep(min(TICK, remaining))


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Records Ctrl-C for a later check: an exception during the cleanup of figures would be lost."""
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)
