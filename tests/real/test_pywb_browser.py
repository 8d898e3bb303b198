"""pywb replays a page that scripts made: it looks like the screenshot of the crawl, and has the same text."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

from tests.browser.chromium import needs_chromium
from tests.real.installed import program
from tests.real.pywb import PYWB, replayed
from tests.support.crawls.crawling import Crawled, crawl
from tests.support.web.site import Answer, Web
from ttcrawl import open as open_crawl
from ttcrawl.browser.program import program as browser_program
from ttcrawl.config import Browser

pytestmark = [needs_chromium, pytest.mark.slow, pytest.mark.timeout(300)]

#: Letters may be smoothed differently: a pixel differs if a colour does by this share of its range, and pictures are
#: alike if at most this share of their pixels differ.
COLOUR, PIXELS = 0.1, 0.005

SCRIPT = ("Content-Type", "text/javascript")
MADE = """
    const put = (html) => document.getElementById('app').insertAdjacentHTML('beforeend', html);
    put('<h1>Made by a script</h1>');
    fetch('/data.json').then(r => r.json()).then(rows => {
      put('<ul>' + rows.map(row => `<li style="background: ${row.colour}">${row.name}</li>`).join('') + '</ul>');
      put('<img src="/image.png" width=200 height=100>');
    });
"""
STYLE = b"body { margin: 0; font-family: sans-serif } li { height: 40px; width: 600px } h1 { background: #cde }"
ROWS = b'[{"name": "one", "colour": "#fa0"}, {"name": "two", "colour": "#0af"}, {"name": "three", "colour": "#a0f"}]'


def png(width: int, height: int, colour: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + colour * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


SITE = {
    ("a.test", "/"): Answer(
        body=b"<!DOCTYPE html><title>t</title><link rel=stylesheet href=/style.css><div id=app></div>"
        b"<script src=/main.js></script>"
    ),
    ("a.test", "/main.js"): Answer(body=MADE.encode(), headers=(SCRIPT,)),
    ("a.test", "/style.css"): Answer(body=STYLE, headers=(("Content-Type", "text/css"),)),
    ("a.test", "/data.json"): Answer(body=ROWS, headers=(("Content-Type", "application/json"),)),
    ("a.test", "/image.png"): Answer(body=png(20, 10, b"\x20\x80\x20"), headers=(("Content-Type", "image/png"),)),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawled, str]:
    """The crawl, and the URL of the page."""
    program("wayback", PYWB)
    with Web(SITE) as web:
        keys = {"use": "yes", "screenshot": "yes", "media": "yes", "max_time": 200}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("shown") / "c", "--no-obey-delay", *options)
        assert done.status == 0, done.err
        return done, web.url("a.test", "/")


@pytest.fixture
def window() -> Iterator[Any]:
    """A page of a browser like that of a crawl."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=browser_program(Browser(use="yes")), chromium_sandbox=False)
        yield browser.new_page()
        browser.close()


def unlike(one: bytes, other: bytes) -> float:
    """The share of pixels that differ; 1 if the sizes do."""
    from matplotlib import image  # half a second, which all others that collect need not wait

    first, second = (image.imread(io.BytesIO(each))[..., :3] for each in (one, other))
    if first.shape != second.shape:
        return 1.0
    return float(numpy.mean((abs(first - second) > COLOUR).any(axis=-1)))


def test_the_replay_looks_like_the_screenshot(crawled: tuple[Crawled, str], tmp_path: Path, window: Any) -> None:
    done, url = crawled
    with open_crawl(done.directory) as opened:
        screenshot, text = opened.screenshot(url), opened.text(url)
    hosts, failed = set[str](), list[str]()
    window.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    window.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    with replayed(tmp_path, *sorted((done.directory / "warc").iterdir())) as replay:
        window.set_viewport_size({"width": 1280, "height": 1200})  # the replay is a frame below a banner
        window.goto(f"{replay}{url}", wait_until="networkidle")
        frame = window.locator("iframe#replay_iframe")
        words = frame.content_frame.locator("body").inner_text()
        shown = window.screenshot(clip=frame.bounding_box() | {"width": 1280, "height": 720})
    assert hosts == {replay.split("/")[2]}, "the page loads something from the web"
    assert [each for each in failed if "favicon" not in each] == []
    assert words.split() == text.split()
    assert unlike(screenshot, shown) <= PIXELS
    # the comparison sees what scripts, data and style sheets bring
    window.set_viewport_size({"width": 1280, "height": 720})
    window.set_content("<h1>Made by a script</h1>")
    assert unlike(screenshot, window.screenshot()) > 10 * PIXELS
