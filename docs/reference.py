"""Write what the manual repeats from the program: config.ini, and the tables of its keys in docs/configuration.md.

    python docs/reference.py

A key is declared once, in ttcrawl/config. Prose between the tables stays as it is.
"""

from __future__ import annotations

import html
import re
from dataclasses import Field
from pathlib import Path
from typing import Any

from ttcrawl.config import SECTIONS, HostSection, example, keys

DOCS = Path(__file__).parent
HEAD = "| key | default | meaning |\n|---|---|---|\n"
#: The line that begins a section, then prose, then its table.
SECTION = re.compile(r"^\*\*\[([\w:]+)\]\*\*.*?\n(?=\| key )", re.MULTILINE | re.DOTALL)
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def config_ini() -> str:
    return example()


def configuration(text: str) -> str:
    """docs/configuration.md with the tables of today."""
    sections: dict[str, Any] = {each.name: each.default for each in SECTIONS} | {"host:NAME": HostSection}
    for name, section in sections.items():
        start = next(match.end() for match in SECTION.finditer(text) if match[1] == name)
        rows = "".join(_row(name, key) for key in keys(section))
        text = text[:start] + TABLE.sub(lambda _, rows=rows: HEAD + rows, text[start:], count=1)
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


if __name__ == "__main__":
    (DOCS.parent / "config.ini").write_text(config_ini())
    page = DOCS / "configuration.md"
    page.write_text(configuration(page.read_text()))
