"""Machines see the directories of their tests, wherever those of other tests are."""

import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def tmp_path():
    """Not in /dev/shm, where each machine has memory of its own."""
    with tempfile.TemporaryDirectory(prefix="lab-") as directory:
        yield Path(directory)
