"""A page whose main text has lost most of the page is not compared."""

from __future__ import annotations

import zlib

import pytest
from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.read.page import read_page

MENU = "".join(f"<li><a href=/{n}>Chapter number {n} of the manual</a>" for n in range(30))
NOTES = "".join(f"<li><a href=/{n}>Chapter number {n} of the manual</a> <p>(in the second edition)" for n in range(30))
BAR = " | ".join(f"<a href=/{n}>Chapter number {n} of the manual</a>" for n in range(4))
WORDS = "The reader takes the pages of a site one after the other and counts the words of each. "


def compared(body: str) -> str:
    html = f"<html><body>{body}</body></html>"
    anchors = [f"Chapter number {n} of the manual" for n in range(30)]
    _, text, found = read_page(
        LexborHTMLParser(html), html.encode(), {}, anchors, str, config.Record(), config.Duplicates(min_words=1)
    )
    assert text is not None and found is not None
    main = zlib.decompress(text.packed if text.main is None else text.main).decode()
    return main if found.shingles else ""


@pytest.mark.parametrize(
    ("body", "is_compared"),
    [
        (f"<nav>{MENU}{WORDS * 9}</nav><main><p>{WORDS}</main>", True),  # a landmark may be larger
        (f"<ul>{MENU}</ul><main><p>{WORDS}</main>", True),  # so may a menu without markup
        (f"<ul>{NOTES}</ul><main><p>{WORDS}</main>", True),  # its notes are no text that is lost
        (f"<p>{BAR}</p><h1>Title</h1><p>{WORDS}", True),
        (f"<main><p>{WORDS * 2}</main><p>lost {WORDS}", True),
        (f"<main><p>{WORDS}</main><p>lost {WORDS * 3}", False),
        (f"<nav>{MENU}</nav><main><p>{WORDS}</main><p>lost {WORDS * 3}", False),
    ],
)
def test_only_a_main_text_that_is_most_of_the_page_is_compared(body: str, is_compared: bool) -> None:
    text = compared(body)
    assert (WORDS.strip() in text, bool(text)) == (is_compared, is_compared) and "Chapter" not in text
