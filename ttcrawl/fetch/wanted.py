"""Which bodies are wanted. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.config.urls import EXTENSIONS
from ttcrawl.ring.messages import ROBOTS, Request
from ttcrawl.web.mime.content_type import declared_type
from ttcrawl.web.mime.extensions import FILES, extension
from ttcrawl.web.mime.kind import is_file, stated_type

_OF_FILES = frozenset((*EXTENSIONS.split(), *FILES, "rtf", "ps", "eps"))


def wanted(types: frozenset[str], values: Sequence[str]) -> bool:
    """Whether a response with these Content-Type values is wanted. If there are several values, the one that counts
    when the body is parsed decides. `types` are in lower case; if there are none, all types are wanted.

    A response without a type is wanted: it may have any type (RFC 9110 section 8.3).

    >>> [wanted(frozenset({"text/*"}), [each]) for each in ("Text/HTML; charset=utf-8", "image/png", "")]
    [True, False, True]
    """
    declared = declared_type(values) if types else ""
    return not declared or not types.isdisjoint(("*/*", f"{declared.partition('/')[0]}/*", declared))


def kind_of(request: Request) -> str:
    """The kind by which a response is received: a sitemap like a robots.txt, of any type; its beginning is useful."""
    return ROBOTS if request.sitemap else request.kind


def is_stated_file(values: Sequence[str], url: str) -> bool:
    """Whether a body is a file that is not a page, by its Content-Type and its URL."""
    stated = stated_type(values, url)
    return is_file(stated) if stated else has_extension_of_file(url)


def has_extension_of_file(url: str) -> bool:
    """Whether a URL has the extension of a file that is not a page; its server says what it is.

    >>> [has_extension_of_file(f"http://a.test/{name}") for name in ("a.PDF?page=1", "a.rtf", "a.html", "pdf")]
    [True, True, False, False]
    """
    return extension(url) in _OF_FILES
