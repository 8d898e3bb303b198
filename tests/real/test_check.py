"""`ttcrawl check` beside LinkChecker and lychee on a part of the documentation of Python.

Many of its links are broken. docs/check.md has the differences.
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.docsites import ADDRESS, serving
from tests.real.installed import documentation, program

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PARTS = ("distributing", "faq", "installing", "_static")

#: Of faq/general.html: links from the table of contents lead there, and from the page itself.
REMOVED = ("what-is-python", "why-is-it-called-python")

CONFIGURATION = "[checking]\nthreads=4\nmaxrequestspersecond=1000\n[AnchorCheck]\n"


@contextmanager
def configuration() -> Iterator[str]:
    """A file that LinkChecker can read: it is another user if root has started it."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        file = Path(directory) / "linkcheckerrc"
        file.write_text(CONFIGURATION)
        file.chmod(0o644)
        yield str(file)


@contextmanager
def part_of_the_documentation(directory: Path) -> Iterator[str]:
    """The URL of the pages, of which two identifiers were removed."""
    source = documentation("python3.11-doc")
    for part in PARTS:
        shutil.copytree(source / part, directory / part)
    general = directory / "faq" / "general.html"
    text = general.read_text()
    for name in REMOVED:
        assert f'id="{name}"' in text
        text = text.replace(f'id="{name}"', "")
    general.write_text(text)
    links = "".join(f'<a href="{part}/index.html">{part}</a>' for part in PARTS if not part.startswith("_"))
    (directory / "index.html").write_text(f"<!DOCTYPE html><title>Parts</title>{links}")
    # LinkChecker sends more than 10 requests a second only to servers that say that they know it
    with serving({ADDRESS: directory}, "LinkChecker yes") as site:
        yield site.seed(ADDRESS)


def checked(url: str, directory: Path) -> list[dict[str, str]]:
    """The problems that `ttcrawl check` finds within the site."""
    command = [sys.executable, "-m", "ttcrawl", "check", url, "-d", str(directory), "--no-obey-delay"]
    command += ["--set", f"scope.rules=exclude *\nallow host:{ADDRESS}", "--format", "json", "--progress", "none"]
    done = subprocess.run([*command, "--set", "politeness.address_delay=0"], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    problems: list[dict[str, str]] = json.loads(done.stdout)["problems"]
    return problems


@pytest.mark.long
def test_the_same_broken_links_and_fragments_as_linkchecker(tmp_path: Path) -> None:
    linkchecker = program("linkchecker", ".venv-bench")
    with part_of_the_documentation(tmp_path / "site") as url, configuration() as file:
        command = [linkchecker, "-f", file, "--no-status", "-v", "-o", "csv", url]
        theirs = subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
        problems = checked(url, tmp_path / "c")
    rows = [row for row in csv.DictReader(_lines(theirs), delimiter=";") if row["url"]]
    broken = {row["url"].partition("#")[0] for row in rows if row["valid"] == "False"}
    assert len(rows) > 300 and len(broken) > 50, "the documentation is not what this test was written for"
    assert {each["url"] for each in problems if each["kind"] == "broken-link"} == broken
    fragments = {row["url"] for row in rows if "nchor" in row["warningstring"]}
    assert fragments == {f"{url}faq/general.html#{name}" for name in REMOVED}
    assert {each["url"] for each in problems if each["kind"] == "fragment"} == fragments


def test_the_same_broken_links_and_fragments_on_the_same_pages_as_lychee(tmp_path: Path) -> None:
    lychee = program("lychee", ".venv-lychee")
    with part_of_the_documentation(tmp_path / "site") as url:
        pages = [f"{url}{page.relative_to(tmp_path / 'site')}" for page in (tmp_path / "site").rglob("*.html")]
        command = [
            lychee,
            "--format",
            "json",
            "--no-progress",
            "--include-fragments=anchor-only",
            "--include-verbatim",
        ]
        command += ["--include", f"^{url}", "--max-retries", "0", "--host-request-interval", "0ms", *pages]
        theirs = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=600).stdout)
        problems = checked(url, tmp_path / "c")
    errors = [(page, each) for page, links in theirs["error_map"].items() for each in links]
    # only a missing page has a status code
    broken = {(page, each["url"].partition("#")[0]) for page, each in errors if "code" in each["status"]}
    fragments = {(page, each["url"]) for page, each in errors if "code" not in each["status"]}
    assert len(broken) > 100, "the documentation is not what this test was written for"
    assert {(each["source"], each["url"]) for each in problems if each["kind"] == "broken-link"} == broken
    assert {each for _, each in fragments} == {f"{url}faq/general.html#{name}" for name in REMOVED}
    assert {(each["source"], each["url"]) for each in problems if each["kind"] == "fragment"} == fragments


def _lines(output: str) -> list[str]:
    """Without comments; a row may begin with the # of a fragment."""
    return [line for line in output.splitlines() if not line.startswith("# ")]
