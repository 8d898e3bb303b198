"""Keys with a list of lines as value; each line has its position in the file."""

from __future__ import annotations

import re

from ttcrawl.errors import ConfigError
from ttcrawl.web.line import Line


class Lines(tuple[Line, ...]):
    """A value of several lines; its text is the value of the key in config.ini."""

    __slots__ = ()

    def __str__(self) -> str:
        return "".join(f"\n    {line.text}" for line in self)


NO_LINES = Lines()


def text_lines(text: str, file: str, *, numbered: bool) -> Lines:
    """Return the lines of a text that are neither empty nor comments (#)."""
    numbered_lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    return Lines(
        Line(text=line, file=file, number=number if numbered else 0)
        for number, line in numbered_lines
        if line and not line.startswith("#")
    )


def key_lines(text: str, file: str) -> dict[tuple[str, str], Lines]:
    """Return (section, key) -> the lines of its value, for a text that configparser has read without an error; the
    key "" has the first heading of the section.

    configparser does not report the position of a value, so its rules are applied again: a line with deeper indentation
    than the key continues its value, # or ; begins a comment line. Raises ConfigError if a key is repeated.
    """
    lines_by_key: dict[tuple[str, str], list[Line]] = {}
    section = key = ""
    indent = 0
    for number, line in enumerate(text.split("\n"), 1):
        value = line.strip()
        if not value or value[0] in "#;":
            continue
        indentation = len(line) - len(line.lstrip())
        if not key or indentation <= indent:
            indent, key = indentation, ""
            if header := re.match(r"\[(.+)\]", value):
                section = header[1]
                lines_by_key.setdefault((section, ""), [Line(text=value, file=file, number=number)])
                continue
            name, value = map(str.strip, re.split("[=:]", value, maxsplit=1))
            key = name.lower()
            if (section, key) in lines_by_key:
                raise ConfigError(f"{file}: [{section}] {key} is repeated in line {number}: remove one")
            lines_by_key[section, key] = []
        if value:
            lines_by_key[section, key].append(Line(text=value, file=file, number=number))
    return {section_and_key: Lines(lines) for section_and_key, lines in lines_by_key.items()}
