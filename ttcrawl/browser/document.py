"""An answer as the browser gets it: decoded, of a stated type, in the encoding that the crawl decided about."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.browser.cache import Response
from ttcrawl.config import Fetch
from ttcrawl.parse.head import coding, first_values, is_nosniff, values
from ttcrawl.ring.messages import Head
from ttcrawl.ring.rendering import Encoding
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.coding.decode import CodingError, decode
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.kind import HTML, family, mime_type

#: Headers that the browser does not get. They are of the body as it came, set cookies, or do what the crawl decides
#: about: a page is shown, whatever a person would do with it. Reports would be requests of their own, and policies for
#: the site may forbid what we answer ourselves.
_LEFT_OUT = frozenset(("content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"))
_LEFT_OUT |= {"refresh", "content-disposition", "report-to", "reporting-endpoints", "nel"}
_LEFT_OUT |= {"strict-transport-security", "alt-svc", "clear-site-data"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    response: Response
    encoding: Encoding

    @property
    def without_scripts(self) -> bool:
        """Whether a policy of the answer forbids all scripts (CSP level 3, 6.3.1: sandbox)."""
        policies = self.response.headers.get("content-security-policy", "").replace(",", ";").lower().split(";")
        sandboxes = [names for names in map(str.split, policies) if names and names[0] == "sandbox"]
        return any("allow-scripts" not in names for names in sandboxes)


def document_of(url: str, head: Head, body: bytes, fetch: Fetch) -> Document | None:
    """`body`: as received. None: it is not HTML, or cannot be decoded."""
    try:
        plain = decode(body, coding(head), fetch.max_decoded, fetch.max_ratio)
    except CodingError:
        return None
    types = values(head, "content-type")
    mime = mime_type(types, plain, url, nosniff=is_nosniff(first_values(head)))
    if family(mime, plain) != HTML:
        return None
    _, charset, declared, decided = to_utf8(plain, content_type(types).charset, url)
    headers = shown(head.headers) | {"content-type": f"{mime}; charset={charset}"}
    return Document(
        response=Response(status=head.status, headers=headers, body=plain),
        encoding=Encoding(charset=charset, declared=declared, decided=decided),
    )


def shown(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The headers of an answer that the browser gets, by name in lower case."""
    joined: dict[str, str] = {}
    for name, value in headers:
        if (lower := name.lower()) not in _LEFT_OUT:
            joined[lower] = f"{joined[lower]}, {value}" if lower in joined else value
    return joined
