"""Schema `crawldb`: the database of the course Web Information Extraction and Retrieval (University of Ljubljana).

Its tables, columns and page types follow the course, with the extensions that its reports use. Ids are unique in
the database: the first crawl has the ids of crawl.db.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
import xxhash

from ttcrawl.export.postgresql.page_links import PAGES_CHANGED
from ttcrawl.export.postgresql.table import ID, Row, Table
from ttcrawl.ring.browsing import RENDERED
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.binary import NOT_DOWNLOADED, is_binary
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.vocabulary.reason import (
    NO_CONTENT_STATUSES,
    TIMEOUT_CONNECT,
    TIMEOUT_READ,
    TIMEOUT_TOTAL,
    TOO_LARGE,
    TYPE,
    condition,
    family,
    status_of,
)
from ttcrawl.vocabulary.state import DELETED, FETCHED, MOVED, QUEUED, REFUSED
from ttcrawl.web.charset.detect import to_utf8

HTML, BINARY, DUPLICATE, FRONTIER = "HTML", "BINARY", "DUPLICATE", "FRONTIER"
DISALLOWED, DOMAIN_ERROR, TIMEOUT, OTHER_ERROR = "DISALLOWED", "DOMAIN_ERROR", "TIMEOUT", "WEBDRIVER_ERROR"
REDIRECT = "REDIRECT"
PAGE_TYPES = (HTML, BINARY, DUPLICATE, FRONTIER, DISALLOWED, DOMAIN_ERROR, TIMEOUT, OTHER_ERROR, REDIRECT)

#: MIME type -> the code of the course. Of other types the code is the subtype in upper case.
DATA_TYPES = {
    "application/pdf": "PDF",
    "application/msword": "DOC",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
    "application/vnd.ms-powerpoint": "PPT",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PPTX",
}

#: Characters of a code.
LONGEST_CODE = 20

#: Bytes of the largest file that is copied.
LARGEST_FILE = 10 << 20

#: The digest of a body without a byte.
NO_BODY = xxhash.xxh3_128_digest(b"")

#: SQL for the size of a file that the crawl has saved; NULL for others.
SAVED_SIZE = """CASE WHEN coalesce(nullif(image.saved, ''), nullif(document.saved, '')) NOT NULL
    THEN coalesce(image.size, document.size) END"""

#: SQL for the bytes of a body: those that were received, else those that the server stated; NULL: it did not.
SIZE = f"coalesce(page.declared_length, image.size, document.size, iif(url.state = '{FETCHED}', page.length, NULL))"

#: The moments that both Python and PostgreSQL have: the years 1970 to 9999.
MOMENTS = (0.0, 253402300799.0)

UNKNOWN = "UNKNOWN"

_IMAGE = LETTERS["image"]

TIMEOUTS = (TIMEOUT_CONNECT, TIMEOUT_READ, TIMEOUT_TOTAL)


def page_type(state: str, reason: str, mime_type: str, original: int | None) -> str:
    """Return the page type of a URL. Only HTML can be a duplicate: other files stay BINARY.

    >>> page_type("failed", "dns: timeout", "", None), page_type("fetched", "http 200", "text/html", 7)
    ('DOMAIN_ERROR', 'DUPLICATE')
    >>> page_type("fetched", "http 200", "application/pdf", 7), page_type("refused", "type", "application/pdf", None)
    ('BINARY', 'BINARY')
    """
    if state == QUEUED:
        return FRONTIER
    if state == MOVED:
        return REDIRECT
    if state == REFUSED:
        return BINARY if reason in (TYPE, TOO_LARGE) else DISALLOWED
    if state == FETCHED:
        if status_of(reason) in NO_CONTENT_STATUSES:  # neither a page nor a file
            return HTML
        if mime_type not in HTML_TYPES:
            return BINARY
        return HTML if original is None else DUPLICATE
    if family(reason) is Family.DNS:
        return DOMAIN_ERROR
    return TIMEOUT if reason in TIMEOUTS else OTHER_ERROR


def data_type(mime_type: str) -> str | None:
    """Return the code of a type, None for HTML.

    >>> data_type("application/pdf"), data_type("image/svg+xml"), data_type("")
    ('PDF', 'SVG+XML', 'UNKNOWN')
    """
    if mime_type in HTML_TYPES:
        return None
    return DATA_TYPES.get(mime_type) or mime_type.rpartition("/")[2].upper()[:LONGEST_CODE] or UNKNOWN


def _pages(db: View, row: Row) -> Iterator[Row]:
    url, key, site, address, state, reason, processed, status, time, mime_type, *others = row[1:]
    charset, digest, original, signature, file_size, size, read_by = others
    code = page_type(state, reason, mime_type or "", original)
    source = None
    if read_by == RENDERED:  # many pages may have the body of its answer, a shell for scripts
        document = _document(db, url, address) if code in (HTML, DUPLICATE) else None
        source, digest = _plain(document, "utf-8"), xxhash.xxh3_128_digest(document or b"")
    elif code == HTML:
        source = _source(db, url, address, charset)
    downloaded, good = state == FETCHED, 200 <= (status or 0) < 300 and code in (HTML, BINARY, DUPLICATE)
    moment = time if time is not None else processed
    yield (
        url,
        key,
        site,
        code,
        data_type(mime_type) if good else None,
        address.replace("\0", "\ufffd"),
        source if code == HTML else None,
        status,
        _moment(moment),
        _hex(digest) if downloaded and digest != NO_BODY else None,
        _hex(signature),
        good and is_binary(mime_type or ""),
        downloaded,
        size if code == BINARY else None,
        _bytes(db, url, address) if good and file_size is not None and file_size <= LARGEST_FILE else None,
    )


def _hex(value: Any) -> str | None:
    """A BLOB, which may be a text where another program wrote it."""
    return (value.encode() if isinstance(value, str) else value).hex() if value else None


def _source(db: View, url: int, address: str, charset: str) -> str | None:
    """The text of a page with its markup; None: the archive lacks it."""
    return _plain(_bytes(db, url, address), charset)


def _plain(data: bytes | None, charset: str) -> str | None:
    """A text for PostgreSQL, without NUL."""
    return None if data is None else to_utf8(data, charset).utf8.decode("utf-8", "replace").replace("\0", "\ufffd")


def _bytes(db: View, url: int, address: str) -> bytes | None:
    """The body of a page without content codings; None: the archive lacks it."""
    try:
        return responses.body(responses.response(db, url, address), db.config.fetch)
    except NotThere:
        return None


def _document(db: View, url: int, address: str) -> bytes | None:
    """The document of a page that was read in the browser; None: the archive lacks it."""
    try:
        return responses.document(db, url, address)
    except NotThere:
        return None


def _moment(seconds: float | None) -> datetime | None:
    if seconds is None or not MOMENTS[0] <= seconds <= MOMENTS[1]:
        return None
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


def _sitemaps(db: View, row: Row) -> Iterator[Row]:
    _, url, site, address, charset, *_ = row
    yield url, site, _source(db, url, address, charset)


def _image_links(db: View, row: Row) -> Iterator[Row]:
    """(page, position, key of the URL) of each distinct image that a page shows."""
    _, source, targets, kinds = row
    images: dict[int, int] = {}
    for position, (target, kind) in enumerate(zip(msgspec.json.decode(targets), kinds, strict=True)):
        if kind == ord(_IMAGE):
            images.setdefault(target, position)
    yield from ((source, position, target) for target, position in images.items())


_ID = f"bigint GENERATED ALWAYS AS ({ID}) STORED"

PAGES = Table(
    name="crawldb.page",
    key="number",
    columns={
        "number": "bigint",
        "key": "bigint",
        "site_number": "bigint",
        "page_type_code": "varchar(20)",
        "data_type_code": "varchar(20)",
        "url": "text",
        "html_content": "text",
        "http_status_code": "integer",
        "accessed_time": "timestamp",
        "html_content_hash": "text",
        "lsh_hash": "text",
        "is_binary": "boolean",
        "downloaded": "boolean",
        "data_size": "bigint",
        "data": "bytea",
    },
    needs=("url",),
    source_key="url.id",
    selected="url.id, url.key, url.site, url.url, url.state, url.reason, url.processed, page.status, page.time,"
    f" page.type, page.charset, page.digest, duplicate.duplicate_of, fingerprint.signature, {SAVED_SIZE}, {SIZE},"
    " browser_use.way, page.file, page.offset, page.payload",
    source="url LEFT JOIN page ON page.url = url.id LEFT JOIN duplicate ON duplicate.url = url.id"
    " LEFT JOIN fingerprint ON fingerprint.url = url.id LEFT JOIN image ON image.url = url.id"
    " LEFT JOIN document ON document.url = url.id LEFT JOIN browser_use ON browser_use.url = url.id",
    rows=lambda db, row: _pages(db, row[:-3]),  # the others only change its checksum, as its bytes do
    where=f"url.state NOT IN ('{REFUSED}', '{DELETED}') OR {condition(Family.ROBOTS, 'url.reason')}"
    f" OR {NOT_DOWNLOADED} AND page.type NOT IN ('', {', '.join(map(repr, HTML_TYPES))})",
    after=PAGES_CHANGED,
    recent="appended url",
    generated={"id": _ID.format("number"), "site_id": _ID.format("site_number")},
    indexes=(
        "(id)",
        "(crawl, key)",
        "USING hash (url)",
        "(page_type_code, http_status_code, data_type_code, crawl)",
        "(site_id, page_type_code)",
        "USING hash (html_content_hash)",
        "(data_type_code, crawl) WHERE is_binary",
    ),
)

COUNTRIES = Table(
    name="ttcrawl.country",
    key="site",
    columns={"site": "bigint", "country": "varchar(2)"},
    needs=("site",),
    source_key="site.id",
    selected="site.id, nullif(country(site.host, site.address), '')",
    source="site",
    recent="appended site",
)

SITEMAPS = Table(
    name="ttcrawl.sitemap",
    key="url",
    columns={"url": "bigint", "site": "bigint", "content": "text"},
    needs=("url", "page"),
    source_key="url.id",
    selected="url.id, url.site, url.url, page.charset, page.file, page.offset, page.digest",
    source="url JOIN page ON page.url = url.id",
    rows=_sitemaps,
    recent="url",
    where=f"url.sitemap > 0 AND url.state = '{FETCHED}'",
)

IMAGE_LINKS = Table(
    name="ttcrawl.image_link",
    key="source",
    columns={"source": "bigint", "position": "bigint", "target": "bigint"},
    needs=("outlinks", "page", "url"),
    source_key="outlinks.source",
    selected="outlinks.source, outlinks.targets, CAST(outlinks.kinds AS BLOB)",
    source="outlinks JOIN page ON page.url = outlinks.source JOIN url ON url.id = outlinks.source",
    rows=_image_links,
    where=f"instr(CAST(kinds AS TEXT), '{_IMAGE}') AND url.state = '{FETCHED}' AND page.status BETWEEN 200 AND 299"
    f" AND page.type IN {HTML_TYPES}",
    recent="url",
    indexes=("(target, crawl)", f"(({ID.format('source')}))"),
)

TABLES = (PAGES, COUNTRIES, SITEMAPS, IMAGE_LINKS)
