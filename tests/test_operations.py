"""What the manual says about crawls that run for weeks: the unit, and the copy of a running crawl."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawling import options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import kill_all, settled, start
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cli import parser

DOCS = Path(__file__).parent.parent / "docs"
MANUAL = (DOCS / "guides" / "operations.md").read_text()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = (DOCS / "deploy" / "one-crawl" / "ttcrawl@.service").read_text()
    true = shutil.which("true")
    (tmp_path / "ttcrawl@.service").write_text(re.sub(r"ExecStart=\S+", f"ExecStart={true}", unit))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "ttcrawl@.service")], capture_output=True, text=True
    )
    assert [line for line in done.stderr.splitlines() if "ttcrawl@" in line] == []
    commands = re.findall(r"bin/ttcrawl ([^;]*);", unit)
    assert len(commands) == 2
    for each in commands:
        parser().parse_args(each.split())


@pytest.mark.slow
def test_a_copy_of_a_running_crawl_goes_on_by_itself(tmp_path: Path) -> None:
    """The commands of the manual in their order, while the crawl runs."""
    directory, copy = tmp_path / "c", tmp_path / "copy"
    with Web(mesh(("a.test",), 60, seed=5, crawl_delay=0.0)) as web:
        begin = ("crawl", web.url("a.test", "/"), "-d", directory, *options_for(web))
        process = start(tmp_path, *begin, "--set", "politeness.delay=0.05", "--set", "store.commit_seconds=0.1")
        try:
            while settled(directory) < 15:
                assert process.poll() is None
            copy.mkdir()
            with (
                closing(sqlite3.connect(directory / "crawl.db")) as source,
                closing(sqlite3.connect(copy / "crawl.db")) as target,
            ):
                source.backup(target)
            shutil.copy(directory / "config.ini", copy)
            shutil.copytree(directory / "warc", copy / "warc")
        finally:
            kill_all(process.pid)
            process.wait()
        run("verify", copy, "--repair")
        assert verified(copy) == ""
        before = query(copy, "SELECT count(*) FROM page")[0][0]
        done = run("resume", copy, "--progress", "none", "--no-obey-delay")
    assert done.returncode == 0, done.stderr
    assert verified(copy) == ""
    assert query(copy, "SELECT count(*) FROM url WHERE state = 'queued'") == [(0,)]
    assert query(copy, "SELECT count(*) FROM page")[0][0] > before >= 15
