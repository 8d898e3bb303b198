"""Pages with all that one row can say of them: the columns of exports and of --where."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.snapshot import tables
from ttcrawl.snapshot.rows import Headings, Name, Page, Points, Terms, Texts
from ttcrawl.snapshot.tables import Table


@dataclass(frozen=True, slots=True)
class PageRecord(Page):
    """A response with the metadata of its page, how relevant it is and, if it is a duplicate, its original.

    `same` is "bytes", "text" or "near". Without metadata, a score or an original, the columns have no value.
    """

    description: str | None
    keywords: str | None
    author: str | None
    published: str | None
    modified: str | None
    headings: Headings | None
    language: Name | None
    declared_language: Name | None
    confidence: float | None
    canonical: str | None
    open_graph: Texts | None
    words: int | None
    main_words: int | None
    relevant: bool | None
    topic_score: float | None
    probability: float | None
    by: Name | None
    classes: Points | None
    terms: Terms | None
    same: Name | None
    similarity: float | None
    original: str | None


PAGE_RECORDS = Table(
    row=PageRecord,
    name="page",
    joins=f"{tables.PAGES.joins} LEFT JOIN metadata ON metadata.url = page.url LEFT JOIN topic ON topic.url = page.url"
    " LEFT JOIN duplicate ON duplicate.url = page.url"
    " LEFT JOIN url AS original ON original.id = coalesce(duplicate.duplicate_of, duplicate.near_duplicate_of)",
    sources={
        **tables.PAGES.sources,
        **{name: f"metadata.{name}" for name in tables.METADATA.columns if name not in tables.METADATA.sources},
        **{name: f"topic.{name}" for name in ("relevant", "probability", "by", "classes", "terms")},
        "topic_score": "topic.score",
        **{name: f"duplicate.{name}" for name in ("same", "similarity")},
        "original": "original.url",
    },
    order="url",
)
