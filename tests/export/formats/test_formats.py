"""A format is one file: the options, the command and the manual find it there."""

import csv

import pytest

from ttcrawl.cli import main
from ttcrawl.export import formats
from ttcrawl.export.format import format_of

#: The URLs of pages.
MADE_UP = """
from functools import partial

from ttcrawl.export.format import Format, write_file


def urls(db, pages):
    yield from (page.url.encode() + b"\\n" for page in pages)


FORMAT = Format(about="the URLs of pages", write=partial(write_file, lines=urls))
"""


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / "made_up.py").write_text(MADE_UP)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path / "formats")])


def test_a_file_makes_a_format(made_up, export, capsys):
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    assert "made-up" in capsys.readouterr().out
    lines = export("made-up", "--where", "status=200").read_text().splitlines()
    with open(export("csv", "--where", "status=200", name="table"), newline="") as file:
        assert lines == [row["url"] for row in csv.DictReader(file)] != []


@pytest.mark.parametrize("name", formats.names())
def test_each_format_is_described_and_writes(name):
    format = format_of(name)
    assert format.about and callable(format.write)
