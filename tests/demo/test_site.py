"""The demo site keeps its numbers: counted by html5lib and by a regular expression of our own, never by ttcrawl."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from html import unescape
from random import Random
from typing import Any

import ada_url
import html5lib
import pytest

from tests.support.cases import some_fast
from ttcrawl.demo.plan import deal, plan
from ttcrawl.demo.site import Site, generate
from ttcrawl.demo.truth import BETA, HTML, REGEX, K

BASE = "http://campus.test:8080"
Link = tuple[bool, str]  # stands in content, href as written
Reader = Callable[[bytes], Iterator[Link]]

site = lru_cache(generate)


def by_html5lib(page: bytes) -> Iterator[Link]:
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    tree = parser.parse(page, transport_encoding="utf-8")
    assert parser.errors == []
    yield from _walk(tree)


def _walk(tree: Any) -> Iterator[Link]:
    content = False
    for node in tree.iter():
        if callable(node.tag):
            mark = node.text.strip()
            assert mark in ("CONTENT", "/CONTENT") or "CONTENT" not in mark
            if mark in ("CONTENT", "/CONTENT"):
                assert content == (mark == "/CONTENT"), "regions do not nest"
                content = mark == "CONTENT"
        elif node.tag in ("a", "area", "iframe", "frame"):
            yield content, node.attrib["href" if node.tag in ("a", "area") else "src"]
    assert not content, "the last region is closed"


PATTERN = re.compile(
    r"<!-- (?P<mark>/?CONTENT) -->"
    r"|<(?:a|area|frame|iframe)\b[^>]*?\b(?:href|src)=(?:\"(?P<two>[^\"]*)\"|'(?P<one>[^']*)')"
)


def by_pattern(page: bytes) -> Iterator[Link]:
    content = False
    for match in PATTERN.finditer(page.decode()):
        if match["mark"]:
            content = match["mark"] == "CONTENT"
        else:
            yield content, unescape(match["two"] if match["one"] is None else match["one"])


class Crawl:
    """A crawl of the site in priority order, without a crawler."""

    def __init__(self, site: Site, read: Reader) -> None:
        self.content: list[str] = []
        self.elsewhere: list[str] = []
        self.growth: list[int] = []  # distinct URLs known after each crawled page
        self.waited = 0
        self.missing: list[str] = []
        found: set[str] = set()
        queue, crawled = {"/"}, set()
        while queue:
            path = min(queue, key=number)
            queue.remove(path)
            # What is taken is the smallest of all that will ever be crawled: nothing smaller is met later.
            assert not crawled or number(path) > max(map(number, crawled))
            crawled.add(path)
            if path in site.pages:
                for content, href in read(site.pages[path]):
                    assert "#" not in href
                    url = ada_url.join_url(BASE + path, href)
                    assert url.startswith(("http://", "https://"))
                    (self.content if content else self.elsewhere).append(url)
                    found.add(url)
                    target = url.removeprefix(BASE)
                    if content and target not in crawled and not target.startswith("/private/"):
                        queue.add(target)
            else:
                self.missing.append(path)
            self.growth.append(len(found))
        self.crawled = crawled

    def column(self) -> dict[str, int]:
        blocked = [url for url in self.content if url.startswith(BASE + "/private/")]
        return {
            "crawled": len(self.crawled),
            "not_found": len(self.missing),
            "found": len(self.content) + len(self.elsewhere),
            "content": len(self.content),
            "content_distinct": len(set(self.content)),
            "elsewhere": len(self.elsewhere),
            "elsewhere_distinct": len(set(self.elsewhere)),
            "blocked": len(blocked),
            "blocked_distinct": len(set(blocked)),
            "parse_errors": 0,
            "saturation": self.growth.index(self.growth[-1]) + 1,
        }


def number(path: str) -> int:
    return int(re.sub(r"\D", "", path) or 0)


@lru_cache
def crawl(seed: int, read: Reader) -> Crawl:
    return Crawl(site(seed), read)


@pytest.mark.slow
def test_an_html_parser_finds_the_published_numbers() -> None:
    assert crawl(811, by_html5lib).column() == asdict(HTML)


MORE = [pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 20_260_101)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [811, 1, *MORE])
def test_a_regular_expression_finds_the_published_numbers(seed: int) -> None:
    assert crawl(seed, by_pattern).column() == asdict(REGEX)


def visible(page: bytes) -> Iterator[Link]:
    """The regular expression without comments and scripts, which is quicker than html5lib."""
    return by_pattern(re.sub(rb"(?s)<!-- moved.*?-->|<script>.*?</script>", b"", page))


@pytest.mark.parametrize("every", [200, pytest.param(1, marks=pytest.mark.slow)])
def test_an_html_parser_sees_what_is_visible(every: int) -> None:
    for page in list(site(811).pages.values())[::every]:
        assert list(by_html5lib(page)) == list(visible(page))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [811, 1, *MORE])
def test_every_seed_has_the_same_numbers(seed: int) -> None:
    assert crawl(seed, visible).column() == asdict(HTML)
    assert seed == 811 or site(seed).pages["/"] != site(811).pages["/"]


@pytest.mark.slow
@pytest.mark.parametrize("read", [visible, by_pattern])
def test_the_two_kinds_share_no_url(read: Reader) -> None:
    seen = crawl(811, read)
    assert set(seen.content).isdisjoint(seen.elsewhere)
    assert BASE + "/" in seen.elsewhere


def test_what_the_site_says_of_itself() -> None:
    seen = crawl(811, visible)
    assert sorted(seen.missing) == sorted(site(811).missing)
    blocked = {url.removeprefix(BASE) for url in seen.content if "/private/" in url}
    assert blocked == set(site(811).forbidden)


@pytest.mark.parametrize("read", some_fast([visible, by_pattern], visible))
def test_growth_is_concave(read: Reader) -> None:
    growth = crawl(811, read).growth[: HTML.saturation]
    half = next(i for i, known in enumerate(growth) if known >= growth[-1] / 2) + 1
    assert half < 0.4 * HTML.saturation
    quarters = [growth[HTML.saturation * i // 4 - 1] for i in (1, 2, 3, 4)]
    steps = [after - before for before, after in zip([0, *quarters], quarters, strict=False)]
    assert steps == sorted(steps, reverse=True)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes() -> None:
    assert generate(811) == generate(811)


def test_pages_are_of_the_size_of_pages() -> None:
    sizes = [len(page) for page in site(811).pages.values()]
    assert min(sizes) > 4_500
    assert max(sizes) < 32_000


def test_equal_urls_are_spelled_in_several_ways() -> None:
    pages = b"".join(site(811).pages.values())
    for part in (
        b'"page-',
        b'"./page-',
        b'"../page-',
        b".EXAMPLE/",
        b".example:80/",
        b"HTTP",
        b"%C3%BC",
        b"/sheet 1",
    ):
        assert part in pages
    assert re.search(rb'href="[^"]*[\x80-\xff]', pages)
    assert re.search(rb"<area [^>]*/page-\d+\.html", site(811).pages["/"])
    assert b"<iframe" in pages
    assert sum(page.count(b"<!-- CONTENT -->") == 2 for page in site(811).pages.values()) > 100


@pytest.mark.parametrize(
    ("delay", "line"),
    [(1, "Crawl-delay: 1"), (1.0, "Crawl-delay: 1"), (0.05, "Crawl-delay: 0.05"), (0, "Crawl-delay: 0")],
)
def test_robots(delay: float, line: str) -> None:
    assert site(811).robots(delay).splitlines() == ["User-agent: *", "Disallow: /private/", line]


def test_shares_add_up() -> None:
    assert deal(10, [1, 2, 0, 1]) == [2, 6, 0, 2]
    assert deal(7, [0, 5, 1], least=1) == [0, 5, 2]
    assert sum(deal(1_000, [0.1 * i for i in range(77)], least=3)) == 1_000


def test_content_is_discovered_along_the_published_law():
    """By pages; then there is too little left to follow it, and after the saturation page nothing."""
    seen, known = set(), [0]
    for each in plan(Random("811 plan")).pages:
        seen.update(each.content)
        known.append(len(seen))
    law = [K * n**BETA for n in range(len(known))]
    assert 90 <= known[1] <= 110
    assert all(abs(known[n] - law[n]) <= 0.1 * law[n] for n in range(1, 201))
    assert all(known[n] < law[n] for n in range(300, len(known)))
    assert known[HTML.saturation] == known[-1] == HTML.content_distinct
