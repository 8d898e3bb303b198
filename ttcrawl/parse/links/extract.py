"""The links of a page: lexbor first, html5lib if it fails, a regular expression if both do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import ada_url
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from ttcrawl.parse.links import by_lexbor, by_regex
from ttcrawl.parse.links.element import FORM
from ttcrawl.parse.links.found import Found, Rebased
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.read.regions import Span, flag, spans
from ttcrawl.vocabulary.region import CONTENT

NO_MORE = Wanted()
PARSERS = ("lexbor", "html5lib", "regex")

#: Bytes of a page whose tree fits into the memory, whatever it is made of.
SHORT = 8 << 10

_NOTHING = Found(base=None, hrefs=[], kinds=b"", regions=b"", title="", metas=[], nofollow=b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The links of one page in document order; hrefs, kinds, regions and nofollow have the same length.

    An href is the value of the attribute as the page has it, character references decoded, not resolved and not
    stripped; "" is a link to the page itself. Only those of a document in an attribute (srcdoc) with a base URL of its
    own are resolved. Links without a reference (a refresh of the page itself, a frame without src) are left out, and so
    is everything inside <template> that is no shadow tree.

    Where there are content regions, `tree` has their marks: start tags in them have the attribute regions.FLAG, and
    raw text or an attribute with a start tag in it has that text (regions.unflagged takes it out).
    """

    base: str  # the base URL in force: what the hrefs are to be resolved against
    hrefs: list[str]
    kinds: bytes  # letters of ttcrawl.vocabulary.kind
    regions: bytes  # c: in a content region, e: elsewhere
    nofollow: bytes  # 1: rel has the token nofollow; 0 otherwise, and for all that the regular expression finds
    parts: bytes = b""  # n nav, m main, h header, f footer, a aside, - none of them; empty where nobody asked
    anchors: tuple[str, ...] = ()  # the text of each link, white space collapsed; () where nobody asked
    ranks: tuple[int, ...] = ()  # of the entries of a sitemap or feed: smaller is fetched first; () of pages
    title: str  # of the first <title>, white space collapsed, at most 500 characters
    metas: list[tuple[str, str]]  # (name, content) of meta elements that have a name
    parser: str  # the one of PARSERS that served, "" if none did
    error: str  # why those before it did not, "" if the first one served
    bound: bool = False  # where its links lead depends on more of its URL than the directory, which no href shows
    tree: LexborHTMLParser | None = None  # that the links were read from; None: another parser served
    treeless: bool = False  # no tree is to be made of the page: that would take too much time or memory


def extract(html: bytes, url: str, parser: str = "lexbor", wanted: Wanted = NO_MORE) -> Extraction:
    """The links of `html` (UTF-8) that was found at `url`. Never raises.

    `parser` is the first to be tried, the ones after it in PARSERS stand in for it. The regular expression finds what
    looks like an anchor, a frame or a refresh, whatever is wanted, and calls all of it kind x; nofollow, parts and
    anchor texts it cannot tell. It alone reads a page that would keep the others busy for too long.
    """
    errors: list[str] = []
    treeless = False
    if parser != "regex" and (why := too_heavy(html)):
        errors, treeless, parser = [f"{parser}: {why}"], True, "regex"
    for name in PARSERS[PARSERS.index(parser) if parser in PARSERS else 0 :]:
        if treeless and name != "regex":
            continue
        # MemoryError and RecursionError are Exceptions too, and what a hostile page brings about in a library is
        # not to be foreseen: whatever it is, the next one gets its chance.
        try:
            found = _READERS[name](html, url, wanted)
            return _extraction(found, url, name, errors, treeless=treeless)
        except Exception as error:
            errors.append(f"{name}: {str(error) or type(error).__name__}")
            # lexbor takes whatever the memory is large enough for, and html5lib needs ten times as much
            treeless = treeless or (isinstance(error, MemoryError | SelectolaxError) and len(html) > SHORT)
    return _extraction(_NOTHING, url, "", errors, treeless=treeless)


def no_page(
    url: str, hrefs: Sequence[str] = (), kind: int = 0, anchors: tuple[str, ...] = (), title: str = ""
) -> Extraction:
    """The links of what is not HTML, all of one kind; where it has none, its response may have some."""
    found = replace(_NOTHING, hrefs=list(hrefs), kinds=bytes([kind]) * len(hrefs), anchors=anchors, title=title)
    return _extraction(found, url, "", [])


def _extraction(found: Found, url: str, parser: str, errors: list[str], *, treeless: bool = False) -> Extraction:
    base = _base(found.base, url)
    return Extraction(
        base=base,
        hrefs=_rebased(found.hrefs, found.rebased, base) if found.rebased else found.hrefs,
        kinds=found.kinds,
        regions=found.regions or bytes([CONTENT]) * len(found.hrefs),
        nofollow=found.nofollow or bytes(len(found.hrefs)),
        parts=found.parts,
        anchors=found.anchors,
        title=found.title,
        metas=found.metas,
        parser=parser,
        error="; ".join(errors),
        bound=_bound(found, base, url),
        tree=found.tree,
        treeless=treeless,
    )


def _bound(found: Found, base: str, url: str) -> bool:
    """By a base element that is the page itself, in whatever way it says so, or by a form without an action."""
    if found.base is not None and same_path(base, url):
        return True
    if any(same_path(_base(href, base), url) for _, _, href in found.rebased):
        return True
    return FORM in found.kinds and any(
        kind == FORM and same_path(href, url) for href, kind in zip(found.hrefs, found.kinds, strict=True)
    )


def same_path(one: str, other: str) -> bool:
    """Absolute URLs that differ at most in query and fragment."""
    return one.partition("#")[0].partition("?")[0] == other.partition("#")[0].partition("?")[0]


def _base(href: str | None, url: str) -> str:
    """The document base URL (HTML standard 4.2.3 and 2.4.1): only the first base element with an href counts."""
    if href is None:
        return url
    try:
        base = str(ada_url.join_url(url, href))
    except ValueError:
        return url
    return url if base.startswith(("data:", "javascript:")) else base


def _rebased(hrefs: list[str], rebased: list[Rebased], base: str) -> list[str]:
    """The hrefs of documents with a base URL of their own as absolute URLs; `base` is that of the page."""
    made = [*hrefs]
    for place, (start, end, href) in enumerate(rebased):
        around = [outer for first, last, outer in rebased[place + 1 :] if first <= start and end <= last]
        own = base
        for each in (*reversed(around), href):
            own = _base(each, own)
        for link in range(start, end):
            with suppress(ValueError):
                made[link] = str(ada_url.join_url(own, made[link]))
    return made


def _by_lexbor(html: bytes, url: str, wanted: Wanted) -> Found:
    return by_lexbor.find(_flagged(html, wanted.markers), url, wanted.markers is not None, wanted)


def _by_html5lib(html: bytes, url: str, wanted: Wanted) -> Found:
    # imported late: most crawls never need its 10 MB
    from ttcrawl.parse.links import by_html5lib

    return by_html5lib.find(_flagged(html, wanted.markers), url, wanted.markers is not None, wanted)


def _by_regex(html: bytes, url: str, wanted: Wanted) -> Found:
    regions: list[Span] | None = spans(html, *wanted.markers) if wanted.markers else None
    return by_regex.find(html, regions)


def _flagged(html: bytes, markers: tuple[bytes, bytes] | None) -> bytes:
    regions = spans(html, *markers) if markers else []
    return flag(html, regions) if regions else html


_READERS: dict[str, Callable[[bytes, str, Wanted], Found]] = {
    "lexbor": _by_lexbor,
    "html5lib": _by_html5lib,
    "regex": _by_regex,
}
