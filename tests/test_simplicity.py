"""Code stays simple: each measure has a limit, what exceeds it is listed by name, and the list may only shrink."""

import ast
import json
from collections import Counter
from pathlib import Path

import networkx
import pytest

from tests.support.syntax import nodes_of

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "ttcrawl").rglob("*.py"))

#: What a file, class or function may have. Rows of tables are exempt from the limit of fields where they are listed.
LIMITS = {
    "lines of a file": 400,
    "lines of a function": 60,
    "parameters of a function": 8,
    "modules that a file imports": 25,
    "fields of a class": 24,
    "statements that assign three attributes": 0,
    "literals unpacked into literals": 0,
    "tuples handed on as arguments": 0,
    "files in a circle of imports": 0,
}
LISTED = Path(__file__).with_suffix(".json")


def nodes(path, *kinds):
    return [node for node in nodes_of(path) if isinstance(node, kinds)]


def imported(path):
    """Modules of the project that a file imports, for types too."""
    for node in nodes(path, ast.ImportFrom):
        if (node.module or "").split(".")[0] == "ttcrawl":
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in MODULES else node.module


def module(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(path): path for path in FILES}


def parameters(function):
    named = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in named)


def assigns_three_attributes(statement):
    target = statement.targets[0]
    return isinstance(target, ast.Tuple) and sum(isinstance(each, ast.Attribute) for each in target.elts) > 2


LITERALS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


def unpacked_literals(node):
    """`[*(1, 2), 3]` and `{**{"a": 1}}`, which say no more than the plain literal and cost the formatter its layout."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return sum(key is None and isinstance(value, ast.Dict) for key, value in pairs)
    items = node.args if isinstance(node, ast.Call) else node.elts
    return sum(isinstance(item, ast.Starred) and isinstance(item.value, LITERALS) for item in items)


def unnamed_arguments(function):
    """`pair = (a, b); f(*pair)`: which argument is which is seen in neither place."""
    statements = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    tuples = {ast.unparse(node.targets[0]) for node in statements if isinstance(node.value, ast.Tuple)}
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    starred = [item for call in calls for item in call.args if isinstance(item, ast.Starred)]
    return sum(isinstance(item.value, ast.Name) and item.value.id in tuples for item in starred)


def measures(path):
    """(measure, name of what is measured, number) of a file."""
    name = str(path.relative_to(ROOT))
    yield "lines of a file", name, path.read_text().count("\n")
    yield "modules that a file imports", name, len(set(imported(path)))
    for function in nodes(path, ast.FunctionDef, ast.AsyncFunctionDef):
        yield "lines of a function", f"{name} {function.name}", function.end_lineno - function.lineno
        yield "parameters of a function", f"{name} {function.name}", parameters(function)
        yield "tuples handed on as arguments", f"{name} {function.name}", unnamed_arguments(function)
    for each in nodes(path, ast.ClassDef):
        yield "fields of a class", f"{name} {each.name}", sum(isinstance(row, ast.AnnAssign) for row in each.body)
    packed = sum(map(assigns_three_attributes, nodes(path, ast.Assign)))
    yield "statements that assign three attributes", name, packed
    bent = sum(map(unpacked_literals, nodes(path, *LITERALS, ast.Call)))
    yield "literals unpacked into literals", name, bent


def circles():
    """Each file that imports, over others, itself; the number of files in its circle. The package itself is left out:
    it imports its public names when they are needed, and others import its version."""
    imports = networkx.DiGraph((module(path), other) for path in FILES for other in imported(path))
    imports.remove_node("ttcrawl")
    for circle in networkx.strongly_connected_components(imports):
        yield from (("files in a circle of imports", name, len(circle)) for name in circle if len(circle) > 1)


def offenders():
    """Measure -> {name: number} of what exceeds a limit; the largest number where a file has two of that name."""
    found = {measure: Counter() for measure in LIMITS}
    for measure, name, number in [*(row for path in FILES for row in measures(path)), *circles()]:
        if number > LIMITS[measure]:
            found[measure][name] = max(number, found[measure][name])
    return {measure: dict(sorted(rows.items())) for measure, rows in found.items()}


def test_what_is_too_large_is_listed_and_only_shrinks():
    """Who makes one of these smaller writes the smaller number, or removes its line."""
    assert offenders() == json.loads(LISTED.read_text())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("self.a, self.b, self.c = 1, 2, 3", {"statements that assign three attributes": 1}),
        ("self.a, b, self.c = 1, 2, 3", {}),
        ("x = [*(1, 2), 3]", {"literals unpacked into literals": 1}),
        ("x = {**{1: 2}, 3: 4}", {"literals unpacked into literals": 1}),
        ("f(*(1, 2), 3)", {"literals unpacked into literals": 1}),
        ("x = [*rows, 3]; f(*rows)", {}),
        ("def f():\n    pair = 1, 2\n    g(*pair)", {"tuples handed on as arguments": 1}),
        ("def f(*pair):\n    g(*pair)", {}),
        ("def f(self, a, b, c, d, e, f, g, h): pass", {}),
        ("async def f(a, b, c, d, e, f, g, *, h, i): pass", {"parameters of a function": 9}),
        ("class A:\n" + "".join(f"    field_{i}: int\n" for i in range(25)), {"fields of a class": 25}),
        ("\n" * 401, {"lines of a file": 401}),
        ("def f():\n" + "    pass\n" * 61, {"lines of a function": 61}),
    ],
)
def test_each_measure(tmp_path, monkeypatch, code, expected):
    path = tmp_path / "ttcrawl" / "some.py"
    path.parent.mkdir()
    path.write_text(code)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert {measure: number for measure, _, number in measures(path) if number > LIMITS[measure]} == expected
