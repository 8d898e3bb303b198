"""A hostile crawl in the window, in Chromium: no dialog, nothing runs, no request elsewhere (by the log of a proxy)."""

from urllib.parse import quote, urlsplit

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, query
from tests.support.web import proxies
from tests.support.web.site import Web
from tests.support.window import window
from tests.window.hostile_web import ALL, MARKUP, PAGES, WAYS
from ttcrawl.browser.program import program
from ttcrawl.config import Browser

pytestmark = [pytest.mark.slow, needs_chromium]

WORDS = ["odd", "all", MARKUP, '"<img src=x onerror=alert(1)>"']
#: What Chromium asks of its maker, whatever page it shows: it has no part in the pages here.
OF_CHROMIUM = (".googleapis.com:443", ".google.com:443", ".gvt1.com:443")

FINDINGS = ("", "/check", "/duplicates", "/politeness", "/sites", "/topic", "/graph")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    directory = tmp_path_factory.mktemp("hostile") / "crawl"
    with Web(PAGES) as web:
        seeds = [web.url("a.test", path) for _, path in PAGES]
        done = crawl(web, seeds, directory, "--no-obey-delay", "--inline", "--page-requisites", timeout=300)
    assert done.status == 0, done.err
    return directory


@pytest.fixture(scope="module")
def browser():
    """A browser that asks a proxy for everything, also for what is on this machine; and the proxy."""
    from playwright import sync_api

    with proxies.running("http") as proxy, sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=program(Browser(use="yes")),
            chromium_sandbox=False,
            proxy={"server": f"http://127.0.0.1:{proxy.port}", "bypass": "<-loopback>"},
        )
        yield chromium, proxy
        chromium.close()


class Watched:
    """A tab, and what happens in it that must not."""

    def __init__(self, browser, opened):
        chromium, self._proxy = browser
        self._opened, self.wrong = opened, []
        self.console = []
        self.tab = chromium.new_context().new_page()
        self.tab.on("dialog", self._dialog)
        self.tab.on("console", self._said)
        self.tab.on("popup", lambda other: self.wrong.append(f"popup {other.url}"))
        self.tab.on("download", lambda file: self.wrong.append(f"download {file.url}"))
        self._proxy.log.clear()
        self.tab.goto(opened.address())
        self.tab.wait_for_url(lambda url: "token=" not in url, wait_until="load")  # the page with the cookie leads on

    def _dialog(self, dialog):
        self.wrong.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _said(self, message):
        self.console.append(message.text)
        if message.text.startswith("RAN-"):
            self.wrong.append(message.text)

    def open(self, path, state="networkidle"):
        """The tab, with this address of the window."""
        self.tab.goto(f"{self._opened.origin}{path}", wait_until=state)
        assert urlsplit(self.tab.url).netloc == f"127.0.0.1:{self._opened.port}"
        return self.tab

    def elsewhere(self):
        """What the browser asked of others than the window."""
        own = f"127.0.0.1:{self._opened.port}"
        lines = (line.split() for line in self._proxy.log)
        asked = [line for line in lines if urlsplit(line[1]).netloc != own and line[1] != own]
        return [line for line in asked if not line[1].endswith(OF_CHROMIUM)]

    def check(self, where):
        assert (self.wrong, self.elsewhere()) == ([], []), where


def paths(directory, opened, *, way):
    """Addresses of archived pages: those of one way each, or all others."""
    prefix = f"/crawl/archived/{opened.safety.archived}/1e12/"
    urls = [url for (url,) in query(directory, "SELECT url FROM url")]
    return [prefix + url for url in urls if ("/way/" in url) == way]


def test_all_screens(hostile, browser):
    with window(hostile, control=True) as opened:
        tab = Watched(browser, opened)
        urls = [url for (url,) in query(hostile, "SELECT url FROM url") if "/way/" not in url]
        screens = ["/", "/crawl/urls", *(f"/crawl/findings{each}" for each in FINDINGS)]
        screens += [f"/crawl/search?q={quote(words)}" for words in WORDS]
        screens += [f"/crawl/what-if?rule={quote(rule)}" for rule in (MARKUP, "exclude=*.js", f"exclude=*{MARKUP}")]
        screens += [f"/crawl/urls?text={quote(MARKUP)}", f"/crawl/{quote(MARKUP)}", f"/{quote(MARKUP)}/"]
        screens += [f"/crawl/url?u={quote(url)}" for url in [*urls, MARKUP]]
        home = next(url for url in urls if urlsplit(url).path == "/all")
        panes = ("archived", "text", "source", "document", "screenshot", MARKUP)
        screens += [f"/crawl/url?u={quote(home)}&pane={quote(pane)}" for pane in panes]
        for screen in screens:
            tab.open(screen)
            tab.check(screen)
        tab.open("/crawl/", "load")  # its events do not end
        tab.check("/crawl/")
        assert any("/archived/" in line for line in browser[1].log)  # the frames were loaded
        tab.tab.close()  # it would ask for events again when the window is gone


def test_archived_pages_by_themselves(hostile, browser):
    with window(hostile) as opened:
        tab = Watched(browser, opened)
        for path in paths(hostile, opened, way=False):
            tab.open(path)
            tab.check(path)


def test_each_way_by_itself(hostile, browser):
    """The one that works would be named."""
    with window(hostile) as opened:
        tab = Watched(browser, opened)
        addresses = paths(hostile, opened, way=True)
        assert len(addresses) >= len(WAYS) > 40
        for path in addresses:
            tab.open(path, "load")
            tab.check(path)
        tab.open(path)
        tab.check(path)


def test_links_and_forms_lead_nowhere_else(hostile, browser):
    with window(hostile, control=True) as opened:
        tab = Watched(browser, opened)
        urls = [url for (url,) in query(hostile, "SELECT url FROM url")]
        home = next(url for url in urls if urlsplit(url).path == "/all")
        for name in ("javascript", "entity", "svg", "smil", "away", "download", "submit"):
            page = tab.open(f"/crawl/archived/{opened.safety.archived}/1e12/{home}")
            page.locator(f"#{name}").first.dispatch_event("click")
            page.wait_for_load_state("networkidle")
            tab.check(name)


def test_the_headers_alone_keep_it_too(hostile, browser):
    """The markup as it was, under the headers of archived pages: a second wall behind the rewriting."""
    with window(hostile) as opened:
        tab = Watched(browser, opened)
        archived = f"{opened.origin}/crawl/archived/{opened.safety.archived}/"
        policy = opened.get(f"{archived.removeprefix(opened.origin)}1/x", cookie=None).headers[
            "content-security-policy"
        ]
        headers = {"content-security-policy": policy, "content-type": "text/html", "x-dns-prefetch-control": "off"}
        unguarded = ("refresh", "hints")  # a tab follows a refresh, and a policy knows no hints
        body = "".join(html for name, html in WAYS.items() if not name.startswith(unguarded)) or ALL
        tab.tab.route(f"{archived}raw", lambda route: route.fulfill(status=200, headers=headers, body=body))
        tab.open(f"/crawl/archived/{opened.safety.archived}/raw")
        tab.check("headers")
        assert sum("Content Security Policy" in text for text in tab.console) > 20
