"""The links of a page: lexbor first, html5lib if it fails, a regular expression if both do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ada_url

from ttcrawl.parse import links_lexbor, links_regex
from ttcrawl.parse.found import Found
from ttcrawl.parse.regions import Span, flag, spans

#: Where a link stands, one letter each.
KINDS = {
    "a": "a href",
    "m": "area href",
    "f": "frame src",
    "i": "iframe src",
    "r": "meta refresh",
    "x": "found by the regular expression",
}
PARSERS = ("lexbor", "html5lib", "regex")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The links of one page in document order; hrefs, kinds, regions and nofollow have the same length.

    An href is the value of the attribute as the page has it, character references decoded, not resolved and not
    stripped; "" is a link to the page itself. Links without a reference (a refresh of the page itself, a frame without
    src) are left out, and so is everything inside <template>.
    """

    base: str  # the base URL in force: what the hrefs are to be resolved against
    hrefs: list[str]
    kinds: bytes  # letters of KINDS
    regions: bytes  # c: in a content region, e: elsewhere
    nofollow: bytes  # 1: rel has the token nofollow; 0 otherwise, and for every link unless `rels` was asked for
    title: str  # of the first <title>, white space collapsed, at most 500 characters
    metas: list[tuple[str, str]]  # (name, content) of meta elements that have a name
    parser: str  # the one of PARSERS that served, "" if none did
    error: str  # why those before it did not, "" if the first one served


def extract(
    html: bytes, url: str, parser: str = "lexbor", markers: tuple[bytes, bytes] | None = None, rels: bool = False
) -> Extraction:
    """The links of `html` (UTF-8) that was found at `url`. Never raises.

    `parser` is the first to be tried, the ones after it in PARSERS stand in for it. `markers` are the texts that begin
    and end a content region (see ttcrawl.parse.regions); None or an empty begin: everything is content.
    `rels`: look for rel=nofollow too, which the regular expression cannot.
    """
    errors: list[str] = []
    for name in PARSERS[PARSERS.index(parser) if parser in PARSERS else 0 :]:
        # MemoryError and RecursionError are Exceptions too, and what a hostile page brings about in a library is
        # not to be foreseen: whatever it is, the next one gets its chance.
        try:
            found = _READERS[name](html, markers if markers and markers[0] else None, rels)
            return _extraction(found, url, name, errors)
        except Exception as error:
            errors.append(f"{name}: {str(error) or type(error).__name__}")
    nothing = Found(base=None, hrefs=[], kinds=b"", regions=b"", title="", metas=[], nofollow=b"")
    return _extraction(nothing, url, "", errors)


def _extraction(found: Found, url: str, parser: str, errors: list[str]) -> Extraction:
    return Extraction(
        base=_base(found.base, url),
        hrefs=found.hrefs,
        kinds=found.kinds,
        regions=found.regions or b"c" * len(found.hrefs),
        nofollow=found.nofollow or bytes(len(found.hrefs)),
        title=found.title,
        metas=found.metas,
        parser=parser,
        error="; ".join(errors),
    )


def _base(href: str | None, url: str) -> str:
    """The document base URL (HTML standard 4.2.3 and 2.4.1): only the first base element with an href counts."""
    if href is None:
        return url
    try:
        base = str(ada_url.join_url(url, href))
    except ValueError:
        return url
    return url if base.startswith(("data:", "javascript:")) else base


Markers = tuple[bytes, bytes] | None


def _by_lexbor(html: bytes, markers: Markers, rels: bool) -> Found:
    return links_lexbor.find(_flagged(html, markers), markers is not None, rels)


def _by_html5lib(html: bytes, markers: Markers, rels: bool) -> Found:
    # imported late: most crawls never need its 10 MB
    from ttcrawl.parse import links_html5lib

    return links_html5lib.find(_flagged(html, markers), markers is not None, rels)


def _by_regex(html: bytes, markers: Markers, _: bool) -> Found:
    regions: list[Span] | None = spans(html, *markers) if markers else None
    return links_regex.find(html, regions)


def _flagged(html: bytes, markers: Markers) -> bytes:
    regions = spans(html, *markers) if markers else []
    return flag(html, regions) if regions else html


_READERS: dict[str, Callable[[bytes, Markers, bool], Found]] = {
    "lexbor": _by_lexbor,
    "html5lib": _by_html5lib,
    "regex": _by_regex,
}
