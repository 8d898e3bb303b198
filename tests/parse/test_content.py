from __future__ import annotations

from pathlib import Path

import pytest

from tests.parse.reading import read
from tests.support.web.bombs import bomb, brotlied, gzipped
from ttcrawl import config
from ttcrawl.config import Config
from ttcrawl.ring.messages import Page

pytestmark = pytest.mark.usefixtures("reader")

BEGIN = b"<title>t</title><a href=/first>1</a>"
PAGE = BEGIN + b" ".join(b"%d" % (number * number) for number in range(30_000)) + b"<a href=/last>2</a>"
PACKED, HALF = gzipped(PAGE), len(gzipped(PAGE)) // 2
HEAD = ("Content-Type", "text/html")
TEXT = Config(record=config.Record(text=True))

# Content-Encoding, body, paths of the links, beginning of parse_error
BROKEN = [
    ("gzip", PACKED[:-8], ["/first", "/last"], "broken gzip: it ends too early"),
    ("gzip", PACKED[:-8] + bytes(4) + PACKED[-4:], ["/first", "/last"], "broken gzip: "),
    ("gzip", PACKED[:-4] + bytes(4), ["/first", "/last"], "broken gzip: "),
    ("gzip", PACKED[:HALF] + b"\xff" * 100, ["/first"], "broken gzip: "),
    ("gzip", gzipped(BEGIN)[:-8] + bytes(8), ["/first"], "broken gzip: "),
    ("gzip", gzipped(BEGIN) + PACKED[:12] + bytes(100), ["/first"], "broken gzip: "),
    ("br, gzip", gzipped(brotlied(BEGIN))[:-8] + bytes(8), ["/first"], "broken gzip: "),
    ("br", brotlied(PAGE)[:-1], ["/first", "/last"], "broken br: it ends too early"),
    ("gzip", PACKED[:12], [], "broken gzip: it ends too early"),
    ("br", PAGE, [], "broken br: "),
    ("compress", PACKED, [], "content coding compress was not asked for"),
]


def page_of(archive: Path, coding: str, body: bytes, settings: Config = TEXT) -> Page:
    return read(archive, "http://a.test/", body, settings, headers=(HEAD, ("Content-Encoding", coding)))


@pytest.mark.parametrize(("coding", "body", "paths", "error"), BROKEN, ids=range(len(BROKEN)))
def test_broken_coding(tmp_path: Path, coding: str, body: bytes, paths: list[str], error: str) -> None:
    """What precedes the error is read, as a browser displays it."""
    page = page_of(tmp_path, coding, body)
    assert page.facts.parse_error.startswith(error)
    assert [link.url for link in page.links] == [f"http://a.test{path}" for path in paths]
    assert page.facts.title == ("t" if paths else "")
    assert page.refused == "" and bool(page.reading.metadata and page.reading.metadata.words) == bool(paths)


def test_broken_bomb(tmp_path: Path) -> None:
    page = page_of(tmp_path, "gzip", bomb("gzip", 8 << 20)[:-8] + bytes(8))
    assert (page.refused, page.links) == ("bomb", ())
