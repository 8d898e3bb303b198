"""What a link in a crawl directory leads to stays as it was, whichever command writes a file of that name."""

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.config import Config, Postgresql, example
from ttcrawl.engine.reporting.mirror import Mirror
from ttcrawl.errors import UsageError
from ttcrawl.inspect.check.links.external import Limits, job_of_missing
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.files import Files

URL = "http://a.test/{}".format
LINKS = {URL(number): [URL(number + 1), URL(0)] for number in range(4)}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A crawl, and beside it what links lead to: files, a directory, another crawl."""
    top = tmp_path_factory.mktemp("top")
    crawl_of(top / "c", LINKS)
    with closing(sqlite3.connect(top / "c" / "crawl.db")) as db, db:
        db.execute("INSERT INTO crawl VALUES ('seeds', ?)", (URL(0),))
    (top / "c" / "config.ini").write_text(example())
    crawl_of(top / "out" / "other", LINKS)
    (top / "out" / "file").write_text("mine\n")
    (top / "out" / "empty").touch()
    (top / "out" / "plots").mkdir()
    (top / "out" / "plots" / "growth.svg").write_text("mine\n")
    (top / "terms").write_text("10: drosera=CP\n")
    return top


@pytest.fixture
def top(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path / "top")
    monkeypatch.chdir(tmp_path / "top")
    return tmp_path / "top"


def contents(directory):
    return {path: hashlib.sha256(path.read_bytes()).digest() for path in directory.rglob("*") if path.is_file()}


def symbolic(path, target):
    path.symlink_to(target)


def hard(path, target):
    os.link(target, path)


def directory(path, target):
    path.mkdir()


def pipe(path, target):
    os.mkfifo(path)


SEARCH, CHECK, GRAPH = "search c mine", "check c --offline", "graph c --export edges"
PLOT = "plot c --what growth --format svg"
ITEMS = "extract c --css name=title"
SAVE = "topic score c --terms terms --save"

REFUSED = [
    *(("search.db", target, how, SEARCH) for target in ("other/crawl.db", "file", "empty") for how in (symbolic, hard)),
    *(("check.db", target, how, CHECK) for target in ("other/crawl.db", "file") for how in (symbolic, hard)),
    *(("items.db", target, how, ITEMS) for target in ("other/crawl.db", "file") for how in (symbolic, hard)),
    *(("search.db", "nowhere", how, SEARCH) for how in (symbolic, directory, pipe)),
    *((f"search.db-{end}", "file", how, SEARCH) for end in ("wal", "shm", "journal") for how in (symbolic, hard, pipe)),
    *(("plots", target, symbolic, PLOT) for target in ("plots", "nowhere", "other")),
    *(("plots/growth.svg", target, symbolic, PLOT) for target in ("file", "nowhere", "plots")),
    *(("plots/growth.svg", "nowhere", how, PLOT) for how in (directory, pipe)),
    ("plots", "file", hard, PLOT),
    *(("graph", target, symbolic, GRAPH) for target in ("plots", "nowhere")),
    *(("graph/pages.tsv", target, symbolic, GRAPH) for target in ("file", "nowhere")),
    *(("topic", target, symbolic, SAVE) for target in ("plots", "nowhere")),
    *(("crawl.db", "other/crawl.db", how, "requeue c --state fetched") for how in (symbolic, hard)),
]


@pytest.mark.parametrize(("name", "target", "how", "words"), REFUSED, ids=lambda each: getattr(each, "__name__", each))
def test_what_is_not_ours_is_refused_in_one_line(top, name, target, how, words, capsys):
    path = top / "c" / name
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    how(path, top / "out" / target)
    before = contents(top / "out")
    status = main(words.split())
    error = capsys.readouterr().err
    assert status == 2 and "c/" in error and error.count("\n") == 1, error
    assert contents(top / "out") == before and not (top / "out" / "nowhere").exists()


REPLACED = {
    "cache.msgpack": "report c --format json",
    "cache.msgpack.new": "report c --format json",
    "config.ini.new": "why c --as-if exclude=*9 --apply",
    "config.ini": "why c --as-if exclude=*9 --apply",
}


@pytest.mark.parametrize("name", REPLACED)
def test_the_link_itself_is_replaced(top, name):
    if name == "config.ini":
        shutil.move(top / "c" / name, top / "out" / name)
        target = top / "out" / name
    else:
        target = top / "out" / "file"
    (top / "c" / name).symlink_to(target)
    before = contents(top / "out")
    main(REPLACED[name].split())
    assert contents(top / "out") == before


#: Names in a crawl directory that no output gets; the last ones are links to them.
PARTS = ("crawl.db", "crawl.db-wal", "config.ini", "lock", "warc", "warc/x", "files/x", "topic/terms.txt", "seen.bloom")
OUTPUTS = (
    *("export c --format csv -o OUT", "export c --format crawl-log -o OUT", "topic train c -o OUT"),
    *("check c --offline --write-baseline OUT", f"{GRAPH} --out OUT"),
)


@pytest.mark.parametrize("words", OUTPUTS)
def test_no_output_overwrites_a_part_of_a_crawl(top, words, capsys):
    (top / "link").symlink_to("c/crawl.db")
    for part in (*PARTS, "../link"):
        before = contents(top / "c")
        status = main(words.replace("OUT", f"c/{part}").split())
        error = capsys.readouterr().err
        assert status == 2 and "is a part of the crawl in " in error, (part, error)
        assert contents(top / "c") == before


def test_events_are_not_appended_to_a_part_of_a_crawl(top, capsys):
    assert main(["resume", "c", "--set", "hooks.events=c/config.ini", "--progress", "none"]) == 2
    assert "is a part of the crawl in " in capsys.readouterr().err
    assert (top / "c" / "config.ini").read_text() == example()


@pytest.mark.parametrize("how", [symbolic, hard, pipe])
def test_messages_of_a_mirror(top, how):
    how(top / "c" / "mirror.log", top / "out" / "file")
    before = contents(top / "out")
    with closing(Mirror(print)) as mirror, pytest.raises(UsageError, match=r"mirror\.log is "):
        mirror.start(top / "c", Config(postgresql=Postgresql(url="postgresql://127.0.0.1:1/x")))
    assert contents(top / "out") == before


def test_crawls_of_external_urls(top):
    (top / "c" / "external").symlink_to(top / "out" / "plots")
    with view(top / "c") as db, pytest.raises(UsageError, match="external is a symbolic link"):
        job_of_missing(top / "c", db, Config(), "none", Limits(), frozenset())


@pytest.mark.parametrize("name", ["a.test", "a.test/image-png"])
def test_saved_files(top, name):
    path = top / "c" / "files" / name
    path.parent.mkdir(parents=True)
    path.symlink_to(top / "out" / "plots")
    with pytest.raises(OSError, match="is among symbolic links"):
        Files(top / "c" / "files", 0, power=False).save("a.test", "image/png", "x.png", b"bytes")
    assert [each.name for each in (top / "out" / "plots").iterdir()] == ["growth.svg"]


def test_an_index_of_an_earlier_version_stays(top):
    """It has no application id, and our tables."""
    assert main(SEARCH.split()) == 1
    with closing(sqlite3.connect(top / "c" / "search.db")) as db:
        ours = db.execute("PRAGMA application_id").fetchone()
        db.execute("INSERT INTO ranked VALUES (7)")
        db.commit()
        db.execute("PRAGMA application_id = 0")
    assert main(SEARCH.split()) == 1
    with closing(sqlite3.connect(top / "c" / "search.db")) as db:
        assert db.execute("PRAGMA application_id").fetchone() == ours
        assert db.execute("SELECT pages FROM ranked").fetchall() == [(7,)]


@pytest.mark.parametrize("statement", ["PRAGMA application_id = 7", "CREATE TABLE mine (x)"])
def test_a_database_of_another_program_stays(top, statement, capsys):
    with closing(sqlite3.connect(top / "c" / "search.db")) as db:
        db.execute("CREATE TABLE page (mine)")
        db.execute(statement)
        db.commit()
    before = contents(top / "c")
    assert main(SEARCH.split()) == 2
    assert "is a database that ttcrawl did not write there" in capsys.readouterr().err
    assert contents(top / "c") == before
