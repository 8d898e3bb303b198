"""A command that looks on at a crawl: what it shows, and how it learns the end."""

import pytest

from ttcrawl.cluster import detached
from ttcrawl.cluster.change import joining
from ttcrawl.cluster.commanded import Followed, change, status, stop
from ttcrawl.cluster.conduct import Outcome
from ttcrawl.cluster.detached import View
from ttcrawl.cluster.distant import LostError, UnreachableError
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import Plan, write_plan
from ttcrawl.cluster.route import table
from ttcrawl.errors import CrawlFailedError, UsageError

DONE = Outcome(finished="done", pages=7)
PLAN = Plan(members=founding(table((1,))), seeds=("http://a.test/",), allowed=())
RAY = "127.0.0.1:1"


class Conductor:
    """Answers `watch` with these, one after the other; `there`: whether it can be found after them."""

    def __init__(self, *answers, there=True):
        self.answers, self.there, self.calls = list(answers), there, []

    def __call__(self, method, *arguments, **named):
        self.calls.append((method, *arguments, *named.items()))
        if method == "watch":
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        return None

    def is_there(self):
        return self.there or bool(self.answers)

    def end(self, *, rings):
        raise AssertionError("it answers")


def view(*lines, count=0, outcome=None):
    return View(lines=lines, count=count, snapshot=None, outcome=outcome)


def followed(directory, conductor):
    lines = []
    return Followed(directory, conductor, lambda now: None, lines.append), lines


def test_it_shows_each_line_once_and_returns_the_end(tmp_path):
    conductor = Conductor(view("one", count=1), UnreachableError("it begins again"), view("two", count=2, outcome=DONE))
    look, lines = followed(tmp_path, conductor)
    assert look.run() == DONE and lines == ["one", "two"]
    assert conductor.calls == [("watch", 0), ("watch", 1), ("watch", 1)]


@pytest.mark.parametrize("at_once", [False, True])
def test_it_passes_a_stop_on_until_the_end(tmp_path, at_once):
    conductor = Conductor(view(), view(outcome=DONE))
    look, _ = followed(tmp_path, conductor)
    look.stop("interrupted")
    assert (look.end() if at_once else look.run()) == DONE
    assert conductor.calls.count(("stop", ("at_once", at_once))) == 2


def test_a_conductor_that_has_ended_has_written_how(tmp_path):
    write_plan(tmp_path, Plan(members=PLAN.members, seeds=PLAN.seeds, allowed=(), finished="max_pages"))
    look, _ = followed(tmp_path, Conductor(LostError("it is over"), there=False))
    assert look.run().finished == "max_pages"


def test_a_conductor_that_is_lost_is_an_error(tmp_path):
    write_plan(tmp_path, PLAN)
    look, _ = followed(tmp_path, Conductor(LostError("it is over"), there=False))
    with pytest.raises(CrawlFailedError, match="is lost: continue with ttcrawl cluster resume"):
        look.run()


@pytest.mark.parametrize("command", [lambda path: status(path, RAY), lambda path: change(path, joining, print, RAY)])
def test_a_conductor_that_does_not_answer_is_an_error_in_one_line(tmp_path, monkeypatch, command):
    """On a machine without the directory nothing else is known of the crawl."""

    def lost(*_, **__):
        raise UnreachableError("it is away")

    monkeypatch.setattr("ttcrawl.cluster.commanded.conductor", lambda directory, address: lost)
    with pytest.raises(CrawlFailedError, match=r"c does not answer \(it is away\): .*; try later$"):
        command(tmp_path / "c")


@pytest.mark.parametrize(
    ("error", "why"), [(PermissionError(), "process 7 of another user"), (ProcessLookupError(), "not on this machine")]
)
def test_a_crawl_that_cannot_be_stopped_from_here(tmp_path, monkeypatch, error, why):
    write_plan(tmp_path, PLAN)

    def kill(process, signal):
        raise error

    monkeypatch.setattr("ttcrawl.cluster.stop.crawled_by", lambda directory: "7")
    monkeypatch.setattr("ttcrawl.cluster.stop.os.kill", kill)
    with pytest.raises(UsageError, match=why):
        stop(tmp_path)


class Idle(detached.Conductor):
    """Conducts nothing."""

    def _live(self):
        pass

    def say(self, *lines):
        for line in lines:
            self._say(line)


def test_the_lines_of_a_conductor_that_begins_again_are_new(tmp_path):
    conductor = Idle(str(tmp_path), None, None, None, fresh=True)
    conductor.say("one", "two")
    assert [conductor.watch(count).lines for count in (0, 1, 2, 7)] == [("one", "two"), ("two",), (), ("one", "two")]
