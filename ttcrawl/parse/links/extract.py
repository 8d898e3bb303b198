"""The links of a page: by lexbor; if it fails by html5lib; if both fail by a regular expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import ada_url
from msgspec import Struct
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from ttcrawl.parse.links import by_lexbor, by_regex
from ttcrawl.parse.links.element import FORM
from ttcrawl.parse.links.query import with_query
from ttcrawl.parse.links.raw_links import RawLinks, Rebased
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.read.regions import Span, flag, spans
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.vocabulary.region import CONTENT
from ttcrawl.web.charset.detect import UTF8

NO_MORE = Wanted()

#: Bytes of a page whose tree fits into memory for any markup.
SHORT = 8 << 10

#: Finds the links of a page with this URL and encoding; may raise anything.
Reader: TypeAlias = Callable[[bytes, str, Wanted, str], RawLinks]

_NOTHING = RawLinks(base=None, hrefs=[], kinds=b"", regions=b"", title="", metas=[], nofollow=b"")

#: Characters of the base URL of a srcdoc, above which its links are not told apart.
LONGEST_BASE = 8192


class Extraction(Struct, frozen=True, kw_only=True):
    """The links of one page in document order; hrefs, kinds, regions and nofollow have the same length.

    An href is the value of the attribute in the page, with character references decoded, neither resolved nor stripped;
    "" is a link to the page itself. If the page is not UTF-8, queries are percent-encoded. Only hrefs of a document in
    an attribute (srcdoc) with its own base URL are resolved. Links without a reference (a refresh of the page itself, a
    frame without src) are left out, as is everything inside <template>, unless it is a shadow tree.

    If there are content regions, `tree` contains their marks: start tags in regions have the attribute regions.FLAG,
    and raw text or an attribute that contains a start tag has that mark as text (regions.unflagged removes it).
    """

    base: str  # the base URL in force: hrefs are resolved against it
    hrefs: Sequence[str]
    kinds: bytes  # letters of ttcrawl.vocabulary.kind
    regions: bytes  # c: in a content region, e: elsewhere
    nofollow: bytes  # 1: rel contains the token nofollow; 0 otherwise, and for links by the regular expression
    landmarks: bytes = b""  # n nav, m main, h header, f footer, a aside, - none of them; empty if not requested
    anchors: Sequence[str] = ()  # text of each link, white space collapsed; () if not requested
    nearby: dict[int, str] = {}  # index of an <a> -> the words near it, if requested and there are some
    ranks: tuple[int, ...] = ()  # for entries of a sitemap or feed: smaller is fetched first; () for pages
    dates: tuple[float, ...] = ()  # for these: when the page last changed, 0: unknown; () if dates are not signals
    title: str  # of the first <title>, white space collapsed, at most 500 characters
    metas: list[tuple[str, str]]  # (name, content) of meta elements with a name
    parser: str  # the parser in PARSERS that succeeded, "" if none did
    error: str  # why earlier parsers failed, "" if the first one succeeded
    uses_page_url: bool = False  # its link targets depend on more of its URL than the directory, and no href shows it
    tree: LexborHTMLParser | None = None  # the source of the links; None: another parser succeeded
    treeless: bool = False  # a tree of this page would take too much time or memory


def extract(
    html: bytes,
    url: str,
    parser: str = "lexbor",
    wanted: Wanted = NO_MORE,
    charset: str = UTF8,
    *,
    weigh: Callable[[bytes], str] = too_heavy,
    readers: Mapping[str, Reader] | None = None,
) -> Extraction:
    """The links of `html` (UTF-8) that was fetched from `url` in the encoding `charset`. Never raises.

    `parser` is tried first, then the parsers after it in PARSERS. The regular expression ignores `wanted`: it finds
    anchors, frames and refreshes, gives all of them kind x, and reports no nofollow, landmarks or anchor texts. Pages
    that would take the other parsers too long, as `weigh` says, are read by the regular expression only. `readers` are
    the parsers by name; None: READERS.
    """
    readers = READERS if readers is None else readers
    errors: list[str] = []
    treeless = False
    if parser != "regex" and (why := weigh(html)):
        errors, treeless, parser = [f"{parser}: {why}"], True, "regex"
    for name in PARSERS[PARSERS.index(parser) if parser in PARSERS else 0 :]:
        if treeless and name != "regex":
            continue
        # MemoryError and RecursionError are Exceptions too. Hostile pages may cause any error in a library: after each
        # one, the next parser is tried.
        try:
            raw = readers[name](html, url, wanted, charset)
            return extraction(raw, url, name, errors, charset, treeless=treeless)
        except Exception as error:
            errors.append(f"{name}: {str(error) or type(error).__name__}")
            # lexbor uses all memory there is, and html5lib needs ten times as much
            treeless = treeless or (isinstance(error, MemoryError | SelectolaxError) and len(html) > SHORT)
    return extraction(_NOTHING, url, "", errors, treeless=treeless)


def no_page(
    url: str, hrefs: Sequence[str] = (), kind: int = 0, anchors: tuple[str, ...] = (), title: str = ""
) -> Extraction:
    """The links of content other than HTML, all of one kind. Even without links, its headers may contain some."""
    raw = replace(_NOTHING, hrefs=list(hrefs), kinds=bytes([kind]) * len(hrefs), anchors=anchors, title=title)
    return extraction(raw, url, "", [])


def extraction(
    raw: RawLinks, url: str, parser: str, errors: list[str], charset: str = UTF8, *, treeless: bool = False
) -> Extraction:
    if charset != UTF8:
        raw = _in_charset(raw, charset)
    base = _base(raw.base, url)
    return Extraction(
        base=base,
        hrefs=_rebased(raw.hrefs, raw.rebased, base) if raw.rebased else raw.hrefs,
        kinds=raw.kinds,
        regions=raw.regions or bytes([CONTENT]) * len(raw.hrefs),
        nofollow=raw.nofollow or bytes(len(raw.hrefs)),
        landmarks=raw.landmarks,
        anchors=raw.anchors,
        nearby=raw.nearby,
        title=raw.title,
        metas=raw.metas,
        parser=parser,
        error="; ".join(errors),
        uses_page_url=_uses_page_url(raw, base, url),
        tree=raw.tree,
        treeless=treeless,
    )


def _in_charset(raw: RawLinks, charset: str) -> RawLinks:
    return replace(
        raw,
        base=None if raw.base is None else with_query(raw.base, charset),
        hrefs=[with_query(href, charset) for href in raw.hrefs],
        rebased=[(start, end, with_query(base, charset)) for start, end, base in raw.rebased],
    )


def _uses_page_url(raw: RawLinks, base: str, url: str) -> bool:
    """Whether links depend on the page's own URL: by a base element that points to the page, or a form without an
    action."""
    if raw.base is not None and same_path(base, url):
        return True
    if any(same_path(_base(href, base), url) for _, _, href in raw.rebased):
        return True
    return FORM in raw.kinds and any(
        kind == FORM and same_path(href, url) for href, kind in zip(raw.hrefs, raw.kinds, strict=True)
    )


def same_path(url: str, other: str) -> bool:
    """Whether two absolute URLs differ at most in query and fragment."""
    return url.partition("#")[0].partition("?")[0] == other.partition("#")[0].partition("?")[0]


def _base(href: str | None, url: str) -> str:
    """The document base URL (HTML standard 4.2.3 and 2.4.1): only the first base element with an href counts."""
    if href is None:
        return url
    try:
        base = str(ada_url.join_url(url, href))
    except ValueError:
        return url
    return url if base.startswith(("data:", "javascript:")) else base


def _rebased(hrefs: Sequence[str], rebased: list[Rebased], base: str) -> list[str]:
    """The hrefs, absolute for documents with their own base URL; `base` is the base URL of the page."""
    joined = [*hrefs]
    for index, (start, end, href) in enumerate(rebased):
        around = [outer for first, last, outer in rebased[index + 1 :] if first <= start and end <= last]
        own = base
        for each in (*reversed(around), href):
            own = _base(each, own)
        for link in range(start, end):
            with suppress(ValueError):
                joined[link] = str(ada_url.join_url(own, joined[link]))
            if len(own) > LONGEST_BASE < len(joined[link]):
                joined[link] = own  # one URL that is refused, not a copy of the base for each link
    return joined


def _by_lexbor(html: bytes, url: str, wanted: Wanted, charset: str) -> RawLinks:
    return by_lexbor.find(_flagged(html, wanted.markers), url, wanted.markers is not None, wanted, charset)


def _by_html5lib(html: bytes, url: str, wanted: Wanted, charset: str) -> RawLinks:
    # imported late: most crawls never need its 10 MB
    from ttcrawl.parse.links import by_html5lib

    return by_html5lib.find(_flagged(html, wanted.markers), url, wanted.markers is not None, wanted, charset)


def _by_regex(html: bytes, url: str, wanted: Wanted, charset: str) -> RawLinks:
    regions: list[Span] | None = spans(html, *wanted.markers) if wanted.markers else None
    return by_regex.find(html, regions)


def _flagged(html: bytes, markers: tuple[bytes, bytes] | None) -> bytes:
    regions = spans(html, *markers) if markers else []
    return flag(html, regions) if regions else html


READERS: dict[str, Reader] = {
    "lexbor": _by_lexbor,
    "html5lib": _by_html5lib,
    "regex": _by_regex,
}
