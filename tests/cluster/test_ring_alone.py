"""What changes one ring of a cluster as if it were a crawl is refused, and leaves its directory as it was."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.config import example

SEED = "http://a.test/"


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """The directory of a cluster with one ring."""
    monkeypatch.chdir(tmp_path)
    ring = crawl_of(tmp_path / "c" / "ring-1", {SEED: ["http://a.test/1"]})
    with closing(sqlite3.connect(ring / "crawl.db")) as db, db:
        db.execute("INSERT INTO crawl VALUES ('ring', '1'), ('seeds', ?)", (SEED,))
    (ring / "config.ini").write_text(example())
    (ring.parent / "cluster.json").write_text("{}")
    (tmp_path / "terms").write_text("10: drosera=CP\n")
    return ring.parent


def files(directory):
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


#: A crawl that ends at once.
QUICKLY = ("--progress", "none", "--inline", "--set", "fetch.retries=0")

CHANGES = (
    *("resume DIR", "recrawl DIR --once", "requeue DIR --state fetched", "requeue DIR --state fetched --visits"),
    *("requeue DIR --recorded", "read DIR", "aliases DIR --merge", "why DIR --as-if exclude=*x --apply"),
    *("topic score DIR --terms terms --save", "topic label DIR", "topic label DIR --save"),
)


@pytest.mark.parametrize("directory", ["c/ring-1", "."])
@pytest.mark.parametrize("words", CHANGES)
def test_a_change_of_one_ring_is_refused(cluster, words, directory, monkeypatch, capsys):
    shown = "c"
    if directory == ".":
        monkeypatch.chdir(cluster / "ring-1")
        (cluster / "ring-1" / "terms").write_text("10: drosera=CP\n")
        shown = str(cluster)
    before = files(cluster)
    assert main(words.replace("DIR", directory).split()) == 2
    assert capsys.readouterr().err == (
        f"ttcrawl: {directory} is ring 1 of a cluster, so a part of a crawl: continue the whole with ttcrawl cluster"
        f" resume {shown} or recrawl, and change it by giving {shown} to this command\n"
    )
    assert files(cluster) == before


@pytest.mark.parametrize("inside", ["c/new", "c/ring-1/new", "c/ring-1/warc/new", "d/warc/new", "d/files/a/b"])
@pytest.mark.parametrize(
    "words", [f"crawl {SEED} -d OUT", f"cluster crawl {SEED} -d OUT", f"check {SEED} -d OUT", "cluster gather c -o OUT"]
)
def test_a_new_crawl_among_the_files_of_another_is_refused(cluster, words, inside, capsys):
    crawl_of(cluster.parent / "d", {SEED: []})
    before = files(cluster.parent)
    assert main(words.replace("OUT", inside).split()) == 2
    error = capsys.readouterr().err
    assert f"{inside} is among the files of the crawl in " in error and error.count("\n") == 1
    assert files(cluster.parent) == before


@pytest.mark.parametrize("path", ["new", "d/new", "d/external"])
def test_a_crawl_beside_the_files_of_another_begins(tmp_path, path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    crawl_of(tmp_path / "d", {SEED: []})
    assert main(["crawl", "http://127.0.0.1:1/", "-d", path, *QUICKLY]) == 1
    assert "no page could be fetched" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("cluster requeue c --state failed", "ttcrawl requeue takes the directory of a cluster too, without cluster"),
        ("cluster why c --summary", "ttcrawl why takes the directory of a cluster too, without cluster"),
        ("recrawl c --once", "ttcrawl cluster resume c or recrawl continues it"),
        ("delete c --id 1 --yes", "--id is a row in the directory of one ring: name that directory"),
    ],
)
def test_the_other_form_of_a_command_leads_to_it(cluster, words, hint, capsys):
    assert main(words.split()) == 2
    assert hint in capsys.readouterr().err
