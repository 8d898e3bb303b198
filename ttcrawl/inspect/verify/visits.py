"""Checks that depend on time: the requests to each host, the clocks of the hosts, and the growth of the crawl."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path

from ttcrawl.config import ConfigError, read
from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.report.gaps import BY_ADDRESS, COLUMNS, ORDER, TOLERANCE, gaps
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.database import Database
from ttcrawl.store.staged import ROW, current
from ttcrawl.store.totals import ENDINGS, IN_SCOPE, TOTALS
from ttcrawl.vocabulary.reason import KIND
from ttcrawl.vocabulary.state import ANSWERED

ATTEMPTS = {
    # never fewer visits than attempts; more if a kill lost the outcome of a request
    "visit: fewer than the URL's attempts": """
        SELECT url.url FROM url LEFT JOIN asked ON asked.url = url.url AND asked.kind = 'page'
        WHERE url.attempts > coalesce(times, 0)""",
    "visit: of a page that is not in table url": """
        SELECT asked.url FROM asked WHERE kind = 'page' AND NOT EXISTS
        (SELECT 1 FROM known JOIN url USING (id)
         WHERE known.key BETWEEN key_of(asked.url) AND key_of(asked.url) + 100 AND url.url = asked.url)""",
    "visit: of a probe that was not planned": """
        SELECT asked.url FROM asked WHERE kind = 'probe' AND asked.url NOT IN (SELECT url FROM probe)""",
    "probe: fewer visits than attempts": """
        SELECT probe.url FROM probe LEFT JOIN asked ON asked.url = probe.url AND asked.kind = 'probe'
        WHERE probe.attempts > coalesce(times, 0) AND reason NOT IN ('blocked address')""",
    "visit: ended before it began": "SELECT url FROM visit WHERE ended < started",
    "site: robots.txt read without a visit": """
        SELECT host FROM site WHERE robots_status IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM crawl WHERE name = 'ring') -- an earlier owner of the host may have read it
        AND NOT EXISTS (SELECT 1 FROM asked WHERE asked.url = robots_url AND kind = 'robots')""",
    "site: pages fetched before robots.txt was read": f"""
        SELECT host FROM site WHERE robots_time IS NULL AND id IN
        (SELECT site FROM url WHERE state IN {ANSWERED})
        AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'imported')""",  # an archive may have none
    "site: domain is not the host's": "SELECT host FROM site WHERE domain IS NOT domain_of(host)",
}


def check(db: View, findings: Findings) -> None:
    try:
        default = delay_obeyed(db.directory, db.settings)
    except (ConfigError, OSError, ValueError) as error:
        findings.add("config.ini: cannot be read", error)
        default = None
    with findings.catching(db):
        db.execute("CREATE TEMP TABLE asked (kind, url, times, PRIMARY KEY (kind, url)) WITHOUT ROWID")
        db.execute("INSERT INTO asked SELECT kind, url, count(*) FROM visit GROUP BY kind, url")
        for kind, query in ATTEMPTS.items():
            findings.add_all(kind, (row[0] for row in db.execute(query)))
        _delays(db, findings)
        if default is not None and db.settings.get("finished") in ENDINGS:
            findings.add_all("site: next moment is too early", (host for host, _, _ in early(db, default)))
        _growth(db, findings)


def delay_obeyed(directory: Path, settings: Mapping[str, str]) -> float | None:
    """The smallest default delay that may have been in force, in seconds; None: delays were not always obeyed."""
    now = read(current(directory / "config.ini", settings.get(ROW, "")), []).politeness
    obeyed = settings.get("obey_delay", "yes") == "yes" and now.obey_delay
    return min(float(settings.get("delay", now.delay)), now.delay) if obeyed else None


def early(db: Database, default: float) -> Iterator[tuple[str, int, float]]:
    """(host, site, moment) of the hosts that are due before the end of the last request plus the delay.

    Ignores requests of a run whose clock was ahead and was corrected later.
    """
    yield from db.execute(
        "SELECT host, site.id, max(ended) + min(coalesce(site.delay, ?), ?) AS least FROM site JOIN visit"
        " ON visit.site = site.id WHERE ended <= (SELECT CAST(coalesce(max(value), '1e300') AS REAL) + 1 FROM crawl"
        " WHERE name = 'clock') GROUP BY site.id HAVING next_at < least - ?",
        (default, default, TOLERANCE),
    )


def _delays(db: View, findings: Findings) -> None:
    """Every request waits as long as is due: the delay recorded with it, and the back-offs recorded before it."""
    rows = db.execute(f"SELECT site, host, {COLUMNS} FROM visit JOIN site ON site.id = site ORDER BY site, {ORDER}")
    for (_, host), requests in groupby(rows, key=itemgetter(0, 1)):
        for gap in gaps(request[2:] for request in requests):
            if gap.broken:
                overlap = "exchanges with a host overlap" if gap.waited < 0 else "closer than the delay"
                findings.add(f"visit: {overlap}", f"{host}: {gap.waited:.6f} s after the last, due {gap.due:g} s")
    for address, requests in groupby(db.execute(BY_ADDRESS), key=itemgetter(0)):
        for gap in gaps(request[3:] for request in requests):
            if gap.broken and gap.due:
                findings.add(
                    "visit: closer than the delay of the address",
                    f"{address}: {gap.waited:.6f} s after the last, due {gap.due:g} s",
                )


def _growth(db: View, findings: Findings) -> None:
    rows = db.execute(
        "SELECT pages, seconds, links, distinct_urls, bytes, coalesce(in_scope, 0) FROM growth ORDER BY pages"
    )
    last = None
    for earlier, later in pairwise(rows):
        last = later
        if any(after < before for before, after in zip(earlier, later, strict=True)):
            findings.add("growth: goes back", f"between {earlier[0]} and {later[0]} pages")
    if last is None or db.settings.get("finished") not in ENDINGS:
        return
    (links,) = db.execute(TOTALS["found"]).fetchone()
    (pages,) = db.execute(TOTALS["pages"]).fetchone()
    urls, in_scope = db.execute(
        f"SELECT coalesce(sum(reason != ?), 0), coalesce(sum({IN_SCOPE}), 0) FROM url", (KIND,)
    ).fetchone()
    if (last[0], last[2], last[3]) != (pages, links, urls):
        findings.add(
            "growth: ends with other totals than the crawl",
            f"{last[0]} pages, {last[2]} links, {last[3]} URLs, not {pages}, {links}, {urls}",
        )
    # only limits: URLs that were queued and later refused as traps cannot be told from others
    if last[5] and not in_scope <= last[5] <= urls:
        findings.add(
            "growth: ends with other totals than the crawl", f"{last[5]} URLs in scope, {in_scope} in table url"
        )
