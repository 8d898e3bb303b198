"""The examples in docstrings are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import ttcrawl.parse

FOLDER = Path(ttcrawl.parse.__file__).parent
FILES = [path for path in sorted(FOLDER.rglob("*.py")) if ">>>" in path.read_text()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_examples(path):
    name = ".".join(("ttcrawl.parse", *path.relative_to(FOLDER).with_suffix("").parts))
    found = doctest.testmod(import_module(name))
    assert found.attempted > 0 and found.failed == 0
