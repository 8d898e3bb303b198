"""Every URL of three documentation sites has a state and a reason, and `why` agrees with a look at the files."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from benchmarks.docsites import DocSites
from tests.real.crawled import crawl
from ttcrawl.inspect.why.as_if import as_if_rules
from ttcrawl.inspect.why.facts import Entry
from ttcrawl.inspect.why.life import life
from ttcrawl.inspect.why.open_crawl import open_crawl
from ttcrawl.inspect.why.replay import decisions
from ttcrawl.inspect.why.summary import summary

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
LOOKED_AT = 10
RULE = "exclude */whatsnew/*"
FORBIDDEN = "/release-"


@pytest.fixture(scope="module")
def crawled(sites: DocSites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("why") / "crawl"
    crawl(sites, sites.seeds, directory, "--exclude", RULE.removeprefix("exclude "))
    return directory


@cache
def linked_names(root: Path) -> frozenset[str]:
    """The last segments of all that <a> and <area> lead to from the HTML files below a folder."""
    texts = (file.read_text("utf-8", "replace") for file in root.rglob("*.html"))
    hrefs = (
        href for text in texts for href in re.findall(r"""(?is)<a(?:rea)?\s[^>]*?href\s*=\s*["']?([^"'>\s]+)""", text)
    )
    return frozenset(unquote(urlsplit(href).path).rpartition("/")[2] for href in hrefs)


def of_the_files(url: str, sites: DocSites) -> tuple[str, str]:
    """State and reason by what lies on the disk, and nothing else."""
    parts = urlsplit(url)
    root = sites.roots.get(str(parts.hostname))
    if root is None or parts.port != sites.port:
        return "refused", "scope: host"
    if "/whatsnew/" in url:
        return "refused", "scope: rule"
    file = root / unquote(parts.path).lstrip("/")
    if file.name not in linked_names(root) and not file.is_dir() and url not in sites.seeds:
        return "refused", "kind"  # a picture that is only shown
    if file.is_dir() and not parts.path.endswith("/"):
        return "moved", "http 301"
    if file.is_dir():
        file = file / "index.html"
        return ("fetched", "http 200") if file.is_file() else ("fetched", "http 403")
    return ("fetched", "http 200") if file.is_file() and not parts.path.endswith("/") else ("fetched", "http 404")


def test_every_url_has_a_state_and_a_reason(sites: DocSites, crawled: Path) -> None:
    command = [sys.executable, "-m", "ttcrawl", "report", str(crawled), "--format", "json"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    with open_crawl(crawled) as crawl_:
        tallies = summary(crawl_)
        rows = crawl_.db.execute("SELECT state, reason FROM url").fetchall()
        again = list(decisions(crawl_, as_if_rules(crawl_, [])))
    assert all(state != "queued" and reason for state, reason in rows) and len(rows) > 5000
    assert sum(each.urls for each in tallies) == report["urls"] == len(rows)
    assert all(each.sentence for each in tallies) and {each.reason for each in tallies} >= {"scope: host", "http 404"}
    for state, name in (("fetched", "pages"), ("moved", "moved")):
        assert sum(each.urls for each in tallies if each.state == state) == report[name]
    assert report["refused"] == {
        reason: sum(each.urls for each in tallies if (each.state, each.reason) == ("refused", reason))
        for reason in report["refused"]
    }
    assert len(again) == len(rows)
    assert [each for each in again if each.after != (each.row.state, each.row.reason)] == []


def test_every_url_has_the_state_and_the_reason_that_the_files_give(sites: DocSites, crawled: Path) -> None:
    with open_crawl(crawled) as crawl_:
        rows = crawl_.db.execute("SELECT url, state, reason FROM url").fetchall()
    told = {url: (state, reason) for url, state, reason in rows}
    assert told == {url: of_the_files(url, sites) for url in told}


def test_ten_urls_picked_at_random(sites: DocSites, crawled: Path) -> None:
    rng = random.Random(2024)
    kinds: set[tuple[str, str]] = set()
    with open_crawl(crawled) as crawl_:
        urls = [url for (url,) in crawl_.db.execute("SELECT url FROM url ORDER BY url")]
        of_kind = {
            kind: [url for url in urls if of_the_files(url, sites) == kind]
            for kind in sorted({of_the_files(url, sites) for url in urls})
        }
        chosen = rng.sample(urls, LOOKED_AT) + [rng.choice(each) for each in of_kind.values()]
        for url in chosen:
            entry = life(crawl_, url).entry
            assert entry is not None and (entry.row.state, entry.row.reason) == of_the_files(url, sites), url
            assert entry.decided.sentence and (
                entry.row.rule.startswith(RULE) if entry.row.reason == "scope: rule" else True
            )
            assert (len(entry.requests) == 1) is (entry.row.state != "refused"), url
            look_where_it_was_met(url, entry, sites)
            kinds.add((entry.row.state, entry.row.reason))
    assert {("fetched", "http 200"), ("fetched", "http 404"), ("refused", "scope: host")} <= kinds


def look_where_it_was_met(url: str, entry: Entry, sites: DocSites) -> None:
    """The last segment of the URL stands in the file of the page on which it was met."""
    if entry.origin.found_on is None:
        assert url in sites.seeds
        return
    page = urlsplit(entry.origin.found_on)
    file = sites.roots[str(page.hostname)] / unquote(page.path).lstrip("/")
    if file.is_dir() and not page.path.endswith("/"):  # a redirect: nothing is written in it
        assert url == entry.origin.found_on + "/"
        return
    text = (file / "index.html" if file.is_dir() else file).read_text("utf-8", "replace")
    parts = urlsplit(url)
    name = parts.path.rstrip("/").rpartition("/")[2] or str(parts.hostname)
    assert name in text or unquote(name) in text, (url, entry.origin.found_on)


def test_as_if_a_rule_had_been_there(sites: DocSites, crawled: Path, tmp_path: Path) -> None:
    rule = f"path:{FORBIDDEN}"
    with open_crawl(crawled) as crawl_:
        rules = as_if_rules(crawl_, [f"exclude={rule}", "exclude=*/c3ref/*"])
        told = {each.row.url: each.after for each in decisions(crawl_, rules)}
    again = tmp_path / "crawl"
    crawl(
        sites,
        sites.seeds,
        again,
        "--exclude",
        RULE.removeprefix("exclude "),
        "--exclude",
        rule,
        "--exclude",
        "*/c3ref/*",
    )
    with open_crawl(again) as crawl_:
        found = {url: (state, reason) for url, state, reason in crawl_.db.execute("SELECT url, state, reason FROM url")}
    assert found == {url: would for url, would in told.items() if would[0] != "never discovered"}
    assert len(found) < len(told)
