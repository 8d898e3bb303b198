"""What is new and what is mended since the last check."""

import json

import pytest

from tests.inspect.check.results.report import A, broken, report
from ttcrawl.inspect.check.kinds import BROKEN, MISSING_TITLE, NAMES, Problem
from ttcrawl.inspect.check.results.for_people import Lists
from ttcrawl.inspect.check.results.forms import FORMS, rendered
from ttcrawl.inspect.check.results.history import Comparison, History, compare
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.store.check_db import open_check

ALL = frozenset(NAMES)
UNTITLED = Problem(kind=MISSING_TITLE, url=f"{A}/t")


@pytest.fixture
def db(tmp_path):
    db = open_check(tmp_path / "check.db")
    yield db
    db.close()


def urls(problems):
    return [each.url.removeprefix(A) for each in problems]


def test_a_first_check_is_compared_with_nothing(db):
    assert compare(db, [broken("/x")], ALL, 1.0) is None


def test_new_and_mended(db):
    compare(db, [broken("/stays"), broken("/mended"), broken("/stays", "another text")], ALL, 1.0)
    last = compare(db, [broken("/stays", "new text"), broken("/new", "one"), broken("/new", "two")], ALL, 2.0)
    assert (last.time, urls(last.new), urls(last.mended)) == (1.0, ["/new"], ["/mended"])
    again = compare(db, [broken("/stays"), broken("/new")], ALL, 3.0)
    assert (again.time, again.new, again.mended) == (2.0, (), ())


def test_another_status_is_another_problem_but_servers_may_fail_in_turn(db):
    forbidden = Problem(kind=BROKEN, url=f"{A}/x", source=A, detail="http 403")
    missing = Problem(kind=BROKEN, url=f"{A}/x", source=A, detail="http 404")
    silent = Problem(kind=BROKEN, url=f"{A}/y", source=A, detail="dns")
    busy = Problem(kind=BROKEN, url=f"{A}/y", source=A, detail="http 503")
    compare(db, [forbidden, silent], ALL, 1.0)
    last = compare(db, [missing, busy], ALL, 2.0)
    assert (last.new, last.mended) == ((missing,), (forbidden,))


def test_kinds_that_were_not_looked_for_are_not_mended(db):
    compare(db, [broken("/x"), UNTITLED], ALL, 1.0)
    last = compare(db, [UNTITLED], frozenset({MISSING_TITLE}), 2.0)
    assert (last.new, last.mended) == ((), ())
    last = compare(db, [broken("/x")], ALL, 3.0)
    assert (last.new, last.mended) == ((), (UNTITLED,))


def test_words_of_pages_are_stored_whatever_they_are(db):
    evil = Problem(kind=BROKEN, url=f"{A}/\ud800\x1b\0", source=A, text="\udfff", detail="http 404")
    assert compare(db, [evil], ALL, 1.0) is None
    last = compare(db, [evil], ALL, 2.0)
    assert (last.new, last.mended) == ((), ())


CHANGED = History(
    in_baseline=1,
    expired=2,
    last_check=Comparison(time=0.0, new=(broken("/new"),), mended=tuple(broken(f"/{n}") for n in range(25))),
)


@pytest.mark.parametrize("form", ["text", "markdown", "github"])
def test_reports_say_it(form, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    words = rendered(report(broken("/new"), broken("/old")), CHANGED, Rules(), form, Lists())
    assert "1 new, 25 mended since the check of 1970-01-01 00:00 UTC" in words
    if form != "github":
        assert f"broken-link: {A}/new  http 404  on {A}/" in words and f"broken-link: {A}/19  http 404" in words
        assert f"{A}/20" not in words and "and 5 more" in words


def test_programs_get_both_lists():
    last = json.loads(FORMS["json"](report(broken("/new")), CHANGED, Rules()))["last_check"]
    assert [each["url"] for each in last["new"]] == [f"{A}/new"] and len(last["mended"]) == 25
    states = json.loads(FORMS["sarif"](report(broken("/new"), broken("/old")), CHANGED, Rules()))["runs"][0]["results"]
    assert [each["baselineState"] for each in states] == ["new", "unchanged"]
