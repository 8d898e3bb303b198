"""The section about duplicate pages, over rows that are known."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pytest import approx

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.config import Duplicates
from ttcrawl.report.forms import render
from ttcrawl.report.laws.lsh import Bands
from ttcrawl.report.study import study

USUAL = Duplicates()

A, B = "http://a.test/", "http://b.test/"
PAGES = [A, *(f"{A}{n}" for n in range(2, 8)), B, f"{B}x"]  # ids from 1
ROWS = [
    *((2, 1, "bytes", None, 1.0), (3, 1, "text", None, 1.0), (4, None, "near", 1, 0.92), (5, 4, "bytes", None, 1.0)),
    *((9, None, "near", 8, 0.98),),
]
CONFIG = Path(__file__).parents[3] / "config.ini"


@pytest.fixture
def directory(tmp_path):
    made = crawl_of(tmp_path / "crawl", {page: [] for page in PAGES})
    with closing(sqlite3.connect(made / "crawl.db")) as db, db:
        db.executemany("INSERT INTO duplicate VALUES (?, ?, ?, ?, ?)", ROWS)
        db.execute("UPDATE page SET payload = 1, length = 700 WHERE url IN (2, 5)")
        db.execute("UPDATE page SET status = 404 WHERE url = 7")
    shutil.copy(CONFIG, made)
    return made


def test_figures(directory):
    found = study(directory).duplicates
    assert (found.pages, found.marked, found.bytes, found.text, found.near) == (8, 5, 2, 1, 2)
    assert found.similarity == approx(0.95)
    assert (found.similarities[92], found.similarities[98], sum(found.similarities)) == (1, 1, 2)
    assert (found.revisits, found.saved, found.groups) == (2, 1400, 2)
    assert [(each.original, each.bytes, each.text, each.near, each.example) for each in found.largest] == [
        (A, 2, 1, 1, f"{A}4"),
        (B, 0, 0, 1, f"{B}x"),
    ]
    assert [(each.host, each.pages, each.duplicates) for each in found.hosts] == [("a.test", 6, 4), ("b.test", 2, 1)]
    assert found.settings == Bands(permutations=USUAL.permutations, bands=USUAL.bands, verify=USUAL.verify)


@pytest.mark.parametrize(
    "text, expected",
    [
        (None, None),
        ("[duplicates]\nnear = no\n", None),
        ("[duplicates]\nbands = many\n", None),
        ("[duplicates]\nbands = 8\n", Bands(permutations=USUAL.permutations, bands=8, verify=USUAL.verify)),
    ],
    ids=["none", "not looked for", "wrong", "set"],
)
def test_settings(directory, text, expected):
    (directory / "config.ini").unlink()
    if text is not None:
        (directory / "config.ini").write_text(text)
    assert study(directory).duplicates.settings == expected


def test_every_form(directory, tmp_path):
    without = crawl_of(tmp_path / "without", {A: []})
    crawls = [study(directory), study(without)]
    text = render(crawls, ["one", "two"], "text")
    for title in ("Duplicate pages", "Originals with most duplicates", "Hosts with most duplicates"):
        assert title in text
    assert render(crawls, ["one", "two"], "markdown").count(f"| {A} |") == 1
    assert "Originals with most duplicates" not in render(crawls[1:], ["two"], "text")
    told = json.loads(render(crawls[:1], ["one"], "json"))["duplicates"]
    assert told["bytes"] == 2 and told["largest"][0]["original"] == A and told["settings"]["bands"] == USUAL.bands
