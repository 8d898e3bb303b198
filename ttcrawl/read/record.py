"""The metadata of a page and its text."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.read.blocks import in_one, lines, words, words_of
from ttcrawl.read.fingerprints.fingerprint import FingerprintInput
from ttcrawl.read.landmarks import mark_parts
from ttcrawl.read.language import decided, detected, primary
from ttcrawl.read.main import main_lines
from ttcrawl.read.metadata import Metadata, Resolve, metadata
from ttcrawl.read.stripped import stripped
from ttcrawl.read.text import packed
from ttcrawl.read.tree import flatten
from ttcrawl.ring.record import Record, Text

NOT_COMPARED = config.Duplicates(exact=False, near=False)


def read_record(
    tree: LexborHTMLParser | None,
    html: bytes,
    headers: Mapping[str, str],
    anchors: Collection[str],
    resolve: Resolve,
    settings: config.Record,
    compared: config.Duplicates = NOT_COMPARED,
) -> tuple[Record | None, Text | None, FingerprintInput | None]:
    """The metadata of a page, its text, and the data to compare; each None if not requested.

    `tree` is the tree of `html` (UTF-8) and is consumed; None: there is no tree, and the text is the source without its
    tags. `headers` by name in lower case; `anchors`: the anchor texts, white space collapsed; `resolve`: a reference in
    the page to its canonical URL, "" if it has none.
    """
    asked = settings.text or settings.main or settings.language
    needed = asked or compared.exact or compared.near
    if not (needed or settings.metadata):
        return None, None, None
    flat = flatten(tree, html) if tree is not None else None
    said = metadata(flat, headers, resolve) if flat is not None and settings.metadata else None
    if flat is None:
        return of_text(stripped(html) if needed else "", said, settings, compared)
    if not needed or flat.body is None:
        return of_text("", said, settings, compared)
    if settings.main or compared.near:
        mark_parts(flat)
    read = lines(flat.body)
    main = main_lines(read.lines, read.parts, anchors) if settings.main or compared.near else None
    whole, central = "\n".join(read.lines), "\n".join(main or ())
    count = words(whole, read.count)
    spaced = count == read.count  # ideographs change the count, except single ones between spaces
    record = None
    if asked or said is not None:
        central_count = words_of(main, central, read.blanks, spaced=spaced) if main is not None and settings.main else 0
        in_main = (central if settings.main else "") or whole
        record = _record(said or Metadata(), in_main, count if asked else 0, central_count, settings)
    text = packed(whole, central if settings.main else None, settings.max_text) if settings.text else None
    flowing = in_one(read) if compared.exact else ""
    return record, text, _fingerprint_input(flowing, count, central, compared)


def of_text(
    whole: str, said: Metadata | None, settings: config.Record, compared: config.Duplicates = NOT_COMPARED
) -> tuple[Record | None, Text | None, FingerprintInput | None]:
    """The same for given text, which is also the main text."""
    asked = settings.text or settings.main or settings.language
    if not (asked or compared.exact or compared.near or said is not None):
        return None, None, None
    count = words(whole)
    record = None
    if asked or said is not None:
        counted = count if asked else 0
        record = _record(said or Metadata(), whole, counted, counted if settings.main else 0, settings)
    text = packed(whole, whole if settings.main else None, settings.max_text) if settings.text else None
    flowing = " ".join(whole.split()) if compared.exact else ""
    return record, text, _fingerprint_input(flowing, count, whole, compared)


def _fingerprint_input(flowing: str, count: int, main: str, compared: config.Duplicates) -> FingerprintInput | None:
    if not (compared.exact or compared.near):
        return None
    return FingerprintInput(whole=flowing, words=count, main=main if compared.near else "")


def _record(said: Metadata, text: str, count: int, main: int, settings: config.Record) -> Record:
    """`text`: used to detect the language."""
    language, confidence = detected(text) if settings.language else ("", 0.0)
    declared = primary(said.declared_language)
    return Record(
        description=said.description,
        keywords=said.keywords,
        author=said.author,
        published=said.published,
        modified=said.modified,
        headings=said.headings,
        language=decided(language, confidence, declared),
        declared_language=said.declared_language,
        confidence=confidence,
        canonical=said.canonical,
        open_graph=said.open_graph,
        words=count,
        main_words=main,
    )
