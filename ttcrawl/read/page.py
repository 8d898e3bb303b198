"""The metadata of a page and its text."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from isal import isal_zlib
from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.read.blocks import Lines, lines, one_line, words, words_of
from ttcrawl.read.compared_text import is_most_of_page
from ttcrawl.read.dates import latest_day
from ttcrawl.read.declarations import Declarations, declarations
from ttcrawl.read.declared_language import decided, primary
from ttcrawl.read.fingerprints.fingerprint import FingerprintInput
from ttcrawl.read.landmarks import mark_blocks
from ttcrawl.read.language import detected
from ttcrawl.read.main import main_text
from ttcrawl.read.metadata import DeclaredMetadata, Resolve, metadata
from ttcrawl.read.stripped import stripped
from ttcrawl.read.tree import flatten
from ttcrawl.ring.columns import Metadata, Text

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
    needs_text = settings.text or settings.main or settings.language
    needed = needs_text or compared.exact or compared.near
    if not (needed or settings.metadata):
        return None, None, None
    flat = flatten(tree, html) if tree is not None else None
    stated = None
    if flat is not None and settings.metadata:
        stated = metadata(declarations(flat), headers, resolve, latest_day(requested))
    if flat is None:
        return of_text(stripped(html) if needed else "", stated, settings, compared)
    if not needed or flat.body is None:
        return of_text("", stated, settings, compared)
    if settings.main or compared.near:
        mark_blocks(flat)
    return of_lines(lines(flat.body), stated, anchors, settings, compared)


def read_lines(
    page_lines: Lines | None,
    declared: Declarations | None,
    headers: Mapping[str, str],
    anchors: Collection[str],
    resolve: Resolve,
    settings: config.Record,
    compared: config.Duplicates = NOT_COMPARED,
    requested: float = 0.0,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The same as read_page, of a page that was read without a tree."""
    stated = None
    if declared is not None and settings.metadata:
        stated = metadata(declared, headers, resolve, latest_day(requested))
    needed = settings.text or settings.main or settings.language or compared.exact or compared.near
    if page_lines is None or not needed:
        return of_text("", stated, settings, compared)
    return of_lines(page_lines, stated, anchors, settings, compared)


def of_lines(
    page_lines: Lines,
    stated: DeclaredMetadata | None,
    anchors: Collection[str],
    settings: config.Record,
    compared: config.Duplicates,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The same for the lines of a page."""
    needs_text = settings.text or settings.main or settings.language
    main = main_text(page_lines.lines, page_lines.blocks, anchors) if settings.main or compared.near else None
    all_text, central = "\n".join(page_lines.lines), "\n".join(main.lines) if main is not None else ""
    count = words(all_text, page_lines.count)
    spaced = count == page_lines.count  # ideographs change the count, except single ones between spaces
    read = None
    if needs_text or stated is not None:
        central_count = (
            words_of(main.lines, central, page_lines.blanks, spaced=spaced) if main is not None and settings.main else 0
        )
        in_main = (central if settings.main else "") or all_text
        read = _metadata(stated or DeclaredMetadata(), in_main, count if needs_text else 0, central_count, settings)
    text = packed(all_text, central if settings.main else None, settings.max_text) if settings.text else None
    flowing = one_line(page_lines) if compared.exact else ""
    near = compared.near and main is not None and is_most_of_page(main)
    return read, text, _fingerprint_input(flowing, count, central if near else "", compared)


def of_text(
    all_text: str,
    stated: DeclaredMetadata | None,
    settings: config.Record,
    compared: config.Duplicates = NOT_COMPARED,
) -> tuple[Metadata | None, Text | None, FingerprintInput | None]:
    """The same for given text, which is also the main text."""
    needs_text = settings.text or settings.main or settings.language
    if not (needs_text or compared.exact or compared.near or stated is not None):
        return None, None, None
    count = words(all_text)
    read = None
    if needs_text or stated is not None:
        counted = count if needs_text else 0
        read = _metadata(stated or DeclaredMetadata(), all_text, counted, counted if settings.main else 0, settings)
    text = packed(all_text, all_text if settings.main else None, settings.max_text) if settings.text else None
    flowing = " ".join(all_text.split()) if compared.exact else ""
    return read, text, _fingerprint_input(flowing, count, all_text, compared)


def _fingerprint_input(flowing: str, count: int, main: str, compared: config.Duplicates) -> FingerprintInput | None:
    if not (compared.exact or compared.near):
        return None
    return FingerprintInput(text=flowing, words=count, main=main if compared.near else "")


def _metadata(stated: DeclaredMetadata, text: str, count: int, main: int, settings: config.Record) -> Metadata:
    """`text`: used to detect the language."""
    language, confidence = detected(text) if settings.language else ("", 0.0)
    declared = primary(stated.declared_language)
    return Metadata(
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
        words=count,
        main_words=main,
    )


def packed(text: str, main: str | None, limit: int) -> Text:
    """Texts as the database has them. `main`: None if not requested. At most `limit` bytes of each text are stored."""
    data = cut(text, limit)
    if main is None or main == text:
        return Text(size=len(data), packed=_pack(data), main_size=len(data) if main is not None else 0, main=None)
    central = cut(main, limit)
    return Text(size=len(data), packed=_pack(data), main_size=len(central), main=_pack(central))


def cut(text: str, limit: int) -> bytes:
    """UTF-8, truncated at a character; lone surrogates are replaced.

    >>> cut("aé", 2)
    b'a'
    """
    data = text[:limit].encode("utf-8", "replace")
    return data if len(data) <= limit else data[:limit].decode("utf-8", "ignore").encode()


def _pack(data: bytes) -> bytes:
    compressed: bytes = isal_zlib.compress(data, LEVEL)
    return compressed
