"""What one reader of HTML found in a page, before anything is resolved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.parts import LETTERS, ROOT
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import unflagged
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE

#: Links of a document in an attribute that has its own base URL: from, to, and the href of its base element; those of
#: a document in a document come before those of the outer one.
Rebased: TypeAlias = tuple[int, int, str]

TITLE_LENGTH = 500  # characters
ANCHOR_LENGTH = 200  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The links in document order: hrefs, kinds, regions and nofollow have the same length (see links.Extraction).

    Regions, parts and anchors are empty where nobody asked for them, nofollow where nobody looked.
    """

    base: str | None  # the href of the first base element that has one
    hrefs: list[str]
    kinds: bytes
    regions: bytes
    title: str
    metas: list[tuple[str, str]]  # (name, content) of meta elements that have a name
    nofollow: bytes  # 1: rel has the token nofollow
    parts: bytes = b""
    anchors: tuple[str, ...] = ()
    tree: LexborHTMLParser | None = None
    rebased: list[Rebased] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Gathered:
    """The links of a page while it is being read."""

    flagged: bool  # regions.flag marked what is in a region
    wanted: Wanted
    hrefs: list[str] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    regions: bytearray = field(default_factory=bytearray)
    nofollow: list[int] = field(default_factory=list)  # places of links that say so
    parts: bytearray = field(default_factory=bytearray)
    anchors: list[str] = field(default_factory=list)
    rebased: list[Rebased] = field(default_factory=list)

    def add(self, kind: int, href: str, part: int, anchor: str, *, inside: bool, nofollow: bool) -> None:
        if nofollow:
            self.nofollow.append(len(self.hrefs))
        self.hrefs.append(href)
        self.kinds.append(kind)
        self.parts.append(part)
        self.anchors.append(anchor)
        if self.flagged:
            self.regions.append(CONTENT if inside else ELSEWHERE)

    def take(self, inner: Gathered, part: int, base: str | None, *, inside: bool) -> None:
        """The links of markup in an element that stands in this part of the page, in a region or not (`inside`);
        `base`: the href of its own base element. What says of itself where it stands has the last word."""
        start, none = len(self.hrefs), LETTERS[ROOT]
        self.nofollow += [start + place for place in inner.nofollow]
        self.hrefs += inner.hrefs
        self.kinds += inner.kinds
        self.anchors += inner.anchors
        self.parts += bytes(part if each == none else each for each in inner.parts)
        if self.flagged:
            self.regions += inner.regions or bytes([CONTENT if inside else ELSEWHERE]) * len(inner.hrefs)
        add_rebased(self.rebased, inner.rebased, start, len(inner.hrefs), base)

    def found(
        self, base: str | None, title: str, metas: list[tuple[str, str]], tree: LexborHTMLParser | None = None
    ) -> Found:
        nofollow = bytearray(len(self.hrefs))
        for place in self.nofollow:
            nofollow[place] = 1
        read = Found(
            base=base,
            hrefs=self.hrefs,
            kinds=bytes(self.kinds),
            regions=bytes(self.regions),
            title=tidy(title),
            metas=metas,
            nofollow=bytes(nofollow),
            parts=bytes(self.parts) if self.wanted.parts else b"",
            anchors=tuple(self.anchors) if self.wanted.anchors else (),
            tree=tree,
            rebased=self.rebased,
        )
        return _unmarked(read, title) if self.flagged else read


def add_rebased(to: list[Rebased], inner: list[Rebased], start: int, count: int, base: str | None) -> None:
    """`count` links of a document with these from `start` on."""
    to += [(first + start, end + start, href) for first, end, href in inner]
    if base is not None and count:
        to.append((start, start + count, base))


def tidy(title: str) -> str:
    """White space collapsed, cut at TITLE_LENGTH characters."""
    return " ".join(title.split())[:TITLE_LENGTH]


def anchor_text(text: str) -> str:
    """White space collapsed, cut at ANCHOR_LENGTH characters, without marks of regions."""
    if "<" in text:
        text = unflagged(text)
    return " ".join(text.split())[:ANCHOR_LENGTH]


def _unmarked(read: Found, title: str) -> Found:
    """Without the marks of regions; only then the title is cut."""
    return replace(
        read,
        hrefs=[unflagged(href) for href in read.hrefs],
        title=tidy(unflagged(title)),
        metas=[(unflagged(name), unflagged(content)) for name, content in read.metas],
    )


def is_nofollow(rel: str) -> bool:
    """The attribute rel of a link has the token nofollow (HTML standard 4.6.6.12)."""
    return "nofollow" in rel.lower().split()
