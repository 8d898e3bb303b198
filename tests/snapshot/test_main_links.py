"""Which links are those of the main text, by their landmarks."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.main_links import in_main_text, in_main_text_of_page, pages_with_landmarks
from ttcrawl.snapshot.outlinks import outlinks
from ttcrawl.snapshot.snapshot import view

PAGE = "http://a.test/"

#: Kinds, landmarks and regions of the links of a page, and which of them are in its main text (x).
CASES = {
    "main beside menus": ("aaaaaa", "nmhfa-", "cccccc", ".x...."),
    "several articles": ("aaa", "mmn", "ccc", "xx."),
    "menus, and no main": ("aaaaa", "nhfa-", "ccccc", "....x"),
    "menus alone": ("aa", "nn", "cc", ".."),
    "no landmarks": ("aaa", "---", "ccc", "xxx"),
    "landmarks not recorded": ("aaa", "", "ccc", "xxx"),
    "an image alone in main": ("ga", "m-", "rc", "x."),
    "without a place in the text": ("rfa", "--m", "ccc", "xxx"),
    "a redirect": ("R", "", "c", "x"),
    "frames and scripts in a menu": ("iJ", "nn", "cc", ".."),
    "outside the content region": ("aaaaaa", "mmmmmm", "ceEofi", "x....."),
    "outside the content region, no landmarks": ("aa", "", "ce", "x."),
    "not followed": ("aaaa", "mmmm", "nCdh", "xxxx"),
    "recorded alone": ("gc", "m-", "rr", "x."),
}


@pytest.mark.parametrize("case", CASES)
def test_links_of_the_main_text_of_one_page(case):
    kinds, landmarks, regions, expected = CASES[case]
    inside = in_main_text_of_page(kinds.encode(), regions.encode(), landmarks.encode())
    assert "".join(".x"[each] for each in inside) == expected


@pytest.mark.parametrize("case", CASES)
def test_links_of_the_main_text(tmp_path, case):
    kinds, landmarks, regions, expected = CASES[case]
    pages = {PAGE: [(f"{PAGE}{n}", letter) for n, letter in enumerate(kinds)], f"{PAGE}none": [f"{PAGE}0"]}
    crawl_of(tmp_path, pages, landmarks={PAGE: landmarks})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("UPDATE outlinks SET regions = ? WHERE source = 1", (regions.encode(),))
    with view(tmp_path) as db:
        (batch,) = outlinks(db)
    assert "".join(".x"[each] for each in in_main_text(batch).tolist()) == f"{expected}x"
    assert pages_with_landmarks(batch) == bool(set(landmarks) - {"-"})


def test_damaged_landmarks(tmp_path):
    crawl_of(tmp_path, {PAGE: [f"{PAGE}1", f"{PAGE}2"]}, landmarks={PAGE: "n"})
    with pytest.raises(NotACrawl, match=r"2 kinds but 1 landmarks"), view(tmp_path) as db:
        list(outlinks(db))
