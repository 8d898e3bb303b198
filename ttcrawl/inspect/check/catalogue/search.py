"""What search engines are told."""

from __future__ import annotations

from ttcrawl.inspect.check.catalogue.kind import ERROR, Kind

KINDS = (
    Kind(
        "search",
        "canonical",
        ERROR,
        "Wrong canonical URLs",
        "canonical URLs that are errors or redirects",
        "Search engines ignore it, or lose the page.",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
)
