"""The version of a robots.txt that was read, for conditional requests."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.web.etag import conditions

#: Longer validators are not sent back, characters.
LONGEST = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The validators of a robots.txt (RFC 9110 section 8.8); "" if the server sent none that can be sent back."""

    url: str = ""
    etag: str = ""
    modified: str = ""

    def condition(self, url: str) -> tuple[tuple[str, str], ...]:
        """Return the headers for a request of `url` that is answered with 304 while the version there is the same."""
        return conditions(self.etag, self.modified) if url == self.url else ()


#: The version of a robots.txt that does not exist or is unknown.
NO_VERSION = Version()


def version(url: str, etag: str, modified: str) -> Version:
    """Return the version at `url` from its headers ETag and Last-Modified, which are untrusted."""
    return Version(url=url, etag=_sendable(etag), modified=_sendable(modified))


def _sendable(value: str) -> str:
    return value if len(value) <= LONGEST and value.isascii() and value.isprintable() else ""
