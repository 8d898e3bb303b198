"""Every reason that the code can give a URL has a sentence."""

import ast
import inspect
import re

import pytest

from ttcrawl.ask.why.reasons import SENTENCES, compared, sentence
from ttcrawl.config.ruling import ruling
from ttcrawl.engine import settle
from ttcrawl.engine.duplicates.repeats import REPEATED
from ttcrawl.fetch import http, reasons
from ttcrawl.frontier import bounds, retry
from ttcrawl.parse.links import follow
from ttcrawl.ring import messages
from ttcrawl.ring import pools as ring
from ttcrawl.web import address
from ttcrawl.web.scope import rule
from ttcrawl.web.traps import address as trap_address
from ttcrawl.web.traps import memory


def literals(module, *functions):
    """The texts that functions of a module return."""
    tree = ast.parse(inspect.getsource(module))
    named = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in functions]
    assert {node.name for node in named} == set(functions)
    for node in named:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return):
                leaves = [leaf for leaf in ast.walk(inner) if isinstance(leaf, ast.Constant)]
                yield from (leaf.value for leaf in leaves if isinstance(leaf.value, str) and leaf.value)


def of_the_code():
    found = set(bounds.OF_THE_WAY) | {address.BLOCKED, messages.ALIAS, messages.ALIAS_FETCHED}
    found |= {trap_address.REPEATED, trap_address.PATH, trap_address.QUERY, trap_address.CALENDAR}
    found |= {REPEATED, memory.PERMUTED, memory.SAME, rule.RULE, rule.EXTENSION, rule.DEPTH, rule.HOPS, rule.BLACKLIST}
    found |= set(filter(None, follow.WHY_STOPPED)) | set(retry.PASSING) | set(retry.OURS)
    found |= set(reasons._BY_ERRNO.values()) | set(reasons._BY_VERIFY_CODE.values())
    found |= set(literals(reasons, "_reason")) | {"proxy", "protocol"}
    found |= set(literals(http, "_refusal")) - {"Content-Type"}
    found |= set(literals(http, "_why")) - {"not complete after ", " s", "g"}
    found |= {"bomb", "too large", "type", "robots.txt", "robots.txt: http 503", "robots.txt: http 429"}
    ways = set(re.findall(r'_bury\(\w+, "([^"]+)"\)', inspect.getsource(ring)))
    found |= {f"{role} process {how}" for role in ("fetch", "parse") for how in ways}
    found |= {
        "parse: RecursionError",
        "store: OverflowError",
        "http 200",
        "http 301",
        "http 404",
        "http 503",
        "http 999",
    }
    found |= set(re.findall(r'_failed\(at, queued, "([^"]+)"\)', inspect.getsource(settle.urls)))
    undecodable = re.findall(r'status, reason = 500, "([^"]+)"', inspect.getsource(settle.hosts))
    found |= {f"robots.txt: {each}" for each in undecodable}
    found |= set(re.findall(r'^        "([^"]+)": f"\[', inspect.getsource(ruling), re.MULTILINE))
    found |= {f"scope: {mode}" for mode in ("host", "domain", "list", "length")}
    return found


def test_every_reason_has_a_sentence():
    reasons_of_code = of_the_code()
    assert {"redirect to no http URL", "headers too large", "trap: host", "tls: expired"} <= reasons_of_code
    told = {each: sentence("refused", each) for each in reasons_of_code}
    assert {each for each, text in told.items() if not text} == set()
    assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in told.values())
    assert set(SENTENCES) - reasons_of_code == {"queued"}, "a sentence that nothing needs"
    assert sentence("queued", "") == "It waits for its turn."
    assert sentence("refused", "made up") == ""


@pytest.mark.parametrize(
    ("reason", "rule_text", "said"),
    [
        ("depth", "[crawl] max_depth = 5", "depth 6 > 5"),
        ("scope: depth", "exclude depth:>4 (config.ini, line 9)", "depth 6 > 4"),
        ("scope: depth", "max_depth = 3 ([host:a.test])", "depth 6 > 3"),
        ("redirects", "[scope] max_redirects = 10", "redirects 11 > 10"),
        ("scope: hops", "exclude hops:>2 (config.ini, line 9)", "hops 3 > 2"),
        ("scope: length", "[scope] max_url = 2000", "length 2100 > 2000"),
        ("scope: rule", "exclude */x=5* (config.ini, line 9)", ""),
        ("depth", "", ""),
        ("depth", "[crawl] max_depth = 8", ""),
    ],
)
def test_numbers_beside_their_limits(reason, rule_text, said):
    assert compared(reason, rule_text, depth=6, hops=11, outside=3, length=2100) == said
