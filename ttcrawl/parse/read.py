"""One response -> one outcome: all data that the crawl process needs, so that it computes nothing again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path

from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.parse.answer import Content, answer_of
from ttcrawl.parse.content import ContentReader
from ttcrawl.parse.directives import NOFOLLOW, directives, joined
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.gain import GainReader
from ttcrawl.parse.head import declared_length, expiry, first_values, values
from ttcrawl.parse.hooks.call import CalledHooks
from ttcrawl.parse.hooks.stage import Hooked, PageHook
from ttcrawl.parse.links.extract import no_page
from ttcrawl.parse.links.follow import NO_LINKS, Follower, Links
from ttcrawl.parse.links.header import canonical, with_headers
from ttcrawl.parse.links.link import link_to
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.listing import HostSitemaps
from ttcrawl.parse.page import counted, page_of
from ttcrawl.parse.probe import ProbeReader
from ttcrawl.parse.rendered import rendered
from ttcrawl.parse.robots import robots_text
from ttcrawl.parse.topic import page_scorer, promises
from ttcrawl.read.fingerprints.fingerprint import fingerprint, prepare
from ttcrawl.ring.browsing import Gain
from ttcrawl.ring.messages import (
    CHECK,
    PAGE,
    PROBE,
    ROBOTS,
    Archived,
    Fetched,
    Head,
    IdenticalBody,
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
from ttcrawl.ring.record import Fingerprint, Record
from ttcrawl.ring.rendering import Rendering
from ttcrawl.store.archived import refers_to
from ttcrawl.store.warc import Archive, truncated
from ttcrawl.topic.files import copied
from ttcrawl.vocabulary.reason import BODY_RETRIED, NO_CONTENT_STATUSES, NONE, REDIRECT_STATUSES
from ttcrawl.web.coding.decode import CodingError
from ttcrawl.web.fields import reference
from ttcrawl.web.mime.content_type import content_type, declared_type
from ttcrawl.web.scope import Scope
from ttcrawl.web.storable import replace

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
        self._agent = config.agent.name
        self._ratio = config.fetch.max_ratio
        self._canon = compile_canon(config.url, ftp=config.fetch.ftp)
        self._follower = Follower(config, scope, self._canon, hooks.refusal if hooks else None)
        self._hooks, self._hook = hooks, None
        if hooks is not None and hooks.page is not None:
            self._hook = PageHook(hooks, self._follower, self._canon, config.traps.urls_per_page)
        self._duplicates = config.duplicates
        prepare(config.duplicates)
        self._metadata, self._wanted = config.record.metadata, wanted(config.links)
        files = self._files = FileReader(config, archive.parent / "files", position.series if position else 0)
        self._contents = ContentReader(config, self._canon, self._follower, files, converting)
        self._host_sitemaps = HostSitemaps(config, scope, self._canon, self._follower)
        self._probes = ProbeReader(config, scope, self._canon)
        self._gains = GainReader(config.links, self._canon)
        self._topic = page_scorer(copied(config.topic, archive.parent)) if position else None
        self._promises = promises(config, self._topic) if self._topic else None
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
        if not (self._hooks and without_hooks):
            return self._read(request, fetched, head, body, identical, rendering)
        self._hooks.off, topic, self._topic = True, self._topic, None
        try:
            return self._read(request, fetched, head, body, identical, rendering)
        finally:
            self._hooks.off, self._topic = False, topic
            self._follower.forget_targets()

    def _read(
        self,
        request: Request,
        fetched: Fetched,
        head: Head,
        body: bytes,
        identical: IdenticalBody | None,
        rendering: Rendering | None,
    ) -> Outcome:
        assert self._archive is not None
        why, headers = truncated(fetched), first_values(head)
        append = partial(
            self._archive.append,
            request.url,
            head,
            body,
            fetched.started,
            truncated=why,
            identical=identical,
            look_up=request.look_up,
            rendering=rendering,
        )
        if request.unmodified is not None and head.status == HTTPStatus.NOT_MODIFIED:
            confirmed = refers_to(self._directory, request.unmodified)
            return NotModified(
                token=request.token,
                archived=self._archive.append_not_modified(
                    request.url, head, fetched.started, confirmed, request.look_up
                ),
                etag=headers.get("etag", ""),
                fresh_until=expiry(head, headers, fetched),
            )
        if self._topic and self._irrelevant != ARCHIVE and request.kind == PAGE and not _redirects(head, headers):
            page = self._page(request, NOWHERE, head, headers, body, fetched, rendering)
            if page.topic is None or page.topic.relevant:
                return self._rendered(structs.replace(page, archived=append()), rendering)
            return self._counted(page) if self._irrelevant == COUNT else page
        archived = append()
        if identical is not None and identical.same:
            return self._same(request, archived, head, headers, body, identical, fetched)
        if _redirects(head, headers):
            if request.kind in (PROBE, CHECK):
                return self._probes.moved(request.token, archived, request.url, reference(headers["location"]))
            until = expiry(head, headers, fetched)
            return self._moved(request, archived, reference(headers["location"]), until)
        if request.kind in (PROBE, CHECK):
            unread = bool(why) or request.kind == CHECK
            return self._probe(request, archived, head, headers, body, refused=unread)
        if request.kind == ROBOTS and fetched.incomplete:  # the rules in the missing part are unknown
            return Robots(token=request.token, archived=archived, text="", etag="", last_modified="")
        if request.kind == ROBOTS:
            return self._robots(request, archived, head, headers, body, cut=bool(fetched.refused))
        return self._rendered(self._page(request, archived, head, headers, body, fetched, rendering), rendering)

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
        return self._page(request, NOWHERE, head, first_values(head), body, fetched)

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def _same(
        self,
        request: Request,
        archived: Archived,
        head: Head,
        headers: dict[str, str],
        body: bytes,
        identical: IdenticalBody,
        fetched: Fetched,
    ) -> Same:
        name = saved = ""
        if identical.type:
            plain = self._contents.plain(request, head, body, cut=False)
            name, saved = self._files.name_and_path(answer_of(request, head, headers, plain, identical.type))
        return Same(
            token=request.token,
            archived=archived,
            original=identical.id,
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
            server=headers.get("server", ""),
            name=name,
            saved=saved,
            fresh_until=expiry(head, headers, fetched),
        )

    def _moved(self, request: Request, archived: Archived, location: str, fresh_until: float | None) -> Moved:
        refusal = self._follower.refusal_of_sitemap if request.sitemap else self._follower.refusal
        target = link_to(self._canon, request.url, location, request.depth, refusal, sitemap=request.sitemap)
        return Moved(token=request.token, archived=archived, location=location, target=target, fresh_until=fresh_until)

    def _probe(
        self, request: Request, archived: Archived, head: Head, headers: dict[str, str], body: bytes, *, refused: bool
    ) -> Probed:
        answer = None
        if 200 <= head.status < 300 and not refused:
            with suppress(CodingError):
                plain = self._contents.plain(request, head, body, cut=False)
                answer = answer_of(
                    request, head, headers, plain, self._contents.mime_type(head, headers, plain, request.url)
                )
        return self._probes.read(request.token, archived, body, answer)

    def _robots(
        self, request: Request, archived: Archived, head: Head, headers: dict[str, str], body: bytes, *, cut: bool
    ) -> Robots:
        text = robots_text(head, body, self._ratio, cut=cut)
        return Robots(
            token=request.token,
            archived=archived,
            text=text,
            sitemaps=self._host_sitemaps.links(request, head, text),
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
        )

    def _page(
        self,
        request: Request,
        archived: Archived,
        head: Head,
        headers: dict[str, str],
        received: bytes,
        fetched: Fetched,
        rendering: Rendering | None = None,
    ) -> Page:
        answer, (head, body) = head, (head, received) if rendering is None else rendered(head, rendering)
        types = values(head, "content-type")
        (mime, charset), content, refused, error = content_type(types), Content(), NONE, ""
        # not parsed if it is requested again: its links would count as sent when the next response is parsed
        again = fetched.incomplete in BODY_RETRIED and not request.last
        good, cut = 200 <= head.status < 300, bool(fetched.refused or fetched.incomplete)
        if head.status in NO_CONTENT_STATUSES:
            mime, body = "", b""
        elif good and cut and not body:
            mime = self._contents.stated_type(head, request.url)
        if good and body and not again:
            mime, content, refused, error = self._contents.read(request, head, headers, body, fetched, mime)
        links, uses_page_url = content.links, content.uses_page_url
        if good and not links.kinds and links == NO_LINKS and not again:
            links, head_uses_page_url = self._links_of_head(request, head)
            uses_page_url = uses_page_url or head_uses_page_url
        hooked = Hooked(content=content, links=links)
        complete = bool(body) and not (again or refused or error or cut)
        if self._hook is not None and complete and good:
            plain = partial(self._contents.plain, request, head, body, cut=False)
            hooked = self._hook(request, head, mime, content, links, plain)
            refused, error = hooked.refused, hooked.error
        topic = None
        if self._topic is not None and complete and not refused:
            topic, problem = self._topic.score(request.url, hooked)
            error = error or problem
        if self._promises is not None:
            hooked = structs.replace(hooked, links=self._promises.add(request, hooked.links, topic))
        record = self._record(hooked.content, request.url, head)
        page = page_of(
            request,
            fetched,
            archived,
            received,
            hooked,
            refused=refused,
            error=error,
            types=(mime, declared_type(types), charset),
            headers=headers,
            robots=joined(content.robots | directives((), head.headers, self._agent)),
            record=record,
            fingerprint=self._fingerprint(fetched, hooked.content, refused),
            uses_page_url=uses_page_url,
        )
        if rendering is not None and request.plan is not None:
            page = structs.replace(page, gain=self._gain(request, answer, received, rendering))
        until = expiry(head, headers, fetched)
        length = declared_length(head) if cut else None
        stated = topic is not None or until is not None or length is not None
        return structs.replace(page, topic=topic, fresh_until=until, declared_length=length) if stated else page

    def _gain(self, request: Request, answer: Head, received: bytes, rendering: Rendering) -> Gain:
        plain = self._contents.plain(request, answer, received, cut=False)
        return self._gains.gain(request.url, plain, content_type(values(answer, "content-type"))[1], rendering)

    def _fingerprint(self, fetched: Fetched, content: Content, refused: str) -> Fingerprint | None:
        if not (fetched.digest or fetched.rendered) or refused or not (self._duplicates.exact or self._duplicates.near):
            return None
        compared = content.fingerprint_input
        return fingerprint(compared, self._duplicates) if compared else Fingerprint()

    def _record(self, content: Content, url: str, head: Head) -> Record | None:
        """The metadata, with the canonical URL of the headers if the page names none; also for files."""
        record = content.record
        if record is None or record.canonical or not self._metadata:
            return record
        header = canonical(head.headers, url)
        return replace(record, canonical=self._canon.resolve(url, header) or "") if header else record

    def _links_of_head(self, request: Request, head: Head) -> tuple[Links, bool]:
        """The links in the headers of content without links of its own (the HTML reader has already added them), and
        whether they depend on the page's own URL, unwanted ones included."""
        only = with_headers(no_page(request.url), head.headers, request.url, self._wanted)
        if not only.hrefs:
            return NO_LINKS, only.uses_page_url
        header_directives = directives((), head.headers, self._agent)
        links = self._follower.follow(request, only, not header_directives.isdisjoint(NOFOLLOW))
        return links, links.uses_page_url


def _redirects(head: Head, headers: dict[str, str]) -> bool:
    return head.status in REDIRECT_STATUSES and "location" in headers
