"""The record of a page: what it says of itself, its text, and what a file is that is no page."""

from __future__ import annotations

from ttcrawl.web.storable import Storable

#: What two pages have in common of which one is a duplicate of the other: column `same` of table `duplicate`.
BYTES, TEXT, NEAR = "bytes", "text", "near"


class Record(Storable, frozen=True, kw_only=True):
    """What a page, a document or a feed says of itself; "" where it says nothing."""

    description: str = ""
    keywords: str = ""
    author: str = ""
    published: str = ""  # a date or moment as ISO 8601 has it
    modified: str = ""
    headings: str = "[]"  # JSON array of [level, text]
    language: str = ""  # primary subtag of BCP 47: the detected one where that is sure, else the declared one
    declared_language: str = ""  # as it stands
    confidence: float = 0.0  # of the detected language, 0 to 1; 0: none was detected
    canonical: str = ""  # the canonical URL that the page names, resolved
    open_graph: str = "{}"  # JSON object of its og: and article: properties, each with one text
    words: int = 0  # of the whole text
    main_words: int = 0  # of the main text


class Text(Storable, frozen=True, kw_only=True):
    """The words of a page without markup, UTF-8 in zlib's format."""

    size: int  # bytes before packing
    packed: bytes
    main_size: int = 0
    main: bytes | None = None  # without menus, footers and the like; None: the same as the whole


class Fingerprint(Storable, frozen=True, kw_only=True):
    """By what the same page is known again. Numbers are little-endian."""

    text: bytes = b""  # xxh3_128 of the cleaned text and the names of the images; empty: there is too little text
    bands: bytes = b""  # 64-bit keys of its buckets, one a band; empty: the main text is too short
    signature: bytes = b""  # 32-bit minima of the main text, one a permutation
    shingles: bytes = b""  # 32-bit hashes of the shingles of the main text, distinct, in rising order


class Image(Storable, frozen=True, kw_only=True):
    """An image that was fetched."""

    name: str  # of the file, as the server or the URL calls it
    size: int  # bytes of the file, its content codings undone
    width: int | None  # pixels, by the header of the file; None: not known
    height: int | None
    saved: str = ""  # its path under files/, "" where it was not saved
    error: str = ""  # why not, or what is wrong with it


class Document(Storable, frozen=True, kw_only=True):
    """A file that is neither a page nor an image."""

    name: str
    size: int
    pages: int | None = None
    converter: str = ""  # that gave its text, "" where none did
    saved: str = ""
    error: str = ""  # why it has no text, or was not saved
