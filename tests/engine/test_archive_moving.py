"""`[store] warc_move_to`: closed WARC files are in object storage, in one place each, and are read from there."""

import json
import shutil
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killed_at import killed_at
from tests.support.web.mesh import mesh
from tests.support.web.object_storage import object_storage
from tests.support.web.site import Web
from ttcrawl.cli import main
from ttcrawl.config import Config
from ttcrawl.engine.archive_moving import AGAIN, ArchiveMoving
from ttcrawl.store.sqlite import Store

HOST = "www.a.test"
#: So that each run closes several files.
SMALL = ("--set", "store.warc_size=4000", "--no-obey-delay", "--inline")


def moving(root):
    return ("--set", f"store.warc_move_to={root}")


def crawled(place, *options):
    with Web(mesh((HOST,), 8, 1)) as web:
        done = crawl(web, web.url(HOST, "/"), place / "c", *SMALL, *options)
    assert done.status == 0, done.err
    return done


def local(directory):
    return sorted(path.name for path in (directory / "warc").iterdir())


def moved(directory):
    return [name for (name,) in query(directory, "SELECT file FROM archive_object WHERE NOT gone ORDER BY file")]


def recorded(directory):
    return dict(query(directory, "SELECT file, size FROM archive"))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """(A crawl whose archive was moved, the same with its archive at hand)."""
    place = tmp_path_factory.mktemp("moved")
    directory = crawled(place, *moving(f"file://{place}/there/of-a")).directory
    shutil.copytree(directory, here := place / "here")
    for path in (place / "there" / "of-a").iterdir():
        shutil.copy(path, here / "warc" / path.name)
    with closing(sqlite3.connect(here / "crawl.db")) as db, db:
        db.execute("DROP TABLE archive_object")
    return directory, here


def test_all_files_are_there_and_none_is_here(done):
    directory, _ = done
    there = {path.name: path.stat().st_size for path in (directory.parent / "there" / "of-a").iterdir()}
    assert there == recorded(directory) and len(there) > 2
    assert (moved(directory), local(directory)) == (sorted(there), [])


def test_the_crawl_is_sound(done):
    assert (verified(done[0]), verified(done[1])) == ("", "")


def test_every_page_has_its_bytes(done):
    with ttcrawl.open(done[0]) as there, ttcrawl.open(done[1]) as here:
        urls = [row.url for row in here.iter_pages()]
        assert len(urls) > 5 and [there.body(url) for url in urls] == [here.body(url) for url in urls]


@pytest.mark.parametrize("words", ["export --format cdxj -o OUT", "export --format wat -o OUT", "check --offline"])
def test_commands_that_read_the_archive_read_it_there(done, words, tmp_path, capsys):
    name, *others = words.split()
    outputs = []
    for number, directory in enumerate(done):
        out = tmp_path / str(number)
        status = main([name, str(directory), *(str(out) if each == "OUT" else each for each in others)])
        text = capsys.readouterr().out.replace(str(directory), "CRAWL")
        outputs.append((status, text, _without_ids(out.read_bytes()) if out.exists() else b""))
    assert outputs[0] == outputs[1]


def _without_ids(data):
    """An export without what is new each time."""
    return data if data.startswith(b"com,") or b"test,a" in data[:9] else len(data) // 100


def test_the_report_counts_bytes_that_were_moved(done, capsys):
    figures = []
    for directory in done:
        assert main(["report", str(directory), "--section", "summary", "--format", "json"]) == 0
        figures.append(json.loads(capsys.readouterr().out)["archive_bytes"])
    assert figures[0] == figures[1] == sum(recorded(done[0]).values())


def test_deleted_pages_leave_object_storage_too(done, tmp_path, capsys):
    shutil.copytree(done[0].parent, place := tmp_path / "copy")
    directory = place / "c"
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE archive_object SET url = replace(url, ?, ?)", (str(done[0].parent), str(place)))
    url, file = query(directory, "SELECT url.url, file FROM page JOIN url ON url.id = page.url WHERE depth = 1")[0]
    assert main(["delete", str(directory), "--url", url, "--purge", "--yes"]) == 0, capsys.readouterr().err
    assert not (place / "there" / "of-a" / file).exists()
    assert file not in recorded(directory) and verified(directory) == ""
    assert len(local(directory)) == 1 and sorted([*moved(directory), *local(directory)]) == sorted(recorded(directory))
    assert query(directory, "SELECT count(*) FROM archive_object WHERE gone") == [(0,)]


@pytest.mark.parametrize("step", ["os.remove:1", "os.remove:2", "open:3", "open:5"])
def test_a_kill_loses_nothing_and_doubles_nothing(tmp_path, step):
    directory = crawled(tmp_path).directory
    before = {name: (directory / "warc" / name).read_bytes() for name in local(directory)}
    words = ("resume", directory, "--inline", *moving(f"file://{tmp_path}/there"))
    assert killed_at(step, directory / "warc", *words, cwd=tmp_path) == -9
    assert {*moved(directory), *local(directory)} == before.keys() if _has_moved(directory) else local(directory)
    assert verified(directory) == ""
    again = run(*words, "--progress", "none", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert {path.name: path.read_bytes() for path in (tmp_path / "there").iterdir()} == before
    assert (moved(directory), local(directory)) == (sorted(before), [])
    assert verified(directory) == ""


def _has_moved(directory):
    return query(directory, "SELECT count(*) FROM sqlite_schema WHERE name = 'archive_object'") == [(1,)]


def test_storage_that_is_away_ends_no_crawl(tmp_path):
    (tmp_path / "there").write_text("a file, in which there are none")
    done = crawled(tmp_path, *moving(f"file://{tmp_path}/there/x"))
    assert done.err.count("cannot move") <= 2 and f"ttcrawl resume {done.directory} moves them" in done.err
    assert local(done.directory) == sorted(recorded(done.directory))
    (tmp_path / "there").unlink()
    again = run("resume", done.directory, "--inline", "--progress", "none", cwd=tmp_path)
    assert again.returncode == 0 and local(done.directory) == [], again.stderr


def test_what_is_no_place_ends_the_command_before_the_crawl(tmp_path, capsys):
    words = ["crawl", "http://a.test/", "-d", str(tmp_path / "c"), "--set", "store.warc_move_to=ftp://a/b"]
    assert main(words) == 2 and "names no place for files" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


@pytest.fixture
def running(tmp_path):
    """A crawl that has one closed file and one that is being written."""
    files = {f"c-20260101000000-0-0000{number}-h.warc.gz": 4 for number in range(2)}
    (tmp_path / "warc").mkdir()
    for name in files:
        (tmp_path / "warc" / name).write_bytes(b"warc and what the tables do not know")
    with closing(Store(tmp_path / "crawl.db", create=True)) as store:
        store.set_archive(files)
        store.commit()
        said, now = [], [0.0]
        config = Config().changed({"store.warc_move_to": f"file://{tmp_path}/there"})
        shared = SimpleNamespace(store=store, clock=lambda: now[0], config=config)
        moving = ArchiveMoving(shared, said.append)
        moving.begin(None)
        yield SimpleNamespace(directory=tmp_path, store=store, moving=moving, said=said, now=now, files=[*files])
        moving.finish(None)


def commit(running):
    running.moving.before_commit()
    running.store.commit()
    running.moving.after_commit()


def test_a_file_moves_as_it_closes(running):
    while not running.moving.turn(None):  # until the thread has copied it
        pass
    assert local(running.directory) == running.files, "its row is not committed"
    commit(running)
    assert (moved(running.directory), local(running.directory)) == (running.files[:1], running.files[1:])
    assert (running.directory / "there" / running.files[0]).read_bytes() == b"warc"
    assert running.moving.turn(None) == 0


def test_a_file_that_cannot_be_moved_is_tried_again(running):
    (there := running.directory / "there").write_text("a file")
    while not running.said:
        running.moving.turn(None)
    assert "cannot move" in running.said[0] and "tried again" in running.said[0]
    there.unlink()
    running.now[0] = 2 * AGAIN
    while not running.moving.turn(None):
        pass
    commit(running)
    assert moved(running.directory) == running.files[:1] and len(running.said) == 1


@pytest.mark.slow
def test_a_crawl_with_processes_moves_its_files_into_a_bucket_while_it_goes_on(tmp_path, monkeypatch):
    with object_storage(monkeypatch), Web(mesh((HOST,), 60, 1)) as web:
        options = ("--set", "store.warc_size=4000", "--no-obey-delay", *moving("s3://bucket/of/a"))
        done = crawl(web, web.url(HOST, "/"), tmp_path / "c", *options)
        assert done.status == 0, done.err
        directory = done.directory
        assert (moved(directory), local(directory)) == (sorted(recorded(directory)), [])
        assert verified(directory) == ""
        with ttcrawl.open(directory) as opened:
            assert sum(len(opened.body(row.url)) > 0 for row in opened.iter_pages()) > 50
