"""Parse context: a hash of everything that decides how a body is parsed, besides its bytes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import xxhash

from ttcrawl.config import Config
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.web.mime.extensions import extension

#: Headers that decide the type of a body, or that parse processes store. ETag and Server are stored too, but every
#: response has its own (messages.Same). Sorted.
HEADERS = (
    "content-disposition",
    "content-encoding",
    "content-language",
    "content-type",
    "last-modified",
    "link",
    "refresh",
    "x-content-type-options",
    "x-robots-tag",
)

#: For these types the extension of the URL does not matter; for all others it may decide the type.
SURE = frozenset(HTML_TYPES)


def settings(config: Config) -> str:
    """A hash of the settings that affect parsing. They may change when a crawl is resumed; then earlier numbers do not
    match."""
    general = (config.agent.name, config.crawl.max_depth, config.fetch.max_decoded, config.fetch.max_ratio)
    sections = (config.scope, config.url, config.traps, config.links, config.record, config.sitemaps, config.files)
    others = (config.documents, config.converters, config.duplicates, config.hosts)
    return xxhash.xxh3_64_hexdigest(repr((general, sections, others)).encode("utf-8", "surrogatepass"))


def parse_contexts(url: str, fields: Mapping[str, Sequence[str]], *, sitemap: bool, by: str = "") -> tuple[int, int]:
    """(Hash with the directory of the URL, hash without it). `fields`: values of headers by name in lower case; `by`:
    the settings.

    Two responses with the same bytes and the same number are parsed identically: the first number if only the directory
    and the extension of their URLs matter, the second if the directory does not matter either. Each is a signed 64-bit
    integer, as SQLite stores it; never 0.
    """
    directory = url.partition("?")[0].rpartition("/")[0]
    types = [value.partition(";")[0].strip().lower() for value in fields.get("content-type", ())]
    by_name = "" if types and SURE.issuperset(types) else repr(extension(url))  # repr: it may have a line feed
    # headers and URLs contain none
    texts = [text for name in HEADERS if name in fields for value in fields[name] for text in (name, value)]
    rest = "\n".join((by_name, "sitemap" if sitemap else "", *texts))
    return _hash(f"{by}\n{directory}\n{rest}"), _hash(f"{by}\n\n{rest}")


def _hash(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63) or 1
