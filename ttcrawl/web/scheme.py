"""The scheme of a URL that a person writes without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ttcrawl.web.address import stated
from ttcrawl.web.url import host, split_port

#: The canonical form of a complete URL; None if it is none.
Canonical: TypeAlias = Callable[[str], str | None]


def has_host(text: str) -> bool:
    """Return whether a text without a scheme may begin with a host: no path, fragment, user or other scheme."""
    return (text[:1].isalnum() or text[:1] == "[") and "@" not in text.partition("/")[0] and "://" not in text


def with_scheme(text: str, canonical: Canonical) -> str:
    """Return a host, perhaps with port and path, as a URL; "" if it is none.

    As browsers do with what is typed: https, but http for what is rarely served by https: an address, localhost, a
    port.
    """
    url = canonical(f"https://{text}") if has_host(text) else None
    if url is None:
        return ""
    name, port = split_port(host(url))
    local = bool(stated(name))
    if not local and "." not in name:
        return ""
    return f"http://{text}" if local or port is not None else url
