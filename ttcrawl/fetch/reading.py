"""What decides how a body is read besides its bytes, as a number. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import xxhash

from ttcrawl.config import Config

#: Headers that say what a body is, or something of it that parse processes keep. ETag and Server are kept as well, but
#: every answer brings its own (messages.Same).
READ = frozenset(
    (
        *("content-type", "content-encoding", "content-language", "content-disposition", "x-content-type-options"),
        *("last-modified", "link", "refresh", "x-robots-tag"),
    )
)

#: Of these the extension of the URL says nothing more: all other types may be guessed by it.
SURE = frozenset(("text/html", "application/xhtml+xml"))


def settings(config: Config) -> str:
    """What config.ini has to say of it, which may change when a crawl goes on: a page is not read by earlier keys."""
    said = (config.agent.name, config.crawl.max_depth, config.fetch.max_decoded, config.fetch.max_ratio)
    parts = (config.scope, config.url, config.traps, config.links, config.record, config.sitemaps, config.files)
    more = (config.documents, config.converters, config.duplicates, config.hosts)
    return xxhash.xxh3_64_hexdigest(repr((said, parts, more)).encode("utf-8", "surrogatepass"))


def reading(url: str, headers: Iterable[tuple[str, str]], *, sitemap: bool, by: str = "") -> int:
    """Two answers with the same bytes and the same number are read in the same way: as far as no more of their URLs
    counts than the directory and the extension. 64 bits, signed as SQLite has them, and never 0. `by`: the settings."""
    return _number(url.partition("?")[0].rpartition("/")[0], url, headers, sitemap=sitemap, by=by)


def anywhere(url: str, headers: Iterable[tuple[str, str]], *, sitemap: bool, by: str = "") -> int:
    """The same where the directory does not count either."""
    return _number("", url, headers, sitemap=sitemap, by=by)


def _number(directory: str, url: str, headers: Iterable[tuple[str, str]], *, sitemap: bool, by: str) -> int:
    said = sorted(((name.lower(), value) for name, value in headers if name.lower() in READ), key=lambda each: each[0])
    name = url.partition("?")[0].rpartition("/")[2]
    types = [value.partition(";")[0].strip().lower() for each, value in said if each == "content-type"]
    extension = "" if types and SURE.issuperset(types) else name.rpartition(".")[2].lower()
    parts = [by, directory, extension, "sitemap" if sitemap else "", *(part for field in said for part in field)]
    # no header and no URL has a line feed in it
    return xxhash.xxh3_64_intdigest("\n".join(parts).encode("utf-8", "surrogatepass")) - (1 << 63) or 1
