"""`ttcrawl page`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, FAILED, UsageError

if TYPE_CHECKING:
    from ttcrawl.library.crawl import Crawl

SUMMARY = "what was read from a page: metadata, text, links"
IN_HELP = ("Look", 4)
EXAMPLES = (
    ("metadata and main text of a page", "page crawl-example.org https://example.org/ --main"),
    ("its bytes, into a file", "page crawl-example.org /index.html --body > index.html"),
)

#: What a browser made of a page.
PICTURES = ("screenshot", "pdf")

#: What `--document` says.
AFTER_SCRIPTS = "this is the document after its scripts"
AS_RECEIVED = "this is the body as received: the page was not read in the browser"


def options(page: argparse.ArgumentParser) -> None:
    crawl_directory(page)
    about = "URLs that were fetched, or HOST/PATH or /PATH"
    page.add_argument("urls", metavar="URL", nargs="+", help=about)
    more = page.add_argument_group("more of a page")
    more.add_argument(
        "--links", action="store_true", help="list every link: kind, region, landmark, target, anchor text"
    )
    words = more.add_mutually_exclusive_group()
    about = "add the complete text"
    words.add_argument("--text", dest="words", action="store_const", const="text", default="", help=about)
    about = "add the main text: without menus, footers and the like"
    words.add_argument("--main", dest="words", action="store_const", const="main", help=about)
    only = page.add_argument_group("its bytes instead").add_mutually_exclusive_group()
    for name, about in (
        ("body", "write the bytes of the page (escaped on a terminal)"),
        ("document", "write its document after scripts, if it was read in the browser; else as --body"),
        ("screenshot", "write its picture, PNG ([browser] screenshot)"),
        ("pdf", "write it as PDF ([browser] pdf)"),
    ):
        only.add_argument(f"--{name}", dest="only", action="store_const", const=name, default="", help=about)
    about = "the last answer at this moment or earlier: 2026-01-31, or 2026-01-31T12:00:00 (UTC; default: now)"
    page.add_argument("--at", metavar="TIME", help=about)
    output_form(page, "json")


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 if requested data does not exist."""
    from ttcrawl.library.crawl import Crawl
    from ttcrawl.library.page_data import PageData, as_json, text
    from ttcrawl.output import moments
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show
    from ttcrawl.snapshot.errors import NotThere

    only, at = args.only, args.at
    if only and (len(args.urls) != 1 or args.words or args.links or args.format != "text"):
        raise UsageError(f"--{only} writes the bytes of one page and nothing else: give one URL and no other option")
    if only in PICTURES and sys.stdout.isatty():
        raise UsageError(f"--{only} writes bytes that are not text: send them to a file with >")
    if only in PICTURES and at is not None:
        raise UsageError(f"--{only} writes the latest one: leave out --at")
    if at is not None:
        moments.end_of(at)  # before the first page
    if only and at is None and _written_at_owner(args.directory, args.urls[0], only):
        return DONE
    with Crawl(crawl_to_read(args.directory)) as crawl:
        if only:
            return _picture(crawl, args.urls[0], only) if only in PICTURES else _content(crawl, args.urls[0], only, at)
        pages: list[PageData] = []
        missing: list[str] = []
        for url in args.urls:
            try:
                rows = crawl.page(url, at=at)
                pages.append(PageData(rows=rows, links=args.links))
                if args.words:
                    words = crawl.text(url, main=args.words == "main", at=at)
                    pages[-1] = PageData(rows=rows, links=args.links, words=words)
            except NotThere as error:
                missing.append(str(error))
    if args.format == "json":
        print(json_form([as_json(each) for each in pages]))
    elif pages:
        show("\n\n".join(map(text, pages)))
    return _missing(missing)


def _written_at_owner(directory: Path, url: str, which: str) -> bool:
    """Of a cluster, write what the ring has that owns the host of a URL. Return whether it has it."""
    from ttcrawl.store.mailbox import is_cluster

    if not is_cluster(directory) or "://" not in url:  # what is no URL may name pages of several rings
        return False
    from ttcrawl.cluster.results.content import content_at_owner

    if (content := content_at_owner(directory, url, which)) is None:
        return False
    _write(content.data, which, after_scripts=content.after_scripts)
    return True


def _content(crawl: Crawl, url: str, which: str, at: str | None) -> int:
    """Write the body of a page, or its document after scripts; say which, if it was asked for the document."""
    from ttcrawl.snapshot.errors import NotThere

    try:
        document = crawl.document(url, at=at) if which == "document" else None
        content = crawl.body(url, at=at) if document is None else document
    except NotThere as error:
        return _missing([str(error)])
    _write(content, which, after_scripts=document is not None)
    return DONE


def _picture(crawl: Crawl, url: str, which: str) -> int:
    from ttcrawl.snapshot.errors import NotThere

    try:
        content = crawl.screenshot(url) if which == "screenshot" else crawl.pdf(url)
    except NotThere as error:
        return _missing([str(error)])
    _write(content, which, after_scripts=False)
    return DONE


def _write(content: bytes, which: str, *, after_scripts: bool) -> None:
    from ttcrawl.output.display import tell
    from ttcrawl.output.untrusted import escape_untrusted

    if which == "document":
        tell(AFTER_SCRIPTS if after_scripts else AS_RECEIVED)
    if sys.stdout.isatty():  # on a terminal, a page must not move the cursor; a pipe gets the exact bytes
        print("\n".join(map(escape_untrusted, content.decode("utf-8", "replace").split("\n"))))
    else:
        sys.stdout.buffer.write(content)


def _missing(lines: Sequence[str]) -> int:
    from ttcrawl.output.display import tell

    for line in lines:
        tell(line)
    return FAILED if lines else DONE
