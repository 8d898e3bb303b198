"""Deletions that are killed, or find the disk full: the next one completes them, as if nothing had happened."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.crawls.crawling import command, options_for, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.other_readers import foreign_check, responses
from tests.support.crawls.preforked import run
from tests.support.faults.killed_at import killed_at
from tests.support.long_tables import LONG
from tests.support.web.identical_bodies import pages
from tests.support.web.site import Web

OPTIONS = ("--path", "*a.html", "--path", "/image/*", "--yes", "--purge")
PLAIN = ("--path", "*a.html", "--path", "/image/*", "--yes")

#: Moments of the kill matrix, evenly over all steps.
KILLS = int(os.environ.get("KILLS", "24"))

#: Findings of verify that a kill may cause.
UNFINISHED = "deletion: interrupted, the next ttcrawl delete completes it"


def interrupted(step: int | str, directory: Path, options: tuple[str, ...], name: str = "SIGKILL") -> bool:
    """Send `ttcrawl delete` a signal at a step, a number or as "os.remove:1"; return whether it had so many."""
    step = step if isinstance(step, str) else f":{step}"
    return killed_at(step, directory, "delete", directory, *options, name=name) in (-9, 3)


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
        low, high = (middle + 1, high) if interrupted(middle, directory, OPTIONS) else (low, middle)
        shutil.rmtree(directory)
    return low - 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("options", [OPTIONS, pytest.param(PLAIN, marks=LONG)], ids=["purged", "not purged"])
def test_a_kill_at_any_step_is_made_good(first, tmp_path, steps, options):
    done = shutil.copytree(first[0].directory, tmp_path / "done")
    assert run("delete", done, *options).returncode == 0
    after, kills = state(done), 0
    for step in range(1, steps + 1, max(1, steps // KILLS)):
        directory = shutil.copytree(first[0].directory, tmp_path / "c")
        kills += interrupted(step, directory, options)
        said = verified(directory)
        assert not said or all(UNFINISHED in line or "problem" in line for line in said.splitlines() if ": " in line)
        again = run("delete", directory, *options)
        assert again.returncode == 0, (step, again.stderr)
        assert verified(directory) == "", step
        assert state(directory) == after, step
        shutil.rmtree(directory)
    assert kills > KILLS // 3


@pytest.mark.parametrize(
    "step", [pytest.param(each, marks=() if each == 8 else pytest.mark.slow) for each in range(3, 16)]
)
def test_what_is_given_up_before_its_rows_are_gone_leaves_nothing(directory, step):
    """Ctrl-C is one error of many: the new WARC file and its note go, and the crawl is as it was."""
    before = {path.name for path in (directory / "warc").iterdir()}
    assert interrupted(f"open:{step}", directory, OPTIONS, "SIGINT")
    if not query(directory, "SELECT 1 FROM url WHERE state = 'deleted'"):
        assert verified(directory) == "" and query(directory, "SELECT * FROM leftover") == []
        assert {path.name for path in (directory / "warc").iterdir()} == before
    assert run("delete", directory, *OPTIONS).returncode == 0 and verified(directory) == ""


@pytest.fixture
def before_removal(directory: Path) -> Path:
    """A crawl whose purge was killed when the first old WARC file was to be removed."""
    assert run("delete", directory, *PLAIN).returncode == 0
    assert interrupted("os.remove:1", directory, ("--purge",))
    assert ("warc",) in query(directory, "SELECT kind FROM leftover")
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("command", [("resume", "--progress", "none"), ("verify", "--repair"), ("delete",)])
def test_what_is_left_over_is_removed_by(before_removal: Path, command: tuple[str, ...]) -> None:
    """Neither a repair nor a resumed crawl sets the old file aside as an unknown one."""
    directory, (name, *options) = before_removal, command
    assert run(name, directory, *options).returncode == (1 if name == "verify" else 0)
    names = {name for (name,) in query(directory, "SELECT file FROM archive")}
    assert {path.name for path in (directory / "warc").iterdir()} == names
    assert run("delete", directory).returncode == (2 if name == "delete" else 0)
    assert verified(directory) == ""
    assert query(directory, "SELECT * FROM leftover") == []


@pytest.mark.slow
def test_a_crawl_that_was_killed_loses_pages_and_goes_on(tmp_path):
    directory = tmp_path / "c"
    with Web(pages()) as web:
        words = (
            "crawl",
            web.url("a.test", "/"),
            "-d",
            directory,
            *options_for(web),
            "--scope",
            "any",
            "--no-obey-delay",
        )
        process = subprocess.Popen(command(*words, "--set", "store.commit_seconds=0.1"), stderr=subprocess.DEVNULL)
        while not (directory / "crawl.db").exists() or query(directory, "SELECT count(*) FROM page")[0][0] < 20:
            time.sleep(0.02)
        process.kill()
        process.wait()
        assert run("delete", directory, "--path", "*a.html", "--purge", "--yes").returncode == 0
        assert verified(directory) == ""
        before = len([hit for hit in web.log() if hit.path.endswith("a.html")])
        assert run("resume", directory, "--progress", "none").returncode == 0
        assert verified(directory) == ""
        deleted = {url for (url,) in query(directory, "SELECT url FROM url WHERE state = 'deleted'")}
        again = [hit.path for hit in web.log() if hit.path.endswith("a.html")][before:]
        assert deleted and not any(url.endswith(path) for url in deleted for path in again if len(path) > 12)
        assert query(directory, "SELECT count(*) FROM url WHERE state = 'fetched'")[0][0] > 80


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
