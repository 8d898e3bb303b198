"""Which reader a command uses, and where it says so."""

import subprocess
import sys

import pytest

from tests.core.compiled import needs_core
from tests.report.sample_crawl import write
from ttcrawl import __version__, core
from ttcrawl.cli import main
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import about_run
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
    assert "\nReader   compiled\n" in render(status(directory, 5), "text")


@needs_core
def test_parse_processes_with_the_core_need_no_numpy():
    """It takes 10 MB and 50 ms."""
    program = "import sys, ttcrawl.parse.preload, ttcrawl.parse.worker; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
