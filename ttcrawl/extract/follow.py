"""Items of a crawl that runs: new pages are extracted soon after they are committed, until the crawl has ended."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ttcrawl.config import Config
from ttcrawl.engine.reporting.following import give_way
from ttcrawl.errors import DONE
from ttcrawl.extract.captures import captures
from ttcrawl.extract.extraction import Extraction
from ttcrawl.extract.items import ItemsFile
from ttcrawl.extract.run import Selection, chosen, ring_of, versions_of
from ttcrawl.output.display import tell
from ttcrawl.output.number import counted
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.lock import crawled_by

#: Seconds between two looks for new pages.
PAUSE = 1.0

#: Visits that are looked at once.
MANY = 10_000

_VISITED = f"SELECT id, url FROM visit WHERE id > ? AND kind = 'page' ORDER BY id LIMIT {MANY}"
_LAST = "SELECT coalesce(max(id), 0) FROM visit"


def follow(db: View, file: ItemsFile, config: Config) -> int:
    """Return the exit status. Raises as `ttcrawl.extract.run.extract`.

    Visits say what is new; as they are of URLs before they are canonical, all pages are looked at once more at the end.
    """
    give_way()
    everything = Selection()
    with ring_of(db, config) as ring:
        run = Extraction(config, ring, file, versions_of(config, file), silent)
        ring.ready()
        (last,) = db.execute(_LAST).fetchone()
        run.run(chosen(db, everything), 0)
        while crawled_by(db.directory):
            time.sleep(PAUSE)
            db.renew()
            visits = db.execute(_VISITED, (last,)).fetchall()
            last = visits[-1][0] if visits else last
            run.run(captures(db, _ids(db, dict.fromkeys(url for _, url in visits)), every=False), 0)
        db.renew()
        run.run(chosen(db, everything), 0)
    for extractor, count in zip(config.hooks.extractors, run.counts, strict=True):
        failed = f", {count.failed:,} of them with an error" if count.failed else ""
        tell(f"{extractor.name}: {counted(count.items, 'item')} of {counted(count.pages, 'page')}{failed}")
    return DONE


def _ids(db: View, urls: dict[str, None]) -> Iterator[int]:
    return (id for url in urls if (id := db.url_id(url)) is not None)
