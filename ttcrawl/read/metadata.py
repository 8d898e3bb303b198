"""DeclaredMetadata from the elements and headers of a page, in order of their reliability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from json.encoder import encode_basestring

from msgspec import Struct

from ttcrawl.read.dates import NEVER, iso_of_header, iso_until
from ttcrawl.read.declarations import Attributes, Declaration, Declarations
from ttcrawl.read.jsonld import is_url, stated
from ttcrawl.read.regions import unflagged

#: Maximum characters of a description, the keywords and an author; of a heading and a value of Open Graph.
LONG, SHORT = 1000, 300
PROPERTIES = 60

_DESCRIPTION = ("description", "og:description", "dcterms.description", "dc.description", "twitter:description")
_KEYWORDS = ("keywords", "news_keywords", "dcterms.subject", "dc.subject")
_AUTHOR = ("author", "article:author", "dcterms.creator", "dc.creator", "citation_author")
#: Elements of these names stand beside each other, one for each author or keyword.
_SEVERAL = frozenset((*_AUTHOR, "dcterms.subject", "dc.subject"))
_PUBLISHED = (
    "article:published_time",
    "datepublished",
    "dcterms.issued",
    "dcterms.created",
    "dc.date.issued",
    "dcterms.date",
    "dc.date",
    "citation_publication_date",
    "citation_date",
    "og:published_time",
    "date",
    "pubdate",
    "parsely-pub-date",
)
_MODIFIED = (
    "article:modified_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "og:updated_time",
    "last-modified",
    "lastmod",
    "revised",
)
_DATES = frozenset((*_PUBLISHED, *_MODIFIED))
_LANGUAGE = ("content-language", "language", "dcterms.language", "dc.language", "og:locale")
_OPEN_GRAPH = ("og:", "article:")
_NAMES_BUT_ITEMPROP = ("name", "property", "http-equiv")
_NAMES = ("name", "property", "itemprop", "http-equiv")

#: A reference in the page -> its canonical URL, "" if it has none.
Resolve = Callable[[str], str]


class DeclaredMetadata(Struct, frozen=True, kw_only=True):
    """The fields of ttcrawl.ring.columns.Metadata that are not computed from the text."""

    description: str = ""
    keywords: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    headings: str = "[]"
    declared_language: str = ""
    canonical: str = ""
    open_graph: str = "{}"


def metadata(
    declared: Declarations, headers: Mapping[str, str], resolve: Resolve, latest: str = NEVER
) -> DeclaredMetadata:
    """`headers` by name in lower case. `latest`: the last day that is not in the future, in ISO 8601."""
    metas: dict[str, str] = {}
    further: dict[str, list[str]] = {}
    for name, content in _metas(declared.metas):
        if name in _AUTHOR and is_url(content):
            continue
        if content and name not in metas:
            metas[name] = content
        elif content and name in _SEVERAL:
            further.setdefault(name, []).append(content)
    for name, contents in further.items():
        metas[name] = "; ".join(dict.fromkeys((metas[name], *contents)))  # a name may have a comma
    linked = stated(declared.scripts) if declared.scripts else {}
    times = dict(_times(declared.times))
    published = _candidates(metas, _PUBLISHED, linked.get("published", ""), times.get("published", ""))
    modified = _candidates(metas, _MODIFIED, linked.get("modified", ""), times.get("modified", ""))
    return DeclaredMetadata(
        description=_tidy(_first(metas, _DESCRIPTION), LONG),
        keywords=_tidy(_first(metas, _KEYWORDS) or linked.get("keywords", ""), LONG),
        author=_tidy(_first(metas, _AUTHOR) or linked.get("author", ""), SHORT),
        published=_date(published, latest),
        modified=_date(modified, latest) or _last(headers, latest),
        headings=_headings(declared.headings),
        declared_language=_language(declared.html, metas, headers),
        canonical=_canonical(declared.links, resolve),
        open_graph=_open_graph(metas),
    )


def of_headers(headers: Mapping[str, str], latest: str) -> DeclaredMetadata:
    """DeclaredMetadata of content without elements."""
    return DeclaredMetadata(
        modified=_last(headers, latest), declared_language=headers.get("content-language", "").strip()[:SHORT]
    )


def _metas(metas: Iterable[Declaration]) -> Iterator[tuple[str, str]]:
    """(name, content), names in lower case, from any of the attributes."""
    for attributes, is_of_other in metas:
        content = unflagged(attributes.get("content") or "").strip()
        for attribute in _NAMES_BUT_ITEMPROP if is_of_other else _NAMES:
            if name := attributes.get(attribute):
                yield name.strip().lower().replace("dcterms:", "dcterms.").replace("dc:", "dc."), content


def _times(times: Iterable[Declaration]) -> Iterator[tuple[str, str]]:
    """From <time> elements with a known meaning; the last one of each kind first, so that the first one remains."""
    for attributes in reversed([each for each, is_of_other in times if not is_of_other]):
        about = f"{attributes.get('itemprop') or ''} {attributes.get('class') or ''}".lower()
        moment = attributes.get("datetime") or ""
        if "pubdate" in attributes or "publish" in about or "entry-date" in about:
            yield "published", moment
        elif "modified" in about or "updated" in about:
            yield "modified", moment


def _first(metas: Mapping[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if name in metas:
            return metas[name]
    return ""


def _candidates(metas: Mapping[str, str], names: tuple[str, ...], *others: str) -> list[str]:
    stated = [] if _DATES.isdisjoint(metas) else [metas[name] for name in names if name in metas]
    return stated + [each for each in others if each]


def _date(candidates: list[str], latest: str) -> str:
    for each in candidates:
        if moment := iso_until(each, latest):
            return moment
    return ""


def _last(headers: Mapping[str, str], latest: str) -> str:
    return iso_of_header(headers.get("last-modified", ""), latest)


def _headings(headings: Iterable[tuple[int, str]]) -> str:
    # what json.dumps with ensure_ascii=False returns, which creates an encoder for each call
    return f"[{', '.join([f'[{level}, {encode_basestring(text[:SHORT])}]' for level, text in headings if text])}]"


def _language(html: Attributes, metas: Mapping[str, str], headers: Mapping[str, str]) -> str:
    tag = unflagged(html.get("lang") or html.get("xml:lang") or "").strip()
    return (tag or _first(metas, _LANGUAGE) or headers.get("content-language", "").strip())[:SHORT]


def _canonical(links: Iterable[Attributes], resolve: Resolve) -> str:
    """RFC 6596: from the element; ttcrawl.parse.page adds the one in the header, also for files."""
    for attributes in links:
        rel = attributes.get("rel") or ""
        if "canonical" in rel.lower().split() and (href := (attributes.get("href") or "").strip()):
            return resolve(unflagged(href))
    return ""


def _open_graph(metas: Mapping[str, str]) -> str:
    chosen = {name: content for name, content in metas.items() if name.startswith(_OPEN_GRAPH)}
    if not chosen:
        return "{}"
    shortened = {name[:SHORT]: chosen[name][:SHORT] for name in list(chosen)[:PROPERTIES]}
    pairs = [f"{encode_basestring(name)}: {encode_basestring(text)}" for name, text in shortened.items()]
    return f"{{{', '.join(pairs)}}}"


def _tidy(text: str, length: int) -> str:
    return " ".join(text[: 4 * length].split())[:length]
