"""What the comments of the schema say of each table and column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ttcrawl.store.schema import TABLES

#: The comment of a table and what is between its brackets; a column with its comment; a column that was added later.
_CREATED = re.compile(r"((?:^-- [^\n]*\n)+)CREATE TABLE (\w+) \(\n(.*?)\n\)", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r'^    "?([a-z]\w*)"? +([A-Z]+)\b([^\n]*?)(?:-- *(.*(?:\n +-- .*)*))?$', re.MULTILINE)
_ADDED = re.compile(r"^-- (.*)\nALTER TABLE (\w+) ADD COLUMN (.*);$", re.MULTILINE)
_COMMENT = re.compile(r"\s*\n *-- ")
_REFERENCE = re.compile(r"REFERENCES (\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """`kind`: INTEGER, REAL, TEXT or BLOB. `refers_to`: the table whose id it has, or ""."""

    kind: str
    refers_to: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    about: str
    columns: Mapping[str, Column]


@cache
def descriptions() -> Mapping[str, Description]:
    """Table -> its description, in the order of the schema."""
    added = {name: f"{column} -- {comment}" for comment, name, column in _ADDED.findall(TABLES)}
    return {
        name: Description(
            about=_COMMENT.sub(" ", f"\n{comment.rstrip()}").strip(),
            columns={match[0]: _column(*match[1:]) for match in _COLUMN.findall(f"{body}\n    {added.get(name, '')}")},
        )
        for comment, name, body in _CREATED.findall(TABLES)
    }


def _column(kind: str, constraints: str, comment: str) -> Column:
    reference = _REFERENCE.search(constraints)
    return Column(kind=kind, refers_to=reference[1] if reference else "", meaning=_COMMENT.sub(" ", comment))
