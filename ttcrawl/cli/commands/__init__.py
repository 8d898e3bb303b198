"""The commands: each file here is one, and is found by its name (`try_` is `try`, which is a word of Python).

Parser, help and manual know a command by its file alone. The help reads all files, so what only `run` needs is imported
there.
"""

from __future__ import annotations

import argparse
import keyword
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

#: The groups of the help, in its order.
GROUPS = ("Crawl", "Look", "Change", "Give", "Tools")


class Command(Protocol):
    """What a file declares."""

    #: What it is about, in one line.
    SUMMARY: str
    #: Its group of the help, and its position there.
    IN_HELP: tuple[str, int]
    #: (what it does, the line without `ttcrawl`): at least one, and one of each part.
    EXAMPLES: tuple[tuple[str, str], ...]

    def options(self, command: argparse.ArgumentParser) -> None:
        """Declare the options."""

    def run(self, args: argparse.Namespace) -> int:
        """Return the exit status. Raises the errors of ttcrawl.errors."""


def names() -> list[str]:
    """From the names of the files: `pkgutil` would import `inspect`, which takes as long as all of them."""
    files = sorted(path.stem for folder in __path__ for path in Path(folder).glob("[!_]*.py"))
    return [stem.rstrip("_").replace("_", "-") for stem in files]


def load(name: str) -> Command:
    module = name.replace("-", "_") + ("_" if keyword.iskeyword(name) else "")
    return cast("Command", import_module(f"{__name__}.{module}"))


def by_group() -> dict[str, dict[str, Command]]:
    """Group -> its commands by name, in the order of the help."""
    commands = sorted(((name, load(name)) for name in names()), key=lambda each: (each[1].IN_HELP[1], each[0]))
    return {group: {name: each for name, each in commands if each.IN_HELP[0] == group} for group in GROUPS}
