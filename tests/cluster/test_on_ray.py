"""Rings on the machines of a Ray cluster, and what fails there: judged by the log of the web and by SQL."""

import shutil

import pytest

from tests.browser.chromium import needs_chromium
from tests.cluster import ray_scenarios
from tests.cluster.machines import scenarios, scripted
from tests.cluster.machines.inside import inside
from tests.cluster.machines.on_ray import missing
from tests.cluster.machines.verdicts import FLIGHT, judged, lost_disk

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400), pytest.mark.skipif(bool(missing()), reason=missing())]

#: Seconds for a scenario: it takes less than 60 on two idle cores.
LIMIT = 380


def verdict(tmp_path, scenario, *arguments, again=0, robots=0, by=(1, 2, 3), healthy=()):
    """See `judged`."""
    found = inside(scenario, str(tmp_path), *arguments, seconds=LIMIT)
    return judged(found, again=again, robots=robots, by=by, healthy=healthy)


@pytest.mark.machines
def test_nothing_fails(tmp_path):
    assert verdict(tmp_path, ray_scenarios.plain) == {"states": ["running"] * 3, "by name": "running"}


@pytest.mark.machines
def test_rings_are_killed(tmp_path):
    assert verdict(tmp_path, ray_scenarios.ring_killed, again=2 * FLIGHT, robots=20, by=[1, 2]) == {}


@pytest.mark.machines
def test_an_actor_is_killed(tmp_path):
    assert verdict(tmp_path, ray_scenarios.actor_killed, again=FLIGHT, robots=20, by=[2]) == {}


def test_ray_is_killed_on_a_machine(tmp_path):
    """There are never two rings on its disk: a page is requested twice only if it was in flight."""
    found = verdict(tmp_path, ray_scenarios.raylet_killed, again=FLIGHT, robots=20, by=[2])
    assert found == {"old ended": True, "holders": 2, "together": 0}


@pytest.mark.machines
def test_a_machine_loses_power(tmp_path):
    """The others go on."""
    found = verdict(tmp_path, ray_scenarios.power_cut_apart, again=FLIGHT, robots=20, by=[2], healthy=[1, 3])
    assert found == {}


@pytest.mark.machines
def test_a_disk_is_lost(tmp_path):
    """Its hosts are crawled anew, nothing else."""
    assert lost_disk(inside(scenarios.disk_lost, str(tmp_path), "ray", seconds=LIMIT), by=[2]) == {}


@pytest.mark.machines
@pytest.mark.parametrize("seconds", [2, 12], ids=["shortly", "until it is given up"])
def test_a_machine_is_cut_off(tmp_path, seconds):
    assert verdict(tmp_path, scenarios.unplugged, seconds, "ray", again=FLIGHT, robots=20, by=[2]) == {}


@pytest.mark.machines
def test_a_ring_joins(tmp_path):
    found = verdict(tmp_path, ray_scenarios.joined, healthy=[1, 2])
    assert found == {"join": "ring 3 has joined and owns its hosts", "rings": [1, 2, 3], "before": []}


@pytest.mark.machines
def test_a_ring_leaves(tmp_path):
    found = verdict(tmp_path, ray_scenarios.left, healthy=[1, 3])
    assert found == {"leave": "ring 2 has left: others own its hosts", "rings": [1, 3], "before": []}


@pytest.mark.machines
def test_a_machine_is_away_from_the_begin(tmp_path):
    """The other one crawls what it can, also at the addresses that both rings' hosts share."""
    assert verdict(tmp_path, ray_scenarios.begun_without, by=(1, 2)) == {}


@pytest.mark.machines
def test_the_rings_are_read_from_any_machine(tmp_path):
    assert verdict(tmp_path, ray_scenarios.exported) == {"differ": [], "unlike": []}


@pytest.mark.machines
def test_all_is_stopped_and_continued(tmp_path):
    assert verdict(tmp_path, ray_scenarios.stopped) == {"stop": "interrupted"}


@pytest.mark.machines
def test_all_is_stopped_and_continued_from_another_machine(tmp_path):
    assert verdict(tmp_path, ray_scenarios.moved) == {"stop": "interrupted"}


@pytest.mark.machines
def test_all_is_stopped_while_a_machine_is_away(tmp_path):
    assert verdict(tmp_path, ray_scenarios.waits_for_machine, again=FLIGHT, robots=20, by=[3]) == {
        "stop": "interrupted"
    }


@pytest.mark.machines
def test_the_conductor_is_killed(tmp_path):
    """No ring notices."""
    assert verdict(tmp_path, ray_scenarios.conductor_killed) == {"rings": True}


@pytest.mark.machines
def test_the_machine_of_the_conductor_is_away(tmp_path):
    """The other rings go on."""
    found = verdict(tmp_path, ray_scenarios.conductor_away, again=FLIGHT, robots=20, by=[2])
    assert found == {"rings": True}


@pytest.mark.machines
def test_the_head_is_lost(tmp_path):
    assert verdict(tmp_path, ray_scenarios.head_lost, again=3 * FLIGHT, robots=20) == {}


@pytest.mark.machines
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_the_head_is_lost_and_its_store_is_not(tmp_path):
    found = verdict(tmp_path, ray_scenarios.head_lost_with_store, again=3 * FLIGHT, robots=20)
    assert found == {"raylets": True}


def test_all_is_encrypted(tmp_path):
    """A wrong token and an unencrypted peer are refused."""
    found = verdict(tmp_path, ray_scenarios.encrypted, by=(1, 2))
    said = found.pop("said")
    assert found == {}
    assert "Failed to connect to GCS" in said["TLS"]
    assert "InvalidAuthToken" in said["the token"] and "this machine belongs to no cluster of Ray" in said["the token"]


@needs_chromium
@pytest.mark.parametrize("killed", [(), (3, 3), (1, 2)], ids=["undisturbed", "its ring is killed", "the others are"])
def test_browsers_of_two_rings_keep_the_delay_of_a_host_of_a_third(tmp_path, killed):
    """All scripts get their data, as the link says that each of them makes then."""
    found = inside(scripted.crawled, str(tmp_path), killed, seconds=LIMIT)
    assert found.pop("data") >= 2 * scripted.PAGES
    assert found == {"ended": "done", "missing": [], "short": {}, "visits": {"1": True, "2": True}}
