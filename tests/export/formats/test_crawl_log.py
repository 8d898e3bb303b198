"""crawl.log has a line for each request, in the fields of Heritrix."""

import re

import pytest

from tests.support.crawls.crawling import query
from ttcrawl.export.formats.crawl_log import status_code
from ttcrawl.snapshot.rows import Visit

FIELDS = ("moment", "status", "size", "url", "path", "via", "type", "thread", "fetched", "digest", "tag", "annotations")


def lines(path):
    return [dict(zip(FIELDS, line.split(), strict=True)) for line in path.read_text().splitlines()]


def test_every_request_has_a_line(export, site):
    web, crawl = site
    told = lines(export("crawl-log", crawl=crawl))
    assert sorted((each["url"], int(each["status"])) for each in told) == sorted(
        (web.url(hit.host, hit.path), hit.status) for hit in web.log()
    )
    of = {each["url"]: each for each in told}
    home = web.url("a.test", "/")
    assert (of[home]["path"], of[home]["via"], of[home]["type"]) == ("-", "-", "text/html")
    expected = {"/b?x=1&y=2": "L", "/old": "L", "/new": "LR", "/s.css": "E", "/copy": "L", "/robots.txt": "P"}
    assert {path: of[web.url("a.test", path)]["path"] for path in expected} == expected
    assert of[web.url("a.test", "/new")]["via"] == web.url("a.test", "/old")
    for each in told:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", each["moment"])
        assert re.fullmatch(r"\d{17}\+\d+", each["fetched"])
    assert re.fullmatch(r"sha1:[A-Z2-7]{32}", of[home]["digest"]) and of[home]["size"].isdigit()
    assert [each["moment"] for each in told] == sorted(each["moment"] for each in told)
    assert len(told) == query(crawl, "SELECT count(*) FROM visit")[0][0]


def test_duckdb_reads_it(export, site):
    import duckdb

    """Fields are separated by blanks, and numbers have some in front."""
    _, crawl = site
    path = export("crawl-log", crawl=crawl)
    columns = ", ".join(f"fields[{number}] AS {name}" for number, name in enumerate(FIELDS, 1))
    log = (
        f"WITH log AS (SELECT {columns} FROM (SELECT string_split_regex(line, ' +') AS fields FROM"
        f" read_csv('{path}', delim='\t', quote='', escape='', header=false, columns={{'line': 'VARCHAR'}}))) "
    )
    rows = duckdb.sql(f"{log} SELECT url, status::int, size::int, epoch(moment::timestamptz) FROM log").fetchall()
    visits = query(crawl, "SELECT url, status, bytes, ended FROM visit")
    assert {row[:3] for row in rows} == {row[:3] for row in visits} and len(rows) == len(visits)
    assert dict((url, ended) for url, *_, ended in rows) == pytest.approx(
        {url: ended for url, *_, ended in visits}, abs=0.001, rel=0
    )
    types = duckdb.sql(f"{log} SELECT type, count(*) FROM log WHERE status = '200' GROUP BY 1").fetchall()
    assert dict(types) == {"text/html": 4, "text/css": 1, "unknown": 1}


STATUSES = {
    "dns": -1,
    "dns: timeout": -1,
    "connection refused": -2,
    "unreachable": -2,
    "timeout: connect": -2,
    "tls: expired": -2,
    "reset": -3,
    "disconnected": -3,
    "timeout: read": -4,
    "timeout: total": -4,
    "protocol": -5,
    "of a later version": -5,
}


@pytest.mark.parametrize("reason", STATUSES)
def test_requests_without_a_response_have_a_code(reason):
    facts = dict.fromkeys(Visit.__slots__, 0) | {"status": None, "reason": reason}
    assert status_code(Visit(**facts)) == STATUSES[reason]


def test_a_request_without_a_response_is_a_line(export):
    failed = [each for each in lines(export("crawl-log")) if each["status"].startswith("-")]
    assert [(each["status"], each["size"], each["digest"], each["annotations"]) for each in failed] == [
        ("-1", "-", "-", "dns")
    ]
