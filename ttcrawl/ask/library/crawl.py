"""An opened crawl."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ttcrawl.ask.library import archive, frames, link_frame, links, tables
from ttcrawl.ask.library.archive import Response
from ttcrawl.ask.library.rows import Document, Duplicate, Growth, Image, Link, Page, Record, Site, Url, Visit
from ttcrawl.ask.library.same import Same, group_of, largest_first
from ttcrawl.ask.library.tables import Table
from ttcrawl.ask.library.whole import Whole, whole
from ttcrawl.ask.library.words import words
from ttcrawl.ask.report.duplicates import unsettled
from ttcrawl.ask.report.read import summarize
from ttcrawl.ask.report.summary import Summary
from ttcrawl.ask.view.errors import NotThere
from ttcrawl.ask.view.view import View, view
from ttcrawl.config import Config
from ttcrawl.errors import REPORT, UsageError, require
from ttcrawl.web.canon import Canon, compile_canon
from ttcrawl.web.url import canonical

if TYPE_CHECKING:
    from pandas import DataFrame

    from ttcrawl.ask.graph.network import Network
    from ttcrawl.ask.study.study import Study

R = TypeVar("R")


class Crawl:
    """A crawl directory for reading only, whether its crawl runs, was killed or has ended.

    Each call sees the crawl as it is committed at one moment, an iterator that of its first row; two calls on a running
    crawl may see two moments. An iterator lets go of the database when it has ended or is dropped, and those that are
    left when the crawl is closed. Any call raises NotACrawl where the database is damaged.

    URLs are given as a person writes them and made canonical by the rules of this crawl; NotThere (a KeyError) says
    that one was never met or has not what was asked for, UsageError that it is no URL.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self._open: set[View] = set()
        self._rules: tuple[Config, Canon] | None = None
        with self._snapshot():
            pass

    def __enter__(self) -> Crawl:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ttcrawl.open({str(self.directory)!r})"

    def close(self) -> None:
        """End the iterators that are left; the next item that is asked of one raises ValueError."""
        for db in list(self._open):
            db.close()

    @property
    def finished(self) -> str:
        """How it ended: "done", "interrupted", "failed: ..." or the limit that ended it ("max_pages" ...).

        "": it runs, or was killed.
        """
        with self._snapshot() as db:
            return db.settings.get("finished", "")

    # -- frames -------------------------------------------------------------------------------------------------------

    def pages(self) -> DataFrame:
        """A row for every URL that answered, redirects too (their `state` is "moved"); the index is the URL's id."""
        return self._frame(tables.PAGES)

    def urls(self) -> DataFrame:
        """A row for every URL ever met, by id, the order in which they were."""
        return self._frame(tables.URLS)

    def links(self, *, ids: bool = False) -> DataFrame:
        """A row for every link: source, place, target, kind, region, part, anchor. Redirects are links of that kind.

        Source and target are URLs, as categories; with `ids` the ids of URLs: 19 bytes a link, without a text (20 MB
        instead of 160 for a million URLs). The target is missing where the ledger does not have it.
        """
        with self._snapshot() as db:
            return link_frame.link_frame(db, ids=ids)

    def sites(self) -> DataFrame:
        """A row for every host."""
        return self._frame(tables.SITES)

    def growth(self) -> DataFrame:
        """The series behind the curves."""
        return self._frame(tables.GROWTH)

    def visits(self) -> DataFrame:
        """A row for every HTTP exchange."""
        return self._frame(tables.VISITS)

    def images(self) -> DataFrame:
        """A row for every image that was fetched; the index is the URL's id."""
        return self._frame(tables.IMAGES)

    def documents(self) -> DataFrame:
        """A row for every file that was fetched and is neither page nor image; the index is the URL's id."""
        return self._frame(tables.DOCUMENTS)

    def records(self) -> DataFrame:
        """What pages, documents and feeds say of themselves; the index is the URL's id."""
        return self._frame(tables.RECORDS)

    def duplicates(self) -> DataFrame:
        """A row for every page that is a duplicate, exact or near, of another one; the index is the URL's id."""
        return self._frame(tables.DUPLICATES)

    # -- the same rows, one after the other, in constant memory -------------------------------------------------------

    def iter_pages(self) -> Iterator[Page]:
        return self._rows(tables.PAGES)

    def iter_urls(self) -> Iterator[Url]:
        return self._rows(tables.URLS)

    def iter_links(self) -> Iterator[Link]:
        """Several microseconds a link: each target is looked up. The frame is quicker, and holds them all."""
        with self._snapshot() as db:
            yield from links.links(db)

    def iter_sites(self) -> Iterator[Site]:
        return self._rows(tables.SITES)

    def iter_growth(self) -> Iterator[Growth]:
        return self._rows(tables.GROWTH)

    def iter_visits(self) -> Iterator[Visit]:
        return self._rows(tables.VISITS)

    def iter_images(self) -> Iterator[Image]:
        return self._rows(tables.IMAGES)

    def iter_documents(self) -> Iterator[Document]:
        return self._rows(tables.DOCUMENTS)

    def iter_records(self) -> Iterator[Record]:
        return self._rows(tables.RECORDS)

    def iter_duplicates(self) -> Iterator[Duplicate]:
        return self._rows(tables.DUPLICATES)

    def groups(self) -> Iterator[Same]:
        """The pages that are the same: each original with its duplicates, largest group first."""
        with self._snapshot() as db:
            yield from largest_first(db)

    def unsettled(self) -> int:
        """Pages that came out of order: because of them marks of duplicates may change until a run ends."""
        with self._snapshot() as db:
            return unsettled(db)

    # -- one URL ------------------------------------------------------------------------------------------------------

    def page(self, url: str) -> Whole:
        """All that was read of a page: its rows, and its links."""
        with self._snapshot() as db:
            return whole(db, self._find(db, url)[0])

    def text(self, url: str, *, main: bool = False) -> str:
        """The words of a page; with `main` without menus, footers and the like."""
        with self._snapshot() as db:
            return words(db, *self._find(db, url), main=main)

    def response(self, url: str) -> Response:
        """The answer as it came, from the archive."""
        with self._snapshot() as db:
            return archive.response(db, *self._find(db, url))

    def body(self, url: str) -> bytes:
        """The bytes of the page: the body of the answer without its content codings."""
        with self._snapshot() as db:
            return archive.body(archive.response(db, *self._find(db, url)), self._configured(db)[0].fetch)

    def same(self, url: str) -> Same:
        """The group of pages that are the same as this one, or nearly. NotThere: it is in none."""
        with self._snapshot() as db:
            return group_of(db, *self._find(db, url))

    def why(self, url: str) -> str:
        """The life of a URL, met or not, as `ttcrawl why` tells it."""
        from ttcrawl.ask.why.life import life
        from ttcrawl.ask.why.opened import opened
        from ttcrawl.ask.why.render import text

        with opened(self.directory) as crawl:
            return text(life(crawl, _text(url)))

    def summary(self) -> Summary:
        """The figures that `ttcrawl crawl` ends with."""
        return summarize(self.directory)

    def study(self) -> Study:
        """Every figure of `ttcrawl report`. Raises UsageError without the extra `report`."""
        require(*REPORT)
        from ttcrawl.ask.study.study import study

        return study(self.directory)

    def graph(self) -> Network:
        """The link graph of the pages as arrays: nodes, and distinct links between them."""
        from ttcrawl.ask.graph.read import read

        return read(self.directory)

    # -- how ----------------------------------------------------------------------------------------------------------

    @contextmanager
    def _snapshot(self) -> Iterator[View]:
        with view(self.directory) as db:
            self._open.add(db)
            try:
                yield db
            finally:
                self._open.discard(db)

    def _frame(self, table: Table[Any]) -> DataFrame:
        with self._snapshot() as db:
            return frames.frame(db, table)

    def _rows(self, table: Table[R]) -> Iterator[R]:
        with self._snapshot() as db:
            for row in db.execute(table.ordered):
                yield table.row(*row)

    def _configured(self, db: View) -> tuple[Config, Canon]:
        """Read when first needed: the numbers of a crawl do not need its config.ini."""
        if self._rules is None:
            self._rules = db.config, compile_canon(db.config.url)
        return self._rules

    def _find(self, db: View, text: str) -> tuple[int, str]:
        """(id, canonical URL). A URL that was met when the rules of [url] were others has its plain form."""
        url, plain = self._configured(db)[1].canonical(_text(text)), canonical(text)
        if url is None or plain is None:
            raise _no_url(text)
        for each in dict.fromkeys((url, plain)):
            if (found := db.find(each)) is not None:
                return found, each
        raise NotThere(f"{url} was never met by the crawl in {self.directory}")


def _text(url: str) -> str:
    """Raises UsageError for what is no text, which would look like damage further on."""
    if not isinstance(url, str):
        raise _no_url(url)
    return url


def _no_url(text: object) -> UsageError:
    return UsageError(f"{text!r} is no http or https URL: write the whole URL")
