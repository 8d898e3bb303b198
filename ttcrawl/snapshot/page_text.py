"""The text of a page, and which pages have one."""

from __future__ import annotations

import zlib

from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.mailbox import to_change
from ttcrawl.vocabulary.state import FETCHED

#: SQL for pages that have a text or a title; with tables url, page, and text as LEFT JOIN.
WITH_WORDS_OR_ERRORS = f"url.state = '{FETCHED}' AND (text.url NOT NULL OR page.title != '')"

#: The same without the pages of responses that are errors.
WITH_WORDS = f"{WITH_WORDS_OR_ERRORS} AND page.status BETWEEN 200 AND 299"


def words(db: View, id: int, url: str, *, main: bool) -> str:
    """The complete text, or the main text if it differs. Raises NotThere, and ValueError for a damaged row."""
    text = words_or_none(db, id, url, main=main)
    if text is None:
        raise NotThere(f"{url} has no text: {_reason(db, id)}")
    return text


def words_or_none(db: View, id: int, url: str, *, main: bool) -> str | None:
    """The same for many pages: None for a page without text, whose reason nobody asks for."""
    row = db.execute("SELECT size, text, main_size, main FROM text WHERE url = ?", (id,)).fetchone()
    return None if row is None else unpacked(row, url, main=main)


def unpacked(row: tuple[int, bytes, int, bytes | None], url: str, *, main: bool) -> str:
    """The text of a row of `size`, `text`, `main_size` and `main`. Raises ValueError for a damaged one."""
    size, packed = (row[2], row[3]) if main and row[3] is not None else (row[0], row[1])
    unpack = zlib.decompressobj()
    try:
        text = unpack.decompress(packed, size + 1)  # `size` limits the memory that a damaged row can take
    except zlib.error as error:
        raise ValueError(f"the text of {url} cannot be unpacked: {error}") from error
    if len(text) != size:
        raise ValueError(f"the text of {url} does not have the recorded size")
    return text.decode("utf-8", "replace")


def _reason(db: View, id: int) -> str:
    state, reason, type, time = db.execute(
        "SELECT state, reason, page.type, page.time FROM url LEFT JOIN page ON page.url = url.id WHERE url.id = ?",
        (id,),
    ).fetchone()
    # a query of its own: inside the other one it would read all answers of the crawl
    (latest,) = db.execute("SELECT max(time) FROM answer WHERE url = ?", (id,)).fetchone()
    if time is not None and time != latest:
        return f"none was kept of this earlier answer, {type or 'of an unknown type'}; its bytes may be in the archive"
    if state != FETCHED:
        return f"it is {state}{f' ({reason})' if reason else ''}"
    if db.execute("SELECT 1 FROM unread WHERE url = ?", (id,)).fetchone():
        return f"it is not read yet: run {command_line('read', to_change(db.directory))}"
    return f"of {reason}, {type or 'an unknown type'}, none was kept"
