"""Items of an earlier joining of the rings, under the ids that their URLs have in the new one.

An answer is known by its URL and by the moment when it was processed, so a ring that has changed costs no extraction of
what was extracted. Items of answers that were deleted stay behind: the file is a new one.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ttcrawl.store.items_db import NAME, open_items
from ttcrawl.store.regular import is_regular

#: The answers with items that are in both crawls. Keys of URLs that share a hash may have changed.
_ANSWERS = """
    CREATE TEMP TABLE carried AS
    SELECT version, page.url AS old, now.id AS new, page.time, error FROM earlier_items.page AS page
    JOIN earlier.url AS before ON before.id = page.url
    JOIN joined.by_key AS position ON position.key = before.key
    JOIN joined.url AS now ON now.id = position.id AND now.url = before.url
    WHERE EXISTS (SELECT 1 FROM joined.answer WHERE answer.url = now.id AND answer.time = page.time)"""

_COPY = (
    "INSERT INTO main.version SELECT * FROM earlier_items.version",
    "INSERT INTO main.page SELECT version, new, time, error FROM carried",
    "INSERT INTO main.item SELECT item.version, new, item.time, position, fields FROM carried"
    " JOIN earlier_items.item AS item"
    " ON item.version = carried.version AND item.url = carried.old AND item.time = carried.time",
)


def carry_items(earlier: Path, joined: Path) -> None:
    """Write the items.db of a new joined crawl from that of an earlier one of the same rings, if there is one.

    Raises StoreError, OSError, and UsageError if the file is not ours.
    """
    if not is_regular(earlier / NAME) or not is_regular(earlier / "crawl.db"):
        return
    open_items(earlier / NAME).close()  # one of another version, or that is damaged, becomes an empty one
    attached = {"earlier_items": earlier / NAME, "earlier": earlier / "crawl.db", "joined": joined / "crawl.db"}
    with closing(open_items(joined / NAME)) as items:
        for name, path in attached.items():
            items.execute(f"ATTACH ? AS {name}", (str(path.absolute()),))
        items.execute("BEGIN")
        for statement in (_ANSWERS, *_COPY):
            items.execute(statement)
        items.execute("COMMIT")
