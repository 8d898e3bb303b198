"""A response as received, and the input and output of the reader for one kind of content."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, structs

from ttcrawl.parse.head import content_types, declared_length, expiry, first_values
from ttcrawl.parse.links.follow import NO_LINKS, Links
from ttcrawl.read.fingerprints.fingerprint import FingerprintInput
from ttcrawl.ring.columns import Document, Headers, Image, Metadata, Text
from ttcrawl.ring.messages import Fetched, Head, Request
from ttcrawl.ring.rendering import Encoding, Rendering
from ttcrawl.store.warc_records import DOCUMENT
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.mime.content_type import content_type

#: Headers that describe the body as received.
_OF_THE_BODY = frozenset(("content-type", "content-encoding", "content-length", "transfer-encoding"))


class Response(Struct, frozen=True, kw_only=True):
    """What a server answered to a request, as received."""

    request: Request
    fetched: Fetched
    head: Head
    headers: dict[str, str]  # by name in lower case; the first field of each name
    types: list[str]  # the values of Content-Type
    body: bytes
    encoding: Encoding | None = None  # of a document after scripts, which is in UTF-8: that of its answer
    static: bytes = b""  # of such a document: its answer as HTML in UTF-8

    @property
    def good(self) -> bool:
        return 200 <= self.head.status < 300

    @property
    def cut(self) -> bool:
        """Whether the body is not complete."""
        return bool(self.fetched.refused or self.fetched.incomplete)

    @property
    def fresh_until(self) -> float | None:
        return expiry(self.head, self.headers, self.fetched)

    def stated(self) -> Headers:
        etag, modified = self.headers.get("etag", ""), self.headers.get("last-modified", "")
        server, fresh_until = self.headers.get("server", ""), self.fresh_until
        # the head was corrected when it was received; only the numbers are new
        make: Callable[..., Headers] = Headers.sound if fresh_until is None and not self.cut else Headers
        return make(
            etag=etag,
            last_modified=modified,
            server=server,
            fresh_until=fresh_until,
            declared_length=declared_length(self.head) if self.cut else None,
        )


def response_of(request: Request, fetched: Fetched, head: Head, body: bytes) -> Response:
    headers = first_values(head)
    return Response(
        request=request, fetched=fetched, head=head, headers=headers, types=content_types(head, headers), body=body
    )


def rendered(response: Response, rendering: Rendering, static: bytes) -> Response:
    """Return a page after its scripts, to be parsed like any other. A URL to which scripts sent the browser counts as
    one in Refresh. `static`: the answer without its codings."""
    headers = [(name, value) for name, value in response.head.headers if name.lower() not in _OF_THE_BODY]
    headers.append(("Content-Type", DOCUMENT))
    sent_to = [("Refresh", f"0; url={target}") for target in rendering.targets]
    head = structs.replace(response.head, headers=(*headers, *sent_to))
    by_name = response.headers | {name.lower(): value for name, value in sent_to[:1]}
    encoding = rendering.encoding
    return structs.replace(
        response,
        head=head,
        headers=by_name,
        types=[DOCUMENT],
        body=rendering.dom,
        encoding=encoding,
        static=to_utf8(static, encoding.charset, response.request.url)[0],
    )


def after_scripts(response: Response, document: bytes, static: bytes) -> Response:
    """The same for a document in the archive: where scripts sent the browser is unknown."""
    _, charset, declared, decided = to_utf8(static, content_type(response.types).charset, response.request.url)
    encoding = Encoding(charset=charset, declared=declared, decided=decided)
    rendering = Rendering(dom=document, encoding=encoding, moment=0.0, targets=(), resources=())
    return rendered(response, rendering, static)


class Answer(Struct, frozen=True, kw_only=True):
    """A response whose body is to be parsed."""

    request: Request
    head: Head
    headers: dict[str, str]  # by name in lower case; the first field of each name
    body: bytes  # without content codings
    mime: str  # its type, sniffed or declared
    declared: str  # the type in Content-Type, "" if none
    charset: str  # the charset in Content-Type, "" if none
    encoding: Encoding | None = None  # these two as in Response
    static: bytes = b""
    time: float = 0.0  # when it was requested


def answer_of(response: Response, body: bytes, mime: str) -> Answer:
    """`body`: without content codings."""
    declared, charset = content_type(response.types)
    return Answer(
        request=response.request,
        head=response.head,
        headers=response.headers,
        body=body,
        mime=mime,
        declared=declared,
        charset=charset,
        encoding=response.encoding,
        static=response.static,
        time=response.fetched.started,
    )


class Content(Struct, frozen=True, kw_only=True):
    """The parsed content, as in messages.Page and its groups."""

    charset: str = ""
    declared_charset: str = ""
    charset_from: str = ""
    title: str = ""
    robots: frozenset[str] = frozenset()  # directives of the page itself
    parser: str = ""
    reader: str = ""
    error: str = ""
    links: Links = NO_LINKS
    content_hashes: tuple[int, int] = (0, 0)
    look: Callable[[], tuple[int, int]] | None = None  # of a page whose look is compared
    metadata: Metadata | None = None
    text: Text | None = None
    image: Image | None = None
    document: Document | None = None
    fingerprint_input: FingerprintInput | None = None  # None: there is none, or it is not compared
    uses_page_url: bool = True
    url_independent: bool = False  # apart from links in its headers
    unread: bool = False  # its reading is put off


#: Of a body that is not parsed.
NO_CONTENT = Content()
