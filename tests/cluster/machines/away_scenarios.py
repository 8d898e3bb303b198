"""Crawls that go on while a machine is away: each function is a row of the failure table, called in namespaces."""

from __future__ import annotations

import time
from typing import Any

from tests.cluster.machines.cluster import Cluster
from tests.cluster.machines.machines import until
from tests.cluster.machines.scenarios import APART, crawling

#: Requests end soon, so that a machine without an answer is absent soon.
SOON = {"fetch.total_timeout": 5, "fetch.connect_timeout": 2, "fetch.dns_timeout": 5}


def resumed_without(directory: str) -> dict[str, Any]:
    """All is stopped and continued, and the machine of ring 2 is back when the others have nothing left to do."""
    with crawling(directory, settings=APART | SOON) as (cluster, verdict):
        cluster.until_pages(60)
        verdict["stop"] = cluster.stop()
        cluster.rings[2].machine.power_cut()
        cluster.begin()
        _await_others(cluster, 2)
        cluster.rings[2].switch_on()
    return verdict


def begun_without(directory: str) -> dict[str, Any]:
    """The machine of ring 2 is first there when the others have nothing left to do."""
    with crawling(directory, settings=APART, away=[2]) as (cluster, verdict):
        _await_others(cluster, 2)
        cluster.rings[2].switch_on()
    return verdict


def left_alone(directory: str) -> dict[str, Any]:
    """The machine of ring 2 loses power, and is back when the others have nothing left to do; ring 1 begins again."""
    with crawling(directory, settings=APART | SOON) as (cluster, verdict):
        cluster.until_pages(60)
        cluster.rings[2].machine.power_cut()
        cluster.rings[1].kill()
        _await_others(cluster, 2)
        cluster.rings[2].switch_on()
    return verdict


def joining_alone(directory: str) -> dict[str, Any]:
    """Ring 4 joins, and its machine is first there when the others have nothing left to do."""
    with crawling(directory, more=1, settings=APART, away=[4]) as (cluster, verdict):
        cluster.until_pages(60)
        command = cluster.commanded("join")
        _await_others(cluster, 4)
        cluster.rings[4].switch_on()
        command.communicate(timeout=90)
    verdict["rings"] = cluster.members()["rings"]
    return verdict


def _await_others(cluster: Cluster, away: int) -> None:
    """Wait until the other rings have had nothing queued for two seconds."""
    others = [ring for number, ring in cluster.rings.items() if number != away]
    end = [0.0]

    def rest() -> bool:
        if any(ring.queued() for ring in others):
            end[0] = time.monotonic() + 2
        return 0 < end[0] < time.monotonic()

    until(rest, 150, f"the end of all rings but {away}")
