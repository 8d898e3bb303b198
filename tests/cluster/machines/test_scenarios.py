"""What fails, and what it costs: the failure table of docs/cluster.md, on virtual machines."""

import pytest

from tests.cluster.machines import away_scenarios, scenarios
from tests.cluster.machines.inside import inside, missing
from tests.cluster.machines.verdicts import FLIGHT, judged, lost_disk
from tests.support.long_tables import MACHINES, few

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

#: Seconds for a scenario: it takes less than 60 on two idle cores.
LIMIT = 280


def verdict(tmp_path, scenario, *arguments, again=0, robots=0, by=(1, 2, 3)):
    """See `judged`."""
    found = inside(scenario, str(tmp_path), *arguments, seconds=LIMIT)
    return judged(found, again=again, robots=robots, by=by)


def without_disk(tmp_path, scenario, *arguments, flight=0, by):
    """See `lost_disk`."""
    return lost_disk(inside(scenario, str(tmp_path), *arguments, seconds=LIMIT), flight=flight, by=by)


def test_nothing_fails(tmp_path):
    assert verdict(tmp_path, scenarios.plain) == {}


@MACHINES
def test_the_courier_loses_doubles_and_reorders_letters(tmp_path):
    assert verdict(tmp_path, scenarios.letters_lost) == {}


@pytest.mark.parametrize("role", few(1, ["fetch", "parse"], MACHINES))
def test_processes_of_the_pools_are_killed(tmp_path, role):
    """Their requests in flight are made again, by them or others."""
    assert verdict(tmp_path, scenarios.worker_killed, role, again=6 * 16, robots=6) == {}


@MACHINES
def test_a_ring_is_killed_three_times(tmp_path):
    assert verdict(tmp_path, scenarios.ring_killed, 3, again=3 * FLIGHT, robots=20, by=[2]) == {}


def test_a_ring_is_killed_before_a_commit(tmp_path):
    assert verdict(tmp_path, scenarios.killed_before_commit, again=2 * FLIGHT, robots=20, by=[2]) == {}


@MACHINES
def test_a_ring_is_killed_after_a_commit(tmp_path):
    assert verdict(tmp_path, scenarios.killed_after_commit, again=3 * FLIGHT, robots=20, by=[2]) == {}


def test_the_conductor_is_killed(tmp_path):
    assert verdict(tmp_path, scenarios.conductor_killed, again=6 * FLIGHT, robots=20) == {}


def test_all_is_stopped_and_continued(tmp_path):
    assert verdict(tmp_path, scenarios.stopped) == {"stops": ["interrupted", "interrupted"]}


def test_a_machine_loses_power(tmp_path):
    assert verdict(tmp_path, scenarios.power_cut, again=FLIGHT, robots=20, by=[2]) == {}


@MACHINES
def test_a_machine_is_away_while_all_continues(tmp_path):
    assert verdict(tmp_path, away_scenarios.resumed_without) == {"stop": "interrupted"}


@MACHINES
def test_a_machine_is_away_from_the_begin(tmp_path):
    assert verdict(tmp_path, away_scenarios.begun_without) == {}


@MACHINES
def test_a_machine_is_away_until_the_others_have_nothing_to_do(tmp_path):
    assert verdict(tmp_path, away_scenarios.left_alone, again=2 * FLIGHT, robots=40, by=[1, 2]) == {}


@MACHINES
def test_a_ring_joins_before_its_machine_is_there(tmp_path):
    assert verdict(tmp_path, away_scenarios.joining_alone) == {"rings": [1, 2, 3, 4]}


@pytest.mark.parametrize("scenario", few(1, [scenarios.disk_lost, scenarios.replaced], MACHINES))
def test_a_disk_is_lost(tmp_path, scenario):
    """Its hosts are crawled anew, nothing else."""
    without_disk(tmp_path, scenario, by=[2])


@MACHINES
def test_machines_lose_power_together(tmp_path):
    assert verdict(tmp_path, scenarios.two_power_cuts, again=2 * FLIGHT, robots=40, by=[2, 3]) == {}


@MACHINES
def test_two_failures_at_once(tmp_path):
    without_disk(tmp_path, scenarios.two_failures, flight=3 * FLIGHT, by=[1, 2, 3])


@pytest.mark.parametrize("seconds", few(1, [8, 2], MACHINES), ids=["until it is given up", "shortly"])
def test_a_machine_is_unplugged(tmp_path, seconds):
    assert verdict(tmp_path, scenarios.unplugged, seconds, again=FLIGHT, robots=20, by=[2]) == {}


@pytest.mark.parametrize("seconds", few(1, [8, 2], MACHINES), ids=["until it is given up", "shortly"])
def test_the_network_is_cut_in_two(tmp_path, seconds):
    found = verdict(tmp_path, scenarios.split, seconds, again=2 * FLIGHT, robots=40, by=[2, 3])
    assert found == {"running": 1}


@MACHINES
def test_a_lender_of_addresses_is_killed(tmp_path):
    assert verdict(tmp_path, scenarios.lender_killed) == {}


@MACHINES
def test_holders_of_addresses_are_killed(tmp_path):
    assert verdict(tmp_path, scenarios.holder_killed, again=4 * FLIGHT, robots=20) == {}


JOINS = [
    *(("conductor", "planned"), ("conductor", "awaiting"), ("ring 4", "planned"), ("ring 1", "planned")),
    *(("ring 4", "awaiting"), ("power 4", "planned"), ("power 1", "awaiting"), ("ring 4", "moved")),
]


@pytest.mark.parametrize(("victim", "moment"), few(1, JOINS, MACHINES))
def test_a_kill_while_a_ring_joins(tmp_path, victim, moment):
    found = verdict(tmp_path, scenarios.joining, victim, moment, again=2 * FLIGHT, robots=20, by=[1, 2, 3, 4])
    assert found == {"rings": [1, 2, 3, 4], "before": []}


@MACHINES
def test_a_disk_is_lost_after_a_ring_has_joined(tmp_path):
    found = without_disk(tmp_path, scenarios.joining, "disk 4", "moved", by=[4])
    assert found == {"rings": [1, 2, 3, 4], "before": []}


LEAVES = [("ring 3", "planned"), ("conductor", "planned"), ("ring 1", "awaiting"), ("power 3", "planned")]


@pytest.mark.parametrize(("victim", "moment"), few(1, LEAVES, MACHINES))
def test_a_kill_while_a_ring_leaves(tmp_path, victim, moment):
    found = verdict(tmp_path, scenarios.leaving, victim, moment, again=2 * FLIGHT, robots=20)
    assert found == {"rings": [1, 2], "before": []}
