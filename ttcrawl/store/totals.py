"""The totals of a crawl as they follow from its tables; table `crawl` has them as `total_NAME`."""

from __future__ import annotations

from collections.abc import Mapping

from ttcrawl.store import deletions
from ttcrawl.store.database import Database
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import FOREIGN, condition

#: URLs that links have put into the queue; with those that robots.txt forbids.
IN_SCOPE = f"(url.found_on NOTNULL AND (state != 'refused' OR {condition(Family.ROBOTS)}))"

#: Totals do not fall by deletions, nor does the growth of the crawl.
TOTALS = {
    "pages": f"SELECT count(*) + {deletions.PAGES} FROM url WHERE state = 'fetched'",
    "relevant": "SELECT count(*) FROM topic JOIN url ON url.id = topic.url WHERE relevant AND state = 'fetched'",
    "found": f"SELECT coalesce(sum(links), 0) + {deletions.LINKS} FROM page",
    "queued": "SELECT count(*) FROM url WHERE state = 'queued'",
}

#: Those that a change of URLs brings up to date. What a ring has sent to its owner is not refused.
OF_URLS = TOTALS | {"refused": f"SELECT count(*) FROM url WHERE state = 'refused' AND reason != '{FOREIGN}'"}


def bring_up_to_date(db: Database, totals: Mapping[str, str] = OF_URLS) -> None:
    """Write totals that follow from the tables as they are now."""
    for name, query in totals.items():
        db.execute(f"UPDATE crawl SET value = ({query}) WHERE name = 'total_{name}'")


#: Ends of a crawl after which the last sample of its growth has all counts.
ENDINGS = ("done", "max_pages", "max_time", "max_bytes", "target_recall", "visited")


def shorten_growth(db: Database) -> None:
    """The series must not fall: it continues from the first sample that fits, and ends where the crawl goes on."""
    if db.execute(f"DELETE FROM growth WHERE pages > ({TOTALS['pages']}) OR links > ({TOTALS['found']})").rowcount:
        db.execute(f"UPDATE crawl SET value = 'interrupted' WHERE name = 'finished' AND value IN {ENDINGS}")
