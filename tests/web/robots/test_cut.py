"""A robots.txt that is too long, over the wire: no half a line of it counts, however it was cut and coded."""

import gzip
import hashlib

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl.web.robots import MAX_BYTES

KEPT = 64 * 1024
HEAD = b"User-agent: *\nDisallow: /no\nDisallow: /public\n"
LAST = b"Allow: /public/open\n"


def filled(size):
    """Lines that are comments of `size` bytes in all, and hardly become shorter when packed."""
    lines = b"\n".join(b"#" + hashlib.sha256(b"%d" % number).hexdigest().encode() for number in range(size // 66 + 1))
    return lines[: size - 1] + b"\n"


def ends_within(limit):
    """The limit falls into the last line, behind `Allow: /public`."""
    return HEAD + filled(limit - len(HEAD) - len(b"Allow: /public")) + LAST + filled(200_000)


@pytest.mark.parametrize("coding", ["", "gzip"])
@pytest.mark.parametrize("limit", [KEPT, MAX_BYTES])
def test_half_a_line_is_none(tmp_path, coding, limit):
    text = ends_within(limit)
    body, headers = (gzip.compress(text), (("Content-Encoding", "gzip"),)) if coding else (text, ())
    pages = {("a.test", "/robots.txt"): Answer(body=body, headers=headers), ("a.test", "/public/x"): Answer()}
    pages |= {("a.test", "/"): Answer(body=page("/no", "/public/x", "/yes")), ("a.test", "/yes"): Answer()}
    with Web(pages) as web:
        sets = ("--set", "politeness.delay=0.05", "--set", f"fetch.max_body={KEPT if limit == KEPT else 1 << 20}")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *sets)
        states = {url.rpartition(str(web.port))[2]: state for url, state in done.states().items()}
    ((stored,),) = done.query("SELECT robots FROM site")
    assert states["/no"] == states["/public/x"] == ("refused", "robots.txt")
    assert stored.startswith(HEAD.decode()) and text.decode().startswith(stored) and stored.endswith("\n")
    assert len(HEAD) < len(stored) < (MAX_BYTES if coding else limit)
