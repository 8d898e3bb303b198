"""The links that one HTML parser found in a page, before they are resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.landmarks import LETTERS, ROOT
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import unflagged
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE

#: Links of a document in an attribute with its own base URL: start, end, and the href of its base element. Inner
#: documents come before the outer one.
Rebased: TypeAlias = tuple[int, int, str]

TITLE_LENGTH = 500  # characters
ANCHOR_LENGTH = 200  # characters


class RawLinks(Struct, frozen=True, kw_only=True):
    """The links in document order: hrefs, kinds, regions and nofollow have the same length (see links.Extraction).

    A Struct, as all that is created once per page: it takes a tenth of the time of a frozen dataclass.

    Regions, landmarks and anchors are empty if not requested, nofollow if the parser does not report it.
    """

    base: str | None  # the href of the first base element with an href
    hrefs: Sequence[str]
    kinds: bytes
    regions: bytes
    title: str
    metas: list[tuple[str, str]]  # (name, content) of meta elements with a name
    nofollow: bytes  # 1: rel contains the token nofollow
    landmarks: bytes = b""
    anchors: Sequence[str] = ()
    nearby: dict[int, str] = {}  # index of a link -> the words near it, where there are some
    tree: LexborHTMLParser | None = None
    rebased: list[Rebased] = []


class Gathered(Struct, kw_only=True):
    """The links of a page while it is read."""

    flagged: bool  # regions.flag marked the content regions
    wanted: Wanted
    hrefs: list[str] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    regions: bytearray = field(default_factory=bytearray)
    nofollow: list[int] = field(default_factory=list)  # indexes of nofollow links
    landmarks: bytearray = field(default_factory=bytearray)
    anchors: list[str] = field(default_factory=list)
    nearby: dict[int, str] = field(default_factory=dict)
    rebased: list[Rebased] = field(default_factory=list)

    def add(self, kind: int, href: str, landmark: int, anchor: str, *, inside: bool, nofollow: bool) -> None:
        if nofollow:
            self.nofollow.append(len(self.hrefs))
        self.hrefs.append(href)
        self.kinds.append(kind)
        self.landmarks.append(landmark)
        self.anchors.append(anchor)
        if self.flagged:
            self.regions.append(CONTENT if inside else ELSEWHERE)

    def take(self, inner: Gathered, landmark: int, base: str | None, *, inside: bool) -> None:
        """Add the links of markup inside an element: `landmark` is the element's, `inside` whether it is in a content
        region, `base` the href of the markup's own base element. A landmark within the markup takes precedence."""
        start, none = len(self.hrefs), LETTERS[ROOT]
        self.nofollow += [start + index for index in inner.nofollow]
        self.hrefs += inner.hrefs
        self.kinds += inner.kinds
        self.anchors += inner.anchors
        self.nearby |= {start + index: words for index, words in inner.nearby.items()}
        self.landmarks += bytes(landmark if each == none else each for each in inner.landmarks)
        if self.flagged:
            self.regions += inner.regions or bytes([CONTENT if inside else ELSEWHERE]) * len(inner.hrefs)
        add_rebased(self.rebased, inner.rebased, start, len(inner.hrefs), base)

    def raw_links(
        self, base: str | None, title: str, metas: list[tuple[str, str]], tree: LexborHTMLParser | None = None
    ) -> RawLinks:
        nofollow = bytearray(len(self.hrefs))
        for index in self.nofollow:
            nofollow[index] = 1
        links = RawLinks(
            base=base,
            hrefs=self.hrefs,
            kinds=bytes(self.kinds),
            regions=bytes(self.regions),
            title=tidy(title),
            metas=metas,
            nofollow=bytes(nofollow),
            landmarks=bytes(self.landmarks) if self.wanted.landmarks else b"",
            anchors=tuple(self.anchors) if self.wanted.anchors else (),
            nearby=self.nearby,
            tree=tree,
            rebased=self.rebased,
        )
        return _unmarked(links, title) if self.flagged else links


def add_rebased(to: list[Rebased], inner: list[Rebased], start: int, count: int, base: str | None) -> None:
    """Add `count` links, from index `start` on, of a document that contains `inner`."""
    to += [(first + start, end + start, href) for first, end, href in inner]
    if base is not None and count:
        to.append((start, start + count, base))


def tidy(title: str) -> str:
    """White space collapsed, at most TITLE_LENGTH characters."""
    return " ".join(title.split())[:TITLE_LENGTH]


def anchor_text(text: str) -> str:
    """White space collapsed, at most ANCHOR_LENGTH characters, without region marks."""
    if "<" in text:
        text = unflagged(text)
    return " ".join(text.split())[:ANCHOR_LENGTH]


def _unmarked(links: RawLinks, title: str) -> RawLinks:
    """Without region marks; the title is shortened only after they are removed."""
    return replace(
        links,
        hrefs=[unflagged(href) for href in links.hrefs],
        title=tidy(unflagged(title)),
        metas=[(unflagged(name), unflagged(content)) for name, content in links.metas],
    )


def is_nofollow(rel: str) -> bool:
    """Whether the attribute rel of a link contains the token nofollow (HTML standard 4.6.6.12)."""
    return "nofollow" in rel.lower().split()
