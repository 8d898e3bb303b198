"""Imports lead down, tests import no tests, names are our own, what is imported is required, and tests are
collected alike."""

import ast
import os
import re
import subprocess
import sys
from importlib import metadata
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.syntax import nodes_of

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "ttcrawl").rglob("*.py"))
COMMANDS = sorted((ROOT / "ttcrawl" / "cli" / "commands").glob("[!_]*.py"))
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()

#: The wings, floor by floor: a file imports from its own wing and from the floors below.
FLOORS = (
    *("errors frozen vocabulary", "core", "web", "config", "output", "ring topic recrawl"),
    *("store fetch read", "parse frontier", "browser", "engine", "snapshot", "report", "inspect"),
    *("maintain extract", "lab", "library", "cluster archives", "demo export", "jobs", "window", "cli"),
    "__init__ __main__",
)
FLOOR = {wing: floor for floor, wings in enumerate(FLOORS) for wing in wings.split()}


def wing(path):
    return path.relative_to(ROOT / "ttcrawl").with_suffix("").parts[0]


def offenders(rule):
    """File -> what a rule found wrong in it, where it found something."""
    return {str(path.relative_to(ROOT)): wrong for path in FILES if (wrong := rule(path))}


def imported(path):
    """Modules of ours that a file imports, wherever in it: names that are no modules are those in their `__init__`."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ttcrawl":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_wing_has_its_floor():
    assert {wing(path) for path in FILES} == set(FLOOR)


def test_the_manual_has_every_wing_from_the_bottom_up():
    table = ARCHITECTURE.split("| folder of `ttcrawl/` |")[1].split("\n\n")[0]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert set(named) == FLOOR.keys() - {"__init__", "__main__"}
    assert named == sorted(named, key=lambda each: FLOOR[each])


def leading_up(path):
    here = wing(path)
    wings = {name.split(".")[1] for name in imported(path)} - {here, "__version__", "open"}
    up = {each for each in wings if FLOOR[each] >= FLOOR[here]}
    return up if here != "__init__" else set()


def test_imports_lead_down():
    assert offenders(leading_up) == {}


def test_no_test_imports_from_another_test():
    """What several tests share is in a plain module beside them."""
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        for node in nodes_of(path):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
                found += [(str(path), name) for name in names if re.search(r"(^|\.)test_\w+$", name)]
    assert found == []


#: Names with one underscore that are documented, and those of the standard library that has no public ones for it.
PUBLIC = {"_asdict", "_exit", "_fields", "_replace"}
NO_OTHER_WAY = {"_forkserver", "_forkserver_pid", "_forkserver_alive_fd", "_SubParsersAction", "_action_groups"}


def private_names_of_others(path):
    nodes = nodes_of(path)
    own = {each.name for each in nodes if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    own |= {each.target.id for each in nodes if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)}
    read = [each for each in nodes if isinstance(each, ast.Attribute)]
    own |= {each.attr for each in read if isinstance(each.ctx, ast.Store)}
    others = [each for each in read if getattr(each.value, "id", "") not in ("self", "cls")]
    private = {each.attr for each in others if each.attr.startswith("_") and not each.attr.endswith("__")}
    modules = [each.module or "" for each in nodes if isinstance(each, ast.ImportFrom)]
    modules += [alias.name for each in nodes if isinstance(each, ast.Import | ast.ImportFrom) for alias in each.names]
    imports = {name for name in modules if re.search(r"(^|\.)_(?!_)", name)}
    return private - own - PUBLIC - NO_OTHER_WAY | imports


def test_private_names_are_our_own():
    """A private name of a library may change with any of its versions."""
    assert offenders(private_names_of_others) == {}


#: The rule that a deletion leaves in the tables: its words are joined as a shell reads them already.
JOINED = {"ttcrawl/maintain/delete/deleted_rows.py"}

VERBS = "|".join(path.stem.strip("_") for path in COMMANDS)
COMMAND = re.compile(rf"\bttcrawl ((cluster|topic) [a-z]+|{VERBS}) $")


def commands_with_values(path):
    """Beginnings of commands in messages that a value follows."""
    for node in nodes_of(path):
        if isinstance(node, ast.JoinedStr):
            for text, value in pairwise(node.values):
                if isinstance(text, ast.Constant) and isinstance(value, ast.FormattedValue):
                    yield from (each[0] for each in [COMMAND.search(text.value)] if each)


def test_commands_in_messages_are_quoted_for_a_shell():
    """By ttcrawl.output.shell."""
    assert offenders(lambda path: [*commands_with_values(path)]).keys() == JOINED


#: What tests alone need of the standard library's private names: they kill its processes, and end like them.
IN_TESTS = {"_pid", "_resource_tracker", "_run_exitfuncs"}


def program(node):
    """The syntax tree of a text in a test that is a program, else an empty one."""
    try:
        return ast.parse(node.value if "import " in node.value else "")
    except (SyntaxError, ValueError):
        return ast.parse("")


def touched(node):
    """(Name, whether it is replaced) of the attributes that a piece of a test reads, sets, imports or patches."""
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") not in ("self", "cls"):
        yield node.attr, isinstance(node.ctx, ast.Store)
    elif isinstance(node, ast.ImportFrom):
        yield from ((alias.name, False) for alias in node.names)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in PATCHING:
        texts = [each.value for each in node.args[:2] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        yield from ((text.rpartition(".")[2], True) for text in texts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from (each for inner in ast.walk(program(node)) for each in touched(inner))


PATCHING = {"setattr", "delattr", "getattr", "patch", "object"}


def test_tests_use_what_is_public_and_patch_no_constant():
    """A caller sees neither; what a test wants to be different is an argument."""
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        for name, replaced in (each for node in nodes_of(path) for each in touched(node)):
            private = name.startswith("_") and not name.endswith("__") and name not in PUBLIC | NO_OTHER_WAY | IN_TESTS
            if private or (replaced and name.isupper()):
                found.append((str(path.relative_to(ROOT)), name))
    assert found == []


#: Libraries that take a tenth of a second or more to import; `import scipy` alone loads its parts when they are used.
HEAVY = {
    *("duckdb", "igraph", "matplotlib", "nbclient", "nbformat", "networkx", "pandas", "powerlaw", "pyarrow", "ray"),
    *("scipy", "sklearn", "xmlschema"),
}

#: Test modules that import one at their top: this list may only shrink.
STILL_HEAVY = {
    "tests/real/test_exports.py",
    "tests/real/test_near_duplicates.py",
    "tests/test_simplicity.py",
}


def heavy_at_the_top(path):
    for node in nodes_of(path)[0].body:
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}."]
        else:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        yield from (name for name in names if name.partition(".")[0] in HEAVY and name != "scipy")


def test_heavy_libraries_are_imported_when_a_test_needs_them():
    """Each process of a test run imports all test modules, before its first test."""
    paths = (ROOT / "tests").rglob("*.py")
    assert {str(path.relative_to(ROOT)) for path in paths if any(heavy_at_the_top(path))} == STILL_HEAVY


def unpickling(path):
    return re.findall(r"^\s*(?:import|from) (?:pickle|marshal|shelve|dill)\b", path.read_text(), re.MULTILINE)


def test_nothing_is_unpickled():
    """A pickle is a program; messages between processes are data (ttcrawl.ring.messages)."""
    assert offenders(unpickling) == {}


def test_sqlite_is_opened_and_its_errors_are_met_by_the_store_and_the_snapshot_alone():
    rooms = [ROOT / "ttcrawl" / "store", ROOT / "ttcrawl" / "snapshot"]
    for path in FILES:
        text = path.read_text()
        if not any(path.is_relative_to(room) for room in rooms):
            assert not re.search(r"\bsqlite3\.|import sqlite3|from sqlite3", text), path
        if path != ROOT / "ttcrawl" / "snapshot" / "errors.py":
            assert "is damaged (" not in text, path


#: Names that hid from readers what they are about, and what is called instead (the glossary of the project).
RETIRED = {
    *("Deciding", "Errand", "Gate", "Manners", "Stranger", "Told", "Twin", "Waking", "Wording"),
    *("deciding", "errand", "manners", "stranger", "twin", "waking", "wording"),
}


#: Participles and vague words that name no contents. Fields of dataclasses are exempt: they are columns or public.
VAGUE = {
    *("anywhere", "came", "given", "gone", "heard", "kept", "looked", "made", "meant", "met", "said", "says", "spoken"),
    *("places", "stranger", "stretch", "told", "twin", "way", "ways", "whole"),
}


#: Those that these wings are free of too.
VAGUER = {"chosen", "drawn", "found", "got", "here", "known", "place", "reading", "there", "tried", "wanted"}
FREE = {"output", "snapshot", "report", "inspect", "maintain", "library", "cli", "demo"}


def retired_and_vague_names(path):
    nodes = nodes_of(path)
    body = [statement for node in nodes if isinstance(node, ast.ClassDef) for statement in node.body]
    exempt = {id(each.target) for each in body if isinstance(each, ast.AnnAssign)}
    names = {path.stem}
    for node in nodes:
        bound = isinstance(getattr(node, "ctx", None), ast.Store) and id(node) not in exempt
        if bound or isinstance(node, ast.arg | ast.FunctionDef | ast.ClassDef | ast.alias):
            for field in ("name", "id", "attr", "arg", "asname"):
                name = getattr(node, field, None)
                names |= {name.strip("_")} if isinstance(name, str) else set()
    return (RETIRED | VAGUE | (VAGUER if wing(path) in FREE else set())) & names


def test_retired_and_vague_words_are_no_names():
    assert offenders(retired_and_vague_names) == {}


def distributions() -> dict[str, list[str]]:
    """Module -> the distributions that have it, by names as setup.py may write them."""
    return {
        module: [re.sub(r"[-_.]+", "-", name).lower() for name in names]
        for module, names in metadata.packages_distributions().items()
    }


def test_what_is_imported_is_named_in_setup_py():
    """That another library brings it along may change with that library."""
    setup = (ROOT / "setup.py").read_text()
    required = re.findall(r'"([A-Za-z][\w.-]*)(?:\[[\w,]+\])?(?:[<>=,.\d]*)(?:; [^"]*)?"', setup)
    named = {re.sub(r"[-_.]+", "-", name).lower() for name in required}
    known, missing = distributions(), set()
    for path in FILES:
        for node in nodes_of(path):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            modules = {name.partition(".")[0] for name in names} - {"ttcrawl"}
            missing |= {each for each in modules & known.keys() if not named & set(known[each])}
    assert not missing


def collected(seed: str) -> list[str]:
    """The tests as another process finds them, with hashes of its own."""
    pytest_ = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        pytest_, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.slow
@pytest.mark.long
def test_every_process_collects_the_same_tests():
    """pytest-xdist refuses to run where a name depends on the second, on hashes or on chance."""
    first, second = collected("1"), collected("2")  # seconds lie between them
    assert len(first) > 1000
    assert [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]] == []
