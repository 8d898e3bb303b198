"""The links of a crawl, counted by the core or by Python: as numpy counts them."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl import core
from ttcrawl.report.few_links import few_occurrences
from ttcrawl.report.links import many_occurrences, occurrences
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.snapshot import view
from ttcrawl.vocabulary.region import REGIONS

LETTERS = [region.letter for region in REGIONS]


def crawl_with(directory: Path, pages: int, rng: random.Random) -> Path:
    """A crawl with links to a hundred URLs, of all kinds and regions."""
    crawl_of(directory, {})
    rows = []
    for number in range(pages):
        count = rng.randrange(30)
        keys = [rng.randrange(-50, 50) for _ in range(count)]
        kinds, regions = ("".join(rng.choices(letters, k=count)) for letters in ("aRi", LETTERS))
        rows.append((number, json.dumps(keys, separators=(",", ":")), kinds.encode(), regions.encode()))
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO outlinks VALUES (?, ?, ?, ?, x'', '')", rows)
    return directory


@pytest.mark.parametrize("pages", [0, 1, 20])
@pytest.mark.parametrize("follow_all", [False, True])
@pytest.mark.usefixtures("reader")
def test_as_numpy_counts_them(tmp_path: Path, pages: int, follow_all: bool) -> None:
    rng = random.Random(pages)
    refused = [(key, rng.random() < 0.5) for key in range(-60, 60, 2)]
    with view(crawl_with(tmp_path / "c", pages, rng)) as db:
        few, many = few_occurrences(db), many_occurrences(db)
    assert few is not None
    assert few.distinct() == many.distinct()
    assert few.refused(refused, follow_all=follow_all) == many.refused(refused, follow_all=follow_all)


def test_there_are_too_many_for_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "native", None)
    with view(crawl_with(tmp_path / "c", 20, random.Random(1))) as db:
        links = sum(len(kinds) for (kinds,) in db.execute("SELECT kinds FROM outlinks"))
        assert few_occurrences(db, links) is not None
        assert few_occurrences(db, links - 1) is None
        monkeypatch.undo()
        assert core.native is None or few_occurrences(db, links - 1) is not None


@pytest.mark.usefixtures("reader")
def test_a_row_with_white_space(tmp_path: Path) -> None:
    crawl_of(tmp_path / "c", {})
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("INSERT INTO outlinks VALUES (1, ' [1, -2 ,1]', ?, ?, x'', '')", (b"aRa", b"ccc"))
    with view(tmp_path / "c") as spaced:
        assert occurrences(spaced).distinct() == (1, 0, 1)


@pytest.mark.parametrize(
    "row",
    [
        *[("[1]", b"aa", b"cc"), ("[1,2]", b"aa", b"c"), ('["x"]', b"a", b"c"), ("[1", b"a", b"c"), ("1", b"a", b"c")],
        *[("[1,]", b"aa", b"cc"), (f"[{2**63}]", b"a", b"c"), (f"[{-(2**63)}]", b"a", b"c"), ("[1.0]", b"a", b"c")],
    ],
)
@pytest.mark.usefixtures("reader")
def test_a_damaged_row(tmp_path: Path, row: tuple[str, bytes, bytes]) -> None:
    crawl_of(tmp_path / "c", {})
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("INSERT INTO outlinks VALUES (1, ?, ?, ?, x'', '')", row)
    with pytest.raises(NotACrawl, match="damaged"), view(tmp_path / "c") as damaged:
        occurrences(damaged)
