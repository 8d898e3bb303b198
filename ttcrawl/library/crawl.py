"""An opened crawl."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ttcrawl.config import Config
from ttcrawl.config.compiled import canon_of
from ttcrawl.errors import UsageError, require
from ttcrawl.output import moments
from ttcrawl.report.summarize import summarize
from ttcrawl.report.summary import Summary
from ttcrawl.snapshot import at_moment, frames, link_frame, links, responses, tables
from ttcrawl.snapshot.duplicate_groups import DuplicateGroup, group_of, largest_first
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.history import Answer, history
from ttcrawl.snapshot.named_url import named_url, undiscovered
from ttcrawl.snapshot.page_rows import PageRows, page_rows
from ttcrawl.snapshot.page_text import words
from ttcrawl.snapshot.responses import Response
from ttcrawl.snapshot.rows import (
    Document,
    Duplicate,
    Growth,
    Image,
    Link,
    Metadata,
    Overview,
    Page,
    Site,
    Topic,
    Url,
    Visit,
)
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.spool import spooled
from ttcrawl.snapshot.tables import Table
from ttcrawl.snapshot.tail import Tail
from ttcrawl.snapshot.unsettled import unsettled

if TYPE_CHECKING:
    from pandas import DataFrame

    from ttcrawl.inspect.changes.diff import Change
    from ttcrawl.inspect.search.hits import Hit
    from ttcrawl.library.network import Network
    from ttcrawl.report.study import Study

R = TypeVar("R")

#: A moment in the history of a page. None: now.
At: TypeAlias = str | datetime | float | None


class Crawl:
    """A crawl directory, opened for reading only. The crawl may run, may have ended or may have been killed.

    Each call reads one committed snapshot of the crawl, and two calls on a running crawl may read two different ones.
    An iterator over rows has those up to the last one at its first row, and reads them in pieces, each from a later
    snapshot: it may wait for hours while the crawl goes on. It closes its connection when it ends or is dropped;
    `close` ends all others. Every call raises NotACrawl if the database is damaged.

    URLs may be written as a person writes them, also without a scheme, or as a path of the only host; the rules of this
    crawl make them canonical. Raises NotThere (a KeyError) for a URL that was never discovered or if the requested data
    does not exist, UsageError for a text that is not a URL or names several.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        if isinstance(directory, list | tuple):
            raise UsageError("open takes one crawl: make one of the rings of a cluster with ttcrawl cluster gather")
        self.directory = Path(directory)
        self._open: set[View] = set()
        self._tail = Tail()
        self._rules: tuple[Config, Callable[[str], str | None]] | None = None
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

    def __reduce__(self) -> tuple[type[Crawl], tuple[Path]]:
        """What another process gets: the same crawl, without the open iterators."""
        return Crawl, (self.directory,)

    def close(self) -> None:
        """End the open iterators. The next item of an ended iterator raises ValueError."""
        for db in list(self._open):
            db.close()

    @property
    def finished(self) -> str:
        """The end: "done", "visited", "interrupted", "failed: ..." or the limit that caused it ("max_pages" ...).

        "" means that the crawl runs or was killed.
        """
        with self._snapshot() as db:
            return db.settings.get("finished", "")

    # -- frames -------------------------------------------------------------------------------------------------------

    def pages(self) -> DataFrame:
        """One row per URL with a response, redirects included (`state` is "moved"). The index is the id of the URL."""
        return self._frame(tables.PAGES)

    def urls(self) -> DataFrame:
        """One row per discovered URL, by id: the order of discovery."""
        return self._frame(tables.URLS)

    def overview(self) -> DataFrame:
        """One row per discovered URL with its latest response, its language and the page that it duplicates."""
        return self._frame(tables.OVERVIEW)

    def links(self, *, ids: bool = False) -> DataFrame:
        """One row per link: source, position, target, kind, region, landmark, anchor.

        Redirects are links of kind "redirect".

        Source and target are URLs, as categories. With `ids` they are ids of URLs: 19 bytes a link, without texts
        (20 MB instead of 160 MB for a million URLs). The target is missing if the URL table does not have it.
        """
        with self._snapshot() as db:
            return link_frame.link_frame(db, ids=ids)

    def sites(self) -> DataFrame:
        """One row per host."""
        return self._frame(tables.SITES)

    def growth(self) -> DataFrame:
        """The series behind the growth curves."""
        return self._frame(tables.GROWTH)

    def visits(self) -> DataFrame:
        """One row per HTTP request."""
        return self._frame(tables.VISITS)

    def images(self) -> DataFrame:
        """One row per fetched image. The index is the id of the URL."""
        return self._frame(tables.IMAGES)

    def documents(self) -> DataFrame:
        """One row per fetched file that is neither a page nor an image. The index is the id of the URL."""
        return self._frame(tables.DOCUMENTS)

    def metadata(self) -> DataFrame:
        """Metadata of pages, documents and feeds. The index is the id of the URL."""
        return self._frame(tables.METADATA)

    def topics(self) -> DataFrame:
        """How relevant pages are to the subject of the crawl. The index is the id of the URL."""
        return self._frame(tables.TOPICS)

    def duplicates(self) -> DataFrame:
        """One row per page that is an exact or near duplicate of another page. The index is the id of the URL."""
        return self._frame(tables.DUPLICATES)

    # -- the same rows as iterators, in constant memory ---------------------------------------------------------------

    def iter_pages(self) -> Iterator[Page]:
        return self._rows(tables.PAGES)

    def iter_urls(self) -> Iterator[Url]:
        return self._rows(tables.URLS)

    def iter_overview(self) -> Iterator[Overview]:
        return self._rows(tables.OVERVIEW)

    def iter_links(self) -> Iterator[Link]:
        """Takes several microseconds a link, to look up each target. The frame is faster, but holds all links."""
        return self._items(links.PIECES.rows)

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

    def iter_metadata(self) -> Iterator[Metadata]:
        return self._rows(tables.METADATA)

    def iter_topics(self) -> Iterator[Topic]:
        return self._rows(tables.TOPICS)

    def iter_duplicates(self) -> Iterator[Duplicate]:
        return self._rows(tables.DUPLICATES)

    def groups(self) -> Iterator[DuplicateGroup]:
        """Groups of identical or similar pages: each original with its duplicates, largest group first."""
        return self._items(largest_first)

    def unsettled(self) -> int:
        """Number of pages whose duplicate marks may change until a run ends."""
        with self._snapshot() as db:
            return unsettled(db)

    # -- one URL ------------------------------------------------------------------------------------------------------

    # `at`: the last answer at this moment or earlier: ISO 8601, a datetime, or seconds since the epoch

    def page(self, url: str, *, at: At = None) -> PageRows:
        """All data about one page: its rows and its links."""
        with self._snapshot() as db:
            return page_rows(db, self._find(db, url, at)[0])

    def text(self, url: str, *, main: bool = False, at: At = None) -> str:
        """The text of a page; with `main`, the text without menus, footers and similar parts."""
        with self._snapshot() as db:
            return words(db, *self._find(db, url, at), main=main)

    def response(self, url: str, *, at: At = None) -> Response:
        """The response as received, from the archive."""
        with self._snapshot() as db:
            return responses.response(db, *self._find(db, url, at))

    def body(self, url: str, *, at: At = None) -> bytes:
        """The bytes of the page: the body of the response without its content codings."""
        with self._snapshot() as db:
            return responses.body(responses.response(db, *self._find(db, url, at)), self._configured(db)[0].fetch)

    def document(self, url: str, *, at: At = None) -> bytes | None:
        """The document of a page after its scripts, HTML in UTF-8; None: the page was not read in the browser."""
        with self._snapshot() as db:
            return responses.document(db, *self._find(db, url, at))

    def screenshot(self, url: str) -> bytes:
        """The latest picture of a page in a browser, PNG ([browser] screenshot)."""
        with self._snapshot() as db:
            return responses.screenshot(db, *self._find(db, url))

    def pdf(self, url: str) -> bytes:
        """The latest PDF of a page in a browser ([browser] pdf)."""
        with self._snapshot() as db:
            return responses.pdf(db, *self._find(db, url))

    def history(self, url: str) -> Iterator[Answer]:
        """Every answer of a URL in order of time, each with what changed against the one before."""
        with self._snapshot() as db:
            answers = list(history(db, self._find(db, url)[0]))
        return iter(answers)

    def diff(
        self,
        other: Crawl | None = None,
        *,
        before: At = None,
        after: At = None,
        text: bool = False,
    ) -> Iterator[Change]:
        """The pages that are new, gone, moved or changed, as `ttcrawl diff` lists them.

        Without `other`: between two moments of this crawl; None: the first, or the latest, answer of each URL. With it:
        between this crawl and the other one. With `text`, changes have a unified diff of the main text. Raises
        UsageError if the moments are not moments, or in the wrong order.
        """
        from ttcrawl.inspect.changes.diff import Change, changes

        if not isinstance(other, Crawl | None):
            raise UsageError(f"{other!r} is not an opened crawl: write ttcrawl.open(DIR)")
        with ExitStack() as opened:
            first = opened.enter_context(self._snapshot())
            second = opened.enter_context(other._snapshot()) if other is not None else None
            rows = opened.enter_context(spooled(changes(first, second, before, after, text=text).rows(), Change))
            for db in filter(None, (first, second)):
                db.rest()
            yield from _while_open(first, rows)

    def group(self, url: str) -> DuplicateGroup:
        """The group of identical or similar pages that contains this one. Raises NotThere if no group contains it."""
        with self._snapshot() as db:
            return group_of(db, *self._find(db, url))

    def why(self, url: str) -> str:
        """The history of a URL, discovered or not, as `ttcrawl why` prints it."""
        from ttcrawl.inspect.why.life import life
        from ttcrawl.inspect.why.life_text import text
        from ttcrawl.inspect.why.open_crawl import open_crawl

        with open_crawl(self.directory) as crawl:
            return text(life(crawl, url))

    def search(self, query: str, limit: int = 10, *, rank: str = "bm25") -> list[Hit]:
        """The best pages for a query, as `ttcrawl search` finds them. Writes search.db into the directory.

        `rank` is "bm25" or "pagerank". Raises UsageError if the query or the limit is
        wrong, and CrawlFailedError if search.db cannot be written.
        """
        from ttcrawl.inspect.search.best_pages import best_pages

        if not isinstance(query, str):
            raise UsageError(f"{query!r} is not a query: write a text")
        return best_pages(self.directory, query, limit, rank=rank)

    def extract(
        self,
        what: Callable[..., Any] | str | Iterable[str],
        *,
        where: str | Iterable[str] = (),
        all_captures: bool = False,
        again: bool = False,
        settings: Mapping[str, object] | None = None,
    ) -> Iterator[dict[str, object]]:
        """The items that `what` makes of archived pages, as `ttcrawl extract` does: docs/library.md. Writes items.db.

        `what` is a function in a file, or its name, "shop.py:page"; or a line of [hooks] extract, or several of a kind.
        `where`: conditions that all hold. `settings`: keys of config.ini. Raises UsageError, and CrawlFailedError if
        `what` fails on twenty pages in a row.
        """
        from ttcrawl.extract.for_programs import extracted, selection

        pages = selection(where, all_captures=all_captures, again=again)
        return self._items(lambda db: extracted(db, what, pages, settings or {}))

    def summary(self) -> Summary:
        """The figures that `ttcrawl crawl` prints at its end."""
        return summarize(self.directory)

    def study(self) -> Study:
        """Every figure of `ttcrawl report`. Without the extra `report`, the power laws of the degrees are None."""
        from ttcrawl.report.study import study

        return study(self.directory)

    def graph(self, *, links: str = "main") -> Network:
        """The link graph of the pages as arrays: the nodes, and the distinct links between them.

        `links` is "main", for the links of the main text where a page has landmarks, or "all", with those of menus.
        Raises UsageError for other links.
        """
        require("numpy")
        from ttcrawl.library.network import link_graph

        return link_graph(self.directory, links)

    # -- internals ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _snapshot(self) -> Iterator[View]:
        with view(self.directory, self._tail) as db:
            self._open.add(db)
            try:
                yield db
            finally:
                self._open.discard(db)

    def _frame(self, table: Table[Any]) -> DataFrame:
        with self._snapshot() as db:
            return frames.frame(db, table)

    def _rows(self, table: Table[R]) -> Iterator[R]:
        return self._items(table.pieces.rows)

    def _items(self, items: Callable[[View], Iterator[R]]) -> Iterator[R]:
        with self._snapshot() as db:
            yield from _while_open(db, items(db))

    def _configured(self, db: View) -> tuple[Config, Callable[[str], str | None]]:
        """Read at first use, because the figures of a crawl do not need its config.ini."""
        if self._rules is None:
            self._rules = db.config, canon_of(db.config).canonical
        return self._rules

    def _find(self, db: View, text: str, at: At = None) -> tuple[int, str]:
        """(id, canonical URL)."""
        named = named_url(db, self._configured(db)[1], text)
        if named.id is None:
            raise NotThere(undiscovered(db, named.url))
        if at is not None:
            at_moment.show(db, named.id, named.url, moments.end_of(at))
        return named.id, named.url


def _while_open(db: View, items: Iterator[R]) -> Iterator[R]:
    """The items; once the view was closed, the next one raises what a query of it raises."""
    for item in items:
        if db.closed:
            db.execute("SELECT 1")
        yield item
