"""The metadata of a page and its text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from isal import isal_zlib
from msgspec import structs
from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.config.needed import counts_words, needs_main_text, needs_page, needs_text
from ttcrawl.read.blocks import lines
from ttcrawl.read.dates import latest_day
from ttcrawl.read.declarations import Declarations, declarations
from ttcrawl.read.declared_language import decided, primary
from ttcrawl.read.fingerprints.fingerprint import FingerprintInput
from ttcrawl.read.landmarks import mark_blocks
from ttcrawl.read.language import detected
from ttcrawl.read.metadata import DeclaredMetadata, Resolve, metadata
from ttcrawl.read.stripped import stripped
from ttcrawl.read.texts import PageTexts, page_texts, plain_texts
from ttcrawl.read.tree import flatten
from ttcrawl.ring.columns import Metadata, Text
from ttcrawl.web.storable import is_sound

#: The same as in the archive: level 2 of isal takes a tenth of zlib's time.
LEVEL = 2

NOT_COMPARED = config.Duplicates(exact=False, near=False)


def read_page(
    tree: LexborHTMLParser | None,
    html: bytes,
    headers: Mapping[str, str],
    anchors: Collection[str],
    resolve: Resolve,
    settings: config.Record,
    compared: config.Duplicates = NOT_COMPARED,
    requested: float = 0.0,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The metadata of a page, its text, and the data to compare; each None if not requested.

    `tree` is the tree of `html` (UTF-8) and is consumed; None: without a tree, and the text is the source without its
    tags. `headers` by name in lower case; `anchors`: the anchor texts, white space collapsed; `resolve`: a reference in
    the page to its canonical URL, "" if it has none; `requested`: seconds since the epoch, after which its dates are in
    the future, 0: unknown.
    """
    if not needs_page(settings, compared):
        return None, None, None
    needed = needs_text(settings, compared)
    flat = flatten(tree, html) if tree is not None else None
    if flat is None:
        return of_text(stripped(html) if needed else "", None, settings, compared)
    stated = None
    if settings.metadata:
        stated = metadata(declarations(flat), headers, resolve, latest_day(requested))
    if not needed or flat.body is None:
        return of_text("", stated, settings, compared)
    if needs_main_text(settings, compared):
        mark_blocks(flat)
    return of_texts(page_texts(lines(flat.body), anchors, settings, compared), stated, settings, compared)


def read_compiled(
    texts: PageTexts | None,
    declared: Declarations | None,
    headers: Mapping[str, str],
    resolve: Resolve,
    settings: config.Record,
    compared: config.Duplicates = NOT_COMPARED,
    requested: float = 0.0,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The same as read_page, of a page that the compiled core read."""
    stated = None
    if declared is not None and settings.metadata:
        stated = metadata(declared, headers, resolve, latest_day(requested))
    return of_texts(texts, stated, settings, compared) if texts else of_text("", stated, settings, compared)


def of_text(
    text: str,
    stated: DeclaredMetadata | None,
    settings: config.Record,
    compared: config.Duplicates = NOT_COMPARED,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The same for given text, which is also the main text."""
    if stated is None and not needs_text(settings, compared):
        return None, None, None
    return of_texts(plain_texts(text, settings, compared), stated, settings, compared)


def of_texts(
    texts: PageTexts,
    stated: DeclaredMetadata | None,
    settings: config.Record,
    compared: config.Duplicates,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The same for the texts of a page."""
    read = None
    if stated is not None or counts_words(settings):
        read = _metadata(stated or DeclaredMetadata(), texts, settings)
    text = packed(texts.text, texts.main if settings.main else None, settings.max_text) if settings.text else None
    if not (compared.exact or compared.near):
        return read, text, None
    return read, text, FingerprintInput(folded=texts.folded, words=texts.words, shingles=texts.shingles)


def _metadata(stated: DeclaredMetadata, texts: PageTexts, settings: config.Record) -> Metadata:
    text = ((texts.main if settings.main else b"") or texts.text).decode()
    language, confidence = detected(text) if settings.language else ("", 0.0)
    declared = primary(stated.declared_language)
    # most are sound, and all numbers are
    make: Callable[..., Metadata] = Metadata.sound if is_sound("".join(structs.astuple(stated))) else Metadata
    return make(
        description=stated.description,
        keywords=stated.keywords,
        author=stated.author,
        published=stated.published,
        modified=stated.modified,
        headings=stated.headings,
        language=decided(language, confidence, declared, text),
        declared_language=stated.declared_language,
        confidence=confidence,
        canonical=stated.canonical,
        open_graph=stated.open_graph,
        words=texts.words if counts_words(settings) else 0,
        main_words=texts.main_words if settings.main else 0,
    )


def packed(text: bytes, main: bytes | None, limit: int) -> Text:
    """Texts in UTF-8 as the database has them. `main`: None if not requested. At most `limit` bytes of each are
    stored."""
    data = cut(text, limit)
    make: Callable[..., Text] = Text.sound
    if main is None or main == text:
        return make(size=len(data), packed=_pack(data), main_size=len(data) if main is not None else 0, main=None)
    central = cut(main, limit)
    return make(size=len(data), packed=_pack(data), main_size=len(central), main=_pack(central))


def cut(text: bytes, limit: int) -> bytes:
    """UTF-8, truncated at a character.

    >>> cut("aé".encode(), 2)
    b'a'
    """
    return text if len(text) <= limit else text[:limit].decode("utf-8", "ignore").encode()


def _pack(data: bytes) -> bytes:
    compressed: bytes = isal_zlib.compress(data, LEVEL)
    return compressed
