"""The compiled core, built in a copy of the project."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COPIED = (
    *("setup.py", "pyproject.toml", "README.md", "ttcrawl", "tests/conftest.py", "tests/core"),
    *("tests/fuzz/growth.py", "tests/fuzz/soak", "tests/parse/documents.py", "tests/parse/tree_construction"),
    *("tests/parse/both_readers.py", "tests/parse/test_compiled.py", "tests/parse/test_compiled_texts.py"),
    *("tests/parse/text_pages.py", "tests/read/pages.py", "tests/parse/links/heavy.py", "tests/support/cases.py"),
)


def copied(directory: Path) -> Path:
    """Copy what the core and its tests need, without what is built."""
    for name in COPIED:
        source, target = ROOT / name, directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            shutil.copy(source, target)
    return directory


def setup(directory: Path, *arguments: str, environment: Mapping[str, str] = os.environ) -> str:
    """Run setup.py in a copy. Returns what it printed."""
    command = [sys.executable, "setup.py", *arguments]
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
