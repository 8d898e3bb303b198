"""What docs/from-others.md says to type exists."""

import re
import shlex
from pathlib import Path

import pytest

from ttcrawl.cli import parser

MANUAL = (Path(__file__).parent.parent / "docs" / "from-others.md").read_text()
SECTION = MANUAL.split("\n## What you typed, what you type now\n")[1].split("\n## ")[0]
COMMANDS = re.findall(r"^\| .* \| `ttcrawl (.*)` \|$", SECTION, re.MULTILINE)


def test_every_row_has_a_command():
    rows = [line for line in SECTION.splitlines() if line.startswith("| ") and "| ttcrawl |" not in line]
    assert len(rows) == len(COMMANDS) > 20


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_accepted(command):
    parser().parse_args(shlex.split(command))
