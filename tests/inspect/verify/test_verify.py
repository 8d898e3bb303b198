"""A whole crawl is found whole, whatever happened to it; each thing that is spoilt is found by name; repair mends."""

import contextlib
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import replace
from itertools import product

import pytest

from tests.support.cases import one_in
from tests.support.crawls.crawling import Crawled, crawl, options_for
from tests.support.crawls.preforked import run
from tests.support.faults.killing import killed_crawl, start
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cli import main

HOSTS = [f"h{n}.test" for n in range(3)]
OPTIONS = ("--scope", "any", "--parsers", "2", "--set", "politeness.delay=0.01")
ONE = ("crawl", "fetch", "parse")  # to be killed; all at once is another test
FETCHED = "(SELECT id FROM url WHERE state = 'fetched' AND id > 5 LIMIT 1)"
PAGES = "(SELECT max(pages) FROM growth)"


def ended(directory, *options):
    done = run(*options, directory)
    assert len(done.stderr.splitlines()) <= 1, done.stderr
    return done


def here(what, directory, *options):
    """The command in this process, where it is done sooner."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([what, *options, str(directory)])
    assert len(err.getvalue().splitlines()) <= 1, err.getvalue()
    return subprocess.CompletedProcess((), status, out.getvalue(), err.getvalue())


def verify(directory, *options):
    return here("verify", directory, *options)


@pytest.fixture(scope="module")
def web():
    with Web(mesh(HOSTS, 20, seed=11)) as web:
        yield web


@pytest.fixture(scope="module")
def whole(web, tmp_path_factory):
    """A crawl that was stopped once and went on, so that nothing of the ordinary is missing."""
    directory = tmp_path_factory.mktemp("whole") / "c"
    crawl(web, web.url(HOSTS[0], "/"), directory, *OPTIONS, "--max-pages", "30")
    assert ended(directory, "verify").returncode == 0
    assert ended(directory, "resume", "--max-pages", "0", "--progress", "none").returncode == 0
    return directory


@pytest.fixture
def place(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "c")
    return tmp_path / "c"


def warc(place):
    return max((place / "warc").iterdir(), key=lambda path: path.stat().st_size)


def a_page(place):
    """(file, offset, size) of a page in the middle of the largest file."""
    with closing(sqlite3.connect(place / "crawl.db")) as db:
        return db.execute(
            "SELECT file, offset, size FROM page JOIN url ON id = page.url WHERE file = ? AND state = 'fetched'"
            " ORDER BY offset LIMIT 1 OFFSET 8",
            (warc(place).name,),
        ).fetchone()


def flip(place):
    _, offset, size = a_page(place)
    data = bytearray(warc(place).read_bytes())
    data[offset + size // 2] ^= 0xFF
    warc(place).write_bytes(data)


def append(place):
    with open(warc(place), "ab") as file:
        file.write(b"\x1f\x8b\x08torn")


def shorten(place):
    path = warc(place)
    os.truncate(path, path.stat().st_size - 700)


def stranger(place):
    shutil.copy(warc(place), place / "warc" / "ttcrawl-7-00000.warc.gz")


def lie(place):
    """A page row that points at the bytes of another page."""
    with closing(sqlite3.connect(place / "crawl.db", isolation_level=None)) as db:
        db.execute(
            "UPDATE page SET (file, offset, size) = (SELECT file, offset, size FROM page WHERE url = 3) WHERE url = 6"
        )


def forge(place):
    """A record whose digests are not those of its bytes, in a gzip member that is whole."""
    from isal import isal_zlib

    _, offset, size = a_page(place)
    data = warc(place).read_bytes()
    text = isal_zlib.decompress(data[offset : offset + size], 31)
    letters = range(text.index(b"<title>"), len(text))
    for at, letter in product(letters, b"#@%&!?etaoin"):  # until one compresses to as many bytes
        forged = text[:at] + bytes([letter]) + text[at + 1 :]
        if forged == text:
            continue
        packer = isal_zlib.compressobj(2, isal_zlib.DEFLATED, 31)
        member = packer.compress(forged) + packer.flush()
        if len(member) == size:
            warc(place).write_bytes(data[:offset] + member + data[offset + size :])
            return
    raise AssertionError("no forgery has the size of the record")


SQL = {
    "url: queued, with a time of processing": f"UPDATE url SET state = 'queued' WHERE id = {FETCHED}",
    "url: processed, without a time of processing": "UPDATE url SET processed = NULL WHERE id = 4",
    "url: processed, yet to be retried": "UPDATE url SET due = 5 WHERE id = 4",
    "url: put off without an attempt": f"UPDATE url SET state = 'queued', due = 5, attempts = 0 WHERE id = {FETCHED}",
    "url: processed without a reason": "UPDATE url SET reason = '' WHERE id = 4",
    "url: reason that its state does not have": "UPDATE url SET reason = 'made up' WHERE id = 4",
    "url: answered without an attempt": f"UPDATE url SET attempts = 0 WHERE id = {FETCHED}",
    "url: answered, of no known depth": f"UPDATE url SET depth = NULL WHERE id = {FETCHED}",
    "url: not canonical": "UPDATE url SET url = url || '#top' WHERE id = 4",
    "url: key is not that of the URL": "UPDATE url SET key = 17 WHERE id = 4",
    "url: has the key of another": "UPDATE url SET key = (SELECT key FROM url WHERE id = 5) WHERE id = 4",
    "by_key: not the URL of this key": "UPDATE by_key SET id = 5 WHERE id = 4",
    "by_key: lacks a URL": "DELETE FROM by_key WHERE id = 4",
    "queue: a URL that is not queued, or not there": (
        "INSERT INTO queue SELECT site, priority, id FROM url WHERE id = 4"
    ),
    "queue: lacks a queued URL": f"UPDATE url SET state = 'queued', processed = NULL WHERE id = {FETCHED}",
    "url: filed under another host": "UPDATE url SET site = 1 + site % 3 WHERE id = 4",
    "url: neither found on a page nor a seed": "UPDATE url SET found_on = NULL WHERE id = 4",
    "url: found on a URL that is not there": "UPDATE url SET found_on = 99999 WHERE id = 4",
    "url: deeper than a path that leads there": "UPDATE url SET depth = depth + 7 WHERE id = 4",
    "page: missing for an answered URL": f"DELETE FROM page WHERE url = {FETCHED}",
    "page: of a URL that was not answered": f"UPDATE url SET state = 'failed' WHERE id = {FETCHED}",
    "page: status is not the URL's reason": f"UPDATE page SET status = 201 WHERE url = {FETCHED}",
    "page: not later than an earlier answer, or missing": "INSERT INTO earlier_page SELECT * FROM page WHERE url = 1",
    "page: not a digest": f"UPDATE page SET digest = NULL WHERE url = {FETCHED}",
    "page: number of links is not that of its links": f"UPDATE page SET links = links + 1 WHERE url = {FETCHED}",
    "page: number of links in content is not that of its links": (
        "UPDATE page SET content_links = content_links + 9 WHERE url = 1"
    ),
    "page: its bytes are not its response": f"UPDATE page SET length = length + 1 WHERE url = {FETCHED}",
    "page: its bytes are missing": f"UPDATE page SET offset = offset + 1 WHERE url = {FETCHED}",
    "link: packed wrongly": "UPDATE outlinks SET targets = '[1, 2' WHERE source = 1",
    "link: from a URL without a page": f"DELETE FROM page WHERE url = {FETCHED}",
    "link: target is not in table url": "UPDATE url SET key = key + 1 WHERE id = 4",
    "link: a redirect without exactly one target": (
        "DELETE FROM outlinks WHERE source = (SELECT id FROM url WHERE state = 'moved' LIMIT 1)"
    ),
    "visit: fewer than the URL's attempts": f"UPDATE url SET attempts = 5 WHERE id = {FETCHED}",
    "visit: of a page that is not in table url": "UPDATE visit SET url = url || 'x' WHERE kind = 'page'",
    "visit: ended before it began": "UPDATE visit SET ended = started - 1 WHERE id = 5",
    "visit: closer than the delay": (
        "UPDATE visit SET delay = 2e-6 + started - (SELECT max(ended) FROM visit AS b WHERE b.site = a.site"
        " AND b.id < a.id) FROM (SELECT id, site FROM visit WHERE id = 20) AS a WHERE visit.id = a.id"
    ),
    "visit: closer than the delay of the address": "UPDATE visit SET address_delay = 9 WHERE id = 20",
    "visit: exchanges with a host overlap": "UPDATE visit SET ended = ended + 1 WHERE id = 5",
    "site: robots.txt read without a visit": "DELETE FROM visit WHERE kind = 'robots'",
    "site: pages fetched before robots.txt was read": "UPDATE site SET robots_time = NULL WHERE id = 1",
    "site: domain is not the host's": "UPDATE site SET domain = 'x.test' WHERE id = 1",
    "site: next moment is too early": "UPDATE site SET next_at = 5 WHERE id = 1",
    "site: counts fewer pages than it has": "UPDATE site SET fetched = fetched - 1 WHERE id = 1",
    "visit: of a probe that was not planned": "UPDATE visit SET kind = 'probe' WHERE id = 20",
    "probe: fewer visits than attempts": "INSERT INTO probe (site, url, attempts) VALUES (1, 'x', 1)",
    "probe: of another host": "INSERT INTO probe (site, url) VALUES (1, 'http://other.test/x')",
    "soft_404: of a URL without a page": "INSERT INTO soft_404 VALUES (8888, 1, 1)",
    "growth: goes back": f"UPDATE growth SET links = 1 WHERE pages = {PAGES}",
    "growth: ends with other totals than the crawl": f"DELETE FROM growth WHERE pages = {PAGES}",
    "crawl: a total is wrong": "UPDATE crawl SET value = 3 WHERE name = 'total_pages'",
    "crawl: done with URLs queued": f"UPDATE url SET state = 'queued', processed = NULL WHERE id = {FETCHED}",
    "pattern: more duplicates than pages": "INSERT INTO pattern VALUES (1, '?sid', 3, 4, 1, 0, 0)",
    "pattern: another number of URLs was refused": "INSERT INTO pattern VALUES (1, '?sid', 4, 4, 1, 0, 1)",
    "pattern: another number of URLs was put last": "UPDATE url SET demoted = 1 WHERE id = 4",
    "tables: a row points nowhere": "UPDATE visit SET site = 88 WHERE id = 5",
    "archive: a file that is not in the tables": "DELETE FROM archive",
    "archive: not a name of a WARC file": "UPDATE archive SET file = '../' || file",
}
BYTES = {
    "archive: a damaged record": flip,
    "archive: torn tail, cut by resume or --repair": append,
    "archive: a file is shorter than the tables record": shorten,
    "archive: a file is missing": lambda place: warc(place).unlink(),
    "archive: a file that is not in the tables": stranger,
    "page: its bytes are not its response": lie,
    "page: its bytes are missing": flip,
    "config.ini: cannot be read": lambda place: (place / "config.ini").write_text("[crawl]\nno_such_key = 1\n"),
}


def sabotage(place, query):
    with closing(sqlite3.connect(place / "crawl.db", isolation_level=None)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        assert db.execute(query).rowcount > 0


@pytest.mark.slow
def test_a_whole_crawl(whole):
    done = verify(whole)
    assert (done.returncode, done.stderr) == (0, "") and "nothing is wrong" in done.stdout, done.stdout
    with closing(sqlite3.connect(whole / "crawl.db")) as db:
        states = dict(db.execute("SELECT state, count(*) FROM url GROUP BY 1"))
    assert states["fetched"] > 60 and states["moved"] and states["refused"]


@pytest.mark.parametrize(("kind", "query"), one_in(2, SQL.items()), ids=SQL)
def test_what_sql_can_spoil(place, kind, query):
    sabotage(place, query)
    done = verify(place)
    assert done.returncode == 1 and f"\n{kind}: " in f"\n{done.stdout}", done.stdout


def test_a_request_that_counts_as_none_puts_off_its_url(place):
    """The crawl was stopped before the next one."""
    url = f"(SELECT url FROM url WHERE id = {FETCHED})"
    sabotage(place, f"UPDATE visit SET status = NULL, reason = 'kept connection closed' WHERE url = {url}")
    sabotage(place, SQL["url: put off without an attempt"])
    assert "put off without an attempt" not in verify(place).stdout


@pytest.mark.parametrize(("kind", "spoil"), BYTES.items(), ids=BYTES)
def test_what_happens_to_files(place, kind, spoil):
    spoil(place)
    before = {path.name: path.read_bytes() for path in (place / "warc").iterdir()}
    done = verify(place)
    assert done.returncode == 1 and f"\n{kind}: " in f"\n{done.stdout}", done.stdout
    assert before == {path.name: path.read_bytes() for path in (place / "warc").iterdir()}


EXACT = {  # what was due, by the gap there was -> kept
    "the delay": ("delay = {gap}, delay_from = 'default'", "", True),
    "a longer delay": ("delay = {gap} + 2e-6, delay_from = 'default'", "", False),
    "a longer delay, start not known": ("delay = {gap} + 9e-3, reason = 'fetch process died'", "", True),
    "a longer delay that is not obeyed": ("delay = {gap} + 1, delay_from = 'not obeyed'", "", True),
    "the back-off": ("delay = 0", "backoff = {gap}, backoff_from = 'http 503'", True),
    "a longer back-off": ("delay = 0", "backoff = {gap} + 2e-6, backoff_from = 'http 503'", False),
}


@pytest.mark.parametrize(("later", "earlier", "kept"), EXACT.values(), ids=EXACT)
def test_every_gap_is_held_against_what_was_due(place, later, earlier, kept):
    with closing(sqlite3.connect(place / "crawl.db", isolation_level=None)) as db:
        one, other, gap = db.execute(
            "SELECT a.id, b.id, b.started - a.ended FROM visit AS a JOIN visit AS b USING (site)"
            " WHERE b.started > a.ended ORDER BY site, b.started, a.ended DESC LIMIT 1"
        ).fetchone()
        db.execute(f"UPDATE visit SET {later.format(gap=repr(gap))} WHERE id = {other}")
        if earlier:
            db.execute(f"UPDATE visit SET {earlier.format(gap=repr(gap))} WHERE id = {one}")
    assert ("visit: closer than the delay: 1 (" not in verify(place).stdout) == kept


def test_a_damaged_database(place):
    with closing(sqlite3.connect(place / "crawl.db")) as db:
        pages = db.execute("SELECT rootpage FROM sqlite_schema WHERE name IN ('url', 'visit', 'page')").fetchall()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    data = bytearray((place / "crawl.db").read_bytes())
    for (page,) in pages:
        data[size * (page - 1) : size * (page - 1) + 200] = b"\xff" * 200
    (place / "crawl.db").write_bytes(data)
    done = verify(place)
    assert done.returncode == 1 and "tables: " in done.stdout and not done.stderr, done


MENDED = {
    "damaged record": flip,
    "forged record": forge,
    "torn tail": append,
    "short file": shorten,
    "missing file": lambda place: warc(place).unlink(),
    "unknown file": stranger,
    "bytes of another page": lie,
    "offset": lambda place: sabotage(place, SQL["page: its bytes are missing"]),
    "length": lambda place: sabotage(place, SQL["page: its bytes are not its response"]),
    "forgotten files": lambda place: sabotage(place, "DELETE FROM archive"),
    "foreign path": lambda place: sabotage(place, SQL["archive: not a name of a WARC file"]),
    "hosts": lambda place: [
        sabotage(place, SQL[f"site: {what}"]) for what in ("domain is not the host's", "next moment is too early")
    ],
    "indexes": lambda place: [
        sabotage(place, SQL[what]) for what in ("by_key: lacks a URL", "queue: a URL that is not queued, or not there")
    ],
    "another host": lambda place: sabotage(place, SQL["url: filed under another host"]),
    "totals": lambda place: sabotage(place, SQL["crawl: a total is wrong"]),
}
LEDGER = (
    "SELECT url.url, state, reason, depth, page.status, hex(digest), links FROM url"
    " LEFT JOIN page ON page.url = id ORDER BY 1"
)


@pytest.mark.slow
@pytest.mark.parametrize("spoil", MENDED.values(), ids=MENDED)
def test_repair_and_resume(whole, place, spoil):
    spoil(place)
    done = verify(place, "--repair")
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and all(line.startswith("repaired: ") for line in lines[:-1]), done.stdout
    assert (again := verify(place)).returncode == 0, again.stdout
    assert here("resume", place, "--inline", "--progress", "none").returncode == 0
    assert (again := verify(place)).returncode == 0, again.stdout
    whole, mended = (Crawled(status=0, out="", err="", directory=each) for each in (whole, place))
    assert mended.query(LEDGER) == whole.query(LEDGER)


def test_what_cannot_be_repaired_is_only_told(place):
    sabotage(place, SQL["visit: ended before it began"])
    done = verify(place, "--repair")
    assert done.returncode == 1 and done.stdout.startswith("visit: ended before it began: 1 ("), done.stdout


def test_problems_as_json(place):
    sabotage(place, SQL["visit: ended before it began"])
    done = verify(place, "--repair", "--format", "json")
    [problem] = json.loads(done.stdout)["problems"]
    assert (problem["kind"], problem["count"], problem["repaired"]) == ("visit: ended before it began", 1, False)
    assert done.returncode == 1 and len(problem["examples"]) == 1


@pytest.mark.slow  # as tests/test_resume.py has it, which asks verify too; but here one process alone is killed
def test_a_crawl_killed_again_and_again(tmp_path):
    site = {key: replace(answer, delay=0.1) for key, answer in mesh(HOSTS, 50, seed=12).items()}
    options = (*OPTIONS, "--no-obey-delay", "--set", "politeness.connections=2")
    with Web(site) as web:
        seeds = [web.url(HOSTS[0], "/")]
        killed = killed_crawl(web, seeds, tmp_path, 6, random.Random(3), *options, victims=ONE)
    assert killed["crawl"]
    assert (done := verify(tmp_path / "c")).returncode == 0, done.stdout


@pytest.mark.slow
def test_a_killed_crawl_has_at_most_a_torn_tail(tmp_path):
    site = {key: replace(answer, delay=0.02) for key, answer in mesh(HOSTS, 40, seed=12).items()}
    with Web(site) as web:
        begin = ("crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options_for(web), *OPTIONS)
        process = start(tmp_path, *begin)
        while not list((tmp_path / "c").glob("warc/*")):
            time.sleep(0.02)
        time.sleep(0.5)
        running = verify(tmp_path / "c", "--repair")
        assert running.returncode == 2 and f"is being crawled by process {process.pid}" in running.stderr
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
        done = verify(tmp_path / "c", "--repair")
        assert all(line.startswith("repaired: archive: ") for line in done.stdout.splitlines()[:-1]), done.stdout
        assert (done := verify(tmp_path / "c")).returncode == 0, done.stdout
        assert ended(tmp_path / "c", "resume", "--progress", "none").returncode == 0
    assert (done := verify(tmp_path / "c")).returncode == 0, done.stdout


def test_what_is_no_crawl(tmp_path):
    assert (done := verify(tmp_path)).returncode == 2 and "is not a crawl directory" in done.stderr
    assert list(tmp_path.iterdir()) == []
