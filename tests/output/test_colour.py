"""When output has colour, by NO_COLOR, FORCE_COLOR, CLICOLOR and --color, and which colours."""

import os
import re
from contextlib import suppress
from io import StringIO

import pytest

from ttcrawl.cli import main
from ttcrawl.output import colour
from ttcrawl.output.colour import colour_of, has_colour


class Stream(StringIO):
    def __init__(self, *, terminal):
        super().__init__()
        self.isatty = lambda: terminal


#: Environment -> whether there is colour on a terminal, and in a pipe.
ENVIRONMENTS = [
    ({}, True, False),
    ({"NO_COLOR": "1"}, False, False),
    ({"NO_COLOR": "0"}, False, False),  # "regardless of its value"
    ({"NO_COLOR": ""}, True, False),
    ({"FORCE_COLOR": "1"}, True, True),
    ({"FORCE_COLOR": "0"}, True, True),  # the same
    ({"FORCE_COLOR": ""}, True, False),
    ({"CLICOLOR": "0"}, False, False),
    ({"CLICOLOR": "1"}, True, False),
    ({"CLICOLOR_FORCE": "1"}, True, True),
    ({"CLICOLOR_FORCE": "0"}, True, False),
    ({"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, True, True),
    ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False, False),
    ({"TERM": "dumb"}, False, False),
]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(("environment", "on_terminal", "in_pipe"), ENVIRONMENTS)
def test_the_environment_decides(monkeypatch, environment, on_terminal, in_pipe):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_colour(Stream(terminal=True)) == on_terminal
    assert has_colour(Stream(terminal=False)) == in_pipe


@pytest.mark.parametrize("environment", [each for each, _, _ in ENVIRONMENTS])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--color", "never"], (False, False)),
        (["--color=always"], (True, True)),
        (["--color=never", "--color=always"], (True, True)),
    ],
)
def test_the_option_wins_and_leaves_the_environment_as_it_was(monkeypatch, environment, words, expected):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    with colour_of(["status", *words]):
        assert (has_colour(Stream(terminal=True)), has_colour(Stream(terminal=False))) == expected
    assert dict(os.environ) == before


def test_colours_are_readable_on_light_and_dark_terminals():
    styles = {name: value for name, value in vars(colour).items() if name.isupper() and isinstance(value, str)}
    codes = {code for value in styles.values() for code in re.findall(r"\d+", value)}
    assert {"1"} < codes <= {"1", "31", "32", "35"}  # bold, red, green, magenta


@pytest.mark.parametrize("words", [["status", "--help"], ["status", "missing"], ["status", "x", "--hots"]])
def test_without_its_colours_the_text_is_the_same(words, capsys):
    outputs = []
    for when in ("never", "always"):
        with suppress(SystemExit):
            main([*words, f"--color={when}"])
        printed = capsys.readouterr()
        outputs.append(printed.out + printed.err)
    plain, coloured = outputs
    assert "\x1b" not in plain and "\x1b" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).replace("--color=always", "--color=never") == plain
