"""Pages read by the compiled core: their links, their texts, and what they declare."""

from __future__ import annotations

from msgspec import Struct

from ttcrawl import core
from ttcrawl.config import Config, Duplicates, Record
from ttcrawl.config.needed import needs_main_text, needs_page, needs_text
from ttcrawl.parse.links import css, element, jsonld, location
from ttcrawl.parse.links.element import TEXT
from ttcrawl.parse.links.landmarks import landmark
from ttcrawl.parse.links.raw_links import RawLinks, anchor_text, is_nofollow, tidy
from ttcrawl.parse.links.rel import kind_of
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.read.declarations import HEADINGS, Declarations
from ttcrawl.read.fingerprints.fingerprint import LONGEST
from ttcrawl.read.landmarks import NAMES, block_kind
from ttcrawl.read.microdata import is_other_item
from ttcrawl.read.texts import PageTexts


class CompiledPage(Struct, frozen=True):
    """A page that the core read; without declarations and texts if the crawl does not need them."""

    links: RawLinks
    declarations: Declarations | None
    texts: PageTexts | None


class CompiledReader:
    """Reads pages that are regular. The others, and all pages under some configurations, are left to Python."""

    def __init__(self, wanted: Wanted, config: Config) -> None:
        self._wanted = wanted
        self._left = _left_by_config(wanted, config)
        if not self._left:
            self._reader = core.native.Reader(Rules(wanted, config.record, config.duplicates))

    def read(self, html: bytes, anchors: tuple[str, ...] = ()) -> CompiledPage | str:
        """Read a page in UTF-8; or return why it is left to Python. `anchors`: the texts of links in its headers."""
        if why := self._left or too_heavy(html):
            return why
        try:
            read = self._reader.read(html, anchors)
        except Exception as error:  # of a rule: as in ttcrawl.parse.links.extract
            return type(error).__name__
        if isinstance(read, str):
            return read
        links, declared, texts = read
        return CompiledPage(
            links=self._links(links),
            declarations=_declarations(declared) if declared is not None else None,
            texts=PageTexts(*texts) if texts is not None else None,
        )

    def _links(self, links: core.native.Links) -> RawLinks:
        hrefs, kinds, landmarks, nofollow, anchors, base, metas, title = links
        return RawLinks(
            base=base,
            hrefs=hrefs,
            kinds=kinds,
            regions=b"",
            title=tidy(title),
            metas=metas,
            nofollow=nofollow,
            landmarks=landmarks if self._wanted.landmarks else b"",
            anchors=anchors if self._wanted.anchors else (),
        )


def _left_by_config(wanted: Wanted, config: Config) -> str:
    """Why all pages are left to Python; "": they are not."""
    if core.native is None:
        return core.why_python or core.PYTHON
    if config.links.parser != "lexbor":
        return f"parser {config.links.parser}"
    if wanted.markers:
        return "content regions"
    if TEXT in wanted.kinds:
        return "URLs in texts"
    if wanted.nearby:
        return "words near links"
    return ""


class Rules:
    """What the core asks about elements. It remembers the answers."""

    def __init__(self, wanted: Wanted, settings: Record, compared: Duplicates) -> None:
        self._wanted = wanted
        self.kinds = "".join(map(chr, sorted(wanted.kinds)))
        self.tags = " ".join(sorted(element.tags(wanted.kinds)))
        self.wants_landmarks, self.wants_anchors = wanted.landmarks, wanted.anchors
        self.wants_page = needs_page(settings, compared)
        self.wants_text = needs_text(settings, compared)
        self.wants_main = needs_main_text(settings, compared)
        self.wants_folded, self.wants_shingles = compared.exact, compared.near
        self.shingle, self.fewest_words = compared.shingle, compared.min_words
        self.longest = LONGEST
        self.style = css.urls
        self.goes, self.goes_by_href = location.locations, location.in_href
        self.jumps = location.goes_to_choice
        self.landmark, self.is_nofollow = landmark, is_nofollow
        self.block_kind, self.names = block_kind, NAMES
        self.is_other_item = is_other_item

    def links(self, tag: str, attributes: dict[str, str], parent: str) -> tuple[tuple[int, str, str, bool], ...]:
        """(kind, href, anchor text, nofollow) of an element other than <a>."""
        links = element.references(tag, attributes, parent)
        if not links:
            return ()
        label = element.label(tag, attributes) if self._wanted.anchors else ""
        nofollow = tag == "area" and is_nofollow(attributes.get("rel", ""))
        anchor = anchor_text(label) if label else ""
        return tuple((kind, href, anchor, nofollow) for kind, href in links if kind in self._wanted.kinds)

    def kind_of_link(self, rel: str, media_type: str) -> int:
        """The letter of the kind of a link element; 0 if it leads to no page."""
        return kind_of(rel, media_type) or 0

    def json_ld(self, media_type: str, text: str) -> list[str]:
        return jsonld.urls(text) if element.is_json_ld({"type": media_type}) else []


def _declarations(declared: core.native.Declared) -> Declarations:
    metas, times, links, scripts, html, headings = declared
    return Declarations(metas=metas, times=times, links=links, html=html, scripts=scripts, headings=headings[:HEADINGS])
