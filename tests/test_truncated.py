"""Answers that break off: what came is counted, archived and, when the URL is not tried again, read."""

import gzip
import random
import zlib
from dataclasses import replace
from itertools import product

import pytest
from fastwarc.warc import WarcRecordType

import ttcrawl
from tests.support.crawls.crawling import crawl, options_for, verified
from tests.support.crawls.other_readers import foreign_check, responses
from tests.support.crawls.preforked import run
from tests.support.faults.killing import kill_all, start, until
from tests.support.long_tables import few
from tests.support.web.site import Answer, Web, at, page, robots

FAST = ("--set=fetch.retry_wait=0.01", "--set=politeness.delay=0.01", "--set=politeness.address_delay=0.01")
FAST += ("--set=fetch.total_timeout=1.5", "--set=fetch.read_timeout=0.5", "--set=fetch.max_body=20k")
FAST += ("--set=traps.same_content=0", "--set=duplicates.soft_404=0")

FILLER = b"<p>%s</p>" % b"word " * 100


def linked(name, times=1):
    """A page that links to a page of its own; the rest of it would link to another one."""
    return page(f"/{name}/came", content="<p>first</p>") + FILLER * times + f'<a href="/{name}/never">x</a>'.encode()


def part(body):
    return body[: -len(FILLER)]


def said(body, **more):
    return Answer(body=part(body), length=len(body), **more)


def wire(*fields, body, fate="raw", **more):
    head = "\r\n".join(("HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", *fields))
    return Answer(fate=fate, body=head.encode() + b"\r\n\r\n" + body, **more)


def chunk(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


def coded(name):
    packed = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packed.compress(part(linked(name))) + packed.flush(zlib.Z_SYNC_FLUSH)
    whole = start + packed.compress(FILLER) + packed.flush()
    assert gzip.decompress(whole)
    return Answer(headers=(("Content-Encoding", "gzip"),), body=start, length=len(whole))


CHUNKED = "Transfer-Encoding: chunked"

#: Name -> answer, state and reason, why its record says that it is truncated.
BROKEN = {
    "short": (said(linked("short")), "failed: truncated", "disconnect"),
    "reset": (said(linked("reset"), fate="reset"), "failed: reset", "disconnect"),
    "stall": (wire(body=part(linked("stall")), fate="raw stall"), "failed: timeout: read", "time"),
    "drip": (wire(body=part(linked("drip")), more=b" ", times=-1, drip=0.0005), "failed: timeout: total", "time"),
    "chunks": (wire(CHUNKED, body=chunk(part(linked("chunks")))), "failed: truncated", "disconnect"),
    "half": (wire(CHUNKED, body=chunk(linked("half"))[: -len(FILLER)]), "failed: truncated", "disconnect"),
    "framing": (
        wire(CHUNKED, body=chunk(part(linked("framing"))) + b"x" * 70_000),
        "failed: protocol",
        "unspecified",
    ),
    "gzip": (coded("gzip"), "failed: truncated", "disconnect"),
    "long": (wire(body=part(linked("long")), more=FILLER, times=1000), "refused: too large", "length"),
    "longer": (
        wire(CHUNKED, body=chunk(part(linked("longer"))), more=chunk(FILLER), times=1000),
        "refused: too large",
        "length",
    ),
}

PAGES = {
    ("a.test", "/robots.txt"): Answer(status=404),
    ("a.test", "/"): Answer(body=page(*(f"/{name}" for name in BROKEN))),
    **{("a.test", f"/{name}"): answer for name, (answer, _, _) in BROKEN.items()},
    **{
        ("a.test", f"/{name}/{what}"): Answer(body=page(title=name))
        for name, what in product(BROKEN, ("came", "never"))
    },
}


def paths(web, done):
    start = len(web.url("a.test", "/"))
    return {url[start:]: f"{state}: {reason}" for url, (state, reason) in done.states().items()}


def records(done):
    """(path, WARC-Truncated, length of the body) of every answer; a revisit record says that it has no body."""
    for record, body in responses(done.directory):
        uri = record.headers["WARC-Target-URI"]
        why = record.headers.get("WARC-Truncated") if record.record_type == WarcRecordType.response else None
        yield uri.partition(".test")[2].partition("/")[2], why, len(body)


@pytest.mark.slow
@pytest.mark.parametrize("retries", [0, 1])
def test_what_came_is_counted_archived_and_read(tmp_path, retries):
    with Web(PAGES) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, f"--set=fetch.retries={retries}")
        hits = [hit.path[1:] for hit in web.log()]
    assert done.status == 0, done.err
    states = paths(web, done)
    wanted = {name: outcome for name, (_, outcome, _) in BROKEN.items()}
    assert states == wanted | {"": "fetched: http 200"} | {f"{name}/came": "fetched: http 200" for name in BROKEN}
    # every answer is in the archive, each time that it came, and says what it is
    truncated = {name: why for name, (_, _, why) in BROKEN.items()}
    kept = list(records(done))
    assert sorted(path for path, _, _ in kept) == sorted(hits)
    assert {(path, why) for path, why, _ in kept} == {(path, truncated.get(path)) for path in hits}
    tried_again = {name for name, outcome in wanted.items() if outcome != "failed: protocol" and "failed" in outcome}
    assert {path: hits.count(path) for path in wanted} == {name: 1 + retries * (name in tried_again) for name in wanted}
    foreign_check(done.directory / "warc")
    assert verified(done.directory) == ""
    # the page is what came of the last answer
    sizes = {path: size for path, _, size in kept}
    rows = done.query(
        "SELECT url.url, length, links, bytes FROM page JOIN url ON url.id = page.url JOIN visit ON visit.url = url.url"
        " WHERE visit.id IN (SELECT max(id) FROM visit GROUP BY url)"
    )
    assert {url.partition(".test")[2].partition("/")[2]: length for url, length, _, _ in rows} == {
        path: sizes[path] for path in states
    }
    for url, length, found, size in rows:
        name = url.rpartition("/")[2]
        assert name not in BROKEN or (found == 1 and length <= size <= length + 70_100), url
    # no byte that came is counted as nothing
    assert (
        done.query("SELECT sum(bytes) FROM visit")[0]
        == done.query("SELECT CAST(value AS INTEGER) FROM crawl WHERE name = 'total_bytes'")[0]
    )
    assert all(size for (size,) in done.query("SELECT bytes FROM visit WHERE kind = 'page'"))


@pytest.mark.slow
def test_what_is_said_of_it(tmp_path):
    with Web(PAGES) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--set=fetch.retries=1")
        short, gzipped = web.url("a.test", "/short"), web.url("a.test", "/gzip")
    told = run("why", done.directory, short).stdout
    assert "failed" in told and told.count("http 200, truncated") == 2 and " bytes, incomplete" in told
    opened = ttcrawl.open(done.directory)
    assert opened.body(short) == part(linked("short")) and opened.response(short).truncated
    assert opened.body(gzipped) == part(linked("gzip")) and "first" in opened.text(gzipped)
    for report in (("report",), ("report", "--politeness"), ("status",)):
        told = run(*report, done.directory)
        assert told.returncode == 0 and "Traceback" not in told.stderr


@pytest.mark.slow
def test_the_next_answer_may_be_whole(tmp_path):
    """Then it is the page, with all of its links: none of them counts as sent with the one that broke off."""
    whole = Answer(body=linked("x"))
    pages = PAGES | {("a.test", "/"): Answer(body=page("/x")), ("a.test", "/x"): [said(linked("x")), whole]}
    pages |= {("a.test", f"/x/{what}"): Answer(body=page()) for what in ("came", "never")}
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--set=crawl.parsers=1")
    assert paths(web, done) == dict.fromkeys(("", "x", "x/came", "x/never"), "fetched: http 200")
    assert {why for path, why, _ in records(done) if path == "x"} == {None, "disconnect"}
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_files_that_break_off_are_no_files(tmp_path):
    image = (("Content-Type", "image/png"),)
    pages = {
        ("a.test", "/robots.txt"): Answer(status=404),
        ("a.test", "/"): Answer(body=page("/short.png", "/long.png", "/x.css", "/x.pdf")),
        ("a.test", "/short.png"): Answer(headers=image, body=b"\x89PNG\r\n\x1a\n" + bytes(99), length=999),
        ("a.test", "/long.png"): Answer(headers=image, body=b"\x89PNG\r\n\x1a\n", more=bytes(999), times=99),
        ("a.test", "/x.css"): Answer(headers=(("Content-Type", "text/css"),), body=b"a{}", length=99),
        ("a.test", "/x.pdf"): Answer(headers=(("Content-Type", "application/pdf"),), body=b"%PDF-1.4 ", length=99),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--files", "--set=fetch.retries=0")
    assert set(paths(web, done).values()) == {"fetched: http 200", "failed: truncated", "refused: too large"}
    assert done.query("SELECT * FROM image UNION ALL SELECT * FROM document") == []
    assert not [each for each in (done.directory / "files").rglob("*") if each.is_file()]
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_robots_txt_and_sitemaps(tmp_path):
    """Half of a robots.txt is none: nobody knows what the rest forbids. Half of a sitemap is half of it."""
    rules = Answer(body=b"User-agent: *\nDisallow: /no\n")
    listed = b"<urlset><url><loc>" + at("c.test", "/listed").encode() + b"</loc></url>"
    pages = {
        ("a.test", "/robots.txt"): Answer(body=rules.body[:14], length=99),
        ("a.test", "/"): Answer(body=page("/x")),
        ("b.test", "/robots.txt"): [Answer(body=rules.body[:14], length=99), rules],
        ("b.test", "/"): Answer(body=page("/no")),
        ("c.test", "/robots.txt"): robots(f"Sitemap: {at('c.test', '/map.xml')}"),
        ("c.test", "/"): Answer(body=page()),
        ("c.test", "/map.xml"): Answer(headers=(("Content-Type", "text/xml"),), body=listed, length=9999),
        ("c.test", "/listed"): Answer(body=page()),
    }
    with Web(pages) as web:
        seeds = [web.url(f"{name}.test", "/") for name in "abc"]
        done = crawl(web, seeds, tmp_path / "c", *FAST, "--set=fetch.retries=1", "--scope", "any")
        hits = [(hit.host, hit.path) for hit in web.log()]
    assert {url.partition("//")[2]: f"{state}: {reason}" for url, (state, reason) in done.states().items()} == {
        f"{host}:{web.port}{path}": outcome
        for host, path, outcome in (
            ("a.test", "/", "failed: truncated"),
            ("b.test", "/", "fetched: http 200"),
            ("b.test", "/no", "refused: robots.txt"),
            ("c.test", "/", "fetched: http 200"),
            ("c.test", "/map.xml", "failed: truncated"),
            ("c.test", "/listed", "fetched: http 200"),
        )
    }
    assert ("a.test", "/") not in hits and ("b.test", "/no") not in hits
    assert len(list(responses(done.directory))) == len(hits)
    told = run("report", "--politeness", done.directory).stdout
    assert "2: truncated" in told
    assert verified(done.directory) == ""


def test_a_redirect_is_whole_with_its_head(tmp_path):
    pages = {
        ("a.test", "/robots.txt"): Answer(status=404),
        ("a.test", "/"): Answer(status=301, headers=(("Location", "/x"),), body=b"moved", length=99),
        ("a.test", "/x"): Answer(body=page()),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST)
        assert [hit.path for hit in web.log()] == ["/robots.txt", "/", "/x"]
    assert paths(web, done) == {"": "moved: http 301", "x": "fetched: http 200"}
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_a_limit_of_bytes_holds_for_what_breaks_off(tmp_path):
    """300 bodies of 15 KB that break off, or are too large: it ends after what is in flight, and not after them all."""
    answers = (said(FILLER * 30), wire(body=FILLER * 30, more=FILLER, times=1000))
    pages = {("a.test", "/robots.txt"): Answer(status=404), ("a.test", "/"): Answer(body=page(*map(str, range(300))))}
    pages |= {("a.test", f"/{n}"): answers[n % 2] for n in range(300)}
    with Web(pages) as web:
        limits = ("--set=crawl.max_bytes=200k", "--set=fetch.retries=0")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *limits)
        hits = len(web.log())
    assert done.status == 3
    (total,) = done.query("SELECT sum(bytes) FROM visit")[0]
    assert 200 << 10 <= total <= (200 + 20) << 10 and hits < 25


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(1, range(3)))
def test_kills(tmp_path, seed):
    """The same URLs in the same states, and the same of each, however often all of it is killed."""
    told = (
        "SELECT substr(url.url, instr(url.url, '.test') + 11), state, reason, CASE WHEN reason != 'timeout: total' THEN"
        " length END, links, kinds FROM url"
        " LEFT JOIN page ON page.url = url.id LEFT JOIN outlinks ON source = url.id ORDER BY 1"
    )
    with Web(PAGES) as web:
        seed_url, rng = web.url("a.test", "/"), random.Random(seed)
        whole = crawl(web, seed_url, tmp_path / "whole", *FAST)
        arguments = ("crawl", seed_url, "-d", tmp_path / "c", *options_for(web), *FAST)
        for _ in range(4):
            process, hits = start(tmp_path, *arguments), len(web.log()) + rng.randrange(3, 12)
            until(lambda process=process, hits=hits: len(web.log()) >= hits or process.poll() is not None)
            kill_all(process.pid)
            process.communicate()
            arguments = ("resume", tmp_path / "c")
        last = start(tmp_path, *arguments)
        assert (last.communicate(timeout=60), last.returncode)[1] == 0
    done = replace(whole, directory=tmp_path / "c")
    assert done.query(told) == whole.query(told)
    assert {state for _, state, *_ in done.query(told)} == {"fetched", "failed", "refused"}
    foreign_check(done.directory / "warc")
    assert verified(done.directory) == ""
