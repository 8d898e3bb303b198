"""The main job on real input: three documentation sites, crawled completely by the command a user types.

Nothing here asks the crawler whether it did well: an independent walk says what is there, nginx's log what was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import pytest

from benchmarks.docsites import DocSites
from tests.real.crawled import Crawled, canonical, crawl
from ttcrawl.config import Duplicates

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
SQLITE = "sqlite.docs.test"


def some(urls: Iterable[object]) -> str:
    urls = sorted(map(str, urls))
    return f"{len(urls)}: " + "\n  ".join(["", *urls[:10], *(["..."] if len(urls) > 10 else [])])


def check(crawled: Crawled, expected: dict[str, int], hosts: Iterable[str]) -> None:
    assert not crawled.unfinished, f"still queued, {some(crawled.unfinished)}"
    missing, invented = expected.keys() - crawled.rows.keys(), crawled.rows.keys() - expected.keys()
    assert not missing, f"missing, {some(missing)}"
    assert not invented, f"invented, {some(invented)}"
    differing = [
        f"{url} is {state} with status {status}, nginx says {expected[url]}"
        for url, (state, status) in crawled.rows.items()
        if status != expected[url] or (state == "moved") != (300 <= expected[url] < 400)
    ]
    assert not differing, f"differing, {some(differing)}"

    asked = Counter((request.host, request.uri) for request in crawled.requests)
    for host in hosts:
        assert asked.pop((host, "/robots.txt"), 0) == 1, f"robots.txt of {host} is to be asked for once"
    probes = Counter({each: asked.pop(each) for each in list(asked) if "/ttcrawl-soft-404-" in each[1]})
    answered = Counter(urlsplit(url).hostname for url, status in expected.items() if not 300 <= status < 400)
    large = {host for host, pages in answered.items() if pages > Duplicates().soft_404}
    assert Counter(host for host, _ in probes.elements()) == dict.fromkeys(large, 3), "for soft 404s"
    once = Counter((str(parts.hostname), _uri(parts)) for parts in map(urlsplit, expected))
    assert asked == once, (
        f"asked for more than once or without a row, {some((asked - once).items())}\n"
        f"never asked for, {some((once - asked).items())}"
    )
    assert {request.method for request in crawled.requests} == {"GET"}


def _uri(parts: SplitResult) -> str:
    return parts.path + (f"?{parts.query}" if parts.query else "")


def test_every_page_of_three_sites_exactly_once(sites: DocSites, walked: dict[str, int], tmp_path: Path) -> None:
    expected = canonical(walked)
    broken = [url for url, status in expected.items() if status == 404]
    assert len(expected) > 2500 and len(broken) > 100, "the documentation is not what this test was written for"
    crawled = crawl(sites, sites.seeds, tmp_path / "crawl")
    check(crawled, expected, sites.roots)
    assert {crawled.rows[url][1] for url in broken} == {404}


@pytest.mark.parametrize("options", [("--parser", "html5lib"), ("--inline",)], ids=" ".join)
def test_one_site_in_other_ways(
    sites: DocSites, walked: dict[str, int], tmp_path: Path, options: tuple[str, ...]
) -> None:
    crawled = crawl(sites, [sites.seed(SQLITE)], tmp_path / "crawl", *options)
    check(crawled, canonical(walked, SQLITE), [SQLITE])
