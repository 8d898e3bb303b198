"""What a command does to all rings of a cluster is what it does to one crawl of the same pages, by log and by SQL."""

import shutil
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from tests.cluster.clusters import HOSTS, clustered, finished, kill_ring, requests, seed_of
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, start, until
from ttcrawl.web.url import host, split_port

pytestmark = pytest.mark.slow

OPTIONS = ("--no-obey-delay", "--scope", "any", "--exclude", "*/p/2")

#: Visit all pages once.
AT_ONCE = ("--once", *(f"--set=revisit.{key}" for key in ("policy=fixed", "interval=1", "shortest=1", "longest=1")))

#: Which page comes first decides which of several with the same content is parsed.
TABLES = ("urls", "pages", "links", "metadata", "text", "unread")


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    """The directory with one crawl, and a cluster, of the same pages, whose texts are not read yet."""
    place = tmp_path_factory.mktemp("crawled")
    one = crawl(web, seed_of(web), place / "one", *FAST, *OPTIONS, "--reading", "later")
    rings = clustered(web, place / "rings", 2, *OPTIONS, "--reading", "later")
    assert (one.status, rings.status) == (0, 0), rings.err
    return place


@pytest.fixture
def place(crawled, tmp_path):
    """A copy of it."""
    return shutil.copytree(crawled, tmp_path / "copy")


def both(place, *words):
    """Run a command with each of them in the place of DIR."""
    for directory in ("one", "rings"):
        result = run(*(directory if each == "DIR" else each for each in words), cwd=place, timeout=120)
        assert result.returncode == 0, result.stderr
    return result.stdout


def continued(web, place, verb, *options):
    """Continue both; return how often each URL was requested, by one crawl and by the cluster."""
    logs, beginning = [], len(web.log())
    for words in ((verb, "one"), ("cluster", verb, "rings")):
        before = len(web.log())
        result = run(*words, "--progress", "none", *options, cwd=place, timeout=120)
        assert result.returncode == 0, result.stderr
        logs.append(Counter(requests(web, before)))
    assert beginning < len(web.log())
    return logs


def assert_alike(place):
    """The gathered rings are as the one crawl."""
    shutil.rmtree(place / "all", ignore_errors=True)
    assert run("cluster", "gather", "rings", "-o", "all", cwd=place).returncode == 0
    single, whole = everything(place / "one"), everything(place / "all")
    for table in TABLES:
        assert whole[table] == single[table], table
    assert verified(place / "all") == ""
    assert [verified(place / "rings" / f"ring-{ring}") for ring in (1, 2)] == ["", ""]


def test_pages_are_read_later(place):
    both(place, "read", "DIR")
    assert_alike(place)
    assert query(place / "all", "SELECT count(*) > 10 FROM text") == [(1,)]


def test_urls_are_requeued_deleted_and_decided_again(web, place):
    interrupted(place, "requeue", "rings", "--reason", "http 404")
    both(place, "requeue", "DIR", "--reason", "http 404")
    both(place, "delete", "DIR", "--host", HOSTS[3], "--yes")
    both(place, "delete", "DIR", "--path", "/p/1", "--purge", "--yes")
    both(place, "why", "DIR", "--as-if", "scope.rules=", "--apply")
    one, rings = continued(web, place, "resume")
    assert one == rings
    assert {path for _, path in rings} >= {"/p/2", "/gone/0"}
    assert set(rings.values()) == {1}
    assert_alike(place)


@pytest.mark.parametrize("directory", ["rings", "rings/ring-1", "."])
def test_a_deleted_page_is_in_no_file_that_was_made_of_the_rings(place, directory):
    run("search", "rings", "page", cwd=place, timeout=60)
    joined = place / "rings" / "joined"
    assert {"crawl.db", "search.db"} <= {path.name for path in joined.iterdir()}
    where = place / "rings" / "ring-2" if directory == "." else place
    assert run("delete", directory, "--host", HOSTS[3], "--yes", cwd=where).returncode == 0
    left = {path.name for path in joined.iterdir() if not path.is_symlink()}
    assert left <= {"config.ini", "lock", "warc", "files"}
    assert run("why", "rings", "--summary", cwd=place).returncode == 0


def interrupted(place, *words):
    """A command that changes the first ring, and cannot change the second one."""
    database = place / "rings" / "ring-2" / "crawl.db"
    database.rename(place / "kept")
    database.write_bytes(b"no database" * 1000)
    done = run(*words, cwd=place)
    assert done.returncode == 2 and "ring-2/crawl.db is not a crawl database" in done.stderr, done.stderr
    (place / "kept").replace(database)
    rows = "SELECT count(*) FROM url WHERE state = 'queued'"
    assert query(place / "rings" / "ring-1", rows) > query(place / "rings" / "ring-2", rows) == [(0,)]


def test_what_was_refused_in_several_rings_is_requested_once(web, place):
    for directory in ("one", "rings"):
        config = place / directory / "config.ini"
        config.write_text(config.read_text().replace("exclude */p/2", ""))
    both(place, "requeue", "DIR", "--reason", "scope: rule")
    one, rings = continued(web, place, "resume")
    assert one == rings and {path for _, path in rings} >= {"/p/2"}
    assert_alike(place)


def test_all_pages_are_visited_again(web, place):
    one, rings = continued(web, place, "recrawl", *AT_ONCE)
    assert one == rings and set(rings.values()) == {1}
    assert_alike(place)
    visits = "SELECT url.url, visits FROM revisit JOIN url ON url.id = revisit.url ORDER BY 1"
    found = sorted(row for ring in (1, 2) for row in query(place / "rings" / f"ring-{ring}", visits))
    assert found == query(place / "one", visits)


def test_a_crawl_with_as_many_pages_as_permitted_makes_only_visits(web, tmp_path):
    assert clustered(web, tmp_path / "c", 2, *OPTIONS, "--max-pages", 12).status == 3
    before = len(web.log())
    visits = finished(tmp_path / "c", "cluster", "recrawl", "c", *AT_ONCE)
    assert visits.status == 0 and "all URLs that were due are visited; " in visits.err, visits.err
    assert "ttcrawl cluster resume c requests them" in visits.err
    answered = "SELECT url FROM url WHERE state IN ('fetched', 'moved')"
    urls = {url for ring in visits.rings() for (url,) in query(tmp_path / "c" / f"ring-{ring}", answered)}
    assert {web.url(*each) for each in requests(web, before)} == urls
    assert set(Counter(requests(web, before)).values()) == {1}


def test_hosts_that_have_moved_are_visited_and_requeued_by_their_new_owner(web, place):
    assert run("cluster", "join", "rings", cwd=place).returncode == 0
    before = len(web.log())
    assert finished(place / "rings", "cluster", "resume", "rings").status == 0
    assert requests(web, before) == []
    both(place, "requeue", "DIR", "--reason", "http 404")
    one, rings = continued(web, place, "resume")
    assert one == rings
    one, rings = continued(web, place, "recrawl", *AT_ONCE)
    assert one == rings
    assert_alike(place)


def test_visits_go_on_when_a_ring_is_killed_and_another_joins(web, place):
    before, delay = len(web.log()), 0.2
    settings = ("--set", f"politeness.delay={delay}", "--set", "politeness.address_delay=0", "--obey-delay")
    process = start(place, "cluster", "recrawl", "rings", *AT_ONCE, *settings)
    until(lambda: len(web.log()) > before + 8)
    assert kill_ring(place / "rings", 1)
    until(lambda: len(web.log()) > before + 20)
    assert run("cluster", "join", "rings", cwd=place, timeout=120).returncode == 0
    _, err = process.communicate(timeout=200)
    assert process.returncode == 0 and "SIGKILL; it was started again" in err, err
    answered = "SELECT url FROM url WHERE state IN ('fetched', 'moved')"
    visited = Counter(requests(web, before))
    expected = {(split_port(host(url))[0], path_of(url)) for (url,) in query(place / "one", answered)}
    assert expected <= visited.keys()
    by_host = defaultdict(list)
    for hit in web.log()[before:]:
        by_host[hit.host].append(hit)
    gaps = [after.arrived - one.answered for hits in by_host.values() for one, after in pairwise(hits)]
    assert min(gaps) >= delay


def path_of(url):
    return url[url.index("/", 8) :]
