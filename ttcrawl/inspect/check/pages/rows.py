"""The HTML pages of a crawl in its tables."""

from __future__ import annotations

from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import FETCHED

#: URLs whose last visit by `recrawl` found no page. Their last page is still in the tables, until visits confirm it.
LOST = "SELECT url FROM revisit WHERE missing > 0 OR failures > 0"

#: Those that were answered with 2xx.
PAGES = (
    "page JOIN url ON url.id = page.url LEFT JOIN metadata ON metadata.url = page.url"
    f" WHERE state = '{FETCHED}' AND status BETWEEN 200 AND 299 AND status NOT IN {NO_CONTENT_STATUSES}"
    f" AND type IN {HTML_TYPES} AND page.url NOT IN ({LOST})"
)

#: Whether such a page names another canonical URL: then it is a copy, and may have what the other page has.
IS_COPY = "coalesce(canonical NOT IN ('', url.url), 0)"

#: Whether it has the content of another page, to the letter.
IS_DUPLICATE = "EXISTS (SELECT 1 FROM duplicate WHERE duplicate.url = page.url AND duplicate_of NOT NULL)"
