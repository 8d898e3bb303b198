"""Crawl directories made without crawling: from a few named pages and links, or a generated web of any size."""

from __future__ import annotations

import json
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from ttcrawl.store.schema import TABLES, VERSION
from ttcrawl.web.url import host, key, registrable_domain

BATCH = 20_000  # pages
NOW = 1_700_000_000.0


def new_db(directory: Path) -> sqlite3.Connection:
    """An empty crawl.db in a directory that is made, open for writing."""
    directory.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(directory / "crawl.db")
    db.executescript(f"BEGIN;{TABLES};COMMIT")  # one commit: thirty wait for the disk
    db.execute("INSERT INTO crawl (name, value) VALUES ('schema_version', ?)", (str(VERSION),))
    return db


def crawl_of(
    directory: Path,
    links: Mapping[str, Sequence[str | tuple[str, str]]],
    titles: Mapping[str, str] | None = None,
    states: Mapping[str, str] | None = None,
    landmarks: Mapping[str, str] | None = None,
) -> Path:
    """A crawl in which each page (URL) has these links, in order: a URL, or (URL, letter of its kind; a otherwise).

    A page that is a key was fetched, unless `states` says otherwise; other targets are queued. A URL whose state is
    "unmet" has no row. Depth is the length of the shortest way from the first page. `landmarks` of a page: a letter
    for each of its links.
    """
    states, titles, landmarks = states or {}, titles or {}, landmarks or {}
    pairs = {page: [(each, "a") if isinstance(each, str) else each for each in links[page]] for page in links}
    urls = list(dict.fromkeys([*pairs, *(target for found in pairs.values() for target, _ in found)]))
    urls = [url for url in urls if states.get(url) != "unmet"]
    ids = {url: place for place, url in enumerate(urls, 1)}
    depth = _depths({page: [target for target, _ in found] for page, found in pairs.items()})
    hosts = {name: place for place, name in enumerate(dict.fromkeys(map(host, urls)), 1)}
    with closing(new_db(directory)) as db, db:
        add_site, add_url, add_page, add_links = _statements(db)
        db.executemany(add_site, [(place, name, registrable_domain(name)) for name, place in hosts.items()])
        for url, place in ids.items():
            state = states.get(url, "fetched" if url in pairs else "queued")
            db.execute(add_url, (place, key(url), url, hosts[host(url)], state, depth.get(url)))
            if state == "fetched":
                found = len(pairs.get(url, []))
                db.execute(add_page, (place, titles.get(url, ""), found, found))
        for page, links_of in pairs.items():
            if links_of:
                kinds = "".join(kind for _, kind in links_of).encode()
                packed = json.dumps([key(target) for target, _ in links_of])
                letters = landmarks.get(page, "").encode()
                db.execute(add_links, (ids[page], packed, kinds, b"c" * len(links_of), letters))
    return directory


def generated(directory: Path, *, urls: int, links: int, pages: int, hosts: int, texts: int = 0, seed: int = 1) -> Path:
    """A web like others: host sizes and in-links follow power laws, three of four links stay on their host.

    `urls` URLs of which the first `pages` were fetched, with `links` link occurrences in all. With `texts` so many of
    the pages have a text, and all have what else a crawl keeps: a digest, an exchange, samples of the growth.
    """
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, hosts + 1)
    on = np.sort(rng.choice(hosts, size=urls, p=weights / weights.sum()))
    rng.shuffle(on)
    by_host = np.argsort(on, kind="stable")
    starts = np.searchsorted(on[by_host], np.arange(hosts + 1))
    per_page = rng.multinomial(links, rng.dirichlet(np.full(pages, 1.5)))
    sites = [f"www.site-{number}.example" for number in range(hosts)]
    names = [f"http://{sites[at]}/section-{place % 97}/document-{place}.html" for place, at in enumerate(on.tolist())]
    keys = list(map(key, names))
    with closing(new_db(directory)) as db, db:
        (directory / "config.ini").touch()  # all keys have their defaults
        add_site, add_url, add_page, add_links = _statements(db)
        db.executemany(add_site, [(place, name, name) for place, name in enumerate(sites, 1)])
        depth = np.minimum(np.log2(np.arange(1, urls + 1)).astype(int) // 2, 9).tolist()
        db.executemany(
            add_url,
            (
                (place + 1, keys[place], names[place], at + 1, "fetched" if place < pages else "queued", depth[place])
                for place, at in enumerate(on.tolist())
            ),
        )
        titles = (f"Document {place} of {sites[on[place]]}" for place in range(pages))
        found = per_page.tolist()
        db.executemany(add_page, ((place + 1, title, found[place], found[place]) for place, title in enumerate(titles)))
        db.executemany(add_links, _generated_links(rng, on, by_host, starts, per_page, keys))
        if texts:
            _visits(db, names[:pages], on.tolist())
            _growth(db, urls, links, pages)
            _texts(db, rng, texts)
    return directory


def _generated_links(
    rng: np.random.Generator,
    on: np.ndarray,
    by_host: np.ndarray,
    starts: np.ndarray,
    per_page: np.ndarray,
    keys: Sequence[int],
) -> Iterator[tuple[int, str, bytes, bytes, bytes]]:
    every = np.array(keys)
    for first in range(0, len(per_page), BATCH):
        counts = per_page[first : first + BATCH]
        source = np.repeat(np.arange(first, first + len(counts)), counts)
        skewed = rng.random(len(source)) ** 3  # the first URLs of a host, and of all, get most of the links
        at = on[source]
        inside = by_host[starts[at] + (skewed * (starts[at + 1] - starts[at])).astype(int)]
        target = np.where(rng.random(len(source)) < 0.75, inside, (skewed * len(on)).astype(int))
        for number, targets in enumerate(np.split(every[target], np.cumsum(counts)[:-1])):
            if len(targets):
                packed = "[" + ",".join(map(str, targets.tolist())) + "]"
                yield first + number + 1, packed, b"a" * len(targets), b"c" * len(targets), b""


def _visits(db: sqlite3.Connection, urls: Sequence[str], on: Sequence[int]) -> None:
    """An exchange a page, a tenth of a second apart, and a body that every twentieth page has too."""
    add = insert(db, "visit", "site", "url", "started", "ended", kind="page", status=200, requests=1, delay=0.05)
    moments = (NOW + place / 10 for place in range(len(urls)))
    db.executemany(add, ((at + 1, url, now, now + 0.08) for url, at, now in zip(urls, on, moments, strict=False)))
    digest = "CAST(printf('%016d', url % (? * 19 / 20)) AS BLOB)"
    db.execute(f"UPDATE page SET time = ? + url / 10.0, digest = {digest}", (NOW, len(urls)))


def _growth(db: sqlite3.Connection, urls: int, links: int, pages: int) -> None:
    """URLs follow Heaps' law."""
    add = insert(db, "growth", "pages", "seconds", "links", "distinct_urls", "in_scope")
    places = np.unique(np.geomspace(1, pages, 3000).astype(int)).tolist()
    distinct = [max(n, int(urls * (n / pages) ** 0.8)) for n in places]
    rows = ((n, n / 10, n * links // pages, known, known // 2) for n, known in zip(places, distinct, strict=True))
    db.executemany(add, rows)


def _texts(db: sqlite3.Connection, rng: np.random.Generator, texts: int) -> None:
    """Texts of 300 words each, which follow Zipf's law."""
    add_text = insert(db, "text", "url", "size", "text")
    add_record = insert(db, "metadata", "url", "language", words=300, headings="[]", open_graph="{}")
    for first in range(0, texts, BATCH):
        many = min(BATCH, texts - first)
        for place, words in enumerate(rng.zipf(1.3, size=(many, 300)).tolist(), first + 1):
            text = " ".join([f"wo{word % 10**9:x}" for word in words]).encode()
            db.execute(add_text, (place, len(text), zlib.compress(text, 1)))
            db.execute(add_record, (place, ("en", "de", "")[place % 3]))


def _depths(links: Mapping[str, Sequence[str]]) -> dict[str, int]:
    layer, depth = list(links)[:1], dict.fromkeys(list(links)[:1], 0)
    while layer:
        found = [(target, depth[page] + 1) for page in layer for target in links.get(page, ())]
        layer = [target for target, _ in found if target not in depth]
        depth |= {target: far for target, far in found if target not in depth}
    return depth


def insert(db: sqlite3.Connection, table: str, *columns: str, **others: object) -> str:
    """A statement for executemany: rows of `columns`, the same value in each of `others`.

    Every other column that needs a value is empty: '' or 0.
    """
    constant = {name: repr(value) for name, value in others.items()}
    for _, name, kind, needed, default, is_key in db.execute(f"PRAGMA table_info({table})"):
        if needed and default is None and not is_key and name not in columns:
            constant.setdefault(name, {"TEXT": "''", "BLOB": "x''"}.get(kind, "0"))
    values = ", ".join([*("?" for _ in columns), *constant.values()])
    return f"INSERT INTO {table} ({', '.join([*columns, *constant])}) VALUES ({values})"


def _statements(db: sqlite3.Connection) -> tuple[str, str, str, str]:
    """For tables site, url, page, outlinks."""
    page = {"time": NOW, "status": 200, "type": "text/html", "charset": "utf-8", "length": 1000, "parser": "lexbor"}
    return (
        insert(db, "site", "id", "host", "domain"),
        insert(db, "url", "id", "key", "url", "site", "state", "depth", discovered=NOW),
        insert(db, "page", "url", "title", "links", "content_links", **page),
        insert(db, "outlinks", "source", "targets", "kinds", "regions", "landmarks"),
    )


if __name__ == "__main__":  # python -m tests.support.crawls.crawl_db DIR URLS LINKS PAGES HOSTS [TEXTS]
    _where, *_sizes = sys.argv[1:]
    _names = ("urls", "links", "pages", "hosts", "texts")
    generated(Path(_where), **dict(zip(_names, map(int, _sizes), strict=False)))
