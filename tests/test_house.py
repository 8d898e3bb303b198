"""The documentation is true, imports go one way, files and functions stay small."""

import ast
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from ttcrawl.cli import parser
from ttcrawl.config import CONVERTERS, SECTIONS, HostSection, keys
from ttcrawl.kinds import KINDS

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "ttcrawl").rglob("*.py"))
README = (ROOT / "README.md").read_text()

#: What each room may import from the others (its own files always, and what it holds of the root).
VOCABULARY = {"url", "canon", "kinds", "record", "messages", "clock", "config", "errors"}
VOCABULARY |= {"storable", "address", "networks", "shown", "ideographs", "encoding", "content_type", "mail_date"}
VOCABULARY |= {"__init__"}
MAY_IMPORT = {
    "url": set(),
    "messages": {"pickled", "record", "storable"},
    "record": {"pickled", "storable"},
    "pickled": set(),
    "storable": set(),
    "kinds": set(),
    "clock": set(),
    "networks": set(),
    "shown": set(),
    "filename": set(),
    "ideographs": set(),
    "encoding": set(),
    "content_type": set(),
    "mail_date": set(),
    "config": {"errors", "kinds", "networks", "url"},
    "address": {"config", "networks"},
    "errors": set(),
    "channel": set(),
    "slots": set(),
    "wait": set(),
    "cpu": set(),
    "waiting": set(),
    "robots": VOCABULARY,
    "scope": VOCABULARY,
    "traps": {"config"},
    "sitemaps": {"encoding", "mail_date"},
    "canon": {"config", "url"},
    "ruling": {"config"},
    "stats": set(),
    "dedup": VOCABULARY | {"frontier", "store", "traps"},
    "cookies": {"storable", "url"},
    "frontier": VOCABULARY | {"ruling", "robots", "scope", "store"},
    "store": VOCABULARY | {"cookies", "filename"},
    "fetch": VOCABULARY | {"channel", "slots"},
    "parse": VOCABULARY
    | {"channel", "slots", "dedup", "documents", "filename", "scope", "sitemaps", "traps", "robots", "store"},
    "documents": {"config"},
    "limits": {"errors"},
    "preload": {"pool"},
    "pool": {"channel", "errors", "limits", "messages"},
    "ring": VOCABULARY | {"pool", "slots", "cpu", "wait", "waiting", "scope", "fetch", "parse", "store"},
    "inline": VOCABULARY | {"slots", "scope", "fetch", "parse", "store"},
    "settle": VOCABULARY | {"robots", "dedup", "traps", "frontier", "stats", "store"},
    "totals": {"frontier", "stats"},
    "idle": {"clock", "frontier"},
    "launcher": {"messages"},
    "crawl": VOCABULARY
    | {"launcher"}
    | {"idle"}
    | {"totals", "robots", "scope", "dedup", "cookies", "settle", "frontier", "stats", "store", "ring"},
    "lock": {"errors", "store"},
    "directory": VOCABULARY | {"lock", "store"},
    "progress": {"stats", "shown"},
    "interrupts": set(),
    "session": VOCABULARY
    | {"launcher", "limits"}
    | {"crawl", "directory", "ring", "inline", "progress", "scope", "slots", "store", "fetch", "frontier"}
    | {"interrupts"},
    "report": {"url", "record", "stats", "store", "errors", "lock", "shown"},
    "graph": {"report", "errors", "shown"},
    "study": VOCABULARY | {"graph", "report", "stats"},
    "plots": {"report", "stats", "study"},
    "deciding": {"robots"},
    "library": VOCABULARY | {"graph", "parse", "report", "study", "why"},
    "why": VOCABULARY | {"deciding", "lock", "frontier", "report", "robots", "ruling", "scope", "store", "traps"},
    "aliases": VOCABULARY | {"stats", "totals", "directory", "frontier", "report", "robots", "scope", "store", "traps"},
    "tuning": VOCABULARY | {"dedup", "library", "report", "stats"},
    "verify": VOCABULARY | {"dedup", "directory", "lock", "report", "store"},
}
ANYTHING = {"cli", "demo", "__main__", "__init__"}


def room(path):
    parts = path.relative_to(ROOT / "ttcrawl").with_suffix("").parts
    return parts[0]


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ttcrawl":
            inner = node.module.split(".")[1:]
            yield from [inner[0]] if inner else [alias.name for alias in node.names]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    here = room(path)
    if here in ANYTHING:
        return
    allowed = MAY_IMPORT[here] | {here, "__version__"}
    assert set(imported_rooms(path)) <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path):
    text = path.read_text()
    assert text.count("\n") <= 350
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno <= 60, node.name


def distributions() -> dict[str, list[str]]:
    """Module -> the distributions that have it, by names as setup.py may write them."""
    return {
        module: [re.sub(r"[-_.]+", "-", name).lower() for name in names]
        for module, names in metadata.packages_distributions().items()
    }


def test_what_is_imported_is_named_in_setup_py():
    """That another library brings it along may change with that library."""
    required = re.findall(r'"([A-Za-z][\w.-]*)(?:[<>=,.\d]*)(?:; [^"]*)?"', (ROOT / "setup.py").read_text())
    named = {re.sub(r"[-_.]+", "-", name).lower() for name in required}
    known, missing = distributions(), set()
    for path in (ROOT / "ttcrawl").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            modules = {name.partition(".")[0] for name in names} - {"ttcrawl"}
            missing |= {each for each in modules & known.keys() if not named & set(known[each])}
    assert not missing


def commands():
    (sub,) = (each for each in parser()._actions if each.dest != "help" and each.choices)
    return sub.choices


def test_the_readme_has_every_command_and_option():
    named = set(re.findall(r"^### `ttcrawl ([\w-]+)", README, re.MULTILINE))
    assert named == set(commands())
    for name, command in commands().items():
        section = README.split(f"### `ttcrawl {name}")[1].split("\n##")[0]
        known = {option for action in command._actions for option in action.option_strings} - {"-h", "--help"}
        written = set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", section))
        assert known == written, name


def test_the_readme_has_every_key_with_its_default():
    table = re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? *\|", README.split("## config.ini")[1], re.MULTILINE)
    expected = []
    for section in [*(each.default for each in SECTIONS), HostSection]:
        for key in keys(section):
            value = key.default
            text = ("yes" if value else "no") if isinstance(value, bool) else value
            expected.append((key.name, repr(text).removesuffix(".0") if isinstance(text, float) else str(text)))
    assert table[: len(expected)] == expected


def test_the_readme_has_every_converter():
    table = re.findall(r"^\| `([\w.-]+/[\w.-]+)` \| (?:`(.*?)`)? \| (?:`(.*?)`)? *\|", README, re.MULTILINE)
    expected = [(each.type, *[line.text for line in each.lines], "")[:3] for each in CONVERTERS]
    assert table == expected


def test_the_readme_has_every_table():
    from ttcrawl.store.schema import TABLES

    named = set(re.findall(r"^\| `(\w+)` \|", README.split("## The tables")[1], re.MULTILINE))
    assert named == set(re.findall(r"CREATE TABLE (\w+)", TABLES))


def test_the_readme_has_every_kind_of_link():
    named = re.findall(r"^\| (\w) \| ([\w-]+) \| (.+) \|$", README.split("## Links")[1], re.MULTILINE)
    assert named == [(kind.letter, kind.name, kind.meaning) for kind in KINDS]


def collected(seed: str) -> list[str]:
    """The tests as another process finds them, with hashes of its own."""
    pytest_ = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        pytest_, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.slow
def test_every_process_collects_the_same_tests():
    """pytest-xdist refuses to run where a name depends on the second, on hashes or on chance."""
    first, second = collected("1"), collected("2")  # seconds lie between them
    assert len(first) > 1000
    assert [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]] == []
