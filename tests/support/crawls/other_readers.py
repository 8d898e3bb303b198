"""Archives as other people's programs see them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner
from fastwarc.cli import main as fastwarc
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType


def foreign_check(directory: Path) -> None:
    """`warcio check` and `fastwarc check` find every digest of every file right, and there is a file."""
    files = sorted(directory.iterdir())
    done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, text=True)
    assert files and done.returncode == 0, (done.stdout, done.stderr)
    for file in files:  # it takes one file at a time: in this process, where that is done sooner
        checked = CliRunner().invoke(fastwarc, ["check", str(file)])
        assert checked.exit_code == 0, (file, checked.output)


def responses(directory: Path) -> Iterator[tuple[WarcRecord, bytes]]:
    """The answers in the archive of a crawl, with their bodies: revisits have none."""
    kinds = WarcRecordType.response | WarcRecordType.revisit
    for file in sorted((directory / "warc").iterdir()):
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream, record_types=kinds):
                yield record, record.reader.read()
