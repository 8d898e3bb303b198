"""The index with the columns of Common Crawl, asked by DuckDB with queries that Common Crawl's documentation has."""

import base64
import hashlib
import io

import pytest
from warcio.archiveiterator import ArchiveIterator

from ttcrawl.export.formats.cc_index import COLUMNS, host_columns

#: Of github.com/commoncrawl/cc-index-table, src/sql/examples/cc-index: count-by-tld.sql and others, in form.
BY_DOMAIN = """
    SELECT COUNT(*) AS count, url_host_registered_domain FROM "ccindex"
    WHERE crawl = 'crawl' AND subset = 'warc' AND url_host_tld = 'test'
    GROUP BY url_host_registered_domain HAVING (COUNT(*) >= 1) ORDER BY count DESC"""
RECORDS = """
    SELECT url, warc_filename, warc_record_offset, warc_record_length, content_digest FROM "ccindex"
    WHERE subset = 'warc' AND url_host_name = 'a.test' AND url_path LIKE '/%'"""


@pytest.fixture
def ask(export, site):
    import duckdb

    path = export("cc-index", name="cc.parquet", crawl=site[1])
    db = duckdb.connect()
    db.execute(f"CREATE VIEW ccindex AS SELECT * FROM '{path}'")
    return lambda query: db.execute(query).fetchall()


def test_the_columns_are_those_of_common_crawl(ask):
    columns = {name: kind for name, kind, *_ in ask("DESCRIBE ccindex")}
    assert tuple(columns) == COLUMNS
    assert columns["fetch_status"] == "SMALLINT" and columns["url_port"] == "INTEGER"
    assert columns["fetch_time"] == "TIMESTAMP WITH TIME ZONE"


def test_pages_are_counted_by_domain(ask):
    assert ask(BY_DOMAIN) == [(5, "a.test")]
    assert ask("SELECT url_path, fetch_redirect FROM ccindex WHERE fetch_status = 301") == [("/old", "/new")]
    assert ask("SELECT url_surtkey, url_query FROM ccindex WHERE url_path = '/b'")[0][1] == "x=1&y=2"


def test_the_positions_lead_to_the_records(ask, site):
    rows = ask(RECORDS)
    assert len(rows) == 5
    for url, name, offset, size, digest in rows:
        data = (site[1] / "warc" / name).read_bytes()[offset : offset + size]
        record = next(ArchiveIterator(io.BytesIO(data)))
        assert record.rec_headers.get_header("WARC-Target-URI") == url
        if record.rec_type == "response":
            assert digest == base64.b32encode(hashlib.sha1(record.raw_stream.read()).digest()).decode()


@pytest.mark.parametrize(
    "host,suffix,domain,reversed_",
    [
        ("www.example.co.uk", "co.uk", "example.co.uk", "uk.co.example.www"),
        ("example.com", "com", "example.com", "com.example"),
        ("127.0.0.1", None, None, "127.0.0.1"),
        ("localhost", "localhost", None, "localhost"),
    ],
)
def test_hosts(host, suffix, domain, reversed_):
    values = host_columns(host)
    assert values["url_host_registry_suffix"] == suffix and values["url_host_registered_domain"] == domain
    assert values["url_host_name_reversed"] == reversed_
