"""Which version of a robots.txt was read, so that it can be asked for on the condition that it has changed."""

from __future__ import annotations

from dataclasses import dataclass

#: A longer validator is not sent back, characters.
LONGEST = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What the server said of it (RFC 9110 section 8.8); "" where it said nothing that can be sent back."""

    url: str = ""
    etag: str = ""
    modified: str = ""

    def condition(self, url: str) -> tuple[tuple[str, str], ...]:
        """The headers of a request for `url` that is answered with 304 as long as this is the version there."""
        if url != self.url:
            return ()
        headers = (("If-None-Match", self.etag), ("If-Modified-Since", self.modified))
        return tuple((name, value) for name, value in headers if value)


#: Of a robots.txt that is not there, or not known.
NO_VERSION = Version()


def version(url: str, etag: str, modified: str) -> Version:
    """The version at `url` by its headers ETag and Last-Modified, which may be anything."""
    return Version(url=url, etag=_sendable(etag), modified=_sendable(modified))


def _sendable(value: str) -> str:
    return value if len(value) <= LONGEST and value.isascii() and value.isprintable() else ""
