"""Table `ttcrawl.page_link`: which page links to which, for the view `crawldb.link`.

PostgreSQL makes it from `ttcrawl.outlinks` and `crawldb.page`, in the transaction that changes them. A row without
`to_page` leads to a URL that has no page yet; it gets one as soon as the URL has.
"""

from ttcrawl.export.postgresql.table import ID

CREATE = (
    "CREATE TABLE IF NOT EXISTS ttcrawl.page_link"
    " (crawl integer NOT NULL, from_page bigint NOT NULL, target bigint NOT NULL, to_page bigint)",
    "CREATE INDEX IF NOT EXISTS page_link_from ON ttcrawl.page_link (from_page, to_page)",
    "CREATE INDEX IF NOT EXISTS page_link_to ON ttcrawl.page_link (to_page) WHERE to_page IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS page_link_open ON ttcrawl.page_link (target, crawl) WHERE to_page IS NULL",
)

_IDS = "SELECT key + %(crawl)s::bigint * 10000000000 AS id FROM unnest(%(keys)s::bigint[]) AS key"

#: After a change of `ttcrawl.outlinks`: the links of these pages.
OUTLINKS_CHANGED = (
    f"DELETE FROM ttcrawl.page_link WHERE from_page IN ({_IDS})",
    f"""
    INSERT INTO ttcrawl.page_link (crawl, from_page, target, to_page)
    SELECT crawl, from_page, target, (SELECT min(id) FROM crawldb.page WHERE page.crawl = link.crawl AND key = target)
    FROM (SELECT DISTINCT crawl, {ID.format("source")} AS from_page, unnest(targets) AS target
          FROM ttcrawl.outlinks WHERE crawl = %(crawl)s AND source = ANY(%(keys)s)) AS link""",
)

#: After a change of `crawldb.page`: links to pages that are gone or have another URL, and links to new pages.
PAGES_CHANGED = (
    f"""
    UPDATE ttcrawl.page_link SET to_page = (
        SELECT min(id) FROM crawldb.page WHERE page.crawl = page_link.crawl AND page.key = page_link.target)
    WHERE to_page IN (
        SELECT id FROM ({_IDS}) AS changed
        CROSS JOIN LATERAL (SELECT target FROM ttcrawl.page_link WHERE to_page = id LIMIT 1) AS link
        WHERE NOT EXISTS (SELECT FROM crawldb.page WHERE page.id = changed.id AND page.key = link.target))""",
    """
    UPDATE ttcrawl.page_link SET to_page = page.id FROM crawldb.page
    WHERE page.crawl = %(crawl)s AND page.number = ANY(%(keys)s)
    AND page_link.crawl = page.crawl AND page_link.target = page.key AND page_link.to_page IS NULL""",
)
