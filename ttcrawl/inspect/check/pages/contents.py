"""Pages with little text, with the text of another page, with that of a missing page, and that readers have lost."""

from __future__ import annotations

from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.rows import IS_COPY, PAGES
from ttcrawl.ring.columns import NEAR
from ttcrawl.snapshot.snapshot import View

THIN, DUPLICATE, NEARLY, SOFT_404, LOST = KINDS = (
    "thin-page",
    "duplicate-page",
    "near-duplicate",
    "soft-404",
    "lost-page",
)

#: Words of the main text that are enough.
WORDS = 50

#: The pages that are marked as duplicates, and of which page.
_DUPLICATES = f"""
    SELECT copy.url, same, original.url FROM (
        SELECT url.url, url.id, same, coalesce(duplicate_of, near_duplicate_of) AS original
        FROM duplicate, {PAGES} AND page.url = duplicate.url AND NOT {IS_COPY}
    ) AS copy JOIN url AS original ON original.id = copy.original ORDER BY copy.id"""


def content_problems(db: View) -> Iterator[Problem]:
    thin = f"SELECT url.url, main_words FROM {PAGES} AND main_words < {WORDS} AND NOT {IS_COPY} ORDER BY url.id"
    for url, words in db.execute(thin):
        yield Problem(kind=THIN, url=url, text=f"{words} words")
    for url, same, original in db.execute(_DUPLICATES):
        yield Problem(kind=NEARLY if same == NEAR else DUPLICATE, url=url, source=original)
    for (url,) in db.execute("SELECT url.url FROM soft_404 JOIN url ON url.id = soft_404.url ORDER BY url.id"):
        yield Problem(kind=SOFT_404, url=url)
    lost = (
        f"SELECT url.url FROM {PAGES} AND page.url IN (SELECT url FROM unlinked WHERE since NOT NULL) ORDER BY url.id"
    )
    for (url,) in db.execute(lost):
        yield Problem(kind=LOST, url=url)
