import re

import pytest

from ttcrawl.errors import UsageError
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
    ],
)
def test_a_wrong_condition_is_one_line(text, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        compile_conditions([text], Url)
