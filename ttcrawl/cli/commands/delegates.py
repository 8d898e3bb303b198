"""What each command does: a short function, which imports what it needs."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from types import ModuleType

from ttcrawl.errors import FAILED, REPORT, UsageError, installed, require
from ttcrawl.output.terminal import show, show_line, terminal_width

#: The law (K, beta) beside the laws of a crawl, unless the user names another one.
FIXED_HEAPS = (100.0, 0.4)


def crawl(options: argparse.Namespace) -> int:
    if not options.inline:
        _start_fork_server()
    from ttcrawl.cli.commands.crawl_commands import crawl

    return crawl(options)


def resume(options: argparse.Namespace) -> int:
    if not options.inline:
        _start_fork_server()
    from ttcrawl.cli.commands.crawl_commands import resume

    return resume(options)


def recrawl(options: argparse.Namespace) -> int:
    if not options.inline:
        _start_fork_server()
    from ttcrawl.cli.commands.crawl_commands import recrawl

    return recrawl(options)


def read_pages(options: argparse.Namespace) -> int:
    _start_fork_server()
    from ttcrawl.cli.commands.crawl_commands import read_pages

    return read_pages(options)


def _start_fork_server() -> None:
    """It imports as much as the command does, so both import at the same time."""
    from ttcrawl.ring.fork_server import prepare
    from ttcrawl.ring.limits import allow_files

    allow_files()  # first: it inherits the limit
    prepare()


def check(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.crawl_commands import check

    return check(options)


def topic(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.crawl_commands import topic

    return topic(options)


def scope(options: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import configuration, lines_of
    from ttcrawl.config.compiled import compile_canon, compile_scope
    from ttcrawl.engine.run.seeds import seed_urls
    from ttcrawl.output.display import tell

    config = configuration(options)
    canon = compile_canon(config.url, ftp=config.fetch.ftp)
    urls = seed_urls(lines_of(options.urls), canon, tell)
    seeds = seed_urls(lines_of(options.seeds), canon, tell) if options.seeds else urls
    scope = compile_scope(config.scope, seeds, config.hosts)
    decisions = [scope.decide(url, options.depth, options.hops) for url in urls]
    for url, decision in zip(urls, decisions, strict=True):
        show_line(f"{url}: {decision}")
    return FAILED if any(decision.reason for decision in decisions) else 0


def status(options: argparse.Namespace) -> int:
    from ttcrawl.snapshot.status import render, status

    text = render(status(options.directory, options.hosts), options.format)
    if options.format == "json":
        print(text)
    else:
        show(text)
    return 0


def aliases(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.aliases import aliases

    return aliases(options.directory, options.format, merge=options.merge)


def verify(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.verify import verify

    return verify(options.directory, mend=options.repair)


def requeue(options: argparse.Namespace) -> int:
    from ttcrawl.maintain import recycle, requeue

    which = requeue.Which(
        states=options.states, reasons=options.reasons, rules=options.rules, hosts=options.hosts, urls=options.urls
    )
    if options.recorded:
        if any((options.states, options.reasons, options.rules, options.hosts, options.urls, options.visits)):
            raise UsageError("--recorded queues all URLs whose links were only recorded: leave the other options out")
        return recycle.run(options.directory, options.format)
    return requeue.run(options.directory, which, options.format, visits=options.visits)


def delete(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands import delete as run
    from ttcrawl.maintain.delete.selection import Which

    which = Which(hosts=options.hosts, paths=options.paths, digests=options.digests, ids=options.ids, urls=options.urls)
    flags = {"purge": options.purge, "dry_run": options.dry_run, "yes": options.yes}
    return run.run(options.directory, which, options.format, **flags)


def why(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.why import why

    return why(
        options.directory, options.urls, options.as_if, options.format, total=options.summary, apply=options.apply
    )


def page(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.library import page

    requested = {"words": options.words, "links": options.links, "only": options.only}
    return page(options.directory, options.urls, options.format, at=options.at, **requested)


def diff(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.changes import Options, diff

    diff_options = Options(
        directory=options.directory,
        others=options.others,
        form=options.format,
        conditions=options.conditions,
        text=options.text,
        links=options.links,
    )
    return diff(diff_options)


def duplicates(options: argparse.Namespace) -> int:
    if options.tune:
        return _tune_duplicates(options)
    from ttcrawl.cli.commands.library_listing import duplicates

    if options.pairs or options.format == "markdown":
        raise UsageError("--pairs and --format markdown go with --tune")
    return duplicates(options.directory, options.url or "", options.format, options.limit)


def robots(options: argparse.Namespace) -> int:
    from ttcrawl.inspect.why.robots import judge, text_of_robots

    verdicts = judge(text_of_robots(options.file), options.urls, options.agent, options.reading)
    for line in verdicts.lines:
        show_line(line)
    return 0 if verdicts.all_allowed else FAILED


def report(options: argparse.Namespace) -> int:
    from ttcrawl.output.display import ReadProgress, tell

    names = [str(directory) for directory in options.directories]
    if options.politeness:
        from ttcrawl.report import politeness

        with ReadProgress() as progress:
            crawls = [politeness.politeness(directory, options.hosts, progress) for directory in options.directories]
        return _print_tables(politeness, crawls, names, options.format)
    if options.seeds:
        from ttcrawl.report import seeds

        with ReadProgress() as progress:
            seeds_of = [seeds.seeds(each, progress).first(options.limit) for each in options.directories]
        return _print_tables(seeds, seeds_of, names, options.format)
    from ttcrawl.report.study.render import render
    from ttcrawl.report.study.study import study

    figures = {}
    with ReadProgress() as progress:
        studies = [study(directory, progress) for directory in options.directories]
        if options.format == "html" and installed(*REPORT):
            from ttcrawl.report.plots.run import inline

            progress("figures", 0, 0)
            figures = inline(studies, names, [FIXED_HEAPS])
    print(render(studies, names, options.format, figures, terminal_width()))
    if not installed(*REPORT):
        tell("without power laws of degrees and figures: they need pip install 'ttcrawl[report]'")
    return 0


def _print_tables(module: ModuleType, crawls: Sequence[object], names: Sequence[str], form: str) -> int:
    """Print the tables of a module that has functions `sections` and `render`."""
    if form != "html":
        print(module.render(crawls, names, form, terminal_width()))
        return 0
    from ttcrawl import __version__
    from ttcrawl.report.study.html.groups import Group
    from ttcrawl.report.study.html.page import html

    title = module.__name__.rpartition(".")[2].capitalize()
    print(html((), [Group(title=title, sections=module.sections(crawls, names))], [", ".join(names)], __version__))
    return 0


def plot(options: argparse.Namespace) -> int:
    from ttcrawl.output.display import ReadProgress

    require(*REPORT)
    from ttcrawl.report.plots import FIGURES
    from ttcrawl.report.plots.run import plot as draw
    from ttcrawl.report.plots.run import watch
    from ttcrawl.report.plots.style import FORMATS

    out = options.out or options.directories[0] / "plots"
    figures = options.what or FIGURES
    references = options.heaps or [FIXED_HEAPS]
    formats = options.formats or FORMATS
    if options.watch is not None:
        watch(options.directories, figures, out, references, options.watch, print, formats)
        return 0
    with ReadProgress() as progress:
        paths = draw(options.directories, figures, out, references, progress, formats)
    for path in paths:
        print(path)
    return 0


def _tune_duplicates(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.tuning import tune
    from ttcrawl.cli.configuration import text_of

    if options.url:
        raise UsageError("--tune is about all pages of a crawl: leave the URL out")
    label_text = text_of(options.pairs, "--pairs") if options.pairs else None
    return tune(
        options.directory,
        label_text,
        str(options.pairs),
        options.sample,
        options.seed,
        options.similar,
        options.format,
    )


def graph(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.graph import Options, graph

    graph_options = Options(
        form=options.format,
        exports=options.exports,
        pictures=options.pictures,
        of_sites=options.sites,
        everything=options.everything,
        paths=options.paths,
        nodes=options.nodes,
        out=options.out or options.directory / "graph",
    )
    return graph(options.directory, graph_options)


def export(options: argparse.Namespace) -> int:
    from ttcrawl.export.format import Options, export

    export_options = Options(
        form=options.format,
        out=options.out,
        conditions=options.conditions,
        tables=options.tables,
        text=options.text,
        since=options.since,
    )
    return export(options.directory, export_options)


def search(options: argparse.Namespace) -> int:
    from ttcrawl.inspect.search.run import search

    text, most = " ".join(options.query), options.limit
    if isinstance(options.place, str):
        from ttcrawl.export.postgresql.search import search as search_copies

        if options.rebuild or options.rank != "bm25":
            raise UsageError(
                "--rebuild and --rank are for a crawl directory: ttcrawl mirror keeps the words in a database"
            )
        return search_copies(options.place, text, options.format, most, options.crawl)
    if options.crawl is not None:
        raise UsageError("--crawl is for a database with copies of crawls: write postgresql://... instead of DIR")
    return search(options.place, text, options.format, most, rank=options.rank, rebuild=options.rebuild)


def mirror(options: argparse.Namespace) -> int:
    from ttcrawl.export.postgresql.mirror import mirror

    return mirror(options.directory, options.database, follow=options.follow, take_over=options.take_over)


def url(options: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import file_of, overrides
    from ttcrawl.config import read
    from ttcrawl.config.compiled import compile_canon, compile_traps
    from ttcrawl.vocabulary.reason import SCOPE_LENGTH
    from ttcrawl.web.url import canonical

    config = read(file_of(options), overrides(options))
    if canonical(options.base, ftp=config.fetch.ftp) is None:
        raise UsageError(f"the base {options.base!r} is not an http or https URL: write the complete URL of a page")
    steps = compile_canon(config.url, ftp=config.fetch.ftp).steps(options.base, options.href)
    url = steps[-1].after
    print(url or "not an http or https URL: not followed")
    show_line(f"  {'as written':20} {options.href}")
    for step in steps:
        show_line(f"  {step.name:20} {step.after or 'none'}")
    refusal = compile_traps(config.traps, time.gmtime().tm_year).refusal(url) if url else ""
    if url and len(url) > config.scope.max_url:
        refusal = SCOPE_LENGTH
    if refusal:
        print(f"refused: {refusal}")
    return 0


def demo(options: argparse.Namespace) -> int:
    from ttcrawl.demo.compare import demo
    from ttcrawl.engine.run.directory import free

    return demo(options.directory or free("demo-crawl"), obey_delay=options.obey_delay)
