"""The command. One sub-command is one short function; heavy libraries are imported by the one that needs them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.config import Config, ConfigError, read
from ttcrawl.errors import FAILED, STOPPED, USAGE, CrawlFailedError, UsageError
from ttcrawl.shown import shown

DESCRIPTION = "A polite crawler for people who study, archive or search the web."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status: 0 done, 1 failed, 2 wrong usage, 3 stopped with work left."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except UsageError as error:
        return _complain(error, USAGE)
    except CrawlFailedError as error:
        return _complain(error, FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of our output has gone
        return FAILED
    except OSError as error:
        return _complain(error, FAILED)
    except KeyboardInterrupt:
        return _complain("interrupted", STOPPED)


def _complain(error: object, status: int) -> int:
    print(f"ttcrawl: {shown(str(error))}", file=sys.stderr)
    return status


def parser() -> argparse.ArgumentParser:
    """All commands and options; the README is compared with it."""
    top = argparse.ArgumentParser(prog="ttcrawl", description=DESCRIPTION)
    top.add_argument("--version", action="version", version=f"ttcrawl {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    _crawl_options(_command(commands, "crawl", _crawl, "crawl from seeds into a new directory"))
    resume = _command(commands, "resume", _resume, "go on with a crawl where it stopped, however it stopped")
    resume.add_argument("directory", metavar="DIR", type=Path)
    _limits(resume)
    status = _command(commands, "status", _status, "what a crawl is doing: queued, waiting until when, and why")
    status.add_argument("directory", metavar="DIR", type=Path)
    status.add_argument("--hosts", metavar="N", type=int, default=20, help="hosts shown, most queued first (20)")
    status.add_argument("--format", default="text", choices=("text", "json"))
    verify = _command(commands, "verify", _verify, "is this crawl whole? its tables against each other and the archive")
    verify.add_argument("directory", metavar="DIR", type=Path)
    verify.add_argument("--repair", action="store_true", help="mend what can be mended without a request")
    report = _command(commands, "report", _report, "the statistics of a crawl; of several, side by side")
    report.add_argument("directories", metavar="DIR", nargs="+", type=Path)
    report.add_argument("--format", default="text", choices=("text", "markdown", "json"))
    report.add_argument("--politeness", action="store_true", help="instead: how each host was treated, and the proof")
    report.add_argument("--hosts", metavar="N", type=int, default=20, help="hosts shown, smallest margin first (20)")
    plot = _command(commands, "plot", _plot, "draw the growth of a crawl against Heaps' law")
    plot.add_argument("directories", metavar="DIR", nargs="+", type=Path)
    plot.add_argument("--out", metavar="DIR", type=Path, help="where to write (default: DIR/plots)")
    plot.add_argument(
        "--heaps", metavar="K,BETA", type=_heaps, action="append", default=[], help="draw this curve too (repeatable)"
    )
    demo = _command(commands, "demo", _demo, "crawl the bundled campus site and compare with its known truth")
    demo.add_argument("-d", dest="directory", metavar="DIR", type=Path, help="where to write (default: demo-crawl)")
    demo.add_argument("--obey-delay", action="store_true", help="obey its Crawl-delay of 1 s in full (14 minutes)")
    return top


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    function: Callable[[argparse.Namespace], int],
    about: str,
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    command.set_defaults(run=function)
    return command


def _crawl_options(crawl: argparse.ArgumentParser) -> None:
    add = crawl.add_argument
    add("seeds", metavar="SEED", nargs="*", help="URLs to begin with")
    add("-d", dest="directory", metavar="DIR", type=Path, help="the crawl directory (default: crawl-HOST)")
    add("-c", dest="config", metavar="FILE", type=Path, help="a config.ini (default: ./config.ini where there is one)")
    add("--seeds", dest="seed_file", metavar="FILE", type=Path, help="a file with a seed a line; # begins a comment")
    obey = add("--obey-delay", action=argparse.BooleanOptionalAction, help="wait between requests to a host, or not")
    obey.dest = "obey_delay"
    for name, key, about in (
        ("--fetchers", "crawl.fetchers", "fetch processes"),
        ("--parsers", "crawl.parsers", "parse processes"),
        ("--max-depth", "crawl.max_depth", "follow links to this distance from the seeds"),
    ):
        add(name, dest=key, metavar="N", help=about)
    add("--scope", dest="scope.scope", choices=("host", "domain", "any", "list"), help="which URLs belong to the crawl")
    add("--parser", dest="links.parser", choices=("lexbor", "html5lib", "regex"), help="how links are found")
    add("--resolve", metavar="HOST:PORT:ADDRESS", action="append", default=[], help="connect there (repeatable)")
    _limits(crawl)


def _limits(command: argparse.ArgumentParser) -> None:
    """Options of crawl and resume alike."""
    add = command.add_argument
    add("--max-pages", dest="crawl.max_pages", metavar="N", help="stop after so many pages")
    add("--max-time", dest="crawl.max_time", metavar="N", help="stop after so many seconds")
    add("--set", metavar="SECTION.KEY=VALUE", action="append", default=[], help="any key of config.ini (repeatable)")
    add("--progress", choices=("auto", "plain", "json", "none"), default="auto", help="what is shown meanwhile")
    add("--inline", action="store_true", help="all roles in one process, one request at a time (for debugging)")


def _heaps(text: str) -> tuple[float, float]:
    k, _, beta = text.partition(",")
    return float(k), float(beta)


def _overrides(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Keys set on the command line: --set, then the options with a name of their own."""
    overrides = []
    for text in options.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set {text}: write it as section.key=value")
        overrides.append((name, value))
    return overrides + [(name, value) for name, value in vars(options).items() if "." in name and value is not None]


def _configuration(options: argparse.Namespace) -> Config:
    """config.ini, and over it what the command line says."""
    here = Path("config.ini")
    path = options.config or (here if here.exists() else None)
    overrides = _overrides(options)
    if options.obey_delay is not None:
        overrides.append(("politeness.obey_delay", "yes" if options.obey_delay else "no"))
    if options.resolve:
        overrides.append(("fetch.resolve", " ".join(options.resolve)))
    return read(path, overrides)


def _crawl(options: argparse.Namespace) -> int:
    from ttcrawl import pool

    config = _configuration(options)
    if not options.inline:
        pool.prepare()  # it takes as long to import what it needs as we do
    from ttcrawl.session import Job, begin, seed_urls

    seeds = seed_urls(options.seeds + (_seed_lines(options.seed_file) if options.seed_file else []))
    directory = options.directory or _new_directory(seeds[0])
    job = Job(seeds=seeds, directory=directory, config=config, progress=options.progress, inline=options.inline)
    status = begin(job)
    _print_report(directory, options.progress)
    return status


def _resume(options: argparse.Namespace) -> int:
    from ttcrawl import pool

    if not options.inline:
        pool.prepare()
    from ttcrawl.session import resume

    status = resume(options.directory, _overrides(options), options.progress, inline=options.inline)
    _print_report(options.directory, options.progress)
    return status


def _status(options: argparse.Namespace) -> int:
    from ttcrawl.report.status import render, status

    print(render(status(options.directory, options.hosts), options.format))
    return 0


def _verify(options: argparse.Namespace) -> int:
    from ttcrawl.verify.run import verify

    return verify(options.directory, mend=options.repair)


def _print_report(directory: Path, progress: str) -> None:
    from ttcrawl.report.read import summarize
    from ttcrawl.report.tables import render

    text = render([summarize(directory)], [str(directory)], "text")
    (directory / "report.txt").write_text(text, encoding="utf-8")
    if progress != "json":
        print(text)


def _seed_lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name a readable file with --seeds") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no UTF-8 text: {error.reason} at byte {error.start}") from error
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _new_directory(seed: str) -> Path:
    from ttcrawl.url import host

    return _free("crawl-" + host(seed).translate(str.maketrans(":[]", "-__"))[:100])


def _free(name: str) -> Path:
    """A directory of this name in the current one, with a number behind it where that exists."""
    number = 1
    while (path := Path(name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path


def _report(options: argparse.Namespace) -> int:
    names = [str(directory) for directory in options.directories]
    if options.politeness:
        from ttcrawl.report import politeness

        crawls = [politeness.politeness(directory, max(options.hosts, 0)) for directory in options.directories]
        print(politeness.render(crawls, names, options.format))
        return 0
    from ttcrawl.report.read import summarize
    from ttcrawl.report.tables import render

    print(render([summarize(directory) for directory in options.directories], names, options.format))
    return 0


def _plot(options: argparse.Namespace) -> int:
    from ttcrawl.report.plots import growth
    from ttcrawl.report.read import summarize

    summaries = [summarize(directory) for directory in options.directories]
    names = [str(directory) for directory in options.directories]
    out = options.out or options.directories[0] / "plots"
    for path in growth(summaries, names, out, options.heaps):
        print(path)
    return 0


def _demo(options: argparse.Namespace) -> int:
    from ttcrawl.demo.run import demo

    return demo(options.directory or _free("demo-crawl"), obey_delay=options.obey_delay)
