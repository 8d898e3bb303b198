"""A release: its version and date in every file that names them, changes that can be read, files of the same bytes."""

import os
import re
import runpy
import tarfile
from pathlib import Path

import pytest

from ttcrawl import __version__

ROOT = Path(__file__).parent.parent
CHANGES = (ROOT / "CHANGELOG.md").read_text()
RELEASES = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", CHANGES, re.MULTILINE)
POINTS = 80


def test_the_version_is_that_of_the_newest_release():
    citation = (ROOT / "CITATION.cff").read_text()
    cited = re.search(r"^version: (\S+)\ndate-released: (\S+)$", citation, re.MULTILINE)
    assert RELEASES[0] == cited.groups() and RELEASES[0][0] == __version__


@pytest.mark.parametrize("part", re.split(r"^## ", CHANGES, flags=re.MULTILINE)[1:], ids=lambda part: part.split()[0])
def test_a_release_can_be_read(part):
    headings = re.findall(r"^### (.*)$", part, re.MULTILINE)
    assert {each.partition(":")[0] for each in headings} <= {"Added", "Changed", "Fixed"}
    assert len(re.findall(r"^- ", part, re.MULTILINE)) <= POINTS


def test_a_packed_file_has_the_same_bytes_whoever_packs_it_and_when(tmp_path, monkeypatch):
    release = runpy.run_path(str(ROOT / ".ci" / "release.py"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    packed = []
    for number, mode in enumerate((0o600, 0o664)):
        page = tmp_path / str(number) / "page.html"
        page.parent.mkdir()
        page.write_text("words")
        page.chmod(mode)
        os.utime(page, (number, number + 0.25))
        with tarfile.open(tmp_path / f"{number}.tar", "w") as tar:
            tar.add(page, "page.html")
        with tarfile.open(tmp_path / f"{number}.tar") as tar, release["packed"](tmp_path / f"{number}.gz") as out:
            for member in tar:
                out.addfile(release["plain"](member), tar.extractfile(member))
            out.add(page, "again.html", filter=release["plain"])
        packed.append((tmp_path / f"{number}.gz").read_bytes())
    assert packed[0] == packed[1]
