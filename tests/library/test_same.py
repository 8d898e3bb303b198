"""`ttcrawl duplicates` and groups over the made crawl: the picture has the bytes of a page that is nearly another."""

import json

import pytest

from tests.library.made import GONE, HOME, OTHER, PAPER, PICTURE
from ttcrawl.cli import main
from ttcrawl.library.errors import NotThere


def told(capsys, directory, *options):
    status = main(["duplicates", str(directory), *options])
    printed = capsys.readouterr()
    assert all(line.isprintable() for line in (printed.out + printed.err).split("\n"))
    return status, printed.out, printed.err


@pytest.mark.parametrize("url", [HOME, OTHER, PICTURE])
def test_a_group_is_the_same_for_all_in_it(opened, url):
    found = opened.same(url)
    assert (found.original, [each.url for each in found.copies]) == (HOME, [PICTURE, OTHER])
    assert [(each.same, each.similarity, each.original) for each in found.copies] == [
        ("bytes", 1.0, OTHER),
        ("near", 0.925, HOME),
    ]
    assert list(opened.groups()) == [found]


@pytest.mark.parametrize("url", [PAPER, GONE, "http://a.test/never-met"])
def test_what_is_in_no_group(opened, directory, capsys, url):
    with pytest.raises(NotThere):
        opened.same(url)
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
