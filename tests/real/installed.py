"""The pages of documentation that Debian packages install."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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
        missing = f"only {len(found):,} pages of {', '.join(PACKAGES)}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found
