"""Each sub-command is one short function, which imports the heavy libraries that it needs."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ttcrawl.cli.configuration import blacklist, configuration, file_of, overrides, text_of
from ttcrawl.config import Line, Lines, Override, read, text_lines
from ttcrawl.engine.progress import ReadProgress, tell
from ttcrawl.errors import FAILED, REPORT, UsageError, require
from ttcrawl.ring.limits import allow_files
from ttcrawl.vocabulary.reason import SCOPE_LENGTH
from ttcrawl.web.untrusted import escape_untrusted

if TYPE_CHECKING:
    from ttcrawl.ask.report.summary import Summary

#: How to continue a stopped crawl: the necessary option, and a remark.
GO_ON = {
    "max_pages": (" --max-pages N", " (N pages in all; 0: no limit)"),
    "max_bytes": (" --set crawl.max_bytes=N", " (0: no limit)"),
    "max_time": ("", " for the same time"),
    "min_disk": ("", " when there is room on the disk"),
}

#: What to type after a crawl.
NEXT = """Next: ttcrawl report {0}    the complete report, with the laws of growth (--format html)
      ttcrawl plot {0}      its figures
      ttcrawl why {0} URL   why a URL was fetched, or not (--summary: all URLs by reason)"""

#: The law (K, beta) beside the laws of a crawl, unless the user names another one.
FIXED_HEAPS = (100.0, 0.4)


def crawl(options: argparse.Namespace) -> int:
    from ttcrawl.ring import pool

    more = _switches(options)
    if options.resolve:
        more.append(("fetch.resolve", " ".join(options.resolve), "--resolve"))
    config = configuration(options, more)
    allow_files()
    if not options.inline:
        pool.prepare()  # its imports take as long as ours, so they run in parallel
    from ttcrawl.engine.session import begin, job_of

    job = job_of(_seed_lines(options), options.directory, config, options.progress, inline=options.inline)
    status = begin(job)
    _print_report(job.directory, options.progress)
    return status


def resume(options: argparse.Namespace) -> int:
    from ttcrawl.ring import pool

    overridden = [*overrides(options), *_switches(options)]
    rules, refused, seeds = Lines(options.rules), blacklist(options), _seed_lines(options)
    allow_files()
    if not options.inline:
        pool.prepare()
    from ttcrawl.engine.session import Changes, resume

    resolve = " ".join(options.resolve)
    changes = Changes(overrides=overridden, rules=rules, blacklist=refused, resolve=resolve, seeds=seeds)
    status = resume(options.directory, changes, options.progress, inline=options.inline)
    _print_report(options.directory, options.progress)
    return status


def read_pages(options: argparse.Namespace) -> int:
    from ttcrawl.ring import pool

    allow_files()
    pool.prepare()
    from ttcrawl.engine.reading import read

    with ReadProgress() as progress:
        status = read(options.directory, options.parsers, progress, tell)
    _write_report(options.directory)
    return status


def scope(options: argparse.Namespace) -> int:
    from ttcrawl.engine.seeds import seed_urls
    from ttcrawl.web.canon import compile_canon
    from ttcrawl.web.scope import compile_scope

    config = configuration(options)
    canon = compile_canon(config.url)
    urls = seed_urls(_lines(options.urls), canon, tell)
    seeds = seed_urls(_lines(options.seeds), canon, tell) if options.seeds else urls
    scope = compile_scope(config.scope, seeds, config.hosts)
    decisions = [scope.decide(url, options.depth, options.hops) for url in urls]
    for url, decision in zip(urls, decisions, strict=True):
        print(escape_untrusted(f"{url}: {decision}"))
    return FAILED if any(decision.reason for decision in decisions) else 0


def status(options: argparse.Namespace) -> int:
    from ttcrawl.ask.report.status import render, status

    print(render(status(options.directory, options.hosts), options.format))
    return 0


def aliases(options: argparse.Namespace) -> int:
    from ttcrawl.ask.aliases.run import aliases

    return aliases(options.directory, options.format, merge=options.merge)


def verify(options: argparse.Namespace) -> int:
    from ttcrawl.ask.verify.run import verify

    return verify(options.directory, mend=options.repair)


def requeue(options: argparse.Namespace) -> int:
    from ttcrawl.ask import requeue

    which = requeue.Which(
        states=options.states, reasons=options.reasons, rules=options.rules, hosts=options.hosts, urls=options.urls
    )
    return requeue.run(options.directory, which, options.format)


def why(options: argparse.Namespace) -> int:
    from ttcrawl.ask.why.run import why

    return why(
        options.directory, options.urls, options.as_if, options.format, total=options.summary, apply=options.apply
    )


def page(options: argparse.Namespace) -> int:
    from ttcrawl.ask.library.run import page

    requested = {"words": options.words, "links": options.links, "body": options.body}
    return page(options.directory, options.urls, options.format, **requested)


def duplicates(options: argparse.Namespace) -> int:
    from ttcrawl.ask.library.listing import duplicates

    return duplicates(options.directory, options.url or "", options.format, options.limit)


def robots(options: argparse.Namespace) -> int:
    from ttcrawl.ask.why.robots import judge, text_of_robots

    verdicts = judge(text_of_robots(options.file), options.urls, options.agent, options.reading)
    for line in verdicts.lines:
        print(escape_untrusted(line))
    return 0 if verdicts.all_allowed else FAILED


def _print_report(directory: Path, progress: str) -> None:
    from ttcrawl.ask.report.unread import unread_line

    summary, text = _write_report(directory)
    if progress != "json":
        print(f"{text}\n\n{NEXT.format(shlex.quote(str(directory)))}", flush=True)
    if summary.unread:
        tell(unread_line(summary.unread, shlex.quote(str(directory))))
    if summary.finished != "done":
        option, more = GO_ON.get(summary.finished, ("", ""))
        command = f"ttcrawl resume {shlex.quote(str(directory))}{option}"
        tell(f"stopped ({summary.finished}) with {summary.queued:,} queued; {command} continues{more}")


def _write_report(directory: Path) -> tuple[Summary, str]:
    from ttcrawl.ask.report.read import summarize
    from ttcrawl.ask.report.tables import render
    from ttcrawl.store.regular import replace_file

    summary = summarize(directory)
    text = render([summary], [str(directory)], "text")
    try:
        replace_file(directory / "report.txt", text.encode())
    except OSError as error:  # the outcome of the crawl does not depend on this file
        tell(f"cannot write {directory / 'report.txt'}: {error.strerror}")
    return summary, text


def _switches(options: argparse.Namespace) -> list[Override]:
    """The keys of options that are yes or no."""
    switches = (("politeness.obey_delay", options.obey_delay), ("files.save", options.files))
    return [(name, "yes" if value else "no") for name, value in switches if value is not None]


def _seed_lines(options: argparse.Namespace) -> list[Line]:
    """The seeds of the command line, and of a file."""
    path = options.seed_file
    return [
        *_lines(options.seeds),
        *(text_lines(text_of(path, "--seeds"), str(path), numbered=True) if path else ()),
    ]


def _lines(texts: list[str]) -> list[Line]:
    return [Line(text=text) for text in texts]


def report(options: argparse.Namespace) -> int:
    names = [str(directory) for directory in options.directories]
    if options.politeness:
        from ttcrawl.ask.report import politeness

        crawls = [politeness.politeness(directory, max(options.hosts, 0)) for directory in options.directories]
        return _print_tables(politeness, crawls, names, options.format)
    if options.seeds:
        from ttcrawl.ask.report import seeds

        return _print_tables(
            seeds, [seeds.seeds(directory) for directory in options.directories], names, options.format
        )
    require(*REPORT)
    from ttcrawl.ask.study.render import render
    from ttcrawl.ask.study.study import study

    figures = []
    with ReadProgress() as progress:
        studies = [study(directory, progress) for directory in options.directories]
        if options.format == "html":
            from ttcrawl.ask.plots.run import inline

            progress("figures", 0, 0)
            figures = inline(studies, names, [FIXED_HEAPS])
    print(render(studies, names, options.format, figures))
    return 0


def _print_tables(module: ModuleType, crawls: Sequence[object], names: Sequence[str], form: str) -> int:
    """Print the tables of a module that has functions `sections` and `render`."""
    if form != "html":
        print(module.render(crawls, names, form))
        return 0
    from ttcrawl import __version__
    from ttcrawl.ask.study.html import html

    print(html(module.sections(crawls, names), [", ".join(names)], (), __version__))
    return 0


def plot(options: argparse.Namespace) -> int:
    require(*REPORT)
    from ttcrawl.ask.plots import FIGURES
    from ttcrawl.ask.plots.run import plot as draw
    from ttcrawl.ask.plots.run import watch

    out = options.out or options.directories[0] / "plots"
    figures = options.what or FIGURES
    references = options.heaps or [FIXED_HEAPS]
    if options.watch is not None:
        watch(options.directories, figures, out, references, options.watch, print)
        return 0
    with ReadProgress() as progress:
        paths = draw(options.directories, figures, out, references, progress)
    for path in paths:
        print(path)
    return 0


def tune_duplicates(options: argparse.Namespace) -> int:
    require(*REPORT)
    from ttcrawl.ask.tuning.run import tune

    label_text = text_of(options.pairs, "--pairs") if options.pairs else None
    numbers = (options.sample, options.seed, options.similar, options.format)
    return tune(options.directory, label_text, str(options.pairs), *numbers)


def graph(options: argparse.Namespace) -> int:
    require(*REPORT)
    from ttcrawl.ask.graph.run import Options, graph

    graph_options = Options(
        form=options.format,
        exports=options.exports,
        pictures=options.pictures,
        of_sites=options.sites,
        everything=options.everything,
        nodes=options.nodes,
        out=options.out or options.directory / "graph",
    )
    return graph(options.directory, graph_options)


def url(options: argparse.Namespace) -> int:
    from ttcrawl.web.canon import compile_canon
    from ttcrawl.web.traps import compile_traps
    from ttcrawl.web.url import canonical

    config = read(file_of(options), overrides(options))
    if canonical(options.base) is None:
        raise UsageError(f"the base {options.base!r} is not an http or https URL: write the complete URL of a page")
    steps = compile_canon(config.url).steps(options.base, options.href)
    url = steps[-1].after
    print(url or "not an http or https URL: not followed")
    print(f"  {'as written':20} {escape_untrusted(options.href)}")
    for step in steps:
        print(f"  {step.name:20} {escape_untrusted(step.after or 'none')}")
    refusal = compile_traps(config.traps, time.gmtime().tm_year).refusal(url) if url else ""
    if url and len(url) > config.scope.max_url:
        refusal = SCOPE_LENGTH
    if refusal:
        print(f"refused: {refusal}")
    return 0


def demo(options: argparse.Namespace) -> int:
    require(*REPORT)
    from ttcrawl.demo.run import demo
    from ttcrawl.engine.directory import free

    return demo(options.directory or free("demo-crawl"), obey_delay=options.obey_delay)
