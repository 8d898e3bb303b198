"""Crawls on Ray in which something fails: each function is called in namespaces of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.cluster.machines import scenarios
from tests.cluster.machines.cluster import DIRECTORY
from tests.cluster.machines.machines import DISK, Lab, Machine, until
from tests.cluster.machines.on_ray import ENVIRONMENT, HOST, PORT, RayCluster, RayMachine
from tests.cluster.machines.secured import DIGITS, Secured
from ttcrawl.cluster.gather import gather
from ttcrawl.cluster.presence import FENCE
from ttcrawl.output.steps import silent

#: What lets Ray give up soon where it hears nothing that it understands.
SOON = {"RAY_NUM_REDIS_GET_RETRIES": "1", "RAY_gcs_rpc_server_reconnect_timeout_s": "5"}
SOON |= {"RAY_gcs_server_request_timeout_seconds": "5"}


crawling = partial(scenarios.crawling, kind="ray")


def plain(directory: str) -> dict[str, Any]:
    """Nothing fails; the status is asked on another machine while it crawls, with the directory there or by name."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        until(lambda: all(each["pages"] for each in cluster.status()["rings"]), 60, "pages of all rings")
        other = cluster.rings[3].machine
        verdict["states"] = [each["state"] for each in cluster.status(other)["rings"]]
        stranger = cluster.rings[2].machine
        (stranger.disk / DIRECTORY.name / "cluster.json").rename(stranger.disk / "plan")
        verdict["by name"] = cluster.status(stranger, "--ray", f"{HOST}:{PORT}")["state"]
    return verdict


def ring_killed(directory: str) -> dict[str, Any]:
    """The crawl processes of rings 1 and 2 are killed."""
    with crawling(directory) as (cluster, verdict):
        for ring in (1, 2):
            cluster.until_pages(100 * ring)
            cluster.rings[ring].kill()
    return verdict


def actor_killed(directory: str) -> dict[str, Any]:
    """The actor of ring 2 is killed, and the ring ends with it."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        ring = cluster.rings[2]
        process = until(ring.process)
        os.kill(until(ring.actor), signal.SIGKILL)
        until(lambda: process not in ring.machine.processes("ttcrawl.cluster.member"), 60, "the end of the ring")
    return verdict


def raylet_killed(directory: str) -> dict[str, Any]:
    """Ray's process on the machine of ring 2 is killed; a new one is started there at once.

    `old ended`: the old process of the ring has; `holders`: processes that had the ring's lock, one after the other;
    `together`: how often another one had it while the old one lived.
    """
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        ring = cluster.rings[2]
        old = until(ring.process)
        with watched(ring) as samples:
            os.kill(until(ring.raylet), signal.SIGKILL)
            until(lambda: ring.holder() not in (0, old), 120, "another process of the ring")
            pages = cluster.pages
            cluster.until_pages(pages + 20)
        verdict["old ended"] = old not in samples[-1][0]
        verdict["holders"] = len({holder for _, holder in samples if holder})
        verdict["together"] = sum(old in living and holder not in (0, old) for living, holder in samples)
    return verdict


@contextmanager
def watched(ring: RayMachine) -> Iterator[list[tuple[list[int], int]]]:
    """Samples of the processes of a ring that live, and of the one that has its lock (0: none)."""
    samples: list[tuple[list[int], int]] = []
    end = threading.Event()

    def sample() -> None:
        while not end.is_set():
            holder = ring.holder()
            samples.append((ring.members(), holder))
            time.sleep(0.02)

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        until(lambda: any(holder for _, holder in samples), 30, "the ring has its lock")
        yield samples
    finally:
        end.set()
        thread.join()


def joined(directory: str) -> dict[str, Any]:
    """A third ring joins two while they crawl; its machine is there only later."""
    with crawling(directory, rings=2) as (cluster, verdict):
        cluster.until_pages(60)
        verdict["join"] = cluster.join()
    members = cluster.members()
    return verdict | {"rings": members["rings"], "before": members["before"]}


def left(directory: str) -> dict[str, Any]:
    """One of three rings leaves while they crawl."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(60)
        verdict["leave"] = cluster.elsewhere(cluster.machine, "leave", "--ring", "2").strip()
    members = cluster.members()
    return verdict | {"rings": members["rings"], "before": members["before"]}


def begun_without(directory: str) -> dict[str, Any]:
    """Of two machines one is there; the other one comes when its ring has nothing left to do."""
    with crawling(directory, rings=1, away=1) as (cluster, verdict):
        ring = cluster.rings[1]
        until(lambda: cluster.pages >= 20 and not ring.queued(), 90, "the end of ring 1 without ring 2")
        cluster.rings[2] = RayMachine(cluster.lab, 2)
    return verdict


def stopped(directory: str) -> dict[str, Any]:
    """All is stopped from the machine of ring 2, and continued without a command that looks on."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(120)
        cluster.elsewhere(cluster.rings[2].machine, "stop")
        verdict["stop"] = cluster.ended()
        cluster.begin("--detach")
    return verdict


def moved(directory: str) -> dict[str, Any]:
    """All is stopped, and continued from the machine of ring 2."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(120)
        verdict["stop"] = cluster.stop()
        cluster.machine = cluster.rings[2].machine
        cluster.begin()
    return verdict


def exported(directory: str) -> dict[str, Any]:
    """Nothing fails; then, asked on the machine of ring 2, each ring writes its part of an export, and all are read.

    `differ`: fetched URLs that are not in exactly one part. `unlike`: commands that say something else of the rings
    than of one directory that is gathered from all disks.
    """
    with Lab(Path(directory)) as lab:
        cluster = RayCluster(lab)
        cluster.until_pages(100)
        verdict = {"ended": cluster.ended(), **cluster.judged()}
        cluster.machine = cluster.rings[2].machine
        cluster.command("export", "--format", "jsonl", "--table", "urls", "-o", str(DISK / "parts"))
        parts = [each.machine.disk / "parts" / "urls" / f"ring-{ring}.jsonl" for ring, each in cluster.rings.items()]
        rows = [json.loads(line) for part in parts for line in part.read_text().splitlines()]
        written = Counter(row["url"] for row in rows if row["state"] == "fetched")
        expected = {url: 1 for url, (state, _) in cluster.web.truth().items() if state == "fetched"}
        verdict["differ"] = sorted({*written.items()} ^ {*expected.items()})
        verdict["unlike"] = _unlike(cluster, sorted(expected)[-1], Path(directory) / "gathered")
    return verdict


#: The exit status 1 of a command is no error: it says that a check has found problems.
OR_ONE = ("sh", "-c", '"$@" || test $? = 1', "sh")


def _unlike(cluster: RayCluster, url: str, gathered: Path) -> list[str]:
    """Commands whose output on the cluster's present machine is not the one on the gathered directory."""
    gather([each.directory for each in cluster.rings.values()], gathered, silent, print)
    commands = ("report --format json --section summary", "check --offline", "why --summary", f"page {url} --body")
    unlike = []
    for words in commands:
        name, *options = words.split()
        command = (sys.executable, "-m", "ttcrawl", name)
        of_rings = cluster.machine.run(*OR_ONE, *command, str(DIRECTORY), *options, seconds=240)
        for path in (DIRECTORY / "joined", DIRECTORY):
            of_rings = of_rings.replace(str(path), str(gathered))
        done = subprocess.run((*command, gathered, *options), capture_output=True, text=True, check=False)
        if of_rings != done.stdout:
            unlike.append(f"{words}: {of_rings[:500]}, not {done.stdout[:500]}")
    return unlike


def waits_for_machine(directory: str) -> dict[str, Any]:
    """A ring whose machine is away does not keep the others from stopping by Ctrl-C."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        cluster.rings[3].machine.power_cut()
        cluster.until_pages(150)
        verdict["stop"] = cluster.interrupted()
        cluster.rings[3].switch_on()
        cluster.begin()
    return verdict


def conductor_killed(directory: str) -> dict[str, Any]:
    """The conductor is killed, and Ray starts it again; then the command that looks on, and another one does.

    `rings`: whether they are the same processes before and after.
    """
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        rings = [until(ring.process) for ring in cluster.rings.values()]
        before = cluster.kill_conductor()
        cluster.until_pages(150)  # the rings go on
        until(lambda: cluster.conductors() not in ([], [before]), 60, "another conductor")
        verdict["rings"] = [ring.process() for ring in cluster.rings.values()] == rings
        cluster.kill_command()
        cluster.begin()
    return verdict


def conductor_away(directory: str) -> dict[str, Any]:
    """The machine with the conductor and ring 2 is away for longer than a ring goes on that nobody names or hears.

    `rings`: whether the others are the same processes then.
    """
    with crawling(directory, conductor=2) as (cluster, verdict):
        others = [cluster.rings[ring] for ring in (1, 3)]
        cluster.until_pages(100)
        before = [until(ring.process) for ring in others]
        cluster.machine.power_cut()
        time.sleep(FENCE + 10)
        verdict["rings"] = [ring.process() for ring in others] == before
        cluster.rings[2].switch_on()
    return verdict


def head_lost(directory: str) -> dict[str, Any]:
    """The machine with the head, the conductor and ring 1 loses power; it is back, and the crawl is resumed."""
    with crawling(directory) as (cluster, verdict):
        cluster.until_pages(100)
        cluster.machine.power_cut()
        cluster.rings[1].switch_on()
        cluster.begin()
    return verdict


def head_lost_with_store(directory: str) -> dict[str, Any]:
    """The same, but the head's state is in Redis on another machine: the raylets of the others go on.

    `raylets`: whether those of the others are the same processes at the end.
    """
    with crawling(directory, store=True) as (cluster, verdict):
        others = [cluster.rings[ring] for ring in (2, 3)]
        cluster.until_pages(100)
        raylets = [until(ring.raylet) for ring in others]
        cluster.machine.power_cut()
        cluster.rings[1].switch_on()
        cluster.begin()
        cluster.until_pages(200)
        verdict["raylets"] = [ring.raylet() for ring in others] == raylets
    return verdict


def power_cut_apart(directory: str) -> dict[str, Any]:
    """The machine of ring 2 loses power; no ring waits for an address of another one: they lend none."""
    RayCluster.address_delay = 0
    return scenarios.power_cut(directory, "ray")


def encrypted(directory: str) -> dict[str, Any]:
    """Nothing fails where all processes of Ray encrypt and have a token; `said`: what one is told that lacks either."""
    secured = Secured()
    lacking = {"TLS": secured.token, "the token": secured.environment | {"RAY_AUTH_TOKEN_PATH": str(DISK / "wrong")}}
    with crawling(directory, rings=2, secured=secured) as (cluster, verdict):
        cluster.until_pages(50)
        (cluster.machine.disk / "wrong").write_text("f" * DIGITS)
        verdict["said"] = {name: refused(cluster.machine, environment) for name, environment in lacking.items()}
    return verdict


def refused(machine: Machine, environment: dict[str, str]) -> str:
    """What `ttcrawl cluster status` complains of where it has to ask the cluster, for no disk has this crawl."""
    status = (sys.executable, "-m", "ttcrawl", "cluster", "status", str(DISK / "none"), "--ray", f"{HOST}:{PORT}")
    process = machine.popen(*status, env=ENVIRONMENT | SOON | environment, stderr=subprocess.PIPE, text=True)
    return str(process.communicate(timeout=100)[1])
