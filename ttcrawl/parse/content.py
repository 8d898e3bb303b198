"""A body -> its content, by the reader of its family."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.parse.answer import NO_CONTENT, Answer, Content, Response, answer_of
from ttcrawl.parse.document import DocumentReader
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.head import coding, is_nosniff, may_be_coded
from ttcrawl.parse.html import HtmlReader
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.listing import NO_LISTING, ListingReader
from ttcrawl.parse.plain import PlainReader
from ttcrawl.parse.stages import first_stage, unconverted
from ttcrawl.parse.stylesheet import StylesheetReader
from ttcrawl.vocabulary.reason import BOMB, NONE, TYPE, Code
from ttcrawl.web.canon import Canon
from ttcrawl.web.coding.decode import BombError, CodingError, before_error, beginning, decode
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.kind import (
    DOCUMENT,
    FEED,
    HTML,
    IMAGE,
    OTHER,
    SITEMAP,
    STYLESHEET,
    TEXT,
    XML,
    family,
    listing_type,
    mime_type,
    stated_type,
)

#: Families that are never passed to a converter.
READ_ANYHOW = frozenset((HTML, FEED, SITEMAP))


class ContentReader:
    """The readers of all families. `converting` is called with the token of a request whose document is converted."""

    def __init__(
        self,
        config: Config,
        canon: Canon,
        follower: Follower,
        files: FileReader,
        converting: Callable[[int], None],
    ) -> None:
        self._sniff, self._is_outside = config.record.sniff, follower.is_outside
        self._limit, self._ratio = config.fetch.max_decoded, config.fetch.max_ratio
        self._max_sitemap = config.sitemaps.max_bytes
        # One reader per family; a response of a family without a reader is only archived.
        first = first_stage(config)
        self._put_off = frozenset((HTML, TEXT)) if first != config else frozenset()
        self._readers: dict[str, Callable[[Answer], Content]] = {
            HTML: HtmlReader(first, canon, follower).read,
            TEXT: PlainReader(first, files, follower).read,
            STYLESHEET: StylesheetReader(config, files, follower).read,
            IMAGE: lambda answer: Content(image=files.image(answer), uses_page_url=False, url_independent=True),
            DOCUMENT: DocumentReader(config, files, follower, converting).read,
            **dict.fromkeys(
                (XML, FEED, SITEMAP, OTHER),
                lambda answer: Content(document=files.document(answer), uses_page_url=False, url_independent=True),
            ),
        }
        listings = ListingReader(config, canon, follower).read
        self._readers |= {SITEMAP: listings} if config.sitemaps.use != "no" else {}
        self._readers |= {FEED: listings} if config.sitemaps.feeds else {}
        converters = config.converters if config.documents.convert else ()
        self._converted = frozenset(each.type for each in converters if each.lines)
        if self._put_off and unconverted(wanted(config.links)):
            self._put_off |= {DOCUMENT}
            self._readers[DOCUMENT] = self._readers[OTHER]

    def read(self, response: Response, mime: str) -> tuple[str, Content, Code, str]:
        """(MIME type, content, why it was refused, error): a bomb yields no content, and a broken coding the content
        before the error."""
        request, content = response.request, NO_CONTENT
        try:
            plain, broken = self._decoded(response)
            mime = self.mime_type(response, plain)
            mime = listing_type(mime, plain) if request.sitemap else mime
            if request.sitemap and family(mime, plain, sitemap=True) != SITEMAP and self._is_outside(request.url):
                return mime, content, TYPE, NO_LISTING  # a page out of scope
            content = self._content(response, plain, mime, cut=response.cut or bool(broken))
        except BombError:
            return mime, content, BOMB, ""
        except CodingError as error:
            return mime, content, NONE, str(error)
        if broken:  # only complete pages are compared
            return mime, structs.replace(content, fingerprint_input=None), NONE, broken
        shortened = request.sitemap and response.cut
        return mime, content, NONE, f"only the first {len(response.body):,} bytes are kept" if shortened else ""

    def _decoded(self, response: Response) -> tuple[bytes, str]:
        """The body without its codings, and the error if it is only the beginning because a coding is broken."""
        try:
            return self.plain(response, cut=response.cut), ""
        except BombError:
            raise
        except CodingError as error:
            limit, size = self._limit, self._limit
            if response.request.sitemap:
                limit, size = 2 * self._max_sitemap, self._max_sitemap
            if plain := before_error(response.body, coding(response.head), size, limit, self._ratio):
                return plain, str(error)
            raise

    def plain(self, response: Response, *, cut: bool) -> bytes:
        """The body without its codings. If it is cut, or a sitemap, which may be longer than the limit: its
        beginning."""
        sitemap, body = response.request.sitemap, response.body
        codings = coding(response.head) if may_be_coded(response.headers) else ""
        if not sitemap and not cut:
            return decode(body, codings, self._limit, self._ratio)
        if not sitemap:
            return beginning(body, codings, self._limit + 1, self._limit, self._ratio, cut=True, bombs=False)
        size = self._max_sitemap
        return beginning(body, codings, size, 2 * size, self._ratio, cut=cut)

    def stated_type(self, types: Sequence[str], url: str) -> str:
        """The type of a body that was not received. `types`: the values of Content-Type."""
        return stated_type(types, url) if self._sniff else content_type(types).essence

    def mime_type(self, response: Response, body: bytes) -> str:
        """`body`: without its codings."""
        if not self._sniff:
            return content_type(response.types).essence
        return mime_type(response.types, body, response.request.url, nosniff=is_nosniff(response.headers))

    def _content(self, response: Response, body: bytes, mime: str, *, cut: bool) -> Content:
        """Parse with the reader of the family; empty if there is none, and for a cut body unless its family has
        links."""
        content_family = family(mime, body, sitemap=response.request.sitemap)
        if mime in self._converted and content_family not in READ_ANYHOW:
            content_family = DOCUMENT  # a converter takes precedence over the family
        reader = self._readers.get(content_family)
        if reader is None or (cut and content_family not in READ_ANYHOW):
            return NO_CONTENT
        content = reader(answer_of(response, body, mime))
        unread = content_family in self._put_off and (content_family != DOCUMENT or mime in self._converted)
        return structs.replace(content, unread=True) if unread else content
