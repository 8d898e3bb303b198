"""Deletions that are killed, or find the disk full: the next one completes them, as if nothing had happened."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawling import command, query, verified
from tests.equal_tables import everything
from tests.foreign import foreign_check, responses
from tests.forked import run

OPTIONS = ("--path", "*a.html", "--path", "/image/*", "--yes", "--purge")
PLAIN = ("--path", "*a.html", "--path", "/image/*", "--yes")

#: Findings of verify that a kill may cause.
UNFINISHED = "deletion: interrupted, the next ttcrawl delete completes it"


def killed_at(step: int, directory: Path, options: tuple[str, ...]) -> bool:
    """Kill `ttcrawl delete` at a step; return whether it had so many."""
    words = [sys.executable, "-m", "tests.killed_at", "SIGKILL", f":{step}", directory, "delete", directory, *options]
    return subprocess.run([str(each) for each in words], capture_output=True).returncode < 0


def state(directory: Path) -> dict[str, object]:
    """All that two deletions must agree on. Which WARC file has a record may differ."""
    archive = sorted(
        (record.headers["WARC-Target-URI"], str(record.record_type), record.headers["WARC-Payload-Digest"])
        for record, _ in responses(directory)
    )
    return {
        **everything(directory),
        "archive": archive,
        "files": sorted(str(path.relative_to(directory)) for path in (directory / "files").rglob("*.*")),
        "warc": len(list((directory / "warc").iterdir())),
        "names": sorted(path.name for path in directory.iterdir()),
        "deletions": query(directory, "SELECT what, urls, pages, links FROM deletion"),
        "leftover": query(directory, "SELECT kind, count(*) FROM leftover GROUP BY 1"),
        "totals": query(directory, "SELECT * FROM crawl WHERE name LIKE 'total%' ORDER BY name"),
    }


@pytest.fixture(scope="module")
def steps(first, tmp_path_factory) -> int:
    """The number of steps of a deletion with a purge."""
    place, low, high = tmp_path_factory.mktemp("steps"), 1, 4096
    while low < high:
        middle = (low + high) // 2
        directory = shutil.copytree(first[0].directory, place / str(middle))
        low, high = (middle + 1, high) if killed_at(middle, directory, OPTIONS) else (low, middle)
        shutil.rmtree(directory)
    return low - 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("options", [OPTIONS, PLAIN], ids=["purged", "not purged"])
def test_a_kill_at_any_step_is_made_good(first, tmp_path, steps, options):
    done = shutil.copytree(first[0].directory, tmp_path / "done")
    assert run("delete", done, *options).returncode == 0
    after, kills = state(done), 0
    for step in range(1, steps + 1, max(1, steps // 120)):
        directory = shutil.copytree(first[0].directory, tmp_path / "c")
        kills += killed_at(step, directory, options)
        said = verified(directory)
        assert not said or all(UNFINISHED in line or "problem" in line for line in said.splitlines() if ": " in line)
        again = run("delete", directory, *options)
        assert again.returncode == 0, (step, again.stderr)
        assert verified(directory) == "", step
        assert state(directory) == after, step
        shutil.rmtree(directory)
    assert kills > 60


def test_a_kill_is_made_good_by_a_deletion_without_a_selection(directory, steps):
    """At the end of the transaction of the rows, which is the longest run of steps."""
    assert killed_at(steps // 2, directory, OPTIONS)
    if query(directory, "SELECT count(*) FROM url WHERE state = 'deleted'") == [(0,)]:
        assert run("delete", directory, *OPTIONS).returncode == 0
    else:
        assert run("delete", directory).returncode == 0
    assert verified(directory) == ""
    assert query(directory, "SELECT * FROM leftover") == []


def test_a_resumed_crawl_removes_what_is_left_over(directory, steps):
    """Killed when the old WARC file is to be removed."""
    at = steps
    while at > 1 and not query(directory, "SELECT 1 FROM deletion"):
        at -= 1
        killed_at(at, directory, OPTIONS)
    assert run("resume", directory, "--progress", "none").returncode == 0
    kinds = query(directory, "SELECT DISTINCT kind FROM leftover WHERE kind IN ('warc', 'saved', 'derived')")
    assert kinds == []
    assert run("delete", directory, "--purge").returncode == 0
    assert verified(directory) == ""


def test_a_full_disk_loses_nothing(directory):
    assert run("delete", directory, *PLAIN).returncode == 0
    limit = 8 << 10
    full = subprocess.run(
        command("delete", directory, "--purge"),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert full.returncode == 1 and full.stderr.count("Traceback") == 0, full.stderr
    assert "ttcrawl delete" in full.stderr or "cannot" in full.stderr
    assert run("delete", directory).returncode in (0, 2)
    assert run("delete", directory, "--purge").returncode == 0
    assert verified(directory) == ""
    foreign_check(directory / "warc")
