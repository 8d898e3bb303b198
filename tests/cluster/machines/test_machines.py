"""The virtual machines do what machines do."""

import os
from pathlib import Path

import pytest

from tests.cluster.machines import machine_scenarios
from tests.cluster.machines.inside import inside, missing
from tests.support.faults.killing import until

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

#: As root, and with no rights outside a user namespace; others have the second only.
USERS = [False, True] if os.geteuid() == 0 else [True]


@pytest.fixture(params=USERS, ids=lambda user: "user" if user else "root")
def user(request):
    if reason := missing(request.param):
        pytest.skip(reason)
    return request.param


@pytest.mark.slow
def test_network(tmp_path, user):
    assert inside(machine_scenarios.network, str(tmp_path), user=user) == {
        "named": "web",
        "numbered": "two",
        "scenario": "web",
        "unplugged": "",
        "plugged": "web",
        "split": ["", "web", "web"],
        "healed": "two",
        "routes": "198.18.0.0/15",
        "out": "",
    }


@pytest.mark.slow
def test_power(tmp_path, user):
    assert inside(machine_scenarios.power, str(tmp_path), user=user) == {
        "before": "one",
        "processes": 1,
        "status": -9,
        "off": [False, ""],
        "memory": "",
        "disk": "kept\n",
        "stale": False,
        "wiped": "",
    }


def test_processes(tmp_path, user):
    assert inside(machine_scenarios.processes, str(tmp_path), user=user) == {
        "status": 3,
        "log": "said\n",
        "others": [],
        "host": "one",
        "signal": -15,
    }


def running(text):
    """Ids of processes whose command line has this text."""
    ids = [each for each in os.listdir("/proc") if each.isdigit()]
    found = []
    for each in ids:
        try:
            line = Path(f"/proc/{each}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        found += [each] if text in line else []
    return found


def numbered(tmp_path, number):
    """An empty directory whose name is a number that a process sleeps for."""
    directory = tmp_path / f"{os.getpid()}{number}"
    directory.mkdir()
    return directory


def test_all_processes_end_with_the_function(tmp_path):
    directory = numbered(tmp_path, 1)
    assert inside(machine_scenarios.left_running, str(directory)) == [1]
    until(lambda: not running(f"sleep {directory.name}"))


@pytest.mark.slow
def test_a_function_that_hangs_is_ended(tmp_path):
    directory = numbered(tmp_path, 2)
    with pytest.raises(AssertionError, match="hangs has not ended after 5 s"):
        inside(machine_scenarios.hangs, str(directory), seconds=5)
    until(lambda: not running(f"sleep {directory.name}"))


def test_a_function_that_fails_says_why(tmp_path):
    with pytest.raises(AssertionError, match=r"what was printed\n(.*\n)*RuntimeError: the reason: somewhere"):
        inside(machine_scenarios.fails, "somewhere")
