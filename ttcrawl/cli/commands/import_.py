"""`ttcrawl import`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import CONFIGURATION, directory, group, prepare_processes, processes, settings

SUMMARY = "make a crawl of archives: WARC, ARC, WACZ, HAR, Scrapy's cache"
IN_HELP = ("Crawl", 5)
EXAMPLES = (
    ("the files of a directory, which stay where they are", "import archives/ -d news"),
    ("what is in them, and what is damaged?", "import '*.warc.gz' --check"),
)


def options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("files", metavar="FILE", nargs="+", help="archives, directories with archives, or patterns (*, **)")
    about = "the crawl directory: a new one, or one that gets more"
    add("-d", dest="directory", metavar="DIR", type=directory, help=about)
    how = command.add_mutually_exclusive_group()
    about = "copy the files into DIR (default: they stay where they are, and DIR has symbolic links)"
    how.add_argument("--copy", dest="mode", action="store_const", const="copy", default="reference", help=about)
    how.add_argument("--link", dest="mode", action="store_const", const="link", help="make hard links in DIR")
    how.add_argument(
        "--check", action="store_true", help="import nothing: print what is in the files, and what is damaged"
    )
    about = "number of parse processes (default: one for each processor)"
    add("--parsers", metavar="N", type=processes, default=0, help=about)
    settings(group(command, CONFIGURATION))


def run(args: argparse.Namespace) -> int:
    prepare_processes(args, fetch_first=False)
    return _check(args) if args.check else _import(args)


def _check(args: argparse.Namespace) -> int:
    from ttcrawl.archives.check import check
    from ttcrawl.errors import DONE, FAILED
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.output.terminal import show_line

    with ReadProgress() as progress:
        result = check(args.files, args.parsers, progress, tell)
    for line in result.lines:
        show_line(line)
    return FAILED if result.damaged else DONE


def _import(args: argparse.Namespace) -> int:
    from ttcrawl.archives.outcome import lines, status
    from ttcrawl.archives.run import Wish
    from ttcrawl.archives.run import run as imported
    from ttcrawl.cli.configuration import file_of, overrides
    from ttcrawl.cli.crawling import write_report
    from ttcrawl.config import read
    from ttcrawl.errors import UsageError
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.output.terminal import show_line

    if args.directory is None:
        raise UsageError("name the crawl directory: -d DIR; --check needs none")
    config = read(file_of(args), overrides(args))
    wish = Wish(texts=args.files, directory=args.directory, config=config, mode=args.mode, parsers=args.parsers)
    with ReadProgress() as progress:
        outcome = imported(wish, progress, tell)
    for line in lines(outcome, args.directory):
        show_line(line)
    write_report(args.directory)
    return status(outcome)
