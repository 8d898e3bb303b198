"""The log of a copy has a line for each change, however long its server is away."""

from ttcrawl.engine.reporting import mirror_position
from ttcrawl.engine.reporting.mirror_position import Position
from ttcrawl.export.postgresql.trouble import MOST, WITHIN, Trouble

DONE = Position(request=7, time=5.0, complete=False)


def trouble_of(directory):
    return mirror_position.read(directory).trouble


def test_an_outage_of_a_day_is_two_lines(tmp_path):
    lines, now = [], [0.0]
    trouble = Trouble(tmp_path, lines.append, lambda: now[0])
    trouble.ends()
    for _ in range(10_000):
        now[0] += 8.0
        trouble.begins("refused: start it", passing=True)
        assert trouble_of(tmp_path) == "refused: start it"
    trouble.ends()
    assert lines == ["refused: start it; the crawl is copied as soon as possible", "the crawl is copied again"]


def test_the_position_is_kept(tmp_path):
    mirror_position.write(tmp_path, DONE)
    Trouble(tmp_path, print, lambda: 0.0).begins("refused", passing=True)
    assert mirror_position.read(tmp_path) == Position(request=7, time=5.0, complete=False, trouble="refused")


def test_a_server_that_comes_and_goes_writes_a_few_lines_an_hour(tmp_path):
    lines, now = [], [0.0]
    trouble = Trouble(tmp_path, lines.append, lambda: now[0])
    for n in range(5_000):
        now[0] += 2.0
        trouble.begins(("refused", "starting up")[n % 2], passing=True)
        assert trouble_of(tmp_path) == ("refused", "starting up")[n % 2]
        if n % 3 == 0:
            trouble.ends()
    hours = now[0] / WITHIN
    assert MOST <= len(lines) <= 2 * MOST * (hours + 1)


def test_the_phases_of_an_outage_are_one_line_and_what_has_to_be_changed_is_another(tmp_path):
    lines = []
    trouble = Trouble(tmp_path, lines.append, lambda: 0.0)
    for cause, passing in (("closed", True), ("refused", True), ("starting", True), ("no database", False)):
        trouble.begins(cause, passing=passing)
        assert trouble_of(tmp_path) == cause
    trouble.ends()
    assert [line.partition(";")[0] for line in lines] == ["closed", "no database", "the crawl is copied again"]
