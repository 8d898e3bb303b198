"""Pages that are larger than a browser may be, beside one that is not."""

import sys

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web

#: Bytes for the documents; what a page needs besides is far below.
DOCUMENT = 1 << 20

#: Bytes for the browser. Its own processes take about a third of this.
MEMORY = 512 << 20

#: Typed arrays are not part of the heap, whose end would be the end of the process. Loops go on until they are ended.
SCRIPTS = {
    "honest": "document.body.append('text')",
    "document": f"document.body.append('word '.repeat({DOCUMENT // 5}))",
    "memory": f"const all = []; for (let n = 0; ; n++) if (n < {2 * MEMORY >> 24})"
    " all.push(new Uint8Array(1 << 24).fill(1))",
}

WAYS = "SELECT url.url, way, browser_use.reason FROM browser_use JOIN url ON url.id = browser_use.url"


@needs_chromium
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory of processes is read from /proc")
@pytest.mark.slow
def test_a_page_beyond_a_limit_is_read_statically_and_why_is_known(tmp_path):
    links = "".join(f"<a href=/{name}>x</a>" for name in SCRIPTS)
    site = {
        ("a.test", "/"): Answer(body=links.encode()),
        **{
            ("a.test", f"/{name}"): Answer(body=f"<body><script>{text}</script>".encode())
            for name, text in SCRIPTS.items()
        },
    }
    keys = {"use": "regex:/[a-z]+$", "pages": 1, "max_bytes": DOCUMENT, "max_memory": MEMORY, "max_time": 120}
    options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
    with Web(site) as web:
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options, timeout=400)
        paths = [hit.path for hit in web.log()]
    assert crawled.status == 0, crawled.err
    assert set(crawled.states().values()) == {("fetched", "http 200")}  # the answers are there
    ways = {url.rpartition("/")[2]: way for url, *way in crawled.query(WAYS)}
    assert ways["document"] == ["static", "browser failed: size"]
    assert ways["memory"] == ["static", "browser failed: memory"]
    assert ways["honest"] == ["browser", "config.ini"]
    assert {paths.count(f"/{name}") for name in SCRIPTS} == {1}  # a page is tried again without a request
    assert verified(crawled.directory) == ""
