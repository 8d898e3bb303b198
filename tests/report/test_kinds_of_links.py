"""Links by kind, and the images of pages."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.kinds_of_links import kinds_of_links
from ttcrawl.snapshot.snapshot import view

PAGES = {
    1: [(10, "a"), (10, "a"), (11, "a"), (90, "g"), (91, "g"), (90, "g")],
    2: [(10, "a"), (91, "g"), (92, "g"), (80, "s")],
    3: [(93, "g")],  # no HTML page: an error's
    4: [(12, "M"), (11, "M")],
    5: [(12, "e"), (10, "e")],
    6: [(13, "I"), (9, "R")],
}


def crawl_with(directory: Path, pages: dict[int, list[tuple[int, str]]], keys: str = "") -> Path:
    crawl_of(directory, {})
    rows = []
    for source, links in pages.items():
        targets = keys or json.dumps([key for key, _ in links], separators=(",", ":"))
        rows.append((source, targets, "".join(kind for _, kind in links).encode(), b"c" * len(links)))
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO outlinks VALUES (?, ?, ?, ?, x'', '')", rows)
    return directory


def test_counted_by_hand(tmp_path: Path) -> None:
    with view(crawl_with(tmp_path / "c", PAGES)) as db:
        links = kinds_of_links(db, {1: True, 2: False, 5: True})
    assert links.kinds == {"anchor": 4, "image": 6, "stylesheet": 1, "sitemap": 2, "entry": 2, "index": 1}
    assert links.images_shown == {1: 2, 2: 2}
    assert links.images == {90: True, 91: True, 92: False}


def test_a_damaged_row(tmp_path: Path) -> None:
    with view(crawl_with(tmp_path / "c", {1: PAGES[1]}, "[1,2]")) as db, pytest.raises(ValueError, match="URL 1"):
        kinds_of_links(db, {1: True})
