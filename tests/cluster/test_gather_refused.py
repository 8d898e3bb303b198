"""What is not gathered, and what an interruption leaves."""

import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from tests.cluster.real_rings import RealCluster
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main
from ttcrawl.cluster.gather import gather
from ttcrawl.store.lock import Lock
from ttcrawl.store.sqlite import Store

HOSTS = ("www.site0.test", "www.site1.test", "www.site3.test")

PAGES = {(name, "/"): Answer(body=page(*(at(other, "/") for other in HOSTS), title=name)) for name in HOSTS}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    place = tmp_path_factory.mktemp("rings") / "rings"
    with Web(PAGES) as web:
        cluster = RealCluster(place, web, [web.url(HOSTS[0], "/")], rings=2)
        cluster.run()
    return place


@pytest.fixture
def rings(crawled, tmp_path):
    """Copies of the directories of two rings."""
    shutil.copytree(crawled, tmp_path / "rings")
    return [tmp_path / "rings" / "ring-1", tmp_path / "rings" / "ring-2"]


def change(directory, **values):
    with closing(Store(directory / "crawl.db")) as store:
        store.set(**values)


def twice(rings):
    shutil.copytree(rings[1], rings[1].with_name("copy"))
    return [*rings, rings[1].with_name("copy")]


def of_another_cluster(rings):
    change(rings[1], incarnation="other")
    return rings


def a_crawl(rings):
    with closing(Store(rings[1] / "crawl.db")) as store:
        facts = store.about()
        shutil.rmtree(rings[1])
        rings[1].mkdir()
    with closing(Store(rings[1] / "crawl.db", create=True)) as store:
        store.set(**{name: value for name, value in facts.items() if name != "ring"})
    return rings


def earlier(rings):
    change(rings[1], schema_version=13)
    return rings


REFUSED = {
    "one ring is missing": (lambda rings: rings[:1], "ring 2 of the cluster is missing"),
    "one ring is named twice": (lambda rings: [*rings, rings[0]], "named twice"),
    "a copy of a ring": (twice, "are both ring 2"),
    "a ring of another cluster": (of_another_cluster, "is not the ring 2 that"),
    "a crawl that is no ring": (a_crawl, "of a crawl, not of a ring"),
    "tables of an earlier version": (earlier, "has tables of version 13"),
    "no crawl": (lambda rings: [*rings, rings[0].parent], "contains no crawl"),
    "no directory": (lambda rings: [rings[0].parent / "nowhere"], "nowhere does not exist"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_in_one_line(rings, case, tmp_path, capsys):
    make, message = REFUSED[case]
    status = main(["cluster", "gather", *map(str, make(rings)), "-o", str(tmp_path / "all")])
    error = capsys.readouterr().err
    assert status == 2 and message in error and error.count("\n") == 1, error
    assert {path.name for path in tmp_path.iterdir()} == {"rings"}


def test_an_output_that_exists_is_refused(rings, tmp_path, capsys):
    (tmp_path / "all").mkdir()
    assert main(["cluster", "gather", *map(str, rings), "-o", str(tmp_path / "all")]) == 2
    assert "exists already" in capsys.readouterr().err and not any((tmp_path / "all").iterdir())


def test_a_ring_that_is_crawled_is_refused(rings, tmp_path, capsys):
    with closing(Lock(rings[1])):
        assert main(["cluster", "gather", *map(str, rings), "-o", str(tmp_path / "all")]) == 2
    assert "is being crawled by process" in capsys.readouterr().err


def test_a_ring_that_did_not_end_is_named_and_gathered(rings, tmp_path, capsys):
    change(rings[1], finished="")
    assert main(["cluster", "gather", *map(str, rings), "-o", str(tmp_path / "all")]) == 0
    assert f"{rings[1]} did not end" in capsys.readouterr().err
    assert query(tmp_path / "all", "SELECT value FROM crawl WHERE name = 'finished'") == [("",)]


@pytest.mark.parametrize("step", ["files of the rings", "URLs of the rings", "rows of the rings", "killed"])
def test_an_interruption_leaves_no_crawl(rings, step, tmp_path):
    """`killed`: what the process leaves is not removed by it."""

    def progress(name, done, of):
        if step == name:
            raise KeyboardInterrupt
        if step == "killed" and name == "rows of the rings":
            shutil.copytree(tmp_path / ".all.gathering", tmp_path / "left")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather(rings, tmp_path / "all", progress, print)
    if step == "killed":
        (tmp_path / "left").rename(tmp_path / ".all.gathering")
        assert not list(tmp_path.glob("*all*/crawl.db")) and (tmp_path / ".all.gathering" / "warc").exists()
    else:
        assert {path.name for path in tmp_path.iterdir()} == {"rings"}
    assert gather(rings, tmp_path / "all", lambda *step: None, print) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"rings", "all"}
    assert verified(tmp_path / "all") == ""


@pytest.mark.slow
def test_files_that_cannot_be_linked_are_copied(rings, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", unable)
    gather(rings, tmp_path / "all", lambda *step: None, print)
    assert verified(tmp_path / "all") == ""
    assert all(path.stat().st_nlink == 1 for path in (tmp_path / "all" / "warc").iterdir())


def unable(source, target):
    raise OSError(18, "Invalid cross-device link", source)


def test_bytes_behind_the_last_commit_are_left_out(rings, tmp_path):
    (file,) = (rings[0] / "warc").iterdir()
    before = file.read_bytes()
    file.write_bytes(before + b"torn")
    gather(rings, tmp_path / "all", lambda *step: None, print)
    assert verified(tmp_path / "all") == "" and file.read_bytes() == before + b"torn"


def test_equal_names_of_files_get_other_numbers(rings, tmp_path):
    """Two machines may name their directories alike."""
    (name,) = (path.name for path in (rings[0] / "warc").iterdir())
    (other,) = (rings[1] / "warc").iterdir()
    other.rename(other.with_name(name))
    with closing(sqlite3.connect(rings[1] / "crawl.db")) as database, database:
        for table in ("archive", "page"):
            database.execute(f"UPDATE {table} SET file = ? WHERE file != ''", (name,))
    gather(rings, tmp_path / "all", lambda *step: None, print)
    names = sorted(path.name for path in (tmp_path / "all" / "warc").iterdir())
    assert names == sorted([name, name.replace("-00000-", "-00001-")])
    assert verified(tmp_path / "all") == ""


def test_a_missing_file_is_named(rings, tmp_path, capsys):
    (file,) = (rings[0] / "warc").iterdir()
    file.unlink()
    assert main(["cluster", "gather", *map(str, rings), "-o", str(tmp_path / "all")]) == 1
    assert f"{file} is missing" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"rings"}


def test_different_configurations_are_named(rings, tmp_path, capsys):
    config = rings[1] / "config.ini"
    config.write_text(config.read_text().replace("max_pages = 0", "max_pages = 7"))
    assert main(["cluster", "gather", *map(str, rings), "-o", str(tmp_path / "all")]) == 0
    assert "different configurations" in capsys.readouterr().err


@pytest.mark.slow
def test_a_cluster_that_was_stopped_goes_on_as_one_crawl(tmp_path):
    with Web(PAGES) as web:
        seed = web.url(HOSTS[0], "/")
        cluster = RealCluster(tmp_path / "rings", web, [seed], rings=2)
        cluster.run(until=lambda: len(web.log()) >= 2)
        for ring in cluster.rings.values():
            ring.stop("interrupted")
        cluster.run()
        gather(cluster.paths, tmp_path / "all", lambda *step: None, print)
        assert query(tmp_path / "all", "SELECT count(*) FROM url WHERE state = 'queued'") > [(0,)]
        done = run("resume", tmp_path / "all", "--inline", "--progress", "none")
        assert done.returncode == 0, done.stderr
        pages = Counter((hit.host, hit.path) for hit in web.log() if hit.path != "/robots.txt")
    assert query(tmp_path / "all", "SELECT count(*) FROM url WHERE state = 'fetched'") == [(len(PAGES),)]
    assert pages == Counter(PAGES.keys())
    assert verified(tmp_path / "all") == ""
    for path in cluster.paths:
        assert verified(path) == ""
