"""Links in the headers of a response: Link (RFC 8288) and Refresh. They come before the links of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

import ada_url
from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.parse.links.element import REFRESH
from ttcrawl.parse.links.extract import Extraction, same_path
from ttcrawl.parse.links.raw_links import anchor_text
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.rel import kind_of
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE
from ttcrawl.web.fields import reference, text_of
from ttcrawl.web.late import late

#: The names of headers that contain links, which may be relative, in lower case.
NAMES = ("link", "refresh")

MOST = 1000  # maximum links per response
CANONICAL = ord("c")
NOWHERE = b"-"  # their landmark: none

_SPACE = r"[ \t]*+"
_TARGET = late(r"[ \t,]*+<([^>]*+)>")
_PARAMETER = late(
    rf'{_SPACE};{_SPACE}([^ \t=;,"<>]*+){_SPACE}(?:={_SPACE}(?:"((?:[^"\\]++|\\.)*+)"?+|([^;, \t"]*+)))?+', re.DOTALL
)
_ESCAPE = late(r"\\(.)", re.DOTALL)


class HeaderLink(Struct, frozen=True, kw_only=True):
    href: str
    kind: int  # letter of ttcrawl.vocabulary.kind
    title: str


def in_headers(headers: Iterable[tuple[str, str]], url: str) -> list[HeaderLink]:
    """The links in the headers of a response from `url`: absolute if they are URLs, at most MOST.

    Links whose context is another resource (parameter anchor) do not belong to this page and are left out.
    """
    links: list[HeaderLink] = []
    for name, value in headers:
        if name.lower() == "link":
            links += _links(value, url)
        elif name.lower() == "refresh":
            target = refresh(value)
            if target and target[1] is not None:
                links.append(HeaderLink(href=_joined(url, reference(target[1])), kind=REFRESH, title=""))
    return links[:MOST]


def canonical(headers: Iterable[tuple[str, str]], url: str) -> str:
    """The canonical URL (RFC 6596) in the headers of a response from `url`, absolute if it is a URL; "" if none."""
    return next((link.href for link in in_headers(headers, url) if link.kind == CANONICAL), "")


def with_headers(page: Extraction, headers: Iterable[tuple[str, str]], url: str, wanted: Wanted) -> Extraction:
    """The page with the wanted links of its headers before its own."""
    headers = tuple(headers)
    links = in_headers(headers, url)
    if any(same_path(link.href, url) for link in links) or _has_anchors(headers):
        page = replace(page, uses_page_url=True)
    return before(page, _wanted(links, wanted), wanted)


def titles_in_headers(headers: Iterable[tuple[str, str]], url: str, wanted: Wanted) -> tuple[str, ...]:
    """The anchor texts of the wanted links in headers."""
    return tuple(link.title for link in _wanted(in_headers(headers, url), wanted)) if wanted.anchors else ()


def _wanted(links: Iterable[HeaderLink], wanted: Wanted) -> list[HeaderLink]:
    return [link for link in links if link.kind in wanted.kinds]


def before(page: Extraction, first: Sequence[HeaderLink], wanted: Wanted) -> Extraction:
    """The page with links that come before its own."""
    if not first:
        return page
    # the regular expression reports neither landmarks nor anchor texts
    landmarks, anchors = page.landmarks or NOWHERE * len(page.hrefs), page.anchors or ("",) * len(page.hrefs)
    return replace(
        page,
        hrefs=[*(link.href for link in first), *page.hrefs],
        kinds=bytes(link.kind for link in first) + page.kinds,
        regions=bytes([ELSEWHERE if wanted.markers else CONTENT]) * len(first) + page.regions,
        nofollow=bytes(len(first)) + page.nofollow,
        landmarks=NOWHERE * len(first) + landmarks if wanted.landmarks else b"",
        anchors=(*(link.title for link in first), *anchors) if wanted.anchors else (),
        ranks=(0,) * len(first) + page.ranks if page.ranks else (),
    )


def _has_anchors(headers: Iterable[tuple[str, str]]) -> bool:
    """Whether there may be links whose context is another page."""
    return any(name.lower() == "link" and "anchor" in value.lower() for name, value in headers)


def versions_in_headers(headers: Iterable[tuple[str, str]], url: str) -> list[tuple[str, str]]:
    """The languages of a page and their URLs, at most MOST: the links rel=alternate with hreflang.

    >>> versions_in_headers([("Link", '</de>; rel=alternate; hreflang="de"')], "http://a.test/")
    [('de', 'http://a.test/de')]
    """
    links = (link for name, value in headers if name.lower() == "link" for link in _parsed(value))
    return [
        (parameters["hreflang"], _joined(url, reference(target)))
        for target, parameters in links
        if "hreflang" in parameters
        and "alternate" in parameters.get("rel", "").lower().split()
        and _is_of_page(parameters, url)
    ][:MOST]


def _links(value: str, url: str) -> Iterator[HeaderLink]:
    for target, parameters in _parsed(value):
        kind = kind_of(parameters.get("rel", ""), parameters.get("type", ""))
        if kind is not None and _is_of_page(parameters, url):
            yield HeaderLink(href=_joined(url, reference(target)), kind=kind, title=_title(parameters))


def _is_of_page(parameters: dict[str, str], url: str) -> bool:
    context = parameters.get("anchor")
    return context is None or _page(url, reference(context)) == _page(url, "")


def _parsed(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Targets and parameters. RFC 8288 appendix B.2; an invalid link ends the field."""
    position = 0
    while target := _TARGET.match(value, position):
        position = target.end()
        parameters: dict[str, str] = {}
        while parameter := _PARAMETER.match(value, position):
            position = parameter.end()
            quoted = parameter[2]
            text = _ESCAPE.sub(r"\1", quoted) if quoted is not None else parameter[3] or ""
            parameters.setdefault(parameter[1].lower(), text)  # the first one counts
        yield target[1], parameters
        comma = value.find(",", position)  # skip invalid parameters
        position = len(value) if comma < 0 else comma


def _title(parameters: dict[str, str]) -> str:
    """title* (RFC 8187) takes precedence over title."""
    charset, _, tail = parameters.get("title*", "").partition("'")
    extended = tail.partition("'")[2]
    if extended and charset.lower() in ("utf-8", "iso-8859-1"):
        return anchor_text(unquote(extended, encoding=charset))
    return anchor_text(text_of(parameters.get("title", "")))


def _joined(url: str, href: str) -> str:
    """Absolute, so that the <base> of the page does not apply; unchanged if it is not a URL."""
    try:
        return str(ada_url.join_url(url, href))
    except ValueError:
        return href


def _page(url: str, href: str) -> str:
    return _joined(url, href).partition("#")[0]
