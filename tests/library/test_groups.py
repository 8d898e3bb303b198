"""`ttcrawl duplicates` and groups over the made crawl: the picture has the bytes of a page that is nearly another."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.library.sample_crawl import GONE, HOME, OTHER, PAPER, PICTURE, make
from ttcrawl.cli import main
from ttcrawl.library.crawl import Crawl
from ttcrawl.snapshot.errors import NotThere


def told(capsys, directory, *options):
    status = main(["duplicates", str(directory), *options])
    printed = capsys.readouterr()
    assert all(line.isprintable() for line in (printed.out + printed.err).split("\n"))
    return status, printed.out, printed.err


@pytest.mark.parametrize("url", [HOME, OTHER, PICTURE])
def test_a_group_is_the_same_for_all_in_it(opened, url):
    found = opened.group(url)
    assert (found.original, [each.url for each in found.copies]) == (HOME, [PICTURE, OTHER])
    assert [(each.same, each.similarity, each.original) for each in found.copies] == [
        ("bytes", 1.0, OTHER),
        ("near", 0.925, HOME),
    ]
    assert list(opened.groups()) == [found]


@pytest.mark.parametrize("url", [PAPER, GONE, "http://a.test/never-met"])
def test_what_is_in_no_group(opened, directory, capsys, url):
    with pytest.raises(NotThere):
        opened.group(url)
    status, out, err = told(capsys, directory, url)
    assert (status, out, len(err.splitlines())) == (1, "", 1) and url in err


def test_lines(directory, capsys):
    status, out, err = told(capsys, directory)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        HOME,
        "  2 duplicates: 1 by bytes, 1 nearly",
        f"  bytes          {PICTURE}  (of {OTHER})",
        f"  near   0.9250  {OTHER}",
    ]
    assert told(capsys, directory, PICTURE)[1] == out == told(capsys, directory, "--limit", "0")[1]
    cut = told(capsys, directory, "--limit", "1")[1].splitlines()
    assert cut[2:] == [f"  bytes          {PICTURE}  (of {OTHER})", "  and 1 more"]


def test_json(directory, capsys):
    _, out, _ = told(capsys, directory, "--format", "json")
    (group,) = json.loads(out)
    assert group["original"] == HOME and [each["id"] for each in group["copies"]] == [7, 2]


def test_no_crawl_is_one_line(tmp_path, capsys):
    status, out, err = told(capsys, tmp_path)
    assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_why_says_what_it_is_a_duplicate_of(opened):
    assert f"duplicate of {OTHER}: the same bytes" in opened.why(PICTURE)
    assert f"nearly the same as {HOME}, its original: similarity 0.9250" in opened.why(OTHER)
    assert "duplicate" not in opened.why(HOME) and "original" not in opened.why(HOME)


UNSETTLED = {
    "some pages": ("INSERT INTO unsettled VALUES (1), (2)", 2),
    "other settings": ("INSERT OR REPLACE INTO crawl VALUES ('marked_by', '')", 3),
    "a run": ("INSERT OR REPLACE INTO crawl VALUES ('compared', '')", 3),
    "the end of a run": ("INSERT OR REPLACE INTO crawl VALUES ('marked_by', 'True True 0.9')", 0),
}


@pytest.mark.slow
@pytest.mark.parametrize(("change", "expected"), UNSETTLED.values(), ids=UNSETTLED)
def test_whether_marks_may_change_is_said(tmp_path, capsys, change, expected):
    """Of a crawl that runs or was killed."""
    place = make(tmp_path / "crawl")
    with closing(sqlite3.connect(place / "crawl.db")) as db, db:
        for url in (1, 2, 3):
            db.execute("INSERT INTO fingerprint VALUES (NULL, ?, 0, 0, x'', x'', x'', x'', x'')", (url,))
        db.execute(change)
    status, _, err = told(capsys, place)
    line = f"ttcrawl: marks may still change until a run ends (pages: {expected})"
    assert (status, err.splitlines()) == (0, [line] if expected else [])
    assert told(capsys, place, HOME, "--format", "json")[2] == err
    with Crawl(place) as opened:
        assert opened.unsettled() == opened.study().duplicates.unsettled == expected
        for url in (OTHER, PICTURE):
            assert ("(may change until a run of the crawl ends)" in opened.why(url)) is bool(expected)
        assert "may change" not in opened.why(HOME)
    assert main(["report", str(place)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (f"Pages whose marks may change until a run ends {expected}" in said) is bool(expected)
