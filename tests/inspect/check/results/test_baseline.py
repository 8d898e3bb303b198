"""A baseline hides what it names, as long as it holds, and no other status."""

from datetime import date

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.inspect.check.kinds import BROKEN, CANONICAL, CHAIN, EXTERNAL, UNSURE, Problem
from ttcrawl.inspect.check.pages.images import MISSING_ALT
from ttcrawl.inspect.check.results.baseline import Baseline, read_baseline, status_of, write_baseline

TODAY, LATER, PAST = date(2030, 5, 17), date(2030, 6, 1), date(2030, 5, 16)
URL, PAGE = "http://a.test/x", "http://a.test/"


def problem(detail, kind=BROKEN):
    return Problem(kind=kind, url=URL, source=PAGE, text="words", detail=detail)


@pytest.mark.parametrize(
    ("detail", "kind", "status"),
    [
        ("http 404", BROKEN, "404"),
        ("http 403", UNSURE, "403"),
        ("http 410, after a redirect to http://a.test/y", EXTERNAL, "410"),
        ("http 404", CANONICAL, "404"),
        ("http 503", BROKEN, "unavailable"),
        ("http 999", UNSURE, "unavailable"),
        ("dns", EXTERNAL, "unavailable"),
        ("http 301 to http://a.test/404", CHAIN, ""),
        ("", MISSING_ALT, ""),
    ],
)
def test_status(detail, kind, status):
    assert status_of(problem(detail, kind)) == status


@pytest.mark.parametrize(
    ("more", "detail", "known"),
    [
        ("", "http 404", True),  # as earlier versions wrote it: any status
        ("", "http 503", True),
        ("\t404", "http 404", True),
        ("\t403", "http 404", False),  # what was forbidden is missing
        ("\t404", "http 410", False),
        ("\tunavailable", "http 500", True),
        ("\tunavailable", "dns", True),
        ("\tunavailable", "http 404", False),
        ("\t404\t2030-05-17", "http 404", True),  # its last day
        ("\t404\t2030-05-16", "http 404", False),
        ("\t\t2030-06-01", "http 404", True),
    ],
)
def test_a_line_holds_for_its_status_until_its_last_day(tmp_path, more, detail, known):
    file = tmp_path / "known"
    file.write_text(f"# comment\n\n{BROKEN}\t{URL}\t{PAGE}{more}\r\n")
    baseline = read_baseline(file)
    assert baseline.knows(problem(detail), TODAY) is known
    assert not baseline.knows(problem(detail, EXTERNAL), TODAY)
    assert bool(baseline.lines_of(problem(detail))) or not known


def test_what_is_written_is_known_until_the_day(tmp_path):
    file = tmp_path / "known"
    problems = [problem("http 404"), problem("http 404"), problem("", MISSING_ALT), problem("dns", EXTERNAL)]
    write_baseline(file, problems, Baseline(), TODAY, LATER)
    assert file.read_text().splitlines()[1:] == [
        f"{BROKEN}\t{URL}\t{PAGE}\t404\t2030-06-01",
        f"{EXTERNAL}\t{URL}\t{PAGE}\tunavailable\t2030-06-01",
        f"{MISSING_ALT}\t{URL}\t{PAGE}\t\t2030-06-01",
    ]
    for day, known in ((TODAY, True), (LATER, True), (date(2030, 6, 2), False)):
        assert [read_baseline(file).knows(each, day) for each in problems] == [known] * 4


@pytest.mark.parametrize(
    ("earlier", "last", "written"),
    [
        ("2030-05-20", LATER, "2030-05-20"),  # a check in between does not put it off
        ("2030-05-16", LATER, "2030-06-01"),  # it has expired, and is known again
        ("2030-05-20", None, "2030-05-20"),
        ("", LATER, ""),
    ],
)
def test_a_problem_keeps_the_day_of_an_earlier_baseline(tmp_path, earlier, last, written):
    file = tmp_path / "known"
    file.write_text(f"{BROKEN}\t{URL}\t{PAGE}\t404\t{earlier}\n")
    write_baseline(file, [problem("http 404")], read_baseline(file), TODAY, last)
    assert file.read_text().splitlines()[1:] == [f"{BROKEN}\t{URL}\t{PAGE}\t404\t{written}".rstrip("\t")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{BROKEN} {URL}", "line 1: write a kind, a URL and a page, separated by tabs"),
        (f"typo\t{URL}\t{PAGE}", "line 1: write a kind, a URL and a page, separated by tabs"),
        (f"{BROKEN}\t{URL}\t{PAGE}\t200", "line 1: write a status from 400 to 499, unavailable or nothing, not '200'"),
        (f"{BROKEN}\t{URL}\t{PAGE}\t404\ttomorrow", "line 1: write the last day as 2030-12-31, not 'tomorrow'"),
        (f"{BROKEN}\t{URL}\t{PAGE}\t404\t2030-01-01\tx", "separated by tabs"),
    ],
)
def test_wrong_lines(tmp_path, line, message):
    (tmp_path / "known").write_text(line)
    with pytest.raises(UsageError, match=message):
        read_baseline(tmp_path / "known")
