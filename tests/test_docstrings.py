"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATHS = [path for path in sorted((ROOT / "ttcrawl").rglob("*.py")) if ">>> " in path.read_text()]


def room(path):
    return "/".join(path.relative_to(ROOT).parts[:2])


@pytest.mark.parametrize("name", sorted(set(map(room, PATHS))))
def test_the_examples_of_a_room(name):
    said = []
    for path in (each for each in PATHS if room(each) == name):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = import_module(".".join(parts).removesuffix(".__init__"))
        tests = [each for each in doctest.DocTestFinder().find(module) if each.examples]
        assert tests, f"{path}: its examples are not found"
        for each in tests:
            doctest.DocTestRunner().run(each, out=said.append)
    assert not said, "".join(said)
