"""One response -> one outcome, archived on the way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path

from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.config.compiled import canon_of
from ttcrawl.parse.answer import Response, answer_of, response_of
from ttcrawl.parse.content import ContentReader
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.hooks.call import CalledHooks
from ttcrawl.parse.hooks.page import HookPage
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.link import link_to
from ttcrawl.parse.listing import HostSitemaps, robots_text
from ttcrawl.parse.login import LoginReader
from ttcrawl.parse.page import PageReader, counted
from ttcrawl.parse.probe import ProbeReader
from ttcrawl.parse.topic import page_scorer
from ttcrawl.ring.messages import (
    CHECK,
    LOGIN,
    PAGE,
    PROBE,
    ROBOTS,
    Archived,
    Fetched,
    Head,
    IdenticalBody,
    LoggedOut,
    LoginStep,
    Moved,
    NotModified,
    Outcome,
    Page,
    Probed,
    Request,
    Robots,
    Same,
)
from ttcrawl.ring.position import Position
from ttcrawl.ring.rendering import Rendering
from ttcrawl.store.archived import refers_to
from ttcrawl.store.warc import Archive, truncated
from ttcrawl.topic.files import copied
from ttcrawl.vocabulary.reason import REDIRECT_STATUSES
from ttcrawl.web.coding.decode import CodingError
from ttcrawl.web.fields import reference
from ttcrawl.web.scope import Scope

NOWHERE = Archived(file="", offset=0, length=0)

#: What [topic] irrelevant can be.
ARCHIVE, COUNT = "archive", "count"


class Reader:
    """The work of a parse process, without the process: its archive and its state."""

    def __init__(
        self,
        config: Config,
        scope: Scope,
        archive: Path,
        position: Position | None,
        converting: Callable[[int], None] = lambda token: None,
        hooks: CalledHooks | None = None,
    ) -> None:
        """`position`: where its series of the archive continues; None: it only reads archived responses."""
        self._ratio = config.fetch.max_ratio
        self._canon = canon_of(config)
        self._follower = Follower(config, scope, self._canon, hooks.refusal if hooks else None)
        self._hooks = hooks
        self._files = FileReader(config, archive.parent / "files", position.series if position else 0)
        self._contents = ContentReader(config, self._canon, self._follower, self._files, converting)
        self._host_sitemaps = HostSitemaps(config, scope, self._canon, self._follower)
        self._probes = ProbeReader(config, scope, self._canon)
        self._logins = LoginReader(config, self._canon, self._contents) if config.login.form else None
        topic = page_scorer(copied(config.topic, archive.parent)) if position else None
        self._pages = PageReader(config, self._canon, self._follower, self._contents, hooks, topic)
        self._irrelevant, self._follows_irrelevant = config.topic.irrelevant, config.topic.tunnel != 0
        self._directory = archive
        size, daily = config.store.warc_size, config.store.warc_daily
        self._archive = Archive(archive, position, size, daily=daily) if position else None

    def read(
        self,
        request: Request,
        fetched: Fetched,
        head: Head,
        body: bytes,
        identical: IdenticalBody | None = None,
        *,
        without_hooks: bool = False,
        rendering: Rendering | None = None,
    ) -> Outcome:
        """Archive a response and determine its outcome. Raises OSError if the archive or a file cannot be written.

        If there is a `rendering`, the page is read from its document.

        If the body is `identical` to another, it is already in the archive. If both have the same parse context, it is
        not parsed. `without_hooks`: they are not called and the page gets no score, because parse processes have died
        with it.
        """
        response = response_of(request, fetched, head, body)
        if not (self._hooks and without_hooks):
            return self._read(response, identical, rendering)
        self._hooks.off, topic, self._pages.topic = True, self._pages.topic, None
        try:
            return self._read(response, identical, rendering)
        finally:
            self._hooks.off, self._pages.topic = False, topic
            self._follower.forget_targets()

    def read_recorded(self, request: Request, fetched: Fetched, head: Head, body: bytes, where: Archived) -> Outcome:
        """Determine the outcome of a response that an imported archive has at a position. `request`: a page's, or of a
        robots.txt."""
        return self._outcome(response_of(request, fetched, head, body), None, None, lambda: where)

    def _read(self, response: Response, identical: IdenticalBody | None, rendering: Rendering | None) -> Outcome:
        assert self._archive is not None
        request, fetched, head = response.request, response.fetched, response.head
        append = partial(
            self._archive.append,
            request.url,
            head,
            response.body,
            fetched.started,
            truncated=truncated(fetched),
            identical=identical,
            look_up=request.look_up,
            rendering=rendering,
        )
        return self._outcome(response, identical, rendering, append)

    def _outcome(
        self,
        response: Response,
        identical: IdenticalBody | None,
        rendering: Rendering | None,
        append: Callable[[], Archived],
    ) -> Outcome:
        request, fetched, head = response.request, response.fetched, response.head
        moved = _redirects(response)
        if self._logins is not None and (login := self._of_login(self._logins, response, moved=moved)) is not None:
            return login
        if request.unmodified is not None and head.status == HTTPStatus.NOT_MODIFIED:
            assert self._archive is not None
            confirmed = refers_to(self._directory, request.unmodified)
            return NotModified(
                token=request.token,
                archived=self._archive.append_not_modified(
                    request.url, head, fetched.started, confirmed, request.look_up
                ),
                etag=response.headers.get("etag", ""),
                fresh_until=response.fresh_until,
            )
        if self._pages.topic and self._irrelevant != ARCHIVE and request.kind == PAGE and not moved:
            page = self._page(response, NOWHERE, rendering)
            if page.topic is None or page.topic.relevant:
                return self._rendered(structs.replace(page, archived=append()), rendering)
            return self._counted(page) if self._irrelevant == COUNT else page
        archived = append()
        if identical is not None and identical.same:
            return self._same(response, archived, identical)
        if moved and request.kind in (PROBE, CHECK):
            return self._probes.moved(request.token, archived, request.url, reference(response.headers["location"]))
        if moved:
            return self._moved(response, archived)
        if request.kind in (PROBE, CHECK):
            unread = request.kind == CHECK or bool(truncated(fetched))
            return self._probe(response, archived, unread=unread)
        if request.kind == ROBOTS:
            return self._robots(response, archived)
        return self._rendered(self._page(response, archived, rendering), rendering)

    def _of_login(self, logins: LoginReader, response: Response, *, moved: bool) -> LoginStep | LoggedOut | None:
        """The outcome of a request that logs in, or that shows the loss of the session; neither is archived."""
        location = reference(response.headers["location"]) if moved else None
        if response.request.kind == LOGIN:
            return logins.step(response, location)
        return LoggedOut(token=response.request.token) if logins.is_lost(response, location) else None

    def _page(self, response: Response, archived: Archived, rendering: Rendering | None) -> Page:
        try:
            page = self._pages.read(response, archived, rendering)
        except Exception:
            self._pages.forget_sent()  # its links are lost with it, and the next page that has them sends them
            raise
        if response.request.visit:
            self._follower.unsend(page.links)  # the next page that has them may be the first that is kept
        return page

    def _counted(self, page: Page) -> Page:
        if not self._follows_irrelevant:
            self._follower.unsend(page.links)  # which go with the page
        return counted(page, followed=self._follows_irrelevant)

    def _rendered(self, page: Page, rendering: Rendering | None) -> Page:
        """Add what the browser did; the records are those of the answer that was archived last."""
        if rendering is None or self._archive is None:
            return page
        return structs.replace(page, resources=self._archive.resources, failed_steps=rendering.failed_steps)

    def read_archived(self, request: Request, fetched: Fetched, head: Head, body: bytes) -> Page:
        """Parse an archived response that is not a redirect."""
        return self._pages.read(response_of(request, fetched, head, body), NOWHERE)

    def hook_page(
        self, request: Request, fetched: Fetched, head: Head, body: bytes, document: bytes | None
    ) -> HookPage | None:
        """What hooks get of an archived page; None: it is not complete. `document`: as in PageReader.hook_page."""
        return self._pages.hook_page(response_of(request, fetched, head, body), document)

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def _same(self, response: Response, archived: Archived, identical: IdenticalBody) -> Same:
        name = saved = ""
        if identical.type:
            plain = self._contents.plain(response, cut=False)
            name, saved = self._files.name_and_path(answer_of(response, plain, identical.type))
        return Same(
            token=response.request.token,
            archived=archived,
            original=identical.id,
            headers=response.stated(),
            name=name,
            saved=saved,
        )

    def _moved(self, response: Response, archived: Archived) -> Moved:
        request, location = response.request, reference(response.headers["location"])
        refusal = self._follower.refusal_of_sitemap if request.sitemap else self._follower.refusal
        return Moved(
            token=request.token,
            archived=archived,
            location=location,
            target=link_to(self._canon, request.url, location, request.depth, refusal, sitemap=request.sitemap),
            fresh_until=response.fresh_until,
        )

    def _probe(self, response: Response, archived: Archived, *, unread: bool) -> Probed:
        answer = None
        if response.good and not unread:
            with suppress(CodingError):
                plain = self._contents.plain(response, cut=False)
                answer = answer_of(response, plain, self._contents.mime_type(response, plain))
        return self._probes.read(response.request.token, archived, response.body, answer)

    def _robots(self, response: Response, archived: Archived) -> Robots:
        request, headers = response.request, response.headers
        if response.fetched.incomplete:  # the rules in the missing part are unknown
            return Robots(token=request.token, archived=archived, text="", etag="", last_modified="")
        text = robots_text(response.head, response.body, self._ratio, cut=response.cut)
        return Robots(
            token=request.token,
            archived=archived,
            text=text,
            sitemaps=self._host_sitemaps.links(request, response.head, text),
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
        )


def _redirects(response: Response) -> bool:
    return response.head.status in REDIRECT_STATUSES and "location" in response.headers
