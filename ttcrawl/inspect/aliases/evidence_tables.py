"""Evidence from crawl.db: origins that share contents, and the share of their common paths with equal contents.

Temporary tables of SQLite do the sorting, on disk if they are large. Memory holds one row per origin and one per pair
of candidates. A path with the same content on thousands of hosts would make millions of pairs. Each of these hosts is
therefore compared only with the first and the two before it, in the order of preference for the canonical name. Origins
that share more than such paths are paired by the other paths.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from ttcrawl.inspect.aliases.evidence import LEAST, Compared, Origin, Redirected
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import key

#: The position of the path in a URL.
SLASH = "instr(substr({0}.url, 9), '/') + 8"
PATH = f"substr({{0}}.url, {SLASH})"
ORIGIN = "{0}.site * 2 + ({0}.url LIKE 'https:%')"

#: Types that come with the software of a site, or are equal everywhere, are not evidence.
NOT_COMPARED = ("image/*", "font/*", "text/css", "*javascript", "application/json", "*manifest*", "*font*")

ANSWERS = f"""
    CREATE TEMP TABLE alias_answer (
        origin INTEGER, path INTEGER, url INTEGER, bytes BLOB, text BLOB, original INTEGER, PRIMARY KEY (origin, path)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO alias_answer
    SELECT {ORIGIN.format("url")} AS origin, key_of({PATH.format("url")}) AS path, url.id, page.digest,
           nullif(fingerprint.text, x''), coalesce(duplicate_of, near_duplicate_of, url.id)
    FROM page JOIN url ON url.id = page.url
    LEFT JOIN fingerprint ON fingerprint.url = url.id LEFT JOIN duplicate ON duplicate.url = url.id
    WHERE state = 'fetched' AND status BETWEEN 200 AND 299 AND page.length > 0 AND digest IS NOT NULL AND sitemap = 0
    AND NOT ({" OR ".join(f"page.type GLOB '{each}'" for each in NOT_COMPARED)})
    ORDER BY 1, 2;
"""

MOVES = f"""
    CREATE TEMP TABLE move AS
    SELECT {ORIGIN.format("old")} AS origin, {ORIGIN.format("new")} AS target, old.id AS url,
           {PATH.format("old")} = {PATH.format("new")} AS same, new.state = 'fetched' AS fetched
    FROM (SELECT source, CAST(trim(targets, '[]') AS INTEGER) AS value FROM outlinks WHERE kinds = x'52') AS place
    JOIN url AS old ON old.id = source JOIN url AS new ON new.id = {{of_target}}
    WHERE old.state = 'moved' AND old.sitemap = 0;
"""

ORIGINS = """
    SELECT origin, site.id, site.host, site.address, sum(pages), sum(moved) FROM (
        SELECT origin, count(*) AS pages, 0 AS moved FROM alias_answer GROUP BY origin UNION ALL
        SELECT origin, 0, count(*) FROM move GROUP BY origin)
    JOIN site ON site.id = origin / 2 GROUP BY origin ORDER BY origin
"""

#: Pairs that have a content in common under one path; `column` defines equality.
MEETINGS = """
    INSERT INTO meeting
    SELECT CASE which WHEN 0 THEN leader WHEN 1 THEN before ELSE earlier END AS other, place, path FROM (
        SELECT path, place, first_value(place) OVER same AS leader,
               lag(place, 1) OVER same AS before, lag(place, 2) OVER same AS earlier
        FROM alias_answer JOIN preference USING (origin) WHERE {column} IS NOT NULL
        WINDOW same AS (PARTITION BY path, {column} ORDER BY place))
    CROSS JOIN (SELECT 0 AS which UNION ALL SELECT 1 UNION ALL SELECT 2)
    WHERE leader != place AND other IS NOT NULL
"""

COMPARABLE = f"""
    SELECT one.origin, other.origin FROM meeting
    JOIN preference AS one ON one.place = meeting.one JOIN preference AS other ON other.place = meeting.other
    GROUP BY meeting.one, meeting.other HAVING count(DISTINCT path) >= {LEAST}
"""

#: URLs of the smaller origin are looked up in the larger one. Equal contents count if they differ both in text and in
#: original; for unequal contents, the larger number of the two sides counts.
COMPARE = """
    SELECT one, other, count(*), sum(same), sum(bytes_same), sum(text_same AND NOT bytes_same),
           min(count(DISTINCT CASE WHEN same THEN content END), count(DISTINCT CASE WHEN same THEN original END)),
           max(count(DISTINCT CASE WHEN NOT same THEN content END),
               count(DISTINCT CASE WHEN NOT same THEN other_content END)),
           max(CASE WHEN same THEN url END)
    FROM (SELECT pair.one, pair.other, small.url, small.original, coalesce(small.text, small.bytes) AS content,
                 coalesce(large.text, large.bytes) AS other_content,
                 small.bytes = large.bytes AS bytes_same, small.text IS large.text AND small.text NOT NULL AS text_same,
                 small.bytes = large.bytes OR small.original = large.original
                 OR (small.text IS large.text AND small.text NOT NULL) AS same
          FROM pair CROSS JOIN alias_answer AS small ON small.origin = pair.one
          CROSS JOIN alias_answer AS large ON large.origin = pair.other AND large.path = small.path)
    GROUP BY one, other
"""

#: Origins that redirect to the same path elsewhere, if that path was fetched at least once.
REDIRECTS = f"""
    SELECT origin, target, sum(same), max(CASE WHEN same THEN url END) FROM move WHERE origin != target
    GROUP BY origin, target HAVING sum(same) >= {LEAST} AND max(same AND fetched)
"""


class Evidence:
    """Facts about origins, gathered in temporary tables of the view."""

    def __init__(self, db: View) -> None:
        self._db = db
        db.define("key_of", 1, key)
        db.execute_all(ANSWERS)
        db.execute(MOVES.format(of_target=db.id_of("place.value")))
        seeds = Counter(seed[: seed.index("/", 8)] for seed in db.seeds)
        self.origins = {}
        for origin, site, host, address, pages, moved in db.execute(ORIGINS):
            name = f"{'https' if origin % 2 else 'http'}://{host}"
            self.origins[origin] = Origin(
                id=origin, name=name, site=site, address=address, seeds=seeds[name], pages=pages, moved=moved
            )

    def comparable(self, preferred: Sequence[Origin]) -> list[tuple[Origin, Origin]]:
        """Pairs with enough in common for a comparison; `preferred` has all origins, the best name first."""
        self._db.execute("CREATE TEMP TABLE preference (origin INTEGER PRIMARY KEY, place INTEGER UNIQUE)")
        positions = ((origin.id, position) for position, origin in enumerate(preferred))
        self._db.executemany("INSERT INTO preference VALUES (?, ?)", positions)
        self._db.execute("CREATE TEMP TABLE meeting (one INTEGER, other INTEGER, path INTEGER)")
        for column in ("bytes", "text", "original"):
            self._db.execute(MEETINGS.format(column=column))
        return [(self.origins[one], self.origins[other]) for one, other in self._db.execute(COMPARABLE)]

    def compare(self, pairs: Iterable[tuple[Origin, Origin]]) -> dict[tuple[int, int], Compared]:
        """Comparisons by the ids of both, in the given order; pairs without a common URL are left out."""
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS pair (one INTEGER, other INTEGER)")
        self._db.execute("DELETE FROM pair")
        turns = {}
        for one, other in pairs:
            small, large = (other, one) if one.pages > other.pages else (one, other)
            turns[small.id, large.id] = small is not one
        self._db.executemany("INSERT INTO pair VALUES (?, ?)", turns)
        comparisons = {}
        for one, other, urls, same, by_bytes, by_text, alike, unlike, example in self._db.execute(COMPARE):
            ids = (other, one) if turns[one, other] else (one, other)
            comparisons[ids] = Compared(
                urls=urls,
                same=same,
                by_bytes=by_bytes,
                by_text=by_text,
                near=same - by_bytes - by_text,
                contents=alike + unlike,
                same_contents=alike,
                example=example or 0,
            )
        return comparisons

    def redirects_between(self) -> dict[tuple[int, int], Redirected]:
        """By the ids of the redirecting origin and of its target."""
        return {
            (one, other): Redirected(
                answered=self.origins[one].pages + self.origins[one].moved, moved=moved, example=example
            )
            for one, other, moved, example in self._db.execute(REDIRECTS)
        }

    def queued(self, origins: Iterable[Origin]) -> int:
        """Number of queued URLs of these origins."""
        ids = json.dumps([origin.id for origin in origins])
        count: int = self._db.execute(
            f"SELECT count(*) FROM url WHERE state = 'queued' AND {ORIGIN.format('url')} IN"
            " (SELECT value FROM json_each(?))",
            (ids,),
        ).fetchone()[0]
        return count
