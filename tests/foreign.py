"""Archives as other people's programs see them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner
from fastwarc.cli import main as fastwarc


def foreign_check(directory: Path) -> None:
    """`warcio check` and `fastwarc check` find every digest of every file right, and there is a file."""
    files = sorted(directory.iterdir())
    done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, text=True)
    assert files and done.returncode == 0, (done.stdout, done.stderr)
    for file in files:  # it takes one file at a time: in this process, where that is done sooner
        checked = CliRunner().invoke(fastwarc, ["check", str(file)])
        assert checked.exit_code == 0, (file, checked.output)
