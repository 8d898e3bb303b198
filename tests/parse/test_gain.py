"""What only the browser showed of a page."""

import pytest

import ttcrawl.parse.gain
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.parse.gain import NOTHING, GainReader
from ttcrawl.ring.rendering import Encoding, Rendering

URL = "http://a.test/d/x"
UTF8 = Encoding(charset="utf-8", declared="", decided="content")
ANSWER = b"<title>T</title><p>one two two</p><a href=/a>link</a><script>x()</script>"


def gain(dom, answer=ANSWER, targets=(), charset="utf-8"):
    reader = GainReader(Config().links, compile_canon(Config().url))
    return reader.gain(
        URL, answer, charset, Rendering(dom=dom, encoding=UTF8, moment=0.0, targets=targets, resources=())
    )


SAME = {
    "nothing": ANSWER,
    "another order": b"<title>T</title><a href=/a>link</a><div>two two <b>one</b></div>",
    "less": b"<p>one</p>",
    "another spelling of a link": ANSWER.replace(b"/a>", b"http://a.test/a#part>"),
    "scripts": ANSWER + b"<script src=/more.js></script><style>p {}</style>",
    "a link to itself": ANSWER + b"<a href=#top></a>",
}


@pytest.mark.parametrize("name", SAME)
def test_what_scripts_remove_move_or_repeat_is_no_gain(name):
    assert gain(SAME[name]) == NOTHING


@pytest.mark.parametrize(
    ("more", "links", "words"),
    [
        (b"<p>three</p>", 0, 1),
        (b"<p>two</p>", 0, 1),  # once more
        (b"<a href=b>link</a>", 1, 1),
        (b"<a href=b></a><a href=/d/b></a>", 1, 0),
        (b"<iframe src=/frame></iframe>", 1, 0),
    ],
)
def test_links_and_words_that_are_new_are_counted(more, links, words):
    found = gain(ANSWER + more)
    assert (found.links, found.words) == (links, words) and found.digest


def test_a_title_by_a_script_is_a_gain():
    assert gain(ANSWER.replace(b"<title>T", b"<title>T news")).words == 1


def test_an_address_to_which_scripts_sent_the_browser_is_a_link():
    assert gain(ANSWER, targets=("http://a.test/next",)).links == 1


def test_the_same_gain_has_the_same_digest_on_all_pages():
    banner, other = b"<p>cookies</p>", b"<p>biscuits</p>"
    assert gain(ANSWER + banner).digest == gain(b"<p>another page</p>" + banner, b"<p>another page</p>").digest
    assert gain(ANSWER + banner).digest != gain(ANSWER + other).digest


def test_the_answer_is_read_in_its_own_encoding():
    assert gain("<p>Größe</p>".encode(), "<p>Größe</p>".encode("latin-1"), charset="iso-8859-1") == NOTHING


def test_a_page_that_is_too_heavy_for_a_tree_is_read_without_one(monkeypatch):
    parsed = []
    monkeypatch.setattr(ttcrawl.parse.gain, "LexborHTMLParser", lambda html, **options: parsed.append(html))
    heavy = b"<p>one two</p>" + b"<div>" * 40_000 + b"three"
    assert gain(heavy).words == 1 and heavy not in parsed
