"""What one reader of HTML found in a page, before anything is resolved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.regions import CONTENT, ELSEWHERE, unflagged
from ttcrawl.parse.links.wanted import Wanted

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

    def add(self, kind: int, href: str, part: int, anchor: str, *, inside: bool, nofollow: bool) -> None:
        if nofollow:
            self.nofollow.append(len(self.hrefs))
        self.hrefs.append(href)
        self.kinds.append(kind)
        self.parts.append(part)
        self.anchors.append(anchor)
        if self.flagged:
            self.regions.append(CONTENT if inside else ELSEWHERE)

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
        )
        return _unmarked(read, title) if self.flagged else read


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
