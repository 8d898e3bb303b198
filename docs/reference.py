"""Write what the manual repeats from the program: config.ini, the tables of its keys in docs/configuration.md, the
table of formats in docs/export.md, the columns in docs/tables.md, and the kinds of links in docs/links.md.

    python docs/reference.py

A key is declared once, in ttcrawl/config, a format in its file, a column in ttcrawl/store/schema.py and the files
that it names, a kind in ttcrawl/vocabulary/kind.py. Prose between the tables stays as it is.
"""

from __future__ import annotations

import html
import re
from dataclasses import Field
from pathlib import Path
from typing import Any

from ttcrawl.config import SECTIONS, HostSection, example, keys
from ttcrawl.errors import EXTRAS
from ttcrawl.export import formats
from ttcrawl.export.format import format_of
from ttcrawl.store.schema import TABLES
from ttcrawl.vocabulary.kind import KINDS

DOCS = Path(__file__).parent
HEAD = "| key | default | meaning |\n|---|---|---|\n"
#: The line that begins a section, then prose, then its table.
SECTION = re.compile(r"^\*\*\[([\w:]+)\]\*\*.*?\n(?=\| key )", re.MULTILINE | re.DOTALL)

FORMATS = "| format | what is written | with `-o DIR`, a directory that exists |\n|---|---|---|\n"
LINKS = "| letter | kind | |\n|---|---|---|\n"


def config_ini() -> str:
    return example()


def configuration(text: str) -> str:
    """docs/configuration.md with the tables of today."""
    sections: dict[str, Any] = {each.name: each.default for each in SECTIONS} | {"host:NAME": HostSection}
    for name, section in sections.items():
        start = next(match.end() for match in SECTION.finditer(text) if match[1] == name)
        rows = "".join(_row(name, key) for key in keys(section))
        text = text[:start] + _with_rows(HEAD, rows, text[start:])
    return text


def _row(section: str, key: Field[Any]) -> str:
    """Each key is an anchor: configuration.md#fetch.max_body."""
    value = key.default
    shown = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    if isinstance(value, float):
        shown = repr(value).removesuffix(".0")
    default = f"`{shown}`" if shown else ""
    meaning = html.escape(key.metadata["meaning"], quote=False).replace("|", "&#124;")
    anchor = f'<a id="{section.removesuffix(":NAME")}.{key.name}"></a>'
    return f"| {anchor}`{key.name}` | {default} | {meaning} |\n"


def export(text: str) -> str:
    """docs/export.md with the formats of today."""
    rows = []
    for name in formats.names():
        format = format_of(name)
        extra = f"; needs the extra `{EXTRAS[format.needs]}`" if format.needs else ""
        rows.append(f"| `{name}` | {format.about}{extra} | {format.directory} |\n")
    return _with_rows(FORMATS, "".join(rows), text)


#: The description of a table and what is between its brackets; a column with what is said of it; a column added later.
CREATED = re.compile(r"((?:^-- [^\n]*\n)+)CREATE TABLE (\w+) \(\n(.*?)\n\)", re.MULTILINE | re.DOTALL)
COLUMN = re.compile(r'^    "?([a-z]\w*)"? +([A-Z]+)\b([^\n]*?)(?:-- *(.*(?:\n +-- .*)*))?$', re.MULTILINE)
ADDED = re.compile(r"^-- (.*)\nALTER TABLE (\w+) ADD COLUMN (.*);$", re.MULTILINE)
COMMENT = re.compile(r"\s*\n *-- ")
REFERENCE = re.compile(r"REFERENCES (\w+)")
#: Where the columns are in docs/tables.md.
COLUMNS = re.compile(r"(?<=\n## Columns\n\n).*?(?=\n## )", re.DOTALL)


def tables(text: str) -> str:
    """docs/tables.md with the columns of today."""
    added = {name: f"{column} -- {comment}" for comment, name, column in ADDED.findall(TABLES)}
    sections = []
    for comment, name, body in CREATED.findall(TABLES):
        about = COMMENT.sub(" ", f"\n{comment.rstrip()}").strip()
        about = f"{about[0].upper()}{about[1:].removesuffix(' ...')}."
        rows = "".join(_column(*match) for match in COLUMN.findall(f"{body}\n    {added.get(name, '')}"))
        sections.append(f"### `{name}`\n\n{_prose(about)}\n\n| column | type | meaning |\n|---|---|---|\n{rows}")
    return COLUMNS.sub(lambda _: "\n".join(sections), text, count=1)


def _column(name: str, kind: str, constraints: str, comment: str) -> str:
    other = REFERENCE.search(constraints)
    shown = f"{kind}, `{other[1]}.id`" if other else kind
    return f"| `{name}` | {shown} | {_prose(COMMENT.sub(' ', comment))} |\n"


def _prose(comment: str) -> str:
    return html.escape(comment, quote=False).replace("|", "&#124;").replace("*", r"\*")


def links(text: str) -> str:
    """docs/links.md with the kinds of today."""
    rows = (f"| {kind.letter} | {kind.name} | {kind.meaning} |\n" for kind in KINDS)
    return _with_rows(LINKS, "".join(rows), text)


def _with_rows(head: str, rows: str, text: str) -> str:
    """A page in which the first table with this head has these rows."""
    return re.sub(re.escape(head) + r"(?:\|.*\n)*", lambda _: head + rows, text, count=1)


PAGES = {"configuration.md": configuration, "export.md": export, "links.md": links, "tables.md": tables}

if __name__ == "__main__":
    (DOCS.parent / "config.ini").write_text(config_ini())
    for name, written in PAGES.items():
        page = DOCS / name
        page.write_text(written(page.read_text()))
