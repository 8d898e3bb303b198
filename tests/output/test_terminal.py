"""Lines that fit a terminal, and complete lines elsewhere."""

import os
import pty
import termios
from contextlib import closing, contextmanager

import pytest

from ttcrawl.output import terminal
from ttcrawl.output.colour import takes_escapes
from ttcrawl.output.terminal import columns, ending, fold, fold_parts, lines_of, shortened, show, terminal_width

WIDTHS = {
    "": 0,
    "ascii": 5,
    "日本": 4,
    "ｆｕｌｌ": 8,
    "ｶﾅ": 2,
    "e\u0301": 1,
    "\u0e01\u0e34": 1,  # a Thai vowel above its consonant has the combining class 0
    "✈\ufe0f": 1,
    "🦀": 2,
}


@pytest.mark.parametrize("text", WIDTHS, ids=ascii)
def test_columns(text):
    assert columns(text) == WIDTHS[text]


@pytest.mark.parametrize(
    ("text", "width", "beginning", "end"),
    [
        ("abcd", 4, "abcd", "abcd"),
        ("abcde", 4, "abc…", "bcde"),
        ("日本語", 5, "日本…", "本語"),
        ("日本語", 4, "日…", "本語"),
        ("abc", 1, "…", "c"),
        ("abc", 0, "", ""),
        ("abc", -1, "", ""),
        ("é" * 300_000, 4, "ééé…", "éééé"),  # quadratic work would need hours
    ],
    ids=range(8),
)
def test_the_beginning_and_the_end_of_a_text(text, width, beginning, end):
    assert (shortened(text, width), ending(text, width)) == (beginning, end)


TEXTS = [
    "",
    "one",
    "two words",
    "  an indented line of words",
    "日本語の長い文 " * 3,
    "x" * 50,
    "e\u0301" * 30,
    "a " * 40,
]


@pytest.mark.parametrize("width", [1, 2, 7, 20, 100])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_folding_loses_nothing(text, width):
    lines = fold(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    widest = max(1, *map(columns, text)) if text else 1
    indent = len(text) - len(text.lstrip(" "))
    assert all(columns(line) <= max(width, widest + indent) for line in lines)
    assert not any(line and columns(line[0]) == 0 for line in lines)


@pytest.mark.parametrize("width", range(1, 12))
def test_parts_in_order_on_as_few_lines_as_fit(width):
    widths = [3, 1, 4, 1, 5, 9, 2, 6]
    slices = list(lines_of(widths, width, 2))
    assert [each for one in slices for each in widths[one]] == widths
    for one in slices:
        taken = widths[one]
        assert len(taken) == 1 or sum(taken) + 2 * (len(taken) - 1) <= width
    assert list(lines_of([], width, 2)) == [] and fold_parts([], width, " ") == []


@contextmanager
def screen(monkeypatch):
    """A terminal of 40 columns as stdout, and what it shows."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    monkeypatch.delenv("COLUMNS", raising=False)
    reader = closing(os.fdopen(ours, "rb", buffering=0))
    with open(theirs, "w") as stdout, reader as seen, monkeypatch.context() as patch:
        patch.setattr(terminal.sys, "stdout", stdout)

        def shown(text):
            show(text)
            stdout.flush()
            return seen.read(65536).decode().replace("\r\n", "\n").removesuffix("\n")

        yield shown


URL = "http://a.example/a/path/that/is/longer/than/the/line"

SHOWN = {
    "short": "short",
    "": "",
    "Rate     13.1 requests/s, 12.9 pages/s in the last minute": (
        "Rate     13.1 requests/s, 12.9 pages/s\n         in the last minute"
    ),
    "  why         The server answered 200 and then more words": (
        "  why         The server answered 200\n              and then more words"
    ),
    f"  {URL}": f"  {URL}",
    f"    see {URL} and more": f"    see\n      {URL}\n      and more",
    "a.example    12    0  in 3.0 s  delay of 1 s from robots.txt": (
        "a.example    12    0  in 3.0 s  delay of\n             1 s from robots.txt"
    ),
    "\x1b[1mbold\x1b[0m words that fit into forty columns": "\x1b[1mbold\x1b[0m words that fit into forty columns",
    "日本語 " * 7 + "x": "日本語 日本語 日本語 日本語 日本語\n  日本語 日本語 x",
}


@pytest.mark.parametrize("text", SHOWN, ids=range(len(SHOWN)))
def test_what_is_wider_continues_below(monkeypatch, text):
    with screen(monkeypatch) as shown:
        seen = shown(text)
    assert seen == SHOWN[text]


@pytest.mark.parametrize("text", SHOWN, ids=range(len(SHOWN)))
def test_a_pipe_gets_complete_lines(capsys, monkeypatch, text):
    monkeypatch.setenv("COLUMNS", "40")
    show(text)
    assert capsys.readouterr().out == f"{text}\n"


@pytest.mark.parametrize(("setting", "width"), [("10", 10), ("", 40), ("0", 40), ("x", 40), ("-1", 40)])
def test_columns_decides_for_a_terminal(monkeypatch, setting, width):
    with screen(monkeypatch):
        monkeypatch.setenv("COLUMNS", setting)
        found = terminal_width()
    assert found == width


@pytest.mark.parametrize(("term", "takes"), [("dumb", False), ("unknown", False), ("xterm", True)])
def test_a_dumb_terminal_takes_no_escapes(monkeypatch, term, takes):
    monkeypatch.setenv("TERM", term)
    with screen(monkeypatch):
        found = takes_escapes(terminal.sys.stdout)
    assert found == takes


def test_no_stdout_at_all(tmp_path):
    with open(tmp_path / "f", "w") as out:
        assert terminal_width(out) is None and not takes_escapes(out)
    assert terminal_width(out) is None  # closed
