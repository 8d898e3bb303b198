"""The compiled core chooses the main text that Python chooses."""

import random

import pytest

from tests.core.compiled import needs_core
from tests.parse.both_readers import COMPARED, EVERYTHING, differing, native_reader, reader
from tests.parse.text_pages import page
from tests.read.pages import LONG
from ttcrawl import core
from ttcrawl.config import Config
from ttcrawl.parse.compiled import CompiledPage, CompiledReader
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.texts import PageTexts

pytestmark = needs_core

PROSE = f"<p>{LONG}</p>"

PAGES = {
    "an anchor text of 200 characters": f"<a href=a>{'é' * 200}</a><p>{'é' * 200}<p>{'é' * 201}",
    "signs around links": f"<p>| <a href=a>A</a> |\xa0<a href=b>B</a> |<h1>T</h1>{PROSE}",
    "only signs": f"<p>| | |<p>|<h1>T</h1>{PROSE}",
    "a long line of links": f"<p>{' | '.join(['<a href=a>Chapter one</a>'] * 60)}</p><h1>T</h1>{PROSE}",
    "preformatted lines with spaces before links": f"<pre>  <a href=a>A</a> | <a href=b>B</a></pre><h1>T</h1>{PROSE}",
    "preformatted lines": f"<main><pre>a  b\n\n  c</pre><p>a  b</p>{PROSE}</main>",
    "ideographs": "<main><p>日本 語 a日b</p><p>日</p></main><p>x",
    "nested headers with titles": "<header><h1>T</h1>" * 40 + PROSE,
    "nested main elements": "<main>" * 40 + PROSE,
    "titles in titles": f"<h1>a<div><h1>b</h1>{PROSE}</div></h1>",
    "a title just before": f"<div>x</div><h1>T</h1><div class=content>{PROSE}</div>{PROSE}",
    "an empty page": "",
    "all is left out": f"<nav>{PROSE}</nav>",
    "long words": f"<p>{'a' * 20_000} {'b' * 20_000}",
    "more than is compared": f"<p>{'word ' * 215_000}",
}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_the_readers_agree(html: str) -> None:
    assert isinstance(reader().read(html.encode()), CompiledPage)
    assert differing([html.encode()]) == []


@pytest.mark.parametrize("seed", range(3))
def test_pages_made_at_random(seed: int) -> None:
    chance = random.Random(seed)
    assert differing(page(chance) for _ in range(60)) == []


@pytest.mark.slow
def test_many_pages_made_at_random() -> None:
    chance = random.Random(99)
    assert differing(page(chance) for _ in range(3000)) == []


def texts(**settings: str) -> PageTexts:
    """Of a page, if the crawl has these settings."""
    off = {f"record.{name}": "no" for name in ("metadata", "text", "main", "language")}
    config = Config().changed(off | {"duplicates.exact": "no", "duplicates.near": "no", "duplicates.min_words": "1"})
    config = config.changed({name.replace("__", "."): value for name, value in settings.items()})
    found = CompiledReader(Wanted(anchors=True), config).read(b"<nav>menu</nav><main><p>The  Text")
    assert isinstance(found, CompiledPage)
    assert found.texts is not None
    return found.texts


def test_only_what_is_needed() -> None:
    text = PageTexts(text=b"menu\nThe Text", main=b"", words=3, main_words=0, folded=b"", shingles=b"")
    assert texts(record__text="yes") == texts(record__language="yes") == text
    assert texts(duplicates__exact="yes").folded == b"menu the text"
    assert (texts(record__main="yes").main, texts(record__main="yes").shingles) == (b"The Text", b"")
    assert texts(duplicates__near="yes").shingles == core.native.shingles("The Text", COMPARED.shingle, 1)


@pytest.mark.parametrize("anchors", [["a"], (1,), None])
def test_wrong_arguments(anchors: object) -> None:
    with pytest.raises(TypeError):
        native_reader(EVERYTHING).read(b"<a href=b>c</a>", anchors)
    with pytest.raises(TypeError):
        native_reader(EVERYTHING).lines("<p>a")
