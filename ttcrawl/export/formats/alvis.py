"""Pages as documents of the Alvis project: the part `acquisition` of its enriched document format, version 1.1.

Elements and their order are as in the focused crawler Combine.
"""

from __future__ import annotations

import hashlib
from base64 import encodebytes
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import urlsplit

from isal import igzip

from ttcrawl.export.format import Format, Options, write_file
from ttcrawl.export.formats.dc import elements, is_document
from ttcrawl.export.inlinks import Copies, Inlinks
from ttcrawl.export.since import TOUCHED, Since, latest
from ttcrawl.export.sources import PAGES
from ttcrawl.export.topics import Topics
from ttcrawl.export.xml import DECLARATION, element, group
from ttcrawl.output.display import tell
from ttcrawl.output.moments import moment
from ttcrawl.output.steps import Progress
from ttcrawl.read.dates import iso_of_header, latest_day
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.links import texts
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.responses import body, response
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.url import host

NAMESPACE = "http://alvis.info/enriched/"

#: The types of links in the format; all other kinds have none and are left out.
TYPES = {
    LETTERS["anchor"]: "a",
    LETTERS["area"]: "area",
    LETTERS["frame"]: "frame",
    LETTERS["iframe"]: "frame",
    LETTERS["image"]: "img",
}

BEGIN = f'{DECLARATION}<documentCollection version="1.1" xmlns="{NAMESPACE}">\n'.encode()
END = b"</documentCollection>\n"

LINKS = 1 << 14  # elements that are kept

OUTLINKS = "SELECT targets, CAST(kinds AS BLOB), anchors FROM outlinks WHERE source = ?"
TARGETS = """
    SELECT url.url, url.state = 'fetched' FROM json_each(?) AS each LEFT JOIN url ON url.id = {} ORDER BY each.key"""


def identifier(url: str) -> str:
    """Return the id of a document: the MD5 of its URL.

    >>> identifier("http://www.example.org/")
    '5746863A9148EAB3D5736FA13E89ADE0'
    """
    return hashlib.md5(url.encode(), usedforsecurity=False).hexdigest().upper()


class Alvis:
    """`inlinks`: None leaves out the links to pages."""

    def __init__(self, db: View, topics: Topics, inlinks: Inlinks | None) -> None:
        self._db = db
        self._inlinks = inlinks
        self._copies = Copies(db)
        self._topics = topics
        self._targets = TARGETS.format(db.id_of("each.value"))

    def document(self, page: PageRecord) -> str:
        urls = (page.url, *self._copies.of(page.id))
        text = words_or_none(self._db, page.id, page.url, main=False) or ""
        acquisition = (
            group("acquisitionData", self._data(page, urls), 6),
            self._original(page),
            group("canonicalDocument", _sections(text), 6),
            group("metaData", _meta(page), 6),
            group("links", self._outlinks(page) + self._inlinks_of(page), 6),
            group("analysis", _properties(page) + self._topics.of(page, text), 6),
        )
        return group("documentRecord", group("acquisition", "".join(acquisition), 4), 2, id=identifier(page.url))

    def _data(self, page: PageRecord, urls: Iterable[str]) -> str:
        modified = ""
        with suppress(ValueError, OverflowError):
            modified = _moment(datetime.fromisoformat(iso_of_header(page.last_modified, latest_day(page.time))))
        return (
            element("modifiedDate", modified, 8)
            + element("checkedDate", _moment(datetime.fromtimestamp(page.time, UTC)), 8)
            + element("httpServer", page.server, 8)
            + group("urls", "".join(element("url", url, 10) for url in urls), 8)
        )

    def _original(self, page: PageRecord) -> str:
        """The page in UTF-8, as gzip in base64."""
        if page.type not in HTML_TYPES:
            return ""
        try:
            data = body(response(self._db, page.id, page.url), self._db.config.fetch)
        except NotThere:
            return ""
        utf8 = to_utf8(data, page.charset).utf8.decode("utf-8", "replace").encode()
        packed = encodebytes(igzip.compress(utf8, mtime=0)).decode()
        about = {"mimeType": page.type, "compression": "gzip", "encoding": "base64", "charSet": "UTF-8"}
        return element("originalDocument", f"\n{packed}", 6, **about)

    def _outlinks(self, page: PageRecord) -> str:
        row = self._db.execute(OUTLINKS, (page.id,)).fetchone()
        if row is None:
            return ""
        targets, kinds, anchors = row
        urls = self._db.execute(self._targets, (targets,)).fetchall()
        of_each = texts(anchors) if anchors else [""] * len(urls)
        links = zip(urls, kinds.decode("latin-1"), of_each, strict=True)
        lines = (_link(url, kind, text, fetched=fetched) for (url, fetched), kind, text in links if url)
        return group("outlinks", "".join(lines), 8)

    def _inlinks_of(self, page: PageRecord) -> str:
        """Links from other hosts come first; repeated links are left out."""
        if self._inlinks is None:
            return ""
        links = list(dict.fromkeys(link for link in self._inlinks.of(page.id) if link[1] in TYPES))
        links.sort(key=lambda link: host(link[0]) == page.host)
        hosts = len({host(url) for url, _, _ in links} - {page.host})
        return group("inlinks", "".join(_link(*link, fetched=True) for link in links), 8) + element(
            "inlinkHosts", str(hosts), 8
        )


def alvis(db: View, pages: Iterable[PageRecord], progress: Progress, since: Since | None = None) -> Iterator[bytes]:
    """A document for each page; pages with the bytes of another page are further URLs of its document.

    Pages come in the order of their ids. `since`: the pages are those that it has touched; deletions follow.
    """
    yield BEGIN
    yield from records(Alvis(db, Topics(db), Inlinks(db, progress)), pages, since)
    yield END


def records(format: Alvis, pages: Iterable[PageRecord], since: Since | None) -> Iterator[bytes]:
    """The same without what stands around them."""
    documents = set[int]()
    for page in filter(is_document, pages):
        yield format.document(page).encode()
        if since is not None:  # of a complete export they would be all pages
            documents.add(page.id)
    for url in since.deletions(documents) if since else ():
        yield deletion(url).encode()


def deletion(url: str) -> str:
    """Return what tells an index that a document is gone, as Combine does."""
    return f'  <documentRecord id="{identifier(url)}" action="delete"></documentRecord>\n'


@lru_cache(maxsize=LINKS)  # the navigation of a site is the same on all its pages
def _link(url: str, kind: str, text: str, *, fetched: bool) -> str:
    if kind not in TYPES:
        return ""
    document = {"documentId": identifier(url)} if fetched else {}
    content = element("anchorText", text, 12) + element("location", url, 12, **document)
    return group("link", content, 10, type=TYPES[kind])


def _meta(page: PageRecord) -> str:
    pairs = [("title", page.title), *((f"dc:{name}", value) for name, value in elements(page) if name != "title")]
    return "".join(element("meta", value, 8, name=name) for name, value in pairs)


def _sections(text: str) -> str:
    """A section for each paragraph."""
    return "".join(element("section", part, 8) for part in text.split("\n\n"))


def _properties(page: PageRecord) -> str:
    name = (urlsplit(page.url).hostname or "").rpartition(".")[2]
    properties = {"topLevelDomain": "" if name.isdigit() else name, "language": page.language or ""}
    return "".join(element("property", value, 8, name=name) for name, value in properties.items())


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _write(db: View, options: Options, progress: Progress) -> list[Path]:
    next_moment = latest(db)
    since = Since(db, options.since) if options.since is not None else None
    lines = partial(alvis, progress=progress, since=since)
    written = write_file(db, options, progress, lines=lines, source=TOUCHED if since else PAGES)
    if written and next_moment:
        tell(f"what changes from now on: --since {moment(next_moment).replace(' ', 'T')}")
    return written


FORMAT = Format(
    about="documents of the Alvis project, as search engines such as Zebra index them", has_since=True, write=_write
)
