"""Commands that change a crawl whose tables have values that ttcrawl does not write: one line says so."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.library.sample_crawl import make
from ttcrawl.cli import main

#: Rows of table leftover: kind, file, offset, size, successor.
FILES = {"bytes": b"\xff", "NUL": "a\0b", "nothing": b"", "number": 5, "long": "x" * 5000, "up": ".."}
LEFTOVER = {
    f"{kind}, {name}": (kind, file, 0, 0, "")
    for kind in ("warc", "saved", "derived", b"\xff")
    for name, file in FILES.items()
}
VALUES = {
    "seeds are bytes": "UPDATE crawl SET value = x'ff00' WHERE name = 'seeds'",
    "no seeds": "DELETE FROM crawl WHERE name = 'seeds'",
    "run is a number": "UPDATE crawl SET value = 5 WHERE name = 'run'",
    "archive is bytes": "UPDATE archive SET file = x'ff00', size = 'much'",
    "unread is a text": "UPDATE unread SET url = 5",
    "staged is no JSON": "INSERT INTO crawl VALUES ('staged', '{')",
    "staged is a number": "INSERT INTO crawl VALUES ('staged', '5')",
    "no archive": "DROP TABLE archive",
    "url is bytes": "UPDATE url SET url = x'ff00', reason = 5",
    "parts of a page": "UPDATE page SET offset = 'far', file = 5, digest = 7",
}
COMMANDS = {
    "read": ("read", "DIR"),
    "requeue": ("requeue", "DIR", "--reason", "*"),
    "delete": ("delete", "DIR", "--path", "/b*", "--yes"),
}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    return make(tmp_path_factory.mktemp("foreign") / "c")


@pytest.fixture
def foreign(tmp_path, crawl):
    """A function that makes a crawl, changed by a statement."""

    def foreign(statement, values=()):
        path = Path(shutil.copytree(crawl, tmp_path / "c"))
        with closing(sqlite3.connect(path / "crawl.db")) as db, db:
            db.execute("PRAGMA ignore_check_constraints = ON")
            db.execute(statement, values)
        (path / "config.ini.next").write_bytes(b"of a step that was interrupted")
        return path

    return foreign


def ends_in_one_line(directory, command, capsys):
    status = main([each.replace("DIR", str(directory)) for each in COMMANDS[command]])
    lines = capsys.readouterr().err.splitlines()
    assert status in (0, 1, 2) and len(lines) <= 2 and all(line.startswith("ttcrawl: ") for line in lines)
    return status, "".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("row", LEFTOVER.values(), ids=LEFTOVER)
def test_what_a_deletion_has_left_over(foreign, capsys, row, command):
    ends_in_one_line(foreign("INSERT INTO leftover VALUES (?, ?, ?, ?, ?)", row), command, capsys)


def test_a_name_that_no_command_wrote_is_left_alone(foreign, capsys):
    directory = foreign("INSERT INTO leftover VALUES ('warc', x'ff', 0, 0, '')")
    assert ends_in_one_line(directory, "requeue", capsys)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("statement", VALUES.values(), ids=VALUES)
def test_other_tables(foreign, capsys, statement, command):
    ends_in_one_line(foreign(statement), command, capsys)


def test_the_line_names_the_file_and_the_place(foreign, capsys):
    status, line = ends_in_one_line(foreign(VALUES["seeds are bytes"]), "read", capsys)
    assert status == 1
    assert "crawl.db has values that ttcrawl does not write (TypeError: " in line and "; see ttcrawl verify " in line
    assert " in ttcrawl/" in line
