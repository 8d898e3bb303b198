"""Crawls in which something fails: each function is a row of the failure table, called in namespaces of its own."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.cluster.machines.cluster import Cluster, RingMachine
from tests.cluster.machines.machines import Lab, until
from tests.cluster.machines.on_ray import RayCluster
from tests.support.crawls.crawling import query

#: Seconds between requests to an address, so that gaps would be short if two rings requested there.
APART = {"politeness.address_delay": 0.2}

#: How the conductor starts a ring, and letters reach it.
CLUSTERS = {"wire": Cluster, "ray": RayCluster}


@contextmanager
def crawling(directory: str, kind: str = "wire", **options: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """A crawl that has begun, and an empty verdict, which is filled once the crawl has ended."""
    verdict: dict[str, Any] = {}
    with Lab(Path(directory)) as lab:
        cluster = CLUSTERS[kind](lab, **options)
        yield cluster, verdict
        verdict |= {"ended": cluster.ended(), **cluster.judged()}


def plain(directory: str) -> dict[str, Any]:
    """Nothing fails."""
    with crawling(directory) as (_, verdict):
        pass
    return verdict


def letters_lost(directory: str) -> dict[str, Any]:
    """The courier loses, doubles and reorders letters."""
    with crawling(directory, shares=(0.2, 0.3, 0.4)) as (_, verdict):
        pass
    return verdict


# -- processes --------------------------------------------------------------------------------------------------------


def worker_killed(directory: str, role: str) -> dict[str, Any]:
    """Each ring loses a process that fetches or parses, twice."""
    with crawling(directory) as (cluster, verdict):
        for pages in (100, 250):
            cluster.until_pages(pages)
            for ring in cluster.rings.values():
                os.kill(until(lambda ring=ring: ring.workers(f"ttcrawl-{role}"))[0], signal.SIGKILL)
    return verdict


def ring_killed(directory: str, times: int) -> dict[str, Any]:
    """The crawl process of ring 2 is killed, as often as that, at moments that have nothing to do with its commits."""
    with crawling(directory) as (cluster, verdict):
        for number in range(times):
            cluster.until_pages(100 + 100 * number)
            cluster.rings[2].kill()
    return verdict


def killed_before_commit(directory: str) -> dict[str, Any]:
    """Ring 2 is killed when it has fetched pages for seconds without a commit: no link of them was sent."""
    rarely = {"store.commit_seconds": 4, "store.commit_pages": 10_000}
    with crawling(directory, settings=rarely) as (cluster, verdict):
        cluster.until_pages(60)
        ring = cluster.rings[2]
        before = until(lambda: _visits(ring))
        until(lambda: _visits(ring) > before)  # just committed
        time.sleep(2)
        ring.kill()
    return verdict


def killed_after_commit(directory: str) -> dict[str, Any]:
    """Ring 2 is killed, three times, when a batch is in its outbox that nobody has acknowledged."""
    with crawling(directory) as (cluster, verdict):
        for pages in (60, 150, 240):
            cluster.until_pages(pages)
            until(lambda: _outbox(cluster.rings[2]))
            cluster.rings[2].kill()
    return verdict


def _visits(ring: RingMachine) -> int:
    with suppress(sqlite3.Error):
        return int(query(ring.directory, "SELECT count(*) FROM visit")[0][0])
    return 0


def _outbox(ring: RingMachine) -> int:
    with suppress(sqlite3.Error):
        return int(query(ring.directory, "SELECT count(*) FROM outbox")[0][0])
    return 0


def conductor_killed(directory: str) -> dict[str, Any]:
    """The conductor is killed, and another one continues; then the same with the power of its machine."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        cluster.kill_conductor()
        cluster.begin()
        cluster.until_pages(250)
        cluster.machine.power_cut()
        cluster.machine.start()
        cluster.begin()
    return verdict


def stopped(directory: str) -> dict[str, Any]:
    """All is stopped, twice, and continued."""
    with crawling(directory) as (cluster, verdict):
        stops = []
        for pages in (100, 250):
            cluster.until_pages(pages)
            stops.append(cluster.stop())
            cluster.begin()
        verdict["stops"] = stops
    return verdict


# -- machines ---------------------------------------------------------------------------------------------------------


def power_cut(directory: str, kind: str = "wire") -> dict[str, Any]:
    """The machine of ring 2 loses power, and is back with its disk."""
    with crawling(directory, kind) as (cluster, verdict):
        cluster.until_pages(150)
        cluster.rings[2].machine.power_cut()
        cluster.until_pages(200)  # the others go on
        cluster.rings[2].switch_on()
    return verdict


def disk_lost(directory: str, kind: str = "wire") -> dict[str, Any]:
    """The machine of ring 2 loses power and its disk."""
    with crawling(directory, kind) as (cluster, verdict):
        cluster.until_pages(150)
        verdict["lost"] = _lose_disk(cluster, 2)
        cluster.rings[2].switch_on()
    return verdict


def _lose_disk(cluster: Cluster, ring: int) -> int:
    """Cut the power and wipe the disk; return the number of requests that its ring had made."""
    machine = cluster.rings[ring].machine
    machine.power_cut()
    lost = sum(cluster.owner(hit.host) == ring for hit in cluster.web.log())
    machine.wipe()
    return lost


def replaced(directory: str) -> dict[str, Any]:
    """The machine of ring 2 is gone for good: another one, with an empty disk, gets its address."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(150)
        cluster.rings[2].machine.power_cut()
        verdict["lost"] = sum(cluster.owner(hit.host) == 2 for hit in cluster.web.log())
        cluster.rings[2] = RingMachine(cluster.lab, 2, "spare")
    return verdict


def two_failures(directory: str) -> dict[str, Any]:
    """Ring 2 loses its disk and ring 1 is killed at the same time, and soon the conductor too."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(150)
        verdict["lost"] = _lose_disk(cluster, 2)
        cluster.rings[1].kill()
        cluster.rings[2].switch_on()
        cluster.kill_conductor()
        cluster.begin()
    return verdict


def two_power_cuts(directory: str) -> dict[str, Any]:
    """The machines of rings 2 and 3 lose power at the same time, and are back one after the other."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(150)
        for ring in (2, 3):
            cluster.rings[ring].machine.power_cut()
        cluster.rings[3].switch_on()
        cluster.until_pages(200)
        cluster.rings[2].switch_on()
    return verdict


# -- networks ---------------------------------------------------------------------------------------------------------


def unplugged(directory: str, seconds: float, kind: str = "wire") -> dict[str, Any]:
    """The machine of ring 2 has no network: it reaches neither the web nor the conductor."""
    with crawling(directory, kind) as (cluster, verdict):
        cluster.until_pages(150)
        cluster.rings[2].machine.unplug()
        time.sleep(seconds)
        cluster.rings[2].machine.plug()
    return verdict


def split(directory: str, seconds: float) -> dict[str, Any]:
    """The network is cut in two between the conductor with ring 1, and rings 2 and 3; all reach the web."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(150)
        sides = [cluster.machine, cluster.rings[1].machine], [cluster.rings[2].machine, cluster.rings[3].machine]
        cluster.lab.split(*sides)
        time.sleep(seconds)
        verdict["running"] = len(cluster.conductors())
        cluster.lab.heal()
    return verdict


# -- addresses --------------------------------------------------------------------------------------------------------


def lender_killed(directory: str) -> dict[str, Any]:
    """A ring that has left lends addresses, nothing else: its machine loses power, and is back."""
    with crawling(directory, settings=APART) as (cluster, verdict):
        cluster.until_pages(60)
        cluster.command("leave", "--ring", "2")
        cluster.rings[2].machine.power_cut()
        time.sleep(3)
        cluster.rings[2].switch_on()
    return verdict


def holder_killed(directory: str) -> dict[str, Any]:
    """Rings are killed while they request at addresses that others want."""
    with crawling(directory, settings=APART) as (cluster, verdict):
        for number, ring in enumerate((1, 2, 3, 2)):
            cluster.until_pages(60 + 60 * number)
            cluster.rings[ring].kill()
    return verdict


# -- changes of the rings ---------------------------------------------------------------------------------------------

#: Requested pages after which a change is asked for: its command takes seconds on a busy machine, and a crawl that has
#: ended in the meantime changes nothing.
EARLY = 60


def joining(directory: str, victim: str, moment: str) -> dict[str, Any]:
    """Ring 4 joins, and something is killed at a moment of that."""
    with crawling(directory, more=1) as (cluster, verdict):
        cluster.until_pages(EARLY)
        command = cluster.commanded("join")
        _await_change(cluster, moment, 4)
        verdict |= _kill(cluster, victim)
        command.communicate(timeout=90)
    verdict["rings"], verdict["before"] = cluster.members()["rings"], cluster.members()["before"]
    return verdict


def leaving(directory: str, victim: str, moment: str) -> dict[str, Any]:
    """Ring 3 leaves, and something is killed at a moment of that."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(EARLY)
        command = cluster.commanded("leave", "--ring", "3")
        _await_change(cluster, moment, 1)
        verdict |= _kill(cluster, victim)
        command.communicate(timeout=90)
    verdict["rings"], verdict["before"] = cluster.members()["rings"], cluster.members()["before"]
    return verdict


def _await_change(cluster: Cluster, moment: str, receiver: int) -> None:
    """`planned`: the conductor knows of it; `awaiting`: a receiver waits for hosts; `moved`: all hosts have moved."""
    until(lambda: cluster.members()["epoch"] == 1)
    if moment == "awaiting":
        until(lambda: _rows(cluster.rings[receiver], "SELECT value FROM crawl WHERE name = 'members'", '"epoch":1'))
    elif moment == "moved":
        until(lambda: not cluster.members()["before"])
        cluster.until_pages(250)


def _rows(ring: RingMachine, sql: str, text: str) -> Sequence[tuple[Any, ...]]:
    with suppress(sqlite3.Error):
        return [row for row in query(ring.directory, sql) if text in str(row)]
    return []


def _kill(cluster: Cluster, victim: str) -> dict[str, Any]:
    """`conductor`, or `ring N`, or `power N`, or `disk N` of a ring's machine; how many requests a lost disk knew."""
    what, _, number = victim.partition(" ")
    if what == "conductor":
        cluster.kill_conductor()
        cluster.begin()
    elif what == "ring":
        cluster.rings[int(number)].kill()
    elif what == "power":
        cluster.rings[int(number)].machine.power_cut()
        cluster.rings[int(number)].switch_on()
    else:
        lost = _lose_disk(cluster, int(number))
        cluster.rings[int(number)].switch_on()
        return {"lost": lost}
    return {}
