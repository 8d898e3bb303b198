"""Reasons and states are written once, in ttcrawl.vocabulary: elsewhere in the program they have names."""

import ast
import functools
import re
from pathlib import Path

from tests.support.syntax import nodes_of
from ttcrawl.vocabulary import reason
from ttcrawl.vocabulary.reason import REASONS, about
from ttcrawl.vocabulary.state import STATES

ROOT = Path(__file__).parent.parent.parent / "ttcrawl"
#: The steps between versions of the tables stay as they were written.
FROZEN = {ROOT / "store" / "versions.py"}
FILES = [path for path in sorted(ROOT.rglob("*.py")) if path not in FROZEN and path.parent.name != "vocabulary"]

#: Codes that are no other words: whoever writes one means the reason.
PLAIN = {code for code in REASONS if ":" in code or " " in code} - {"connection refused"}
#: What is called like a reason.
NAMED = re.compile(r"(?:reason|refused|refusal|incomplete|why)$")
BEGINNINGS = (
    "scope",
    "trap",
    "robots.txt:",
    "http ",
    "dns",
    "tls",
    "timeout",
    "alias",
    "fetch process",
    "parse process",
)

IN_SQL = re.compile(
    r"\b(state|(?:robots_)?reason)\s*(?:!=|=|IS NOT|IS|NOT IN|IN|NOT GLOB|GLOB|NOT LIKE|LIKE)\s*"
    r"(\(?'[^']*'(?:,\s*'[^']*')*\)?)(?!\s*\|\|)"
)


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@functools.cache
def literals(path):
    """(line, text, what it is compared with) of every string of a file that is no docstring."""
    docs = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    compared = {}
    for node in nodes_of(path):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            sides = [node.func.value, *node.args]
        names = [name_of(each) for each in sides if name_of(each)]
        for side in sides:
            for leaf in ast.walk(side):
                compared[id(leaf)] = names
    texts = [each for each in nodes_of(path) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return [(each.lineno, each.value, compared.get(id(each), [])) for each in texts if id(each) not in docs]


def offenders(rule):
    """File -> (line, text) of the strings that a rule holds for."""
    found = {path: [(line, text) for line, text, names in literals(path) if rule(text, names)] for path in FILES}
    return {str(path.relative_to(ROOT)): wrong for path, wrong in found.items() if wrong}


def spelt_out(text, names):
    reasoned = any(NAMED.search(name) for name in names)
    state = any(name.endswith("state") for name in names) and text in STATES
    return state or text in PLAIN or (reasoned and (text in REASONS or text.startswith(BEGINNINGS)))


def test_no_reason_and_no_state_is_spelt_out_elsewhere():
    assert offenders(spelt_out) == {}


def of_unknown_words(text, _):
    words = [(column, word) for column, quoted in IN_SQL.findall(text) for word in re.findall("'([^']*)'", quoted)]
    return any(word not in STATES if column == "state" else word and not about(word) for column, word in words)


def test_sql_speaks_only_of_states_and_reasons_that_exist():
    assert offenders(of_unknown_words) == {}


def test_sql_is_found_where_there_is_some():
    found = [match for path in FILES for _, text, _ in literals(path) for match in IN_SQL.findall(text)]
    assert len(found) > 40


def test_every_reason_arises_somewhere():
    used = {node.id for path in FILES for node in nodes_of(path) if isinstance(node, ast.Name)}
    by_part = {"ROBOTS_HTTP", "ROBOTS_CODING"}  # ROBOTS_UNREADABLE with these parts
    codes = {name: code for name, code in vars(reason).items() if name.isupper() and isinstance(code, str)}
    assert {name for name, code in codes.items() if code not in STATES} - used - by_part - {"NONE"} == set()
