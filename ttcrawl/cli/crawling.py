"""What the commands that crawl have in common: seeds and keys of the command line, and what they print at the end."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.configuration import blacklist, overrides
from ttcrawl.config import Lines, Override
from ttcrawl.errors import UsageError
from ttcrawl.output.colour import highlighted
from ttcrawl.output.display import tell
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.sparkline import can_print
from ttcrawl.output.terminal import terminal_width

if TYPE_CHECKING:
    from ttcrawl.engine.recrawl.recrawls import Recrawl
    from ttcrawl.engine.run.changes import Changes
    from ttcrawl.engine.run.seeds import Seeds
    from ttcrawl.report.summary import Summary


def of_requests(args: argparse.Namespace) -> list[Override]:
    """Keys of options that `crawl` and `check` have. Raises UsageError."""
    resolve = " ".join(args.resolve)
    return [*_switches(args), *_headers(args), *([("fetch.resolve", resolve, "--resolve")] if resolve else [])]


def _headers(args: argparse.Namespace) -> list[Override]:
    """Raises UsageError where cookies could not be saved at the end."""
    result: list[Override] = [("fetch.headers", "\n".join(args.headers), "--header")] if args.headers else []
    if saved := getattr(args, "save_cookies", None):  # check has no such option
        from ttcrawl.store.replaced import must_have_place  # few crawls save them

        must_have_place(saved)
    if args.cookies:
        result += [("login.cookies", args.cookies, "--cookies"), ("fetch.cookies", "kept", "--cookies")]
    elif saved:
        result.append(("fetch.cookies", "kept", "--save-cookies"))
    return result


def save_cookies(args: argparse.Namespace, directory: Path) -> None:
    """Write the file of --save-cookies. Raises CrawlFailedError."""
    if not args.save_cookies:
        return
    from ttcrawl.engine.own_cookies import own_cookies, save
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.store.sites import Cookies

    with view(directory) as crawl:
        own, stored = own_cookies(crawl.config.login.cookies), Cookies(crawl).all()
    save(args.save_cookies, own, stored, time.time())


def _switches(args: argparse.Namespace) -> list[Override]:
    """The keys of options that are yes or no."""
    # check has not all of these options
    names = {"politeness.obey_delay": "obey_delay", "files.save": "files", "links.page_requisites": "page_requisites"}
    names |= {"files.download": "files"}
    switches = {key: getattr(args, name, None) for key, name in names.items()}
    return [(key, "yes" if value else "no") for key, value in switches.items() if value is not None]


def seeds_of(args: argparse.Namespace) -> Seeds:
    """The seeds of the command line, and of files. Raises UsageError."""
    from ttcrawl.engine.run.seeds import Seeds

    files, column = tuple(getattr(args, "seed_files", ())), getattr(args, "column", "")
    if column and not files:
        raise UsageError("--column names a column of a file with seeds: name the file with --seeds")
    return Seeds(texts=tuple(args.seeds), files=files, column=column)


def changes_of(args: argparse.Namespace) -> Changes:
    """What the options of `resume` change. Raises UsageError."""
    from ttcrawl.engine.run.changes import Changes

    return Changes(
        overrides=[*overrides(args), *_switches(args), *_headers(args)],
        rules=Lines(args.rules),
        blacklist=blacklist(args),
        resolve=" ".join(args.resolve),
        seeds=seeds_of(args),
    )


def resume(args: argparse.Namespace, recrawl: Recrawl | None = None) -> int:
    """Continue a crawl, also to visit its pages again; return the exit status."""
    changes = changes_of(args)
    from ttcrawl.engine.run.session import resume

    with viewing(args, args.directory):
        status = resume(args.directory, changes, args.progress, inline=args.inline, recrawl=recrawl)
        print_report(args, args.directory, "resume" if recrawl is None else "recrawl")
        save_cookies(args, args.directory)
    return status


def viewing(args: argparse.Namespace, directory: Path) -> contextlib.AbstractContextManager[None]:
    """The window of --view."""
    if not args.view:
        return contextlib.nullcontext()
    from ttcrawl.cli.beside import window_beside

    return window_beside(directory)


def print_report(args: argparse.Namespace, directory: Path, command: str = "resume") -> None:
    from ttcrawl.cli.styles import OF_END
    from ttcrawl.report.brief import outcome, render
    from ttcrawl.report.summary import GO_ON
    from ttcrawl.snapshot.unread import unread_line

    summary = write_report(directory)
    if args.quiet:
        return
    if args.progress != "json":
        end, blocks = outcome(directory, summary), can_print(sys.stdout.encoding)
        text = render(directory, summary, end, terminal_width(), blocks=blocks)
        print(highlighted(text, OF_END, sys.stdout), flush=True)
    if summary.unread:
        tell(unread_line(summary.unread, directory))
    if summary.finished == "visited":
        tell(visited_line(summary.queued, command_line("resume", directory)))
    elif summary.finished != "done":
        option, more = GO_ON.get(summary.finished, ("", ""))
        command = command_line(command, directory) + option
        tell(f"stopped ({summary.finished}) with {summary.queued:,} queued; {command} continues{more}")


def visited_line(queued: int, command: str) -> str:
    """What is said when all visits are made, and URLs are queued that `command` requests."""
    left = counted(queued, "URL", "stays", "stay")
    then = f"{command} requests them, as far as the limits in [crawl] allow"
    return f"all URLs that were due are visited; {left} queued: {then}"


def write_report(directory: Path) -> Summary:
    from ttcrawl.report.parts.summary import render
    from ttcrawl.report.summarize import summarize
    from ttcrawl.store.regular import replace_file

    summary = summarize(directory)
    text = render([summary], [str(directory)], "text")
    try:
        replace_file(directory / "report.txt", text.encode())
    except OSError as error:  # the outcome of the crawl does not depend on this file
        tell(f"cannot write {directory / 'report.txt'}: {error.strerror}")
    return summary
