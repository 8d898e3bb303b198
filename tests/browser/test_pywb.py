"""Replay of pages that scripts made, by pywb: it shows what the crawl saw, answers to POST included.

pywb has an environment of its own: `python3 -m venv .venv-pywb; .venv-pywb/bin/pip install pywb 'setuptools<81'`.
"""

import io
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

import ttcrawl
from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web
from ttcrawl.browser.program import program
from ttcrawl.config import Browser

sync_api = pytest.importorskip("playwright.sync_api")

BIN = Path(os.environ.get("PYWB", Path(__file__).parents[2] / ".venv-pywb")) / "bin"
WAYBACK, MANAGER = (shutil.which(name, path=f"{BIN}:{os.environ['PATH']}") for name in ("wayback", "wb-manager"))

#: A pixel differs if one of its colours does by more than this, of 255; and the share of pixels that may differ.
COLOUR, SHARE = 16, 0.001

STYLE = "<meta charset=utf-8><style>body { font: 20px sans-serif } div { background: #39c; height: 200px }</style>"
PICTURE = (
    b"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'><rect width='300' height='200' fill='#c63'/>"
    b"</svg>"
)
TYPES = {"js": "text/javascript", "json": "application/json", "svg": "image/svg+xml", "css": "text/css"}


def of(kind, body):
    return Answer(body=body, headers=(("Content-Type", TYPES[kind]),))


PAGES = {
    "data": f"{STYLE}<title>data</title><h1 id=h></h1><div></div><script src=/show.js></script>",
    "linked": f"{STYLE}<title>linked</title><link rel=stylesheet href=/look.css><p class=a>Ünïcode</p><img src=/i.svg>"
    "<script>document.body.append('by a script')</script>",
    "asked": f"{STYLE}<title>asked</title><h1 id=h></h1><script>const ask = (q) => fetch('/graphql', {{method: 'POST',"
    " headers: {'Content-Type': 'application/json'}, body: JSON.stringify({query: q})}).then(r => r.json());"
    "ask('{ one }').then(d => { h.textContent = d.data; })</script>",
}
SITE = {
    ("a.test", "/"): Answer(body="".join(f"<a href=/page/{name}>x</a>" for name in PAGES).encode()),
    **{("a.test", f"/page/{name}"): Answer(body=html.encode()) for name, html in PAGES.items()},
    ("a.test", "/show.js"): of("js", b"fetch('/h.json').then(r => r.json()).then(d => { h.textContent = d.words })"),
    ("a.test", "/h.json"): of("json", '{"words": "Grüße aus der Datei"}'.encode()),
    ("a.test", "/look.css"): of("css", b".a { color: #c36; font-size: 40px }"),
    ("a.test", "/i.svg"): of("svg", PICTURE),
    ("a.test", "/graphql"): of("json", b'{"data": "the answer to a POST"}'),
}
TEXT = "document.body.innerText"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pixels(png):
    from PIL import Image

    image = Image.open(io.BytesIO(png)).convert("RGB")
    return image.size, image.tobytes()


def difference(first, second):
    """The share of pixels that differ; 1 if the sizes do."""
    (size, one), (other, two) = pixels(first), pixels(second)
    if size != other:
        return 1.0
    far = [abs(a - b) > COLOUR for a, b in zip(one, two, strict=True)] if one != two else []
    return sum(any(far[n : n + 3]) for n in range(0, len(far), 3)) / (size[0] * size[1])


def answers(url):
    for _ in range(300):
        try:
            return urllib.request.urlopen(url, timeout=5).status == 200
        except OSError:
            time.sleep(0.1)
    return False


@needs_chromium
@pytest.mark.slow
@pytest.mark.skipif(not (WAYBACK and MANAGER), reason="pywb is missing: see the head of this file")
def test_pywb_shows_what_the_crawl_saw(tmp_path):
    with Web(SITE) as web:
        options = ("--no-obey-delay", "--set", "browser.use=path:/page/", "--set", "browser.media=yes")
        options += ("--set", "browser.screenshot=yes", "--set", "browser.post=path:/graphql")
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        urls = {name: web.url("a.test", f"/page/{name}") for name in PAGES}
        posts = [hit.path for hit in web.log() if hit.method == "POST"]
    assert crawled.status == 0, crawled.err
    assert posts == ["/graphql"]
    assert verified(crawled.directory) == ""
    with ttcrawl.open(crawled.directory) as site:
        screenshots = {name: site.screenshot(url) for name, url in urls.items()}
    archive, port = tmp_path / "replay", free_port()
    (archive / "templates").mkdir(parents=True)
    for name in ("banner.html", "custom_banner.html"):
        (archive / "templates" / name).touch()  # a page without a bar of pywb
    (archive / "config.yaml").write_text("framed_replay: false\n")
    for command in (["init", "c"], ["add", "c", *map(str, (crawled.directory / "warc").iterdir())]):
        subprocess.run([MANAGER, *command], cwd=archive, check=True, capture_output=True)
    server = subprocess.Popen(
        [WAYBACK, "-b", "127.0.0.1", "-p", str(port)],
        cwd=archive,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert answers(f"http://127.0.0.1:{port}/c/")
        replayed = shown(f"http://127.0.0.1:{port}/c", urls)
    finally:
        server.kill()
        server.wait()
    for name, (words, picture) in replayed.items():
        assert words == EXPECTED[name]
        assert difference(screenshots[name], picture) <= SHARE, name


EXPECTED = {
    "data": "Grüße aus der Datei",
    "linked": "Ünïcode\n\nby a script",
    "asked": "the answer to a POST",
}


def shown(prefix, urls):
    """Name -> (the text, a screenshot) of each page as it is replayed."""
    found = {}
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program(Browser(use="yes")), chromium_sandbox=False)
        for name, url in urls.items():
            page = chromium.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"{prefix}/{url}", wait_until="networkidle")
            found[name] = page.evaluate(TEXT).strip(), page.screenshot(full_page=True)
            page.close()
        chromium.close()
    return found
