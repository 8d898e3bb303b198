"""Pages in a sitemap without a link from the main text, or without any link."""

import json

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.inspect.check.health import health
from ttcrawl.inspect.check.kinds import ORPHAN
from ttcrawl.inspect.check.links.orphans import MENUS_ONLY
from ttcrawl.inspect.check.rules import Rules

HOME, SITEMAP, PAGE, OTHER, OLD, OLDER = (f"http://a.test/{name}" for name in ("", "s.xml", "p", "o", "old", "older"))
LISTED = {SITEMAP: [(PAGE, "M")], PAGE: []}
MOVED = {OLD: [(PAGE, "R")]}
ONE, NONE, MENU = [""], [], [MENUS_ONLY]

#: Links of pages, their landmarks, states that are not "fetched", and the details of the orphan /p (none: it is not
#: one) by the links of the main text and by all links.
CASES = {
    "no link": ({HOME: [OTHER]}, {HOME: "m"}, {}, ONE, ONE),
    "a link of the main text": ({HOME: [PAGE, OTHER]}, {HOME: "mn"}, {}, NONE, NONE),
    "in a menu alone": ({HOME: [PAGE, OTHER]}, {HOME: "nm"}, {}, MENU, NONE),
    "in a menu, and in the text of another page": (
        {HOME: [PAGE, OTHER], OTHER: [PAGE]},
        {HOME: "nm", OTHER: "m"},
        {},
        NONE,
        NONE,
    ),
    "no landmarks": ({HOME: [PAGE]}, {}, {}, NONE, NONE),
    "a canonical URL": ({HOME: [(PAGE, "c")]}, {HOME: "-"}, {}, ONE, ONE),
    "a redirect in the text": ({HOME: [OLD], **MOVED}, {HOME: "m"}, {OLD: "moved"}, NONE, NONE),
    "a redirect in a menu": ({HOME: [OLD, OTHER], **MOVED}, {HOME: "nm"}, {OLD: "moved"}, MENU, NONE),
    "two redirects in a menu": (
        {HOME: [OLDER, OTHER], OLDER: [(OLD, "R")], **MOVED},
        {HOME: "nm"},
        {OLD: "moved", OLDER: "moved"},
        MENU,
        NONE,
    ),
    "a redirect that no page links to": ({HOME: [OTHER], **MOVED}, {HOME: "m"}, {OLD: "moved"}, ONE, ONE),
    "redirects in a circle": (
        {HOME: [OLD], OLD: [(OLDER, "R")], OLDER: [(OLD, "R")]},
        {},
        {OLD: "moved", OLDER: "moved"},
        ONE,
        ONE,
    ),
    "not fetched": ({HOME: [OTHER]}, {}, {PAGE: "failed"}, NONE, NONE),
}


@pytest.mark.parametrize("case", CASES)
def test_orphans(tmp_path, case):
    pages, landmarks, states, by_main, by_all = CASES[case]
    crawl_of(tmp_path, pages | LISTED, landmarks=landmarks, states=states)
    (tmp_path / "config.ini").touch()
    for links, expected in (("main", by_main), ("all", by_all)):
        problems = health(tmp_path, Rules(kinds=frozenset((ORPHAN,)), links=links), lambda *step: None).problems
        assert [(each.url, each.source, each.detail) for each in problems] == [(PAGE, SITEMAP, one) for one in expected]


def test_both_numbers_are_said(tmp_path, capsys):
    pages = {HOME: [PAGE, HOME], SITEMAP: [(PAGE, "M"), (f"{PAGE}/2", "M")], PAGE: [], f"{PAGE}/2": []}
    crawl_of(tmp_path, pages, landmarks={HOME: "nm"})
    (tmp_path / "config.ini").touch()
    command = ["check", str(tmp_path), "--offline", "--only", "orphan", "--fail-on", "warning"]
    for links, expected in (("main", (2, 1)), ("all", (1, 0))):
        assert main([*command, "--links", links, "--format", "json"]) == 1
        about = json.loads(capsys.readouterr().out)
        assert (about["counts"]["orphan"], about["orphans_in_menus"]) == expected
    assert main(command) == 1
    assert "        1    of them only menus link to (--links all leaves them out)" in capsys.readouterr().out


def test_orphans_that_menus_link_to_come_last(tmp_path):
    pages = {HOME: [PAGE, HOME], SITEMAP: [(PAGE, "M"), (f"{PAGE}/2", "M")], PAGE: [], f"{PAGE}/2": []}
    crawl_of(tmp_path, pages, landmarks={HOME: "nm"})
    (tmp_path / "config.ini").touch()
    report = health(tmp_path, Rules(kinds=frozenset((ORPHAN,))), lambda *step: None)
    assert [each.url for each in report.problems] == [f"{PAGE}/2", PAGE] and report.orphans_in_menus == 1
