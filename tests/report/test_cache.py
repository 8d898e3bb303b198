"""Cached figures against figures computed from a copy without a cache, after every kind of change."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import crawl, options_for, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.report.cache import DIGEST, NAME, Cache, program, state
from ttcrawl.report.forms import render
from ttcrawl.report.study import lazy_study, study
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.lock import Lock


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of too few pages for laws, which take most of the time, with a cache."""
    directory = tmp_path_factory.mktemp("cache") / "c"
    generated(directory, urls=300, links=500, pages=60, hosts=5, texts=50)
    assert report(directory)[1]
    return directory


@pytest.fixture
def directory(small: Path, tmp_path: Path) -> Path:
    """A copy of it, of the same times."""
    shutil.copytree(small, tmp_path / "c")
    return tmp_path / "c"


@pytest.fixture(scope="module")
def with_laws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("laws") / "c"
    generated(directory, urls=1200, links=3200, pages=200, hosts=5, texts=150)
    assert report(directory)[1]
    return directory


def report(directory: Path) -> tuple[str, list[str]]:
    """The report as JSON, and the steps that were computed for it."""
    steps: list[str] = []
    found = study(directory, lambda step, done, of: steps.append(step))
    return render([found], ["c"], "json"), steps


def without_cache(directory: Path) -> str:
    """The report of a copy without a cache."""
    copy = directory.with_name("copy")
    shutil.copytree(directory, copy, ignore=shutil.ignore_patterns(NAME))
    text, steps = report(copy)
    assert steps
    shutil.rmtree(copy)
    return text


def change(directory: Path, sql: str) -> None:
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        assert db.execute(sql).rowcount


@pytest.mark.slow
def test_a_second_report_computes_nothing_and_is_the_same(with_laws: Path) -> None:
    text, steps = report(with_laws)
    assert steps == []
    assert '"residuals"' in text and text == without_cache(with_laws)


@pytest.mark.slow
def test_the_command_prints_the_same_report_in_each_form(directory: Path) -> None:
    for form in ("json", "html"):
        cached = run("report", directory, "--format", form)
        assert (cached.returncode, cached.stderr) == (0, "")
        (directory / NAME).unlink()
        assert run("report", directory, "--format", form).stdout == cached.stdout


CHANGES: dict[str, Callable[[Path], object]] = {
    "a URL is refused": lambda place: change(
        place, "UPDATE url SET state = 'refused' WHERE id = (SELECT max(id) FROM url)"
    ),
    "a counter": lambda place: change(place, "INSERT OR REPLACE INTO crawl VALUES ('seconds', '12345.5')"),
    "the configuration": lambda place: (place / "config.ini").write_text("[duplicates]\nbands = 16\nrows = 4\n"),
    "the archive": lambda place: ((place / "warc").mkdir(), (place / "warc" / "new.warc.gz").write_bytes(b"1")),
    "a time only": lambda place: os.utime(place / "crawl.db"),
}


@pytest.mark.parametrize("kind", some_fast(CHANGES, "a URL is refused"))
def test_a_change_computes_again(directory: Path, kind: str) -> None:
    CHANGES[kind](directory)
    text, steps = report(directory)
    assert steps
    assert text == without_cache(directory)
    assert report(directory) == (text, [])


def test_another_program_computes_again(directory: Path) -> None:
    with view(directory) as db:
        states = [state(db, each) for each in (program(), b"other")]
    caches = [Cache(directory / NAME, each) for each in states]
    assert caches[0].get("waiting", object, str) and not caches[1].get("waiting", object, str)


def test_the_program_is_its_source_code(tmp_path: Path) -> None:
    for name, text in (("one", "a = 1"), ("other", "a = 2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(text)
    assert program(tmp_path / "one") != program(tmp_path / "other")


def forged(data: bytes, directory: Path) -> bytes:
    """Figures of another type under a digest that is right."""
    with view(directory) as db:
        cache = Cache(directory / NAME, state(db, program()))
    for name in msgspec.msgpack.decode(data[DIGEST:]):
        cache.get(name, float, float)
    cache.save()
    return (directory / NAME).read_bytes()


DAMAGES: dict[str, Callable[[bytes, Path], bytes]] = {
    "empty": lambda data, place: b"",
    "half": lambda data, place: data[: len(data) // 2],
    "a bit of the digest": lambda data, place: bytes([data[0] ^ 1]) + data[1:],
    "a bit of a figure": lambda data, place: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
    "more": lambda data, place: data + b"\0",
    "another file": lambda data, place: b"notes\n" * 100,
    "other types": forged,
}


@pytest.mark.parametrize("kind", some_fast(DAMAGES, "a bit of a figure", "other types"))
def test_a_damaged_file_is_computed_again(directory: Path, kind: str) -> None:
    path, text = directory / NAME, report(directory)[0]
    path.write_bytes(DAMAGES[kind](path.read_bytes(), directory))
    again, steps = report(directory)
    assert steps and again == text
    assert report(directory) == (text, [])


def test_a_kill_while_writing_leaves_the_old_file(directory: Path) -> None:
    (directory / f"{NAME}.new").write_bytes(b"half")
    assert report(directory)[1] == []
    os.utime(directory / "crawl.db")
    assert report(directory)[1] and report(directory)[1] == []
    assert not (directory / f"{NAME}.new").exists()


def test_a_link_is_neither_read_nor_written_through(directory: Path, tmp_path: Path) -> None:
    path = directory / NAME
    shutil.move(path, tmp_path / "target")
    path.symlink_to(tmp_path / "target")
    before = (tmp_path / "target").read_bytes()
    os.utime(directory / "crawl.db")
    assert report(directory)[1]
    assert (tmp_path / "target").read_bytes() == before and not path.is_symlink()


def test_a_file_that_cannot_be_written_changes_nothing(directory: Path) -> None:
    text = report(directory)[0]
    (directory / NAME).unlink()
    (directory / NAME).mkdir()  # holds for root too, unlike permissions
    for _ in range(2):
        again, steps = report(directory)
        assert steps and again == text


def test_nothing_is_cached_while_a_crawl_runs(directory: Path) -> None:
    before = (directory / NAME).read_bytes()
    with closing(Lock(directory)):
        assert report(directory)[1]
    assert (directory / NAME).read_bytes() == before


def test_a_commit_during_a_report_is_in_the_next_one(directory: Path) -> None:
    os.utime(directory / "crawl.db")
    with closing(sqlite3.connect(directory / "crawl.db")) as writer:  # its log stays until it closes
        writer.execute("PRAGMA journal_mode = wal")
        with lazy_study(directory) as parts:
            pages = parts.summary.pages
            writer.execute("UPDATE url SET state = 'queued' WHERE id = 1")
            writer.commit()
            assert sum(parts.content.depths.values()) == pages, "another snapshot"
        assert study(directory).summary.pages == pages - 1
    assert study(directory).summary.pages == pages - 1


def test_two_commands_at_once_keep_the_figures_of_both(directory: Path) -> None:
    os.utime(directory / "crawl.db")
    steps: list[str] = []
    with lazy_study(directory) as one, lazy_study(directory) as other:
        assert one.content and other.course
    with lazy_study(directory, lambda step, done, of: steps.append(step)) as parts:
        assert parts.content and parts.course
        assert steps == []
        assert parts.waiting and steps


@pytest.mark.slow
def test_commands_that_change_a_crawl_compute_again(tmp_path: Path) -> None:
    pages = {("a.test", f"/{n}"): Answer(body=page(f"/{n + 1}", title=f"page {n}")) for n in range(9)}
    web = Web({**pages, ("a.test", "/"): Answer(body=page("/0")), ("a.test", "/5"): Answer(status=500)})
    with web:
        options = ("--no-obey-delay", "--set", "fetch.retries=0", "--set", "politeness.backoff=0.1")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, "--max-pages", "3")
        texts = [fresh(done.directory)]
        for command in (["resume", *options_for(web), "--max-pages", "0"], ["requeue", "--reason", "http 500"]):
            changed = run(command[0], done.directory, *command[1:], timeout=120)
            assert changed.returncode == 0, changed.stderr
            texts.append(fresh(done.directory))
    change(done.directory, "UPDATE page SET digest = x'00' WHERE url = (SELECT max(url) FROM page)")
    texts.append(fresh(done.directory))
    run("verify", done.directory, "--repair")
    texts.append(fresh(done.directory))
    assert len(set(texts)) >= 4
    assert verified(done.directory) == ""
    assert report(done.directory)[1] == [], "verify does not change the data"


def fresh(directory: Path) -> str:
    """The report, which must be computed now and be the same without a cache; a second one is cached."""
    text, steps = report(directory)
    assert steps and text == without_cache(directory)
    assert report(directory) == (text, [])
    return text
