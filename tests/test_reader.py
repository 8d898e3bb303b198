"""Which reader a command uses, and where it says so."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.core.compiled import needs_core
from tests.report.sample_crawl import write
from tests.support.crawls.crawling import crawl, options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl import __version__, core
from ttcrawl.cli import main
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import about_run
from ttcrawl.report.parts.summary import render as render_report
from ttcrawl.report.summarize import summarize
from ttcrawl.snapshot.status import render, status


def test_a_crawl_with_an_unknown_reader_does_not_begin(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(core.VARIABLE, "perl")
    assert main(["crawl", "http://127.0.0.1:1/", "-d", str(tmp_path / "c")]) == 2
    assert capsys.readouterr().err == "ttcrawl: TTCRAWL_READER=perl: the readers are python and compiled\n"
    assert not (tmp_path / "c").exists()


def test_the_version_says_who_reads(reader, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code in (0, None)
    assert capsys.readouterr().out == f"ttcrawl {__version__}\nreader: {core.reader()}\n"


def test_a_crawl_keeps_who_read_its_pages(reader, tmp_path):
    assert about_run(Config())["reader"] == core.reader()
    directory = write(tmp_path / "c")
    assert summarize(directory).reader == "compiled"
    line = "Reader   compiled; HTML pages by the core: 1, by Python: 5 (3 control character, 2 frame)"
    assert f"\n{line}\n" in render(status(directory, 5), "text")


def counts(directory):
    """(by the core, by Python) in the status; the report has the same."""
    shown, summary = status(directory, 5), summarize(directory)
    assert (shown.read_by_core, shown.read_by_python) == (summary.read_by_core, summary.read_by_python)
    return shown.read_by_core, shown.read_by_python


def all_of(by_core, by_python):
    return by_core + sum(by_python.values())


def test_pages_are_counted_by_who_read_them(reader, tmp_path):
    """Over two runs. What is no HTML is not counted."""
    texts = {"/robots.txt": b"", "/odd": b"<b><p>a</b>", "/plain": b"<p>a", "/text": b"a"}
    pages = {("a.test", path): Answer(body=body) for path, body in texts.items()}
    pages["a.test", "/"] = Answer(body=page("/odd", "/plain", "/text"))
    pages["a.test", "/text"] = Answer(body=b"a", headers=(("Content-Type", "text/plain"),))
    directory = tmp_path / "c"
    with Web(pages) as web:
        options = (*options_for(web), "--no-obey-delay", "--inline", "--max-pages", "2", "--progress", "none")
        assert main(["crawl", web.url("a.test", "/"), "-d", str(directory), *options]) == 3
        assert all_of(*counts(directory)) == 2
        assert main(["resume", str(directory), "--inline", "--max-pages", "0", "--progress", "none"]) == 0
    why = "block inside of a formatting element that ends in it"
    by_python = {core.why_python or core.PYTHON: 3}
    assert counts(directory) == ((2, {why: 1}) if reader == core.COMPILED else (0, by_python))
    label = "HTML read by the compiled core"
    assert label in render_report([summarize(directory)], ["c"], "text")


@pytest.mark.slow
def test_reading_later_counts_too(tmp_path):
    pages = {("a.test", "/robots.txt"): Answer(), ("a.test", "/"): Answer(body=page(content="<b><p>a</b>"))}
    with Web(pages) as web:
        crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--reading", "later")
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("UPDATE crawl SET value = 'another' WHERE name = 'reader'")
    done = run("read", tmp_path / "c")
    assert "; HTML pages by the core: 0, by Python: 1 (1 " in done.stdout
    assert status(tmp_path / "c", 5).reader == core.reader()
    core_pages, by_python = counts(tmp_path / "c")
    assert core_pages == 0 and list(by_python.values()) == [2]


@needs_core
def test_parse_processes_with_the_core_need_no_numpy():
    """It takes 10 MB and 50 ms."""
    program = "import sys, ttcrawl.parse.preload, ttcrawl.parse.worker; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
