"""`ttcrawl man`."""

from __future__ import annotations

import argparse
import sys

from ttcrawl.cli.arguments import directory
from ttcrawl.errors import DONE, UsageError, did_you_mean

SUMMARY = "print the manual page of a command, for man"
IN_HELP = ("Tools", 8)
EXAMPLES = (("all manual pages", "man -d ~/.local/share/man/man1"),)


def options(man: argparse.ArgumentParser) -> None:
    man.add_argument("name", metavar="COMMAND", nargs="?", default="", help="a command (default: the list of all)")
    about = "write the pages of all commands into this directory, such as ~/.local/share/man/man1"
    man.add_argument("-d", dest="directory", metavar="DIR", type=directory, help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.cli import commands
    from ttcrawl.cli.man_page import man_page

    names = commands.names()
    if args.name and args.name not in names:
        raise UsageError(f"there is no command {args.name}{did_you_mean(args.name, names)}")
    if args.directory is None:
        sys.stdout.write(man_page(args.name))
        return DONE
    try:
        args.directory.mkdir(parents=True, exist_ok=True)
        for name in ("", *names) if not args.name else (args.name,):
            title = f"ttcrawl-{name}" if name else "ttcrawl"
            (args.directory / f"{title}.1").write_text(man_page(name), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{args.directory}: {error.strerror}; name a directory that can be written with -d") from error
    return DONE
