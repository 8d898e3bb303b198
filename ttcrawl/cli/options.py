"""All commands and their options. A test compares the manual with them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from ttcrawl import __version__
from ttcrawl.ask.plots import FIGURES
from ttcrawl.cli import commands as run
from ttcrawl.cli import crawl_commands
from ttcrawl.cli.check_options import check_options
from ttcrawl.cli.cluster_options import cluster_commands
from ttcrawl.cli.crawl_options import (
    crawl_options,
    recrawl_options,
    resume_options,
    rule_options,
    settings,
)
from ttcrawl.cli.delete_options import delete_options
from ttcrawl.cli.diff_options import diff_options
from ttcrawl.cli.export_options import export_options, mirror_options, search_options
from ttcrawl.cli.topic_options import topic_commands
from ttcrawl.errors import USAGE, did_you_mean
from ttcrawl.web.untrusted import escape_untrusted

DESCRIPTION = "A polite crawler for people who study, archive or search the web."


EXAMPLES = """examples:
  ttcrawl crawl example.org --max-pages 1000    crawl a site into the directory crawl-example.org
  ttcrawl report crawl-example.org              its statistics; plot draws them
  ttcrawl why crawl-example.org URL             why was this URL fetched, or not?
"""


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line. URLs may stand on both sides of an option, which argparse does not support here."""
    top = parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        top.print_help()
        top.exit(USAGE)
    if not words[0].startswith("-") and words[0] not in top.commands:
        top.error(f"there is no command {words[0]}{did_you_mean(words[0], top.commands)}")
    options, more = top.parse_known_args(words)
    many = next((name for name in ("urls", "seeds", "others") if hasattr(options, name)), "")
    if wrong := [each for each in more if not many or each.startswith("-")]:
        names = re.findall(r"(?<!\w)--[\w-]+", options.command.format_help())
        hint = did_you_mean(wrong[0].partition("=")[0], names)
        options.command.error(f"unrecognized arguments: {' '.join(more)}{hint}")
    if more:
        setattr(options, many, [*getattr(options, many), *more])
    return options


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command in one line, like all errors."""

    commands: Collection[str] = ()

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"ttcrawl: {escape_untrusted(message)}: see {self.prog} --help\n")


def parser() -> _Parser:
    """All commands and options. A test compares the manual with them."""
    raw = argparse.RawDescriptionHelpFormatter
    top = _Parser(prog="ttcrawl", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=raw)
    top.add_argument("--version", action="version", version=f"ttcrawl {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    top.commands = commands.choices
    crawl_options(_command(commands, "crawl", crawl_commands.crawl, "crawl from seeds into a new directory"))
    resume_options(_command(commands, "resume", crawl_commands.resume, "continue a crawl that stopped for any reason"))
    about = "continue a crawl for ever: its pages are visited again, by [revisit]"
    recrawl_options(_command(commands, "recrawl", crawl_commands.recrawl, about))
    _read_options(_command(commands, "read", crawl_commands.read_pages, "read the pages whose reading was put off"))
    status = _command(commands, "status", run.status, "what a crawl is doing, and why hosts wait")
    status.add_argument("directory", metavar="DIR", type=Path)
    status.add_argument("--hosts", metavar="N", type=int, default=20, help="hosts shown, longest queue first (20)")
    status.add_argument("--format", default="text", choices=("text", "json"))
    check_options(_command(commands, "check", crawl_commands.check, "the health of a site: broken links, titles ..."))
    about = "queue URLs again that have failed, were answered with an error or were refused"
    _requeue_options(_command(commands, "requeue", run.requeue, about))
    recycle = _command(commands, "recycle", run.recycle, "queue the URLs whose links were only recorded")
    recycle.add_argument("directory", metavar="DIR", type=Path)
    recycle.add_argument("--format", default="text", choices=("text", "json"))
    about = "delete what was stored of URLs, by host, path, digest, id or URL"
    delete_options(_command(commands, "delete", run.delete, about))
    _why_options(_command(commands, "why", run.why, "the life of a URL: discovery, decisions, requests, outcome"))
    _page_options(_command(commands, "page", run.page, "what was read from a page: metadata, text, links"))
    about = "pages that are new, gone, moved or changed: between moments of a crawl, or between two crawls"
    diff_options(_command(commands, "diff", run.diff, about))
    about = "duplicate and near-duplicate pages, with their originals"
    _duplicates_options(_command(commands, "duplicates", run.duplicates, about))
    verify = _command(commands, "verify", run.verify, "check that a crawl is complete and consistent")
    verify.add_argument("directory", metavar="DIR", type=Path)
    verify.add_argument("--repair", action="store_true", help="repair what can be repaired without a request")
    about = "find, and optionally merge, hosts that serve the same pages"
    _aliases_options(_command(commands, "aliases", run.aliases, about))
    _report_options(_command(commands, "report", run.report, "the statistics of a crawl, or of several side by side"))
    _scope_options(_command(commands, "scope", run.scope, "are these URLs in scope, and which rule decides?"))
    _plot_options(_command(commands, "plot", run.plot, "draw figures of a crawl: growth, laws, content"))
    _graph_options(_command(commands, "graph", run.graph, "the link graph of a crawl: figures, exports, pictures"))
    search_options(_command(commands, "search", run.search, "full-text search in the pages of a crawl"))
    topic_commands(_command(commands, "topic", crawl_commands.topic, "which pages are about a subject?"))
    about = "write a crawl in a format that other programs read"
    export_options(_command(commands, "export", run.export, about))
    about = "copy a crawl into PostgreSQL, and keep the copy up to date"
    mirror_options(_command(commands, "mirror", run.mirror, about))
    about = "try settings of [duplicates] on pages of a crawl: precision, recall and cost"
    _tuning_options(_command(commands, "tune-duplicates", run.tune_duplicates, about))
    about = "one crawl by several rings: crawl processes that share the hosts between them"
    cluster_commands(commands.add_parser("cluster", help=about, description=about), _command)
    url = _command(
        commands, "url", run.url, "how a link is resolved: its canonical URL, each step, and whether it is a trap"
    )
    url.add_argument("base", metavar="BASE", help="the base URL of the page")
    url.add_argument("href", metavar="HREF", help="the link as it is written on the page")
    settings(url)
    about = "may these URLs be fetched, and which line of robots.txt decides?"
    _robots_options(_command(commands, "robots", run.robots, about))
    demo = _command(commands, "demo", run.demo, "crawl the bundled campus site and compare with its known figures")
    demo.add_argument("-d", dest="directory", metavar="DIR", type=Path, help="where to write (default: demo-crawl)")
    demo.add_argument("--obey-delay", action="store_true", help="obey its Crawl-delay of 1 s in full (14 minutes)")
    return top


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    function: Callable[[argparse.Namespace], int],
    about: str,
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    command.set_defaults(run=function, command=command)
    return command


def _read_options(read: argparse.ArgumentParser) -> None:
    read.add_argument("directory", metavar="DIR", type=Path)
    about = "number of parse processes (default: one for each processor)"
    read.add_argument("--parsers", metavar="N", type=_processes, default=0, help=about)


def _robots_options(robots: argparse.ArgumentParser) -> None:
    add = robots.add_argument
    add("file", metavar="FILE", help="a robots.txt; - reads standard input")
    add("urls", metavar="URL", nargs="+", help="URLs of its host, or paths")
    add("--agent", metavar="NAME", default="ttcrawl", help="product token (default: ttcrawl)")
    add("--reading", default="rfc9309", choices=("rfc9309", "1996"), help="longest or first match")


def _why_options(why: argparse.ArgumentParser) -> None:
    add = why.add_argument
    add("directory", metavar="DIR", type=Path)
    add("urls", metavar="URL", nargs="*", help="URLs to explain, discovered or not")
    add("--summary", action="store_true", help="instead: all URLs by state, reason and rule")
    about = "instead: what exclude=PATTERN, allow=PATTERN or section.key=value would have changed (repeatable)"
    add("--as-if", dest="as_if", metavar="RULE", action="append", default=[], help=about)
    about = "with --as-if: make these the rules of the crawl, and change the URLs that wait or were refused"
    add("--apply", action="store_true", help=about)
    add("--format", default="text", choices=("text", "json"))


def _requeue_options(requeue: argparse.ArgumentParser) -> None:
    add = requeue.add_argument
    add("directory", metavar="DIR", type=Path)
    states = ("failed", "refused", "fetched", "deleted")
    about = "URLs in this state; of fetched ones those with a status of 400 or more"
    add("--state", dest="states", choices=states, action="append", default=[], help=about)
    for name, which in (
        ("reason", "URLs with this reason, such as 'http 503' or 'timeout*'"),
        ("rule", "URLs refused by this rule"),
        ("host", "URLs of this host"),
        ("url", "this URL"),
    ):
        about = f"{which}; * stands for any characters (repeatable)"
        add(f"--{name}", dest=f"{name}s", metavar=name.upper(), action="append", default=[], help=about)
    about = "do not queue: let recrawl visit URLs that have answered or failed now; without other options, all of them"
    add("--visits", action="store_true", help=about)
    add("--format", default="text", choices=("text", "json"))


def _page_options(page: argparse.ArgumentParser) -> None:
    add = page.add_argument
    add("directory", metavar="DIR", type=Path)
    add("urls", metavar="URL", nargs="+", help="URLs that were fetched")
    add("--format", default="text", choices=("text", "json"))
    add("--links", action="store_true", help="list every link: kind, region, landmark, target, anchor text")
    words = page.add_mutually_exclusive_group()
    about = "add the complete text"
    words.add_argument("--text", dest="words", action="store_const", const="text", default="", help=about)
    about = "add the main text: without menus, footers and the like"
    words.add_argument("--main", dest="words", action="store_const", const="main", help=about)
    only = page.add_mutually_exclusive_group()
    kinds = {
        "body": "instead: write the bytes of the page (escaped on a terminal)",
        "screenshot": "instead: write its picture, PNG ([browser] screenshot)",
        "pdf": "instead: write it as PDF ([browser] pdf)",
    }
    for name, about in kinds.items():
        only.add_argument(f"--{name}", dest="only", action="store_const", const=name, default="", help=about)
    about = "the last answer at this moment or earlier: 2026-01-31, or 2026-01-31T12:00:00 (UTC; default: now)"
    add("--at", metavar="TIME", help=about)


def _duplicates_options(same: argparse.ArgumentParser) -> None:
    same.add_argument("directory", metavar="DIR", type=Path)
    same.add_argument("url", metavar="URL", nargs="?", help="show its complete group (default: the largest groups)")
    about = "number of groups, and of duplicates of each, without URL (default: 20; 0: all)"
    same.add_argument("--limit", metavar="N", type=int, default=20, help=about)
    same.add_argument("--format", default="text", choices=("text", "json"))


def _aliases_options(aliases: argparse.ArgumentParser) -> None:
    aliases.add_argument("directory", metavar="DIR", type=Path)
    about = "write the aliases into DIR/config.ini, and move their queued URLs to the canonical names"
    aliases.add_argument("--merge", action="store_true", help=about)
    aliases.add_argument("--format", default="text", choices=("text", "json"))


def _report_options(report: argparse.ArgumentParser) -> None:
    add = report.add_argument
    add("directories", metavar="DIR", nargs="+", type=Path)
    add("--format", default="text", choices=("text", "markdown", "html", "json", "csv", "latex"))
    instead = report.add_mutually_exclusive_group()
    instead.add_argument("--politeness", action="store_true", help="instead: requests and delays of each host")
    instead.add_argument("--seeds", action="store_true", help="instead: what became of each seed and its host")
    add("--hosts", metavar="N", type=int, default=20, help="hosts shown, smallest margin first (20)")


def _graph_options(graph: argparse.ArgumentParser) -> None:
    add = graph.add_argument
    add("directory", metavar="DIR", type=Path)
    add("--format", default="text", choices=("text", "markdown", "json"))
    exports = ("gexf", "graphml", "edges", "parquet")
    add("--export", dest="exports", choices=exports, action="append", default=[], help="write the graph (repeatable)")
    about = "draw it: by forces (the default), or with igraph's DrL or Graphviz's sfdp (repeatable)"
    picture = partial(add, "--picture", dest="pictures", action="append", default=[], help=about)
    picture(nargs="?", const="forces", choices=("forces", "drl", "sfdp"))
    add("--sites", action="store_true", help="nodes are sites instead of pages")
    add(
        "--all",
        dest="everything",
        action="store_true",
        help="nodes are all discovered URLs, not only the fetched pages",
    )
    about = "maximum nodes in a picture, by PageRank (default: 3000)"
    add("--nodes", metavar="N", type=int, default=3000, help=about)
    add("--out", metavar="DIR", type=Path, help="where to write (default: DIR/graph)")


def _scope_options(scope: argparse.ArgumentParser) -> None:
    add = scope.add_argument
    add("urls", metavar="URL", nargs="+", help="URLs to decide about")
    add("--seed", dest="seeds", metavar="URL", action="append", default=[], help="a seed of the crawl (repeatable)")
    add("--depth", metavar="N", type=int, default=0, help="number of links from the seeds (default: 0)")
    add(
        "--hops",
        metavar="N",
        type=int,
        default=0,
        help="number of links since the seeds' domains were left (default: 0)",
    )
    rule_options(scope)
    settings(scope)


def _plot_options(plot: argparse.ArgumentParser) -> None:
    add = plot.add_argument
    add("directories", metavar="DIR", nargs="+", type=Path)
    add("--what", choices=FIGURES, action="append", help="draw only this figure (repeatable; default: all)")
    about = "file format (repeatable; default: png and svg)"
    add("--format", dest="formats", choices=("png", "svg", "pdf"), action="append", help=about)
    add("--out", metavar="DIR", type=Path, help="where to write (default: DIR/plots)")
    about = "draw this law too (repeatable; default: K = 100, beta = 0.4)"
    add("--heaps", metavar="K,BETA", type=_heaps, action="append", default=[], help=about)
    about = "draw again every S seconds (default: 10) until the crawl ends"
    add("--watch", metavar="S", type=_seconds, nargs="?", const=10.0, help=about)


def _tuning_options(tune: argparse.ArgumentParser) -> None:
    add = tune.add_argument
    add("directory", metavar="DIR", type=Path)
    about = "file with labelled pairs: URL, URL, and 1, 0 or a similarity, separated by tabs (default: generated pairs)"
    add("--pairs", metavar="FILE", type=Path, help=about)
    add("--sample", metavar="N", type=int, default=2000, help="number of pages to generate pairs from (default: 2000)")
    add("--seed", metavar="N", type=int, default=1, help="seed of the random choice (default: 1)")
    about = "similarity from which two pages should be marked (default: 0.9)"
    add("--similar", metavar="S", type=_share, default=0.9, help=about)
    add("--format", default="text", choices=("text", "markdown", "json"))


def _processes(text: str) -> int:
    with suppress(ValueError):
        if 1 <= (number := int(text)) <= 64:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 64")


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0.1 <= (share := float(text)) <= 1:
            return share
    raise argparse.ArgumentTypeError(f"{text!r} is not between 0.1 and 1")


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 1 <= (seconds := float(text)) <= 86_400:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is not between 1 and 86400 seconds")


def _heaps(text: str) -> tuple[float, float]:
    """K and beta of a curve that can be drawn: it begins at a number and does not fall."""
    with suppress(ValueError):
        k, beta = map(float, text.split(","))
        if 0 < k <= 1e12 and 0 <= beta <= 2:
            return k, beta
    raise argparse.ArgumentTypeError(
        f"{text!r} is not K,BETA with K from 0 to 1e12 and beta from 0 to 2, such as 100,0.4"
    )
