import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.errors import UsageError
from ttcrawl.snapshot.condition_text import SIGNS
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.rows import Url

ROW = Url(
    id=7,
    url="http://a.test/x?y=1",
    key=2**62 + 1,
    host="a.test",
    spelling="",
    state="fetched",
    reason="http 404",
    rule=None,
    depth=2,
    redirects=0,
    off_domain=0,
    off_topic=0,
    requisite=0,
    rank=0,
    sitemap=0,
    score=0,
    demoted=False,
    priority=0,
    found_on=None,
    discovered=1_700_000_000.0,
    processed=None,
    attempts=1,
    due=None,
)

HOLD = (
    "state=fetched",
    " state = fetched ",
    "state!=failed",
    "depth=2",
    "depth<3",
    "depth<=2",
    "depth>1",
    "depth>=2",
    f"key={2**62 + 1}",
    "url=http://a.test/x?y=1",
    "url~http://a.test/*",
    "url~*y=1",
    "url~*",
    "url!~https://*",
    "reason~http 4*",
    "rule=",
    "rule!=x",
    "rule~",
    "spelling=",
    "found_on=",
    "found_on!=3",
    "processed=",
    "demoted=no",
    "demoted=false",
    "demoted!=yes",
    "discovered=2023-11-14T22:13:20",
    "discovered=2023-11-14T22:13:20+00:00",
    "discovered>2023-11-14",
    "discovered<2023-11-15",
    "state=failed,fetched",
    "state=failed , fetched",
    "depth=1,2,3",
    "depth!=3,4",
    "rule=,x",
    "state=failed OR depth=2",
    "depth=2 OR state=failed AND depth=3",
    "depth=2 AND state=fetched",
    "(depth=3 OR depth=2) AND state=fetched",
    "( ( depth=2 ) )",
    "depth=3 OR(depth=2)",
    'state="fetched"',
    'url="http://a.test/x?y=1"',
    'url~"*,*",*y=1',
    "url!~*(x),*(y) AND depth=2",
    "(url!~*(x) AND depth=2)",
    "reason=http 404 OR state=failed",
)
HOLD_NOT = (
    "state=failed",
    "depth=3",
    "depth<2",
    "depth!=2",
    f"key={2**62}",
    "url~a.test",
    "url~http://a.test/X*",
    "reason=http 40",
    "rule!=",
    "rule=x",
    "found_on<3",
    "found_on>3",
    "processed<2030-01-01",
    "demoted=yes",
    "discovered>=2023-11-15",
    "state=failed,queued",
    "depth!=1,2",
    "rule!=,x",
    "state=failed OR depth=3",
    "depth=2 AND state=failed",
    "depth=3 AND (state=failed OR depth=2)",
    'state="fetched "',
    "url!~*x,*y=1",
)


@pytest.mark.parametrize("text", HOLD)
def test_holds(text):
    assert compile_conditions([text], Url)(ROW)


@pytest.mark.parametrize("text", HOLD_NOT)
def test_does_not_hold(text):
    assert not compile_conditions([text], Url)(ROW)


def test_all_must_hold():
    assert compile_conditions([], Url)(ROW) and compile_conditions(["depth=2", "id=7"], Url)(ROW)
    assert not compile_conditions(["depth=2", "id=8"], Url)(ROW)


@pytest.mark.parametrize(
    "text,words",
    [
        ("", "is not a condition: write COLUMN=VALUE"),
        ("state", "is not a condition"),
        ("=x", "is not a condition"),
        ("state fetched", "is not a condition"),
        ("stat=fetched", "there is no column stat (did you mean state?); there are id, url"),
        ("depth<two", "'two' is not a number"),
        ("depth=2.5", "'2.5' is not a number"),
        ("demoted=maybe", "'maybe' is not yes or no"),
        ("processed>soon", "'soon' is not a moment such as 2026-01-31"),
        ("processed>9999999", "is not a moment"),
        ("state=fetched OR", "position 17: the end is not a condition"),
        ("state=fetched OR depth<two", "position 24: 'two' is not a number"),
        ("depth=1,x", "position 9: 'x' is not a number"),
        ("depth<1,2", "position 9: < takes one value"),
        ("depth<1 OR stat=x", "position 12: there is no column stat (did you mean state?)"),
        ("(depth<1", "position 9: a parenthesis is not closed: write )"),
        ("depth<1)", "'1)' is not a number"),
        ('depth=2 AND state="fetched', "position 19: a quotation mark is not closed"),
        ('state="a" b', "position 11: 'b' is one too many: join conditions by OR or AND"),
        ("depth=1 AND OR depth=2", "position 13: 'OR depth=2' is not a condition"),
        ("(" * 21 + "depth=1" + ")" * 21, "position 21: more than 20 parentheses inside of each other"),
    ],
)
def test_a_wrong_condition_is_one_line(text, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        compile_conditions([text], Url)


#: Columns of ROW -> values, among them what looks like the grammar.
VALUES = {
    "depth": ("1", "2", "3"),
    "state": ("fetched", "failed", "a OR b", "", ' "x" ', "(", "a,b", ") AND depth=1"),
    "reason": ("http 404", "*404", "http*", "*"),
    "rule": ("", "x"),
}


def comparisons(column):
    signs = SIGNS if column == "depth" else ("=", "!=", "~", "!~")
    values = st.sampled_from(VALUES[column])
    return st.tuples(st.just(column), st.sampled_from(signs), st.lists(values, min_size=1, max_size=3))


TREES = st.recursive(
    st.sampled_from(sorted(VALUES)).flatmap(comparisons),
    lambda nodes: st.tuples(st.sampled_from(("OR", "AND")), st.lists(nodes, min_size=2, max_size=3)),
    max_leaves=8,
)


def written(tree):
    if len(tree) == 2:
        return f" {tree[0]} ".join(f"({written(each)})" for each in tree[1])
    column, sign, values = tree
    values = values[:1] if sign[0] in "<>" else values
    return f"{column}{sign}" + ",".join('"' + value.replace('"', '""') + '"' for value in values)


def holds(tree):
    """The same, evaluated without the grammar."""
    if len(tree) == 2:
        return (any if tree[0] == "OR" else all)(holds(each) for each in tree[1])
    column, sign, values = tree
    mine = getattr(ROW, column)
    if sign[0] in "<>":
        return {"<": mine < int(values[0]), ">": mine > int(values[0])}[sign[0]] or (
            "=" in sign and mine == int(values[0])
        )
    text = "" if mine is None else str(mine)
    if sign.endswith("~"):
        found = any(
            re.fullmatch(value.replace("(", "[(]").replace(")", "[)]").replace("*", ".*"), text) for value in values
        )
    else:
        found = text in values
    return found != sign.startswith("!")


@given(TREES)
def test_every_tree_holds_as_its_parts_do(tree):
    assert compile_conditions([written(tree)], Url)(ROW) == holds(tree)


@given(st.text(alphabet='stae=!<~,()"* ORAND1', max_size=40))
def test_any_text_is_a_condition_or_an_error_of_one_line(text):
    try:
        compile_conditions([text], Url)(ROW)
    except UsageError as error:
        assert re.match(r"--where .*, position \d+: ", str(error)) and "\n" not in str(error)


TEXTS = ["".join(each) for size in range(6) for each in itertools.product("ab", repeat=size)]


@pytest.mark.parametrize(
    "pattern", ["", "a", "*", "a*", "*a", "*a*", "a*b", "*ab*a*", "a**b", "*a*a*", "ab*ab", "*b*ab"]
)
def test_a_star_stands_for_any_characters(pattern):
    holds_of = compile_conditions([f'url~"{pattern}"'], Url)
    expected = re.compile(pattern.replace("*", "[ab]*"))
    assert [text for text in TEXTS if holds_of(replace(ROW, url=text))] == list(filter(expected.fullmatch, TEXTS))


@pytest.mark.timeout(60)
def test_a_text_that_nearly_matches_takes_no_more_time_than_others():
    """To try each * again with each other would take years."""
    assert not compile_conditions(["url~*a*a*a*a*a*b*"], Url)(replace(ROW, url="a" * 100_000))
