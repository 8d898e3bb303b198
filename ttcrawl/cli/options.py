"""All commands and their options. A test compares the manual with them."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from ttcrawl import __version__
from ttcrawl.cli.commands import delegates as run
from ttcrawl.cli.commands.crawl_options import crawl_options, recrawl_options, resume_options, rule_options, settings
from ttcrawl.cli.commands.delete_options import delete_options
from ttcrawl.cli.commands.diff_options import diff_options
from ttcrawl.cli.commands.export_options import export_options, mirror_options, search_options
from ttcrawl.cli.commands.index import index, index_options
from ttcrawl.cli.commands.report_options import graph_options, plot_options, report_options, tuning_options
from ttcrawl.cli.commands.topic_options import topic_commands
from ttcrawl.cli.numbers import between
from ttcrawl.errors import USAGE, did_you_mean
from ttcrawl.output.untrusted import escape_untrusted

DESCRIPTION = "A polite crawler for people who study, archive or search the web."


EXAMPLES = """examples:
  ttcrawl crawl example.org --max-pages 1000    crawl a site into the directory crawl-example.org
  ttcrawl report crawl-example.org              its statistics; plot draws them
  ttcrawl why crawl-example.org URL             why was this URL fetched, or not?
"""


#: What the help has, in this order.
GROUPS = {
    "Crawl": ("crawl", "resume", "recrawl", "cluster"),
    "Look": ("status", "why", "page", "search", "report", "plot", "graph", "check", "diff", "duplicates"),
    "Change": ("requeue", "delete", "read", "aliases"),
    "Give": ("export", "index", "mirror"),
    "Tools": ("try", "verify", "topic", "demo"),
}

#: Words of earlier versions, which still work.
OLD_WORDS = {
    "url": ("try", "url"),
    "robots": ("try", "robots"),
    "scope": ("try", "scope"),
    "recycle": ("requeue", "--recorded"),
    "tune-duplicates": ("duplicates", "--tune"),
}


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line. URLs may stand on both sides of an option, which argparse does not support here."""
    words = _in_words_of_today(list(sys.argv[1:] if arguments is None else arguments))
    top = parser(next((word for word in words if not word.startswith("-")), "none"))
    if not words:
        top.print_help()
        top.exit(USAGE)
    if not words[0].startswith("-") and words[0] not in top.commands:
        top.error(f"there is no command {words[0]}{_command_instead(words, top.commands)}")
    options, more = top.parse_known_args(words)
    many = next((name for name in ("urls", "seeds", "others") if hasattr(options, name)), "")
    if wrong := [each for each in more if not many or each.startswith("-")]:
        names = re.findall(r"(?<!\w)--[\w-]+", options.command.format_help())
        options.command.error(f"unrecognized arguments: {' '.join(more)}{_all_instead(wrong, names)}")
    if more:
        setattr(options, many, [*getattr(options, many), *more])
    return options


def _in_words_of_today(words: list[str]) -> list[str]:
    """Replace a word of an earlier version, and say so."""
    if not words or words[0] not in OLD_WORDS:
        return words
    new = OLD_WORDS[words[0]]
    print(f"ttcrawl: {words[0]} is called {' '.join(new)} now", file=sys.stderr)
    return [*new, *words[1:]]


#: What a newcomer types, or another crawler has -> the command here.
COMMANDS = {
    **dict.fromkeys(("fetch", "get", "download", "spider", "start", "run", "begin", "scrape", "mirror-site"), "crawl"),
    **dict.fromkeys(("continue", "restart"), "resume"),
    **dict.fromkeys(("stats", "statistics", "summary"), "report"),
    **dict.fromkeys(("info", "ls", "list", "show"), "status"),
    **dict.fromkeys(("update", "refresh", "revisit"), "recrawl"),
    **dict.fromkeys(("explain",), "why"),
    **dict.fromkeys(("shell", "view", "cat"), "page"),
    **dict.fromkeys(("version",), "--version"),
}


def _command_instead(words: Sequence[str], commands: Collection[str]) -> str:
    """Return a hint to the command that was meant, where a URL, a directory or a word of other programs stands."""
    from ttcrawl.web.scheme import with_scheme  # only a wrong command needs them
    from ttcrawl.web.url import canonical

    word = words[0]
    if word == "help":
        named = f"ttcrawl {words[1]} --help" if words[1:] and words[1] in commands else "ttcrawl --help"
        return f" (did you mean {named}?)"
    if Path(word).is_dir():
        return f" (it is a directory: did you mean ttcrawl status {word}, or report {word}?)"
    if canonical(word) or with_scheme(word, canonical):
        return f" (did you mean ttcrawl crawl {word}?)"
    if instead := COMMANDS.get(word.lower()):
        return f" (did you mean {instead}?)"
    return did_you_mean(word, commands)


def _all_instead(wrong: Sequence[str], names: Collection[str]) -> str:
    """Return a hint for each wrong option; with several, each is named."""
    options = dict.fromkeys(each.partition("=")[0] for each in wrong)
    hints = {each: hint for each in options if (hint := _instead(each, names))}
    if len(options) == 1:
        return "".join(hints.values())
    return "".join(f"; {each}{hint}" for each, hint in hints.items())


def _instead(wrong: str, names: Collection[str]) -> str:
    """Return a hint to what a wrong option may have meant: of another crawler, a key of its name, or one like it."""
    from ttcrawl.config import option_instead  # only a wrong command needs the configuration

    return (option_instead(wrong, "--set {}=VALUE") if "--set" in names else "") or did_you_mean(wrong, names)


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command in one line, like all errors."""

    commands: Collection[str] = ()

    def error(self, message: str) -> NoReturn:
        from ttcrawl.store.nearby import nearby_crawls  # only a wrong command needs it

        hint = nearby_crawls() if re.search(r"required: .*\bDIR\b", message) else ""
        self.exit(USAGE, f"ttcrawl: {escape_untrusted(message + hint)}: see {self.prog} --help\n")


def parser(only: str = "") -> _Parser:
    """All commands and options, or the options of one command alone: to build all takes longer than to read a line."""
    raw = argparse.RawDescriptionHelpFormatter
    top = _Parser(prog="ttcrawl", description=DESCRIPTION, formatter_class=raw)
    top.add_argument("--version", action="version", version=f"ttcrawl {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, help="ttcrawl COMMAND --help has its options")
    top.commands = commands.choices
    add = partial(_add_command, commands, only)
    add("crawl", run.crawl, "crawl from seeds into a new directory", crawl_options)
    add("resume", run.resume, "continue a crawl that stopped for any reason", resume_options)
    about = "continue a crawl for ever: its pages are visited again, by [revisit]"
    add("recrawl", run.recrawl, about, recrawl_options)
    add("read", run.read_pages, "read the pages whose reading was put off", _read_options)
    add("status", run.status, "what a crawl is doing, and why hosts wait", _status_options)
    add("check", run.check, "the health of a site: broken links, titles ...", _check_options)
    about = "queue URLs again that have failed, were answered with an error or were refused"
    add("requeue", run.requeue, about, _requeue_options)
    about = "delete what was stored of URLs, by host, path, digest, id or URL"
    add("delete", run.delete, about, delete_options)
    add("why", run.why, "the life of a URL: discovery, decisions, requests, outcome", _why_options)
    add("page", run.page, "what was read from a page: metadata, text, links", _page_options)
    about = "pages that are new, gone, moved or changed: between moments of a crawl, or between two crawls"
    add("diff", run.diff, about, diff_options)
    about = "duplicate and near-duplicate pages, with their originals"
    add("duplicates", run.duplicates, about, _duplicates_options)
    add("verify", run.verify, "check that a crawl is complete and consistent", _verify_options)
    add("aliases", run.aliases, "find, and optionally merge, hosts that serve the same pages", _aliases_options)
    add("report", run.report, "the statistics of a crawl, or of several side by side", report_options)
    add("plot", run.plot, "draw figures of a crawl: growth, laws, content", plot_options)
    add("graph", run.graph, "the link graph of a crawl: figures, exports, pictures", graph_options)
    add("search", run.search, "full-text search in the pages of a crawl", search_options)
    add("topic", run.topic, "which pages are about a subject?", topic_commands)
    add("export", run.export, "write a crawl in a format that other programs read", export_options)
    add("index", index, "bring a crawl into an index of Zebra, and keep the index up to date", index_options)
    add("mirror", run.mirror, "copy a crawl into PostgreSQL, and keep the copy up to date", mirror_options)
    about = "one crawl by several rings: crawl processes that share the hosts between them"
    cluster = commands.add_parser("cluster", description=about)
    if only in ("", "cluster"):
        from ttcrawl.cli.commands.cluster_options import cluster_commands  # it imports what its commands need

        cluster_commands(cluster, _part)
    about = "try a link, a robots.txt or the rules of a scope without a crawl"
    attempts = commands.add_parser("try", description=about)
    if only in ("", "try"):
        _try_commands(attempts)
    add("demo", run.demo, "crawl the bundled campus site and compare with its known figures", _demo_options)
    top.epilog = f"{_grouped(commands.choices)}\n\n{EXAMPLES}"
    return top


def _grouped(commands: Mapping[str, argparse.ArgumentParser]) -> str:
    """The commands by group, each with what it is about."""
    width = shutil.get_terminal_size().columns - 2
    return "\n".join(
        line
        for group, names in GROUPS.items()
        for line in (
            f"{group}:",
            *(
                textwrap.fill(f"    {name:<12}{commands[name].description}", width, subsequent_indent=" " * 16)
                for name in names
            ),
        )
    )


def _try_commands(attempts: argparse.ArgumentParser) -> None:
    actions: Any = attempts.add_subparsers(metavar="WHAT", required=True)
    about = "how a link is resolved: its canonical URL, each step, and whether it is a trap"
    _url_options(_part(actions, "url", run.url, about))
    about = "may these URLs be fetched, and which line of robots.txt decides?"
    _robots_options(_part(actions, "robots", run.robots, about))
    _scope_options(_part(actions, "scope", run.scope, "are these URLs in scope, and which rule decides?"))


def _add_command(
    commands: argparse._SubParsersAction[_Parser],
    only: str,
    name: str,
    function: Callable[[argparse.Namespace], int],
    about: str,
    options: Callable[[argparse.ArgumentParser], None],
) -> None:
    command = _command(commands, name, function, about)
    if only in ("", name):
        options(command)


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    function: Callable[[argparse.Namespace], int],
    about: str,
    *,
    listed: bool = False,
) -> argparse.ArgumentParser:
    """A command. `listed`: in the list of argparse, as parts of a command are; the others stand in their groups."""
    in_list: dict[str, Any] = {"help": about} if listed else {}
    command: argparse.ArgumentParser = commands.add_parser(name, description=about, **in_list)
    command.set_defaults(run=function, command=command)
    return command


#: A part of a command, which the help of the command lists.
_part = partial(_command, listed=True)


def _status_options(status: argparse.ArgumentParser) -> None:
    status.add_argument("directory", metavar="DIR", type=Path)
    status.add_argument(
        "--hosts", metavar="N", type=between(0, 1_000_000), default=20, help="hosts shown, longest queue first (20)"
    )
    status.add_argument("--format", default="text", choices=("text", "json"))


def _check_options(check: argparse.ArgumentParser) -> None:
    from ttcrawl.cli.commands.check_options import check_options  # it imports the kinds of problems

    check_options(check)


def _verify_options(verify: argparse.ArgumentParser) -> None:
    verify.add_argument("directory", metavar="DIR", type=Path)
    verify.add_argument("--repair", action="store_true", help="repair what can be repaired without a request")


def _url_options(url: argparse.ArgumentParser) -> None:
    url.add_argument("base", metavar="BASE", help="the base URL of the page")
    url.add_argument("href", metavar="HREF", help="the link as it is written on the page")
    settings(url)


def _demo_options(demo: argparse.ArgumentParser) -> None:
    demo.add_argument("-d", dest="directory", metavar="DIR", type=Path, help="where to write (default: demo-crawl)")
    demo.add_argument("--obey-delay", action="store_true", help="obey its Crawl-delay of 1 s in full (14 minutes)")


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
    add("urls", metavar="URL", nargs="*", default=[], help="URLs to explain, discovered or not, or HOST/PATH or /PATH")
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
    about = "instead: the URLs whose links were only recorded ([links] new = record)"
    add("--recorded", action="store_true", help=about)
    add("--format", default="text", choices=("text", "json"))


def _page_options(page: argparse.ArgumentParser) -> None:
    add = page.add_argument
    add("directory", metavar="DIR", type=Path)
    add("urls", metavar="URL", nargs="+", help="URLs that were fetched, or HOST/PATH or /PATH")
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
        "document": "instead: write its document after scripts, if it was read in the browser; else as --body",
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
    same.add_argument("--limit", metavar="N", type=between(0, 1_000_000), default=20, help=about)
    same.add_argument("--format", default="text", choices=("text", "markdown", "json"), help="markdown: with --tune")
    tuning_options(same)


def _aliases_options(aliases: argparse.ArgumentParser) -> None:
    aliases.add_argument("directory", metavar="DIR", type=Path)
    about = "write the aliases into DIR/config.ini, and move their queued URLs to the canonical names"
    aliases.add_argument("--merge", action="store_true", help=about)
    aliases.add_argument("--format", default="text", choices=("text", "json"))


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


def _processes(text: str) -> int:
    with suppress(ValueError):
        if 1 <= (number := int(text)) <= 64:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 64")
