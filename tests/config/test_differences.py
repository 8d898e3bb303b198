"""The keys that differ from their defaults, and who says each."""

import pytest

from ttcrawl.config import Config, read
from ttcrawl.config.config import entries_of
from ttcrawl.config.differences import IMPLIED, differences

FILE = """
[politeness]
delay = 3
obey_delay = yes
[links]
parts = no
[host:Bücher.test]
delay = 9
[files]
save = yes
[converters]
Application/PDF =
    python:poppler
[scope]
rules =

    exclude *.pdf
    allow path:/a/
"""

#: (section, key) -> value, line of the file.
FROM_FILE = {
    ("politeness", "delay"): ("3", 3),
    ("links", "landmarks"): ("no", 6),
    ("host:xn--bcher-kva.test", "delay"): ("9", 8),
    ("files", "save"): ("yes", 10),
    ("converters", "application/pdf"): (" python:poppler", 13),
    ("scope", "rules"): ("\n    exclude *.pdf\n    allow path:/a/", 17),
}


@pytest.fixture
def told(tmp_path):
    path = tmp_path / "config.ini"
    path.write_text(FILE)
    overrides = [("crawl.max_pages", "10"), ("crawl.max_time", "5", "--max-time")]
    return {
        (each.section, each.key): (each.value, each.origin.removeprefix(str(path)))
        for each in differences(read(path, overrides), entries_of(path, overrides))
    }


def test_each_key_has_its_file_and_line_or_its_option(told):
    said = {name: (value, f", line {line}") for name, (value, line) in FROM_FILE.items()}
    said |= {("crawl", "max_pages"): ("10", "--set"), ("crawl", "max_time"): ("5", "--max-time")}
    assert {name: each for name, each in told.items() if each[1] != IMPLIED} == said


def test_what_other_keys_imply_is_told(told):
    assert {name for name, (_, origin) in told.items() if origin == IMPLIED} == {
        ("links", "kinds"),
        ("scope", "extensions"),
    }


def test_the_defaults_differ_in_nothing():
    assert list(differences(Config())) == []
