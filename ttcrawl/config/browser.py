"""The keys of section [browser]."""

from __future__ import annotations

from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.frozen import frozen


@frozen
class Browser:
    """Pages that are made by scripts, through Chromium (docs/browser.md)."""

    use: str = key(
        "no",
        "pages whose scripts run in a browser: no, yes (all), auto (those that need it, as samples show), or patterns"
        " of URLs as in [scope], separated by white space, such as https://a.example/app/* host:b.example; needs"
        " pip install 'ttcrawl[browser]' and Chromium",
    )
    program: str = key("", "path of Chromium or Chrome; empty: the first one in PATH")
    sandbox: str = key(
        "auto",
        "sandbox of the browser: auto (yes, but not for root, who cannot have one), yes, no; see docs/browser.md",
        choices=("auto", "yes", "no"),
    )
    pages: int = key(2, "pages that each fetch process renders at once, each in a browser of its own", low=1, high=100)
    resources: str = key(
        "site",
        "hosts that the scripts and data of a page are requested from: host (its own), site (of its registrable"
        " domain), all",
        choices=("host", "site", "all"),
    )
    robots: bool = key(
        True, "yes: request no script, style sheet and data that the robots.txt of its host forbids (pages never)"
    )
    post: str = key(
        "",
        "patterns of URLs, as in [scope], to which the scripts of pages may send a POST because it reads, such as"
        " https://a.example/graphql; empty: none",
    )
    media: bool = key(False, "yes: request images, fonts, audio and video too")
    screenshot: bool = key(False, "yes: keep a picture of each page in the archive (PNG, at most 10,000 pixels high)")
    pdf: bool = key(False, "yes: keep each page as PDF in the archive")
    scrolls: int = key(
        3, "maximum number of times that a page is scrolled to its end, for lazy content", low=0, high=1000
    )
    clicks: int = key(
        0,
        "maximum states of a page that clicks and a pointer bring, on what looks like a button or a menu: see"
        " docs/browser.md",
        low=0,
        high=1000,
    )
    steps: Lines = key(
        NO_LINES,
        "what is done with pages before they are read, one step per line: PATTERN VERB ARGUMENT, such as"
        " https://a.example/app/* click #all; see docs/browser.md",
    )
    wait: float = key(
        3.0,
        "seconds after a page has loaded within which its timers are awaited; then, or before, 0.5 s without a request"
        " end it, after as long again at most",
        low=0,
    )
    max_time: float = key(30.0, "maximum seconds for a page in the browser", low=1, high=3600)
    max_requests: int = key(100, "maximum requests for the scripts and data of a page", low=0)
    max_bytes: int = key(
        20 << 20, "maximum bytes of a page's scripts, data and document after scripts, together", low=1024, size=True
    )
    cache: int = key(
        64 << 20,
        "maximum bytes of scripts, style sheets and other fresh answers that a fetch process keeps for its next pages",
        low=0,
        size=True,
    )
    max_memory: int = key(
        1 << 30, "maximum memory of the browser for a page, in bytes (Linux only)", low=64 << 20, size=True
    )

    @property
    def on(self) -> bool:
        """Whether some pages go through a browser."""
        return self.use != "no"

    @property
    def auto(self) -> bool:
        """Whether the crawl learns which pages go through a browser."""
        return self.use == "auto"


def check(browser: Browser, *, reading: str) -> None:
    """`reading`: of section [record]. Raises ValueError."""
    if browser.on and reading != "now":
        raise ValueError("a page made by scripts is read at once: set [record] reading = now")
