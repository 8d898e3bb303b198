"""A million pages in PostgreSQL: each of the usual queries takes less than a second, with all its workers."""

import time

import psycopg
import pytest

from tests.export.postgresql.queries import QUERIES
from tests.support.crawls.crawl_db import generated
from ttcrawl.cli import main

PAGES, LINKS, COPIES = 100_000, 1_000_000, 10

#: The ids of each crawl begin so much after those of the one before.
FIRST_ID = 10_000_000_000
#: A generated crawl has HTML pages and queued URLs alone.
VARIETY = (
    "UPDATE crawldb.page SET page_type_code = 'DUPLICATE' WHERE number % 20 = 0 AND http_status_code = 200",
    "INSERT INTO ttcrawl.duplicate (crawl, url, duplicate_of, same, similarity)"
    " SELECT 0, number, number - 1, 'bytes', 1 FROM crawldb.page WHERE page_type_code = 'DUPLICATE'",
    "UPDATE crawldb.page SET page_type_code = 'BINARY', data_type_code = (ARRAY['PDF', 'DOC', 'ZIP'])[number % 3 + 1]"
    " WHERE page_type_code = 'HTML' AND number % 7 = 0",
    "UPDATE crawldb.page SET http_status_code = 404 WHERE page_type_code = 'HTML' AND number % 11 = 0",
    "UPDATE ttcrawl.url SET state = 'failed', reason = (ARRAY['dns', 'timeout: read'])[id % 2 + 1] WHERE id % 13 = 0",
)
COPIED = ("ttcrawl.site", "ttcrawl.url", "ttcrawl.page", "crawldb.page", "ttcrawl.image_link", "ttcrawl.duplicate")
COLUMNS = (
    "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns"
    " WHERE table_schema || '.' || table_name = %s AND is_generated = 'NEVER' AND column_name <> 'crawl'"
)


#: Each query is run so often, and the shortest time counts: the others have that of other work in them.
TIMES = 3


def elapsed(connection, query):
    """Seconds until all rows of a query are there."""
    begin = time.perf_counter()
    connection.execute(query).fetchall()
    return time.perf_counter() - begin


@pytest.mark.alone
@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_usual_queries_over_a_million_pages(server, tmp_path):
    crawl = generated(tmp_path / "c", urls=3 * PAGES, links=LINKS, pages=PAGES, hosts=500)
    assert main(["mirror", str(crawl), server.url]) == 0
    with psycopg.connect(server.url, autocommit=True) as connection:
        for statement in VARIETY:
            connection.execute(statement)
        connection.execute(
            "INSERT INTO ttcrawl.image_link (crawl, source, position, target)"
            " SELECT 0, id, n, (id * n) % 10007 FROM ttcrawl.url, generate_series(1, 5) AS n WHERE state = 'fetched'"
        )
        for table in (
            "ttcrawl.site",
            "ttcrawl.url",
            "ttcrawl.page",
            "crawldb.page",
            "ttcrawl.image_link",
            "ttcrawl.duplicate",
        ):
            ((columns,),) = connection.execute(COLUMNS, (table,)).fetchall()
            connection.execute(
                f"INSERT INTO {table} (crawl, {columns}) SELECT n, {columns}"
                f" FROM {table}, generate_series(1, {COPIES - 1}) AS n WHERE crawl = 0"
            )
        connection.execute(
            "INSERT INTO ttcrawl.page_link (crawl, from_page, target, to_page)"
            f" SELECT n, from_page + n * {FIRST_ID}, target, to_page + n * {FIRST_ID}"
            f" FROM ttcrawl.page_link, generate_series(1, {COPIES - 1}) AS n WHERE crawl = 0"
        )
        connection.execute("VACUUM ANALYZE")
        assert connection.execute(QUERIES["pages"]).fetchall() == [(PAGES * COPIES,)]
        seconds, plans = {}, {}
        ((linked,),) = connection.execute("SELECT url FROM ttcrawl.url WHERE crawl = 0 AND id = 1")
        for name, text in QUERIES.items():
            query = text.replace("http://example.org/", linked)
            plans[name] = "\n".join(line for (line,) in connection.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {query}"))
            seconds[name] = min(elapsed(connection, query) for _ in range(TIMES))
            print(f"{name}\n{plans[name]}")
        print("| query | ms |\n|---|--:|\n" + "\n".join(f"| {name} | {s * 1e3:,.1f} |" for name, s in seconds.items()))
    slow = {name: (each, plans[name]) for name, each in seconds.items() if each >= 1}
    assert not slow, slow
