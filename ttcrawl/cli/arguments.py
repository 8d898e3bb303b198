"""Options that several commands have, and numbers: out of range is wrong usage."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ttcrawl.config import Line


#: Names of `ttcrawl.config.profiles`, which few commands need.
PROFILES = ("archive", "course", "check", "search", "items", "polite")


#: Groups of options in the help.
PROCESSES, CONFIGURATION, REQUESTS, RULES, OUTPUT = "processes", "configuration", "requests", "which URLs", "output"

#: Options of all commands, which may stand before the command too; the first has a value.
OF_ALL = ("--color", "-q", "--quiet")

#: When output has colour.
WHEN = ("auto", "always", "never")


class Options(Protocol):
    """A command, or a group of its options."""

    def add_argument(self, *names: str, **about: Any) -> argparse.Action: ...


def group(command: argparse.ArgumentParser, title: str) -> Options:
    """The group of options with this title in the help, which is made by the first that asks."""
    groups = (each for each in command._action_groups if each.title == title)
    return next(groups, None) or command.add_argument_group(title)


def crawl_directory(command: Options) -> None:
    command.add_argument("directory", metavar="DIR", type=directory, help="the directory of a crawl")


def directory(text: str) -> Path:
    """An empty name would be the current directory: a variable of a shell that is not set."""
    return _named(text, "a directory")


def file_or_directory(text: str) -> Path | None:
    """None, stdout: that is - for most programs."""
    return None if text == "-" else _named(text, "a file, or a directory that exists")


def file(text: str) -> Path | None:
    """The same for a command that writes one file."""
    return None if text == "-" else _named(text, "a file")


def _named(text: str, what: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError(f"the name is empty: name {what}")
    return Path(text)


def crawl_directories(command: Options) -> None:
    command.add_argument("directories", metavar="DIR", nargs="+", type=directory, help="the directories of crawls")


def output_form(command: argparse.ArgumentParser, *forms: str) -> None:
    """`forms`: beside text, which is the default."""
    about = "the form of the output (default: text)"
    group(command, OUTPUT).add_argument("--format", default="text", choices=("text", *forms), help=about)


def output_options(command: argparse.ArgumentParser) -> None:
    """Options of all commands. Their group is the last in the help."""
    add = group(command, OUTPUT).add_argument
    command._action_groups.sort(key=lambda each: each.title == OUTPUT)
    about = "colour of what is printed: auto (on a terminal, unless NO_COLOR is set), always or never (default: auto)"
    add("--color", choices=WHEN, default="auto", help=about)
    add("-q", "--quiet", action="store_true", help="print no progress, and no report of a crawl: results and errors")


def part(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Callable[[argparse.Namespace], int],
    about: str,
) -> argparse.ArgumentParser:
    """A part of a command, which its help lists."""
    parser = actions.add_parser(name, help=about, description=about)
    parser.set_defaults(part=run, command=parser)
    return parser


def condition(command: Options, name: str, about: str, **more: Any) -> None:
    """A condition that URLs have to meet: `--NAME`, repeatable; its values are the list NAMEs."""
    dest, about = f"{name}s", f"{about} (repeatable)"
    command.add_argument(f"--{name}", dest=dest, metavar=name.upper(), action="append", default=[], help=about, **more)


def between(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        digits = re.fullmatch("0*([0-9]{1,19})", text)
        if digits is None or not least <= (value := int(digits[1])) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least:,} to {most:,}")
        return value

    return number


#: A number of processes, or of rings, on one machine.
processes = between(1, 64)


def resume_options(command: argparse.ArgumentParser) -> None:
    """Options of resume and recrawl."""
    crawl_directory(command)
    command.add_argument("seeds", metavar="SEED", nargs="*", default=[], help="URLs to add to the seeds")
    run_options(command)
    view(command)
    inline(command)
    any_key(group(command, CONFIGURATION))


def visit_options(command: argparse.ArgumentParser) -> None:
    """Options of recrawl, also of a cluster."""
    command.add_argument("--once", action="store_true", help="end when all URLs were visited that are due at the start")
    command.add_argument("--known", action="store_true", help="visit only: URLs that are new or queued stay queued")


def view(command: argparse.ArgumentParser) -> None:
    about = "print the address of a window over the crawl, which stays open until Ctrl-C after its end"
    group(command, OUTPUT).add_argument("--view", action="store_true", help=about)


def run_options(command: argparse.ArgumentParser) -> None:
    """Options of crawl, resume and recrawl, also of a cluster."""
    seed_file_options(group(command, "seeds"))
    rule_options(group(command, RULES))
    about = "follow links to this distance from the seeds"
    group(command, RULES).add_argument("--max-depth", dest="crawl.max_depth", metavar="N", help=about)
    _limits(group(command, "limits"))
    request_options(group(command, REQUESTS))
    about = "write the cookies of the crawl into a cookies.txt when it ends or stops; they are kept"
    group(command, REQUESTS).add_argument("--save-cookies", metavar="FILE", type=Path, help=about)
    _kept_options(group(command, "what is read and kept"))
    for name, key, about in (
        ("--fetchers", "crawl.fetchers", "number of fetch processes"),
        ("--parsers", "crawl.parsers", "number of parse processes"),
    ):
        group(command, PROCESSES).add_argument(name, dest=key, metavar="N", help=about)
    about = "how progress is shown (default: auto)"
    forms = ("auto", "plain", "json", "none")
    group(command, OUTPUT).add_argument("--progress", choices=forms, default="auto", help=about)


def _kept_options(command: Options) -> None:
    add = command.add_argument
    add("--parser", dest="links.parser", choices=("lexbor", "html5lib", "regex"), help="how links are found")
    about = "when pages are read for text and metadata: now, or later by ttcrawl read"
    add("--reading", dest="record.reading", choices=("now", "later"), help=about)
    about = "fetch what a browser loads to show a page, also from other hosts and at any depth, or do not"
    add("--page-requisites", action=argparse.BooleanOptionalAction, help=about)
    about = "fetch and save images, media and documents, or request only type and length of files that are not pages"
    add("--files", dest="files", action=argparse.BooleanOptionalAction, help=about)


def seed_file_options(command: Options) -> None:
    """Options of all commands that begin at seeds."""
    about = (
        "file with seeds, or - for standard input (repeatable): one per line, CSV, TSV or JSON lines with a column url,"
        " a sitemap, feed, bookmarks, OPML, HAR, crawl.log, CDX or CDXJ, also in gzip"
    )
    command.add_argument("--seeds", dest="seed_files", metavar="FILE", action="append", default=[], help=about)
    about = "the column of --seeds with the URLs (default: url)"
    command.add_argument("--column", metavar="NAME", default="", help=about)


def rule_options(command: Options) -> None:
    add = command.add_argument
    modes = ("host", "directory", "domain", "any", "list")
    add("--scope", dest="scope.scope", choices=modes, help="which URLs belong to the crawl")
    for action in ("allow", "exclude"):
        about = f"{action} these URLs, after the rules of config.ini (repeatable; the last that matches decides)"
        add(f"--{action}", dest="rules", metavar="PATTERN", type=_rule(action), action="append", default=[], help=about)
    add(
        "--blacklist",
        metavar="FILE",
        type=Path,
        help="file with one wildcard pattern per line; URLs that match are refused",
    )


def _rule(action: str) -> Callable[[str], Line]:
    def rule(pattern: str) -> Line:
        if not pattern.strip():
            raise argparse.ArgumentTypeError("write a pattern")
        from ttcrawl.config import Line  # most commands get no rule, and many need no configuration

        return Line(text=f"{action} {pattern}", file=f"--{action}")

    return rule


def _limits(command: Options) -> None:
    add = command.add_argument
    add("--max-pages", dest="crawl.max_pages", metavar="N", help="stop after N pages, earlier runs included")
    add("--max-time", dest="crawl.max_time", metavar="N", help="stop after N seconds")


def inline(command: argparse.ArgumentParser) -> None:
    about = "all roles in one process, one request at a time (for debugging)"
    group(command, PROCESSES).add_argument("--inline", action="store_true", help=about)


def prepare_processes(args: argparse.Namespace, *, fetch_first: bool = True) -> None:
    """Start the fork server, unless --inline needs no processes: call this before anything else is imported, opened or
    started, so that it can be forked from a command, and both import the rest at the same time."""
    if not getattr(args, "inline", False):
        from ttcrawl.ring import fork_server

        fork_server.prepare(alone=args.alone, fetch_first=fetch_first)


def settings(command: Options) -> None:
    """Options of all commands that read a config.ini."""
    add = command.add_argument
    add("-c", dest="config", metavar="FILE", type=Path, help="a config.ini (default: ./config.ini if it exists)")
    any_key(command)


def profile(command: Options) -> None:
    about = "keys for a purpose; config.ini and other options win over it (ttcrawl config --profile NAME lists them)"
    command.add_argument("--profile", choices=PROFILES, help=about)


def request_options(command: Options) -> None:
    """Options of all commands that request pages of new hosts."""
    add = command.add_argument
    obey = add("--obey-delay", action=argparse.BooleanOptionalAction, help="wait between requests to a host, or do not")
    obey.dest = "obey_delay"
    about = "another header of requests, NAME: VALUE, after a pattern of URLs if it is not for all (repeatable)"
    add("--header", dest="headers", metavar="HEADER", action="append", default=[], help=about)
    about = (
        "cookies that are sent from the beginning: cookies.txt, or JSON of a browser; those of servers are kept, too"
    )
    add("--cookies", metavar="FILE", help=about)
    add("--user-agent", dest="agent.user_agent", metavar="TEXT", help="the complete User-Agent")
    add(
        "--resolve",
        metavar="HOST:PORT:ADDRESS",
        action="append",
        default=[],
        help="connect to this address instead of asking the DNS (repeatable)",
    )


def any_key(command: Options) -> None:
    about = "any key of config.ini (repeatable)"
    command.add_argument("--set", metavar="SECTION.KEY=VALUE", action="append", default=[], help=about)
