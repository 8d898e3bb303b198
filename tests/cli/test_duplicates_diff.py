"""`ttcrawl duplicates DIR URL --diff`: how a duplicate differs from its original."""

import sqlite3
import zlib
from contextlib import closing

import pytest

from tests.library.sample_crawl import HOME, OTHER, PICTURE, make
from ttcrawl.cli import main


@pytest.fixture
def crawl(tmp_path):
    make(tmp_path / "a")
    return tmp_path / "a"


def test_the_main_texts_are_compared(crawl, capsys):
    text = "Hello, wörld\nand more\x1b".encode()
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        columns = "(url, size, text, main_size, main)"
        other = db.execute("SELECT id FROM url WHERE url = ?", (OTHER,)).fetchone()[0]
        db.execute(f"INSERT INTO text {columns} VALUES (?, ?, ?, 0, NULL)", (other, len(text), zlib.compress(text)))
    assert main(["duplicates", str(crawl), OTHER, "--diff"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"--- {HOME}", f"+++ {OTHER}", "@@ -1 +1,2 @@", " Hello, wörld", "+and more\\x1b"]


@pytest.mark.parametrize(
    "words, status, message",
    [
        ([OTHER], 1, "has no text"),
        ([HOME], 1, "is an original"),
        ([PICTURE], 1, "has no text"),
        ([], 2, "name its URL"),
    ],
)
def test_what_cannot_be_compared(crawl, capsys, words, status, message):
    assert main(["duplicates", str(crawl), *words, "--diff"]) == status
    assert message in capsys.readouterr().err
