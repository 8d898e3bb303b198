"""Groups of marks: tables."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import new_db
from ttcrawl.ring.columns import BYTES, NEAR, TEXT
from ttcrawl.snapshot.unsettled import Copy, copies, groups, roots


def copy(url, of, same=BYTES, similarity=1.0):
    return Copy(url=url, of=of, same=same, similarity=similarity)


@pytest.mark.parametrize(
    "leads, expected",
    [
        ({}, {}),
        ({2: 1, 3: 1}, {2: 1, 3: 1}),
        ({2: 1, 3: 2, 4: 3}, {2: 1, 3: 1, 4: 1}),
        ({4: 3, 3: 2, 2: 1}, {2: 1, 3: 1, 4: 1}),
        ({5: 9, 6: 5, 2: 1}, {5: 9, 6: 9, 2: 1}),
    ],
    ids=str,
)
def test_marks_lead_to_what_has_none(leads, expected):
    assert roots(leads) == expected


@pytest.mark.parametrize("leads", [{1: 1}, {1: 2, 2: 1}, {1: 2, 2: 3, 3: 1, 4: 1}], ids=str)
def test_a_circle_ends(leads):
    assert roots(leads).keys() == leads.keys()


def test_a_long_way():
    many = 20_000
    assert set(roots({n + 1: n for n in range(many)}).values()) == {0}
    assert set(roots({n + 1: n for n in reversed(range(many))}).values()) == {0}


def test_groups_largest_first_and_exact_copies_first():
    found = groups([copy(3, 1, NEAR, 0.91), copy(4, 3), copy(5, 1, NEAR, 0.97), copy(6, 1, TEXT), copy(8, 7)])
    assert [(group.original, [each.url for each in group.copies]) for group in found] == [(1, [4, 6, 5, 3]), (7, [8])]
    assert [found[0].count(same) for same in (BYTES, TEXT, NEAR)] == [1, 1, 2]


def test_marks_are_read_from_the_table(tmp_path):
    with closing(new_db(tmp_path / "c")) as db, db:
        db.executemany(
            "INSERT INTO duplicate VALUES (?, ?, ?, ?, ?)",
            [(9, None, "near", 4, 0.9), (5, 4, "bytes", None, 1.0), (6, None, "text", None, 1.0)],
        )
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
        assert copies(db) == [copy(5, 4), copy(9, 4, NEAR, 0.9)]
