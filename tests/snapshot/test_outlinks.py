"""The packed out-links as arrays, against what Python reads of each row."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.outlinks import Outlinks, distinct, outlinks
from ttcrawl.snapshot.snapshot import view

KEYS = st.integers(-(2**63) + 1, 2**63 - 1)
PAGES = st.lists(st.lists(KEYS, max_size=9) | st.just([2**63 - 1]), max_size=9)


def crawl_with(directory: Path, rows: Sequence[tuple[object, ...]]) -> Path:
    """A crawl with these rows of (targets, kinds, regions)."""
    crawl_of(directory, {})
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO outlinks VALUES (?, ?, ?, ?, x'', '')", [(n, *row) for n, row in enumerate(rows)])
    return directory


def batches(directory: Path, batch: int = 1000) -> list[Outlinks]:
    with view(directory) as db:
        return list(outlinks(db, batch))


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(pages=PAGES, size=st.integers(1, 20))
def test_every_link_of_every_page(tmp_path_factory: pytest.TempPathFactory, pages: list[list[int]], size: int) -> None:
    letters = [bytes(97 + n % 26 for n in range(len(keys))) for keys in pages]
    rows = [
        (json.dumps(keys, separators=(",", ":")), kinds, kinds.upper())
        for keys, kinds in zip(pages, letters, strict=True)
    ]
    found = [
        link
        for each in batches(crawl_with(tmp_path_factory.mktemp("crawl"), rows), size)
        for link in zip(each.sources[each.pages].tolist(), each.targets.tolist(), each.kinds, each.regions, strict=True)
    ]
    assert found == [
        (page, key, kind, kind - 32)
        for page, keys in enumerate(pages)
        for key, kind in zip(keys, letters[page], strict=True)
    ]


def test_spaces_change_nothing(tmp_path: Path) -> None:
    (batch,) = batches(crawl_with(tmp_path, [("[1, 2]", b"aa", b"cc"), ("[ 3 ]", b"a", b"c"), ("[]", b"", b"")]))
    assert batch.targets.tolist() == [1, 2, 3] and batch.pages.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "targets",
    [
        *('[1, 2', '[1,2', '1,2]', '[1,2,3]', '[1]', '["a",1.5]', '[1,"2"]', '[1,2.0]', '[1,1e3]', '[1,,2]', "[1,]"),
        *("[99999999999999999999,1]", "[-99999999999999999999,1]", "[1 2,]", "[[1],2]", "[true,1]", "{1,2}", "7", ""),
        *("[]", "[1,\x002]", "[null,1]"),
    ],
)  # fmt: skip
def test_damaged_rows(tmp_path: Path, targets: str) -> None:
    rows = [("[4,5]", b"aa", b"cc"), (targets, b"aa", b"cc"), ("[6]", b"a", b"c")]
    crawl = crawl_with(tmp_path, rows)
    with pytest.raises(NotACrawl, match="is damaged"):
        batches(crawl)


def test_rows_whose_columns_differ_in_length(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl, match="is damaged"):
        batches(crawl_with(tmp_path, [("[1,2]", b"aa", b"c")]))


@given(st.lists(KEYS))
def test_distinct(values: list[int]) -> None:
    assert distinct(np.array(values, dtype=np.int64)).tolist() == sorted(set(values))
