"""All data about one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.history import times
from ttcrawl.snapshot.json_columns import parsed
from ttcrawl.snapshot.links import links
from ttcrawl.snapshot.responses import no_answer
from ttcrawl.snapshot.rows import Document, Image, Link, Metadata, Page, Topic, Url
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import DOCUMENTS, IMAGES, METADATA, PAGES, TOPICS, URLS, Table

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRows:
    """The rows of one URL with a response. None: the URL has no row in this table."""

    url: Url
    page: Page
    metadata: Metadata | None
    image: Image | None
    document: Document | None
    topic: Topic | None
    links: tuple[Link, ...]
    times: tuple[float, ...]  # of all answers of the URL, rising; seconds since the epoch


def page_rows(db: View, id: int) -> PageRows:
    """All rows of a URL. Raises NotThere for a URL without a response."""
    url, page = _row(db, URLS, id), _row(db, PAGES, id)
    assert url is not None
    topic = _row(db, TOPICS, id)
    if page is None and topic is not None:
        raise NotThere(
            f"of {url.url} only the score is stored: it is irrelevant by {topic.by}, score {topic.score:g} ([topic]"
            " irrelevant = count)"
        )
    if page is None:
        raise no_answer(db, id)
    return PageRows(
        url=url,
        page=page,
        metadata=_row(db, METADATA, id),
        image=_row(db, IMAGES, id),
        document=_row(db, DOCUMENTS, id),
        topic=topic,
        links=links(db, id),
        times=times(db, id),
    )


def _row(db: View, table: Table[R], id: int) -> R | None:
    row = db.execute(f"{table.query} WHERE {table.name}.{table.order} = ?", (id,)).fetchone()
    return None if row is None else parsed(table.row)(*row)
