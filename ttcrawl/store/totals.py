"""The totals of a crawl as they follow from its tables; table `crawl` has them as `total_NAME`."""

from __future__ import annotations

from ttcrawl.store import deletions
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import condition

#: URLs that links have put into the queue; with those that robots.txt forbids.
IN_SCOPE = f"(url.found_on NOTNULL AND (state != 'refused' OR {condition(Family.ROBOTS)}))"

#: Totals do not fall by deletions, nor does the growth of the crawl.
TOTALS = {
    "pages": f"SELECT count(*) + {deletions.PAGES} FROM url WHERE state = 'fetched'",
    "relevant": "SELECT count(*) FROM topic JOIN url ON url.id = topic.url WHERE relevant AND state = 'fetched'",
    "found": f"SELECT coalesce(sum(links), 0) + {deletions.LINKS} FROM page",
    "queued": "SELECT count(*) FROM url WHERE state = 'queued'",
}

#: Those that a change of URLs brings up to date.
OF_URLS = TOTALS | {"refused": "SELECT count(*) FROM url WHERE state = 'refused'"}
