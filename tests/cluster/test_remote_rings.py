"""A directory of a cluster whose rings are on other machines: what is refused there, and how its files come there."""

import json
import os
from dataclasses import replace

import pytest

from tests.support.crawls.preforked import run
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import CONFIG, PLAN, Plan, fresh, handed_over, read_plan, receive_files, write_plan
from ttcrawl.cluster.remote_rings import RemoteRing, read_remote_rings, write_remote_rings
from ttcrawl.cluster.route import table
from ttcrawl.config import Config
from ttcrawl.errors import UsageError

RAY = "127.0.0.1:1"
MEMBERS = founding(table((1, 2)))


@pytest.fixture
def directory(tmp_path):
    """The conductor's."""
    plan = Plan(members=MEMBERS, seeds=("http://a.test/",), allowed=(), id="one", ray=RAY)
    with fresh(tmp_path / "c", plan, Config()):
        yield tmp_path / "c"


@pytest.fixture
def machine(directory, tmp_path):
    """The same directory on the machine of ring 2."""
    receive_files(tmp_path / "other" / "c", 2, handed_over(directory))
    return tmp_path / "other" / "c"


def mode(path):
    return oct(path.stat().st_mode & 0o777)


def test_the_machine_of_a_ring_gets_what_the_ring_reads(directory, machine):
    assert sorted(os.listdir(machine)) == sorted([CONFIG, PLAN])
    assert read_plan(machine) == read_plan(directory)
    assert {mode(path) for path in machine.iterdir()} == {"0o600"}


def test_a_ring_that_continues_gets_the_present_plan_and_configuration(directory, machine):
    for path in (machine / "ring-2", machine / "ring-3"):
        path.mkdir()
        (path / CONFIG).write_text("of before")
    (machine / "ring-2" / "crawl.db").write_text("tables")
    (machine / "ring-3" / "crawl.db").touch()  # by a reader that came too early
    write_plan(directory, changed := replace(read_plan(directory), finished="interrupted"))
    (directory / CONFIG).write_text("[crawl]\nmax_pages = 7\n")
    for ring in (2, 3):
        receive_files(machine, ring, handed_over(directory))
    assert read_plan(machine) == changed
    assert (machine / "ring-2" / CONFIG).read_text() == (directory / CONFIG).read_text()
    assert (machine / "ring-3" / CONFIG).read_text() == "of before"


def test_the_conductors_own_files_stay(directory):
    """They may be newer than what was sent."""
    files = handed_over(directory)
    write_plan(directory, later := replace(read_plan(directory), finished="done"))
    receive_files(directory, 1, files)
    assert read_plan(directory) == later


@pytest.mark.parametrize("other", [{"id": "another"}, {"id": "", "seeds": ("http://b.test/",)}], ids=["id", "no id"])
def test_another_cluster_stays_as_it_is(directory, machine, other):
    if not other["id"]:  # both are of an earlier version
        write_plan(machine, replace(read_plan(machine), id=""))
    before = (machine / PLAN).read_bytes()
    write_plan(directory, replace(read_plan(directory), **other))
    with pytest.raises(UsageError, match="contains another cluster: move it away"):
        receive_files(machine, 2, handed_over(directory))
    assert (machine / PLAN).read_bytes() == before


@pytest.mark.parametrize("words", ["stop", "join", "leave --ring 2"])
def test_commands_for_the_conductor_are_refused_where_it_is_not(machine, words):
    action, *options = words.split()
    done = run("cluster", action, machine, *options)
    where = f"ttcrawl: this machine belongs to no cluster of Ray at {RAY} "
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(where)
    assert read_plan(machine).members == MEMBERS


def test_rings_on_other_machines_cannot_be_gathered(directory, tmp_path):
    done = run("cluster", "gather", directory, "-o", tmp_path / "all")
    why = f"{directory}/ring-1 is on another machine: copy or mount it here, then gather again"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ttcrawl: {why}\n")


def test_the_status_of_rings_on_other_machines(directory):
    """It is what they have reported last."""
    write_remote_rings(directory, {2: RemoteRing(process="7 on b", seconds=3.0, pages=1200, queued=5)})
    assert list(read_remote_rings(directory)) == [2]
    (directory / "ring-1").mkdir(exist_ok=True)
    (directory / "ring-1" / "crawl.db").touch()  # by a reader that came too early
    done = run("cluster", "status", directory, "--format", "json")
    status = json.loads(done.stdout)
    assert [each["state"] for each in status["rings"]] == ["not begun", "running"]
    assert (status["pages"], status["queued"]) == (1200, 5)
    text = run("cluster", "status", directory).stdout
    assert "ring 2: running (process 7 on b), 1,200 pages, 5 queued" in text


ADDRESSES = {"127.0.0.1:1": "Connection refused", "nowhere": "", "127.0.0.1:": "", "[::1": ""}


@pytest.mark.slow
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_ray_cluster_at_an_address(tmp_path, address):
    pytest.importorskip("ray")
    given = ("--ray", address, "-d", tmp_path / "c", "--progress", "none")
    done = run("cluster", "crawl", "http://127.0.0.1:1/", *given, timeout=120)
    assert done.returncode == 2
    assert (
        done.stderr.startswith(f"ttcrawl: this machine belongs to no cluster of Ray at {address} ")
        and done.stderr.count("\n") == 1
    )
    assert ADDRESSES[address] in done.stderr and "ray start --head" in done.stderr
    assert not (tmp_path / "c").exists()
