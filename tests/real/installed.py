"""What has to be installed: documentation of Debian packages, programs. CI fails without it, elsewhere tests skip."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from benchmarks.docsites import Missing, document_root

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = (
    *("python3.11-doc", "postgresql-doc-15", "sqlite3-doc", "libboost1.81-doc", "openjdk-17-doc", "qtbase5-doc-html"),
    "linux-doc-6.1",
)

PAGES, SAMPLE = 20_000, 300


@pytest.fixture(scope="module")
def pages() -> list[Path]:
    found: list[Path] = []
    if shutil.which("dpkg-query"):
        listed = subprocess.run(["dpkg-query", "--listfiles", *PACKAGES], capture_output=True, text=True).stdout
        named = {Path(line) for line in listed.splitlines() if line.endswith((".html", ".htm"))}
        found = sorted(path for path in named if path.is_file() and not path.is_symlink())
    if len(found) < PAGES:
        without(f"only {len(found):,} pages of {', '.join(PACKAGES)}")
    return found


def documentation(package: str) -> Path:
    """The directory with the pages of a Debian package."""
    try:
        return document_root(package)
    except Missing as missing:
        without(str(missing))


def program(name: str, environment: str) -> str:
    """The path of a program on PATH or in a virtual environment beside ours."""
    found = shutil.which(name) or shutil.which(name, path=str(ROOT / environment / "bin"))
    return found or without(f"no {name}: not on PATH, not in {environment}")


def without(what: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)
