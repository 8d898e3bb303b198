"""The report of a documentation crawl against figures counted from the files that nginx served, and by plain SQL."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import ada_url
import html5lib
import pytest

from benchmarks.docsites import DocSites
from tests.real.crawled import canonical, crawl

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def crawled(sites: DocSites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("report") / "crawl"
    crawl(sites, sites.seeds, directory)
    return directory


@pytest.fixture(scope="module")
def told(crawled: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "ttcrawl", "report", str(crawled), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.fixture(scope="module")
def files(sites: DocSites, walked: dict[str, int]) -> dict[str, Path]:
    """URL -> the file that was its answer."""
    served = {}
    for url, status in canonical(walked).items():
        if status == 200:
            parts = urlsplit(url)
            path = sites.roots[str(parts.hostname)] / unquote(parts.path).lstrip("/")
            served[url] = path / "index.html" if path.is_dir() else path
    return served


def is_html(path: Path) -> bool:
    return path.suffix in (".html", ".htm")


def test_pages_and_bytes(told: dict[str, Any], files: dict[str, Path], walked: dict[str, int]) -> None:
    assert told["pages"] == len(canonical(walked))
    assert told["statuses"] == {str(k): v for k, v in Counter(canonical(walked).values()).items()}
    seeds = told["sites"]["seeds"]
    assert seeds == told["sites"]["all"] and seeds["sites"] == 3
    html = [path for path in files.values() if is_html(path)]
    assert seeds["html"] == len(html) > 2000
    digests = Counter(hashlib.sha256(path.read_bytes()).digest() for path in files.values())
    assert seeds["duplicates"] == len(files) - len(digests) > 0
    types = told["content"]["types"]
    sizes = sorted(path.stat().st_size for path in html)
    assert types["text/html"]["total"] == sum(sizes) and types["text/html"]["largest"] == sizes[-1]
    assert types["text/html"]["median"] == (sizes[(len(sizes) - 1) // 2] + sizes[len(sizes) // 2]) / 2
    assert sum(each["total"] for each in types.values()) == sum(path.stat().st_size for path in files.values())
    hosts = Counter(urlsplit(url).netloc for url in canonical(walked))
    told_hosts = told["course"]["hosts"]
    assert {each["host"]: each["pages"] for each in told_hosts if each["pages"]} == hosts
    assert [each for each in told_hosts if not each["pages"] and not each["refused"]] == [], "a site without a URL"
    errors = sum(status == 404 for status in canonical(walked).values())
    assert sum(each["errors"] for each in told["course"]["tenths"]) == errors


@pytest.mark.long
def test_images(told: dict[str, Any], files: dict[str, Path]) -> None:
    """By html5lib: img with src or srcset, and source in picture."""
    shown, distinct, most = 0, set(), 0
    for url, path in files.items():
        if is_html(path):
            images = images_of(path.read_bytes(), url)
            shown, most = shown + len(images), max(most, len(images))
            distinct |= images
    sites = told["sites"]["all"]
    assert (sites["images_linked"], sites["images_most"]) == (len(distinct), most) and most > 5
    assert sites["images_mean"] == pytest.approx(shown / sites["html"], rel=1e-12)


def images_of(body: bytes, url: str) -> set[str]:
    if b"<img" not in body.lower():
        return set()
    tree = html5lib.parse(body, namespaceHTMLElements=False)
    bases = [each.get("href") for each in tree.iter("base") if each.get("href")]
    base = ada_url.URL(bases[0], url).href if bases else url
    found = [each.get("src") for each in tree.iter("img")]
    sets = [each.get("srcset", "") for part in ("img", "picture") for each in tree.iter(part)]
    sets += [each.get("srcset", "") for picture in tree.iter("picture") for each in picture.iter("source")]
    found += [part.split()[0] for each in sets for part in each.split(",") if part.split()]
    hrefs = {ada_url.URL(each, base).href.split("#")[0] for each in found if each}
    return {each for each in hrefs if each.startswith("http")}


def test_depth(crawled: Path, told: dict[str, Any]) -> None:
    """Breadth first over the links that the view unfolds."""
    with closing(sqlite3.connect(crawled / "crawl.db")) as db:
        keys = dict(db.execute("SELECT key, id FROM url"))
        links: dict[int, set[int]] = {}
        for source, target in db.execute("SELECT source, target FROM link WHERE region IN ('c', 'e')"):
            links.setdefault(source, set()).add(keys[target])
        layer = [url for (url,) in db.execute("SELECT id FROM url WHERE found_on IS NULL")]
        fetched = {url for (url,) in db.execute("SELECT id FROM url WHERE state = 'fetched'")}
    seen, depths = set(layer), []
    while layer:
        depths.append(len(fetched.intersection(layer)))
        layer = list({target for url in layer for target in links.get(url, ())} - seen)
        seen.update(layer)
    assert told["content"]["depths"] == {str(depth): pages for depth, pages in enumerate(depths) if pages}


def test_links(crawled: Path, told: dict[str, Any]) -> None:
    with closing(sqlite3.connect(crawled / "crawl.db")) as db:
        (total, distinct) = db.execute(
            "SELECT count(*), count(DISTINCT target) FROM link WHERE region != 'r' AND kind != 'R'"
        ).fetchone()
        kinds = dict(db.execute("SELECT kind, count(*) FROM link GROUP BY 1"))
        linked = db.execute(
            "SELECT count(*) FROM (SELECT target FROM link WHERE region != 'r' GROUP BY target"
            " HAVING count(DISTINCT source) >= 10)"
        ).fetchone()
    same_page = told["same_page"]["total"]
    assert told["found"]["distinct"] == distinct and told["found"]["total"] - same_page == total
    assert told["content"]["kinds"]["anchor"] == kinds["a"] and told["content"]["kinds"]["image"] == kinds["g"]
    points = told["laws"]["zipf_links"]["points"]
    assert told["laws"]["zipf_links"]["things"] == distinct
    # in-links fall below 10 between the last rank shown that has 10 and the next
    assert max(rank for rank, count in points if count >= 10) <= linked[0]
    assert min(rank for rank, count in points if count < 10) > linked[0]
