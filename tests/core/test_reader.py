"""Which reader is used, and why."""

import os
import subprocess
import sys

import pytest

from tests.core.compiled import needs_core
from ttcrawl import core

PROGRAM = "from ttcrawl import core; core.check_reader(); print(core.reader())"


def printed(value: str | None) -> tuple[str, str]:
    """The reader that a process has, and the last line of its error."""
    environment = {name: each for name, each in os.environ.items() if name != core.VARIABLE}
    environment |= {core.VARIABLE: value} if value is not None else {}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    return done.stdout.strip(), done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("python", ("Python (TTCRAWL_READER=python)", "")),
        ("perl", ("", "ttcrawl.UsageError: TTCRAWL_READER=perl: the readers are python and compiled")),
    ],
)
def test_the_environment_chooses(value, expected):
    assert printed(value) == expected


@needs_core
@pytest.mark.parametrize("value", [None, "", "compiled"])
def test_it_is_compiled_where_it_can_be(value):
    assert printed(value) == ("compiled", "")


def test_a_reader_that_is_not_there_cannot_be_chosen(monkeypatch):
    monkeypatch.setenv(core.VARIABLE, core.COMPILED)
    monkeypatch.setattr(core, "native", None)
    monkeypatch.setattr(core, "why_python", "not compiled")
    assert core.reader() == "Python (not compiled)"
    with pytest.raises(core.UsageError, match="TTCRAWL_READER=compiled: not compiled; install a compiler"):
        core.check_reader()
