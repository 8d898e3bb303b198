"""An earlier answer of one URL in place of its latest one."""

from __future__ import annotations

from ttcrawl.output.moments import SHOWN_TO, moment
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.history import dropped, times
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.columns import columns

#: Tables with the rows of earlier answers, and those without -> the column of the URL.
_STORED = {"page": "url", "outlinks": "source", **dict.fromkeys(("metadata", "text", "fields", "topic"), "url")}
_LATEST_ONLY = ("image", "document", "unread", "soft_404")


def show(db: View, url_id: int, url: str, until: float) -> None:
    """Let later queries about this URL read its last answer before `until`, seconds since the epoch.

    Temporary tables hide the tables of the crawl: they have the rows of this answer, and of no other URL. Rows about
    images, documents and soft 404s are stored for the latest answer only. Raises NotThere if there was no answer.
    """
    moments = times(db, url_id)
    if not moments:
        return  # the caller reports it
    first = moments[0]
    lost = dropped(db, url_id)
    is_there = any(each < until <= each + SHOWN_TO for each in moments)  # it stays if records refer to its bytes
    if lost is not None and lost.until >= until and not is_there:
        raise NotThere(
            f"the answer of {url} at {moment(until - SHOWN_TO)} UTC is not in the tables any more, only in warc/:"
            f" they have all answers since {moment(lost.until)}"
        )
    if first >= until:
        raise NotThere(f"{url} had no answer at {moment(until - SHOWN_TO)} UTC: its first one is of {moment(first)}")
    time = max(each for each in moments if each < until)
    if db.execute("SELECT 1 FROM page WHERE url = ? AND time = ?", (url_id, time)).fetchone():
        return
    for table in (*_STORED, *_LATEST_ONLY):
        db.execute(f"DROP VIEW IF EXISTS temp.{table}")  # of a crawl with tables of an earlier version
        names = ", ".join(f'"{name}"' for name in columns(table))
        db.execute(f"CREATE TEMP TABLE {table} ({names})")
        if table in _STORED:
            rows = f"SELECT {names} FROM earlier_{table} WHERE {_STORED[table]} = ? AND time = ?"
            db.execute(f"INSERT INTO {table} {rows}", (url_id, time))
