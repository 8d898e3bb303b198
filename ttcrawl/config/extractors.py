"""What items are made of: the lines of [hooks] extract, and the options of `ttcrawl extract`.

| line | items of a page |
|---|---|
| shop.py:page, shop:page | what a function of a file, or of a module, returns |
| css NAME=SELECTOR | one, of which this is a column |
| each SELECTOR | instead one for each of these elements, in which the selectors of css are looked for |
| jsonld TYPE, microdata TYPE | the things of this type that the page states; *: all |
| table SELECTOR | the rows of these tables |
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from os.path import basename

from ttcrawl.frozen import frozen

FUNCTION, CSS, EACH, JSONLD, MICRODATA, TABLE = "function", "css", "each", "jsonld", "microdata", "table"

#: Every type, or every table.
ALL = "*"

_WORD = re.compile(rf"({CSS}|{EACH}|{JSONLD}|{MICRODATA}|{TABLE})(?:\s+(.*))?")
_FUNCTION = re.compile(r"([^:]*\.py|[A-Za-z_][\w.]*):[A-Za-z_][\w.]*")
_COLUMN = re.compile(r"\s*([^=\[\]]*[^=\[\]\s])\s*(?:\[\])?\s*=\s*\S")


@frozen
class Extractor:
    """`name`: of its table. `words`: the function, selectors or types; `each`: as in the table above."""

    name: str
    kind: str
    words: tuple[str, ...]
    each: str = ""

    @property
    def definition(self) -> str:
        """All that decides what it extracts, but the code of a function."""
        return "\n".join((self.kind, self.each, *self.words))


def extractors(lines: Iterable[str]) -> tuple[Extractor, ...]:
    """The extractors of some lines, functions first. Raises ValueError for a line that is wrong.

    >>> [each.name for each in extractors(["lib/shop.py:page", "css name=h1", "css price=.price", "jsonld Product"])]
    ['shop.py:page', 'css', 'jsonld']
    """
    functions: dict[str, str] = {}
    words: dict[str, dict[str, None]] = {}
    for line in lines:
        if match := _WORD.fullmatch(line):
            words.setdefault(match[1], {})[_checked(match[1], match[2] or "")] = None
        elif _FUNCTION.fullmatch(line):
            name = basename(line)
            if functions.setdefault(name, line) != line:
                raise ValueError(f"{line}: there is another {name}: rename one of the files")
        else:
            raise ValueError(f"{line}: write FILE.py:FUNCTION, or {CSS}, {EACH}, {JSONLD}, {MICRODATA} or {TABLE}")
    each = words.pop(EACH, {})
    if each and CSS not in words:
        raise ValueError(f"{EACH} needs {CSS} NAME=SELECTOR, which is looked for in these elements")
    found = [Extractor(name=name, kind=FUNCTION, words=(line,)) for name, line in functions.items()]
    for kind, those in words.items():
        selector = ", ".join(each) if kind == CSS else ""
        found.append(Extractor(name=kind, kind=kind, words=tuple(those), each=selector))
    return tuple(found)


def _checked(kind: str, words: str) -> str:
    if kind == CSS and not _COLUMN.match(words):
        raise ValueError(f"{kind} {words}: write {kind} NAME=SELECTOR, such as {kind} price=.price")
    if kind == EACH and not words:
        raise ValueError(f"{kind}: write {kind} SELECTOR")
    return words or ALL
