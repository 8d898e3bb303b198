"""What stands out in results: the words that decide, and nothing where there is no colour."""

import sys

import pytest

from tests.cli.outputs import CASES
from tests.library.sample_crawl import make
from ttcrawl.cli import main, styles
from ttcrawl.output import terminal
from ttcrawl.output.colour import BOLD, GREEN, MAGENTA, NORMAL, RED, highlighted

#: Styles -> a text in which {...} stands out, and how.
TEXTS = [
    (styles.OF_WHY, "{http://a.test/}\n  state       fetched", BOLD),
    (styles.OF_WHY, "  state       {fetched, http 200}\n  why         It was fetched, not failed.", GREEN),
    (styles.OF_WHY, "  state       {failed, dns}\n              title: state  failed", RED),
    (styles.OF_WHY, "  state       {fetched, http 404}", RED),
    (styles.OF_WHY, "  state       {refused, robots.txt}", MAGENTA),
    (styles.OF_WHY, "  state       queued, waiting", ""),
    (styles.OF_WHY, "  robots.txt  {forbidden}: Disallow: /x", MAGENTA),
    (styles.OF_SUMMARY, "{state    reason  URLs  rule}", BOLD),
    (styles.OF_STATUS, "State    {killed}\nTime     0:00:03 of crawling", RED),
    (styles.OF_STATUS, "State    {running, process 7}", GREEN),
    (styles.OF_STATUS, "State    {max_pages}", MAGENTA),
    (styles.OF_STATUS, "{Trouble  a fetch process died}", RED),
    (styles.OF_STATUS, "{Host    Queued  Failures  Next  Why}\na.test       3", BOLD),
    (styles.OF_END, "State                {done} after 0:00:01\nFailed               0", GREEN),
    (styles.OF_END, "{Failed               2: dns 2}", RED),
    (styles.OF_END, "{Next:} ttcrawl report c", BOLD),
    (styles.OF_REPORT, "{Summary     }\n------------\nPages      3", BOLD),
    (styles.OF_REPORT, "{Sites}\n       Pages  Share\n-------------------\na.test     3", BOLD),
    (styles.OF_CHECK, "c: {0 problems} in 3 pages", GREEN),
    (styles.OF_CHECK, "c: 1 error\n        1  {error}    broken-link: a link", RED),
    (styles.OF_CHECK, "{Titles that are missing} (2, notice)", BOLD),
    (styles.OF_VERIFY, "c: {nothing is wrong} (3 URLs)", GREEN),
    (styles.OF_VERIFY, "a row: 2 (x, y)\nc: {1 problem found}, 0 repaired", RED),
    (styles.OF_DIFF, "{gone}\n  http://a.test/", RED),
    (styles.OF_DIFF, "    {+new words}\n     old words", GREEN),
]


@pytest.fixture(autouse=True)
def coloured(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")


@pytest.mark.parametrize(("rules", "marked", "style"), TEXTS)
def test_what_stands_out(capsys, rules, marked, style):
    plain = marked.replace("{", "").replace("}", "")
    of_style = [each for each in rules if each[1] == style]
    assert highlighted(plain, of_style, sys.stdout) == marked.replace("{", style).replace("}", NORMAL)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("styles")
    make(folder / "site")
    return folder


#: Commands whose output is another one the second time, or needs an input.
OTHERS = ("try", "requeue", "delete", "check")


@pytest.mark.parametrize("words", [words for words in CASES.values() if words[0] not in OTHERS])
def test_without_its_colours_a_result_is_the_same(place, monkeypatch, capsys, words):
    monkeypatch.chdir(place)
    printed = []
    for when in ("never", "always"):
        main([*words, f"--color={when}"])
        printed.append(capsys.readouterr().out)
    plain, with_colours = printed
    assert "\x1b" not in plain and terminal.ESCAPES.sub("", with_colours) == plain
    main([*words, "--color=always", "--format", "json"])
    assert "\x1b" not in capsys.readouterr().out


def test_colours_take_no_columns(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "terminal_width", lambda: 30)
    outputs = []
    for rules in ((), styles.OF_WHY):
        terminal.show("  state       refused, scope: host and more words", styles=rules)
        outputs.append(terminal.ESCAPES.sub("", capsys.readouterr().out))
    assert outputs[0] == outputs[1] and outputs[0].count("\n") == 3
