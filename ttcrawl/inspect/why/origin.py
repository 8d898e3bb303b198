"""What named a URL as a sitemap, and where a URL was listed."""

from __future__ import annotations

import json
import time

from ttcrawl.frontier.offers import BY_ROBOTS
from ttcrawl.inspect.why.open_crawl import OpenCrawl
from ttcrawl.web import robots
from ttcrawl.web.url import host

#: Seconds for the robots.txt of all hosts.
PATIENCE = 5.0


def kind_of(crawl: OpenCrawl, source: int, key: int) -> str:
    """The letter of the first link from a page to the URL of this key, or "" without a link."""
    row = crawl.db.execute("SELECT targets, kinds FROM outlinks WHERE source = ?", (source,)).fetchone()
    if row is None or key not in (targets := json.loads(row[0])):
        return ""
    return chr(row[1][targets.index(key)])


def sitemap_source(crawl: OpenCrawl, url: str, sitemap: int) -> str:
    """What named the sitemap, in words; "" for other URLs. `sitemap` is the column of its row."""
    if sitemap != BY_ROBOTS:
        return "it is a sitemap: an index, or the redirect of one, names it" if sitemap else ""
    # its own host first, which is the usual case
    rows = crawl.db.execute(
        "SELECT site.host, robots.url, robots.text FROM robots JOIN site ON site.id = robots.site"
        " WHERE robots.text LIKE '%sitemap%' ORDER BY site.host != ?, site.id, robots.time",
        (host(url),),
    )
    end = time.monotonic() + PATIENCE
    for name, base, text in rows:
        for href in robots.sitemaps(text):
            if crawl.canon.resolve(base, href) == url:
                return f"named as a sitemap by the robots.txt of {name}"
        if time.monotonic() > end:
            return "named as a sitemap by a robots.txt (the time was up before it was found)"
    return "looked for as a sitemap at the usual place, for the robots.txt of its host names none"
