"""Answers by time: a URL that answers again keeps its earlier answers.

Answers are keyed by URL and time. `page` and the tables beside it have the latest answer of each URL, so a crawl that
requests every URL once pays nothing for it, and queries about the present state need no time. When a URL answers
again, a trigger moves its rows into the tables of earlier answers. They have the same columns; those beside
`earlier_page` also have its `time`. View `answer` has all answers.
"""

from collections.abc import Callable

_BESIDE_AT_FIRST = {"outlinks": "source", "metadata": "url", "text": "url"}
#: The tables beside `page` with rows of earlier answers -> the column of the URL.
BESIDE = {**_BESIDE_AT_FIRST, "fields": "url", "topic": "url", "link_score": "url"}
_OF_LATEST = {**BESIDE, "image": "url", "document": "url", "unread": "url", "page": "url"}


def moves(urls: str) -> tuple[str, ...]:
    """Return the statements that move the rows of these URLs, a condition behind a column."""
    return (
        f"INSERT INTO earlier_page SELECT * FROM page WHERE url {urls}",
        *(
            f"INSERT INTO earlier_{table} SELECT page.time, {table}.* FROM {table}"
            f" JOIN page ON page.url = {table}.{key} WHERE {table}.{key} {urls}"
            for table, key in BESIDE.items()
        ),
        *(f"DELETE FROM {table} WHERE {key} {urls}" for table, key in _OF_LATEST.items()),
    )


def set_aside(execute: Callable[[str], object], urls: str) -> None:
    """Move the latest answers of URLs, given by a query for their ids, to the earlier ones."""
    for statement in moves(f"IN ({urls})"):
        execute(statement)


ANOTHER_ANSWER = (
    "CREATE TRIGGER another_answer BEFORE INSERT ON page"
    " WHEN EXISTS (SELECT 1 FROM page WHERE url = NEW.url AND time < NEW.time)"
    f" BEGIN {'; '.join(moves('= NEW.url'))}; END"
)

#: For a query about one earlier answer. Empty, and free, until a URL answers again.
INDEXES = tuple(
    f"CREATE INDEX earlier_{table}_answer ON earlier_{table} ({key}, time)" for table, key in BESIDE.items()
)

EARLIER = (
    "CREATE TABLE earlier_page AS SELECT * FROM page WHERE 0",
    "CREATE UNIQUE INDEX earlier_answer ON earlier_page (url, time)",
    *(f"CREATE TABLE earlier_{table} AS SELECT 0.0 AS time, * FROM {table} WHERE 0" for table in _BESIDE_AT_FIRST),
    ANOTHER_ANSWER,
    "CREATE VIEW answer AS SELECT * FROM page UNION ALL SELECT * FROM earlier_page",
)
