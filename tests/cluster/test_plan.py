"""The directory of a cluster."""

import os

import pytest

from ttcrawl import open as opened
from ttcrawl.cli import main
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import PLAN, Plan, existing, fresh, read_plan, write_plan
from ttcrawl.cluster.route import table
from ttcrawl.config import Config
from ttcrawl.errors import CrawlFailedError, UsageError

SEEDS = ("http://a.test/", "http://b.test/ü")
MEMBERS = founding(table((1, 2), 3))
PLANNED = Plan(members=MEMBERS, seeds=SEEDS, allowed=(("a.test", "127.0.0.1"),), finished="")


def test_it_is_created_locked_and_opened_again(tmp_path):
    directory = tmp_path / "new" / "c"
    crawled = pytest.raises(UsageError, match="is being crawled")
    with fresh(directory, PLANNED, Config()), crawled, existing(directory):
        pass
    with existing(directory) as plan:
        assert plan == PLANNED == read_plan(directory)
    assert plan.table().epoch == 3 and plan.table().rings == (1, 2)


TAKEN = {
    PLAN: "already contains a cluster",
    "crawl.db": "already contains a crawl",
    "config.ini": "already contains config.ini",
    "ring-2": "already contains ring-2",
}


@pytest.mark.parametrize("name", TAKEN)
def test_files_that_are_there_stay(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=TAKEN[name]), fresh(tmp_path, PLANNED, Config()):
        pass
    assert os.listdir(tmp_path) == [name] and (tmp_path / name).read_text() == "mine"


def test_a_directory_that_cannot_be_created(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CrawlFailedError, match="cannot write"), fresh(tmp_path / "file" / "c", PLANNED, Config()):
        pass


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"rings": ["a"]}'])
def test_a_plan_that_is_damaged(tmp_path, text):
    (tmp_path / PLAN).write_text(text)
    with pytest.raises(UsageError, match="was not written by this ttcrawl"):
        read_plan(tmp_path)


def test_a_directory_without_a_cluster(tmp_path):
    with pytest.raises(UsageError, match="contains no cluster"), existing(tmp_path):
        pass
    assert os.listdir(tmp_path) == []


def test_a_plan_is_replaced(tmp_path):
    write_plan(tmp_path, PLANNED)
    later = Plan(members=founding(table((1,), 4)), seeds=(), allowed=(), finished="done")
    write_plan(tmp_path, later)
    assert read_plan(tmp_path) == later


NOT_BEGUN = (
    "ttcrawl: ring 1 of {0} has not begun: ttcrawl cluster resume {0} begins it, ttcrawl cluster status {0} shows all"
    " rings\n"
)


@pytest.mark.parametrize("command", ["resume", "recrawl"])
def test_commands_that_continue_a_crawl_say_what_to_do_with_a_cluster(tmp_path, command, capsys):
    with fresh(tmp_path / "c", PLANNED, Config()):
        pass
    assert main([command, str(tmp_path / "c")]) == 2
    error = capsys.readouterr().err
    for name in ("resume", "status", "gather"):
        assert f"cluster {name}" in error and str(tmp_path / "c") in error
    assert error.count("\n") == 1 and "begins again" not in error


@pytest.mark.parametrize("command", [["report"], ["why"], ["export", "--format", "jsonl"]], ids=" ".join)
def test_commands_that_read_say_that_a_ring_has_not_begun(tmp_path, command, capsys):
    with fresh(tmp_path / "c", PLANNED, Config()):
        pass
    last = ["http://a.test/"] if command == ["why"] else []
    assert main([*command, str(tmp_path / "c"), *last]) == 2
    assert capsys.readouterr().err == NOT_BEGUN.format(tmp_path / "c")


def test_the_status_of_a_cluster_that_has_not_begun(tmp_path, capsys):
    with fresh(tmp_path / "c", PLANNED, Config()):
        pass
    assert main(["status", str(tmp_path / "c")]) == 0
    assert "ring 1" in capsys.readouterr().out


def test_opening_a_cluster_says_what_to_do(tmp_path):
    with fresh(tmp_path / "c", PLANNED, Config()):
        pass
    with pytest.raises(UsageError, match="ttcrawl cluster resume"):
        opened(tmp_path / "c")
