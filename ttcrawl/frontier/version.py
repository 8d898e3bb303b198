"""The version of a robots.txt that was read, for conditional requests."""

from __future__ import annotations

from msgspec import Struct

from ttcrawl.recrawl.validators import sendable, settled
from ttcrawl.web.etag import conditions


class Version(Struct, frozen=True, kw_only=True):
    """The validators of a robots.txt (RFC 9110 section 8.8); "" if the server sent none that can be sent back."""

    url: str = ""
    etag: str = ""
    modified: str = ""

    def condition(self, url: str) -> tuple[tuple[str, str], ...]:
        """Return the headers for a request of `url` that is answered with 304 while the version there is the same."""
        return conditions(self.etag, self.modified) if url == self.url else ()


#: The version of a robots.txt that does not exist or is unknown.
NO_VERSION = Version()


def version(url: str, etag: str, modified: str, at: float) -> Version:
    """Return the version at `url` from the headers ETag and Last-Modified of an answer, which are untrusted.

    No other request shows whether a 304 is true: what could bring one for ever is not sent.
    """
    return Version(url=url, etag=sendable(etag), modified=settled(modified, at))
