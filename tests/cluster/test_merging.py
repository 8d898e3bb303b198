"""`ttcrawl aliases --merge` of a cluster is that of the gathered crawl, also after kills, by SQL and by the log."""

import json
import shutil
import signal
import sqlite3
import time
from collections import Counter
from itertools import pairwise

import pytest

from tests.cluster.clusters import crawl_options, finished, requests
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killed_at import killed_at
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main
from ttcrawl.cluster.delivery import Outgoing
from ttcrawl.cluster.plan import read_plan
from ttcrawl.cluster.route import table
from ttcrawl.config import alias_map, read
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.run.directory import existing
from ttcrawl.frontier.foreign import link_to
from ttcrawl.maintain.stopped_ledger import Totals, stopped_ledger
from ttcrawl.store.rows import UrlPath

pytestmark = pytest.mark.slow

OWNER = table((1, 2)).ring_of
NAMES = [f"www.site{number}.test" for number in range(30)]


def names_of(ring):
    return [name for name in NAMES if OWNER(name) == ring]


#: One server: its name and one of its mirrors are of ring 2, the other mirror is of ring 1. A host of each ring.
SERVER, HERE, LINKING_HERE, *_ = names_of(2)
AWAY, LINKING_AWAY, *_ = names_of(1)

#: Pages of the server that all of its names know; chains, of which each mirror knows one; one that is on its way.
PAGES, CHAIN_HERE, CHAIN_AWAY, LATE = 30, range(100, 140), range(200, 240), 300
OPTIONS = ("--no-obey-delay", "--scope", "any", "--set", "politeness.connections=1")
FAILING = ("--set", "fetch.retries=0", "--set", "politeness.backoff=0.001", "--set", "politeness.give_up=100")


def path(n):
    return f"/{n or ''}"


def content(n):
    links = [path(each) for each in (2 * n + 1, 2 * n + 2) if each < PAGES]
    links += [path(n + 1) for chain in (CHAIN_HERE, CHAIN_AWAY) if n in chain[:-1]]
    return page(*links, title=f"Page {n}", content=f"<p>Words of page {n} and of no other.")


def pages():
    """The mirrors are slower, so that many of their URLs are queued when the pages of the server are fetched."""
    web = {}
    for name, delay in ((SERVER, 0.0), (AWAY, 0.06), (HERE, 0.06)):
        web |= {
            (name, path(n)): Answer(body=content(n), delay=delay) for n in (*range(PAGES), *CHAIN_HERE, *CHAIN_AWAY)
        }
        web |= {(name, path(LATE)): Answer(body=content(LATE))}
        for broken in ("/broken", "/lost"):
            web[name, broken] = Answer(body=page(title=broken)) if name == SERVER else Answer(fate="reset")
    here = [at(HERE, path(CHAIN_HERE[0])), at(HERE, "/lost"), at(AWAY, path(1))]
    away = [at(AWAY, path(CHAIN_AWAY[0])), at(AWAY, "/broken"), at(HERE, path(2))]
    web[LINKING_HERE, "/"], web[LINKING_AWAY, "/"] = Answer(body=page(*here)), Answer(body=page(*away))
    return web


@pytest.fixture(scope="module")
def web():
    with Web(pages()) as web:
        yield web


def send(directory, url):
    """Let ring 1 send a URL to ring 2, which has not received it when the cluster stops."""
    with existing(directory / "ring-1", ring=True) as (store, config):
        outgoing = Outgoing(store, 1, read_plan(directory).table())
        scope = compile_scope(config.scope, [], config.hosts)
        ledger = stopped_ledger(store, config, scope, outgoing.foreign)
        totals = Totals(store, ledger)
        ledger.discover([link_to(url, "", UrlPath(1, 0, 0, 0, 0))], None, time.time())
        outgoing.before_commit()
        totals.store()
        store.close()


@pytest.fixture(scope="module")
def stopped(web, tmp_path_factory):
    """The directory of a cluster that has stopped with work left, and the one crawl that is gathered of it."""
    place = tmp_path_factory.mktemp("stopped")
    seeds = [web.url(name, "/") for name in (SERVER, AWAY, HERE, LINKING_HERE, LINKING_AWAY)]
    seeds.append(web.url(SERVER, "/1"))  # the name with the most seeds is the canonical one
    options = crawl_options(web, seeds, place / "rings", 2, *OPTIONS, *FAILING, "--max-pages", 80)
    done = finished(place / "rings", *options)
    assert done.status == 3, done.err
    send(place / "rings", web.url(HERE, path(LATE)))
    assert run("cluster", "gather", "rings", "-o", "one", cwd=place).returncode == 0
    return place


@pytest.fixture
def place(stopped, tmp_path):
    return shutil.copytree(stopped, tmp_path / "copy")


def merged(place, directory):
    done = run("aliases", directory, "--merge", "--format", "json", cwd=place, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def gathered(place):
    shutil.rmtree(place / "all", ignore_errors=True)
    assert run("cluster", "gather", "rings", "-o", "all", cwd=place).returncode == 0
    return everything(place / "all")


def rows(directory):
    """All rows of the tables of both rings that a merge may write."""
    return [
        query(directory / f"ring-{ring}", f"SELECT * FROM {name}")
        for ring in (1, 2)
        for name in ("url", "rule", "queue", "outbox", "growth")
    ]


def test_a_merge_is_that_of_one_crawl(web, place):
    of_one, of_rings = merged(place, "one"), merged(place, "rings")
    assert of_rings == of_one
    assert all(of_one["merged"][name] for name in ("taken", "queued", "settled", "again")), of_one["merged"]
    single, whole = everything(place / "one"), gathered(place)
    for name in ("urls", "pages", "links"):
        assert whole[name] == single[name], name
    assert [verified(place / "rings" / f"ring-{ring}") for ring in (1, 2)] == ["", ""]
    assert [query(place / "rings" / f"ring-{ring}", "SELECT count(*) FROM outbox") for ring in (1, 2)] == [[(0,)]] * 2
    aliases = alias_map(read(place / "rings" / "config.ini").url.aliases)
    assert {name.partition(":")[0] for name in aliases} == {AWAY, HERE}
    assert read_plan(place / "rings").finished == "max_pages"

    once = rows(place / "rings")
    assert merged(place, "rings")["merged"] == {"taken": 0, "queued": 0, "settled": 0, "again": 0}
    assert rows(place / "rings") == once

    logs = []
    for words in (("resume", "one"), ("cluster", "resume", "rings")):
        before = len(web.log())
        result = run(*words, "--progress", "none", "--max-pages", "0", cwd=place, timeout=120)
        assert result.returncode == 0, result.stderr
        logs.append(Counter(requests(web, before)))
    assert logs[0] == logs[1] and not {AWAY, HERE} & {name.partition(":")[0] for name, _ in logs[1]}
    single, whole = everything(place / "one"), gathered(place)
    for name in ("urls", "pages", "links", "text"):
        assert whole[name] == single[name], name


@pytest.fixture(scope="module")
def done(stopped, tmp_path_factory):
    """The directory after a merge that nobody killed."""
    place = shutil.copytree(stopped, tmp_path_factory.mktemp("done") / "copy")
    merged(place, "rings")
    gathered(place)
    return place


@pytest.fixture(scope="module")
def between(stopped, tmp_path_factory):
    """The number of the SQL statement behind the transaction of ring 1, and before the one of ring 2."""
    place = shutil.copytree(stopped, tmp_path_factory.mktemp("between") / "copy")
    main(["why", str(place / "rings"), "--summary"])
    statements, connect = [], sqlite3.connect

    def traced(*arguments, **more):
        opened = connect(*arguments, **more)
        opened.set_trace_callback(statements.append)
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        assert main(["aliases", str(place / "rings"), "--merge"]) == 0
    ends = [n for n, text in enumerate(statements, 1) if text.startswith(("BEGIN", "COMMIT"))]
    _, number = max((later - earlier, later) for earlier, later in pairwise(ends))  # the longest transaction
    return number + 1


#: While the merge is decided and delivered, between the transactions of the rings, and when a file gets its name.
STEPS = ("sql:170", "sql:400", "sql:650", "sql:700", "between", *(f"os.rename:{number}" for number in range(1, 6)))


def own(directory):
    """(URL, state, reason) that each ring has of its own hosts."""
    rows = {
        ring: query(directory / f"ring-{ring}", "SELECT host, url, state, reason FROM url JOIN site ON site.id = site")
        for ring in (1, 2)
    }
    return {ring: {tuple(row) for name, *row in rows[ring] if OWNER(name) == ring} for ring in (1, 2)}


@pytest.mark.parametrize("step", STEPS)
def test_a_merge_that_was_killed_is_done_by_the_next(place, done, between, step):
    step = f"sql:{between}" if step == "between" else step
    assert run("why", "rings", "--summary", cwd=place).returncode == 0  # so that the rings are joined
    assert killed_at(step, place / "rings", "aliases", place / "rings", "--merge") == -signal.SIGKILL
    merged(place, "rings")
    assert own(place / "rings") == own(done / "rings")
    whole = gathered(place)
    for name in ("urls", "pages", "links"):
        assert whole[name] == everything(done / "all")[name], name
    assert [query(place / "rings" / f"ring-{ring}", "SELECT count(*) FROM outbox") for ring in (1, 2)] == [[(0,)]] * 2
    configurations = {(place / "rings" / name / "config.ini").read_bytes() for name in (".", "ring-1", "ring-2")}
    assert len(configurations) == 1
