"""`ttcrawl page`: its options and its exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ttcrawl.errors import DONE, FAILED, UsageError
from ttcrawl.library.crawl import Crawl
from ttcrawl.library.page_data import PageData, as_json, text
from ttcrawl.output import moments, terminal
from ttcrawl.output.json_form import json_form
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.errors import NotThere

#: What a browser made of a page.
PICTURES = ("screenshot", "pdf")

#: What `--document` says.
AFTER_SCRIPTS = "this is the document after its scripts"
AS_RECEIVED = "this is the body as received: the page was not read in the browser"


def page(directory: Path, urls: Sequence[str], form: str, *, words: str, links: bool, only: str, at: str | None) -> int:
    """Print the pages; `words` is "text", "main" or ""; `at` is a moment, None: now.

    `only`: write the "body", "document", "screenshot" or "pdf" of one page instead; "": the page itself.

    Returns the exit status: 1 if requested data does not exist.
    """
    if only and (len(urls) != 1 or words or links or form != "text"):
        raise UsageError(f"--{only} writes the bytes of one page and nothing else: give one URL and no other option")
    if only in PICTURES and at is not None:
        raise UsageError(f"--{only} writes the latest one: leave out --at")
    if at is not None:
        moments.end_of(at)  # before the first page
    with Crawl(directory) as crawl:
        if only in PICTURES:
            return _picture(crawl, urls[0], only)
        if only:
            return _content(crawl, urls[0], only, at)
        pages: list[PageData] = []
        missing: list[str] = []
        for url in urls:
            try:
                rows = crawl.page(url, at=at)
                pages.append(PageData(rows=rows, links=links))
                if words:
                    text_of_page = crawl.text(url, main=words == "main", at=at)
                    pages[-1] = PageData(rows=rows, links=links, words=text_of_page)
            except NotThere as error:
                missing.append(str(error))
    if form == "json":
        print(json_form([as_json(each) for each in pages]))
    elif pages:
        terminal.show("\n\n".join(map(text, pages)))
    return _missing(missing)


def _content(crawl: Crawl, url: str, which: str, at: str | None) -> int:
    """Write the body of a page, or its document after scripts; say which, if it was asked for the document."""
    try:
        document = crawl.document(url, at=at) if which == "document" else None
        content = crawl.body(url, at=at) if document is None else document
    except NotThere as error:
        return _missing([str(error)])
    if which == "document":
        print(f"ttcrawl: {AS_RECEIVED if document is None else AFTER_SCRIPTS}", file=sys.stderr)
    if sys.stdout.isatty():  # on a terminal, a page must not move the cursor; a pipe gets the exact bytes
        print("\n".join(map(escape_untrusted, content.decode("utf-8", "replace").split("\n"))))
    else:
        sys.stdout.buffer.write(content)
    return DONE


def _picture(crawl: Crawl, url: str, which: str) -> int:
    if sys.stdout.isatty():
        raise UsageError(f"--{which} writes bytes that are no text: send them to a file with >")
    try:
        sys.stdout.buffer.write(crawl.screenshot(url) if which == "screenshot" else crawl.pdf(url))
    except NotThere as error:
        return _missing([str(error)])
    return DONE


def _missing(lines: Sequence[str]) -> int:
    for line in lines:
        print(f"ttcrawl: {line}", file=sys.stderr)
    return FAILED if lines else DONE
