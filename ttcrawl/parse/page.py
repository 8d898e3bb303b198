"""One answer that is not a redirect -> all that the crawl process needs, so that it computes nothing again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import xxhash
from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.parse.answer import NO_CONTENT, Content, Response, after_scripts, rendered
from ttcrawl.parse.content import ContentReader
from ttcrawl.parse.directives import HEADER, NOFOLLOW, directives, joined
from ttcrawl.parse.gain import GainReader
from ttcrawl.parse.hooks.call import CalledHooks
from ttcrawl.parse.hooks.page import HookPage
from ttcrawl.parse.hooks.stage import Hooked, PageHook, hook_page
from ttcrawl.parse.links.extract import no_page
from ttcrawl.parse.links.follow import NO_LINKS, Follower, Links
from ttcrawl.parse.links.header import NAMES, canonical, with_headers
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.topic import PageScorer, promises
from ttcrawl.read.fingerprints.fingerprint import fingerprint, prepare
from ttcrawl.ring.browsing import Gain
from ttcrawl.ring.columns import Added, Facts, Fingerprint, LinkCounts, Metadata, Outlinks, Reading
from ttcrawl.ring.messages import Archived, Page
from ttcrawl.ring.rendering import Rendering
from ttcrawl.vocabulary.reason import BODY_RETRIED, NO_CONTENT_STATUSES, NONE, Code
from ttcrawl.web.canon import Canon
from ttcrawl.web.mime.content_type import content_type, declared_type
from ttcrawl.web.storable import is_sound, replace
from ttcrawl.web.traps.url_patterns import NOTHING


class PageReader:
    """`topic`: scores pages, None without a subject; `follower` and `contents` are shared with the other readers."""

    def __init__(
        self,
        config: Config,
        canon: Canon,
        follower: Follower,
        contents: ContentReader,
        hooks: CalledHooks | None,
        topic: PageScorer | None,
    ) -> None:
        self._agent = config.agent.name
        self._canon = canon
        self._follower = follower
        self._contents = contents
        self._hook: PageHook | None = None
        if hooks is not None and hooks.page is not None:
            self._hook = PageHook(hooks, follower, canon, config.traps.urls_per_page)
        # without the results of a hook, all values of the message itself are sound
        self._page = Page.sound if self._hook is None else Page
        self.topic = topic
        self._promises = promises(config, topic) if topic else None
        self._duplicates = config.duplicates
        prepare(config.duplicates)
        self._metadata, self._wanted = config.record.metadata, wanted(config.links)
        self._gains = GainReader(config.links, canon)

    def read(self, received: Response, archived: Archived, rendering: Rendering | None = None) -> Page:
        """If there is a `rendering`, the page is read from its document."""
        response, plain = received, b""
        if rendering is not None:
            plain = self._contents.plain(received, cut=False)
            response = rendered(received, rendering, plain)
        request, fetched = response.request, response.fetched
        mime, content, refused, error = self._content(response)
        links, uses_page_url = self._links(response, content)
        hooked = Hooked(content=content, links=links, refused=refused, error=error)
        complete = _has_content(response) and not (refused or error or response.cut)
        called = self._hook is not None and complete and response.good
        if self._hook is not None and called:
            hooked = self._hook(response, mime, content, links, partial(self._contents.plain, response, cut=False))
        topic, unscored = None, ""
        if self.topic is not None and complete and not hooked.refused:
            topic, unscored = self.topic.score(request.url, hooked)
        if self._promises is not None:
            hooked = structs.replace(hooked, links=self._promises.add(request, hooked.links, topic))
        content, links = hooked.content, hooked.links
        page: Page = self._page(
            token=request.token,
            archived=archived,
            refused=hooked.refused,
            digest=fetched.digest or xxhash.xxh3_128_digest(received.body),
            headers=response.stated(),
            facts=self._facts(received, response.types, mime, content, hooked.error or unscored or content.error),
            counts=links.counts,
            outlinks=links.outlinks,
            links=links.new,
            reading=self._reading(response, content, hooked.refused),
            content_hashes=content.content_hashes,
            look=content.look() if content.look and links.new else NOTHING,  # others are not remembered
            uses_page_url=uses_page_url,
            url_independent=content.url_independent and response.headers.keys().isdisjoint(NAMES),
            unread=content.unread,
            added=Added(fields=hooked.fields, score=hooked.score) if called else None,
            topic=topic,
            link_scores=links.scores,
            reader=content.reader,
            gain=None if rendering is None or request.plan is None else self._gain(received, plain, rendering),
        )
        return page

    def hook_page(self, received: Response, document: bytes | None) -> HookPage | None:
        """What hooks get of a page; None: it is not complete, or no page.

        `document`: the page after its scripts; None: it was not read in the browser.
        """
        response = received
        if document is not None:
            response = after_scripts(received, document, self._contents.plain(received, cut=False))
        mime, content, refused, error = self._content(response)
        if refused or error or response.cut or not (response.good and _has_content(response)):
            return None
        links, _ = self._links(response, content)
        return hook_page(response, mime, content, links, partial(self._contents.plain, response, cut=False))

    def forget_sent(self) -> None:
        """Let pages send all links again."""
        self._follower.forget_sent()
        if self._promises is not None:
            self._promises.forget_sent()

    def _facts(self, response: Response, types: Sequence[str], mime: str, content: Content, error: str) -> Facts:
        declared, charset = declared_type(types), content.declared_charset or content_type(types).charset
        robots = content.robots
        if HEADER in response.headers:
            robots |= directives((), response.head.headers, self._agent)
        robots_text = joined(robots) if robots else ""
        sound = is_sound("".join((mime, declared, content.charset, charset, content.title, robots_text, error)))
        make: Callable[..., Facts] = Facts.sound if sound else Facts
        return make(
            type=mime,
            declared_type=declared,
            charset=content.charset,
            declared_charset=charset,
            charset_from=content.charset_from,
            length=len(response.body),
            title=content.title,
            robots=robots_text,
            parser=content.parser,
            parse_error=error,
        )

    def _content(self, response: Response) -> tuple[str, Content, Code, str]:
        """As ContentReader.read; of a body that is not to be parsed only the type, as far as it is known."""
        head = response.head
        if head.status in NO_CONTENT_STATUSES:
            return "", NO_CONTENT, NONE, ""
        mime = content_type(response.types).essence
        if response.good and response.cut and not response.body:
            mime = self._contents.stated_type(response.types, response.request.url)
        if response.good and _has_content(response):
            return self._contents.read(response, mime)
        return mime, NO_CONTENT, NONE, ""

    def _links(self, response: Response, content: Content) -> tuple[Links, bool]:
        """The links, and whether the results depend on the page's own URL. If the content has no links, there are
        those in the headers; the HTML reader has already added them."""
        if not response.good or content.links != NO_LINKS or _is_requested_again(response):
            return content.links, content.uses_page_url
        url, headers = response.request.url, response.head.headers
        only = with_headers(no_page(url), headers, url, self._wanted)
        if not only.hrefs:
            return NO_LINKS, content.uses_page_url or only.uses_page_url
        nofollow = not directives((), headers, self._agent).isdisjoint(NOFOLLOW)
        links = self._follower.follow(response.request, only, nofollow)
        return links, content.uses_page_url or links.uses_page_url

    def _reading(self, response: Response, content: Content, refused: Code) -> Reading:
        make: Callable[..., Reading] = Reading.sound
        return make(
            metadata=self._with_canonical(response, content.metadata),
            text=content.text,
            image=content.image,
            document=content.document,
            fingerprint=self._fingerprint(response, content, refused),
        )

    def _with_canonical(self, response: Response, metadata: Metadata | None) -> Metadata | None:
        """The metadata, with the canonical URL of the headers if the page names none; also for files."""
        if metadata is None or metadata.canonical or not self._metadata or "link" not in response.headers:
            return metadata
        header = canonical(response.head.headers, response.request.url)
        if not header:
            return metadata
        return replace(metadata, canonical=self._canon.resolve(response.request.url, header) or "")

    def _fingerprint(self, response: Response, content: Content, refused: Code) -> Fingerprint | None:
        compared = self._duplicates.exact or self._duplicates.near
        if not (response.fetched.digest or response.fetched.rendered) or refused or not compared:
            return None
        words = content.fingerprint_input
        return fingerprint(words, self._duplicates) if words else Fingerprint()

    def _gain(self, received: Response, plain: bytes, rendering: Rendering) -> Gain:
        charset = content_type(received.types).charset
        return self._gains.gain(received.request.url, plain, charset, rendering)


def counted(page: Page, *, followed: bool) -> Page:
    """Return an irrelevant page as it is if such pages are only counted: its score, and its links if these may be
    `followed`."""
    return structs.replace(
        page,
        facts=structs.replace(page.facts, title=""),
        counts=LinkCounts(),
        outlinks=structs.replace(page.outlinks, anchors="") if followed else Outlinks(),
        links=page.links if followed else (),
        reading=Reading(),
        added=page.added and Added(),
        only_counted=True,
    )


def _is_requested_again(response: Response) -> bool:
    """Then it is not parsed: its links would count as sent when the next response is parsed."""
    return response.fetched.incomplete in BODY_RETRIED and not response.request.last


def _has_content(response: Response) -> bool:
    """Whether it has a body that is to be parsed."""
    no_content = response.head.status in NO_CONTENT_STATUSES
    return bool(response.body) and not no_content and not _is_requested_again(response)
