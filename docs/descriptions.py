"""The description of each page of the manual, for search engines: its first sentences. A hook of mkdocs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

#: Characters: search engines cut longer ones.
LONGEST = 160

#: Beginnings of blocks that are no sentences: headings, code, tables, lists, HTML, pictures.
_NO_SENTENCE = re.compile(r"#|```|\||- |\d+\. |<|!| {4}|\Z")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[`*]|<[^>]*>")
_SENTENCE_END = re.compile(r"[.:?](?=\s|$)")


def on_page_markdown(markdown: str, page: Page, **_: Any) -> None:
    """Called by mkdocs for each page."""
    page.meta.setdefault("description", description(markdown))


def description(markdown: str) -> str:
    """As many of the first sentences of a page as there is room for; of a long one, its beginning.

    >>> description("# Title\\n\\n`a` is a [page](x.md). It is short.\\n\\nMore.")
    'a is a page. It is short.'
    """
    blocks = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL).split("\n\n")
    first = next((each for each in blocks if not _NO_SENTENCE.match(each.strip("\n"))), "")
    text = " ".join(_MARKS.sub("", _LINK.sub(r"\1", first)).split())
    ends = [end.end() for end in _SENTENCE_END.finditer(text) if end.end() <= LONGEST]
    return text[: ends[-1]].rstrip(":") if ends else text[: LONGEST - 3].rpartition(" ")[0] + "..."
