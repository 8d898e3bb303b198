"""Checks the rows of images and documents against table `url`, and the saved files against files/.

A page with a lost file joins the table `misplaced` of `archive.check`: a repair queues it again. Files without a row
are correct: a killed crawl saved them before their rows were committed.
"""

from __future__ import annotations

import os
from pathlib import Path

from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.files import digest, is_ours, saved_files

TABLES = ("image", "document")

ROWS = {
    "of a URL that was not fetched": """
        SELECT coalesce(url.url, 'no URL ' || {table}.url) FROM {table} LEFT JOIN url ON url.id = {table}.url
        LEFT JOIN page ON page.url = {table}.url WHERE state IS NOT 'fetched' OR page.url IS NULL""",
    "type is not that of its page": """
        SELECT url.url FROM {table} JOIN page USING (url) JOIN url ON url.id = {table}.url
        WHERE page.type != {table}.type""",
}
BOTH = "SELECT url.url FROM image JOIN document USING (url) JOIN url ON url.id = image.url"

NAME = "files: not a path of a saved file"
MISSING = "files: a file is missing"
OTHER = "files: a file is not as it was saved"


def check(db: View, findings: Findings) -> None:
    """Runs after `archive.check` and uses its temporary tables."""
    with findings.catching(db):
        for table in TABLES:
            for problem, query in ROWS.items():
                findings.add_all(f"{table}: {problem}", (row[0] for row in db.execute(query.format(table=table))))
            rows = f"SELECT {table}.url, size, saved FROM {table} WHERE saved != ''"
            for url, size, saved in db.execute(rows):
                wrong = _wrong(db.directory / "files", saved, size)
                if wrong:
                    findings.add(wrong, saved)
                    db.execute("INSERT OR IGNORE INTO misplaced VALUES (?)", (url,))
        findings.add_all("image: a document too", (row[0] for row in db.execute(BOTH)))


def without_row(db: View) -> int:
    """The number of files in files/ that no row names."""
    saved_paths = "SELECT saved FROM image UNION SELECT saved FROM document"
    names = {saved for (saved,) in db.execute(saved_paths)}
    return sum(path not in names for path in saved_files(db.directory / "files"))


def _wrong(files: Path, saved: str, size: int) -> str:
    """The fault of a saved file, or "". Its name contains a digest of its bytes."""
    if not is_ours(saved):
        return NAME
    path = files / saved
    try:
        if os.path.islink(path) or not path.is_file():
            return MISSING
        if path.stat().st_size != size:
            return OTHER
        return "" if f"-{digest(path.read_bytes())}" in path.name else OTHER
    except OSError:
        return MISSING
