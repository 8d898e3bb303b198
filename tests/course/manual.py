"""docs/from-course-crawlers.md in parts: for each crawler its files, its commands, and the rows of its table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "from-course-crawlers.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    name: str
    command: str
    lines: list[str]  # that it prints, with one blank between words
    labels: list[str]  # that begin a line; what follows depends on time


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    title: str
    files: dict[str, str]
    commands: list[str]  # before the table
    rows: list[Row]


def sections() -> list[Section]:
    return [_section(part) for part in PAGE.read_text().split("\n## ")[1:]]


def _section(part: str) -> Section:
    files = dict(re.findall(r"^```\w+\n# ([\w.-]+)\n(.*?)^```", part, re.MULTILINE | re.DOTALL))
    commands = re.findall(r"^    \$ (.+)", part, re.MULTILINE)
    return Section(title=part.split("\n")[0], files=files, commands=commands, rows=_rows(part))


def _rows(part: str) -> list[Row]:
    rows: list[Row] = []
    for name, command, printed in re.findall(r"^\| (.+?) \| (.*?) ?\| (.*?) ?\|$", part, re.MULTILINE):
        if name != "its row":
            own = re.fullmatch(r"`([^`]+)`", command)
            above = rows[-1].command if rows else ""
            rows.append(
                Row(
                    name=name,
                    command=own[1] if own else "" if command else above,
                    lines=re.findall(r"`([^`]+)`", printed),
                    labels=re.findall(r"\*([^*]+)\*", printed),
                )
            )
    return rows
