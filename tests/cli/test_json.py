"""`--format json`: every command that prints a table has it, and docs/json.md has its keys."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.outputs import CASES
from tests.library.sample_crawl import make
from tests.promises.names import documented
from ttcrawl.cli import commands, main, parser
from ttcrawl.cli.command_line import with_parts

MANUAL = Path(__file__).parents[2] / "docs" / "json.md"

#: Commands without a table: they crawl (progress has --progress json), change, or write what another program reads.
WITHOUT = {
    *("crawl", "resume", "recrawl", "read", "plot", "export", "index", "mirror", "completion", "man", "view"),
    *("import", "extract", "try steps"),
    *(f"cluster {part}" for part in ("crawl", "resume", "recrawl", "export", "stop", "join", "leave", "gather")),
}


#: Figures by reason, kind or level: their names are data.
BY_NAME = ("counts", "levels", "schemes", "unchecked", "pace.waiting")


def leaves():
    found = {each.prog: each for name in commands.names() for each in with_parts(parser(name).commands[name])}
    return {words.removeprefix("ttcrawl "): each for words, each in found.items() if not each.parts}


@pytest.mark.parametrize("words", leaves())
def test_every_command_with_a_table_prints_json(words):
    forms = [each for each in leaves()[words].actions if "--format" in each.option_strings]
    assert words in WITHOUT or "json" in forms[0].choices
    if words not in WITHOUT | {"demo", "topic", "cluster status"}:  # their keys are in the manual of each
        assert any(heading.startswith(words) for heading in CASES)


#: The types in the manual -> those of Python.
TYPES = {
    "number": (int, float),
    "moment": (int, float),
    "text": (str,),
    "true or false": (bool,),
    "list": (list,),
    "object": (dict,),
}


def keys_of(value, path=""):
    """Each key with the keys above it, such as urls[].number, and its value. `path.*`: names that are data."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from keys_of(inner, f"{path}.*" if path.endswith(BY_NAME) else f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner, f"{path}[]")
    if not isinstance(value, dict | list) or not value:
        yield path.lstrip("."), value


def table_of(heading):
    """Key -> type, of a command in the manual. Each key has a meaning."""
    section = MANUAL.read_text().partition(f"\n## `{heading}`\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| (.*?) \| (.+) \|$", section, re.MULTILINE)
    assert len(rows) == section.count("\n| `") > 0
    return {key: kind for key, kind, _ in rows}


def is_of(value, kind):
    """Whether a value has a type of the manual."""
    if value is None:
        return kind.endswith(" or null")
    return type(value) in TYPES[kind.removesuffix(" or null")]


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    make(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"User-agent: *\nDisallow: /x\nCrawl-delay: 2\n")))

    def run(words):
        assert main([*words, "--format", "json", "--quiet"]) in (0, 1, 3)
        return json.loads(capsys.readouterr().out)

    return run


@pytest.mark.parametrize("heading", CASES)
def test_the_manual_has_its_keys_with_their_types(printed, heading):
    table, values = table_of(heading), list(keys_of(printed(CASES[heading])))
    assert sorted(table) == sorted({key for key, _ in values})
    assert [(key, value, table[key]) for key, value in values if not is_of(value, table[key])] == []


def test_the_manual_has_the_keys_of_the_report(printed):
    """Which keys there are depends on the crawl: the manual is made from the records of the report."""
    manual = (MANUAL.parent / "json-report.md").read_text()
    patterns = [re.escape(key).replace(r"\*", r"[^\n]+?") for key in documented(manual)]
    known = re.compile(f"(?:{'|'.join(patterns)})(?:\\[\\])?")  # the elements of a list of lists
    keys = {key for key, value in keys_of(printed(["report", "site"])) if value not in ({}, [])}
    assert len(keys) > 200 and {key for key in keys if not known.fullmatch(key)} <= {"name"}
