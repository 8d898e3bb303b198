"""`ttcrawl demo`: crawl the bundled campus site three times and compare the results with its known figures."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from ttcrawl.config import Config, read
from ttcrawl.demo.campus import Campus
from ttcrawl.demo.server import Server
from ttcrawl.demo.truth import BETA, CRAWL_DELAY, FLOOR_SECONDS, HTML, REGEX, SECONDS, Column, K
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.session import begin
from ttcrawl.errors import DONE, FAILED, REPORT, install_line, installed
from ttcrawl.output.json_form import json_form
from ttcrawl.output.shell import command_line
from ttcrawl.report.laws.law import examine
from ttcrawl.report.laws.statement import IN_SCOPE
from ttcrawl.report.parts.summary import render
from ttcrawl.report.plots.growth import growth
from ttcrawl.report.sources import SEED
from ttcrawl.report.summarize import summarize
from ttcrawl.report.summary import Summary
from ttcrawl.store.regular import replace_file

#: Crawl-delay of the demo site in seconds, unless the user asks for the published one.
SCALED_DELAY = 0.05

#: Requests of a crawl of the site, with robots.txt.
REQUESTS = 815

#: Percent over the floor from which other work on the machine is the likely cause.
BUSY = 5.0

#: A fixed port keeps the URLs equal each time; if it is in use, another port is taken.
PORT = 8811

NAMES = {
    "crawled": "URLs crawled",
    "not_found": "  of them 404",
    "found": "links found",
    "content": "  in content",
    "content_distinct": "    distinct",
    "elsewhere": "  elsewhere",
    "elsewhere_distinct": "    distinct",
    "blocked": "blocked by robots.txt",
    "blocked_distinct": "    distinct",
    "parse_errors": "parse errors",
    "saturation": "last new URL at page",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One of the three crawls."""

    name: str
    directory: str
    parser: str
    obey: bool
    truth: Column


VARIANTS = (
    Variant(name="delay obeyed", directory="obeyed", parser="lexbor", obey=True, truth=HTML),
    Variant(name="not obeyed", directory="not-obeyed", parser="lexbor", obey=False, truth=HTML),
    Variant(name="regular expression", directory="regex", parser="regex", obey=False, truth=REGEX),
)


def demo(directory: Path, *, obey_delay: bool, form: str = "text") -> int:
    """Crawl, print the table, and write report and plot into `directory`.

    Returns the exit status: 1 if a number differs, 3 if a crawl was stopped.
    """
    delay = CRAWL_DELAY if obey_delay else SCALED_DELAY
    print(
        "ttcrawl: 4 of the site's 811 pages do not exist (404), as published: each crawl counts 4 errors",
        file=sys.stderr,
    )
    with _served(Campus(crawl_delay=delay)) as server:
        for number, variant in enumerate(VARIANTS, 1):
            least = f" (at least {REQUESTS * delay:,.0f} s)" if variant.obey else " (some seconds)"
            what = f"crawling the campus site, {number} of {len(VARIANTS)}: {variant.name}{least}"
            print(f"ttcrawl: {what}", file=sys.stderr)
            url = f"http://campus.test:{server.port}/"
            job = Job(seeds=(url,), directory=directory / variant.directory, config=_config(variant, server.port))
            if (status := begin(job)) != DONE:
                return status  # interrupted: there is nothing to compare
    summaries = [summarize(directory / variant.directory) for variant in VARIANTS]
    text, right = compare(summaries)
    report = render(summaries, [variant.name for variant in VARIANTS], "text")
    replace_file(directory / "report.txt", f"{text}\n{report}\n".encode())
    if form == "json":
        print(json_form(_as_json(summaries)))
        return DONE if right else FAILED
    print(text)
    print(_time(summaries[0], delay))
    print(f"\n{_law(summaries)}")
    print(
        f"\nThe complete report: {directory / 'report.txt'}\nThe growth of the crawl: {_plot(summaries[0], directory)}"
        f"\nAll three in a browser: {command_line('view', directory, '--open')}"
    )
    return DONE if right else FAILED


def _plot(summary: Summary, directory: Path) -> str:
    """The file of the figure, or what to install for it."""
    if not installed(*REPORT):
        return f"a figure, with {install_line('report')}"
    return str(growth([summary], ["the campus site"], directory / "plots", [(K, BETA)])[0])


@contextmanager
def _served(campus: Campus) -> Iterator[Server]:
    with ExitStack() as stack:
        try:
            server = stack.enter_context(Server(campus, port=PORT))
        except OSError:
            server = stack.enter_context(Server(campus))
        yield server


def _config(variant: Variant, port: int) -> Config:
    return read(
        None,
        [
            ("politeness.obey_delay", "yes" if variant.obey else "no"),
            ("agent.contact", "http://127.0.0.1/ttcrawl-demo"),  # all of it is on this machine
            ("frontier.priority", "number"),
            ("links.parser", variant.parser),
            ("links.content_start", "<!-- CONTENT -->"),
            ("links.content_end", "<!-- /CONTENT -->"),
            ("fetch.resolve", f"campus.test:{port}:127.0.0.1"),
        ],
    )


def measure(summary: Summary) -> Column:
    """The figures of a crawl's report that the published report has too."""
    return Column(
        crawled=summary.pages,
        not_found=summary.statuses.get(404, 0),
        found=summary.found.total,
        content=summary.content.total,
        content_distinct=summary.content.distinct,
        elsewhere=summary.elsewhere.total,
        elsewhere_distinct=summary.elsewhere.distinct,
        blocked=summary.robots_blocked.total,
        blocked_distinct=summary.robots_blocked.distinct,
        parse_errors=summary.parse_errors,
        saturation=summary.saturation or 0,
    )


def compare(summaries: Sequence[Summary]) -> tuple[str, bool]:
    """The table of published and measured figures for the three crawls, and whether all numbers agree."""
    columns = [(variant.truth, measure(summary)) for variant, summary in zip(VARIANTS, summaries, strict=True)]
    lines = [" " * 24 + "".join(f"{variant.name:^26}" for variant in VARIANTS)]
    lines.append(" " * 24 + f"{'published':>11}{'measured':>11}    " * len(VARIANTS))
    right = True
    for field in fields(Column):
        cells = []
        for variant, (truth, result) in zip(VARIANTS, columns, strict=True):
            expected, actual = getattr(truth, field.name), getattr(result, field.name)
            # without delays many requests run at once, and the order of pages is random
            free = field.name == "saturation" and not variant.obey
            equal = expected == actual or free
            right = right and equal
            cells.append(f"{expected:>11,}{actual:>11,}  {'~' if free else '=' if equal else '!'} ")
        lines.append(f"{NAMES[field.name]:<24}{''.join(cells)}")
    verdict = "Every number is the published one." if right else "Some numbers differ: they are marked with !"
    lines = [line.rstrip() for line in (*lines, "", f"{verdict} (~: the order of pages is free without a delay.)")]
    return "\n".join(lines), right


def _as_json(summaries: Sequence[Summary]) -> list[dict[str, object]]:
    return [
        {"crawl": variant.name, "published": asdict(variant.truth), "measured": asdict(measure(summary))}
        for variant, summary in zip(VARIANTS, summaries, strict=True)
    ]


def _law(summaries: Sequence[Summary]) -> str:
    """What the growth of each crawl follows, once if all say the same."""
    if not installed("numpy"):
        return f"The law of its growth needs {install_line('report')}."
    from numpy.random import default_rng

    names: dict[str, list[str]] = {}
    for variant, summary in zip(VARIANTS, summaries, strict=True):
        law = examine(*summary.growth.series_in_scope, default_rng(SEED), IN_SCOPE)
        names.setdefault(law.sentence if law else "Too few pages.", []).append(variant.name)
    if len(names) == 1:
        return f"{next(iter(names))} (The same in all three crawls.)"
    return "\n".join(f"{', '.join(of)}: {sentence}" for sentence, of in names.items())


def _time(summary: Summary, delay: float) -> str:
    floor = summary.requests * delay
    over = 100 * (summary.seconds / floor - 1)
    busy = " This machine was busy with other work." if over > BUSY else ""
    return (
        f"With a delay of {delay:g} s: {summary.requests} requests took {summary.seconds:.2f} s, the floor is "
        f"{floor:.2f} s ({over:+.2f} %).{busy}\n"
        f"The published crawl took {SECONDS:,.2f} s with a delay of {CRAWL_DELAY:g} s, "
        f"{100 * (SECONDS / FLOOR_SECONDS - 1):.0f} % over its floor of {FLOOR_SECONDS:.0f} s."
    )
