"""The views of crawl.db, and the views of the course database over its tables."""

from ttcrawl.export.postgresql.crawldb import DATA_TYPES, PAGE_TYPES

#: The links of a page, unpacked: the same columns as the view of crawl.db.
LINK = """
    SELECT crawl, source, position - 1 AS position, target,
           chr(get_byte(kinds, position::int - 1)) AS kind, chr(get_byte(regions, position::int - 1)) AS region,
           CASE WHEN length(landmarks) >= position THEN chr(get_byte(landmarks, position::int - 1)) END AS landmark,
           CASE WHEN anchors != '' THEN anchors::json ->> (position::int - 1) END AS anchor
    FROM ttcrawl.outlinks CROSS JOIN unnest(targets) WITH ORDINALITY AS each (target, position)"""

#: Name -> the SQL of a view.
VIEWS = {
    "crawldb.page_type": "SELECT unnest(ARRAY[{}]::varchar(20)[]) AS code".format(
        ", ".join(f"'{each}'" for each in PAGE_TYPES)
    ),
    "crawldb.data_type": "SELECT unnest(ARRAY[{}]::varchar(20)[]) AS code UNION"
    " SELECT data_type_code FROM crawldb.page WHERE is_binary".format(
        ", ".join(f"'{each}'" for each in DATA_TYPES.values())
    ),
    "crawldb.site": """
        SELECT site.id + crawl::bigint * 10000000000 AS id, host AS domain, robots AS robots_content,
               (SELECT content FROM ttcrawl.sitemap WHERE sitemap.crawl = site.crawl AND sitemap.site = site.id
                ORDER BY url LIMIT 1) AS sitemap_content, delay AS crawl_delay, address AS ip_address,
               (SELECT country FROM ttcrawl.country
                WHERE country.crawl = site.crawl AND country.site = site.id) AS country, crawl
        FROM ttcrawl.site
        WHERE EXISTS (SELECT FROM crawldb.page WHERE site_id = site.id + site.crawl::bigint * 10000000000)""",
    "crawldb.page_data": """
        SELECT id, id AS page_id, data_type_code, data, data_size, crawl
        FROM crawldb.page WHERE is_binary""",
    "crawldb.image": r"""
        SELECT (source + crawl::bigint * 10000000000) * 1000000 + position AS id,
               source + crawl::bigint * 10000000000 AS page_id,
               (SELECT left(substring(url.url FROM '([^/?]*)(?:\?.*)?$'), 255) FROM ttcrawl.url
                WHERE url.crawl = image_link.crawl AND url.key = target LIMIT 1) AS filename,
               (SELECT left(image.type, 50) FROM ttcrawl.url JOIN ttcrawl.image
                ON image.crawl = url.crawl AND image.url = url.id
                WHERE url.crawl = image_link.crawl AND url.key = target LIMIT 1) AS content_type,
               (SELECT page.data FROM crawldb.page
                WHERE page.crawl = image_link.crawl AND page.key = target LIMIT 1) AS data,
               (SELECT page.accessed_time FROM crawldb.page
                WHERE page.crawl = image_link.crawl AND page.number = source) AS accessed_time, crawl
        FROM ttcrawl.image_link""",
    "ttcrawl.answer": "SELECT * FROM ttcrawl.page UNION ALL SELECT * FROM ttcrawl.earlier_page",
    "ttcrawl.link": LINK,
    "crawldb.link": """
        SELECT from_page, to_page, crawl FROM ttcrawl.page_link WHERE to_page IS NOT NULL
        UNION ALL
        SELECT url + crawl::bigint * 10000000000, duplicate_of + crawl::bigint * 10000000000, crawl
        FROM ttcrawl.duplicate WHERE duplicate_of IS NOT NULL AND EXISTS (
            SELECT FROM crawldb.page WHERE id = duplicate.url + duplicate.crawl::bigint * 10000000000
            AND page_type_code = 'DUPLICATE') AND NOT EXISTS (
            SELECT FROM ttcrawl.page_link WHERE from_page = url + duplicate.crawl::bigint * 10000000000
            AND to_page = duplicate_of + duplicate.crawl::bigint * 10000000000)""",
}
