"""The record of a page and its text."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.parse.record.blocks import lines, words, words_of
from ttcrawl.parse.record.language import SURE, detected, primary
from ttcrawl.parse.record.main import main_lines, mark_parts
from ttcrawl.parse.record.metadata import Metadata, Resolve, metadata
from ttcrawl.parse.record.stripped import stripped
from ttcrawl.parse.record.text import packed
from ttcrawl.parse.record.tree import flatten
from ttcrawl.record import Record, Text


def read_record(
    tree: LexborHTMLParser | None,
    html: bytes,
    headers: Mapping[str, str],
    anchors: Collection[str],
    resolve: Resolve,
    settings: config.Record,
) -> tuple[Record | None, Text | None]:
    """What a page says of itself and its text; each None where `settings` ask for nothing of it.

    `tree` is that of `html` (UTF-8) and is used up; None: there is none, and the text is the source without its tags.
    `headers` by name in lower case; `anchors`: the texts of the links, white space collapsed; `resolve`: a reference of
    the page to its canonical URL, "" if it is none.
    """
    asked = settings.text or settings.main or settings.language
    if not (asked or settings.metadata):
        return None, None
    flat = flatten(tree, html) if tree is not None else None
    said = metadata(flat, headers, resolve) if flat is not None and settings.metadata else None
    if flat is None:
        return of_text(stripped(html) if asked else "", said, settings)
    if not asked or flat.body is None:
        return of_text("", said, settings)
    if settings.main:
        mark_parts(flat)
    read = lines(flat.body)
    main = main_lines(read.lines, read.parts, anchors) if settings.main else None
    whole, central = "\n".join(read.lines), "\n".join(main or ())
    count = words(whole, read.count)
    spaced = count == read.count  # ideographs make it more, but for single ones between spaces: those are words anyhow
    central_count = words_of(main, central, read.blanks, spaced=spaced) if main is not None else 0
    record = _record(said or Metadata(), central or whole, count, central_count, settings)
    text = packed(whole, central if settings.main else None, settings.max_text) if settings.text else None
    return record, text


def of_text(whole: str, said: Metadata | None, settings: config.Record) -> tuple[Record | None, Text | None]:
    """The same of words that are at hand; they are the main text too."""
    if not (settings.text or settings.main or settings.language or said is not None):
        return None, None
    count = words(whole)
    record = _record(said or Metadata(), whole, count, count if settings.main else 0, settings)
    return record, packed(whole, whole if settings.main else None, settings.max_text) if settings.text else None


def _record(said: Metadata, text: str, count: int, main: int, settings: config.Record) -> Record:
    """`text`: in which the language is detected."""
    language, confidence = detected(text) if settings.language else ("", 0.0)
    declared = primary(said.declared_language)
    return Record(
        description=said.description,
        keywords=said.keywords,
        author=said.author,
        published=said.published,
        modified=said.modified,
        headings=said.headings,
        language=language if confidence >= SURE or language == declared else declared,
        declared_language=said.declared_language,
        confidence=confidence,
        canonical=said.canonical,
        open_graph=said.open_graph,
        words=count,
        main_words=main,
    )
