"""`ttcrawl view DIR... --sql`: Datasette over the tables, where it is installed. Its address has a token."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ttcrawl.errors import DONE, CrawlFailedError, UsageError, installed
from ttcrawl.export.datasette import metadata
from ttcrawl.store.lock import crawled_by
from ttcrawl.web.listening import LOOPBACK, listen


def serve_sql(directories: Sequence[Path], port: int, *, open_browser: bool) -> int:
    """Run Datasette until Ctrl-C. Raises UsageError if it is not installed, NotACrawl."""
    if not installed("datasette"):
        raise UsageError("datasette is missing: install with: pip install datasette; without --sql, no SQL is needed")
    files = [directory / "crawl.db" for directory in directories]
    about, counts = metadata(directories)
    with listen(LOOPBACK, port) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        described, inspected = Path(folder, "metadata.json"), Path(folder, "inspected.json")
        described.write_text(json.dumps(about))
        inspected.write_text(json.dumps(counts))
        command = [sys.executable, "-m", "datasette", "serve", "--host", LOOPBACK, "--port", str(port), "--root"]
        for directory, file in zip(directories, files, strict=True):
            command += [str(file)] if crawled_by(directory) else ["--immutable", str(file)]
        command += ["--metadata", str(described), "--inspect-file", str(inspected)]
        command += ["--setting", "default_page_size", "50", *(["--open"] if open_browser else [])]
        with suppress(KeyboardInterrupt):
            if status := subprocess.run(command, check=False).returncode:
                raise CrawlFailedError(f"datasette has ended with status {status}")
    return DONE
