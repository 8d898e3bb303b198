"""Reasons: each has all that is known of it, arises somewhere, and is spelt out nowhere else."""

import ast
import functools
import re
from dataclasses import fields
from pathlib import Path

import pytest

from ttcrawl import config
from ttcrawl.config.settings_of_reasons import settings_of
from ttcrawl.vocabulary import reason
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import REASONS, about, sentence
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
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    compared = {}
    for node in ast.walk(tree):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            sides = [node.func.value, *node.args]
        names = [name_of(each) for each in sides if name_of(each)]
        for side in sides:
            for leaf in ast.walk(side):
                compared[id(leaf)] = names
    texts = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
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


@pytest.mark.slow
def test_sql_is_found_where_there_is_some():
    found = [match for path in FILES for _, text, _ in literals(path) for match in IN_SQL.findall(text)]
    assert len(found) > 40


def constants():
    return {name: code for name, code in vars(reason).items() if name.isupper() and isinstance(code, str)}


@pytest.mark.slow
def test_every_reason_arises_somewhere():
    used = {node.id for path in FILES for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    by_part = {"ROBOTS_HTTP", "ROBOTS_CODING"}  # ROBOTS_UNREADABLE with these parts
    states = {name for name, code in constants().items() if code in STATES}
    assert constants().keys() - used - by_part - states - {"NONE"} == set()


def test_every_row_has_a_name():
    assert set(REASONS) <= set(constants().values())


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_has_a_sentence(code):
    text = sentence("refused", code.replace("{}", "503"))
    assert text[0].isupper() and text.endswith(".") and "{" not in text
    assert sentence("queued", code) == STATES["queued"].sentence


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("http 200", "answered 200."),
        ("http 301", "answered 301: a redirect."),
        ("http 304", "answered 304: not modified"),
        ("http 404", "answered 404: an error."),
        ("http 999", "answered 999."),
        ("robots.txt: http 429", "robots.txt of its host answered 429, so nothing is allowed."),
        ("robots.txt: connection refused", "could not be read (connection refused), so nothing is allowed."),
        ("robots.txt: broken content coding", "could not be decoded"),
        ("parse: RecursionError", "failed on it (RecursionError)."),
        ("store: OverflowError", "(OverflowError)."),
    ],
)
def test_sentences_with_a_part(code, words):
    assert words in sentence("failed", code)


@pytest.mark.parametrize("code", ["", "made up", "http", "http x", "scope: ", "robots.txt: "])
def test_what_is_no_reason(code):
    assert about(code) is None and sentence("refused", code) == ""


def test_settings_exist():
    """And each key is that of its section, with the value that it has."""
    key_of = settings_of(config.Config())
    for each in REASONS.values():
        for setting in each.setting:
            section, key = setting.split(".")
            assert key in {field.name for field in fields(getattr(config.Config(), section))}
            assert f"{key} = " in key_of(each.code) or not getattr(getattr(config.Config(), section), key)


def test_what_follows_from_the_facts():
    assert reason.BODY_RETRIED < reason.CUTS_BODY and reason.BODY_RETRIED < reason.RETRIED
    assert {"protocol", "tls"} == reason.CUTS_BODY - reason.RETRIED
    assert reason.NO_CONNECTION <= reason.RETRIED and reason.OVERLOADED <= reason.RETRIED
    assert all(each.family.states == ("refused",) for each in REASONS.values() if each.by_path)
    assert all(each.family in (Family.CONNECTION, Family.DNS) for each in REASONS.values() if each.retried)
