"""The keys of section [record]."""

from __future__ import annotations

from ttcrawl.config.key import key
from ttcrawl.frozen import frozen


@frozen
class Record:
    """Which text and metadata of pages are kept."""

    reading: str = key(
        "now",
        "when pages are read for text, metadata, language, near duplicates, anchors and landmarks: now, or later"
        " (by ttcrawl read)",
        choices=("now", "later"),
    )
    sniff: bool = key(
        True, "yes: the first bytes of a body help to determine its type; no: only the Content-Type header"
    )
    metadata: bool = key(True, "description, keywords, author, dates, headings, Open Graph ...")
    text: bool = key(True, "the text of pages without markup")
    main: bool = key(True, "the main text: the text without menus, headers and footers")
    language: bool = key(True, "the language, detected in the text")
    geoip: str = key(
        "",
        "a GeoIP file (MaxMind DB), by which the country of a server follows from its address; empty: the top-level"
        " domain of its host decides",
    )
    max_text: int = key(1 << 20, "maximum bytes of text that are kept per page", low=1024, size=True)
