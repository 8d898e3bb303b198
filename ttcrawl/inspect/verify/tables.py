"""Checks of the tables against each other: each check is a query for the rows that break a rule.

The rules apply to committed data. A killed crawl leaves only committed data, so they hold then too. Where a kill may
leave a trace (a request whose outcome was lost), the rule allows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ttcrawl.inspect.verify import duplicates
from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.output.steps import Progress, silent
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store import deletions
from ttcrawl.store.database import Database
from ttcrawl.store.seeds import seeds_of
from ttcrawl.store.totals import TOTALS
from ttcrawl.vocabulary.kind import REQUISITES
from ttcrawl.vocabulary.reason import CUTS_BODY, KEEPS_PAGE, Code, is_reason_of
from ttcrawl.vocabulary.state import ANSWERED, FAILED, REFUSED, State
from ttcrawl.web import url

#: Both indexes may lack URLs discovered after the URL `indexed`, but their rows must be correct.
INDEXED = "coalesce((SELECT CAST(value AS INTEGER) FROM crawl WHERE name = 'indexed'), 0)"
INDEXES = {
    "by_key: not the URL of this key": """
        SELECT by_key.key FROM by_key LEFT JOIN url ON url.id = by_key.id WHERE url.key IS NOT by_key.key""",
    "by_key: lacks a URL": f"""
        SELECT url FROM url LEFT JOIN by_key ON by_key.key = url.key
        WHERE by_key.id IS NOT url.id AND url.id <= {INDEXED}""",
    "queue: a URL that is not queued, or not there": """
        SELECT coalesce(url.url, 'no URL ' || queue.id) FROM queue LEFT JOIN url ON url.id = queue.id
        WHERE url.state IS NOT 'queued' OR url.site != queue.site OR url.priority != queue.priority""",
    "queue: lacks a queued URL": f"""
        SELECT url FROM url WHERE state = 'queued' AND id <= {INDEXED} AND NOT EXISTS
        (SELECT 1 FROM queue WHERE (queue.site, queue.priority, queue.id) = (url.site, url.priority, url.id))""",
}

#: A crawl never has this many URLs with the same hash, so a key farther from its URL's hash is wrong.
COLLISIONS = 100

LEDGER = {
    "url: queued, with a time of processing": "SELECT url FROM url WHERE state = 'queued' AND processed IS NOT NULL",
    "url: processed, without a time of processing": "SELECT url FROM url WHERE state != 'queued' AND processed IS NULL",
    "url: processed, yet to be retried": "SELECT url FROM url WHERE state != 'queued' AND due != 0",
    # a request without an answer may count as none: a kept connection was closed, or the host has another address
    "url: put off without an attempt": """
        SELECT url FROM url WHERE state = 'queued' AND due != 0 AND attempts = 0 AND NOT EXISTS
        (SELECT 1 FROM visit WHERE (visit.site, visit.url) = (url.site, url.url) AND status IS NULL)""",
    "url: processed without a reason": "SELECT url FROM url WHERE state != 'queued' AND reason = ''",
    "url: reason that its state does not have": """
        SELECT state || ': ' || reason || ' of ' || url FROM (
            SELECT state, reason, min(url) AS url FROM url WHERE reason != '' GROUP BY state, reason)
        WHERE NOT is_reason_of(state, reason)""",
    "url: answered without an attempt": f"SELECT url FROM url WHERE state IN {ANSWERED} AND attempts = 0",
    "url: answered, of no known depth": f"""
        SELECT url FROM url WHERE state IN {ANSWERED} AND depth IS NULL AND requisite = 0""",
    "url: not canonical": "SELECT url FROM url WHERE canonical_of(url) IS NOT url",
    # URLs that share a hash take the next free key, so all keys from the hash to the key are in use
    "url: key is not that of the URL": f"""
        SELECT url FROM url WHERE key != key_of(url) AND (key - key_of(url) NOT BETWEEN 1 AND {COLLISIONS} OR
        (SELECT count(*) FROM known WHERE known.key BETWEEN key_of(url.url) AND url.key - 1)
        != key - key_of(url))""",
    "url: has the key of another": "SELECT url FROM url JOIN known USING (key) WHERE known.id != url.id",
    "url: filed under another host": """
        SELECT url FROM url LEFT JOIN site ON site.id = url.site WHERE host_of(url) IS NOT site.host""",
    "url: neither found on a page nor a seed": """
        SELECT url FROM url WHERE found_on IS NULL AND sitemap != 1 AND NOT is_seed(url)
        AND NOT (depth IS NULL AND requisite > 0 AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'imported'))""",
    "url: found on a URL that is not there": """
        SELECT url FROM url WHERE found_on IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM url AS source WHERE source.id = url.found_on)""",
}


def _conditions(state: State, reasons: frozenset[Code]) -> str:
    """An SQL condition for the reasons that a state may have."""
    globs = sorted(code.replace("{}", "?*") for code in reasons if is_reason_of(state, code))
    return " OR ".join(f"reason GLOB '{each}'" for each in globs)


#: With these reasons a refused or a failed URL has a page.
REFUSED_PAGE, FAILED_PAGE = _conditions(REFUSED, KEEPS_PAGE), _conditions(FAILED, KEEPS_PAGE | CUTS_BODY)

#: A decision behind the earlier answers of a URL that leaves it without a page: it is queued again, and then fails or
#: is refused before a response. `processed` is the time of the decision.
DECIDED_AGAIN = f"""
    (state = 'queued' OR processed >= earlier_page.time AND (
     state = 'failed' AND NOT ({_conditions(FAILED, KEEPS_PAGE)})
     OR state = 'refused' AND NOT ({REFUSED_PAGE})))"""

#: Of an irrelevant page only the score may be stored ([topic] irrelevant = count).
ONLY_COUNTED = """
    EXISTS (SELECT 1 FROM topic AS counted WHERE counted.url = {} AND NOT counted.relevant)
    AND EXISTS (SELECT 1 FROM crawl WHERE name = 'only_counted')"""

PAGES = {
    "page: missing for an answered URL": f"""
        SELECT url.url FROM url LEFT JOIN page ON page.url = url.id
        WHERE state IN {ANSWERED} AND page.url IS NULL AND NOT ({ONLY_COUNTED.format("url.id")})""",
    # other than fetched and moved URLs, only these have a page row: a response that was too large (as received or
    # decoded), of an unwanted type, dropped by a hook, one on which a hook failed, or incomplete
    "page: of a URL that was not answered": f"""
        SELECT coalesce(url.url, 'no URL ' || page.url) FROM page LEFT JOIN url ON url.id = page.url
        WHERE state IS NULL OR NOT (state IN {ANSWERED}
        OR (state = 'refused' AND ({REFUSED_PAGE})) OR (state = 'failed' AND ({FAILED_PAGE})))""",
    "fields: of a URL without a page": """
        SELECT coalesce(url.url, 'no URL ' || fields.url) FROM fields LEFT JOIN url ON url.id = fields.url
        LEFT JOIN page ON page.url = fields.url WHERE page.url IS NULL
        OR NOT iif(fields = '', 1, json_valid(fields))""",
    "link_meta: damaged, or of no URL": """
        SELECT coalesce(url.url, 'no URL ' || link_meta.url) FROM link_meta LEFT JOIN url ON url.id = link_meta.url
        WHERE url.id IS NULL OR NOT json_valid(meta) OR source NOT IN (SELECT id FROM url)""",
    "topic: of a URL without a page": f"""
        SELECT coalesce(url.url, 'no URL ' || topic.url) FROM topic LEFT JOIN url ON url.id = topic.url
        LEFT JOIN page ON page.url = topic.url
        WHERE state IS NOT 'fetched' OR (page.url IS NULL AND NOT ({ONLY_COUNTED.format("topic.url")}))""",
    "topic: damaged": """
        SELECT url.url FROM topic JOIN url ON url.id = topic.url WHERE relevant NOT IN (0, 1)
        OR NOT json_valid(classes) OR NOT json_valid(topic.terms)""",
    "page: status is not the URL's reason": f"""
        SELECT url.url FROM page JOIN url ON url.id = page.url
        WHERE state IN {ANSWERED} AND reason NOT IN ('http ' || status, 'gone: http ' || status)""",
    "page: not later than an earlier answer, or missing": f"""
        SELECT coalesce(url.url, 'no URL ' || earlier_page.url) FROM earlier_page
        LEFT JOIN page ON page.url = earlier_page.url LEFT JOIN url ON url.id = earlier_page.url
        WHERE page.time <= earlier_page.time OR (page.url IS NULL AND {DECIDED_AGAIN} IS NOT TRUE
        AND NOT ({ONLY_COUNTED.format("earlier_page.url")}))""",
    "unread: of a URL without a page": """
        SELECT coalesce(url.url, 'no URL ' || unread.url) FROM unread LEFT JOIN url ON url.id = unread.url
        LEFT JOIN page ON page.url = unread.url WHERE page.url IS NULL""",
    "unread: a page that was read": """
        SELECT url.url FROM unread JOIN url ON url.id = unread.url WHERE unread.url IN (SELECT url FROM text)
        OR unread.url IN (SELECT url FROM metadata)""",
    "page: not a digest": """
        SELECT url.url FROM page JOIN url ON url.id = page.url
        WHERE state = 'fetched' AND (digest IS NULL OR length(digest) != 16)""",
}

#: The sums of table `pattern` and of table `url` for each site.
DECIDED = """
    SELECT host FROM site
    LEFT JOIN (SELECT site, sum(refused) AS refused, sum(put_last) AS put_last FROM pattern GROUP BY site) AS told
    ON told.site = site.id
    LEFT JOIN (SELECT site, sum(reason = 'duplicate pattern') AS refused, sum(demoted) AS put_last
               FROM url GROUP BY site) AS done ON done.site = site.id WHERE """

PATTERNS = {
    "pattern: more duplicates than pages": "SELECT text FROM pattern WHERE duplicates > fetched",
    "pattern: another number of URLs was refused": DECIDED + "coalesce(told.refused, 0) != coalesce(done.refused, 0)",
    "pattern: another number of URLs was put last": DECIDED
    + "coalesce(told.put_last, 0) != coalesce(done.put_last, 0)",
}

#: R is the link of a redirect, which is not counted.
COUNTED = """
    SELECT url.url, page.links, page.content_links, page.same_page_links, page.recorded_links,
           length(coalesce(kinds, '')) - moves - aside AS listed, moves, aside,
           CASE WHEN moves THEN 0 ELSE length(coalesce(regions, '')) - length(replace(replace(replace(replace(
               lower(CAST(coalesce(regions, '') AS TEXT)), 'c', ''), 'n', ''), 'd', ''), 'h', ''))
           END AS inside
    FROM (SELECT page.*, kinds, regions,
                 length(coalesce(kinds, '')) - length(replace(CAST(coalesce(kinds, '') AS TEXT), 'R', '')) AS moves,
                 length(coalesce(regions, ''))
                 - length(replace(CAST(coalesce(regions, '') AS TEXT), 'r', '')) AS aside
          FROM page LEFT JOIN outlinks ON source = page.url) AS page
    JOIN url ON url.id = page.url WHERE """

LINKS = {
    "link: packed wrongly": """
        SELECT coalesce(url, 'no URL ' || source) FROM outlinks LEFT JOIN url ON url.id = source
        WHERE NOT json_valid(targets) OR length(kinds) != length(regions)
        OR length(landmarks) NOT IN (0, length(kinds)) OR NOT (anchors = '' OR json_valid(anchors))
        OR CASE WHEN anchors != '' AND json_valid(anchors) THEN json_array_length(anchors) != length(kinds) END
        OR CASE WHEN json_valid(targets) THEN json_array_length(targets) END IS NOT length(kinds)""",
    "link: from a URL without a page": f"""
        SELECT coalesce(url.url, 'no URL ' || source) FROM outlinks LEFT JOIN url ON url.id = source
        LEFT JOIN page ON page.url = source WHERE page.url IS NULL AND NOT ({ONLY_COUNTED.format("source")})""",
    "page: number of links is not that of its links": COUNTED + "page.links != listed + page.same_page_links",
    "page: number of recorded links is not that of its links": COUNTED + "page.recorded_links != aside",
    # links to the page itself have no row, so their positions are unknown
    "page: number of links in content is not that of its links": (
        COUNTED + "page.content_links NOT BETWEEN inside AND inside + page.same_page_links"
        " OR (all_content() AND content_links != page.links)"
    ),
    "link: a redirect without exactly one target": COUNTED + "state = 'moved' AND (moves != 1 OR listed != 0)",
}

DELETIONS = {
    "deletion: interrupted, the next ttcrawl delete completes it": f"""
        SELECT kind || ' ' || file FROM leftover WHERE kind != '{deletions.RECORD}'""",
    "url: deleted, with an answer": """
        SELECT url FROM url WHERE state = 'deleted' AND id IN (SELECT url FROM answer)""",
}

PROBES = {
    "soft_404: of a URL without a page": f"""
        SELECT coalesce(url.url, 'no URL ' || soft_404.url) FROM soft_404 LEFT JOIN url ON url.id = soft_404.url
        LEFT JOIN page ON page.url = soft_404.url WHERE page.url IS NULL OR state NOT IN {ANSWERED}""",
    "soft_404: of another host than the probe": """
        SELECT url.url FROM soft_404 JOIN url ON url.id = soft_404.url JOIN probe ON probe.id = soft_404.probe
        WHERE url.site != probe.site""",
    "probe: of another host": "SELECT url FROM probe JOIN site ON site.id = site WHERE host IS NOT host_of(url)",
    # a page that is fetched again after a repair counts more than once
    "site: counts fewer pages than it has": """
        SELECT host FROM (SELECT site, count(*) AS pages FROM url WHERE state = 'fetched' GROUP BY site)
        JOIN site ON site.id = site WHERE fetched < pages""",
}

#: All links, one row each; wrongly packed links are reported elsewhere.
UNFOLDED = """
    FROM outlinks JOIN url AS source ON source.id = outlinks.source,
    json_each(CASE WHEN json_valid(targets) THEN targets ELSE '[]' END) AS place
    LEFT JOIN known ON known.key = place.value LEFT JOIN url AS target ON target.id = known.id
    LEFT JOIN topic ON topic.url = source.id
"""

#: Irrelevant pages in a row before the target of a link, and whether it is followed: see [topic] tunnel.
OFF_TOPIC = "iif(relevant, 0, source.off_topic + (relevant IS 0))"
FOLLOWED = f"{OFF_TOPIC} <= coalesce((SELECT CAST(value AS INTEGER) FROM crawl WHERE name = 'tunnel'), 1 << 62)"

TARGETS = {
    "link: target is not in table url": f"SELECT source.url || ' to key ' || place.value {UNFOLDED}"
    " WHERE target.id IS NULL AND (SELECT value = '0' FROM crawl WHERE name = 'total_unrecorded')",
    # a redirect and an index of sitemaps lead to what is as near as they are, a link to what is one further
    "url: deeper than a path that leads there": f"""
        SELECT source.url || ' to ' || target.url {UNFOLDED}
        WHERE source.depth IS NOT NULL AND target.id IS NOT NULL
        AND lower(CAST(substr(regions, place.key + 1, 1) AS TEXT)) IN ('c', iif(follow_all(), 'e', 'c'))
        AND {FOLLOWED}
        AND (target.depth IS NULL AND target.requisite = 0 OR
             target.depth > source.depth + (CAST(substr(kinds, place.key + 1, 1) AS TEXT) NOT IN ('R', 'I')))""",
    "url: more irrelevant pages before it than on a path that leads there": f"""
        SELECT source.url || ' to ' || target.url {UNFOLDED}
        WHERE source.depth IS NOT NULL AND target.depth IS NOT NULL
        AND lower(CAST(substr(regions, place.key + 1, 1) AS TEXT)) IN ('c', iif(follow_all(), 'e', 'c'))
        AND {FOLLOWED} AND target.off_topic > {OFF_TOPIC}
        -- a longer path may be refused as too deep
        AND target.depth >= source.depth + (CAST(substr(kinds, place.key + 1, 1) AS TEXT) NOT IN ('R', 'I'))""",
    "url: a page requisite, farther from its page than a path that leads there": f"""
        SELECT source.url || ' to ' || target.url {UNFOLDED}
        WHERE (SELECT value = 'on' FROM crawl WHERE name = 'page_requisites') AND target.id IS NOT NULL
        AND lower(CAST(substr(regions, place.key + 1, 1) AS TEXT)) NOT IN ('h', 'i')
        AND CASE WHEN CAST(substr(kinds, place.key + 1, 1) AS TEXT) = 'R' THEN source.requisite > 0
            ELSE shows(CAST(substr(kinds, place.key + 1, 1) AS TEXT))
                 AND (source.depth IS NOT NULL OR source.requisite > 0) END
        AND (target.requisite = 0 OR target.requisite > 1 + CASE
             WHEN source.depth IS NOT NULL AND CAST(substr(kinds, place.key + 1, 1) AS TEXT) != 'R' THEN 0
             ELSE source.requisite END)""",
}


def check(db: View, findings: Findings, progress: Progress = silent) -> None:
    """Checks every rule between the tables except the rules about time."""
    progress("tables", 0, 0)
    define(db, db.settings)
    for kind, pragma in (
        ("tables: inconsistent", "integrity_check"),
        ("tables: a row points nowhere", "foreign_key_check"),
    ):
        with findings.catching(db):
            rows = db.execute(f"PRAGMA {pragma}")
            findings.add_all(kind, (" ".join(map(str, row)) for row in rows if row != ("ok",)))
    # by_key may lack rows, and is checked itself
    db.execute("CREATE TEMP TABLE known (key INTEGER PRIMARY KEY, id INTEGER NOT NULL)")
    with findings.catching(db):
        db.execute("INSERT OR IGNORE INTO known SELECT key, id FROM url ORDER BY key")
    every = {**INDEXES, **LEDGER, **PAGES, **PATTERNS, **LINKS, **PROBES, **DELETIONS, **TARGETS, **duplicates.CHECKS}
    for number, (kind, query) in enumerate(every.items()):
        progress("rules of the tables", number, len(every))
        with findings.catching(db):
            findings.add_all(kind, (row[0] for row in db.execute(query)))
    with findings.catching(db):
        _totals(db, findings)


def define(db: Database, settings: Mapping[str, str]) -> None:
    """Define the Python functions that the queries use; `settings` is table `crawl`."""
    seeds = frozenset(seeds_of(settings))
    by_peers = "ring" in settings  # the other rings of a cluster have found URLs too
    all_content = not settings.get("content_start")
    follow_all = settings.get("follow", "all") == "all"
    db.define("key_of", 1, url.key)
    db.define("canonical_of", 1, partial(url.canonical, ftp=True))
    db.define("host_of", 1, _host)
    db.define("is_seed", 1, lambda text: by_peers or text in seeds)
    db.define("is_reason_of", 2, is_reason_of)
    db.define("domain_of", 1, url.registrable_domain)
    db.define("all_content", 0, lambda: all_content)
    db.define("follow_all", 0, lambda: follow_all)
    db.define("shows", 1, lambda letter: ord(letter) in REQUISITES)
    duplicates.define(db)


def _host(text: str) -> str:
    return url.host(text) if text.count("/") > 2 else ""


def _totals(db: View, findings: Findings) -> None:
    """Totals are committed together with the rows that they count."""
    settings = db.settings
    for name, query in TOTALS.items():
        (count,) = db.execute(query).fetchone()
        if settings.get(f"total_{name}", str(count)) != str(count):
            findings.add("crawl: a total is wrong", f"{name}: {count}, not {settings[f'total_{name}']}")
        if name == "queued" and count and settings.get("finished") == "done":
            findings.add("crawl: done with URLs queued", count)
