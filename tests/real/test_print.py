"""The HTML report on paper, printed by Chromium: whole numbers, and tables that are not cut."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ttcrawl.output.layout import Row, Section
from ttcrawl.report.html.page import Chapter, html

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SECTIONS, ROWS = 12, 11
COLUMNS = ("pages", "bytes", "errors", "duplicates", "moved", "failed", "refused", "queued")
NUMBER = 123_456_789


def printed(text: str, directory: Path) -> list[str]:
    """The text of each page."""
    for program in ("chromium", "pdftotext"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program}: apt-get install chromium poppler-utils")
    (directory / "report.html").write_text(text)
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    command += [f"--user-data-dir={directory / 'profile'}", f"--print-to-pdf={directory / 'report.pdf'}"]
    subprocess.run([*command, (directory / "report.html").as_uri()], capture_output=True, timeout=200, check=True)
    done = subprocess.run(["pdftotext", "-layout", directory / "report.pdf", "-"], capture_output=True, text=True)
    return done.stdout.split("\f")


def test_tables_are_not_cut_and_numbers_are_whole(tmp_path: Path) -> None:
    sections = [
        Section(
            title=f"Section {chr(ord('A') + number)}",
            rows=tuple(
                Row(label=f"http://host-{row}.example/a/long/path/of/a/page", values=(NUMBER,) * len(COLUMNS))
                for row in range(ROWS)
            ),
            columns=COLUMNS,
            subject="site",
            how=f"Note {chr(ord('A') + number)}.",
        )
        for number in range(SECTIONS)
    ]
    pages = printed(html((), [Chapter(title="Sites", sections=sections)], ["c"], "0"), tmp_path)
    assert sum(page.count(f"{NUMBER:,}") for page in pages) == SECTIONS * ROWS * len(COLUMNS)
    assert len(pages) > 2
    for page in pages:
        titles, notes = re.findall(r"Section (\w)", page), re.findall(r"Note (\w)", page)
        assert titles == notes and page.count(f"{NUMBER:,}") == len(titles) * ROWS * len(COLUMNS)
        assert "Sites" not in page or titles
