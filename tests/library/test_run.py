"""`ttcrawl page` over the made crawl: what it prints, what it never prints, its exit status."""

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from tests.library.sample_crawl import BODIES, BOMB, EVIL, HOME, LINKS, MAIN, OLD, OTHER, PAPER, PICTURE, QUEUED, TEXT
from tests.support.crawls.crawling import command
from ttcrawl.cli import main
from ttcrawl.output.untrusted import escape_untrusted


def told(capsys, directory, *options):
    status = main(["page", str(directory), *map(str, options)])
    printed = capsys.readouterr()
    assert all(line.isprintable() for line in (printed.out + printed.err).split("\n"))
    return status, printed.out, printed.err


def test_facts(directory, capsys):
    status, out, err = told(capsys, directory, HOME)
    assert (status, err) == (0, "")
    rows = dict(line.strip().split(maxsplit=1) for line in out.splitlines()[1:])
    assert rows["state"] == "fetched, http 200" and rows["type"] == "text/html, utf-8 by header"
    assert rows["title"] == rows["description"] == escape_untrusted(EVIL)
    assert rows["links"] == "3 anchor, 1 image, 1 Z" and rows["words"] == "4, of them 2 of the main text"


@pytest.mark.parametrize(
    "url, line", [(OLD, "  leads to    /b "), (PICTURE, "  image "), (PAPER, "  document    x.pdf")]
)
def test_what_is_no_page(directory, capsys, url, line):
    status, out, _ = told(capsys, directory, url)
    assert status == 0 and line in out


def test_links_and_text(directory, capsys):
    _, out, _ = told(capsys, directory, HOME, "--links", "--text")
    for anchor in filter(None, (anchor for *_, anchor in LINKS)):
        assert any(line.endswith(f"  {escape_untrusted(anchor)}") for line in out.splitlines()), anchor
    assert "(not in the ledger)" in out
    assert out.endswith("\n" + "\n".join(map(escape_untrusted, TEXT.split("\n"))) + "\n")


def test_main_text_alone(directory, capsys):
    _, out, _ = told(capsys, directory, HOME, "--main")
    assert out.endswith(f"\n\n{MAIN}\n") and "Menu" not in out


def test_json(directory, capsys):
    status, out, _ = told(capsys, directory, HOME, OTHER, "--format", "json", "--links")
    home, other = json.loads(out)
    assert status == 0 and home["page"]["title"] == EVIL and home["page"]["schemes"] == {"mailto": 2}
    assert [link["anchor"] for link in home["links"]] == [anchor for *_, anchor in LINKS]
    assert "metadata" not in other and other["links"] == [] and "text" not in other
    _, out, _ = told(capsys, directory, HOME, "--format", "json", "--text")
    assert json.loads(out)[0]["text"] == TEXT and json.loads(out)[0]["links"] == {"anchor": 3, "image": 1, "Z": 1}


def test_one_of_several_is_missing(directory, capsys):
    status, out, err = told(capsys, directory, OTHER, QUEUED, f"http://a.test/{EVIL}")
    assert status == 1 and out.startswith(OTHER) and len(err.splitlines()) == 2


def test_a_page_without_text_is_told_all_the_same(directory, capsys):
    status, out, err = told(capsys, directory, OTHER, "--text")
    assert status == 1 and "fetched" in out and "has no text" in err


def test_body_is_byte_for_byte(directory):
    done = subprocess.run(command("page", directory, HOME, "--body"), capture_output=True)
    assert (done.returncode, done.stdout) == (0, BODIES[HOME])


def test_the_document_of_a_page_without_browser_is_its_body(directory):
    done = subprocess.run(command("page", directory, HOME, "--document"), capture_output=True)
    assert (done.returncode, done.stdout) == (0, BODIES[HOME]) and b"as received" in done.stderr


def test_a_bomb_is_not_written(directory, capsys):
    status, out, err = told(capsys, directory, BOMB, "--body")
    assert (status, out) == (1, "") and "cannot be decoded" in err


@pytest.mark.parametrize(
    "options",
    [
        (HOME, OTHER, "--body"),
        (HOME, OTHER, "--document"),
        (HOME, "--body", "--links"),
        (HOME, "--body", "--format", "json"),
        ("nothing",),
    ],
)
def test_wrong_usage(directory, capsys, options):
    status, out, err = told(capsys, directory, *options)
    assert (status, out) == (2, "") and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE page SET time = 1e300, length = 1 << 60",
        "UPDATE metadata SET headings = 'no JSON'",
        "UPDATE metadata SET headings = '{}', open_graph = '['",
        "UPDATE metadata SET headings = '[[1, \"\u202e\x1b[2J\"], 5, null, [[1]]]'",
        "UPDATE outlinks SET kinds = 'aaaaa' WHERE source = 1",
        "UPDATE outlinks SET landmarks = x'0000000000' WHERE source = 1",
        "DELETE FROM site",
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_odd_rows_are_told_and_shown(directory, tmp_path, capsys, change, form):
    copy = shutil.copytree(directory, tmp_path / "copy")
    with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
        db.execute(change)
    status, out, _ = told(capsys, copy, HOME, "--links", "--format", form)
    assert status == 0 and HOME in out
