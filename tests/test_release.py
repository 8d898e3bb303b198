"""The changes of a release: its version and date in every file that names them, and short enough to be read."""

import re
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
