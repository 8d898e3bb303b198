"""What is stored of an answer, in groups whose fields are columns of a table.

Each column is named here and in ttcrawl/store/schema.py, which explains it; the statements that insert and copy rows
are made from these fields.
"""

from __future__ import annotations

from ttcrawl.web.storable import Storable

#: The feature that duplicates have in common: column `same` of table `duplicate`.
BYTES, TEXT, NEAR = "bytes", "text", "near"

#: Beginning of the parse_error of a page that could not be scored.
NO_SCORE = "topic: "


class Headers(Storable, frozen=True, kw_only=True, tag=False):
    """What the header of an answer states: columns of table `page` in which answers with the same bytes differ."""

    etag: str = ""
    last_modified: str = ""
    server: str = ""
    fresh_until: float | None = None
    declared_length: int | None = None  # only of a body that is not here, or not all of it


class Added(Storable, frozen=True, kw_only=True, tag=False):
    """What the hook for pages added to a page: table `fields`."""

    fields: str = ""  # a JSON object; "": nothing
    score: float | None = None


class Facts(Storable, frozen=True, kw_only=True, tag=False):
    """Columns of table `page` that the bytes and the parse context determine; the defaults describe a redirect."""

    type: str = ""
    declared_type: str = ""
    charset: str = ""
    declared_charset: str = ""
    charset_from: str = ""
    length: int = 0
    title: str = ""
    robots: str = ""
    parser: str = ""
    parse_error: str = ""


class LinkCounts(Storable, frozen=True, kw_only=True, tag=False):
    """Columns of table `page`: how many links an answer has."""

    links: int = 0
    content_links: int = 0
    same_page_links: int = 0
    recorded_links: int = 0
    not_http: int = 0
    schemes: str = "{}"


class Outlinks(Storable, frozen=True, kw_only=True, tag=False):
    """The links to other URLs, as in table `outlinks`, in the order of the document."""

    targets: str = "[]"
    kinds: bytes = b""
    regions: bytes = b""
    landmarks: bytes = b""
    anchors: str = ""


class Metadata(Storable, frozen=True, kw_only=True):
    """Metadata of a page, a document or a feed; "" if it has none."""

    description: str = ""
    keywords: str = ""
    author: str = ""
    published: str = ""  # a date or moment in ISO 8601
    modified: str = ""
    headings: str = "[]"  # JSON array of [level, text]
    language: str = ""  # primary subtag of BCP 47: the declared one, unless another one is certain
    declared_language: str = ""  # as written in the page
    confidence: float = 0.0  # of the detected language, 0 to 1; 0: none was detected
    canonical: str = ""  # the canonical URL that the page declares, resolved
    open_graph: str = "{}"  # JSON object of its og: and article: properties, each with one text
    words: int = 0  # of the complete text
    main_words: int = 0  # of the main text


class Text(Storable, frozen=True, kw_only=True):
    """The text of a page without markup, UTF-8 in zlib's format."""

    size: int  # bytes before packing
    packed: bytes
    main_size: int = 0
    main: bytes | None = None  # without menus, footers and the like; None: the same as the complete text
    compared: tuple[bytes, bytes] = (b"", b"")  # digests of what counts of it, before and now; b"": of the texts here


class Fingerprint(Storable, frozen=True, kw_only=True):
    """Features that identify duplicates. Numbers are little-endian."""

    text: bytes = b""  # xxh3_128 of the cleaned text and the names of the images; empty: there is too little text
    bands: bytes = b""  # 64-bit keys of its buckets, one per band; empty: the main text is too short
    signature: bytes = b""  # 32-bit minima of the main text, one per permutation
    shingles: bytes = b""  # 32-bit hashes of the shingles of the main text, distinct, in rising order


class Image(Storable, frozen=True, kw_only=True):
    """An image that was fetched."""

    name: str  # of the file, from the server or the URL
    size: int  # bytes of the file without content codings
    width: int | None  # pixels, by the header of the file; None: unknown
    height: int | None
    saved: str = ""  # its path under files/, "" if it was not saved
    error: str = ""  # why it was not saved, or a defect of the file


class Document(Storable, frozen=True, kw_only=True):
    """A file that is neither a page nor an image."""

    name: str
    size: int
    pages: int | None = None
    converter: str = ""  # the source of its text, "" if it has none
    saved: str = ""
    error: str = ""  # why it has no text, or was not saved


class Topic(Storable, frozen=True, kw_only=True):
    """How relevant a page is to the subject of the crawl; the fields are the columns of table `topic`."""

    relevant: bool
    score: float  # points of the kept classes, margin of the model, or what the hook returned
    probability: float | None = None  # by the model; None: it did not decide
    by: str  # what decided: terms, model, hook, site, language, country
    classes: str = "{}"  # JSON object of the kept classes and their points
    terms: str = "[]"  # JSON array of the matched terms


class Reading(Storable, frozen=True, kw_only=True, tag=False):
    """What was read of a page or file; None: it has none, or it is not to be stored."""

    metadata: Metadata | None = None
    text: Text | None = None
    image: Image | None = None
    document: Document | None = None
    fingerprint: Fingerprint | None = None  # None: the page cannot be a duplicate


class Items(Storable, frozen=True, kw_only=True):
    """What an extractor made of a page: JSON objects, or why it failed."""

    extractor: int
    items: tuple[str, ...] = ()
    error: str = ""
