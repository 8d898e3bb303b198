"""The vocabulary of a crawl: the main or the complete texts of its pages, in order of fetching."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from ttcrawl.output.steps import Progress
from ttcrawl.report.laws.vocabulary import Vocabulary, vocabulary
from ttcrawl.snapshot.snapshot import View

#: Bytes of text to read; this takes some 10 seconds.
MOST_TEXT = 64 << 20


def read(db: View, progress: Progress, *, main: bool) -> tuple[Vocabulary, str]:
    """The vocabulary of the texts of the pages, in order of fetching, and how it was read."""
    texts = _Texts(db, progress, main=main)
    result = vocabulary(texts)
    of = "The main texts, without menus and the like" if main else "The complete texts, with menus and the like"
    more = f" Only the first {MOST_TEXT >> 20} MiB of text were read." if texts.more else ""
    return result, f"{of}: {result.how}{more}"


class _Texts:
    """The texts of the pages in order of fetching, up to MOST_TEXT bytes in all: main or complete ones."""

    def __init__(self, db: View, progress: Progress, *, main: bool) -> None:
        self._progress = progress
        self._main = main
        (self._of,) = db.execute("SELECT count(*) FROM text").fetchone()
        self._db = db
        self.more = False  # than MOST_TEXT

    def __iter__(self) -> Iterator[str]:
        read = 0
        # ids first: a sort would carry the texts along
        size = "CASE WHEN main IS NULL THEN text.size ELSE main_size END" if self._main else "text.size"
        rows = self._db.execute(f"SELECT url, {size} FROM text JOIN page USING (url) ORDER BY time, url").fetchall()
        column = "coalesce(main, text)" if self._main else "text"
        for number, (url, size) in enumerate(rows):
            self._progress("words", number, self._of)
            read += size
            if read > MOST_TEXT:
                self.more = True
                return
            (packed,) = self._db.execute(f"SELECT {column} FROM text WHERE url = ?", (url,)).fetchone()
            yield zlib.decompress(packed).decode("utf-8", "replace")
