"""A cluster of real processes is gathered: the tables are those of one crawl, gaps are judged over all rings."""

import shutil

import pytest

from tests.cluster.clusters import clustered, seed_of, web_of
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST

pytestmark = pytest.mark.slow

#: Which page comes first decides which of several with the same content is parsed.
TABLES = ("urls", "pages", "links", "metadata", "text", "duplicates", "hosts", "unsettled", "unread")


def test_the_directory_of_a_cluster_is_gathered(tmp_path):
    options = ("--no-obey-delay", "--scope", "any")
    with web_of() as web:
        one = crawl(web, seed_of(web), tmp_path / "one", *FAST, *options)
        three = clustered(web, tmp_path / "three", 3, *options)
        assert (one.status, three.status) == (0, 0), three.err
    done = run("cluster", "gather", tmp_path / "three", "-o", tmp_path / "all")
    assert done.returncode == 0 and "one crawl of 3 rings" in done.stdout, done.stderr
    shutil.rmtree(tmp_path / "three")  # the output needs nothing of it
    single, whole = everything(tmp_path / "one"), everything(tmp_path / "all")
    for table in TABLES:
        assert whole[table] == single[table], table
    assert verified(tmp_path / "all") == ""
    assert query(tmp_path / "all", "SELECT value FROM crawl WHERE name = 'finished'") == [("done",)]


def test_the_gaps_of_all_rings_at_an_address_are_judged_together(tmp_path):
    """The rings move their archives as they close, and the last files once they have ended: the conductor waits."""
    delays = ("--set", "politeness.address_delay=0.1", "--set", "politeness.delay=0.2", "--scope", "any")
    moving = ("--set", f"store.warc_move_to=file://{tmp_path}/there", "--set", "store.warc_size=4000")
    with web_of(3, address="127.0.0.1") as web:
        assert clustered(web, tmp_path / "c", 2, *delays, *moving).status == 0
    rings = [tmp_path / "c" / f"ring-{ring}" for ring in (1, 2)]
    files = {file for ring in rings for (file,) in query(ring, "SELECT file FROM archive")}
    assert files == {path.name for path in (tmp_path / "there").iterdir()} and len(files) > 4
    assert [list((ring / "warc").iterdir()) for ring in rings] == [[], []]
    assert run("cluster", "gather", tmp_path / "c", "-o", tmp_path / "all").returncode == 0
    assert query(tmp_path / "all", "SELECT count(DISTINCT site) > 4, count(DISTINCT address) FROM visit") == [(1, 1)]
    assert verified(tmp_path / "all") == ""
