"""Pictures of pages, made from the archive of the crawl, without requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

from ttcrawl.config.compiled import canon_of
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.inspect.check.links import external
from ttcrawl.parse.xhtml import as_html
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.url import key

if TYPE_CHECKING:
    from ttcrawl.browser.cache import Response
    from ttcrawl.browser.thumbnails import Document, Thumbnail


def pictures(db: View, urls: Sequence[str]) -> tuple[dict[str, Thumbnail], str]:
    """URL -> its picture, as far as there is one, and why there is none of any page: what to install."""
    try:
        from ttcrawl.browser.thumbnails import thumbnails

        with external.views(db.directory) as externals:
            archive = Archive(db, externals)
            taken = thumbnails(db.config.browser, archive.documents(urls), archive.answer)
            return {each.url: each for each in taken}, ""
    except ImportError:
        return {}, "pip install 'ttcrawl[browser]', and Chromium, show pictures of these pages"
    except (UsageError, CrawlFailedError) as error:
        return {}, f"without pictures: {error}"


class Archive:
    """What a crawl has recorded, as a browser asks for it."""

    def __init__(self, db: View, externals: Sequence[View]) -> None:
        self._db, self._resolve = db, canon_of(db.config).resolve
        self._views = (db, *externals)
        self._of_scripts = dict[str, dict[str, responses.Response]]()  # page -> URL -> answer

    def documents(self, urls: Iterable[str]) -> Iterator[Document]:
        """The pages whose bytes are in the archive."""
        for url in urls:
            with suppress(NotThere):
                yield self._document(url)

    def _document(self, url: str) -> Document:
        from ttcrawl.browser.thumbnails import Document

        id = self._db.url_id(url) or 0
        if (after := responses.document(self._db, id, url)) is not None:
            self._of_scripts[url] = {each.url: each for each in responses.resources(self._db, id)}
            return Document(url=url, html=after, after_scripts=True)
        mime, charset = self._db.execute("SELECT type, charset FROM page WHERE url = ?", (id,)).fetchone()
        html, *_ = to_utf8(responses.body(responses.response(self._db, id, url), self._db.config.fetch), charset, url)
        return Document(url=url, html=as_html(html, mime), after_scripts=False)

    def answer(self, page: Document, url: str) -> Response | None:
        """What the archive answers; None: nothing, or nothing of use."""
        from ttcrawl.browser.cache import Response

        with suppress(NotThere):
            recorded = self._recorded(page, url)
            plain = responses.body(recorded, self._db.config.fetch)
            if not plain and recorded.status < HTTPStatus.MULTIPLE_CHOICES:  # in answer to HEAD
                return None
            headers = {"content-type": recorded.header("Content-Type"), "access-control-allow-origin": "*"}
            return Response(status=recorded.status, headers=headers, body=plain)
        return None

    def _recorded(self, page: Document, url: str) -> responses.Response:
        """Raises NotThere."""
        if (of_script := self._of_scripts.get(page.url, {}).get(url)) is not None:
            return of_script
        canonical = self._resolve(page.url, url) or url
        for view in self._views:
            with suppress(NotThere):
                if (row := view.of_key(key(canonical))) is not None:
                    return responses.response(view, *row)
        raise NotThere(url)
